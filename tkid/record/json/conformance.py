"""The engine's side of the conformance suite, whatever is played: a question in JSON, its answer in JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tkid.kernel.plugins import games, plugin
from tkid.record.json.objects import JsonError
from tkid.record.json.questions import Answer, Asking, GameQuestions, Question
from tkid.rulebook.rulesets import UnknownRulesetError, ruleset


def game_questions(game: str) -> GameQuestions:
    """What may be asked about a game, by its name."""
    found: GameQuestions = plugin(game, "record/conformance")
    return found


def asking(code: str) -> Asking:
    """How positions and moves are read in questions about a ruleset."""
    return game_questions(ruleset(code).game_name).asking


def answer(question: Question) -> Answer:
    """The answer to a question, with the number of its case; `problems` where it is not understood."""
    number = {"case": question["case"]} if "case" in question else {}
    try:
        return number | _asked(question)(question)
    except JsonError as error:
        return number | {
            "problems": [{"rule": problem.rule, "message": problem.message} for problem in error.problems],
        }


def _asked(question: Question) -> Callable[[Question], Answer]:
    """The function that answers a question of its kind."""
    possible = _possible(question)
    asked = question.get("ask")
    if not isinstance(asked, str) or asked not in possible:
        raise JsonError(f"ask: one of {', '.join(possible)} belongs here")
    return possible[asked]


def _possible(question: Question) -> Mapping[str, Callable[[Question], Answer]]:
    """What may be asked of the ruleset; one that is not known is left to the first game, which says what is wrong."""
    position = question.get("position")
    codes = (question.get("ruleset"), position.get("ruleset") if isinstance(position, dict) else None)
    try:
        named = {ruleset(code).game_name for code in codes if isinstance(code, str)}
    except UnknownRulesetError:
        named = set()
    if len(named) > 1:
        raise JsonError("ruleset: the position is of another game")
    return game_questions(named.pop() if named else games()[0]).asked
