"""What belongs to the map and is not on it, in short rows: who starts next, and who may not undo a swap."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.struggle.render.text import phrases
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.views import View
from tkid.render.lines import printable


def beside(game: Struggle, view: View, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Rows of a label and a text; a row that has nothing to say is left out."""
    shown, people = view.shown, list(map(printable, names))
    if shown.to_act is None:
        return ()
    rows = (
        ("Passes", ", ".join(phrases.next_starter(shown, people))),
        ("Note", phrases.ban(game, shown, people, view.seat)),
    )
    return tuple((label, words) for label, words in rows if words)
