"""Cards and turns as people type them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from tkid.games.claim.rules import COPIES, FACTIONS, PLAYS, Card, Claim, Faction, Play
from tkid.kernel.problems import Kind, Place, Problem
from tkid.notation import plugin
from tkid.notation.names import Unknown, Vocabulary, list_names
from tkid.notation.text import make_plain

LETTERS = {faction.name: faction.letter for faction in FACTIONS.values()}
CARD_NAMES = Vocabulary(
    LETTERS, {other: faction.name for faction in FACTIONS.values() for other in (faction.letter, faction.plural)}
)
"""The factions by name, by letter, and in the plural."""
VALUED = re.compile(r"([^\W\d_]+)\s*\d{1,3}")


class Factions(Vocabulary):
    """The factions, also by any card of one."""

    def find(self, typed: str) -> str | Unknown:
        card = VALUED.fullmatch(typed.strip())
        return super().find(card[1] if card else typed)


CARDS = Factions(CARD_NAMES.names, CARD_NAMES.codes)
"""Vocabulary for the beginning of a turn: a faction, or any card of it."""


def remove_accents(text: str) -> str:
    """Return a text in plain characters, letters without their accents; each keeps its column."""
    return "".join(unicodedata.normalize("NFKD", c)[0] if c.isalpha() else c for c in make_plain(text))


def read_faction(typed: str, column: int) -> Faction | Problem:
    """Return the faction of a word, or its problem; the column counts from 0."""
    name = CARD_NAMES.find(typed)
    if isinstance(name, str):
        return FACTIONS[LETTERS[name]]
    hint = f"The factions are {list_names(LETTERS, 'and')}."
    return name.make_problem("faction", "notation.card", (column, len(typed)), hint)


def card_of(faction: Faction, value: str, column: int, length: int) -> Card | Problem:
    code = f"{faction.letter}{int(value)}" if len(value) < 4 else ""
    if code in COPIES:
        return code
    place = Place(col=column + 1, length=length)
    hint = f"{faction.plural} have the values {min(faction.values)} to {max(faction.values)}."
    return Problem(Kind.NAME, "notation.card", f"There is no {faction.name} {value}", hint=hint, **place)


def read_card(word: str, value: str, column: int = 0, length: int = 1) -> Card | Problem:
    faction = read_faction(word.strip(), column)
    return faction if isinstance(faction, Problem) else card_of(faction, value, column, length)


TOKEN = re.compile(r"[^\W\d_]+|\d+|\S")
VERBS = ("play", "plays", "lead", "leads")
"""Words that may stand before the card."""
CHOOSING = {"my", "the", "lowest", "highest", "what"}
FORM, ONE_CARD = "notation.form", "claim.trick.order"
"""Rules about the form of a turn, and about one card from each player to each trick."""
EXAMPLE = "A turn is one card, as in `Goblin 5` or `G5`."


class TurnReader(plugin.TurnReader):
    """Reads the turns of a game. Players are never named."""

    game: Claim
    cards = CARDS

    def is_begun(self, text: str) -> bool:
        words = TOKEN.findall(remove_accents(text))
        words = words[1:] if words and words[0].casefold() in VERBS else words
        return len(words) > 1 and words[1].isdecimal() and isinstance(CARD_NAMES.find(words[0]), str)

    def list_cards(self) -> str:
        return f"The cards are {list_names(LETTERS, 'and')}, each with its value."

    def find_rule(self, move: Play) -> str:
        return self.game.ids(f"power.{FACTIONS[move.card[0]].plural.casefold()}")

    def parse_move(self, text: str) -> tuple[Play, Mapping[str, plugin.Span]]:
        """Read a card. Raises WrongError."""
        text = remove_accents(text)
        tokens = [(match.group(), match.start()) for match in TOKEN.finditer(text)]
        if len(tokens) > 1 and tokens[0][0].casefold() in VERBS:
            del tokens[0]
        if not tokens:
            raise _make_form_error("This part is empty", len(text), 1)
        (word, column), rest = tokens[0], tokens[1:]
        if not word.isalpha():
            raise _make_form_error(f"A card begins with its faction, but this is `{word}`", column, len(word))
        if word.casefold() in {"pass", "passes"} and isinstance(CARD_NAMES.find(word), Unknown):
            raise _make_form_error(
                "Nobody can pass: each player plays a card to every trick", column, len(word), ONE_CARD
            )
        if word.casefold() in CHOOSING:
            message = "A turn names its card; only a standing order chooses one, as in `if led Goblin: play my lowest`"
            raise _make_form_error(message, column, len(word))
        faction = read_faction(word, column)
        if isinstance(faction, Problem):
            raise plugin.WrongError(faction)
        if not rest or not rest[0][0].isdecimal():
            found = f", but this is `{rest[0][0]}`" if rest else ""
            place = (rest[0][1], len(rest[0][0])) if rest else (len(text), 1)
            raise _make_form_error(f"The value of the {faction.name} is missing{found}", *place)
        value, value_at = rest[0]
        end = value_at + len(value)
        card = card_of(faction, value, column, end - column)
        if isinstance(card, Problem):
            raise plugin.WrongError(card)
        if rest[1:]:
            left_at = rest[1][1]
            left = text[left_at:].rstrip()
            second = any(isinstance(CARD_NAMES.find(token), str) for token, _ in rest[1:])
            raise _make_form_error(
                f"One card is played, but `{left}` follows", left_at, len(left), ONE_CARD if second else FORM
            )
        return PLAYS[card], {"card": (column, end - column)}


def _make_form_error(message: str, column: int, length: int, rule: str = FORM) -> plugin.WrongError:
    return plugin.WrongError(Problem(Kind.SYNTAX, rule, message, col=column + 1, length=max(1, length), hint=EXAMPLE))
