"""Replay a record: check its turns, its chain of hashes and its outcome."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from attrs import evolve, field, frozen

from tkid.kernel.game import HIDDEN, NOBODY, AnyGame, Event, Position, fill_names
from tkid.kernel.pickling import Portable
from tkid.kernel.problems import Kind, Problem, Violation
from tkid.kernel.values import check_kind, quick_frozen
from tkid.notation.names import list_names
from tkid.notation.plugin import find_turn_reader
from tkid.notation.plugin import make_problems as problems_of
from tkid.notation.text import fold_name, single_space
from tkid.notation.voice import Voice, make_sentence
from tkid.record.format import seal
from tkid.record.format.model import UNDONE, Record, Turn
from tkid.record.format.plugin import find_record_plugin
from tkid.record.format.reader import write_start
from tkid.rulebook import cites

if TYPE_CHECKING:
    from tkid.record.play.note_chain import NoteChain

REMOVE_LATE = "Remove this turn. If the game was not over, a turn above it is wrong or missing."
NOT_PLAYED = "is not a game played through; `tkid.replay(record)` makes one"
Taken = tuple[Position, tuple[Event, ...], tuple[Any, ...]]
"""The position after a turn, what followed, and its moves in canonical form."""


@quick_frozen(repr=False)
class Moment(Portable):
    """A position, its turn (None at the start), canonical line and hash; `views` caches what seats may know (see `seen`)."""

    turn: Turn | None
    position: Position
    events: tuple[Event, ...]
    line: str
    hash: str
    moves: tuple[Any, ...] = ()
    views: dict[int | None, Moment] = field(init=False, factory=dict, eq=False)

    def __repr__(self) -> str:
        return f"<Moment after {self.line!r}>" if self.line else "<Moment before the first turn>"


@frozen
class Unproven(Portable):
    """A question that a record with hidden hands leaves open: did a seat hold the card it played in a turn?

    With `ending` it is about a card that is never played: was it among the seat's hidden cards when the game
    ended in that turn?
    """

    turn: int
    seat: int
    card: str
    ending: bool = False


@frozen(repr=False)
class Replay(Portable):
    """A record played through: the moments from the start on, the problems found on the way, and what is unproven.

    `value` is the chain's value after the last turn, without the lines below it. `views` caches what each seat may
    know of it (see `seen`), None if that is everything. Replays made from this one begin without it.
    """

    record: Record
    moments: list[Moment] = field(factory=list)
    problems: list[Problem] = field(factory=list)
    value: bytes = b""
    unproven: list[Unproven] = field(factory=list)
    views: dict[int | None, Replay | None] = field(init=False, factory=dict, eq=False)

    @property
    def last(self) -> Moment:
        """The moment at which the record ends."""
        return self.moments[-1]

    @property
    def position(self) -> Position:
        """The last position."""
        return self.moments[-1].position

    def __repr__(self) -> str:
        to_act = self.position.to_act
        state = f"{self.record.names[to_act]} to act" if to_act is not None else self.position.ending
        return f"{repr(self.record)[:-1].replace('Record', 'Replay', 1)}, {state}>"

    def _repr_svg_(self) -> str:
        """Draw the last position as a spectator sees it: notebooks show this."""
        return str(import_module("tkid.library").draw(self))


def replay(record: Record) -> Replay:
    """Play a record through.

    Args:
        record: the record.

    Returns:
        Every moment, and the problems. A turn that breaks a rule is reported, and played as far as possible.

    Raises:
        TypeError: the argument is no record, but for instance the result of `read_record`.
    """
    check_kind(record, Record, "is not a record; `read_record(data).record` is one, or None")
    position = record.start()
    replayer = _Replayer(record)
    moments = [Moment(None, position, (), "", "")]
    value = seal.compute_first_hash(write_start(record))
    learned = find_record_plugin(record.game).find_revelations(record)
    notes = _load_note_chain(record)
    for number, turn in enumerate(record.turns, 1):
        replayer.out_of_step = replayer.out_of_step or turn.number != number
        before = moments[-1].position
        if number in learned:
            before = learned[number](before)
        if notes is not None:
            value = replayer.link_notes(notes, number - 1, value)
        moment, value = replayer.play_turn(before, value, turn)
        moments.append(moment)
    if notes is not None:
        replayer.link_notes(notes, len(record.turns), value)
        replayer.check_notes(notes, moments[-1].position)
    if record.above:
        from tkid.record.play.note_chain import find_early_notes  # noqa: PLC0415 - as above

        replayer.problems += find_early_notes(record)
    if any(turn.notes for turn in record.turns):
        from tkid.record.clock_notes import find_mark_faults, find_undone_faults  # noqa: PLC0415 - few records have marks

        replayer.problems += [*find_undone_faults(record), *find_mark_faults(record)]
    over, found = record.game.ids(replayer.plugin.rules.over), replayer.problems
    problems = [evolve(each, hint=each.hint or REMOVE_LATE) if each.rule == over else each for each in found]
    return Replay(record, moments, problems, value, [*replayer.unproven, *_list_open_questions(record, moments[-1])])


def _load_note_chain(record: Record) -> NoteChain | None:
    """Return the chain of the lines about the game; None if there are no comments, to save loading the module."""
    if next(record.list_remarks(), None) is None:
        return None
    from tkid.record.play.note_chain import NoteChain  # noqa: PLC0415 - as above

    return NoteChain(record)


def _list_open_questions(record: Record, last: Moment) -> list[Unproven]:
    """List the cards that decide the ending and that the record doesn't know, if its game has ended."""
    turn = last.turn.number if last.turn else 0
    doubts = find_record_plugin(record.game).list_open_questions(record.game, last.position)
    return [Unproven(turn, seat, card, ending=True) for seat, card in doubts]


def append(played: Replay, turn: str | Sequence[Any]) -> Replay:
    """Play one more turn of the seat to act.

    Args:
        played: the game so far.
        turn: the turn as it was typed, without number, player and hash; or its moves.

    Returns:
        The replay with the turn; its problems are those of this turn alone. Don't record a turn with problems.

    Raises:
        TypeError: `played` is no replay.
    """
    check_kind(played, Replay, NOT_PLAYED)
    record, position = played.record, played.position
    text = turn if isinstance(turn, str) else fill_names(record.game.words.write_turn(tuple(turn)), record.names)
    read = find_turn_reader(record.game, record.names).read_turn(text)
    late = [unproven.seat for unproven in played.unproven if unproven.ending]
    seat = position.to_act if position.to_act is not None else late[0] if len(late) == 1 else 0
    number = record.turns[-1].number + 1 if record.turns else 1
    added = Turn(number, seat, read, comments=record.end, line=1)
    longer = evolve(record, turns=(*record.turns, added), end=())
    replayer = _Replayer(record)
    if late and read.moves and replayer.plugin.is_late_reveal(read.moves[0]):  # so the game had not ended yet
        return replay(longer)
    replayer.problems += read.problems
    end = evolve(record, turns=record.turns[-1:])
    notes = _load_note_chain(end)
    value = notes.compute_value(len(end.turns), played.value) if notes is not None else played.value
    moment, value = replayer.play_turn(position, value, added)
    replayer.check_last_turn(longer, moment.position)
    unproven = [*played.unproven, *replayer.unproven, *_list_open_questions(record, moment)]
    return Replay(longer, [*played.moments, moment], replayer.problems, value, unproven)


def _explain_undo(turn: Turn) -> tuple[str, str]:
    if any(note.casefold().startswith(UNDONE) for note in turn.notes):
        return "record.turn.undone", "everybody agreed"
    return "post.undo.host", "the host decided so"


def take_legal_turn(game: AnyGame, position: Any, read: Iterable[Any]) -> Taken | None:
    """Take the moves of a whole turn; None if a move is illegal, or if they are too many or too few for a turn."""
    events: tuple[Event, ...] = ()
    moves: tuple[Any, ...] = ()
    for each in read:
        if moves and not game.turn_continues(position):
            return None
        move = game.canonical(position, each)
        if not game.admits(position, move):
            return None
        position, followed = game.apply(position, move)
        events += followed
        moves += (move,)
    return None if not moves or game.turn_continues(position) else (position, events, moves)


class _Replayer:
    def __init__(self, record: Record) -> None:
        self.record, self.game, self.names = record, record.game, record.names
        self.plugin = find_record_plugin(record.game)
        self.problems: list[Problem] = []
        self.unproven: list[Unproven] = []
        self.out_of_step = False
        """Whether a turn is missing or could not be carried out, so that what follows may only be a consequence."""
        self.disordered = False
        """Whether somebody has taken a turn out of order, so that those after it may seem to be out of order too."""
        self.forked = False

    def play_turn(self, position: Position, value: bytes, turn: Turn) -> tuple[Moment, bytes]:
        if turn.undone:
            return self._keep_undone_turn(position, value, turn)
        certain = position.to_act == turn.seat and HIDDEN not in position.hands[turn.seat]
        straight = take_legal_turn(self.game, position, turn.moves) if certain else None
        after, events, moves = straight or self._take_turn(position, turn)
        line = self._write_line(turn, moves)
        value = seal.link_hash(value, line)
        moment = Moment(turn, after, events, line, seal.shorten_hash(value), moves)
        if turn.hash != moment.hash:
            self._compare_hash(moment, turn)
        if turn.outcomes:
            self._compare_outcomes(moment, turn)
        return moment, value

    def link_notes(self, notes: NoteChain, gap: int, value: bytes) -> bytes:
        """Return the chain's value after the lines about the game before a turn, or after the last one."""
        from tkid.record.play.note_chain import check_note_hash  # noqa: PLC0415 - only for records with such lines

        for link in notes.iter_links(gap, value):
            value, problem = link.value, check_note_hash(link)
            if problem is not None and not self.forked:
                self.forked = True
                self.problems.append(evolve(problem, kind=self._find_kind(problem.kind)))
        return value

    def check_notes(self, notes: NoteChain, last: Position) -> None:
        from tkid.record.play.note_chain import find_late_turns, find_wrong_note_marks  # noqa: PLC0415 - as above

        self.problems += [*notes.unread, *find_wrong_note_marks(self.record, notes)]
        self.problems += (problem for _, problem in find_late_turns(self.record, notes, is_over=last.to_act is None))

    def check_last_turn(self, record: Record, last: Position) -> None:
        notes = _load_note_chain(record)
        if notes is not None:
            from tkid.record.play.note_chain import find_late_turns  # noqa: PLC0415 - as above

            late = find_late_turns(record, notes, is_over=last.to_act is None)
            self.problems += (problem for at, problem in late if at == len(record.turns) - 1)

    def _write_line(self, turn: Turn, moves: tuple[Any, ...]) -> str:
        read = turn.read
        text = read.written if moves == read.moves else ""
        return f"{turn.number}. {self.names[turn.seat]} {text or fill_names(self.game.words.write_turn(moves), self.names)}"

    @cites("record.turn.undone")
    def _keep_undone_turn(self, position: Any, value: bytes, turn: Turn) -> tuple[Moment, bytes]:
        """Return the moment of a turn that was taken back: it keeps only its number and its place in the chain.

        The turn was written for a position that may be gone. If the hash shows that it was written in this way, it
        stays so. It is not judged any more, nor is what followed from it.
        """
        moves = turn.moves
        canonical = tuple(self.game.canonical(position, move) for move in moves)
        if canonical != moves and turn.hash != seal.shorten_hash(seal.link_hash(value, self._write_line(turn, moves))):
            moves = canonical
        line = self._write_line(turn, moves)
        value = seal.link_hash(value, line)
        rule, why = _explain_undo(turn)
        event = Event(rule, f"{{{turn.seat}}}'s turn {turn.number} was taken back: {why}")
        moment = Moment(turn, evolve(position, turn=position.turn + 1), (event,), line, seal.shorten_hash(value), moves)
        self._compare_hash(moment, turn)
        return moment, value

    def _take_turn(self, position: Position, turn: Turn) -> Taken:
        game, decisions = self.game, turn.read.decisions
        if not decisions or decisions[0].move is None:
            self.out_of_step = True
            return self._skip_turn(position, turn), (), ()
        position = self._set_seat(position, turn)
        events: tuple[Event, ...] = ()
        moves: list[Any] = []
        for index, decision in enumerate(decisions):
            if decision.move is None:
                self.out_of_step = True
                break
            move = game.canonical(position, decision.move)
            moves.append(move)
            if index and not game.turn_continues(position):
                extra = self.plugin.report_extra_decision(game, decisions[0].move, move)
                self._report_violations(turn, index, (extra,), move)
                continue
            violations = game.check(position, move)
            carried = self.plugin.carry_out(game, position, move) if violations else game.apply(position, move)
            if HIDDEN in position.hands[turn.seat]:
                cards = self.plugin.list_unproven_cards(game, position, turn.seat, move)
                self.unproven += [Unproven(turn.number, turn.seat, card) for card in cards]
            if violations and not (turn.stands and carried):
                self._report_violations(turn, index, violations, move)
            if carried is None:
                self.out_of_step = True
                return self._skip_turn(position, turn), events, tuple(moves)
            position, followed = carried
            events += followed
        if game.turn_continues(position):
            if not self.out_of_step:
                unfinished = self.plugin.report_unfinished_turn(game, position)
                self._report_violations(turn, len(decisions) - 1, (unfinished,), moves[-1])
            position = self._skip_turn(position, turn)
        return position, events, tuple(moves)

    def _set_seat(self, position: Position, turn: Turn) -> Position:
        if position.to_act is None or position.to_act == turn.seat:
            return position
        if not turn.stands:
            message = f"It is {self.names[position.to_act]}'s turn, not {self.names[turn.seat]}'s"
            kind, rule = Kind.FOLLOW_ON if self.disordered else Kind.ILLEGAL, self.game.ids(self.plugin.rules.order)
            self._report_problem(kind, rule, message, turn, (turn.name_col, turn.col - 1))
            self.disordered = True
        seated: Position = self.plugin.set_seat(position, turn.seat)
        return seated

    def _skip_turn(self, position: Position, turn: Turn) -> Position:
        """Return the position with the next player to act, because a turn cannot be finished."""
        if position.to_act is None:
            return position
        skipped: Position = self.plugin.skip_turn(position, (turn.seat + 1) % len(self.names))
        return skipped

    def _report_violations(self, turn: Turn, index: int, violations: tuple[Violation, ...], move: Any) -> None:
        problems = problems_of(self.game, turn.read, index, violations, canonical=move, names=self.names)
        kind = self._find_kind(Kind.ILLEGAL)
        self.problems += [evolve(problem.move_to(line=turn.line, col=turn.col), kind=kind) for problem in problems]

    def _find_kind(self, kind: Kind) -> Kind:
        return Kind.FOLLOW_ON if self.out_of_step else kind

    def _report_problem(  # noqa: PLR0917 - kind, rule and message, then the place and the hint
        self, kind: Kind, rule: str, message: str, turn: Turn, columns: tuple[int, int], hint: str = ""
    ) -> None:
        start, end = columns
        length = max(1, end - start)
        self.problems.append(Problem(self._find_kind(kind), rule, message, turn.line, start + 1, length, hint))

    def _compare_hash(self, moment: Moment, turn: Turn) -> None:
        if turn.hash and turn.hash != moment.hash and not self.forked:
            self.forked = True
            message = f"The hash #{turn.hash} does not fit. After everything before it, this turn has #{moment.hash}"
            hint = (
                "This line or something before it was changed or lost, or the line comes from another game file. "
                "If you changed it on purpose, remove the hashes from here on: `tkid fmt` writes new ones."
            )
            columns = turn.hash_col, turn.hash_col + 7
            self._report_problem(Kind.INTEGRITY, "record.turn.hash", message, turn, columns, hint)

    def _describe_no_outcome(self, moment: Moment) -> str:
        """Say that nothing followed from a turn, and what may be missing if that depends on a hidden card."""
        hint = "Nothing followed from this turn."
        later = next(iter(self.plugin.list_late_outcomes(self.game, self.names)), "")
        if not later or not any(HIDDEN in hand for hand in moment.position.hands):
            return hint
        return f"{hint} If the game ended here, a line may be missing below, such as `-- {later}`."

    def _compare_outcomes(self, moment: Moment, turn: Turn) -> None:
        followed = [fill_names(event.line, self.names) for event in moment.events if event.line]
        if followed == [outcome.text for outcome in turn.outcomes]:
            return
        expected = list(followed)
        kind = self._find_kind(Kind.INTEGRITY)
        for outcome in turn.outcomes:
            text = fold_name(single_space(outcome.text))
            match = next((line for line in expected if fold_name(line) == text), None)
            if match is not None:
                del expected[: expected.index(match) + 1]
                continue
            message = f"This did not follow: {outcome.text}"
            hint = f"What followed: {'; '.join(followed)}." if followed else self._describe_no_outcome(moment)
            length = len(outcome.text) + 3
            self.problems.append(Problem(kind, "record.outcome", message, outcome.line, 1, length, hint))


@frozen
class EarlyEnd:
    """An end without the rules: the way, the time, the winners, the host's reason; `seats` are those who resigned or agreed."""

    how: Literal["resigned", "draw", "abandoned", "aborted"]
    time: datetime
    winners: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    reason: str = ""


@cites("post.resign", "post.agree", "post.agree.all", "post.host.abort")
def find_early_end(played: Replay) -> EarlyEnd | None:
    """Find out if a game ended without its rules; None if it continues, or if its rules decided it."""
    if played.position.to_act is None:
        return None
    record = played.record
    comments = [*record.list_remarks()]
    if not comments:
        return None
    from tkid.record.clock_notes import Ended, Resigned  # noqa: PLC0415 - as above
    from tkid.record.play.note_chain import EndReader, iter_telling, sort_lines  # noqa: PLC0415 - as above

    ends = EndReader(record)
    lines = sort_lines(line for _, line in iter_telling(comments, record.names))
    match next(filter(ends.is_end, lines), None):
        case Resigned(_, time):
            winners = tuple(seat for party in ends.left for seat in party)
            return EarlyEnd("resigned", time, winners, tuple(sorted(ends.gone)))
        case Ended(how, time, agreed, reason):
            winners = tuple(seat for seat in range(len(record.seats)) if seat not in ends.gone) if how == "draw" else ()
            return EarlyEnd(how, time, winners, agreed, reason)
        case _:
            return None


def is_over(played: Replay) -> bool:
    return played.position.to_act is None or find_early_end(played) is not None


def find_shown_position(played: Replay, index: int = -1) -> Any:
    """Return a position to show; after an early end it has no seat to act."""
    moment = played.moments[index]
    is_end = moment is played.moments[-1] and find_early_end(played) is not None
    return find_record_plugin(played.record.game).close_position(moment.position) if is_end else moment.position


@cites("record.opening")
def describe_doubt(played: Replay, reader: int | None = None) -> str:
    """Describe, for the `reader` of a letter, a hidden card that may change how a game ended; "" for none."""
    last = played.last.turn
    unseen = [each for each in played.unproven if each.ending and not (last and each.seat == last.seat)]
    if not unseen:
        return ""
    card, others = unseen[0].card, [played.record.names[each.seat] for each in unseen if each.seat != reader]
    told = [f"If you hold {card}, reading this letter asks you for its faction."] if len(others) < len(unseen) else []
    if others:
        who = list_names(others, "or")
        told.append(f"{who} may hold {card}. If so, it is revealed now, and the winner may change.")
    return " ".join(told)


TITLES = {"resigned": "Resignation", "draw": "Draw agreed", "abandoned": "Abandoned", "aborted": "Aborted by the host"}


def write_end_title(end: EarlyEnd, names: Sequence[str]) -> str:
    """Write the title of an early end and the winners: `Resignation: Ann`."""
    return f"{TITLES[end.how]}: {Voice(names).name_all(end.winners) or NOBODY}"


def explain_end(end: EarlyEnd, voice: Voice) -> str:
    if end.how == "aborted":
        return f"the owner of the host aborted the game{f': {end.reason}' if end.reason else ''}"
    if end.how == "resigned":
        return f"{voice.name_all(end.seats)} {voice.choose_verb(end.seats, 'has', 'have')} resigned"
    return f"everybody agreed to {'a draw' if end.how == 'draw' else 'abandon the game'}"


END_RULES = {"resigned": "post.resign", "aborted": "post.host.abort"}


def list_end_reasons(end: EarlyEnd, voice: Voice) -> list[tuple[str, str]]:
    """List the reasons for an early end, in sentences, each with its rule; and who won."""
    reason = (make_sentence(explain_end(end, voice)), END_RULES.get(end.how, "post.agree"))
    if end.how == "draw":
        return [reason]
    winners = f"The winner{'s are' if len(end.winners) > 1 else ' is'} {voice.name_all(end.winners)}."
    return [reason, (winners if end.winners else "Nobody has won.", "")]


def summarize_end(end: EarlyEnd, names: Sequence[str]) -> str:
    return " ".join(["The game is over.", *(text for text, _ in list_end_reasons(end, Voice(names)))])
