"""The conformance suite: cases, questions, answers, verdicts."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from attrs import frozen

from tkid.kernel.pickling import PortableError
from tkid.kernel.plugins import list_game_names
from tkid.record.json.objects import JsonError
from tkid.record.json.positions import Answer, Question, find_game_json
from tkid.rulebook.rulesets import UnknownRulesetError, ruleset

INSTALLED = Path(__file__).parents[2] / "conformance"
CHECKED_OUT = Path(__file__).parents[3] / "fixtures" / "conformance"
MANIFEST = "manifest.json"
NUMBER = re.compile(r"[1-9][0-9]*\.[A-Z]\.[0-9]{2}")
"""A case's number: chapter, section, and its place when it was added."""
SETS = ("borders", "resolutions", "summons", "cards")
"""Attributes of answers in which order does not count, and nothing is given twice."""
BAGS = ("winners", "hand", "cunning", "teams", "discards")
"""Attributes of answers in which order does not count."""
BAGS_BY_SEAT = ("hands", "followers", "scores")
"""Attributes in which a seat's own, as `hands.0`, are such too; the discards of a seat lie in their order."""
SHOWN = 6
"""Maximum number of resolutions listed in a difference."""


class SuiteError(PortableError, ValueError):
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
        return str((self.question.get("position") or self.question)["ruleset"])

    @property
    def section(self) -> str:
        """Chapter and section, as in `4.B`."""
        return self.number.rpartition(".")[0]

    def make_question(self) -> dict[str, Any]:
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
    """All chapters, the suite's version, retired numbers with reasons, and the highest number of each section (`4.B`)."""

    version: str
    retired: Mapping[str, str]
    highest: Mapping[str, int]
    chapters: tuple[Chapter, ...]

    @property
    def cases(self) -> tuple[Case, ...]:
        return tuple(case for chapter in self.chapters for case in chapter.cases)


def find_own_suite() -> Path:
    """Return the folder of tkid's own suite: in the wheel, or in a checked-out tree."""
    return INSTALLED if INSTALLED.is_dir() else CHECKED_OUT


def pack_suite(folder: Path) -> bytes:
    """Pack the files of a suite into a ZIP file, the same bytes each time."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(folder.iterdir()):
            archive.writestr(ZipInfo(f"conformance/{file.name}"), file.read_bytes(), ZIP_DEFLATED)
    return packed.getvalue()


def read_suite(folder: Path) -> Suite:
    """Read the suite in a folder. Raises SuiteError, and OSError if a file cannot be opened."""
    if folder.is_file():
        raise SuiteError(
            f"{folder}: this is a file. Unpack it if it is the suite's ZIP file, and give the folder with {MANIFEST}"
        )
    manifest = _load_json(folder / MANIFEST)
    try:
        chapters = tuple(_read_chapter(folder, entry["file"]) for entry in manifest["chapters"])
        return Suite(str(manifest["version"]), dict(manifest["retired"]), dict(manifest["highest"]), chapters)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SuiteError(f"{folder}: not a conformance suite as its README describes it ({error})") from None


def _read_chapter(folder: Path, file: str) -> Chapter:
    read, cases = _load_json(folder / file), list[Case]()
    for case in read["cases"]:
        says = {rule["id"]: rule["says"] for rule in case["rules"]}
        cases.append(Case(case["number"], case["title"], case["why"], says, case["question"], case["expected"]))
    return Chapter(read["chapter"], read["title"], file, read["sections"], tuple(cases))


def _load_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise SuiteError(f"{path}: not JSON in UTF-8 ({error})") from None


def read_answers(lines: Iterable[str], name: str) -> dict[str, Mapping[str, Any]]:
    """Read answers by case number, from lines of JSON; `name` is the file's. Raises SuiteError with the line."""
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


def find_differences(case: Case, answer: Mapping[str, Any]) -> Iterator[str]:
    """Find the differences of an answer from the expected one. Attributes that aren't expected don't count."""
    if problems := answer.get("problems"):
        yield f"not answered: {_format_json(problems)}"
        return
    for name, expected in case.expected.items():
        if name not in answer:
            yield f"{name} is missing: expected {_format_json(expected)}"
            continue
        found = answer[name]
        if name in SETS and isinstance(found, list):
            yield from _compare_sets(name, expected, found)
        elif _make_comparable(name, found) != _make_comparable(name, expected):
            yield f"{name}: expected {_format_json(expected)}, got {_format_json(found)}"


def _compare_sets(name: str, expected: list[Any], found: list[Any]) -> Iterator[str]:
    texts = {each["text"]: _make_key(each) for each in expected if isinstance(each, dict) and "text" in each}
    wanted = {_make_key(each): each for each in expected}
    keys = [texts.get(each, _make_key(each)) if isinstance(each, str) else _make_key(each) for each in found]
    given = dict(zip(keys, found, strict=True))
    for fault, some in (
        ("missing", [wanted[key] for key in wanted if key not in given]),
        ("too much", [given[key] for key in given if key not in wanted]),
        ("more than once", [given[key] for key, times in Counter(keys).items() if times > 1]),
    ):
        if some:
            more = f" and {len(some) - SHOWN} more" if len(some) > SHOWN else ""
            items = (
                str(each["text"]) if isinstance(each, dict) and "text" in each else _format_json(each) for each in some
            )
            yield f"{name}: {fault}: {'; '.join(islice(items, SHOWN))}{more}"


def _make_key(value: Any) -> str:
    """Return a key that ignores a member's text, and the order and splitting of its transfers."""
    return json.dumps(_normalize_value(value), sort_keys=True)


def _normalize_value(value: Any) -> Any:
    """Return a value without texts and zero counts, with transfers merged and sorted."""
    if isinstance(value, list):
        return [_normalize_value(each) for each in value]
    if not isinstance(value, dict):
        return value
    if all(isinstance(n, int) and len(key) == 1 for key, n in value.items()):
        return {key: n for key, n in value.items() if n}
    plain = {key: _normalize_value(each) for key, each in value.items() if key != "text"}
    if isinstance(plain.get("transfers"), list):
        plain["transfers"] = _sum_transfers(plain["transfers"])
    if "cards" in plain and isinstance(plain["cards"], list):
        plain["cards"] = sorted(map(str, plain["cards"]))
    return plain


def _sum_transfers(transfers: list[Any]) -> list[str]:
    """Sum the followers of each kind by way. Transfers that aren't in the documented form stay unchanged."""
    counts: dict[tuple[str, str, str], int] = {}
    for transfer in transfers:
        try:
            for kind, number in transfer["followers"].items():
                way = (str(transfer["from"]), str(transfer["to"]), str(kind))
                counts[way] = counts.get(way, 0) + int(number)
        except (KeyError, TypeError, ValueError, AttributeError):
            return [json.dumps(each, sort_keys=True) for each in transfers]
    return [f"{n}{kind} {origin} > {target}" for (origin, target, kind), n in sorted(counts.items())]


def _make_comparable(name: str, value: Any) -> Any:
    plain = _normalize_value(value)
    bag = name in BAGS or name.partition(".")[0] in BAGS_BY_SEAT
    if bag and isinstance(plain, list):
        return sorted(plain, key=lambda each: json.dumps(each, sort_keys=True))
    return plain


def _format_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def answer(question: Question) -> Answer:
    """Answer a question, with the number of its case, or with `problems` if it can't be read."""
    number = {"case": question["case"]} if "case" in question else {}
    try:
        return number | _find_answer(question)
    except JsonError as error:
        return number | {"problems": [{"rule": fault.rule, "message": fault.message} for fault in error.problems]}


def _find_answer(question: Question) -> Answer:
    """Answer a question. An unknown ruleset is left to the first game, which reports it."""
    position = question.get("position")
    codes = (question.get("ruleset"), position.get("ruleset") if isinstance(position, dict) else None)
    try:
        names = {ruleset(code).game_name for code in codes if isinstance(code, str)}
    except UnknownRulesetError:
        names = set()
    if len(names) > 1:
        raise JsonError("ruleset: the position is of another game")
    questions, kind = find_game_json(names.pop() if names else list_game_names()[0]), question.get("ask")
    if not isinstance(kind, str) or kind not in questions.asked:
        raise JsonError(f"ask: one of {', '.join(questions.asked)} belongs here")
    answered: Answer = getattr(questions, kind)(question)
    return answered
