"""Carries out orders to the club: what each changes, what its sender is told, and who else hears of it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from attrs import evolve

from tkid.club.digest import KIND as DIGEST
from tkid.club.display_names import table_for
from tkid.club.door import gathering, letters
from tkid.club.door.finder import ClubLine
from tkid.club.door.language import PROSE
from tkid.club.door.model import (
    TAKES_WORDS,
    Accept,
    Block,
    ClubOrder,
    Decline,
    Help,
    Join,
    ListGames,
    ListOpen,
    ListTournaments,
    NewGame,
    Rematch,
    Unblock,
    Words,
)
from tkid.club.door.tournaments import accept, decline, declined_all, join, list_tournaments, stop_letters
from tkid.club.door.visit import ClubState, Kept, Result, Visit
from tkid.club.member_games import member_games
from tkid.club.members import KIND as MEMBER
from tkid.club.observers import ABOUT as OBSERVED
from tkid.club.observers import observed_by
from tkid.club.places import under
from tkid.club.results.tournament import KIND as TOURNAMENT
from tkid.club.tables import KIND as TABLE
from tkid.club.wishes.handlers import WISHES
from tkid.club.wishes.model import AllowObservers, Observe, OfferSeat, Stop, TakeSeat
from tkid.kernel.problems import Kind, Problem
from tkid.mail.letters.blocks import Paragraph
from tkid.notation.vocabulary import listed
from tkid.rulebook import cites

Handler = Callable[[Any, Visit, ClubState], Result]
ABOUT_A_GAME = (Join, Accept, Decline, Observe, AllowObservers, TakeSeat, OfferSeat)
"""Orders that may name a game, and that only look things up until they are carried out."""


@cites("club.help")
def _help(_: Help, visit: Visit, __: ClubState) -> Result:
    first = "Reply with one line. Here is everything you can write to this host."
    return Result(first, letters.orders_list(owner=visit.owner))


@cites("club.games")
def _games(_: ListGames, visit: Visit, state: ClubState) -> Result:
    games = [each for each in member_games(state.games(visit.sender), visit.sender, visit.time) if not each.over]
    open_tables = (table for table in state.tables() if table.state == "open" and table.place(visit.sender))
    tables = [table_for(table, visit.sender, state) for table in open_tables]
    rows = letters.games_list(games, tables, visit.sender)
    watched = list(observed_by(visit.sender, state))
    watches = (Paragraph(f"You observe {listed(watched, 'and')}."),) if watched else ()
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
def _open(_: ListOpen, visit: Visit, state: ClubState) -> Result:
    tables = [
        table for table in state.tables() if table.state == "open" and table.free and not table.place(visit.sender)
    ]
    if not tables:
        ask = "To look for players yourself, reply for example `new game second-edition for 2`."
        return Result("No game looks for players now.", (Paragraph(ask),))
    count = "One game looks" if len(tables) == 1 else f"{len(tables)} games look"
    return Result(f"{count} for players.", letters.open_list([table_for(each, visit.sender, state) for each in tables]))


@cites("club.block")
def _block(_: Block, visit: Visit, state: ClubState) -> Result:
    """No letters any more; an invitation that is answered is declined, and that is all that anybody hears."""
    member = evolve(state.member(visit.sender), blocked=True)
    kept = (Kept(MEMBER, member.address, member.text), *declined_all(visit, state))
    table = state.table(visit.game("table"))
    if table is None or table.state != "open" or table.place(visit.sender) is None:
        return Result(kept=kept)
    gone = gathering.decline(Decline(), visit, state)
    return Result(letters=gone.letters, kept=(*gone.kept, *kept))


@cites("club.block")
def _unblock(_: Unblock, visit: Visit, state: ClubState) -> Result:
    member = evolve(state.member(visit.sender), blocked=False)
    kept = (Kept(MEMBER, member.address, member.text),)
    return Result("The club may write to you again, and people can invite you.", kept=kept)


def _declined(_: Stop, visit: Visit, state: ClubState) -> Result:
    """An invitation is declined by unsubscribing, and no other comes."""
    return _block(Block(), visit, state)


def _silenced(_: Stop, visit: Visit, state: ClubState) -> Result:
    """Whoever plays in a tournament hears of the games alone; an invitation to one is declined."""
    return stop_letters(visit, state) or _block(Block(), visit, state)


STOPS: Mapping[str, Handler] = MappingProxyType(
    {DIGEST: WISHES[Stop], OBSERVED: WISHES[Stop], TABLE: _declined, TOURNAMENT: _silenced}
)
"""Who ends the letters that have a button for unsubscribing, by the first word of what a letter is about."""


@cites("club.stop")
def _stop(order: Stop, visit: Visit, state: ClubState) -> Result:
    """What a mail program's button ends, and the word in a reply."""
    return STOPS.get(visit.about.partition(" ")[0], WISHES[Stop])(order, visit, state)


HANDLERS: Mapping[type[ClubOrder], Handler] = MappingProxyType(
    {
        Help: _help,
        Unblock: _unblock,
        ListGames: _games,
        ListOpen: _open,
        ListTournaments: list_tournaments,
        NewGame: gathering.new_game,
        Join: join,
        Accept: accept,
        Decline: decline,
        Words: gathering.words,
        Rematch: gathering.rematch,
        Block: _block,
        **WISHES,
        Stop: _stop,
    }
)
"""Who carries out which order, by the class of the order."""


def carry_out(order: ClubOrder, visit: Visit, state: ClubState) -> Result:
    """Carry out one order."""
    return HANDLERS[type(order)](order, visit, state)


@cites("club.order")
def carry_out_line(line: ClubLine, visit: Visit, state: ClubState) -> Result:
    """Carry out a line; what is wrong with it, with the place in the line, where it cannot be."""
    if isinstance(line.read, Problem):
        return Result(problem=line.read)
    result = carry_out(line.read, visit, state)
    if result.problem is None:
        return result
    return evolve(result, problem=under(result.problem, line.typed, result.wrong, getattr(line.read, "game", "")))


def names_no_game(line: ClubLine, visit: Visit, state: ClubState) -> bool:
    """Whether an order is about a game by a name that no such game has, so that nobody need be asked about it."""
    if not isinstance(line.read, ABOUT_A_GAME) or not line.read.game or line.read.game.casefold() in PROSE:
        return False
    problem = carry_out(line.read, visit, state).problem
    return problem is not None and problem.kind is Kind.NAME


@cites("club.words")
def with_words(lines: Sequence[ClubLine]) -> tuple[ClubLine, ...]:
    """Lines, with the words of the same mail put into the first order that takes words."""
    said = next((line.read.text for line in lines if isinstance(line.read, Words)), "")
    taker = next((line for line in lines if isinstance(line.read, TAKES_WORDS)), None)
    if not said or taker is None:
        return tuple(lines)
    rest = (line for line in lines if not isinstance(line.read, Words))
    return tuple(_with(line, said) if line is taker else line for line in rest)


def _with(line: ClubLine, said: str) -> ClubLine:
    assert isinstance(line.read, TAKES_WORDS)
    return evolve(line, read=evolve(line.read, words=said))
