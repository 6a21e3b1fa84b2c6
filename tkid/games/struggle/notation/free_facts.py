"""The facts in a free text, and the legal turns that match them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice

from attrs import evolve, frozen

from tkid.games.struggle.notation.free_words import STRANGERS, Mention
from tkid.games.struggle.rules import moves
from tkid.games.struggle.rules.board import Board, Followers, Position, add_followers
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.ladder import Nothing

PAIR = ["followers", "region"]
CLAUSES = frozenset({";", ".", "!", "\n", ","})
SENTENCES = frozenset({";", ".", "!", "\n"})
UNREAD = frozenset({"filler", "unknown", "number", *STRANGERS})
"""Kinds of mentions that say nothing of a turn."""
Mentions = list[Mention]


@frozen
class Item:
    """Followers (of factions in `open` at least one) and a place, or one of them, with the word for the `way`, and the verb."""

    group: Followers | None = None
    open: frozenset[int] = frozenset()
    place: int | None = None
    way: str = ""
    verb: str = ""
    said: tuple[Mention, ...] = ()


@frozen
class Summoned:
    """The summons that a text states: a faction, a region, or nobody."""

    faction: int | None = None
    region: int | None = None
    nobody: bool = False
    said: tuple[Mention, ...] = ()


@frozen
class Facts:
    """One way to read a text. `disc` is a region, None where none is named; `discless` where there shall be none."""

    cards: tuple[Mention, ...]
    items: tuple[Item, ...]
    summoned: Summoned | None
    disc: int | None = None
    discless: bool = False
    nothing: bool = False
    everything: bool = False
    seat: int | None = None


def iter_readings(mentions: Sequence[Mention], faction_cards: dict[int, str]) -> Iterator[Facts]:
    """Yield the ways to read mentions in their order, the most natural first; `faction_cards` are named after a faction."""
    every = [mention for mention in mentions if mention.kind not in UNREAD]
    every = _mark_exchanges(every)
    named = [mention for mention in every if mention.kind == "card"]
    if faction_cards and not named:
        _, rest = _take_summons(every)
        first = next((each for each in rest if each.kind == "followers" and each.open & faction_cards.keys()), None)
        if first is not None:
            (faction,) = first.open
            card = evolve(first, kind="card", cards=frozenset([faction_cards[faction]]))
            yield from _split_summons([card if mention is first else mention for mention in every])
    yield from _split_summons(every)


def _mark_exchanges(every: Mentions) -> Mentions:
    """Make an arrow between two groups in their regions one that points both ways."""
    kinds = [mention.kind for mention in every]
    return [
        evolve(mention, kind="against")
        if mention.sign and mention.kind == "to" and kinds[at - 2 : at] == kinds[at + 1 : at + 3] == PAIR
        else mention
        for at, mention in enumerate(every)
    ]


def _split_summons(every: Mentions) -> Iterator[Facts]:
    summoned, rest = _take_summons(every)
    yield from _iter_loose_facts(_make_facts(rest, summoned))
    if summoned is None:
        last, rest = _take_last_pair(rest)
        if last is not None:
            yield from _iter_loose_facts(_make_facts(rest, last))


def _iter_loose_facts(facts: Facts) -> Iterator[Facts]:
    """Yield the facts, then the facts with followers and places that need not belong together."""
    yield facts
    if sum(item.group is not None for item in facts.items) > 1 or any(
        item.group is not None and item.place is not None for item in facts.items
    ):
        return
    bare = [evolve(item, place=None, way="") for item in facts.items if item.group is not None]
    bare += [evolve(item, group=None, open=frozenset()) for item in facts.items if item.place is not None]
    if tuple(bare) != facts.items:
        yield evolve(facts, items=tuple(bare))


def _take_summons(every: Mentions) -> tuple[Summoned | None, Mentions]:
    at = _find_summons_word(every)
    rest = [mention for mention in every if mention.kind != "summon"]
    if at is None:
        return None, rest
    word = every[at]
    beside = [every[index] for index in (at - 1, at + 1) if 0 <= index < len(every)]
    denied = [mention for mention in beside if mention.kind in {"no", "nothing"}]
    if denied:
        said = (word, *denied)
        return Summoned(nobody=True, said=said), [mention for mention in rest if mention not in said]
    aimed = word.kind == "court" and at > 0 and every[at - 1].kind == "to"
    found = {} if aimed else _find_pair_behind(every, at)
    if "followers" not in found:
        found = (
            _find_pair_before(every, at) | found
            if word.kind == "court" or "region" not in found
            else found | _find_pair_before(every, at, only="followers")
        )
    elif "region" not in found:
        clause = _find_pair_before(every, at, stops=CLAUSES)
        if clause.keys() == {"region"}:
            found |= clause
    said = tuple(sorted(found.values(), key=lambda mention: mention.start))
    followers, region = found.get("followers"), found.get("region")
    faction = next((index for index, n in enumerate(followers.group) if n), None) if followers else None
    summoned = Summoned(faction, region.value if region else None, said=(*said, word))
    return summoned, [mention for mention in rest if mention not in said and mention is not word]


def _find_summons_word(every: Mentions) -> int | None:
    """Find the word that asks for a summons. An ambiguous verb counts only if there is no other."""
    strong = [at for at, mention in enumerate(every) if mention.kind == "summon" and mention.strong]
    if strong:
        return strong[-1]
    courts = [at for at, mention in enumerate(every) if mention.kind == "court" and _is_aim(every, at)]
    weak = [
        at
        for at, mention in enumerate(every)
        if mention.kind == "summon" and sum(_find_pair_behind(every, at).get("followers", mention).group) == 1
    ]
    found = weak or courts
    return found[-1] if found else None


def _is_aim(every: Mentions, at: int) -> bool:
    """Return True if followers are sent to a court: `to my court`, `court: …`."""
    behind = every[at + 1] if at + 1 < len(every) else every[at]
    return (at > 0 and every[at - 1].kind == "to") or behind.sign == ":"


def _find_pair_behind(every: Mentions, at: int) -> dict[str, Mention]:
    """Find the first followers and the first region behind a mention, in the same clause or sentence."""
    found: dict[str, Mention] = {}
    for mention in every[at + 1 :]:
        if mention.kind in {"card", "disc", "summon"} or (
            mention.kind == "stop" and mention.sign in SENTENCES and found
        ):
            break
        if mention.kind in {"and", "against", "stop"} and len(found) == 2:
            break
        if mention.kind in found:
            break
        if mention.kind in {"followers", "region"}:
            found[mention.kind] = mention
        if len(found) == 2:
            break
    return found


def _find_pair_before(
    every: Mentions, at: int, *, stops: frozenset[str] = SENTENCES, only: str = ""
) -> dict[str, Mention]:
    """Find the last followers and the last region before a mention, in the same clause or sentence."""
    found: dict[str, Mention] = {}
    for mention in reversed(every[:at]):
        stopped = mention.kind == "stop" and mention.sign in stops
        joined = mention.kind == "and" and (found or stops is CLAUSES)
        other = only and mention.kind == "region"  # `E Essex, summon from Moray`: the English are in Essex
        if mention.kind in {"card", "disc"} or mention.kind in found or stopped or joined or other:
            break
        if mention.kind in {"followers", "region"} and mention.kind in (only or mention.kind):
            found[mention.kind] = mention
        if len(found) == 2 - bool(only):
            break
    return found


def _take_last_pair(every: Mentions) -> tuple[Summoned | None, Mentions]:
    """Return the last followers and their region as a summons without a verb, and the other mentions."""
    facts = [mention for mention in every if mention.kind in {"followers", "region"}]
    pair = facts[-2:]
    if len(facts) < 3 or {mention.kind for mention in pair} != {"followers", "region"}:
        return None, every
    followers, region = sorted(pair, key=lambda mention: mention.kind)
    if sum(followers.group) != 1:
        return None, every
    summoned = Summoned(followers.group.index(1), region.value, said=tuple(pair))
    return summoned, [mention for mention in every if mention not in pair]


def _make_facts(rest: Mentions, summoned: Summoned | None) -> Facts:
    disc, discless, rest = _take_disc(rest)
    seats = [mention.value for mention in rest if mention.kind == "player"]
    kinds = {mention.kind for mention in rest}
    return Facts(
        cards=tuple(mention for mention in rest if mention.kind == "card"),
        items=tuple(_merge_items(list(_iter_items(rest)))),
        summoned=summoned,
        disc=disc,
        discless=discless,
        nothing="nothing" in kinds,
        everything="all" in kinds,
        seat=seats[0] if seats else None,
    )


def _take_disc(every: Mentions) -> tuple[int | None, bool, Mentions]:
    """Return the region of the disc, True if the text rules out a disc, and the other mentions."""
    at = next((index for index, mention in enumerate(every) if mention.kind == "disc"), None)
    rest = [mention for mention in every if mention.kind != "disc"]
    if at is None:
        return None, False, rest
    beside = [every[index] for index in (at - 1, at + 1) if 0 <= index < len(every)]
    denied = [mention for mention in beside if mention.kind == "no"]
    if denied:
        return None, True, [mention for mention in rest if mention not in denied]
    behind = next((mention for mention in every[at + 1 :] if mention.kind in {"region", "followers", "card"}), None)
    if behind is not None and behind.kind == "region":
        return behind.value, False, [mention for mention in rest if mention is not behind]
    before = [mention for mention in every[:at] if mention.kind == "region"]
    return (before[-1].value if before else None), False, rest


def _split_segments(every: Mentions) -> Iterator[tuple[str, Mentions]]:
    """Yield the mentions between separators, each segment with the kind of separator before it."""
    before, segment = "", Mentions()
    for mention in every:
        if mention.kind in {"stop", "and", "against", "card"}:
            if segment:
                yield before, segment
                segment = []
            before = "," if mention.kind in {"stop", "and", "card"} else "for"
        else:
            segment.append(mention)
    if segment:
        yield before, segment


def _iter_items(every: Mentions) -> Iterator[Item]:
    waiting: list[Item] = []
    held: Item | None = None
    verb = ""
    for divided, segment in _split_segments(every):
        if divided == "for":
            yield from waiting
            waiting, held = [], None
        items = list(_iter_segment_items(segment))
        if verb and all(item.place is None and not item.verb for item in items):
            items = [evolve(item, verb=verb) for item in items]
        verb = items[-1].verb if items else verb
        alone = [item for item in items if item.place is None]
        if len(items) == len(alone) and held is not None and divided == ",":
            yield from (
                evolve(item, place=held.place, way=held.way, said=(*item.said, *held.said))
                if not item.verb or not held.verb or item.verb == held.verb
                else item
                for item in items
            )
            continue
        if len(items) == len(alone):
            waiting += items
            continue
        first = items[0]
        if waiting and first.group is not None and divided != "for":
            yield from (
                evolve(item, place=first.place, way=first.way)
                if item.verb in {first.verb, ""} or not first.verb
                else item
                for item in waiting
            )
            waiting = []
        elif waiting and first.group is None and len(items) == 1:
            yield from (
                evolve(item, place=first.place, way=first.way, said=(*item.said, *first.said)) for item in waiting
            )
            waiting, held = [], None
            continue
        held = items[-1] if items[-1].group is None and len(items) == 1 else None
        yield from waiting
        waiting = []
        yield from items
    yield from waiting


def _iter_segment_items(segment: Mentions) -> Iterator[Item]:
    items: list[Item] = []
    way = verb = ""
    done = False
    for mention in segment:
        if mention.kind in {"from", "to"}:
            way = mention.kind
        elif mention.kind in {"place", "return", "swap", "move"}:
            way, verb, done = "", mention.kind, True  # `to swap` says nothing of where to
        elif mention.kind == "followers":
            last = items[-1] if items else None
            free = [item for item in items if item.group is None]
            if last is not None and last.group is not None and last.place is None and last.verb == verb:
                group = add_followers(last.group, mention.group)
                items[-1] = evolve(last, group=group, open=last.open | mention.open, said=(*last.said, mention))
            elif last is not None and len(free) == 1 and last is free[0] and not done:
                items[-1] = evolve(last, group=mention.group, open=mention.open, verb=verb, said=(mention, *last.said))
            else:
                items.append(Item(mention.group, mention.open, verb=verb, said=(mention,)))
            done = False
        elif mention.kind in {"region", "court", "supply"}:
            place = {"court": moves.COURT, "supply": moves.SUPPLY}.get(mention.kind, mention.value)
            last = items[-1] if items else None
            if mention.kind == "supply":
                way = ""
                continue
            if last is not None and last.group is not None and last.place is None:
                items[-1] = evolve(last, place=place, way=way, said=(*last.said, mention))
            else:
                items.append(Item(place=place, way=way, verb=verb, said=(mention,)))
            way = ""
    yield from items


def _merge_items(items: list[Item]) -> Iterator[Item]:
    merged: dict[tuple[int | None, str, str], Item] = {}
    for item in items:
        key = item.place, item.way, item.verb
        same = merged.get(key)
        unplaced = item.place is None and not item.verb
        if item.group is None or unplaced or same is None or same.group is None:
            if key in merged:
                yield item
            else:
                merged[key] = item
            continue
        said = tuple(dict.fromkeys((*same.said, *item.said)))
        merged[key] = evolve(same, group=add_followers(same.group, item.group), open=same.open | item.open, said=said)
    yield from merged.values()


MAX_TRIED_PLAYS = 40
"""Maximum number of resolutions tried with their summonses. If more fit, the text leaves too much open."""
REMEMBERED = 32
UNSAID, UNSAID_PLACE = 4, 2
"""Penalties of a resolution for followers, or a place, that the text doesn't mention."""
Turn = tuple[moves.Move, ...]


@frozen(eq=False)
class Option:
    """A legal way to play a card, and the regions and courts that it touches."""

    game: Struggle
    card: str
    resolution: moves.Resolution
    places: frozenset[int]

    @cached_property
    def flow(self) -> tuple[moves.Transfer, ...]:
        """The followers that it moves, those together that go the same way."""
        return moves.Flow.from_transfers(moves.list_transfers(self.resolution), len(self.game.board.factions)).transfers

    @property
    def play(self) -> moves.Play:
        return moves.Play(self.card, self.resolution)


@lru_cache(REMEMBERED)
def _list_card_options(game: Struggle, position: Position, card: str) -> tuple[Option, ...]:
    return tuple(
        Option(game, card, resolution, _find_touched_places(resolution))
        for resolution in game.list_options(position, card)
    )


def _find_touched_places(resolution: moves.Resolution) -> frozenset[int]:
    done = moves.follow_copy(resolution)
    if isinstance(done, moves.Exchange):
        return frozenset({done.first, done.second})
    return frozenset(
        [place for _, *ends in moves.list_transfers(resolution) for place in ends if place != moves.SUPPLY]
    )


def find_fitting_plays(game: Struggle, position: Position, card: str, facts: Facts) -> list[moves.Play]:
    """Find the legal ways to play a card that match all facts, the least extra first; none may be extra if no card is named."""
    said = {item.place for item in facts.items if item.place is not None}
    found: list[tuple[int, int, moves.Play]] = []
    for option in _list_card_options(game, position, card):
        unsaid = UNSAID_PLACE * len(option.places - said - {moves.COURT})
        if not said <= option.places or (unsaid and not facts.cards) or not _has_matching_details(option, facts):
            continue
        added = _count_additions(option, facts)
        if added is not None and (facts.cards or not added):
            found.append((added + unsaid, len(found), option.play))
    return [play for _, _, play in sorted(found, key=lambda each: each[:2])]


def _has_matching_details(option: Option, facts: Facts) -> bool:
    """Return True if all facts other than followers and places match."""
    done = moves.follow_copy(option.resolution)
    if isinstance(done, Nothing):
        return not facts.items and facts.disc is None
    if facts.nothing or not _is_copied(option, facts) or not _is_all(option, facts):
        return False
    if isinstance(done, moves.Exchange):
        disc = done.disc is None if facts.discless else facts.disc in {None, done.disc}
        return disc and not any(item.group is not None for item in facts.items)
    return facts.disc is None and (not isinstance(done, moves.Shift) or _has_named_direction(done, facts))


def _is_copied(option: Option, facts: Facts) -> bool:
    resolution = option.resolution
    if not isinstance(resolution, moves.Copy):
        return facts.seat is None
    named = facts.cards[1].cards if len(facts.cards) > 1 else {resolution.card}
    return facts.seat in {None, resolution.seat} and resolution.card in named


def _is_all(option: Option, facts: Facts) -> bool:
    """Return True unless the text sends all followers to places that the option doesn't touch."""
    placed = [item.place for item in facts.items if item.group is None]
    return not facts.everything or len(placed) < len(facts.items) or not placed or option.places == {*placed}


def _has_named_direction(shift: moves.Shift, facts: Facts) -> bool:
    """Return True if followers move from the first named region to the second, unless a word says otherwise."""
    ends = [item.place for item in facts.items if item.group is None and item.place is not None]
    unsaid = not any(item.way for item in facts.items)
    return not unsaid or len(ends) != 2 or ends == [shift.origin, shift.target]


def _count_additions(option: Option, facts: Facts) -> int | None:
    """Count what an option adds to the facts; None if a fact doesn't fit it."""
    if not facts.items or not option.flow:
        return 0
    groups = [item for item in facts.items if item.group is not None]
    places = [item for item in facts.items if item.group is None]
    if not all(any(_is_there(each, item) for each in option.flow) for item in places):
        return None
    left = _count_unmatched(groups, list(option.flow))
    if left is None or (facts.everything and left and groups):
        return None
    return UNSAID * left


def _count_unmatched(items: Sequence[Item], flow: list[moves.Transfer]) -> int | None:
    """Count the transfers left over when each item has its own; None if an item has no match."""
    if not items:
        return len(flow)
    first, *others = items
    for index, each in enumerate(flow):
        if _is_there(each, first) and _has_group(each.group, first):
            left = _count_unmatched(others, flow[:index] + flow[index + 1 :])
            if left is not None:
                return left
    return None


def _has_group(group: Followers, item: Item) -> bool:
    assert item.group is not None
    return all(
        n == wanted or (faction in item.open and n > wanted)
        for faction, (n, wanted) in enumerate(zip(group, item.group, strict=True))
    )


def _is_there(each: moves.Transfer, item: Item) -> bool:
    if item.verb == "place" and each.origin != moves.SUPPLY and item.group is not None and each.target == moves.SUPPLY:
        return False
    if item.verb == "return" and each.target != moves.SUPPLY:
        return False
    if item.place is None:
        return True
    if item.group is None:
        ends = {"from": (each.origin,), "to": (each.target,)}.get(item.way, each.ends)
        return item.place in ends
    if item.way:
        return item.place == (each.origin if item.way == "from" else each.target)
    natural = each.target if each.origin == moves.SUPPLY else each.origin
    return item.place == natural or (each.between_regions and item.verb == "move" and item.place == each.target)


def iter_whole_turns(
    game: Struggle, position: Position, plays: Sequence[moves.Play], summoned: Summoned | None
) -> Iterator[Turn]:
    after = ((play, game.apply(position, play)[0]) for play in plays)
    for play, then in islice(after, MAX_TRIED_PLAYS):
        if then.decision != "summon":
            if summoned is None:
                yield (play,)
            continue
        yield from ((play, summons) for summons in find_summonses(game, then, summoned))


def find_summonses(game: Struggle, position: Position, summoned: Summoned | None) -> Iterable[moves.Move]:
    legal = game.legal(position)
    if summoned is None:
        return sort_summonses(legal)
    return [move for move in legal if is_summoned(move, summoned)]


def is_summoned(move: moves.Move, summoned: Summoned) -> bool:
    if isinstance(move, moves.NoSummon):
        return summoned.nobody or (summoned.faction is None and summoned.region is None)
    if not isinstance(move, moves.Summon) or summoned.nobody:
        return False
    return summoned.faction in {None, move.faction} and summoned.region in {None, move.region}


def sort_summonses(legal: Iterable[moves.Move]) -> list[moves.Move]:
    """Sort summonses so that the first ones differ: one of each faction, then the others."""
    first: Mapping[int, moves.Move] = {}
    rest = []
    for move in legal:
        if isinstance(move, moves.Summon) and move.faction not in first:
            first = {**first, move.faction: move}
        else:
            rest.append(move)
    return [*first.values(), *rest]


def write_literal_action(game: Struggle, card: str, facts: Facts) -> str:
    """Write the facts of an action as a line of notation; "" if they don't have the form of the card."""
    write = FORMS.get(game.cards[card].form)
    written = write(game.board, facts) if write else ""
    return f"{card} {written}" if written else ""


def _list_whole_items(facts: Facts) -> list[Item]:
    return [item for item in facts.items if item.group is not None and item.place is not None]


def _write_pair(board: Board, item: Item) -> str:
    assert item.group is not None
    assert item.place is not None
    group = board.group(item.group)
    return group if item.place == moves.COURT else f"{group} {board.name(item.place)}"


def _list_places(facts: Facts) -> list[int]:
    return list(
        dict.fromkeys(item.place for item in facts.items if item.place is not None and item.place != moves.COURT)
    )


def _make_pair_writer(*counts: int, between: str = ", ") -> Callable[[Board, Facts], str]:
    def write(board: Board, facts: Facts) -> str:
        items = _list_whole_items(facts)
        if len(items) != len(facts.items) or len(items) not in counts:
            return ""
        return between.join(_write_pair(board, item) for item in items)

    return write


def _write_spread(board: Board, facts: Facts) -> str:
    items = _list_whole_items(facts)
    if len(items) != len(facts.items) or any(n > 1 for item in items for n in item.group or ()):
        return ""
    return ", ".join(
        f"{board.factions[faction].letter} {board.name(item.place or 0)}"
        for item in items
        for faction, n in enumerate(item.group or ())
        if n
    )


def _write_exchange(board: Board, facts: Facts) -> str:
    places = _list_places(facts)
    if len(places) != 2:
        return ""
    disc = "no disc" if facts.discless else f"disc {board.name(places[0] if facts.disc is None else facts.disc)}"
    return f"{board.name(places[0])} <> {board.name(places[1])}, {disc}"


def _write_shift(board: Board, facts: Facts) -> str:
    groups = [item for item in facts.items if item.group is not None]
    places = {item.way: item.place for item in facts.items if item.way and item.place is not None}
    every = _list_places(facts)
    if len(groups) != 1 or len(every) != 2 or moves.COURT in every:
        return ""
    origin = places.get("from", next((place for place in every if place != places.get("to")), every[0]))
    target = next(place for place in every if place != origin)
    assert groups[0].group is not None
    return f"{board.group(groups[0].group)} {board.name(origin or 0)} > {board.name(target)}"


def _write_landing(board: Board, facts: Facts) -> str:
    places = _list_places(facts)
    parts = [f"{item.verb} {board.group(item.group)}" for item in facts.items if item.group is not None]
    fits = len(places) == 1 and parts and all(item.verb in {"place", "return"} for item in facts.items if item.group)
    return f"{board.name(places[0])} {' '.join(parts)}" if fits else ""


FORMS: Mapping[str, Callable[[Board, Facts], str]] = {
    "place": _make_pair_writer(1),
    "apart": _make_pair_writer(1, 2),
    "spread": _write_spread,
    "exchange": _write_exchange,
    "swap": _make_pair_writer(2, between=" <> "),
    "court_swap": _make_pair_writer(2, between=" <> "),
    "shift": _write_shift,
    "place_return": _write_landing,
    "return_place": _write_landing,
}


def find_word_spans(game: Struggle, card: str, facts: Facts, word: str) -> Sequence[tuple[int, int]]:
    """Find the spans in which a text names a card, a region or followers as this word of the notation does."""
    if word.startswith(card):
        return [(mention.start, mention.end) for mention in facts.cards]
    said = [mention for item in facts.items for mention in item.said]
    board = game.board
    return [
        (mention.start, mention.end)
        for mention in said
        if (mention.kind == "region" and board.name(mention.value) == word)
        or (mention.kind == "followers" and board.group(mention.group) == word)
    ]
