"""Who is one person at a club: all addresses of one mailbox, and those that somebody had before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from tkid.club.door.visit import ClubState
from tkid.club.members import FORMER
from tkid.club.values import mailbox
from tkid.mail.game.hosted_game import HostedGame
from tkid.record.clock.interventions import Moved
from tkid.record.clock.notes import note_reader, stand_ins
from tkid.rulebook import cites


@cites("club.person")
def find_person(state: ClubState) -> Callable[[str], str]:
    """Return a function that gives the mailbox by which a person is known, by any address of theirs."""
    moved = {mailbox(kept.id): mailbox(kept.text) for kept in state.documents(FORMER) if kept.text}

    def person(address: str) -> str:
        return moved.get(mailbox(address), mailbox(address))

    return person


@cites("club.person")
def plays(game: HostedGame, address: str, state: ClubState) -> bool:
    """Return True if somebody plays a game, or has played a seat of it, under any address."""
    person = find_person(state)
    return person(address) in set(map(person, _addresses(game)))


@cites("club.new-game")
def find_host_seat(game: HostedGame, host: str) -> str:
    """Return the name of a player who has the address of the host, which plays no game; "" if nobody has."""
    addresses = ((game.names[seat], game.address(seat)) for seat in game.seats)
    return next((name for name, address in addresses if mailbox(address) == mailbox(host)), "")


def _addresses(game: HostedGame) -> Iterator[str]:
    """The addresses of all who play a game or have played it."""
    now = chain.from_iterable((game.address(seat), game.own_address(seat)) for seat in game.seats)
    lines = map(note_reader(game.record.names).line, game.record.remarks())
    moved = (line.address for line in lines if isinstance(line, Moved))
    began, stood_in = (seat.address for seat in game.record.seats), (line.address for line in stand_ins(game.record))
    yield from filter(None, chain(now, began, stood_in, moved))
