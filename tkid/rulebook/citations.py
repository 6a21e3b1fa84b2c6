"""Cite a rule in today's or an earlier wording, in several formats, and export the register.

The register's history is data: `history.toml` has the date of each version and what it changed, `wordings.json` the
wordings that it replaced. So a rule of an earlier version is today's rule with each later change undone.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from tkid.kernel.pickling import PortableError
from tkid.rulebook.register import VERSION, Rule, UnknownRuleError, all_rules, find_address, rule

TITLE = "The King is Dead: rules and rulings (tkid)"
AUTHOR = "The tkid authors"
ADDED = "added"
"""Words of the history for a rule in its first version."""
WORDING = ("kind", "title", "statement", "question", "options", "default", "reason", "moved", "confidence")
"""The fields of a rule that its history keeps. The others help to find and to understand it."""


class UnknownVersionError(PortableError, LookupError):
    """Somebody cites a version that the register never had."""

    def __str__(self) -> str:
        return f"there is no register {self.args[0]}; its versions are {', '.join(list_versions())}"


class Change(NamedTuple):
    """A change of a rule by a version of the register. A new rule has nothing `before`.

    If only an explanation changed, the rule's wording is the same before and after.
    """

    version: str
    day: date
    reason: str
    before: Rule | None
    after: Rule

    def describe(self) -> dict[str, Any]:
        """Return the change as a JSON object."""
        data = {"version": self.version, "date": self.day.isoformat(), "reason": self.reason}
        return data | {
            name: read_wording(entry) if entry else None
            for name, entry in (("before", self.before), ("after", self.after))
        }


@cache
def read_history() -> Mapping[str, Any]:
    """Return `dates` by version, and `changes`: by version, the reason for the change of a rule, a prefix, or `*`."""
    import tomllib  # noqa: PLC0415 - not needed to cite a rule as it is

    return tomllib.loads(files(__package__).joinpath("history", "history.toml").read_text("utf-8"))


@cache
def read_wordings() -> Mapping[str, Any]:
    """Return `replaced`, the fields that each version replaced, by rule; and `digests`, the checksum of each version."""
    found: Mapping[str, Any] = json.loads(files(__package__).joinpath("history", "wordings.json").read_bytes())
    return found


def list_versions() -> Mapping[str, date]:
    """Return the versions of the register and their dates, oldest first."""
    dates: Mapping[str, date] = read_history()["dates"]
    return dates


def read_wording(entry: Rule) -> dict[str, Any]:
    """Return the fields that the history keeps of a rule, without empty ones."""
    data = {name: getattr(entry, name) for name in WORDING if getattr(entry, name)}
    return data | ({"options": dict(entry.options)} if entry.options else {})


def find_rule_as_of(rule_id: str, version: str) -> Rule:
    """Return a rule as a version of the register states it; of a former version only the wording.

    Raises UnknownVersionError, and UnknownRuleError if there is no such rule, or was none in that version.
    """
    entry = rule(rule_id)
    versions = list(list_versions())
    if version not in versions:
        raise UnknownVersionError(version)
    first = _find_first_version(entry)
    if versions.index(version) < versions.index(first):
        raise UnknownRuleError(f"register {version} has no rule {entry.id!r}: it was added in {first}")
    if version == VERSION:
        return entry
    entry = entry._replace(short="", asks=(), words=(), why="", means="", example="", related=())
    for later in reversed(versions[versions.index(version) + 1 :]):
        entry = entry._replace(**read_wordings()["replaced"].get(later, {}).get(entry.id, {}))
    return entry


def find_cited_rule(text: str) -> tuple[Rule, str]:
    """Return the rule that somebody cites, and the version of the register, "" if the text names none.

    The text is an id as messages write it, or a link to the rule; `@` and a version may follow an id.
    Raises UnknownRuleError, UnknownVersionError.
    """
    *_, last = re.split(r"[/#]", text.strip(" []/"))
    rule_id, _, version = last.partition("@")
    linked = re.search(r"/v/([^/]+)/", text)
    version = version.strip() or (linked[1] if linked else "")
    return (find_rule_as_of(rule_id, version) if version else rule(rule_id)), version


def list_changes(entry: Rule) -> Iterator[Change]:
    """Yield what each version changed about a rule, oldest first, beginning with its first one."""
    history, replaced, first = read_history(), read_wordings()["replaced"], _find_first_version(entry)
    before = None
    for version, day in list_versions().items():
        said = history["changes"].get(version, {})
        if version == first:
            reason = ADDED
        elif before is None:
            continue
        else:
            reworded = said.get("*", "") if entry.id in replaced.get(version, {}) else ""
            reason = said.get(entry.id) or said.get(entry.prefix) or reworded
        if reason:
            after = find_rule_as_of(entry.id, version)
            yield Change(version, day, reason, before, after)
            before = after


def _find_first_version(entry: Rule) -> str:
    changes = read_history()["changes"]
    for name in (entry.id, entry.prefix):
        for version, said in changes.items():
            if said.get(name) == ADDED:
                return str(version)
    return next(iter(list_versions()))


def find_link(entry: Rule, version: str = "") -> str:
    """Return the permanent address of a rule, or of its wording in a version of the register."""
    return find_address(f"v/{version}/{entry.prefix}/#{entry.id}") if version else entry.link


def _cite_as_text(entry: Rule, version: str = "") -> str:
    said = f"{entry.title}: {entry.statement}".removeprefix(": ")
    return f"{said} [{entry.id}, register {version or VERSION}] {find_link(entry, version)}"


def _cite_as_markdown(entry: Rule, version: str = "") -> str:
    texts = (entry.title, entry.statement)
    title, statement = ("".join(f"\\{c}" if c in "\\*_[]<" else c for c in text) for text in texts)
    said = f"**{title}:** {statement}" if title else statement
    return f"{said} [{entry.id}]({find_link(entry, version)}) (register {version or VERSION})"


def _cite_as_bibtex(entry: Rule, version: str = "") -> str:
    day = list_versions()[version or VERSION]
    names = re.sub(r"(?<=[\s(/`-])\w*[A-Z]\w*", r"{\g<0>}", _escape_latex(entry.title or entry.id))
    fields = {
        "author": f"{{{{{AUTHOR}}}}}",
        "title": f"{{{names}}}",
        "howpublished": f"{{{TITLE}}}",
        "year": str(day.year),
        "month": day.strftime("%b").lower(),
        "version": f"{{{version or VERSION}}}",
        "url": f"{{{find_link(entry, version)}}}",
        "note": f"{{[{entry.id}, register {version or VERSION}] {_escape_latex(entry.statement)}}}",
    }
    body = ",\n".join(f"  {name} = {value}" for name, value in fields.items())
    return f"@misc{{{_make_key(entry, version)},\n{body}\n}}"


def _cite_as_csl(entry: Rule, version: str = "") -> str:
    item = {
        "id": _make_key(entry, version),
        "type": "webpage",
        "author": [{"literal": AUTHOR}],
        "title": entry.title or entry.id,
        "container-title": TITLE,
        "version": version or VERSION,
        "issued": {"date-parts": [[int((version or VERSION).partition(".")[0])]]},
        "URL": find_link(entry, version),
        "abstract": entry.statement,
        "note": entry.id,
    }
    return json.dumps([item], ensure_ascii=False, indent=2)


def _make_key(entry: Rule, version: str) -> str:
    return "-".join(filter(None, ("tkid", entry.id, version))).replace(".", "-")


LATEX: Mapping[str, str] = json.loads(files(__package__).joinpath("latex.json").read_text("utf-8"))
"""LaTeX for each special character."""
ACCENTS = {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u0327": "c "}


def _escape_latex(text: str) -> str:
    """Return a text of the register as LaTeX in ASCII. What is in backticks is code; straight quotation marks get a direction."""
    parts = text.split("`")
    prose = [re.sub(r'"', "”", re.sub(r'(?<![^\s(])"', "“", part)) for part in parts[::2]]
    parts[::2] = ["".join(map(_escape_sign, part)) for part in prose]
    code = ["".join("{-}" if sign == "-" else _escape_sign(sign) for sign in part) for part in parts[1::2]]
    parts[1::2] = [f"\\texttt{{{part}}}" for part in code]
    return "".join(parts)


def _escape_sign(sign: str) -> str:
    if sign in LATEX or sign.isascii():
        return LATEX.get(sign, sign)
    apart = unicodedata.normalize("NFD", sign)
    if apart[0].isascii() and apart[1:] in ACCENTS:
        return f"\\{ACCENTS[apart[1:]]}{{{apart[0]}}}"
    return unicodedata.name(sign, "?").lower()


FORMATS: dict[str, Callable[..., str]] = {
    "text": _cite_as_text,
    "markdown": _cite_as_markdown,
    "bibtex": _cite_as_bibtex,
    "csl-json": _cite_as_csl,
    "url": find_link,
}


def register_data() -> dict[str, Any]:
    """Return the register as it is published.

    Returns:
        A JSON object with the `version`, and with `rules`: every rule in reading order with all that it states.
    """
    return {"version": VERSION, "rules": [make_rule_data(entry) for entry in all_rules()]}


def make_rule_data(entry: Rule) -> dict[str, Any]:
    """Return a rule as a JSON object."""
    data: dict[str, Any] = {"id": entry.id, "kind": entry.kind, "title": entry.title, "statement": entry.statement}
    data["source"] = entry.source
    data |= {"short": entry.short, "why": entry.why, "means": entry.means, "words": list(entry.words)}
    data |= {"asks": [list(each) for each in entry.asks], "topic": entry.topic}
    data |= {"page": entry.page, "link": entry.link, "related": list(entry.related)}
    if entry.kind == "ruling":
        data |= {"question": entry.question, "options": dict(entry.options), "default": entry.default}
        data["reason"] = entry.reason
    if entry.confidence:
        data["confidence"] = entry.confidence
    if entry.moved:
        data["moved"] = entry.moved
    return data
