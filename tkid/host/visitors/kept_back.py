"""Letters of games that are kept back for their reader's digest."""

from __future__ import annotations

from datetime import datetime

from tkid.club.digest import KIND, DigestBook
from tkid.club.members import DAILY, FORMER, Member
from tkid.club.members import KIND as MEMBER
from tkid.host.store.documents import Document
from tkid.host.store.transaction import Transaction
from tkid.mail.game.clock import shown
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.letters.blocks import Letter
from tkid.rulebook import cites


def member_of(transaction: Transaction, address: str) -> Member:
    """A member as it is now, also by a former address; or one of whom nothing is known."""
    document = transaction.documents.seen(MEMBER, address.lower())
    if document is None and (moved := transaction.documents.seen(FORMER, address.lower())):
        document = transaction.documents.seen(MEMBER, moved.data)
    return Member.read(document.data) if document else Member.new(address)


@cites("club.digest")
def kept_back(  # noqa: PLR0917 - the letter, whom it is for, and the game that it is about
    transaction: Transaction, name: str, game: HostedGame, letter: Letter, address: str, now: datetime
) -> bool:
    """Whether a letter of a game is kept for its reader's digest; what it says is remembered then."""
    if not letter.may_wait or member_of(transaction, address).digest != DAILY:
        return False
    document = transaction.documents.get(KIND, address.lower())
    if document is None:
        return False
    book = DigestBook.read(document.data)
    clock = shown(game.time, now)
    late = clock is not None and clock.seat == letter.seat and clock.deadline <= book.next_time(now)
    if late and letter.kind == "turn":
        book = book.having_told(name, game.turns)
    else:
        book = book.keeping(name, letter, game.turns)
        late = False
    transaction.documents.put(Document(KIND, document.id, book.text, document.due))
    return not late
