"""The Mordred variant of the first edition: what differs from it."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from tkid.games.struggle.rules.board import Board
from tkid.games.struggle.rules.endings.chains import usurpation
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.turns.arrivals import Arrivals
from tkid.games.struggle.rules.turns.summoning import summoning
from tkid.games.struggle.rulesets import first_edition as first
from tkid.games.struggle.rulesets.first_edition import IDS

BOARD = Board.of(
    f"{first.FACTIONS}, M Mordred",
    first.REGIONS,
    first.BORDERS,
    first.HOMES,
    first.TERMS,
    apart={"M": "mordred.apart"},
)

CALEDONIA, DIN_EIDYN, EBORACUM, DEVA, RATAE, CAERLEON, LONDINIUM, AQUAE_SULIS = range(8)

ARRIVALS = Arrivals(
    rule="mordred",
    faction=3,
    number=9,
    waiting=(DIN_EIDYN, AQUAE_SULIS),
    target=tuple(
        AQUAE_SULIS if resolved in {CALEDONIA, DIN_EIDYN, RATAE, DEVA} else DIN_EIDYN
        for resolved in range(len(BOARD.regions))
    ),
)

IDS.cite("mordred", "mordred.followers", "mordred.switched", "mordred.struggle")


def build(readings: Mapping[str, str]) -> Struggle:
    """The game under these readings of its rulings."""
    return evolve(
        first.build(readings),
        code="first-edition-mordred",
        board=BOARD,
        setup=evolve(first.SETUP, arrivals=ARRIVALS),
        cards=first.cards(BOARD, readings),
        summons=summoning(BOARD, IDS),
        usurpation=usurpation(IDS, readings, "mordred"),
    )


FIRST_EDITION_MORDRED = evolve(
    first.FIRST_EDITION,
    code="first-edition-mordred",
    version=1,
    title="The King is Dead, first edition: the Mordred variant",
    page="editions/mordred.md",
    source="rules of the first edition, 2015, and the publisher's page of the variant",
    switches=(*first.FIRST_EDITION.switches, "first.ruling.mordred-court"),
    confidence="as the first edition; the variant is known from facts of the publisher's page, not from its text",
    build=build,
)
