"""The letters about a host's own time: to players after it was away, and to its owner when its clock is not believed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from attrs import frozen

from tkid.club.desk.host_time import Absence, HostTime
from tkid.club.message import ClubLetter, framed
from tkid.mail.game.clock import shown
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.letters.blocks import Facts, Heading, Paragraph, Samples
from tkid.mail.letters.clock_text import length, moment
from tkid.mail.letters.content import full_rule
from tkid.rulebook import cites

ABOUT = "desk"
"""What the letters to the owner are about: a reply to one is an order of the desk."""
CLOCK = "clock"
"""What the letter to players after an absence is about."""


@frozen
class Reader:
    """A player who is told that the host was away: name, address, and the games, each with whose turn it is.

    `is_next` says that it is the reader's turn in one of them.
    """

    name: str
    address: str
    games: tuple[tuple[str, str], ...]
    is_next: bool = False


def readers(games: Iterable[tuple[str, HostedGame]], now: datetime) -> list[Reader]:
    """Everybody who plays a game in which a clock runs, each once, with all games of theirs."""
    names: dict[str, str] = {}
    addresses: dict[str, str] = {}
    rows: dict[str, list[tuple[str, str]]] = {}
    awaited = set[str]()
    for name, game in games:
        clock = shown(game.time, now)
        if clock is None:
            continue
        for seat in game.seats:
            address = game.address(seat)
            if not address or game.is_bot(seat) or not game.time.seats[seat].plays:
                continue
            key = address.lower()
            names.setdefault(key, game.player(seat))
            addresses.setdefault(key, address)
            until = moment(clock.deadline if clock.stage == "running" else clock.end)
            awaited |= {key} if seat == clock.seat else set()
            whose = "your turn" if seat == clock.seat else f"{game.names[clock.seat]}'s turn"
            row = (name, f"{whose}, until {until}")
            if row not in rows.setdefault(key, []):
                rows[key].append(row)
    return [Reader(names[key], addresses[key], tuple(rows[key]), key in awaited) for key in rows]


@cites("club.downtime")
def host_was_away(reader: Reader, away: Absence, now: datetime) -> ClubLetter:
    """The letter to a player: how long the host was away, and until when there is time in each game now."""
    lead = f"The host was away for {length(away.last - away.first)}. No clock ran in that time."
    body = (
        Paragraph(
            f"This host did not work from {moment(away.first)} to {moment(away.last)}. That time costs nobody anything: "
            "all clocks stood still. Mails that came meanwhile count as if they had come in time."
        ),
        Heading("YOUR GAMES NOW"),
        Facts(reader.games),
        Paragraph(
            "To play, answer the mail that asked you for your turn."
            if reader.is_next
            else "You need not do anything now."
        ),
    )
    blocks = framed(CLOCK, lead, body, (full_rule("club.downtime"),))
    return ClubLetter(reader.address, CLOCK, "The host was away: your time was extended", blocks, now, reader.name)


@cites("club.clock-jump")
def clock_doubted(owner: str, known: HostTime, shown_time: datetime) -> ClubLetter:
    """The letter to the owner: what the machine's clock shows, what the host believes, and how it goes on."""
    body = (
        Paragraph(
            f"The machine's clock shows {moment(shown_time)}. The host last worked on {moment(known.last)}, and by its "
            "count of seconds the clock cannot be right, or the host was away for very long."
        ),
        Paragraph(
            "Until this is settled, no clock runs: nobody is reminded and nobody misses a turn. Turns that players send "
            f"are played, with times that follow {moment(known.last)}."
        ),
        Paragraph(
            "If the clock is wrong, set it right: the host goes on by itself. If it is right, reply with this line:"
        ),
        Samples(("confirm clock",)),
    )
    lead = "The host does not believe the machine's clock. All clocks stand still."
    return ClubLetter(owner, ABOUT, "[tkid] the clock of the host jumped", framed(ABOUT, lead, body), known.last)
