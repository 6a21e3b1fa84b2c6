"""The digest, basic and advanced: the second edition with other card names and seven more cards."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from tkid.games.struggle.rules import placing_cards
from tkid.games.struggle.rules.card import Card, CardFactory, make_plot_card, make_vain_card
from tkid.games.struggle.rules.endings import make_coronation, make_invasion, make_lost_invasion
from tkid.games.struggle.rules.facts import make_ruleset
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moving_cards import make_court_swap_card, make_faction_swap_card
from tkid.games.struggle.rules.setup import Hands
from tkid.games.struggle.rulesets import second_edition
from tkid.games.struggle.rulesets.second_edition import BOARD, CUNNING, ENGLISH, SCOTTISH, WELSH
from tkid.rulebook import Ids, choose_reading

IDS = Ids("digest")

IDS.cite("names", "ruling.as-second", "ruling.assassination", "ruling.top-three", "ruling.region-card")

NAMES = {
    "Scottish Support": "Scottish Forces", "Welsh Support": "Welsh Forces", "English Support": "English Forces",
    "Assemble": "Assembly", "Negotiate": "Negotiation", "Manoeuvre": "Maneuver", "Outmanoeuvre": "Defeat",
    "Spy": "Spy", "Ambush": "Surprise Attack", "March": "Military March", "Plot": "Assassination", "Aid": "Aid",
    "Influence": "Influence", "Dispute": "Clash", "Edict": "Decree", "Resist": "Opposition", "Quell": "Suppression",
    "Suppress": "Repression", "Muster": "Gathering",
}  # fmt: skip
EXTRA = ("Conquest", "Swift Strike", "Invasion", "Reinforcement", "Attack", "Command", "Betrayal")
"""The cards that no other source knows."""
SPECIAL = (*(NAMES[name] for name in CUNNING), *EXTRA)

_FACTORY = CardFactory(BOARD, IDS)
_CALLED = NAMES.__getitem__

SUPPORT_CARDS = second_edition.make_support_cards(_FACTORY, _CALLED)
COMMON_CARDS = second_edition.make_common_cards(_FACTORY, _CALLED)

REPRESSION = placing_cards.make_suppress_card(_FACTORY, "Repression", "card.suppress", ENGLISH, both=False, lone=False)
"""The card that differs from its namesake in every reading of the digest."""
IN_FULL = {"as-worded": (True, False), "in-full": (True, True), "as-far-as-possible": (False, False)}
"""By reading: whether Influence, and whether Suppression and Gathering, are done in full or have no effect."""


def make_ruled_cards(readings: Mapping[str, str]) -> tuple[Card, ...]:
    all_or_nothing, both_or_none = choose_reading(readings, IDS("ruling.no-effect"), IN_FULL)
    swaps = (((1, 2),),) if all_or_nothing else (((1, 2),), ((1, 1),))
    return (
        make_faction_swap_card(_FACTORY, "Influence", "card.influence", ENGLISH, swaps, border=False),
        placing_cards.make_quell_card(_FACTORY, "Suppression", "card.quell", WELSH, whole=both_or_none),
        placing_cards.make_quell_card(_FACTORY, "Gathering", "card.muster", SCOTTISH, whole=both_or_none),
    )


IDS.cite("ruling.lone-english", "ruling.same-faction")

ONE_FOR_TWO = dict.fromkeys((2, 1, 0), ((1, 2), (1, 1)))
ONE_FOR_ONE = dict.fromkeys((2, 1, 0), ((1, 1),))
THOSE_PLACED = {2: ((2, 2), (2, 1)), 1: ((1, 2), (1, 1)), 0: ()}

EXTRA_CARDS = (
    placing_cards.make_conquest_card(_FACTORY, "Conquest", "card.conquest", SCOTTISH),
    placing_cards.make_landing_swap_card(_FACTORY, "Swift Strike", "card.swift-strike", WELSH, ONE_FOR_TWO, own=True),
    placing_cards.make_landing_swap_card(_FACTORY, "Invasion", "card.invasion", ENGLISH, ONE_FOR_ONE, own=False),
    placing_cards.make_landing_swap_card(
        _FACTORY, "Reinforcement", "card.reinforcement", SCOTTISH, THOSE_PLACED, own=True, home_counts=False
    ),
    placing_cards.make_landing_move_card(_FACTORY, "Attack", "card.attack", WELSH),
    make_vain_card(_FACTORY, "Command", "card.command", "swap"),
    make_court_swap_card(_FACTORY, "Betrayal", "card.betrayal"),
)

IDS.cite(
    "ruling.swift-strike-swap",
    "ruling.invasion-swap",
    "ruling.reinforcement-swap",
    "ruling.attack-move",
    "ruling.command-empty",
)


def _build_digest(readings: Mapping[str, str]) -> Struggle:
    cards = (*SUPPORT_CARDS, *COMMON_CARDS)
    invasions = {"nobody": make_lost_invasion(IDS, "France wins, and no player does"), "sets": make_invasion(IDS)}
    return evolve(
        second_edition.build_second_edition(readings),
        code="digest",
        ids=IDS,
        hands=Hands(same=second_edition.list_hand_cards(cards), rule="setup.hands"),
        cards={card.name: card for card in cards},
        absent=dict.fromkeys(SPECIAL, "advanced.cunning"),
        invasion=choose_reading(readings, IDS("ruling.invasion"), invasions),
    )


def _build_digest_advanced(readings: Mapping[str, str]) -> Struggle:
    taken_over = (*COMMON_CARDS, *second_edition.make_cunning_cards(_FACTORY, _CALLED))
    copied = (*taken_over, *make_ruled_cards(readings), REPRESSION, *EXTRA_CARDS)
    spying = second_edition.make_edition_spy_card(_FACTORY, copied, readings)
    hands = Hands(same=second_edition.list_hand_cards(COMMON_CARDS), rule="advanced.hands", deck=SPECIAL, dealt=3)
    return evolve(
        _build_digest(readings),
        code="digest-advanced",
        hands=hands,
        cards=second_edition.index_by_name(
            (*copied, spying, make_plot_card(_FACTORY, "Assassination")), (*hands.same, *SPECIAL)
        ),
        absent={card.name: "advanced.hands" for card in SUPPORT_CARDS},
        coronation=make_coronation(IDS, readings, plot=True),
    )


DIGEST = make_ruleset(
    code="digest",
    version=2,
    title="The King is Dead, digest of the second edition: the basic game",
    page="editions/digest.md",
    source="a short account of the second edition with its own card names, by an unknown author",
    rule_prefix="digest",
    confidence="complete with the second edition, which fills the gaps",
    switches=(*second_edition.SECOND_EDITION.switches, "digest.ruling.invasion"),
    build=_build_digest,
    former={1: {"digest.ruling.invasion": "nobody"}},
)

DIGEST_ADVANCED = evolve(
    DIGEST,
    code="digest-advanced",
    title="The King is Dead, digest of the second edition: the advanced game",
    page="editions/digest.md#cards",
    confidence="complete with the second edition, which fills the gaps; seven of its cards are known from the digest only",
    switches=(*DIGEST.switches, "second.ruling.spy-pile", "second.ruling.plot-hand", "digest.ruling.no-effect"),
    build=_build_digest_advanced,
)
