"""One turn in plain sentences: what a player did, and what it caused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import field, frozen

from tkid.games.struggle.mail.endings import nobody_left, result
from tkid.games.struggle.mail.phrases import Phrases, copied, is_exchange
from tkid.games.struggle.mail.turn_examples import of
from tkid.games.struggle.rules.board import UNSTABLE
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import NoSummon, Pass, Play, Reveal, Summon
from tkid.games.struggle.rules.turns.arrivals import Arrival
from tkid.games.struggle.rules.turns.struggles import ResolvedRegion
from tkid.kernel.game import Event
from tkid.mail.voice import SHORT, SUBJECT, Voice, both, fitting, passed, passed_shortly, sentence
from tkid.notation.numbers import number
from tkid.record.format.model import Turn
from tkid.record.format.turn_rows import reader
from tkid.record.play.replay import Moment, Replay

EACH = 2
"""So many power struggles of one turn are told one by one; more are told together."""


@frozen
class Telling:
    """Tells one turn to a reader."""

    game: Struggle
    voice: Voice
    moment: Moment
    turn: Turn
    phrases: Phrases = field(init=False)

    @phrases.default
    def _(self) -> Phrases:
        return Phrases(self.game.board)

    @classmethod
    def of(cls, known: Replay, number: int, reader: int | None) -> Telling | None:
        """The telling of the turn that led to a moment; None for the start."""
        game, _ = of(known)
        moment = known.moments[number]
        return cls(game, Voice(known.record.names, reader), moment, moment.turn) if moment.turn else None

    @property
    def who(self) -> str:
        """Who took the turn, at the start of a sentence."""
        return self.voice.who(self.turn.seat)

    @property
    def struggles(self) -> list[ResolvedRegion]:
        """The power struggles that the turn brought about."""
        return [event.about for event in self.moment.events if isinstance(event.about, ResolvedRegion)]

    @property
    def taken_back(self) -> str:
        """That the turn was taken back, "" where it was not."""
        return f"{self.voice.whose(self.turn.seat)} turn {self.turn.number} was taken back" if self.turn.undone else ""

    @property
    def taken_back_by(self) -> str:
        """Who decided that the turn was taken back."""
        by_host = any(event.rule == "post.undo.host" for event in self.moment.events)
        return "the host decided so" if by_host else "everybody agreed"

    # -- in short -----------------------------------------------------------------------------------------

    def shortly(self) -> Sequence[str]:
        """The turn in one clause, the longest wording first."""
        if self.taken_back or not self.moment.moves:
            return (self.taken_back or f"{self.who} had turn {self.turn.number}",)
        match self.moment.moves[0]:
            case Play(card, resolution):
                return self._played(card, "for" if is_exchange(resolution) else "in", self.phrases.places(resolution))
            case Summon() as move:
                summoned = f"{self.who} summoned {self.phrases.summons(move)}"
                return (*self._with_end(summoned), summoned, f"{self.who} summoned a follower")
            case Reveal(card, faction):
                return (f"{self.who} named {self.phrases.faction(faction)} for {card}", f"{self.who} revealed {card}")
        done = passed_shortly(self.voice, self.turn)
        return (*self._passed(done), done)

    def _played(self, card: str, where: str, places: list[str]) -> Sequence[str]:
        played = f"{self.who} played {self.phrases.card(card)}"
        named = [f"{played} {where} {both(places)}", f"{played} {where} {number(len(places))} regions"]
        return (*self._with_end(played), *(named if places else [f"{played}, without effect"]), played)

    def _with_end(self, done: str) -> list[str]:
        """That an action was the last one, where it was."""
        if self.moment.position.to_act is None:
            return [f"{done}, and the game is over"]
        return [f"{done}, and the last regions were decided"] if self.struggles else []

    def _passed(self, done: str) -> Iterator[str]:
        """What a pass brought about."""
        struggles = self.struggles
        if len(struggles) == 1 and struggles[0].disc == UNSTABLE:
            yield f"{done} and {self.phrases.is_lost(struggles[0].region)}"
        elif len(struggles) == 1:
            yield f"{done}, and {self.phrases.takes(struggles[0])}"
        elif struggles:
            yield f"{done}, and the last regions were decided"

    # -- in full ------------------------------------------------------------------------------------------

    def fully(self) -> Iterator[str]:
        """What the player did and what followed, sentence by sentence."""
        if self.taken_back:
            yield f"{self.taken_back}; {self.taken_back_by}"
            return
        if not self.moment.moves:
            yield self.shortly()[0]
            return
        for move in self.moment.moves:
            yield self._move(move)
        yield from self._followed(self.moment.events)

    def _move(self, move: object) -> str:
        match move:
            case Play(card, _):
                return f"{self.who} played {acted(self.phrases, self.voice, self.turn.seat, move)}"
            case Summon():
                alone = "played no card and " if move is self.moment.moves[0] else ""
                return f"{self.who} {alone}summoned {self.phrases.summons(move)}"
            case NoSummon():
                return f"{self.who} {self._nobody()}"
            case Reveal(card, faction):
                return f"{self.who} named {self.phrases.faction(faction)} for {card}"
        return passed(self.voice, self.turn)

    def _nobody(self) -> str:
        chosen = any(event.rule == self.game.summons.optional for event in self.moment.events)
        return "summoned nobody" if chosen else "found nobody to summon"

    def _followed(self, events: Sequence[Event]) -> Iterator[str]:
        struggles = self.struggles
        if any(event.rule == self.game.ids("ruling.empty-hand") for event in events):
            yield f"{nobody_left(self.game)}, so the last regions were decided"
        if len(struggles) > EACH:
            yield self._together(struggles)
        for event in events:
            if isinstance(event.about, ResolvedRegion) and len(struggles) <= EACH:
                yield self.phrases.struggle(event.about)
            if isinstance(event.about, Arrival) and len(struggles) <= EACH:
                arrival = event.about
                yield f"{self.phrases.follower(arrival.faction)} came to {self.phrases.region(arrival.region)}"
            if self.game.plot and event.line and event.rule == self.game.ids("card.plot"):
                yield self._revealed()

    def _revealed(self) -> str:
        """That the owner of Plot has shown it."""
        hands = self.moment.position.hands
        owner = next(seat for seat, hand in enumerate(hands) if self.game.plot in hand)
        return f"{self.voice.who(owner)} revealed {self.game.plot}"

    def _together(self, struggles: Sequence[ResolvedRegion]) -> str:
        """Several power struggles in one sentence: the regions of each faction, and those that nobody won."""
        by_disc: dict[int, list[str]] = {}
        for struggle in struggles:
            by_disc.setdefault(struggle.disc, []).append(self.phrases.region(struggle.region))
        won = [f"{self.phrases.faction(disc)} took {both(names)}" for disc, names in by_disc.items() if disc >= 0]
        lost = by_disc.get(UNSTABLE, [])
        return "; ".join([*won, *([f"{both(lost)} {self.game.board.terms.fell}"] if lost else [])])


def acted(phrases: Phrases, voice: Voice, seat: int, play: Play) -> str:
    """A card and what is done with it: `Welsh Support: two Welsh into Lancaster`."""
    copy = copied(play.resolution)
    card = f"{play.card}, copying {voice.whose(copy[0])} {copy[1]}" if copy else phrases.card(play.card)
    done = phrases.resolution(play.resolution, f"{voice.whose(seat)} court")
    return f"{card}: {done}" if done else f"{card}, without effect"


def short(known: Replay, number: int, reader: int | None) -> str:
    """A turn as the first sentence of a mail has it."""
    telling = Telling.of(known, number, reader)
    return fitting(SHORT, *map(sentence, telling.shortly())) if telling else ""


def since(known: Replay, number: int, reader: int | None) -> list[str]:
    """A turn with what it caused."""
    telling = Telling.of(known, number, reader)
    if telling is None:
        return []
    told = [sentence(each) for each in telling.fully()]
    over = telling.moment.position.to_act is None and number == len(known.moments) - 1
    return [*told, *([result(known, reader)[1]] if over else [])]


def headline(known: Replay, number: int) -> str:
    """A turn as a subject has it."""
    telling = Telling.of(known, number, None)
    if telling is None:
        return "a new game"
    if telling.moment.position.to_act is None:
        return "the game is over"
    struggles, phrases = telling.struggles, telling.phrases
    if len(struggles) == 1 and not telling.taken_back:
        (struggle,) = struggles
        region = phrases.region(struggle.region)
        out = phrases.is_lost(struggle.region) if struggle.disc == UNSTABLE else phrases.takes(struggle)
        return fitting(SUBJECT, out, f"{region} is decided")
    if struggles:
        return "the last regions are decided"
    if telling.taken_back:
        return f"turn {telling.turn.number} was taken back"
    who = telling.voice.names[telling.turn.seat]
    acts = {Pass: "passed", Summon: "summoned", Reveal: "named a faction"}
    act = acts.get(type(telling.moment.moves[0]) if telling.moment.moves else Pass, "played")
    return fitting(SUBJECT, f"{who} {act}", f"a player {act}")


# -- turns that were not played -----------------------------------------------------------------------------


def turn_in_words(known: Replay, text: str) -> str:
    """A legal turn that was not played yet, told to its player; "" for what is no turn."""
    game, position = of(known)
    moves = reader(game, known.record.names).turn(text).moves
    seat = position.to_act
    if not moves or seat is None:
        return ""
    voice, phrases = Voice(known.record.names, seat), Phrases(game.board, past=False)
    match moves[0]:
        case Play() as play:
            told = [f"You play {acted(phrases, voice, seat, play)}"]
            told += [f"After that you summon {phrases.summons(move)}" for move in moves[1:]]
        case Summon() as move:
            told = [f"You play no card and summon {phrases.summons(move)}"]
        case Reveal(card, faction):
            told = [f"You name {phrases.faction(faction)} for {card}"]
        case _:
            after, events = game.apply(position, moves[0])
            struggles = [event.about for event in events if isinstance(event.about, ResolvedRegion)]
            told = [", and ".join(["You pass", *map(phrases.struggle, struggles[:1])])]
            told += ["That ends the game"] if after.to_act is None or after.decision == "plot" else []
    return " ".join(map(sentence, told))
