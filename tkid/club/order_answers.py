"""Write the club's answers and help, and reminders of what waits for a yes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from tkid.club.club_state import ClubState, write_club_letter
from tkid.club.host_time import ABOUT as DESK
from tkid.club.lobby import TABLE_KIND as TABLE
from tkid.club.lobby import Place, Table
from tkid.club.member_orders import ASKED, ask_address
from tkid.club.members import MemberGame
from tkid.club.order_reader import match_club_kind
from tkid.club.order_values import KINDS, LISTED
from tkid.club.tournament import TOURNAMENT_KIND as TOURNAMENT
from tkid.club.tournament import Tournament
from tkid.mail import letter_parts
from tkid.mail.blocks import (
    Blocks,
    Button,
    Buttons,
    Copies,
    Events,
    Facts,
    Heading,
    Paragraph,
    Quote,
    Samples,
    shorten_line,
)
from tkid.mail.game_clock import describe_terms, format_day
from tkid.mail.hosted_game import Proposal
from tkid.mail.order_answers import ResultWriter
from tkid.mail.order_machine import DOOR, ClubLetter, Mail, OrderResult
from tkid.mail.plugin import read_terms
from tkid.notation.names import list_names
from tkid.notation.text import capitalize_text, count_noun
from tkid.orders.topics import complete_line, find_topics
from tkid.rulebook import cites, register
from tkid.rulebook.rulesets import rulesets

FINDING_PLAYERS = (
    ("Look for an open game", "open games"),
    ("Wait for another player", "new game second-edition for 2"),
    ("Play against a program", "new game with bot"),
)
"""Ways to a game without an invitation."""
ABOUT_THE_GAME = "The King is Dead is a board game by Peer Sylvester. This host plays it by mail."
ONE_ANSWER = "You wrote to us, so you get this one answer. To continue, reply to it: a new mail gets no answer today."
LAST = "No more mails without our key are answered today (UTC). Reply to this mail instead."
HELP_FOOTER = "Reply `help` to see what you can write."


def link_lesson() -> str:
    """Return the page of the site that teaches the game behind its title, for a footer."""
    return f"How to play in ten minutes: {register.find_address()}ten-minutes/"


def list_club_orders(*, owner: bool = False) -> Blocks:
    rows = Events(tuple(("", f"{capitalize_text(kind.help)}: {kind.form}") for kind in LISTED))
    more = Paragraph("You run this host: reply `desk` to see what you can do with its games.")
    return (rows, more) if owner else (rows,)


def list_member_games(games: Sequence[MemberGame], tables: Iterable[Table], address: str) -> Blocks:
    """Return the games of a member: whose turn it is and until when; and those that have not begun."""
    rows = [(each.id, _describe_state(each)) for each in games]
    rows += [(table.name, _describe_waiting(table, address)) for table in tables]
    return (Facts(tuple(rows)),) if rows else ()


def _describe_state(each: MemberGame) -> str:
    if each.over:
        return "over"
    if each.game.awaited is None:
        return "waits for somebody to play the next seat"
    whose = "your turn" if each.mine else f"{each.game.find_player(each.game.awaited)}'s turn"
    until = f", until {format_day(each.end)}" if each.end else ""
    return f"{whose}{until}"


def _describe_waiting(table: Table, address: str) -> str:
    place = table.place(address)
    if place is not None and not place.accepted:
        return f"you are invited, until {format_day(table.until)}: accept {table.name}"
    return f"waits for {table.waits_for}, until {format_day(table.until)}"


def open_list(tables: Sequence[Table]) -> Blocks:
    rows = tuple((table.name, _describe_offer(table)) for table in tables)
    join = Samples((f"join {tables[0].name}",))
    return (Facts(rows), Paragraph("To take a seat, reply for example:"), join)


def _describe_offer(table: Table) -> str:
    who = list_names([place.name for place in table.places], "and")
    begins = f" It begins after {table.origin}." if table.origin else ""
    return f"{table.entry.title}, {table.size} players: {who}, {table.free} free.{begins} {_describe_pace(table)}"


def _describe_pace(table: Table) -> str:
    readings = dict(ruling.split(None, 1) for ruling in table.rulings if len(ruling.split()) > 1)
    terms = read_terms(table.clock, table.entry.game(readings))
    return describe_terms(terms) if terms else "No clock."


@cites("club.invitation", "record.seal")
def write_invitation(table: Table, place: Place, host: Place, visit: Mail) -> ClubLetter:
    game = table.entry.title.partition(",")[0]
    others = list_names([each.name for each in table.list_other_places(place.address)] + ["you"], "and")
    free = f" {table.free} more can join." if table.free else ""
    bots = len(table.bots)
    programs = f" {count_noun(bots, 'program')} {'plays' if bots == 1 else 'play'} too." if bots else ""
    rulings = f" Rulings: {', '.join(table.rulings)}." if table.rulings else ""
    body = (
        Paragraph(f"Reply `accept` or `decline`. If you do nothing, the invitation ends on {format_day(table.until)}."),
        Buttons((Button("Accept the invitation", "accept"), Button("No, thanks", "decline"))),
        Heading("THE GAME"),
        Paragraph(f"{table.entry.title}. Players: {others}.{programs}{free} {_describe_pace(table)}{rulings}"),
        *describe_deal(
            table,
            (
                Paragraph("Add a few words of your own when you accept, for example:"),
                Copies(("accept, words: seven swans on a cold loch",)),
                Paragraph(
                    "The deal also depends on your words, so even the host can't choose it. The host has "
                    "sealed its own half already:"
                ),
            ),
        ),
    )
    about = f"table {table.name}"
    first = letter_parts.choose_lead(
        f"{host.name} would like to play {game} with you by mail. Will you join?",
        f"{host.name} would like to play a game with you by mail. Will you join?",
        "You are invited to play a game by mail. Will you join?",
    )
    met = f"you played {table.after} with {host.name}" if table.after else f"{host.name} gave your address"
    why = f"You get this one mail because {met}. Reply `block` and this host never writes to you again."
    footer = (why, link_lesson())
    to, subject = (place.address, place.name), f"[{table.name}] {host.name} invites you to {game}"
    return write_club_letter(to, about, subject, first, body, visit.now, *footer, stop="block")


@cites("club.words", "club.new-game.from")
def describe_deal(table: Table, words: Blocks) -> Blocks:
    """Show the seal of the host's half of the deal below some `words`; or say where a game begins that is not dealt."""
    if table.position:
        return Heading("WHERE IT BEGINS"), Paragraph(f"The game begins after {table.origin}. Nothing is dealt.")
    digits = f"sha256:{table.seal}"
    lines = digits[:39], digits[39:]  # no mail program breaks them
    return Heading("KEEP THE DEAL HONEST"), *words, Copies(lines, together=True)


@cites("club.decline", "club.expire")
def write_not_begun(table: Table, place: Place, visit: Mail, who: Place | None = None) -> ClubLetter:
    """Write to a player that a game does not begin: somebody (`who`) declined, or it found no players in time."""
    why, subject, longer = "too few players joined in time", "No game: too few players", ", open 30 days"
    if who is not None:
        name = next(each.name for each in table.places if each.address == who.address)
        why, subject, longer = f"{name} declined", f"{name} declined", ""
    elif table.missing:
        why = f"{list_names([each.name for each in table.missing], 'and')} did not answer in time"
    text = (
        Paragraph("No game was dealt. You can ask for another one:"),
        Samples((f"new game {table.ruleset} for {table.size}{longer}",)),
    )
    first = letter_parts.choose_lead(f"{table.name} does not begin: {why}.", f"{table.name} does not begin.")
    to, subject = (place.address, place.name), f"[{table.name}] {subject}"
    return write_club_letter(to, DOOR, subject, first, text, visit.now, HELP_FOOTER)


@cites("club.stranger")
def write_to_stranger(visit: Mail, done: Sequence[OrderResult], unread: str = "") -> ClubLetter:
    """Write the one answer to a stranger: to the lines in `done` or a mail that is `unread`, else the welcome.

    The welcome also follows an answer that reports more than errors.
    """
    first = "Nobody with your address plays here yet. To start a game, reply with one line."
    body: Blocks = (
        Samples(("play with bob@example.org",)),
        Paragraph(
            "The host invites that player, and the game begins when they accept. Both of you may add a few words that are mixed "
            "into the deal. You need no account and no password."
        ),
        Paragraph("Don't know anybody who would play? Reply with one of these:"),
        Facts(FINDING_PLAYERS),
        Buttons((Button("Start a game", "play with "), Button("Show me how it works", "help"))),
        Paragraph("Do you play here already? Then write from the address that your game mails go to."),
    )
    if said := split_reply(done) or explain_unread(unread):
        welcome = (Heading("PLAY HERE"), Paragraph(first), *body) if any(not each.problem for each in done) else ()
        first, body = said[0], (*said[1], *welcome)
    about, footer = f"{DOOR} {visit.host.rpartition('@')[2]}", (ABOUT_THE_GAME, link_lesson(), ONE_ANSWER)
    return write_club_letter((visit.address, ""), about, "How to play here", first, body, visit.now, *footer)


@cites("club.vouched", "mail.doubt", "club.desk.confirm", "club.desk.key")
def ask_player(waits: Proposal, visit: Mail, more: Blocks = (), *, confirmed: bool = True) -> ClubLetter:
    """Ask a player, or the owner, whether a mail was theirs, or is meant, in our own words unless the address was `confirmed`."""
    about, count = f"{ASKED} {waits.id}", len(waits.lines)
    came: Blocks
    if waits.doubt:
        subject = first = "Is this what you meant?"
        came = (Paragraph("You asked for this:"), Copies(waits.lines), Paragraph("You also wrote:"), Quote(waits.doubt))
        otherwise = "If you changed your mind, you can ignore this mail."
    elif waits.about == DESK and visit.sender.is_trusted:
        subject = first = "Is this what you want?"
        came = (Paragraph("You asked for this, which can't be taken back:"), Copies(waits.lines))
        otherwise = "An order that names its game and has a reason is carried out at once."
    else:
        subject = first = "Is this mail from you?"
        text = "A mail with your address came to this host, without the key that we put in every mail."
        contains = f"{text} It contains {'this order' if count == 1 else 'these orders'}:"
        came = (Paragraph(contains), Copies(waits.lines)) if confirmed else (Paragraph(text), *_name_kinds(waits.lines))
        otherwise = "If you did not write that mail, you can ignore this one."
    first = f"{first} Nothing has been done yet. Reply `yes` to do it."
    body = (*came, Buttons((Button("Do it", "yes"),)), Paragraph(otherwise), *more)
    footer = () if confirmed else (ABOUT_THE_GAME, link_lesson())
    return write_club_letter((visit.address, ""), about, subject, first, body, visit.now, *footer)


SUBJECT = "Your mail to the club"
_OWN_TEXTS = [*(f"{kind.form} {kind.help}" for kind in KINDS), *(entry.code for entry in rulesets())]
OWN_WORDS = frozenset(re.findall(r"\w+", " ".join(_OWN_TEXTS).casefold()))
"""The words of our own orders."""


@cites("club.order")
def write_club_reply(done: Sequence[OrderResult], visit: Mail, name: str = "", more: Blocks = ()) -> ClubLetter | None:
    """Write the answer to a mail about the lines in `done`; return None if another letter has the news already."""
    about = next((result.about for result in done if result.about != DOOR and (result.lead or result.problem)), "")
    said = split_reply(done)
    if said is None:
        return None
    lead, body = said
    return _answer_mail(visit, about or _find_subject(done, visit), lead, (*body, *more), name)


def _answer_mail(visit: Mail, about: str, lead: str, body: Blocks, name: str) -> ClubLetter:
    return write_club_letter((visit.address, name), about, SUBJECT, lead, body, visit.now, HELP_FOOTER)


def split_reply(done: Sequence[OrderResult]) -> tuple[str, Blocks] | None:
    """Return the parts of an answer about some lines: the first sentence, and the rest; None if it says nothing."""
    writer = _make_writer(done)
    several = len(writer.results) > 1
    return (writer.write_lead(), writer.list_answers(several=several)) if writer.results else None


def list_line_results(done: Sequence[OrderResult]) -> Blocks:
    """Return each line with the answer to it, for a letter that has another first sentence."""
    writer = _make_writer(done)
    writer.first = None
    return writer.list_answers(several=True)


def _make_writer(done: Sequence[OrderResult]) -> ResultWriter:
    return ResultWriter([result for result in done if result.lead or result.problem])


@cites("club.stranger")
def drop_text(result: OrderResult) -> OrderResult:
    """Return a result without anything that its sender wrote: anybody can write under somebody's address."""
    line, problem = result.line, result.problem
    kind = match_club_kind(line.typed)
    name = kind.name if kind else "a line of your mail"
    if problem is not None:
        message = problem.message if _is_ours(problem.message, line.typed) else "It has a mistake"
        form = f"It is written like this: {kind.form}." if kind else HELP_FOOTER
        hint = problem.hint if problem.hint and _is_ours(problem.hint, line.typed) else form
        problem = evolve(problem, message=message, hint=hint, col=1, length=len(name))
    return evolve(result, line=evolve(line, typed=name), problems=(problem,) if problem else ())


@cites("club.stranger")
def _name_kinds(lines: Sequence[str]) -> Blocks:
    """Name the kinds of orders in some lines, in our own words."""
    contains = "one order" if len(lines) == 1 else f"{len(lines)} orders"
    why = "We don't repeat its text here, because anybody can forge your address."
    names = (f"{kind.name}: {kind.help}" if kind else "an order" for kind in map(match_club_kind, lines))
    return Paragraph(f"The mail contains {contains}. {why}"), Events(tuple(("", each) for each in names))


def _is_ours(text: str, typed: str) -> bool:
    """Return True if every word of a text comes from our own orders."""
    return not (_list_words(text) & _list_words(typed)) - OWN_WORDS


def _list_words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _find_subject(done: Sequence[OrderResult], visit: Mail) -> str:
    is_invitation = visit.about.partition(" ")[0] in {TABLE, TOURNAMENT}
    return visit.about if is_invitation and any(result.problem for result in done) else DOOR


@cites("mail.no-text")
def explain_unread(reason: str) -> tuple[str, Blocks] | None:
    """Return what an answer says of a mail without text that can be read, first and below; None for any other mail."""
    if not reason:
        return None
    first = "Nothing has been done: your mail has no text that can be read."
    return first, (Paragraph(f"{reason} Write as text in the mail itself. Reply `help` to see what you can write."),)


@cites("club.help")
def write_help(
    visit: Mail, name: str = "", reason: str = "", waiting: Sequence[str] = (), own: Sequence[str] = ()
) -> ClubLetter:
    """Write the help, for a mail of a player without an order to the club.

    `reason` says why the mail has no text, if so, `waiting` names the games in which it is the player's turn, and
    `own` are the mail's own lines: if they ask for something that an order does, that order comes first.
    """
    first = "No line of your mail is an order to this host. Here is what you can write."
    lead, body = explain_unread(reason) or (first, list_club_orders(owner=visit.sender.role == "owner"))
    if asked := _answer_topics(own, visit):
        lead = letter_parts.choose_lead(asked[0], "There is an order for this.")
        others = asked if lead != asked[0] else asked[1:]
        body = (*map(Paragraph, others), Heading("ALL THAT YOU CAN WRITE"), *body)
    if waiting:
        games = list_names([f"`{game}`" for game in waiting[: letter_parts.MOST_REPEATED]], "and")
        body = (Paragraph(f"It is your turn in {games}. Write a turn in a reply to the mail of its game."), *body)
    return _answer_mail(visit, DOOR, lead, body, name)


@cites("mail.key")
def explain_wrong_key(visit: Mail, name: str, games: Sequence[MemberGame]) -> ClubLetter:
    """Write the answer to a member whose mail has a key that was never made: where the key is, and how to answer."""
    first = "Nothing has been done: this host does not know the key in your mail."
    text = (
        "The key is in the address to which you reply, and in the line that begins with `Ref`. A part of it was lost or changed. "
        "Reply to the last mail of the game, or to this mail if you want something of the club, and leave the address as it is."
    )
    body = (Paragraph(text), *list_member_games(games, (), visit.address))
    return _answer_mail(visit, DOOR, first, body, name)


@cites("mail.question")
def _answer_topics(own: Sequence[str], visit: Mail) -> list[str]:
    """Name the orders that do what some lines ask for in other words; those of a game belong into a reply to its mail."""
    asked = [
        (topic, topic.write_answer(complete_line(topic, text, visit.now.date())))
        for topic, text in find_topics(own, in_game=False)
    ]
    return [
        text if topic.club else f"{text[:-1]} to a mail of the game."
        for topic, text in asked[: letter_parts.MOST_REPEATED]
    ]


@cites("mail.key-lost")
def ask_again(visit: Mail, typed: Sequence[str], name: str = "") -> ClubLetter:
    """Ask for the lines of an answer to a digest once more: they came without a key, and this letter brings another."""
    first = "Nothing has been played: your mail has lost the key of our digest."
    text: Blocks = (
        Paragraph("If it is from you, write your lines again in a reply to this mail. You wrote:"),
        *(Quote(shorten_line(line)) for line in list(filter(None, typed))[: letter_parts.MOST_REPEATED]),
        Paragraph("If it is not from you, do nothing."),
    )
    return _answer_mail(visit, visit.about, first, text, name)


@cites("club.accept")
def ask_about_invitation(visit: Mail, name: str = "", others: Sequence[str] = ()) -> ClubLetter:
    """Ask about an invitation that was answered with a mail without an order; `others` wait too, by name."""
    game = visit.about.partition(" ")[2]
    first = f"Do you accept the invitation to {game}? Reply `accept` or `decline`."
    said = Paragraph("Your mail had no line like that, so nothing has been done.")
    buttons = Buttons((Button("Accept", "accept"), Button("No, thanks", "decline")))
    too = tuple(Paragraph(f"You are invited to {each} too: `accept {each}` or `decline {each}`.") for each in others)
    return _answer_mail(visit, visit.about, first, (said, buttons, *too), name)


MAX_INVITATIONS_NAMED = 5


@cites("club.answer")
def remind_of_waiting(visit: Mail, state: ClubState, *, confirmed: bool) -> ClubLetter | None:
    """Write a letter that repeats an unanswered question; return None if no question waits.

    What the mail answers comes first, if that still waits. Other invitations are named. If the address was never `confirmed`,
    the text of the mail that waits is not repeated.
    """
    stored = (each for each in state.list_values(Proposal) if visit.address in each.missing and each.until > visit.now)
    waiting = [each for each in stored if each.about != DESK]
    waits = min(waiting, key=lambda each: (not visit.about.endswith(f" {each.id}"), each.kind), default=None)
    invited = list(list_open_invitations(visit, state))
    if invited and not (waits and visit.about.endswith(f" {waits.id}")):
        about = visit.about if visit.about in invited else invited[0]
        others = [each.partition(" ")[2] for each in invited if each != about]
        name = state.find_member(visit.address).name
        return ask_about_invitation(evolve(visit, about=about), name, others[:MAX_INVITATIONS_NAMED])
    if waits and waits.kind == "move":
        return ask_address(waits, visit.address, state, visit.now)
    return ask_player(waits, visit, confirmed=confirmed) if waits else None


@cites("club.answer")
def answer_nothing_open(visit: Mail, name: str) -> ClubLetter:
    first = "Nothing waits for your answer here, so nothing has been done."
    text = Paragraph(
        "`games` lists your games, and `open games` lists those that look for players. To answer a mail about a game, "
        "reply to that mail."
    )
    return _answer_mail(visit, DOOR, first, (text,), name)


def list_open_invitations(visit: Mail, state: ClubState) -> Iterator[str]:
    """Yield the subjects of letters with invitations that somebody has not answered."""
    for table in state.list_values(Table):
        place = table.place(visit.address)
        if table.state == "open" and place is not None and not place.accepted and table.until > visit.now:
            yield f"{TABLE} {table.name}"
    for tournament in state.list_values(Tournament):
        asked = any(each.address == visit.address and each.answer == "asked" for each in tournament.people)
        if asked and not (tournament.begun or tournament.over):
            yield f"{TOURNAMENT} {tournament.name}"
