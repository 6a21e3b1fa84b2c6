"""What stands in the regions: nothing overlaps or leaves its land, computed from the finished SVG for the worst positions."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise

from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from tests.games.struggle.shared.family import struggle, struggles
from tests.render.svg import Point, Shape, outline, parsed, shapes
from tests.shared.examples import examples
from tests.shared.strategies import GAME, start
from tests.shared.tables import each_row
from tkid.games.struggle.render import pieces
from tkid.games.struggle.render import scene as map_scene
from tkid.games.struggle.render.drawing import STYLE
from tkid.games.struggle.render.regions import draw_regions, pack_region
from tkid.games.struggle.render.scene import HEIGHT, WIDTH, Scene
from tkid.games.struggle.render.scene import draw_map_ground as drawn_ground
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Board, Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import COURT, SUPPLY, Transfer
from tkid.games.struggle.rules.struggles import ResolvedRegion
from tkid.kernel.game import Event
from tkid.render.picture import LastTurn, Picture

LINE = 1.6
"""Half the outline of the contested region."""
NAMES = ("Wilhelmina-Christabel", "Bob")
ROADS = Board(GAME.board.factions, GAME.board.regions, GAME.board.borders | {(0, 3)}, GAME.board.homes)
"""A board that is no drawing of Britain, with the same names."""
BOARDS: dict[str, Struggle] = {
    **{
        game.board.regions[0].code + str(len(game.board.factions)): game
        for game in (struggle(r.game()) for r in struggles())
    },
    "plain": evolve(GAME, board=ROADS),
}
"""A game for each map that there is."""


@frozen
class Case:
    """What is in a region, and what the last turn did there: how many came from the supply and from regions, and who left."""

    followers: Followers
    placed: Followers
    swapped: Followers
    left: tuple[tuple[int, int], ...] = ()


def marked(followers: Followers) -> Iterator[Case]:
    """A crowd without marks, after a card that placed some, and after a swap and a summons."""
    none = (0,) * len(followers)
    most = max(range(len(followers)), key=followers.__getitem__)
    one = tuple(int(faction == most) for faction in range(len(followers)))
    yield Case(followers, none, none)
    if any(followers):
        yield Case(followers, tuple(min(n, 2) for n in followers), none)
        yield Case(followers, none, one, ((0, COURT), (len(followers) - 1, COURT)))
        yield Case(followers, none, one, ((1, SUPPLY), (0, GAME_REGION), (most, GAME_REGION)))


GAME_REGION = 0
"""Any region to go to: what matters is that it is one."""


def crowds(factions: int) -> Iterator[Followers]:
    """Followers from none to twenty: of each faction alone, of two, and of all."""
    for total in (0, 1, 3, 4, 5, 7, 8, 9, 11, 12, 13, 20):
        for one in range(factions):
            yield tuple(total * (faction == one) for faction in range(factions))
        for one, other in combinations(range(factions), 2):
            yield tuple(total // 2 * (each in {one, other}) for each in range(factions))
        yield tuple((total + each) // factions for each in range(factions))


def scene(game: Struggle, cases: Sequence[Case], discs: Sequence[int] = ()) -> Scene:
    """A scene with a case in each region."""
    many, kinds = len(game.board.regions), len(game.board.factions)
    moved = []
    for region, case in enumerate(cases):
        other = (region + 1) % many
        moved += [Transfer(case.placed, SUPPLY, region), Transfer(case.swapped, other, region)]
        for faction, target in case.left:
            one = tuple(int(each == faction) for each in range(kinds))
            moved.append(Transfer(one, region, other if target == GAME_REGION else target))
    position = start(2, bytes(32), GAME).replace(
        regions=tuple(case.followers for case in cases), discs=tuple(discs) or (OPEN,) * many, to_act=0
    )
    own = [transfer for transfer in moved if any(transfer.group)]
    return Scene(game, position, None, NAMES, None, moved=tuple(own))


def picture(shown: Scene) -> Picture:
    """What stands in the regions of a scene."""
    return Picture(
        WIDTH, HEIGHT, "", "", STYLE, draw_regions(shown), defs="".join(pieces.build_piece_shapes(shown.board).values())
    )


@cache
def rings(name: str) -> dict[str, tuple[Point, ...]]:
    """The outlines of the regions, as they are drawn."""
    game = BOARDS[name]
    nobody = (0,) * len(game.board.factions)
    empty = scene(game, [Case(nobody, nobody, nobody)] * len(game.board.regions))
    root = parsed(
        Picture(
            WIDTH,
            HEIGHT,
            "",
            "",
            STYLE,
            drawn_ground(empty),
            defs="".join(map_scene.build_map_shapes(game.board).values()),
        )
    )
    return {region.code: tuple(outline(root, region.code)) for region in game.board.regions}


def check(name: str, shown: Scene) -> None:
    """Everybody is shown, nothing in a region overlaps anything else there, and nothing leaves its land."""
    found = shapes(picture(shown))
    for region, followers in zip(shown.board.regions, shown.shown.regions, strict=True):
        standing = [shape for shape in found if shape.words.startswith(f"follower/{region.code}/")]
        counts = [shape for shape in found if shape.part == f"region-{region.code}" and shape.words[:1] == "\u00d7"]
        assert len(standing) + sum(int(shape.words[1:]) - 1 for shape in counts) == sum(followers)
        here = [shape for shape in found if shape.part.endswith(f"-{region.code}")]
        for one, other in combinations(here, 2):
            assert not one.box.overlaps(other.box, 0.15) or _belong(one, other), (one, other)
        for shape in here:
            for y, left, right in _profile(shape):
                ends = crossings(name, region.code, round(y, 1))
                assert bisect(ends, left) == bisect(ends, right), shape
                assert bisect(ends, left) % 2, shape


def _profile(shape: Shape) -> list[tuple[float, float, float]]:
    """Heights of a shape with where it begins and ends there: a circle is narrow at its top."""
    box = shape.box
    round_ = 0.6 * (box.right - box.left) / 2 if shape.kind == "circle" else 0
    ends = [(y, box.left + round_, box.right - round_) for y in (box.top - LINE, box.bottom + LINE)]
    return [*ends, (box.middle[1], box.left - LINE, box.right + LINE)]


@cache
def crossings(name: str, code: str, y: float) -> list[float]:
    """Where the outline of a region crosses a height, from left to right."""
    ring = rings(name)[code]
    return sorted(
        a + (c - a) * (y - b) / (d - b) for (a, b), (c, d) in pairwise((*ring, ring[0])) if (b > y) != (d > y)
    )


def _belong(one: Shape, other: Shape) -> bool:
    """Whether one is the ring around the other."""
    (a, b), (c, d) = one.box.middle, other.box.middle
    return "circle" in {one.kind, other.kind} and abs(a - c) < 0.2 and abs(b - d) < 1.5


@each_row("name", sorted(BOARDS))
def test_nothing_overlaps_in_the_worst_positions(name: str) -> None:
    game = BOARDS[name]
    cases = [case for followers in crowds(len(game.board.factions)) for case in marked(followers)]
    many = len(game.board.regions)
    for at in range(0, len(cases), 8):
        check(name, scene(game, [cases[(at + 5 * region) % len(cases)] for region in range(many)]))


@each_row("name", sorted(BOARDS))
def test_coins_and_their_words_stand_on_their_land(name: str) -> None:
    game = BOARDS[name]
    nobody = (0,) * len(game.board.factions)
    for disc in (UNSTABLE, *range(len(game.board.factions))):
        many = len(game.board.regions)
        shown = scene(game, [Case(nobody, nobody, nobody)] * many, (disc,) * many)
        about = [ResolvedRegion(region, nobody, disc) for region in range(many)]
        news = LastTurn(0, (), tuple(Event("second.turn.pass", "", about=each) for each in about))
        check(name, shown)
        check(name, evolve(shown, last=news))


@each_row("name", sorted(BOARDS))
def test_no_name_and_no_word_is_cut(name: str) -> None:
    game = BOARDS[name]
    nobody = (0,) * len(game.board.factions)
    for disc in (OPEN, UNSTABLE, *range(len(game.board.factions))):
        shown = scene(game, [Case(nobody, nobody, nobody)] * len(game.board.regions), (disc,) * len(game.board.regions))
        for index in range(len(game.board.regions)):
            places = pack_region(shown, index)
            assert places.name == game.board.name_region(index)
            assert "".join(words for words, _ in places.words) == ("" if disc == OPEN else game.board.name_disc(disc))


@st.composite
def any_case(draw: st.DrawFn, kinds: int) -> Case:
    """Any crowd of up to twenty with any marks that a turn may leave."""
    factions = st.integers(0, kinds - 1)
    standing = draw(st.lists(factions, max_size=20))
    followers = tuple(standing.count(each) for each in range(kinds))
    came = draw(st.lists(st.sampled_from(standing), max_size=3)) if standing else []
    placed, swapped = came[:2], came[2:]
    left = draw(st.lists(st.tuples(factions, st.sampled_from((COURT, SUPPLY, GAME_REGION))), max_size=3))
    groups = [tuple(min(group.count(each), followers[each]) for each in range(kinds)) for group in (placed, swapped)]
    return Case(followers, groups[0], groups[1], tuple(left))


@examples(25)
@given(st.data(), st.sampled_from(sorted(BOARDS)))
def test_nothing_overlaps_in_any_position(data: st.DataObject, name: str) -> None:
    game = BOARDS[name]
    kinds = len(game.board.factions)
    check(name, scene(game, [data.draw(any_case(kinds)) for _ in game.board.regions]))
