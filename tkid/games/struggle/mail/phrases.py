"""Turns to copy, and examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from tkid.games.struggle.notation.orders import PLUGIN as ORDERS
from tkid.games.struggle.rules.board import HIDDEN, Position
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Exchange, Move, NoSummon, Play, Summon, follow_copy
from tkid.games.struggle.voice import list_places
from tkid.kernel.game import fill_names
from tkid.kernel.ladder import Nothing
from tkid.kernel.problems import Problem, Scope
from tkid.notation.text import single_space
from tkid.orders.order_reader import MAX_LOOKED_AT
from tkid.record.format.turn_rows import reader
from tkid.record.play.replay import Replay, append


def is_exchange(resolution: Any) -> bool:
    return isinstance(follow_copy(resolution), Exchange)


DECISIONS_SHOWN = 3
LONGEST_CARD = 3
MAX_WAYS_SHOWN = 4
"""Maximum number of ways to play a card for which all of them are shown."""


def get_struggle_and_position(replay: Replay) -> tuple[Struggle, Position]:
    game, position = replay.record.game, replay.position
    assert isinstance(game, Struggle)
    assert isinstance(position, Position)
    return game, position


def list_offered_turns(replay: Replay) -> tuple[list[str], list[str]]:
    """List a pass and a turn for each card, or some of other decisions; and the cards whose every way is in the list."""
    game, position = get_struggle_and_position(replay)
    if position.to_act is None:
        return [], []
    if position.decision != "play":
        moves = game.legal(position)
        return [game.words.write_move(move) for move in islice(moves, DECISIONS_SHOWN)], []
    turns, few = [game.words.write_move(PASS)], []
    for card in game.list_held(position, position.to_act):
        options = game.list_options(position, card)
        if 0 < len(options) <= MAX_WAYS_SHOWN:
            few.append(card)
            turns += [build_whole_turn(replay, Play(card, option)) for option in options]
        elif options:
            turns.append(_find_middle_turn(replay, card, options))
    return [*turns, *list_lone_summons(replay)], few


def list_lone_summons(replay: Replay) -> list[str]:
    """List a legal turn that summons without playing a card, if the ruleset has such turns."""
    game, position = get_struggle_and_position(replay)
    summons = game.summons.list_without_action(position)
    return [_write_moves(replay, (summons[len(summons) // 2],))] if summons else []


def list_example_ways(replay: Replay, card: str, most: int) -> list[str]:
    """List a legal turn for each way to play a card; if more than `most`, one more than that, spread over all."""
    game, position = get_struggle_and_position(replay)
    options, shown = game.list_options(position, card), most + 1
    spread = [options[index * len(options) // shown] for index in range(shown)] if len(options) > shown else options
    return [build_whole_turn(replay, Play(card, option)) for option in spread]


def find_example_turn(replay: Replay, card: str) -> str:
    """Return a legal turn with a card; "" if it cannot be played."""
    game, position = get_struggle_and_position(replay)
    return _find_middle_turn(replay, card, game.list_options(position, card))


def _find_middle_turn(replay: Replay, card: str, options: Sequence[Any]) -> str:
    return build_whole_turn(replay, Play(card, options[len(options) // 2])) if options else ""


def build_whole_turn(replay: Replay, action: Move, wanted: Move | None = None) -> str:
    """Return a legal action with a legal summons: the wanted one if it is legal."""
    game, position = get_struggle_and_position(replay)
    after, _ = game.apply(position, action)
    if after.decision != "summon":
        return _write_moves(replay, (action,))
    options = game.legal(after)
    summons = wanted if wanted is not None and wanted in options else options[len(options) // 2]
    return _write_moves(replay, (action, summons))


def _write_moves(replay: Replay, moves: tuple[Move, ...]) -> str:
    return fill_names(replay.record.game.words.turn(moves), replay.record.names)


def find_repaired_turns(replay: Replay, typed: str, problem: Problem) -> list[str]:
    """Return whole legal turns with the fixes of a problem, each tried out; none if it has no fixes."""
    return list(
        dict.fromkeys((*_iter_repaired_turns(replay, typed, problem), *_iter_renamed_turns(replay, typed, problem)))
    )


def _iter_repaired_turns(replay: Replay, typed: str, problem: Problem) -> Iterator[str]:
    game, position = get_struggle_and_position(replay)
    read_turn = reader(game, replay.record.names).turn
    first, *others = [decision.move for decision in read_turn(typed).decisions]
    for text in problem.proposed(Scope.DECISION, Scope.LINE, Scope.END):
        read = read_turn(text)
        if len(read.moves) != 1:
            continue
        move = game.canonical(position, read.moves[0])
        if not isinstance(move, Summon | NoSummon):
            if not game.check(position, move):
                yield build_whole_turn(replay, move, others[0] if others else None)
        elif isinstance(first, Play) and not game.check(position, game.canonical(position, first)):
            action = game.canonical(position, first)
            if move in game.legal(game.play(position, action)[0]):
                yield _write_moves(replay, (action, move))
        elif not game.check(position, move):
            yield game.words.write_move(move)


def _iter_renamed_turns(replay: Replay, typed: str, problem: Problem) -> Iterator[str]:
    for text in problem.mended(typed):
        tried = append(replay, text)
        if not tried.problems:
            yield _write_moves(replay, tried.last.moves)
        for further in tried.problems:
            yield from _iter_repaired_turns(replay, text, further)


def find_named_card(game: Struggle, position: Position, typed: str) -> str:
    """Return the card in hand that a wrong turn begins with; "" if that isn't clear."""
    words = single_space(typed[:MAX_LOOKED_AT]).split()
    for count in range(min(LONGEST_CARD, len(words)), 0, -1):
        card = reader(game).cards.find(" ".join(words[:count]).rstrip(",.:;!"))
        if isinstance(card, str) and position.to_act is not None and card in position.hands[position.to_act]:
            return card
    return ""


MOST = 3
MAX_WAYS_COMPARED = 12
"""Maximum number of ways to play a card compared to find an instructive one."""


def list_sample_turns(known: Replay) -> list[str]:
    """List up to three turns of cards of different forms in the order of the hand, the plain ones first."""
    game, position = get_struggle_and_position(known)
    if position.to_act is None or HIDDEN in position.hands[position.to_act]:
        return []
    if position.decision != "play":
        names = known.record.names
        return [fill_names(game.words.write_move(move), names) for move in list(game.legal(position))[:MOST]]
    shown, vain = dict[str, Play](), dict[str, Play]()
    for card in game.list_held(position, position.to_act):
        form = game.cards[card].form
        if form not in shown and len(shown) < MOST and (options := game.list_options(position, card)):
            play = Play(card, _choose_instructive_way(game, options))
            (vain if isinstance(follow_copy(play.resolution), Nothing) else shown).setdefault(form, play)
    plays = [*shown.values(), *(play for form, play in vain.items() if form not in shown)]
    return [*(build_whole_turn(known, play) for play in plays), *list_lone_summons(known)][:MOST]


def _choose_instructive_way(game: Struggle, options: Sequence[Any]) -> Any:
    """Return the way to play a card that touches most regions, out of some spread over all."""
    count = len(options)
    middle = [
        options[(count // 2 + step * count // MAX_WAYS_COMPARED) % count]
        for step in range(min(MAX_WAYS_COMPARED, count))
    ]
    return max(middle, key=lambda option: len(list_places(game.board, option)))


def list_struggle_aims(known: Replay, _: int) -> tuple[tuple[str, str], ...]:
    game = get_struggle_and_position(known)[0]
    card, turn = next(iter(game.cards)), _find_card_turn(known)
    return (
        ("Pass your turn", "Pass"),
        *([("Play a card", turn)] if turn else []),
        ("Only check a turn", "draft Pass"),
        ("See what you can play", f"legal, or legal {card}"),
        ("Pass for a while", ORDERS(game).examples.partition(",")[0].strip("`")),
        ("Make a plan", "if anyone passes: Pass; else stop"),
    )


def _find_card_turn(known: Replay) -> str:
    played = (moment for moment in reversed(known.moments) if moment.moves and isinstance(moment.moves[0], Play))
    game, names = get_struggle_and_position(known)[0], known.record.names
    last = (fill_names(game.words.turn(moment.moves), names) for moment in played)
    return min(list_sample_turns(known), key=len, default="") or next(last, "")


def explain_struggle_letters(known: Replay) -> str:
    factions = get_struggle_and_position(known)[0].board.factions
    letters = ", ".join(
        f"{each.letter}{' is' if index == 0 else ''} {each.name}" for index, each in enumerate(factions)
    )
    first = factions[0]
    return f"{letters}; {first.letter * 2} is two {first.people}. Names may be shortened."
