"""Carry out orders for new games, invitations and joining."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from attrs import evolve

from tkid.club import member_orders, order_answers
from tkid.club.club_state import ClubState
from tkid.club.lobby import OPEN_FOR, Place, Table
from tkid.club.members import explain_pseudonym, find_member_seats, is_pseudonym
from tkid.club.names import find_person, names_of, own_names, show_lobby
from tkid.club.order_values import ClubOrder, NewGame, find_nearest_name, name_from
from tkid.club.tournament import Tournament
from tkid.club.values import get_mailbox
from tkid.kernel.problems import Kind
from tkid.mail import letter_parts
from tkid.mail.blocks import Blocks, Paragraph
from tkid.mail.game_clock import format_day
from tkid.mail.hosted_game import HostedGame
from tkid.mail.model import Document
from tkid.mail.order_machine import Mail, OrderRefusedError, OrderResult, Request, refuse_order
from tkid.mail.plugin import NO_CLOCK
from tkid.notation.names import list_names
from tkid.notation.positions import write_position
from tkid.notation.text import count_noun
from tkid.record.clock import CLOCK
from tkid.record.format.model import ENGINE, Record, find_bot_seats
from tkid.record.format.new_game import NewGameError, split_fault
from tkid.rulebook import cites
from tkid.rulebook.rulesets import find_readings

MOST_TABLES = 5
"""Games that one person may have gathering players at a time."""
MOST_INVITED = 12
"""Invitations that one person may send on a day."""
INVITED = "invitation"
UNFIT = frozenset({"record.seat.name", "record.seat.like-card", "record.seat.word", "record.seat.link"})
"""Rules that a name breaks at any table."""
SPARE_NAMES = ("Player", *(f"Player {number}" for number in range(2, 10)))
"""Names for somebody whose mail and address have none that fits."""
NAME_RULES = "record.seat.", "club.anonymous"
"""Beginnings of the ids of rules about the names that people play under."""
OTHER_NAME = (
    "To play under another name, put it at the end of your order: `as Robin`. A guest's name comes before the address: "
    "`Robin <robin@example.org>`."
)
STAND_INS = "Sender", "Guest one", "Guest two", "Third guest", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth"
OTHER_NUMBER = "Choose another number, such as `for 2`, or invite fewer people."
BEGINS_IN = "club.new-game.from"
SEALED = "The host has sealed its own half of the deal already:"
WORDS_HINT = "To mix words of your own into the deal, reply for example `words: seven swans on a cold loch`."


@cites("club.new-game")
def gather_players(request: Request[NewGame], state: ClubState) -> OrderResult:
    order, mail = request.order, request.mail
    title = order.title or member_orders.find_free_name(state)
    if state.is_taken(title):
        hint = f"Choose another name, such as `called {member_orders.find_next_name(title, state)}`."
        raise refuse_order("club.name", f"There is already a game called {title}", hint, title)
    _check_guests(order, mail, state)
    own = Place(order.name or mail.address, mail.address, accepted=True, words=order.words)
    guests = tuple(Place(guest.name, guest.address, invited=True) for guest in order.guests)
    table = _make_lobby(title, order.ruleset, (own, *guests), mail)
    until = mail.now + timedelta(days=order.days) if order.days else table.until
    table = evolve(table, size=order.seats, clock=order.clock, rulings=order.rulings, until=until, bots=order.bots)
    table = _begin_in_game(table, order, mail, state) if order.origin else table
    table, note = _seat_sender(table, own, order.name, mail, state)
    return _add_note(_invite_all(table, mail, state), note, title)


@cites("club.new-game.from")
def _begin_in_game(table: Table, order: NewGame, mail: Mail, state: ClubState) -> Table:
    """Return a table whose game begins in a position of a game that is over. Raises OrderRefusedError."""
    own = (name for name, _ in state.list_games_of(mail.address))
    name, game = member_orders.find_typed_game(state, order.origin, BEGINS_IN, own)
    is_closed = not mail.terms.observers or member_orders.list_game_observers(state, name).closed
    if is_closed and not find_member_seats(game, mail.address):
        message = f"Only its players may begin a game in {name}"
        raise refuse_order(BEGINS_IN, message, "`games` lists your games.")
    if not game.time.over:
        raise refuse_order(BEGINS_IN, f"{name} is not over", "You can begin in one of its positions when it is.")
    record, moments = game.record, game.replay.moments
    last = max(number for number, each in enumerate(moments) if each.position.to_act is not None)
    turn = last if order.turn is None else order.turn
    _check_start(order, record, name, turn=turn, last=last)
    return evolve(
        table,
        ruleset=record.ruleset.code,
        rulings=_list_rulings(record),
        size=len(record.seats),
        position=write_position(record.game, moments[turn].position),
        origin=f"turn {turn} of {name}" if turn else f"the start of {name}",
    )


def _check_start(order: NewGame, record: Record, name: str, *, turn: int, last: int) -> None:
    """Raise OrderRefusedError if a game cannot begin after a turn of a recorded one."""
    seats, named = len(record.seats), 1 + len(order.guests) + len(order.bots)
    if turn > last:
        raise refuse_order(BEGINS_IN, f"No turn follows turn {turn} of {name}", f"Choose a turn from 0 to {last}.")
    if order.seats not in {0, seats} or named > seats:
        message = f"{name} has {count_noun(seats, 'player')}, and you ask for {max(order.seats, named)}"
        raise refuse_order(BEGINS_IN, message, f"Write `for {seats}`, or invite fewer people.")
    if order.rulings or order.words:
        message = f"Nothing is dealt, and the rulings are those of {name}"
        raise refuse_order(BEGINS_IN, message, "Leave out `ruling` and `words`.")


def _list_rulings(record: Record) -> tuple[str, ...]:
    return tuple(f"{ruling} {option}" for ruling, option in find_readings(record.game).items())


@cites("club.new-game", "club.person")
def _check_guests(order: NewGame, mail: Mail, state: ClubState) -> None:
    """Raise OrderRefusedError for a guest who cannot be invited."""
    person, invited = find_person(state), list[str]()
    for guest in order.guests:
        if person(guest.address) == person(mail.address):
            hint = "Name somebody else. You have a seat already."
            raise refuse_order("club.new-game", "You cannot invite yourself", hint, guest.address)
        if get_mailbox(guest.address) == get_mailbox(mail.host):
            hint = "To play against a program, write `with bot`."
            message = f"{guest.address} is the address of this host"
            raise refuse_order("club.new-game", message, hint, guest.address)
        if person(guest.address) in invited:
            hint = "Name everybody once."
            message = f"{guest.address} is an address of somebody you named"
            raise refuse_order("club.person", message, hint, guest.address)
        invited.append(person(guest.address))


def _seat_sender(table: Table, place: Place, typed: str, mail: Mail, state: ClubState) -> tuple[Table, str]:
    """Seat the sender under the typed name or the first one that fits; return also why it isn't the sender's own name."""
    names = [typed] if typed else own_names(mail, state)
    places = [evolve(place, name=name) for name in names]
    faults = [_list_faults(table.with_place(each), each, state) for each in places]
    if not typed and all(fault and fault.result.problems[0].rule in UNFIT for fault in faults):
        places += [evolve(place, name=name) for name in SPARE_NAMES]
        faults += [_list_faults(table.with_place(each), each, state) for each in places[len(faults) :]]
    fits = next((each for each, fault in zip(places, faults, strict=True) if fault is None), places[-1])
    own = evolve(place, name=typed or state.find_member(mail.address).name or mail.sender.name or places[0].name)
    fault = faults[places.index(own)] if own in places else _list_faults(table.with_place(own), own, state)
    return table.with_place(fits), f"You play as {fits.name}, not under your own name. {fault}." if fault else ""


def _add_note(result: OrderResult, note: str, name: str) -> OrderResult:
    """Add a note about the sender's name at a table to a result."""
    way = "in your next order, write `as NAME` at its end" if result.begins else f"reply `join {name} as NAME`"
    text = Paragraph(f"{note} To choose another name, {way}.")
    lead = result.lead or "Your name is not the one in your mail."
    return evolve(result, lead=lead, blocks=(text, *result.blocks)) if note else result


def _make_lobby(name: str, ruleset: str, places: tuple[Place, ...], mail: Mail) -> Table:
    until = mail.now + OPEN_FOR
    entropy = mail.entropy.hex()
    return Table(name, ruleset, places, len(places), mail.address, mail.now, until, entropy)


@cites("club.new-game.bot", "club.bots")
def _invite_all(table: Table, mail: Mail, state: ClubState) -> OrderResult:
    maker = table.place(mail.address)
    assert maker is not None
    if fault := _list_faults(table, maker, state):
        raise fault
    if ENGINE in table.bots and mail.terms.bots not in {"no", ENGINE}:
        raise refuse_order("club.bots", "This club has no program of its own", "Write `with bot` to play `search`.")
    if table.bots and mail.terms.bots == "no":
        hint = "Invite somebody, or look for players: `new game for 2`."
        raise refuse_order("club.bots", "No programs play in this club", hint)
    _check_limits(table, mail, state)
    _check_invited(table, mail, state)
    if table.is_complete:
        return _begin_game(table, maker, state)
    invitations = tuple(order_answers.write_invitation(table, place, maker, mail) for place in table.missing)
    waits = show_lobby(table, mail.address, state).waits_for
    first = letter_parts.choose_lead(f"{table.name} waits for {waits}.", f"{table.name} waits for its players.")
    kept = (evolve(table.document, how="new"), *_make_member(maker, state))
    return OrderResult(first, _describe_lobby(table, maker), f"table {table.name}", letters=invitations, kept=kept)


@cites("club.expire", "club.join", "club.decline")
def _describe_lobby(table: Table, place: Place) -> Blocks:
    others = f" Anybody can take a free seat: `join {table.name}`." if table.free else ""
    words = f"Your words for the deal: {place.words}." if place.words else WORDS_HINT
    back = "To call it off" if place.address == table.maker else "To give your seat back before it begins"
    return (
        Paragraph(f"{table.entry.title}, {table.size} players. The game, and its clock, begin when all have accepted."),
        Paragraph(f"It is open until {format_day(table.until)}.{others} {back}, reply `decline {table.name}`."),
        *order_answers.describe_deal(table, (Paragraph(words), Paragraph(SEALED))),
    )


@cites("club.anonymous")
def _list_faults(table: Table, reader: Place, state: ClubState) -> OrderRefusedError | None:
    strangers = (place for place in table.places if state.find_member(place.address).pseudonym != place.name)
    strange = next(filter(None, (explain_pseudonym(place.name) for place in strangers)), "")
    message = strange or _find_fault(table)
    if message and not strange and (visible := show_lobby(table, reader.address, state)) != table:
        message = _find_fault(visible) or f"Another player has a name like {reader.name}"
    said, rule, way = split_fault(message)
    names = (reader.name, *(place.name for place in table.places))
    named = next((name for name in names if f"`{name}`" in said), "")
    hint = f"{way} {OTHER_NAME}".strip() if rule.startswith(NAME_RULES) else way
    hint = OTHER_NUMBER if rule == "record.seats" else hint
    return refuse_order(rule or "club.new-game", said.rstrip("."), hint or OTHER_NAME, named) if message else None


def _find_fault(table: Table) -> str:
    taken = {place.name for place in table.places}
    names = [name for name in (f"Seat {word}" for word in STAND_INS) if name not in taken]
    try:
        table.record(names[: table.free])
    except NewGameError as error:
        return error.messages[0]
    return ""


@cites("club.invitation")
def _check_limits(table: Table, mail: Mail, state: ClubState) -> None:
    """Raise OrderRefusedError if somebody looks for players, or invites them, too often."""
    mine = [each.name for each in state.list_values(Table) if each.state == "open" and each.maker == mail.address]
    if len(mine) >= MOST_TABLES:
        hint = f"Wait until one of them begins, or end one, such as `decline {mine[0]}`."
        message = f"You look for players for {len(mine)} games already: {list_names(mine, 'and')}"
        raise refuse_order("club.new-game", message, hint)
    if any(state.count_event(mail.address, INVITED) > MOST_INVITED for _ in table.missing):
        message = f"You can invite {MOST_INVITED} people on one day"
        raise refuse_order("club.invitation", message, "Ask the others tomorrow.")


@cites("club.welcome", "club.block")
def _check_invited(table: Table, mail: Mail, state: ClubState) -> None:
    """Raise OrderRefusedError for somebody who takes no invitations, or may not come."""
    for place in table.missing:
        if state.find_member(place.address).blocked:
            message = f"{place.address} takes no invitations from this host"
            raise refuse_order("club.block", message, "Invite somebody else.", place.address)
        if mail.terms.welcome == "nobody" and not state.is_known(place.address):
            message = f"{place.address} does not play here, and this host accepts no new players"
            hint = "Ask the owner of the host, who decides who plays here."
            raise refuse_order("club.welcome", message, hint, place.address)


@cites("club.accept")
def accept_game(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    order, mail = request.order, request.mail
    table = _find_lobby(order.game, mail, state, invited=True)
    place = table.place(mail.address)
    if place is None:
        way = f"To take one of its open seats, write `join {table.name}`."
        hint = way if table.free else "`games` lists your games and invitations."
        raise refuse_order("club.accept", f"Nobody invited you to {table.name}", hint)
    if place.accepted and not order.words and order.name in {"", place.name}:
        first = f"You have a seat in {table.name} already. Nothing has changed."
        return OrderResult(first, _describe_lobby(table, place), f"table {table.name}")
    place = evolve(place, accepted=True, words=order.words or place.words)
    if order.name or not names_of(mail) or place.name != name_from(place.address):
        return _seat_player(table.with_place(evolve(place, name=order.name or place.name)), "", mail, state)
    return _seat_player(*_seat_sender(table, place, "", mail, state), mail, state)


@cites("club.join", "club.person")
def join_game(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    order, mail = request.order, request.mail
    table = _find_lobby(order.game, mail, state)
    place = table.place(mail.address)
    if place is not None:
        return accept_game(request.with_order(ClubOrder("accept", table.name, order.name, order.words)), state)
    if not table.free:
        hint = "`open games` lists games that look for players."
        raise refuse_order("club.join", f"All seats of {table.name} are taken", hint)
    person = find_person(state)
    if person(mail.address) in {person(each.address) for each in table.places}:
        hint = "Write from the address that has it. All addresses of a mailbox count as one person."
        raise refuse_order("club.person", f"You have a seat in {table.name} already, under another address", hint)
    place = Place(mail.address, mail.address, accepted=True, words=order.words)
    return _seat_player(*_seat_sender(table, place, order.name, mail, state), mail, state)


def _find_lobby(typed: str, mail: Mail, state: ClubState, *, invited: bool = False) -> Table:
    """Find the gathering game that an order names, or that its letter is about. Raises OrderRefusedError."""
    tables = [table for table in state.list_values(Table) if table.state == "open"]
    name = typed or mail.find_subject("table")
    if not name:
        own = [(table.name, place) for table in tables if (place := table.place(mail.address)) is not None]
        names = [each for each, place in own if not (invited and place.accepted)]
        if len(names) != 1:
            hint = f"Write one of {list_names(names, 'or')} after the order." if names else "`games` lists your games."
            raise refuse_order("club.accept", "You don't say which game you mean", hint)
        name = names[0]
    table = state.find_value(Table, name)
    if table is None:
        known = [each.name for each in tables if each.free or each.place(mail.address)]
        unbegun = (each for each in state.list_values(Tournament) if not each.begun)
        known += [each.name for each in unbegun if each.side_of(mail.address) is not None]
        near = find_nearest_name(name, known)
        way = "`games` lists your games, `open games` those that look for players."
        hint = member_orders.suggest_free_seat(name, mail, state) or (f"Did you mean `{near}`?" if near else way)
        raise refuse_order("club.accept", f"No game called {name} looks for players", hint, name, Kind.NAME)
    if table.state == "begun":
        raise refuse_order("club.accept", f"{table.name} has begun already", "`games` lists your games.")
    if table.state == "ended" or mail.now >= table.until:
        told = table.state == "open" or table.place(mail.address)
        why = (table.why or f"the time was over on {format_day(table.until)}") if told else "it has ended"
        message = f"{table.name} does not look for players any more: {why}"
        raise refuse_order("club.expire", message, "To play, ask for a new game: `new game second-edition for 2`.")
    return table


def _seat_player(table: Table, note: str, mail: Mail, state: ClubState) -> OrderResult:
    place = table.place(mail.address)
    assert place is not None
    if fault := _list_faults(table, place, state):
        raise fault
    if table.is_complete:
        return _add_note(_begin_game(table, place, state), note, table.name)
    waits = show_lobby(table, place.address, state).waits_for
    first = letter_parts.choose_lead(f"You have a seat in {table.name}. It waits for {waits}.")
    kept = (table.document, *_make_member(place, state))
    seated = OrderResult(first, _describe_lobby(table, place), f"table {table.name}", kept=kept)
    return _add_note(seated, note, table.name)


@cites("club.begin")
def _begin_game(table: Table, place: Place, state: ClubState) -> OrderResult:
    """Begin the game. Its first letters answer the player who came last."""
    gathered = table
    if state.find_game(table.name) is not None:
        table = evolve(table, name=member_orders.find_next_name(table.name, state))
    done = gathered.end_gathering(f"it began as {table.name}", "begun").document
    return OrderResult(kept=(done, *_make_member(place, state)), begins=((table.name, table.record()),))


def _make_member(place: Place, state: ClubState) -> Iterable[Document]:
    """Make a player who takes a seat a member, under the name of the first game."""
    member = state.find_member(place.address)
    if member.name not in {"", *SPARE_NAMES} or is_pseudonym(place.name):
        return ()
    return (evolve(member, name=place.name).document,)


@cites("club.decline")
def decline_game(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    """Decline an invitation, or give a seat back: without the invited players there is no game."""
    mail = request.mail
    table = _find_lobby(request.order.game, mail, state)
    place = table.place(mail.address)
    if place is None:
        hint = "`games` lists your games and invitations."
        raise refuse_order("club.decline", f"You have no seat in {table.name}", hint)
    if mail.address != table.maker and not place.invited:
        left = evolve(table, places=table.list_other_places(mail.address))
        return OrderResult(f"You gave your seat in {table.name} back. Nobody waits for you.", kept=(left.document,))
    told = [each for each in table.list_other_places(mail.address) if each.accepted]
    news = tuple(
        order_answers.write_not_begun(show_lobby(table, each.address, state), each, mail, place) for each in told
    )
    first, heard = f"{table.name} does not begin.", " The host tells the others who have accepted." if told else ""
    first = letter_parts.choose_lead(first + heard, first)
    return OrderResult(first, letters=news, kept=(table.end_gathering("a player declined").document,))


@cites("club.expire")
def end_lobby(table: Table, mail: Mail, state: ClubState) -> OrderResult:
    """End a lobby whose time is over: everybody who has accepted hears of it, once."""
    if table.state != "open":
        return OrderResult(kept=(evolve(table.document, how="drop"),))
    accepted = (place for place in table.places if place.accepted)
    news = tuple(order_answers.write_not_begun(show_lobby(table, each.address, state), each, mail) for each in accepted)
    ended = table.end_gathering(f"the time was over on {format_day(table.until)}")
    return OrderResult(letters=news, kept=(ended.document,))


@cites("club.words")
def add_words(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    table = _find_lobby("", request.mail, state)
    place = table.place(request.mail.address)
    if place is None or not place.accepted:
        hint = "Accept first, on a line above the words: `accept`."
        raise refuse_order("club.words", f"You have not accepted a seat in {table.name}", hint)
    return _seat_player(table.with_place(evolve(place, words=request.order.words)), "", request.mail, state)


@cites("club.rematch")
def invite_again(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    """Invite the players of a game to another one on the same terms; two who ask for it at once meet in one game."""
    order, mail = request.order, request.mail
    name = order.game or mail.find_subject("game")
    over = [each for each, game in state.list_games_of(mail.address) if game.time.over]
    if not name and len(over) == 1:
        name = over[0]
    game = state.find_game(name) if name else None
    if game is None or not find_member_seats(game, mail.address):
        near = find_nearest_name(name, over) if name else ""
        message = f"You played no game called {name}" if name else "You don't say which game you mean"
        hint = f"Did you mean `rematch {near}`?" if near else "Write its name, such as `rematch spring`."
        raise refuse_order("club.rematch", message, hint)
    if not game.time.over:
        raise refuse_order("club.rematch", f"{name} is not over", "Ask for a rematch when it is.")
    again = next((table for table in state.list_values(Table) if table.after == name and table.state != "ended"), None)
    if again is not None and again.state == "begun":
        message = f"The rematch of {name} has begun: {again.why}"
        raise refuse_order("club.rematch", message, "`games` lists your games.")
    if again is not None:
        return accept_game(request.with_order(ClubOrder("accept", again.name, words=order.words)), state)
    return _make_rematch(name, game, order, mail, state)


def _make_rematch(name: str, game: HostedGame, order: ClubOrder, mail: Mail, state: ClubState) -> OrderResult:
    """Make a new game after another one: the second player's seat comes first."""
    bots = find_bot_seats(game.record)
    people = [seat for seat in game.seats if seat not in bots]
    addresses = [game.find_address(seat).lower() for seat in people]
    if not all(addresses) or len(set(addresses)) < len(addresses):
        hint = "Write `new game` with the addresses of those who are to play."
        raise refuse_order("club.rematch", f"Not every seat of {name} has a player with an address of their own", hint)
    places = []
    for seat, address in zip(people, addresses, strict=True):
        asks = address == mail.address
        places.append(Place(game.find_player(seat), address, asks, order.words if asks else "", not asks))
    record = game.record
    clock = next((header.value for header in record.headers if header.name == CLOCK), NO_CLOCK)
    rulings = _list_rulings(record)
    table = _make_lobby(member_orders.find_next_name(name, state), record.ruleset.code, (*places[1:], places[0]), mail)
    programs = tuple(bot.player for bot in bots.values())
    size = len(places) + len(programs)
    return _invite_all(evolve(table, size=size, clock=clock, rulings=rulings, after=name, bots=programs), mail, state)
