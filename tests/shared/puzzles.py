"""Puzzles: positions with exactly one winning turn, and the proof of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tkid.bots.player import Turn, find_party
from tkid.bots.plugin import find_judge
from tkid.bots.solver import Solver, UnsolvedError, iter_turns
from tkid.kernel.game import AnyGame
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay

FOLDER = Path(__file__).parents[2] / "fixtures" / "puzzles"
ALL = 1.0
"""The share of a party that wins alone, whatever the others do."""


def solver_of(game: AnyGame, position: Any, budget: int) -> Solver:
    """A solver for the party of the seat to act."""
    return Solver(game, find_judge(game), find_party(game, position), budget)


def wins(solver: Solver, position: Any) -> bool:
    """Whether the party of a solver is sure to win. Raises UnsolvedError."""
    known = solver.judge
    if position.to_act is None or known.solve(position, 1) is None:
        return solver.find_share(position, ALL - 0.01, ALL) >= ALL
    found = known.solve(position, solver.budget)
    if not found:
        raise UnsolvedError
    return found[0][1][solver.party] >= ALL


def winning_turns(game: AnyGame, position: Any, budget: int, most: int = 2) -> list[tuple[Turn, Any]]:
    """Turns that win for certain, with the positions after them, until there are so many; each position once.

    Raises UnsolvedError where the budget does not suffice.
    """
    solver = solver_of(game, position, budget)
    found: list[tuple[Turn, Any]] = []
    for turn, after in iter_turns(game, find_judge(game), position):
        if wins(solver, after):
            found.append((turn, after))
            if len(found) == most:
                break
    return found


def whole_turns(game: AnyGame, position: Any, begun: Turn = ()) -> Iterator[tuple[Turn, Any]]:
    """Every legal turn with the position after it, in the order of the rules."""
    for move in game.legal(position):
        after, _ = game.apply(position, move)
        if game.turn_continues(after):
            yield from whole_turns(game, after, (*begun, move))
        else:
            yield (*begun, move), after


def tempting(game: AnyGame, position: Any, right: Any) -> int:
    """How many wrong turns look at least as good as the right one: so many positions are worth as much as that after it."""
    known, party = find_judge(game), find_party(game, position)
    worth = known.estimate_chances(right)[party]
    others = {after for _, after in whole_turns(game, position)} - {right}
    return sum(known.estimate_chances(after)[party] >= worth for after in others)


def read(path: Path) -> Replay:
    """The replay of a record that has no problems."""
    report = read_record(path.read_bytes())
    assert report.record is not None, (path, report.problems)
    assert not report.problems, (path, report.problems)
    played = replay(report.record)
    assert not played.problems, (path, played.problems)
    return played
