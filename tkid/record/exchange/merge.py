"""The own record gone on by the turns that another record of the same game has more."""

from __future__ import annotations

from attrs import evolve

from tkid.kernel.game import HIDDEN
from tkid.record.clock.notes import Marked, Resigned
from tkid.record.exchange.resignations import latest_line, new_resignations
from tkid.record.format.model import STANDS, TAKEN_BACK, Comments, Record, Turn
from tkid.record.play.note_chain import NoteLine, cut, note_lines
from tkid.record.play.replay import Replay, replay
from tkid.record.plugin import record_plugin
from tkid.rulebook import cites

MARKS = (STANDS, TAKEN_BACK)
"""What an inline comment begins with that says more than a remark does."""


def joined(mine: Replay, theirs: Replay, *, agree: bool) -> Replay:
    """My record with their further turns, played through by what mine knows; the problems are those of the new turns.

    Nothing but the turns and what followed is taken over, and who has resigned meanwhile: no hashes, no comments; and marks of turns
    that stand or were taken back only with `agree`. Where a game had ended without it being known who held a card that is revealed at the
    end, what followed from the last turn is found anew.
    """
    record, others = mine.record, theirs.record.turns
    new = [_taken(turn, agree=agree) for turn in others[len(record.turns) :]]
    own = [_marked(turn, other) if agree else turn for turn, other in zip(record.turns, others, strict=False)]
    own += record.turns[len(own) :]
    taken = taken_lines(record, theirs.record, agree=agree)
    end = (*record.end, *(taken[len(own)] if len(own) < len(taken) else ()))
    held: Comments = ()
    if new and own and (_open_ended(mine) or _tells_late(record, new[0])):
        held = _comments(own[-1])
        own[-1] = evolve(own[-1], outcomes=())
    if new:
        new[-1] = evolve(new[-1], outcomes=()) if _open_ended(theirs) else new[-1]
        new[0] = evolve(new[0], comments=(*held, *end))
        new[1:] = [evolve(turn, comments=taken[at]) for at, turn in enumerate(new[1:], len(own) + 1)]
        return without_late_passes(replay(evolve(record, turns=(*own, *new), end=taken[-1])))
    if tells_more(mine, theirs):
        first, *rest = others[-1].outcomes
        outcomes = (evolve(first, comments=_comments(own[-1])), *(evolve(outcome, comments=()) for outcome in rest))
        own[-1] = evolve(own[-1], outcomes=outcomes)
    return replay(evolve(record, turns=tuple(own), end=end))


def taken_lines(mine: Record, theirs: Record, *, agree: bool) -> list[Comments]:
    """For each turn of another record, and for its end, the lines before it that are taken over at the same place.

    So the hashes stay the same. The lines say that a player has resigned whom mine still has, or with `agree` that a turn got a
    mark. A line that is earlier than one in mine is not among them.
    """
    if next(theirs.remarks(), None) is None:
        return [()] * (len(theirs.turns) + 1)
    new, latest, known = new_resignations(mine, theirs), latest_line(mine), texts_of(mine)

    def is_taken(note: NoteLine) -> bool:
        match note.says:
            case Resigned(seat, time):
                return new.get(seat) == time and (latest is None or latest <= time)
            case Marked():
                return agree and note.text not in known
            case _:
                return False

    return [tuple(note.text for note in gap if is_taken(note)) for gap in note_lines(theirs)]


def texts_of(record: Record) -> set[str]:
    """The lines about the game in a record, in their canonical form."""
    return {note.text for gap in note_lines(record) for note in gap}


def tells_more(mine: Replay, theirs: Replay) -> bool:
    """Whether another record of as many turns tells what mine does not know: who held the card revealed at the end."""
    if len(mine.record.turns) != len(theirs.record.turns) or not mine.record.turns:
        return False
    game = mine.record.game
    known_here, known_there = (record_plugin(game).opens(game, played.last.events) for played in (mine, theirs))
    return known_there and not known_here


@cites("record.compare.late-passes")
def without_late_passes(played: Replay) -> Replay:
    """A replay without the passes after its end: who passed could not know that the game was over."""
    end = next((at for at, moment in enumerate(played.moments) if moment.position.to_act is None), len(played.moments))
    return _cut(played, end) if _are_passes(played.record, end) else played


def before_late_passes(mine: Replay, theirs: Replay) -> Replay:
    """Mine without the passes behind a shorter record, if that one tells that the game was over; else mine."""
    end = len(theirs.record.turns)
    if theirs.position.to_act is not None or not _are_passes(mine.record, end):
        return mine
    shorter = _cut(mine, end)
    return shorter if tells_more(shorter, theirs) else mine


def _are_passes(record: Record, begin: int) -> bool:
    """Whether there are turns from a place on, and all of them are passes."""
    late, idle = record.turns[begin:], record_plugin(record.game).idle
    return bool(late) and all(turn.moves and all(map(idle, turn.moves)) for turn in late)


def _cut(played: Replay, turns: int) -> Replay:
    return replay(cut(played.record, turns))


def _tells_late(record: Record, turn: Turn) -> bool:
    """Whether a turn tells on what the ending hangs, so that the game had not ended yet."""
    return bool(turn.moves) and record_plugin(record.game).tells_late(turn.moves[0])


def _comments(turn: Turn) -> Comments:
    """The comments between a turn and what followed from it."""
    return tuple(comment for outcome in turn.outcomes for comment in outcome.comments)


def mark(turn: Turn, kind: str | tuple[str, ...]) -> str:
    """The mark of a kind that a turn has, "" where it has none."""
    return next((note for note in turn.notes if note.casefold().startswith(kind)), "")


def _open_ended(played: Replay) -> bool:
    """Whether a game has ended as far as a record can know that does not know all hands."""
    return any(unproven.ending for unproven in played.unproven)


def _marked(turn: Turn, theirs: Turn) -> Turn:
    """A turn of mine, taken back if it is marked so in the other record."""
    note = mark(theirs, TAKEN_BACK)
    return evolve(turn, notes=(*turn.notes, note), note_cols=()) if note and not turn.undone else turn


def _taken(turn: Turn, *, agree: bool) -> Turn:
    """A turn of another record without its comments, and without what it does not know of what followed."""
    notes = tuple(filter(None, (mark(turn, kind) for kind in MARKS))) if agree else ()
    known = [outcome for outcome in turn.outcomes if not outcome.text.endswith(f": {HIDDEN}")]
    outcomes = tuple(evolve(outcome, comments=()) for outcome in known)
    return evolve(turn, hash="", notes=notes, note_cols=(), outcomes=outcomes, comments=())
