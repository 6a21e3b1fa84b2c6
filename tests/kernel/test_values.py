"""Classes that are quick to make are values like frozen ones; a mapping that is made when asked is made once."""

from __future__ import annotations

import pickle

import pytest
from attrs import evolve, field, frozen
from attrs.exceptions import FrozenInstanceError

from tkid.kernel.values import Changeable, LazyMapping, quick_frozen


@quick_frozen
class Quick:
    """A value that is quick to make."""

    number: int
    text: str = ""


@frozen
class Slow:
    """The same, frozen."""

    number: int
    text: str = ""


def test_quick_values_compare_hash_and_show_like_frozen_ones() -> None:
    assert Quick(1, "a") == Quick(1, "a") != Quick(2, "a")
    assert len({Quick(1), Quick(1), Quick(2)}) == 2
    assert not hasattr(Quick(1), "__dict__")
    assert repr(Quick(1, "a")) == repr(Slow(1, "a")).replace("Slow", "Quick")


@frozen
class Moment(Changeable):
    """A value of which changed copies are made."""

    number: int
    texts: tuple[str, ...] = ()
    turn: int = field(default=0, eq=False)


def test_changed_copies_are_frozen_values_like_any_other() -> None:
    first = Moment(1, ("a",))
    second = first.replace(number=2, turn=5)
    assert (second, second.turn, type(second)) == (Moment(2, ("a",)), 5, Moment)
    assert hash(second) == hash(Moment(2, ("a",)))
    assert repr(second) == "Moment(number=2, texts=('a',), turn=5)"
    assert pickle.loads(pickle.dumps(second)) == second == evolve(first, number=2)  # noqa: S301 - our own bytes
    with pytest.raises(FrozenInstanceError):
        second.number = 3  # type: ignore[misc]
    with pytest.raises(AttributeError, match="nmber"):
        first.replace(nmber=2)


def test_a_mapping_is_found_out_once_and_only_when_asked() -> None:
    asked = []

    def find() -> dict[str, int]:
        asked.append(1)
        return {"a": 1, "b": 2}

    mapping = LazyMapping(find)
    assert not asked
    assert (mapping["a"], list(mapping), len(mapping)) == (1, ["a", "b"], 2)
    assert mapping == {"a": 1, "b": 2}
    assert asked == [1]
