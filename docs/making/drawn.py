"""A position on a page: drawn, in words for those who do not see the drawing, and in one line to copy."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from docs.making.words import path_to
from tkid.kernel.game import AnyGame
from tkid.notation.positions import write_position
from tkid.render.clicks import find_drawing_plugin
from tkid.render.frames import open_view
from tkid.render.picture import Picture, write_svg_document

NAMES = ("Ann", "Bob", "Cleo", "Dan")
"""The players of examples, in turn order."""
LINE = """\
<details class="line" markdown="1" data-search-exclude="">
<summary>This position in one line</summary>

```text
{}
```

</details>"""
"""How the line of a position is shown to whoever asks for it."""
FOLDER = "positions"
"""Where the drawings stand on the site."""
DRAWINGS: dict[str, str] = {}
"""The drawings that pages show, as SVG, by their path on the site."""


def drawn(game: AnyGame, position: Any, here: str) -> str:
    """A position as a picture with its description, and its line, as Markdown: everything is shown, hands too."""
    shown = judged(game, position)
    path, picture = drawing(game, shown)
    size = f'width="{picture.width}" height="{picture.height}" loading="lazy"'
    image = f"![{picture.description}]({path_to(path, here)}){{: .board {size} }}"
    return f"{image}\n\n{LINE.format(write_position(game, shown))}"


def judged(game: AnyGame, position: Any) -> Any:
    """A position after the last power struggle with how it ended, as a position in play would have it."""
    result = game.result(position) if position.decision is None and position.ending is None else None
    return position.replace(ending=result.ending, winners=result.winners) if result else position


def drawing(game: AnyGame, position: Any) -> tuple[str, Picture]:
    """A drawing and its path on the site. The name tells what is in it, so that each is there once."""
    picture = find_drawing_plugin(game).draw_picture(game, open_view(game, position), NAMES[: len(position.seats)])
    svg = write_svg_document(picture)
    path = f"{FOLDER}/{sha256(svg.encode()).hexdigest()[:16]}.svg"
    DRAWINGS[path] = svg
    return path, picture
