"""The rulesets by the short names that the site uses for them."""

from __future__ import annotations


def code_of(name: str) -> str:
    """The code of a ruleset by its code, or by the word that it begins with (`first`) or ends with (`mordred`).

    Of several that begin so it is the shortest, of several that end so the longest: `advanced` is the second edition's.
    """
    from tkid.rulebook.search import ruleset_codes

    name, codes = name.lower(), ruleset_codes()
    begun = [code for code in codes if f"{code}-".startswith(f"{name}-")]
    ended = [code for code in codes if code.endswith(f"-{name}")]
    return min(begun, key=len, default="") or max(ended, key=len, default=name)
