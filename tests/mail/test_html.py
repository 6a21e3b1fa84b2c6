"""Letters as HTML: the words of the plain text and nothing else, whatever stands in them; no markup but our own."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mail.mails import GAME, LEGAL, MIDGAME, TIME, UNTIMED, answered
from tests.render.seen_by import contrast
from tkid.mail import game_service
from tkid.mail.blocks import (
    Block,
    Board,
    Button,
    Buttons,
    Copies,
    Events,
    Excerpt,
    Facts,
    First,
    Footer,
    Heading,
    Lead,
    Letter,
    Paragraph,
    Quote,
    Reference,
    Rule,
    Samples,
    Turn,
    cut_around,
    format_plain,
)
from tkid.mail.letter_html import BLUE, GREY, HOW_TO_TAP, WHITE, AnswerTo, add_picture, add_sentence, write_html
from tkid.mail.mime import read_html_lines
from tkid.mail.mime_writer import LONGEST_LINE, clean_text
from tkid.render.lines import make_printable
from tkid.rulebook import rule
from tkid.rulebook.register import DEFAULT as PAGES

OURS = {
    *("html", "head", "meta", "style", "body", "div", "p", "h1", "h2", "pre", "code", "span", "a", "b", "br"),
    *("table", "tr", "td"),
}
ATTRIBUTES = {
    *("style", "lang", "dir", "class", "href", "role", "aria-label", "name", "content", "charset"),
    *("cellpadding", "cellspacing", "border", "align", "tabindex"),
}
ANSWER = AnswerTo("tkid+abcdefghijkl@games.example", "Re: [winter] Turn 17: your turn")
PAPER, NIGHT = "#fff", "#121212"
"""What mail programs show letters on."""


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
        if tag == "br":
            self.text += "\n"
        elif tag != "meta":
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
    *(
        f"{PAGES}a/#b",
        f"How: {PAGES}a",
        "mailto:",
        "%0D%0A",
        "?&=+#",
        "   ",
        "\x85",
        "\r\n",
        "\x1b[1m",
        "\ud800",
        "\ufffe",
        "\u202e",
        "日本",
        "é",
        "</title>",
        "</style>",
        "{0}",
        "%s",
        " ",
    ),
)
TEXT = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=8), max_size=6).map("".join)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
ROWS = st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple)
BLOCK: st.SearchStrategy[Block] = st.one_of(
    st.builds(First, TEXT),
    st.builds(Heading, TEXT),
    st.builds(Paragraph, TEXT),
    st.builds(Events, st.lists(st.tuples(st.sampled_from(("", "1. ", "12. ")), TEXT), max_size=3).map(tuple)),
    st.builds(Board, st.lists(TEXT, max_size=3).map(tuple), TEXT),
    st.builds(Lead, TEXT),
    st.builds(Facts, ROWS),
    st.builds(Samples, TEXTS, st.booleans()),
    st.builds(Buttons, st.lists(st.builds(Button, TEXT, TEXT), max_size=3).map(tuple)),
    st.builds(Reference, TEXT),
    st.builds(Footer, TEXTS),
    st.builds(Copies, st.lists(TEXT, max_size=3).map(tuple)),
    st.builds(Turn, TEXT, TEXT),
    st.builds(Quote, TEXT),
    st.builds(Excerpt, TEXT, st.integers(1, 60), st.integers(1, 9)),
    st.builds(Rule, st.sampled_from(("second.turn.pass", "notation.turn"))),
)


TOLD: dict[type, Callable[[Any], str]] = {
    First: lambda block: block.line,
    Reference: lambda block: block.text,
    Heading: lambda block: block.text.capitalize() if block.text.isupper() else block.text,
    Paragraph: lambda block: unticked(block.text),
    Lead: lambda block: unticked(block.text),
    Footer: lambda block: "".join(map(unticked, block.texts)),
    Events: lambda block: "".join(number + unticked(text) for number, text in block.items),
    Facts: lambda block: rows(block.rows),
    Board: lambda block: "".join(block.lines),
    Copies: lambda block: "".join(block.lines),
    Turn: lambda block: f"{block.line} #{block.hash}",
    Quote: lambda block: f'"{make_printable(block.text)}"',
    Excerpt: lambda block: cut_around(block.text, block.col, block.length)[0],
    Rule: lambda block: f"The full rule, {block.id}",
}
"""What a block says in HTML."""


def told(block: Block, *, tapped: bool) -> str:
    """What a block says in HTML, with links that open an answer or without."""
    match block:
        case Samples(lines, numbered):
            shown = (f"{number if numbered else ''}{line}" for number, line in enumerate(lines, 1))
            return "".join((*shown, HOW_TO_TAP if tapped else ""))
        case Buttons(buttons):
            return "".join(button.label for button in buttons) if tapped else ""
        case _:
            return TOLD[type(block)](block)


def rows(items: tuple[tuple[str, str], ...]) -> str:
    """Names and texts; in a text three blanks part what is read on its own."""
    return "".join(name + "".join(map(unticked, re.split(" {3,}", text))) for name, text in items)


def unticked(text: str) -> str:
    """A text without backticks that stand in pairs around something."""
    return re.sub("`([^`]+)`", r"\1", text)


def squeezed(text: str) -> str:
    return "".join(text.split())


@UNTIMED
@given(st.lists(BLOCK, max_size=8), st.sampled_from((None, ANSWER)))
def test_whatever_is_said_nothing_becomes_markup(blocks: list[Block], answer: AnswerTo | None) -> None:
    page = Recipient(write_html(blocks, answer))
    assert page.open == []
    assert set(page.tags) <= OURS
    assert {name for name, _ in page.attributes} <= ATTRIBUTES
    links = [value for name, value in page.attributes if name == "href"]
    asks = [link for link in links if link.startswith("mailto:")]
    assert all(link.startswith(PAGES) for link in links if link not in asks)
    assert all(
        re.fullmatch(r"mailto:tkid%2B[a-l]{12}@games\.example\?subject=[\w%.~-]+&body=[\w%.~-]*", link) for link in asks
    )
    assert answer or not asks
    if not any(PAGES in text for text in (page.text, *links) if not text.startswith(f"{PAGES}r/")):
        said = "".join(told(block, tapped=answer is not None) for block in blocks)
        assert squeezed(page.text) == squeezed(clean_text(said))


EVERY = (
    Lead("Bob passed. Your turn."),
    First("--- Reply above this line. winter, turn 2 ---"),
    Events((("1. ", "Bob passed."), ("", "Moray is contested. [second.turn.pass]"), ("2", "Ann passed."))),
    Buttons((Button("Write a turn"), Button("Pass this turn", "Pass"))),
    Board(("+--+", "|  |"), "Moray"),
    Facts((("You", "court 2S   cards: Assemble"), ("Bob", "court 1W"))),
    Heading("YOUR ANSWER"),
    Samples((LEGAL, "Pass"), numbered=True),
    Copies((LEGAL,)),
    Excerpt("Pas", 1, 3),
    Turn("1. Ann Pass", "abcdef"),
    Quote("Hello"),
    Rule("notation.turn"),
    Reference("Ref winter 2 7ba25b x4o5pvqscclo"),
    Footer(("Reply `help`.", f"How to write a turn: {PAGES}notation/#turn")),
)
"""A letter with a block of every kind that has colours."""


def letters() -> list[Letter]:
    """Real letters: turn mails, and answers to all sorts of mails."""
    seat = MIDGAME.position.to_act
    assert seat is not None
    asked = [game_service.ask_for_turn(of, TIME) for of in (GAME, MIDGAME)]
    mails = ("Pass", "Manoeuvre S Mory <> E Devn; summon W Gwynedd", "Thanks!", "history\nhelp\nwhy\nstatus\nlegal")
    answers = [answered(text, MIDGAME, seat).letters[0] for text in mails]
    return [letter for letter in (*asked, *answers) if letter is not None]


@pytest.mark.parametrize("letter", letters(), ids=lambda letter: letter.kind)
def test_both_parts_say_the_same_in_the_same_order(letter: Letter) -> None:
    body = [block for block in letter.body if not isinstance(block, Rule)]
    lines = [line for line in format_plain(body).split("\n") if not re.fullmatch(r" +\^+|-- ", line)]
    page, said = write_html(body), re.sub(r":? https://\S+", "", " ".join(lines))
    assert Recipient(page).text.casefold().split() == unticked(said).casefold().split()
    (first,) = (block for block in letter.body if isinstance(block, First))
    assert first.line in [line.text for line in read_html_lines(page, 1000)[:3]]


@pytest.mark.parametrize("letter", letters(), ids=lambda letter: letter.kind)
def test_nothing_is_loaded_and_no_colour_is_set_that_a_dark_mode_would_spoil(letter: Letter) -> None:
    page = write_html(letter.body)
    assert not re.search(r"src=|url\(|@import|<link|<script|<img|<title|<form", page)
    assert all(link.startswith(PAGES) for link in re.findall(r'"(http[^"]*)"', page))
    assert colours(page) <= {BLUE, GREY, WHITE}
    assert 'name="color-scheme" content="light dark"' in page


def colours(page: str) -> set[str]:
    """The colours of words in the elements of a page."""
    return set(re.findall(r"(?<![-\w])color:([^;\"]+)", page.partition("<body")[2]))


def test_words_stand_out_on_light_and_on_dark_screens() -> None:
    page = write_html(EVERY, ANSWER)
    assert colours(page) == {BLUE, GREY, WHITE}
    dark = dict(re.findall(r"\.tkid-(link|quiet) \{ color: (#[0-9a-f]{6}) !important; \}", page))
    assert dark.keys() == {"link", "quiet"}
    for colour, ground in ((BLUE, PAPER), (GREY, PAPER), (dark["link"], NIGHT), (dark["quiet"], NIGHT), (WHITE, BLUE)):
        assert contrast(colour, ground) >= 4.5, (colour, ground)
    for name, colour in (("link", BLUE), ("quiet", GREY)):
        for tag in re.findall(r"<[a-z][^>]*>", page):
            assert (f'class="tkid-{name}"' in tag) == (re.search(rf"(?<!-)color:{colour}", tag) is not None), tag


def test_a_letter_has_no_line_that_a_mail_program_would_encode() -> None:
    assert max(map(len, write_html(EVERY, ANSWER).split("\n"))) <= LONGEST_LINE


def test_the_news_come_first_and_the_marker_is_small() -> None:
    page = write_html(EVERY, ANSWER)
    first, second = (line.text for line in read_html_lines(page, 1000)[:2])
    assert (first, second) == (EVERY[0].text, EVERY[1].line)
    assert re.search(r"<h1 [^>]*>Bob passed\. Your turn\.</h1>\n<p [^>]*font-size:12px[^>]*>--- Reply", page)


def test_a_number_stands_on_the_line_of_its_sample_and_of_its_turn() -> None:
    """On a line of its own it would read as an answer, where a program makes text of a letter."""
    lines = [line.text for line in read_html_lines(write_html(EVERY, ANSWER), 1000)]
    assert {"1. Bob passed.", "2 Ann passed.", f"1 {LEGAL}", "2 Pass"} <= set(lines)
    assert not {"1", "2", "1."} & set(lines)


def test_what_can_be_tapped_is_left_out_where_there_is_nobody_to_answer() -> None:
    page = write_html(EVERY)
    assert "mailto:" not in page
    assert "Write a turn" not in page
    assert HOW_TO_TAP not in page
    assert LEGAL in [line.text for line in read_html_lines(page, 1000)]


def test_what_stands_beside_the_map_is_in_rows_each_on_its_line() -> None:
    """Where a program makes text of it, nothing of a row is a line of its own, as that may be an order."""
    names = ("Ann", "Bartholomew the Elder", "")
    rows = tuple((name, "resign") for name in names)
    pages = [(write_html((Facts(each),)), len(each)) for each in (rows, rows[:1], rows[1:2])]
    for page, number in [*pages, (add_picture(write_html((Board(("",)),)), "cid:x", "", 1, 1, beside=rows), 3)]:
        lines = [line.text for line in read_html_lines(page, 100) if line.text]
        assert set(lines) <= {f"{name} resign".strip() for name in names}
        assert len(lines) == number
    page = write_html((Facts((("Ann", "court 2S   cards: `Assemble`"),)),))
    assert re.search(r"Ann </span>court 2S<br>cards: <code [^>]*>Assemble</code></p>", page)


def test_pages_of_ours_are_links_with_their_names() -> None:
    rows = {
        f"How to write a turn: {PAGES}notation/#turn": ("How to write a turn", "notation/#turn"),
        f"Read it. The full rule, second.turn.pass: {PAGES}a/b.": ("The full rule, second.turn.pass", "a/b"),
        f"It is at {PAGES}a": (f"{PAGES}a", "a"),
    }
    for text, (name, path) in rows.items():
        assert re.search(
            rf'<a class="tkid-link" href="{re.escape(PAGES + path)}" style="[^"]*">{re.escape(name)}</a>',
            write_html((Footer((text,)),)),
        ), text
    assert "<a" not in write_html((Footer(("Elsewhere: https://example.org/a",)),))
    assert "\n<p " in add_sentence(write_html(()), "More.")
    assert ">More.</p>\n</div>\n</body>" in add_sentence(write_html(()), "More.")


def test_rules_are_links_and_notation_is_code() -> None:
    page = write_html((Paragraph("`Pass` is legal [second.turn.pass], [no.rule] is none"), Rule("notation.turn")))
    style = r'style="color:#\w+;font-size:13px"'
    link = rf'<a class="tkid-link" href="{rule("second.turn.pass").link}" {style}>\[second.turn.pass\]</a>'
    assert re.search(rf"Pass</code> is legal {link}, \[no.rule\] is none</p>", page)
    assert f'href="{rule("notation.turn").link}" style="color:{BLUE}">The full rule, notation.turn</a>' in page


def test_lines_to_copy_are_whole_lines() -> None:
    long = f"{LEGAL}, {LEGAL}"
    lines = [line.text for line in read_html_lines(write_html((Copies((LEGAL, long, "Pass")),)), 1000)]
    assert [line for line in lines if line] == [LEGAL, long, "Pass"]


def test_a_mistake_is_underlined_in_its_line() -> None:
    page = write_html((Excerpt("Manoeuvre S Mory <> E Devon", 13, 4), Excerpt("Pass", 5, 1)))
    assert re.search(r'Manoeuvre S <span style="[^"]*underline[^"]*">Mory</span> &lt;&gt; E Devon</code>', page)
    assert re.search(r'Pass<span style="[^"]*">&nbsp;</span></code>', page)


def test_a_board_is_drawn_line_by_line_and_said_in_words() -> None:
    page = write_html((Board(("+--+", "|  |"), 'Moray: 2 "Scots"'),))
    assert 'role="img" aria-label="Moray: 2 &quot;Scots&quot;"' in page
    assert "\n+--+\n|  |</pre>" in page
    assert "role=" not in write_html((Board(("+--+",)),))
