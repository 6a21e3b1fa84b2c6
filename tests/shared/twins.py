"""Twins: other deals that somebody at the table cannot tell from the one there is.

A *twin* of a position or of a record is a second one with other cards in the others' hands and under the tops of
their piles. It is dealt at random from all that is consistent with what a seat has seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from attrs import evolve

from tests.games.struggle.shared.family import board
from tests.shared.strategies import CUNNING
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.moves import Play
from tkid.record.format.model import Header, Record
from tkid.record.format.seal import ENTROPY, HEADER, SEAL
from tkid.record.play.replay import Replay, replay

DECK, PLOT = CUNNING.hands.deck, CUNNING.plot
TRIES = 300
"""How often a twin is dealt anew because it would not be consistent."""
Cards = tuple[str, ...]


def redealt(rng: Random, position: Position, seat: int | None, later: Sequence[Cards] = ()) -> Position | None:
    """A position that a seat cannot tell from this one, in which everybody still holds what it will play `later`.

    None where no other one is found.
    """
    for _ in range(TRIES):
        found = _dealt(rng, position, seat, later or ((),) * len(position.seats))
        if found is not None and (found.hands, found.discards) != (position.hands, position.discards):
            return found
    return None


def _dealt(rng: Random, position: Position, seat: int | None, later: Sequence[Cards]) -> Position | None:
    """A deal of what a seat has not seen; None where it contradicts what it has."""
    others = [owner for owner in position.seats if owner != seat]
    over = position.decision in {"plot", None}
    revealed = {owner for owner in others if over and PLOT in position.hands[owner]}
    held = {owner: [*later[owner], *([PLOT] if owner in revealed else [])] for owner in others}
    tops = {owner: position.discards[owner][-1:] for owner in others}
    known = [*(() if seat is None else (*position.hands[seat], *position.discards[seat]))]
    known += [card for owner in others for card in (*held[owner], *tops[owner])]
    left = [card for card in DECK if card not in known and not (over and card == PLOT)]
    rng.shuffle(left)
    hands, discards = list(position.hands), list(position.discards)
    for owner in others:
        every = [*position.hands[owner], *position.discards[owner]]
        fixed = [*held[owner], *tops[owner]]
        drawn = sum(card in DECK for card in every) - sum(card in DECK for card in fixed)
        rest = list((Counter(c for c in every if c not in DECK) - Counter(fixed)).elements())
        rest += [left.pop() for _ in range(drawn)]
        rng.shuffle(rest)
        room = len(position.hands[owner]) - len(held[owner])
        hands[owner] = tuple(sorted([*held[owner], *rest[:room]], key=[*CUNNING.cards].index))
        discards[owner] = (*rest[room:], *tops[owner])
        if PLOT in rest[room:]:
            return None
    if position.decision == "play" and not any(card != PLOT for hand in hands for card in hand):
        return None
    return position.replace(hands=tuple(hands), discards=tuple(discards))


def played_by(record: Record, seat: int) -> Cards:
    """The cards that a seat plays in a record."""
    return tuple(
        move.card for turn in record.turns if turn.seat == seat for move in turn.moves if isinstance(move, Play)
    )


def story(played: Replay) -> list[object]:
    """What everybody at the table sees: the turns, what followed, and whose turn it is."""
    return [
        (moment.line, [event.line for event in moment.events if event.line], moment.position.to_act)
        for moment in played.moments
    ]


def twin_of(rng: Random, record: Record, seat: int | None) -> Record | None:
    """A record that a seat cannot tell from this one; None where there is no other."""
    later = [played_by(record, owner) for owner in range(len(record.seats))]
    end = replay(record)
    # Who has revealed Plot has always held it; and who never did when it would have been, has not.
    over = end.position.decision in {"plot", None}
    if over:
        later = [(*cards, *([PLOT] if PLOT in end.position.hands[o] else [])) for o, cards in enumerate(later)]
    for _ in range(TRIES):
        start = redealt(rng, board(record.start()), seat, later)
        if start is None:
            return None
        assert record.deal is not None
        twin = evolve(record, deal=evolve(record.deal, hands=start.hands))
        played = replay(twin)
        assert not twin.game.find_faults(twin.deal)
        if not played.problems and story(played) == story(end):
            return twin
    return None


def cut(record: Record, turns: int) -> Record:
    """The record up to a turn."""
    return evolve(record, turns=record.turns[:turns])


def annotated(record: Record, remark: str) -> Record:
    """The record with a remark wherever its keeper may write one, and with the entropy that it was dealt from."""
    secret = f"# {remark}"
    headers = (
        *(evolve(header, comments=(secret,)) for header in record.headers),
        Header("X-Remark", remark),
        Header(HEADER, f"{SEAL}:{'ab' * 32}"),
        Header(HEADER, f"{ENTROPY}:{remark.encode().hex():0<64.64}", (secret,)),
    )
    turns = tuple(evolve(turn, notes=(remark,), comments=(secret,)) for turn in record.turns)
    rows = dict.fromkeys(("Moray", "Supply", "Hand Ann", "Hand Bob", "Track", "Turns"), (secret,))
    return evolve(record, headers=headers, turns=turns, row_comments=rows, end=(secret,))
