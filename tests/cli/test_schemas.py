"""The published schemas: they are right themselves, everything stored fits them, and what is wrong does not.

What commands print is compared with them wherever a test runs one (`tests.cli.tkid`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.main import get_command

from tests.cli import FINISHED, objects, said
from tests.shared.schemas import ACTIONS, LINES, WHOLE, documents, faults
from tests.shared.tables import sample
from tkid.cli.app import app
from tkid.rulebook.register import find_address

FIXTURES = Path(__file__).parents[2] / "fixtures"
FIRST = min(FINISHED.glob("*.tkid"))


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """All schemas within a schema that describe an object."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield schema
        for value in schema.values():
            yield from parts(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from parts(value)


@pytest.mark.parametrize("name", documents())
def test_a_schema_is_right_and_says_what_everything_is(name: str) -> None:
    schema = documents()[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == find_address(f"schemas/{name}.json")
    assert schema["title"]
    for part in parts(schema):
        for key, value in part["properties"].items():
            assert value.get("description") or "$ref" in value or name == "conformance", f"{name}: {key}"


def test_every_output_has_a_schema_and_every_schema_an_output() -> None:
    used = {*WHOLE.values(), *ACTIONS.values(), *LINES.values(), "conformance", "engine", "move"}
    assert used == documents().keys()


def asking(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each option of the program, or of a group of its commands, that asks for JSON, with the words of its command."""
    for name, inner in getattr(command, "commands", {}).items():
        yield from asking(inner, (*words, name))
    yield from ((words, option) for each in command.params for option in each.opts if option in {"--json", "--jsonl"})


def test_every_option_that_asks_for_json_has_a_schema() -> None:
    options = set(asking(get_command(app)))
    lines = {((command,), asked) for command, asked in LINES if asked.startswith("--json")}
    whole = {(words, "--json") for words in (*WHOLE, ("host", "tournament"))}
    assert options == whole | lines


def test_every_case_of_the_suite_fits() -> None:
    files = sorted((FIXTURES / "conformance").glob("[0-9]*.json"))
    assert files
    for file in files:
        assert faults("conformance", json.loads(file.read_text("utf-8"))) == [], file


@pytest.mark.slow
@pytest.mark.parametrize("part", sample(range(3), 3))
def test_every_recorded_game_fits(part: int) -> None:
    """The last position of each, with every ruleset there is."""
    files = sorted((FIXTURES / "games").glob("*/*.tkid"))[part::3]
    rulesets = {json.loads(said("show", file, "--json"))["ruleset"] for file in files}
    assert len(rulesets) >= 7
    for file in files[::9]:
        assert objects(said("replay", file, "--json", "--legal"))


LATER = "2026-11-22T10:00:00+00:00"


def test_what_is_wrong_does_not_fit() -> None:
    position = json.loads(said("show", FIRST, "--json"))
    report = json.loads(said("check", FIRST, "--format", "json"))
    transfer = {"followers": {"S": 1}, "from": "MOR", "to": "DEV"}
    move = {"move": "play", "card": "Manoeuvre", "resolution": {"transfers": [transfer, transfer]}}
    counts = dict.fromkeys(("rating", "deviation", "change", "games", "wins", "draws", "losses"), 3)
    rating = {"place": None, "id": "ab", "name": "Ann", **counts, "last": LATER, "provisional": True, "inactive": False}
    lists = [{"game": "The King is Dead", "kind": "two", "until": LATER, "ratings": [rating]}]
    wrong = [
        ("move", move, ("move",), "jump"),
        ("move", move, ("card",), 3),
        ("move", move, ("resolution", "transfers", 0, "followers", "S"), -1),
        ("ratings", lists, (0, "kind"), "many"),
        ("ratings", lists, (0, "ratings", 0, "place"), 0),
        ("position", position, ("passes",), -1),
        ("position", position, ("ruleset",), None),
        ("position", position, ("supply", "X"), 1),
        ("position", position, ("regions", "MOR", "disc"), "Q"),
        ("position", position, ("more",), 1),
        ("check", report, ("winners",), [7]),
        ("check", report, ("problems",), [{"line": 1}]),
        ("check", report, ("ok",), "yes"),
    ]
    for name, document, path, value in wrong:
        changed = deepcopy(document)
        *outer, last = path
        place = changed
        for step in outer:
            place = place[step]
        place[last] = value
        assert faults(name, document) == []
        assert faults(name, changed) != [], path
    for key in position.keys() & {"regions", "hands", "to_act"}:
        assert faults("position", {each: value for each, value in position.items() if each != key}) != [], key
