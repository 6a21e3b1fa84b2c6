"""What our letters say, in plain text that reads well in a terminal and on a telephone."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from tkid.kernel.problems import Kind, Problem
from tkid.notation.vocabulary import listed
from tkid.post.examples import card_named, example, examples, repairs
from tkid.post.marker import ANSWERS, POSITION, WHAT_HAPPENED, marker_line, note_line
from tkid.post.model import Marker, Orders
from tkid.record import chain
from tkid.record.replay import Moment, Replay
from tkid.record.start import start_text
from tkid.render import text as drawn
from tkid.rulebook import rule

WIDTH = 76
EXCERPT = 72
MOST_PROBLEMS = 6
MOST_REPEATED = 5
"""Lines of the sender's that an answer repeats."""
HOW = "notation.turn"
"""The rule that says how a turn is written."""

Lines = list[str]


def due(replay: Replay) -> Marker:
    """The turn at which a game stands: its number, and the hash of all that came before."""
    record = replay.record
    number = record.turns[-1].number + 1 if record.turns else 1
    return Marker(number, chain.shown(replay.value), record.title)


def hash_before(replay: Replay, turn: int) -> str:
    """The hash before a turn that has been played; "" where there is no such turn."""
    for before, moment in zip(replay.moments, replay.moments[1:], strict=False):
        if moment.turn is not None and moment.turn.number == turn:
            return before.hash or chain.shown(chain.first(start_text(replay.record)))
    return ""


# -- the letters ------------------------------------------------------------------------------------------


def turn_mail(replay: Replay, seat: int) -> str:
    """The mail that asks a player for a turn."""
    name, title = replay.record.names[seat], replay.record.title
    greeting = f"{name}, it is your turn{f' in {title}' if title else ''}."
    return _letter(_asking(replay), _paragraph(greeting), _since(replay, seat), _position(replay, seat), _ways(replay))


def news(replay: Replay, seat: int, told: int) -> str:
    """What a player is told who is not to act: what happened since the turn numbered `told`, and how it stands."""
    name, title = replay.record.names[seat], replay.record.title
    greeting = f"{name}, this is what happened{f' in {title}' if title else ''}. {_next(replay)}"
    lines = [line for moment in replay.moments[told + 1 :] for line in _numbered(moment, replay.record.names)]
    begins = ["Nothing yet: the game begins."]
    return _letter(
        _noting(replay), _paragraph(greeting), [WHAT_HAPPENED, "", *(lines or begins)], _position(replay, seat)
    )


def receipt(replay: Replay, seat: int, notes: Iterable[Problem]) -> str:
    """The answer to a turn that was played: what was understood, what followed, how it stands."""
    moment, names = replay.last, replay.record.names
    number = moment.turn.number if moment.turn else 0
    return _letter(
        [note_line(replay.record.title, number)],
        _paragraph(f"{names[seat]}, thank you: your turn is played. This is how it was understood:"),
        _turn(moment),
        *([*_paragraph(f"{note}."), rule(note.rule).link] for note in notes),
        [WHAT_HAPPENED, "", *drawn.event_lines(moment.events, names)],
        _paragraph(_next(replay)),
        _position(replay, seat),
    )


def wrong(replay: Replay, seat: int, typed: str, problems: Sequence[Problem]) -> str:
    """The answer to a turn that cannot be played: every problem in its own line, and what would be legal."""
    name, yours = replay.record.names[seat], replay.position.to_act == seat
    told = "this was not played. Nothing has changed, and it is still your turn."
    sorry = "thank you, but this was not played. Nothing has changed."
    return _letter(
        _asking(replay) if yours else _noting(replay),
        _paragraph(f"{name}, {told if yours else sorry}"),
        *(_problem(typed, problem) for problem in _roots(problems)[:MOST_PROBLEMS]),
        *(_instead(replay, typed, problems) if yours else []),
        _position(replay, seat),
    )


def no_order(replay: Replay, seat: int, orders: Orders, rule_id: str) -> str:
    """The answer to a mail in which no order was found."""
    name, yours = replay.record.names[seat], replay.position.to_act == seat
    repeated = [_shortened(line) for line in orders.remark[:MOST_REPEATED]]
    told = "An order is one line, written above the line at the top of this mail." if yours else _next(replay)
    return _letter(
        _asking(replay) if yours else _noting(replay),
        _paragraph(f"{name}, no order was found in your mail, so nothing was played."),
        [*_rule(rule_id)],
        ["This was read, but it is no order:", "", *map(_quoted, repeated)] if repeated else [],
        _paragraph(told),
        *([_ways(replay)] if yours else []),
        _position(replay, seat),
    )


def stale(replay: Replay, seat: int, orders: Orders, problem: Problem) -> str:
    """The answer to an order for a turn at which the game does not stand."""
    name, yours = replay.record.names[seat], replay.position.to_act == seat
    marker = orders.marker
    answered = next((m for m in replay.moments if marker and m.turn and m.turn.number == marker.turn), None)
    return _letter(
        _asking(replay) if yours else _noting(replay),
        _paragraph(f"{name}, this was not played:"),
        [_quoted(_shortened(orders.turn))],
        _paragraph(f"{problem.message}."),
        _rule(problem.rule),
        _played(answered) if answered is not None and problem.hint == "" else _paragraph(problem.hint),
        _paragraph("It is your turn: if you still mean it, answer this mail." if yours else _next(replay)),
        *([_since(replay, seat), _position(replay, seat), _ways(replay)] if yours else [_position(replay, seat)]),
    )


# -- their parts ------------------------------------------------------------------------------------------


def _letter(*blocks: Lines) -> str:
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _paragraph(text: str) -> Lines:
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _copy(text: str) -> str:
    """A line to copy: never broken."""
    return f"  {text}"


def _quoted(text: str) -> str:
    """A line of the sender's, marked so that it cannot be read as an order again."""
    return f'  "{text}"'


def _asking(replay: Replay) -> Lines:
    return [marker_line(due(replay))]


def _noting(replay: Replay) -> Lines:
    return [note_line(replay.record.title, due(replay).turn)]


def _rule(rule_id: str) -> Lines:
    return [f"[{rule_id}]", rule(rule_id).link]


def _next(replay: Replay) -> str:
    """Whose turn it is, or that the game is over."""
    to_act, names = replay.position.to_act, replay.record.names
    if to_act is not None:
        return f"It is {names[to_act]}'s turn."
    winners = [names[seat] for seat in replay.position.winners]
    won = f"{listed(winners, 'and')} {'win' if len(winners) > 1 else 'wins'}" if winners else "nobody wins"
    return f"The game is over ({replay.position.ending}): {won}."


def _since(replay: Replay, seat: int) -> Lines:
    """What happened since a seat's last turn."""
    names, moments = replay.record.names, replay.moments[1:]
    own = max((at for at, moment in enumerate(moments) if moment.turn and moment.turn.seat == seat), default=-1)
    lines = [WHAT_HAPPENED, ""]
    for moment in moments[own + 1 :]:
        lines += _numbered(moment, names)
    if not moments[own + 1 :]:
        lines += ["Nothing yet: the game begins." if own < 0 else "Nothing since your last turn."]
    return lines


def _numbered(moment: Moment, names: Sequence[str]) -> Lines:
    """The events of a turn behind its number."""
    number = f"{moment.turn.number}. " if moment.turn else ""
    told = drawn.event_lines(moment.events, names, WIDTH - len(number))
    return [f"{'' if at else number:{len(number)}}{line}" for at, line in enumerate(told)]


def _position(replay: Replay, seat: int) -> Lines:
    game, position = replay.record.game, replay.position
    return [
        POSITION,
        "",
        *drawn.position(game, game.view(position, seat), replay.record.names, ()).rstrip("\n").split("\n"),
    ]


def _ways(replay: Replay) -> Lines:
    """Own court and hand, and one legal turn for each card."""
    game, position = replay.record.game, replay.position
    seat = position.to_act
    assert seat is not None
    court = game.board.group(position.courts[seat]) if any(position.courts[seat]) else "empty"
    hand = ", ".join(
        f"{card} x{count}" if (count := position.hands[seat].count(card)) > 1 else card
        for card in dict.fromkeys(position.hands[seat])
    )
    told = "Each line is legal now. Copy one to the top of your answer, or change it to what you want."
    turns = [line for turn in examples(replay) for line in ("", _copy(turn))]
    how = ["", "How a turn is written:", rule(HOW).link]
    return [
        ANSWERS,
        "",
        *_paragraph(f"Your court: {court}. Your hand: {hand or 'empty'}."),
        "",
        *_paragraph(told),
        *turns,
        *how,
    ]


def _played(moment: Moment) -> Lines:
    return ["That turn has been played:", "", *_turn(moment)]


def _turn(moment: Moment) -> Lines:
    """A turn as the game file has it, with its hash."""
    return drawn.wrapped(f"{moment.line} #{moment.hash}".split(" "), drawn.WIDTH, first="  ", hang=6)


# -- problems ---------------------------------------------------------------------------------------------


def _roots(problems: Sequence[Problem]) -> Sequence[Problem]:
    return [problem for problem in problems if problem.kind is not Kind.FOLLOW_ON] or problems


def _problem(typed: str, problem: Problem) -> Lines:
    """A problem: the line with the place underlined, what is wrong, the way out, the rule."""
    hint = "" if problem.hint.startswith("Legal would be") else problem.hint
    message = problem.message[:1].upper() + problem.message[1:]
    told = f"{message}{'' if message.endswith(('?', '.')) else '.'} {hint}"
    return [*excerpt(typed, problem.col, problem.length), *_paragraph(told), *_rule(problem.rule)]


def excerpt(typed: str, col: int, length: int) -> Lines:
    """A line, cut to a window where it is long, and below it the place underlined; columns from 1."""
    start = max(0, min(col - 1 - EXCERPT // 2, len(typed) - EXCERPT))
    shown = _printable(typed[start : start + EXCERPT])
    at = min(col - 1 - start, len(shown))
    before, marked = drawn.columns(shown[:at]), max(1, drawn.columns(shown[at : at + length]))
    return [f"  {shown}", f"  {' ' * before}{'^' * marked}"]


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in text)


def _shortened(text: str) -> str:
    return _printable(text if len(text) <= EXCERPT else f"{text[: EXCERPT - 1]}…")


def _instead(replay: Replay, typed: str, problems: Sequence[Problem]) -> list[Lines]:
    """What would be legal: turns that put the problems right, else one with the card, else one for each card."""
    game, position = replay.record.game, replay.position
    turns = list(dict.fromkeys(turn for problem in _roots(problems) for turn in repairs(replay, typed, problem)))
    card = card_named(game, position, typed)
    if turns:
        told = "Legal would be, to copy to the top of your answer:"
    elif card:
        turns, told = [example(replay, card)], f"A turn with {card} that is legal now, to copy or to change:"
    else:
        return [_ways(replay)]
    return [_paragraph(told), [line for turn in turns[:MOST_REPEATED] for line in (_copy(turn), "")][:-1]]
