"""Letters that were mangled on their way: what is taken in goes on from one's own by legal turns of whoever was to act.

That is judged here by the rules of the game alone, and not by what compares records.
"""

from __future__ import annotations

import string
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared.examples import examples
from tests.shared.tables import sample
from tkid.record.copies import Comparison, Kind, compare_copies, make_shared_copy
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.validation import judge_record
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.record.proof import prove

RULESETS = ("second-edition", "second-edition-advanced")
MOST_TURNS = 16


@cache
def game(code: str, seed: int, players: int) -> tuple[Replay, ...]:
    """A sealed game with random turns: before the first turn, after it, and so on."""
    rng = Random(seed)
    at = replay(new_record(code, ["Ann", "Bob", "Cal", "Dee"][:players], rng.randbytes(32)))
    found = [at]
    while at.position.to_act is not None and len(at.record.turns) < MOST_TURNS:
        rules, position, moves = at.record.game, at.position, list[Any]()
        while not moves or position.decision == "summon":
            options = rules.legal(position)
            passes = position.decision == "play" and rng.random() < 0.3
            moves.append(options[0] if passes else options[rng.randrange(len(options))])
            position, _ = rules.apply(position, moves[-1])
        at = append(at, moves)
        assert not at.problems
        found.append(at)
    return tuple(found)


@cache
def file(code: str, seed: int, players: int, turns: int, seat: int | None) -> str:
    """The file of a player after so many turns, or with None what is handed on."""
    whole = game(code, seed, players)[turns]
    known = make_shared_copy(whole) if seat is None else hide_secrets(whole, seat)
    return write_record(known.record, known)


def read(text: str) -> Replay:
    """A text as a replay: it is right in every respect."""
    problems, played = judge_record(read_record(text.encode()))
    assert not problems
    assert played is not None
    return played


def judged(mine: str, letter: str | bytes, me: int | None = None) -> Comparison:
    """What a letter is found to be, of which everything is checked that has to hold."""
    own, data = read(mine), letter if isinstance(letter, bytes) else letter.encode()
    found = compare_copies(own, data, me)
    if found.replay is None:
        assert found.kind is not Kind.CONTINUES
        return found
    after = read(write_record(found.replay.record, found.replay))
    assert not prove(after).contradicted
    turns, old = after.record.turns, own.record.turns
    assert [(turn.seat, turn.moves) for turn in turns[: len(old)]] == [(turn.seat, turn.moves) for turn in old]
    rules, position = own.record.game, own.position
    for turn in turns[len(old) :]:
        assert turn.seat == position.to_act
        assert turn.seat != me
        for move in turn.moves:
            assert not rules.check(position, move)
            position, _ = rules.apply(position, move)
    theirs = read_record(data).record
    assert theirs is not None
    assert [(turn.seat, turn.moves) for turn in turns] == [(turn.seat, turn.moves) for turn in theirs.turns]
    return found


games = st.tuples(st.sampled_from(RULESETS), st.integers(0, 5), st.sampled_from((2, 3, 4)))
Game = tuple[str, int, int]
"""Ruleset, seed, players."""
shares = st.floats(0, 1, exclude_max=True)


class Mangler:
    """Spoils the text of a letter."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def cut(self, text: str) -> str:
        """Break it off."""
        return text[: self.rng.randrange(len(text))]

    def edited(self, text: str) -> str:
        """Put a character in, take one out, or put one in the place of another."""
        at, new = self.rng.randrange(len(text)), self.rng.choice(string.printable)
        return text[:at] + self.rng.choice(("", new, new + text[at])) + text[at + 1 :]

    def swapped(self, text: str) -> str:
        """Exchange two lines."""
        rows = text.split("\n")
        one, two = self.rng.sample(range(len(rows)), 2)
        rows[one], rows[two] = rows[two], rows[one]
        return "\n".join(rows)

    def doubled(self, text: str) -> str:
        """Write a line twice, or leave one out."""
        rows = text.split("\n")
        at = self.rng.randrange(len(rows))
        rows[at : at + 1] = rows[at : at + 1] * self.rng.choice((0, 2))
        return "\n".join(rows)

    def merged(self, text: str, other: str) -> str:
        """Put lines of another file in."""
        rows, others = text.split("\n"), other.split("\n")
        one, two = self.rng.randrange(len(rows)), self.rng.randrange(len(others))
        return "\n".join([*rows[:one], *others[two:]])


@pytest.mark.slow
@examples(150)
@given(games, shares, shares, st.sampled_from(("cut", "edited", "swapped", "doubled")), st.integers(0))
def test_a_mangled_letter_is_never_taken_for_another_game(
    of: Game, one: float, two: float, how: str, chance: int
) -> None:
    count, rng = len(game(*of)), Random(chance)
    mine, theirs = int(one * count), int(two * count)
    spoilt = getattr(Mangler(rng), how)(file(*of, theirs, None))
    found = judged(file(*of, mine, rng.randrange(of[2])), spoilt)
    if found.kind in {Kind.CONTINUES, Kind.SAME, Kind.STALE}:
        played = game(*of)[theirs].record.turns
        taken = read_record(spoilt.encode()).record
        assert taken is not None
        assert [turn.moves for turn in taken.turns] == [turn.moves for turn in played[: len(taken.turns)]]


@examples(100)
@given(of=games, one=shares, chance=st.integers(0), hashes=st.booleans())
def test_two_games_in_one_letter(of: Game, one: float, chance: int, *, hashes: bool) -> None:
    code, seed, seats = of
    rng, count = Random(chance), len(game(*of))
    others = rng.choice(((seed + 1, seats), (seed, 2 + (seats - 1) % 3), (seed, seats)))
    other = file(code, *others, len(game(code, *others)) - 1, None)
    letter = Mangler(rng).merged(file(*of, rng.randrange(count), None), other)
    letter = letter if hashes else "\n".join(row.partition(" #")[0] for row in letter.split("\n"))
    me = rng.randrange(seats)
    judged(file(*of, int(one * count), me), letter, me)


def compared_with_a_part(mine: str, data: bytes, whole: int) -> Kind:
    """What the first bytes of a letter of so many turns are found to be, and that it is right."""
    found = judged(mine, data)
    old = len(read(mine).record.turns)
    if found.kind is Kind.TRUNCATED:
        return found.kind
    turns = len(read(data.decode()).record.turns)
    assert turns <= whole
    assert found.kind is (Kind.SAME if turns == old else Kind.STALE if turns < old else Kind.CONTINUES)
    assert found.new == max(0, turns - old)
    return found.kind


@pytest.mark.slow
def test_a_letter_cut_at_any_byte_of_its_last_lines() -> None:
    data, mine = file(RULESETS[0], 0, 2, 8, None).encode(), file(RULESETS[0], 0, 2, 6, 0)
    start = data.index(b"\n6. ")
    kinds = [compared_with_a_part(mine, data[:end], 8) for end in range(start, len(data) + 1)]
    assert set(kinds) == {Kind.STALE, Kind.SAME, Kind.CONTINUES, Kind.TRUNCATED}
    assert kinds.count(Kind.TRUNCATED) > len(kinds) - 20


@pytest.mark.slow
@pytest.mark.parametrize(("code", "share"), sample(product(RULESETS, range(3)), 6))
def test_a_letter_cut_at_any_byte(code: str, share: int) -> None:
    data, mine = file(code, 1, 2, 10, None).encode(), file(code, 1, 2, 7, 0)
    ends = {*range(share, len(data), 3), len(data)}
    kinds = {compared_with_a_part(mine, data[:end], 10) for end in ends}
    assert kinds - {Kind.SAME} == {Kind.STALE, Kind.CONTINUES, Kind.TRUNCATED}, "one byte alone makes it the same"
