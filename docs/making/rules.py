"""The pages of rules: for each rule what it says, examples of it, and where it is at work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby

from docs.making.code import Place, enforced, in_tests
from docs.making.comparison import only_in, short, side_by_side
from docs.making.examples import MOST, citing, example, refused
from docs.making.files import file_link
from docs.making.games import Occurrence, game_link, occurrences, struggles
from docs.making.history import history
from docs.making.words import (
    TITLES,
    capital,
    folded,
    heading,
    link,
    page_title,
    path_to,
    prose,
    register_comments,
    section_of,
)
from tkid.kernel.ladder import Ladder
from tkid.rulebook import Rule, all_rules

SOURCES = {
    "rulebook": "rulebook of the second edition (2020)",
    "digest": "digest of the second edition",
    "manual": "reference manual, by an unknown author",
    "claim": "rules of Claim",
    "notation": "[notation](../notation.md)",
    "fair-play": "[fair play](../fair-play.md)",
    "mail": "what real mail does",
    "orders": "[orders](../orders.md)",
    "clock": "[the clock](../clock.md)",
    "design": "the design of tkid",
}
"""How a rule's source begins, and what that stands for."""
LEAD = """The numbers are for reading and may change. To cite a rule, use its id: it never changes.
What the sources leave open is answered by [rulings](../rulings.md).
"""
SHOWN = 4
"""So many places, tests and games are listed; of more, how many there are."""
CASES_SHOWN = 8


def numbered(entries: list[Rule], start: str) -> Iterator[tuple[str, int, Rule]]:
    """Number, depth and rule; a rule whose id goes on from an earlier one's stands under that."""
    top, sub, parent = 0, 0, ""
    for entry in entries:
        if parent and entry.id.startswith(f"{parent}."):
            sub += 1
            yield f"{start}{top}.{sub}", 1, entry
        else:
            top, sub, parent = top + 1, 0, entry.id
            yield f"{start}{top}", 0, entry


def ladder(rule_id: str, here: str) -> str:
    """The ladder of the card that a rule describes, from the engine's own description; "" for another rule."""
    cards = (card for ruleset in struggles() for card in ruleset.game().cards.values() if card.rule == rule_id)
    card = next(cards, None)
    if card is None or not isinstance(card.ladder, Ladder):
        return ""
    tiers = [", or ".join(f"{s.label} ({link(s.rule, here)})" for s in shapes) for shapes in card.ladder.tiers]
    rows = [f"{number}. {tier}" for number, tier in enumerate([*tiers, "nothing"], 1)]
    gate = card.ladder.gate
    rows += (
        [f"\nWhere it may not be played at all, not even nothing is left ({link(gate.rule, here)})."] if gate else []
    )
    lead = f"In full, or as far as it is possible ({link(card.ladder.in_full, here)}):"
    return f"{lead}\n\n" + "\n".join(rows)


def touching(entry: Rule) -> list[Rule]:
    """The rulings that touch a rule: one names the other, or both come from the same heading of the same source."""
    text, _, headings = entry.source.partition(": ")
    own = {f"{text}: {each}" for each in headings.split("; ")}

    def touches(ruling: Rule) -> bool:
        its_text, _, its_headings = ruling.source.partition(": ")
        same = own & {f"{its_text}: {each}" for each in its_headings.split("; ")}
        return bool(same) or entry.id in ruling.related or ruling.id in entry.related

    rulings = [each for each in all_rules() if each.kind == "ruling" and each.prefix == entry.prefix and not each.moved]
    return [each for each in rulings if each.id != entry.id and touches(each)]


# -- one rule ---------------------------------------------------------------------------------------------


def rule_text(entry: Rule, here: str) -> Iterator[str]:
    """The paragraphs of a rule."""
    if entry.moved:
        yield f"**Retired.** In its place stands {link(entry.moved, here)}."
    if entry.kind == "ruling":
        yield from ruling_text(entry)
    else:
        yield prose(entry.statement)
        yield from filter(None, [ladder(entry.id, here)])
    yield " · ".join(_facts(entry, here)) + "\n{: .facts }"
    yield from _examples(entry, here)
    yield from _evidence(entry, here)


def ruling_text(entry: Rule) -> Iterator[str]:
    """The paragraphs of a ruling: what is asked, what we do, what else could be done, why, and how to choose it."""
    yield f"**Question.** {prose(entry.question)}"
    yield f"**Ruling.** {prose(entry.statement)}"
    yield "\n".join(
        f"- `{option}`{' (the default)' if option == entry.default else ''}: {prose(meaning)}"
        for option, meaning in entry.options.items()
    )
    yield f"**Reason.** {prose(entry.reason)}"
    others = [f"Ruling: {entry.id} {option}\n" for option in entry.options if option != entry.default]
    if others:
        yield f"**To choose otherwise,** write in a record's header:\n\n```text\n{''.join(others)}```"


def _facts(entry: Rule, here: str) -> Iterator[str]:
    """Kind, source, where it is in force, and what else touches it."""
    text, _, place = entry.source.partition(": ")
    yield entry.kind
    yield f"source: {SOURCES.get(text, prose(text))}{place and ': '}{prose(place)}"
    if entry.confidence:
        yield f"confidence: {prose(entry.confidence)}"
    only = only_in(entry)
    if only:
        yield f"only in {' and '.join(short(ruleset) for ruleset in only)}"
    if entry.related:
        yield f"see also {', '.join(link(other, here) for other in entry.related)}"
    touched = [each for each in touching(entry) if each.id not in entry.related]
    if touched:
        yield f"rulings on the same heading: {', '.join(link(each.id, here) for each in touched)}"


def _examples(entry: Rule, here: str) -> Iterator[str]:
    """Cases that show the rule, what is said of a text that breaks it, and what other rulesets have instead."""
    cases = citing(entry.id)
    blocks = [block for case in cases[:MOST] for block in example(case, here)]
    wrong = refused(entry.id, here)
    if blocks or wrong:
        count = min(len(cases), MOST)
        shown = ["Example" if count == 1 else f"{count} examples"] if count else []
        shown += ["what is said of a text that breaks it"] if wrong else []
        yield folded("examples", capital(", and ".join(shown)), [*blocks, *wrong])
    tables = side_by_side(entry, here)
    if tables:
        yield folded("rulesets", "In other rulesets", [*tables, f"[All differences]({path_to('comparison.md', here)})"])


# -- where it is at work ----------------------------------------------------------------------------------


def _evidence(entry: Rule, here: str) -> Iterator[str]:
    """Where a rule stands in the code, what proves it, and its history."""
    cases = [f"[{case.number}]({path_to('conformance.md', here)}#{case.number})" for case in citing(entry.id)]
    places = {
        "Code": [_place(place, here) for place in enforced().get(entry.id, ())],
        "Tests": [_place(place, here) for place in in_tests().get(entry.id, ())],
        "Recorded games": [game_link(each, here) for each in _varied(occurrences().get(entry.id, ()))],
    }
    lines = [f"- {name}: {_some(items, SHOWN)}" for name, items in places.items() if items]
    lines += [f"- Conformance cases: {_some(cases, CASES_SHOWN)}"] if cases else []
    lines.append(f"- Version of the register: {'; '.join(history(entry.id))}")
    yield folded("evidence", "In code, tests and games", ["\n".join(lines)])


def _some(items: Sequence[str], most: int) -> str:
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return f"{', '.join(items[:most])}{more}"


def _place(place: Place, here: str) -> str:
    return file_link(place.path, here, f"`{place.path}`{f' {prose(place.name)}' if place.name else ''}", place.line)


def _varied(all_games: Sequence[Occurrence]) -> list[Occurrence]:
    """Games with a known turn first, and one of each folder before a second of any."""
    counts: dict[str, int] = {}
    ranked = []
    for each in sorted(all_games, key=lambda each: not each.turn):
        folder = each.path.rpartition("/")[0]
        counts[folder] = counts.get(folder, 0) + 1
        ranked.append((not each.turn, counts[folder], each))
    return [each for _, _, each in sorted(ranked, key=lambda item: item[:2])]


# -- a page -----------------------------------------------------------------------------------------------


def rules_page(page: str, entries: list[Rule]) -> str:
    """A page of rules."""
    here = f"rules/{page}.md"
    blocks = [f"# Rules: {page_title(page)}", prose(register_comments(entries[0].prefix)[0]), LEAD]
    for number, (title, group) in enumerate(groupby(entries, lambda entry: section_of()[entry.id]), 1):
        blocks += [f"## {number} {capital(title)}"] if title else []
        for shown, depth, entry in numbered(list(group), f"{number}." if title else ""):
            blocks.append(f"##{'#' * (depth + bool(title))} {shown} {heading(entry.id, title)} {{: #{entry.id} }}")
            blocks += rule_text(entry, here)
    return "\n\n".join(blocks) + "\n"


@cache
def rules_pages() -> dict[str, str]:
    """The pages of rules by path under docs/, in the order of the navigation."""
    by_page: dict[str, list[Rule]] = {page: [] for page in TITLES if any(entry.page == page for entry in all_rules())}
    for entry in all_rules():
        by_page.setdefault(entry.page, []).append(entry)
    return {f"rules/{page}.md": rules_page(page, entries) for page, entries in by_page.items()}
