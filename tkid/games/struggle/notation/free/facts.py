"""What a text says of a turn: cards, followers with regions, a disc, a summons. It may be read in several ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from tkid.games.struggle.notation.free.vocabulary import STRANGERS
from tkid.games.struggle.notation.free.words import Mention
from tkid.games.struggle.rules.board import Followers, plus
from tkid.games.struggle.rules.transfers import COURT, SUPPLY

PAIR = ["followers", "region"]
CLAUSES = frozenset({";", ".", "!", "\n", ","})
SENTENCES = frozenset({";", ".", "!", "\n"})
UNREAD = frozenset({"filler", "unknown", *STRANGERS})
"""Kinds of mentions that say nothing of a turn."""
Mentions = list[Mention]


@frozen
class Item:
    """Followers and a place, one of which may be missing: exact numbers, or of the factions in `open` at least one.

    `way` is `from` or `to` where a word says so, `verb` what is done with them. `said` are the mentions.
    """

    group: Followers | None = None
    open: frozenset[int] = frozenset()
    place: int | None = None
    way: str = ""
    verb: str = ""
    said: tuple[Mention, ...] = ()


@frozen
class Summoned:
    """What is said of a summons: the faction, the region, or that there is none."""

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


def readings(mentions: Sequence[Mention], faction_cards: dict[int, str]) -> Iterator[Facts]:
    """The ways to read mentions, the most natural one first.

    Args:
        mentions: what the text says, in its order.
        faction_cards: cards that are called like a faction, by faction.
    """
    every = [mention for mention in mentions if mention.kind not in UNREAD]
    every = _exchanged(every)
    named = [mention for mention in every if mention.kind == "card"]
    if faction_cards and not named:
        _, rest = _summons(every)
        first = next((each for each in rest if each.kind == "followers" and each.open & faction_cards.keys()), None)
        if first is not None:
            (faction,) = first.open
            card = evolve(first, kind="card", cards=frozenset([faction_cards[faction]]))
            yield from _divided([card if mention is first else mention for mention in every])
    yield from _divided(every)


def _exchanged(every: Mentions) -> Mentions:
    """The mentions, with an arrow between two groups in their regions as one in both directions."""
    kinds = [mention.kind for mention in every]
    return [
        evolve(mention, kind="against")
        if mention.sign and mention.kind == "to" and kinds[at - 2 : at] == kinds[at + 1 : at + 3] == PAIR
        else mention
        for at, mention in enumerate(every)
    ]


def _divided(every: Mentions) -> Iterator[Facts]:
    """The ways to tell the summons from the action."""
    summoned, rest = _summons(every)
    yield from _loose(_facts(rest, summoned))
    if summoned is None:
        last, rest = _last_pair(rest)
        if last is not None:
            yield from _loose(_facts(rest, last))


def _loose(facts: Facts) -> Iterator[Facts]:
    """The facts as they stand, and with followers and places that need not belong together."""
    yield facts
    if sum(item.group is not None for item in facts.items) > 1 or any(
        item.group is not None and item.place is not None for item in facts.items
    ):
        return
    bare = [evolve(item, place=None, way="") for item in facts.items if item.group is not None]
    bare += [evolve(item, group=None, open=frozenset()) for item in facts.items if item.place is not None]
    if tuple(bare) != facts.items:
        yield evolve(facts, items=tuple(bare))


# -- the summons ------------------------------------------------------------------------------------------


def _summons(every: Mentions) -> tuple[Summoned | None, Mentions]:
    """What is summoned as a word says so, and the other mentions."""
    at = _summoning(every)
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
    found = {} if aimed else _behind(every, at)
    if "followers" not in found:
        found = (
            _before(every, at) | found
            if word.kind == "court" or "region" not in found
            else found | _before(every, at, only="followers")
        )
    elif "region" not in found:
        clause = _before(every, at, stops=CLAUSES)
        if clause.keys() == {"region"}:
            found |= clause
    said = tuple(sorted(found.values(), key=lambda mention: mention.start))
    followers, region = found.get("followers"), found.get("region")
    faction = next((index for index, n in enumerate(followers.group) if n), None) if followers else None
    summoned = Summoned(faction, region.value if region else None, said=(*said, word))
    return summoned, [mention for mention in rest if mention not in said and mention is not word]


def _summoning(every: Mentions) -> int | None:
    """Where the word is that asks for a summons; a verb that may mean something else only if there is no other."""
    strong = [at for at, mention in enumerate(every) if mention.kind == "summon" and mention.strong]
    if strong:
        return strong[-1]
    courts = [at for at, mention in enumerate(every) if mention.kind == "court" and _is_aim(every, at)]
    weak = [
        at
        for at, mention in enumerate(every)
        if mention.kind == "summon" and sum(_behind(every, at).get("followers", mention).group) == 1
    ]
    found = weak or courts
    return found[-1] if found else None


def _is_aim(every: Mentions, at: int) -> bool:
    """Whether a court is where somebody comes: `to my court`, `court: …`."""
    behind = every[at + 1] if at + 1 < len(every) else every[at]
    return (at > 0 and every[at - 1].kind == "to") or behind.sign == ":"


def _behind(every: Mentions, at: int) -> dict[str, Mention]:
    """The first followers and the first region behind a mention, within what belongs to it."""
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


def _before(every: Mentions, at: int, *, stops: frozenset[str] = SENTENCES, only: str = "") -> dict[str, Mention]:
    """The last followers and the last region before a mention, within what belongs to it."""
    found: dict[str, Mention] = {}
    for mention in reversed(every[:at]):
        stopped = mention.kind == "stop" and mention.sign in stops
        joined = mention.kind == "and" and (found or stops is CLAUSES)
        if mention.kind in {"card", "disc"} or mention.kind in found or stopped or joined:
            break
        if mention.kind in {"followers", "region"} and mention.kind in (only or mention.kind):
            found[mention.kind] = mention
        if len(found) == 2 - bool(only):
            break
    return found


def _last_pair(every: Mentions) -> tuple[Summoned | None, Mentions]:
    """The last followers with their region as a summons that no word asks for, and the other mentions."""
    facts = [mention for mention in every if mention.kind in {"followers", "region"}]
    pair = facts[-2:]
    if len(facts) < 3 or {mention.kind for mention in pair} != {"followers", "region"}:
        return None, every
    followers, region = sorted(pair, key=lambda mention: mention.kind)
    if sum(followers.group) != 1:
        return None, every
    summoned = Summoned(followers.group.index(1), region.value, said=tuple(pair))
    return summoned, [mention for mention in every if mention not in pair]


# -- the action -------------------------------------------------------------------------------------------


def _facts(rest: Mentions, summoned: Summoned | None) -> Facts:
    """The facts of what is left without the summons."""
    disc, discless, rest = _disc(rest)
    seats = [mention.value for mention in rest if mention.kind == "player"]
    kinds = {mention.kind for mention in rest}
    return Facts(
        cards=tuple(mention for mention in rest if mention.kind == "card"),
        items=tuple(_merged(list(_items(rest)))),
        summoned=summoned,
        disc=disc,
        discless=discless,
        nothing="nothing" in kinds,
        everything="all" in kinds,
        seat=seats[0] if seats else None,
    )


def _disc(every: Mentions) -> tuple[int | None, bool, Mentions]:
    """The region that gets the disc, whether none does, and the other mentions."""
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


def _segments(every: Mentions) -> Iterator[tuple[str, Mentions]]:
    """The mentions between signs and words that divide, each with what stands before it."""
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


def _items(every: Mentions) -> Iterator[Item]:
    """Followers with their places: those that stand together belong together."""
    waiting: list[Item] = []
    held: Item | None = None
    verb = ""
    for divided, segment in _segments(every):
        if divided == "for":
            yield from waiting
            waiting, held = [], None
        items = list(_bound(segment))
        if verb and all(item.place is None and not item.verb for item in items):
            items = [evolve(item, verb=verb) for item in items]
        verb = items[-1].verb if items else verb
        alone = [item for item in items if item.place is None]
        if len(items) == len(alone) and held is not None and divided == ",":
            yield from (
                evolve(item, place=held.place, way=held.way, said=(*item.said, *held.said))
                if _same(item, held)
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


def _same(item: Item, held: Item) -> bool:
    """Whether followers may belong to a place that was named before them."""
    return not item.verb or not held.verb or item.verb == held.verb


def _bound(segment: Mentions) -> Iterator[Item]:
    """The items of mentions that nothing divides."""
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
                group = plus(last.group, mention.group)
                items[-1] = evolve(last, group=group, open=last.open | mention.open, said=(*last.said, mention))
            elif last is not None and len(free) == 1 and last is free[0] and not done:
                items[-1] = evolve(last, group=mention.group, open=mention.open, verb=verb, said=(mention, *last.said))
            else:
                items.append(Item(mention.group, mention.open, verb=verb, said=(mention,)))
            done = False
        elif mention.kind in {"region", "court", "supply"}:
            place = {"court": COURT, "supply": SUPPLY}.get(mention.kind, mention.value)
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


def _merged(items: list[Item]) -> Iterator[Item]:
    """The items, with those together that are in the same place and of the same kind."""
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
        merged[key] = evolve(same, group=plus(same.group, item.group), open=same.open | item.open, said=said)
    yield from merged.values()
