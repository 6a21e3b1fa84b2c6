"""Takes screenshots of boards, boards to click and replays: `python -m tests.makers.screens FOLDER [NAME ...]`.

Twelve positions of all rulesets, from early to late and crowded, for two to four players, on three widths of screen, in light
and in dark colours. `index.html` in the folder shows them all side by side, to be looked at before a change of looks is kept.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import frozen

from tests.docs.chromium import PROGRAM, Chromium
from tests.makers.games import FOLDER as GAMES
from tkid.kernel.game import AnyGame
from tkid.notation.positions import read_position
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.render.click_page import click_page
from tkid.render.clicks import find_drawing_plugin
from tkid.render.frames import last_turn
from tkid.render.picture import ROLES, LastTurn, Layout, write_svg_document
from tkid.render.replay_page import replay_page

NAMES = ("Ann", "Bob", "Cleo", "Dan")
SIZES: dict[int, tuple[int, Layout]] = {390: (844, "page"), 768: (1024, "page"), 1280: (900, "wide")}
"""The height of the screen and the layout of the board, by the width of the screen."""
SCHEMES = {"light": False, "dark": True}


@frozen
class Scene:
    """What is shown: a game that is played, its position, who looks, and the turn that led to it; `game` for a replay."""

    played: AnyGame
    position: Any
    names: tuple[str, ...]
    seat: int | None
    last: LastTurn | None = None
    game: Replay | None = None

    @classmethod
    def recorded(cls, name: str, turn: int, seat: int | None = None) -> Scene:
        """A recorded game after some turns, as the next player sees it, unless a seat is named."""
        record = read_record((GAMES / f"{name}.tkid").read_bytes()).record
        assert record is not None
        game = replay(record)
        position = game.moments[turn].position
        looks = position.to_act if seat is None else seat
        index = turn % len(game.moments)
        return cls(record.game, position, record.names, looks, last_turn(game, index, looks), game)

    @classmethod
    def written(cls, line: str) -> Scene:
        """A position in one line, as the next player sees it."""
        game, position = read_position(line)
        return cls(game, position, NAMES[: len(position.seats)], position.to_act)

    def pages(self, layout: Layout) -> Iterator[tuple[str, str]]:
        """The pages to look at, each with what it is."""
        view = self.played.view(self.position, self.seat)
        drawn = find_drawing_plugin(self.played).draw_picture(self.played, view, self.names, self.last, layout=layout)
        paper = "".join(
            f"{query}{{body{{background:{colour}}}}}"
            for query, colour in zip(("@media all", "@media (prefers-color-scheme:dark)"), ROLES["paper"], strict=True)
        )
        style = (
            f"body{{margin:0}}svg{{width:100%;max-width:{drawn.width}px;height:auto;display:block;margin:auto}}{paper}"
        )
        head = f'<meta name="viewport" content="width=device-width"><style>{style}</style>'
        yield "board", f"<!doctype html>{head}{write_svg_document(drawn)}"
        if self.position.to_act is not None:
            yield "click", click_page(self.played, view, self.names, title=", ".join(self.names), last=self.last)
        if self.game is not None:
            yield "replay", replay_page(self.game)


CROWDED = (
    "second-edition; MOR SSSSSSWWWWEE, STR SSSSSSSS, LAN WWWWWWE, NOR SSSSWWWWEEEE, GWY -, WAR WWWEEEE, ESS EEEEE, DEV E; "
    "supply 1W 1E; track STR NOR MOR WAR ESS GWY LAN DEV; 1 court -; 1 hand Assemble, Negotiate; 2 court -; "
    "2 hand Manoeuvre, Assemble; to play 2"
)
"""Whole heaps of followers, which play seldom brings."""
SCENES = {
    "second-start": lambda: Scene.recorded("second-edition/whole-game-for-2", 0),
    "second-early": lambda: Scene.recorded("second-edition/whole-game-for-3", 7),
    "second-late": lambda: Scene.recorded("second-edition/whole-game-for-4", 48),
    "second-over": lambda: Scene.recorded("second-edition/whole-game-for-2", -1, 0),
    "second-crowded": lambda: Scene.written(CROWDED),
    "advanced": lambda: Scene.recorded("second-edition-advanced/whole-game-for-3", 20),
    "first": lambda: Scene.recorded("first-edition/whole-game-for-3", 14),
    "mordred": lambda: Scene.recorded("first-edition-mordred/whole-game-for-4", 33),
    "digest": lambda: Scene.recorded("digest-advanced/whole-game-for-4", 30),
    "manual": lambda: Scene.recorded("manual/whole-game-for-4", 70),
    "claim-one": lambda: Scene.recorded("claim/whole-game-for-2", 13),
    "claim-two": lambda: Scene.recorded("claim/whole-game-for-2", 42),
}
"""The positions, by name."""


def main(folder: Path, names: list[str]) -> None:
    """Take the screenshots of some scenes, or of all; needs Chromium."""
    if PROGRAM is None:
        sys.exit("The screenshots need Chromium, which is not installed here.")
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as home:
        browser = Chromium.start(Path(home))
        try:
            taken = [file for name in names or SCENES for file in _taken(browser, Path(home), folder, name)]
        finally:
            browser.stop()
    (folder / "index.html").write_text(_index(taken), "utf-8")
    print(f"{len(taken)} screenshots are in {folder}; open {folder / 'index.html'}")  # noqa: T201 - for who runs it


def _taken(browser: Chromium, home: Path, folder: Path, name: str) -> Iterator[str]:
    """The screenshots of a scene, by the names of their files."""
    scene = SCENES[name]()
    for width, (height, layout) in SIZES.items():
        for kind, page in scene.pages(layout):
            shown = home / f"{name}-{kind}.html"
            shown.write_text(page, "utf-8")
            for scheme, dark in SCHEMES.items():
                file = f"{name}-{kind}-{width}-{scheme}.png"
                browser.screen(width, height, dark=dark)
                browser.open(shown.as_uri())
                browser.wait("document.readyState == 'complete'")
                browser.picture(folder / file, whole=kind == "board")
                yield file


def _index(files: list[str]) -> str:
    """A page with all screenshots."""
    shown = "".join(
        f'<figure><a href="{file}"><img src="{file}" alt="" loading="lazy"></a><figcaption>{escape(file)}</figcaption></figure>'
        for file in files
    )
    style = "body{display:flex;flex-wrap:wrap;gap:16px;font-family:sans-serif;background:#888}figure{margin:0}img{height:480px}"
    return f'<!doctype html><html lang="en"><title>Screens</title><style>{style}</style>{shown}</html>'


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
