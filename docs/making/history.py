"""The history of a rule: in which version of the register it appeared, and what became of it since."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

ADDED = "added"


@cache
def kept() -> Mapping[str, Any]:
    """The history as it is kept: the first version, and the changes of each later one."""
    return tomllib.loads((Path(__file__).parent / "history.toml").read_text("utf-8"))


def history(rule_id: str, of: Mapping[str, Any] | None = None) -> list[str]:
    """Version and what happened in it, oldest first."""
    known = of or kept()
    names = dict.fromkeys((rule_id.partition(".")[0], rule_id))
    later = [
        f"{version}: {changes[name]}"
        for version, changes in known["changes"].items()
        for name in names
        if name in changes
    ]
    born = any(each.endswith(f": {ADDED}") for each in later)
    return later if born else [f"{known['first']}: {ADDED}", *later]
