"""The host's own time, and the letters and pauses after it was away."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from attrs import evolve

from tkid.club.host_time import Absence, HostTime, Reading, clock_doubted, confirmed, host_was_away, judged, readers
from tkid.host.club_letters import Visitors
from tkid.host.published_folder import changed_everywhere
from tkid.host.store.documents import Document
from tkid.host.store.store import Queries
from tkid.host.store.transaction import Transaction
from tkid.mail.envelope import is_address
from tkid.mail.game_clock import moment
from tkid.mail.game_service import HostedGame
from tkid.record.clock_notes import StoodStill
from tkid.rulebook import cites

KIND, TIME = "host", "time"
"""Where a host keeps what it remembers of time: among the documents."""
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
"""The name that Linux gives to each start of the machine."""
THIS_PROCESS = uuid4().hex
"""Replacement on a machine without a name of its start: then the other clock is compared within one process only."""
WHY = "the host did not work"
Uptime = Callable[[], tuple[str, float]]


def uptime() -> tuple[str, float]:
    """Return the name of the machine's start, and the seconds since; sleep counts."""
    try:
        return BOOT_ID.read_text("ascii").strip(), time.clock_gettime(time.CLOCK_BOOTTIME)
    except (OSError, AttributeError):
        return THIS_PROCESS, time.monotonic()


def read_clocks(now: datetime, since_start: Uptime = uptime) -> Reading:
    """Read both clocks of the machine."""
    return Reading(now, *since_start())


def remembered(transaction: Transaction) -> HostTime | None:
    """Return a host's memory of time, held against other workers; None if it has never worked."""
    document = transaction.documents.get(KIND, TIME)
    return HostTime.read(document.data) if document else None


def doubt(store: Queries) -> str:
    """Explain why no clock of a game runs, and what to do; "" if the clock is believed."""
    text = store.document(KIND, TIME)
    known = HostTime.read(text) if text else None
    if known is None or known.stopped is None or known.shown is None:
        return ""
    return (
        f"the machine's clock showed {moment(known.shown)}, but the host last worked on {moment(known.stopped)}. Until "
        "this is settled, no clock of a game runs. Set the clock, or, if it is right, run `tkid host confirm-clock`."
    )


def time_of(transaction: Transaction, now: datetime) -> datetime:
    """Return the time for a host: the machine's, unless that is not believed."""
    known = remembered(transaction)
    return known.time(read_clocks(now)) if known else now


@cites("club.clock-jump")
def confirm_clock(visitors: Visitors, transaction: Transaction, seen: Reading | None = None) -> HostTime | None:
    """Trust the machine's clock from now on, or as it was `seen` when the round began.

    Returns:
        The new memory of time; None if the clock was not in doubt.
    """
    known = remembered(transaction)
    if known is None or known.stopped is None:
        return None
    shown = seen or Reading(known.shown or known.last, known.boot, known.seconds)
    after = confirmed(known, shown, visitors.club.credited)
    _keep(transaction, known, after)
    return after


def look(visitors: Visitors, transaction: Transaction, seen: Reading) -> HostTime:
    """Look at the clocks when a round begins, and write down the consequences. The owner hears of a doubt once."""
    known = remembered(transaction)
    after = judged(known, seen, visitors.club.credited)
    _keep(transaction, known, after)
    if known is not None and known.believed and not after.believed and is_address(visitors.owner):
        visitors.post(transaction, [clock_doubted(visitors.owner, after, seen.time)])
    return after


def _keep(transaction: Transaction, known: HostTime | None, after: HostTime) -> None:
    """Keep what is remembered of time; the clocks of all games stand still for an absence that is new."""
    away = after.away
    if away is not None and (known is None or known.away != away):
        first = max(away.first, known.away.last) if known and known.away else away.first
        stand_still(transaction, Absence(first, away.last))
    transaction.documents.put(Document(KIND, TIME, after.text))


@cites("club.downtime")
def stand_still(transaction: Transaction, away: Absence) -> int:
    """Write into each running game with a clock that no clock ran during an absence; return in how many."""
    count = 0
    for name in transaction.running():
        game = transaction.game(name)
        hosted = _read(game.record, game.memory) if game else None
        if game is None or hosted is None or hosted.time.clock is None:
            continue
        hosted = hosted.with_line(StoodStill(away.first, hosted.moment(away.last), WHY))
        transaction.save(evolve(game, record=hosted.record_text, due=away.last))
        count += 1
    if count:
        changed_everywhere(transaction.documents)
    return count


def _read(record: str, memory: str) -> HostedGame | None:
    """Return a stored game; None if it is unreadable, which `doctor` reports while the other games continue."""
    try:
        return HostedGame.stored(record, memory)
    except (ValueError, KeyError, TypeError):
        return None


@cites("club.downtime")
def tell_players(visitors: Visitors, transaction: Transaction, now: datetime) -> int:
    """Write to all players about an absence, once, when the mails that came meanwhile are carried out; how many letters."""
    known = remembered(transaction)
    if known is None or known.away is None:
        return 0
    stored = filter(None, map(transaction.game, transaction.running()))
    games = [(game.id, _read(game.record, game.memory)) for game in stored]
    whom = readers([(name, hosted) for name, hosted in games if hosted], now)
    letters = [host_was_away(reader, known.away, now) for reader in whom]
    visitors.post(transaction, letters)
    transaction.documents.put(Document(KIND, TIME, evolve(known, away=None).text))
    return len(letters)
