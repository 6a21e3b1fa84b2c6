"""Pages made when the site is built: the rules, page by page, the list of rulings, and the conformance cases."""  # noqa: INP001 - mkdocs loads it by path

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import groupby, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from tkid.kernel.ladder import Ladder
from tkid.record.conformance import answer
from tkid.record.suite import Case, differences, read_suite
from tkid.rulebook import Rule, all_rules, rule
from tkid.rulebook.register import families
from tkid.rulesets import rulesets

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

TITLES = {
    "second-edition": "Second edition",
    "notation": "Written turns",
    "record": "Game files",
    "mail": "Mails",
    "post": "House rules",
}
SOURCES = {
    "rulebook": "rulebook of the second edition (2020)",
    "notation": "[notation](../notation.md)",
    "fair-play": "[fair play](../fair-play.md)",
    "mail": "what real mail does",
    "orders": "[orders](../orders.md)",
    "clock": "[the clock](../clock.md)",
    "design": "the design of tkid",
}
"""How a rule's source begins, and what that stands for."""
SUITE = Path(__file__).parents[1] / "fixtures" / "conformance"
CASES = "<!-- conformance -->"
"""The comment in place of which the cases of the conformance suite stand."""
MARKS = re.compile(r"^# -- (?P<section>.+?) -+$|^\[\"(?P<id>.+)\"\]$", re.MULTILINE)
LEAD = """The numbers are for reading and may change. To cite a rule, use its id: it never changes.
What the sources leave open is answered by [rulings](../rulings.md).
"""


def page_title(page: str) -> str:
    """The title of a page of rules."""
    return TITLES.get(page, page.replace("-", " ").capitalize())


@cache
def register_comments(family: str) -> tuple[str, dict[str, str]]:
    """What the comments of a register file say: of the whole file, and of each id its section ("" where it has none)."""
    text = files("tkid.rulebook").joinpath(f"{family}.toml").read_text("utf-8")
    sections, section = {}, ""
    for mark in MARKS.finditer(text):
        section = mark["section"] or section
        if mark["id"]:
            words = mark["id"].split(".")
            sections[mark["id"]] = section or (words[1] if len(words) > 2 else "")
    return " ".join(line[2:] for line in takewhile(lambda line: line.startswith("# "), text.splitlines())), sections


def prose(text: str) -> str:
    """A statement as Markdown: what stands in backticks is code, everything else is plain."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([\\*_\[\]{}])", r"\\\1", part).replace("<", "&lt;") for part in parts[::2]]
    return "`".join(parts)


def heading(rule_id: str, section: str) -> str:
    """An id in words: without its family, and without its second word where the section's title says it already."""
    words = rule_id.split(".")[1:]
    if len(words) > 1 and any(said.startswith(words[0][:3]) for said in section.lower().split()):
        del words[0]
    text = ": ".join(words).replace("-", " ")
    return text[:1].upper() + text[1:]


def link(rule_id: str, page: str = "") -> str:
    """A link to a rule, from the page of rules `page`."""
    target = rule(rule_id).page
    return f"[{rule_id}]({'' if target == page else f'{target}.md'}#{rule_id})"


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


def ladder(rule_id: str, page: str) -> str:
    """The ladder of the card that a rule describes, from the engine's own description; "" for another rule."""
    cards = (card for ruleset in rulesets() for card in ruleset.game().cards.values() if card.rule == rule_id)
    card = next(cards, None)
    if card is None or not isinstance(card.ladder, Ladder):
        return ""
    tiers = [", or ".join(f"{s.label} ({link(s.rule, page)})" for s in shapes) for shapes in card.ladder.tiers]
    rows = [f"{number}. {tier}" for number, tier in enumerate([*tiers, "nothing"], 1)]
    lead = f"In full, or as far as it is possible ({link(card.ladder.in_full, page)}):"
    return f"{lead}\n\n" + "\n".join(rows)


def rule_text(entry: Rule, page: str) -> Iterator[str]:
    """The paragraphs of a rule."""
    if entry.moved:
        yield f"Retired; see {link(entry.moved, page)}."
    if entry.kind == "ruling":
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
    else:
        yield prose(entry.statement)
        yield from filter(None, [ladder(entry.id, page)])
    text, _, place = entry.source.partition(": ")
    facts = [entry.kind, f"source: {SOURCES.get(text, prose(text))}{place and ': '}{prose(place)}"]
    facts += [f"see also {', '.join(link(other, page) for other in entry.related)}"] if entry.related else []
    yield " · ".join(facts) + "\n{: .facts }"


def rules_page(page: str, entries: list[Rule]) -> str:
    """A page of rules."""
    sections = {rule_id: title for family in families() for rule_id, title in register_comments(family)[1].items()}
    blocks = [f"# Rules: {page_title(page)}", prose(register_comments(entries[0].family)[0]), LEAD]
    for number, (title, group) in enumerate(groupby(entries, lambda entry: sections[entry.id]), 1):
        blocks += [f"## {number} {title[:1].upper()}{title[1:]}"] if title else []
        for shown, depth, entry in numbered(list(group), f"{number}." if title else ""):
            blocks.append(f"##{'#' * (depth + bool(title))} {shown} {heading(entry.id, title)} {{: #{entry.id} }}")
            blocks += rule_text(entry, page)
    return "\n\n".join(blocks) + "\n"


def rulings() -> str:
    """Every ruling, with a link to its page."""
    blocks = []
    every = (entry for entry in all_rules() if entry.kind == "ruling" and not entry.moved)
    for page, entries in groupby(every, lambda entry: entry.page):
        blocks.append(f"## {page_title(page)}")
        for entry in entries:
            others = [
                f"`{option}`: {prose(entry.options[option])}" for option in entry.options if option != entry.default
            ]
            blocks.append(f"### {heading(entry.id, 'ruling')}\n\n*{prose(entry.question)}*\n\n{prose(entry.statement)}")
            blocks += [f"Can be chosen instead: {'; '.join(others)}."] if others else []
            blocks.append(f"[{entry.id}](rules/{page}.md#{entry.id})\n{{: .facts }}")
    return "\n\n".join(blocks)


@cache
def pages() -> dict[str, str]:
    """The pages of rules by path under docs/, in the order of the navigation."""
    by_page: dict[str, list[Rule]] = {page: [] for page in TITLES if any(entry.page == page for entry in all_rules())}
    for entry in all_rules():
        by_page.setdefault(entry.page, []).append(entry)
    return {f"rules/{page}.md": rules_page(page, entries) for page, entries in by_page.items()}


def case_row(case: Case, told: str) -> str:
    """A case of the conformance suite as a row: number, title and reason, rules, and how the engine's answer differs."""
    cited = "<br>".join(f"[{rule_id}](rules/{rule(rule_id).page}.md#{rule_id})" for rule_id in case.rules)
    result = f"differs: {prose(told)}" if told else "as expected"
    number = f'<a id="{case.number}" href="#{case.number}">{case.number}</a>'
    return f"| {number} | **{prose(case.title)}.** {prose(case.why)} | {cited} | {result} |"


@cache
def conformance() -> str:
    """The cases of the conformance suite by chapter, each asked of the engine."""
    suite = read_suite(SUITE)
    told = {case.number: "; ".join(differences(case, answer(case.asked()))) for case in suite.cases}
    agreed = list(told.values()).count("")
    blocks = [f"Version {suite.version}: {len(told)} cases, of which tkid answers {agreed} as expected."]
    for chapter in suite.chapters:
        blocks.append(f"## {chapter.number} {chapter.title} {{: #{chapter.number} }}")
        for letter, title in chapter.sections.items():
            section = f"{chapter.number}.{letter}"
            rows = [case_row(case, told[case.number]) for case in chapter.cases if case.section == section]
            head = "| Case | What it shows | Rules | tkid |\n|---|---|---|---|\n"
            blocks += [f"### {section} {title} {{: #{section} }}", head + "\n".join(rows)]
    if suite.retired:
        rows = [f'- <a id="{number}"></a>{number}: {prose(why)}' for number, why in suite.retired.items()]
        blocks += ["## Retired numbers", "\n".join(rows)]
    return "\n\n".join(blocks)


def filled(markdown: str) -> str:
    """A written page with what is made of the register and the suite in place of the comments that ask for it."""
    listed = "\n".join(f"- [{page_title(Path(path).stem)}]({Path(path).name})" for path in pages())
    if CASES in markdown:
        markdown = markdown.replace(CASES, conformance())
    return markdown.replace("<!-- pages of rules -->", listed).replace("<!-- rulings -->", rulings())


def navigation(docs: Path) -> dict[str, list[str | dict[str, str]]]:
    """The sections of the navigation that are not written out in mkdocs.yml: pages, with titles that differ from theirs."""
    decisions = sorted(f"decisions/{path.name}" for path in (docs / "decisions").glob("[0-9]*.md"))
    return {
        "Rules": ["rules/index.md", *({page_title(Path(path).stem): path} for path in pages())],
        "Decisions": ["decisions/index.md", *decisions],
    }


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Complete the navigation."""
    made = navigation(Path(config.docs_dir))
    for entry in config.nav or []:
        entry.update({title: made[title] for title in entry if title in made})
    return config


def on_files(found: Files, config: MkDocsConfig) -> Files:
    """Add the pages of rules to those that stand in docs/."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - the pages can be made without mkdocs

    for path, content in pages().items():
        found.append(File.generated(config, path, content=content))
    return found


def on_page_markdown(markdown: str, **_: object) -> str:
    """Fill a written page before it is rendered."""
    return filled(markdown)
