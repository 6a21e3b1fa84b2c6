"""A tournament as it is announced: who is asked to play what, and what is wrong with that; and the records of its games."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from attrs import evolve

from tkid.club.results.tournament import Entrant, Leg, Side, System, Tournament
from tkid.club.values import mailbox
from tkid.mail.inbound.envelope import is_address
from tkid.mail.plugin import agreed
from tkid.notation.text import folded
from tkid.record.clock.terms import CLOCK, DEFAULT, read_clock, write_clock
from tkid.record.format.model import Header, Record
from tkid.record.format.new_game import NewGameError, new_record
from tkid.record.format.table_names import new_table_faults
from tkid.rulebook import cites
from tkid.rulebook.rulesets import ruleset

NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?", re.IGNORECASE)
"""How a tournament may be called. The names of its games begin with it."""
TEAM = re.compile(r"\+(?![^<]*>)")
"""What stands between the players of a team: a plus that is in no address."""
NO_CLOCK = "none"
ENTROPY = bytes(32)
"""What tables are dealt from that are only tried."""
SIDES = 2
LARGEST_TEAM = 2


class TournamentError(ValueError):
    """A tournament cannot be held as it was asked for; the message says why, and what to do."""


def announced(  # noqa: PLR0917 - what is played, and by whom
    name: str,
    system: System,
    rounds: int,
    code: str,
    players: Sequence[str],
    now: datetime,
    *,
    clock: str = "",
    rulings: Sequence[str] = (),
    seated: bool = False,
    is_open: bool = False,
) -> Tournament:
    """A tournament that is announced.

    Args:
        name: its name; the names of its games begin with it.
        system: how it is played.
        rounds: how many rounds; of a round robin, 0.
        code: the ruleset.
        players: the sides, each as `NAME <ADDRESS>`, or `NAME <ADDRESS> + NAME <ADDRESS>` for a team.
        now: when it is announced.
        clock: the terms of the clock, "" for the usual ones, "none" for no clock.
        rulings: readings of rulings, each `ID OPTION`.
        seated: whether everybody has agreed already.
        is_open: whether anybody may join until it begins.

    Returns:
        The tournament, in which nobody has answered yet unless they are seated.

    Raises:
        TournamentError: something is wrong with it.
        UnknownRulesetError: there is no such ruleset.
    """
    if not NAME.fullmatch(name):
        raise TournamentError(
            f"`{name}` cannot be the name: use up to 40 letters, digits and hyphens, such as spring-cup."
        )
    if system == "swiss" and rounds < 1:
        raise TournamentError("A Swiss tournament has at least one round: add a number, such as `--swiss 5`.")
    sides = tuple(Side(tuple(_entrant(each, seated=seated) for each in TEAM.split(player))) for player in players)
    _check_sides(code, sides)
    if is_open and len(sides[0].people) > 1:
        raise TournamentError(
            "Only a tournament of single players can be open. Leave out --open, or name single players."
        )
    tournament = Tournament(
        name, system, rounds, ruleset(code).code, sides, now, _terms(code, clock), tuple(rulings), open=is_open
    )
    _check_tables(tournament)
    return tournament


@cites("club.tournament.open")
def joined(tournament: Tournament, name: str, address: str) -> Tournament:
    """A tournament that somebody has joined who was not invited. Raises TournamentError."""
    sides = (*tournament.sides, Side((Entrant(name, address, "accepted"),)))
    _check_sides(tournament.ruleset, sides)
    changed = evolve(tournament, sides=sides)
    _check_tables(changed)
    return changed


def _entrant(typed: str, *, seated: bool) -> Entrant:
    """Somebody who is asked to play."""
    name, _, rest = typed.partition("<")
    address = rest.strip().removesuffix(">").strip()
    if not name.strip() or not is_address(address):
        raise TournamentError(
            f"`{typed.strip()}` is not a player: write a name and an address, such as 'Ann <ann@example.org>'."
        )
    return Entrant(" ".join(name.split()), address.lower(), "accepted" if seated else "asked")


@cites("club.tournament.sides")
def _check_sides(code: str, sides: Sequence[Side]) -> None:
    """Two sides or more, all alike, that the ruleset can seat; everybody once."""
    if len(sides) < SIDES:
        raise TournamentError("A tournament needs two sides or more.")
    sizes = {len(side.people) for side in sides}
    if len(sizes) > 1 or max(sizes) > LARGEST_TEAM:
        raise TournamentError("All sides are single players, or all are teams of two. [club.tournament.sides]")
    parties = ruleset(code).game().parties.get(2 * min(sizes), ())
    if len(parties) != SIDES:
        raise TournamentError(
            f"{ruleset(code).title} is not played by two teams. Name single players. [club.tournament.sides]"
        )
    people = [each for side in sides for each in side.people]
    for what, counts in (
        ("name", Counter(folded(each.name) for each in people)),
        ("address", Counter(mailbox(each.address) for each in people)),
    ):
        twice = [value for value, count in counts.items() if count > 1]
        if twice:
            raise TournamentError(
                f"The {what} {twice[0]} is there twice, but everybody plays once. [club.tournament.sides]"
            )


def _terms(code: str, typed: str) -> str:
    """The terms of the clock as a record has them."""
    if typed == NO_CLOCK:
        return ""
    terms = DEFAULT
    if typed:
        reading = read_clock(typed)
        if reading.clock is None or reading.problems:
            raise TournamentError(" ".join(f"The clock: {problem}. {problem.hint}" for problem in reading.problems))
        terms = reading.clock
    return write_clock(agreed(terms, ruleset(code).game()))


def _check_tables(tournament: Tournament) -> None:
    """Whether records can be made for all who play: a trial with two sides, and that all names can be told apart."""
    names = [each.name for each in tournament.people]
    game = ruleset(tournament.ruleset).game()
    if faults := new_table_faults(game, names):
        raise TournamentError("\n".join(faults))
    one, other = tournament.sides[:2]
    people = tuple(each for pair in zip(one.people, other.people, strict=True) for each in pair)
    try:
        record_of(tournament, Leg(0, tournament.name, people, starts=True), ENTROPY)
    except NewGameError as error:
        raise TournamentError("\n".join(error.messages)) from None


def record_of(tournament: Tournament, leg: Leg, entropy: bytes) -> Record:
    """The record of a game that begins. Raises NewGameError.

    Args:
        tournament: the tournament.
        leg: the game.
        entropy: 32 bytes to deal from.
    """
    players = [f"{each.name} <{each.address}>" for each in leg.seats]
    first = "1" if leg.starts else ""
    record = new_record(tournament.ruleset, players, entropy, title=leg.game, first=first, rulings=tournament.rulings)
    if not tournament.clock:
        return record
    return evolve(record, headers=(*record.headers, Header(CLOCK, tournament.clock)))
