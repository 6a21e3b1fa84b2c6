"""The reference manual: the first edition, and where it differs (readings: `manual.ruling.*`)."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from tkid.games.struggle.rules.cards.assemble import assemble
from tkid.games.struggle.rules.cards.card import CardFactory
from tkid.games.struggle.rules.cards.negotiate import negotiate
from tkid.games.struggle.rules.cards.placing import faction_card
from tkid.games.struggle.rules.cards.swap import swap
from tkid.games.struggle.rules.endings.chains import control, invasion
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.turns.summoning import summoning
from tkid.games.struggle.rulesets import first_edition
from tkid.games.struggle.rulesets.first_edition import BOARD, SETUP
from tkid.rulebook import Ids
from tkid.rulebook.rulesets import Ruleset

IDS = Ids("manual")

_FACTORY = CardFactory(BOARD, IDS)

CARDS = (
    *(faction_card(_FACTORY, faction.name, index) for index, faction in enumerate(BOARD.factions)),
    assemble(_FACTORY, "Settlement", "card.settlement"),
    negotiate(_FACTORY, "Crown", "card.crown"),
    swap(_FACTORY, "Ambassador", "card.ambassador", (((1, 1),),), border=False, undo="by nobody"),
    swap(_FACTORY, "Garrison", "card.garrison", (((2, 1),), ((1, 1),)), border=True, undo="by nobody"),
)

SUMMONS = summoning(BOARD, IDS, due="summon.may", optional="summon.nobody", alone="turn.take")

AS_FIRST = {"first.ruling.undo": "none"}
"""How the first edition is read where it is taken over; the manual has a rule of its own on reversals."""

IDS.cite("ruling.take", "ruling.partial-swap", "ruling.undo", "ruling.in-vain", "ruling.cards", "ruling.last-card")
IDS.cite("ruling.as-first", "ruling.colours", "ruling.face-down", "ruling.one-region", "ruling.up-to-four")
IDS.cite("ruling.struggle-cards", "ruling.majority", "ruling.controlled-region")


def build(readings: Mapping[str, str]) -> Struggle:
    """The game under these readings of its rulings."""
    return evolve(
        first_edition.build({**AS_FIRST, **readings}),
        code="manual",
        ids=IDS,
        setup=evolve(SETUP, redraw={2: 1, 3: 2, 4: 2}),
        cards={card.name: card for card in CARDS},
        coronation=control(IDS),
        invasion=invasion(IDS),
        summons=SUMMONS,
        rotating=True,
        last_card=None,
        readings=dict(readings),
    )


MANUAL = Ruleset(
    code="manual",
    version=1,
    title="The King is Dead, reference manual",
    page="editions/manual.md",
    source="a reference manual by an unknown author, loosely based on the first edition",
    rule_prefix="manual",
    game_name="struggle",
    confidence="it contradicts itself in places and leaves much out; the first edition fills the gaps",
    switches=("first.ruling.open-hands",),
    build=build,
)
