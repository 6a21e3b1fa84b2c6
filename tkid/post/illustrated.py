"""Pictures in letters: put in when a letter goes out, as drawing one takes longer than all that a turn takes.

A letter in the store is whole without a picture: its map is text. When it goes out, the map of its HTML part gives way
to a picture of the same position, drawn from the game file that the letter encloses; so the picture shows what that
reader may know, and the same letter always becomes the same bytes. Where no picture can be made, the map stays.
"""

from __future__ import annotations

import re

from attrs import evolve, frozen

from tkid.post.html import with_picture
from tkid.post.outgoing import Part, file_part, multipart, parts_of, read_part, text_of, text_part
from tkid.record.read import read_record
from tkid.record.replay import Replay, replay
from tkid.render.errors import NoPngError
from tkid.render.families import showing
from tkid.render.picture import Last, Picture
from tkid.render.png import png

WIDTH, SHOWN_WIDTH = 640, 480
"""Pixels of a picture, and how wide it is shown where there is room: sharp screens show more pixels than that."""
MOST_BYTES = 80_000
"""No picture of a game is larger."""
NAME = "position.png"
HEADER = "X-Tkid-Picture"
WISHED = re.compile(rb"^X-Tkid-Picture: (\d+)\r\n", re.MULTILINE)
HEAD_END = b"\r\n\r\n"
BOUNDARY = re.compile(r'boundary="=_tkid_([0-9a-f]+)"')


@frozen
class Finished:
    """A letter as it goes out; and, where it should have a picture and has none, why."""

    mail: bytes
    wanting: str = ""


def wish(seat: int) -> str:
    """The header of a letter in the store that gets a picture as a seat may see it. It does not go out."""
    return f"{HEADER}: {seat}"


def finished(mail: bytes) -> Finished:
    """A letter as it goes out, with its picture if it gets one: the same bytes every time."""
    head, _, body = mail.partition(HEAD_END)
    found = WISHED.search(head)
    if found is None:
        return Finished(mail)
    plain = head[: found.start()] + head[found.end() :] + HEAD_END + body
    try:
        return Finished(_with_picture(read_part(plain), int(found[1])).written())
    except NoPngError as error:
        return Finished(plain, str(error))
    except Exception as error:  # noqa: BLE001 - a defect of ours: the letter matters more than its picture
        return Finished(plain, f"{type(error).__name__}: {error}")


def drawn(known: Replay, seat: int | None) -> Picture:
    """The picture of where a game stands, as a seat may know it, with its last turn."""
    game, moment = known.record.game, known.last
    turn = moment.turn
    last = None if turn is None or turn.undone else Last(turn.seat, moment.moves, moment.events)
    return showing(game).picture(game, game.view(moment.position, seat), known.record.names, last)


def image(picture: Picture, *headers: str) -> Part:
    """A picture as a part of a mail that is shown. Raises NoPngError."""
    return file_part(
        png(picture, width=WIDTH), "image/png", f'Content-Disposition: inline; filename="{NAME}"', *headers
    )


def _with_picture(mail: Part, seat: int) -> Part:
    """A letter with a picture in place of the map in its HTML part. Raises NoPngError."""
    texts, *files = parts_of(mail)
    text, page = parts_of(texts)
    record = read_record(text_of(files[0]).encode()).record
    assert record is not None
    picture, digest = drawn(replay(record), seat), _digest(mail)
    name = f"position.{digest}@tkid"
    height = round(SHOWN_WIDTH * picture.height / picture.width)
    shown = with_picture(text_of(page), f"cid:{name}", picture.told, SHOWN_WIDTH, height)
    written = text_part(shown.encode("ascii", "xmlcharrefreplace").decode("ascii"), "text/html")
    parts = [written, image(picture, f"Content-ID: <{name}>")]
    related = _typed(multipart("related", f"=_tkid_page_{digest}", parts))
    alternative = multipart("alternative", f"=_tkid_text_{digest}", [text, related])
    return multipart("mixed", f"=_tkid_{digest}", [alternative, *files], *mail.headers[:-1])


def _typed(related: Part) -> Part:
    """A part of several with the type of the first, which is shown (RFC 2387)."""
    return evolve(related, headers=(f'{related.headers[-1]};\r\n type="text/html"',))


def _digest(mail: Part) -> str:
    """What the boundaries of a letter are named after."""
    found = BOUNDARY.search(mail.headers[-1])
    assert found is not None
    return found[1]
