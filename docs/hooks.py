"""Pages made when the site is built: rules, cards, chapters, rulings, and the conformance cases; see docs/making."""  # noqa: INP001 - mkdocs loads it by path

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))  # mkdocs loads this file by its path alone

from docs.making import card_pages, comparison_pages, ledger, play_page, reading, start, suite_pages, versions  # noqa: F401 - they enter their pages
from docs.making.ask_data import ask_data
from docs.making.chapters import filled as with_chapters
from docs.making.chapters import kept, position
from docs.making.drawn import DRAWINGS, drawing
from docs.making.example_files import example_files
from docs.making.files import LINKED, as_page, published_at
from docs.making.pocket import POCKET_PAGES
from docs.making.puzzles import puzzle_pages
from docs.making.words import prose
from tkid.rulebook.rulesets import rulesets

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

__all__ = ["filled", "navigation", "prose"]


def filled(markdown: str, here: str = "") -> str:
    """A written page with what is made of the register in place of the comments that ask for it."""
    return with_chapters(markdown, here)


def edition_pages() -> list[str]:
    """The pages of the rulesets that have one of their own, each once, in the order in which they are listed."""
    named = (ruleset.page.partition("#")[0] for ruleset in rulesets())
    return list(dict.fromkeys(page for page in named if page.startswith("editions/")))


def navigation(docs: Path) -> dict[str, list[str | dict[str, str]]]:
    """The sections of the navigation that are not written out in mkdocs.yml: pages, with titles that differ from theirs."""
    decisions = sorted(f"decisions/{path.name}" for path in (docs / "decisions").glob("[0-9]*.md"))
    return {
        "Editions": [{"All editions": "editions/index.md"}, *edition_pages()],
        "Decisions": ["decisions/index.md", *decisions],
    }


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Complete the navigation."""
    made = navigation(Path(config.docs_dir))
    for entry in config.nav or []:
        entry.update({title: made[title] for title in entry if title in made})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made, the drawings, and the files of the repository that pages link to."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - the pages can be made without mkdocs

    for name in kept():
        drawing(*position(name))
    for make in POCKET_PAGES:
        for path, content in make():
            files.append(File.generated(config, path, content=content))
    for path, content in ask_data().items():
        files.append(File.generated(config, path, content=content))
    for path, svg in DRAWINGS.items():
        files.append(File.generated(config, path, content=svg))
    for path, content in example_files().items():
        files.append(File.generated(config, path, content=content))
    for path, content in puzzle_pages().items():
        files.append(File.generated(config, path, content=content))
    for path in sorted(LINKED):
        files.append(File.generated(config, published_at(path), content=as_page(path)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Fill a written page before it is rendered."""
    return filled(markdown, page.file.src_uri)
