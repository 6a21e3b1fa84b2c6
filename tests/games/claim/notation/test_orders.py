"""Orders of Claim: every one is written in one way that is read back, wrong ones are told what is wrong, sentences are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.claim.shared import CLAIM, PLAYERS
from tests.shared.examples import examples
from tests.shared.tables import each_row
from tkid.games.claim.notation import orders
from tkid.games.claim.notation.orders import Led, NothingLed, PhaseTwo, Prize
from tkid.games.claim.rules import FACTIONS, PACK, PLAYS
from tkid.mail.order_finder import OrderReader
from tkid.notation.plugin import ReadTurn
from tkid.orders.order_values import Condition, If, Planned, Standing, Step, Stop, Turn
from tkid.rulebook import rule

READER = OrderReader(CLAIM, PLAYERS, 0)
prizes = st.sampled_from([*FACTIONS, *sorted(set(PACK))])
any_or_one = st.sampled_from(["", *FACTIONS])
which = st.sampled_from(["lowest", "highest"])
standing = st.one_of(
    st.builds(orders.Standing, st.just("forced"), phase=st.booleans()),
    st.builds(orders.Standing, st.just("lead"), which, any_or_one, prize=st.just("") | prizes, phase=st.booleans()),
    st.builds(orders.Standing, st.just("either"), which, any_or_one, prize=prizes, phase=st.booleans()),
    st.builds(orders.Standing, st.just("follow"), which, any_or_one, any_or_one, st.just("") | prizes, st.booleans()),
)
some_conditions = st.lists(
    st.one_of(st.builds(Led, any_or_one), st.just(NothingLed()), st.builds(Prize, prizes), st.just(PhaseTwo())),
    min_size=1,
    max_size=3,
)
turns = st.sampled_from(PACK).map(lambda card: Turn(CLAIM.words.write_move(PLAYS[card]), ReadTurn((), ())))


def made(some: list[Condition], then: Step, otherwise: Step | None, every: bool) -> If:  # noqa: FBT001 - hypothesis builds it
    """A step that depends; one condition is always joined by `and`."""
    return If(tuple(some), (then,), (otherwise,) if otherwise else None, every or len(some) == 1)


ends = st.one_of(turns, st.just(Stop()))
steps: st.SearchStrategy[Step] = st.builds(made, some_conditions, ends, st.none() | ends, st.booleans())
plans = st.builds(lambda before, last: Planned((*before, last)), st.lists(turns | steps, max_size=2), ends | steps)


@given(standing | plans.filter(lambda plan: plan.steps != (Stop(),)))
def test_what_is_written_is_read_back(order: Standing | Planned) -> None:
    text = READER.write_order(order)
    assert READER.read_stored(text).order == order, text
    assert READER.write_order(READER.read_stored(text.upper()).order or order) == text


pieces = st.sampled_from(
    [
        "if",
        "led",
        "lead",
        "play",
        "my",
        "the",
        "lowest",
        "highest",
        "Goblin",
        "Knights",
        "Elf",
        "anything",
        "nothing",
        "is",
        "prize",
        "phase",
        "two",
        "until",
        "ends",
        "what",
        "forced",
        "pass",
        "always",
        "stop",
        "then",
        "else",
        "and",
        "or",
        "(",
        ")",
        ":",
        ";",
        ",",
        "G5",
        "5",
        "Bob",
        "notify",
        "tricks",
        "draft",
        "legal",
        "a",
        "an",
        "-",
    ]
)


@pytest.mark.slow
@given(st.lists(pieces, max_size=9).map(" ".join))
@examples(300)
def test_whatever_is_typed_is_read_or_told_what_is_wrong(line: str) -> None:
    read = READER.read_line(line)
    if read.order is None:
        assert all(1 <= found.col <= len(line) + 1 for found in read.problems)
        assert all(found.message and rule(found.rule) for found in read.problems)
        assert read.problems
    else:
        text = READER.write_order(read.order)
        assert READER.read_stored(text).order == read.order, text


@each_row(
    ("typed", "told", "way_out"),
    [
        ("pass until struggle", "Nobody can pass", "`lead my highest`"),
        ("if led Goblin: Pass", "Nobody can pass", "`Goblin 5`"),
        ("play my lowest", "The time to play it is missing", "`lead my lowest`"),
        ("if Goblin: play my lowest", "`led` is missing", "`if led Goblin: play my lowest`"),
        ("if led: play my lowest", "The led faction is missing", "`if led Goblin: play my lowest`"),
        ("lead my best", "`lowest` or `highest` is missing", "`lead my highest`"),
        ("if led Knigt: play my lowest", "`Knigt` is not a faction", "Did you mean Knight?"),
        ("lead my lowest Elf", "`Elf` is not a faction", "Goblin, Knight, Dwarf, Undead and Doppelganger"),
        ("if led Goblin: play my lowest; else stop", "Only `until the phase ends`", "`until the phase ends`"),
        ("if Bob acts: stop", "A condition is `led Goblin`", "`if prize Undead: stop`"),
        ("if led Goblin: play my lowest until Bob leads", "An order ends with the phase", "`until the phase ends`"),
        ("Knight 3; then lead my highest", "A turn names its card", "`Goblin 5`"),
        ("goblin five", "The value of the Goblin is missing", "`Goblin 5`"),
        ("Knight 1", "There is no Knight 1", "the values 2 to 9"),
        ("Gobln 5", "`Gobln` is not a faction", "Did you mean Goblin?"),
        ("Goblin", "The value of the Goblin is missing", "`Goblin 5`"),
        ("notify struggles", "`struggles` does not belong here", "`notify tricks`"),
        ("legal elves", "`elves` is not a card of this game", "Goblin, Knight, Dwarf, Undead and Doppelganger"),
        ("draft", "The turn to check is missing", "`draft Goblin 5`"),
    ],
)
def test_wrong_orders_are_told_what_is_wrong(typed: str, told: str, way_out: str) -> None:
    read = READER.read_line(typed)
    assert read.order is None
    assert read.meant
    assert told in read.problems[0].message
    assert way_out in read.problems[0].hint


@pytest.mark.parametrize(
    "sentence",
    [
        "Goblin 5 was a nice lead",
        "Knights are strong today",
        "Pass the salt, please",
        "Lead my army to victory, o king!",
        "Play with the cat for me",
        "If you lead a Goblin, I win",
        "If led by the nose, I'd follow",
        "Undead or alive?",
        "I had 3 Goblins and 2 Knights on my hand, and still lost that trick",
    ],
)
def test_sentences_are_left_alone(sentence: str) -> None:
    read = READER.read_line(sentence)
    assert read.order is None
    assert not read.meant


def test_a_letter_apart_from_its_value_may_be_a_sentence() -> None:
    intent = READER.intent
    for typed, sure in (("U 2", False), ("U2", True), ("und 2", True), ("play U 2", True)):
        read = intent.turns.read_turn(typed)
        assert not read.problems
        assert intent.signs.is_written_out(read, len("".join(c for c in typed if c.isalpha()))) is sure
