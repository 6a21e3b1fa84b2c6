"""What the host did with each mail, and how often each order of its tables was carried out."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from unittest.mock import patch

from attrs import define, field

from tkid.club.club_state import ClubState
from tkid.club.desk_orders import TABLE, DeskOrder
from tkid.club.order_handlers import carry_out_line
from tkid.club.order_reader import match_club_kind
from tkid.club.order_values import KINDS
from tkid.host import club_mail
from tkid.host.desk import Desk
from tkid.host.mails import Mails
from tkid.host.store.transaction import Incoming, Transaction
from tkid.mail.model import OrderLine
from tkid.mail.order_machine import Mail, OrderResult

CLUB, DESK = [kind.name for kind in KINDS], [kind.name for kind in TABLE]
"""The rows of both tables."""
MAIL, COMMAND = "mail", "command"
NOT_HERE = {
    ("desk", COMMAND): "a terminal has `--help` in place of the list of orders",
    ("confirm clock", COMMAND): "the command looks at the clocks of this machine, and the club has clocks of its own",
}
"""What cannot occur in a simulated club, and why."""
MESSAGE_ID = re.compile(rb"(?im)^message-id: *(<[^>]+>)")


def row_of(line: str) -> str:
    """The row of the club's table that fits a line, "" for none: rows share classes, so the line decides."""
    kind = match_club_kind(line)
    return kind.name if kind else ""


def id_of(mail: bytes) -> str:
    """The Message-ID of a mail, "" where it has none."""
    found = MESSAGE_ID.search(mail[: mail.find(b"\n\n")])
    return found[1].decode() if found else ""


@define
class Counts:
    """How often each row was carried out, and what became of each mail.

    `desk` counts by kind and way. `became` are the states in which mails ended, each with the reason, by Message-ID: one
    that is carried out again after a restore has two. `answers` are the mails of which a line has an answer.
    """

    club: Counter[str] = field(factory=Counter)
    desk: Counter[tuple[str, str]] = field(factory=Counter)
    became: defaultdict[str, list[tuple[str, str]]] = field(factory=lambda: defaultdict(list))
    answers: set[str] = field(factory=set)
    mail: str = ""
    """The one that is carried out now."""

    def missing(self) -> list[str]:
        """The rows of both tables that were never carried out; those of the desk by mail, and by command where that counts."""
        club = [f"club: {row}" for row in CLUB if not self.club[row]]
        ways = [(row, way) for row in DESK for way in (MAIL, COMMAND) if (row, way) not in NOT_HERE]
        return club + [f"desk: {row}, by {way}" for row, way in ways if not self.desk[row, way]]

    def order(self, result: OrderResult) -> None:
        """Count a line of a mail to the club."""
        if result.lead or result.problem:
            self.answers.add(self.mail)
        if result.problem is None and (row := row_of(result.line.typed)):
            self.club[row] += 1

    def desk_order(self, kind: str, answer: OrderResult) -> None:
        """Count an order of the desk."""
        self.answers.add(self.mail)
        if answer.problem is None:
            self.desk[kind, MAIL if self.mail else COMMAND] += 1


@contextmanager
def counting() -> Iterator[Counts]:
    """Count what every host of this process does."""
    counts = Counts()
    carry_out, take_in = Desk.carry_out, Desk.take_in
    mail, finish = Mails.carry_out, Transaction.finish_mail

    def line_done(line: OrderLine, mail: Mail, state: ClubState) -> OrderResult:
        result = carry_out_line(line, mail, state)
        counts.order(result)
        return result

    def desk_done(desk: Desk, transaction: Transaction, order: DeskOrder, sent: Mail) -> OrderResult:
        answer = carry_out(desk, transaction, order, sent)
        counts.desk_order(order.kind, answer)
        return answer

    def taken_in(desk: Desk, transaction: Transaction, name: str, record: bytes, now: datetime) -> OrderResult:
        answer = take_in(desk, transaction, name, record, now)
        counts.desk_order("import", answer)
        return answer

    def mail_done(mails: Mails, transaction: Transaction, incoming: Incoming, now: datetime) -> None:
        counts.mail = id_of(incoming.raw)
        try:
            mail(mails, transaction, incoming, now)
        finally:
            counts.mail = ""

    def finished(transaction: Transaction, number: int, state: str, reason: str = "", *more: Any, **named: Any) -> None:
        counts.became[counts.mail].append((state, reason))
        finish(transaction, number, state, reason, *more, **named)

    with (
        patch.object(club_mail, "carry_out_line", line_done),
        patch.object(Desk, "carry_out", desk_done),
        patch.object(Desk, "take_in", taken_in),
        patch.object(Mails, "carry_out", mail_done),
        patch.object(Transaction, "finish_mail", finished),
    ):
        yield counts
