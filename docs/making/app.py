"""The site as an app: which files a device stores on the first visit, and the worker that serves them without a network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from posixpath import join, normpath

WORKER = Path(__file__).parent / "worker.js"
"""The worker, without the name of its build and the list of its files."""
MOST = 1 << 20
"""So many bytes are stored on the first visit at most."""
FIRST = (
    "assets/ask-data.js",
    "assets/ask-pages.js",
    "vendor/base-stemmer.js",
    "vendor/english-stemmer.js",
    "javascripts/ranking.js",
    "app.webmanifest",
)
"""Files that no page names in its HTML."""
READING = (
    "",
    "ask/",
    "offline/",
    "play/",
    "rules/",
    "chapters/turn/",
    "chapters/*/",
    "ten-minutes/",
    "more/",
    "rules/second-edition/",
    "cards/*/",
)
"""The pages stored on the first visit as far as they fit, the most important first."""
LATER = ("rules/**/", "cards/**/", "chapters/**/", "editions/**/", "glossary/", "rulings/", "comparison/**/")
"""The pages stored for somebody who keeps all rules."""
LOADED = re.compile(r'<(?:link rel="(?:stylesheet|icon)"|script|img)[^>]*? (?:href|src)="(?P<path>[^":#?]+)"')
"""What a page of the site loads."""


def pages(site: Path, patterns: Iterable[str]) -> Iterator[str]:
    """The paths of pages that fit, each once."""
    seen = set()
    for pattern in patterns:
        for file in sorted(site.glob(f"{pattern}index.html")):
            path = file.relative_to(site).as_posix().removesuffix("index.html")
            if path not in seen:
                seen.add(path)
                yield path


def loaded(site: Path, page: str) -> list[str]:
    """The files that a page loads, by their path on the site."""
    html = file_of(site, page).read_text("utf-8")
    return [normpath(join(page, found["path"])) for found in LOADED.finditer(html)]


def file_of(site: Path, path: str) -> Path:
    """The file of a page, whose path is a folder, or of anything else."""
    return site / path / "index.html" if path.endswith("/") or not path else site / path


def size(site: Path, path: str) -> int:
    """The bytes of a page or another file."""
    return file_of(site, path).stat().st_size


def core(site: Path) -> list[str]:
    """The files stored on the first visit, at most MOST bytes of them. A page that does not fit is left out whole."""
    stored = {path: size(site, path) for path in FIRST}
    for page in pages(site, READING):
        wanted = {path: size(site, path) for path in (page, *loaded(site, page)) if path not in stored}
        if sum(stored.values()) + sum(wanted.values()) <= MOST:
            stored |= wanted
    return list(stored)


def all_kept(site: Path) -> list[str]:
    """The files stored for somebody who keeps all rules: every page of them, and what these load."""
    stored: dict[str, None] = dict.fromkeys(("assets/ask-protocol.js", "assets/ask-pictures.js"))
    for page in pages(site, LATER):
        stored |= dict.fromkeys((page, *loaded(site, page)))
    return list(stored)


def worker(site: Path) -> str:
    """The worker for a built site. Its cache has another name as soon as one of its files is another."""
    files = core(site)
    seal = sha256()
    for path in files:
        seal.update(file_of(site, path).read_bytes())
    script = WORKER.read_text("utf-8").replace("tkid-BUILD", f"tkid-{seal.hexdigest()[:12]}")
    return script.replace("const CORE = [];", f"const CORE = {json.dumps(files)};")


def complete(site: Path) -> None:
    """Add the worker and its lists to a built site."""
    files = all_kept(site)
    listed = {"files": files, "bytes": sum(size(site, path) for path in files)}
    (site / "assets" / "kept.json").write_text(json.dumps(listed), "utf-8")
    (site / "sw.js").write_text(worker(site), "utf-8")
