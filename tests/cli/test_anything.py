"""Anything at all: whatever bytes, edits, turns and names there are, a record comes of it or a problem."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cli import RECORD
from tests.games.struggle.shared.family import board, struggle
from tests.shared.examples import examples
from tkid.games.struggle.mail import build_whole_turn
from tkid.games.struggle.rules.moves import Play
from tkid.record.format.model import is_comment, split_lines
from tkid.record.format.new_game import NewGameError, new_record
from tkid.record.format.reader import read_record
from tkid.record.format.turn_rows import NOTE
from tkid.record.play.replay import append, replay
from tkid.record.play.validation import judge_record
from tkid.record.play.writer import write_record

BYTES = RECORD.encode()


def judged(data: bytes) -> bool:
    """Whether some bytes are a record without problems; canonical form is then reached at once, with all comments."""
    found = read_record(data)
    problems = judge_record(found)[0]
    assert found.record is not None or problems
    assert all(problem.line >= 1 and problem.col >= 1 and problem.length >= 1 for problem in problems)
    if problems or found.record is None:
        return False
    text = write_record(found.record)
    again = read_record(text.encode())
    assert again.record is not None
    assert judge_record(again)[0] == []
    assert write_record(again.record) == text
    assert comments(text) == comments(data.decode("utf-8-sig"))
    return True


def comments(text: str) -> list[str]:
    """The lines that are comments, with those above the record, which become some, and what stands in braces."""
    lines = split_lines(text)
    begin = next(number for number, line in enumerate(lines) if line.strip().lower().startswith("tkid-record"))
    lines[:begin] = [line if is_comment(line) or not line.strip() else f"# {line.strip()}" for line in lines[:begin]]
    notes = [" ".join(note.split()) for line in lines if not is_comment(line) for note in NOTE.findall(line)]
    return [*sorted(line.rstrip() for line in lines if is_comment(line)), *notes]


@pytest.mark.slow
def test_a_record_cut_anywhere_is_a_shorter_record_or_a_problem() -> None:
    whole = read_record(BYTES).record
    assert whole is not None
    moves = [turn.moves for turn in whole.turns]
    good = 0
    for end in range(len(BYTES)):
        data = BYTES[:end]
        if judged(data):
            record = read_record(data).record
            assert record is not None
            assert [turn.moves for turn in record.turns] == moves[: len(record.turns)]
            good += 1
    assert good > 10


@given(st.binary(max_size=200))
@examples(150)
def test_any_bytes(data: bytes) -> None:
    for text in (data, b"Tkid-Record: 1\n" + data, BYTES[: RECORD.index("Turns\n") + 5] + data, BYTES + data):
        judged(text)


PIECES = (
    *"\n\t {}#;:,.-=<>*0123456789SWE²ß\x00\x85\u2028",
    "\r\n",
    "\n# a remark\n",
    "{a remark}",
    "Turns\n",
    "Setup\n",
    "--",
    "9" * 5000,
    "Ann",
    "nothing",
)


@st.composite
def edits(draw: st.DrawFn) -> bytes:
    """The record with a few pieces put in, taken out or doubled anywhere."""
    text = RECORD
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 30)))
        piece = draw(st.sampled_from(PIECES) | st.text(max_size=3) | st.just(text[start:end] * 2))
        text = text[:start] + piece + text[end:]
    return text.encode("utf-8", "surrogatepass")


@pytest.mark.slow
@given(edits())
@example(f"Turns\n{RECORD}".encode())
@example(f"Hello {{you}}\n\n# not me\n{RECORD}".encode())
@examples(250)
def test_any_edit(data: bytes) -> None:
    judged(data)


@pytest.mark.slow
@given(st.text(max_size=60) | st.sampled_from(RECORD.splitlines()))
@examples(150)
def test_any_turn(turn: str) -> None:
    record = read_record(BYTES).record
    assert record is not None
    tried = append(replay(record), turn)
    assert tried.problems or write_record(tried.record, tried).startswith(RECORD)


WORDS = (
    "Ann",
    "pass",
    "A",
    "s",
    "SE",
    "Court",
    "Scottish",
    "1",
    "2.",
    "²",
    "ß",
    "SS",
    "É",
    "-",
    "--",
    ".",
    "'",
    '"',
    "’",
)
names = st.lists(st.sampled_from(WORDS) | st.text(min_size=1, max_size=4), min_size=1, max_size=3).map(" ".join)


@pytest.mark.slow
@given(st.lists(names, min_size=2, max_size=4), st.binary(min_size=32, max_size=32))
@examples(300)
def test_any_names(players: list[str], entropy: bytes) -> None:
    """A game with whatever names are taken is written and read back."""
    try:
        record = new_record("second-edition", players, entropy)
    except NewGameError:
        with pytest.raises(NewGameError, match=r"\w"):
            new_record("second-edition", players, entropy)
        return
    played = replay(record)
    for turn in ["Pass"] * len(players):
        played = append(played, turn)
    game, position = struggle(record.game), board(played.position)
    options = game.cards["Assemble"].ladder.list_options(position)
    played = append(played, build_whole_turn(played, Play("Assemble", options[0])))
    assert played.problems == []
    text = write_record(played.record, played)
    assert judged(text.encode())
    again = read_record(text.encode()).record
    assert again is not None
    assert (again.names, [turn.seat for turn in again.turns]) == (record.names, [t.seat for t in played.record.turns])
