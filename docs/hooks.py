"""Pages made when the site is built: rules, cards, chapters, rulings, and the conformance cases; see docs/making."""  # noqa: INP001 - mkdocs loads it by path

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))  # mkdocs loads this file by its path alone

from docs.making import reading, start  # noqa: F401 - they enter their pages
from docs.making.ask_data import ask_data
from docs.making.cards import card_pages, cards, page_of
from docs.making.chapters import filled as with_chapters
from docs.making.chapters import kept, position
from docs.making.drawn import DRAWINGS, drawing
from docs.making.example_files import example_files
from docs.making.examples import suite
from docs.making.files import LINKED, as_page, published_at
from docs.making.pocket import POCKET_PAGES
from docs.making.words import link, prose
from tkid.record.json.conformance import answer
from tkid.record.json.suite import Case, differences
from tkid.rulebook.rulesets import rulesets

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

__all__ = ["filled", "made", "navigation", "prose"]

CASES = "<!-- conformance -->"
"""The comment that the cases of the conformance suite replace."""


def made() -> dict[str, str]:
    """Every page that is not written but made as Markdown, by path under docs/."""
    return card_pages()


def case_row(case: Case, difference: str) -> str:
    """A case of the conformance suite as a row: number, title and reason, rules, and how the engine's answer differs."""
    cited = "<br>".join(link(rule_id, "conformance.md") for rule_id in case.rules)
    result = f"differs: {prose(difference)}" if difference else "as expected"
    number = f'<a id="{case.number}" href="#{case.number}">{case.number}</a>'
    return f"| {number} | **{prose(case.title)}.** {prose(case.why)} | {cited} | {result} |"


@cache
def conformance() -> str:
    """The cases of the conformance suite by chapter, each asked of the engine."""
    cases = suite()
    differing = {case.number: "; ".join(differences(case, answer(case.asked()))) for case in cases.cases}
    agreed = list(differing.values()).count("")
    blocks = [f"Version {cases.version}: {len(differing)} cases, of which tkid answers {agreed} as expected."]
    for chapter in cases.chapters:
        blocks.append(f"## {chapter.number} {chapter.title} {{: #{chapter.number} }}")
        for letter, title in chapter.sections.items():
            section = f"{chapter.number}.{letter}"
            rows = [case_row(case, differing[case.number]) for case in chapter.cases if case.section == section]
            head = "| Case | What it shows | Rules | tkid |\n|---|---|---|---|\n"
            blocks += [f"### {section} {title} {{: #{section} }}", head + "\n".join(rows)]
    if cases.retired:
        rows = [f'- <a id="{number}"></a>{number}: {prose(why)}' for number, why in cases.retired.items()]
        blocks += ["## Retired numbers", "\n".join(rows)]
    return "\n\n".join(blocks)


def filled(markdown: str, here: str = "") -> str:
    """A written page with what is made of the register and the suite in place of the comments that ask for it."""
    if CASES in markdown:
        markdown = markdown.replace(CASES, conformance())
    return with_chapters(markdown, here)


def edition_pages() -> list[str]:
    """The pages of the rulesets that have one of their own, each once, in the order in which they are listed."""
    named = (ruleset.page.partition("#")[0] for ruleset in rulesets())
    return list(dict.fromkeys(page for page in named if page.startswith("editions/")))


def navigation(docs: Path) -> dict[str, list[str | dict[str, str]]]:
    """The sections of the navigation that are not written out in mkdocs.yml: pages, with titles that differ from theirs."""
    decisions = sorted(f"decisions/{path.name}" for path in (docs / "decisions").glob("[0-9]*.md"))
    return {
        "Editions": [{"Which there are": "editions/index.md"}, *edition_pages()],
        "Cards": ["cards/index.md", *({name: page_of(name)} for name in cards())],
        "Decisions": ["decisions/index.md", *decisions],
    }


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Complete the navigation."""
    made = navigation(Path(config.docs_dir))
    for entry in config.nav or []:
        entry.update({title: made[title] for title in entry if title in made})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made, the drawings, and the files of the repository that pages link to."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - the pages can be made without mkdocs

    for path, content in made().items():
        files.append(File.generated(config, path, content=content))
    for name in kept():
        drawing(*position(name))
    for make in POCKET_PAGES:
        for path, content in make():
            files.append(File.generated(config, path, content=content))
    for path, content in ask_data().items():
        files.append(File.generated(config, path, content=content))
    for path, svg in DRAWINGS.items():
        files.append(File.generated(config, path, content=svg))
    for path, content in example_files().items():
        files.append(File.generated(config, path, content=content))
    for path in sorted(LINKED):
        files.append(File.generated(config, published_at(path), content=as_page(path)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Fill a written page before it is rendered."""
    return filled(markdown, page.file.src_uri)
