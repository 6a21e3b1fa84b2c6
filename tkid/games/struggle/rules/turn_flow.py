"""Carry a game from one decision to the next, up to the last card.

After the last card, all open regions are resolved at once, and the winner is known. `LastCard` finds
once what many positions share: the outcomes of the regions rank the factions, and the courts then decide the winners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from attrs import define, field, frozen

from tkid.games.struggle.rules import moves
from tkid.games.struggle.rules.board import (
    HIDDEN,
    OPEN,
    Board,
    Followers,
    Position,
    add_followers,
    name_factions,
    replace_item,
    subtract_followers,
)
from tkid.games.struggle.rules.card import Card
from tkid.games.struggle.rules.endings import GameEnd, rank_factions
from tkid.games.struggle.rules.struggles import NO_SUMMON, Arrivals, Summoning, find_struggle_outcome, resolve_struggle
from tkid.kernel.game import Event
from tkid.kernel.ladder import NOTHING
from tkid.kernel.problems import Fix, Scope, Violation
from tkid.kernel.values import derive
from tkid.rulebook import Ids, cites

EVENTS_REMEMBERED = 1 << 12


@frozen(eq=False)
class TurnFlow:
    """The course of an edition's turns. The attributes are those of `Struggle`; `arrivals` are those of its set-up."""

    cards: Mapping[str, Card]
    arrivals: Arrivals | None
    summons: Summoning
    words: moves.StruggleWords
    end: GameEnd
    _told: Callable[[str, int, moves.Move], Event] = derive(
        lambda self: lru_cache(EVENTS_REMEMBERED)(
            lambda rule, seat, move: Event(
                rule, f"{{{seat}}} {self._describe_move(move)}", about=moves.Decided(seat, move)
            )
        )
    )
    """The event of a seat's move, by a rule; cached for all games."""

    def apply(self, position: Position, move: moves.Move) -> tuple[Position, tuple[Event, ...]]:
        if type(move) is moves.Play:
            return self._play_card(position, move)
        if type(move) is moves.Summon:
            return self._summon(position, move)
        if type(move) is moves.Pass:
            return self._pass(position, move)
        return self._name_plot(position, move) if isinstance(move, moves.Reveal) else self._summon_nobody(position)

    def _describe_move(self, move: moves.Move) -> str:
        if isinstance(move, moves.Summon):
            return f"summons {self.words.write_summon(move.faction, move.region)}"
        if isinstance(move, moves.Play) and move.resolution == NOTHING:
            return f"plays {move.card} without effect"
        return "passes" if isinstance(move, moves.Pass) else f"plays {self.words.write_move(move)}"

    def _name_plot(self, position: Position, move: moves.Reveal) -> tuple[Position, tuple[Event, ...]]:
        text = f"{{{position.to_act}}} names {name_factions(self.end.board, [move.faction])} for {self.end.plot}"
        event = Event(self.end.ids("card.plot"), text, about=moves.Decided(position.actor, move))
        return self._end_turn(position.replace(plot=move.faction, turn=position.turn + 1), (event,))

    @cites("ending.over")
    def settle_position(self, position: Position) -> Position:
        """Set the next decision, or the ending and winners; only in positions that can't be reached do regions change."""
        position = self._drop_late_struggles(position.replace(ending=None, winners=()))
        ending = self.end.find_ending(position)
        if ending:
            return self.end.close(position.replace(decision=None, to_act=None), ending)[0]
        if position.decision == "summon":
            return position
        return self._end_turn(position.replace(decision="play", to_act=position.to_act or 0), ())[0]

    def _drop_late_struggles(self, position: Position) -> Position:
        for number in range(1, len(position.struggles)):
            left = position.struggles[number:]
            discs = tuple([OPEN if region in left else disc for region, disc in enumerate(position.discs)])
            if self.end.is_over_with(discs):
                return position.replace(discs=discs, struggles=position.struggles[:number])
        return position

    @cites("struggle.trigger")
    def _pass(self, position: Position, move: moves.Pass) -> tuple[Position, tuple[Event, ...]]:
        seat, passes = position.actor, position.passes + 1
        event = self._told(self.end.ids("turn.pass"), seat, move)
        after = position.replace(**self._start_next_turn(position, passes))
        if passes < len(position.courts):
            return self._end_turn(after, (event,))
        resolved, struggle = self._resolve_struggle(after)
        return self._end_turn(resolved, (event, *struggle))

    @cites("struggle.next")
    def _resolve_struggle(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Resolve the contested region, and let the follower come whom that brings if the game continues."""
        resolved, struggle = resolve_struggle(position, self.end.board, self.end.ids)
        if position.starter is not None:
            starter = (position.starter + 1) % len(position.courts)
            resolved = resolved.replace(starter=starter, to_act=starter)
        if self.arrivals is None or self.end.find_ending(resolved):
            return resolved, (struggle,)
        arrived, events = self.arrivals.add_arrival(resolved, self.end.board, self.end.ids)
        return arrived, (struggle, *events)

    @cites("turn.action", "turn.discard", "turn.once")
    def _play_card(self, position: Position, move: moves.Play) -> tuple[Position, tuple[Event, ...]]:
        seat = position.actor
        card, hand = self.cards[move.card], position.hands[seat]
        played = card.name if card.name in hand else HIDDEN
        if played in hand:
            at = hand.index(played)
            hand = hand[:at] + hand[at + 1 :]
        this_turn = position.turn + 1
        changed = moves.find_changes(position, move.resolution)
        changed["hands"] = replace_item(position.hands, seat, hand)
        changed["discards"] = replace_item(position.discards, seat, (*position.discards[seat], card.name))
        changed["last_acted"] = replace_item(position.last_acted, seat, this_turn)
        if not hand:
            changed["emptied"] = replace_item(position.emptied, seat, this_turn)
        changed["banned"] = card.ban(move.resolution, seat)
        changed["decision"] = "summon"
        return position.replace(**changed), (self._told(card.rule, seat, move),)

    def _summon(self, position: Position, move: moves.Summon) -> tuple[Position, tuple[Event, ...]]:
        seat, regions, courts = position.actor, position.regions, position.courts
        one = self.end.board.make_single(move.faction)
        after = position.replace(
            regions=replace_item(regions, move.region, subtract_followers(regions[move.region], one)),
            courts=replace_item(courts, seat, add_followers(courts[seat], one)),
            **self._start_next_turn(position, passes=0),
        )
        if position.decision == "summon" or not self.summons.alone:
            return self._end_turn(after, (self._told(self.summons.due, seat, move),))
        text = f"{{{seat}}} {self._describe_move(move)} without playing a card"
        alone = Event(self.summons.alone, text, about=moves.Decided(seat, move))
        return self._end_turn(after.replace(banned=None), (alone,))

    def _summon_nobody(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        chosen = self.summons.optional and self.summons.has_candidates(position)
        text = f"{{{position.actor}}} {'summons nobody' if chosen else 'finds nobody to summon'}"
        rule = self.summons.optional if chosen else self.end.ids("ruling.nobody-to-summon")
        event = Event(rule, text, about=moves.Decided(position.actor, NO_SUMMON))
        return self._end_turn(position.replace(**self._start_next_turn(position, passes=0)), (event,))

    @staticmethod
    @cites("struggle.next")
    def _start_next_turn(position: Position, passes: int) -> moves.Changes:
        """Return the changes that begin the turn of the next seat, after this number of passes in a row."""
        following = (position.actor + 1) % len(position.courts)
        return {"turn": position.turn + 1, "decision": "play", "to_act": following, "passes": passes}

    def _end_turn(self, position: Position, events: tuple[Event, ...]) -> tuple[Position, tuple[Event, ...]]:
        ending = self.end.find_ending(position)
        if ending is None and self._has_actions(position):
            return position, events
        if ending is None and not any(event.line for event in events):
            events += (self._announce_nobody_left(),)
        while ending is None and not self._has_actions(position):
            position, struggle = self._resolve_struggle(position)
            events += struggle
            ending = self.end.find_ending(position)
        if ending is None:  # a follower that has arrived can be summoned
            return position, events
        ended, more = self.end.close(position, ending)
        return ended, (*events, *more)

    def _has_actions(self, position: Position) -> bool:
        plot = self.end.plot
        for hand in position.hands:
            for card in hand:
                if card != plot:
                    return True
        return bool(self.summons.alone) and self.summons.has_candidates(position)

    def _announce_nobody_left(self) -> Event:
        card = "card left that can be played" if self.end.plot else "card left"
        return Event(
            self.end.ids("ruling.empty-hand"), f"Nobody has a {card}: the remaining power struggles are resolved"
        )


Winners = tuple[int, ...]
REMEMBERED = 1 << 16
"""Maximum number of endings, and of winners, in the cache."""


@define(eq=False)
class Finish:
    """The finishes of one game. The attributes are those of `Struggle`; `arrivals` are those of its set-up."""

    board: Board
    arrivals: Arrivals | None
    end: GameEnd
    _overs: dict[tuple[Any, ...], tuple[str, tuple[int, ...], Position]] = field(init=False, factory=dict)
    _winners: dict[tuple[Any, ...], Winners] = field(init=False, factory=dict)

    def spend_last_card(self, position: Position) -> Position:
        """Play the last card in this turn, as far as the position doesn't depend on how it is played."""
        if position.decision == "summon":
            return position
        last_acted, emptied = (
            replace_item(turns, position.actor, position.turn + 1) for turns in (position.last_acted, position.emptied)
        )
        return position.replace(hands=((),) * len(position.courts), last_acted=last_acted, emptied=emptied)

    def list_finishes(
        self, spent: Position, changed: moves.Changes
    ) -> Iterator[tuple[moves.Summon | moves.NoSummon, Winners]]:
        """Yield every summons with its winners after the changes of a card in the position without it (`spent`)."""
        board, seat = self.board, spent.actor
        regions: tuple[Followers, ...] = changed.get("regions", spent.regions)
        track: tuple[int, ...] = changed.get("track", spent.track)
        courts: tuple[Followers, ...] = changed.get("courts", spent.courts)
        order = tuple([region for region in track if spent.discs[region] == OPEN])
        coming = self._find_arrivals(order, regions, changed.get("supply", spent.supply))
        taking_part = tuple(map(add_followers, regions, coming)) if coming else regions
        discs = tuple([find_struggle_outcome(taking_part[region])[0] for region in order])
        larger = [
            replace_item(courts, seat, add_followers(courts[seat], board.make_single(kind)))
            for kind in range(len(board.factions))
        ]
        nobody = True
        for region, group in enumerate(regions):
            for faction in board.courtly:
                if group[faction]:
                    nobody, ends = False, discs
                    if region in order:
                        left = subtract_followers(taking_part[region], board.make_single(faction))
                        ends = replace_item(discs, order.index(region), find_struggle_outcome(left)[0])
                    yield moves.Summon(faction, region), self._find_winners(spent, order, ends, larger[faction])
        if nobody:
            yield NO_SUMMON, self._find_winners(spent, order, discs, courts)

    def _find_arrivals(
        self, order: tuple[int, ...], regions: tuple[Followers, ...], supply: Followers
    ) -> list[Followers] | None:
        """Find the followers who come into each region before its power struggle; None in games without arrivals."""
        board, arrivals = self.board, self.arrivals
        if arrivals is None:
            return None
        coming = [(0,) * len(board.factions)] * len(regions)
        one, stock = board.make_single(arrivals.faction), supply[arrivals.faction]
        for index, region in enumerate(order):
            stock += add_followers(regions[region], coming[region])[arrivals.faction]
            target = arrivals.target[region]
            if stock and target in order[index + 1 :]:
                coming[target] = add_followers(coming[target], one)
                stock -= 1
        return coming

    def _find_winners(
        self, spent: Position, order: tuple[int, ...], ends: tuple[int, ...], courts: tuple[Followers, ...]
    ) -> Winners:
        """Find the winners with these regions in this order and these courts, as ending, ranking and last turns decide."""
        key = spent.discs, spent.struggles, order, ends
        if (known := self._overs.get(key)) is None:
            known = _remember(self._overs, key, self._find_end(spent, order, ends))
        ending, ranked, over = known
        last = ending, ranked, courts, spent.last_acted, spent.emptied
        if (winners := self._winners.get(last)) is None:
            finished = over.replace(courts=courts, last_acted=spent.last_acted, emptied=spent.emptied)
            result = self.end.find_result(finished)
            assert result is not None
            winners = _remember(self._winners, last, result.winners)
        return winners

    def _find_end(
        self, spent: Position, order: tuple[int, ...], ends: tuple[int, ...]
    ) -> tuple[str, tuple[int, ...], Position]:
        discs, struggles = list(spent.discs), list(spent.struggles)
        for region, disc in zip(order, ends, strict=True):
            discs[region] = disc
            struggles.append(region)
            if self.end.is_over_with(discs):
                break
        over = spent.replace(discs=tuple(discs), struggles=tuple(struggles))
        ending = self.end.find_ending(over)
        assert ending is not None
        return ending.name, rank_factions(over, self.board.apart) if ending.ranked else (), over


def _remember(known: dict[tuple[Any, ...], Any], key: tuple[Any, ...], value: Any) -> Any:
    if len(known) >= REMEMBERED:
        known.clear()
    known[key] = value
    return value


@frozen
class LastCard:
    """A rule (local id `rule`) for games of `players` players: the very last card has to win the game."""

    players: int
    rule: str

    def is_held(self, position: Position, card: str) -> bool:
        """Return True if a card is the very last one, in the hand of the seat to act."""
        if len(position.courts) != self.players or position.decision != "play" or position.to_act is None:
            return False
        return sum(map(len, position.hands)) == 1 and card in position.hands[position.to_act]

    def is_spent(self, position: Position) -> bool:
        """Return True if the very last card has been played and the summons after it is still due."""
        return len(position.courts) == self.players and position.decision == "summon" and not any(position.hands)

    @cites("ruling.last-card")
    def make_violation(self, ids: Ids, outcome: str, winning: tuple[object, ...]) -> Violation:
        sentence = f"you may play the very last card only to win outright; {outcome}"
        if winning:
            return Violation(ids(self.rule), sentence, alternatives=winning)
        return Violation(ids(self.rule), sentence, hint="Write `Pass`.", fixes=(Fix("Pass", Scope.LINE),))


@define(eq=False)
class LastCardOutcomes:
    """The ends of a game by all ways to play its very last card and to summon; `position` is before the card or the summons."""

    finish: Finish
    position: Position
    _seat: int = derive(lambda self: self.position.actor)
    _spent: Position = derive(lambda self: self.finish.spend_last_card(self.position))

    def filter_winning(self, resolutions: Iterable[Any]) -> tuple[Any, ...]:
        """Keep the legal resolutions that can win for the seat alone with some summons."""
        return tuple(filter(self.can_win, resolutions))

    def can_win(self, resolution: moves.Resolution) -> bool:
        won = (self._seat,)
        return any(winners == won for _, winners in self.list_finishes_after(resolution))

    def list_finishes_after(
        self, resolution: moves.Resolution
    ) -> Iterator[tuple[moves.Summon | moves.NoSummon, Winners]]:
        return self.finish.list_finishes(self._spent, moves.find_changes(self.position, resolution))

    def list_winning_summonses(self) -> tuple[moves.Summon | moves.NoSummon, ...]:
        won = (self._seat,)
        return tuple(summons for summons, winners in self.finish.list_finishes(self._spent, {}) if winners == won)

    def describe_outcome(self, resolution: moves.Resolution) -> str:
        outcomes = dict.fromkeys(winners for _, winners in self.list_finishes_after(resolution))
        names = ", or ".join(map(_name_winners, outcomes))
        return f"with this {names} would win" + (", with any summons" if len(outcomes) == 1 else "")

    def describe_summons(self, move: moves.Summon | moves.NoSummon) -> str:
        winners = dict(self.finish.list_finishes(self._spent, {})).get(move, ())
        return f"with this summons {_name_winners(winners)} would win"


def _name_winners(winners: Winners) -> str:
    return " and ".join(f"{{{seat}}}" for seat in winners)
