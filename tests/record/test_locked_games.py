"""What a game asks to be unlocked, and how many mails that takes."""

from __future__ import annotations

from random import Random
from statistics import fmean

from tkid.rulebook.rulesets import ruleset

GAMES = 60


def mails(seed: int) -> int:
    """The mails of a random game of Claim after the deal: a turn each, but for two turns of one player in a row.

    In phase one whoever wins as the second waits for the other's part of the next prize, which is a mail of its own.
    """
    chance, game = Random(seed), ruleset("claim").game()
    position = game.start(game.seat_players(("Ann", "Bob")), game.deal(2, chance.randbytes(32)))
    count = 0
    while (seat := position.to_act) is not None:
        before = position
        position, _ = game.apply(position, chance.choice(list(game.legal(position))))
        again = before.led is not None and position.to_act == seat
        count += 2 if again and position.phase == 1 else 0 if again else 1
    return count


def test_a_game_of_claim_takes_fifty_two_mails_on_average() -> None:
    counted = [mails(seed) for seed in range(GAMES)]
    assert fmean(counted) < 54, counted
    assert 40 < min(counted) <= max(counted) < 66, counted
