"""The engine's side of the conformance suite, whatever is played: a question in JSON, its answer in JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tkid.record.questions import Answer, Asking, Question
from tkid.record.structured import JsonError
from tkid.record.struggle import conformance as struggle
from tkid.record.tricks import conformance as tricks
from tkid.rulesets import UnknownRulesetError, ruleset

Asked = Mapping[str, Callable[[Question], Answer]]
FAMILIES: Mapping[str, Asked] = {"struggle": struggle.ASKED, "tricks": tricks.ASKED}
"""What may be asked about the games of each family, each with the function that answers."""
ABOUT_POSITIONS: Mapping[str, Asking] = {"struggle": struggle.ASKING, "tricks": tricks.ASKING}


def asking(code: str) -> Asking:
    """How positions and moves are read in questions about a ruleset."""
    return ABOUT_POSITIONS[ruleset(code).plays]


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
    possible = _family(question)
    asked = question.get("ask")
    if not isinstance(asked, str) or asked not in possible:
        raise JsonError(f"ask: one of {', '.join(possible)} belongs here")
    return possible[asked]


def _family(question: Question) -> Asked:
    """What may be asked of the ruleset; one that is not known is left to the first family, which says what is wrong."""
    position = question.get("position")
    codes = (question.get("ruleset"), position.get("ruleset") if isinstance(position, dict) else None)
    try:
        named = {ruleset(code).plays for code in codes if isinstance(code, str)}
    except UnknownRulesetError:
        named = set()
    if len(named) > 1:
        raise JsonError("ruleset: the position is of another game")
    return FAMILIES[named.pop()] if named else struggle.ASKED
