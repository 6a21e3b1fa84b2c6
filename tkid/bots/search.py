"""The player that looks ahead by tree search.

Each iteration takes one world, a position without hidden cards that fits the view, and goes down the tree by turns. Turns are
public, so worlds share the nodes of the tree: a node has one answer of the player itself for all of them. At the first visit
of a node, the search evaluates the turns that look best in this world.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import sqrt
from typing import Any, ClassVar

from attrs import Factory, define, evolve, field, frozen

from tkid.bots.player import MAX_DOUBT, Choice, Turn, apply_turn, check_asked, find_party, lot
from tkid.bots.plugin import Judge, judge
from tkid.bots.solver import Certainty, Solver, UnsolvedError, find_certain_turn, solve_position
from tkid.kernel.game import AnyGame, AnyView
from tkid.kernel.pickling import Portable


@frozen
class Judging(Portable, ABC):
    """A player that judges turns; `looks_ahead` says whether it does so."""

    looks_ahead: ClassVar[bool] = False
    game: AnyGame
    judge: Judge = field(default=Factory(lambda self: judge(self.game, ahead=self.looks_ahead), takes_self=True))

    def choose(self, view: AnyView, thought: int) -> Turn:
        return self.choices(view, thought, 1)[0].turn

    @abstractmethod
    def choices(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:
        """List the best turns, best first."""


WORLDS = 6
"""Number of positions looked at if cards are hidden; all fit the view."""
ALL = 60
"""Upper limit of worlds for a proof: a list of fewer has all that fit the view."""
FIRST, GROWTH = 8, 3
"""Number of turns evaluated when a node is expanded; factor for a node visited often."""
COMMON = 12
"""Number of turns looked at if cards are hidden: the same in all worlds."""
OFTEN = 6
"""Factor of visits to known turns from which on a node is widened."""
CURIOSITY = 0.35
"""Weight of a turn's rank before it was tried."""
SOLVING = 10
"""Factor of the thought that may be spent on solving the end: its positions are cheaper."""


@define(eq=False)
class Node:
    """The findings about the game after some turns.

    `total` is the sum of the values found beneath it, for each party. `after` has the nodes behind its turns, `listed`
    the best turns in each world, and how many were asked for.
    """

    visits: int = 0
    total: list[float] = field(factory=list)
    after: dict[Turn, Node] = field(factory=dict)
    listed: dict[int, tuple[int, Sequence[tuple[Turn, Any]]]] = field(factory=dict)

    def add(self, values: Sequence[float]) -> None:
        self.visits += 1
        self.total = [a + b for a, b in zip(self.total, values, strict=True)] if self.total else list(values)

    def compute_mean(self, party: int) -> float:
        return self.total[party] / self.visits


@define
class Tree:
    """One search from a view, with a budget of positions to evaluate."""

    game: AnyGame
    judge: Judge
    worlds: Sequence[Any]
    budget: int
    root: Node = field(init=False, factory=Node)
    nodes: int = 0
    _played: dict[tuple[Turn, int], Any] = field(init=False, factory=dict)
    """The positions after the turns of the root, in each world in which they were looked at."""

    def run_search(self) -> None:
        idle = 0
        while self.nodes < self.budget and idle < len(self.worlds) + 8:
            before = self.nodes
            if len(self.worlds) == 1:
                self._follow(0, self.worlds[0], [self.root])
            else:
                self._follow_next_world()
            idle = 0 if self.nodes > before else idle + 1

    def _follow_next_world(self) -> None:
        """Choose a turn before a world: so each turn meets the worlds in the same order, and is listed only once."""
        first, root = self.worlds[0], self.root
        if not root.visits:
            root.add(self._expand(root, 0, first, COMMON))
        turn, after = self._choose_turn(root, root.listed[0][1], find_party(self.game, first))
        node = root.after[turn]
        world = (node.visits - 1) % len(self.worlds)
        if world:
            if (turn, world) not in self._played:
                self._played[turn, world] = apply_turn(self.game, self.worlds[world], turn)
            after = self._played[turn, world]
        self._follow(world, after, [root, node])

    def _follow(self, world: int, position: Any, path: list[Node]) -> None:
        """Go down one line from the last node of a path, expand its end, and add the values to every node of it."""
        node = path[-1]
        values: Sequence[float]
        while True:
            if position.to_act is None:
                values = self.judge.values(position)
                break
            if world not in node.listed:
                values = self._expand(node, world, position, FIRST)
                break
            asked, turns = node.listed[world]
            if node.visits > OFTEN * asked and len(turns) >= asked and self.nodes < self.budget:
                self._expand(node, world, position, asked * GROWTH)
                _, turns = node.listed[world]
            turn, position = self._choose_turn(node, turns, find_party(self.game, position))
            node = node.after[turn]
            path.append(node)
        for each in path:
            each.add(values)

    def _expand(self, node: Node, world: int, position: Any, most: int) -> Sequence[float]:
        turns = self.judge.ranked(position, most)
        self.nodes += len(turns)
        node.listed[world] = most, turns
        best: Sequence[float] = ()
        for turn, after in turns:
            values = self.judge.values(after)
            best = best or values
            if turn not in node.after:
                node.after[turn] = Node()
                node.after[turn].add(values)
        return best

    def _choose_turn(self, node: Node, turns: Sequence[tuple[Turn, Any]], party: int) -> tuple[Turn, Any]:
        """Return the turn to try next: good so far, ranked high, or seldom tried."""
        curious = CURIOSITY * sqrt(node.visits)
        best, chosen = -1.0, turns[0]
        for rank, each in enumerate(turns):
            after = node.after[each[0]]
            weight = after.compute_mean(party) + curious / ((1 + after.visits) * (2 + rank))
            if weight > best:
                best, chosen = weight, each
        return chosen


class Search(Judging):
    """A player that looks ahead, and solves the end of the game where it can."""

    looks_ahead = True

    def choices(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:
        """List turns, proven and most tried first; a party that loses with every turn, one of two, plays as if it did not know."""
        check_asked(view, thought, most)
        worlds = self.judge.worlds(view, WORLDS, lot(self.game, view, "search"))
        party = find_party(self.game, view.shown)
        solver = Solver(self.game, self.judge, party, SOLVING * thought)
        proven = self._find_proven(view, worlds, thought, solver)
        lost = bool(proven) and proven[0].value == 0
        if proven and not lost and most == 1:
            return proven[:1]
        looked = self._search_turns(worlds, party, thought, most)
        if lost:
            return tuple(evolve(each, value=0.0, proven=True) for each in looked)
        first = tuple(evolve(each, line=self._find_solution(worlds, each.turn, solver)) for each in proven[:1])
        known = {each.turn for each in proven}
        return (*first, *proven[1:], *(each for each in looked if each.turn not in known))[:most]

    def _find_proven(self, view: AnyView, worlds: Sequence[Any], thought: int, solver: Solver) -> tuple[Choice, ...]:
        """Return turns of certain value, best first: in the only world, or one that wins in all worlds."""
        if not self.judge.is_soluble(worlds[0]):
            return ()
        if len(worlds) > 1:
            every = tuple(self.judge.worlds(view, ALL, lot(self.game, view, "all")))
            turn = find_certain_turn(self.game, self.judge, every, thought) if len(every) < ALL else None
            return () if turn is None else (Choice(turn, 1.0, proven=True),)
        found = solve_position(solver, worlds[0])
        if found is None or (found[0] < 1 and len(self.game.parties[len(view.shown.seats)]) > 2):
            return ()
        return tuple(Choice(turn, share, proven=True) for turn, share in found[1].items())

    def _find_solution(self, worlds: Sequence[Any], turn: Turn, solver: Solver) -> tuple[Turn, ...]:
        """Return the turns that follow a proven turn, as far as they are solved; none if cards are hidden."""
        line: list[Turn] = []
        position = apply_turn(self.game, worlds[0], turn)
        while len(worlds) == 1 and position.to_act is not None:
            found = solve_position(solver, position)
            if found is None:
                break
            line.append(next(iter(found[1])))
            position = apply_turn(self.game, position, line[-1])
        return tuple(line)

    def _search_turns(self, worlds: Sequence[Any], party: int, thought: int, most: int) -> tuple[Choice, ...]:
        tree = Tree(self.game, self.judge, worlds, thought)
        tree.run_search()
        tried = [(node.visits, node.compute_mean(party), turn, node) for turn, node in tree.root.after.items()]
        tried.sort(key=lambda each: each[:2], reverse=True)
        choices = (Choice(turn, mean, line=line_of(node)) for _, mean, turn, node in tried[:most])
        return tuple(self._mark_certainty(worlds, party, choice) for choice in choices)

    def _mark_certainty(self, worlds: Sequence[Any], party: int, choice: Choice) -> Choice:
        after = apply_turn(self.game, worlds[0], choice.turn) if len(worlds) == 1 else None
        if after is None or after.to_act is not None:
            first = self.judge.values(after or apply_turn(self.game, worlds[0], choice.turn))[party]
            return evolve(choice, unsure=abs(choice.value - first) > MAX_DOUBT)
        return evolve(choice, value=self.judge.values(after)[party], proven=True)


def line_of(node: Node) -> tuple[Turn, ...]:
    """Return the turns that were tried most, from a node on."""
    line: list[Turn] = []
    while node.after:
        turn, node = max(node.after.items(), key=lambda each: each[1].visits)
        if node.visits < 2:
            break
        line.append(turn)
    return tuple(line)


def still_wins(game: AnyGame, judge: Judge, position: Any, seat: int, thought: int) -> bool | None:
    """Return True if a seat's win is still certain after its turn, None if unknown; `thought` is that of `choices`."""
    if not judge.is_soluble(position):
        return None
    view = game.view(position, seat)
    every = tuple(judge.worlds(view, ALL, lot(game, view, "all")))
    try:
        if len(every) == 1:
            return Solver(game, judge, find_party(game, position, seat), SOLVING * thought).find_share(every[0]) == 1
        return Certainty(game, judge, seat, thought).is_win(every) if len(every) < ALL else None
    except UnsolvedError:
        return None
