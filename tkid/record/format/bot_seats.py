"""Seats that a program plays: the header `X-Bot: Merlin search 1000` names the seat, the player, and how long it thinks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve, frozen

from tkid.record.format.model import Header, Record
from tkid.rulebook import cites

BOT = "X-Bot"
BY_MAIL = 300
"""So many positions a program looks at for a turn at a host: it plays within a transaction."""
ENOUGH = 1_000_000
"""No program may look at more positions for a turn."""
FORM = re.compile(r"(?P<name>.+?)\s+(?P<player>[a-z][a-z-]*)\s+(?P<thought>[0-9]{1,20})")


@frozen
class BotSeat:
    """A program at a seat: the name of the player, and how many positions it may look at for a turn."""

    player: str
    thought: int


@cites("record.bot")
def bot_seats(record: Record) -> Mapping[int, BotSeat]:
    """The programs that play, by seat; a header that is wrong stands for none."""
    found: dict[int, BotSeat] = {}
    for header, fault in bot_faults(record.headers, record.names):
        if not fault:
            match = FORM.fullmatch(header.value)
            assert match is not None
            found[_seat(match, record.names)] = BotSeat(match["player"], int(match["thought"]))
    return found


@cites("record.bot.form")
def bot_faults(headers: Sequence[Header], names: Sequence[str]) -> Iterator[tuple[Header, str]]:
    """The headers that seat programs, each with what is wrong with it; "" where nothing is."""
    taken: set[int] = set()
    for header in headers:
        if header.name.casefold() != BOT.casefold():
            continue
        match = FORM.fullmatch(header.value)
        seat = _seat(match, names) if match else -1
        if match is None:
            fault = "This does not seat a program"
        elif seat < 0:
            fault = f"There is no player {match['name']}"
        elif seat in taken:
            fault = f"{names[seat]} is played by a program already"
        elif not 0 < int(match["thought"]) <= ENOUGH:
            fault = f"No program may look at {int(match['thought']):,} positions"
        else:
            fault = ""
            taken.add(seat)
        yield header, fault


def _seat(match: re.Match[str], names: Sequence[str]) -> int:
    """The seat that a header names, -1 for none."""
    folded = [name.casefold() for name in names]
    return folded.index(match["name"].casefold()) if match["name"].casefold() in folded else -1


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
