"""How often mails are answered: never the same complaint twice a day, and not without end, so that nothing loops.

A program that answers by itself would otherwise write to the host, and the host to it, for ever. A person gets an answer
to everything that is new, and every turn is taken, however many mails came before.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from attrs import frozen

from tkid.host.store.transaction import Transaction
from tkid.mail.desk.service import HostedGame, Outcome
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Letter, Paragraph
from tkid.mail.letters.content import Recipient
from tkid.mail.model import IDS, Orders, Refusal
from tkid.rulebook import cites

REPEATED = IDS("repeated")
MOST_ANSWERS = 20
"""Mails of one address that play no turn, and are answered on one day."""
ELSEWHERE = IDS("other-address")
MOST_ASKED = 3
"""So often on one day a player is asked about mails from another address."""


@frozen
class Limit:
    """Why a mail is filed and not carried out, and the letter that says so, the first time."""

    refusal: Refusal
    notice: Letter | None = None


@cites("mail.repeated")
def limited(  # noqa: PLR0917 - who, in which game, what, and what came of it
    transaction: Transaction,
    game: str,
    seat: int,
    orders: Orders,
    before: HostedGame,
    outcome: Outcome,
    received: datetime,
) -> Limit | None:
    """Whether a mail is one too many: what it says was answered today, or it is beyond what is answered on a day.

    `before` is the game before the mail, `outcome` what would come of it, `received` when it came: a day is one in UTC.
    """
    if outcome.game.turns > before.turns:
        return None
    sender, day = before.address(seat).lower(), received.date().isoformat()
    if outcome.problems and not outcome.record_changed:
        uncertain = (*(line.typed for line in orders.proposed), *orders.choices, orders.answer)
        said = (*orders.typed, "", *orders.remark, "", *uncertain)
        facts = (game, str(seat), before.turn_id, outcome.problems[0].rule, *said)
        what = sha256("\n".join(facts).encode("utf-8", "replace")).hexdigest()
        if transaction.counted(sender, day, what) > 1:
            return Limit(Refusal(REPEATED, "The same was answered before on this day"))
    mails = transaction.counted(sender, day, "")
    if mails <= MOST_ANSWERS:
        return None
    refusal = Refusal(REPEATED, f"More than {MOST_ANSWERS} mails came on this day that play no turn")
    return Limit(refusal, _notice(before, seat, received) if mails == MOST_ANSWERS + 1 else None)


@cites("mail.other-address")
def asked_often(transaction: Transaction, address: str, received: datetime) -> bool:
    """Whether a player was asked often enough on this day about mails from another address; counts this one."""
    return transaction.counted(address, received.date().isoformat(), ELSEWHERE) > MOST_ASKED


def _notice(hosted: HostedGame, seat: int, now: datetime) -> Letter:
    """The letter that says that no more is answered on this day."""
    recipient = Recipient.of(hosted, seat, now)
    text = (
        f"{MOST_ANSWERS} of your mails of today played no turn, and were answered. This one was not read, and neither will "
        "others be until tomorrow (UTC): perhaps a program answers our mails for you, and the two would go on for ever. "
        "When it is your turn you can still play it."
    )
    lead, footer = "No more of your mails are answered today, unless they play a turn.", content.full_rule(REPEATED)
    return content.letter(recipient, "note", content.framed(recipient, lead, (Paragraph(text),), (footer,)))
