"""Carry out orders to the club, including those about tournaments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from attrs import evolve

from tkid.club import gathering, member_orders, order_answers
from tkid.club import tournament_letters as letters_of
from tkid.club.club_state import ClubState
from tkid.club.desk_orders import KINDS, DeskOrder
from tkid.club.digest import DIGEST_KIND
from tkid.club.lobby import TABLE_KIND, Table
from tkid.club.members import explain_pseudonym, list_games_of_member
from tkid.club.names import find_member, find_person, own_names, show_lobby, show_tournament
from tkid.club.observers import OBSERVE_ABOUT, list_observed
from tkid.club.order_reader import locate_problem
from tkid.club.order_values import ClubOrder, find_club_kind
from tkid.club.tournament import TOURNAMENT_KIND, Tournament
from tkid.club.tournament_letters import TournamentError, add_joiner
from tkid.kernel.problems import Kind
from tkid.mail.blocks import Facts, Paragraph
from tkid.mail.model import Document, OrderLine
from tkid.mail.order_machine import Handler, Mail, OrderResult, Request, carry_out, refuse_order, report_done
from tkid.notation.names import list_names
from tkid.orders.forms import PROSE
from tkid.orders.order_values import Order
from tkid.record.format.new_game import split_fault
from tkid.rulebook import cites

RULE = "club.tournament.accept"
MAX_TOURNAMENTS_LISTED = 20


def answer_invitation(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    accepts = request.row.name == "accept"
    tournament = _find_tournament(request.order.game, request.mail, state)
    if tournament is None:
        return gathering.accept_game(request, state) if accepts else gathering.decline_game(request, state)
    return _answer_invitation(tournament, request.mail, "accepted" if accepts else "declined")


def join_by_name(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    """Join a tournament to which one is invited, or a game that looks for players."""
    mail = request.mail
    tournament = _find_tournament(request.order.game, mail, state)
    if tournament is None:
        return gathering.join_game(request, state)
    if tournament.open and tournament.side_of(mail.address) is None:
        return _join_tournament(tournament, request.order.name, mail, state)
    return _answer_invitation(tournament, mail, "accepted")


@cites("club.tournament.open", "club.tournament.sides", "club.anonymous")
def _join_tournament(tournament: Tournament, typed: str, mail: Mail, state: ClubState) -> OrderResult:
    """Let an uninvited player join. A problem with the name is reported without the names of anonymous players."""
    person = find_person(state)
    if person(mail.address) in {person(each.address) for each in tournament.people}:
        hint = "Write from the address that plays in it. All addresses of a mailbox count as one person."
        message = f"You are in {tournament.name} already, under another address"
        raise refuse_order("club.tournament.sides", message, hint)
    names = [typed] if typed else own_names(mail, state)
    tried = [(each, _enter_tournament(tournament, each, mail)) for each in names]
    name, changed = next((pair for pair in tried if isinstance(pair[1], Tournament)), tried[-1])
    if not isinstance(changed, Tournament):
        hint = f"To play under another name, write for example `join {tournament.name} as Robin`."
        visible = _enter_tournament(_show_to_sender(tournament, mail, state), name, mail)
        message = visible if isinstance(visible, str) else f"Another player has a name like {name}"
        said, rule, way = split_fault(message)
        raise refuse_order(rule or "club.tournament.open", said, f"{way} {hint}".strip(), typed)
    member = state.find_member(mail.address)
    known = () if member.name else (evolve(member, name=name).document,)
    return OrderResult(
        f"You play in {tournament.name}.",
        (Paragraph(f"The owner of the host begins it. Until then you can leave: reply `decline {tournament.name}`."),),
        f"{TOURNAMENT_KIND} {tournament.name}",
        kept=(changed.document, *known),
    )


def _enter_tournament(tournament: Tournament, name: str, mail: Mail) -> Tournament | str:
    """Return the tournament with the sender as a player, or the reason why not."""
    try:
        return explain_pseudonym(name) or add_joiner(tournament, name, mail.address)
    except TournamentError as error:
        return str(error).partition("\n")[0].rstrip(".")


def _show_to_sender(tournament: Tournament, mail: Mail, state: ClubState) -> Tournament:
    return show_tournament(tournament, mail.address, lambda address: find_member(state.get_text, address))


def _find_tournament(typed: str, mail: Mail, state: ClubState) -> Tournament | None:
    """Return the tournament that an order names or that its letter is about; None for an order about a game."""
    name = typed or mail.find_subject(TOURNAMENT_KIND)
    if not name or (typed and state.find_value(Table, typed) is not None):
        return None
    return state.find_value(Tournament, name)


def _list_tournaments(state: ClubState) -> list[Tournament]:
    """List all tournaments, the latest first."""
    every = state.list_values(Tournament)
    return sorted(every, key=lambda each: (each.over is not None, -each.made.timestamp(), each.name))


@cites("club.tournament.list")
def list_tournaments(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    every = _list_tournaments(state)[:MAX_TOURNAMENTS_LISTED]
    if not every:
        return OrderResult("There are no tournaments now.", (Paragraph("The owner of the host announces them."),))
    count = "There is one tournament." if len(every) == 1 else f"There are {len(every)} tournaments."
    shown = [(each.name, _show_to_sender(each, request.mail, state)) for each in every]
    rows = tuple((name, _describe_tournament(each, request.mail.address)) for name, each in shown)
    return OrderResult(count, (Facts(rows),))


def _describe_tournament(tournament: Tournament, sender: str) -> str:
    side = tournament.side_of(sender)
    if tournament.over:
        return "Over."
    if not tournament.begun:
        answer = next((each.answer for each in tournament.people if each.address == sender), "")
        joins = f" To play in it, reply `join {tournament.name}`." if tournament.open else ""
        yours = {
            "": joins,
            "asked": f" You are invited: reply `accept {tournament.name}`.",
            "accepted": " You play in it.",
        }
        return f"It has not begun.{yours.get(answer, '')}"
    round_text = f"Round {len(tournament.played)} of {tournament.planned}."
    pair = next((pair for pair in tournament.played[-1] if side in pair.sides), None)
    if side is None or pair is None:
        return round_text
    other = next((each for each in pair.sides if each != side), None)
    if other is None:
        return f"{round_text} You have a bye."
    games = f" in {list_names(pair.games, 'and')}" if pair.games else ""
    return f"{round_text} You play {tournament.sides[other].name}{games}."


@cites("club.tournament.accept")
def decline_all(mail: Mail, state: ClubState) -> tuple[Document, ...]:
    """Decline all invitations to tournaments of somebody who wants no letters any more."""
    waiting = (each for each in _list_tournaments(state) if not (each.begun or each.over))
    asked = (each for each in waiting if any(p.address == mail.address and p.answer == "asked" for p in each.people))
    return tuple(each.record_answer(mail.address, "declined").document for each in asked)


@cites("club.stop")
def stop_letters(mail: Mail, state: ClubState) -> OrderResult | None:
    """Stop the letters about a tournament. Return None if the sender has not accepted an invitation to it."""
    name = mail.find_subject(TOURNAMENT_KIND)
    tournament = state.find_value(Tournament, name)
    if tournament is None or not any(p.address == mail.address and p.answer == "accepted" for p in tournament.people):
        return None
    changed = tournament.stop_letters(mail.address)
    more = ("Your games in it continue, and you still get their mails.",) if changed.begun else ()
    return report_done(f"You get no more mails about {name}.", *more, kept=(changed.document,))


@cites("club.tournament.accept")
def _answer_invitation(tournament: Tournament, mail: Mail, answer: Literal["accepted", "declined"]) -> OrderResult:
    name = tournament.name
    if tournament.side_of(mail.address) is None:
        hint = "The owner of the host invites players to a tournament."
        raise refuse_order(RULE, f"Nobody invited you to {name}", hint)
    if tournament.begun or tournament.over:
        raise refuse_order(RULE, f"{name} has begun already", "To leave it, write to the owner of the host.")
    changed = tournament.record_answer(mail.address, answer)
    kept = (changed.document,)
    about = f"{TOURNAMENT_KIND} {name}"
    if answer == "declined":
        return OrderResult(f"You do not play in {name}.", about=about, kept=kept)
    begins = "It begins now." if changed.ready else letters_of.describe_beginning(tournament)
    return OrderResult(f"You play in {name}.", (Paragraph(begins),), about, kept=kept)


@cites("club.help")
def _write_help(request: Request[ClubOrder], _: ClubState) -> OrderResult:
    first = "Reply with one line. Here is everything you can write to this host."
    return OrderResult(first, order_answers.list_club_orders(owner=request.mail.sender.role == "owner"))


@cites("club.games")
def _list_games(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    mail = request.mail
    every = list_games_of_member(state.list_games_of(mail.address), mail.address, mail.now)
    games = [each for each in every if not each.over]
    open_tables = (table for table in state.list_values(Table) if table.state == "open" and table.place(mail.address))
    tables = [show_lobby(table, mail.address, state) for table in open_tables]
    rows = order_answers.list_member_games(games, tables, mail.address)
    watched = list(list_observed(mail.address, state))
    watches = (Paragraph(f"You observe {list_names(watched, 'and')}."),) if watched else ()
    if not rows:
        more = Paragraph("`open games` lists games that look for players.")
        return OrderResult("You have no games here now.", (*watches, more))
    rows = (*rows, *watches)
    if not games:
        return OrderResult("None of your games has begun yet.", rows)
    mine = sum(each.mine for each in games)
    if len(games) == 1:
        return OrderResult(f"You play 1 game. It is {'' if mine else 'not '}your turn.", rows)
    waits = "waits" if mine < 2 else "wait"
    return OrderResult(f"You play {len(games)} games. {mine or 'None'} of them {waits} for you.", rows)


@cites("club.open")
def _list_open_games(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    gathering_players = (table for table in state.list_values(Table) if table.state == "open" and table.free)
    tables = [table for table in gathering_players if not table.place(request.mail.address)]
    if not tables:
        ask = "To look for players yourself, reply for example `new game second-edition for 2`."
        return OrderResult("No game looks for players now.", (Paragraph(ask),))
    count = "One game looks" if len(tables) == 1 else f"{len(tables)} games look"
    shown = [show_lobby(each, request.mail.address, state) for each in tables]
    return OrderResult(f"{count} for players.", order_answers.open_list(shown))


@cites("club.block")
def _block_letters(request: Request[Any], state: ClubState) -> OrderResult:
    """Stop all letters. An invitation that is answered is declined, and others hear only that."""
    mail = request.mail
    member = evolve(state.find_member(mail.address), blocked=True)
    kept = (member.document, *decline_all(mail, state))
    table = state.find_value(Table, mail.find_subject("table"))
    is_open = table is not None and table.state == "open" and mail.now < table.until
    if table is None or not is_open or table.place(mail.address) is None:
        return OrderResult(kept=kept)
    gone = gathering.decline_game(request.with_order(ClubOrder("decline")), state)
    return OrderResult(letters=gone.letters, kept=(*gone.kept, *kept))


@cites("club.block")
def _unblock_letters(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    member = evolve(state.find_member(request.mail.address), blocked=False)
    lead = "The club may write to you again, and people can invite you."
    return OrderResult(lead, kept=(member.document,))


STOPS = frozenset({DIGEST_KIND, OBSERVE_ABOUT, TABLE_KIND, TOURNAMENT_KIND})
"""The first words of the subjects of letters that have a button for unsubscribing."""


@cites("club.stop")
def _stop_letters(request: Request[ClubOrder], state: ClubState) -> OrderResult:
    """End the letters of the answered kind: digests, observing a game, a tournament, or all letters of the club."""
    word, _, name = request.mail.about.partition(" ")
    if word == DIGEST_KIND:
        return member_orders.switch_digest(request.with_order(ClubOrder(DIGEST_KIND, on=False)), state)
    if word == OBSERVE_ABOUT:
        return member_orders.stop_observing(request.with_order(ClubOrder("stop observing", name)), state)
    if word == "game":
        hint = "For fewer mails, reply `notify my turns` or `digest daily`. To give up the game, reply `resign`."
        raise refuse_order("club.stop", "The mails of a game that you play cannot be stopped", hint)
    if word == TOURNAMENT_KIND and (stopped := stop_letters(request.mail, state)):
        return stopped
    if word in {TABLE_KIND, TOURNAMENT_KIND}:
        return _block_letters(request, state)
    return report_done(
        "The club no longer writes to you.",
        "The games that you play continue, and you still get their mails. To hear from the club again, reply `unblock` to any of its mails.",
        kept=(evolve(state.find_member(request.mail.address), blocked=True).document,),
    )


HANDLERS: Mapping[str, Handler] = {
    "help": _write_help,
    "games": _list_games,
    "open games": _list_open_games,
    "tournaments": list_tournaments,
    "new game": gathering.gather_players,
    "new game from": gathering.gather_players,
    "play with": gathering.gather_players,
    "join": join_by_name,
    "accept": answer_invitation,
    "decline": answer_invitation,
    "words": gathering.add_words,
    "rematch": gathering.invite_again,
    "block": _block_letters,
    "unblock": _unblock_letters,
    "digest": member_orders.switch_digest,
    "notify each game": member_orders.switch_digest,
    "observe": member_orders.observe,
    "stop observing": member_orders.stop_observing,
    "observers": member_orders.allow_observers,
    "take seat": member_orders.take_seat,
    "offer seat": member_orders.offer_seat,
    "address": member_orders.change_address,
    "anonymous": member_orders.switch_anonymity,
    "calendar": member_orders.switch_calendar,
    "stop": _stop_letters,
}


def carry_out_club_order(order: Order, mail: Mail, state: ClubState) -> OrderResult:
    return carry_out(Request(order, find_club_kind(order), mail), state, HANDLERS)


@cites("club.order")
def carry_out_line(line: OrderLine, mail: Mail, state: ClubState) -> OrderResult:
    """Carry out a line and return its result, with the place of any problem in the line."""
    order = line.order
    if order is None:
        return OrderResult(problems=line.read.problems, line=line)
    result = evolve(carry_out_club_order(order, mail, state), line=line)
    if result.problem is None:
        return result
    located = locate_problem(result.problem, line.typed, result.wrong, getattr(order, "game", ""))
    return evolve(result, problems=(located,))


@cites("club.vouched")
def has_to_be_confirmed(line: OrderLine, mail: Mail, state: ClubState) -> bool:
    """Return True if a line waits for a `yes` of its sender. An error does not, nor an order about a game that doesn't exist."""
    order = line.order
    if order is None:
        return False
    row = KINDS[order.kind] if isinstance(order, DeskOrder) else find_club_kind(order)
    request = Request(order, row, mail)
    game = getattr(order, "game", "") if request.row.is_about_game else ""
    if not request.has_to_be_confirmed or not game or game.casefold() in PROSE:
        return request.has_to_be_confirmed
    problem = carry_out(request, state, HANDLERS).problem
    return problem is None or problem.kind is not Kind.NAME


@cites("club.words")
def attach_words(lines: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
    """Return the lines with the words of the same mail put into the first order that takes words."""
    orders = [(line, line.order) for line in lines if line.order is not None]
    words = [line for line, order in orders if find_club_kind(order).name == "words"]
    taker = next((line for line, order in orders if find_club_kind(order).takes_words), None)
    if not words or taker is None:
        return tuple(lines)
    said, order = (cast("ClubOrder", line.order) for line in (words[0], taker))
    order = evolve(order, words=said.words)
    taken = evolve(taker, read=evolve(taker.read, order=order))
    return tuple(taken if line is taker else line for line in lines if line not in words)
