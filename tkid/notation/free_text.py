"""The second reading of a turn: what somebody meant who does not write the notation. It proposes and never plays.

The strict reading comes first. Where it reads a legal turn, that is certain. Otherwise each game looks for facts in the
text (a card, followers, regions) and for the legal turns that have them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from attrs import evolve, frozen

from tkid.kernel.game import AnyGame, with_names
from tkid.kernel.problems import Kind, Problem, Violation
from tkid.notation.free_words import (
    DOUBTS,
    FILLERS,
    PASS,
    WORD,
    is_doubtful,
    is_taken_back,
    passes,
    sentences,
    without_history,
)
from tkid.notation.judge import Line, Verdict, judge_whole
from tkid.notation.plugin import FreeReader, Meant, TurnReader, notation_plugin
from tkid.notation.turns import ReadTurn
from tkid.notation.violations import problems as problems_of
from tkid.rulebook import cites

MOST_CHOICES = 3
LONGEST_TEXT = 600
"""Characters of a longer text are only read strictly."""
ALTERNATIVE = re.compile(r"[.!?;\n]\s*(?:or|oder|ou|otherwise|alternatively)\b", re.IGNORECASE)
"""How a sentence begins that names another turn: then one is to be chosen, and none is taken for meant."""
READERS = 64
MOST_PARTS = 8
"""Parts of a sentence of which it is asked whether the turn needs them."""
PART = re.compile(r"\s*[,;:(]\s*(?=[^\W\d_])|\s+[-–—]+\s+(?=[^\W\d_])")
"""Where a remark may begin, or end, within the sentence of a turn."""
QUOTED = re.compile(r"^\s*>\s", re.MULTILINE)
"""A line that is quoted, as in a mail."""
FIRST_SORTS = (Kind.SYNTAX, Kind.NAME, Kind.ILLEGAL)
"""What is wrong first, so that the rest may follow from it."""
UNREAD = {"notation.card", "notation.form"}
"""What the strict reading says of a text of which it understands nothing: then it says nothing of the turn that is meant."""
SEVERAL = ("notation.free.several", "This names more than one turn", "Write only the turn that you mean.")
UNSURE = (
    "notation.free.intent",
    "This orders no turn: it asks, doubts, denies, or tells what others do or what was",
    "If you mean a turn, write it alone.",
)
"""Rule, message and way out where a text names several turns, and where it orders none."""
NOTHING_MEANT = Meant()


@frozen
class Understanding:
    """What a text means as a turn.

    Attributes:
        turn: The canonical text of the one legal turn that the text means, "" where there is none, or not one alone.
        certain: Whether the strict reading reads this turn, so that it may be played without asking.
        choices: Up to three legal turns in canonical text that fit the text or come nearest to it, nearest first.
            Empty where the text orders no turn.
        problems: What is wrong, the most useful first; columns are those of the text. Empty where `turn` is not.
        unknown: Sentences beside the turn that cast doubt on it, or that the judge does not know.
    """

    turn: str = ""
    certain: bool = False
    choices: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    unknown: tuple[str, ...] = ()


@frozen
class _Strict:
    """The strict reading of a text in a position: the canonical moves where they are a legal turn, or what is wrong."""

    moves: tuple[Any, ...]
    problems: tuple[Problem, ...]


@cites("notation.free", "notation.free.none")
def understand(game: AnyGame, names: Sequence[str], position: Any, text: str) -> Understanding:
    """Find out which turn somebody means.

    Args:
        game: the game.
        names: the players in turn order.
        position: the position before the turn; as far as the player may know it, where hands are secret.
        text: what was typed.

    Returns:
        The turn if it is certain, a proposal, or choices; and what is wrong. Nothing is played here.
    """
    found = _understand(game, names, position, text)
    if not found.turn or (found.certain and not QUOTED.search(text)):
        return found
    quoted = QUOTED.search(text)
    verdict = _judged(game, names, position, text, found.turn)
    if quoted or verdict.act == "ask":
        rule, message, hint = UNSURE
        message = "This line is quoted" if quoted else f"You also wrote `{verdict.reason}`"
        wrong = _whole(text[quoted.start() :] if quoted else text, rule, message, hint)
        wrong = evolve(wrong, col=wrong.col + quoted.start()) if quoted else wrong
        reasons = tuple(each.text for each in verdict.evidence)
        return Understanding(choices=(found.turn,), problems=(wrong,), unknown=reasons)
    return evolve(found, unknown=tuple(each.text for each in verdict.evidence))


@cites("mail.doubt")
def _judged(game: AnyGame, names: Sequence[str], position: Any, text: str, turn: str) -> Verdict:
    """Judge the sentences of a text without which it says the same turn."""
    lines = []
    for each in sentences(text):
        begin, end = each[0].start, each[-1].end
        rest = f"{text[:begin]}{text[end:]}"
        if rest.strip() and _understand(game, names, position, rest).turn == turn:
            lines.append(Line(text[begin:end]))
        else:
            lines += _parts(game, names, position, (text, begin, end), turn)
    return judge_whole(lines, names, tuple(reader(game, tuple(names)).cards.names))


def _parts(
    game: AnyGame, names: Sequence[str], position: Any, within: tuple[str, int, int], turn: str
) -> Iterator[Line]:
    """Yield the parts of a sentence: before the turn, the turn, and behind it; `within` is the text, and where the sentence is."""
    text, begin, end = within

    def is_said(first: int, last: int) -> bool:
        said = f"{text[:begin]}{text[first:last]}{text[end:]}"
        return bool(text[first:last].strip()) and _understand(game, names, position, said).turn == turn

    breaks = list(PART.finditer(text, begin, end))
    cards = {word.casefold() for name in reader(game, tuple(names)).cards.names for word in WORD.findall(name)}
    heads = (each.end() for each in reversed(breaks[:MOST_PARTS]) if is_said(each.end(), end))
    first = next(heads, begin)
    if not cards.isdisjoint(WORD.findall(text[begin:first].casefold())):
        first = begin
    last = next((each.start() for each in breaks[-MOST_PARTS:] if is_said(first, each.start())), end)
    for part, ordered in ((text[begin:first], ""), (text[first:last], "turn"), (text[last:end], "")):
        if WORD.search(part):
            yield Line(part.strip(" ,;:()-–—"), "turn" if ordered else "")


def _understand(game: AnyGame, names: Sequence[str], position: Any, text: str) -> Understanding:
    """Find the turn in a text, and ignore the rest."""
    players = tuple(names)
    read = reader(game, players).turn(text)
    if read.problems and position.to_act is None:
        return Understanding(problems=(_over(game, position, text),))
    strict = _strictly(game, names, position, read)
    if strict.moves:
        turn = _written(game, names, strict.moves)
        certain = turn == text or free_reader(game, players).is_whole(read, text)
        return Understanding(turn, certain=certain, choices=(turn,))
    meant = NOTHING_MEANT
    if len(text) <= LONGEST_TEXT and not is_taken_back(text):
        bare, seat = without_history(text, names)
        if position.to_act is not None and seat in {None, position.to_act}:
            meant = free_reader(game, players).meant(position, bare)
    choices = tuple(dict.fromkeys(_written(game, names, moves) for moves in meant.turns))[:MOST_CHOICES]
    misnamed = _is_misnamed(strict, text)
    if meant.fits and len(choices) == 1 and not misnamed:
        others = _others(game, names, position, text, choices[0])
        if others is None:
            return Understanding(choices[0], choices=choices)
        return Understanding(choices=(*choices, *others), problems=(_whole(text, *SEVERAL),))
    if not choices and (unsure := _unsure(game, names, position, text, strict)):
        return Understanding(problems=(unsure,))
    return Understanding(choices=choices, problems=strict.problems if misnamed else _useful(names, strict, meant))


@cites("notation.region", "notation.faction")
def _is_misnamed(strict: _Strict, text: str) -> bool:
    """Whether a word in the place of a region, or a letter in that of followers, is like none: no turn has what it says."""
    first = strict.problems[0]
    word = text[first.col - 1 :][: first.length].strip()
    if first.kind is not Kind.NAME or first.fixes or not word.isalpha():
        return False
    if first.rule == "notation.faction":
        return len(word) == 1
    return first.rule == "notation.region" and len(word) > 2 and word.casefold() not in FILLERS


@cites("notation.free.several")
def _others(game: AnyGame, names: Sequence[str], position: Any, text: str, turn: str) -> tuple[str, ...] | None:
    """The other turns that a text names beside one, as far as they are known; None where it names no other."""
    if passes(text):
        other = _understand(game, names, position, PASS).turn
        if other != turn:
            return (other,) if other else ()
    return () if ALTERNATIVE.search(text) else None


def _unsure(game: AnyGame, names: Sequence[str], position: Any, text: str, strict: _Strict) -> Problem | None:
    """The problem with a text that names another player's turn, or none that is ordered."""
    rule, message, hint = UNSURE
    seat = without_history(text, names)[1]
    if seat is not None and seat != position.to_act:
        message = f"This is {names[seat]}'s turn, but {names[position.to_act]} is to play"
        return _whole(text, rule, message, hint)
    first = strict.problems[0]
    is_misread = first.rule == "notation.card" or text[first.col - 1 :][: first.length].casefold() in DOUBTS
    if is_misread and _is_unsure(game, names, text):
        return _whole(text, rule, message, hint)
    return None


@cites("notation.free.intent")
def _is_unsure(game: AnyGame, names: Sequence[str], text: str) -> bool:
    """Whether a text speaks of a turn, and every sentence asks, doubts, denies, or tells of others or of the past."""
    people = {word.casefold() for name in names for word in WORD.findall(name)}
    said = sentences(text) if len(text) <= LONGEST_TEXT else []
    if not said or not all(is_doubtful(each, people) for each in said):
        return False
    cards = {word.casefold() for name in reader(game, tuple(names)).cards.names for word in WORD.findall(name)}
    return any(token.word in cards or token.word.startswith(PASS) for each in said for token in each)


def _whole(text: str, rule: str, message: str, hint: str) -> Problem:
    """A problem with a text as a whole, at its first line."""
    line = text.strip().partition("\n")[0]
    return Problem(Kind.SYNTAX, rule, message, col=text.index(line) + 1, length=len(line), hint=hint)


def _over(game: AnyGame, position: Any, text: str) -> Problem:
    """The problem with whatever is typed when a game is over."""
    (broken,) = game.check(position, None)
    return evolve(_whole(text, broken.rule, broken.sentence, ""), kind=Kind.ILLEGAL)


def _useful(names: Sequence[str], strict: _Strict, meant: Meant) -> tuple[Problem, ...]:
    """What is wrong, the most useful first: what both readings found, else what the strict one did."""
    found = tuple(evolve(problem, message=with_names(problem.message, names)) for problem in meant.problems)
    understood = any(problem.kind is Kind.ILLEGAL for problem in strict.problems)
    understood = understood or (meant.vague and strict.problems[0].rule not in UNREAD)
    if meant.turns and found and not understood:
        return found
    named = {(problem.kind, problem.rule) for problem in found if problem.kind is Kind.NAME}
    rest = [problem for problem in strict.problems if (problem.kind, problem.rule) not in named]
    wrong = sorted(rest, key=lambda problem: FIRST_SORTS.index(problem.kind))
    return tuple(dict.fromkeys((*wrong, *found) if understood else (*found, *wrong)))


@lru_cache(READERS)
def reader(game: AnyGame, names: tuple[str, ...]) -> TurnReader:
    """The strict reader of a game; it remembers what it has read."""
    return notation_plugin(game).reader(game, names)


@lru_cache(READERS)
def free_reader(game: AnyGame, names: tuple[str, ...]) -> FreeReader:
    """The free reader of a game; it remembers what it has read."""
    return notation_plugin(game).free_reader(game, names)


def _strictly(game: AnyGame, names: Sequence[str], position: Any, read: ReadTurn) -> _Strict:
    """What a turn that was read strictly comes to in a position."""
    if read.problems:
        return _Strict((), read.problems)
    moves: list[Any] = []
    for index, decision in enumerate(read.decisions):
        move = game.canonical(position, decision.move)
        violations = game.check(position, move)
        if violations:
            return _Strict((), problems_of(game, read, index, violations, canonical=move, names=names))
        if index and not game.turn_continues(position):
            return _Strict((), (_too_many(read, index),))
        position, _ = game.apply(position, move)
        moves.append(move)
    if game.turn_continues(position):
        missing = problems_of(game, read, -1, _missing(game, position), canonical=moves[-1], names=names)
        return _Strict((), tuple(evolve(problem, kind=Kind.SYNTAX) for problem in missing))
    return _Strict(tuple(moves), ())


def _too_many(read: ReadTurn, index: int) -> Problem:
    """The problem with a decision that no turn is open for."""
    message = "The turn ends before this. Only one turn is played at a time"
    return Problem(Kind.SYNTAX, "notation.turn", message, col=read.columns[index] + 1)


def _missing(game: AnyGame, position: Any) -> tuple[Violation, ...]:
    """What is wrong with a turn that stops before its last decision."""
    some = tuple(game.legal(position)[:MOST_CHOICES])
    return (Violation("notation.turn", "The turn is not complete. It needs another decision", alternatives=some),)


def _written(game: AnyGame, names: Sequence[str], moves: tuple[Any, ...]) -> str:
    return with_names(game.words.turn(moves), names)
