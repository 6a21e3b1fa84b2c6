"""Position data: a position by names and letters, as the one-line text and JSON state it, and reading it back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from attrs import field, frozen

T = TypeVar("T")


class PositionDataError(ValueError):
    """Position data describes no position: each fault begins with the attribute at fault."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


@frozen
class Faults:
    """Collects what is wrong with position data."""

    faults: list[str] = field(factory=list, init=False)

    def entries(self, values: list[T], seats: int, attribute: str, default: T) -> Sequence[T]:
        """The entries of an attribute that has one for each seat; the default for each if there are none."""
        if values and len(values) != seats:
            self.faults.append(f"{attribute}: {len(values)} entries for {seats} seats")
        return values or [default] * seats

    def seat(self, seat: int, seats: int, attribute: str) -> None:
        """Note a seat that does not exist."""
        if seat not in range(seats):
            self.faults.append(f"{attribute}: there is no seat {seat}")

    def check(self) -> None:
        """Raise PositionDataError if there are any faults."""
        if self.faults:
            raise PositionDataError(self.faults)
