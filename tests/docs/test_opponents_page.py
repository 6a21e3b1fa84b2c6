"""The page about players that are programs: the one that it shows how to write plays every game."""

import re
from pathlib import Path

import pytest

from tests.shared.tables import each_row
from tkid.record.format.new_game import new_record
from tkid.record.play.replay import append, replay

PAGE = (Path(__file__).parents[2] / "docs" / "opponents.md").read_text("utf-8")
SOURCE, GAME = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
"""The player, and the game that it plays."""


@each_row(
    ("code", "players"), [("second-edition", 2), ("second-edition-advanced", 2), ("second-edition", 3), ("claim", 2)]
)
def test_the_player_of_the_page_plays(code: str, players: int) -> None:
    names: dict[str, type] = {}
    exec(SOURCE, names)  # noqa: S102 - the example of the page
    at = replay(new_record(code, ["Ann", "Bob", "Cat"][:players], bytes(32)))
    game = at.record.game
    thrifty = names["Thrifty"](game)
    for _ in range(4):
        seat = at.position.to_act
        assert seat is not None
        view = game.view(at.position, seat)
        turn = thrifty.choose(view, 20)
        assert turn == thrifty.choose(view, 20)
        at = append(at, turn)
        assert not at.problems


def test_the_game_of_the_page_comes_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    exec(SOURCE + GAME, {})  # noqa: S102 - the example of the page
    assert re.fullmatch(r"(coronation|invasion) \(\d(, \d|,)\)\n", capsys.readouterr().out)
