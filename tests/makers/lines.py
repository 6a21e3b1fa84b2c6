"""How every kind of order is read, line by line: `python -m tests.makers.lines` writes fixtures/orders/lines.json again.

The file has lines of four readers, each with its reading: the order, or the kind and the problems, or `a remark`. Lines are
never dropped: those of the file are read again, and the examples of each row come on top, whole and with mistakes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from attrs import asdict

from tests.shared.club_lines import read_club_line, read_desk_line
from tkid.club.desk_orders import TABLE, DeskOrder
from tkid.club.order_values import KINDS, ClubOrder
from tkid.kernel.problems import Problem
from tkid.mail.order_finder import OrderReader
from tkid.orders.order_kinds import list_forms
from tkid.orders.order_values import find_order_language
from tkid.rulebook.rulesets import ruleset

FILE = Path(__file__).parents[2] / "fixtures" / "orders" / "lines.json"
HOSTED = ("winter", "winter two", "glen", "all that")
"""The games of the host whose owner writes."""
GAMES = {"struggle": ruleset("second-edition").game(), "claim": ruleset("claim").game()}
PLAYERS = {"struggle": ("Ann", "Bob", "Cal", "Dee"), "claim": ("Ann", "Bob")}
FORM = re.compile(r"`([^`]+)`")


def describe_problem(problem: Problem) -> str:
    """A problem with its place, its rule, its reason and its hint."""
    return f"{problem.col}+{problem.length} [{problem.rule}] {problem.message}. {problem.hint}".rstrip()


def read_for_game(reader: OrderReader, line: str) -> str:
    """How a line is read in a game."""
    read = reader.read_line(line)
    if read.order is not None:
        return f"{read.kind}: {reader.write_order(read.order)}"
    told = "; ".join(map(describe_problem, read.problems))
    return f"{read.kind or '?'}: {told}" if read.meant else "a remark"


def read_for_club(line: str) -> str:
    """How a line is read for the club."""
    read = read_club_line(line)
    if isinstance(read, ClubOrder):
        told = {name: value for name, value in asdict(read).items() if name != "kind" and (value or value is False)}
        return " | ".join([read.kind, *(f"{name}={value}" for name, value in told.items())])
    return describe_problem(read) if isinstance(read, Problem) else repr(read) if read is not None else "a remark"


def read_for_desk(line: str) -> str:
    """How a line is read for the desk of the owner."""
    read = read_desk_line(line, HOSTED)
    if isinstance(read, DeskOrder):
        told = (read.kind, read.game, read.text, read.reason, read.number or "", "assumed" if read.is_assumed else "")
        return " | ".join(map(str, told)).rstrip("| ")
    return describe_problem(read) if isinstance(read, Problem) else "a remark"


READERS: Mapping[str, Callable[[str], str]] = {
    **{name: partial(read_for_game, OrderReader(game, PLAYERS[name], 0)) for name, game in GAMES.items()},
    "club": read_for_club,
    "desk": read_for_desk,
}


def list_examples() -> dict[str, list[str]]:
    """The examples that the rows of each reader show."""
    forms = {
        **{name: list_forms(find_order_language(game)).values() for name, game in GAMES.items()},
        "club": [kind.form for kind in KINDS],
        "desk": [kind.form for kind in TABLE],
    }
    return {scope: [line for form in every for line in FORM.findall(form)] for scope, every in forms.items()}


def spoil(line: str) -> Iterator[str]:
    """A line and others that are like it: in capitals, too short, too long, with two letters exchanged, in a sentence."""
    words = line.split(" ")
    yield from (line, line.upper(), f"{line}.", f"{line} please", f"{line} now", f"{line}, but only if you like it")
    for index, word in enumerate(words):
        before, behind = words[:index], words[index + 1 :]
        yield " ".join([*before, *behind])
        yield " ".join(words[: index + 1])
        yield " ".join([*before, word, "xyz", *behind])
        if len(word) > 3:
            yield " ".join([*before, word[:1] + word[2] + word[1] + word[3:], *behind])
            yield " ".join([*before, word[:-2] + word[-1], *behind])


def read_lines(recorded: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """The readings of today for all recorded lines, and for the examples of each row."""
    examples = list_examples()
    spoilt = {
        scope: [each for line in dict.fromkeys(lines) for each in spoil(line)] for scope, lines in examples.items()
    }
    every = {scope: sorted({*recorded.get(scope, ()), *spoilt[scope]}) for scope in READERS}
    return {scope: {line: READERS[scope](line) for line in lines} for scope, lines in every.items()}


def read_file() -> dict[str, dict[str, str]]:
    """The recorded readings."""
    found: dict[str, dict[str, str]] = json.loads(FILE.read_text("utf-8"))
    return found


if __name__ == "__main__":
    made = json.dumps(read_lines(read_file()), ensure_ascii=False, indent=1)
    FILE.write_text(f"{made}\n", "utf-8")
