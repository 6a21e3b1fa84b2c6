"""How the family's games are shown, put together."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.claim.render import text, why
from tkid.games.claim.render.clicks import choices
from tkid.games.claim.render.description import spoken
from tkid.games.claim.render.legal import legal
from tkid.games.claim.render.picture import picture
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.views import View
from tkid.kernel.game import Event
from tkid.render.clicks import Choices
from tkid.render.marks import Pen
from tkid.render.picture import Last, Picture


class ClaimRender:
    """How the games of the family are shown."""

    def position(self, game: Claim, view: View, names: Sequence[str], last: Sequence[Event], pen: Pen) -> str:
        """All that a seat may know of a position."""
        return text.position(game, view, names, last, pen)

    def picture(self, game: Claim, view: View, names: Sequence[str], last: Last | None = None) -> Picture:
        """All that a seat may know of a position, drawn."""
        return picture(game, view, names, last)

    def choices(self, game: Claim, view: View, names: Sequence[str]) -> Choices:
        """All that a seat may click to put its turn together."""
        return choices(game, view, names)

    def spoken(self, game: Claim, view: View, names: Sequence[str]) -> str:
        """All that a seat may know of a position, in sentences."""
        return spoken(game, view, names)

    def decided(self, game: Claim, position: Position, names: Sequence[str]) -> list[tuple[str, str]]:
        """The votes of a game that is over."""
        return why.decided(game, position, names)

    def legal(self, game: Claim, position: Position, names: Sequence[str], card: str, *, every: bool) -> list[str]:  # noqa: ARG002 - a card has one way to be played
        """What may be played by whoever is to act."""
        return list(legal(game, position, names, card))

    def due(self, _: Claim, position: Position) -> str:
        """What whoever is to act has to do."""
        return text.due(position)

    def undecided(self, _: Claim, __: Position) -> str:
        """Nothing: a game that is over is decided."""
        return ""


PLUGIN = ClaimRender()
