"""The board in pictures: snapshots, and what every picture of a random position shows, to every eye.

`python -m tests.render.test_picture` writes the snapshots anew; look at each before it is kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest
from attrs import evolve, frozen
from hypothesis import example, given
from hypothesis import strategies as st

from tests.games.struggle.shared.family import board, struggle, struggles
from tests.render.seen_by import contrast, deuteranopia, differ
from tests.render.svg import SVG, Shape, inside, keys, list_small, parsed, shapes, texts
from tests.shared.examples import examples
from tests.shared.strategies import NAMES, random_game
from tests.shared.tables import each_row
from tkid.games.struggle import voice
from tkid.games.struggle.render import pieces as card_pieces
from tkid.games.struggle.render.drawing import FAINT, STYLE, draw_picture
from tkid.games.struggle.render.pieces import TALLIES, TRACK, list_spaces
from tkid.games.struggle.render.scene import choose_drawing
from tkid.games.struggle.rules.board import HIDDEN, OPEN, UNSTABLE, Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Move, Summon
from tkid.kernel.game import Event
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Moment
from tkid.record.play.validation import judge_record
from tkid.render.picture import ROLES, LastTurn, Layout, Picture, draw_head, write_css, write_svg_document
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
LAYOUTS: dict[Layout, tuple[int, int]] = {
    "page": (480, 1176),
    "board": (480, 882),
    "alone": (480, 620),
    "wide": (960, 714),
}
"""The sizes of the layouts for four players; a page has the lines of emblems below."""
LARGEST_EMBLEM = 1000
TALLIED = ("track", "space-", "won", "supply", "passes", "lost")
PLAYED = ("panel-", "court-", "hand-", "pile-")
"""How the names of parts begin: those on the sea, and those of players."""
LONGEST = ("W" * 60, "Wolfeschlegelsteinhausenbergerdorff", "M\u00f3nica " * 8, "\u738b" * 30)
HOSTILE = ("<script>alert(1)</script>", 'A & "B" \' ]]>', "W" * 60, "\u738b\u5c0f\u660e \u0416\u0443\u043a")


def moments(name: str) -> tuple[Struggle, tuple[str, ...], list[Moment]]:
    _, replay = judge_record(read_record((GAMES / f"{name}.tkid").read_bytes()))
    assert replay is not None
    return struggle(replay.record.game), replay.record.names, replay.moments


def snapshot(name: str, layout: Layout = "page") -> Picture:
    game_name, turn, seat = SNAPSHOTS[name]
    game, names, played = moments(game_name)
    turn %= len(played)
    last = LastTurn(played[turn - 1].position.to_act or 0, played[turn].moves, played[turn].events) if turn else None
    return draw_picture(game, game.view(board(played[turn].position), seat), names, last, layout=layout)


@each_row("name", SNAPSHOTS)
def test_snapshot(name: str) -> None:
    assert write_svg_document(snapshot(name)) == (EXPECTED / f"{name}.svg").read_text(encoding="utf-8")


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


def drawn(scene: Look, names: tuple[str, ...] = NAMES, layout: Layout = "page") -> Picture:
    view = scene.game.view(scene.position, scene.seat)
    return draw_picture(scene.game, view, names[: len(view.shown.courts)], scene.last, layout=layout)


# -- what is read back ------------------------------------------------------------------------------------


def part(picture: Picture, name: str) -> ET.Element:
    """A part of a picture."""
    svg = next(part.svg for part in picture.parts if part.name == name)
    return element(svg)


def element(svg: str) -> ET.Element:
    """A piece of SVG."""
    return ET.fromstring(f'<g xmlns="{SVG[1:-1]}">{svg}</g>')  # noqa: S314 - written by ourselves


def classes(root: ET.Element) -> list[str]:
    """The classes of everything in an element."""
    return [each for child in root.iter() for each in child.get("class", "").split()]


def tallied(picture: Picture, name: str) -> list[int]:
    """The numbers in a part."""
    return [int(each) for each in texts(part(picture, name)) if each.isdigit()]


def occupied(picture: Picture) -> list[Shape]:
    """Every text and every piece, but for the ground of the map."""
    return [each for each in shapes(picture) if each.kind == "g" or (each.kind == "text" and each.words)]


def steps(start: float, end: float) -> list[float]:
    """Places from one end of a line to the other."""
    return [start + (end - start) * n / 2 for n in range(3)]


# -- random positions -------------------------------------------------------------------------------------


@pytest.mark.slow
@examples(60)
@given(choice=chosen())
def test_everything_that_stands_somewhere_is_drawn_there(choice: Choice) -> None:
    scene = look(choice)
    game, position, seat = scene.game, scene.position, scene.seat
    shown = drawn(evolve(scene, last=None))
    root, map_ = parsed(shown), game.board
    named = Counter(keys(root))
    for region, standing in enumerate(position.regions):
        code = map_.regions[region].code
        assert named[f"region/{code}"] == named[f"space/{code}"] == 1
        counts = texts(part(shown, f"region-{code}"))
        for faction, n in zip(map_.factions, standing, strict=True):
            pieces = named[f"follower/{code}/{faction.letter}"]
            assert pieces == n or (pieces == 1 and f"\u00d7{n}" in counts)
    for owner in position.seats:
        assert named[f"pile/{owner}"] == bool(position.discards[owner])
        *top, used = texts(part(shown, f"pile-{owner}"))[0].split(" \u00b7 ")
        assert used == f"{len(position.discards[owner])} used"
        assert top == list(position.discards[owner][-1:])
        court = part(shown, f"court-{owner}")
        assert [key.rpartition("/")[2] for key in keys(court)] == [map_.factions[f].letter for f in map_.courtly]
        assert [int(each) for each in texts(court) if each.isdigit()] == [
            position.courts[owner][f] for f in map_.courtly
        ]
        left, of = position.negotiation_discs[owner], game.setup.negotiation_discs
        assert [classes(court).count(state) for state in ("token", "gone")] == [left, of - left]
    hand = game.view(position, seat).shown.hands[seat] if seat is not None else ()
    assert {key for key in named if key.startswith("card/")} == {f"card/{card}" for card in hand}
    assert tallied(shown, "supply") == list(position.supply)
    assert tallied(shown, "won") == [position.discs.count(faction) for faction in range(len(map_.factions))]
    assert [each.get("class") for each in part(shown, "passes").iter(f"{SVG}circle")].count("ink") == position.passes
    free = [str(n + 1) for n in range(position.unstable, game.invaders)]
    assert [each for each in texts(part(shown, "lost")) if each.isdigit()] == free


@pytest.mark.slow
@examples(60)
@given(choice=chosen())
def test_a_card_on_the_track_says_what_became_of_its_region(choice: Choice) -> None:
    scene = look(choice)
    position, shown = scene.position, drawn(scene)
    contested = None if position.to_act is None else position.contested
    for place, region in enumerate(position.track):
        space = part(shown, f"space-{place}")
        looks, disc = classes(space), position.discs[region]
        used = [each.attrib["href"] for each in space.iter(f"{SVG}use")]
        letter = {f"#disc-{faction.letter}": n for n, faction in enumerate(scene.game.board.factions)}
        assert [letter.get(each, UNSTABLE) for each in used] == ([] if disc == OPEN else [disc])
        assert ("down" in looks) == (disc != OPEN)
        assert ("up" in looks) == ("solid" in looks) == (region == contested)
        assert ("token" in looks) == (disc == OPEN and region in position.negotiated)
        assert texts(space)[:2] == [str(place + 1), scene.game.board.name_region(region)]


@pytest.mark.slow
@examples(60)
@given(choice=chosen(), names=st.sampled_from((NAMES, LONGEST)), layout=st.sampled_from(("page", "wide", "board")))
@example(choice=("manual", 4, 2, 0.1, 1.0, 0), names=NAMES, layout="page")
@example(choice=("manual", 0, 3, 0.1, 1.0, 0), names=NAMES, layout="page")
def test_nothing_covers_anything_and_all_is_on_the_paper(
    choice: Choice, names: tuple[str, ...], layout: Layout
) -> None:
    shown = drawn(look(choice), names, layout=layout)
    pieces = [each for each in occupied(shown) if not each.part.startswith(("region-", "order-"))]
    assert {each.part for each in pieces} > {"passes", "lost", "won", "supply", "track"}
    for each in pieces:
        box = each.box
        assert box.left >= 0, each
        assert box.top >= 0, each
        assert box.right <= shown.width, each
        assert box.bottom <= shown.height, each
    for one, other in combinations(pieces, 2):
        assert not one.box.overlaps(other.box, 1.5), (one, other)


@each_row("code", {code: code for code in CODES})
def test_the_tallies_are_on_the_sea_within_their_boxes(code: str) -> None:
    scene = look((code, 7, 4, 0.5, 1.0, 0))
    ended = scene.position.replace(
        discs=(UNSTABLE,) * scene.game.invaders + scene.position.discs[scene.game.invaders :],
        supply=(18,) * len(scene.position.supply),
        turn=120,
    )
    shown = drawn(evolve(scene, position=ended), layout="alone")
    rings = [shape.outline for shape in choose_drawing(scene.game.board).shapes]
    tallies = [each for each in occupied(shown) if each.part.startswith(TALLIED)]
    assert len(tallies) > 30
    for each in tallies:
        box = each.box
        assert any(
            box.left >= room.left and box.top >= room.top and box.right <= room.right and box.bottom <= room.bottom
            for room in TALLIES
        ), each
        edge = [(x, y) for x in steps(box.left, box.right) for y in steps(box.top, box.bottom)]
        assert not [point for point in edge for ring in rings if inside(point, list(ring))], each


@examples(40)
@given(choice=chosen())
def test_names_are_only_text(choice: Choice) -> None:
    scene = look(choice)
    root = parsed(drawn(scene, HOSTILE))
    assert not [each for each in root.iter() if each.tag.endswith("script")]
    usual = parsed(drawn(scene))
    flowing = {f"{SVG}text", f"{SVG}path"}
    assert Counter(each.tag for each in root.iter() if each.tag not in flowing) == Counter(
        each.tag for each in usual.iter() if each.tag not in flowing
    )


@examples(40)
@given(choice=chosen(SECRET))
def test_what_is_hidden_is_not_drawn(choice: Choice) -> None:
    scene = look(choice)
    game, position, seat = scene.game, scene.position, scene.seat
    view = game.view(position, seat)
    known = [card for cards in view.shown.hands + view.shown.discards for card in cards if card != HIDDEN]
    shown = draw_picture(game, view, NAMES[: len(position.courts)], None)
    told = " ".join(each for part in shown.parts if part.name != "legend" for each in texts(element(part.svg)))
    for card in game.cards:
        if card not in known and not any(card in other for other in known):
            assert not re.search(rf"\b{card}\b", told), card


@each_row("code", CODES)
def test_every_word_is_legible_on_a_phone(code: str) -> None:
    """In positions of games of two to four: the picture is as wide as a page of 390 px between its margins."""
    narrow: tuple[Layout, ...] = "page", "board", "alone"
    for players, far, layout in product((2, 3, 4), (0, 0.4, 0.8, 1), narrow):
        shown = drawn(look((code, players, players, 0.3, far, 1)), layout=layout)
        assert list_small(shown) == [], (players, far, layout)


def test_the_pictures_of_a_game_have_the_same_parts_and_size() -> None:
    for name in ("second-edition-advanced/coronation-emptied-teams", "manual/whole-game-for-4"):
        game, names, played = moments(name)
        sizes = {layout: set[tuple[int, int, tuple[str, ...]]]() for layout in LAYOUTS}
        for before, moment in zip([None, *played], played, strict=False):
            last = LastTurn(before.position.to_act or 0, moment.moves, moment.events) if before else None
            for layout, seat in product(LAYOUTS, (None, 1)):
                shown = draw_picture(game, game.view(board(moment.position), seat), names, last, layout=layout)
                sizes[layout].add((shown.width, shown.height, tuple(part.name for part in shown.parts)))
                assert {at % 3 for part in shown.parts for at in part.at} == {0}
        assert [len(each) for each in sizes.values()] == [1] * len(LAYOUTS)
        _, legend = card_pieces.draw_emblems(game)
        expected = {layout: (w, h + legend * (layout in {"page", "board"})) for layout, (w, h) in LAYOUTS.items()}
        assert {layout: size[:2] for layout, (size,) in sizes.items()} == expected
        board_, alone, wide = (next(iter(sizes[layout]))[2] for layout in ("board", "alone", "wide"))
        ((_, _, page),) = sizes["page"]
        assert [name for name in page if name != "head"] == list(board_)
        assert [name for name in board_ if not name.startswith((*PLAYED, "legend"))] == list(alone)
        assert wide == page


def test_a_part_is_the_same_in_every_layout() -> None:
    scene = look(("second-edition", 3, 3, 0.1, 0.6, 2))
    same = {part.name: part.svg for part in drawn(scene, layout="page").parts}
    others: dict[Layout, set[str]] = {"board": {"panel-1", "hand-1"}, "alone": set()}  # the replay has no whole cards
    for layout, apart in others.items():
        for each in drawn(scene, layout=layout).parts:
            assert each.name in {"paper", *apart} or each.svg == same[each.name], each.name


def test_what_a_turn_did_is_marked() -> None:
    game, names, played = moments("second-edition/coronation-emptied-players")
    marked = snapshot("swapped")
    assert "arrow" in classes(part(marked, "arrows"))
    summoned = next(move for move in played[6].moves if isinstance(move, Summon))
    assert f"\u2192 {names[1]}" in texts(part(marked, f"region-{game.board.regions[summoned.region].code}"))
    assert "+1" in texts(part(marked, "court-1"))
    assert "+1" not in texts(part(marked, "court-0"))
    assert "swap" in classes(part(snapshot("exchanged"), "exchange"))
    assert classes(part(marked, "exchange")) == []
    frames = [each for each in part(snapshot("exchanged"), "exchange").iter() if each.tag.endswith("rect")]
    assert len(frames) == 2
    assert all(float(each.attrib["x"]) + float(each.attrib["width"]) < marked.width - 2 for each in frames)
    assert "After turn 6" in texts(part(marked, "passes"))


@each_row("name", SNAPSHOTS)
def test_who_is_to_play_or_has_won_is_seen_at_once(name: str) -> None:
    game_name, turn, _ = SNAPSHOTS[name]
    game, names, played = moments(game_name)
    shown, position = snapshot(name), played[turn].position
    for seat, player in enumerate(names):
        words, looks = texts(part(shown, f"panel-{seat}")), classes(part(shown, f"panel-{seat}"))
        assert words[0] == player
        assert ("to play" in words) == (seat == position.to_act)
        assert ("wins" in words) == ("crown" in looks) == (seat in position.winners)
        assert ("panel" in looks) == (seat == position.to_act or seat in position.winners)
    headline = " ".join(texts(part(shown, "head")))
    assert headline.startswith(voice.describe_headline(game, game.view(board(position), None), names))
    assert ("to play" in headline) == (position.decision == "play")


def test_your_own_cards_are_whole_and_hidden_ones_are_backs_with_their_number() -> None:
    shown = snapshot("cunning")
    own = part(shown, "hand-2")
    assert {"Assemble", "Manoeuvre", "Spy"} <= set(texts(own))
    assert {each.get("data-at") for each in own.iter() if "data-at" in each.attrib} == set(keys(own))
    for seat, number in ((0, "3"), (1, "2"), (3, "6")):
        other = part(shown, f"hand-{seat}")
        assert texts(other) == [number, f"{number} cards"]
        assert not list(other.iter(f"{SVG}use"))
    wide = snapshot("cunning", layout="wide")
    assert [texts(part(wide, f"hand-{seat}")) for seat in (0, 1)] == [["3 cards left", "3"], ["2 cards left", "2"]]


def test_no_name_of_a_card_is_cut() -> None:
    for each in struggles():
        game = struggle(each.game())
        for card, size in product(game.cards, (card_pieces.WHOLE, card_pieces.LARGE)):
            lines = texts(element(card_pieces.draw_whole_card(size, card_pieces.make_face(game, card), 0, 0)))
            assert "".join(lines).replace("-", "").replace(" ", "") == card.replace(" ", "").replace("-", ""), card


def test_no_name_of_a_card_touches_its_emblem() -> None:
    """Emblems are drawn in a square of 32."""
    for each in struggles():
        game = struggle(each.game())
        for card, size in product(game.cards, (card_pieces.WHOLE, card_pieces.LARGE)):
            drawn = element(card_pieces.draw_whole_card(size, card_pieces.make_face(game, card), 0, 0))
            (emblem,), name = drawn.iter(f"{SVG}use"), next(drawn.iter(f"{SVG}text"))
            top = float(name.get("y", "")) - 0.75 * float(name.get("font-size", ""))
            assert float(emblem.get("y", "")) + 16 <= top, (card, size)


def test_every_card_has_an_emblem_for_what_it_does() -> None:
    """The same rule has the same emblem in all editions, no emblem is a letter, and no emblem or rule is left over."""
    by_rule: dict[tuple[str, int | None], set[str]] = {}
    for each in struggles():
        for card in struggle(each.game()).cards.values():
            by_rule.setdefault((card.rule, card.faction), set()).add(card_pieces.find_emblem(card))
    assert all(len(emblems) == 1 for emblems in by_rule.values())
    emblems = card_pieces.read_emblems()
    assert set().union(*by_rule.values()) == {*emblems}
    for name, emblem in emblems.items():
        assert len(emblem["drawing"]) <= LARGEST_EMBLEM, name
        assert not texts(element(emblem["drawing"])), name
        assert {rule.partition("/")[0] for rule in emblem["rules"]} <= {rule for rule, _ in by_rule}, name


def test_the_legend_names_every_emblem() -> None:
    for each in struggles():
        game = struggle(each.game())
        svg, height = card_pieces.draw_emblems(game)
        assert texts(element(svg)) == [*game.cards]
        assert height == 24 * len({place.get("y") for place in element(svg).iter(f"{SVG}use")})


def test_a_longer_track_has_two_columns() -> None:
    for number in range(1, 21):
        boxes = list_spaces(number)
        assert len({box.left for box in boxes}) == (2 if number > 9 else 1)
        for one, other in combinations(boxes, 2):
            assert one.bottom <= other.top or other.bottom <= one.top or one.right < other.left, number
        assert max(box.bottom for box in boxes) < 310
    assert all(TRACK.left < box.left - 21 and box.bottom < TRACK.bottom for box in list_spaces(8))


HEADLINE = "Bob to play: Northumbria is contested"
FORECAST = "As it stands, the Scots win Northumbria 3\u20130."


@each_row(
    "words, width, height, lines",
    [
        ("Ann passes.", 480, 108, 1),
        ("Ann plays Assemble and summons a Scottish follower from the region of Northumbria.", 480, 108, 2),
        ("Ann plays " + "and summons a follower " * 12, 480, 108, 3),
        ("Ann plays " + "and summons a follower " * 12, 960, 87, 2),
    ],
)
def test_the_last_turn_is_told_in_lines_of_about_one_length(words: str, width: int, height: int, lines: int) -> None:
    svg = element(draw_head(HEADLINE, FORECAST, words, width, height))
    assert texts(svg)[:2] == [HEADLINE, FORECAST]
    told = texts(svg)[2:]
    assert len(told) == lines
    assert all(words.startswith(line.removesuffix("\u2026")) or line.removesuffix("\u2026") in words for line in told)
    assert max(map(len, told)) - min(map(len, told)) < 25
    assert [float(each.attrib["y"]) for each in svg][-1] <= height - 8


def test_a_last_turn_that_is_too_long_loses_whole_clauses() -> None:
    first = "Ann plays Assemble, places a Scottish and an English follower in Essex, and summons a Scottish follower."
    second = " the Scots win Moray, the Welsh Lancaster and the English Essex, and the game is over at last"
    svg = element(
        draw_head("Bob is crowned: the Welsh hold three regions", FORECAST, f"{first[:-1]};{second}.", 480, 108)
    )
    assert " ".join(texts(svg)).endswith(first)
    assert "\u2026" not in "".join(texts(svg))


@each_row(
    "name, label",
    [
        ("second-edition-advanced/plot-named-in-coronation-players", "court \u00b7 with Plot"),
        ("digest-advanced/coronation-plot-players", "court \u00b7 with Assassination"),
    ],
)
def test_a_court_says_that_plot_counts_with_it(name: str, label: str) -> None:
    game, names, played = moments(name)
    last = played[-1].position
    plotter = next(seat for seat, hand in enumerate(last.hands) if game.plot in hand)
    labels = {
        part.name: texts(element(part.svg))[0]
        for part in draw_picture(game, game.view(board(last), None), names, None).parts
        if part.name.startswith("court-")
    }
    assert labels[f"court-{plotter}"] == label
    assert labels[f"court-{1 - plotter}"] == "court"


# -- eyes -------------------------------------------------------------------------------------------------


def colour(selector: str, *, dark: bool, what: str = "fill") -> str:
    """The colour that a class has on light or on dark screens."""
    usual, other = next(value for key, value in STYLE.items() if selector in key.split(","))
    found = re.findall(rf"{what}:(#\w+)", other if dark and what in other else usual)
    return str(found[-1])


LEAST = {
    ".ink": (4.5, ".paper .panel .sea .land .card .up .tint0 .tint1 .tint2 .tint3 .won0 .won1 .won2 .won3"),
    ".dim": (4.5, ".paper .panel .sea"),
    ".last": (3.8, ".paper .panel .sea .land .tint0 .tint1 .tint2 .tint3"),
    ".on-down": (4.5, ".down"),
    ".on-solid": (4.5, ".solid"),
    ".l0": (4.5, ".f0"),
    ".l1": (4.5, ".f1"),
    ".l2": (4.5, ".f2"),
    ".l3": (4.5, ".f3"),
}
"""For the words of a class the least contrast to each of its grounds."""


@pytest.mark.parametrize("dark", [False, True])
def test_words_stand_out_from_their_ground(dark: bool) -> None:  # noqa: FBT001 - by pytest
    for words, (least, below) in LEAST.items():
        for ground in below.split():
            ratio = contrast(colour(words, dark=dark), colour(ground, dark=dark))
            assert ratio >= least, (words, ground, dark, ratio)


@pytest.mark.parametrize("dark", [False, True])
def test_factions_differ_also_for_whoever_sees_no_green(dark: bool) -> None:  # noqa: FBT001 - by pytest
    for one, other in combinations((".f0", ".f1", ".f2", ".f3"), 2):
        a, b = colour(one, dark=dark), colour(other, dark=dark)
        assert differ(a, b) > 20
        assert differ(deuteranopia(a), deuteranopia(b)) > 20, (one, other)


def test_on_paper_the_sea_is_white_and_who_wants_more_contrast_has_no_dim_words() -> None:
    css_ = write_css(STYLE)
    assert "@media print{.sea,.shoal{fill:#fff}}" in css_
    for begins, ends, dark in (
        ("@media ", "", False),
        ("@media screen and ", " and (prefers-color-scheme:dark)", True),
    ):
        ink = colour(".ink", dark=dark)
        assert f"{begins}(prefers-contrast:more){ends}{{{FAINT}{{fill:{ink}}}}}" in css_
    assert (
        not set(re.findall(r"#[0-9a-f]{3,6}\b", css_)) - {"#fff"} - {each for pair in ROLES.values() for each in pair}
    )


def test_factions_differ_in_shape_and_letter() -> None:
    for each in struggles():
        game = struggle(each.game())
        factions = game.board.factions
        shown = write_svg_document(
            draw_picture(
                game, game.view(game.start(game.seat_players(NAMES[:2]), game.deal(2, bytes(32))), 0), NAMES[:2]
            )
        )
        polygons = {
            re.search(rf'<g id="piece-{each.letter}"><path d="([^"]+)"', shown)[1]  # type: ignore[index]
            for each in factions
        }
        assert len(polygons) == len(factions) == len({faction.letter for faction in factions})


def write() -> Iterator[Path]:
    """Write every snapshot anew."""
    for name in SNAPSHOTS:
        path = EXPECTED / f"{name}.svg"
        path.write_text(write_svg_document(snapshot(name)), encoding="utf-8")
        yield path


if __name__ == "__main__":
    for written in write():
        print(written)  # noqa: T201
