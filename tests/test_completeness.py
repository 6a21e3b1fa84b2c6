"""What a registered ruleset owes: pages, a renderer, a notation, games for each way to end, fixtures, perft."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.endings_of import LAST_STRUGGLE, ways
from tests.make_games import stem
from tests.strategies import NAMES
from tkid.notation.turns import TurnReader
from tkid.record.new import new_record
from tkid.render import maps, text
from tkid.rulebook import all_rules
from tkid.rulesets import Ruleset, rulesets

ROOT = Path(__file__).parents[1]
every_ruleset = pytest.mark.parametrize("ruleset", rulesets(), ids=lambda ruleset: ruleset.code)


@every_ruleset
def test_a_recorded_game_for_each_way_to_end(ruleset: Ruleset) -> None:
    stems = {path.stem for path in (ROOT / "fixtures" / "games" / ruleset.code).glob("*.tkid")}
    assert {stem(name) for name in ways(ruleset) | {LAST_STRUGGLE}} - stems == set()


@every_ruleset
def test_positions_with_counts(ruleset: Ruleset) -> None:
    lines = (ROOT / "fixtures" / "positions" / f"{ruleset.code}.txt").read_text("utf-8").splitlines()
    assert len(lines) >= 20
    assert all(line.startswith(f"{ruleset.code};") for line in lines)


@every_ruleset
def test_an_illegal_fixture_for_each_constraint(ruleset: Ruleset) -> None:
    for rule in all_rules():
        if rule.family == ruleset.family and rule.kind == "constraint":
            folder = ROOT / "fixtures" / "illegal" / rule.id
            assert (folder / "expected.txt").read_text("utf-8").count(f"[{rule.id}]"), rule.id


@every_ruleset
def test_a_rule_for_each_card_and_a_notation_for_its_resolutions(ruleset: Ruleset) -> None:
    game = ruleset.game()
    reader = TurnReader(game)
    position = new_record(ruleset.code, NAMES[:2], bytes(32)).start()
    for card in game.cards.values():
        options = card.ladder.options(position)
        for index in (0, len(options) // 2, -1):
            written = f"{card.name} {game.words.resolution(options[index])}"
            (move,) = reader.turn(written).moves
            assert game.words.move(move) == written


@every_ruleset
def test_a_map_of_its_own(ruleset: Ruleset) -> None:
    game = ruleset.game()
    record = new_record(ruleset.code, NAMES[:2], bytes(32))
    drawn = text.position(game, game.view(record.start(), 0), record.names)
    assert maps.boxes(game.board) is not None
    assert all(region.name in drawn for region in game.board.regions)


@every_ruleset
def test_every_reading_can_be_chosen(ruleset: Ruleset) -> None:
    for switch in ruleset.switches:
        for option in next(rule.options for rule in all_rules() if rule.id == switch):
            assert ruleset.game({switch: option}).readings[switch] == option
            record = new_record(ruleset.code, NAMES[:2], bytes(32), rulings=[f"{switch} {option}"])
            assert record.readings == {switch: option}
