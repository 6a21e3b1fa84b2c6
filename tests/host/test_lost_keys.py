"""Replies whose key was lost on the way, in the address and in the quotation: the headers say which letter they answer."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import pytest

from tests.host.small_club import VOUCHED
from tests.host.test_offers import Table, begun
from tests.host.year.players import HOST, address, examples
from tests.mail.mails import body
from tests.shared.tables import each_row
from tkid.host.mails import MAX_ANSWERS_WITHOUT_TURN
from tkid.mail.envelope import Required

NUMBERS = count(1)
ASKS = "Is this mail from you? Nothing has been done yet."


def lost(letter: EmailMessage, text: str, name: str, *, thread: str = "In-Reply-To", headers: str = "") -> bytes:
    """A reply without a plus in its address and without a quotation."""
    return (
        f"{headers}From: {name} <{address(name)}>\nTo: {HOST}\nSubject: Re: {letter['Subject']}\n"
        f"Message-ID: <lost{next(NUMBERS)}@example.org>\n{thread}: {letter['Message-ID']}\n"
        f"Content-Type: text/plain; charset=utf-8\n\n{text}\n"
    ).encode()


def words(letter: EmailMessage) -> str:
    """A letter's text on one line."""
    return " ".join(body(letter).split())


@pytest.mark.parametrize("thread", ["In-Reply-To", "References", "in-reply-to"])
def test_a_turn_is_asked_about(table: Table, thread: str) -> None:
    turn = examples(table.letter)[-1]
    (asked,) = table.take(lost(table.letter, f"{turn}\n\nBest wishes!", table.name, thread=thread))
    text = words(asked)
    assert (text[: len(ASKS)], table.turns) == (ASKS, [])
    assert f"    {turn}" in body(asked)
    assert "turn 1" in text.partition("---")[2].partition("---")[0].casefold(), "it names the turn"
    assert "has lost the key" in text
    assert "If it is from you, reply `yes`" in text
    table.mail("yes", asked)
    assert len(table.turns) == 1


def test_a_client_that_always_loses_the_key_can_play(table: Table) -> None:
    (asked,) = table.take(lost(table.letter, examples(table.letter)[-1], table.name))
    (answer,) = table.take(lost(asked, "yes", table.name))
    assert len(table.turns) == 1
    assert "Recorded as: " in body(answer)


def test_a_no_is_believed(table: Table) -> None:
    (asked,) = table.take(lost(table.letter, "Pass", table.name))
    table.take(lost(asked, "no", table.name))
    (again,) = table.take(lost(asked, "yes", table.name))
    assert table.turns == []
    assert body(again).startswith(ASKS)


@each_row("text", ["Shall we have tea on Sunday?", "", "I would like to play something nice", "yes", "2"])
def test_anything_else_says_how_to_answer(shared: Table, text: str) -> None:
    """No mail that answers a letter is told that there is no order in it, and nothing else."""
    shared.days += 1
    (asked,) = shared.take(lost(shared.letter, text, shared.name))
    said = words(asked)
    assert said.startswith(ASKS)
    assert "YOUR ANSWER" in said
    assert examples(asked), "it shows turns to send"
    assert shared.turns == []
    shared.days += 1
    assert "turn" in words(shared.mail("status", asked)[0]), "the answer has a key"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table of its own."""
    with begun(tmp_path) as found:
        yield found


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A table for mails that change nothing."""
    with begun(tmp_path_factory.mktemp("host")) as found:
        yield found


def test_giving_up_needs_a_key(table: Table) -> None:
    (asked,) = table.take(lost(table.letter, "resign", table.name))
    assert "`resign` counts only if you write it in a reply to this mail." in words(asked)
    assert not table.game.time.over


def test_an_order_to_the_club_is_left_to_the_club(table: Table) -> None:
    (asked,) = table.take(lost(table.letter, "open games", table.name))
    assert body(asked).startswith("No game looks for players now.")


def test_somebody_else_is_not_believed(table: Table) -> None:
    """The Message-ID of another player's letter is worth nothing, and a wrong one neither."""
    other = next(name for name in ("Ann", "Bob") if name != table.name)
    table.take(lost(table.letter, "Pass", other))
    letter = EmailMessage()
    letter["Message-ID"] = str(table.letter["Message-ID"]).replace(".", ".0", 1)
    got = table.take(lost(letter, "Pass", table.name))
    assert not any(body(each).startswith(ASKS) for each in got)
    assert table.turns == []


def test_a_server_that_must_vouch_decides_first(table: Table) -> None:
    table.at.required = Required("mx.example", "dmarc")
    assert table.take(lost(table.letter, "Pass", table.name)) == []
    (asked,) = table.take(lost(table.letter, "Pass", table.name, headers=VOUCHED))
    assert body(asked).startswith(ASKS)


def test_two_programs_do_not_write_to_each_other_for_ever(table: Table) -> None:
    (got,) = table.take(lost(table.letter, "Pass", table.name))
    answers = 1
    for _ in range(MAX_ANSWERS_WITHOUT_TURN + 5):
        more = table.take(lost(got, "I got your mail.", table.name))
        answers += len(more)
    assert answers == MAX_ANSWERS_WITHOUT_TURN


def test_a_letter_of_a_turn_that_is_over_plays_nothing(table: Table) -> None:
    letter = table.letter
    table.mail("Pass")
    (asked,) = table.take(lost(letter, "Pass", table.name))
    assert len(table.turns) == 1
    assert "no order that the host can carry out" in words(asked)
    assert "turn 1" in words(asked).casefold()


@each_row("key", ["abcdefghijkl", ""])
def test_a_wrong_key_is_explained_to_a_member_alone(tmp_path_factory: pytest.TempPathFactory, key: str) -> None:
    """Cites: mail.key."""
    with begun(tmp_path_factory.mktemp("host")) as table:
        real = str(table.letter["Reply-To"]).partition("+")[2].partition("@")[0]
        garbled = real[1:] + real[0]
        wrong = HOST.replace("@", f"+{key or garbled}@")

        def write(name: str, number: int) -> bytes:
            return (
                f"From: {name} <{address(name)}>\nTo: {wrong}\nSubject: Secret words\nMessage-ID: <wrong{number}@example.org>\n"
                "Content-Type: text/plain; charset=utf-8\n\nPass and secret words\n"
            ).encode()

        (told,) = table.take(write(table.name, next(NUMBERS)))
        assert words(told).startswith("Nothing has been done: this host does not know the key in your mail.")
        assert "game your turn" in words(told)
        assert "ecret words" not in f"{told['Subject']} {body(told)}"
        assert table.turns == []
        more = [table.take(write(table.name, next(NUMBERS))) for _ in range(4)]
        assert [len(each) for each in more] == [1, 1, 0, 0], "so often a day"
        before = table.at.store.count_mails()["unsent"]
        table.take(write("Zoe", next(NUMBERS)))
        assert table.at.store.count_mails()["unsent"] == before, "strangers get nothing"
