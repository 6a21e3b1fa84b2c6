"""Orders to the club as values, and the readers of their clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from attrs import frozen

from tkid.bots.roster import PLAYERS
from tkid.club.lobby import MOST_OPEN
from tkid.club.observers import MAX_DELAY
from tkid.kernel.problems import Kind, Problem
from tkid.mail.envelope import is_address
from tkid.notation.names import list_names
from tkid.notation.text import drop_accents
from tkid.notation.turns import WrongError
from tkid.orders.intent import is_single_slip
from tkid.orders.order_values import shorten_typed
from tkid.record.clock import read_clock, write_clock
from tkid.rulebook import cites
from tkid.rulebook.rulesets import ruleset, rulesets


class ClubOrder:
    """An order to the club. Each kind is a class, and the table of kinds has a row for it."""

    __slots__ = ()


@frozen
class Guest:
    """Somebody who is invited: the address in lower case, and the name to play under."""

    address: str
    name: str


@frozen
class Help(ClubOrder):
    """Asks what can be ordered."""


@frozen
class ListGames(ClubOrder):
    """Asks for the sender's own games."""


@frozen
class ListOpen(ClubOrder):
    """Asks for the games that look for players."""


@frozen
class ListTournaments(ClubOrder):
    """Asks for the tournaments."""


@frozen
class NewGame(ClubOrder):
    """Asks for a new game.

    `ruleset` is its code. `guests` are invited, `bots` are players that are programs; `seats` is how many play in all, so that seats without a guest are open
    to everybody. `clock` are the terms of the clock as the record has them, "" for the usual ones and "none" for no
    clock. `rulings` are options, each `ID OPTION`. `title` is the name of the game, "" for one that the host chooses.
    `name` is the name that the sender plays under, "" for the usual one, and `words` are mixed into the deal. It waits so
    many `days` for its players, 0 for the usual time.
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


@frozen
class Join(ClubOrder):
    """Asks for a seat in a game that looks for players."""

    game: str
    name: str = ""
    words: str = ""


@frozen
class Accept(ClubOrder):
    """Accepts an invitation: the one that is answered, or that to a game."""

    game: str = ""
    name: str = ""
    words: str = ""


@frozen
class Decline(ClubOrder):
    """Declines an invitation, or gives back a seat in a game that has not begun."""

    game: str = ""


@frozen
class Words(ClubOrder):
    """Words to be mixed into the deal: of the order in the same mail, or of the seat that the sender has taken."""

    text: str


@frozen
class Rematch(ClubOrder):
    """Asks for another game with the same players on the same terms."""

    game: str = ""
    words: str = ""


@frozen
class Block(ClubOrder):
    """Asks the host never to write again."""


@frozen
class Unblock(ClubOrder):
    """Letters of the club are welcome again."""


TAKES_WORDS = (NewGame, Join, Accept, Rematch)
"""Orders into which words of the same mail go."""


BASIC = "second-edition"
"""Ruleset if nobody names another."""
NO_CLOCK = "none"
DAYS = re.compile(r"(?:for\s+)?(?P<days>[0-9]{1,3})\s*(?P<unit>days?|weeks?)", re.IGNORECASE)
ENDS = " \t.!;,"
LIKE = 0.6
FORM = "`new game second-edition with bob@example.org`"
GAME_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
LONGEST_GAME_NAME = 24
NAME_FORM = f"A game's name has at most {LONGEST_GAME_NAME} letters, digits and hyphens, and begins with a letter."
NEW = re.compile(r"(?:(?:a\s+)?new\s+game\b(?:\s+of\b)?|play(?=\s+with\b))\s*", re.IGNORECASE)
FIRST = re.compile(r"\b(?:with|for)\b", re.IGNORECASE)
CLAUSE = re.compile(
    r"(?:\A|,\s*(?:and\s+)?|\s+(?:and\s+)?(?=(?:called|as)\s))(?P<word>with|for|clock|called|ruling|open|as|words)\b\s*:?\s*",
    re.IGNORECASE,
)
CLAUSES = "clock", "called", "ruling", "words"
"""The first words of clauses that no name or address is likely to be."""
PERSON = re.compile(r"[^,]+?(?=\s+and\s|,|\Z)")
LINKED = re.compile(r"\s*[<\[(]\s*mailto:[^>\])]*[>\])]", re.IGNORECASE)
"""Some mail programs write the address of a link behind its text."""
BOTS = re.compile(rf"(?:an?\s+)?(?:bot(?:\s+(?P<player>{'|'.join(PLAYERS)}))?|computer)", re.IGNORECASE)
STRONGEST = tuple(PLAYERS)[-1]
"""The player that is meant where none is named."""
NAMED = re.compile(r"(?P<name>[^<>]*?)\s*<\s*(?P<address>[^<>\s]*)\s*>")
SAID = re.compile(r",?\s*\bwords\s*:(?P<words>.*)\Z", re.IGNORECASE)
AS = re.compile(r"\s+as\s+(?P<name>\S.*)\Z", re.IGNORECASE)


@frozen
class Part:
    """A part of a line: what it says, and the column at which it begins, from 0."""

    text: str
    column: int

    def strip(self) -> Part:
        """Return the part without blanks and the like around it."""
        bare = self.text.lstrip(" \t,")
        return Part(bare.rstrip(ENDS), self.column + len(self.text) - len(bare))

    def make_error(self, message: str, hint: str, kind: Kind = Kind.SYNTAX) -> WrongError:
        """Return the error to raise if this part is wrong."""
        return WrongError(make_club_problem(message, hint, self.column, len(self.text), kind))


def make_club_problem(message: str, hint: str, column: int, length: int, kind: Kind = Kind.SYNTAX) -> Problem:
    """Return the problem with a part of an order to the club; the column counts from 0."""
    return Problem(kind, "club.order", message, col=column + 1, length=max(1, length), hint=hint)


# -- a new game -------------------------------------------------------------------------------------------


@cites("club.new-game")
def read_new_game(text: str) -> ClubOrder:
    """A new game, with guests or for anybody. Raises WrongError."""
    begin = NEW.match(text)
    assert begin is not None
    first = FIRST.search(text, begin.end())
    if first is None:
        typed = [
            Part(match[0], match.start()) for match in re.finditer(r"[^\W\d_]+", text) if match.start() >= begin.end()
        ]
        for part in typed:
            if near := next((word for word in ("with", "for") if is_single_slip(part.text.lower(), word)), ""):
                mended = f"{text[: part.column]}{near}{text[part.column + len(part.text) :]}"
                raise part.make_error(f"`{part.text}` is not understood here", f"Did you mean `{mended}`?")
        hint = f"Write {FORM} to invite somebody, or `new game for 3` for whoever wants to play."
        raise WrongError(make_club_problem("This does not say who plays", hint, len(text), 1))
    code = _read_ruleset(Part(text[begin.end() : first.start()], begin.end()).strip())
    clauses = list(_split_clauses(text, first.start()))
    parts = dict(clauses)
    rulings = tuple(part.text.replace("=", " ", 1) for word, part in clauses if word == "ruling")
    people = tuple(_read_guests(parts["with"])) if "with" in parts else ()
    guests = tuple(each for each in people if isinstance(each, Guest))
    bots = tuple(each for each in people if not isinstance(each, Guest))
    seats = _read_seats(parts["for"]) if "for" in parts else len(people) + 1
    if seats <= len(people):
        count = f"{len(people) + 1} would play, with you"
        raise parts["for"].make_error(count, f"Write `for {len(people) + 1}` or more, or leave it out.")
    return NewGame(
        code,
        guests,
        seats,
        _read_clock(parts["clock"]) if "clock" in parts else "",
        rulings,
        read_game_name(parts["called"]) if "called" in parts else "",
        parts["as"].text if "as" in parts else "",
        parts["words"].text if "words" in parts else "",
        _read_days(parts["open"]) if "open" in parts else 0,
        bots,
    )


def _split_clauses(text: str, begin: int) -> Iterator[tuple[str, Part]]:
    """Split the clauses of a new game by their first words; those of `words` continue to the end of the line."""
    found = list(CLAUSE.finditer(text[begin:]))
    found = found[
        : next((index + 1 for index, each in enumerate(found) if each["word"].lower() == "words"), len(found))
    ]
    for index, clause in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(text) - begin
        part = Part(text[begin + clause.end() : begin + end], begin + clause.end()).strip()
        word = clause["word"].lower()
        if not part.text:
            raise WrongError(
                make_club_problem(f"Something is missing behind `{word}`", f"Write {FORM}.", part.column, 1)
            )
        yield word, part


def _read_ruleset(part: Part) -> str:
    """Return the code of a typed ruleset. Raises WrongError."""
    code = "-".join(part.text.lower().replace("_", " ").replace("-", " ").split())
    if not code:
        return BASIC
    known = {entry.code: entry for entry in rulesets()}
    titles = {entry.title.casefold(): entry.code for entry in known.values()}
    code = titles.get(part.text.casefold(), code)
    if code not in known:
        near = get_close_matches(code, known, 1, LIKE)
        hint = f"Did you mean `{near[0]}`?" if near else f"Choose one of {', '.join(known)}."
        raise part.make_error(f"There is no ruleset `{shorten_typed(part.text)}`", hint, Kind.NAME)
    return ruleset(code).code


def _read_seats(part: Part) -> int:
    number = re.fullmatch(r"([1-9])(?:\s*(?:players?|people|of us))?", part.text, re.IGNORECASE)
    if number is None:
        raise part.make_error(
            f"`{shorten_typed(part.text)}` is not a number of players", "Write a number, such as `for 3`."
        )
    return int(number[1])


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
def _read_guests(part: Part) -> Iterator[Guest | str]:
    addresses = set[str]()
    for match in PERSON.finditer(part.text):
        typed = Part(match[0], part.column + match.start())
        lead = re.match(r"\s*(?:and\s+)?", typed.text, re.IGNORECASE)
        each = Part(typed.text[lead.end() if lead else 0 :], typed.column + (lead.end() if lead else 0)).strip()
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
    if any(word in {"bots", "computer", *PLAYERS} or sorted(word) == sorted("bot") for word in words):
        ways = list_names(["`bot`", *(f"`bot {name}`" for name in PLAYERS)])
        hint = f"Write {ways}. For two of them, name both: `with bot and bot`."
        raise part.make_error(f"`{shorten_typed(part.text)}` is not a program that plays", hint)


def _check_clauses(part: Part) -> None:
    """Raise WrongError if a name looks like a clause with a slip in its word, or without a comma."""
    for match in re.finditer(r"[^\W\d_]+", part.text):
        typed = Part(match[0], part.column + match.start())
        word = next(
            (each for each in CLAUSES if match[0].lower() == each or is_single_slip(match[0].lower(), each)), ""
        )
        comma = f"Put a comma before `{word}`." if part.text[: match.start()].strip() else ""
        if word and match[0].lower() != word:
            raise typed.make_error(
                f"`{shorten_typed(match[0])}` is not understood here", f"Did you mean `{word}`? {comma}".strip()
            )
        if word and comma:
            raise typed.make_error(f"A comma is missing before `{word}`", comma)


def name_from(address: str) -> str:
    """A name for somebody of whom only the address is known: `bob.smith@example.org` is Bob."""
    words = re.findall(r"[^\W\d_]+", address.partition("@")[0])
    return words[0].capitalize()[:20] if words else "Player"


def _read_clock(part: Part) -> str:
    """Return the terms of the clock in the form of a record. Raises WrongError."""
    if part.text.casefold() in {NO_CLOCK, "no", "no clock"}:
        return NO_CLOCK
    reading = read_clock(part.text)
    if reading.clock is None:
        _check_clauses(part)
        raise WrongError(*(each.moved(line=1, col=part.column) for each in reading.problems))
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


# -- orders with a name -----------------------------------------------------------------------------------


def read_join(text: str) -> ClubOrder:
    """Joining a game. Raises WrongError."""
    game, name, words = _read_named(text)
    if not game:
        raise WrongError(
            make_club_problem("The name of the game is missing", "`open games` lists the games.", len(text), 1)
        )
    return Join(game, name, words)


def read_accept(text: str) -> ClubOrder:
    """Accepting an invitation. Raises WrongError."""
    return Accept(*_read_named(text))


def read_decline(text: str) -> ClubOrder:
    """Declining an invitation. Raises WrongError."""
    return Decline(_read_named(text)[0])


def read_rematch(text: str) -> ClubOrder:
    """Another game with the same players. Raises WrongError."""
    game, _, words = _read_named(text)
    return Rematch(game, words)


def _read_named(text: str) -> tuple[str, str, str]:
    said = SAID.search(text)
    words, text = (said["words"].strip(" \"'"), text[: said.start()]) if said else ("", text)
    as_name = AS.search(text)
    name, text = (as_name["name"].strip(ENDS), text[: as_name.start()]) if as_name else ("", text)
    typed = [Part(match[0].strip(ENDS), match.start()) for match in re.finditer(r"\S+", text)][1:]
    named = [part for part in typed if part.text and part.text.casefold() not in {"game", "to", "the"}]
    named = named if named or len(typed) != 1 else typed
    if len(named) > 1:
        order = text.split()[0].lower()
        hint = f"Write only `{order} {named[0].text}`."
        raise named[1].make_error(f"`{shorten_typed(named[1].text)}` does not belong here", hint)
    return (named[0].text.lower() if named else ""), name, words


def read_words(text: str) -> ClubOrder:
    """Words for the deal. Raises WrongError."""
    word, typed = text[: len("words")], text[len("words") :]
    said = typed.lstrip(" \t:").strip("\"'“”").strip()
    if not said:
        hint = "Write them behind the colon, such as `words: seven swans on a cold loch`."
        raise WrongError(make_club_problem("The words are missing", hint, len(text), 1))
    if not typed.lstrip().startswith(":"):
        raise WrongError(make_club_problem("A colon is missing", f"Did you mean `words: {said}`?", 0, len(word)))
    return Words(said)


@frozen
class SetDigest(ClubOrder):
    """Asks for one mail a day, or for single mails again."""

    daily: bool


@frozen
class ChangeAddress(ClubOrder):
    """Asks that everything of the sender's goes to another address, in lower case."""

    to: str


@frozen
class AnswerMove(ClubOrder):
    """Agrees to a change of address, or does not: `yes` or `no` in reply to the letter that asks."""

    agrees: bool


@frozen
class Observe(ClubOrder):
    """Asks for a mail about each turn of a game, so many turns late."""

    game: str
    delay: int = 0


@frozen
class StopObserving(ClubOrder):
    """Ends observing a game, or all where none is named."""

    game: str = ""


@frozen
class AllowObservers(ClubOrder):
    """Keeps observers out of a game, or lets them in again."""

    game: str
    allowed: bool


@frozen
class TakeSeat(ClubOrder):
    """Asks for the seat of a player of a game; `name` is the name that the sender plays under, "" for the usual one."""

    player: str
    game: str
    name: str = ""


@frozen
class OfferSeat(ClubOrder):
    """Offers the seat of a player of a game to whoever takes it first."""

    player: str
    game: str


@frozen
class SetAnonymous(ClubOrder):
    """Asks for a pseudonym in what is published, or ends it."""

    on: bool


@frozen
class SetCalendar(ClubOrder):
    """Asks for a calendar file in turn mails, or ends it."""

    on: bool


@frozen
class Stop(ClubOrder):
    """Ends the letters of the kind that is answered: what a mail program's button for unsubscribing sends."""


DELAY = re.compile(r",?\s+(?:with\s+)?(?:a\s+)?delay(?:\s+of)?\s*:?\s*(?P<turns>.*)\Z", re.IGNORECASE)
TURNS = re.compile(r"([0-9]{1,4})(?:\s*turns?)?", re.IGNORECASE)
SEAT = re.compile(
    r"(?:take|offer)\s+(?:the\s+)?seat\s+(?:of\s+)?(?P<player>\S.*?)\s+(?:of|in)\s+(?P<game>\S.*)", re.IGNORECASE
)
ARTICLES = frozenset({"the", "game"})
DAILY = {"daily": True, "on": True, "off": False}
ON_OFF = {"on": True, "off": False}


def read_digest(text: str) -> ClubOrder:
    """One mail a day, or single mails. Raises WrongError."""
    return SetDigest(_read_choice(text, 1, DAILY, "`digest daily` or `digest off`"))


def read_anonymous(text: str) -> ClubOrder:
    """A pseudonym, or the name again. Raises WrongError."""
    return SetAnonymous(_read_choice(text, 1, ON_OFF, "`anonymous on` or `anonymous off`"))


def read_calendar(text: str) -> ClubOrder:
    """A calendar file in turn mails, or none. Raises WrongError."""
    return SetCalendar(_read_choice(text, 1, ON_OFF, "`calendar on` or `calendar off`"))


def read_address(text: str) -> ClubOrder:
    """Another address. Raises WrongError."""
    rest = _get_rest(text, 1)
    typed = LINKED.sub("", rest.text).strip().removeprefix("<").removesuffix(">").removeprefix("mailto:").lower()
    if not typed:
        raise rest.make_error("Your new address is missing", "Write `address ann@example.org`, with your new address.")
    if not is_address(typed):
        hint = "Write the address alone, such as `address ann@example.org`."
        raise rest.make_error(f"`{shorten_typed(rest.text)}` is not a mail address", hint)
    return ChangeAddress(typed)


def read_observe(text: str) -> ClubOrder:
    """Observing a game. Raises WrongError."""
    rest = _get_rest(text, 1)
    late = DELAY.search(f"{rest.text}")
    delay = 0
    if late is not None:
        typed = Part(late["turns"], rest.column + late.start("turns"))
        number = TURNS.fullmatch(typed.text)
        if number is None or int(number[1]) > MAX_DELAY:
            hint = f"Write a number from 0 to {MAX_DELAY}, such as `observe winter delay 3`."
            raise typed.make_error(f"`{shorten_typed(typed.text)}` is not a number of turns", hint)
        delay = int(number[1])
        rest = Part(rest.text[: late.start()], rest.column)
    return Observe(_read_game_name(rest, "`observe winter`"), delay)


def read_stop_observing(text: str) -> ClubOrder:
    """Observing no longer. Raises WrongError."""
    rest = _get_rest(text, 2)
    return StopObserving(_read_game_name(rest, "`stop observing winter`") if rest.text else "")


def read_observers(text: str) -> ClubOrder:
    """A game without observers, or with them. Raises WrongError."""
    form = "`observers off winter` or `observers on winter`"
    rest = _get_rest(text, 1)
    word, _, game = rest.text.partition(" ")
    if word.casefold() not in ON_OFF:
        raise Part(word, rest.column).make_error(f"`{shorten_typed(word)}` is neither `on` nor `off`", f"Write {form}.")
    named = Part(game, rest.column + len(word) + 1).strip()
    return AllowObservers(_read_game_name(named, form), ON_OFF[word.casefold()])


def read_take_seat(text: str) -> ClubOrder:
    """The seat of a player of a game. Raises WrongError."""
    named = AS.search(text)
    bare = text[: named.start()] if named else text
    return TakeSeat(*_read_seat(bare, "`take seat Bob of winter`"), named["name"].strip() if named else "")


def read_offer_seat(text: str) -> ClubOrder:
    """The offer of a player's seat. Raises WrongError."""
    return OfferSeat(*_read_seat(text, "`offer seat Bob of winter`"))


def _read_seat(text: str, form: str) -> tuple[str, str]:
    """Read a player and a game. Raises WrongError."""
    match = SEAT.fullmatch(text.strip())
    if match is None:
        hint = f"Write {form}, with the player's name and the name of the game."
        raise WrongError(make_club_problem("This does not say whose seat of which game", hint, 0, len(text)))
    return match["player"], _read_game_name(Part(match["game"], match.start("game")), form)


def _get_rest(text: str, words: int) -> Part:
    """Return the text behind the first words of a line."""
    first = re.match(rf"\s*(?:\S+\s*){{{words}}}", text)
    begin = first.end() if first else len(text)
    return Part(text[begin:], begin).strip()


def _read_choice(text: str, words: int, choices: dict[str, bool], forms: str) -> bool:
    """Return the choice behind the first words. Raises WrongError."""
    rest = _get_rest(text, words)
    if rest.text.casefold() not in choices:
        near = get_close_matches(rest.text.casefold(), choices, 1)
        message = (
            f"`{shorten_typed(rest.text)}` is not a choice here" if rest.text else "This does not say what you want"
        )
        raise rest.make_error(message, f"Did you mean `{text[: rest.column]}{near[0]}`?" if near else f"Write {forms}.")
    return choices[rest.text.casefold()]


def _read_game_name(part: Part, form: str) -> str:
    """Read the name of a game. Raises WrongError."""
    words = part.text.split()
    named = [word for word in words if word.casefold() not in ARTICLES] or words
    if not named:
        raise part.make_error("The name of the game is missing", f"Write {form}.")
    if len(named) > 1:
        raise part.make_error(f"`{shorten_typed(part.text)}` is not the name of one game", f"Write {form}.", Kind.NAME)
    return named[0]
