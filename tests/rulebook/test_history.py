"""The register as of a version: every wording that was published can be cited, and no wording changes without a version."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from typing import Any

import pytest

from tests.cli import tkid
from tests.makers import wordings as maker
from tkid.rulebook import UnknownRuleError, all_rules, citations, rule
from tkid.rulebook.citations import (
    ADDED,
    UnknownVersionError,
    find_cited_rule,
    find_link,
    find_rule_as_of,
    list_changes,
    list_versions,
    read_history,
    read_wording,
    read_wordings,
)
from tkid.rulebook.register import VERSION, list_prefixes

RULES = {entry.id: entry for entry in all_rules()}
VERSIONS = list(list_versions())
UNDO = "second.ruling.undo"
RAISE = "a rule has another wording: raise VERSION, complete history.toml, and run python -m tests.makers.wordings"


def as_of(version: str) -> dict[str, dict[str, object]]:
    """The wordings of a version."""
    found = {}
    for entry in all_rules():
        try:
            found[entry.id] = read_wording(find_rule_as_of(entry.id, version))
        except UnknownRuleError:
            continue
    return found


@pytest.mark.parametrize("version", VERSIONS)
def test_a_version_has_the_wordings_that_it_had(version: str) -> None:
    assert maker.digest_wordings(as_of(version)) == read_wordings()["digests"][version], RAISE


def test_a_changed_statement_without_a_new_version_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = rule("second.turn.pass")._replace(statement="Passing ends the game.")
    every = [changed if entry.id == changed.id else entry for entry in all_rules()]
    monkeypatch.setattr(maker, "all_rules", lambda: iter(every))
    assert maker.digest_wordings(maker.wordings()) != read_wordings()["digests"][VERSION]
    with pytest.raises(SystemExit, match="Raise VERSION"):
        maker.main([])


def test_versions_have_dates_and_come_in_order() -> None:
    assert sorted(VERSIONS, key=lambda version: [int(part) for part in version.split(".")]) == VERSIONS
    assert VERSIONS[-1] == VERSION, "history.toml has the date of the version, and what it changed"
    days = list(list_versions().values())
    assert days == sorted(days)
    assert {*read_wordings()["digests"]} == {*VERSIONS}
    assert {*read_history()["changes"]} == {*read_wordings()["replaced"]} == {*VERSIONS[1:]}


def test_the_history_names_rules_that_there_are() -> None:
    for changes in read_history()["changes"].values():
        assert changes.keys() <= {*RULES, *list_prefixes(), "*"}
    for replaced in read_wordings()["replaced"].values():
        assert replaced.keys() <= RULES.keys()


def test_every_change_of_a_wording_has_a_reason() -> None:
    for entry in all_rules():
        changes = {change.version: change for change in list_changes(entry)}
        for version, replaced in read_wordings()["replaced"].items():
            if entry.id in replaced:
                change = changes[version]
                assert change.reason, (entry.id, version)
                assert change.before != change.after


def test_a_history_begins_when_the_rule_was_added_and_each_wording_follows_from_the_one_before() -> None:
    for entry in all_rules():
        first, *later = list_changes(entry)
        assert (first.reason, first.before) == (ADDED, None)
        assert read_wording([first, *later][-1].after) == read_wording(entry)
        for before, after in zip([first, *later], later, strict=False):
            assert before.after == after.before
            assert before.day <= after.day


def test_a_rule_as_it_was() -> None:
    old, new = find_rule_as_of(UNDO, "2026.1"), find_rule_as_of(UNDO, "2026.2")
    assert old.statement.endswith("that far it cannot be carried out.")
    assert "a card copied by Spy counts as the card itself" in new.statement
    assert (old.title, old.asks, new.id) == ("", (), UNDO)
    assert find_rule_as_of(UNDO, VERSION) == rule(UNDO)
    change = next(each for each in list_changes(rule(UNDO)) if each.version == "2026.2")
    assert (change.before, change.after) == (old, new)
    assert (change.day, change.reason) == (date(2026, 11, 21), "says what holds for a card copied by Spy")


@pytest.mark.parametrize("text", [f"{UNDO}@2026.2", f" [{UNDO}@2026.2]", find_link(rule(UNDO), "2026.2")])
def test_a_citation_names_rule_and_version(text: str) -> None:
    assert find_cited_rule(text) == (find_rule_as_of(UNDO, "2026.2"), "2026.2")


@pytest.mark.parametrize("form", citations.FORMATS)
def test_every_format_cites_a_version(form: str) -> None:
    cited = tkid("cite", f"{UNDO}@2026.2", "--format", form)
    assert cited.exit_code == 0
    assert f"/v/2026.2/second/#{UNDO}" in cited.stdout.replace("\\#", "#")
    assert form == "url" or VERSION not in cited.stdout
    if form != "url":
        assert "a card copied by Spy counts as the card itself" in cited.stdout


def test_a_rule_of_a_version_is_printed_with_its_changes() -> None:
    run = tkid("rule", f"{UNDO}@2026.2")
    lines = run.stdout.splitlines()
    assert (run.exit_code, f"https://tkid.readthedocs.io/v/2026.2/second/#{UNDO}" in lines) == (0, True)
    assert [line.split(",")[0] for line in lines if line.startswith("Register")][:2] == [
        "Register 2026.1",
        "Register 2026.2",
    ]
    data = json.loads(tkid("rule", "--json", f"{UNDO}@2026.2").stdout)
    assert data["statement"] == find_rule_as_of(UNDO, "2026.2").statement
    assert (data["version"], data["changes"][0]["before"], data["changes"][1]["date"]) == ("2026.2", None, "2026-11-21")
    assert data["changes"][1]["before"]["statement"] != data["changes"][1]["after"]["statement"]


@pytest.mark.parametrize("command", ["cite", "rule"])
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (f"{UNDO}@2026.6", f"There is no register 2026.6; its versions are {', '.join(VERSIONS)}."),
        (f"{UNDO}@latest", f"There is no register latest; its versions are {', '.join(VERSIONS)}."),
        ("second.turn.pas@2026.2", "No rule 'second.turn.pas'; did you mean second.turn.pass"),
        ("second.board.near@2026.2", "Register 2026.2 has no rule 'second.board.near': it was added in 2026.5."),
    ],
)
def test_a_wrong_version_or_id_is_explained(command: str, typed: str, said: str) -> None:
    run = tkid(command, typed)
    assert (run.exit_code, run.stdout) == (1, "")
    assert run.stderr.startswith(said)
    assert tkid(command, "second.turn.pas").exit_code == run.exit_code


def test_an_unknown_version_is_an_error_of_its_own() -> None:
    with pytest.raises(UnknownVersionError, match=r"there is no register 1; its versions are 2026\.1, "):
        find_rule_as_of(UNDO, "1")


def test_the_maker_writes_the_file_as_it_is() -> None:
    assert maker.text({**read_wordings()}) == maker.FILE.read_text("utf-8")


def test_what_a_version_replaces_is_found() -> None:
    before: dict[str, dict[str, Any]] = {
        "a": {"kind": "ruling", "statement": "One.", "options": {"x": "y"}},
        "b": {"statement": "Two."},
    }
    now: dict[str, dict[str, Any]] = {
        "a": {"kind": "ruling", "statement": "One!", "title": "New"},
        "b": {"statement": "Two."},
        "c": {},
    }
    assert maker.replaced(before, now) == {"a": {"title": "", "statement": "One.", "options": {"x": "y"}}}


def test_the_history_is_text_that_people_can_edit() -> None:
    path = maker.FILE.with_name("history.toml")
    assert tomllib.loads(path.read_text("utf-8")) == read_history()
