"""Replies that quote the HTML part of a letter, as mail programs rewrite it: the order is found, and no other line is one."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from attrs import evolve, frozen

from tests.mail.mails import ANN, GAME, LEGAL, TIME, mail, parsed
from tests.mail.replies.clients import CLIENTS
from tests.mail.replies.drafts import Draft, Parent, Piece
from tests.mail.replies.languages import LANGUAGES
from tests.shared.tables import each_row
from tkid.mail import game_service
from tkid.mail.blocks import Block, Board, First, Lead, Reference, Samples, Turn
from tkid.mail.letter_html import finish_letter, write_html
from tkid.mail.marker import format_reply_line, frame_picture_words, read_reference, write_reference
from tkid.mail.message import compose_mail
from tkid.mail.mime import read_html_lines, take_in
from tkid.mail.model import Intake, Line, Marker
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.render.plugin import find_render_plugin

KEY = "abcdefghijkl"
HERE, LATER = "QUOTEDONE", "QUOTEDTWO"
"""Where a reply quotes the letter, and its second part."""
LETTER = game_service.ask_for_turn(GAME, TIME)
assert LETTER is not None
RAW = compose_mail(GAME, LETTER, ANN, "tkid@localhost", key=KEY)
MARKER = Marker(1, "c3aea4", "winter-2026", KEY)


def page_of(raw: bytes) -> str:
    """The HTML of a letter."""
    part = parsed(raw).get_body(("html",))
    assert part is not None
    return str(part.get_content())


PAGE = page_of(RAW)


@cache
def pictured() -> str:
    """The page with a picture in place of the map."""
    assert LETTER is not None
    return page_of(finish_letter(compose_mail(GAME, LETTER, ANN, "tkid@localhost", key=KEY, pictures=True)).mail)


# -- what programs make of it -------------------------------------------------------------------------------


def body_alone(page: str) -> str:
    """What stands in the body: most programs quote no more."""
    return page.partition("<body")[2].partition(">")[2].rpartition("</body>")[0]


def whole(page: str) -> str:
    """The document within the document, as some programs quote it."""
    return page


def gmail(page: str) -> str:
    """Gmail: styles of the head gone, classes renamed, links made its own."""
    page = body_alone(page).replace('class="', 'class="m_-4711')
    return page.replace("<a href=", '<a rel="noreferrer" target="_blank" href=').replace("<p ", '<p dir="auto" ')


def outlook_dark(page: str) -> str:
    """Outlook on the web in dark mode: colours set and the old ones kept beside them, classes renamed."""
    page = body_alone(page).replace('class="', 'class="x_')
    page = re.sub(r'<(p|h2|pre|div)([^>]*) style="', r'<\1\2 data-ogsc="" data-ogsb="rgb(255, 255, 255)" style="color:rgb(255, 255, 255)!important;', page)  # fmt: skip
    return re.sub(r"(<p[^>]*>)(.*?)</p>", r'\1<span data-ogsc="rgb(0, 0, 0)">\2</span></p>', page)


def apple_dark(page: str) -> str:
    """Apple Mail: the head's tags stay, and what is quoted lies in one more element, with colours of the dark mode."""
    style = "overflow-wrap: break-word; -webkit-nbsp-mode: space; color: rgb(255, 255, 255); caret-color: white;"
    head = '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">' + "".join(re.findall("<style>.*?</style>", page, re.DOTALL))  # fmt: skip
    return f'{head}<div style="{style}">{body_alone(page)}</div>'


def word(page: str) -> str:
    """Outlook's Word: paragraphs of its own, each line of a `pre` by itself, the source in short lines."""
    page = body_alone(page)
    page = re.sub(r"<p style=[^>]*>", "<p class=MsoNormal><span style='font-family:\"Courier New\"'>", page)
    page = page.replace("</p>", "<o:p></o:p></span></p>").replace("</h2>", "<o:p></o:p></h2>")
    before, pre, rest = page.partition("<pre")
    attributes, _, rest = rest.partition(">")
    board, _, after = rest.partition("</pre>")
    lines = "\n".join(
        f"<pre><span style='font-size:9.5pt'>{line}<o:p></o:p></span></pre>" for line in board.split("\n")
    )
    assert not pre or attributes
    return narrow(before) + (lines if pre else "") + narrow(after)


def narrow(source: str) -> str:
    return "\r\n".join(textwrap.fill(line, 76, break_long_words=False) for line in source.split("\n"))


REWRITTEN: dict[str, Callable[[str], str]] = {
    "gmail-web": gmail,
    "gmail-app": gmail,
    "outlook-word": word,
    "outlook-desktop": word,
    "outlook-web": outlook_dark,
    "outlook-mobile": outlook_dark,
    "apple-mail": apple_dark,
    "ios": apple_dark,
    "thunderbird": body_alone,
    "yahoo": whole,
    "protonmail": body_alone,
    "samsung": whole,
    "k9": body_alone,
    "gmx": body_alone,
    "mail-ru": body_alone,
    "qq": whole,
}
"""What each program makes of a page that it quotes."""
MARKING = sorted(name for name in REWRITTEN if CLIENTS[name].marks)
"""Programs that mark what they quote, as HTML and as text. Yahoo marks it as HTML only."""


# -- replies --------------------------------------------------------------------------------------------------


IMAGE = re.compile(r'<img [^>]*src="([^"]*)" alt="([^"]*)"[^>]*>')
SHOWN: dict[str, str] = {
    **dict.fromkeys(("gmail-web", "gmail-app"), "[image: {alt}]"),
    **dict.fromkeys(("outlook-word", "outlook-desktop"), "[{alt}]"),
    **dict.fromkeys(("outlook-web", "outlook-mobile"), "[cid:{source}]"),
    "apple-mail": "<position.png>",
    "ios": "\ufffc",
    "yahoo": "Inline image",
    "protonmail": "{alt}",
    "samsung": "[position.png]",
    "k9": "[IMAGE: {alt}]",
    "mail-ru": "{alt}",
    "qq": "",
}
"""What programs write in plain text where a picture stands, if not the words for it alone."""


def described(page: str, client: str) -> str:
    """A page with what a program writes in plain text for a picture, in short lines, as most programs break long ones."""
    way = SHOWN.get(client, "{alt}")

    def words(found: re.Match[str]) -> str:
        return "<br>".join(textwrap.wrap(way.format(source=found[1], alt=found[2]), 74, break_long_words=False))

    return IMAGE.sub(words, page)


@frozen
class Reply:
    """A reply in the form of a program: its pieces, and what is quoted at HERE and LATER."""

    client: str
    pieces: tuple[Piece, ...]
    quoted: dict[str, str]

    def draft(self) -> Draft:
        """The reply before it is written."""
        parent = Parent(("",), "[tkid] turn 1", "<x@localhost>", "", f"Ann <{ANN}>", RAW)
        return Draft(LANGUAGES["en"], parent, self.pieces, Random(0))

    def as_html(self) -> bytes:
        """The reply as HTML alone."""
        text = CLIENTS[self.client].html.text(self.draft())
        for name, page in self.quoted.items():
            text = text.replace(name, REWRITTEN[self.client](page))
        return mail(text, "Content-Type: text/html; charset=utf-8")

    def as_text(self) -> bytes:
        """The reply as plain text, into which the program has turned the page that it quotes."""
        draft = self.draft()
        pages = {name: described(page, self.client) for name, page in self.quoted.items()}
        lines = {name: tuple(line.text for line in read_html_lines(page, 2000)) for name, page in pages.items()}
        pieces = (evolve(each, lines=lines[each.lines[0]]) if each.kind == "quote" else each for each in draft.pieces)
        return mail(CLIENTS[self.client].plain.text(evolve(draft, pieces=tuple(pieces))))


OWN, INTRO = Piece("own", (LEGAL, "", "Good luck!")), Piece("intro")


def on_top(client: str, page: str = PAGE) -> Reply:
    """An order above what is quoted."""
    return Reply(client, (OWN, INTRO, Piece("quote", (HERE,))), {HERE: page})


def below(client: str, page: str = PAGE) -> Reply:
    """An order below what is quoted."""
    return Reply(client, (INTRO, Piece("quote", (HERE,)), OWN), {HERE: page})


def between(client: str, *, picture: bool = False) -> Reply:
    """An order between two parts of what is quoted."""
    at = next(at for at, block in enumerate(keyed()) if isinstance(block, Board))
    parts = {HERE: write_html(keyed()[:at]), LATER: write_html(keyed()[at:])}
    if picture:
        image = next(iter(re.findall("<img [^>]*>", pictured())))
        before, _, after = pictured().partition(image)
        parts = {HERE: f"{before}{image}</body>", LATER: f"<body>{after}"}
    return Reply(client, (INTRO, Piece("quote", (HERE,)), OWN, Piece("quote", (LATER,))), parts)


def keyed() -> tuple[Block, ...]:
    """What the letter says, with its key."""
    assert LETTER is not None
    assert write_reference(MARKER) in [line.text for line in read_html_lines(PAGE, 2000)]
    return tuple(Reference(write_reference(MARKER)) if isinstance(block, Reference) else block for block in LETTER.body)


def taken(data: bytes) -> Intake:
    """A reply, read."""
    found = take_in(data)
    assert isinstance(found, Intake)
    return found


def typed(data: bytes) -> tuple[str, ...]:
    """What a reply asks for."""
    game = GAME.record.game
    return find_orders(taken(data), get_order_reader(game, GAME.record.names, 0)).typed


def marker_in(data: bytes) -> Marker | None:
    """What the reference says, which has to stand on one line."""
    found = (read_reference((line,), 0) for line in taken(data).lines)
    return next(filter(None, found), None)


@each_row("client", REWRITTEN)
def test_an_order_above_the_page_is_found_and_no_other(client: str) -> None:
    for data in (on_top(client).as_html(), on_top(client).as_text()):
        assert typed(data) == (LEGAL,)
        assert marker_in(data) == MARKER


@pytest.mark.parametrize("client", MARKING)
def test_an_order_below_the_page_or_in_it_is_found_and_no_other(client: str) -> None:
    for reply in (below(client), between(client)):
        for data in (reply.as_html(), reply.as_text()):
            assert typed(data) == (LEGAL,)
            assert marker_in(data) == MARKER


@pytest.mark.parametrize("client", sorted(set(REWRITTEN) - set(MARKING)))
def test_where_nothing_is_marked_what_stands_below_the_marker_is_no_order(client: str) -> None:
    assert typed(below(client).as_html()) == ((LEGAL,) if client == "yahoo" else ())
    assert typed(below(client).as_text()) == ()


@each_row("client", REWRITTEN)
def test_without_the_marker_a_heading_tells_where_the_letter_begins(client: str) -> None:
    page = write_html(block for block in keyed() if not isinstance(block, Lead | First))
    for data in (on_top(client, page).as_html(), on_top(client, page).as_text()):
        assert typed(data) == (LEGAL,)


@each_row("client", REWRITTEN)
def test_a_long_reference_stays_one_line(client: str) -> None:
    marker = Marker(123, "c3aea4", "a-game-with-a-n", KEY)
    first, turn = First(format_reply_line(marker.title, 123)), Turn("1. Ann Pass", "c3aea4")
    blocks = (
        Lead("You passed. Bob is next."),
        first,
        turn,
        Samples(("Pass", LEGAL)),
        Reference(write_reference(marker)),
    )
    data = on_top(client, write_html(blocks)).as_html()
    assert typed(data) == (LEGAL,)
    assert marker_in(data) == marker


# -- pictures ---------------------------------------------------------------------------------------------


@each_row("client", REWRITTEN)
def test_what_programs_make_of_a_picture_is_no_order(client: str) -> None:
    reply = on_top(client, pictured())
    for data in (reply.as_html(), reply.as_text()):
        assert typed(data) == (LEGAL,)
        assert marker_in(data) == MARKER
    written = described(pictured(), client)
    assert "<img" not in written
    assert (re.sub(r"\s", "", SHOWN.get(client, "The position in words:").partition("{")[0])) in re.sub(
        r"\s|<br>", "", written
    )


@pytest.mark.parametrize("client", MARKING)
def test_an_order_below_a_picture_is_found_and_no_other(client: str) -> None:
    for reply in (below(client, pictured()), between(client, picture=True)):
        for data in (reply.as_html(), reply.as_text()):
            assert typed(data) == (LEGAL,)
            assert marker_in(data) == MARKER


RECORDED = sorted((Path(__file__).parents[2] / "fixtures" / "games").glob("*/whole-game-for-?.tkid"))


def words_for_pictures(path: Path) -> Iterator[tuple[Replay, str]]:
    """The words for the pictures of a game."""
    record = read_record(path.read_bytes()).record
    assert record is not None
    played = replay(record)
    for moment in played.moments[::7]:
        view = record.game.view(moment.position, 0)
        yield (
            played,
            frame_picture_words(find_render_plugin(record.game).describe_position(record.game, view, record.names)),
        )


@pytest.mark.slow
@each_row("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem[-1]}")
def test_the_words_for_a_picture_are_never_orders_however_they_are_broken(path: Path) -> None:
    """Also where a program marks only their first line as quoted, or none, and marker and headings were deleted."""
    width = 0
    for of, told in words_for_pictures(path):
        width = width % 30 + 1
        reader = get_order_reader(of.record.game, of.record.names, 0)
        for shape in ("{}", "[image: {}]", "[{}]"):
            lines = textwrap.wrap(shape.format(told), 50 + width)
            first = [Line(f"> {lines[0]}", quoted=True), *map(Line, lines[1:]), Line("help"), Line("status")]
            bare = [Line("help"), *map(Line, lines), Line("status")]
            for which, wanted in ((first, ("help", "status")), (bare, ("help",))):
                found = find_orders(Intake(ANN, tuple(which), "", (), ""), reader)
                assert (found.typed, found.remark) == (wanted, ())


def test_words_for_a_picture_that_are_cut_off_end_where_something_else_begins() -> None:
    reader = get_order_reader(GAME.record.game, GAME.record.names, 0)
    for gap in (Line(""), Line("> Ann", quoted=True)):
        lines = (Line("> [image: The position in words: Moray", quoted=True), Line("Pass"), gap, Line("help"))
        assert find_orders(Intake(ANN, lines, "", (), ""), reader).typed == ("help",)
    endless = (Line("> The position in words:", quoted=True), *[Line("Pass")] * 110, Line("help"))
    assert find_orders(Intake(ANN, endless, "", (), ""), reader).typed == ("Pass", "help")
