"""Seats that a program plays: the header `X-Bot: Merlin search 1000` names the seat, the player, and how long it thinks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve, frozen

from tkid.notation.text import folded
from tkid.notation.vocabulary import listed
from tkid.record.format.model import Header, Record
from tkid.rulebook import cites

BOT = "X-Bot"
BY_MAIL = 300
"""So many positions a program looks at for a turn at a host: it plays within a transaction."""
ENOUGH = 1_000_000
"""No program may look at more positions for a turn."""
PLAYERS = ("random", "greedy", "search")
"""How a program can play, the weakest first."""
FORM = re.compile(r"(?P<name>.+?)\s+(?P<player>[a-z][a-z-]*)\s+(?P<thought>[0-9]{1,20})")


@frozen
class BotSeat:
    """A program at a seat: the name of the player, and how many positions it may look at for a turn."""

    player: str
    thought: int


@cites("record.bot")
def bot_seats(record: Record) -> Mapping[int, BotSeat]:
    """The programs that play, by seat; a header that is wrong stands for none."""
    every = _seated(record.headers, record.names)
    return {seat: bot for _, seat, bot in every if isinstance(bot, BotSeat)}


@cites("record.bot.form")
def bot_faults(headers: Sequence[Header], names: Sequence[str]) -> Iterator[tuple[Header, str]]:
    """The headers that seat programs in a wrong way, each with what is wrong."""
    return ((header, fault) for header, _, fault in _seated(headers, names) if isinstance(fault, str))


def _seated(headers: Sequence[Header], names: Sequence[str]) -> Iterator[tuple[Header, int, BotSeat | str]]:
    """Each header that seats a program, the seat (-1 for none), and the program or what is wrong."""
    seats = {folded(name): seat for seat, name in enumerate(names)}
    taken: set[int] = set()
    for header in headers:
        if header.name.casefold() != BOT.casefold():
            continue
        match = FORM.fullmatch(header.value)
        if match is None:
            yield header, -1, "This does not seat a program"
            continue
        seat, thought = seats.get(folded(match["name"]), -1), int(match["thought"])
        if seat < 0:
            yield header, seat, f"There is no player {match['name']}"
        elif seat in taken:
            yield header, seat, f"{names[seat]} is played by a program already"
        elif match["player"] not in PLAYERS:
            yield header, seat, f"No program plays like `{match['player']}`: there is only {listed(PLAYERS, 'and')}"
        elif not 0 < thought <= ENOUGH:
            yield header, seat, f"No program may look at {thought:,} positions"
        else:
            taken.add(seat)
            yield header, seat, BotSeat(match["player"], thought)


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
