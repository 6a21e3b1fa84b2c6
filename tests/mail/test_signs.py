"""Emoji and smileys behind an order: it is that order, and the judge is given the signs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.mail.mails import LEGAL, answered, said
from tests.shared.tables import each_row
from tkid.notation import judge
from tkid.notation.judge import Verdict

SIGNS = ("😅", "🙂", "👍🏽", "❤️", ":-)", "😀😀", "🙂 sorry!")


@each_row("sign", SIGNS)
def test_a_turn_with_signs_behind_it_is_that_turn(sign: str) -> None:
    assert answered(f"Pass {sign}").game.turns == 1
    assert answered(f"{LEGAL} {sign}").game.turns == 1


@pytest.mark.parametrize("sign", ["🤔", "❓", "👎", "🤷‍♂️", "😅"])
def test_the_judge_is_given_the_signs_behind_a_turn(sign: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[str]()

    def note(lines: Sequence[judge.Line], *_: object) -> Verdict:
        seen.extend(line.text for line in lines if not line.ordered)
        return Verdict()

    monkeypatch.setattr("tkid.notation.judge.judge_whole", note)
    answered(f"Pass {sign}\n\nHello!")
    assert [sign, "", "Hello!"] == seen[-3:]


@each_row(
    "order, lead",
    [
        ("legal 😀", "These turns are legal now."),
        ("status 🙂", "It is your turn."),
        ("draft Pass 😅", "This turn is legal now."),
        ("away 2026-12-20 to 2026-12-27 🏖️", "You are away from 20 December 2026"),
    ],
)
def test_other_orders_have_signs_too(order: str, lead: str) -> None:
    assert said(answered(order)).startswith(lead)


def test_signs_alone_are_no_order() -> None:
    assert answered("😅").game.turns == 0
