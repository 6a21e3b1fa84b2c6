"""Cross-tables: who has played whom how often, and how that went."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from attrs import evolve, frozen

from tkid.club.results.result import Player, Result
from tkid.club.results.standings import Score


@frozen
class Cell:
    """How games between two went for the first of them."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __str__(self) -> str:
        return f"+{self.won} ={self.drawn} -{self.lost}"


@frozen
class CrossTable:
    """A cross-table of players, by name; `cells` by the ids of two players who have met as opponents."""

    players: tuple[Player, ...]
    cells: Mapping[tuple[str, str], Cell]

    @property
    def data(self) -> Mapping[str, Any]:
        """The table as plain values, which JSON can hold."""
        rows = [
            {"player": first, "opponent": second, "won": cell.won, "drawn": cell.drawn, "lost": cell.lost}
            for (first, second), cell in sorted(self.cells.items())
        ]
        return {"players": [{"id": player.id, "name": player.club_name} for player in self.players], "cells": rows}


def crosstable(results: Iterable[Result]) -> CrossTable:
    """The cross-table of some results.

    A winner has beaten each opponent who did not win, and opponents who share the victory have drawn. Opponents who both
    did not win are not compared. Games without a result are left out.
    """
    players: dict[str, Player] = {}
    cells: dict[tuple[str, str], Cell] = defaultdict(Cell)
    for result in results:
        if not result.places:
            continue
        players |= {player.id: player for player in result.players}
        for one, other in permutations(result.parties, 2):
            for first in one:
                for second in other:
                    key = result.players[first].id, result.players[second].id
                    cells[key] = _with(cells[key], first in result.winners, second in result.winners)
    by_name = sorted(players.values(), key=lambda player: (player.club_name.casefold(), player.id))
    return CrossTable(tuple(by_name), dict(cells))


def _with(cell: Cell, first: bool, second: bool) -> Cell:  # noqa: FBT001 - two sides of one comparison
    """A cell with one game more; whether the first won, and the second."""
    match first, second:
        case True, True:
            return evolve(cell, drawn=cell.drawn + 1)
        case True, False:
            return evolve(cell, won=cell.won + 1)
        case False, True:
            return evolve(cell, lost=cell.lost + 1)
    return cell


def points_between(games: Sequence[Score]) -> Mapping[tuple[int, int], tuple[Fraction, ...]]:
    """The cells of a tournament's cross-table: the points of a side in each game against another, in order."""
    cells: dict[tuple[int, int], tuple[Fraction, ...]] = defaultdict(tuple)
    for game in games:
        if game.second is not None:
            cells[game.first, game.second] += (game.points[0],)
            cells[game.second, game.first] += (game.points[1],)
    return dict(cells)
