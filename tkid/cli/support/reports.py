"""What `tkid check` reports: one line for people, JSON, SARIF."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from tkid import __version__
from tkid.kernel.game import NOBODY
from tkid.kernel.problems import Kind, Problem
from tkid.record.play.replay import Replay
from tkid.render.plugin import render_plugin
from tkid.rulebook import rule


def summary(played: Replay) -> str:
    """A record without problems in one line."""
    record, position = played.record, played.position
    turns = f"{len(record.turns)} turn{'s' * (len(record.turns) != 1)}"
    if position.ending is None:
        due = render_plugin(record.game).due(record.game, position)
        due = f"{record.names[position.to_act]} to {due}" if position.to_act is not None else ""
        return f"all right, {turns}, {due}"
    winners = " and ".join(record.names[seat] for seat in position.winners) or NOBODY
    return f"all right, {turns}, {position.ending}: {winners}"


def unproven(played: Replay) -> list[str]:
    """What a record with hidden hands leaves open, in sentences."""
    names = played.record.names
    by_seat: dict[int, list[str]] = {}
    told = []
    for open_question in played.unproven:
        if open_question.ending:
            told.append(
                f"whether {open_question.card} is among {names[open_question.seat]}'s cards: told as if it were not"
            )
        else:
            by_seat.setdefault(open_question.seat, []).append(f"{open_question.card} (turn {open_question.turn})")
    return [f"that {names[seat]} held {', '.join(cards)}" for seat, cards in by_seat.items()] + told


def check_json(name: str, played: Replay | None, problems: list[Problem]) -> str:
    """One file's report as a line of JSON; winners are seats, from 0."""
    record, position = (played.record, played.position) if played else (None, None)
    return _line(
        {
            "file": name,
            "ok": not problems,
            "turns": len(record.turns) if record else 0,
            "ruleset": record.ruleset.code if record else None,
            "ending": position.ending if position else None,
            "winners": list(position.winners) if position else [],
            "problems": [_problem(problem) for problem in problems],
            **_unproven_json(played),
        }
    )


def _unproven_json(played: Replay | None) -> dict[str, Any]:
    """The attribute that tells what hidden hands leave open; none where they leave nothing open."""
    told = [{"turn": each.turn, "seat": each.seat, "card": each.card} for each in played.unproven] if played else []
    return {"unproven": told} if told else {}


def unreadable_json(name: str, message: str) -> str:
    """The report of a file that could not be opened."""
    report = {"file": name, "ok": False, "turns": 0, "ruleset": None, "ending": None, "winners": []}
    problem = {"line": 0, "col": 0, "length": 0, "rule": None, "kind": Kind.FILE.value, "message": message, "hint": ""}
    return _line({**report, "problems": [problem]})


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "line": problem.line,
        "col": problem.col,
        "length": problem.length,
        "rule": problem.rule,
        "kind": problem.kind.value,
        "message": problem.message,
        "hint": problem.hint,
    }


def _line(report: dict[str, Any]) -> str:
    return json.dumps(report, ensure_ascii=False)


def sarif(found: Iterable[tuple[str, list[Problem]]], unopened: Iterable[tuple[str, str]] = ()) -> str:
    """The reports of all files as one SARIF 2.1.0 document; `unopened` are files that could not be opened, and why."""
    every = list(found)
    notes = [
        {"level": "error", "message": {"text": message}, "locations": [{"physicalLocation": _place(name)}]}
        for name, message in unopened
    ]
    rules = sorted({problem.rule for _, problems in every for problem in problems})
    driver = {
        "name": "tkid",
        "version": __version__,
        "informationUri": "https://tkid.readthedocs.io",
        "rules": [
            {"id": rule_id, "shortDescription": {"text": rule(rule_id).statement}, "helpUri": rule(rule_id).link}
            for rule_id in rules
        ],
    }
    results = [_sarif_result(name, problem) for name, problems in every for problem in problems]
    return json.dumps(
        {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                {
                    "tool": {"driver": driver},
                    "columnKind": "unicodeCodePoints",
                    "invocations": [{"executionSuccessful": not notes, "toolExecutionNotifications": notes}],
                    "results": results,
                }
            ],
        },
        ensure_ascii=False,
        indent=2,
    )


def _place(name: str) -> dict[str, Any]:
    return {"artifactLocation": {"uri": quote(name)}}


def _sarif_result(name: str, problem: Problem) -> dict[str, Any]:
    region = {
        "startLine": problem.line,
        "startColumn": problem.col,
        "endColumn": problem.col + problem.length,
    }
    return {
        "ruleId": problem.rule,
        "level": "note" if problem.kind is Kind.FOLLOW_ON else "error",
        "message": {"text": f"{problem.message}. {problem.hint}".rstrip()},
        "locations": [{"physicalLocation": _place(name) | {"region": region}}],
    }
