"""What one seat may know of a record: its own hand, and everything that happened; not the others' hands."""

from __future__ import annotations

from attrs import evolve

from tkid.notation.positions import write_position
from tkid.record import chain
from tkid.record.model import STANDS, Header, Record, Turn
from tkid.record.replay import Moment, Replay
from tkid.record.seal import sealed, with_seal
from tkid.record.start import start_text
from tkid.rulebook import cites


@cites("record.seen")
def seen(played: Replay, seat: int | None) -> Replay:
    """A replay as a seat may know it (None: a spectator); as it is, where the game has no secrets.

    The record of it holds the seat's own hand, the others' as `?`, no entropy, and neither comments nor own headers,
    in which whoever keeps the whole record may have written anything. Its hashes are those of its own text.
    """
    record = played.record
    if not record.game.hands.secret:
        return played
    stated = sealed(record)
    record = with_seal(record, evolve(stated, entropy=None)) if stated else record
    shown = evolve(
        record,
        headers=tuple(_headers(record, seat)),
        deal=record.deal and evolve(record.deal, hands=_hands(record, seat)),
        position=record.position and record.game.view(record.position, seat).shown,
        row_comments={},
        turns=tuple(map(_turn, record.turns)),
        end=(),
    )
    value = chain.first(start_text(shown))
    moments = [_moment(record, played.moments[0], None, "", seat)]
    for moment, turn in zip(played.moments[1:], shown.turns, strict=True):
        value = chain.link(value, moment.line)
        moments.append(_moment(record, moment, turn, chain.shown(value), seat))
    return Replay(shown, moments, [], value)


def _headers(record: Record, seat: int | None) -> list[Header]:
    """The headers that everybody may read."""
    shown = []
    for header in record.headers:
        if header.name.casefold().startswith("x-"):
            continue
        value = header.value
        if header.name == "Position" and record.position is not None:
            value = write_position(record.game, record.game.view(record.position, seat).shown)
        shown.append(Header(header.name, value, line=header.line))
    return shown


def _hands(record: Record, seat: int | None) -> tuple[tuple[str, ...], ...]:
    """The dealt hands: the seat's own, and the others hidden."""
    assert record.deal is not None
    hidden = record.game.hands.unknown
    return tuple(hand if owner == seat else hidden for owner, hand in enumerate(record.deal.hands))


def _turn(turn: Turn) -> Turn:
    """A turn without comments, but with the mark that it stands."""
    notes = tuple(note for note in turn.notes if note.casefold().startswith(STANDS))
    outcomes = tuple(evolve(outcome, comments=()) for outcome in turn.outcomes)
    return evolve(turn, notes=notes, outcomes=outcomes, comments=(), hash="")


def _moment(record: Record, moment: Moment, turn: Turn | None, chain_hash: str, seat: int | None) -> Moment:
    position = record.game.view(moment.position, seat).shown
    return Moment(turn, position, moment.events, moment.line, chain_hash, moment.moves)
