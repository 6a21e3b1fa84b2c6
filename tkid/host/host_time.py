"""The time that a host believes, and the letters and pauses after it was away."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from attrs import evolve

from tkid.club import host_time
from tkid.host.letters import ClubMailService
from tkid.host.published_folder import note_all_changed
from tkid.host.store.store import Store
from tkid.host.store.transaction import Transaction
from tkid.mail.envelope import is_address
from tkid.mail.game_clock import format_moment
from tkid.mail.model import Document
from tkid.mail.order_machine import ClubLetter
from tkid.record.clock_notes import StoodStill
from tkid.rulebook import cites

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
"""The name that Linux gives to each start of the machine."""
THIS_PROCESS = uuid4().hex
"""Replacement on a machine without a name of its start: then the other clock is compared within one process only."""
MACHINE = platform.node()
"""The name of this machine among those that work for a host."""
WHY = "the host did not work"
TOLD, TOLD_TOGETHER = "told of absence", 20
"""The document of the host that lists the players who know of an absence, and the number of letters about it in one transaction."""
Uptime = Callable[[], tuple[str, float]]


def read_uptime() -> tuple[str, float]:
    """Return the name of the machine's start, and the seconds since; sleep counts."""
    try:
        return BOOT_ID.read_text("ascii").strip(), time.clock_gettime(time.CLOCK_BOOTTIME)
    except (OSError, AttributeError):
        return THIS_PROCESS, time.monotonic()


def read_clocks(now: datetime, since_start: Uptime = read_uptime, machine: str = MACHINE) -> host_time.Reading:
    return host_time.Reading(now, *since_start(), machine)


def explain_doubt(store: Store) -> str:
    """Explain why no clock of a game runs there, and what to do; "" if all clocks are believed."""
    known = store.find_value(host_time.HostTime)
    for each in known.list_doubted() if known else ():
        if each.stopped and each.shown:
            return (
                f"{host_time.name_clock(each)} showed {format_moment(each.shown)}, but the host last worked on "
                f"{format_moment(each.stopped)}. Until this is settled, no clock of a game runs there. Set the clock, or, if it "
                "is right, run `tkid host confirm-clock` there."
            )
    return ""


def find_time(transaction: Transaction, now: datetime, machine: str = MACHINE) -> datetime:
    """Return the time for a host: the machine's, unless that is not believed."""
    known = transaction.documents.find_value(host_time.HostTime)
    return known.as_machine(machine).find_time(read_clocks(now)) if known else now


@cites("club.clock-jump")
def accept_machine_clock(
    visitors: ClubMailService, transaction: Transaction, seen: host_time.Reading | None = None
) -> host_time.HostTime | None:
    """Trust the machine's clock as it is, or was `seen`; return the new memory, None if it was not in doubt."""
    known = transaction.documents.find_value(host_time.HostTime)
    doubted = known.list_doubted() if known else []
    if known is None or not doubted:
        return None
    known = known.as_machine(seen.machine if seen else doubted[0].machine)
    if known.believed:
        return None
    shown = seen or host_time.Reading(known.shown or known.last, known.boot, known.seconds)
    after = host_time.confirm_time(known, shown, visitors.club.credited)
    _keep_memory(transaction, known, after)
    return after


def look_at_clocks(visitors: ClubMailService, transaction: Transaction, seen: host_time.Reading) -> host_time.HostTime:
    """Look at the clocks when a round begins, and write down the consequences. The owner hears of a doubt once."""
    known = transaction.documents.find_value(host_time.HostTime)
    after = host_time.judge_clock(known, seen, visitors.club.credited)
    _keep_memory(transaction, known, after)
    before = {each.machine for each in known.list_doubted()} if known else set[str]()
    doubted = [each for each in after.list_doubted() if known is not None and each.machine not in before]
    if is_address(visitors.owner):
        visitors.post_letters(transaction, [host_time.write_clock_doubt(visitors.owner, each) for each in doubted])
    return after


def _keep_memory(transaction: Transaction, known: host_time.HostTime | None, after: host_time.HostTime) -> None:
    """Save the host's memory of time; a new absence stops the clocks of all games."""
    away = after.away
    if away is not None and (known is None or known.away != away):
        first = max(away.first, known.away.last) if known and known.away else away.first
        note_standstill(transaction, host_time.Absence(first, away.last))
    transaction.documents.store_document(after.document)


@cites("club.downtime")
def note_standstill(transaction: Transaction, away: host_time.Absence) -> int:
    """Write into each running game with a clock that no clock ran during an absence; return in how many."""
    count = 0
    for name in transaction.list_running():
        game = transaction.get_game(name)
        hosted = game.find_readable() if game else None
        if game is None or hosted is None or hosted.time.clock is None:
            continue
        hosted = hosted.with_line(StoodStill(away.first, hosted.round_moment(away.last), WHY))
        transaction.save_game(evolve(game, record=hosted.record_text, due=away.last))
        count += 1
    if count:
        note_all_changed(transaction.documents)
    return count


@cites("club.downtime")
def tell_absence_to_players(
    visitors: ClubMailService, transaction: Transaction, now: datetime
) -> tuple[int, host_time.HostTime | None]:
    """Tell the next players about an absence, once its mails are carried out.

    Return the number of letters, and the memory of time; it drops the absence when every player has a letter.
    """
    known = transaction.documents.find_value(host_time.HostTime)
    if known is None or known.away is None:
        return 0, known
    told = transaction.documents.get_text("host", TOLD) or "{}"
    after = json.loads(told).get(known.away.last.isoformat(), "")
    addresses = transaction.list_playing(after, TOLD_TOGETHER)
    letters = list[ClubLetter]()
    for address in addresses:
        stored = transaction.list_games_of(address)
        games = [(game.id, hosted) for game in stored if (hosted := game.find_readable())]
        letters += filter(None, [host_time.write_absence_letter(address, games, known.away, now)])
    visitors.post_letters(transaction, letters)
    if addresses:
        told = json.dumps({known.away.last.isoformat(): addresses[-1]})
        transaction.documents.store_document(Document("host", TOLD, told))
    else:
        known = evolve(known, away=None)
        transaction.documents.store_document(known.document)
        transaction.documents.drop_document("host", TOLD)
    return len(letters), known
