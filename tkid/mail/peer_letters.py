"""Letters between players without a host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime

from attrs import frozen

from tkid.kernel.game import HIDDEN
from tkid.mail import letter_parts, mime_writer
from tkid.mail.blocks import (
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
    format_plain,
)
from tkid.mail.enclosure import RECORD, is_first_line
from tkid.mail.envelope import is_address
from tkid.mail.letter_html import PICTURE, finish_letter, write_wish
from tkid.mail.marker import DECIDED, shorten_title
from tkid.mail.message import LONGEST_TITLE, write_content
from tkid.mail.mime import take_in
from tkid.mail.model import Refusal
from tkid.mail.plugin import find_mail_plugin
from tkid.notation.names import list_names
from tkid.notation.text import capitalize_text, single_space
from tkid.record.clock_notes import BY_RESIGNATION, make_note_reader
from tkid.record.copies import find_resignations, make_shared_copy, place_resignations
from tkid.record.draw import Draw, find_draw, write_draw
from tkid.record.format.model import Record, Seat, Turn
from tkid.record.locked_deal import LockedDeal, is_deal_complete, list_missing_parts
from tkid.record.locked_text import write_deal
from tkid.record.play.replay import Replay, append, describe_doubt, is_over, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import with_note, write_record
from tkid.rulebook import cites, rule


@frozen
class DealPart:
    """The part of a letter from the deal that the players made together."""

    text: str
    owing: tuple[int, ...] = ()
    closed: tuple[int, ...] = ()
    news: bool = False
    opened: bool = False
    word: tuple[str, ...] = ()


@frozen
class PeerLetter:
    """A letter: its recipients and sender (one address each, or none), subject, text, and the enclosed file.

    `deal` is the text of the deal that goes with the game, or "". With `viewer` it gets a picture of the position as
    that seat sees it, if one can be drawn; with `click` also the page on which that seat clicks its turn together.
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
    deal: str = ""

    @property
    def text(self) -> str:
        return mime_writer.clean_text(format_plain(self.body))


def write_peer_mail(letter: PeerLetter, *, draft: bool = True) -> bytes:
    """Write a letter as a mail: to be opened in a mail program, or to be sent. People without an address are left out."""
    files = [(letter.name, letter.file), (f"{letter.name.partition('.')[0]}.deal", letter.deal)]
    enclosed = [
        mime_writer.make_text_part(text, "text/plain", f'Content-Disposition: attachment; filename="{name}"')
        for name, text in files
        if text
    ]
    identity = (letter.subject, letter.file, str(letter.to), format_datetime(letter.time))
    digest, content = write_content(letter.body, identity, enclosed)
    people: list[str] = []
    if letter.sender and is_address(letter.sender.address):
        people.append(mime_writer.write_address_header("From", (letter.sender.name, letter.sender.address)))
        domain = letter.sender.address.rpartition("@")[2]
        people.append(mime_writer.write_ids_header("Message-ID", [f"<tkid.letter.{digest}@{domain}>"]))
    to = [(seat.name, seat.address) for seat in letter.to if is_address(seat.address)]
    people += [mime_writer.write_address_header("To", *to)] if to else []
    headers = [
        mime_writer.write_header("Subject", mime_writer.join_lines(letter.subject)),
        f"Date: {format_datetime(letter.time)}",
    ]
    if draft:
        headers.append("X-Unsent: 1")  # so that some mail programs open it as a draft
    if letter.viewer is not None:
        headers.append(write_wish(letter.viewer, {GAME, PICTURE, *([BOARD] if letter.click else [])}))
    whole = mime_writer.Part((*headers, "MIME-Version: 1.0", *content.headers), content.body)
    return "".join(f"{line}\r\n" for line in people).encode("ascii") + finish_letter(whole.write_part()).mail


def tag_subject(record: Record, subject: str) -> str:
    return f"[{shorten_title(record.title, LONGEST_TITLE) or 'tkid'}] {subject}"


def list_seats(record: Record, seats: Sequence[int]) -> tuple[Seat, ...]:
    return tuple(record.seats[seat] for seat in seats)


READ = "tkid letter read"
"""The command that each of our letters names."""
START = datetime(2000, 1, 1, tzinfo=UTC)
"""A time for letters that are not sent."""


def write_peer_letter(
    replay: Replay,
    to: Sequence[int],
    sender: Seat | None,
    time: datetime,
    *,
    pictures: bool = False,
    deal: DealPart | None = None,
) -> PeerLetter:
    """Write the letter that shows some seats the public record; `deal` is its part of a deal made together."""
    file = make_shared_copy(replay)
    reader = to[0] if len(to) == 1 else None
    known = file if file.record.game.secret else hide_secrets(file, reader)
    record, number = known.record, len(known.record.turns)
    to_act = None if is_over(known) else known.position.to_act
    subject, news = _write_peer_news(known, reader, describe_doubt(replay, reader))
    begins, board = deal is None and _is_beginning(record, to), letter_parts.show_board(known, reader)
    body: tuple[Block, ...] = (Lead(news), *_describe_resigned(replay, reader))
    if begins:
        body = Lead(_write_peer_opening(known, reader, news)), Paragraph(_describe_players(record, reader))
        board = letter_parts.explain_position(record.game, board)
    body = (*body, *_list_since(known, reader), *board, *_explain_reading(known, to, deal, begins=begins))
    text, name = write_record(record, file), f"turn-{number}.tkid"
    acts = to_act in to
    viewer = (to_act if acts else to[0]) if pictures else None
    click = acts and not record.game.secret  # nobody else knows what a secret hand may play
    return PeerLetter(
        *(list_seats(record, to), sender, tag_subject(record, subject), body, name, text, time, viewer, click),
        deal.text if deal else "",
    )


def _write_peer_news(known: Replay, reader: int | None, in_doubt: str) -> tuple[str, str]:
    plugin, to_act, last = find_mail_plugin(known.record.game), known.position.to_act, len(known.moments) - 1
    if to_act is None or is_over(known):
        result, sentence = plugin.describe_result(known, reader)
        if in_doubt:
            wordings = f"As it stands, {letter_parts.lower_sentence(sentence)}", f"As it stands, {result}."
            return "The last struggle is over", letter_parts.choose_lead(*wordings)
        return f"Game over: {result}", letter_parts.choose_lead(sentence)
    whose = "your turn" if to_act == reader else f"{known.record.names[to_act]} is next"
    news = plugin.shorten_turn(known, last, reader) if last else "A new game begins."
    lead = letter_parts.choose_lead(f"{news} {capitalize_text(whose)}.", f"{capitalize_text(whose)}.")
    return f"Turn {len(known.record.turns) + 1}: {whose}", lead


def _is_beginning(record: Record, to: Sequence[int]) -> bool:
    """Return True if a letter begins the game: only its sender has played, all still play, and no other player has a file yet."""
    played = {turn.seat for turn in record.turns}
    return len(played) <= 1 and played.isdisjoint(to) and find_draw(record) is None and not find_resignations(record)


def _describe_players(record: Record, reader: int | None) -> str:
    plays = f"{letter_parts.name_others(record.names, None)} play" if reader is None else "You play"
    whom = f", with {letter_parts.name_others(record.names, reader)}" if reader is not None else ""
    order = f" You play in this order: {', '.join(record.names)}." if len(record.names) > 2 else ""
    return f"{plays} {record.ruleset.title}{whom}.{order}"


def _write_peer_opening(known: Replay, reader: int | None, news: str) -> str:
    if reader is None:
        return news
    whom, acts = letter_parts.name_others(known.record.names, reader), known.position.to_act
    if acts is None:
        return news
    nexts = "It is your turn." if acts == reader else f"{known.record.names[acts]} is next."
    return letter_parts.choose_lead(f"Your new game with {whom} begins. {nexts}", f"Your new game begins. {nexts}")


def _list_since(known: Replay, reader: int | None) -> Blocks:
    moments = known.moments
    first = max(1, len(moments) - len(known.record.names))
    if reader is not None:
        own = (index + 1 for index, moment in enumerate(moments) if moment.turn and moment.turn.seat == reader)
        first = max(own, default=1)
    items = tuple(letter_parts.number_past_turn(known, index, reader) for index in range(first, len(moments)))
    decided = find_mail_plugin(known.record.game).describe_decision(known, reader)
    how = (Heading(DECIDED), Paragraph(" ".join(decided))) if decided else ()
    return (*([Events(items)] if items else []), *how)


def _describe_resigned(replay: Replay, reader: int | None) -> Blocks:
    gone = [] if is_over(replay) else sorted(find_resignations(replay.record))
    resigned = [f"{'You have' if seat == reader else f'{replay.record.names[seat]} has'} resigned." for seat in gone]
    return tuple(Paragraph(text) for text in (" ".join(resigned), describe_doubt(replay, reader)) if text)


def _ask_for_deal(replay: Replay, to: Sequence[int], deal: DealPart) -> Iterator[Block]:
    names, own = replay.record.names, "tkid letter write GAME.tkid --to all -o NEXT-MAIL.eml"
    if set(to).intersection(deal.owing):
        owing = list_names([names[seat] for seat in deal.owing], "and")
        who = "your answer" if len(to) == 1 else f"an answer of {owing}"
        yield Paragraph(f"For me it is face down until {who} unlocks it. So write a mail back, before the next turn:")
        yield Copies((own,))
    elif is_over(replay):
        mine = "My seed is in this mail: it shows what I held." if deal.opened else "My seed is not in this mail."
        if deal.word:
            cards = list_names(deal.word, "and")
            mine = f"I have lost my seed, so nothing proves that I was dealt {cards}. If you take my word for it, add --agree."
        if set(to).intersection(deal.closed):
            yield Paragraph(f"{mine} Now write a last mail with yours:")
            yield Copies((own,))
        elif not deal.opened:
            yield Paragraph(mine)
        yield Paragraph("When you have everybody's seed, this checks the whole deal:")
        yield Copies(("tkid verify GAME.tkid",))


def _explain_reading(replay: Replay, to: Sequence[int], deal: DealPart | None, *, begins: bool) -> Blocks:
    last, option = replay.last.turn, " --begin" if begins else ""
    take = "begin your own file of the game with it" if begins else "take the turns into your own file of the game"
    if last and last.undone:
        option, take = " --agree", f"read it into your own file if you agreed that turn {last.number} is taken back"
    blocks: list[Block] = [
        Heading("THE GAME FILE"),
        Paragraph(f"Save this mail as a file, and {take}:"),
        Copies((f"tkid letter read GAME.tkid THIS-MAIL.eml{option}",)),
    ]
    if deal is not None and any((event.line or "").endswith(f": {HIDDEN}") for event in replay.last.events):
        blocks.append(Paragraph("Reading it into your file turns up the next card."))
    game = [letter_parts.link_lesson(replay.record.game)] if begins else []
    asked = list(_ask_for_deal(replay, to, deal)) if deal else []
    blocks += asked
    acts = replay.position.to_act in to and not is_over(replay)
    if acts and not asked:
        commands = ('tkid play GAME.tkid "TURN"', "tkid letter write GAME.tkid -o NEXT-MAIL.eml")
        blocks += [Paragraph("Then play your turn, and write the next letter:"), Copies(commands)]
    writing = [f"How to write a turn: {rule(letter_parts.HOW).link}"] if acts else []
    return (*blocks, Footer((*writing, *game))) if writing or game else tuple(blocks)


@cites("mail.doubt")
def extract_own_words(replay: Replay, data: bytes) -> tuple[str, ...]:
    """Return a player's lines above a quoted letter about the last turn; none if its beginning is uncertain."""
    taken = take_in(data)
    if isinstance(taken, Refusal):
        return ()
    seats = range(len(replay.record.names))
    letters = [write_peer_letter(replay, to, None, START).text for to in (seats, *([seat] for seat in seats))]
    leads = {single_space(text.partition("\n")[0]) for text in letters}
    lines = [line for line in taken.lines if not line.quoted]
    end = next((i for i, line in enumerate(lines) if single_space(line.text) in leads), None)
    if end is None and any(READ in line.text for line in lines):
        return ()
    file = next((i for i, line in enumerate(lines) if is_first_line(line.text, RECORD)), len(lines))
    return tuple(line.text for line in lines[: file if end is None else end])


HOW_IT_WORKS = "record.deal"
"""The rule that explains a locked deal."""
INSTALL = "pip install '.[secret]'"
NOBODY_SEES = (
    "Nobody can see the deck: everybody shuffles and locks it, and your own cards are unlocked for you alone. "
    "The attached file is long, because it proves that every lock is right."
)


def write_draw_letter(draw: Draw, own_seat: int, time: datetime) -> PeerLetter:
    names, head = draw.names, draw.head
    to = [seat for seat in range(len(names)) if seat != own_seat]
    what = "my nonce" if draw.nonces[own_seat] else "my commitment"
    missing = draw.list_missing()
    still = "All nonces are here: the game can be dealt."
    if missing:
        still = f"Still missing is the {'nonce' if draw.committed else 'commitment'} of {list_names(missing, 'and')}."
    here = f"Here is {what} for the draw{f' of {head.title}' if head.title else ''}. {still}"
    file = write_draw(draw)
    body = (
        Paragraph(f"{list_names([names[seat] for seat in to], 'and')},"),
        Paragraph(here),
        Heading("THE DRAW"),
        Board(tuple(f"  {line}".rstrip() for line in file.splitlines())),
        Heading("WHAT TO DO"),
        *_explain_saving("GAME.draw", joins=not all(draw.commitments[seat] for seat in to), done=draw.complete),
        *([Paragraph("This deals the game, the same for everybody: GAME.tkid.")] if draw.complete else []),
    )
    subject = tag_subject(head, f"{'nonce' if draw.nonces[own_seat] else 'commitment'} of {names[own_seat]}")
    return PeerLetter(list_seats(head, to), head.seats[own_seat], subject, body, "game.draw", file, time)


def _explain_saving(file: str, *, joins: bool, done: bool) -> Blocks:
    """Say how the readers take a file in; those who join check the game first, and write a letter unless all is done."""
    look = "Check that this is the game that you want to play. Then save" if joins else "Save"
    command = f"tkid letter new {file} THIS-MAIL.eml" + (' --me "YOUR NAME"' if joins else "")
    return Paragraph(f"{look} this mail as a file:"), Copies((command if done else f"{command} -o NEXT-MAIL.eml",))


def write_deal_letter(deal: LockedDeal, own_seat: int, time: datetime) -> PeerLetter:
    """Write the letter with a seat's part of a locked deal: to the next seat, or to all after the last part."""
    head, done = deal.head, is_deal_complete(deal)
    names, others = head.names, [seat for seat in range(len(head.names)) if seat != own_seat]
    nexts = [] if done else [seat for seat, _ in list_missing_parts(deal)][:1]
    to = [seat for seat in nexts if seat != own_seat] or others
    game = f" of {head.title}" if head.title else ""
    joins = not all(deal.keys[seat] for seat in to)
    body: list[Block] = [Paragraph(f"{list_names([names[seat] for seat in to], 'and')},")]
    if done:
        body.append(Paragraph(f"The cards{game} are dealt. With this mail you can see your hand."))
    else:
        body.append(Paragraph(f"Here is my part of the deal{game}. Now it needs yours."))
    if joins:
        listing = tuple(f"  {line}" for line in write_deal(deal).split("\n\n")[0].splitlines()[1:])
        body += [Heading("THE GAME"), Board(listing), Paragraph("The players are listed in turn order.")]
    body.append(Heading("WHAT TO DO"))
    if joins:
        body += [
            Paragraph("Secret hands need tkid with an extra package. To install both, in a copy of its source:"),
            Copies((INSTALL,)),
        ]
    body += _explain_saving("GAME.deal", joins=joins, done=done)
    if not done:
        body.append(Paragraph(NOBODY_SEES))
    lesson = [letter_parts.link_lesson(head.game)] if joins else []
    footer = (f"How dealing together works: {rule(HOW_IT_WORKS).link}", *lesson)
    subject = tag_subject(head, "the cards are dealt" if done else f"the deal, part of {names[own_seat]}")
    seats, writer, text = list_seats(head, to), head.seats[own_seat], (*body, Footer(footer))
    return PeerLetter(seats, writer, subject, text, "game.deal", write_deal(deal), time)


@cites("record.resigned")
def add_passes(played: Replay) -> Replay:
    """Return the replay with the passes of seats whose players have resigned, below the lines that say so; an impossible pass is left out."""
    gone, plugin = find_resignations(played.record), find_mail_plugin(played.record.game)
    while gone and played.position.to_act in gone and plugin.find_pass(played) and not is_over(played):
        played = with_note(append(played, plugin.passing), BY_RESIGNATION)
    record = place_resignations(played.record)
    return played if record == played.record else replay(record)


def is_passed(turn: Turn) -> bool:
    return any(make_note_reader(()).read_note(note) == BY_RESIGNATION for note in turn.notes)
