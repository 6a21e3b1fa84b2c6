"""The kernel: sequences that are not built, chance that is the same everywhere."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from operator import itemgetter

import pytest

from tkid.kernel.chance import Chance
from tkid.kernel.game import Event, fill_names
from tkid.kernel.ladder import Combinations, Condition, Each, Ladder, Options, Shape, Slot, find_nearest


def test_combinations_count_index_and_iterate_alike() -> None:
    rows, letters, ends = [(1,), (0,), (2,)], [("a", "b"), (), ("c",)], [("x", "y", "z"), ("x",)]
    combined = Combinations(lambda *values: values, rows, [(tuple, letters), (itemgetter(0, 0, 1), ends)])
    assert len(combined) == 7
    assert list(combined) == [combined[i] for i in range(7)]
    assert combined[4] == (1, "b", "y")
    assert combined[-1] == (2, "c", "x")
    assert combined[5:] == ((1, "b", "z"), (2, "c", "x"))
    with pytest.raises(IndexError):
        combined[7]
    assert combined.blocks[1] == [((1,), (("a", "b"), ("x", "y", "z"))), ((2,), (("c",), ("x",)))]
    assert list(combined.keep_rows(lambda row: row != (1,))) == [(2, "c", "x")]
    assert list(Combinations(lambda *values: values, rows, [])) == rows


def test_options_run_through_their_parts() -> None:
    options = Options([(1, 2), (), Each(lambda x: x * 10, (1, 2, 3))], lambda item: item == 20)
    assert list(options) == [1, 2, 10, 20, 30] == [options[i] for i in range(5)]
    assert 20 in options
    assert 10 not in options
    assert list(Options([], lambda _: False)) == []


def test_a_shape_wants_its_bound_slots_first() -> None:
    free = Slot[None, int]("free", lambda *_: None, lambda _: (1,), ())
    bound = Slot[None, int]("bound", lambda *_: None, lambda _: (1,), (), bound=True)
    with pytest.raises(TypeError, match="bound slots come first"):
        Shape("r", "label", tuple, (free, bound))


def test_following_suit_is_a_ladder_of_two_tiers() -> None:
    """The kernel serves a trick game too: a card of the led suit if there is one, else any card."""
    suit = Condition[str, str]("follow", lambda _, card: card[0] == "G", lambda _, card: f"{card} does not follow")

    def hand(*conditions: Condition[str, str]) -> tuple[Slot[str, str], ...]:
        return (Slot("card", lambda position, _: position, str.split, conditions, value=lambda card: card),)

    follow = Shape[str, str]("follow", "follow", str, hand(suit), make=str)
    discard = Shape[str, str]("any", "any card", str, hand(), make=str)
    ladder: Ladder[str, str] = Ladder(((follow,), (discard,)), "in-full", "form", str)
    assert list(ladder.list_options("G1 K2 G3")) == ["G1", "G3"]
    assert list(ladder.list_options("D1 K2")) == ["D1", "K2"]
    violations = ladder.check("G1 K2 G3", "K2")
    assert [violation.rule for violation in violations] == ["in-full"]
    assert violations[0].alternatives == ("G1", "G3")


def test_nearest_prefers_what_shares_most() -> None:
    near = find_nearest(Event("a", "x"), [Event("b", "y"), Event("b", "x"), Event("c", "z")], most=2)
    assert near == (Event("b", "x"), Event("b", "y"))


def test_names_stand_where_seats_were() -> None:
    assert fill_names("{1} beats {0}, {1}!", ("Ann", "Bob")) == "Bob beats Ann, Bob!"


def test_chance_is_the_documented_procedure() -> None:
    stream = sha256(b"tkid 1" + b"seed" + bytes(8)).digest() + sha256(b"tkid 1" + b"seed" + bytes(7) + b"\x01").digest()
    words = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, 64, 4)]
    chance = Chance(b"seed")
    assert [chance.draw_below(10) for _ in range(16)] == [word % 10 for word in words]


def test_chance_rejects_what_would_favour_small_numbers() -> None:
    class Fixed(Chance):
        words = iter([2**32 - 1, 7])

        def _read_number(self) -> int:
            return next(self.words)

    assert Fixed(b"").draw_below(10) == 7


def test_shuffles_are_even() -> None:
    seen = Counter(tuple(Chance(bytes([i, j])).shuffle("abc")) for i in range(100) for j in range(60))
    assert len(seen) == 6
    assert all(850 < count < 1150 for count in seen.values()), seen
