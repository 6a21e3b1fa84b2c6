"""Cases worked by hand from the rulebook: the cunning cards, every tier of each.

Regions border as on the printed map: Moray only Strathclyde; Devon not Moray. The tables
are explained in setting.py.
"""

import pytest

from tests.oracle.cards import resolutions
from tests.oracle.setting import BORDERS, HOMES, NOTHING, board, play, table
from tests.shared.tables import each_row

ONE_REGION = """
# Two Scots come, anywhere; any one of that region goes, also one that has just come.
Ambush | DEV W         | SSS   | Devon place SS return S / Devon place SS return W
Ambush | DEV -, MOR =S | SSW   | Devon place SS return S
Ambush | DEV -, LAN E  | SS    | Devon place SS return S / Lancaster place SS return S / Lancaster place SS return E
# A supply short of two gives one.
Ambush | DEV E, MOR -  | SWE   | Devon place S return S / Devon place S return E / Moray place S return S
# It has no Scots: still one is returned.
Ambush | DEV WE, MOR - | WWEE  | Devon return W / Devon return E
Ambush | DEV S, MOR SS | -     | Devon return S / Moray return S
# Nobody to place and nobody to return; no region to do it in.
Ambush | DEV -, MOR -  | WW    | nothing
Ambush | DEV =E        | SS    | nothing
# The faction that the supply has most of.
Aid | MOR -, DEV =E | SSSWW   | SS Moray
Aid | MOR S, DEV W  | SWWEEE  | EE Moray / EE Devon
# As many of two or of three: a choice.
Aid | MOR -, DEV -  | SSWWE   | SS Moray / WW Moray / SS Devon / WW Devon
Aid | MOR -         | SWWEE   | WW Moray / EE Moray
Aid | MOR -         | SSWWEE  | SS Moray / WW Moray / EE Moray
# The most is one, or none.
Aid | MOR -         | E       | E Moray
Aid | MOR -         | SE      | S Moray / E Moray
Aid | MOR -         | -       | nothing
Aid | MOR =?        | SSS     | nothing
# Two who are no Scots, near the Scots.
Resist | MOR S, STR -, LAN -          | SSWWE | WW Strathclyde / WE Strathclyde
Resist | MOR S, STR -                 | WEEE  | WE Strathclyde / EE Strathclyde
Resist | STR =S, LAN -, MOR -, DEV -  | WW    | WW Moray / WW Lancaster
Resist | MOR =S, STR W                | EE    | EE Strathclyde
# Only one; none; no region.
Resist | MOR -, STR S                 | SSW   | W Strathclyde
Resist | MOR -, STR -                 | SSS   | nothing
Resist | MOR =?, STR -                | WWEE  | nothing
Resist | MOR -, STR =W, LAN -         | WWEE  | nothing
"""

RETURNING = """
# One Welshman goes, two of any kind come. The one who went is in the supply by then.
Quell | GWY -, DEV W            | SS | Devon return W place SS / Devon return W place SW
Quell | GWY W, DEV WE, LAN S    | S  | Devon return W place SW
Quell | GWY W, DEV W            | W  | Devon return W place WW
Quell | GWY W, DEV W, LAN W     | E  | Devon return W place WE / Lancaster return W place WE
# Near the Welsh by control, with the home lost.
Quell | GWY =E, WAR =W, DEV W, LAN =?, NOR W | E | Devon return W place WE / Northumbria return W place WE
# The supply is empty: only who went can come back.
Quell | GWY W, DEV W, LAN SE    | -  | Devon return W place W
# No Welshman near the Welsh (one elsewhere is none): two come.
Quell | GWY WW, DEV SE, LAN -   | SE | Devon place SE / Lancaster place SE
Quell | GWY -, DEV S, MOR W     | WW | Devon place WW
# And the supply has but one, or none.
Quell | GWY -, DEV S            | E  | Devon place E
Quell | GWY -, DEV S            | -  | nothing
Quell | GWY =E, DEV W, MOR W    | SS | nothing
Quell | GWY -, DEV =E           | SS | nothing
# Muster is the same for the Scots.
Muster | MOR -, STR SW          | E  | Strathclyde return S place SE
Muster | MOR -, STR S           | SS | Strathclyde return S place SS
Muster | MOR SS, STR S          | -  | Strathclyde return S place S
Muster | MOR SS, STR WE         | WE | Strathclyde place WE
Muster | MOR SS, STR W          | W  | Strathclyde place W
Muster | MOR SS, STR W          | -  | nothing
Muster | MOR =S, STR W, DEV S   | WW | Strathclyde place WW
Muster | MOR =W, STR S          | WW | nothing
# One Englishman and another go, one comes.
Suppress | ESS -, DEV EW        | -  | Devon return EW place W / Devon return EW place E
Suppress | ESS -, DEV EW, WAR E | -  | Devon return EW place W / Devon return EW place E
Suppress | ESS -, DEV EE        | -  | Devon return EE place E
Suppress | ESS -, DEV EES       | -  | Devon return EE place E / Devon return ES place S / Devon return ES place E
Suppress | ESS -, DEV ES        | W  | Devon return ES place S / Devon return ES place W / Devon return ES place E
# Nowhere is there an Englishman and another: the lone one goes, one comes.
Suppress | ESS EE, DEV E, WAR SW | - | Devon return E place E
Suppress | ESS -, DEV E, WAR -   | S | Devon return E place S / Devon return E place E
# No Englishman near the English: another goes, one comes.
Suppress | ESS EE, DEV S, WAR -  | - | Devon return S place S
Suppress | ESS EE, DEV SW        | E | Devon return S place S / Devon return S place E / Devon return W place W / Devon return W place E
# Nobody at all near the English: one comes, if there is one.
Suppress | ESS EE, DEV -, WAR -  | S | Devon place S / Warwick place S
Suppress | ESS EE, DEV -, MOR E  | SW | Devon place S / Devon place W
Suppress | ESS EE, DEV -, MOR E  | - | nothing
Suppress | ESS =S, DEV EE        | S | nothing
Suppress | ESS =S, WAR =E, DEV E | - | Devon return E place E
"""

SECOND_ENGLISH = """
# Both have to be English.
Suppress | ESS -, DEV EES          | -  | Devon return EE place E
Suppress | ESS -, DEV EE, WAR EESW | -  | Devon return EE place E / Warwick return EE place E
Suppress | ESS -, DEV EE, WAR ESW  | S  | Devon return EE place S / Devon return EE place E
# Nowhere are there two: one goes, whoever else is there.
Suppress | ESS -, DEV ES, WAR E    | -  | Devon return E place E / Warwick return E place E
# No Englishman: as in the other reading.
Suppress | ESS EE, DEV S           | -  | Devon return S place S
Suppress | ESS EE, DEV -           | S  | Devon place S
"""

MOVING = """
# Two of one region to one bordering region.
March | MOR SW, STR -, DEV WE      | SW Moray > Strathclyde
March | STR SSW, MOR -, LAN =E, NOR E | SS Strathclyde > Moray / SW Strathclyde > Moray / SS Strathclyde > Northumbria / SW Strathclyde > Northumbria
March | STR WE, MOR EE             | WE Strathclyde > Moray / EE Moray > Strathclyde
# No two can anywhere: one does.
March | MOR S, STR W               | S Moray > Strathclyde / W Strathclyde > Moray
March | MOR S, STR -, DEV WE       | S Moray > Strathclyde
# Nobody has anywhere to go.
March | MOR SS, STR =W             | nothing
March | MOR SS, DEV WW             | nothing
March | MOR -, STR -               | nothing
# One Englishman for two others, however far; the English side stands first.
Influence | MOR E, DEV SW          | E Moray <> SW Devon
Influence | MOR SWW, DEV E         | E Devon <> SW Moray / E Devon <> WW Moray
Influence | MOR SS, DEV E          | E Devon <> SS Moray
Influence | MOR ESS, DEV EW        | E Devon <> SS Moray
Influence | MOR ESS, DEV EWW       | E Devon <> SS Moray / E Moray <> WW Devon
# Nowhere for two: for one.
Influence | MOR S, DEV E           | E Devon <> S Moray
Influence | MOR E, DEV EES         | E Moray <> S Devon
Influence | MOR EW, DEV ES         | E Moray <> S Devon / E Devon <> W Moray
# No Englishman; nobody else; not in another region; a disc on either side.
Influence | MOR SS, DEV WW         | nothing
Influence | MOR E, DEV EE          | nothing
Influence | MOR ESS, DEV -         | nothing
Influence | MOR E, DEV =S          | nothing
Influence | MOR =E, DEV SS         | nothing
# One Welshman for another, however far; the Welsh side stands first.
Dispute | DEV E, MOR W             | W Moray <> E Devon
Dispute | DEV W, MOR S             | W Devon <> S Moray
Dispute | MOR W, DEV SSE           | W Moray <> S Devon / W Moray <> E Devon
Dispute | MOR WE, DEV WS           | W Moray <> S Devon / W Devon <> E Moray
Dispute | MOR W, DEV W             | nothing
Dispute | MOR WS, DEV -            | nothing
Dispute | MOR SE, DEV SE           | nothing
Dispute | MOR W, DEV =S            | nothing
# Two Scots for two others across a border; the Scottish side stands first.
Edict | MOR SS, STR WE             | SS Moray <> WE Strathclyde
Edict | MOR WWE, STR SSE           | SS Strathclyde <> WW Moray / SS Strathclyde <> WE Moray
Edict | MOR SSEE, STR SSWW         | SS Moray <> WW Strathclyde / SS Strathclyde <> EE Moray
Edict | MOR SS, STR WW, DEV S, ESS WE | SS Moray <> WW Strathclyde
# Nowhere: one for two, or two for one, as one likes.
Edict | MOR S, STR WW              | S Moray <> WW Strathclyde
Edict | MOR W, STR SSS             | SS Strathclyde <> W Moray
Edict | MOR S, STR WE, DEV SS, ESS W | S Moray <> WE Strathclyde / SS Devon <> W Essex
Edict | MOR S, STR EE, ESS S, DEV W  | S Moray <> EE Strathclyde
# Nowhere: one for one.
Edict | MOR S, STR W               | S Moray <> W Strathclyde
Edict | MOR E, STR S               | S Strathclyde <> E Moray
Edict | MOR SW, STR SE             | S Moray <> E Strathclyde / S Strathclyde <> W Moray
# No border between them; Scots alone; no Scots; a disc on either side.
Edict | MOR SS, DEV WW             | nothing
Edict | MOR SS, STR SS             | nothing
Edict | MOR WW, STR EE             | nothing
Edict | MOR SS, STR =W             | nothing
Edict | MOR =S, STR WW             | nothing
"""


@each_row(("card", "regions", "supply", "expected"), table(ONE_REGION) + table(RETURNING))
def test_one_region(card: str, regions: str, supply: str, expected: str) -> None:
    """A card that places or returns does what the table says."""
    assert play(card, regions, supply) == set(expected.split(" / "))


@pytest.mark.parametrize(("card", "regions", "supply", "expected"), table(SECOND_ENGLISH))
def test_second_english(card: str, regions: str, supply: str, expected: str) -> None:
    """Suppress, in the reading that asks for two English followers."""
    assert play(card, regions, supply, readings="suppress_second=english") == set(expected.split(" / "))


@each_row(("card", "regions", "expected"), table(MOVING))
def test_moving(card: str, regions: str, expected: str) -> None:
    """A card that moves followers about does what the table says."""
    assert play(card, regions) == set(expected.split(" / "))


@pytest.mark.parametrize("card", ["Influence", "Dispute", "Edict", "March"])
def test_no_undo_ban(card: str) -> None:
    """Only the two Manoeuvres may not be undone: other cards are free to."""
    regions = "MOR SS, STR WE, DEV E"
    delta = {"MOR": {"S": 2}, "STR": {"S": -2}}
    banned = {"card": "Manoeuvre", "by": 1, "delta": delta}
    assert play(card, regions, banned=banned) == play(card, regions) != NOTHING


def piles(text: str) -> list[list[str]]:
    """Lay out discard piles, the oldest card first: '- ; Assemble, March'."""
    return [[] if cards == "-" else cards.split(", ") for cards in text.split(" ; ")]


# Whose turn it is, the piles, the regions, what the Spy may do, what if it must do something.
SPYING = """
# The top card, which is the latest, of somebody else's pile. Seats are counted from 1.
0 | - ; Aid, March         | MOR S, STR -  | 2: March S Moray > Strathclyde | 2: March S Moray > Strathclyde
0 | - ; March, Dispute     | MOR W, DEV E  | 2: Dispute W Moray <> E Devon | 2: Dispute W Moray <> E Devon
1 | Dispute ; March        | MOR W, DEV E  | 1: Dispute W Moray <> E Devon | 1: Dispute W Moray <> E Devon
# A partner's too.
1 | - ; - ; - ; Dispute    | MOR W, DEV E  | 4: Dispute W Moray <> E Devon | 4: Dispute W Moray <> E Devon
# The same card on two piles can be copied from either.
0 | - ; March ; March      | MOR S, STR -  | 2: March S Moray > Strathclyde / 3: March S Moray > Strathclyde | 2: March S Moray > Strathclyde / 3: March S Moray > Strathclyde
# The rules for partial actions apply to the copy.
0 | - ; Edict              | MOR S, STR WW | 2: Edict S Moray <> WW Strathclyde | 2: Edict S Moray <> WW Strathclyde
# A copy that does nothing may be chosen, though in one reading only if all do nothing.
0 | - ; Manoeuvre          | MOR S, DEV -  | 2: Manoeuvre nothing | 2: Manoeuvre nothing
0 | - ; Manoeuvre ; Edict  | MOR S, DEV -  | 2: Manoeuvre nothing / 3: Edict nothing | 2: Manoeuvre nothing / 3: Edict nothing
0 | - ; Manoeuvre ; March  | MOR S, STR -  | 2: Manoeuvre nothing / 3: March S Moray > Strathclyde | 3: March S Moray > Strathclyde
0 | - ; Manoeuvre ; Edict  | MOR S, STR E  | 2: Manoeuvre S Moray <> E Strathclyde / 3: Edict S Moray <> E Strathclyde | 2: Manoeuvre S Moray <> E Strathclyde / 3: Edict S Moray <> E Strathclyde
# Nothing to copy: no other pile, or only one with a Spy on top.
0 | - ; -                  | MOR S, STR -  | nothing | nothing
0 | March ; -              | MOR S, STR -  | nothing | nothing
0 | - ; March, Spy         | MOR S, STR -  | nothing | nothing
0 | - ; March, Spy ; March | MOR S, STR -  | 3: March S Moray > Strathclyde | 3: March S Moray > Strathclyde
0 | - ; Spy ; Manoeuvre    | MOR S, STR -  | 3: Manoeuvre nothing | 3: Manoeuvre nothing
"""


@each_row(("seat", "discards", "regions", "free", "resolvable"), table(SPYING))
def test_spy(seat: str, discards: str, regions: str, free: str, resolvable: str) -> None:
    """Spy does what the table says, in either reading."""
    for reading, expected in (("", free), ("spy_pile=any", free), ("spy_pile=resolvable", resolvable)):
        found = play("Spy", regions, readings=reading, to_act=int(seat), discards=piles(discards))
        assert found == set(expected.split(" / "))


def test_spy_undo() -> None:
    """A copied swap may not undo another player's either, and one's own it may."""
    banned = {"card": "Manoeuvre", "by": 1, "delta": {"MOR": {"S": 1, "E": -1}, "DEV": {"E": 1, "S": -1}}}
    copied = piles("Manoeuvre ; Manoeuvre")
    found = play("Spy", "MOR SW, DEV E", discards=copied, banned=banned)
    assert found == {"2: Manoeuvre W Moray <> E Devon"}
    assert play("Spy", "MOR S, DEV E", discards=copied, banned=banned) == {"2: Manoeuvre nothing"}
    found = play("Spy", "MOR S, DEV E", discards=copied, banned=banned, to_act=1)
    assert found == {"1: Manoeuvre S Moray <> E Devon"}
    # The other card is free.
    found = play("Spy", "MOR S, STR E", discards=piles("- ; Outmanoeuvre"), banned=banned)
    assert found == {"2: Outmanoeuvre S Moray <> E Strathclyde"}


def test_spy_negotiates() -> None:
    """It is the disc of whoever plays the Spy that is laid, if it is still there."""
    track = [{"region": code, "face": "up", "negotiated": False} for code in ("MOR", "DEV")]
    with_disc = {"2: Negotiate Moray <> Devon, disc Moray", "2: Negotiate Moray <> Devon, disc Devon"}
    without = {"2: Negotiate Moray <> Devon, no disc"}
    fresh = piles("- ; Negotiate")
    assert play("Spy", "MOR -", track=track, discards=fresh) == with_disc
    assert play("Spy", "MOR -", track=track, discards=piles("Negotiate ; Negotiate")) == without
    assert play("Spy", "MOR -", track=track, discards=fresh, negotiation_discs=[1, 0]) == with_disc
    assert play("Spy", "MOR -", track=track, discards=fresh, negotiation_discs=[0, 1]) == without


def test_disc_laid_by_the_spy() -> None:
    """Whether a Spy has laid the disc must be told where the piles do not tell it."""
    track = [{"region": code, "face": "up", "negotiated": False} for code in ("MOR", "DEV")]
    spied = piles("Spy ; Negotiate")
    with pytest.raises(ValueError, match="negotiation_discs"):
        play("Negotiate", "MOR -", track=track, discards=spied)
    found = play("Negotiate", "MOR -", track=track, discards=spied, negotiation_discs=[0, 0])
    assert found == {"Moray <> Devon, no disc"}
    # Nobody else has negotiated, so the Spy has not either.
    assert len(play("Negotiate", "MOR -", track=track, discards=piles("Spy ; March"))) == 2


def test_spy_keeps_the_readings() -> None:
    """A copied Suppress is read as the card itself."""
    position = board("ESS -, DEV ES", "-", discards=piles("- ; Suppress"))
    chosen = {"second.ruling.suppress-second": "english"}
    found = resolutions(position, "Spy", BORDERS, HOMES, chosen)
    assert found == {"2: Suppress Devon return E place E"}
    assert "2: Suppress Devon return ES place S" in resolutions(position, "Spy", BORDERS, HOMES)


def test_plot_is_never_played() -> None:
    """Plot stays in the hand; it is not even without effect."""
    assert play("Plot", "MOR SS, STR WE") == set()


def test_no_such_card() -> None:
    """A card of another edition is refused."""
    with pytest.raises(ValueError, match="Conquest"):
        play("Conquest", "MOR SS, STR WE")


def test_homes_and_borders_are_given() -> None:
    """The full board, empty: what reaches where is as the map says."""
    empty = ", ".join(f"{code} -" for code in BORDERS)
    assert play("Resist", empty, "WW") == {"WW Strathclyde"}
    assert play("Muster", empty, "SW") == {"Strathclyde place SW"}
    assert play("Quell", empty, "SW") == {f"{name} place SW" for name in ("Lancaster", "Warwick", "Devon")}
    assert play("Suppress", empty, "W") == {f"{name} place W" for name in ("Northumbria", "Warwick", "Devon")}
