"""A host's folder: settings, secret, Maildirs and database; and the loop that works with them."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from attrs import frozen

from tkid.bots.roster import HOUSE
from tkid.files import is_open_to_others, open_whole_file
from tkid.host import published_folder
from tkid.host.chores import Keeping, TimeWatch, end_overdue_gatherings, send_due_digests, tell_players_of_restore
from tkid.host.health import FILE as HEALTH
from tkid.host.host_time import MACHINE
from tkid.host.journal import NOTED, Journal
from tkid.host.lmtp import LmtpServer
from tkid.host.log import Log, make_folder
from tkid.host.loop import CLOCKS, ORDERS, TIME, Chore, Loop
from tkid.host.service import Host
from tkid.host.settings import FILE as SETTINGS
from tkid.host.settings import HostSettings, ImapSettings, S, Server, SettingsError, SmtpSettings, read_settings
from tkid.host.smtp import SmtpSender
from tkid.host.store.documents import TakenError
from tkid.host.store.leases import CLOCK, NAME, PAGES, Leases, join_machines, make_fingerprint
from tkid.host.store.store import FILES as CLAIMS
from tkid.host.store.store import Database, Store
from tkid.host.store.transaction import read_message_id
from tkid.host.tournaments import advance_tournaments
from tkid.host.transports import Inbox, Maildir, MaildirSender, Send, Sender, TransportError, Transports, Wakeup
from tkid.mail.envelope import is_address, make_bounce_address
from tkid.mail.model import Document
from tkid.rulebook import register

if TYPE_CHECKING:
    from tkid.host.imap import ImapInbox

SECRET, DATABASE, OWN_NAME = "secret", "host.db", "machine"
SECRET_BYTES = 32
BESIDE_DATABASE = ("-wal", "-shm", "-journal", *CLAIMS)
"""Ends of the names of files that belong to a database of SQLite."""
CHORES: Mapping[str, Chore] = {
    "news of a restore": tell_players_of_restore,
    "games that gather players": end_overdue_gatherings,
    "digests": send_due_digests,
    "tournaments": advance_tournaments,
}
"""Chores of every host, in each round after the letters about turns, by the name in log and status."""
CLEANING = "cleaning up"
"""The chore that makes room."""
INNER = frozenset({ORDERS, CLOCKS, TIME, CLEANING, *CHORES})
"""Parts of the loop that need nothing from outside: they are reported only when they fail."""


@frozen
class HostDirectory:
    """A host's folder with its settings; passwords may be in `environ`."""

    folder: Path
    settings: HostSettings
    database: Database
    environ: Mapping[str, str]

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
        """The file that the loop writes its health into."""
        return self.folder / HEALTH

    @property
    def machine(self) -> str:
        """The name of this machine among those that work for the host. Raises SettingsError."""
        return _read_name(self.folder) or MACHINE

    @property
    def kept(self) -> list[Path]:
        """The files that the host keeps, and the folders of its mails; neither the secret nor the health."""
        places = [self.inbox, self.outbox, *(self.folder / name for name in (SETTINGS, OWN_NAME, *NOTED))]
        places += [self.settings.log] if self.settings.log is not None else []
        database = self.database.file
        if database is not None:
            places += [database, *(database.with_name(f"{database.name}{suffix}") for suffix in BESIDE_DATABASE)]
        return places

    @classmethod
    def create_folder(cls, folder: Path, address: str, store: str, owner: str) -> None:
        """Set up a folder for its owner only, unless it exists. Raises SettingsError, OSError and database errors."""
        if not is_address(address) or "+" in address:
            raise SettingsError(f"--address {address}: this is not a plain address such as tkid@games.example.")
        if owner and not is_address(owner):
            raise SettingsError(f"--owner {owner}: this is not a plain address such as ann@example.org.")
        if (folder / SETTINGS).exists():
            raise SettingsError(f"{folder / SETTINGS} exists already, so this is a host's folder. Nothing was changed.")
        if set(store) & set('"\\') or not store.isprintable():
            raise SettingsError("--store: this is not the address of a database.")
        database = _find_database(folder, store, "--store")
        make_folder(folder)
        database.create_database()
        made = (folder / SECRET).exists()
        secret = (folder / SECRET).read_bytes() if made else secrets.token_bytes(SECRET_BYTES)
        with closing(database.open_store()) as opened, opened.begin_transaction() as transaction:
            try:
                transaction.documents.store_document(Document("host", SECRET, make_fingerprint(secret), how="new"))
                is_first = not (opened.list_game_names() or opened.list_latest(1))
            except TakenError:
                is_first = False
            if not (made or is_first):
                way_out = f"write `tkid host join STORE {quote(str(folder))}`, with this address as STORE"
                if database.file is not None:
                    copied = f"copy the file `{SECRET}` from that host's folder to {folder / SECRET}"
                    way_out = f"{copied}, and run the command again"
                raise SettingsError(
                    "--store: this database has a host with a secret of its own. To let another machine or folder work for it, "
                    f"{way_out}. Nothing was changed."
                )
            write_private(folder / SECRET, secret)
        stated = {"address": address, "owner": owner, "store": store}
        settings = "".join(f'{key} = "{value}"\n' for key, value in stated.items() if value)
        cls._finish_folder(folder, database, secret, settings)

    @classmethod
    def join_folder(
        cls, folder: Path, store: str, name: str, environ: Mapping[str, str], hand_over: Callable[[], bytes]
    ) -> HostDirectory:
        """Let a folder work for the host in a database on a server, with the settings in it, and the secret if it has none.

        Raises SettingsError, OSError and database errors. Then nothing was changed.
        """
        if name and not NAME.fullmatch(name):
            raise SettingsError(f"--name {name}: use at most 40 letters, digits, dots and hyphens, such as left.")
        if _find_database(folder, store, "STORE").file is not None:
            raise SettingsError(
                "STORE: a file of SQLite is for one machine. Restore a backup into PostgreSQL first: `tkid host restore`."
            )
        if not (folder / SETTINGS).exists():
            raise SettingsError(
                f"{folder / SETTINGS} is missing. Copy it from the first machine, with the files of passwords that it names."
            )
        settings = replace_store((folder / SETTINGS).read_text("utf-8"), store)
        made = cls.read_folder(folder, environ, settings)
        secret = made.read_secret() if (folder / SECRET).exists() else hand_over()
        if len(secret) != SECRET_BYTES:
            raise SettingsError(
                f"this is not the secret of a host: it has {len(secret)} bytes in place of {SECRET_BYTES}. Nothing was changed."
            )
        cls._finish_folder(folder, made.database, secret, settings, name)
        return made

    @classmethod
    def _finish_folder(cls, folder: Path, database: Database, secret: bytes, settings: str, name: str = "") -> None:
        """Write the files of a folder; on a server, the database gets to know the machine first."""
        if database.file is None:
            with closing(database.open_store()) as store:
                name = join_machines(store.engine, name, _read_name(folder), MACHINE, secret)
            write_private(folder / OWN_NAME, f"{name}\n".encode())
        write_private(folder / SECRET, secret)
        for box in (folder / "in", folder / "out"):
            make_folder(box)
        Maildir(folder / "in")
        write_private(folder / SETTINGS, settings.encode())

    @classmethod
    def read_folder(cls, folder: Path, environ: Mapping[str, str], text: str | None = None) -> HostDirectory:
        """Return the folder with its settings, or with a text as such. Raises SettingsError, which names the file and the key."""
        settings = read_settings(folder, text)
        database = _find_database(folder, settings.store, f"{folder / SETTINGS}: store")
        return cls(folder, settings, database, environ)

    def read_secret(self) -> bytes:
        """Read the secret from which keys are made. Raises SettingsError."""
        file = self.folder / SECRET
        try:
            secret = file.read_bytes()
            found = file.stat()
        except OSError as error:
            raise SettingsError(
                f"{file}: {error.strerror}. Without it, the keys in letters already sent are worthless."
            ) from None
        if len(secret) != SECRET_BYTES:
            raise SettingsError(
                f"{file}: the secret is incomplete. Restore it, or the keys in letters already sent are worthless."
            )
        if is_open_to_others(found):
            raise SettingsError(f"{file}: others may read it. To stop that: `chmod 600 {file}`.")
        return secret

    @contextmanager
    def open_store(self) -> Iterator[Store]:
        """Open the database. Raises the errors of the database."""
        store = self.database.open_store()
        store.limits = self.settings.keep
        try:
            yield store
        finally:
            store.close()

    def open_host(self, store: Store, send: Send = lambda _, __: None) -> Host:
        """Open the host. Raises SettingsError."""
        settings = self.settings
        store.limits = self.settings.keep
        if settings.rules_url and not register.is_site_chosen():
            register.set_site(settings.rules_url)
        HOUSE.command, HOUSE.folder = settings.engine, self.folder
        return Host(
            store,
            settings.address,
            self.read_secret(),
            send,
            settings.owner,
            settings.authentication,
            settings.pictures,
            settings.club,
            published_folder.Watch(settings.pages is not None, settings.hooks is not None),
            hold=timedelta(minutes=settings.hold),
        )

    def open_loop(self, log: Log, wakeup: Wakeup, patience: float = 0) -> Loop:
        """Open the loop of the host; a round waits `patience` seconds for webhooks.

        Raises SettingsError if a password or the secret cannot be read.
        """
        self.read_secret()
        for server in (self.settings.imap, self.settings.smtp):
            if server is not None:
                server.fill_password(self.environ)
        transports, chores = self.make_transports(wakeup), self.list_chores(patience, wakeup.wake_up)
        leased = {name: PAGES if name == PAGES else CLOCK for name in chores if name == PAGES or name in CHORES}
        return Loop(
            *(self.database, self.open_host, transports, log, log.now, wakeup.wait_for_news, wakeup.wake_up),
            self.health,
            chores,
            watch=TimeWatch(log.now, machine=self.machine),
            journal=Journal(self.folder),
            leases=self.make_leases(log.now),
            leased=leased,
        )

    def make_leases(self, now: Callable[[], datetime]) -> Leases:
        """Return the leases of a process that works with this folder; a file of SQLite has no other machine."""
        if self.database.file is not None:
            return Leases()
        return Leases(self.database.url, self.machine, MACHINE, make_fingerprint(self.read_secret()), now)

    def list_chores(self, patience: float = 0, wake: Callable[[], None] = lambda: None) -> dict[str, Chore]:
        """Return the chores of each round by name, in their order; `wake` is called when a webhook was answered."""
        from tkid.host.publisher import list_publishing_chores  # noqa: PLC0415 - a fifth of what commands without a loop import

        return {
            **CHORES,
            CLEANING: Keeping(self.inbox, self.settings.keep),
            **list_publishing_chores(self.folder, self.settings, self.read_secret, patience, wake),
        }

    def make_transports(self, wakeup: Wakeup) -> Transports:
        imap, smtp, lmtp = self.settings.imap, self.settings.smtp, self.settings.lmtp
        inboxes: dict[str, Callable[[], Inbox]] = {}
        maildir = f"Maildir {self.inbox.name}"
        mailboxes = {maildir: f"Maildir {self.machine}:{self.inbox.resolve()}"}
        if imap is not None:
            inboxes[imap.settings.name] = lambda: self.open_imap_inbox(imap, wakeup)
            mailboxes[imap.settings.name] = f"{imap.settings.name} {imap.settings.user} {imap.settings.folder}"
        inboxes[maildir] = lambda: Maildir(self.inbox, wakeup)
        sender: tuple[str, Callable[[], Sender]] = f"Maildirs {self.outbox.name}", lambda: MaildirSender(self.outbox)
        if smtp is not None:
            sender = smtp.settings.name, lambda: self.open_smtp_sender(smtp)
        listener = (lmtp.name, lambda keep: LmtpServer(lmtp, keep)) if lmtp else None
        return Transports(inboxes, sender, listener, mailboxes)

    def open_smtp_sender(self, smtp: Server[SmtpSettings]) -> SmtpSender:
        """Open the sender of letters through a server. Raises TransportError, and SettingsError."""
        settings, address, secret = self.fill_server_password(smtp), self.settings.address, self.read_secret()

        def bounces(mail: bytes) -> str:
            return make_bounce_address(secret, address, read_message_id(mail))

        return SmtpSender(settings, address, bounces if settings.bounce_addresses else None)

    def open_imap_inbox(self, imap: Server[ImapSettings], wakeup: Wakeup | None = None) -> ImapInbox:
        """Open the mailbox on a server. Raises TransportError."""
        from tkid.host.imap import ImapInbox  # noqa: PLC0415 - a host without IMAP needs no imap-tools

        return ImapInbox(self.fill_server_password(imap), wakeup)

    def fill_server_password(self, server: Server[S]) -> S:
        """Return a server's settings with the password as it is now, which may have been corrected. Raises TransportError."""
        try:
            return server.fill_password(self.environ)
        except SettingsError as error:
            raise TransportError(str(error)) from None


STORE = re.compile(r"^store\s*=.*\n?", re.MULTILINE)


def replace_store(settings: str, store: str) -> str:
    """Return settings with the address of another database."""
    before, section, rest = re.split(r"(?m)(^\[|\Z)", settings, maxsplit=1)
    return f'{STORE.sub("", before).rstrip()}\nstore = "{store}"\n{section and chr(10)}{section}{rest}'


def write_private(file: Path, data: bytes) -> None:
    """Write a file that only its owner can read, completely or not at all."""
    if not file.exists() or file.read_bytes() != data:
        with open_whole_file(file) as written:
            written.write(data)


def _read_name(folder: Path) -> str:
    """Return the name of a folder's machine; "" if it has none. Raises SettingsError."""
    file = folder / OWN_NAME
    name = file.read_text("ascii", "replace").strip() if file.exists() else ""
    if name and not NAME.fullmatch(name):
        raise SettingsError(f"{file}: this is not a name: at most 40 letters, digits, dots and hyphens.")
    return name


def _find_database(folder: Path, store: str, place: str) -> Database:
    """Return the address of a folder's database. Raises SettingsError."""
    try:
        return Database.make_at(store) if store else Database.make_at(f"sqlite:///{(folder / DATABASE).resolve()}")
    except ValueError as error:
        raise SettingsError(f"{place}: {error}.") from None
