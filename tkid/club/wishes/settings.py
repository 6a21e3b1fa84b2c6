"""Carries out what a member sets: digests, a pseudonym, a calendar; and what unsubscribing ends."""

from __future__ import annotations

from attrs import evolve

from tkid.club import digest
from tkid.club.digest import DigestBook
from tkid.club.door.visit import ClubState, Kept, Result, Visit
from tkid.club.members import DAILY, KIND, Member
from tkid.club.observers import ABOUT as OBSERVING
from tkid.club.wishes.answers import done, kept_member, refused
from tkid.club.wishes.model import SetAnonymous, SetCalendar, SetDigest, Stop, StopObserving
from tkid.club.wishes.observing import stop_observing
from tkid.mail.letters import clock_text
from tkid.rulebook import cites

NO_CALENDAR = (
    "There is no calendar to subscribe to, as this club has no pages on the web. Its owner sets their address: `url` under "
    "`[pages]` in the settings of the host."
)
CALENDARS = "calendars"
"""The folder of the club's pages in which calendars are."""


SINGLY = (
    "These mails still come singly: answers to your own mails, reminders, questions, and the first and the last mail of a "
    "game. So does your turn if its time ends before the next digest."
)


@cites("club.digest")
def set_digest(order: SetDigest, visit: Visit, state: ClubState) -> Result:
    """One mail a day for all games, or single mails again. What was kept for a digest comes in a last one."""
    member = state.member(visit.sender)
    kept = state.document(digest.KIND, member.address)
    book = DigestBook.read(kept) if kept else None
    if order.daily:
        begun = evolve(book, hour=visit.time.hour, last=False) if book else DigestBook(member.address, visit.time.hour)
        due = begun.next_time(visit.time)
        daily = (kept_member(evolve(member, digest=DAILY)), Kept(digest.KIND, member.address, begun.text, due))
        return done(
            "From now on you get one mail a day for all your games.",
            f"The first comes on {clock_text.moment(due, year=False)}, and the others at the same hour. {SINGLY}",
            "To end this, reply `digest off`.",
            kept=daily,
        )
    if member.digest != DAILY:
        return done("You get a mail for each game already.", "For one mail a day, reply `digest daily`.")
    documents = [kept_member(evolve(member, digest=""))]
    waits = book is not None and (book.held or book.heard)
    if book is not None:
        last = evolve(book, last=True)
        documents.append(Kept(digest.KIND, member.address, last.text, visit.time if waits else None))
    more = ("What was kept for your next digest comes in one last digest.",) if waits else ()
    return done("From now on each game writes to you by itself.", *more, kept=tuple(documents))


@cites("club.anonymous")
def set_anonymous(order: SetAnonymous, visit: Visit, state: ClubState) -> Result:
    """A pseudonym in place of the name in what is published, or the name again."""
    member = state.member(visit.sender)
    if not order.on:
        if not member.anonymous:
            return done("The club's pages show your name already.")
        shown = evolve(member, anonymous=False)
        return done("From now on the club's pages show your name again.", kept=(kept_member(shown),))
    others = [
        each.pseudonym
        for each in (Member.read(kept.text or "") for kept in state.documents(KIND))
        if each.pseudonym and each.address != member.address
    ]
    hidden = member.hidden(visit.entropy, others)
    return done(
        f"From now on the club's pages call you {hidden.pseudonym}.",
        "The people you play with still see your name. `anonymous off` ends this.",
        kept=(kept_member(hidden),),
    )


@cites("club.calendar")
def set_calendar(order: SetCalendar, visit: Visit, state: ClubState) -> Result:
    """A calendar file in turn mails, and the address of the calendar."""
    member = state.member(visit.sender)
    if not order.on:
        return done(
            "Your turn mails come without calendar files from now on.",
            kept=(kept_member(evolve(member, calendar=False)),),
        )
    drawn = member.with_calendar(visit.entropy, attached=True)
    pages = visit.club.pages
    where = f"{pages.rstrip('/')}/{CALENDARS}/{drawn.secret}.ics"
    subscribe = (
        f"You can subscribe to your own calendar too. Keep its address secret: {where}" if pages else NO_CALENDAR
    )
    return done(
        "From now on your turn mails carry the deadline for your calendar.",
        subscribe,
        "`calendar off` ends this.",
        kept=(kept_member(drawn),),
    )


@cites("club.stop")
def stop(_: Stop, visit: Visit, state: ClubState) -> Result:
    """Ends the letters of the kind that is answered: digests, observing a game, or all letters of the club."""
    word, name = visit.about.partition(" ")[::2]
    if word == digest.KIND:
        return set_digest(SetDigest(daily=False), visit, state)
    if word == OBSERVING:
        return stop_observing(StopObserving(name), visit, state)
    if word == "game":
        hint = "For fewer mails, reply `notify my turns` or `digest daily`. To give up the game, reply `resign`."
        return refused("club.stop", "The mails of a game that you play cannot be stopped", hint)
    blocked = evolve(state.member(visit.sender), blocked=True)
    return done(
        "The club no longer writes to you.",
        "Games that you play go on, and their mails still come. To hear from the club again, reply `unblock` to any of its mails.",
        kept=(kept_member(blocked),),
    )
