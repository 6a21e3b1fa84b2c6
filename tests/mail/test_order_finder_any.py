"""Finding orders in any text: nothing is raised or lost, what is written is found again, no mail takes long."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.mail.mails import MARKER, UNTIMED
from tests.mail.test_order_finder_kinds import SENTENCES, in_columns
from tests.orders.test_orders import SPIES
from tests.orders.test_orders_any import LINES, plans
from tests.shared.tables import each_row
from tkid.games.struggle.notation import orders as c
from tkid.mail.marker import is_our_line
from tkid.mail.model import Intake, Line, Orders
from tkid.mail.order_finder import LEAST_READ, MOST_LINES, MOST_READ, OrderReader, find_orders, sort_lines
from tkid.mail.quotation import strip_line
from tkid.notation.names import ANYONE
from tkid.orders import order_values as o
from tkid.orders.order_reader import LONGEST_ORDER, ReadOrder
from tkid.rulebook.rulesets import ruleset

GAME = ruleset("second-edition-advanced").game()
LARGE = 64_000
"""Characters of a mail that is made to take long."""


def orders_in(lines: list[str], reader: Any = SPIES) -> Orders:
    """What lines ask for; those that begin with `>` are quoted."""
    mail = Intake("x", tuple(Line(line, line.startswith(">")) for line in lines), "", (), "")
    return find_orders(mail, reader)


# -- any text ---------------------------------------------------------------------------------------------

bodies = st.text(max_size=300).map(lambda text: text.split("\n")) | st.lists(
    LINES | st.sampled_from(SENTENCES), max_size=12
)


@UNTIMED
@given(bodies)
@example(["resign"] * 3)
@example(["resign", "Resign", "resign, or not", "say to all:", "resign"])
@example(["say to all:", "> x", "-- "])
def test_every_line_is_looked_at_and_nothing_raised(lines: list[str]) -> None:
    found = orders_in(lines)
    assert all(line.strip() for line in (*found.typed, *found.remark))
    assert not any(map(is_our_line, found.typed))
    assert len(found.typed) == len(set(found.typed))
    for line in sort_lines(found.lines):
        assert (line.read.order is None) == bool(line.read.problems)


@UNTIMED
@given(st.lists(st.sampled_from([*SENTENCES, "Pass", "status", "if Bob acts: stop", ""]), max_size=20))
def test_nothing_is_lost(lines: list[str]) -> None:
    """Each line of one's own is in an order or in the remark."""
    found = orders_in([*lines, "", "The end."])
    kept = " ".join((*found.typed, *found.remark))
    assert all(line.strip() in kept for line in lines)


# -- what is written is found -----------------------------------------------------------------------------

days = st.dates(date(2026, 1, 1), date(2030, 1, 1))
words = st.text(st.characters(categories=["L", "N", "P"], max_codepoint=0x2FF, exclude_characters="*_`"), min_size=1)
small = st.one_of(
    st.builds(c.Standing, st.sampled_from(["struggle", "always"])),
    st.builds(c.Standing, st.just("acts"), who=st.sampled_from([1, 2, ANYONE])),
    st.builds(c.Standing, st.just("contested"), region=st.integers(0, 7)),
    st.builds(o.Cancel, st.sampled_from(["all", "standing", "conditional", "away"]) | st.integers(1, 99)),
    st.builds(o.Ask, st.sampled_from(["status", "why", "history", "help", "legal", "rules"])),
    st.builds(o.Say, st.just("all") | st.sampled_from([1, 3]), words),
    st.lists(days, min_size=2, max_size=2).map(sorted).map(lambda pair: o.Away(*pair)),
    st.builds(o.Undo, st.sampled_from(["ask", "agree", "refuse"])),
    st.builds(o.Notify, st.sampled_from(["every turn", "my turns", "struggles"])),
    st.just(o.Resign()),
)
short_plans = plans.filter(
    lambda plan: (
        len(SPIES.write_order(plan)) <= LONGEST_ORDER and SPIES.read_line(SPIES.write_order(plan)).order == plan
    )
)
paragraphs = st.lists(small | short_plans, min_size=1, max_size=4, unique_by=SPIES.write_order)


@UNTIMED
@given(paragraphs, st.lists(st.sampled_from(SENTENCES), min_size=5, max_size=5), st.sampled_from([66, 72, 76, 78, 400]))
@example([o.Say("all", "'"), o.Say("all", "»"), o.Say(1, '"'), o.Resign()], SENTENCES[:5], 76)
def test_orders_of_all_kinds_are_found_in_any_mail(orders: list[o.Order], prose: list[str], width: int) -> None:
    written = [SPIES.write_order(order) for order in orders]
    body: list[str] = []
    for text, sentence in zip(written, prose, strict=False):
        body += [*in_columns(sentence, width).split("\n"), "", *in_columns(text, width).split("\n"), ""]
    found = orders_in([*body, prose[4], "-- ", "Pass", f"> {MARKER}", "> resign", MARKER, "resign"])
    assert list(found.typed) == list(dict.fromkeys(map(as_found, written)))
    assert [line.read.order for line in found.lines] == [SPIES.read_line(typed).order for typed in found.typed]


@each_row(
    "plan",
    [
        "if a struggle happens: if anyone passes: Spy Bob: March SW Essex > Warwick; summon W Gwynedd; else Pass",
        (
            "if Strathclyde is contested and a struggle happens: (if Lancaster is contested and Northumbria is contested: Spy Bob: March SW Essex > "
            "Warwick; summon W Gwynedd; else stop); else if Cal acts or Cal passes: stop"
        ),
        (
            "if anyone plays Outmanoeuvre: Spy Bob: March SW Essex > Warwick; summon W Gwynedd; then Manoeuvre S Moray <> E Devon; summon W "
            "Gwynedd; else if everyone passes or Dee passes: Spy Bob: March SW Essex > Warwick; summon W Gwynedd"
        ),
        (
            "if a struggle happens: stop; else Spy Bob: March SW Essex > Warwick; summon W Gwynedd; then if Cal plays Plot or Gwynedd goes to the "
            "Welsh: Pass"
        ),
        (
            "if Devon is contested or Dee passes: Spy Bob: March SW Essex > Warwick; summon W Gwynedd; then (if Dee passes and Devon is contested: "
            "stop; else (if Lancaster goes to the Welsh and Moray goes to the English: stop); then Pass); else stop"
        ),
        (
            "(if Strathclyde goes to the Welsh or Strathclyde goes to the Scots: stop; else Spy Bob: March SW Essex > Warwick; summon W Gwynedd); "
            "then if everyone plays Manoeuvre: Spy Bob: March SW Essex > Warwick; summon W Gwynedd"
        ),
    ],
)
def test_a_plan_is_whole_wherever_it_is_broken(plan: str) -> None:
    """Also within a movement or a summons, before a turn that could stand alone, and where the first line says little."""
    read = SPIES.read_line(plan)
    assert read.order is not None
    text = SPIES.write_order(read.order)
    for width in range(60, 81):
        found = orders_in(["Hello!", "", *in_columns(text, width).split("\n"), "", "The end.", "-- ", "Pass"])
        assert found.typed == (text,), width


def as_found(text: str) -> str:
    """An order as it is found. Nothing is said with a quotation mark alone, so the line is shown without it."""
    read = SPIES.read_line(text)
    assert read.order is not None or (read.kind == "say" and read.problems[0].rule == "post.order.form")
    return text if read.order is not None else strip_line(text)


@UNTIMED
@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=30), st.sampled_from([60, 66, 72, 76, 78, 400]))
@example(["No summons today, thank goodness for that.", "A Devon man would pass"], 60)
@example(
    [
        "Legal advice would be welcome here",
        "Resigning would be the honest thing to do.",
        "If you ask me: that was a mistake.",
    ],
    66,
)
@example(["Si tu passes, je gagne !", "Moves like that should be forbidden.", "À qui le tour ?"], 76)
def test_sentences_give_no_order_however_they_are_broken(prose: list[str], width: int) -> None:
    one_each = [part for sentence in prose for part in in_columns(sentence, width).split("\n")]
    paragraph = in_columns(" ".join(prose), width).split("\n")
    assert orders_in(one_each).typed == ()
    assert all(SPIES.read_line(typed).order is None for typed in orders_in(paragraph).typed)


# -- time -------------------------------------------------------------------------------------------------

UNITS = (
    *(
        "if if if",
        "((((",
        "pass until",
        "if Bob passes:",
        "if Bob passes: Pass;",
        "else stop",
        "then Pass",
        "a:",
        "As I",
    ),
    *("say to all:", "say to all: x", "Manoeuvre S Mory <> E Devon", "Assemble S Moray,", "Pass;", "summon", "resign"),
    *("From: <a@b>", "---- x ----", "statsu", "rules a.b", "cancel #", "away 1", "x" * 70, "Ｐａｓｓ", ">", "&lt;"),
)


def hostile(unit: str) -> Iterator[list[str]]:
    """Bodies made of a text: each line the same, each another, in long lines, in full ones, all in one."""
    count = LARGE // (len(unit) + 6)
    yield [unit] * count
    yield [f"{unit} {n}" for n in range(count)]
    for width in (70, 290):
        line = f"{unit} " * (width // (len(unit) + 1) + 1)
        yield [f"{line[:width]}{n}" for n in range(LARGE // (width + 4))]
    yield [f"{unit} " * count]


@pytest.mark.slow
@each_row("unit", UNITS, parts=3, sampled=True)
def test_no_mail_takes_long(unit: str) -> None:
    """Times of the processor for 64 kB are told (`pytest -rP`), and decide nothing: what is read is bounded."""
    for body in hostile(unit):
        counting = _Counting(SPIES)
        begun = process_time()
        found = orders_in(body, counting)
        print(f"{process_time() - begun:.2f} s for {len(body)} lines of {body[0][:40]!r}")  # noqa: T201
        assert counting.characters <= MOST_READ + LEAST_READ + max(map(len, body)) * 2
        assert len(found.typed) + len(found.remark) <= MOST_LINES


@pytest.mark.slow
def test_random_orders_do_not_take_long() -> None:
    seed = 2026
    print(f"seed {seed}")  # noqa: T201
    rng = Random(seed)
    for unit in UNITS:
        body = [
            " ".join(rng.choice([*UNITS, unit]) for _ in range(rng.randint(1, 12)))[:LONGEST_ORDER] for _ in range(500)
        ]
        counting = _Counting(SPIES)
        orders_in(body, counting)
        assert counting.characters <= MOST_READ + LONGEST_ORDER * 2


class _Counting:
    """A reader that counts the characters it reads, where the same text counts once."""

    def __init__(self, reader: OrderReader) -> None:
        self.reader, self.characters, self.intent = reader, 0, reader.intent

    def read_line(self, text: str) -> ReadOrder:
        self.characters += len(text)
        return self.reader.read_line(text)

    def write_order(self, order: o.Order) -> str:
        return self.reader.write_order(order)

    def list_names(self, text: str) -> list[tuple[str, int, int]]:
        return self.reader.list_names(text)


def test_a_march_broken_before_its_arrow_is_no_quotation() -> None:
    order = "if a struggle happens: if Strathclyde is contested: Spy Bob: March SW Essex > Warwick; summon W Gwynedd"
    above, below = in_columns(order, 76).split("\n")
    assert below.startswith("> ")
    assert orders_in([above, below, "", MARKER]).typed == (order,)
    assert orders_in([above, below, "> Pass", MARKER]).typed == (above,)
    said = f"say to all: {'I have seen such things before, and more of them than you, '}and so they go on"
    assert orders_in([said, "> Warwick; summon W Gwynedd", MARKER]).typed == (said,)


def test_a_plan_broken_before_a_summons_goes_on() -> None:
    order = (
        "if Bob passes or Moray is contested: Manoeuvre S Moray <> E Devon; summon W Gwynedd; "
        "else Pass; then Manoeuvre S Moray <> E Devon; summon W Gwynedd"
    )
    assert orders_in([*in_columns(order, 72).split("\n"), "", MARKER]).typed == (order,)
