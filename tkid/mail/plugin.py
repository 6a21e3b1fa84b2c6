"""The interface that every game implements for mail, and the wording and judging that games share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, final

from attrs import evolve, field, frozen

from tkid.kernel.game import HIDDEN, AnyGame, Result, fill_names
from tkid.kernel.plugins import find_plugin
from tkid.kernel.problems import Problem, Scope
from tkid.notation.plugin import WrongError, find_turn_reader
from tkid.notation.text import spell_number
from tkid.notation.voice import Voice, choose_fitting, make_sentence
from tkid.orders.forms import MAX_LOOKED_AT
from tkid.record.clock import CLOCK, DEFAULT, Clock, Terms, read_clock, write_clock
from tkid.record.clock_notes import BY_RESIGNATION, NOTHING_TO_PLAY, OUT_OF_TIME, Passed
from tkid.record.format.model import Header, Record, Turn
from tkid.record.format.plugin import find_record_plugin
from tkid.record.play.replay import Moment, Replay, append, explain_end, find_early_end, list_end_reasons
from tkid.rulebook import cites


@frozen
class Judged:
    """The judgement of a condition: whether it is met, whether it still may be, the reason in words, and the rule."""

    met: bool
    reason: str
    rule: str
    possible: bool = True


@frozen
class Chosen:
    """The turn of a standing order now, "" for nothing; the reason in words, and the rule."""

    text: str
    reason: str
    rule: str


@frozen
class PlanJudge:
    """Judges conditions and standing orders for a seat by what it knows of a game; a game without them needs no own judge."""

    known: Replay
    seat: int
    turns: tuple[Moment, ...] = field(init=False)
    """The turns since the seat's last own turn, that turn first; all turns where it had none yet."""

    @turns.default
    def _(self) -> tuple[Moment, ...]:
        every = list_standing_turns(self.known)
        own = [index for index, moment in enumerate(every) if moment.turn and moment.turn.seat == self.seat]
        return every[own[-1] if own else 0 :]

    @property
    def since(self) -> str:
        """The time that a condition looks at, in words."""
        had = self.turns and self.turns[0].turn and self.turns[0].turn.seat == self.seat
        return "since your last turn" if had else "so far"

    def judge_one(self, condition: Any) -> Judged:
        raise NotImplementedError

    def judge_end(self, order: Any, since: int) -> Judged:
        """Return whether a standing order has come to its end; `since` is the first turn that counts."""
        raise NotImplementedError

    def explain_pointless(self, order: Any, since: int) -> Problem | None:
        """Explain why a standing order that is given now has nothing to wait for."""
        return None

    def is_replacing(self, order: Any, older: Any) -> bool:
        """Return True if a standing order takes the place of an older one."""
        return False

    def is_lasting(self, order: Any) -> bool:
        """Return True if a standing order still holds when its owner sends a turn."""
        return True

    def choose_turn(self, order: Any, lasts: Judged) -> Chosen:
        """Return the turn of a standing order now; `lasts` is the result of `judge_end`."""
        raise NotImplementedError


def list_standing_turns(known: Replay) -> tuple[Moment, ...]:
    """Return the turns of a game but for those that were taken back."""
    return tuple(moment for moment in known.moments if moment.turn and not moment.turn.undone)


@frozen
class TurnTelling:
    """Tells a reader about one turn that stands: methods with a body tell it as it is written, with the events after the move."""

    voice: Voice
    moment: Moment
    turn: Turn
    game: Any
    before: Any
    """The position before the turn."""

    tells_end: ClassVar[bool] = True
    """Whether the sentences tell how the game ended."""

    def list_short_wordings(self) -> Sequence[str]:
        """Return wordings of the turn in one clause, the fullest first."""
        if not self.moment.moves:
            return (f"{self.who} had turn {self.turn.number}",)
        return (f"{self.who} played {fill_names(self.game.words.write_turn(self.moment.moves), self.voice.names)}",)

    def iter_sentences(self) -> Iterator[str]:
        """Yield the turn and its effects in words, without full stops."""
        yield self.list_short_wordings()[0]
        for event in self.moment.events[1:]:
            yield event.seen(self.voice.reader).read(self.voice.names)

    def list_headlines(self) -> Sequence[str]:
        """Return wordings for a subject, the fullest first."""
        return (self.list_short_wordings()[0][:SUBJECT],)

    @property
    def who(self) -> str:
        return self.voice.name_player(self.turn.seat)

    @property
    def taken_back(self) -> str:
        """A clause that the turn was taken back, for one that was."""
        return f"{self.voice.name_owner(self.turn.seat)} turn {self.turn.number} was taken back"


class MailPlugin:
    """The wording of a game in letters, and the turns that it plays without asking anybody.

    What has a body tells a turn as it is written, with the events behind the first, which is the move itself, and suits
    a game in which nobody passes.
    """

    title: str
    learn: str = "editions/"
    passing: str = ""
    helps: Mapping[str, str] = MappingProxyType({"standing": "", "why": "explains the result"})
    turn: str = "a turn as shown under YOUR ANSWER"
    news: str = "when the game ends"
    history: str = "The turns so far:"
    no_history: str = "No turn has been played yet."
    telling: type[TurnTelling] = TurnTelling
    """Tells turns whose moves are known."""

    def find_pass(self, known: Replay, /) -> str:
        """Return the turn that passes, "" if the next turn can't be passed."""
        return self.passing if find_record_plugin(known.record.game).is_passable(known.position) else ""

    def find_forced_turn(self, game: Any, position: Any, /) -> tuple[str, Passed] | None:
        """Return the turn of the seat to act if it has nothing to decide, and the reason; None if the player is asked."""
        return None

    def make_plan_judge(self, known: Replay, seat: int, /) -> PlanJudge:
        return PlanJudge(known, seat)

    def list_playable(self, known: Replay, seat: int, card: str, /) -> tuple[str, list[str]]:
        """Describe the turns that may be played now, with a card or "" for all, and list them."""
        turns = list(map(known.record.game.words.write_move, known.record.game.legal(known.position)))
        return "You may play these turns now:", [turn for turn in turns if turn.startswith(card)]

    def find_repairs(self, known: Replay, typed: str, problem: Problem, /) -> list[str]:
        """Return whole legal turns with the fixes of a problem; none if it has no fixes."""
        turns = [*self.list_repaired(known, typed, problem)]
        for text in problem.apply_fixes(typed):
            tried = append(known, text)
            if not tried.problems:
                turns.append(fill_names(known.record.game.words.write_turn(tried.last.moves), known.record.names))
            for further in tried.problems:
                turns += self.list_repaired(known, text, further)
        return list(dict.fromkeys(turns))

    def list_repaired(self, known: Replay, typed: str, problem: Problem, /) -> Iterable[str]:
        """List whole legal turns with the fixes of a problem for more than its place."""
        return problem.list_fixes(Scope.DECISION)

    def find_similar(self, known: Replay, typed: str, /) -> tuple[str, str]:
        """Return the card that a wrong turn names, and a legal turn with it; "" if that is not clear."""
        cards = find_turn_reader(known.record.game).cards
        for word in WORD.findall(typed[:MAX_LOOKED_AT]):
            card = cards.find(word)
            if isinstance(card, str):
                return card, next(iter(self.list_playable(known, known.position.to_act or 0, card)[1]), "")
        return "", ""

    def list_samples(self, known: Replay, /) -> list[str]:
        """Return up to three whole legal turns of the next player, different in kind, plain first; none if cards are hidden."""
        seat = known.position.to_act
        if seat is None or HIDDEN in known.position.hands[seat]:
            return []
        game = known.record.game
        by_card = {move.card: game.words.write_move(move) for move in game.legal(known.position)}
        return list(by_card.values())[:MAX_SAMPLES]

    def list_aims(self, known: Replay, seat: int, /) -> tuple[tuple[str, str], ...]:
        """Return the aims of a player in this game, such as `Pass your turn`, and the lines that reach them."""
        return tuple(("Play a turn", turn) for turn in self.list_samples(known)[:1])

    def explain_shorthand(self, known: Replay, /) -> str:
        """Explain how turns are shortened, in a sentence or two."""
        return "You may shorten names."

    # `known` is the game as the reader may know it, `reader` the reader's seat (None: somebody who watches), `number` the
    # index of a moment of it. The start has no turn, so moment 0 has no text.

    def make_telling(self, known: Replay, number: int, reader: int | None, /) -> TurnTelling | None:
        """Return the telling of the turn before a moment, for a reader; None for the first moment."""
        moment, voice = known.moments[number], Voice(known.record.names, reader, past=True)
        if moment.turn is None:
            return None
        make = self.telling if moment.moves else TurnTelling
        return make(voice, moment, moment.turn, known.record.game, known.moments[number - 1].position)

    def shorten_turn(self, known: Replay, number: int, reader: int | None, /) -> str:
        """Summarize a turn for the first sentence of a mail, such as `Bob played Welsh Support in Lancaster.`.

        Never an order or a secret; at most about 60 columns with names of usual length.
        """
        telling = self.make_telling(known, number, reader)
        if telling is None:
            return ""
        wordings = (telling.taken_back,) if telling.turn.undone else telling.list_short_wordings()
        return choose_fitting(MAX_SHORT_NEWS, *map(make_sentence, wordings))

    def tell_since(self, known: Replay, number: int, reader: int | None, /) -> list[str]:
        """Return the sentences about a turn and its consequences."""
        telling = self.make_telling(known, number, reader)
        if telling and telling.turn.undone:
            by_host = any(event.rule == "post.undo.host" for event in telling.moment.events)
            told = [make_sentence(f"{telling.taken_back}; {'the host decided so' if by_host else 'everybody agreed'}")]
        else:
            told = [make_sentence(each) for each in telling.iter_sentences()] if telling else []
        over = known.moments[number].position.to_act is None and number == len(known.moments) - 1
        ends = over and telling is not None and not telling.tells_end
        return [*told, *([self.describe_result(known, reader)[1]] if ends else [])]

    def write_headline(self, known: Replay, number: int, /) -> str:
        """Return a turn for a subject, in at most 30 characters: `Lancaster became unstable`, `Bob played`."""
        telling = self.make_telling(known, number, None)
        if telling is None or telling.moment.position.to_act is None:
            return "a new game" if telling is None else "the game is over"
        undone = f"turn {telling.turn.number} was taken back" if telling.turn.undone else ""
        return undone or choose_fitting(SUBJECT, *telling.list_headlines())

    def tell_turn(self, known: Replay, text: str, /) -> str:
        """Tell the next player in words what a canonical legal turn would do; "" for any other text."""
        return ""

    def describe_outlook(self, known: Replay, seat: int, /) -> str:
        """Describe to a seat the consequences of a pass now, in a sentence or two; "" without a pass. Never advice."""
        return ""

    def list_facts(self, known: Replay, seat: int | None, /) -> tuple[tuple[str, str], ...]:
        """Return each player's possessions, as far as the seat may know them: `You`, and `court 2S 4W 1E   cards: Assemble`."""
        names = ["You" if each == seat else name for each, name in enumerate(known.record.names)]
        hands = (f"in hand: {', '.join(hand) or 'no card'}" for hand in known.position.hands)
        return tuple(zip(names, hands, strict=True))

    @final
    def describe_result(self, known: Replay, seat: int | None, /) -> tuple[str, str]:
        """Name the winners, for a subject (`you won`), and the reason in a sentence of at most 78 columns; "" before the end."""
        result = known.record.game.result(known.position)
        if result is None:
            return describe_early_result(known, seat)
        short, *told = self.list_result_wordings(known, result, Voice(known.record.names, seat, past=True))
        return short, choose_fitting(LINE, *map(make_sentence, told))

    @final
    def describe_decision(self, known: Replay, seat: int | None, /) -> list[str]:
        """Explain how a finished game was decided, in at most three sentences; [] before the end."""
        result = known.record.game.result(known.position)
        if result is None:
            return explain_early_end(known, seat)
        return [make_sentence(each) for each in self.list_reasons(known, result, Voice(known.record.names, seat))]

    def list_result_wordings(self, known: Replay, result: Result, voice: Voice, /) -> Sequence[str]:
        """Word who won by the rules, for a subject; then with the reason, the longest wording first."""
        won = say_won(voice, result.winners) if result.winners else "a draw"
        return won, f"{won}: {fill_names(result.chain[-1].text, voice.names)}"

    def list_reasons(self, known: Replay, result: Result, voice: Voice, /) -> Sequence[str]:
        """List what decided a game by the rules, in at most three sentences."""
        return [fill_names(step.text, voice.names) for step in result.chain[-3:]]


def find_mail_plugin(game: AnyGame) -> MailPlugin:
    return find_plugin(game.name, "mail", MailPlugin)


@cites("post.clock.no-pass")
def adapt_terms(clock: Clock, game: AnyGame) -> Clock:
    """Return the terms as they hold in a game. If passing is impossible, the first miss has the last one's consequence."""
    return clock if find_mail_plugin(game).passing else evolve(clock, misses=1)


NO_CLOCK = "none"


def read_terms(typed: str, game: AnyGame) -> Clock | None:
    """Return the terms of a clock as they hold in a game: the usual ones for "", None for `none`. Raises WrongError."""
    if typed == NO_CLOCK:
        return None
    reading = read_clock(typed) if typed else Terms(DEFAULT)
    if reading.clock is None:
        raise WrongError(*reading.problems)
    return adapt_terms(reading.clock, game)


def with_clock(record: Record, typed: str) -> Record:
    """Return a record with a clock of these terms, if it gets one. Raises WrongError."""
    terms = read_terms(typed, record.game)
    return evolve(record, headers=(*record.headers, Header(CLOCK, write_clock(terms)))) if terms else record


WORD = re.compile(r"[^\W\d_]\w*")
ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
MAX_SHORT_NEWS = 60
"""The room for what happened in the first sentence of a mail; the next player and the deadline follow in the line."""
MAX_SAMPLES = 3
"""Maximum number of turns that a letter offers as they are."""
SUBJECT = 30
"""The room for what happened in a subject, behind the names of game and turn."""
LINE = 78
"""The columns of a line."""


def say_won(voice: Voice, seats: Sequence[int]) -> str:
    """Say that some players have won, for a subject: `you won`, `Ann won`; without names if they are long."""
    alone = f"{voice.name_player(seats[0])} won" if len(seats) == 1 else ""
    several = "you won, with others" if voice.reader in seats else f"{spell_number(len(seats))} players won"
    return choose_fitting(SUBJECT, f"{voice.name_all(seats)} won", alone or several)


def say_passed(voice: Voice, turn: Turn, *, shortly: bool = False) -> str:
    """Say that a player passed, with the reason if nobody chose to: without a stop, to continue with `and`."""
    who = voice.name_player(turn.seat)
    gone = f"who {'have' if voice.reader == turn.seat else 'has'} resigned"
    wordings: dict[str, tuple[str, str]] = {
        OUT_OF_TIME.why: (f"the host passed for {who}", f"the host passed for {who}, because time ran out"),
        NOTHING_TO_PLAY.why: (f"{who} passed", f"{who} passed, with no card left"),
        BY_RESIGNATION.why: (f"the host passed for {who}", f"the host passed for {who}, {gone}"),
    }
    why = next((note for note in turn.notes if note in wordings), "")
    return wordings.get(why, (f"{who} passed",) * 2)[not shortly]


ENDS_IN_SUBJECT = {"draw": "draw agreed", "abandoned": "abandoned", "aborted": "aborted by the host"}
"""Results of games that nobody won alone, for a subject."""


def describe_early_result(known: Replay, seat: int | None) -> tuple[str, str]:
    """Describe how a game ended early, for a subject and as a sentence; "" if it did not."""
    end = find_early_end(known)
    if end is None:
        return "", ""
    voice = Voice(known.record.names, seat)
    if end.how != "resigned":
        return ENDS_IN_SUBJECT[end.how], make_sentence(f"The game is over: {explain_end(end, voice)}")
    short, won = say_won(voice, end.winners), f"{voice.name_all(end.winners)} won"
    wordings = (f"{won}: {explain_end(end, voice)}", won, short)
    return short, choose_fitting(LINE, *map(make_sentence, wordings))


def explain_early_end(known: Replay, seat: int | None) -> list[str]:
    """Return the reasons for such an end, in sentences; [] if the game did not end so."""
    end = find_early_end(known)
    if end is None:
        return []
    reasons = list_end_reasons(end, Voice(known.record.names, seat))
    return [text for text, rule in reasons if rule or not end.winners]
