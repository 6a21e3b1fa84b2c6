"""A host's folder: its settings, its secret, its Maildirs, its database."""

from __future__ import annotations

import os
import secrets
import stat
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from tkid.cli.files import create
from tkid.post.envelope import is_address
from tkid.post.host import Host
from tkid.post.maildir import Maildir
from tkid.post.store import Store

SETTINGS, SECRET, DATABASE = "host.toml", "secret", "host.db"
SECRET_BYTES = 32
KNOWN = {"address": "the address that players write to", "store": "the database"}


class HouseError(ValueError):
    """A host's folder is not as it should be: what, where, and the way out."""


@frozen
class House:
    """A host's folder as its settings describe it."""

    folder: Path
    address: str
    store: str

    @property
    def inbox(self) -> Path:
        """The Maildir into which mails for the host come."""
        return self.folder / "in"

    @property
    def outbox(self) -> Path:
        """The folder with a Maildir for each address that the host writes to."""
        return self.folder / "out"

    @classmethod
    def make(cls, folder: Path, address: str, store: str) -> House:
        """Set up a folder. Raises HouseError, OSError."""
        if not is_address(address) or "+" in address:
            raise HouseError(f"--address {address}: this is no plain address such as tkid@games.example.")
        if (folder / SETTINGS).exists():
            raise HouseError(f"{folder / SETTINGS} exists already: this is a host's folder. Nothing was changed.")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SECRET).touch(mode=0o600)
        (folder / SECRET).write_bytes(secrets.token_bytes(SECRET_BYTES))
        lines = [f'address = "{address}"', *([f'store = "{store}"'] if store else [])]
        create(folder / SETTINGS, "".join(f"{line}\n" for line in lines))
        house = cls.read(folder)
        Maildir(house.inbox)
        house.outbox.mkdir(exist_ok=True)
        return house

    @classmethod
    def read(cls, folder: Path) -> House:
        """The folder's settings. Raises HouseError, which names the file and the key."""
        file = folder / SETTINGS
        try:
            found = tomllib.loads(file.read_text("utf-8"))
        except FileNotFoundError:
            raise HouseError(
                f"{folder} is no host's folder: there is no {file}. Make one with `tkid host init`."
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise HouseError(f"{file}: {error}") from None
        for key, value in found.items():
            if key not in KNOWN:
                raise HouseError(f"{file}: {key} is no setting; known are {', '.join(KNOWN)}.")
            if not isinstance(value, str):
                raise HouseError(f"{file}: {key} is {KNOWN[key]}, written between quotes.")
        address = found.get("address", "")
        if not is_address(address):
            raise HouseError(f"{file}: address is {KNOWN['address']}; `{address}` is none.")
        return cls(folder, address, found.get("store") or f"sqlite:///{(folder / DATABASE).resolve()}")

    def complaints(self) -> list[str]:
        """What is not as it should be in the folder."""
        wrong = []
        secret = self.folder / SECRET
        if not secret.exists() or secret.stat().st_size != SECRET_BYTES:
            wrong.append(f"{secret}: the secret is missing or cut off; keys of letters that went out are lost with it.")
        elif stat.S_IMODE(secret.stat().st_mode) & 0o077:
            wrong.append(f"{secret}: others may read it; `chmod 600 {secret}` mends that.")
        wrong += [
            f"{path}: cannot be written to." for path in (self.inbox, self.outbox) if not os.access(path, os.W_OK)
        ]
        return wrong

    @contextmanager
    def host(self) -> Iterator[Host]:
        """The host at work."""
        secret = (self.folder / SECRET).read_bytes()
        store = Store(self.store)
        try:
            yield Host(store, self.address, secret, self.send)
        finally:
            store.close()

    def send(self, address: str, mail: bytes) -> None:
        """Put a letter into the Maildir of its address."""
        Maildir(self.outbox / address.replace("/", "_")).deliver(mail)
