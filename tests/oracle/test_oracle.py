"""Cases worked by hand from the rulebook, to show that the oracle itself is right.

These are the basic game's; most stand in tables, which setting.py explains.
"""

from typing import Any

import pytest

from tests.oracle.cards import struggle, summons
from tests.oracle.endings import ranking
from tests.oracle.setting import BORDERS, NOTHING, UNSTABLE, board, end, outcomes, pile, play, table
from tests.shared.tables import each_row

PLACING = """
# The home is open: two beside it, but not in it.
Scottish Support | MOR SW, STR -, LAN E        | SSWE  | SS Strathclyde
Welsh Support    | GWY -, LAN -, DEV S, ESS E  | WWW   | WW Lancaster / WW Devon
English Support  | ESS E, NOR -, DEV -, LAN -  | EE    | EE Northumbria / EE Devon
# Beside a controlled region; the home is then a region like any other.
Scottish Support | MOR -, STR =S, LAN -, DEV - | SS    | SS Moray / SS Lancaster
Scottish Support | MOR =S, STR -, LAN -        | SS    | SS Strathclyde
# A disc in the home ends the home clause, whosever it is.
Scottish Support | MOR =E, STR -, LAN -        | SSEE  | nothing
English Support  | MOR =E, STR -, LAN -        | SSEE  | EE Strathclyde
Welsh Support    | GWY =?, LAN -, DEV -        | WW    | nothing
# Both clauses at once; regions with discs receive nobody.
Welsh Support    | LAN =W, GWY -, WAR =E, DEV - | WW   | WW Gwynedd / WW Devon
Welsh Support    | GWY -, LAN =E, DEV =?       | WW    | nothing
# A supply short of two gives one, or none.
Scottish Support | MOR -, STR -                | SWWEE | S Strathclyde
Scottish Support | MOR -, STR -                | WWEE  | nothing
# A home that is not on this board reaches nothing.
English Support  | NOR -, WAR =S               | EE    | nothing
# One of each faction, but only where there is no disc.
Assemble | MOR -, STR =S  | SSWE | S Moray, W Moray, E Moray
Assemble | MOR =S, DEV =? | SWE  | nothing
# A faction missing from the supply is left out, the others are not.
Assemble | MOR S, STR =E  | SSE  | S Moray, E Moray
Assemble | MOR S, DEV -   | WW   | W Moray / W Devon
Assemble | MOR S, DEV -   | -    | nothing
"""


@each_row(("card", "regions", "supply", "expected"), table(PLACING))
def test_placing(card: str, regions: str, supply: str, expected: str) -> None:
    """A Support or Assemble card does what the table says."""
    assert play(card, regions, supply) == set(expected.split(" / "))


def test_assemble_any_regions() -> None:
    """The same region or different ones, all over the board."""
    found = play("Assemble", ", ".join(f"{code} -" for code in BORDERS), "SWE")
    assert len(found) == 8**3
    assert "S Devon, W Devon, E Moray" in found
    assert "S Essex, W Essex, E Essex" in found


def negotiate(track: str, **more: object) -> set[str]:
    """Negotiate with a track such as 'DEV MOR- ESS*' (face down, with a disc)."""
    cards = [
        {
            "region": card[:3],
            "face": "down" if card.endswith("-") else "up",
            "negotiated": card.endswith("*"),
        }
        for card in track.split()
    ]
    return play("Negotiate", "MOR -, DEV -", "-", track=cards, **more)


def test_negotiate_in_full() -> None:
    """Named in track order; the disc goes on either of the two."""
    both = {"Devon <> Moray, disc Devon", "Devon <> Moray, disc Moray"}
    assert negotiate("DEV MOR") == both
    assert len(negotiate("DEV MOR ESS")) == 6
    # Face-down cards and cards with a disc stay where they are.
    assert negotiate("ESS- DEV WAR* MOR") == both


@pytest.mark.parametrize("track", ["ESS- DEV", "ESS* DEV", "ESS- DEV*", "ESS-"])
def test_negotiate_needs_two_cards(track: str) -> None:
    """With fewer than two cards to swap there is no effect."""
    assert negotiate(track) == NOTHING


def test_negotiate_disc_used() -> None:
    """Everybody has one disc; without it the swap alone is made."""
    used = [["Negotiate", "Assemble"], ["Assemble"]]
    without = {"Devon <> Moray, no disc"}
    assert negotiate("DEV MOR", discards=used) == without
    assert len(negotiate("DEV MOR", discards=used, to_act=1)) == 2
    # Where the discs are counted, the count decides.
    left = [1, 0]
    assert len(negotiate("DEV MOR", discards=used, negotiation_discs=left)) == 2
    assert negotiate("DEV MOR", negotiation_discs=left, to_act=1) == without


SWAPPING = """
# Regions need not border; the one that comes first in order stands left.
Manoeuvre | DEV E, MOR SW | S Moray <> E Devon / W Moray <> E Devon
# Two of the same faction may be swapped.
Manoeuvre | MOR SS, DEV S | S Moray <> S Devon
Manoeuvre | MOR S, STR W, LAN =S, DEV - | S Moray <> W Strathclyde
Manoeuvre | MOR SWE, STR -, DEV =E | nothing
# One for two, across a border, in either direction.
Outmanoeuvre | MOR S, STR WE | S Moray <> WE Strathclyde
Outmanoeuvre | MOR S, STR SS | S Moray <> SS Strathclyde
Outmanoeuvre | MOR WW, STR E | E Strathclyde <> WW Moray
# One full swap anywhere rules out the smaller ones everywhere.
Outmanoeuvre | MOR S, STR W, GWY E, DEV WW | E Gwynedd <> WW Devon
# No full swap anywhere: one for one, still across a border.
Outmanoeuvre | STR W, MOR S, DEV E | S Moray <> W Strathclyde
# Nobody across a border to swap for.
Outmanoeuvre | MOR S, DEV WW | nothing
Outmanoeuvre | MOR -, STR WW | nothing
Outmanoeuvre | MOR S, STR =W, NOR EE | nothing
"""


@each_row(("card", "regions", "expected"), table(SWAPPING))
def test_swapping(card: str, regions: str, expected: str) -> None:
    """A swap card does what the table says."""
    assert play(card, regions) == set(expected.split(" / "))


def ban(text: str) -> dict[str, Any]:
    """Bar the undoing of 'Manoeuvre 1 MOR S/E, DEV E/S': seat 1 took E out of Moray."""
    card, by, changes = text.split(maxsplit=2)
    delta = {}
    for change in changes.split(", "):
        code, moved = change.split()
        came, went = moved.split("/")
        delta[code] = {f: came.count(f) - went.count(f) for f in came + went}
    return {"card": card, "by": int(by), "delta": delta}


UNDOING = """
# Seat 1 swapped E Moray for S Devon. Only the way back is barred.
Manoeuvre | 0 | MOR S, DEV E  | Manoeuvre 1 MOR S/E, DEV E/S | nothing
Manoeuvre | 0 | MOR SW, DEV E | Manoeuvre 1 MOR S/E, DEV E/S | W Moray <> E Devon
# One's own swap may be undone, a partner's may not.
Manoeuvre | 1 | MOR S, DEV E  | Manoeuvre 1 MOR S/E, DEV E/S | S Moray <> E Devon
Manoeuvre | 3 | MOR S, DEV E  | Manoeuvre 1 MOR S/E, DEV E/S | nothing
# The other swap card is another card, and a swap elsewhere is no undoing.
Manoeuvre | 0 | MOR S, DEV E  | Outmanoeuvre 1 MOR S/E, DEV E/S | S Moray <> E Devon
Manoeuvre | 0 | MOR S, DEV E  | Manoeuvre 1 STR S/E, DEV E/S | S Moray <> E Devon
# A swap of the same faction had no effect, so there is nothing to undo.
Manoeuvre | 0 | MOR S, DEV S  | Manoeuvre 1 MOR S/S, DEV S/S | S Moray <> S Devon
# The only full swap is barred: one for one is as far as one can go, if it is free.
Outmanoeuvre | 0 | MOR S, STR WW | Outmanoeuvre 1 MOR S/WW, STR WW/S | S Moray <> W STR
Outmanoeuvre | 0 | MOR S, STR W  | Outmanoeuvre 1 MOR S/W, STR W/S | nothing
"""


@pytest.mark.parametrize(("card", "seat", "regions", "banned", "expected"), table(UNDOING))
def test_undo(card: str, seat: str, regions: str, banned: str, expected: str) -> None:
    """Another player's swap may not be undone at once."""
    found = play(card, regions, to_act=int(seat), banned=ban(banned))
    assert found == set(expected.replace("STR", "Strathclyde").split(" / "))


def test_undo_in_other_words() -> None:
    """It is the effect that may not be undone, in whatever words."""
    # Seat 1 gave W of Devon for S and W of Essex: in effect S went to Devon. Two
    # wordings can send it back, and neither is allowed.
    banned = ban("Outmanoeuvre 1 DEV SW/W, ESS W/SW")
    wordings = {"W Essex <> SW Devon", "E Essex <> SE Devon"}
    free = play("Outmanoeuvre", "ESS WE, DEV SWE")
    assert len(free) == 9
    assert wordings < free
    left = play("Outmanoeuvre", "ESS WE, DEV SWE", banned=banned)
    assert left == free - wordings


def test_summons() -> None:
    """One follower from any region, but none from the supply."""
    found = summons(board("MOR SSW, GWY W, DEV -, ESS =E"))
    assert found == {"S Moray", "W Moray", "W Gwynedd"}
    assert summons(board("MOR -, ESS =E")) == set()


def test_struggle() -> None:
    """Most followers take the region; a tie or nobody at all unsettles it."""
    won = {"SSWE": "S", "WWE": "W", "E": "E", "SSWEEE": "E", "WEE": "E"}
    for followers, outcome in won.items():
        assert struggle(pile(followers)) == outcome
    for followers in ("SSWWE", "SWE", "-", "WWEE", "SE"):
        assert struggle(pile(followers)) == UNSTABLE


RANKS = """
# More regions first; as many: the later win.
SSSSWWWE | SWE
SSSWWWEE | WSE
WWWSSSEE | SWE
EESSWW?? | WSE
EESSWWE? | EWS
# Who never won is not ranked.
SSSSSSWW | SW
SSSSSS?? | S
"""


@pytest.mark.parametrize(("struggles", "expected"), table(RANKS))
def test_ranking(struggles: str, expected: str) -> None:
    """The factions stand in the order of the table."""
    assert ranking(outcomes(struggles)) == list(expected)


# Courts | emptied | last acted | winners | winners under last-card. E leads before S.
CROWNS = """
# Most followers of the leading faction, then of the second; the third never counts.
E SSSWWW | . 5     | 9 5     | 0 | 0
ES EWWW  | . 5     | 8 5     | 0 | 0
ESW ES   | 30 28   | 30 28   | 1 | 1
# All cards played beats not; nobody: shared, or the older latest card.
ES ES    | . 30    | 3 30    | 1 | 1
ES ES    | . .     | 20 18   | 0 1 | 1
ES ES    | . .     | . 18    | 0 1 | 0
ES ES    | . .     | . .     | 0 1 | 0 1
# Three players: whoever fell behind once stays out.
EE EES ESSS | 20 30 10 | 20 30 10 | 1 | 1
ES ES E     | 30 29 10 | 30 29 10 | 1 | 1
ES ES ES    | 40 . 39  | 40 3 39  | 2 | 2
ES E ES     | . 9 .    | 5 9 7    | 0 2 | 0
ES ES ES    | . . .    | 9 8 7    | 0 1 2 | 2
ES ES ES    | . . .    | . 3 .    | 0 1 2 | 0 2
# Teams: it is single players who are compared, and the partner wins too.
EE EEE EE - | . . . . | 9 8 7 6 | 1 3 | 1 3
EE E EE E   | . 5 . 6 | 9 5 7 6 | 0 2 | 0 2
ES ESS ES - | 5 . 6 . | 5 8 6 7 | 1 3 | 1 3
# Tied across teams: when both hands were empty, then the later of the latest cards.
ES ES - -   | 10 30 40 31 | 10 30 40 31 | 1 3 | 1 3
ES ES - -   | 10 31 . 32  | 10 31 9 32  | 1 3 | 1 3
ES - - ES   | 10 . 12 .   | 10 9 12 8   | 0 2 | 0 2
ES ES ES -  | 10 . . 11   | 10 12 13 11 | 0 1 2 3 | 1 3
ES ES - -   | . . . .     | 12 30 31 5  | 0 1 2 3 | 1 3
ES ES - -   | . . . .     | . 5 . .     | 0 1 2 3 | 0 2
ES - - ES   | . . . .     | 7 . . .     | 0 1 2 3 | 1 3
ES - - ES   | . . . .     | . . . .     | 0 1 2 3 | 0 1 2 3
"""


@each_row(("courts", "done", "last", "one", "two"), table(CROWNS))
def test_coronation(courts: str, done: str, last: str, one: str, two: str) -> None:
    """The throne goes to whom the table says, under either reading."""
    game = ("SSSWWEEE", courts, done, last)
    assert end(*game) == f"coronation: {one}"
    assert end(*game, final_tie="shared") == f"coronation: {one}"
    assert end(*game, final_tie="last-card") == f"coronation: {two}"


# Struggles | courts | winners | winners under none-ranked. Seat 0 is done first.
SECOND = """
SSSSSS?? | SWW SEEE | 0 | 1
SSSSSS?? | SWWE SEEE | 0 | 0
SSSSSSSS | SW SWE S | 0 | 1
SSSSSSSS | SW S SEE SWEE | 0 2 | 1 3
# The other one won a struggle, so it is second, and the third counts for nothing.
SSSSSSSW | S SEE | 0 | 0
"""


@pytest.mark.parametrize(("struggles", "courts", "one", "two"), table(SECOND))
def test_no_second_faction(struggles: str, courts: str, one: str, two: str) -> None:
    """Where one faction won everything, there is no second."""
    turns = " ".join(["5 6", "7", "8"][: len(courts.split()) - 1])
    game = (struggles, courts, turns, turns)
    assert end(*game) == f"coronation: {one}"
    assert end(*game, second_rank="none-ranked") == f"coronation: {two}"


INVASIONS = """
# Most complete sets.
SWE SSSWWWW  | . 2   | 0
SWE SSWWEE   | 9 2   | 1
SSEE SWE     | 9 2   | 1
SSWW SWE     | 9 2   | 1
# As many: the tied player who played a card last; nobody ever did: shared.
SWE SWEE     | 5 9   | 1
SWE SWE      | 9 .   | 0
SWE SWE S    | 3 . 9 | 0
S W E        | . 4 2 | 1
SWE SW SWE   | . 2 . | 0 2
# Teams put their courts together.
SS EEW WWE W | 1 2 3 4 | 0 2
SW SWE E SWE | 9 2 3 4 | 1 3
SW - E SWE   | 5 7 9 6 | 0 2
SW - E SWE   | . 7 . . | 1 3
SW - E SWE   | . . 7 . | 0 2
SW - E SWE   | . . . . | 0 1 2 3
"""


@each_row(("courts", "last", "winners"), table(INVASIONS))
def test_invasion(courts: str, last: str, winners: str) -> None:
    """The invasion is won as the table says."""
    nobody = " ".join("." for _ in courts.split())
    assert end("SW?E?S?", courts, nobody, last) == f"invasion: {winners}"


def test_third_disc() -> None:
    """The third instability disc counts in the last struggle too; two do not."""
    assert end("SSSSS???", "SWE SS", ". .", "1 2") == "invasion: 0"
    assert end("SSSSS?S?", "SWE SS", ". .", "1 2") == "coronation: 1"
