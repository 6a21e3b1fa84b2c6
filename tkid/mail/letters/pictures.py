"""Adds pictures when a letter is sent, because drawing is slow.

A letter in the store is whole without them: its map is text. When it goes out, a picture of the same position takes the
place of the map in its HTML part, and the next player also gets a page to click a turn together. Both are made from the
game file that the letter encloses; so they show what that reader may know, and the same letter always becomes the same
bytes. What cannot be made is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from email.header import decode_header, make_header
from types import MappingProxyType

from attrs import evolve, frozen

from tkid.mail.game.hosted_game import next_marker
from tkid.mail.letters.blocks import BOARD, GAME, REPLAY
from tkid.mail.letters.file_names import file_stem
from tkid.mail.letters.html import with_more, with_picture
from tkid.mail.letters.mime_writer import Part, file_part, multipart, parts_of, read_part, text_of, text_part
from tkid.mail.marker import in_words
from tkid.record.format.reader import read_record
from tkid.record.play.outcome import shown_position
from tkid.record.play.replay import Replay, replay
from tkid.render.click_page import Answer, click_page
from tkid.render.frames import last_turn, picture_at
from tkid.render.picture import Picture
from tkid.render.plugin import render_plugin
from tkid.render.png import WIDTH, NoPngError
from tkid.render.raster.tiles import Tiles
from tkid.render.replay_page import replay_page

SHOWN_WIDTH = 420
"""How wide a picture is shown where there is room, in pixels of the page."""
SHARP = 2 * SHOWN_WIDTH
"""How wide it is in its own pixels: telephones have two or three for each of the page."""
MOST_BYTES = 120_000
"""No picture of a game is larger."""
TILES = Tiles()
"""What is drawn already: the pictures of a game have most parts in common, and its players often see the same one."""
NAME = "position.png"
HEADER = "X-Tkid-Picture"
WISHED = re.compile(rb"^X-Tkid-Picture: (\d+)((?: [a-z]+)+)\r\n", re.MULTILINE)
HEAD_END = b"\r\n\r\n"
BOUNDARY = re.compile(r'boundary="=_tkid_([0-9a-f]+)"')
ADDRESS = re.compile(r"<([^<>]+)>$")
FOLD = re.compile(r"\r\n[ \t]")
"""Where a header goes on on another line."""
CLICK = "To click your turn instead of writing it, open the attached {}."
OPENED = "opened"
"""What the header of a letter says where nothing is hidden any more, as the game is over."""
PICTURE = "picture"
"""What may be wished for besides the files of a letter: a picture of the position in its page."""


@frozen
class Finished:
    """A letter as it goes out; and why something is not in it that should be, where that is so."""

    mail: bytes
    missing_pictures: tuple[str, ...] = ()


def wish(seat: int, wanted: Collection[str], *, opened: bool = False) -> str:
    """The header of a letter in the store that says what is put into it when it goes out.

    All of it is as a seat may see it, or with nothing hidden where it is `opened`. The game file stays enclosed if it is
    wanted too. The header does not go out.
    """
    return f"{HEADER}: {' '.join((str(seat), *sorted({*wanted, *([OPENED] if opened else [])})))}"


def finished(mail: bytes) -> Finished:
    """A letter as it goes out, with all that is put into it then: the same bytes every time."""
    head, _, body = mail.partition(HEAD_END)
    wished = WISHED.search(head)
    if wished is None:
        return Finished(mail)
    bare = head[: wished.start()] + head[wished.end() :] + HEAD_END + body
    wanted, missing_pictures = wished[2].decode("ascii").split(), []
    try:
        letter = _Letter.read(read_part(bare), None if OPENED in wanted else int(wished[1]))
        for step in (step for name, step in STEPS.items() if name in wanted):
            try:
                letter = step(letter)
            except Exception as error:  # noqa: BLE001 - whatever it is, the letter matters more
                missing_pictures.append(_reason(error))
        if GAME not in wanted:
            letter = evolve(letter, files=letter.files[1:])
        return Finished(letter.written(), tuple(missing_pictures))
    except Exception as error:  # noqa: BLE001 - a defect of ours
        return Finished(bare, (_reason(error),))


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, NoPngError) else f"{type(error).__name__}: {error}"


@frozen
class _Letter:
    """A letter taken apart: its headers, what its boundaries are named after, whom it is for, and what it holds.

    `seat` is None where everybody may see everything.

    `known` is the game that it encloses, `images` are those in its page.
    """

    headers: tuple[str, ...]
    digest: str
    seat: int | None
    known: Replay
    text: str
    page: str
    files: tuple[Part, ...]
    images: tuple[Part, ...] = ()

    @classmethod
    def read(cls, mail: Part, seat: int | None) -> _Letter:
        """A letter that `tkid.mail.letters.message` composed."""
        texts, *files = parts_of(mail)
        text, page = map(text_of, parts_of(texts))
        record, boundary = read_record(text_of(files[0]).encode()).record, BOUNDARY.search(mail.headers[-1])
        assert record is not None
        assert boundary is not None
        return cls(mail.headers[:-1], boundary[1], seat, replay(record), text, page, tuple(files))

    def written(self) -> bytes:
        """The letter as a mail."""
        page = text_part(self.page.encode("ascii", "xmlcharrefreplace").decode("ascii"), "text/html")
        if self.images:
            related = multipart("related", f"=_tkid_page_{self.digest}", [page, *self.images])
            page = evolve(related, headers=(f'{related.headers[-1]};\r\n type="text/html"',))
        texts = multipart("alternative", f"=_tkid_text_{self.digest}", [text_part(self.text), page])
        if not self.files:
            return Part((*self.headers, *texts.headers), texts.body).written()
        return multipart("mixed", f"=_tkid_{self.digest}", [texts, *self.files], *self.headers).written()


def image(picture: Picture, *headers: str, width: int = WIDTH) -> Part:
    """A picture as a part of a mail that is shown. Raises NoPngError."""
    shown = f'Content-Disposition: inline; filename="{NAME}"'
    return file_part(TILES.png(picture, width=width), "image/png", shown, *headers)


def _with_picture(letter: _Letter) -> _Letter:
    """A letter with a picture of the map alone in place of the map in its page. Raises NoPngError."""
    picture, name = picture_at(letter.known, -1, letter.seat, layout="alone"), f"position.{letter.digest}@tkid"
    height = round(SHOWN_WIDTH * picture.height / picture.width)
    game = letter.known.record.game
    view = game.view(shown_position(letter.known), letter.seat)
    beside = render_plugin(game).beside(game, view, letter.known.record.names)
    page = with_picture(letter.page, f"cid:{name}", in_words(picture.description), SHOWN_WIDTH, height, beside=beside)
    drawn = image(picture, f"Content-ID: <{name}>", width=SHARP)
    return evolve(letter, page=page, images=(drawn,))


def _with_board(letter: _Letter) -> _Letter:
    """A letter with a page to click a turn together, which names the address and the subject of the answer."""
    known, seat = letter.known, letter.seat
    game, names = known.record.game, known.record.names
    subject = _header(letter, "Subject").removeprefix("Re: ")
    address = ADDRESS.search(_header(letter, "Reply-To") or _header(letter, "From"))
    answer = Answer(address[1], f"Re: {subject}") if address else None
    view = game.view(known.position, seat)
    board = click_page(game, view, names, title=subject, last=last_turn(known, -1, seat), answer=answer)
    name = f"turn-{next_marker(known).turn}.html"
    more = CLICK.format(name)
    told = evolve(letter, text=f"{letter.text}{more}\n", page=with_more(letter.page, more))
    return _with_page(told, name, board)


def _with_replay(letter: _Letter) -> _Letter:
    """A letter with a page that shows the whole game again."""
    return _with_page(letter, f"{file_stem(letter.known.record)}.html", replay_page(letter.known, letter.seat))


def _with_page(letter: _Letter, name: str, page: str) -> _Letter:
    """A letter with a page attached."""
    file = text_part(page, "text/html", f'Content-Disposition: attachment; filename="{name}"')
    return evolve(letter, files=(*letter.files, file))


STEPS: Mapping[str, Callable[[_Letter], _Letter]] = MappingProxyType(
    {PICTURE: _with_picture, BOARD: _with_board, REPLAY: _with_replay}
)
"""How each thing is put into a letter."""


def _header(letter: _Letter, name: str) -> str:
    """What a header of a letter says; "" where there is none."""
    header = next((line for line in letter.headers if line.startswith(f"{name}: ")), f"{name}: ")
    return str(make_header(decode_header(FOLD.sub(" ", header.partition(": ")[2]))))
