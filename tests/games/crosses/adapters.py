"""Crosses for programs that learn."""

from __future__ import annotations

from collections.abc import Mapping

from tests.games.crosses.rules import CARDS, CLOSED, FIELDS, SIGNS, Crosses
from tkid.adapters.match import AdaptersPlugin, Block
from tkid.kernel.game import AnyView


class CrossesAdapters(AdaptersPlugin):
    """The words of a move, and a view as numbers."""

    def list_words(self, game: Crosses, players: int) -> tuple[str, ...]:
        return (*CARDS, *FIELDS)

    def observe(self, game: Crosses, view: AnyView) -> Mapping[str, Block]:
        own = view.seat or 0
        signs = (SIGNS[own], SIGNS[1 - own], CLOSED)
        board = [[there == sign for there in view.shown.board] for sign in signs]
        return {**super().observe(game, view), "board": board}


PLUGIN = CrossesAdapters()
