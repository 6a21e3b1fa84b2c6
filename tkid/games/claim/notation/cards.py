"""Cards of Claim as people type them: `Goblin 5`, `gob 5`, `G5`."""

from __future__ import annotations

import re
import unicodedata

from tkid.games.claim.rules.deck import COPIES, FACTIONS, Card, Faction
from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import plain
from tkid.notation.vocabulary import Unknown, Vocabulary, listed

LETTERS = {faction.name: faction.letter for faction in FACTIONS.values()}
NAMES = Vocabulary(
    LETTERS, {other: faction.name for faction in FACTIONS.values() for other in (faction.letter, faction.plural)}
)
"""The factions by name, by letter, and in the plural."""
VALUED = re.compile(r"([^\W\d_]+)\s*\d{1,3}")


class Factions(Vocabulary):
    """The factions, also by any card of one."""

    def find(self, typed: str) -> str | Unknown:
        """The faction that was typed, or that of a card."""
        found = VALUED.fullmatch(typed.strip())
        return super().find(found[1] if found else typed)


CARDS = Factions(NAMES.names, NAMES.codes)
"""What a turn begins with: a faction, by whatever card of it."""


def unaccented(text: str) -> str:
    """A text in plain characters, letters without their accents; each keeps its column."""
    return "".join(unicodedata.normalize("NFKD", c)[0] if c.isalpha() else c for c in plain(text))


def faction(typed: str, at: int) -> Faction | Problem:
    """The faction of a word, or what is wrong with it; `at` is its column from 0."""
    found = NAMES.find(typed)
    if isinstance(found, str):
        return FACTIONS[LETTERS[found]]
    hint = f"The factions are {listed(LETTERS, 'and')}."
    return found.problem("faction", "notation.card", (at, len(typed)), hint)


def card(of: Faction, value: str, at: int, length: int) -> Card | Problem:
    """The card of a faction with a value as it was typed, or what is wrong with it."""
    found = f"{of.letter}{int(value)}" if len(value) < 4 else ""
    if found in COPIES:
        return found
    hint = f"{of.plural} have the values {min(of.values)} to {max(of.values)}."
    return Problem(Kind.NAME, "notation.card", f"There is no {of.name} {value}", col=at + 1, length=length, hint=hint)


def named(word: str, value: str, at: int = 0, length: int = 1) -> Card | Problem:
    """The card of a faction's word and a value as they were typed, or what is wrong with them."""
    of = faction(word.strip(), at)
    return of if isinstance(of, Problem) else card(of, value, at, length)
