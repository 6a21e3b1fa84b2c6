"""Dealing together a game with secret hands: everybody locks the deck, and unlocks the others' cards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tkid.cli.letters.dealing import Dealing
from tkid.cli.letters.kept import SEED
from tkid.cli.support import DEAL, as_typed, fail
from tkid.record.locked import course, deal
from tkid.record.locked.deal import LockedDeal
from tkid.record.locked.group import MissingLibraryError, require
from tkid.record.locked.text import write_deal

if TYPE_CHECKING:
    from tkid.kernel.problems import Problem
    from tkid.mail.peers.letter import PeerLetter
    from tkid.record.format.model import Record


def check_library() -> None:
    """End the command where nothing can be locked or sealed."""
    try:
        require()
    except MissingLibraryError as error:
        fail(str(error))


class LockedDealing(Dealing):
    """A locked deal: everybody locks and shuffles the deck, and then unlocks the others' cards."""

    first, suffix, kept, secret = deal.FIRST, DEAL, SEED, True

    def read(self, data: bytes) -> tuple[LockedDeal | None, Sequence[Problem]]:
        """What a text says; or None, and the problems with it. Ends the command where no deal can be read."""
        from tkid.record.locked.reader import read_deal

        check_library()
        read = read_deal(data)
        return read.deal, read.problems

    def begun(self, head: Record) -> LockedDeal:
        """A deal in which nobody has locked the deck."""
        return deal.begin(head)

    def merged(self, mine: LockedDeal, theirs: bytes, seat: int, secret: bytes) -> tuple[LockedDeal, Sequence[Problem]]:
        """The deal with what another text has more; or as it is, with what is wrong with the other."""
        from tkid.record.locked.merge import merged
        from tkid.record.locked.reader import read_deal

        read = read_deal(theirs)
        assert read.deal is not None
        together, flaws = merged(mine, read.deal, None if deal.fits(read.deal, seat, secret) else seat)
        return together, read.placed(flaws)

    def added(self, so_far: LockedDeal, seat: int, secret: bytes) -> LockedDeal:
        """The deal with everything that a seat can add now."""
        return deal.contribute(so_far, seat, secret)

    def mismatch(self, so_far: LockedDeal, seat: int, secret: bytes) -> tuple[str, str]:
        """The lock, if it was not made with the seed."""
        return ("", "") if deal.fits(so_far, seat, secret) else ("lock", "record.deal.seed")

    def used_for(self, so_far: LockedDeal) -> str:
        """The deck that all have locked. Whoever unlocks two decks with one seed shows cards that nobody may see."""
        return deal.deck_id(so_far)

    def takes_part(self, so_far: LockedDeal, seat: int) -> bool:
        """Whether a seat has locked the deck."""
        return so_far.keys[seat] is not None

    def is_complete(self, so_far: LockedDeal) -> bool:
        """Whether every hand is unlocked for its player."""
        return deal.complete(so_far)

    def write(self, so_far: LockedDeal) -> str:
        """The text of the deal."""
        return write_deal(so_far)

    def record(self, so_far: LockedDeal, seat: int, secret: bytes) -> Record:
        """The record that is dealt, with the seat's own hand."""
        return course.record_of(so_far, seat, secret)

    def progress(self, file: Path, so_far: LockedDeal, seat: int, *, added: bool) -> Sequence[str]:
        """How far the deal has come, and what to do next."""
        names, seed = so_far.head.names, self.kept.file(file)
        if deal.complete(so_far):
            copied = "Make a copy, or let a friend keep it (`tkid letter escrow --help`)."
            proves = f"Keep {file} and {seed} beside it until the game is over: they prove the cards that you play."
            return (
                f"All cards are dealt. Your hand is in {file.with_suffix('.tkid')}, and nobody else knows it.",
                f"{proves} Nobody else may see {seed}, and nobody can restore it. {copied}",
            )
        nexts = names[deal.missing(so_far)[0][0]]
        if not self.takes_part(so_far, seat):
            away = f"If you are {nexts}, remove {file} and {seed}, and begin again with --me {as_typed(nexts)}."
            return (
                f"{nexts} is next, and locks the deck before {names[seat]}. Wait for the mail of {names[seat - 1]}.",
                away,
            )
        if not added:
            return (f"You have nothing to send now: {nexts} is next. If your last mail got lost, send it again.",)
        whose = f"Send it to {nexts}, who is next."
        keep = f"Your seed is in {seed}. Keep it secret, and make a copy: without it you cannot show your cards."
        return f"Your part is in {file}. {whose}", keep

    def letter(self, so_far: LockedDeal, seat: int, time: datetime) -> PeerLetter:
        """The letter with the deal to whoever is next."""
        from tkid.mail.peers.deals import deal_letter

        return deal_letter(so_far, seat, time)


LOCKED = LockedDealing()
