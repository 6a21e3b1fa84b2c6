"""The set-up of Claim as lines: hands, the deck from its top, and who leads first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tkid.games.claim.notation import cards as typed
from tkid.games.claim.notation.position_line import group
from tkid.games.claim.rules.deck import HAND, PACK, SEATS, Card, Cards, Deal, ordered
from tkid.kernel.game import HIDDEN
from tkid.kernel.problems import Kind, Problem
from tkid.record.format.setup_rows import FIRST, RowError, Rows

CARD = re.compile(r"(?:(?P<word>[^\W\d_]+)[ \t]*(?P<value>\d+)|(?P<hidden>\d{0,2}\?))(?:[ \t]*,[ \t]*|[ \t]+|$)")
DECK = len(PACK) - HAND * SEATS


def setup_rows(deal: Deal, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Label and value of each line of a set-up."""
    for name, hand in zip(names, deal.hands, strict=True):
        yield f"Hand {name}", group(hand)
    yield "Deck", group(deal.deck)
    yield FIRST, names[deal.first]


class SetupReader(Rows):
    """Reads the lines of a set-up into a deal."""

    needed = "A line is needed for every hand, for the deck, and for who is first."

    @property
    def readers(self) -> Mapping[str, Callable[[str], Cards]]:
        """What reads the cards of a line."""
        return {"Hand": lambda text: ordered(self._cards(text, HAND)), "Deck": lambda text: self._cards(text, DECK)}

    def labels(self) -> Sequence[str]:
        """The labels of the lines without which there is no deal."""
        return [*(f"Hand {name}" for name in self.names), "Deck", FIRST]

    def deal(self, values: Mapping[str, Any]) -> Deal:
        """The deal of what the lines say by their labels."""
        return Deal(tuple(values[f"Hand {name}"] for name in self.names), values["Deck"], values[FIRST])

    def _cards(self, text: str, size: int) -> Cards:
        """Cards with blanks or commas between them; a single `?` stands for as many as there have to be."""
        text = typed.unaccented(text).strip()
        if text == HIDDEN:
            return (HIDDEN,) * size
        parts, at = [], 0
        while at < len(text) and text != "-":
            match = CARD.match(text, at)
            if match is None:
                word = re.findall(r"[^\s,]+|,", text[at:])[0]
                hint = "Cards are written `G5 K9`, hidden ones `?` or with their number, as in `12?`."
                raise RowError(f"`{word}` is not a card", hint, word, "notation.card", Kind.NAME)
            parts.append(match.group().rstrip(" ,\t"))
            at = match.end()
        return tuple(self.each(parts, _named))


def _named(part: str) -> Sequence[Card]:
    """The card that a word and a value name, or so many hidden ones."""
    if part.endswith(HIDDEN):
        return [HIDDEN] * int(part[:-1] or 1)
    value = re.search(r"\d+$", part)
    assert value is not None
    card = typed.read_card(part[: value.start()], value[0])
    if isinstance(card, Problem):
        raise RowError(card.message, card.hint, part, card.rule, card.kind)
    return [card]
