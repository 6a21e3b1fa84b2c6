"""Files that the page on pictures links to: what `tkid render` makes of a recorded game."""

from __future__ import annotations

from functools import cache

from docs.making.words import ROOT
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.render.click_page import click_page
from tkid.render.frames import last_turn, picture_at
from tkid.render.picture import write_svg_document
from tkid.render.replay_page import replay_page

GAME = "fixtures/games/second-edition/whole-game-for-2.tkid"
"""The game that is shown."""
TURN = 17
"""The turn after which it is drawn."""


@cache
def example_files() -> dict[str, str]:
    """The files by path on the site."""
    played = _played()
    game, position = played.record.game, played.moments[TURN].position
    seat, title = position.to_act, f"Turn {TURN + 1}"
    last, view = last_turn(played, TURN, seat), game.view(position, seat)
    return {
        "examples/board.svg": write_svg_document(picture_at(played, TURN, seat)),
        "examples/turn.html": click_page(game, view, played.record.names, title=title, last=last),
        "examples/game.html": replay_page(played),
    }


def _played() -> Replay:
    record = read_record((ROOT / GAME).read_bytes()).record
    assert record is not None
    return replay(record)
