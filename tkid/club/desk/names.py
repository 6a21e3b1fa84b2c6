"""The name of a game at the start of a text."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import plain
from tkid.notation.vocabulary import Vocabulary, listed
from tkid.rulebook import cites

MOST_LISTED = 12
"""So many games are named where none has the name that was typed."""


def game_in(text: str, games: Sequence[str]) -> tuple[str, str] | None:
    """The game whose name a text begins with, the longest that fits, and what follows it: a colon is kept."""
    text = " ".join(plain(text).split())
    for game in sorted(games, key=len, reverse=True):
        name = " ".join(plain(game).split())
        rest = text[len(name) :]
        if name and text[: len(name)].casefold() == name.casefold() and rest[:1] in {"", " ", ",", ":", "."}:
            return game, rest.lstrip(" ,")
    return None


@cites("club.desk.game")
def no_game(typed: str, games: Sequence[str]) -> Problem:
    """The problem with a name that no game has."""
    word = typed.split(maxsplit=1)[0].rstrip(":,") if typed.strip() else ""
    found = Vocabulary(dict.fromkeys(games), {}).find(word) if word else ""
    hint = f"Did you mean {found}?" if isinstance(found, str) else found.hint()
    if not (word and hint):
        more = f" There are {len(games)} in all." if len(games) > MOST_LISTED else ""
        hint = f"The games are {listed(games[:MOST_LISTED], 'and')}.{more}" if games else "There are no games yet."
    message = f"There is no game `{word}`" if word else "The name of the game is missing"
    return Problem(Kind.NAME, "club.desk.game", message, hint=hint)
