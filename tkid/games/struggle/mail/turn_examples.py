"""Turns to copy: one legal example for each card, and whole legal turns in place of a wrong one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Move, NoSummon, Play, Summon
from tkid.games.struggle.rules.position import Position
from tkid.kernel.game import with_names
from tkid.kernel.problems import Problem, Scope
from tkid.notation.text import single_spaced
from tkid.orders.thresholds import LONGEST_LOOK
from tkid.record.format.turn_rows import reader
from tkid.record.play.replay import Replay, append

DECISIONS_SHOWN = 3
LONGEST_CARD = 3
FEW = 4
"""So many ways to play a card are all shown."""


def of(replay: Replay) -> tuple[Struggle, Position]:
    """The game and the position of a replay."""
    game, position = replay.record.game, replay.position
    assert isinstance(game, Struggle)
    assert isinstance(position, Position)
    return game, position


def offered(replay: Replay) -> tuple[list[str], list[str]]:
    """Turns that are legal now, and the cards of which all ways to play them are among these, as there are few.

    They are a pass and one for each card in hand, or some of the decisions where another is due.
    """
    game, position = of(replay)
    if position.to_act is None:
        return [], []
    if position.decision != "play":
        moves = game.legal(position)
        return [game.words.move(move) for move in islice(moves, DECISIONS_SHOWN)], []
    turns, few = [game.words.move(PASS)], []
    for card in game.held(position, position.to_act):
        options = game.options(position, card)
        if 0 < len(options) <= FEW:
            few.append(card)
            turns += [whole(replay, Play(card, option)) for option in options]
        elif options:
            turns.append(_middle(replay, card, options))
    return [*turns, *alone(replay)], few


def alone(replay: Replay) -> list[str]:
    """A legal turn without a card in which a follower is summoned; none where the ruleset has no such turn."""
    game, position = of(replay)
    summons = game.summons.without_action(position)
    return [_text(replay, (summons[len(summons) // 2],))] if summons else []


def ways(replay: Replay, card: str, most: int) -> list[str]:
    """Legal turns with a card, one for each way to play it; of more than `most` one more, spread over all."""
    game, position = of(replay)
    options, shown = game.options(position, card), most + 1
    spread = [options[index * len(options) // shown] for index in range(shown)] if len(options) > shown else options
    return [whole(replay, Play(card, option)) for option in spread]


def example(replay: Replay, card: str) -> str:
    """A legal turn with a card; "" for one that cannot be played."""
    game, position = of(replay)
    return _middle(replay, card, game.options(position, card))


def _middle(replay: Replay, card: str, options: Sequence[Any]) -> str:
    return whole(replay, Play(card, options[len(options) // 2])) if options else ""


def whole(replay: Replay, action: Move, wanted: Move | None = None) -> str:
    """A legal action with a legal summons: the wanted one where it is legal."""
    game, position = of(replay)
    after, _ = game.apply(position, action)
    if after.decision != "summon":
        return _text(replay, (action,))
    options = game.legal(after)
    summons = wanted if wanted is not None and wanted in options else options[len(options) // 2]
    return _text(replay, (action, summons))


def _text(replay: Replay, moves: tuple[Move, ...]) -> str:
    return with_names(replay.record.game.words.turn(moves), replay.record.names)


def repairs(replay: Replay, typed: str, problem: Problem) -> list[str]:
    """Whole legal turns with the fixes of a problem, each tried out; none where it has no fixes."""
    return list(dict.fromkeys((*_decided(replay, typed, problem), *_renamed(replay, typed, problem))))


def _decided(replay: Replay, typed: str, problem: Problem) -> Iterator[str]:
    """The legal turns with the decisions that a problem proposes."""
    game, position = of(replay)
    read_turn = reader(game, replay.record.names).turn
    first, *others = [decision.move for decision in read_turn(typed).decisions]
    for text in problem.proposed(Scope.DECISION, Scope.LINE, Scope.END):
        read = read_turn(text)
        if len(read.moves) != 1:
            continue
        move = game.canonical(position, read.moves[0])
        if not isinstance(move, Summon | NoSummon):
            if not game.check(position, move):
                yield whole(replay, move, others[0] if others else None)
        elif isinstance(first, Play) and not game.check(position, game.canonical(position, first)):
            action = game.canonical(position, first)
            if move in game.legal(game.play(position, action)[0]):
                yield _text(replay, (action, move))
        elif not game.check(position, move):
            yield game.words.move(move)


def _renamed(replay: Replay, typed: str, problem: Problem) -> Iterator[str]:
    """The turns with a wrong name put right, where a problem proposes some, and legal ones like them."""
    for text in problem.mended(typed):
        tried = append(replay, text)
        if not tried.problems:
            yield _text(replay, tried.last.moves)
        for further in tried.problems:
            yield from _decided(replay, text, further)


def card_named(game: Struggle, position: Position, typed: str) -> str:
    """The card in hand that a wrong turn begins with, "" where that is not clear."""
    words = single_spaced(typed[:LONGEST_LOOK]).split()
    for count in range(min(LONGEST_CARD, len(words)), 0, -1):
        card = reader(game).cards.find(" ".join(words[:count]).rstrip(",.:;!"))
        if isinstance(card, str) and position.to_act is not None and card in position.hands[position.to_act]:
            return card
    return ""
