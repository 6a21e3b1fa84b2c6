"""What one seat may know of a record: its own hand, and everything that happened; not the others' hands."""

from __future__ import annotations

from attrs import evolve

from tkid.notation.positions import write_position
from tkid.record.clock.notes import NoteReader, note_reader
from tkid.record.clock.terms import public_header
from tkid.record.format.model import STANDS, Comments, Header, Record, Turn
from tkid.record.format.seal import sealed, with_seal
from tkid.record.format.start_text import start_text
from tkid.record.play import chain
from tkid.record.play.note_chain import values
from tkid.record.play.replay import Moment, Replay
from tkid.record.plugin import record_plugin
from tkid.rulebook import cites

EVERYTHING = -1
"""The reader of a game that is over: nothing is hidden from anybody."""


@cites("record.seen")
def seen(played: Replay, seat: int | None) -> Replay:
    """A replay as a seat may know it (None: a spectator); as it is, where the game has no secrets and covers nothing.

    The record of it holds the seat's own hand, the others' as `?`, no entropy, and neither comments nor own headers,
    in which whoever keeps the whole record may have written anything; but what they tell of time, of absences and of
    turns taken back, written anew from what was understood. Its hashes are those of its own text. The replay remembers
    it; what is known already is returned as it is.

    Where a game covers what anybody can work out, the record stays whole: only the positions hide it.
    """
    game = played.record.game
    if not (game.secret or game.covered):
        return played
    if seat not in played.views:
        known = _seen(played, seat) if game.secret else _covered(played, seat)
        known.views[seat] = None
        played.views[seat] = known
    return played.views[seat] or played


@cites("record.opening")
def disclosed(played: Replay) -> Replay:
    """A replay as everybody may know it when the game is over: every hand and the entropy, but nobody's own comments.

    A record in which nothing was hidden stays as it is. Hashes are those of its own text.
    """
    record = played.record
    if not record.game.secret:
        return played
    if EVERYTHING not in played.views:
        reader = note_reader(record.names)
        shown = evolve(
            record,
            headers=tuple(filter(None, map(_header, record.headers))),
            row_comments={},
            turns=tuple(_turn(turn, reader) for turn in record.turns),
            end=_lines(record.end, reader),
        )
        moments, value = [evolve(played.moments[0], hash="")], chain.first(start_text(shown))
        turns = zip(played.moments[1:], shown.turns, _chain_values(shown, played), strict=True)
        for moment, turn, value in turns:
            moments.append(evolve(moment, turn=turn, hash=chain.shown(value)))
        known = Replay(shown, moments, [], value)
        known.views.update(dict.fromkeys((EVERYTHING, None, *range(len(record.seats)))))
        played.views[EVERYTHING] = known
    return played.views[EVERYTHING] or played


def _header(header: Header) -> Header | None:
    """A header as everybody may read it; None for one of somebody's own."""
    shown = public_header(header) if header.name.casefold().startswith("x-") else header
    return evolve(shown, comments=()) if shown else None


def _covered(played: Replay, seat: int | None) -> Replay:
    """The same record and turns, with positions as a seat is shown them."""
    view = played.record.game.view
    moments = [evolve(each, position=view(each.position, seat).shown) for each in played.moments]
    return evolve(played, moments=moments)


def _seen(played: Replay, seat: int | None) -> Replay:
    """A replay of a game with secrets as a seat may know it."""
    record = played.record
    stated = sealed(record)
    record = with_seal(record, evolve(stated, entropy=None)) if stated else record
    shown = evolve(
        record,
        headers=tuple(_headers(record, seat)),
        deal=record.deal and record_plugin(record.game).seen_deal(record.game, record.deal, seat),
        position=record.position and record.game.view(record.position, seat).shown,
        row_comments={},
        turns=tuple(turn for moment in played.moments if (turn := _known_turn(record, moment))),
        end=_lines(record.end, note_reader(record.names)),
    )
    moments, value = [_known(record, played.moments[0], "", seat)], chain.first(start_text(shown))
    for moment, value in zip(played.moments[1:], _chain_values(shown, played), strict=True):
        moments.append(_known(record, moment, chain.shown(value), seat))
    turns = tuple(moment.turn for moment in moments if moment.turn)
    return Replay(evolve(shown, turns=turns), moments, [], value)


def _chain_values(shown: Record, played: Replay) -> list[bytes]:
    """The values of the chain after each turn of a record that tells a game in a text of its own."""
    return [*values(shown, [moment.line for moment in played.moments[1:]])]


def _headers(record: Record, seat: int | None) -> list[Header]:
    """The headers that everybody may read."""
    shown: list[Header] = []
    for header in record.headers:
        if header.name.casefold().startswith("x-"):
            shown += filter(None, [public_header(header)])
            continue
        value = header.value
        if header.name == "Position" and record.position is not None:
            value = write_position(record.game, record.game.view(record.position, seat).shown)
        shown.append(Header(header.name, value, line=header.line))
    return shown


def _turn(turn: Turn, reader: NoteReader) -> Turn:
    """A turn without people's comments, but with the mark that it stands, and what is told of its time."""
    notes = (note if note.casefold().startswith(STANDS) else reader.public_note(note) for note in turn.notes)
    outcomes = tuple(evolve(o, comments=_lines(o.comments, reader)) if o.comments else o for o in turn.outcomes)
    comments = _lines(turn.comments, reader)
    return evolve(turn, notes=tuple(filter(None, notes)), note_cols=(), outcomes=outcomes, comments=comments, hash="")


def _lines(comments: Comments, reader: NoteReader) -> Comments:
    """The comment lines that tell of absences and the like."""
    return tuple(filter(None, map(reader.public_line, comments)))


def _known(record: Record, moment: Moment, chain_hash: str, seat: int | None) -> Moment:
    """A moment as a seat may know it: remembered with it, as a game that goes on has the same ones."""
    known = moment.views.get(seat)
    if known is None or known.hash != chain_hash:
        moment.views[seat] = known = _moment(record, moment, _known_turn(record, moment), chain_hash, seat)
    return known


def _known_turn(record: Record, moment: Moment) -> Turn | None:
    """The turn of a moment as everybody may know it: remembered with what a seat may know of it."""
    other = next(iter(moment.views.values()), None)
    return other.turn if other else moment.turn and _turn(moment.turn, note_reader(record.names))


def _moment(record: Record, moment: Moment, turn: Turn | None, chain_hash: str, seat: int | None) -> Moment:
    position = record.game.view(moment.position, seat).shown
    events = tuple([event.seen(seat) for event in moment.events])
    return Moment(turn, position, events, moment.line, chain_hash, moment.moves)
