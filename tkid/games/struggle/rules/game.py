"""The family's game: `Struggle`, a value composed of the parts in which editions differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar

from attrs import evolve, field, frozen

from tkid.games.struggle.rules import contest
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Board, minus, plus
from tkid.games.struggle.rules.cards import Card
from tkid.games.struggle.rules.effects import changes
from tkid.games.struggle.rules.endings import Ending
from tkid.games.struggle.rules.last_card import Fates, LastCard
from tkid.games.struggle.rules.moves import Move, NoSummon, Pass, Play, Resolution, Reveal, Summon
from tkid.games.struggle.rules.position import HIDDEN, Position, put
from tkid.games.struggle.rules.setup import Deal, Hands, Setup, draw, faults
from tkid.games.struggle.rules.summoning import Summoning, summoning
from tkid.games.struggle.rules.views import View, view
from tkid.games.struggle.rules.words import Words
from tkid.kernel.chance import Chance
from tkid.kernel.game import NOBODY, Event, IllegalMoveError, Result, Step, Table
from tkid.kernel.ladder import NOTHING, nearest
from tkid.kernel.options import Each, Options
from tkid.kernel.problems import Violation
from tkid.rulebook import Ids, cites

FATES_REMEMBERED = 16
"""For so many positions before or after a very last card its outcomes are remembered."""

PASS = Pass()


@frozen(eq=False)
class Struggle:
    """One edition of The King is Dead.

    `code` is its name as a ruleset, `ids` its family of rules. `hands` tells what everybody starts with, `cards` are
    all there are, by name; `absent` are cards of the same edition that are not in this game, with the rule (local
    id) that says so. `parties` gives for each number of players who wins together; `invaders` is how many instability
    discs end the game. `readings` are the options taken of the rulings that have a switch. `usurpation` is the ending
    that comes when a faction which stands apart wins a power struggle; `last_card` restricts the very last card; with
    `own_pile` players may look through their own discard piles. `summons` tells when
    followers are summoned. Where `rotating`, the start player moves on by one seat with each power struggle; elsewhere the
    turn passes on as usual.
    """

    family: ClassVar[str] = "struggle"
    code: str
    ids: Ids
    board: Board
    setup: Setup
    hands: Hands
    cards: Mapping[str, Card]
    absent: Mapping[str, str]
    parties: Mapping[int, tuple[tuple[int, ...], ...]]
    invaders: int
    coronation: Ending
    invasion: Ending
    readings: Mapping[str, str]
    usurpation: Ending | None = None
    last_card: LastCard | None = None
    own_pile: bool = True
    summons: Summoning = field()
    rotating: bool = False
    plot: str = field(init=False)
    words: Words = field(init=False)
    _fates: Callable[[Position], Fates] = field(init=False)

    @plot.default
    def _(self) -> str:
        """The card that is revealed at the end, "" where there is none."""
        return next((card.name for card in self.cards.values() if card.form == "reveal"), "")

    @words.default
    def _(self) -> Words:
        return Words(self.board)

    @summons.default
    def _(self) -> Summoning:
        return summoning(self.board, self.ids)

    @_fates.default
    def _(self) -> Callable[[Position], Fates]:
        return lru_cache(FATES_REMEMBERED)(partial(Fates, self))

    @property
    def endings(self) -> tuple[Ending, ...]:
        """Every way in which the game can end."""
        return (self.coronation, self.invasion, *([self.usurpation] if self.usurpation else []))

    @property
    def secret(self) -> bool:
        """Whether anything is dealt that not everybody may know."""
        return self.hands.secret

    @property
    def names_players(self) -> bool:
        """Whether a turn may name players, because a card copies theirs."""
        return any(card.form == "copy" for card in self.cards.values())

    # -- before the game ----------------------------------------------------------------------------------

    def table(self, names: tuple[str, ...]) -> Table:
        """The table at which these players sit, in turn order."""
        return Table(names, self.parties[len(names)])

    def deal(self, players: int, entropy: bytes) -> Deal:
        """Draw a set-up from entropy."""
        return draw(self.setup, self.board, self.hands, players, Chance(entropy))

    def faults(self, deal: Deal) -> tuple[Violation, ...]:
        """What in a written set-up is not as the rules ask."""
        return tuple(faults(self.setup, self.board, self.ids, self.hands, deal))

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
            starter=deal.first if self.rotating else None,
        )

    # -- deciding -----------------------------------------------------------------------------------------

    def to_act(self, position: Position) -> int | None:
        """The seat that decides next; None when the game is over."""
        return position.to_act

    def goes_on(self, position: Position) -> bool:
        """Whether a follower has to be summoned yet in the turn that has begun."""
        return position.decision == "summon"

    def legal(self, position: Position) -> Options[Move]:
        """Every legal move of the seat to act."""

        def admits(move: object) -> bool:
            return isinstance(move, Pass | Play | Summon | NoSummon | Reveal) and not self.check(position, move)

        if position.decision == "summon":
            allowed = self._allowed(position)
            return Options([allowed] if allowed else self.summons.after_action(position), admits)
        if position.decision is None or position.to_act is None:
            return Options([], admits)
        if position.decision == "plot":
            return Options([tuple(Reveal(self.plot, kind) for kind in range(len(self.board.factions)))], admits)
        held = self.held(position, position.to_act)
        plays = (Each(partial(Play, card), self.options(position, card)) for card in held)
        return Options([(PASS,), *plays, self.summons.without_action(position)], admits)

    def options(self, position: Position, card: str) -> Options[Any]:
        """The legal resolutions of a card for the seat to act, whether it holds the card or not."""
        options: Options[Any] = self.cards[card].ladder.options(position)
        if self.last_card is None or not self.last_card.is_held(position, card):
            return options
        winning = self._fates(position).winning(options)
        return Options([winning], lambda item: item in winning)

    def not_played(self, position: Position, card: str) -> Violation:
        """Why a card has no legal resolution at all."""
        last = self.last_card
        if last is not None and last.is_held(position, card) and self.cards[card].ladder.options(position):
            return last.violation(self.ids, "no way to play it does", ())
        (broken, *_) = self.cards[card].ladder.check(position, NOTHING)
        return broken

    def _allowed(self, position: Position) -> tuple[Summon | NoSummon, ...]:
        """The summonses that the rule of the last card leaves; () where it does not speak."""
        if self.last_card is None or not self.last_card.is_spent(position):
            return ()
        return self._fates(position).winning_summons()

    def held(self, position: Position, seat: int) -> tuple[str, ...]:
        """The different cards that a seat holds; where some are hidden, all that it may hold."""
        hand = position.hands[seat]
        if HIDDEN not in hand:
            return tuple(dict.fromkeys(hand))
        return tuple(card for card in self.cards if self.may_hold(position, seat, card))

    def may_hold(self, position: Position, seat: int, card: str) -> bool:
        """Whether a seat holds a card, or may hold it as far as hidden cards allow."""
        hand = position.hands[seat]
        if card in hand or HIDDEN not in hand:
            return card in hand
        known = [(*position.hands[s], *position.discards[s]) for s in position.seats]
        return self.hands.may_hold(card, known[seat], [c for s in position.seats if s != seat for c in known[s]])

    def canonical(self, position: Position, move: Move) -> Move:
        """The same move in the one form that is written down."""
        if not isinstance(move, Play) or move.card not in self.cards:
            return move
        resolution = self.cards[move.card].canonical(position, move.resolution)
        return move if resolution is move.resolution else Play(move.card, resolution)

    def check(self, position: Position, move: Move) -> tuple[Violation, ...]:
        """Every rule that a move by the seat to act would break."""
        if position.decision is None or position.to_act is None:
            return (Violation(self.ids("ending.over"), f"The game is over ({position.ending})"),)
        out_of_place = self._out_of_place(position, move)
        if out_of_place:
            return out_of_place
        if isinstance(move, Summon | NoSummon):
            return self.summons.check(position, move) or self._refuse_summons(position, move)
        if isinstance(move, Pass | Reveal):
            return ()
        card = self.cards[move.card]
        missing = () if self.may_hold(position, position.to_act, card.name) else (self._not_in_hand(position, card),)
        resolution = card.canonical(position, move.resolution)
        return missing + card.ladder.check(position, resolution) or self._refuse_last(position, card, resolution)

    def _refuse_last(self, position: Position, card: Card, resolution: Resolution) -> tuple[Violation, ...]:
        """Why the very last card may not be played in this way, if it may not."""
        if self.last_card is None or not self.last_card.is_held(position, card.name):
            return ()
        fates = self._fates(position)
        if fates.can_win(resolution):
            return ()
        winning = nearest(resolution, fates.winning(card.ladder.options(position)))
        return (self.last_card.violation(self.ids, fates.told(resolution), winning),)

    def _refuse_summons(self, position: Position, move: Summon | NoSummon) -> tuple[Violation, ...]:
        """Why a summons after the very last card is not allowed, if it is not; where none would win, any is."""
        allowed = self._allowed(position)
        if self.last_card is None or not allowed or move in allowed:
            return ()
        told = self._fates(position).told_of(move)
        return (self.last_card.violation(self.ids, told, nearest(move, allowed)),)

    def _out_of_place(self, position: Position, move: Move) -> tuple[Violation, ...]:
        """Why a move is of another kind than the decision that is due."""
        ids, decision = self.ids, position.decision
        if decision == "plot" and not isinstance(move, Reveal):
            told = f"The game is over but for {self.plot}: {{{position.to_act}}} names the faction that it counts for"
            return (Violation(ids("card.plot.name"), told, alternatives=tuple(self.legal(position))),)
        if isinstance(move, Reveal) and decision != "plot":
            return self.cards[move.card].ladder.check(position, move)
        if isinstance(move, NoSummon) and decision != "summon" and self.summons.alone:
            told = "`no summon` stands behind a card: a turn without a card and without a summons is a pass"
            return (Violation(ids("summon.after-action"), told, hint="Write `Pass`."),)
        if isinstance(move, Summon | NoSummon) and decision != "summon" and not self.summons.alone:
            return (Violation(ids("summon.after-action"), "A follower is summoned only after an action"),)
        if decision == "summon" and not isinstance(move, Summon | NoSummon):
            first = (
                "it has to be said whether a follower is summoned"
                if self.summons.optional
                else "a follower has to be summoned"
            )
            return (Violation(self.summons.due, f"The action is taken: {first} before another turn"),)
        return ()

    def _not_in_hand(self, position: Position, card: Card) -> Violation:
        assert position.to_act is not None
        counts = Counter(position.hands[position.to_act])
        hidden = counts.pop(HIDDEN, 0)
        held = [f"{name} ({n})" if n > 1 else name for name, n in counts.items()]
        held += [f"{hidden} that are not known here"] if hidden else []
        cannot = "cannot hold" if hidden else "holds no"
        told = f"{{{position.to_act}}} {cannot} {card.name}{'' if hidden else ' (any more)'}"
        return Violation(self.ids("turn.hand"), told, "card", hint=f"In hand: {', '.join(held) or 'no card'}")

    # -- playing ------------------------------------------------------------------------------------------

    def play(self, position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
        """The position after a legal move, and what followed. Raises IllegalMoveError for an illegal one."""
        violations = self.check(position, move)
        if violations:
            raise IllegalMoveError(violations)
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
            case Reveal(_, faction):
                named_for = f"{{{position.to_act}}} names the {self.board.factions[faction].name} for {self.plot}"
                event = Event(self.ids("card.plot"), named_for)
                named = position.but(plot=faction, turn=position.turn + 1)
                return self._end_turn(named, (event,))
            case NoSummon():
                return self._summon_nobody(position)

    @cites("struggle.trigger")
    def _pass(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        passes = position.passes + 1
        event = Event(self.ids("turn.pass"), f"{{{position.to_act}}} passes")
        after = self._handed_on(position, passes=passes)
        if passes < len(position.courts):
            return self._end_turn(after, (event,))
        resolved, struggle = self._resolved(after)
        return self._end_turn(resolved, (event, *struggle))

    @cites("struggle.next")
    def _resolved(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """The position after the power struggle in the contested region, and who comes after it if the game goes on."""
        resolved, struggle = contest.resolve(position, self.board, self.ids)
        if position.starter is not None:
            starter = (position.starter + 1) % len(position.courts)
            resolved = resolved.but(starter=starter, to_act=starter)
        arrivals = self.setup.arrivals
        if arrivals is None or self.ending(resolved):
            return resolved, (struggle,)
        arrived, events = arrivals.arrive(resolved, self.board, self.ids)
        return arrived, (struggle, *events)

    @cites("turn.action", "turn.discard", "turn.once")
    def _act(self, position: Position, move: Play) -> tuple[Position, tuple[Event, ...]]:
        seat = position.to_act
        assert seat is not None
        card = self.cards[move.card]
        hand = list(position.hands[seat])
        if card.name in hand or HIDDEN in hand:
            hand.remove(card.name if card.name in hand else HIDDEN)
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
        if position.decision == "summon" or not self.summons.alone:
            return self._end_turn(after, (Event(self.summons.due, text),))
        return self._end_turn(after.but(banned=None), (Event(self.summons.alone, f"{text} without playing a card"),))

    def _summon_nobody(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        if self.summons.optional and self.summons.anybody(position):
            event = Event(self.summons.optional, f"{{{position.to_act}}} summons nobody")
        else:
            event = Event(self.ids("ruling.nobody-to-summon"), f"{{{position.to_act}}} finds nobody to summon")
        return self._end_turn(self._handed_on(position, passes=0), (event,))

    @cites("struggle.next")
    def _handed_on(self, position: Position, **changes: object) -> Position:
        """The position with some changes, and the turn with the next seat."""
        assert position.to_act is not None
        following = (position.to_act + 1) % len(position.courts)
        return position.but(turn=position.turn + 1, decision="play", to_act=following, **changes)

    def _end_turn(self, position: Position, events: tuple[Event, ...]) -> tuple[Position, tuple[Event, ...]]:
        """Resolve what is left when nobody can act any more; end the game when it is over."""
        announced = any(event.line for event in events)
        while not (ending := self.ending(position)) and not self._can_act(position):
            position, struggle = self._resolved(position)
            events += struggle if announced else (self._nobody_left(), *struggle)
            announced = True
        if not ending:
            return position, events
        plotter = self._plotter(position, ending)
        if plotter is not None and position.plot is None:
            result = self._whatever_plot_is(position, ending, plotter)
            line = f"{self.plot}: {{{plotter}}}"
            events = (*events, Event(self.ids("card.plot"), f"{{{plotter}}} reveals {self.plot}", line))
            if result is None:
                return position.but(decision="plot", to_act=plotter), events
        else:
            result = self._decided(position, ending, plotter)
        winners = " and ".join(f"{{{seat}}}" for seat in result.winners) or NOBODY
        told = f"{ending.name.capitalize()}: {winners}"
        over = Event(ending.rule, f"{told} {'win' if len(result.winners) > 1 else 'wins'}", told)
        steps = tuple(Event(step.rule, step.text) for step in result.chain)
        ended = position.but(decision=None, to_act=None, ending=ending.name, winners=result.winners)
        return ended, (*events, *steps, over)

    def _can_act(self, position: Position) -> bool:
        """Whether anybody can do anything but pass."""
        held = any(card != self.plot for hand in position.hands for card in hand) if self.plot else any(position.hands)
        return held or (bool(self.summons.alone) and self.summons.anybody(position))

    def only_passes(self, position: Position) -> bool:
        """Whether the seat to act can do nothing but pass, as everybody knows: its hand is empty, and none can be summoned."""
        if position.decision != "play" or position.to_act is None or position.hands[position.to_act]:
            return False
        return not self.summons.without_action(position)

    def knowing_plot(self, position: Position, seat: int) -> Position:
        """The position with a hidden card of a seat known to be Plot, where it may be that."""
        hand = position.hands[seat]
        if self.plot in hand or not self.may_hold(position, seat, self.plot):
            return position
        known = list(hand)
        known[known.index(HIDDEN)] = self.plot
        return position.but(hands=_at(position.hands, seat, tuple(known)))

    def _plotter(self, position: Position, ending: Ending) -> int | None:
        """The seat that is known to hold Plot, where that counts for the winner."""
        if not self.plot or not ending.won:
            return None
        return next((seat for seat in position.seats if self.plot in position.hands[seat]), None)

    def _decided(self, position: Position, ending: Ending, plotter: int | None) -> Result:
        """The result; with Plot named, the first step says what it counts as."""
        result = ending.decide(position, self.board, self.parties[len(position.courts)], plotter)
        if position.plot is None or plotter is None:
            return result
        return self._with_plot(result, self.ids("card.plot"), plotter, position.plot)

    def _with_plot(self, result: Result, rule: str, plotter: int, faction: int, why: str = "") -> Result:
        """A result whose first step says what Plot counts as."""
        told = f"{{{plotter}}}'s {self.plot} counts as a {self.board.factions[faction].name} follower{why}"
        return evolve(result, chain=(Step(rule, told), *result.chain))

    @cites("ruling.plot")
    def _whatever_plot_is(self, position: Position, ending: Ending, plotter: int) -> Result | None:
        """The result where it is the same whichever faction Plot counts for; else None."""
        kinds = range(len(self.board.factions))
        winners = {self._decided(position.but(plot=faction), ending, plotter).winners for faction in kinds}
        if len(winners) > 1:
            return None
        parties = self.parties[len(position.courts)]
        as_read = ending.plot_as_read(position, parties, plotter)
        result = ending.decide(position.but(plot=as_read), self.board, parties, plotter)
        why = "; with any other faction the same would win"
        return self._with_plot(result, self.ids("ruling.plot"), plotter, as_read, why)

    def _nobody_left(self) -> Event:
        left = "card left that can be played" if self.plot else "card left"
        told = f"Nobody has a {left}: the remaining power struggles are resolved"
        return Event(self.ids("ruling.empty-hand"), told)

    @cites("ending.trigger", "ruling.third-disc")
    def ending(self, position: Position) -> Ending | None:
        """The ending that a position has reached: the invasion comes first."""
        discs = position.discs
        if self.usurpation is not None and any(disc in discs for disc in self.board.apart):
            return self.usurpation
        if discs.count(UNSTABLE) >= self.invaders:
            return self.invasion
        return None if OPEN in discs else self.coronation

    def ends_at_once(self, discs: Sequence[int]) -> bool:
        """Whether the game is over with these discs though regions may be open."""
        return discs.count(UNSTABLE) >= self.invaders or any(disc in discs for disc in self.board.apart)

    # -- knowing ------------------------------------------------------------------------------------------

    def view(self, position: Position, seat: int | None) -> View:
        """What a seat may know; None asks for a spectator."""
        revealed = self.plot if self.reveals(position) else ""
        return view(position, seat, secret=self.hands.secret, plot=revealed, own_pile=self.own_pile)

    def reveals(self, position: Position) -> bool:
        """Whether the game has ended so that Plot, where it is known, is revealed."""
        ending = self.ending(position)
        return bool(self.plot) and ending is not None and ending.won

    def result(self, position: Position) -> Result | None:
        """How a finished game ended, None before: computed from the position, whatever it says of its winners."""
        ending = self.ending(position)
        if ending is None:
            return None
        plotter = self._plotter(position, ending)
        if plotter is None or position.plot is not None:
            return self._decided(position, ending, plotter)
        return self._whatever_plot_is(position, ending, plotter)


def _at(items: tuple[object, ...], index: int, value: object) -> tuple[object, ...]:
    return (*items[:index], value, *items[index + 1 :])


Builder = Callable[[Mapping[str, str]], Struggle]
"""Makes an edition under a choice of readings: ruling id -> option."""
