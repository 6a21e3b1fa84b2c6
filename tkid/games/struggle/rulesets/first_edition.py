"""The first edition, stated in full (rules of 2015; map, cards and readings: `first.ruling.*`)."""

from __future__ import annotations

from collections.abc import Mapping

from tkid.games.struggle.rules.board import Board, Terms
from tkid.games.struggle.rules.cards.assemble import assemble
from tkid.games.struggle.rules.cards.card import Card, CardFactory
from tkid.games.struggle.rules.cards.negotiate import negotiate
from tkid.games.struggle.rules.cards.placing import support
from tkid.games.struggle.rules.cards.swap import Undo, swap
from tkid.games.struggle.rules.endings.chains import control, invasion
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.setup import Hands, Setup
from tkid.games.struggle.rules.turns.last_card import LastCard
from tkid.rulebook import Ids, choose
from tkid.rulebook.rulesets import Ruleset

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
    falls="falls to the Saxons",
    fell="fell to the Saxons",
    takers=("Saxons", "invaders"),
    invaders="the Saxons",
)
BOARD = Board.of(FACTIONS, REGIONS, BORDERS, HOMES, TERMS)

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


def cards(board: Board, readings: Mapping[str, str]) -> Mapping[str, Card]:
    """The cards on a board, by name."""
    factory, undo = CardFactory(board, IDS), choose(readings, IDS("ruling.undo"), UNDO)
    made = (
        *(support(factory, faction.name, index) for index, faction in enumerate(board.factions) if not faction.apart),
        assemble(factory, "Settlement", "card.settlement"),
        negotiate(factory, "Crown", "card.crown"),
        swap(factory, "Ambassador", "card.ambassador", ONE_FOR_ONE, border=False, undo=undo),
        swap(factory, "Garrison", "card.garrison", TWO_FOR_ONE, border=True, undo=undo),
    )
    return {card.name: card for card in made}


HANDS = Hands(
    same=("Scots", "Welsh", "Romano-British", "Settlement", "Settlement", "Crown", "Ambassador", "Garrison"),
    rule="setup.hands",
)


def build(readings: Mapping[str, str]) -> Struggle:
    """The game under these readings of its rulings."""
    return Struggle(
        code="first-edition",
        ids=IDS,
        board=BOARD,
        setup=SETUP,
        hands=HANDS,
        cards=cards(BOARD, readings),
        absent={},
        parties=PARTIES,
        invaders=4,
        coronation=control(IDS),
        invasion=invasion(IDS),
        readings=dict(readings),
        last_card=LastCard(players=3, rule="turn.last-card"),
        own_pile=False,
        covered=choose(readings, IDS("ruling.open-hands"), {"open": False, "hidden": True}),
    )


FIRST_EDITION = Ruleset(
    code="first-edition",
    version=1,
    title="The King is Dead, first edition",
    page="editions/first-edition.md",
    source="rules of the first edition, 2015",
    rule_prefix="first",
    game_name="struggle",
    confidence="rules complete; the borders are inferred, and what the cards do is likely but not printed in the source",
    switches=("first.ruling.undo", "first.ruling.open-hands"),
    build=build,
)
