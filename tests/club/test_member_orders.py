"""Lines that are orders of members, lines that are wrong, and lines that are neither."""

from __future__ import annotations

from tests.shared.club_lines import read_club_line
from tests.shared.tables import each_row
from tkid.club.order_values import ClubOrder
from tkid.kernel.problems import Problem
from tkid.orders.order_values import Order

UNDERSTOOD: list[tuple[str, Order]] = [
    ("digest daily", ClubOrder("digest", on=True)),
    ("Digest off.", ClubOrder("digest", on=False)),
    ("notify each game", ClubOrder("digest", on=False)),
    ("observe winter", ClubOrder("observe", "winter")),
    ("observe winter delay 3", ClubOrder("observe", "winter", delay=3)),
    ("observe the game winter, with a delay of 4 turns", ClubOrder("observe", "winter", delay=4)),
    ("stop observing", ClubOrder("stop observing")),
    ("stop observing winter", ClubOrder("stop observing", "winter")),
    ("observers off winter", ClubOrder("observers", on=False, game="winter")),
    ("observers on winter", ClubOrder("observers", on=True, game="winter")),
    ("take seat Bob of winter", ClubOrder("take seat", "winter", player="Bob")),
    ("take the seat of Bob Smith in winter", ClubOrder("take seat", "winter", player="Bob Smith")),
    ("take seat Bob of winter as Cal", ClubOrder("take seat", "winter", "Cal", player="Bob")),
    ("offer seat Bob of winter", ClubOrder("offer seat", "winter", player="Bob")),
    ("address New@Example.org", ClubOrder("address", to="new@example.org")),
    ("address <new@example.org>", ClubOrder("address", to="new@example.org")),
    ("address new@example.org <mailto:new@example.org>", ClubOrder("address", to="new@example.org")),
    ("anonymous on", ClubOrder("anonymous", on=True)),
    ("calendar off", ClubOrder("calendar", on=False)),
    ("stop", ClubOrder("stop")),
    ("unsubscribe please", ClubOrder("stop")),
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
