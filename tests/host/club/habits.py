"""What the people of a simulated club write, as tables: in answer to a letter, instead of a turn, of their own accord."""

from __future__ import annotations

import re
from string import Formatter

from attrs import frozen

from tests.host.year.players import HOST

SEALS = ("seven swans on a cold loch", "a green bottle", "forty-two", "the king is not dead")
RULESETS = ("second-edition", "second-edition-advanced", "digest", "claim")
Shares = tuple[tuple[float, str], ...]
"""What is written, each with its share of a whole; what is left is silence."""


@frozen
class Answer:
    """What a letter is answered with that `asks` for it; `is_game` says whether letters that ask for a turn count too."""

    asks: re.Pattern[str]
    shares: Shares
    in_games: bool = False


ANSWERS = (
    Answer(
        re.compile(r"Reply `accept` or `decline`"),
        ((0.5, "accept\nwords: {seal}"), (0.3, "accept"), (0.1, "decline"), (0.03, "block")),
    ),
    Answer(re.compile(r"eply `yes`"), ((0.95, "yes"), (0.03, "no"))),
    Answer(re.compile(r"`agree draw`"), ((0.5, "agree draw"), (0.5, "agree no")), in_games=True),
    Answer(re.compile(r"`agree abandon`"), ((0.5, "agree abandon"), (0.5, "agree no")), in_games=True),
    Answer(re.compile(r"^Ref table (?P<name>\S+)", re.MULTILINE), ((0.2, "words: {seal}"), (0.03, "decline {name}"))),
    Answer(re.compile(r"^Ref \S+ over|^Ref game over", re.MULTILINE), ((0.2, "rematch"),), in_games=True),
    Answer(re.compile(r"\bjoin (?P<name>\S+)`?$", re.MULTILINE), ((0.8, "join {name}"),)),
)
"""By what stands in the letter, the first that is there."""
INSTEAD: Shares = (
    (0.008, "resign"),
    (0.02, "agree draw"),
    (0.003, "agree abandon"),
    (0.01, "say to all: I am thinking."),
    (0.005, "pause until {day}"),
    (0.01, "status"),
)
"""What somebody writes who does not feel like taking a turn."""
BUTTON = 0.06
"""How likely somebody presses the button for unsubscribing."""
ON_HOLIDAY = 0.01
"""How likely a mail program answers a letter by itself."""
ELSEWHERE = 0.01
"""How likely somebody answers from another address."""

WISHES: tuple[tuple[int, str], ...] = (
    (16, "new game {ruleset} with {friends}, clock 3 days a turn"),
    (10, "new game {ruleset} for {seats}, clock 2 days a turn"),
    (2, "play with {friend}"),
    (8, "open games"),
    (4, "games"),
    (2, "tournaments"),
    (4, "observe {other}"),
    (2, "observe {other} delay 3"),
    (2, "stop observing"),
    (2, "observers off {mine}"),
    (2, "observers on {mine}"),
    (2, "digest daily"),
    (1, "digest off"),
    (3, "notify each game"),
    (2, "anonymous on"),
    (1, "anonymous off"),
    (1, "calendar on"),
    (1, "calendar off"),
    (1, "help"),
    (2, "address {new}"),
    (3, "take seat {seat}"),
    (3, "join {cup}"),
    (1, "rematch {over}"),
    (2, "new game from {over} with {friends}"),
    (1, "block"),
    (1, "new game secnd-edition with bob@"),
    (1, "new game claim with {guest}"),
    (1, "Hello, is anybody there?"),
)
"""What people write of their own accord, and how often. Words in braces are what there is; without it, somebody waits."""

STRANGERS: tuple[str, ...] = (
    "Hello! How do I join?",
    "play with {friend}",
    "open games",
    "new game claim for 2",
    "observe {other}",
    "Cheap watches! Click here",
    "join {cup}",
)
"""What somebody writes who is not known."""
AUTOMATIC: tuple[tuple[str, str], ...] = (
    ("Auto-Submitted: auto-generated", "Your mailbox is nearly full."),
    ("Auto-Submitted: auto-replied", "I am on holiday until Monday."),
    ("Precedence: list\nList-Id: <chess.lists.example>", "new game claim for 2"),
    ("Precedence: bulk", "games"),
    ("Return-Path: <>", "help"),
    ("X-Autoreply: yes", "join spring"),
)
"""Mails of programs: headers and text."""
WHO = "{address}", HOST
"""Whom a mail of a program says it is from: a member, or the host itself."""


def fields(text: str) -> set[str]:
    """What a text has to be filled with."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def chosen(shares: Shares, lot: float) -> str:
    """What a lot between 0 and 1 falls on."""
    for share, text in shares:
        if lot < share:
            return text
        lot -= share
    return ""
