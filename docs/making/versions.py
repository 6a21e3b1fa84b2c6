"""Pages of the register as of a version: what it changed, and the wording of every rule, under /v/."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from docs.making.html import html
from docs.making.pocket import pocket, pocket_pages
from docs.making.rule_pages import title_of
from tkid.rulebook import Rule, UnknownRuleError, all_rules, rule
from tkid.rulebook.citations import find_rule_as_of, list_versions, read_history
from tkid.rulebook.register import find_page_title, is_known_rule


@cache
def rules_of(version: str) -> Mapping[str, list[Rule]]:
    """The rules of a version as it states them, by the first word of their ids."""
    found: dict[str, list[Rule]] = {}
    for entry in all_rules():
        try:
            found.setdefault(entry.prefix, []).append(find_rule_as_of(entry.id, version))
        except UnknownRuleError:
            continue
    return {prefix: rules for prefix, rules in found.items() if rules}


def _changed(version: str) -> list[tuple[str, str, str]]:
    """What a version changed: the path of a rule, or of all of a kind, its title, and what changed."""
    found = []
    for name, reason in read_history()["changes"].get(version, {}).items():
        if is_known_rule(name):
            found.append((rule(name).path, f"{title_of(rule(name))} ({name})", reason))
        elif name in rules_of(version):
            found.append((f"v/{version}/{name}/", f"All rules: {find_page_title(name)}", reason))
        else:
            found.append((f"v/{version}/", "Other rules with another wording", reason))
    return found


@pocket_pages
def version_pages() -> Iterator[tuple[str, str]]:
    """The list of versions, a page for each, and one for the rules of each kind in it."""
    versions = list_versions()
    here = "v/index.html"
    numbers = {version: sum(map(len, rules_of(version).values())) for version in versions}
    yield here, pocket("versions.html", here, title="The register by version", versions=versions, numbers=numbers)
    for version, day in versions.items():
        here = f"v/{version}/index.html"
        books = {prefix: find_page_title(prefix) for prefix in rules_of(version)}
        context = {"version": version, "day": day, "html": html}
        title = f"Register {version}"
        yield here, pocket("version.html", here, title=title, books=books, changed=_changed(version), **context)
        for prefix, rules in rules_of(version).items():
            here, title = f"v/{version}/{prefix}/index.html", f"{books[prefix]}, register {version}"
            yield here, pocket("as-of.html", here, title=title, book=books[prefix], rules=rules, **context)
