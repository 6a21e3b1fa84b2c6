"""The third game works everywhere: in files, at the terminal, by mail, for programs, and without a dealer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.cli import complaint, said
from tests.games.crosses.rules import CARDS, FIELDS
from tests.host.year import players
from tests.mail.mails import body
from tkid.adapters.match import Match, make_vocabulary
from tkid.bots.roster import find_player
from tkid.games import GAMES
from tkid.host.transports import Maildir
from tkid.kernel.game import HIDDEN
from tkid.notation.positions import PositionError, read_position, write_position
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record
from tkid.record.json.conformance import answer
from tkid.record.locked_deal import find_locked_plugin
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.render.click_page import click_page
from tkid.render.clicks import find_drawing_plugin
from tkid.rulebook import register, rulesets

ENTROPY = bytes([7]) * 32
"""Ann has Block, Bob has Erase, and Bob starts."""
WHOLE = ("b2", "c3", "a1", "Block c1", "b1", "a2", "Erase a2", "b3", "a2", "a3")
"""Turns of a whole game; Ann wins with the third row."""


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the game as `tkid/games/__init__.py` registers the others: with one line."""
    monkeypatch.setitem(GAMES, "crosses", "tests.games.crosses")
    known = (register._list_folders, rulesets._list_places)  # noqa: SLF001 - the program reads the list once
    for each in known:
        each.cache_clear()
    yield
    monkeypatch.undo()
    for each in known:
        each.cache_clear()


def test_the_guide_states_the_size_of_each_file() -> None:
    here, guide = Path(__file__).parent, (Path(__file__).parents[3] / "docs" / "adding-a-game.md").read_text("utf-8")
    stated = {name: int(lines) for name, lines in re.findall(r"^\| `(\S+)` \| (\d+) \|", guide, re.MULTILINE)}
    files = {name: (here / name).read_text("utf-8").count("\n") for name in stated}
    assert {name: lines for name, lines in stated.items() if abs(lines - files[name]) > 5} == {}
    known = {file.relative_to(here).as_posix() for file in here.rglob("*.*") if file.suffix in {".py", ".toml"}}
    assert known - stated.keys() == {"__init__.py", "test_crosses.py"}
    assert sum(files.values()) <= 375
    snippets = re.findall(r'^--8<-- "tests/games/crosses/(\S+):(\w+)"$', guide, re.MULTILINE)
    assert len(snippets) == 7
    assert all(f"# --8<-- [start:{part}]" in (here / name).read_text("utf-8") for name, part in snippets)


def played(*turns: str) -> Replay:
    """A game with some turns."""
    at = replay(new_record("crosses", ["Ann", "Bob"], ENTROPY))
    for turn in turns:
        at = append(at, turn)
        assert not at.problems, turn
    return at


def test_a_game_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    said("new", file, "Ann", "Bob", "--ruleset", "crosses", "--entropy", ENTROPY.hex())
    for turn in WHOLE:
        said("play", file, turn)
    assert read_record(file.read_bytes()).record == read_record(write_record(played(*WHOLE).record).encode()).record
    assert "all right, 10 turns, line: Ann" in said("check", file)
    assert "Ann wins: line" in said("show", file)
    assert "2  O O ." in said("show", file)
    assert said("replay", file).endswith("Ann has a line [crosses.ending.line]\n")
    assert "Ann has a line [crosses.ending.line]" in said("why", file)
    assert "Bob starts, as the draw says. [crosses.ruling.start-player]" in said("verify", file)
    assert said("render", file, "-o", "-").startswith("<svg")


def test_what_may_be_played(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    file.write_text(write_record(played("b2", "c3").record), "utf-8")
    assert said("legal", file).split()[3:] == [*FIELDS[:4], *FIELDS[5:8], "Erase", "c3"]
    assert "Bob has no Swap in hand [crosses.turn.hand]" in complaint("play", file, "Swap c3", code=1)
    assert "Did you mean Erase?" in complaint("play", file, "Errase c3", code=1)
    assert "This is no turn [notation.form]" in complaint("play", file, "Erase", code=1)


def test_a_wrong_file_is_reported_with_its_rules() -> None:
    text = write_record(played(*WHOLE[:3]).record)
    for typed, rule in (("2. Ann b2", "turn.mark"), ("2. Ann Swap b2", "turn.hand"), ("2. Bob a2", "turn.order")):
        record = read_record(text.replace("2. Ann c3", typed).encode()).record
        assert record is not None
        assert [problem.rule for problem in replay(record).problems][:1] == [f"crosses.{rule}"]
    assert (
        read_record(text.replace("Bob     Erase", "Bob     Block").encode()).problems[0].rule == "crosses.setup.hands"
    )


def test_hands_are_hidden() -> None:
    at = played(*WHOLE[:4])
    known = hide_secrets(at, 0)
    assert known.record.deal.hands == (("Block",), (HIDDEN,))
    assert not known.problems
    assert [move.card for move in known.record.game.legal(known.position)][-2:] == ["Erase", "Swap"]


@pytest.mark.parametrize("count", range(len(WHOLE) + 1))
def test_positions_in_a_line_and_as_json(count: int) -> None:
    at = played(*WHOLE[:count])
    line = write_position(at.record.game, at.position)
    assert read_position(line)[1] == at.position
    asked = {"ask": "after", "position": {"ruleset": "crosses", "position": line}, "tell": ["position"]}
    assert answer(asked) == {"position": line}


def test_a_line_that_is_no_position() -> None:
    with pytest.raises(PositionError):
        read_position("crosses; board XOX; to play 1")


@pytest.mark.parametrize("name", ["random", "greedy", "search"])
def test_programs_play_it(name: str) -> None:
    at = replay(new_record("crosses", ["Ann", "Bob"], ENTROPY))
    game = at.record.game
    while at.position.to_act is not None:
        turn = find_player(game, name).choose(game.view(at.position, at.position.to_act), 40)
        at = append(at, game.words.write_turn(turn))
        assert not at.problems
    assert at.position.ending in {"line", "full"}


def test_a_program_takes_the_line() -> None:
    at = played(*WHOLE[:-1])
    assert (
        at.record.game.words.write_turn(
            find_player(at.record.game, "greedy").choose(at.record.game.view(at.position, 0), 40)
        )
        == "a3"
    )


def test_for_programs_that_learn() -> None:
    rng, match = Random(1), Match.deal_game(make_vocabulary("crosses", 2), ENTROPY)
    while match.to_act is not None:
        assert sum(map(sum, match.observe(match.to_act)["hands"])) == len(CARDS) - 1 - len(match.position.played)
        match.choose(rng.choice(match.legal))
    assert sum(match.compute_payoffs()) == 0


def test_a_deal_without_a_dealer() -> None:
    at = played(*WHOLE)
    plugin = find_locked_plugin(at.record.game)
    assert plugin.make_deck(at.record.game, 2).hands == (range(1), range(1, 2))
    assert [(shown.turn, shown.card, shown.places) for shown in plugin.list_plays(at.record.game, at.moments)] == [
        (4, "Block", (0,)),
        (7, "Erase", (1,)),
    ]


def test_pictures_and_clicks() -> None:
    at = played(*WHOLE[:2])
    game, view = at.record.game, at.record.game.view(at.position, 1)
    choices = find_drawing_plugin(game).make_choices(game, view, at.record.names)
    assert [way.text for way in choices.ways] == [game.words.write_move(move) for move in game.legal(at.position)]
    assert "Erase c3" in click_page(game, view, at.record.names, title="A game")


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_by_mail(tmp_path: Path, seed: int) -> None:
    with players.host(tmp_path) as at:
        at.open_game("game", players.game(seed, 2, "crosses"), players.TIME)
        at.send_letters(players.TIME)
        assert players.play(tmp_path, at, Random(seed)) <= 12
        stored = at.store.get_game("game")
        assert stored is not None
        assert stored.over
        assert players.troubles(at.store) == []


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("help turn", "`b2`, or `Erase b2` with your card"),
        ("legal", "You may play these turns now:"),
        ("b2; then c3", "You played b2."),
        ("draft Erase b2", "B2 has no sign of Ann"),
        ("Erase b2", "The full rule, crosses.card.erase"),
        ("why", "No turn has been played yet."),
        ("status", "in hand: Erase"),
        ("if Ann passes: b2", "The full rule, post.order.form"),
        ("Erase b9", "`b9` is not a card"),
        ("resign", "Do you want to resign?"),
    ],
)
def test_what_a_player_orders(tmp_path: Path, order: str, answer: str) -> None:
    with players.host(tmp_path) as at:
        record = new_record("crosses", [f"{name} <{players.address(name)}>" for name in ("Ann", "Bob")], ENTROPY)
        at.open_game("game", record, players.TIME)
        at.send_letters(players.TIME)
        (letter,) = players.letters(tmp_path, "Bob")
        Maildir(tmp_path / "in").add_mail(players.reply(letter, order, "Bob", 1))
        players.work(at, tmp_path)
        assert players.troubles(at.store) == []
    told = [body(mail) for name in ("Ann", "Bob") for mail in players.letters(tmp_path, name)]
    assert answer in " ".join(" ".join(told).split())
