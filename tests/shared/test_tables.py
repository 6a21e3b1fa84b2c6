"""A table reports every row that is wrong, and cannot pass by having none."""

from __future__ import annotations

import inspect

import pytest

from tests.shared.tables import each_row


def failure(test: object) -> str:
    """What a test that fails says."""
    assert callable(test)
    with pytest.raises(AssertionError) as raised:
        test()
    return str(raised.value)


def test_all_wrong_rows_are_reported_with_their_ids_and_tracebacks() -> None:
    seen = []

    @each_row("number", [1, 2, 3, 4, 5], ids=lambda number: f"row-{number}")
    def odd(number: int) -> None:
        seen.append(number)
        assert number % 2, f"{number} is even"

    told = failure(odd)
    assert seen == [1, 2, 3, 4, 5], "rows after a wrong one are checked too"
    assert told.startswith("2 of 5 rows are wrong\n")
    for number in (2, 4):
        assert f"--- odd: row-{number}\n" in told
        assert f"AssertionError: {number} is even" in told
    assert "row-3" not in told
    assert told.count('in odd\n    assert number % 2, f"{number} is even"') == 2


def test_errors_missing_exceptions_and_skips_count_as_wrong() -> None:
    @each_row("text", ["1", "x", "raises", "skips"])
    def read(text: str) -> None:
        if text == "raises":
            with pytest.raises(ValueError, match="invalid literal"):
                int("7")
        elif text == "skips":
            pytest.skip("not today")
        else:
            int(text)

    told = failure(read)
    assert told.startswith("3 of 4 rows are wrong\n")
    assert "--- read: 'x'\n" in told
    assert "ValueError: invalid literal" in told
    assert "--- read: 'raises'\n" in told
    assert "DID NOT RAISE" in told
    assert "--- read: 'skips'\n" in told


def test_rows_have_names_of_their_own() -> None:
    @each_row("number", [1, 2], ids=["one", "two"])
    def odd(number: int) -> None:
        assert number % 2

    assert "--- odd: two\n" in failure(odd)
    with pytest.raises(ValueError, match="longer"):
        each_row("number", [1, 2], ids=["one"])


def test_rows_of_several_values_and_tables_above_tables() -> None:
    seen = []

    @each_row(("left", "right"), [(1, 2), (3, 4)])
    @each_row("factor, sign", [(10, 1), (20, -1)])
    def each(left: int, right: int, factor: int, sign: int) -> None:
        seen.append((left, right, factor * sign))

    each()
    assert seen == [(1, 2, 10), (1, 2, -20), (3, 4, 10), (3, 4, -20)]
    assert not inspect.signature(each).parameters


def test_a_row_has_as_many_values_as_names() -> None:
    @each_row("left, right", [(1, 2), (3,)])
    def each(left: int, right: int) -> None:
        assert left < right

    assert failure(each).startswith("1 of 2 rows are wrong\n--- each: 3\n")


def test_a_table_has_rows_and_its_test_takes_them() -> None:
    with pytest.raises(ValueError, match="a table of 0 rows"):
        each_row("number", [])
    with pytest.raises(ValueError, match="a table of 1 rows cannot be dealt into 2 parts"):
        each_row("number", [1], parts=2)
    with pytest.raises(TypeError, match="no parameter number"):
        each_row("number", [1])(lambda: None)


def test_rows_may_be_made_when_the_test_runs() -> None:
    made = []

    def rows() -> list[int]:
        made.append("rows")
        return [1, 2] if len(made) == 1 else []

    @each_row("number", rows)
    def each(number: int) -> None:
        assert number < 2

    assert not made
    assert failure(each).startswith("1 of 2 rows are wrong\n--- each: 2\n")

    @each_row("number", rows)
    def none(number: int) -> None:
        assert number

    with pytest.raises(ValueError, match="a table of 0 rows"):
        none()


def test_parts_share_out_all_rows() -> None:
    seen = []

    @each_row("number", range(7), parts=3)
    def each(number: int) -> None:
        seen.append(number)

    assert list(inspect.signature(each).parameters) == ["part"]
    for part in range(3):
        each(part=part)
    assert sorted(seen) == list(range(7))


@pytest.fixture(scope="module")
def ten() -> int:
    return 10


@each_row("number", range(7), ids=str, parts=2)
def test_fixtures_and_parts_go_together(number: int, ten: int) -> None:
    assert number < ten
