"""Writes the wordings that the register's last version replaced: `python -m tests.makers.wordings`.

They are those of the last commit with the version before. A version that others may have seen is never changed: raise
`VERSION` first. `--unpublished` writes a version again that nobody has seen yet.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from tkid.rulebook import Rule, all_rules
from tkid.rulebook.citations import WORDING, list_versions, read_wording, read_wordings
from tkid.rulebook.register import VERSION

ROOT = Path(__file__).parents[2]
FILE = ROOT / "tkid" / "rulebook" / "history" / "wordings.json"
EMPTY = Rule("", "", "", "")


def wordings() -> dict[str, dict[str, Any]]:
    """The wordings of the register as it is now."""
    return {entry.id: read_wording(entry) for entry in all_rules()}


def digest_wordings(rules: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the checksum of the wordings of a version, by rule."""
    return sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()


def replaced(before: dict[str, dict[str, Any]], now: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The fields of rules that have changed, as they were."""
    found = {}
    for rule_id, wording in before.items():
        fields = [name for name in WORDING if wording.get(name) != now[rule_id].get(name)]
        if fields:
            empty = {name: {} if name == "options" else getattr(EMPTY, name) for name in fields}
            found[rule_id] = {name: wording.get(name, empty[name]) for name in fields}
    return found


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def _read_commit(commit: str) -> dict[str, dict[str, Any]]:
    """The wordings of the register in a commit."""
    found: dict[str, dict[str, Any]] = {}
    for path in _git("ls-tree", "-r", "--name-only", commit, "tkid").splitlines():
        if path.endswith(".toml"):
            tables = tomllib.loads(_git("show", f"{commit}:{path}"))
            rules = {key: entry for key, entry in tables.items() if isinstance(entry, dict) and "statement" in entry}
            found |= {key: {name: entry[name] for name in WORDING if entry.get(name)} for key, entry in rules.items()}
    return found


def _find_last_commit(version: str) -> str:
    """The last commit in which the register had a version."""
    for commit in _git("log", "--first-parent", "--format=%h", "--", "tkid").splitlines():
        if f'\nVERSION = "{version}"\n' in _git("show", f"{commit}:tkid/rulebook/register.py"):
            return commit
    raise SystemExit(f"No commit has version {version} of the register.")


def text(data: dict[str, Any]) -> str:
    """The file: a line for each rule, so that a change shows as one."""
    lines = ['{"digests": ' + json.dumps(data["digests"], indent=1) + ', "replaced": {']
    for number, (version, rules) in enumerate(data["replaced"].items()):
        rows = [f"{json.dumps(key)}: {json.dumps(each, ensure_ascii=False)}" for key, each in rules.items()]
        lines += [f'{"," if number else ""}"{version}": {{', ",\n".join(rows), "}"]
    return "\n".join([*lines, "}}", ""])


def main(arguments: list[str]) -> None:
    """Write the file for the version of the register as it is."""
    data, now = {**read_wordings()}, wordings()
    digest = digest_wordings(now)
    if VERSION in data["digests"] and data["digests"][VERSION] != digest and arguments != ["--unpublished"]:
        raise SystemExit(
            f"Rules have changed since register {VERSION}. Raise VERSION in tkid/rulebook/register.py, and say in "
            "tkid/rulebook/history/history.toml when and why. If nobody has seen this version: --unpublished"
        )
    *_, before, last = list_versions()
    if last != VERSION:
        raise SystemExit(f"tkid/rulebook/history/history.toml has no date for {VERSION}.")
    data["digests"] = {**data["digests"], VERSION: digest}
    data["replaced"] = {**data["replaced"], VERSION: replaced(_read_commit(_find_last_commit(before)), now)}
    FILE.write_text(text(data), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
