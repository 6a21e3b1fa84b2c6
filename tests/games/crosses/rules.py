"""The rules of Crosses: cards, moves, positions, the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from attrs import evolve, field, frozen

from tkid.kernel.chance import Chance
from tkid.kernel.game import HIDDEN, Deal, Event, Parties, Result, Step, Table, find_parties, prepare_start
from tkid.kernel.problems import Violation
from tkid.rulebook import Ids
from tkid.rulebook.rulesets import Ruleset, RulesetGame

# --8<-- [start:values]
FIELDS = tuple(f"{column}{row}" for row in "123" for column in "abc")
SIGNS, FREE, CLOSED = "XO", ".", "#"
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
CARDS = {"Erase": "card.erase", "Swap": "card.swap", "Block": "card.block"}
"""The rule of each card."""


@frozen
class Move:
    """A field to mark, or the field of a card."""

    field: int
    card: str = ""


@frozen
class Position:
    """The fields row by row, the hands by seat, the cards played, and the seat to act, None after the end."""

    board: str
    hands: tuple[tuple[str, ...], ...]
    played: tuple[str, ...]
    to_act: int | None
    turn: int = field(default=0, eq=False)
    seats: ClassVar[range] = range(2)

    @property
    def decision(self) -> str | None:
        return None if self.to_act is None else "play"

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.seats if any(self.is_owner(seat, line) for line in LINES))

    @property
    def ending(self) -> str | None:
        return "line" if self.winners else None if FREE in self.board else "full"

    def is_owner(self, seat: int, line: tuple[int, ...]) -> bool:
        return all(self.board[place] == SIGNS[seat] for place in line)


# --8<-- [end:values]


@frozen
class Words:
    """Writes moves in canonical notation."""

    def write_move(self, move: Move) -> str:
        return f"{move.card} {FIELDS[move.field]}".strip()

    def write_turn(self, moves: Iterable[Move]) -> str:
        return "; ".join(map(self.write_move, moves))


# --8<-- [start:game]
@frozen(eq=False)
class Crosses(RulesetGame):
    """Crosses, for two."""

    readings: Mapping[str, str]
    code: str = "crosses"
    parties: Mapping[int, Parties] = field(default={2: ((0,), (1,))})
    name: ClassVar[str] = "crosses"
    secret: ClassVar[bool] = True
    ids: ClassVar[Ids] = Ids("crosses")
    cards: ClassVar[Mapping[str, str]] = CARDS
    words: ClassVar[Words] = Words()

    def deal(self, players: int, entropy: bytes) -> Deal:
        find_parties(self.parties, players)
        chance = Chance(entropy)
        one, other, _ = chance.shuffle(CARDS)
        return Deal(((one,), (other,)), chance.draw_below(2))

    def find_faults(self, deal: Deal) -> tuple[Violation, ...]:
        known = [card for hand in deal.hands for card in hand if card != HIDDEN]
        wrong = any(len(hand) != 1 for hand in deal.hands) or len(set(known)) < len(known)
        sentence = "each player has one card, and no two have the same"
        return (Violation(self.ids("setup.hands"), sentence, "Hand 1"),) if wrong else ()

    def start(self, players: Table | int, deal: Deal | None = None, *, seed: int | None = None) -> Position:
        _, dealt = prepare_start(self, players, deal, seed)
        return Position(FREE * len(FIELDS), dealt.hands, (), dealt.first)

    def legal(self, position: Position) -> tuple[Move, ...]:
        moves = (Move(place, card) for card in ("", *CARDS) for place in range(len(FIELDS)))
        return tuple(move for move in moves if not self.check(position, move))

    def check(self, position: Position, move: Move) -> tuple[Violation, ...]:
        seat = position.to_act
        if seat is None:
            return (Violation(self.ids("ending.over"), "the game is over"),)
        taking = move.card in {"Erase", "Swap"}
        violations = []
        if move.card and move.card not in list_possible_cards(position, seat):
            violations.append(Violation(self.ids("turn.hand"), f"{{{seat}}} has no {move.card} in hand", "card"))
        if position.board[move.field] != (SIGNS[1 - seat] if taking else FREE):
            needed = f"has no sign of {{{1 - seat}}}" if taking else "is not free"
            rule = CARDS.get(move.card, "turn.mark")
            violations.append(Violation(self.ids(rule), f"{FIELDS[move.field]} {needed}", "field"))
        return tuple(violations)

    def apply(self, position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
        seat, place, card = position.to_act, move.field, move.card
        assert seat is not None
        sign = {"Erase": FREE, "Block": CLOSED}.get(card, SIGNS[seat])
        hands = tuple(() if card and owner == seat else hand for owner, hand in enumerate(position.hands))
        board = position.board[:place] + sign + position.board[place + 1 :]
        played = (*position.played, card) if card else position.played
        after = Position(board, hands, played, 1 - seat, position.turn + 1)
        does = {"": "marks", "Erase": "erases", "Swap": "takes", "Block": "closes"}[card]
        event = Event(self.ids(CARDS.get(card, "turn.mark")), f"{{{seat}}} {does} {FIELDS[place]}")
        result = self.result(after)
        if result is None:
            return after, (event,)
        (step,) = result.chain
        return evolve(after, to_act=None), (event, Event(step.rule, step.text, step.text))

    def result(self, position: Position) -> Result | None:
        if position.ending is None:
            return None
        text = f"{{{position.winners[0]}}} has a line" if position.winners else "the board is full"
        step = Step(self.ids(f"ending.{position.ending}"), text)
        return Result(position.ending, position.winners, (step,))


def list_possible_cards(position: Position, seat: int) -> list[str]:
    """List the cards that a seat has or may have."""
    hand = position.hands[seat]
    gone = {*position.played, *position.hands[1 - seat]}
    return [card for card in CARDS if card in hand or (HIDDEN in hand and card not in gone)]


CROSSES = Ruleset(
    code="crosses",
    version=1,
    title="Crosses: noughts and crosses with a hidden card",
    page="adding-a-game.md",
    source="made up for this guide",
    rule_prefix="crosses",
    game_name="crosses",
    confidence="complete",
    switches=(),
    build=Crosses,
)
# --8<-- [end:game]
