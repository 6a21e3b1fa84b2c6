"""The folder with the published files, and the list of games whose pages have to be made again."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path

from attrs import define, field, frozen

from tkid.club.values import TURNS
from tkid.files import PRIVATE
from tkid.host.store.documents import Documents
from tkid.host.store.transaction import Transaction
from tkid.mail.model import Document
from tkid.rulebook import cites

MARK = ".tkid-pages"
"""The file that says whose folder it is. Whoever holds its lock publishes."""
PAGES, FOLDERS, UNLISTED = 0o644, 0o755, 0o711
"""Everybody may read what is published; nobody else may list a folder whose addresses are secret."""
TEMPORARY = ".tkid-new-"
OWN = re.compile(
    r"(?:index\.html|404\.html|club\.css|feed\.xml|sitemap\.xml|robots\.txt"
    r"|(?:games|replays|players|archive|ratings|tournaments|turns)/[^/]+\.html|calendars/[^/]+\.(?:ics|html)"
    r"|boards/[^/]+\.svg|covers/[^/]+\.png|records/[^/]+\.tkid)"
)
"""Pattern of the names of the files that make up the pages; other files in the folder are left alone."""


class FolderError(OSError):
    """A folder cannot be published to: why, and what to do."""


class BusyError(FolderError):
    """Somebody else is publishing to the folder."""


@define
class PublishedFolder:
    """A folder that a host publishes to. `owner` is the host's word in its mark."""

    path: Path
    owner: str
    _root: int = field(init=False, default=-1)

    @contextmanager
    def open_folder(self, *, take_over: bool = False) -> Iterator[None]:
        """Open the folder, and lock it against other publishers. Raises FolderError, OSError."""
        self.path.mkdir(mode=FOLDERS, parents=True, exist_ok=True)
        self._root = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            with self._lock(take_over=take_over):
                yield
        finally:
            os.close(self._root)
            self._root = -1

    @cites("club.pages.whole")
    def write_file(self, path: str, content: Iterable[bytes]) -> None:
        """Write a file as a whole; nobody else can read it before. Raises OSError, and then the old one is as it was."""
        with self._open_parent(path, make=True) as (parent, name):
            temporary = f"{TEMPORARY}{secrets.token_hex(8)}"
            file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, PRIVATE, dir_fd=parent)
            try:
                with os.fdopen(file, "wb") as out:
                    out.writelines(content)
                    out.flush()
                    os.fchmod(out.fileno(), PAGES)
                os.rename(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary, dir_fd=parent)
                raise

    def remove_file(self, path: str) -> None:
        with suppress(FileNotFoundError), self._open_parent(path) as (parent, name):
            os.unlink(name, dir_fd=parent)

    def list_files(self) -> Iterator[str]:
        """Yield the files in the folder that belong to pages, and those that a publisher left half written."""
        for folder, folders, names, _ in os.fwalk(dir_fd=self._root, follow_symlinks=False):
            folders[:] = [each for each in folders if not each.startswith(".")]
            paths = (os.path.normpath(os.path.join(folder, name)) for name in names)  # noqa: PTH118 - below a descriptor
            yield from (path for path in paths if OWN.fullmatch(path) or os.path.basename(path).startswith(TEMPORARY))  # noqa: PTH119

    @contextmanager
    def _open_parent(self, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """Open the folder of a file; return it and the file's name in it. A link in the path is an error: it leads elsewhere."""
        *folders, name = path.split("/")
        here = os.dup(self._root)
        try:
            for folder in folders:
                if make:
                    mode = UNLISTED if folder == TURNS else FOLDERS
                    with suppress(FileExistsError):
                        os.mkdir(folder, mode, dir_fd=here)
                        os.chmod(folder, mode, dir_fd=here)
                below = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
                os.close(here)
                here = below
            yield here, name
        finally:
            os.close(here)

    @contextmanager
    def _lock(self, *, take_over: bool) -> Iterator[None]:
        """Lock the mark and return it. A folder without one must be empty, or be taken over."""
        names = sorted(os.listdir(self._root))  # noqa: PTH208 - of an open folder
        has_mark = MARK in names
        strangers = [name for name in names if name != MARK]
        if strangers and not has_mark and not take_over:
            raise FolderError(
                f"{self.path} has other files, such as {strangers[0]}, and no {MARK}. Nothing was written. Choose an empty "
                "folder, or run `tkid host publish` with --take-over once: it then writes the pages next to these files."
            )
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
        with os.fdopen(os.open(MARK, flags, PAGES, dir_fd=self._root), "r+", encoding="utf-8") as mark:
            try:
                flock(mark, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                raise BusyError(f"Somebody else is publishing to {self.path} now. Try again in a moment.") from None
            written = mark.read()
            if written and self.owner not in written and not take_over:
                raise FolderError(
                    f"{self.path} has the pages of another host. Nothing was written. Choose another folder, or run `tkid host "
                    "publish` with --take-over once: it takes this one over."
                )
            if self.owner not in written:
                mark.seek(0)
                mark.truncate()
                mark.write(f"Made by `tkid host publish`. The pages of the host {self.owner}.\n")
                mark.flush()
            yield


PAGE, HOOK = "page", "hook"
"""The kinds of documents: games whose pages are to be made again; what webhooks are to tell."""
CHANGED = "changed "
"""Beginning of the id of a document that says that a game has changed."""
EVERY_GAME = "*"
"""The id of a document that says that any game may be another one now, or be gone."""
PUBLISHER = "@"
"""The id of a document that names the publisher's memory in which the changes are that are not noted any more."""
AT_ONCE = datetime(2000, 1, 1, tzinfo=UTC)


def note_all_changed(documents: Documents) -> None:
    """Note that many games have changed unnoticed: the pages of all are looked at again."""
    documents.store_document(Document(PAGE, EVERY_GAME, secrets.token_hex(8)))


@frozen
class Watch:
    """Parts that want to know of changes: the pages, the webhooks of the host."""

    pages: bool = False
    hooks: bool = False

    def note_changed(self, transaction: Transaction, game: str) -> None:
        if self.pages:
            transaction.documents.store_document(Document(PAGE, game, secrets.token_hex(8)))
        if self.hooks or transaction.documents.see_text(HOOK, f"url {game}") is not None:
            transaction.documents.store_document(Document(HOOK, f"{CHANGED}{game}", "", AT_ONCE))
