"""What a club's pages say of a game: small values that every page is made of, and that are kept so that no game is read twice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from tkid.club.pages.public import Cast, published, spectated
from tkid.kernel.game import NOBODY
from tkid.mail.game.timeline import Timeline, timeline
from tkid.mail.plugin import mail_plugin
from tkid.notation.vocabulary import listed
from tkid.record.clock.notes import At, note_reader
from tkid.record.play.outcome import shown_position
from tkid.record.play.replay import Replay, replay
from tkid.render.frames import last_turn
from tkid.render.plugin import render_plugin

SHOWN_TURNS = 5
"""So many turns a page of a running game tells in words, the last one first."""
MOSTLY = "The King is Dead"
RESIGNED = "resignation"
ABANDONED, AGREED_DRAW, ABORTED = "abandoned", "draw", "aborted"


@frozen
class SeatFacts:
    """A seat of a game: the player's name as it is published, and the page of that player (`player`, "" for none).

    `stand_in` is who plays in the player's place now, "" for nobody.
    """

    name: str
    player: str = ""
    stand_in: str = ""


@frozen
class TurnFacts:
    """A turn in words: its number, what was done in it, and when."""

    number: int
    told: str
    time: datetime | None = None


@frozen
class GameFacts:
    """What pages say of a game.

    `slug` is the name of its files. `to_act` is the seat whose turn it is, as far as is published, `since` when that
    began, and `deadline` when its time is out. `ending` is in a word how the game ended, "" while it goes on, `winners` the
    seats that won. `headline` says how it stands, `told` the last turns, `decided` how it was decided. `party` is the
    number of the party of each seat, `cover` whether there is a picture for links.
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
    deadline: datetime | None = None
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
        """Whether the game is over."""
        return bool(self.ending)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, as they are published."""
        return tuple(seat.name for seat in self.seats)

    @property
    def name(self) -> str:
        """What the game is called: its title, or its players."""
        return self.title or self.players

    @property
    def players(self) -> str:
        """The players, or the teams against each other."""
        parties = [
            listed([name for name, own in zip(self.names, self.party, strict=True) if own == party], "and")
            for party in dict.fromkeys(self.party)
        ]
        return " against ".join(parties) if len(parties) < len(self.names) else listed(self.names, "and")

    @property
    def result(self) -> str:
        """Who won, in a few words, "" while the game goes on."""
        if not self.over:
            return ""
        won = [self.names[seat] for seat in self.winners]
        if self.ending in {ABANDONED, ABORTED}:
            return "Abandoned" if self.ending == ABANDONED else "Stopped by the host"
        if not won:
            return f"{NOBODY.capitalize()} won"
        if self.ending == AGREED_DRAW or len(won) == len(self.names):
            return f"A draw between {listed(won, 'and')}"
        return f"{listed(won, 'and')} won"


def facts_of(
    played: Replay, cast: Cast, slug: str, players: Sequence[str], delay: int = 0, *, cover: bool = False
) -> tuple[GameFacts, Replay]:
    """What pages say of a game, and the replay as it is published; `players` are the pages of the players, by seat.

    A game that is over is told to its end; one that goes on is told so many turns late.
    """
    whole = timeline(played)
    shown = replay(published(played.record, cast)) if whole.over else spectated(played, cast, delay)
    record, time = shown.record, whole if whole.over else timeline(shown)
    game, render = record.game, render_plugin(record.game)
    index = len(shown.moments) - 1
    view = game.view(shown_position(shown), None)
    parties = record.table.parties
    ending = _ending(shown, time)
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
        winners=_winners(shown, time) if ending else (),
        headline=render.headline(game, view, record.names),
        told=tuple(turn_facts(shown, number) for number in range(index, max(0, index - SHOWN_TURNS), -1)),
        decided=tuple(mail_plugin(game).decided(shown, None)) if ending and shown.position.ending else (),
        picture=render.description(game, view, record.names),
        cover=cover,
        copy=cast.is_copy,
    )
    return facts, shown


def short_rules(title: str) -> str:
    """The title of a ruleset, without the game that most rulesets are of."""
    short = title.removeprefix(f"{MOSTLY}, ")
    return short[:1].upper() + short[1:]


def _winners(shown: Replay, time: Timeline) -> tuple[int, ...]:
    return tuple(shown.position.winners) if shown.position.ending else tuple(time.winners)


def _ending(shown: Replay, time: Timeline) -> str:
    """How a game ended, in a word: by its own rules, by resignation, or as a line of the record says; "" for not yet."""
    if not time.over:
        return ""
    if shown.position.ending:
        return str(shown.position.ending)
    return time.ended.how if time.ended is not None else RESIGNED


def _stand_in(time: Timeline, seat: int, cast: Cast) -> str:
    stand_in = time.seats[seat].stand_in
    if stand_in is None:
        return ""
    return f"the bot {stand_in.name}" if stand_in.bot else cast.stand_ins.get(stand_in.name, stand_in.name)


def turn_facts(shown: Replay, number: int) -> TurnFacts:
    """A turn in words, by the index of its moment."""
    moment, record = shown.moments[number], shown.record
    assert moment.turn is not None
    reader = note_reader(record.names)
    times = [note.time for note in map(reader.note, moment.turn.notes) if isinstance(note, At)]
    last = last_turn(shown, number, None)
    if last is None:
        told = f"{record.names[moment.turn.seat]}\u2019s turn was taken back."
    else:
        view = record.game.view(moment.position, None)
        told = render_plugin(record.game).told(record.game, view, record.names, last)
    return TurnFacts(moment.turn.number, told, times[-1] if times else None)
