"""What tests of the host share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.small_club import Club, club
from tests.host.store import postgres


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server of PostgreSQL for all tests of a file: its address."""
    with postgres.server() as url:
        yield url


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Club]:
    """A club that welcomes everybody."""
    with club(tmp_path) as at:
        yield at
        assert at.at.store.list_put_aside() == []
