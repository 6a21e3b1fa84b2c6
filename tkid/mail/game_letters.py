"""The first, the turn, the news and the last letter of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import evolve

from tkid.mail import game_clock, letter_parts
from tkid.mail.blocks import BOARD, GAME, REPLAY, Blocks, Button, Buttons, Heading, Letter, Paragraph
from tkid.mail.game_clock import shown
from tkid.mail.letter_parts import Announcement, Recipient, announced, explained, from_player, learn
from tkid.mail.marker import AGAIN, AGREED, DECIDED
from tkid.mail.message import MOST_SUBJECT, SHORTEST_TITLE
from tkid.mail.mime_writer import file_stem
from tkid.mail.plugin import mail_plugin
from tkid.mail.voice import both
from tkid.notation.names import listed
from tkid.notation.text import counted_in_words
from tkid.record.clock import DAY
from tkid.record.format.model import Record, who_are_bots
from tkid.record.format.seal import sealed
from tkid.record.play.note_chain import HASH
from tkid.record.play.writer import as_written
from tkid.record.proof import Proof, prove
from tkid.rulebook import cites
from tkid.rulebook import rule as rule_of

ENCLOSED = frozenset({GAME, BOARD})
YOUR_TURN = "your turn"
AWAY_DAYS = 7
"""Length of the absence in the example of a reminder."""


def turn_mail(recipient: Recipient, announcements: Sequence[Announcement] = (), *, has_host: bool = True) -> Letter:
    """Write the letter that asks a player for a turn, with the announcements since then."""
    news = letter_parts.shortly(recipient, recipient.round)
    told = [each for each in announcements if each.sender is None]
    opening = _opening(recipient, told[0].text if told else news, YOUR_TURN.capitalize())
    body = (
        *announced(recipient, announcements if len(told) > 1 or _hides(opening, told) else _said(announcements)),
        *letter_parts.happened(recipient, recipient.round),
        *letter_parts.plans(recipient),
        *letter_parts.buttons(recipient),
        *letter_parts.position(recipient),
        *letter_parts.ways(recipient),
    )
    rule = next((each.rule for each in told if each.rule), "")
    footer = (letter_parts.standing(recipient), letter_parts.help_line(has_host=has_host), letter_parts.full_rule(rule))
    letter = letter_parts.framed(recipient, opening, body, footer)
    return letter_parts.letter(recipient, "turn", letter, YOUR_TURN, files=ENCLOSED)


def _opening(recipient: Recipient, news: str, turn: str) -> str:
    """The first sentence: what happened, then whose turn it is, then until when."""
    until = letter_parts.until(recipient)
    adjourned = recipient.game.time.adjourned is not None
    if adjourned:
        goes_on = "The game goes on when you send a turn."
        return letter_parts.lead(f"{news} {goes_on}".lstrip(), f"{news} It goes on when you send a turn.", goes_on)
    whens = (until, letter_parts.until(recipient, weekday=False), "")
    return letter_parts.lead(*(f"{news} {turn}{when}.".lstrip() for when in whens), f"It is {YOUR_TURN}{until}.")


def _hides(opening: str, told: Sequence[Announcement]) -> bool:
    return bool(told) and (bool(told[0].more) or not opening.startswith(told[0].text))


def _said(announcements: Sequence[Announcement]) -> Sequence[Announcement]:
    return [each for each in announcements if each.sender is not None]


# -- the first letter of a game ---------------------------------------------------------------------------


def begins(recipient: Recipient, *, has_host: bool = True) -> Letter:
    """Write the first letter of a game: the players, the terms, and how to answer if the reader is asked for a turn."""
    starts = recipient.may_act
    opening = _new_game(recipient)
    table = _table(recipient)
    body = (
        *([Paragraph(table)] if table else []),
        *letter_parts.happened(recipient, recipient.moments),
        *(letter_parts.buttons(recipient) if starts else ()),
        *explained(recipient.known.record.game, letter_parts.position(recipient)),
        *(letter_parts.ways(recipient, outlook=not mail_plugin(recipient.known.record.game).passing) if starts else ()),
        Heading(AGREED),
        Paragraph(_agreed(recipient)),
        *(Paragraph(ruling) for ruling in _rulings(recipient)),
    )
    footer = (
        letter_parts.standing(recipient),
        letter_parts.help_line(has_host=has_host),
        learn(recipient.known.record.game),
    )
    letter = letter_parts.framed(recipient, opening, body, footer)
    others = _others(recipient)
    room = (
        MOST_SUBJECT
        - len(f"[] Turn {recipient.game.turns + 1}: ")
        - min(len(recipient.known.record.title), SHORTEST_TITLE)
    )
    new = f"{YOUR_TURN} in a new game" if starts else "a new game"
    subject = whole if len(whole := f"{new} with {others}") <= room else new
    files = ENCLOSED if starts else frozenset({GAME})
    return letter_parts.letter(recipient, "turn" if starts else "news", letter, subject, files=files)


def _others(recipient: Recipient) -> str:
    """Everybody else at the table."""
    return listed((name for seat, name in enumerate(recipient.game.names) if seat != recipient.seat), "and")


def _new_game(recipient: Recipient) -> str:
    """The first sentence of a game."""
    with_whom, game = _others(recipient), recipient.game
    if recipient.may_act:
        by = letter_parts.until(recipient).replace("until", "by")
        first = "You play first" if not game.turns else "It is your turn"
        wordings = [f"Your new game with {with_whom} begins. {first}{by}.", f"Your new game begins. {first}{by}."]
        return letter_parts.lead(*wordings)
    first = f" {recipient.next_name} plays first." if recipient.next_name else ""
    return letter_parts.lead(f"Your new game with {with_whom} begins.{first}", f"Your new game begins.{first}")


def _table(recipient: Recipient) -> str:
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
    terms = game_clock.terms(clock) if clock else "There is no clock. Take as long as you like."
    return f"{recipient.known.record.ruleset.title}. {terms}"


def _rulings(recipient: Recipient) -> Iterator[str]:
    """The rulings that were chosen for the game, each as a sentence."""
    for rule_id, option in recipient.known.record.readings.items():
        yield f"{letter_parts.capital(rule_of(rule_id).options[option])}. [{rule_id}]"


# -- reminders --------------------------------------------------------------------------------------------


@cites("post.clock.remind", "post.clock.grace")
def reminder(recipient: Recipient, announcements: Sequence[Announcement]) -> Letter:
    """Write the letter that says how much time is left: once or several times in a turn, and when the grace begins."""
    clock = shown(recipient.game.time, recipient.now)
    if clock is None:
        return turn_mail(recipient, announcements)
    end = clock.deadline if clock.stage == "running" else clock.end
    left = game_clock.left(clock.left)
    others = [name for seat, name in enumerate(recipient.game.names) if seat != recipient.seat]
    waits = f"{others[0]} waits" if len(others) == 1 else "The others wait"
    exact = game_clock.moment(end, year=False)
    grace = clock.stage == "grace"
    opening = letter_parts.lead(
        *([f"Your time is up. You have grace until {exact}."] if grace else []),
        f"{waits} for your turn until {exact}. That is {left}.",
        f"{waits} for your turn until {exact}.",
        f"There is time for your turn until {exact}.",
    )
    then = letter_parts.capital(game_clock.OWN_THEN[clock.then])
    body = (
        *announced(recipient, _said(announcements)),
        Paragraph(f"If you do nothing, {then[:1].lower()}{then[1:]} on {game_clock.moment(clock.end, year=False)}."),
        *letter_parts.plans(recipient),
        *letter_parts.buttons(recipient),
        *letter_parts.position(recipient),
        *letter_parts.ways(recipient),
        *_going_away(recipient),
    )
    once = recipient.game.time.clock is not None and len(recipient.game.time.clock.reminders) == 1 and not grace
    only = "This is the only reminder for this turn. " if once else ""
    footer = (f"{only}{_misses(recipient)}".rstrip(), letter_parts.help_line())
    letter = letter_parts.framed(recipient, opening, body, footer)
    return letter_parts.letter(recipient, "turn", letter, f"{left} {'of grace ' if grace else ''}left", files=ENCLOSED)


def _going_away(recipient: Recipient) -> Blocks:
    clock = recipient.game.time.clock
    if clock is None or not clock.away:
        return ()
    first = (recipient.now + DAY).date()
    last = first + min(AWAY_DAYS, clock.away - 1) * DAY
    return (Paragraph(f"Going away? Reply `away {first} to {last}`. It counts from tomorrow."),)


def _misses(recipient: Recipient) -> str:
    clock, misses = recipient.game.time.clock, recipient.game.time.seats[recipient.seat].misses
    if clock is None or clock.misses is None or not mail_plugin(recipient.known.record.game).passing:
        return ""
    so_far = "none" if not misses else counted_in_words(misses, "turn")
    last = game_clock.LAST[clock.at_last]
    return f"You have missed {so_far} so far; after {game_clock.misses(clock.misses)} in a row {last}."


LAST = frozenset({GAME, REPLAY})
PROOF = "PROOF"
THANKS = "say to all: Thank you for the game!"
REMATCH = "rematch"


@cites("post.end")
def over(recipient: Recipient, announcements: Sequence[Announcement] = ()) -> Letter:
    """Write the last letter of a game: the winner, the decision, the whole game to see again, and the proof."""
    subject, opening = result(recipient)
    body = (
        *decided(recipient),
        *announced(recipient, [each for each in announcements if each.sender is not None]),
        *letter_parts.happened(recipient, recipient.moments),
        *letter_parts.plans(recipient),
        *ending(recipient),
    )
    letter = letter_parts.framed(recipient, letter_parts.lead(opening), body, (last_line(recipient),), about=0)
    return letter_parts.letter(recipient, "news", letter, subject, 0, LAST)


@cites("post.end", "post.stand-in")
def over_for_former(recipient: Recipient) -> Letter:
    """Write the last letter to a player whose seat somebody else has played: the same, to the player's own address."""
    names = recipient.game
    who = names.player(recipient.seat) if not names.is_bot(recipient.seat) else "a bot"
    subject, opening = result(recipient)
    body = (
        Paragraph(f"Your seat was played by {who} in the end."),
        *decided(recipient),
        *ending(recipient, asks=False),
    )
    letter = letter_parts.framed(recipient, letter_parts.lead(opening), body, (last_line(recipient),), about=0)
    return evolve(
        letter_parts.letter(recipient, "news", letter, subject, 0, LAST), to=recipient.game.own_address(recipient.seat)
    )


def result(recipient: Recipient) -> tuple[str, str]:
    """Describe how a game ended, for a subject and as a first sentence."""
    subject, opening = mail_plugin(recipient.known.record.game).result(recipient.known, recipient.seat)
    return f"Game over: {subject}", opening


def decided(recipient: Recipient) -> Blocks:
    """Explain how a game was decided, in a few sentences."""
    sentences = mail_plugin(recipient.known.record.game).decided(recipient.known, recipient.seat)
    return (Heading(DECIDED), Paragraph(" ".join(sentences))) if sentences else ()


def ending(recipient: Recipient, *, asks: bool = True) -> Blocks:
    """Show the last position, the whole game again, and the proof; with `asks` say how to play again."""
    record = recipient.known.record
    turns = counted_in_words(sum(not turn.undone for turn in record.turns), "turn")
    stem = file_stem(record)
    hands = " and every hand" if record.game.secret else ""
    return (
        *(_again(recipient) if asks else ()),
        *letter_parts.position(recipient),
        Heading(AGAIN),
        Paragraph(f"Open the attached {stem}.html to step through {turns}. {stem}.tkid has the whole game{hands}."),
        Heading(PROOF),
        Paragraph(f"{_proof(recipient, turns)} To check it yourself, run `tkid verify {stem}.tkid`."),
    )


def _again(recipient: Recipient) -> Blocks:
    others = both(recipient.game.names[seat] for seat in recipient.game.others(recipient.seat))
    return (
        Paragraph(f"Reply `{REMATCH}` to invite {others} to another game on the same terms."),
        Buttons((Button("Play again", REMATCH), Button("Say thanks", THANKS))),
    )


@cites("record.seal.open")
def _proof(recipient: Recipient, turns: str) -> str:
    found, record = prove(as_written(recipient.known)), recipient.known.record
    legal = f"{turns}, all of them legal" if turns != "no turns" else "no turn was played"
    if found.contradicted:
        return f"Proven: {legal}. Contradicted: {letter_parts.sentence(found.contradicted[0].message)}"
    return f"Proven: {_deal(record, found, legal)} {_unproven(record, found)}"


def _deal(record: Record, found: Proof, legal: str) -> str:
    if not found.complete:
        return f"{legal}."
    hands = ", with every hand" if record.game.secret else ""
    return f"the deal is the one that was sealed{hands}; {legal}."


def _unproven(record: Record, found: Proof) -> str:
    seal = sealed(record)
    if seal is None:
        return "Not proven: the deal, because it was not sealed."
    if any(fact.rule != HASH for fact in found.unproven):
        return "Not proven: the deal, because its seal has not been opened."
    if not found.complete:
        return "Not proven: some lines about the game, which its hashes do not cover."
    speakers = [name for name, words in zip(record.names, seal.words, strict=True) if words]
    if not speakers:
        return "Not proven: that nobody chose the deal, because no player added words to the seal."
    return f"The words of {both(speakers)} went into the deal, so nobody could choose it alone: compare yours."


def last_line(recipient: Recipient) -> str:
    """Show the last turn, and say that nothing follows."""
    known = recipient.known
    last = f"Last turn {known.last.turn.number}, #{known.last.hash}. " if known.last.turn else ""
    return f"{last}This is the last mail of this game."


SENTENCE = re.compile(r"(?<=[.!?]) ")
"""Between two sentences."""


def news(recipient: Recipient, announcements: Sequence[Announcement] = ()) -> Letter:
    """Write to a player who is not to act: the events and the state of the game; at the end, how it was decided."""
    if recipient.game.time.over:
        return over(recipient, announcements)
    body, subject = _news(recipient, announcements)
    return letter_parts.letter(recipient, "news", body, subject, _about(recipient))


def _news(recipient: Recipient, announcements: Sequence[Announcement]) -> tuple[Blocks, str]:
    """The body of a letter with news, and its subject."""
    host = [each for each in announcements if each.sender is None]
    short = letter_parts.shortly(recipient, recipient.moments)
    told = host[0].text if host else short
    nexts = (letter_parts.who_is_next(recipient), letter_parts.who_is_next(recipient, date=False), "")
    opening = letter_parts.lead(*(f"{told} {each}".strip() for each in nexts), "This is the game now.")
    shown = host[0].more if host and opening.startswith(host[0].text) else None
    rest = announcements if shown is None else [each for each in announcements if each is not host[0]]
    body = (
        *(shown or ()),
        *announced(recipient, rest),
        *letter_parts.happened(recipient, recipient.moments),
        *letter_parts.plans(recipient),
        *letter_parts.passing_does(recipient),
        *letter_parts.position(recipient),
    )
    rule = next((each.rule for each in host if each.rule), "")
    footer = (letter_parts.standing(recipient), letter_parts.help_line(), letter_parts.full_rule(rule))
    return letter_parts.framed(recipient, opening, body, footer, about=_about(recipient)), _subject(recipient, host)


def _about(recipient: Recipient) -> int | None:
    """The turn that news are about: the last one that the reader has not heard of."""
    turn = recipient.known.moments[recipient.moments[-1]].turn if recipient.moments else None
    return turn.number if turn else None


def _subject(recipient: Recipient, host: Sequence[Announcement]) -> str:
    announced = next((each.subject for each in host if each.subject), "")
    if announced or not recipient.moments:
        return announced or "the game now"
    return mail_plugin(recipient.known.record.game).headline(recipient.known, recipient.moments[-1])


def words(recipient: Recipient, announcements: Sequence[Announcement]) -> Letter:
    """Write only the announcements and the words of players."""
    host = [each for each in announcements if each.sender is None]
    said = [each for each in announcements if each.sender is not None]
    names = list(dict.fromkeys(recipient.game.names[each.sender] for each in said if each.sender is not None))
    everybody = bool(said) and said[0].everybody and len(recipient.game.names) > 2
    writes = f"{names[0]} writes to {'everybody' if everybody else 'you'}." if said else ""
    first, rest = _first_sentence(host[0].text) if host else (writes, "")
    wordings = (host[0].text, first) if host else (writes,)
    opening = letter_parts.lead(*wordings, f"{(*names, 'The host')[0]} writes to you.")
    hidden = bool(host) and opening not in wordings
    said_later = (Paragraph(rest),) if rest and opening == first else ()
    if not host and len(said) == 1:
        return _one_message(recipient, said[0], opening)
    body = (
        *said_later,
        *(host[0].more if host and not hidden else ()),
        *announced(recipient, announcements if hidden or not host else [e for e in announcements if e is not host[0]]),
    )
    rule = next((each.rule for each in host if each.rule), "")
    footer = (letter_parts.standing(recipient), letter_parts.full_rule(rule))
    subject = next(
        (each.subject for each in host if each.subject), f"{names[0]} writes" if names else "news of the host"
    )
    about = 0 if recipient.game.time.over else next((each.about for each in host if each.about), None)
    letter = letter_parts.framed(recipient, opening, body, footer, about=about)
    return letter_parts.letter(recipient, "news" if host else "words", letter, subject, about)


def _first_sentence(text: str) -> tuple[str, str]:
    """The first sentence of a text, and the rest of it."""
    first, *rest = SENTENCE.split(text, maxsplit=1)
    return first, "".join(rest)


def _one_message(recipient: Recipient, message: Announcement, opening: str) -> Letter:
    about = 0 if recipient.game.time.over else None
    _, *body = from_player(recipient, message, message.sender or 0)
    letter = letter_parts.framed(recipient, opening, tuple(body), (letter_parts.standing(recipient),), about=about)
    name = recipient.game.names[message.sender or 0]
    return letter_parts.letter(recipient, "words", letter, f"{name} writes", about)
