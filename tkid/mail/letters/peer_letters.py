"""Letters between players without a host: what they say, as the blocks of a host's letters, and the mails they are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256

from attrs import frozen

from tkid.mail.inbound.envelope import is_address
from tkid.mail.letters.blocks import Block, Blocks, Board, Copies, Events, Heading, Paragraph, plain
from tkid.mail.letters.clock_text import who_wins
from tkid.mail.letters.content import numbered
from tkid.mail.letters.html import html
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
from tkid.mail.letters.pictures import finished, wish
from tkid.mail.marker import POSITION, WHAT_HAPPENED, short_title
from tkid.notation.vocabulary import listed
from tkid.record.exchange.public_copy import shared
from tkid.record.fairplay.draw import Draw, write_draw
from tkid.record.format.model import Record, Seat
from tkid.record.play.replay import Replay
from tkid.record.play.writer import write_record
from tkid.render import text
from tkid.render.lines import wrapped
from tkid.render.plugin import render_plugin


@frozen
class PeerLetter:
    """A letter: to whom and from whom (an address each, or none), subject, what it says, and the file that it encloses.

    With `viewer` it gets a picture of the position as that seat sees it, where one can be drawn; with `click` also the
    page on which that seat clicks its turn together.
    """

    to: tuple[Seat, ...]
    sender: Seat | None
    subject: str
    body: Blocks
    name: str
    file: str
    time: datetime
    viewer: int | None = None
    click: bool = False

    @property
    def text(self) -> str:
        """What it says, in plain text."""
        return readable(plain(self.body))


def mail(letter: PeerLetter, *, draft: bool = True) -> bytes:
    """A letter as a mail: to be opened in a mail program, or to be sent. Whoever has no address is left out.

    From and To are put before the mail when it is finished otherwise: the page to click would send a turn to whoever wrote
    the letter, but a turn is played into a file here, and goes on in the next letter.
    """
    named = "\n".join((letter.subject, letter.text, letter.file, str(letter.to), format_datetime(letter.time)))
    digest = sha256(named.encode()).hexdigest()[:DIGITS]
    people: list[str] = []
    if letter.sender and is_address(letter.sender.address):
        people.append(address_header("From", (letter.sender.name, letter.sender.address)))
        domain = letter.sender.address.rpartition("@")[2]
        people.append(ids_header("Message-ID", [f"<tkid.letter.{digest}@{domain}>"]))
    to = [(seat.name, seat.address) for seat in letter.to if is_address(seat.address)]
    people += [address_header("To", *to)] if to else []
    headers = [header("Subject", one_line(letter.subject)), f"Date: {format_datetime(letter.time)}"]
    if draft:
        headers.append("X-Unsent: 1")  # so that some mail programs open it as a draft
    if letter.viewer is not None:
        headers.append(wish(letter.viewer, to_act=letter.click))
    page = html(letter.body).encode("ascii", "xmlcharrefreplace").decode("ascii")
    texts = multipart("alternative", f"=_tkid_text_{digest}", (text_part(letter.text), text_part(page, "text/html")))
    enclosed = text_part(letter.file, "text/plain", f'Content-Disposition: attachment; filename="{letter.name}"')
    whole = multipart("mixed", f"=_tkid_{digest}", [texts, enclosed], *headers, "MIME-Version: 1.0")
    return "".join(f"{line}\r\n" for line in people).encode("ascii") + finished(whole.written()).mail


# -- a turn -----------------------------------------------------------------------------------------------


def turn_letter(
    replay: Replay, to: Sequence[int], sender: Seat | None, time: datetime, *, pictures: bool = False
) -> PeerLetter:
    """The letter that tells some seats how the game stands, with the record as everybody may know it."""
    known = shared(replay)
    record, number, to_act = known.record, len(known.record.turns), known.position.to_act
    body = (
        Paragraph(_greeting(known, to)),
        *_since(known, to),
        *_position(known),
        *_how(known, to),
    )
    due = "the game is over" if to_act is None else f"turn {number + 1}: {record.names[to_act]} to play"
    file, name = write_record(record, known), f"turn-{number}.tkid"
    acts = to_act in to
    viewer = (to_act if acts else to[0]) if pictures else None
    click = acts and not record.game.secret  # nobody else knows what a secret hand may play
    return PeerLetter(_seats(record, to), sender, f"{_tag(record)} {due}", body, name, file, time, viewer, click)


def _tag(record: Record) -> str:
    title = short_title(record.title, LONGEST_TITLE)
    return f"[tkid{f' {title}' if title else ''}]"


def _seats(record: Record, to: Sequence[int]) -> tuple[Seat, ...]:
    return tuple(record.seats[seat] for seat in to)


def _greeting(replay: Replay, to: Sequence[int]) -> str:
    names, position, title = replay.record.names, replay.position, replay.record.title
    where = f" in {title}" if title else ""
    whom = listed([names[seat] for seat in to], "and")
    if position.to_act is None:
        won = who_wins([names[seat] for seat in position.winners])
        return f"{whom}, the game{where} is over ({position.ending}): {won}."
    whose = "your" if list(to) == [position.to_act] else f"{names[position.to_act]}'s"
    return f"{whom}, it is {whose} turn{where}."


def _since(replay: Replay, to: Sequence[int]) -> Blocks:
    """What happened since the last turn of the only reader; for several, since everybody's turn before the last."""
    names, moments = replay.record.names, replay.moments[1:]
    first = max(0, len(moments) - len(names))
    if len(to) == 1:
        own = (count for count, moment in enumerate(moments, 1) if moment.turn and moment.turn.seat == to[0])
        first = max(own, default=0)
    nothing = Paragraph("Nothing since your last turn." if moments else "Nothing yet.")
    items = tuple(item for moment in moments[first:] for item in numbered(moment, names))
    return Heading(WHAT_HAPPENED), Events(items) if items else nothing


def _position(replay: Replay) -> Blocks:
    """The position as everybody may know it."""
    game, names = replay.record.game, replay.record.names
    view = game.view(replay.position, None)
    lines = text.position(game, view, names, ()).rstrip("\n").split("\n")
    caption = wrapped(render_plugin(game).description(game, view, names).split(" "))
    return Heading(POSITION), Board(tuple(lines), "\n".join(caption))


def _how(replay: Replay, to: Sequence[int]) -> Blocks:
    blocks: list[Block] = [
        Heading("THE GAME FILE"),
        Paragraph("Save this mail as a file, and take the turns into your own file of the game:"),
        Copies(("tkid letter read GAME.tkid THIS-MAIL.eml",)),
    ]
    if replay.position.to_act in to:
        commands = ('tkid play GAME.tkid "TURN"', "tkid letter write GAME.tkid -o NEXT-MAIL.eml")
        blocks += [Paragraph("Then play your turn, and write the next letter:"), Copies(commands)]
    return tuple(blocks)


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
    body = (
        Paragraph(f"{listed([names[seat] for seat in to], 'and')},"),
        Paragraph(here),
        Heading("THE DRAW"),
        Board(tuple(f"  {line}".rstrip() for line in file.splitlines())),
        *_how_to_draw(draw, me),
    )
    subject = f"{_tag(head)} {'nonce' if draw.nonces[me] else 'commitment'} of {names[me]}"
    return PeerLetter(_seats(head, to), head.seats[me], subject, body, "game.draw", file, time)


def _how_to_draw(draw: Draw, me: int) -> Blocks:
    """What to do with a letter of a draw: to join it, to go on, or to deal."""
    joined = all(made for seat, made in enumerate(draw.commitments) if seat != me)
    look = "" if joined else "Look whether this is the game that you want to play. Then save"
    command = "tkid letter new GAME.draw THIS-MAIL.eml"
    command += "" if joined else ' --me "YOUR NAME"'
    command += "" if draw.complete else " -o NEXT-MAIL.eml"
    deals = [Paragraph("This deals the game, the same for everybody: GAME.tkid.")] if draw.complete else []
    return Heading("WHAT TO DO"), Paragraph(f"{look or 'Save'} this mail as a file:"), Copies((command,)), *deals
