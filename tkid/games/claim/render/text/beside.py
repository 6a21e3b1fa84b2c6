"""What belongs to the table and is legible only as text beside a small picture of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import HAND, NAMES
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import PHASES
from tkid.games.claim.rules.views import View
from tkid.kernel.game import HIDDEN
from tkid.notation.numbers import counted
from tkid.render.lines import printable


def beside(_: Claim, view: View, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Rows of a label and a text; a row that has nothing to say is left out."""
    return tuple(_rows(view, list(map(printable, names))))


def _rows(view: View, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    shown = view.shown
    if shown.to_act is not None:
        yield "Phase", f"{PHASES[shown.phase]}, trick {shown.trick} of {HAND}"
    if shown.led is not None and shown.leader is not None:
        yield "Trick", f"{names[shown.leader]} led {NAMES[shown.led]}"
    if shown.prize is not None:
        prize = "face down" if shown.prize == HIDDEN else NAMES[shown.prize]
        yield "Prize", f"{prize}; {counted(len(shown.deck), 'card')} in the deck"
    votes = tuple(scoring.votes(shown.scores))
    won = [[vote.faction.plural for vote in votes if vote.seat == seat] for seat in shown.seats]
    yield "Votes", "; ".join(f"{name} {_counted(factions)}" for name, factions in zip(names, won, strict=True))


def _counted(factions: Sequence[str]) -> str:
    """The number of votes, and of which factions."""
    return f"{len(factions)} ({', '.join(factions)})" if factions else "0"
