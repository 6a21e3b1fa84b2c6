"""Cards of Claim as people type them: `Goblin 5`, `gob 5`, `G5`."""

from __future__ import annotations

import re
import unicodedata

from tkid.games.claim.rules.deck import COPIES, FACTIONS, Card, Faction
from tkid.kernel.problems import Kind, Place, Problem
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
        card = VALUED.fullmatch(typed.strip())
        return super().find(card[1] if card else typed)


CARDS = Factions(NAMES.names, NAMES.codes)
"""What a turn begins with: a faction, by whatever card of it."""


def unaccented(text: str) -> str:
    """A text in plain characters, letters without their accents; each keeps its column."""
    return "".join(unicodedata.normalize("NFKD", c)[0] if c.isalpha() else c for c in plain(text))


def read_faction(typed: str, column: int) -> Faction | Problem:
    """The faction of a word, or what is wrong with it; the column counts from 0."""
    name = NAMES.find(typed)
    if isinstance(name, str):
        return FACTIONS[LETTERS[name]]
    hint = f"The factions are {listed(LETTERS, 'and')}."
    return name.problem("faction", "notation.card", (column, len(typed)), hint)


def card_of(faction: Faction, value: str, column: int, length: int) -> Card | Problem:
    """The card of a faction with a value as it was typed, or what is wrong with it."""
    code = f"{faction.letter}{int(value)}" if len(value) < 4 else ""
    if code in COPIES:
        return code
    place = Place(col=column + 1, length=length)
    hint = f"{faction.plural} have the values {min(faction.values)} to {max(faction.values)}."
    return Problem(Kind.NAME, "notation.card", f"There is no {faction.name} {value}", hint=hint, **place)


def read_card(word: str, value: str, column: int = 0, length: int = 1) -> Card | Problem:
    """The card of a faction's word and a value as they were typed, or what is wrong with them."""
    faction = read_faction(word.strip(), column)
    return faction if isinstance(faction, Problem) else card_of(faction, value, column, length)
