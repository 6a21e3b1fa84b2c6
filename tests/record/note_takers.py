"""Note-takers with habits of their own, who shorten what they write."""

from __future__ import annotations

import re
from random import Random

from attrs import frozen

from tkid.kernel.game import fill_names
from tkid.record.play.replay import Replay

ARROWS = ("<>", "x", "<->", "with", "for", "/", "w/")
SUMMONS = ("; ", " + ", ", summon ", ", takes ", " -> summons ", "; ")
PASSES = ("p", "pass", "passes", "-", "Pass")
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
    labelled: bool
    coloured: bool
    results: bool

    @classmethod
    def draw(cls, rng: Random) -> NoteTaker:
        return cls(
            letters=rng.choice([3, 4, 5, 20]),
            arrow=rng.choice(ARROWS),
            summons=rng.choice(SUMMONS),
            passing=rng.choice(PASSES),
            numbered=rng.random() < 0.5,
            labelled=rng.random() < 0.6,
            coloured=rng.random() < 0.2,
            results=rng.random() < 0.5,
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
        lines = []
        for number, moment in enumerate(played.moments[1:], 1):
            name, _, turn = moment.line.partition(". ")[2].partition(" ")
            label = f"{name}: " if self.labelled else ""
            lines.append(f"{f'{number}. ' if self.numbered else ''}{label}{self.write_turn(turn)}")
            lines += [
                f"-> {fill_names(event.line, played.record.names)}"
                for event in moment.events
                if event.line and self.results
            ]
        return lines
