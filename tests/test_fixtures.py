"""The recorded games and positions: what has to occur, each with the position it must reach; counts and perft."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.games.struggle.rules.boards import BORDERS, HOMES
from tests.games.struggle.shared.family import board, struggle, struggles
from tests.makers.games import FOLDER, checksums, derive, is_kept, read_checksums
from tests.makers.positions import FOLDER as POSITIONS
from tests.makers.positions import counted, perft
from tests.oracle import cards, digest, endings, first, first_endings, manual
from tests.shared.lines import steps_of
from tests.shared.occasions import occasions
from tests.shared.tables import each_row
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Play
from tkid.kernel.game import fill_names
from tkid.notation.positions import read_position
from tkid.record.format.reader import read_record
from tkid.record.json.positions import position_json, read_position_json
from tkid.record.play.replay import Replay, replay
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import Ruleset

NO_OCCASION = ("whole-game-for-", "ladder-", "tier-", "example-")
"""Recorded games that show no single thing: those of every size, those of `test_coverage`, the text's own examples."""
GAMES = sorted(path for ruleset in struggles() for path in (FOLDER / ruleset.code).glob("*.tkid"))
LINES = [
    line for ruleset in struggles() for line in (POSITIONS / f"{ruleset.code}.txt").read_text("utf-8").splitlines()
]
ALL_GAMES = sorted(FOLDER.glob("*/*.tkid"))
"""With those of Claim, which is of another family."""


def game_id(path: Path) -> str:
    """Name a recorded game with its ruleset."""
    return f"{path.parent.name}/{path.stem}"


every_game = each_row("path", GAMES, ids=game_id)
every_ruleset = pytest.mark.parametrize("ruleset", struggles(), ids=lambda ruleset: ruleset.code)


def resolutions(game: Struggle, written: dict[str, Any], card: str) -> set[str]:
    """What the oracle of a game allows a card to do."""
    if game.ids.prefix == "manual":
        return manual.resolutions(written, card)
    if game.ids.prefix == "first":
        return first.resolutions(written, card, game.readings)
    oracle = digest if game.ids.prefix == "digest" else cards
    found: set[str] = oracle.resolutions(written, card, BORDERS, HOMES, game.readings)
    return found


def summons(game: Struggle, written: dict[str, Any]) -> set[str]:
    """Whom the oracle of a game allows to be summoned; nobody where that is allowed, and where there is nobody else."""
    if game.ids.prefix == "manual":
        return manual.after_card(written)
    found = first.summons(written) if game.ids.prefix == "first" else cards.summons(written)
    return found or {"no summon"}


def ending(game: Struggle, written: dict[str, Any]) -> Any:
    """How a game ends for its oracle."""
    if game.ids.prefix in {"first", "manual"}:
        return first_endings.result(written, game.readings)
    oracle = digest if game.ids.prefix == "digest" else endings
    return oracle.result(written, game.readings)


@cache
def played_through(path: Path) -> Replay:
    """The replay of a recorded game, which has no problem."""
    found = read_record(path.read_bytes())
    assert found.problems == ()
    assert found.record is not None
    played = replay(found.record)
    assert played.problems == []
    return played


@each_row("path", ALL_GAMES, ids=game_id)
def test_a_recorded_game_reaches_its_position(path: Path) -> None:
    played = played_through(path)
    assert write_record(played.record, played) == path.read_text("utf-8"), "the fixture is canonical"
    written = position_json(played.record.game, played.position)
    _, position = read_position_json(json.loads(json.dumps(written)))
    assert played.position == position
    assert position_json(played.record.game, position) == written


@every_game
def test_a_recorded_game_shows_what_it_is_named_after(path: Path) -> None:
    played = played_through(path)
    steps = steps_of(played)
    if not path.stem.startswith(NO_OCCASION):
        occasion = occasions(played.record.ruleset)[path.stem]
        assert occasion(struggle(played.record.game), steps) == len(steps), "it occurs in the last turn"


@every_game
def test_the_oracle_comes_to_the_same_end(path: Path) -> None:
    played = played_through(path)
    game, position = struggle(played.record.game), played.position
    if position.ending:
        ended = position.ending, frozenset(position.winners)
        assert ending(game, position_json(game, position)) == ended
    for moment in played.moments:
        if moment.position.decision == "plot":
            assert ending(game, position_json(game, moment.position)) is None


@pytest.mark.slow
@every_game
def test_the_oracle_allows_every_action(path: Path) -> None:
    played = played_through(path)
    game = struggle(played.record.game)
    for step in steps_of(played):
        move = step.moves[0]
        if isinstance(move, Play):
            legal = resolutions(game, in_full(game, step.before), move.card)
            assert by_number(game.words.resolution(move.resolution), step.before) in legal


def in_full(game: Struggle, position: Position) -> dict[str, Any]:
    """The position as JSON, with the negotiation discs, which stand there only where the piles tell another number."""
    return {**position_json(game, position), "negotiation_discs": list(position.negotiation_discs)}


def by_number(text: str, position: Position) -> str:
    """A text with seats as the oracle names them, from 1."""
    return fill_names(text, [str(seat + 1) for seat in position.seats])


@pytest.mark.slow
@each_row("path", ALL_GAMES, ids=game_id)
def test_what_follows_from_a_recorded_game(path: Path) -> None:
    """The position that it reaches as JSON, and how it was decided: every text is as it was, and some are kept to be read."""
    texts = derive(path, played_through(path))
    assert checksums(texts) == read_checksums(path.parent)[path.stem], (
        f"{texts}\npython -m tests.makers.games checksums"
    )
    kept = {
        suffix: file.read_text("utf-8") for suffix in (".json", ".why") if (file := path.with_suffix(suffix)).exists()
    }
    assert kept == (texts if is_kept(path) else {})


@each_row("folder", sorted(FOLDER.iterdir()), ids=lambda folder: folder.name)
def test_every_recorded_game_has_its_checksums(folder: Path) -> None:
    assert read_checksums(folder).keys() == {path.stem for path in folder.glob("*.tkid")}


@pytest.mark.slow
@each_row("line", LINES, ids=range(len(LINES)), parts=4, sampled=True)
def test_a_position_has_its_counts(line: str) -> None:
    text, counts, rows = line.split("\t")
    of, found = read_position(text)
    game, position = struggle(of), board(found)
    assert counted(game, position) == counts
    assert perft(game, position) == int(rows)
    written = in_full(game, position)
    for count in counts.split(", "):
        what, _, number = count.rpartition(" ")
        if game.last_card and (game.last_card.is_spent(position) or game.last_card.is_held(position, what)):
            continue  # the rule of the very last card has a search of its own to be compared with
        if what == "summon":
            assert len(summons(game, written)) == int(number)
        elif what == "alone":
            assert len(manual.followers(written)) == int(number)
        elif what == "plot":
            assert ending(game, written) is None
        elif what != "Pass":
            assert len(resolutions(game, written, what)) == int(number)


@pytest.mark.slow
@every_ruleset
def test_the_positions_are_of_every_kind(ruleset: Ruleset) -> None:
    lines = [line for line in LINES if line.startswith(f"{ruleset.code};")]
    game, positions = ruleset.game(), [board(read_position(line.partition("\t")[0])[1]) for line in lines]
    assert {p.decision for p in positions} == {"play", "summon"} | ({"plot"} if game.plot else set())
    banned = [p for p in positions if p.banned and p.decision == "play" and p.banned.by != p.to_act]
    assert bool(banned) == any(card.undo for card in game.cards.values())
    assert Counter(len(p.courts) for p in positions).keys() == {2, 3, 4}
    held = {card for p in positions if p.decision == "play" for card in p.hands[p.to_act or 0]}
    assert held == set(game.cards)
