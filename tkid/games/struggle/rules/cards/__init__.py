"""Action cards: one file for each kind, each a ladder of shapes with the rules it cites."""

from tkid.games.struggle.rules.cards.ambush import ambush
from tkid.games.struggle.rules.cards.assemble import assemble
from tkid.games.struggle.rules.cards.card import Card, CardFactory
from tkid.games.struggle.rules.cards.court import court_swap
from tkid.games.struggle.rules.cards.landing import landing_move, landing_swap
from tkid.games.struggle.rules.cards.march import march
from tkid.games.struggle.rules.cards.negotiate import negotiate
from tkid.games.struggle.rules.cards.placing import aid, conquest, faction_card, resist, support
from tkid.games.struggle.rules.cards.plot import plot
from tkid.games.struggle.rules.cards.renewal import quell, suppress
from tkid.games.struggle.rules.cards.spy import spy
from tkid.games.struggle.rules.cards.swap import colour_swap, swap, swap_in_tiers
from tkid.games.struggle.rules.cards.vain import vain

__all__ = [
    "Card",
    "CardFactory",
    "aid",
    "ambush",
    "assemble",
    "colour_swap",
    "conquest",
    "court_swap",
    "faction_card",
    "landing_move",
    "landing_swap",
    "march",
    "negotiate",
    "plot",
    "quell",
    "resist",
    "spy",
    "support",
    "suppress",
    "swap",
    "swap_in_tiers",
    "vain",
]
