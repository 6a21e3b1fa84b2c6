"""For each card of the reference manual a made-up position, and turns that go down through all the tiers of its ladder."""

from __future__ import annotations

from tests.games.struggle.shared.first_ladders import FIRST_LADDERS, HANDS
from tests.games.struggle.shared.ladders import Ladder


def _faction(card: str, letter: str, regions: str, turns: tuple[str, ...]) -> Ladder:
    """A faction's card with five followers in the pool, and three open regions beside one that the faction controls."""
    return Ladder(card, f"{regions}; supply 5{letter}; {HANDS.format(card)}", turns)


MANUAL_LADDERS: dict[str, Ladder] = {
    "scots": _faction(
        "Scots",
        "S",
        "CAL -, DIN =S, DVA R, EBO -, CAE =W, RAT =R, LON =R, AQU =W; track DIN CAE RAT LON AQU CAL DVA EBO",
        (
            "Scots SS Deva; no summon",
            "Scots S Eboracum, S Deva; summon S Deva",
            "Scots S Caledonia; no summon",
            "Scots nothing; summon S Caledonia",
        ),
    ),
    "welsh": _faction(
        "Welsh",
        "W",
        "CAL =S, DIN =S, DVA R, EBO =R, CAE =W, RAT -, LON =R, AQU S; track CAL DIN EBO CAE LON DVA RAT AQU",
        (
            "Welsh WW Ratae; summon W Ratae",
            "Welsh W Deva, W Aquae Sulis; no summon",
            "Welsh W Ratae; summon R Deva",
            "Welsh nothing; no summon",
        ),
    ),
    "romano-british": _faction(
        "Romano-British",
        "R",
        "CAL =S, DIN =S, DVA =W, EBO -, CAE =W, RAT S, LON =R, AQU W; track CAL DIN DVA CAE LON EBO RAT AQU",
        (
            "Romano-British RR Ratae; summon S Ratae",
            "Romano-British R Eboracum, R Aquae Sulis; no summon",
            "Romano-British R Ratae; no summon",
            "Romano-British nothing; summon R Eboracum",
        ),
    ),
    "settlement": FIRST_LADDERS["settlement"],
    "crown": FIRST_LADDERS["crown"],
    "ambassador": Ladder(
        "Ambassador",
        "CAL =S, DIN =S, DVA W, EBO =R, CAE =W, RAT -, LON =R, AQU S; supply -; "
        f"track CAL DIN EBO CAE LON DVA RAT AQU; {HANDS.format('Ambassador')}",
        (
            "Ambassador W Deva <> S Aquae Sulis; summon S Deva",
            "Ambassador nothing; no summon",
        ),
    ),
    "garrison": Ladder(
        "Garrison",
        "CAL =S, DIN =S, DVA SW, EBO =R, CAE =W, RAT W, LON =R, AQU =W; supply -; "
        f"track CAL DIN EBO CAE LON AQU RAT DVA; {HANDS.format('Garrison')}",
        (
            "Garrison SW Deva <> W Ratae; summon S Ratae",
            "Garrison W Deva <> W Ratae; summon W Deva",
            "Garrison nothing; no summon",
        ),
    ),
}
