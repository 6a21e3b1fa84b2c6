"""Turns put together by clicks: every legal turn can be, nothing else comes out, and the page holds what it has to."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.claim import shared
from tests.render.html import Page
from tests.shared.clicking import Clicker, Data, clicks_to, lines_of, unclear
from tests.shared.examples import examples
from tests.shared.strategies import GAMES, NAMES, positions
from tests.shared.strategies import seeds as any_seed
from tkid.games.claim.rules import Position as Claim
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import HIDDEN, AnyGame, Event, fill_names
from tkid.notation.positions import read_position
from tkid.render.click_page import FOLLOWS, Answer, build_choice_data, build_click_page, click_page
from tkid.render.clicks import find_drawing_plugin
from tkid.render.picture import LastTurn
from tkid.render.plugin import find_render_plugin
from tkid.rulebook import is_known_rule
from tkid.rulebook.rulesets import rulesets

FILES = Path(__file__).parents[2] / "fixtures" / "positions"
SEED = 20261121
LARGEST = 250_000
"""Bytes of a whole page."""
HOSTILE = ("</script><img src=x onerror=alert(1)>", "<!--<script>\u2028", "&amp;'\"`{0}${1}", "\u202eDee")


def clicked(game: AnyGame, position: Any, names: tuple[str, ...] = NAMES) -> Data:
    """What the page of the seat to act holds."""
    seat = position.to_act
    return build_choice_data(find_drawing_plugin(game).make_choices(game, game.view(position, seat), names))


def legal_turns(game: AnyGame, position: object) -> set[str]:
    """Every legal turn as a line, asked of the engine about the whole position."""
    found = set()
    for move in game.legal(position):
        after, _ = game.apply(position, move)
        ends = [(move, end) for end in game.legal(after)] if game.turn_continues(after) else [(move,)]
        found |= {fill_names(game.words.write_turn(moves), NAMES) for moves in ends}
    return found


@cache
def kept(code: str) -> list[tuple[AnyGame, Any]]:
    """Positions that are kept for a ruleset: with small hands, and together with every card and every decision; of those who know their hand."""
    texts = [line.partition("\t")[0] for line in (FILES / f"{code}.txt").read_text("utf-8").splitlines()]
    found: list[tuple[AnyGame, Any]] = []
    seen: set[str] = set()
    for game, position in sorted(map(read_position, texts), key=lambda read: len(hand(read[1]))):
        met = {*hand(position), f"{position.decision} with {len(position.seats)}"}
        if not met <= seen and HIDDEN not in hand(position):
            found.append((game, position))
            seen |= met
    return found


def hand(position: Any) -> tuple[str, ...]:
    """The cards of the seat to act; () where no card is due."""
    return tuple(position.hands[position.to_act]) if position.decision == "play" else ()


# -- clicks and turns -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("code", [ruleset.code for ruleset in rulesets()])
def test_every_legal_turn_can_be_clicked_and_no_other(code: str) -> None:
    """In positions with every card of a ruleset: the same lines as the engine's, and clicks that tell them apart."""
    played: set[str] = set()
    rng = Random(SEED)
    for game, position in kept(code):
        found, turns = clicked(game, position), legal_turns(game, position)
        assert lines_of(found) == turns, position
        assert (
            unclear(find_drawing_plugin(game).make_choices(game, game.view(position, position.to_act), NAMES)) == []
        ), position
        for line in rng.sample(sorted(turns), min(12, len(turns))):
            assert clicks_to(found, line, rng.choice)
            played.add(line)
    assert len(played) > 30


@pytest.mark.slow
@examples(12)
@given(st.sampled_from(list(GAMES)).flatmap(lambda name: st.tuples(st.just(name), positions(GAMES[name]))), any_seed)
def test_whatever_is_clicked_a_legal_turn_comes_out(drawn: tuple[str, Position], seed: int) -> None:
    name, position = drawn
    game, rng = GAMES[name], Random(seed)
    found = clicked(game, position)
    if position.to_act is None:
        assert not found["ways"]
        return
    assert unclear(find_drawing_plugin(game).make_choices(game, game.view(position, position.to_act), NAMES)) == []
    turns = legal_turns(game, position)
    for _ in range(5):
        clicker = Clicker(found)
        while offered := clicker.offered():
            clicker.click(rng.choice(sorted(offered)))
        assert clicker.line() in turns


@examples(10)
@given(shared.positions(over=False))
def test_claim_is_one_click(position: Claim) -> None:
    found = clicked(shared.CLAIM, position)
    for move in shared.CLAIM.legal(position):
        assert clicks_to(found, shared.CLAIM.words.write_move(move)) == [f"card/{move.card}"]
    assert lines_of(found) == legal_turns(shared.CLAIM, position)


@pytest.mark.parametrize("code", [ruleset.code for ruleset in rulesets() if ruleset.game_name == Struggle.name])
def test_every_card_can_be_clicked(code: str) -> None:
    """The positions of the tests above offer each card that is ever played, in one of them at least."""
    spots = {spot[0] for game, position in kept(code) for spot in clicked(game, position)["spots"]}
    (game, _), *_ = kept(code)
    assert isinstance(game, Struggle)
    assert spots >= {f"card/{card}" for card in game.cards if card != game.plot}


def test_followers_who_only_come_may_be_clicked_and_leave() -> None:
    """One that is placed by the turn itself can be returned, and summoned."""
    _, position = read_position(
        "second-edition-advanced; DEV W, MOR W; supply 2S 1W 1E; 1 court SW; 1 hand Ambush; 2 court WE; 2 hand March; to play 1"
    )
    found = clicked(GAMES["advanced"], position)
    line = "Ambush Devon place SS return S; summon S Devon"
    assert clicks_to(found, line) == ["card/Ambush", "region/DEV", "follower/DEV/S", "follower/DEV/S"]


# -- the page ---------------------------------------------------------------------------------------------


def page(name: str = "advanced", names: tuple[str, ...] = NAMES, answer: Answer | None = None) -> str:
    """The page of the seat to act in a position with a copyable card of everybody's."""
    game = GAMES[name]
    position = next(iter(_fresh(game)))
    told = LastTurn(1, (), (Event("second.turn.pass", "{1} passes"),))
    title = f"Winter <1>, {names[0]}"
    return click_page(game, game.view(position, position.to_act), names, title=title, last=told, answer=answer)


def _fresh(game: Struggle) -> list[Position]:
    start = game.start(game.seat_players(NAMES), game.deal(4, bytes(32)))
    seat = start.to_act or 0
    piles = tuple(() if at == seat else ("Assemble",) for at in start.seats)
    hands = tuple(("Spy", "March", "Negotiate") if at == seat else hand for at, hand in enumerate(start.hands))
    return [start.replace(discards=piles, hands=hands)]


def test_names_cannot_break_out_of_the_page() -> None:
    read = Page.of(page(names=HOSTILE, answer=Answer("desk+key@example.org", "Re: </script>")))
    assert len(read.each("script")) == 2
    assert not read.each("img")
    assert not [attribute for _, attributes in read.elements for attribute in attributes if attribute.startswith("on")]
    found = json.loads(read.texts["script"][0])
    told = {name for key, name, *_ in found["spots"] if key.startswith("pile/")}
    assert len(told) == 3
    assert any(f"Spy {HOSTILE[1]}: Assemble " in line for line in lines_of(found)) or HOSTILE[1] == NAMES[0]
    assert HOSTILE[1] + " passes" in read.words
    assert "\u2028" not in "".join(read.texts["script"])


def test_the_page_allows_its_own_script_and_style_alone() -> None:
    read = Page.of(page())
    (policy,) = [m["content"] for m in read.each("meta") if m.get("http-equiv") == "Content-Security-Policy"]
    _, script = read.texts["script"]
    (style,) = read.texts["style"]
    allowed = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in (script, style)]
    taken = {"default-src 'none'", f"script-src {allowed[0]}", f"style-src {allowed[1]}"}
    assert set(policy.split("; ")) == taken | {"base-uri 'none'", "form-action 'none'"}
    assert not [attributes for _, attributes in read.elements if {"style", "src"} & attributes.keys()]
    assert not re.search(r"\beval\b|innerHTML|document\.write|fetch\(|import\(", script)
    ids = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


@pytest.mark.slow
def test_an_answer_is_a_mail_of_one_line() -> None:
    answer = Answer("desk+a2b3&c@example.org", "Re: Winter & Sommer #1? ü")
    link = answer.href + "March%20S%0D%0A"
    parts = urlsplit(link)
    assert unquote(parts.path) == "desk+a2b3&c@example.org"
    assert "+" not in link
    assert parse_qs(parts.query) == {"subject": [answer.subject], "body": ["March S\r\n"]}
    found = json.loads(Page.of(page(answer=answer)).texts["script"][0])
    assert found["mail"] == answer.href
    assert json.loads(Page.of(page()).texts["script"][0])["mail"] == ""
    assert Answer("a@example.org").href == "mailto:a@example.org?body="


def test_who_is_not_to_act_is_offered_nothing() -> None:
    game = GAMES["advanced"]
    (position,) = _fresh(game)
    seat = position.to_act or 0
    for other in (None, (seat + 1) % 4):
        choices = find_drawing_plugin(game).make_choices(game, game.view(position, other), NAMES)
        assert choices.ways == ()
        assert choices.due == f"{NAMES[seat]} is next."
    ended = position.replace(to_act=None, decision=None, ending="coronation", winners=(0,))
    assert find_drawing_plugin(game).make_choices(game, game.view(ended, 0), NAMES).due == "The game is over."
    assert "Ann is next" in click_page(game, game.view(position.replace(to_act=0), 1), NAMES, title="Winter")


def test_the_line_below_the_board_says_what_to_expect() -> None:
    """A forecast for the seat to act; that the page changes by itself, if it does; and how a finished game ended."""
    game = GAMES["advanced"]
    (position,) = _fresh(game)
    ended = {"to_act": None, "decision": None, "ending": "coronation", "winners": (0,)}
    seat, over = position.actor, position.replace(discs=(2,) * 8, struggles=tuple(range(8)), **ended)

    def read_forecast(shown: Position, of: int, send: str = "") -> str:
        made = build_click_page(game, game.view(shown, of), NAMES, title="Winter", send=send)
        return str(json.loads(Page.of(made.body).texts["script"][0])["forecast"])

    render = find_render_plugin(game)
    assert read_forecast(position, seat) == render.write_forecast(game, game.view(position, seat), NAMES) != ""
    assert read_forecast(position, (seat + 1) % 4) == ""
    assert read_forecast(position, (seat + 1) % 4, "<button>Send</button>") == FOLLOWS
    for of in (0, 1):
        assert read_forecast(over, of) == render.write_headline(game, game.view(over, of), NAMES)


def test_cards_that_cannot_be_played_say_why() -> None:
    game = GAMES["advanced"]
    (position,) = _fresh(game)
    held = position.replace(
        hands=tuple(("Plot",) if at == position.to_act else hand for at, hand in enumerate(position.hands))
    )
    choices = find_drawing_plugin(game).make_choices(game, game.view(held, held.to_act), NAMES)
    assert [way.text for way in choices.ways] == ["Pass"]
    (barred,) = choices.barred.items()
    assert barred[0] == "card/Plot"
    assert barred[1].sentence == "Plot is never played: it is revealed when the game is over."
    assert is_known_rule(barred[1].rule)
    reveals = game.view(held.replace(decision="plot", discs=(0,) * 8), held.to_act)
    keys = [
        key for way in find_drawing_plugin(game).make_choices(game, reveals, NAMES).ways for key in way.steps[0].keys
    ]
    assert keys == ["faction/S", "faction/W", "faction/E"]


def test_the_largest_pages_are_small_enough() -> None:
    """A page with four piles and cards in hand that can be played in the most ways."""
    game = GAMES["digest"]
    start = game.start(game.seat_players(NAMES), game.deal(4, bytes(32)))
    seat = start.to_act or 0
    most = ["Assembly", "Maneuver", "Defeat", "Negotiation", "Spy", "Attack", "Military March", "Influence"]
    piles = dict(zip([at for at in start.seats if at != seat], ("Assembly", "Assembly", "Attack"), strict=True))
    full = start.replace(
        hands=tuple(tuple(most) if at == seat else hand for at, hand in enumerate(start.hands)),
        discards=tuple((piles[at],) if at in piles else () for at in start.seats),
        regions=((2, 2, 2),) * 8,
    )
    whole = click_page(game, game.view(full, seat), NAMES, title="The largest page", answer=Answer("desk@example.org"))
    ways = len(find_drawing_plugin(game).make_choices(game, game.view(full, seat), NAMES).ways)
    print(f"{ways:,} ways, {len(whole.encode()):,} bytes")  # noqa: T201 - for people
    assert ways > 2_000
    assert len(whole.encode()) < LARGEST


def test_the_files_of_the_page_come_with_the_package() -> None:
    for name in ("click.js", "click.css"):
        assert files("tkid.render").joinpath("page", name).read_text("utf-8")


PRINTED = """
from pathlib import Path
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.render.click_page import click_page

game = replay(read_record(Path("fixtures/games/second-edition/whole-game-for-4.tkid").read_bytes()).record)
position = game.moments[14].position
view = game.record.game.view(position, position.to_act)
print(click_page(game.record.game, view, game.record.names, title="A turn"))
"""
"""A program that prints a page on which there is much to choose."""


def test_same_page_in_every_process() -> None:
    """A page does not depend on the order of sets, which is another one in each process."""
    pages = {
        subprocess.run(
            [sys.executable, "-c", PRINTED],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(pages) == 1
    assert b"Pass" in pages.pop()
