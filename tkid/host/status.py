"""How a host and its games stand, as `host status` tells it: plain values, which JSON can hold."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tkid.host.store.queries import WatchedStore
from tkid.host.store.store import QUARANTINED, StoredGame
from tkid.mail.desk.service import HostedGame
from tkid.mail.game.clock import shown
from tkid.mail.letters.clock_text import deadline, moment


def standing(store: WatchedStore, now: datetime, *, every: bool = False) -> dict[str, Any]:
    """Mails by state, letters that wait and why, mails that were put aside, and the games; all of them if `every`."""
    counts, oldest = store.counts(), store.oldest_waiting()
    counts.pop("unsent", None)
    letters = [
        {
            "number": each.number,
            "game": each.game,
            "address": each.address,
            "tries": each.tries,
            "error": each.error,
            "next_try": each.next_try.isoformat() if each.next_try else None,
            "given_up": each.given_up,
        }
        for each in store.unsent()
    ]
    aside = [{"number": number, "reason": why} for number, what, why in store.troubles() if what == QUARANTINED]
    return {
        **store.game_counts(),
        "mails": counts,
        "oldest": oldest.isoformat(timespec="seconds") if oldest else None,
        "letters": {"sent": store.sent(), "unsent": letters},
        "put_aside": aside,
        "unreachable": [{"address": each.address, "reason": each.reason} for each in store.unreachable()],
        "stuck": [{"game": game, "reason": why} for game, why in store.stuck_games()],
        "games": [_game(game, now) for game in store.games() if every or not game.over],
    }


def _game(game: StoredGame, now: datetime) -> dict[str, Any]:
    """How a game stands: the turn that is due, whose it is, until when; and the same as a sentence."""
    at = HostedGame.stored(game.record, game.memory)
    turn, seat, clock = len(at.record.turns) + 1, at.to_act, shown(at.time, now)
    facts: dict[str, Any] = {"id": game.id, "turn": turn, "to_act": at.names[seat] if seat is not None else None}
    facts["deadline"] = clock.deadline.isoformat(timespec="minutes") if clock else None
    if seat is not None:
        told = f"turn {turn}, {at.names[seat]} to {at.replay.position.decision}"
        stands = f"{told}, {deadline(clock)}" if clock else told
    elif at.time.adjourned is not None and not at.time.over:
        stands = f"turn {turn}, adjourned since {moment(at.time.adjourned)}"
    else:
        stands = f"over after turn {turn - 1}"
    return {**facts, "stands": stands}
