"""The page for players with a host: its mail is one that is sent, its replies are carried out, its orders are orders."""

import re
from pathlib import Path

import pytest

from tests.mail.mails import ANN, GAME, LEGAL, TIME, body, orders_of, parsed, played
from tkid.mail import game_service, order_offers
from tkid.mail.message import compose_mail
from tkid.mail.order_finder import get_order_reader
from tkid.notation.free_text import Understanding

PAGE = (Path(__file__).parents[2] / "docs" / "play-by-email.md").read_text("utf-8")
READER = get_order_reader(GAME.record.game, GAME.record.names, 0)


def blocks(name: str) -> list[str]:
    """The examples that are marked with a name."""
    found = re.findall(rf"^```{name}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found


def test_the_mail_is_one_that_is_sent() -> None:
    """Its words stand in the mail in this order; a line `…` stands for what is left out."""
    at = played(LEGAL)
    letter = game_service.ask_for_turn(at, TIME)
    assert letter is not None
    sent = " ".join(body(parsed(compose_mail(at, letter, ANN, "tkid@localhost"))).split())
    (shown,) = blocks("mail")
    stands_in(shown, sent)


def test_the_question_is_one_that_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn that the page shows is legal in the game at hand, so it can be asked about."""
    (shown,) = blocks("asked")
    (turn,) = re.findall(r"^ {2,4}(\S.*)$", shown, re.MULTILINE)
    monkeypatch.setattr(order_offers, "understand_text", lambda *_: Understanding(turn, choices=(turn,)))
    letter = game_service.receive_mail(
        game_service.begin_game(GAME.record, TIME).game, 0, orders_of("I assemble"), TIME
    ).letters[0]
    stands_in(shown, " ".join(body(parsed(compose_mail(GAME, letter, ANN, "tkid@localhost"))).split()))


def stands_in(shown: str, sent: str) -> None:
    """Look whether the words of an example stand in a mail in this order."""
    place = 0
    for part in shown.split("…\n"):
        words = " ".join(part.split())
        found = sent.find(words, place)
        assert found >= 0, words
        place = found + len(words)


@pytest.mark.parametrize("reply", blocks("reply"))
def test_a_reply_is_carried_out(reply: str) -> None:
    at = game_service.begin_game(GAME.record, TIME).game
    orders = orders_of(reply, at.replay, 0)
    after = game_service.receive_mail(at, 0, orders, TIME)
    assert after.record_changed
    assert not after.problems
    written, _, remark = reply.partition("\n\n")
    assert len(orders.typed) == len(written.splitlines())
    assert list(orders.remark) == remark.splitlines()


def test_what_you_write_is_an_order() -> None:
    tables = re.findall(r"^\| You write \|.*\n(?:\|.*\n)+", PAGE, re.MULTILINE)
    cells = [row.split("|")[1] for table in tables for row in table.splitlines()[2:]]
    orders = [order for cell in cells for order in re.findall(r"`([^`]+)`", cell)]
    asides = [*re.findall(r"`(away [^`]+|cancel away|undo\S*(?: \w+)?|resign|help)`", PAGE)]
    assert len(orders) > 10
    assert len(asides) > 5
    for order in (*orders, *asides):
        if order != "draft":
            assert READER.read_line(order).order is not None, order
