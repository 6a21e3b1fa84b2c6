"""Builds the site: `python -m docs.making.build SITE`, a folder to read from where the environment says OFFLINE."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from docs.making import finish, pages
from docs.making.words import ROOT

SOURCE = ROOT / ".build" / "pages"
"""The source tree that mkdocs.yml names."""


def main(site: str) -> None:
    """Write the source tree, let mkdocs build it, and finish what it built."""
    built = Path(site).resolve()
    pages.main(str(SOURCE))
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(built)]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, check=True)  # noqa: S603 - our own command
    finish.main(str(built))


if __name__ == "__main__":
    main(*sys.argv[1:])
