"""The journal of a host's letters next to its database, and answers to letters that a restore lost.

After a restore the host makes the letters since the backup again, but doesn't send them again. Most get the same Message-ID,
because the journal also keeps when each mail came and what was drawn for it. It recognises the others by their subject;
these may differ a little from the letters that were sent, if they show a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.errors import HeaderParseError
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import parsedate_to_datetime
from hashlib import sha256
from itertools import count
from pathlib import Path

from attrs import define, evolve, field, frozen

from tkid.club.values import Restoration
from tkid.host.letters import find_course
from tkid.host.log import open_private
from tkid.host.store.transaction import Key, Transaction
from tkid.mail import game_service
from tkid.mail.game_clock import format_moment
from tkid.mail.game_service import HostedGame, Outcome
from tkid.mail.marker import make_key, read_id, read_marker, read_reference
from tkid.mail.model import Intake, Marker, Refusal
from tkid.record.format.seal import BYTES
from tkid.rulebook import Ids, cites

RESTORED_RULE = Ids("club")("restored")
SUBJECT = "the host was restored"
MAX_LINES_SEARCHED = 400
"""Maximum number of lines of a mail in which a letter of ours is looked for."""


def find_lost_letter(
    transaction: Transaction, secret: bytes, taken: Intake, words: Collection[str]
) -> tuple[Key, HostedGame] | None:
    """Return the right that a mail's key gave, and its game, if its letter went out after the backup from which the host was restored.

    Its key shows that it was the host's own: it is made again from the secret, and from what the letter says itself.
    Its game is held against other workers.
    """
    if not words or transaction.documents.find_value(Restoration) is None:
        return None
    markers = set(_list_markers(taken))
    for game in transaction.list_all_games_of(taken.sender) if markers else ():
        hosted = game.read_hosted()
        for seat in hosted.seats:
            for each in markers if hosted.find_address(seat).lower() == taken.sender else ():
                if make_key(secret, game.id, seat, each.turn, find_course(hosted, each.after)) in words:
                    held = transaction.get_game(game.id)
                    return (Key(game.id, seat, each.turn), held.read_hosted()) if held else None
    return None


@cites("club.restored")
def answer_lost(
    transaction: Transaction, key: Key, hosted: HostedGame, taken: Intake, now: datetime
) -> tuple[Refusal, Outcome | None]:
    """Explain why a mail that answers a lost letter is filed; return, once a day, also a letter with the current game."""
    refusal = Refusal(RESTORED_RULE, "The mail answers a letter that went out after the backup was made")
    at, day = transaction.documents.find_value(Restoration), now.date().isoformat()
    if at is None or transaction.count_event(taken.sender, day, f"{RESTORED_RULE} {key.game}"[:64]) > 1:
        return refusal, None
    text = (
        f"Your mail of {format_moment(now)} was not carried out. It answers a letter that the host no longer has: the host was "
        f"restored from a backup of {format_moment(at.copied)}. The game is at turn {hosted.turns + 1} now."
    )
    return refusal, game_service.tell_players(hosted, text, SUBJECT, now, (key.seat,))


def tell_restored(hosted: HostedGame, at: Restoration, now: datetime) -> Outcome:
    text = (
        f"The host was restored from a backup of {format_moment(at.copied)}. The game is at turn {hosted.turns + 1} now. "
        "If you sent anything since, and it is missing below, send it again."
    )
    return game_service.tell_players(hosted, text, SUBJECT, now)


def _list_markers(taken: Intake) -> Iterable[Marker]:
    for parent in taken.parents:
        if (marker := read_id(parent)) is not None:
            yield marker
    for index in range(min(len(taken.lines), MAX_LINES_SEARCHED)):
        for read in (read_marker, read_reference):
            if (marker := read(taken.lines, index)) is not None:
                yield evolve(marker, title="", key="")


REREAD_BEFORE = timedelta(days=30)
"""Time before the last mail of the backup from which mails are read again: a mailbox may have been out of reach."""
DIGITS = 24
ALWAYS = datetime.max.replace(tzinfo=UTC)


@frozen
class Said:
    """The subject of a letter, as a short word, and its time."""

    word: str
    time: datetime

    @classmethod
    def read_letter(cls, mail: bytes) -> Said:
        """Return the subject by the headers of a letter of ours. An answer is about the mail that it answers, in its thread."""
        head = BytesHeaderParser(policy=compat32).parsebytes(mail)
        answers = str(head["References"] or "") if head["In-Reply-To"] else str(head["Subject"])
        named = "\n".join((str(head["To"]), answers, str(head["In-Reply-To"] or "")))
        try:
            time = parsedate_to_datetime(str(head["Date"]))
        except (ValueError, HeaderParseError):
            time = ALWAYS
        return cls(sha256(named.encode("utf-8", "replace")).hexdigest()[:DIGITS], time)


FILE, BEFORE, MAILS, DRAWN = "sent", "sent-before-restore", "fetched", "drawn"
NOTED = (FILE, BEFORE, MAILS, DRAWN)
"""The names of the files of a journal."""
RESTORED = "restored"
"""The word before the time of a restore."""
NEVER = datetime.min.replace(tzinfo=UTC)


@define
class Journal:
    """The letters that went out since the last restore and before one, when each mail came, and what was drawn for it."""

    folder: Path
    _known: frozenset[str] = frozenset()
    _said: frozenset[str] = frozenset()
    _restored: datetime = NEVER
    _draws: Mapping[str, str] = field(factory=dict)
    _read: os.stat_result | None = field(default=None)

    def note_sent(self, message_id: str, said: Said) -> None:
        """Note that a letter went out. Raises OSError."""
        with open(self.folder / FILE, "a", encoding="ascii", errors="replace", opener=open_private) as file:
            file.write(f"{message_id} {said.word}\n")

    def note_mail(self, raw: bytes, time: datetime) -> None:
        """Note when a mail came. Where the disk does not take it, the mailbox knows the time well enough."""
        with suppress(OSError), open(self.folder / MAILS, "a", encoding="ascii", opener=open_private) as file:
            file.write(f"{sha256(raw).hexdigest()} {time.isoformat()}\n")

    def list_fetched(self) -> dict[str, datetime]:
        """Return when each mail came, by the digest of its bytes; a line that was not written whole does not count."""
        times: dict[str, datetime] = {}
        for digest, time in _read_lines(self.folder / MAILS):
            with suppress(ValueError):
                times.setdefault(digest, datetime.fromisoformat(time))
        return times

    def find_drawing(self, raw: bytes, draw: Callable[[], bytes]) -> Callable[[], bytes]:
        """Return the source of random numbers for a mail: as before a restore, if that is known."""
        names = (f"{sha256(raw).hexdigest()}.{number}" for number in count())

        def drawn() -> bytes:
            name = next(names)
            self._read_before()
            with suppress(ValueError):
                if len(known := bytes.fromhex(self._draws.get(name, ""))) == BYTES:
                    return known
            data = draw()
            with suppress(OSError), open(self.folder / DRAWN, "a", encoding="ascii", opener=open_private) as file:
                file.write(f"{name} {data.hex()}\n")
            return data

        return drawn

    def was_sent(self, message_id: str) -> bool:
        """Return True if a letter went out before the host was restored."""
        self._read_before()
        return message_id in self._known

    @cites("club.restored")
    def was_said(self, said: Said) -> bool:
        """Return True if a letter from before the restore repeats one that went out then."""
        self._read_before()
        return said.time < self._restored and said.word in self._said

    def close_before_restore(self, now: datetime) -> None:
        """Count all letters that went out so far among those before a restore. Done twice it does nothing. Raises OSError."""
        sent = self.folder / FILE
        if not sent.exists():
            return
        with open(self.folder / BEFORE, "a", encoding="ascii", opener=open_private) as file:
            file.write(f"{sent.read_text('ascii', 'replace')}{RESTORED} {now.isoformat()}\n")
            file.flush()
            os.fsync(file.fileno())
        sent.unlink()

    def _read_before(self) -> None:
        """Read the entries before the last restore, if there was one since they were read."""
        try:
            found = (self.folder / BEFORE).stat()
        except OSError:
            self._known, self._said = frozenset(), frozenset()
            return
        if self._read is None or (found.st_mtime_ns, found.st_size) != (self._read.st_mtime_ns, self._read.st_size):
            noted = list(_read_lines(self.folder / BEFORE))
            self._known = frozenset(letter for letter, _ in noted)
            self._said = frozenset(word for _, word in noted)
            self._restored = max(_list_restores(noted), default=self._restored)
            self._draws = dict(_read_lines(self.folder / DRAWN))
            self._read = found


def _read_lines(file: Path) -> Iterator[tuple[str, str]]:
    """Read the lines of a file, each a word and a note about it; the last one may have been cut."""
    if file.exists():
        for line in file.read_text("ascii", "replace").splitlines():
            word, _, noted = line.partition(" ")
            yield word, noted


def _list_restores(noted: Iterable[tuple[str, str]]) -> Iterator[datetime]:
    for word, time in noted:
        if word == RESTORED:
            with suppress(ValueError):
                yield datetime.fromisoformat(time)
