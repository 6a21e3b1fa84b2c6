"""The game: `Claim`, a value that plays Claim on the kernel's protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from attrs import evolve, field, frozen

from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import COPIES, DOPPELGANGER, NAMES, SEATS, Card, Deal, draw, faults, without
from tkid.games.claim.rules.moves import ANY, FOLLOWING, LEADING, PLAYS, Play, Words, hand_of
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.tricks import resolve
from tkid.games.claim.rules.views import View, view
from tkid.kernel.chance import Chance
from tkid.kernel.game import (
    Event,
    IllegalMoveError,
    Result,
    Table,
    check_dealt,
    check_move,
    check_seat,
    parties_of,
    seated,
)
from tkid.kernel.ladder import Ladder
from tkid.kernel.options import Options
from tkid.kernel.problems import Violation
from tkid.rulebook import Ids, cites

PARTIES = {SEATS: ((0,), (1,))}


@frozen(eq=False)
class Claim:
    """Claim, for two.

    `code` is its name as a ruleset, `ids` completes the ids of its rules, `readings` are the options taken of rulings that have a
    switch. `cards` are all there are, by printed name.
    """

    name: ClassVar[str] = "claim"
    secret: ClassVar[bool] = True
    covered: ClassVar[bool] = False
    names_players: ClassVar[bool] = False
    code: str
    ids: Ids
    readings: Mapping[str, str]
    parties: Mapping[int, tuple[tuple[int, ...], ...]] = field(default=PARTIES)
    cards: Mapping[str, Card] = field(init=False, factory=lambda: {NAMES[card]: card for card in COPIES})
    words: Words = field(init=False, factory=Words)

    # -- before the game ----------------------------------------------------------------------------------

    def table(self, names: tuple[str, ...]) -> Table:
        """The table at which these players sit, in turn order."""
        return seated(self.parties, names)

    def deal(self, players: int, entropy: bytes) -> Deal:
        """Draw a set-up from entropy. Raises ValueError for another number of players than two."""
        parties_of(self.parties, players)
        return draw(Chance(entropy))

    def faults(self, deal: Deal) -> tuple[Violation, ...]:
        """What in a written set-up is not as the rules ask."""
        return tuple(faults(deal))

    @cites("claim.recruit.reveal")
    def start(self, table: Table, deal: Deal) -> Position:
        """The first position: the top card of the deck lies face up as the first prize.

        Raises ValueError where the deal is for another number of players.
        """
        check_dealt(table, deal)
        none = tuple(() for _ in table.names)
        return Position(
            leader=deal.first,
            led=None,
            hands=deal.hands,
            followers=none,
            scores=none,
            discards=(),
            deck=deal.deck[1:],
            prize=deal.deck[0],
            lacks=tuple("" for _ in table.names),
        )

    # -- deciding -----------------------------------------------------------------------------------------

    def turn_continues(self, _: Position) -> bool:
        """Whether the turn that has begun needs another decision: every card is a turn of its own."""
        return False

    def canonical(self, _: Position, move: Play) -> Play:
        """The same move in the one form that is written down."""
        return move

    def _ladder(self, position: Position) -> Ladder[Position, Play]:
        return LEADING if position.led is None else FOLLOWING

    def legal(self, position: Position) -> Options[Play]:
        """Every legal move of the seat to act: different cards, as the five Goblins 0 are alike."""
        if position.to_act is None:
            return Options([], lambda _: False)
        ladder = self._ladder(position)
        _, parts = ladder.tier(position)
        return Options(parts, lambda move: ladder.admits(position, move))

    def admits(self, position: Position, move: Play) -> bool:
        """Whether a move is legal."""
        return position.to_act is not None and self._ladder(position).admits(position, move)

    def check(self, position: Position, move: Play) -> tuple[Violation, ...]:
        """Every rule that a move by the seat to act would break."""
        if position.to_act is None:
            return (Violation("claim.ending.over", f"The game is over: {position.ending}"),)
        violations = self._ladder(position).check(position, move)
        if not violations:
            return ()
        legal = () if hand_of(position).hidden else tuple(self.legal(position))
        hint = f"Legal cards: {', '.join(NAMES[move.card] for move in legal)}" if legal else ""
        return tuple(evolve(violation, hint=hint, alternatives=legal) for violation in violations)

    # -- playing ------------------------------------------------------------------------------------------

    def play(self, position: Position, move: Play) -> tuple[Position, tuple[Event, ...]]:
        """The position after a legal move, and what followed. Raises IllegalMoveError for an illegal one."""
        check_move(move)
        violations = self.check(position, move)
        if violations:
            raise IllegalMoveError(violations)
        return self.apply(position, move)

    @cites("claim.trick.order")
    def apply(self, position: Position, move: Play) -> tuple[Position, tuple[Event, ...]]:
        """What a move leads to, without asking whether it is legal."""
        seat, led, card = position.to_act, position.led, move.card
        assert seat is not None
        hand = without(position.hands[seat], card)
        hands = (hand, position.hands[1]) if seat == 0 else (position.hands[0], hand)
        if led is None:
            event = Event("claim.trick.lead", f"{{{seat}}} leads {NAMES[card]}")
            return position.but(led=card, hands=hands, turn=position.turn + 1), (event,)
        event = Event(_followed(led, card), f"{{{seat}}} plays {NAMES[card]}")
        lacks = position.lacks
        if card[0] not in {led[0], DOPPELGANGER} and led[0] not in lacks[seat]:
            lacks = tuple([shown + led[0] * (owner == seat) for owner, shown in enumerate(lacks)])
        after, events = resolve(position.but(hands=hands, lacks=lacks, turn=position.turn + 1), card)
        return after, (event, *events, *(self._end(after) if after.leader is None else ()))

    @cites("claim.ending.votes", "claim.ruling.drawn")
    def _end(self, position: Position) -> tuple[Event, ...]:
        """How the votes are counted at the end."""
        result = scoring.result(position.scores)
        steps = tuple(Event(step.rule, step.text) for step in result.chain)
        rule = scoring.ENDINGS[result.ending]
        if not result.winners:
            return (*steps, Event(rule, "The game is drawn", "Drawn"))
        (winner,) = result.winners
        return (*steps, Event(rule, f"{{{winner}}} wins", f"Votes: {{{winner}}}"))

    # -- knowing ------------------------------------------------------------------------------------------

    def view(self, position: Position, seat: int | None) -> View:
        """What a seat may know; None asks for a spectator."""
        check_seat(position, seat)
        return view(position, seat)

    def result(self, position: Position) -> Result | None:
        """How a finished game ended, None before."""
        return scoring.result(position.scores) if position.leader is None else None

    def held(self, position: Position) -> tuple[Play, ...]:
        """The different cards that the seat to act holds or, where some are hidden, may hold; () when nobody is."""
        return () if position.to_act is None else tuple(PLAYS[card] for card in hand_of(position).cards)


def _followed(led: Card, card: Card) -> str:
    """The rule by which a card could be played second."""
    if card[0] == led[0]:
        return "claim.trick.follow"
    return "claim.power.doppelgangers.always" if card[0] == DOPPELGANGER else ANY.rule
