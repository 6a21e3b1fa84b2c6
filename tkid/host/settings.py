"""The settings of a host, `host.toml`: every fault is told with the file, the key and the way out."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Generic, TypeVar

from attrs import evolve, frozen

from tkid.host.transports.settings import ImapSettings, LmtpSettings, SmtpSettings
from tkid.mail.inbound.authentication import REQUIREMENTS, Required
from tkid.mail.inbound.envelope import is_address

FILE = "host.toml"
PAUSE, PAUSE_PUSHED = 5.0, 30.0
"""Seconds between two rounds at most: with Maildirs, and where a server tells of new mails."""
LONGEST_PAUSE = 3600.0
NO_PASSWORD_YET = "-"  # noqa: S105 - stands for it until it is read

LOGIN = {
    "user": "who logs in",
    "password-file": "a file with the password, which only its owner may read",
    "password-env": "a variable of the environment with the password",
}
SERVER = {"host": "where the server is", "port": "the server's port", **LOGIN, "tls": "how the connection is encrypted"}
SECTIONS = {
    "imap": {**SERVER, "folder": "the folder with the mails to be fetched"},
    "smtp": SERVER,
    "lmtp": {"listen": "the address and port on which the host listens"},
    "authentication": {
        "authserv": "the name with which your mail server signs what it checked",
        "require": "what it has to have found",
    },
    "log": {"file": "the file for the log"},
}
KEYS = {
    "address": "the address that players write to",
    "store": "the database",
    "owner": "the address of whoever runs the host",
    "pause": "the most seconds between two rounds",
    "pictures": "whether mails show the position as a picture",
}
SWITCHES = frozenset({"pictures"})
NUMBERS: dict[str, tuple[type, ...]] = {"port": (int,), "pause": (int, float)}

S = TypeVar("S")


class SettingsError(ValueError):
    """Settings are not as they should be: for each fault the file, the key, and the way out."""

    def __init__(self, *messages: str) -> None:
        super().__init__("\n".join(messages))
        self.messages = messages


@frozen
class Password:
    """Where a password is found. `place` is the file and the section that say so."""

    place: str
    file: Path | None = None
    variable: str = ""

    def read(self, environ: Mapping[str, str]) -> str:
        """The password as it is now. Raises SettingsError."""
        if self.file is not None:
            return _password_in(self.file, f"{self.place} password-file")
        found = environ.get(self.variable, "")
        if not found:
            raise SettingsError(
                f"{self.place} password-env: the environment has no {self.variable}. Set it, or use password-file."
            )
        return found


@frozen
class Server(Generic[S]):
    """A server to log in to; its settings are whole only with the password, which is read when it is needed."""

    settings: S
    password: Password | None

    def ready(self, environ: Mapping[str, str]) -> S:
        """The settings with the password as it is now. Raises SettingsError."""
        if self.password is None:
            return self.settings
        without: Any = self.settings
        try:
            whole: S = evolve(without, password=self.password.read(environ))
        except SettingsError:
            raise
        except ValueError as error:
            raise SettingsError(f"{self.password.place} {error}") from None
        return whole


@frozen
class HostSettings:
    """What `host.toml` says. Paths are absolute or begin with the host's folder; `store` is "" for the usual file."""

    address: str
    store: str = ""
    owner: str = ""
    pause: float = PAUSE
    imap: Server[ImapSettings] | None = None
    smtp: Server[SmtpSettings] | None = None
    lmtp: LmtpSettings | None = None
    authentication: Required | None = None
    log: Path | None = None
    pictures: bool = True


def read_settings(folder: Path) -> HostSettings:
    """The settings of a host's folder; passwords are not read yet. Raises SettingsError."""
    file = folder / FILE
    try:
        found = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise SettingsError(
            f"{folder} is no host's folder: there is no {file}. Make one with `tkid host init`."
        ) from None
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{file}: this is no text in UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file}: {error}") from None
    return _Reading(folder, file, found).settings()


def _password_in(file: Path, place: str) -> str:
    """The one line of a file that nobody else can read. Raises SettingsError."""
    try:
        if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077:
            raise SettingsError(f"{place}: others may read {file}; `chmod 600 {file}` mends that.")
        lines = file.read_text("utf-8").splitlines()
    except OSError as error:
        raise SettingsError(f"{place}: {file}: {error.strerror}. Put the password there, `chmod 600`.") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{place}: {file} is no text in UTF-8.") from None
    if len(lines) != 1 or not lines[0]:
        raise SettingsError(f"{place}: {file} has {len(lines)} lines; the password stands there alone, on one.")
    return lines[0]


class _Reading:
    """Reads the settings and collects what is wrong."""

    def __init__(self, folder: Path, file: Path, found: dict[str, Any]) -> None:
        self.folder, self.file, self.found = folder, file, found
        self.wrong: list[str] = []

    def settings(self) -> HostSettings:
        """The settings. Raises SettingsError with all that is wrong."""
        self._check_keys()
        address, owner = self.found.get("address", ""), self.found.get("owner", "")
        if not self.wrong:
            if not is_address(address) or "+" in address:
                self._complain("address", f"is {KEYS['address']}; `{address}` is none such as tkid@games.example.")
            if owner and not is_address(owner):
                self._complain("owner", f"is {KEYS['owner']}; `{owner}` is none.")
            if not 0 < self._pause <= LONGEST_PAUSE:
                self._complain("pause", f"is {KEYS['pause']}: more than 0, and {LONGEST_PAUSE:.0f} at most.")
        if self.wrong:
            raise SettingsError(*self.wrong)
        log = self._section("log")
        made = HostSettings(
            address,
            self.found.get("store", ""),
            owner,
            self._pause,
            self._made("imap", self._imap),
            self._made("smtp", self._smtp),
            self._made("lmtp", lambda its: LmtpSettings.listening(its.get("listen", ""), address)),
            self._made("authentication", _required),
            self.folder / (log.get("file") or "host.log") if log is not None else None,
            self.found.get("pictures", True),
        )
        if self.wrong:
            raise SettingsError(*self.wrong)
        return made

    @property
    def _pause(self) -> float:
        return float(self.found.get("pause", PAUSE_PUSHED if "imap" in self.found else PAUSE))

    def _check_keys(self) -> None:
        """That every key is known and of the right type."""
        for key, value in self.found.items():
            if key in SECTIONS:
                if not isinstance(value, dict):
                    self._complain(key, f"is a section: a line [{key}], and its keys below it.")
                    continue
                for inner, held in value.items():
                    self._check(f"[{key}] {inner}", inner, held, SECTIONS[key])
            else:
                self._check(key, key, value, KEYS, SECTIONS)

    def _check(self, shown: str, key: str, value: object, known: Mapping[str, str], *more: Mapping[str, Any]) -> None:
        if key == "password":
            self._complain(
                shown,
                "never stands in this file. Put it into a file that only its owner may read and name that in "
                "password-file, or name a variable of the environment in password-env.",
            )
        elif key not in known:
            names = [*known, *(f"[{name}]" for section in more for name in section)]
            near = get_close_matches(key, names, 1)
            meant = f" Did you mean {near[0]}?" if near else ""
            self._complain(shown, f"is no setting; known are {', '.join(names)}.{meant}")
        elif key in NUMBERS:
            if isinstance(value, bool) or not isinstance(value, NUMBERS[key]):
                self._complain(shown, f"is {known[key]}, a number without quotes.")
        elif key in SWITCHES:
            if not isinstance(value, bool):
                self._complain(shown, f"is {known[key]}: true or false, without quotes.")
        elif not isinstance(value, str):
            self._complain(shown, f"is {known[key]}, written between quotes.")

    def _complain(self, key: str, told: str) -> None:
        self.wrong.append(f"{self.file}: {key} {told}")

    def _section(self, name: str) -> dict[str, Any] | None:
        found = self.found.get(name)
        return found if isinstance(found, dict) else None

    def _made(self, name: str, make: Callable[[dict[str, Any]], S]) -> S | None:
        """What a section says; None where there is none, or where it is wrong."""
        its = self._section(name)
        if its is None:
            return None
        try:
            return make(its)
        except ValueError as error:
            self.wrong.append(f"{self.file}: [{name}] {error}.")
            return None

    def _imap(self, its: dict[str, Any]) -> Server[ImapSettings]:
        password = self._password("imap", its, needed=True)
        return Server(ImapSettings(**{"host": "", "user": "", "password": NO_PASSWORD_YET} | _server(its)), password)

    def _smtp(self, its: dict[str, Any]) -> Server[SmtpSettings]:
        password = self._password("smtp", its, needed=bool(its.get("user")))
        stands_for = {"host": "", "password": NO_PASSWORD_YET if password else ""}
        return Server(SmtpSettings(**stands_for | _server(its)), password)

    def _password(self, section: str, its: dict[str, Any], *, needed: bool) -> Password | None:
        """Where a section says that the password is. Raises ValueError."""
        file, variable = its.get("password-file", ""), its.get("password-env", "")
        place = f"{self.file}: [{section}]"
        if file and variable:
            raise ValueError("password-file and password-env: one of them is enough, leave the other out")
        if not (file or variable):
            if needed:
                raise ValueError("password-file is missing: name the file with the password, or use password-env")
            return None
        return Password(place, self.folder / file if file else None, variable)


def _server(its: dict[str, Any]) -> dict[str, Any]:
    """The keys of a section that its settings take as they are."""
    return {key: value for key, value in its.items() if key not in {"password-file", "password-env"}}


def _required(its: dict[str, Any]) -> Required:
    """What is required of mails. Raises ValueError."""
    required = Required(its.get("authserv", ""), its.get("require", "dmarc"))
    if not required.authserv or not required.authserv.isascii() or not required.authserv.isprintable():
        raise ValueError(f"authserv is missing: {SECTIONS['authentication']['authserv']}, such as mx.games.example")
    if required.what not in REQUIREMENTS:
        raise ValueError(f"require: `{required.what}` is not known; it is one of {', '.join(REQUIREMENTS)}")
    return required
