"""The letters that ask a player for a turn: the first of a game, the turn mail, the reminder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.mail.game.clock import shown
from tkid.mail.letters import clock_text, content
from tkid.mail.letters.announcements import announced
from tkid.mail.letters.blocks import BOARD, GAME, Blocks, Heading, Letter, Paragraph
from tkid.mail.letters.content import Announcement, Recipient
from tkid.mail.letters.first_steps import explained, learn
from tkid.mail.letters.message import MOST_SUBJECT, SHORTEST_TITLE
from tkid.mail.marker import AGREED
from tkid.mail.plugin import mail_plugin
from tkid.notation.numbers import counted_in_words
from tkid.notation.vocabulary import listed
from tkid.record.clock.terms import DAY
from tkid.record.format.bot_seats import who_are_bots
from tkid.rulebook import cites
from tkid.rulebook import rule as rule_of

ENCLOSED = frozenset({GAME, BOARD})
YOUR_TURN = "your turn"
AWAY_DAYS = 7
"""How long the absence is that a reminder shows as an example."""


def turn_mail(recipient: Recipient, announcements: Sequence[Announcement] = (), *, has_host: bool = True) -> Letter:
    """The letter that asks a player for a turn, with what was announced since."""
    news = content.shortly(recipient, recipient.round)
    told = [each for each in announcements if each.sender is None]
    opening = _opening(recipient, told[0].text if told else news, YOUR_TURN.capitalize())
    body = (
        *announced(recipient, announcements if len(told) > 1 or _hides(opening, told) else _said(announcements)),
        *content.happened(recipient, recipient.round),
        *content.plans(recipient),
        *content.buttons(recipient),
        *content.position(recipient),
        *content.ways(recipient),
    )
    rule = next((each.rule for each in told if each.rule), "")
    footer = (content.standing(recipient), content.help_line(has_host=has_host), content.full_rule(rule))
    letter = content.framed(recipient, opening, body, footer)
    return content.letter(recipient, "turn", letter, YOUR_TURN, files=ENCLOSED)


def _opening(recipient: Recipient, news: str, turn: str) -> str:
    """The first sentence: what happened, then whose turn it is, then until when."""
    until = content.until(recipient)
    adjourned = recipient.game.time.adjourned is not None
    if adjourned:
        goes_on = "The game goes on when you send a turn."
        return content.lead(f"{news} {goes_on}".lstrip(), f"{news} It goes on when you send a turn.", goes_on)
    whens = (until, content.until(recipient, weekday=False), "")
    return content.lead(*(f"{news} {turn}{when}.".lstrip() for when in whens), f"It is {YOUR_TURN}{until}.")


def _hides(opening: str, told: Sequence[Announcement]) -> bool:
    """Whether what the host announces is not in the first sentence."""
    return bool(told) and (bool(told[0].more) or not opening.startswith(told[0].text))


def _said(announcements: Sequence[Announcement]) -> Sequence[Announcement]:
    """What players said."""
    return [each for each in announcements if each.sender is not None]


# -- the first letter of a game ---------------------------------------------------------------------------


def begins(recipient: Recipient, *, has_host: bool = True) -> Letter:
    """The first letter of a game: with whom, what was agreed, and how to answer where the reader is asked."""
    starts = recipient.may_act
    opening = _new_game(recipient)
    table = _table(recipient)
    body = (
        *([Paragraph(table)] if table else []),
        *content.happened(recipient, recipient.moments),
        *(content.buttons(recipient) if starts else ()),
        *explained(recipient.known.record.game, content.position(recipient)),
        *(content.ways(recipient, outlook=not mail_plugin(recipient.known.record.game).passing) if starts else ()),
        Heading(AGREED),
        Paragraph(_agreed(recipient)),
        *(Paragraph(ruling) for ruling in _rulings(recipient)),
    )
    footer = (content.standing(recipient), content.help_line(has_host=has_host), learn(recipient.known.record.game))
    letter = content.framed(recipient, opening, body, footer)
    others = _others(recipient)
    room = (
        MOST_SUBJECT
        - len(f"[] Turn {recipient.game.turns + 1}: ")
        - min(len(recipient.known.record.title), SHORTEST_TITLE)
    )
    new = f"{YOUR_TURN} in a new game" if starts else "a new game"
    subject = whole if len(whole := f"{new} with {others}") <= room else new
    files = ENCLOSED if starts else frozenset({GAME})
    return content.letter(recipient, "turn" if starts else "news", letter, subject, files=files)


def _others(recipient: Recipient) -> str:
    """Everybody else at the table."""
    return listed((name for seat, name in enumerate(recipient.game.names) if seat != recipient.seat), "and")


def _new_game(recipient: Recipient) -> str:
    """The first sentence of a game."""
    with_whom, game = _others(recipient), recipient.game
    if recipient.may_act:
        by = content.until(recipient).replace("until", "by")
        first = "You play first" if not game.turns else "It is your turn"
        wordings = [f"Your new game with {with_whom} begins. {first}{by}.", f"Your new game begins. {first}{by}."]
        return content.lead(*wordings)
    first = f" {recipient.next_name} plays first." if recipient.next_name else ""
    return content.lead(f"Your new game with {with_whom} begins.{first}", f"Your new game begins.{first}")


def _table(recipient: Recipient) -> str:
    """Who plays with whom in a game of teams, the order of players where there are more than two, and who is a program."""
    names, record = recipient.game.names, recipient.known.record
    party = next(party for party in record.table.parties if recipient.seat in party)
    mates = [names[seat] for seat in party if seat != recipient.seat]
    against = listed((names[seat] for seat in range(len(names)) if seat not in party), "and")
    team = f"You and {listed(mates, 'and')} are a team, against {against}." if mates else ""
    order = f"You play in this order: {', '.join(names)}." if len(names) > 2 else ""
    return " ".join(each for each in (team, order, who_are_bots(recipient.game.record)) if each)


def _agreed(recipient: Recipient) -> str:
    """The ruleset and the terms of the clock."""
    clock = recipient.game.time.clock
    terms = clock_text.terms(clock) if clock else "There is no clock. Take as long as you like."
    return f"{recipient.known.record.ruleset.title}. {terms}"


def _rulings(recipient: Recipient) -> Iterator[str]:
    """The rulings that were chosen for the game, each as a sentence."""
    for rule_id, option in recipient.known.record.readings.items():
        yield f"{content.capital(rule_of(rule_id).options[option])}. [{rule_id}]"


# -- reminders --------------------------------------------------------------------------------------------


@cites("post.clock.remind", "post.clock.grace")
def reminder(recipient: Recipient, announcements: Sequence[Announcement]) -> Letter:
    """The letter that says how much time is left: once or several times in a turn, and when the grace begins."""
    clock = shown(recipient.game.time, recipient.now)
    if clock is None:
        return turn_mail(recipient, announcements)
    end = clock.deadline if clock.stage == "running" else clock.end
    left = clock_text.left(clock.left)
    others = [name for seat, name in enumerate(recipient.game.names) if seat != recipient.seat]
    waits = f"{others[0]} waits" if len(others) == 1 else "The others wait"
    exact = clock_text.moment(end, year=False)
    grace = clock.stage == "grace"
    opening = content.lead(
        *([f"Your time is up. You have grace until {exact}."] if grace else []),
        f"{waits} for your turn until {exact}. That is {left}.",
        f"{waits} for your turn until {exact}.",
        f"There is time for your turn until {exact}.",
    )
    then = content.capital(clock_text.OWN_THEN[clock.then])
    body = (
        *announced(recipient, _said(announcements)),
        Paragraph(f"If you do nothing, {then[:1].lower()}{then[1:]} on {clock_text.moment(clock.end, year=False)}."),
        *content.plans(recipient),
        *content.buttons(recipient),
        *content.position(recipient),
        *content.ways(recipient),
        *_going_away(recipient),
    )
    once = recipient.game.time.clock is not None and len(recipient.game.time.clock.reminders) == 1 and not grace
    only = "This is the only reminder for this turn. " if once else ""
    footer = (f"{only}{_misses(recipient)}".rstrip(), content.help_line())
    letter = content.framed(recipient, opening, body, footer)
    return content.letter(recipient, "turn", letter, f"{left} {'of grace ' if grace else ''}left", files=ENCLOSED)


def _going_away(recipient: Recipient) -> Blocks:
    """How to announce an absence, with days as an example."""
    clock = recipient.game.time.clock
    if clock is None or not clock.away:
        return ()
    first = (recipient.now + DAY).date()
    last = first + min(AWAY_DAYS, clock.away - 1) * DAY
    return (Paragraph(f"Going away? Reply `away {first} to {last}`. It counts from tomorrow."),)


def _misses(recipient: Recipient) -> str:
    """How many turns the host has passed for the reader, and what follows after some more."""
    clock, misses = recipient.game.time.clock, recipient.game.time.seats[recipient.seat].misses
    if clock is None or clock.misses is None or not mail_plugin(recipient.known.record.game).passing:
        return ""
    so_far = "none" if not misses else counted_in_words(misses, "turn")
    last = clock_text.LAST[clock.at_last]
    return f"You have missed {so_far} so far; after {clock_text.misses(clock.misses)} in a row {last}."
