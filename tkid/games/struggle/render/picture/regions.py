"""What stands in the regions: names, houses, followers, rings and ghosts, coins, and the numbers of the struggles."""

from __future__ import annotations

from functools import lru_cache

from tkid.games.struggle.render.picture import pieces
from tkid.games.struggle.render.picture.packing import AROUND_COIN, COIN, Packed, packed
from tkid.games.struggle.render.picture.scene import Scene
from tkid.games.struggle.rules.board import OPEN, Board
from tkid.render.palette import paint
from tkid.render.picture import REMEMBERED, Part, Style, text

STYLE: Style = {
    ".name": paint("font-size:13px;font-weight:700", fill="ink"),
    ".count": paint("font-size:11.5px;font-weight:700;font-variant-numeric:tabular-nums", fill="ink"),
    ".whither": paint("font-size:10.5px;font-weight:700", fill="last"),
    ".coin-word": paint(fill="ink"),
}


def regions(scene: Scene) -> tuple[Part, ...]:
    """What stands in each region, and the number of its struggle, as parts."""
    codes = [each.code for each in scene.board.regions]
    return (
        *[Part(f"region-{code}", region(scene, index)) for index, code in enumerate(codes)],
        *[Part(f"order-{code}", order(scene, index)) for index, code in enumerate(codes)],
    )


def region(scene: Scene, index: int) -> str:
    """What stands in a region: its name, whose home it is, and its followers or its coin."""
    shown = scene.shown
    return _region(packed(scene, index), scene.board, index, shown.discs[index], scene.resolved(index))


def order(scene: Scene, index: int) -> str:
    """The number of a region's struggle, before its name."""
    shown = scene.shown
    resolved = shown.discs[index] != OPEN
    state = "resolved" if resolved else "contested" if index == scene.contested else "open"
    return pieces.number(*packed(scene, index).number, shown.track.index(index) + 1, state=state)


@lru_cache(REMEMBERED)
def _region(places: Packed, board: Board, index: int, disc: int, new: bool) -> str:  # noqa: FBT001 - a key of the cache
    svg = text(*places.name_at, places.name, class_="name")
    svg += "".join([pieces.house(board, faction, *at) for faction, at in places.houses])
    if places.coin:
        x, y = places.coin
        svg += pieces.coin(board, disc, x, y)
        svg += pieces.came(x, y, COIN + AROUND_COIN) if new else ""
        for words, at in places.words:
            svg += text(*at, words, class_="coin-word", font_size=places.words_size)
    code = board.regions[index].code
    for piece in places.pieces:
        if piece.kind == "ghost":
            svg += pieces.ghost(board, piece.faction, piece.x, piece.y)
        else:
            svg += pieces.came(piece.x, piece.y) if piece.came else ""
            key = f"follower/{code}/{board.factions[piece.faction].letter}"
            svg += pieces.follower(board, piece.faction, piece.x, piece.y, key=key)
        if piece.words:
            x, class_ = piece.x + piece.reach + 2, "count" if piece.kind == "follower" else "whither"
            svg += text(x, piece.y + 4, piece.words, class_=class_)
    return svg
