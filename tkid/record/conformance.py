"""The engine's side of the conformance suite, whatever is played: a question in JSON, its answer in JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tkid.record.structured import RULE
from tkid.record.struggle import conformance as struggle
from tkid.rulesets import UnknownRulesetError, ruleset

Question = Mapping[str, Any]
FAMILIES: Mapping[str, Callable[[Question], dict[str, Any]]] = {"struggle": struggle.answer}


def answer(question: Question) -> dict[str, Any]:
    """The answer to a question, with the number of its case; `problems` where it is not understood.

    One that names no ruleset is left to the first family, which says what is wrong.
    """
    position = question.get("position")
    code = question.get("ruleset", position.get("ruleset") if isinstance(position, dict) else None)
    try:
        family = ruleset(code).game().family if isinstance(code, str) else "struggle"
    except UnknownRulesetError:
        family = "struggle"
    if family not in FAMILIES:
        told = f"ruleset: there are no questions about {code}"
        return {"problems": [{"rule": RULE, "message": told}]}
    return FAMILIES[family](question)
