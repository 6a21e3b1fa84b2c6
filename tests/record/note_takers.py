"""Note-takers with habits of their own, who shorten what they write."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from attrs import frozen

from tkid.kernel.game import fill_names
from tkid.notation.text import spell_number
from tkid.record.format.model import Record
from tkid.record.format.reader import write_start
from tkid.record.play.replay import Replay

ARROWS = ("<>", "x", "<->", "with", "for", "/", "w/")
SUMMONS = ("; ", " + ", ", summon ", ", takes ", " -> summons ", "; ")
PASSES = ("p", "pass", "passes", "-", "Pass")
LABELS = ("", "", "{name}: ", "{name} - ", "{name[0]} ", "{name[0]}: ", "{two} ", "#{seat} ", "[19:02] {small}: ")
"""How people say whose turn a line tells."""
RESULTS = (None, "-> {0}: {1}", "{0} = {1}", "{0} {1}", "** {0} to the {1}", "{0} - {1}", "=> {0} {1}")
"""How people say what a power struggle came to; None if they do not."""
NAME = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)?")
COLOURS = {"S": "blue", "W": "red", "E": "yellow", "R": "yellow"}


@frozen
class NoteTaker:
    """The habits of one person: how long names are, which signs stand between them, what is numbered and labelled."""

    letters: int
    arrow: str
    summons: str
    passing: str
    numbered: bool
    label: str
    coloured: bool
    result: str | None
    gathers: bool
    """True if passes in a row are one line."""

    @classmethod
    def draw(cls, rng: Random) -> NoteTaker:
        return cls(
            letters=rng.choice([3, 4, 5, 20]),
            arrow=rng.choice(ARROWS),
            summons=rng.choice(SUMMONS),
            passing=rng.choice(PASSES),
            numbered=rng.random() < 0.5,
            label=rng.choice(LABELS),
            coloured=rng.random() < 0.2,
            result=rng.choice(RESULTS),
            gathers=rng.random() < 0.3,
        )

    def shorten(self, found: re.Match[str]) -> str:
        return " ".join(word[: self.letters] for word in found[0].split())

    def write_turn(self, turn: str) -> str:
        if turn == "Pass":
            return self.passing
        text = turn.replace("; summon ", self.summons).replace("<>", self.arrow)
        if self.coloured:
            text = re.sub(r"\b([SWER])(?= [A-Z])", lambda found: COLOURS[found[1]], text)
        return NAME.sub(self.shorten, text)

    def write(self, played: Replay) -> list[str]:
        lines, names = [], played.record.names
        waiting = list[tuple[str, str]]()
        for number, moment in enumerate(played.moments[1:], 1):
            name, _, turn = moment.line.partition(". ")[2].partition(" ")
            seat = names.index(name) + 1
            label = self.label.format(name=name, two=name[:2], small=name.lower(), seat=seat)
            waiting.append((label, f"{'' if '#' in label else self._number(number)}{label}{self.write_turn(turn)}"))
            results = [fill_names(event.line, names) for event in moment.events if event.line and self.result]
            behind = played.moments[number + 1 :][:1]
            is_more = turn == "Pass" and any(each.line.endswith("Pass") for each in behind)
            if not (self.gathers and label and is_more and not moment.events):
                lines.append(", ".join(line for _, line in waiting))
                waiting = []
            lines += [self._write_result(each) for each in results]
        return lines

    def _number(self, number: int) -> str:
        return f"{number}. " if self.numbered else ""

    def _write_result(self, line: str) -> str:
        region, _, result = line.partition(": ")
        if not self.result or region in {"Coronation", "Invasion"}:
            return line
        return self.result.format(region, result if ":" in self.result else result.partition(" ")[0])


FOLLOWERS = {"S": ("scot", "blue"), "W": ("welsh", "red"), "E": ("english", "yellow")}
COUNTS = ("letters", "small", "number", "comma", "plus", "behind", "words", "colours", "spelled", "dashes", "table")
REGION_NAMES = (20, 20, 5, 4, 3)
"""Letters of a region's name in a set-up."""


def write_followers(style: str, row: str) -> str:
    """Followers of a row of a set-up, as somebody may write them."""
    counts = {
        letter: sum(int(n or 1) for n, many in re.findall(r"(\d*)([A-Z]+)", row) for each in many if each == letter)
        for letter in "SWE"
    }
    if style in {"dashes", "table"}:
        return ("-" if style == "dashes" else "  ").join(str(count) for count in counts.values())
    some = [(letter, count) for letter, count in counts.items() if count]
    if style in {"letters", "small"}:
        run = "".join(letter * count for letter, count in some)
        return run.lower() if style == "small" else run
    write: Callable[[str, int], str] = {
        "number": lambda letter, count: f"{count}{letter}",
        "comma": lambda letter, count: f"{count}{letter}",
        "plus": lambda letter, count: f"{count}{letter}",
        "behind": lambda letter, count: f"{letter}{count}",
        "words": lambda letter, count: f"{count} {FOLLOWERS[letter][0]}",
        "colours": lambda letter, count: f"{count}x {FOLLOWERS[letter][1]}",
        "spelled": lambda letter, count: f"{spell_number(count)} {FOLLOWERS[letter][1]}",
    }[style]
    return {"comma": ", ", "plus": " + ", "spelled": " and "}.get(style, " ").join(write(*each) for each in some)


def write_set_up(record: Record, rng: Random) -> list[str]:
    """The players and the set-up of a game as somebody may note them, and passes of the first two players."""
    rows = dict(re.findall(r"^(\w+(?: \w+)?)  +(\S.*)$", write_start(record), re.MULTILINE))
    names, style, letters = list(record.names), rng.choice(COUNTS), rng.choice(REGION_NAMES)
    first = names.index(rows["First"])
    order = names[first:] + names[:first]
    listed = rng.choice(
        [f"Players: {', '.join(names)}", f"We sat {', '.join(names)}.", f"{', '.join(names[:-1])} and {names[-1]}"]
    )
    head = ["The King is Dead, 2nd edition", listed, rng.choice([f"{order[0]} starts", f"First: {order[0]}", ""])]
    head += ["S  W  E"] if style in {"dashes", "table"} else []
    regions = sorted(rows["Track"].split(", "))
    apart = "   " if style == "table" else rng.choice([": ", " ", " - ", " = "])
    held = [f"{name[:letters]}{apart}{write_followers(style, rows[name])}" for name in regions]
    courts = {name: write_followers(style, rows[f"Court {name}"]) for name in names}
    written = {
        "line": [f"courts: {', '.join(f'{name} {row}' for name, row in courts.items())}"],
        "lines": ["Courts", *(f"{name}: {row}" for name, row in courts.items())],
        "told": [f"{name} has {row}" for name, row in courts.items()],
    }
    track = [name[:letters] for name in rows["Track"].split(", ")]
    tracks = [
        [f"Track: {', '.join(track)}"],
        [f"order {' > '.join(track)}"],
        ["Cards:", *(f"{at}. {name}" for at, name in enumerate(track, 1))],
    ]
    blocks = [
        rng.choice([held, [" | ".join(held)]]) if style not in {"dashes", "table"} else held,
        rng.choice([[f"{rng.choice(['supply', 'left over', 'bag'])}: {write_followers(style, rows['Supply'])}"], []]),
        written[rng.choice(sorted(written))],
        rng.choice(tracks),
    ]
    rng.shuffle(blocks)
    turns = [f"{number}. {name} passes" for number, name in enumerate(order[:2], 1)]
    return [*head, *(line for block in blocks for line in block), "", *turns]
