"""Forms: what a line may be, how far a wrong one fits, which slips are found, and how much work a hostile line makes."""

from __future__ import annotations

import re

import pytest
from attrs import frozen

from tests.shared.tables import each_row
from tkid.club import desk_orders, order_reader, order_values
from tkid.notation.plugin import WrongError
from tkid.orders import order_kinds
from tkid.orders.forms import (
    MAX_STEPS,
    FormReader,
    Match,
    OrderRow,
    Part,
    SlotType,
    list_line_end,
    parse_form,
    write_order,
)


@frozen
class Tea:
    """An order of tea."""

    leaf: str
    cups: int = 1
    milk: tuple[str, ...] = ()


def read_cups(part: Part) -> int:
    """A number of cups."""
    if not part.text.isdecimal():
        raise part.make_error(f"`{part.text}` is not a number")
    return int(part.text)


TYPES = {
    "word": SlotType(re.compile(r"[a-z]+"), missing="The leaf is missing"),
    "number": SlotType(read=read_cups, missing="The number is missing"),
    "text": SlotType(ends=list_line_end, missing="The text is missing"),
}
TEA = OrderRow(
    "tea",
    {"tea": "any tea", "tea [of] <leaf:word> {, (for|cups) <cups:number>|, with <milk*:word>}": Tea},
    "`tea of mint`",
)
SPEAK = OrderRow("speak", {"speak (to|) <leaf:word> : <milk*:text>": Tea}, "`speak to Bob: TEXT`")
READER = FormReader([TEA, SPEAK], TYPES, "post.order.form", "please")


@each_row(
    "line, order",
    [
        ("tea", "any tea"),
        ("Tea please!", "any tea"),
        ("tea of mint", Tea("mint")),
        ("TEA mint, for 3", Tea("mint", 3)),
        ("tea mint, with oat, cups 2, with soy", Tea("mint", 2, ("oat", "soy"))),
        ("tea of", Tea("of")),
        ("speak bob: hi: there", Tea("bob", 1, ("hi: there",))),
    ],
)
def test_lines_fit(line: str, order: object) -> None:
    read = READER.read_line(line)
    assert read is not None
    assert (read.order, read.problems) == (order, ())


@each_row(
    "line, place, message, hint",
    [
        ("tea of mint now", "now", "`now` does not belong here", "Write `tea of mint`."),
        ("tea mint, for", "", "The number is missing", "Write `tea of mint`."),
        ("tea mint, for many", "many", "`many` is not a number", "Write `tea of mint`."),
        ("tea mint, with 3", "3", "`3` does not belong here", "Write `tea of mint`."),
        ("tea mint, oat", "oat", "`oat` does not belong here", "Write `tea of mint`."),
        ("speak bob", "", "A colon is missing here", "Write `speak to Bob: TEXT`."),
        ("speak to bob hi there", "hi", "A colon is missing before `hi`", "Did you mean `speak to bob: hi there`?"),
        ("speak to bob:", "", "The text is missing", "Write `speak to Bob: TEXT`."),
    ],
)
def test_a_wrong_line_is_answered_with_place_reason_and_form(line: str, place: str, message: str, hint: str) -> None:
    read = READER.read_line(line)
    assert read is not None
    (problem,) = read.problems
    assert line[problem.col - 1 :][: len(place)] == place
    assert problem.col - 1 == (line.rindex(place) if place else len(line))
    assert (problem.message, problem.hint) == (message, hint)


@each_row(
    "line, mended",
    [
        ("tae of mint", "tea of mint"),
        ("tea mint, wiht oat", "tea mint, with oat"),
        ("tea mint, cusp 3", "tea mint, cups 3"),
        ("tee party at four o'clock", ""),
        ("coffee", ""),
    ],
)
def test_a_slip_is_proposed_if_the_whole_line_fits_without_it(line: str, mended: str) -> None:
    slip = READER.find_slip(line)
    assert [each.fixes[0].text for each in slip.problems] == [mended] if slip else not mended


def test_orders_are_written_as_they_are_read() -> None:
    assert write_order(TEA, "any tea") == "tea"
    assert write_order(SPEAK, Tea("bob"), milk="hi :-) , ?") == "speak to bob: hi :-) , ?"


def test_errors_of_several_values_are_reported_together() -> None:
    row = OrderRow("two", {"two <first:number> <second:number>": Tea}, "`two 1 2`")
    read = FormReader([row], TYPES, "post.order.form").read_line("two a b")
    assert read is not None
    assert [problem.col for problem in read.problems] == [5, 7]


def test_the_maker_of_an_order_may_refuse_its_values() -> None:
    def refuse(cups: int) -> Tea:
        raise WrongError(Part("x", cups).make_problem("No"))

    read = FormReader([OrderRow("three", {"three <cups:number>": refuse}, "`three 3`")], TYPES, "x").read_line(
        "three 3"
    )
    assert read is not None
    assert [problem.col for problem in read.problems] == [4]


ROWS: list[OrderRow] = [*order_kinds.KINDS, *order_values.KINDS, *desk_orders.TABLE]


@each_row("row", ROWS, ids=lambda row: row.name)
def test_each_row_can_be_told_from_others_by_its_first_words(row: OrderRow) -> None:
    assert row.first_words or not row.forms
    assert bool(row.help or row.name in {"why", "standing"})
    for form in row.forms:
        assert parse_form(form)
        assert all(form.count(opened) == form.count(closed) for opened, closed in ("[]", "()", "{}", "<>"))


HOSTILE = [
    "new game with " + "a, " * 120,
    "new game with a" + ", with a" * 45,
    "new game for 3" + " as a" * 77,
    "new game for 3" + ", clock 3, as a, called b" * 15,
    "take seat " + "of " * 120,
    "observe " + "the game " * 40,
    "join " + "as " * 120,
]


@pytest.mark.parametrize("line", HOSTILE)
def test_no_line_makes_much_work(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are counted, not seconds."""
    matches: list[Match] = []
    fit = Match.fit

    def noted(self: Match, *arguments: object) -> object:
        matches.append(self)
        return fit(self, *arguments)  # type: ignore[arg-type] # passed through

    monkeypatch.setattr(Match, "fit", noted)
    order_reader.read_club_line(line[: order_reader.LONGEST])
    assert matches
    assert max(match.steps for match in matches) <= 2 * MAX_STEPS
    assert sum(match.steps for match in matches) <= 10 * MAX_STEPS


def test_a_line_that_is_too_complicated_says_so() -> None:
    row = OrderRow("maze", {"maze {<leaf:word>|<milk:word>|<cups:word>}": Tea}, "`maze`")
    read = FormReader([row], TYPES, "post.order.form").read_line("maze " + "a " * 30 + "!?")
    assert read is not None
    assert [problem.message for problem in read.problems] == ["This line is too complicated"]
