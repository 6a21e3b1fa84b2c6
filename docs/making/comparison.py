"""What differs between the rulesets: by values, by the rules in force, and by rules of the same name in several families."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from attrs import frozen

from docs.making.endings import steps
from docs.making.words import capital, link, prose, table
from tkid.games.struggle.board import NOWHERE
from tkid.games.struggle.game import Struggle
from tkid.rulebook import Rule, all_rules, known, rule
from tkid.rulesets import Ruleset, rulesets

PAGE = "comparison.md"
NONE = "–"
CARD, QUESTION = "Card: ", "Open question: "
"""How titles of rows begin that only say that a ruleset has something."""


@frozen
class Cell:
    """What one ruleset says: a text, and the rules that say it."""

    text: str
    rules: tuple[str, ...] = ()


@frozen
class Row:
    """One thing in which rulesets may differ: a cell for each, by code."""

    title: str
    cells: Mapping[str, Cell]

    @property
    def differs(self) -> bool:
        """Whether not all say the same."""
        return len(set(self.cells.values())) > 1


@cache
def rows() -> tuple[Row, ...]:
    """Every thing that is compared, in reading order."""
    columns = {ruleset.code: dict(_values(ruleset)) for ruleset in rulesets()}
    titles = dict.fromkeys(title for column in columns.values() for title in column)
    return tuple(
        Row(title, {code: column.get(title, Cell(NONE)) for code, column in columns.items()}) for title in titles
    )


def _values(ruleset: Ruleset) -> Iterator[tuple[str, Cell]]:
    """What a ruleset says, by title."""
    game = ruleset.game()
    yield "Source", Cell(ruleset.source)
    yield from _board(game)
    yield from _start(game)
    for name, card in game.cards.items():
        yield f"{CARD}{name}", Cell("in the game", (card.rule,))
    yield "Instability discs that bring the invasion", Cell(str(game.invaders), (game.invasion.rule,))
    for ending in game.endings:
        name = capital(ending.name)
        for step in steps(ending):
            yield f"{name}: {step.said}", Cell("asked", (step.rule,))
        order = "\n".join(f"{number} {step.label}" for number, step in enumerate(steps(ending), 1))
        yield f"{name}, in this order", Cell(order)
    for switch in ruleset.switches:
        entry = rule(switch)
        others = [option for option in entry.options if option != entry.default]
        yield f"{QUESTION}{entry.question}", Cell(f"{entry.default}; or else {', '.join(others)}", (switch,))


def _board(game: Struggle) -> Iterator[tuple[str, Cell]]:
    """The board of a game."""
    board, ids = game.board, game.ids
    names = [region.name for region in board.regions]
    yield "Factions", Cell(", ".join(faction.name for faction in board.factions), (ids("board.factions"),))
    yield "Regions", Cell(f"{len(names)}: {', '.join(names)}", (ids("board.regions"),))
    borders = ", ".join(f"{names[a]}-{names[b]}" for a, b in sorted(board.borders))
    yield "Borders", Cell(f"{len(board.borders)}: {borders}", (ids("ruling.borders"),))
    at_home = [(f.name, home) for f, home in zip(board.factions, board.homes, strict=True) if home != NOWHERE]
    homes = ", ".join(f"{name} {names[home]}" for name, home in at_home)
    yield "Homes", Cell(homes, (ids("board.homes"),))


def _start(game: Struggle) -> Iterator[tuple[str, Cell]]:
    """Who plays, and what they start with."""
    ids, setup, hands = game.ids, game.setup, game.hands
    yield "Players", Cell(", ".join(map(str, game.parties)), (ids("board.players"),))
    for players, each in setup.followers.items():
        yield f"Followers of each faction, {players} players", Cell(str(each), (ids("setup.supply"),))
    teams = [players for players, parties in game.parties.items() if len(parties) < players]
    yield "Teams", Cell(", ".join(f"with {n} players" for n in teams) or NONE, (ids("ruling.team-order"),))
    yield "Followers at home before anything is drawn", Cell(str(setup.home), (ids("setup.homes"),))
    yield "Followers in a region at the start", Cell(str(setup.region), (ids("setup.regions"),))
    yield "Followers in a first court", Cell(str(setup.court), (ids("setup.courts"),))
    yield "Negotiation discs of a player", Cell(str(setup.negotiation_discs), (ids("setup.discs"),))
    counted = Counter(hands.same)
    held = ", ".join(f"{name} ×{n}" if n > 1 else name for name, n in counted.items())
    yield "Cards that everybody holds", Cell(f"{len(hands.same)}: {held}", (ids(hands.rule),))
    dealt = f"{hands.dealt} of {len(hands.deck)}, in secret" if hands.deck else NONE
    yield "Cards drawn besides", Cell(dealt, (ids(hands.rule),) if hands.deck else ())


# -- rules in force ---------------------------------------------------------------------------------------


@cache
def stated(code: str) -> frozenset[str]:
    """The rules that a ruleset's value names, under whatever reading."""
    ruleset = next(ruleset for ruleset in rulesets() if ruleset.code == code)
    chosen = [{}, *({switch: option} for switch in ruleset.switches for option in rule(switch).options)]
    return frozenset(ruleset.switches) | {
        text for each in chosen for text in _texts(ruleset.game(each), set()) if known(text)
    }


def _texts(value: object, seen: set[int]) -> Iterator[str]:
    """Every string in a value, however deep; what a game lacks is left out."""
    if isinstance(value, str):
        yield value
    elif id(value) not in seen:
        seen.add(id(value))
        for part in _parts(value):
            yield from _texts(part, seen)


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, Struggle):
        return [value.ids(value.hands.rule), *value.cards.values(), *value.endings]
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, list | tuple | set | frozenset):
        return value
    fields = getattr(type(value), "__attrs_attrs__", ())
    return [getattr(value, field.name, None) for field in fields]


def only_in(entry: Rule) -> list[Ruleset]:
    """The rulesets in which a rule is in force, where its family has others; [] for a rule of all of them."""
    family = [ruleset for ruleset in rulesets() if ruleset.family == entry.family]
    having = [ruleset for ruleset in family if entry.id in stated(ruleset.code)]
    return having if 0 < len(having) < len(family) else []


def same_name(entry: Rule, rules: Iterable[Rule] | None = None) -> list[Rule]:
    """The rules of other rulesets' families that have the same name and say something else."""
    every = list(all_rules() if rules is None else rules)
    played = {ruleset.family for ruleset in rulesets()} if rules is None else {each.family for each in every}
    local = entry.id.partition(".")[2]
    return [
        other
        for other in every
        if entry.family in played
        and other.family in played - {entry.family}
        and other.id.partition(".")[2] == local
        and (other.statement, other.default) != (entry.statement, entry.default)
    ]


# -- on pages ---------------------------------------------------------------------------------------------


def short(ruleset: Ruleset) -> str:
    """A ruleset's title without the name of the game."""
    return capital(ruleset.title.partition(", ")[2] or ruleset.title)


def side_by_side(entry: Rule, here: str) -> list[str]:
    """What other rulesets have in place of a rule, as tables; nothing where all have it."""
    blocks = []
    others = same_name(entry)
    if others:
        rows_ = [[link(each.id, here), prose(each.statement)] for each in (entry, *others)]
        blocks.append(table(["Rule", "Says"], rows_))
    touched = [row for row in rows() if row.differs and any(entry.id in cell.rules for cell in row.cells.values())]
    touched = [row for row in touched if not row.title.startswith((CARD, QUESTION))]
    if touched:
        blocks.append(_table(touched, here))
    return blocks


def _table(some: Iterable[Row], here: str) -> str:
    """Rows as a table, a column for each ruleset."""
    return table(
        ["", *(short(ruleset) for ruleset in rulesets())],
        [[prose(row.title), *(_shown(row.cells[ruleset.code], here) for ruleset in rulesets())] for row in some],
    )


def _shown(cell: Cell, here: str) -> str:
    cited = ", ".join(link(rule_id, here) for rule_id in cell.rules)
    return "<br>".join([*prose(cell.text).split("\n"), *([cited] if cited else [])])


def comparison() -> str:
    """The tables of the page that compares the rulesets."""
    blocks = ["## What differs", _table([row for row in rows() if row.differs], PAGE)]
    blocks += _families(list(all_rules()))
    blocks += ["## What is the same", _one_column([row for row in rows() if not row.differs])]
    blocks += ["## The rulesets", _about()]
    return "\n\n".join(blocks)


def _families(rules: list[Rule]) -> list[str]:
    """Rules that have the same name in several families and differ; nothing as long as one family is played."""
    pairs = [(entry, same_name(entry)) for entry in rules]
    seen: set[str] = set()
    lines = []
    for entry, others in pairs:
        if others and entry.id not in seen:
            seen |= {entry.id, *(other.id for other in others)}
            lines.append(
                [entry.id.partition(".")[2], *(f"{link(e.id, PAGE)}: {prose(e.statement)}" for e in (entry, *others))]
            )
    if not lines:
        return []
    width = max(map(len, lines))
    return [
        "## Rules of the same name that differ",
        table(["Rule", *["Says"] * (width - 1)], [line + [""] * (width - len(line)) for line in lines]),
    ]


def _one_column(some: Iterable[Row]) -> str:
    cells = [(row.title, next(iter(row.cells.values()))) for row in some]
    return table(["", "All of them"], [[prose(title), _shown(cell, PAGE)] for title, cell in cells])


def _about() -> str:
    return table(
        ["Name in a record", "Version", "What it is", "How sure we are"],
        [[f"`{each.code}`", str(each.version), prose(each.title), prose(each.confidence)] for each in rulesets()],
    )
