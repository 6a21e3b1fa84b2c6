"""The King is Dead's part for mail: turns to copy, sentences and facts, and the judge of plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from types import MappingProxyType
from typing import Any

from attrs import frozen

from tkid.games.struggle.notation import orders
from tkid.games.struggle.notation.orders import PLUGIN as ORDERS
from tkid.games.struggle.notation.orders import Condition, Contested, Outcome, Passes, Plays, Standing
from tkid.games.struggle.rules.board import (
    HIDDEN,
    OPEN,
    UNSTABLE,
    Position,
    describe_arrival,
    describe_struggle,
    name_factions,
    say_factions,
    say_outcome,
)
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Exchange, Move, NoSummon, Pass, Play, Reveal, Summon, follow_copy
from tkid.games.struggle.rules.struggles import Arrival, ResolvedRegion, list_struggles
from tkid.games.struggle.verdict import (
    Verdict,
    describe_ending,
    describe_figures,
    describe_victory,
    find_victory_reason,
)
from tkid.games.struggle.voice import (
    MAX_TOLD_SINGLY,
    describe_deeds,
    describe_struggles,
    list_deeds,
    list_places,
    name_card,
)
from tkid.kernel.game import Event, Result, fill_names
from tkid.kernel.ladder import NOTHING, Nothing
from tkid.kernel.problems import Kind, Problem, Scope
from tkid.mail import plugin
from tkid.mail.plugin import Chosen, Judged, MailPlugin, list_standing_turns
from tkid.notation.names import ANYONE, EVERYONE, Who, list_names
from tkid.notation.plugin import find_turn_reader
from tkid.notation.text import capitalize_text, count_noun_in_words, single_space, spell_number
from tkid.notation.voice import Voice, join_clauses, list_and, make_sentence
from tkid.orders.forms import MAX_LOOKED_AT
from tkid.record.clock_notes import NOTHING_TO_PLAY, Passed
from tkid.record.play.replay import Moment, Replay
from tkid.rulebook import cites

DECISIONS_SHOWN = 3
LONGEST_CARD = 3
MAX_WAYS_SHOWN = 4
"""Maximum number of ways to play a card for which all of them are shown."""


def get_struggle_and_position(replay: Replay) -> tuple[Struggle, Position]:
    game, position = replay.record.game, replay.position
    assert isinstance(game, Struggle)
    assert isinstance(position, Position)
    return game, position


def list_offered_turns(replay: Replay) -> tuple[list[str], list[str]]:
    """List a pass and a turn for each card, or some of other decisions; and the cards whose every way is in the list."""
    game, position = get_struggle_and_position(replay)
    if position.to_act is None:
        return [], []
    if position.decision != "play":
        moves = game.legal(position)
        return [game.words.write_move(move) for move in islice(moves, DECISIONS_SHOWN)], []
    turns, few = [game.words.write_move(PASS)], []
    for card in game.list_held(position, position.to_act):
        options = game.list_options(position, card)
        if 0 < len(options) <= MAX_WAYS_SHOWN:
            few.append(card)
            turns += [build_whole_turn(replay, Play(card, option)) for option in options]
        elif options:
            turns.append(find_example_turn(replay, card))
    return [*turns, *list_lone_summons(replay)], few


def list_lone_summons(replay: Replay) -> list[str]:
    """List a legal turn that summons without playing a card, if the ruleset has such turns."""
    game, position = get_struggle_and_position(replay)
    summons = game.summons.list_without_action(position)
    return [_write_moves(replay, (summons[len(summons) // 2],))] if summons else []


def list_example_ways(replay: Replay, card: str, most: int) -> list[str]:
    """List a legal turn for each way to play a card; if more than `most`, one more than that, spread over all."""
    game, position = get_struggle_and_position(replay)
    options, shown = game.list_options(position, card), most + 1
    spread = [options[index * len(options) // shown] for index in range(shown)] if len(options) > shown else options
    return [build_whole_turn(replay, Play(card, option)) for option in spread]


def find_example_turn(replay: Replay, card: str) -> str:
    """Return a legal turn with a card; "" if it cannot be played."""
    game, position = get_struggle_and_position(replay)
    options = game.list_options(position, card)
    return build_whole_turn(replay, Play(card, options[len(options) // 2])) if options else ""


def build_whole_turn(replay: Replay, action: Move, wanted: Move | None = None) -> str:
    """Return a legal action with a legal summons: the wanted one if it is legal."""
    game, position = get_struggle_and_position(replay)
    return _write_moves(replay, game.add_summons(position, action, wanted))


def _write_moves(replay: Replay, moves: tuple[Move, ...]) -> str:
    return fill_names(replay.record.game.words.write_turn(moves), replay.record.names)


def _iter_repaired_turns(replay: Replay, typed: str, problem: Problem) -> Iterator[str]:
    game, position = get_struggle_and_position(replay)
    read_turn = find_turn_reader(game, replay.record.names).read_turn
    first, *others = [decision.move for decision in read_turn(typed).decisions]
    for text in problem.list_fixes(Scope.DECISION, Scope.LINE, Scope.END):
        read = read_turn(text)
        if len(read.moves) != 1:
            continue
        move = game.canonical(position, read.moves[0])
        if not isinstance(move, Summon | NoSummon):
            if not game.check(position, move):
                yield build_whole_turn(replay, move, others[0] if others else None)
        elif isinstance(first, Play) and not game.check(position, game.canonical(position, first)):
            action = game.canonical(position, first)
            if move in game.legal(game.play(position, action)[0]):
                yield _write_moves(replay, (action, move))
        elif not game.check(position, move):
            yield game.words.write_move(move)


def find_named_card(game: Struggle, position: Position, typed: str) -> str:
    """Return the card in hand that a wrong turn begins with; "" if that isn't clear."""
    words = single_space(typed[:MAX_LOOKED_AT]).split()
    for count in range(min(LONGEST_CARD, len(words)), 0, -1):
        card = find_turn_reader(game).cards.find(" ".join(words[:count]).rstrip(",.:;!"))
        if isinstance(card, str) and position.to_act is not None and card in position.hands[position.to_act]:
            return card
    return ""


MAX_WAYS_COMPARED = 12
"""Maximum number of ways to play a card compared to find an instructive one."""


def list_sample_turns(known: Replay) -> list[str]:
    """List up to three turns of cards of different forms in the order of the hand, the plain ones first."""
    game, position = get_struggle_and_position(known)
    if position.to_act is None or HIDDEN in position.hands[position.to_act]:
        return []
    if position.decision != "play":
        names = known.record.names
        return [
            fill_names(game.words.write_move(move), names) for move in list(game.legal(position))[: plugin.MAX_SAMPLES]
        ]
    shown, vain = dict[str, Play](), dict[str, Play]()
    for card in game.list_held(position, position.to_act):
        form = game.cards[card].form
        if form not in shown and len(shown) < plugin.MAX_SAMPLES and (options := game.list_options(position, card)):
            play = Play(card, _choose_instructive_way(game, options))
            (vain if isinstance(follow_copy(play.resolution), Nothing) else shown).setdefault(form, play)
    plays = [*shown.values(), *(play for form, play in vain.items() if form not in shown)]
    return [*(build_whole_turn(known, play) for play in plays), *list_lone_summons(known)][: plugin.MAX_SAMPLES]


def _choose_instructive_way(game: Struggle, options: Sequence[Any]) -> Any:
    """Return the way to play a card that touches most regions, out of some spread over all."""
    count = len(options)
    middle = [
        options[(count // 2 + step * count // MAX_WAYS_COMPARED) % count]
        for step in range(min(MAX_WAYS_COMPARED, count))
    ]
    return max(middle, key=lambda option: len(list_places(game.board, option)))


def _find_card_turn(known: Replay) -> str:
    played = (moment for moment in reversed(known.moments) if moment.moves and isinstance(moment.moves[0], Play))
    game, names = get_struggle_and_position(known)[0], known.record.names
    last = (fill_names(game.words.write_turn(moment.moves), names) for moment in played)
    return min(list_sample_turns(known), key=len, default="") or next(last, "")


def _describe_last_struggles(known: Replay) -> list[str]:
    game, position = get_struggle_and_position(known)
    struggles = next((found for moment in reversed(known.moments) if (found := list_struggles(moment.events))), [])
    if not struggles:
        return []
    if len(struggles) > 1:
        return [f"{explain_last_struggles(game)}, so the last {spell_number(len(struggles))} regions were decided"]
    (struggle,) = struggles
    told = describe_struggle(game.board, struggle.region, struggle.followers, past=True)
    if struggle.disc == UNSTABLE:
        nth = f", the {plugin.ORDINALS[position.unstable]} of {spell_number(game.invaders)}, as"
        return [told.replace(", as", nth, 1) if position.unstable > 1 else told]
    if position.contested is None:
        told = told.replace(name := game.board.name_region(struggle.region), f"{name}, the last region,", 1)
    return [told]


def explain_last_struggles(game: Struggle) -> str:
    if game.summons.alone:
        return "nobody could do anything more"
    return f"nobody had a card left{' to play' if game.plot else ''}"


def _describe_regions(verdict: Verdict) -> list[str]:
    position, board = verdict.position, verdict.game.board
    if verdict.ending == verdict.game.invasion.name:
        lost = [board.name_region(region) for region in position.struggles if position.discs[region] == UNSTABLE]
        term = board.terms.lost
        return [f"{spell_number(len(lost))} regions are {term}: {list_and(lost)}"]
    regions = {faction: position.discs.count(faction) for faction in verdict.ranking}
    if not regions:
        return []
    first, *rest = verdict.ranking
    control = f"{say_factions(board, [first], 'control')} {count_noun_in_words(regions[first], 'region')}"
    others = (f"{name_factions(board, [faction])} {spell_number(regions[faction])}" for faction in rest)
    told = list_and([control, *others])
    decisive = find_victory_reason(verdict)
    equal = [
        f"{say_factions(board, [higher], 'rank')} above {name_factions(board, [lower])}"
        for higher, lower in islice(pairwise(verdict.ranking), (decisive.rank if decisive else 1) + 1)
        if regions[higher] == regions[lower]
    ]
    return [f"{told}; {list_and(equal)}, having won the later struggle" if equal else told]


@frozen
class Telling(plugin.TurnTelling):
    """Tells one turn to a reader."""

    tells_end = False

    @property
    def struggles(self) -> list[ResolvedRegion]:
        return list_struggles(self.moment.events)

    def list_short_wordings(self) -> Sequence[str]:
        match self.moment.moves[0]:
            case Play(card, resolution):
                where = "for" if isinstance(follow_copy(resolution), Exchange) else "in"
                return self._list_play_wordings(card, where, list_places(self.game.board, resolution))
            case Summon() as move:
                summoned = f"{self.who} {list_deeds(self.game, move, self.turn.seat, self.voice)[0]}"
                return (*self._list_ending_wordings(summoned), summoned, f"{self.who} summoned a follower")
            case Reveal() as move:
                summoned = list_deeds(self.game, move, self.turn.seat, self.voice)[0]
                return f"{self.who} {summoned}", f"{self.who} revealed {move.card}"
        done = plugin.say_passed(self.voice, self.turn, shortly=True)
        return (*self._iter_pass_wordings(done), done)

    def _list_play_wordings(self, card: str, where: str, places: list[str]) -> Sequence[str]:
        played = f"{self.who} played {name_card(self.game.board, card)}"
        named = [f"{played} {where} {list_and(places)}", f"{played} {where} {spell_number(len(places))} regions"]
        return (*self._list_ending_wordings(played), *(named if places else [f"{played}, without effect"]), played)

    def _list_ending_wordings(self, done: str) -> list[str]:
        if self.moment.position.to_act is None:
            return [f"{done}, and the game is over"]
        return [f"{done}, and the last regions were decided"] if self.struggles else []

    def _iter_pass_wordings(self, done: str) -> Iterator[str]:
        struggles = self.struggles
        if len(struggles) == 1:
            yield f"{done}, and {say_outcome(self.game.board, struggles[0].disc, [struggles[0].region], past=True)}"
        elif struggles:
            yield f"{done}, and the last regions were decided"

    def iter_sentences(self) -> Iterator[str]:
        yield self._describe_deeds()
        yield from self._iter_consequences(self.moment.events)

    def list_headlines(self) -> Sequence[str]:
        board, struggles = self.game.board, self.struggles
        if len(struggles) == 1:
            (struggle,) = struggles
            out = say_outcome(board, struggle.disc, [struggle.region], past=True)
            return out, f"{board.name_region(struggle.region)} is decided"
        if struggles:
            return ("the last regions are decided",)
        acts = {Pass: "passed", Summon: "summoned", Reveal: "named a faction"}
        act = acts.get(type(self.moment.moves[0]), "played")
        return f"{self.who} {act}", f"a player {act}"

    def _describe_deeds(self) -> str:
        match self.moment.moves:
            case (Pass(),):
                return plugin.say_passed(self.voice, self.turn)
            case (Summon() as move,):
                alone = join_clauses(["played no card", *list_deeds(self.game, move, self.turn.seat, self.voice)])
                return f"{self.who} {alone}"
        return describe_deeds(self.game, self.moment.moves, self.turn.seat, self.voice)

    def _iter_consequences(self, events: Sequence[Event]) -> Iterator[str]:
        struggles = self.struggles
        if any(event.rule == self.game.ids("ruling.empty-hand") for event in events):
            yield f"{explain_last_struggles(self.game)}, so the last regions were decided"
        yield from describe_struggles(self.game.board, struggles, past=True)
        for event in events:
            if isinstance(event.about, Arrival) and len(struggles) <= MAX_TOLD_SINGLY:
                yield describe_arrival(self.game.board, event.about.faction, event.about.region, past=True)
            if self.game.plot and event.line and event.rule == self.game.ids("card.plot"):
                hands = self.moment.position.hands
                owner = next(seat for seat, hand in enumerate(hands) if self.game.plot in hand)
                yield f"{self.voice.name_player(owner)} revealed {self.game.plot}"


ALIKE = 4
"""Number of cards from which a hand equal to the one before isn't listed again."""
GAP = "   "


def write_card_list(hand: Sequence[str]) -> str:
    """Write cards by name, hidden ones as a number: `Scottish, Welsh and English Support, Assemble x2`."""
    counts = Counter(hand)
    hidden = counts.pop(HIDDEN, 0)
    pieces, names = list[str](), list(counts)
    while names:
        kind = names[0].rpartition(" ")[2]
        alike = [name for name in names if " " in name and name.rpartition(" ")[2] == kind and counts[name] == 1]
        if len(alike) > 1:
            pieces.append(f"{list_and(name.rpartition(' ')[0] for name in alike)} {kind}")
        else:
            alike = names[:1]
            pieces.append(f"{alike[0]} x{counts[alike[0]]}" if counts[alike[0]] > 1 else alike[0])
        names = [name for name in names if name not in alike]
    pieces += [f"{hidden} hidden"] if hidden else []
    return ", ".join(pieces) or "none"


def _list_details(game: Struggle, position: Position, seat: int, voice: Voice) -> list[str]:
    terms, over = game.board.terms, position.to_act is None
    party = next(party for party in game.parties[len(position.courts)] if seat in party)
    mates = [each for each in party if each != seat]
    pile = position.discards[seat]
    told = [f"top discard {pile[-1]}"] if game.names_players and pile and not over else []
    told += [f"{terms.negotiation} used"] if not position.negotiation_discs[seat] and not over else []
    told += [f"team with {voice.name_all(mates)}"] if mates else []
    return [*told, *(["winner"] if seat in position.winners else [])]


def _play_all_passes(game: Struggle, position: Position) -> tuple[list[int], ResolvedRegion | None, Position]:
    """Return the players who pass until a power struggle comes, that struggle, and the position then."""
    passers: list[int] = []
    for _ in position.seats:
        passers.append(position.actor)
        position, events = game.apply(position, PASS)
        if struggles := list_struggles(events):
            return passers, struggles[0], position
    return passers, None, position


def _describe_passes(voice: Voice, passers: list[int]) -> str:
    """Say that some players pass: `you pass and Bob then passes too`."""
    first, *then = passers
    told = f"{voice.name_player(first)} {voice.inflect('pass', first)}"
    if not then:
        return told
    return f"{told} and {list_and(map(voice.name_player, then))} then {voice.inflect('pass', *then)} too"


def _describe_end(game: Struggle, after: Position, voice: Voice) -> list[str]:
    if game.end.find_ending(after) is None:
        return []
    if game.secret or after.to_act is not None:
        return ["That ends the game."]
    wins = describe_victory(game, after, voice)[-1]
    return [make_sentence(f"that ends the game, and {wins}")]


Fits = Callable[[Moment], bool]


@frozen
class StruggleJudge(plugin.PlanJudge):
    """Judges conditions for a seat by what it knows of a game, looked at when it is that seat's turn."""

    @property
    def game(self) -> Struggle:
        return get_struggle_and_position(self.known)[0]

    @property
    def position(self) -> Position:
        return get_struggle_and_position(self.known)[1]

    @cites("post.condition.passes", "post.condition.plays", "post.condition.struggle")
    def judge_one(self, condition: Condition) -> Judged:
        match condition:
            case Passes(who):
                rule, fits = "post.condition.passes", lambda moment: isinstance(moment.moves[0], Pass)
                return self._judge_players(who, rule, fits, "passed")
            case Plays(who, card):
                rule, fits = "post.condition.plays", lambda moment: is_play(moment, card)
                return self._judge_players(who, rule, fits, f"played {card or 'a card'}")
            case Contested(region):
                return self._judge_contested(region)
            case orders.Struggle():
                return self._judge_struggle(self.turns, self.since, "post.condition.struggle")
            case Outcome(region, disc):
                return self._judge_outcome(region, disc)

    def _judge_players(self, who: Who, rule: str, fits: Fits, what: str) -> Judged:
        others = [seat for seat in self.position.seats if seat != self.seat]
        asked = others if isinstance(who, str) else [who]
        turns = {seat: self._find_last_turn(seat) for seat in asked}
        did = [seat for seat, moment in turns.items() if moment is not None and fits(moment)]
        did_not = [seat for seat in asked if seat not in did]
        met = not did_not if who == EVERYONE else bool(did)
        if who == ANYONE and not met:
            return Judged(met, f"nobody else {what} {self.since}", rule)
        seats = did if met else did_not
        return Judged(met, " and ".join(self._describe_turn(seat, turns[seat]) for seat in seats), rule)

    def _find_last_turn(self, seat: int) -> Moment | None:
        """Return a player's last readable turn since the seat's last own turn; None if there was none."""
        turns = (moment for moment in reversed(self.turns) if moment.turn and moment.turn.seat == seat and moment.moves)
        return next(turns, None)

    def _describe_turn(self, seat: int, moment: Moment | None) -> str:
        name = self.known.record.names[seat]
        if moment is None or moment.turn is None:
            return f"{name} has not had a turn {self.since}"
        move, acts = moment.moves[0], {Pass: "passed", Summon: "summoned a follower without playing a card"}
        done = f"played {move.card}" if isinstance(move, Play) else acts.get(type(move), "decided something else")
        return f"{name} {done} in turn {moment.turn.number}"

    @cites("post.condition.contested")
    def _judge_contested(self, region: int) -> Judged:
        position, board = self.position, self.game.board
        now, rule, name = position.contested, "post.condition.contested", board.name_region(region)
        if now == region:
            return Judged(met=True, reason=f"{name} is contested", rule=rule)
        if position.discs[region] != OPEN:
            return Judged(met=False, reason=f"the power struggle in {name} is over", rule=rule, possible=False)
        return Judged(met=False, reason=f"{board.name_region(now)} is contested" if now is not None else "", rule=rule)

    def _judge_struggle(self, turns: Sequence[Moment], since: str, rule: str) -> Judged:
        board, moments = self.game.board, self.known.moments
        numbers = {moment.turn.number for moment in turns if moment.turn}
        names = [
            board.name_region(region)
            for before, moment in pairwise(moments)
            if moment.turn and moment.turn.number in numbers
            for region in _list_struggles(moment)[len(_list_struggles(before)) :]
        ]
        if not names:
            return Judged(met=False, reason=f"no power struggle was resolved {since}", rule=rule)
        were = "power struggle in {} was" if len(names) == 1 else "power struggles in {} were"
        return Judged(met=True, reason=f"the {were.format(list_names(names, 'and'))} resolved", rule=rule)

    @cites("post.condition.outcome")
    def _judge_outcome(self, region: int, disc: int) -> Judged:
        board, rule = self.game.board, "post.condition.outcome"
        outcome, name = self.position.discs[region], board.name_region(region)
        if outcome == OPEN:
            return Judged(met=False, reason=f"the power struggle in {name} is still to come", rule=rule)
        reason = say_outcome(board, outcome, [region], past=True)
        return Judged(met=outcome == disc, reason=reason, rule=rule, possible=outcome == disc)

    def is_replacing(self, order: Standing, older: Standing) -> bool:  # noqa: ARG002 - there is one at a time
        return True

    def is_lasting(self, order: Standing) -> bool:  # noqa: ARG002 - none does
        """Return False: a player who plays by hand is back at the table."""
        return False

    def choose_turn(self, order: Standing, lasts: Judged) -> Chosen:  # noqa: ARG002 - all of them pass
        if self.position.decision != "play":
            return Chosen("", "the next decision is not a card or a pass", "post.standing")
        return Chosen(self.game.words.write_move(PASS), lasts.reason, lasts.rule)

    def explain_pointless(self, order: Standing, since: int) -> Problem | None:
        over = self.judge_end(order, since) if order.kind == "contested" else None
        if over is None or not over.met:
            return None
        reason = f"There is nothing to wait for: {over.reason}"
        hint = "`pass until struggle` passes until the next power struggle."
        return Problem(Kind.ILLEGAL, "post.plan.over", reason, hint=hint)

    @cites("post.standing.struggle", "post.standing.contested", "post.standing.always")
    def judge_end(self, order: Standing, since: int) -> Judged:
        turns = [moment for moment in list_standing_turns(self.known) if moment.turn and moment.turn.number >= since]
        if order.kind == "struggle":
            return self._judge_struggle(turns, "since you gave it", "post.standing.struggle")
        if order.kind == "acts" and order.who is not None:
            return self._over_by_action(turns, order.who)
        if order.kind == "contested" and order.region is not None:
            judged = self._judge_contested(order.region)
            return Judged(judged.met or not judged.possible, judged.reason, "post.standing.contested")
        return Judged(met=False, reason="it stays until you cancel it or send a turn", rule="post.standing.always")

    @cites("post.standing.acts")
    def _over_by_action(self, turns: Sequence[Moment], who: Who) -> Judged:
        seats = {who} if isinstance(who, int) else set(self.position.seats) - {self.seat}
        for moment in turns:
            if moment.turn and moment.turn.seat in seats and is_play(moment):
                return Judged(met=True, reason=self._describe_turn(moment.turn.seat, moment), rule="post.standing.acts")
        name = self.known.record.names[who] if isinstance(who, int) else "nobody else"
        reason = f"{name} played no card" if isinstance(who, int) else f"{name} played a card"
        return Judged(met=False, reason=f"{reason} since you gave it", rule="post.standing.acts")


def _list_struggles(moment: Moment) -> tuple[int, ...]:
    assert isinstance(moment.position, Position)
    return moment.position.struggles


def is_play(moment: Moment, card: str = "") -> bool:
    """Return True if a card was played in a turn. "" means any card, and a summons without one."""
    move = moment.moves[0] if moment.moves else None
    return (isinstance(move, Play) and card in {"", move.card}) or (isinstance(move, Summon) and not card)


MOST_WAYS = 12
"""Ways to play a card that are shown."""


class StruggleMail(MailPlugin):
    """The letters of The King is Dead, and the turns played without asking the player."""

    title = "The King is Dead"
    learn = "ten-minutes/"
    passing = "Pass"
    helps: Mapping[str, str] = MappingProxyType({
        "standing": "pass turn after turn until something happens",
        "why": "see why somebody won, or the power struggles so far",
    })  # fmt: skip
    turn = "`Pass`, or a turn as shown under YOUR ANSWER"
    news = "of power struggles, and when the game ends"
    history = "The power struggles so far:"
    no_history = "No power struggle has been resolved yet."
    telling = Telling
    make_plan_judge = staticmethod(StruggleJudge)

    def find_forced_turn(self, game: Struggle, position: Position) -> tuple[str, Passed] | None:
        return (self.passing, NOTHING_TO_PLAY) if game.only_passes(position) else None

    def list_offered(self, known: Replay) -> tuple[str, list[str]]:
        game, shown = get_struggle_and_position(known)
        turns, few = list_offered_turns(known)
        text = "Each line is legal now. Copy one to the top of your answer, or change it to what you want."
        if shown.decision != "play" or shown.to_act is None:
            return text, turns
        held = game.list_held(shown, shown.to_act)
        barred = [card for card in held if not game.list_options(shown, card)]
        text += " After a card you may write `no summon` instead of a summons." if game.summons.optional else ""
        text += " You may also summon without playing a card." if game.summons.alone else ""
        if any(card != game.plot for card in barred):
            text += f" You cannot play {list_names([card for card in barred if card != game.plot], 'or')} now."
        if few:
            text += f" This shows every way to play {list_names(few, 'and')} and one way for each other card, each with one summons."
        if {*held} - {*barred, *few}:
            text += " `legal CARD` shows more ways to play one card."
        return text, turns

    def list_playable(self, known: Replay, seat: int, card: str) -> tuple[str, list[str]]:
        game, shown = get_struggle_and_position(known)
        if not card or shown.decision != "play":
            return self.list_offered(known)
        if card not in shown.hands[seat]:
            return f"You have no {card}. [{game.ids('turn.hand')}]", []
        turns = list_example_ways(known, card, MOST_WAYS)
        if not turns:
            violations = game.cards[card].ladder.check(shown, NOTHING)
            because = [f"{violation.sentence}. [{violation.rule}]" for violation in violations]
            return " ".join([f"You cannot play {card} now.", *because]), []
        if len(turns) > MOST_WAYS:
            text = f"There are more than {MOST_WAYS} ways to play {card} now."
            return f"{text} Here are some, each with one summons:", turns[:MOST_WAYS]
        every = "The only way" if len(turns) == 1 else f"All {len(turns)} ways"
        return f"{every} to play {card} now, each with one summons:", turns

    list_repaired = staticmethod(_iter_repaired_turns)

    def find_similar(self, known: Replay, typed: str) -> tuple[str, str]:
        card = find_named_card(*get_struggle_and_position(known), typed)
        return card, find_example_turn(known, card) if card else ""

    def explain_shorthand(self, known: Replay) -> str:
        factions = get_struggle_and_position(known)[0].board.factions
        letters = ", ".join(
            f"{each.letter}{' is' if index == 0 else ''} {each.name}" for index, each in enumerate(factions)
        )
        first = factions[0]
        return f"{letters}; {first.letter * 2} is two {first.people}. You may shorten names."

    def list_aims(self, known: Replay, _: int) -> tuple[tuple[str, str], ...]:
        game = get_struggle_and_position(known)[0]
        card, turn = next(iter(game.cards)), _find_card_turn(known)
        return (
            ("Pass your turn", "Pass"),
            *([("Play a card", turn)] if turn else []),
            ("Only check a turn", "draft Pass"),
            ("See what you can play", f"legal, or legal {card}"),
            ("Pass for a while", ORDERS(game).examples.partition(",")[0].strip("`")),
            ("Make a plan", "if anyone passes: Pass; else stop"),
        )

    list_samples = staticmethod(list_sample_turns)

    def tell_turn(self, known: Replay, text: str) -> str:
        game, position = get_struggle_and_position(known)
        moves = find_turn_reader(game, known.record.names).read_turn(text).moves
        seat = position.to_act
        if not moves or seat is None:
            return ""
        voice = Voice(known.record.names, seat)
        told = [describe_deeds(game, moves, seat, voice)]
        match moves[0]:
            case Summon() as move:
                told = [f"you play no card and {list_deeds(game, move, seat, voice)[0]}"]
            case Pass() as move:
                after, events = game.apply(position, move)
                settled = [
                    describe_struggle(game.board, each.region, each.followers) for each in list_struggles(events)[:1]
                ]
                told = [", and ".join([*told, *settled])]
                told += ["that ends the game"] if after.to_act is None or after.decision == "plot" else []
        return " ".join(map(make_sentence, told))

    def describe_outlook(self, known: Replay, seat: int) -> str:
        """Describe what passes of all would lead to, certain but for winners in games with secret hands; "" if no player can pass."""
        game, position = get_struggle_and_position(known)
        if position.decision != "play" or position.to_act is None:
            return ""
        passers, struggle, after = _play_all_passes(game, position)
        if struggle is None:
            return ""
        voice = Voice(known.record.names, seat)
        outcome = describe_struggle(game.board, struggle.region, struggle.followers)
        told = make_sentence(f"if {_describe_passes(voice, passers)}, {outcome}")
        return " ".join([told, *_describe_end(game, after, voice)])

    def list_facts(self, known: Replay, seat: int | None) -> tuple[tuple[str, str], ...]:
        game, position = get_struggle_and_position(known)
        voice = Voice(known.record.names, seat)
        rows, before = [], tuple[str, ...]()
        for each in position.seats:
            hand = position.hands[each]
            same = hand == before and len(hand) >= ALIKE and HIDDEN not in hand
            cards = f"the same {spell_number(len(hand))}" if same else write_card_list(hand)
            more = _list_details(game, position, each, voice)
            letters = ((faction, game.board.factions[faction].letter) for faction in game.board.courtly)
            court = " ".join(f"{position.courts[each][faction]}{letter}" for faction, letter in letters)
            text = f"court {court}{GAP}cards: {'; '.join([cards, *more])}"
            who = voice.name_player(each)
            rows.append((capitalize_text(who) if each == seat else who, text))
            before = before or hand
        return tuple(rows)

    def list_result_wordings(self, known: Replay, result: Result, voice: Voice) -> Sequence[str]:
        game, position = get_struggle_and_position(known)
        if not result.winners:
            return "nobody won", describe_ending(game, position, voice)
        short = plugin.say_won(voice, result.winners)
        return short, *describe_victory(game, position, voice), short

    def list_reasons(self, known: Replay, _: Result, voice: Voice) -> Sequence[str]:
        verdict = Verdict.make_verdict(*get_struggle_and_position(known), voice)
        assert verdict is not None
        return *_describe_last_struggles(known), *_describe_regions(verdict), describe_figures(verdict)


PLUGIN = StruggleMail()
