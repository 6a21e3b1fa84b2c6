"""A position and a turn told to people: the headline, what the trick would bring, what the last turn did."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.claim.render.text.position import due, who_won
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.views import View
from tkid.render.picture import LastTurn
from tkid.render.tale import Tale, Told


def headline(_: Claim, view: View, names: Sequence[str]) -> str:
    """Whose turn it is, or who won."""
    shown = view.shown
    return who_won(shown, names) if shown.to_act is None else f"{names[shown.to_act]} to {due(shown)}"


def forecast(_: Claim, __: View, ___: Sequence[str]) -> str:
    """How the trick would end as it stands; "" when the game is over."""
    return ""


def told(_: Claim, view: View, names: Sequence[str], last: LastTurn) -> str:
    """The last turn as a sentence."""
    return " ".join(f"{event.seen(view.seat).read(names)}." for event in last.events)


def tale(game: Claim, view: View, names: Sequence[str], last: LastTurn) -> Tale:
    """The last turn step by step."""
    steps = tuple(Told(f"{event.seen(view.seat).read(names)}.", event.rule) for event in last.events)
    shown = view.shown
    after = "" if shown.to_act is None else f"{names[shown.to_act]} is next."
    return Tale(told(game, view, names, last), steps, (), after)
