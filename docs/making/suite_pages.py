"""The conformance suite as pages: a list of all cases, and a page for each section."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from attrs import frozen
from markdown import Markdown
from markupsafe import Markup

from docs.making.examples import suite, told
from docs.making.html import html
from docs.making.pocket import pocket, pocket_pages
from docs.making.rule_pages import title_of
from tkid.record.json.conformance import Case, answer, find_differences
from tkid.rulebook import rule

HERE = "conformance/index.html"
MARKDOWN = Markdown()


@frozen
class Shown:
    """A case as its section's page shows it: what is played, asked and answered, and how tkid's answer differs ("" if not)."""

    case: Case
    lines: tuple[Markup, ...]
    difference: str

    @property
    def place(self) -> str:
        """The last part of its number."""
        return self.case.number.rpartition(".")[2]


@cache
def differing() -> Mapping[str, str]:
    """How the engine's answer differs from the expected one, by case; "" where it does not."""
    return {case.number: "; ".join(find_differences(case, answer(case.make_question()))) for case in suite().cases}


def _shown(case: Case, here: str) -> Shown:
    lines = (MARKDOWN.reset().convert(line).removeprefix("<p>").removesuffix("</p>") for line in told(case, here))
    return Shown(case, tuple(Markup(line) for line in lines), differing()[case.number])  # noqa: S704 - Markdown of ours


@pocket_pages
def suite_pages() -> Iterator[tuple[str, str]]:
    """The list and the sections."""
    cases = suite()
    agreed = list(differing().values()).count("")
    by_section: dict[str, list[Case]] = {}
    for case in cases.cases:
        by_section.setdefault(case.section, []).append(case)
    yield (
        HERE,
        pocket(
            "conformance.html",
            HERE,
            title="Conformance suite",
            description="Numbered cases for any implementation of the rules.",
            tab="more",
            agreed=agreed,
            cases=cases,
            by_section=by_section,
            html=html,
        ),
    )
    sections = [(chapter, letter, name) for chapter in cases.chapters for letter, name in chapter.sections.items()]
    names = [f"{chapter.number}.{letter}" for chapter, letter, _ in sections]
    for at, (chapter, _, name) in enumerate(sections):
        here = f"conformance/{names[at]}/index.html"
        yield (
            here,
            pocket(
                "conformance-section.html",
                here,
                title=f"{names[at]} {name}",
                description=f"Conformance cases: {chapter.title}, {name}",
                tab="more",
                number=names[at],
                chapter=chapter,
                shown=[_shown(case, here) for case in by_section.get(names[at], ())],
                before=names[at - 1] if at else "",
                after=names[at + 1] if at + 1 < len(names) else "",
                rule=rule,
                title_of=title_of,
                html=html,
            ),
        )
