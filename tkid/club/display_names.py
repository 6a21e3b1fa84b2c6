"""The names of players as a reader may see them. Nothing else decides between a name and a pseudonym."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import evolve

from tkid.club.door.visit import ClubState, Visit
from tkid.club.members import FORMER, Member
from tkid.club.members import KIND as MEMBER
from tkid.club.pages.public import Cast
from tkid.club.persons import plays
from tkid.club.results.tournament import Tournament
from tkid.club.tables import Table
from tkid.club.values import mailbox
from tkid.mail.game.hosted_game import HostedGame
from tkid.rulebook import cites


@cites("club.anonymous")
def display_name(name: str, member: Member) -> str:
    """Return the name of a player for readers who do not play with them."""
    return member.shown if member.anonymous else name


def find_member(document: Callable[[str, str], str | None], address: str) -> Member:
    """Return the member with an address, a former address, or another address of the mailbox: an anonymous one first.

    Args:
        document: gives the text of a document by kind and id.
        address: the address.
    """
    found = list[Member]()
    for each in dict.fromkeys((address.lower(), mailbox(address))):
        text = document(MEMBER, each) or document(MEMBER, document(FORMER, each) or "")
        found += [Member.read(text)] if text else []
    return next((member for member in found if member.anonymous), next(iter(found), Member.new(address)))


def cast_of(game: HostedGame, member: Callable[[str], Member]) -> Cast:
    """Return the names of a game for readers who do not play it. `member` looks somebody up by address."""
    names, hidden, stand_ins = list[str](), set[str](), dict[str, str]()
    for seat, name in enumerate(game.names):
        time = game.time.seats[seat]
        own = member(game.record.seats[seat].address if time.stand_in else game.address(seat))
        names.append(display_name(name, own))
        hidden |= {name} if own.anonymous else set()
        if time.stand_in and (other := member(time.stand_in.address)).anonymous:
            stand_ins[time.stand_in.name] = display_name(time.stand_in.name, other)
            hidden.add(time.stand_in.name)
    return Cast(number_names(names), frozenset(hidden), stand_ins)


@cites("club.anonymous")
def seat_names(game: HostedGame, visit: Visit, state: ClubState) -> tuple[tuple[str, str], ...]:
    """Return the name of each seat, and of who plays it now, for the sender of a mail."""
    players = [game.player(seat) for seat in game.seats]
    if visit.owner or plays(game, visit.sender, state):
        return tuple(zip(game.names, players, strict=True))
    cast = cast_of(game, lambda address: find_member(state.document, address))
    standing_in = (game.time.seats[seat].stand_in is not None for seat in game.seats)
    return tuple(
        (name, cast.stand_ins.get(player, player) if is_stand_in else name)
        for name, player, is_stand_in in zip(cast.names, players, standing_in, strict=True)
    )


@cites("club.anonymous")
def table_for(table: Table, reader: str, state: ClubState) -> Table:
    """Return a game that gathers players as a reader may see it. Who invited, and who was invited, know each other."""
    acquainted = {table.maker, *(place.address for place in table.places if place.invited)}

    def name(address: str, own: str) -> str:
        knows = address == reader or {address, reader} <= acquainted
        return own if knows else display_name(own, find_member(state.document, address))

    places = tuple(evolve(place, name=name(place.address, place.name)) for place in table.places)
    return evolve(table, places=places)


@cites("club.anonymous")
def tournament_for(tournament: Tournament, reader: str, member: Callable[[str], Member]) -> Tournament:
    """Return a tournament as a reader may see it: with real names on the reader's own side."""
    sides = tuple(
        side
        if tournament.side_of(reader) == number
        else evolve(
            side, people=tuple(evolve(each, name=display_name(each.name, member(each.address))) for each in side.people)
        )
        for number, side in enumerate(tournament.sides)
    )
    return evolve(tournament, sides=sides)


def number_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names at one table, each different from the others, as a record needs them."""
    taken: set[str] = set()
    result = []
    for name in names:
        number, shown = 1, name
        while shown.casefold() in taken:
            number += 1
            shown = f"{name} {number}"
        taken.add(shown.casefold())
        result.append(shown)
    return tuple(result)
