"""Letters about a tournament: the invitation, the pairings of a round, the final table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from fractions import Fraction

from tkid.club.message import ClubLetter, framed
from tkid.club.results.result import Result
from tkid.club.results.tournament import KIND, Entrant, Pairing, Tournament
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Block, Button, Buttons, Facts, Heading, Paragraph
from tkid.mail.letters.clock_text import terms
from tkid.mail.plugin import mail_plugin
from tkid.notation.numbers import counted_in_words
from tkid.notation.vocabulary import listed
from tkid.record.clock.terms import read_clock
from tkid.rulebook import cites
from tkid.rulebook.rulesets import ruleset

SYSTEMS = {"round-robin": "round robin", "swiss": "Swiss tournament"}
INVITED = "You get this mail because the owner of this host entered your name. Reply `block` and it never writes to you again."


FOOTER = "You get this mail because you play in this tournament. Reply `stop` for no more mails about it."
LAST = "This is the last mail about this tournament."
Seen = Callable[[str], Tournament]
"""A tournament as the reader with an address may see it."""


def shown(points: Fraction) -> str:
    """Points as people write them: `2`, `2½`, or with other parts as `2 1/3`."""
    whole, part = divmod(points, 1)
    if not part:
        return str(whole)
    if part == Fraction(1, 2):
        return f"{whole or ''}½"
    return f"{f'{whole} ' if whole else ''}{part}"


@cites("club.tournament.accept", "club.tournament.open")
def begins(tournament: Tournament) -> str:
    """When a tournament begins, in a sentence."""
    if tournament.open:
        return "Anybody may join, and the tournament begins when the owner of the host says so."
    return "The tournament begins when everybody has answered."


@cites("club.tournament.accept")
def invitation(tournament: Tournament, entrant: Entrant, now: datetime) -> ClubLetter:
    """The letter that asks somebody to play; the tournament is as they may see it."""
    game = mail_plugin(ruleset(tournament.ruleset).game()).title
    mate = _mate(tournament, entrant)
    body: tuple[Block, ...] = (
        Paragraph(f"Reply `accept` or `decline`. {begins(tournament)}"),
        Buttons((Button("Accept", "accept"), Button("No, thanks", "decline"))),
        Heading("THE TOURNAMENT"),
        Facts(tuple(_about(tournament))),
        *([Paragraph(f"You would play in a team with {mate}.")] if mate else []),
    )
    lead = f"You are invited to a {SYSTEMS[tournament.system]} of {game}. Will you play?"
    return _letter(tournament, entrant, now, "You are invited to a tournament", lead, body, INVITED, "block")


@cites("club.tournament.round")
def round_letters(
    tournament: Tournament, results: Mapping[str, Result], now: datetime, seen: Seen
) -> Iterator[ClubLetter]:
    """The letters about the round that has just begun: each player's pairing, and the table.

    `seen` gives the tournament as the reader with an address may see it.
    """
    number, pairs, sides = len(tournament.played), tournament.played[-1], tournament.sides
    for pair in pairs:
        for side in (side for side in pair.sides if not sides[side].left):
            other = next((each for each in pair.sides if each != side), None)
            for entrant in (each for each in sides[side].people if not each.silent):
                tournament = seen(entrant.address)
                rival = tournament.sides[other] if other is not None else None
                opponent = rival.name if rival and not rival.left else ""
                you = f"You and {mate}" if (mate := _mate(tournament, entrant)) else "You"
                deed = f"{you} play {opponent}" if opponent else f"{you} have a bye"
                body = (
                    Paragraph(_how(tournament, pair, side, opponent)),
                    Heading(f"ROUND {number}"),
                    Facts(tuple(_pairs(tournament, pairs))),
                    *_table(tournament, results),
                )
                subject = f"Round {number}: {f'you play {opponent}' if opponent else 'you have a bye'}"
                lead = f"Round {number} of {tournament.planned} begins. {deed}."
                yield _letter(tournament, entrant, now, subject, lead, body)


def final_letters(
    tournament: Tournament, results: Mapping[str, Result], now: datetime, seen: Seen
) -> Iterator[ClubLetter]:
    """The letters about the end of a tournament, to everybody who was in it, as they may see it."""
    for side in tournament.sides:
        for entrant in (each for each in side.people if not each.silent):
            tournament = seen(entrant.address)
            won = winners(tournament, results)
            name = "you" if won == side.name and len(side.people) == 1 else won
            lead = f"The tournament is over. {content.capital(name)} won." if won else "The tournament is over."
            body = (*_table(tournament, results), Paragraph("Thank you for playing."))
            subject = f"Tournament over: {name} won" if won else "Tournament over"
            yield _letter(tournament, entrant, now, subject, lead, body, LAST)


def winners(tournament: Tournament, results: Mapping[str, Result]) -> str:
    """Who is first in the table."""
    first = [tournament.sides[line.side].name for line in tournament.table(results) if line.place == 1]
    return listed(first, "and")


def _letter(  # noqa: PLR0917 - whose letter, and what it says
    tournament: Tournament,
    entrant: Entrant,
    now: datetime,
    subject: str,
    lead: str,
    body: tuple[Block, ...],
    footer: str = FOOTER,
    stop: str = "stop",
) -> ClubLetter:
    about = f"{KIND} {tournament.name}"
    blocks = framed(about, content.lead(lead, subject), body, (footer,))
    return ClubLetter(entrant.address, about, f"[{tournament.name}] {subject}", blocks, now, entrant.name, stop)


def _mate(tournament: Tournament, entrant: Entrant) -> str:
    """The other name in a team, "" for a single player."""
    side = next(side for side in tournament.sides if entrant in side.people)
    return next((each.name for each in side.people if each != entrant), "")


def _about(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """What somebody has to know who is invited."""
    yield "Game", ruleset(tournament.ruleset).title
    yield "Players", listed([side.name for side in tournament.sides], "and")
    if tournament.system == "swiss":
        yield "Rounds", f"{counted_in_words(tournament.planned, 'round')}, one game in each"
    else:
        yield "Rounds", "everybody plays two games against everybody"
    clock = read_clock(tournament.clock).clock if tournament.clock else None
    yield "Clock", terms(clock) if clock else "none"


@cites("club.tournament.deals", "club.tournament.bye")
def _how(tournament: Tournament, pair: Pairing, side: int, opponent: str) -> str:
    """What a player has to do in a round."""
    if not opponent:
        point = " You get a point." if tournament.system == "swiss" else ""
        return f"You do not play in this round.{point}"
    if tournament.legs == 1:
        return "You start." if pair.first == side else f"{opponent} starts."
    if tournament.swapped:
        return "You play two games with the same deal and with seats swapped. The second begins when the first is over."
    return "You play two games with seats swapped. They have different deals, and both begin now."


def _pairs(tournament: Tournament, pairs: tuple[Pairing, ...]) -> Iterator[tuple[str, str]]:
    for board, pair in enumerate(pairs, 1):
        names = [tournament.sides[side].name for side in pair.sides]
        yield str(board), f"{names[0]} against {names[1]}" if len(names) > 1 else f"{names[0]} has a bye"


def _table(tournament: Tournament, results: Mapping[str, Result]) -> tuple[Block, ...]:
    """The table, a line for each side."""
    rows = []
    for line in tournament.table(results):
        side = tournament.sides[line.side]
        left = ", has left" if side.left else ""
        points = f"{shown(line.points)} {'point' if line.points == 1 else 'points'}"
        source = f"from {counted_in_words(line.games, 'game')}" if line.games else "before the first game"
        source = "from a bye" if line.points and not line.games else source
        rows.append((f"{line.place}. {side.name}", f"{points} {source}{left}"))
    return (Heading("TABLE"), Facts(tuple(rows)))
