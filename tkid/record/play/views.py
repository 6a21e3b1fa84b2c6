"""What one seat may know of a record: its own hand, and everything that happened; not the others' hands."""

from __future__ import annotations

from attrs import evolve

from tkid.notation.positions import write_position
from tkid.record.clock import public_header
from tkid.record.clock_notes import NoteReader, note_reader
from tkid.record.format import seal
from tkid.record.format.model import STANDS, Comments, Header, Record, Seat, Turn
from tkid.record.format.plugin import record_plugin
from tkid.record.format.reader import start_text
from tkid.record.format.seal import COMMITMENT_HEADER, NONCE_HEADER, sealed, with_seal
from tkid.record.play.note_chain import shear, values
from tkid.record.play.replay import Moment, Replay
from tkid.rulebook import cites

EVERYTHING = -1
"""The reader of a game that is over: nothing is hidden from anybody."""
UNADDRESSED = -2
"""The reader of a replay who gets nobody's address."""
ADDRESS_SIGN = "@"
"""A sign that every address has."""


@cites("record.seen")
def seen(played: Replay, seat: int | None) -> Replay:
    """Return a replay as a seat may know it (None: a spectator); unchanged if the game hides nothing.

    Its record holds the seat's own hand, the others' as `?`, no entropy, and neither comments nor own headers,
    because the keeper of the whole record may have written anything in them. Notes about time, absences and
    turns taken back stay, written again from what was understood. The hashes are those of its own text. The
    replay remembers the result; a replay that is already hidden is returned unchanged.

    If a game covers what anybody can work out, the record stays whole: only the positions hide it.
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
    """Return a finished game as everybody may know it: with every hand and the entropy, without personal comments.

    A record in which nothing was hidden stays unchanged. Hashes are those of its own text.
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
        moments, value = [evolve(played.moments[0], hash="")], seal.compute_first_hash(start_text(shown))
        turns = zip(played.moments[1:], shown.turns, _chain_values(shown, played), strict=True)
        for moment, turn, value in turns:
            moments.append(evolve(moment, turn=turn, hash=seal.shorten_hash(value)))
        known = Replay(shown, moments, [], value)
        known.views.update(dict.fromkeys((EVERYTHING, None, *range(len(record.seats)))))
        played.views[EVERYTHING] = known
    return played.views[EVERYTHING] or played


@cites("mail.private-address")
def hide_addresses(played: Replay) -> Replay:
    """Return a replay without the players' addresses; the replay itself if its record has none.

    Names, turns and notes about time stay. Other comments and own headers stay unless there may be an address in them.
    Hashes are those of its own text. A draw without a host is left out where it rests on the addresses.
    """
    record = played.record
    texts = (*map(str, record.seats), *(f"{h.value}\n{h.comments}" for h in record.headers), *record.remarks())
    inside = (*(note for turn in record.turns for note in turn.notes), *map(str, record.row_comments.values()))
    if not any(ADDRESS_SIGN in text for text in (*texts, *inside)):
        return played
    if UNADDRESSED not in played.views:
        reader, seats = _PublicReader(record), iter(record.names)
        is_addressed = any(seat.address for seat in record.seats)
        headers = (Header("Seat", next(seats), h.comments) if h.name == "Seat" else h for h in record.headers)
        shown = evolve(
            record,
            seats=tuple(map(Seat, record.names)),
            headers=tuple(filter(None, (reader.header(header, is_addressed=is_addressed) for header in headers))),
            row_comments={row: reader.lines(lines) for row, lines in record.row_comments.items()},
            turns=tuple(reader.turn(moment) for moment in played.moments[1:]),
            end=reader.lines(record.end),
        )
        moments, value = [played.moments[0]], seal.compute_first_hash(start_text(shown))
        for moment, turn, value in zip(played.moments[1:], shown.turns, _chain_values(shown, played), strict=True):
            moments.append(_unaddressed_moment(moment, turn, seal.shorten_hash(value)))
        played.views[UNADDRESSED] = evolve(played, record=shown, moments=moments, value=value)
    return played.views[UNADDRESSED] or played


class _PublicReader:
    """Takes the addresses out of the comments and headers of a record, and the hashes off its lines about the game."""

    def __init__(self, record: Record) -> None:
        self.notes, self.shear = note_reader(record.names), shear(record)

    def header(self, header: Header, *, is_addressed: bool) -> Header | None:
        """Return a header with no address in it; None for one of somebody's own that has one, or rests on those of players."""
        header, name = evolve(header, comments=self.lines(header.comments)), header.name.casefold()
        if is_addressed and name in {COMMITMENT_HEADER.casefold(), NONCE_HEADER.casefold()}:
            return None
        return public_header(header) if name.startswith("x-") and ADDRESS_SIGN in header.value else header

    def turn(self, moment: Moment) -> Turn:
        """Return the turn of a moment with no address in its comments: remembered, as a game that continues has the same ones."""
        if UNADDRESSED in moment.views and (known := moment.views[UNADDRESSED].turn) is not None:
            return known
        turn = moment.turn
        assert turn is not None
        notes = (
            n if ADDRESS_SIGN not in n else STANDS if n.casefold().startswith(STANDS) else self.notes.public_note(n)
            for n in turn.notes
        )
        outcomes = tuple(evolve(each, comments=self.lines(each.comments)) for each in turn.outcomes)
        comments = self.lines(turn.comments)
        return evolve(
            turn, notes=tuple(filter(None, notes)), note_cols=(), outcomes=outcomes, comments=comments, hash=""
        )

    def lines(self, comments: Comments) -> Comments:
        """Return comment lines with no address in them."""
        texts = (self.notes.public_line(text) if ADDRESS_SIGN in text else text for text in comments)
        return self.shear(tuple(filter(None, texts)))


def _unaddressed_moment(moment: Moment, turn: Turn, chain_hash: str) -> Moment:
    """Return a moment with its turn without addresses, and remember it with the moment."""
    known = moment.views.get(UNADDRESSED)
    if known is None or known.hash != chain_hash:
        moment.views[UNADDRESSED] = known = evolve(moment, turn=turn, hash=chain_hash)
    return known


def _header(header: Header) -> Header | None:
    """Return a header as everybody may read it; None for a personal one."""
    shown = public_header(header) if header.name.casefold().startswith("x-") else header
    return evolve(shown, comments=()) if shown else None


def _covered(played: Replay, seat: int | None) -> Replay:
    view = played.record.game.view
    moments = [evolve(each, position=view(each.position, seat).shown) for each in played.moments]
    return evolve(played, moments=moments)


def _seen(played: Replay, seat: int | None) -> Replay:
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
    moments, value = [_known(record, played.moments[0], "", seat)], seal.compute_first_hash(start_text(shown))
    for moment, value in zip(played.moments[1:], _chain_values(shown, played), strict=True):
        moments.append(_known(record, moment, seal.shorten_hash(value), seat))
    turns = tuple(moment.turn for moment in moments if moment.turn)
    return Replay(evolve(shown, turns=turns), moments, [], value)


def _chain_values(shown: Record, played: Replay) -> list[bytes]:
    return [*values(shown, [moment.line for moment in played.moments[1:]])]


def _headers(record: Record, seat: int | None) -> list[Header]:
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
    """Return a turn without people's comments, but with the mark that it stands, and the notes about time."""
    notes = (note if note.casefold().startswith(STANDS) else reader.public_note(note) for note in turn.notes)
    outcomes = tuple(evolve(o, comments=_lines(o.comments, reader)) if o.comments else o for o in turn.outcomes)
    comments = _lines(turn.comments, reader)
    return evolve(turn, notes=tuple(filter(None, notes)), note_cols=(), outcomes=outcomes, comments=comments, hash="")


def _lines(comments: Comments, reader: NoteReader) -> Comments:
    """Keep the comment lines about absences and the like."""
    return tuple(filter(None, map(reader.public_line, comments)))


def _known(record: Record, moment: Moment, chain_hash: str, seat: int | None) -> Moment:
    """Return a moment as a seat may know it. It is remembered, because a game that continues has the same moments."""
    known = moment.views.get(seat)
    if known is None or known.hash != chain_hash:
        moment.views[seat] = known = _moment(record, moment, _known_turn(record, moment), chain_hash, seat)
    return known


def _known_turn(record: Record, moment: Moment) -> Turn | None:
    """Return the turn of a moment as everybody may know it, remembered with the moment."""
    other = next((view for reader, view in moment.views.items() if reader != UNADDRESSED), None)
    return other.turn if other else moment.turn and _turn(moment.turn, note_reader(record.names))


def _moment(record: Record, moment: Moment, turn: Turn | None, chain_hash: str, seat: int | None) -> Moment:
    position = record.game.view(moment.position, seat).shown
    events = tuple([event.seen(seat) for event in moment.events])
    return Moment(turn, position, events, moment.line, chain_hash, moment.moves)
