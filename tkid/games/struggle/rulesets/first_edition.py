"""The first edition, the manual and the Mordred variant."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from tkid.games.struggle.rules.board import Board, Terms
from tkid.games.struggle.rules.card import Card, CardFactory
from tkid.games.struggle.rules.endings import make_control, make_invasion, make_usurpation
from tkid.games.struggle.rules.facts import make_ruleset
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.last_card import LastCard
from tkid.games.struggle.rules.moving_cards import Undo, make_negotiate_card, make_swap_card
from tkid.games.struggle.rules.placing_cards import make_assemble_card, make_faction_card, make_support_card
from tkid.games.struggle.rules.setup import Hands, Setup
from tkid.games.struggle.rules.struggles import Arrivals, make_summoning
from tkid.rulebook import Ids, choose_reading

IDS = Ids("first")

FACTIONS = "S Scots, W Welsh, R Romano-British"
REGIONS = (
    "Caledonia CAL, Din Eidyn DIN, Eboracum EBO, Deva DVA, Ratae RAT, Caerleon CAE, Londinium LON, Aquae Sulis AQU"
)
BORDERS = "CAL-DIN DIN-DVA DIN-EBO DVA-EBO DVA-CAE DVA-RAT EBO-RAT EBO-LON CAE-RAT CAE-AQU RAT-LON RAT-AQU LON-AQU"
HOMES = "S CAL, W CAE, R LON"
TERMS = Terms(
    supply="common pool",
    stock="Pool",
    disc="token",
    negotiation="Crown token",
    lost="Saxon",
    falls="fall to the Saxons",
    takers=("Saxons", "invaders"),
    invaders="the Saxons",
)
BOARD = Board.parse(FACTIONS, REGIONS, BORDERS, HOMES, TERMS)

IDS.cite("board.factions", "board.regions", "board.homes", "ruling.borders")

SETUP = Setup(
    followers={2: 16, 3: 18, 4: 18}, home=2, region=4, court=2, negotiation_discs=1, redraw={2: 2, 3: 2, 4: 2}
)

PARTIES = {2: ((0,), (1,)), 3: ((0,), (1,), (2,)), 4: ((0, 2), (1, 3))}

IDS.cite("board.players", "ruling.team-order", "team.control")

ONE_FOR_ONE = (((1, 1),), ((1, 0),))
TWO_FOR_ONE = (((2, 1),), ((1, 1), (2, 0)), ((1, 0),))

UNDO: Mapping[str, Undo] = {"none": "by everybody", "as-second": "by its player"}

IDS.cite("ruling.cards", "ruling.partial-swap", "ruling.undo")


def _make_first_edition_cards(board: Board, readings: Mapping[str, str]) -> Mapping[str, Card]:
    factory, undo = CardFactory(board, IDS), choose_reading(readings, IDS("ruling.undo"), UNDO)
    made = (
        *(
            make_support_card(factory, faction.name, index)
            for index, faction in enumerate(board.factions)
            if not faction.apart
        ),
        make_assemble_card(factory, "Settlement", "card.settlement"),
        make_negotiate_card(factory, "Crown", "card.crown"),
        make_swap_card(factory, "Ambassador", "card.ambassador", ONE_FOR_ONE, border=False, undo=undo),
        make_swap_card(factory, "Garrison", "card.garrison", TWO_FOR_ONE, border=True, undo=undo),
    )
    return {card.name: card for card in made}


HANDS = Hands(
    same=("Scots", "Welsh", "Romano-British", "Settlement", "Settlement", "Crown", "Ambassador", "Garrison"),
    rule="setup.hands",
)


def _build_first_edition(readings: Mapping[str, str]) -> Struggle:
    return Struggle(
        code="first-edition",
        ids=IDS,
        board=BOARD,
        setup=SETUP,
        hands=HANDS,
        cards=_make_first_edition_cards(BOARD, readings),
        absent={},
        parties=PARTIES,
        invaders=4,
        coronation=make_control(IDS),
        invasion=make_invasion(IDS),
        readings=dict(readings),
        last_card=LastCard(players=3, rule="turn.last-card"),
        own_pile=False,
        covered=choose_reading(readings, IDS("ruling.open-hands"), {"open": False, "hidden": True}),
    )


FIRST_EDITION = make_ruleset(
    code="first-edition",
    version=1,
    title="The King is Dead, first edition",
    page="editions/first-edition.md",
    source="rules of the first edition, 2015",
    rule_prefix="first",
    confidence="rules complete; the borders are inferred, and what the cards do is likely but not printed in the source",
    switches=("first.ruling.undo", "first.ruling.open-hands"),
    build=_build_first_edition,
)


MANUAL_IDS = Ids("manual")

_FACTORY = CardFactory(BOARD, MANUAL_IDS)

CARDS = (
    *(make_faction_card(_FACTORY, faction.name, index) for index, faction in enumerate(BOARD.factions)),
    make_assemble_card(_FACTORY, "Settlement", "card.settlement"),
    make_negotiate_card(_FACTORY, "Crown", "card.crown"),
    make_swap_card(_FACTORY, "Ambassador", "card.ambassador", (((1, 1),),), border=False, undo="by nobody"),
    make_swap_card(_FACTORY, "Garrison", "card.garrison", (((2, 1),), ((1, 1),)), border=True, undo="by nobody"),
)

SUMMONS = make_summoning(BOARD, MANUAL_IDS, due="summon.may", optional="summon.nobody", alone="turn.take")

AS_FIRST = {"first.ruling.undo": "none"}
"""The readings of the first edition that the manual takes over; it has its own rule on reversals."""

MANUAL_IDS.cite(
    "ruling.take", "ruling.partial-swap", "ruling.undo", "ruling.in-vain", "ruling.cards", "ruling.last-card"
)
MANUAL_IDS.cite("ruling.as-first", "ruling.colours", "ruling.face-down", "ruling.one-region", "ruling.up-to-four")
MANUAL_IDS.cite("ruling.struggle-cards", "ruling.majority", "ruling.controlled-region")


def _build_manual(readings: Mapping[str, str]) -> Struggle:
    return evolve(
        _build_first_edition({**AS_FIRST, **readings}),
        code="manual",
        ids=MANUAL_IDS,
        setup=evolve(SETUP, redraw={2: 1, 3: 2, 4: 2}),
        cards={card.name: card for card in CARDS},
        coronation=make_control(MANUAL_IDS),
        invasion=make_invasion(MANUAL_IDS),
        summons=SUMMONS,
        rotating=True,
        last_card=None,
        readings=dict(readings),
    )


MANUAL = make_ruleset(
    code="manual",
    version=1,
    title="The King is Dead, reference manual",
    page="editions/manual.md",
    source="a reference manual by an unknown author, loosely based on the first edition",
    rule_prefix="manual",
    confidence="it contradicts itself in places and leaves much out; the first edition fills the gaps",
    switches=("first.ruling.open-hands",),
    build=_build_manual,
)


MORDRED_BOARD = Board.parse(f"{FACTIONS}, M Mordred", REGIONS, BORDERS, HOMES, TERMS, apart={"M": "mordred.apart"})

CALEDONIA, DIN_EIDYN, EBORACUM, DEVA, RATAE, CAERLEON, LONDINIUM, AQUAE_SULIS = range(8)

ARRIVALS = Arrivals(
    faction=3,
    number=9,
    waiting=(DIN_EIDYN, AQUAE_SULIS),
    target=tuple(
        AQUAE_SULIS if resolved in {CALEDONIA, DIN_EIDYN, RATAE, DEVA} else DIN_EIDYN
        for resolved in range(len(MORDRED_BOARD.regions))
    ),
)

IDS.cite("mordred", "mordred.followers", "mordred.switched", "mordred.struggle")


def _build_mordred(readings: Mapping[str, str]) -> Struggle:
    return evolve(
        _build_first_edition(readings),
        code="first-edition-mordred",
        board=MORDRED_BOARD,
        setup=evolve(SETUP, arrivals=ARRIVALS),
        cards=_make_first_edition_cards(MORDRED_BOARD, readings),
        summons=make_summoning(MORDRED_BOARD, IDS),
        usurpation=make_usurpation(IDS, readings, "mordred"),
    )


FIRST_EDITION_MORDRED = evolve(
    FIRST_EDITION,
    code="first-edition-mordred",
    title="The King is Dead, first edition: the Mordred variant",
    page="editions/mordred.md",
    source="rules of the first edition, 2015, and the publisher's page of the variant",
    switches=(*FIRST_EDITION.switches, "first.ruling.mordred-court"),
    confidence="as the first edition; the variant is known from facts of the publisher's page, not from its text",
    build=_build_mordred,
)
