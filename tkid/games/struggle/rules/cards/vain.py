"""Cards that never have an effect, as what they ask for cannot be."""

from __future__ import annotations

from tkid.games.struggle.rules.cards.card import Card, CardFactory


def vain(factory: CardFactory, name: str, local: str, form: str) -> Card:
    """A ladder without any tier; `form` is that in which an effect would be written."""
    return factory.card(name, local, form, ())
