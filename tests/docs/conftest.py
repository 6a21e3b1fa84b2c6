"""The built site for all tests that look at it, served on loopback."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.docs.site import built, served


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    return built(tmp_path_factory)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The address of the site."""
    with served(site) as where:
        yield where


@pytest.fixture
def network(site: Path) -> Iterator[tuple[str, ExitStack]]:
    """The address of the site, and a network that can be closed."""
    with ExitStack() as stack:
        yield stack.enter_context(served(site)), stack
