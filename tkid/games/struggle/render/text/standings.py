"""Who leads a region, and how its power struggle ends or would end, from the followers in it alone."""

from __future__ import annotations

from tkid.games.struggle.render.text.people import capital, people, score, verb
from tkid.games.struggle.rules.board import Board, Followers
from tkid.games.struggle.rules.turns.struggles import leaders


def standing(board: Board, region: int, followers: Followers) -> str:
    """How the power struggle in a region would end with these followers: as a sentence that says `as it stands`."""
    ahead, name = leaders(followers), board.name(region)
    if not ahead:
        return f"Nobody stands there: {name} would be {board.terms.lost}."
    if len(ahead) > 1:
        tied = people(board, ahead)
        return f"As it stands, {tied} tie {score(followers)}: {name} would be {board.terms.lost}."
    win = verb(board, ahead, "wins", "win")
    return f"As it stands, {people(board, ahead)} {win} {name} {score(followers)}."


def settled(board: Board, region: int, followers: Followers) -> str:
    """How a power struggle with these followers ends, to go into a sentence: `the Welsh win Gwynedd 3-1`."""
    ahead, name = leaders(followers), board.name(region)
    if len(ahead) == 1:
        return f"{people(board, ahead)} {verb(board, ahead, 'wins', 'win')} {name} {score(followers)}"
    why = f"{people(board, ahead)} tie {score(followers)}" if ahead else "nobody is there"
    return f"{name} {board.terms.falls}: {why}"


def settling(board: Board, region: int, followers: Followers) -> str:
    """The same for the last line before a turn is sent: `Settles Strathclyde: Welsh win 3-1`."""
    return f"Settles {board.name(region)}: {outcome(board, followers)}"


def outcome(board: Board, followers: Followers) -> str:
    """The same without the region: `Welsh win 3-1`, `Scots and Welsh tie 1-1, unstable`."""
    ahead = leaders(followers)
    if not ahead:
        return f"nobody is there, {board.terms.lost}"
    if len(ahead) > 1:
        return f"{people(board, ahead)} tie {score(followers)}, {board.terms.lost}"
    return f"{people(board, ahead, article=False)} {verb(board, ahead, 'wins', 'win')} {score(followers)}"


def state(board: Board, followers: Followers) -> str:
    """How a region is, to go behind `it was`: `a 2-2 tie`, `Welsh 3-1`, `empty`."""
    ahead = leaders(followers)
    if not ahead:
        return "empty"
    if len(ahead) > 1:
        return f"a {score(followers)} tie"
    return f"{board.factions[ahead[0]].name} {score(followers)}"


def lead(board: Board, region: int, followers: Followers) -> str:
    """Who leads a region now, as a sentence without its full stop: `The Welsh now lead Gwynedd 3-1`."""
    ahead, name = leaders(followers), board.name(region)
    if not ahead:
        return f"Nobody is left in {name}"
    if len(ahead) > 1:
        return f"{people(board, ahead)} now tie {score(followers)} in {name}"
    return capital(f"{people(board, ahead)} now {verb(board, ahead, 'leads', 'lead')} {name} {score(followers)}")
