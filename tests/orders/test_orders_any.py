"""Orders: any line is read, what is written is read as the same, no line takes long; the teaching keeps its promises."""

from __future__ import annotations

import re
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.mail.mails import UNTIMED
from tests.orders.test_orders import ADVANCED, ANN, GAME, NAMES, ODD, TURN
from tests.shared.tables import each_row
from tkid.games.struggle.notation import orders as c
from tkid.games.struggle.notation.orders import make_struggle_orders
from tkid.games.struggle.rules.board import UNSTABLE
from tkid.mail.order_finder import OrderReader
from tkid.notation.line_parser import LineError, read_grammar
from tkid.notation.names import ANY_WORDS, ANYONE, EVERY_WORDS, EVERYONE, SELF, find_people
from tkid.orders import order_values as o
from tkid.orders.order_kinds import list_forms
from tkid.orders.order_reader import ReadOrder, build_order_parser
from tkid.rulebook import rule

SPIES = OrderReader(ADVANCED, NAMES, 0)

WORDS = st.sampled_from([
    "pass", "until", "struggle", "someone", "acts", "Essex", "is", "contested", "always", "if", "Bob", "Cal",
    "passes", ":", ";", "else", "then", "stop", "(", ")", "plays", "Negotiate", "and", "or", "goes", "to", "the",
    "English", "unstable", "a", "happens", "say", "all", "away", "2026-12-20", "10/11/2026", "cancel", "3", "undo?",
    "yes", "notify", "every", "turn", "draft", "Manoeuvre", "S", "Moray", "<>", "E", "Devon", "summon", "W",
    "Gwynedd", "status", "rules", "why", "help", ".", ",", "'", '"', "*", "é", "\ue000", "↔", "Spy", "Ann",
])  # fmt: skip
LINES = st.text(max_size=300) | st.lists(WORDS, max_size=40).map(" ".join) | st.lists(WORDS, max_size=60).map("".join)


def judged(read: ReadOrder, line: str, reader: OrderReader) -> None:
    """A line is an order, which is written and read as the same, or it has problems that stand within it."""
    if read.order is None:
        assert read.problems
        for problem in read.problems:
            assert rule(problem.rule)
            assert 1 <= problem.col <= len(line) + 1
            assert 1 <= problem.length <= len(line) + 2 - problem.col
        return
    assert not read.problems
    canonical = reader.write_order(read.order)
    again = reader.read_stored(canonical)
    assert again.order == read.order
    assert reader.write_order(again.order) == canonical


@UNTIMED
@given(LINES)
@example("if \ue000 passes: stop")
@example("cancel " + "9" * 280)
@example("away 0000-00-00 to 9999-99-99")
@example("say to ²: hi")
def test_any_line_is_read(line: str) -> None:
    judged(ODD.read_line(line), line, ODD)
    judged(SPIES.read_line(line), line, SPIES)


who = st.integers(1, 3) | st.sampled_from([ANYONE, EVERYONE])
turns = st.sampled_from(
    ["Pass", TURN, "Spy Bob: March SW Essex > Warwick; summon W Gwynedd", "Spy 3: March nothing; no summon", "Plot S"]
)


def turn(text: str) -> o.Turn:
    read = SPIES.read_line(text).order
    assert isinstance(read, o.Turn)
    return read


conditions = st.one_of(
    st.builds(c.Passes, who),
    st.builds(c.Plays, who, st.sampled_from(["", *ADVANCED.cards])),
    st.builds(c.Contested, st.integers(0, 7)),
    st.just(c.Struggle()),
    st.builds(c.Outcome, st.integers(0, 7), st.sampled_from([UNSTABLE, 0, 1, 2])),
)
leaves = st.tuples(turns.map(turn)) | st.just((o.Stop(),))


def longer(steps: st.SearchStrategy[o.Steps]) -> st.SearchStrategy[o.Steps]:
    ifs = st.builds(o.If, st.tuples(conditions, conditions), steps, st.none() | steps, st.booleans()) | st.builds(
        o.If, st.tuples(conditions), steps, st.none() | steps
    )
    sequence = st.tuples(turns.map(turn) | ifs, ifs | turns.map(turn))
    return ifs.map(lambda step: (step,)) | sequence


plans = st.recursive(leaves, longer, max_leaves=5).map(o.Planned)


@UNTIMED
@given(plans)
def test_a_plan_is_read_as_it_was_written(plan: o.Planned) -> None:
    canonical = SPIES.write_order(plan)
    assert SPIES.read_stored(canonical).order == plan, canonical


names = st.lists(
    st.text(st.characters(exclude_characters="<>:;{}#", exclude_categories=["C", "Z"]), min_size=1, max_size=12)
    | st.sampled_from(
        ["Bob (GM)", "Then", "if", "Ann Lee", "Ann", "a struggle", "O’Neil", "Smith, John", "All", "stop!", "O'Neil"]
    ),
    min_size=3,
    max_size=3,
    unique_by=str.casefold,
).filter(lambda players: not any(name.isdecimal() for name in players))


@UNTIMED
@given(names)
@example(["Ann", "Ann passes", "passes"])
@example(["x", "(", ")"])
@example(["=", "?", ",\U0002f800"])
@example(["=", "MYSELF", "Bob (GM)"])
def test_every_player_can_be_named_in_what_is_written(players: list[str]) -> None:
    check_every_player_named(players)


def check_every_player_named(players: list[str]) -> None:
    reader = OrderReader(GAME, players)
    for seat in range(3):
        plan = o.Planned((o.If((c.Passes(seat), c.Plays(seat, "Negotiate")), (o.Stop(),)),))
        assert reader.read_line(reader.write_order(plan)).order == plan, players
        assert reader.read_line(reader.write_order(c.Standing("acts", who=seat))).order == c.Standing("acts", who=seat)
        assert reader.read_line(reader.write_order(o.Say(seat, "hi"))).order == o.Say(seat, "hi")


def test_a_player_named_by_any_word_of_a_plan_can_be_named() -> None:
    """What means something in an order is found in the grammars and among the words for people."""
    grammars = map(read_grammar, ("orders", "plain_plans", "struggle_plans"))
    words = {word for text in grammars for word in re.findall(r"[a-z]{2,}", text)} | ANY_WORDS | EVERY_WORDS | SELF
    assert len(words) > 150
    for word in sorted(words):
        check_every_player_named([word.title(), f"{word} Lee", "Bob"])


HOSTILE = [
    "if " + "a " * 148,
    "if Dee passes: " + ";" * 280,
    "if Dee passes: " + "Pass; then " * 25,
    "if " + "a struggle " * 27,
    "if Dee passes: " + " " * 280 + "x",
    "(" * 300,
    "()" * 150,
    "if Dee passes: " + "Pass else " * 27,
    "Assemble " + "S Moray, " * 30,
    "away " + "1 " * 145,
    "rules " + "a.b " * 70,
    "pass until " + "struggle " * 32,
    "statsu " + "z" * 290,
]


@each_row("line", HOSTILE)
def test_no_line_takes_long(line: str) -> None:
    """50 ms of the processor for 300 characters, in the best of some tries; most take one."""
    ANN.read_line(line[:299])
    best = 1.0
    for ending in "abcd":
        begun = process_time()
        ANN.read_line(line[:299] + ending)
        best = min(best, process_time() - begun)
    assert best < 0.05


# -- what the grammar and its teaching promise ------------------------------------------------------------


ORDERS = make_struggle_orders(GAME)
TAUGHT = {kind: wrong for kind, wrong in build_order_parser(ORDERS).wrong.items() if wrong}


@pytest.mark.parametrize("form", TAUGHT)
def test_wrong_examples_are_wrong_and_told_apart(form: str) -> None:
    for label, lines in TAUGHT[form].items():
        for line in lines:
            with pytest.raises(LineError) as wrong:
                build_order_parser(ORDERS).parse(form, line)
            assert wrong.value.label == label, line


@each_row("kind", list_forms(ORDERS))
def test_forms_that_are_taught_are_right(kind: str) -> None:
    for line in re.findall(r"`([^`]+)`", list_forms(ORDERS)[kind]):
        read = ANN.read_line(line.replace("NAME", "Bob"))
        assert read.order is not None or line == "draft", line
        assert read.kind == kind


def test_names_are_told_by_number_where_they_hold_words_of_the_language() -> None:
    players = find_people(("Ann", "Then Stop"))
    assert [players.write_player(seat) for seat in (0, 1)] == ["Ann", "2"]
    assert players.mask_names("if Ann and Then Stop") == "if \ue000\ue000\ue000 and Then Stop"
