"""Lines of play: what was decided turn by turn, in one form for games just made up and for recorded ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from attrs import define, field, frozen

from tests.games.struggle.shared.family import board, struggle
from tests.shared.strategies import NAMES
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Move
from tkid.games.struggle.rules.setup import Deal
from tkid.kernel.game import Event, fill_names
from tkid.notation.plugin import find_turn_reader
from tkid.notation.positions import write_position
from tkid.record.format.model import Header, Record, Seat, Turn
from tkid.record.play.replay import Replay
from tkid.rulebook.rulesets import Ruleset


@frozen
class Step:
    """A turn: the position before it, its moves, the position after it, and what followed."""

    before: Position
    moves: tuple[Move, ...]
    after: Position
    events: tuple[Event, ...]


Chooser = Callable[[Position], Move]
"""Decides in a position."""


@define
class Line:
    """A game in the making: a start, the readings, the turns taken so far with a note on each, and a remark on all."""

    ruleset: Ruleset
    start: Deal | Position
    readings: Mapping[str, str] = field(factory=dict)
    remark: str = ""
    steps: list[Step] = field(factory=list)
    notes: list[str] = field(factory=list)

    @property
    def game(self) -> Struggle:
        """The game under the readings."""
        return struggle(self.ruleset.game(self.readings))

    @property
    def names(self) -> tuple[str, ...]:
        """The players."""
        return NAMES[: len(self.start.courts)]

    @property
    def position(self) -> Position:
        """Where the line has come to."""
        if self.steps:
            return self.steps[-1].after
        if isinstance(self.start, Position):
            return self.start
        return self.game.start(self.game.seat_players(self.names), self.start)

    def take(self, choose: Chooser, note: str = "") -> None:
        """Take a turn, with every decision of it as chosen: legal ones, which is not asked."""
        game, before = self.game, self.position
        position, moves, events = before, list[Move](), tuple[Event, ...]()
        while not moves or position.decision == "summon":
            moves.append(choose(position))
            position, followed = game.apply(position, moves[-1])
            events += followed
        self.steps.append(Step(before, tuple(moves), position, events))
        self.notes.append(note)

    def typed(self, *turns: str) -> Line:
        """Take turns as somebody types them; a note stands behind in braces."""
        for text in turns:
            turn, _, note = text.partition(" {")
            moves = iter(find_turn_reader(self.game, self.names).read_turn(turn).moves)

            def choose(position: Position, text: str = text) -> Move:
                move = self.game.canonical(position, next(moves))  # noqa: B023 - used up before the next turn
                assert not self.game.check(position, move), (text, self.game.check(position, move))
                return move

            self.take(choose, note.removesuffix("}"))
            assert next(moves, None) is None, text
        return self

    def cut(self, turns: int) -> Line:
        """The line up to a turn."""
        return Line(self.ruleset, self.start, self.readings, self.remark, self.steps[:turns], self.notes[:turns])

    def record(self) -> Record:
        """The line as a record."""
        game, names = self.game, self.names
        remarks = (f"# {self.remark}",) if self.remark else ()
        headers = [Header("Tkid-Record", "1", remarks), Header("Ruleset", self.ruleset.code)]
        headers += [Header("Seat", name) for name in names]
        headers += [Header("Ruling", f"{ruling} {option}") for ruling, option in self.readings.items()]
        deal, position = None, None
        if isinstance(self.start, Position):
            position = self.start
            headers.append(Header("Position", write_position(game, position)))
        else:
            deal = self.start
        turns = []
        for number, (step, note) in enumerate(zip(self.steps, self.notes, strict=True), 1):
            assert step.before.to_act is not None
            read = find_turn_reader(game, names).read_turn(fill_names(game.words.write_turn(step.moves), names))
            turns.append(Turn(number, step.before.to_act, read, notes=(note,) if note else ()))
        seats = tuple(map(Seat, names))
        return Record(self.ruleset, seats, tuple(headers), dict(self.readings), deal, position, turns=tuple(turns))


def steps_of(played: Replay) -> list[Step]:
    """The turns of a record that was played through."""
    pairs = zip(played.moments, played.moments[1:], strict=False)
    return [Step(board(before.position), after.moves, board(after.position), after.events) for before, after in pairs]


def at_random(game: Struggle, rng: Random, passing: float) -> Chooser:
    """Decides at random; `passing` is the chance of a pass where a card could be played."""

    def choose(position: Position) -> Move:
        options = game.legal(position)
        pass_now = position.decision == "play" and rng.random() < passing
        return options[0] if pass_now else options[rng.randrange(len(options))]

    return choose


def random_line(ruleset: Ruleset, rng: Random, players: int, passing: float = 0.3, **readings: str) -> Line:
    """A whole random game; readings by the names of their rulings, with underscores."""
    ids = ruleset.game().ids
    chosen = {ids(f"ruling.{name.replace('_', '-')}"): option for name, option in readings.items()}
    game = ruleset.game(chosen)
    line = Line(ruleset, game.deal(players, rng.randbytes(32)), chosen)
    choose = at_random(game, rng, passing)
    while line.position.to_act is not None:
        line.take(choose)
    return line
