"""The recorded games of the repository, played through."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from attrs import frozen

from docs.making.words import ROOT
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Play
from tkid.record.format.model import Record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Moment, replay
from tkid.rulebook.rulesets import Ruleset, rulesets

FOLDER = "fixtures/games"


def struggles() -> tuple[Ruleset, ...]:
    """The rulesets of The King is Dead: their cards, endings and values are shown beside each other."""
    return tuple(ruleset for ruleset in rulesets() if ruleset.game_name == Struggle.name)


@frozen
class Occurrence:
    """A turn of a recorded game: its file, its number, and its line."""

    path: str
    turn: int
    line: int


@frozen
class Played:
    """A recorded game: its file, the record, and its moments."""

    path: str
    record: Record
    moments: tuple[Moment, ...]


@cache
def games() -> tuple[Played, ...]:
    """Every recorded game, played through once. Raises ValueError for one that is wrong."""
    return tuple(_played(path.relative_to(ROOT).as_posix()) for path in sorted((ROOT / FOLDER).glob("*/*.tkid")))


def _played(path: str) -> Played:
    record = read_record((ROOT / path).read_bytes()).record
    if record is None:
        raise ValueError(f"{path} is no record")
    return Played(path, record, tuple(replay(record).moments))


def plays() -> Iterator[tuple[Played, Moment, Struggle, Position, Play]]:
    """Every card that was played in a recorded game, with its game, its turn, and the position before."""
    for played in games():
        game = played.record.game
        for before, moment in zip(played.moments, played.moments[1:], strict=False):
            for move in moment.moves:
                if isinstance(move, Play) and isinstance(game, Struggle) and isinstance(before.position, Position):
                    yield played, moment, game, before.position, move
