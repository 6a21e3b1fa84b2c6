"""A record in memory: headers, seats, turns, outcomes; rules for players' names; lines of a file.

`Value` is the chance to win after a turn. With two parties one number is enough; with more each party has one, a team under
the name of its first seat. A certain value is written as `value: Ann wins, proven` or `value: drawn, proven`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from attrs import evolve, field, frozen

from tkid.files import MAX_GAME_FILE
from tkid.kernel.game import AnyGame, Parties, Position, Table
from tkid.kernel.pickling import Portable
from tkid.kernel.problems import Fix, Kind, Problem, Scope
from tkid.kernel.values import quick_frozen
from tkid.notation.names import Vocabulary, list_names, look_alike
from tkid.notation.plugin import ReadTurn
from tkid.notation.text import compose_accents, fold_name, make_plain
from tkid.rulebook import cites
from tkid.rulebook.rulesets import Ruleset

FORMAT = "1"
STANDS = "stands:"
UNDONE, UNDONE_BY_HOST = "undone:", "undone by the host"
TAKEN_BACK: tuple[str, ...] = (UNDONE, UNDONE_BY_HOST)
"""What an inline comment begins with on a turn that was taken back: by everybody, or by the host."""
BEFORE_TURNS = "Turns"
"""The label under which the comments before the line `Turns` are kept."""
Comments = tuple[str, ...]
"""Whole comment lines, as they were written."""


@frozen
class Place(Portable):
    """A place in a file: line and column from 1, and length."""

    line: int = 1
    col: int = 1
    length: int = 1


@frozen
class Seat(Portable):
    """A player: name, and address if there is one."""

    name: str
    address: str = ""

    def __str__(self) -> str:
        return f"{self.name} <{self.address}>" if self.address else self.name


@frozen
class Header(Portable):
    """A line of the header, with the comments before it."""

    name: str
    value: str
    comments: Comments = ()
    line: int = 0


@quick_frozen
class Outcome(Portable):
    """A `--` line as it was written, with the comments before it."""

    text: str
    comments: Comments = ()
    line: int = 0


@quick_frozen
class Turn(Portable):
    """A turn line: number, seat, the parsed turn, the written hash, inline comments.

    `line` and `col` tell where the turn's text begins in the file (0 for a turn that comes from no file),
    `name_col` and `hash_col` where the player's name and the hash are on that line, and `note_cols` where each
    inline comment does; columns from 0.
    """

    number: int
    seat: int
    read: ReadTurn
    hash: str = ""
    notes: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    comments: Comments = ()
    line: int = 0
    col: int = 0
    name_col: int = 0
    hash_col: int = 0
    note_cols: tuple[int, ...] = ()

    @property
    @cites("record.turn.stands")
    def stands(self) -> bool:
        """True if the turn is marked as one that really stood although it broke a rule."""
        return any(note.casefold().startswith(STANDS) for note in self.notes)

    @property
    @cites("record.turn.undone", "post.undo.host")
    def undone(self) -> bool:
        return bool(self.notes) and any(note.casefold().startswith(TAKEN_BACK) for note in self.notes)

    @property
    def moves(self) -> tuple[Any, ...]:
        return self.read.moves


@frozen(repr=False)
class Record(Portable):
    """A game file.

    Either `deal` (from the set-up) or `position` (from the header of a record that begins in the middle) is
    given. `row_comments` are the comments before a line of the set-up, by its label; `places` tell where each of these
    lines stands, if they were read from a file; `end` are the comments after the last turn.
    """

    ruleset: Ruleset
    seats: tuple[Seat, ...]
    headers: tuple[Header, ...]
    readings: Mapping[str, str] = field(factory=dict)
    deal: Any = None
    position: Position | None = None
    row_comments: Mapping[str, Comments] = field(factory=dict)
    places: Mapping[str, Place] = field(factory=dict)
    turns: tuple[Turn, ...] = ()
    end: Comments = ()
    above: tuple[tuple[int, str], ...] = field(default=(), eq=False, repr=False)
    """The comment lines before the turns, each with the number of its line, as they were read from a file."""
    remark_lines: tuple[int, ...] = field(default=(), eq=False, repr=False)
    """The numbers of the lines of `remarks`, as they were read from a file."""

    @cached_property
    def game(self) -> AnyGame:
        """The game under the record's readings."""
        game: AnyGame = self.ruleset.game(self.readings)
        return game

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names in turn order."""
        return tuple(seat.name for seat in self.seats)

    @property
    def table(self) -> Table:
        """The table."""
        return self.game.seat_players(self.names)

    @property
    def title(self) -> str:
        """The game's name, "" where it has none."""
        return next((header.value for header in self.headers if header.name == "Game"), "")

    def list_remarks(self) -> Iterator[str]:
        """Yield the comment lines from the first turn on, in their order."""
        for turn in self.turns:
            yield from turn.comments
            for followed in turn.outcomes:
                yield from followed.comments
        yield from self.end

    def numbered_remarks(self) -> list[int]:
        """Return the line numbers of `remarks`; in a changed record, as if no empty lines were between them."""
        numbers, line = list[int](), 0
        rows = list[Turn | Outcome]()
        for turn in self.turns:
            rows += (turn, *turn.outcomes)
        for each in rows:
            numbers += range(each.line - len(each.comments), each.line)
            line = each.line + 1
        numbers += range(line, line + len(self.end))
        return list(self.remark_lines) if len(self.remark_lines) == len(numbers) else numbers

    @property
    def timeless(self) -> bool:
        """True if the record says nothing about time: it has no note, no comment, and no header that begins with X-."""
        noted = bool(self.above) or any(turn.notes for turn in self.turns) or any(True for _ in self.list_remarks())
        return not noted and not any(header.name.casefold().startswith("x-") for header in self.headers)

    def __repr__(self) -> str:
        turns = f"{len(self.turns)} turn{'' if len(self.turns) == 1 else 's'}"
        return f"<Record {self.title or 'without a title'}: {self.ruleset.code}, {', '.join(self.names)}, {turns}>"

    def _repr_svg_(self) -> str:
        """Draw the position after the last turn as a spectator sees it: notebooks show this."""
        return str(import_module("tkid.record.play.replay").replay(self)._repr_svg_())

    def start(self) -> Position:
        """Return the position before the first turn."""
        if self.position is not None:
            return self.position
        assert self.deal is not None
        start: Position = self.game.start(self.table, self.deal)
        return start


BOT = "X-Bot"
BY_MAIL = 300
"""Number of positions a program considers for a turn at a host, where it plays within a transaction."""
ENOUGH = 1_000_000
"""No program may look at more positions for a turn."""
PLAYERS = ("random", "greedy", "search")
"""Ways in which a program of tkid can play, the weakest first."""
ENGINE = "engine"
"""The way of playing of another program. A record never says which: who plays the game names its command."""
FORM = re.compile(r"(?P<name>.+?)\s+(?P<player>[a-z][a-z-]*)\s+(?P<thought>[0-9]{1,20})")


@frozen
class BotSeat:
    """A program at a seat: the name of the player, and how many positions it may look at for a turn.

    `command` is what runs another program, where somebody seats it. No record has it.
    """

    player: str
    thought: int
    command: str = ""


@cites("record.bot")
def find_bot_seats(record: Record) -> Mapping[int, BotSeat]:
    every = _read_bot_headers(record.headers, record.names)
    return {seat: bot for _, seat, bot in every if isinstance(bot, BotSeat)}


@cites("record.bot.form")
def find_bot_faults(headers: Sequence[Header], names: Sequence[str]) -> Iterator[tuple[Header, str]]:
    return ((header, fault) for header, _, fault in _read_bot_headers(headers, names) if isinstance(fault, str))


def _read_bot_headers(headers: Sequence[Header], names: Sequence[str]) -> Iterator[tuple[Header, int, BotSeat | str]]:
    """Yield each header that seats a program, the seat (-1 if unknown), and the program or the fault."""
    seats = {fold_name(name): seat for seat, name in enumerate(names)}
    taken: set[int] = set()
    for header in headers:
        if header.name.casefold() != BOT.casefold():
            continue
        match = FORM.fullmatch(header.value)
        if match is None:
            yield header, -1, "This does not seat a program"
            continue
        seat, thought = seats.get(fold_name(match["name"]), -1), int(match["thought"])
        if seat < 0:
            yield header, seat, f"There is no player {match['name']}"
        elif seat in taken:
            yield header, seat, f"{names[seat]} is played by a program already"
        elif match["player"] not in (ways := (*PLAYERS, ENGINE)):
            yield header, seat, f"No program plays like `{match['player']}`: there is only {list_names(ways, 'and')}"
        elif not 0 < thought <= ENOUGH:
            yield header, seat, f"No program may look at {thought:,} positions"
        else:
            taken.add(seat)
            yield header, seat, BotSeat(match["player"], thought)


def add_bots(record: Record, bots: Mapping[int, BotSeat]) -> Record:
    seats = sorted(bots.items())
    headers = [Header(BOT, f"{record.names[seat]} {bot.player} {bot.thought}") for seat, bot in seats]
    return evolve(record, headers=(*record.headers, *headers))


def describe_bots(record: Record) -> str:
    told = [f"{record.names[seat]} ({bot.player})" for seat, bot in sorted(find_bot_seats(record).items())]
    return f"Played by a program: {', '.join(told)}." if told else ""


MARK = "value:"
DRAWN = "drawn, proven"
TWO, CERTAIN = 2, 100


@frozen
class Value:
    """The share of the win that each party may expect, in the order of the game's parties; and whether that is certain."""

    shares: tuple[float, ...]
    proven: bool = False


def is_value(note: str) -> bool:
    return note.casefold().startswith(MARK)


def write_value(value: Value, names: Sequence[str], parties: Parties) -> str:
    """Write a value as an inline comment, without its braces; an estimate is never 0 % or 100 %."""
    leaders = [names[party[0]] for party in parties]
    if value.proven and max(value.shares) == 1:
        return f"{MARK} {leaders[value.shares.index(1)]} wins, proven"
    if value.proven and len(set(value.shares)) == 1:
        return f"{MARK} {DRAWN}"
    percents = [min(CERTAIN - 1, max(1, round(share * CERTAIN))) for share in value.shares]
    told = [f"{name} {percent} %" for name, percent in zip(leaders, percents, strict=True)]
    return f"{MARK} {', '.join(told[:1] if len(parties) == TWO else told)}"


def read_value(note: str, names: Sequence[str], parties: Parties) -> Value | None:
    if not is_value(note):
        return None
    text, everybody = " ".join(compose_accents(note[len(MARK) :]).split()), range(len(parties))
    if text.casefold() == DRAWN:
        return Value((1 / len(parties),) * len(parties), proven=True)
    of = {fold_name(names[seat]): party for party in everybody for seat in parties[party]}
    one = "|".join(re.escape(name) for name in sorted(map(compose_accents, names), key=len, reverse=True))
    if won := re.fullmatch(rf"({one}) wins, proven", text, re.IGNORECASE):
        return Value(tuple([float(party == of[fold_name(won[1])]) for party in everybody]), proven=True)
    share = rf"({one}) ([0-9]{{1,3}}(?:\.[0-9]+)?) ?%"
    if not re.fullmatch(rf"{share}(?:, {share})*", text, re.IGNORECASE):
        return None
    told = {of[fold_name(name)]: float(percent) / CERTAIN for name, percent in re.findall(share, text, re.IGNORECASE)}
    if len(parties) == TWO and len(told) == 1:
        ((party, first),) = told.items()
        told[1 - party] = 1 - first
    if len(told) < len(parties) or not all(0 <= each <= 1 for each in told.values()):
        return None
    return Value(tuple([told[party] for party in everybody]))


LONGEST_NAME = 32
FORBIDDEN = "<>:;{}#"
"""Characters that a name may not have."""
NAMES_REMEMBERED = 1 << 10
OTHERWISE = "Add something to the name, or choose another."


def suggest_player(typed: str, names: Sequence[str]) -> str:
    found = Vocabulary(dict.fromkeys(names), {}).find(typed)
    hint = f"Did you mean {found}?" if isinstance(found, str) else found.make_hint()
    return hint or f"The players are {list_names(names, 'and')}."


def list_meant_players(typed: str, names: Sequence[str]) -> tuple[Fix, ...]:
    found = Vocabulary(dict.fromkeys(names), {}).find(typed)
    return (Fix(found, Scope.PLACE),) if isinstance(found, str) else found.list_fixes()


def find_name_faults(name: str, others: Sequence[str], words: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Find the faults of a player's name: rule, message and hint; `words` are those that a turn begins with."""
    hint = f"A name has 1 to {LONGEST_NAME} characters, and none of `{' '.join(FORBIDDEN)}`."
    strange = [character for character in dict.fromkeys(name) if character in FORBIDDEN or not character.isprintable()]
    if not name:
        yield "record.seat.name", "The name is missing", hint
    elif strange:
        shown = [f"`{each}`" if each.isprintable() else f"character {ord(each):#x}" for each in strange]
        message = f"`{name}` cannot be a name: {list_names(shown, 'and')} may not be in it"
        address = " Write an address after the name: `Ann <ann@example.org>`." if {"<", ">"} & {*strange} else ""
        yield "record.seat.name", message, hint + address
    elif len(name) > LONGEST_NAME:
        yield "record.seat.name", f"This name has {len(name)} characters", hint
    same = next((other for other in others if fold_name(other) == fold_name(name)), None)
    if name and same is not None:
        differ = "capitals" if compose_accents(same) != compose_accents(name) else "how their accents are written"
        message = f"Two seats are called {name}" if same == name else f"{name} and {same} differ only in {differ}"
        yield "record.seat.unique", message, "Every player needs a name of their own."
    if name.isdecimal():
        yield "record.seat.like-card", f"`{name}` is a number, and would be read as a seat number", OTHERWISE
    elif meaning := _find_begun_word(name, words):
        whole = meaning.casefold() == name.casefold()
        why = "begins a turn, so it cannot be a name" if whole else f"would be read as {meaning}, which begins a turn"
        yield "record.seat.like-card", f"`{name}` {why}", OTHERWISE
    for other in others:
        short, long = sorted((other, name), key=len)
        is_longer = fold_name(long).startswith(f"{fold_name(short)} ")
        rest = compose_accents(long)[len(compose_accents(short)) :] if is_longer else ""
        if meaning := _find_begun_word(rest.strip(), words):
            message = f"`{long}` would be read as the player {short} and {meaning}"
            yield "record.seat.like-card", message, OTHERWISE


@cites("record.seat.alike")
def report_alike_names(record: Record) -> tuple[Problem, ...]:
    """Return what to say about players of an existing record whose names look alike: it is no fault of the record."""
    lines = [header.line for header in record.headers if header.name == "Seat"]
    pairs = ((seat, other) for seat in range(len(record.names)) for other in range(seat))
    found = ((seat, say_alike(record.names[other], record.names[seat])) for seat, other in pairs)
    return tuple(
        Problem(Kind.FOLLOW_ON, "record.seat.alike", reason, lines[seat] if seat < len(lines) else 0, hint=OTHERWISE)
        for seat, reason in found
        if reason
    )


def say_alike(one: str, other: str) -> str:
    if not look_alike(one, other):
        return ""
    return f"`{one}` and `{other}` look alike: nobody could tell them apart{_describe_difference(one, other)}"


@lru_cache(NAMES_REMEMBERED)
def _find_begun_word(text: str, words: tuple[str, ...]) -> str:
    return next((word for word in words if text and word.casefold().startswith(text.casefold())), "")


def _describe_difference(one: str, other: str) -> str:
    pairs = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
    odd = next((c for pair in pairs for c in pair if not c.isascii()), "")
    return f" (one has a {unicodedata.name(odd, 'strange character').lower()})" if odd else ""


GAME_FILE = b"Tkid-Record:"
LOOKED_AT = 4096
"""Bytes at the beginning of a file that tell what it is."""


class Foreign(NamedTuple):
    """A file that is not a game file: what it is, such as `a picture (PNG)`, and what to do instead."""

    what: str
    hint: str


@cache
def _read_foreign_kinds() -> tuple[list[tuple[bytes, Foreign]], list[tuple[re.Pattern[str], Foreign]]]:
    """Return the kinds of files by their first bytes, and those of texts by a pattern for their first lines."""
    import tomllib  # noqa: PLC0415 - few files are foreign

    table = tomllib.loads(Path(__file__).with_name("foreign.toml").read_text("utf-8"))
    by_bytes, by_text = (
        [(how, Foreign(what, table["hints"].get(to, to))) for how, what, to in table[kind]]
        for kind in ("bytes", "texts")
    )
    patterns = [(re.compile(how), foreign) for how, foreign in by_text]
    return [(how.encode("latin-1"), foreign) for how, foreign in by_bytes], patterns


DEALING = "`tkid letter new` continues it, and writes the game to a file that ends in .tkid."
DEAL, DRAW = Foreign("a deal", DEALING), Foreign("a draw", DEALING)
TAR = Foreign(
    "an archive (tar)",
    "Unpack it, and use the game file in it. `tkid check` also reads zip and tar archives, by their names.",
)
TAR_SIGN, TAR_AT = b"ustar", 257
MAIL = re.compile(
    r"(?:from|to|cc|date|subject|sender|received|return-path|delivered-to|message-id|mime-version|reply-to|references"
    r"|in-reply-to|content-type|content-transfer-encoding|dkim-signature|authentication-results|(?:x|arc|list)-[\w-]+)\s*:"
    r"|from \S+@|\s+\S",
    re.IGNORECASE,
)
"""A line in the header of a mail."""
MAILED = Foreign("a mail", "`tkid letter read FILE MAIL` reads the game file in it; add --begin to start a new FILE.")
FEWEST = 2
"""Lines of a header that make a text a mail."""


def find_foreign(data: bytes) -> Foreign | None:
    """Return what a file is that is plainly no game file; None where it is a game file, or nothing known."""
    start = data[:LOOKED_AT]
    if start.startswith(GAME_FILE):  # nearly always
        return None
    by_bytes, by_text = _read_foreign_kinds()
    if found := next((foreign for begins, foreign in by_bytes if start.startswith(begins)), None):
        return found
    if start[TAR_AT:].startswith(TAR_SIGN):
        return TAR
    lines = [line for line in start.decode("utf-8-sig", "replace").splitlines() if not line.startswith("#")]
    text = "\n".join(lines).lstrip()
    if found := next((foreign for begins, foreign in by_text if begins.match(text)), None):
        return found
    lines = text.splitlines()
    header = lines[: lines.index("")] if "" in lines else lines
    return MAILED if len(header) >= FEWEST and all(map(MAIL.match, header[:FEWEST])) else None


def is_game_file(data: bytes) -> bool:
    """Return True if a file is meant as a game file, although it may have mistakes or a greeting above it."""
    lines = data[:LOOKED_AT].decode("utf-8-sig", "replace").splitlines()
    return find_foreign(data) is None and any(FIRST.match(make_plain(line).strip()) for line in lines)


LONGEST_LINE = 4000
MOST_LINES = 100_000
MOST_FAULTS = 1000
"""After as many problems in one part of a file, the rest of the part is not read."""
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
ASCII_CONTROL = bytes(set(range(0x20)) - {0x09, 0x0A} | {0x7F})
"""The same within ASCII, where it is quicker to leave characters out than to look for them."""
FIRST = re.compile(r"tkid-record\s*:\s*(.*)", re.IGNORECASE)
RECORD = "tkid-record"
GREETING = 40
"""Lines that may stand above a game file, as in a mail that was saved."""


def split_lines(text: str) -> list[str]:
    """Split a text into lines, with the line ends of any system and nothing else."""
    return _normalize_line_ends(text).split("\n")


def _normalize_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def is_comment(line: str) -> bool:
    return line.startswith("# ") or line.rstrip() == "#"


def read_file_lines(data: bytes) -> tuple[list[str], tuple[Problem, ...]]:
    """Read the lines of a file; return problems if it is no text of a record. Lines above a record become comments."""
    if foreign := find_foreign(data):
        message = f"This is {foreign.what}, not a game file"
        return [], (_make_file_problem("record.first-line", message, hint=foreign.hint),)
    if len(data) > MAX_GAME_FILE:
        message = f"The file is too large. A game file has at most {MAX_GAME_FILE} bytes"
        return [], (_make_file_problem("record.size", message),)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = split_lines(data[: error.start].decode("utf-8-sig", "replace"))
        message, hint = f"Byte 0x{data[error.start]:02x} is not UTF-8", "Save the file as UTF-8."
        return [], (_make_file_problem("record.encoding", message, len(before), len(before[-1]) + 1, hint),)
    text = _normalize_line_ends(text)
    lines = text.split("\n")
    if too_large := _check_size(lines):
        return [], (too_large,)
    is_clean = text.isascii() and len(text.encode().translate(None, ASCII_CONTROL)) == len(text)
    strange = None if is_clean else CONTROL.search(text)
    if strange:
        number, col = text.count("\n", 0, strange.start()) + 1, strange.start() - text.rfind("\n", 0, strange.start())
        message = f"There is a control character here (0x{ord(strange[0]):02x})"
        return [], (_make_file_problem("record.encoding", message, number, col, "Is this a text file?"),)
    return _check_start(_mark_preamble(lines, text))


def _check_size(lines: list[str]) -> Problem | None:
    if len(lines) > MOST_LINES:
        message = f"The file has {len(lines)} lines. A game file has at most {MOST_LINES}"
        return _make_file_problem("record.size", message, MOST_LINES + 1)
    longest = max(map(len, lines))
    if longest <= LONGEST_LINE:
        return None
    message = f"This line has {longest} characters. A line has at most {LONGEST_LINE}"
    hint = "If it belongs in a game file, break it into several lines."
    number = next(number for number, line in enumerate(lines, 1) if len(line) == longest)
    return _make_file_problem("record.size", message, number, LONGEST_LINE + 1, hint)


def _mark_preamble(lines: list[str], text: str) -> list[str]:
    if text[: len(RECORD)].lower() == RECORD:
        return lines
    at = next((at for at, line in enumerate(lines[: GREETING + 1]) if FIRST.fullmatch(make_plain(line).strip())), 0)
    above = (line if is_comment(line) or not line.strip() else f"# {line.strip()}" for line in lines[:at])
    return [*above, *lines[at:]]


def _check_start(lines: list[str]) -> tuple[list[str], tuple[Problem, ...]]:
    first = next((number for number, line in enumerate(lines) if line.strip() and not is_comment(line)), None)
    found = make_plain(lines[first]).strip() if first is not None else ""
    begins = FIRST.fullmatch(found)
    if begins and begins[1] == FORMAT:
        return (lines, ()) if (second := _find_second_game(lines, (first or 0) + 1)) is None else ([], (second,))
    hint = f"The first line has to be `Tkid-Record: {FORMAT}`."
    if begins and begins[1].isdecimal():
        message = f"This game file has format {begins[1][:9]}, which this program does not know"
        hint = f"It knows format {FORMAT}."
    elif found:
        message = f"This is not a game file: it begins with `{found[:40]}`"
    elif any(line.strip() for line in lines):
        message = "There are only comments here"
    else:
        message = "The file is empty"
    return [], (_make_file_problem("record.first-line", message, (first or 0) + 1, 1, hint),)


def _find_second_game(lines: list[str], after: int) -> Problem | None:
    if f"\n{RECORD}" not in "\n".join(["", *lines[after:]]).lower():  # most files have one game
        return None
    for number, line in enumerate(lines[after:], after + 1):
        if line[: len(RECORD)].lower() == RECORD and FIRST.fullmatch(make_plain(line).strip()):
            hint = "A game file has one game. Cut the file before this line, and save each game in a file of its own."
            return _make_file_problem("record.first-line", "A second game begins here", number, 1, hint)
    return None


def _make_file_problem(rule_id: str, message: str, line: int = 1, col: int = 1, hint: str = "") -> Problem:
    return Problem(Kind.FILE, rule_id, message, line, col, 1, hint)
