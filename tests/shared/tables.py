"""Tables of small cases: one test goes through all rows, and reports every row that is wrong.

`@each_row` takes what `pytest.mark.parametrize` takes. A test for each of thousands of rows costs more than the rows do; rows
that take long are better parametrized, or dealt into `parts` that run beside each other. Where all of them take very long,
`make test` goes through a sample, and `make exhaustive` through the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, wraps
from inspect import Parameter, signature
from traceback import format_exception
from typing import Any

import pytest

Test = Callable[..., None]
Rows = Iterable[Any] | Callable[[], Iterable[Any]]
Ids = Iterable[object] | Callable[[Any], object]


def each_row(
    names: str | Sequence[str],
    rows: Rows,
    *,
    ids: Ids = lambda value: repr(value)[:60],
    parts: int = 1,
    sampled: bool = False,
) -> Callable[[Test], Test]:
    """Make a test of one row a test of all rows.

    All rows share the fixtures of the test: parametrize a test that needs fresh ones, or that needs to be skipped.

    Args:
        names: The parameters of the test that a row fills; with one name a row is its value.
        rows: The rows, at least one; or a function that makes them when the test runs.
        ids: What failing rows are called: one for each row, or a function of a row's value, or of each of its values.
        parts: Into how many tests the rows are dealt, so that they can run beside each other.
        sampled: Whether the first part alone is in `make test`, and the others are in `make exhaustive`.

    Raises:
        ValueError: The table has no rows, or fewer than parts.
        TypeError: The test has no parameter of one of these names.
    """
    single = isinstance(names, str) and "," not in names
    fields = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

    @cache
    def every() -> list[tuple[str, tuple[Any, ...]]]:
        found = [(row,) if single else tuple(row) for row in (rows() if callable(rows) else rows)]
        if len(found) < max(parts, 1):
            raise ValueError(f"a table of {len(found)} rows cannot be dealt into {parts} parts")
        called = ["-".join(str(ids(value)) for value in row) for row in found] if callable(ids) else map(str, ids)
        return list(zip(called, found, strict=True))

    if not callable(rows):
        every()  # a table that is known has its rows at once

    def decorated(test: Test) -> Test:
        asked = signature(test).parameters
        if missing := set(fields) - asked.keys():
            raise TypeError(f"{test.__name__} has no parameter {', '.join(sorted(missing))}")

        @wraps(test)
        def whole(part: int = 0, **fixtures: Any) -> None:
            run(test, fields, every()[part::parts], fixtures)

        left = [parameter for name, parameter in asked.items() if name not in fields]
        if parts > 1:
            left.append(signature(whole, follow_wrapped=False).parameters["part"].replace(default=Parameter.empty))
        whole.__signature__ = signature(test).replace(parameters=left)  # type: ignore[attr-defined] # pytest asks it
        chosen = sample(range(parts), parts) if sampled else range(parts)
        return pytest.mark.parametrize("part", chosen)(whole) if parts > 1 else whole

    return decorated


def sample(values: Iterable[Any], each: int) -> list[Any]:
    """The parameters of a test: one of so many is in `make test`, the others are in `make exhaustive`."""
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)), marks=[pytest.mark.exhaustive] * (number % each > 0)
        )
        for number, value in enumerate(values)
    ]


def run(
    test: Test, fields: Sequence[str], rows: Sequence[tuple[str, tuple[Any, ...]]], fixtures: dict[str, Any]
) -> None:
    """Call a test with every row, each with what it is called. Raises AssertionError with all that failed."""
    wrong = []
    for name, row in rows:
        try:
            test(**dict(zip(fields, row, strict=True)), **fixtures)
        except (Exception, pytest.fail.Exception, pytest.skip.Exception) as failure:  # noqa: BLE001 - reported below
            frames = failure.__traceback__.tb_next if failure.__traceback__ else None  # without the call above
            told = "".join(format_exception(type(failure), failure, frames))
            wrong.append(f"--- {test.__name__}: {name}\n{told}")
    if wrong:
        raise AssertionError("\n".join([f"{len(wrong)} of {len(rows)} rows are wrong", *wrong]))
