"""Phrases that texts, descriptions and pictures have in common."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase

from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position


def due(game: Struggle, position: Position) -> str:
    """The next decision, to go behind `to`."""
    return f"name a faction for {game.plot}" if position.decision == "plot" else position.decision or ""


def next_starter(position: Position, names: Sequence[str]) -> list[str]:
    """Who starts after the next power struggle, if that is not simply the next player."""
    return [] if position.starter is None else [f"then {names[(position.starter + 1) % len(position.courts)]} starts"]


def ban(game: Struggle, position: Position, names: Sequence[str], reader: int | None = None) -> str:
    """Who may not undo the last swap, as a sentence without its full stop; "" if anybody may.

    `reader` is the seat that is addressed as "you".
    """
    banned = position.banned
    if banned is None or position.to_act is None:
        return ""
    allowed = position.to_act == banned.by and not game.cards[banned.card].binds_all
    you, name = position.to_act == reader, names[position.to_act]
    subject = f"Only {'you' if you else name} may" if allowed else f"{'You' if you else name} may not"
    whose = "your" if banned.by == reader else f"{names[banned.by]}'s"
    return f"{subject} undo {whose} {banned.card}"


def team(game: Struggle, position: Position, seat: int) -> list[str]:
    """The letter of a seat's team, in a team game."""
    parties = game.parties[len(position.courts)]
    if len(parties) == len(position.courts):
        return []
    return [f"team {letter}" for letter, party in zip(ascii_uppercase, parties, strict=False) if seat in party]


def discs_left(game: Struggle, position: Position, seat: int) -> str:
    """The negotiation discs that a player has left."""
    disc, left = game.board.terms.negotiation, position.negotiation_discs[seat]
    return {0: f"{disc} used", 1: f"{disc} left"}.get(left, f"{left} {disc}s left")
