"""The cards that may be played now, as turns to copy, and what a wrong turn may have meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from tkid.games.claim.notation import cards as typed_cards
from tkid.games.claim.rules.deck import FACTIONS, NAMES, Cards
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.kernel.problems import Problem, Scope
from tkid.record.play.replay import Replay, append
from tkid.rulebook import cites

WORD = re.compile(r"[^\W\d_]+")


def of(replay: Replay) -> tuple[Claim, Position]:
    """The game and the position of a replay of the family."""
    game, position = replay.record.game, replay.position
    assert isinstance(game, Claim)
    assert isinstance(position, Position)
    return game, position


def playable(known: Replay) -> Cards:
    """The different cards that whoever is to act may play."""
    game, position = of(known)
    return tuple(move.card for move in game.legal(position))


@cites("post.bot")
def choose(known: Replay, seat: int) -> str:
    """A legal turn for the seat, which is to act, drawn by lot; the same for the same game."""
    lot = Random(known.value + bytes([seat]))  # noqa: S311 - nothing secret hangs on it
    return NAMES[lot.choice(playable(known))]


def repairs(known: Replay, typed: str, problem: Problem) -> Iterator[str]:
    """The turns with the fixes of a problem: those that are legal, or the card with its name put right."""
    yield from problem.proposed(Scope.DECISION)
    for text in problem.mended(typed):
        tried = append(known, text)
        if not tried.problems:
            yield NAMES[tried.last.moves[0].card]
        for further in tried.problems:
            yield from further.proposed(Scope.DECISION)


def similar(known: Replay, typed: str) -> tuple[str, str]:
    """The faction that a wrong turn names, and a legal turn with it; "" where that is not clear."""
    for word in WORD.findall(typed):
        found = typed_cards.NAMES.find(word)
        if isinstance(found, str):
            cards = [card for card in playable(known) if FACTIONS[card[0]].name == found]
            return found, NAMES[cards[0]] if cards else ""
    return "", ""
