"""The one letter that answers a mail to the club, whatever it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from attrs import evolve

from tkid.club.door import letters
from tkid.club.door.finder import ClubLine
from tkid.club.door.language import find_kind
from tkid.club.door.orders import KINDS
from tkid.club.door.visit import DOOR, Result, Visit
from tkid.club.message import ClubLetter, framed
from tkid.club.results.tournament import KIND as TOURNAMENT
from tkid.club.tables import KIND as TABLE
from tkid.mail.letters.blocks import Block, Blocks, Button, Buttons, Heading, Paragraph, Quote, shortened
from tkid.mail.letters.content import MOST_REPEATED
from tkid.notation.vocabulary import listed
from tkid.rulebook import cites
from tkid.rulebook.rulesets import rulesets

SUBJECT = "Your mail to the club"
OWN_WORDS = frozenset(
    re.findall(
        r"\w+",
        " ".join([*(f"{kind.form} {kind.help}" for kind in KINDS), *(entry.code for entry in rulesets())]).casefold(),
    )
)
"""The words of our own orders."""


@cites("club.order")
def answer(
    done: Sequence[tuple[ClubLine, Result]], visit: Visit, name: str = "", more: Blocks = ()
) -> ClubLetter | None:
    """The answer to a mail; None where nobody has to hear anything, as another letter says it.

    Args:
        done: the lines that ask for something, and what came of each.
        visit: the mail.
        name: the name of its sender, "" where it is not known.
        more: what it says besides.
    """
    about = next((result.about for _, result in done if result.about != DOOR and _is_said(result)), "")
    said = lead_and_body(done)
    if said is None:
        return None
    about = about or _still_about(done, visit)
    lead, body = said
    text = framed(about, lead, (*body, *more), (letters.HELP_FOOTER,))
    return ClubLetter(visit.sender, about, SUBJECT, text, visit.time, name=name)


def lead_and_body(done: Sequence[tuple[ClubLine, Result]]) -> tuple[str, Blocks] | None:
    """What an answer says of some lines: first, and below; None where it says nothing."""
    parts = [_said(line, result) for line, result in done if _is_said(result)]
    if len(parts) > 1:
        return became([result.problem is None for _, result in done]), each_line(done)
    return parts[0] if parts else None


def _is_said(result: Result) -> bool:
    return bool(result.lead or result.problem)


@cites("club.stranger")
def without_text(line: ClubLine, result: Result) -> tuple[ClubLine, Result]:
    """A line and its result without anything that its sender wrote: anybody can write under somebody's address."""
    kind, problem = find_kind(line.typed), result.problem
    name = kind.name if kind else "a line of your mail"
    if problem is not None:
        message = problem.message if _is_ours(problem.message, line.typed) else "It has a mistake"
        form = f"It is written like this: {kind.form}." if kind else letters.HELP_FOOTER
        hint = problem.hint if problem.hint and _is_ours(problem.hint, line.typed) else form
        problem = evolve(problem, message=message, hint=hint, col=1, length=len(name))
    return evolve(line, typed=name), evolve(result, problem=problem)


@cites("club.stranger")
def named_kinds(lines: Iterable[str]) -> tuple[str, ...]:
    """What lines ask for, in our own words."""
    kinds = map(find_kind, lines)
    return tuple(f"{kind.name}: {kind.help}" if kind else "an order" for kind in kinds)


def _is_ours(text: str, typed: str) -> bool:
    """Return True if a text has no word of a line but those of our own orders."""
    return not (_words(text) & _words(typed)) - OWN_WORDS


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def became(done: Sequence[bool]) -> str:
    """What became of several lines, in one sentence: for each, whether it was carried out."""
    count, failed = len(done), done.count(False)
    if not failed:
        return f"Your {count} orders are done. The answers are below."
    if failed == count:
        return f"None of your {count} lines can be carried out. The reasons are below."
    were = "was" if count - failed == 1 else "were"
    return f"{count - failed} of your {count} lines {were} carried out. The answers are below."


def each_line(done: Sequence[tuple[ClubLine, Result]]) -> Blocks:
    """What became of each line, in the order in which they came: the line, and the answer to it."""
    blocks: list[Block] = []
    for line, result in done:
        lead, more = _said(line, result)
        if lead:
            blocks += (Heading(f"About “{shortened(line.typed)}”"), Paragraph(lead), *more)
    return tuple(blocks)


def _still_about(done: Sequence[tuple[ClubLine, Result]], visit: Visit) -> str:
    """What the answer is about: still the invitation, where an answer to one was wrong."""
    is_invitation = visit.about.partition(" ")[0] in {TABLE, TOURNAMENT}
    return visit.about if is_invitation and any(result.problem for _, result in done) else DOOR


def _said(line: ClubLine, result: Result) -> tuple[str, Blocks]:
    """The sentence and the text about one line."""
    if result.problem is None:
        return result.lead, result.body
    message = f"Not done: {letters.sentence(result.problem.message)}"
    said = len(message) <= letters.LONGEST_LEAD
    first = message if said else "Not done: your order cannot be carried out."
    return first, letters.not_understood(line.typed, result.problem, said=said)


@cites("mail.no-text")
def unread(reason: str) -> tuple[str, Blocks] | None:
    """Return what an answer says of a mail without text that can be read, first and below; None for any other mail."""
    if not reason:
        return None
    first = "Nothing has been done: your mail has no text that can be read."
    return first, (Paragraph(f"{reason} Write as text in the mail itself. Reply `help` to see what you can write."),)


@cites("club.help")
def help_letter(visit: Visit, name: str = "", reason: str = "", waiting: Sequence[str] = ()) -> ClubLetter:
    """Write the help, for a mail of a player without an order to the club.

    `reason` says why the mail has no text, if so, and `waiting` names the games in which it is the player's turn.
    """
    first = "No line of your mail is an order to this host. Here is what you can write."
    lead, body = unread(reason) or (first, letters.orders_list(owner=visit.owner))
    if waiting:
        games = listed([f"`{game}`" for game in waiting[:MOST_REPEATED]], "and")
        body = (Paragraph(f"It is your turn in {games}. Write a turn in a reply to the mail of its game."), *body)
    text = framed(DOOR, lead, body, (letters.HELP_FOOTER,))
    return ClubLetter(visit.sender, DOOR, SUBJECT, text, visit.time, name=name)


@cites("mail.key-lost")
def lost_digest(visit: Visit, typed: Sequence[str], name: str = "") -> ClubLetter:
    """Ask for the lines of an answer to a digest once more: they came without a key, and this letter brings another."""
    first = "Nothing has been played: your mail has lost the key of our digest."
    text: Blocks = (
        Paragraph("If it is from you, write your lines again in a reply to this mail. You wrote:"),
        *(Quote(shortened(line)) for line in typed[:MOST_REPEATED]),
        Paragraph("If it is not from you, do nothing."),
    )
    return ClubLetter(
        visit.sender,
        visit.about,
        SUBJECT,
        framed(visit.about, first, text, (letters.HELP_FOOTER,)),
        visit.time,
        name=name,
    )


@cites("club.accept")
def question(visit: Visit, name: str = "", others: Sequence[str] = ()) -> ClubLetter:
    """Asks about an invitation that was answered with a mail in which there is no order; `others` wait too, by name."""
    game = visit.about.partition(" ")[2]
    first = f"Do you accept the invitation to {game}? Reply `accept` or `decline`."
    said = Paragraph("Your mail had no line like that, so nothing has been done.")
    buttons = Buttons((Button("Accept", "accept"), Button("No, thanks", "decline")))
    too = tuple(Paragraph(f"You are invited to {each} too: `accept {each}` or `decline {each}`.") for each in others)
    text = framed(visit.about, first, (said, buttons, *too), (letters.HELP_FOOTER,))
    return ClubLetter(visit.sender, visit.about, SUBJECT, text, visit.time, name=name)
