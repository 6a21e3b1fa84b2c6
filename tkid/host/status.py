"""The state of a host and its games, as `host status` shows it: plain values, which JSON can hold."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from attrs import asdict

from tkid.club.desk.lists import stands
from tkid.club.values import mailbox
from tkid.host.store.queries import Queries
from tkid.host.store.schema import STATES
from tkid.host.upkeep.host_time import doubt
from tkid.mail.desk.service import HostedGame
from tkid.mail.game.clock import shown
from tkid.notation.vocabulary import listed
from tkid.rulebook import cites


def status(store: Queries, now: datetime, *, every: bool = False) -> dict[str, Any]:
    """Mails by state, letters that wait and why, mails that were put aside, and the games; all of them if `every`."""
    counts, oldest = store.counts(), store.oldest_waiting()
    games = [(game.id, HostedGame.stored(game.record, game.memory), game.over) for game in store.games()]
    return {
        **store.game_counts(),
        "mails": {state: counts[state] for state in STATES},
        "oldest": oldest.isoformat(timespec="seconds") if oldest else None,
        "letters": {"sent": store.sent(), "unsent": [asdict(letter) for letter in store.unsent()]},
        "put_aside": [{"number": number, "reason": reason} for number, reason in store.put_aside()],
        "unreachable": [{"address": each.address, "reason": each.reason} for each in store.unreachable()],
        "stuck": [{"game": game, "reason": error} for game, _, error in store.stuck_games()],
        "clock": doubt(store),
        "persons": [person for name, hosted, over in games if not over for person in _persons(name, hosted)],
        "games": [_game(name, hosted, now) for name, hosted, over in games if every or not over],
    }


@cites("club.person")
def _persons(name: str, hosted: HostedGame) -> Iterator[dict[str, str]]:
    """What the owner should know of who plays a game: who took over a seat, and players with one mailbox."""
    taken = [each.stand_in for each in hosted.time.seats if each.stand_in and not each.stand_in.bot]
    for each in taken:
        yield {"game": name, "seat": hosted.names[each.seat], "taken_by": each.name, "address": each.address}
    seats: dict[str, list[str]] = {}
    for seat in hosted.seats:
        seats.setdefault(mailbox(hosted.address(seat)), []).append(hosted.player(seat))
    for box, players in seats.items():
        if box and len(players) > 1:
            yield {"game": name, "one_mailbox": listed(players, "and"), "address": box}


def _game(name: str, hosted: HostedGame, now: datetime) -> dict[str, Any]:
    """A game: the turn that is due, whose it is, until when; and the same as a sentence."""
    turn, seat, clock = len(hosted.record.turns) + 1, hosted.to_act, shown(hosted.time, now)
    facts: dict[str, Any] = {"id": name, "turn": turn, "to_act": hosted.names[seat] if seat is not None else None}
    facts["deadline"] = clock.deadline.isoformat(timespec="minutes") if clock else None
    return {**facts, "stands": stands(hosted, now)}
