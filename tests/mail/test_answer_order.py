"""What the answer to a line with an error says first, and that nothing is said twice."""

from __future__ import annotations

import pytest

from tests.mail.hall import ANN, BOB, Hall
from tkid.mail.blocks import EXCERPT, underline_place


@pytest.mark.parametrize("line", ["Asemble S Mory", "Assemble S Morray", "Manoeuvre S Moray <> E Devun"])
def test_out_of_turn_comes_before_the_slip(line: str) -> None:
    hall = Hall.of(2)
    hall.mail(BOB, line)
    said = hall.says(BOB)
    assert said.startswith("Not played: it is Ann's turn, not Bob's.")
    assert "Your line has an error too: " in said
    assert said.count("Not played") == 1


@pytest.mark.parametrize(
    "text",
    [
        "Asemble S Mory",
        "Assemble S Morray\nstatus",
        "status\nresign now please\nAssemble S Morray",
        "Assemble S Morray\nPas",
    ],
)
def test_that_nothing_was_played_is_said_once(text: str) -> None:
    hall = Hall.of(2)
    hall.mail(ANN, text)
    assert hall.says(ANN).count("Not played:") <= 1, hall.says(ANN)


def test_a_long_quotation_shows_where_it_is_cut() -> None:
    typed = "".join(f"{number:03} " for number in range(60)).strip()
    for column in (1, 30, 120, len(typed)):
        shown = underline_place(typed, column, 3)[0].strip()
        assert len(shown) <= EXCERPT
        assert shown.startswith("…") == (not typed.startswith(shown[:4]))
        assert shown.endswith("…") == (not typed.endswith(shown[-4:]))
    assert "…" not in underline_place("Assemble S Morray", 12, 6)[0]
