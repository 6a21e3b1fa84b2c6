"""What our letters say, as blocks: turn mails, news, answers, and the parts that they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from tkid.kernel.problems import Kind, Problem, Scope
from tkid.mail.game.hosted_game import HostedGame, next_marker
from tkid.mail.game.memory import SeatMemory
from tkid.mail.inbound.order_lines import order_reader
from tkid.mail.letters.blocks import (
    Block,
    Blocks,
    Board,
    Copies,
    Events,
    Excerpt,
    First,
    Heading,
    Letter,
    Paragraph,
    Quote,
    Rule,
    Turn,
)
from tkid.mail.letters.clock_text import sentences, who_wins
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
AUTOMATIC = {
    "out of time": "post.clock.out",
    "nothing to play": "post.pass.empty",
    "resigned": "post.resign",
}
"""Notes on turns that were passed without their player, and the rule for each."""


@frozen
class Recipient:
    """Whom a letter is for, and what it rests on: the game at a moment, and as that seat knows it."""

    game: HostedGame
    seat: int
    known: Replay
    now: datetime

    @classmethod
    def of(cls, game: HostedGame, seat: int, now: datetime) -> Recipient:
        """The reader of a letter to a seat."""
        return cls(game, seat, game.known(seat), now)

    @property
    def name(self) -> str:
        """The reader's name; a stand-in's, where one plays the seat."""
        return self.game.player(self.seat)

    @property
    def may_act(self) -> bool:
        """Whether the reader is to act; an adjourned game goes on by that."""
        return self.game.awaited == self.seat

    @property
    def memory(self) -> SeatMemory:
        """What is remembered of the reader's seat."""
        return self.game.memory.seats[self.seat]

    @property
    def moments(self) -> Sequence[Moment]:
        """What the reader has not heard of yet, turn by turn."""
        return self.known.moments[self.memory.told + 1 :]

    @property
    def round(self) -> Sequence[Moment]:
        """What happened since the reader's last turn, and what the reader has not heard of yet."""
        turns = self.known.record.turns
        own = next((number for number in range(len(turns), 0, -1) if turns[number - 1].seat == self.seat), 0)
        return self.known.moments[min(own, self.memory.told) + 1 :]


@frozen
class Announcement:
    """What a player says to some seats, or what the host announces to them where there is no `sender`.

    With `tells` a letter with it also tells what happened, and asks the next player; with `asks` it asks in any case.
    What the host announces follows the reader's name and a comma, so it begins with a small letter or a name.
    """

    seats: tuple[int, ...]
    text: str
    sender: int | None = None
    everybody: bool = True
    tells: bool = False
    asks: bool = False


# -- letters ----------------------------------------------------------------------------------------------


def letter(recipient: Recipient, kind: str, body: Blocks, about: int | None = None) -> Letter:
    """A letter of a kind; `about` is the turn that its thread is about, the next one where none is given."""
    marker = next_marker(recipient.known)
    about = marker.turn if about is None else about
    return Letter(kind, recipient.seat, marker.turn, marker.after, about, body, recipient.now)


def turn_mail(recipient: Recipient, announcements: Sequence[Announcement] = ()) -> Blocks:
    """The letter that asks a player for a turn."""
    return (
        first(recipient),
        *_opening(recipient, announcements, f"it is your turn{_in(recipient)}."),
        *happened(recipient, recipient.round),
        *plans(recipient),
        *position(recipient),
        *ways(recipient),
    )


def news(recipient: Recipient, announcements: Sequence[Announcement] = ()) -> Blocks:
    """The letter to a player who is not to act: what happened, and how it stands."""
    return (
        first(recipient),
        *_opening(recipient, announcements, f"this is what happened{_in(recipient)}."),
        *happened(recipient, recipient.moments),
        *plans(recipient),
        *position(recipient),
    )


def words(recipient: Recipient, announcements: Sequence[Announcement]) -> Blocks:
    """Nothing but announcements to a player."""
    return first(recipient), *_opening(recipient, announcements, "")


def begins(recipient: Recipient, *, has_host: bool = True) -> Blocks:
    """The first letter of a game: who plays what with whom, what was agreed, and how to answer."""
    names, record, clock = recipient.game.names, recipient.known.record, recipient.game.time.clock
    party = next(party for party in record.table.parties if recipient.seat in party)
    mates = [names[seat] for seat in party if seat != recipient.seat]
    against = listed((names[seat] for seat in range(len(names)) if seat not in party), "and")
    whom = f"in a team with {listed(mates, 'and')}, against {against}" if mates else f"with {against}"
    starts = names[record.start().to_act or 0]
    title = f": {record.title}" if record.title else ""
    opening = f"{recipient.name}, a new game begins{title}. You play {whom}; {starts} starts."
    opening += f" The order is {', '.join(names)}." if len(names) > 2 else ""
    opening += f" It is {record.ruleset.title}."
    agreed = (
        f"The time agreed: {write_clock(clock)}. [post.clock]" if clock else "No time was agreed: there is no clock."
    )
    wishes = " `notify` tells which mails you get." if has_host else ""
    return (
        first(recipient),
        Paragraph(opening),
        Rule(record.game.ids(record_plugin(record.game).rules.players)),
        Paragraph(agreed),
        Paragraph(f"{HOW_TO_ANSWER}{wishes} [{ORDERS}]"),
        *state(recipient),
        *position(recipient),
        *(ways(recipient) if recipient.may_act else ()),
    )


# -- their parts ------------------------------------------------------------------------------------------


def first(recipient: Recipient) -> First:
    """The marker line: answers stand above it."""
    return First(marker_line(next_marker(recipient.known)))


def _in(recipient: Recipient) -> str:
    return f" in {recipient.known.record.title}" if recipient.known.record.title else ""


def _opening(recipient: Recipient, announcements: Sequence[Announcement], greeting: str) -> Blocks:
    """The first paragraphs: announcements to the reader, else a greeting; and how the game stands."""
    from_host = host_text(announcements)
    blocks: list[Block] = [Paragraph(f"{recipient.name}, {from_host}")] if from_host else []
    for each in announcements:
        if each.sender is not None:
            blocks += _from_player(recipient, each, each.sender, named=not blocks)
    if blocks:
        return (*blocks, *state(recipient))
    return (Paragraph(f"{recipient.name}, {greeting} {standing(recipient, known=recipient.may_act)}".rstrip()),)


def host_text(announcements: Sequence[Announcement]) -> str:
    """What the host announces, sentence by sentence."""
    texts = [each.text for each in announcements if each.sender is None]
    return " ".join((*texts[:1], *map(capital, texts[1:])))


def capital(text: str) -> str:
    """A text as a sentence begins."""
    return text[:1].upper() + text[1:]


def _from_player(recipient: Recipient, message: Announcement, sender: int, *, named: bool) -> Blocks:
    """What a player says, and how to answer."""
    record = recipient.known.record
    answer = Say("all" if message.everybody else sender, "TEXT")
    written = order_reader(record.game, record.names, recipient.seat).written(answer)
    whom = "all" if message.everybody else "you alone"
    name = f"{recipient.name}, " if named else ""
    return (
        Paragraph(f"{name}{recipient.game.names[sender]} says to {whom}{_in(recipient)}:"),
        Quote(message.text),
        Paragraph(f"To answer: `{written}`. [post.say]"),
    )


def state(recipient: Recipient, *, known: bool = False) -> Blocks:
    """How the game stands; `known` where the reader has read whose turn it is."""
    text = standing(recipient, known=known)
    return (Paragraph(text),) if text else ()


def standing(recipient: Recipient, *, known: bool = False) -> str:
    """Whose turn it is, and what the clock shows."""
    time = recipient.game.time
    turn, clock = "" if known else _whose_turn(recipient), sentences(time, recipient.now, recipient.game.names)
    return " ".join(filter(None, [*clock, turn] if time.adjourned else [turn, *clock]))


def _whose_turn(recipient: Recipient) -> str:
    """Whose turn it is, when an adjourned game goes on, or that the game is over."""
    position, game = recipient.known.position, recipient.game
    if game.time.winners:
        return ""
    if position.to_act is None:
        return f"The game is over ({position.ending}): {who_wins([game.names[seat] for seat in position.winners])}."
    who = game.names[position.to_act]
    if not game.time.adjourned:
        return f"It is {'your' if position.to_act == recipient.seat else f'{who}{chr(39)}s'} turn."
    if not game.time.seats[position.to_act].plays:
        return f"It goes on when somebody else plays {who}'s seat."
    return f"It goes on when {'you send' if position.to_act == recipient.seat else f'{who} sends'} a turn."


def happened(recipient: Recipient, moments: Sequence[Moment]) -> Blocks:
    """What happened, turn by turn."""
    items = tuple(item for moment in moments for item in numbered(moment, recipient.game.names))
    return (Heading(WHAT_HAPPENED), Events(items)) if items else ()


def numbered(moment: Moment, names: Sequence[str]) -> list[tuple[str, str]]:
    """The events of a turn, the first behind the turn's number."""
    number = f"{moment.turn.number}. " if moment.turn else ""
    why = next((note for note in (moment.turn.notes if moment.turn else ()) if note in AUTOMATIC), "")
    events = [f"{event.read(names)} [{event.rule}]" for event in moment.events]
    if why and events:
        events[0] = f"{events[0]} ({why}: [{AUTOMATIC[why]}])"
    return [("" if index else number, event) for index, event in enumerate(events)]


def plans(recipient: Recipient) -> Blocks:
    """What became of the reader's plans since the last letter."""
    notes = recipient.memory.notes
    return (Heading(PLANS), Events(tuple(("", note) for note in notes))) if notes else ()


def position(recipient: Recipient) -> Blocks:
    """The position as the reader may know it; its words in short lines, for a long one would be encoded in a mail."""
    game, names = recipient.known.record.game, recipient.game.names
    view = game.view(recipient.known.position, recipient.seat)
    lines = drawn.position(game, view, names).rstrip("\n").split("\n")
    description = wrapped(render_plugin(game).description(game, view, names).split(" "))
    return Heading(POSITION), Board(tuple(lines), "\n".join(description))


def ways(recipient: Recipient) -> Blocks:
    """What the reader has, and turns to copy."""
    known = recipient.known
    plugin = mail_plugin(known.record.game)
    introduction, turns = plugin.offered(known)
    return (
        Heading(ANSWERS),
        Paragraph(plugin.own(known, recipient.seat)),
        Paragraph(introduction),
        Copies(tuple(turns)),
        Paragraph("`help` tells what else you may order. How a turn is written:"),
        Rule(HOW),
    )


# -- answers ----------------------------------------------------------------------------------------------


def turn(moment: Moment) -> Turn:
    """A turn as the game file has it."""
    return Turn(moment.line, moment.hash)


def wrong(typed: str, problems: Sequence[Problem]) -> Blocks:
    """What is wrong with a line: its problems, but not those that may be consequences of others."""
    return tuple(block for problem in roots(problems)[:MOST_PROBLEMS] for block in _problem(typed, problem))


def sentence(message: str) -> str:
    """The message of a problem as a sentence."""
    message = capital(message)
    return f"{message}{'' if message.endswith(('?', '.')) else '.'}"


def roots(problems: Sequence[Problem]) -> Sequence[Problem]:
    """The problems that are not consequences of others."""
    return [problem for problem in problems if problem.kind is not Kind.FOLLOW_ON] or problems


def _problem(typed: str, problem: Problem) -> Blocks:
    """A problem: the line with the place underlined, what is wrong, the way out, the rule.

    The way out is left out where it lists legal decisions: whole turns with them follow.
    """
    hint = "" if problem.proposed(Scope.DECISION) else problem.hint
    text = f"{sentence(problem.message)} {hint}".rstrip()
    return Excerpt(typed, problem.col, problem.length), Paragraph(text), Rule(problem.rule)


def instead(known: Replay, typed: str, problems: Sequence[Problem]) -> Blocks:
    """What would be legal: turns that put the problems right, else one with the card; () where neither is clear."""
    plugin = mail_plugin(known.record.game)
    turns = dict.fromkeys(turn for problem in roots(problems) for turn in plugin.repairs(known, typed, problem))
    if turns:
        return Paragraph("Legal would be, to copy to the top of your answer:"), Copies(tuple(turns)[:MOST_REPEATED])
    card, similar = plugin.similar(known, typed)
    if similar:
        return Paragraph(f"A turn with {card} that is legal now, to copy or to change:"), Copies((similar,))
    return ()
