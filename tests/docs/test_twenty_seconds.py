"""A dispute at the table: questions typed on a slow phone, from the first page, with and without a network.

What decides is that the answer comes into view. How long that takes is printed.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.shared.tables import sample
from tkid.rulebook import rule

QUESTIONS = {
    "who wins a tie in a region": "second.struggle.tie",
    "can I undo a swap": "second.ruling.undo",
    "must I summon after every card": "second.summon.must",
    "if I pass am I out": "second.turn.pass",
    "what if I can only do part of a card": "second.partial.in-full",
    "do outmaneuver regions need to be neighbours": "second.card.outmanoeuvre.border",
    "who wins if the French invade": "second.ending.invasion.sets",
    "can I negotiate without a disc": "second.card.negotiate.disc-left",
    "can I talk to my teammate": "second.team.secrets",
    "tiebreak at the coronation": "second.ending.coronation.second",
}
SHOWN = """(() => {
    const list = document.querySelector("#ask-list");
    if (list.hidden) return false;
    const named = [...list.querySelectorAll("[role=option]")].slice(0, 3)
        .flatMap(option => [...option.querySelectorAll("*")]).find(each => each.textContent === %r);
    if (!named) return false;
    const box = named.getBoundingClientRect();
    return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
})()"""
"""Whether one of the first three answers has a title, and that is on the screen."""
TAKEN_OVER = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
SLOW = {"cpu": 4, "bytes_a_second": 200_000, "latency": 150}
"""A quarter of the speed, and 1.6 Mbit/s."""

pytestmark = IN_A_BROWSER


@pytest.fixture
def phone(chromium: Chromium) -> Iterator[Chromium]:
    chromium.screen(390, 844)
    chromium.slow_down(**SLOW)
    yield chromium
    chromium.slow_down(cpu=1, bytes_a_second=-1, latency=0)
    chromium.complaints.clear()  # without a network it complains of that


def answered(phone: Chromium, address: str, question: str, title: str) -> float:
    """Open the first page, type a question letter by letter, and wait for its answer. Seconds since the first letter."""
    phone.open(address)
    phone.tap("#q")
    phone.wait("document.activeElement.id === 'q'")
    began = time.monotonic()
    phone.press(*question)
    phone.wait(SHOWN % title)
    return time.monotonic() - began


@pytest.mark.parametrize(("way", "number"), sample([("without", 1), ("without", 10), ("with", 10)], 3))
def test_questions_are_answered_in_view(
    phone: Chromium, network: tuple[str, ExitStack], way: str, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    address, connection = network
    phone.open(address)
    if way == "without":
        phone.wait(TAKEN_OVER)
        connection.close()
    times = {q: answered(phone, address, q, rule(rule_id).title) for q, rule_id in [*QUESTIONS.items()][:number]}
    with capsys.disabled():
        print(f"\nseconds from the first letter to the answer, {way} a network:")  # noqa: T201
        for question, seconds in times.items():
            print(f"  {seconds:4.1f}  {question}")  # noqa: T201
