"""Cases worked by hand from the digest: the cards that it does otherwise, and the seven that it alone has."""

from typing import Any

import pytest

from tests.oracle.digest import resolutions, result
from tests.oracle.setting import BORDERS, HOMES, board, finished, pile, table
from tests.shared.tables import each_row

CARDS = """
# One Englishman for two others; never for one.
Influence | MOR E, DEV SW          | -  | E Moray <> SW Devon
Influence | MOR E, DEV S           | -  | nothing
Influence | MOR E, DEV SE          | -  | nothing
# One Englishman and another go, one comes.
Repression | ESS -, DEV EW         | -  | Devon return EW place W / Devon return EW place E
# An Englishman alone: any single one goes, one comes.
Repression | ESS -, DEV E, WAR -   | -  | Devon return E place E
Repression | ESS -, DEV E, WAR S   | -  | Devon return E place E / Warwick return S place S
Repression | ESS EE, DEV S         | E  | Devon return S place S / Devon return S place E
# Nobody within reach: one comes.
Repression | ESS EE, DEV -, MOR E  | S  | Devon place S
Repression | ESS EE, DEV -, MOR E  | -  | nothing
# Any two near the Scots.
Conquest | MOR -, STR -            | SWW | SW Strathclyde / WW Strathclyde
Conquest | MOR -, STR -, DEV -     | E   | E Strathclyde
Conquest | MOR -, STR -            | -   | nothing
Conquest | MOR =W, STR -           | SS  | nothing
Conquest | MOR =S, STR -           | SS  | SS Strathclyde
# Two Welshmen, then one for two next door.
Swift Strike | GWY -, DEV -, WAR SE   | WW  | Devon place WW swap W <> SE Warwick
Swift Strike | GWY =E, LAN =W, NOR -, STR SSE, ESS E | WWW | Northumbria place WW swap W <> SS Strathclyde / Northumbria place WW swap W <> SE Strathclyde
# Nowhere for two: for one. Warwick borders Devon and Gwynedd, and is near the Welsh itself.
Swift Strike | GWY -, DEV -, ESS S    | WW  | Devon place WW swap W <> S Essex
# Nobody next door: the two are placed all the same.
Swift Strike | GWY -, DEV S           | WW  | Devon place WW
# One in the supply, which is enough for the swap; then none, and a Welshman there already.
Swift Strike | GWY -, DEV -, ESS SS   | W   | Devon place W swap W <> SS Essex
Swift Strike | GWY -, DEV WS, ESS SS  | SS  | Devon swap W <> SS Essex
Swift Strike | GWY -, DEV WS, ESS S   | SS  | Devon swap W <> S Essex
Swift Strike | GWY -, DEV S, ESS SS   | SS  | nothing
Swift Strike | GWY -, DEV WS          | SS  | nothing
# The home itself may be swapped with: it borders Devon.
Swift Strike | GWY WE, DEV -          | WW  | Devon place WW swap W <> WE Gwynedd
# Where the swap can be done is where they are placed: not in Devon, which has nobody next door.
Swift Strike | GWY -, DEV S, LAN -, STR E | WW | Lancaster place WW swap W <> E Strathclyde
# Nobody enters a region with a disc, or leaves it.
Swift Strike | GWY -, DEV S, ESS =E   | WW  | Devon place WW
Swift Strike | GWY -, DEV =S, ESS SS  | WW  | nothing
# Two Englishmen, then any one for any one next door.
Invasion | ESS -, DEV -, GWY S        | EE  | Devon place EE swap E <> S Gwynedd
Invasion | ESS -, DEV W, GWY S        | EE  | Devon place EE swap W <> S Gwynedd / Devon place EE swap E <> S Gwynedd
Invasion | ESS -, DEV -, GWY EW       | E   | Devon place E swap E <> W Gwynedd / Devon place E swap E <> E Gwynedd
Invasion | ESS -, DEV S, GWY W        | SS  | Devon swap S <> W Gwynedd
Invasion | ESS -, DEV S, GWY -        | SS  | nothing
Invasion | ESS -, DEV S, GWY -        | EE  | Devon place EE
# Two Scots beside Scottish land, and those for two next door. Moray counts only if they control it.
Reinforcement | MOR =S, STR -, LAN WE | SS  | Strathclyde place SS swap SS <> WE Lancaster
Reinforcement | MOR -, STR -, LAN WE  | SS  | nothing
Reinforcement | NOR =S, STR -, MOR W  | SS  | Strathclyde place SS swap SS <> W Moray
Reinforcement | MOR =S, STR E, LAN -  | SS  | Strathclyde place SS
Reinforcement | MOR =S, STR S, LAN WE | S   | Strathclyde place S swap S <> WE Lancaster
Reinforcement | MOR =S, STR S, LAN W  | S   | Strathclyde place S swap S <> W Lancaster
Reinforcement | MOR =S, STR S, LAN -  | S   | Strathclyde place S
Reinforcement | MOR =S, STR SS, LAN W | WW  | nothing
# Two Welshmen, then any two of that region on their ways.
Attack | GWY -, DEV -                 | WW  | Devon place WW move WW > Gwynedd
Attack | GWY -, DEV -, ESS -          | WW  | Devon place WW move WW > Gwynedd / Devon place WW move WW > Essex / Devon place WW move W > Gwynedd, W > Essex
Attack | GWY -, DEV E                 | W   | Devon place W move WE > Gwynedd
Attack | GWY -, DEV -                 | W   | Devon place W move W > Gwynedd
Attack | GWY -, DEV SE                | -   | Devon move SE > Gwynedd
Attack | GWY -, DEV S                 | -   | Devon move S > Gwynedd
Attack | GWY -, DEV -                 | -   | nothing
Attack | GWY =W, DEV S                | WW  | Devon place WW
Attack | GWY =W, DEV S                | W   | Devon place W
Attack | GWY =W, DEV S                | -   | nothing
# Scottish land is empty.
Command | MOR =S, STR =S, LAN SS      | SS  | nothing
Command | MOR SS, STR SS              | SS  | nothing
"""


@each_row(("card", "regions", "supply", "expected"), table(CARDS))
def test_cards(card: str, regions: str, supply: str, expected: str) -> None:
    """The card does what the table says."""
    assert resolutions(board(regions, supply), card, BORDERS, HOMES) == set(expected.split(" / "))


READ_OTHERWISE = """
# As far as possible: one for one where no region has two others.
as-far-as-possible | Influence   | MOR E, DEV SW    | -  | E Moray <> SW Devon
as-far-as-possible | Influence   | MOR E, DEV S     | -  | E Moray <> S Devon
as-far-as-possible | Influence   | MOR E, DEV -     | -  | nothing
# In full: two are placed, or nothing happens.
in-full            | Suppression | GWY -, DEV S     | W  | nothing
in-full            | Suppression | GWY -, DEV S     | WE | Devon place WE
in-full            | Suppression | GWY -, DEV W     | E  | Devon return W place WE
in-full            | Suppression | GWY -, DEV W     | -  | nothing
in-full            | Gathering   | MOR -, STR E     | S  | nothing
in-full            | Gathering   | MOR -, STR S     | S  | Strathclyde return S place SS
in-full            | Influence   | MOR E, DEV S     | -  | nothing
"""


@each_row(("option", "card", "regions", "supply", "expected"), table(READ_OTHERWISE))
def test_cards_without_effect(option: str, card: str, regions: str, supply: str, expected: str) -> None:
    """Under the other readings of when a card has no effect."""
    found = resolutions(board(regions, supply), card, BORDERS, HOMES, {"digest.ruling.no-effect": option})
    assert found == set(expected.split(" / "))


COURTS = """
W  | MOR E, DEV =S | W <> E Moray
SW | MOR EE        | S <> E Moray / W <> E Moray
S  | MOR S, DEV WE | S <> S Moray / S <> W Devon / S <> E Devon
-  | MOR S         | nothing
SS | MOR -, DEV =S | nothing
"""


@pytest.mark.parametrize(("court", "regions", "expected"), table(COURTS))
def test_betrayal(court: str, regions: str, expected: str) -> None:
    """One of one's own court, whichever seat it is; the others' do not matter."""
    courts = [pile("SWE"), pile(court)]
    found = resolutions(board(regions, courts=courts, to_act=1), "Betrayal", BORDERS, HOMES)
    assert found == set(expected.split(" / "))


def test_spy_copies_the_new_cards() -> None:
    """As they are, for whoever plays the Spy."""
    position = board("MOR E, STR -", courts=[pile("S"), pile("W")], discards=[[], ["Betrayal"]])
    assert resolutions(position, "Spy", BORDERS, HOMES) == {"2: Betrayal S <> E Moray"}
    position = board("MOR E, STR -", courts=[pile("S"), pile("W")], discards=[[], ["Command"], ["Betrayal"]])
    assert resolutions(position, "Spy", BORDERS, HOMES) == {"2: Command nothing", "3: Betrayal S <> E Moray"}
    resolvable = {"second.ruling.spy-pile": "resolvable"}
    assert resolutions(position, "Spy", BORDERS, HOMES, resolvable) == {"3: Betrayal S <> E Moray"}


def test_names_on_the_table() -> None:
    """A Maneuver may not be undone, and a Negotiation places a disc once, as under the other names."""
    banned = {"card": "Maneuver", "by": 1, "delta": {"MOR": {"S": 1, "E": -1}, "DEV": {"E": 1, "S": -1}}}
    assert resolutions(board("MOR S, DEV E", banned=banned), "Maneuver", BORDERS, HOMES) == {"nothing"}
    track = [{"region": code, "face": "up", "negotiated": False} for code in ("MOR", "DEV")]
    position = board("MOR -", track=track, discards=[["Negotiation"], []])
    assert resolutions(position, "Negotiation", BORDERS, HOMES) == {"Moray <> Devon, no disc"}


def ended(struggles: str, hands: list[list[str]], **readings: str) -> Any:
    """How a game for two ends in which Ann has one set more."""
    position = finished(struggles, "SWE SW", ". .", "3 4", hands=hands)
    return result(position, {f"digest.ruling.{name}": option for name, option in readings.items()})


def test_an_invasion_is_won_by_sets_or_by_nobody() -> None:
    """Assassination does not matter to France."""
    assert ended("SWE???", [[], []]) == ("invasion", {0})
    assert ended("SWE???", [[], ["Assassination"]]) is None
    assert ended("SWE???", [[], []], invasion="nobody") == ("invasion", frozenset())
    assert ended("SWE???", [[], ["Assassination"]], invasion="nobody") == ("invasion", frozenset())


def test_a_coronation_is_as_in_the_second_edition() -> None:
    """With Assassination in the place of Plot."""
    assert ended("SSSWWEEE", [[], []]) == ("coronation", {0})
    assert ended("EEEEESWW", [[], ["Assassination"]]) is None
    assert ended("SSSSWWWW", [[], ["Assassination"]]) == ("coronation", {1})
    assert ended("SSSSSWEE", [["Assassination"], []]) == ("coronation", {0})
