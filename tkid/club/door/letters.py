"""What the door says: the help, lists of games, the invitation, and what became of a game that gathers players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tkid.club.door.orders import LISTED
from tkid.club.door.visit import DOOR, Visit
from tkid.club.member_games import MemberGame
from tkid.club.message import ClubLetter, framed
from tkid.club.tables import NO_CLOCK, Place, Table
from tkid.kernel.problems import Problem
from tkid.mail.letters.blocks import (
    Blocks,
    Button,
    Buttons,
    Copies,
    Events,
    Excerpt,
    Facts,
    Heading,
    Paragraph,
    Rule,
    Samples,
    begin,
)
from tkid.mail.letters.clock_text import day, terms
from tkid.mail.plugin import agreed
from tkid.notation.numbers import counted
from tkid.notation.vocabulary import listed
from tkid.record.clock.terms import DEFAULT, read_clock
from tkid.rulebook import cites, site

LONGEST_LEAD = 78
ABOUT_THE_GAME = "The King is Dead is a board game by Peer Sylvester. This host plays it by mail."
ONE_ANSWER = "You wrote to us, so you get this one answer. To continue, reply to it: a new mail gets no answer today."
LAST = "No more mails without our key are answered today (UTC). Reply to this mail instead."
NOT_YOURS = "If you did not write that mail, you need not do anything: nobody here writes to you again."
HELP_FOOTER = "Reply `help` to see what you can write."


def lead(*wordings: str) -> str:
    """The first of some sentences that fits in the first line of a letter; the last is cut where none does."""
    fitting = (text for text in wordings if len(text) <= LONGEST_LEAD)
    return next(fitting, begin(wordings[-1], LONGEST_LEAD - 1) + "…" if wordings else "")


def link(page: str, title: str) -> str:
    """A page of the site behind its title, for a footer."""
    return f"{title}: {site.address()}{page}"


def orders_list(*, owner: bool = False) -> Blocks:
    """The orders to the club: what each does, and how it is written; the `owner` hears where the others are."""
    rows = Events(tuple(("", f"{_capital(kind.help)}: {kind.form}") for kind in LISTED))
    return (
        (rows, Paragraph("You run this host: reply `desk` to see what you can do with its games."))
        if owner
        else (rows,)
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- answers ----------------------------------------------------------------------------------------------


@cites("club.order")
def not_understood(typed: str, problem: Problem, *, said: bool) -> Blocks:
    """What is wrong with a line, where, and the way out; `said` tells whether the first sentence has said what is wrong."""
    parts = ("" if said else sentence(problem.message), problem.hint)
    said_now = " ".join(filter(None, parts))
    return (
        Excerpt(typed, problem.col, problem.length),
        *([Paragraph(said_now)] if said_now else []),
        Rule(problem.rule),
    )


def sentence(text: str) -> str:
    """A message as a sentence."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def games_list(games: Sequence[MemberGame], tables: Iterable[Table], address: str) -> Blocks:
    """The games of a member: whose turn it is and until when; and those that have not begun."""
    rows = [(each.id, _stands(each)) for each in games]
    rows += [(table.name, _gathers(table, address)) for table in tables]
    return (Facts(tuple(rows)),) if rows else ()


def _stands(each: MemberGame) -> str:
    """Whose turn it is, and until when."""
    if each.over:
        return "over"
    if each.game.awaited is None:
        return "waits for somebody to play the next seat"
    whose = "your turn" if each.mine else f"{each.game.player(each.game.awaited)}'s turn"
    until = f", until {day(each.end)}" if each.end else ""
    return f"{whose}{until}"


def _gathers(table: Table, address: str) -> str:
    """What a game waits for that has not begun."""
    place = table.place(address)
    if place is not None and not place.accepted:
        return f"you are invited, until {day(table.until)}: accept {table.name}"
    return f"waits for {table.waits_for}, until {day(table.until)}"


def open_list(tables: Sequence[Table]) -> Blocks:
    """The games that look for players."""
    rows = tuple((table.name, _offer(table)) for table in tables)
    join = Samples((f"join {tables[0].name}",))
    return (Facts(rows), Paragraph("To take a seat, reply for example:"), join)


def _offer(table: Table) -> str:
    who = listed([place.name for place in table.places], "and")
    return f"{table.entry.title}, {table.size} players: {who}, {table.free} free. {_pace(table)}"


def _pace(table: Table) -> str:
    """How long a turn may take, in a sentence."""
    if table.clock == NO_CLOCK:
        return "No clock."
    clock = (read_clock(table.clock).clock if table.clock else None) or DEFAULT
    return terms(agreed(clock, table.entry.game(_readings(table))))


def _readings(table: Table) -> dict[str, str]:
    """The options of rulings that were agreed."""
    return dict(ruling.split(None, 1) for ruling in table.rulings if len(ruling.split()) > 1)


# -- letters to others ------------------------------------------------------------------------------------


def club_letter(  # noqa: PLR0917 - all that a letter has
    visit: Visit, place: Place, about: str, subject: str, text: Blocks, first: str, *footer: str
) -> ClubLetter:
    """A letter about something of the club to somebody who has, or is offered, a seat."""
    body = framed(about, first, text, footer or (HELP_FOOTER,))
    return ClubLetter(place.address, about, subject, body, visit.time, name=place.name)


@cites("club.invitation", "record.seal")
def invitation(table: Table, place: Place, host: Place, visit: Visit) -> ClubLetter:
    """The letter that invites somebody to a game."""
    game = table.entry.title.partition(",")[0]
    others = listed([each.name for each in table.others(place.address)] + ["you"], "and")
    free = f" {table.free} more can join." if table.free else ""
    bots = len(table.bots)
    programs = f" {counted(bots, 'program')} {'plays' if bots == 1 else 'play'} too." if bots else ""
    body = (
        Paragraph(f"Reply `accept` or `decline`. If you do nothing, the invitation ends on {day(table.until)}."),
        Buttons((Button("Accept the invitation", "accept"), Button("No, thanks", "decline"))),
        Heading("THE GAME"),
        Paragraph(f"{table.entry.title}. Players: {others}.{programs}{free} {_pace(table)}{_rulings(table)}"),
        Heading("KEEP THE DEAL HONEST"),
        Paragraph("Add a few words of your own when you accept, for example:"),
        Copies(("accept, words: seven swans on a cold loch",)),
        Paragraph(
            "Your words are mixed into the deal, so nobody can choose it, not even the host. The host has sealed its own "
            "half already:"
        ),
        *seal(table),
    )
    about = f"table {table.name}"
    first = lead(
        f"{host.name} would like to play {game} with you by mail. Will you join?",
        f"{host.name} would like to play a game with you by mail. Will you join?",
        "You are invited to play a game by mail. Will you join?",
    )
    why = (
        f"You get this one mail because {host.name} gave your address. Reply `block` and this host never "
        "writes to you again."
    )
    footer = (
        why,
        link("ten-minutes/", "How to play in ten minutes"),
    )
    subject = f"[{table.name}] {host.name} invites you to {game}"
    text = framed(about, first, body, footer)
    return ClubLetter(place.address, about, subject, text, visit.time, name=place.name, stop="block")


def seal(table: Table) -> Blocks:
    """The seal of the host's half, in two lines that no mail program breaks."""
    digits = f"sha256:{table.seal}"
    return (Copies((digits[:39], digits[39:]), together=True),)


def _rulings(table: Table) -> str:
    return f" Rulings: {', '.join(table.rulings)}." if table.rulings else ""


@cites("club.decline")
def declined(table: Table, place: Place, who: Place, visit: Visit) -> ClubLetter:
    """The letter that tells somebody that a game does not begin because somebody declined."""
    name = next(each.name for each in table.places if each.address == who.address)
    text = (Paragraph("Nothing else happens: no game was dealt. You can ask for another one:"), Samples(_asks(table)))
    first = lead(f"{name} declined, so {table.name} does not begin.", f"{table.name} does not begin.")
    return club_letter(visit, place, DOOR, f"[{table.name}] {name} declined", text, first)


@cites("club.expire")
def expired(table: Table, place: Place, visit: Visit) -> ClubLetter:
    """The letter that tells somebody that a game did not find its players in time."""
    silent = [each.name for each in table.missing]
    why = f"{listed(silent, 'and')} did not answer in time" if silent else "too few players joined in time"
    again = Samples((f"new game {table.ruleset} for {table.size}, open 30 days",))
    text = (Paragraph("No game was dealt. You can ask for another one, which is open for longer:"), again)
    first = lead(f"{table.name} does not begin: {why}.", f"{table.name} does not begin, for want of players.")
    return club_letter(visit, place, DOOR, f"[{table.name}] No game: too few players", text, first)


def _asks(table: Table) -> tuple[str, ...]:
    """An order for the same game, with whoever wants to play."""
    return (f"new game {table.ruleset} for {table.size}",)


# -- the front door ---------------------------------------------------------------------------------------


@cites("club.stranger")
def stranger(
    address: str, visit: Visit, asked: Sequence[str] = (), wrong: tuple[str, Blocks] | None = None, more: Blocks = ()
) -> ClubLetter:
    """The one answer to somebody who is not known here.

    `asked` are the orders in the mail that wait for a `yes`, in our own words. `wrong` is what is said where it has nothing but errors, first
    and below; `more` is about the errors beside orders.
    """
    body: Blocks = (
        Samples(("play with bob@example.org",)),
        Paragraph(
            "The host invites that player, and the game begins when they accept. Both of you may add a few words that are mixed "
            "into the deal. You need no account and no password."
        ),
        Buttons((Button("Start a game", "play with "), Button("Show me how it works", "help"))),
        Paragraph("Do you play here already? Then write from the address that your game mails go to."),
    )
    first = "Nobody with your address plays here yet. To start a game, reply with one line."
    if wrong:
        first, body = wrong
    if asked:
        first = "Is this mail from you? Nothing has been done yet. Reply `yes` to do it."
        body = (
            *_withheld(asked),
            Buttons((Button("Do it", "yes"),)),
            *more,
        )
    footer = (ABOUT_THE_GAME, link("ten-minutes/", "How to play in ten minutes"), NOT_YOURS if asked else ONE_ANSWER)
    about = f"{DOOR} {visit.host.rpartition('@')[2]}"
    return ClubLetter(address, about, "How to play here", framed(about, first, body, footer), visit.time)


@cites("club.stranger")
def _withheld(asked: Sequence[str]) -> Blocks:
    """What a mail asks for, in our own words."""
    contains = "one order" if len(asked) == 1 else f"{len(asked)} orders"
    why = "Its text is not repeated here, because anybody can write under your address."
    return (Paragraph(f"The mail contains {contains}. {why}"), Events(tuple(("", each) for each in asked)))


@cites("club.vouched")
def confirm(
    address: str, visit: Visit, about: str, asked: Sequence[str], more: Blocks = (), *, confirmed: bool = True
) -> ClubLetter:
    """The letter that asks a player whether a mail without a key was theirs; `more` is about its other lines.

    If the address was never `confirmed`, `asked` are its orders in our own words.
    """
    contains = "this order" if len(asked) == 1 else "these orders"
    came = "A mail with your address came to this host, without the key that we put in every mail."
    contents = (Paragraph(f"{came} It contains {contains}:"), Copies(tuple(asked)))
    body = (
        *(contents if confirmed else (Paragraph(came), *_withheld(asked))),
        Buttons((Button("Do it", "yes"),)),
        Paragraph("If you did not write that mail, you need not do anything."),
        *more,
    )
    first = "Is this mail from you? Nothing has been done yet. Reply `yes` to do it."
    return ClubLetter(address, about, "Is this mail from you?", framed(about, first, body), visit.time)
