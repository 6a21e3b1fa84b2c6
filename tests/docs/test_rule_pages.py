"""A page for each rule: what it shows, its picture, where it is at work, its short address, and every old place."""

from __future__ import annotations

import json
import re
from html import escape, unescape
from pathlib import Path

import pytest

from docs.making.card_pages import card_page
from docs.making.cards import cards
from docs.making.changes import changes
from docs.making.decisions import decisions
from docs.making.drawn import DRAWINGS
from docs.making.evidence import evidence
from docs.making.games import games
from docs.making.html import answer, html
from docs.making.pictures import picture_of, picture_of_change, small_pictures
from docs.making.pocket import relative
from docs.making.reading import chapters, reading_pages
from docs.making.rule_pages import evidence_page, rule_page, sends_on, steps_of, title_of
from docs.making.same import in_editions
from docs.making.versions import version_pages
from tests.docs.site import ROOT
from tests.shared.tables import each_row
from tests.test_traceability import NOT_CITED
from tkid.rulebook import UnknownRuleError, all_rules, rule
from tkid.rulebook.citations import find_rule_as_of, list_changes, list_versions

RULES = {entry.id: entry for entry in all_rules()}
OLD_PLACES = json.loads((Path(__file__).parent / "old_places.json").read_text("utf-8"))
"""The places on pages before rules and cards had the pages they have now, by page."""
MOST = 150_000
"""Bytes: how heavy a page may be."""
MOST_OF_A_RULE = 15_000
MOST_OF_A_REPLAY = 400_000
"""A replay holds a whole game with every picture of it."""


# -- what a page shows ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_page_has_title_statement_id_and_link() -> None:
    for entry in RULES.values():
        page = rule_page(entry)
        assert f"<h1>{escape(title_of(entry), quote=False)}</h1>" in unescape_quotes(page), entry.id
        texts = [entry.statement, entry.short, entry.means, entry.why, entry.question, entry.reason]
        texts += [part for pair in entry.asks[:1] for part in pair[:1]]
        texts += entry.options.values() if len(entry.options) > 1 else []
        for text in filter(None, texts):
            assert str(html(text)) in page, f"{entry.id}: {text}"
        assert f'<span class="id">{entry.id}</span>' in page
        assert f'data-copy="{entry.link}"' in page
        assert f"{entry.kind.capitalize()}. Source: " in page
        for other in entry.related:
            assert f'href="{relative(rule(other).path, f"{entry.path}index.html")}"' in page, f"{entry.id}: {other}"


def unescape_quotes(page: str) -> str:
    """A page with its quotation marks as they are."""
    return page.replace("&#39;", "'").replace("&#34;", '"')


@pytest.mark.slow
def test_every_page_of_a_rule_is_light() -> None:
    sizes = {entry.id: len(rule_page(entry).encode()) for entry in RULES.values()}
    assert max(sizes.values()) < MOST_OF_A_RULE, max(sizes, key=lambda rule_id: sizes[rule_id])


@pytest.mark.parametrize(
    ("card", "steps"),
    [
        ("second.card.support", ["Two followers into one region", "One follower into one region", "Nothing"]),
        ("second.card.assemble", ["One of each faction in the supply", "Nothing"]),
        ("second.card.negotiate", ["With the disc", "Without a disc", "Nothing"]),
        ("second.card.manoeuvre", ["One for one", "Nothing"]),
        ("second.card.outmanoeuvre", ["One for two", "One for one", "Nothing"]),
        ("second.turn.pass", []),
    ],
)
def test_the_page_of_a_card_has_the_steps_of_the_engine(card: str, steps: list[str]) -> None:
    assert [" or ".join(label for label, _ in ways) for ways in steps_of(rule(card))] == steps
    assert rule_page(rule(card)).count("<li>") >= len(steps)


def test_an_answer_begins_with_what_is_bold() -> None:
    assert str(answer("No. Only the most counts.")) == '<span class="say">No.</span> Only the most counts.'
    assert str(answer("Unstable")) == '<span class="say">Unstable</span>'
    assert str(answer("`Pass` & go")) == '<span class="say"><code>Pass</code> &amp; go</span>'


def test_questions_are_folded_and_the_first_one_is_open() -> None:
    asked = rule("second.struggle.tie")._replace(asks=(("Who wins?", "Nobody."), ("And three?", "Nobody either.")))
    page = rule_page(asked)
    assert re.findall(r"<details( open)?><summary>([^<]*)", page)[:2] == [(" open", "Who wins?"), ("", "And three?")]


def test_a_retired_rule_leads_on() -> None:
    retired = rule("second.turn.pass")._replace(moved="second.turn.action")
    assert '<b>Retired.</b> <a href="../action/">' in rule_page(retired)
    assert "second.turn.action took its place" in sends_on(retired)
    assert 'url=../../rules/second/turn/action/"' in sends_on(retired)


def test_a_short_address_leads_to_the_page_and_keeps_what_follows() -> None:
    page = sends_on(rule("second.struggle.tie"))
    way = "../../rules/second/struggle/tie/"
    assert f'<meta http-equiv="refresh" content="0; url={way}">' in page
    assert f'location.replace("{way}" + location.search + location.hash)' in page
    assert '<link rel="canonical" href="https://tkid.readthedocs.io/rules/second/struggle/tie/">' in page
    assert f'<a href="{way}">' in page


@pytest.mark.parametrize(
    ("rule_id", "edition", "other"),
    [
        ("second.struggle.tie", "second", None),
        ("second.struggle.tie", "advanced", None),
        ("second.struggle.tie", "first", "first.struggle.tie"),
        ("first.struggle.tie", "second", "second.struggle.tie"),
    ],
)
def test_the_same_rule_in_other_editions_is_found(rule_id: str, edition: str, other: str | None) -> None:
    rows = {row.edition.key: row for row in in_editions(rule(rule_id))}
    assert rows[edition].rule == (rule(other) if other else None)
    assert [row.edition.key for row in rows.values() if row.here] == [rule_id.partition(".")[0]]


def test_a_rule_that_other_editions_do_not_share_says_so_under_its_statement() -> None:
    assert ">Different in First, Mordred, Manual</a>" in rule_page(rule("second.struggle.tie"))
    assert "Different in" not in rule_page(rule("mail.stale"))


def test_rules_about_mails_are_in_no_edition() -> None:
    assert in_editions(rule("mail.stale")) == []
    assert "Applies to" not in rule_page(rule("mail.stale"))


# -- pictures ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "labels", "caption"),
    [
        (
            "3.A.06",
            ["Before: Moray: Welsh 1, English 1.", "After: Moray: unstable."],
            "Bob passes. Moray becomes unstable, as Welsh and English tie at 1.",
        ),
        (
            "4.F.04",
            [
                "Before: Moray: Scottish 1. Strathclyde: Scottish 2.",
                "After: Moray: Scottish 2. Strathclyde: Scottish 1.",
            ],
            "Ann plays Outmanoeuvre S Moray <> SS Strathclyde.",
        ),
    ],
)
def test_a_picture_shows_what_the_engine_plays(number: str, labels: list[str], caption: str) -> None:
    picture = picture_of_change(changes(number)[-1])
    assert picture
    assert [side.label for side in picture.sides] == labels
    assert picture.sides[-1].caption == caption


def test_a_picture_of_something_that_is_not_allowed_says_why() -> None:
    picture = picture_of_change(changes("4.A.06")[-1])
    assert picture
    assert picture.barred.startswith("You can do more of the card: ")
    assert len(picture.sides) == 1
    assert "<b>Not allowed:</b> " in rule_page(rule("second.action.resolved"))


@each_row(
    ("rule_id", "said"),
    [
        ("second.card.spy", ["Bob\u2019s pile", "March on top", "Spy copies it"]),
        (
            "second.card.spy.no-spy",
            ["Bob\u2019s pile", "Spy on top", "not allowed", "Cleo\u2019s pile", "March on top", "Spy copies it"],
        ),
        (
            "second.card.spy.other",
            ["Ann\u2019s pile", "March on top", "not allowed", "Bob\u2019s pile", "Aid on top", "Spy may copy it"],
        ),
        ("second.card.spy.top", ["Bob\u2019s pile", "March on top", "not Aid below it"]),
    ],
)
def test_spy_is_drawn_with_the_piles_that_it_may_copy_and_those_it_may_not(rule_id: str, said: list[str]) -> None:
    picture = picture_of(rule_id)
    assert picture
    before = DRAWINGS[picture.sides[0].path]
    words = [word for word in re.findall(r"<text[^>]*>([^<]+)</text>", before) if "pile" in word or " " in word]
    assert words == said
    barred = "Spy copies it" not in said
    assert bool(picture.barred) == (len(picture.sides) == 1) == barred
    assert ('class="barred"' in before) == barred


def test_a_line_that_may_not_be_followed_ends_in_a_cross() -> None:
    """Of all pictures: a tried move has no arrow with a head, unless it is crossed out."""
    tried = [picture for entry in RULES.values() if (picture := picture_of(entry.id)) and picture.barred]
    lines = [DRAWINGS[picture.sides[0].path] for picture in tried]
    drawn = [svg for svg in lines if 'class="arrow"' in svg]
    assert len(drawn) >= 3
    for svg in drawn:
        assert ".barred .tip{display:none}" in svg
        assert svg.count('class="arrow"') == svg.count('class="bar"')


def test_every_card_says_how_it_is_written() -> None:
    for name, having in cards().items():
        lines = re.findall('<div class="copy"><code>([^<]+)</code>', card_page(name).partition("</section>")[0])
        assert lines, name
        assert all(unescape(line).startswith(tuple(f"{card.name} " for _, card in having)) for line in lines), name


def test_rules_that_no_case_shows_have_no_picture() -> None:
    assert picture_of("mail.stale") is None
    assert "<figure" not in rule_page(rule("mail.stale"))


@pytest.mark.slow
def test_every_picture_is_there_and_described() -> None:
    shown = {entry.id: picture for entry in RULES.values() if (picture := picture_of(entry.id))}
    assert len(shown) > 230
    for rule_id, picture in shown.items():
        assert RULES[rule_id].example in {"", picture.number}, rule_id
        for side in picture.sides:
            assert side.label.endswith("."), rule_id
            assert side.caption, rule_id
            assert side.path in DRAWINGS, rule_id
    small = small_pictures(RULES.values())
    assert len(small) > 50
    for path in small.values():
        assert ".name,.whither,.coin-word,.ring,.solid,.on-solid,text.ink{display:none}" in DRAWINGS[path]
        assert len(DRAWINGS[path]) < 12_000


# -- where it is at work ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_decision_names_a_turn_that_is_there() -> None:
    by_path = {played.path: played for played in games()}
    for rule_id, several in decisions().items():
        assert len({each.path for each in several}) == len(several), rule_id
        for each in several:
            assert each.turn <= len(by_path[each.path].moments), each
            line = (ROOT / each.path).read_text("utf-8").splitlines()[each.line - 1]
            assert line.startswith(f"{each.turn}. "), each


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule_id", "what"),
    [
        ("second.ending.coronation.emptied", r"First to play all cards: .* \(decides\)"),
        ("second.card.march.two", "No more of March was possible"),
        ("second.card.manoeuvre.undo", "this would undo the Man"),
        ("second.ruling.plot-hand", "with the reading counts-as-empty: First to play all cards"),
        ("second.struggle.tie", "becomes unstable, as .* tie at"),
    ],
)
def test_what_a_rule_decided_depends_on_the_rule(rule_id: str, what: str) -> None:
    """A comparison, a lesser step, a ban, another reading, and what happened."""
    assert any(re.search(what, each.what) for each in decisions()[rule_id])


@pytest.mark.slow
def test_the_evidence_has_code_cases_and_what_is_said_of_a_text_that_breaks_the_rule() -> None:
    for entry in RULES.values():
        lists = {each.title: each for each in evidence(entry)}
        assert ("Code" in lists) == (entry.id not in NOT_CITED), entry.id
        page = evidence_page(entry)
        for change in list_changes(entry):
            assert f'v/{change.version}/{entry.prefix}/#{entry.id}">Register {change.version}</a>' in page, entry.id
            assert str(html(change.after.statement)) in page, entry.id
        folder = ROOT / "fixtures" / "illegal" / entry.id
        if folder.is_dir():
            said = (folder / "expected.txt").read_text("utf-8").splitlines()[0]
            assert said in lists["What tkid says when it is broken"].lines, entry.id
            assert said in unescape(page)


# -- pages for reading ------------------------------------------------------------------------------------


def test_the_pages_for_reading_have_every_rule_at_its_place() -> None:
    pages = dict(reading_pages())
    ids = {path: re.findall(r'<div class="r(?: ruled)?" id="([^"]+)"', text) for path, text in pages.items()}
    expected: dict[str, list[str]] = {"rules/index.html": []}
    for entry in RULES.values():
        expected.setdefault(f"rules/{entry.page}/index.html", []).append(entry.id)
        assert str(html(entry.statement)) in pages[f"rules/{entry.page}/index.html"] or entry.moved
    assert ids == expected


def test_the_list_of_all_rules_leads_to_every_chapter() -> None:
    text = dict(reading_pages())["rules/index.html"]
    for page in {entry.page for entry in RULES.values()}:
        assert f'href="{page}/"' in text
        titled = [chapter for chapter in chapters(page) if chapter.title]
        for chapter in titled if len(titled) > 1 else []:
            assert f'href="{page}/#{chapter.place}"' in text


def test_rulings_are_marked() -> None:
    text = dict(reading_pages())["rules/second-edition/index.html"]
    marked = re.findall(r'<div class="r ruled" id="([^"]+)"', text)
    assert marked == [entry.id for entry in RULES.values() if entry.prefix == "second" and entry.kind == "ruling"]


@pytest.mark.slow
@pytest.mark.parametrize("version", list_versions())
def test_a_version_of_the_register_has_pages_with_every_wording(version: str) -> None:
    pages = {path: text for path, text in version_pages() if path.startswith(f"v/{version}/")}
    for entry in RULES.values():
        page = pages.get(f"v/{version}/{entry.prefix}/index.html", "")
        try:
            old = find_rule_as_of(entry.id, version)
        except UnknownRuleError:
            assert f'id="{entry.id}"' not in page
            continue
        assert f'id="{entry.id}"' in page
        assert str(html(old.statement)) in page


# -- on the site ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_old_place_is_still_there(site: Path) -> None:
    for page, places in OLD_PLACES.items():
        text = (site / page / "index.html").read_text("utf-8")
        found = set(re.findall(r'\sid="([^"]+)"', text))
        assert not set(places) - found, page


@pytest.mark.slow
def test_no_page_is_heavy(site: Path) -> None:
    pages = (file for file in site.rglob("*.html") if file != site / "examples" / "game.html")
    assert not [str(file.relative_to(site)) for file in pages if file.stat().st_size > MOST]
    assert (site / "examples" / "game.html").stat().st_size < MOST_OF_A_REPLAY


@pytest.mark.slow
def test_every_rule_has_its_page_its_evidence_and_its_short_address(site: Path) -> None:
    for entry in RULES.values():
        assert (site / entry.path / "index.html").is_file(), entry.id
        assert (site / entry.path / "evidence.html").is_file(), entry.id
        goal = rule(entry.moved) if entry.moved else entry
        assert f'url=../../{goal.path}"' in (site / "r" / entry.id / "index.html").read_text("utf-8"), entry.id
