"""Looks whether a host is as it should be: its folder, its servers, its games."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator

from tkid.host.directory import HostDirectory
from tkid.host.privacy import complaint, complaint_below, is_open
from tkid.host.settings import FILE, SettingsError
from tkid.host.store.transaction import StoredGame
from tkid.host.transports.errors import TransportError
from tkid.host.transports.lmtp import LmtpServer
from tkid.host.transports.protocols import Inbox
from tkid.host.transports.settings import LmtpSettings
from tkid.host.transports.smtp import SmtpSender
from tkid.mail.desk.service import HostedGame
from tkid.render.png import no_png

BESIDE_DATABASE = ("-wal", "-shm", "-journal", ".sending")
"""What the names of the files end with that belong to a database of SQLite."""


def folder_problems(directory: HostDirectory) -> list[str]:
    """The problems of the folder."""
    problems = []
    try:
        directory.secret()
    except SettingsError as error:
        problems.append(str(error))
    folders = (directory.inbox, directory.outbox)
    problems += privacy_problems(directory)
    problems += complaint_below(directory.outbox, "letter")
    problems += [f"{folder}: the host cannot write to it." for folder in folders if not os.access(folder, os.W_OK)]
    missing = no_png() if directory.settings.pictures else ""
    if missing:
        problems.append(f"{missing}, or `pictures = false` in {directory.folder / FILE}.")
    return problems


def privacy_problems(directory: HostDirectory) -> list[str]:
    """What others may read that a host keeps, besides its letters, and what to do about it."""
    places = [directory.folder, directory.folder / FILE, directory.inbox, directory.outbox, directory.settings.log]
    database = directory.database.file
    if database is not None:
        places += [database, *(database.with_name(f"{database.name}{suffix}") for suffix in BESIDE_DATABASE)]
    return [complaint(place) for place in places if place is not None and is_open(place)]


def game_problems(game: StoredGame) -> list[str]:
    """The problems of a game as it is kept."""
    try:
        return [f"{game.id}: {problem}" for problem in HostedGame.stored(game.record, game.memory).replay.problems]
    except (ValueError, KeyError, TypeError) as error:
        return [f"{game.id}: {error}"]


def tried_servers(directory: HostDirectory) -> Iterator[tuple[str, bool]]:
    """Each server that was tried: in words, and whether it works."""
    imap, smtp, lmtp = directory.settings.imap, directory.settings.smtp, directory.settings.lmtp
    if imap is not None:
        yield _tried(f"{imap.settings.name}: logged in.", lambda: _try_imap(directory.imap_inbox(imap)))
    if smtp is not None:
        greeted = "logged in" if smtp.settings.user else "it greets us"
        sender = directory.settings.address
        yield _tried(f"{smtp.settings.name}: {greeted}.", lambda: _try_smtp(SmtpSender(directory.ready(smtp), sender)))
    if lmtp is not None:
        yield _tried(f"{lmtp.name}: the host can listen there, or does.", lambda: _try_lmtp(lmtp))


def _tried(success: str, work: Callable[[], None]) -> tuple[str, bool]:
    """A sentence on what works, or why it does not."""
    try:
        work()
    except OSError as error:
        return f"{str(error).rstrip('.')}.", False
    return success, True


def _try_imap(inbox: Inbox) -> None:
    inbox.wait(0)
    inbox.close()


def _try_smtp(sender: SmtpSender) -> None:
    sender.greet()
    sender.close()


def _try_lmtp(settings: LmtpSettings) -> None:
    """Listen, unless somebody does already: that is the host, if it runs."""
    try:
        LmtpServer(settings, lambda _: None).close()
    except TransportError:
        try:
            socket.create_connection((settings.host, settings.port), timeout=5).close()
        except OSError:
            pass
        else:
            return
        raise
