"""Tell turns and endings in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Board, Followers, Position, View
from tkid.games.struggle.rules.endings import rank_factions
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import (
    COURT,
    SUPPLY,
    Copy,
    Exchange,
    Flow,
    Move,
    NoSummon,
    Pass,
    Play,
    Resolution,
    Reveal,
    Shift,
    Summon,
    Swap,
    follow_copy,
    list_transfers,
)
from tkid.games.struggle.rules.struggles import Arrival, ResolvedRegion, find_leaders
from tkid.kernel.game import NOBODY, Event, Result, Step, fill_names
from tkid.notation.names import add_article, list_names
from tkid.notation.text import count_noun_in_words, spell_number
from tkid.render.lines import make_printable
from tkid.render.plugin import Tale, TaleSentence

if TYPE_CHECKING:
    from tkid.render.picture import LastTurn

DASH = "\u2013"
"""Between the numbers of a score."""
APOSTROPHE = "\u2019"


def name_factions(board: Board, factions: Sequence[int], *, article: bool = True) -> str:
    """Name factions in a sentence: `the Welsh`, `Mordred`; several have no articles: `Scots and Welsh`."""
    names = [board.factions[faction].people for faction in factions]
    alone = article and len(factions) == 1 and factions[0] not in board.apart
    return f"the {names[0]}" if alone else list_names(names, "and")


def choose_verb(board: Board, factions: Sequence[int], one: str, more: str) -> str:
    """Return `more`, or `one` for a single faction that is a person."""
    return one if len(factions) == 1 and factions[0] in board.apart else more


def format_score(followers: Followers) -> str:
    """Write the followers of the leader and of the next, `3-1`, or the same number of each who tie, `2-2`."""
    most, *rest = sorted(followers, reverse=True)
    tied = followers.count(most)
    return DASH.join(map(str, [most] * tied if tied > 1 else [most, rest[0]]))


def describe_followers(board: Board, followers: Followers, *, again: bool = False) -> str:
    """Describe some followers: `a Welsh follower`, `two Scots`, `two Scots and an English follower`.

    `again` is for a sentence that has already mentioned followers: `a Welsh one`.
    """
    present = [(faction, count) for faction, count in enumerate(followers) if count]
    single = [faction for faction, count in present if count == 1]
    noun = "one" if again else "follower"
    texts = []
    for faction, count in present:
        name = board.factions[faction].name
        if faction in board.apart:
            texts.append(f"{_format_count(count)} of {name}")
        elif count > 1:
            texts.append(f"{spell_number(count)} {board.factions[faction].people}")
        else:
            texts.append(add_article(name) + (f" {noun}" if faction == single[-1] else ""))
    return list_names(texts, "and") if texts else "nobody"


def describe_follower(board: Board, faction: int) -> str:
    """Describe one follower: `a Welsh follower`, `an English follower`."""
    return describe_followers(board, board.make_single(faction))


def _format_count(count: int) -> str:
    return "a follower" if count == 1 else f"{spell_number(count)} followers"


def capitalize_text(text: str) -> str:
    """Return a text with a capital at its start."""
    return f"{text[:1].upper()}{text[1:]}"


def describe_move(game: Struggle, move: Move, seat: int, names: Sequence[str], *, aside: bool = False) -> str:
    """Describe a move, to follow the player's name: `plays Muster: two Scots into Moray`, `passes`.

    `aside` puts the effect of a card in parentheses, so that the sentence can continue.
    """
    match move:
        case Play():
            return f"plays {describe_play(game.board, move, seat, partial(_name_owner, names), aside=aside)}"
        case Summon(faction, region):
            return f"summons {describe_follower(game.board, faction)} from {game.board.name(region)}"
        case NoSummon():
            return "summons nobody" if game.summons.optional else "finds nobody to summon"
        case Reveal(card, faction):
            return f"names {name_factions(game.board, [faction])} for {card}"
        case Pass():
            return "passes"


def _name_owner(names: Sequence[str], seat: int) -> str:
    return f"{names[seat]}{APOSTROPHE}s"


def summarize_turn(game: Struggle, moves: Sequence[Move]) -> str:
    """Sum up a turn in a few words, to follow a name: `plays Manoeuvre: Moray ⇄ Devon`."""
    match moves[0]:
        case Play(card, resolution):
            return f"plays {name_card(game.board, card)}{_format_places(game.board, resolution)}"
        case other:
            return describe_move(game, other, 0, ())


def name_card(board: Board, card: str) -> str:
    """Name a card within a sentence; one that is named after a faction is `the Welsh card`."""
    return f"the {card} card" if any(card == faction.name for faction in board.factions) else card


def _format_places(board: Board, resolution: Any) -> str:
    """Write the regions that a resolution touches, with an arrow between those of a swap or a move."""
    match follow_copy(resolution):
        case Exchange(first, second):
            return f": {board.name(first)} \u21c4 {board.name(second)}"
        case Swap(left, right):
            return f": {board.name(left)} \u21c4 {board.name(right)}"
        case Shift(_, origin, target):
            return f": {board.name(origin)} \u2192 {board.name(target)}"
        case what:
            names = list_places(board, what)
            return f" in {list_names(names, 'and')}" if names else ""


# -- cards and what they do ---------------------------------------------------------------------------------


def describe_play(
    board: Board, play: Play, seat: int, name_owner: Callable[[int], str], *, past: bool = False, aside: bool = False
) -> str:
    """Describe a card and its effect: `Welsh Support: two Welsh into Lancaster`.

    `name_owner` names a player as an owner: `your`, `Bob's`. `past` says what happened, else what happens. `aside` puts
    the effect in parentheses.
    """
    card = _name_played(board, play, name_owner)
    effect = describe_resolution(board, play.resolution, f"{name_owner(seat)} court", past=past)
    if aside:
        return f"{card} ({effect or 'without effect'})"
    return f"{card}: {effect}" if effect else f"{card}, without effect"


def _name_played(board: Board, play: Play, name_owner: Callable[[int], str]) -> str:
    """Name a card that is played, with the card that it copies."""
    copy = play.resolution
    return (
        f"{play.card}, copying {name_owner(copy.seat)} {copy.card}"
        if isinstance(copy, Copy)
        else name_card(board, play.card)
    )


def describe_resolution(board: Board, resolution: Resolution, court: str, *, past: bool = False) -> str:
    """Describe the effect of a card, also of a copied one, to follow the card: `two Scots into Moray`; "" for nothing.

    `court` names the court of the player: `your court`.
    """
    done = follow_copy(resolution)
    if isinstance(done, Exchange):
        return _describe_exchange(board, done, past=past)
    transfers = list_transfers(done)
    unanswered = {each.ends for each in transfers if not any(each.group)}
    left = dict(Flow.from_transfers(transfers, len(board.factions)).groups)
    clauses, there = list[tuple[str, str]](), COURT

    def name(place: int) -> str:
        return court if place == COURT else board.name(place)

    def describe(group: Followers, said: str = "") -> str:
        return describe_followers(
            board, group, again="follower" in said or any("follower" in text for _, text in clauses)
        )

    while left:
        origin, target = next(iter(left))
        told = describe(left.pop((origin, target)))
        start = f" from {'there' if origin == there != COURT else name(origin)}"
        if origin == SUPPLY:
            clauses.append(("place", f"{told} into {name(target)}"))
            there = target
        elif target == SUPPLY:
            clauses.append(("return", f"{told}{start} back to the {board.terms.supply}"))
        elif back := left.pop((target, origin), None):
            clauses.append(("swap", f"{told}{start} swapped for {describe(back, told)} from {name(target)}"))
        else:
            start = "" if clauses and clauses[-1][0] == "move" else start
            end = " for nothing in return" if (target, origin) in unanswered else ""
            clauses.append(("move", f"{told}{start} to {name(target)}{end}"))
    alike = groupby(clauses, key=itemgetter(0))
    return ", then ".join(_join_clauses([text for _, text in some]) for _, some in alike)


def _join_clauses(texts: Sequence[str]) -> str:
    """Join clauses; if one of them has an `and` already, a comma comes before the last."""
    comma = len(texts) > 1 and any(" and " in text for text in texts)
    return f"{', '.join(texts[:-1])}, and {texts[-1]}" if comma else list_names(texts, "and")


def _describe_exchange(board: Board, exchange: Exchange, *, past: bool) -> str:
    change, go = ("changed", "went") if past else ("change", "goes")
    swapped = f"{board.name(exchange.first)} and {board.name(exchange.second)} {change} places on the track"
    disc = f"a {board.terms.negotiation}"
    return f"{swapped}, " + (
        f"without {disc}" if exchange.disc is None else f"and {disc} {go} on {board.name(exchange.disc)}"
    )


def list_places(board: Board, resolution: Resolution) -> list[str]:
    """List the regions that a resolution touches."""
    match follow_copy(resolution):
        case Exchange(first, second):
            regions = [first, second]
        case done:
            regions = [where for each in list_transfers(done) if any(each.group) for where in each.ends if where >= 0]
    return [board.name(region) for region in dict.fromkeys(regions)]


FIRST, SECOND = "by followers of {first}", "by followers of {second}, after a tie on {first}"
OLDER, LATEST = "with the older last card", "by playing a card last"

REASONS: Mapping[str, str] = {
    "ending.coronation.support": FIRST,
    "ending.control.support": FIRST,
    "mordred.ending.support": FIRST,
    "ending.coronation.second": SECOND,
    "ending.control.second": SECOND,
    "mordred.ending.second": SECOND,
    "ruling.second-rank": "by followers of the other factions, after a tie on {first}",
    "ending.plot": "with {plot}, which breaks the tie",
    "team.coronation": "as a team",
    "ending.coronation.emptied": "by running out of cards first",
    "ruling.final-tie": OLDER,
    "ending.control.indecision": OLDER,
    "mordred.ending.indecision": OLDER,
    "mordred.ending.court": "with the largest court",
    "mordred.ending.latest": LATEST,
    "ending.invasion.sets": "with the most complete sets",
    "ending.invasion.latest": LATEST,
}
"""Reasons for a victory, to follow `wins`, by the rule (a local id) of the comparison that found the winner."""


def describe_ending(game: Struggle, position: Position, names: Sequence[str]) -> str:
    """Write how a game ended: `Ann is crowned: the English hold four regions`, `The French invade: nobody wins`."""
    board, winners = game.board, position.winners
    if position.ending == game.coronation.name and winners:
        return f"{describe_coronation(game, winners, names)}: {_describe_ruler(game, position)}"
    if position.ending == game.invasion.name:
        return f"{capitalize_text(board.terms.invaders)} invade: {describe_victory(game, position, names)}"
    if game.usurpation is not None and position.ending == game.usurpation.name:
        region = next(region for region, disc in enumerate(position.discs) if disc in board.apart)
        usurper = name_factions(board, [position.discs[region]])
        return f"{usurper} holds {board.name(region)}: {describe_victory(game, position, names)}"
    return "Every region is settled" if position.decision is None else "The rules did not decide it"


def describe_coronation(game: Struggle, winners: Sequence[int], names: Sequence[str], you: int | None = None) -> str:
    """Name the players who are crowned; team-mates win together, and others share the throne."""
    who = format_players(winners, names, you)
    if len(winners) == 1:
        return f"{who} {'are' if you in winners else 'is'} crowned"
    parties = game.parties[len(names)]
    return f"{who} win" if tuple(winners) in parties else f"{who} share the throne"


def describe_victory(game: Struggle, position: Position, names: Sequence[str], you: int | None = None) -> str:
    """Name the winners and the reason: `Ann wins by followers of the Welsh`, `nobody wins`."""
    winners = position.winners
    if not winners:
        return f"{NOBODY} wins"
    who, step = format_players(winners, names, you), find_deciding_comparison(game, position)
    if step is None:
        return f"{who} share the victory" if len(winners) > 1 else f"{who} {_choose_win_verb(winners, you)}"
    return f"{who} {_choose_win_verb(winners, you)} {_format_reason(game, position, step)}"


def find_deciding_comparison(game: Struggle, position: Position) -> Step | None:
    """Return the comparison that decided a finished game, as far as a position shows it, or None."""
    result = game.result(position)
    return find_winning_comparison(result) if result and result.winners == position.winners else None


def find_winning_comparison(result: Result) -> Step | None:
    """Return the comparison that found the one winning side; None if several share the victory or nobody wins."""
    narrowed = [step for step in result.chain if step.about and len(step.about.left) < len(step.about.values)]
    return narrowed[-1] if narrowed and len(narrowed[-1].about.left) == 1 else None


def format_players(seats: Sequence[int], names: Sequence[str], you: int | None = None) -> str:
    """Write some players as a list, the reader first: `you and Bob`."""
    ordered = sorted(seats, key=lambda seat: (seat != you, seat))
    return list_names(["you" if seat == you else names[seat] for seat in ordered], "and")


def _choose_win_verb(winners: Sequence[int], you: int | None) -> str:
    return "wins" if len(winners) == 1 and you not in winners else "win"


def _format_reason(game: Struggle, position: Position, step: Step) -> str:
    _, _, rule = step.rule.partition(".")
    ranks = [name_factions(game.board, [faction]) for faction in rank_factions(position, game.board.apart)]
    first, second, *_ = [*ranks, "", ""]
    return REASONS[rule].format(first=first, second=second, plot=game.plot)


def _describe_ruler(game: Struggle, position: Position) -> str:
    """Name the most powerful faction and the number of its regions: `the English hold four regions`."""
    ruler = rank_factions(position, game.board.apart)[0]
    count = position.discs.count(ruler)
    regions = count_noun_in_words(count, "region")
    return f"{name_factions(game.board, [ruler])} {choose_verb(game.board, [ruler], 'holds', 'hold')} {regions}"


def predict_struggle(
    board: Board, region: int, followers: Followers, *, last: bool = False, scored: bool = True
) -> str:
    """Predict the end of a region's power struggle with these followers; without `scored`, without numbers.

    `last` means that no other region may be lost: the game would end.
    """
    ahead, name = find_leaders(followers), board.name(region)
    numbers = f" {format_score(followers)}" if scored else ""
    if len(ahead) == 1:
        return (
            f"As it stands, {name_factions(board, ahead)} {choose_verb(board, ahead, 'wins', 'win')} {name}{numbers}."
        )
    lost = f"{board.terms.invaders} would invade" if last else f"{name} would be {board.terms.lost}"
    if not ahead:
        return f"Nobody is there: {lost}."
    tied = (
        f"all {spell_number(len(ahead))} factions" if len(ahead) == len(board.factions) else name_factions(board, ahead)
    )
    return f"As it stands, {tied} tie{numbers}: {lost}."


def describe_struggle(board: Board, region: int, followers: Followers) -> str:
    """Describe the end of a power struggle within a sentence: `the Welsh win Gwynedd 3-1`."""
    ahead, short = find_leaders(followers), describe_struggle_briefly(board, region, followers)
    if len(ahead) == 1:
        return f"{short} {format_score(followers)}"
    return (
        f"{short}: {name_factions(board, ahead)} tie {format_score(followers)}"
        if ahead
        else f"{short}: nobody is there"
    )


def describe_struggle_briefly(board: Board, region: int, followers: Followers) -> str:
    """Describe the same without numbers: `the Welsh win Gwynedd`, `Warwick becomes unstable`."""
    ahead, name = find_leaders(followers), board.name(region)
    if len(ahead) == 1:
        return f"{name_factions(board, ahead)} {choose_verb(board, ahead, 'wins', 'win')} {name}"
    return f"{name} {board.terms.falls}"


def describe_equal_struggles(board: Board, disc: int, regions: Sequence[int]) -> str:
    """Describe the same for several regions that get the same disc: `the Welsh win Gwynedd and Devon`."""
    names = list_names(map(board.name, regions), "and")
    if disc == UNSTABLE:
        return f"{names} {'become' if len(regions) > 1 else 'becomes'} {board.terms.lost}"
    return f"{name_factions(board, [disc])} {choose_verb(board, [disc], 'wins', 'win')} {names}"


def describe_score(board: Board, followers: Followers) -> str:
    """Describe the same after the region: `Welsh win 3-1`, `Scots and Welsh tie 1-1, so it is unstable`."""
    ahead, lost = find_leaders(followers), f"so it is {board.terms.lost}"
    if not ahead:
        return f"nobody is there, {lost}"
    names = name_factions(board, ahead, article=False)
    if len(ahead) > 1:
        return f"{names} tie {format_score(followers)}, {lost}"
    return f"{names} {choose_verb(board, ahead, 'wins', 'win')} {format_score(followers)}"


def describe_earlier_lead(board: Board, followers: Followers) -> str:
    """Describe an earlier lead: `the Welsh led 2-1`, `Scots and Welsh tied 2-2`, `nobody was there`."""
    ahead = find_leaders(followers)
    if not ahead:
        return "nobody was there"
    return f"{name_factions(board, ahead)} {'led' if len(ahead) == 1 else 'tied'} {format_score(followers)}"


def describe_lead(board: Board, region: int, followers: Followers) -> str:
    """Describe the lead in a region now, without a full stop: `The Welsh now lead Gwynedd 3-1`."""
    ahead, name = find_leaders(followers), board.name(region)
    if not ahead:
        return f"Nobody is left in {name}"
    if len(ahead) > 1:
        return f"{name_factions(board, ahead)} now tie {format_score(followers)} in {name}"
    return capitalize_text(
        f"{name_factions(board, ahead)} now {choose_verb(board, ahead, 'leads', 'lead')} {name} {format_score(followers)}"
    )


def describe_due(game: Struggle, position: Position) -> str:
    """Describe the next decision, to follow `to`."""
    return f"name a faction for {game.plot}" if position.decision == "plot" else position.decision or ""


def describe_next_starter(position: Position, names: Sequence[str]) -> list[str]:
    """Name the player who starts after the next power struggle, unless it is simply the next player."""
    return [] if position.starter is None else [f"then {names[(position.starter + 1) % len(position.courts)]} starts"]


def describe_ban(game: Struggle, position: Position, names: Sequence[str], reader: int | None = None) -> str:
    """Name the player who may not undo the last swap, without a full stop; "" if anybody may.

    `reader` is the seat that is addressed as "you".
    """
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
    """Describe the negotiation discs that a player has left."""
    disc, left = game.board.terms.negotiation, position.negotiation_discs[seat]
    return {0: f"{disc} used", 1: f"{disc} left"}.get(left, f"{left} {disc}s left")


def describe_headline(game: Struggle, view: View, names: Sequence[str]) -> str:
    """Write the next player and the contested region, or how the game ended."""
    shown, names = view.shown, list(map(make_printable, names))
    if shown.to_act is None:
        return describe_ending(game, shown, names)
    due = f"{names[shown.to_act]} to {describe_due(game, shown)}"
    if shown.contested is None or not _has_struggle_ahead(shown):
        return due
    return f"{due}: {game.board.name(shown.contested)} is contested"


def write_forecast(game: Struggle, view: View, names: Sequence[str]) -> str:
    """Predict the end of the contested region; after a coronation, give the reason for the victory."""
    shown = view.shown
    if shown.to_act is None and shown.ending == game.coronation.name and find_deciding_comparison(game, shown):
        return f"{capitalize_text(describe_victory(game, shown, list(map(make_printable, names))))}."
    return predict_contested(game, shown)


def predict_contested(game: Struggle, shown: Position, *, scored: bool = True) -> str:
    """Predict the end of the contested region, perhaps without numbers; "" if no region is contested."""
    if shown.contested is None or shown.to_act is None or not _has_struggle_ahead(shown):
        return ""
    last = shown.unstable + 1 == game.invaders
    return predict_struggle(game.board, shown.contested, shown.regions[shown.contested], last=last, scored=scored)


def tell_last_turn(game: Struggle, view: View, names: Sequence[str], last: LastTurn) -> str:
    """Describe the last turn in one sentence."""
    names = list(map(make_printable, names))
    aside = len(last.moves) > 1
    verbs = [describe_move(game, move, last.seat, names, aside=aside) for move in last.moves]
    struggles = _describe_settled(game, view, last)
    acts = f"{names[last.seat]} {' and '.join(verbs) or 'takes a turn'}"
    if not verbs or not struggles:
        return f"{acts}."
    return f"{acts}; then {struggles}." if aside else f"{acts}, and {struggles}."


def tell_last_turn_in_steps(game: Struggle, view: View, names: Sequence[str], last: LastTurn) -> Tale:
    """Describe the last turn step by step."""
    names = list(map(make_printable, names))
    title = f"{names[last.seat]} {summarize_turn(game, last.moves) if last.moves else 'takes a turn'}"
    struggles = _describe_settled(game, view, last, short=True)
    title += f", and {struggles}" if struggles else ""
    steps = tuple(_tell_steps(game, view, names, last))
    return Tale(title, steps, tuple(_list_changes(game, view, last)), _describe_next(game, view.shown, names))


def _describe_settled(game: Struggle, view: View, last: LastTurn, *, short: bool = False) -> str:
    """Write `the Welsh win Gwynedd 3-1`, `three regions are settled at once`; "" for nothing."""
    found = [event.about for event in _list_seen_events(view, last) if isinstance(event.about, ResolvedRegion)]
    if len(found) > 1:
        return f"{spell_number(len(found))} regions are settled at once"
    said = describe_struggle_briefly if short else describe_struggle
    return "".join(said(game.board, struggle.region, struggle.followers) for struggle in found)


def _list_seen_events(view: View, last: LastTurn) -> list[Event]:
    """Return the events of a turn, as far as the seat may know them."""
    return [event.seen(view.seat) for event in last.events]


# -- step by step -------------------------------------------------------------------------------------------


def _tell_steps(game: Struggle, view: View, names: Sequence[str], last: LastTurn) -> Iterator[TaleSentence]:
    """Yield each decision of a turn, and its effects: the first event of each decision is the decision itself."""
    events = _list_seen_events(view, last)
    for move, event in zip(last.moves, events, strict=False):
        yield from _tell_decision(game, move, names, last.seat, event.rule)
    followed = events[len(last.moves) :]
    for event in followed:
        if text := _describe_event(game, event, names):
            yield TaleSentence(f"{capitalize_text(text)}.", event.rule)
    if view.shown.to_act is None and followed:
        yield from _tell_ending(game, view.shown, names)


def _tell_decision(game: Struggle, move: Move, names: Sequence[str], seat: int, rule: str) -> Iterator[TaleSentence]:
    """Yield a decision; a card that is copied has a separate step, with its own rule."""
    if isinstance(move, Play) and isinstance(copy := move.resolution, Copy):
        name_owner = partial(_name_owner, names)
        yield TaleSentence(f"{names[seat]} plays {_name_played(game.board, move, name_owner)}.", rule)
        effect = describe_play(game.board, Play(copy.card, copy.resolution), seat, name_owner)
        yield TaleSentence(f"{capitalize_text(effect)}.", game.cards[copy.card].rule)
    else:
        yield TaleSentence(f"{names[seat]} {describe_move(game, move, seat, names)}.", rule)


def _describe_event(game: Struggle, event: Event, names: Sequence[str]) -> str:
    """Describe an effect; "" for the comparisons at the end of a game, which are reported together."""
    board = game.board
    match event.about:
        case ResolvedRegion(region, followers):
            return describe_struggle(board, region, followers)
        case Arrival(faction, region):
            return f"{describe_follower(board, faction)} comes to {board.name(region)}"
    spoken = {game.ids("ruling.empty-hand"), *([game.ids("card.plot")] if game.plot else [])}
    return fill_names(event.text.replace("'", APOSTROPHE), names) if event.rule in spoken else ""


def _tell_ending(game: Struggle, shown: Position, names: Sequence[str]) -> Iterator[TaleSentence]:
    """Yield the players who are crowned, with the reason; or that all who are left tie."""
    rules = {ending.name: ending.rule for ending in game.endings}
    if shown.ending not in rules:
        return
    yield TaleSentence(f"{describe_ending(game, shown, names)}.", rules[shown.ending])
    step, chain = find_deciding_comparison(game, shown), (result.chain if (result := game.result(shown)) else ())
    if len(shown.winners) > 1 and step is None and chain:
        yield TaleSentence(
            f"{format_players(shown.winners, names)} are still tied after every comparison.", chain[-1].rule
        )
    if shown.ending == game.coronation.name and step is not None:
        yield TaleSentence(f"{capitalize_text(describe_victory(game, shown, names))}.", step.rule)


# -- what it changed ----------------------------------------------------------------------------------------


def _list_changes(game: Struggle, view: View, last: LastTurn) -> Iterator[str]:
    """Yield the new leads in regions, and the prospects of the contested region."""
    shown, earlier, board = view.shown, last.before, game.board
    if shown.contested is None or not _has_struggle_ahead(shown):
        return
    changed = _list_changed_leads(shown, earlier) if earlier is not None else []
    for region in changed:
        was = describe_earlier_lead(board, earlier.regions[region])
        yield f"{describe_lead(board, region, shown.regions[region])}; before, {was}."
    if earlier is not None and earlier.contested != shown.contested:
        yield f"{board.name(shown.contested)} is contested now."
    if shown.contested not in changed:
        yield predict_contested(game, shown)


def _has_struggle_ahead(shown: Position) -> bool:
    return shown.contested is not None and shown.decision in {"play", "summon"}


def _list_changed_leads(shown: Position, earlier: Position) -> list[int]:
    pairs = enumerate(zip(earlier.regions, shown.regions, shown.discs, strict=True))
    return [region for region, (was, now, disc) in pairs if disc == OPEN and find_leaders(was) != find_leaders(now)]


def _describe_next(game: Struggle, shown: Position, names: Sequence[str]) -> str:
    """Name the next player, and report if a pass would settle the region; "" when the game is over."""
    if shown.to_act is None:
        return ""
    name = names[shown.to_act]
    if shown.decision != "play":
        due = {"summon": "still has to summon", "plot": f"names a faction for {game.plot}"}
        return f"{name} {due[shown.decision or '']}."
    if shown.contested is not None and shown.passes + 1 == len(shown.courts):
        return f"{name} is next, and a pass would settle {game.board.name(shown.contested)}."
    return f"{name} is next."
