"""A new record: players and deal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve

from tkid.record.model import FORMAT, Record
from tkid.record.read import read_head


class NewGameError(ValueError):
    """A game cannot be made as it was asked for: the messages, one for each fault."""

    def __init__(self, *messages: str) -> None:
        super().__init__("; ".join(messages))
        self.messages = messages


def new_record(
    code: str,
    players: Sequence[str],
    entropy: bytes,
    *,
    title: str = "",
    first: str = "",
    rulings: Iterable[str] = (),
) -> Record:
    """Deal a game from 32 bytes of entropy. Raises NewGameError.

    Players are `NAME` or `NAME <ADDRESS>` in turn order; `first` names who starts instead of drawing; rulings
    are `ID OPTION`.
    """
    lines = [f"Tkid-Record: {FORMAT}", f"Ruleset: {code}", *([f"Game: {title}"] if title else [])]
    lines += [*(f"Seat: {player}" for player in players), *(f"Ruling: {ruling}" for ruling in rulings)]
    faulty = [line for line in lines if not line.isprintable()]
    if faulty:
        raise NewGameError(*(f"{line!r} has characters that cannot be printed" for line in faulty))
    head = read_head("\n".join(lines))
    if head.record is None or head.problems:
        raise NewGameError(*(f"{problem} {problem.hint}".rstrip() for problem in head.problems))
    record = head.record
    deal = record.game.deal(len(players), entropy)
    if first:
        starts = [
            seat for seat, name in enumerate(record.names) if first.casefold() in {name.casefold(), str(seat + 1)}
        ]
        if not starts:
            raise NewGameError(f"{first} cannot start: at the table are {', '.join(record.names)}")
        deal = evolve(deal, first=starts[0])
    return evolve(record, deal=deal)
