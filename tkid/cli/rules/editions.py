"""The rulesets by the short names that the site uses for them."""

from __future__ import annotations

SHORT_NAMES = {
    "second": "second-edition",
    "advanced": "second-edition-advanced",
    "first": "first-edition",
    "mordred": "first-edition-mordred",
}
"""The codes of the rulesets whose short names differ from their codes."""


def code_of(name: str) -> str:
    """The code of a ruleset by its code or its short name; what is neither stays as it is."""
    return SHORT_NAMES.get(name.lower(), name.lower())
