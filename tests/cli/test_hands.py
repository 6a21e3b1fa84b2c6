"""The commands for secret hands: what a player's file holds, what is said of it, and how hands are opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli import complaint, said

RECORD = """\
Tkid-Record: 1
Ruleset: second-edition-advanced
Seat: Ann
Seat: Bob

Setup
Moray        SSWW
Strathclyde  WWWE
Lancaster    SEEE
Northumbria  SEEE
Gwynedd      SWWW
Warwick      SWEE
Essex        WWEE
Devon        SSSW
Supply       6S 3W 3E
Court Ann    SE
Court Bob    WE
Hand Ann     Assemble, Assemble, Negotiate, Manoeuvre, Outmanoeuvre, March, Influence, Quell
Hand Bob     Assemble, Assemble, Negotiate, Manoeuvre, Outmanoeuvre, Plot, Resist, Suppress
Track        Moray, Northumbria, Devon, Gwynedd, Warwick, Strathclyde, Lancaster, Essex
First        Ann

Turns
# a host's remark: Bob has Plot
1. Ann Quell Warwick return W place SE; summon W Moray {well done}
2. Bob Resist WE Strathclyde; summon W Moray
"""
HANDS = "Assemble, Assemble, Negotiate, Manoeuvre, Outmanoeuvre, Plot, Resist, Suppress"


@pytest.fixture
def master(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with all hands, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "master.tkid"
    file.write_text(RECORD, "utf-8")
    said("fmt", "master.tkid")
    return file


def test_a_players_file(master: Path) -> None:
    shown = said("view", "master.tkid", "--seat", "ann")
    assert f"Hand Bob     {', '.join('?' * 8)}\n" in shown
    assert "March, Influence, Quell" in shown
    assert "Plot" not in shown
    assert "{" not in shown
    assert said("view", "master.tkid", "--seat", "1", "-o", "ann.tkid") == "ann.tkid: what Ann may know.\n"
    assert Path("ann.tkid").read_text("utf-8") == shown
    assert said("fmt", "--check", "ann.tkid") == "ann.tkid: nothing to change\n"
    assert master.read_text("utf-8").count("Plot") == 2


def test_a_spectators_file(master: Path) -> None:  # noqa: ARG001 - the fixture writes the file
    assert said("view", "master.tkid").count("?") == 16


def test_what_is_not_proven_is_said(master: Path) -> None:  # noqa: ARG001
    said("view", "master.tkid", "--seat", "Ann", "-o", "ann.tkid")
    assert said("check", "ann.tkid") == (
        "ann.tkid: all right, 2 turns, Ann to play\n"
        "  Not certain until hands are opened: that Bob held Resist (turn 2). [record.opening]\n"
    )
    report = json.loads(said("check", "--format", "json", "ann.tkid"))
    assert report["ok"]
    assert report["unproven"] == [{"turn": 2, "seat": 1, "card": "Resist"}]
    assert "unproven" not in json.loads(said("check", "--format", "json", "master.tkid"))


def test_a_player_goes_on_in_the_own_file(master: Path) -> None:  # noqa: ARG001
    said("view", "master.tkid", "--seat", "Ann", "-o", "ann.tkid")
    said("play", "ann.tkid", "Pass")
    bob = ("--for", "Bob")
    assert "Bob cannot have March" in complaint(
        "play", "ann.tkid", "March SS Moray > Strathclyde; summon S Devon", *bob, code=1
    )
    assert "Bob cannot have Resist" in complaint("play", "ann.tkid", "Resist nothing; summon S Devon", *bob, code=1)
    assert said("legal", "ann.tkid").startswith("It is Bob's turn, and you cannot see Bob's hand.\n`--all` lists")
    assert "If Bob holds them, these cards could be played:" in said("legal", "ann.tkid", "--all")
    assert "  March: " not in said("legal", "ann.tkid", "--all")
    said("play", "ann.tkid", "Suppress Northumbria return EE place S; summon S Devon", *bob)


def test_opening(master: Path) -> None:
    for name in ("Ann", "Bob"):
        said("view", "master.tkid", "--seat", name, "-o", f"{name}.tkid")
    told = said("open", "Ann.tkid", "Bob.tkid", "-o", "both.tkid")
    assert told == "both.tkid: opened Bob.\nEvery player really had the cards they played. [second.turn.hand]\n"
    bare = [line for line in master.read_text("utf-8").replace(" {well done}", "").split("\n") if line[:1] != "#"]
    assert Path("both.tkid").read_text("utf-8") == "\n".join(bare)
    assert said("open", "Ann.tkid", "--hand", f"Bob={HANDS}").startswith("Ann.tkid: opened Bob.\n")
    assert Path("Ann.tkid").read_text("utf-8") == Path("both.tkid").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hand", "told"),
    [
        (f"Bob={HANDS.replace('Resist', 'Aid')}", "Bob has no Resist in hand [second.turn.hand]"),
        ("Bob=Assemble, Plot", "a hand starts with 8 cards, not 2 [second.advanced.hands]"),
        (f"Bob={HANDS.replace('Resist', 'March')}", "March is dealt twice: there is one of each cunning card"),
        (f"Bob={HANDS.replace('Plot', 'Assemble')}", "one Assemble too many [second.advanced.hands]"),
        (f"Bob={HANDS.replace('Negotiate', 'Aid')}", "Negotiate missing [second.advanced.hands]"),
        (f"Bob={HANDS.replace('Resist', 'Resits')}", "`Resits` is not a card of this ruleset [notation.card]"),
        ("Bob", '--hand Bob: write it as "NAME=CARD, CARD, …".'),
        ("Cal=Plot", "There is no player Cal"),
    ],
)
def test_what_cannot_have_been_the_hand(master: Path, hand: str, told: str) -> None:  # noqa: ARG001
    said("view", "master.tkid", "--seat", "Ann", "-o", "ann.tkid")
    before = Path("ann.tkid").read_bytes()
    assert told in complaint("open", "ann.tkid", "--hand", hand, code=2 if hand in {"Bob", "Cal=Plot"} else 1)
    assert Path("ann.tkid").read_bytes() == before


def test_nothing_revealed(master: Path) -> None:  # noqa: ARG001
    assert "Nothing to open" in complaint("open", "master.tkid", code=2)
    assert "This would overwrite" in complaint("view", "master.tkid", "-o", "master.tkid", code=2)


def test_as_far_as_a_player_may_know(master: Path) -> None:  # noqa: ARG001
    said("play", "master.tkid", "Pass")
    assert "In hand: Assemble (2)" in said("why-not", "master.tkid", "March SS Moray > Strathclyde; summon S Devon")
    hidden = said("why-not", "master.tkid", "March SS Moray > Strathclyde; summon S Devon", "--seat", "Ann")
    assert "In hand: 7 hidden" in hidden
    for command in ("show", "legal"):
        assert "Plot" in said(command, "master.tkid", *(["--all"] if command == "legal" else []))
    assert "Plot" not in said("show", "master.tkid", "--seat", "Ann")
    assert "Plot" not in said("show", "master.tkid", "--seat", "Ann", "--json")
    assert "Plot" not in said("show", "master.tkid", "--seat", "Ann", "--line")
