"""The drawn map: what it shows to border, borders; computed from the shapes in the finished picture."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from tests.games.struggle.shared.family import struggle, struggles
from tests.render.svg import SVG, distance, inside, outline, parsed, path_points, shared
from tests.shared.strategies import GAME, NAMES, start
from tkid.games.struggle.render import scene as map_scene
from tkid.games.struggle.render.regions import pack_region
from tkid.games.struggle.render.scene import Scene
from tkid.games.struggle.rules.board import Board
from tkid.games.struggle.rules.game import Struggle
from tkid.render.clicks import find_drawing_plugin
from tkid.rulebook.rulesets import Ruleset

APART = 4.0
"""How far isles are from the land at least."""
VISIBLE = 24.0
"""So many units of common edge at least are seen as a border."""
UNDRAWN = Board.parse(
    factions="S Scots, W Welsh, R Romano-British",
    regions="North NOR, East EAS, South SOU, West WES",
    borders="NOR-EAS EAS-SOU SOU-WES",
    homes="S NOR, W WES, R EAS",
)


def root_of(game: Struggle) -> ET.Element:
    position = start(2, bytes(32), game)
    return parsed(find_drawing_plugin(game).draw_picture(game, game.view(position, 0), NAMES[:2], layout="alone"))


def rings(game: Struggle) -> dict[str, list[tuple[float, float]]]:
    root = root_of(game)
    return {region.code: outline(root, region.code) for region in game.board.regions}


@pytest.mark.parametrize("ruleset", struggles(), ids=lambda ruleset: ruleset.code)
def test_what_is_drawn_to_border_borders(ruleset: Ruleset) -> None:
    game = struggle(ruleset.game())
    drawn, codes = rings(game), [region.code for region in game.board.regions]
    borders = {frozenset((codes[a], codes[b])) for a, b in game.board.borders}
    for a, b in combinations(codes, 2):
        common = shared(drawn[a], drawn[b])
        assert common > VISIBLE if {a, b} in borders else common < 1, (a, b, common)


def test_no_place_lies_in_two_regions_and_every_region_has_its_middle() -> None:
    drawn = rings(GAME)
    for x in range(0, map_scene.WIDTH, 8):
        for y in range(0, map_scene.HEIGHT, 8):
            within = [code for code, ring in drawn.items() if inside((x, y), ring)]
            assert len(within) < 2, (x, y, within)
    shapes = map_scene.choose_drawing(GAME.board).shapes
    for shape in shapes:
        assert [other for other in shapes if inside(shape.label, list(other.outline))] == [shape]


def test_isles_lie_apart_from_the_land() -> None:
    isles = next(node for node in root_of(GAME).iter(f"{SVG}path") if node.get("id") == "isles")
    coast = list(rings(GAME).values())
    for point in path_points(isles.attrib["d"]):
        assert min(distance(point, ring) for ring in coast) >= APART, point


@pytest.mark.parametrize("ruleset", struggles(), ids=lambda ruleset: ruleset.code)
def test_ten_followers_stand_one_by_one_in_any_region(ruleset: Ruleset) -> None:
    game = struggle(ruleset.game())
    ten = (10, *[0] * (len(game.board.factions) - 1))
    position = start(2, bytes(32), game).replace(regions=(ten,) * len(game.board.regions))
    scene = Scene(game, position, None, NAMES[:2], None)
    for index in range(len(game.board.regions)):
        assert len(pack_region(scene, index).find_places("follower", 0)) == 10


def test_a_board_that_nobody_has_drawn_has_roads_for_borders() -> None:
    drawing = map_scene.choose_drawing(UNDRAWN)
    plates = [list(shape.outline) for shape in drawing.shapes]
    ends = [[n for end in (road[0], road[-1]) for n in range(4) if inside(end, plates[n])] for road in drawing.roads]
    roads = {frozenset(pair) for pair in ends}
    assert roads == {frozenset(border) for border in UNDRAWN.borders}
    for one, other in combinations(drawing.shapes, 2):
        assert shared(list(one.outline), list(other.outline)) == 0
        assert not inside(one.label, list(other.outline))


def test_another_border_is_never_drawn_as_britain() -> None:
    board = GAME.board
    more = Board(board.factions, board.regions, board.borders | {(0, 3)}, board.homes)
    assert map_scene.choose_drawing(more).roads
    assert not map_scene.choose_drawing(board).roads
