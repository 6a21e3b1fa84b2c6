"""Letters between players without a host: what they say, and the mails they are."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256

from attrs import frozen

from tkid.mail.inbound.envelope import is_address
from tkid.mail.letters.clock_text import who_wins
from tkid.mail.letters.message import DIGITS, LONGEST_TITLE
from tkid.mail.letters.mime_writer import (
    address_header,
    header,
    ids_header,
    multipart,
    one_line,
    readable,
    text_part,
)
from tkid.mail.letters.pictures import image
from tkid.mail.marker import POSITION, WHAT_HAPPENED, short_title
from tkid.notation.vocabulary import listed
from tkid.record.exchange.public_copy import shared
from tkid.record.fairplay.draw import Draw, write_draw
from tkid.record.format.model import Record, Seat
from tkid.record.play.replay import Moment, Replay
from tkid.record.play.writer import write_record
from tkid.render import text
from tkid.render.frames import picture_at
from tkid.render.lines import event_lines
from tkid.render.picture import Picture
from tkid.render.png import NoPngError

WIDTH = 76

Lines = list[str]


@frozen
class PeerLetter:
    """A letter: to whom and from whom (an address each, or none), subject, text, and the file that it encloses.

    With `picture` the position is shown below the text, where it can be drawn.
    """

    to: tuple[Seat, ...]
    sender: Seat | None
    subject: str
    text: str
    name: str
    file: str
    time: datetime
    picture: Picture | None = None


def mail(letter: PeerLetter, *, draft: bool = True) -> bytes:
    """A letter as a mail: to be opened in a mail program, or to be sent. Whoever has no address is left out."""
    named = "\n".join((letter.subject, letter.text, letter.file, str(letter.to), format_datetime(letter.time)))
    digest = sha256(named.encode()).hexdigest()[:DIGITS]
    headers: list[str] = []
    if letter.sender and is_address(letter.sender.address):
        headers.append(address_header("From", (letter.sender.name, letter.sender.address)))
        domain = letter.sender.address.rpartition("@")[2]
        headers.append(ids_header("Message-ID", [f"<tkid.letter.{digest}@{domain}>"]))
    to = [(seat.name, seat.address) for seat in letter.to if is_address(seat.address)]
    headers += [address_header("To", *to)] if to else []
    headers += [header("Subject", one_line(letter.subject)), f"Date: {format_datetime(letter.time)}"]
    if draft:
        headers.append("X-Unsent: 1")  # so that some mail programs open it as a draft
    enclosed = text_part(letter.file, "text/plain", f'Content-Disposition: attachment; filename="{letter.name}"')
    parts = [text_part(readable(letter.text))]
    with suppress(NoPngError):  # the text says the same
        parts += [image(letter.picture)] if letter.picture else []
    parts.append(enclosed)
    return multipart("mixed", f"=_tkid_{digest}", parts, *headers, "MIME-Version: 1.0").written()


# -- a turn -----------------------------------------------------------------------------------------------


def turn_letter(
    replay: Replay, to: Sequence[int], sender: Seat | None, time: datetime, *, pictures: bool = False
) -> PeerLetter:
    """The letter that tells some seats how the game stands, with the record as everybody may know it."""
    known = shared(replay)
    record, number = known.record, len(known.record.turns)
    position = text.position(record.game, record.game.view(known.position, None), record.names, ())
    blocks = [
        _paragraph(_greeting(known, to)),
        _since(known, to),
        [POSITION, "", *position.rstrip("\n").split("\n")],
        _how(known, to),
    ]
    to_act = known.position.to_act
    due = "the game is over" if to_act is None else f"turn {number + 1}: {record.names[to_act]} to play"
    file, name = write_record(record, known), f"turn-{number}.tkid"
    picture = picture_at(known, -1, None) if pictures else None
    return PeerLetter(_seats(record, to), sender, f"{_tag(record)} {due}", _text(blocks), name, file, time, picture)


def _tag(record: Record) -> str:
    title = short_title(record.title, LONGEST_TITLE)
    return f"[tkid{f' {title}' if title else ''}]"


def _seats(record: Record, to: Sequence[int]) -> tuple[Seat, ...]:
    return tuple(record.seats[seat] for seat in to)


def _text(blocks: Sequence[Lines]) -> str:
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _paragraph(text: str) -> Lines:
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _greeting(replay: Replay, to: Sequence[int]) -> str:
    names, position, title = replay.record.names, replay.position, replay.record.title
    where = f" in {title}" if title else ""
    whom = listed([names[seat] for seat in to], "and")
    if position.to_act is None:
        won = who_wins([names[seat] for seat in position.winners])
        return f"{whom}, the game{where} is over ({position.ending}): {won}."
    whose = "your" if list(to) == [position.to_act] else f"{names[position.to_act]}'s"
    return f"{whom}, it is {whose} turn{where}."


def _since(replay: Replay, to: Sequence[int]) -> Lines:
    """What happened since the last turn of the only reader; for several, since everybody's turn before the last."""
    names, moments = replay.record.names, replay.moments[1:]
    first = max(0, len(moments) - len(names))
    if len(to) == 1:
        own = (count for count, moment in enumerate(moments, 1) if moment.turn and moment.turn.seat == to[0])
        first = max(own, default=0)
    lines = [line for moment in moments[first:] for line in _numbered(moment, names)]
    nothing = "Nothing since your last turn." if moments else "Nothing yet."
    return [WHAT_HAPPENED, "", *(lines if moments[first:] else [nothing])]


def _numbered(moment: Moment, names: Sequence[str]) -> Lines:
    number = f"{moment.turn.number}. " if moment.turn else ""
    lines = event_lines(moment.events, names, WIDTH - len(number))
    return [f"{'' if index else number:{len(number)}}{line}" for index, line in enumerate(lines)]


def _how(replay: Replay, to: Sequence[int]) -> Lines:
    take = "Save this mail as a file, and take the turns into your own file of the game:"
    lines = ["THE GAME FILE", "", *_paragraph(take), "", "  tkid letter read GAME.tkid THIS-MAIL.eml"]
    if replay.position.to_act not in to:
        return lines
    play = ["", "Then play your turn, and write the next letter:", "", '  tkid play GAME.tkid "TURN"']
    return [*lines, *play, "  tkid letter write GAME.tkid -o NEXT-MAIL.eml"]


# -- a draw -----------------------------------------------------------------------------------------------


def draw_letter(draw: Draw, me: int, time: datetime) -> PeerLetter:
    """The letter with which a seat sends its commitment, or its nonce, to all others."""
    names, head = draw.names, draw.head
    to = [seat for seat in range(len(names)) if seat != me]
    what = "my nonce" if draw.nonces[me] else "my commitment"
    missing = draw.missing()
    still = "All nonces are here: the game can be dealt."
    if missing:
        still = f"Still missing is the {'nonce' if draw.committed else 'commitment'} of {listed(missing, 'and')}."
    here = f"Here is {what} for the draw{f' of {head.title}' if head.title else ''}. {still}"
    file = write_draw(draw)
    blocks = [
        _paragraph(f"{listed([names[seat] for seat in to], 'and')},"),
        _paragraph(here),
        ["THE DRAW", "", *(f"  {line}".rstrip() for line in file.splitlines())],
        _how_to_draw(draw, me),
    ]
    subject = f"{_tag(head)} {'nonce' if draw.nonces[me] else 'commitment'} of {names[me]}"
    return PeerLetter(_seats(head, to), head.seats[me], subject, _text(blocks), "game.draw", file, time)


def _how_to_draw(draw: Draw, me: int) -> Lines:
    """What to do with a letter of a draw: to join it, to go on, or to deal."""
    joined = all(made for seat, made in enumerate(draw.commitments) if seat != me)
    look = "" if joined else "Look whether this is the game that you want to play. Then save"
    lines = _paragraph(f"{look or 'Save'} this mail as a file:")
    command = "  tkid letter new GAME.draw THIS-MAIL.eml"
    command += "" if joined else ' --me "YOUR NAME"'
    command += "" if draw.complete else " -o NEXT-MAIL.eml"
    deals = [] if not draw.complete else ["", *_paragraph("This deals the game, the same for everybody: GAME.tkid.")]
    return ["WHAT TO DO", "", *lines, "", command, *deals]
