"""Deal a game without a dealer: draws, locked deals, and restoring a lost deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from attrs import evolve

from tkid.cli.files import NONCE, SEED, SecretKind, create
from tkid.cli.game_source import seat_of
from tkid.cli.mail import name_enclosed
from tkid.cli.printing import (
    DEAL,
    DRAW,
    GAME,
    UNREADABLE,
    WRONG,
    as_typed,
    fail,
    is_about_option,
    print_paragraph,
    print_problems,
)
from tkid.mail.peer_letters import write_deal_letter, write_draw_letter
from tkid.notation.names import list_names
from tkid.record import draw, locked_deal
from tkid.record.draw import Draw, Flaw, ReadText
from tkid.record.format.model import Record
from tkid.record.locked_cards import MissingLibraryError, require
from tkid.record.locked_deal import LockedDeal, begin, compute_deck_id, list_missing_parts
from tkid.record.locked_text import merge_deals, read_deal, write_deal
from tkid.rulebook import cites


class _Dealing:
    """A way to deal together: a text that passes from hand to hand, to which everybody adds what a secret of theirs makes.

    `first` is the text's first line, `suffix` the end of its file's name, and `kept` the kind of the secret. Where hands are
    `secret`, the file is looked for beside the game file, so it has to have its suffix.
    """

    first: str
    suffix: str
    kept: SecretKind
    secret: bool = False
    read: Callable[[bytes], ReadText[Any]]
    join: Callable[[Any, Any, int, bytes], tuple[Any, list[Flaw]]]
    """Adds what another has more, a seat's own part only if its secret made it; or returns mine and the flaws."""

    @property
    def key(self) -> str:
        return self.first.partition(":")[0].lower()

    def read_or_fail(self, name: str, data: bytes, outcome: str) -> Any:
        """Return what `read` makes of a file or a mail; or print its problems, and end the command with the outcome."""
        read = self.read(data)
        if read.content is None:
            print_problems(name_enclosed(name, self.suffix), data, read.problems)
            options = name == OPTIONS and all(is_about_option(problem.rule) for problem in read.problems)
            fail(outcome, UNREADABLE if options else WRONG)
        return read

    def merge_letters(self, so_far: Any, letters: Mapping[str, bytes], seat: int, secret: bytes, outcome: str) -> Any:
        """Add what letters have more; or print what is wrong with one, and end the command with the outcome."""
        for letter, data in letters.items():
            read = self.read_or_fail(letter, data, outcome)
            so_far, flaws = self.join(so_far, read.content, seat, secret)
            if flaws:
                print_problems(name_enclosed(letter, self.suffix), data, read.make_problems(flaws))
                fail(outcome, WRONG)
        return so_far

    def find_single_use(self, so_far: Any) -> str:  # noqa: ARG002 - a nonce may be used for no other draw anyway
        """Return the word for the one thing that a secret may be used for; "" if it does not exist yet."""
        return ""


def check_library() -> None:
    try:
        require()
    except MissingLibraryError as error:
        fail(str(error))


class LockedDealing(_Dealing):
    """A locked deal: everybody locks and shuffles the deck, and then unlocks the others' cards."""

    first, suffix, kept, secret = locked_deal.FIRST, DEAL, SEED, True

    def read(self, data: bytes) -> ReadText[LockedDeal]:
        check_library()
        return read_deal(data)

    begin = staticmethod(locked_deal.begin)
    add_part = staticmethod(locked_deal.add_contribution)
    is_complete = staticmethod(locked_deal.is_deal_complete)
    write = staticmethod(write_deal)
    record = staticmethod(locked_deal.make_locked_record)

    def join(self, mine: LockedDeal, theirs: LockedDeal, seat: int, secret: bytes) -> tuple[LockedDeal, list[Flaw]]:
        return merge_deals(mine, theirs, None if locked_deal.has_fitting_seed(theirs, seat, secret) else seat)

    def find_mismatch(self, so_far: LockedDeal, seat: int, secret: bytes) -> tuple[str, str]:
        return ("", "") if locked_deal.has_fitting_seed(so_far, seat, secret) else ("lock", "record.deal.seed")

    def find_single_use(self, so_far: LockedDeal) -> str:
        """Return the deck that all have locked. Unlocking two decks with one seed would show secret cards."""
        return locked_deal.compute_deck_id(so_far)

    def has_part(self, so_far: LockedDeal, seat: int) -> bool:
        return so_far.keys[seat] is not None

    def describe_progress(self, file: Path, so_far: LockedDeal, seat: int, *, added: bool) -> Sequence[str]:
        names, seed = so_far.head.names, self.kept.get_file(file)
        if locked_deal.is_deal_complete(so_far):
            copied = "Make a copy, or let a friend keep it (`tkid letter escrow --help`)."
            proves = f"Keep {file} and {seed} beside it until the game is over: they prove the cards that you play."
            return (
                f"All cards are dealt. Your hand is in {file.with_suffix('.tkid')}, and nobody else knows it.",
                f"{proves} Keep {seed} secret. If you lose it, it can't be restored. {copied}",
            )
        nexts = names[locked_deal.list_missing_parts(so_far)[0][0]]
        if not self.has_part(so_far, seat):
            waits = f"{nexts} is next, and locks the deck before {names[seat]}. Wait for the mail of {names[seat - 1]}."
            away = f"If you are {nexts}, remove {file} and {seed}, and begin again with --me {as_typed(nexts)}."
            return waits, away
        if not added:
            return (f"You have nothing to send now: {nexts} is next. If your last mail got lost, send it again.",)
        whose = f"Send it to {nexts}, who is next."
        keep = f"Your seed is in {seed}. Keep it secret, and make a copy: without it you cannot show your cards."
        return f"Your part is in {file}. {whose}", keep

    make_letter = staticmethod(write_deal_letter)


LOCKED = LockedDealing()


WHOLE = "The last mail of the deal contains all of it, and so does every other player's file {file}"
OPTIONS = "the options"
"""Name of the source of a new deal's header, if no file has it."""
LOST = "[record.deal.lost]"
RESTORE = f"To restore it, read the last mail of the deal, or another player's file: `tkid letter new {{file}} LETTER`. {LOST}"
UNWRITTEN = "Nothing was written."
ONCE = f"A seed is used only once. {UNWRITTEN}"
TWICE = f"If you unlock two decks with one seed, others can work out your cards. {UNWRITTEN} [record.deal.seed]"


def read_own_deal(file: Path, data: bytes, *, dealt: bool) -> LockedDeal:
    """Read a player's own deal, or print how to restore a damaged one, or one that is incomplete though `dealt`, and end."""
    read = LOCKED.read(data)
    if read.content is None or (dealt and not LOCKED.is_complete(read.content)):
        print_problems(str(file), data, [evolve(problem, hint="") for problem in read.problems])
        what = "is damaged" if read.problems else "is cut off: part of the deal is missing"
        fail(
            f"{file} {what}. To restore it, move it away, and read a whole one: `tkid letter new {as_typed(file)} LETTER`. {LOST}\n"
            f"{WHOLE.format(file=file.name)}. Nothing was changed.",
            WRONG,
        )
    return read.content


@cites("record.deal.lost")
def restore_deal(file: Path, letters: dict[str, bytes], me: str) -> None:
    """Write a lost deal again from letters, for the seed next to it; or end the command."""
    name, seed = SEED.read(file)
    deals = {each: LOCKED.read_or_fail(each, data, UNWRITTEN).content for each, data in letters.items()}
    newest = sorted(deals, key=lambda letter: (_count_locks(deals[letter]), len(deals[letter].unlocks)), reverse=True)
    head = deals[newest[0]].head
    own = SEED.get_file(file)
    if name not in head.names:
        fail(f"{own} has {name}'s seed, and {name} does not play in {newest[0]}. Give a letter of this game. {LOST}")
    seat = seat_of(head.names, name)
    if me and seat_of(head.names, me) != seat:
        fail(f"{own} has {name}'s seed. Leave out --me {me}, or look for your own folder. {LOST}")
    if not _count_locks(deals[newest[0]]):
        fail(
            f"{file} is missing, and {newest[0]} has only part of the deal, as every mail about a turn. {LOST}\n"
            f"{WHOLE.format(file=file.name)}: read one of them. Nothing was written.",
            WRONG,
        )
    _check_lock(file, deals[newest[0]], seat, seed, newest[0])
    so_far = LOCKED.merge_letters(begin(head), {each: letters[each] for each in newest}, seat, seed, UNWRITTEN)
    _check_deck(file, so_far, seat, newest[0])
    create(file, LOCKED.write(so_far))
    typer.echo(f"{file}: restored from {newest[0]}.")
    if file.with_suffix(GAME).exists():
        later = "What was unlocked later comes with the newest mail of each player"
        read = f"read it again with `tkid letter read {as_typed(file.with_suffix(GAME))} LETTER`"
        print_paragraph(f"{later}: {read}.", "  ")


def check_new(file: Path, letters: dict[str, bytes], seat: int) -> None:
    """End the command if a letter has a lock of the player who joins, who has no seed for it."""
    for letter, data in letters.items():
        deal: LockedDeal = LOCKED.read_or_fail(letter, data, UNWRITTEN).content
        if deal.keys[seat] is None:
            continue
        name, own = deal.names[seat], SEED.get_file(file)
        fail(
            f"{letter} has {name}'s lock already, and {own} is not here. Nothing was written. {LOST}\n"
            f"If you are not {name}, give your own name with --me. If you are, look for the folder that has {own.name}, or put "
            f"your copy of it back: then this letter restores {file}.",
            WRONG,
        )


def _count_locks(deal: LockedDeal) -> int:
    return sum(key is not None for key in deal.keys)


def _check_lock(file: Path, deal: LockedDeal, seat: int, seed: bytes, letter: str) -> None:
    """End the command if a letter's deal lacks the seat's own lock, or has one that the seed did not make."""
    own, name = SEED.get_file(file), deal.names[seat]
    new = f"If this is a new game, choose another name for its files. {ONCE}"
    if deal.keys[seat] is None:
        way = "To restore a lost deal, give a later mail of it, or the one that you sent."
        fail(f"{own} exists already, and {letter} has no lock of {name}'s. {way} {LOST}\n{new}", WRONG)
    if LOCKED.find_mismatch(deal, seat, seed) != ("", ""):
        made = f"{name}'s lock in {letter} was not made with the seed in {own}"
        fail(f"{made}: one of them is of another game, or of an earlier attempt. {LOST}\n{new}", WRONG)


@cites("record.deal.seed")
def _check_deck(file: Path, deal: LockedDeal, seat: int, letter: str) -> None:
    """End the command if a seed would unlock a second deck, or might."""
    noted = SEED.read_deck(file)
    if not deal.locked or noted == compute_deck_id(deal):
        return
    if noted:
        used = f"The seed in {SEED.get_file(file)} was used for another deck than that in {letter}"
        fail(f"{used}. Perhaps it is from an earlier attempt: give the last mail of the deal. {TWICE}", WRONG)
    if seat in {owing for owing, _ in list_missing_parts(deal)}:
        lacks = f"{letter} is from before {deal.names[seat]} unlocked the others' cards"
        fail(f"{lacks}. Give a later mail of the deal. If you have none, start a new deal. {TWICE}", WRONG)


class OpenDealing(_Dealing):
    """A draw: first commitments, then nonces."""

    first, suffix, kept = draw.FIRST, DRAW, NONCE

    read = staticmethod(draw.read_draw)

    def begin(self, head: Record) -> Draw:
        nothing_yet = ("",) * len(head.names)
        return Draw(head, nothing_yet, nothing_yet)

    def join(self, mine: Draw, theirs: Draw, seat: int, secret: bytes) -> tuple[Draw, list[Flaw]]:  # noqa: ARG002 - each has its own already
        return draw.merge_draws(mine, theirs, seat)

    def add_part(self, so_far: Draw, seat: int, secret: bytes) -> Draw:
        if not so_far.commitments[seat]:
            so_far = draw.add_commitment(so_far, seat, secret.hex())
        return draw.add_nonce(so_far, seat, secret.hex())

    def find_mismatch(self, so_far: Draw, seat: int, secret: bytes) -> tuple[str, str]:
        fits = so_far.commitments[seat] == draw.compute_commitment(so_far.head, seat, secret.hex())
        return ("", "") if fits else ("commitment", "record.draw.nonce")

    def has_part(self, so_far: Draw, seat: int) -> bool:
        return bool(so_far.commitments[seat])

    def is_complete(self, so_far: Draw) -> bool:
        return so_far.complete

    write = staticmethod(draw.write_draw)

    def record(self, so_far: Draw, seat: int, secret: bytes) -> Record:  # noqa: ARG002 - all may know all of it
        return draw.make_draw_record(so_far)

    def describe_progress(self, file: Path, so_far: Draw, seat: int, *, added: bool) -> Sequence[str]:  # noqa: ARG002 - it is sent to all, often twice
        if so_far.complete:
            return (
                f"All nonces are here, and each fits its commitment. The game is in {file.with_suffix('.tkid')}.",
                f"Everybody who has {file} deals the same game. Send it to players who may lack a nonce.",
            )
        others = list_names((name for name in so_far.list_missing() if name != so_far.names[seat]), "and")
        if so_far.committed:
            return (
                f"All commitments are here, so {file} now has your nonce. Send it to all others.",
                f"Still missing: the nonce of {others}.",
            )
        keep = f"Your nonce is in {self.kept.get_file(file)}. Keep it secret."
        return (
            f"Your commitment is in {file}. Send it to all others. {keep}",
            f"Still missing: the commitment of {others}.",
        )

    make_letter = staticmethod(write_draw_letter)


OPEN = OpenDealing()
Dealing = LockedDealing | OpenDealing
