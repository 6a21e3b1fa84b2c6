"""Hide from a record what a seat may not know: the other hands. A seat's own hand and all events stay."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from tkid.notation.positions import write_position
from tkid.record.clock import make_public_header
from tkid.record.clock_notes import NoteReader, make_note_reader
from tkid.record.format import seal
from tkid.record.format.model import STANDS, Comments, Header, Record, Seat, Turn
from tkid.record.format.plugin import find_record_plugin
from tkid.record.format.reader import write_start
from tkid.record.format.seal import COMMITMENT_HEADER, NONCE_HEADER, find_seal, replace_seal
from tkid.record.play.note_chain import compute_chain_values, make_hash_remover
from tkid.record.play.replay import Moment, Replay
from tkid.rulebook import cites

EVERYTHING = -1
"""The reader of a game that is over: nothing is hidden from anybody."""
UNADDRESSED = -2
"""The reader of a replay who gets nobody's address."""
ADDRESS_SIGN = "@"


@cites("record.seen")
def hide_secrets(played: Replay, seat: int | None) -> Replay:
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
        if game.secret:
            known = _hide_hands(played, seat)
        else:
            moments = [evolve(each, position=game.view(each.position, seat).shown) for each in played.moments]
            known = evolve(played, moments=moments)
        known.views[seat] = None
        played.views[seat] = known
    return played.views[seat] or played


@cites("record.opening")
def make_public_replay(played: Replay) -> Replay:
    """Return a finished game with all hands and the entropy, without personal comments; unchanged if nothing was hidden."""
    record = played.record
    if not record.game.secret:
        return played
    if EVERYTHING not in played.views:
        reader = make_note_reader(record.names)
        shown = evolve(
            record,
            headers=tuple(filter(None, map(_make_public_header, record.headers))),
            row_comments={},
            turns=tuple(_make_public_turn(turn, reader) for turn in record.turns),
            end=_filter_lines(record.end, reader),
        )
        moments, value = link_moments(shown, played, lambda moment, turn, link: evolve(moment, turn=turn, hash=link))
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
    texts = (*map(str, record.seats), *(f"{h.value}\n{h.comments}" for h in record.headers), *record.list_remarks())
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
            headers=tuple(filter(None, (reader.read_header(header, is_addressed=is_addressed) for header in headers))),
            row_comments={row: reader.read_lines(lines) for row, lines in record.row_comments.items()},
            turns=tuple(reader.read_turn(moment) for moment in played.moments[1:]),
            end=reader.read_lines(record.end),
        )
        moments, value = link_moments(shown, played, _hide_moment_addresses)
        played.views[UNADDRESSED] = evolve(played, record=shown, moments=moments, value=value)
    return played.views[UNADDRESSED] or played


class _PublicReader:
    """Takes the addresses out of the comments and headers of a record, and the hashes off its lines about the game."""

    def __init__(self, record: Record) -> None:
        self.notes, self.shear = make_note_reader(record.names), make_hash_remover(record)

    def read_header(self, header: Header, *, is_addressed: bool) -> Header | None:
        """Return a header with no address in it; None for one of somebody's own that has one, or rests on those of players."""
        header, name = evolve(header, comments=self.read_lines(header.comments)), header.name.casefold()
        if is_addressed and name in {COMMITMENT_HEADER.casefold(), NONCE_HEADER.casefold()}:
            return None
        return make_public_header(header) if name.startswith("x-") and ADDRESS_SIGN in header.value else header

    def read_turn(self, moment: Moment) -> Turn:
        """Return the turn of a moment with no address in its comments: remembered, as a game that continues has the same ones."""
        if UNADDRESSED in moment.views and (known := moment.views[UNADDRESSED].turn) is not None:
            return known
        assert moment.turn is not None
        return _rewrite_turn(moment.turn, self._read_note, self.read_lines)

    def _read_note(self, note: str) -> str:
        if ADDRESS_SIGN not in note:
            return note
        return STANDS if note.casefold().startswith(STANDS) else self.notes.write_public_note(note)

    def read_lines(self, comments: Comments) -> Comments:
        texts = (self.notes.write_public_line(text) if ADDRESS_SIGN in text else text for text in comments)
        return self.shear(tuple(filter(None, texts)))


def _hide_moment_addresses(moment: Moment, turn: Turn | None, chain_hash: str) -> Moment:
    known = moment.views.get(UNADDRESSED)
    if known is None or known.hash != chain_hash:
        moment.views[UNADDRESSED] = known = evolve(moment, turn=turn, hash=chain_hash)
    return known


def _make_public_header(header: Header) -> Header | None:
    shown = make_public_header(header) if header.name.casefold().startswith("x-") else header
    return evolve(shown, comments=()) if shown else None


def _hide_hands(played: Replay, seat: int | None) -> Replay:
    record = played.record
    stated = find_seal(record)
    record = replace_seal(record, evolve(stated, entropy=None)) if stated else record
    shown = evolve(
        record,
        headers=tuple(_list_public_headers(record, seat)),
        deal=record.deal and find_record_plugin(record.game).hide_deal(record.game, record.deal, seat),
        position=record.position and record.game.view(record.position, seat).shown,
        row_comments={},
        turns=tuple(turn for moment in played.moments if (turn := _get_known_turn(record, moment))),
        end=_filter_lines(record.end, make_note_reader(record.names)),
    )
    moments, value = link_moments(shown, played, lambda moment, _, link: _get_known_moment(record, moment, link, seat))
    turns = tuple(moment.turn for moment in moments if moment.turn)
    return Replay(evolve(shown, turns=turns), moments, [], value)


def link_moments(
    shown: Record, played: Replay, make: Callable[[Moment, Turn | None, str], Moment]
) -> tuple[list[Moment], bytes]:
    """Make the moments of another record of the game, each with its turn and its hash there; return the last value of its chain."""
    value, lines = seal.compute_first_hash(write_start(shown)), [moment.line for moment in played.moments[1:]]
    moments = [make(played.moments[0], None, "")]
    values = compute_chain_values(shown, lines)
    for moment, turn, value in zip(played.moments[1:], shown.turns, values, strict=True):
        moments.append(make(moment, turn, seal.shorten_hash(value)))
    return moments, value


def _list_public_headers(record: Record, seat: int | None) -> list[Header]:
    headers, start = record.headers, record.position
    if start is not None:
        line = write_position(record.game, record.game.view(start, seat).shown)
        headers = tuple(evolve(each, value=line) if each.name == "Position" else each for each in headers)
    return list(filter(None, map(_make_public_header, headers)))


def _make_public_turn(turn: Turn, reader: NoteReader) -> Turn:
    def write_note(note: str) -> str:
        return note if note.casefold().startswith(STANDS) else reader.write_public_note(note)

    return _rewrite_turn(turn, write_note, lambda comments: _filter_lines(comments, reader))


def _rewrite_turn(turn: Turn, write_note: Callable[[str], str], write_lines: Callable[[Comments], Comments]) -> Turn:
    """Write the notes and comments of a turn again; its hash is left out, because it was that of another record."""
    notes = tuple(filter(None, map(write_note, turn.notes)))
    outcomes = tuple(evolve(o, comments=write_lines(o.comments)) if o.comments else o for o in turn.outcomes)
    comments = write_lines(turn.comments)
    return evolve(turn, notes=notes, note_cols=(), outcomes=outcomes, comments=comments, hash="")


def _filter_lines(comments: Comments, reader: NoteReader) -> Comments:
    return tuple(filter(None, map(reader.write_public_line, comments)))


def _get_known_moment(record: Record, moment: Moment, chain_hash: str, seat: int | None) -> Moment:
    """Return a moment as a seat may know it. It is remembered, because a game that continues has the same moments."""
    known = moment.views.get(seat)
    if known is None or known.hash != chain_hash:
        moment.views[seat] = known = _make_moment(record, moment, _get_known_turn(record, moment), chain_hash, seat)
    return known


def _get_known_turn(record: Record, moment: Moment) -> Turn | None:
    other = next((view for reader, view in moment.views.items() if reader != UNADDRESSED), None)
    return other.turn if other else moment.turn and _make_public_turn(moment.turn, make_note_reader(record.names))


def _make_moment(record: Record, moment: Moment, turn: Turn | None, chain_hash: str, seat: int | None) -> Moment:
    position = record.game.view(moment.position, seat).shown
    events = tuple([event.seen(seat) for event in moment.events])
    return Moment(turn, position, events, moment.line, chain_hash, moment.moves)
