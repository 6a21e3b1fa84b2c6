"""What the picture shows and its layout: the position, where its bands begin, and small marks."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tkid.games.claim.render.picture import cards
from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import Card
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.render.picture import SANS, LastTurn, Style, text, wide

WIDTH, EDGE = 480, 12
INNER = WIDTH - 2 * EDGE
MIDDLE = WIDTH / 2
FELT = 196
"""The height of the table."""

STYLE: Style = {
    "[data-part]": (f"font-family:{SANS};fill:#16191d", "fill:#eef1f4"),
    ".c-ground": ("fill:#fff", "fill:#14181c"),
    **cards.STYLE,
    ".c-felt": ("fill:#e6eee8", "fill:#1d2925"),
    ".c-slot": ("fill:none;stroke:#7b8a80;stroke-width:1.2;stroke-dasharray:4 3", "stroke:#7f9388"),
    ".c-tray": ("fill:#eceae3", "fill:#20262d"),
    ".c-line": ("stroke:#b9c4bc;stroke-width:1", "stroke:#3c4b44"),
    ".c-done": ("fill:#4b555f", "fill:#aab4be"),
    ".c-left": ("fill:#d9dcdf", "fill:#333b43"),
    ".c-title": ("font-size:20px;font-weight:700", ""),
    ".c-due": ("font-size:15px", ""),
    ".c-name": ("font-size:15px;font-weight:700", ""),
    ".c-big": ("font-size:24px;font-weight:700", ""),
    ".c-count": ("font-size:14px;font-weight:700", ""),
    ".c-word": ("font-size:12px", ""),
    ".c-bold": ("font-size:12px;font-weight:700", ""),
    ".c-small": ("font-size:12px;fill:#4d565f", "fill:#b3bcc5"),
    ".c-none": ("font-size:14px;fill:#4d565f", "fill:#b3bcc5"),
    ".c-mid": ("text-anchor:middle", ""),
    ".c-end": ("text-anchor:end", ""),
    ".c-dark": ("fill:#16191d", "fill:#eef1f4"),
    ".c-on-dark": ("fill:#fff", "fill:#14181c"),
}
"""The style of all but the cards, in light and dark."""


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
    def seats(self) -> tuple[int, int]:
        """The seat above the table and the seat below, which is the viewer's; for a spectator the second."""
        return (0, 1) if self.seat is None else (1 - self.seat, self.seat)

    def won(self, seat: int) -> int:
        """The number of votes that a seat has with these score piles."""
        return sum(vote.seat == seat for vote in self.votes)

    # -- where the bands begin, from the top; open cards take more room than backs ---------------------------

    above, felt = 76, 160
    below = felt + FELT + 12

    @property
    def piles(self) -> int:
        """Where the score piles begin."""
        return self.below + (90 if self.seat is None else 114)

    @property
    def discards(self) -> int:
        """Where the discards begin."""
        return self.piles + 164

    @property
    def height(self) -> int:
        """The height of the picture."""
        return self.discards + 72


def badge(seat: int, x: float, y: float) -> str:
    """The number of a seat, around a point."""
    disc = cards.box("c-dark", x - 9, y - 9, 18, 18, rx=9)
    return disc + text(x, y + 4.3, str(seat + 1), class_="c-bold c-mid c-on-dark")


def pill(words: str, right: float, y: float) -> str:
    """A few words that stand out, up to a right edge."""
    width = pill_width(words)
    label = cards.box("c-dark", right - width, y, width, 18, rx=9)
    return label + text(right - width / 2, y + 13.2, words, class_="c-bold c-mid c-on-dark")


def pill_width(words: str) -> float:
    """The width of a pill."""
    return wide(words, 12, bold=True) + 14


def count(number: int, x: float, top: float, *, marked: bool) -> str:
    """A number; a marked one is on a disc."""
    if not marked:
        return text(x, top + 15, str(number), class_="c-count c-mid" if number else "c-none c-mid")
    disc = cards.box("c-dark", x - 11, top, 22, 20, rx=10)
    return disc + text(x, top + 15, str(number), class_="c-count c-mid c-on-dark")
