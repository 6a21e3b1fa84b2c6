"""Claim in writing: turns and the position in one line."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.claim.shared import CLAIM, positions, reached, seeds, start
from tests.shared.examples import examples
from tests.shared.tables import each_row
from tkid.games.claim.notation.positions import read_claim_data, read_position, write_claim_data, write_position
from tkid.games.claim.notation.turns import TurnReader
from tkid.games.claim.rules import COPIES, FACTIONS, NAMES, PLAYS, Position
from tkid.kernel.game import HIDDEN
from tkid.kernel.problems import Kind
from tkid.notation.position_errors import PositionError

READER = TurnReader(CLAIM)


# -- turns ------------------------------------------------------------------------------------------------


@each_row("card", COPIES)
def test_every_card_is_read_as_it_is_written(card: str) -> None:
    written = CLAIM.words.write_move(PLAYS[card])
    faction = FACTIONS[card[0]]
    for text in (written, card, card.lower(), f"{faction.plural} {card[1]}", f"  {written.upper()} !", f"lead {card}"):
        turn = READER.read_turn(text)
        assert turn.moves == (PLAYS[card],), text
        assert turn.problems == ()
        assert READER.is_begun(text)
    assert CLAIM.words.write_turn(turn.moves) == written == NAMES[card]


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("gob 5", "G5"),
        ("Doppelgänger 7.", "X7"),
        ("do 0", "X0"),
        ("dw 0", "D0"),
        ("D 0", "D0"),
        ("undead\u00a03", "U3"),
        ("Plays  kni 09", "K9"),
    ],
)
def test_what_may_be_typed(text: str, card: str) -> None:
    assert READER.read_turn(text).moves == (PLAYS[card],)


@each_row(
    ("text", "kind", "rule", "at", "says", "hint"),
    [
        (
            "",
            Kind.SYNTAX,
            "notation.form",
            (1, 1),
            "This part is empty",
            "A turn is one card, as in `Goblin 5` or `G5`.",
        ),
        ("Goblin", Kind.SYNTAX, "notation.form", (7, 1), "The value of the Goblin is missing", "A turn is one card"),
        ("play G x", Kind.SYNTAX, "notation.form", (8, 1), "is missing, but this is `x`", "A turn is one card"),
        ("Gobln 5", Kind.NAME, "notation.card", (1, 5), "`Gobln` is not a faction", "Did you mean Goblin?"),
        (
            "Moray 5",
            Kind.NAME,
            "notation.card",
            (1, 5),
            "`Moray` is not a faction",
            "Goblin, Knight, Dwarf, Undead and Doppel",
        ),
        ("Knight 1", Kind.NAME, "notation.card", (1, 8), "There is no Knight 1", "Knights have the values 2 to 9."),
        (" Goblin 10", Kind.NAME, "notation.card", (2, 9), "There is no Goblin 10", "Goblins have the values 0 to 9."),
        (
            "G5, K9",
            Kind.SYNTAX,
            "claim.trick.order",
            (3, 4),
            "One card is played, but `, K9` follows",
            "A turn is one card",
        ),
        ("G5; summon W", Kind.SYNTAX, "notation.form", (3, 10), "but `; summon W` follows", "A turn is one card"),
        ("Pass", Kind.SYNTAX, "claim.trick.order", (1, 4), "Nobody can pass", "A turn is one card"),
        ("5 Goblin", Kind.SYNTAX, "notation.form", (1, 1), "A card begins with its faction", "A turn is one card"),
    ],
)
def test_what_is_said_of_a_wrong_turn(  # noqa: PLR0917 - what is typed, and all that is said
    text: str, kind: Kind, rule: str, at: tuple[int, int], says: str, hint: str
) -> None:
    turn = READER.read_turn(text)
    (problem,) = turn.problems
    assert turn.moves == ()
    assert (problem.kind, problem.rule) == (kind, rule)
    assert says in problem.message
    assert (problem.col, problem.length) == at
    assert hint in problem.hint


@pytest.mark.slow
@given(
    st.text(max_size=40)
    | st.lists(
        st.sampled_from(["Goblin", "G", "5", "0", "12", ";", ",", "K9", "play", "Pass", "Doppelgänger", "7", "é", "４"])
    )
)
@examples(300)
def test_any_text_gives_a_card_or_problems_within_it(typed: str | list[str]) -> None:
    text = typed if isinstance(typed, str) else " ".join(typed)
    turn = READER.read_turn(text)
    assert bool(turn.moves) != bool(turn.problems)
    for problem in turn.problems:
        assert 1 <= problem.col <= len(text) + 1
        assert problem.length >= 1


# -- positions --------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(positions(), st.sampled_from((0, 1, None, "all")))
@examples(150)
def test_a_position_is_written_and_read_back(position: Position, seat: int | str | None) -> None:
    shown = CLAIM.view(position, seat).shown if not isinstance(seat, str) else position
    text = write_position(CLAIM, shown)
    assert read_position(CLAIM, text) == shown
    assert read_position(CLAIM, text.lower().replace(" ", "  ")) == shown
    assert read_claim_data(CLAIM, write_claim_data(CLAIM, shown, {})) == shown
    assert text.count("?") <= 5  # one clause for each pile that is hidden


def test_the_line_of_a_start() -> None:
    deal = start(bytes(32))
    line = write_position(CLAIM, CLAIM.view(deal, 0).shown)
    assert line == f"claim; 1 hand {' '.join(deal.hands[0])}; 2 hand 13?; prize {deal.prize}; deck 25?; to play 1"


def test_a_short_line_is_enough() -> None:
    text = "claim; 1 hand g0 Goblin 5; 2 hand ? knight 9; prize undead 3; deck 3?; 2 lacks goblin X; to play 1"
    position = read_position(CLAIM, text)
    assert position.hands == (("G0", "G5"), ("K9", HIDDEN))
    assert (position.prize, position.deck, position.lacks) == ("U3", (HIDDEN,) * 3, ("", "GX"))
    led = read_position(CLAIM, "claim; 1 hand K2; 2 hand G5 X0; led G0; to play 2")
    assert (led.leader, led.led, led.phase, led.to_act) == (0, "G0", 2, 1)


@each_row(
    ("text", "col", "says"),
    [
        ("claim; 1 hand G5 K1; 2 hand ? ?", 18, "There is no Knight 1"),
        ("claim; 1 hand G5 Q1; 2 hand ? ?", 18, "`Q` is not a faction"),
        ("claim; 3 hand G5", 8, "There is no seat 3"),
        ("claim; 1 hand G5; 1 hand G6", 19, "appears twice"),
        ("claim; prize G5; prize G6", 24, "appears twice"),
        ("claim; 1 hnd G5", 10, "`hnd G5` does not belong here"),
        ("claim; prize 0?", 14, "`0?` is not a card"),
        ("claim; prize 2?", 14, "`2?` is 2 cards, and one belongs here"),
        ("claim; 1 hand 3?; led 0?; to play 1", 23, "`0?` is not a card"),
        ("claim; 1 hand", 14, "the position is not complete"),
        ("claim; 1 lacks Z", 16, "`Z` is not a faction"),
        ("claim; 1 hand K9; 2 hand K9; to play 1", 1, "Knight 9 is there 2 times: there is one of it"),
        ("claim; 1 hand K9; 2 hand G1 G2; to play 1", 1, "hands: 1 and 2 cards"),
        ("claim; 1 hand K9; 2 hand G1; prize D0; deck 2?; to play 1", 1, "deck: 2 cards; here 1 belong there"),
        ("claim; 1 hand K9; 2 hand G1; 1 followers D0; to play 1", 1, "followers: 1 and 0 cards"),
        ("claim; 1 hand K9; 2 hand G1; 2 lacks G; to play 1", 1, "lacks.1: Goblin 1 is in that hand"),
        ("claim; 1 hand -; 2 hand -; 1 score G5 K9 U3; ended drawn", 1, "ending: it is votes here, not drawn"),
        ("claim; 1 hand K9; 2 hand G1; ended drawn", 1, "somebody leads as long as a card is held"),
        ("claim; 1 hand K9; 2 hand G1; discards ?; to play 1", 1, "cards that were played are known"),
        ("claim; 1 hand -; 2 hand -; to play 1", 1, "hands: 0 and 0 cards"),
    ],
)
def test_what_is_said_of_a_wrong_line(text: str, col: int, says: str) -> None:
    with pytest.raises(PositionError) as error:
        read_position(CLAIM, text)
    problem = error.value.problems[0]
    assert (problem.col, problem.rule) == (col, "notation.position")
    assert says in " ".join(each.message for each in error.value.problems)


@pytest.mark.slow
@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            [
                "1",
                "2",
                "hand",
                "G5",
                "3?",
                "0?",
                ";",
                ";",
                "led",
                "deck",
                "prize",
                "to",
                "play",
                "ended",
                "votes",
                "-",
                "X",
            ]
        )
    )
)
@examples(300)
def test_any_text_is_a_position_or_a_problem(typed: str | list[str]) -> None:
    text = f"claim; {typed if isinstance(typed, str) else ' '.join(typed)}"
    try:
        position = read_position(CLAIM, text)
    except PositionError as error:
        assert error.problems  # noqa: PT017 - both outcomes are fine, an empty one is not
    else:
        assert bool(CLAIM.legal(position)) == (position.to_act is not None)


@pytest.mark.slow
@given(seeds, st.integers(1, 51))
@examples(30)
def test_a_changed_position_is_not_taken_for_one(seed: int, turns: int) -> None:
    """A card too many is found wherever it lies."""
    position = reached(Random(seed), turns)
    for extra in (
        {"discards": (*position.discards, "K9")},
        {"scores": ((*position.scores[0], "X3"), position.scores[1])},
    ):
        with pytest.raises(PositionError):
            read_position(CLAIM, write_position(CLAIM, position.replace(**extra)))
