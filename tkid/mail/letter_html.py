"""Write letters as HTML, and add pictures when they are sent.

Players wrote the text of blocks, so all of it is escaped. Each element has its own style, as mail programs drop most others.
Our own colours are grey, and blue for links and buttons; both have another value for dark screens. A letter loads nothing
and hides nothing: lists of mails show its first sentence. It has no `<title>`, because a program that quotes one above the
marker line would turn the name of a game into an order.

The store keeps letters with the map as text. When one is sent, `finish_letter` replaces the map in its HTML part by a picture
and adds a page to click a turn together for the next player. It makes both from the enclosed game file, so they show what
that reader may know, and the same letter always becomes the same bytes. It leaves out what it can't make.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from email.header import decode_header, make_header
from functools import cache
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from attrs import evolve, frozen

from tkid.mail import blocks, mime_writer
from tkid.mail.hosted_game import make_next_marker
from tkid.mail.marker import frame_picture_words
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, find_shown_position, replay
from tkid.render.click_page import Answer, click_page
from tkid.render.frames import last_turn, picture_at
from tkid.render.lines import count_columns, make_printable
from tkid.render.plugin import find_render_plugin
from tkid.render.raster import NoPngError, Tiles
from tkid.render.replay_page import replay_page
from tkid.rulebook import is_known_rule, rule
from tkid.rulebook.register import find_address

BLUE, GREY, WHITE = "#1a5fb4", "#757575", "#ffffff"
"""What can be tapped, what matters less, and the words on a filled button."""
MONO = "font-family:Menlo,Consolas,'Courier New',monospace"
FRAME = "border:1px solid #999;border-radius:6px"
BOX = f"{FRAME};background:rgba(128,128,128,.12)"
QUIET = f"color:{GREY}"
CODE = f"{MONO};font-size:14px;white-space:pre-wrap"
BOLD = "font-size:16px;font-weight:600;line-height:22px"
TABLE = 'cellpadding="0" cellspacing="0" border="0"'
CLOSES = "</div>\n</body>\n</html>\n"
OPENS = Path(__file__).with_name("letter.html").read_text("utf-8").removesuffix(CLOSES)
"""The beginning of a letter, with the colours of links, edges and grey words on dark screens."""
FAR, BETWEEN, NEAR = "12px 0 0", "8px 0 0", "6px 0 0"
"""The margins of a block, of an item of a list, and of what belongs to what stands before it."""
HOW_TO_TAP = "Tap a line to start a reply with it. Nothing happens until you send it."
HANG, SMALL_HANG = 32, 20
"""Indent of an event's words behind its turn's number, and of a sample's behind its own, in pixels."""
LONGEST_NAME = 130
"""Maximum width in pixels of a name that has a column of its own."""
DRAWN = re.compile(r'<pre class="tkid-board".*?</pre>\n', re.DOTALL)
"""A position that is drawn in text."""
LINE_END, THREE_BLANKS = re.compile(r"\r\n|\r|\n"), re.compile(" {3,}")


@frozen
class AnswerTo:
    """The target of an answer to a letter: an address, which holds the key, and a subject."""

    address: str
    subject: str

    def make_link(self, body: str) -> str:
        """Return a link that opens an answer with a text, by RFC 6068: `%20` is a blank, `%0D%0A` ends a line."""
        lines = mime_writer.clean_text(LINE_END.sub("\n", body)).replace("\n", "\r\n")
        subject, text = (quote(words, safe="") for words in (mime_writer.join_lines(self.subject), lines))
        return f"mailto:{quote(self.address, safe='@')}?subject={subject}&body={text}"


def write_html(body: Iterable[blocks.Block], answer: AnswerTo | None = None) -> str:
    """Write blocks as an HTML document. Without an `answer` it has no links: samples are there to be copied."""
    pieces = [OPENS]
    before: blocks.Block | None = None
    for block in body:
        near = blocks.is_attached(before, block)
        tapped = TAPPED.get(type(block))
        pieces.append(tapped(block, answer) if tapped else HTML[type(block)](block, NEAR if near else FAR))
        before = block
    return "".join((*pieces, CLOSES))


def add_picture(
    page: str, source: str, words: str, width: int, height: int, *, beside: Sequence[tuple[str, str]] = ()
) -> str:
    """Put a picture, described by `words`, in place of each drawn position; `beside` are rows that it leaves out."""
    style = f"display:block;width:100%;max-width:{width}px;height:auto;border:0;border-radius:6px"
    about = f'src="{_escape(source)}" alt="{_escape(" ".join(words.split()))}" width="{width}" height="{height}"'
    shown = f'<img class="tkid-picture" {about} style="{style}">'
    rows = _write_rows(beside, QUIET, ' class="tkid-quiet"')
    return DRAWN.sub(lambda _: f'<p style="margin:{FAR}">{shown}</p>\n{rows}', page)


def add_sentence(page: str, text: str) -> str:
    return page.removesuffix(CLOSES) + _write_small(_mark_up(text)) + CLOSES


def _write_lead(block: blocks.Lead, _: str) -> str:
    style = "margin:0;font-size:21px;line-height:1.3;font-weight:600"
    return f'<h1 style="{style}">{_mark_up(block.text)}</h1>\n'


def _write_heading(block: blocks.Heading, _: str) -> str:
    """Write a heading, without the capitals of plain text: weight sets it off."""
    text = block.text.capitalize() if block.text.isupper() else block.text
    return f'<h2 style="margin:24px 0 0;font-size:15px;line-height:1.3">{_escape(text)}</h2>\n'


def _write_events(block: blocks.Events, margin: str) -> str:
    pieces, numbered = [], any(number for number, _ in block.items)
    for index, (number, sentence) in enumerate(block.items):
        above = margin if index == 0 else NEAR if numbered and not number else BETWEEN
        style = f"margin:{above};font-size:16px;line-height:1.4;padding-left:{HANG if numbered else 0}px"
        words = _mark_up(sentence)
        if number:  # beside its text: as the cell of a table it would be a line alone in plain text
            style = f"{style};text-indent:-{HANG}px"
            words = f'<span class="tkid-quiet" style="{_place_number(HANG)};{QUIET}">{_escape(number)} </span>{words}'
        pieces.append(_write_paragraph(style, words))
    return "".join(pieces)


def _place_number(room: int) -> str:
    return f"display:inline-block;min-width:{room}px;text-indent:0"


def _write_board(block: blocks.Board, _: str) -> str:
    """Write a drawing in text. Its lines are never broken, so that on a telephone it can be swiped or moved with keys."""
    about = f' role="img" aria-label="{_escape(block.caption)}"' if block.caption else ""
    style = (
        f"margin:{FAR};padding:8px 4px;{BOX};{MONO};font-size:12.5px;line-height:1.2;overflow-x:auto;white-space:pre"
    )
    return f'<pre class="tkid-board"{about} tabindex="0" style="{style}">\n{_escape(chr(10).join(block.lines))}</pre>\n'


def _write_rows(rows: Sequence[tuple[str, str]], style: str, attributes: str = "") -> str:
    """Write rows of a styled name and a text, in which three blanks begin a line; long names go before it.

    They are no table, as programs that make text of HTML would put each cell on a line: `resign`, for example,
    in the row that explains it.
    """
    widest = 16 + 9 * max((count_columns(name) for name, _ in rows), default=0)
    room = widest if widest <= LONGEST_NAME else 0
    hang = room or SMALL_HANG
    place = f"{_place_number(room) if room else 'margin-right:8px'};{style}"
    outer = f"font-size:15px;line-height:1.35;padding-left:{hang}px;text-indent:-{hang}px"
    pieces = []
    for index, (name, text) in enumerate(rows):
        words = "<br>".join(map(_mark_up, THREE_BLANKS.split(text)))
        words = f'<span{attributes} style="{place}">{_escape(name)} </span>{words}'
        pieces.append(_write_paragraph(f"margin:{NEAR if index else BETWEEN};{outer}", words))
    return "".join(pieces)


def _write_buttons(block: blocks.Buttons, answer: AnswerTo | None) -> str:
    if answer is None:
        return ""
    shown = (
        _write_button(button, button.link or answer.make_link(button.body), filled=not index)
        for index, button in enumerate(block.buttons)
    )
    return "".join(shown) + '<div style="clear:both;font-size:1px;line-height:1px">&nbsp;</div>\n'


def _write_button(button: blocks.Button, link: str, *, filled: bool) -> str:
    ground, colour = (f"background-color:{BLUE};", WHITE) if filled else ("", BLUE)
    edge, kind = ("", "") if filled else (' class="tkid-edge"', ' class="tkid-link"')
    table = f'<table role="presentation" {TABLE} align="left" style="border-collapse:separate;margin:10px 10px 0 0">'
    cell = f"{ground}border:1px solid {BLUE};border-radius:6px;mso-padding-alt:11px 16px"
    words = f"display:inline-block;padding:11px 16px;color:{colour};text-decoration:none;{BOLD}"
    return (
        f'{table}<tr>\n<td{edge} style="{cell}">'
        f'<a{kind} href="{_escape(link)}"\n style="{words}">{_escape(button.label)}</a></td></tr></table>\n'
    )


def _write_samples(block: blocks.Samples, answer: AnswerTo | None) -> str:
    pieces, room = [], SMALL_HANG if block.numbered else 0
    box = f"padding:11px 11px 11px {11 + room}px;text-indent:-{room}px;{FRAME};line-height:1.35"
    for number, line in enumerate(block.lines, 1):
        place = f'<b style="{_place_number(SMALL_HANG)}">{number} </b>' if block.numbered else ""
        shown = f'{place}<code style="{CODE}">{_escape(line)}</code>'
        if answer is None:
            pieces.append(_write_paragraph(f"margin:{BETWEEN};{box}", shown))
            continue
        link = _escape(answer.make_link(str(number) if block.numbered else line))
        style = f"display:block;{box};color:{BLUE};text-decoration:none"
        tapped = f'<a class="tkid-link" href="{link}"\n style="{style}">{shown}</a>'
        pieces.append(_write_paragraph(f"margin:{BETWEEN}", tapped))
    how = _write_quiet("margin:4px 0 0;font-size:14px", HOW_TO_TAP) if answer else ""
    return "".join((*pieces, how))


def _write_copies(block: blocks.Copies, _: str) -> str:
    """Write lines to copy, related ones in one box. A tap selects all of one; it stays one line on any screen."""
    style = f"{CODE};-webkit-user-select:all;user-select:all"
    codes = (f'<code style="{style}">{_escape(line)}</code>' for line in block.lines)
    boxes = ["<br>".join(codes)] if block.together else codes
    return "".join(_write_paragraph(f"margin:{BETWEEN};padding:8px 10px;{BOX};line-height:1.3", box) for box in boxes)


def _write_quote(block: blocks.Quote, margin: str) -> str:
    style = f"margin:{margin};padding-left:12px;border-left:3px solid #999"
    return _write_paragraph(style, f'"{_escape(make_printable(block.text))}"')


def _underline_place(block: blocks.Excerpt, margin: str) -> str:
    """Format a line as code with a place in it underlined; behind its end an empty one."""
    shown, begin, length = blocks.cut_around(block.text, block.col, block.length)
    before, marked, after = shown[:begin], shown[begin : begin + length], shown[begin + length :]
    style = "text-decoration:underline;font-weight:bold;border-bottom:2px solid #c62828"
    place = f'<span style="{style}">{_escape(marked) or "&nbsp;"}</span>'
    code = f'<code style="{CODE}">{_escape(before)}{place}{_escape(after)}</code>'
    return _write_paragraph(f"margin:{margin};padding:9px 11px;{FRAME};line-height:1.35", code)


def _write_rule(block: blocks.Rule, margin: str) -> str:
    return _write_paragraph(f"margin:{margin}", _write_link(rule(block.id).link, f"The full rule, {block.id}"))


def _write_reference(block: blocks.Reference, _: str) -> str:
    style = "margin:28px 0 0;padding:10px 0 0;border-top:1px solid #999;font-size:13px;line-height:1.4"
    return _write_quiet(style, _escape(block.text))


def _write_small(inner: str) -> str:
    return _write_quiet("margin:4px 0 0;font-size:13px;line-height:1.4", inner)


def _write_quiet(style: str, inner: str) -> str:
    return f'<p class="tkid-quiet" style="{style};{QUIET}">{inner}</p>\n'


def _write_paragraph(style: str, inner: str) -> str:
    return f'<p style="{style}">{inner}</p>\n'


@cache
def _compile_markup(site: str) -> re.Pattern[str]:
    return re.compile(
        r"`(?P<code>[^`]+)`"
        r"|\[(?P<rule>[a-z]+(?:[.-][a-z0-9]+)+)\]"
        rf"|(?:(?:^|(?<=[.?!] ))(?P<name>(?:[^.:?!`\[\]]|\.(?! ))+): )?(?P<page>{re.escape(site)}[\w/#.-]*[\w/#])"
    )


def _mark_up(text: str) -> str:
    pieces, end = [], 0
    for mark in _compile_markup(find_address()).finditer(text):
        code, rule_id, name, page = mark.group("code", "rule", "name", "page")
        if rule_id and not is_known_rule(rule_id):
            continue
        linked = _write_link(rule(rule_id).link, f"[{rule_id}]", ";font-size:13px") if rule_id else ""
        shown = _write_code(code) if code else linked or _write_link(page, name or page)
        pieces += [_escape(text[end : mark.start()]), shown]
        end = mark.end()
    return "".join((*pieces, _escape(text[end:])))


def _write_code(text: str) -> str:
    return f'<code style="{MONO};font-size:.92em">{_escape(text)}</code>'


def _write_link(address: str, words: str, style: str = "") -> str:
    return f'<a class="tkid-link" href="{_escape(address)}" style="color:{BLUE}{style}">{_escape(words)}</a>'


def _escape(text: str) -> str:
    return escape(mime_writer.clean_text(text))


HTML: dict[type, Callable[[Any, str], str]] = {
    blocks.Lead: _write_lead,
    blocks.First: lambda block, _: _write_quiet("margin:6px 0 0;font-size:12px;line-height:1.3", _escape(block.line)),
    blocks.Heading: _write_heading,
    blocks.Paragraph: lambda block, margin: _write_paragraph(f"margin:{margin}", _mark_up(block.text)),
    blocks.Events: _write_events,
    blocks.Board: _write_board,
    blocks.Facts: lambda block, _: _write_rows(block.rows, "font-weight:600"),
    blocks.Copies: _write_copies,
    blocks.Turn: lambda block, margin: _write_paragraph(f"margin:{margin}", _write_code(f"{block.line} #{block.hash}")),
    blocks.Quote: _write_quote,
    blocks.Excerpt: _underline_place,
    blocks.Rule: _write_rule,
    blocks.Reference: _write_reference,
    blocks.Footer: lambda block, _: "".join(_write_small(_mark_up(text)) for text in block.texts),
}
"""Each kind of block as one element or several, with the margin above it."""
TAPPED: dict[type, Callable[[Any, AnswerTo | None], str]] = {
    blocks.Samples: _write_samples,
    blocks.Buttons: _write_buttons,
}
"""The kinds that open an answer."""
SHOWN_WIDTH = 420
"""Width of a picture on the page, if there is room, in pixels of the page."""
SHARP = 2 * SHOWN_WIDTH
"""Width of a picture in its own pixels: telephones have two or three for each pixel of the page."""
MOST_BYTES = 120_000
"""No picture of a game is larger."""
TILES = Tiles()
"""Cache of drawn pieces: a game's pictures have most parts in common, and players often see the same one."""
NAME = "position.png"
HEADER = "X-Tkid-Picture"
WISHED = re.compile(rb"^X-Tkid-Picture: (\d+)((?: [a-z]+)+)\r\n", re.MULTILINE)
HEAD_END = b"\r\n\r\n"
BOUNDARY = re.compile(r'boundary="=_tkid_([0-9a-f]+)"')
ADDRESS = re.compile(r"<([^<>]+)>$")
FOLD = re.compile(r"\r\n[ \t]")
"""Line end inside a header."""
CLICK = "To click your turn instead of writing it, open the attached {}."
OPENED = "opened"
"""Text of the header of a letter if nothing is hidden any more, as the game is over."""
PICTURE = "picture"
"""Name of the extra that is no file of a letter: a picture of the position in its page."""


@frozen
class Finished:
    """A letter as it goes out; and why something is not in it that should be, where that is so."""

    mail: bytes
    missing_pictures: tuple[str, ...] = ()


def write_wish(seat: int, wanted: Collection[str], *, opened: bool = False) -> str:
    """Return the header of a stored letter that lists the extras to add when it goes out.

    They are made as a seat may see the game, or with nothing hidden if it is `opened`. The game file stays enclosed
    if it is wanted too. The header does not go out.
    """
    return f"{HEADER}: {' '.join((str(seat), *sorted({*wanted, *([OPENED] if opened else [])})))}"


def finish_letter(data: bytes) -> Finished:
    """Return a letter as it is sent, with all that is added then: the same bytes every time."""
    head, _, body = data.partition(HEAD_END)
    wished = WISHED.search(head)
    if wished is None:
        return Finished(data)
    bare = head[: wished.start()] + head[wished.end() :] + HEAD_END + body
    wanted, missing_pictures = wished[2].decode("ascii").split(), []
    try:
        letter = _Letter.read_letter(mime_writer.read_written_part(bare), None if OPENED in wanted else int(wished[1]))
        for step in (step for name, step in STEPS.items() if name in wanted):
            try:
                letter = step(letter)
            except Exception as error:  # noqa: BLE001 - the letter matters more than any failure here
                missing_pictures.append(_explain_failure(error))
        if blocks.GAME not in wanted:
            letter = evolve(letter, files=letter.files[1:])
        return Finished(letter.write_letter(), tuple(missing_pictures))
    except Exception as error:  # noqa: BLE001 - a defect of ours
        return Finished(bare, (_explain_failure(error),))


def _explain_failure(error: Exception) -> str:
    return str(error) if isinstance(error, NoPngError) else f"{type(error).__name__}: {error}"


@frozen
class _Letter:
    """A letter taken apart: its headers, what its boundaries are named after, whom it is for, and what it holds.

    `seat` is None where everybody may see everything, `known` the game that it encloses, `images` are those in its page.
    """

    headers: tuple[str, ...]
    digest: str
    seat: int | None
    known: Replay
    text: str
    page: str
    files: tuple[mime_writer.Part, ...]
    images: tuple[mime_writer.Part, ...] = ()

    @classmethod
    def read_letter(cls, mail: mime_writer.Part, seat: int | None) -> _Letter:
        texts, *files = mime_writer.split_multipart(mail)
        text, page = map(mime_writer.read_text_part, mime_writer.split_multipart(texts))
        record = read_record(mime_writer.read_text_part(files[0]).encode()).record
        boundary = BOUNDARY.search(mail.headers[-1])
        assert record is not None
        assert boundary is not None
        return cls(mail.headers[:-1], boundary[1], seat, replay(record), text, page, tuple(files))

    def write_letter(self) -> bytes:
        page = mime_writer.make_text_part(self.page.encode("ascii", "xmlcharrefreplace").decode("ascii"), "text/html")
        if self.images:
            related = mime_writer.make_multipart("related", f"=_tkid_page_{self.digest}", [page, *self.images])
            page = evolve(related, headers=(f'{related.headers[-1]};\r\n type="text/html"',))
        forms = [mime_writer.make_text_part(self.text), page]
        whole = mime_writer.make_multipart("alternative", f"=_tkid_text_{self.digest}", forms)
        if self.files:
            whole = mime_writer.make_multipart("mixed", f"=_tkid_{self.digest}", [whole, *self.files])
        return mime_writer.Part((*self.headers, *whole.headers), whole.body).write_part()


def _add_picture(letter: _Letter) -> _Letter:
    """Add to a letter a picture of the map in place of the map in its page. Raises NoPngError."""
    picture, name = picture_at(letter.known, -1, letter.seat, layout="alone"), f"position.{letter.digest}@tkid"
    height, words = round(SHOWN_WIDTH * picture.height / picture.width), frame_picture_words(picture.description)
    game = letter.known.record.game
    view = game.view(find_shown_position(letter.known), letter.seat)
    beside = find_render_plugin(game).list_side_notes(game, view, letter.known.record.names)
    page = add_picture(letter.page, f"cid:{name}", words, SHOWN_WIDTH, height, beside=beside)
    headers = (f'Content-Disposition: inline; filename="{NAME}"', f"Content-ID: <{name}>")
    drawn = mime_writer.make_file_part(TILES.draw_png(picture, width=SHARP), "image/png", *headers)
    return evolve(letter, page=page, images=(drawn,))


def _add_board(letter: _Letter) -> _Letter:
    known, seat = letter.known, letter.seat
    game, names = known.record.game, known.record.names
    subject = _read_header(letter, "Subject").removeprefix("Re: ")
    address = ADDRESS.search(_read_header(letter, "Reply-To") or _read_header(letter, "From"))
    answer = Answer(address[1], f"Re: {subject}") if address else None
    view = game.view(known.position, seat)
    board = click_page(game, view, names, title=subject, last=last_turn(known, -1, seat), answer=answer)
    name = f"turn-{make_next_marker(known).turn}.html"
    more = CLICK.format(name)
    told = evolve(letter, text=f"{letter.text}{more}\n", page=add_sentence(letter.page, more))
    return _attach_page(told, name, board)


def _add_replay(letter: _Letter) -> _Letter:
    name = f"{mime_writer.make_file_stem(letter.known.record)}.html"
    return _attach_page(letter, name, replay_page(letter.known, letter.seat))


def _attach_page(letter: _Letter, name: str, page: str) -> _Letter:
    file = mime_writer.make_text_part(page, "text/html", f'Content-Disposition: attachment; filename="{name}"')
    return evolve(letter, files=(*letter.files, file))


STEPS = MappingProxyType({PICTURE: _add_picture, blocks.BOARD: _add_board, blocks.REPLAY: _add_replay})
"""The function that puts each thing into a letter."""


def _read_header(letter: _Letter, name: str) -> str:
    header = next((line for line in letter.headers if line.startswith(f"{name}: ")), f"{name}: ")
    return str(make_header(decode_header(FOLD.sub(" ", header.partition(": ")[2]))))
