"""Adds to fixtures/puzzles: positions from games of programs in which exactly one turn wins, each with its solution.

Run as `nice python -m tests.makers.puzzles`, which adds puzzles until there are as many of each kind as KINDS says. The puzzles
that are there stay, with their numbers; each new one is written when it is found, and a line is printed with the seed and the
game that it is from. A puzzle has three files: the record with its task, the record that goes on to the end, and what its page
says about a turn that somebody clicks. With `again`, nothing is added, and only how hard the puzzles look is found out again:
programs judge otherwise where their weights have changed.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from attrs import evolve, frozen

from tests.shared.puzzles import (
    FOLDER,
    find_winning_positions,
    list_finders,
    list_numbers,
    read,
    solver_of,
    tempting,
    whole_turns,
    winning_turns,
    wins,
)
from tkid.bots.player import Turn, apply_turn, find_party
from tkid.bots.plugin import find_judge
from tkid.bots.roster import find_player
from tkid.bots.solver import UnsolvedError
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.kernel.game import AnyGame, fill_names
from tkid.notation.positions import write_position
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import ruleset

SEED = 20261130
NAMES = ("Ann", "Bob", "Cat", "Dan")
BUDGET, PLAIN_BUDGET, THOUGHT = 12_000, 100_000, 60
"""Positions that either solver looks at for a proof; those looked at by a player."""
REFUTED = 24
"""So many turns that look good and do not win are answered."""
LEFT, ENDINGS = 5, 6
"""With so many cards left a game is played to its end in so many ways."""
GAMES = 400
"""So many games are looked through for the puzzles of a kind."""


class Kind(NamedTuple):
    """Puzzles of one ruleset and number of players: how many, and what new ones are like.

    So many cards are left, so many turns are legal at least, so many wrong ones look at least as good as the right one, and so
    many turns at the beginning of the game were random.
    """

    code: str
    players: int
    puzzles: int
    cards: tuple[int, int] = (2, 3)
    turns: int = 8
    tempting: int = 1
    by_lot: int = 0


KINDS = (
    Kind("second-edition", 2, 18),
    Kind("second-edition", 3, 6, turns=6),
    Kind("second-edition", 4, 3, turns=6),
    Kind("second-edition-advanced", 2, 7),
    Kind("second-edition-advanced", 3, 2, turns=6),
    Kind("second-edition-advanced", 4, 1, turns=6),
    Kind("first-edition", 2, 9),
    Kind("first-edition", 3, 3, turns=6),
    Kind("first-edition", 4, 3, turns=6),
    Kind("first-edition-mordred", 2, 9),
    Kind("first-edition-mordred", 3, 3, turns=6, tempting=0),
    Kind("first-edition-mordred", 4, 1, turns=6),
    Kind("digest", 2, 9),
    Kind("digest", 3, 3, turns=6),
    Kind("digest", 4, 1, turns=6),
    Kind("digest-advanced", 2, 7),
    Kind("digest-advanced", 3, 2, turns=6),
    Kind("manual", 2, 4, (2, 8), 5, tempting=0, by_lot=1000),
    Kind("claim", 2, 12, (8, 12), 4, by_lot=26),
)
"""The kinds of puzzles. Older ones may be otherwise: many of them are won by a pass, and few have turns that mislead."""


@frozen
class Found:
    """A puzzle: where it is from, its position, the turn that wins and the position after it, and how many turns there are."""

    source: str
    position: Any
    turn: Turn
    after: Any
    turns: int


def positions(game: AnyGame, kind: Kind, number: int) -> Iterator[tuple[int, Any]]:
    """The last positions of a game between programs, each with the number of the turn that is due.

    A few turns by lot come first. The end is played in several ways.
    """
    players = kind.players
    chance = Random(f"{SEED} {game.code} {players} {kind.by_lot} {number}")
    deal = game.deal(players, chance.randbytes(32))
    begin = game.start(game.seat_players(NAMES[:players]), deal)
    by_lot = max(kind.by_lot, chance.randrange(4))
    seats = [find_player(game, chance.choice(("greedy", "search"))) for _ in range(players)]
    lots, turn = find_player(game, "random"), 1
    while begin.to_act is not None and left(game, begin) > max(LEFT, kind.cards[1]):
        who = lots if turn <= by_lot else seats[begin.to_act]
        begin = apply_turn(game, begin, who.choose(game.view(begin, begin.to_act), THOUGHT))
        turn += 1
    seen = set()
    for _ in range(ENDINGS):
        position, ending = begin, turn
        while position.to_act is not None:
            if position not in seen:
                seen.add(position)
                yield ending, position
            who = lots if chance.random() < 0.5 else seats[position.to_act]
            position = apply_turn(game, position, who.choose(game.view(position, position.to_act), THOUGHT))
            ending += 1


def left(game: AnyGame, position: Any) -> int:
    """How many cards are in all hands, with the followers in the regions where a turn may be a summons alone."""
    cards = sum(map(len, position.hands))
    alone = isinstance(game, Struggle) and game.summons.alone
    return cards + sum(map(sum, position.regions)) if alone else cards


def candidates(game: AnyGame, kind: Kind, number: int) -> Iterator[Found]:
    """Puzzles in one game."""
    least, most = kind.cards
    for turn, position in positions(game, kind, number):
        few = least <= left(game, position) <= most and not game.turn_continues(position)
        if few and getattr(position, "prize", None) is None:
            found = find_puzzle(game, kind, position)
            if found is not None:
                yield evolve(found, source=f"game {number} of programs (seed {SEED}), turn {turn}")


def find_puzzle(game: AnyGame, kind: Kind, position: Any) -> Found | None:
    """Return the position as a puzzle if two solvers agree that exactly one turn wins, no pass, and enough others mislead."""
    if len(game.legal(position)) == 1:
        return None
    try:
        winning = winning_turns(game, position, BUDGET)
        if len(winning) != 1:
            return None
        ((turn, after),) = winning
        turns = len({reached for _, reached in whole_turns(game, position)})
        if turn == (PASS,) or turns < kind.turns or tempting(game, position, after) < kind.tempting:
            return None
        assert find_winning_positions(game, position, PLAIN_BUDGET) == {after}, write_position(game, position)
    except UnsolvedError:
        return None
    return Found("", position, turn, after, turns)


def line(game: AnyGame, turn: Turn, names: tuple[str, ...]) -> str:
    """A turn as it is written."""
    return fill_names(game.words.write_turn(turn), names)


def defended(game: AnyGame, found: Found) -> list[tuple[int, Turn]]:
    """The turns to the end: the solver keeps the win, the others play what looks best."""
    solver = solver_of(game, found.position, 50 * BUDGET)
    assert found.position.to_act is not None
    row, position = [(found.position.to_act, found.turn)], found.after
    while position.to_act is not None:
        turns = find_judge(game).rank_turns(position, REFUTED)
        if find_party(game, position) == solver.party:
            every = (*turns, *whole_turns(game, position))
            turn, after = next((turn, after) for turn, after in every if wins(solver, after))
        else:
            turn, after = turns[0]
        row.append((position.to_act, turn))
        position = after
    assert wins(solver, position)
    return row


def answers(game: AnyGame, found: Found, names: tuple[str, ...]) -> dict[str, str]:
    """Turns that look good and do not win, each with what refutes it; "" where the game is over."""
    solver, told = solver_of(game, found.position, 50 * BUDGET), dict[str, str]()
    for turn, after in find_judge(game).rank_turns(found.position, REFUTED):
        if after == found.after:
            continue
        said, position, row = line(game, turn, names), after, list[str]()
        while position.to_act is not None and find_party(game, position) == solver.party:
            position = apply_turn(game, position, find_judge(game).rank_turns(position, 1)[0][0])
            row = [""]
        if position.to_act is not None and not row:
            every = (*find_judge(game).rank_turns(position, REFUTED), *whole_turns(game, position))
            reply = next((each for each, then in every if not wins(solver, then)), None)
            assert reply is not None
            row = [f"{names[position.to_act]} {line(game, reply, names)}"]
        told[said] = row[0] if row else ""
    return told


def write(number: int, kind: Kind, found: Found) -> None:
    """Write the three files of a puzzle."""
    game, names = ruleset(kind.code).game(), NAMES[: kind.players]
    assert found.position.to_act is not None
    who = names[found.position.to_act]
    row = defended(game, found)
    others = "whatever the others do" if kind.players > 2 else "whatever the answer"
    head = [
        "Tkid-Record: 1",
        f"Ruleset: {ruleset(kind.code).stated}",
        f"Game: Puzzle {number}",
        *(f"Seat: {name}" for name in names),
        f"# From {found.source}.",
        f"Position: {write_position(game, found.position)}",
        "",
        f"# {who} to play and win, {others}. Exactly one turn wins.",
        "Turns",
    ]
    _write_record(f"{number:02}", head)
    turns = [
        f"{n}. {names[seat]} {line(game, turn, names)} {{value: {who} wins, proven}}"
        for n, (seat, turn) in enumerate(row, 1)
    ]
    _write_record(f"{number:02}-solution", [*head, *turns])
    told = {
        "turns": found.turns,
        "length": len(row),
        "tempting": tempting(game, found.position, found.after),
        "found_by": list_finders(game, found.position, found.after),
        "right": [line(game, turn, names) for turn, after in whole_turns(game, found.position) if after == found.after],
        "answers": answers(game, found, names),
    }
    (FOLDER / f"{number:02}.json").write_text(json.dumps(told, indent=1) + "\n", "utf-8")


def _write_record(name: str, lines: list[str]) -> None:
    report = read_record("".join(f"{line}\n" for line in lines).encode())
    assert report.record is not None, report.problems
    assert not report.problems, report.problems
    known = replay(report.record)
    assert not known.problems, known.problems
    (FOLDER / f"{name}.tkid").write_text(write_record(report.record, known), "utf-8")


def find(kind: Kind, known: set[Any], most: int) -> Iterator[Found]:
    """So many new puzzles of a kind, one of a game, of which no two after each other are won with the same card."""
    game, before = ruleset(kind.code).game(), ""
    varied = isinstance(game, Struggle) and not game.summons.alone
    for number in range(GAMES):
        if most <= 0:
            return
        for found in candidates(game, kind, number):
            card = game.words.write_move(found.turn[0]).split()[0]
            if found.position in known or (varied and card == before):
                continue
            yield found
            before, most = card, most - 1
            break


def outdated(file: Path) -> dict[str, Any]:
    """What programs find otherwise today of how hard a puzzle looks, by its file of answers."""
    known, told = read(file.with_name(f"{file.stem}-solution.tkid")), json.loads(file.read_text("utf-8"))
    game, (start, solved) = known.record.game, known.moments[:2]
    hard = {
        "tempting": tempting(game, start.position, solved.position),
        "found_by": list_finders(game, start.position, solved.position),
    }
    return {name: value for name, value in hard.items() if told.get(name) != value}


def judged_again() -> None:
    """Find out again how hard the puzzles look that there are."""
    for file in sorted(FOLDER.glob("*.json")):
        if changed := outdated(file):
            print(f"{file.stem}: {changed}", flush=True)  # noqa: T201
            file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | changed, indent=1) + "\n", "utf-8")


def main() -> None:
    """Add puzzles until there are enough of each kind."""
    starts = [read(FOLDER / f"{number}.tkid") for number in list_numbers()]
    known = {start.position for start in starts}
    numbers = Counter((start.record.ruleset.code, len(start.record.seats)) for start in starts)
    number = len(starts)
    for kind in KINDS:
        for puzzle in find(kind, known, kind.puzzles - numbers[kind[:2]]):
            number += 1
            write(number, kind, puzzle)
            print(f"{number} {kind.code}, {kind.players} players: {puzzle.source}, {puzzle.turns} turns", flush=True)  # noqa: T201


if __name__ == "__main__":
    judged_again() if sys.argv[1:] == ["again"] else main()
