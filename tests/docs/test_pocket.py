"""The frame of pages: links from any page to any other, what Start offers, and the files that a device keeps."""

import json
import re
from pathlib import Path

import pytest

from docs.making import app
from docs.making.folder import in_a_folder
from docs.making.pocket import EDITIONS, TABS, relative
from docs.making.start import DOORS, HOT_SPOTS, MORE, asked
from tests.docs.site import ROOT, built
from tests.shared.tables import each_row
from tkid.rulebook import is_known_rule
from tkid.rulebook.rulesets import ruleset

HOME, RULE = "index.html", "rules/second/struggle/tie/index.html"


@each_row(
    ("path", "here", "link", "way"),
    [
        ("", HOME, "./", "index.html"),
        ("", RULE, "../../../../", "../../../../index.html"),
        ("ask/", HOME, "ask/", "ask/index.html"),
        ("ask/", "ask/index.html", "./", "index.html"),
        ("ask/?q=tie", RULE, "../../../../ask/?q=tie", "../../../../ask/index.html?q=tie"),
        ("rules/second/#turn", RULE, "../../#turn", "../../index.html#turn"),
        ("stylesheets/pocket.css", RULE, "../../../../stylesheets/pocket.css", "../../../../stylesheets/pocket.css"),
        ("?edition=first", HOME, "?edition=first", "?edition=first"),
    ],
)
def test_links(path: str, here: str, link: str, way: str) -> None:
    assert relative(path, here) == link
    assert in_a_folder(f'<a href="{link}">') == f'<a href="{way}">'


def test_a_copy_for_a_folder_has_no_element_that_needs_a_server() -> None:
    served = '<link rel="manifest" href="a" data-served>\n<script src="b" data-served></script>\n'
    page = f'<html lang="en-GB" data-top="./">\n{served}<p>Rules<span data-served> · <b>app</b></span></p>'
    assert in_a_folder(page) == '<html lang="en-GB" data-offline data-top="./">\n<p>Rules</p>'


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ('<form action="../rules/">', '<form action="../rules/index.html">'),
        (
            '<script>location.replace("../a/" + "b/")</script>',
            '<script>location.replace("../a/index.html" + "b/")</script>',
        ),
        (
            '<meta http-equiv="refresh" content="0; url=../a/">',
            '<meta http-equiv="refresh" content="0; url=../a/index.html">',
        ),
        ('<a href="https://example.org/">', '<a href="https://example.org/">'),
        ('<a href="mailto:ann@example.org/">', '<a href="mailto:ann@example.org/">'),
    ],
)
def test_what_else_leads_to_a_folder(here: str, there: str) -> None:
    assert in_a_folder(here) == there


def test_hot_spots_and_questions_name_rules() -> None:
    assert all(is_known_rule(spot.rule) for spot in HOT_SPOTS)
    for edition in EDITIONS:
        assert ruleset(edition.code)
        assert len(asked(edition)) >= 3, edition.key


@pytest.mark.slow
def test_everything_is_on_the_page_that_lists_everything(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every page of the navigation, and the goal of every tab and door."""
    site = built(tmp_path_factory)
    listed = {path for _, _, pages in MORE for path, _, _ in pages}
    for path in listed:
        assert (site / path).exists(), path
    written = re.findall(r"^ +- [\w -]+: (\S+)\.md$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert {f"{path.removesuffix('index').rstrip('/')}/" for path in written} <= listed
    assert {each.path for each in (*TABS, *DOORS)} - {"ask/", "more/"} <= listed


@pytest.mark.slow
def test_what_a_device_stores_on_the_first_visit(tmp_path_factory: pytest.TempPathFactory) -> None:
    site = built(tmp_path_factory)
    stored = app.core(site)
    assert sum(app.size(site, path) for path in stored) <= app.MOST
    assert {"", "ask/", "offline/", "assets/ask-data.js", "javascripts/ranking.js", "stylesheets/pocket.css"} <= {
        *stored
    }
    assert {path for path in stored if path.startswith("chapters/")}
    script = (site / "sw.js").read_text("utf-8")
    assert json.loads(script.partition("const CORE = ")[2].partition(";\n")[0]) == stored
    kept = json.loads((site / "assets" / "kept.json").read_text("utf-8"))
    assert {path for path in stored if path.startswith("rules/")} <= {*kept["files"]}
    assert kept["bytes"] == sum(app.size(site, path) for path in kept["files"])


def test_another_build_has_another_cache(tmp_path: Path) -> None:
    for path in (*app.FIRST, "index.html", "ask/index.html"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("", "utf-8")
    before = app.worker(tmp_path)
    assert app.worker(tmp_path) == before
    (tmp_path / "ask" / "index.html").write_text("changed", "utf-8")
    assert app.worker(tmp_path) != before
