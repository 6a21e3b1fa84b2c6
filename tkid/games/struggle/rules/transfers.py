"""Transfers: how many followers go from where to where. Every resolution states its own, see `moves`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from attrs import frozen

from tkid.games.struggle.rules.board import Followers, plus

SUPPLY = -1
"""The supply, where a region could be."""
COURT = -2
"""The court of the player who moves, where a region could be."""
Where = int
"""A region, SUPPLY or COURT. As indices the two count from the end, so that they can stand behind the regions."""


class Transfer(NamedTuple):
    """Followers that go from one place to another; there may be none of them."""

    group: Followers
    origin: Where
    target: Where

    @property
    def ends(self) -> tuple[Where, Where]:
        """Where they come from, and where they go."""
        return self.origin, self.target

    @property
    def between_regions(self) -> bool:
        """Whether it is from a region to a region."""
        return self.origin >= 0 and self.target >= 0


class NoSuchResolutionError(ValueError):
    """No resolution of the form moves followers in this way."""


@frozen
class Flow:
    """What some transfers come to: by origin and target how many followers go, each pair of places once.

    `none` is a group of nobody. Two flows are equal whatever order their transfers come in.
    """

    groups: Mapping[tuple[Where, Where], Followers]
    none: Followers

    @classmethod
    def of(cls, transfers: Iterable[Transfer], kinds: int) -> Flow:
        """The flow of some transfers of followers of so many factions."""
        none = (0,) * kinds
        groups: dict[tuple[Where, Where], Followers] = {}
        for each in transfers:
            groups[each.ends] = plus(groups.get(each.ends, none), each.group)
        return cls({ends: group for ends, group in groups.items() if any(group)}, none)

    @property
    def transfers(self) -> tuple[Transfer, ...]:
        """One transfer for each pair of places."""
        return tuple(Transfer(group, *ends) for ends, group in self.groups.items())

    def only(self, *counts: int) -> tuple[Transfer, ...]:
        """The transfers. Raises NoSuchResolutionError unless there are as many as one of the counts says."""
        if len(self.groups) not in counts:
            raise NoSuchResolutionError
        return self.transfers

    def between(self, origin: Where, target: Where) -> Followers:
        """How many followers go from one place to another."""
        return self.groups.get((origin, target), self.none)

    def landing(self) -> tuple[int, Followers, tuple[Transfer, ...]]:
        """The region that the first transfer enters from the supply, or else leaves; who is placed there; and the rest.

        Raises NoSuchResolutionError where nobody moves.
        """
        for _, origin, target in self.transfers[:1]:
            place = as_region(target if origin == SUPPLY else origin)
            others = tuple(each for each in self.transfers if each.ends != (SUPPLY, place))
            return place, self.between(SUPPLY, place), others
        raise NoSuchResolutionError


def as_region(where: Where) -> int:
    """The same place. Raises NoSuchResolutionError where it is no region."""
    if where < 0:
        raise NoSuchResolutionError
    return where
