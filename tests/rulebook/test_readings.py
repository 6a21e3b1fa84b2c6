"""The options of rulings: whoever chooses one that is not there is told so, and nothing is played in its place."""

from __future__ import annotations

import pytest
from attrs import evolve

from tkid.rulebook import UnknownOptionError, choose_reading
from tkid.rulebook.rulesets import Ruleset, UnknownRulingError, ruleset, rulesets

SPY_PILE = "second.ruling.spy-pile"


def test_the_value_of_the_option_taken_is_chosen() -> None:
    values = {"any": 1, "resolvable": 2}
    assert [choose_reading({SPY_PILE: option}, SPY_PILE, values) for option in values] == [1, 2]


def test_an_option_that_a_ruling_does_not_have_is_not_taken_for_another() -> None:
    with pytest.raises(UnknownOptionError) as error:
        choose_reading({SPY_PILE: "walrus"}, SPY_PILE, {"any": 1, "resolvable": 2})
    assert str(error.value) == f"'walrus' is not an option of {SPY_PILE}; its options are any, resolvable"


@pytest.mark.parametrize("values", [{"any": 1}, {"any": 1, "resolvable": 2, "walrus": 3}, {"any": 1, "walrus": 2}])
def test_a_table_has_a_value_for_each_option_of_the_register(values: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=f"the options of {SPY_PILE} are any, resolvable, not {', '.join(values)}"):
        choose_reading({SPY_PILE: "any"}, SPY_PILE, values)


@pytest.mark.parametrize("each", rulesets(), ids=lambda each: each.code)
def test_no_game_is_built_with_an_option_that_is_not_there(each: Ruleset) -> None:
    for switch in each.switches:
        with pytest.raises(UnknownOptionError, match=f"'walrus' is not an option of {switch}; its options are "):
            each.game({switch: "walrus"})


def test_no_game_is_built_with_a_ruling_that_has_no_switch() -> None:
    basic, claim = ruleset("second-edition"), ruleset("claim")
    with pytest.raises(UnknownRulingError) as error:
        basic.game({SPY_PILE: "any"})
    assert str(error.value) == (
        f"second-edition has no switch '{SPY_PILE}' to set to 'any'; "
        "its switches are second.ruling.final-tie, second.ruling.second-rank, second.ruling.open-hands"
    )
    with pytest.raises(UnknownRulingError, match="claim has no switch 'walrus' to set to 'any'; its switches are none"):
        claim.game({"walrus": "any"})


def test_no_edition_deals_a_card_that_it_does_not_have() -> None:
    game = ruleset("second-edition").game()
    with pytest.raises(LookupError, match="second-edition deals cards that it does not have: Walrus"):
        evolve(game, hands=evolve(game.hands, same=(*game.hands.same, "Walrus")))
