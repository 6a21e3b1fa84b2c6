"""The second edition, basic and advanced: the rulebook of 2020, with our readings (`second.ruling.*`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from attrs import evolve

from tkid.games.struggle.rules import placing_cards
from tkid.games.struggle.rules.board import Board
from tkid.games.struggle.rules.card import Card, CardFactory, make_plot_card, make_spy_card
from tkid.games.struggle.rules.endings import make_coronation, make_invasion
from tkid.games.struggle.rules.facts import make_ruleset
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moving_cards import (
    make_faction_swap_card,
    make_march_card,
    make_negotiate_card,
    make_swap_card,
)
from tkid.games.struggle.rules.setup import Hands, Setup
from tkid.rulebook import Ids, choose_reading

IDS = Ids("second")

BOARD = Board.parse(
    factions="S Scottish Scots, W Welsh, E English",
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

_FACTORY = CardFactory(BOARD, IDS)

SCOTTISH, WELSH, ENGLISH = range(3)

Called = Callable[[str], str]
"""A function from a card's name in this edition to its name in the edition that takes it over."""

CUNNING = (
    "Spy", "Ambush", "March", "Plot", "Aid", "Influence", "Dispute", "Edict", "Resist", "Quell", "Suppress", "Muster",
)  # fmt: skip


def make_support_cards(factory: CardFactory, called: Called = str) -> tuple[Card, ...]:
    return (
        placing_cards.make_support_card(factory, called("Scottish Support"), SCOTTISH),
        placing_cards.make_support_card(factory, called("Welsh Support"), WELSH),
        placing_cards.make_support_card(factory, called("English Support"), ENGLISH),
    )


def make_common_cards(factory: CardFactory, called: Called = str) -> tuple[Card, ...]:
    return (
        placing_cards.make_assemble_card(factory, called("Assemble")),
        make_negotiate_card(factory, called("Negotiate")),
        make_swap_card(factory, called("Manoeuvre"), "card.manoeuvre", (((1, 1),),), border=False),
        make_swap_card(factory, called("Outmanoeuvre"), "card.outmanoeuvre", (((1, 2),), ((1, 1),)), border=True),
    )


def make_cunning_cards(factory: CardFactory, called: Called = str) -> tuple[Card, ...]:
    """Make the cunning cards that are played and copied, except Suppress, which has two readings."""
    edict_tiers = (((2, 2),), ((1, 2), (2, 1)), ((1, 1),))
    return (
        placing_cards.make_ambush_card(factory, called("Ambush"), SCOTTISH),
        make_march_card(factory, called("March")),
        placing_cards.make_aid_card(factory, called("Aid")),
        make_faction_swap_card(
            factory, called("Influence"), "card.influence", ENGLISH, (((1, 2),), ((1, 1),)), border=False
        ),
        make_faction_swap_card(factory, called("Dispute"), "card.dispute", WELSH, (((1, 1),),), border=False),
        make_faction_swap_card(factory, called("Edict"), "card.edict", SCOTTISH, edict_tiers, border=True),
        placing_cards.make_resist_card(factory, called("Resist"), SCOTTISH),
        placing_cards.make_quell_card(factory, called("Quell"), "card.quell", WELSH),
        placing_cards.make_quell_card(factory, called("Muster"), "card.muster", SCOTTISH),
    )


def make_edition_spy_card(factory: CardFactory, copied: Iterable[Card], readings: Mapping[str, str]) -> Card:
    effect_first = choose_reading(readings, factory.ids("ruling.spy-pile"), {"any": False, "resolvable": True})
    return make_spy_card(factory, "Spy", {card.name: card for card in copied}, effect_first=effect_first)


def index_by_name(cards: Iterable[Card], names: Iterable[str]) -> dict[str, Card]:
    named = {card.name: card for card in cards}
    return {name: named[name] for name in dict.fromkeys(names)}


def list_hand_cards(cards: Iterable[Card]) -> tuple[str, ...]:
    """List one of each card, and two of the one that brings one follower of each faction."""
    return tuple(card.name for card in cards for _ in range(2 if card.form == "spread" else 1))


def build_second_edition(readings: Mapping[str, str]) -> Struggle:
    cards = (*make_support_cards(_FACTORY), *make_common_cards(_FACTORY))
    return Struggle(
        code="second-edition",
        ids=IDS,
        board=BOARD,
        setup=SETUP,
        hands=Hands(same=list_hand_cards(cards), rule="setup.hands"),
        cards={card.name: card for card in cards},
        absent=dict.fromkeys(CUNNING, "advanced.cunning"),
        parties=PARTIES,
        invaders=3,
        coronation=make_coronation(IDS, readings),
        invasion=make_invasion(IDS),
        readings=dict(readings),
        covered=choose_reading(readings, IDS("ruling.open-hands"), {"open": False, "hidden": True}),
    )


def _build_second_edition_advanced(readings: Mapping[str, str]) -> Struggle:
    both_english = choose_reading(readings, IDS("ruling.suppress-second"), {"any": False, "english": True})
    suppressing = placing_cards.make_suppress_card(_FACTORY, "Suppress", "card.suppress", ENGLISH, both=both_english)
    common = make_common_cards(_FACTORY)
    copied = (*common, *make_cunning_cards(_FACTORY), suppressing)
    spying = make_edition_spy_card(_FACTORY, copied, readings)
    hands = Hands(same=list_hand_cards(common), rule="advanced.hands", deck=CUNNING, dealt=3)
    return evolve(
        build_second_edition(readings),
        code="second-edition-advanced",
        hands=hands,
        cards=index_by_name((*copied, spying, make_plot_card(_FACTORY, "Plot")), (*hands.same, *CUNNING)),
        absent={card.name: "advanced.hands" for card in make_support_cards(_FACTORY)},
        coronation=make_coronation(IDS, readings, plot=True),
    )


IDS.cite("advanced.secret")


SECOND_EDITION = make_ruleset(
    code="second-edition",
    version=1,
    title="The King is Dead, second edition: the basic game",
    page="ten-minutes.md",
    source="rulebook of the second edition, 2020",
    rule_prefix="second",
    confidence="complete; the borders are those on which five independent implementations agree",
    switches=("second.ruling.final-tie", "second.ruling.second-rank", "second.ruling.open-hands"),
    build=build_second_edition,
)

SECOND_EDITION_ADVANCED = evolve(
    SECOND_EDITION,
    code="second-edition-advanced",
    title="The King is Dead, second edition: the advanced game",
    page="chapters/advanced.md",
    switches=(
        *SECOND_EDITION.switches,
        "second.ruling.spy-pile",
        "second.ruling.suppress-second",
        "second.ruling.plot-hand",
    ),
    build=_build_second_edition_advanced,
)
