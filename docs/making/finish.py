"""What a built site gets, whichever generator built it: `python -m docs.making.finish SITE`.

Its pages become lighter, all of them are listed for search engines, and the site becomes an app; or a folder to read
from, where the environment says OFFLINE.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from docs.making.app import complete
from docs.making.folder import convert
from docs.making.found import write_sitemap

INDENT = re.compile(r"(?P<kept><(?P<name>pre|textarea|script|style)\b.*?</(?P=name)>)|\n\s+", re.DOTALL)
"""A line break with the spaces after it, or an element whose spaces count."""
SIGNATURE = re.compile(r'(?<=<div class="doc-signature highlight">).*?(?=</div>)', re.DOTALL)
EMPTY = re.compile(r'<div class="doc doc-contents ">\s*</div>')
SPAN = re.compile(r"</?span[^>]*>")
GENERATED = "data-md-component"
"""What only pages from Markdown have."""


def take_indents_out(html: str) -> str:
    """Return a page without the spaces at the beginning of its lines: they are a tenth of the longest pages."""
    return INDENT.sub(lambda found: found["kept"] or "\n", html)


def take_colours_out(html: str) -> str:
    """Return a page whose signatures of functions have no colours, a third of the weight of the page about Python, nor empty boxes and classes."""
    plain = SIGNATURE.sub(lambda signature: SPAN.sub("", signature[0]), EMPTY.sub("", html))
    return plain.replace('class="doc doc-object-name ', 'class="')


def lighten(site: Path) -> None:
    """Make the pages from Markdown lighter."""
    for file in site.rglob("*.html"):
        html = file.read_text("utf-8")
        if GENERATED in html:
            file.write_text(take_indents_out(take_colours_out(html)), "utf-8")


def main(site: str) -> None:
    """Finish a built site."""
    lighten(Path(site))
    write_sitemap(Path(site))
    offline = os.environ.get("OFFLINE", "").lower() in {"1", "true", "yes"}
    (convert if offline else complete)(Path(site))


if __name__ == "__main__":
    main(*sys.argv[1:])
