"""Who carries out which order of a member."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from tkid.club.door.model import ClubOrder
from tkid.club.door.visit import ClubState, Result, Visit
from tkid.club.wishes import model, moving, observing, seats, settings

WISHES: Mapping[type[ClubOrder], Callable[[Any, Visit, ClubState], Result]] = MappingProxyType(
    {
        model.SetDigest: settings.set_digest,
        model.SetAnonymous: settings.set_anonymous,
        model.SetCalendar: settings.set_calendar,
        model.Stop: settings.stop,
        model.Observe: observing.observe,
        model.StopObserving: observing.stop_observing,
        model.AllowObservers: observing.allow_observers,
        model.TakeSeat: seats.take_seat,
        model.OfferSeat: seats.offer_seat,
        model.ChangeAddress: moving.change_address,
        model.AnswerMove: moving.answer_move,
    }
)
"""By the class of the order."""
