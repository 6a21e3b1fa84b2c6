"""How the tests run: hypothesis never judges by time, and prints how to repeat a failure; no colour but where it is asked for; one browser."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.docs.chromium import PROGRAM, Chromium

settings.register_profile("tkid", deadline=None, print_blob=True)
settings.load_profile("tkid")
for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
    os.environ.pop(name, None)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    assert PROGRAM, "Chromium is not installed here"
    running = Chromium.start(tmp_path_factory.mktemp("chromium"))
    yield running
    running.stop()


@pytest.fixture
def browser(chromium: Chromium) -> Iterator[Chromium]:
    """The browser with a wide screen, for pages in files: nothing is complained about, and nothing asked of a network."""
    chromium.screen(1200)
    chromium.requests.clear()
    chromium.complaints.clear()
    yield chromium
    assert not chromium.complaints
    assert not [asked for asked in chromium.requests if not asked.startswith(("about:", "file:"))]
