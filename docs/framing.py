"""A hook for mkdocs: the pages of mkdocs-material get the bar, the tabs and the footer of our own pages."""  # noqa: INP001 - mkdocs loads it by path

from __future__ import annotations

import os
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))  # mkdocs loads this file by its path alone

from docs.making.app import complete
from docs.making.folder import convert
from docs.making.pocket import FRAME, TEMPLATES, relative

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
    "play-by-email": "play",
    "hand-to-hand": "play",
    "orders": "play",
    "clock": "play",
    "club/": "play",
    "host/": "play",
    "opponents": "play",
}
"""The entry of the main menu that a page belongs to, by the start of its path; `more` for all others."""
INDENT = re.compile(r"(?P<kept><(?P<name>pre|textarea|script|style)\b.*?</(?P=name)>)|\n\s+", re.DOTALL)
"""A line break with the spaces after it, or an element whose spaces count."""


def tab_of(path: str) -> str:
    """The entry of the main menu that a page belongs to."""
    return next((tab for start, tab in TAB_OF.items() if path.startswith(start)), "more")


def without_indents(html: str) -> str:
    """A page without the spaces at the beginning of its lines: they are a tenth of the longest pages."""
    return INDENT.sub(lambda found: found["kept"] or "\n", html)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Let the templates of the theme include ours. Ours come last, so none of them replaces one of the theme."""
    config.theme.dirs.append(str(TEMPLATES))
    return config


def on_env(env: Environment, **_: object) -> Environment:
    """Give the templates of the theme what ours need."""
    env.globals.update(FRAME, material=True)
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
    """Make a page lighter."""
    return without_indents(output)


def on_post_build(config: MkDocsConfig) -> None:
    """Make the site an app, or a folder where the environment says OFFLINE."""
    offline = os.environ.get("OFFLINE", "").lower() in {"1", "true", "yes"}
    (convert if offline else complete)(Path(config.site_dir))
