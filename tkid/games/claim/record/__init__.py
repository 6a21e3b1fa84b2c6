"""Claim's part for records, and the reader of its set-up lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from attrs import evolve

from tkid.games.claim.notation import turns as typed
from tkid.games.claim.notation.positions import format_cards
from tkid.games.claim.rules import (
    COPIES,
    DOPPELGANGER,
    HAND,
    NAMES,
    PACK,
    SEATS,
    Card,
    Cards,
    Claim,
    Deal,
    Play,
    Position,
    hide_cards,
    reveal_deck_cards,
    sort_cards,
)
from tkid.kernel.game import HIDDEN
from tkid.kernel.problems import Kind, Problem
from tkid.record.format.model import Record, Turn
from tkid.record.format.plugin import FIRST, Carried, RecordPlugin, RowError, Rows, Rules

CARD = re.compile(r"(?:(?P<word>[^\W\d_]+)[ \t]*(?P<value>\d+)|(?P<hidden>\d{0,2}\?))(?:[ \t]*,[ \t]*|[ \t]+|$)")
DECK = len(PACK) - HAND * SEATS


class SetupReader(Rows):
    """Reads the lines of a set-up into a deal."""

    needed = "A line is needed for every hand, for the deck, and for who is first."

    @property
    def readers(self) -> Mapping[str, Callable[[str], Cards]]:
        return {
            "Hand": lambda text: sort_cards(self._read_cards(text, HAND)),
            "Deck": lambda text: self._read_cards(text, DECK),
        }

    def list_labels(self) -> Sequence[str]:
        return [*(f"Hand {name}" for name in self.names), "Deck", FIRST]

    def deal(self, values: Mapping[str, Any]) -> Deal:
        return Deal(tuple(values[f"Hand {name}"] for name in self.names), values["Deck"], values[FIRST])

    def _read_cards(self, text: str, size: int) -> Cards:
        """Read cards between blanks or commas; a single `?` means all cards of the place."""
        text = typed.remove_accents(text).strip()
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
        return tuple(self.read_parts(parts, _parse_cards))


def _parse_cards(part: str) -> Sequence[Card]:
    """Return the card of a word and a value, or a number of hidden cards."""
    if part.endswith(HIDDEN):
        return [HIDDEN] * int(part[:-1] or 1)
    value = re.search(r"\d+$", part)
    assert value is not None
    card = typed.read_card(part[: value.start()], value[0])
    if isinstance(card, Problem):
        raise RowError(card.message, card.hint, part, card.rule, card.kind)
    return [card]


BY_NAME: Mapping[str, Card] = {NAMES[card].casefold(): card for card in COPIES}
PRIZE = re.compile(r"prize: (?P<card>.+)")
DRAWS = re.compile(r".+ draws (?P<card>.+)")


class ClaimRecord(RecordPlugin):
    """Records of Claim."""

    rules = Rules("trick.order", "trick.hand")
    row = r"(?:hand|deck|first)\s+\S"
    setup_reader = SetupReader
    parts = MappingProxyType({"Deck": "the deck"})

    def list_setup_rows(self, _: Claim, deal: Deal, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        for name, hand in zip(names, deal.hands, strict=True):
            yield f"Hand {name}", format_cards(hand)
        yield "Deck", format_cards(deal.deck)
        yield FIRST, names[deal.first]

    def is_secret(self, row: str) -> bool:
        return row.startswith(("hand ", "deck "))

    def hide_deal(self, game: Claim, deal: Deal, seat: int | None) -> Deal:
        """Return a deal with the seat's own hand and the first prize; everything else is hidden."""
        hidden: Deal = super().hide_deal(game, deal, seat)
        return evolve(hidden, deck=(*deal.deck[:1], *hide_cards(deal.deck[1:])))

    def hide_unknown_parts(self, _: Claim, dealt: Deal, stated: Deal) -> Deal:
        known = zip(dealt.deck, stated.deck, strict=True)
        return evolve(dealt, deck=tuple(HIDDEN if other == HIDDEN else card for card, other in known))

    def fill_deal(self, _: Claim, deal: Deal, other: Deal) -> Deal:
        both = zip(deal.deck, other.deck, strict=True)
        return evolve(deal, deck=tuple(theirs if card == HIDDEN else card for card, theirs in both))

    def read_revealed_cards(self, lines: Iterable[str]) -> tuple[Card, Card]:
        """Return the drawn card and the next prize that the lines after a turn state, or HIDDEN."""
        drawn = prize = HIDDEN
        for line in lines:
            text = " ".join(line.casefold().split())
            match = PRIZE.fullmatch(text) or DRAWS.fullmatch(text)
            card = BY_NAME.get(match["card"]) if match else None
            if match and card:
                drawn, prize = (drawn, card) if match.re is PRIZE else (card, prize)
        return drawn, prize

    def find_revelations(self, record: Record) -> Mapping[int, Callable[[Position], Position]]:
        learned = {}
        for number, turn in enumerate(record.turns, 1):
            drawn, prize = self.read_revealed_cards(outcome.text for outcome in turn.outcomes)
            if not turn.undone and (drawn, prize) != (HIDDEN, HIDDEN):
                learned[number] = partial(reveal_deck_cards, drawn=drawn, prize=prize)
        return learned

    def list_unproven_cards(self, _: Claim, position: Position, seat: int, move: Play) -> Iterable[str]:
        """Yield the unproven claims of a card: that a hidden hand held it, and could not follow."""
        hand, led = position.hands[seat], position.led
        if HIDDEN not in hand:
            return
        if move.card not in hand:
            yield NAMES[move.card]
        if led is not None and move.card[0] not in {led[0], DOPPELGANGER} and led[0] not in position.lacks[seat]:
            yield f"no card that follows {NAMES[led]}"

    def find_unheld_cards(
        self, positions: Sequence[Position], turns: Sequence[Turn], hands: Iterable[Cards]
    ) -> Iterator[tuple[Turn, Card]]:
        left = [Counter(hand) for hand in hands]
        for before, turn in zip(positions, turns, strict=False):
            if before.phase == 1 and before.to_act == turn.seat and not turn.undone:
                for card in (move.card for move in turn.moves if isinstance(move, Play)):
                    if not left[turn.seat][card]:
                        yield turn, NAMES[card]
                    left[turn.seat][card] -= 1

    def carry_out(self, game: Claim, position: Position, move: Play) -> Carried | None:
        seat = position.to_act
        if seat is None or not {move.card, HIDDEN} & set(position.hands[seat]):
            return None
        return game.apply(position, move)

    def set_seat(self, position: Position, seat: int) -> Position:
        return position.replace(leader=seat if position.led is None else 1 - seat)

    def skip_turn(self, position: Position, seat: int, *, acted: bool = False) -> Position:  # noqa: ARG002 - there are no passes
        """Return the position with a seat to lead after an unplayable card; the led card leaves the game."""
        return position.replace(leader=seat, led=None, turn=position.turn + 1)


PLUGIN = ClaimRecord()
