"""The results of orders, and players who leave a seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail import game_letters, letter_parts
from tkid.mail.blocks import Block, Blocks, Footer, Lead, Letter, Paragraph, Reference
from tkid.mail.hosted_game import HostedGame, make_next_marker
from tkid.mail.letter_parts import Announcement, Recipient
from tkid.mail.marker import write_reference
from tkid.mail.model import Marker, OrderLine
from tkid.orders.order_values import Ask, Draft, Turn
from tkid.record.clock_notes import Back, Resigned, StandIn, find_noted_time, list_stand_ins, make_note_reader
from tkid.rulebook import cites


@frozen
class Mail:
    """The mail that a line is in: whose it is, when it came, which of our mails it answers.

    `has_host` says whether a host keeps plans and wishes: without one only the record is kept.
    """

    seat: int
    now: datetime
    marker: Marker | None = None
    has_host: bool = True


@frozen
class OrderResult:
    """The result of a line: the game after it, the answer to its sender, announcements to others, and problems.

    `lead` says in a sentence that everybody may read that the order was carried out, or why not. `answer`
    follows it. `shows_turns` is true if the answer has turns to send, `rule` is the rule behind it. `shown` is the
    text in which the columns of problems count, if it is not the line as typed.
    """

    line: OrderLine
    game: HostedGame
    answer: Blocks = ()
    problems: tuple[Problem, ...] = ()
    announcements: tuple[Announcement, ...] = ()
    shows_turns: bool = False
    lead: str = ""
    rule: str = ""
    shown: str = ""

    @property
    def played(self) -> bool:
        """True if it is a turn that was played."""
        return not self.problems and isinstance(self.line.read.order, Turn)

    @property
    def failed(self) -> bool:
        """True if it was not carried out. A draft of a turn that breaks a rule was checked as asked, so it has not failed."""
        return bool(self.problems) and not isinstance(self.line.read.order, Draft)

    @property
    def asked(self) -> bool:
        """True if it is a question that was answered."""
        return isinstance(self.line.read.order, Ask) and not self.problems

    @property
    def is_turn(self) -> bool:
        """True if it was meant as a turn."""
        return self.line.read.kind == "turn"

    def add_turns(self, seat: int, typed: str) -> OrderResult:
        """Add legal turns to copy to the result of a turn that was unreadable or illegal."""
        turns = letter_parts.suggest_turns(self.game.view_as(seat), typed, self.problems)
        return evolve(self, answer=(*self.answer, *turns), shows_turns=bool(turns))


def make_done(
    game: HostedGame,
    line: OrderLine,
    lead: str,
    *answer: str | Block,
    rule: str = "",
    announcements: tuple[Announcement, ...] = (),
) -> OrderResult:
    """Return the result of a line that was carried out: a sentence that says so, and the rest of the answer."""
    blocks = tuple(Paragraph(each) if isinstance(each, str) else each for each in answer)
    return OrderResult(line, game, blocks, announcements=announcements, lead=lead, rule=rule)


def make_failed(game: HostedGame, line: OrderLine, problems: Iterable[Problem]) -> OrderResult:
    """Return the result of a line that was not carried out, for these problems: its answer shows place and fix."""
    problems = tuple(problems)
    return OrderResult(line, game, letter_parts.show_problem(line.typed, problems), problems)


def make_refused(game: HostedGame, line: OrderLine, problems: Iterable[Problem]) -> OrderResult:
    """Return the result of a line that was not carried out, for problems with the whole line."""
    return make_failed(game, line, [evolve(problem, col=1, length=max(1, len(line.typed))) for problem in problems])


def make_line_problem(line: OrderLine, rule: str, message: str, hint: str = "", kind: Kind = Kind.ILLEGAL) -> Problem:
    """Return a problem with a whole line."""
    return Problem(kind, rule, message, length=max(1, len(line.typed)), hint=hint)


LEAVES, TOLD = "post.stand-in.leave", "post.stand-in.told"


@cites(LEAVES)
def give_back_seat(game: HostedGame, seat: int, now: datetime) -> tuple[HostedGame, tuple[Announcement, ...]]:
    """Return the game after a stand-in has given back a seat, and the news for its player and the others."""
    time, name, who = game.time.seats[seat], game.names[seat], game.find_player(seat)
    moment = game.round_moment(now)
    line = Back(seat, moment) if time.resigned is None else Resigned(seat, moment)
    after = hand_over_seat(game, seat).with_line(line)
    text = f"{who} no longer plays for {name}"
    told = Announcement(game.list_others(seat), f"{text}.", tells=after.time.over, rule=LEAVES, subject=text)
    if time.resigned is not None:
        return after, (told,)
    yours = f"{who} no longer plays for you: you are back in the game."
    return after, (Announcement((seat,), yours, tells=True, rule=LEAVES, subject="you are back"), told)


def hand_over_seat(game: HostedGame, seat: int) -> HostedGame:
    """Return the game without the memory that concerns only the seat's former player: plans, offers, news."""
    memory = game.memory.with_seat(seat, told=0, plans=(), notes=(), offer=None, elsewhere=None, held=None)
    return game.with_memory(evolve(memory, asked="", looked="") if seat == game.replay.position.to_act else memory)


@cites(TOLD)
def write_partings(before: HostedGame, game: HostedGame, now: datetime, why: Blocks) -> tuple[Letter, ...]:
    """Write to all former players of a seat; the last letter of a game says it to its player."""
    changed = (seat for seat in game.seats if game.find_player(seat) != before.find_player(seat))
    left = ((seat, before.find_address(seat)) for seat in changed)
    told = {game.find_own_address(seat) for seat in game.seats} if game.time.over else set()
    return tuple(write_parting(game, seat, to, now, why=why) for seat, to in left if to and to not in told)


def has_left(game: HostedGame, seat: int, address: str) -> bool:
    """Return True if somebody with an address once played a seat, and no longer does."""
    once = {game.find_own_address(seat), *(line.address for line in list_stand_ins(game.record) if line.seat == seat)}
    return address.lower() in {each.lower() for each in once} - {game.find_address(seat).lower()}


@cites("club.desk.process")
def has_changed(game: HostedGame, seat: int, moment: datetime) -> bool:
    """Return True if another person plays a seat now than at a moment."""
    then = [line for line in _list_changes(game, seat) if line.time <= moment][-1:]
    player = then[0].name if then and isinstance(then[0], StandIn) else game.names[seat]
    return player != game.find_player(seat)


@cites("club.desk.process")
def may_be_former_key(game: HostedGame, seat: int, turn: int) -> bool:
    """Return True if somebody else may have got a key that was made for a turn: it is not later than the seat's last change."""
    reader, changes = make_note_reader(game.record.names), _list_changes(game, seat)
    if not changes:
        return False
    played = ((each.number, find_noted_time(reader, each)) for each in game.record.turns)
    return turn <= 1 + max((number for number, time in played if time and time <= changes[-1].time), default=0)


def _list_changes(game: HostedGame, seat: int) -> list[StandIn | Back]:
    """List the lines by which a seat went to another player."""
    lines = map(make_note_reader(game.record.names).read_line, game.record.remarks())
    return [line for line in lines if isinstance(line, StandIn | Back) and line.seat == seat]


def answer_former_player(lines: Sequence[OrderLine], results: Sequence[OrderResult]) -> list[str]:
    """Answer each order of somebody who left by it, and explain the ones that were not carried out."""
    written = []
    for line in lines:
        result, why = next((each for each in results if each.line == line), None), ""
        if result is None:
            why = ". You had left by then, so it was not done."
        elif result.problems:
            why = f". Not done: {result.problems[0].message}."
        written.append(f"You wrote: `{' '.join(line.typed.split())}`{why}")
    return written


@cites(TOLD)
def write_parting(
    game: HostedGame, seat: int, address: str, now: datetime, wrote: Sequence[str] | None = None, *, why: Blocks = ()
) -> Letter:
    """Write the letter to the former address of a seat: who plays the seat now.

    It may answer a mail of theirs: `wrote` is what `answer_former_player` returns, empty if they had left before. `why` is the reason
    of the owner.
    """
    name, time = game.names[seat], game.time.seats[seat]
    who = f"{'The bot ' if game.is_bot(seat) else ''}{game.find_player(seat)}"
    if time.stand_in is not None and address.lower() == game.find_own_address(seat).lower():
        lead, more = f"{who} plays for you.", "You hear of this game again when it is over."
    elif time.gone:
        lead, more = f"You no longer play for {name}.", f"{name} has resigned, so the host passes for the seat."
    else:
        lead, more = f"You no longer play for {name}.", f"{who} plays now."
    recipient = Recipient.make_recipient(game, seat, now)
    ended = (Paragraph(game_letters.describe_game_result(recipient)[1]),) if game.time.over else ()
    more = more if wrote or wrote is None else f"{more} Nothing has been done."
    footer = (*(wrote or ()), letter_parts.cite_rule(LEAVES if wrote else TOLD))
    stands = Reference(write_reference(make_next_marker(game.view_as_told(seat)), over=game.time.over))
    body = (Lead(letter_parts.choose_lead(lead)), Paragraph(more), *why, *ended, stands, Footer(footer))
    subject = letter_parts.choose_lead(lead).rstrip(".")
    begins = subject if subject.startswith(who) else f"{subject[:1].lower()}{subject[1:]}"
    return evolve(letter_parts.make_letter(recipient, "news" if wrote is None else "note", body, begins), to=address)
