"""Orders to the club as values, the types of values in a line, and the table of order kinds.

`tkid.club.order_reader` reads by the table, the help lists it, and `tkid.club.order_handlers` carries the orders out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from typing import Any

from attrs import evolve, frozen

from tkid.bots.roster import PLAYERS
from tkid.club.lobby import MOST_OPEN
from tkid.club.observers import MAX_DELAY
from tkid.kernel.problems import Kind
from tkid.mail.envelope import is_address
from tkid.mail.plugin import NO_CLOCK
from tkid.notation.names import list_names
from tkid.notation.plugin import WrongError
from tkid.notation.text import drop_accents
from tkid.orders.forms import OrderRow, Part, SlotType, is_single_slip, list_line_end, shorten_typed
from tkid.orders.order_values import NEVER, Order
from tkid.record.clock import read_clock, write_clock
from tkid.record.format.model import ENGINE
from tkid.rulebook import cites
from tkid.rulebook.rulesets import ruleset, rulesets


@frozen
class Guest:
    """Somebody who is invited: the address in lower case, and the name to play under."""

    address: str
    name: str


@frozen
class ClubOrder(Order):
    """An order to the club: the name of its row, and what its line says; "" for what it doesn't say.

    `game` is the game that it is about, and `player` one of that game's. `name` is the name that the sender plays under, and `words`
    are mixed into the deal. `to` is another address, in lower case, and `delay` how many turns an observer is late. An order that turns something `on`
    or off, or answers a question, has that too.
    """

    kind: str
    game: str = ""
    name: str = ""
    words: str = ""
    player: str = ""
    to: str = ""
    delay: int = 0
    on: bool | None = None


STOP = ClubOrder("stop")
"""Ends the letters of the kind that is answered: what a mail program's button for unsubscribing sends."""


@frozen
class NewGame(Order):
    """Asks for a new game.

    `ruleset` is its code. `guests` are invited, `bots` are players that are programs; `seats` is how many play in all, so that seats without a guest are open
    to everybody. `clock` are the terms of the clock as the record has them, "" for the usual ones and "none" for no
    clock. `rulings` are options, each `ID OPTION`. `title` is the name of the game, "" for one that the host chooses.
    `name` is the name that the sender plays under, "" for the usual one, and `words` are mixed into the deal. It waits so
    many `days` for its players, 0 for the usual time. A game that is not dealt begins in a game of the host (`origin`), after
    a `turn` (None: the last one): then `seats` is 0 if nobody says how many play.
    """

    ruleset: str
    guests: tuple[Guest, ...] = ()
    seats: int = 0
    clock: str = ""
    rulings: tuple[str, ...] = ()
    title: str = ""
    name: str = ""
    words: str = ""
    days: int = 0
    bots: tuple[str, ...] = ()
    origin: str = ""
    turn: int | None = None


BASIC = "second-edition"
"""Ruleset if nobody names another."""
DAYS = re.compile(r"(?:for\s+)?(?P<days>[0-9]{1,3})\s*(?P<unit>days?|weeks?)", re.IGNORECASE)
LIKE = 0.6
GAME_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
LONGEST_GAME_NAME = 24
NAME_FORM = f"A game's name has at most {LONGEST_GAME_NAME} letters, digits and hyphens, and begins with a letter."
CLAUSES = "clock", "called", "ruling", "words"
"""The first words of clauses that no name or address is likely to be."""
PERSON = re.compile(r"[^,]+?(?=\s+and\s|,|\Z)")
LINK = r"\s*[<\[(]\s*mailto:[^>\])]*[>\])]"
LINKED = re.compile(LINK, re.IGNORECASE)
"""Some mail programs write the address of a link behind its text."""
WAYS = (*PLAYERS, ENGINE)
"""Ways in which a bot can play."""
BOTS = re.compile(rf"(?:an?\s+)?(?:bot(?:\s+(?P<player>{'|'.join(WAYS)}))?|computer)", re.IGNORECASE)
STRONGEST = tuple(PLAYERS)[-1]
"""The player that is meant where none is named."""
NAMED = re.compile(r"(?P<name>[^<>]*?)\s*<\s*(?P<address>[^<>\s]*)\s*>")
ARTICLES = frozenset({"to", "the", "game"})
TURNS = re.compile(r"([0-9]{1,4})(?:\s*turns?)?", re.IGNORECASE)
TURN_NUMBER = re.compile(r"[0-9]{1,4}")


@cites("club.new-game")
def make_new_game(
    *,
    people: tuple[Guest | str, ...] = (),
    seats: Part | None = None,
    ruleset: str = BASIC,
    game: str = "",
    **clauses: Any,
) -> NewGame:
    """Make the order for a new game, with guests or for anybody, dealt or from a `game`. Raises WrongError."""
    count = int(seats.text[0]) if seats else 0 if game else len(people) + 1
    if seats and count <= len(people):
        hint = f"Write `for {len(people) + 1}` or more, or leave it out."
        raise seats.make_error(f"{len(people) + 1} would play, with you", hint)
    guests = tuple(each for each in people if isinstance(each, Guest))
    bots = tuple(each for each in people if not isinstance(each, Guest))
    return NewGame(ruleset, guests, count, bots=bots, origin=game, **clauses)


def find_nearest_name(name: str, names: Iterable[str]) -> str:
    """Return the name that may have been meant, "" for none."""
    return next(iter(get_close_matches(name, list(names), 1, LIKE)), "")


def _read_ruleset(part: Part) -> str:
    """Return the code of a typed ruleset. Raises WrongError."""
    known = {entry.code: entry for entry in rulesets()}
    titles = {entry.title.casefold(): entry.code for entry in known.values()}
    code = titles.get(part.text.casefold(), "-".join(part.text.lower().replace("_", " ").replace("-", " ").split()))
    if code not in known:
        near = find_nearest_name(code, known)
        hint = f"Did you mean `{near}`?" if near else f"Choose one of {', '.join(known)}."
        raise part.make_error(f"There is no ruleset `{shorten_typed(part.text)}`", hint, Kind.NAME)
    return ruleset(code).code


def _read_seats(part: Part) -> Part:
    """Check the number of players; return its part, as the people decide whether it is large enough. Raises WrongError."""
    if not re.fullmatch(r"[1-9](?:\s*(?:players?|people|of us))?", part.text, re.IGNORECASE):
        message = f"`{shorten_typed(part.text)}` is not a number of players"
        raise part.make_error(message, "Write a number, such as `for 3`.")
    return part


@cites("club.expire")
def _read_days(part: Part) -> int:
    """Return the number of days in which a game looks for players. Raises WrongError."""
    number = DAYS.fullmatch(part.text)
    days = int(number["days"]) * (7 if number["unit"].lower().startswith("w") else 1) if number else 0
    if not 1 <= days <= MOST_OPEN:
        hint = f"Write a number from 1 to {MOST_OPEN}, such as `open 30 days`."
        raise part.make_error(f"`{shorten_typed(part.text)}` is not a number of days from 1 to {MOST_OPEN}", hint)
    return days


@cites("club.new-game.bot")
def _list_guests(part: Part) -> Iterator[Guest | str]:
    addresses = set[str]()
    for match in PERSON.finditer(part.text):
        typed = evolve(part, text=match[0], column=part.column + match.start())
        lead = re.match(r"\s*(?:and\s+)?", typed.text, re.IGNORECASE)
        skip = lead.end() if lead else 0
        each = evolve(typed, text=typed.text[skip:], column=typed.column + skip).strip()
        if not each.text:
            continue
        if bot := BOTS.fullmatch(each.text):
            yield (bot["player"] or STRONGEST).lower()
            continue
        linked = LINKED.sub("", each.text).strip()
        named = NAMED.fullmatch(linked)
        name, address = (named["name"].strip(" \"'"), named["address"]) if named else ("", linked)
        address = address.removeprefix("mailto:").lower()
        if not is_address(address):
            _check_clauses(each)
            _check_bot(each)
            hint = "Write an address, such as `bob@example.org` or `Bob <bob@example.org>`, and commas between them."
            raise each.make_error(f"`{shorten_typed(each.text)}` is not a mail address", hint)
        if address in addresses:
            raise each.make_error(f"{address} is named twice", "Name everybody once.", Kind.ILLEGAL)
        addresses.add(address)
        yield Guest(address, name or name_from(address))


def _check_bot(part: Part) -> None:
    """Raise WrongError for an unknown program. With one letter wrong, `bot` would be Bob: only their order may be."""
    words = part.text.lower().split()
    if any(word in {"bots", "computer", *WAYS} or sorted(word) == sorted("bot") for word in words):
        ways = list_names(["`bot`", *(f"`bot {name}`" for name in WAYS)])
        hint = f"Write {ways}. For two of them, name both: `with bot and bot`."
        raise part.make_error(f"`{shorten_typed(part.text)}` is not a program that plays", hint)


def _check_clauses(part: Part) -> None:
    """Raise WrongError if a clause follows a name without a comma, also one with a slip in its first word."""
    for match in re.finditer(r"(?<=\s)[^\W\d_]+", part.text):
        typed = evolve(part, text=match[0], column=part.column + match.start())
        for word in CLAUSES:
            comma = f"Put a comma before `{word}`."
            if match[0].lower() == word:
                raise typed.make_error(f"A comma is missing before `{word}`", comma)
            if is_single_slip(match[0].lower(), word):
                raise typed.make_error(f"`{match[0]}` is not understood here", f"Did you mean `{word}`? {comma}")


def name_from(address: str) -> str:
    """Make a name from an address: `bob.smith@example.org` is Bob."""
    words = re.findall(r"[^\W\d_]+", address.partition("@")[0])
    return words[0].capitalize()[:20] if words else "Player"


def _read_clock(part: Part) -> str:
    """Return the terms of the clock in the form of a record. Raises WrongError."""
    if part.text.casefold() in {NO_CLOCK, "no", "no clock"}:
        return NO_CLOCK
    reading = read_clock(part.text)
    if reading.clock is None:
        _check_clauses(part)
        raise WrongError(*(each.move_to(line=1, col=part.column) for each in reading.problems))
    return write_clock(reading.clock)


@cites("club.name")
def read_game_name(part: Part) -> str:
    """Read the name of a game that somebody chooses. Raises WrongError."""
    name = part.text.lower()
    if not GAME_NAME.fullmatch(name) or len(name) > LONGEST_GAME_NAME:
        near = "-".join(re.findall(r"[a-z0-9]+", drop_accents(name)))[:LONGEST_GAME_NAME].strip("-")
        hint = f"{NAME_FORM} You could write `called {near}`." if GAME_NAME.fullmatch(near) else NAME_FORM
        raise part.make_error(f"`{shorten_typed(part.text)}` cannot be the name of a game", hint)
    return name


def _read_game(part: Part) -> str:
    words = part.text.split()
    named = [word for word in words if word.casefold() not in ARTICLES] or words * (len(words) == 1)
    if not named:
        raise part.make_error(MISSING_GAME)
    return named[0]


def _read_address(part: Part) -> str:
    typed = LINKED.sub("", part.text).strip().removeprefix("<").removesuffix(">").removeprefix("mailto:").lower()
    if not is_address(typed):
        hint = "Write the address alone, such as `address ann@example.org`."
        raise part.make_error(f"`{shorten_typed(part.text)}` is not a mail address", hint)
    return typed


def _read_turn(part: Part) -> int:
    if not TURN_NUMBER.fullmatch(part.text):
        message = f"`{shorten_typed(part.text)}` is not the number of a turn"
        raise part.make_error(message, "Write a number, such as `turn 12`.")
    return int(part.text)


def _read_delay(part: Part) -> int:
    """Return by how many turns an observer is late. Raises WrongError."""
    number = TURNS.fullmatch(part.text)
    if number is None or int(number[1]) > MAX_DELAY:
        hint = f"Write a number from 0 to {MAX_DELAY}, such as `observe winter delay 3`."
        raise part.make_error(f"`{shorten_typed(part.text)}` is not a number of turns", hint)
    return int(number[1])


ANY = re.compile(r".+")
MISSING_GAME = "The name of the game is missing"
SLOT_TYPES: Mapping[str, SlotType] = {
    "ruleset": SlotType(re.compile(r"(?:(?!\b(?:with|for|from)\b).)+", re.IGNORECASE), _read_ruleset),
    "people": SlotType(ANY, lambda part: tuple(_list_guests(part)), "This does not say who plays"),
    "seats": SlotType(re.compile(r"[^,]+"), _read_seats, "The number of players is missing"),
    "clock": SlotType(ANY, _read_clock, "The clock is missing"),
    "title": SlotType(ANY, read_game_name, MISSING_GAME),
    "rulings": SlotType(ANY, lambda part: part.text.replace("=", " ", 1), "The ruling is missing"),
    "days": SlotType(ANY, _read_days, "The number of days is missing"),
    "name": SlotType(ANY, missing="The name is missing"),
    "player": SlotType(ANY, missing="The name of the player is missing"),
    "words": SlotType(ANY, lambda part: part.text.strip(" \"'"), "The words are missing", ends=list_line_end),
    "game": SlotType(re.compile(r"(?:(?:to|the|game)\s+)*[^\s,:]+", re.IGNORECASE), _read_game, MISSING_GAME),
    "lobby": SlotType(
        re.compile(r"(?:(?:to|the|game)\s+)*[^\s,:]+", re.IGNORECASE),
        lambda part: _read_game(part).lower(),
        MISSING_GAME,
    ),
    "address": SlotType(re.compile(rf"\S+(?:{LINK})?", re.IGNORECASE), _read_address, "Your new address is missing"),
    "turn": SlotType(re.compile(r"[^\s,:]+"), _read_turn, "The number of the turn is missing"),
    "delay": SlotType(ANY, _read_delay, "The number of turns is missing"),
}


GAME_CLAUSES = (
    " {[,] [and] called [:] <title>|[,] [and] as [:] <name>|, [and] (with [:] <people>|for [:] <seats>|clock [:] <clock>"
    "|ruling [:] <rulings*>|open [:] <days>|words [:] <words>)}"
)
"""Clauses of a new game behind the first."""
AS_NAME = "[as <name>] [[,] words : <words>]"
ALONE: Any = {"signs": NEVER, "most": 0}
"""An order of one line: any other line that begins like it is a remark."""


def _make_row(name: str, forms: str | Mapping[str, Any], form: str, text: str, **columns: Any) -> OrderRow:
    """Return a row. A form has the values of its order that are no slots, or a function that makes the order of the slots."""
    given: Mapping[str, Any] = {forms: {}} if isinstance(forms, str) else forms
    made = {
        each: make if callable(make) else partial(ClubOrder, **{"kind": name, **make}) for each, make in given.items()
    }
    return OrderRow(name, made, form, text, **{"who": "anybody", "answers": "any", **columns})


ON_OR_OFF = {"on": {"on": True}, "off": {"on": False}}
KINDS: tuple[OrderRow, ...] = (
    _make_row("help", "(help|hilfe|hulp|ayuda|aide|aiuto)", "`help`", "list everything you can write", is_harmless=True, listed=9, **ALONE),
    _make_row("games", "[my] games", "`games`", "list your games", listed=1, **ALONE),
    _make_row("open games", "open games", "`open games`", "list games that look for players", is_harmless=True, listed=2, **ALONE),
    _make_row("tournaments", "[my] tournaments", "`tournaments`", "list the tournaments and your games in them", listed=2, **ALONE),
    _make_row(
        "new game", {f"[a] new game [of] [<ruleset>] (with [:] <people>|for [:] <seats>){GAME_CLAUSES}": make_new_game},
        "`new game second-edition with bob@example.org`, `new game with bot`, or `new game second-edition for 3`", "invite people to a game, or look for players",
        is_binding=True, takes_words=True, signs=re.compile(r"@|\bfor\s+\d|-edition\b|\bbots?\b", re.IGNORECASE), listed=0,
    ),
    _make_row(
        "play with", {f"play with [:] <people>{GAME_CLAUSES}": make_new_game}, "`play with bob@example.org`", "invite somebody to the basic game",
        is_binding=True, takes_words=True, listed=0,
    ),
    _make_row(
        "new game from", {f"[a] new game from <game> [[,] [after|at] turn <turn>] [(with [:] <people>|for [:] <seats>)]{GAME_CLAUSES}": make_new_game},
        "`new game from winter turn 12 with bob@example.org`", "begin in a position of another game",
        is_binding=True, takes_words=True, signs=re.compile(r"@|\bturn\s+\d|\bbots?\b", re.IGNORECASE), listed=0,
    ),
    _make_row(
        "join", f"join <game:lobby> {AS_NAME}", "`join spring`", "take a seat in a game that looks for players",
        is_binding=True, is_about_game=True, takes_words=True, more="`open games` lists the games.", listed=3,
    ),
    _make_row(
        "accept", f"accept [the game|<game:lobby>] {AS_NAME}", "`accept`, or `accept spring`", "accept an invitation",
        is_binding=True, is_about_game=True, takes_words=True, listed=4,
    ),
    _make_row(
        "decline", "decline [the game|<game:lobby>]",
        "`decline`, or `decline spring`", "decline an invitation, or give your seat back before the game begins", is_binding=True, is_about_game=True, listed=4,
    ),
    _make_row(
        "words", "words : <words>", "`words: seven swans on a cold loch`", "mix your words into the deal, so that the host can't choose it",
        is_binding=True, signs=re.compile(r"\Awords\s*:", re.IGNORECASE), most=9, listed=4,
    ),
    _make_row(
        "rematch", "rematch [the game|<game:lobby>] [[,] words : <words>]",
        "`rematch`, or `rematch spring`", "invite the players of a game to another one", is_binding=True, takes_words=True, listed=4,
    ),
    _make_row("block", "block [me]", "`block`", "get no more letters from the club", is_binding=True, listed=8, **ALONE),
    _make_row("unblock", "unblock", "`unblock`", "let the club write to you again", listed=8, **ALONE),
    _make_row(
        "digest", {"digest (daily|on)": {"on": True}, "digest off": {"on": False}},
        "`digest daily`, or `digest off`", "get one mail a day for all your games, or single mails again",
        signs=NEVER, listed=6,
    ),
    _make_row("notify each game", {"notify (each|every) game": {"kind": "digest", "on": False}}, "`notify each game`", "end the digest", listed=-1, **ALONE),
    _make_row(
        "observe", "observe <game> [[,] [with] [a] delay [of] [:] <delay>]",
        "`observe winter`, or `observe winter delay 3`", "watch a game, at once or three turns late",
        is_about_game=True, signs=re.compile(r"\bdelay\b", re.IGNORECASE), listed=6,
    ),
    _make_row("stop observing", "stop observing [<game>]", "`stop observing`, or `stop observing winter`", "stop watching a game", signs=NEVER, listed=6),
    _make_row(
        "observers", {f"observers {how} <game>": on for how, on in ON_OR_OFF.items()},
        "`observers off winter`", "keep observers out of a game that you play",
        is_about_game=True, signs=NEVER, listed=7,
    ),
    _make_row(
        "take seat", "take [the] seat [of] <player> (of|in) <game> [as <name>]", "`take seat Bob of winter`", "take over a seat that is offered",
        is_binding=True, is_about_game=True, signs=NEVER, listed=6,
    ),
    _make_row(
        "offer seat", "offer [the] seat [of] <player> (of|in) <game>", "`offer seat Bob of winter`", "offer a seat to the first player who takes it",
        is_binding=True, is_about_game=True, signs=NEVER, who="owner", listed=-1,
    ),
    _make_row(
        "address", {"address yes": {"on": True}, "address no": {"on": False}, "address <to:address>": {}},
        "`address ann@example.com`", "move all your games and settings to another address", is_binding=True, listed=7,
    ),
    _make_row("anonymous", {f"anonymous {how}": on for how, on in ON_OR_OFF.items()}, "`anonymous on`, or `anonymous off`", "hide your name on the club's pages", signs=NEVER, listed=7),
    _make_row("calendar", {f"calendar {how}": on for how, on in ON_OR_OFF.items()}, "`calendar on`, or `calendar off`", "get deadlines in your calendar", signs=NEVER, listed=7),
    _make_row("stop", "(stop|unsubscribe)", "`stop`", "stop letters of the kind to which you reply", is_binding=True, listed=8, **ALONE),
)  # fmt: skip
BY_NAME: Mapping[str, OrderRow] = {kind.name: kind for kind in KINDS}
LISTED = tuple(sorted((kind for kind in KINDS if kind.listed >= 0), key=lambda kind: kind.listed))
"""The kinds as `help` lists them."""


def find_club_kind(order: Order) -> OrderRow:
    return BY_NAME[order.kind if isinstance(order, ClubOrder) else "new game"]
