"""The editions of The King is Dead, by code."""

from __future__ import annotations

from collections.abc import Mapping

PLUGIN: Mapping[str, str] = {
    "second-edition": "rulesets.second_edition:SECOND_EDITION",
    "second-edition-advanced": "rulesets.second_edition:SECOND_EDITION_ADVANCED",
    "first-edition": "rulesets.first_edition:FIRST_EDITION",
    "first-edition-mordred": "rulesets.first_edition:FIRST_EDITION_MORDRED",
    "digest": "rulesets.digest:DIGEST",
    "digest-advanced": "rulesets.digest:DIGEST_ADVANCED",
    "manual": "rulesets.first_edition:MANUAL",
}
"""Place of each ruleset in this room, by its code."""
