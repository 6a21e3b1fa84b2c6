"""How often mails are answered: never the same complaint twice a day, and not without end, so that nothing loops.

A program that answers by itself would otherwise write to the host, and the host to it, for ever. A person gets an answer
to everything that is new, and every turn is taken, however many mails came before.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from attrs import frozen

from tkid.host.store.transaction import Incoming, Transaction
from tkid.mail.desk.offers import waits
from tkid.mail.desk.service import HostedGame, Outcome
from tkid.mail.inbound.envelope import FROM, TOO_LARGE
from tkid.mail.inbound.mime import PARTS
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Letter, Paragraph
from tkid.mail.letters.content import Recipient
from tkid.mail.model import IDS, Intake, Orders, Refusal
from tkid.rulebook import cites

REPEATED = IDS("repeated")
MOST_ANSWERS = 20
"""Mails of one address that play no turn, and are answered on one day."""
MOST_LINES = 10
"""Lines of a mail that are read of a sender who is over that limit: a turn stands at the top."""
ELSEWHERE = IDS("other-address")
MOST_ASKED = 3
"""So often on one day a player is asked about mails from another address."""

ANSWERED_BEFORE = Refusal(REPEATED, "The same mail was answered before today")

REPAIRS = {
    TOO_LARGE: "Send your order again without attachments.",
    PARTS: "Send your order again without attachments.",
    FROM: "Send your order again from your own address, with that address alone in the From line.",
}
"""What to do about a mail that could not be read, by the rule it breaks."""
REPAIR = "Send your order again as plain text."


@frozen
class Limit:
    """Why a mail is filed and not carried out, and the letter that says so, the first time."""

    refusal: Refusal
    notice: Letter | None = None


@cites("mail.repeated", "post.answer.open")
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
    answers = bool(orders.answer) and waits(before, seat, orders)
    if outcome.problems and not outcome.record_changed and not answers:
        uncertain = (*(line.typed for line in orders.proposed), *orders.choices, orders.answer)
        said = (*orders.typed, "", *orders.remark, "", *uncertain)
        facts = (game, str(seat), before.turn_id, outcome.problems[0].rule, *said)
        what = sha256("\n".join(facts).encode("utf-8", "replace")).hexdigest()
        if transaction.counted(sender, day, what) > 1:
            return Limit(ANSWERED_BEFORE)
    mails = transaction.counted(sender, day, "")
    if mails <= MOST_ANSWERS:
        return None
    refusal = Refusal(REPEATED, f"More than {MOST_ANSWERS} mails that play no turn came today")
    return Limit(refusal, _notice(before, seat, received) if mails == MOST_ANSWERS + 1 else None)


@cites("mail.beginning")
def is_over_limit(mail: Incoming) -> bool:
    """Whether so many mails of the sender have played no turn on that day that only the beginning of this one is read."""
    return mail.in_vain > MOST_ANSWERS


@cites("mail.other-address")
def asked_often(transaction: Transaction, address: str, received: datetime) -> bool:
    """Whether a player was asked often enough on this day about mails from another address; counts this one."""
    return transaction.counted(address, received.date().isoformat(), ELSEWHERE) > MOST_ASKED


@cites("mail.unread")
def unread(  # noqa: PLR0917 - who, which mail, and what is wrong with it
    transaction: Transaction, hosted: HostedGame, seat: int, seen: Intake, refusal: Refusal, received: datetime
) -> Letter | None:
    """The letter that says that a mail with a player's key could not be read: one a day for each reason, none for a copy."""
    address, day = hosted.address(seat).lower(), received.date().isoformat()
    if not address:
        return None  # a bot writes no mails
    is_copy = seen.message_id and not transaction.first_time(f"unread {address}", seen.message_id, day=day)
    if is_copy or transaction.counted(address, day, refusal.rule) > 1:
        return None
    recipient = Recipient.of(hosted, seat, received)
    text = (
        f"{refusal.reason}. {REPAIRS.get(refusal.rule, REPAIR)} You can answer this mail. If you did not write that mail, "
        "you need not do anything."
    )
    lead, footer = "Nothing has been done: a mail with your key could not be read.", content.full_rule(refusal.rule)
    return content.letter(recipient, "note", content.framed(recipient, lead, (Paragraph(text),), (footer,)))


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
