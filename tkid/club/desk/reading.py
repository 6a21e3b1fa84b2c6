"""The lines of the owner's mail that its sender wrote, and none of a letter of ours that it quotes."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tkid.club.desk.language import DeskOrder, read
from tkid.mail.inbound.attribution import begins_quotation
from tkid.mail.inbound.normalize import bare
from tkid.mail.inbound.quoted.marks import begins_with_mark
from tkid.mail.inbound.quoted.own_letters import OwnLetter
from tkid.mail.inbound.quoted.own_lines import OwnLines
from tkid.mail.inbound.whole_orders import SIGNATURES
from tkid.mail.marker import is_ours
from tkid.mail.model import Intake
from tkid.rulebook import cites

MOST_LINES = 40
"""Own lines that are looked at."""
MOST_COMPARED = 5000
"""Lines that are compared with our letters."""


@frozen
class DeskReadings:
    """Which lines are orders of the desk, for the comparison with our letters."""

    games: tuple[str, ...]

    def stands_alone(self, text: str) -> bool:
        """Whether a line is an order without what is above it."""
        return isinstance(read(text, self.games), DeskOrder)

    def asks(self, line: str) -> bool:
        """Whether a line is an order, or was meant as one."""
        return read(bare(line), self.games) is not None


@cites("mail.own-lines")
def own_lines(mail: Intake, games: Sequence[str], letters: Sequence[OwnLetter] = ()) -> list[str]:
    """The sender's own lines, down to a signature, a quotation or a letter of ours; at most 40."""
    lines = list(mail.lines[:MOST_COMPARED])
    if letters:
        compared = OwnLines(lines, letters, DeskReadings(tuple(games)))
        lines = compared.lines[: compared.find_beginning()]
    own: list[str] = []
    for index, line in enumerate(lines):
        if is_ours(line.text) or begins_quotation(lines, index) or line.text in SIGNATURES or len(own) == MOST_LINES:
            break
        if not (line.quoted or begins_with_mark(line.text)) and line.text.strip():
            own.append(line.text.strip())
    return own
