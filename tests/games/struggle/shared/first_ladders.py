"""For each card of the first edition a made-up position, and turns that go down through all the tiers of its ladder."""

from __future__ import annotations

from tests.games.struggle.shared.ladders import Ladder

HANDS = "1 court SW; 1 hand {0}, {0}, {0}; 2 court SR; 2 hand {0}, {0}; to play 1"


def _faction(card: str, letter: str, open_regions: str, turns: tuple[str, ...]) -> Ladder:
    """A faction's card with three followers in the pool; at last nobody is left there."""
    return Ladder(card, f"{open_regions}; supply 3{letter}; {HANDS.format(card)}", turns)


FIRST_LADDERS: dict[str, Ladder] = {
    "scots": _faction(
        "Scots",
        "S",
        "CAL W, DIN R, DVA =W, EBO =R, CAE =W, RAT =W, LON =R, AQU =W; track DVA EBO CAE RAT LON AQU CAL DIN",
        (
            "Scots SS Din Eidyn; summon W Caledonia",
            "Scots S Din Eidyn; summon R Din Eidyn",
            "Scots nothing; summon S Din Eidyn",
        ),
    ),
    "welsh": _faction(
        "Welsh",
        "W",
        "CAL =S, DIN =S, DVA R, EBO =R, CAE =W, RAT =R, LON =R, AQU S; track CAL DIN EBO CAE RAT LON DVA AQU",
        (
            "Welsh WW Deva; summon R Deva",
            "Welsh W Aquae Sulis; summon S Aquae Sulis",
            "Welsh nothing; summon W Aquae Sulis",
        ),
    ),
    "romano-british": _faction(
        "Romano-British",
        "R",
        "CAL =S, DIN =S, DVA =W, EBO W, CAE =W, RAT S, LON S, AQU =W; track CAL DIN DVA CAE AQU EBO RAT LON",
        (
            "Romano-British RR Ratae; summon S Ratae",
            "Romano-British R Eboracum; summon W Eboracum",
            "Romano-British nothing; summon S Londinium",
        ),
    ),
    "settlement": Ladder(
        "Settlement",
        "CAL =S, DIN =S, DVA S, EBO W, CAE =W, RAT =R, LON =W, AQU =W; supply 1S 1R; "
        f"track CAL DIN CAE RAT LON AQU DVA EBO; {HANDS.format('Settlement')}",
        (
            "Settlement S Eboracum, R Deva; summon S Deva",
            "Settlement nothing; summon W Eboracum",
        ),
    ),
    "crown": Ladder(
        "Crown",
        "CAL =S, DIN =S, DVA SSW, EBO WW, CAE =W, RAT R, LON =W, AQU =W; supply -; "
        f"track CAL DIN CAE LON AQU DVA EBO RAT; {HANDS.format('Crown')}",
        (
            "Crown Deva <> Ratae, disc Deva; summon W Deva",
            "Pass",
            "Crown Ratae <> Eboracum, no disc; summon W Eboracum",
            "Pass",
            "Pass",
            "Crown nothing; summon S Deva",
        ),
    ),
    "ambassador": Ladder(
        "Ambassador",
        "CAL =S, DIN =S, DVA W, EBO =R, CAE =W, RAT -, LON =R, AQU S; supply -; "
        f"track CAL DIN EBO CAE LON DVA RAT AQU; {HANDS.format('Ambassador')}",
        (
            "Ambassador W Deva <> S Aquae Sulis; summon S Deva",
            "Ambassador W Aquae Sulis <> - Deva; summon W Deva",
            "Ambassador nothing; no summon",
        ),
    ),
    "garrison": Ladder(
        "Garrison",
        "CAL SS, DIN -, DVA SW, EBO =R, CAE =W, RAT W, LON =R, AQU =W; supply -; "
        f"track EBO CAE LON AQU RAT DVA DIN CAL; {HANDS.format('Garrison')}",
        (
            "Garrison SW Deva <> W Ratae; summon S Ratae",
            "Garrison W Deva <> W Ratae; summon W Deva",
            "Garrison SS Caledonia <> - Din Eidyn; summon S Din Eidyn",
            "Garrison S Din Eidyn <> - Caledonia; summon S Caledonia",
            "Pass",
            "Pass",
            "Garrison nothing; no summon",
        ),
    ),
}
