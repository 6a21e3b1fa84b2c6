"""Letters of a host that came back: which reports are believed, and when the owner hears that a player is not reached."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from tkid.host.store.queries import MOST_BOUNCES
from tkid.host.store.transaction import Transaction
from tkid.host.visitors.mails import Visitors
from tkid.host.visitors.notices import unreachable
from tkid.mail.desk.service import HostedGame
from tkid.mail.inbound.bounces import Report, report
from tkid.mail.inbound.envelope import is_address
from tkid.rulebook import cites


@frozen
class Returned:
    """Letters that came back, at the host of these visitors."""

    visitors: Visitors

    @cites("mail.bounce")
    def reported(self, transaction: Transaction, raw: bytes, now: datetime) -> bool:
        """Note a letter of ours that a mail reports as not delivered, if it shows that the report is true; whether it does."""
        bounce = report(raw)
        if bounce is None:
            return False
        for letter_id, address in self._proven(transaction, bounce):
            self.came_back(transaction, letter_id, address, bounce.reason, now)
            return True
        return False

    def came_back(self, transaction: Transaction, letter_id: str, address: str, reason: str, now: datetime) -> None:
        """Note that a letter came back; the owner is told once that a player is not reached."""
        owner = self.visitors.owner
        if address.lower() == owner.lower() or transaction.bounced(letter_id, address, reason, now) != MOST_BOUNCES:
            return
        if is_address(owner):
            self.visitors.post(transaction, [unreachable(owner, address, reason, now)])

    def _proven(self, transaction: Transaction, bounce: Report) -> list[tuple[str, str]]:
        """The letters that a report proves to be about, by Message-ID, each with the address that it went to."""
        by_address = [each.letter for each in bounce.addresses if each.is_ours(self.visitors.secret)]
        letters = {each: transaction.letter(each) for each in (*by_address, *bounce.letters)}
        proven = [(each, letter[1]) for each in by_address if (letter := letters[each])]
        key = transaction.key(bounce.keys)
        game = (
            transaction.game(key.game)
            if key and any(each and each[0] == key.game for each in letters.values())
            else None
        )
        if key and game:
            address = HostedGame.stored(game.record, game.memory).address(key.seat)
            named = [(each, letters[each]) for each in bounce.letters]
            proven += [(each, address) for each, letter in named if letter == (key.game, address)]
        return proven
