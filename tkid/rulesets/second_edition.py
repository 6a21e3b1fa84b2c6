"""The second edition, basic and advanced game, stated in full (rulebook of 2020; map and readings: `second.ruling.*`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tkid.games.struggle.board import Board
from tkid.games.struggle.cards import (
    Card,
    Press,
    aid,
    ambush,
    assemble,
    colour_swap,
    march,
    negotiate,
    plot,
    quell,
    resist,
    spy,
    support,
    suppress,
    swap,
)
from tkid.games.struggle.endings import Ending, coronation, invasion
from tkid.games.struggle.game import Struggle
from tkid.games.struggle.setup import Hands, Setup
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

SCOTTISH, WELSH, ENGLISH = range(3)

SUPPORT_CARDS = (
    support(_PRESS, "Scottish Support", SCOTTISH),
    support(_PRESS, "Welsh Support", WELSH),
    support(_PRESS, "English Support", ENGLISH),
)
COMMON_CARDS = (
    assemble(_PRESS, "Assemble"),
    negotiate(_PRESS, "Negotiate"),
    swap(_PRESS, "Manoeuvre", "card.manoeuvre", ((1, 1),), border=False),
    swap(_PRESS, "Outmanoeuvre", "card.outmanoeuvre", ((1, 2), (1, 1)), border=True),
)
CUNNING = (
    "Spy",
    "Ambush",
    "March",
    "Plot",
    "Aid",
    "Influence",
    "Dispute",
    "Edict",
    "Resist",
    "Quell",
    "Suppress",
    "Muster",
)


def _hand(cards: Iterable[Card]) -> tuple[str, ...]:
    """One of each card, and Assemble twice."""
    return tuple(card.name for card in cards for _ in range(2 if card.name == "Assemble" else 1))


BASIC_HANDS = Hands(same=_hand((*SUPPORT_CARDS, *COMMON_CARDS)), rule="setup.hands")
ADVANCED_HANDS = Hands(same=_hand(COMMON_CARDS), rule="advanced.hands", deck=CUNNING, dealt=3)

IDS.cite("advanced.secret")


def build(readings: Mapping[str, str]) -> Struggle:
    """The basic game under these readings of its rulings."""
    cards = {card.name: card for card in (*SUPPORT_CARDS, *COMMON_CARDS)}
    absent = dict.fromkeys(CUNNING, "advanced.cunning")
    return _struggle("second-edition", BASIC_HANDS, cards, absent, readings, coronation(IDS, readings))


def build_advanced(readings: Mapping[str, str]) -> Struggle:
    """The advanced game under these readings of its rulings."""
    both_english = readings[IDS("ruling.suppress-second")] == "english"
    copied = (
        *COMMON_CARDS,
        ambush(_PRESS, "Ambush", SCOTTISH),
        march(_PRESS, "March"),
        aid(_PRESS, "Aid"),
        colour_swap(_PRESS, "Influence", "card.influence", ENGLISH, (((1, 2),), ((1, 1),)), border=False),
        colour_swap(_PRESS, "Dispute", "card.dispute", WELSH, (((1, 1),),), border=False),
        colour_swap(_PRESS, "Edict", "card.edict", SCOTTISH, (((2, 2),), ((1, 2), (2, 1)), ((1, 1),)), border=True),
        resist(_PRESS, "Resist", SCOTTISH),
        quell(_PRESS, "Quell", "card.quell", WELSH),
        suppress(_PRESS, "Suppress", "card.suppress", ENGLISH, both=both_english),
        quell(_PRESS, "Muster", "card.muster", SCOTTISH),
    )
    by_name = {card.name: card for card in copied}
    never_copied = (spy(_PRESS, "Spy", by_name, readings[IDS("ruling.spy-pile")]), plot(_PRESS, "Plot"))
    every = by_name | {card.name: card for card in never_copied}
    cards = {name: every[name] for name in dict.fromkeys((*ADVANCED_HANDS.same, *CUNNING))}
    absent = {card.name: "advanced.hands" for card in SUPPORT_CARDS}
    ending = coronation(IDS, readings, plot=True)
    return _struggle("second-edition-advanced", ADVANCED_HANDS, cards, absent, readings, ending)


def _struggle(  # noqa: PLR0917 - in the order of the value's attributes
    code: str,
    hands: Hands,
    cards: Mapping[str, Card],
    absent: Mapping[str, str],
    readings: Mapping[str, str],
    crowning: Ending,
) -> Struggle:
    """What both games have in common, with what they have not."""
    return Struggle(
        code=code,
        ids=IDS,
        board=BOARD,
        setup=SETUP,
        hands=hands,
        cards=cards,
        absent=absent,
        parties=PARTIES,
        invaders=3,
        coronation=crowning,
        invasion=invasion(IDS),
        readings=dict(readings),
    )
