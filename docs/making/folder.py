"""A copy of the built site to be read from a folder, without a server: `python -m docs.making.folder SITE FOLDER`."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

NOT_IN_A_FOLDER = ("sw.js", "assets/kept.json")
"""Files of the app, which is none without a server."""
TO_A_FOLDER = re.compile(
    r"""(?P<before>\s(?:href|action)="|location\.replace\("|"refresh"\ content="0;\ url=)
    (?P<way>\.{1,2}|(?!https?:|mailto:)[^"#?]*/)(?=["#?])""",
    re.VERBOSE,
)
"""A link to a folder, which a browser does not follow to its `index.html` when it reads from disk."""
SERVED = re.compile(
    r"<link\b[^>]* data-served>\n?|<(?P<name>script|section|span)\b[^>]* data-served\b.*?</(?P=name)>\n?", re.DOTALL
)
"""An element that is of use only where a server is. The templates mark it with `data-served`."""


def in_a_folder(html: str) -> str:
    """Change a page so that it works in a folder.

    Args:
        html: the page as it is on the site.

    Returns:
        The page without what needs a server. Its links to folders name their `index.html`.
    """
    html = SERVED.sub("", html)
    html = html.replace('<html lang="en-GB" data-top=', '<html lang="en-GB" data-offline data-top=', 1)
    return TO_A_FOLDER.sub(with_file, html)


def with_file(link: re.Match[str]) -> str:
    """Let a link to a folder name its `index.html`."""
    way = f"{link['way'].rstrip('/')}/index.html"
    return link["before"] + way.removeprefix("./")


def convert(site: Path) -> None:
    """Change a built site in its place so that it works in a folder."""
    for name in NOT_IN_A_FOLDER:
        (site / name).unlink(missing_ok=True)
    for file in site.rglob("*.html"):
        file.write_text(in_a_folder(file.read_text("utf-8")), "utf-8")


def main(site: str, folder: str) -> None:
    """Copy a built site, and change the copy so that it works in a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(site, folder)
    convert(Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
