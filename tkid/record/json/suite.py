"""The conformance suite as files: numbered cases with questions and expected answers, and the comparing of answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from attrs import frozen

MANIFEST = "manifest.json"
NUMBER = re.compile(r"[1-9][0-9]*\.[A-Z]\.[0-9]{2}")
"""A case's number: chapter, section, and its place when it was added."""
SETS = ("borders", "resolutions", "summons", "cards")
"""Attributes of answers in which neither order nor repetition counts."""
BAGS = ("winners", "hand", "cunning", "teams", "discards")
"""Attributes of answers in which order does not count."""
BAGS_BY_SEAT = ("hands", "followers", "scores")
"""Attributes in which a seat's own, as `hands.0`, are such too; the discards of a seat lie in their order."""
SHOWN = 6
"""So many resolutions are listed in a difference."""


class SuiteError(ValueError):
    """A folder or a file is not what the suite's README describes."""


@frozen
class Case:
    """A numbered case: a question, the expected answer, why, and the rules by id with what they say."""

    number: str
    title: str
    why: str
    rules: Mapping[str, str]
    question: Mapping[str, Any]
    expected: Mapping[str, Any]

    @property
    def ruleset(self) -> str:
        """The code of the ruleset that is asked about."""
        return str((self.question.get("position") or self.question)["ruleset"])

    @property
    def section(self) -> str:
        """Chapter and section, as in `4.B`."""
        return self.number.rpartition(".")[0]

    def asked(self) -> dict[str, Any]:
        """The question as a line for an implementation."""
        return {"case": self.number, **self.question}


@frozen
class Chapter:
    """The cases on one subject: sections are titles by letter."""

    number: int
    title: str
    file: str
    sections: Mapping[str, str]
    cases: tuple[Case, ...]


@frozen
class Suite:
    """All chapters, with the version of the suite; numbers that are not used any more with the reason; the highest ones.

    `highest` is the last place that each section (`4.B`) has ever given to a case.
    """

    version: str
    retired: Mapping[str, str]
    highest: Mapping[str, int]
    chapters: tuple[Chapter, ...]

    @property
    def cases(self) -> tuple[Case, ...]:
        """Every case in order."""
        return tuple(case for chapter in self.chapters for case in chapter.cases)


@frozen
class Verdict:
    """What came of a case: no differences where the answer is the expected one."""

    case: Case
    differences: tuple[str, ...]


def read_suite(folder: Path) -> Suite:
    """The suite in a folder. Raises SuiteError, and OSError where a file cannot be opened."""
    manifest = _loaded(folder / MANIFEST)
    try:
        chapters = tuple(_chapter(folder, entry["file"]) for entry in manifest["chapters"])
        return Suite(str(manifest["version"]), dict(manifest["retired"]), dict(manifest["highest"]), chapters)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SuiteError(f"{folder}: not a conformance suite as its README describes it ({error})") from None


def _chapter(folder: Path, file: str) -> Chapter:
    read = _loaded(folder / file)
    cases = tuple(
        Case(
            case["number"],
            case["title"],
            case["why"],
            {rule["id"]: rule["says"] for rule in case["rules"]},
            case["question"],
            case["expected"],
        )
        for case in read["cases"]
    )
    return Chapter(read["chapter"], read["title"], file, read["sections"], cases)


def _loaded(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise SuiteError(f"{path}: not JSON in UTF-8 ({error})") from None


def read_answers(lines: Iterable[str], name: str) -> dict[str, Mapping[str, Any]]:
    """Answers by case number, from lines of JSON; `name` is the file's. Raises SuiteError with the line."""
    answers: dict[str, Mapping[str, Any]] = {}
    for row, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise SuiteError(f"{name}:{row}: this is not JSON; an answer is an object on a line of its own") from None
        number = answer.get("case") if isinstance(answer, dict) else None
        if not isinstance(number, str):
            raise SuiteError(f'{name}:{row}: an answer is an object with its case\'s number: {{"case": "4.B.07", …}}')
        if number in answers:
            raise SuiteError(f"{name}:{row}: {number} is answered twice")
        answers[number] = answer
    return answers


def verdicts(cases: Sequence[Case], answers: Mapping[str, Mapping[str, Any]]) -> Iterator[Verdict]:
    """The verdict on each case."""
    for case in cases:
        answer = answers.get(case.number)
        yield Verdict(case, ("no answer",) if answer is None else tuple(differences(case, answer)))


def differences(case: Case, answer: Mapping[str, Any]) -> Iterator[str]:
    """What in an answer is not as expected. What it says beyond the expected attributes is not looked at."""
    if problems := answer.get("problems"):
        yield f"not answered: {_shown(problems)}"
        return
    for name, expected in case.expected.items():
        if name not in answer:
            yield f"{name} is missing: expected {_shown(expected)}"
            continue
        found = answer[name]
        if name in SETS and isinstance(found, list):
            yield from _set_differences(name, expected, found)
        elif _comparable(name, found) != _comparable(name, expected):
            yield f"{name}: expected {_shown(expected)}, got {_shown(found)}"


def _set_differences(name: str, expected: list[Any], found: list[Any]) -> Iterator[str]:
    """What a set lacks, and what it has too much."""
    texts = {each["text"]: _key(each) for each in expected if isinstance(each, dict) and "text" in each}
    wanted = {_key(each): each for each in expected}
    given = {texts.get(each, _key(each)) if isinstance(each, str) else _key(each): each for each in found}
    for fault, some in (
        ("missing", [wanted[key] for key in wanted if key not in given]),
        ("too much", [given[key] for key in given if key not in wanted]),
    ):
        if some:
            more = f" and {len(some) - SHOWN} more" if len(some) > SHOWN else ""
            items = (str(each["text"]) if isinstance(each, dict) and "text" in each else _shown(each) for each in some)
            yield f"{name}: {fault}: {'; '.join(islice(items, SHOWN))}{more}"


def _key(value: Any) -> str:
    """What makes a member of a set the same as another: not its text, nor the order or the cutting of its transfers."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    """A value without texts, without counts of none, with transfers put together and put in order."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    if all(isinstance(n, int) and len(key) == 1 for key, n in value.items()):
        return {key: n for key, n in value.items() if n}
    plain = {key: _plain(each) for key, each in value.items() if key != "text"}
    if isinstance(plain.get("transfers"), list):
        plain["transfers"] = _ways(plain["transfers"])
    if "cards" in plain and isinstance(plain["cards"], list):
        plain["cards"] = sorted(map(str, plain["cards"]))
    return plain


def _ways(transfers: list[Any]) -> list[str]:
    """How many of each kind go from where to where; as they are where they are not as documented."""
    counts: dict[tuple[str, str, str], int] = {}
    for transfer in transfers:
        try:
            for kind, number in transfer["followers"].items():
                way = (str(transfer["from"]), str(transfer["to"]), str(kind))
                counts[way] = counts.get(way, 0) + int(number)
        except (KeyError, TypeError, ValueError, AttributeError):
            return [json.dumps(each, sort_keys=True) for each in transfers]
    return [f"{n}{kind} {origin} > {target}" for (origin, target, kind), n in sorted(counts.items())]


def _comparable(name: str, value: Any) -> Any:
    plain = _plain(value)
    bag = name in BAGS or name.partition(".")[0] in BAGS_BY_SEAT
    if bag and isinstance(plain, list):
        return sorted(plain, key=lambda each: json.dumps(each, sort_keys=True))
    return plain


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
