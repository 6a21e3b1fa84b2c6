"""Seats that a program plays: the header `X-Bot: Merlin search 1000` names the seat, the player, and how long it thinks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from tkid.record.format.model import Header, Record
from tkid.rulebook import cites

BOT = "X-Bot"
BY_MAIL = 300
"""So many positions a program looks at for a turn at a host: it plays within a transaction."""
FORM = re.compile(r"(?P<name>.+?)\s+(?P<player>[a-z][a-z-]*)\s+(?P<thought>[0-9]{1,9})")


@frozen
class BotSeat:
    """A program at a seat: the name of the player, and how many positions it may look at for a turn."""

    player: str
    thought: int


@cites("record.bot")
def bot_seats(record: Record) -> Mapping[int, BotSeat]:
    """The programs that play, by seat; a header that cannot be read, or names nobody, stands for none."""
    found = {}
    seats = {name.casefold(): seat for seat, name in enumerate(record.names)}
    for header in record.headers:
        match = FORM.fullmatch(header.value.strip()) if header.name.casefold() == BOT.casefold() else None
        if match and match["name"].casefold() in seats:
            found[seats[match["name"].casefold()]] = BotSeat(match["player"], int(match["thought"]))
    return found


def with_bots(record: Record, bots: Mapping[int, BotSeat]) -> Record:
    """A record whose header says which programs play."""
    headers: Sequence[Header] = [
        Header(BOT, f"{record.names[seat]} {bot.player} {bot.thought}") for seat, bot in sorted(bots.items())
    ]
    return evolve(record, headers=(*record.headers, *headers))


def who_are_bots(record: Record) -> str:
    """Which seats programs play, as a sentence; "" for none."""
    told = [f"{record.names[seat]} ({bot.player})" for seat, bot in sorted(bot_seats(record).items())]
    return f"Played by a program: {', '.join(told)}." if told else ""
