"""The rounds of a round robin: everybody meets everybody."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.rulebook import cites

Pair = tuple[int, int | None]
"""Two sides that meet, the one named first at the first seat; None for a bye."""


@cites("club.tournament.round-robin")
def rounds(sides: Sequence[int]) -> tuple[tuple[Pair, ...], ...]:
    """The rounds, by the circle method: one side stays, the others move on by one seat.

    Args:
        sides: two or more, in the order in which they entered.

    Returns:
        The pairs of each round. Who is named first changes from round to round.
    """
    circle: list[int | None] = [*sides, *([None] if len(sides) % 2 else [])]
    paired = []
    for number in range(len(circle) - 1):
        half = len(circle) // 2
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        turned = number % 2 == 1  # who stays takes turns; the others come to the first seat as they move on
        paired.append(tuple(_pair(*pair, turned=turned and board == 0) for board, pair in enumerate(pairs)))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(paired)


def _pair(first: int | None, second: int | None, *, turned: bool) -> Pair:
    """A pair; in a bye, the side that has it comes first."""
    if first is None or second is None:
        free = second if first is None else first
        assert free is not None
        return free, None
    return (second, first) if turned else (first, second)
