"""Who leads a region, and how its power struggle ends or would end, from the followers in it alone."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.struggle.render.text.people import capital, people, score, verb
from tkid.games.struggle.rules.board import UNSTABLE, Board, Followers
from tkid.games.struggle.rules.turns.struggles import leaders
from tkid.notation.numbers import number
from tkid.notation.vocabulary import listed


def standing(board: Board, region: int, followers: Followers, *, last: bool = False, scored: bool = True) -> str:
    """How the power struggle in a region would end with these followers, as a sentence; without `scored`, without numbers.

    `last` says that it would be the last region that may be lost: the game would end.
    """
    ahead, name = leaders(followers), board.name(region)
    numbers = f" {score(followers)}" if scored else ""
    if len(ahead) == 1:
        return f"As it stands, {people(board, ahead)} {verb(board, ahead, 'wins', 'win')} {name}{numbers}."
    lost = f"{board.terms.invaders} would invade" if last else f"{name} would be {board.terms.lost}"
    if not ahead:
        return f"Nobody is there: {lost}."
    tied = f"all {number(len(ahead))} factions" if len(ahead) == len(board.factions) else people(board, ahead)
    return f"As it stands, {tied} tie{numbers}: {lost}."


def settled(board: Board, region: int, followers: Followers) -> str:
    """How a power struggle with these followers ends, to go into a sentence: `the Welsh win Gwynedd 3-1`."""
    ahead, short = leaders(followers), settled_shortly(board, region, followers)
    if len(ahead) == 1:
        return f"{short} {score(followers)}"
    return f"{short}: {people(board, ahead)} tie {score(followers)}" if ahead else f"{short}: nobody is there"


def settled_shortly(board: Board, region: int, followers: Followers) -> str:
    """The same without numbers: `the Welsh win Gwynedd`, `Warwick becomes unstable`."""
    ahead, name = leaders(followers), board.name(region)
    if len(ahead) == 1:
        return f"{people(board, ahead)} {verb(board, ahead, 'wins', 'win')} {name}"
    return f"{name} {board.terms.falls}"


def settled_together(board: Board, disc: int, regions: Sequence[int]) -> str:
    """The same for several regions that get the same disc: `the Welsh win Gwynedd and Devon`."""
    names = listed(map(board.name, regions), "and")
    if disc == UNSTABLE:
        return f"{names} {'become' if len(regions) > 1 else 'becomes'} {board.terms.lost}"
    return f"{people(board, [disc])} {verb(board, [disc], 'wins', 'win')} {names}"


def outcome(board: Board, followers: Followers) -> str:
    """The same behind the region: `Welsh win 3-1`, `Scots and Welsh tie 1-1, so it is unstable`."""
    ahead, lost = leaders(followers), f"so it is {board.terms.lost}"
    if not ahead:
        return f"nobody is there, {lost}"
    names = people(board, ahead, article=False)
    if len(ahead) > 1:
        return f"{names} tie {score(followers)}, {lost}"
    return f"{names} {verb(board, ahead, 'wins', 'win')} {score(followers)}"


def before(board: Board, followers: Followers) -> str:
    """Who led a region, to go behind its new state: `the Welsh led 2-1`, `Scots and Welsh tied 2-2`, `nobody was there`."""
    ahead = leaders(followers)
    if not ahead:
        return "nobody was there"
    return f"{people(board, ahead)} {'led' if len(ahead) == 1 else 'tied'} {score(followers)}"


def lead(board: Board, region: int, followers: Followers) -> str:
    """Who leads a region now, as a sentence without its full stop: `The Welsh now lead Gwynedd 3-1`."""
    ahead, name = leaders(followers), board.name(region)
    if not ahead:
        return f"Nobody is left in {name}"
    if len(ahead) > 1:
        return f"{people(board, ahead)} now tie {score(followers)} in {name}"
    return capital(f"{people(board, ahead)} now {verb(board, ahead, 'leads', 'lead')} {name} {score(followers)}")
