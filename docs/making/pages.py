"""The source tree that a site generator builds: plain Markdown, whole pages and data, made of docs/ and the program.

`python -m docs.making.pages FOLDER` writes it: `FOLDER/docs`, the pages; `FOLDER/theme`, templates for the pages that
the generator makes; and `FOLDER/code`, the modules that the Python reference documents. No generator has to run code
of ours. What a built site gets afterwards is in finish.py.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from markupsafe import Markup

from docs.making import card_pages, comparison_pages, ledger, play_page, reading, start, suite_pages, versions  # noqa: F401 - they enter their pages
from docs.making.ask_data import ask_data
from docs.making.chapters import filled
from docs.making.commands import fill_commands
from docs.making.curves import fill_curves
from docs.making.diagrams import fill_diagrams
from docs.making.drawn import DRAWINGS
from docs.making.example_files import example_files
from docs.making.examples import SUITE
from docs.making.files import LINKED, as_page, published_at
from docs.making.found import CARD, card
from docs.making.leaflets import make_leaflets
from docs.making.pocket import ABOUT, POCKET_PAGES, TEMPLATES, environment
from docs.making.puzzles import puzzle_pages
from docs.making.words import ROOT
from tkid.record.json.conformance import pack_suite
from tkid.rulebook.citations import register_data

DOCS = ROOT / "docs"
NO_PAGES = {"making", "overrides", "templates", "__pycache__"}
"""Folders of docs/ that make the site, and are no part of it."""
REGISTER = "rules.json"
"""The file with all rules, at the top of the site."""
SUITE_ZIP = "conformance.zip"
"""The file with the conformance suite, beside it."""
REFERENCE = ("python-reference.md", "python.md")
"""The pages that document modules."""
TAB_OF = {
    "ten-minutes": "learn",
    "chapters/": "rules",
    "editions/": "rules",
    "play-by-email": "play",
    "hand-to-hand": "play",
    "orders": "play",
    "clock": "play",
    "club.md": "play",
    "host.md": "play",
    "opponents": "play",
}
"""The entry of the main menu that a page belongs to, by the start of its path; `more` for all others."""
FRAME = ("bar", "footer", "head", "tabs", "unfurl")
"""The templates of the frame that pages of the generator share with ours."""


def find_tab(path: str) -> str:
    """Return the entry of the main menu that a page belongs to."""
    return next((tab for beginning, tab in TAB_OF.items() if path.startswith(beginning)), "more")


def fill_page(markdown: str, here: str) -> str:
    """Return a written page with what is made of the register and the program in place of the comments that ask for it."""
    return filled(fill_curves(fill_diagrams(fill_commands(markdown))), here)


def list_sources() -> Iterator[str]:
    """List the written pages and other files of the site, by path under docs/."""
    for file in sorted(DOCS.rglob("*")):
        path = file.relative_to(DOCS)
        if file.is_file() and path.parts[0] not in NO_PAGES:
            yield path.as_posix()


def make_pages() -> dict[str, str | bytes]:
    """Return the pages and files of the site by path: written pages first, because they ask for drawings and files."""
    made: dict[str, str | bytes] = {}
    for path in list_sources():
        content = (DOCS / path).read_bytes()
        if path.endswith(".md"):
            made[path] = f"---\ntab: {find_tab(path)}\n---\n\n{fill_page(content.decode(), path)}"
        else:
            made[path] = content
    for make in POCKET_PAGES:
        made.update(make())
    made |= ask_data() | DRAWINGS | example_files() | puzzle_pages()
    made |= {published_at(path): as_page(path) for path in sorted(LINKED)}
    made.update(make_leaflets())
    made[REGISTER] = f"{json.dumps(register_data(), ensure_ascii=False, indent=1)}\n"
    made[SUITE_ZIP] = pack_suite(SUITE)
    made[CARD] = card()
    return made


def make_theme() -> dict[str, str | bytes]:
    """Return the templates of the generator's pages by path. They use no names but those that every generator knows."""
    made: dict[str, str | bytes] = {
        file.name: file.read_bytes() for file in (*(DOCS / "overrides").glob("*.html"), TEMPLATES / "parts.html")
    }
    for name in FRAME:
        made[f"frame/{name}.html"] = (
            environment()
            .get_template(f"frame/{name}.html")
            .render(
                material=True,
                to=lambda path: Markup("{{{{ '{}' | url }}}}").format(path or "./"),
                current=lambda key: Markup(
                    '{{% if page and page.meta.tab == "{}" %}} aria-current="page"{{% endif %}}'
                ).format(key),
                name=Markup("{{ page.title | striptags }}"),
                about=ABOUT,
                address=Markup("{{ page.canonical_url }}"),
            )
        )
    return made


def is_documented(page: str, parts: tuple[str, ...]) -> bool:
    """Return True if a page documents something in a package, or beside a module."""
    around = ".".join(parts[:-1])
    return (
        f"::: {around}.{parts[-1]}." in page
        or re.search(rf"::: {around}\.\w+(\.\w+)?$", page, re.MULTILINE) is not None
    )


def list_documented_modules() -> dict[str, str | bytes]:
    """Return the modules that the reference reads, by path: reading them all is a seventh of what the site takes."""
    page = "\n".join((DOCS / name).read_text("utf-8") for name in REFERENCE)
    files = {file.relative_to(ROOT): file for file in sorted((ROOT / "tkid").rglob("*.py"))}
    parts = {path: path.with_suffix("").parts for path in files}
    return {
        path.as_posix(): files[path].read_bytes()
        for path, names in parts.items()
        if is_documented(page, names[:-1] if names[-1] == "__init__" and len(names) > 2 else names)
    }


def write_tree(folder: Path, made: dict[str, str | bytes]) -> None:
    """Make a folder hold these files and no others. Files that are the same already stay untouched."""
    for path, content in made.items():
        file, data = folder / path, content.encode() if isinstance(content, str) else content
        if not file.is_file() or file.read_bytes() != data:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    for file in folder.rglob("*"):
        if file.is_file() and file.relative_to(folder).as_posix() not in made:
            file.unlink()


def main(folder: str) -> None:
    """Write the source tree."""
    write_tree(Path(folder, "docs"), make_pages())
    write_tree(Path(folder, "theme"), make_theme())
    write_tree(Path(folder, "code"), list_documented_modules())


if __name__ == "__main__":
    main(*sys.argv[1:])
