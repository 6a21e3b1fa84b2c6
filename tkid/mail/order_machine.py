"""Carry out an order by its kind: sender, permission, result; and handle players who leave a seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from attrs import evolve, field, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail import game_letters, letter_parts
from tkid.mail.blocks import Block, Blocks, Letter, Paragraph
from tkid.mail.hosted_game import OFFERS, HostedGame, make_next_marker
from tkid.mail.letter_parts import Announcement, Recipient
from tkid.mail.marker import shorten_title
from tkid.mail.mime_writer import Part
from tkid.mail.model import IDS, ClubTerms, Document, Marker, OrderLine, Orders
from tkid.mail.timeline import find_next_turn
from tkid.notation.plugin import WrongError
from tkid.orders.forms import OrderRow
from tkid.orders.order_reader import ReadOrder
from tkid.orders.order_values import Ask, Draft, Turn
from tkid.record.clock_notes import Back, Resigned, StandIn, find_noted_time, list_stand_ins, make_note_reader
from tkid.record.format.model import Record
from tkid.rulebook import cites

DOOR = "door"
"""Subject of letters that are about no game: a reply to one is a mail to the club."""
Role = Literal["player", "member", "owner"]
"""The part in which somebody writes: of a seat at a game, of the club, or as the owner of the host."""


@frozen
class Sender:
    """The sender of orders: seat, role, address in lower case, name; `is_trusted` if a key or server vouches."""

    seat: int = -1
    role: Role = "player"
    address: str = ""
    name: str = ""
    is_trusted: bool = True


@frozen
class Mail:
    """The mail that orders are in: who sent it and when, and which letter of ours it answers.

    `marker` is that of a letter of a game, and `about` the subject of a letter of the club: `table spring`, `game winter`,
    or "" for no letter. `terms` are those of the club, `host` is the address of the host, `entropy` are 32 random bytes
    drawn for this mail, and `raw` is the whole mail if an order needs it. `orders` are those of a mail to a game, and
    `offer_id` is the id of the offer in its letter: "" for none, None if it is forgotten.
    """

    sender: Sender
    now: datetime
    marker: Marker | None = None
    about: str = ""
    terms: ClubTerms = field(factory=ClubTerms)
    host: str = ""
    entropy: bytes = b""
    raw: bytes = b""
    orders: Orders = field(factory=Orders)
    offer_id: str | None = ""

    @property
    def seat(self) -> int:
        return self.sender.seat

    @property
    def address(self) -> str:
        return self.sender.address

    def find_subject(self, kind: str) -> str:
        """Return the name behind a word in the subject of the mail's letter: of the game, of the lobby; "" for another subject."""
        word, _, name = self.about.partition(" ")
        return name if word == kind else ""


Given = TypeVar("Given")
Other = TypeVar("Other")
NO_LINE = OrderLine("", ReadOrder(None))


@frozen
class Request(Generic[Given]):
    """One order with what its handler needs: its row in the table, the mail that it is in, and the line as it was typed."""

    order: Given
    row: OrderRow
    mail: Mail
    line: OrderLine = NO_LINE

    def with_order(self, order: Other) -> Request[Other]:
        return Request(order, self.row, self.mail, self.line)

    @property
    def now(self) -> datetime:
        return self.mail.now

    @property
    def seat(self) -> int:
        return self.mail.seat

    @property
    def has_to_be_confirmed(self) -> bool:
        """True if it waits for a `yes`: anybody can forge an address, and what is grave is named and explained."""
        is_explained = not self.row.is_grave or getattr(self.order, "is_explained", True)
        return not (self.row.is_harmless or (self.mail.sender.is_trusted and is_explained))


@frozen
class ClubLetter:
    """A letter to an address, block by block, and when it is written.

    `name` is the reader's name, "" where it is not known. `about` is what its key is for and what its reference names: a
    word, and what it needs, such as "table spring"; a reply to the letter is understood as being about that. `subject` is
    its whole subject; where the letter answers a mail, that mail's subject goes before it. `stop` is the order that a
    mail program's button for unsubscribing sends, "" where a letter has no such button: turns have none. `files` are whole
    parts that are attached.
    """

    address: str
    about: str
    subject: str
    body: Blocks
    time: datetime
    name: str = ""
    stop: str = ""
    files: tuple[Part, ...] = ()


@frozen
class Outcome:
    """The result of a mail or of the clock: the game, letters, problems of orders, and the time to look again."""

    game: HostedGame
    letters: tuple[Letter, ...]
    problems: tuple[Problem, ...] = ()
    due: datetime | None = None
    record_changed: bool = False


@frozen
class OrderResult:
    """The result of an order: the answer to its sender, what it changes, letters and announcements to others, and problems.

    Attributes:
        lead: A sentence of at most 78 columns that everybody may read: that it was carried out, or why not. "" for no answer.
        blocks: What follows it.
        about: The subject of the answer.
        problems: What is wrong with it; then it changes nothing.
        wrong: The wrong part of the order, as typed, if its place is not known yet.
        line: The line of an order to a game.
        shown: The text in which the columns of problems count, if it is not the line as typed.
        rule: The rule behind it.
        shows_turns: True if the answer has turns to send.
        announcements: The news for other players of the game.
        letters: Letters to people of the club.
        kept: Documents of the club that change.
        begins: Games that begin, by name.
        changes: Games that change, by name.
    """

    lead: str = ""
    blocks: Blocks = ()
    about: str = DOOR
    problems: tuple[Problem, ...] = ()
    wrong: str = ""
    line: OrderLine = NO_LINE
    _game: HostedGame | None = None
    shown: str = ""
    rule: str = ""
    shows_turns: bool = False
    announcements: tuple[Announcement, ...] = ()
    letters: tuple[ClubLetter, ...] = ()
    kept: tuple[Document, ...] = ()
    begins: tuple[tuple[str, Record], ...] = ()
    changes: tuple[tuple[str, Outcome], ...] = ()

    @property
    def game(self) -> HostedGame:
        assert self._game is not None
        return self._game

    @property
    def problem(self) -> Problem | None:
        return self.problems[0] if self.problems else None

    @property
    def played(self) -> bool:
        return not self.problems and isinstance(self.line.order, Turn)

    @property
    def failed(self) -> bool:
        """True if it was not carried out. A draft of a turn that breaks a rule was checked as asked, so it has not failed."""
        return bool(self.problems) and not isinstance(self.line.order, Draft)

    @property
    def asked(self) -> bool:
        return isinstance(self.line.order, Ask) and not self.problems

    @property
    def is_turn(self) -> bool:
        return self.line.kind == "turn"

    def add_turns(self, seat: int, typed: str) -> OrderResult:
        """Add legal turns to copy to the result of a turn that was unreadable or illegal."""
        turns = letter_parts.suggest_turns(self.game.view_as(seat), typed, self.problems)
        return evolve(self, blocks=(*self.blocks, *turns), shows_turns=bool(turns))


def report_done(
    lead: str,
    *answer: str | Block,
    game: HostedGame | None = None,
    rule: str = "",
    announcements: tuple[Announcement, ...] = (),
    kept: tuple[Document, ...] = (),
    line: OrderLine = NO_LINE,
) -> OrderResult:
    blocks = tuple(Paragraph(each) if isinstance(each, str) else each for each in answer)
    return OrderResult(lead, blocks, game=game, rule=rule, announcements=announcements, kept=kept, line=line)


class OrderRefusedError(Exception):
    """An order cannot be carried out: the result says why."""

    def __init__(self, problem: Problem, typed: str = "") -> None:
        super().__init__(problem.message)
        self.result = OrderResult(problems=(problem,), wrong=typed)


def refuse_order(
    rule: str, message: str, hint: str = "", typed: str = "", kind: Kind = Kind.ILLEGAL
) -> OrderRefusedError:
    """Return the error to raise for an order: the rule, the reason and a fix; `typed` is the wrong part of the order."""
    return OrderRefusedError(Problem(kind, rule, message, hint=hint), typed)


def make_failed(game: HostedGame, line: OrderLine, problems: Iterable[Problem]) -> OrderResult:
    """Return the result of a line that was not carried out, for these problems: its answer shows place and fix."""
    problems = tuple(problems)
    return OrderResult("", letter_parts.show_problem(line.typed, problems), problems=problems, line=line, game=game)


def make_refused(game: HostedGame, line: OrderLine, problems: Iterable[Problem]) -> OrderResult:
    return make_failed(game, line, [evolve(problem, col=1, length=max(1, len(line.typed))) for problem in problems])


OVER = "The game is over"
NOTHING_LEFT = f"{OVER}: there is nothing left to decide"
STALE, HISTORY = IDS("stale"), IDS("history")


@cites("club.seat")
def check_permission(request: Request[Any], game: HostedGame | None = None) -> Problem | None:
    """Return the reason why an order about a `game`, if any, may not be given, by its row; None if it may."""
    row, line = request.row, request.line
    if row.who == "owner" and request.mail.sender.role != "owner":
        return line.make_problem("club.seat", f"Only the owner of the host may write `{row.name}`")
    if game is None:
        return None
    return (
        _refuse_other_history(game, request)
        or _refuse_without_host(game, request)
        or refuse_when_over(game, row, line)
        or _refuse_resigned(game, request)
        or _refuse_late(game, request)
    )


@cites("post.order.hosted")
def _refuse_without_host(game: HostedGame, request: Request[Any]) -> Problem | None:
    hosted = request.row.hosted
    if game.is_hosted or not (hosted(request.order) if callable(hosted) else hosted):
        return None
    hint = "Without a host you can send turns, drafts, questions, `away` and `resign`."
    return request.line.make_problem("post.order.hosted", "Only a host can do this, and this game has none", hint)


@cites("post.resign")
def _refuse_resigned(game: HostedGame, request: Request[Any]) -> Problem | None:
    row = request.row
    if game.time.over or row.may_follow_resignation or row.who != "player" or game.time.seats[request.seat].plays:
        return None
    hint = "You may still write to the others, ask, and choose which mails you get."
    return request.line.make_problem("post.resign", "You have resigned, so you cannot do this any more", hint)


@cites("post.order.over", "post.agree.opened", "club.desk.over")
def refuse_when_over(game: HostedGame, row: OrderRow | None, line: OrderLine) -> Problem | None:
    if not game.time.over or (row is not None and row.may_follow_end):
        return None
    if row is None or row.who == "player":
        return line.make_problem("post.order.over", NOTHING_LEFT)
    hint = "A game that is over cannot be changed. Its players can ask for another one: `rematch`."
    return Problem(Kind.ILLEGAL, "club.desk.over", OVER, hint=hint)


@cites("mail.history")
def _refuse_other_history(game: HostedGame, request: Request[Any]) -> Problem | None:
    mail, marker = request.mail, request.mail.marker
    if marker is None or marker.after in game.find_hashes_before(mail.seat, marker.turn):
        return None
    current = make_next_marker(game.view_as_told(mail.seat))
    if marker.title and marker.title.casefold() != shorten_title(current.title).casefold():
        this = current.title or "another game"
        message = f"Your mail answers turn {marker.turn} of {marker.title}, but this is {this}"
    elif marker.turn > current.turn:
        message = f"Your mail answers turn {marker.turn}; the game is only at turn {current.turn}"
    else:
        message = f"Your mail answers turn {marker.turn} after #{marker.after}, but this game went differently"
    hint = "It belongs to another game, or to another copy of this game's file."
    return request.line.make_problem(HISTORY, message, hint, Kind.INTEGRITY)


@cites("mail.stale", "post.order.late")
def _refuse_late(game: HostedGame, request: Request[Any]) -> Problem | None:
    mail, marker, answers = request.mail, request.mail.marker, request.row.answers
    turn = find_next_turn(game.replay)
    if marker is None or marker.turn == turn or answers == "any" or (answers == "latest" and not game.is_hosted):
        return None
    hint = "If you still mean it, answer this mail."
    if answers == "due":
        if game.time.over:
            return None
        hint = hint if game.awaited == mail.seat else ""
        message = f"Your mail answers turn {marker.turn}, but the game is at turn {turn}"
        return request.line.make_problem(STALE, message, hint, Kind.INTEGRITY)
    if marker.turn <= game.memory.seats[mail.seat].told:
        message = f"Your mail answers turn {marker.turn}. You have had news since then: the game is at turn {turn}"
        return request.line.make_problem("post.order.late", message, hint, Kind.INTEGRITY)
    return None


Handler = Callable[[Request[Any], Any], OrderResult]


def carry_out(
    request: Request[Any], world: Any, handlers: Mapping[str, Handler], game: HostedGame | None = None
) -> OrderResult:
    """Carry out an order by its handler, which changes the `world` (a game, the club, the store), or say why not."""
    problem, line = check_permission(request, game), request.line
    try:
        result = OrderResult(problems=(problem,)) if problem else handlers[request.row.name](request, world)
    except OrderRefusedError as refused:
        result = refused.result
    except WrongError as wrong:
        result = OrderResult(problems=wrong.problems)
    if result.problems and not result.blocks and game is not None and request.row.who == "player":
        return make_refused(game, line, result.problems)
    return evolve(result, line=line)


LEAVES, TOLD = "post.stand-in.leave", "post.stand-in.told"


@cites(LEAVES)
def give_back_seat(game: HostedGame, seat: int, now: datetime) -> tuple[HostedGame, tuple[Announcement, ...]]:
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
    memory = game.memory.without_proposals(*OFFERS, seat=seat).with_seat(seat, told=0, plans=(), notes=())
    return game.with_memory(evolve(memory, asked="", looked="") if seat == game.replay.position.to_act else memory)


@cites(TOLD)
def write_partings(before: HostedGame, game: HostedGame, now: datetime, why: Blocks) -> tuple[Letter, ...]:
    """Write to all former players of a seat; the last letter of a game says it to its player."""
    changed = (seat for seat in game.seats if game.find_player(seat) != before.find_player(seat))
    left = ((seat, before.find_address(seat)) for seat in changed)
    told = {game.find_own_address(seat) for seat in game.seats} if game.time.over else set()
    return tuple(write_parting(game, seat, to, now, why=why) for seat, to in left if to and to not in told)


def has_left(game: HostedGame, seat: int, address: str) -> bool:
    once = {game.find_own_address(seat), *(line.address for line in list_stand_ins(game.record) if line.seat == seat)}
    return address.lower() in {each.lower() for each in once} - {game.find_address(seat).lower()}


@cites("club.desk.process")
def has_changed(game: HostedGame, seat: int, moment: datetime) -> bool:
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
    lines = map(make_note_reader(game.record.names).read_line, game.record.list_remarks())
    return [line for line in lines if isinstance(line, StandIn | Back) and line.seat == seat]


def answer_former_player(lines: Sequence[OrderLine], results: Sequence[OrderResult]) -> list[str]:
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

    It may answer a mail of theirs: `wrote` is what `answer_former_player` returns, empty if they had left before.
    `why` is the reason of the owner.
    """
    name, time = game.names[seat], game.time.seats[seat]
    who = f"{'The bot ' if game.is_bot(seat) else ''}{game.find_player(seat)}"
    if time.stand_in is not None and address.lower() == game.find_own_address(seat).lower():
        lead, more = f"{who} plays for you.", "The host writes to you again when the game is over."
    elif time.gone:
        lead, more = f"You no longer play for {name}.", f"{name} has resigned, so the host passes for the seat."
    else:
        lead, more = f"You no longer play for {name}.", f"{who} plays now."
    recipient = Recipient(game, seat, now)
    ended = (Paragraph(game_letters.describe_game_result(recipient)[1]),) if game.time.over else ()
    more = more if wrote or wrote is None else f"{more} Nothing has been done."
    footer = (*(wrote or ()), letter_parts.cite_rule(LEAVES if wrote else TOLD))
    lead, body = letter_parts.choose_lead(lead), (Paragraph(more), *why, *ended)
    subject = lead.rstrip(".") if lead.startswith(who) else f"{lead[:1].lower()}{lead[1:]}".rstrip(".")
    kind = "news" if wrote is None else "note"
    letter = letter_parts.compose_letter(recipient, kind, lead, body, footer, subject, is_marked=False)
    return evolve(letter, to=address)
