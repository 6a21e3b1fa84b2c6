"""What a registered ruleset owes: pages, a renderer, a notation, games for each way to end, fixtures, perft."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import astuple

from tests.games.struggle.shared.family import board, struggles
from tests.shared.endings_of import LAST_STRUGGLE, ways
from tests.shared.occasions import occasions, stem
from tests.shared.strategies import NAMES
from tkid.games.struggle.render.text import find_boxes
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Copy, Move, Play, Reveal
from tkid.kernel.game import fill_names
from tkid.mail.plugin import find_mail_plugin
from tkid.notation.plugin import find_notation_plugin, find_turn_reader
from tkid.record.format.new_game import new_record
from tkid.record.format.plugin import find_record_plugin
from tkid.render import text
from tkid.render.plugin import RenderPlugin, find_render_plugin
from tkid.rulebook import all_rules, list_in_force, rule
from tkid.rulebook.rulesets import Ruleset, rulesets

ROOT = Path(__file__).parents[1]
every_ruleset = pytest.mark.parametrize("ruleset", rulesets(), ids=lambda ruleset: ruleset.code)
every_struggle = pytest.mark.parametrize("ruleset", struggles(), ids=lambda ruleset: ruleset.code)


def recorded(ruleset: Ruleset) -> set[str]:
    """The names of a ruleset's recorded games."""
    return {path.stem for path in (ROOT / "fixtures" / "games" / ruleset.code).glob("*.tkid")}


@every_ruleset
def test_every_layer_finds_its_part_of_the_game(ruleset: Ruleset) -> None:
    game = ruleset.game()
    assert ruleset.game_name == game.name
    assert find_notation_plugin(game).positions
    assert type(find_render_plugin(game)) is not RenderPlugin
    assert find_mail_plugin(game).title
    for local in astuple(find_record_plugin(game).rules):
        assert rule(game.ids(local)) == list_in_force(ruleset.rule_prefix)[local]


@every_struggle
def test_a_recorded_game_for_each_way_to_end(ruleset: Ruleset) -> None:
    assert {stem(name) for name in ways(ruleset)} | {LAST_STRUGGLE} <= occasions(ruleset).keys()
    assert occasions(ruleset).keys() - recorded(ruleset) == set()


@every_ruleset
def test_a_recorded_game_of_every_size(ruleset: Ruleset) -> None:
    assert {f"whole-game-for-{players}" for players in ruleset.game().parties} <= recorded(ruleset)


@every_ruleset
def test_positions_with_counts(ruleset: Ruleset) -> None:
    lines = (ROOT / "fixtures" / "positions" / f"{ruleset.code}.txt").read_text("utf-8").splitlines()
    assert lines
    assert all(line.startswith(f"{ruleset.code};") for line in lines)


@every_ruleset
def test_an_illegal_fixture_for_each_constraint(ruleset: Ruleset) -> None:
    for entry in all_rules():
        if entry.prefix == ruleset.rule_prefix and entry.kind == "constraint":
            folder = ROOT / "fixtures" / "illegal" / entry.id
            assert (folder / "expected.txt").read_text("utf-8").count(f"[{entry.id}]"), entry.id


@every_struggle
def test_a_rule_for_each_card_and_a_notation_for_its_resolutions(ruleset: Ruleset) -> None:
    game, names = ruleset.game(), NAMES[:3]
    position = piled(game, board(new_record(ruleset.code, names, bytes(32)).start()))
    for card in game.cards.values():
        assert card.rule in {entry.id for entry in all_rules()}
        for move in some_moves(game, position, card.name):
            written = fill_names(game.words.write_move(move), names)
            (read,) = find_turn_reader(game, names).read_turn(written).moves
            assert game.canonical(position, read) == move, written


def piled(game: Struggle, position: Position) -> Position:
    """The position with a pile before every seat, so that there is something to copy, and a region for every faction."""
    cards = [card.name for card in game.cards.values() if card.form not in {"copy", "reveal"}]
    won = game.board.courtly
    return position.replace(
        discards=tuple((card,) for card in cards[-len(position.seats) :]), discs=(*position.discs[: -len(won)], *won)
    )


def some_moves(game: Struggle, position: Position, card: str) -> list[Move]:
    """The first, the middle and the last resolution of a card; for one that is revealed, every faction."""
    if game.cards[card].form == "reveal":
        return [Reveal(card, faction) for faction in range(len(game.board.factions))]
    options = game.cards[card].ladder.list_options(position)
    if game.cards[card].form == "copy":
        assert {copy.seat for copy in options if isinstance(copy, Copy)} == set(position.seats) - {position.to_act}
    return [Play(card, options[index]) for index in (0, len(options) // 2, -1)]


@every_struggle
def test_a_map_of_its_own(ruleset: Ruleset) -> None:
    game = ruleset.game()
    record = new_record(ruleset.code, NAMES[:2], bytes(32))
    drawn = text.draw_position(game, game.view(record.start(), 0), record.names)
    assert find_boxes(game.board) is not None
    assert all(region.name in drawn for region in game.board.regions)


@every_ruleset
def test_every_reading_can_be_chosen(ruleset: Ruleset) -> None:
    for switch in ruleset.switches:
        for option in rule(switch).options:
            assert ruleset.game({switch: option}).readings[switch] == option
            record = new_record(ruleset.code, NAMES[:2], bytes(32), rulings=[f"{switch} {option}"])
            assert record.readings == {switch: option}
