"""What a host remembers of a game besides its record: wishes, plans, what each player was told. As text for a store."""

from __future__ import annotations

import json
from datetime import datetime
from hashlib import sha256
from typing import Any

from attrs import astuple, evolve, field, frozen
from cattrs import Converter

from tkid.mail.game.plans import Plan
from tkid.rulebook import cites

EVERY_TURN = "every turn"
MY_TURNS = "my turns"


DIGITS = 10
"""Characters of the digest that names an offer."""


@frozen
class Offer:
    """What a letter offers to carry out when its reader says so: order lines in canonical form.

    It holds at turn `turn` and after the hash `after`, and no longer. With `choice` the reader picks one line by its
    number; otherwise `yes` orders all lines.
    """

    turn: int
    after: str
    lines: tuple[str, ...]
    choice: bool = False

    @property
    def id(self) -> str:
        """A short name: another one for another offer."""
        named = "\n".join((str(self.turn), self.after, str(self.choice), *self.lines))
        return sha256(named.encode("utf-8", "replace")).hexdigest()[:DIGITS]


@frozen
class Held:
    """A turn that waits to be played, so that its sender can stop it: the lines, when the mail came, and until when, in UTC."""

    offer: Offer
    since: str
    until: str

    @property
    def since_time(self) -> datetime:
        """When the mail came."""
        return datetime.fromisoformat(self.since)

    @property
    def until_time(self) -> datetime:
        """When the turn is played."""
        return datetime.fromisoformat(self.until)


@frozen
class SeatMemory:
    """What is remembered of a seat.

    `told` is up to which turn its player has been told what happened, `last_plan` the highest number a plan of theirs
    ever had, `wish` which news is wanted (EVERY_TURN, MY_TURNS, or the game's word of what is decided), `pictures`
    whether letters may have them, `notes` what became of plans since the last letter: sentences for nobody else.
    `offer` is what the last letter with an offer offers, and `elsewhere` what a mail from another address asked for.
    `held` is a turn that is played in a while, unless its player stops it.
    """

    told: int = 0
    wish: str = field(kw_only=True)
    plans: tuple[Plan, ...] = ()
    last_plan: int = 0
    notes: tuple[str, ...] = ()
    pictures: bool = True
    offer: Offer | None = None
    elsewhere: Offer | None = None
    held: Held | None = None

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What may be agreed to."""
        held = self.held.offer if self.held is not None else None
        return tuple(offer for offer in (self.offer, self.elsewhere, held) if offer is not None)


@frozen
class Proposal:
    """That a turn is taken back: its number, whose proposal it is, which seats agree."""

    turn: int
    by: int
    agreed: tuple[int, ...]


@frozen
class Agreement:
    """That the game ends or pauses: `draw`, `abandon` or `pause`, whose proposal it is, which seats agree.

    `until` is the day until which the game would pause, as it is written in a record.
    """

    what: str
    by: int
    agreed: tuple[int, ...]
    until: str = ""


@frozen
class Memory:
    """What is remembered of a game.

    `asked` names the turn for which the player to act was asked and `looked` the one for which that player's plans were
    looked at (`HostedGame.stand`); `done` what the clock asked for and was done, by name (`tkid.mail.game.clock.Due`).
    """

    seats: tuple[SeatMemory, ...]
    asked: str = ""
    done: tuple[str, ...] = ()
    proposal: Proposal | None = None
    looked: str = ""
    agreement: Agreement | None = None

    @classmethod
    def new(cls, seats: int, wish: str) -> Memory:
        """Of a game that begins."""
        return cls((SeatMemory(wish=wish),) * seats)

    @classmethod
    def read(cls, text: str) -> Memory:
        """As a store keeps it. Raises ValueError, KeyError or TypeError where that was not written here."""
        return _STORED.structure(json.loads(text), cls)

    @property
    def text(self) -> str:
        """As a store keeps it."""
        return json.dumps(_STORED.unstructure(self), ensure_ascii=False)

    def with_seat(self, seat: int, **changes: Any) -> Memory:
        """With something else remembered of a seat, by the names of `SeatMemory`."""
        changed = evolve(self.seats[seat], **changes)
        return evolve(self, seats=(*self.seats[:seat], changed, *self.seats[seat + 1 :]))

    @cites("mail.offer")
    def without_offers(self) -> Memory:
        """With no offer open: each was for the turn that is over."""
        if not any(seat.offers for seat in self.seats):
            return self
        return evolve(self, seats=tuple(evolve(seat, offer=None, elsewhere=None, held=None) for seat in self.seats))


_STORED = Converter(detailed_validation=False)
_STORED.register_unstructure_hook(Plan, astuple)
_STORED.register_structure_hook(Plan, lambda values, _: Plan(*values))
