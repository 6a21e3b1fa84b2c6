"""Cases worked by hand from the rulebook: how Plot bears on the end of the game.

The tables are explained in setting.py. Of the hands 'P' is Plot and 'A' an Assemble that
was never played.
"""

from typing import Any

import pytest

from tests.oracle.endings import plot_matters, result
from tests.oracle.setting import finished, rulings, table
from tests.shared.tables import each_row

CARDS = {"P": "Plot", "A": "Assemble"}

# Courts | hands | emptied | last acted | winners with S / W / E named.
CROWNS = """
# Two players; E is the most powerful faction, S the second. A follower that is lacking.
E EE     | P A | . .   | 5 6   | 1 / 1 / 0
# One that does not help, whatever it is.
E EEE    | P A | . .   | 5 6   | 1 / 1 / 1
# Tied after both factions: Plot beats having played all cards, however early.
ES ES    | P - | . 3   | 5 3   | 0 / 0 / 0
ES ES    | - P | 9 .   | 9 12  | 1 / 1 / 1
ES ESS   | P - | . 3   | 5 3   | 0 / 1 / 0
# The third faction is never compared.
ESSWW ES | - P | 9 .   | 9 12  | 1 / 0 / 1
ESW ES   | - P | 9 .   | 9 12  | 1 / 1 / 1
# Three players: Plot's owner is first among the tied, but only if among them.
ES ES ESS | P A A | . . .   | 5 6 7   | 0 / 2 / 0
ES ES E   | - - P | 40 30 . | 40 30 9 | 2 / 1 / 2
ES ES -   | - - P | 40 30 . | 40 30 9 | 1 / 1 / 1
ES ES -   | A A P | . . .   | 5 6 7   | 0 1 / 0 1 / 0 1
# Teams: who owns Plot wins with the partner, being tied with an opponent or with all.
E - - EE  | P A A A | . . . . | 5 6 7 8 | 1 3 / 1 3 / 0 2
ES ES E - | A A P A | . 6 . 8 | 5 6 7 8 | 0 2 / 1 3 / 0 2
E - E -   | P - - - | . 6 7 8 | 5 6 7 8 | 0 2 / 0 2 / 0 2
- ES ES - | - P - - | 5 . 7 8 | 5 6 7 8 | 1 3 / 1 3 / 1 3
# The partner is tied, the owner is not: the other team was done, this one never is.
ES ES - - | - - P - | 10 31 . 32 | 10 31 9 32 | 1 3 / 1 3 / 1 3
# Neither team was done.
ES ES - - | - - P A | 10 31 . .  | 10 31 9 32 | 0 1 2 3 / 0 1 2 3 / 0 1 2 3
# The owner is one Scot short of the tie.
ES ESS - - | P - - - | . 31 9 32 | 10 31 9 32 | 0 2 / 1 3 / 0 2
"""


def ending(position: dict[str, Any], named: str | None, **chosen: str) -> str | None:
    """Name a faction, or none; '0 1' tells who won, None that the owner has to be asked."""
    found = result(position | {"plot": named}, rulings(chosen))
    return None if found is None else " ".join(map(str, sorted(found[1])))


def check(position: dict[str, Any], winners: tuple[str, ...], **chosen: str) -> None:
    """Name each faction in turn, then none."""
    for faction, expected in zip("SWE", winners, strict=True):
        assert ending(position, faction, **chosen) == expected
    same = len(set(winners)) == 1
    assert ending(position, None, **chosen) == (winners[0] if same else None)
    # Plot's owner is asked only where it can make a difference; naming does not alter that.
    for named in (None, "S", "W", "E"):
        assert plot_matters(position | {"plot": named}, rulings(chosen)) is not same


def deal(struggles: str, courts: str, hands: str, done: str, last: str) -> dict[str, Any]:
    """Set up a finished game with hands such as 'P AA -'."""
    held = [[CARDS[card] for card in hand if card != "-"] for hand in hands.split()]
    return finished(struggles, courts, done, last, hands=held)


@each_row(("courts", "hands", "done", "last", "winners"), table(CROWNS))
def test_coronation(courts: str, hands: str, done: str, last: str, winners: str) -> None:
    """Each faction that can be named crowns whom the table says."""
    check(deal("SSSWWEEE", courts, hands, done, last), tuple(winners.split(" / ")))


# Courts | hands | winners with S, W, E named | the same if the landless count as second.
ALONE = """
# Scotland has it all. Tied for the Scots: Plot wins at once.
S S   | P - | 0 0 0 | 0 0 0
S SWW | P - | 0 0 0 | 0 1 1
S SW  | P - | 0 0 0 | 0 0 0
SW S  | - P | 1 1 1 | 1 1 1
SWW S | - P | 1 1 1 | 1 0 0
SS S  | - P | 1 0 0 | 1 0 0
"""


@pytest.mark.parametrize(("courts", "hands", "one", "two"), table(ALONE))
def test_one_faction(courts: str, hands: str, one: str, two: str) -> None:
    """With one faction in power there is no second comparison before Plot."""
    position = deal("SSSSSS??", courts, hands, "3 3", "3 3")
    check(position, tuple(one.split()))
    check(position, tuple(two.split()), second_rank="none-ranked")


# Hands | emptied | last acted | winners | winners if Plot alone is an empty hand.
PARTNERS = """
# The team 0+2 is done when its later hand is; Plot's was when its latest card was played.
- - P -   | 10 31 . 32 | 10 31 9 32  | 1 3     | 0 2
- - P -   | 10 31 . 32 | 10 31 31 32 | 1 3     | 0 2
- - P -   | 10 31 . 32 | 10 31 33 32 | 1 3     | 1 3
- - P A   | 10 31 . .  | 10 31 33 32 | 0 1 2 3 | 0 2
# With another card beside Plot it is not; nor when no card was ever played.
- - PA -  | 10 31 . 32 | 10 31 9 32  | 1 3     | 1 3
- - P -   | 10 31 . 32 | 10 31 . 32  | 1 3     | 1 3
# The partner has cards left.
A - P -   | . 31 . 32  | 10 31 9 32  | 1 3     | 1 3
"""


@pytest.mark.parametrize(("hands", "done", "last", "one", "two"), table(PARTNERS))
def test_plot_hand(hands: str, done: str, last: str, one: str, two: str) -> None:
    """Seats 0 and 1 are tied; seat 2 has Plot, which cannot break that tie."""
    position = deal("SSSWWEEE", "ES ES - -", hands, done, last)
    check(position, (one, one, one))
    check(position, (one, one, one), plot_hand="literal")
    check(position, (two, two, two), plot_hand="counts-as-empty")


def test_plot_is_no_latest_card() -> None:
    """To reveal Plot is not to play it: the latest cards are those played."""
    position = deal("SSSWWEEE", "ES ES - -", "A A P A", ". . . .", "12 30 31 5")
    check(position, ("0 1 2 3",) * 3)
    check(position, ("1 3",) * 3, final_tie="last-card")


# Courts | hands | last acted | winners with S, W, E named.
INVASIONS = """
# It completes a set; but it breaks no tie, the latest card does.
SW SWE     | P A | 9 5 | 1 / 1 / 0
SW SWE     | P A | 5 9 | 1 / 1 / 1
SSWWE SWE  | P A | 5 9 | 1 / 1 / 0
SWE SWE    | P A | 5 9 | 1 / 1 / 1
SWE SWE    | P A | . . | 0 1 / 0 1 / 0 1
# Teams put their courts together, and Plot with them.
SSWW - E SWE | A A P A | 5 9 7 6 | 1 3 / 1 3 / 0 2
SSWW - E SWE | A A A P | 5 9 7 6 | 1 3 / 1 3 / 1 3
SWE W E SE   | A P A A | 9 5 7 6 | 0 2 / 0 2 / 0 2
SWE W SE SE  | A P A A | 9 5 7 6 | 0 2 / 0 2 / 0 2
SSWE W - SEE | A P A A | 9 5 7 6 | 0 2 / 0 2 / 0 2
SSWE W - SSEE | A P A A | 9 5 7 6 | 0 2 / 1 3 / 0 2
"""


@each_row(("courts", "hands", "last", "winners"), table(INVASIONS))
def test_invasion(courts: str, hands: str, last: str, winners: str) -> None:
    """In an invasion Plot is one follower more, and nothing else."""
    nobody = " ".join("." for _ in courts.split())
    check(deal("SW?E?S?", courts, hands, nobody, last), tuple(winners.split(" / ")))


def test_without_plot() -> None:
    """Where nobody has Plot nothing that is named counts, and nobody is asked."""
    for hands in ("A A", "- -"):
        position = deal("SSSWWEEE", "ES ES", hands, ". 9", "5 9")
        assert not plot_matters(position)
        for named in (None, "S", "W", "E"):
            assert ending(position, named) == "1"
    # Nor need the hands be told at all.
    assert not plot_matters(finished("SSSWWEEE", "ES ES", ". 9", "5 9"))


def test_nothing_is_touched() -> None:
    """The position that was asked about stays as it was."""
    position = deal("SSSWWEEE", "E EE", "P A", ". .", "5 6")
    before = repr(position)
    assert ending(position, "E") == "0"
    assert repr(position) == before
