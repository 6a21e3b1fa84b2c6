"""The cards that may be played now, as turns to copy, and what a wrong turn may have meant."""

from __future__ import annotations

import re

from tkid.games.claim.notation import cards as typed_cards
from tkid.games.claim.rules.deck import FACTIONS, NAMES, Cards
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.kernel.problems import Problem, Scope
from tkid.orders.thresholds import LONGEST_LOOK
from tkid.record.play.replay import Replay, append

WORD = re.compile(r"[^\W\d_]+")


def of(replay: Replay) -> tuple[Claim, Position]:
    """The game and the position of a replay."""
    game, position = replay.record.game, replay.position
    assert isinstance(game, Claim)
    assert isinstance(position, Position)
    return game, position


def playable(known: Replay) -> Cards:
    """The different cards that the next player may play."""
    game, position = of(known)
    return tuple(move.card for move in game.legal(position))


def repairs(known: Replay, typed: str, problem: Problem) -> list[str]:
    """The turns with the fixes of a problem: those that are legal, or the card with its name put right."""
    turns = [*problem.proposed(Scope.DECISION)]
    for text in problem.mended(typed):
        tried = append(known, text)
        if not tried.problems:
            turns.append(NAMES[tried.last.moves[0].card])
        for further in tried.problems:
            turns += further.proposed(Scope.DECISION)
    return list(dict.fromkeys(turns))


def similar(known: Replay, typed: str) -> tuple[str, str]:
    """The faction that a wrong turn names, and a legal turn with it; "" where that is not clear."""
    for word in WORD.findall(typed[:LONGEST_LOOK]):
        faction = typed_cards.NAMES.find(word)
        if isinstance(faction, str):
            cards = [card for card in playable(known) if FACTIONS[card[0]].name == faction]
            return faction, NAMES[cards[0]] if cards else ""
    return "", ""
