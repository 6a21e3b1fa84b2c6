"""A game at a host: what a mail makes of it, who is written to, and what the host remembers besides the record. Pure."""

from __future__ import annotations

import json
from datetime import datetime

from attrs import evolve, frozen

from tkid.kernel.problems import Problem
from tkid.post import desk, texts
from tkid.post.model import Letter, Orders
from tkid.record.model import Record
from tkid.record.read import read_record
from tkid.record.replay import Replay, append, replay
from tkid.record.seen import seen
from tkid.record.write import write_record

NOTHING_TO_PLAY = "nothing to play"
"""The note on a turn that the host passed because its player has no card left."""


@frozen
class Hosted:
    """A game at a host: the record played through, and how many turns each seat has been told of."""

    replay: Replay
    told: tuple[int, ...]

    @classmethod
    def new(cls, record: Record) -> Hosted:
        """A game that begins."""
        return cls(replay(record), (0,) * len(record.seats))

    @classmethod
    def stored(cls, record: str, memory: str) -> Hosted:
        """A game as a store keeps it. Raises ValueError where that is no game: a store holds what was written."""
        found = read_record(record.encode())
        if found.record is None or found.problems:
            raise ValueError("; ".join(map(str, found.problems)))
        return cls(replay(found.record), tuple(json.loads(memory)["told"]))

    @property
    def record_text(self) -> str:
        """The record as a store keeps it."""
        return write_record(self.replay.record, self.replay)

    @property
    def memory_text(self) -> str:
        """What is remembered besides, as a store keeps it."""
        return json.dumps({"told": list(self.told)})


@frozen
class Outcome:
    """What came of a mail: the game as it stands, the letters, what was wrong with the order."""

    hosted: Hosted
    letters: tuple[Letter, ...]
    problems: tuple[Problem, ...] = ()


def begin(record: Record, time: datetime) -> Outcome:
    """A new game: whoever starts is asked, the others are told."""
    return _tell_all(Hosted.new(record), (), time)


def receive(hosted: Hosted, seat: int, orders: Orders, time: datetime) -> Outcome:
    """What a player's mail makes of a game: an answer to that player, and letters to those whom it concerns."""
    answer = desk.answer(hosted.replay, seat, orders, time)
    if answer.replay is None:
        return Outcome(hosted, (answer.letter,), answer.problems)
    told = _told(hosted.told, seat, answer.replay)
    settled = Hosted(_passed_on(answer.replay), told)
    return _tell_all(settled, (answer.letter,), time)


def _passed_on(played: Replay) -> Replay:
    """Pass for seats that have no card left: they have nothing to decide."""
    while played.position.to_act is not None and played.position.decision == "play":
        if played.position.hands[played.position.to_act]:
            break
        played = noted(append(played, "Pass"), NOTHING_TO_PLAY)
    return played


def noted(played: Replay, *notes: str) -> Replay:
    """A replay with inline notes on its last turn."""
    turn = played.record.turns[-1]
    with_notes = evolve(turn, notes=(*turn.notes, *notes))
    record = evolve(played.record, turns=(*played.record.turns[:-1], with_notes))
    return evolve(played, record=record, moments=[*played.moments[:-1], evolve(played.last, turn=with_notes)])


def _tell_all(hosted: Hosted, letters: tuple[Letter, ...], time: datetime) -> Outcome:
    """Ask whoever is to act, and tell the others what they are waiting for: power struggles and the end."""
    to_act = hosted.replay.position.to_act
    ask = desk.ask(hosted.replay, time)
    written = [*letters, *([ask] if ask else [])]
    told = hosted.told if ask is None else _told(hosted.told, ask.seat, hosted.replay)
    answered = {letter.seat for letter in letters}
    for seat in hosted.replay.position.seats:
        if (seat != to_act and seat not in answered and _is_news(hosted, seat)) or (
            seat in answered and to_act is None and told[seat] < len(hosted.replay.record.turns)
        ):
            written.append(_news(hosted, seat, time))
            told = _told(told, seat, hosted.replay)
    return Outcome(evolve(hosted, told=told), tuple(written))


def _told(told: tuple[int, ...], seat: int, played: Replay) -> tuple[int, ...]:
    """A seat knows everything up to here."""
    return (*told[:seat], len(played.record.turns), *told[seat + 1 :])


def _is_news(hosted: Hosted, seat: int) -> bool:
    """Whether anything happened that a seat waits for: the beginning, a power struggle, the end."""
    moments = hosted.replay.moments[hosted.told[seat] + 1 :]
    return not hosted.replay.record.turns or any(event.line for moment in moments for event in moment.events)


def _news(hosted: Hosted, seat: int, time: datetime) -> Letter:
    known = seen(hosted.replay, seat)
    due = texts.due(known)
    return Letter("news", seat, due.turn, due.after, due.turn, texts.news(known, seat, hosted.told[seat]), time)
