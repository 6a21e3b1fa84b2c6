"""The ruleset of Claim."""

from __future__ import annotations

from collections.abc import Mapping

PLUGIN: Mapping[str, str] = {"claim": "rules:CLAIM"}
"""Place of the ruleset in this room, by its code."""
