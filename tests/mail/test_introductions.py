"""A line of ours that ends where `On … wrote:` begins at once, without a blank line: the two are never joined."""

from __future__ import annotations

import pytest

from tests.mail.test_order_finder_kinds import orders_of
from tkid.club.order_reader import find_orders_to_club
from tkid.club.order_values import NewGame
from tkid.mail.model import Intake, Line
from tkid.mail.quotation import mark_introductions

ORDER = "new game second-edition with bob@example.org, called long-winter-nights"
SAID = "say to all: what a game this is, and what a long evening it was for all of us"
ABOVE = [
    "On Sat, 21 Nov 2026 at 10:00, The King is Dead <tkid@games.example> wrote:",
    "On Sat, 21 Nov 2026 at 10:00, The King is Dead <tkid@games.example>\nwrote:",
    "Am 21.11.2026 um 10:00 schrieb The King is Dead:",
]


@pytest.mark.parametrize("introduction", ABOVE)
@pytest.mark.parametrize("blank", ["", "\n"])
def test_an_order_to_the_club(introduction: str, blank: str) -> None:
    lines = [Line(text) for text in f"{ORDER}\n{introduction}".split("\n")]
    lines += [*([Line("")] if blank else []), Line("Nobody plays here yet.", quoted=True)]
    (line,) = find_orders_to_club(Intake("ann@example.org", tuple(lines), "", (), "")).lines
    assert line.typed == ORDER
    assert isinstance(line.read.order, NewGame)


@pytest.mark.parametrize("introduction", ABOVE)
def test_an_order_of_a_game(introduction: str) -> None:
    orders = orders_of(f"{SAID}\n{introduction}\n> x")
    assert [line.typed for line in orders.lines] == [SAID]
    assert orders.remark == ()


def test_what_is_no_introduction_stays() -> None:
    for text in ("say to all: at 10 I wrote:", "Here is what I mean:"):
        assert not mark_introductions([Line(text), Line("x", quoted=True)])[0].quoted
