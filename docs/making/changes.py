"""What the cases of the conformance suite show: one move each, the position before it and after it, and what followed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from attrs import frozen

from docs.making.drawn import NAMES
from docs.making.examples import asked_move, by_number, citing, situation, written
from tkid.games.struggle.rules.board import replace_item
from tkid.games.struggle.rules.moves import Play
from tkid.kernel.game import NOBODY, Event, Result, fill_names
from tkid.kernel.problems import Violation
from tkid.record.json.conformance import Case
from tkid.record.json.positions import find_game_json
from tkid.rulebook import Rule

ALLOWED = "Allowed."
ONE_OF = "One of {} ways."


@frozen
class Change:
    """A move of a case: before, after (the same where it is not allowed), who makes it, and what followed or is wrong.

    Where a case asks how a game ended, there is no move, and the events are the comparisons. `lead` says what the case asks about it, "" for a move that the case only plays.
    """

    number: str
    game: Any
    before: Any
    after: Any
    seat: int
    write_move: Any
    events: tuple[Event, ...] = ()
    broken: tuple[Violation, ...] = ()
    lead: str = ""

    @property
    def rules(self) -> frozenset[str]:
        """The rules by which it comes out so."""
        return frozenset([event.rule for event in self.events] + [violation.rule for violation in self.broken])

    @property
    def turn(self) -> str:
        """Who does what, in notation."""
        return f"{NAMES[self.seat]}: {written(self.game, self.write_move)}"

    @property
    def text(self) -> str:
        """What happens, in sentences; or what somebody tries that is not allowed."""
        if self.broken:
            return f"{self.turn}."
        happened = " ".join(f"{event.read(NAMES)}." for event in self.events)
        return " ".join(filter(None, (self.lead, happened)))

    @property
    def reasons(self) -> str:
        """Why it is not allowed, in sentences; "" if it is."""
        return " ".join(f"{fill_names(violation.sentence, NAMES)}." for violation in self.broken)


@cache
def changes(number: str) -> tuple[Change, ...]:
    """The moves that a case plays, and then the one that it asks about."""
    setting, case = situation(number), by_number()[number]
    if setting is None:
        return ()
    game, now, found = setting.game, setting.start, []
    questions = find_game_json(game.name)
    for value in case.question.get("moves", []):
        move = game.canonical(now, questions.read_move(game, now, value))
        found.append(_played(number, game, now, move))
        now = found[-1].after
    return (*found, *_asked(case, game, now))


def _played(number: str, game: Any, before: Any, move: Any, lead: str = "") -> Change:
    after, events = game.play(before, move)
    return Change(number, game, before, after, before.to_act, move, events, (), lead)


def with_card(game: Any, position: Any, move: Play) -> Change:
    """A card that the next player plays, whether or not it is in the hand that the position names."""
    return _played("", game, _holding(position, move.card), move)


def _asked(case: Case, game: Any, position: Any) -> Iterator[Change]:
    """The move that a case asks about: whether it is legal, or the first of those that are; or how a game ended."""
    ask = case.question["ask"]
    if ask == "result" and (result := game.result(position)):
        steps = tuple(Event(step.rule, step.text) for step in result.chain)
        yield Change(case.number, game, position, position, 0, None, steps, (), _won(result))
    if position.to_act is None:
        return
    match ask:
        case "legal":
            move = asked_move(case)
            if move is None or (isinstance(move, Play) and move.card in game.absent):
                return
            broken = tuple(game.check(position, move))
            if broken:
                yield Change(case.number, game, position, position, position.to_act, move, (), broken)
            else:
                yield _played(case.number, game, position, move, ALLOWED)
        case "resolutions":
            ways = game.list_options(position, case.question["card"])
            if ways:
                card = case.question["card"]
                move = game.canonical(position, Play(card, ways[0]))
                yield _played(case.number, game, _holding(position, card), move, _one_of(len(ways)))
        case "summons" if position.decision == "summon":
            moves = game.legal(position)
            yield _played(case.number, game, position, game.canonical(position, moves[0]), _one_of(len(moves)))


def _holding(position: Any, card: str) -> Any:
    """The position with a card in the hand of the next player: a case may ask what a card could do there."""
    seat = position.to_act
    hand = position.hands[seat]
    return position if card in hand else position.replace(hands=replace_item(position.hands, seat, (*hand, card)))


def _won(result: Result) -> str:
    """How a game ended, in a sentence."""
    winners = " and ".join(NAMES[seat] for seat in result.winners) or NOBODY
    return f"{result.ending.capitalize()}: {winners} {'win' if len(result.winners) > 1 else 'wins'}."


def _one_of(count: int) -> str:
    return ONE_OF.format(count) if count > 1 else ""


def showing(entry: Rule) -> Iterator[Change]:
    """The moves that show a rule, the best first.

    These are the moves of its example; those that come out as they do by this rule; and then what cases that are about
    this rule before any other ask, where it is allowed, or where a ruling is the reason that it is not.
    """
    if entry.example:
        several = changes(entry.example)[::-1]
        yield from sorted(several, key=lambda change: entry.id not in change.rules)
    rest = []
    for case in citing(entry.id):
        several = changes(case.number)
        yield from (change for change in several if entry.id in change.rules)
        if next(iter(case.rules)) == entry.id:
            rest += [change for change in several[-1:] if entry.kind == "ruling" or not change.broken]
    yield from sorted(rest, key=lambda change: not change.broken)
