"""The King is Dead's part for bots: the worlds that fit a view, and the solved end of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, cycle, islice
from random import Random

from attrs import define, field, frozen

from tkid.bots.player import Turn, find_party
from tkid.bots.plugin import Judge, Last
from tkid.games.struggle.bots.network import Learned
from tkid.games.struggle.bots.outlook import Outlook, Weights, find_struggle_weights
from tkid.games.struggle.bots.ranking import Reasons, rank_turns
from tkid.games.struggle.rules.board import HIDDEN, Position, View
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.last_card import Winners
from tkid.games.struggle.rules.moves import find_changes
from tkid.kernel.values import derive

TRIES_PER_POSITION = 8
"""Number of deals drawn for each position that the sample needs, before it stays smaller."""

MAX_DEALS_TRIED = 20_000
"""Maximum number of deals tried in order. An unreachable position may fit none of millions."""

Cards = tuple[str, ...]
Held = tuple[Cards, Cards]
"""A hand and a discard pile."""


@frozen
class Unknown:
    """The possible hidden cards of one seat: those that everybody starts with, and the greatest number of the deck."""

    game: Struggle
    hand: Cards
    pile: Cards
    same: Cards = derive(
        lambda self: tuple((Counter(self.game.hands.same) - Counter((*self.hand, *self.pile))).elements())
    )
    dealt: int = derive(
        lambda self: self.game.hands.dealt - sum(card in self.game.hands.deck for card in (*self.hand, *self.pile))
    )

    @property
    def covered(self) -> int:
        return self.pile.count(HIDDEN)

    @property
    def number(self) -> int:
        return self.hand.count(HIDDEN) + self.covered

    @property
    def drawn(self) -> range:
        """The possible numbers of hidden cards of the deck, highest first; in a reachable position there is one."""
        return range(min(self.dealt, self.number), max(self.number - len(self.same), 0) - 1, -1)

    def fill_in(self, cards: Sequence[str], pile: Sequence[str]) -> Held:
        """Put these cards in place of the hidden ones in hand and pile; those of `pile` go into the pile."""
        left = Counter(cards) - Counter(pile)
        held = [card for card in cards if _take_card(left, card)]
        return _fill_hidden(self.hand, held), _fill_hidden(self.pile, pile)


def _take_card(left: Counter[str], card: str) -> bool:
    if not left[card]:
        return False
    left[card] -= 1
    return True


def _fill_hidden(cards: Cards, hidden: Sequence[str]) -> Cards:
    given = iter(hidden)
    return tuple([next(given) if card == HIDDEN else card for card in cards])


def find_struggle_worlds(game: Struggle, view: View, most: int, lot: Random) -> list[Position]:
    """Find positions without hidden cards that fit a view: all if there are at most `most`, else a fair sample.

    The order of the covered cards in a discard pile makes no difference to the game, so they come in one order only.
    If few fit and not all deals were tried, positions repeat: a result of fewer than `most` is complete.

    Raises:
        ValueError: no position was found that fits.
    """
    shown = view.shown
    unknown = tuple([Unknown(game, *held) for held in zip(shown.hands, shown.discards, strict=True)])
    if not any(each.number for each in unknown):
        return [shown]
    known = {card for cards in (*shown.hands, *shown.discards) for card in cards}
    deals = Deals(game, view, unknown, tuple(card for card in game.hands.deck if card not in known))
    every = deals.list_deals(unknown, deals.deck)
    found = list(islice(deals.filter_fitting(islice(every, MAX_DEALS_TRIED)), most + 1))
    is_whole = len(found) <= most and next(every, None) is None
    if not is_whole:
        found = list(dict.fromkeys([*deals.sample(most, lot), *found]))
    if not found:
        raise ValueError("no hidden cards fit the known facts")
    return found if is_whole else list(islice(cycle(found), most))


@frozen
class Deals:
    """The ways to deal hidden cards; `deck` are the cards of the deck that have not been seen."""

    game: Struggle
    view: View
    unknown: tuple[Unknown, ...]
    deck: Cards

    def filter_fitting(self, dealt: Iterator[tuple[Held, ...]]) -> Iterator[Position]:
        """Yield the positions of these deals that the view allows and that leave the next decision unchanged."""
        game, view = self.game, self.view
        for held in dealt:
            hands, piles = zip(*held, strict=True)
            world = view.shown.replace(hands=hands, discards=piles)
            if world.decision is not None and game.settle_position(world).decision != world.decision:
                continue
            if game.view(world, view.seat) == view:
                yield world

    def list_deals(self, unknown: tuple[Unknown, ...], deck: Cards) -> Iterator[tuple[Held, ...]]:
        if not unknown:
            yield ()
            return
        first, others = unknown[0], unknown[1:]
        for number in first.drawn:
            for drawn in combinations(deck, number):
                left = tuple(card for card in deck if card not in drawn)
                for same in _list_distinct(first.same, first.number - number):
                    cards = (*same, *drawn)
                    for pile in _list_distinct([card for card in cards if card != self.game.plot], first.covered):
                        for rest in self.list_deals(others, left):
                            yield (first.fill_in(cards, pile), *rest)

    def sample(self, most: int, lot: Random) -> list[Position]:
        """Return different positions that fit, each deal with the same chance."""
        found: dict[Position, None] = {}
        for world in self.filter_fitting(
            filter(None, (self._deal_at_random(lot) for _ in range(most * TRIES_PER_POSITION)))
        ):
            found[world] = None
            if len(found) == most:
                break
        return list(found)

    def _deal_at_random(self, lot: Random) -> tuple[Held, ...] | None:
        """Deal the hidden cards at random; return None if a pile would cover a card that can't be played."""
        shuffled = lot.sample(self.deck, len(self.deck))
        found = []
        for each in self.unknown:
            number = each.drawn[0]
            drawn, shuffled = shuffled[:number], shuffled[number:]
            cards = [*lot.sample(each.same, each.number - number), *sorted(drawn, key=self.game.hands.deck.index)]
            playable = [index for index, card in enumerate(cards) if card != self.game.plot]
            if len(playable) < each.covered:
                return None
            covered = sorted(lot.sample(playable, each.covered))
            found.append(each.fill_in(cards, [cards[index] for index in covered]))
        return tuple(found)


def _list_distinct(cards: Sequence[str], number: int) -> Iterator[Cards]:
    """List the ways to take this number of cards; equal cards make no difference."""
    return iter(dict.fromkeys(combinations(cards, number)))


def _list_winners(game: Struggle, position: Position, card: str) -> Iterator[Winners]:
    """Yield the winners after each way to play the last card, and each summons after it."""
    spent = game.finish.spend_last_card(position)
    for resolution in game.list_options(position, card):
        for _, winners in game.finish.list_finishes(spent, find_changes(position, resolution)):
            yield winners


MAX_CARDS_TO_SOLVE = {2: 5, 3: 2, 4: 2}
"""Cards in all hands for a game to be solved, at most, by players; followers count too where a summons needs no card."""


@define(eq=False, repr=False)
class StruggleJudge(Judge):
    """The judge of one game; `fixed` are the weights where they are not those of the file, `ahead` says for whom they are."""

    game: Struggle
    fixed: Weights | None = None
    ahead: bool = False
    _outlooks: dict[int, Outlook] = field(init=False, factory=dict)
    _learned: dict[int, Learned | None] = field(init=False, factory=dict)
    _valued: dict[int, tuple[Position, tuple[float, ...]]] = field(init=False, factory=dict)
    """The values of the positions that were listed last, by identity: who asks for them has just seen them listed."""

    def get_outlook(self, players: int) -> Outlook:
        if players not in self._outlooks:
            chosen = self.fixed or find_struggle_weights(self.game.code, players, ahead=self.ahead)
            self._outlooks[players] = Outlook.build(self.game, players, chosen)
        return self._outlooks[players]

    def estimate_chances(self, position: Position) -> tuple[float, ...]:
        known, values = self._valued.get(id(position), (None, ()))
        if known is position:
            return values
        return self.evaluate(position)

    def evaluate(self, position: Position) -> tuple[float, ...]:
        """Evaluate a position with the learned value where there is one, otherwise with the outlook."""
        players = len(position.courts)
        if position.decision == "plot":
            party = find_party(self.game, position)
            chances = [self.evaluate(self.game.apply(position, move)[0]) for move in self.game.legal(position)]
            return max(chances, key=lambda found: found[party])
        if position.decision != "play" or self.fixed is not None:
            return self.get_outlook(players).evaluate(position)
        if players not in self._learned:
            self._learned[players] = Learned.find(self.game, players)
        learned = self._learned[players]
        return (learned or self.get_outlook(players)).evaluate(position)

    def rank_turns(self, position: Position, most: int) -> Sequence[tuple[Turn, Position]]:
        best = rank_turns(self.get_outlook(len(position.courts)), self.evaluate, position, most)
        self._valued = {id(after): (after, values) for _, after, values in best}
        return [(turn, after) for turn, after, _ in best]

    def sample_positions(self, view: View, most: int, lot: Random) -> Sequence[Position]:
        return find_struggle_worlds(self.game, view, most, lot)

    def is_quiet(self, before: Position, after: Position) -> bool:
        return (before.hands, before.regions, before.discs) == (after.hands, after.regions, after.discs)

    def is_soluble(self, position: Position) -> bool:
        cards = sum(card != self.game.plot for hand in position.hands for card in hand)
        if self.game.summons.alone:
            cards += sum(map(sum, position.regions))
        return cards <= MAX_CARDS_TO_SOLVE[len(position.courts)]

    def find_essence(self, position: Position) -> Position:
        acted, emptied = position.last_acted, position.emptied
        turns = sorted({turn for turn in (*acted, *emptied) if turn is not None})
        rank: dict[int | None, int | None] = {None: None, **{turn: index for index, turn in enumerate(turns)}}
        return position.replace(
            last_acted=tuple([rank[turn] for turn in acted]),
            emptied=tuple([rank[turn] for turn in emptied]),
            discards=tuple([pile[-1:] for pile in position.discards]) if self.game.names_players else (),
        )

    def find_finishes(self, position: Position) -> Last | None:
        cards, seat = sum(map(len, position.hands)), position.to_act
        restricted = self.game.last_card is not None and self.game.last_card.players == len(position.courts)
        if seat is None or restricted or self.game.summons.alone:
            return None
        if position.decision == "summon" and not cards:
            return Last((winners for _, winners in self.game.finish.list_finishes(position, {})))
        if position.decision == "play" and cards == 1 and position.hands[seat] not in {(), (self.game.plot,)}:
            return Last(_list_winners(self.game, position, position.hands[seat][0]), (PASS,))
        return None

    def explain_turn(self, before: Position, turn: Turn, after: Position) -> str:
        return Reasons(self.get_outlook(len(before.courts)), before, turn, after).choose_best()


PLUGIN = StruggleJudge
