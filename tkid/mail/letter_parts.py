"""Parts that many letters have: leads, problems, deadlines, announcements, the position."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import Factory, evolve, field, frozen

from tkid.kernel.game import AnyGame
from tkid.kernel.problems import Kind, Problem, Scope, end_sentence
from tkid.mail import blocks, game_clock
from tkid.mail.hosted_game import HostedGame, SeatMemory, make_next_marker
from tkid.mail.marker import ANSWERS, format_reply_line, write_reference
from tkid.mail.plugin import MailPlugin, find_mail_plugin
from tkid.notation.names import list_names
from tkid.notation.text import count_noun_in_words
from tkid.orders.order_values import Say
from tkid.record.play.replay import Replay, find_shown_position
from tkid.render.lines import count_columns, wrap_pieces
from tkid.render.plugin import find_render_plugin
from tkid.rulebook import rule
from tkid.rulebook.register import find_address

MOST_REPEATED = 5
"""Lines of the sender's that an answer repeats, and turns that it offers in place of a wrong one."""
MOST_LINES = 6
"""Lines about what happened since the reader's last turn."""
SMALL_WORDS = frozenset([
    "Your", "You", "The", "This", "These", "There", "It", "That", "No", "Nobody", "Only", "Which", "What", "Who", "A", "An",
])  # fmt: skip
LONGEST_LEAD = 78
LONGEST_MESSAGE = 200
HOW = "notation.turn"
"""The rule that says how a turn is written."""
HELP = "Reply `help` for everything you can write, `notify` to choose your mails."
HELP_BY_HAND = "Reply `help` for everything you can write."


@frozen
class Recipient:
    """The reader of a letter, with its basis: the game at a moment, as that seat knows it."""

    game: HostedGame
    seat: int
    now: datetime
    known: Replay = field(default=Factory(lambda self: self.game.view_as(self.seat), takes_self=True))

    @property
    def may_act(self) -> bool:
        """True if the reader is to act; an adjourned game continues by that."""
        return self.game.awaited == self.seat

    @property
    def plugin(self) -> MailPlugin:
        return find_mail_plugin(self.known.record.game)

    @property
    def memory(self) -> SeatMemory:
        return self.game.memory.seats[self.seat]

    @property
    def moments(self) -> range:
        """Indices of the moments of the game that the reader has not heard of yet, turn by turn."""
        return range(self.memory.told + 1, len(self.known.moments))

    @property
    def round(self) -> range:
        """The reader's last turn and what happened since, and what the reader has not heard of yet."""
        turns = self.known.record.turns
        own = next((number for number in range(len(turns), 0, -1) if turns[number - 1].seat == self.seat), 1)
        return range(min(own, self.memory.told + 1), len(self.known.moments))

    @property
    def next_name(self) -> str:
        """The next player's name, for others; "" if the game waits for no player."""
        seat = self.game.to_act
        return "" if seat is None else self.game.names[seat]


@frozen
class Announcement:
    """Words of a player to some seats, or of the host if there is no `sender`. One that `proposes` waits for a yes or no."""

    seats: tuple[int, ...]
    text: str
    sender: int | None = None
    everybody: bool = True
    tells: bool = False
    asks: bool = False
    proposes: bool = False
    rule: str = ""
    subject: str = ""
    more: blocks.Blocks = ()
    about: int = 0


def compose_letter(  # noqa: PLR0917 - the letter's own values
    recipient: Recipient,
    kind: str,
    lead: str,
    body: blocks.Blocks,
    footer: Sequence[str] = (),
    subject: str = "",
    about: int | None = None,
    files: frozenset[str] = frozenset(),
    *,
    is_marked: bool = True,
) -> blocks.Letter:
    """Compose a letter of a kind about a turn (None: the next); answers go above the marker, if it `is_marked`."""
    marker = make_next_marker(recipient.game.view_as_told(recipient.seat))
    about = marker.turn if about is None else about
    first = (blocks.First(format_reply_line(marker.title, about or None)),) if is_marked else ()
    below = tuple(filter(None, footer))
    end = (blocks.Reference(write_reference(marker, over=about == 0)), *([blocks.Footer(below)] if below else []))
    whole = (blocks.Lead(lead), *first, *body, *end)
    return blocks.Letter(kind, recipient.seat, marker.turn, marker.after, about, whole, recipient.now, subject, files)


def choose_lead(*wordings: str) -> str:
    """Return the first wording that fits in the first line of a letter, else the last one, cut."""
    fitting = next((wording for wording in wordings if count_columns(wording) <= LONGEST_LEAD), "")
    return fitting or f"{blocks.cut_beginning(wordings[-1], LONGEST_LEAD - 1)}…"


def lower_sentence(text: str) -> str:
    """Return a sentence for use behind a colon: names keep their capitals, the small words that begin sentences do not."""
    first = text.partition(" ")[0].partition("'")[0]
    return f"{text[:1].lower()}{text[1:]}" if first in SMALL_WORDS else text


def cite_rule(rule_id: str) -> str:
    """Return a rule for the end of a letter: its id and its link; "" for none."""
    return f"The full rule, {rule_id}: {rule(rule_id).link}" if rule_id else ""


def write_help_line(recipient: Recipient) -> str:
    return HELP if recipient.game.is_hosted else HELP_BY_HAND


def name_others(names: Sequence[str], reader: int | None) -> str:
    return list_names((name for seat, name in enumerate(names) if seat != reader), "and")


def summarize_turns(recipient: Recipient, moments: range) -> str:
    """Return the last of some turns in a sentence that fits in a first line, or ""."""
    return recipient.plugin.shorten_turn(recipient.known, moments[-1], recipient.seat) if moments else ""


def list_recent_events(recipient: Recipient, moments: range) -> blocks.Blocks:
    """Return the events, turn by turn, in a few lines, the last turns whole; and the number of earlier ones."""
    items: list[tuple[str, str]] = []
    for index in reversed(moments):
        longer = [number_past_turn(recipient.known, index, recipient.seat), *items]
        lines = blocks.format_plain((blocks.Events(tuple(longer)),)).count("\n")
        if items and lines > MOST_LINES - (index != moments[0]):
            more = count_noun_in_words(index - moments[0] + 1, "turn")
            return (blocks.Events((("", f"{more} before that: reply `history` to see all."), *items)),)
        items = longer
    return (blocks.Events(tuple(items)),) if items else ()


def number_turn(known: Replay, index: int, seat: int | None) -> tuple[str, str]:
    turn = known.moments[index].turn
    told = find_mail_plugin(known.record.game).tell_since(known, index, seat)
    return str(turn.number if turn else ""), " ".join(told)


def number_past_turn(known: Replay, index: int, seat: int | None) -> tuple[str, str]:
    """Return a turn as `number_turn` does, but the last of a game shortly: its decision is explained apart."""
    number, sentences = number_turn(known, index, seat)
    ends = known.position.to_act is None and index == len(known.moments) - 1
    return number, find_mail_plugin(known.record.game).shorten_turn(known, index, seat) if ends else sentences


def report_plans(recipient: Recipient) -> blocks.Blocks:
    return (blocks.Events(tuple(("", note) for note in recipient.memory.notes)),) if recipient.memory.notes else ()


def show_position(recipient: Recipient) -> blocks.Blocks:
    return show_board(recipient.known, recipient.seat)


def show_board(known: Replay, seat: int | None) -> blocks.Blocks:
    """Return the board and all possessions as a seat (None: anybody) may know them, in short lines for mails."""
    game, names = known.record.game, known.record.names
    view, render = game.view(find_shown_position(known), seat), find_render_plugin(game)
    description = "\n".join(wrap_pieces(render.describe_position(game, view, names).split(" ")))
    facts = find_mail_plugin(game).list_facts(known, seat)
    board = blocks.Board(tuple(render.format_board(game, view, names)), description)
    return (board, *([blocks.Facts(facts)] if facts else []))


def describe_pass(recipient: Recipient) -> blocks.Blocks:
    text = recipient.plugin.describe_outlook(recipient.known, recipient.seat)
    return (blocks.Paragraph(text),) if text else ()


def explain_answering(recipient: Recipient, *, outlook: bool = True) -> blocks.Blocks:
    """Explain how to answer with a turn, with turns to send as they are, and the consequences of a pass."""
    turns = tuple(recipient.plugin.list_samples(recipient.known))
    passing = recipient.plugin.find_pass(recipient.known)
    return (
        blocks.Heading(ANSWERS),
        blocks.Paragraph(_explain_samples(passing, len(turns))),
        *([blocks.Samples(turns)] if turns else []),
        *(describe_pass(recipient) if outlook else ()),
    )


def _explain_samples(passing: str, turns: int) -> str:
    if not turns:
        return f"Reply with one line: `{passing}`." if passing else "Reply with one line."
    this = "this. It is legal now" if turns == 1 else "these. They are legal now"
    if not passing:
        return f"Reply with one line like {this}."
    return f"Reply with one line: `{passing}`, or a turn like {this}; change what you like."


def make_buttons(recipient: Recipient) -> blocks.Blocks:
    may_pass = recipient.plugin.find_pass(recipient.known)
    passing = [blocks.Button("Pass this turn", recipient.plugin.passing)] if may_pass else []
    return (blocks.Buttons((blocks.Button("Write a turn"), *passing)),)


def describe_standing(recipient: Recipient) -> str:
    time, now, seat = recipient.game.time, recipient.now, recipient.game.to_act
    texts = game_clock.describe_people(time, recipient.game.names) + game_clock.describe_pause(time, now)
    if time.over:
        return "The game is over."
    if time.adjourned:
        texts.append(f"The game has been adjourned since {game_clock.format_moment(time.adjourned)}.")
        texts.append(_describe_resuming(recipient))
    elif seat == recipient.seat:
        texts.append(game_clock.describe_own_deadline(time, now))
    elif seat is not None:
        texts.append(game_clock.describe_other_deadline(time, now, recipient.game.names[seat]))
    return " ".join(filter(None, texts))


def _describe_resuming(recipient: Recipient) -> str:
    seat = recipient.game.replay.position.to_act
    if seat is None:
        return ""
    who = recipient.game.names[seat]
    if not recipient.game.time.seats[seat].plays:
        return f"It continues when somebody else plays {who}'s seat."
    return f"It continues when {'you send' if seat == recipient.seat else f'{who} sends'} a turn."


def describe_deadline_shortly(recipient: Recipient, *, weekday: bool = True) -> str:
    """Describe the end of the time for the next turn: `, until Friday 27 November`; "" if no clock runs."""
    clock = game_clock.read_game_clock(recipient.game.time, recipient.now)
    if clock is None or clock.stage == "out":
        return ""
    date = game_clock.format_day(clock.deadline if clock.stage == "running" else clock.end)
    return f", until {date if weekday else date.partition(' ')[2]}"


def name_next(recipient: Recipient, *, date: bool = True) -> str:
    """Name the next player in a sentence; "" if the game waits for no player."""
    if recipient.game.to_act == recipient.seat:
        return f"It is your turn{describe_deadline_shortly(recipient) if date else ''}."
    return f"{recipient.next_name} is next." if recipient.next_name else ""


def choose_problem(problems: Sequence[Problem]) -> Problem:
    """Return the one problem that is reported: the first that is no consequence of another."""
    return find_roots(problems)[0]


def show_problem(typed: str, problems: Sequence[Problem]) -> blocks.Blocks:
    """Show the place of an error and its fix, except one that lists legal decisions: whole turns with them follow."""
    problem = choose_problem(problems)
    hint = "" if problem.list_fixes(Scope.DECISION) else problem.hint
    return blocks.Excerpt(typed, problem.col, problem.length), *([blocks.Paragraph(hint)] if hint else [])


def write_message(message: str) -> str:
    """Return the message of a problem as a sentence with its stop; cut if it repeats a long text."""
    if len(message) > LONGEST_MESSAGE:
        return f"{message[: LONGEST_MESSAGE - 1].rstrip()}…"
    return end_sentence(message)


def find_roots(problems: Sequence[Problem]) -> Sequence[Problem]:
    """Return the problems that are not consequences of others."""
    return [problem for problem in problems if problem.kind is not Kind.FOLLOW_ON] or problems


def repair_turn(known: Replay, typed: str, problems: Sequence[Problem]) -> tuple[str, ...]:
    plugin = find_mail_plugin(known.record.game)
    turns = (turn for problem in find_roots(problems) for turn in plugin.find_repairs(known, typed, problem))
    return tuple(dict.fromkeys(turns))


def suggest_turns(known: Replay, typed: str, problems: Sequence[Problem]) -> blocks.Blocks:
    """Return legal turns that fix the problems, else one with the card; () if neither is clear."""
    if turns := repair_turn(known, typed, problems):
        return blocks.Paragraph("These are legal. Reply with one of them:"), blocks.Samples(turns[:MOST_REPEATED])
    card, similar = find_mail_plugin(known.record.game).find_similar(known, typed)
    if similar:
        how = f"This turn with {card} is legal now. Send it, or change it:"
        return blocks.Paragraph(how), blocks.Samples((similar,))
    return ()


def announce_words(recipient: Recipient, announcement: Announcement, sender: int) -> blocks.Blocks:
    answer = Say("all" if announcement.everybody else sender, "TEXT")
    written = recipient.game.find_reader(recipient.seat).write_order(answer)
    return (*_quote_player(recipient, announcement, sender), blocks.Paragraph(f"To answer, reply `{written}`."))


def _quote_player(recipient: Recipient, announcement: Announcement, sender: int) -> blocks.Blocks:
    whom = "all" if announcement.everybody else "you alone"
    return blocks.Paragraph(f"{recipient.game.names[sender]} says to {whom}:"), blocks.Quote(announcement.text)


def repeat_announcements(recipient: Recipient, announcements: Sequence[Announcement]) -> blocks.Blocks:
    texts = [each.text for each in announcements if each.sender is None]
    shown: list[blocks.Block] = [*map(blocks.Paragraph, filter(None, texts))]
    for each in announcements:
        shown += _quote_player(recipient, each, each.sender) if each.sender is not None else ()
    return (*shown, *map(blocks.Paragraph, recipient.memory.notes))


def show_announcements(recipient: Recipient, announcements: Sequence[Announcement]) -> blocks.Blocks:
    host: list[blocks.Block] = []
    players: list[blocks.Block] = []
    for each in announcements:
        if each.sender is None:
            host += [blocks.Paragraph(each.text), *each.more]
        else:
            players += announce_words(recipient, each, each.sender)
    return *host, *players


def explain_position(game: AnyGame, position: blocks.Blocks) -> blocks.Blocks:
    """Explain below a position what its letters mean and how to read its lines, so that it goes if a picture comes."""
    letters, lines = find_render_plugin(game).write_legend(game)
    shown = tuple(
        evolve(block, lines=(*block.lines, "", lines)) if isinstance(block, blocks.Board) and lines else block
        for block in position
    )
    return (*shown, *([blocks.Paragraph(letters)] if letters else []))


def link_lesson(game: AnyGame) -> str:
    return f"How to play: {find_address(find_mail_plugin(game).learn)}"
