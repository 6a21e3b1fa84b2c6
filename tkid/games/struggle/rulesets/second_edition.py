"""The second edition, basic and advanced game, stated in full (rulebook of 2020; map and readings: `second.ruling.*`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from attrs import evolve

from tkid.games.struggle.rules.board import Board
from tkid.games.struggle.rules.card import Card, CardFactory, plot, spy
from tkid.games.struggle.rules.endings import coronation, invasion
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moving_cards import colour_swap, march, negotiate, swap
from tkid.games.struggle.rules.placing_cards import aid, ambush, assemble, quell, resist, support, suppress
from tkid.games.struggle.rules.setup import Hands, Setup
from tkid.rulebook import Ids, choose_reading
from tkid.rulebook.rulesets import Ruleset

IDS = Ids("second")

BOARD = Board.of(
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


def support_cards(factory: CardFactory, called: Called = str) -> tuple[Card, ...]:
    """Make the cards of the basic game alone."""
    return (
        support(factory, called("Scottish Support"), SCOTTISH),
        support(factory, called("Welsh Support"), WELSH),
        support(factory, called("English Support"), ENGLISH),
    )


def common_cards(factory: CardFactory, called: Called = str) -> tuple[Card, ...]:
    """Make the cards of both games, Assemble first."""
    return (
        assemble(factory, called("Assemble")),
        negotiate(factory, called("Negotiate")),
        swap(factory, called("Manoeuvre"), "card.manoeuvre", (((1, 1),),), border=False),
        swap(factory, called("Outmanoeuvre"), "card.outmanoeuvre", (((1, 2),), ((1, 1),)), border=True),
    )


def cunning_cards(factory: CardFactory, called: Called = str) -> tuple[Card, ...]:
    """Make the cunning cards that are played and copied, except Suppress, which has two readings."""
    edict_tiers = (((2, 2),), ((1, 2), (2, 1)), ((1, 1),))
    return (
        ambush(factory, called("Ambush"), SCOTTISH),
        march(factory, called("March")),
        aid(factory, called("Aid")),
        colour_swap(factory, called("Influence"), "card.influence", ENGLISH, (((1, 2),), ((1, 1),)), border=False),
        colour_swap(factory, called("Dispute"), "card.dispute", WELSH, (((1, 1),),), border=False),
        colour_swap(factory, called("Edict"), "card.edict", SCOTTISH, edict_tiers, border=True),
        resist(factory, called("Resist"), SCOTTISH),
        quell(factory, called("Quell"), "card.quell", WELSH),
        quell(factory, called("Muster"), "card.muster", SCOTTISH),
    )


def spy_card(factory: CardFactory, copied: Iterable[Card], readings: Mapping[str, str]) -> Card:
    """Make Spy, which copies one of these cards."""
    effect_first = choose_reading(readings, factory.ids("ruling.spy-pile"), {"any": False, "resolvable": True})
    return spy(factory, "Spy", {card.name: card for card in copied}, effect_first=effect_first)


def by_name(cards: Iterable[Card], names: Iterable[str]) -> dict[str, Card]:
    """Return the cards of these names in their order."""
    named = {card.name: card for card in cards}
    return {name: named[name] for name in dict.fromkeys(names)}


def hand(cards: Iterable[Card]) -> tuple[str, ...]:
    """List one of each card, and two of the one that brings one follower of each faction."""
    return tuple(card.name for card in cards for _ in range(2 if card.form == "spread" else 1))


def build(readings: Mapping[str, str]) -> Struggle:
    """Build the basic game under these readings of its rulings."""
    cards = (*support_cards(_FACTORY), *common_cards(_FACTORY))
    return Struggle(
        code="second-edition",
        ids=IDS,
        board=BOARD,
        setup=SETUP,
        hands=Hands(same=hand(cards), rule="setup.hands"),
        cards={card.name: card for card in cards},
        absent=dict.fromkeys(CUNNING, "advanced.cunning"),
        parties=PARTIES,
        invaders=3,
        coronation=coronation(IDS, readings),
        invasion=invasion(IDS),
        readings=dict(readings),
        covered=choose_reading(readings, IDS("ruling.open-hands"), {"open": False, "hidden": True}),
    )


def build_advanced(readings: Mapping[str, str]) -> Struggle:
    """Build the advanced game under these readings of its rulings: other cards, and Plot."""
    both_english = choose_reading(readings, IDS("ruling.suppress-second"), {"any": False, "english": True})
    suppressing = suppress(_FACTORY, "Suppress", "card.suppress", ENGLISH, both=both_english)
    common = common_cards(_FACTORY)
    copied = (*common, *cunning_cards(_FACTORY), suppressing)
    spying = spy_card(_FACTORY, copied, readings)
    hands = Hands(same=hand(common), rule="advanced.hands", deck=CUNNING, dealt=3)
    return evolve(
        build(readings),
        code="second-edition-advanced",
        hands=hands,
        cards=by_name((*copied, spying, plot(_FACTORY, "Plot")), (*hands.same, *CUNNING)),
        absent={card.name: "advanced.hands" for card in support_cards(_FACTORY)},
        coronation=coronation(IDS, readings, plot=True),
    )


IDS.cite("advanced.secret")


SECOND_EDITION = Ruleset(
    code="second-edition",
    version=1,
    title="The King is Dead, second edition: the basic game",
    page="ten-minutes.md",
    source="rulebook of the second edition, 2020",
    rule_prefix="second",
    game_name="struggle",
    confidence="complete; the borders are those on which five independent implementations agree",
    switches=("second.ruling.final-tie", "second.ruling.second-rank", "second.ruling.open-hands"),
    build=build,
)

SECOND_EDITION_ADVANCED = evolve(
    SECOND_EDITION,
    code="second-edition-advanced",
    version=1,
    title="The King is Dead, second edition: the advanced game",
    page="chapters/advanced.md",
    switches=(
        *SECOND_EDITION.switches,
        "second.ruling.spy-pile",
        "second.ruling.suppress-second",
        "second.ruling.plot-hand",
    ),
    build=build_advanced,
)
