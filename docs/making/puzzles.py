"""Puzzles: a list of them, and for each a page with a board to click, its picture, and the solution behind a fold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from itertools import groupby
from typing import Any

from attrs import evolve, frozen

from docs.making.words import ROOT
from tkid.notation.names import list_names
from tkid.notation.text import spell_number
from tkid.record.format.model import Record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.render.click_page import Exercise, click_page, write_data_element
from tkid.render.clicks import find_drawing_plugin
from tkid.render.picture import write_svg_document
from tkid.render.plugin import tell_events
from tkid.rulebook.rulesets import ruleset, rulesets

FOLDER = ROOT / "fixtures" / "puzzles"
GRADES = ("Easy", "Medium", "Hard")
EASY, MEDIUM = 4, 2
"""A puzzle is easy or medium if so many levels of programs find its turn."""
ON_MAP = ("paper", "sea", "land-", "next", "region-")
"""The parts of a picture that a small map has, by the beginnings of their names."""
WORDS = re.compile("<text.*?</text>", re.DOTALL)
STYLE = ROOT / "docs" / "stylesheets" / "puzzle.css"
SCRIPT = ROOT / "docs" / "javascripts" / "puzzle.js"


@frozen
class Puzzle:
    """A puzzle: its number, the solution played through, and what its file says about turns."""

    number: str
    solution: Replay
    told: Mapping[str, Any]

    @property
    def record(self) -> Record:
        """The record of the solution."""
        return self.solution.record

    @property
    def start(self) -> Any:
        """The position of the puzzle."""
        return self.solution.moments[0].position

    @property
    def solver(self) -> str:
        """The player who wins."""
        return self.record.names[self.start.to_act]

    @property
    def kind(self) -> str:
        """The edition, with the number of players where there are more than two."""
        players = len(self.record.seats)
        return self.record.ruleset.title + (f", {players} players" if players > 2 else "")

    @property
    def grade(self) -> int:
        """How hard it is: the place of its grade in `GRADES`."""
        finders = len(self.told["found_by"])
        return 0 if finders >= EASY else 1 if finders >= MEDIUM else 2

    @property
    def place(self) -> tuple[int, ...]:
        """What it is listed by within its ruleset."""
        return len(self.record.seats), self.grade, int(self.number)

    @property
    def task(self) -> str:
        """What is to be found."""
        others = ", whatever the other players do" if len(self.record.seats) > 2 else ""
        (party,) = (each for each in self.record.game.parties[len(self.record.seats)] if self.start.to_act in each)
        mates = " and ".join(self.record.names[seat] for seat in party if seat != self.start.to_act)
        team = f" for the team with {mates}" if mates else ""
        return (
            f"{self.solver} can force a win{team}{others}. Find the one turn that does it. "
            "All players know all cards, and a draw is not a win."
        )


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """All puzzles, in the order in which they are listed: by ruleset and number of players; the easy ones first."""
    codes = [entry.code for entry in rulesets()]
    known = map(_puzzle, (path.stem for path in FOLDER.glob("*.json")))
    return tuple(sorted(known, key=lambda each: (codes.index(each.record.ruleset.code), *each.place)))


def _puzzle(number: str) -> Puzzle:
    record = read_record((FOLDER / f"{number}-solution.tkid").read_bytes()).record
    assert record is not None, number
    return Puzzle(number, replay(record), json.loads((FOLDER / f"{number}.json").read_text("utf-8")))


def puzzle_list() -> str:
    """The list as Markdown, by edition and number of players."""
    return "\n".join(_sections())


def _sections() -> Iterator[str]:
    yield f'<p class="p-solved" data-of="{len(puzzles())}" hidden></p>\n'
    for code, group in groupby(puzzles(), key=lambda puzzle: puzzle.record.ruleset.code):
        yield f"## {ruleset(code).title}\n"
        for players, some in groupby(group, key=lambda puzzle: len(puzzle.record.seats)):
            teams = ", in teams" if len(ruleset(code).game().parties[players]) < players else ""
            yield f"### {spell_number(players).capitalize()} players{teams} {{: #{code}-{players} }}\n"
            yield '<div class="p-maps">'
            yield from map(_write_entry, some)
            yield "</div>\n"


def _write_entry(puzzle: Puzzle) -> str:
    """A puzzle in the list: its map, who wins, and how hard it is; the script of the site marks it when it is solved."""
    hard, grade = puzzle.grade + 1, GRADES[puzzle.grade]
    dots = f'<i role="img" aria-label="{grade}">{"●" * hard}{"○" * (len(GRADES) - hard)}</i>'
    shown = f'<img src="{puzzle.number}/map.svg" alt="Map" width="480" height="620" loading="lazy">'
    return (
        f'<a href="{puzzle.number}/index.html" data-puzzle="{puzzle.number}">{shown}'
        f"<span><b>{int(puzzle.number)}. {escape(puzzle.solver)} wins</b> {dots}</span></a>"
    )


def draw_small_map(puzzle: Puzzle) -> str:
    """The position without words, as it is seen in the list: regions, who has them, and their followers."""
    game, names = puzzle.record.game, puzzle.record.names
    view = evolve(game.view(puzzle.start, puzzle.start.to_act), shown=puzzle.start)
    drawn = find_drawing_plugin(game).draw_picture(game, view, names, layout="alone")
    parts = [evolve(part, svg=WORDS.sub("", part.svg)) for part in drawn.parts if part.name.startswith(ON_MAP)]
    return write_svg_document(evolve(drawn, parts=tuple(parts) if len(parts) > 1 else drawn.parts))


def puzzle_pages() -> dict[str, str]:
    """The pages of the puzzles by path on the site."""
    known = puzzles()
    following = (*known[1:], *known[:1])
    pages = {
        f"puzzles/{puzzle.number}/index.html": page_of(puzzle, after)
        for puzzle, after in zip(known, following, strict=True)
    }
    return pages | {f"puzzles/{puzzle.number}/map.svg": draw_small_map(puzzle) for puzzle in known}


def page_of(puzzle: Puzzle, following: Puzzle) -> str:
    """The page of a puzzle, with a link to the one that follows it."""
    record, game = puzzle.record, puzzle.record.game
    told = {
        "number": puzzle.number,
        "right": puzzle.told["right"],
        "answers": {turn: _refuted(puzzle, answer) for turn, answer in puzzle.told["answers"].items()},
        "others": f"{_refuted(puzzle, '')} Try again, or open the solution.",
    }
    task = (
        f'<p class="p-task"><strong>{GRADES[puzzle.grade]}.</strong> {escape(puzzle.task)} '
        '<a href="../index.html">All puzzles</a> · '
        f'<a href="../{following.number}/index.html">Next puzzle</a></p>'
    )
    verdict = f'<p id="p-verdict" role="status" hidden><b></b> <span></span></p>\n{write_data_element("p-told", told)}'
    exercise = Exercise(task, verdict, _solution(puzzle), STYLE.read_text("utf-8"), SCRIPT.read_text("utf-8"))
    view = evolve(game.view(puzzle.start, puzzle.start.to_act), shown=puzzle.start)
    return click_page(game, view, record.names, title=f"Puzzle {int(puzzle.number)}: {puzzle.kind}", exercise=exercise)


def _refuted(puzzle: Puzzle, answer: str) -> str:
    """Why a turn does not win."""
    if answer:
        who, _, turn = answer.partition(" ")
        return f"{who} answers {turn}, and {puzzle.solver} can no longer force a win."
    return f"After this turn {puzzle.solver} can no longer force a win."


def _solution(puzzle: Puzzle) -> str:
    """The solution behind a fold: every turn of it, with what followed by rule."""
    rows = []
    for moment in puzzle.solution.moments[1:]:
        _, _, turn = moment.line.partition(". ")
        told = tell_events(puzzle.record.game, moment.events, puzzle.record.names)
        events = "".join(f"<br><small>{escape(text)}</small>" for text, _ in told)
        rows.append(f"<li>{escape(turn)}{events}</li>")
    finders = puzzle.told["found_by"]
    found = f"Programs that find it: {list_names(finders, 'and')}." if finders else "None of our programs finds it."
    return (
        '<details id="p-solution"><summary>Solution</summary>'
        f"<p>All {puzzle.told['turns']} turns were tried to the end. {found} Only the first of these wins:</p>"
        f"<ol>{''.join(rows)}</ol></details>"
    )
