"""Mails in every ruleset, with lines that are orders, nearly orders, other games' orders or nothing: each is answered."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, example, given

from tests.mail.hall import MINUTE, Hall, dealt
from tests.mail.test_service_any import SMALL, TERMS, WRONG
from tests.notation.test_free_text_any import WORDS, WORDS_OF_CLAIM
from tests.shared.examples import examples
from tests.shared.strategies import seeds
from tkid.mail import game_service, hosted_game
from tkid.mail.model import Intake, Line, Marker
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.rulebook.rulesets import rulesets

PAGE = (Path(__file__).parents[2] / "docs" / "orders.md").read_text("utf-8")
FENCED = re.compile(r"^```.*\n((?:.*\n)*?)```$", re.MULTILINE)
ON_PAGE = [line.partition(" => ")[0] for block in FENCED.findall(PAGE) for line in block.splitlines() if line]
"""The orders on the page about them, right and wrong."""
ANSWERS = ("yes", "no", "1", "3", "Yes.", "-----", "---", "#", "agree draw", "pause 2 days?", "play my lowest", "K 5")
SIGNS = "abSWE <>;:,-.#123()'\"\u00e9\u2192"


def line(rng: Random, hall: Hall, seat: int) -> str:
    """A line of a mail: a legal turn, an order of any game, words in a row, or signs; now and then with a slip."""
    at = hall.at
    if at.awaited == seat and rng.random() < 0.4:
        typed = hosted_game.choose_bot_turn(at.view_as(seat), seat, hosted_game.BY_LOT)
    else:
        words = [rng.choice(rng.choice((WORDS, WORDS_OF_CLAIM))) for _ in range(rng.randint(1, 8))]
        signs = "".join(rng.choice(SIGNS) for _ in range(rng.randint(1, 12)))
        typed = rng.choice((rng.choice(ON_PAGE), rng.choice(SMALL + WRONG + ANSWERS), " ".join(words), signs))
    place = rng.randint(0, len(typed))
    return typed if rng.random() < 0.85 else typed[:place] + rng.choice("x -;.") + typed[place + rng.randint(0, 2) :]


@pytest.mark.slow
@examples(16, phases=[Phase.explicit, Phase.generate])
@given(seeds)
@example(50)
def test_whatever_is_written_is_answered(seed: int) -> None:
    rng = Random(seed)
    entry = rng.choice(rulesets())
    players = rng.choice(sorted(entry.game().parties))
    hall = Hall(dealt(players, rng.choice(TERMS), code=entry.code, entropy=rng.randbytes(32)))
    for _ in range(24):
        at = hall.at
        seat = at.awaited if at.awaited is not None and rng.random() < 0.7 else rng.randrange(players)
        text = "\n".join(line(rng, hall, seat) for _ in range(rng.choice((1, 1, 2, 3))))
        letter = rng.choice([each for each in hall.letters if each.seat == seat][-3:])
        lines = (*map(Line, text.split("\n")), Line(""), Line(f"Ref {letter.turn} {letter.after}"))
        mail = Intake(f"player{seat + 1}@example.org", lines, "<mail@example.org>", (), "0" * 64)
        orders = find_orders(mail, get_order_reader(at.record.game, at.names, seat))
        assert orders.marker == Marker(letter.turn, letter.after)
        hall.now += rng.choice((1, 30, 300)) * MINUTE
        outcome = hall.took(game_service.receive_mail(at, seat, orders, hall.now, letter.turn, letter.offer))
        assert outcome.letters[0].seat == seat
