"""Puzzles: positions with exactly one winning turn, and the proof of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from tkid.bots.player import Turn, apply_turn, find_party, find_win_shares
from tkid.bots.plugin import find_judge
from tkid.bots.roster import find_player
from tkid.bots.solver import Solver, UnsolvedError, iter_turns
from tkid.kernel.game import AnyGame
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay

FOLDER = Path(__file__).parents[2] / "fixtures" / "puzzles"
ALL = 1.0
"""The share of a party that wins alone, whatever the others do."""
LEVELS = (("greedy", 48), ("search", 3), ("search", 10), ("search", 30), ("search", 100))
"""The levels of programs that try each puzzle: their players, and how many positions these look at."""


def list_numbers() -> list[str]:
    """The numbers of all puzzles, as their files are called."""
    return sorted((path.stem for path in FOLDER.glob("*.json")), key=int)


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


@define
class PlainSolver:
    """A second solver: it tries decisions in the order of the rules, and uses no estimates and no shortcuts of a judge."""

    game: AnyGame
    party: int
    budget: int
    _known: dict[Any, bool] = field(init=False, factory=dict)

    def is_win(self, position: Any) -> bool:
        """Return True if the party is sure to win alone. Raises UnsolvedError."""
        if position.to_act is None:
            return find_win_shares(self.game, position)[self.party] >= ALL
        if position not in self._known:
            if len(self._known) >= self.budget:
                raise UnsolvedError
            results = (self.is_win(self.game.apply(position, move)[0]) for move in self.game.legal(position))
            ours = find_party(self.game, position) == self.party
            self._known[position] = any(results) if ours else all(results)
        return self._known[position]


def find_winning_positions(game: AnyGame, position: Any, budget: int) -> set[Any]:
    """Return the positions after all turns that win, as the second solver finds them. Raises UnsolvedError."""
    solver = PlainSolver(game, find_party(game, position), budget)
    return {after for _, after in whole_turns(game, position) if solver.is_win(after)}


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


def list_finders(game: AnyGame, position: Any, right: Any) -> list[str]:
    """List the levels of programs that find the turn to a position. They see every card, as you do on the page."""
    view = evolve(game.view(position, position.to_act), shown=position)
    return [
        name if name == "greedy" else f"{name}:{thought}"
        for name, thought in LEVELS
        if apply_turn(game, position, find_player(game, name).choose(view, thought)) == right
    ]


def read(path: Path) -> Replay:
    """The replay of a record that has no problems."""
    report = read_record(path.read_bytes())
    assert report.record is not None, (path, report.problems)
    assert not report.problems, (path, report.problems)
    played = replay(report.record)
    assert not played.problems, (path, played.problems)
    return played
