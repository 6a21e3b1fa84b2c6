"""Pages as answers: `tkid ask` and the question box lead to the same pages, which the titles and headings of the site name."""

import pytest
from typer.testing import CliRunner

from docs.making.page_answers import KEPT, page_data, written_data
from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.shared.tables import each_row, sample
from tkid.cli.app import app
from tkid.rulebook.search import ask
from tkid.rulebook.search.index import find_pages

QUESTIONS = {
    "api": "python/",
    "python": "python/",
    "install": "play/#install",
    "how do I install it": "play/#install",
    "puzzles": "puzzles/",
    "json schemas": "schemas/",
    "architecture": "architecture/",
    "grammar": "grammar/",
    "notation": "notation/",
    "tournament": "tournaments/",
    "json": "schemas/",
    "editors": "editors/",
}
"""What people ask for, and the page that answers."""
PAGES = """[...document.querySelectorAll("[data-answers] .hit .id")].map(each => each.textContent)
    .filter(text => text.startsWith("/")).map(text => text.slice(1))"""
HEADINGS = """[...document.querySelectorAll("[data-answers] h2.group")]
    .filter(each => !each.nextElementSibling || each.nextElementSibling.matches("h2")).map(each => each.textContent)"""
TITLES = '[...document.querySelectorAll("[data-answers] .title")].map(each => each.textContent)'


def test_the_program_has_the_titles_and_headings_of_the_site() -> None:
    """If not: `python -m docs.making.page_answers`."""
    assert KEPT.read_text("utf-8") == written_data()


def found(question: str) -> list[str]:
    """The pages for a question, as the program finds them."""
    return [path for _, path in find_pages(question, by_heading=not ask(question).fits)]


@each_row("question", QUESTIONS)
def test_a_page_answers_where_no_rule_does(question: str) -> None:
    assert found(question)[0] == QUESTIONS[question]


@each_row("question", ["who wins a tie", "do players collect taxes", "bribe", ""])
def test_other_questions_lead_to_no_page(question: str) -> None:
    assert not find_pages(question, by_heading=True)


def test_every_page_is_found_by_its_title() -> None:
    for page in page_data()["pages"]:
        pages = find_pages(page["title"], by_heading=True)
        assert page["path"] in {path for _, path in pages}, page["title"]


def test_the_command_prints_the_page_and_says_that_the_rules_do_not_answer() -> None:
    done = CliRunner().invoke(app, ["ask", "api"])
    assert done.exit_code == 1
    assert done.stdout.startswith(
        "The rules don't say.\nSee the page Python API: https://tkid.readthedocs.io/python/\n"
    )
    assert done.stderr == ""
    done = CliRunner().invoke(app, ["ask", "tournament"])
    assert done.exit_code == 0
    *answer, page = done.stdout.splitlines()
    assert page == "See the page Ratings and tournaments: https://tkid.readthedocs.io/tournaments/"
    assert len(answer) <= 6


@pytest.mark.slow
@IN_A_BROWSER[1]
@pytest.mark.parametrize("question", sample([*QUESTIONS, "do players collect taxes", "bribe", "fair play"], 6))
def test_the_box_finds_the_same_pages_and_no_heading_is_over_nothing(
    chromium: Chromium, address: str, question: str
) -> None:
    chromium.screen(390)
    chromium.open(f"{address}ask/?q={question.replace(' ', '+')}")
    chromium.wait("document.querySelector('[data-answers] .more') !== null")
    assert chromium.run(PAGES) == found(question)
    assert chromium.run(HEADINGS) == []
    assert not [title for title in chromium.run(TITLES) if title.startswith("0")]
