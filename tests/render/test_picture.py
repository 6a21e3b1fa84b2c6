"""The board in pictures: snapshots, and what every picture of a random position shows, to every eye.

`python -m tests.render.test_picture` writes the snapshots anew; look at each before it is kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.struggle.shared.family import board, struggle, struggles
from tests.render.seen_by import contrast, deuteranopia, differ
from tests.render.svg import inside, keys, outline, parsed, shapes, texts
from tests.shared.strategies import NAMES, random_game
from tests.shared.tables import each_row
from tkid.games.struggle.render.picture.picture import STYLE, picture
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Move, Summon
from tkid.games.struggle.rules.position import HIDDEN, Position
from tkid.kernel.game import Event
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Moment
from tkid.record.play.validation import judge
from tkid.render.picture import LastTurn, Picture, document
from tkid.rulebook.rulesets import ruleset

EXPECTED = Path(__file__).with_name("expected")
GAMES = Path(__file__).parents[2] / "fixtures" / "games"
SNAPSHOTS = {
    "start": ("second-edition/coronation-emptied-players", 0, 0),
    "swapped": ("second-edition/coronation-emptied-players", 6, 0),
    "exchanged": ("second-edition/coronation-emptied-players", 7, 1),
    "ending": ("second-edition/coronation-emptied-players", -1, None),
    "teams": ("second-edition/coronation-emptied-teams", 12, 2),
    "cunning": ("second-edition-advanced/coronation-emptied-teams", 28, 2),
    "cunning-spectator": ("second-edition-advanced/coronation-emptied-teams", 28, None),
    "first-edition": ("first-edition/whole-game-for-3", 20, 0),
    "mordred": ("first-edition-mordred/control-indecision-tie-teams", 20, 1),
    "digest": ("digest-advanced/whole-game-for-4", 30, 0),
    "manual": ("manual/whole-game-for-4", 45, 3),
    "manual-late": ("manual/whole-game-for-4", -2, 3),
}
"""For each snapshot the recorded game, the turn, and for whom it is drawn (None: a spectator)."""
HOSTILE = ("<script>alert(1)</script>", 'A & "B" \' ]]>', "W" * 60, "\u738b\u5c0f\u660e \u0416\u0443\u043a")


def moments(name: str) -> tuple[Struggle, tuple[str, ...], list[Moment]]:
    _, replay = judge(read_record((GAMES / f"{name}.tkid").read_bytes()))
    assert replay is not None
    return struggle(replay.record.game), replay.record.names, replay.moments


def snapshot(name: str) -> Picture:
    game_name, turn, seat = SNAPSHOTS[name]
    game, names, played = moments(game_name)
    turn %= len(played)
    last = LastTurn(played[turn - 1].position.to_act or 0, played[turn].moves, played[turn].events) if turn else None
    return picture(game, game.view(board(played[turn].position), seat), names, last)


@each_row("name", SNAPSHOTS)
def test_snapshot(name: str) -> None:
    assert document(snapshot(name)) == (EXPECTED / f"{name}.svg").read_text(encoding="utf-8")


@frozen
class Look:
    """A position, the turn that led to it, and who looks at it."""

    game: Struggle
    position: Position
    last: LastTurn | None
    seat: int | None


CODES = tuple(each.code for each in struggles())
SECRET = tuple(each.code for each in struggles() if each.game().secret)


Choice = tuple[str, int, int, float, float, int]
"""What makes a look at a random game: ruleset, seed, players, how many pass, how far it is played, seat from 1 or 0."""


def chosen(codes: tuple[str, ...] = CODES) -> st.SearchStrategy[Choice]:
    """A look at a random game of some ruleset."""
    return st.tuples(
        st.sampled_from(codes),
        st.integers(0, 2**32 - 1),
        st.sampled_from((2, 3, 4)),
        st.sampled_from((0.1, 0.5)),
        st.floats(0, 1),
        st.integers(0, 4),
    )


def look(choice: Choice) -> Look:
    """A position reached by random play."""
    code, seed, players, passing, far, seat = choice
    game = struggle(ruleset(code).game())
    reached: list[tuple[Position, LastTurn | None]] = []
    before: Position | None = None
    done: list[tuple[Move, tuple[Event, ...]]] = []
    for position, move, events in random_game(Random(seed), players, passing, game):
        done = [*done, (move, events)] if move else []
        moves, followed = tuple(m for m, _ in done), tuple(e for _, es in done for e in es)
        reached.append((position, LastTurn(before.to_act or 0, moves, followed) if before else None))
        if position.decision != "summon":
            before, done = position, []
    position, last = reached[round(far * (len(reached) - 1))]
    return Look(game, position, last, seat - 1 if 0 < seat <= players else None)


def drawn(scene: Look, names: tuple[str, ...] = NAMES) -> Picture:
    view = scene.game.view(scene.position, scene.seat)
    return picture(scene.game, view, names[: len(view.shown.courts)], scene.last)


@pytest.mark.slow
@settings(max_examples=60)
@given(choice=chosen())
def test_everything_that_stands_somewhere_is_drawn_there(choice: Choice) -> None:
    scene = look(choice)
    game, position, seat = scene.game, scene.position, scene.seat
    root, map_ = parsed(drawn(evolve(scene, last=None))), game.board
    named = Counter(keys(root))
    for region, standing in enumerate(position.regions):
        code = map_.regions[region].code
        assert named[f"region/{code}"] == named[f"space/{code}"] == 1
        for faction, n in zip(map_.factions, standing, strict=True):
            assert named[f"follower/{code}/{faction.letter}"] in ({n} if sum(standing) <= 8 else {int(n > 0)})
            if sum(standing) > 8 and n > 1:
                assert f"\u00d7{n}" in texts(root)
    for owner in position.seats:
        assert named[f"pile/{owner}"] == bool(position.discards[owner])
        for index in map_.courtly:
            assert named[f"court/{owner}/{map_.factions[index].letter}"] == 1
    hand = game.view(position, seat).shown.hands[seat] if seat is not None else ()
    assert {key for key in named if key.startswith("card/")} == {f"card/{card}" for card in hand}


@pytest.mark.slow
@settings(max_examples=60)
@given(choice=chosen())
def test_followers_stand_in_their_region_and_no_word_covers_another(choice: Choice) -> None:
    scene = look(choice)
    shown = drawn(scene)
    root = parsed(shown)
    rings = {region.code: outline(root, region.code) for region in scene.game.board.regions}
    placed = [shape for shape in shapes(shown) if shape.kind == "g" or (shape.kind == "text" and len(shape.words) > 1)]
    assert placed
    for shape in placed:
        box = shape.room
        assert box.left > -1, shape
        assert box.right < shown.width + 1, shape
        assert 0 < box.top < box.bottom < shown.height, shape
        if shape.kind == "g" and shape.part.startswith("region-"):
            ring, middle = rings[shape.part.removeprefix("region-")], (box.left + box.right) / 2
            assert inside((middle, box.top + 1), ring), shape
            assert inside((middle, box.bottom - 1), ring), shape
    for one, other in combinations([shape for shape in placed if shape.part != "moved"], 2):
        assert not one.room.overlaps(other.room, 2.0), (one, other)


@settings(max_examples=40)
@given(choice=chosen())
def test_names_are_only_text(choice: Choice) -> None:
    scene = look(choice)
    root = parsed(drawn(scene, HOSTILE))
    assert not [each for each in root.iter() if each.tag.endswith("script")]
    usual = parsed(drawn(scene))
    assert [each.tag for each in root.iter()] == [each.tag for each in usual.iter()]


@settings(max_examples=40)
@given(choice=chosen(SECRET))
def test_what_is_hidden_is_not_drawn(choice: Choice) -> None:
    scene = look(choice)
    game, position, seat = scene.game, scene.position, scene.seat
    view = game.view(position, seat)
    known = [card for cards in view.shown.hands + view.shown.discards for card in cards if card != HIDDEN]
    told = " ".join(texts(parsed(picture(game, view, NAMES[: len(position.courts)], None))))
    for card in game.cards:
        if card not in known and not any(card in other for other in known):
            assert not re.search(rf"\b{card}\b", told), card


def test_the_pictures_of_a_game_have_the_same_parts_and_size() -> None:
    for name in ("second-edition-advanced/coronation-emptied-teams", "manual/whole-game-for-4"):
        game, names, played = moments(name)
        sizes = set()
        for before, moment in zip([None, *played], played, strict=False):
            last = LastTurn(before.position.to_act or 0, moment.moves, moment.events) if before else None
            shown = picture(game, game.view(board(moment.position), 1), names, last)
            sizes.add((shown.width, shown.height, tuple(part.name for part in shown.parts)))
        assert len(sizes) == 1


def test_what_a_turn_did_is_marked() -> None:
    game, names, played = moments("second-edition/coronation-emptied-players")
    marked = snapshot("swapped")
    arrows = next(part.svg for part in marked.parts if part.name == "arrows")
    assert arrows.count('class="arrow"') == 2
    summoned = next(move for move in played[6].moves if isinstance(move, Summon))
    region = next(p.svg for p in marked.parts if p.name == f"region-{game.board.regions[summoned.region].code}")
    assert f"\u2192 {names[1]}" in region
    moved = next(part.svg for part in snapshot("exchanged").parts if part.name == "exchange")
    assert moved.count('class="tip"') == 2
    assert "tip" not in next(part.svg for part in marked.parts if part.name == "exchange")


# -- eyes -------------------------------------------------------------------------------------------------


def colour(selector: str, *, dark: bool, what: str = "fill") -> str:
    """The colour that a class has on light or on dark screens."""
    usual, other = next(value for key, value in STYLE.items() if selector in key.split(","))
    found = re.findall(rf"{what}:(#\w+)", other if dark and what in other else usual)
    return str(found[-1])


@pytest.mark.parametrize("dark", [False, True])
def test_words_stand_out_from_their_ground(dark: bool) -> None:  # noqa: FBT001 - by pytest
    grounds = {
        ".ink": (".paper", ".land", ".shut", ".sea", ".card"),
        ".dim": (".paper", ".land", ".shut", ".down"),
        ".up-name": (".card", ".up"),
        ".down-name": (".down",),
        ".l0": (".f0",),
        ".l1": (".f1",),
        ".l2": (".f2",),
        ".l3": (".f3",),
    }
    for words, below in grounds.items():
        for ground in below:
            ratio = contrast(colour(words, dark=dark), colour(ground, dark=dark))
            assert ratio >= 4.5, (words, ground, dark, ratio)


@pytest.mark.parametrize("dark", [False, True])
def test_factions_differ_also_for_whoever_sees_no_green(dark: bool) -> None:  # noqa: FBT001 - by pytest
    for one, other in combinations((".f0", ".f1", ".f2", ".f3"), 2):
        a, b = colour(one, dark=dark), colour(other, dark=dark)
        assert differ(a, b) > 20
        assert differ(deuteranopia(a), deuteranopia(b)) > 20, (one, other)


def test_factions_differ_in_shape_and_letter() -> None:
    for each in struggles():
        game = struggle(each.game())
        factions = game.board.factions
        shown = document(
            picture(game, game.view(game.start(game.table(NAMES[:2]), game.deal(2, bytes(32))), 0), NAMES[:2])
        )
        polygons = {re.search(rf'd="([^"]+)" class="piece f{f}"', shown)[1] for f in range(len(factions))}  # type: ignore[index]
        assert len(polygons) == len(factions) == len({faction.letter for faction in factions})


def write() -> Iterator[Path]:
    """Write every snapshot anew."""
    for name in SNAPSHOTS:
        path = EXPECTED / f"{name}.svg"
        path.write_text(document(snapshot(name)), encoding="utf-8")
        yield path


if __name__ == "__main__":
    for written in write():
        print(written)  # noqa: T201
