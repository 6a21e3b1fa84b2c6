"""How a seat stands in time: its bank, misses and absences, and who plays it."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from tkid.mail.game.elapsed import Pause
from tkid.record.clock.notes import StandIn


@frozen
class SeatTime:
    """How a seat stands.

    `bank` counts days, `misses` the turns in a row that the clock passed, `turns` its own turns that were not taken
    back; `pauses` are the days of absence on which its clock stands still. `resigned` is since when, and `address` the
    player's own, where it is another one than at the beginning.
    """

    bank: int = 0
    misses: int = 0
    turns: int = 0
    pauses: tuple[Pause, ...] = ()
    resigned: datetime | None = None
    stand_in: StandIn | None = None
    address: str = ""

    @property
    def gone(self) -> datetime | None:
        """Since when nobody plays the seat."""
        return None if self.stand_in else self.resigned

    @property
    def plays(self) -> bool:
        """Whether anybody plays the seat."""
        return self.gone is None
