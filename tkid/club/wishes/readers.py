"""Reads the orders of members that have something behind their first words."""

from __future__ import annotations

import re
from difflib import get_close_matches

from tkid.club.door.model import ClubOrder
from tkid.club.door.readers import AS, LINKED, Part, problem
from tkid.club.observers import MOST_DELAY
from tkid.club.wishes.model import (
    AllowObservers,
    ChangeAddress,
    Observe,
    OfferSeat,
    SetAnonymous,
    SetCalendar,
    SetDigest,
    StopObserving,
    TakeSeat,
)
from tkid.kernel.problems import Kind
from tkid.mail.inbound.envelope import is_address
from tkid.notation.turns import WrongError
from tkid.orders.lookup import shown

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
    return SetDigest(_chosen(text, 1, DAILY, "`digest daily` or `digest off`"))


def read_anonymous(text: str) -> ClubOrder:
    """A pseudonym, or the name again. Raises WrongError."""
    return SetAnonymous(_chosen(text, 1, ON_OFF, "`anonymous on` or `anonymous off`"))


def read_calendar(text: str) -> ClubOrder:
    """A calendar file in turn mails, or none. Raises WrongError."""
    return SetCalendar(_chosen(text, 1, ON_OFF, "`calendar on` or `calendar off`"))


def read_address(text: str) -> ClubOrder:
    """Another address. Raises WrongError."""
    rest = _behind(text, 1)
    typed = LINKED.sub("", rest.text).strip().removeprefix("<").removesuffix(">").removeprefix("mailto:").lower()
    if not typed:
        raise rest.wrong("Your new address is missing", "Write `address ann@example.org`, with your new address.")
    if not is_address(typed):
        hint = "Write the address alone, such as `address ann@example.org`."
        raise rest.wrong(f"`{shown(rest.text)}` is not a mail address", hint)
    return ChangeAddress(typed)


def read_observe(text: str) -> ClubOrder:
    """Observing a game. Raises WrongError."""
    rest = _behind(text, 1)
    late = DELAY.search(f"{rest.text}")
    delay = 0
    if late is not None:
        typed = Part(late["turns"], rest.column + late.start("turns"))
        number = TURNS.fullmatch(typed.text)
        if number is None or int(number[1]) > MOST_DELAY:
            hint = f"Write a number from 0 to {MOST_DELAY}, such as `observe winter delay 3`."
            raise typed.wrong(f"`{shown(typed.text)}` is not a number of turns", hint)
        delay = int(number[1])
        rest = Part(rest.text[: late.start()], rest.column)
    return Observe(_game(rest, "`observe winter`"), delay)


def read_stop_observing(text: str) -> ClubOrder:
    """Observing no longer. Raises WrongError."""
    rest = _behind(text, 2)
    return StopObserving(_game(rest, "`stop observing winter`") if rest.text else "")


def read_observers(text: str) -> ClubOrder:
    """A game without observers, or with them. Raises WrongError."""
    form = "`observers off winter` or `observers on winter`"
    rest = _behind(text, 1)
    word, _, game = rest.text.partition(" ")
    if word.casefold() not in ON_OFF:
        raise Part(word, rest.column).wrong(f"`{shown(word)}` is neither `on` nor `off`", f"Write {form}.")
    named = Part(game, rest.column + len(word) + 1).stripped()
    return AllowObservers(_game(named, form), ON_OFF[word.casefold()])


def read_take_seat(text: str) -> ClubOrder:
    """The seat of a player of a game. Raises WrongError."""
    named = AS.search(text)
    bare = text[: named.start()] if named else text
    return TakeSeat(*_seat(bare, "`take seat Bob of winter`"), named["name"].strip() if named else "")


def read_offer_seat(text: str) -> ClubOrder:
    """The offer of a player's seat. Raises WrongError."""
    return OfferSeat(*_seat(text, "`offer seat Bob of winter`"))


def _seat(text: str, form: str) -> tuple[str, str]:
    """A player and a game. Raises WrongError."""
    match = SEAT.fullmatch(text.strip())
    if match is None:
        hint = f"Write {form}, with the player's name and the name of the game."
        raise WrongError(problem("This does not say whose seat of which game", hint, 0, len(text)))
    return match["player"], _game(Part(match["game"], match.start("game")), form)


def _behind(text: str, words: int) -> Part:
    """What stands behind the first words of a line."""
    first = re.match(rf"\s*(?:\S+\s*){{{words}}}", text)
    begin = first.end() if first else len(text)
    return Part(text[begin:], begin).stripped()


def _chosen(text: str, words: int, choices: dict[str, bool], forms: str) -> bool:
    """What is chosen behind the first words. Raises WrongError."""
    rest = _behind(text, words)
    if rest.text.casefold() not in choices:
        near = get_close_matches(rest.text.casefold(), choices, 1)
        message = f"`{shown(rest.text)}` is not a choice here" if rest.text else "This does not say what you want"
        raise rest.wrong(message, f"Did you mean `{text[: rest.column]}{near[0]}`?" if near else f"Write {forms}.")
    return choices[rest.text.casefold()]


def _game(part: Part, form: str) -> str:
    """The name of a game. Raises WrongError."""
    words = part.text.split()
    named = [word for word in words if word.casefold() not in ARTICLES] or words
    if not named:
        raise part.wrong("The name of the game is missing", f"Write {form}.")
    if len(named) > 1:
        raise part.wrong(f"`{shown(part.text)}` is not the name of one game", f"Write {form}.", Kind.NAME)
    return named[0]
