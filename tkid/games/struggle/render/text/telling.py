"""A position and a turn told to people: the headline, how the struggle would end, what the last turn did."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.struggle.render.text import phrases
from tkid.games.struggle.render.text.standings import standing
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.views import View
from tkid.kernel.game import with_names
from tkid.render.picture import LastTurn
from tkid.render.tale import Tale, Told


def headline(game: Struggle, view: View, names: Sequence[str]) -> str:
    """Whose turn it is and what is contested, or how the game ended."""
    shown = view.shown
    if shown.to_act is None:
        return f"{phrases.who_won(shown, names)}: {shown.ending or 'ended'}"
    due = f"{names[shown.to_act]} to {phrases.due(game, shown)}"
    return due if shown.contested is None else f"{due}: {game.board.name(shown.contested)} is contested"


def forecast(game: Struggle, view: View, names: Sequence[str]) -> str:
    """How the contested region would be resolved as it stands; "" when the game is over."""
    shown, board, _ = view.shown, game.board, names
    if shown.contested is None or shown.to_act is None:
        return ""
    return standing(board, shown.contested, shown.regions[shown.contested])


def told(game: Struggle, view: View, names: Sequence[str], last: LastTurn) -> str:
    """The last turn as a sentence."""
    _ = view
    return f"{names[last.seat]}: {with_names(game.words.turn(last.moves), names)}."


def tale(game: Struggle, view: View, names: Sequence[str], last: LastTurn) -> Tale:
    """The last turn step by step."""
    steps = tuple(Told(f"{event.seen(view.seat).read(names)}.", event.rule) for event in last.events)
    shown = view.shown
    after = "" if shown.to_act is None else f"{names[shown.to_act]} is next."
    return Tale(told(game, view, names, last), steps, (forecast(game, view, names),), after)
