"""Makes fixtures/puzzles: positions from played games in which exactly one turn wins, each with its solution.

Run as `nice python -m tests.makers.puzzles`: a few minutes. The games are those of fixtures/games, and others that
programs play; each line that is printed names the file, or the seed and the game. A puzzle has three files: the record with
its task, the record that goes on to the end, and what its page says about a turn that somebody clicks. With `again`, the
puzzles stay, and only how hard they look is found out again: programs judge otherwise where their weights have changed.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from attrs import frozen

from tests.shared.puzzles import FOLDER, read, solver_of, tempting, whole_turns, winning_turns, wins
from tkid.bots.player import Turn, apply_turn, find_party
from tkid.bots.plugin import find_judge
from tkid.bots.roster import find_player
from tkid.bots.solver import UnsolvedError
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import AnyGame, fill_names
from tkid.notation.positions import write_position
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import ruleset, rulesets

SEED = 20261125
NAMES = ("Ann", "Bob", "Cat", "Dan")
BUDGET, THOUGHT, FEWEST, FEW, MOST = 12_000, 24, 6, 3, 3
"""Positions looked at for a proof; those looked at by a player; turns and cards in a puzzle from a record; so many of a kind."""
GAMES = Path(__file__).parents[2] / "fixtures" / "games"
REFUTED = 24
"""So many turns that look good and do not win are answered."""
LEFT, ENDINGS = 5, 6
"""With so many cards left a game is played to its end in so many ways."""
MANY, SEARCHED = 8, 100
"""So many wrong turns that look good are many; a puzzle is harder if a search over so many positions misses the turn."""


class Kind(NamedTuple):
    """Puzzles of one ruleset and number of players: how many, how many cards left, fewest turns, first turns by lot."""

    code: str
    players: int
    puzzles: int
    cards: tuple[int, int]
    fewest: int = 8
    by_lot: int = 0


KINDS = (
    Kind("second-edition", 2, 13, (2, 3)),
    Kind("second-edition-advanced", 2, 4, (2, 3)),
    Kind("second-edition", 3, 3, (2, 3), FEWEST),
    Kind("first-edition", 2, 4, (2, 3)),
    Kind("first-edition-mordred", 2, 6, (2, 3)),
    Kind("digest", 2, 5, (2, 3)),
    Kind("digest-advanced", 2, 3, (2, 3)),
    Kind("manual", 2, 3, (2, 8), 5, by_lot=1000),
    Kind("claim", 2, 4, (8, 12), 3),
    Kind("claim", 2, 8, (8, 12), 3, by_lot=26),
)
"""The kinds that are looked for in games between programs: so many with those that records have."""


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
    seats = [find_player(game, chance.choice(("greedy", "greedy", "search"))) for _ in range(players)]
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


def recorded(most: int) -> Iterator[tuple[Kind, Found]]:
    """Puzzles in the games of fixtures/games, so many at most of each ruleset and number of players."""
    taken, known = Counter[tuple[str, int]](), set[Any]()
    for path in sorted(GAMES.glob("*/*.tkid")):
        whole = read_record(path.read_bytes()).record
        if whole is None or whole.position is not None:
            continue
        game, moments = whole.game, replay(whole).moments
        kind = Kind(whole.ruleset.code, len(whole.seats), 0, (1, FEW))
        for number, moment in enumerate(moments, 1):
            position = moment.position
            due = position.to_act is not None and not game.turn_continues(position) and position not in known
            if (
                not due
                or whole.readings
                or not 0 < left(game, position) <= FEW
                or not find_judge(game).is_soluble(position)
            ):
                continue
            if taken[kind[:2]] == most:
                break
            known.add(position)
            source = f"{path.parent.name}/{path.name}, turn {number}"
            for found in only(game, source, position, FEWEST):
                taken[kind[:2]] += 1
                yield kind, found


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
            yield from only(game, f"game {number} of programs (seed {SEED}), turn {turn}", position, kind.fewest)


def only(game: AnyGame, source: str, position: Any, fewest: int) -> Iterator[Found]:
    """The position as a puzzle, if exactly one of its turns wins and there are enough of them."""
    if len(game.legal(position)) == 1:
        return
    try:
        winning = winning_turns(game, position, BUDGET)
    except UnsolvedError:
        return
    if len(winning) == 1:
        turns = len({after for _, after in whole_turns(game, position)})
        if turns >= fewest:
            yield Found(source, position, *winning[0], turns)


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
        f"Ruleset: {kind.code}",
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
        "difficulty": difficulty(game, found, len(row)),
        "right": [line(game, turn, names) for turn, after in whole_turns(game, found.position) if after == found.after],
        "answers": answers(game, found, names),
    }
    (FOLDER / f"{number:02}.json").write_text(json.dumps(told, indent=1) + "\n", "utf-8")


def difficulty(game: AnyGame, found: Found, length: int) -> int:
    """How hard a puzzle is, from 1 to 3: a point each for turns that mislead, for many of them, for depth, and for length."""
    position, wrong = found.position, tempting(game, found.position, found.after)
    searched = find_player(game, "search").choose(game.view(position, position.to_act), SEARCHED)
    deep = apply_turn(game, position, searched) != found.after
    long = length > (3 if isinstance(game, Struggle) else left(game, position) // 2 + 3)
    points = (wrong > 0) + (wrong >= MANY) + deep + long
    return max(1, min(3, int(points)))


def _write_record(name: str, lines: list[str]) -> None:
    report = read_record("".join(f"{line}\n" for line in lines).encode())
    assert report.record is not None, report.problems
    assert not report.problems, report.problems
    known = replay(report.record)
    assert not known.problems, known.problems
    (FOLDER / f"{name}.tkid").write_text(write_record(report.record, known), "utf-8")


def find(kind: Kind, most: int) -> Iterator[tuple[Kind, Found]]:
    """So many puzzles of a kind, one of a game, of which no two after each other are won with the same card."""
    game, before = ruleset(kind.code).game(), ""
    for number in count():
        for found in candidates(game, kind, number):
            card = game.words.write_move(found.turn[0]).split()[0]
            if card == before and isinstance(game, Struggle):
                continue
            yield kind, found
            before, most = card, most - 1
            break
        if most <= 0:
            return


def outdated(file: Path) -> dict[str, int]:
    """What programs find otherwise today of how hard a puzzle looks, by its file of answers."""
    known, told = read(file.with_name(f"{file.stem}-solution.tkid")), json.loads(file.read_text("utf-8"))
    game, (start, solved) = known.record.game, known.moments[:2]
    found = Found(file.stem, start.position, solved.moves, solved.position, told["turns"])
    hard = {
        "tempting": tempting(game, found.position, found.after),
        "difficulty": difficulty(game, found, told["length"]),
    }
    return {name: value for name, value in hard.items() if told[name] != value}


def judged_again() -> None:
    """Find out again how hard the puzzles look that there are."""
    for file in sorted(FOLDER.glob("*.json")):
        if changed := outdated(file):
            print(f"{file.stem}: {changed}", flush=True)  # noqa: T201
            file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | changed, indent=1) + "\n", "utf-8")


def main() -> None:
    """Find all puzzles, and write them by ruleset and number of players."""
    print(f"seed {SEED}")  # noqa: T201 - a tool for people
    every = list(recorded(MOST))
    for kind in KINDS:
        known = sum(other[:2] == kind[:2] for other, _ in every)
        for found in find(kind, kind.puzzles - known):
            every.append(found)
            print(f"{kind.code}, {kind.players} players: {found[1].source}, {found[1].turns} turns", flush=True)  # noqa: T201
    codes = [entry.code for entry in rulesets()]
    every.sort(key=lambda each: (codes.index(each[0].code), each[0].players))
    for old in FOLDER.glob("*"):
        old.unlink()
    for number, (kind, puzzle) in enumerate(every, 1):
        write(number, kind, puzzle)
        print(f"{number:02} {kind.code}: {puzzle.source}, {puzzle.turns} turns", flush=True)  # noqa: T201


if __name__ == "__main__":
    judged_again() if sys.argv[1:] == ["again"] else main()
