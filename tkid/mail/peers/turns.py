"""The letter about a turn from hand to hand: what happened, how the game stands, and what to do with the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from tkid.kernel.game import HIDDEN
from tkid.mail.inbound.enclosure import RECORD
from tkid.mail.inbound.game_text import begins_so
from tkid.mail.inbound.intake import take_in
from tkid.mail.letters.blocks import Block, Blocks, Copies, Events, Footer, Heading, Lead, Paragraph
from tkid.mail.letters.content import HOW, board_and_facts, capital, in_the_past, lead, lower
from tkid.mail.letters.first_steps import explained, learn
from tkid.mail.marker import DECIDED
from tkid.mail.model import Refusal
from tkid.mail.peers.letter import DealPart, PeerLetter, seats_of, tagged
from tkid.mail.plugin import mail_plugin
from tkid.notation.text import single_spaced
from tkid.notation.vocabulary import listed
from tkid.record.exchange.public_copy import shared
from tkid.record.exchange.resignations import is_over, resignations
from tkid.record.fairplay.draw import drawn
from tkid.record.format.model import Record, Seat
from tkid.record.play.outcome import doubt
from tkid.record.play.replay import Replay
from tkid.record.play.views import seen
from tkid.record.play.writer import write_record
from tkid.rulebook import cites, rule

READ = "tkid letter read"
"""The command that each of our letters names."""
START = datetime(2000, 1, 1, tzinfo=UTC)
"""A time for letters that are not sent."""


def turn_letter(
    replay: Replay,
    to: Sequence[int],
    sender: Seat | None,
    time: datetime,
    *,
    pictures: bool = False,
    deal: DealPart | None = None,
) -> PeerLetter:
    """The letter that tells some seats how the game stands, with the record as everybody may know it.

    `deal` is what goes with it of the deal that the players made together, None where there is none.
    """
    file = shared(replay)
    reader = to[0] if len(to) == 1 else None
    known = file if file.record.game.secret else seen(file, reader)
    record, number = known.record, len(known.record.turns)
    to_act = None if is_over(known) else known.position.to_act
    subject, news = _news(known, reader, doubt(replay, reader))
    begins = deal is None and _begins(record, to)
    if begins:
        position = (Paragraph(_table(record, reader)), *_since(known, reader))
        body = (Lead(_opening(known, reader, news)), *position, *explained(record.game, board_and_facts(known, reader)))
    else:
        body = (Lead(news), *_open(replay, reader), *_since(known, reader), *board_and_facts(known, reader))
    body = (*body, *_how(known, to, deal, begins=begins))
    text, name = write_record(record, file), f"turn-{number}.tkid"
    acts = to_act in to
    viewer = (to_act if acts else to[0]) if pictures else None
    click = acts and not record.game.secret  # nobody else knows what a secret hand may play
    return PeerLetter(
        *(seats_of(record, to), sender, tagged(record, subject), body, name, text, time, viewer, click),
        deal.text if deal else "",
    )


def _news(known: Replay, reader: int | None, in_doubt: str) -> tuple[str, str]:
    """What is new: for the subject, and as the first sentence; `in_doubt` says what may change how the game ended."""
    plugin, to_act, last = mail_plugin(known.record.game), known.position.to_act, len(known.moments) - 1
    if to_act is None or is_over(known):
        result, sentence = plugin.result(known, reader)
        if in_doubt:
            return "The last struggle is over", lead(f"As it stands, {lower(sentence)}", f"As it stands, {result}.")
        return f"Game over: {result}", lead(sentence)
    whose = "your turn" if to_act == reader else f"{known.record.names[to_act]} is next"
    news = plugin.short(known, last, reader) if last else "A new game begins."
    return f"Turn {len(known.record.turns) + 1}: {whose}", lead(f"{news} {capital(whose)}.", f"{capital(whose)}.")


def _begins(record: Record, to: Sequence[int]) -> bool:
    """Whether a letter begins the game for those whom it goes to: nobody but its sender has played, and nobody has resigned.

    Where the start was drawn together, everybody has a file of the game before the first letter. So it is where the players dealt.
    """
    played = {turn.seat for turn in record.turns}
    return len(played) <= 1 and played.isdisjoint(to) and drawn(record) is None and not resignations(record)


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


def _open(replay: Replay, reader: int | None) -> Blocks:
    """Who has resigned in a game that goes on; what the writer does not know of how the game ended."""
    gone = [] if is_over(replay) else sorted(resignations(replay.record))
    resigned = [f"{'You have' if seat == reader else f'{replay.record.names[seat]} has'} resigned." for seat in gone]
    return tuple(Paragraph(text) for text in (" ".join(resigned), doubt(replay, reader)) if text)


def _asks(replay: Replay, to: Sequence[int], deal: DealPart) -> Iterator[Block]:
    """What the deal asks of those whom a letter is to: to unlock the next card, or to open a seed."""
    names, own = replay.record.names, "tkid letter write GAME.tkid --to all -o NEXT-MAIL.eml"
    if set(to).intersection(deal.owing):
        who = "your answer" if len(to) == 1 else f"an answer of {listed([names[seat] for seat in deal.owing], 'and')}"
        yield Paragraph(f"For me it is face down until {who} unlocks it. So write a mail back, before the next turn:")
        yield Copies((own,))
    elif is_over(replay):
        mine = "My seed is in this mail: it shows what I held." if deal.opened else "My seed is not in this mail."
        if deal.word:
            cards = listed(deal.word, "and")
            mine = f"I have lost my seed, so nothing proves that I was dealt {cards}. If you take my word for it, add --agree."
        if set(to).intersection(deal.closed):
            yield Paragraph(f"{mine} Now write a last mail with yours:")
            yield Copies((own,))
        elif not deal.opened:
            yield Paragraph(mine)
        yield Paragraph("When you have everybody's seed, this checks the whole deal:")
        yield Copies(("tkid verify GAME.tkid",))


def _how(replay: Replay, to: Sequence[int], deal: DealPart | None, *, begins: bool) -> Blocks:
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
    game = [learn(replay.record.game)] if begins else []
    asked = list(_asks(replay, to, deal)) if deal else []
    blocks += asked
    acts = replay.position.to_act in to and not is_over(replay)
    if acts and not asked:
        commands = ('tkid play GAME.tkid "TURN"', "tkid letter write GAME.tkid -o NEXT-MAIL.eml")
        blocks += [Paragraph("Then play your turn, and write the next letter:"), Copies(commands)]
    writing = [f"How to write a turn: {rule(HOW).link}"] if acts else []
    return (*blocks, Footer((*writing, *game))) if writing or game else tuple(blocks)


@cites("mail.doubt")
def own_words(replay: Replay, data: bytes) -> tuple[str, ...]:
    """Return the lines that a player wrote above a letter about the last turn of a game, out of its mail.

    Nothing is returned where it is not certain on which line the letter begins.
    """
    taken = take_in(data)
    if isinstance(taken, Refusal):
        return ()
    seats = range(len(replay.record.names))
    letters = [turn_letter(replay, to, None, START).text.split("\n") for to in ([*seats], *([seat] for seat in seats))]
    leads = {single_spaced(lines[0]) for lines in letters}
    lines = [line for line in taken.lines if not line.quoted]
    end = next((i for i, line in enumerate(lines) if single_spaced(line.text) in leads), None)
    if end is None and any(READ in line.text for line in lines):
        return ()
    file = next((i for i, line in enumerate(lines) if begins_so(line.text, RECORD)), len(lines))
    return tuple(line.text for line in lines[: file if end is None else end])
