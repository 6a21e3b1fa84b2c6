"""How the family's games are shown, put together."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.struggle.render import text, why
from tkid.games.struggle.render.clicks import choices
from tkid.games.struggle.render.description import spoken
from tkid.games.struggle.render.legal import legal
from tkid.games.struggle.render.picture import picture
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.views import View
from tkid.kernel.game import Event
from tkid.render.clicks import Choices
from tkid.render.marks import Pen
from tkid.render.picture import Last, Picture


class StruggleRender:
    """How the games of the family are shown."""

    def position(self, game: Struggle, view: View, names: Sequence[str], last: Sequence[Event], pen: Pen) -> str:
        """All that a seat may know of a position."""
        return text.position(game, view, names, last, pen)

    def picture(self, game: Struggle, view: View, names: Sequence[str], last: Last | None = None) -> Picture:
        """All that a seat may know of a position, drawn."""
        return picture(game, view, names, last)

    def choices(self, game: Struggle, view: View, names: Sequence[str]) -> Choices:
        """All that a seat may click to put its turn together."""
        return choices(game, view, names)

    def spoken(self, game: Struggle, view: View, names: Sequence[str]) -> str:
        """All that a seat may know of a position, in sentences."""
        return spoken(game, view, names)

    def decided(self, game: Struggle, position: Position, names: Sequence[str]) -> list[tuple[str, str]]:
        """The chain of comparisons of a game that is over."""
        return why.decided(game, position, names)

    def legal(self, game: Struggle, position: Position, names: Sequence[str], card: str, *, every: bool) -> list[str]:
        """What may be played by whoever is to act."""
        return list(legal(game, position, names, card, every=every))

    def due(self, game: Struggle, position: Position) -> str:
        """What whoever is to act has to do."""
        return text.due(game, position)

    def undecided(self, game: Struggle, position: Position) -> str:
        """That a faction has to be named yet for the card that is revealed."""
        return f"has to say which faction {game.plot} counts for" if position.decision == "plot" else ""


PLUGIN = StruggleRender()
