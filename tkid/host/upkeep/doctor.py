"""Looks whether a host is as it should be: its database and games, its folder, its servers, its mails and backups."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from tkid.host.directory import HostDirectory
from tkid.host.privacy import complaint, complaint_below, is_open
from tkid.host.settings import FILE, SettingsError
from tkid.host.store.connection import DATABASE_ERRORS, GoneError, error_text
from tkid.host.store.transaction import StoredGame
from tkid.host.transports.errors import TransportError
from tkid.host.transports.lmtp import LmtpServer
from tkid.host.transports.settings import LmtpSettings
from tkid.host.transports.smtp import SmtpSender
from tkid.host.upkeep.checks import (
    FEWEST_DAYS,
    backup_age,
    certificate_end,
    clock_problems,
    disk_problems,
    letter_problems,
    mail_problems,
    peer_certificate,
    setting_problems,
    vouching_problems,
    welcome_problems,
)
from tkid.host.upkeep.integrity import damage
from tkid.mail.desk.service import HostedGame
from tkid.notation.numbers import counted
from tkid.render.png import no_png

if TYPE_CHECKING:
    from tkid.host.transports.imap import ImapInbox


@frozen
class Finding:
    """What a check has found: its name, what there is to say, whether all is right, and how many things were looked at."""

    check: str
    text: str = ""
    right: bool = True
    count: int = 0


def examine(directory: HostDirectory, now: datetime, *, offline: bool = False) -> list[Finding]:
    """Everything that can be looked at, each check by its name; a check that finds nothing wrong has one finding."""
    checks: dict[str, Callable[[], Iterable[str]]] = {
        "folder": lambda: folder_problems(directory),
        "permissions": lambda: (*privacy_problems(directory), *complaint_below(directory.outbox, "letter")),
        "disk": lambda: disk_problems(directory),
        "mail settings": lambda: (*setting_problems(directory.settings), *welcome_problems(directory)),
    }
    findings = [finding for name, check in checks.items() for finding in _found(name, check())]
    if not offline:
        findings += [Finding("servers", answer, right) for answer, right in tried_servers(directory, now)]
    return findings + _database_findings(directory, now)


def _found(name: str, problems: Iterable[str]) -> list[Finding]:
    return [Finding(name, problem, right=False) for problem in problems] or [Finding(name)]


def _database_findings(directory: HostDirectory, now: datetime) -> list[Finding]:
    """What is found in the database, page by page, row by row and game by game."""
    try:
        with directory.store() as store:
            if damaged := damage(store.engine, directory.folder):
                return _found("database", (f"{each}." for each in damaged))
            games = store.games()
            checks = {
                "games": [problem for game in games for problem in game_problems(game)],
                "mails": mail_problems(store, directory.folder),
                "vouching": vouching_problems(store, directory.settings),
                "letters": letter_problems(store, now),
                "clock": clock_problems(store, directory, now),
            }
            found = [finding for name, problems in checks.items() for finding in _found(name, problems)]
            found.append(Finding("backup", *backup_age(store, directory, now)))
    except DATABASE_ERRORS as error:
        file = directory.database.file
        where = f"{file}: " if file and not isinstance(error, GoneError) else ""
        return _found("database", [f"{where}{error_text(error, directory.folder)}."])
    return [Finding("database"), *(evolve(each, count=len(games)) if each.check == "games" else each for each in found)]


def folder_problems(directory: HostDirectory) -> list[str]:
    """The problems of the folder, besides its rights."""
    problems = []
    try:
        directory.secret()
    except SettingsError as error:
        problems.append(str(error))
    folders = (directory.inbox, directory.outbox)
    problems += [f"{folder}: the host cannot write to it." for folder in folders if not os.access(folder, os.W_OK)]
    missing = no_png() if directory.settings.pictures else ""
    if missing:
        problems.append(f"{missing}, or `pictures = false` in {directory.folder / FILE}.")
    return problems


def privacy_problems(directory: HostDirectory) -> list[str]:
    """What others may read that a host keeps, besides its letters, and what to do about it."""
    return [complaint(place) for place in (directory.folder, *directory.kept) if is_open(place)]


def game_problems(game: StoredGame) -> list[str]:
    """The problems of a game as it is kept."""
    try:
        return [f"{game.id}: {problem}" for problem in HostedGame.stored(game.record, game.memory).replay.problems]
    except (ValueError, KeyError, TypeError) as error:
        return [f"{game.id}: {error}"]


def tried_servers(directory: HostDirectory, now: datetime) -> Iterator[tuple[str, bool]]:
    """Each server that was tried: in words, and whether it works."""
    imap, smtp, lmtp = directory.settings.imap, directory.settings.smtp, directory.settings.lmtp
    if imap is not None:
        works = f"{imap.settings.name}: logged in"
        yield _tried(works, lambda: _try_imap(directory.imap_inbox(imap)), now)
    if smtp is not None:
        works = f"{smtp.settings.name}: {'logged in' if smtp.settings.user else 'it greets us'}"
        sender = directory.settings.address
        yield _tried(works, lambda: _try_smtp(SmtpSender(directory.ready(smtp), sender)), now)
    if lmtp is not None:
        yield _tried(f"{lmtp.name}: the host can listen there, or does", lambda: _try_lmtp(lmtp), now)


def _tried(success: str, work: Callable[[], object], now: datetime) -> tuple[str, bool]:
    """A sentence on what works, or why it does not; where a certificate ends soon, that."""
    try:
        talked = work()
    except OSError as error:
        return f"{str(error).rstrip('.')}.", False
    end = certificate_end(talked) if isinstance(talked, dict) else None
    if end is None:
        return f"{success}.", True
    days = (end - now).days
    text = f"{success}. Its certificate ends in {counted(days, 'day')}"
    if days >= FEWEST_DAYS:
        return f"{text}.", True
    return f"{text}, on {end:%Y-%m-%d}: renew it, or ask whoever runs the server.", False


def _try_imap(inbox: ImapInbox) -> object:
    """Log in; the server's certificate, if it has shown one."""
    inbox.wait(0)
    certificate = peer_certificate(inbox.socket())
    inbox.close()
    return certificate


def _try_smtp(sender: SmtpSender) -> object:
    """Be greeted; the server's certificate, if it has shown one."""
    certificate = peer_certificate(sender.greet().sock)
    sender.close()
    return certificate


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
