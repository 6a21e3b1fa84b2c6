"""Lines of mails that tests give as they are typed, read as a mail's lines are."""

from __future__ import annotations

from tkid.mail.hosted_game import HostedGame
from tkid.mail.model import Marker, OrderLine, Orders
from tkid.mail.order_finder import OrderReader, get_order_reader


def lines_of(reader: OrderReader, *typed: str) -> tuple[OrderLine, ...]:
    """Lines as they are read."""
    return tuple(OrderLine(line, reader.read_line(line)) for line in typed)


def ordered(
    at: HostedGame, seat: int, *typed: str, remark: tuple[str, ...] = (), marker: Marker | None = None
) -> Orders:
    """What a mail of a seat with these lines asks for."""
    return Orders(lines_of(get_order_reader(at.record.game, at.names, seat), *typed), remark, marker)
