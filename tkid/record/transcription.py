"""Read a whole game as somebody noted it at the table, and find the game that fits the notes best.

Every line is compared with the legal turns. Several turns may fit a line, and a wrong one shows only later, so all likely games
are followed beside each other, and the one with the fewest differences from the notes wins. What the notes have wrong is
part of the result: a turn that is missing, a name, a follower, a region, or what a power struggle came to.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product, zip_longest
from typing import Any

from attrs import evolve, field, frozen

from tkid.kernel.game import AnyGame, Event, fill_names
from tkid.kernel.problems import Violation
from tkid.notation.names import list_names
from tkid.notation.plugin import find_notation_plugin
from tkid.notation.shorthand import LOOSE, MARGIN, PASS, PASSING, NotedSetup, Reading, Shorthand
from tkid.notation.text import count_noun, fold_name
from tkid.record.format.model import FORMAT, STANDS, Record
from tkid.record.format.plugin import find_record_plugin
from tkid.record.format.reader import ReadRecord, read_record, read_record_head, write_start
from tkid.record.note_players import (
    find_main_sender,
    find_order_by_initials,
    find_ruleset,
    find_writer,
    list_players,
    list_told_players,
)
from tkid.record.notes import (
    BESIDE,
    REMARK,
    WORD,
    Chunk,
    NoteReader,
    find_senders,
    join_rows,
    mend_misread,
    name_sender,
)
from tkid.rulebook import cites

NO_TURN, DIFFERENT, OPEN = "notation.notes.left-out", "notation.notes.different", "notation.notes.open"
"""The rules of what is found: a line that is no turn, notes that differ from the game, and a turn that several would fit."""
MISSING, SHOWN_MISSING, NUMBERED_MISSING, IMPLIED, UNTOLD = 2.5, 1.0, 0.4, 0.25, 0.1
MISLABELLED, CONTRADICTED = 3.0, 2.0
"""Costs of a pass that is missing in the notes, of one that a name shows, of one that their numbers prove, of one that a result implies, of
one in notes that leave all passes out, of a wrong name, and of a result that did not follow."""
MOST_GAMES, FEW_GAMES, LIKELY_GAMES, WORST, EASY = 16, 6, 3, 4.0, 1.5
"""Games that are followed beside each other, in doubt, otherwise and when earlier pieces are read again, and by how much they may be
worse than the best."""
SEVERAL = 2
"""Number of regions of which results tell in one line if nobody did anything there."""
PASSES_OF_TWO = 2
"""Passes after which two players resolve a region; notes with fewer leave some out."""
HOPELESS = 40.0
"""Cost from which only few games are followed."""
TROUBLE, LOOKED_BACK, WIDE = 1.7, 12, 5.5
"""Cost of a piece behind which earlier pieces are read again, how many of them, and by how much such a reading may be worse."""
MISNUMBERED = 0.4
"""Cost of a turn with the number of another one."""
CLOSE, DOUBTFUL, UNFIT, POOR = 0.5, 0.65, 1.3, 2.5
"""A game that is worse by no more than this is as likely as the best one: the player is asked; and the costs from which a turn is listed as likely,
from which its line does not fit, and from which an illegal turn may be meant."""
SETTLED = 2
"""Turns in a row that fit well, behind which a line that does not fit no longer casts doubt on turns."""
ARROWS = " \t-=>→⇒"
"""What stands before a result."""
MOST_MISSING, MOST_PIECES, MOST_LOOKS = 4, 6, 12
"""Passes that are missing before one turn, pieces of the notes that are one turn together, and how often earlier pieces are read again."""
FIRST_PIECES, FIRST_CARDS, MOST_STARTS, OTHER_ORDER = 16, 6, 6, 2.0
"""Pieces of the notes, and pieces with cards, that show who started if turns name players, how many orders and first players are compared otherwise, and the cost of
another order than the listed one."""
EFFORT, FIRST_EFFORT, SPARE, HURRIED_GAMES = 6_400_000, 400_000, 0.5, 2
"""Comparisons of words that reading a game, and finding who started, may cost; the share of them that any piece may use; and how many games
are followed where more were used."""
MOST_CUTS, FEWEST_EARLY, NEXT_LINES = 12, 2, 2
"""Maximum number of lines tried as the set-up; number of turns before a set-up which show that the game began earlier; and lines behind
a set-up that may complete it."""
UNREAD = 1.4
"""Cost of a turn that can't be read."""
FOLLOWING, MOST_FIRST, MOST_CHOICES = 16, 16, 6
"""Turns behind an unknown one that show what it was, actions that are completed with a summons, and turns that are asked about."""
MOST_CHANGES, TRACK = 6, "Track"
"""Maximum number of changes to a set-up with guessed rows that fit it to the turns, and the row with the order of the struggles."""
SURE_START, NO_START, MOST_LISTS, SETUP_SHARE, FEWER = 6.0, 100.0, 6, 0.2, 0.9
"""Cost of a start from which other players are tried, the cost of a start that can't be read, how many lists of players are tried,
how much of the cost of a set-up counts for them, and how much less some of the likeliest players have to cost."""
FAR, FEW_OTHERS = 10.0, 2
"""How much worse than the best game one may be in which another player is to act, and how many of those are followed."""


@frozen
class Finding:
    """Something that the notes have wrong or leave open: its line, what it is, and the turns that may be meant."""

    line: int
    rule: str
    message: str
    choices: tuple[str, ...] = ()


@frozen
class Step:
    """A turn of the game that was found: the line of the notes (0 where they leave it out), its text, and what it cost."""

    line: int
    noted: str
    seat: int
    turn: str
    cost: float
    exact: bool
    findings: tuple[Finding, ...] = ()
    stands: bool = False
    """True if it is illegal, and kept as it was played."""
    moves: tuple[Any, ...] = ()
    """Its moves, () for a turn that is not known."""
    said: str = ""
    """The words of the notes about it."""
    results: tuple[tuple[str, int], ...] = ()
    """What followed by the notes, each with its line."""
    end: int = 0
    """The number of pieces of the notes up to its end."""

    @property
    def is_unknown(self) -> bool:
        return not self.moves and not self.stands


@frozen
class Path:
    """A game that may be meant: its position, what it cost, and its last step."""

    position: Any
    cost: float = 0.0
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()
    followed: tuple[str, ...] = ()
    """The lines of what followed its last turn."""


@frozen
class _Illegal:
    """An illegal turn: what its difference from the notes costs, its text and moves, what comes of it, and why it is illegal."""

    cost: float
    text: str
    moves: tuple[Any, ...]
    position: Any
    events: tuple[Event, ...]
    why: str


@frozen
class Transcript:
    """What came of the notes: the game as a file, its turns, and what is wrong or open."""

    text: str
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...]

    @property
    def questions(self) -> tuple[Finding, ...]:
        return tuple(each for each in self.findings if each.choices)

    @property
    def summary(self) -> str:
        differences = count_noun(len(self.findings) - len(self.questions), "difference")
        turns, questions = count_noun(len(self.steps), "turn"), count_noun(len(self.questions), "question")
        return f"{turns}, {questions}, {differences} between the notes and the game"

    def as_json(self) -> dict[str, Any]:
        """Return the turns, each with its line and its text in the notes, what was found, and the game file."""
        turns = [
            {
                "turn": number,
                "line": step.line or None,
                "noted": step.noted or None,
                "move": step.turn,
                "exact": step.exact,
            }
            for number, step in enumerate(self.steps, 1)
        ]
        found = [
            {"line": each.line, "rule": each.rule, "message": each.message, "choices": list(each.choices)}
            for each in self.findings
        ]
        return {"turns": turns, "findings": found, "record": self.text}


@frozen(eq=False)
class Transcriber:
    """Reads the turns of notes of a game."""

    record: Record
    reader: NoteReader
    as_played: bool = False
    """True if illegal turns are kept as the notes have them."""
    effort: int = EFFORT
    implied: float = SHOWN_MISSING
    """Cost of a pass that a result implies; it is low where the notes have more results than passes."""
    limit: float = HOPELESS * HOPELESS
    """Cost from which no game is followed to its end."""
    _known: dict[tuple[Any, str, float], tuple[Reading, ...]] = field(init=False, factory=dict)

    @property
    def shorthand(self) -> Shorthand:
        return self.reader.shorthand

    @property
    def game(self) -> AnyGame:
        return self.record.game

    def find_games(self, chunks: Sequence[Chunk], begun: Path | None = None) -> list[Path]:
        """Return the games that fit the notes, the best one first; where that takes too long, only the likeliest are followed.

        The games go on from one that has `begun`, if there is one.
        """
        path = begun or Path(self.record.start())
        start = path.steps[-1].end if path.steps else 0
        beams: dict[int, list[Path]] = {start: [path]}
        best, looks, spent, hurried = [path.cost] * (start + 1), MOST_LOOKS, self.shorthand.effort, 0
        for at in range(start, len(chunks)):
            share = SPARE + (1 - SPARE) * at / len(chunks)
            is_hurried = self.shorthand.effort - spent > self.effort * share
            paths = beams[at] = self._keep_best(beams.get(at, ()))[: HURRIED_GAMES if is_hurried else None]
            hurried = hurried or (at if is_hurried else 0)
            ahead = min((path.cost for end, later in beams.items() if end > at for path in later), default=1e9)
            if (least := min([ahead, *(path.cost for path in paths[:1])])) > self.limit:
                return [evolve(path, cost=least)]
            if not paths or paths[0].cost > ahead + EASY:
                beams[at] = []  # a turn that fits well goes on behind this piece
                best.append(best[-1])
                continue
            best.append(paths[0].cost)
            if (
                at > start
                and paths[0].cost > best[-2] + TROUBLE
                and ahead > best[-2] + TROUBLE
                and paths[0].cost < HOPELESS
                and looks
                and not is_hurried
            ):
                looks -= 1
                beams[at] = self._look_back(beams, chunks, at)
            self._go_on(beams, chunks, at, 1 if is_hurried else FEW_GAMES)
        last = len(chunks)
        beams[last] = self._keep_best(beams.get(last, ()))
        if hurried and beams[last][0].cost > best[hurried] + TROUBLE:
            message = (
                "These notes have too many readings to compare them all from here on. Check the turns after this line"
            )
            unsure = Finding(chunks[hurried].line, OPEN, message)
            return [evolve(path, findings=(*path.findings, unsure)) for path in beams[last]]
        is_troubled = last and not hurried and beams[last][0].cost > best[max(0, last - LOOKED_BACK)] + TROUBLE
        return self._look_back(beams, chunks, last, LOOKED_BACK * 3) if is_troubled else beams[last]

    def _go_on(self, beams: dict[int, list[Path]], chunks: Sequence[Chunk], at: int, few: int) -> None:
        """Continue the games at a piece of the notes; where it fits badly, some of them also with something missing before it."""
        paths, least, chunk = beams[at], 1e9, chunks[at]
        other = [each for path in paths for each in self._take_other(path, chunk, chunks[at - 1] if at else None)]
        beams.setdefault(at + 1, []).extend(other)
        if chunk.may_be_result and not chunk.is_turn and min(each.cost for each in other) <= paths[0].cost:
            return
        for end, chunk in self._list_turns(chunks, at):
            longer = [each for path in paths for each in self._take(path, chunk)]
            least = min([least, *(each.cost for each in longer)])
            beams.setdefault(end, []).extend(longer)
            if least <= paths[0].cost + EASY:
                break
        if min([least, *(each.cost for each in other)]) > paths[0].cost + EASY:
            for end, turn in self._list_turns(chunks, at)[-few:]:
                beams.setdefault(end, []).extend(each for path in paths[:few] for each in self._repair(path, turn))

    @staticmethod
    def _list_turns(chunks: Sequence[Chunk], start: int) -> list[tuple[int, Chunk]]:
        """Return the pieces from one on that may be one turn together, the most first, with the number of the piece behind them."""
        turn = chunks[start]
        found = [(start + 1, turn)] if turn.may_begin_turn else []
        for at in range(start + 1, min(len(chunks), start + MOST_PIECES)) if found else ():
            if not turn.is_followed_by(chunks[at]):
                break
            turn = turn.join(chunks[at])
            found.append((at + 1, turn))
        return found[::-1]

    def _look_back(
        self, beams: dict[int, list[Path]], chunks: Sequence[Chunk], last: int, most: int = LOOKED_BACK
    ) -> list[Path]:
        """Return the games up to a piece with those in which an earlier piece has something wrong, and all later ones fit better."""
        found, worst = list(beams[last]), beams[last][0].cost
        for start in range(last - 1, max(-1, last - most), -1):
            if not beams.get(start) or beams[start][0].cost + WORST >= worst:
                continue
            tried: dict[int, list[Path]] = {}
            for end, turn in self._list_turns(chunks, start):
                wide = self._take(beams[start][0], turn, WIDE)
                usual = beams.get(end) or [beams[start][0]]
                tried[end] = [each for each in wide if each.cost > min(path.cost for path in usual) + MARGIN]
            for at in range(start + 1, last):
                paths = [path for path in self._keep_best(tried.get(at, ())) if path.cost < worst][:LIKELY_GAMES]
                for end, turn in self._list_turns(chunks, at) if paths else ():
                    tried.setdefault(end, []).extend(each for path in paths for each in self._take(path, turn))
                others = (each for path in paths for each in self._take_other(path, chunks[at], chunks[at - 1]))
                tried.setdefault(at + 1, []).extend(others)
            found += [path for path in tried.get(last, ()) if path.cost < worst]
        return self._keep_best(found)

    def _keep_best(self, paths: Iterable[Path]) -> list[Path]:
        found: dict[Any, Path] = {}
        for path in paths:
            known = found.get((path.position, len(path.steps)))
            if known is None or path.cost < known.cost:
                found[path.position, len(path.steps)] = path
        best = sorted(found.values(), key=lambda path: path.cost)
        most = MOST_GAMES if best and best[0].cost < HOPELESS else FEW_GAMES
        near = [path for path in best if path.cost <= best[0].cost + WORST][:most]
        seats = Counter(path.position.to_act for path in near)
        for path in best[len(near) :]:
            if path.cost <= best[0].cost + FAR and seats[path.position.to_act] < FEW_OTHERS:
                near.append(path)
                seats[path.position.to_act] += 1
        return near

    def _take_other(self, path: Path, chunk: Chunk, before: Chunk | None) -> Iterator[Path]:
        """Yield the games in which a piece of the notes is no turn: what followed the turn before, or a remark."""
        last = path.steps[-1] if path.steps else None
        is_behind = last is not None and (chunk.is_result or (chunk.may_be_result and last.turn == "Pass"))
        if is_behind or (chunk.may_be_result and path.position.to_act is not None):
            told = ((chunk.said or chunk.text, chunk.line),)
            with_result = self._add_results(path, told)
            if is_behind or with_result.cost == path.cost:
                yield with_result
            longer: Path | None = path
            regions = self._count_regions(told[0][0])
            cost = self.implied if regions < SEVERAL else IMPLIED  # `Moray Scottish, Devon Welsh`
            most = max(MOST_MISSING, len(self.record.names) * regions)
            for _ in range(most if with_result.cost > path.cost else 0):
                longer = self._insert_pass(longer, chunk, cost) if longer else None
                if longer is not None and self._add_results(longer, told).cost == longer.cost:
                    yield longer
                    break
            if is_behind:
                return
        if path.position.to_act is None and not chunk.is_turn:
            yield path  # what somebody writes behind the end
            return
        is_silent = chunk.seat is not None and chunk.seat == path.position.to_act and not chunk.weight
        if is_silent and (silent := self._insert_pass(path, chunk, SHOWN_MISSING)):
            yield silent  # `Bob - shrugs`
        cost = chunk.remark_cost
        if chunk.is_heading or (cost == BESIDE and before is not None and not before.passes):
            yield evolve(path, cost=path.cost + BESIDE)
            return
        reason = "is written twice" if chunk.is_repeated else "was not read as a turn"
        unread = Finding(chunk.line, NO_TURN, f"`{chunk.text}` {reason}")
        cost += CONTRADICTED * len(chunk.results)
        tells_something = chunk.seat is not None and not chunk.kinds.isdisjoint({"card", "region", "follower"})
        if cost < REMARK and not (chunk.is_repeated or chunk.may_be_result or tells_something):
            yield evolve(path, cost=path.cost + cost)
            return
        yield evolve(path, cost=path.cost + cost, findings=(*path.findings, unread))

    def _count_regions(self, said: str) -> int:
        return sum({kind for kind, _ in word.meanings} == {"region"} for word in self.shorthand.read_words(None, said))

    def _repair(self, path: Path, chunk: Chunk) -> Iterator[Path]:
        """Yield the ways to go on with a turn of the notes before which passes are missing."""
        longer = path
        most = 2 * len(self.record.names) if self.reader.leaves_out_passes else MOST_MISSING
        for count in range(1, most + 1):
            is_numbered = bool(chunk.numbers) and chunk.numbers[0] > len(path.steps) + count
            cost = NUMBERED_MISSING if is_numbered else MISSING if chunk.seat is None else SHOWN_MISSING
            with_pass = self._insert_pass(longer, chunk, UNTOLD if self.reader.leaves_out_passes else cost)
            if with_pass is None:
                return
            longer = with_pass
            yield from self._take(longer, chunk)

    def _insert_pass(self, path: Path, chunk: Chunk, cost: float) -> Path | None:
        move = self._find_pass(path.position)
        if move is None:
            return None
        who = self.record.names[path.position.to_act]
        after, events = self.game.apply(path.position, move)
        message = f"Turn {len(path.steps) + 1}, {who}'s, is missing before this. It was taken as a pass"
        findings = () if self.reader.leaves_out_passes else (Finding(chunk.line, DIFFERENT, message),)
        step = Step(
            0, "", path.position.to_act, "Pass", min(cost, NUMBERED_MISSING), exact=False, findings=findings,
            moves=(move,), end=chunk.end - chunk.pieces,
        )  # fmt: skip
        return Path(after, path.cost + cost, (*path.steps, step), path.findings, self._write_events(events, path))

    def _skip_turn(self, path: Path, chunk: Chunk) -> Path:
        """Return a game that goes on behind a turn that is not known: it is no pass, and nothing changes on the board."""
        seat = path.position.to_act
        following = (seat + 1) % len(self.record.names)
        after = find_record_plugin(self.game).skip_turn(path.position, following, acted=True)
        step = Step(chunk.line, chunk.text, seat, "", UNREAD, exact=False, end=chunk.end)
        longer = evolve(path, position=after, steps=(*path.steps, step), followed=())
        return self._compare_with_notes(path, longer, chunk)

    def _find_pass(self, position: Any) -> Any:
        if position.to_act is None:
            return None
        return next((move for move in self.game.legal(position) if self.shorthand.list_parts(move) == ((PASS,),)), None)

    def _take(self, path: Path, chunk: Chunk, margin: float = MARGIN) -> Iterator[Path]:
        """Yield the games with a piece of the notes as their next turns."""
        if path.position.to_act is None:
            return
        if chunk.passes:
            yield from self._take_passes(path, chunk)
            if chunk.passes == -1 and (regions := self._count_regions(chunk.said)) >= SEVERAL:
                yield from self._take_passes(path, evolve(chunk, passes=-regions))  # `nobody played for Moray or Devon`
            return
        if not chunk.kinds:
            yield self._skip_turn(path, chunk)
            return
        readings = self._read(path.position, chunk.said, margin)
        if self.as_played and readings and readings[0].cost >= POOR:
            yield from self._take_as_played(path, chunk, readings[0])
        for reading in readings:
            findings = []
            turn = fill_names(self.game.words.write_turn(reading.moves), self.record.names)
            if reading.strange or reading.cost >= POOR:
                without = [f"`{word}`" for word in reading.strange]
                rest = f", without {list_names(without, 'and')}" if without else ""
                message = f"No legal turn fits all of this. `{turn}` is the nearest{rest}"
                findings.append(Finding(chunk.line, DIFFERENT, message))
            elif reading.cost >= DOUBTFUL or reading.cost > readings[0].cost + LOOSE:
                later = ", by what follows" if reading.cost > readings[0].cost + LOOSE else ""
                message = f"This line doesn't name the turn exactly. `{turn}` is the likeliest{later}"
                findings.append(Finding(chunk.line, DIFFERENT, message))
            position = path.position
            events: tuple[Event, ...] = ()
            for move in reading.moves:
                position, more = self.game.apply(position, move)
                events += more
            exact = turn == chunk.said.strip()
            step = Step(
                chunk.line, chunk.text, path.position.to_act, turn, reading.cost, exact, tuple(findings),
                moves=reading.moves, said=chunk.said, end=chunk.end,
            )  # fmt: skip
            longer = Path(position, path.cost, (*path.steps, step), path.findings, self._write_events(events))
            yield self._compare_with_notes(path, longer, chunk)

    def _take_as_played(self, path: Path, chunk: Chunk, nearest: Reading) -> Iterator[Path]:
        """Yield the game in which an illegal turn is carried out as the notes have it, if it differs little from a legal one."""
        found = self._find_illegal(path.position, chunk.said, nearest)
        if found is None:
            return
        turn = fill_names(self.game.words.write_turn(nearest.moves), self.record.names)
        message = f"`{found.text}` is illegal and stands as played. {found.why}. `{turn}` is the nearest legal turn"
        finding = Finding(chunk.line, DIFFERENT, message)
        step = Step(
            chunk.line, chunk.text, path.position.to_act, found.text, found.cost + LOOSE, exact=False,
            findings=(finding,), stands=True, moves=found.moves, end=chunk.end,
        )  # fmt: skip
        after = Path(found.position, path.cost, (*path.steps, step), path.findings, self._write_events(found.events))
        yield self._compare_with_notes(path, after, chunk)

    def _find_illegal(self, position: Any, said: str, nearest: Reading) -> _Illegal | None:
        """Return the illegal turn that notes say, if it differs less from them than the nearest legal one."""
        plugin, words = find_record_plugin(self.game), self.shorthand.read_words(position, said)
        reader = find_notation_plugin(self.game).reader(self.game, self.record.names)
        cards = {value for word in words for kind, value in word.meanings if kind == "card"}
        named = self.shorthand.find_readings(position, said, cards=cards) if cards else ()
        bases = dict.fromkeys(
            fill_names(self.game.words.write_turn(each.moves), self.record.names) for each in [*named[:1], nearest]
        )
        found: list[_Illegal] = []
        for text in (each for base in bases for each in self.shorthand.vary_turn(base, said)):
            read, after = reader.read_turn(text), position
            events: tuple[Event, ...] = ()
            broken: list[Violation] = []
            for move in read.moves if all(each.move is not None for each in read.decisions) else ():
                violations = self.game.check(after, move)
                broken += violations
                carried = plugin.carry_out(self.game, after, move) if violations else self.game.apply(after, move)
                if carried is None:
                    break
                after, events = carried[0], (*events, *carried[1])
            else:
                if broken and not self.game.turn_continues(after):
                    cost = self.shorthand.compare_turn(position, said, read.moves)
                    why = fill_names(broken[0].sentence, self.record.names)
                    found.append(_Illegal(cost, text, tuple(read.moves), after, events, why))
        best = min(found, key=lambda each: each.cost, default=None)
        return best if best and best.cost < min(nearest.cost, POOR) else None

    def _read(self, position: Any, said: str, margin: float) -> tuple[Reading, ...]:
        key = position, said, margin
        if key not in self._known:
            self._known[key] = self.shorthand.find_readings(position, said, margin)
        return self._known[key]

    def _take_passes(self, path: Path, chunk: Chunk) -> Iterator[Path]:
        most = chunk.passes if chunk.passes > 0 else -chunk.passes * len(self.record.names)
        events: tuple[Event, ...] = ()
        steps: list[Step] = []
        position, rounds = path.position, 0
        for _ in range(most):
            move = self._find_pass(position)
            if move is None:
                break
            seat = position.to_act
            position, more = self.game.apply(position, move)
            events += more
            steps.append(Step(chunk.line, chunk.text, seat, "Pass", 0.0, exact=True, moves=(move,), end=chunk.end))
            rounds += any(event.line for event in more)
            if rounds == -chunk.passes:
                break
        if not steps:
            return
        short = MISSING * (max(0, most - len(steps)) if chunk.passes > 0 else 0)
        longer = Path(
            position, path.cost + short, (*path.steps, *steps), path.findings, self._write_events(events, path)
        )
        yield self._compare_with_notes(path, longer, chunk)

    def _write_events(self, events: Sequence[Event], before: Path | None = None) -> tuple[str, ...]:
        """Return the lines of events; behind a pass, also those of the passes before it."""
        earlier = before.followed if before and before.steps and before.steps[-1].turn == "Pass" else ()
        return (*earlier, *(fill_names(event.line, self.record.names) for event in events if event.line))

    def adjust(self, path: Path, guessed: Collection[str]) -> Record:
        """Return the set-up that fits the turns best; it differs from this one only in rows that are `guessed`."""
        wanted = self._list_wanted(self.record.start(), path.steps)
        record, least = self.record, self._play(self.record.start(), wanted)[2]
        for _ in range(MOST_CHANGES if least >= UNFIT else 0):
            tried = [(self._play(each.start(), wanted)[2], each) for each in _vary_setup(record, guessed)]
            cost, other = min(tried, key=lambda each: each[0], default=(least, record))
            if cost >= least:
                break
            record, least = other, cost
        return record

    def settle(self, games: list[Path], chunks: Sequence[Chunk]) -> list[Path]:
        """Return the games with a legal turn in place of each one that can't be read: one that fits what follows."""
        while (at := next((at for at, step in enumerate(games[0].steps) if step.is_unknown), None)) is not None:
            games = self.find_games(chunks, self._settle_turn(games[0], at))
        return games

    def _settle_turn(self, path: Path, at: int) -> Path:
        """Return the game up to a turn that is not known, with a likely one in its place."""
        step, before = path.steps[at], self._play(self.record.start(), path.steps[:at])[0]
        later = self._list_wanted(self._play(before, [step])[0], path.steps[at + 1 : at + 1 + FOLLOWING])
        rated = [(self._rate(before, (move,), step, later), (move,)) for move in self.game.legal(before)]
        rated.sort(key=lambda each: each[0])
        whole: list[tuple[float, tuple[Any, ...]]] = []
        for cost, moves in rated[:MOST_FIRST]:
            after = self.game.apply(before, moves[0])[0]
            turns = [(*moves, move) for move in self.game.legal(after)] if self.game.turn_continues(after) else []
            whole += [(self._rate(before, turn, step, later), turn) for turn in turns] if turns else [(cost, moves)]
        whole.sort(key=lambda each: each[0])
        near = [moves for cost, moves in whole if cost < whole[0][0] + CLOSE]
        best = [fill_names(self.game.words.write_turn(moves), self.record.names) for moves in near]
        line, where = step.line, f"Turn {at + 1}, {self.record.names[step.seat]}'s, can't be read"
        choices = tuple(best) if 1 < len(best) <= MOST_CHOICES else ()
        others = "fits what follows" if len(best) == 1 else "is one of the turns that fit what follows"
        finding = Finding(line, OPEN, where if choices else f"{where}. `{best[0]}` {others}", choices)
        settled = evolve(step, turn=best[0], moves=near[0], findings=(finding,), results=())
        position, followed, _ = self._play(before, [settled])
        cost = sum(each.cost for each in path.steps[:at])
        known = tuple(each for each in path.findings if each.line < line)
        return Path(position, cost, (*path.steps[:at], settled), known, followed)

    def _rate(self, before: Any, moves: tuple[Any, ...], step: Step, later: Sequence[Step]) -> float:
        """Return how badly a turn fits the words about it and the later turns."""
        said = self.shorthand.compare_turn(before, step.said, moves) if step.said else 0.0
        return said + self._play(before, [evolve(step, moves=moves), *later])[2]

    def _list_wanted(self, position: Any, steps: Sequence[Step]) -> list[Step]:
        """Return turns with the moves that the notes say, where these are illegal so far."""
        wanted = list[Step]()
        for step in steps:
            nearest = [Reading(step.moves, step.cost)] if step.moves else self._read(position, step.said, MARGIN)[:1]
            is_unfit = step.said and step.cost >= UNFIT and nearest
            illegal = self._find_illegal(position, step.said, nearest[0]) if is_unfit else None
            wanted.append(evolve(step, moves=illegal.moves) if illegal else step)
            position = self._play(position, wanted[-1:])[0]
        return wanted

    def _play(self, position: Any, steps: Sequence[Step]) -> tuple[Any, tuple[str, ...], float]:
        """Play turns, also illegal ones. Return the position, what followed the last turn, and how badly turns and results fit."""
        plugin, cost = find_record_plugin(self.game), 0.0
        followed: tuple[str, ...] = ()
        for at, step in enumerate(steps):
            if position.to_act is None:
                return position, followed, cost + UNFIT * (len(steps) - at)
            position, before = plugin.set_seat(position, step.seat), position.turn
            events: tuple[Event, ...] = ()
            for move in step.moves:
                is_broken = bool(self.game.check(position, move))
                cost += UNFIT * is_broken
                carried = plugin.carry_out(self.game, position, move) if is_broken else self.game.apply(position, move)
                if carried is None:
                    break
                position, events = carried[0], (*events, *carried[1])
            if position.to_act is not None and (position.turn == before or self.game.turn_continues(position)):
                position = plugin.skip_turn(position, (step.seat + 1) % len(self.record.names), acted=True)
            is_passing = at > 0 and steps[at - 1].turn == step.turn == "Pass"
            new = tuple(fill_names(event.line, self.record.names) for event in events if event.line)
            followed = (*(followed if is_passing else ()), *new)
            is_over = position.to_act is None
            cost += CONTRADICTED * sum(
                not self._is_followed(said, followed, is_over=is_over) for said, _ in step.results
            )
        return position, followed, cost

    def _compare_with_notes(self, before: Path, after: Path, chunk: Chunk) -> Path:
        """Add to a longer game what its last turns cost, and what the notes have otherwise: who played, and what followed."""
        last = after.steps[-1]
        findings = list(last.findings)
        cost = last.cost
        names, first = self.record.names, before.position.to_act
        if chunk.seat is not None and chunk.seat != first:
            message = f"The notes say {names[chunk.seat]}, but it is {names[first]}'s turn"
            findings.append(Finding(chunk.line, DIFFERENT, message))
            cost += MISLABELLED
        if chunk.numbers and chunk.numbers[0] != len(before.steps) + 1:
            cost += MISNUMBERED
        step = evolve(last, findings=tuple(findings))
        longer = evolve(after, cost=after.cost + cost, steps=(*after.steps[:-1], step))
        return self._add_results(longer, chunk.results)

    def _add_results(self, path: Path, results: Sequence[tuple[str, int]]) -> Path:
        """Add to a game what its notes say followed its last turn, and what that costs if it did not."""
        cost, findings = path.cost, list(path.findings)
        for said, line in results:
            if not self._is_followed(said, path.followed, is_over=path.position.to_act is None):
                followed = list_names([f"`{each}`" for each in path.followed], "and") if path.followed else "nothing"
                message = f"The notes say `{said.strip(ARROWS)}`, but {followed} followed"
                findings.append(Finding(line, DIFFERENT, message))
                cost += CONTRADICTED
        steps = path.steps
        if results and steps:
            steps = (*steps[:-1], evolve(steps[-1], results=(*steps[-1].results, *results)))
        return evolve(path, cost=cost, findings=tuple(findings), steps=steps)

    def _is_followed(self, said: str, lines: Sequence[str], *, is_over: bool) -> bool:
        winners = self.reader.find_winners(said)
        if winners is None:
            return self.shorthand.is_followed(said, lines)
        return is_over and bool(lines) and all(self.record.names[seat] in lines[-1] for seat in winners)


@cites("notation.notes")
def transcribe(
    record: Record,
    lines: Sequence[str],
    end: int,
    answers: Mapping[int, str],
    *,
    is_first_given: bool = False,
    as_played: bool = False,
) -> Transcript:
    """Find the game that fits notes best.

    Args:
        record: The set-up, without turns.
        lines: The lines of the notes.
        end: The number of lines that tell the set-up.
        answers: Turns that replace lines of the notes, by the number of the line, from 1.
        is_first_given: True if an option names who started.
        as_played: True to keep illegal turns as the notes have them.
    """
    lines = join_rows(lines)
    reader = _make_reader(record, lines, answers)
    noted, _, inner = _read_setup(lines, reader)
    rows, of_record = noted.rows, _list_rows(record)
    guessed = {
        label: line for label, line in noted.guessed.items() if _is_same_row(rows[label], of_record.get(label, ""))
    }
    chunks = _split(reader, lines, end, inner)
    passes, results = sum(bool(each.passes) for each in chunks), sum(each.may_be_result for each in chunks)
    implied = IMPLIED if reader.leaves_out_passes or PASSES_OF_TWO * passes < results else SHOWN_MISSING
    transcriber = Transcriber(record, reader, as_played, implied=implied)
    games = transcriber.find_games(chunks)
    if guessed and reader.shorthand.effort < EFFORT:
        other = evolve(transcriber, record=transcriber.adjust(games[0], guessed))
        found = games if other.record is record else other.find_games(chunks)
        if found[0].cost < games[0].cost:
            transcriber, games = other, found
    record, games = transcriber.record, transcriber.settle(games, chunks)
    best = games[0]
    findings = [*(finding for step in best.steps for finding in step.findings), *_list_unsettled(best)]
    likely = [path for path in games[1:] if path.cost <= best.cost + CLOSE]
    asked: dict[int, list[str]] = {}
    for path in likely:
        for ours, theirs in zip(best.steps, path.steps, strict=False):
            if ours.turn != theirs.turn:
                choices = asked.setdefault(ours.line, [ours.turn])
                choices += [theirs.turn] if theirs.turn not in choices else []
                break
    is_told = is_first_given or reader.find_order(chunks)[1] is not None
    of_record = _list_rows(record)
    findings += [
        Finding(max(1, line), DIFFERENT, f"The notes don't clearly tell {_describe_row(label)} {of_record[label]}")
        for label, line in guessed.items()
    ]
    if not is_told and best.steps and "First" not in rows:
        message = f"The notes don't say who started. It fits best that {record.names[best.steps[0].seat]} did"
        findings.append(Finding(best.steps[0].line, DIFFERENT, message))
    findings += [Finding(line, OPEN, "Several turns fit this", tuple(choices)) for line, choices in asked.items()]
    findings = sorted([*findings, *best.findings], key=lambda finding: finding.line)
    return Transcript(_write(record, best.steps), best.steps, tuple(findings))


def _list_rows(record: Record) -> dict[str, str]:
    return dict(re.findall(r"(?m)^(\w.*?) {2,}(.*)$", write_start(record)))


def _describe_row(label: str) -> str:
    if label == TRACK:
        return "the order of the struggles. It was taken to be"
    return f"the followers of {label}. They were taken to be"


def _is_same_row(one: str, other: str) -> bool:
    return one == other or ("," not in one + other and _count_letters(one) == _count_letters(other))


def _vary_setup(record: Record, guessed: Collection[str]) -> Iterator[Record]:
    """Yield a set-up with two followers, or two struggles, in each other's place, in rows that are guessed."""
    rows = _list_rows(record)
    counts = {label: _count_letters(rows[label]) for label in guessed if label != TRACK}
    changes = [
        {one: counts[one] - Counter(gone) + Counter(come), other: counts[other] - Counter(come) + Counter(gone)}
        for one, other in combinations(counts, 2)
        for gone, come in product(counts[one], counts[other])
        if gone != come
    ]
    varied = [{label: "".join(sorted(row.elements())) for label, row in change.items()} for change in changes]
    track = rows[TRACK].split(", ") if TRACK in guessed else []
    for one, other in combinations(range(len(track)), 2):
        swapped = {one: track[other], other: track[one]}
        varied.append({TRACK: ", ".join(swapped.get(at, name) for at, name in enumerate(track))})
    for change in varied:
        begun = ((line.partition("  ")[0], line) for line in write_start(record).splitlines())
        text = [f"{label}  {change[label] or '-'}" if label in change else line for label, line in begun]
        read = read_record("\n".join([*text, "", "Turns", ""]).encode())
        if read.record is not None and not read.problems:
            yield read.record


def _count_letters(row: str) -> Counter[str]:
    """Return the followers of a row of a set-up: `SSWE`, `2S 1W 1E`."""
    return Counter("".join(letters * int(count or 1) for count, letters in re.findall(r"(\d*)([A-Z]+)", row)))


def _list_unsettled(path: Path) -> Iterator[Finding]:
    """Yield a finding for each turn behind a line that does not fit, until enough turns in a row fit well."""
    unfit = {
        at
        for at, step in enumerate(path.steps)
        if step.findings and (step.cost >= UNFIT or step.stands or not step.line)
    }
    wrong = {each.line for each in (*path.findings, *(found for at in unfit for found in path.steps[at].findings))}
    fitting, last = SETTLED, 0
    for at, step in enumerate(path.steps):
        if at in unfit or any(last < line <= step.line for line in wrong):
            fitting = 0
        elif fitting < SETTLED:
            fitting += step.cost < CLOSE
            yield Finding(
                step.line or last, DIFFERENT, f"Turn {at + 1} comes after a line that does not fit. Check this turn too"
            )
        last = max(last, step.line)


def _write(record: Record, steps: Sequence[Step]) -> str:
    rows = [write_start(record).rstrip("\n"), "", "Turns"]
    noted = 0
    for number, step in enumerate(steps, 1):
        if step.line and not step.exact and step.line != noted:
            rows.append(f"# {step.noted}")
        noted = step.line
        stands = f" {{{STANDS} played so, by the notes}}" if step.stands else ""
        rows.append(f"{number}. {record.names[step.seat]} {step.turn}{stands}")
    return "\n".join(rows) + "\n"


TURNS = re.compile(r"^\W*(?:turns?|moves?|game|züge|coups|the game)\W*$", re.IGNORECASE)


class SetupError(ValueError):
    """The notes do not say how the game begins; the message says what is missing, and how to write it."""


def read_start(lines: Sequence[str], ruleset: str, players: Sequence[str], first: str) -> tuple[Record, int]:
    """Read the set-up at the head of notes.

    Args:
        lines: The lines of the notes.
        ruleset: What was played, "" for what the notes say.
        players: The players in turn order, () for those whom the notes name.
        first: Who started, "" for what the notes say.

    Returns:
        The record without turns, and the number of lines that belong to the set-up.

    Raises:
        SetupError: Something of the set-up is missing or wrong.
    """
    lines = join_rows(lines)
    text = mend_misread("\n".join(lines))
    code = ruleset or find_ruleset(text)
    head = [f"Tkid-Record: {FORMAT}", f"Ruleset: {code}"]
    finder = _StartFinder(lines, head, first, is_order_given=bool(players))
    best = finder.find_start(tuple(players), is_alone=True) if players else _find_players(finder, text)
    full, rows = best.read, best.rows
    if full.record is None or full.problems:
        if rows.keys() <= {"First"}:
            raise SetupError(
                "The notes don't tell the set-up. `tkid new FILE NAME NAME` makes a game file: write the followers and the order of the "
                "struggles in it as they were, and name it with `--setup FILE`."
            )
        wrong = "\n".join(f"{each.message} {each.hint}".strip() for each in full.problems)
        understood = "\n".join(f"    {label}  {row}" for label, row in rows.items())
        raise SetupError(
            f"The set-up in the notes, for {list_names(best.names, 'and')}, is not complete or not right:\n{wrong}\n"
            f"This was understood:\n{understood}\n"
            "Correct the notes, or write the set-up in a game file of its own and name it with `--setup FILE`."
        )
    return full.record, best.end


def _find_players(finder: _StartFinder, text: str) -> _Start:
    """Return the likeliest start of a game whose players the notes tell. Raises SetupError if nobody may have played."""
    lines = finder.lines
    shorthand = _learn(_make_shorthand(_read_head(finder.head, ("Ann", "Bob"))), lines)
    told, likely = list_told_players(text, shorthand), list_players(text, shorthand)
    lists = _list_possible(finder.head, (find_senders(lines), *likely[:1], *told))
    if not lists:
        raise SetupError("The notes don't say who played. Add `--player NAME` for each player, in turn order.")
    best = finder.find_start(lists[0], is_alone=len({*lists, *likely}) == 1)
    for names in lists[1:]:
        clear = best.cost * (FEWER if {*names} < {*best.names} else 1)
        start = finder.find_start(names, limit=clear)
        best = start if start.cost < clear else best
    if best.cost >= SURE_START:
        likely = list_players(text, shorthand, anybody=True) if best.cost > NO_START / 2 else likely
        tried = _list_possible(finder.head, [*lists, *likely])[len(lists) :]
        others = sorted(tried, key=lambda names: finder.read_setup(names)[1].cost)[:MOST_LISTS]
        clear = best.cost / 2 if best.cost < NO_START / 2 else best.cost
        found = (finder.find_start(names, limit=clear) for names in others)
        best = next((start for start in found if start.cost < clear), best)
    return best


def _list_possible(head: Sequence[str], lists: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the lists of players of whom a game may be, without those that name the same players as an earlier one."""
    found: dict[frozenset[str], tuple[str, ...]] = {}
    for names in lists:
        read = read_record_head("\n".join((*head, *(f"Seat: {name}" for name in names))))
        if read.record is not None and not read.problems:
            found.setdefault(frozenset(map(fold_name, names)), names)
    return list(found.values())


@frozen
class _Start:
    """The start of a game for some players: how well its set-up and the first pieces of the notes fit, and the lines before its turns."""

    names: tuple[str, ...]
    read: ReadRecord
    rows: Mapping[str, str]
    end: int
    cost: float = 0.0


@frozen(eq=False)
class _StartFinder:
    """Finds the start of a game that notes tell, for the players that somebody may have been."""

    lines: Sequence[str]
    head: Sequence[str]
    first: str
    is_order_given: bool

    def read_setup(self, names: Sequence[str]) -> tuple[NoteReader, NotedSetup, int, range]:
        reader = _make_reader(_read_head(self.head, names), self.lines)
        return reader, *_read_setup(self.lines, reader)

    def find_start(self, named: tuple[str, ...], *, is_alone: bool = False, limit: float = NO_START) -> _Start:
        """Return the likeliest start with these players; its cost counts only if it isn't the only one, and up to a limit."""
        lines, head, first = self.lines, self.head, self.first
        reader, noted, end, inner = self.read_setup(named)
        rows = dict(noted.rows)
        order, begun = reader.find_order(_split(reader, lines, end, inner))
        begun = None if reader.leaves_out_passes else begun
        firsts = [rows["First"]] if "First" in rows else []
        firsts += [named[begun]] if begun is not None and named[begun] not in firsts else []
        rows |= {"First": firsts[0]} if firsts else {}
        orders = [named] if self.is_order_given else [tuple(named[seat] for seat in order)]
        if not (self.is_order_given or order):
            orders = [(named[0], *others) for others in permutations(named[1:])]
        likeliest = named if reader.leaves_out_passes else find_order_by_initials(mend_misread("\n".join(lines)), named)
        told = first or rows.get("First", "") or next(iter(likeliest), "")
        starting = [told] if first else firsts if begun is not None else sorted(named, key=lambda name: name != told)
        orders = orders[: max(1, MOST_STARTS // len(starting))]
        every = [(names, _read_rows(head, names, rows | {"First": name})) for names in orders for name in starting]
        full, rows = every[0][1], rows | {"First": starting[0]}
        if full.record is None or full.problems:
            return _Start(named, full, rows, end, NO_START - noted.essential)
        if len(every) == 1 and is_alone:
            return _Start(named, full, rows, end)
        costs = list[float]()
        for names, each in every:
            reader = _make_reader(_read_head(head, names), lines)
            pieces = _split(reader, lines, end, inner)
            cards = [at for at, piece in enumerate(pieces) if piece.names_card][:FIRST_CARDS]
            pieces = pieces[: max(FIRST_PIECES, cards[-1] + 1) if cards and (order or told) else None]
            least = min([limit, *costs])
            transcriber = Transcriber(each.record or full.record, reader, effort=FIRST_EFFORT, limit=least)
            seat = each.record.start().to_act if each.record else None
            begins = names[seat] if seat is not None else ""
            costs.append(
                transcriber.find_games(pieces)[0].cost
                + (0 if names == orders[0] else OTHER_ORDER)
                + (0 if begins == told or not told or begins in firsts else OTHER_ORDER)
                + SETUP_SHARE * noted.cost
            )
        return _Start(named, every[costs.index(min(costs))][1], rows, end, min(costs))


def _read_head(head: Sequence[str], names: Sequence[str]) -> Record:
    read = read_record_head("\n".join((*head, *(f"Seat: {name}" for name in names))))
    if read.record is None or read.problems:
        raise SetupError("; ".join(f"{each.message}. {each.hint}".strip() for each in read.problems))
    return read.record


def _read_rows(head: Sequence[str], names: Sequence[str], rows: Mapping[str, str]) -> ReadRecord:
    """Return the record with these rows of its set-up."""
    seats = [f"Seat: {each}" for each in names]
    return read_record("\n".join((*head, *seats, "", "Setup", *map("  ".join, rows.items()), "", "Turns")).encode())


def _split(reader: NoteReader, lines: Sequence[str], start: int, inner: range) -> list[Chunk]:
    """Return the pieces of notes from a line on, without those of a set-up between turns."""
    return reader.split_notes([each for each in enumerate(lines[start:], start + 1) if each[0] not in inner])


def _read_setup(lines: Sequence[str], reader: NoteReader) -> tuple[NotedSetup, int, range]:
    """Return the set-up that notes tell, the number of lines before the first turn, and the lines of a set-up between turns."""
    spoken = [reader.name_regions(reader.name_holders(reader.name_speaker(mend_misread(line)))) for line in lines]
    cuts = _list_cuts(spoken, reader)
    corrected = list(map(reader.drop_speaker, spoken))
    every = [reader.shorthand.read_setup(corrected[:cut], reader.labels, corrected[cut:]) for cut in cuts]
    noted = every[0]
    for each in every:  # a single part that a later line tells is rather an accident
        is_surer = each.essential >= noted.essential and len(each.guessed) < len(noted.guessed)
        added = corrected[noted.end : each.end]
        is_next = 0 < len(added) <= NEXT_LINES and not any(_tells_turn(line, reader) for line in added)
        noted = each if each.essential > noted.essential + 1 or (is_surer and is_next) else noted
    first = noted
    if noted.guessed or not {"Track", "Supply"} <= noted.rows.keys():
        noted = max([first, *_read_blocks(corrected, reader)], key=lambda each: (each.essential, -len(each.guessed)))
    before = range(max(0, noted.begin - 1))
    early = [at for at in before if _tells_turn(corrected[at], reader)]
    if noted is not first and not early:
        early = [at for at in [_find_turns(lines, reader, 0)] if at in before[1:]]
    is_inner = len(early) >= (FEWEST_EARLY if noted is first else 1) and len(noted.guessed) < len(noted.rows) / 2
    inside = range(noted.begin, min(noted.end, len(lines)))
    passed = (at for at in inside if any(each.passes < 0 for each in reader.split_notes([(at + 1, lines[at])])))
    end = early[0] if is_inner else next(passed, None) or _find_turns(lines, reader, noted.end)
    starting = next((each.rows["First"] for each in (noted, *every) if "First" in each.rows), None)
    rows = ({"First": starting} if starting else {}) | dict(noted.rows)
    begins = next((chunk.seat for chunk in reader.split_notes(list(enumerate(lines[end : end + 1])))), None)
    if begins is not None and not reader.leaves_out_passes:
        rows.setdefault("First", reader.names[begins])
    return evolve(noted, rows=rows), end, range(noted.begin, noted.end + 1 if is_inner else 0)


def _read_blocks(lines: Sequence[str], reader: NoteReader) -> Iterator[NotedSetup]:
    """Yield the set-ups that paragraphs without turns tell, each alone and with those behind it."""
    for start in (at for at, line in enumerate(lines) if line.strip() and not (at and lines[at - 1].strip())):
        end = next((at for at in range(start, len(lines)) if not lines[at].strip()), len(lines))
        for block in {end: lines[start:end], len(lines): lines[start:]}.values():
            if any(_tells_turn(line, reader) for line in block):
                continue
            others = [*lines[:start], *lines[start + len(block) :]]
            found = reader.shorthand.read_setup(block, reader.labels, others)
            yield evolve(
                found,
                begin=found.begin + start,
                end=found.end + start,
                guessed={label: line + start for label, line in found.guessed.items()},
            )


def _tells_turn(line: str, reader: NoteReader) -> bool:
    """Return True if a line names a player, or begins with a card, and tells their card and regions, or their pass."""
    chunks = reader.split_notes([(1, line)])
    for chunk, behind in zip_longest(chunks, chunks[1:]):
        word = WORD.search(chunk.said)
        kinds = chunk.kinds | (behind.kinds if behind and chunk.is_followed_by(behind) else set())
        is_begun = word is not None and chunk.names_card and reader.begins_turn(word[0]) and "follower" in kinds
        if (chunk.seat is not None and chunk.passes) or (
            (chunk.seat is not None or is_begun) and chunk.names_card and "region" in kinds
        ):
            return True
    return False


def _list_cuts(lines: Sequence[str], reader: NoteReader) -> list[int]:
    """Return how many lines may come before the turns, the likeliest number first."""
    told = [
        at
        for at, line in enumerate(lines)
        if at and any(map(reader.begins_turn, (word[0] for word in WORD.finditer(line))))
    ]
    return sorted({_find_played(lines, reader), *told[:MOST_CUTS]})


def _find_played(lines: Sequence[str], reader: NoteReader) -> int:
    """Return the index of the first line that has a card and a region, and a player or the card first: the set-up is before it."""
    for at, line in enumerate(lines):
        chunks = reader.split_notes([(at, line)])
        first = next((chunk for chunk in chunks if chunk.names_card), None)
        word = WORD.search(first.said) if first else None
        is_named = first is not None and (first.seat is not None or any(each.seat is not None for each in chunks[:1]))
        is_first = word is not None and reader.begins_turn(word[0]) and "=" not in line
        kinds = {kind for chunk in chunks for kind in chunk.kinds}
        if first and "region" in kinds and (is_named or (is_first and "follower" in kinds)):
            return at
    return len(lines)


def _find_turns(lines: Sequence[str], reader: NoteReader, start: int) -> int:
    """Return the index of the first line behind a set-up that tells a turn."""
    shorthand, start = reader.shorthand, max(start, reader.first_row)
    first = next((at for at in range(start, len(lines)) if lines[at].strip()), start)
    for at, line in enumerate(lines):
        if TURNS.match(line):
            return at + 1
        chunks = reader.split_notes([(at, line)]) if at >= start else []
        is_told = (at == first > 0) or re.match(r"\W*(?:1[.)]|[^\W\d_]+\W*$)", line) is not None
        is_told |= any(chunk.seat is not None or chunk.numbers or chunk.passes < 0 for chunk in chunks)
        in_line = {kind for chunk in chunks for kind in chunk.kinds}
        for chunk in chunks:
            words = [each[0] for each in WORD.finditer(chunk.said)]
            kinds = in_line if chunk.names_card else chunk.kinds
            cards = {each for each in words if shorthand.names_card(each)}
            others = any(shorthand.find_kinds(each) for each in words if each not in cards)
            if (
                (len(chunk.numbers) > 1 and chunk.numbers[0] == 1)
                or (chunk.passes and is_told and not PASSING.isdisjoint(map(fold_name, words)))
                or (chunk.seat is not None and chunk.numbers and chunk.said in PASSING)
                or (len(cards) in {1, 2} and (others or chunk.seat is not None or chunk.numbers))
                or (chunk.seat is not None and start and chunk.kinds >= {"region", "follower"})
                or (start and kinds >= {"card", "region"} and "=" not in line)
                or (chunk.numbers and chunk.seat is not None and shorthand.find_kinds(chunk.said))
            ):
                return at
    return start


def read_given_start(lines: Sequence[str], record: Record) -> tuple[Record, int]:
    """Return the start of a game, and the number of lines before the first turn of notes of it."""
    lines = join_rows(lines)
    return evolve(record, turns=(), end=()), _read_setup(lines, _make_reader(record, lines))[1]


def _make_reader(record: Record, lines: Sequence[str], answers: Mapping[int, str] | None = None) -> NoteReader:
    """Return a reader of the notes of a game. Raises SetupError if its game has none."""
    shorthand = _learn(_make_shorthand(record), lines)
    writer = find_writer("\n".join(lines), record.names)
    if writer is None and (sender := fold_name(find_main_sender("\n".join(map(name_sender, lines))))):
        writer = next((seat for seat, name in enumerate(record.names) if sender == fold_name(name)), None)
    reader = NoteReader(shorthand, record.names, writer, answers or {})
    return reader.learn_habits([mend_misread(line) for line in lines])


def _learn(shorthand: Shorthand, lines: Sequence[str]) -> Shorthand:
    half = len(lines) if any(map(shorthand.tells_setup, lines[len(lines) // 2 :])) else max(len(lines) // 2, 20)
    shorthand.learn("\n".join(lines[:half]), "\n".join(lines[half:]))
    return shorthand


def _make_shorthand(record: Record) -> Shorthand:
    shorthand: Shorthand | None = find_notation_plugin(record.game).make_shorthand(record.game, record.names)
    if shorthand is None:
        raise SetupError(f"Notes of {record.ruleset.title} can't be read yet.")
    return shorthand


def read_answers(text: str) -> dict[int, str]:
    """Read the answers to questions: the line of the notes, a colon and the turn. Raises SetupError."""
    answers = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = re.fullmatch(r"\s*(\d+)\s*:\s*(\S.*)", line)
        if not found:
            raise SetupError(f"Line {number} of the answers is not `LINE: TURN`: {line.strip()}")
        answers[int(found[1])] = found[2].strip()
    return answers
