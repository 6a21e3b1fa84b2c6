"""The set-up of Claim as lines: hands, the deck from its top, and who leads first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tkid.games.claim.notation import cards as typed
from tkid.games.claim.notation.position_line import group
from tkid.games.claim.rules.deck import HAND, PACK, SEATS, Card, Cards, Deal, ordered
from tkid.games.claim.rules.game import Tricks
from tkid.kernel.game import HIDDEN
from tkid.kernel.problems import Kind, Problem
from tkid.notation.vocabulary import Vocabulary, listed
from tkid.record.format.setup_rows import RowError, Rows

LABELS = ("Hand", "Deck", "First")
CARD = re.compile(r"(?:(?P<word>[^\W\d_]+)[ \t]*(?P<value>\d+)|(?P<hidden>\d{0,2}\?))(?:[ \t]*,[ \t]*|[ \t]+|$)")
DECK = len(PACK) - HAND * SEATS
NEEDED = "A line is needed for every hand, for the deck, and for who is first."


def setup_rows(deal: Deal, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Label and value of each line of a set-up."""
    for name, hand in zip(names, deal.hands, strict=True):
        yield f"Hand {name}", group(hand)
    yield "Deck", group(deal.deck)
    yield "First", names[deal.first]


def read_hand(game: Tricks, text: str) -> tuple[Cards, list[Problem]]:
    """The cards of a hand that stands alone, as on a `Hand` line; () with the problems where one is not understood."""
    reader = SetupReader(game, (), [text])
    try:
        return reader.hand(typed.unaccented(text)), []
    except RowError as wrong:
        reader.report(wrong, 1)
        return (), reader.problems


class SetupReader(Rows):
    """Reads the lines of a set-up into a deal."""

    def __init__(self, game: Tricks, names: tuple[str, ...], lines: list[str]) -> None:
        super().__init__(names, lines)
        self.game = game

    def read(self, lines: list[tuple[int, str]], comments: list[str], at: int) -> Deal | None:
        """The deal; None where it is not complete or not as the rules ask. `at` is the line `Setup`."""
        self.take(lines, comments)
        if not self.complete([*(f"Hand {name}" for name in self.names), "Deck", "First"], NEEDED, at):
            return None
        value = {label: found for label, (_, found) in self.rows.items()}
        hands = tuple(value[f"Hand {name}"] for name in self.names)
        deal = Deal(hands, value["Deck"], value["First"])
        self.illegal(self.game.faults(deal))
        return None if self.problems else deal

    def row(self, line: str) -> tuple[str, Any]:
        """Label and value of a line."""
        word, _, rest = line.partition(" ")
        match word.casefold():
            case "hand":
                seat, value = self.player(rest)
                return f"Hand {self.names[seat]}", self.hand(typed.unaccented(value))
            case "deck":
                return "Deck", self.cards(typed.unaccented(rest), DECK)
            case "first":
                return "First", self.player(rest, alone=True)[0]
        found = Vocabulary(dict.fromkeys(LABELS), {}).find(word)
        meant = (found,) if isinstance(found, str) else found.meant
        hint = f"Did you mean {listed(meant)}?" if meant else f"It is {listed(LABELS)}."
        raise RowError(f"`{word}` is nothing that a set-up describes", hint, word, kind=Kind.NAME)

    def hand(self, text: str) -> Cards:
        """The cards of a hand; a single `?` stands for all of them."""
        return ordered(self.cards(text, HAND))

    def cards(self, text: str, size: int) -> Cards:
        """Cards with blanks or commas between them; a single `?` stands for as many as there have to be."""
        text = text.strip()
        if text == HIDDEN:
            return (HIDDEN,) * size
        parts, at = [], 0
        while at < len(text) and text != "-":
            match = CARD.match(text, at)
            if match is None:
                found = re.findall(r"[^\s,]+|,", text[at:])[0]
                hint = "Cards are written `G5 K9`, hidden ones `?` or with their number, as in `12?`."
                raise RowError(f"`{found}` is no card", hint, found, "notation.card", Kind.NAME)
            parts.append(match.group().rstrip(" ,\t"))
            at = match.end()
        return tuple(self.each(parts, _named))


def _named(part: str) -> Sequence[Card]:
    """The card that a word and a value name, or so many hidden ones."""
    if part.endswith(HIDDEN):
        return [HIDDEN] * int(part[:-1] or 1)
    value = re.search(r"\d+$", part)
    assert value is not None
    faction = typed.faction(part[: value.start()].strip(), 0)
    found = faction if isinstance(faction, Problem) else typed.card(faction, value[0], 0, 1)
    if isinstance(found, Problem):
        raise RowError(found.message, found.hint, part, found.rule, found.kind)
    return [found]
