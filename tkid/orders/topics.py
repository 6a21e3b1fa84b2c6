"""Topics: requests in a player's own words, and the orders that fulfil them.

A topic is about playing here, not about the rules: how to take a turn back, end the game or change an address. The table in
`topics.toml` covers the orders of a game and those of a club.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from itertools import islice
from pathlib import Path

from attrs import converters, field, frozen

from tkid.notation.text import make_plain

TABLE = Path(__file__).with_name("topics.toml")
MAX_SENTENCES, MAX_LENGTH = 8, 300
"""Maximum number of sentences that are looked at, and maximum length of one."""
SENTENCE = re.compile(r"(?:[^.!?\s]|[.!?](?=\w))(?:[^.!?]++|[.!?](?=\w)|(?<=\d)\.(?=\s[^\W\d_]))*+[?]?")
"""A sentence; a dot behind a number may be part of a day, as in `3. Januar`. It keeps no way back for each character."""
HOW = re.compile(r"\b(?:how|what|where|which|wie|comment|cómo)\b", re.IGNORECASE)


def _compile_phrases(table: str) -> re.Pattern[str]:
    """Return the pattern of some phrases, one a line: ` … ` matches a few words between others."""
    phrases = (line.strip().replace(" … ", r"\b.{0,25}\b") for line in table.strip().split("\n"))
    return re.compile("|".join(rf"(?<!\w)(?:{each})(?!\w)" for each in phrases), re.IGNORECASE)


@frozen
class Topic:
    """A request: its line, aim and phrases; `vague` ones count only outside replies to a game's mail."""

    line: str
    aim: str
    phrases: re.Pattern[str] = field(converter=_compile_phrases)
    club: bool = False
    vague: re.Pattern[str] | None = field(default=None, converter=converters.optional(_compile_phrases))

    def fits(self, asked: str, *, in_game: bool) -> bool:
        patterns = [self.phrases, *([self.vague] if self.vague and not in_game else [])]
        return any(each.search(asked) for each in patterns)

    def write_answer(self, line: str = "") -> str:
        """Return the sentence that names the order, with the line as it is to be written."""
        return f"To {self.aim}, reply `{line or self.line}`."


@cache
def load_topics() -> tuple[Topic, ...]:
    """Return all topics. Of those of one sentence, the first is answered first."""
    return tuple(Topic(**row) for row in tomllib.loads(TABLE.read_text("utf-8"))["topic"])


def split_into_sentences(texts: Iterable[str]) -> list[str]:
    """Return the first sentences of some lines; lines that follow one another are one text."""
    found = (each[0] for each in SENTENCE.finditer(make_plain(" ".join(texts)).replace("’", "'")))
    return [text.strip() for text in islice((each for each in found if len(each) <= MAX_LENGTH), MAX_SENTENCES)]


def asks_how(asked: str) -> bool:
    """Return True if a sentence asks how something is done, and not for the thing itself."""
    return HOW.search(asked) is not None


def find_topics(texts: Sequence[str], *, in_game: bool) -> Iterator[tuple[Topic, str]]:
    """Yield the topics of some lines in order, each with its sentence; `in_game` for replies to a game's mail."""
    left = list(load_topics())
    for asked in split_into_sentences(texts):
        for topic in [each for each in left if each.fits(asked, in_game=in_game)]:
            left.remove(topic)
            yield topic, asked


PLACEHOLDER = re.compile(r"\b[A-Z][A-Z@.]{2,}")
"""A part of an order that its sender has to fill in."""
ADDRESS = re.compile(r"[^\s<>()@,;:]+@[^\s<>()@,;:]+\.\w+")


def complete_line(topic: Topic, asked: str, today: date) -> str:
    """Return the line of a topic with the days or the address that a sentence names."""
    days, address = find_absence(asked, today), ADDRESS.search(asked)
    if days and topic.line.startswith("away "):
        return f"away {days[0]} to {days[1]}"
    if days and topic.line.startswith("pause "):
        return f"pause until {days[1]}"
    verb = next((verb for verb in ("address ", "play with ") if topic.line.startswith(verb)), "")
    return f"{verb}{address[0]}" if address and verb else topic.line


def is_complete(line: str) -> bool:
    """Return True if a line can be sent as it is."""
    return PLACEHOLDER.search(line) is None


MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
OTHER_MONTHS = {
    "mai": 5, "okt": 10, "dez": 12, "mär": 3, "déc": 12, "fév": 2, "avr": 4, "juin": 6, "aoû": 8, "juil": 7, "aout": 8,
    "ener": 1, "abri": 4, "agos": 8, "dici": 12, "genn": 1, "magg": 5, "giug": 6, "lugl": 7, "sett": 9, "otto": 10, "maart": 3, "mei": 5,
}  # fmt: skip
MONTH = rf"(?:{'|'.join((*MONTHS, *OTHER_MONTHS))})[^\W\d_]*\.?"
ORDINAL = r"(?:st|nd|rd|th)?"
DAY = re.compile(
    r"(?<![\w/.:])(?:(?P<iso>\d{4}-\d{1,2}-\d{1,2})"
    r"|(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.(?:\s?(?P<year>\d{4}))?"
    rf"|(?P<name_1>{MONTH})\s+(?:the\s+)?(?P<day_1>\d{{1,2}}){ORDINAL}(?:,?\s+(?P<year_1>\d{{4}}))?"
    rf"|(?P<day_2>\d{{1,2}})(?:st|nd|rd|th|er|º|°|\.)?(?:\s*(?:of\s+|de\s+|di\s+)?(?P<name_2>{MONTH})(?:,?\s+(?P<year_2>\d{{4}}))?)?)"
    r"(?![\w/:])(?!\s*(?:days?|weeks?|months?|hours?|minutes?|o'clock|[ap]m|turns?|players?|tage|jours|días|giorni|dagen|wochen|weken|semanas)\b)",
    re.IGNORECASE,
)
"""A day in a sentence: `20`, `20th of December`, `December 20, 2026`, `20.12.`, `2026-12-20`."""
UP_TO = re.compile(
    r"[\s,]*(?:[-–—]|to|until|till|til|through|thru|and|bis|au|al|all'|a|hasta|fino|tot(?: en met)?|t/m|e|y|et|und)"
    r"\s*(?:the|zum|el|al|au)?\s*",
    re.IGNORECASE,
)
ENDING_ON = re.compile(
    r"\b(?:until|till|til|through|thru|bis|jusqu'au|hasta|fino|tot|t/m)\s+(?:the\s+|zum\s+|el\s+|al\s+)?\Z",
    re.IGNORECASE,
)
LONGEST_ABSENCE, FURTHEST = timedelta(days=92), timedelta(days=300)
"""Most days of an absence in a sentence, and the days from today after which it does not begin: its days have passed."""


def find_absence(text: str, today: date) -> tuple[date, date] | None:
    """Return the first and last day that a sentence names, from tomorrow on; None if it surely names none."""
    days, tomorrow = list(DAY.finditer(text)), today + timedelta(days=1)
    if len(days) == 1 and ENDING_ON.search(text[: days[0].start()]):
        last = _resolve_day(*_read_parts(days[0]), tomorrow)
        return _make_span(tomorrow, last, today)
    if len(days) == 1 and _read_parts(days[0])[1]:
        only = _resolve_day(*_read_parts(days[0]), tomorrow)
        return _make_span(only, only, today)
    if len(days) != 2 or not UP_TO.fullmatch(text[days[0].end() : days[1].start()]):
        return None
    (day, month, year), (last_day, last_month, last_year) = map(_read_parts, days)
    before = (last_month - 2) % 12 + 1 if last_month else 0
    for own_month in (month,) if month else (last_month, before):
        first = _resolve_day(day, own_month, year, tomorrow)
        last = _resolve_day(last_day, last_month or own_month, last_year, first) if first else None
        if span := _make_span(first, last, today):
            return span
    return None


def _read_parts(match: re.Match[str]) -> tuple[int, int, int]:
    """Return the day, month and year of a day in a sentence, 0 for a part that is not there."""
    if match["iso"]:
        year, month, day = map(int, match["iso"].split("-"))
        return day, month, year
    name = (match["name_1"] or match["name_2"] or "").casefold()
    months = {**{short: number for number, short in enumerate(MONTHS, 1)}, **OTHER_MONTHS}
    month = next((number for short, number in months.items() if name.startswith(short)), 0)
    year = int(match["year"] or match["year_1"] or match["year_2"] or 0)
    return int(match["day"] or match["day_1"] or match["day_2"]), month or int(match["month"] or 0), year


def _resolve_day(day: int, month: int, year: int, since: date) -> date | None:
    """Return the next day like this one, from a day on."""
    later = (since + timedelta(days=days) for days in range(800))
    found = (each for each in later if each.day == day and month in {0, each.month} and year in {0, each.year})
    return next(found, None)


def _make_span(first: date | None, last: date | None, today: date) -> tuple[date, date] | None:
    is_span = first and last and first <= last <= first + LONGEST_ABSENCE and first <= today + FURTHEST
    return (first, last) if is_span and first and last else None
