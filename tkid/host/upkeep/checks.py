"""What `host doctor` looks at besides folder, servers and games: disk, settings, mails, letters, clock, backups. No names are looked up."""

from __future__ import annotations

import json
import shutil
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from shlex import quote
from statistics import median
from typing import Any

from tkid.host.directory import SECRET, HostDirectory
from tkid.host.settings import FILE, HostSettings
from tkid.host.store.store import Store
from tkid.host.upkeep.backup import LAST
from tkid.host.upkeep.host_time import doubt
from tkid.mail.inbound.authentication import topmost
from tkid.mail.letters.clock_text import length, moment

FEWEST_DAYS = 14
"""A certificate that ends sooner is a problem."""
LEAST_FREE = 200 << 20
"""Bytes that have to be free on a disk, or as many as the database has if that is more."""
LATEST = 20
"""Mails that are looked at, the last ones."""
FEWEST = 5
"""So many mails have to say when they were written before their clocks are believed more than ours."""
WRONG_BY = timedelta(hours=1)
"""By so much mails and our clock may differ: mails take their time."""
AHEAD = timedelta(minutes=5)
"""So far in the future nothing can have happened."""
OLD_LETTER = timedelta(days=1)
OLD_BACKUP = timedelta(days=7)
HEADERS = 64 << 10


def disk_problems(directory: HostDirectory) -> Iterator[str]:
    """Whether there is room for what comes."""
    file = directory.database.file
    places = {directory.folder, file.parent if file else directory.folder}
    size = file.stat().st_size if file and file.exists() else 0
    for place in sorted(places):
        free = shutil.disk_usage(place).free
        if free < max(LEAST_FREE, size):
            yield f"{place}: only {free >> 20} MB are free on this disk. Make room: a full disk stops the host."


def setting_problems(settings: HostSettings) -> Iterator[str]:
    """What can be seen of the settings for mail without asking anybody."""
    domain = settings.address.rpartition("@")[2]
    if settings.smtp is not None and "." not in domain:
        yield f"address: {settings.address} is known on this machine only, so players elsewhere cannot answer."
    if settings.owner.lower() == settings.address.lower():
        yield "owner: this is the host's own address. Name one that you read yourself, or leave it out."
    if settings.authentication is not None and not _is_server(settings.authentication.authserv):
        yield f"[authentication] authserv: {settings.authentication.authserv} is not the name of a server, such as mx.games.example."


def welcome_problems(directory: HostDirectory) -> Iterator[str]:
    """Whether a host that anybody may write to can tell who has really written."""
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


def vouching_problems(store: Store, settings: HostSettings) -> Iterator[str]:
    """Whether the mail server that has to vouch for senders says anything at all."""
    if settings.authentication is None:
        return
    name, mails = settings.authentication.authserv, store.latest(LATEST)
    stated = [(topmost(raw) or "").split(";")[0].split() for _, raw in mails]
    if len(mails) >= FEWEST and not any(words and words[0].lower() == name.lower() for words in stated):
        yield (
            f"[authentication] authserv: none of the last {len(mails)} mails has a header Authentication-Results of {name}, "
            "so every mail is refused. Set up the mail server to write one, or correct the name."
        )


def mail_problems(store: Store, folder: Path) -> Iterator[str]:
    """The mails over which the program failed."""
    aside = store.put_aside()
    if aside:
        mails = "mail was" if len(aside) == 1 else "mails were"
        yield f"{len(aside)} {mails} put aside, because the program failed. `tkid host status {folder}` lists them."


def letter_problems(store: Store, now: datetime) -> Iterator[str]:
    """Letters that should have gone out long ago."""
    oldest = store.oldest_unsent()
    written = _date(oldest[2]) if oldest else None
    if oldest and written and now - written > OLD_LETTER:
        reason = f": {oldest[1]}" if oldest[1] else ""
        yield f"letters: the oldest has waited for {length(now - written)}, to {oldest[0]}{reason}. Is the host running?"


def clock_problems(store: Store, directory: HostDirectory, now: datetime) -> Iterator[str]:
    """Whether this machine's clock can be right, by what has happened and by the clocks of others."""
    if doubted := doubt(store):
        yield f"clock: {doubted}"
    mails = store.latest(LATEST)
    times = [received for received, _ in mails]
    boxes = [directory.inbox / part for part in ("new", "cur")]
    times += [
        datetime.fromtimestamp(file.stat().st_mtime, UTC) for box in boxes if box.is_dir() for file in box.iterdir()
    ]
    if times and max(times) > now + AHEAD:
        yield f"clock: it is {moment(now)} here, and a mail came at {moment(max(times))}. Set the clock."
    behind = [(received - written).total_seconds() for received, raw in mails if (written := _date(raw))]
    if len(behind) >= FEWEST and (by := timedelta(seconds=median(behind))) and abs(by) > WRONG_BY:
        which = "fast" if by > timedelta() else "slow"
        yield f"clock: by the dates of the last {len(behind)} mails, it is {length(abs(by))} {which}. Set the clock, or look why mails come late."


def backup_age(store: Store, directory: HostDirectory, now: datetime) -> tuple[str, bool]:
    """What there is to say of the last backup, and whether all is right: a host that is new may have none yet."""
    text = store.document("host", LAST)
    made = datetime.fromisoformat(json.loads(text)["made"]) if text else None
    since = made or datetime.fromtimestamp((directory.folder / SECRET).stat().st_mtime, UTC)
    is_old = now - since > OLD_BACKUP
    if made and not is_old:
        return "", True
    age = f"the last one is {length(now - since)} old" if made else "there is none yet"
    return f"backup: {age}. Make one: `tkid host backup {quote(str(directory.folder))} FILE`.", not is_old


def peer_certificate(connection: object) -> Mapping[str, Any] | None:
    """The certificate that a server has shown on a connection; None where it is not encrypted."""
    return connection.getpeercert() if isinstance(connection, ssl.SSLSocket) else None


def certificate_end(certificate: Mapping[str, Any]) -> datetime | None:
    """When a certificate ends."""
    end = certificate.get("notAfter")
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(end), UTC) if end else None


def _date(raw: bytes) -> datetime | None:
    """When a mail was written, as it says itself."""
    head = raw[:HEADERS].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    for line in head.split(b"\n"):
        if line[:5].lower() == b"date:":
            try:
                date = parsedate_to_datetime(line[5:].decode("ascii", "replace").strip())
            except (ValueError, TypeError, IndexError, OverflowError):
                return None
            return date if date.tzinfo else date.replace(tzinfo=UTC)
    return None
