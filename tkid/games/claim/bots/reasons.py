"""Why a card is good, in a few words. Nothing is said that the seat to act cannot see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from attrs import frozen

from tkid.games.claim.bots.solver import standing
from tkid.games.claim.bots.tables import LETTERS, OF, masks
from tkid.games.claim.bots.worlds import worlds
from tkid.games.claim.rules.deck import DWARF, FACTIONS, NAMES, UNDEAD, VALUES, Card, named
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.moves import PLAYS, unseen
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.scoring import votes
from tkid.games.claim.rules.tricks import verdict
from tkid.games.claim.rules.views import view
from tkid.notation.numbers import number
from tkid.notation.vocabulary import listed

FIGHTS = 5
"""A card of this value or more is led to win the trick."""
FEW = 2
"""So many cards are named one by one."""


def reason(game: Claim, before: Position, card: Card) -> str:
    """Why a card is good, for the seat to act."""
    assert before.to_act is not None
    shown = view(before, before.to_act).shown
    known = shown if shown.prize else worlds(shown, 1, Random(0))[0]  # noqa: S311 - there is but one
    return Reasons(game, known, card, game.apply(known, PLAYS[card])[0], before.to_act, 1 - before.to_act).best()


@frozen
class Reasons:
    """The reasons for a card: what its player knows before it and after it; in phase two that is everything."""

    game: Claim
    before: Position
    card: Card
    after: Position
    seat: int
    other: int

    def best(self) -> str:
        """The reason that says most."""
        if self.after.to_act is None:
            return self._end()
        if self.before.led is None:
            return self._lead_for_prize() if self.before.prize else self._lead()
        return self._recruit(self.before.led) if self.before.prize else self._gather(self.before.led)

    def _end(self) -> str:
        """The last card of the game."""
        mine = [f"the {vote.faction.plural}" for vote in votes(self.after.scores) if vote.seat == self.seat]
        if self.seat in self.after.winners:
            return f"wins the game with the votes of {listed(mine, 'and')}"
        return "plays the last card" if self.after.winners else "draws the game"

    # -- phase one ----------------------------------------------------------------------------------------

    def _lead_for_prize(self) -> str:
        prize = NAMES[self.before.prize or ""]
        card = NAMES[self.card]
        pool = unseen(self.before)
        able = {each: copies for each, copies in pool.items() if each[0] not in self.before.lacks[self.other]}
        beaters = sum(copies for each, copies in able.items() if verdict(self.card, each).second_wins)
        if not beaters:
            return f"leads {card} for {prize}: no card that {{{self.other}}} may hold beats it"
        highest = max(VALUES[each] for each in self.before.hands[self.seat])
        if VALUES[self.card] < min(FIGHTS, highest):
            return f"leads {card} and saves higher cards for later prizes"
        beat = "one beats" if beaters == 1 else f"{number(beaters)} beat"
        return f"leads {card} for {prize}: of the {pool.total()} cards that {{{self.seat}}} has not seen, {beat} it"

    def _recruit(self, led: Card) -> str:
        prize = NAMES[self.before.prize or ""]
        if verdict(led, self.card).second_wins:
            undead = [each for each in (led, self.card) if each[0] == UNDEAD]
            scored = f" and scores {_all(undead)}" if undead else ""
            return f"wins {prize} as a follower{scored}"
        if any(verdict(led, move.card).second_wins for move in self.game.legal(self.before)):
            return f"leaves {prize} to {{{self.other}}} and draws a follower from the deck"
        return f"cannot win {prize}, so gives away {NAMES[self.card]}"

    # -- phase two ----------------------------------------------------------------------------------------

    def _lead(self) -> str:
        card = NAMES[self.card]
        replies = [move.card for move in self.game.legal(self.after)]
        beaters = [each for each in replies if verdict(self.card, each).second_wins]
        dwarf = self.card[0] == DWARF
        if not beaters:
            return (
                f"leads {card}, which {{{self.other}}} cannot beat" if not dwarf else f"leads {card} to keep the lead"
            )
        if len(beaters) == len(replies):
            forced = f"leads {card}, which {{{self.other}}} has to beat"
            return f"{forced}: the Dwarf goes to {{{self.seat}}}" if dwarf else forced
        if len(beaters) <= FEW:
            return f"leads {card}, which {{{self.other}}} can only beat with {listed(NAMES[each] for each in beaters)}"
        return f"leads {card}, which {{{self.other}}} can beat with {number(len(beaters))} cards"

    def _gather(self, led: Card) -> str:
        made = self._made_certain()
        if made:
            return f"makes the vote{'s' * (len(made) > 1)} of {listed(made, 'and')} certain"
        won = verdict(led, self.card).second_wins
        gained = list((Counter(self.after.scores[self.seat]) - Counter(self.before.scores[self.seat])).elements())
        if won and not gained:
            return f"wins the trick and the lead, and the Dwarves go to {{{self.other}}}"
        if not gained:
            return f"gives away {NAMES[self.card]} in a trick that goes to {{{self.other}}}"
        return f"{'wins the trick' if won else 'loses the trick'} and scores {_all(gained)}"

    def _made_certain(self) -> list[str]:
        """The factions of which the vote is certain now, and was not before."""
        before, after = ([_standing(at, n) for n in range(len(OF))] for at in (self.before, self.after))
        made = [n for n in range(len(OF)) if after[n] == self.seat != before[n]]
        return [f"the {FACTIONS[LETTERS[n]].plural}" for n in made]


def _all(cards: Iterable[Card]) -> str:
    """Cards in a sentence."""
    return listed([named([card] * n) for card, n in Counter(cards).items()], "and")


def _standing(position: Position, faction: int) -> int:
    """How a faction's vote stands in phase two."""
    led = () if position.led is None else (position.led,)
    first, second, *hands, table = (cards & OF[faction] for cards in masks(*position.scores, *position.hands, led))
    return standing(faction, first, second, hands[0] | hands[1] | table)
