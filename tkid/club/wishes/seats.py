"""Carries out taking over a seat that is offered: after a resignation, when the clock offers it, or when the owner does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from attrs import evolve

from tkid.club import values
from tkid.club.display_names import seat_names
from tkid.club.door.names import nearest
from tkid.club.door.visit import ClubState, Kept, Result, Visit
from tkid.club.members import is_pseudonym
from tkid.club.own_names import own_names
from tkid.club.persons import find_person, plays
from tkid.club.wishes.answers import done, refused
from tkid.club.wishes.model import OfferSeat, TakeSeat
from tkid.club.wishes.observing import found, no_game, observers_of
from tkid.club.wishes.offers import KIND, Offers
from tkid.mail.desk import service
from tkid.mail.game.clock import shown
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.letters.content import Announcement
from tkid.notation.people import single
from tkid.notation.vocabulary import listed
from tkid.record.clock.notes import StandIn
from tkid.record.format.names import name_faults
from tkid.record.format.table_names import newcomer_faults
from tkid.rulebook import cites

RULE = "club.seat"
TAKEN = "Another player has a name like this"
Names = Sequence[tuple[str, str]]
"""The name of each seat, and of who plays it, as somebody may see them."""


@cites("club.seat")
def free_seats(game: HostedGame, offers: Offers, now: datetime) -> tuple[int, ...]:
    """The seats of a game that anybody may take."""
    if game.time.over:
        return ()
    clock = shown(game.time, now)
    late = clock.seat if clock is not None and clock.stage == "out" and clock.then == "stand-in" else None
    return tuple(seat for seat in game.seats if game.time.seats[seat].gone or seat == late or seat in offers.seats)


@cites("club.seat", "post.stand-in")
def take_seat(order: TakeSeat, visit: Visit, state: ClubState) -> Result:
    """A seat for whoever asks first. Everybody at the table is told, and the new player gets the game."""
    known = found(state, order.game)
    if known is None:
        offered = (
            each for each in state.running() if nearest(order.game.lower(), [each]) and _offers(state, each, visit)
        )
        return no_game(order.game, RULE, offered)
    name, game = known
    names = seat_names(game, visit, state)
    offers, seat = Offers.of(state, name), _seat(names, order.player)
    candidates = [order.name] if order.name else own_names(visit, state)
    faults = {each: next(_name_faults(game, each, names), None) for each in candidates}
    own = next((each for each, fault in faults.items() if fault is None), candidates[-1])
    why = _why_not(visit, state, name, game, seat, names) or faults[own]
    if why is not None or seat is None:
        typed = order.player if seat is None else ""
        return refused(RULE, *(why or (f"Nobody called {order.player} plays in {name}", _players(names))), typed=typed)
    line = StandIn(seat, own, game.moment(visit.time), visit.sender)
    outcome = service.noted(game, line, visit.time)
    at_once = tuple(evolve(each, may_wait=each.may_wait and each.seat != seat) for each in outcome.letters)
    left = Offers(tuple(each for each in offers.seats if each != seat))
    kept = (Kept(KIND, name, values.write(left) if left.seats else None),) if offers.seats else ()
    return Result(kept=kept, changes=((name, evolve(outcome, letters=at_once)),))


@cites("club.seat")
def offer_seat(order: OfferSeat, visit: Visit, state: ClubState) -> Result:
    """The owner offers a seat; the players are told, and its player may play until somebody takes it."""
    if not visit.owner:
        return refused(RULE, "Only the owner of the host may offer a seat", "`take seat` takes one that is offered.")
    known = found(state, order.game)
    if known is None:
        return no_game(order.game, RULE, state.running())
    name, game = known
    names = seat_names(game, visit, state)
    seat = _seat(names, order.player)
    if seat is None or game.time.over:
        return refused(RULE, f"Nobody called {order.player} plays in {name}", _players(names), typed=order.player)
    offers = Offers.of(state, name)
    if seat in offers.seats:
        return done(f"{game.names[seat]}'s seat in {name} is offered already.", _taken_by(game.names[seat], name))
    kept = Kept(KIND, name, values.write(Offers(tuple(sorted({*offers.seats, seat})))))
    who = game.names[seat]
    text = f"The host offers {who}'s seat to somebody else. Until somebody takes it, {who} may play."
    told = Announcement(tuple(game.seats), text, rule=RULE, subject="a seat is offered")
    answer = done(f"{who}'s seat in {name} is offered.", _taken_by(who, name), kept=(kept,))
    return evolve(answer, changes=((name, service.announced(game, (told,), visit.time)),))


def seat_hint(name: str, visit: Visit, state: ClubState) -> str:
    """How to take a seat of a game that goes on, where one is free; "" where none is."""
    game = state.game(name)
    if game is None:
        return ""
    names, free = seat_names(game, visit, state), free_seats(game, Offers.of(state, name), visit.time)
    ways = [f"`take seat {names[seat][0]} of {name}`" for seat in free]
    return f"{name} has begun, and a seat is free. To play on for somebody, write {listed(ways)}." if ways else ""


def _taken_by(who: str, name: str) -> str:
    """How an offered seat is taken."""
    return f"Whoever writes `take seat {who} of {name}` first has it."


def _offers(state: ClubState, name: str, visit: Visit) -> bool:
    """Whether anybody may take a seat of a game."""
    game = state.game(name)
    return game is not None and bool(free_seats(game, Offers.of(state, name), visit.time))


def _seat(names: Names, typed: str) -> int | None:
    """The seat of a player, by the name or by that of a stand-in."""
    wanted = single(typed)
    every = [(each[which], seat) for which in (0, 1) for seat, each in enumerate(names)]
    return next((seat for name, seat in every if single(name) == wanted), None)


@cites("club.person")
def _why_not(  # noqa: PLR0917 - who asks, and for which seat of which game
    visit: Visit, state: ClubState, name: str, game: HostedGame, seat: int | None, names: Names
) -> tuple[str, str] | None:
    """Why somebody may not take a seat, and the way out; None where they may."""
    if plays(game, visit.sender, state):
        return "You play this game, or have played it, so you cannot take another seat in it", ""
    observers, person = observers_of(state, name), find_person(state)
    if person(visit.sender) in {person(each.address) for each in observers.watching}:
        return "You observe this game, so you cannot play in it", ""
    if person(visit.sender) in set(map(person, observers.undelayed)):
        return "You have observed this game without a delay, so you cannot play in it", ""
    free = free_seats(game, Offers.of(state, name), visit.time)
    if seat is None or seat in free:
        return None
    hint = f"Free now: {listed((names[each][0] for each in free), 'and')}." if free else "No seat is free there now."
    return f"{names[seat][0]}'s seat in {name} is not offered", hint


def _players(names: Names) -> str:
    """Who plays, as a way out."""
    return f"The players are {listed((name for name, _ in names), 'and')}."


def _name_faults(game: HostedGame, name: str, names: Names) -> Iterator[tuple[str, str]]:
    """Why somebody cannot play under a name beside the players of a game, and the way out.

    `names` are those that the newcomer may see.
    """
    others, visible = [*game.names, *map(game.player, game.seats)], [each for pair in names for each in pair]
    other = "To play under another name, write `as` and the name behind your order."
    if is_pseudonym(name):
        yield f"`{name}` reads like the pseudonym of somebody who is anonymous", other
    for _, message, _ in name_faults(name, (), ()):
        yield message, other
    for fault in newcomer_faults(game.record.game, name, visible):
        yield fault, other
    if any(newcomer_faults(game.record.game, name, others)):
        yield TAKEN, other
