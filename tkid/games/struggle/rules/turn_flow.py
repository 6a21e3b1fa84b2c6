"""Carry a game on from one decision to the next, up to the last card.

Nobody can act any more then: all open regions are resolved at once, and the winner is known. What many positions have in
common is found once: how the regions come out makes a ranking of the factions, and with the courts that makes the winners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from attrs import define, field, frozen

from tkid.games.struggle.rules.board import HIDDEN, OPEN, Board, Followers, Position, minus, plus, put
from tkid.games.struggle.rules.card import Card
from tkid.games.struggle.rules.endings import GameEnd, ranking
from tkid.games.struggle.rules.moves import (
    Changes,
    Move,
    NoSummon,
    Pass,
    Play,
    Resolution,
    Reveal,
    Summon,
    Words,
    changes,
)
from tkid.games.struggle.rules.struggles import NO_SUMMON, Arrivals, Summoning, outcome, resolve
from tkid.kernel.game import Event
from tkid.kernel.ladder import NOTHING
from tkid.kernel.problems import Fix, Scope, Violation
from tkid.rulebook import Ids, cites

EVENTS_REMEMBERED = 1 << 12


@frozen(eq=False)
class TurnFlow:
    """The course of an edition's turns. The attributes are those of `Struggle`; `arrivals` are those of its set-up."""

    cards: Mapping[str, Card]
    arrivals: Arrivals | None
    summons: Summoning
    words: Words
    end: GameEnd
    _told: Callable[[str, int, Move], Event] = field(init=False)
    """The event of a seat's move, by a rule; cached for all games."""

    @_told.default
    def _(self) -> Callable[[str, int, Move], Event]:
        return lru_cache(EVENTS_REMEMBERED)(lambda rule, seat, move: Event(rule, f"{{{seat}}} {self._did(move)}"))

    def apply(self, position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
        """Play a canonical move without checking that it is legal."""
        if type(move) is Play:
            return self._act(position, move)
        if type(move) is Summon:
            return self._summon(position, move)
        if type(move) is Pass:
            return self._pass(position, move)
        return self._name_plot(position, move) if isinstance(move, Reveal) else self._summon_nobody(position)

    def _did(self, move: Move) -> str:
        if isinstance(move, Summon):
            return f"summons {self.words.summon(move.faction, move.region)}"
        if isinstance(move, Play) and move.resolution == NOTHING:
            return f"plays {move.card} without effect"
        return "passes" if isinstance(move, Pass) else f"plays {self.words.write_move(move)}"

    def _name_plot(self, position: Position, move: Reveal) -> tuple[Position, tuple[Event, ...]]:
        text = f"{{{position.to_act}}} names the {self.end.board.factions[move.faction].name} for {self.end.plot}"
        event = Event(self.end.ids("card.plot"), text)
        return self._end_turn(position.replace(plot=move.faction, turn=position.turn + 1), (event,))

    @cites("ending.over")
    def settled(self, position: Position) -> Position:
        """Set what follows from the rest of a position: the next decision, or the ending and the winners.

        A position that can be reached stays as it is. In one that cannot, the game may have been over with fewer regions
        resolved; and if no player can act any more, the others are resolved.
        """
        position = self._when_over(position.replace(ending=None, winners=()))
        ending = self.end.ending(position)
        if ending:
            return self.end.close(position.replace(decision=None, to_act=None), ending)[0]
        if position.decision == "summon":
            return position
        return self._end_turn(position.replace(decision="play", to_act=position.to_act or 0), ())[0]

    def _when_over(self, position: Position) -> Position:
        """Undo the regions that were resolved after the game was over."""
        for number in range(1, len(position.struggles)):
            left = position.struggles[number:]
            discs = tuple([OPEN if region in left else disc for region, disc in enumerate(position.discs)])
            if self.end.comes_at_once(discs):
                return position.replace(discs=discs, struggles=position.struggles[:number])
        return position

    @cites("struggle.trigger")
    def _pass(self, position: Position, move: Pass) -> tuple[Position, tuple[Event, ...]]:
        seat, passes = position.to_act, position.passes + 1
        assert seat is not None
        event = self._told(self.end.ids("turn.pass"), seat, move)
        after = position.replace(**self._next_turn(position, passes))
        if passes < len(position.courts):
            return self._end_turn(after, (event,))
        resolved, struggle = self._resolved(after)
        return self._end_turn(resolved, (event, *struggle))

    @cites("struggle.next")
    def _resolved(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Resolve the contested region, and let the follower come whom that brings if the game continues."""
        resolved, struggle = resolve(position, self.end.board, self.end.ids)
        if position.starter is not None:
            starter = (position.starter + 1) % len(position.courts)
            resolved = resolved.replace(starter=starter, to_act=starter)
        if self.arrivals is None or self.end.ending(resolved):
            return resolved, (struggle,)
        arrived, events = self.arrivals.arrive(resolved, self.end.board, self.end.ids)
        return arrived, (struggle, *events)

    @cites("turn.action", "turn.discard", "turn.once")
    def _act(self, position: Position, move: Play) -> tuple[Position, tuple[Event, ...]]:
        seat = position.to_act
        assert seat is not None
        card, hand = self.cards[move.card], position.hands[seat]
        played = card.name if card.name in hand else HIDDEN
        if played in hand:
            at = hand.index(played)
            hand = hand[:at] + hand[at + 1 :]
        this_turn = position.turn + 1
        changed = changes(position, move.resolution)
        changed["hands"] = put(position.hands, seat, hand)
        changed["discards"] = put(position.discards, seat, (*position.discards[seat], card.name))
        changed["last_acted"] = put(position.last_acted, seat, this_turn)
        if not hand:
            changed["emptied"] = put(position.emptied, seat, this_turn)
        changed["banned"] = card.ban(move.resolution, seat)
        changed["decision"] = "summon"
        return position.replace(**changed), (self._told(card.rule, seat, move),)

    def _summon(self, position: Position, move: Summon) -> tuple[Position, tuple[Event, ...]]:
        seat = position.to_act
        assert seat is not None
        one, regions, courts = self.end.board.one(move.faction), position.regions, position.courts
        after = position.replace(
            regions=put(regions, move.region, minus(regions[move.region], one)),
            courts=put(courts, seat, plus(courts[seat], one)),
            **self._next_turn(position, passes=0),
        )
        if position.decision == "summon" or not self.summons.alone:
            return self._end_turn(after, (self._told(self.summons.due, seat, move),))
        alone = Event(self.summons.alone, f"{{{seat}}} {self._did(move)} without playing a card")
        return self._end_turn(after.replace(banned=None), (alone,))

    def _summon_nobody(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        who = f"{{{position.to_act}}}"
        if self.summons.optional and self.summons.anybody(position):
            event = Event(self.summons.optional, f"{who} summons nobody")
        else:
            event = Event(self.end.ids("ruling.nobody-to-summon"), f"{who} finds nobody to summon")
        return self._end_turn(position.replace(**self._next_turn(position, passes=0)), (event,))

    @staticmethod
    @cites("struggle.next")
    def _next_turn(position: Position, passes: int) -> Changes:
        """Return the changes that begin the turn of the next seat, after this number of passes in a row."""
        assert position.to_act is not None
        following = (position.to_act + 1) % len(position.courts)
        return {"turn": position.turn + 1, "decision": "play", "to_act": following, "passes": passes}

    def _end_turn(self, position: Position, events: tuple[Event, ...]) -> tuple[Position, tuple[Event, ...]]:
        """Resolve the remaining regions when no player can act any more; end the game when it is over."""
        ending = self.end.ending(position)
        if ending is None and self._can_act(position):
            return position, events
        if ending is None and not any(event.line for event in events):
            events += (self._nobody_left(),)
        while ending is None and not self._can_act(position):
            position, struggle = self._resolved(position)
            events += struggle
            ending = self.end.ending(position)
        if ending is None:  # a follower that has arrived can be summoned
            return position, events
        ended, more = self.end.close(position, ending)
        return ended, (*events, *more)

    def _can_act(self, position: Position) -> bool:
        """Return True if some player can do more than pass."""
        plot = self.end.plot
        for hand in position.hands:
            for card in hand:
                if card != plot:
                    return True
        return bool(self.summons.alone) and self.summons.anybody(position)

    def _nobody_left(self) -> Event:
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

    def spent(self, position: Position) -> Position:
        """Play the last card in this turn, as far as the position doesn't depend on how it is played."""
        if position.decision == "summon":
            return position
        seat = position.to_act
        assert seat is not None
        last_acted, emptied = (put(turns, seat, position.turn + 1) for turns in (position.last_acted, position.emptied))
        return position.replace(hands=((),) * len(position.courts), last_acted=last_acted, emptied=emptied)

    def each(self, spent: Position, changed: Changes) -> Iterator[tuple[Summon | NoSummon, Winners]]:
        """Yield every summons after some changes, with the winners.

        Args:
            spent: the position once the card is spent.
            changed: what the card changes in it.
        """
        board, seat = self.board, spent.to_act
        assert seat is not None
        regions: tuple[Followers, ...] = changed.get("regions", spent.regions)
        track: tuple[int, ...] = changed.get("track", spent.track)
        courts: tuple[Followers, ...] = changed.get("courts", spent.courts)
        order = tuple([region for region in track if spent.discs[region] == OPEN])
        coming = self._coming(order, regions, changed.get("supply", spent.supply))
        taking_part = tuple(map(plus, regions, coming)) if coming else regions
        discs = tuple([outcome(taking_part[region])[0] for region in order])
        larger = [put(courts, seat, plus(courts[seat], board.one(kind))) for kind in range(len(board.factions))]
        nobody = True
        for region, group in enumerate(regions):
            for faction in board.courtly:
                if group[faction]:
                    nobody, ends = False, discs
                    if region in order:
                        left = minus(taking_part[region], board.one(faction))
                        ends = put(discs, order.index(region), outcome(left)[0])
                    yield Summon(faction, region), self._found(spent, order, ends, larger[faction])
        if nobody:
            yield NO_SUMMON, self._found(spent, order, discs, courts)

    def _coming(
        self, order: tuple[int, ...], regions: tuple[Followers, ...], supply: Followers
    ) -> list[Followers] | None:
        """Find the followers who come into each region before its power struggle; None in games without arrivals."""
        board, arrivals = self.board, self.arrivals
        if arrivals is None:
            return None
        coming = [(0,) * len(board.factions)] * len(regions)
        one, stock = board.one(arrivals.faction), supply[arrivals.faction]
        for index, region in enumerate(order):
            stock += plus(regions[region], coming[region])[arrivals.faction]
            target = arrivals.target[region]
            if stock and target in order[index + 1 :]:
                coming[target] = plus(coming[target], one)
                stock -= 1
        return coming

    def _found(
        self, spent: Position, order: tuple[int, ...], ends: tuple[int, ...], courts: tuple[Followers, ...]
    ) -> Winners:
        """Find the winners if the regions come out in this way, in this order, with these courts.

        They depend on the ending, the ranking of the factions, the courts, and the turns in which players played cards.
        """
        key = spent.discs, spent.struggles, order, ends
        if (known := self._overs.get(key)) is None:
            known = _remember(self._overs, key, self._over(spent, order, ends))
        ending, ranked, over = known
        last = ending, ranked, courts, spent.last_acted, spent.emptied
        if (winners := self._winners.get(last)) is None:
            finished = over.replace(courts=courts, last_acted=spent.last_acted, emptied=spent.emptied)
            result = self.end.result(finished)
            assert result is not None
            winners = _remember(self._winners, last, result.winners)
        return winners

    def _over(
        self, spent: Position, order: tuple[int, ...], ends: tuple[int, ...]
    ) -> tuple[str, tuple[int, ...], Position]:
        """Return the ending, the ranking of the factions, and the position when the game is over."""
        discs, struggles = list(spent.discs), list(spent.struggles)
        for region, disc in zip(order, ends, strict=True):
            discs[region] = disc
            struggles.append(region)
            if self.end.comes_at_once(discs):
                break
        over = spent.replace(discs=tuple(discs), struggles=tuple(struggles))
        ending = self.end.ending(over)
        assert ending is not None
        return ending.name, ranking(over, self.board.apart) if ending.ranked else (), over


def _remember(known: dict[tuple[Any, ...], Any], key: tuple[Any, ...], value: Any) -> Any:
    """Cache a value; clear a full cache first."""
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
    def violation(self, ids: Ids, outcome: str, winning: tuple[object, ...]) -> Violation:
        """Return the refusal of a last play, or of a summons after it, that doesn't win."""
        sentence = f"you may play the very last card only to win outright; {outcome}"
        if winning:
            return Violation(ids(self.rule), sentence, alternatives=winning)
        return Violation(ids(self.rule), sentence, hint="Write `Pass`.", fixes=(Fix("Pass", Scope.LINE),))


@define(eq=False)
class LastCardOutcomes:
    """The ends of a game for every way to play its very last card and to summon after it.

    `position` is the one before that card is played, or before its summons.
    """

    finish: Finish
    position: Position
    _seat: int = field(init=False)
    _spent: Position = field(init=False)

    @_seat.default
    def _(self) -> int:
        assert self.position.to_act is not None
        return self.position.to_act

    @_spent.default
    def _(self) -> Position:
        return self.finish.spent(self.position)

    def winning(self, resolutions: Iterable[Any]) -> tuple[Any, ...]:
        """Keep the legal resolutions that can win for the seat alone with some summons."""
        return tuple(filter(self.can_win, resolutions))

    def can_win(self, resolution: Resolution) -> bool:
        """Return True if some summons after a resolution makes the seat win alone."""
        won = (self._seat,)
        return any(winners == won for _, winners in self.after(resolution))

    def after(self, resolution: Resolution) -> Iterator[tuple[Summon | NoSummon, Winners]]:
        """Yield every summons after a resolution, with the winners."""
        return self.finish.each(self._spent, changes(self.position, resolution))

    def winning_summons(self) -> tuple[Summon | NoSummon, ...]:
        """List the summonses after the card that make the seat win alone."""
        won = (self._seat,)
        return tuple(summons for summons, winners in self.finish.each(self._spent, {}) if winners == won)

    def in_words(self, resolution: Resolution) -> str:
        """Describe the outcome of a resolution that cannot win."""
        outcomes = dict.fromkeys(winners for _, winners in self.after(resolution))
        names = ", or ".join(map(_named, outcomes))
        return f"with this {names} would win" + (", whoever is summoned" if len(outcomes) == 1 else "")

    def summons_in_words(self, move: Summon | NoSummon) -> str:
        """Describe the outcome of a summons."""
        winners = dict(self.finish.each(self._spent, {})).get(move, ())
        return f"with this summons {_named(winners)} would win"


def _named(winners: Winners) -> str:
    return " and ".join(f"{{{seat}}}" for seat in winners)
