"""The games of a member: whose turn it is and until when, nearest deadline first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from attrs import frozen

from tkid.mail.game.clock import Shown, shown
from tkid.mail.game.hosted_game import HostedGame

NEVER = datetime.max.replace(tzinfo=UTC)


@frozen
class MemberGame:
    """A game in which a member has a seat.

    `clock` is what the clock shows for the next player, None where none runs.
    """

    id: str
    game: HostedGame
    seat: int
    clock: Shown | None = None

    @property
    def mine(self) -> bool:
        """Whether the member is to act; an adjourned game goes on by that."""
        return self.game.awaited == self.seat

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.game.time.over

    @property
    def end(self) -> datetime | None:
        """When the time is out, or the grace where the time is out already; None where no clock runs."""
        if self.clock is None:
            return None
        return self.clock.deadline if self.clock.stage == "running" else self.clock.end

    @property
    def order(self) -> tuple[bool, bool, datetime, str]:
        """What games are sorted by: those that wait for the member, those that are played, the nearest deadline, the name."""
        return self.over, not self.mine, self.end or NEVER, self.id.casefold()


def seats_of(game: HostedGame, address: str) -> tuple[int, ...]:
    """The seats that somebody plays: their own, unless a stand-in has it, and those that they stand in for."""
    return tuple(seat for seat in game.seats if game.address(seat).lower() == address.lower())


def member_games(
    games: Mapping[str, HostedGame] | Iterable[tuple[str, HostedGame]], address: str, now: datetime
) -> list[MemberGame]:
    """The games that a member plays: first those that wait for the member, the nearest deadline first; ended ones last."""
    pairs = games.items() if isinstance(games, Mapping) else games
    return sorted(_of(pairs, address, now), key=lambda each: each.order)


def _of(games: Iterable[tuple[str, HostedGame]], address: str, now: datetime) -> Iterator[MemberGame]:
    for name, game in games:
        for seat in seats_of(game, address):
            if game.time.seats[seat].plays:
                yield MemberGame(name, game, seat, shown(game.time, now))
