"""Games of the first edition made by hand: the text's own examples, and what random play hardly finds."""

from __future__ import annotations

from collections.abc import Mapping

from tests.games.struggle.shared.family import board
from tests.shared.lines import Line
from tkid.games.struggle.rules.game import PASS
from tkid.games.struggle.rules.setup import Deal
from tkid.notation.positions import read_position
from tkid.rulebook.rulesets import Ruleset

Made = tuple[str, str, tuple[str, ...]]
"""A remark, a position without its ruleset, and turns."""

ALL_CARDS = "Scots, Welsh, Romano-British, Settlement, Settlement, Crown, Ambassador, Garrison"
EARLY = (
    "CAL SSWR, DIN SSWR, DVA SWWR, EBO SWRR, CAE SWWW, RAT SWRR, LON SWRR, AQU SSWR; supply {pool}; "
    "track DVA EBO CAL RAT DIN LON AQU CAE; 1 court SW; 1 hand {hand}; 2 court SR; 2 hand Crown; 3 court WR; "
    "3 hand Crown; to play 1"
)
NO_WELSH_LAND = (
    "CAL =R, DIN SW, DVA SW, EBO R, CAE =S, RAT SR, LON RR, AQU W; supply 9S 10W 9R; track CAL CAE DVA EBO RAT DIN LON "
    "AQU; 1 court SW; 1 hand Welsh, Crown; 2 court SR; 2 hand Crown; to play 1"
)
THREE_OPEN = (
    "CAL =S, DIN =S, DVA SW, EBO =W, CAE =W, RAT -, LON =R, AQU {here}; supply 9S 9W 9R; track CAL DIN EBO CAE LON DVA "
    "RAT AQU; 1 court SW; 1 hand Ambassador, Crown; 2 court SR; 2 hand Crown; to play 1"
)
LAST_STRUGGLE = (
    "CAL =S, DIN =S, DVA =W, EBO =W, CAE =W, RAT =R, LON =R, AQU SWR; supply 9S 9W 9R; track CAL DIN EBO DVA CAE LON "
    "RAT AQU; 1 court SW; 1 hand Crown, Scots; 2 court SR; 2 hand Welsh; to play 1"
)
END = (
    "{discs}, AQU {here}; supply 3S 8W 7R; track CAL DIN DVA EBO CAE RAT LON AQU; 1 court SSSWWWRRRR; 1 hand Crown; "
    "1 acted 30; 2 court SSSSSWWWRR; 2 hand Crown; 2 acted 31; to play 1"
)
AFTER_THE_END = ("Pass", "Pass")

EXAMPLES: dict[str, Made] = {
    "partial-settlement": (
        "Jo's Settlement in the text: the common pool has no Scots.",
        EARLY.format(pool="7W 6R", hand=ALL_CARDS),
        ("Settlement W Deva, R Ratae; summon W Deva",),
    ),
    "partial-faction-card": (
        "Laura's Welsh card in the text: no region is Welsh, and Caerleon has gone to the Scots.",
        NO_WELSH_LAND,
        ("Welsh nothing; summon S Deva",),
    ),
    "partial-ambassador": (
        "Phil's Ambassador in the text: one of three open regions is empty, and the other two have to swap.",
        THREE_OPEN.format(here="R"),
        ("Ambassador S Deva <> R Aquae Sulis; summon R Deva",),
    ),
    "partial-ambassador-for-nothing": (
        "Phil's Ambassador in the text, had the third region been empty too: a swap for nothing.",
        THREE_OPEN.format(here="-"),
        ("Ambassador S Deva <> - Ratae; summon S Ratae",),
    ),
    "partial-crown": (
        "Alysa's Crown in the text: in the last power struggle there is nothing to swap.",
        LAST_STRUGGLE,
        ("Crown nothing; summon S Aquae Sulis",),
    ),
    "end-scots": (
        "The game end in the text (Ann is Laura, Bob is Phil): with the Scots in power Phil has won.",
        END.format(discs="CAL =S, DIN =S, DVA =S, EBO =W, CAE =W, RAT =R, LON =S", here="RRW"),
        AFTER_THE_END,
    ),
    "end-welsh-before-scots": (
        "The game end in the text (Ann is Laura, Bob is Phil): the Welsh before the Scots, and Phil has won.",
        END.format(discs="CAL =S, DIN =S, DVA =W, EBO =W, CAE =W, RAT =R, LON =S", here="WWR"),
        AFTER_THE_END,
    ),
    "end-welsh-before-romans": (
        "The game end in the text (Ann is Laura, Bob is Phil): the Welsh before the Romano-British, and Laura has won.",
        END.format(discs="CAL =S, DIN =R, DVA =W, EBO =W, CAE =W, RAT =R, LON =R", here="WWR"),
        AFTER_THE_END,
    ),
    "end-invasion": (
        "The game end in the text (Ann is Laura, Bob is Phil): the Saxons have come, and Laura has three sets to two.",
        END.format(discs="CAL =unstable, DIN =R, DVA =unstable, EBO =W, CAE =W, RAT =unstable, LON =S", here="WR"),
        AFTER_THE_END,
    ),
}
"""The worked examples of the text, with followers chosen to fit what it tells of them."""

STRUGGLE = (
    "Pass",
    "Pass",
    "Settlement S Deva, W Ratae, R Deva; summon S Ratae",
    "Pass",
    "Garrison SR Din Eidyn <> S Caledonia; summon S Caledonia",
    "Pass",
    "Pass",
    "Pass",
)
"""The example of a power struggle: Ann is Phil, Bob is Jo and Cal is Laura, who begins the next one."""

UNDONE = (
    "CAL W, DIN =S, DVA W, EBO =W, CAE =W, RAT =R, LON =R, AQU S; supply 9S 9W 9R; track DIN EBO CAE LON RAT CAL DVA "
    "AQU; 1 court SW; 1 hand Ambassador, Crown; 2 court SR; 2 hand Ambassador; to play 1"
)
NOT_UNDONE = (
    "Ambassador W Deva <> S Aquae Sulis; summon W Caledonia",
    "Ambassador S Deva <> - Caledonia; summon S Caledonia",
)
LAST_OF_ALL = (
    "CAL =S, DIN =S, DVA =S, EBO =S, CAE =W, RAT =R, LON =unstable, AQU SSW; supply 4W; "
    "track CAL DIN DVA EBO CAE RAT LON AQU; 1 court SSW; 1 hand Welsh; 2 court SSWW; 2 hand -; 3 court W; "
    "3 hand -; 1 acted 39; 2 acted 40; 3 acted 41; 2 emptied 40; 3 emptied 41; to play 1"
)


MORDRED_WINS_EARLY = (
    "CAL =S, DIN M, DVA SWR, EBO SWR, CAE SWR, RAT SWR, LON SWR, AQU SWR; supply 5S 6W 5R; "
    "track CAL DIN DVA EBO CAE RAT LON AQU; 1 court SSWW; 1 hand Crown; 2 court SSR; 2 hand Crown; "
    "3 court SWWWRRR; 3 hand Crown; to play 1"
)
"""Two are tied for the Scots, who alone control a region; the third player has the largest court."""


def made_by_hand(ruleset: Ruleset) -> dict[str, Line]:
    """The games made by hand for a ruleset, by name."""
    if ruleset.code == "first-edition-mordred":
        everybody = {"first.ruling.mordred-court": "everybody"}
        return {
            "mordred-court-tied": _played(ruleset, "", MORDRED_WINS_EARLY, ("Pass",) * 3),
            "mordred-court-everybody": _played(ruleset, "", MORDRED_WINS_EARLY, ("Pass",) * 3, everybody),
        }
    if ruleset.code != "first-edition":
        return {}
    found = {f"example-{name}": _played(ruleset, *how) for name, how in EXAMPLES.items()}
    found["example-power-struggle"] = _struggle(ruleset)
    found["one-faction-alone"] = one_faction_alone(ruleset)
    found["undo-as-second"] = _played(ruleset, "", UNDONE, NOT_UNDONE, {"first.ruling.undo": "as-second"})
    wins = ("Welsh WW Aquae Sulis; summon S Aquae Sulis",)
    found["last-card-wins"] = _played(ruleset, "", LAST_OF_ALL, wins)
    return found


def _played(
    ruleset: Ruleset, remark: str, text: str, turns: tuple[str, ...], readings: Mapping[str, str] | None = None
) -> Line:
    _, position = read_position(f"{ruleset.code}; {text}")
    return Line(ruleset, board(position), readings or {}, remark).typed(*turns)


def _struggle(ruleset: Ruleset) -> Line:
    """The example of a power struggle, from the set-up."""
    regions = tuple(
        tuple(group.count(letter) for letter in "SWR")
        for group in ("SSWR", "SSWR", "SWRR", "SSWR", "SWRR", "SWWW", "WRRR", "SSWW")
    )
    courts = ((1, 1, 0), (1, 0, 1), (0, 1, 1))
    supply = tuple(18 - sum(column) for column in zip(*regions, *courts, strict=True))
    hand = ruleset.game().hands.same
    deal = Deal(regions, supply, courts, (hand,) * 3, (3, 2, 0, 4, 1, 6, 7, 5), 0)
    line = Line(ruleset, deal, remark="The example power struggle in the text: Ann is Phil, Bob is Jo, Cal is Laura.")
    return line.typed(*STRUGGLE)


def one_faction_alone(ruleset: Ruleset) -> Line:
    """A game in which nobody acts and only the Scots win regions: who is second is not told, nor who was indecisive."""
    regions = [(2, 1, 1)] * 8
    regions[5], regions[6] = (2, 2, 0), (2, 0, 2)
    hand = ruleset.game().hands.same
    deal = Deal(tuple(regions), (0, 6, 6), ((0, 1, 1),) * 2, (hand,) * 2, (0, 1, 2, 3, 4, 7, 5, 6), 0)
    line = Line(ruleset, deal)
    while line.position.to_act is not None:
        line.take(lambda _: PASS)
    return line
