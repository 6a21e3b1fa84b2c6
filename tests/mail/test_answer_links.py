"""Links that open an answer: what a mail program makes of one is read as exactly the order that the link offers."""

from __future__ import annotations

from collections.abc import Iterable
from email.message import EmailMessage
from email.policy import SMTP
from html import escape
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.mail.mails import ANN, MIDGAME, TIME, UNTIMED, parsed
from tests.mail.test_replies import orders_in
from tests.shared.tables import each_row
from tkid.mail import game_service, message
from tkid.mail.blocks import Block, Board, Button, Buttons, Facts, Samples
from tkid.mail.letter_html import HOW_TO_TAP, AnswerTo, add_picture, write_html
from tkid.mail.message import compose_mail
from tkid.mail.mime import read_html_lines, take_in
from tkid.mail.model import Intake
from tkid.mail.order_handlers import find_sender_seat
from tkid.mail.plugin import find_mail_plugin
from tkid.record.format.new_game import new_record
from tkid.record.play.replay import Replay, replay
from tkid.render.plugin import find_render_plugin
from tkid.rulebook.rulesets import rulesets

KEY = "abcdefghijkl"
ANSWER = AnswerTo(f"tkid+{KEY}@games.example", "Re: [winter] Turn 17: your turn")
BOB = "bob@example.org"
ORDERS = (
    *("undo?", "undo yes", "undo no", "help", "status", "cancel all", "away 2026-12-20 to 2026-12-27"),
    *("say to all: 100 % sure? Yes & no; a+b = c #1", "say to all: Zoë, merci", "draft Pass", "history\nlegal"),
)


LINE = st.text(st.characters(exclude_categories=["Cc", "Cn", "Cs"]))
"""What can stand in a line of a mail."""


class Links(HTMLParser):
    """The links of a page that open an answer, in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        link = dict(attrs).get("href") or ""
        if tag == "a" and link.startswith("mailto:"):
            self.found.append(link)


def opened(link: str) -> tuple[str, dict[str, str]]:
    """The address and the fields that a mail program takes from a link; RFC 6068 knows no `+` for a blank."""
    assert link.isascii()
    assert not set(link) & set(' "<>')
    address, _, query = link.removeprefix("mailto:").partition("?")
    assert "+" not in link
    return unquote(address), {
        name: unquote(value) for name, _, value in (each.partition("=") for each in query.split("&"))
    }


def sent(sender: str, link: str, *, page: bool) -> bytes:
    """The mail of a program that opened a link: as plain text with its signature, or as HTML alone."""
    address, fields = opened(link)
    mail = EmailMessage(SMTP)
    mail["From"], mail["To"], mail["Subject"] = sender, address, fields["subject"]
    text = fields["body"].replace("\r\n", "\n")
    if page:
        lines = "".join(f"<div>{escape(line)}</div>" for line in text.split("\n"))
        mail.set_content(f"<html><body>{lines}</body></html>", subtype="html")
    else:
        mail.set_content(f"{text}\n\nSent from my iPhone\n")
    return mail.as_bytes()


def begun(code: str) -> Replay:
    """A new game of a ruleset."""
    return replay(new_record(code, [f"Ann <{ANN}>", f"Bob <{BOB}>"], bytes(32), first="Ann"))


def read(of: Replay, link: str, *, page: bool) -> list[str]:
    """The orders that are read in the mail that a link opens; it comes to the address with the key."""
    address = of.record.seats[of.position.to_act or 0].address
    data = sent(address, link, page=page)
    taken = take_in(data)
    assert isinstance(taken, Intake)
    assert taken.keys == (KEY,)
    assert find_sender_seat(of.record, taken.sender) == (of.position.to_act or 0)
    orders = orders_in(data, of)
    assert isinstance(orders, list)
    return orders


@each_row("code", [each.code for each in rulesets()])
def test_every_turn_that_is_offered_comes_back_as_that_turn(code: str) -> None:
    of = begun(code)
    turns = tuple(find_mail_plugin(of.record.game).list_playable(of, of.position.to_act or 0, "")[1])
    links = Links(write_html((Samples(turns),), ANSWER)).found
    assert len(links) == len(turns) > 1
    for turn, link in zip(turns, links, strict=True):
        for page in (False, True):
            assert read(of, link, page=page) == [turn]
            assert opened(link)[1] == {"subject": ANSWER.subject, "body": turn}


@pytest.mark.parametrize("page", [False, True], ids=["text", "html"])
def test_every_button_gives_the_order_in_it(page: bool) -> None:  # noqa: FBT001 - by pytest
    buttons = tuple(Button(f"Button {number}", order) for number, order in enumerate(ORDERS))
    links = Links(write_html((Buttons(buttons),), ANSWER)).found
    for order, link in zip(ORDERS, links, strict=True):
        assert read(MIDGAME, link, page=page) == order.split("\n")


def test_an_empty_button_and_a_number_ask_for_nothing_else() -> None:
    blocks = (Buttons((Button("Write a turn"),)), Samples(("Pass", "Pass"), numbered=True))
    links = Links(write_html(blocks, ANSWER)).found
    assert [opened(link)[1]["body"] for link in links] == ["", "1", "2"]
    assert read(MIDGAME, links[0], page=False) == []


@each_row("code", [each.code for each in rulesets()])
def test_no_words_of_the_page_but_samples_are_an_order(code: str) -> None:
    """Where a program makes text of it, and neither quote marks nor the marker line are left. It may be asked about."""
    of = begun(code)
    game, names = of.record.game, of.record.names
    beside = find_render_plugin(game).list_side_notes(game, game.view(of.position, 0), names)
    buttons = Buttons((Button("Write a turn"), Button("Pass this turn", "Pass")))
    blocks = (
        buttons,
        Board(("",)),
        Facts(tuple((name, "court 2S   cards: March") for name in names)),
        Samples(()),
    )
    text = "\n".join(
        line.text
        for line in read_html_lines(add_picture(write_html(blocks, ANSWER), "cid:x", "", 1, 1, beside=beside), 100)
    )
    mail = EmailMessage(SMTP)
    mail["From"], mail["To"] = ANN, ANSWER.address
    mail.set_content(f"Thanks!\n\n{text}\n")
    rows = (" ".join(row) for row in beside)
    assert {"Write a turn", "Pass this turn", HOW_TO_TAP, *rows} <= set(text.split("\n"))
    orders = orders_in(mail.as_bytes(), of)
    assert isinstance(orders, list)
    assert all(order.startswith("[") for order in orders), orders


@UNTIMED
@given(st.text(), st.text(min_size=1), st.lists(LINE))
def test_whatever_stands_in_it_a_link_is_one_and_gives_it_back(name: str, subject: str, lines: list[str]) -> None:
    answer = AnswerTo(f"tkid+{KEY}@games.example", f"Re: {name} {subject}")
    (link,) = Links(write_html((Buttons((Button("Button", "\n".join(lines)),)),), answer)).found
    address, fields = opened(link)
    assert address == answer.address
    assert set(fields) == {"subject", "body"}
    assert fields["body"].split("\r\n") == "\n".join(lines).split("\n")


def test_a_letter_answers_to_its_own_address_and_subject(monkeypatch: pytest.MonkeyPatch) -> None:
    letter = game_service.ask_for_turn(MIDGAME, TIME)
    assert letter is not None
    answers: list[AnswerTo] = []

    def spy(blocks: Iterable[Block], answer: AnswerTo) -> str:
        answers.append(answer)
        return write_html(blocks, answer)

    monkeypatch.setattr(message, "write_html", spy)
    for key, sender in ((KEY, "tkid@games.example"), ("", "ann+tkid@games.example")):
        mails = [
            parsed(compose_mail(MIDGAME, evolve(letter, kind=kind), ANN, sender, key=key)) for kind in ("turn", "again")
        ]
        first, second = answers[-2:]
        assert first == second
        assert first.subject == f"Re: {mails[0]['Subject']}" == mails[1]["Subject"]
        assert all(f"<{first.address}>" in (mail["Reply-To"] or mail["From"]) for mail in mails)
