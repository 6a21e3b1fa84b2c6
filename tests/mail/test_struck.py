"""Text that its sender struck out is no order: in HTML, in the HTML form of a mail whose plain form has lost that, in plain text."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType

from tests.mail.mails import mail, outcome, run, said
from tests.shared.tables import each_row
from tkid.mail.game_service import Outcome
from tkid.mail.mime import read_lines_and_strikes, take_in, without_struck

TURN = "Welsh Support WW Warwick; summon W Devon"
HTML = "Content-Type: text/html; charset=utf-8"
SHEET = (
    "<style>.x, td.y{color:red;text-decoration:underline line-through} #z{text-decoration-line:line-through}</style>"
)
STRUCK = [
    "<s>Pass</s>",
    "<S>Pass</S>",
    "<strike>Pass</strike>",
    "<p><del>Pass</del></p>",
    "<del cite='x' datetime=2026>Pass</del>",
    "<s\n>Pass</s>",
    '<div style="text-decoration: line-through">Pass</div>',
    "<span style='color:red;TEXT-DECORATION:underline Line-Through #f00 !important'>Pass</span>",
    '<b style="text-decoration-line:line-through">Pass</b>',
    '<b style="-webkit-text-decoration:line-through">Pass</b>',
    "<span style='text-line-through:double'>Pass</span>",
    '<p style="text-decoration&#58;line-through">Pass</p>',
    "<s><b>Pass</b></s>",
    '<s><span style="text-decoration:none">Pass</span></s>',
    '<s><span style="font-size:12px">Pass</span></s>',
    "<p><s>Pa</s><s>ss</s></p>",
    f"{SHEET}<p class='big x'>Pass</p>",
    f"{SHEET}<table><td class=y>Pass</table>",
    f"{SHEET}<p id=z>Pass</p>",
    "<style>p i{text-decoration:line-through}</style><p><i>Pass</i></p>",
]
"""A pass that is struck out, in the ways in which mail programs write it."""
KEPT = [
    "<span>Pass</span>",
    "<strong>Pass</strong>",
    "<samp>Pass</samp>",
    "<u>Pass</u>",
    "<s></s>Pass",
    "<s>Hello!</s><br>Pass",
    '<s style="text-decoration:none">Pass</s>',
    '<i style="text-decoration:underline">Pass</i>',
    "<i style='text-line-through:none'>Pass</i>",
    '<i style="text-decoration:line-through;text-decoration:none">Pass</i>',
    "<style>del,ins{text-decoration:none}</style><del>Pass</del>",
    f'{SHEET}<p class=x style="text-decoration:none">Pass</p>',
    "<style>@media print{p{text-decoration:line-through}} a:hover{text-decoration:line-through}</style><p>Pass</p>",
    '<p title="line-through">Pass</p>',
]
"""A pass that is not struck out."""


def both(plain: str, html: str, kind: str = "alternative") -> bytes:
    """A mail in two forms."""
    parts = f"--b\r\n\r\n{plain}\r\n--b\r\n{HTML}\r\n\r\n{html}\r\n--b--"
    return mail(parts, f"Content-Type: multipart/{kind}; boundary=b")


@each_row("html", STRUCK)
def test_struck_text_is_not_read(html: str) -> None:
    lines, strikes = read_lines_and_strikes(f"{html}<p>{TURN}</p>", 100)
    assert [line.text for line in lines if line.text] == [TURN]
    assert strikes
    assert outcome(mail(html, HTML)) == "mail.no-order"
    assert outcome(mail(f"{html}<p>{TURN}</p>", HTML)) == TURN
    assert outcome(both("Pass", html)) == "mail.no-order"
    assert outcome(both(f"Pass\r\n{TURN}", f"{html}<p>{TURN}</p>")) == TURN
    assert outcome(both(f"{TURN}\r\nPass", f"<p>{TURN}</p>{html}")) == TURN


@each_row("html", KEPT)
def test_what_is_not_struck_is_read(html: str) -> None:
    assert outcome(mail(html, HTML)) == "Pass"
    assert outcome(both("Pass", html)) == "Pass"


def test_a_part_of_a_turn_may_be_struck() -> None:
    html = "Welsh Support <s>WW Gwynedd</s> WW Warwick; summon W Devon"
    assert outcome(mail(html, HTML)) == TURN
    assert outcome(both(html.replace("<s>", "").replace("</s>", ""), html)) == TURN


def test_what_others_struck_in_a_quotation_changes_nothing() -> None:
    html = "<p>Pass</p><blockquote><s>old</s></blockquote>"
    assert not read_lines_and_strikes(html, 100)[1]
    assert outcome(both("Pass\r\n\r\n> old", html)) == "Pass"
    hello = both("Hello all\r\n\r\n> old", "<p>Hello all</p><blockquote><s>old</s></blockquote>")
    result = run(hello)
    assert isinstance(result, Outcome)
    assert "struck" not in said(result)


def test_the_form_with_the_strike_counts_beside_a_footer() -> None:
    inner = both("Pass", "<s>Pass</s>").decode().partition("\r\n")[2]
    footer = f"--m\r\n{inner}\r\n--m\r\n\r\nTo leave this list, write to its owner.\r\n--m--"
    assert outcome(mail(footer, "Content-Type: multipart/mixed; boundary=m")) == "mail.no-order"


@each_row(
    "text, left",
    [
        ("~~Pass~~", ""),
        ("~Pass~", ""),
        (f"~~Pass~~ {TURN}", f" {TURN}"),
        ("".join(f"{letter}\u0336" for letter in "Pass"), ""),
        ("".join(f"{letter}\u0335" for letter in "Pass now"), ""),
        ("~5 minutes, ~6 days", "~5 minutes, ~6 days"),
        ("Pass~~~", "Pass~~~"),
        ("~/games ~/mail", "~/games ~/mail"),
        ("a ≠ b, a \u0338= b", "a ≠ b, a \u0338= b"),
        ("Zoe\u0308 says: Pass", "Zoe\u0308 says: Pass"),
    ],
)
def test_strikes_in_plain_text(text: str, left: str) -> None:
    assert without_struck(text) == left


def test_struck_plain_text_is_no_order() -> None:
    assert outcome(mail("~~Pass~~")) == "mail.no-order"
    assert outcome(mail(f"~~Pass~~\r\n{TURN}")) == TURN
    assert outcome(mail(f"P\u0336a\u0336s\u0336s\u0336\r\n{TURN}", "Content-Type: text/plain; charset=utf-8")) == TURN
    assert outcome(mail(f"<p>~~Pass~~</p><p>{TURN}</p>", HTML)) == TURN


@each_row(
    "unit",
    [
        "<s>",
        "<del></s>",
        "<s>a",
        "<b style='text-decoration:line-through'>",
        "<style>s{text-decoration:none}</style>",
        "~~a",
    ],
)
def test_twice_as_much_takes_twice_the_calls(unit: str) -> None:
    once, twice = (calls_of(partial(take_in, mail(unit * times, HTML))) for times in (2000, 4000))
    assert twice < 2.2 * once


def calls_of(action: Callable[[], object]) -> int:
    """How many calls an action makes."""
    counted = 0

    def note(_: FrameType, event: str, __: object) -> None:
        nonlocal counted
        counted += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(before)
    return counted


@each_row(
    "data",
    [
        mail("<p><s>Pass</s></p>", HTML),
        mail("<p><del>Pass</del></p><p>-- <br>Ann</p>", HTML),
        mail("<p><s>Pass</s></p><p>On Saturday tkid wrote:</p><blockquote>Reply with one line.</blockquote>", HTML),
        both("Pass", "<p><s>Pass</s></p>"),
        mail("~~Pass~~"),
        mail("~~Pass~~\r\n\r\nOn Saturday tkid wrote:\r\n> Reply with one line."),
    ],
)
def test_a_mail_of_struck_out_text_alone_is_told_that(data: bytes) -> None:
    """Cites: mail.no-text."""
    result = run(data)
    assert isinstance(result, Outcome)
    assert "All its text is struck out. Write your order as text in the mail itself." in " ".join(said(result).split())
    assert [problem.rule for problem in result.problems] == ["mail.no-order"]


@each_row(
    "data",
    [
        mail(f"<p>Hello all</p><p><s>{TURN}</s></p>", HTML),
        mail("<p><del>Pass</del></p><p>Hello all</p>", HTML),
        mail(f"<p>Hello all</p><p style='text-decoration: line-through'>{TURN}</p><p>Ann</p>", HTML),
        both(f"Hello all\r\n\r\n{TURN}", f"<p>Hello all</p><p><s>{TURN}</s></p>"),
        mail(f"Hello all\r\n\r\n~~{TURN}~~"),
    ],
)
def test_a_mail_with_a_struck_turn_beside_other_text_is_told_that(data: bytes) -> None:
    """Cites: mail.struck."""
    result = run(data)
    assert isinstance(result, Outcome)
    assert [problem.rule for problem in result.problems] == ["mail.no-order"]
    text = " ".join(said(result).split())
    assert "Nothing has been played: part of your mail is struck out." in text
    assert "If your turn is in it, send the turn again as ordinary text." in text
