"""Chances from leads: how likely a lead lasts, with nothing but + - * / and square roots, the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt

from tkid.bots.sums import total
from tkid.games.struggle.rules.board import Followers

REMEMBERED = 1 << 16


def lasting(lead: float, unsure: float) -> float:
    """The chance that a lead of so much lasts; 0.5 without a lead."""
    x = lead / unsure
    return 0.5 * (1 + x / sqrt(1 + x * x))


@lru_cache(REMEMBERED)
def region_chances(followers: Followers, unsure: float, tie: float) -> tuple[float, ...]:
    """The chance of each faction to win a region, and behind them that nobody does."""
    first, second = sorted(followers, reverse=True)[:2]
    shares = _weights(followers, unsure)
    apart = 1 / unsure
    lead = (first - second) * apart
    shares.append(tie * (1 + apart * apart) / (1 + lead * lead))
    whole = total(shares)
    return tuple([share / whole for share in shares])


def _weights(scores: Sequence[float], unsure: float) -> list[float]:
    """How much the lead of each over the best of the others counts; it is 1 where there is none."""
    first, second = sorted(scores, reverse=True)[:2]
    found = []
    for score in scores:
        x = (score - (second if score == first else first)) / unsure
        rise = x + sqrt(1 + x * x)
        found.append(rise * rise)
    return found


def shares(scores: Sequence[float], unsure: float) -> tuple[float, ...]:
    """The chance of each side to be ahead of all others in the end; they add up to 1."""
    if len(scores) == 2:
        ahead = lasting(scores[0] - scores[1], unsure)
        return ahead, 1 - ahead
    found = _weights(scores, unsure)
    whole = total(found)
    return tuple([share / whole for share in found])
