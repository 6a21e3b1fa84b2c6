"""Taking a lock off one card, with a proof that it was this player's lock (Chaum and Pedersen)."""

from __future__ import annotations

from attrs import frozen

from tkid.record.locked import group
from tkid.record.locked.group import InvalidError, Point, Scalar
from tkid.record.locked.schedule import Secrets, scalar


@frozen
class Unlock:
    """A lock that a seat took off a place: the point that is left, and the proof."""

    seat: int
    place: int
    point: Point
    e: Scalar
    z: Scalar


def unlocked(secrets: Secrets, seat: int, place: int, of: Point) -> Unlock:
    """Take a player's lock off a place that has now the point `of`."""
    key, w = secrets.key, secrets.blind_unlock(place, of)
    left = group.times(group.inverse(key), of)
    shown = secrets.public, of, left, group.times_base(w), group.times(w, left)
    e = scalar("unlock challenge", secrets.terms, secrets.name, place, *shown)
    return Unlock(seat, place, left, e, group.total(w, group.product(e, key)))


def verify(terms: bytes, name: str, public: Point, of: Point, unlock: Unlock) -> None:
    """Check that a player's lock was taken off the point `of`. Raises InvalidError."""
    left = group.point(unlock.point)
    e, z = group.scalar(unlock.e), group.scalar(unlock.z)
    base = group.minus(group.times_base(z), group.times(e, public))
    other = group.minus(group.times(z, left), group.times(e, of))
    if scalar("unlock challenge", terms, name, unlock.place, public, of, left, base, other) != e:
        raise InvalidError("does not prove that this is the card without the lock")
