"""Mails that carry no key of a game: who they are from decides what becomes of them; and the letters of the club."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from tkid.club.message import ClubLetter, compose
from tkid.club.terms import ClubTerms
from tkid.host.store.documents import ClubKey
from tkid.host.store.transaction import Outgoing, Transaction, message_id
from tkid.mail.inbound.authentication import Required
from tkid.mail.keys import club_key_for
from tkid.mail.model import IDS, Intake

KEY = IDS("key")


@frozen
class Visitors:
    """The visitors of a host: its address, the secret of its keys, its owner, what is required of mails, the club's terms."""

    address: str
    secret: bytes
    owner: str
    required: Required | None
    club: ClubTerms

    def post(self, transaction: Transaction, letters: Iterable[ClubLetter], answered: Intake | None = None) -> None:
        """Put letters of the club into the outgoing mail, each with a key that shows whom it went to and what it is about.

        Args:
            transaction: where it is written.
            letters: the letters. One to the sender of `answered` answers that mail.
            answered: the mail that is answered, if one is.
        """
        for letter in letters:
            key = club_key_for(self.secret, letter.address, letter.about, letter.time.isoformat())
            about = answered if answered is not None and answered.sender == letter.address.lower() else None
            raw = compose(letter, self.address, key, about, self.club.unsubscribe, self.club.name)
            transaction.documents.allow({key: ClubKey(letter.address.lower(), letter.about)})
            transaction.post([Outgoing(message_id(raw), "", letter.address, raw)])
