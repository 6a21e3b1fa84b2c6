"""Pages as answers: the titles and headings of pages that are not about the rules of play, for the question box and `tkid ask`.

`python -m docs.making.page_answers` writes them where `tkid ask` reads them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from docs.making.play_page import play_page
from docs.making.start import MORE
from docs.making.words import ROOT

KEPT = ROOT / "tkid" / "rulebook" / "search" / "pages.json"
OTHERS = {"rules"}
"""Sections of the list of all pages that rules answer for."""
SMALL = (
    "a about all an and any are as at be by can do does for from game games get has have how i if in is it its me must my of on "
    "or the that there this to tkid use using what when where which who why with you your"
)
"""Words of a question or a title that do not count."""
WRITTEN = re.compile(r"^#{1,3} (?P<words>.+?)(?: \{:? ?#(?P<place>\S+) \})?$", re.MULTILINE)
MADE = re.compile(r'<h[12](?: id="(?P<place>[^"]+)")?>(?P<words>[^<]+)</h[12]>')
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def list_pages() -> list[dict[str, Any]]:
    """Each page with its path, its title on the list of all pages, and its headings with their places."""
    listed = [(path, title) for key, _, pages in MORE if key not in OTHERS for path, title, _ in pages]
    return [
        {"path": path, "title": title, "headings": list(_headings(path))}
        for path, title in listed
        if path.endswith("/")
    ]


def _headings(path: str) -> Iterator[tuple[str, str]]:
    """The headings of a page with their places; that of a title is ""."""
    file = ROOT / "docs" / f"{path.rstrip('/')}.md"
    made = dict(play_page()).get(f"{path}index.html", "")
    found = WRITTEN.finditer(CODE.sub("", file.read_text("utf-8"))) if file.exists() else MADE.finditer(made)
    for heading in found:
        yield heading["words"].replace("`", ""), heading["place"] or ""


def page_data() -> dict[str, Any]:
    """What the question box and the program read."""
    return {"small": SMALL.split(), "pages": list_pages()}


def written_data() -> str:
    """The data as the program's file has it: a page a line."""
    data = page_data()
    lines = ",\n".join(json.dumps(page, ensure_ascii=False) for page in data["pages"])
    return f'{{"small": {json.dumps(data["small"])},\n"pages": [\n{lines}\n]}}\n'


if __name__ == "__main__":
    KEPT.write_text(written_data(), "utf-8")
