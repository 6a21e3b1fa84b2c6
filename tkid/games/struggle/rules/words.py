"""Factions, followers and power struggles in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tkid.games.struggle.rules.board import UNSTABLE, Board, Followers
from tkid.notation.names import add_article
from tkid.notation.text import spell_number
from tkid.notation.voice import inflect_verb, list_and


@cache
def find_leaders(followers: Followers) -> tuple[int, ...]:
    """Return the factions with the most followers: one leads, several tie, () in an empty region."""
    most = max(followers)
    return tuple([faction for faction, n in enumerate(followers) if n == most]) if most else ()


def name_factions(board: Board, factions: Sequence[int]) -> str:
    """Name the people of factions in a sentence: `the Welsh`, `Mordred`; several have no articles: `Scots and Welsh`."""
    names = [board.factions[faction].people for faction in factions]
    alone = len(factions) == 1 and factions[0] not in board.apart
    return f"the {names[0]}" if alone else list_and(names)


def say_factions(board: Board, factions: Sequence[int], verb: str, *, past: bool = False) -> str:
    """Say what factions do: `the Welsh win`, `Mordred wins`, `Scots and Welsh tied`."""
    one = len(factions) == 1 and factions[0] in board.apart
    return f"{name_factions(board, factions)} {inflect_verb(verb, one=one, past=past)}"


def describe_followers(board: Board, followers: Followers, *, again: bool = False) -> str:
    """Describe followers: `two Scots and an English follower`; `again`, after a mention of followers: `a Welsh one`."""
    present = [(faction, count) for faction, count in enumerate(followers) if count]
    single = [faction for faction, count in present if count == 1]
    noun = "one" if again else "follower"
    texts = []
    for faction, count in present:
        name = board.factions[faction].name
        if faction in board.apart:
            texts.append(f"{'a follower' if count == 1 else f'{spell_number(count)} followers'} of {name}")
        elif count > 1:
            texts.append(f"{spell_number(count)} {board.factions[faction].people}")
        else:
            texts.append(add_article(name) + (f" {noun}" if faction == single[-1] else ""))
    return list_and(texts) or "nobody"


def count_people(board: Board, faction: int, count: int) -> str:
    """Write followers with a figure: `2 Scots`, `1 Scot`."""
    people = board.factions[faction].people
    return f"{count} {people if count > 1 else people.removesuffix('s')}"


def format_score(followers: Followers) -> str:
    """Write the followers of the leader and of the next, `3 to 1`, or those of each faction that ties, `at 2`."""
    most, next_most = sorted(followers, reverse=True)[:2]
    return f"at {most}" if most == next_most else f"{most} to {next_most}"


def say_outcome(board: Board, disc: int, regions: Sequence[int], *, past: bool = False) -> str:
    """Say how regions come out that get the same disc: `the Welsh win Gwynedd and Devon`, `Warwick became unstable`."""
    names = list_and(map(board.name, regions))
    if disc != UNSTABLE:
        return f"{say_factions(board, [disc], 'win', past=past)} {names}"
    verb, _, rest = board.terms.falls.partition(" ")
    return f"{names} {inflect_verb(verb, one=len(regions) == 1, past=past)} {rest}"


def describe_struggle(board: Board, region: int, followers: Followers, *, past: bool = False) -> str:
    """Describe a power struggle: `the Welsh win Gwynedd 3 to 1`, `Warwick became unstable, as Scots and Welsh tied at 2`."""
    ahead = find_leaders(followers)
    if len(ahead) == 1:
        return f"{say_outcome(board, ahead[0], [region], past=past)} {format_score(followers)}"
    tie = f"{say_factions(board, ahead, 'tie', past=past)} {format_score(followers)}"
    empty = f"nobody {'was' if past else 'is'} there"
    return f"{say_outcome(board, UNSTABLE, [region], past=past)}, as {tie if ahead else empty}"


def describe_arrival(board: Board, faction: int, region: int, *, past: bool = False) -> str:
    """Describe a follower who comes to a region: `a follower of Mordred came to Din Eidyn`."""
    one = describe_followers(board, board.make_single(faction))
    return f"{one} {inflect_verb('come', one=True, past=past)} to {board.name(region)}"
