"""What our letters say, as blocks: turn mails, news, answers, and the parts that they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from tkid.kernel.problems import Kind, Problem, Scope
from tkid.mail.game.hosted_game import HostedGame, due
from tkid.mail.inbound.order_lines import order_reader
from tkid.mail.letters.blocks import Block, Board, Copies, Events, Excerpt, First, Heading, Paragraph, Quote, Rule, Turn
from tkid.mail.letters.clock_text import sentences
from tkid.mail.marker import ANSWERS, PLANS, POSITION, WHAT_HAPPENED, marker_line
from tkid.mail.plugin import mail_plugin
from tkid.notation.vocabulary import listed
from tkid.orders.model import Say
from tkid.record.clock.terms import write_clock
from tkid.record.play.replay import Moment, Replay
from tkid.record.plugin import record_plugin
from tkid.render import text as drawn
from tkid.render.lines import wrapped
from tkid.render.plugin import render_plugin

MOST_PROBLEMS = 6
MOST_REPEATED = 5
"""Lines of the sender's that an answer repeats, and turns that it offers in place of a wrong one."""
HOW, ORDERS = "notation.turn", "post.order"
"""The rules that say how a turn is written, and what else may be ordered."""
HOW_TO_ANSWER = "Answer a mail with one line, above the line at its top; `help` tells what you may order."

Blocks = tuple[Block, ...]


@frozen
class Recipient:
    """Whom a letter is for, and what it rests on: the game at a moment, and as that seat knows it."""

    at: HostedGame
    seat: int
    known: Replay
    now: datetime

    @classmethod
    def of(cls, at: HostedGame, seat: int, now: datetime) -> Recipient:
        """The reader of a letter to a seat."""
        return cls(at, seat, at.known(seat), now)

    @property
    def name(self) -> str:
        """The reader's name; a stand-in's, where one plays the seat."""
        return self.at.player(self.seat)

    @property
    def may_act(self) -> bool:
        """Whether the reader is to act; an adjourned game goes on by that."""
        return self.at.awaited == self.seat

    @property
    def moments(self) -> Sequence[Moment]:
        """What the reader has not been told yet, turn by turn."""
        return self.known.moments[self.at.memory.seats[self.seat].told + 1 :]

    @property
    def round(self) -> Sequence[Moment]:
        """What happened since the reader's last turn, and what the reader has not been told yet."""
        turns = self.known.record.turns
        own = next((at for at in range(len(turns), 0, -1) if turns[at - 1].seat == self.seat), 0)
        return self.known.moments[min(own, self.at.memory.seats[self.seat].told) + 1 :]


@frozen
class Announcement:
    """What a player says to some seats, or what the house tells them where there is no `sender`.

    With `tells` a letter with them also tells what happened, and asks whoever is to act; with `asks` it asks in any case.
    What the house tells follows the reader's name and a comma, so it begins with a small letter or a name.
    """

    seats: tuple[int, ...]
    text: str
    sender: int | None = None
    everybody: bool = True
    tells: bool = False
    asks: bool = False


# -- letters ----------------------------------------------------------------------------------------------


def turn_mail(to: Recipient, heard: Sequence[Announcement] = ()) -> Blocks:
    """The letter that asks a player for a turn."""
    return (
        first(to),
        *_opening(to, heard, f"it is your turn{_in(to)}."),
        *happened(to, to.round),
        *plans(to),
        *position(to),
        *ways(to),
    )


def news(to: Recipient, heard: Sequence[Announcement] = ()) -> Blocks:
    """What a player is told who is not to act: what happened, and how it stands."""
    opening = _opening(to, heard, f"this is what happened{_in(to)}.")
    return (first(to), *opening, *happened(to, to.moments), *plans(to), *position(to))


def words(to: Recipient, heard: Sequence[Announcement]) -> Blocks:
    """Nothing but what was said to a player."""
    return first(to), *_opening(to, heard, "")


def begins(to: Recipient, *, hosted: bool = True) -> Blocks:
    """The first letter of a game: who plays what with whom, what was agreed, and how to answer."""
    names, record, clocked = to.at.names, to.known.record, to.at.time.clock
    party = next(party for party in record.table.parties if to.seat in party)
    mates = [names[seat] for seat in party if seat != to.seat]
    against = listed((names[seat] for seat in range(len(names)) if seat not in party), "and")
    whom = f"in a team with {listed(mates, 'and')}, against {against}" if mates else f"with {against}"
    starts = names[record.start().to_act or 0]
    told = (
        f"{to.name}, a new game begins{f': {record.title}' if record.title else ''}. You play {whom}; {starts} starts."
    )
    told += f" The order is {', '.join(names)}." if len(names) > 2 else ""
    told += f" It is {record.ruleset.title}."
    agreed = (
        f"The time agreed: {write_clock(clocked)}. [post.clock]"
        if clocked
        else "No time was agreed: there is no clock."
    )
    wishes = " `notify` tells which mails you get." if hosted else ""
    return (
        first(to),
        Paragraph(told),
        Rule(record.game.ids(record_plugin(record.game).rules.players)),
        Paragraph(agreed),
        Paragraph(f"{HOW_TO_ANSWER}{wishes} [{ORDERS}]"),
        *state(to),
        *position(to),
        *(ways(to) if to.may_act else ()),
    )


# -- their parts ------------------------------------------------------------------------------------------


def first(to: Recipient) -> First:
    """The marker line: answers stand above it."""
    return First(marker_line(due(to.known)))


def _in(to: Recipient) -> str:
    return f" in {to.known.record.title}" if to.known.record.title else ""


def _opening(to: Recipient, heard: Sequence[Announcement], greeting: str) -> Blocks:
    """The first paragraphs: what was said to the reader, else a greeting; and how the game stands."""
    said = house(to, heard)
    blocks: list[Block] = [Paragraph(f"{to.name}, {said}")] if said else []
    for each in heard:
        if each.sender is not None:
            blocks += _press(to, each, named=not blocks)
    if blocks:
        return (*blocks, *state(to))
    return (Paragraph(f"{to.name}, {greeting} {standing(to, known=to.may_act)}".rstrip()),)


def house(to: Recipient, heard: Sequence[Announcement]) -> str:
    """What the house tells the reader, sentence by sentence."""
    told = [each.text for each in heard if each.sender is None and to.seat in each.seats]
    return " ".join(text if at == 0 else capital(text) for at, text in enumerate(told))


def capital(text: str) -> str:
    """A text as a sentence begins."""
    return text[:1].upper() + text[1:]


def _press(to: Recipient, said: Announcement, *, named: bool) -> Blocks:
    """What a player says, and how to answer."""
    assert said.sender is not None
    sender, record = to.at.names[said.sender], to.known.record
    back = Say("all" if said.everybody else said.sender, "TEXT")
    written = order_reader(record.game, record.names, to.seat).written(back)
    whom = "all" if said.everybody else "you alone"
    return (
        Paragraph(f"{f'{to.name}, ' if named else ''}{sender} says to {whom}{_in(to)}:"),
        Quote(said.text),
        Paragraph(f"To answer: `{written}`. [post.say]"),
    )


def state(to: Recipient, *, known: bool = False) -> Blocks:
    """How the game stands; `known` where the reader has been told whose turn it is."""
    told = standing(to, known=known)
    return (Paragraph(told),) if told else ()


def standing(to: Recipient, *, known: bool = False) -> str:
    """Whose turn it is, and what the clock shows."""
    turn = [] if known else [stands(to)]
    told = [*clock(to), *turn] if to.at.time.adjourned else [*turn, *clock(to)]
    return " ".join(filter(None, told))


def stands(to: Recipient) -> str:
    """Whose turn it is, when an adjourned game goes on, or that the game is over."""
    position, names = to.known.position, to.at.names
    if to.at.time.winners:
        return ""
    if position.to_act is None:
        winners = [names[seat] for seat in position.winners]
        won = f"{listed(winners, 'and')} {'win' if len(winners) > 1 else 'wins'}" if winners else "nobody wins"
        return f"The game is over ({position.ending}): {won}."
    who = names[position.to_act]
    if not to.at.time.adjourned:
        return f"It is {'your' if position.to_act == to.seat else f'{who}{chr(39)}s'} turn."
    if not to.at.time.seats[position.to_act].plays:
        return f"It goes on when somebody else plays {who}'s seat."
    return f"It goes on when {'you send' if position.to_act == to.seat else f'{who} sends'} a turn."


def clock(to: Recipient) -> list[str]:
    """What is to be said of the clock, absences, resignations."""
    return sentences(to.at.time, to.now, to.at.names)


def happened(to: Recipient, moments: Sequence[Moment]) -> Blocks:
    """What happened, turn by turn."""
    items = tuple(item for moment in moments for item in numbered(moment, to.at.names))
    return (Heading(WHAT_HAPPENED), Events(items)) if items else ()


def numbered(moment: Moment, names: Sequence[str]) -> list[tuple[str, str]]:
    """The events of a turn, the first behind the turn's number."""
    number = f"{moment.turn.number}. " if moment.turn else ""
    why = next((note for note in (moment.turn.notes if moment.turn else ()) if note in AUTOMATIC), "")
    events = [f"{event.read(names)} [{event.rule}]" for event in moment.events]
    if why and events:
        events[0] = f"{events[0]} ({why}: [{AUTOMATIC[why]}])"
    return [(number if at == 0 else "", told) for at, told in enumerate(events)]


AUTOMATIC = {
    "out of time": "post.clock.out",
    "nothing to play": "post.pass.empty",
    "resigned": "post.resign",
}
"""Notes on turns that were passed without their player, and the rule for each."""


def plans(to: Recipient) -> Blocks:
    """What became of the reader's plans since the last letter."""
    notes = to.at.memory.seats[to.seat].notes
    return (Heading(PLANS), Events(tuple(("", note) for note in notes))) if notes else ()


def position(to: Recipient) -> Blocks:
    """The position as the reader may know it; its words in short lines, for a long one would be encoded in a mail."""
    game, shown = to.known.record.game, to.known.position
    view, names = game.view(shown, to.seat), to.at.names
    lines = drawn.position(game, view, names).rstrip("\n").split("\n")
    told = wrapped(render_plugin(game).description(game, view, names).split(" "))
    return Heading(POSITION), Board(tuple(lines), "\n".join(told))


def ways(to: Recipient) -> Blocks:
    """What the reader has, and turns to copy."""
    return (
        Heading(ANSWERS),
        Paragraph(mail_plugin(to.known.record.game).own(to.known, to.seat)),
        *offers(to),
        Paragraph("`help` tells what else you may order. How a turn is written:"),
        Rule(HOW),
    )


def offers(to: Recipient) -> Blocks:
    """Legal turns to copy."""
    told, turns = mail_plugin(to.known.record.game).offered(to.known)
    return Paragraph(told), Copies(tuple(turns))


# -- answers ----------------------------------------------------------------------------------------------


def turn(moment: Moment) -> Turn:
    """A turn as the game file has it."""
    return Turn(moment.line, moment.hash)


def problem(typed: str, found: Problem) -> Blocks:
    """A problem: the line with the place underlined, what is wrong, the way out, the rule.

    The way out is left out where it lists legal decisions: whole turns with them follow.
    """
    hint = "" if found.proposed(Scope.DECISION) else found.hint
    message = capital(found.message)
    told = f"{message}{'' if message.endswith(('?', '.')) else '.'} {hint}".rstrip()
    return Excerpt(typed, found.col, found.length), Paragraph(told), Rule(found.rule)


def wrong(typed: str, problems: Sequence[Problem]) -> Blocks:
    """What is wrong with a line: its problems, but not those that may be consequences of others."""
    roots = [found for found in problems if found.kind is not Kind.FOLLOW_ON] or problems
    return tuple(block for found in roots[:MOST_PROBLEMS] for block in problem(typed, found))


def instead(known: Replay, typed: str, problems: Sequence[Problem]) -> Blocks:
    """What would be legal: turns that put the problems right, else one with the card; () where neither is clear."""
    family = mail_plugin(known.record.game)
    roots = [found for found in problems if found.kind is not Kind.FOLLOW_ON] or problems
    turns = list(dict.fromkeys(turn for found in roots for turn in family.repairs(known, typed, found)))
    if turns:
        return Paragraph("Legal would be, to copy to the top of your answer:"), Copies(tuple(turns[:MOST_REPEATED]))
    card, one = family.similar(known, typed)
    if one:
        return Paragraph(f"A turn with {card} that is legal now, to copy or to change:"), Copies((one,))
    return ()
