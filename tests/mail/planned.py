"""What the tests of plans share: games made by hand and recorded ones, plans as they are typed, and what they decide."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from attrs import evolve

from tests.games.struggle.shared.family import struggle
from tkid.games.struggle.mail import find_example_turn
from tkid.mail.order_finder import get_order_reader
from tkid.mail.plans import Decision, Plan, add_plan, decide_by_plans
from tkid.orders.order_values import Planned, Standing
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, append, replay
from tkid.rulebook import rule

GAMES = Path(__file__).parents[2] / "fixtures" / "games"
START = replay(new_record("second-edition", ("Ann", "Bob", "Cal"), bytes(32), first="Ann"))
"""The contested regions in this game are Northumbria, Strathclyde, Warwick, Lancaster, Moray, Essex, Gwynedd, Devon."""
CARDS = struggle(START.record.game).cards


def after(*turns: str, of: Replay = START) -> Replay:
    """A game with more turns; a card alone stands for some legal turn with it."""
    for turn in turns:
        of = append(of, find_example_turn(of, turn) if turn in CARDS else turn)
        assert not of.problems, of.problems
    return of


def given(known: Replay, *lines: str, seat: int = 0, to: tuple[Plan, ...] = ()) -> tuple[Plan, ...]:
    """A player's plans with more of them, as they are typed."""
    for line in lines:
        changed = gave(known, line, seat, to)
        assert not changed.problems, changed.problems
        to = changed.plans
    return to


def gave(known: Replay, line: str, seat: int = 0, to: tuple[Plan, ...] = ()) -> Decision:
    """What comes of one plan, as it is typed."""
    read = get_order_reader(known.record.game, known.record.names, seat).read_line(line)
    assert isinstance(read.order, Standing | Planned), read.problems
    return add_plan(known, seat, to, read.order)


def decided(line: str, *turns: str, before: tuple[str, ...] = ("Assemble",)) -> Decision:
    """What a plan of Ann's makes of her turn: given after some turns, looked at after more."""
    known = after(*before)
    plans = given(known, line)
    decision = decide_by_plans(after(*turns, of=known), 0, plans)
    for note in decision.notes:
        assert rule(note.rule)
        assert note.sentence.endswith(".")
    return decision


@cache
def recorded(path: Path) -> Replay:
    record = read_record(path.read_bytes()).record
    assert record is not None
    return replay(record)


def cut(game: Replay, turns: int) -> Replay:
    """A game up to a turn."""
    record = evolve(game.record, turns=game.record.turns[:turns], end=())
    return Replay(record, game.moments[: turns + 1], [], bytes(32))
