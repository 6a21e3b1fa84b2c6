"""Where a rule is at work: the functions that name it, and the tests that do."""

from __future__ import annotations

import ast
import re
import runpy
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from unittest.mock import patch

from attrs import Factory, define, frozen

from docs.making.words import ROOT
from tkid.rulebook import Ids, Rule, is_known_rule, list_in_force, rule
from tkid.rulebook.rulesets import rulesets

UNSEEN = {"tkid/rulebook/register.py", "tkid/rulebook/rulesets.py"}
"""What only passes ids on."""
PAGES_ONLY = "tests/docs/"
"""Tests of the site: they name rules as examples."""
WORD = re.compile(r"[\w.-]+")
"""A word that may be an id."""


@frozen(order=True)
class Place:
    """Where something is: file, line (from 1), and the function or class around it ("" for the file itself)."""

    path: str
    line: int
    name: str


Named = tuple[str, Place]
"""A text that code names, and where."""


@cache
def constants(folder: str, is_id: Callable[[str], object]) -> tuple[Named, ...]:
    """Every string in the files of a folder of the repository that is an id, or may be one, and where it is used.

    A string that a file gives a name counts where that name is used. Only files with a word that may be one are parsed.
    """
    texts = {file: file.read_text("utf-8") for file in sorted((ROOT / folder).rglob("*.py"))}
    return tuple(
        named
        for file, text in texts.items()
        if "IDS(" in text or any(map(is_id, WORD.findall(text)))
        for named in _Strings(file.relative_to(ROOT).as_posix(), is_id).found(text)
    )


@define
class _Strings:
    """Finds the strings of a file."""

    path: str
    is_id: Callable[[str], object]
    names: tuple[str, ...] = ()
    called: dict[str, list[str]] = Factory(dict)
    lines: list[int] = Factory(list)

    def found(self, text: str) -> list[Named]:
        """Each string with its place."""
        found: list[Named] = []
        module = ast.parse(text)
        for node in module.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name | ast.Tuple):
                self._name(node.targets[0], node.value)
        names = re.compile(r"\b(?:{})\b".format("|".join(["IDS", *filter(self.called.get, self.called)])))
        self.lines = [
            number
            for number, line in enumerate(text.splitlines(), 1)
            if any(map(self.is_id, WORD.findall(line))) or names.search(line)
        ]
        self._visit(module, found)
        return found

    def _is_empty(self, node: ast.AST) -> bool:
        """Return True if none of a node's lines has a string that counts: most have none, and visiting takes long."""
        first = min((each.lineno for each in getattr(node, "decorator_list", ())), default=getattr(node, "lineno", 0))
        return bool(first) and bisect_left(self.lines, first) == bisect_right(self.lines, node.end_lineno or first)  # type: ignore[attr-defined]

    def _name(self, target: ast.expr, value: ast.expr) -> None:
        """Note what a name of the file stands for."""
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for each, its in zip(target.elts, value.elts, strict=False):
                self._name(each, its)
        elif isinstance(target, ast.Name):
            texts = (text for node in ast.walk(value) for text in self._text(node))
            self.called[target.id] = list(filter(self.is_id, texts))

    def _text(self, node: ast.AST) -> list[str]:
        """The string that a node is; in the code for mails ids are asked for by their last word too."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "IDS":
            words = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            return [f"mail.{word}" for word in words] if self.path.startswith(("tkid/mail/", "tkid/host/")) else []
        return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []

    def _visit(self, node: ast.AST, found: list[Named]) -> None:
        texts = self._text(node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and self.names:
            texts = self.called.get(node.id, [])
        named = filter(self.is_id, texts)
        found += [(text, Place(self.path, getattr(node, "lineno", 1), ".".join(self.names))) for text in named]
        if isinstance(node, ast.Constant | ast.Name):  # most nodes are, and have nothing in them
            return
        around = self.names
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            self.names = (*around, node.name)
        for child in ast.iter_child_nodes(node):
            if not self._is_empty(child):
                self._visit(child, found)
        self.names = around


@cache
def built() -> tuple[Named, ...]:
    """The ids asked for when the rulesets are made, and where: some are put together of two parts there."""
    found: list[Named] = []
    ask = Ids.__call__

    def noted(ids: Ids, local: str) -> str:
        frame = sys._getframe(1)  # noqa: SLF001 - the one way to learn who asks
        while frame.f_back and frame.f_code.co_filename == ask.__code__.co_filename:
            frame = frame.f_back
        code = frame.f_code
        name = code.co_qualname.replace("<locals>.", "").replace(".<lambda>", "")
        place = Place(_in_repository(code.co_filename), frame.f_lineno, "" if name == "<module>" else name)
        whole = ask(ids, local)
        found.append((whole, place))
        return whole

    with patch.object(Ids, "__call__", noted):
        for module in dict.fromkeys(ruleset.build.__module__ for ruleset in rulesets()):
            made = runpy.run_path(str(import_module(module).__file__))
            for ruleset in rulesets():
                function = made.get(ruleset.build.__name__)
                if callable(function) and ruleset.build.__module__ == module:
                    others = ({switch: option} for switch in ruleset.switches for option in rule(switch).options)
                    for chosen in ({}, *others):
                        function(ruleset.list_defaults() | chosen)
    return tuple(found)


def _in_repository(file: str) -> str:
    path = Path(file)
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()


@cache
def _ids(text: str) -> tuple[str, ...]:
    """The ids that a text may stand for: it is whole, or local to a ruleset's rules, its own or its base's."""
    local = [in_force[text].id for in_force in _in_force() if text in in_force]
    return tuple(dict.fromkeys([text, *local] if is_known_rule(text) else local))


@cache
def _in_force() -> tuple[Mapping[str, Rule], ...]:
    """The rules of each ruleset by their local ids."""
    return tuple(map(list_in_force, dict.fromkeys(ruleset.rule_prefix for ruleset in rulesets())))


@cache
def enforced() -> dict[str, tuple[Place, ...]]:
    """The places in the engine that name each rule, by id; one for each function."""
    named = ((i, place) for text, place in constants("tkid", _ids) for i in _ids(text))
    return _by_id(chain(named, built()))


@cache
def in_tests() -> dict[str, tuple[Place, ...]]:
    """The tests that name each rule by its whole id; one place for each test."""
    return _by_id(
        (text, place)
        for text, place in constants("tests", is_known_rule)
        if not place.path.startswith(PAGES_ONLY) and place.name.rpartition(".")[2].startswith("test_")
    )


def _by_id(named: Iterator[Named]) -> dict[str, tuple[Place, ...]]:
    places: dict[str, dict[tuple[str, str], Place]] = {}
    for rule_id, place in named:
        if place.path in UNSEEN or not place.path.startswith(("tkid/", "tests/")):
            continue
        of_rule = places.setdefault(rule_id, {})
        key = (place.path, place.name)
        of_rule[key] = min(of_rule.get(key, place), place)
    return {
        rule_id: tuple(sorted(place for place in found.values() if place.name or not any(name for _, name in found)))
        for rule_id, found in places.items()
    }
