"""Carry out orders to the club, also those about tournaments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

from attrs import evolve

from tkid.club import gathering, member_orders, order_answers, order_values
from tkid.club import tournament_letters as letters_of
from tkid.club.club_state import ClubState, Kept, Result, Visit
from tkid.club.digest import DIGEST_KIND as DIGEST
from tkid.club.gathering import make_wrong
from tkid.club.lobby import TABLE_KIND as TABLE
from tkid.club.members import MEMBER_KIND as MEMBER
from tkid.club.members import explain_pseudonym, list_games_of_member
from tkid.club.names import find_member, find_person, own_names, show_lobby, show_tournament
from tkid.club.observers import OBSERVE_ABOUT as OBSERVED
from tkid.club.observers import list_observed
from tkid.club.order_reader import ClubLine, locate_problem
from tkid.club.order_values import (
    TAKES_WORDS,
    Accept,
    AllowObservers,
    Block,
    ClubOrder,
    Decline,
    Help,
    Join,
    ListGames,
    ListOpen,
    ListTournaments,
    NewGame,
    Observe,
    OfferSeat,
    Rematch,
    Stop,
    TakeSeat,
    Unblock,
    Words,
)
from tkid.club.tournament import TOURNAMENT_KIND, Tournament
from tkid.club.tournament import TOURNAMENT_KIND as TOURNAMENT
from tkid.club.tournament_letters import TournamentError, add_joiner
from tkid.kernel.problems import Kind, Problem
from tkid.mail.blocks import Facts, Paragraph
from tkid.notation.names import list_names
from tkid.orders.forms import PROSE
from tkid.record.format.new_game import split_fault
from tkid.rulebook import cites

RULE = "club.tournament.accept"
MAX_TOURNAMENTS_LISTED = 20
"""Maximum number of tournaments that are listed, the latest."""


def accept_invitation(order: Accept, visit: Visit, state: ClubState) -> Result:
    """Accept an invitation, to a tournament or to a game."""
    tournament = _find_tournament(order.game, visit, state)
    return (
        gathering.accept_game(order, visit, state)
        if tournament is None
        else _answer_invitation(tournament, visit, "accepted")
    )


def join_by_name(order: Join, visit: Visit, state: ClubState) -> Result:
    """Join a tournament to which one is invited, or a game that looks for players."""
    tournament = _find_tournament(order.game, visit, state)
    if tournament is None:
        return gathering.join_game(order, visit, state)
    if tournament.open and tournament.side_of(visit.sender) is None:
        return _join_tournament(tournament, order.name, visit, state)
    return _answer_invitation(tournament, visit, "accepted")


@cites("club.tournament.open", "club.tournament.sides", "club.anonymous")
def _join_tournament(tournament: Tournament, typed: str, visit: Visit, state: ClubState) -> Result:
    """Let an uninvited player join. A problem with the name is reported without the names of anonymous players."""
    person = find_person(state)
    if person(visit.sender) in {person(each.address) for each in tournament.people}:
        hint = "Write from the address that plays in it. All addresses of a mailbox count as one person."
        return make_wrong("club.tournament.sides", f"You are in {tournament.name} already, under another address", hint)
    names = [typed] if typed else own_names(visit, state)
    name = next(
        (each for each in names if isinstance(_enter_tournament(tournament, each, visit), Tournament)), names[-1]
    )
    changed = _enter_tournament(tournament, name, visit)
    if not isinstance(changed, Tournament):
        hint = f"To play under another name, write for example `join {tournament.name} as Robin`."
        visible = _enter_tournament(_show_to_sender(tournament, visit, state), name, visit)
        message = visible if isinstance(visible, str) else f"Another player has a name like {name}"
        said, rule, way = split_fault(message)
        return make_wrong(rule or "club.tournament.open", said, f"{way} {hint}".strip(), typed)
    member = state.find_member(visit.sender)
    known = () if member.name else (Kept(MEMBER, visit.sender, evolve(member, name=name).text),)
    return Result(
        f"You play in {tournament.name}.",
        (Paragraph(f"The owner of the host begins it. Until then you can leave: reply `decline {tournament.name}`."),),
        f"{TOURNAMENT_KIND} {tournament.name}",
        kept=(Kept(TOURNAMENT_KIND, tournament.name, changed.text, changed.due), *known),
    )


def _enter_tournament(tournament: Tournament, name: str, visit: Visit) -> Tournament | str:
    """Return the tournament with the sender as a player, or the reason why not."""
    try:
        return explain_pseudonym(name) or add_joiner(tournament, name, visit.sender)
    except TournamentError as error:
        return str(error).partition("\n")[0].rstrip(".")


def _show_to_sender(tournament: Tournament, visit: Visit, state: ClubState) -> Tournament:
    return show_tournament(tournament, visit.sender, lambda address: find_member(state.get_text, address))


def decline_invitation(order: Decline, visit: Visit, state: ClubState) -> Result:
    """Decline an invitation, to a tournament or to a game."""
    tournament = _find_tournament(order.game, visit, state)
    return (
        gathering.decline_game(order, visit, state)
        if tournament is None
        else _answer_invitation(tournament, visit, "declined")
    )


def _find_tournament(typed: str, visit: Visit, state: ClubState) -> Tournament | None:
    """Return the tournament that an order names or that its letter is about; None for an order about a game."""
    name = typed or visit.find_subject(TOURNAMENT_KIND)
    if not name or (typed and state.find_lobby(typed) is not None):
        return None
    text = state.get_text(TOURNAMENT_KIND, name)
    return None if text is None else Tournament.read(text)


def _list_tournaments(state: ClubState) -> list[Tournament]:
    """List all tournaments, the latest first."""
    every = [Tournament.read(kept.text) for kept in state.list_documents(TOURNAMENT_KIND) if kept.text is not None]
    return sorted(every, key=lambda each: (each.over is not None, -each.made.timestamp(), each.name))


@cites("club.tournament.list")
def list_tournaments(_: ListTournaments, visit: Visit, state: ClubState) -> Result:
    """The tournaments, and what the sender does in each."""
    every = _list_tournaments(state)[:MAX_TOURNAMENTS_LISTED]
    if not every:
        return Result("There are no tournaments now.", (Paragraph("The owner of the host announces them."),))
    count = "There is one tournament." if len(every) == 1 else f"There are {len(every)} tournaments."
    return Result(
        count,
        (
            Facts(
                tuple(
                    (each.name, _describe_tournament(_show_to_sender(each, visit, state), visit.sender))
                    for each in every
                )
            ),
        ),
    )


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
def decline_all(visit: Visit, state: ClubState) -> tuple[Kept, ...]:
    """Decline all invitations to tournaments of somebody who wants no letters any more."""
    waiting = (each for each in _list_tournaments(state) if not (each.begun or each.over))
    asked = (each for each in waiting if any(p.address == visit.sender and p.answer == "asked" for p in each.people))
    changed = (each.record_answer(visit.sender, "declined") for each in asked)
    return tuple(Kept(TOURNAMENT_KIND, each.name, each.text, each.due) for each in changed)


@cites("club.stop")
def stop_letters(visit: Visit, state: ClubState) -> Result | None:
    """No letters about a tournament any more; None where the sender has not accepted an invitation to it."""
    name = visit.find_subject(TOURNAMENT_KIND)
    text = state.get_text(TOURNAMENT_KIND, name)
    tournament = None if text is None else Tournament.read(text)
    if tournament is None or not any(p.address == visit.sender and p.answer == "accepted" for p in tournament.people):
        return None
    changed = tournament.stop_letters(visit.sender)
    more = Paragraph("Your games in it continue, and you still get their mails.")
    return Result(
        f"You get no more mails about {name}.",
        (more,) if changed.begun else (),
        kept=(Kept(TOURNAMENT_KIND, name, changed.text, changed.due),),
    )


@cites("club.tournament.accept")
def _answer_invitation(tournament: Tournament, visit: Visit, answer: Literal["accepted", "declined"]) -> Result:
    name = tournament.name
    if tournament.side_of(visit.sender) is None:
        return make_wrong(
            RULE, f"Nobody invited you to {name}", "The owner of the host invites players to a tournament."
        )
    if tournament.begun or tournament.over:
        return make_wrong(RULE, f"{name} has begun already", "To leave it, write to the owner of the host.")
    changed = tournament.record_answer(visit.sender, answer)
    kept = Kept(TOURNAMENT_KIND, name, changed.text, changed.due)
    about = f"{TOURNAMENT_KIND} {name}"
    if answer == "declined":
        return Result(f"You do not play in {name}.", about=about, kept=(kept,))
    begins = "It begins now." if changed.ready else letters_of.describe_beginning(tournament)
    return Result(f"You play in {name}.", (Paragraph(begins),), about, kept=(kept,))


WISHES: Mapping[type[ClubOrder], Callable[[Any, Visit, ClubState], Result]] = MappingProxyType(
    {
        order_values.SetDigest: member_orders.switch_digest,
        order_values.SetAnonymous: member_orders.switch_anonymity,
        order_values.SetCalendar: member_orders.switch_calendar,
        order_values.Stop: member_orders.stop,
        order_values.Observe: member_orders.observe,
        order_values.StopObserving: member_orders.stop_observing,
        order_values.AllowObservers: member_orders.allow_observers,
        order_values.TakeSeat: member_orders.take_seat,
        order_values.OfferSeat: member_orders.offer_seat,
        order_values.ChangeAddress: member_orders.ask_about_move,
        order_values.AnswerMove: member_orders.answer_move,
    }
)
"""By the class of the order."""


Handler = Callable[[Any, Visit, ClubState], Result]
ABOUT_A_GAME = (Join, Accept, Decline, Observe, AllowObservers, TakeSeat, OfferSeat)
"""Orders that may name a game, and that only look things up until they are carried out."""


@cites("club.help")
def _write_help(_: Help, visit: Visit, __: ClubState) -> Result:
    first = "Reply with one line. Here is everything you can write to this host."
    return Result(first, order_answers.list_club_orders(owner=visit.owner))


@cites("club.games")
def _list_games(_: ListGames, visit: Visit, state: ClubState) -> Result:
    games = [
        each
        for each in list_games_of_member(state.list_games_of(visit.sender), visit.sender, visit.time)
        if not each.over
    ]
    open_tables = (table for table in state.list_lobbies() if table.state == "open" and table.place(visit.sender))
    tables = [show_lobby(table, visit.sender, state) for table in open_tables]
    rows = order_answers.list_member_games(games, tables, visit.sender)
    watched = list(list_observed(visit.sender, state))
    watches = (Paragraph(f"You observe {list_names(watched, 'and')}."),) if watched else ()
    if not rows:
        more = Paragraph("`open games` lists games that look for players.")
        return Result("You have no games here now.", (*watches, more))
    rows = (*rows, *watches)
    if not games:
        return Result("None of your games has begun yet.", rows)
    mine = sum(each.mine for each in games)
    count = f"{len(games)} {'game' if len(games) == 1 else 'games'}"
    return Result(f"You play {count}. {mine or 'None'} of them {'waits' if mine < 2 else 'wait'} for you.", rows)


@cites("club.open")
def _list_open_games(_: ListOpen, visit: Visit, state: ClubState) -> Result:
    tables = [
        table
        for table in state.list_lobbies()
        if table.state == "open" and table.free and not table.place(visit.sender)
    ]
    if not tables:
        ask = "To look for players yourself, reply for example `new game second-edition for 2`."
        return Result("No game looks for players now.", (Paragraph(ask),))
    count = "One game looks" if len(tables) == 1 else f"{len(tables)} games look"
    return Result(
        f"{count} for players.", order_answers.open_list([show_lobby(each, visit.sender, state) for each in tables])
    )


@cites("club.block")
def _block_letters(_: Block, visit: Visit, state: ClubState) -> Result:
    """Stop all letters. An invitation that is answered is declined, and others hear only that."""
    member = evolve(state.find_member(visit.sender), blocked=True)
    kept = (Kept(MEMBER, member.address, member.text), *decline_all(visit, state))
    table = state.find_lobby(visit.find_subject("table"))
    if table is None or table.state != "open" or table.place(visit.sender) is None:
        return Result(kept=kept)
    gone = gathering.decline_game(Decline(), visit, state)
    return Result(letters=gone.letters, kept=(*gone.kept, *kept))


@cites("club.block")
def _unblock_letters(_: Unblock, visit: Visit, state: ClubState) -> Result:
    member = evolve(state.find_member(visit.sender), blocked=False)
    kept = (Kept(MEMBER, member.address, member.text),)
    return Result("The club may write to you again, and people can invite you.", kept=kept)


def _decline_by_button(_: Stop, visit: Visit, state: ClubState) -> Result:
    """Decline an invitation by the button for unsubscribing, so that no other comes."""
    return _block_letters(Block(), visit, state)


def _silence_tournament(_: Stop, visit: Visit, state: ClubState) -> Result:
    return stop_letters(visit, state) or _block_letters(Block(), visit, state)


STOPS: Mapping[str, Handler] = MappingProxyType(
    {DIGEST: WISHES[Stop], OBSERVED: WISHES[Stop], TABLE: _decline_by_button, TOURNAMENT: _silence_tournament}
)
"""Function that ends the letters with a button for unsubscribing, by the first word of a letter's subject."""


@cites("club.stop")
def _stop_letters(order: Stop, visit: Visit, state: ClubState) -> Result:
    return STOPS.get(visit.about.partition(" ")[0], WISHES[Stop])(order, visit, state)


HANDLERS: Mapping[type[ClubOrder], Handler] = MappingProxyType(
    {
        Help: _write_help,
        Unblock: _unblock_letters,
        ListGames: _list_games,
        ListOpen: _list_open_games,
        ListTournaments: list_tournaments,
        NewGame: gathering.gather_players,
        Join: join_by_name,
        Accept: accept_invitation,
        Decline: decline_invitation,
        Words: gathering.add_words,
        Rematch: gathering.invite_again,
        Block: _block_letters,
        **WISHES,
        Stop: _stop_letters,
    }
)
"""Handler of each order, by the class of the order."""


def carry_out_club_order(order: ClubOrder, visit: Visit, state: ClubState) -> Result:
    """Carry out an order to the club."""
    return HANDLERS[type(order)](order, visit, state)


@cites("club.order")
def carry_out_line(line: ClubLine, visit: Visit, state: ClubState) -> Result:
    """Carry out a line; what is wrong with it, with the place in the line, where it cannot be."""
    if isinstance(line.read, Problem):
        return Result(problem=line.read)
    result = carry_out_club_order(line.read, visit, state)
    if result.problem is None:
        return result
    return evolve(
        result, problem=locate_problem(result.problem, line.typed, result.wrong, getattr(line.read, "game", ""))
    )


def is_about_no_game(line: ClubLine, visit: Visit, state: ClubState) -> bool:
    """Return True if an order names a game that doesn't exist, so that no question is needed."""
    if not isinstance(line.read, ABOUT_A_GAME) or not line.read.game or line.read.game.casefold() in PROSE:
        return False
    problem = carry_out_club_order(line.read, visit, state).problem
    return problem is not None and problem.kind is Kind.NAME


@cites("club.words")
def attach_words(lines: Sequence[ClubLine]) -> tuple[ClubLine, ...]:
    """Return the lines with the words of the same mail put into the first order that takes words."""
    said = next((line.read.text for line in lines if isinstance(line.read, Words)), "")
    taker = next((line for line in lines if isinstance(line.read, TAKES_WORDS)), None)
    if not said or taker is None:
        return tuple(lines)
    rest = (line for line in lines if not isinstance(line.read, Words))
    return tuple(_attach(line, said) if line is taker else line for line in rest)


def _attach(line: ClubLine, said: str) -> ClubLine:
    assert isinstance(line.read, TAKES_WORDS)
    return evolve(line, read=evolve(line.read, words=said))
