"""Claim's side of the record interface, with set-up lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import evolve

from tkid.games.claim.notation import turns as typed
from tkid.games.claim.notation.positions import group
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
    covered,
    knowing,
    ordered,
)
from tkid.kernel.game import HIDDEN
from tkid.kernel.problems import Kind, Problem, Violation
from tkid.record.format.model import Record, Turn
from tkid.record.format.plugin import FIRST, Carried, RecordPlugin, RowError, Rows, Rules

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


BY_NAME: Mapping[str, Card] = {NAMES[card].casefold(): card for card in COPIES}
PRIZE = re.compile(r"prize: (?P<card>.+)")
DRAWS = re.compile(r".+ draws (?P<card>.+)")


class ClaimRecord(RecordPlugin):
    """How games of Claim are recorded."""

    rules = Rules("trick.order", "trick.hand", "ending.over", "setup.players", "ruling.start-player")
    row = r"(?:hand|deck|first)\s+\S"
    setup_reader = SetupReader
    parts = ("the deck",)

    # -- the set-up ---------------------------------------------------------------------------------------

    def setup_rows(self, _: Claim, deal: Deal, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Label and value of each line of a set-up."""
        return setup_rows(deal, names)

    def part(self, _: Claim, label: str) -> str:
        """The part of a set-up that a line belongs to; "" for hands, and for who leads first."""
        return "the deck" if label == "Deck" else ""

    def is_secret(self, row: str) -> bool:
        """Whether a line of a set-up, in small letters, may differ between the files of the players."""
        return row.startswith(("hand ", "deck "))

    # -- what is hidden -----------------------------------------------------------------------------------

    def seen_deal(self, _: Claim, deal: Deal, seat: int | None) -> Deal:
        """A deal with the seat's own hand and the first prize; the other hand, and the rest of the deck, hidden."""
        hands = tuple(hand if owner == seat else covered(hand) for owner, hand in enumerate(deal.hands))
        return evolve(deal, hands=hands, deck=(*deal.deck[:1], *covered(deal.deck[1:])))

    def as_known(self, _: Claim, dealt: Deal, stated: Deal) -> Deal:
        """A deal, with the cards of its deck hidden that are hidden in another one's."""
        known = zip(dealt.deck, stated.deck, strict=True)
        return evolve(dealt, deck=tuple(HIDDEN if other == HIDDEN else card for card, other in known))

    def filled(self, _: Claim, deal: Deal, other: Deal) -> Deal:
        """A deal with the cards of the deck that another one of the same game knows."""
        both = zip(deal.deck, other.deck, strict=True)
        return evolve(deal, deck=tuple(theirs if card == HIDDEN else card for card, theirs in both))

    def learned_from(self, lines: Iterable[str]) -> tuple[Card, Card]:
        """What the lines after a turn tell of the deck: the card drawn, and the next prize; HIDDEN where they do not."""
        drawn = prize = HIDDEN
        for line in lines:
            text = " ".join(line.casefold().split())
            match = PRIZE.fullmatch(text) or DRAWS.fullmatch(text)
            card = BY_NAME.get(match["card"]) if match else None
            if match and card:
                drawn, prize = (drawn, card) if match.re is PRIZE else (card, prize)
        return drawn, prize

    def learned(self, record: Record) -> Mapping[int, Callable[[Position], Position]]:
        """What the lines after each turn tell: by the turn's number, what makes the position before it known."""
        learned = {}
        for number, turn in enumerate(record.turns, 1):
            drawn, prize = self.learned_from(outcome.text for outcome in turn.outcomes)
            if not turn.undone and (drawn, prize) != (HIDDEN, HIDDEN):
                learned[number] = partial(knowing, drawn=drawn, prize=prize)
        return learned

    def unproven(self, _: Claim, position: Position, seat: int, move: Play) -> Iterable[str]:
        """What a card rests on that is not known: that it was in a hidden hand, and that faction could not be followed."""
        hand, led = position.hands[seat], position.led
        if HIDDEN not in hand:
            return
        if move.card not in hand:
            yield NAMES[move.card]
        if led is not None and move.card[0] not in {led[0], DOPPELGANGER} and led[0] not in position.lacks[seat]:
            yield f"no card that follows {NAMES[led]}"

    def unheld(
        self, positions: Sequence[Position], turns: Sequence[Turn], hands: Iterable[Cards]
    ) -> Iterator[tuple[Turn, Card]]:
        """The turns of phase one in which a card was played that was not in hand, with these hands at the start."""
        left = [Counter(hand) for hand in hands]
        for before, turn in zip(positions, turns, strict=False):
            if before.phase == 1 and before.to_act == turn.seat and not turn.undone:
                for card in (move.card for move in turn.moves if isinstance(move, Play)):
                    if not left[turn.seat][card]:
                        yield turn, NAMES[card]
                    left[turn.seat][card] -= 1

    # -- wrong turns --------------------------------------------------------------------------------------

    def carried_out(self, game: Claim, position: Position, move: Play) -> Carried | None:
        """What an illegal card leads to if it is played as it lies; None where it is not in hand at all."""
        seat = position.to_act
        if seat is None or not {move.card, HIDDEN} & set(position.hands[seat]):
            return None
        return game.apply(position, move)

    def seated(self, position: Position, seat: int) -> Position:
        """The position with another seat to act."""
        return position.replace(leader=seat if position.led is None else 1 - seat)

    def skipped(self, position: Position, seat: int) -> Position:
        """The position with a seat to lead, where a card cannot be played; what was led is out of the game."""
        return position.replace(leader=seat, led=None, turn=position.turn + 1)

    def too_many(self, _: Claim, __: Play, ___: Play) -> Violation:
        """What is wrong with a decision that stands behind the end of a turn."""
        return Violation("claim.trick.order", "A turn is one card: this is too much")

    def unfinished(self, _: Claim, __: Position) -> Violation:
        """What is wrong with a turn without a card."""
        return Violation("claim.trick.order", "A turn is one card: it is missing")


PLUGIN = ClaimRecord()
