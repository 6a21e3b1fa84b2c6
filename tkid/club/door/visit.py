"""What passes between the door and a host: what is known of a mail, what can be looked up, and what follows from an order."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from tkid.club.members import Member
from tkid.club.message import ClubLetter
from tkid.club.tables import Table
from tkid.club.terms import ClubTerms
from tkid.kernel.problems import Problem
from tkid.mail.desk.service import Outcome
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.letters.blocks import Blocks
from tkid.record.format.model import Record

DOOR = "door"
"""What letters are about that are about no game: a reply to one is a mail to the club."""


@frozen
class Visit:
    """A mail to the club that is believed: who wrote it, when it came, and what it answers.

    `sender` is the address in lower case. `about` is what the letter was about that it answers: `table spring`, `game
    winter`, or "" for no letter. `entropy` are 32 random bytes that were drawn for this mail. `host` is the address of the host.
    `name` is the name beside the address in the mail, "" for none.
    """

    sender: str
    time: datetime
    about: str
    entropy: bytes
    club: ClubTerms
    host: str
    owner: bool = False
    name: str = ""

    def game(self, kind: str) -> str:
        """The name behind a word in what the mail answers: of the game, of the table; "" where it is about no such thing."""
        word, _, name = self.about.partition(" ")
        return name if word == kind else ""


@frozen
class Kept:
    """A document that is to be kept in the place of what was there: its kind, id and text, and when to look at it again.

    Without a text it is dropped. One that `is_new` takes the place of nothing: where its name is taken meanwhile, the order
    is carried out again.
    """

    kind: str
    id: str
    text: str | None
    due: datetime | None = None
    is_new: bool = False


class ClubState(Protocol):
    """What can be looked up while an order is carried out."""

    def member(self, address: str) -> Member:
        """The member with an address; one of whom nothing is known where the club keeps nothing."""

    def is_known(self, address: str) -> bool:
        """Whether somebody is a member or plays here."""

    def table(self, name: str) -> Table | None:
        """The game that gathers players under a name, also for a while after that."""

    def tables(self) -> Sequence[Table]:
        """All games that gather players, and those that did so not long ago."""

    def games(self, address: str) -> Sequence[tuple[str, HostedGame]]:
        """The hosted games in which somebody has or had a seat, by name."""

    def game(self, name: str) -> HostedGame | None:
        """A hosted game."""

    def running(self) -> Sequence[str]:
        """The names of the hosted games that go on."""

    def is_taken(self, name: str) -> bool:
        """Whether a game has a name, or one that gathers players."""

    def counted(self, address: str, what: str) -> int:
        """Count one more of something for an address today: how many by now."""

    def document(self, kind: str, name: str) -> str | None:
        """The text of a document of any kind."""

    def documents(self, kind: str) -> Sequence[Kept]:
        """All documents of a kind, by id."""


@frozen
class Result:
    """What follows from an order to the club.

    `lead` is the answer in one sentence of at most 78 columns, "" where the sender gets no answer, and `body` what it says
    below. `about` is what the answer is about, for its key. `problem` is what is wrong with the order, and then nothing
    else is done; `wrong` is the word of the order that it is about, "" for the game that the order names. `letters` go to others. `kept` are documents, `begins` games that begin, by name, and `changes` hosted
    games that are changed, by name.
    """

    lead: str = ""
    body: Blocks = ()
    about: str = DOOR
    problem: Problem | None = None
    wrong: str = ""
    letters: tuple[ClubLetter, ...] = ()
    kept: tuple[Kept, ...] = ()
    begins: tuple[tuple[str, Record], ...] = ()
    changes: tuple[tuple[str, Outcome], ...] = ()
