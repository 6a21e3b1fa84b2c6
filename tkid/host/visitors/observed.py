"""Letters to those who observe a game, written in the transaction that changes it."""

from __future__ import annotations

from tkid.club.display_names import cast_of, find_member
from tkid.club.message import ClubLetter
from tkid.club.observers import KIND, Observers, observed
from tkid.host.store.documents import Document
from tkid.host.store.transaction import Transaction
from tkid.mail.desk.service import Outcome
from tkid.rulebook import cites


@cites("club.observe")
def observer_letters(transaction: Transaction, name: str, outcome: Outcome, least: int) -> tuple[ClubLetter, ...]:
    """The letters to those who observe a game that has changed; that they are written is remembered.

    `least` is by how many turns they are late at least.
    """
    document = transaction.documents.seen(KIND, name)
    document = transaction.documents.get(KIND, name) if document else None
    observers = Observers.read(document.data) if document else None
    if observers is None or not observers.watching:
        return ()
    game = outcome.game
    times = (*(letter.time for letter in outcome.letters), *filter(None, (game.time.latest,)))
    if not times:
        return ()
    cast = cast_of(game, lambda address: find_member(transaction.documents.text, address))
    made = observed(observers, game, cast, max(times), least)
    if made.letters:
        transaction.documents.put(Document(KIND, name, made.observers.text, None))
    return made.letters
