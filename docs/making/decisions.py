"""The turns of recorded games in which a rule decided something.

What that means depends on the rule. A comparison decided if it left the winners. A lesser step of a card decided if
nothing more was possible, and a ban on undoing if a swap was barred by it. A ruling decided if another reading changes
turns or the result. A procedure decided whenever it happened: games in which it happened seldom come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from attrs import frozen

from docs.making.games import Played, games
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Play
from tkid.kernel.game import Result, fill_names
from tkid.kernel.ladder import Ladder
from tkid.record.play.replay import Moment, Replay
from tkid.record.play.validation import find_impact
from tkid.rulebook import rule


@frozen
class Decision:
    """A turn of a recorded game in which a rule decided something: the file, the turn, its line, and what it decided."""

    path: str
    turn: int
    line: int
    what: str


Found = tuple[str, Decision]
"""The id of a rule, and a decision of it."""


@cache
def decisions() -> Mapping[str, tuple[Decision, ...]]:
    """The decisions of each rule by id: one for each game, the clearest first."""
    found: dict[str, dict[str, Decision]] = {}
    happened: dict[str, list[tuple[int, Decision]]] = {}
    for played in games():
        for rule_id, decision in (*_by_comparison(played), *_by_step(played), *_by_ban(played), *_by_reading(played)):
            found.setdefault(rule_id, {}).setdefault(played.path, decision)
        for rule_id, several in _by_event(played).items():
            happened.setdefault(rule_id, []).append((len(several), several[0]))
    for rule_id, counted in happened.items():
        if rule_id not in found:
            rarest = sorted(counted, key=lambda each: each[0])
            found[rule_id] = {decision.path: decision for _, decision in rarest}
    return {rule_id: tuple(by_path.values()) for rule_id, by_path in found.items()}


def _turns(played: Played) -> Iterator[tuple[Moment, Moment]]:
    """The moments before and after each turn."""
    return (pair for pair in zip(played.moments, played.moments[1:], strict=False) if pair[1].turn is not None)


def _decision(played: Played, moment: Moment, what: str) -> Decision:
    assert moment.turn is not None
    return Decision(played.path, moment.turn.number, moment.turn.line, fill_names(what, played.record.names))


def _by_comparison(played: Played) -> Iterator[Found]:
    """The last comparison of a finished game, and those that ranked factions of equal power."""
    last = played.moments[-1]
    if last.turn is None or last.position.ending is None:
        return
    game = played.record.game
    result: Result | None = game.result(last.position)
    if result is None or not result.chain:
        return
    ranking = {game.coronation.by_last, game.invasion.by_last} if isinstance(game, Struggle) else set()
    for step in (result.chain[-1], *(step for step in result.chain if step.rule in ranking)):
        yield step.rule, _decision(played, last, step.text)


def _by_step(played: Played) -> Iterator[Found]:
    """Cards that could not be carried out in full: the rules of the lesser step, and the one that asks for so much."""
    for game, before, after, play in _plays(played):
        ladder = game.cards[play.card].ladder
        if not isinstance(ladder, Ladder):
            continue
        number, _ = ladder.find_tier(before)
        if not number:
            continue
        shapes = ladder.tiers[number] if number < len(ladder.tiers) else ()
        lesser = [shape.rule for shape in shapes] or [ladder.in_full.rpartition(".")[0] + ".nothing"]
        what = _decision(played, after, f"No more of {play.card} was possible")
        yield from ((rule_id, what) for rule_id in dict.fromkeys((*lesser, ladder.in_full)))


def _by_ban(played: Played) -> Iterator[Found]:
    """Swaps that were barred because they would have undone another one."""
    game = played.record.game
    for before, after in _turns(played):
        position = before.position
        if not isinstance(game, Struggle) or not isinstance(position, Position) or position.banned is None:
            continue
        if position.decision != "play" or position.to_act is None:
            continue
        card = position.banned.card
        if card not in game.list_held(position, position.to_act):
            continue
        free = position.replace(banned=None)
        allowed = set(game.list_options(position, card))
        barred = next((way for way in game.list_options(free, card) if way not in allowed), None)
        for broken in () if barred is None else game.check(position, Play(card, barred)):
            yield broken.rule, _decision(played, after, broken.sentence)


def _by_reading(played: Played) -> Iterator[Found]:
    """What another reading of a ruling changes."""
    ruleset, readings = played.record.ruleset, played.record.game.readings
    whole = Replay(played.record, list(played.moments))
    for ruling in ruleset.switches:
        for option in rule(ruling).options:
            if option == readings[ruling]:
                continue
            for change in find_impact(whole, {ruling: option}):
                otherwise = change.otherwise or "nothing of the kind"
                what = f"{change.as_played or 'Legal'}; with the reading {option}: {otherwise}"
                yield ruling, Decision(played.path, change.turn, change.line, what)
                break


def _by_event(played: Played) -> dict[str, list[Decision]]:
    """What happened by a rule, turn by turn."""
    happened: dict[str, list[Decision]] = {}
    for _, after in _turns(played):
        for event in after.events:
            happened.setdefault(event.rule, []).append(_decision(played, after, event.text))
    return happened


def _plays(played: Played) -> Iterator[tuple[Struggle, Position, Moment, Play]]:
    """The cards that were played, each with the position before and the moment after."""
    game = played.record.game
    for before, after in _turns(played):
        for move in after.moves:
            if isinstance(move, Play) and isinstance(game, Struggle) and isinstance(before.position, Position):
                yield game, before.position, after, move


def varied(several: Iterable[Decision]) -> list[Decision]:
    """Decisions with one of each folder of games before a second of any."""
    counts: dict[str, int] = {}
    ranked = []
    for each in several:
        folder = each.path.rpartition("/")[0]
        counts[folder] = counts.get(folder, 0) + 1
        ranked.append((counts[folder], each))
    return [each for _, each in sorted(ranked, key=lambda pair: pair[0])]
