"""A whole game as one page: every frame of it, nothing from elsewhere, nothing hidden, hostile texts; and in a browser."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cli import RECORD
from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.docs.test_browser import AXE, FAULTS
from tests.games.claim.mail.test_leaks import game_of
from tests.games.claim.mail.test_leaks import twin_of as claim_twin_of
from tests.makers.games import FOLDER
from tests.render.html import Page
from tests.shared.strategies import ADVANCED, record_of
from tests.shared.twins import annotated, cut, twin_of
from tkid.record.format.model import Record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.record.play.views import seen
from tkid.render.frames import pictures
from tkid.render.picture import Picture
from tkid.render.replay_page import replay_page
from tkid.render.text import explain_result
from tkid.rulebook.rulesets import rulesets

MOST_BYTES = 1_000_000
CODES = [ruleset.code for ruleset in rulesets()]
SEED = 20261121
LOADING = {"src", "srcset", "data", "poster", "action", "formaction", "background", "ping", "xlink:href"}
"""Attributes that make a browser load or send something."""
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;{0}]]><!--"


@cache
def game(code: str, name: str = "") -> Replay:
    """A recorded game, played through; of a ruleset the longest one."""
    files = (FOLDER / code).glob(f"{name or '*'}.tkid")
    return played(max(files, key=lambda file: (file.read_text("utf-8").count("\n"), file.name)).read_text("utf-8"))


def played(text: str) -> Replay:
    found = read_record(text.encode())
    assert not found.problems
    assert found.record is not None
    return replay(found.record)


def frames(page: Page) -> dict[str, Any]:
    """What the script is given."""
    place = [attributes.get("id") for attributes in page.each("script")].index("game")
    return dict(json.loads(page.texts["script"][place]))


def shown_by(data: dict[str, Any]) -> Iterator[tuple[str, str, list[str]]]:
    """Title, words and parts of every frame, put together as the script of the page does it."""
    state: dict[int, str] = {}
    for title, told, changes in zip(data["titles"], data["told"], data["changes"], strict=True):
        state |= {part: "".join(data["tags"][tag] for tag in data["pieces"][piece]) for part, piece in changes}
        yield title, ". ".join(data["sentences"][each] for each in told), [state[part] for part in sorted(state)]


# -- what stands in it ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_every_frame_is_the_picture_of_its_turn(code: str) -> None:
    html = replay_page(game(code))
    known, drawn = pictures(game(code))
    data = frames(Page.of(html))
    assert list(shown_by(data)) == [(f.title, f.description, [part.svg for part in f.parts]) for f in drawn]
    assert data["turns"] == [0, *(turn.number for turn in known.record.turns)]
    assert len({tuple(part.name for part in frame.parts) for frame in drawn}) == 1
    assert len({(frame.width, frame.height) for frame in drawn}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_a_whole_game_is_small(code: str) -> None:
    assert 20_000 < len(replay_page(game(code)).encode()) < MOST_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_turns_events_and_the_final_count_are_told_with_their_rules(code: str) -> None:
    at = game(code)
    html, names = replay_page(at), at.record.names
    for moment in at.moments[1:]:
        assert f"<code>{_text(moment.line)}</code>" in html
        for event in moment.events:
            assert re.search(
                rf'{re.escape(_text(event.read(names)))} <a class="rule" href="https://\S+/r/{event.rule}/">{event.rule}</a>',
                html,
            )
    sentences = explain_result(at.record.game, at.position, names)
    assert len(sentences) > 2
    for sentence in sentences:
        assert _text(sentence.partition(" [")[0]) in html


def _text(told: str) -> str:
    return told.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#x27;")


def test_headers_and_comments_are_shown_and_addresses_are_not() -> None:
    text = RECORD.replace("Game:", "X-Started: 2026-11-21T10:04Z\nRuling: second.ruling.final-tie last-card\nGame:")
    html = replay_page(replay(cut(_record(text), 5)))
    assert "<h1>winter-2026</h1>" in html
    assert "Ann, Łukasz" in html
    assert '<time datetime="2026-11-21">2026-11-21</time>' in html
    assert re.search(r"/r/second\.ruling\.final-tie/\">second\.ruling\.final-tie</a>: last-card", html)
    assert "<bdi>so that Devon comes third</bdi>" in html
    assert "<bdi>Ann was away for a week here.</bdi>" in html
    assert "It is Łukasz&#x27;s turn to play" in html
    assert "ann@example.org" not in html


def _record(text: str) -> Record:
    found = read_record(re.sub(r" #[0-9a-f]{6}$", "", text, flags=re.MULTILINE).encode()).record
    assert found is not None
    return found


def test_a_turn_taken_back_says_so_and_marks_nothing() -> None:
    text = RECORD.replace("3. Ann Pass #32ee44\n", "3. Ann Pass {undone: Ann, Łukasz agreed}\n").partition("4. Łukasz")[
        0
    ]
    at = replay(_record(text))
    assert not at.problems
    frames = pictures(at)[1]
    parts = {part.name: part.svg for part in frames[3].parts}
    assert parts["arrows"] == ""
    assert "was taken back" in replay_page(at)


def test_teams_are_named_as_teams() -> None:
    assert "Ann and Cal against Bob and Dee" in replay_page(game("second-edition", "whole-game-for-4"))


# -- nothing from elsewhere -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_it_loads_nothing_and_runs_only_its_own_script(code: str) -> None:
    page = Page.of(replay_page(game(code)))
    policy = next(each["content"] for each in page.each("meta") if "http-equiv" in each)
    assert policy.startswith("default-src 'none'; ")
    allowed = set(re.findall(r"'sha256-([^']+)'", policy))
    scripts = zip(page.each("script"), page.texts["script"], strict=True)
    running = [text for attributes, text in scripts if attributes.get("type") != "application/json"]
    assert len(running) == len(page.texts["style"]) == 1
    assert {_hash(text) for text in [*running, *page.texts["style"]]} == allowed
    for tag, attributes in page.elements:
        assert tag not in {"link", "base", "form", "iframe", "object", "embed", "img", "image", "foreignobject"}
        assert not LOADING & attributes.keys()
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
    assert all(each["href"].startswith(("https://", "#turn-")) for each in page.each("a"))
    assert all(each["href"].startswith("#") for each in page.each("use"))
    assert not re.search(r"url\(|@import", page.texts["style"][0])
    pieces = "".join(frames(page)["tags"])
    assert not re.search(r"<script|\bon\w+=|style=|href=.(?!#)|<image|url\(", pieces, re.IGNORECASE)


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def test_hostile_texts_are_texts() -> None:
    """A name holds none of `<>:;{}#`; a title, a header and comments may hold anything."""
    text = RECORD.replace("winter-2026", HOSTILE).replace("Ann was away for a week here.", HOSTILE)
    text = text.replace("so that Devon comes third", HOSTILE.replace("{0}", "")).replace("Łukasz", "\"'&amp [second.x]")
    at = replay(_record(text.replace("Game:", f"X-Remark: {HOSTILE}\nGame:")))
    assert not at.problems
    html = replay_page(at)
    page, plain = Page.of(html), Page.of(replay_page(played(RECORD)))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in plain.elements]
    assert page.texts["h1"] == page.texts["title"][:1] == [at.record.title]
    assert "</script><script>" in at.record.title
    assert "".join(page.texts["bdi"]).count("alert(1)") == 2
    assert "alert" not in "".join(page.texts["script"])
    assert html.count("</script") == 2


# -- nothing hidden ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_is_hidden_from_a_seat_is_not_in_its_page() -> None:
    """Two games that a seat cannot tell apart make the same page, byte for byte, comments of their keepers included."""
    rng, compared = Random(SEED), 0
    for players in (2, 3):
        whole = record_of(rng, players, 0.3, ADVANCED)
        for turns in (0, len(whole.turns) // 2, len(whole.turns)):
            record = cut(whole, turns)
            for seat in (None, *range(players)):
                if seat is None and turns == len(whole.turns):
                    continue  # over: all that the record states is shown
                twin = twin_of(rng, record, seat)
                if twin is not None:
                    one, two = annotated(record, "Ann's own"), annotated(twin, "what Bob holds")
                    assert replay_page(replay(one), seat) == replay_page(replay(two), seat)
                    compared += 1
    assert compared > 6, f"seed {SEED}"


@pytest.mark.slow
def test_what_is_hidden_in_claim_is_not_in_its_page() -> None:
    rng, compared = Random(SEED), 0
    for turns in (0, 7, 20, 30):
        for seat in (0, 1):
            one = game_of(rng, turns)
            two = claim_twin_of(rng, one, seat)
            if two is not None:
                assert replay_page(one, seat) == replay_page(two, seat)
                assert replay_page(one, 1 - seat) != replay_page(two, 1 - seat)
                compared += 1
    assert compared > 4, f"seed {SEED}"


def test_a_game_that_is_over_shows_every_hand_to_its_keeper_alone() -> None:
    at = game("second-edition-advanced", "whole-game-for-2")
    assert "hidden" not in json.dumps(list(shown_by(frames(Page.of(replay_page(at))))))
    for seat in (0, 1):
        assert "hidden" in json.dumps(list(shown_by(frames(Page.of(replay_page(at, seat))))))
    running = replay(cut(at.record, 5))
    assert replay_page(running) == replay_page(seen(running, None))
    assert "hidden" in json.dumps(list(shown_by(frames(Page.of(replay_page(running))))))


# -- in a browser -----------------------------------------------------------------------------------------

PARTS = '[...document.querySelectorAll("#board > g")].map(part => part.textContent).join("|")'
LINE = 'document.getElementById("line").textContent'
HAPPENED = 'document.getElementById("happened").textContent'


def file_of(folder: Path, at: Replay) -> str:
    """The address of a game's page, as somebody has saved it."""
    file = folder / "game.html"
    file.write_text(replay_page(at), "utf-8")
    return file.as_uri()


def drawn_text(frame: Picture) -> str:
    """All that is written in a picture."""
    return "|".join(unescape(re.sub(r"<[^>]*>", "", part.svg)) for part in frame.parts)


class TestInABrowser:
    """The page as people have it: a file that they open."""

    pytestmark = IN_A_BROWSER

    @pytest.mark.parametrize("code", ["second-edition-advanced", "claim"])
    def test_keys_step_through_a_whole_game_and_back(self, browser: Chromium, tmp_path: Path, code: str) -> None:
        at = game(code)
        frames = [drawn_text(frame) for frame in pictures(at)[1]]
        lines = ["Start", *(moment.line for moment in at.moments[1:])]
        browser.open(file_of(tmp_path, at))
        for step, (line, drawn) in enumerate(zip(lines, frames, strict=True)):
            assert browser.run(f"[{LINE}, {PARTS}, location.hash]") == [line, drawn, f"#turn-{step}"]
            browser.press("ArrowRight")
        assert browser.run(LINE) == lines[-1]
        assert browser.run('document.getElementById("ended").open')
        assert at.moments[-1].events[-1].read(at.record.names) in browser.run(HAPPENED)
        browser.press("Home")
        assert browser.run(f"[{LINE}, {PARTS}]") == [lines[0], frames[0]]
        browser.press("End", "ArrowLeft")
        assert browser.run(f"[{LINE}, {PARTS}]") == [lines[-2], frames[-2]]

    def test_the_slider_and_the_list_lead_to_a_turn(self, browser: Chromium, tmp_path: Path) -> None:
        at = game("second-edition", "whole-game-for-4")
        frames = [drawn_text(frame) for frame in pictures(at)[1]]
        address = file_of(tmp_path, at)
        browser.open(f"{address}#turn-12")
        assert browser.run(f"[{LINE}, {PARTS}, scrollY]") == [at.moments[12].line, frames[12], 0]
        browser.run('document.getElementById("slider").focus()')
        browser.press(*["ArrowRight"] * (len(frames) - 13))
        assert browser.run(f"[{LINE}, {PARTS}]") == [at.moments[-1].line, frames[-1]]
        assert browser.run('document.getElementById("slider").getAttribute("aria-valuetext")') == at.moments[-1].line
        browser.run('document.querySelector("a[href=\\"#turn-7\\"]").click()')
        browser.wait(f"{LINE} === {json.dumps(at.moments[7].line)}")
        assert browser.run('document.querySelector("[aria-current=step]").textContent') == at.moments[7].line
        browser.run('location.hash = "#turn-999"')
        assert browser.run(LINE) == at.moments[7].line

    def test_it_plays_to_the_end_and_stops(self, browser: Chromium, tmp_path: Path) -> None:
        at = game("second-edition", "whole-game-for-2")
        browser.open(f"{file_of(tmp_path, at)}#turn-{len(at.moments) - 3}")
        browser.run('document.getElementById("play").click()')
        assert browser.run('document.getElementById("happened").getAttribute("aria-live")') == "off"
        browser.wait(f"{LINE} === {json.dumps(at.moments[-1].line)}")
        browser.wait('document.getElementById("play").textContent === "Play"')
        assert browser.run('document.getElementById("happened").getAttribute("aria-live")') == "polite"

    def test_a_game_that_goes_on_opens_where_it_stands(self, browser: Chromium, tmp_path: Path) -> None:
        at = played(RECORD)
        browser.open(file_of(tmp_path, at))
        assert browser.run(LINE) == at.moments[-1].line

    @pytest.mark.parametrize("width", [360, 1200])
    def test_axe_finds_no_serious_fault(self, browser: Chromium, tmp_path: Path, width: int) -> None:
        for dark in (False, True):
            browser.screen(width, dark=dark)
            browser.open(f"{file_of(tmp_path, game('second-edition-advanced'))}#turn-9")
            assert browser.run("document.documentElement.scrollWidth <= innerWidth")
            browser.ask("Page.setBypassCSP", browser.page, enabled=True)
            browser.run(AXE.read_text("utf-8") + "; true")
            assert not browser.run(FAULTS % "{}")

    def test_printed_it_is_the_board_and_the_list(self, browser: Chromium, tmp_path: Path) -> None:
        browser.open(f"{file_of(tmp_path, game('second-edition', 'whole-game-for-2'))}#turn-9")
        assert browser.printed().startswith(b"%PDF-")
        browser.ask("Emulation.setEmulatedMedia", browser.page, media="print")
        assert browser.run(
            '[...document.querySelectorAll("button, input")].every(each => !each.getClientRects().length)'
        )
        seen_on_paper = (
            '[...document.querySelectorAll("#board, li.turn, li.turn li")].every(each => each.getClientRects().length)'
        )
        assert browser.run(seen_on_paper)

    def test_without_scripts_the_end_and_the_turns_can_be_read(self, browser: Chromium, tmp_path: Path) -> None:
        at = game("second-edition", "whole-game-for-2")
        browser.ask("Emulation.setScriptExecutionDisabled", browser.page, value=True)
        try:
            address = file_of(tmp_path, at)
            browser.ask("Page.navigate", browser.page, url=address)
            browser.wait("document.readyState === 'complete' && location.href !== 'about:blank'")
            assert browser.run(PARTS) == drawn_text(pictures(at)[1][-1])
            assert browser.run(
                '[...document.querySelectorAll("li.turn li")].every(each => each.getClientRects().length)'
            )
            assert browser.run('!document.getElementById("steps").getClientRects().length')
        finally:
            browser.ask("Emulation.setScriptExecutionDisabled", browser.page, value=False)


def test_whoever_has_resigned_is_named_where_the_game_stands() -> None:
    path = FOLDER / "second-edition" / "whole-game-for-2.tkid"
    begun = path.read_text("utf-8").split("\n-- ")[0].split("\n3. ")[0]
    assert "resigned" not in replay_page(played(f"{begun}\n"))
    assert "<dd>It is Ann&#x27;s turn to play; Bob has resigned</dd>" in replay_page(
        played(f"{begun}\n# resigned: Bob 2026-11-21T09:00Z\n")
    )
