"""Crosses for programs that learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.games.crosses.rules import CARDS, CLOSED, FIELDS, SIGNS, Crosses
from tkid.adapters.match import AdaptersPlugin, Layout
from tkid.kernel.game import AnyView


class CrossesAdapters(AdaptersPlugin):
    """The words of a move, and a view as numbers."""

    def list_words(self, game: Crosses, players: int) -> tuple[str, ...]:
        return (*CARDS, *FIELDS)

    def make_layout(self, game: Crosses, players: int) -> Layout:
        return Layout({**super().make_layout(game, players).blocks, "board": (3, len(FIELDS))})

    def observe(self, game: Crosses, view: AnyView) -> Mapping[str, Sequence[float]]:
        own = view.seat or 0
        signs = (SIGNS[own], SIGNS[1 - own], CLOSED)
        board = [float(there == sign) for sign in signs for there in view.shown.board]
        return {**super().observe(game, view), "board": board}


PLUGIN = CrossesAdapters()
