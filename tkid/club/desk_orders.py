"""The table and the reader of the owner's orders.

A line is the order's words, the name of a game or `all`, what the order needs besides, and after a colon the reason:
`extend winter Ann 2 days: she is ill`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from shlex import quote
from types import MappingProxyType
from typing import Literal

from attrs import frozen

from tkid.club.order_reader import locate_problem, locate_problem_behind
from tkid.club.values import Bots
from tkid.kernel.problems import Kind, Problem
from tkid.mail.blocks import Blocks, Paragraph
from tkid.mail.envelope import is_address
from tkid.mail.game_service import HostedGame
from tkid.mail.letter_parts import Announcement
from tkid.mail.marker import is_our_line
from tkid.mail.model import Intake
from tkid.mail.order_finder import SIGNATURES
from tkid.mail.quotation import OwnLetter, OwnLines, is_marked, is_quotation_start, strip_line
from tkid.notation.names import Vocabulary, list_names
from tkid.notation.text import make_plain
from tkid.orders.forms import LIKE, is_single_slip
from tkid.rulebook import cites

MAIL: Mapping[str, str] = MappingProxyType(
    {
        "status": "reply `status {game}`",
        "filed": "reply `filed`",
        "filed all": "reply `filed all`",
        "show": "reply `show {number}`",
        "process": "reply `process {number}`",
        "resume": "write `resume {game}`",
        "take back": "write `take back {game} from turn 12: REASON`",
        "replace": "write `replace {game} PLAYER by NAME <ADDRESS>`; for the bot, `replace {game} PLAYER by bot NAME`",
        "announce": "write `announce {game}: TEXT`",
    }
)
TERMINAL: Mapping[str, str] = MappingProxyType(
    {
        "status": "run `tkid host status {folder} {game}`",
        "filed": "run `tkid host filed {folder}`",
        "filed all": "run `tkid host filed {folder} --all`",
        "show": "run `tkid host show {folder} {number}`",
        "process": "run `tkid host process {folder} {number}`",
        "resume": "run `tkid host resume {folder} {game}`",
        "take back": "run `tkid host take-back {folder} {game} 12 --reason REASON`",
        "replace": "run `tkid host stand-in {folder} {game} PLAYER 'NAME <ADDRESS>'`; for the bot, `tkid host stand-in {folder} {game} PLAYER NAME --bot`",
        "announce": "run `tkid host announce {folder} {game} TEXT`",
    }
)


@frozen
class Ways:
    """The way to give orders: at the terminal of the host in `folder`, or by mail if it is ""."""

    folder: str = ""

    @property
    def by_mail(self) -> bool:
        """True if they come by mail."""
        return not self.folder

    def explain(self, kind: str, game: str = "GAME", number: int | str = "NUMBER") -> str:
        """Say how to give an order of a kind about a game or a filed mail, as the end of a sentence."""
        if self.by_mail:
            return MAIL[kind].format(game=game, number=number)
        return TERMINAL[kind].format(folder=quote(self.folder), game=quote(game), number=number)


BY_MAIL = Ways()


MAX_LISTED = 12
"""Maximum number of games that are named if none has the typed name."""


def find_game_in(text: str, games: Sequence[str]) -> tuple[str, str] | None:
    """Return the game whose name a text begins with, the longest that fits, and the rest: a colon is kept."""
    text = " ".join(make_plain(text).split())
    for game in sorted(games, key=len, reverse=True):
        name = " ".join(make_plain(game).split())
        rest = text[len(name) :]
        if name and text[: len(name)].casefold() == name.casefold() and rest[:1] in {"", " ", ",", ":", "."}:
            return game, rest.lstrip(" ,")
    return None


@cites("club.desk.game")
def report_unknown_game(typed: str, games: Sequence[str]) -> Problem:
    """Return the problem with a name that no game has."""
    word = typed.split(maxsplit=1)[0].rstrip(":,") if typed.strip() else ""
    found = Vocabulary(dict.fromkeys(games), {}).find(word) if word else ""
    hint = f"Did you mean {found}?" if isinstance(found, str) else found.make_hint()
    if not (word and hint):
        more = f" There are {len(games)} in all." if len(games) > MAX_LISTED else ""
        hint = f"The games are {list_names(games[:MAX_LISTED], 'and')}.{more}" if games else "There are no games yet."
    message = f"There is no game `{word}`" if word else "The name of the game is missing"
    return Problem(Kind.NAME, "club.desk.game", message, hint=hint)


ALL = "all"
"""Word in place of a name for all running games."""
Needs = Literal["nothing", "game", "games", "mail", "clock", "name"]
"""The subject of an order: nothing in particular, one game, one game or all, a filed mail, the host's clock, a new name."""


@frozen
class DeskKind:
    """A kind of order: its name, the words that it begins with, how it is written, what it does, what is said when it is done.

    `grave` orders cannot be taken back: without a name and a reason they are confirmed first.
    """

    name: str
    words: tuple[str, ...]
    form: str
    help: str
    needs: Needs = "game"
    done: str = ""
    grave: bool = False


@frozen
class DeskOrder:
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

    @property
    def line(self) -> str:
        """The order as a line."""
        about = str(self.number) if self.number else self.game
        words = " ".join(filter(None, (KINDS[self.kind].words[0], about, self.text)))
        return f"{words}: {self.reason}" if self.reason else words

    @property
    @cites("club.desk.confirm")
    def is_doubtful(self) -> bool:
        """True if it is confirmed before it is carried out."""
        return KINDS[self.kind].grave and (self.is_assumed or not self.reason)


TABLE = (
    DeskKind("desk", ("desk",), "`desk`", "sends you this list", "nothing"),
    DeskKind("games", ("games", "games all"), "`games` or `games all`", "lists the games, with those that are over", "nothing"),
    DeskKind("status", ("status",), "`status winter`", "shows one game: whose turn, until when, the last turns, letters that came back"),
    DeskKind("filed", ("filed", "filed all"), "`filed` or `filed all`", "lists the filed mails that nobody has answered, with the reasons; or all of them", "nothing"),
    DeskKind("show", ("show", "show mail"), "`show 12`", "shows filed mail 12", "mail"),
    DeskKind("process", ("process", "process mail"), "`process 12: REASON`", "carries out filed mail 12 after all", "mail"),
    DeskKind("pause", ("pause",), "`pause winter: REASON` or `pause all: REASON`", "stops the clock until you resume the game", "games", done="paused"),
    DeskKind("resume", ("resume",), "`resume winter` or `resume all`", "ends a pause, or goes on with an adjourned game", "games", done="resumed"),
    DeskKind("extend", ("extend",), "`extend winter Ann 2 days: REASON`", "gives a player more time for the current turn", done="time added"),
    DeskKind("deadline", ("deadline",), "`deadline winter Ann 2026-12-20T18:00Z: REASON`", "sets the time by which a player has to answer", done="deadline set"),
    DeskKind("take back", ("take back", "take-back"), "`take back winter from turn 12: REASON`", "takes back a turn and all later ones", done="taken back", grave=True),
    DeskKind("abort", ("abort",), "`abort winter: REASON`", "ends a game without a result", done="ended", grave=True),
    DeskKind("replace", ("replace", "stand-in"), "`replace winter Ann by Cal <cal@example.org>: REASON`", "gives a seat to somebody else; `by bot Merlin` gives it to the bot", done="seat given to somebody else"),
    DeskKind("back", ("back",), "`back winter Ann`", "gives a seat back to its player", done="player is back"),
    DeskKind("address", ("address",), "`address winter Ann ann@new.example: REASON`", "changes a player's address", done="address changed"),
    DeskKind("announce", ("announce",), "`announce winter: TEXT` or `announce all: TEXT`", "writes to all players of a game, or of all games", "games", done="announced"),
    DeskKind("offer", ("offer",), "`offer winter Ann: REASON`", "offers a player's seat to somebody else", done="seat offered"),
    DeskKind("import", ("import",), "`import NAME`", "goes on with the game in the game file that you attach", "name", done="imported"),
    DeskKind("confirm clock", ("confirm clock",), "`confirm clock`", "says that the machine's clock is right", "clock"),
)  # fmt: skip
KINDS = {kind.name: kind for kind in TABLE}
"""The kinds by name."""
_WORDS = sorted(((word, kind) for kind in TABLE for word in kind.words), key=lambda each: -len(each[0]))
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_REASON = re.compile(r"\s*:(?:\s+|$)")
_NUMBER = re.compile(r"(?:no\.?\s*|#)?(?P<number>[0-9]{1,12})", re.IGNORECASE)
LONGEST_REASON = 400
"""Characters of a reason, which is written into the record."""


@cites("club.desk.order")
def read_desk_line(line: str, games: Sequence[str]) -> DeskOrder | Problem | None:
    """Read an order of the desk in a line.

    Return a problem if the order cannot be carried out, and None if the line is no order of the desk.

    Args:
        line: the line.
        games: all games, running ones first.
    """
    text = " ".join(make_plain(line).split()).rstrip()
    word, kind = next(
        ((word, kind) for word, kind in _WORDS if _is_beginning(text, word)), ("", None)
    )  # the longest first
    if kind is None:
        return _report_slip(text, line, games)
    rest = text[len(word) :]
    rest = rest.lstrip(" ") if not rest.startswith(":") else rest
    found = _read_rest_of_order(kind, text, rest, games)
    return _place_rest(found, kind, line, rest, len(word)) if isinstance(found, Problem) else found


def _read_rest_of_order(kind: DeskKind, text: str, rest: str, games: Sequence[str]) -> DeskOrder | Problem | None:
    match kind.needs:
        case "nothing" | "clock":
            every = text.casefold().rstrip(" .").endswith(f" {ALL}")
            return DeskOrder(kind.name, ALL if every else "") if not rest.strip(" .") else None
        case "name":
            return DeskOrder(kind.name, text=rest.strip(" .")) if rest.strip(" .") else None
        case "mail":
            return _read_about_mail(kind, rest)
        case "game" | "games":
            return _read_about_game(kind, rest, games)


def _place_rest(problem: Problem, kind: DeskKind, line: str, rest: str, after: int) -> Problem:
    what, _ = split_reason(rest)
    typed = what if kind.needs == "mail" else what.partition(" ")[0].rstrip(",")
    return (
        locate_problem(problem, line, typed, after=after)
        if typed
        else locate_problem_behind(problem, split_reason(line)[0])
    )


def _report_slip(text: str, line: str, games: Sequence[str]) -> Problem | None:
    """Report slips in the first words of an order; return None for any other line."""
    for word, kind in _WORDS:
        names = word.split()
        typed = list(_WORD.finditer(text))[: len(names)]
        wrong = [each[0] for each, name in zip(typed, names, strict=False) if each[0].casefold() != name]
        near = [
            is_single_slip(each[0].casefold(), name)
            for each, name in zip(typed, names, strict=False)
            if each[0] in wrong
        ]
        if len(typed) < len(names) or typed[0].start() or not wrong or not all(near):
            continue
        rest = text[typed[-1].end() :]
        mended = f"{word}{rest}"
        if _is_meant(kind, read_desk_line(mended, games), rest, games):
            message = f"No order of the desk begins with `{text[: typed[-1].end()]}`"
            problem = Problem(Kind.NAME, "club.desk.order", message, hint=f"Did you mean `{mended}`?")
            return locate_problem(problem, line, wrong[0])
    return None


def _is_meant(kind: DeskKind, read_order: DeskOrder | Problem | None, rest: str, games: Sequence[str]) -> bool:
    what, reason = split_reason(rest)
    if kind.needs == "name":
        return False
    if isinstance(read_order, Problem):
        return bool(reason and what) and bool(get_close_matches(what.split()[0], games, 1, LIKE))
    return read_order is not None


def _is_beginning(text: str, word: str) -> bool:
    return text[: len(word)].casefold() == word and text[len(word) :][:1] in {"", " ", ":", "."}


def _read_about_mail(kind: DeskKind, rest: str) -> DeskOrder | Problem:
    what, reason = split_reason(rest)
    number = _NUMBER.fullmatch(what.strip(" ."))
    if number is None:
        message = (
            f"`{what.strip()}` is not the number of a mail" if what.strip() else "The number of the mail is missing"
        )
        hint = f"Write {kind.form}. `filed` lists the mails with their numbers."
        return Problem(Kind.SYNTAX, "club.desk.order", message, hint=hint)
    return DeskOrder(kind.name, reason=reason, number=int(number["number"]))


@cites("club.desk.game")
def _read_about_game(kind: DeskKind, rest: str, games: Sequence[str]) -> DeskOrder | Problem | None:
    if found := find_game_in(rest, games):
        game, rest = found
        what, reason = split_reason(rest)
        return DeskOrder(kind.name, game, what.strip(" ."), reason)
    what, reason = split_reason(rest)
    word = what.split(maxsplit=1)[0].casefold() if what.split() else ""
    if word == ALL and kind.needs == "games":
        return DeskOrder(kind.name, ALL, what.partition(" ")[2].strip(" ."), reason)
    if kind.grave and not what and len(games) == 1:
        return DeskOrder(kind.name, games[0], reason=reason, is_assumed=True)
    if _is_member_order(kind, what):
        return None
    return report_unknown_game(what, games)


def _is_member_order(kind: DeskKind, what: str) -> bool:
    words = what.split()
    members = {
        "pause": words[:1] == ["until"],
        "address": len(words) == 1 and "@" in what,
        "status": not words,
        "offer": words[:1] in (["seat"], ["the"]),
    }
    return members.get(kind.name, False)


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


@frozen
class Request:
    """An intervention: the game, the order, when it is done, and which bots the club allows."""

    game: HostedGame
    order: DeskOrder
    now: datetime
    bots: Bots = "random"

    @property
    def text(self) -> str:
        """The text behind the name of the game."""
        return self.order.text

    @property
    def reason(self) -> str:
        """The reason for it."""
        return self.order.reason

    def explain_order(self, kind: str) -> str:
        """Say how the owner gives another order about the game, as the end of a sentence."""
        return f"{self.order.ways.explain(kind, self.order.game)}."

    @property
    def moment(self) -> datetime:
        """The moment of it, as the record writes it."""
        return self.game.round_moment(self.now)

    @property
    def everybody(self) -> tuple[int, ...]:
        """All seats."""
        return tuple(self.game.seats)

    def announce_change(self, text: str, subject: str, what_now: str = "", *, tells: bool = False) -> Announcement:
        """Return the announcement to all players: the change, its reason, and its consequences."""
        more: Blocks = (Paragraph(f"Why: {self.reason}"),) if self.reason else ()
        more += (Paragraph(what_now),) if what_now else ()
        return Announcement(self.everybody, text, tells=tells, rule=RECORD_RULE, subject=subject, more=more)


def read_newcomer(request: Request, rest: str) -> tuple[str, str, bool] | Problem:
    """Read the name and address of a new player, and whether it is the bot; or the problem with them."""
    form, typed = f"To name a new player, {request.explain_order('replace')}", NEW.sub("", rest)
    match = NEW_PLAYER.fullmatch(rest)
    if match is None:
        wrong = f"`{typed}` does not name a new player" if typed else "The new player is missing"
        return report_malformed(wrong, form, request, typed)
    name, address, bot = " ".join(match["name"].split()), match["address"] or "", bool(match["bot"])
    if bot and address:
        return report_malformed(f"The bot has no address, and {name} has {address}", form, request, address)
    if not (bot or is_address(address)):
        wrong = f"`{address}` is not an address" if address else f"{name} needs an address"
        return report_malformed(wrong, form, request, address or name)
    return name, address, bot


def to_go_on(request: Request) -> str:
    """The way out where a game is paused or adjourned."""
    return f"To go on, {request.explain_order('resume')}"


def report_malformed(message: str, hint: str, request: Request, typed: str = "") -> Problem:
    """Return the problem with the text behind the game's name; with its missing end, if that is empty."""
    column = request.text.rfind(typed) if typed else len(request.text)
    return Problem(
        Kind.SYNTAX, "club.desk.order", message, col=max(0, column) + 1, length=max(1, len(typed)), hint=hint
    )


def refuse_now(message: str, hint: str, typed: str = "") -> Problem:
    """Return the problem with an order that is impossible in the present state; `typed` is the fault, at the beginning."""
    return Problem(Kind.ILLEGAL, "club.desk.order", message, length=max(1, len(typed)), hint=hint)


MOST_LINES = 40
"""Own lines that are looked at."""
MOST_COMPARED = 5000
"""Lines that are compared with our letters."""


@frozen
class DeskReadings:
    """The reader that tells orders of the desk from other lines, for the comparison with our letters."""

    games: tuple[str, ...]

    def is_independent(self, text: str) -> bool:
        """Return True if a line is an order without the lines above it."""
        return isinstance(read_desk_line(text, self.games), DeskOrder)

    def is_order_like(self, line: str) -> bool:
        """Return True if a line is an order, or was meant as one."""
        return read_desk_line(strip_line(line), self.games) is not None


@cites("mail.own-lines")
def find_own_lines(mail: Intake, games: Sequence[str], letters: Sequence[OwnLetter] = ()) -> list[str]:
    """Return the sender's own lines, down to a signature, a quotation or a letter of ours; at most 40."""
    lines = list(mail.lines[:MOST_COMPARED])
    if letters:
        compared = OwnLines(lines, letters, DeskReadings(tuple(games)))
        lines = compared.lines[: compared.find_beginning()]
    own: list[str] = []
    for index, line in enumerate(lines):
        if (
            is_our_line(line.text)
            or is_quotation_start(lines, index)
            or line.text in SIGNATURES
            or len(own) == MOST_LINES
        ):
            break
        if not (line.quoted or is_marked(line.text)) and line.text.strip():
            own.append(line.text.strip())
    return own
