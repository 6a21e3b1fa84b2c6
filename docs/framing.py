"""A hook for mkdocs: the pages of mkdocs-material get the bar, the tabs and the footer of our own pages."""  # noqa: INP001 - mkdocs loads it by path

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))  # mkdocs loads this file by its path alone

from docs.making.app import complete
from docs.making.pocket import FRAME, TEMPLATES, offline, relative

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

TAB_OF = {
    "ten-minutes": "learn",
    "rules/": "rules",
    "chapters/": "rules",
    "editions/": "rules",
    "cards/": "cards",
    "play-by-email": "mail",
    "hand-to-hand": "mail",
    "orders": "mail",
    "clock": "mail",
}
"""The entry of the main menu that a page belongs to, by the start of its path; `more` for all others."""
TO_A_FOLDER = re.compile(r'(?<=\shref=")(?P<way>\.{1,2}|(?!https?:|mailto:)[^"#?]*/)(?=["#?])')
"""A link to a folder, which a browser does not follow to its `index.html` when it reads from disk."""
INDENT = re.compile(r"(?P<kept><(?P<name>pre|textarea|script|style)\b.*?</(?P=name)>)|\n\s+", re.DOTALL)
"""A line break with the spaces after it, or an element whose spaces count."""


def tab_of(path: str) -> str:
    """The entry of the main menu that a page belongs to."""
    return next((tab for start, tab in TAB_OF.items() if path.startswith(start)), "more")


def for_a_folder(html: str) -> str:
    """A page whose links to folders name their `index.html`."""
    return TO_A_FOLDER.sub(lambda link: f"{link['way'].rstrip('/')}/index.html", html)


def without_indents(html: str) -> str:
    """A page without the spaces at the beginning of its lines: they are a tenth of the longest pages."""
    return INDENT.sub(lambda found: found["kept"] or "\n", html)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Let the templates of the theme include ours. Ours come last, so none of them replaces one of the theme."""
    config.theme.dirs.append(str(TEMPLATES))
    return config


def on_env(env: Environment, **_: object) -> Environment:
    """Give the templates of the theme what ours need."""
    env.globals.update(FRAME, material=True, offline=offline())
    return env


def on_page_context(context: dict[str, Any], page: Page, **_: object) -> dict[str, Any]:
    """Tell the frame of a page where it is."""
    here = page.file.dest_uri
    return context | {"to": partial(relative, here=here), "here": here, "tab": tab_of(here)}


def on_template_context(context: dict[str, Any], config: MkDocsConfig, **_: object) -> dict[str, Any]:
    """The page for addresses that do not exist may be shown at any address, so its links begin at the top of the site."""
    top = urlsplit(config.site_url).path or "/"
    return context | {"to": lambda path: f"{top}{path}", "tab": "", "page": None}


def on_post_page(output: str, **_: object) -> str:
    """Make a page lighter, and its links fit for a folder where the site is built for one."""
    return without_indents(for_a_folder(output) if offline() else output)


def on_post_build(config: MkDocsConfig) -> None:
    """Make the site an app, unless it is built for a folder, where no worker runs."""
    if not offline():
        complete(Path(config.site_dir))
