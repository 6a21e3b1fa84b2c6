"""Glicko-2: the rating of a player after a period, from the games of that period.

The steps are those of Mark Glickman's paper "Example of the Glicko-2 system" (2022), with its letters in the comments.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt

from attrs import evolve, frozen

SCALE, MIDDLE = 173.7178, 1500.0
"""A rating of the list is so many times one of the model, and begins there."""
SYSTEM = 0.5
"""How fast a player's strength may change (tau)."""
LARGEST = 350.0
"""The deviation of somebody of whom nothing is known."""
EXACT = 1e-6


@frozen
class Glicko:
    """A rating: its deviation says how uncertain it is, its volatility how much the player's strength changes."""

    rating: float = MIDDLE
    deviation: float = LARGEST
    volatility: float = 0.06


@frozen
class Score:
    """A game: the opponent as of the beginning of the period, and the points, 0, 0.5 or 1."""

    opponent: Glicko
    points: float


def after_period(player: Glicko, scores: Sequence[Score]) -> Glicko:
    """A player's rating after a period.

    Args:
        player: the rating before it.
        scores: the games of the period.

    Returns:
        The new rating. Without games only the deviation grows, up to that of a new player.
    """
    phi = player.deviation / SCALE
    if not scores:
        return evolve(player, deviation=min(LARGEST, SCALE * sqrt(phi**2 + player.volatility**2)))
    mu = (player.rating - MIDDLE) / SCALE
    information, surprise = 0.0, 0.0
    for score in scores:
        weight = 1 / sqrt(1 + 3 * (score.opponent.deviation / SCALE) ** 2 / pi**2)  # g
        expected = 1 / (1 + exp(-weight * (mu - (score.opponent.rating - MIDDLE) / SCALE)))  # E
        information += weight**2 * expected * (1 - expected)
        surprise += weight * (score.points - expected)
    variance = 1 / information  # v
    volatility = _volatility(player.volatility, phi, variance, variance * surprise)
    before = sqrt(phi**2 + volatility**2)  # phi*
    deviation = 1 / sqrt(1 / before**2 + 1 / variance)  # phi'
    rating = mu + deviation**2 * surprise  # mu'
    return Glicko(SCALE * rating + MIDDLE, min(LARGEST, SCALE * deviation), volatility)


def _volatility(volatility: float, phi: float, variance: float, delta: float) -> float:
    """The new volatility (sigma'), by the Illinois algorithm of step 5."""
    start = log(volatility**2)  # a

    def slope(x: float) -> float:
        left = exp(x) * (delta**2 - phi**2 - variance - exp(x)) / (2 * (phi**2 + variance + exp(x)) ** 2)
        return left - (x - start) / SYSTEM**2

    low = start  # A
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)  # B
    else:
        high = start - SYSTEM
        while slope(high) < 0:
            high -= SYSTEM
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > EXACT:
        middle = low + (low - high) * at_low / (at_high - at_low)  # C
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
