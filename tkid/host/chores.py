"""The chores of each round: digests, gatherings, downtime, cleaning, catching up after a restore."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import islice
from math import inf
from pathlib import Path
from time import monotonic

from attrs import define, evolve, field

from tkid.club.digest import DigestBook, note_issued, write_digest
from tkid.club.host_time import HostTime
from tkid.club.members import MemberGame, list_games_of_member
from tkid.club.order_handlers import STOPS, carry_out_club_order
from tkid.club.order_values import STOP
from tkid.club.values import Mailboxes, Restoration
from tkid.host.club_mail import StoredState
from tkid.host.host_time import MACHINE, Uptime, look_at_clocks, read_clocks, read_uptime, tell_absence_to_players
from tkid.host.journal import REREAD_BEFORE, Journal, tell_restored
from tkid.host.letters import find_course, get_current_member
from tkid.host.mails import find_earlier
from tkid.host.service import Host
from tkid.host.settings import Limits
from tkid.host.store.connection import DATABASE_ERRORS, DatabaseError
from tkid.host.store.retention import Retention
from tkid.host.store.store import Store
from tkid.host.store.transaction import Key, Transaction
from tkid.host.tournaments import advance_tournaments
from tkid.host.transports import Inbox
from tkid.mail.envelope import MOST_BYTES
from tkid.mail.hosted_game import make_next_marker
from tkid.mail.marker import LENGTH, make_key
from tkid.mail.order_machine import Mail, Sender
from tkid.rulebook import cites

SECONDS = 0.5
"""Approximate time of a round for work that can go on in the next ones, so that mails do not wait."""
OFTEN, SELDOM = timedelta(minutes=1), timedelta(hours=12)
"""Interval between searches for outdated mails and other old data."""
MAX_FILES_PER_ROUND = 100


@define
class Keeping:
    """Forgets what is too old. `inbox` is the Maildir into which mails come; it keeps copies of those that were fetched."""

    inbox: Path
    limits: Limits
    _next: dict[str, datetime] = field(factory=dict)
    _left: set[str] = field(factory=set)

    def __call__(self, host: Host, now: datetime) -> int:
        """Run the due clean-ups; return how many things were forgotten. The next round continues if there are more."""
        steps: tuple[tuple[str, timedelta, Callable[[Retention], int]], ...] = (
            ("mails", OFTEN, lambda retention: retention.drop_mails(now, self.limits.days)),
            ("letters", SELDOM, lambda retention: retention.drop_letters(now)),
            ("keys", SELDOM, lambda retention: retention.forget_keys(now)),
            ("rows", SELDOM, lambda retention: retention.forget_rows(now)),
        )
        done = self._remove_fetched(host, now)
        for name, pause, step in steps:
            due = self._next.get(name)
            if due is not None and due - pause <= now < due:
                continue
            with host.store.begin_transaction() as transaction:
                count = step(transaction.retention)
            done += count
            if not count:
                self._next[name] = now + pause
        return done

    @cites("mail.kept-for")
    def _remove_fetched(self, host: Host, now: datetime) -> int:
        """Remove files of fetched mails once nothing would be done twice, or after some days; return their number."""
        folder = self.inbox / "cur"
        if not folder.is_dir():
            return 0
        files = sorted(folder.iterdir())
        oldest = (now - timedelta(days=self.limits.days)).timestamp()
        self._left &= {file.name for file in files}
        found: dict[str, list[Path]] = {}
        for file in islice((file for file in files if self._is_old(file, oldest)), MAX_FILES_PER_ROUND):
            with suppress(OSError), file.open("rb") as mail:
                found.setdefault(sha256(mail.read(MOST_BYTES + 1)).hexdigest(), []).append(file)
        if not found:
            return 0
        with host.store.begin_transaction() as transaction:
            read = transaction.retention.list_read(list(found))
        removed = 0
        for digest, needless in read.items():
            for file in found[digest]:
                if needless or file.stat().st_mtime < oldest:
                    file.unlink(missing_ok=True)
                    removed += 1
                else:
                    self._left.add(file.name)
        return removed

    def _is_old(self, file: Path, oldest: float) -> bool:
        with suppress(FileNotFoundError):
            return file.name not in self._left or file.stat().st_mtime < oldest
        return False


RETRY_DELAY = timedelta(hours=1)


@cites("club.digest.once")
def send_due_digests(host: Host, now: datetime, seconds: float = SECONDS) -> int:
    """Send due digests for about `seconds`, each in its own transaction; return their number. Raises an error at the end."""
    sent, failure, until = 0, None, monotonic() + seconds
    for address in host.store.list_due_documents(DigestBook.KIND, now):
        if monotonic() > until:
            break
        try:
            with host.store.begin_transaction() as transaction:
                sent += _send_digest(host, transaction, address, now)
        except DatabaseError:
            raise
        except Exception as error:  # noqa: BLE001 - a defect of ours: the other digests go out
            failure = error
            with host.store.begin_transaction() as transaction:
                if document := transaction.documents.get_document(DigestBook.KIND, address):
                    transaction.documents.store_document(evolve(document, due=now + RETRY_DELAY))
    if failure is not None:
        raise failure
    return sent


def _send_digest(host: Host, transaction: Transaction, address: str, now: datetime) -> int:
    """Send a digest if it is still due; return the number of letters sent."""
    document = transaction.documents.get_document(DigestBook.KIND, address)
    if document is None or document.due is None or document.due > now:
        return 0
    book = DigestBook.read_text(document.data)
    ended = {*book.told, *book.heard}
    games = [(each.id, each.read_hosted()) for each in transaction.list_games_of(address, tuple(ended))]
    name = get_current_member(transaction, address).name
    made = write_digest(book, list_games_of_member(games, address, now), now, name)
    if made is not None:
        book = note_issued(made.book, made.letter.about.partition(" ")[2], _make_keys(host, transaction, made.games))
        host.visitors.post_letters(transaction, [made.letter])
    due = None if book.last else book.find_next_time(now)
    transaction.documents.store_document(evolve(document, data=book.text, due=due))
    return int(made is not None)


@cites("club.digest.order")
def _make_keys(host: Host, transaction: Transaction, games: Iterable[MemberGame]) -> dict[str, str]:
    given: dict[str, Key] = {}
    for each in games:
        marker = make_next_marker(each.game.view_as(each.seat))
        word = make_key(host.secret, each.id, each.seat, marker.turn, find_course(each.game, marker.after))
        given[word] = Key(each.id, each.seat, marker.turn)
    transaction.allow_keys(given)
    return {key.game: word for word, key in given.items()}


@define
class TimeWatch:
    """Watches the time for a host at work: `now` is the machine's clock, `since_start` the one that nobody sets."""

    now: Callable[[], datetime]
    since_start: Uptime = read_uptime
    machine: str = MACHINE
    _known: HostTime | None = None

    @property
    def believed(self) -> bool:
        """True if the machine's clock is believed, after a look at it: else no clock of a game runs."""
        return self._known is not None and self._known.believed

    def read_time(self) -> datetime:
        """Return the time, as far as the host believes it."""
        seen = read_clocks(self.now(), self.since_start, self.machine)
        return self._known.find_time(seen) if self._known is not None else seen.time

    def begin_round(self, host: Host) -> None:
        """Look at the clocks as a round begins. What was noted less than a minute ago is not noted again."""
        seen = read_clocks(self.now(), self.since_start, self.machine)
        if self._known is None or not self._known.is_recent(seen):
            with host.store.begin_transaction() as transaction:
                self._known = look_at_clocks(host.visitors, transaction, seen)

    def forget_time(self) -> None:
        """Forget the time: the host is as it was at another time, because it was restored."""
        self._known = None

    def tell_absence(self, host: Host) -> int:
        """Tell players of an absence that they do not know of yet, for about half a second; return the number of letters."""
        count, until = 0, monotonic() + SECONDS
        while self._known is not None and self._known.away is not None and monotonic() < until:
            with host.store.begin_transaction() as transaction:
                letters, known = tell_absence_to_players(host.visitors, transaction, self.read_time())
            count += letters
            self._known = evolve(self._known, away=known.away if known else None)
        return count


@cites("club.stop")
def end_letters(host: Host, key: str, now: datetime) -> bool:
    """Stop the letters of the kind to which a key belongs; return False for no such kind. It sends no letter about that."""
    if len(key) != LENGTH:
        return False
    with host.store.begin_transaction() as transaction:
        known = transaction.documents.find_key([key])
        if known is None or known.about.partition(" ")[0] not in STOPS:
            return False
        sender = Sender(address=known.address)
        mail = Mail(sender, now, about=known.about, terms=host.club, host=host.address, entropy=host.draw())
        state = StoredState(transaction, now)
        host.mails.door.write_result(state, carry_out_club_order(STOP, mail, state))
    return True


def end_overdue_gatherings(host: Host, now: datetime) -> int:
    """End games that found no players in time, and forget unanswered questions; return the number of both."""
    with host.store.begin_transaction() as transaction:
        return host.mails.door.end_overdue(transaction, now)


AT_WORK = timedelta(minutes=15)
"""Time after which a machine that has not looked at its mailbox is not waited for."""


def note_mailbox(store: Store, name: str, now: datetime) -> None:
    with store.begin_transaction() as transaction:
        known = transaction.documents.find_value(Mailboxes) or Mailboxes()
        seen = {each: time for each, time in known.seen.items() if now - time < REREAD_BEFORE}
        transaction.documents.store_document(Mailboxes({**seen, name: now}).document)


def is_read(store: Store, names: Collection[str], now: datetime) -> bool:
    """Return True if all mailboxes, by their names, were read again since the host was restored, if it ever was.

    Those of other machines that were at work are waited for, but not for long: they may never come back.
    """
    at = store.find_value(Restoration)
    if at is None or at.complete:
        return True
    if not {*names, *(at.awaited if abs(now - at.restored) < AT_WORK else ())} <= set(at.read):
        return False
    with store.begin_transaction() as transaction:
        at = transaction.documents.find_value(Restoration)
        if at is not None and set(names) <= set(at.read):
            transaction.documents.store_document(evolve(at, complete=True).document)
    return True


@cites("club.restored")
def read_again(store: Store, name: str, inbox: Inbox, now: datetime, journal: Journal | None) -> int:
    """Keep the mails of a mailbox that were fetched before the host was restored, and return the number of new ones.

    A machine that comes back later than the others does so too, within the time for which mailboxes keep mails.

    Each counts as having come when it was `fetched`, where that is known by its digest, or else when it came into the
    mailbox: so nobody's time has run out meanwhile, and letters that are made again are the same as before.
    """
    at = store.find_value(Restoration)
    if at is None or name in at.read or (at.complete and now - at.restored > REREAD_BEFORE):
        return 0
    noted: Mapping[str, datetime] = {}
    if journal is not None:
        journal.close_before_restore(at.restored)
        noted = journal.list_fetched()
    mails = [(noted.get(sha256(raw).hexdigest(), came), raw) for came, raw in inbox.list_again(at.since)]
    mails.sort(key=lambda mail: mail[0])
    new = sum(store.keep_mail(raw, min(max(came, at.copied), now)) for came, raw in mails)
    with store.begin_transaction() as transaction:
        at = transaction.documents.find_value(Restoration)
        if at is not None and name not in at.read:
            transaction.documents.store_document(evolve(at, read=(*at.read, name)).document)
    return new


def is_replayed(store: Store) -> bool:
    """Return True if all mails were carried out that came before the host was restored, if it ever was."""
    at, oldest = store.find_value(Restoration), store.find_oldest_waiting()
    return at is None or at.done or (at.complete and (oldest is None or oldest >= at.restored))


@cites("club.restored")
def carry_out_again(host: Host, now: datetime, stopped: Callable[[], bool]) -> int:
    """Carry out the mails that came before the host was restored, in the order in which they came, and return their number.

    What was due before a mail came is done before it, so that all goes as it went before. What another worker is at
    is waited for in the next round.
    """
    done, worked = 0, 1
    while worked and not (is_replayed(host.store) or stopped()):
        host.run_clocks(now)
        _perform_due_chores(host, find_earlier(now, host.store.find_oldest_waiting()))
        worked = host.work_on_oldest(now)
        done += worked
    return done


def _perform_due_chores(host: Host, now: datetime) -> None:
    """Perform the chores that were due by a time, except the clocks of games. The round repeats those that fail."""
    for chore in (end_overdue_gatherings, partial(send_due_digests, seconds=inf), advance_tournaments):
        try:
            chore(host, now)
        except DATABASE_ERRORS:
            raise
        except Exception:  # noqa: BLE001, S112 - a defect of ours: the mails are carried out
            continue


@cites("club.restored")
def tell_players_of_restore(host: Host, now: datetime) -> int:
    """Tell the players of some games that the host was restored, when all mails that came since are carried out.

    A round does so for about as long as new mails may wait; the next round goes on with the games behind the last one `told`.
    """
    done, until = 0, monotonic() + SECONDS
    while monotonic() < until:
        known = host.store.find_value(Restoration)
        if known is None or not known.complete or known.done or host.store.find_oldest_waiting():
            break
        game = host.store.find_next_running(known.told[-1] if known.told else "")
        with host.store.begin_transaction() as transaction:
            at = transaction.documents.find_value(Restoration)
            if at is None or at != known:
                continue  # another worker has told the players of a game
            if stored := transaction.get_game(game) if game else None:
                host.mails.save_change(transaction, game, tell_restored(stored.read_hosted(), at, now))
                done += 1
            after = evolve(at, told=(game,)) if game else evolve(at, done=True, told=())
            transaction.documents.store_document(after.document)
    return done
