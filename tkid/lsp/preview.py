"""The position after a turn as a picture, for an editor to show beside the text."""

from __future__ import annotations

from attrs import frozen

from tkid.lsp.reading import Reading, Viewer
from tkid.record.play.views import seen
from tkid.render.frames import picture_at
from tkid.render.picture import document


@frozen
class Preview:
    """A picture as SVG, the number of the turn after which it is drawn (0: the start), and its title."""

    turn: int
    title: str
    svg: str


def preview(reading: Reading, line: int, viewer: Viewer) -> Preview | None:
    """The position after the turn on a line, or the last one above it; None where there is no game.

    It shows what the viewer may know of the position.
    """
    replay = reading.replay
    if replay is None:
        return None
    index = reading.turns_before(line + 1)
    seat = viewer(reading.path, replay, replay.moments[index].position)
    picture = picture_at(seen(replay, seat), index, seat)
    return Preview(index, picture.title, document(picture))
