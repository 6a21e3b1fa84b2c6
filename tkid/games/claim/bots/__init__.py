"""Claim's part for bots: what its judge needs to know, and the reasons for a card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from attrs import define, field, frozen

from tkid.bots.player import Turn, add_in_order, make_random
from tkid.bots.plugin import Judge
from tkid.games.claim import rules
from tkid.games.claim.bots import evaluation
from tkid.kernel.values import derive
from tkid.notation.names import list_names
from tkid.notation.text import spell_number

FIGHTS = 5
"""Lowest value of a card that is led to win the trick."""
FEW = 2
"""Maximum number of cards that are listed by name."""


@frozen
class Reasons:
    """The reasons for a card: what its player knows before it and after it; in phase two that is everything."""

    game: rules.Claim
    before: rules.Position
    card: rules.Card
    after: rules.Position
    seat: int
    other: int

    def choose_best(self) -> str:
        if self.after.to_act is None:
            return self._explain_end()
        if self.before.led is None:
            return self._explain_lead_for_prize() if self.before.prize else self._explain_lead()
        return self._explain_recruit(self.before.led) if self.before.prize else self._explain_gather(self.before.led)

    def _explain_end(self) -> str:
        mine = [f"the {vote.faction.plural}" for vote in rules.list_votes(self.after.scores) if vote.seat == self.seat]
        if self.seat in self.after.winners:
            return f"wins the game with the votes of {list_names(mine, 'and')}"
        return "plays the last card" if self.after.winners else "draws the game"

    def _explain_lead_for_prize(self) -> str:
        prize = rules.NAMES[self.before.prize or ""]
        card = rules.NAMES[self.card]
        pool = rules.count_unseen(self.before)
        able = {each: copies for each, copies in pool.items() if each[0] not in self.before.lacks[self.other]}
        beaters = sum(copies for each, copies in able.items() if rules.judge_trick(self.card, each).second_wins)
        if not beaters:
            return f"leads {card} for {prize}: no card that {{{self.other}}} may hold beats it"
        highest = max(rules.VALUES[each] for each in self.before.hands[self.seat])
        if rules.VALUES[self.card] < min(FIGHTS, highest):
            return f"leads {card} and saves higher cards for later prizes"
        beat = "one beats" if beaters == 1 else f"{spell_number(beaters)} beat"
        return f"leads {card} for {prize}: of the {pool.total()} cards that {{{self.seat}}} has not seen, {beat} it"

    def _explain_recruit(self, led: rules.Card) -> str:
        prize = rules.NAMES[self.before.prize or ""]
        if rules.judge_trick(led, self.card).second_wins:
            undead = [each for each in (led, self.card) if each[0] == rules.UNDEAD]
            scored = f" and scores {_format_cards(undead)}" if undead else ""
            return f"wins {prize} as a follower{scored}"
        if any(rules.judge_trick(led, move.card).second_wins for move in self.game.legal(self.before)):
            return f"leaves {prize} to {{{self.other}}} and draws a follower from the deck"
        return f"cannot win {prize}, so gives away {rules.NAMES[self.card]}"

    def _explain_lead(self) -> str:
        card = rules.NAMES[self.card]
        replies = [move.card for move in self.game.legal(self.after)]
        beaters = [each for each in replies if rules.judge_trick(self.card, each).second_wins]
        dwarf, which = self.card[0] == rules.DWARF, f"leads {card}, which {{{self.other}}}"
        if not beaters:
            return f"leads {card} to keep the lead" if dwarf else f"{which} cannot beat"
        if len(beaters) == len(replies):
            forced = f"{which} has to beat"
            return f"{forced}: the Dwarf goes to {{{self.seat}}}" if dwarf else forced
        if len(beaters) <= FEW:
            return f"{which} can only beat with {list_names(rules.NAMES[each] for each in beaters)}"
        return f"{which} can beat with {spell_number(len(beaters))} cards"

    def _explain_gather(self, led: rules.Card) -> str:
        made = self._list_made_certain()
        if made:
            return f"makes the vote{'s' * (len(made) > 1)} of {list_names(made, 'and')} certain"
        won = rules.judge_trick(led, self.card).second_wins
        gained = list((Counter(self.after.scores[self.seat]) - Counter(self.before.scores[self.seat])).elements())
        if won and not gained:
            return f"wins the trick and the lead, and the Dwarves go to {{{self.other}}}"
        if not gained:
            return f"gives away {rules.NAMES[self.card]} in a trick that goes to {{{self.other}}}"
        return f"{'wins the trick' if won else 'loses the trick'} and scores {_format_cards(gained)}"

    def _list_made_certain(self) -> list[str]:
        """Return the factions whose vote became certain with this card."""
        before, after = ([_find_standing(at, n) for n in range(len(evaluation.OF))] for at in (self.before, self.after))
        made = [n for n in range(len(evaluation.OF)) if after[n] == self.seat != before[n]]
        return [f"the {rules.FACTIONS[evaluation.LETTERS[n]].plural}" for n in made]


def _format_cards(cards: Iterable[rules.Card]) -> str:
    return list_names([rules.format_card_list([card] * n) for card, n in Counter(cards).items()], "and")


def _find_standing(position: rules.Position, faction: int) -> int:
    led = () if position.led is None else (position.led,)
    masks = evaluation.make_masks(*position.scores, *position.hands, led)
    first, second, *hands, table = (cards & evaluation.OF[faction] for cards in masks)
    return evaluation.find_standing(faction, first, second, hands[0] | hands[1] | table)


WORLDS = 12
"""Number of worlds in which a turn is judged if cards are hidden."""
TRICKS = 4
"""Number of tricks in the solver that count as one position: they take less time."""
MOST_KNOWN = 20_000
"""Maximum number of estimates kept: each is needed again soon or never."""


@define(eq=False, repr=False)
class ClaimJudge(Judge):
    """The judge of Claim; `fixed` are the weights where they are not those of the file."""

    game: rules.Claim
    fixed: evaluation.Weights | None = None
    ahead: bool = False
    _estimate: evaluation.Estimate = derive(
        lambda self: evaluation.Estimate(self.fixed or evaluation.read_claim_weights(self.game.code, rules.SEATS))
    )
    _known: dict[rules.Position, float] = field(init=False, factory=dict)

    def estimate_chances(self, position: rules.Position) -> tuple[float, ...]:
        if position.leader is not None and rules.count_unseen(position):
            found = self._sample_worlds(position)
            chance = add_in_order(map(self._estimate_chance, found)) / len(found)
        else:
            chance = self._estimate_chance(position)
        return chance, 1 - chance

    def rank_turns(self, position: rules.Position, most: int) -> Sequence[tuple[Turn, rules.Position]]:
        """Return the best cards, best first, with the position after each; hidden cards are sampled."""
        seat = position.to_act
        assert seat is not None
        moves = list(self.game.legal(position))
        if len(moves) == 1:
            return [((moves[0],), self.game.apply(position, moves[0])[0])]
        found = self._sample_worlds(position) if rules.count_unseen(position) else (position,)
        rated = []
        for move in moves:
            chance = add_in_order(self._estimate_chance(self.game.apply(world, move)[0]) for world in found)
            rated.append((-chance if seat == 0 else chance, rules.VALUES[move.card], move))
        rated.sort(key=lambda each: each[:2])
        return [((move,), self.game.apply(position, move)[0]) for _, _, move in rated[:most]]

    def sample_positions(self, view: rules.View, most: int, lot: Random) -> Sequence[rules.Position]:
        return evaluation.find_claim_worlds(view.shown, most, lot)

    def is_soluble(self, position: rules.Position) -> bool:
        """Return True in phase two: every card is known then."""
        return position.prize is None

    def solve(self, position: rules.Position, most: int) -> Sequence[tuple[Turn, tuple[float, ...]]]:
        """Return each card with its exact result; nothing if that takes more than `TRICKS` times `most` tricks."""
        seat = position.to_act
        assert seat is not None
        if not self.is_soluble(position):
            return ()
        solver = evaluation.Solver(self.game, TRICKS * most)
        try:
            found = [
                ((move,), solver.find_value(self.game.apply(position, move)[0]) / evaluation.WON)
                for move in self.game.legal(position)
            ]
        except evaluation.TooLongError:
            return ()
        found.sort(key=lambda each: -each[1] if seat == 0 else each[1])
        return [(turn, (value, 1 - value)) for turn, value in found]

    def explain_turn(self, before: rules.Position, turn: Turn, after: rules.Position) -> str:  # noqa: ARG002 - the card says it all
        seat, card = before.to_act, turn[0].card
        assert seat is not None
        shown = rules.make_claim_view(before, seat).shown
        known = shown if shown.prize else evaluation.find_claim_worlds(shown, 1, Random(0))[0]  # noqa: S311 - there is but one
        result = self.game.apply(known, rules.PLAYS[card])[0]
        return Reasons(self.game, known, card, result, seat, 1 - seat).choose_best()

    def _sample_worlds(self, position: rules.Position) -> Sequence[rules.Position]:
        draws = make_random(self.game, rules.View(position.to_act, position), "worlds")
        return evaluation.find_claim_worlds(position, WORLDS, draws)

    def _estimate_chance(self, position: rules.Position) -> float:
        """Return the chance of seat 0; if a card is led, with the best reply."""
        if position in self._known:
            return self._known[position]
        if position.led is None:
            chance = self._estimate.estimate_chance(position)
        else:
            best = max if position.to_act == 0 else min
            replies = (self.game.apply(position, move)[0] for move in self._list_replies(position))
            chance = best(map(self._estimate.estimate_chance, replies))
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[position] = chance
        return chance

    def _list_replies(self, position: rules.Position) -> list[rules.Play]:
        """Return the lowest winning and the lowest losing card of each faction."""
        led = position.led
        assert led is not None
        kinds: dict[tuple[str, bool], rules.Play] = {}
        for move in self.game.legal(position):
            card: rules.Card = move.card
            kinds.setdefault((card[0], rules.judge_trick(led, card).second_wins), move)
        return list(kinds.values())


PLUGIN = ClaimJudge
