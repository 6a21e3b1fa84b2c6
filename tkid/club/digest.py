"""The digest: one mail a day with all games of a member, nearest deadline first, and kept letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from attrs import evolve, field, frozen

from tkid.club.club_state import write_club_letter
from tkid.club.members import MemberGame
from tkid.mail import game_clock, letter_parts
from tkid.mail.blocks import Block, Blocks, Events, Heading, Paragraph, Quote, Samples, format_plain
from tkid.mail.blocks import Letter as GameLetter
from tkid.mail.game_letters import describe_game_result
from tkid.mail.letter_parts import Recipient
from tkid.mail.model import Address, Stored
from tkid.mail.order_machine import ClubLetter
from tkid.notation.text import spell_number
from tkid.orders.days import write_day
from tkid.rulebook import cites

DIGEST_KIND = "digest"
"""The kind of its documents, and what the keys of its letters are about."""
MOST_ISSUES = 14
"""Digests that are remembered: an answer to an older one orders nothing."""
ANSWER = "ANSWER FROM HERE"
QUOTE = "quote"
FOOTER = "You get this at most once a day. Reply `notify each game` for single mails."


@frozen
class Held:
    """The content of a letter that was kept back: its game, and its texts, each with its form ("" or QUOTE)."""

    game: str
    texts: tuple[tuple[str, str], ...]


@frozen
class Issue:
    """A digest that was sent: its day, and the key of each game in it."""

    day: str
    keys: Mapping[str, str]


@frozen
class DigestBook(Stored):
    """The memory for a member's digests, in the order of events."""

    KIND = DIGEST_KIND
    NAMED = "address"
    address: Address
    hour: int
    told: Mapping[str, int] = field(factory=dict)
    heard: Mapping[str, int] = field(factory=dict)
    held: tuple[Held, ...] = ()
    issues: tuple[Issue, ...] = ()
    last: bool = False

    def find_next_time(self, now: datetime) -> datetime:
        today = now.astimezone(UTC).replace(hour=self.hour, minute=0, second=0, microsecond=0)
        return today if today > now else today + timedelta(days=1)

    def list_keys(self, day: str) -> Mapping[str, str]:
        return next((issue.keys for issue in reversed(self.issues) if issue.day == day), {})

    @cites("club.digest", "club.digest.once")
    def keep_letter(self, game: str, letter: GameLetter, turns: int) -> DigestBook:
        """Return the book with a letter of a game that is kept back, when the game has this many turns."""
        texts = tuple(
            (QUOTE, each.text) if isinstance(each, Quote) else ("", " ".join(format_plain((each,)).split()))
            for each in letter.said
        )
        held = (*self.held, Held(game, texts)) if texts else self.held
        return evolve(self, held=held, heard={**self.heard, game: turns})


@frozen
class Digest:
    """A digest: its letter, the games in it, and the book after it."""

    letter: ClubLetter
    games: Sequence[MemberGame]
    book: DigestBook


@cites("club.digest", "club.digest.once")
def write_digest(book: DigestBook, games: Sequence[MemberGame], now: datetime, name: str) -> Digest | None:
    """Write the digest that is due now; return None if there is no news and no game waits.

    `games` are in the order of deadlines.
    """
    games = [each for each in games if not each.over or each.id in book.told or each.id in book.heard]
    news = {each.id: _list_news(book, each) for each in games}
    if not (book.held or any(news.values()) or any(each.mine for each in games)):
        return None
    day = now.astimezone(UTC).date()
    about = f"{DIGEST_KIND} {day.isoformat()}"
    mine = [each for each in games if each.mine]
    body: list[Block] = []
    for each in games:
        body += _describe_game(book, each, news[each.id], now)
    for game in dict.fromkeys(held.game for held in book.held if held.game not in news):
        body += [Heading(game.upper()), *_list_held(book, game)]
    waits = f"{len(mine)} {'waits' if len(mine) == 1 else 'wait'} for you" if mine else "none waits for you"
    title = f"Your games, {write_day(day).rpartition(' ')[0]}: {waits}"
    body += _explain_answers(games, mine)
    to, lead = (book.address, name), _write_lead(games, mine)
    letter = write_club_letter(to, about, title, lead, tuple(body), now, FOOTER, stop="stop")
    told = {each.id: each.game.turns for each in games if not each.over}
    return Digest(letter, games, evolve(book, told=told, heard={}, held=()))


def note_issued(book: DigestBook, day: str, keys: Mapping[str, str]) -> DigestBook:
    """Return the book with a digest that was sent on a day with these keys."""
    before = tuple(issue for issue in book.issues if issue.day != day)
    return evolve(book, issues=(*before, Issue(day, {**book.list_keys(day), **keys}))[-MOST_ISSUES:])


def _list_news(book: DigestBook, each: MemberGame) -> range:
    """List the turns that the reader has not heard of; of a finished game those before its last mail."""
    last = len(each.game.replay.moments) - 1
    own = max((n for n, turn in enumerate(each.game.record.turns, 1) if turn.seat == each.seat), default=0)
    told = book.told.get(each.id, max(0, own - 1))
    return range(told + 1, (min(last, book.heard.get(each.id, 0)) if each.over else last) + 1)


def _describe_game(book: DigestBook, each: MemberGame, news: range, now: datetime) -> Iterator[Block]:
    recipient = Recipient(each.game, each.seat, now)
    yield Heading(f"{each.id.upper()}  {_describe_state(recipient, each)}")
    if news:
        yield Events(tuple(letter_parts.number_turn(recipient.known, index, each.seat) for index in news))
    held = _list_held(book, each.id)
    yield from held
    if not (news or held or each.mine):
        yield Paragraph("Nothing has happened since the last digest.")
    if each.mine:
        yield from letter_parts.show_position(recipient)
        yield from _prefix_turns(each, recipient)
        yield from letter_parts.describe_pass(recipient)
    if standing := letter_parts.describe_standing(recipient):
        yield Paragraph(standing)


def _describe_state(recipient: Recipient, each: MemberGame) -> str:
    if each.over:
        result = describe_game_result(recipient)[0]
        return f"{result[:1].lower()}{result[1:]}"
    left = f", {game_clock.format_time_left(each.clock.left)} left" if each.clock and each.clock.stage != "out" else ""
    if each.mine:
        return f"your turn{left}"
    return f"{recipient.next_name}'s turn{left}" if recipient.next_name else "adjourned"


def _list_held(book: DigestBook, game: str) -> Blocks:
    texts = (text for held in book.held if held.game == game for text in held.texts)
    return tuple(Quote(text) if shown == QUOTE else Paragraph(text) for shown, text in texts)


def _prefix_turns(each: MemberGame, recipient: Recipient) -> Blocks:
    """Offer some turns to send, each with the name of its game."""
    known, plugin = recipient.known, recipient.plugin
    turns = dict.fromkeys(filter(None, (plugin.find_pass(known), *plugin.list_samples(known))))
    return (Samples(tuple(f"{each.id}: {turn}" for turn in turns)),) if turns else ()


def _write_lead(games: Sequence[MemberGame], mine: Sequence[MemberGame]) -> str:
    """Write the first sentence: the time left for the next turns, and the number of games that need nothing."""
    told = [_find_time(each) for each in mine]
    others = len([each for each in games if not each.over]) - len(mine)
    other = "other " if mine else ""
    rest = f"{spell_number(others).capitalize()} {other}{'game needs' if others == 1 else 'games need'} nothing."
    rest = rest if others else ""
    shorter = f"{len(mine)} {'game waits' if len(mine) == 1 else 'games wait'} for you. {rest}".strip()
    news = "Here is what has happened in your games."
    if not mine:
        return letter_parts.choose_lead(f"No game waits for you. {rest}".strip(), news)
    first = f"{told[0]} {len(mine) - 1} more wait for you.".strip() if len(mine) > 1 else told[0]
    return letter_parts.choose_lead(f"{' '.join(told)} {rest}".strip(), f"{first} {rest}".strip(), first, shorter, news)


def _find_time(each: MemberGame) -> str:
    if each.clock is None:
        return f"{each.id} waits for you."
    if each.clock.stage == "out":
        return f"Your time in {each.id} has run out."
    return f"{each.id} has {game_clock.format_time_left(each.clock.left)} left."


def _explain_answers(games: Sequence[MemberGame], mine: Sequence[MemberGame]) -> Iterator[Block]:
    named = mine or [each for each in games if not each.over]
    if not named:
        return
    yield Heading(ANSWER)
    yield Paragraph(f"Put the name of the game first, one line for each order, such as `{named[0].id}: status`.")
