"""The state of a host, its metrics, and the checks of `host doctor`."""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from shlex import quote
from statistics import median
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve, frozen

from tkid.club.desk_letters import describe_state
from tkid.club.values import get_mailbox
from tkid.host.backup import LAST, find_damage
from tkid.host.directory import SECRET, HostDirectory
from tkid.host.health import Health
from tkid.host.host_time import explain_doubt
from tkid.host.lmtp import LmtpServer
from tkid.host.log import complain_about, complain_below, is_path_open
from tkid.host.settings import FILE, HostSettings, LmtpSettings, SettingsError
from tkid.host.smtp import SmtpSender
from tkid.host.store.connection import DATABASE_ERRORS, GoneError, describe_database_error
from tkid.host.store.leases import MachineState, list_machines
from tkid.host.store.schema import STATES
from tkid.host.store.store import Store
from tkid.host.store.transaction import StoredGame
from tkid.host.transports import TransportError
from tkid.host.webhooks import explain_hooks
from tkid.mail.envelope import find_topmost
from tkid.mail.game_clock import format_length, format_moment, read_game_clock
from tkid.mail.game_service import HostedGame
from tkid.notation.names import list_names
from tkid.notation.text import count_noun
from tkid.render.raster import explain_missing_png
from tkid.rulebook import cites

if TYPE_CHECKING:
    from tkid.host.imap import ImapInbox

MIN_CERTIFICATE_DAYS = 14
MIN_FREE_BYTES = 200 << 20
"""Minimum free space on a disk in bytes, or the size of the database if that is larger."""
LATEST = 20
"""Mails that are looked at, the last ones."""
MIN_DATED_MAILS = 5
"""Minimum number of dated mails before their clocks are believed more than ours."""
MAX_CLOCK_DIFFERENCE = timedelta(hours=1)
"""Maximum difference between the dates of mails and our clock: mails take their time."""
AHEAD = timedelta(minutes=5)
"""So far in the future nothing can have happened."""
MAX_AHEAD = 60.0
"""Maximum number of seconds between the clocks of a machine and of the database."""
OLD_LETTER = timedelta(days=1)
OLD_BACKUP = timedelta(days=7)
HEADERS = 64 << 10


def check_disk(directory: HostDirectory) -> Iterator[str]:
    file = directory.database.file
    places = {directory.folder, file.parent if file else directory.folder}
    size = file.stat().st_size if file and file.exists() else 0
    for place in sorted(places):
        free = shutil.disk_usage(place).free
        if free < max(MIN_FREE_BYTES, size):
            yield f"{place}: only {free >> 20} MB are free on this disk. Make room: a full disk stops the host."


def check_settings(settings: HostSettings) -> Iterator[str]:
    """Report the visible problems of the settings for mail, without asking anybody."""
    domain = settings.address.rpartition("@")[2]
    if settings.smtp is not None and "." not in domain:
        yield f"address: {settings.address} is known on this machine only, so players elsewhere cannot answer."
    if settings.owner.lower() == settings.address.lower():
        yield "owner: this is the host's own address. Name one that you read yourself, or leave it out."
    if settings.authentication is not None and not _is_server(settings.authentication.authserv):
        yield f"[authentication] authserv: {settings.authentication.authserv} is not the name of a server, such as mx.games.example."


def check_welcome(directory: HostDirectory) -> Iterator[str]:
    """Report whether a host that anybody may write to can tell who has really written."""
    settings = directory.settings
    if settings.club.welcome == "everybody" and settings.authentication is None:
        yield (
            "[club] welcome: everybody may come, and no mail server vouches for senders, so anybody can write under another "
            f"name. Add a section [authentication] to {directory.folder / FILE}, with a line such as "
            '`authserv = "mx.games.example"`: the name with which your mail server signs what it checked. '
            'Or write `welcome = "invited"`.'
        )


def _is_server(name: str) -> bool:
    parts = name.split(".")
    return len(parts) > 1 and all(part.replace("-", "").isalnum() for part in parts)


def check_vouching(store: Store, settings: HostSettings) -> Iterator[str]:
    """Report whether the mail server that has to vouch for senders says anything at all."""
    if settings.authentication is None:
        return
    name, mails = settings.authentication.authserv, store.list_latest(LATEST)
    stated = [(find_topmost(raw) or "").split(";")[0].split() for _, raw in mails]
    if len(mails) >= MIN_DATED_MAILS and not any(words and words[0].lower() == name.lower() for words in stated):
        yield (
            f"[authentication] authserv: none of the last {len(mails)} mails has a header Authentication-Results of {name}, "
            "so every mail is refused. Set up the mail server to write one, or correct the name."
        )


def check_mails(store: Store, folder: Path) -> Iterator[str]:
    aside = store.list_put_aside()
    if aside:
        mails = "mail was" if len(aside) == 1 else "mails were"
        yield f"{len(aside)} {mails} put aside, because the program failed. `tkid host status {folder}` lists them."


def check_letters(store: Store, now: datetime) -> Iterator[str]:
    counts = store.count_letters()
    if counts.failing:
        first = next(letter for letter in store.list_unsent(counts.given_up + 1) if not letter.given_up)
        number = count_noun(counts.failing, "letter")
        yield f"letters: {number} could not be sent yet, and will be tried again. The oldest is to {first.address}: {first.error}."
    oldest = store.find_oldest_unsent()
    written = _read_date(oldest[2]) if oldest else None
    if oldest and written and now - written > OLD_LETTER:
        reason = f": {oldest[1]}" if oldest[1] else ""
        yield f"letters: the oldest has waited for {format_length(now - written)}, to {oldest[0]}{reason}. Is the host running?"


def check_clock(store: Store, directory: HostDirectory, now: datetime) -> Iterator[str]:
    """Report whether this machine's clock can be right, by past events and by the clocks of others."""
    if doubted := explain_doubt(store):
        yield f"clock: {doubted}"
    mails = store.list_latest(LATEST)
    times = [received for received, _ in mails]
    boxes = [directory.inbox / part for part in ("new", "cur")]
    files = (file for box in boxes if box.is_dir() for file in box.iterdir())
    times += [datetime.fromtimestamp(file.stat().st_mtime, UTC) for file in files]
    if times and max(times) > now + AHEAD:
        yield f"clock: it is {format_moment(now)} here, and a mail came at {format_moment(max(times))}. Set the clock."
    behind = [(received - written).total_seconds() for received, raw in mails if (written := _read_date(raw))]
    if len(behind) >= MIN_DATED_MAILS and (by := timedelta(seconds=median(behind))) and abs(by) > MAX_CLOCK_DIFFERENCE:
        which = "fast" if by > timedelta() else "slow"
        yield f"clock: by the dates of the last {len(behind)} mails, it is {format_length(abs(by))} {which}. Set the clock, or look why mails come late."


def list_machine_states(store: Store) -> list[dict[str, Any]]:
    """Return the machines that work for the host on a database server, each with its leases and problems."""
    states = list_machines(store.engine)
    others = "Other machines do" if any(each.is_at_work for each in states) else "No machine does"
    return [
        {
            "name": each.machine.name,
            "at_work": each.is_at_work,
            "seen": each.machine.seen.isoformat(timespec="seconds"),
            "clock_ahead": each.machine.ahead,
            "version": each.machine.version,
            "leases": list(each.leases),
            "problems": list(_explain_machine(each, others)),
        }
        for each in states
    ]


def _explain_machine(state: MachineState, others: str) -> Iterator[str]:
    machine = state.machine
    if not (state.is_at_work or machine.is_stopped):
        yield (
            f"machine {machine.name}: it died, or cannot reach the database, since {format_moment(machine.seen)}. {others} its "
            f"work. Start it, or put another one in its place: `tkid host join STORE DIR --name {machine.name}`."
        )
        for mailbox in state.unread:
            yield f"machine {machine.name}: nobody reads {mailbox}. Start the machine, or move what is in `new` to another one."
    if state.is_at_work and abs(machine.ahead) > MAX_AHEAD:
        length = format_length(timedelta(seconds=abs(machine.ahead)))
        order = "fast" if machine.ahead > 0 else "slow"
        yield f"machine {machine.name}: its clock is {length} {order}, compared with the database's. Set it."


def check_backup(store: Store, directory: HostDirectory, now: datetime) -> tuple[str, bool]:
    """Report the age of the last backup, and whether all is right: a host that is new may have none yet."""
    text = store.get_document_text("host", LAST)
    made = datetime.fromisoformat(json.loads(text)["made"]) if text else None
    since = made or datetime.fromtimestamp((directory.folder / SECRET).stat().st_mtime, UTC)
    is_old = now - since > OLD_BACKUP
    if made and not is_old:
        return "", True
    age = f"the last one is {format_length(now - since)} old" if made else "there is no backup yet"
    return f"backup: {age}. Make one: `tkid host backup {quote(str(directory.folder))} FILE`.", not is_old


def get_certificate(connection: object) -> Mapping[str, Any] | None:
    """Return the certificate that a server has shown on a connection; None if it is not encrypted."""
    return connection.getpeercert() if isinstance(connection, ssl.SSLSocket) else None


def find_certificate_end(certificate: Mapping[str, Any]) -> datetime | None:
    end = certificate.get("notAfter")
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(end), UTC) if end else None


def _read_date(raw: bytes) -> datetime | None:
    head = raw[:HEADERS].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    for line in head.split(b"\n"):
        if line[:5].lower() == b"date:":
            try:
                date = parsedate_to_datetime(line[5:].decode("ascii", "replace").strip())
            except (ValueError, TypeError, IndexError, OverflowError):
                return None
            return date if date.tzinfo else date.replace(tzinfo=UTC)
    return None


@frozen
class Finding:
    """The finding of a check: its name, the text, whether all is right, and how many things were looked at."""

    check: str
    text: str = ""
    right: bool = True
    count: int = 0


def find_all(directory: HostDirectory, now: datetime, *, offline: bool = False) -> list[Finding]:
    """Return all findings, each check by its name; a check that finds nothing wrong has one finding."""
    checks: dict[str, Callable[[], Iterable[str]]] = {
        "folder": lambda: check_folder(directory),
        "permissions": lambda: (*check_privacy(directory), *complain_below(directory.outbox)),
        "disk": lambda: check_disk(directory),
        "mail settings": lambda: (*check_settings(directory.settings), *check_welcome(directory)),
    }
    findings = [finding for name, check in checks.items() for finding in _make_finding(name, check())]
    if not offline:
        findings += [Finding("servers", answer, right) for answer, right in test_servers(directory, now)]
    return findings + _check_database(directory, now)


def _make_finding(name: str, problems: Iterable[str]) -> list[Finding]:
    return [Finding(name, problem, right=False) for problem in problems] or [Finding(name)]


def _check_database(directory: HostDirectory, now: datetime) -> list[Finding]:
    try:
        with directory.open_store() as store:
            if damaged := find_damage(store.engine, directory.folder):
                return _make_finding("database", (f"{each}." for each in damaged))
            games = store.list_games()
            checks = {
                "games": [problem for game in games for problem in check_game(game)],
                "mails": check_mails(store, directory.folder),
                "vouching": check_vouching(store, directory.settings),
                "letters": check_letters(store, now),
                "webhooks": explain_hooks(store),
                "clock": check_clock(store, directory, now),
                "machines": [problem for each in list_machine_states(store) for problem in each["problems"]],
            }
            found = [finding for name, problems in checks.items() for finding in _make_finding(name, problems)]
            found.append(Finding("backup", *check_backup(store, directory, now)))
    except DATABASE_ERRORS as error:
        file = directory.database.file
        where = f"{file}: " if file and not isinstance(error, GoneError) else ""
        return _make_finding("database", [f"{where}{describe_database_error(error, directory.folder)}."])
    return [Finding("database"), *(evolve(each, count=len(games)) if each.check == "games" else each for each in found)]


def check_folder(directory: HostDirectory) -> list[str]:
    """Report the problems of the folder, except its rights."""
    problems = []
    try:
        directory.read_secret()
    except SettingsError as error:
        problems.append(str(error))
    written, database = [directory.inbox, directory.outbox], directory.database.file
    if database is not None:
        written += [each for each in directory.kept if each.name.startswith(database.name)]
        written.append(database.parent)
    there = [each for each in written if each.exists()]
    problems += [f"{each}: the host cannot write to it." for each in there if not os.access(each, os.W_OK)]
    missing = explain_missing_png() if directory.settings.pictures else ""
    if missing:
        problems.append(f"{missing}, or `pictures = false` in {directory.folder / FILE}.")
    return problems


def check_privacy(directory: HostDirectory) -> list[str]:
    """Report the host's files that others may read, except its letters, and how to fix that."""
    return [complain_about(place) for place in (directory.folder, *directory.kept) if is_path_open(place)]


def check_game(game: StoredGame) -> list[str]:
    try:
        return [f"{game.id}: {problem}" for problem in game.read_hosted().replay.problems]
    except (ValueError, KeyError, TypeError) as error:
        return [f"{game.id}: {error}"]


def test_servers(directory: HostDirectory, now: datetime) -> Iterator[tuple[str, bool]]:
    """Return each server that was tried: in words, and whether it works."""
    imap, smtp, lmtp = directory.settings.imap, directory.settings.smtp, directory.settings.lmtp
    if imap is not None:
        works = f"{imap.settings.name}: logged in"
        yield _describe_try(works, lambda: _try_imap(directory.open_imap_inbox(imap)), now)
    if smtp is not None:
        works = f"{smtp.settings.name}: {'logged in' if smtp.settings.user else 'it greets us'}"
        sender = directory.settings.address
        yield _describe_try(works, lambda: _try_smtp(SmtpSender(directory.fill_server_password(smtp), sender)), now)
    if lmtp is not None:
        yield _describe_try(f"{lmtp.name}: the host can listen there, or does", lambda: _try_lmtp(lmtp), now)


def _describe_try(success: str, work: Callable[[], object], now: datetime) -> tuple[str, bool]:
    """Describe in a sentence the success, or the error; or the end of a certificate that ends soon."""
    try:
        talked = work()
    except OSError as error:
        return f"{str(error).rstrip('.')}.", False
    end = find_certificate_end(talked) if isinstance(talked, dict) else None
    if end is None:
        return f"{success}.", True
    days = (end - now).days
    text = f"{success}. Its certificate ends in {count_noun(days, 'day')}"
    if days >= MIN_CERTIFICATE_DAYS:
        return f"{text}.", True
    return f"{text}, on {end:%Y-%m-%d}: renew it, or ask the person who runs the server.", False


def _try_imap(inbox: ImapInbox) -> object:
    inbox.wait_for_news(0)
    certificate = get_certificate(inbox.open_connection())
    inbox.close()
    return certificate


def _try_smtp(sender: SmtpSender) -> object:
    certificate = get_certificate(sender.open_connection().sock)
    sender.close()
    return certificate


def _try_lmtp(settings: LmtpSettings) -> None:
    """Listen, unless another process already does: that is the host, if it runs."""
    try:
        LmtpServer(settings, lambda _: None).close()
    except TransportError as error:
        try:
            socket.create_connection((settings.host, settings.port), timeout=5).close()
        except OSError:
            raise error from None


ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


def write_metrics(store: Store | None, health: Health, now: datetime) -> str:
    """Return all figures; without a store those of the loop alone."""
    parts = dict(sorted(health.parts.items()))
    working = {name: not part.error for name, part in parts.items()}
    failures = {name: part.failed for name, part in parts.items()}
    figures = _list_store_metrics(store, now) if store is not None else []
    figures += [
        _format_figure("tkid_up", "1 if the database can be read, otherwise 0.", store is not None),
        _format_figure("tkid_rounds_total", "Rounds of the loop.", health.counts.rounds),
        _format_figure("tkid_mails_fetched_total", "New mails that came in.", health.counts.fetched),
        _format_figure(
            "tkid_part_working", "1 if a transport, or another part of the loop, works, otherwise 0.", working, "part"
        ),
        _format_figure("tkid_part_failures_total", "Failures of a part of the loop.", failures, "part"),
    ]
    if health.last_round is not None:
        begun = health.last_round.timestamp()
        figures.append(_format_figure("tkid_last_round_timestamp_seconds", "Start of the last round.", begun))
    return "".join(figures)


def _list_store_metrics(store: Store, now: datetime) -> list[str]:
    counts, letters, oldest = store.count_mails(), store.count_letters(), store.find_oldest_waiting()
    mails = {state: counts[state] for state in STATES}
    age = max(0.0, (now - oldest).total_seconds()) if oldest else 0
    return [
        _format_figure("tkid_games", "Games by state.", store.count_games(), "state"),
        _format_figure("tkid_mails", "Mails that came in, by state.", mails, "state"),
        _format_figure("tkid_oldest_waiting_mail_seconds", "Age of the oldest waiting mail.", age),
        _format_figure("tkid_letters_sent_total", "Letters that went out.", letters.sent),
        _format_figure("tkid_letters_waiting", "Letters that wait.", letters.waiting),
        _format_figure("tkid_letters_failing", "Letters that wait because they could not be sent.", letters.failing),
        _format_figure("tkid_letters_given_up", "Letters that the host gave up.", letters.given_up),
    ]


def _format_figure(name: str, text: str, figure: float | Mapping[str, float], label: str = "") -> str:
    """Format a figure; one whose name ends in `_total` only grows."""
    kind = "counter" if name.endswith("_total") else "gauge"
    figures = figure if isinstance(figure, Mapping) else {"": figure}
    lines = [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]
    for value, number in figures.items():
        labels = f'{{{label}="{value.translate(ESCAPES)}"}}' if label else ""
        lines.append(f"{name}{labels} {int(number) if number == int(number) else f'{number:.3f}'}")
    return "".join(f"{line}\n" for line in lines)


def describe_status(
    store: Store, now: datetime, most: int | None = None, most_letters: int | None = None, *, every: bool = False
) -> dict[str, Any]:
    """Return the mails by state, mails put aside, `most_letters` unsent letters with reasons, and `most` running games.

    With `every`, it describes all games.
    """
    counts, letters, oldest = store.count_mails(), asdict(store.count_letters()), store.find_oldest_waiting()
    persons, games = list[dict[str, str]](), list[dict[str, Any]]()
    for game in store.list_games() if every else store.list_next_running(most):
        hosted = game.read_hosted()
        games.append(_describe_game(game.id, hosted, now))
        persons += [] if game.over else _describe_persons(game.id, hosted)
    return {
        **store.count_games(),
        "mails": {state: counts[state] for state in STATES},
        "oldest": oldest.isoformat(timespec="seconds") if oldest else None,
        "letters": letters | {"unsent": [asdict(letter) for letter in store.list_unsent(most_letters)]},
        "put_aside": [{"number": number, "reason": reason} for number, reason in store.list_put_aside()],
        "unreachable": [{"address": each.address, "reason": each.reason} for each in store.list_unreachable()],
        "stuck": [{"game": game, "reason": error} for game, _, error in store.list_stuck_games()],
        "webhooks": list(explain_hooks(store)),
        "clock": explain_doubt(store),
        "machines": list_machine_states(store),
        "persons": persons,
        "games": games,
    }


@cites("club.person")
def _describe_persons(name: str, hosted: HostedGame) -> Iterator[dict[str, str]]:
    taken = [each.stand_in for each in hosted.time.seats if each.stand_in and not each.stand_in.bot]
    for each in taken:
        yield {"game": name, "seat": hosted.names[each.seat], "taken_by": each.name, "address": each.address}
    seats: dict[str, list[str]] = {}
    for seat in hosted.seats:
        seats.setdefault(get_mailbox(hosted.find_address(seat)), []).append(hosted.find_player(seat))
    for box, players in seats.items():
        if box and len(players) > 1:
            yield {"game": name, "one_mailbox": list_names(players, "and"), "address": box}


def _describe_game(name: str, hosted: HostedGame, now: datetime) -> dict[str, Any]:
    """Describe a game: the turn that is due, its player, its deadline; and the same as a sentence."""
    turn, seat, clock = len(hosted.record.turns) + 1, hosted.to_act, read_game_clock(hosted.time, now)
    facts: dict[str, Any] = {"id": name, "turn": turn, "to_act": hosted.names[seat] if seat is not None else None}
    facts["deadline"] = clock.deadline.isoformat(timespec="minutes") if clock else None
    return {**facts, "stands": describe_state(hosted, now)}
