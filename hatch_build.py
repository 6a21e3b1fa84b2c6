"""Prepares what the program would otherwise make at every start: the register of rules and its words, read from TOML."""

from __future__ import annotations

import json
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

REGISTER = ("tkid/rulebook", "tkid/rulebook/search", "tkid/games/*/rulesets")
"""The folders of the register, and of the words that its search knows."""


class CustomBuildHook(BuildHookInterface[Any]):
    """Writes each file of the register as JSON beside it, with the checksum of the text that it was made of."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Prepare the tree that is packed, or installed where it is."""
        del version, build_data
        for file in (file for folder in REGISTER for file in sorted(Path(self.root).glob(f"{folder}/*.toml"))):
            text = file.read_text("utf-8")
            prepared = {"of": sha256(text.encode()).hexdigest(), "table": tomllib.loads(text)}
            written = json.dumps(prepared, ensure_ascii=False, separators=(",", ":"))
            file.with_suffix(".prepared.json").write_text(written, "utf-8", newline="\n")
