"""Comparing the own record with one that somebody sent: does it go on from mine by legal turns, or what is it?"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection
from enum import Enum
from itertools import takewhile

from attrs import evolve, frozen

from tkid.kernel import problems as kinds
from tkid.kernel.game import HIDDEN
from tkid.kernel.problems import Problem
from tkid.notation.numbers import counted
from tkid.record.clock.notes import Marked, Resigned, said_by
from tkid.record.clock.terms import CLOCK, STARTED
from tkid.record.exchange.incoming import FIRST_LINE, Received, Row, breaks_off, differing, differing_raw, receive
from tkid.record.exchange.merge import MARKS, before_late_passes, joined, mark, tells_more
from tkid.record.exchange.resignations import new_resignations, resignations, with_resignations
from tkid.record.format.bot_seats import BOT
from tkid.record.format.model import Header, Record, Turn
from tkid.record.format.start_text import start_text
from tkid.record.format.turn_rows import DASHES
from tkid.record.play import chain
from tkid.record.play.note_chain import HASH as NOTE_HASH
from tkid.record.play.note_chain import MARK as NOTE_MARK
from tkid.record.play.note_chain import NoteLine, note_lines, values
from tkid.record.play.replay import Replay
from tkid.record.play.views import seen
from tkid.record.play.writer import outcome_lines
from tkid.rulebook import cites

PAST, OWN_TURN = "record.compare.past", "record.compare.own-turn"
TERMS = {name.casefold() for name in (CLOCK, STARTED, BOT)}
"""Headers of one's own that say how the game is played."""
HASH, OUTCOME = "record.turn.hash", "record.outcome"
ONLY = "Only "
"""How a note on a line begins that is in one of the files only."""
YOURS = "Your file has the real turns. Ask for an unchanged file, or send yours."
YOU_TELL = "Tell the sender. Your file stays as it is."
BY_HAND = "If you know that it is complete, run `tkid fmt` on a copy of it, and read that."


class Kind(Enum):
    """What a record is to one's own."""

    SAME = "same"  # the same turns
    CONTINUES = "continues"  # mine, and legal turns after it
    STALE = "stale"  # mine goes on from it
    FORK = "fork"  # the same up to a point, and then another turn
    EDITED = "edited"  # a past that its own hashes contradict
    OTHER = "other"  # another header or set-up
    TRUNCATED = "truncated"  # the text breaks off
    WRONG = "wrong"  # it would go on from mine, but something in it is wrong


@frozen
class Comparison:
    """What a received record is to one's own, and why.

    `message` says it in a sentence, `hint` names the way out, `rule` the rule. `mine` and `theirs` are the first
    lines that differ ("" where there is none), `line` the line of theirs in its file, `turn` the number of the turn
    that it is about (0: none). `problems` are those of the received text, `notes` what else is worth knowing.
    `replay` is the own record gone on by `new` turns, where it goes on.
    """

    kind: Kind
    rule: str
    message: str
    hint: str = ""
    mine: str = ""
    theirs: str = ""
    line: int = 0
    turn: int = 0
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    replay: Replay | None = None
    new: int = 0


@cites("record.compare")
def compare(
    mine: Replay, data: bytes, me: int | None = None, *, agree: bool = False, writers: Collection[int] = ()
) -> Comparison:
    """Compare the own record, which has no problems, with the text of one that came.

    `me` is the seat whose file it is, where that is known: turns of that seat are not taken from others. `writers` are the seats
    whose words these are: they alone can say that they resign. With `agree`, resignations of others are taken over too, and marks
    that say that a turn stands although it breaks a rule, or that it was taken back.
    """
    received = receive(data)
    if received.replay is None or not received.begun:
        return _unfinished(mine, received)
    return _Comparer(mine, received, received.replay, me, writers, agree=agree).result()


def _unfinished(mine: Replay, received: Received) -> Comparison:
    """What is said of a text that makes no game, or stops before the turns."""
    if received.read.readable and (rows := differing_raw(mine.record, received)):
        return _other(mine, received, *rows)
    last = received.last_line
    only_starts = last <= 1 and FIRST_LINE.casefold().startswith(received.raw(last).casefold())
    if not received.begun and (received.read.readable or only_starts):
        message = f"The text ends after line {last}, before the turns" if last else "The text is empty"
        return _truncated(received, message)
    message = "It has mistakes, so no game can be read from it"
    return Comparison(Kind.WRONG, "record.compare.right", message, problems=received.problems)


def _truncated(received: Received, message: str, problems: tuple[Problem, ...] = ()) -> Comparison:
    hint = f"Ask for it again, as an attachment. {BY_HAND}" if received.begun else "Ask for it again, as an attachment."
    raw, line = received.raw(received.last_line), received.last_line
    return Comparison(Kind.TRUNCATED, "record.compare.whole", message, hint, theirs=raw, line=line, problems=problems)


def _other(mine: Replay, received: Received, own: Row, other: Row) -> Comparison:
    """Another header or set-up: of another game, or changed after turns were played."""
    words = {"Game:", "Ruleset:", "Seat:"}
    if received.read.record and _shared_hash(mine, received.read.record):
        message = "Its header or set-up was changed: its hashes still fit yours"
        hint = "Your file has what was agreed. Ask for an unchanged file, or send yours."
    elif {own.text.partition(" ")[0], other.text.partition(" ")[0]} & words:
        message, hint = "It is the file of another game", "Did you name the right file, or open the right mail?"
    else:
        message = "Its header or set-up differs from your file's"
        hint = "It belongs to another game, or somebody changed this line. Compare it with the first mail of the game."
    return Comparison(Kind.OTHER, "record.compare.game", message, hint, own.text, other.text, other.line)


def _shared_hash(mine: Replay, theirs: Record) -> bool:
    """Whether a turn there has the hash that it has in mine, as far as mine may be shown."""
    once = {moment.turn.number: moment.hash for moment in seen(mine, None).moments if moment.turn}
    return any(turn.hash and once.get(turn.number) == turn.hash for turn in theirs.turns)


def alike(mine: Record, theirs: Record) -> bool:
    """Whether two records begin alike: header and set-up are the same, and what they know of hands fits together."""
    return differing(mine, theirs, whole=True) is None and _agree(mine, theirs) is None


def _agree(mine: Record, theirs: Record) -> int | None:
    """The first seat of whose hand the two records know different things; None where there is none."""
    for seat, (own, other) in enumerate(zip(mine.start().hands, theirs.start().hands, strict=True)):
        mine_knows, they_know = (Counter(card for card in hand if card != HIDDEN) for hand in (own, other))
        more, less = they_know - mine_knows, mine_knows - they_know
        if more.total() > own.count(HIDDEN) or less.total() > other.count(HIDDEN):
            return seat
    return None


class _Comparer:
    """Compares two records that were both played through; the questions are asked in the order of the methods."""

    def __init__(
        self,
        mine: Replay,
        received: Received,
        theirs: Replay,
        me: int | None,
        writers: Collection[int],
        *,
        agree: bool,
    ) -> None:
        self.mine, self.received, self.theirs, self.me, self.agree = mine, received, theirs, me, agree
        self.writers = writers
        self.own_lines = [moment.line for moment in mine.moments[1:]]
        self.their_lines = [moment.line for moment in theirs.moments[1:]]
        self.turns = theirs.record.turns
        pairs = zip(self.own_lines, self.their_lines, strict=False)
        self.common = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
        """How many turns are the same."""

    def result(self) -> Comparison:
        """What the received record is."""
        found = self._start() or self._past() or self._taken_back() or self._apart() or self._further()
        return self._with_resignations(found) if found.kind in {Kind.SAME, Kind.CONTINUES, Kind.STALE} else found

    # -- the start ----------------------------------------------------------------------------------------

    def _start(self) -> Comparison | None:
        """Another game, or another start of it."""
        mine, theirs = self.mine.record, self.theirs.record
        rows = differing(mine, theirs) or (_shared_hash(self.mine, theirs) and differing(mine, theirs, whole=True))
        if rows:
            return _other(self.mine, self.received, *rows)
        seat = _agree(mine, theirs)
        if seat is None:
            return None
        own, other = (", ".join(record.start().hands[seat]) for record in (mine, theirs))
        name = mine.names[seat]
        message = f"It shows a different hand for {name} than your file"
        hint = "One of the files differs from the deal. Ask the dealer."
        return Comparison(
            Kind.OTHER, "record.compare.hands", message, hint, f"Hand {name} {own}", f"Hand {name} {other}"
        )

    # -- the past -----------------------------------------------------------------------------------------

    def _past(self) -> Comparison | None:
        """A past that was changed after it had been played, as hashes tell; or a text that breaks off."""
        witness = self._witness()
        if witness > self.common:
            number = self.common + 1
            same = self.common < len(self.their_lines) and self.turns[self.common].number == number
            how = "changed" if same else "left out or moved"
            why = f"the hash of turn {witness} still fits your turns"
            return self._differing(
                Kind.EDITED, PAST, f"Turn {number} was {how} there after it was played: {why}", YOURS
            )
        if self.common >= min(len(self.own_lines), len(self.their_lines) - 1) and breaks_off(self.received):
            return self._broken_off()
        return next(filter(None, map(self._tampered, self.received.problems)), None)

    def _broken_off(self) -> Comparison:
        """What is said of a last line that is not whole."""
        line = self.received.last_line
        here = tuple(p for p in self.received.problems if p.line == line and p.rule != HASH)
        if self.turns[-1].line == line and self.turns[-1].hash:
            return _truncated(
                self.received, f"The last line, line {line}, is incomplete or was changed: its hash does not fit", here
            )
        if self.received.ended and not DASHES.match(self.received.raw(line)):
            message = f"The last line, line {line}, has no hash, unlike the lines before it. Something may be missing"
            return _truncated(self.received, message, here)
        if self.received.ended:
            return _truncated(
                self.received, f"The text breaks off at line {line}: something is missing in it or below it"
            )
        return _truncated(self.received, f"The text ends in the middle of line {line}")

    def _witness(self) -> int:
        """The last turn at which the received record's own hash says that it had once the turns that mine has; 0: none."""
        reached = values(self.mine.record, self.own_lines, start_text(self.theirs.record))
        once = {turn.number: chain.shown(value) for turn, value in zip(self.mine.record.turns, reached, strict=True)}
        return max((turn.number for turn in self.turns if turn.hash and once.get(turn.number) == turn.hash), default=0)

    def _tampered(self, problem: Problem) -> Comparison | None:
        """What a problem with a hash, a `--` line or a line about the game in the common past means."""
        if problem.rule in {NOTE_HASH, NOTE_MARK}:
            message = "A line about the game was added, changed or moved there after hashes had been written"
            raw = self.received.raw(problem.line)
            return Comparison(Kind.EDITED, PAST, message, YOURS, "", raw, problem.line, problems=(problem,))
        at = bisect_right(self.turns, problem.line, key=lambda turn: turn.line) - 1
        if problem.rule not in {HASH, OUTCOME} or not 0 <= at < self.common:
            return None
        moment, number = self.mine.moments[at + 1], at + 1
        differing = self._differing_lines(at + 1) if problem.rule == HASH else []
        if differing:
            message = (
                f"The hash of turn {number} does not fit the lines about the game before it. {' '.join(differing)}"
            )
            line = problem.line
            return Comparison(Kind.EDITED, PAST, message, YOURS, "", self.received.raw(line), line, number, (problem,))
        if problem.rule == HASH:
            what, own = "The hash", f"{moment.line} #{seen(self.mine, None).moments[at + 1].hash}"
        else:
            what, own = "What followed", "; ".join(outcome_lines(moment, self.mine.record.names))
        message = f"{what} of turn {number} was changed there. The turns are the same, but this does not fit them"
        line = problem.line
        raw = self.received.raw(line)
        return Comparison(Kind.EDITED, PAST, message, YOURS, own, raw, line, number, (problem,))

    # -- marks --------------------------------------------------------------------------------------------

    def _taken_back(self) -> Comparison | None:
        """A turn that is marked there as taken back, and not in mine."""
        turn = next((turn for turn in self.turns[: self.common] if self._is_news(turn)), None)
        if turn is None and self.common == len(self.own_lines):
            turn = next((turn for turn in self.turns[self.common :] if turn.undone), None)
        if turn is None or self.agree:
            return None
        return self._to_agree(turn, f"Turn {turn.number} is marked there as taken back")

    def _is_news(self, turn: Turn) -> bool:
        """Whether a turn that mine has too is taken back only there."""
        return turn.undone and not self.mine.record.turns[turn.number - 1].undone

    def _to_agree(self, turn: Turn, message: str, problems: tuple[Problem, ...] = ()) -> Comparison:
        """What is said of a mark that is taken over by those who agree."""
        hint, rule = "If you agreed to that, read it again with --agree.", "record.compare.marked"
        raw, number = self.received.raw(turn.line), turn.number
        own = self.own_lines[number - 1] if number <= len(self.own_lines) else ""
        return Comparison(Kind.WRONG, rule, message, hint, own, raw, turn.line, number, problems)

    # -- where they go apart ------------------------------------------------------------------------------

    def _apart(self) -> Comparison | None:
        """A fork; or what keeps the turns there from being understood."""
        if self.common == min(len(self.own_lines), len(self.their_lines)):
            return None
        line = self.turns[self.common].line
        here = [p for p in self.received.problems if p.line == line and p.kind is not kinds.Kind.ILLEGAL]
        if here or self._faults(before=line):
            return self._wrong(self.received.problems)
        message = f"The two files differ from turn {self.common + 1} on: it has another turn there than yours"
        problems = tuple(p for p in self.received.problems if p.line == line)
        notes = tuple(self._differing_lines(self.common))
        found = self._differing(Kind.FORK, "record.compare.fork", message, self._way_back(), problems)
        return evolve(found, notes=notes)

    def _way_back(self) -> str:
        """Whose file is wrong where two go apart, and how its owner removes the turn."""
        passed = self.mine.moments[self.common].position.to_act
        if (
            passed is not None
            and passed in resignations(self.mine.record)
            and passed not in resignations(self.theirs.record)
        ):
            name = self.mine.record.names[passed]
            return (
                f"Your file says that {name} has resigned, so it passes for {name}. If that is not so, delete this line and everything "
                "below it from your file, and read this again."
            )
        seat, number = self.mine.record.turns[self.common].seat, self.common + 1
        name, later = self.mine.record.names[seat], len(self.own_lines) > number
        who = f'"{name}"' if " " in name else name
        undo = f"`tkid undo FILE --for {who}`"
        if self.me is None or seat != self.turns[self.common].seat:
            return (
                "Agree which turn was played. The other player deletes theirs and all turns after it from their file, "
                "and reads your letter again."
            )
        if seat == self.me:
            wrong = f"Turn {number} is yours, so the other file is wrong, unless you sent another turn before"
            return f"{wrong}. Its owner removes the turn with {undo}, and reads your letter again."
        first = "Remove the turns after it with `tkid undo FILE`, and then this one" if later else "Remove it"
        new = "If that is refused, begin a new file: `tkid letter read NEW LETTER --begin`."
        wrong = f"Turn {number} is {name}'s, so your file is wrong if {name} did not play what it has there"
        return f"{wrong}. {first} with {undo}, and read this letter again. {new}"

    def _differing(
        self, kind: Kind, rule: str, message: str, hint: str, problems: tuple[Problem, ...] = ()
    ) -> Comparison:
        """A diagnosis of the first turn that is not the same."""
        at = self.common
        own = f"{self.own_lines[at]} #{self.mine.moments[at + 1].hash}" if at < len(self.own_lines) else ""
        line = self.turns[at].line if at < len(self.their_lines) else 0
        return Comparison(kind, rule, message, hint, own, self.received.raw(line), line, at + 1, problems)

    def _faults(self, *, before: int) -> list[Problem]:
        """What is wrong before a line, but for turns that are marked in mine as standing."""
        stand = {turn.line for turn, own in zip(self.turns, self.mine.record.turns, strict=False) if own.stands}
        illegal = kinds.Kind.ILLEGAL
        return [p for p in self.received.problems if p.line < before and not (p.kind is illegal and p.line in stand)]

    def _wrong(self, problems: tuple[Problem, ...]) -> Comparison:
        message = "It has mistakes, so nothing is taken from it"
        return Comparison(Kind.WRONG, "record.compare.right", message, YOU_TELL, problems=problems)

    # -- going on -----------------------------------------------------------------------------------------

    def _further(self) -> Comparison:
        """The same, an older one, or one that goes on."""
        faults = self._faults(before=len(self.received.lines) + 1)
        if faults:
            return self._wrong(tuple(faults))
        own, theirs = len(self.own_lines), len(self.their_lines)
        shorter = before_late_passes(self.mine, self.theirs)
        if shorter is not self.mine:
            return self._ended(joined(shorter, self.theirs, agree=self.agree))
        marked = self.agree and any(map(self._is_news, self.turns[: self.common]))
        if theirs > own or marked or tells_more(self.mine, self.theirs):
            return self._continues()
        if own == theirs:
            notes, count = self._notes(), counted(own, "turn")
            message = f"Your file has all of this already: {count}, the same in both"
            if any(note.startswith((ONLY, "Turn ")) for note in notes):
                message = f"It has the turns of your file ({count}), but not the same lines about the game"
            return Comparison(Kind.SAME, "record.compare.same", message, notes=notes)
        message = f"It is older than your file: it has {counted(theirs, 'turn')}, yours has {own}"
        hint = "Nothing is lost. Send your own file, or wait for the next mail."
        return Comparison(
            Kind.STALE, "record.compare.stale", message, hint, self.own_lines[theirs], notes=self._notes()
        )

    def _continues(self) -> Comparison:
        new = self.turns[len(self.own_lines) :]
        plays = self.me is not None and self.me not in resignations(self.mine.record)
        mine = next((turn for turn in new if plays and turn.seat == self.me), None)
        if mine is not None:
            name = self.mine.record.names[mine.seat]
            message = f"Turn {mine.number} there is yours, {name}, but your file does not have it"
            hint = "If you played it, and your file was lost or is old, read this again with --restore."
            raw = self.received.raw(mine.line)
            return Comparison(Kind.WRONG, OWN_TURN, message, hint, "", raw, mine.line, mine.number)
        after = joined(self.mine, self.theirs, agree=self.agree)
        if after.problems:
            return self._not_legal(new, tuple(after.problems))
        added = len(after.record.turns) - len(self.own_lines)
        if added < len(new):
            return self._ended(after, max(added, 0))
        message = f"It has {counted(added, 'turn')} more than your file"
        return Comparison(Kind.CONTINUES, "record.compare", message, notes=self._notes(after), replay=after, new=added)

    @cites("record.resigned")
    def _with_resignations(self, found: Comparison) -> Comparison:
        """What was found of the turns, with what the other record says of who has resigned."""
        new = new_resignations(self.mine.record, self.theirs.record)
        if self.me is not None and self.me in new:
            message = f"It says that you, {self.mine.record.names[self.me]}, have resigned, but your file does not"
            hint = "If you resigned, and your file was lost or is old, read this again with --restore."
            return Comparison(Kind.WRONG, OWN_TURN, message, hint)
        foreign = next((seat for seat in new if not self.agree and seat not in self.writers), None)
        if foreign is not None:
            return self._to_ask(foreign)
        if not new:
            return found
        after = found.replay or self.mine
        after = with_resignations(after, new_resignations(after.record, self.theirs.record))
        return evolve(found, kind=Kind.CONTINUES, rule="record.resigned", replay=after)

    @cites("record.compare.marked")
    def _to_ask(self, seat: int) -> Comparison:
        """What is said where somebody else writes that a player has resigned."""
        name = self.mine.record.names[seat]
        message = f"It says that {name} has resigned, but nothing shows that {name} wrote that"
        hint = f"Only {name} can say so: read {name}'s own mail first, or ask. If it is true, read this again with --agree."
        lines = (note for gap in note_lines(self.theirs.record) for note in gap)
        note = next(each for each in lines if isinstance(each.says, Resigned) and each.says.seat == seat)
        return Comparison(Kind.WRONG, "record.compare.marked", message, hint, "", note.written, note.line)

    @cites("record.compare.notes")
    def _differing_lines(self, before: int | None = None) -> list[str]:
        """What lines about the game stand in one of the files only, and who alone can have written them.

        They are those before a turn, counted from 0; without one, all that both could have and that are not about to be taken over.
        """
        last = len(self.turns) if before is None else before
        mine, theirs = (_lines(played.record) for played in (self.mine, self.theirs))
        told = []
        for here, there, where in ((theirs, mine, "there"), (mine, theirs, "in your file")):
            for key, (gap, note) in here.items():
                is_told = before is None and isinstance(note.says, Marked if here is mine else Marked | Resigned)
                if key not in there and gap <= last and not is_told:
                    told.append(
                        f"{ONLY}{where}: `{note.text}`. Only {said_by(self.mine.record, note.says)} can have written that."
                    )
                elif (
                    here is theirs
                    and key in mine
                    and mine[key][0] != gap <= last
                    and not isinstance(note.says, Resigned)
                ):
                    told.append(f"At another place there: `{note.text}`.")
        return told

    def _ended(self, after: Replay, new: int = 0) -> Comparison:
        """What is said where a hidden card shows that the game was over before the last passes."""
        message = f"The game was over after turn {len(after.record.turns)}. The passes after it do not count"
        rule = "record.compare.late-passes"
        return Comparison(Kind.CONTINUES, rule, message, notes=(f"{message} [{rule}]",), replay=after, new=new)

    def _not_legal(self, new: tuple[Turn, ...], problems: tuple[Problem, ...]) -> Comparison:
        """What is said of new turns that break a rule, as far as mine can tell."""
        marked = next((turn for turn in new if turn.stands and turn.line == problems[0].line), None)
        if marked is None or self.agree:
            return self._wrong(problems)
        message = f"Turn {marked.number} breaks a rule, and is marked there as standing"
        return self._to_agree(marked, message, problems)

    def _notes(self, after: Replay | None = None) -> tuple[str, ...]:
        """What differs and does no harm: marks, addresses, and how the game ended as far as the other knows.

        `after` is mine with what was taken of the other.
        """
        notes = []
        for at, turn in enumerate(self.turns):
            own = self.mine.record.turns[at] if at < len(self.own_lines) else None
            for kind in MARKS:
                theirs, here = mark(turn, kind), mark(own, kind) if own else ""
                if theirs and not here:
                    notes.append(f"Turn {turn.number} is marked there: {{{theirs}}}")
                elif here and not theirs:
                    notes.append(f"Turn {turn.number} is marked in your file, but not there: {{{here}}}")
        notes += self._differing_lines()
        mine = {_header_text(header) for header in self.mine.record.headers}
        notes += [
            f"Only there, in the header: `{header.name}: {header.value}`."
            for header in self.theirs.record.headers
            if header.name.casefold() in TERMS and _header_text(header) not in mine
        ]
        for seat, other in zip(self.mine.record.seats, self.theirs.record.seats, strict=True):
            if other.address and other.address != seat.address:
                notes.append(f"{seat.name}'s address is {other.address} there, and {seat.address or 'not known'} here")
        if len(self.own_lines) == len(self.their_lines):
            own_end, their_end = map(_public_outcomes, (after or self.mine, self.theirs))
            if len(own_end) != len(their_end) or not all(map(_as_far_as_known, own_end, their_end)):
                lines = "; ".join(their_end) or "nothing"
                notes.append(f"It states something else that followed from the last turn: {lines}")
        return tuple(notes)


def _lines(record: Record) -> dict[str, tuple[int, NoteLine]]:
    """The lines about the game in a record, each with the place of the turn that it stands before.

    Two lines are the same if they say the same: addresses may differ, and the time of a resignation.
    """
    lines = dict[str, tuple[int, NoteLine]]()
    for gap, notes in enumerate(note_lines(record) if next(record.remarks(), None) is not None else ()):
        for note in notes:
            key = f"resigned {note.says.seat}" if isinstance(note.says, Resigned) else note.linked
            lines.setdefault(key, (gap, note))
    return lines


def _header_text(header: Header) -> str:
    return f"{header.name}: {header.value}".casefold()


def _public_outcomes(played: Replay) -> list[str]:
    """What followed from the last turn of a file, as far as everybody may know it."""
    events = tuple(event.seen(None) for event in played.last.events)
    return outcome_lines(evolve(played.last, events=events), played.record.names)


def _as_far_as_known(own: str, other: str) -> bool:
    """Whether two lines say the same of what followed, as far as neither hides it."""
    (said, _, what), (there, _, that) = own.rpartition(": "), other.rpartition(": ")
    return own == other or (said == there and HIDDEN in {what, that})
