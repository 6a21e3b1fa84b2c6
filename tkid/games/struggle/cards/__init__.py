"""Action cards: one file for each kind, each a ladder of shapes with the rules it cites."""

from tkid.games.struggle.cards.assemble import assemble
from tkid.games.struggle.cards.card import Card, Press
from tkid.games.struggle.cards.negotiate import negotiate
from tkid.games.struggle.cards.support import support
from tkid.games.struggle.cards.swap import swap

__all__ = ["Card", "Press", "assemble", "negotiate", "support", "swap"]
