"""The pages of `make screens` on a telephone: nothing is wider than the screen, and what is asked is in view."""

from __future__ import annotations

from pathlib import Path

from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.makers.screens import SCENES, SIZES
from tests.shared.tables import each_row

pytestmark = IN_A_BROWSER
WIDTH = 390
HEIGHT, LAYOUT = SIZES[WIDTH]
SEEN = "JSON.stringify([innerWidth, innerHeight, document.documentElement.scrollWidth])"
"""What a browser on a telephone makes larger than the screen where something does not fit, as then it shows less of it."""
PROMPT = "document.querySelector('#k-panel').getBoundingClientRect().bottom"
SHOWN = ("second-start", "second-late", "first", "digest", "claim-one", "claim-two")
"""Few and many cards, players and factions."""


@each_row("name", {name: SCENES[name] for name in SHOWN})
def test_pages_fit_a_telephone(name: str, browser: Chromium, tmp_path: Path) -> None:
    browser.screen(WIDTH, HEIGHT)
    for kind, page in SCENES[name]().pages(LAYOUT):
        file = tmp_path / f"{name}-{kind}.html"
        file.write_text(page, "utf-8")
        browser.open(file.as_uri())
        assert browser.run(SEEN) == f"[{WIDTH},{HEIGHT},{WIDTH}]", kind
        if kind == "click":
            assert browser.run(PROMPT) <= HEIGHT
