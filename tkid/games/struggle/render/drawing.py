"""What The King is Dead gives to rendering that draws. It is loaded when it is wanted: most uses are for text."""

from __future__ import annotations

from tkid.games.struggle.render.clicks import choices
from tkid.games.struggle.render.picture.picture import picture
from tkid.games.struggle.render.preview import preview
from tkid.render.plugin import DrawingPlugin


class StruggleDrawing:
    """How The King is Dead is drawn."""

    picture = staticmethod(picture)
    choices = staticmethod(choices)
    preview = staticmethod(preview)


PLUGIN: DrawingPlugin = StruggleDrawing()
