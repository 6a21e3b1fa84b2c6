"""The names of players as a reader may see them, and the person behind several addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from attrs import evolve

from tkid.club.club_state import ClubState
from tkid.club.game_facts import Cast
from tkid.club.lobby import Table
from tkid.club.members import FORMER, Member, find_member_seats, is_pseudonym
from tkid.club.members import MEMBER_KIND as MEMBER
from tkid.club.order_values import name_from
from tkid.club.tournament import Leg, Tournament
from tkid.club.values import get_mailbox
from tkid.mail.hosted_game import HostedGame
from tkid.mail.order_machine import Mail
from tkid.record.clock_notes import Moved, list_stand_ins, make_note_reader
from tkid.record.format.model import find_name_faults
from tkid.rulebook import cites


@cites("club.person")
def find_person(state: ClubState) -> Callable[[str], str]:
    """Return a function that gives the mailbox by which a person is known, by any address of theirs."""
    moved = {get_mailbox(kept.id): get_mailbox(kept.data) for kept in state.list_documents(FORMER)}

    def person(address: str) -> str:
        return moved.get(get_mailbox(address), get_mailbox(address))

    return person


@cites("club.person")
def is_player(game: HostedGame, address: str, state: ClubState) -> bool:
    """Return True if somebody plays a game, or has played a seat of it, under any address."""
    person = find_person(state)
    return person(address) in set(map(person, _list_addresses(game)))


@cites("club.new-game")
def find_host_seat(game: HostedGame, host: str) -> str:
    """Return the name of a player who has the address of the host, which plays no game; "" if no player has it."""
    addresses = ((game.names[seat], game.find_address(seat)) for seat in game.seats)
    return next((name for name, address in addresses if get_mailbox(address) == get_mailbox(host)), "")


def _list_addresses(game: HostedGame) -> Iterator[str]:
    now = chain.from_iterable((game.find_address(seat), game.find_own_address(seat)) for seat in game.seats)
    lines = map(make_note_reader(game.record.names).read_line, game.record.list_remarks())
    moved = (line.address for line in lines if isinstance(line, Moved))
    began = (seat.address for seat in game.record.seats)
    stood_in = (line.address for line in list_stand_ins(game.record))
    yield from filter(None, chain(now, began, stood_in, moved))


@cites("club.anonymous")
def find_display_name(name: str, member: Member) -> str:
    """Return the name of a player for readers who do not play with them."""
    return member.shown if member.anonymous else name


def find_member(document: Callable[[str, str], str | None], address: str) -> Member:
    """Return the member with an address, now, before, or in its mailbox, an anonymous one first."""
    found = list[Member]()
    for each in dict.fromkeys((address.lower(), get_mailbox(address))):
        text = document(MEMBER, each) or document(MEMBER, document(FORMER, each) or "")
        found += [Member.read_text(text)] if text else []
    return next((member for member in found if member.anonymous), next(iter(found), Member.make_new(address)))


def find_cast(game: HostedGame, member: Callable[[str], Member]) -> Cast:
    """Return the names of a game for readers who do not play it. `member` looks somebody up by address."""
    names, hidden, stand_ins = list[str](), set[str](), dict[str, str]()
    for seat, name in enumerate(game.names):
        time = game.time.seats[seat]
        own = member(game.record.seats[seat].address if time.stand_in else game.find_address(seat))
        names.append(find_display_name(name, own))
        hidden |= {name} if own.anonymous else set()
        if time.stand_in and (other := member(time.stand_in.address)).anonymous:
            stand_ins[time.stand_in.name] = find_display_name(time.stand_in.name, other)
            hidden.add(time.stand_in.name)
    return Cast(number_names(names), frozenset(hidden), stand_ins)


@cites("club.anonymous")
def list_seat_names(game: HostedGame, mail: Mail, state: ClubState) -> tuple[tuple[str, str], ...]:
    """Return the name of each seat, and of who plays it now, for the sender of a mail."""
    players = [game.find_player(seat) for seat in game.seats]
    if mail.sender.role == "owner" or is_player(game, mail.address, state):
        return tuple(zip(game.names, players, strict=True))
    cast = find_cast(game, lambda address: find_member(state.get_text, address))
    standing_in = (game.time.seats[seat].stand_in is not None for seat in game.seats)
    return tuple(
        (name, cast.stand_ins.get(player, player) if is_stand_in else name)
        for name, player, is_stand_in in zip(cast.names, players, standing_in, strict=True)
    )


@cites("club.anonymous")
def show_lobby(table: Table, reader: str, state: ClubState) -> Table:
    """Return a game that gathers players as a reader may see it. Who invited, and who was invited, know each other."""
    acquainted = {table.maker, *(place.address for place in table.places if place.invited)}

    def name(address: str, own: str) -> str:
        knows = address == reader or {address, reader} <= acquainted
        return own if knows else find_display_name(own, find_member(state.get_text, address))

    places = tuple(evolve(place, name=name(place.address, place.name)) for place in table.places)
    return evolve(table, places=places)


@cites("club.anonymous")
def show_tournament(tournament: Tournament, reader: str, member: Callable[[str], Member]) -> Tournament:
    """Return a tournament as a reader may see it: with real names on the reader's own side."""
    own, sides = tournament.side_of(reader), list(tournament.sides)
    for number, side in enumerate(tournament.sides):
        if number != own:
            shown = (evolve(each, name=find_display_name(each.name, member(each.address))) for each in side.people)
            sides[number] = evolve(side, people=tuple(shown))
    return evolve(tournament, sides=tuple(sides))


@cites("club.anonymous")
def seat_under_pseudonyms(leg: Leg, member: Callable[[str], Member]) -> Leg:
    """Return a game of a tournament in which anonymous players sit under their pseudonyms."""
    names = number_names([find_display_name(each.name, member(each.address)) for each in leg.seats])
    return evolve(leg, seats=tuple(evolve(each, name=name) for each, name in zip(leg.seats, names, strict=True)))


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


@cites("club.names")
def own_names(mail: Mail, state: ClubState) -> list[str]:
    """Return the names that the sender of a mail may play under, best first.

    The name as a member comes first, then the name in another game, the name beside the address in the mail, the first word
    of that, and a name made from the address.
    """
    member = state.find_member(mail.address)
    played = (
        game.find_player(seat)
        for _, game in state.list_games_of(mail.address)
        for seat in find_member_seats(game, mail.address)
    )
    known = member.name or next((name for name in played if not is_pseudonym(name)), "")
    return list(dict.fromkeys((*([known] if known else names_of(mail)), name_from(mail.address))))


def names_of(mail: Mail) -> list[str]:
    """Return the name beside the address in a mail and its first word, as far as they can be names."""
    written = dict.fromkeys((mail.sender.name, mail.sender.name.partition(" ")[0]))
    return [name for name in written if not any(find_name_faults(name, (), ())) and not is_pseudonym(name)]
