"""Write a game's letters: the first, turns, reminders, news and the last."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve

from tkid.mail import game_clock, letter_parts
from tkid.mail.blocks import BOARD, GAME, REPLAY, Blocks, Button, Buttons, Heading, Letter, Paragraph
from tkid.mail.game_clock import read_game_clock
from tkid.mail.hosted_game import make_next_marker
from tkid.mail.letter_parts import (
    Announcement,
    Recipient,
    explain_position,
    link_lesson,
    name_others,
    show_announcements,
)
from tkid.mail.marker import AGAIN, AGREED, DECIDED
from tkid.mail.message import MOST_SUBJECT, SHORTEST_TITLE, YOUR_TURN
from tkid.mail.mime_writer import make_file_stem
from tkid.notation.names import list_names
from tkid.notation.text import capitalize_text, count_noun_in_words
from tkid.notation.voice import list_and
from tkid.record.clock import DAY
from tkid.record.format.model import Record, describe_bots
from tkid.record.format.seal import find_seal
from tkid.record.play.note_chain import HASH
from tkid.record.play.writer import add_hashes
from tkid.record.proof import Proof, prove
from tkid.rulebook import cites
from tkid.rulebook import rule as rule_of

ENCLOSED = frozenset({GAME, BOARD})
AWAY_DAYS = 7
"""Length of the absence in the example of a reminder."""


def write_turn_letter(recipient: Recipient, announcements: Sequence[Announcement] = ()) -> Letter:
    news = letter_parts.summarize_turns(recipient, recipient.round)
    told = [each for each in announcements if each.sender is None]
    opening = _write_opening(recipient, told[0].text if told else news, YOUR_TURN.capitalize())
    is_said = not told or (len(told) == 1 and not told[0].more and opening.startswith(told[0].text))
    body = (
        *show_announcements(recipient, _quote_players(announcements) if is_said else announcements),
        *letter_parts.list_recent_events(recipient, recipient.round),
        *_ask_for_turn(recipient),
    )
    rule = next((each.rule for each in told if each.rule), "")
    help_line = letter_parts.write_help_line(recipient)
    footer = letter_parts.describe_standing(recipient), help_line, letter_parts.cite_rule(rule)
    return letter_parts.compose_letter(recipient, "turn", opening, body, footer, YOUR_TURN, files=ENCLOSED)


def _ask_for_turn(recipient: Recipient) -> Blocks:
    plans, buttons = letter_parts.report_plans(recipient), letter_parts.make_buttons(recipient)
    return *plans, *buttons, *letter_parts.show_position(recipient), *letter_parts.explain_answering(recipient)


def _write_opening(recipient: Recipient, news: str, turn: str) -> str:
    until = letter_parts.describe_deadline_shortly(recipient)
    adjourned = recipient.game.time.adjourned is not None
    if adjourned:
        goes_on = "The game continues when you send a turn."
        return letter_parts.choose_lead(f"{news} {goes_on}".lstrip(), f"{news} Send a turn to continue.", goes_on)
    whens = (until, letter_parts.describe_deadline_shortly(recipient, weekday=False), "")
    return letter_parts.choose_lead(*(f"{news} {turn}{when}.".lstrip() for when in whens), f"It is {YOUR_TURN}{until}.")


def _quote_players(announcements: Sequence[Announcement]) -> Sequence[Announcement]:
    return [each for each in announcements if each.sender is not None]


def write_first_letter(recipient: Recipient) -> Letter:
    starts, opening, table = recipient.may_act, _announce_game(recipient), _describe_table(recipient)
    clock = recipient.game.time.clock
    terms = game_clock.describe_terms(clock) if clock else "There is no clock. Take as long as you like."
    body = (
        *([Paragraph(table)] if table else []),
        *letter_parts.list_recent_events(recipient, recipient.moments),
        *(letter_parts.make_buttons(recipient) if starts else ()),
        *explain_position(recipient.known.record.game, letter_parts.show_position(recipient)),
        *(letter_parts.explain_answering(recipient, outlook=not recipient.plugin.passing) if starts else ()),
        Heading(AGREED),
        Paragraph(f"{recipient.known.record.ruleset.title}. {terms}"),
        *(
            Paragraph(f"{capitalize_text(rule_of(rule_id).options[option])}. [{rule_id}]")
            for rule_id, option in recipient.known.record.readings.items()
        ),
    )
    help_line, lesson = letter_parts.write_help_line(recipient), link_lesson(recipient.known.record.game)
    footer = letter_parts.describe_standing(recipient), help_line, lesson
    title = min(len(recipient.known.record.title), SHORTEST_TITLE)
    room = MOST_SUBJECT - len(f"[] Turn {recipient.game.turns + 1}: ") - title
    new = f"{YOUR_TURN} in a new game" if starts else "a new game"
    whole = f"{new} with {name_others(recipient.game.names, recipient.seat)}"
    subject = whole if len(whole) <= room else new
    kind, files = ("turn", ENCLOSED) if starts else ("news", frozenset({GAME}))
    return letter_parts.compose_letter(recipient, kind, opening, body, footer, subject, files=files)


def _announce_game(recipient: Recipient) -> str:
    with_whom, game = name_others(recipient.game.names, recipient.seat), recipient.game
    if recipient.may_act:
        by = letter_parts.describe_deadline_shortly(recipient).replace("until", "by")
        first = "You play first" if not game.turns else "It is your turn"
        wordings = [f"Your new game with {with_whom} begins. {first}{by}.", f"Your new game begins. {first}{by}."]
        return letter_parts.choose_lead(*wordings)
    first = f" {recipient.next_name} plays first." if recipient.next_name else ""
    return letter_parts.choose_lead(f"Your new game with {with_whom} begins.{first}", f"Your new game begins.{first}")


def _describe_table(recipient: Recipient) -> str:
    names, record = recipient.game.names, recipient.known.record
    party = next(party for party in record.table.parties if recipient.seat in party)
    mates = [names[seat] for seat in party if seat != recipient.seat]
    against = list_names((names[seat] for seat in range(len(names)) if seat not in party), "and")
    team = f"You and {list_names(mates, 'and')} are a team, against {against}." if mates else ""
    order = f"You play in this order: {', '.join(names)}." if len(names) > 2 else ""
    return " ".join(each for each in (team, order, describe_bots(recipient.game.record)) if each)


@cites("post.clock.remind", "post.clock.grace")
def write_reminder(recipient: Recipient, announcements: Sequence[Announcement]) -> Letter:
    clock = read_game_clock(recipient.game.time, recipient.now)
    if clock is None:
        return write_turn_letter(recipient, announcements)
    end = clock.deadline if clock.stage == "running" else clock.end
    left = game_clock.format_time_left(clock.left)
    others = [name for seat, name in enumerate(recipient.game.names) if seat != recipient.seat]
    waits = f"{others[0]} waits" if len(others) == 1 else "The others wait"
    exact = game_clock.format_moment(end, year=False)
    grace = clock.stage == "grace"
    opening = letter_parts.choose_lead(
        *([f"Your time is up. You have grace until {exact}."] if grace else []),
        f"{waits} for your turn until {exact}. That is {left}.",
        f"{waits} for your turn until {exact}.",
        f"There is time for your turn until {exact}.",
    )
    when = game_clock.format_moment(clock.end, year=False)
    body = (
        *show_announcements(recipient, _quote_players(announcements)),
        Paragraph(f"If you do nothing, {game_clock.OWN_THEN[clock.then]} on {when}."),
        *_ask_for_turn(recipient),
        *_explain_absence(recipient),
    )
    once = recipient.game.time.clock is not None and len(recipient.game.time.clock.reminders) == 1 and not grace
    only = "This is the only reminder for this turn. " if once else ""
    footer = (f"{only}{_describe_reader_misses(recipient)}".rstrip(), letter_parts.write_help_line(recipient))
    subject = f"{left} {'of grace ' if grace else ''}left"
    return letter_parts.compose_letter(recipient, "turn", opening, body, footer, subject, files=ENCLOSED)


def _explain_absence(recipient: Recipient) -> Blocks:
    clock = recipient.game.time.clock
    if clock is None or not clock.away:
        return ()
    first = (recipient.now + DAY).date()
    last = first + min(AWAY_DAYS, clock.away - 1) * DAY
    return (Paragraph(f"Going away? Reply `away {first} to {last}`. It counts from tomorrow."),)


def _describe_reader_misses(recipient: Recipient) -> str:
    clock, misses = recipient.game.time.clock, recipient.game.time.seats[recipient.seat].misses
    if clock is None or clock.misses is None or not recipient.plugin.passing:
        return ""
    so_far = "none" if not misses else count_noun_in_words(misses, "turn")
    last = game_clock.OWN_THEN[clock.at_last]
    return f"You have missed {so_far} so far; after {count_noun_in_words(clock.misses, 'missed turn')} in a row {last}."


LAST = frozenset({GAME, REPLAY})
PROOF = "PROOF"
THANKS = "say to all: Thank you for the game!"
REMATCH = "rematch"


@cites("post.end")
def write_last_letter(recipient: Recipient, announcements: Sequence[Announcement] = ()) -> Letter:
    body = (
        *describe_game_decision(recipient),
        *show_announcements(recipient, _quote_players(announcements)),
        *letter_parts.list_recent_events(recipient, recipient.moments),
        *letter_parts.report_plans(recipient),
        *show_ending(recipient),
    )
    return _make_last_letter(recipient, body)


@cites("mail.hold")
def _report_unplayed_turn(recipient: Recipient) -> Blocks:
    """Tell a player whose turn waited when the game ended that it was not played."""
    held = recipient.game.memory.find_proposal("held", recipient.seat)
    if held is None or held.turn != make_next_marker(recipient.game.replay).turn:
        return ()
    return (Paragraph(f"Your turn `{held.lines[0]}` was not played: the game ended while it waited."),)


def _make_last_letter(recipient: Recipient, body: Blocks) -> Letter:
    subject, opening = describe_game_result(recipient)
    lead, footer = letter_parts.choose_lead(opening), (show_last_turn(recipient),)
    return letter_parts.compose_letter(recipient, "news", lead, body, footer, subject, 0, LAST)


@cites("post.end", "post.stand-in")
def write_last_letter_to_former(recipient: Recipient) -> Letter:
    game, seat = recipient.game, recipient.seat
    who = Paragraph(f"At the end, {'a bot' if game.is_bot(seat) else game.find_player(seat)} played your seat.")
    body = (who, *describe_game_decision(recipient), *show_ending(recipient, asks=False))
    return evolve(_make_last_letter(recipient, body), to=game.find_own_address(seat))


def describe_game_result(recipient: Recipient) -> tuple[str, str]:
    subject, opening = recipient.plugin.describe_result(recipient.known, recipient.seat)
    return f"Game over: {subject}", opening


def describe_game_decision(recipient: Recipient) -> Blocks:
    sentences = recipient.plugin.describe_decision(recipient.known, recipient.seat)
    return (Heading(DECIDED), Paragraph(" ".join(sentences))) if sentences else ()


def show_ending(recipient: Recipient, *, asks: bool = True) -> Blocks:
    record = recipient.known.record
    turns = count_noun_in_words(sum(not turn.undone for turn in record.turns), "turn")
    stem = make_file_stem(record)
    hands = " and every hand" if record.game.secret else ""
    replay = f"Open the attached {stem}.html to step through {turns}. " if turns != "no turns" else ""
    return (
        *((*_report_unplayed_turn(recipient), *_offer_rematch(recipient)) if asks else ()),
        *letter_parts.show_position(recipient),
        Heading(AGAIN),
        Paragraph(f"{replay}{stem}.tkid has the whole game{hands}."),
        Heading(PROOF),
        Paragraph(f"{_describe_proof(recipient, turns)} To check it yourself, run `tkid verify {stem}.tkid`."),
    )


def _offer_rematch(recipient: Recipient) -> Blocks:
    others = list_and(map(recipient.game.find_player, recipient.game.list_others(recipient.seat)))
    return (
        Paragraph(f"Reply `{REMATCH}` to invite {others} to another game on the same terms."),
        Buttons((Button("Play again", REMATCH), Button("Say thanks", THANKS))),
    )


@cites("record.seal.open")
def _describe_proof(recipient: Recipient, turns: str) -> str:
    found, record = prove(add_hashes(recipient.known)), recipient.known.record
    legal = f"{turns}, all of them legal" if turns != "no turns" else "no turn was played"
    if found.contradicted:
        return f"Proven: {legal}. Contradicted: {letter_parts.write_message(found.contradicted[0].message)}"
    return f"Proven: {_describe_deal_proof(record, found, legal)} {_describe_unproven(record, found)}"


def _describe_deal_proof(record: Record, found: Proof, legal: str) -> str:
    if not found.complete:
        return f"{legal}."
    hands = ", with every hand" if record.game.secret else ""
    return f"the deal is the one that was sealed{hands}; {legal}."


def _describe_unproven(record: Record, found: Proof) -> str:
    seal = find_seal(record)
    if seal is None:
        return "Not proven: the deal, because it was not sealed."
    if any(fact.rule != HASH for fact in found.unproven):
        return "Not proven: the deal, because its seal has not been opened."
    if not found.complete:
        return "Not proven: some lines about the game, which its hashes do not cover."
    speakers = [name for name, words in zip(record.names, seal.words, strict=True) if words]
    if not speakers:
        return "Not proven: that nobody chose the deal, because no player added words to the seal."
    return f"The words of {list_and(speakers)} went into the deal, so nobody could choose it alone: compare yours."


def show_last_turn(recipient: Recipient) -> str:
    known = recipient.known
    last = f"Last turn {known.last.turn.number}, #{known.last.hash}. " if known.last.turn else ""
    return f"{last}This is the last mail of this game."


SENTENCE = re.compile(r"(?<=[.!?]) ")
"""Between two sentences."""


def write_news_letter(recipient: Recipient, announcements: Sequence[Announcement] = ()) -> Letter:
    if recipient.game.time.over:
        return write_last_letter(recipient, announcements)
    host = [each for each in announcements if each.sender is None]
    short = letter_parts.summarize_turns(recipient, recipient.moments)
    told = host[0].text if host else short
    nexts = (letter_parts.name_next(recipient), letter_parts.name_next(recipient, date=False), "")
    opening = letter_parts.choose_lead(*(f"{told} {each}".strip() for each in nexts), "This is the game now.")
    shown = host[0].more if host and opening.startswith(host[0].text) else None
    rest = announcements if shown is None else [each for each in announcements if each is not host[0]]
    body = (
        *(shown or ()),
        *show_announcements(recipient, rest),
        *letter_parts.list_recent_events(recipient, recipient.moments),
        *letter_parts.report_plans(recipient),
        *letter_parts.describe_pass(recipient),
        *letter_parts.show_position(recipient),
    )
    rule = next((each.rule for each in host if each.rule), "")
    footer = (
        letter_parts.describe_standing(recipient),
        letter_parts.write_help_line(recipient),
        letter_parts.cite_rule(rule),
    )
    turn = recipient.known.moments[recipient.moments[-1]].turn if recipient.moments else None
    subject, about = _write_news_subject(recipient, host), turn.number if turn else None
    return letter_parts.compose_letter(recipient, "news", opening, body, footer, subject, about)


def _write_news_subject(recipient: Recipient, announcements: Sequence[Announcement]) -> str:
    announced = next((each.subject for each in announcements if each.subject), "")
    if announced or not recipient.moments:
        return announced or "the game now"
    return recipient.plugin.write_headline(recipient.known, recipient.moments[-1])


def write_words_only(recipient: Recipient, announcements: Sequence[Announcement]) -> Letter:
    host = [each for each in announcements if each.sender is None]
    said = _quote_players(announcements)
    names = list(dict.fromkeys(recipient.game.names[each.sender] for each in said if each.sender is not None))
    everybody = bool(said) and said[0].everybody and len(recipient.game.names) > 2
    writes = f"{names[0]} writes to {'everybody' if everybody else 'you'}." if said else ""
    first, *rest = SENTENCE.split(host[0].text, maxsplit=1) if host else [writes]
    wordings = (host[0].text, first) if host else (writes,)
    opening = letter_parts.choose_lead(*wordings, f"{(*names, 'The host')[0]} writes to you.")
    hidden = bool(host) and opening not in wordings
    said_later = map(Paragraph, rest) if opening == first else ()
    more = host[0].more if host and not hidden else ()
    others = announcements if hidden or not host else [each for each in announcements if each is not host[0]]
    shown = show_announcements(recipient, others)
    if not host and len(said) == 1:
        shown = shown[1:]  # the first sentence says who writes
    body = (*said_later, *more, *shown)
    rule = next((each.rule for each in host if each.rule), "")
    footer = (letter_parts.describe_standing(recipient), letter_parts.cite_rule(rule))
    subjects = [*(each.subject for each in host if each.subject), *(f"{name} writes" for name in names)]
    about = 0 if recipient.game.time.over else next((each.about for each in host if each.about), None)
    kind, subject = "news" if host else "words", (*subjects, "news of the host")[0]
    return letter_parts.compose_letter(recipient, kind, opening, body, footer, subject, about)
