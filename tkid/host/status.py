"""The state of a host and its games, as `host status` shows it: plain values, which JSON can hold."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from attrs import asdict

from tkid.club.desk.lists import stands
from tkid.host.store.queries import Queries
from tkid.host.store.schema import STATES
from tkid.host.store.transaction import StoredGame
from tkid.host.upkeep.host_time import doubt
from tkid.mail.desk.service import HostedGame
from tkid.mail.game.clock import shown


def status(store: Queries, now: datetime, *, every: bool = False) -> dict[str, Any]:
    """Mails by state, letters that wait and why, mails that were put aside, and the games; all of them if `every`."""
    counts, oldest = store.counts(), store.oldest_waiting()
    return {
        **store.game_counts(),
        "mails": {state: counts[state] for state in STATES},
        "oldest": oldest.isoformat(timespec="seconds") if oldest else None,
        "letters": {"sent": store.sent(), "unsent": [asdict(letter) for letter in store.unsent()]},
        "put_aside": [{"number": number, "reason": reason} for number, reason in store.put_aside()],
        "unreachable": [{"address": each.address, "reason": each.reason} for each in store.unreachable()],
        "stuck": [{"game": game, "reason": error} for game, _, error in store.stuck_games()],
        "clock": doubt(store),
        "games": [_game(game, now) for game in store.games() if every or not game.over],
    }


def _game(game: StoredGame, now: datetime) -> dict[str, Any]:
    """A game: the turn that is due, whose it is, until when; and the same as a sentence."""
    hosted = HostedGame.stored(game.record, game.memory)
    turn, seat, clock = len(hosted.record.turns) + 1, hosted.to_act, shown(hosted.time, now)
    facts: dict[str, Any] = {"id": game.id, "turn": turn, "to_act": hosted.names[seat] if seat is not None else None}
    facts["deadline"] = clock.deadline.isoformat(timespec="minutes") if clock else None
    return {**facts, "stands": stands(hosted, now)}
