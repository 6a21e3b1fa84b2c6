"""The voice of our mails: you and names, numbers in words, and what fits."""

from __future__ import annotations

from tests.shared.tables import each_row
from tkid.mail.plugin import say_won
from tkid.notation.text import spell_number
from tkid.notation.voice import Voice, choose_fitting, list_and, make_sentence

NAMES = ("Ann", "Bob", "Cal")


@each_row("count, word", [(0, "no"), (1, "one"), (2, "two"), (12, "twelve"), (13, "13")])
def test_numbers(count: int, word: str) -> None:
    assert spell_number(count) == word


@each_row(
    "reader, seats, every, has",
    [
        (0, (0,), "you", "have"),
        (0, (1,), "Bob", "has"),
        (0, (1, 0), "you and Bob", "have"),
        (1, (2, 0), "Ann and Cal", "have"),
        (2, (0, 1, 2), "you, Ann and Bob", "have"),
        (None, (0,), "Ann", "has"),
    ],
)
def test_players(reader: int | None, seats: tuple[int, ...], every: str, has: str) -> None:
    voice = Voice(NAMES, reader)
    assert voice.name_all(seats) == every
    assert voice.choose_verb(seats, "has", "have") == has


def test_whose() -> None:
    assert Voice(NAMES, 1).name_owner(1) == "your"
    assert Voice(NAMES, 1).name_owner(0) == "Ann's"


@each_row(
    "names, reader, seats, text",
    [
        (NAMES, 0, (0,), "you won"),
        (NAMES, 0, (1, 2), "Bob and Cal won"),
        (("Bartholomew", "Cassiopeia", "Dee"), 2, (0, 1), "Bartholomew and Cassiopeia won"),
        (("Bartholomew", "Cassiopeia!", "Dee"), 2, (0, 1), "two players won"),
        (("Bartholomew", "Cassiopeia", "Dee"), 0, (0, 1, 2), "you, Cassiopeia and Dee won"),
        (("Bartholomew" * 2, "Cassiopeia" * 3, "Dee"), 0, (0, 1), "you won, with others"),
        (("B" * 32, "Dee"), 1, (0,), f"{'B' * 32} won"),
    ],
)
def test_winners_in_a_subject(names: tuple[str, ...], reader: int, seats: tuple[int, ...], text: str) -> None:
    assert say_won(Voice(names, reader), seats) == text


def test_the_longest_wording_that_fits() -> None:
    assert choose_fitting(5, "too long", "fits", "no") == "fits"
    assert choose_fitting(2, "too long", "longer") == "longer"


def test_sentences_and_lists() -> None:
    assert make_sentence("bob passed") == "Bob passed."
    assert make_sentence("you have more than J.R.") == "You have more than J.R."
    assert list_and(["a", "b", "c"]) == "a, b and c"
    assert list_and([]) == ""
