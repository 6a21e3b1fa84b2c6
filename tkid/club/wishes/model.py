"""The orders of members as values: what one person wishes, beside the games that are arranged at the door."""

from __future__ import annotations

from attrs import frozen

from tkid.club.door.model import ClubOrder


@frozen
class SetDigest(ClubOrder):
    """Asks for one mail a day, or for single mails again."""

    daily: bool


@frozen
class ChangeAddress(ClubOrder):
    """Asks that everything of the sender's goes to another address, in lower case."""

    to: str


@frozen
class AnswerMove(ClubOrder):
    """Agrees to a change of address, or does not: `yes` or `no` in reply to the letter that asks."""

    agrees: bool


@frozen
class Observe(ClubOrder):
    """Asks for a mail about each turn of a game, so many turns late."""

    game: str
    delay: int = 0


@frozen
class StopObserving(ClubOrder):
    """Ends observing a game, or all where none is named."""

    game: str = ""


@frozen
class AllowObservers(ClubOrder):
    """Keeps observers out of a game, or lets them in again."""

    game: str
    allowed: bool


@frozen
class TakeSeat(ClubOrder):
    """Asks for the seat of a player of a game; `name` is the name that the sender plays under, "" for the usual one."""

    player: str
    game: str
    name: str = ""


@frozen
class OfferSeat(ClubOrder):
    """Offers the seat of a player of a game to whoever takes it first."""

    player: str
    game: str


@frozen
class SetAnonymous(ClubOrder):
    """Asks for a pseudonym in what is published, or ends it."""

    on: bool


@frozen
class SetCalendar(ClubOrder):
    """Asks for a calendar file in turn mails, or ends it."""

    on: bool


@frozen
class Stop(ClubOrder):
    """Ends the letters of the kind that is answered: what a mail program's button for unsubscribing sends."""
