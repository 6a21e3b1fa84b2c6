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
from typing import Any, cast
from xml.etree import ElementTree as ET

import pytest
from attrs import evolve

from tests.cli import RECORD
from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.docs.test_browser import AXE, FAULTS
from tests.games.claim.mail.test_leaks import game_of
from tests.games.claim.mail.test_leaks import twin_of as claim_twin_of
from tests.makers.games import FOLDER
from tests.render.html import Page
from tests.shared.strategies import ADVANCED, record_of
from tests.shared.tables import each_row, sample
from tests.shared.twins import annotated, cut, twin_of
from tkid.kernel.game import HIDDEN
from tkid.notation.positions import read_position
from tkid.record.format.model import Record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.render.click_page import read_page_part
from tkid.render.frames import build_story, draw_pictures
from tkid.render.picture import Picture, write_css
from tkid.render.plugin import find_render_plugin
from tkid.render.replay_page import replay_page
from tkid.render.value_graph import GraphWords
from tkid.rulebook.rulesets import rulesets

MOST_BYTES = 400_000
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


def shown_by(data: dict[str, Any]) -> Iterator[tuple[str, str, list[tuple[str, tuple[int, ...]]]]]:
    """Title, words and parts of every frame, put together as the script of the page does it."""
    state: dict[int, tuple[str, tuple[int, ...]]] = {}
    for title, told, changes in zip(data["titles"], data["told"], data["changes"], strict=True):
        for place, piece, *moved in changes:
            state[place] = ("".join(data["tags"][tag] for tag in data["pieces"][piece]), tuple(moved) or (0, 0))
        yield title, ". ".join(data["sentences"][each] for each in told), [state[place] for place in sorted(state)]


# -- what stands in it ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_every_frame_is_the_picture_of_its_turn(code: str) -> None:
    html = replay_page(game(code))
    known, drawn = draw_pictures(game(code))
    data = frames(Page.of(html))
    assert list(shown_by(data)) == [(f.title, f.description, [(part.svg, part.at) for part in f.parts]) for f in drawn]
    assert data["turns"] == [0, *(turn.number for turn in known.record.turns)]
    assert len({tuple(part.name for part in frame.parts) for frame in drawn}) == 1
    assert len({(frame.width, frame.height) for frame in drawn}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_a_whole_game_is_small(code: str) -> None:
    assert 20_000 < len(replay_page(game(code)).encode()) < MOST_BYTES


@each_row("code", CODES)
def test_the_page_and_the_picture_share_no_class(code: str) -> None:
    """Both are in one page, so a style of one would change the other."""
    drawn = write_css(draw_pictures(replay(cut(game(code).record, 0)))[1][0].style)
    classes = [
        set(re.findall(r"\.([a-z][\w-]*)(?=[^{}]*\{)", style)) for style in (read_page_part("replay.css"), drawn)
    ]
    assert min(map(len, classes)) > 10
    assert not classes[0] & classes[1]


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_turns_are_told_step_by_step_with_their_rules(code: str) -> None:
    at = game(code)
    html, words = replay_page(at), GraphWords(at.record.names)
    assert html.count('<li class="turn') == len(at.moments)
    for frame in build_story(at, None).frames[1:]:
        tale, number = frame.tale, frame.moment.turn.number if frame.moment.turn else 0
        told = [f"<h4>{words.write_html(f'Turn {number}: {tale.heading}')}</h4>"]
        told += [f"<li>{words.write_with_rule(step.text, step.rule)}</li>" for step in tale.steps]
        told += [words.write_html(each) for each in (*tale.changes, tale.next)]
        turn = html[html.index(f'id="turn-{number}"') :].partition("</div></li>")[0]
        assert [each for each in told if each not in turn] == []
        assert all(f"/r/{step.rule}/" in turn for step in tale.steps if step.rule)
    for text, rule in find_render_plugin(at.record.game).explain_result(at.record.game, at.position, at.record.names):
        assert f"<li>{words.write_with_rule(text, rule)}</li>" in html


def test_headers_and_comments_are_shown_and_addresses_are_not() -> None:
    text = RECORD.replace("Game:", "X-Started: 2026-11-21T10:04Z\nRuling: second.ruling.final-tie last-card\nGame:")
    html = replay_page(replay(cut(_record(text), 5)))
    assert "<h1>winter-2026</h1>" in html
    assert "<bdi>Ann</bdi> and <bdi>Łukasz</bdi>" in html
    assert '<time datetime="2026-11-21">2026-11-21</time>' in html
    assert re.search(r"/r/second\.ruling\.final-tie/\">second\.ruling\.final-tie</a>: last-card", html)
    assert "<bdi>so that Devon comes third</bdi>" in html
    assert "<bdi>Ann was away for a week here.</bdi>" in html
    assert "It is <bdi>Łukasz</bdi>&#x27;s turn to play" in html
    assert "ann@example.org" not in html


def test_the_game_file_in_it_is_the_record_without_addresses() -> None:
    record = frames(Page.of(replay_page(played(RECORD))))["record"]
    assert record == write_record(_record(RECORD.replace(" <ann@example.org>", "")))
    for code in CODES:
        found = read_record(frames(Page.of(replay_page(game(code))))["record"].encode())
        assert not found.problems
        assert found.record is not None
        assert replay(found.record).moments == game(code).moments


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
    frames = draw_pictures(at)[1]
    parts = {part.name: part.svg for part in frames[3].parts}
    assert parts["arrows"] == ""
    assert "was taken back" in replay_page(at)


def test_teams_are_named_as_teams() -> None:
    both = "<bdi>Ann</bdi> and <bdi>Cal</bdi> against <bdi>Bob</bdi> and <bdi>Dee</bdi>"
    assert both in replay_page(game("second-edition", "whole-game-for-4"))


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
    assert not re.search(r"<script|\bon\w+=|style=|href=.(?!#)|<image|url\((?!#)", pieces, re.IGNORECASE)


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
    data, script = page.texts["script"]
    assert "alert" not in script
    assert not {"<", ">", "&"} & set(data)
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
    def hides(played: Replay, seat: int | None = None) -> bool:
        return any(HIDDEN in line for line in frames(Page.of(replay_page(played, seat)))["positions"])

    at = game("second-edition-advanced", "whole-game-for-2")
    assert not hides(at)
    assert all(hides(at, seat) for seat in (0, 1))
    running = replay(cut(at.record, 5))
    assert replay_page(running) == replay_page(hide_secrets(running, None))
    assert hides(running)


def test_whoever_has_resigned_is_named_where_the_game_stands() -> None:
    path = FOLDER / "second-edition" / "whole-game-for-3.tkid"
    begun = path.read_text("utf-8").split("\n-- ")[0].split("\n4. ")[0]
    assert "resigned" not in replay_page(played(f"{begun}\n"))
    page = replay_page(played(f"{begun}\n# resigned: Bob 2026-11-21T09:00Z\n"))
    assert "&#x27;s turn to play; <bdi>Bob</bdi> has resigned" in page


@pytest.mark.parametrize(
    ("line", "status", "why"),
    [
        ("resigned: Bob 2026-11-21T09:00Z", "Resignation: <bdi>Ann</bdi>", "<bdi>Bob</bdi> has resigned."),
        ("ended: draw, agreed by Ann and Bob 2026-11-21T09:00Z", "Draw agreed: ", "agreed to a draw."),
        ("ended: aborted by the host 2026-11-21T09:00Z: a fire", "Aborted by the host: nobody", "the game: a fire."),
    ],
)
def test_how_a_game_ended_early(line: str, status: str, why: str) -> None:
    path = FOLDER / "second-edition" / "whole-game-for-2.tkid"
    begun = path.read_text("utf-8").split("\n-- ")[0].split("\n3. ")[0]
    page = replay_page(played(f"{begun}\n# {line}\n"))
    assert status in page
    assert why in page


# -- what if ----------------------------------------------------------------------------------------------

WHAT_IF = "English Support EE Devon; summon W Warwick"


def with_branches(*comments: str) -> Replay:
    """The recorded game for two, with comments before its 17th turn."""
    text = (FOLDER / "second-edition" / "whole-game-for-2.tkid").read_text("utf-8")
    return played(text.replace("\n17. ", "".join(f"\n{comment}" for comment in comments) + "\n17. "))


def test_a_comment_with_another_turn_is_a_branch_that_the_engine_has_played() -> None:
    at = with_branches(f"# what if: {WHAT_IF}", "# Ann thought about it.", "# what if: English Support nothing")
    story = build_story(at, None)
    assert [(each.start, each.frame.moment.line) for each in story.branches] == [(16, f"17. Ann {WHAT_IF}")]
    by_hand = append(replay(cut(at.record, 16)), WHAT_IF)
    assert story.branches[0].frame.view.shown == by_hand.position
    html = replay_page(at)
    data = frames(Page.of(html))
    assert [(each["start"], each["home"]) for each in data["branches"]] == [(16, 17)]
    assert "<bdi>Ann thought about it.</bdi>" in html
    assert "<bdi>what if: English Support nothing</bdi>" in html
    assert f"<bdi>what if: {WHAT_IF}</bdi>" not in html


def test_a_branch_may_stand_in_the_turn_or_behind_the_last_one() -> None:
    text = RECORD.replace("{so that Devon comes third}", "{What if: Pass}") + "# what if: pass\n# what if: nonsense\n"
    found = build_story(played(text), None).branches
    assert [(each.start, each.frame.moment.line) for each in found] == [(1, "2. Łukasz Pass"), (5, "6. Łukasz Pass")]
    over = game("second-edition").record
    assert not build_story(replay(evolve(over, end=("# what if: Pass",))), None).branches


def test_a_branch_shows_no_hidden_hand() -> None:
    """In a game with secret hands comments are their keeper's alone; in one that covers hands the view covers them."""
    whole = record_of(Random(SEED), 2, 0.3, ADVANCED)
    half = cut(whole, len(whole.turns) // 2)
    at = replay(evolve(half, end=("# what if: Pass",)))
    assert not build_story(at, 0).branches
    text = (FOLDER / "second-edition" / "hands-hidden.tkid").read_text("utf-8")
    covered = build_story(played(text.replace("\n2. ", "\n# what if: Pass\n2. ")), None)
    assert HIDDEN in covered.branches[0].frame.view.shown.hands[0]


# -- in a browser -----------------------------------------------------------------------------------------

PARTS = '[...document.querySelectorAll("#drawn > g")].map(part => part.textContent).join("|")'
PIECES = """[...document.querySelectorAll("#drawn [data-at]")].map(each => each.dataset.at).filter(at =>
    at.startsWith("follower/")).sort()"""
LINE = 'document.querySelector("[aria-current=step]").textContent.trim().replace(/\\s+/g, " ")'
HEADING = 'document.getElementById("heading").textContent'
SEEN = """["heading", "earlier", "back", "play", "next", "later"].every(id => {
    const { top, bottom, width } = document.getElementById(id).getBoundingClientRect();
    const floor = id === "heading" ? document.getElementById("steps").getBoundingClientRect().top : innerHeight;
    return top >= 0 && bottom <= floor + 1 && width > 40})"""
SAVED = """(() => { const made = []; const real = URL.createObjectURL;
    URL.createObjectURL = blob => { made.push(blob); return real(blob) };
    HTMLAnchorElement.prototype.click = function () { made.push(this.download) }; window.made = made; return true })()"""
"""Keeps what the page would save."""


def file_of(folder: Path, at: Replay, what_if: int | None = None) -> str:
    """The address of a game's page, as somebody has saved it."""
    file = folder / "game.html"
    file.write_text(replay_page(at, what_if=what_if), "utf-8")
    return file.as_uri()


def drawn_text(frame: Picture) -> str:
    """All that is written in a picture."""
    return "|".join(unescape(re.sub(r"<[^>]*>", "", part.svg)) for part in frame.parts)


def headings(at: Replay) -> list[str]:
    """The heading of each turn."""
    found = [(frame.tale.heading, frame.moment.turn) for frame in build_story(at, None).frames]
    return [f"Turn {turn.number}: {told}" if turn else told for told, turn in found]


def stands(at: Replay, step: int) -> list[str]:
    """The followers of the engine's position, as keys of the picture."""
    game_: Any = at.record.game
    position: Any = at.moments[step].position
    return sorted(
        f"follower/{region.code}/{faction.letter}"
        for region, followers in zip(game_.board.regions, position.regions, strict=True)
        for faction, count in zip(game_.board.factions, followers, strict=True)
        for _ in range(count)
    )


def swipe(browser: Chromium, by: int) -> None:
    """Draw a finger over the board."""
    browser.ask("Emulation.setTouchEmulationEnabled", browser.page, enabled=True)
    for kind, points in (
        ("touchStart", [{"x": 200, "y": 200}]),
        ("touchMove", [{"x": 200 + by, "y": 205}]),
        ("touchEnd", []),
    ):
        browser.ask("Input.dispatchTouchEvent", browser.page, type=kind, touchPoints=points)
    browser.ask("Emulation.setTouchEmulationEnabled", browser.page, enabled=False)


class TestInABrowser:
    """The page as people have it: a file that they open."""

    pytestmark = IN_A_BROWSER

    @pytest.mark.parametrize(("code", "width"), sample([("second-edition-advanced", 390), ("second-edition", 1280)], 2))
    def test_keys_step_through_a_whole_game_and_back(
        self, browser: Chromium, tmp_path: Path, code: str, width: int
    ) -> None:
        at = game(code)
        texts, told = [drawn_text(frame) for frame in draw_pictures(at)[1]], headings(at)
        browser.screen(width, 844, motion=width > 600)
        browser.open(file_of(tmp_path, at))
        for step, (heading, drawn) in enumerate(zip(told, texts, strict=True)):
            found = browser.run(f"[{HEADING}, {PARTS}, location.hash, {PIECES}, {SEEN}]")
            assert found == [heading, drawn, f"#turn-{step}", stands(at, step), True]
            browser.press("ArrowRight")
        assert browser.run(HEADING) == told[-1]
        browser.press("Home")
        assert browser.run(f"[{HEADING}, {PARTS}]") == [told[0], texts[0]]
        browser.press("End", "ArrowLeft")
        assert browser.run(f"[{HEADING}, {PARTS}]") == [told[-2], texts[-2]]

    def test_another_turn_is_clicked_on_a_board_in_the_replay(self, browser: Chromium, tmp_path: Path) -> None:
        at = game("second-edition", "whole-game-for-2")
        inside = 'document.querySelector("#trial iframe").contentDocument'
        button = f"{inside}.querySelector('#k-list [aria-label=Pass]')"
        browser.screen(390, 844)
        browser.open(f"{file_of(tmp_path, at, 17)}#turn-16")
        assert browser.run('document.getElementById("try").hidden')
        browser.press("ArrowRight")
        browser.run('document.getElementById("try").scrollIntoView({block: "end"})')
        browser.tap("#try")
        browser.wait(f"{inside}.readyState === 'complete' && {button} !== null")
        assert browser.run(f"{inside}.querySelectorAll('.k-stale').length") == 0
        browser.run(f"{button}.click()")
        assert browser.run(f"{inside}.getElementById('k-line').textContent") == "Pass"
        browser.tap("#leave")
        assert browser.run('document.getElementById("trial").open') is False
        assert (browser.complaints, len(browser.requests)) == ([], 1)

    def test_a_phone_shows_every_turn_of_claim(self, browser: Chromium, tmp_path: Path) -> None:
        at = game("claim")
        texts, told = [drawn_text(frame) for frame in draw_pictures(at)[1]], headings(at)
        browser.screen(390, 844)
        browser.open(file_of(tmp_path, at))
        for heading, drawn in zip(told, texts, strict=True):
            assert browser.run(f"[{HEADING}, {PARTS}, {SEEN}]") == [heading, drawn, True]
            browser.tap("#next")

    def test_nothing_to_come_is_seen_at_the_start(self, browser: Chromium, tmp_path: Path) -> None:
        at = game("second-edition", "whole-game-for-2")
        browser.open(file_of(tmp_path, at))
        lines = (
            '[...document.querySelectorAll("li.turn, #turns h3, #ended")].filter(each => each.getClientRects().length)'
        )
        coins = '[...document.querySelectorAll("#time .coin:not(.open)")].length'
        past = '[...document.querySelectorAll("#time .past, #time .pass")].length'
        names = 'document.getElementById("time").textContent'
        game_: Any = at.record.game
        start, end = (cast("Any", moment.position) for moment in (at.moments[0], at.last))
        first = game_.board.name_region(start.contested)
        assert browser.run(f"[{lines}.length, {coins}, {past}, {names}]") == [1, 0, 0, f"1{first}2345678"]
        assert "Coronation" not in browser.run("document.body.innerText")
        browser.press("End")
        assert browser.run(f"[{lines}.length, {coins}]")[0] > len(at.moments)
        assert browser.run(coins) == len(end.struggles)
        assert "Coronation" in browser.run('document.getElementById("ended").innerText')

    def test_swipes_buttons_the_timeline_and_the_list_lead_to_a_turn(self, browser: Chromium, tmp_path: Path) -> None:
        at = game("second-edition", "whole-game-for-4")
        told = headings(at)
        ends = [index for index, moment in enumerate(at.moments) if any(e.line for e in moment.events)]
        browser.screen(390, 844)
        browser.open(f"{file_of(tmp_path, at)}#turn-12")
        assert browser.run(f"[{HEADING}, scrollY]") == [told[12], 0]
        browser.tap("#later")
        assert browser.run(HEADING) == told[min(end for end in ends if end > 12)]
        browser.tap("#earlier")
        browser.tap("#back")
        assert browser.run(HEADING) == told[0]
        middle = """(() => { const tick = document.querySelector('[data-step="20"]').getBoundingClientRect();
            const at = {clientX: (tick.left + tick.right) / 2, clientY: tick.top, bubbles: true, pointerId: 1};
            const time = document.getElementById("time"); time.setPointerCapture = () => {};
            time.dispatchEvent(new PointerEvent("pointerdown", at)); return true })()"""
        browser.run(middle)
        assert browser.run(HEADING) == told[20]
        assert "20" in browser.run('document.getElementById("time").getAttribute("aria-valuetext")')
        browser.run('document.querySelector("a[href=\\"#turn-7\\"]").click()')
        assert browser.run(f"[{HEADING}, {SEEN}]") == [told[7], True]
        browser.run('location.hash = "#turn-999"')
        assert browser.run(HEADING) == told[7]
        swipe(browser, -120)
        assert browser.run(HEADING) == told[8]
        swipe(browser, 120)
        swipe(browser, 120)
        assert browser.run(HEADING) == told[6]

    def test_it_plays_to_the_end_and_stops(self, browser: Chromium, tmp_path: Path) -> None:
        at = game("second-edition", "whole-game-for-2")
        browser.open(f"{file_of(tmp_path, at)}#turn-{len(at.moments) - 3}")
        browser.run('document.getElementById("speed").value = "900"')
        browser.press(" ")
        assert browser.run('document.getElementById("news").getAttribute("aria-live")') == "off"
        browser.wait(f"{HEADING} === {json.dumps(headings(at)[-1])}")
        browser.wait('document.getElementById("play").getAttribute("aria-label") === "Play"')
        assert browser.run('document.getElementById("news").getAttribute("aria-live")') == "polite"

    def test_a_game_that_goes_on_opens_where_it_stands(self, browser: Chromium, tmp_path: Path) -> None:
        at = played(RECORD)
        browser.open(file_of(tmp_path, at))
        assert browser.run(HEADING) == headings(at)[-1]
        assert "It is Łukasz's turn to play" in browser.run("document.body.innerText")

    def test_a_branch_is_stepped_into_and_left(self, browser: Chromium, tmp_path: Path) -> None:
        at = with_branches(f"# what if: {WHAT_IF}")
        branch, told = build_story(at, None).branches[0].frame, headings(at)
        browser.open(f"{file_of(tmp_path, at)}#turn-17")
        browser.run('document.querySelector("#tale .branch button").click()')
        if_then = [f"What if: {branch.tale.heading}", drawn_text(branch.picture), "#turn-17-if-1"]
        assert browser.run(f"[{HEADING}, {PARTS}, location.hash]") == if_then
        browser.run('document.querySelector("#tale .leave").click()')
        assert browser.run(f"[{HEADING}, location.hash]") == [told[17], "#turn-17"]
        browser.open(f"{file_of(tmp_path, at)}#turn-17-if-1")
        assert browser.run(f"[{HEADING}, {PARTS}, location.hash]") == if_then
        browser.press("ArrowRight")
        assert browser.run(f"[{HEADING}, {PARTS}]") == [told[18], drawn_text(draw_pictures(at)[1][18])]

    def test_position_link_picture_and_record_can_be_taken_along(self, browser: Chromium, tmp_path: Path) -> None:
        at = game("second-edition", "whole-game-for-2")
        address = file_of(tmp_path, at)
        browser.open(f"{address}#turn-9")
        kept = (
            "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { window.kept = text }}})"
        )
        browser.run(f"{kept}; {SAVED}")
        browser.run('document.getElementById("copy-position").click()')
        browser.wait("window.kept")
        game_, position = read_position(browser.run("window.kept"))
        assert position == at.moments[9].position
        assert game_.code == at.record.game.code
        browser.run('document.getElementById("copy-link").click()')
        browser.wait(f"window.kept === {json.dumps(f'{address}#turn-9')}")
        assert browser.run('document.getElementById("done").textContent') == "The link is copied."
        for tool in ("save-picture", "save-record"):
            browser.run(f'document.getElementById("{tool}").click()')
        svg, picture, record, file = browser.run("Promise.all(made.map(each => each.text ? each.text() : each))")
        assert (picture, file) == ("game-turn-9.svg", "game.tkid")
        assert record == frames(Page.of(replay_page(at)))["record"]
        drawn = ET.fromstring(svg)  # noqa: S314 - our own
        keys = [each.get("data-at", "") for each in drawn.iter()]
        assert sorted(key for key in keys if key.startswith("follower/")) == stands(at, 9)

    @pytest.mark.parametrize(("code", "name"), [("second-edition", "whole-game-for-4"), ("claim", "whole-game-for-2")])
    def test_seats_are_swapped(self, browser: Chromium, tmp_path: Path, code: str, name: str) -> None:
        at = game(code, name)
        seats = len(at.record.names)
        browser.open(f"{file_of(tmp_path, at)}#turn-9")
        lanes = '[...document.querySelectorAll("#time .past i")].map(each => Number(each.style.gridRow.split(" ")[0]))'
        tops = """[...document.querySelectorAll('#drawn > g[data-part^="panel-"]')].map(each => {
            const { f } = each.transform.baseVal.consolidate().matrix; return f })"""
        before, first = browser.run(lanes), browser.run(tops)
        assert set(before) == set(range(1, seats + 1))
        assert first == sorted(first)
        browser.run('document.getElementById("flip").click()')
        assert browser.run(lanes) == [seats + 1 - row for row in before]
        assert browser.run(tops) == sorted(browser.run(tops), reverse=True)
        assert min(browser.run(tops)) == min(first)
        assert browser.run('document.getElementById("flip").getAttribute("aria-pressed")') == "true"

    @pytest.mark.parametrize("width", sample([360, 1200], 2))
    def test_axe_finds_no_serious_fault(self, browser: Chromium, tmp_path: Path, width: int) -> None:
        for dark in (False, True):
            browser.screen(width, dark=dark)
            browser.open(f"{file_of(tmp_path, with_branches(f'# what if: {WHAT_IF}'))}#turn-17")
            assert browser.run("document.documentElement.scrollWidth <= innerWidth")
            browser.ask("Page.setBypassCSP", browser.page, enabled=True)
            browser.run(AXE.read_text("utf-8") + "; true")
            assert not browser.run(FAULTS % "{}")
            browser.press("End")
            assert not browser.run(FAULTS % "{}")

    def test_printed_a_turn_that_was_not_taken_has_one_heading(self, browser: Chromium, tmp_path: Path) -> None:
        browser.open(file_of(tmp_path, with_branches(f"# what if: {WHAT_IF}")))
        browser.ask("Emulation.setEmulatedMedia", browser.page, media="print")
        browser.run("dispatchEvent(new Event('beforeprint'))")
        headings_on_paper = """[...document.querySelectorAll(".turns .branch > p, .turns .branch h5, .turns .branch button")]
            .filter(each => each.getClientRects().length).map(each => each.firstChild.textContent)"""
        (heading,) = browser.run(headings_on_paper)
        assert heading.startswith("What if:")

    def test_printed_it_is_the_last_board_and_the_list(self, browser: Chromium, tmp_path: Path) -> None:
        at = game("second-edition", "whole-game-for-2")
        browser.open(f"{file_of(tmp_path, at)}#turn-9")
        assert browser.printed().startswith(b"%PDF-")
        assert browser.run(f"[{HEADING}, location.hash]") == [headings(at)[9], "#turn-9"]
        browser.ask("Emulation.setEmulatedMedia", browser.page, media="print")
        browser.run("dispatchEvent(new Event('beforeprint'))")
        assert browser.run(PARTS) == drawn_text(draw_pictures(at)[1][-1])
        on_paper = (
            """(selector => [...document.querySelectorAll(selector)].every(each => each.getClientRects().length))"""
        )
        assert browser.run(f"{on_paper}('#board, li.turn, li.turn li')")
        assert browser.run(
            '![...document.querySelectorAll("button, select")].some(each => each.getClientRects().length)'
        )
        browser.run("dispatchEvent(new Event('afterprint'))")
        browser.ask("Emulation.setEmulatedMedia", browser.page, media="")
        assert browser.run(f"[{HEADING}, document.querySelectorAll('li.turn:not([hidden])').length]") == [
            headings(at)[9],
            10,
        ]

    def test_without_scripts_the_end_and_the_turns_can_be_read(self, browser: Chromium, tmp_path: Path) -> None:
        at = game("second-edition", "whole-game-for-2")
        browser.ask("Emulation.setScriptExecutionDisabled", browser.page, value=True)
        try:
            address = file_of(tmp_path, at)
            browser.ask("Page.navigate", browser.page, url=address)
            browser.wait("document.readyState === 'complete' && location.href !== 'about:blank'")
            assert browser.run(PARTS) == drawn_text(draw_pictures(at)[1][-1])
            assert browser.run(
                '[...document.querySelectorAll("li.turn, li.turn li")].every(each => each.getClientRects().length)'
            )
            assert browser.run('!document.getElementById("steps").getClientRects().length')
            assert browser.run(HEADING) == headings(at)[-1]
        finally:
            browser.ask("Emulation.setScriptExecutionDisabled", browser.page, value=False)
