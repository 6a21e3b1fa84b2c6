"""Lines to the club and to its owner's desk as values: the order, the problem, or None for a remark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tkid.club import desk_orders, order_reader


def read_club_line(line: str) -> Any:
    """The order to the club in a line, or what is wrong with it."""
    read = order_reader.read_club_line(line)
    return read and (read.order or read.problems[0])


def read_desk_line(line: str, games: Sequence[str]) -> Any:
    """The order to the desk in a line, or what is wrong with it."""
    read = desk_orders.read_desk_line(line, games)
    return read and (read.order or read.problems[0])
