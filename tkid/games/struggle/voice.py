"""Tell turns, power struggles, forecasts and endings in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from tkid.games.struggle.rules import moves
from tkid.games.struggle.rules.board import (
    OPEN,
    Board,
    Followers,
    Position,
    View,
    describe_followers,
    describe_struggle,
    find_leaders,
    format_score,
    name_factions,
    say_factions,
    say_outcome,
)
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.struggles import ResolvedRegion, list_struggles
from tkid.games.struggle.verdict import Verdict, describe_ending, describe_victory
from tkid.kernel.game import NOBODY, Event
from tkid.notation.names import list_names
from tkid.notation.text import capitalize_text, spell_number
from tkid.notation.voice import Voice, join_clauses, list_and, make_sentence
from tkid.render.lines import make_printable
from tkid.render.plugin import Tale, TaleSentence

if TYPE_CHECKING:
    from tkid.render.picture import LastTurn


def list_deeds(game: Struggle, move: moves.Move, seat: int, voice: Voice) -> list[str]:
    """List what a player does in a move: `plays Muster`, `puts two Scots into Moray`, `returns a Welsh follower from there`."""

    def say(verb: str, what: str) -> str:
        return f"{voice.inflect(verb, seat)} {what}".rstrip()

    match move:
        case moves.Play(card, resolution):
            effects = _list_effects(game.board, resolution, say, f"{voice.name_owner(seat)} court")
            vain = "" if effects else " without effect"
            if isinstance(resolution, moves.Copy):
                copied = f"{voice.name_owner(resolution.seat)} {resolution.card}{vain}"
                return [say("play", card), say("copy", copied), *effects]
            return [say("play", f"{name_card(game.board, card)}{vain}"), *effects]
        case moves.Summon(faction, region):
            one = describe_followers(game.board, game.board.make_single(faction))
            return [say("summon", f"{one} from {game.board.name_region(region)}")]
        case moves.NoSummon():
            return [say("summon", NOBODY) if game.summons.optional else say("find", f"{NOBODY} to summon")]
        case moves.Reveal(card, faction):
            return [say("name", f"{name_factions(game.board, [faction])} for {card}")]
        case moves.Pass():
            return [say("pass", "")]


def describe_deeds(game: Struggle, played: Sequence[moves.Move], seat: int, voice: Voice) -> str:
    """Describe what a player does: `Ann plays Aid, puts two Scots into Moray, and summons a Welsh follower from Devon`."""
    deeds = join_clauses([deed for move in played for deed in list_deeds(game, move, seat, voice)])
    return f"{voice.name_player(seat)} {deeds}"


def summarize_turn(game: Struggle, played: Sequence[moves.Move]) -> str:
    """Sum up a turn in a few words, to follow a name: `plays Manoeuvre: Moray ⇄ Devon`."""
    match played[0]:
        case moves.Play(card, resolution):
            return f"plays {name_card(game.board, card)}{_format_places(game.board, resolution)}"
        case other:
            return list_deeds(game, other, 0, Voice(("",)))[0]


def name_card(board: Board, card: str) -> str:
    """Name a card within a sentence; one that is named after a faction is `the Welsh card`."""
    return f"the {card} card" if any(card == faction.name for faction in board.factions) else card


def _format_places(board: Board, resolution: Any) -> str:
    """Write the regions that a resolution touches, with an arrow between those of a swap or a move."""
    match moves.follow_copy(resolution):
        case moves.Exchange(first, second):
            return f": {board.name_region(first)} \u21c4 {board.name_region(second)}"
        case moves.Swap(left, right):
            return f": {board.name_region(left)} \u21c4 {board.name_region(right)}"
        case moves.Shift(_, origin, target):
            return f": {board.name_region(origin)} \u2192 {board.name_region(target)}"
        case what:
            names = list_places(board, what)
            return f" in {list_names(names, 'and')}" if names else ""


def _list_effects(board: Board, resolution: moves.Resolution, say: Callable[[str, str], str], court: str) -> list[str]:
    """List the effects of a (copied) card, `puts two Scots into Moray`; `say` joins verb and object, `court`: `your court`."""
    done = moves.follow_copy(resolution)
    if isinstance(done, moves.Exchange):
        swapped = say(
            "swap", f"the region cards of {board.name_region(done.first)} and {board.name_region(done.second)}"
        )
        disc = "" if done.disc is None else say("put", f"a {board.terms.negotiation} on {board.name_region(done.disc)}")
        return [swapped, *([disc] if disc else [])]
    transfers = moves.list_transfers(done)
    unanswered = {each.ends for each in transfers if not any(each.group)}
    left = dict(moves.Flow.from_transfers(transfers, len(board.factions)).groups)
    effects, there, told = list[tuple[str, str]](), moves.COURT, ""

    def name(place: int) -> str:
        return "there" if place == there != moves.COURT else court if place == moves.COURT else board.name_region(place)

    def describe(group: Followers, before: str = "") -> str:
        return describe_followers(board, group, again="follower" in told + before)

    while left:
        origin, target = next(iter(left))
        group = describe(left.pop((origin, target)))
        if origin == moves.SUPPLY:
            verb, what = "put", f"{group} there" if name(target) == "there" else f"{group} into {name(target)}"
        elif target == moves.SUPPLY:
            verb, what = "return", f"{group} from {name(origin)} to the {board.terms.supply}"
        elif back := left.pop((target, origin), None):
            verb, what = "swap", f"{group} from {name(origin)} for {describe(back, group)} from {name(target)}"
        else:
            start = "" if effects and effects[-1][0] == "move" else f" from {name(origin)}"
            end = " for nothing in return" if (target, origin) in unanswered else ""
            verb, what = "move", f"{group}{start} to {name(target)}{end}"
        there, told = (target if origin == moves.SUPPLY else origin), told + what
        effects.append((verb, what))
    alike = groupby(effects, key=itemgetter(0))
    return [say(verb, list_and(what for _, what in some)) for verb, some in alike]


def list_places(board: Board, resolution: moves.Resolution) -> list[str]:
    match moves.follow_copy(resolution):
        case moves.Exchange(first, second):
            regions = [first, second]
        case done:
            regions = [
                where for each in moves.list_transfers(done) if any(each.group) for where in each.ends if where >= 0
            ]
    return [board.name_region(region) for region in dict.fromkeys(regions)]


MAX_TOLD_SINGLY = 2
"""Maximum number of power struggles in one turn for which the scores are given; with more, only the winners are."""


def describe_struggles(board: Board, struggles: Sequence[ResolvedRegion], *, past: bool = False) -> list[str]:
    """Describe the power struggles of one turn: a few with their scores, many by their winners."""
    if len(struggles) <= MAX_TOLD_SINGLY:
        return [describe_struggle(board, each.region, each.followers, past=past) for each in struggles]
    regions: dict[int, list[int]] = {}
    for each in struggles:
        regions.setdefault(each.disc, []).append(each.region)
    return [say_outcome(board, disc, held, past=past) for disc, held in sorted(regions.items(), reverse=True)]


def describe_earlier_lead(board: Board, followers: Followers) -> str:
    """Describe an earlier lead: `the Welsh led 2 to 1`, `Scots and Welsh tied at 2`, `nobody was there`."""
    ahead = find_leaders(followers)
    verb = "lead" if len(ahead) == 1 else "tie"
    return f"{say_factions(board, ahead, verb, past=True)} {format_score(followers)}" if ahead else "nobody was there"


def describe_lead(board: Board, region: int, followers: Followers) -> str:
    """Describe the lead in a region now, without a full stop: `The Welsh now lead Gwynedd 3 to 1`."""
    ahead, name, score = find_leaders(followers), board.name_region(region), format_score(followers)
    if not ahead:
        return f"Nobody is left in {name}"
    if len(ahead) > 1:
        return f"{say_factions(board, ahead, 'now tie')} {score} in {name}"
    return capitalize_text(f"{say_factions(board, ahead, 'now lead')} {name} {score}")


def describe_due(game: Struggle, position: Position) -> str:
    """Describe the next decision, to follow `to`."""
    return f"name a faction for {game.plot}" if position.decision == "plot" else position.decision or ""


def describe_next_starter(position: Position, names: Sequence[str]) -> list[str]:
    """Name the player who starts after the next power struggle, unless it is simply the next player."""
    return [] if position.starter is None else [f"then {names[(position.starter + 1) % len(position.courts)]} starts"]


def describe_ban(game: Struggle, position: Position, names: Sequence[str], reader: int | None = None) -> str:
    """Name who may not undo the last swap, without a full stop; "" if all may. `reader` is the seat called "you"."""
    banned = position.banned
    if banned is None or position.to_act is None:
        return ""
    allowed = position.to_act == banned.by and not game.cards[banned.card].binds_all
    you, name = position.to_act == reader, names[position.to_act]
    subject = f"Only {'you' if you else name} may" if allowed else f"{'You' if you else name} may not"
    whose = "your" if banned.by == reader else f"{names[banned.by]}'s"
    return f"{subject} undo {whose} {banned.card}"


def describe_team(game: Struggle, position: Position, seat: int) -> list[str]:
    """Return the letter of a seat's team, in a team game."""
    parties = game.parties[len(position.courts)]
    if len(parties) == len(position.courts):
        return []
    return [f"team {letter}" for letter, party in zip(ascii_uppercase, parties, strict=False) if seat in party]


def describe_discs_left(game: Struggle, position: Position, seat: int) -> str:
    disc, left = game.board.terms.negotiation, position.negotiation_discs[seat]
    return {0: f"{disc} used", 1: f"{disc} left"}.get(left, f"{left} {disc}s left")


def describe_headline(game: Struggle, view: View, names: Sequence[str]) -> str:
    shown, names = view.shown, list(map(make_printable, names))
    if shown.to_act is None:
        return capitalize_text(describe_ending(game, shown, Voice(names)))
    due = f"{names[shown.to_act]} to {describe_due(game, shown)}"
    if shown.contested is None or not _has_struggle_ahead(shown):
        return due
    return f"{due}: {game.board.name_region(shown.contested)} is contested"


def write_forecast(game: Struggle, view: View, names: Sequence[str]) -> str:
    """Predict the end of the contested region; after a coronation, give the reason for the victory."""
    shown = view.shown
    if shown.to_act is None and shown.ending == game.coronation.name:
        told = describe_victory(game, shown, Voice(list(map(make_printable, names))))
        return make_sentence(told[0]) if len(told) > 1 else ""
    return predict_contested(game, shown)


def predict_contested(game: Struggle, shown: Position, *, scored: bool = True) -> str:
    """Predict the end of the contested region, perhaps without numbers; "" if no region is contested."""
    if shown.contested is None or shown.to_act is None or not _has_struggle_ahead(shown):
        return ""
    board, region, followers = game.board, shown.contested, shown.regions[shown.contested]
    ahead = find_leaders(followers)
    numbers = f" {format_score(followers)}" if scored else ""
    if len(ahead) == 1:
        return f"As it stands, {say_outcome(board, ahead[0], [region])}{numbers}."
    last = shown.unstable + 1 == game.invaders
    lost = (
        f"{board.terms.invaders} would invade" if last else f"{board.name_region(region)} would be {board.terms.lost}"
    )
    if not ahead:
        return f"Nobody is there: {lost}."
    every = len(ahead) == len(board.factions)
    tie = f"all {spell_number(len(ahead))} factions tie" if every else say_factions(board, ahead, "tie")
    return f"As it stands, {tie}{numbers}: {lost}."


def tell_last_turn(game: Struggle, view: View, names: Sequence[str], last: LastTurn) -> str:
    speaker = Voice(list(map(make_printable, names)))
    struggles = _describe_settled(game, view, last)
    if not last.moves:
        return f"{speaker.name_player(last.seat)} takes a turn."
    acts = describe_deeds(game, last.moves, last.seat, speaker)
    if not struggles:
        return f"{acts}."
    return f"{acts}; then {struggles}." if len(last.moves) > 1 else f"{acts}, and {struggles}."


def tell_last_turn_in_steps(game: Struggle, view: View, names: Sequence[str], last: LastTurn) -> Tale:
    names = list(map(make_printable, names))
    title = f"{names[last.seat]} {summarize_turn(game, last.moves) if last.moves else 'takes a turn'}"
    struggles = _describe_settled(game, view, last, short=True)
    title += f", and {struggles}" if struggles else ""
    steps = tuple(_tell_steps(game, view, names, last))
    return Tale(title, steps, tuple(_list_changes(game, view, last)), _describe_next(game, view.shown, names))


def _describe_settled(game: Struggle, view: View, last: LastTurn, *, short: bool = False) -> str:
    """Write `the Welsh win Gwynedd 3 to 1`, `three regions are settled at once`; "" for nothing."""
    found = list_struggles(_list_seen_events(view, last))
    if len(found) > 1:
        return f"{spell_number(len(found))} regions are settled at once"
    if short:
        return "".join(say_outcome(game.board, each.disc, [each.region]) for each in found)
    return "".join(describe_struggle(game.board, each.region, each.followers) for each in found)


def _list_seen_events(view: View, last: LastTurn) -> list[Event]:
    return [event.seen(view.seat) for event in last.events]


def _tell_steps(game: Struggle, view: View, names: Sequence[str], last: LastTurn) -> Iterator[TaleSentence]:
    spoken = {game.ids("ruling.empty-hand"), *([game.ids("card.plot")] if game.plot else [])}
    events = _list_seen_events(view, last)
    for event in events:
        if event.about is not None or event.rule in spoken:  # the comparisons at the end are reported together
            yield from (TaleSentence(make_sentence(told.text), told.rule) for told in tell_event(game, event, names))
    if view.shown.to_act is None and len(events) > len(last.moves):
        yield from _tell_ending(game, view.shown, names)


def tell_event(game: Struggle, event: Event, names: Sequence[str]) -> tuple[TaleSentence, ...]:
    """Tell an event; a card that is copied has a sentence of its own, with its own rule."""
    if not isinstance(event.about, moves.Decided):
        return (TaleSentence(event.read(names), event.rule),)
    seat, move = event.about.seat, event.about.move
    deeds, copy = list_deeds(game, move, seat, Voice(names)), move.resolution if isinstance(move, moves.Play) else None
    if not isinstance(copy, moves.Copy) or len(deeds) == 2:
        return (TaleSentence(f"{names[seat]} {join_clauses(deeds)}", event.rule),)
    copied = TaleSentence(f"{names[seat]} {join_clauses(deeds[2:])}", game.cards[copy.card].rule)
    return TaleSentence(f"{names[seat]} {join_clauses(deeds[:2])}", event.rule), copied


def _tell_ending(game: Struggle, shown: Position, names: Sequence[str]) -> Iterator[TaleSentence]:
    rules = {ending.name: ending.rule for ending in game.endings}
    if shown.ending not in rules:
        return
    speaker = Voice(names)
    yield TaleSentence(make_sentence(describe_ending(game, shown, speaker)), rules[shown.ending])
    verdict = Verdict.make_verdict(game, shown, speaker)
    if verdict and len(shown.winners) > 1 and verdict.compared is None:
        yield TaleSentence(f"{speaker.name_all(shown.winners)} are still tied after every comparison.", verdict.rule)
    if verdict and verdict.compared and shown.ending == game.coronation.name:
        yield TaleSentence(make_sentence(describe_victory(game, shown, speaker)[0]), verdict.rule)


def _list_changes(game: Struggle, view: View, last: LastTurn) -> Iterator[str]:
    shown, earlier, board = view.shown, last.before, game.board
    if shown.contested is None or not _has_struggle_ahead(shown):
        return
    changed = _list_changed_leads(shown, earlier) if earlier is not None else []
    for region in changed:
        was = describe_earlier_lead(board, earlier.regions[region])
        yield f"{describe_lead(board, region, shown.regions[region])}; before, {was}."
    if earlier is not None and earlier.contested != shown.contested:
        yield f"{board.name_region(shown.contested)} is contested now."
    if shown.contested not in changed:
        yield predict_contested(game, shown)


def _has_struggle_ahead(shown: Position) -> bool:
    return shown.contested is not None and shown.decision in {"play", "summon"}


def _list_changed_leads(shown: Position, earlier: Position) -> list[int]:
    pairs = enumerate(zip(earlier.regions, shown.regions, shown.discs, strict=True))
    return [region for region, (was, now, disc) in pairs if disc == OPEN and find_leaders(was) != find_leaders(now)]


def _describe_next(game: Struggle, shown: Position, names: Sequence[str]) -> str:
    if shown.to_act is None:
        return ""
    name = names[shown.to_act]
    if shown.decision != "play":
        due = {"summon": "still has to summon", "plot": f"names a faction for {game.plot}"}
        return f"{name} {due[shown.decision or '']}."
    if shown.contested is not None and shown.passes + 1 == len(shown.courts):
        return f"{name} is next, and a pass would settle {game.board.name_region(shown.contested)}."
    return f"{name} is next."
