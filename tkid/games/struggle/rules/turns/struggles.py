"""Power struggles: who wins a region, and what follows for the board."""

from __future__ import annotations

from functools import cache, lru_cache

from attrs import frozen

from tkid.games.struggle.rules.board import UNSTABLE, Board, Followers, plus
from tkid.games.struggle.rules.position import Position, put
from tkid.kernel.game import Event
from tkid.rulebook import Ids, cites

STRUGGLES_REMEMBERED = 1 << 14


@frozen
class ResolvedRegion:
    """A power struggle that was resolved: where, the followers that took part, and the disc that lies there now."""

    region: int
    followers: Followers
    disc: int


@cache
def leaders(followers: Followers) -> tuple[int, ...]:
    """The factions with the most followers: one leads, several tie, () where nobody stands."""
    most = max(followers)
    return tuple([faction for faction, n in enumerate(followers) if n == most]) if most else ()


def outcome(followers: Followers) -> tuple[int, str]:
    """The disc that a region with these followers gets, and the rule (local id) that says so."""
    ahead = leaders(followers)
    if not ahead:
        return UNSTABLE, "struggle.empty"
    return (ahead[0], "struggle.majority") if len(ahead) == 1 else (UNSTABLE, "struggle.tie")


@cites("struggle.contested", "struggle.return", "struggle.face-down", "board.control")
def resolve(position: Position, board: Board, ids: Ids) -> tuple[Position, Event]:
    """Resolve the power struggle in the contested region."""
    region = position.contested
    if region is None:
        raise ValueError("every power struggle is resolved")
    followers = position.regions[region]
    disc, rule = outcome(followers)
    after = position.but(
        regions=put(position.regions, region, (0,) * len(followers)),
        discs=put(position.discs, region, disc),
        supply=plus(position.supply, followers),
        struggles=(*position.struggles, region),
        passes=0,
    )
    return after, _resolved(board, ids, rule, region, followers, disc)


@lru_cache(STRUGGLES_REMEMBERED)
def _resolved(board: Board, ids: Ids, rule: str, region: int, followers: Followers, disc: int) -> Event:  # noqa: PLR0917
    """A power struggle in words."""
    name, counted = board.name(region), board.counted(followers)
    text = {
        "struggle.majority": f"{board.disc(disc)} followers win the power struggle in {name} ({counted})",
        "struggle.tie": f"{name} is tied ({counted}) and {board.terms.falls}",
        "struggle.empty": f"{name} has no followers and {board.terms.falls}",
    }[rule]
    return Event(
        ids(rule), text, f"{name}: {board.outcome(disc)} ({counted})", about=ResolvedRegion(region, followers, disc)
    )
