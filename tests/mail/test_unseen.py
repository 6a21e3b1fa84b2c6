"""Text of HTML mail that nobody sees, as a style or an attribute hides it, is not read."""

from __future__ import annotations

import time

from tests.mail.mails import mail, outcome
from tests.shared.tables import each_row
from tkid.mail.envelope import MOST_TEXT
from tkid.mail.mime import MOST_LINES, read_html_lines

SHEET = "<style>.a, td.b{display:none} @media print{.c{display:none}} .d:hover{display:none} #e i{opacity:0}</style>"


@each_row(
    "html",
    [
        '<div style="display:none">resign</div>Pass',
        "<div style='color:red;DISPLAY : none !important'>resign</div>Pass",
        "<div style=display:none>resign</div>Pass",
        '<span style="visibility:hidden">resign</span>Pass',
        '<div style="font-size:0px">resign<b style="font-size:12px">Pass</b></div>',
        '<td style="font-size:0"><div style="font-size:13px">Pass</div>resign</td>',
        '<div style="opacity:0;color:red">resign</div>Pass',
        '<div style="opacity:.0">resign</div><div style="opacity:0.9">Pass</div>',
        '<div style="max-height:0;overflow:hidden">resign<div>resign</div></div>Pass',
        '<div style="mso-hide:all">resign</div>Pass',
        "<p hidden>resign<p>Pass",
        "<table hidden><tr><td>resign</table>Pass",
        '<div title="not hidden">Pass</div>',
        f"{SHEET}<i class='z a'>resign</i><i class=b>resign</i><p class=c>Pass</p>",
        f"{SHEET}<i>resign</i><p class=d>Pass</p>",
        '<div title=">" style="display:none"><div>resign</div></div>Pass',
        '<div style="display&#58;none">resign</div>Pass',
        '<div style="dis/**/play:none">resign</div>Pass',
        '<p style="color:#ffffff;background-color:white">resign</p>Pass',
        '<p style="color:rgb(255, 255, 255);background:#FFF">resign</p>Pass',
        '<p style="color:transparent">resign</p>Pass',
        '<p style="color:inherit;background:inherit">Pass</p>',
        '<div style="display:none">resign<img src=x>resign<input></div>Pass',
        '<div><span style="display:none">resign</div>Pass',
        '<div style="display:none"><div style="display:block">resign</div></div>Pass',
        "<!--[if mso]>resign<![endif]-->Pass<template>resign</template>",
        "<a title='it\"s' href=x>Pass</a>",
    ],
)
def test_what_nobody_sees_is_not_read(html: str) -> None:
    for text in (html, html.replace("<", "\n<"), f"<html><body>{html}</body></html>"):
        assert [line.text for line in read_html_lines(text, 100) if line.text] == ["Pass"], text


def test_hidden_text_is_no_order_in_a_whole_mail() -> None:
    html = "Content-Type: text/html; charset=utf-8"
    assert outcome(mail('<div style="display:none">Pass</div><p>Hello!</p>', html)) == "mail.no-order"
    assert outcome(mail("<p>Pass</p><div hidden>resign</div>", html)) == "Pass"
    assert outcome(mail("<style>.x{font-size:0}</style><p>Pass</p><p class=x>resign</p>", html)) == "Pass"


@each_row(
    "unit",
    [
        *(
            "<",
            "<div>",
            "</div>",
            "<a href='",
            "<!--",
            "<p hidden>",
            "<style>",
            "<style>a{",
            "{",
            "<a ='",
            "</b><div>",
            "<td>",
        ),
        *(
            '<div style="display:none">',
            "<style>.a{display:none}</style>",
            "<div style='/*'>",
            "<b a a a a a>",
            "x=",
            "hidden ",
        ),
    ],
    parts=3,
    sampled=True,
)
def test_much_of_anything_is_read_in_time(unit: str) -> None:
    """What took time with the square of the size would take minutes here."""
    begin = time.process_time()
    for before in ("", "<style>.z{display:none}</style>", "<div title='"):
        read_html_lines(before + unit * (MOST_TEXT // len(unit)), MOST_LINES)
    assert time.process_time() - begin < 20


def test_long_attributes_are_read_in_time() -> None:
    begin = time.process_time()
    for long in (
        f"<div style='max-height:{'0' * MOST_TEXT}?'>",
        f"<style>{'a' * MOST_TEXT}!{{display:none}}</style>",
        f"<div {'a ' * (MOST_TEXT // 2)}hidden>",
        f"<div hidden a{' ' * MOST_TEXT}b>",
        f"<div hidden {'a= ' * (MOST_TEXT // 3)}>",
        f"<style>{',a' * (MOST_TEXT // 2)}{{display:none}}</style><div class='{'a ' * 1000}'>",
        f"<style>{'/*' * (MOST_TEXT // 2)}{{display:none}}</style>",
    ):
        read_html_lines(long, MOST_LINES)
    assert time.process_time() - begin < 20
