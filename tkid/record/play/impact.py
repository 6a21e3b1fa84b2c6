"""What another reading of a ruling would make of a recorded game: turns and results that change, each with its rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve, frozen

from tkid.kernel.game import NOBODY
from tkid.record.format.model import Record
from tkid.record.play.note_chain import without_hashes
from tkid.record.play.replay import Replay, replay


@frozen
class Change:
    """A difference: the turn's number, what is so as it was played and what under the other reading, and the rule.

    `as_played` or `otherwise` is "" where only the other has something to say. `line` is the turn's line in the file.
    """

    turn: int
    as_played: str
    otherwise: str
    rule: str
    line: int = 0


def impact(played: Replay, readings: Mapping[str, str]) -> list[Change]:
    """What changes if a record without problems is read with other options of some rulings, by their ids.

    A turn that is not legal any more is carried out as far as it can be, like everywhere; what follows is compared too.
    """
    record = without_hashes(played.record)
    turns = tuple(evolve(turn, outcomes=()) for turn in record.turns)
    other = replay(evolve(record, turns=turns, readings={**record.readings, **readings}))
    changes = _joined([*_illegal(other), *_differing(record, played, other)])
    return sorted(changes, key=lambda change: change.turn) + _result(played, other, readings)


def _joined(changes: list[Change]) -> list[Change]:
    """The changes with those of one turn and rule made one."""
    found: dict[tuple[int, str], Change] = {}
    for change in changes:
        first = found.get((change.turn, change.rule), evolve(change, as_played="", otherwise=""))
        as_played = "; ".join(filter(None, (first.as_played, change.as_played)))
        otherwise = "; ".join(filter(None, (first.otherwise, change.otherwise)))
        found[change.turn, change.rule] = evolve(first, as_played=as_played, otherwise=otherwise)
    return list(found.values())


def _illegal(other: Replay) -> Iterator[Change]:
    """Turns that break a rule under the other reading."""
    numbers = {turn.line: turn.number for turn in other.record.turns}
    for problem in other.problems:
        yield Change(numbers.get(problem.line, 0), "", problem.message, problem.rule, problem.line)


def _differing(record: Record, played: Replay, other: Replay) -> Iterator[Change]:
    """What followed from turns, where it differs."""
    for before, after in zip(played.moments[1:], other.moments[1:], strict=True):
        left, right = ({event.read(record.names): event.rule for event in each.events} for each in (before, after))
        assert before.turn is not None
        number, line = before.turn.number, before.turn.line
        yield from (Change(number, text, "", rule, line) for text, rule in left.items() if text not in right)
        yield from (Change(number, "", text, rule, line) for text, rule in right.items() if text not in left)


def _result(played: Replay, other: Replay, readings: Mapping[str, str]) -> list[Change]:
    """Another end of the game."""
    left, right = _end(played), _end(other)
    if left == right:
        return []
    last = played.last.turn
    return [Change(last.number if last else 0, left, right, next(iter(readings)), last.line if last else 0)]


def _end(played: Replay) -> str:
    """How a game stands at the end of its record, in words."""
    position, names = played.position, played.record.names
    if position.ending is None:
        due = f"{names[position.to_act]} to {position.decision}" if position.to_act is not None else ""
        return f"the game goes on, {due}"
    return f"{position.ending}: {' and '.join(names[seat] for seat in position.winners) or NOBODY}"
