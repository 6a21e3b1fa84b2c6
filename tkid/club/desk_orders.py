"""The table and the reader of the owner's orders.

A line is the order's words, the name of a game or `all`, the order's arguments, and after a colon the reason:
`extend winter Ann 2 days: she is ill`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from importlib.resources import files
from shlex import quote
from typing import Any

from attrs import evolve, frozen

from tkid.club.order_reader import ClubReadings, list_own_lines, locate_problem, locate_problem_behind, read_club_line
from tkid.kernel.problems import Kind, Problem
from tkid.mail.blocks import Blocks, Paragraph
from tkid.mail.envelope import is_address
from tkid.mail.game_service import HostedGame
from tkid.mail.letter_parts import Announcement
from tkid.mail.model import Intake, OrderLine
from tkid.mail.order_machine import Request
from tkid.mail.quotation import OwnLetter
from tkid.notation.names import Unknown, Vocabulary, list_names
from tkid.notation.plugin import WrongError
from tkid.notation.text import make_plain
from tkid.orders.forms import FormReader, Needs, OrderRow, Part, SlotType, list_line_end, list_word_ends
from tkid.orders.order_reader import ReadOrder
from tkid.orders.order_values import NEVER, Order
from tkid.rulebook import cites

WAYS: Mapping[str, Mapping[str, str]] = tomllib.loads(files(__package__).joinpath("ways.toml").read_text("utf-8"))
"""How an order is given by `mail`, and at the `terminal`."""


@frozen
class Ways:
    """The way to give orders: at the terminal of the host in `folder`, or by mail if it is ""."""

    folder: str = ""

    @property
    def by_mail(self) -> bool:
        return not self.folder

    def explain(self, kind: str, game: str = "GAME", number: int | str = "NUMBER") -> str:
        """Say how to give an order of a kind about a game or a filed mail, as the end of a sentence."""
        if self.by_mail:
            return WAYS[kind]["mail"].format(game=game, number=number)
        return WAYS[kind]["terminal"].format(folder=quote(self.folder), game=quote(game), number=number)


BY_MAIL = Ways()


MAX_LISTED = 12
"""Maximum number of games that are named if none has the typed name."""


@cites("club.desk.game")
def report_unknown_game(typed: str, games: Sequence[str]) -> Problem:
    word = typed.split(maxsplit=1)[0].rstrip(":,") if typed.strip() else ""
    found = Vocabulary(dict.fromkeys(games), {}).find(word) if word else ""
    hint = f"Did you mean {found}?" if isinstance(found, str) else found.make_hint()
    if not (word and hint):
        more = f" There are {len(games)} in all." if len(games) > MAX_LISTED else ""
        hint = f"The games are {list_names(games[:MAX_LISTED], 'and')}.{more}" if games else "There are no games yet."
    message = f"There is no game `{word}`" if word else "The name of the game is missing"
    fixes = found.list_fixes() if isinstance(found, Unknown) else ()
    return Problem(Kind.NAME, "club.desk.game", message, hint=hint, fixes=fixes)


ALL = "all"
"""Word in place of a name for all running games."""
NO_SUBJECT = frozenset({"nothing", "clock", "name"})
MAX_WORDS_IN_NAME = 8
ABOUT: Mapping[Needs, str] = {
    "nothing": "", "clock": "", "name": "<text:name>", "mail": "[mail] <number> [<reason>]",
    "game": "[<game>] [,] [<text:details>] [<reason>]", "games": "[<game:games>] [,] [<text:details>] [<reason>]",
}  # fmt: skip
"""The rest of the form of an order, by its subject."""


@frozen
class DeskOrder(Order):
    """An order of the owner: its kind, the game or ALL, what follows its name, the reason; `number` is that of a mail.

    `is_assumed` says that the game was not named, and is the only one. `ways` is how its sender writes other orders.
    """

    kind: str
    game: str = ""
    text: str = ""
    reason: str = ""
    number: int = 0
    is_assumed: bool = False
    ways: Ways = BY_MAIL

    def explain(self, kind: str) -> str:
        """Say how the owner gives another order about the game, as the end of a sentence."""
        return f"{self.ways.explain(kind, self.game)}."

    @property
    def line(self) -> str:
        about = str(self.number) if self.number else self.game
        words = " ".join(filter(None, (self.kind, about, self.text)))
        return f"{words}: {self.reason}" if self.reason else words

    @property
    @cites("club.desk.confirm")
    def is_explained(self) -> bool:
        """True if it names its game and has a reason: a grave order is confirmed otherwise."""
        return bool(self.reason) and not self.is_assumed


def _make_row(name: str, form: str, text: str, needs: Needs = "game", *, words: str = "", **columns: Any) -> OrderRow:
    """Return the row of orders that begin with `words`, or with their name."""
    forms: dict[str, Any] = {f"{words or name} {ABOUT[needs]}": partial(DeskOrder, name)}
    if name in {"games", "filed"}:
        forms[f"{name} {ALL}"] = DeskOrder(name, ALL)
    columns |= {"more": "`filed` lists the mails with their numbers."} if needs == "mail" else {}
    return OrderRow(name, forms, form, text, who="owner", answers="any", needs=needs, signs=NEVER, **columns)


TABLE = (
    _make_row("desk", "`desk`", "get this list", "nothing", is_harmless=True),
    _make_row("games", "`games` or `games all`", "list the games, or finished games too", "nothing"),
    _make_row("status", "`status winter`", "see one game: whose turn, until when, the last turns, letters that came back"),
    _make_row("filed", "`filed` or `filed all`", "list the filed mails without an answer, with the reasons; or all of them", "nothing"),
    _make_row("show", "`show 12`", "read filed mail 12", "mail"),
    _make_row("process", "`process 12: REASON`", "carry out filed mail 12 after all", "mail"),
    _make_row("pause", "`pause winter: REASON` or `pause all: REASON`", "stop the clock until you resume the game", "games", done="paused"),
    _make_row("resume", "`resume winter` or `resume all`", "end a pause, or continue an adjourned game", "games", done="resumed"),
    _make_row("extend", "`extend winter Ann 2 days: REASON`", "give a player more time for the current turn", done="time added"),
    _make_row("deadline", "`deadline winter Ann 2026-12-20T18:00Z: REASON`", "set the time by which a player has to answer", done="deadline set"),
    _make_row(
        "take back", "`take back winter from turn 12: REASON`", "take back a turn and all later ones",
        words="(take back|take-back)", done="taken back", is_grave=True,
    ),
    _make_row("abort", "`abort winter: REASON`", "end a game without a result", done="ended", is_grave=True),
    _make_row(
        "replace", "`replace winter Ann by Cal <cal@example.org>: REASON`", "give a seat to somebody else; `by bot Merlin` gives it to the bot",
        words="(replace|stand-in)", done="seat given to somebody else",
    ),
    _make_row("back", "`back winter Ann`", "give a seat back to its player", done="player is back"),
    _make_row("address", "`address winter Ann ann@new.example: REASON`", "change a player's address", done="address changed"),
    _make_row("announce", "`announce winter: TEXT` or `announce all: TEXT`", "write to all players of a game, or of all games", "games", done="announced"),
    _make_row("offer", "`offer winter Ann: REASON`", "offer a player's seat to somebody else", done="seat offered"),
    _make_row("import", "`import NAME`", "continue the game in the game file that you attach", "name", done="imported"),
    _make_row("confirm clock", "`confirm clock`", "confirm that the machine's clock is right", "clock"),
)  # fmt: skip
KINDS = {kind.name: kind for kind in TABLE}
_REASON = re.compile(r"\s*:(?:\s+|$)")
LONGEST_REASON = 400
"""Characters of a reason, which is written into the record."""
MEMBERS = re.compile(r"pause until\b|status$|offer (?:the )?seat\b|address \S+@\S+$", re.IGNORECASE)
"""Lines that are orders of members, unless a game has the name that they seem to give."""


@lru_cache(maxsize=4)
def build_desk_reader(games: tuple[str, ...]) -> FormReader:
    known = {_fold_name(game): game for game in reversed(games)}

    def list_ends(text: str, begin: int) -> Iterator[int]:
        """Yield the end of the longest name of a game, or that of the first word."""
        ends = [end for end in list_word_ends(text, begin) if text[begin] != ":"][:MAX_WORDS_IN_NAME]
        yield from [end for end in reversed(ends) if _fold_name(text[begin:end]) in known][:1] or ends[:1]

    @cites("club.desk.game")
    def read_game(part: Part, *, every: bool = False) -> str:
        name = _fold_name(part.text)
        if name not in known and not (every and name == ALL):
            problem = report_unknown_game(part.text, games)
            raise WrongError(evolve(problem, col=part.column + 1, length=len(part.text)))
        return known.get(name, ALL)

    types = {
        "game": SlotType(read=read_game, ends=list_ends),
        "games": SlotType(read=partial(read_game, every=True), ends=list_ends),
        "details": SlotType(re.compile(r"[^:\s].*"), lambda part: " ".join(part.text.split()).strip(" .")),
        "reason": SlotType(re.compile(r":(?:\s.*)?"), lambda part: split_reason(part.text)[1], ends=list_line_end),
        "number": SlotType(re.compile(r"[^:\s].*"), _read_number, "The number of the mail is missing"),
        "name": SlotType(read=lambda part: part.text.strip(" .")),
    }
    return FormReader(TABLE, types, "club.desk.order")


def _fold_name(name: str) -> str:
    return " ".join(make_plain(name).split()).casefold()


def _read_number(part: Part) -> int:
    number = re.fullmatch(r"(?:no\.?\s*|#)?([0-9]{1,12})", part.text, re.IGNORECASE)
    if number is None:
        raise part.make_error(f"`{part.text}` is not the number of a mail")
    return int(number[1])


@cites("club.desk.order")
def read_desk_line(line: str, games: Sequence[str]) -> ReadOrder | None:
    """Read an order of the desk, or its problem; return None if the line is no order. `games` has running ones first."""
    text, reader = make_plain(line).rstrip(), build_desk_reader(tuple(games))
    read = reader.read_line(text)
    if read is None or (read.order is None and (read.row.needs in NO_SUBJECT or not read.is_begun(text))):
        slip = reader.find_slip(text, [row for row in TABLE if row.needs != "name"])
        return ReadOrder(None, slip.problems, slip.row.name) if slip else None
    kind, order = read.row.name, read.order
    if order is not None and (order.game or read.row.needs not in {"game", "games"}):
        return ReadOrder(order, (), kind)
    if order is not None and read.row.is_grave and not order.text and len(games) == 1:
        return ReadOrder(evolve(order, game=games[0], is_assumed=True), (), kind)
    if MEMBERS.match(" ".join(text.split())):
        return None
    missing = locate_problem_behind(report_unknown_game("", games), split_reason(text)[0])
    return ReadOrder(None, read.problems[:1] or (missing,), kind)


def split_reason(text: str) -> tuple[str, str]:
    """Split a text at the first colon that ends a word, and return the part before it and the reason, on one line."""
    parts = _REASON.split(text, maxsplit=1)
    return parts[0].strip(), " ".join(parts[1].split())[:LONGEST_REASON] if len(parts) > 1 else ""


RECORD_RULE = "club.desk.record"
NEW_PLAYER = re.compile(
    r"(?:is\s+played\s+)?by\s+(?:(?P<bot>bot)\s+)?(?P<name>[^<>]+?)\s*(?:<(?P<address>[^<>\s]+)>)?", re.IGNORECASE
)
NEW = re.compile(r"(?:is\s+played\s+)?by\b\s*", re.IGNORECASE)
"""The words that announce a new player."""


def announce_change(
    request: Request[DeskOrder], game: HostedGame, text: str, subject: str, what_now: str = "", *, tells: bool = False
) -> Announcement:
    """Return the announcement to all players: the change, its reason, and its consequences."""
    reason = request.order.reason
    more: Blocks = (Paragraph(f"Why: {reason}"),) if reason else ()
    more += (Paragraph(what_now),) if what_now else ()
    return Announcement(tuple(game.seats), text, tells=tells, rule=RECORD_RULE, subject=subject, more=more)


def read_newcomer(order: DeskOrder, rest: str) -> tuple[str, str, bool]:
    """Read the name and address of a new player, and whether it is the bot. Raises WrongError."""
    form, typed = f"To name a new player, {order.explain('replace')}", NEW.sub("", rest)
    match = NEW_PLAYER.fullmatch(rest)
    if match is None:
        wrong = f"`{typed}` does not name a new player" if typed else "The new player is missing"
        raise report_malformed(wrong, form, order, typed)
    name, address, bot = " ".join(match["name"].split()), match["address"] or "", bool(match["bot"])
    if bot and address:
        raise report_malformed(f"The bot has no address, and {name} has {address}", form, order, address)
    if not (bot or is_address(address)):
        wrong = f"`{address}` is not an address" if address else f"{name} needs an address"
        raise report_malformed(wrong, form, order, address or name)
    return name, address, bot


def report_malformed(
    message: str, hint: str, order: DeskOrder, typed: str = "", rule: str = "club.desk.order"
) -> WrongError:
    """Return the error to raise for the text behind the game's name; for its missing end, if that is empty."""
    column = order.text.rfind(typed) if typed else len(order.text)
    return Part(typed, max(0, column), rule).make_error(message, hint)


def refuse_now(message: str, hint: str, typed: str = "", rule: str = "club.desk.order") -> WrongError:
    """Return the error to raise for an order that is impossible in the present state; `typed` is the fault, at the beginning."""
    return Part(typed, 0, rule).make_error(message, hint, Kind.ILLEGAL)


MOST_LINES = 40
"""Own lines that are looked at."""
FOR_THE_CLUB = Problem(
    Kind.ILLEGAL,
    "club.desk.order",
    "This is an order to the club, and the other lines are for the desk",
    hint="Send it in a mail of its own.",
)


@cites("mail.own-lines")
def find_desk_lines(mail: Intake, games: Sequence[str], letters: Sequence[OwnLetter] = ()) -> list[OrderLine]:
    """Find the orders in a mail to the desk among its sender's own lines, down to a signature, a quotation or a letter of ours."""
    readings = ClubReadings(read_line=partial(read_desk_line, games=tuple(games)))
    return list_desk_lines((line.text for line in list_own_lines(mail, letters, readings, MOST_LINES)), games)


def list_desk_lines(texts: Iterable[str], games: Sequence[str]) -> list[OrderLine]:
    """List the orders for the desk, and why others are not carried out; none if no line is for the desk."""
    found, reads = [], [(text.strip(), read_desk_line(text.strip(), games)) for text in texts if text.strip()]
    for line, read in reads if any(read is not None for _, read in reads) else ():
        if read is not None:
            found.append(OrderLine(line, read))
        elif (other := read_club_line(line)) is not None:
            problems = other.problems or (locate_problem(FOR_THE_CLUB, line),)
            found.append(OrderLine(line, ReadOrder(None, problems, other.kind)))
    return found
