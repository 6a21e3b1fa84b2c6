"""How a finished game was decided, as data: the comparison that found the winner, and words for who was compared."""

from __future__ import annotations

from attrs import frozen

from tkid.games.struggle.mail.phrases import Phrases
from tkid.games.struggle.render.text.victory import decisive
from tkid.games.struggle.rules.endings.comparisons import Compared, Side
from tkid.games.struggle.rules.endings.ending import ranking
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.mail.voice import Voice


@frozen
class Verdict:
    """How a finished game was decided, for a reader: the comparison that decided it, and its rule (a local id).

    `compared` is None where nothing was compared, or all that was left everybody tied; `before` is the comparison before it.
    """

    game: Struggle
    position: Position
    voice: Voice
    ending: str
    winners: Side
    ranking: Side
    rule: str
    compared: Compared | None
    before: Compared | None

    @classmethod
    def of(cls, game: Struggle, position: Position, voice: Voice) -> Verdict | None:
        """The verdict on a game; None while it goes on."""
        result = game.result(position)
        if result is None:
            return None
        step = decisive(result)
        last = step or result.chain[-1]
        ranks = ranking(position, game.board.apart)
        _, _, rule = last.rule.partition(".")
        found = [each.about for each in result.chain if each.about]
        before = found[found.index(step.about) - 1] if step and step.about is not found[0] else None
        compared = step.about if step else None
        return cls(game, position, voice, result.ending, result.winners, ranks, rule, compared, before)

    @property
    def phrases(self) -> Phrases:
        """The words for the board, for what is so now."""
        return Phrases(self.game.board, past=False)

    # -- who is compared ----------------------------------------------------------------------------------

    @property
    def best(self) -> Side:
        """The side that the comparison left."""
        assert self.compared is not None
        return self.compared.left[0]

    @property
    def tied(self) -> list[Side]:
        """The sides that were compared, the best one first."""
        assert self.compared is not None
        return [self.best, *(side for side in self.compared.values if side != self.best)]

    def named(self, side: Side) -> str:
        """A side within a sentence."""
        return self.voice.every(side)

    def has(self, side: Side) -> str:
        """A side that has something: `you have`, `Bob has`."""
        return f"{self.named(side)} {self.voice.verb(side, 'has', 'have')}"

    @property
    def all_tied(self) -> str:
        """All that were compared: `you and Bob`."""
        return self.voice.every({seat for side in self.tied for seat in side})

    def name(self, rank: int) -> str:
        """The name of the faction of a rank."""
        return self.game.board.factions[self.ranking[rank]].name

    # -- in one clause ------------------------------------------------------------------------------------

    def more(self, what: str) -> str:
        """That the best side has more of something: `you have more Welsh`, `Bob has the most Welsh`."""
        return f"{self.has(self.best)} {'more' if len(self.tied) == 2 else 'the most'} {what}"

    @property
    def than(self) -> str:
        """Than whom, where there is one other side only."""
        return f" than {self.named(self.tied[1])}" if len(self.tied) == 2 else ""

    @property
    def were_tied(self) -> str:
        """That all that were compared had been tied before."""
        return "the teams tied" if len(self.best) > 1 else f"{self.all_tied} tied"

    @property
    def over(self) -> str:
        """What ended the game."""
        if self.ending == self.game.invasion.name:
            return "the invasion has come"
        if self.game.usurpation is not None and self.ending == self.game.usurpation.name:
            return f"{self.phrases.faction(self.game.board.apart[0])} has won a region"
        return f"{self.phrases.faction(self.ranking[0])} rule"
