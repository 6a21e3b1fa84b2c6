"""Replaying a record: every position in turn, what followed, and what is wrong."""

from __future__ import annotations

from attrs import evolve, field, frozen

from tkid.games.struggle.game import PASS, Struggle
from tkid.games.struggle.moves import Move, Summon
from tkid.games.struggle.position import Position
from tkid.kernel.game import Event, with_names
from tkid.kernel.problems import Kind, Problem, Violation
from tkid.notation.report import problems as problems_of
from tkid.notation.text import single_spaced
from tkid.notation.turns import TurnReader
from tkid.record import chain
from tkid.record.model import Record, Turn
from tkid.record.start import start_text


@frozen
class Moment:
    """A position of a replay, and how it came about: the turn (None at the start), its canonical line and hash."""

    turn: Turn | None
    position: Position
    events: tuple[Event, ...]
    line: str
    hash: str
    moves: tuple[Move, ...] = ()


@frozen
class Replay:
    """A record played through: the moments from the start on, and the problems found on the way."""

    record: Record
    moments: list[Moment] = field(factory=list)
    problems: list[Problem] = field(factory=list)
    value: bytes = b""

    @property
    def last(self) -> Moment:
        """Where the record ends."""
        return self.moments[-1]

    @property
    def position(self) -> Position:
        """The last position."""
        return self.moments[-1].position


def replay(record: Record) -> Replay:
    """Play a record through. A turn that breaks a rule is reported and, as far as it can be, carried out."""
    position = record.start()
    player = _Player(record)
    moments = [Moment(None, position, (), "", "")]
    value = chain.first(start_text(record))
    for number, turn in enumerate(record.turns, 1):
        player.lost = player.lost or turn.number != number
        moment, value = player.moment(moments[-1].position, value, turn)
        moments.append(moment)
    return Replay(record, moments, player.problems, value)


def append(played: Replay, text: str) -> Replay:
    """The replay with one more turn, typed by the seat to act; the problems are those of this turn alone.

    A turn with problems has no place in the record; its replay is good for telling them.
    """
    record, position = played.record, played.position
    seat = position.to_act if position.to_act is not None else 0
    number = record.turns[-1].number + 1 if record.turns else 1
    read = reader(record.game).turn(text)
    turn = Turn(number, seat, read, comments=record.end, line=1)
    player = _Player(record)
    player.problems += read.problems
    moment, value = player.moment(position, played.value, turn)
    longer = evolve(record, turns=(*record.turns, turn), end=())
    return Replay(longer, [*played.moments, moment], player.problems, value)


def reader(game: Struggle) -> TurnReader:
    """The reader of a game's turns: one for all records, so that what it has parsed is remembered."""
    if game not in _READERS:
        _READERS[game] = TurnReader(game)
    return _READERS[game]


_READERS: dict[Struggle, TurnReader] = {}


class _Player:
    """Takes the turns of a record one by one and collects the problems."""

    def __init__(self, record: Record) -> None:
        self.record, self.game, self.names = record, record.game, record.names
        self.problems: list[Problem] = []
        self.lost = False
        """Whether a turn is missing or could not be carried out, so that what follows may only be a consequence."""
        self.disordered = False
        """Whether somebody has taken a turn out of order, so that those after it may seem to be out of order too."""
        self.forked = False

    def moment(self, position: Position, value: bytes, turn: Turn) -> tuple[Moment, bytes]:
        """The moment after a turn, and the chain's value there."""
        after, events, moves = self.take(position, turn)
        line = f"{turn.number}. {self.names[turn.seat]} {self.game.words.turn(moves)}"
        value = chain.link(value, line)
        moment = Moment(turn, after, events, line, chain.shown(value), moves)
        self.compare(moment)
        return moment, value

    def take(self, position: Position, turn: Turn) -> tuple[Position, tuple[Event, ...], tuple[Move, ...]]:
        """The position after a turn, with its events and canonical moves."""
        game, decisions = self.game, turn.read.decisions
        if not decisions or decisions[0].move is None:
            self.lost = True
            return self._skipped(position, turn), (), ()
        position = self._seated(position, turn)
        events: tuple[Event, ...] = ()
        moves: list[Move] = []
        for index, decision in enumerate(decisions):
            if decision.move is None:
                self.lost = True
                break
            move = game.canonical(position, decision.move)
            moves.append(move)
            if index and position.decision != "summon":
                self._too_many(turn, index, move)
                continue
            violations = game.check(position, move)
            carried = carried_out(game, position, move) if violations else game.stand(position, move)
            if violations and not (turn.stands and carried):
                self._violated(turn, index, violations, move)
            if carried is None:
                self.lost = True
                return self._skipped(position, turn), events, tuple(moves)
            position, followed = carried
            events += followed
        if position.decision == "summon":
            if not self.lost:
                self._summon_missing(turn, position, len(decisions) - 1, moves[-1])
            position = self._skipped(position, turn)
        return position, events, tuple(moves)

    def _seated(self, position: Position, turn: Turn) -> Position:
        """The position with the seat to act that the turn names, which may not be the one that is due."""
        if position.to_act is None or position.to_act == turn.seat:
            return position
        if not turn.stands:
            told = f"It is {self.names[position.to_act]}'s turn, not {self.names[turn.seat]}'s"
            kind = Kind.FOLLOW_ON if self.disordered else Kind.ILLEGAL
            self._wrong(kind, self.game.ids("turn.order"), told, turn, (turn.name_col, turn.col - 1))
            self.disordered = True
        return position.but(to_act=turn.seat)

    def _skipped(self, position: Position, turn: Turn) -> Position:
        """The position with the next player to act, where a turn, or what is left of it, cannot be carried out."""
        if position.to_act is None:
            return position
        passes = 0 if position.decision == "summon" else position.passes
        following = (turn.seat + 1) % len(self.names)
        return position.but(decision="play", to_act=following, turn=position.turn + 1, passes=passes)

    def _too_many(self, turn: Turn, index: int, move: Move) -> None:
        told = "A turn is one action with one summons, or a pass: this is too much"
        if isinstance(move, Summon):
            passed = turn.read.decisions[0].move == PASS
            told = "A pass brings no summons" if passed else "An action brings one summons, not another"
        self._violated(turn, index, (Violation(self.game.ids("summon.after-action"), told),), move)

    def _summon_missing(self, turn: Turn, position: Position, index: int, move: Move) -> None:
        first = self.game.words.move(self.game.legal(position)[0])
        told = "After the action a follower has to be summoned"
        violation = Violation(self.game.ids("summon.must"), told, hint=f"Add for instance `; {first}`.")
        self._violated(turn, index, (violation,), move)

    def _violated(self, turn: Turn, index: int, violations: tuple[Violation, ...], move: Move) -> None:
        found = problems_of(self.game, turn.read, index, violations, canonical=move, names=self.names)
        kind = self._kind(Kind.ILLEGAL)
        self.problems += [evolve(problem.moved(line=turn.line, col=turn.col), kind=kind) for problem in found]

    def _kind(self, kind: Kind) -> Kind:
        return Kind.FOLLOW_ON if self.lost else kind

    def _wrong(  # noqa: PLR0917 - kind, rule and message, then where and the way out
        self, kind: Kind, rule: str, message: str, turn: Turn, columns: tuple[int, int], hint: str = ""
    ) -> None:
        start, end = columns
        length = max(1, end - start)
        self.problems.append(Problem(self._kind(kind), rule, message, turn.line, start + 1, length, hint))

    def compare(self, moment: Moment) -> None:
        """Compare what the record says of hash and outcomes with what followed."""
        turn = moment.turn
        assert turn is not None
        if turn.hash and turn.hash != moment.hash and not self.forked:
            self.forked = True
            told = f"The hash #{turn.hash} does not fit: with everything before it this turn has #{moment.hash}"
            hint = "Something up to here was changed or lost, or the line comes from another record."
            self._wrong(Kind.INTEGRITY, "record.turn.hash", told, turn, (turn.hash_col, turn.hash_col + 7), hint)
        if turn.outcomes:
            self._compare_outcomes(moment, turn)

    def _compare_outcomes(self, moment: Moment, turn: Turn) -> None:
        followed = [with_names(event.line, self.names) for event in moment.events if event.line]
        if followed == [outcome.text for outcome in turn.outcomes]:
            return
        expected = list(followed)
        kind = self._kind(Kind.INTEGRITY)
        for outcome in turn.outcomes:
            text = single_spaced(outcome.text).casefold()
            match = next((line for line in expected if line.casefold() == text), None)
            if match is not None:
                del expected[: expected.index(match) + 1]
                continue
            told = f"This did not follow: {outcome.text}"
            hint = f"What followed: {'; '.join(followed)}." if followed else "Nothing followed from this turn."
            length = len(outcome.text) + 3
            self.problems.append(Problem(kind, "record.outcome", told, outcome.line, 1, length, hint))


def carried_out(game: Struggle, position: Position, move: Move) -> tuple[Position, tuple[Event, ...]] | None:
    """What an illegal move leads to if it is carried out as it stands; None where the pieces do not allow it."""
    if position.to_act is None or getattr(move, "card", "") not in {"", *game.cards}:
        return None
    try:
        after, events = game.stand(position, move)
    except (ValueError, IndexError):
        return None
    groups = (*after.regions, after.supply, *after.courts, after.negotiation_discs)
    return None if min(map(min, groups)) < 0 else (after, events)
