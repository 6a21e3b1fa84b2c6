"""What an edition says of itself: facts for comparisons, and answers to questions about its map, its cards and the set-up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from attrs import evolve

from tkid.games.struggle.rules.board import NOWHERE, OPEN, UNSTABLE, Position, replace_item
from tkid.games.struggle.rules.card import Card
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import SUPPLY, Exchange
from tkid.games.struggle.rules.setup import Hands
from tkid.kernel.ladder import Ladder, Nothing, Shape
from tkid.notation.names import list_names
from tkid.rulebook import is_known_rule
from tkid.rulebook.rulesets import NONE, Fact, Ruleset

TOPICS = ("the board", "set-up", "turns", "cards", "endings")
CARD, ENDING = "Card: ", "Ending: "
"""How the titles of facts about cards and endings begin."""


def list_struggle_facts(game: Struggle) -> Iterator[Fact]:
    for topic, stated in zip(
        TOPICS,
        (_list_board_facts, _list_start_facts, _list_turn_facts, _list_card_facts, _list_ending_facts),
        strict=True,
    ):
        yield from (evolve(fact, topic=topic) for fact in stated(game))


def _list_ending_facts(game: Struggle) -> Iterator[Fact]:
    yield _make_fact("Regions without a winner that start an invasion", str(game.invaders), game.invasion.rule)
    for ending in game.endings:
        asked = "\n".join(f"{number}. {link.sentence}" for number, link in enumerate(ending.chain, 1))
        rules = dict.fromkeys((ending.rule, *(link.rule for link in ending.chain)))
        yield _make_fact(f"{ENDING}{ending.name.capitalize()}, step by step", asked, *rules)


def _make_fact(title: str, text: str, *rules: str) -> Fact:
    return Fact(title, title, text, rules)


def _list_board_facts(game: Struggle) -> Iterator[Fact]:
    board, ids = game.board, game.ids
    names = [region.name for region in board.regions]
    yield _make_fact("Factions", ", ".join(faction.name for faction in board.factions), ids("board.factions"))
    yield _make_fact("Regions", f"{len(names)}: {', '.join(names)}", ids("board.regions"))
    borders = ", ".join(f"{names[a]}-{names[b]}" for a, b in sorted(board.borders))
    yield _make_fact("Borders", f"{len(board.borders)}: {borders}", ids("ruling.borders"))
    at_home = [(f.name, home) for f, home in zip(board.factions, board.homes, strict=True) if home != NOWHERE]
    homes = ", ".join(f"{name} {names[home]}" for name, home in at_home)
    yield _make_fact("Homes", homes, ids("board.homes"))


def _list_start_facts(game: Struggle) -> Iterator[Fact]:
    ids, setup, hands = game.ids, game.setup, game.hands
    yield _make_fact("Players", ", ".join(map(str, game.parties)), ids("board.players"))
    for players, each in setup.followers.items():
        yield _make_fact(f"Followers of each faction, {players} players", str(each), ids("setup.supply"))
    teams = [players for players, parties in game.parties.items() if len(parties) < players]
    yield _make_fact("Teams", ", ".join(f"with {n} players" for n in teams) or NONE, ids("ruling.team-order"))
    yield _make_fact("Followers placed at home first", str(setup.home), ids("setup.homes"))
    yield _make_fact("Followers in a region at the start", str(setup.region), ids("setup.regions"))
    yield _make_fact("Followers at each court at the start", str(setup.court), ids("setup.courts"))
    yield from _list_first_edition_facts(game)
    yield _make_fact(
        "Discs or tokens each player has for region cards", str(setup.negotiation_discs), ids("setup.discs")
    )
    yield _make_fact("Cards that everybody holds", f"{len(hands.same)}: {_list_copies(hands)}", ids(hands.rule))
    dealt = (f"{hands.dealt} of {len(hands.deck)}, in secret", ids(hands.rule)) if hands.deck else (NONE,)
    yield _make_fact("Cards drawn in addition", *dealt)


def _list_turn_facts(game: Struggle) -> Iterator[Fact]:
    ids, summons, last = game.ids, game.summons, game.last_card
    restricted = (f"with {last.players} players, only if you win outright with it", ids(last.rule)) if last else (NONE,)
    yield _make_fact("Who may play the last card of the game", *restricted)
    piles = "its owner may look through it" if game.own_pile else "even its owner may see only the top card"
    yield _make_fact("Discard piles", piles, ids("turn.discard"))
    yield _make_fact("Summoning after an action", "if you like" if summons.optional else "always", summons.due)
    alone = ("if you like", summons.alone) if summons.alone else (NONE,)
    yield _make_fact("Summoning without playing a card", *alone)
    after = "the player after the last starter" if game.rotating else "the player after the last to pass"
    yield _make_fact("Who starts after a power struggle", after, ids("struggle.next"))


def _list_first_edition_facts(game: Struggle) -> Iterator[Fact]:
    ids, setup, come = game.ids, game.setup, game.setup.arrivals
    by_number = groupby(setup.redraw.items(), lambda pair: pair[1])
    again = "; ".join(
        f"if {n} or more are of a single faction ({', '.join(str(players) for players, _ in some)} players)"
        for n, some in by_number
    )
    redrawn = (again, ids("setup.redraw")) if again else (NONE,)
    yield _make_fact("Redrawing courts", *redrawn)
    coming = (f"{come.number} of {game.board.factions[come.faction].name}", ids("mordred.arrival")) if come else (NONE,)
    yield _make_fact("Followers who come by themselves", *coming)


def _list_card_facts(game: Struggle) -> Iterator[Fact]:
    for card in game.cards.values():
        text = f"{card.name}: {_describe_ladder(card)}"
        rules = [card.rule, *(shape.rule for shapes in _get_tiers(card) for shape in shapes)]
        if card.undo:
            text += f"; {'no player may' if card.binds_all else 'no other player may'} reverse it at once"
            rules.append(card.undo)
        gate = card.ladder.gate if isinstance(card.ladder, Ladder) else None
        if gate:
            text += f"; {gate.label}"
            rules.append(gate.rule)
        yield Fact(f"{CARD}{identify_card(game, card)}", f"{CARD}{card.name}", text, tuple(dict.fromkeys(rules)))


def identify_card(game: Struggle, card: Card) -> tuple[str, int]:
    """Return what editions share of a card under all its names: its local rule, and its number of that rule."""
    alike = [each.name for each in game.cards.values() if each.rule == card.rule]
    return card.rule.partition(".")[2], alike.index(card.name)


def _describe_ladder(card: Card) -> str:
    if card.form == "reveal":
        return "revealed at the end"
    if card.form == "copy":
        return "copies another player's top card"
    tiers = (" or ".join(shape.label for shape in shapes) for shapes in _get_tiers(card))
    return ", or else ".join([*tiers, "nothing"])


def _get_tiers(card: Card) -> tuple[tuple[Shape[Any, Any], ...], ...]:
    return card.ladder.tiers if isinstance(card.ladder, Ladder) else ()


def _list_copies(hands: Hands) -> str:
    return ", ".join(f"{name} ×{n}" if n > 1 else name for name, n in Counter(hands.same).items())


class CardPlaces(NamedTuple):
    """Where a card may change followers.

    `rule` says where, and `is_held` is true if everybody holds the card. `factions` are those that it places from the supply, and
    `regions` those where it may work at the start. Unless it may work anywhere, `people` are the faction that has to control a
    bordering region, and `home` is the region that also counts while it has no disc, "" for none.
    """

    card: str
    rule: str
    is_held: bool
    factions: tuple[str, ...]
    regions: tuple[str, ...]
    people: str
    home: str


def list_card_places(game: Struggle) -> Iterator[CardPlaces]:
    """Yield where each card may change followers, by its legal options at the start and when one faction controls a region."""
    board, places = game.board, range(len(game.board.regions))
    one_each = (1,) * len(board.factions)
    start = evolve(game.start(2, seed=0), regions=tuple(one_each for _ in places), supply=(2,) * len(board.factions))
    homes_lost = tuple(UNSTABLE if place in board.homes else OPEN for place in places)
    for card in game.cards.values():
        usual, found = _list_touched(card, start), {}
        for owner in (each for each, home in enumerate(board.homes) if home != NOWHERE):
            owned = (evolve(start, discs=replace_item(homes_lost, place, owner)) for place in places)
            if touched := {pair for each in owned for pair in _list_touched(card, each)}:
                found[owner] = touched
        if not found:
            continue
        (owner, touched), *others = found.items()
        regions, near = sorted({region for region, _ in usual}), f"{card.rule}.near"
        yield CardPlaces(
            card.name,
            card.rule if others or not is_known_rule(near) else near,
            card.name in game.hands.same,
            tuple(
                board.factions[each].name for each in sorted({placed for _, placed in touched if placed is not None})
            ),
            tuple(map(board.name_region, regions)),
            "" if others else board.factions[owner].people,
            "" if others or not regions else board.name_region(board.homes[owner]),
        )


def _list_touched(card: Card, position: Position) -> set[tuple[int, int | None]]:
    """Return the regions where a card may place followers, each with a faction; of a card that places none, those that it may change, each with None."""
    transfers = [
        transfer
        for resolution in card.ladder.list_options(position)
        if not isinstance(resolution, Nothing | Exchange)
        for transfer in resolution.list_transfers()
    ]
    placed: set[tuple[int, int | None]] = {
        (transfer.target, faction)
        for transfer in transfers
        for faction, number in enumerate(transfer.group)
        if number and transfer.origin == SUPPLY
    }
    return placed or {(place, None) for transfer in transfers for place in transfer.ends if place >= 0}


Row = tuple[str, str, str, str, bool]
"""A question that a game answers: its kind, its words, the answer, the rule, and whether "I" may ask it."""


@cache
def _read_answers() -> Mapping[str, Any]:
    import tomllib  # noqa: PLC0415 - few questions need an engine

    return tomllib.loads(Path(__file__).with_name("answers.toml").read_text("utf-8"))


def make_answers(game: Struggle) -> dict[str, Any]:
    """Return what a game knows of its map, its cards and the set-up, in the form of `make_facts`."""
    names = [region.name for region in game.board.regions]
    regions, region_rule = f"The regions are {list_names(names, 'and')}.", game.ids("board.regions")
    borders: dict[str, list[str]] = {name: [] for name in names}
    for one, other in sorted(game.board.borders):
        borders[names[one]].append(names[other])
        borders[names[other]].append(names[one])
    places = list(list_card_places(game))
    rows = [
        *_count_followers(game),
        *_count_cards(game),
        *_count_by_facts(game),
        *_count_struggles(game),
        *(("yes map", name, f"Yes. {regions}", region_rule, True) for name in names),
        *_compare_neighbours(game, borders),
        *_list_homes(game, borders),
        *_list_ranges(game),
        *_list_contested(game, places),
    ]
    return {
        "borders": borders,
        "rule": game.ids("ruling.borders"),
        "factions": [faction.name for faction in game.board.factions],
        "cards": [each if each.people else each._replace(regions=()) for each in places],
        "no_region": f"No. {regions}",
        "region_rule": region_rule,
        "rows": rows,
    }


def _count_followers(game: Struggle) -> Iterator[Row]:
    """Yield how many followers there are, of all factions and of each, and how many are left for the supply."""
    setup, rule_id = game.setup, game.ids("setup.supply")
    factions = [game.board.factions[faction].name for faction in game.board.courtly]
    each = {players: setup.followers[players] for players in game.parties}
    whole = {players: len(factions) * count for players, count in each.items()}
    dealt = len(game.board.regions) * setup.region
    left = {players: count - dealt - players * setup.court for players, count in whole.items()}
    counted = {"followers": whole, "followers faction": each} | {f"{name} followers": each for name in factions}
    for words, counts in (counted | {"followers supply": left, "followers supply start": left}).items():
        start = "At the start: " if counts is left else ""
        text = ", ".join(f"{count} with {players} players" for players, count in counts.items())
        yield "number setup", words, f"{start}{text}.", rule_id, False
        for players, count in counts.items():
            yield "number setup", f"{words} {players} player", f"{start}{count}.", rule_id, False


def _count_cards(game: Struggle) -> Iterator[Row]:
    """Yield how many cards there are, how many of each, and whether one can be played twice."""
    hands, copies, regions = game.hands, Counter(game.hands.same), len(game.board.regions)
    rule_id, dealt, deck, held = game.ids(hands.rule), hands.dealt, len(hands.deck), len(hands.same) + hands.dealt
    every = f"{held} in each hand{f', {dealt} of them dealt from {deck},' if deck else ''} and {regions} region cards."
    yield "number", "cards", every, rule_id, False
    mine = f"{held}: {_list_copies(hands)}{f', and {dealt} of {deck} others' if deck else ''}."
    for count in ("", *(f" {players} player" for players in game.parties)):
        yield from (
            ("number hand", f"{words}{count}", mine, rule_id, True) for words in ("cards", "cards hand", "action cards")
        )
    yield "number", "region cards", f"{regions}, one for each region.", game.ids("setup.track"), True
    for last in {name.rpartition(" ")[2] for name in copies} - copies.keys():
        copies[last] = sum(number for name, number in copies.items() if name.endswith(f" {last}"))
    for name, number in copies.items():
        for end in ("", " cards", " copies"):
            yield "number", f"{name}{end}", f"{number} in each hand.", rule_id, True
        once = "No. You hold one copy, and you play each card once."
        several = f"Yes. You hold {number} copies, and you play each once."
        yield "yes twice", f"{name} twice", several if number > 1 else once, rule_id, True


def _count_by_facts(game: Struggle) -> Iterator[Row]:
    stated = {fact.title: fact for fact in list_struggle_facts(game)}
    for words, title, end, personal in _read_answers()["numbers"]:
        for count in ("", *(f" {players} player" for players in game.parties)) if stated[title].rules else ():
            kind = "number end" if words.endswith((" invasion", " end")) else "number"
            rule_id = game.ids("ending.trigger") if words.endswith(" end") else stated[title].rules[0]
            yield kind, f"{words}{count}", stated[title].text + end, rule_id, personal


def _count_struggles(game: Struggle) -> Iterator[Row]:
    """Yield how many followers make a set, how many power struggles there are, and how many passes in a row start one."""
    every = f"{len(game.board.regions)} at most, one for each region."
    for words in ("followers set", "followers complete set"):
        factions = len(game.board.courtly)
        yield "number", words, f"{factions}, one of each faction.", game.ids("ending.invasion.sets"), True
    for words in ("power struggle", "power struggles", "power struggles end"):
        yield "number", words, every, game.ids("ending.trigger"), True
    rule_id, end = game.ids("struggle.trigger"), ": everybody passes in a row."
    every = ", ".join(f"{players} with {players} players" for players in game.parties)
    for words in (
        "passes power struggle",
        "passes power struggle end",
        "passes row",
        "consecutive passes",
        "passes end round",
    ):
        yield "number end", words, f"{every}{end}", rule_id, True
        for players in game.parties:
            yield "number end", f"{words} {players} player", f"{players}{end}", rule_id, True


def _compare_neighbours(game: Struggle, borders: Mapping[str, list[str]]) -> Iterator[Row]:
    for word, choose in (("most", max), ("fewest", min)):
        number = choose(map(len, borders.values()))
        names = [name for name, others in borders.items() if len(others) == number]
        answer = f"{list_names(names, 'and')}: {number}{' each' if len(names) > 1 else ''}."
        yield "open most", f"{word} borders", answer, game.ids("ruling.borders"), True


def _list_homes(game: Struggle, borders: Mapping[str, list[str]]) -> Iterator[Row]:
    """Yield where each faction's home is, whether a region is a home, and what borders it."""
    board, rule_id = game.board, game.ids("board.homes")
    pairs = zip(board.factions, board.homes, strict=True)
    homes = {faction.name: board.name_region(home) for faction, home in pairs if home != NOWHERE}
    for faction, home in homes.items():
        around = f"{home} borders {list_names(borders[home], 'and')}."
        yield "open home", f"{faction} home", f"{home}.", rule_id, True
        yield "open home", f"{faction} home borders", around, game.ids("ruling.borders"), True
        for name in borders:
            answer = "Yes." if name == home else f"No. Their home is {home}."
            yield "yes home", f"{name} {faction} home", answer, rule_id, True
    every = f"The homes are {list_names((f'{faction} {home}' for faction, home in homes.items()), 'and')}."
    for name in borders:
        yield "yes home", f"{name} home", f"{'Yes' if name in homes.values() else 'No'}. {every}", rule_id, True


def _list_ranges(game: Struggle) -> Iterator[Row]:
    """Yield for each card with two regions whether these may be far apart, neighbours, or one and the same."""
    for card in game.cards.values():
        for part, answers in _read_answers()["ranges"].items():
            rule_id = f"{card.rule}.{part}"
            for words, answer in answers.items() if is_known_rule(rule_id) else ():
                for some in words.split(" / "):
                    yield "yes must range", f"{card.name} {some}", answer, rule_id, True


def _list_contested(game: Struggle, places: Iterable[CardPlaces]) -> Iterator[Row]:
    """Yield for each card whether it works in the contested region."""
    answers = _read_answers()["contested"]
    for each in places:
        answer = answers["home" if each.home else "near" if each.people else "open"]
        full = answer.format(people=each.people, home=each.home)
        yield "yes contested", f"{each.card} contested region", full, each.rule, True
    for card in game.cards.values():
        if is_known_rule(f"{card.rule}.face-up"):
            yield "yes contested", f"{card.name} contested region", answers["card"], card.rule, True


make_ruleset = partial(Ruleset, game_name="struggle", facts=list_struggle_facts, answers=make_answers)
"""Makes the `Ruleset` of an edition."""
