"""Reading turns: what people type, and what they are told when it is not understood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared.examples import examples
from tests.shared.strategies import GAME, READER, positions
from tests.shared.tables import each_row
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.moves import Play, Swap
from tkid.kernel.ladder import NOTHING
from tkid.kernel.problems import Kind


@each_row(
    ("typed", "canonical"),
    [
        ("pass", "Pass"),
        ("P.", "Pass"),
        ("scottish support ss lancaster", "Scottish Support SS Lancaster"),
        ("Scot S Lan", "Scottish Support S Lancaster"),
        ("scot sup ss into LAN", "Scottish Support SS Lancaster"),
        ("w w s", "Welsh Support W Strathclyde"),
        ("Assemble\u00a0S Moray,  W\tDevon and E Essex", "Assemble S Moray, W Devon, E Essex"),
        ("ass e ess, s mor", "Assemble S Moray, E Essex"),
        ("Negotiate Moray ↔ Devon, disc Devon", "Negotiate Moray <> Devon, disc Devon"),
        ("neg mor for dev, no disc", "Negotiate Moray <> Devon, no disc"),
        ("neg mor <-> dev", "Negotiate Moray <> Devon, no disc"),
        ("Manoeuvre S Moray ⇄ E Devon", "Manoeuvre S Moray <> E Devon"),
        ("man s from mor <=> e in dev", "Manoeuvre S Moray <> E Devon"),
        ("out s ess <> ww war; summon w gwy", "Outmanoeuvre S Essex <> WW Warwick; summon W Gwynedd"),
        ("Pass\r\n", "Pass"),
        ("out s ess <> ww war； summon w gwy", "Outmanoeuvre S Essex <> WW Warwick; summon W Gwynedd"),
        ("Man nothing; NO SUMMON", "Manoeuvre nothing; no summon"),
        ("Negotiate Moray – Devon", None),
    ],
)
def test_forms_that_are_understood(typed: str, canonical: str | None) -> None:
    read = READER.read_turn(typed)
    assert (GAME.words.write_turn(read.moves) if read.moves else None) == canonical


@each_row(
    ("typed", "kind", "col", "says", "hint"),
    [
        ("Scottish Support SS Lancster", Kind.NAME, 21, "`Lancster` is not a region", "Did you mean Lancaster?"),
        ("Manoevre S Moray <> E Devon", Kind.NAME, 1, "`Manoevre` is not a card", "Did you mean Manoeuvre?"),
        ("Maneuver S Moray <> E Devon", Kind.NAME, 1, "`Maneuver` is not a card", "Did you mean Manoeuvre?"),
        ("Spy Ann: Pass", Kind.NAME, 1, "Spy is not a card of this game", "The cards are"),
        ("Welsh Support WX Devon", Kind.NAME, 15, "X is not a faction's letter", "W Welsh"),
        ("Manoeuvre S Moray E Devon", Kind.SYNTAX, 26, "`<>` and the other side are missing", "The form is"),
        ("Manoeuvre S Moray <> E", Kind.SYNTAX, 23, "The region is missing", "The form is"),
        ("Negotiate Moray <> Devon, Devon", Kind.SYNTAX, 27, "After the comma, write `disc`", "The form is"),
        ("Assemble S Moray, S Devon", Kind.SYNTAX, 19, "Scottish appears twice", ""),
        ("Assemble SW Moray", Kind.SYNTAX, 10, "Write one follower here", ""),
        ("Pass please", Kind.SYNTAX, 6, "`Pass` has to be alone", ""),
        ("Pass; ", Kind.SYNTAX, 6, "Nothing follows the semicolon", ""),
        ("", Kind.SYNTAX, 1, "This part is empty", ""),
        ("English Support E Devon E Warwick", Kind.SYNTAX, 25, "`E Warwick` does not belong here without a comma", ""),
        ("Pass; summon E North W Essex", Kind.SYNTAX, 22, "`W Essex` does not belong here", ""),
        ("Manoeuvre S [Moray] <> E Devon", Kind.SYNTAX, 13, "`[` does not belong here", "The form is"),
        ("Manoeuvre S Moray ↔ E Dvon", Kind.NAME, 23, "`Dvon` is not a region", "Did you mean Devon?"),
    ],
)
def test_what_is_said_when_it_is_not_understood(typed: str, kind: Kind, col: int, says: str, hint: str) -> None:
    problem, *more = READER.read_turn(typed).problems
    assert not more
    assert (problem.kind, problem.col) == (kind, col)
    assert says in problem.message
    assert hint in problem.hint


def test_every_root_cause_is_listed() -> None:
    problems = READER.read_turn("Man S Lancster <> X Devno; summon W Gwyned").problems
    assert [(p.col, p.rule) for p in problems] == [
        (7, "notation.region"),
        (19, "notation.faction"),
        (21, "notation.region"),
    ]
    problems = READER.read_turn("Man S Lancster <> E Devon; summon W Gwynnedd").problems
    assert [p.rule for p in problems] == ["notation.region", "notation.region"]


@pytest.mark.slow
@given(positions())
@examples(100)
def test_what_is_written_is_read_back(position: Position) -> None:
    options = GAME.legal(position)
    for index in range(0, len(options), max(1, len(options) // 40)):
        text = GAME.words.write_move(options[index])
        read = READER.read_turn(text)
        assert read.moves == (options[index],), text
        assert READER.read_turn(text.upper()).moves == read.moves
        assert READER.read_turn(text.replace(" ", "  ").replace("<>", "↔")).moves == read.moves


WORDS = "S W E SS Moray Mor disc no <> > , ; summon nothing Manoeuvre Assemble Neg pass"
WORDS_APART = WORDS.split()


@given(st.text(max_size=60))
@examples(400)
def test_any_text_gives_moves_or_problems_within_it(text: str) -> None:
    read = READER.read_turn(text)
    assert bool(read.moves) != bool(read.problems)
    for problem in read.problems:
        assert 1 <= problem.col <= len(text) + 1
        assert problem.length >= 1


@pytest.mark.slow
@given(st.lists(st.sampled_from(WORDS_APART)))
@examples(400)
def test_any_row_of_words_gives_moves_or_problems(words: list[str]) -> None:
    read = READER.read_turn(" ".join(words))
    assert bool(read.moves) != bool(read.problems)


def test_either_order_of_a_symmetric_swap_is_one_move() -> None:
    position = next(iter(_positions()))
    move = READER.read_turn("Manoeuvre E Devon <> S Moray").moves[0]
    canonical = GAME.canonical(position, move)
    assert isinstance(canonical, Play)
    assert canonical.resolution == Swap(0, 7, (1, 0, 0), (0, 0, 1))
    assert GAME.words.write_move(canonical) == "Manoeuvre S Moray <> E Devon"
    move = READER.read_turn("Outmanoeuvre WW Warwick <> S Essex").moves[0]
    assert GAME.words.write_move(GAME.canonical(position, move)) == "Outmanoeuvre S Essex <> WW Warwick"
    track = [GAME.board.name_region(region) for region in position.track]
    move = READER.read_turn(f"Negotiate {track[5]} <> {track[1]}, disc {track[5]}").moves[0]
    written = GAME.words.write_move(GAME.canonical(position, move))
    assert written == f"Negotiate {track[1]} <> {track[5]}, disc {track[5]}"
    assert GAME.canonical(position, Play("Assemble", NOTHING)) == Play("Assemble", NOTHING)


def _positions() -> list[Position]:
    from tests.shared.strategies import start  # noqa: PLC0415 - one test only

    return [start(2, b"turns")]
