"""The list of editions."""

from __future__ import annotations

from collections.abc import Mapping

FACTS = "rules.game:list_struggle_facts"
"""The function that gives the facts of an edition, for comparisons."""
PLUGIN: Mapping[str, str] = {
    "second-edition": "second_edition:SECOND_EDITION",
    "second-edition-advanced": "second_edition:SECOND_EDITION_ADVANCED",
    "first-edition": "first_edition:FIRST_EDITION",
    "first-edition-mordred": "first_edition:FIRST_EDITION_MORDRED",
    "digest": "digest:DIGEST",
    "digest-advanced": "digest:DIGEST_ADVANCED",
    "manual": "first_edition:MANUAL",
}
"""Module and name of each ruleset, by its code; the modules are in this folder."""
