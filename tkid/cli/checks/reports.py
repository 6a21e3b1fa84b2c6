"""What `tkid check` reports: one line for people, JSON, SARIF, annotations for GitHub."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from tkid import __version__
from tkid.cli.support import UNREADABLE, WRONG
from tkid.cli.support.printing import json_text
from tkid.kernel.game import NOBODY
from tkid.kernel.problems import Kind, Problem
from tkid.notation.numbers import counted
from tkid.record.play.replay import Replay, Unproven
from tkid.record.play.sound import Played
from tkid.render.lines import log_text, printable
from tkid.render.plugin import render_plugin
from tkid.rulebook import rule
from tkid.rulebook.site import address

if TYPE_CHECKING:
    from tkid.record.fairplay.notes import Said

NO_GAME: dict[str, Any] = {"turns": 0, "ruleset": None, "ending": None, "winners": []}
"""The report on a file that holds no game."""


class Checked(NamedTuple):
    """What was found of a game file: the exit code that it asks for, and what is printed of it.

    `error` says why it could not be opened. `problems` are for the form that lists them all at the end.
    """

    name: str
    code: int
    lines: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    error: str = ""


def summary(found: Played, early: str = "") -> str:
    """A record without problems in one line; `early` says how it ended, if it did before its time."""
    record, position = found.record, found.position
    turns = counted(found.turns, "turn")
    if early:
        return f"all right, {turns}. {early}"
    if position.ending is None:
        due = render_plugin(record.game).due(record.game, position)
        due = f"{record.names[position.to_act]} to {due}" if position.to_act is not None else ""
        return f"all right, {turns}, {due}"
    winners = " and ".join(record.names[seat] for seat in position.winners) or NOBODY
    return f"all right, {turns}, {position.ending}: {winners}"


def totals(codes: Mapping[int, int]) -> str:
    """How many files were checked, and what was found, in one line; `codes` counts them by exit code."""
    named = ((0, "all right"), (WRONG, "with mistakes"), (UNREADABLE, "not read"))
    found = [f"{codes[code]:,} {what}" for code, what in named if codes.get(code)]
    return f"{sum(codes.values()):,} games: {', '.join(found)}"


def unproven(replay: Replay) -> list[str]:
    """What a record with hidden hands leaves open, in clauses."""
    names = replay.record.names
    cards: dict[int, list[str]] = {}
    ending = []
    for each in replay.unproven:
        if each.ending:
            ending.append(f"whether {names[each.seat]} holds {each.card} (it is taken that they do not)")
        else:
            cards.setdefault(each.seat, []).append(f"{each.card} (turn {each.turn})")
    return [f"that {names[seat]} held {', '.join(held)}" for seat, held in cards.items()] + ending


def check_json(
    name: str,
    found: Played | None,
    problems: Sequence[Problem] = (),
    doubts: Sequence[Unproven] = (),
    notes: Sequence[Problem] = (),
    outside: Sequence[Said] = (),
) -> str:
    """One file's report as a line of JSON; winners are seats, from 0. `outside` is what the chain of hashes does not cover."""
    report: dict[str, Any] = {"file": name, "ok": not problems, **NO_GAME, "problems": []}
    if found is not None:
        position = found.position
        report |= {"turns": found.turns, "ruleset": found.record.ruleset.code}
        report |= {"ending": position.ending, "winners": list(position.winners)}
    report["problems"] = list(map(_as_json, problems))
    if notes:
        report["notes"] = list(map(_as_json, notes))
    if doubts:
        report["unproven"] = [{"turn": each.turn, "seat": each.seat, "card": each.card} for each in doubts]
    if outside:
        report["outside_chain"] = [{"line": each.line, "text": each.text} for each in outside]
    return json_text(report)


def _as_json(problem: Problem) -> dict[str, Any]:
    place = {"line": problem.line, "col": problem.col, "length": problem.length}
    text = {"message": problem.message, "hint": problem.hint}
    return {**place, "rule": problem.rule, "kind": problem.kind.value, **text}


def unreadable_json(name: str, message: str) -> str:
    """The report of a file that could not be opened."""
    problem = {"line": 0, "col": 0, "length": 0, "rule": None, "kind": Kind.FILE.value, "message": message, "hint": ""}
    return json_text({"file": name, "ok": False, **NO_GAME, "problems": [problem]})


def as_annotations(name: str, problems: Sequence[Problem], *, every: bool) -> list[str]:
    """Problems as commands that GitHub reads in a workflow's log, and shows beside the lines of the file."""
    lines = []
    for problem in problems:
        kind = "notice" if problem.kind is Kind.FOLLOW_ON else "error"
        place = {"file": name, "line": problem.line, "col": problem.col, "title": problem.rule}
        if every or kind == "error":
            lines.append(_annotation(kind, place, problem.told))
    return lines


def unopened_annotation(name: str, reason: str) -> str:
    """The same for a file that could not be opened."""
    return _annotation("error", {"file": name}, f"{log_text(name)}: {reason}")


def _annotation(kind: str, place: dict[str, Any], message: str) -> str:
    properties = ",".join(f"{key}={_escaped(str(value), ':,')}" for key, value in place.items())
    return f"::{kind} {properties}::{_escaped(message)}"


def _escaped(text: str, more: str = "") -> str:
    """A text in which GitHub takes no character for the end of a property, or of the command, and nothing is unprintable."""
    return "".join(f"%{ord(sign):02X}" if sign in f"%\r\n{more}" else printable(sign) for sign in text)


UNOPENED: Mapping[str, Callable[[str, str], str]] = {"json": unreadable_json, "github": unopened_annotation}
"""How a format reports a file that could not be opened, if not at the end."""


def sarif(checked: Sequence[Checked]) -> str:
    """The reports of all files as one SARIF 2.1.0 document; files that could not be opened are notes with why."""
    notes = [
        {"level": "error", "message": {"text": each.error}, "locations": [{"physicalLocation": _place(each.name)}]}
        for each in checked
        if each.error
    ]
    rules = sorted({problem.rule for each in checked for problem in each.problems})
    driver = {
        "name": "tkid",
        "version": __version__,
        "informationUri": address(),
        "rules": [
            {"id": rule_id, "shortDescription": {"text": rule(rule_id).statement}, "helpUri": rule(rule_id).link}
            for rule_id in rules
        ],
    }
    results = [_sarif_result(each.name, problem) for each in checked for problem in each.problems]
    return json_text(
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
        indent=2,
    )


def _place(name: str) -> dict[str, Any]:
    return {"artifactLocation": {"uri": quote(name, errors="surrogateescape")}}


def _sarif_result(name: str, problem: Problem) -> dict[str, Any]:
    region = {
        "startLine": problem.line,
        "startColumn": problem.col,
        "endColumn": problem.col + problem.length,
    }
    return {
        "ruleId": problem.rule,
        "level": "note" if problem.kind is Kind.FOLLOW_ON else "error",
        "message": {"text": problem.told},
        "locations": [{"physicalLocation": _place(name) | {"region": region}}],
    }
