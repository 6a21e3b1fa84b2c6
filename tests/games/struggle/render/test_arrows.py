"""Arrows in finished pictures: which turns have one, where its heads point, and that it touches nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import dist
from random import Random

import pytest
from attrs import astuple, evolve, frozen

from tests.games.struggle.render.lines import Point, apart, sampled
from tests.render.svg import SVG, Shape, parsed, path_points, shapes
from tests.shared.strategies import GAME, GAMES, NAMES, random_game, start
from tests.shared.tables import each_row
from tkid.games.struggle.render.arrows import STOP, extend_box, has_point, move_toward
from tkid.games.struggle.render.drawing import draw_picture
from tkid.games.struggle.render.pieces import MAP_HEIGHT, WIDTH
from tkid.games.struggle.render.regions import pack_region
from tkid.games.struggle.render.scene import Scene
from tkid.games.struggle.rules.board import Board, Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import CourtSwap, Move, Place, Play, Shift, Summon, Swap
from tkid.render.picture import Box, LastTurn

CLEAR, HALF_LINE, ROUNDING = 1.5, 1.1, 0.1
"""The room around an arrow, half the width of its line, and what is lost by writing numbers with one digit."""
CORNER = 11.5
"""No corner of a piece is farther than this from its middle."""
GROUND = ("paper", "sea", "roads", "land-", "next", "arrows", "exchange")
"""The parts that arrows go over, or that are arrows."""


@frozen
class Drawn:
    """The arrows in a finished picture: points along their lines, the corners of their heads, and what they touch."""

    line: list[Point]
    heads: list[list[Point]]
    touched: list[str]

    @property
    def targets(self) -> list[Point]:
        """Where heads point: the middles of the pieces before them."""
        return [move_toward(tip, ((a + c) / 2, (b + d) / 2), -STOP) for tip, (a, b), (c, d) in self.heads]


def arrows_in(game: Struggle, position: Position, *moves: Move) -> Drawn:
    """The arrows in the finished picture of a position after some moves."""
    last = LastTurn(0, moves)
    whole = draw_picture(game, game.view(position, None), NAMES[: len(position.courts)], last, layout="alone")
    group = next(each for each in parsed(whole).iter(f"{SVG}g") if each.get("data-part") == "arrows")
    paths = {each.get("class"): each.attrib["d"] for each in group}
    line = sampled(paths.get("arrow", ""))
    heads = [f"M{head}" for head in paths.get("tip", "").split("M")[1:]]
    points = [(point, CLEAR + HALF_LINE) for point in line]
    points += [(point, CLEAR) for head in heads for point in sampled(head)]
    return Drawn(line, [path_points(head) for head in heads], list(_touched(points, shapes(whole))) if points else [])


def _touched(points: list[tuple[Point, float]], drawn: list[Shape]) -> Iterator[str]:
    """Everything to which points are nearer than they may be."""
    for shape in drawn:
        if shape.part.startswith(GROUND):
            continue
        box, middle = Box(*astuple(shape.box)), shape.box.middle
        radius = {"circle": (box.right - box.left) / 2, "g": CORNER}.get(shape.kind)
        near_by = extend_box(box, CLEAR + HALF_LINE)
        for point, clear in points:
            if has_point(near_by, point):
                round_ = 0 if radius is None else dist(point, middle) - radius
                gap = round_ if shape.kind == "circle" else max(apart(point, box), round_)
                if gap < clear - ROUNDING:
                    yield f"{shape.part} {shape.kind} {shape.words!r}: {gap:.2f} at {point}"
    for (x, y), clear in points:
        if not (clear < x < WIDTH - clear and clear < y < MAP_HEIGHT - clear):
            yield f"the edge at {x, y}"


def scene(game: Struggle, position: Position, *moves: Move) -> Scene:
    return Scene(game, position, None, NAMES[: len(position.courts)], LastTurn(0, moves))


def came(game: Struggle, position: Position, region: int, *moves: Move) -> set[Point]:
    """Where the followers with rings are in a region."""
    places = pack_region(scene(game, position, *moves), region)
    return {(piece.x, piece.y) for piece in places.pieces if piece.came}


def near(point: Point, places: set[Point]) -> bool:
    return any(dist(point, place) < 1 for place in places)


# -- which turns have an arrow ----------------------------------------------------------------------------

MOR, STR, LAN, NOR, GWY, WAR, ESS, DEV = range(8)
OPENING = start(2, bytes(32)).replace(regions=((2, 1, 1),) * 8)
S, W, E = (1, 0, 0), (0, 1, 0), (0, 0, 1)


@each_row(
    "moves, heads",
    [
        ((Play("Scottish Support", Place((2, 0, 0), MOR)), Summon(0, MOR)), {}),
        ((Play("Betrayal", CourtSwap(MOR, S, W)),), {}),
        ((Play("Manoeuvre", Swap(MOR, DEV, S, E)),), {MOR: 1, DEV: 1}),
        ((Play("Manoeuvre", Swap(LAN, NOR, S, S)), Summon(1, WAR)), {LAN: 1, NOR: 1}),
        ((Play("Outmanoeuvre", Swap(MOR, STR, W, (1, 0, 1))),), {MOR: 1, STR: 1}),
        ((Play("March", Shift((1, 1, 0), DEV, ESS)),), {ESS: 1}),
        ((Play("March", Shift(W, MOR, STR)), Summon(2, MOR)), {STR: 1}),
    ],
)
def test_a_swap_has_heads_at_both_ends_a_move_at_one_and_nothing_else_has_an_arrow(
    moves: tuple[Move, ...], heads: dict[int, int]
) -> None:
    drawn = arrows_in(GAME, OPENING, *moves)
    assert bool(drawn.line) == bool(heads)
    assert len(drawn.heads) == sum(heads.values())
    for region, number in heads.items():
        arrived = came(GAME, OPENING, region, *moves)
        arrived |= {((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in combinations(arrived, 2)}
        assert sum(near(target, arrived) for target in drawn.targets) == number
    assert drawn.touched == []


def test_what_came_and_was_summoned_at_once_is_pointed_at_as_a_ghost() -> None:
    position = OPENING.replace(regions=((2, 1, 1), (2, 1, 0), *OPENING.regions[2:]))
    moves = Play("Manoeuvre", Swap(MOR, STR, E, S)), Summon(2, STR)
    ghosts = {
        (piece.x, piece.y)
        for piece in pack_region(scene(GAME, position, *moves), STR).pieces
        if (piece.kind, piece.faction) == ("ghost", 2)
    }
    assert sum(near(target, ghosts) for target in arrows_in(GAME, position, *moves).targets) == 1


# -- room -------------------------------------------------------------------------------------------------


def turns(seed: int, name: str) -> Iterator[tuple[Position, tuple[Move, ...]]]:
    """The positions of a random game after turns that moved followers from region to region, with their moves."""
    game, moves, before = EDITIONS[name], list[Move](), None
    for position, move, _ in random_game(Random(seed), 2 + seed % 3, 0.1, game):
        if move is not None and before is not None:
            moves = [*moves, move] if before.decision == "summon" else [move]
            between = any(transfer.between_regions for transfer in scene(game, position, *moves).moved)
            if between and position.decision != "summon":
                yield position, tuple(moves)
        before = position


PLAIN = evolve(
    GAME, board=Board(GAME.board.factions, GAME.board.regions, GAME.board.borders | {(0, 3)}, GAME.board.homes)
)
EDITIONS = {**GAMES, "plain": PLAIN}
"""Every game, and one on a board that nobody has drawn."""
SEEDS = {name: seed for seed, name in enumerate(EDITIONS)}


@pytest.mark.slow
@each_row("name", list(EDITIONS))
def test_no_arrow_of_a_random_game_touches_anything(name: str) -> None:
    drawn = [arrows_in(EDITIONS[name], position, *moves) for position, moves in turns(SEEDS[name], name)]
    assert [each.touched for each in drawn if each.touched] == []
    assert sum(bool(each.line) for each in drawn) >= 0.85 * len(drawn) > 0


CROWDS = ((1, 0, 0), (2, 1, 1), (3, 2, 2), (4, 4, 3), (6, 6, 6), (18, 1, 1))
PAIRS = tuple(combinations(range(8), 2))


@pytest.mark.slow
@each_row("crowd", CROWDS)
def test_no_arrow_between_two_regions_touches_anything_however_many_are_there(crowd: tuple[int, int, int]) -> None:
    position, missing = OPENING.replace(regions=(crowd,) * 8), []
    for at, (left, right) in list(enumerate(PAIRS))[CROWDS.index(crowd) % 3 :: 3]:
        moves = (Play("Outmanoeuvre", Swap(left, right, S, S if at % 2 else (2, 0, 0))), Summon(0, (left + at) % 8))
        drawn = arrows_in(GAME, position.replace(track=position.track[at % 8 :] + position.track[: at % 8]), *moves)
        assert drawn.touched == [], (left, right)
        missing += [] if drawn.line else [(left, right)]
    assert len(missing) <= 2, missing
