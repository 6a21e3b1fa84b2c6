"""The recorded games of the repository, played through: in which turn of which game a rule was at work."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from types import CodeType, FrameType

from attrs import frozen

from docs.making.files import file_link
from docs.making.words import ROOT
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Play
from tkid.games.struggle.rules.position import Position
from tkid.record.format.model import Record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Moment, replay
from tkid.rulebook.register import CITATIONS, in_force, known
from tkid.rulebook.rulesets import Ruleset, rulesets

FOLDER = "fixtures/games"


def struggles() -> tuple[Ruleset, ...]:
    """The rulesets of The King is Dead: their cards, endings and values are shown beside each other."""
    return tuple(ruleset for ruleset in rulesets() if ruleset.game_name == Struggle.name)


@frozen
class Occurrence:
    """A recorded game in which a rule was at work: its file, and turn and line where they are known (0 elsewhere)."""

    path: str
    turn: int = 0
    line: int = 0


@frozen
class Played:
    """A recorded game: its file, the record, its moments, and the functions that ran."""

    path: str
    record: Record
    moments: tuple[Moment, ...]
    ran: frozenset[CodeType]


@cache
def games() -> tuple[Played, ...]:
    """Every recorded game, played through once. Raises ValueError for one that is wrong."""
    return tuple(_played(path.relative_to(ROOT).as_posix()) for path in sorted((ROOT / FOLDER).glob("*/*.tkid")))


def _played(path: str) -> Played:
    ran: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in CITATIONS:
            ran.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        record = read_record((ROOT / path).read_bytes()).record
        if record is None:
            raise ValueError(f"{path} is no record")
        moments = tuple(replay(record).moments)
    finally:
        sys.setprofile(before)
    return Played(path, record, moments, frozenset(ran))


def _of_game(played: Played) -> Iterator[tuple[str, Occurrence]]:
    """The rules at work in a game: those of its events first, turn by turn."""
    for moment in played.moments:
        if moment.turn is not None:
            for event in moment.events:
                yield event.rule, Occurrence(played.path, moment.turn.number, moment.turn.line)
    whole = Occurrence(played.path)
    yield from ((ruling, whole) for ruling in played.record.readings)
    local = in_force(played.record.ruleset.rule_prefix)
    for code in played.ran:
        for text in CITATIONS[code]:
            if known(text) or text in local:
                yield text if known(text) else local[text].id, whole


def game_link(where: Occurrence, here: str) -> str:
    """A link from a page to a recorded game, and to the turn if it is known."""
    shown = where.path.removeprefix(f"{FOLDER}/").removesuffix(".tkid")
    return file_link(where.path, here, f"{shown}{f', turn {where.turn}' if where.turn else ''}", where.line)


@cache
def occurrences() -> Mapping[str, tuple[Occurrence, ...]]:
    """The recorded games in which each rule was at work, by id: each game once, where the rule came up first."""
    by_rule: dict[str, dict[str, Occurrence]] = {}
    for played in games():
        for rule_id, occurrence in _of_game(played):
            by_rule.setdefault(rule_id, {}).setdefault(played.path, occurrence)
    return {rule_id: tuple(by_path.values()) for rule_id, by_path in by_rule.items()}


def plays() -> Iterator[tuple[Played, Moment, Struggle, Position, Play]]:
    """Every card that was played in a recorded game, with its game, its turn, and the position before."""
    for played in games():
        game = played.record.game
        for before, moment in zip(played.moments, played.moments[1:], strict=False):
            for move in moment.moves:
                if isinstance(move, Play) and isinstance(game, Struggle) and isinstance(before.position, Position):
                    yield played, moment, game, before.position, move
