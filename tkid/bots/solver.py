"""Solve the end of a game, also with hidden cards.

With two parties this is the value of the game. With more, the solver takes the others as one party: a win that it proves
holds against all of them, and a seat may still win where it proves nothing. It looks at every legal decision, the best-looking
turns first.

A world is a position without hidden cards that fits what a seat sees. A turn is proven if the seat wins in every world against
all decisions of the others, by decisions that depend only on what it sees: worlds that look alike to it get the same decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import define, field

from tkid.bots.player import Turn, apply_turn, find_party, find_win_shares, share_win
from tkid.bots.plugin import Judge
from tkid.kernel.game import AnyGame
from tkid.kernel.values import derive

LIKELY = 1
"""Number of turns that are tried before all others: ranking more of them takes longer than it saves."""
ANSWERS = 6
"""Number of decisions tried even before them, because they sufficed elsewhere."""


class UnsolvedError(Exception):
    """More positions would have to be looked at than was allowed."""


@define
class Window:
    """The best share that a party gets from a position, as decisions are tried one after the other.

    If it is `ours`, the party itself decides; the others choose what is worst for it. Only shares between `low` and
    `high` count. `best` is the best so far for who decides.
    """

    ours: bool
    low: float
    high: float
    best: float = derive(lambda self: 0.0 if self.ours else 1.0)

    def add_share(self, found: float) -> bool:
        """Add the share of a decision; return True if no other decision has to be tried."""
        if self.ours:
            self.best = max(self.best, found)
            self.low = max(self.low, found)
        else:
            self.best = min(self.best, found)
            self.high = min(self.high, found)
        return self.low >= self.high


@define
class Solver:
    """A solver for one party that remembers its findings, tries the judge's turns first, and counts `nodes` to `budget`."""

    game: AnyGame
    judge: Judge
    party: int
    budget: int
    nodes: int = 0
    _known: dict[Any, tuple[float, float]] = field(init=False, factory=dict)
    _answers: dict[Any, list[Any]] = field(init=False, factory=dict)

    def find_share(self, position: Any, low: float = 0.0, high: float = 1.0) -> float:
        """Return the share that the party is sure of; exact between `low` and `high`. Raises UnsolvedError."""
        if position.to_act is None:
            return find_win_shares(self.game, position)[self.party]
        key = self.judge.find_essence(position)
        least, greatest = self._known.get(key, (0.0, 1.0))
        if least >= high or least == greatest:
            return least
        if greatest <= low:
            return greatest
        self.nodes += 1
        if self.nodes > self.budget:
            raise UnsolvedError
        found = self._search(position, max(low, least), min(high, greatest))
        if found <= low:
            self._known[key] = (least, found)
        elif found >= high:
            self._known[key] = (found, greatest)
        else:
            self._known[key] = (found, found)
        return found

    def _search(self, position: Any, low: float, high: float) -> float:
        window = Window(find_party(self.game, position) == self.party, low, high)
        last = self.judge.find_finishes(position)
        if last is None:
            following = self._iter_decisions(position)
        else:
            parties = self.game.parties[len(position.seats)]
            ends = (share_win(parties, winners)[self.party] for winners in last.finishes)
            if any(map(window.add_share, ends)):
                return window.best
            following = self._iter_positions_after(position, last.others)
        for move, after in following:
            if window.add_share(self.find_share(after, window.low, window.high)):
                self._remember(position, move)
                break
        return window.best

    def _iter_decisions(self, position: Any) -> Iterator[tuple[Any, Any]]:
        """Yield legal decisions with their positions: what sufficed in like positions, then the best turns' first, then others."""
        legal = self.game.legal(position)
        if len(legal) == 1:
            yield from self._iter_positions_after(position, legal)
            return
        seen = set()
        for move in tuple(self._answers.get(_make_answer_key(position), ())):
            if not self.game.check(position, move):
                after, _ = self.game.apply(position, move)
                seen.add(after)
                yield move, after
        if not self.game.turn_continues(position):
            for turn, after in self.judge.rank_turns(position, LIKELY):
                yield turn[0], after
        for move, after in self._iter_positions_after(position, legal):
            if after not in seen:
                seen.add(after)
                yield move, after

    def _iter_positions_after(self, position: Any, moves: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        for move in moves:
            yield move, self.game.apply(position, move)[0]

    def _remember(self, position: Any, move: Any) -> None:
        answers = self._answers.setdefault(_make_answer_key(position), [])
        if move in answers:
            answers.remove(move)
        answers.insert(0, move)
        del answers[ANSWERS:]


def _make_answer_key(position: Any) -> tuple[Any, ...]:
    """Return what similar positions have in common: the seat, its decision, and the sizes of hands."""
    return position.to_act, position.decision, tuple(map(len, position.hands))


def solve_position(solver: Solver, position: Any) -> tuple[float, dict[Turn, float]] | None:
    """Return the share that the party to act is sure of, and turns that keep it; None if the solver's budget doesn't suffice.

    Of two parties, the solver of either serves for both.
    """
    game, judge = solver.game, solver.judge
    party = find_party(game, position)
    if (own := judge.solve(position, solver.budget)) is not None:
        return (own[0][1][party], {turn: values[party] for turn, values in own}) if own else None
    ours = party == solver.party
    if not ours and len(game.parties[len(position.seats)]) > 2:
        return solve_position(Solver(game, judge, party, solver.budget), position)
    try:
        share = solver.find_share(position)
        low, high = (share - 0.01, share) if ours else (share, share + 0.01)
        for turn, after in iter_turns(game, judge, position):
            found = solver.find_share(after, low, high)
            if found >= share if ours else found <= share:
                return (share if ours else 1 - share), {turn: share if ours else 1 - share}
    except UnsolvedError:
        return None
    raise AssertionError("no turn keeps what the position is worth")


def iter_turns(game: AnyGame, judge: Judge, position: Any) -> Any:
    """Yield every legal turn with the position after it, each position once; the best turns come first."""
    seen = set()
    for turn, after in judge.rank_turns(position, LIKELY):
        seen.add(after)
        yield turn, after
    begun: list[tuple[Turn, Any]] = [((), position)]
    while begun:
        turn, reached = begun.pop()
        for move in game.legal(reached):
            after, _ = game.apply(reached, move)
            if game.turn_continues(after):
                if after not in seen:
                    seen.add(after)
                    begun.append(((*turn, move), after))
            elif after not in seen:
                seen.add(after)
                yield (*turn, move), after


Worlds = tuple[Any, ...]


@define
class Certainty:
    """A proof that a seat wins in all worlds alike to it, without its team-mates' help, as they see other things."""

    game: AnyGame
    judge: Judge
    seat: int
    budget: int
    nodes: int = 0
    _known: dict[Worlds, bool] = field(init=False, factory=dict)

    def is_win(self, worlds: Worlds) -> bool:
        """Return True if the seat wins in all of these worlds, which look alike to it. Raises UnsolvedError."""
        first = worlds[0]
        if first.to_act is None:
            party = find_party(self.game, first, self.seat)
            return all(find_win_shares(self.game, world)[party] == 1 for world in worlds)
        if worlds not in self._known:
            ours = first.to_act == self.seat
            self._known[worlds] = self._has_winning_decision(worlds) if ours else self._is_win_against_all(worlds)
        return self._known[worlds]

    def is_win_after(self, worlds: Worlds, moves: Turn) -> bool:
        self.nodes += len(worlds)
        if self.nodes > self.budget:
            raise UnsolvedError
        after = (apply_turn(self.game, world, moves) for world in worlds)
        return all(map(self.is_win, self._group_alike(after)))

    def _has_winning_decision(self, worlds: Worlds) -> bool:
        """Return True if one decision of the seat wins in all worlds; the best turns of the first world come first."""
        if not self.game.turn_continues(worlds[0]):
            likely = self.judge.rank_turns(worlds[0], LIKELY)
            if any(self.is_win_after(worlds, turn) for turn, _ in likely):
                return True
        return any(self.is_win_after(worlds, (move,)) for move in self.game.legal(worlds[0]))

    def _is_win_against_all(self, worlds: Worlds) -> bool:
        """Return True if no decision of another seat hurts, in any world in which it is legal."""
        tried: set[Any] = set()
        for world in worlds:
            for move in self.game.legal(world):
                if move in tried:
                    continue
                tried.add(move)
                where = tuple([each for each in worlds if each is world or not self.game.check(each, move)])
                if not self.is_win_after(where, (move,)):
                    return False
        return True

    def _group_alike(self, worlds: Iterable[Any]) -> Iterator[Worlds]:
        """Yield worlds in groups that look alike to the seat, each world once."""
        groups: dict[Any, dict[Any, None]] = {}
        for world in worlds:
            groups.setdefault(self.game.view(world, self.seat), {})[world] = None
        yield from map(tuple, groups.values())


def find_certain_turn(game: AnyGame, judge: Judge, worlds: Worlds, budget: int) -> Turn | None:
    """Return a turn that wins in every world, against anything; None if `budget` positions do not show one."""
    proof = Certainty(game, judge, worlds[0].to_act, budget)
    try:
        return next((turn for turn, _ in iter_turns(game, judge, worlds[0]) if proof.is_win_after(worlds, turn)), None)
    except UnsolvedError:
        return None
