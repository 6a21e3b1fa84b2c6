"""The page Play: three ways to start a game, in three lines each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from docs.making.html import html
from docs.making.pocket import pocket, pocket_pages


class Step(NamedTuple):
    """A step of a way to play: what you do, and the line to copy for it ("" if there is none)."""

    words: str
    line: str = ""


class Way(NamedTuple):
    """A way to play: its title, who it is for, its steps, what else to know, and its buttons with their paths."""

    title: str
    about: str
    steps: tuple[Step, Step, Step]
    note: str
    buttons: tuple[tuple[str, str], ...]


WAYS = (
    Way(
        "With a host",
        "You only need mail. A host deals, draws the board and keeps the time.",
        (
            Step("Get the address of a host: from a club, or from a friend who runs one."),
            Step("Write a mail to it, with one line:", "play with bob@example.org"),
            Step(
                "When the host asks for your turn, reply with a line such as:",
                "Scottish Support SS Moray; summon E Essex",
            ),
        ),
        "Nobody to play with? Write `open games`, or `new game with bot`. No host near you? Anybody can run one.",
        (("How it works", "play-by-email/"), ("Run a host", "host/")),
    ),
    Way(
        "In one file",
        "One computer: pass it round the table, or play against a program.",
        (
            Step("Install tkid (Python 3.11 or newer) from a copy of its source:", "pip install ."),
            Step("Deal a game against a program:", "tkid new winter.tkid Ann Merlin --bot Merlin --first Ann"),
            Step(
                "Play a turn; Merlin answers:", 'tkid play winter.tkid "Manoeuvre S Moray <> W Gwynedd; summon E Essex"'
            ),
        ),
        "`tkid legal winter.tkid` lists what you may play. Leave out `--bot Merlin` to play with a friend.",
        (("Play against the computer", "opponents/"),),
    ),
    Way(
        "By letters",
        "Two computers and no host: your own mail programs carry the game file.",
        (
            Step("Both install tkid. One of you deals:", "tkid new winter.tkid Ann Bob --first Ann --me Ann"),
            Step("Play a turn as above, write the letter, and send it:", "tkid letter write winter.tkid -o turn.eml"),
            Step(
                "Save the mail that comes, and read it into your file:", "tkid letter read winter.tkid turn.eml --begin"
            ),
        ),
        "You need `--begin` for the first letter only. To make sure that nobody chose the deal, draw it together.",
        (("From hand to hand", "hand-to-hand/"),),
    ),
)
"""The ways to start a game. The first one needs nothing but mail."""


@pocket_pages
def play_page() -> Iterable[tuple[str, str]]:
    """The page Play."""
    page = pocket(
        "play.html",
        "play/index.html",
        title="Start a game",
        tab="play",
        description="Three ways to start a game of The King is Dead: with a host, in one file, or by letters.",
        ways=WAYS,
        html=html,
    )
    return [("play/index.html", page)]
