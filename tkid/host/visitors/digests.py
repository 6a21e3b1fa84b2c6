"""Sends digests when they are due, each once and in a transaction of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from tkid.club.digest import KIND, DigestBook, digest, issued
from tkid.club.member_games import MemberGame, member_games
from tkid.host.reply_reader import course
from tkid.host.service import Host
from tkid.host.store.connection import DatabaseError
from tkid.host.store.documents import Document
from tkid.host.store.transaction import Key, Transaction
from tkid.host.visitors.kept_back import member_of
from tkid.mail.game.hosted_game import HostedGame, next_marker
from tkid.mail.keys import key_for
from tkid.rulebook import cites

LATER = timedelta(hours=1)
"""How long a digest waits that could not be made."""


@cites("club.digest.once")
def send_due(host: Host, now: datetime) -> int:
    """Send the digests that are due by now, each in a transaction of its own; how many went out.

    Raises what went wrong with one of them, when the others are done.
    """
    sent, failure = 0, None
    for address in host.store.documents_due(KIND, now):
        try:
            with host.store.writing() as transaction:
                sent += _send(host, transaction, address, now)
        except DatabaseError:
            raise
        except Exception as error:  # noqa: BLE001 - a defect of ours: the other digests go out
            failure = error
            with host.store.writing() as transaction:
                if document := transaction.documents.get(KIND, address):
                    transaction.documents.put(Document(KIND, address, document.data, now + LATER))
    if failure is not None:
        raise failure
    return sent


def _send(host: Host, transaction: Transaction, address: str, now: datetime) -> int:
    """Send a digest if it is still due; how many went out."""
    document = transaction.documents.get(KIND, address)
    if document is None or document.due is None or document.due > now:
        return 0
    book = DigestBook.read(document.data)
    ended = {*book.told, *book.heard}
    games = stored_games(transaction, address, ended)
    made = digest(book, member_games(games, address, now), now, member_of(transaction, address).name)
    if made is not None:
        day = made.letter.about.partition(" ")[2]
        book = issued(made.book, day, _keys(host, transaction, made.games))
        host.visitors.post(transaction, [made.letter])
    due = None if book.last else book.next_time(now)
    transaction.documents.put(Document(KIND, address, book.text, due))
    return int(made is not None)


def stored_games(transaction: Transaction, address: str, ended: Iterable[str] = ()) -> Mapping[str, HostedGame]:
    """The games in whose record an address is, by name."""
    games = transaction.games_of(address, tuple(ended))
    return {each.id: HostedGame.stored(each.record, each.memory) for each in games}


@cites("club.digest.order")
def _keys(host: Host, transaction: Transaction, games: Iterable[MemberGame]) -> dict[str, str]:
    """The keys of the games in a digest, as their turn mails would have them, made valid."""
    given: dict[str, Key] = {}
    for each in games:
        marker = next_marker(each.game.known(each.seat))
        word = key_for(host.secret, each.id, each.seat, marker.turn, course(each.game, marker.after))
        given[word] = Key(each.id, each.seat, marker.turn)
    transaction.allow(given)
    return {key.game: word for word, key in given.items()}
