"""Speak to one reader about the players: `you play`, `Ann played`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from tkid.notation.names import list_names
from tkid.notation.text import capitalize_text

FORMS = {
    "become": ("becomes", "became"), "come": ("comes", "came"), "copy": ("copies", "copied"), "draw": ("draws", "drew"),
    "fall": ("falls", "fell"), "find": ("finds", "found"), "go": ("goes", "went"), "lead": ("leads", "led"),
    "pass": ("passes", "passed"), "put": ("puts", "put"), "swap": ("swaps", "swapped"), "take": ("takes", "took"),
    "win": ("wins", "won"),
}  # fmt: skip
"""Verbs with other endings than -s and -ed."""


def inflect_verb(verb: str, *, one: bool, past: bool) -> str:
    """Return the form of a verb behind one person or thing, or behind `you` or several: `plays`, `play`, `played`."""
    single, told = FORMS.get(verb, (f"{verb}s", f"{verb.removesuffix('e')}ed"))
    return told if past else single if one else verb


def make_sentence(text: str) -> str:
    """Return a text as a sentence: with a capital at its start and one stop at its end, also behind a name like `J.R.`."""
    return f"{capitalize_text(text).removesuffix('.')}."


def choose_fitting(room: int, *wordings: str) -> str:
    """Return the first wording that is no longer than the room, else the last."""
    return next((wording for wording in wordings if len(wording) <= room), wordings[-1])


def list_and(names: Iterable[str]) -> str:
    """Return names or things as a list: `Moray, Gwynedd and Lancaster`; "" for none."""
    every = tuple(names)
    return list_names(every, "and") if every else ""


def join_clauses(clauses: Sequence[str]) -> str:
    """Join what somebody does: `plays March, moves a Scottish follower from Moray to Devon, and summons nobody`."""
    return f"{', '.join(clauses[:-1])}, and {clauses[-1]}" if len(clauses) > 2 else " and ".join(clauses)


@frozen
class Voice:
    """Speaks of players to the seat `reader` (None: somebody who watches), with `past` of what happened."""

    names: Sequence[str]
    reader: int | None = None
    past: bool = False

    def name_player(self, seat: int) -> str:
        """Name a player within a sentence: `you`, `Bob`."""
        return "you" if seat == self.reader else self.names[seat]

    def name_owner(self, seat: int) -> str:
        """Name the owner of something: `your`, `Bob's`."""
        return "your" if seat == self.reader else f"{self.names[seat]}'s"

    def name_all(self, seats: Iterable[int]) -> str:
        """Name several players, the reader first: `you and Bob`."""
        return list_and(self.name_player(seat) for seat in sorted(seats, key=lambda seat: (seat != self.reader, seat)))

    def is_one(self, seats: Sequence[int]) -> bool:
        """Return True if these players take a verb like `has`: one player who is not the reader."""
        return len(seats) == 1 and seats[0] != self.reader

    def choose_verb(self, seats: Sequence[int], one: str, other: str) -> str:
        """Return the form of a verb behind these players: `has` or `have`."""
        return one if self.is_one(seats) else other

    def inflect(self, verb: str, *seats: int) -> str:
        """Return the form of a verb behind these players: `plays`, `play`, `played`."""
        return inflect_verb(verb, one=self.is_one(seats), past=self.past)
