"""After a restore: the mailboxes are read again, and the players of each game are told how it stands now."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from hashlib import sha256

from attrs import evolve

from tkid.club.restoration import KIND, NAME, Restoration
from tkid.host.mails import earlier
from tkid.host.results.tournaments import tournaments
from tkid.host.service import Host
from tkid.host.store.connection import DATABASE_ERRORS
from tkid.host.store.documents import Document
from tkid.host.store.store import Store
from tkid.host.store.transaction import Transaction
from tkid.host.transports.protocols import Inbox
from tkid.host.upkeep.lost import restoration, told
from tkid.host.visitors.digests import send_due
from tkid.host.visitors.tables import look_at_tables
from tkid.rulebook import cites


class _ToldError(Exception):
    """Another worker has told the players of a game."""


def is_read(store: Store, names: Collection[str]) -> bool:
    """Whether all mailboxes, by their names, were read again since the host was restored, if it ever was."""
    at = _seen(store)
    if at is None or at.complete:
        return True
    if not set(names) <= set(at.read):
        return False
    with store.writing() as transaction:
        at = restoration(transaction)
        if at is not None and set(names) <= set(at.read):
            _keep(transaction, evolve(at, complete=True))
    return True


@cites("club.restored")
def read_again(
    store: Store, name: str, inbox: Inbox, now: datetime, fetched: Callable[[], Mapping[str, datetime]] = dict
) -> int:
    """Keep the mails of a mailbox that were fetched before the host was restored; how many the host did not know.

    Each counts as having come when it was `fetched`, where that is known by its digest, or else when it came into the
    mailbox: so nobody's time has run out meanwhile, and letters that are made again are the same as before.
    """
    at = _seen(store)
    if at is None or at.complete or name in at.read:
        return 0
    noted = fetched()
    mails = [(noted.get(sha256(raw).hexdigest(), came), raw) for came, raw in inbox.again(at.since)]
    mails.sort(key=lambda mail: mail[0])
    new = sum(store.keep(raw, min(max(came, at.copied), now)) for came, raw in mails)
    with store.writing() as transaction:
        at = restoration(transaction)
        if at is not None and name not in at.read:
            _keep(transaction, evolve(at, read=(*at.read, name)))
    return new


def is_replayed(store: Store) -> bool:
    """Whether all mails were carried out that came before the host was restored, if it ever was."""
    at, oldest = _seen(store), store.oldest_waiting()
    return at is None or at.done or (at.complete and (oldest is None or oldest >= at.restored))


@cites("club.restored")
def carry_out_again(host: Host, now: datetime, stopped: Callable[[], bool]) -> int:
    """Carry out the mails that came before the host was restored, in the order in which they came; how many there were.

    What was due before a mail came is done before it, so that all goes as it went before.
    """
    done = 0
    while not (is_replayed(host.store) or stopped()):
        host.tick(now)
        _do_due(host, earlier(now, host.store.oldest_waiting()))
        done += host.work_on_oldest(now)
    return done


def _do_due(host: Host, now: datetime) -> None:
    """Do what was due by a time beside the clocks of games. What fails is done again in the round, which says why."""
    for chore in (look_at_tables, send_due, tournaments):
        try:
            chore(host, now)
        except DATABASE_ERRORS:
            raise
        except Exception:  # noqa: BLE001, S112 - a defect of ours: the mails are carried out
            continue


@cites("club.restored")
def tell_players(host: Host, now: datetime) -> int:
    """Tell the players of each game that the host was restored, when all mails that came since are carried out."""
    at = _seen(host.store)
    if at is None or not at.complete or at.done or host.store.waiting():
        return 0
    games = [game.id for game in host.store.games() if not game.over and game.id not in at.told]
    done = sum(_tell(host, game, at, now) for game in games)
    with host.store.writing() as transaction:
        at = restoration(transaction) or at
        _keep(transaction, evolve(at, done=True, told=()))
    return done


def _tell(host: Host, game: str, at: Restoration, now: datetime) -> bool:
    """Tell the players of a game, in one transaction with the note that they were told."""

    def note(transaction: Transaction) -> None:
        at = restoration(transaction)
        if at is None or at.done or game in at.told:
            raise _ToldError
        _keep(transaction, evolve(at, told=(*at.told, game)))

    try:
        host.change(game, lambda hosted: told(hosted, at, now), note)
    except _ToldError:
        return False
    return True


def _seen(store: Store) -> Restoration | None:
    text = store.document(KIND, NAME)
    return Restoration.read_text(text) if text else None


def _keep(transaction: Transaction, restoration: Restoration) -> None:
    transaction.documents.put(Document(KIND, NAME, restoration.text))
