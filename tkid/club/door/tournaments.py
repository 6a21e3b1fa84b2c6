"""Answers to the invitation to a tournament, by mail: `accept`, `join` and `decline`. Other answers are about games."""

from __future__ import annotations

from typing import Literal

from attrs import evolve

from tkid.club.display_names import find_member, tournament_for
from tkid.club.door import gathering
from tkid.club.door.gathering import wrong
from tkid.club.door.model import Accept, Decline, Join, ListTournaments
from tkid.club.door.visit import ClubState, Kept, Result, Visit
from tkid.club.members import KIND as MEMBER
from tkid.club.own_names import own_names
from tkid.club.persons import find_person
from tkid.club.results import tournament_letters as letters_of
from tkid.club.results.entering import TournamentError, joined
from tkid.club.results.tournament import KIND, Tournament
from tkid.mail.letters.blocks import Facts, Paragraph
from tkid.notation.vocabulary import listed
from tkid.rulebook import cites

RULE = "club.tournament.accept"
MOST = 20
"""So many tournaments are listed, the latest."""


def accept(order: Accept, visit: Visit, state: ClubState) -> Result:
    """Accept an invitation, to a tournament or to a game."""
    tournament = _meant(order.game, visit, state)
    return gathering.accept(order, visit, state) if tournament is None else _answered(tournament, visit, "accepted")


def join(order: Join, visit: Visit, state: ClubState) -> Result:
    """Join a tournament to which one is invited, or a game that looks for players."""
    tournament = _meant(order.game, visit, state)
    if tournament is None:
        return gathering.join(order, visit, state)
    if tournament.open and tournament.side_of(visit.sender) is None:
        return _joined(tournament, order.name, visit, state)
    return _answered(tournament, visit, "accepted")


@cites("club.tournament.open", "club.tournament.sides", "club.anonymous")
def _joined(tournament: Tournament, typed: str, visit: Visit, state: ClubState) -> Result:
    """Somebody joins who was not invited. What is wrong with the name is told without the names of anonymous players."""
    person = find_person(state)
    if person(visit.sender) in {person(each.address) for each in tournament.people}:
        hint = "Write from the address that plays in it. All addresses of a mailbox count as one person."
        return wrong("club.tournament.sides", f"You are in {tournament.name} already, under another address", hint)
    names = [typed] if typed else own_names(visit, state)
    name = next((each for each in names if isinstance(_entered(tournament, each, visit), Tournament)), names[-1])
    changed = _entered(tournament, name, visit)
    if not isinstance(changed, Tournament):
        hint = f"To play under another name, write for example `join {tournament.name} as Robin`."
        visible = _entered(_seen(tournament, visit, state), name, visit)
        message = visible if isinstance(visible, str) else f"Another player has a name like {name}"
        return wrong("club.tournament.open", message, hint)
    member = state.member(visit.sender)
    known = () if member.name else (Kept(MEMBER, visit.sender, evolve(member, name=name).text),)
    return Result(
        f"You play in {tournament.name}.",
        (Paragraph(f"The owner of the host begins it. Until then you can leave: reply `decline {tournament.name}`."),),
        f"{KIND} {tournament.name}",
        kept=(Kept(KIND, tournament.name, changed.text, changed.due), *known),
    )


def _entered(tournament: Tournament, name: str, visit: Visit) -> Tournament | str:
    """A tournament that the sender has joined under a name, or why that cannot be."""
    try:
        return joined(tournament, name, visit.sender)
    except TournamentError as error:
        return str(error).partition("\n")[0].rstrip(".")


def _seen(tournament: Tournament, visit: Visit, state: ClubState) -> Tournament:
    """A tournament as the sender may see it."""
    return tournament_for(tournament, visit.sender, lambda address: find_member(state.document, address))


def decline(order: Decline, visit: Visit, state: ClubState) -> Result:
    """Decline an invitation, to a tournament or to a game."""
    tournament = _meant(order.game, visit, state)
    return gathering.decline(order, visit, state) if tournament is None else _answered(tournament, visit, "declined")


def _meant(typed: str, visit: Visit, state: ClubState) -> Tournament | None:
    """The tournament that an order names or that its letter is about, None where it is about a game."""
    name = typed or visit.game(KIND)
    if not name or (typed and state.table(typed) is not None):
        return None
    text = state.document(KIND, name)
    return None if text is None else Tournament.read(text)


def _every(state: ClubState) -> list[Tournament]:
    """All tournaments, the latest first."""
    every = [Tournament.read(kept.text) for kept in state.documents(KIND) if kept.text is not None]
    return sorted(every, key=lambda each: (each.over is not None, -each.made.timestamp(), each.name))


@cites("club.tournament.list")
def list_tournaments(_: ListTournaments, visit: Visit, state: ClubState) -> Result:
    """The tournaments, and what the sender does in each."""
    every = _every(state)[:MOST]
    if not every:
        return Result("There are no tournaments now.", (Paragraph("The owner of the host announces them."),))
    count = "There is one tournament." if len(every) == 1 else f"There are {len(every)} tournaments."
    return Result(count, (Facts(tuple((each.name, _told(_seen(each, visit, state), visit.sender)) for each in every)),))


def _told(tournament: Tournament, sender: str) -> str:
    """How far a tournament is, and what somebody does in it."""
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
    games = f" in {listed(pair.games, 'and')}" if pair.games else ""
    return f"{round_text} You play {tournament.sides[other].name}{games}."


@cites("club.tournament.accept")
def declined_all(visit: Visit, state: ClubState) -> tuple[Kept, ...]:
    """The tournaments to which somebody is invited who wants no letters any more, with a refusal."""
    waiting = (each for each in _every(state) if not (each.begun or each.over))
    asked = (each for each in waiting if any(p.address == visit.sender and p.answer == "asked" for p in each.people))
    changed = (each.answered(visit.sender, "declined") for each in asked)
    return tuple(Kept(KIND, each.name, each.text, each.due) for each in changed)


@cites("club.stop")
def stop_letters(visit: Visit, state: ClubState) -> Result | None:
    """No letters about a tournament any more; None where the sender has not accepted an invitation to it."""
    name = visit.game(KIND)
    text = state.document(KIND, name)
    tournament = None if text is None else Tournament.read(text)
    if tournament is None or not any(p.address == visit.sender and p.answer == "accepted" for p in tournament.people):
        return None
    changed = tournament.silenced(visit.sender)
    more = Paragraph("Your games in it go on, and their mails still come.")
    return Result(
        f"You get no more mails about {name}.",
        (more,) if changed.begun else (),
        kept=(Kept(KIND, name, changed.text, changed.due),),
    )


@cites("club.tournament.accept")
def _answered(tournament: Tournament, visit: Visit, answer: Literal["accepted", "declined"]) -> Result:
    """What follows from an answer to an invitation."""
    name = tournament.name
    if tournament.side_of(visit.sender) is None:
        return wrong(RULE, f"Nobody invited you to {name}", "The owner of the host invites players to a tournament.")
    if tournament.begun or tournament.over:
        return wrong(RULE, f"{name} has begun already", "To leave it, write to the owner of the host.")
    changed = tournament.answered(visit.sender, answer)
    kept = Kept(KIND, name, changed.text, changed.due)
    about = f"{KIND} {name}"
    if answer == "declined":
        return Result(f"You do not play in {name}.", about=about, kept=(kept,))
    begins = "It begins now." if changed.ready else letters_of.begins(tournament)
    return Result(f"You play in {name}.", (Paragraph(begins),), about, kept=(kept,))
