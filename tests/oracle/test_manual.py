"""Cases worked by hand from the reference manual, to show that its oracle is right; tables as setting.py explains."""

from typing import Any

import pytest

from tests.oracle import manual as oracle
from tests.oracle.first import NAMES
from tests.oracle.setting import table


def board(regions: str, pool: str = "SSWWRR", **more: object) -> dict[str, Any]:
    """Set up 'CAL SSW, DIN -, DVA =R, EBO =?'; regions that are not named are Saxon."""
    found: dict[str, Any] = {code: {"followers": dict.fromkeys("SWR", 0), "disc": "unstable"} for code in NAMES}
    for line in regions.split(", "):
        code, what = line.split()
        disc = what[1:].replace("?", "unstable") if what[0] == "=" else None
        letters = "" if disc else what
        found[code] = {"followers": {f: letters.count(f) for f in "SWR"}, "disc": disc}
    supply = {f: pool.count(f) for f in "SWR"}
    return {"regions": found, "supply": supply, "to_act": 0, "banned": None} | more


PLACING = """
# The home alone is not enough: the card may not be played, and nothing stands here.
Scots | CAL -, DIN -          | SS |
Welsh | CAL =S, DIN -         | WW |
# Beside a controlled region, together or apart; a region in between is out of reach.
Scots | CAL =S, DIN -, DVA -  | SS | SS Din Eidyn
Scots | DIN =S, DVA -, EBO -  | SS | SS Deva / SS Eboracum / S Eboracum, S Deva
# Two regions of one card may border two different controlled ones.
Scots | CAL =S, DIN -, LON =S, AQU - | SS | SS Din Eidyn / SS Aquae Sulis / S Din Eidyn, S Aquae Sulis
# A pool that is short of two gives one, or none: the card is played in vain.
Scots | DIN =S, DVA -, EBO -  | SW | S Deva / S Eboracum
Scots | DIN =S, DVA -         | WR | nothing
# Nothing open beside: in vain too.
Romano-British | LON =R, CAL - | RR | nothing
"""


@pytest.mark.parametrize(("card", "regions", "pool", "expected"), table(PLACING))
def test_placing(card: str, regions: str, pool: str, expected: str) -> None:
    """A faction's card does what the table says."""
    assert oracle.resolutions(board(regions, pool), card) == set(filter(None, expected.split(" / ")))


SWAPPING = """
Ambassador | CAL S, AQU R    | S Caledonia <> R Aquae Sulis
Ambassador | CAL S, DIN S    | S Caledonia <> S Din Eidyn
# Never for nothing.
Ambassador | CAL S, DIN -    | nothing
Garrison   | CAL SW, DIN R   | SW Caledonia <> R Din Eidyn
Garrison   | CAL S, DIN R    | S Caledonia <> R Din Eidyn
# Two moved for nothing would be two followers too; but nobody comes back.
Garrison   | CAL SW, DIN -   | nothing
# Across a border only.
Garrison   | CAL SW, AQU R   | nothing
"""


@pytest.mark.parametrize(("card", "regions", "expected"), table(SWAPPING))
def test_swapping(card: str, regions: str, expected: str) -> None:
    """A swap does what the table says."""
    assert oracle.resolutions(board(regions), card) == set(expected.split(" / "))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_swap_is_reversed_by_nobody(seat: int) -> None:
    """Neither by whoever made it nor by another player, with the same card."""
    delta = {"CAL": {"S": 1, "R": -1}, "AQU": {"S": -1, "R": 1}}
    banned = {"card": "Ambassador", "by": 1, "delta": delta}
    position = board("CAL S, AQU R", to_act=seat, banned=banned)
    assert oracle.resolutions(position, "Ambassador") == {"nothing"}
    other = board("CAL S, AQU R", to_act=seat, banned={**banned, "card": "Garrison"})
    assert oracle.resolutions(other, "Ambassador") == {"S Caledonia <> R Aquae Sulis"}


def test_followers_are_taken_from_regions_or_not_at_all() -> None:
    """After a card nobody need be taken; without one somebody is."""
    position = board("CAL SSW, DIN -, DVA =R")
    assert oracle.followers(position) == {"S Caledonia", "W Caledonia"}
    assert oracle.after_card(position) == {"S Caledonia", "W Caledonia", "no summon"}


def test_the_start_player_goes_round() -> None:
    """One seat further with each power struggle."""
    assert [oracle.starters(2, 3, struggles) for struggles in range(5)] == [2, 0, 1, 2, 0]
