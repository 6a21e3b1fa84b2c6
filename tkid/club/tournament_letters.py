"""Announce a tournament, and write its letters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction

from attrs import evolve

from tkid.club.club_state import write_club_letter
from tkid.club.results import Result
from tkid.club.tournament import TOURNAMENT_KIND, Entrant, Leg, Pairing, Side, System, Tournament
from tkid.club.values import get_mailbox
from tkid.mail import letter_parts
from tkid.mail.blocks import Block, Button, Buttons, Facts, Heading, Paragraph
from tkid.mail.envelope import is_address
from tkid.mail.game_clock import describe_terms
from tkid.mail.order_machine import ClubLetter
from tkid.mail.plugin import find_mail_plugin, read_terms
from tkid.notation.names import list_names
from tkid.notation.plugin import WrongError
from tkid.notation.text import capitalize_text, count_noun_in_words, fold_name
from tkid.record.clock import CLOCK, read_clock, write_clock
from tkid.record.format.model import Header, Record
from tkid.record.format.new_game import NewGameError, find_table_faults, new_record
from tkid.rulebook import cites
from tkid.rulebook.rulesets import ruleset

NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?", re.IGNORECASE)
"""How a tournament may be called. The names of its games begin with it."""
TEAM = re.compile(r"\+(?![^<]*>)")
"""What stands between the players of a team: a plus that is in no address."""
ENTROPY = bytes(32)
"""Entropy of tables that are only tried."""
SIDES = 2
LARGEST_TEAM = 2


class TournamentError(ValueError):
    """A tournament cannot be held as it was asked for; the message says why, and what to do."""


def announce_tournament(  # noqa: PLR0917 - the tournament and its players
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
    """Make a tournament that is announced. Raises TournamentError and UnknownRulesetError.

    Each of `players` is `NAME <ADDRESS>`, for a team several of these joined by ` + `. `rounds` is 0 for a round robin;
    `clock` is "" for the usual terms, "none" for no clock; each of `rulings` is `ID OPTION`. `seated` says that all
    have agreed already, `is_open` that anybody may join until it begins.
    """
    if not NAME.fullmatch(name):
        raise TournamentError(
            f"`{name}` cannot be the name: use up to 40 letters, digits and hyphens, such as spring-cup."
        )
    if system == "swiss" and rounds < 1:
        raise TournamentError("A Swiss tournament has at least one round: add a number, such as `--swiss 5`.")
    sides = tuple(Side(tuple(_read_entrant(each, seated=seated) for each in TEAM.split(player))) for player in players)
    _check_sides(code, sides)
    if is_open and len(sides[0].people) > 1:
        raise TournamentError(
            "Only a tournament of single players can be open. Leave out --open, or name single players."
        )
    tournament = Tournament(
        name, system, rounds, ruleset(code).code, sides, now, _write_terms(code, clock), tuple(rulings), open=is_open
    )
    _check_tables(tournament)
    return tournament


@cites("club.tournament.open")
def add_joiner(tournament: Tournament, name: str, address: str) -> Tournament:
    """Add an uninvited player to a tournament. Raises TournamentError."""
    sides = (*tournament.sides, Side((Entrant(name, address, "accepted"),)))
    _check_sides(tournament.ruleset, sides)
    changed = evolve(tournament, sides=sides)
    _check_tables(changed)
    return changed


def _read_entrant(typed: str, *, seated: bool) -> Entrant:
    name, _, rest = typed.partition("<")
    address = rest.strip().removesuffix(">").strip()
    if not name.strip() or not is_address(address):
        raise TournamentError(
            f"`{typed.strip()}` is not a player: write a name and an address, such as 'Ann <ann@example.org>'."
        )
    return Entrant(" ".join(name.split()), address.lower(), "accepted" if seated else "asked")


@cites("club.tournament.sides")
def _check_sides(code: str, sides: Sequence[Side]) -> None:
    """Check that there are at least two sides, all alike, that the ruleset can seat, and that everybody enters once."""
    if len(sides) < SIDES:
        raise TournamentError("A tournament needs two sides or more.")
    sizes = {len(side.people) for side in sides}
    if len(sizes) > 1 or max(sizes) > LARGEST_TEAM:
        raise TournamentError("All sides are single players, or all are teams of two. [club.tournament.sides]")
    parties = ruleset(code).game().parties.get(2 * min(sizes), ())
    if len(parties) != SIDES:
        title = ruleset(code).title
        raise TournamentError(f"{title} is not played by two teams. Name single players. [club.tournament.sides]")
    people = [each for side in sides for each in side.people]
    names, addresses = [fold_name(each.name) for each in people], [get_mailbox(each.address) for each in people]
    for what, values in (("name", names), ("address", addresses)):
        twice = [value for value, count in Counter(values).items() if count > 1]
        if twice:
            said = f"The {what} {twice[0]} is named twice, but everybody plays once."
            raise TournamentError(f"{said} [club.tournament.sides]")


def _write_terms(code: str, typed: str) -> str:
    try:
        terms = read_terms(typed, ruleset(code).game())
    except WrongError as wrong:
        raise TournamentError(" ".join(f"The clock: {each}. {each.hint}" for each in wrong.problems)) from None
    return write_clock(terms) if terms else ""


def _check_tables(tournament: Tournament) -> None:
    """Check that records can be made for all players: a trial with two sides, and that all names differ enough."""
    names = [each.name for each in tournament.people]
    game = ruleset(tournament.ruleset).game()
    if faults := find_table_faults(game, names):
        raise TournamentError("\n".join(faults))
    one, other = tournament.sides[:2]
    people = tuple(each for pair in zip(one.people, other.people, strict=True) for each in pair)
    try:
        make_game_record(tournament, Leg(0, tournament.name, people, starts=True), ENTROPY)
    except NewGameError as error:
        raise TournamentError("\n".join(error.messages)) from None


def make_game_record(tournament: Tournament, leg: Leg, entropy: bytes) -> Record:
    """Make the record of a game that begins, dealt from 32 bytes of `entropy`. Raises NewGameError."""
    players = [f"{each.name} <{each.address}>" for each in leg.seats]
    first = "1" if leg.starts else ""
    record = new_record(tournament.ruleset, players, entropy, title=leg.game, first=first, rulings=tournament.rulings)
    if not tournament.clock:
        return record
    return evolve(record, headers=(*record.headers, Header(CLOCK, tournament.clock)))


SYSTEMS = {"round-robin": "round robin", "swiss": "Swiss tournament"}
INVITED = "You get this mail because the owner of this host entered your name. Reply `block` and it never writes to you again."


FOOTER = "You get this mail because you play in this tournament. Reply `stop` for no more mails about it."
LAST = "This is the last mail about this tournament."
Seen = Callable[[str], Tournament]
"""A tournament as the reader with an address may see it."""


def write_points(points: Fraction) -> str:
    """Write points as people do: `2`, `2½`, or with other parts as `2 1/3`."""
    whole, part = divmod(points, 1)
    if not part:
        return str(whole)
    if part == Fraction(1, 2):
        return f"{whole or ''}½"
    return f"{f'{whole} ' if whole else ''}{part}"


@cites("club.tournament.accept", "club.tournament.open")
def describe_beginning(tournament: Tournament) -> str:
    if tournament.open:
        return "Anybody may join, and the tournament begins when the owner of the host says so."
    return "The tournament begins when everybody has answered."


@cites("club.tournament.accept")
def write_tournament_invitation(tournament: Tournament, entrant: Entrant, now: datetime) -> ClubLetter:
    """Write an invitation to play; the tournament is as the reader may see it."""
    game = find_mail_plugin(ruleset(tournament.ruleset).game()).title
    mate = _find_mate(tournament, entrant)
    body: tuple[Block, ...] = (
        Paragraph(f"Reply `accept` or `decline`. {describe_beginning(tournament)}"),
        Buttons((Button("Accept", "accept"), Button("No, thanks", "decline"))),
        Heading("THE TOURNAMENT"),
        Facts(tuple(_list_facts(tournament))),
        *([Paragraph(f"You would play in a team with {mate}.")] if mate else []),
    )
    lead = f"You are invited to a {SYSTEMS[tournament.system]} of {game}. Will you play?"
    return _write_letter(tournament, entrant, now, "You are invited to a tournament", lead, body, INVITED, "block")


@cites("club.tournament.round")
def round_letters(
    tournament: Tournament, results: Mapping[str, Result], now: datetime, seen: Seen
) -> Iterator[ClubLetter]:
    """Return each player's letter on a new round: pairing and table; `seen` is what a reader may see."""
    number, pairs, sides = len(tournament.played), tournament.played[-1], tournament.sides
    for pair in pairs:
        for side in (side for side in pair.sides if not sides[side].left):
            other = next((each for each in pair.sides if each != side), None)
            for entrant in (each for each in sides[side].people if not each.silent):
                tournament = seen(entrant.address)
                rival = tournament.sides[other] if other is not None else None
                opponent = rival.name if rival and not rival.left else ""
                you = f"You and {mate}" if (mate := _find_mate(tournament, entrant)) else "You"
                deed = f"{you} play {opponent}" if opponent else f"{you} have a bye"
                body = (
                    Paragraph(_explain_round(tournament, pair, side, opponent)),
                    Heading(f"ROUND {number}"),
                    Facts(tuple(_list_pairs(tournament, pairs))),
                    *_write_table(tournament, results),
                )
                subject = f"Round {number}: {f'you play {opponent}' if opponent else 'you have a bye'}"
                lead = f"Round {number} of {tournament.planned} begins. {deed}."
                yield _write_letter(tournament, entrant, now, subject, lead, body)


def final_letters(
    tournament: Tournament, results: Mapping[str, Result], now: datetime, seen: Seen
) -> Iterator[ClubLetter]:
    """Write the letters about the end of a tournament to all who took part, as each may see it."""
    for side in tournament.sides:
        for entrant in (each for each in side.people if not each.silent):
            tournament = seen(entrant.address)
            first = [tournament.sides[line.side].name for line in tournament.build_table(results) if line.place == 1]
            won = list_names(first, "and")
            name = "you" if won == side.name and len(side.people) == 1 else won
            lead = "The tournament is over." + (f" {capitalize_text(name)} won." if won else "")
            body = (*_write_table(tournament, results), Paragraph("Thank you for playing."))
            subject = f"Tournament over: {name} won" if won else "Tournament over"
            yield _write_letter(tournament, entrant, now, subject, lead, body, LAST)


def _write_letter(  # noqa: PLR0917 - whose letter, and what it says
    tournament: Tournament,
    entrant: Entrant,
    now: datetime,
    subject: str,
    lead: str,
    body: tuple[Block, ...],
    footer: str = FOOTER,
    stop: str = "stop",
) -> ClubLetter:
    to, about = (entrant.address, entrant.name), f"{TOURNAMENT_KIND} {tournament.name}"
    lead = letter_parts.choose_lead(lead, subject)
    return write_club_letter(to, about, f"[{tournament.name}] {subject}", lead, body, now, footer, stop=stop)


def _find_mate(tournament: Tournament, entrant: Entrant) -> str:
    side = next(side for side in tournament.sides if entrant in side.people)
    return next((each.name for each in side.people if each != entrant), "")


def _list_facts(tournament: Tournament) -> Iterator[tuple[str, str]]:
    yield "Game", ruleset(tournament.ruleset).title
    yield "Players", list_names([side.name for side in tournament.sides], "and")
    if tournament.system == "swiss":
        yield "Rounds", f"{count_noun_in_words(tournament.planned, 'round')}, one game in each"
    else:
        yield "Rounds", "everybody plays two games against everybody"
    clock = read_clock(tournament.clock).clock if tournament.clock else None
    yield "Clock", describe_terms(clock) if clock else "none"


@cites("club.tournament.deals", "club.tournament.bye")
def _explain_round(tournament: Tournament, pair: Pairing, side: int, opponent: str) -> str:
    if not opponent:
        point = " You get a point." if tournament.system == "swiss" else ""
        return f"You do not play in this round.{point}"
    if tournament.legs == 1:
        return "You start." if pair.first == side else f"{opponent} starts."
    if tournament.swapped:
        return "You play two games with the same deal and with seats swapped. The second begins when the first is over."
    return "You play two games with seats swapped. They have different deals, and both begin now."


def _list_pairs(tournament: Tournament, pairs: tuple[Pairing, ...]) -> Iterator[tuple[str, str]]:
    for board, pair in enumerate(pairs, 1):
        names = [tournament.sides[side].name for side in pair.sides]
        yield str(board), f"{names[0]} against {names[1]}" if len(names) > 1 else f"{names[0]} has a bye"


def _write_table(tournament: Tournament, results: Mapping[str, Result]) -> tuple[Block, ...]:
    rows = []
    for line in tournament.build_table(results):
        side = tournament.sides[line.side]
        left = ", has left" if side.left else ""
        points = f"{write_points(line.points)} {'point' if line.points == 1 else 'points'}"
        source = f"from {count_noun_in_words(line.games, 'game')}" if line.games else "before the first game"
        source = "from a bye" if line.points and not line.games else source
        rows.append((f"{line.place}. {side.name}", f"{points} {source}{left}"))
    return (Heading("TABLE"), Facts(tuple(rows)))
