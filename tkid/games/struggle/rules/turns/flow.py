"""The flow of turns: what follows a legal move, up to the next decision or the end of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from attrs import field, frozen

from tkid.games.struggle.rules.board import OPEN, minus, plus
from tkid.games.struggle.rules.cards.card import Card
from tkid.games.struggle.rules.effects import Changes, changes
from tkid.games.struggle.rules.endings.game_end import GameEnd
from tkid.games.struggle.rules.moves import Move, Pass, Play, Reveal, Summon
from tkid.games.struggle.rules.position import HIDDEN, Position, put
from tkid.games.struggle.rules.turns.arrivals import Arrivals
from tkid.games.struggle.rules.turns.struggles import resolve
from tkid.games.struggle.rules.turns.summoning import Summoning
from tkid.games.struggle.rules.words import Words
from tkid.kernel.game import Event
from tkid.kernel.ladder import NOTHING
from tkid.rulebook import cites

EVENTS_REMEMBERED = 1 << 12


@frozen(eq=False)
class TurnFlow:
    """How the turns of an edition go. The attributes are those of `Struggle`; `arrivals` are those of its set-up."""

    cards: Mapping[str, Card]
    arrivals: Arrivals | None
    summons: Summoning
    words: Words
    end: GameEnd
    _told: Callable[[str, int, Move], Event] = field(init=False)
    """What a seat did, by a rule, in words; said once for all games."""

    @_told.default
    def _(self) -> Callable[[str, int, Move], Event]:
        return lru_cache(EVENTS_REMEMBERED)(lambda rule, seat, move: Event(rule, f"{{{seat}}} {self._did(move)}"))

    def apply(self, position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
        """What a move leads to, without asking whether it is legal; canonical moves only."""
        if type(move) is Play:
            return self._act(position, move)
        if type(move) is Summon:
            return self._summon(position, move)
        if type(move) is Pass:
            return self._pass(position, move)
        return self._name_plot(position, move) if isinstance(move, Reveal) else self._summon_nobody(position)

    def _did(self, move: Move) -> str:
        """What was done, in words."""
        if isinstance(move, Summon):
            return f"summons {self.words.summon(move.faction, move.region)}"
        if isinstance(move, Play) and move.resolution == NOTHING:
            return f"plays {move.card} without effect"
        return "passes" if isinstance(move, Pass) else f"plays {self.words.move(move)}"

    def _name_plot(self, position: Position, move: Reveal) -> tuple[Position, tuple[Event, ...]]:
        text = f"{{{position.to_act}}} names the {self.end.board.factions[move.faction].name} for {self.end.plot}"
        event = Event(self.end.ids("card.plot"), text)
        return self._end_turn(position.but(plot=move.faction, turn=position.turn + 1), (event,))

    @cites("ending.over")
    def settled(self, position: Position) -> Position:
        """The position with what follows from the rest: the next decision, or the ending and the winners.

        A position that can be reached stays as it is. In one that cannot, the game may have been over with fewer regions
        resolved; and where nobody can act any more, the others are resolved.
        """
        position = self._when_over(position.but(ending=None, winners=()))
        ending = self.end.ending(position)
        if ending:
            return self.end.close(position.but(decision=None, to_act=None), ending)[0]
        if position.decision == "summon":
            return position
        return self._end_turn(position.but(decision="play", to_act=position.to_act or 0), ())[0]

    def _when_over(self, position: Position) -> Position:
        """The position without the regions that were resolved after the game was over."""
        for number in range(1, len(position.struggles)):
            left = position.struggles[number:]
            discs = tuple([OPEN if region in left else disc for region, disc in enumerate(position.discs)])
            if self.end.comes_at_once(discs):
                return position.but(discs=discs, struggles=position.struggles[:number])
        return position

    @cites("struggle.trigger")
    def _pass(self, position: Position, move: Pass) -> tuple[Position, tuple[Event, ...]]:
        seat, passes = position.to_act, position.passes + 1
        assert seat is not None
        event = self._told(self.end.ids("turn.pass"), seat, move)
        after = position.but(**self._next_turn(position, passes))
        if passes < len(position.courts):
            return self._end_turn(after, (event,))
        resolved, struggle = self._resolved(after)
        return self._end_turn(resolved, (event, *struggle))

    @cites("struggle.next")
    def _resolved(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """The position after the power struggle in the contested region, and who comes after it if the game goes on."""
        resolved, struggle = resolve(position, self.end.board, self.end.ids)
        if position.starter is not None:
            starter = (position.starter + 1) % len(position.courts)
            resolved = resolved.but(starter=starter, to_act=starter)
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
        return position.but(**changed), (self._told(card.rule, seat, move),)

    def _summon(self, position: Position, move: Summon) -> tuple[Position, tuple[Event, ...]]:
        seat = position.to_act
        assert seat is not None
        one, regions, courts = self.end.board.one(move.faction), position.regions, position.courts
        after = position.but(
            regions=put(regions, move.region, minus(regions[move.region], one)),
            courts=put(courts, seat, plus(courts[seat], one)),
            **self._next_turn(position, passes=0),
        )
        if position.decision == "summon" or not self.summons.alone:
            return self._end_turn(after, (self._told(self.summons.due, seat, move),))
        alone = Event(self.summons.alone, f"{{{seat}}} {self._did(move)} without playing a card")
        return self._end_turn(after.but(banned=None), (alone,))

    def _summon_nobody(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        who = f"{{{position.to_act}}}"
        if self.summons.optional and self.summons.anybody(position):
            event = Event(self.summons.optional, f"{who} summons nobody")
        else:
            event = Event(self.end.ids("ruling.nobody-to-summon"), f"{who} finds nobody to summon")
        return self._end_turn(position.but(**self._next_turn(position, passes=0)), (event,))

    @staticmethod
    @cites("struggle.next")
    def _next_turn(position: Position, passes: int) -> Changes:
        """What is different in any position at the turn of the next seat, after so many passes in a row."""
        assert position.to_act is not None
        following = (position.to_act + 1) % len(position.courts)
        return {"turn": position.turn + 1, "decision": "play", "to_act": following, "passes": passes}

    def _end_turn(self, position: Position, events: tuple[Event, ...]) -> tuple[Position, tuple[Event, ...]]:
        """Resolve what is left when nobody can act any more; end the game when it is over."""
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
        """Whether anybody can do anything but pass."""
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
