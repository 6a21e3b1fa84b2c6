"""Carry out members' orders: address, digest, pseudonym, calendar, observing, seats; confirmations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from attrs import evolve, has

from tkid.club.club_state import ClubState, Offers, write_club_letter
from tkid.club.digest import DigestBook
from tkid.club.lobby import TABLE_KIND, Table
from tkid.club.members import DAILY, FORMER, GAME_NAMES, Member, explain_pseudonym
from tkid.club.names import (
    find_cast,
    find_display_name,
    find_member,
    find_person,
    is_player,
    list_seat_names,
    own_names,
)
from tkid.club.observers import MAX_OBSERVERS, OBSERVE_ABOUT, Observer, Observers, show_first
from tkid.club.order_values import LONGEST_GAME_NAME, ClubOrder, find_nearest_name
from tkid.club.tournament import TOURNAMENT_KIND, Tournament
from tkid.club.values import CALENDARS, get_mailbox
from tkid.kernel.problems import Kind
from tkid.mail import game_service, order_machine
from tkid.mail.blocks import Blocks, Button, Buttons, Paragraph
from tkid.mail.game_clock import format_moment, read_game_clock
from tkid.mail.hosted_game import HostedGame, Proposal
from tkid.mail.letter_parts import Announcement
from tkid.mail.model import Address, Document, Stored
from tkid.mail.order_machine import ClubLetter, Mail, OrderResult, Request, refuse_order, report_done
from tkid.notation.names import list_names, simplify_name
from tkid.notation.text import count_noun
from tkid.record.clock_notes import Moved, StandIn
from tkid.record.format.model import find_name_faults
from tkid.record.format.new_game import find_newcomer_faults, split_fault
from tkid.rulebook import cites

ASKED = "asked"
"""The first word of the subject of a letter that asks for a confirmation of a mail."""
WAITS = timedelta(days=7)
"""How long a proposal waits for its answers."""
DOCUMENTS: tuple[type[Stored], ...] = (Member, Table, Observers, Tournament, Proposal, DigestBook, Offers)
BY_ADDRESS = (Member, DigestBook)
"""Documents whose ids are addresses: there is one for each person."""


def has_address(of: Any) -> bool:
    """Return True if a class of values, or any part of it, has a field for somebody's address."""
    return of is not None and any(each == Address for each in _list_types(of))


def _list_types(of: Any) -> Iterator[Any]:
    yield of
    if get_origin(of) is Annotated:
        return
    parts = get_type_hints(of, include_extras=True).values() if has(of) else get_args(of)
    for each in parts:
        yield from _list_types(each)


HOLDING = tuple(of.KIND for of in DOCUMENTS if has_address(of) and of not in BY_ADDRESS)
"""Kinds that have the addresses of several people in them: a change of address reads them all."""


MOVE_ABOUT = "address"
"""The first word of the subject of letters about a change of address."""
MOST_ASKED = 3
"""Changes of address that somebody may ask for on one day."""
MOVE_RULE = "club.address"


def find_proposal(about: str, address: str, state: ClubState) -> Proposal | None:
    """Return the proposal in a letter to somebody, by the letter's subject; None if it no longer waits for an answer."""
    word, _, name = about.partition(" ")
    table = state.find_value(Table, name) if word == TABLE_KIND else None
    place = table.place(address) if table else None
    if word == TOURNAMENT_KIND or (place is not None and not place.accepted):
        return Proposal("invitation", lines=("accept",))
    stored = state.find_value(Proposal, name) if word in {ASKED, MOVE_ABOUT} else None
    return stored if stored and address in stored.people else None


@cites("club.address", "club.address.both")
def change_address(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    """Ask both addresses whether to move everything, or handle their answers. A later request replaces an earlier one."""
    mail = request.mail
    if request.order.on is not None:
        return _answer_move(request, state)
    member, new = state.find_member(mail.address), request.order.to
    if new == member.address:
        raise refuse_order(MOVE_RULE, "This is your address already", "Write your new address.")
    if get_mailbox(new) == get_mailbox(mail.host):
        raise refuse_order(MOVE_RULE, f"{new} is the address of this host", "Write your new address.")
    if state.find_member(new).blocked or _is_occupied(member.address, new, state):
        hint = "Choose an address that does not play here yet."
        raise refuse_order(MOVE_RULE, f"Your games cannot move to {new}", hint)
    if state.count_event(member.address, MOVE_RULE) > MOST_ASKED or state.count_event(new, MOVE_RULE) > MOST_ASKED:
        message = "You have asked for a change of address often enough today"
        raise refuse_order(MOVE_RULE, message, "Ask again tomorrow.")
    old = [each for each in state.list_values(Proposal) if each.kind == "move" and each.people[0] == member.address]
    asked = Proposal("move", lines=("address yes",), people=(member.address, new), until=mail.now + WAITS)
    letters = tuple(ask_address(asked, to, state, mail.now) for to in asked.people)
    return OrderResult(kept=(*(each.dropped for each in old), asked.document), letters=letters)


@cites("club.address.both")
def _answer_move(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    """Handle the `yes` or `no` of one of the two addresses; the key of the letter says which one it is."""
    mail = request.mail
    proposal = find_proposal(mail.about, mail.address, state)
    if proposal is None or proposal.kind != "move" or mail.now > proposal.until:
        raise refuse_order(MOVE_RULE, "This change of address is over, or another one was asked for since")
    agreed = {*proposal.agreed, proposal.people.index(mail.address)}
    after = evolve(proposal, agreed=tuple(sorted(agreed)))
    if not request.order.on:
        return _end_move(proposal, mail, state)
    if after.missing:
        lead = "Thank you. The other address has to answer too."
        return report_done(lead, "It has a mail with the same question.", kept=(after.document,))
    return _move_everything(proposal, mail, state)


def _end_move(proposal: Proposal, mail: Mail, state: ClubState) -> OrderResult:
    """Cancel the move if one address doesn't want it, and tell the other, if that is the member's."""
    text, member = "Nothing moves: the change of address is over.", state.find_member(proposal.people[0])
    said = Paragraph(f"{mail.address} answered `no`. Everything stays as it was.")
    done = report_done(text, kept=(proposal.dropped,))
    if mail.address == member.address:
        return done
    return evolve(done, letters=(_write_move_letter(member, member.address, text, (said,), mail.now),))


@cites("club.address")
def _move_everything(proposal: Proposal, mail: Mail, state: ClubState) -> OrderResult:
    """Move everything: seats, documents, the member. The old address gets a letter about it."""
    old, new = proposal.people
    if _is_occupied(old, new, state):
        raise refuse_order(MOVE_RULE, f"Your games cannot move to {new}: it plays in one of them by now")
    member = state.find_member(old)
    former = tuple(dict.fromkeys((*member.former, *state.find_member(new).former, old)))
    moved = evolve(member, address=new, former=tuple(each for each in former if each != new))
    kept = [member.dropped, moved.document, *_move_documents(old, new, state), proposal.dropped]
    kept += [Document(FORMER, each, new) for each in moved.former]
    names = sorted(name for name, game in state.list_games_of(old) if not game.time.over)
    games = [(name, game) for name in names if (game := state.find_game(name)) is not None]
    changes = tuple((name, _move_seats(game, old, new, mail.now)) for name, game in games if _is_playing(game, old))
    lead = f"Your games write to {new} from now on." if len(new) < 45 else "Your games write to your new address now."
    goodbye = Paragraph(
        "This is the last mail of the host to the old address. If you did not want this, tell the host's owner."
    )
    welcome = Paragraph("If it is your turn somewhere, the mail that asks for it comes again.")
    texts = (old, goodbye), (new, welcome)
    letters = tuple(_write_move_letter(moved, to, lead, (text,), mail.now) for to, text in texts)
    return OrderResult(kept=tuple(kept), changes=changes, letters=letters)


def _move_seats(game: HostedGame, old: str, new: str, now: datetime) -> game_service.Outcome:
    """Move each seat of an address: one person can play two. At least one seat has it."""
    seats = [seat for seat in game.seats if game.find_address(seat).lower() == old]
    for seat in seats:
        outcome = game_service.change_seat_address(game, Moved(seat, game.round_moment(now), new), now)
        game = outcome.game
    return outcome


def _move_documents(old: str, new: str, state: ClubState) -> Iterator[Document]:
    """Yield the documents that mention the old address, with the new one; and the digests."""
    for stored in (each for kind in HOLDING for each in state.list_documents(kind)):
        after = _replace_in_document(stored, old, new)
        if json.loads(after.data) != json.loads(stored.data):
            is_asked = stored.kind == Proposal.KIND  # its key went to the old address
            yield evolve(stored, how="drop") if is_asked else after
    digest = next((each for each in state.list_documents(DigestBook.KIND) if each.id == old), None)
    if digest is not None:
        yield evolve(digest, how="drop")
        yield evolve(_replace_in_document(digest, old, new), id=new)


def _replace_in_document(stored: Document, old: str, new: str) -> Document:
    return evolve(stored, data=json.dumps(_replace_address(json.loads(stored.data), old, new), ensure_ascii=False))


def _replace_address(value: Any, old: str, new: str) -> Any:
    """Return a JSON value with one address replaced by another as a whole text or as a key."""
    if isinstance(value, str):
        return new if value.lower() == old else value
    if isinstance(value, list):
        return [_replace_address(each, old, new) for each in value]
    if isinstance(value, dict):
        return {_replace_address(key, old, new): _replace_address(each, old, new) for key, each in value.items()}
    return value


def _is_occupied(old: str, new: str, state: ClubState) -> bool:
    """Return True if the new address is in the same game as the old one, running or gathering."""
    return any(
        _is_playing(game, new) for _, game in state.list_games_of(old) if not game.time.over and _is_playing(game, old)
    ) or any(table.place(old) and table.place(new) for table in state.list_values(Table) if table.state == "open")


def _is_playing(game: HostedGame, address: str) -> bool:
    return any(game.find_address(seat).lower() == address for seat in game.seats)


@cites("club.address.both")
def ask_address(proposal: Proposal, to: str, state: ClubState, now: datetime) -> ClubLetter:
    (old, new), until = proposal.people, format_moment(proposal.until, year=False)
    member = state.find_member(old)
    lead = f"Should your games move to {new}?"
    text = (
        f"Somebody asked for this from your address. If it was you, reply `yes` to this mail and to the one at {new}, "
        f"by {until}. If it was not you, reply `no`, and nothing changes."
    )
    if to == new:
        lead = f"Should the games of {find_display_name(member.name, member) or 'a player'} come to this address?"
        text = (
            f"If you asked for this, reply `yes` to this mail and to the one at your old address, by {until}. "
            "If you do not know what this is about, you can ignore this mail."
        )
    buttons = Buttons((Button("No, keep it", "no"), Button("Yes, move them", "yes")))
    return _write_move_letter(member, to, lead, (Paragraph(text), buttons), now, of=f" {proposal.id}")


def _write_move_letter(member: Member, to: str, lead: str, body: Blocks, now: datetime, *, of: str = "") -> ClubLetter:
    about, short = f"{MOVE_ABOUT}{of}", lead if len(lead) <= 78 else "Should your games move to another address?"
    name = member.name if to == member.address else find_display_name(member.name, member)
    return write_club_letter((to, name), about, "Your address", short, body, now, shown="address your address")


@cites("club.name")
def find_free_name(state: ClubState) -> str:
    plain = next((name for name in GAME_NAMES if not state.is_taken(name)), None)
    return plain or next(name for number in count(1) if not state.is_taken(name := f"game-{number}"))


@cites("club.name")
def find_next_name(name: str, state: ClubState) -> str:
    """Return a free name that shows that a game is like another one: `spring-2` for `spring`, `spring-3` for that."""
    stem, _, number = name.lower().rpartition("-")
    stem, number = (stem, number) if stem and number.isdecimal() else (name.lower(), "1")
    first = int(number[:6]) + 1
    names = (f"{stem[: LONGEST_GAME_NAME - 7]}-{each}" for each in count(first))
    return next(each for each in names if not state.is_taken(each))


def find_typed_game(state: ClubState, typed: str, rule: str, known: Iterable[str]) -> tuple[str, HostedGame]:
    """Return a hosted game and its name, from the typed name in any capitals.

    Raises OrderRefusedError if no game has that name; `known` are those that the sender may hear about.
    """
    for name in dict.fromkeys((typed, typed.lower())):
        game = state.find_game(name)
        if game is not None:
            return name, game
    near = find_nearest_name(typed.lower(), known)
    hint = f"Did you mean `{near}`?" if near else "`games` lists your games."
    raise refuse_order(rule, f"There is no game `{typed}`", hint, kind=Kind.NAME)


def own_games(mail: Mail, state: ClubState) -> list[str]:
    return [name for name, game in state.list_games_of(mail.address) if not game.time.over]


def _in_view(typed: str, mail: Mail, state: ClubState) -> Iterator[str]:
    """List the games with a name like the typed one that the sender plays or may observe."""
    mine = own_games(mail, state)
    for name in state.list_running():
        if name in mine:
            yield name
        elif find_nearest_name(typed.lower(), [name]):
            game = state.find_game(name)
            if game is not None and _refuse_observer(mail, state, game, list_game_observers(state, name)) is None:
                yield name


def list_game_observers(state: ClubState, game: str) -> Observers:
    return state.find_value(Observers, game) or Observers(game)


@cites("club.observe", "club.observe.closed", "club.pages.delay")
def observe(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    """Let the sender observe a game: a mail about each turn. The players hear of the first observer."""
    order, mail = request.order, request.mail
    name, game = find_typed_game(state, order.game, "club.observe", _in_view(order.game, mail, state))
    observers = list_game_observers(state, name)
    again = observers.find_observer(mail.address)
    reason = _refuse_observer(mail, state, game, observers)
    if reason is not None:
        raise refuse_order("club.observe.closed" if observers.closed else "club.observe", *reason)
    member = state.find_member(mail.address)
    delay = max(order.delay, mail.terms.delay)
    observer = evolve(again or Observer(member.address, member.name), delay=delay)
    cast = find_cast(game, lambda address: find_member(state.get_text, address))
    look, watched = show_first(observers, observer, game, cast)
    announced = not observers.announced
    late = f", {count_noun(delay, 'turn')} late" if delay else ""
    how = Paragraph(f"You get a mail about each turn{late}. Reply `stop observing {name}` to end that.")
    lead, about = f"You observe {name} from now on.", f"{OBSERVE_ABOUT} {name}"
    answer = OrderResult(lead, (how, *look), about=about, kept=(evolve(watched, announced=True).document,))
    return evolve(answer, changes=((name, _announce_observer(name, game, mail)),)) if announced else answer


def _refuse_observer(mail: Mail, state: ClubState, game: HostedGame, observers: Observers) -> tuple[str, str] | None:
    """Return the reason why somebody may not observe a game, with a fix; None if they may."""
    if is_player(game, mail.address, state):
        return "You play this game yourself", "To see the position, reply `status` to a mail of the game."
    if game.time.over:
        return "This game is over", ""
    if not mail.terms.observers:
        return "Nobody observes games in this club", ""
    if observers.closed:
        return "A player wants no observers in this game", ""
    if len(observers.watching) >= MAX_OBSERVERS and observers.find_observer(mail.address) is None:
        return f"{MAX_OBSERVERS} people observe this game already, and no more may join them", ""
    return None


def _announce_observer(name: str, game: HostedGame, mail: Mail) -> game_service.Outcome:
    """Tell the players, once for each game, that somebody observes it."""
    text = (
        "Somebody observes this game from now on. They see the board and the turns, but no secret cards and no messages. "
        f"We will not tell you about further observers. If you mind, reply `observers off {name}`."
    )
    everybody = Announcement(tuple(game.seats), text, rule="club.observe", subject="somebody observes this game")
    return game_service.announce_to_seats(game, (everybody,), mail.now)


@cites("club.observe")
def stop_observing(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    order = request.order
    if order.game:
        names = [next((each for each in (order.game, order.game.lower()) if state.find_game(each)), order.game)]
    else:
        names = [each.id for each in state.list_documents(Observers.KIND)]
    every = (list_game_observers(state, name) for name in names)
    ended = [each for each in every if each.find_observer(request.mail.address)]
    if not ended:
        what = f"`{order.game}`" if order.game else "any game"
        return report_done(f"You do not observe {what}.", "`games` lists your games.")
    listed = ", ".join(each.game for each in ended)
    kept = tuple(each.remove_observer(request.mail.address).document for each in ended)
    return report_done(f"You no longer observe {listed}.", kept=kept)


@cites("club.observe.closed")
def allow_observers(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    """Keep observers out of a game for one of its players, or let them in again when that player allows it."""
    order, mail = request.order, request.mail
    name, game = find_typed_game(state, order.game, "club.observe.closed", own_games(mail, state))
    if mail.address not in {game.find_address(seat).lower() for seat in game.seats}:
        raise refuse_order("club.observe.closed", "Only a player of this game may say who observes it")
    observers = list_game_observers(state, name)
    if order.on:
        if observers.closed and observers.closed != mail.address:
            raise refuse_order("club.observe.closed", "Another player wants no observers in this game")
        return report_done(f"Members may observe {name}.", kept=(evolve(observers, closed="").document,))
    closed = evolve(observers.replace_observers(()), closed=mail.address)
    lead, text = f"A player of {name} wants no observers.", Paragraph("You get no more mails about that game.")
    letter = partial(write_club_letter, body=(text,), now=mail.now)
    about, subject = f"{OBSERVE_ABOUT} {name}", f"[{name}] no observers"
    letters = tuple(letter((each.address, each.name), about, subject, lead) for each in observers.watching)
    return evolve(report_done(f"From now on nobody observes {name}.", kept=(closed.document,)), letters=letters)


SEAT_RULE = "club.seat"
TAKEN = "Another player has a name like this"
Names = Sequence[tuple[str, str]]
"""The name of each seat, and of who plays it, as somebody may see them."""


@cites("club.seat")
def free_seats(game: HostedGame, offers: Offers, now: datetime) -> tuple[int, ...]:
    """Return the seats of a game that anybody may take."""
    if game.time.over:
        return ()
    clock = read_game_clock(game.time, now)
    late = clock.seat if clock is not None and clock.stage == "out" and clock.then == "stand-in" else None
    return tuple(seat for seat in game.seats if game.time.seats[seat].gone or seat == late or seat in offers.seats)


@cites("club.seat", "post.stand-in")
def take_seat(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    """Give a seat to the first member who asks. All players get a letter, and the new player gets the game."""
    order, mail = request.order, request.mail
    near = (each for each in state.list_running() if find_nearest_name(order.game.lower(), [each]))
    free = (each for each in near if _has_free_seat(state, each, mail))
    name, game = find_typed_game(state, order.game, SEAT_RULE, free)
    names = list_seat_names(game, mail, state)
    offers, seat = _find_offers(name, state), _find_seat(names, order.player)
    candidates = [order.name] if order.name else own_names(mail, state)
    faults = {each: next(_list_name_faults(game, each, names), None) for each in candidates}
    own = next((each for each, fault in faults.items() if fault is None), candidates[-1])
    _check_seat(mail, state, name, game, seat, names)
    if seat is None:
        raise _refuse_player(order.player, name, names)
    if fault := faults[own]:
        raise refuse_order(SEAT_RULE, *fault, typed=order.name)
    line = StandIn(seat, own, game.round_moment(mail.now), mail.address)
    outcome = game_service.apply_owner_note(game, line, mail.now)
    at_once = tuple(evolve(each, may_wait=each.may_wait and each.seat != seat) for each in outcome.letters)
    left = Offers(tuple(each for each in offers.seats if each != seat))
    kept = (left.store_for_game(name),) if offers.seats else ()
    return OrderResult(kept=kept, changes=((name, evolve(outcome, letters=at_once)),))


@cites("club.seat")
def offer_seat(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    """Offer a seat for the owner. The players get a letter, and its player may play until somebody takes it."""
    order = request.order
    name, game = find_typed_game(state, order.game, SEAT_RULE, state.list_running())
    names = list_seat_names(game, request.mail, state)
    seat = _find_seat(names, order.player)
    if seat is None or game.time.over:
        raise _refuse_player(order.player, name, names)
    offers = _find_offers(name, state)
    if seat in offers.seats:
        lead = f"{game.names[seat]}'s seat in {name} is offered already."
        return report_done(lead, _explain_taking(game.names[seat], name))
    kept = offers.with_seat(seat).store_for_game(name)
    who = game.names[seat]
    text = f"The host offers {who}'s seat to somebody else. Until somebody takes it, {who} may play."
    told = Announcement(tuple(game.seats), text, rule=SEAT_RULE, subject="a seat is offered")
    answer = report_done(f"{who}'s seat in {name} is offered.", _explain_taking(who, name), kept=(kept,))
    return evolve(answer, changes=((name, game_service.announce_to_seats(game, (told,), request.mail.now)),))


def suggest_free_seat(name: str, mail: Mail, state: ClubState) -> str:
    """Explain how to take a free seat of a running game; "" if none is free."""
    game = state.find_game(name)
    if game is None:
        return ""
    names, free = list_seat_names(game, mail, state), free_seats(game, _find_offers(name, state), mail.now)
    ways = [f"`take seat {names[seat][0]} of {name}`" for seat in free]
    return f"{name} has begun, and a seat is free. To play on for somebody, write {list_names(ways)}." if ways else ""


def _explain_taking(who: str, name: str) -> str:
    return f"The first player who writes `take seat {who} of {name}` gets it."


def _has_free_seat(state: ClubState, name: str, mail: Mail) -> bool:
    game = state.find_game(name)
    return game is not None and bool(free_seats(game, _find_offers(name, state), mail.now))


def _find_offers(name: str, state: ClubState) -> Offers:
    return state.find_value(Offers, name) or Offers()


def _find_seat(names: Names, typed: str) -> int | None:
    """Return the seat of a player, by the player's name or by a stand-in's."""
    wanted = simplify_name(typed)
    every = [(each[which], seat) for which in (0, 1) for seat, each in enumerate(names)]
    return next((seat for name, seat in every if simplify_name(name) == wanted), None)


@cites("club.person")
def _check_seat(  # noqa: PLR0917 - the person, and the seat and game they ask for
    mail: Mail, state: ClubState, name: str, game: HostedGame, seat: int | None, names: Names
) -> None:
    """Raise OrderRefusedError if somebody may not take a seat."""
    if is_player(game, mail.address, state):
        raise refuse_order(SEAT_RULE, "You play this game, or have played it, so you cannot take another seat in it")
    observers, person = list_game_observers(state, name), find_person(state)
    if person(mail.address) in {person(each.address) for each in observers.watching}:
        raise refuse_order(SEAT_RULE, "You observe this game, so you cannot play in it")
    if person(mail.address) in set(map(person, observers.undelayed)):
        raise refuse_order(SEAT_RULE, "You have observed this game without a delay, so you cannot play in it")
    free = free_seats(game, _find_offers(name, state), mail.now)
    if seat is not None and seat not in free:
        seats = [names[each][0] for each in free]
        hint = f"Free now: {list_names(seats, 'and')}." if seats else "No seat is free there now."
        raise refuse_order(SEAT_RULE, f"{names[seat][0]}'s seat in {name} is not offered", hint)


def _refuse_player(typed: str, game: str, names: Names) -> order_machine.OrderRefusedError:
    hint = f"The players are {list_names((name for name, _ in names), 'and')}."
    return refuse_order(SEAT_RULE, f"Nobody called {typed} plays in {game}", hint, typed)


def _list_name_faults(game: HostedGame, name: str, names: Names) -> Iterator[tuple[str, str]]:
    """Yield the faults of a newcomer's name at a table, each with a fix; `names` are those the newcomer may see."""
    others, visible = [*game.names, *map(game.find_player, game.seats)], [each for pair in names for each in pair]
    other = "To play under another name, write `as` and the name after your order."
    if fault := explain_pseudonym(name):
        yield split_fault(fault)[0], other
    for _, message, _ in find_name_faults(name, (), ()):
        yield message, other
    for fault in find_newcomer_faults(game.record.game, name, visible):
        said, _, way = split_fault(fault)
        yield said, f"{way} {other}".strip()
    if any(find_newcomer_faults(game.record.game, name, others)):
        yield TAKEN, other


NO_CALENDAR = (
    "There is no calendar to subscribe to, as this club has no pages on the web. Its owner sets their address: `url` under "
    "`[pages]` in the settings of the host."
)
SINGLY = (
    "These mails still come singly: answers to your own mails, reminders, questions, and the first and the last mail of a "
    "game. So does your turn if its time ends before the next digest."
)


@cites("club.digest")
def switch_digest(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    """Send one mail a day for all games, or single mails again. A last digest has the letters kept for it."""
    mail = request.mail
    member = state.find_member(mail.address)
    book = state.find_value(DigestBook, member.address)
    if request.order.on:
        begun = evolve(book, hour=mail.now.hour, last=False) if book else DigestBook(member.address, mail.now.hour)
        due = begun.find_next_time(mail.now)
        daily = (evolve(member, digest=DAILY).document, evolve(begun.document, due=due))
        return report_done(
            "From now on you get one mail a day for all your games.",
            f"The first comes on {format_moment(due, year=False)}, and the others at the same hour. {SINGLY}",
            "To end this, reply `digest off`.",
            kept=daily,
        )
    if member.digest != DAILY:
        return report_done("You get a mail for each game already.", "For one mail a day, reply `digest daily`.")
    documents = [evolve(member, digest="").document]
    waits = book is not None and (book.held or book.heard)
    if book is not None:
        documents.append(evolve(evolve(book, last=True).document, due=mail.now if waits else None))
    more = ("Everything kept for your next digest comes in one last digest.",) if waits else ()
    return report_done("From now on each game writes to you by itself.", *more, kept=tuple(documents))


@cites("club.anonymous")
def switch_anonymity(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    member = state.find_member(request.mail.address)
    if not request.order.on:
        if not member.anonymous:
            return report_done("The club's pages show your name already.")
        shown = evolve(member, anonymous=False)
        return report_done("From now on the club's pages show your name again.", kept=(shown.document,))
    others = [each.pseudonym for each in state.list_values(Member) if each.pseudonym and each.address != member.address]
    hidden = member.hide(request.mail.entropy, others)
    lead = f"From now on the club's pages call you {hidden.pseudonym}."
    more = "The people you play with still see your name, except in a tournament. `anonymous off` ends this."
    return report_done(lead, more, kept=(hidden.document,))


@cites("club.calendar")
def switch_calendar(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    """Add calendar files to turn mails or leave them out, and give the address of the calendar."""
    mail = request.mail
    member = state.find_member(mail.address)
    if not request.order.on:
        kept = evolve(member, calendar=False).document
        return report_done("Your turn mails come without calendar files from now on.", kept=(kept,))
    drawn = member.add_calendar(mail.entropy)
    pages = mail.terms.pages
    where = f"{pages.rstrip('/')}/{CALENDARS}/{drawn.secret}.ics"
    subscribe = (
        f"You can subscribe to your own calendar too. Keep its address secret: {where}" if pages else NO_CALENDAR
    )
    lead = "From now on your turn mails include the deadline for your calendar."
    return report_done(lead, subscribe, "`calendar off` ends this.", kept=(drawn.document,))
