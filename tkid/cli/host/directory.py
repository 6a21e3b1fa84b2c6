"""A host's folder: its settings, its secret, its Maildirs, its database; and the loop that works with them."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from attrs import frozen

from tkid.cli.support.files import create
from tkid.host.health import FILE as HEALTH
from tkid.host.service import Host
from tkid.host.settings import FILE as SETTINGS
from tkid.host.settings import HostSettings, Server, SettingsError, read_settings
from tkid.host.store.connection import Database
from tkid.host.transports.errors import CarrierError
from tkid.host.transports.maildir import Maildir
from tkid.mail.inbound.envelope import is_address
from tkid.render.png import no_png

if TYPE_CHECKING:
    from tkid.host.log import Journal
    from tkid.host.loop import Box, Keep, Listener, Loop, Outlet, Transports
    from tkid.host.store.queries import WatchedStore
    from tkid.host.store.store import Send
    from tkid.host.transports.settings import LmtpSettings
    from tkid.host.transports.smtp import SmtpSender
    from tkid.host.transports.wakeup import Wakeup

SECRET, DATABASE = "secret", "host.db"
SECRET_BYTES = 32

S = TypeVar("S")


@frozen
class HostDirectory:
    """A host's folder as its settings describe it."""

    folder: Path
    settings: HostSettings
    database: Database

    @property
    def address(self) -> str:
        """Where the host is written to."""
        return self.settings.address

    @property
    def inbox(self) -> Path:
        """The Maildir into which mails for the host come."""
        return self.folder / "in"

    @property
    def outbox(self) -> Path:
        """The folder with a Maildir for each address that the host writes to."""
        return self.folder / "out"

    @property
    def health(self) -> Path:
        """The file that tells how the loop works."""
        return self.folder / HEALTH

    @classmethod
    def make(cls, folder: Path, address: str, store: str, owner: str = "") -> HostDirectory:
        """Set up a folder. Raises SettingsError, OSError, and what the database raises."""
        if not is_address(address) or "+" in address:
            raise SettingsError(f"--address {address}: this is no plain address such as tkid@games.example.")
        if owner and not is_address(owner):
            raise SettingsError(f"--owner {owner}: this is no plain address such as ann@example.org.")
        if (folder / SETTINGS).exists():
            raise SettingsError(f"{folder / SETTINGS} exists already: this is a host's folder. Nothing was changed.")
        if set(store) & set('"\\') or not store.isprintable():
            raise SettingsError("--store: this is no address of a database.")
        database = _database(folder, store, "--store")
        folder.mkdir(parents=True, exist_ok=True)
        database.create()
        (folder / SECRET).touch(mode=0o600)
        (folder / SECRET).write_bytes(secrets.token_bytes(SECRET_BYTES))
        for box in (folder / "in", folder / "out"):
            box.mkdir(exist_ok=True)
        Maildir(folder / "in")
        stated = {"address": address, "owner": owner, "store": store}
        create(folder / SETTINGS, "".join(f'{key} = "{value}"\n' for key, value in stated.items() if value))
        return cls.read(folder)

    @classmethod
    def read(cls, folder: Path) -> HostDirectory:
        """The folder's settings. Raises SettingsError, which names the file and the key."""
        settings = read_settings(folder)
        return cls(folder, settings, _database(folder, settings.store, f"{folder / SETTINGS}: store"))

    def complaints(self) -> list[str]:
        """What is not as it should be in the folder."""
        wrong = []
        try:
            self.secret()
        except SettingsError as error:
            wrong.append(str(error))
        wrong += [
            f"{path}: cannot be written to." for path in (self.inbox, self.outbox) if not os.access(path, os.W_OK)
        ]
        wanting = no_png() if self.settings.pictures else ""
        if wanting:
            wrong.append(f"{wanting}, or `pictures = false` in {self.folder / SETTINGS}.")
        return wrong

    def secret(self) -> bytes:
        """What keys are made with. Raises SettingsError."""
        file = self.folder / SECRET
        try:
            found = file.read_bytes()
            mode = stat.S_IMODE(file.stat().st_mode)
        except OSError as error:
            raise SettingsError(
                f"{file}: {error.strerror}. Keys of letters that went out are lost without it."
            ) from None
        if len(found) != SECRET_BYTES:
            raise SettingsError(f"{file}: the secret is cut off; keys of letters that went out are lost with it.")
        if os.name == "posix" and mode & 0o077:
            raise SettingsError(f"{file}: others may read it; `chmod 600 {file}` mends that.")
        return found

    # -- at work ------------------------------------------------------------------------------------------

    @contextmanager
    def store(self) -> Iterator[WatchedStore]:
        """The database. Raises what the database raises."""
        store = self.database.open()
        try:
            yield store
        finally:
            store.close()

    def host(self, store: WatchedStore, send: Send) -> Host:
        """The host at work. Raises SettingsError."""
        its = self.settings
        return Host(store, its.address, self.secret(), send, its.owner, its.authentication, its.pictures)

    def loop(self, journal: Journal, bell: Wakeup) -> Loop:
        """The loop of the host. Raises SettingsError where a password or the secret cannot be read."""
        from tkid.host.loop import Loop

        self.secret()
        for server in (self.settings.imap, self.settings.smtp):
            if server is not None:
                server.ready(os.environ)
        return Loop(self.database, self.host, self.ways(bell), journal, journal.now, bell.wait, bell.ring, self.health)

    def ways(self, bell: Wakeup) -> Transports:
        """How mails come and go."""
        from tkid.host.loop import Transports

        inboxes: dict[str, Callable[[], Box]] = {}
        imap, smtp, lmtp = self.settings.imap, self.settings.smtp, self.settings.lmtp
        if imap is not None:
            inboxes[f"IMAP {imap.settings.host}:{imap.settings.port}"] = lambda: self._imap(bell)
        inboxes[f"Maildir {self.inbox.name}"] = lambda: Maildir(self.inbox, bell)
        if smtp is None:
            outlet: tuple[str, Callable[[], Outlet]] = (f"Maildirs {self.outbox.name}", lambda: Maildirs(self.outbox))
        else:
            outlet = (f"SMTP {smtp.settings.host}:{smtp.settings.port}", self._smtp)
        return Transports(inboxes, outlet, (f"LMTP {lmtp.host}:{lmtp.port}", self._lmtp) if lmtp else None)

    def tried_servers(self) -> Iterator[tuple[str, bool]]:
        """What came of trying each server: in words, and whether it works."""
        from tkid.host.transports.wakeup import Wakeup

        imap, smtp, lmtp = self.settings.imap, self.settings.smtp, self.settings.lmtp
        bell = Wakeup()
        if imap is not None:
            yield _tried(
                f"IMAP {imap.settings.host}:{imap.settings.port}: logged in.", lambda: _try_imap(self._imap(bell))
            )
        if smtp is not None:
            greeted = "logged in" if smtp.settings.user else "it greets us"
            yield _tried(f"SMTP {smtp.settings.host}:{smtp.settings.port}: {greeted}.", lambda: _try_smtp(self._smtp()))
        if lmtp is not None:
            yield _tried(f"LMTP {lmtp.host}:{lmtp.port}: the host can listen there, or does.", lambda: _try_lmtp(lmtp))
        bell.close()

    def _imap(self, bell: Wakeup) -> Box:
        from tkid.host.transports.imap import ImapInbox

        assert self.settings.imap is not None
        return ImapInbox(_ready(self.settings.imap), bell)

    def _smtp(self) -> SmtpSender:
        from tkid.host.transports.smtp import SmtpSender

        assert self.settings.smtp is not None
        return SmtpSender(_ready(self.settings.smtp), self.address)

    def _lmtp(self, keep: Keep) -> Listener:
        from tkid.host.transports.lmtp import LmtpServer

        assert self.settings.lmtp is not None
        return LmtpServer(self.settings.lmtp, keep)


@frozen
class Maildirs:
    """Letters go into a Maildir for each address."""

    folder: Path

    def send(self, address: str, mail: bytes) -> None:
        """Put a letter into the Maildir of its address. Raises OSError."""
        Maildir(self.folder / address.replace("/", "_")).deliver(mail)

    def close(self) -> None:
        """Nothing is held open."""


def _tried(told: str, work: Callable[[], None]) -> tuple[str, bool]:
    """A sentence on what works, or why it does not."""
    try:
        work()
    except OSError as error:
        return f"{error}.", False
    return told, True


def _try_imap(box: Box) -> None:
    box.wait(0)
    box.close()


def _try_smtp(sender: SmtpSender) -> None:
    sender.greet()
    sender.close()


def _try_lmtp(its: LmtpSettings) -> None:
    """Listen, unless somebody does already: that is the host, if it runs."""
    import socket

    from tkid.host.transports.lmtp import LmtpServer

    try:
        LmtpServer(its, lambda _: None).close()
    except CarrierError:
        try:
            socket.create_connection((its.host, its.port), timeout=5).close()
        except OSError:
            pass
        else:
            return
        raise


def _ready(server: Server[S]) -> S:
    """A server's settings with the password as it is now, which may have been mended. Raises CarrierError."""
    try:
        return server.ready(os.environ)
    except SettingsError as error:
        raise CarrierError(str(error)) from None


def _database(folder: Path, store: str, place: str) -> Database:
    """The database of a folder. Raises SettingsError."""
    try:
        return Database.at(store) if store else Database.at(f"sqlite:///{(folder / DATABASE).resolve()}")
    except ValueError as error:
        raise SettingsError(f"{place}: {error}.") from None
