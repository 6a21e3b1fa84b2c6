"""The page for players lists every order to the club, in the words of `help`."""

from __future__ import annotations

import re
from pathlib import Path

from tkid.club.order_values import LISTED

PAGE = Path(__file__).parents[2] / "docs" / "club.md"
ROW = re.compile(r"^\| (`.+) \| (.+) \|$", re.MULTILINE)


def test_the_page_lists_what_help_lists() -> None:
    listed = PAGE.read_text("utf-8").split("{ #orders }")[1].split("\n## ")[0]
    assert ROW.findall(listed) == [(kind.form, kind.help) for kind in LISTED]
