"""Mails with a plain and an HTML form: where the two do not order the same, the sender is asked, and nothing is done."""

from __future__ import annotations

from functools import partial

import pytest

from tests.mail.hall import ANN, Hall
from tests.mail.mails import GAME, LEGAL, mail, outcome, run, said
from tests.mail.replies.clients import CLIENTS
from tests.mail.replies.quoting import HABITS, STYLES
from tests.mail.test_own_lines import does, letters, read
from tests.mail.test_struck import HTML, both, calls_of
from tests.mail.typed import lines_of
from tests.shared.tables import each_row
from tkid.mail import mime
from tkid.mail.game_service import Outcome
from tkid.mail.mime import read_lines_and_strikes, take_in
from tkid.mail.model import Intake, Orders
from tkid.mail.order_finder import find_orders, get_order_reader

TURN = "Welsh Support WW Warwick; summon W Devon"
NOTICE = "Your mail program does not support HTML. Please use another one."
READER = get_order_reader(GAME.record.game, GAME.record.names, ANN)


def orders_in(data: bytes) -> Orders:
    """What a mail of Ann's asks for."""
    taken = take_in(data)
    assert isinstance(taken, Intake)
    return find_orders(taken, READER)


# -- where they differ ----------------------------------------------------------------------------------------


@each_row(
    "plain, html, offered",
    [
        ("Pass", f"<p>{TURN}</p>", ("Pass", TURN)),
        (TURN, "<p>Pass</p>", (TURN, "Pass")),
        ("Pass", "<p>Hello!</p>", ("Pass",)),
        ("Pass", "<p>Let me think.</p><blockquote>Pass</blockquote>", ("Pass",)),
        ("Hello!", f"<p>{TURN}</p>", (TURN,)),
        (f"Pass\r\n{TURN}", f'<p style="display:none">Pass</p><p>{TURN}</p>', ("Pass", TURN)),
        (f"{TURN}\r\nPass", f"<p>{TURN}</p>", (TURN, "Pass")),
        ("Pass", f"<p>Pass</p><p>{LEGAL}</p>", ("Pass", LEGAL)),
        ("away 2026-12-20 to 2026-12-27", "<p>Pass</p>", ("Pass",)),
    ],
)
def test_a_mail_that_orders_different_things_is_asked_about(plain: str, html: str, offered: tuple[str, ...]) -> None:
    result = run(both(plain, html))
    assert isinstance(result, Outcome)
    assert not result.record_changed
    assert [problem.rule for problem in result.problems] == ["mail.forms"]
    assert "a plain and an HTML form, and they contain different orders" in " ".join(said(result).split())
    assert all(f"    {line}\n" in said(result) for line in offered)


def test_a_host_remembers_what_it_asks() -> None:
    for typed, answer in ((("Pass",), "yes"), (("Pass", LEGAL), "1")):
        hall = Hall.of()
        hall.mail(ANN, differing=lines_of(READER, *typed))
        assert (hall.at.turns, hall.rules) == (0, ["mail.forms"])
        assert hall.outcome.letters[0].offer
        hall.mail(ANN, answer=answer)
        assert hall.at.replay.last.line == "1. Ann Pass"


def test_what_only_the_html_says_are_the_senders_words_too() -> None:
    orders = orders_in(both("Pass", "<p>Pass</p><p>No wait, scrap that.</p>"))
    assert orders.typed == ("Pass",)
    assert orders.own == ("Pass", "No wait, scrap that.")


@each_row(
    "doubt",
    [
        "Scrap that.",
        "Not yet, let me think.",
        "wait",
        "no",
        "Cancel that.",
        "cancel",
        "undo?",
        "I resign",
        "Not sure.",
        "TURN, I think",
        "TURN (or not?)",
    ],
)
def test_a_doubt_in_one_form_alone_is_asked_about(doubt: str) -> None:
    """Cites: mail.doubt."""
    text = doubt.replace("TURN", "Pass")
    for data in (
        both("Pass", f"<p>Pass</p><p>{text}</p>"),
        both("Pass", f"<p>{text}</p><p>Pass</p>"),
        both(f"Pass\r\n\r\n{text}", "<p>Pass</p>"),
    ):
        result = run(data)
        assert isinstance(result, Outcome)
        assert not result.record_changed


@each_row("doubt", ["wait", "cancel", "Scrap that."])
def test_a_short_doubt_is_found_although_a_quotation_has_its_words(doubt: str) -> None:
    result = run(both(f"Pass\r\n\r\n> You said: {doubt} Or not?\r\n", f"<p>Pass</p><p>{doubt}</p>"))
    assert isinstance(result, Outcome)
    assert not result.record_changed


def test_words_that_both_forms_have_or_that_change_nothing_cause_no_question() -> None:
    for plain, html in (
        ("Pass", "<p>Pass</p><p>Thanks!</p>"),
        ("Pass\r\n\r\nLovely weather here.", "<p>Pass</p><p>Lovely weather <i>here</i>.</p>"),
        ("Pass\r\n\r\n> Wait\r\n> until Monday", "<p>Pass</p><div>Wait</div><div>until Monday</div>"),
    ):
        assert outcome(both(plain, html)) == "Pass"


@each_row(
    "plain, html, answer",
    [("yes", "<p>yes</p>", "yes"), ("yes", "<p>no</p>", ""), ("yes", "<p>Let me see.</p>", ""), ("1", "<p>2</p>", "")],
)
def test_an_answer_counts_where_both_forms_give_it(plain: str, html: str, answer: str) -> None:
    assert orders_in(both(plain, html)).answer == answer


# -- where they do not ----------------------------------------------------------------------------------------


@each_row(
    "plain, html, played",
    [
        ("Pass", "<p>Pass</p>", "Pass"),
        ("Pass", "<p><b>pass.</b></p>", "Pass"),
        ("Pass", "<img src=x>", "Pass"),
        (f"Hello!\r\n\r\n{TURN}", f"<div>Hello! {TURN}</div>", TURN),
        ("Welsh Support WW Warwick;\r\nsummon W Devon", f"<p>{TURN}</p>", TURN),
        (NOTICE, f"<p>{TURN}</p>", TURN),
        ("Diese E-Mail ist im HTML-Format.", f"<p>{TURN}</p>", TURN),
        (" ", f"<p>{TURN}</p>", TURN),
    ],
)
def test_two_forms_of_one_order_are_one(plain: str, html: str, played: str) -> None:
    assert outcome(both(plain, html)) == played
    assert outcome(both(plain, html, "mixed")) == played


def test_a_signature_alone_is_no_plain_form_of_an_order() -> None:
    assert outcome(both("--\r\nSent from my phone", f"<p>{TURN}</p>")) == TURN


def test_a_footer_in_plain_text_below_html_is_not_the_whole_mail() -> None:
    parts = (f"--b\r\n{HTML}\r\n\r\n<p>{TURN}</p>", "--b\r\n\r\nVirus-free. www.example.com")
    for order in (parts, parts[::-1]):
        data = mail("\r\n".join((*order, "--b--")), "Content-Type: multipart/mixed; boundary=b")
        assert outcome(data) == TURN


def test_a_footer_in_html_is_not_another_form() -> None:
    assert outcome(both("Pass", "<p>Scanned by Example</p>", "mixed")) == "Pass"
    inner = both("Pass", "<p>Pass</p>").decode().partition("\r\n")[2]
    parts = f"--m\r\n{inner}\r\n--m\r\n{HTML}\r\n\r\n<p>Scanned by Example</p>\r\n--m--"
    assert outcome(mail(parts, "Content-Type: multipart/mixed; boundary=m")) == "Pass"


def test_no_program_is_asked_about_its_own_two_forms() -> None:
    """What a program sends in two forms is read as its plain form alone."""
    (letter, names), cut = letters()["a turn"], False
    for client in CLIENTS:
        for habit in HABITS[:8]:
            if not does(letter, habit):
                continue
            plain, html = (STYLES[f"{kind} {client}"](letter, habit, cut) for kind in ("text", "html"))
            for known in (True, False):
                alone, together = (
                    read(letter, data, names=names, known=known) for data in (plain, joined(plain, html))
                )
                assert alone == together, (client, habit.name)
                assert alone.own == together.own, "and no sentence is read twice"


def joined(plain: bytes, html: bytes) -> bytes:
    """Two mails as the forms of one."""
    head = b"From: Ann <ann@example.org>\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n"
    parts = (b"--b\r\n" + data.partition(b"\r\n")[2] for data in (plain, html))
    return head + b"\r\n".join((*parts, b"--b--"))


# -- how much is read -----------------------------------------------------------------------------------------


@each_row(
    "plain, times",
    [
        ("Pass", 1),
        ("yes", 1),
        ("Hello!", 1),
        ("help", 0),
        ("draft Pass", 0),
        ("say to Bob: Hello!", 0),
        ("Pass of the S", 0),
    ],
)
def test_the_html_form_is_read_only_where_it_can_matter(
    plain: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []

    def count(html: str, most: int) -> object:
        counted.append(html)
        return read_lines_and_strikes(html, most)

    monkeypatch.setattr(mime, "read_lines_and_strikes", count)
    orders_in(both(plain, f"<p>{plain}</p>"))
    assert len(counted) == times
    assert outcome(mail(f"<p>{plain}</p>", HTML))


@each_row("line", ["a b c", "yes", "> Pass", "I would pass, but no.", "~~x~~"])
def test_two_forms_twice_as_long_take_twice_the_calls(line: str) -> None:
    mails = [both(f"Pass\r\n{line}\r\n" * times, f"<p>Pass</p><p>{line}</p>" * times) for times in (400, 800)]
    once, twice = (calls_of(partial(orders_in, data)) for data in mails)
    assert twice < 2.2 * once
