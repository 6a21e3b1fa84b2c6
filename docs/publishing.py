"""What pages get when the site is built: what draws flow charts, and light signatures; and the register as a file."""  # noqa: INP001 - mkdocs loads it by path

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))  # mkdocs loads this file by its path alone

from docs.making.found import CARD, card, write_sitemap
from tkid.rulebook.citations import register_data

if TYPE_CHECKING:
    from griffe import Module
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

REGISTER = "rules.json"
"""The file with all rules, at the top of the site."""
REFERENCE = "python-reference.md"
"""The page that documents modules."""
FLOW_CHARTS = "vendor/mermaid.tiny.js"
"""What draws flow charts; it is big, and only pages that hold one load it."""
SIGNATURE = re.compile(r'(?<=<div class="doc-signature highlight">).*?(?=</div>)', re.DOTALL)
EMPTY = re.compile(r'<div class="doc doc-contents ">\s*</div>')
SPAN = re.compile(r"</?span[^>]*>")


def with_plain_signatures(html: str) -> str:
    """A page whose signatures of functions have no colours, a third of the weight of the page about Python, nor empty boxes and classes."""
    plain = SIGNATURE.sub(lambda signature: SPAN.sub("", signature[0]), EMPTY.sub("", html))
    return plain.replace('class="doc doc-object-name ', 'class="')


def with_flow_charts(html: str, top: str) -> str:
    """A page that holds a flow chart, with what draws it; `top` leads to the top of the site."""
    if 'class="mermaid"' not in html:
        return html
    return html.replace("</head>", f'<script src="{top}{FLOW_CHARTS}" defer></script></head>', 1)


def read_for_reference(page: str, parts: tuple[str, ...]) -> bool:
    """Return True if a page documents something in a package, or beside a module."""
    around = ".".join(("tkid", *parts[:-1]))
    return (
        f"::: {around}.{parts[-1]}." in page
        or re.search(rf"::: {around}\.\w+(\.\w+)?$", page, re.MULTILINE) is not None
    )


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Have no modules read for the reference that it does not need: reading them all is a seventh of what the site takes."""
    from griffe import ModuleFinder  # noqa: PLC0415 - the rest can be used without griffe

    page = (Path(config.docs_dir) / REFERENCE).read_text("utf-8")
    submodules = ModuleFinder.submodules

    def needed(finder: ModuleFinder, module: Module) -> list[tuple[tuple[str, ...], Path]]:
        return [found for found in submodules(finder, module) if read_for_reference(page, found[0])]

    ModuleFinder.submodules = needed  # type: ignore[method-assign]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Publish the register, and the picture for links."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - the rest can be used without mkdocs

    content = json.dumps(register_data(), ensure_ascii=False, indent=1)
    files.append(File.generated(config, REGISTER, content=f"{content}\n"))
    files.append(File.generated(config, CARD, content=card()))
    return files


def on_post_page(output: str, page: Page, **_: object) -> str:
    """Load what draws flow charts where there are any, and take the colours out of signatures."""
    return with_flow_charts(with_plain_signatures(output), "../" * page.url.count("/"))


def on_post_build(config: MkDocsConfig) -> None:
    """List all pages, also those that mkdocs does not know as pages."""
    write_sitemap(Path(config.site_dir))
