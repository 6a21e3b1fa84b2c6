"""Games against programs by mail: they begin at once, the program answers, and nobody writes to it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from tests.host.small_club import Club, text_of
from tkid.bots.roster import HOUSE
from tkid.record.format.model import BY_MAIL
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay


def test_a_game_against_a_program_begins_at_once_and_is_answered(at: Club) -> None:
    question = at.key("Ann")
    told = at.replies(question, "Ann", "new game second-edition with bot, called duel")
    (first,) = told
    (game,) = at.games()
    assert f"X-Bot: Merlin search {BY_MAIL}" in game.record
    assert "Played by a program: Merlin (search)." in " ".join(text_of(first).split())
    before = game.record.count(" Merlin ")
    answers = at.replies(first, "Ann", "Pass")
    assert len(answers) == 1, "one letter: the receipt with the turn that the program has played"
    assert at.games()[0].record.count(" Merlin ") > before
    record = read_record(at.games()[0].record.encode()).record
    assert record is not None
    assert not replay(record).problems


def test_a_friend_plays_too_and_the_program_waits_for_the_acceptance(at: Club) -> None:
    question = at.key("Ann")
    told = at.replies(question, "Ann", "new game second-edition with bot greedy and bob@example.org")
    assert "waits for Bob" in text_of(told[0])
    assert at.games() == []
    (invitation,) = at.mails("Bob")
    assert "Players: Ann and you. 1 program plays too." in " ".join(text_of(invitation).split())
    at.replies(invitation, "Bob", "accept")
    (game,) = at.games()
    assert "Seat: Merlin\n" in game.record
    assert f"X-Bot: Merlin greedy {BY_MAIL}" in game.record


def test_a_club_may_have_no_programs(at: Club) -> None:
    at.at.club = evolve(at.at.club, bots="no")
    question = at.key("Ann")
    told = at.replies(question, "Ann", "new game second-edition with bot")
    assert "no programs play in this club" in text_of(told[0])
    assert at.games() == []


ENGINE = """\
import json, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "hello":
        print('{"type": "hello", "protocol": 1}', flush=True)
    elif kind == "go":
        open("asked", "a").write("x")
        %s
"""
PASSES = 'print(\'{"type": "best", "turns": [{"turn": "Pass"}]}\', flush=True)'


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Path]:
    """The folder of a host whose owner has chosen a program, which `engine.py` there is."""
    HOUSE.command, HOUSE.folder = shlex.join([sys.executable, "engine.py"]), tmp_path
    yield tmp_path
    HOUSE.command, HOUSE.folder, HOUSE.rest_end = "", None, 0.0
    HOUSE.failures.clear()


@pytest.mark.parametrize("does", [PASSES, "sys.exit(1)", "print('nonsense', flush=True)"])
def test_the_owners_program_plays_or_search_does(at: Club, house: Path, does: str) -> None:
    """Whatever the program does, the mail is carried out, and a turn is played."""
    (house / "engine.py").write_text(ENGINE % does, "utf-8")
    at.at.club = evolve(at.at.club, bots="engine")
    (first,) = at.replies(at.key("Ann"), "Ann", "new game second-edition with bot engine, called duel")
    assert f"X-Bot: Merlin engine {BY_MAIL}" in at.games()[0].record
    assert "Played by a program: Merlin (engine)." in " ".join(text_of(first).split())
    for card in ("Pass", "Scottish Support"):
        if "Merlin" not in at.games()[0].record.partition("Turns")[2]:
            at.replies(first, "Ann", card)
    record = read_record(at.games()[0].record.encode()).record
    assert record is not None
    played = replay(record)
    assert not played.problems
    assert (house / "asked").exists()
    turns = [moment.line for moment in played.moments if moment.turn and record.names[moment.turn.seat] == "Merlin"]
    assert turns
    assert does != PASSES or all("Pass" in turn for turn in turns)
    assert bool(HOUSE.failures) == (does != PASSES)


def test_no_player_chooses_a_program_where_the_owner_has_none(at: Club) -> None:
    told = at.replies(at.key("Ann"), "Ann", "new game second-edition with bot engine")
    assert "this club has no program of its own" in text_of(told[0])
    assert at.games() == []
