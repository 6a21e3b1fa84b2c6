"""Annotate a game: write values, turning points and missed wins into its record as comments.

Each turn is judged from what its player could see. A new annotation replaces the one before; other comments stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from attrs import evolve, frozen

from tkid.bots.player import MAX_DOUBT, Choice, Player, add_in_order, apply_turn, find_party, find_win_shares
from tkid.bots.plugin import Judge
from tkid.bots.search import still_wins
from tkid.kernel.game import HIDDEN, AnyGame, fill_names
from tkid.record.format.model import Comments, Record, Value, is_value, write_value
from tkid.record.play.replay import Replay

TURNING, MISSED, INSTEAD = "# Turning point:", "# Missed:", "# what if:"
"""Beginnings of the comments written here."""
MOST_TURNING = 5
COMPARED = 64
"""Maximum number of turns compared with the one that was played."""
TWO = 2
COSTLY = 0.12
"""Loss of winning chance from which on a turn may be a turning point."""


@frozen
class Look:
    """A player's judgement of a moment: the value for each party, and the compared turns, best first."""

    value: Value
    choices: tuple[Choice, ...] = ()


@frozen
class Reached:
    """The value of a moment, whether the turn before it gave up a certain win, and whether two estimates differ too much."""

    value: Value
    missed: bool = False
    unsure: bool = False


@frozen
class Mistake:
    """A turn that cost much: its index, what it cost, and whether it gave up a win that was certain."""

    index: int
    cost: float
    missed: bool


def annotate_record(
    whole: Replay, player: Player, judge: Judge, thought: int, report_progress: Callable[[], None] = lambda: None
) -> Record:
    """Add a player's judgement to a record, with at most `thought` positions a turn, as notes."""
    game, looks = whole.record.game, []
    for moment in whole.moments:
        looks.append(_look(game, player, judge, moment.position, thought))
        report_progress()
    reached = [Reached(looks[0].value)]
    for index in range(len(whole.record.turns)):
        reached.append(_judge_turn(whole, judge, looks, index, before=reached[-1].value, thought=thought))
    _carry_back(whole, judge, looks, reached)
    mistakes = {mistake.index: mistake for mistake in _find_mistakes(whole, judge, looks, reached)}
    turns = []
    for index, turn in enumerate(whole.record.turns):
        parties = game.parties[len(whole.record.names)]
        came = reached[index + 1]
        note = () if came.unsure else (write_value(came.value, whole.record.names, parties),)
        notes = (*(each for each in turn.notes if not is_value(each)), *note)
        said = _describe_mistake(whole, judge, looks, mistakes[index]) if index in mistakes else ()
        comments = (*without_annotation(turn.comments), *said)
        turns.append(evolve(turn, notes=notes, note_cols=(), comments=comments))
    return evolve(whole.record, turns=tuple(turns))


def without_annotation(comments: Comments) -> Comments:
    """Return comments without those written here: a sentence, and the turn behind it."""
    kept: list[str] = []
    behind = False
    for comment in comments:
        ours = comment.startswith((TURNING, MISSED))
        if not ours and not (behind and comment.startswith(INSTEAD)):
            kept.append(comment)
        behind = ours
    return tuple(kept)


def _look(game: AnyGame, player: Player, judge: Judge, position: Any, thought: int) -> Look:
    if position.to_act is None:
        return Look(Value(find_win_shares(game, position), proven=True))
    choices = player.list_best_turns(game.view(_leave_out_unknown(position), position.to_act), thought, COMPARED)
    best, values = choices[0], _share_values(game, judge, position, choices[0].value)
    return Look(Value(values, best.proven and (len(values) == TWO or best.value == 1)), choices)


def _leave_out_unknown(position: Any) -> Any:
    """Return a position without the cards in the next player's hand that the record doesn't know: nothing is advised about them."""
    if HIDDEN not in position.hands[position.to_act]:
        return position
    known = tuple(card for card in position.hands[position.to_act] if card != HIDDEN)
    hands = (known if seat == position.to_act else hand for seat, hand in enumerate(position.hands))
    return evolve(position, hands=tuple(hands))


def _share_values(game: AnyGame, judge: Judge, position: Any, mine: float) -> tuple[float, ...]:
    """Return every party's value, given the next player's: the others share the rest as in the evaluation."""
    party, guess = find_party(game, position), judge.estimate_chances(position)
    if len(guess) == TWO:
        return (mine, 1 - mine) if party == 0 else (1 - mine, mine)
    others = add_in_order(guess) - guess[party]
    return tuple(
        mine if index == party else (1 - mine) * (share / others if others else 1 / (len(guess) - 1))
        for index, share in enumerate(guess)
    )


def _judge_turn(
    whole: Replay, judge: Judge, looks: Sequence[Look], index: int, *, before: Value, thought: int
) -> Reached:
    """Return the value after a turn: proven if possible, otherwise the mean of the values before and after it.

    A certain win stays certain while others play, and when its owner's turn keeps it. The next player always
    thinks a little too well of itself; the mean of both sides cancels that out.
    """
    game, position, after = whole.record.game, whole.moments[index].position, whole.moments[index + 1].position
    party, value = find_party(game, position), looks[index + 1].value
    sure, listed = _is_sure(looks[index].value, party), _find_listed(game, position, looks[index], after)
    assert position.to_act is not None
    if value.proven:
        return Reached(value, sure and not _is_sure(value, party))
    if before.proven and 1 in before.shares:
        certain = not _is_sure(before, party) or (listed is not None and listed.proven)
        kept = certain or still_wins(game, judge, after, position.to_act, thought)
        if kept:
            return Reached(before)
        sure = sure and kept is False
    if listed is None:
        return Reached(value, sure)
    both = list(zip(_share_values(game, judge, position, listed.value), value.shares, strict=True))
    unsure = any(abs(one - other) > MAX_DOUBT for one, other in both)
    return Reached(Value(tuple([(one + other) / 2 for one, other in both])), sure, unsure)


def _carry_back(whole: Replay, judge: Judge, looks: Sequence[Look], reached: list[Reached]) -> None:
    """Copy a value to the position before where the turn between decided nothing; what is proven stays.

    That is so if its player had no other turn, or the turn changed nothing on the table and looked best.
    """
    game = whole.record.game
    for index in range(len(whole.record.turns) - 1, 0, -1):
        value = reached[index + 1].value
        position, after = whole.moments[index].position, whole.moments[index + 1].position
        stays = reached[index].value.proven and not value.proven
        best = looks[index].choices[:1]
        quiet = not value.proven and judge.is_quiet(position, after)
        quiet = quiet and [apply_turn(game, position, choice.turn) for choice in best] == [after]
        if not stays and (quiet or len(game.legal(position)) == 1):
            reached[index] = evolve(reached[index], value=value, unsure=reached[index + 1].unsure)


def _is_sure(value: Value, party: int) -> bool:
    return value.proven and value.shares[party] == 1


def _find_listed(game: AnyGame, before: Any, look: Look, after: Any) -> Choice | None:
    return next((choice for choice in look.choices if apply_turn(game, before, choice.turn) == after), None)


def _find_mistakes(whole: Replay, judge: Judge, looks: Sequence[Look], reached: Sequence[Reached]) -> list[Mistake]:
    found = []
    for index, (before, came) in enumerate(pairwise(reached)):
        look, position, after = looks[index], whole.moments[index].position, whole.moments[index + 1].position
        if not look.choices or position.decision == "plot":
            continue
        game, party = whole.record.game, find_party(whole.record.game, position)
        lost = before.value.proven and not before.value.shares[party]
        if lost or _is_sure(came.value, party):
            continue
        if look.value.proven and came.value.proven:
            cost = look.value.shares[party] - came.value.shares[party]
        elif listed := _find_listed(game, position, look, after):
            cost = look.choices[0].value - listed.value
        else:
            best = apply_turn(game, position, look.choices[0].turn)
            cost = judge.estimate_chances(best)[party] - judge.estimate_chances(after)[party]
        if came.missed or cost >= COSTLY:
            found.append(Mistake(index, cost, came.missed))
    turning = sorted((each for each in found if not each.missed), key=lambda each: -each.cost)[:MOST_TURNING]
    return [each for each in found if each.missed or each in turning]


def _describe_mistake(whole: Replay, judge: Judge, looks: Sequence[Look], mistake: Mistake) -> Comments:
    game, names = whole.record.game, whole.record.names
    position, best = whole.moments[mistake.index].position, looks[mistake.index].choices[0]
    assert position.to_act is not None
    name = names[position.to_act]
    reason = fill_names(judge.explain_turn(position, best.turn, apply_turn(game, position, best.turn)), names)
    if mistake.missed:
        sentence = f"{MISSED} {name} had a sure win with a turn that {reason}."
    else:
        sentence = f"{TURNING} {name}'s turn cost about {mistake.cost:.0%} of the chance to win. A better one {reason}."
    return sentence, f"{INSTEAD} {fill_names(game.words.write_turn(best.turn), names)}"
