"""The settings of a host and of its mail servers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import timedelta
from difflib import get_close_matches
from functools import partial
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, TypeVar, get_args
from urllib.parse import urlsplit

from attrs import Attribute, evolve, field, frozen, validators

from tkid.files import is_open_to_others
from tkid.mail.envelope import REQUIREMENTS, Required, is_address
from tkid.mail.model import BOTS, WELCOMES, ClubTerms
from tkid.record.format.model import ENGINE
from tkid.rulebook.register import DEFAULT, is_site

Tls = Literal["implicit", "starttls", "none"]
"""From the first byte on, after a command of the protocol, or not at all."""
SECONDS = 30.0
"""Maximum time of a server for an answer."""


def is_loopback(host: str) -> bool:
    """Return True if a host is this machine, without asking anybody."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _check_one_line(_: object, attribute: Attribute[str], value: str) -> None:
    """Reject a line end in a text: in a line of a protocol it would begin another command."""
    if not value.isprintable():
        shown = "it" if attribute.name == "password" else repr(value)
        raise ValueError(f"{attribute.name}: {shown} has a character that cannot be printed, perhaps an end of line")


def _read_text(_: object, attribute: Attribute[str], value: str) -> None:
    if not value:
        raise ValueError(f"{attribute.name} is missing")


def _read_port(_: object, attribute: Attribute[int], value: int) -> None:
    if not 0 < value < 1 << 16:
        raise ValueError(f"{attribute.name}: {value} is not a port. Ports are 1 to 65535")


def _read_encryption(server: Any, _: Attribute[str], value: str) -> None:
    if value not in get_args(Tls):
        raise ValueError(f"tls: `{value}` is not known. Choose one of {', '.join(get_args(Tls))}")
    if value == "none" and not is_loopback(server.host):
        raise ValueError(
            f"tls: `none` is for a server on this machine only (127.0.0.1, ::1, localhost), and {server.host} is another. "
            "Anybody on the way could read the password; write `implicit` or `starttls`"
        )


class _Server:
    """A server with a name for people."""

    __slots__ = ()
    protocol: ClassVar[str]
    host: str
    port: int

    @property
    def name(self) -> str:
        return f"{self.protocol} {self.host}:{self.port}"


@frozen
class ImapSettings(_Server):
    """A mailbox that a host fetches its mails from. It should be the host's alone: every mail in `folder` is taken."""

    protocol = "IMAP"
    host: str = field(validator=[_read_text, _check_one_line])
    user: str = field(validator=[_read_text, _check_one_line])
    password: str = field(repr=False, validator=[_read_text, _check_one_line])
    port: int = field(default=993, validator=_read_port)
    folder: str = field(default="INBOX", validator=[_read_text, _check_one_line])
    tls: Tls = field(default="implicit", validator=_read_encryption)
    seconds: float = field(default=SECONDS, validator=validators.gt(0))


@frozen
class SmtpSettings(_Server):
    """A mail server that takes a host's letters. Without a user nobody logs in.

    With `bounce_addresses`, the bounces of each letter come to an address of their own.
    """

    protocol = "SMTP"
    host: str = field(validator=[_read_text, _check_one_line])
    user: str = field(default="", validator=_check_one_line)
    password: str = field(default="", repr=False, validator=_check_one_line)
    port: int = field(default=465, validator=_read_port)
    tls: Tls = field(default="implicit", validator=_read_encryption)
    seconds: float = field(default=SECONDS, validator=validators.gt(0))
    bounce_addresses: bool = True

    def __attrs_post_init__(self) -> None:
        if bool(self.user) != bool(self.password):
            raise ValueError(f"{'password' if self.user else 'user'} is missing: give both, or neither")


@frozen
class LmtpSettings(_Server):
    """The address at which a host listens for a mail server. `address` is the host's own; port 0 is any free one."""

    protocol = "LMTP"
    host: str = field(validator=[_read_text, _check_one_line])
    port: int = field(validator=validators.and_(validators.ge(0), validators.lt(1 << 16)))
    address: str = field()
    seconds: float = field(default=300.0, validator=validators.gt(0))

    @host.validator
    def _is_ip(self, _: Attribute[str], value: str) -> None:
        try:
            ip_address(value)
        except ValueError:
            raise ValueError(f"listen: `{value}` is not an IP address such as 127.0.0.1") from None

    @address.validator
    def _is_plain(self, _: Attribute[str], value: str) -> None:
        if not is_address(value) or "+" in value:
            raise ValueError(f"address: `{value}` is not a plain address such as tkid@games.example")

    @classmethod
    def read_listening(cls, listen: str, address: str) -> LmtpSettings:
        """Return settings from `127.0.0.1:2424` or `[::1]:2424`. Raises ValueError."""
        host, colon, port = listen.rpartition(":")
        if not colon or not (port.isascii() and port.isdigit()):
            raise ValueError(f"listen: `{listen}` is not an address and a port such as 127.0.0.1:2424")
        number = int(port)
        if not 0 < number < 1 << 16:
            raise ValueError(f"listen: {port} is not a port. Ports are 1 to 65535")
        bracketed = host.startswith("[") and host.endswith("]")
        return cls(host[1:-1] if bracketed else host, number, address)


FILE = "host.toml"
PAUSE, PAUSE_PUSHED = 5.0, 30.0
"""Seconds between two rounds at most: with Maildirs, and where a server pushes news of mails."""
LONGEST_PAUSE = 3600.0
HOLD, LONGEST_HOLD = 15, 240
"""Minutes for which a turn waits beside words that the host does not understand, and the most that the owner may choose."""
LISTENING = "127.0.0.1:8317"
"""Address on which the server of pages listens."""
NO_PASSWORD_YET = "-"  # noqa: S105 - its place until it is read

_KNOWN = tomllib.loads(files("tkid.host").joinpath("settings.toml").read_text("utf-8"))
KEYS: Mapping[str, str] = _KNOWN["keys"]
SECTIONS: Mapping[str, Mapping[str, str]] = _KNOWN["sections"]
"""The keys by section with what each is; KEYS are those before any section."""
TEXT = ({str}, ", written between quotes.")
"""The types of a value in TOML, and how it is written."""
TYPES: Mapping[str, tuple[set[type], str]] = {
    "port": ({int}, ", a number without quotes."),
    "pause": ({int, float}, ", a number without quotes."),
    **dict.fromkeys(
        ("pictures", "observers", "bounce-addresses", "turns"), ({bool}, ": true or false, without quotes.")
    ),
    **dict.fromkeys(("credit-hours", "delay", "days", "megabytes", "hold"), ({int}, ", a number without quotes.")),
}
"""The types of those values that are no texts."""

S = TypeVar("S", ImapSettings, SmtpSettings)
T = TypeVar("T")


class SettingsError(ValueError):
    """Errors in the settings: for each the file, the key, and a fix."""

    def __init__(self, *messages: str) -> None:
        super().__init__("\n".join(messages))
        self.messages = messages


@frozen
class Server(Generic[S]):
    """A server to log in to; its settings are whole only with the password, which is read when it is needed.

    `place` is the file and the section with these settings. The password is in a `file` or a `variable` of the environment.
    """

    settings: S
    place: str
    file: Path | None
    variable: str

    def fill_password(self, environ: Mapping[str, str]) -> S:
        """Return the settings with the password as it is now. Raises SettingsError."""
        if self.file is None and not self.variable:
            return self.settings
        if self.file is None and not environ.get(self.variable):
            raise SettingsError(
                f"{self.place} password-env: the environment has no {self.variable}. Set it, or use password-file."
            )
        password = _read_password(self.file, f"{self.place} password-file") if self.file else environ[self.variable]
        try:
            return evolve(self.settings, password=password)
        except ValueError as error:
            raise SettingsError(f"{self.place} {error}") from None


@frozen
class Pages:
    """The folder of the club's pages, their address, by how many turns they lag behind, and whether turns have pages."""

    folder: Path
    url: str = ""
    delay: int = 0
    turns: bool = False


@frozen
class Web:
    """The address at which players open the board of a turn, and where the server of these pages listens."""

    address: str
    host: str
    port: int


SHARES = 10
"""Number of parts of the room; the mails of one sender may fill one of them."""
IN_DATABASE = 2 / 5
"""The part of what a host's folder may hold of mails of strangers: their Maildir has a copy, and a database needs more."""


@frozen
class Limits:
    """Room for mails of strangers, in bytes, and the days for which mails are kept that were read."""

    bytes: int = int((200 << 20) * IN_DATABASE)
    days: int = 30

    @classmethod
    def make_limits(cls, megabytes: int = 200, days: int = 30) -> Limits:
        """Return the limits of a host whose folder may grow by some megabytes for mails of strangers."""
        return cls(int((megabytes << 20) * IN_DATABASE), days)

    @property
    def share(self) -> int:
        """The bytes that the mails of one sender may take."""
        return self.bytes // SHARES


@frozen
class Hooks:
    """The address that receives news of turns and ends, and the file with the secret that signs them."""

    url: str
    secret: Path


@frozen
class HostSettings:
    """The values in `host.toml`. Paths are absolute or begin with the host's folder; `store` is "" for the usual file."""

    address: str
    store: str = ""
    owner: str = ""
    pause: float = field(default=PAUSE, converter=float)
    imap: Server[ImapSettings] | None = None
    smtp: Server[SmtpSettings] | None = None
    lmtp: LmtpSettings | None = None
    authentication: Required | None = None
    log: Path | None = None
    pictures: bool = True
    rules_url: str = ""
    club: ClubTerms = field(factory=ClubTerms)
    pages: Pages | None = None
    keep: Limits = field(factory=Limits)
    hooks: Hooks | None = None
    hold: int = HOLD
    web: Web | None = None
    engine: str = ""


def read_settings(folder: Path, text: str | None = None) -> HostSettings:
    """Return the settings of a host's folder, or a text as such; passwords are not read yet. Raises SettingsError."""
    file = folder / FILE
    try:
        values = tomllib.loads(file.read_text("utf-8") if text is None else text)
    except FileNotFoundError:
        raise SettingsError(
            f"{folder} is not a host's folder: {file} is missing. Make one with `tkid host init`."
        ) from None
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{file}: this is not UTF-8 text.") from None
    except RecursionError:
        raise SettingsError(f"{file}: lists or tables are nested too deeply.") from None
    except ValueError as error:
        raise SettingsError(f"{file}: {error}") from None
    return _Reader(folder, file, values).read_settings()


def _read_password(file: Path, place: str) -> str:
    """Read the only line of a file that others cannot read. Raises SettingsError."""
    try:
        if is_open_to_others(file.stat()):
            raise SettingsError(f"{place}: others may read {file}. To stop that: `chmod 600 {file}`.")
        lines = file.read_text("utf-8").splitlines()
    except OSError as error:
        raise SettingsError(f"{place}: {file}: {error.strerror}. Put the password there, `chmod 600`.") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{place}: {file} is not UTF-8 text.") from None
    if len(lines) != 1 or not lines[0]:
        raise SettingsError(f"{place}: {file} has {len(lines)} lines. Write only the password, on one line.")
    return lines[0]


@frozen
class _Reader:
    """Reads the values of a settings file and collects the problems."""

    folder: Path
    file: Path
    values: Mapping[str, Any]
    problems: list[str] = field(factory=list)

    def read_settings(self) -> HostSettings:
        """Return the settings. Raises SettingsError with all problems."""
        for key, value in self.values.items():
            if key not in SECTIONS:
                self._check(key, key, value, KEYS, [f"[{name}]" for name in SECTIONS])
            elif not isinstance(value, dict):
                self._add_problem(key, f"is a section: a line [{key}], and its keys below it.")
            else:
                for name, held in value.items():
                    self._check(f"[{key}] {name}", name, held, SECTIONS[key])
        self._stop_at_problems()
        stated = {key.replace("-", "_"): value for key, value in self.values.items() if key in KEYS}
        missing: dict[str, Any] = {"address": "", "pause": PAUSE_PUSHED if "imap" in self.values else PAUSE}
        settings = HostSettings(**missing | stated)
        address, owner = settings.address, settings.owner
        if not is_address(address) or "+" in address:
            self._add_problem("address", f"is {KEYS['address']}; `{address}` is not one, such as tkid@games.example.")
        if owner and not is_address(owner):
            self._add_problem("owner", f"is {KEYS['owner']}; `{owner}` is not one.")
        if "rules-url" in self.values and not is_site(self.values["rules-url"]):
            self._add_problem("rules-url", f"is {KEYS['rules-url']}, such as {DEFAULT}")
        if not 0 < settings.pause <= LONGEST_PAUSE:
            self._add_problem("pause", f"is {KEYS['pause']}: more than 0, and at most {LONGEST_PAUSE:.0f}.")
        if not 0 <= settings.hold <= LONGEST_HOLD:
            self._add_problem("hold", f"is {KEYS['hold']}: 0 for not at all, and at most {LONGEST_HOLD}.")
        self._stop_at_problems()
        pages = self._make_section("pages", self._read_pages)
        club = self._make_section("club", self._read_club) or ClubTerms()
        web = self._make_section("web", lambda section: _read_web(section, address))
        settings = evolve(
            settings,
            imap=self._make_section("imap", partial(self._read_server, ImapSettings)),
            smtp=self._make_section("smtp", partial(self._read_server, SmtpSettings)),
            lmtp=self._make_section(
                "lmtp", lambda section: LmtpSettings.read_listening(section.get("listen", ""), address)
            ),
            authentication=self._make_section("authentication", _read_required),
            log=self._make_section("log", lambda section: self.folder / (section.get("file") or "host.log")),
            club=evolve(
                club,
                pages=pages.url if pages else "",
                delay=pages.delay if pages else 0,
                web=web.address if web else "",
                turn_pages=pages.url.rstrip("/") if pages and pages.turns and not web else "",
            ),
            pages=pages,
            keep=self._make_section("keep", _read_keep) or Limits(),
            hooks=self._make_section("hooks", self._read_hooks),
            web=web,
            engine=self.values.get("club", {}).get("engine", ""),
        )
        self._stop_at_problems()
        return settings

    def _stop_at_problems(self) -> None:
        if self.problems:
            raise SettingsError(*self.problems)

    def _check(
        self, shown: str, key: str, value: object, known: Mapping[str, str], more: list[str] | None = None
    ) -> None:
        """Check that a key is known and its value of the right type; `more` are sections that could be meant."""
        types, form = TYPES.get(key, TEXT)
        if key == "password":
            self._add_problem(
                shown,
                "may not be in this file. Put it into a file that only you can read and name that in "
                "password-file, or name a variable of the environment in password-env.",
            )
        elif key not in known:
            names = [*known, *(more or [])]
            near = get_close_matches(key, names, 1)
            meant = f" Did you mean {near[0]}?" if near else ""
            self._add_problem(shown, f"is not a setting. The settings are {', '.join(names)}.{meant}")
        elif type(value) not in types:
            self._add_problem(shown, f"is {known[key]}{form}")

    def _add_problem(self, key: str, problem: str) -> None:
        self.problems.append(f"{self.file}: {key} {problem}")

    def _make_section(self, name: str, make: Callable[[dict[str, Any]], T]) -> T | None:
        if name not in self.values:
            return None
        try:
            return make(self.values[name])
        except ValueError as error:
            self._add_problem(f"[{name}]", f"{error}.")
            return None

    def _read_server(self, kind: type[S], section: dict[str, Any]) -> Server[S]:
        """Read the settings of a server, and where its password is, if somebody logs in there. Raises ValueError."""
        file, variable = section.get("password-file", ""), section.get("password-env", "")
        if file and variable:
            raise ValueError("password-file and password-env: give only one of them")
        logs_in = kind is ImapSettings or bool(section.get("user"))
        if logs_in and not (file or variable):
            raise ValueError("password-file is missing: name the file with the password, or use password-env")
        missing = {"host": "", "user": "", "password": NO_PASSWORD_YET if file or variable else ""}
        taken = {key.replace("-", "_"): value for key, value in section.items() if not key.startswith("password-")}
        place = f"{self.file}: [{kind.protocol.lower()}]"
        return Server(kind(**missing | taken), place, self.folder / file if file else None, variable)

    def _read_club(self, section: dict[str, Any]) -> ClubTerms:
        welcome, hours = section.get("welcome", "invited"), section.get("credit-hours", 6)
        if welcome not in WELCOMES:
            raise ValueError(f"welcome: `{welcome}` is not known. Choose one of {', '.join(WELCOMES)}")
        bots = section.get("bots", "random")
        if bots not in BOTS:
            raise ValueError(f"bots: `{bots}` is not known. Choose one of {', '.join(BOTS)}")
        if bots == ENGINE and not section.get("engine", "").strip():
            raise ValueError(f"engine is missing: write {SECTIONS['club']['engine']}, such as ./my-engine")
        if hours < 1:
            raise ValueError("credit-hours is at least 1")
        unsubscribe = section.get("unsubscribe-url", "")
        if unsubscribe and not (is_site(unsubscribe) and unsubscribe.startswith("https://")):
            raise ValueError("unsubscribe-url is an address such as https://club.example/unsubscribe")
        terms = ClubTerms(section.get("name", ""), welcome, credited=timedelta(hours=hours))
        return evolve(terms, observers=section.get("observers", True), unsubscribe=unsubscribe, bots=bots)

    def _read_pages(self, section: dict[str, Any]) -> Pages:
        url, delay = section.get("url", ""), section.get("delay", 0)
        if not section.get("folder"):
            raise ValueError("folder is missing: name the folder that the pages are written to")
        if url and not is_site(url):
            raise ValueError("url is an address such as https://club.example/")
        if delay < 0:
            raise ValueError("delay is at least 0")
        if section.get("turns") and not url:
            raise ValueError("turns needs url: the letters link to the pages there")
        return Pages(self.folder / section["folder"], url, delay, section.get("turns", False))

    def _read_hooks(self, section: dict[str, Any]) -> Hooks:
        if not is_site(re.split("[?#]", section.get("url", ""))[0]):
            raise ValueError("url is an address such as https://club.example/hook/")
        if not section.get("secret-file"):
            raise ValueError("secret-file is missing: name the file with the secret that signs what is sent")
        return Hooks(section["url"], self.folder / section["secret-file"])


def _read_web(section: dict[str, Any], host_address: str) -> Web:
    address = section.get("address", "").rstrip("/").lower()
    parts = urlsplit(address)
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))
    if not (is_safe and is_site(f"{address}/") and address.isascii() and not (parts.path or parts.username)):
        raise ValueError("address is one such as https://play.club.example, with http only on this machine")
    listening = LmtpSettings.read_listening(section.get("listen", LISTENING), host_address)
    return Web(address, listening.host, listening.port)


def _read_keep(section: dict[str, Any]) -> Limits:
    for key, value in section.items():
        if value < 1:
            raise ValueError(f"{key} is at least 1")
    return Limits.make_limits(**section)


def _read_required(section: dict[str, Any]) -> Required:
    required = Required(section.get("authserv", ""), section.get("require", "dmarc"))
    if not required.authserv or not required.authserv.isascii() or not required.authserv.isprintable():
        raise ValueError(f"authserv is missing: {SECTIONS['authentication']['authserv']}, such as mx.games.example")
    if required.what not in REQUIREMENTS:
        raise ValueError(f"require: `{required.what}` is not known. Choose one of {', '.join(REQUIREMENTS)}")
    return required
