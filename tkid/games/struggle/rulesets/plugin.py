"""The rulesets of The King is Dead, in the order in which they are listed to people."""

from __future__ import annotations

from collections.abc import Mapping

PLUGIN: Mapping[str, str] = {
    "second-edition": "second_edition:SECOND_EDITION",
    "second-edition-advanced": "second_edition:SECOND_EDITION_ADVANCED",
    "first-edition": "first_edition:FIRST_EDITION",
    "first-edition-mordred": "mordred:FIRST_EDITION_MORDRED",
    "digest": "digest:DIGEST",
    "digest-advanced": "digest:DIGEST_ADVANCED",
    "manual": "manual:MANUAL",
}
"""Where each ruleset is stated, by its code: the module beside this one, and the name in it."""
