"""Positions of Claim as data and in one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Literal

from attrs import evolve, field, frozen
from lark import Token, Tree

from tkid.games.claim import rules
from tkid.games.claim.notation import turns as typed
from tkid.kernel.game import HIDDEN
from tkid.kernel.problems import Kind, Problem
from tkid.notation.position_codec import Clause, PositionCodec, find_place
from tkid.notation.position_errors import RULE, Faults, PositionError, make_position_problem

CODES: Mapping[str, rules.Card] = {rules.NAMES[card]: card for card in (*rules.COPIES, HIDDEN)}


@frozen
class PositionData:
    """A position as outside tools see it; attributes in the order of the documented format.

    Cards are printed names, `?` where one is hidden; `lacks` are factions by letter. What follows from the rest (`phase`,
    `trick`, `decision`, `to_act`, `ending`, `winners`) may be left out; where it is said it has to be so. `leader` may be
    left out where `to_act` tells it. `rulings` holds readings that differ from the defaults.
    """

    ruleset: str
    hands: list[list[str]]
    phase: int | None = None
    trick: int | None = None
    prize: str | None = None
    led: str | None = None
    leader: int | None = None
    followers: list[list[str]] = field(factory=list)
    scores: list[list[str]] = field(factory=list)
    discards: list[str] = field(factory=list)
    deck: list[str] = field(factory=list)
    lacks: list[list[str]] = field(factory=list)
    decision: Literal["play"] | None = None
    to_act: int | None = None
    ending: str | None = None
    winners: list[int] | None = None
    rulings: dict[str, str] = field(factory=dict)


def write_claim_data(game: rules.Claim, position: rules.Position, readings: Mapping[str, str]) -> PositionData:
    """Return the data of a position; `readings` are those that differ from the ruleset's defaults."""

    def names(cards: Iterable[rules.Card]) -> list[str]:
        return [rules.NAMES[card] for card in cards]

    return PositionData(
        ruleset=game.code,
        hands=[names(hand) for hand in position.hands],
        phase=position.phase,
        trick=position.trick,
        prize=None if position.prize is None else rules.NAMES[position.prize],
        led=None if position.led is None else rules.NAMES[position.led],
        leader=position.leader,
        followers=[names(pile) for pile in position.followers],
        scores=[names(pile) for pile in position.scores],
        discards=names(position.discards),
        deck=names(position.deck),
        lacks=[list(letters) for letters in position.lacks],
        decision=position.decision,
        to_act=position.to_act,
        ending=position.ending,
        winners=list(position.winners),
        rulings=dict(readings),
    )


def read_claim_data(_: rules.Claim, data: PositionData) -> rules.Position:
    """Return the position of some data. Raises PositionDataError with every fault found."""
    return _Reading(data).read_position()


@frozen
class _Reading(Faults):
    data: PositionData

    def read_position(self) -> rules.Position:
        data = self.data
        position = rules.Position(
            leader=self._find_leader(),
            led=None if data.led is None else self._read_card(data.led, "led"),
            hands=self._read_piles(data.hands, "hands"),
            followers=self._read_piles(data.followers, "followers"),
            scores=self._read_piles(data.scores, "scores"),
            discards=rules.sort_cards(self._read_cards(data.discards, "discards")),
            deck=self._read_cards(data.deck, "deck"),
            prize=None if data.prize is None else self._read_card(data.prize, "prize"),
            lacks=self._read_lacks(),
        )
        if not self.faults:
            self._check_sizes(position)
            self._check_copies(position)
        if not self.faults:
            for name in ("phase", "trick", "to_act", "decision", "ending", "winners"):
                stated, true = getattr(self.data, name), getattr(position, name)
                true = list(true) if isinstance(true, tuple) else true
                if stated is not None and stated != true:
                    self.faults.append(f"{name}: it is {'none' if true is None else true} here, not {stated}")
        self.check()
        return position

    def _read_card(self, name: str, place: str) -> rules.Card:
        if name in CODES:
            return CODES[name]
        word = name.rstrip("0123456789")
        card = typed.read_card(word.strip() or name, name[len(word) :] or "-1")
        if isinstance(card, Problem):
            self.faults.append(f"{place}: {name} is not a card")
            return HIDDEN
        return card

    def _read_cards(self, names: Iterable[str], place: str) -> rules.Cards:
        return tuple([self._read_card(name, place) for name in names])

    def _read_piles(self, piles: list[list[str]], place: str) -> tuple[rules.Cards, ...]:
        entries = self.read_entries(piles, rules.SEATS, place, [])
        return tuple(rules.sort_cards(self._read_cards(names, f"{place}.{seat}")) for seat, names in enumerate(entries))

    def _read_lacks(self) -> tuple[str, ...]:
        lacks = self.read_entries(self.data.lacks, rules.SEATS, "lacks", [])
        self.faults.extend(
            f"lacks.{seat}: {letter} is not a faction's letter"
            for seat, letters in enumerate(lacks)
            for letter in letters
            if letter not in rules.FACTIONS
        )
        return tuple("".join(dict.fromkeys(letters)) for letters in lacks)

    def _find_leader(self) -> int | None:
        data = self.data
        named = {seat for seat in (data.leader, data.to_act) if seat is not None}
        self.faults.extend(f"there is no seat {seat}" for seat in named if not 0 <= seat < rules.SEATS)
        if data.leader is not None or data.to_act is None:
            return data.leader
        return data.to_act if data.led is None else 1 - data.to_act

    def _check_sizes(self, position: rules.Position) -> None:
        sizes, faults = [len(hand) for hand in position.hands], self.faults
        led = position.led is not None
        if position.leader is None:
            if any(sizes) or led or position.phase == 1:
                faults.append("leader: somebody leads as long as a card is held")
            return
        expected = [max(sizes) - (led and seat == position.leader) for seat in position.seats]
        if sizes != expected or not 1 <= max(sizes) <= rules.HAND:
            expected_size = "the Leader, who has led, one less" if led else f"1 to {rules.HAND}"
            faults.append(f"hands: {sizes[0]} and {sizes[1]} cards; both hold as many, {expected_size}")
        piles = [len(pile) for pile in position.followers]
        deck = 2 * max(sizes) - 1 if position.phase == 1 else 0
        if len(position.deck) != deck:
            faults.append(f"deck: {len(position.deck)} cards; here {deck} belong there")
        if piles[0] != piles[1] or piles[0] + max(sizes) > rules.HAND:
            faults.append(f"followers: {piles[0]} and {piles[1]} cards; both have as many, one for each trick played")
        if position.phase == 2 and any(piles):
            faults.append("followers: without a prize it is phase two, and the followers are the hands")

    def _check_copies(self, position: rules.Position) -> None:
        seen = rules.count_cards(position)
        if seen.total() > len(rules.PACK):
            self.faults.append(f"there are {seen.total()} cards; the pack has {len(rules.PACK)}")
        self.faults.extend(
            f"{rules.NAMES[card]} is there {n} times: {rules.describe_copies(rules.COPIES[card])}"
            for card, n in seen.items()
            if card != HIDDEN and n > rules.COPIES[card]
        )
        self.faults.extend(
            f"lacks.{seat}: {rules.NAMES[card]} is in that hand"
            for seat, hand in enumerate(position.hands)
            for card in dict.fromkeys(hand)
            if card != HIDDEN and card[0] in position.lacks[seat]
        )
        if position.led == HIDDEN or any(HIDDEN in cards for cards in (*position.scores, position.discards)):
            self.faults.append("cards that were played are known")


def format_cards(cards: rules.Cards) -> str:
    """Return cards as codes, hidden ones together with their number: `G0 G5 3?`; `-` for none."""
    if HIDDEN not in cards:
        return " ".join(cards) or "-"
    runs = ((card, sum(1 for _ in run)) for card, run in groupby(cards))
    texts = (f"{n}?" if card == HIDDEN and n > 1 else " ".join([card] * n) for card, n in runs)
    return " ".join(texts)


def _format_pile(cards: rules.Cards) -> str | None:
    return format_cards(cards) if cards else None


def _parse_cards(_: rules.Claim, cards: Tree[Token]) -> list[str]:
    return [card for tree in cards.children if isinstance(tree, Tree) for card in _parse_card(tree)]


def _parse_card(tree: Tree[Token]) -> list[str]:
    token = tree.children[0]
    assert isinstance(token, Token)
    if token.type == "HIDDEN":
        return [HIDDEN] * int(token[:-1] or 1)
    word = token.rstrip("0123456789")
    card = typed.read_card(word, token[len(word) :], *find_place(token))
    if isinstance(card, Problem):
        raise PositionError(evolve(card, rule=RULE))
    return [card]


def _parse_single_card(_: rules.Claim, tree: Tree[Token]) -> str:
    cards = _parse_card(tree)
    if len(cards) != 1:
        hint = "Write one card, such as `G5`, or `?` for a hidden one."
        number = f"{len(cards)} cards, and one belongs here" if cards else "not a card"
        raise PositionError(make_position_problem(f"`{tree.children[0]}` is {number}", *find_place(tree), hint))
    return cards[0]


def _parse_letters(_: rules.Claim, *tokens: Token) -> list[str]:
    letters: list[str] = []
    for token in tokens:
        if set(token.upper()) <= {*typed.LETTERS.values()}:
            letters += token.upper()
            continue
        faction = typed.read_faction(token, 0)
        if isinstance(faction, Problem):
            hint = f"The letters are {', '.join(f'{letter} {name}' for name, letter in typed.LETTERS.items())}."
            raise PositionError(
                make_position_problem(f"`{token}` is not a faction", *find_place(token), hint, Kind.NAME)
            )
        letters.append(faction.letter)
    return letters


CODEC = PositionCodec(
    grammar="claim_position",
    first=(),
    of_seat=(
        Clause("hand", "hands", lambda _, position, seat: format_cards(position.hands[seat]), _parse_cards, []),
        Clause(
            "followers", "followers", lambda _, position, seat: _format_pile(position.followers[seat]), _parse_cards, []
        ),
        Clause("score", "scores", lambda _, position, seat: _format_pile(position.scores[seat]), _parse_cards, []),
        Clause("lacks", "lacks", lambda _, position, seat: position.lacks[seat] or None, _parse_letters, []),
    ),
    last=(
        Clause("discards", "discards", lambda _, position: _format_pile(position.discards), _parse_cards),
        Clause("prize", "prize", lambda _, position: position.prize, _parse_single_card),
        Clause("deck", "deck", lambda _, position: _format_pile(position.deck), _parse_cards),
        Clause("led", "led", lambda _, position: position.led, _parse_single_card),
    ),
    names=lambda game: game,
    data=lambda game, stated: PositionData(game.code, **stated),
    position=read_claim_data,
    decisions=("play",),
    most_seats=rules.SEATS,
    plain=typed.remove_accents,
)
write_position, read_position = CODEC.write_line, CODEC.read_line
