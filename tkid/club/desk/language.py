"""What the owner of a host may order, at the command line or by mail: one table, and the reader of a line. Pure.

A line is the order's words, the name of a game or `all`, what the order needs besides, and after a colon the reason:
`extend winter Ann 2 days: she is ill`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Literal

from attrs import frozen

from tkid.club.desk.names import game_in, no_game
from tkid.club.desk.ways import BY_MAIL, Ways
from tkid.club.places import behind, under
from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import plain
from tkid.orders.thresholds import LIKE, is_slip
from tkid.rulebook import cites

ALL = "all"
"""What is written in place of a name for all games that go on."""
Needs = Literal["nothing", "game", "games", "mail", "clock", "name"]
"""What an order is about: nothing in particular, one game, one game or all, a filed mail, the host's clock, a new name."""


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
        """Whether it is confirmed before it is carried out."""
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
def read(line: str, games: Sequence[str]) -> DeskOrder | Problem | None:
    """What a line asks for; a problem where it is an order that cannot be carried out; None where it is no order of the desk.

    Args:
        line: the line.
        games: the games that there are, those that go on first.
    """
    text = " ".join(plain(line).split()).rstrip()
    word, kind = next(((word, kind) for word, kind in _WORDS if _begins(text, word)), ("", None))  # the longest first
    if kind is None:
        return _slip(text, line, games)
    rest = text[len(word) :]
    rest = rest.lstrip(" ") if not rest.startswith(":") else rest
    found = _read_rest(kind, text, rest, games)
    return _placed(found, kind, line, rest, len(word)) if isinstance(found, Problem) else found


def _read_rest(kind: DeskKind, text: str, rest: str, games: Sequence[str]) -> DeskOrder | Problem | None:
    """What an order of a kind asks for, by the `rest` of its `text`."""
    match kind.needs:
        case "nothing" | "clock":
            every = text.casefold().rstrip(" .").endswith(f" {ALL}")
            return DeskOrder(kind.name, ALL if every else "") if not rest.strip(" .") else None
        case "name":
            return DeskOrder(kind.name, text=rest.strip(" .")) if rest.strip(" .") else None
        case "mail":
            return _about_mail(kind, rest)
        case "game" | "games":
            return _about_game(kind, rest, games)


def _placed(problem: Problem, kind: DeskKind, line: str, rest: str, after: int) -> Problem:
    """What is wrong behind the words of an order, with its place in the line."""
    what, _ = split_reason(rest)
    typed = what if kind.needs == "mail" else what.partition(" ")[0].rstrip(",")
    return under(problem, line, typed, after=after) if typed else behind(problem, split_reason(line)[0])


def _slip(text: str, line: str, games: Sequence[str]) -> Problem | None:
    """The problem with a line that is an order but for slips in its first words; None for any other line."""
    for word, kind in _WORDS:
        names = word.split()
        typed = list(_WORD.finditer(text))[: len(names)]
        wrong = [each[0] for each, name in zip(typed, names, strict=False) if each[0].casefold() != name]
        near = [is_slip(each[0].casefold(), name) for each, name in zip(typed, names, strict=False) if each[0] in wrong]
        if len(typed) < len(names) or typed[0].start() or not wrong or not all(near):
            continue
        rest = text[typed[-1].end() :]
        mended = f"{word}{rest}"
        if _is_meant(kind, read(mended, games), rest, games):
            message = f"No order of the desk begins with `{text[: typed[-1].end()]}`"
            problem = Problem(Kind.NAME, "club.desk.order", message, hint=f"Did you mean `{mended}`?")
            return under(problem, line, wrong[0])
    return None


def _is_meant(kind: DeskKind, read_order: DeskOrder | Problem | None, rest: str, games: Sequence[str]) -> bool:
    """Whether a line was meant as an order of a kind that it is when the slips in its first words are mended."""
    what, reason = split_reason(rest)
    if kind.needs == "name":
        return False
    if isinstance(read_order, Problem):
        return bool(reason and what) and bool(get_close_matches(what.split()[0], games, 1, LIKE))
    return read_order is not None


def _begins(text: str, word: str) -> bool:
    return text[: len(word)].casefold() == word and text[len(word) :][:1] in {"", " ", ":", "."}


def _about_mail(kind: DeskKind, rest: str) -> DeskOrder | Problem:
    """An order about a filed mail, by its number."""
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
def _about_game(kind: DeskKind, rest: str, games: Sequence[str]) -> DeskOrder | Problem | None:
    """An order about a game, or about all of them."""
    if found := game_in(rest, games):
        game, rest = found
        what, reason = split_reason(rest)
        return DeskOrder(kind.name, game, what.strip(" ."), reason)
    what, reason = split_reason(rest)
    word = what.split(maxsplit=1)[0].casefold() if what.split() else ""
    if word == ALL and kind.needs == "games":
        return DeskOrder(kind.name, ALL, what.partition(" ")[2].strip(" ."), reason)
    if kind.grave and not what and len(games) == 1:
        return DeskOrder(kind.name, games[0], reason=reason, is_assumed=True)
    if _belongs_elsewhere(kind, what):
        return None
    return no_game(what, games)


def _belongs_elsewhere(kind: DeskKind, what: str) -> bool:
    """Whether a line is an order that any member may give: `pause until DATE`, `address NEW`, `status`."""
    words = what.split()
    members = {
        "pause": words[:1] == ["until"],
        "address": len(words) == 1 and "@" in what,
        "status": not words,
        "offer": words[:1] in (["seat"], ["the"]),
    }
    return members.get(kind.name, False)


def split_reason(text: str) -> tuple[str, str]:
    """What stands before the first colon that ends a word, and the reason after it, on one line."""
    parts = _REASON.split(text, maxsplit=1)
    return parts[0].strip(), " ".join(parts[1].split())[:LONGEST_REASON] if len(parts) > 1 else ""
