"""What the pages of the rulesets show: where one differs from another, its names, and of what we are less than certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby, permutations

from docs.making.cards import page_of, title
from docs.making.comparison import short, shown
from docs.making.words import capital, link, page_title, path_to, prose, section, table
from tkid.games.claim.rules import FACTIONS
from tkid.games.struggle.rules.board import NOWHERE, Board
from tkid.games.struggle.rules.facts import identify_card
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.ladder import Ladder
from tkid.rulebook import Rule, all_rules, rule
from tkid.rulebook.rulesets import Ruleset, compare_rulesets, find_different_rules, ruleset, rulesets


def about(code: str, here: str) -> str:
    """A ruleset's name in records, where it is from, how sure we are of it, and where its rules and cards stand."""
    its = ruleset(code)
    page = next(entry.page for entry in all_rules() if entry.prefix == its.rule_prefix)
    lines = [
        ["Name in a record", f"`{its.code}`, version {its.version}"],
        ["Source", prose(capital(its.source))],
        ["How sure we are", prose(capital(its.confidence))],
        ["Players", ", ".join(map(str, its.game().parties))],
        ["All rules", f"[{page_title(page)}]({path_to(f'rules/{page}.md', here)})"],
    ]
    lines += [["Readings you may choose", ", ".join(link(switch, here) for switch in its.switches)]] * bool(
        its.switches
    )
    return table(["", short(its)], lines)


def every(_: str, here: str) -> str:
    """All rulesets, with the pages that tell of them, their sources, and how sure we are."""
    lines = [
        [
            f"[{short(each)}]({path_to(each.page, here)})",
            prose(capital(each.source)),
            prose(capital(each.confidence)),
        ]
        for each in rulesets()
    ]
    return table(["Ruleset", "Source", "How sure we are"], lines)


def dealers(_: str, here: str) -> str:
    """How each ruleset is dealt where nobody hosts the game."""
    lines = [
        [
            f"[{short(each)}]({path_to(each.page, here)})",
            f"`{each.code}`",
            f"[{'locked deal' if each.game().secret else 'draw'}]({'dealing-together.md' if each.game().secret else '#draw'})",
        ]
        for each in rulesets()
    ]
    return table(["Ruleset", "Name in a record", "How you deal"], lines)


def _two(which: str) -> tuple[Ruleset, Ruleset, list[str]]:
    """The two rulesets that stand first in what is asked for, and the rest of it."""
    one, other, *rest = which.split(" / ")
    return ruleset(one), ruleset(other), rest


def differs(which: str, here: str) -> str:
    """In what a ruleset differs from another about a topic (`manual / first-edition / set-up`). Raises LookupError."""
    one, other, (topic,) = _two(which)
    differing = [row for row in compare_rulesets((one, other)) if row.topic == topic and row.differs]
    if not differing:
        raise LookupError(f"{here}: {which} differ in nothing")
    lines = [[prose(row.title), *(shown(row.cells[each.code], here) for each in (other, one))] for row in differing]
    return table(["", short(other), short(one)], lines)


def changes(which: str, here: str) -> str:
    """The rules in which a ruleset differs from the one that it is a variant of: each with what is said there."""
    one, other, _ = _two(which)
    pairs = list(find_different_rules(other, one))
    lines = [
        [*(f"{prose(each.statement)} {link(each.id, here)}" if each else "–" for each in (pair.one, pair.other))]
        for pair in sorted(pairs, key=lambda pair: (pair.other is None, pair.one is None))
    ]
    return table([short(other), short(one)], lines)


def unsure(prefix: str, here: str) -> str:
    """The rules with a prefix of which we are less than certain, by how sure we are."""
    entries = [entry for entry in all_rules() if entry.prefix == prefix and entry.confidence and not entry.moved]
    if not entries:
        raise LookupError(f"{here}: all rules of {prefix} are certain")
    by_words = sorted(entries, key=lambda entry: entry.confidence)
    return table(
        ["How sure we are", "Rules"],
        [
            [prose(capital(words)), ", ".join(link(entry.id, here) for entry in entries)]
            for words, entries in groupby(by_words, lambda entry: entry.confidence)
        ],
    )


def contradictions(which: str, here: str) -> str:
    """The rulings of a section of the register as a table: what is open, what we do, and why."""
    prefix, _, heading = which.partition(" / ")
    lines = [
        [prose(entry.question), f"{prose(entry.statement)} {link(entry.id, here)}", prose(entry.reason)]
        for entry in section(prefix, heading)
        if entry.kind == "ruling"
    ]
    return table(["What the text says, or leaves open", "What we do instead", "Why"], lines)


# -- names ------------------------------------------------------------------------------------------------


@cache
def _places(board: Board, like: Board) -> tuple[int, ...]:
    """For each region of a board the one in its place on another board with the same borders and homes."""
    fixed = {its: other for its, other in zip(board.homes, like.homes, strict=False) if NOWHERE not in {its, other}}
    free = [region for region in range(len(board.regions)) if region not in fixed]
    targets = [region for region in range(len(like.regions)) if region not in fixed.values()]
    borders = {frozenset(border) for border in like.borders}
    fitting = []
    for some in permutations(targets):
        to = fixed | dict(zip(free, some, strict=True))
        if {frozenset((to[a], to[b])) for a, b in board.borders} == borders:
            fitting.append(tuple(to[region] for region in range(len(board.regions))))
    (places,) = fitting
    return places


def printed(which: str, _: str) -> str:
    """What two editions print for the same things: factions, regions by their places on the map, and pieces."""
    one, other, _rest = _two(which)
    board, like = one.game().board, other.game().board
    lines = [["Faction", theirs.name, its.name] for its, theirs in zip(board.factions, like.factions, strict=False)]
    lines += [
        ["Region", like.name_region(place), board.name_region(at)] for at, place in enumerate(_places(board, like))
    ]
    pieces = {
        "Where followers are placed from": "supply",
        "What marks a resolved region": "disc",
        "What is laid on a region card": "negotiation",
        "A region that no faction won": "lost",
    }
    lines += [[what, getattr(like.terms, each), getattr(board.terms, each)] for what, each in pieces.items()]
    return table(["", short(other), short(one)], lines)


def _of(its: Ruleset) -> Iterator[tuple[tuple[str, int], str, str]]:
    """The cards of a ruleset: what makes each the same in several, its name, and the page that tells of it."""
    game: Struggle = its.game()
    for card in game.cards.values():
        yield identify_card(game, card), card.name, page_of(title(game, card))


def names(which: str, here: str) -> str:
    """The cards of a ruleset beside those of another that do the same work, with their pages and how sure we are."""
    one, other, _ = _two(which)
    called = {key: name for key, name, _ in _of(other)}
    lines = []
    for key, name, page in _of(one):
        card = one.game().cards[name]
        sure = rule(card.rule).confidence
        same = _says(one, name) == _says(other, called[key]) if key in called else None
        told = {True: "the same", False: "something else", None: capital(sure) or "–"}[same]
        lines.append([f"[{name}]({path_to(page, here)})", called.get(key, "–"), told])
    return table([short(one), short(other), "What it does"], lines)


def _says(its: Ruleset, name: str) -> object:
    """What a card does, step by step, without its name."""
    ladder = its.game().cards[name].ladder
    return [[shape.label for shape in shapes] for shapes in ladder.tiers] if isinstance(ladder, Ladder) else ""


def cards_of(code: str, here: str) -> str:
    """The cards of a ruleset: what each does, and how sure we are of it."""
    its = ruleset(code)
    lines = [
        [
            f"[{name}]({path_to(page, here)})",
            str(its.game().hands.same.count(name) or "drawn"),
            prose(rule(its.game().cards[name].rule).statement),
            prose(capital(rule(its.game().cards[name].rule).confidence or "as in the text")),
        ]
        for _, name, page in _of(its)
    ]
    return table(["Card", "In hand", "What it does", "How sure we are"], lines)


def pack(_: str, here: str) -> str:
    """The pack of Claim: factions, values and powers."""
    lines = [
        [
            faction.plural,
            _values(faction.values),
            _power(rule(f"claim.power.{faction.plural.casefold()}"), here),
        ]
        for faction in FACTIONS.values()
    ]
    return table(["Faction", "Cards", "Power"], lines)


def _power(entry: Rule, here: str) -> str:
    return f"{prose(entry.statement)} {link(entry.id, here)}"


def _values(values: Sequence[int]) -> str:
    """Values in words: `10: 0 to 9`, or `14: 0 (5 times), 1 to 9`."""
    least, often = min(values), values.count(min(values))
    shown = f"{least} to {max(values)}" if often == 1 else f"{least} ({often} times), {least + 1} to {max(values)}"
    return f"{len(values)}: {shown}"
