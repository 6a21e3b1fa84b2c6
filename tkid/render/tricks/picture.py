"""Claim as a picture: the trick on the table, the hands, and the piles."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.tricks.game import Tricks
from tkid.games.tricks.views import View
from tkid.kernel.game import HIDDEN
from tkid.render.picture import SANS, Last, Part, Picture, text
from tkid.render.tricks.spoken import spoken

STYLE = {"svg": (f"font-family:{SANS};background:#fff;fill:#111", "background:#14181c;fill:#eee")}


def picture(game: Tricks, view: View, names: Sequence[str], last: Last | None = None) -> Picture:  # noqa: ARG001
    """All that a seat may know of a position; `last` is the turn that led to it."""
    shown, title = view.shown, f"Turn {view.shown.turn}"
    parts = [
        Part(
            f"hand-{seat}",
            "".join(
                text(10 + 34 * n, 40 + 40 * seat, card, data_at=None if card == HIDDEN else f"card/{card}")
                for n, card in enumerate(shown.hands[seat])
            ),
        )
        for seat in shown.seats
    ]
    return Picture(480, 300, title, spoken(game, view, names), STYLE, tuple(parts))
