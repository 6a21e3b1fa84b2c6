"""The site as it is published: built once for all tests, and served on loopback."""

import fcntl
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def built(shared: pytest.TempPathFactory) -> Path:
    """The folder of the site: one that `make test` has just built, or else the first test that asks builds it for all."""
    if "TKID_SITE" in os.environ:
        return Path(os.environ["TKID_SITE"])
    folder = shared.getbasetemp()
    folder = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    site = folder / "site"
    with (folder / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not site.exists():
            _build(site.with_suffix(".new"))
            site.with_suffix(".new").rename(site)
    return site


def _build(site: Path) -> None:
    command = [sys.executable, "-m", "docs.making.build", str(site)]
    environment = {**os.environ, "OFFLINE": "false", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files and writes no log."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of a folder, as long as it is needed."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
