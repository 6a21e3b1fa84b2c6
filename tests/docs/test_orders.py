"""The page on orders: what it says may be typed is read so, what it says is refused is, and its stories happen so."""

import re
from pathlib import Path

import pytest

from tests.shared.tables import each_row
from tkid.mail.order_finder import OrderReader, get_order_reader
from tkid.mail.plans import Plan, add_plan, decide_by_plans, end_by_own_turn
from tkid.orders.order_kinds import KINDS
from tkid.orders.order_values import Planned, Standing
from tkid.record.format.new_game import new_record
from tkid.record.play.replay import append, replay
from tkid.record.play.views import hide_secrets
from tkid.rulebook.rulesets import ruleset

PAGE = (Path(__file__).parents[2] / "docs" / "orders.md").read_text("utf-8")
READER = OrderReader(ruleset("second-edition").game(), ("Ann", "Bob", "Cal", "Dee"), 0)
CLAIM = OrderReader(ruleset("claim").game(), ("Ann", "Bob"), 0)


def blocks(name: str) -> list[str]:
    """The examples that are marked with a name."""
    found = re.findall(rf"^```{name}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found


def lines(name: str) -> list[str]:
    return [line for block in blocks(name) for line in block.splitlines()]


def written(typed: str, reader: OrderReader = READER) -> str:
    """An order as it is written."""
    order = reader.read_line(typed).order
    assert order is not None, typed
    return reader.write_order(order)


def of_both(name: str) -> list[tuple[OrderReader, str]]:
    """The lines of the examples of a name, in both games."""
    return [(READER, line) for line in lines(name)] + [(CLAIM, line) for line in lines(f"claim-{name}")]


def test_the_table_has_an_example_of_each_kind_of_order() -> None:
    rows = re.findall(r"^\| (`.+?) \|", PAGE.split("## What you may type")[0], re.MULTILINE)
    examples = [example for row in rows for example in re.findall(r"`([^`]+)`", row)]
    assert {READER.read_line(example).kind for example in examples} == {kind.name for kind in KINDS}


@each_row(("reader", "pair"), of_both("orders"))
def test_an_order_may_be_typed_otherwise(reader: OrderReader, pair: str) -> None:
    typed, canonical = pair.split(" => ")
    assert written(typed, reader) == canonical
    assert written(canonical, reader) == canonical


@each_row("line", lines("orders-written"))
def test_an_order_is_canonical(line: str) -> None:
    assert written(line) == line


@each_row(("reader", "pair"), of_both("orders-refused"))
def test_an_order_is_refused(reader: OrderReader, pair: str) -> None:
    typed, rule = pair.split(" => ")
    read = reader.read_line(typed)
    assert read.order is None
    assert read.meant
    assert read.problems[0].rule == rule


def test_orders_in_the_first_table_are_canonical() -> None:
    cells = re.findall(r"^\| (`.*?) \|", PAGE.partition("## What you may type")[0], re.MULTILINE)
    orders = [order for cell in cells for order in re.findall(r"`([^`]+)`", cell)]
    assert len(orders) > 25
    assert [written(order) for order in orders] == orders


def test_conditions_in_the_table_are_canonical() -> None:
    table = PAGE.partition("| Condition |")[2].partition("\n\n")[0]
    conditions = re.findall(r"^\| `(.*?)` \|", table, re.MULTILINE)
    assert len(conditions) == 9
    for condition in conditions:
        assert written(f"if {condition}: stop") == f"if {condition}: stop"


def test_what_the_tables_say_of_claim_is_canonical() -> None:
    page = PAGE.partition("## Claim")[2]
    orders = re.findall(r"^\| (`.*?) \|", page.partition("| Standing order |")[2].partition("\n\n")[0], re.MULTILINE)
    conditions = re.findall(r"^\| `(.*?)` \|", page.partition("| Condition |")[2].partition("\n\n")[0], re.MULTILINE)
    standing = [order for cell in orders for order in re.findall(r"`([^`]+)`", cell)]
    assert (len(standing), len(conditions)) == (10, 6)
    for order in (*standing, *(f"if {condition}: stop" for condition in conditions)):
        assert written(order, CLAIM) == order


@pytest.mark.parametrize(
    ("code", "names", "story"),
    [
        *(("second-edition", ("Ann", "Bob", "Cal"), story) for story in blocks("plan")),
        *(("claim", ("Ann", "Bob"), story) for story in blocks("claim-plan")),
    ],
)
def test_a_story_happens_as_it_is_told(code: str, names: tuple[str, ...], story: str) -> None:
    """Turns are played one after the other; when it is Ann's turn, her plans decide it and say what is told."""
    game = replay(new_record(code, names, bytes(32), first="Ann"))
    plans: tuple[Plan, ...] = ()
    told: list[str] = []
    for line in story.splitlines():
        number, name, turn = re.match(r"(?:(\d+)\. (\w+) )?(.*)", line).groups()  # type: ignore[union-attr]
        if number is None and " orders: " in line:
            order = (
                get_order_reader(game.record.game, game.record.names, 0).read_line(line.partition(" orders: ")[2]).order
            )
            assert isinstance(order, Standing | Planned)
            plans = add_plan(hide_secrets(game, 0), 0, plans, order).plans
        elif number is None:
            told.append(turn.strip())
        else:
            decision = decide_by_plans(hide_secrets(game, 0), 0, plans)
            assert [note.sentence for note in decision.notes] == told
            assert decision.turn in {"", turn}
            played_by_hand = name == "Ann" and not decision.turn
            plans, told = (
                end_by_own_turn(hide_secrets(game, 0), 0, plans).plans if played_by_hand else decision.plans,
                [],
            )
            game = append(game, turn)
            assert not game.problems, line
            assert game.last.line == line
    assert [note.sentence for note in decide_by_plans(hide_secrets(game, 0), 0, plans).notes] == told
