"""Mails to the club with a plain and an HTML form: where the two do not order the same, nothing that binds is done."""

from __future__ import annotations

from tests.mail.test_struck import both
from tests.shared.tables import each_row
from tkid.club.order_reader import find_digest_orders, find_orders_to_club
from tkid.mail.mime import take_in
from tkid.mail.model import Intake, Orders

NEW = "new game second-edition with Bob"


def asked(plain: str, html: str, *games: str) -> Orders:
    """What a mail to the club with two forms asks for."""
    taken = take_in(both(plain, html))
    assert isinstance(taken, Intake)
    return find_orders_to_club(taken, (), games)


@each_row(
    "plain, html",
    [
        ("accept", "<p>decline</p>"),
        ("accept", "<p>Let me think.</p>"),
        ("accept", "<p><s>accept</s></p>"),
        ("Hello!", "<p>new game claim for 2</p>"),
        ("join spring", "<p>join summer</p>"),
    ],
)
def test_orders_to_the_club_that_differ_are_not_carried_out(plain: str, html: str) -> None:
    """Cites: mail.forms."""
    found = asked(plain, html)
    assert not any(line.read.order for line in found.lines)
    assert found.own == (), "no word of it is an answer"
    assert {problem.rule for line in found.lines for problem in line.read.problems} <= {"mail.forms"}
    assert found.lines or "<s>" in html


@each_row(
    "plain, html",
    [
        ("accept", "<p>accept</p><p>Scrap that.</p>"),
        ("join spring", "<p>join spring</p><p>Not yet, let me think until tomorrow.</p>"),
    ],
)
def test_a_doubt_in_one_form_counts(plain: str, html: str) -> None:
    """Cites: mail.forms, mail.doubt."""
    assert asked(plain, html).doubt


@each_row(
    "plain, html",
    [("yes", "<p>no</p>"), ("yes", "<p>Let me see.</p>"), ("Hello!", "<p>no</p><p>Hello!</p><p>More</p>")],
)
def test_an_answer_to_the_club_counts_where_both_forms_give_it(plain: str, html: str) -> None:
    assert asked(plain, html).answer in ({""} if plain == "yes" else {"", "no"})
    assert asked("yes", "<p>yes</p>").answer == "yes"


@each_row(
    "plain, html",
    [
        ("accept", "<p>accept</p>"),
        ("accept", "<p><b>Accept.</b></p><p>Thanks!</p>"),
        ("help", "<p>Hello!</p>"),
        ("Your program shows no HTML.", "<p>accept</p>"),
        (" ", "<p>join spring</p>"),
        (f"{NEW} <bob@example.org>", f"<p>{NEW} &lt;<a href='mailto:bob@example.org'>bob@example.org</a>&gt;</p>"),
        ("words: seven swans\r\non a cold loch", "<p>words: seven swans on a cold loch</p>"),
        ("join *spring*", "<p>join <b>spring</b></p>"),
    ],
)
def test_two_forms_of_one_order_to_the_club_are_one(plain: str, html: str) -> None:
    found = asked(plain, html)
    assert len(found.lines) == 1
    assert found.lines[0].read.order is not None


def test_what_only_the_html_says_counts_in_an_answer_to_a_digest() -> None:
    """Cites: mail.doubt."""
    found = asked("winter: Pass", "<p>winter: Pass</p><p>Scrap that.</p>", "winter")
    assert find_digest_orders(found.own, ["winter"])[0] == {"winter": ("Pass", "", "Scrap that.")}
    for html in ("<p>Hello!</p>", "<p>Let me think.</p><blockquote>winter: Pass</blockquote>"):
        found = asked("winter: Pass", html, "winter")
        assert find_digest_orders(found.own, ["winter"])[0] == {}
        assert [line.typed for line in found.lines] == ["winter: Pass"]
    both_turns = asked("winter: Pass", "<p>winter: Pass</p><p>winter: Negotiate Moray Essex</p>", "winter")
    assert len(find_digest_orders(both_turns.own, ["winter"])[0]["winter"]) == 2
