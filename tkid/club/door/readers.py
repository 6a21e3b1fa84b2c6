"""Reads the orders to the club that are longer than a word: a plain line becomes a value, or a problem with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from attrs import frozen

from tkid.bots.roster import PLAYERS
from tkid.club.door.model import Accept, ClubOrder, Decline, Guest, Join, NewGame, Rematch, Words
from tkid.club.tables import MOST_OPEN
from tkid.kernel.problems import Kind, Problem
from tkid.mail.inbound.envelope import is_address
from tkid.notation.turns import WrongError
from tkid.notation.vocabulary import listed
from tkid.orders.lookup import shown
from tkid.orders.thresholds import is_slip
from tkid.record.clock.terms import read_clock, write_clock
from tkid.rulebook import cites
from tkid.rulebook.rulesets import ruleset, rulesets

BASIC = "second-edition"
"""What is played where nobody says something else."""
NO_CLOCK = "none"
MOST_PLAYERS = 9
"""More than any game has, so that numbers are cut before they are looked at."""
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
    r"(?:\A|,\s*|\s+(?=called\s))(?P<word>with|for|clock|called|ruling|open|as|words)\b\s*:?\s*", re.IGNORECASE
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

    def stripped(self) -> Part:
        """Without blanks and the like around it."""
        bare = self.text.lstrip(" \t,")
        return Part(bare.rstrip(ENDS), self.column + len(self.text) - len(bare))

    def wrong(self, message: str, hint: str, kind: Kind = Kind.SYNTAX) -> WrongError:
        """What is raised where this part is wrong."""
        return WrongError(problem(message, hint, self.column, len(self.text), kind))


def problem(message: str, hint: str, column: int, length: int, kind: Kind = Kind.SYNTAX) -> Problem:
    """The problem with a part of an order to the club; the column counts from 0."""
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
            if near := next((word for word in ("with", "for") if is_slip(part.text.lower(), word)), ""):
                mended = f"{text[: part.column]}{near}{text[part.column + len(part.text) :]}"
                raise part.wrong(f"`{part.text}` is not understood here", f"Did you mean `{mended}`?")
        hint = f"Write {FORM} to invite somebody, or `new game for 3` for whoever wants to play."
        raise WrongError(problem("This does not say who plays", hint, len(text), 1))
    code = _ruleset(Part(text[begin.end() : first.start()], begin.end()).stripped())
    clauses = list(_clauses(text, first.start()))
    parts = dict(clauses)
    rulings = tuple(part.text.replace("=", " ", 1) for word, part in clauses if word == "ruling")
    people = tuple(_guests(parts["with"])) if "with" in parts else ()
    guests = tuple(each for each in people if isinstance(each, Guest))
    bots = tuple(each for each in people if not isinstance(each, Guest))
    seats = _seats(parts["for"]) if "for" in parts else len(people) + 1
    if seats <= len(people):
        count = f"{len(people) + 1} would play, with you"
        raise parts["for"].wrong(count, f"Write `for {len(people) + 1}` or more, or leave it out.")
    return NewGame(
        code,
        guests,
        seats,
        _clock(parts["clock"]) if "clock" in parts else "",
        rulings,
        game_name(parts["called"]) if "called" in parts else "",
        parts["as"].text if "as" in parts else "",
        parts["words"].text if "words" in parts else "",
        _days(parts["open"]) if "open" in parts else 0,
        bots,
    )


def _clauses(text: str, begin: int) -> Iterator[tuple[str, Part]]:
    """The clauses of a new game by their first words; those of `words` go on to the end of the line."""
    found = list(CLAUSE.finditer(text[begin:]))
    found = found[
        : next((index + 1 for index, each in enumerate(found) if each["word"].lower() == "words"), len(found))
    ]
    for index, clause in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(text) - begin
        part = Part(text[begin + clause.end() : begin + end], begin + clause.end()).stripped()
        word = clause["word"].lower()
        if not part.text:
            raise WrongError(problem(f"Something is missing behind `{word}`", f"Write {FORM}.", part.column, 1))
        yield word, part


def _ruleset(part: Part) -> str:
    """The code of a ruleset, as people type it. Raises WrongError."""
    code = "-".join(part.text.lower().replace("_", " ").replace("-", " ").split())
    if not code:
        return BASIC
    known = {entry.code: entry for entry in rulesets()}
    titles = {entry.title.casefold(): entry.code for entry in known.values()}
    code = titles.get(part.text.casefold(), code)
    if code not in known:
        near = get_close_matches(code, known, 1, LIKE)
        hint = f"Did you mean `{near[0]}`?" if near else f"Choose one of {', '.join(known)}."
        raise part.wrong(f"There is no ruleset `{shown(part.text)}`", hint, Kind.NAME)
    return ruleset(code).code


def _seats(part: Part) -> int:
    """How many play. Raises WrongError."""
    number = re.fullmatch(r"([1-9])(?:\s*(?:players?|people|of us))?", part.text, re.IGNORECASE)
    if number is None:
        raise part.wrong(f"`{shown(part.text)}` is not a number of players", "Write a number, such as `for 3`.")
    return int(number[1])


@cites("club.expire")
def _days(part: Part) -> int:
    """For how many days a game looks for players. Raises WrongError."""
    number = DAYS.fullmatch(part.text)
    days = int(number["days"]) * (7 if number["unit"].lower().startswith("w") else 1) if number else 0
    if not 1 <= days <= MOST_OPEN:
        hint = f"Write a number from 1 to {MOST_OPEN}, such as `open 30 days`."
        raise part.wrong(f"`{shown(part.text)}` is not a number of days from 1 to {MOST_OPEN}", hint)
    return days


@cites("club.new-game.bot")
def _guests(part: Part) -> Iterator[Guest | str]:
    """Who is invited, and the players that are programs, by name. Raises WrongError."""
    addresses = set[str]()
    for match in PERSON.finditer(part.text):
        typed = Part(match[0], part.column + match.start())
        lead = re.match(r"\s*(?:and\s+)?", typed.text, re.IGNORECASE)
        each = Part(typed.text[lead.end() if lead else 0 :], typed.column + (lead.end() if lead else 0)).stripped()
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
            raise each.wrong(f"`{shown(each.text)}` is not a mail address", hint)
        if address in addresses:
            raise each.wrong(f"{address} is named twice", "Name everybody once.", Kind.ILLEGAL)
        addresses.add(address)
        yield Guest(address, name or name_from(address))


def _check_bot(part: Part) -> None:
    """Raise WrongError where an unknown program is meant. With one letter wrong, `bot` would be Bob: only their order may be."""
    words = part.text.lower().split()
    if any(word in {"bots", "computer", *PLAYERS} or sorted(word) == sorted("bot") for word in words):
        ways = listed(["`bot`", *(f"`bot {name}`" for name in PLAYERS)])
        hint = f"Write {ways}. For two of them, name both: `with bot and bot`."
        raise part.wrong(f"`{shown(part.text)}` is not a program that plays", hint)


def _check_clauses(part: Part) -> None:
    """Raise WrongError where somebody is named who is rather a clause: with a slip in its word, or without a comma."""
    for match in re.finditer(r"[^\W\d_]+", part.text):
        typed = Part(match[0], part.column + match.start())
        word = next((each for each in CLAUSES if match[0].lower() == each or is_slip(match[0].lower(), each)), "")
        comma = f"Put a comma before `{word}`." if part.text[: match.start()].strip() else ""
        if word and match[0].lower() != word:
            raise typed.wrong(f"`{shown(match[0])}` is not understood here", f"Did you mean `{word}`? {comma}".strip())
        if word and comma:
            raise typed.wrong(f"A comma is missing before `{word}`", comma)


def name_from(address: str) -> str:
    """A name for somebody of whom only the address is known: `bob.smith@example.org` is Bob."""
    words = re.findall(r"[^\W\d_]+", address.partition("@")[0])
    return words[0].capitalize()[:20] if words else "Player"


def _clock(part: Part) -> str:
    """The terms of the clock as a record has them. Raises WrongError."""
    if part.text.casefold() in {NO_CLOCK, "no", "no clock"}:
        return NO_CLOCK
    reading = read_clock(part.text)
    if reading.clock is None:
        _check_clauses(part)
        raise WrongError(*(each.moved(line=1, col=part.column) for each in reading.problems))
    return write_clock(reading.clock)


@cites("club.name")
def game_name(part: Part) -> str:
    """The name of a game that somebody chooses. Raises WrongError."""
    name = part.text.lower()
    if not GAME_NAME.fullmatch(name) or len(name) > LONGEST_GAME_NAME:
        near = "-".join(re.findall(r"[a-z0-9]+", name))[:LONGEST_GAME_NAME].strip("-")
        hint = f"{NAME_FORM} You could write `called {near}`." if GAME_NAME.fullmatch(near) else NAME_FORM
        raise part.wrong(f"`{shown(part.text)}` cannot be the name of a game", hint)
    return name


# -- orders with a name -----------------------------------------------------------------------------------


def read_join(text: str) -> ClubOrder:
    """Joining a game. Raises WrongError."""
    game, name, words = _named(text)
    if not game:
        raise WrongError(problem("The name of the game is missing", "`open games` lists the games.", len(text), 1))
    return Join(game, name, words)


def read_accept(text: str) -> ClubOrder:
    """Accepting an invitation. Raises WrongError."""
    return Accept(*_named(text))


def read_decline(text: str) -> ClubOrder:
    """Declining an invitation. Raises WrongError."""
    return Decline(_named(text)[0])


def read_rematch(text: str) -> ClubOrder:
    """Another game with the same players. Raises WrongError."""
    game, _, words = _named(text)
    return Rematch(game, words)


def _named(text: str) -> tuple[str, str, str]:
    """What stands behind the first word of an order: a game, the name that its sender wants to play under, and words."""
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
        raise named[1].wrong(f"`{shown(named[1].text)}` does not belong here", hint)
    return (named[0].text.lower() if named else ""), name, words


def read_words(text: str) -> ClubOrder:
    """Words for the deal. Raises WrongError."""
    word, typed = text[: len("words")], text[len("words") :]
    said = typed.lstrip(" \t:").strip("\"'“”").strip()
    if not said:
        hint = "Write them behind the colon, such as `words: seven swans on a cold loch`."
        raise WrongError(problem("The words are missing", hint, len(text), 1))
    if not typed.lstrip().startswith(":"):
        raise WrongError(problem("A colon is missing", f"Did you mean `words: {said}`?", 0, len(word)))
    return Words(said)
