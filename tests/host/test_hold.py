"""Turns that are held at a real host: they are played once, at their time, whatever dies in between."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest

from tests.host.test_offers import Table, begun
from tests.host.year.players import TIME, host, letters, reply
from tests.mail.mails import body
from tkid.games.struggle.mail import find_example_turn

UNKNOWN = "This is frumious."
MINUTE = timedelta(minutes=1)
NUMBERS = count(1)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A game in which a turn is held."""
    with begun(tmp_path) as found:
        turn = find_example_turn(found.game.replay, "Assemble")
        (held,) = found.mail(f"{turn}\n\n{UNKNOWN}")
        assert body(held).startswith("Your turn will be played at ")
        assert UNKNOWN in body(held)
        found.letter = held
        yield found


def other(table: Table) -> str:
    """The other player."""
    return next(name for name in table.game.names if name != table.name)


def tick(table: Table, minutes: int) -> int:
    """Look at the clocks so many minutes after the mail; for how many games something was done."""
    now = TIME + minutes * MINUTE
    done = table.at.run_clocks(now)
    table.at.send_letters(now)
    return done


def test_a_held_turn_wakes_the_host(table: Table) -> None:
    due = table.at.store.get_game("game")
    assert due is not None
    assert due.due == TIME + 15 * MINUTE
    assert tick(table, 14) == 0
    assert len(letters(table.folder, other(table))) == 1, "the first letter, and no other"
    assert tick(table, 15) == 1
    assert len(table.turns) == 1
    (told,) = letters(table.folder, other(table))
    assert "Assemble" in body(told)
    assert tick(table, 30) == 0
    assert len(table.turns) == 1


def test_a_mail_of_somebody_else_is_answered_to_them_alone(table: Table) -> None:
    (first,) = letters(table.folder, other(table))
    late = TIME + 60 * MINUTE
    table.at.store.keep_mail(reply(first, "away?", other(table), 77_001), late)
    table.at.work_on_all(late)
    table.at.send_letters(late)
    assert len(table.turns) == 1
    (answer,), (receipt,) = letters(table.folder, other(table)), letters(table.folder, table.name)
    assert "In-Reply-To" in answer
    assert body(receipt).startswith("You played Assemble")
    assert "In-Reply-To" not in receipt


def test_a_host_that_starts_again_plays_it_once(table: Table) -> None:
    for minutes in (1, 20, 40):
        with host(table.folder) as again:
            again.run_clocks(TIME + minutes * MINUTE)
            again.send_letters(TIME + minutes * MINUTE)
    assert len(table.turns) == 1


def test_no_stops_it_whenever_the_host_reads_it(table: Table) -> None:
    table.at.store.keep_mail(reply(table.letter, "no", table.name, 77_000), TIME + 14 * MINUTE)
    late = TIME + 60 * MINUTE
    table.at.run_clocks(late)
    assert table.turns == []
    table.at.work_on_all(late)
    table.at.run_clocks(late)
    table.at.send_letters(late)
    assert table.turns == []
    (told,) = letters(table.folder, table.name)
    assert body(told).startswith("Nothing has been played. It is still your turn.")


def test_a_host_that_holds_nothing_plays_at_once(tmp_path: Path) -> None:
    with begun(tmp_path) as found:
        found.at.hold = timedelta()
        found.mail(f"{find_example_turn(found.game.replay, 'Assemble')}\n\n{UNKNOWN}")
        assert len(found.turns) == 1


def test_a_host_that_holds_nothing_asks_about_a_phrase_of_doubt(tmp_path: Path) -> None:
    """Cites: mail.doubt."""
    with begun(tmp_path) as found:
        found.at.hold = timedelta()
        (asked,) = found.mail(f"Please ignore this!\n{find_example_turn(found.game.replay, 'Assemble')}")
        assert body(asked).startswith("Is this the turn you meant? Nothing has been played yet.")
        assert found.turns == []


@pytest.mark.parametrize(
    "text",
    [
        "stop",
        "Stopp",
        "Stopp!",
        "Stop it.",
        "cancel",
        "Cancel that.",
        "don't",
        "No, wait!",
        "undo",
        "resign",
        "oops, stop",
        "oh no, stop!",
        "ups, stopp",
        "zut, stop",
    ],
)
def test_other_words_stop_it_too(table: Table, text: str) -> None:
    """Cites: mail.hold."""
    (told,) = table.mail(text)
    assert tick(table, 40) == 0
    assert table.turns == []
    assert "cannot be stopped" not in body(told)
    assert body(told).startswith("Do you want to resign?" if text == "resign" else "Nothing has been played.")


@pytest.mark.parametrize("text", ["Pass\n\nstop", "Pass\nStop.", "stop\n\nPass"])
def test_stop_beside_a_turn_withdraws_it(tmp_path: Path, text: str) -> None:
    """Cites: mail.doubt."""
    with begun(tmp_path) as found:
        (asked,) = found.mail(text)
        assert body(asked).startswith("Is this the turn you meant? Nothing has been played yet.")
        (told,) = found.mail("stop", asked)
        assert body(told).startswith("Nothing has been played. It is still your turn.")
        assert found.turns == []
