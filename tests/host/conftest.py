"""What tests of the host share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.host.store import postgres


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server of PostgreSQL for all tests of a file: its address."""
    with postgres.server() as url:
        yield url
