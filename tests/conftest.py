"""How the tests run: hypothesis never judges by time, and prints how to repeat a failure; no colour but where it is asked for; one browser."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from sqlalchemy import event
from sqlalchemy.engine import Engine
from typer import testing

from tests.docs.chromium import PROGRAM, Chromium
from tests.shared.constants import share_constants
from tests.shared.examples import FULL
from tests.shared.session import SHARED
from tests.times import Costs, Folders, Stopwatch, deal, drop_parameters, read_costs
from tkid.record import locked_cards

PROCESSOR = "processor"
"""What the time that a test kept the processor busy is called in its report."""
EIGHTHS = 8
MEMORY, ROOM = Path("/dev/shm"), 2 << 30  # noqa: S108 - other folders are made within it, under names that nobody can guess
"""A folder in memory, and how many bytes must be free there for the tests to keep their files in it."""
OWN = "tkid-tests-"
"""The beginning of the names of the tests' folders there; the number of the process that made one follows."""
USUAL = 3
"""Seconds that a test of `make exhaustive` takes if its mark says nothing else."""
COSTS_FILE = Path(__file__).with_name("costs.txt")
"""The tests that take long: `TKID_COSTS=1 make units` measures them again."""
LONG = read_costs(COSTS_FILE)
STOPWATCH, FOLDERS, COSTS = Stopwatch(), Folders(), Costs()

settings.register_profile("ci", deadline=None, print_blob=True, max_examples=FULL)
settings.register_profile("tkid", settings.get_profile("ci"), max_examples=30)
settings.register_profile("quick", settings.get_profile("ci"), max_examples=20)
settings.load_profile("tkid")


def remove_left_folders(memory: Path) -> None:
    """Remove the folders of test runs that were killed."""
    for folder in memory.glob(f"{OWN}*-*"):
        if not Path("/proc", folder.name.removeprefix(OWN).partition("-")[0]).exists():
            shutil.rmtree(folder, ignore_errors=True)


def keep_files_in_memory() -> None:
    """Let the tests and what they start make their files in memory, if the system offers it: a disk takes three times as long."""
    if "TMPDIR" in os.environ or not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return
    if shutil.disk_usage(MEMORY).free >= ROOM and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        remove_left_folders(MEMORY)
        os.environ["TMPDIR"] = tempfile.tempdir = tempfile.mkdtemp(prefix=f"{OWN}{os.getpid()}-", dir=MEMORY)
        Path(tempfile.tempdir).chmod(0o755)  # servers run as other users
        atexit.register(
            shutil.rmtree, tempfile.tempdir, ignore_errors=True
        )  # of the first process: its workers know the folder


keep_files_in_memory()
share_constants()
testing._get_command = cache(testing._get_command)  # type: ignore[attr-defined]  # noqa: SLF001 - building every command takes longer than running one
locked_cards.multiply_point = lru_cache(1 << 17)(locked_cards.multiply_point)
"""Players of one deal verify the same proofs: what was multiplied once is known, and the result is the same."""
os.fsync = lambda fd: None  # noqa: ARG005 - no test pulls the plug, and waiting for the disk thousands of times takes long
os.environ["XDG_CONFIG_HOME"] = SHARED.enter_context(tempfile.TemporaryDirectory(prefix="tkid-settings-"))
"""Whose files game files are is noted there, and not among the settings of whoever runs the tests."""
gc.disable()  # until all tests are collected: what was imported stays
gc.set_threshold(20_000, 20, 100)
"""What is collected seldom takes no time: thousands of parsed pages and played games are kept for all tests."""
os.environ.pop("TKID_ME", None)
for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
    os.environ.pop(name, None)


def pytest_addoption(parser: pytest.Parser) -> None:
    longest = "leave to `make exhaustive` each test of which one case keeps a processor busy for more seconds (tests/costs.txt)"
    parser.addoption("--longest", type=float, default=0.5, help=longest)
    parser.addoption("--eighth", type=int, help="run only this eighth of the tests that were chosen, 0 to 7")


def pytest_report_header(config: pytest.Config) -> str | None:
    eighth: int | None = config.getoption("--eighth")
    return None if eighth is None else f"eighth {eighth} of 0 to 7; `make exhaustive ALL=1` runs all of them"


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Mark the tests that take long before pytest chooses by marks, and keep one eighth of the chosen if `--eighth` asks for it."""
    mark_long(items, config.getoption("--longest"))
    yield
    if (eighth := config.getoption("--eighth")) is not None:
        kept = deal({item.nodeid: find_seconds(item) for item in items}, EIGHTHS)[eighth]
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in kept])
        items[:] = [item for item in items if item.nodeid in kept]


def mark_long(items: list[pytest.Item], longest: float) -> None:
    """Leave long tests out of `make quick`, and out of `make test` all but the first case of those that are not the `longest`.

    What is marked `guard` stays in both.
    """
    begun = set[str]()
    for item in items:
        name = drop_parameters(item.nodeid)
        if name in LONG and not item.get_closest_marker("exhaustive") and not item.get_closest_marker("guard"):
            item.add_marker("slow")
            if name in begun or LONG[name] > longest:
                item.add_marker("exhaustive")
            begun.add(name)


def find_seconds(item: pytest.Item) -> float:
    """Return how long a test of `make exhaustive` takes, as far as it is known."""
    mark = item.get_closest_marker("exhaustive")
    said = mark.kwargs.get("seconds", USUAL) if mark else USUAL
    return LONG.get(drop_parameters(item.nodeid), said)


def pytest_collection_finish() -> None:
    """What was imported stays, and need not be looked through again and again for what is garbage."""
    gc.collect()
    gc.freeze()
    gc.enable()
    STOPWATCH.lap()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Send with the last report of a test how long it kept the processor busy, fixtures that it was the first to need included."""
    if call.when == "teardown":
        browser = getattr(item, "funcargs", {}).get("chromium")
        item.user_properties.append(
            (PROCESSOR, STOPWATCH.lap() + (STOPWATCH.lap_browser(browser.pid) if browser else 0.0))
        )
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what the tests of each folder cost."""
    properties = dict(report.user_properties)
    FOLDERS.add(report.nodeid, report.duration, float(str(properties.get(PROCESSOR, 0))))
    if PROCESSOR in properties:
        COSTS.add(report.nodeid, float(str(properties[PROCESSOR])))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Stop what tests shared, and note what the folders cost where `make test` wants to know it: one process does so for all."""
    SHARED.close()
    if hasattr(session.config, "workerinput"):
        return
    if "TKID_TIMES" in os.environ:
        FOLDERS.note(Path(os.environ["TKID_TIMES"]))
    if "TKID_COSTS" in os.environ:
        COSTS.update(COSTS_FILE)


@event.listens_for(Engine, "before_cursor_execute", retval=True)
def do_not_wait_for_the_disk(*asked: Any) -> tuple[str, Any]:
    """No test pulls the plug of a database either; a process that is killed loses nothing that the system was given."""
    _, _, statement, parameters, *_ = asked
    return statement.replace("PRAGMA synchronous=FULL", "PRAGMA synchronous=OFF"), parameters


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
    chromium.leave()
    chromium.requests.clear()
    chromium.complaints.clear()
    yield chromium
    assert not chromium.complaints
    assert not [asked for asked in chromium.requests if not asked.startswith(("about:", "file:", "blob:"))]
