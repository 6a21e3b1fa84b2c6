"""What the picture shows and its layout: the position, the measures of its bands, and the classes of what is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import frozen

from tkid.games.claim.render.picture import cards
from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import Card, Cards
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.tricks import verdict
from tkid.render import head
from tkid.render.palette import DARK, LIGHT, ROLES, paint
from tkid.render.picture import SANS, LastTurn, Style

WIDTH, WIDE, ALONE = 480, 960, 360
"""The widths of the page, of two columns, and of the table alone, where the tally of tricks is left out."""
MARGIN = 12
TABLE, OWN = 204, 66
"""The heights of the table, and of the viewer's own hand below it where it is alone."""
LEFT, COLUMN, PITCH = 16, 114, 72
"""Where a row begins, and its first pile, and how far the piles of the factions are apart."""
HANDS = 66
"""How far below the top of a row the hand begins."""
ROW, OWN_ROW, DISCARDS, LEGEND = 123, 150, 66, 120
"""The heights of a player's row, of the viewer's own, of the discards, and of what the factions can do."""

STYLE: Style = {
    "[data-part]": paint(f"font-family:{SANS};font-size:12px", fill="ink"),
    ".c-ground": paint(fill="paper"),
    ".c-table": paint("stroke-width:1", fill="panel", stroke="rule"),
    ".c-panel": paint(fill="panel"),
    ".c-bar": paint(fill="ink"),
    ".c-line": paint("stroke-width:1", stroke="rule"),
    ".c-slot": paint("fill:none;stroke-width:1.2;stroke-dasharray:4 3", stroke="dim"),
    ".c-done": paint(fill="dim"),
    ".c-now": paint(fill="ink"),
    ".c-left": paint("fill:none;stroke-width:1.2;stroke-dasharray:2.6 2", stroke="dim"),
    ".c-name": ("font-size:14px;font-weight:700", ""),
    ".c-label": ("font-size:12.5px;font-weight:700", ""),
    ".c-tight": ("font-size:11px;font-weight:700", ""),
    ".c-count": ("font-size:13px;font-weight:700", ""),
    ".c-none": paint("font-size:13px", fill="dim"),
    ".c-small": paint("font-size:11px", fill="dim"),
    ".c-dim": paint(fill="dim"),
    ".c-digit": ("font-size:11px;text-anchor:middle", ""),
    ".c-fresh": ("font-weight:700", ""),
    ".c-new": paint("font-weight:700", fill="last"),
    ".c-under": paint("stroke-width:1.8", stroke="last"),
    ".c-mid": ("text-anchor:middle", ""),
    ".c-end": ("text-anchor:end", ""),
    **head.STYLE,
    **cards.STYLE,
    "@media (prefers-contrast:more)": (
        f".c-small,.c-dim,.c-none,.told{{fill:{ROLES['ink'][LIGHT]}}}.c-paper{{stroke:{ROLES['ink'][LIGHT]}}}",
        "",
    ),
    "@media (prefers-contrast:more) and (prefers-color-scheme:dark)": (
        f".c-small,.c-dim,.c-none,.told{{fill:{ROLES['ink'][DARK]}}}.c-paper{{stroke:{ROLES['ink'][DARK]}}}",
        "",
    ),
}
"""The style of everything, in light and dark."""


@frozen
class Scene:
    """A position to be drawn for a seat (None: a spectator), the turn that led to it, and every faction's vote."""

    game: Claim
    shown: Position
    seat: int | None
    names: Sequence[str]
    last: LastTurn | None
    votes: tuple[scoring.Vote, ...]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.shown.leader is None

    @property
    def ended(self) -> tuple[tuple[int, Card], ...]:
        """The trick that has just ended: the seats with their cards, the leader first; () if none has."""
        last = self.last
        if self.shown.led is not None or last is None or last.before is None or last.before.led is None:
            return ()
        return (last.before.leader, last.before.led), (last.seat, last.moves[0].card)

    @property
    def winner(self) -> int | None:
        """Who took the trick that has just ended; None if none has."""
        if not self.ended:
            return None
        (leader, led), (second, card) = self.ended
        return second if verdict(led, card).second_wins else leader

    def won(self, seat: int) -> int:
        """The number of votes that a seat has with these score piles."""
        return sum(vote.seat == seat for vote in self.votes)

    def came(self, now: Cards, before: Cards | None) -> Mapping[Card, int]:
        """How many of each card came to a pile in the last turn, by what it was before; none if that is not known."""
        return Counter(now) - Counter(now if before is None else before)

    @property
    def before(self) -> Position | None:
        """The position before the last turn."""
        found: Position | None = self.last.before if self.last else None
        return found

    def row(self, seat: int) -> int:
        """The height of a player's row: the viewer's own cards are larger."""
        return OWN_ROW if seat == self.seat else ROW

    @property
    def rows(self) -> int:
        """The height of both players' rows."""
        return sum(map(self.row, self.shown.seats))
