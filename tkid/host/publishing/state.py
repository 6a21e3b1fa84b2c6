"""What a host remembers of the pages that it has published, so that only those are made again that show something else.

It is kept in the host's folder and not among the pages, as it knows addresses and who is anonymous.
"""

from __future__ import annotations

import json
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from attrs import asdict, define, field, frozen
from cattrs import Converter

from tkid.club.pages.facts import GameFacts
from tkid.files import whole_file
from tkid.host.publishing.people import Roster

FORM = 1
"""The form of pages and of this file. With another number everything is made again."""
_CONVERTER = Converter(detailed_validation=False, omit_if_default=True)
_CONVERTER.register_unstructure_hook(datetime, datetime.isoformat)
_CONVERTER.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))


@frozen
class Due:
    """The deadline that runs in a game: whose it is (by address), and the times of it."""

    address: str
    turn: int
    since: datetime
    until: datetime
    end: datetime


@frozen
class Entry:
    """A game that was published.

    `record` is a digest of its record, `key` one of all that its pages show. `facts` are those that other pages need.
    `result` is its result as text, "" while it goes on. `text` is the entry as it is kept.
    """

    record: str
    key: str
    roster: Roster
    facts: GameFacts
    files: tuple[str, ...]
    result: str = ""
    due: Due | None = None

    @cached_property
    def text(self) -> str:
        """As it is kept: worked out once, as most entries never change again."""
        return json.dumps(_CONVERTER.unstructure(self), ensure_ascii=False, separators=(",", ":"))


@define
class State:
    """What was published: games, files about more than one game with a digest of what they show, pages of people.

    `pending` are the games that are left to do, `stale` files that nothing leads to any more.

    `world` is a digest of what all pages depend on, `looked` the day on which every game was last looked at. While it is
    `unfinished`, pages about more than one game are still to be made.
    """

    entries: dict[str, Entry] = field(factory=dict)
    files: dict[str, str] = field(factory=dict)
    people: dict[str, str] = field(factory=dict)
    pending: list[str] = field(factory=list)
    stale: list[str] = field(factory=list)
    world: str = ""
    looked: str = ""
    unfinished: bool = False

    @classmethod
    def read(cls, file: Path) -> State:
        """The state as it was written; an empty one where there is none that can be read."""
        try:
            first, *lines = file.read_text("utf-8").splitlines()
            data = json.loads(first)
            if data.pop("form") != FORM:
                return cls()
            pairs = (line.split("\t", 1) for line in lines)
            entries = {json.loads(name): _CONVERTER.structure(json.loads(text), Entry) for name, text in pairs}
            return cls(entries, **data)
        except (OSError, ValueError, KeyError, TypeError):
            return cls()

    def write(self, file: Path) -> None:
        """Keep it, whole or not at all: a line about all, and one for each game. Raises OSError."""
        data = asdict(self, filter=lambda attribute, _: attribute.name != "entries")
        lines = (f"{json.dumps(name)}\t{entry.text}\n" for name, entry in self.entries.items())
        head = json.dumps({"form": FORM} | data, ensure_ascii=False, separators=(",", ":")) + "\n"
        with whole_file(file, lasting=False) as out:
            out.writelines(line.encode() for line in (head, *lines))


def digest(*parts: object) -> str:
    """A digest of some values, the same in every process."""
    return sha256("\n".join(map(str, parts)).encode("utf-8", "replace")).hexdigest()[:32]
