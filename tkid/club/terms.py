"""The terms of a club: whom it takes in, what is published, how long an absence of the host is forgiven."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal, get_args

from attrs import frozen

Welcome = Literal["nobody", "invited", "everybody"]
WELCOMES: tuple[Welcome, ...] = get_args(Welcome)
"""Who may come to play: nobody but those whom the owner seats; whom a member invites too; whoever writes."""


Bots = Literal["no", "random", "greedy", "search"]
BOTS: tuple[Bots, ...] = get_args(Bots)
"""Which bots may take a seat: none, or all up to this player."""


@frozen
class ClubTerms:
    """The terms of a club.

    `name` is what it is called, "" for nothing. `pages` is the address at which its pages are, "" where it has none.
    `credited` is the shortest absence of the host for which clocks are set forward.

    `observers` says whether members may observe games. `unsubscribe` is the address at which a mail program's button ends
    letters that are no turns, "" where that goes by mail alone. `bots` is the strongest player that may take over a seat;
    with `no` no program plays. `delay` is by how many turns all who do not play a game see it late.
    """

    name: str = ""
    welcome: Welcome = "invited"
    pages: str = ""
    credited: timedelta = timedelta(hours=6)
    observers: bool = True
    unsubscribe: str = ""
    bots: Bots = "random"
    delay: int = 0
