"""The constants of the program that hypothesis tries."""

from __future__ import annotations

from tests.shared.constants import share_constants
from tkid.notation.names import ORDER_WORDS
from tkid.orders.order_kinds import FIRST_WORDS


def test_hypothesis_tries_the_constants_of_the_program() -> None:
    """The tests run with any version of hypothesis, but with one that has changed there, two runs with a seed may differ."""
    assert share_constants()


def test_the_words_that_no_player_is_called_are_those_of_the_orders() -> None:
    assert set(FIRST_WORDS) == ORDER_WORDS
