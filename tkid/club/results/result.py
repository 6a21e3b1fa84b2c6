"""The result of a game that is over, made from its record: who played, who won, how it ended, when, and whether it is rated."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any, Literal

from attrs import evolve, frozen

from tkid.club.values import Stored
from tkid.kernel.game import Seat
from tkid.mail.game.timeline import Timeline, timeline
from tkid.record.clock.notes import At, NoteReader, Passed, note_reader, stand_ins
from tkid.record.format.bot_seats import bot_seats
from tkid.record.format.model import Record, Turn
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

How = Literal["rules", "resignation", "draw", "abandoned", "aborted"]
"""How a game ended: by its rules, as all others resigned, as a draw that was agreed, given up by all, or by the host."""
WITHOUT_RESULT: tuple[How, ...] = ("abandoned", "aborted")
"""Ends that leave a game without a result."""


@frozen
class Player:
    """A player: an id that stays the same from game to game and holds no address, and the name to show with the game.

    `listed` is the name in lists of people, "" where it is the same.
    """

    id: str
    name: str
    listed: str = ""

    @property
    @cites("club.names")
    def club_name(self) -> str:
        """The name in lists of people, however many names the player has used."""
        return self.listed or self.name


@frozen
class Result(Stored):
    """The result of a game.

    `game` is what the club calls it. `players` are in turn order, `parties` the seats that win together. `places` lists seats
    place by place, the winners first; seats in one place are equal. It is () where the game has no result. `ending` is the
    game's own word for how its rules ended it, "" otherwise. `first` is the start player. `turns` counts the turns that
    were not taken back. `stand_ins` are the seats that a stand-in played at the end, `bots` those that a bot ever played.
    `unplayed` says that no player took a turn that stands: the host passed for them, or there is no turn.
    """

    game: str
    ruleset: str
    plays: str
    players: tuple[Player, ...]
    parties: tuple[tuple[Seat, ...], ...]
    places: tuple[tuple[Seat, ...], ...]
    how: How
    ending: str
    first: Seat
    turns: int
    began: datetime | None
    ended: datetime | None
    stand_ins: tuple[Seat, ...] = ()
    bots: tuple[Seat, ...] = ()
    unplayed: bool = False

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that share the first place, () where the game has no result."""
        return self.places[0] if self.places else ()

    @property
    def draw(self) -> bool:
        """Whether everybody shares the first place."""
        return len(self.places) == 1

    @property
    def kind(self) -> Literal["two", "several"]:
        """On which kind of rating list it counts: games of two players, or of three and of teams."""
        return "two" if len(self.players) == 2 else "several"

    @property
    @cites("club.rating.which", "club.rating.stand-in")
    def rated(self) -> bool:
        """Whether it changes ratings."""
        different = len({player.id for player in self.players}) == len(self.players)
        return bool(self.places) and not (self.bots or self.unplayed) and different and self.ended is not None

    @cites("club.tournament.points")
    def points(self, seat: Seat) -> Fraction:
        """The points of a seat: one for the party that wins; parties that share the victory share the point."""
        if self.how == "aborted":
            return Fraction(1, len(self.parties))
        winning = [party for party in self.parties if party[0] in self.winners]
        return Fraction(1, len(winning)) if seat in self.winners else Fraction(0)

    def seat_of(self, player: str) -> Seat | None:
        """The seat of a player, by id."""
        return next((seat for seat, each in enumerate(self.players) if each.id == player), None)

    def played_by(self, players: tuple[Player, ...]) -> Result:
        """The same result with other players at its seats."""
        return evolve(self, players=players)

    @property
    def data(self) -> Mapping[str, Any]:
        """The result as plain values, which JSON can hold."""
        seats = [
            {
                "id": player.id,
                "name": player.name,
                "place": next((number for number, place in enumerate(self.places, 1) if seat in place), None),
                "points": float(self.points(seat)),
                "stand_in": seat in self.stand_ins,
                "bot": seat in self.bots,
            }
            for seat, player in enumerate(self.players)
        ]
        return {
            "game": self.game,
            "ruleset": self.ruleset,
            "how": self.how,
            "ending": self.ending,
            "players": seats,
            "parties": [list(party) for party in self.parties],
            "first": self.first,
            "turns": self.turns,
            "began": self.began.isoformat() if self.began else None,
            "ended": self.ended.isoformat() if self.ended else None,
            "rated": self.rated,
        }


def result_of(played: Replay, game: str, players: tuple[Player, ...]) -> Result | None:
    """The result of a game.

    Args:
        played: its record, played through.
        game: what the club calls it.
        players: who sat at each seat, in turn order. Where a stand-in finished a game, that is whom it began for.

    Returns:
        The result, None while the game goes on.
    """
    time = timeline(played)
    if not time.over:
        return None
    record, position = played.record, played.position
    how = _how(time)
    winners = position.winners if how == "rules" else time.winners
    stand_ins = tuple(seat for seat, each in enumerate(time.seats) if each.stand_in is not None)
    return Result(
        game=game,
        ruleset=record.ruleset.code,
        plays=record.game.name,
        players=players,
        parties=record.table.parties,
        places=() if how in WITHOUT_RESULT else _places(record, winners),
        how=how,
        ending=(position.ending or "") if how == "rules" else "",
        first=played.moments[0].position.to_act or 0,
        turns=sum(not turn.undone for turn in record.turns),
        began=time.terms.started,
        ended=_ended(record, time, how),
        stand_ins=stand_ins,
        bots=_bots(record),
        unplayed=not _is_played(record),
    )


def _how(time: Timeline) -> How:
    """How a game ended that is over."""
    if time.ended is not None:
        return time.ended.how
    return "rules" if time.to_act is None else "resignation"


def _places(record: Record, winners: tuple[Seat, ...]) -> tuple[tuple[Seat, ...], ...]:
    """The seats place by place: the rules name winners and rank nobody else. Where nobody wins, all share one place."""
    others = tuple(seat for seat in range(len(record.seats)) if seat not in winners)
    return tuple(filter(None, (tuple(sorted(winners)), others)))


def _ended(record: Record, time: Timeline, how: How) -> datetime | None:
    """When a game ended, to the minute; None where its record does not say."""
    if time.ended is not None:
        return time.ended.time
    if how == "rules":
        return _taken(note_reader(record.names), record.turns)
    return max((seat.resigned for seat in time.seats if seat.resigned), default=None)


def _taken(reader: NoteReader, turns: tuple[Turn, ...]) -> datetime | None:
    """When the last turn was taken that was not taken back."""
    last = next((turn for turn in reversed(turns) if not turn.undone), None)
    notes = [reader.note(text) for text in last.notes] if last else []
    return max((note.time for note in notes if isinstance(note, At)), default=None)


@cites("club.rating.which")
def _is_played(record: Record) -> bool:
    """Return True if a player took a turn that stands."""
    reader = note_reader(record.names)
    notes = ([reader.note(text) for text in turn.notes] for turn in record.turns if not turn.undone)
    return any(not any(isinstance(note, Passed) for note in each) for each in notes)


@cites("club.rating.which")
def _bots(record: Record) -> tuple[Seat, ...]:
    """The seats that a bot ever played."""
    stood_in = {line.seat for line in stand_ins(record) if line.bot}
    return tuple(sorted(stood_in | set(bot_seats(record))))
