"""The second edition's basic game, stated in full (rulebook of 2020; map and readings: `second.ruling.*`)."""

from __future__ import annotations

from collections.abc import Mapping

from tkid.games.struggle.board import Board
from tkid.games.struggle.cards import Press, assemble, negotiate, support, swap
from tkid.games.struggle.endings import coronation, invasion
from tkid.games.struggle.game import Struggle
from tkid.games.struggle.setup import Setup
from tkid.rulebook import Ids

IDS = Ids("second")

BOARD = Board.of(
    factions="S Scottish, W Welsh, E English",
    regions=(
        "Moray MOR, Strathclyde STR, Lancaster LAN, Northumbria NOR, Gwynedd GWY, Warwick WAR, Essex ESS, Devon DEV"
    ),
    borders=("MOR-STR STR-LAN STR-NOR LAN-NOR LAN-GWY LAN-WAR NOR-WAR NOR-ESS GWY-WAR GWY-DEV WAR-ESS WAR-DEV ESS-DEV"),
    homes="S MOR, W GWY, E ESS",
)

IDS.cite("board.factions", "board.regions", "board.homes", "ruling.borders")

SETUP = Setup(followers={2: 16, 3: 18, 4: 18}, home=2, region=4, court=2, negotiation_discs=1)

PARTIES = {2: ((0,), (1,)), 3: ((0,), (1,), (2,)), 4: ((0, 2), (1, 3))}

IDS.cite("board.players", "ruling.team-order")

_PRESS = Press(BOARD, IDS)

CARDS = (
    support(_PRESS, "Scottish Support", faction=0),
    support(_PRESS, "Welsh Support", faction=1),
    support(_PRESS, "English Support", faction=2),
    assemble(_PRESS, "Assemble"),
    negotiate(_PRESS, "Negotiate"),
    swap(_PRESS, "Manoeuvre", "card.manoeuvre", ((1, 1),), border=False),
    swap(_PRESS, "Outmanoeuvre", "card.outmanoeuvre", ((1, 2), (1, 1)), border=True),
)

HAND = tuple(card.name for card in CARDS for _ in range(2 if card.name == "Assemble" else 1))


def build(readings: Mapping[str, str]) -> Struggle:
    """The game under these readings of its rulings."""
    return Struggle(
        code="second-edition",
        ids=IDS,
        board=BOARD,
        setup=SETUP,
        hand=HAND,
        cards={card.name: card for card in CARDS},
        parties=PARTIES,
        invaders=3,
        coronation=coronation(IDS, readings),
        invasion=invasion(IDS),
        open_hands=True,
        readings=dict(readings),
    )
