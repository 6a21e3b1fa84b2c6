"""Factions and followers in sentences: `the Welsh`, `two Scots and an English follower`, `3-1`."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.struggle.rules.board import Board, Followers
from tkid.notation.numbers import number
from tkid.notation.vocabulary import listed, with_article

DASH = "\u2013"
"""Between the numbers of a score."""
APOSTROPHE = "\u2019"


def people(board: Board, factions: Sequence[int], *, article: bool = True) -> str:
    """Factions as the subject or object of a sentence: `the Welsh`, `Mordred`; several without articles: `Scots and Welsh`."""
    names = [board.factions[faction].people for faction in factions]
    alone = article and len(factions) == 1 and factions[0] not in board.apart
    return f"the {names[0]}" if alone else listed(names, "and")


def verb(board: Board, factions: Sequence[int], one: str, more: str) -> str:
    """The form of a verb behind some factions: `more`, but `one` behind a faction that is a person."""
    return one if len(factions) == 1 and factions[0] in board.apart else more


def score(followers: Followers) -> str:
    """The followers of the leader and of the next: `3-1`; the same number of each who tie: `2-2`."""
    most, *rest = sorted(followers, reverse=True)
    tied = followers.count(most)
    return DASH.join(map(str, [most] * tied if tied > 1 else [most, rest[0]]))


def group(board: Board, followers: Followers, *, again: bool = False) -> str:
    """Some followers: `a Welsh follower`, `two Scots`, `two Scots and an English follower`.

    `again` is for a sentence that has already said that they are followers: `a Welsh one`.
    """
    present = [(faction, count) for faction, count in enumerate(followers) if count]
    single = [faction for faction, count in present if count == 1]
    noun = "one" if again else "follower"
    texts = []
    for faction, count in present:
        name = board.factions[faction].name
        if faction in board.apart:
            texts.append(f"{_counted(count)} of {name}")
        elif count > 1:
            texts.append(f"{number(count)} {board.factions[faction].people}")
        else:
            texts.append(with_article(name) + (f" {noun}" if faction == single[-1] else ""))
    return listed(texts, "and") if texts else "nobody"


def follower(board: Board, faction: int) -> str:
    """One follower: `a Welsh follower`, `an English follower`."""
    return group(board, board.one(faction))


def _counted(count: int) -> str:
    return "a follower" if count == 1 else f"{number(count)} followers"


def capital(text: str) -> str:
    """A text with a capital at its start."""
    return f"{text[:1].upper()}{text[1:]}"
