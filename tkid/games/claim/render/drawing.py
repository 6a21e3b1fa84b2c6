"""What Claim gives to rendering that draws. It is loaded when it is wanted: most uses are for text."""

from __future__ import annotations

from tkid.games.claim.render.clicks import choices, preview
from tkid.games.claim.render.picture.picture import picture
from tkid.render.plugin import DrawingPlugin


class ClaimDrawing:
    """How Claim is drawn."""

    picture = staticmethod(picture)
    choices = staticmethod(choices)
    preview = staticmethod(preview)


PLUGIN: DrawingPlugin = ClaimDrawing()
