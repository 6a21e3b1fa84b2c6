"""Plot: a card that nobody plays; at the end it counts as a follower (see `endings`)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tkid.games.struggle.rules.cards.card import Card, CardFactory
from tkid.games.struggle.rules.moves import Resolution
from tkid.games.struggle.rules.position import Position
from tkid.kernel.options import Options
from tkid.kernel.problems import Violation


def plot(factory: CardFactory, name: str) -> Card:
    """The card that is revealed when the winner is found."""
    sentence = f"{name} is never played: it is revealed when the game is over"
    hint = "Play another card, or write `Pass`."
    never = Never(Violation(factory.ids("card.plot.never"), sentence, hint=hint))
    return Card(name, factory.ids("card.plot"), "reveal", never)


@frozen(eq=False)
class Never:
    """What Plot has instead of a ladder: it can never be played."""

    violation: Violation

    def ways(self, _: Position) -> Sequence[Resolution]:
        """No resolution."""
        return ()

    def options(self, _: Position) -> Options[Resolution]:
        """No resolution."""
        return Options([], lambda _: False)

    def admits(self, *_: object) -> bool:
        """Never."""
        return False

    def check(self, *_: object) -> tuple[Violation, ...]:
        """The rule that forbids it."""
        return (self.violation,)
