"""Dealing together a game without secret hands: a draw, in which everybody's nonce makes the deal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tkid.cli.letters.dealing import Dealing
from tkid.cli.letters.kept import NONCE
from tkid.cli.support import DRAW
from tkid.record.fairplay import draw
from tkid.record.fairplay.draw import Draw

if TYPE_CHECKING:
    from tkid.kernel.problems import Problem
    from tkid.mail.peers.letter import PeerLetter
    from tkid.record.format.model import Record


class OpenDealing(Dealing):
    """A draw: first commitments, then nonces."""

    first, suffix, kept = draw.FIRST, DRAW, NONCE

    def read(self, data: bytes) -> tuple[Draw | None, Sequence[Problem]]:
        """What a text says; or None, and the problems with it."""
        from tkid.record.fairplay.draw_reader import read_draw

        read = read_draw(data)
        return read.draw, read.problems

    def begun(self, head: Record) -> Draw:
        """A draw without commitments."""
        nothing_yet = ("",) * len(head.names)
        return Draw(head, nothing_yet, nothing_yet)

    def merged(self, mine: Draw, theirs: bytes, seat: int, secret: bytes) -> tuple[Draw, Sequence[Problem]]:  # noqa: ARG002 - each has its own already
        """The draw with what another text has more; or as it is, with what is wrong with the other."""
        from tkid.record.fairplay.draw_reader import read_draw

        read = read_draw(theirs)
        assert read.draw is not None
        together, flaws = draw.merged(mine, read.draw, seat)
        return together, read.placed(flaws)

    def added(self, so_far: Draw, seat: int, secret: bytes) -> Draw:
        """The draw with the commitment of a seat, and with its nonce when all commitments are there."""
        if not so_far.commitments[seat]:
            so_far = draw.committed(so_far, seat, secret.hex())
        return draw.revealed(so_far, seat, secret.hex())

    def mismatch(self, so_far: Draw, seat: int, secret: bytes) -> tuple[str, str]:
        """The commitment, if it is not that to the nonce."""
        fits = so_far.commitments[seat] == draw.commitment(so_far.head, seat, secret.hex())
        return ("", "") if fits else ("commitment", "record.draw.nonce")

    def takes_part(self, so_far: Draw, seat: int) -> bool:
        """Whether a seat has committed to a nonce."""
        return bool(so_far.commitments[seat])

    def is_complete(self, so_far: Draw) -> bool:
        """Whether all nonces are there."""
        return so_far.complete

    def write(self, so_far: Draw) -> str:
        """The text of the draw."""
        return draw.write_draw(so_far)

    def record(self, so_far: Draw, seat: int, secret: bytes) -> Record:  # noqa: ARG002 - all may know all of it
        """The record that is dealt, the same for everybody."""
        return draw.record_of(so_far)

    def progress(self, file: Path, so_far: Draw, seat: int, *, added: bool) -> Sequence[str]:  # noqa: ARG002 - it is sent to all, often twice
        """How far the draw has come, and what to do next."""
        from tkid.notation.vocabulary import listed

        if so_far.complete:
            return (
                f"All nonces are here, and each fits its commitment. The game is in {file.with_suffix('.tkid')}.",
                f"Everybody who has {file} deals the same game. Send it to players who may lack a nonce.",
            )
        others = listed((name for name in so_far.missing() if name != so_far.names[seat]), "and")
        if so_far.committed:
            return (
                f"All commitments are here, so {file} now has your nonce. Send it to all others.",
                f"Still missing: the nonce of {others}.",
            )
        keep = f"Your nonce is in {self.kept.file(file)}. Keep it secret."
        return (
            f"Your commitment is in {file}. Send it to all others. {keep}",
            f"Still missing: the commitment of {others}.",
        )

    def letter(self, so_far: Draw, seat: int, time: datetime) -> PeerLetter:
        """The letter with the draw to all others."""
        from tkid.mail.peers.deals import draw_letter

        return draw_letter(so_far, seat, time)


OPEN = OpenDealing()
