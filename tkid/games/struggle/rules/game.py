"""The game as a value composed of its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar

from attrs import Factory, field, frozen

from tkid.games.struggle.rules.board import (
    HIDDEN,
    OPEN,
    Board,
    Position,
    View,
    add_followers,
    make_struggle_view,
    name_factions,
    replace_item,
    subtract_followers,
)
from tkid.games.struggle.rules.card import Card
from tkid.games.struggle.rules.endings import Ending, GameEnd
from tkid.games.struggle.rules.last_card import Finish, LastCard
from tkid.games.struggle.rules.moves import (
    Changes,
    Decided,
    Move,
    NoSummon,
    Pass,
    Play,
    Resolution,
    Reveal,
    StruggleWords,
    Summon,
    find_changes,
    fits_board,
)
from tkid.games.struggle.rules.setup import Deal, Hands, Setup, draw_struggle_deal, find_struggle_faults
from tkid.games.struggle.rules.struggles import NO_SUMMON, Summoning, make_summoning, resolve_struggle
from tkid.kernel.chance import Chance
from tkid.kernel.game import (
    Event,
    IllegalMoveError,  # noqa: F401 - the documented place of the name
    Result,
    Table,
    check_seat,
    find_parties,
    prepare_start,
)
from tkid.kernel.ladder import NOTHING, Each, LegalMoves, Options, find_nearest
from tkid.kernel.problems import Fix, Scope, Violation
from tkid.kernel.values import derive
from tkid.rulebook import Ids, cites
from tkid.rulebook.rulesets import RulesetGame

EVENTS_REMEMBERED = 1 << 12

PASS = Pass()


@frozen(eq=False, repr=False)
class Struggle(RulesetGame):
    """One edition of The King is Dead.

    `code` is its name as a ruleset, `ids` makes rule ids of local ones. `hands` is what everybody starts with, `cards`
    are all cards by name; `absent` are cards of the edition that this game does not have, with the rule (local id) that
    says so. `parties` gives for each number of players who wins together; `invaders` is how many instability discs end
    the game. `readings` are the options taken of the rulings that have a switch. `usurpation` is the ending that comes
    when a faction that stands apart wins a power struggle; `last_card` restricts the very last card. With `own_pile`
    players may look through their own discard piles; `covered` hides other hands that everybody could work out. `summons` says when followers are summoned. If `rotating`, the
    start player moves on by one seat with each power struggle.

    From these follow `plot`, the card that is revealed at the end ("" for none), `words`, which writes moves, `end`,
    how the game ends; `finish` finds out how it ends once the last card is spent.
    """

    name: ClassVar[str] = "struggle"
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
    covered: bool = False
    summons: Summoning = field(default=Factory(lambda self: make_summoning(self.board, self.ids), takes_self=True))
    rotating: bool = False
    plot: str = derive(lambda self: next((card.name for card in self.cards.values() if card.form == "reveal"), ""))
    words: StruggleWords = derive(lambda self: StruggleWords(self.board))
    end: GameEnd = field(init=False)
    finish: Finish = derive(lambda self: Finish(self.setup.arrivals, self.end))
    _told: Callable[[str, int, Move], Event] = derive(
        lambda self: lru_cache(EVENTS_REMEMBERED)(
            lambda rule, seat, move: Event(rule, f"{{{seat}}} {self._describe_move(move)}", about=Decided(seat, move))
        )
    )
    """The event of a seat's move, by a rule."""
    _played: Mapping[str, Callable[[Any], Play]] = derive(
        lambda self: {card: partial(Play, card) for card in self.cards}
    )
    """For each card, the function that makes moves of its resolutions."""

    @end.default
    def _(self) -> GameEnd:
        endings = (self.coronation, self.invasion, self.usurpation)
        return GameEnd(self.ids, self.board, self.parties, self.invaders, self.plot, *endings)

    def __attrs_post_init__(self) -> None:
        missing = {*self.hands.same, *self.hands.deck} - self.cards.keys()
        if missing:
            raise LookupError(f"{self.code} deals cards that it does not have: {', '.join(sorted(missing))}")

    @property
    def endings(self) -> tuple[Ending, ...]:
        return (self.coronation, self.invasion, *([self.usurpation] if self.usurpation else []))

    @property
    def secret(self) -> bool:
        return self.hands.secret

    @property
    def names_players(self) -> bool:
        """True if a turn may name players, because a card copies theirs."""
        return any(card.form == "copy" for card in self.cards.values())

    def deal(self, players: int, entropy: bytes) -> Deal:
        find_parties(self.parties, players)
        return draw_struggle_deal(self.setup, self.board, self.hands, players, Chance(entropy))

    def find_faults(self, deal: Deal) -> tuple[Violation, ...]:
        return tuple(find_struggle_faults(self.setup, self.board, self.ids, self.hands, deal))

    @cites("setup.discs", "setup.first")
    def start(self, players: Table | int, deal: Deal | None = None, *, seed: int | None = None) -> Position:
        table, dealt = prepare_start(self, players, deal, seed)
        seats = len(table.names)
        return Position(
            regions=dealt.regions,
            discs=(OPEN,) * len(self.board.regions),
            supply=dealt.supply,
            track=dealt.track,
            negotiated=frozenset(),
            struggles=(),
            courts=dealt.courts,
            hands=dealt.hands,
            discards=((),) * seats,
            negotiation_discs=(self.setup.negotiation_discs,) * seats,
            last_acted=(None,) * seats,
            emptied=(None,) * seats,
            passes=0,
            banned=None,
            decision="play",
            to_act=dealt.first,
            starter=dealt.first if self.rotating else None,
        )

    def turn_continues(self, position: Position) -> bool:
        return position.decision == "summon"

    def legal(self, position: Position) -> LegalMoves[Move]:
        def admits(move: object) -> bool:
            return isinstance(move, Pass | Play | Summon | NoSummon | Reveal) and not self.check(position, move)

        return LegalMoves(self.legal, position, self._list_legal_parts(position), admits)

    def _list_legal_parts(self, position: Position) -> Sequence[Sequence[Move]]:
        if position.decision == "summon":
            allowed = self._list_winning_summonses(position)
            return [allowed] if allowed else self.summons.list_after_action(position)
        if position.decision is None or position.to_act is None:
            return []
        if position.decision == "plot":
            return [tuple(Reveal(self.plot, kind) for kind in range(len(self.board.factions)))]
        held, played, cards = self.list_held(position, position.to_act), self._played, self.cards
        if self.last_card is None:
            plays = [Each(played[card], cards[card].ladder.list_ways(position)) for card in held]
        else:
            plays = [Each(played[card], self.list_options(position, card)) for card in held]
        alone = [self.summons.list_without_action(position)] if self.summons.alone else []
        return [(PASS,), *plays, *alone]

    def list_options(self, position: Position, card: str) -> Options[Any]:
        """List the legal resolutions of a card for the seat to act, whether it holds the card or not."""
        options: Options[Any] = self.cards[card].ladder.list_options(position)
        if self.last_card is None or not self.last_card.is_held(position, card):
            return options
        winning = self.finish.filter_winning(position, options)
        return Options([winning], lambda item: item in winning)

    def explain_unplayable(self, position: Position, card: str) -> Violation:
        last = self.last_card
        if last is not None and last.is_held(position, card) and self.cards[card].ladder.list_options(position):
            return last.make_violation(self.ids, "no way to play it does", ())
        (broken, *_) = self.cards[card].ladder.check(position, NOTHING)
        return broken

    def _list_winning_summonses(self, position: Position) -> tuple[Summon | NoSummon, ...]:
        """List the summonses that the rule of the last card leaves; () if it doesn't apply."""
        spent = self.last_card is not None and self.last_card.is_spent(position)
        return self.finish.list_winning_summonses(position) if spent else ()

    def list_held(self, position: Position, seat: int) -> tuple[str, ...]:
        """List the different cards that a seat holds; if some are hidden, all that it may hold."""
        hand = position.hands[seat]
        if HIDDEN not in hand:
            return tuple(dict.fromkeys(hand))
        return tuple(card for card in self.cards if self.may_hold(position, seat, card))

    def may_hold(self, position: Position, seat: int, card: str) -> bool:
        hand = position.hands[seat]
        if card in hand or HIDDEN not in hand:
            return card in hand
        known = [(*position.hands[s], *position.discards[s]) for s in position.seats]
        return self.hands.may_hold(card, known[seat], [c for s in position.seats if s != seat for c in known[s]])

    def canonical(self, position: Position, move: Move) -> Move:
        if not isinstance(move, Play) or move.card not in self.cards:
            return move
        resolution = self.cards[move.card].canonical(position, move.resolution)
        return move if resolution is move.resolution else Play(move.card, resolution)

    def admits(self, position: Position, move: Move) -> bool:
        decision, seat = position.decision, position.to_act
        if seat is None or self.last_card is not None:
            return not self.check(position, move)
        if type(move) is Pass:
            return decision == "play"
        if not self._fits_board(move):
            return False
        if type(move) is Summon and decision == "summon":
            return self.summons.ladder.is_legal(position, move)
        if type(move) is Play and decision == "play":
            held = move.card in position.hands[seat] or self.may_hold(position, seat, move.card)
            return held and self.cards[move.card].ladder.is_legal(position, move.resolution)
        return not self.check(position, move)

    def check(self, position: Position, move: Move) -> tuple[Violation, ...]:
        if position.decision is None or position.to_act is None:
            return (Violation(self.ids("ending.over"), f"The game is over: {position.ending}"),)
        out_of_place = self._check_board(move) or self._check_decision(position, move)
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

    def _check_board(self, move: Move) -> tuple[Violation, ...]:
        if isinstance(move, Play | Reveal) and move.card not in self.cards:
            return (Violation(self.ids("turn.hand"), f"There is no card {move.card} in this game"),)
        if self._fits_board(move):
            return ()
        last = f"0 to {len(self.board.regions) - 1}, and factions 0 to {len(self.board.factions) - 1}"
        return (Violation(self.ids("board.regions"), f"There is no such region or faction: regions are {last}"),)

    def _fits_board(self, move: Move) -> bool:
        """Return True if a move names regions and factions of this board; indices from the end are none."""
        regions, factions = len(self.board.regions), len(self.board.factions)
        if type(move) is Play:
            return fits_board(move.resolution, regions, factions)
        if isinstance(move, Summon):
            return 0 <= move.region < regions and 0 <= move.faction < factions
        return not isinstance(move, Reveal) or (move.card == self.plot and 0 <= move.faction < factions)

    def _refuse_last(self, position: Position, card: Card, resolution: Resolution) -> tuple[Violation, ...]:
        if self.last_card is None or not self.last_card.is_held(position, card.name):
            return ()
        if self.finish.filter_winning(position, (resolution,)):
            return ()
        winning = find_nearest(resolution, self.finish.filter_winning(position, card.ladder.list_options(position)))
        outcome = self.finish.describe_outcome(position, resolution)
        return (self.last_card.make_violation(self.ids, outcome, winning),)

    def _refuse_summons(self, position: Position, move: Summon | NoSummon) -> tuple[Violation, ...]:
        """Return the violation of a summons after the very last card. If no summons would win, any is allowed."""
        allowed = self._list_winning_summonses(position)
        if self.last_card is None or not allowed or move in allowed:
            return ()
        sentence = self.finish.describe_summons(position, move)
        return (self.last_card.make_violation(self.ids, sentence, find_nearest(move, allowed)),)

    def _check_decision(self, position: Position, move: Move) -> tuple[Violation, ...]:
        ids, decision = self.ids, position.decision
        if decision == "plot" and not isinstance(move, Reveal):
            who = f"{{{position.to_act}}}"
            sentence = f"Only {self.plot} is left: {who} must name the faction that it counts for"
            return (Violation(ids("card.plot.name"), sentence, alternatives=tuple(self.legal(position))),)
        if isinstance(move, Reveal) and decision != "plot":
            return self.cards[move.card].ladder.check(position, move)
        if isinstance(move, NoSummon) and decision != "summon" and self.summons.alone:
            sentence = "`no summon` needs a card before it: a turn without a card and without a summons is a pass"
            fixes = (Fix(self.words.write_move(PASS), Scope.LINE),)
            return (Violation(ids("summon.after-action"), sentence, hint="Write `Pass`.", fixes=fixes),)
        if isinstance(move, Summon | NoSummon) and decision != "summon" and not self.summons.alone:
            return (Violation(ids("summon.after-action"), "You summon only after an action"),)
        if decision == "summon" and not isinstance(move, Summon | NoSummon):
            due = "say whether you summon a follower" if self.summons.optional else "you must summon a follower"
            return (Violation(self.summons.due, f"After the card, {due} before the next turn"),)
        return ()

    def _not_in_hand(self, position: Position, card: Card) -> Violation:
        counts = Counter(position.hands[position.actor])
        hidden = counts.pop(HIDDEN, 0)
        held = [f"{name} ({n})" if n > 1 else name for name, n in counts.items()]
        held += [f"{hidden} hidden"] if hidden else []
        cannot = "cannot have" if hidden else "has no"
        sentence = f"{{{position.actor}}} {cannot} {card.name}{'' if hidden else ' in hand'}"
        hint = "" if self.covered else f"In hand: {', '.join(held) or 'no card'}"
        return Violation(self.ids("turn.hand"), sentence, "card", hint=hint)

    def apply(self, position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
        if type(move) is Play:
            return self._play_card(position, move)
        if type(move) is Summon:
            return self._summon(position, move)
        if type(move) is Pass:
            return self._pass(position, move)
        return self._name_plot(position, move) if isinstance(move, Reveal) else self._summon_nobody(position)

    def _describe_move(self, move: Move) -> str:
        if isinstance(move, Summon):
            return f"summons {self.words.write_summon(move.faction, move.region)}"
        if isinstance(move, Play) and move.resolution == NOTHING:
            return f"plays {move.card} without effect"
        return "passes" if isinstance(move, Pass) else f"plays {self.words.write_move(move)}"

    def _name_plot(self, position: Position, move: Reveal) -> tuple[Position, tuple[Event, ...]]:
        text = f"{{{position.to_act}}} names {name_factions(self.board, [move.faction])} for {self.plot}"
        event = Event(self.ids("card.plot"), text, about=Decided(position.actor, move))
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
    def _pass(self, position: Position, move: Pass) -> tuple[Position, tuple[Event, ...]]:
        seat, passes = position.actor, position.passes + 1
        event = self._told(self.ids("turn.pass"), seat, move)
        after = position.replace(**self._start_next_turn(position, passes))
        if passes < len(position.courts):
            return self._end_turn(after, (event,))
        resolved, struggle = self._resolve_struggle(after)
        return self._end_turn(resolved, (event, *struggle))

    @cites("struggle.next")
    def _resolve_struggle(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Resolve the contested region, and let the follower come whom that brings if the game continues."""
        resolved, struggle = resolve_struggle(position, self.board, self.ids)
        if position.starter is not None:
            starter = (position.starter + 1) % len(position.courts)
            resolved = resolved.replace(starter=starter, to_act=starter)
        if self.setup.arrivals is None or self.end.find_ending(resolved):
            return resolved, (struggle,)
        arrived, events = self.setup.arrivals.add_arrival(resolved, self.board, self.ids)
        return arrived, (struggle, *events)

    @cites("turn.action", "turn.discard", "turn.once")
    def _play_card(self, position: Position, move: Play) -> tuple[Position, tuple[Event, ...]]:
        seat = position.actor
        card, hand = self.cards[move.card], position.hands[seat]
        played = card.name if card.name in hand else HIDDEN
        if played in hand:
            at = hand.index(played)
            hand = hand[:at] + hand[at + 1 :]
        this_turn = position.turn + 1
        changed = find_changes(position, move.resolution)
        changed["hands"] = replace_item(position.hands, seat, hand)
        changed["discards"] = replace_item(position.discards, seat, (*position.discards[seat], card.name))
        changed["last_acted"] = replace_item(position.last_acted, seat, this_turn)
        if not hand:
            changed["emptied"] = replace_item(position.emptied, seat, this_turn)
        changed["banned"] = card.ban(move.resolution, seat)
        changed["decision"] = "summon"
        return position.replace(**changed), (self._told(card.rule, seat, move),)

    def _summon(self, position: Position, move: Summon) -> tuple[Position, tuple[Event, ...]]:
        seat, regions, courts = position.actor, position.regions, position.courts
        one = self.board.make_single(move.faction)
        after = position.replace(
            regions=replace_item(regions, move.region, subtract_followers(regions[move.region], one)),
            courts=replace_item(courts, seat, add_followers(courts[seat], one)),
            **self._start_next_turn(position, passes=0),
        )
        if position.decision == "summon" or not self.summons.alone:
            return self._end_turn(after, (self._told(self.summons.due, seat, move),))
        text = f"{{{seat}}} {self._describe_move(move)} without playing a card"
        alone = Event(self.summons.alone, text, about=Decided(seat, move))
        return self._end_turn(after.replace(banned=None), (alone,))

    def _summon_nobody(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        chosen = self.summons.optional and self.summons.has_candidates(position)
        text = f"{{{position.actor}}} {'summons nobody' if chosen else 'finds nobody to summon'}"
        rule = self.summons.optional if chosen else self.ids("ruling.nobody-to-summon")
        event = Event(rule, text, about=Decided(position.actor, NO_SUMMON))
        return self._end_turn(position.replace(**self._start_next_turn(position, passes=0)), (event,))

    @staticmethod
    @cites("struggle.next")
    def _start_next_turn(position: Position, passes: int) -> Changes:
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
        plot = self.plot
        for hand in position.hands:
            for card in hand:
                if card != plot:
                    return True
        return bool(self.summons.alone) and self.summons.has_candidates(position)

    def _announce_nobody_left(self) -> Event:
        card = "card left that can be played" if self.plot else "card left"
        return Event(self.ids("ruling.empty-hand"), f"Nobody has a {card}: the remaining power struggles are resolved")

    def only_passes(self, position: Position) -> bool:
        """Return True if everybody knows that the seat to act can only pass: it has no card and can't summon."""
        if position.decision != "play" or position.to_act is None or position.hands[position.to_act]:
            return False
        return not self.summons.list_without_action(position)

    def add_summons(self, position: Position, move: Move, wanted: Move | None = None) -> tuple[Move, ...]:
        """Add a summons to a legal move if one is due: the wanted one if it is legal, else the middle one of all."""
        after, _ = self.apply(position, move)
        if after.decision != "summon":
            return (move,)
        summonses = self.legal(after)
        return move, wanted if wanted is not None and wanted in summonses else summonses[len(summonses) // 2]

    def reveal_plot(self, position: Position, seat: int) -> Position:
        """Replace a hidden card of a seat by Plot, if the card may be that."""
        hand = position.hands[seat]
        if self.plot in hand or not self.may_hold(position, seat, self.plot):
            return position
        known = list(hand)
        known[known.index(HIDDEN)] = self.plot
        return position.replace(hands=replace_item(position.hands, seat, tuple(known)))

    def view(self, position: Position, seat: int | None) -> View:
        check_seat(position, seat)
        revealed = self.plot if self.end.reveals_plot(position) else ""
        hidden = self.hands.secret or self.covered
        return make_struggle_view(position, seat, hidden=hidden, plot=revealed, own_pile=self.own_pile)

    def result(self, position: Position) -> Result | None:
        return self.end.find_result(position)
