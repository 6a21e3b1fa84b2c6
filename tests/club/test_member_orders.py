"""Lines that are orders of members, lines that are wrong, and lines that are neither."""

from __future__ import annotations

from tests.shared.club_lines import read_club_line
from tests.shared.tables import each_row
from tkid.club.order_values import (
    ChangeAddress,
    Observe,
    OfferSeat,
    Stop,
    StopObserving,
    Switch,
    TakeSeat,
)
from tkid.kernel.problems import Problem
from tkid.orders.order_values import Order

UNDERSTOOD: list[tuple[str, Order]] = [
    ("digest daily", Switch("digest", on=True)),
    ("Digest off.", Switch("digest", on=False)),
    ("notify each game", Switch("digest", on=False)),
    ("observe winter", Observe("winter")),
    ("observe winter delay 3", Observe("winter", 3)),
    ("observe the game winter, with a delay of 4 turns", Observe("winter", 4)),
    ("stop observing", StopObserving()),
    ("stop observing winter", StopObserving("winter")),
    ("observers off winter", Switch("observers", on=False, game="winter")),
    ("observers on winter", Switch("observers", on=True, game="winter")),
    ("take seat Bob of winter", TakeSeat("Bob", "winter")),
    ("take the seat of Bob Smith in winter", TakeSeat("Bob Smith", "winter")),
    ("take seat Bob of winter as Cal", TakeSeat("Bob", "winter", "Cal")),
    ("offer seat Bob of winter", OfferSeat("Bob", "winter")),
    ("address New@Example.org", ChangeAddress("new@example.org")),
    ("address <new@example.org>", ChangeAddress("new@example.org")),
    ("address new@example.org <mailto:new@example.org>", ChangeAddress("new@example.org")),
    ("anonymous on", Switch("anonymous", on=True)),
    ("calendar off", Switch("calendar", on=False)),
    ("stop", Stop()),
    ("unsubscribe please", Stop()),
]
WRONG = [
    "digest weekly",
    "anonymous",
    "calendar maybe",
    "observe winter delay 99",
    "observe winter delay soon",
    "take seat Bob",
    "address",
    "address nobody",
    "stop observing two games",
]
NEITHER = [
    "Stop sending me these mails, they are far too many",
    "The address of the club is on its pages, as you know",
    "Calendar is a nice word, I think, is it not?",
    "observers are welcome here as far as I am concerned",
    "Digest of the week: we lost again, and it was late",
]


@each_row(("line", "order"), UNDERSTOOD)
def test_orders(line: str, order: Order) -> None:
    """A line and its order."""
    assert read_club_line(line) == order


@each_row("line", WRONG)
def test_wrong_lines(line: str) -> None:
    """A line that was meant as an order is explained, with its place and a way out."""
    wrong = read_club_line(line)
    assert isinstance(wrong, Problem)
    assert wrong.hint
    assert 1 <= wrong.col <= len(line) + 1


@each_row("line", NEITHER)
def test_remarks(line: str) -> None:
    """Sentences that begin like an order are none."""
    assert read_club_line(line) is None
