"""What a host remembers of a game besides its record: wishes, plans, what each player was told. As text for a store."""

from __future__ import annotations

import json
from typing import Any

from attrs import evolve, frozen

from tkid.mail.game.plans import Plan

EVERY_TURN = "every turn"
MY_TURNS = "my turns"


@frozen
class SeatMemory:
    """What is remembered of a seat.

    `told` is up to which turn its player has been told what happened, `last_plan` the highest number a plan of theirs
    ever had, `wish` which news is wanted (EVERY_TURN, MY_TURNS, or the family's word of what is decided), `pictures`
    whether letters may have them, `notes` what became of plans since the last letter: sentences for nobody else.
    """

    wish: str
    told: int = 0
    plans: tuple[Plan, ...] = ()
    last_plan: int = 0
    notes: tuple[str, ...] = ()
    pictures: bool = True


@frozen
class Proposal:
    """That a turn is taken back: its number, whose proposal it is, which seats agree."""

    turn: int
    by: int
    agreed: tuple[int, ...]


@frozen
class Memory:
    """What is remembered of a game.

    `asked` names the turn for which the player to act was asked and `looked` the one for which that player's plans were
    looked at (`tkid.mail.game.hosted_game.Hosted.stand`); `done` what the clock asked for and was done, by name
    (`tkid.mail.game.clock.Due`).
    """

    seats: tuple[SeatMemory, ...]
    asked: str = ""
    done: tuple[str, ...] = ()
    proposal: Proposal | None = None
    looked: str = ""

    @classmethod
    def new(cls, seats: int, wish: str) -> Memory:
        """Of a game that begins."""
        return cls((SeatMemory(wish),) * seats)

    @classmethod
    def read(cls, text: str) -> Memory:
        """As a store keeps it. Raises ValueError, KeyError or TypeError where that was not written here."""
        data = json.loads(text)
        seats = tuple(_seat(entry) for entry in data["seats"])
        proposal = data["proposal"]
        return cls(
            seats,
            data["asked"],
            tuple(data["done"]),
            Proposal(proposal["turn"], proposal["by"], tuple(proposal["agreed"])) if proposal else None,
            data["looked"],
        )

    @property
    def text(self) -> str:
        """As a store keeps it."""
        proposal = self.proposal
        data = {
            "seats": [_written(seat) for seat in self.seats],
            "asked": self.asked,
            "done": list(self.done),
            "proposal": {"turn": proposal.turn, "by": proposal.by, "agreed": list(proposal.agreed)}
            if proposal
            else None,
            "looked": self.looked,
        }
        return json.dumps(data, ensure_ascii=False)

    def with_seat(self, seat: int, **changes: Any) -> Memory:
        """With something else remembered of a seat, by the names of `SeatMemory`."""
        changed = evolve(self.seats[seat], **changes)
        return evolve(self, seats=(*self.seats[:seat], changed, *self.seats[seat + 1 :]))


def _seat(entry: dict[str, Any]) -> SeatMemory:
    plans = tuple(Plan(number, since, text) for number, since, text in entry["plans"])
    notes, pictures = tuple(entry["notes"]), bool(entry.get("pictures", True))
    return SeatMemory(entry["wish"], entry["told"], plans, entry["last_plan"], notes, pictures)


def _written(seat: SeatMemory) -> dict[str, Any]:
    return {
        "told": seat.told,
        "wish": seat.wish,
        "plans": [[plan.number, plan.since, plan.text] for plan in seat.plans],
        "last_plan": seat.last_plan,
        "notes": list(seat.notes),
        "pictures": seat.pictures,
    }
