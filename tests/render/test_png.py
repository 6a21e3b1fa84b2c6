"""Pictures as PNG: snapshots compared by pixels, small enough for a mail, drawn with the fonts that are shipped alone.

`python -m tests.render.test_png` draws the snapshots anew; look at each before it is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import unescape
from importlib import util
from io import BytesIO
from itertools import combinations
from pathlib import Path

import pytest
from attrs import evolve, frozen
from PIL import Image, ImageChops, ImageFont
from resvg_py import svg_to_bytes

from tests.makers.games import FOLDER
from tests.shared.tables import each_row
from tkid.games.struggle.render.pieces import read_emblems
from tkid.mail.letter_html import MOST_BYTES, SHARP
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.render.clicks import find_drawing_plugin
from tkid.render.frames import last_turn, picture_at
from tkid.render.picture import Part, Picture, write_svg_document, write_text_element
from tkid.render.raster import FILES, GROUND, Canvas, NoPngError, Remembered, Tile, Tiles, draw_png, draw_svg
from tkid.render.raster import PNG_WIDTH as USUAL

EXPECTED = Path(__file__).with_name("expected")
WIDTH = 480
LARGEST_SNAPSHOT, LARGEST_FONT = 66_000, 150_000
OFF = 40
"""By so many of 255 steps a pixel is another one: edges differ less between versions of what draws them."""
CLOSE = 3
"""By fewer steps pixels may differ where see-through colours are laid on each other in another order."""
EMBLEM_APART = 40
"""So many pixels of an emblem differ from every other one."""
SHARE = 0.002
"""Of so many pixels in one it does not matter."""


@frozen
class Shown:
    """A recorded game after some turns (from the end where there is a minus), as a seat sees it."""

    game: str
    turns: int
    seat: int | None = 0
    names: tuple[str, ...] = ()


SHOWN = {
    "second-start": Shown("second-edition/whole-game-for-2", 0),
    "second-for-three": Shown("second-edition/whole-game-for-3", 10),
    "second-for-four": Shown("second-edition/whole-game-for-4", 14, 3),
    "second-over": Shown("second-edition/whole-game-for-2", -1, None),
    "second-any-names": Shown("second-edition/whole-game-for-3", 6, 1, ("李镕安", "محمد علي 😀", "Łukasz Ж" * 4)),
    "advanced": Shown("second-edition-advanced/whole-game-for-2", 7),
    "first": Shown("first-edition/whole-game-for-3", 9),
    "mordred": Shown("first-edition-mordred/whole-game-for-2", 8),
    "digest-advanced": Shown("digest-advanced/whole-game-for-4", 12),
    "manual": Shown("manual/whole-game-for-2", 9),
    "claim-phase-one": Shown("claim/whole-game-for-2", 9),
    "claim-phase-two": Shown("claim/whole-game-for-2", 41, 1),
}


@cache
def recorded(game: str) -> Replay:
    """A recorded game, played through."""
    found = read_record((FOLDER / f"{game}.tkid").read_bytes()).record
    assert found is not None
    return replay(found)


@cache
def picture(name: str) -> Picture:
    """The picture of a snapshot."""
    shown = SHOWN[name]
    played = recorded(shown.game)
    game, last = played.record.game, last_turn(played, shown.turns, shown.seat)
    names = shown.names or played.record.names
    return find_drawing_plugin(game).draw_picture(
        game, game.view(played.moments[shown.turns].position, shown.seat), names, last
    )


def pixels(data: bytes) -> Image.Image:
    """A PNG as it is seen."""
    with Image.open(BytesIO(data)) as image:
        assert image.format == "PNG"
        return image.convert("RGB")


def differing(one: bytes, other: bytes) -> float:
    """The share of pixels in which two PNGs differ; 1 where they are not of one size."""
    first, second = pixels(one), pixels(other)
    if first.size != second.size:
        return 1.0
    bands = ImageChops.difference(first, second).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return sum(most.histogram()[OFF:]) / (first.width * first.height)


@each_row("name", SHOWN)
def test_snapshots(name: str) -> None:
    kept = (EXPECTED / f"{name}.png").read_bytes()
    assert differing(draw_png(picture(name), width=WIDTH), kept) < SHARE
    assert len(kept) < LARGEST_SNAPSHOT


def test_the_comparison_sees_a_piece_that_is_missing_or_elsewhere() -> None:
    whole = picture("second-start")
    kept = draw_png(whole, width=WIDTH)
    at = next(at for at, part in enumerate(whole.parts) if "data-at" in part.svg)
    moved = Part(whole.parts[at].name, f'<g transform="translate(9 5)">{whole.parts[at].svg}</g>')
    for parts in ((moved,), ()):
        other = evolve(whole, parts=(*whole.parts[:at], *parts, *whole.parts[at + 1 :]))
        assert differing(draw_png(other, width=WIDTH), kept) > SHARE


@pytest.mark.slow
@each_row("name", SHOWN, parts=3, sampled=True)
def test_as_large_as_in_mails_it_is_small_enough_for_them(name: str) -> None:
    data = draw_png(picture(name))
    assert pixels(data).width == USUAL
    assert len(data) < MOST_BYTES
    assert draw_png(picture(name)) == data


def lettered(words: str, family: str = "") -> bytes:
    """A picture of nothing but words."""
    style = {"svg": (f"font-family:{family}" if family else "", "")}
    return draw_png(Picture(200, 40, "", "", style, (Part("words", write_text_element(5, 25, words)),)), width=200)


def test_only_the_fonts_that_are_shipped_are_used() -> None:
    families = ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "system-ui", "serif", "monospace", "Nowhere", "")
    assert len({lettered("Ann and Łukasz", family) for family in families}) == 1
    assert all(0 < Path(file).stat().st_size < LARGEST_FONT for file in FILES)


@pytest.mark.parametrize("words", ["李镕安", "محمد علي", "😀", "\U0010ffff", "a\u0301\u0300", "<&>\"'"])
def test_what_the_fonts_lack_leaves_a_sign_and_breaks_nothing(words: str) -> None:
    assert lettered(words) != lettered("")


@pytest.mark.parametrize("file", FILES, ids=lambda file: Path(file).stem)
def test_the_fonts_have_all_that_the_pictures_of_the_games_say(file: str) -> None:
    font = ImageFont.truetype(file, 20)

    def drawn(character: str) -> bytes:
        return bytes(font.getmask(character))

    names = [name for name, shown in SHOWN.items() if not shown.names]
    said = {c for name in names for part in picture(name).parts for c in unescape(re.sub(r"<[^>]*>", "", part.svg))}
    lacking = {c for c in said | set("ÄÖÜßéñçłžőøåğışțΩЖї–—…’„“→←↔×·•✓★") if c.strip() and drawn(c) == drawn("\uffff")}
    assert lacking == set()


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ({"resvg_py"}, "as resvg-py is not installed here: run pip install '.[pictures]' in a copy of the source"),
        (
            {"resvg_py", "PIL"},
            "as resvg-py and pillow are not installed here: run pip install '.[pictures]' in a copy of the source",
        ),
    ],
)
def test_without_what_draws_it_the_way_out_is_told(
    missing: set[str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there: Callable[[str], object] = util.find_spec
    monkeypatch.setattr("tkid.render.raster.find_spec", lambda name: None if name in missing else there(name))
    with pytest.raises(NoPngError) as raised:
        draw_png(picture("second-start"))
    assert str(raised.value).endswith(told)


def test_a_picture_that_cannot_be_drawn_is_told() -> None:
    with pytest.raises(NoPngError, match="cannot be drawn"):
        draw_png(evolve(picture("second-start"), parts=(Part("broken", "<g"),)))


# -- composed of tiles ------------------------------------------------------------------------------------


def whole(drawing: Picture, width: int) -> Image.Image:
    """A picture as resvg draws it at once."""
    return draw_svg(write_svg_document(drawing, dark=False), width, background=GROUND).convert("RGB")


def steps(one: Image.Image, other: Image.Image) -> list[int]:
    """How many pixels of two images of one size differ by how many of 255 steps."""
    assert one.size == other.size
    bands = ImageChops.difference(one, other).split()
    return ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2]).histogram()


@pytest.mark.slow
@each_row("name", SHOWN, parts=12, sampled=True)
def test_composed_of_tiles_a_picture_is_what_resvg_draws(name: str) -> None:
    """At edges a rounding of resvg falls otherwise where a part is drawn elsewhere: a step of its smoothing, in few pixels."""
    shown = SHOWN[name]
    alone = picture_at(recorded(shown.game), shown.turns, shown.seat, layout="alone")
    for drawing, width in ((picture(name), USUAL), (alone, SHARP), (alone, 2 * alone.width)):
        counts = steps(Tiles().draw_image(drawing, width), whole(drawing, width))
        assert sum(counts[CLOSE:]) <= sum(counts) / 10_000
        assert sum(counts[OFF + 10 :]) == 0


@pytest.mark.parametrize("at", [(0, 0), (30, 60), (33, 27)])
def test_parts_that_are_see_through_overlap_leave_the_picture_and_show_nothing(at: tuple[int, int]) -> None:
    parts = (
        Part("ground", '<rect x="-50" y="-50" width="300" height="90" fill="url(#stripes)"/>'),
        Part("empty", ""),
        Part("hidden", '<rect width="90" height="90" opacity="0"/>'),
        Part("faint", '<g opacity=".4"><circle cx="60" cy="40" r="30"/><circle cx="80" cy="40" r="30"/></g>', at),
        Part("bent", '<path d="M20 20C-60 90 160 90 80 20" fill="none" stroke="#c4471c" stroke-width="3"/>', at),
        Part("two", '<use href="#dot" x="10" y="10"/><use href="#dot" x="190" y="110"/>'),
        Part("words", write_text_element(20, 100, "Łukasz is to play")),
    )
    defs = (
        '<pattern id="stripes" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width="4.5" height="9" fill="#f0c2ab"/></pattern><circle id="dot" r="6" fill="#1f5f9e" fill-opacity=".5"/>'
    )
    drawing = Picture(200, 121, "", "", {"text": ("font-size:13px", "")}, parts, defs=defs)
    for width in (200, 267, 400):
        counts = steps(Tiles().draw_image(drawing, width), whole(drawing, width))
        assert sum(counts[CLOSE:]) <= 10, width


def test_what_is_known_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn_parts: list[str] = []
    tile_of = Canvas.draw_tile

    def counted(canvas: Canvas, part: Part) -> Tile:
        drawn_parts.append(part.name)
        return tile_of(canvas, part)

    monkeypatch.setattr(Canvas, "draw_tile", counted)
    tiles, drawing = Tiles(), lettered_picture("Ann", "Bob", "Cal")
    first = tiles.draw_png(drawing)
    assert drawn_parts == ["0", "1", "2"]
    other = lettered_picture("Ann", "Zoe", "Cal")
    again = tiles.draw_png(other)
    assert drawn_parts == ["0", "1", "2", "1"]
    assert again != first
    assert again == Tiles().draw_png(other), "what is known changes nothing"
    drawn_parts.clear()
    assert tiles.draw_png(evolve(drawing, title="Cal's turn", description="other words")) == first
    assert drawn_parts == []
    tiles.draw_png(drawing, width=320)
    assert drawn_parts == ["0", "1", "2"]


@pytest.mark.exhaustive(seconds=2)
def test_whether_tiles_are_known_changes_no_byte() -> None:
    tiles, played = Tiles(), recorded("second-edition/whole-game-for-3")
    for turn in (8, 9):
        alone = picture_at(played, turn, None, layout="alone")
        assert tiles.draw_png(alone, width=SHARP) == Tiles().draw_png(alone, width=SHARP), turn


def lettered_picture(*words: str) -> Picture:
    """A picture of words below each other."""
    parts = tuple(Part(str(row), write_text_element(5, 20, name), (0, 30 * row)) for row, name in enumerate(words))
    return Picture(240, 120, "", "", {}, parts)


def test_what_was_not_used_for_longest_is_forgotten() -> None:
    kept = Remembered(10, len)
    for key in (b"a", b"b", b"c"):
        kept.keep(key, b"four")
        kept.get(b"a")
    assert [kept.get(key) for key in (b"a", b"b", b"c")] == [b"four", None, b"four"]
    assert kept.total == 8
    kept.keep(b"d", b"more than there is room for")
    assert kept.total == 0
    small = Tiles(tiles=Remembered(1000, lambda tile: tile.bytes))
    assert small.draw_png(lettered_picture("Ann", "Bob")) == Tiles().draw_png(lettered_picture("Ann", "Bob"))


def test_tiles_cannot_be_drawn_without_what_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoPngError, match="cannot be drawn"):
        Tiles().draw_png(evolve(picture("second-start"), parts=(Part("broken", "<g"),)))
    monkeypatch.setattr("tkid.render.raster.find_spec", lambda _: None)
    with pytest.raises(NoPngError, match="pip install"):
        Tiles().draw_png(picture("second-start"))


def main() -> None:
    """Draw the snapshots anew."""
    for name in SHOWN:
        (EXPECTED / f"{name}.png").write_bytes(draw_png(picture(name), width=WIDTH))


def test_emblems_differ_at_the_size_of_a_small_card() -> None:
    """Pixels that differ by more than a quarter of the scale, of 576."""
    style = ".pen{fill:none;stroke:#1d1b18;stroke-width:2.2}.ink{fill:#1d1b18}"
    style += ".f0{fill:#1f5f9e}.f1{fill:#c4471c}.f2{fill:#f0c52e}"
    drawn = {}
    for name, emblem in read_emblems().items():
        ground = f'<style>{style}</style><rect width="32" height="32" fill="#fffdf8"/>'
        ground += f'<g class="pen">{emblem["drawing"]}</g>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{ground}</svg>'
        drawn[name] = Image.open(BytesIO(bytes(svg_to_bytes(svg_string=svg, width=24, height=24)))).convert("RGB")
    for (one, this), (other, that) in combinations(drawn.items(), 2):
        difference = ImageChops.difference(this, that).split()
        strongest = ImageChops.lighter(ImageChops.lighter(*difference[:2]), difference[2])
        assert sum(strongest.histogram()[65:]) >= EMBLEM_APART, (one, other)


if __name__ == "__main__":
    main()
