"""Letters in a real browser, as wide as a telephone, on light and on dark screens: legible, within the screen, easy to tap."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.mail.test_html import ANSWER, EVERY, NIGHT
from tkid.mail.blocks import Board, Facts
from tkid.mail.letter_html import write_html

AXE = Path(__file__).parents[1] / "docs" / "vendor" / "axe.min.js"
FAULTS = """axe.run().then(found => found.violations
    .filter(fault => ["serious", "critical"].includes(fault.impact) && fault.id !== "document-title")
    .map(fault => fault.id + ": " + fault.nodes.map(node => node.html.slice(0, 150)).slice(0, 3).join(" | ")))"""
"""A letter has no title on purpose: mail programs show its subject."""
WIDTHS = (360, 390, 1000)
LEAST_TAP = 40
"""Pixels of what can be tapped, at least, besides links in a footer."""
TAPPED = """[...document.querySelectorAll('a[href^="mailto:"]')].map(link => link.getBoundingClientRect().height)"""
WIDE = (
    *EVERY,
    Board(tuple(["x" * 78] * 3)),
    Facts((("Next", ", ".join(["Northumbria (negotiated)"] * 8)),)),
    Facts((("Bartholomew the Elder of Strathclyde and Moray", "court 2S   cards: Outmanoeuvre"), ("W" * 60, "x" * 90))),
)

pytestmark = IN_A_BROWSER


@pytest.mark.parametrize(("width", "dark"), list(product(WIDTHS, (False, True))))
def test_a_letter_is_legible_and_fits(browser: Chromium, tmp_path: Path, width: int, dark: bool) -> None:  # noqa: FBT001
    file = tmp_path / "letter.html"
    file.write_text(write_html(WIDE, ANSWER), "utf-8")
    browser.screen(width, dark=dark)
    browser.open(file.as_uri())
    browser.run(f"document.body.style.background = {NIGHT if dark else '#fff'!r}; true")
    browser.run(AXE.read_text("utf-8") + "; true")
    assert not browser.run(FAULTS)
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    heights = browser.run(TAPPED)
    assert len(heights) == 4
    assert min(heights) >= LEAST_TAP
