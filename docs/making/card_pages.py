"""A page for each card in the site's own look, and the list of all cards by edition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from attrs import field, frozen
from markupsafe import Markup

from docs.making.cards import Source, cards, identity, of_card, path_of, questions, shown_on, title
from docs.making.changes import showing, with_card
from docs.making.comparison import short as short_title
from docs.making.drawn import DRAWINGS, NAMES, drawing
from docs.making.examples import written
from docs.making.games import struggles
from docs.making.html import answer, html, slug
from docs.making.pictures import Picture, picture_of, picture_of_change
from docs.making.pocket import EDITIONS, OF_RULESET, Edition, pocket, pocket_pages
from docs.making.rule_pages import gate_of, title_of
from docs.making.same import in_editions
from docs.making.words import capital
from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.render.pieces import find_emblem, read_emblems
from tkid.games.struggle.rules.card import Card
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Play
from tkid.kernel.ladder import Ladder
from tkid.rulebook import Rule, all_rules, rule
from tkid.rulebook.rulesets import Ruleset

NOTHING = "nothing"
ASKED = 2
"""So many questions are shown of each rule that says more about a card."""


@frozen
class Example:
    """A card played on one of its steps: the line to write, where it is from, and its picture, or else the whole board."""

    line: str
    source: Source
    picture: Picture | None
    board: tuple[str, int, int, str]


@frozen
class Step:
    """A step of a card: its heading, what its rules say, an example, and its place on the page."""

    heading: str
    rules: tuple[Rule, ...]
    example: Example | None
    place: str


@frozen
class Version:
    """What one rule says about a card: the edition it is from, the steps, other rules, questions and rulings.

    `places` are the names of places on the page that links may use.
    """

    edition: str
    rule: Rule
    steps: tuple[Step, ...]
    gate: Rule | None
    rules: tuple[Rule, ...]
    pictures: tuple[tuple[Rule, Picture], ...]
    asks: tuple[tuple[str, str], ...]
    rulings: tuple[Rule, ...]
    places: dict[str, str]


@frozen
class _Places:
    """Names of places on a page. One that was given before gets a number, as mkdocs did when it made these pages."""

    _given: Counter[str] = field(factory=Counter)

    def __call__(self, words: str) -> str:
        """A place for a heading."""
        place = slug(words)
        number = self._given[place]
        self._given[place] += 1
        return f"{place}_{number}" if number else place


# -- a page -----------------------------------------------------------------------------------------------


def card_page(name: str) -> str:
    """The page of a card."""
    versions = tuple(_versions(name))
    ruleset, card = cards()[name][0]
    entry = rule(card.rule)
    before, after = _neighbours(name)
    return pocket(
        "card.html",
        f"{path_of(name)}index.html",
        title=name,
        description=entry.statement,
        tab="cards",
        top=slug(name),
        emblem=_emblem(card),
        band="bk" if card.faction is None else f"f{card.faction}",
        held=capital(_held(ruleset, card.name)),
        applies=_editions(name, card.rule),
        group=_group(name),
        versions=versions,
        others=_others(name),
        lines=_lines(name, versions),
        before=before,
        after=after,
        path_of=path_of,
        title_of=title_of,
        html=html,
        answer=answer,
    )


def _lines(name: str, versions: Iterable[Version]) -> list[str]:
    """How a card is written in each step of its ladder, by each rule that describes it, or else as a case plays it."""
    steps = (step for each in versions for step in each.steps)
    found = [step.example.line for step in steps if step.example]
    if not found:
        about = [each for _, card in cards()[name] for each in (rule(card.rule), *of_card(card))]
        moves = (each for entry in about for each in showing(entry) if each.write_move is not None and not each.broken)
        lines = (written(each.game, each.write_move) for each in moves)
        found = list(islice((line for line in lines if line.startswith(f"{name} ")), 1))
    return list(dict.fromkeys(found))


def _versions(name: str) -> Iterator[Version]:
    """What each rule says that describes the card in some edition."""
    place, described = _Places(), set[str]()
    place(name)
    for ruleset, card in cards()[name]:
        if card.rule in described:
            continue
        entry, game = rule(card.rule), ruleset.game()
        edition = short_title(ruleset) if described else ""
        places = {"top": place(edition)} if described else {}
        described.add(card.rule)
        places["steps"] = place("What it does, step by step") if isinstance(card.ladder, Ladder) else ""
        steps = tuple(_steps(game, card, place))
        shown = {each.id for step in steps for each in step.rules}
        gate = gate_of(entry)
        rest = tuple(each for each in of_card(card) if each.id not in shown and each != gate)
        places["rules"] = place("Its rules") if of_card(card) else ""
        drawn = () if steps else tuple((each, found) for each in (entry, *rest) if (found := picture_of(each.id)))
        places["examples"] = place("Examples") if not steps else ""
        rulings = tuple(questions(card))
        places["rulings"] = place("Questions") if rulings else ""
        asks = (*entry.asks, *(pair for each in of_card(card) for pair in each.asks[:ASKED]))
        yield Version(edition, entry, steps, gate, rest, drawn, tuple(dict(asks).items()), rulings, places)


def _steps(game: Struggle, card: Card, place: _Places) -> Iterator[Step]:
    """The steps of a card, each rule told at the first step that it is about."""
    if not isinstance(card.ladder, Ladder):
        return
    nothing = f"{card.ladder.in_full.rpartition('.')[0]}.nothing"
    tiers = [(", or ".join(capital(s.label) for s in tier), [s.rule for s in tier]) for tier in card.ladder.tiers]
    told = {card.rule}
    for number, (label, rules) in enumerate([*tiers, (capital(NOTHING), [nothing])]):
        lower = label[:1].lower() + label[1:]
        heading = f"Otherwise: {lower}" if number else f"In full: {lower}"
        new = tuple(rule(each) for each in dict.fromkeys(rules) if each not in told)
        told.update(rules)
        yield Step(
            heading if tiers else label,
            new,
            _example(game, card, number),
            place(f"Step {number + 1}: {lower}"),
        )


def _example(game: Struggle, card: Card, number: int) -> Example | None:
    """A card played on one of its steps."""
    shown = shown_on(identity(game, card), number)
    if shown is None:
        return None
    (move,) = TurnReader(shown.game, NAMES[: len(shown.position.seats)]).read_turn(shown.move).moves
    assert isinstance(move, Play)
    canonical = shown.game.canonical(shown.position, move)
    assert isinstance(canonical, Play)
    change = with_card(shown.game, shown.position, canonical)
    path, whole = drawing(shown.game, shown.position)
    picture = picture_of_change(change)
    if picture:
        del DRAWINGS[path]
    return Example(shown.move, shown.source, picture, (path, whole.width, whole.height, whole.description))


# -- editions ---------------------------------------------------------------------------------------------


def _held(ruleset: Ruleset, name: str) -> str:
    """How many of a card there are, in words."""
    hands = ruleset.game().hands
    count = hands.same.count(name)
    held = {1: "one in every hand", 2: "two in every hand"}.get(count, f"{count} in every hand")
    return held if count else f"one of the {len(hands.deck)} cards that players draw from"


def _editions(name: str, rule_id: str) -> list[Edition]:
    """The editions that have a card by one rule."""
    keys = {OF_RULESET[ruleset.code] for ruleset, card in cards()[name] if card.rule == rule_id}
    return [edition for edition in EDITIONS if edition.key in keys]


def _others(name: str) -> list[tuple[Edition, str, Rule | None]]:
    """What each edition has in the place of a card: its name there and how many there are, or another rule."""
    having = {OF_RULESET[ruleset.code]: (ruleset, card) for ruleset, card in reversed(cards()[name])}
    own = cards()[name][0][1].rule
    rows = {row.edition.key: row for row in in_editions(rule(own))}
    found: list[tuple[Edition, str, Rule | None]] = []
    for edition in EDITIONS:
        if edition.key in having:
            ruleset, card = having[edition.key]
            called = "" if card.name == name else f"{card.name}: "
            found.append((edition, called + _held(ruleset, card.name), None if card.rule == own else rule(card.rule)))
        elif edition.key in rows:
            found.append((edition, rows[edition.key].text, rows[edition.key].rule))
    return found if len(found) > 1 else []


def _group(name: str) -> tuple[str, str]:
    """The group that a card is in on the list: its place and title."""
    return next((place, heading) for place, heading, _, listed, _ in groups() if name in {each[1] for each in listed})


def _neighbours(name: str) -> tuple[str, str]:
    """The cards before and after one, in the order of the list; "" where there is none."""
    names = list(cards())
    at = names.index(name)
    return names[at - 1] if at else "", names[at + 1] if at + 1 < len(names) else ""


# -- the list ---------------------------------------------------------------------------------------------

Group = tuple[str, str, tuple[str, ...], list[tuple[str, str, str, Markup]], list[tuple[str, str]]]
"""A group of the list: place, title, old places, cards as name, page, statement and emblem, and cards told in earlier groups."""


@cache
def groups() -> list[Group]:
    """The cards of The King is Dead by edition, each card in the first group that has it by this name."""
    listed: set[tuple[str, str]] = set()
    found: list[Group] = []
    for rulesets in _list_sharing():
        keys = {OF_RULESET[each.code]: None for each in rulesets}
        held = {name: (each.game(), card) for each in rulesets for name, card in each.game().cards.items()}
        new, old = [], []
        for name, (game, card) in held.items():
            page = title(game, card)
            if (name, page) in listed:
                old.append((name, page))
            else:
                listed.add((name, page))
                new.append((name, page, _statement(card), _emblem(card)))
        names = [edition.name for edition in EDITIONS if edition.key in keys]
        places = tuple(slug(short_title(each)) for each in rulesets)
        found.append((next(iter(keys)), " and ".join(names), places, new, old))
    return found


def _list_sharing() -> Iterable[list[Ruleset]]:
    """The rulesets of each edition of The King is Dead, with those of other editions that have the same cards."""
    groups: dict[frozenset[tuple[str, str]], set[str]] = {}
    for each in struggles():
        edition = OF_RULESET[each.code]
        if not any(edition in keys for keys in groups.values()):
            held = frozenset((name, card.rule) for name, card in each.game().cards.items())
            groups.setdefault(held, set()).add(edition)
    return [[each for each in struggles() if OF_RULESET[each.code] in keys] for keys in groups.values()]


def _emblem(card: Card) -> Markup:
    """The emblem of a card, as boards draw it."""
    return Markup(read_emblems()[find_emblem(card)]["drawing"])  # noqa: S704 - a drawing of ours


def _statement(card: Card) -> str:
    """What a card does, as briefly as the register has it."""
    entry = rule(card.rule)
    return dict(entry.asks).get(f"What does {card.name} do?") or entry.short or entry.statement


def _factions() -> list[tuple[str, Rule]]:
    """The factions of Claim and their powers: the rules of which others go on."""
    powers = [each for each in all_rules() if each.id.startswith("claim.power.") and not each.moved]
    return [(each.title or capital(each.id.rpartition(".")[2]), each) for each in powers if each.id.count(".") == 2]


@pocket_pages
def card_pages() -> Iterator[tuple[str, str]]:
    """The page of each card, and the list."""
    for name in cards():
        yield f"{path_of(name)}index.html", card_page(name)
    yield (
        "cards/index.html",
        pocket(
            "cards.html",
            "cards/index.html",
            title="Cards",
            description="What each card does, by game and edition.",
            tab="cards",
            groups=groups(),
            factions=_factions(),
            path_of=path_of,
            html=html,
        ),
    )
