"""Letters between players without a host: what they say, as the blocks of a host's letters, and the mails they are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256

from attrs import frozen

from tkid.mail.inbound.envelope import is_address
from tkid.mail.letters.blocks import (
    BOARD,
    GAME,
    Block,
    Blocks,
    Board,
    Copies,
    Events,
    Footer,
    Heading,
    Lead,
    Paragraph,
    plain,
)
from tkid.mail.letters.content import HOW, board_and_facts, capital, in_the_past, lead
from tkid.mail.letters.first_steps import explained, learn
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
from tkid.mail.letters.pictures import PICTURE, finished, wish
from tkid.mail.marker import DECIDED, short_title
from tkid.mail.plugin import mail_plugin
from tkid.notation.vocabulary import listed
from tkid.record.exchange.public_copy import shared
from tkid.record.fairplay.draw import Draw, drawn, write_draw
from tkid.record.format.model import Record, Seat
from tkid.record.play.replay import Replay
from tkid.record.play.views import seen
from tkid.record.play.writer import write_record
from tkid.rulebook import rule


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
        headers.append(wish(letter.viewer, {GAME, PICTURE, *([BOARD] if letter.click else [])}))
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
    file = shared(replay)
    reader = to[0] if len(to) == 1 else None
    known = file if file.record.game.secret else seen(file, reader)
    record, number, to_act = known.record, len(known.record.turns), known.position.to_act
    subject, news = _news(known, reader)
    begins = _begins(record, to)
    if begins:
        position = (Paragraph(_table(record, reader)), *_since(known, reader))
        body = (Lead(_opening(known, reader, news)), *position, *explained(record.game, board_and_facts(known, reader)))
    else:
        body = (Lead(news), *_since(known, reader), *board_and_facts(known, reader))
    body = (*body, *_how(known, to, begins=begins))
    text, name = write_record(record, file), f"turn-{number}.tkid"
    acts = to_act in to
    viewer = (to_act if acts else to[0]) if pictures else None
    click = acts and not record.game.secret  # nobody else knows what a secret hand may play
    return PeerLetter(_seats(record, to), sender, f"{_tag(record)} {subject}", body, name, text, time, viewer, click)


def _tag(record: Record) -> str:
    return f"[{short_title(record.title, LONGEST_TITLE) or 'tkid'}]"


def _seats(record: Record, to: Sequence[int]) -> tuple[Seat, ...]:
    return tuple(record.seats[seat] for seat in to)


def _news(known: Replay, reader: int | None) -> tuple[str, str]:
    """What is new: for the subject, and as the first sentence."""
    plugin, to_act, last = mail_plugin(known.record.game), known.position.to_act, len(known.moments) - 1
    if to_act is None:
        result, sentence = plugin.result(known, reader)
        return f"Game over: {result}", lead(sentence)
    whose = "your turn" if to_act == reader else f"{known.record.names[to_act]} is next"
    news = plugin.short(known, last, reader) if last else "A new game begins."
    return f"Turn {len(known.record.turns) + 1}: {whose}", lead(f"{news} {capital(whose)}.", f"{capital(whose)}.")


def _begins(record: Record, to: Sequence[int]) -> bool:
    """Whether a letter begins the game for those whom it goes to: nobody but its sender has played.

    Where the deal was drawn together, everybody has a file of the game before the first letter.
    """
    played = {turn.seat for turn in record.turns}
    return len(played) <= 1 and played.isdisjoint(to) and drawn(record) is None


def _others(record: Record, reader: int | None) -> str:
    """Everybody at the table but the reader."""
    return listed((name for seat, name in enumerate(record.names) if seat != reader), "and")


def _table(record: Record, reader: int | None) -> str:
    """Who plays, and which game."""
    plays = f"{_others(record, None)} play" if reader is None else "You play"
    whom = f", with {_others(record, reader)}" if reader is not None else ""
    order = f" You play in this order: {', '.join(record.names)}." if len(record.names) > 2 else ""
    return f"{plays} {record.ruleset.title}{whom}.{order}"


def _opening(known: Replay, reader: int | None, news: str) -> str:
    """The first sentence of a game."""
    if reader is None:
        return news
    begins, acts = f"Your new game with {_others(known.record, reader)} begins.", known.position.to_act
    if acts is None:
        return news
    nexts = "It is your turn." if acts == reader else f"{known.record.names[acts]} is next."
    return lead(f"{begins} {nexts}", f"Your new game begins. {nexts}")


def _since(known: Replay, reader: int | None) -> Blocks:
    """What happened since the last turn of the only reader; for several, since everybody's turn before the last."""
    moments = known.moments
    first = max(1, len(moments) - len(known.record.names))
    if reader is not None:
        own = (index + 1 for index, moment in enumerate(moments) if moment.turn and moment.turn.seat == reader)
        first = max(own, default=1)
    items = tuple(in_the_past(known, index, reader) for index in range(first, len(moments)))
    decided = mail_plugin(known.record.game).decided(known, reader)
    how = (Heading(DECIDED), Paragraph(" ".join(decided))) if decided else ()
    return (*([Events(items)] if items else []), *how)


def _how(replay: Replay, to: Sequence[int], *, begins: bool) -> Blocks:
    take = "begin your own file of the game with it" if begins else "take the turns into your own file of the game"
    blocks: list[Block] = [
        Heading("THE GAME FILE"),
        Paragraph(f"Save this mail as a file, and {take}:"),
        Copies((f"tkid letter read GAME.tkid THIS-MAIL.eml{' --begin' if begins else ''}",)),
    ]
    game = [learn(replay.record.game)] if begins else []
    if replay.position.to_act in to:
        commands = ('tkid play GAME.tkid "TURN"', "tkid letter write GAME.tkid -o NEXT-MAIL.eml")
        blocks += [Paragraph("Then play your turn, and write the next letter:"), Copies(commands)]
    writing = [f"How to write a turn: {rule(HOW).link}"] if replay.position.to_act in to else []
    return (*blocks, Footer((*writing, *game))) if writing or game else tuple(blocks)


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
    look = "" if joined else "Check that this is the game that you want to play. Then save"
    command = "tkid letter new GAME.draw THIS-MAIL.eml"
    command += "" if joined else ' --me "YOUR NAME"'
    command += "" if draw.complete else " -o NEXT-MAIL.eml"
    deals = [Paragraph("This deals the game, the same for everybody: GAME.tkid.")] if draw.complete else []
    return Heading("WHAT TO DO"), Paragraph(f"{look or 'Save'} this mail as a file:"), Copies((command,)), *deals
