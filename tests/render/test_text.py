"""The text rendering: snapshots, the drawn borders followed character by character, and what random positions show.

`python -m tests.render.test_text` writes the snapshots anew; read each before it is kept.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.shared.examples import examples
from tests.shared.strategies import GAME, NAMES, READER, positions, random_game, start
from tests.shared.tables import each_row
from tkid.games.struggle import voice
from tkid.games.struggle.render import text
from tkid.games.struggle.render import text as text_map
from tkid.games.struggle.rules.board import OPEN, Board, Position, find_leaders
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import Event
from tkid.render import lines
from tkid.render import text as position_text
from tkid.render.lines import WIDTH
from tkid.render.plugin import tell_events

EXPECTED = Path(__file__).with_name("expected")
HIDING = evolve(GAME, hands=evolve(GAME.hands, deck=("Assemble",)))
BORDERS = {frozenset((GAME.board.name_region(a), GAME.board.name_region(b))) for a, b in GAME.board.borders}
LETTERS = "".join(faction.letter for faction in GAME.board.factions)
MAP_ROWS = 16
WALLS = "+-|=#"

FIRST_NAMES = Board.parse(
    factions="S Scots, W Welsh, R Romano-British",
    regions=(
        "Caledonia CAL, Din Eidyn DIN, Deva DVA, Eboracum EBO, Caerleon CAE, Ratae RAT, Londinium LON, Aquae Sulis AQU"
    ),
    borders="CAL-DIN DIN-DVA DIN-EBO DVA-EBO DVA-CAE DVA-RAT EBO-RAT EBO-LON CAE-RAT CAE-AQU RAT-LON RAT-AQU LON-AQU",
    homes="S CAL, W CAE, R LON",
)

OPENING = (
    "Manoeuvre W Moray <> S Warwick; summon S Moray",
    "Outmanoeuvre W Essex <> WE Warwick; summon S Moray",
    "Assemble S Warwick, W Warwick, E Warwick; summon S Strathclyde",
    *("Pass", "Pass", "Pass"),
    "Assemble S Strathclyde, W Northumbria, E Moray; summon S Strathclyde",
    "Pass",
    "Negotiate Northumbria <> Gwynedd, disc Northumbria; summon W Devon",
    *("Pass", "Pass", "Pass"),
    "Welsh Support WW Essex; summon E Essex",
)

ASSEMBLED = "Assemble S Moray, W Moray, E Moray; summon S Moray"


def played(players: int, turns: Iterable[str]) -> tuple[Position, tuple[Event, ...]]:
    """A fixed deal played on by turn lines: where it leads, and what the last turn brought."""
    position = start(players, bytes(32))
    events: tuple[Event, ...] = ()
    for line in turns:
        events = ()
        for move in READER.read_turn(line).moves:
            position, followed = GAME.play(position, move)
            events += followed
    return position, events


def shown(
    position: Position, events: tuple[Event, ...] = (), names: tuple[str, ...] = NAMES, game: Struggle = GAME
) -> str:
    """A position as the seat to act sees it."""
    return position_text.draw_position(
        game, game.view(position, position.to_act), names[: len(position.courts)], events
    )


def all_pass(players: int) -> tuple[Position, tuple[Event, ...]]:
    position, _ = played(players, ())
    turns = ["Pass"] * 100
    while position.to_act is not None:
        position, events = GAME.play(position, READER.read_turn(turns.pop()).moves[0])
    return position, events


CASES: dict[str, Callable[[], str]] = {
    "start": lambda: shown(*played(2, ())),
    "negotiated": lambda: shown(*played(2, OPENING[:9])),
    "mid-game": lambda: shown(*played(2, OPENING)),
    "summon-due": lambda: shown(*played(2, (*OPENING, "Manoeuvre S Lancaster <> W Essex"))),
    "ban": lambda: shown(*played(2, (*OPENING, "Manoeuvre S Lancaster <> W Essex; summon E Gwynedd", "Pass", "Pass"))),
    "ban-on-others": lambda: shown(
        *played(2, (*OPENING, "Manoeuvre S Lancaster <> W Essex; summon E Gwynedd", "Pass"))
    ),
    "game-over": lambda: shown(*all_pass(2)),
    "teams": lambda: shown(
        *played(4, ("Pass", "Pass", "Pass", "Pass")), names=("Zoë", "Władysław Ångström von Überlinge", "Cal", "李小龍")
    ),
    "teams-over": lambda: shown(*all_pass(4)),
    "hidden-hands": lambda: shown(*played(3, (ASSEMBLED, ASSEMBLED)), game=HIDING),
    "first-edition-names": lambda: shown(played(2, ())[0], game=evolve(GAME, board=FIRST_NAMES)),
    "undrawn": lambda: shown(
        played(2, ())[0], game=evolve(GAME, board=evolve(GAME.board, borders=GAME.board.borders | {(0, 3)}))
    ),
}


@each_row("case", CASES)
def test_snapshot(case: str) -> None:
    assert CASES[case]() == (EXPECTED / f"{case}.txt").read_text(encoding="utf-8")


# -- the drawing is proven --------------------------------------------------------------------------------


def map_rows(rendered: str) -> list[str]:
    """The rows of the map alone, as a full rectangle."""
    rows = rendered.split("\n\n", 1)[1].split("\n")[:MAP_ROWS]
    return [row[: text.MAP_ROOM].ljust(text.MAP_ROOM) for row in rows]


def areas(rows: list[str]) -> dict[tuple[int, int], int]:
    """The cells that are no wall, each with the number of the area that it belongs to, found by flooding."""
    ground = {(y, x) for y, row in enumerate(rows) for x, char in enumerate(row) if char not in WALLS}
    found: dict[tuple[int, int], int] = {}
    for number, cell in enumerate(sorted(ground)):
        flood = [] if cell in found else [cell]
        while flood:
            y, x = here = flood.pop()
            if here in ground and here not in found:
                found[here] = number
                flood += [(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)]
    return found


def named_areas(rows: list[str], names: Iterable[str]) -> dict[int, str]:
    """The region drawn on each area: its name stands on it."""
    cells = areas(rows)
    places = {name: [(y, row.index(f" {name} ")) for y, row in enumerate(rows) if f" {name} " in row] for name in names}
    assert all(len(place) == 1 for place in places.values()), "each name stands on the map once"
    return {cells[place[0]]: name for name, place in places.items()}


def drawn_borders(rows: list[str], names: Iterable[str]) -> set[frozenset[str]]:
    """The pairs of regions that have a piece of wall in common, by looking at both sides of every character."""
    cells, owner = areas(rows), named_areas(rows, names)
    walls = [(y, x) for y, row in enumerate(rows) for x, char in enumerate(row) if char in WALLS]
    sides = [pair for y, x in walls for pair in (((y - 1, x), (y + 1, x)), ((y, x - 1), (y, x + 1)))]
    pairs = [{owner.get(cells.get(cell, -1), "") for cell in pair} for pair in sides]
    return {frozenset(pair) for pair in pairs if len(pair) == 2 and "" not in pair}


@pytest.mark.parametrize("contested", range(8))
def test_the_walls_followed_character_by_character_are_the_borders(contested: int) -> None:
    position = played(2, ())[0]
    first = (contested, *(region for region in position.track if region != contested))
    rows = map_rows(shown(position.replace(track=first)))
    names = [region.name for region in GAME.board.regions]
    assert len(named_areas(rows, names)) == len(names), "every region has an area of its own"
    assert drawn_borders(rows, names) == BORDERS


def test_the_walls_are_the_borders_where_the_game_is_over() -> None:
    rows = map_rows(shown(*all_pass(4)))
    assert drawn_borders(rows, [region.name for region in GAME.board.regions]) == BORDERS


def test_the_other_names_are_drawn_on_the_same_walls() -> None:
    rows = map_rows(shown(played(2, ())[0], game=evolve(GAME, board=FIRST_NAMES)))
    name = FIRST_NAMES.name_region
    assert drawn_borders(rows, [region.name for region in FIRST_NAMES.regions]) == {
        frozenset((name(a), name(b))) for a, b in FIRST_NAMES.borders
    }


def test_boxes_meet_along_an_edge_or_not_at_all() -> None:
    for a, b in combinations(text_map.BRITAIN.values(), 2):
        apart = a.right < b.x or b.right < a.x or a.bottom < b.y or b.bottom < a.y
        assert apart != a.is_touching(b), "no two boxes touch in a corner or lie over each other"


def test_declared_borders_are_those_of_the_board() -> None:
    board = GAME.board
    codes = [region.code for region in board.regions]
    assert text_map.find_box_borders() == {frozenset((codes[a], codes[b])) for a, b in board.borders}


def test_a_board_with_other_borders_is_not_drawn_but_listed() -> None:
    fewer = evolve(GAME.board, borders=GAME.board.borders - {(0, 1)})
    assert text_map.find_boxes(fewer) is None
    rows = shown(played(2, ())[0], game=evolve(GAME, board=fewer)).split("\n\n")[1].split("\n")
    listed = {row[:3]: row[39 : text.MAP_ROOM].split() for row in rows[1:9]}
    codes = [region.code for region in fewer.regions]
    assert listed == {codes[r]: [codes[n] for n in near] for r, near in enumerate(fewer.neighbours)}


# -- random positions -------------------------------------------------------------------------------------

WIDE = ("李" * 32, "Ö" * 32, "e\N{COMBINING ACUTE ACCENT}" * 16, "Ann with a rather long name 4 you")


def columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in line)


def region_texts(rows: list[str], name: str) -> tuple[str, str]:
    """What is written before a region's name, and below the name, from wall to wall."""
    y, x = next((y, row.index(f" {name} ")) for y, row in enumerate(rows) if f" {name} " in row)
    wall = max(rows[y].rfind(sign, 0, x) for sign in "|#")
    return rows[y][wall + 1 : x].strip(), re.split(r"[|#]", rows[y + 1][wall + 1 :])[0].strip()


def followers_in(written: str) -> tuple[int, ...]:
    """Followers as letters or as counts, read back."""
    counted = re.findall(r"(\d+)([A-Z])", written) or [("1", letter) for letter in written if letter != "-"]
    return tuple(sum(int(n) for n, letter in counted if letter == faction) for faction in LETTERS)


def check_map(position: Position, rendered: str) -> None:
    rows = map_rows(rendered)
    for index, region in enumerate(GAME.board.regions):
        number, written = region_texts(rows, region.name)
        space = str(position.track.index(index) + 1)
        assert number == (f">{space}" if index == position.contested and position.to_act is not None else space)
        if position.discs[index] != OPEN:
            assert written.lower() == f"* {GAME.board.name_disc(position.discs[index])}".lower()
            continue
        followers, _, lead = written.removesuffix(" leads").removesuffix(" tie").rpartition(" ")
        assert followers_in(followers) == position.regions[index]
        ahead = [LETTERS[faction] for faction in find_leaders(position.regions[index])]
        assert lead == ("=".join(ahead) or "nobody")
        assert written.endswith(("leads", "tie")) or sum(position.regions[index]) in {0, *range(10, 60)}


@given(positions())
def test_the_map_read_back_is_the_position(position: Position) -> None:
    check_map(position, shown(position))


@given(positions(), st.data())
def test_crowded_regions_read_back(position: Position, data: st.DataObject) -> None:
    crowd = st.tuples(*[st.integers(0, 18)] * 3)
    crowded = position.replace(regions=tuple(data.draw(crowd) for _ in position.regions))
    check_map(crowded, shown(crowded))


@given(positions())
def test_the_track_read_back_is_the_position(position: Position) -> None:
    board = GAME.board
    cards = re.findall(r"  ([1-8]) ([\[> ])([A-Z]{3})[\]< ]?([o ]?) ?(\w*)\n", shown(position))
    assert [code for _, _, code, _, _ in cards] == [board.regions[region].code for region in position.track]
    for region, (_, face, _, mark, word) in zip(position.track, cards, strict=True):
        contested = region == position.contested and position.to_act is not None
        assert (mark == "o") == (region in position.negotiated)
        assert face == ("[" if position.discs[region] != OPEN else ">" if contested else " ")
        assert word == ("contested" * contested if face != "[" else board.name_disc(position.discs[region]))


@pytest.mark.slow
@examples(30)
@given(st.integers(0, 2**32 - 1), st.sampled_from((2, 3, 4)), st.sampled_from((NAMES, WIDE)))
def test_no_line_is_too_wide_nor_misread_by_a_mail_program(seed: int, players: int, names: tuple[str, ...]) -> None:
    for position, _, events in list(random_game(Random(seed), players))[::5]:
        for game in (GAME, HIDING):
            lines = shown(position, events, names, game).split("\n")
            assert max(map(columns, lines)) <= WIDTH
            assert lines == [line.rstrip() for line in lines]
            assert not [line for line in lines if line.startswith(">") or line == "--"]
            assert names is WIDE or "".join(lines).isascii()


def test_hidden_cards_are_counted_and_not_named() -> None:
    position, _ = played(2, OPENING)
    seen = position_text.draw_position(HIDING, HIDING.view(position, 0), NAMES[:2])
    ann, bob = seen.split("\n\n")[3:5]
    assert "Outmanoeuvre" in ann
    assert f"? x{len(position.hands[1])}" in bob
    assert "Negotiate" not in bob


def test_events_are_sentences_with_their_rule() -> None:
    events = (Event("second.turn.pass", "{1} passes"), Event("second.struggle.tie", "{0} " + "waits " * 20 + "long"))
    told = [lines.strip_marks(line) for line in lines.mark_events(tell_events(GAME, events, NAMES))]
    assert told[0] == "Bob passes [second.turn.pass]"
    assert told[1].startswith("Ann waits waits")
    assert [line[:4] for line in told[2:]] == ["    "] * (len(told) - 2)
    assert " ".join(line.strip() for line in told[1:]).endswith("long [second.struggle.tie]")


@each_row(
    ("passes", "reader", "said"),
    (
        (0, None, "Ann may not undo Bob's Manoeuvre"),
        (0, 0, "You may not undo Bob's Manoeuvre"),
        (0, 1, "Ann may not undo your Manoeuvre"),
        (1, 0, "Only Bob may undo Bob's Manoeuvre"),
        (1, 1, "Only you may undo your Manoeuvre"),
    ),
)
def test_the_reader_of_a_mail_is_you(passes: int, reader: int | None, said: str) -> None:
    swap = "Manoeuvre S Lancaster <> W Essex; summon E Gwynedd"
    position, _ = played(2, (*OPENING, swap, *("Pass",) * passes))
    assert voice.describe_ban(GAME, position, NAMES, reader) == said


if __name__ == "__main__":
    for name, render in CASES.items():
        (EXPECTED / f"{name}.txt").write_text(render(), encoding="utf-8")


@pytest.mark.parametrize("seed", range(40))
def test_nothing_is_contested_once_the_game_is_over(seed: int) -> None:
    *_, (end, _, events) = random_game(Random(seed), 2 + seed % 3)
    drawn = shown(end, events)
    assert "Game over" in drawn
    assert "contested" not in drawn
    assert ">" not in drawn
