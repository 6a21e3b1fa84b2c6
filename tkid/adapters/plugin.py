"""What a program that learns needs of a game: the words that its decisions are made of, and a view as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Protocol

from attrs import field, frozen

from tkid.kernel.game import AnyGame, AnyView
from tkid.kernel.plugins import plugin


@frozen
class Layout:
    """How the numbers of an observation lie: named blocks one after the other, each with its shape.

    Attributes:
        blocks: The shape of each block by name, in order; a block's numbers lie row by row.
        size: How many numbers there are in all.
    """

    blocks: Mapping[str, tuple[int, ...]]
    size: int = field(init=False)

    @size.default
    def _(self) -> int:
        return sum(map(prod, self.blocks.values()))

    def flat(self, values: Mapping[str, Sequence[float]]) -> list[float]:
        """All numbers in one row. Raises ValueError where a block is missing or has another size."""
        numbers: list[float] = []
        for name, shape in self.blocks.items():
            if len(values[name]) != prod(shape):
                raise ValueError(f"{name} has {len(values[name])} numbers, not {prod(shape)}")
            numbers.extend(values[name])
        return numbers


class AdaptersPlugin(Protocol):
    """How a game is shown to a program that learns."""

    def names(self, game: AnyGame) -> tuple[str, ...]:
        """Names of more than one word that are one choice: cards, regions."""
        ...

    def words(self, game: AnyGame, players: int) -> tuple[str, ...]:
        """All words that decisions are made of, `names` among them; a choice is the index of a word."""
        ...

    def layout(self, game: AnyGame, players: int) -> Layout:
        """The blocks of an observation."""
        ...

    def observe(self, game: AnyGame, view: AnyView) -> Mapping[str, Sequence[float]]:
        """The numbers of each block for a view of a seat; seats count from the viewer on."""
        ...


def adapters_plugin(game: AnyGame) -> AdaptersPlugin:
    """How a game is shown to a program that learns."""
    found: AdaptersPlugin = plugin(game.name, "adapters/plugin")
    return found
