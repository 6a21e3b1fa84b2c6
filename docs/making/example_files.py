"""Files that the page on pictures links to: what `tkid render` makes of a recorded game."""

from __future__ import annotations

from functools import cache

from docs.making.words import ROOT
from tkid.record.read import read_record
from tkid.record.replay import Replay, replay
from tkid.render.moments import picture_at
from tkid.render.picture import document
from tkid.render.replay import replay_page

GAME = "fixtures/games/second-edition-advanced/whole-game-for-2.tkid"
"""The game that is shown."""
TURN = 17
"""The turn after which it is drawn."""


@cache
def example_files() -> dict[str, str]:
    """The files by path on the site."""
    played = _played()
    return {
        "examples/board.svg": document(picture_at(played, TURN, played.moments[TURN].position.to_act)),
        "examples/game.html": replay_page(played),
    }


def _played() -> Replay:
    record = read_record((ROOT / GAME).read_bytes()).record
    assert record is not None
    return replay(record)
