"""What `tkid legal` lists are whole turns, which are accepted as they are."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from tests.cli import said
from tests.games.struggle.shared.family import struggles
from tests.shared.lines import random_line
from tkid.record.play.replay import append, replay
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import Ruleset

TURN = re.compile(r"^ {2,4}(\S.*)$", re.MULTILINE)
HEADING = re.compile(r"^.*(?: \[[a-z.-]+\]|:)$")
TRIED = 40


@pytest.mark.parametrize("ruleset", struggles(), ids=lambda ruleset: ruleset.code)
@pytest.mark.parametrize("options", [(), ("--all",)])
def test_every_line_is_a_turn_that_is_accepted(tmp_path: Path, ruleset: Ruleset, options: tuple[str, ...]) -> None:
    rng = Random(ruleset.code)
    line = random_line(ruleset, rng, 2, 0.5)
    file = tmp_path / "game.tkid"
    tried = 0
    for count in sorted(rng.sample(range(len(line.steps)), min(6, len(line.steps)))):
        played = replay(line.cut(count).record())
        if played.position.to_act is None:
            continue
        file.write_text(write_record(played.record, played), "utf-8")
        turns = [turn for turn in TURN.findall(said("legal", file, *options)) if not HEADING.match(turn)]
        for turn in turns if len(turns) <= TRIED else rng.sample(turns, TRIED):
            after = append(played, turn)
            assert after.problems == [], turn
            assert after.last.line.endswith(turn), turn
            tried += 1
    assert tried


def test_the_list_can_be_copied_into_a_file_for_a_player(tmp_path: Path) -> None:
    file, mine = tmp_path / "game.tkid", tmp_path / "ann.tkid"
    said("new", file, "Ann", "Bob", "--ruleset", "second-edition-advanced", "--first", "Ann")
    said("view", file, "--seat", "Ann", "-o", mine)
    turn = re.findall(r"^    (.*)$", said("legal", mine), re.MULTILINE)[0]
    assert f" {turn} #" in said("play", mine, turn)


def test_every_card_of_claim_that_is_listed_is_accepted(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    said("new", file, "Ann", "Bob", "--ruleset", "claim", "--entropy", "07" * 32)
    before = file.read_bytes()
    turns = re.findall(r"^  (.*)$", said("legal", file), re.MULTILINE)
    assert len(turns) == 13
    for turn in turns:
        file.write_bytes(before)
        assert f" {turn} #" in said("play", file, turn)


def test_a_card_that_may_not_be_played_yet_says_so_once(tmp_path: Path) -> None:
    game = tmp_path / "new.tkid"
    said("new", game, "Ann", "Bob", "--ruleset", "manual")
    why = "Scots cannot be played while the Scots control no region [manual.card.support.control]"
    assert f"  Scots: not now. {why}\n" in said("legal", game)
