"""What every page gets when the site is built: rules by their ids, search, flow charts; and the register as a file."""  # noqa: INP001 - mkdocs loads it by path

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from tkid.rulebook import known, rule
from tkid.rulebook.citations import register_data

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

REGISTER = "rules.json"
"""The file with all rules, at the top of the site."""
FLOW_CHARTS = "vendor/mermaid.tiny.js"
"""What draws flow charts; it is big, and only pages that hold one load it."""
WEIGHTS = {"rules/": 4.0, "conformance": 0.5, "decisions/": 0.5, "changelog": 0.5}
"""What pages weigh in a search, by the start of their path; others weigh 1."""
HEADING = re.compile(r'(?P<head><h[2-6] id="(?P<id>[a-z0-9.-]+)">.*?)(?P<sign><a class="headerlink")', re.DOTALL)


def with_ids(html: str) -> str:
    """A page with the id of each rule in its heading, so that people see it and a search finds it."""

    def marked(heading: re.Match[str]) -> str:
        if not known(heading["id"]):
            return heading[0]
        shown = f'<span class="rule-id" data-link="{rule(heading["id"]).link}">{heading["id"]}</span>'
        return f"{heading['head']} {shown}{heading['sign']}"

    return HEADING.sub(marked, html)


def with_flow_charts(html: str, top: str) -> str:
    """A page that holds a flow chart, with what draws it; `top` leads to the top of the site."""
    if 'class="mermaid"' not in html:
        return html
    return html.replace("</head>", f'<script src="{top}{FLOW_CHARTS}" defer></script></head>', 1)


def with_named_search(html: str) -> str:
    """A page whose search has a name, for those who hear the page."""
    return html.replace(
        'data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"'
    )


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Publish the register."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - the rest can be used without mkdocs

    content = json.dumps(register_data(), ensure_ascii=False, indent=1)
    files.append(File.generated(config, REGISTER, content=f"{content}\n"))
    return files


def on_page_content(html: str, page: Page, **_: object) -> str:
    """Mark the rules, before the page is indexed for the search."""
    for start, weight in WEIGHTS.items():
        if page.file.src_uri.startswith(start):
            page.meta.setdefault("search", {"boost": weight})
    return with_ids(html)


def on_post_page(output: str, page: Page, **_: object) -> str:
    """Name the search, and load what draws flow charts where there are any."""
    return with_flow_charts(with_named_search(output), "../" * page.url.count("/"))
