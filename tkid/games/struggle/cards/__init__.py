"""Action cards: one file for each kind, each a ladder of shapes with the rules it cites."""

from tkid.games.struggle.cards.ambush import ambush
from tkid.games.struggle.cards.assemble import assemble
from tkid.games.struggle.cards.card import Card, Press
from tkid.games.struggle.cards.court import court_swap
from tkid.games.struggle.cards.landing import landing_move, landing_swap
from tkid.games.struggle.cards.march import march
from tkid.games.struggle.cards.negotiate import negotiate
from tkid.games.struggle.cards.placing import aid, conquest, faction_card, resist, support
from tkid.games.struggle.cards.plot import plot
from tkid.games.struggle.cards.renewal import quell, suppress
from tkid.games.struggle.cards.spy import spy
from tkid.games.struggle.cards.swap import colour_swap, swap, swap_in_tiers
from tkid.games.struggle.cards.vain import vain

__all__ = [
    "Card",
    "Press",
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
