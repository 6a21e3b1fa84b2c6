"""Letters as HTML: the words of the plain text and nothing else, whatever stands in them; no markup but our own."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mail.inbound.mails import GAME, LEGAL, MIDGAME, TIME, UNTIMED, answered
from tkid.mail.desk import service
from tkid.mail.inbound.html_text import html_lines
from tkid.mail.letters.blocks import (
    Block,
    Board,
    Copies,
    Events,
    Excerpt,
    First,
    Heading,
    Letter,
    Paragraph,
    Quote,
    Rule,
    Turn,
    plain,
    printable,
    window,
)
from tkid.mail.letters.html import html
from tkid.mail.letters.mime_writer import readable
from tkid.rulebook import rule
from tkid.rulebook.register import SITE

OURS = {"html", "head", "meta", "style", "body", "div", "p", "h2", "pre", "code", "span", "a"}
ATTRIBUTES = {"style", "lang", "dir", "class", "href", "role", "aria-label", "name", "content", "charset"}


class Recipient(HTMLParser):
    """Reads a document: its tags in order, their attributes, the text that is shown."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(document)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "head" not in self.open:
            self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_pi = unknown_decl = handle_comment


HOSTILE = (
    *("<script>", "</p>", "</pre>", "<img src=x onerror=alert(1)>", '" style="', "' onclick='", "&", "&lt;", "&#x3c;"),
    *("<!--", "-->", "]]>", "<![CDATA[", "<?", "`", "[second.turn.pass]", "[second.no.rule]", "javascript:", "\0"),
    *("\x85", "\r\n", "\x1b[1m", "\ud800", "\ufffe", "\u202e", "日本", "é", "</title>", "</style>", "{0}", "%s", " "),
)
TEXT = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=8), max_size=6).map("".join)
BLOCK: st.SearchStrategy[Block] = st.one_of(
    st.builds(First, TEXT),
    st.builds(Heading, TEXT),
    st.builds(Paragraph, TEXT),
    st.builds(Events, st.lists(st.tuples(st.sampled_from(("", "1. ", "12. ")), TEXT), max_size=3).map(tuple)),
    st.builds(Board, st.lists(TEXT, max_size=3).map(tuple), TEXT),
    st.builds(Copies, st.lists(TEXT, max_size=3).map(tuple)),
    st.builds(Turn, TEXT, TEXT),
    st.builds(Quote, TEXT),
    st.builds(Excerpt, TEXT, st.integers(1, 60), st.integers(1, 9)),
    st.builds(Rule, st.sampled_from(("second.turn.pass", "notation.turn"))),
)


def told(block: Block) -> str:  # noqa: PLR0911 - one for each kind
    """What a block says in HTML."""
    match block:
        case First(text) | Heading(text):
            return text
        case Paragraph(text):
            return unticked(text)
        case Events(items):
            return "".join(number + unticked(text) for number, text in items)
        case Board(lines) | Copies(lines):
            return "".join(lines)
        case Turn(line, value):
            return f"{line} #{value}"
        case Quote(text):
            return f'"{printable(text)}"'
        case Excerpt(text, col, length):
            return window(text, col, length)[0]
        case Rule(rule_id):
            return f"[{rule_id}]"


def unticked(text: str) -> str:
    """A text without backticks that stand in pairs around something."""
    return re.sub("`([^`]+)`", r"\1", text)


def squeezed(text: str) -> str:
    return "".join(text.split())


@UNTIMED
@given(st.lists(BLOCK, max_size=8))
def test_whatever_is_said_nothing_becomes_markup(blocks: list[Block]) -> None:
    page = Recipient(html(blocks))
    assert page.open == []
    assert set(page.tags) <= OURS
    assert {name for name, _ in page.attributes} <= ATTRIBUTES
    assert all(value.startswith(f"{SITE}/") for name, value in page.attributes if name == "href")
    assert squeezed(page.text) == squeezed(readable("".join(map(told, blocks))))


def letters() -> list[Letter]:
    """Real letters: turn mails, and answers to all sorts of mails."""
    seat = MIDGAME.position.to_act
    assert seat is not None
    asked = [service.ask(of, TIME) for of in (GAME, MIDGAME)]
    mails = ("Pass", "Manoeuvre S Mory <> E Devn; summon W Gwynedd", "Thanks!", "history\nhelp\nwhy\nstatus\nlegal")
    answers = [answered(text, MIDGAME, seat).letters[0] for text in mails]
    return [letter for letter in (*asked, *answers) if letter is not None]


@pytest.mark.parametrize("letter", letters(), ids=lambda letter: letter.kind)
def test_both_parts_say_the_same_in_the_same_order(letter: Letter) -> None:
    without = [line for line in plain(letter.body).split("\n") if not re.fullmatch(r"https://\S+| +\^+", line)]
    page = html(letter.body)
    assert Recipient(page).text.split() == unticked(" ".join(without)).split()
    first = letter.body[0]
    assert isinstance(first, First)
    assert html_lines(page, 1000)[0].text == first.line


@pytest.mark.parametrize("letter", letters(), ids=lambda letter: letter.kind)
def test_nothing_is_loaded_and_no_colour_is_set_that_a_dark_mode_would_spoil(letter: Letter) -> None:
    page = html(letter.body)
    assert not re.search(r"src=|url\(|@import|<link|<script|<img|<title|<form", page)
    assert {value.partition("/rules/")[0] for value in re.findall(r'"(http[^"]*)"', page)} == {
        SITE.removesuffix("/rules")
    }
    assert not re.search(r"[;\"{ ]color:", page)
    assert 'name="color-scheme" content="light dark"' in page


def test_rules_are_links_and_notation_is_code() -> None:
    page = html((Paragraph("`Pass` is legal [second.turn.pass], [no.rule] is none"), Rule("notation.turn")))
    link = f'<a href="{rule("second.turn.pass").link}">[second.turn.pass]</a>'
    assert f"Pass</code> is legal {link}, [no.rule] is none</p>" in page
    assert f'<a href="{rule("notation.turn").link}">[notation.turn]</a>' in page


def test_lines_to_copy_are_whole_lines() -> None:
    long = f"{LEGAL}, {LEGAL}"
    lines = [line.text for line in html_lines(html((Copies((LEGAL, long, "Pass")),)), 1000)]
    assert [line for line in lines if line] == [LEGAL, long, "Pass"]


def test_a_mistake_is_underlined_in_its_line() -> None:
    page = html((Excerpt("Manoeuvre S Mory <> E Devon", 13, 4), Excerpt("Pass", 5, 1)))
    assert re.search(r'Manoeuvre S <span style="[^"]*underline[^"]*">Mory</span> &lt;&gt; E Devon</code>', page)
    assert re.search(r'Pass<span style="[^"]*">&nbsp;</span></code>', page)


def test_a_board_is_drawn_line_by_line_and_said_in_words() -> None:
    page = html((Board(("+--+", "|  |"), 'Moray: 2 "Scots"'),))
    assert 'role="img" aria-label="Moray: 2 &quot;Scots&quot;"' in page
    assert "\n+--+\n|  |</pre>" in page
    assert "role=" not in html((Board(("+--+",)),))
