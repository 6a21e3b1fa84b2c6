"""Facts about a game for the club's pages, and its record under the players' public names.

The hashes of a record cover its names. If a player stays anonymous, the club therefore publishes a copy with other names,
its own hashes, no seal, and a header that says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import evolve, field, fields_dict, frozen

from tkid.kernel.game import NOBODY
from tkid.kernel.problems import Problem
from tkid.mail.plugin import find_mail_plugin
from tkid.mail.timeline import Timeline, read_timeline
from tkid.notation.names import list_names
from tkid.notation.text import capitalize_text
from tkid.record.clock import make_public_header
from tkid.record.clock_notes import Announced, NoteReader, find_noted_time, make_note_reader
from tkid.record.format.model import STANDS, Comments, Header, Outcome, Record, Seat, Turn
from tkid.record.format.reader import read_own_record
from tkid.record.format.seal import HEADER as SEAL
from tkid.record.play.replay import Replay, find_shown_position, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.render.frames import last_turn
from tkid.render.plugin import find_render_plugin
from tkid.rulebook import cites

COPY = "X-Copy"
COPIED = "A player stays anonymous, so names were changed. The hashes are those of this copy, and it has no seal."


@frozen
class Cast:
    """Players under published names, by seat; `hidden` ones stay anonymous, `stand_ins` go by recorded names."""

    names: tuple[str, ...]
    hidden: frozenset[str] = frozenset()
    stand_ins: Mapping[str, str] = field(factory=dict)

    @property
    def is_copy(self) -> bool:
        """True if a player stays anonymous, so that only a copy is published."""
        return bool(self.hidden)

    def has_hidden_name(self, text: str) -> bool:
        """Return True if a text has the name of an anonymous player, or a part of it."""
        words = {word.casefold() for name in self.hidden for word in (name, *re.findall(r"\w{2,}", name))}
        folded = text.casefold()
        return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", folded) for word in words)

    def hide_title(self, title: str) -> str:
        """Return the title of the game, or "" if it names an anonymous player."""
        return "" if self.has_hidden_name(title) else title


@cites("club.pages.names", "club.pages.press")
def publish_record(record: Record, cast: Cast) -> Record:
    """Return a record under the published names, without addresses, comments and the host's own words."""
    return read_own_record(write_record(_PublicCopy(record, cast).record()))


@cites("club.pages.secrets", "club.pages.delay")
def make_spectator_replay(played: Replay, cast: Cast, delay: int = 0) -> Replay:
    """Return a running game as a spectator may see it, a number of turns late."""
    record = _PublicCopy(played.record, cast).record()
    shown = len(record.turns)
    late = delay
    while late and shown:
        shown -= 1
        late -= not record.turns[shown].undone
    if shown < len(record.turns):
        record = evolve(record, turns=record.turns[:shown], end=())
    return hide_secrets(replay(record), None)


@frozen
class _PublicCopy:
    of: Record
    cast: Cast

    def record(self) -> Record:
        """Return the record under the names of the cast."""
        reader, writer = make_note_reader(self.of.names), make_note_reader(self.cast.names)
        return evolve(
            self.of,
            seats=tuple(map(Seat, self.cast.names)),
            headers=tuple(self._list_headers()),
            row_comments={},
            places={},
            turns=tuple(self._copy_turn(turn, reader, writer) for turn in self.of.turns),
            end=self._copy_lines(self.of.end, reader, writer),
        )

    def _list_headers(self) -> list[Header]:
        names, headers = iter(self.cast.names), list[Header]()
        for header in self.of.headers:
            match header.name:
                case "Seat":
                    headers.append(Header("Seat", next(names)))
                case "Game":
                    title = self.cast.hide_title(header.value)
                    headers += [Header("Game", title)] if title else []
                case name if name == SEAL:
                    headers += [] if self.cast.is_copy else [Header(SEAL, header.value)]
                case name if name.casefold().startswith("x-"):
                    headers += filter(None, [make_public_header(header)])
                case name:
                    headers.append(Header(name, header.value))
        return [*headers, *([Header(COPY, COPIED)] if self.cast.is_copy else [])]

    def _copy_turn(self, turn: Turn, reader: NoteReader, writer: NoteReader) -> Turn:
        return evolve(
            turn,
            hash="",
            notes=tuple(filter(None, (self._note(note, reader, writer) for note in turn.notes))),
            note_cols=(),
            # outcomes are written from the game: only their places and the lines before them matter
            outcomes=tuple(Outcome("", self._copy_lines(each.comments, reader, writer)) for each in turn.outcomes),
            comments=self._copy_lines(turn.comments, reader, writer),
        )

    def _note(self, text: str, reader: NoteReader, writer: NoteReader) -> str:
        if text.casefold().startswith(STANDS):
            return STANDS
        note = reader.read_note(text)
        return "" if note is None or isinstance(note, Problem) else writer.write_note(self._strip_line(note))

    def _copy_lines(self, comments: Comments, reader: NoteReader, writer: NoteReader) -> Comments:
        lines = (reader.read_line(text) for text in comments)
        known = [line for line in lines if line is not None and not isinstance(line, Problem)]
        return tuple(writer.write_line(self._strip_line(line)) for line in known if not isinstance(line, Announced))

    def _strip_line(self, line: Any) -> Any:
        """Return a line or a note without addresses, and without the host's own words."""
        known = fields_dict(type(line))
        changes: dict[str, Any] = {"address": ""} if "address" in known else {}
        changes |= {"reason": ""} if "reason" in known else {}
        if "bot" in known and not line.bot:
            changes["name"] = self.cast.stand_ins.get(line.name, line.name)
        return evolve(line, **changes) if changes else line


SHOWN_TURNS = 5
"""Turns that the page of a running game tells in words, the last one first."""
MOSTLY = "The King is Dead"
RESIGNED = "resignation"
ABANDONED, AGREED_DRAW, ABORTED = "abandoned", "draw", "aborted"


@frozen
class SeatFacts:
    """A seat: published name, page of its `player` ("" for none), who plays it now (`stand_in`, "" for nobody else)."""

    name: str
    player: str = ""
    stand_in: str = ""


@frozen
class TurnFacts:
    """A turn in words: its number, its moves, and its time."""

    number: int
    told: str
    time: datetime | None = None


@frozen
class GameFacts:
    """Facts about a game that pages show.

    `slug` is the name of its files. `to_act` is the seat whose turn it is, as far as is published, `since` when that
    began. `ending` is one word for the ending, "" for a running game, `winners`
    the seats that won. `headline` describes the state of the game, `told` the last turns, `decided` the reason of the
    result. `party` is the number of the party of each seat, `cover` is true if there is a picture for links.
    """

    slug: str
    title: str
    ruleset: str
    rules: str
    seats: tuple[SeatFacts, ...]
    party: tuple[int, ...]
    turns: int = 0
    began: datetime | None = None
    ended: datetime | None = None
    to_act: int | None = None
    since: datetime | None = None
    resting: bool = False
    ending: str = ""
    winners: tuple[int, ...] = ()
    headline: str = ""
    told: tuple[TurnFacts, ...] = ()
    decided: tuple[str, ...] = ()
    picture: str = ""
    cover: bool = False
    copy: bool = False

    @property
    def over(self) -> bool:
        return bool(self.ending)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats)

    @property
    def name(self) -> str:
        """The game's title, or its players."""
        return self.title or self.players

    @property
    def players(self) -> str:
        """The players, or the teams against each other."""
        parties = [
            list_names([name for name, own in zip(self.names, self.party, strict=True) if own == party], "and")
            for party in dict.fromkeys(self.party)
        ]
        return " against ".join(parties) if len(parties) < len(self.names) else list_names(self.names, "and")

    @property
    def result(self) -> str:
        """The winners, in a few words, or "" for a running game."""
        if not self.over:
            return ""
        won = [self.names[seat] for seat in self.winners]
        if self.ending in {ABANDONED, ABORTED}:
            return "Abandoned" if self.ending == ABANDONED else "Stopped by the host"
        if not won:
            return f"{NOBODY.capitalize()} won"
        if self.ending == AGREED_DRAW or len(won) == len(self.names):
            return f"A draw between {list_names(won, 'and')}"
        return f"{list_names(won, 'and')} won"


def collect_game_facts(
    played: Replay, cast: Cast, slug: str, players: Sequence[str], delay: int = 0
) -> tuple[GameFacts, Replay]:
    """Collect what a game's pages show, some turns late until it ends; `players` are the pages by seat."""
    whole = read_timeline(played)
    shown = replay(publish_record(played.record, cast)) if whole.over else make_spectator_replay(played, cast, delay)
    record, time = shown.record, whole if whole.over else read_timeline(shown)
    game, render = record.game, find_render_plugin(record.game)
    index = len(shown.moments) - 1
    view = game.view(find_shown_position(shown), None)
    parties = record.table.parties
    ending = _name_ending(shown, time)
    is_decided = ending and shown.position.ending
    facts = GameFacts(
        slug=slug,
        title=record.title,
        ruleset=record.ruleset.code,
        rules=short_rules(record.ruleset.title),
        seats=tuple(
            SeatFacts(name, player, _stand_in(time, seat, cast))
            for seat, (name, player) in enumerate(zip(record.names, players, strict=True))
        ),
        party=tuple(next(n for n, party in enumerate(parties) if seat in party) for seat in range(len(record.names))),
        turns=sum(not turn.undone for turn in record.turns),
        began=time.terms.started,
        ended=time.latest if ending else None,
        to_act=None if ending else shown.position.to_act,
        since=None if ending else time.since,
        resting=time.stopped,
        ending=ending,
        winners=time.winners or tuple(shown.position.winners),
        headline=render.write_headline(game, view, record.names),
        told=tuple(turn_facts(shown, number) for number in range(index, max(0, index - SHOWN_TURNS), -1)),
        decided=tuple(find_mail_plugin(game).describe_decision(shown, None)) if is_decided else (),
        picture=render.describe_position(game, view, record.names),
        copy=cast.is_copy,
    )
    return facts, shown


def short_rules(title: str) -> str:
    """Return the title of a ruleset, without the name of the game that most rulesets belong to."""
    return capitalize_text(title.removeprefix(f"{MOSTLY}, "))


def _name_ending(shown: Replay, time: Timeline) -> str:
    """Return a word for the ending: by the rules, by resignation, or that of a line in the record; "" for a running game."""
    if not time.over:
        return ""
    if time.early is None:
        return str(shown.position.ending)
    return RESIGNED if time.early.how == "resigned" else time.early.how


def _stand_in(time: Timeline, seat: int, cast: Cast) -> str:
    stand_in = time.seats[seat].stand_in
    if stand_in is None:
        return ""
    return f"the bot {stand_in.name}" if stand_in.bot else cast.stand_ins.get(stand_in.name, stand_in.name)


def turn_facts(shown: Replay, number: int) -> TurnFacts:
    moment, record = shown.moments[number], shown.record
    assert moment.turn is not None
    last = last_turn(shown, number, None)
    if last is None:
        told = f"{record.names[moment.turn.seat]}\u2019s turn was taken back."
    else:
        view = record.game.view(moment.position, None)
        told = find_render_plugin(record.game).describe_last_turn(record.game, view, record.names, last)
    return TurnFacts(moment.turn.number, told, find_noted_time(make_note_reader(record.names), moment.turn))
