"""What tests of the store share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.store.databases import BOTH
from tests.host.store.postgres import server


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database: a file, or one on a server."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'host.db'}"
    else:
        with server() as at:
            yield at
