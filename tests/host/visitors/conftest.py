"""The club in which most tests of visitors begin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.visitors.club import Club, club


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Club]:
    """A club that welcomes everybody."""
    with club(tmp_path) as at:
        yield at
        assert at.at.store.put_aside() == []
