"""What waits for somebody's answer: a `yes` or `no` that answers nothing is told of it, with a key for the answer. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from tkid.club.door import letters
from tkid.club.door.answer import SUBJECT, named_kinds, question
from tkid.club.door.asked import KIND as ASKED
from tkid.club.door.asked import Asked
from tkid.club.door.visit import DOOR, ClubState, Visit
from tkid.club.message import ClubLetter, framed
from tkid.club.results.tournament import KIND as TOURNAMENT
from tkid.club.results.tournament import Tournament
from tkid.club.tables import KIND as TABLE
from tkid.club.wishes.moving import asks
from tkid.mail.letters.blocks import Paragraph
from tkid.rulebook import cites

MOST_NAMED = 5
"""So many other invitations are named."""


@cites("club.answer")
def waiting(visit: Visit, state: ClubState, *, confirmed: bool) -> ClubLetter | None:
    """The letter that asks again what waits for somebody's answer; None where nothing does.

    What the mail answers comes first, if that still waits. Other invitations are named. If the address was never `confirmed`,
    the text of the mail that waits is not repeated.
    """
    invited = list(invitations(visit, state))
    if invited:
        about = visit.about if visit.about in invited else invited[0]
        others = [each.partition(" ")[2] for each in invited if each != about]
        return question(evolve(visit, about=about), state.member(visit.sender).name, others[:MOST_NAMED])
    for kept in state.documents(ASKED):
        asked = Asked.read(kept.text) if kept.text else None
        if asked is not None and asked.address == visit.sender and asked.until > visit.time:
            shown = asked.lines if confirmed else named_kinds(asked.lines)
            return letters.confirm(visit.sender, visit, f"{ASKED} {kept.id}", shown, confirmed=confirmed)
    member = state.member(visit.sender)
    if member.move is not None and member.move.until > visit.time and visit.sender not in member.move.agreed:
        return asks(member, member.address, visit.time)
    return None


@cites("club.answer")
def nothing(visit: Visit, name: str) -> ClubLetter:
    """The answer to a `yes` or `no` where nothing waits for it."""
    first = "Nothing waits for your answer here, so nothing has been done."
    text = Paragraph(
        "`games` lists your games, and `open games` lists those that look for players. To answer a mail about a game, "
        "reply to that mail."
    )
    return ClubLetter(
        visit.sender, DOOR, SUBJECT, framed(DOOR, first, (text,), (letters.HELP_FOOTER,)), visit.time, name=name
    )


def invitations(visit: Visit, state: ClubState) -> Iterator[str]:
    """Yield what somebody is invited to and has not answered: what a letter about each is about."""
    for table in state.tables():
        place = table.place(visit.sender)
        if table.state == "open" and place is not None and not place.accepted and table.until > visit.time:
            yield f"{TABLE} {table.name}"
    for kept in state.documents(TOURNAMENT):
        if kept.text is None:
            continue
        tournament = Tournament.read(kept.text)
        asked = any(each.address == visit.sender and each.answer == "asked" for each in tournament.people)
        if asked and not (tournament.begun or tournament.over):
            yield f"{TOURNAMENT} {tournament.name}"
