"""The family's game: `Struggle`, a value composed of the parts in which editions differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

from attrs import field, frozen

from tkid.games.struggle import contest
from tkid.games.struggle.board import OPEN, UNSTABLE, Board, minus, plus
from tkid.games.struggle.cards import Card
from tkid.games.struggle.effects import changes
from tkid.games.struggle.endings import Ending
from tkid.games.struggle.moves import Move, NoSummon, Pass, Play, Summon
from tkid.games.struggle.position import Position, put
from tkid.games.struggle.setup import Deal, Setup, draw, faults
from tkid.games.struggle.summoning import summoning
from tkid.games.struggle.views import View, view
from tkid.games.struggle.words import Words
from tkid.kernel.chance import Chance
from tkid.kernel.game import Event, Result, Table
from tkid.kernel.ladder import NOTHING, Ladder
from tkid.kernel.options import Each, Options
from tkid.kernel.problems import Violation
from tkid.rulebook import Ids, cites

PASS = Pass()
NO_SUMMON = NoSummon()


class IllegalMoveError(ValueError):
    """A program played a move without asking whether it is legal."""


@frozen(eq=False)
class Struggle:
    """One edition of The King is Dead.

    `code` is its name as a ruleset, `ids` its family of rules. `hand` are the cards everybody starts with,
    `cards` all that can be played, by name. `parties` gives for each number of players who wins together;
    `invaders` is how many instability discs end the game. `open_hands` is true where hands are no secret; `readings`
    are the options taken of the rulings that have a switch.
    """

    code: str
    ids: Ids
    board: Board
    setup: Setup
    hand: tuple[str, ...]
    cards: Mapping[str, Card]
    parties: Mapping[int, tuple[tuple[int, ...], ...]]
    invaders: int
    coronation: Ending
    invasion: Ending
    open_hands: bool
    readings: Mapping[str, str]
    words: Words = field(init=False)
    summons: Ladder[Position, Summon] = field(init=False)

    @words.default
    def _(self) -> Words:
        return Words(self.board)

    @summons.default
    def _(self) -> Ladder[Position, Summon]:
        return summoning(self.board, self.ids)

    # -- before the game ----------------------------------------------------------------------------------

    def table(self, names: tuple[str, ...]) -> Table:
        """The table at which these players sit, in turn order."""
        return Table(names, self.parties[len(names)])

    def deal(self, players: int, entropy: bytes) -> Deal:
        """Draw a set-up from entropy."""
        return draw(self.setup, self.board, self.hand, players, Chance(entropy))

    def faults(self, deal: Deal) -> tuple[Violation, ...]:
        """What in a written set-up is not as the rules ask."""
        return tuple(faults(self.setup, self.board, self.ids, self.hand, deal))

    @cites("setup.discs", "setup.first")
    def start(self, table: Table, deal: Deal) -> Position:
        """The first position."""
        players = len(table.names)
        return Position(
            regions=deal.regions,
            discs=(OPEN,) * len(self.board.regions),
            supply=deal.supply,
            track=deal.track,
            negotiated=frozenset(),
            struggles=(),
            courts=deal.courts,
            hands=deal.hands,
            discards=((),) * players,
            negotiation_discs=(self.setup.negotiation_discs,) * players,
            last_acted=(None,) * players,
            emptied=(None,) * players,
            passes=0,
            banned=None,
            decision="play",
            to_act=deal.first,
        )

    # -- deciding -----------------------------------------------------------------------------------------

    def to_act(self, position: Position) -> int | None:
        """The seat that decides next; None when the game is over."""
        return position.to_act

    def legal(self, position: Position) -> Options[Move]:
        """Every legal move of the seat to act."""

        def admits(move: object) -> bool:
            return isinstance(move, Pass | Play | Summon | NoSummon) and not self.check(position, move)

        if position.decision == "summon":
            summons = self.summons.options(position)
            return Options([(NO_SUMMON,) if NOTHING in summons else summons], admits)  # type: ignore[list-item]
        if position.decision is None or position.to_act is None:
            return Options([], admits)
        held = dict.fromkeys(position.hands[position.to_act])
        plays = (Each(partial(Play, card), self.cards[card].ladder.options(position)) for card in held)
        return Options([(PASS,), *plays], admits)

    def canonical(self, position: Position, move: Move) -> Move:
        """The same move in the one form that is written down."""
        if not isinstance(move, Play) or move.card not in self.cards:
            return move
        resolution = self.cards[move.card].canonical(position, move.resolution)
        return move if resolution is move.resolution else Play(move.card, resolution)

    def check(self, position: Position, move: Move) -> tuple[Violation, ...]:
        """Every rule that a move by the seat to act would break."""
        ids = self.ids
        if position.decision is None or position.to_act is None:
            return (Violation(ids("ending.over"), f"The game is over ({position.ending})"),)
        if isinstance(move, Summon | NoSummon):
            if position.decision != "summon":
                return (Violation(ids("summon.after-action"), "A follower is summoned only after an action"),)
            return self.summons.check(position, move if isinstance(move, Summon) else NOTHING)
        if position.decision == "summon":
            return (
                Violation(ids("summon.must"), "The action is taken: a follower has to be summoned before another turn"),
            )
        if isinstance(move, Pass):
            return ()
        hand = position.hands[position.to_act]
        card = self.cards[move.card]
        missing = () if card.name in hand else (self._not_in_hand(position, card),)
        return missing + card.ladder.check(position, card.canonical(position, move.resolution))

    def _not_in_hand(self, position: Position, card: Card) -> Violation:
        assert position.to_act is not None
        counts = Counter(position.hands[position.to_act])
        held = ", ".join(f"{name} ({n})" if n > 1 else name for name, n in counts.items()) or "no card"
        return Violation(
            self.ids("turn.hand"),
            f"{{{position.to_act}}} holds no {card.name} (any more)",
            "card",
            hint=f"In hand: {held}",
        )

    # -- playing ------------------------------------------------------------------------------------------

    def play(self, position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
        """The position after a legal move, and what followed. Raises IllegalMoveError for an illegal one."""
        violations = self.check(position, move)
        if violations:
            raise IllegalMoveError("; ".join(f"{v.sentence} [{v.rule}]" for v in violations))
        return self.stand(position, move)

    def stand(self, position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
        """What a move leads to, without asking whether it is legal; canonical moves only."""
        match move:
            case Pass():
                return self._pass(position)
            case Play():
                return self._act(position, move)
            case Summon():
                return self._summon(position, move)
            case NoSummon():
                assert position.to_act is not None
                event = Event(self.ids("ruling.nobody-to-summon"), f"{{{position.to_act}}} finds nobody to summon")
                return self._end_turn(self._handed_on(position, passes=0), (event,))

    @cites("struggle.trigger")
    def _pass(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        passes = position.passes + 1
        event = Event(self.ids("turn.pass"), f"{{{position.to_act}}} passes")
        after = self._handed_on(position, passes=passes)
        if passes < len(position.courts):
            return self._end_turn(after, (event,))
        resolved, struggle = contest.resolve(after, self.board, self.ids)
        return self._end_turn(resolved, (event, struggle))

    @cites("turn.action", "turn.discard", "turn.once")
    def _act(self, position: Position, move: Play) -> tuple[Position, tuple[Event, ...]]:
        seat = position.to_act
        assert seat is not None
        card = self.cards[move.card]
        hand = list(position.hands[seat])
        if card.name in hand:
            hand.remove(card.name)
        this_turn = position.turn + 1
        changed = changes(position, move.resolution)
        changed["hands"] = _at(position.hands, seat, tuple(hand))
        changed["discards"] = _at(position.discards, seat, (*position.discards[seat], card.name))
        changed["last_acted"] = _at(position.last_acted, seat, this_turn)
        if not hand:
            changed["emptied"] = _at(position.emptied, seat, this_turn)
        changed["banned"] = card.ban(move.resolution, seat)
        changed["decision"] = "summon"
        text = f"{{{seat}}} plays {self.words.move(move)}"
        return position.but(**changed), (Event(card.rule, text),)

    def _summon(self, position: Position, move: Summon) -> tuple[Position, tuple[Event, ...]]:
        seat = position.to_act
        assert seat is not None
        one = self.board.one(move.faction)
        after = self._handed_on(
            position,
            regions=put(position.regions, move.region, minus(position.regions[move.region], one)),
            courts=put(position.courts, seat, plus(position.courts[seat], one)),
            passes=0,
        )
        text = f"{{{seat}}} summons {self.words.summon(move.faction, move.region)}"
        return self._end_turn(after, (Event(self.ids("summon.must"), text),))

    @cites("struggle.next")
    def _handed_on(self, position: Position, **changes: object) -> Position:
        """The position with some changes, and the turn with the next seat."""
        assert position.to_act is not None
        following = (position.to_act + 1) % len(position.courts)
        return position.but(turn=position.turn + 1, decision="play", to_act=following, **changes)

    def _end_turn(self, position: Position, events: tuple[Event, ...]) -> tuple[Position, tuple[Event, ...]]:
        """Resolve what is left when nobody can act any more; end the game when it is over."""
        while not (ending := self._ending(position)) and not any(position.hands):
            position, struggle = contest.resolve(position, self.board, self.ids)
            events += (struggle,) if events[-1].line else (self._nobody_left(), struggle)
        if not ending:
            return position, events
        result = ending.decide(position, self.board, self.parties[len(position.courts)])
        winners = " and ".join(f"{{{seat}}}" for seat in result.winners)
        told = f"{ending.name.capitalize()}: {winners}"
        over = Event(ending.rule, f"{told} {'win' if len(result.winners) > 1 else 'wins'}", told)
        steps = tuple(Event(step.rule, step.text) for step in result.chain)
        ended = position.but(decision=None, to_act=None, ending=ending.name, winners=result.winners)
        return ended, (*events, *steps, over)

    def _nobody_left(self) -> Event:
        return Event(
            self.ids("ruling.empty-hand"), "Nobody has a card left: the remaining power struggles are resolved"
        )

    @cites("ending.trigger", "ruling.third-disc")
    def _ending(self, position: Position) -> Ending | None:
        """The ending that a position has reached: the invasion comes first."""
        if position.discs.count(UNSTABLE) >= self.invaders:
            return self.invasion
        return None if OPEN in position.discs else self.coronation

    # -- knowing ------------------------------------------------------------------------------------------

    def view(self, position: Position, seat: int | None) -> View:
        """What a seat may know; None asks for a spectator."""
        return view(position, seat, open_hands=self.open_hands)

    def result(self, position: Position) -> Result | None:
        """How a finished game ended: computed from the position, whatever it says of its winners."""
        ending = self._ending(position)
        return ending.decide(position, self.board, self.parties[len(position.courts)]) if ending else None


def _at(items: tuple[object, ...], index: int, value: object) -> tuple[object, ...]:
    return (*items[:index], value, *items[index + 1 :])


Builder = Callable[[Mapping[str, str]], Struggle]
"""Makes an edition under a choice of readings: ruling id -> option."""
