"""Files of the repository that pages link to, published as they are, with a place for every line."""

from __future__ import annotations

from functools import cache
from html import escape

from docs.making.words import ROOT, path_to

LINKED: set[str] = set()
"""The files that pages link to, by path in the repository."""
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>{path}</title>
<link rel="icon" href="{top}assets/images/favicon.png">
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 1rem; font: 0.9rem/1.5 monospace; }}
h1 {{ font-size: 1rem; }}
pre {{ margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }}
pre span {{ display: block; padding-left: 4.5em; text-indent: -4.5em; }}
pre span::before {{ content: attr(data-line); display: inline-block; width: 3.5em; margin-right: 1em;
  text-align: right; text-indent: 0; color: GrayText; }}
a {{ color: inherit; }}
pre span:target {{ background: Mark; color: MarkText; }}
</style>
</head>
<body>
<main>
<p><a href="{top}index.html">tkid</a></p>
<h1>{path}</h1>
<pre>{lines}</pre>
</main>
</body>
</html>
"""


def file_link(path: str, here: str, shown: str, line: int = 0) -> str:
    """A link from a page to a file of the repository, and to a line in it (counted from 1)."""
    LINKED.add(path)
    return f"[{shown}]({path_to(published_at(path), here)}{f'#L{line}' if line else ''})"


def published_at(path: str) -> str:
    """Where a file of the repository stands on the site."""
    return f"source/{path}.html"


@cache
def as_page(path: str) -> str:
    """A file of the repository as a page of its own."""
    text = (ROOT / path).read_text("utf-8", errors="replace")
    lines = "".join(
        f'<span id="L{number}" data-line="{number}">{escape(line) or " "}</span>'
        for number, line in enumerate(text.splitlines(), 1)
    )
    return PAGE.format(path=escape(path), top="../" * published_at(path).count("/"), lines=lines)
