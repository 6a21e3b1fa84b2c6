"""The naive oracles of The King is Dead by ruleset, for positions in JSON."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from tests.oracle import cards, dealing, digest, endings, first, first_dealing, first_endings, first_last_card, manual
from tests.oracle.pieces import Borders, Followers, Position
from tests.oracle.setting import BORDERS, HOMES

Readings = Mapping[str, str]
SEED = bytes(32)


@frozen
class Oracle:
    """What a ruleset's oracle answers.

    `resolutions` of a card under readings, `summons` after a card, `taken` without one; who wins a `struggle`; the
    `result` of a finished game under readings; factions by `power`; a `deal` for a number of players.
    """

    borders: Borders
    resolutions: Callable[[Position, str, Readings], set[str]]
    summons: Callable[[Position], set[str]]
    struggle: Callable[[Followers], str]
    result: Callable[[Any, Readings], Any]
    power: Callable[[list[str]], list[str]]
    deal: Callable[[int], dict[str, Any]]
    taken: Callable[[Position], set[str]] = lambda _: set()


SECOND = Oracle(
    borders=BORDERS,
    resolutions=lambda position, card, readings: cards.resolutions(position, card, BORDERS, HOMES, readings),
    summons=cards.summons,
    struggle=cards.struggle,
    result=endings.result,
    power=endings.ranking,
    deal=lambda players: dealing.deal(SEED, players, advanced=True),
)
DIGEST = Oracle(
    borders=BORDERS,
    resolutions=lambda position, card, readings: digest.resolutions(position, card, BORDERS, HOMES, readings),
    summons=cards.summons,
    struggle=cards.struggle,
    result=digest.result,
    power=endings.ranking,
    deal=SECOND.deal,
)
FIRST = Oracle(
    borders=manual.BORDERS,
    resolutions=first_last_card.resolutions,
    summons=first_last_card.summons,
    struggle=first.struggle,
    result=first_endings.result,
    power=first_endings.power,
    deal=lambda players: first_dealing.deal(SEED, players),
)
MORDRED = Oracle(
    borders=FIRST.borders,
    resolutions=FIRST.resolutions,
    summons=FIRST.summons,
    struggle=FIRST.struggle,
    result=FIRST.result,
    power=FIRST.power,
    deal=lambda players: first_dealing.deal(SEED, players, mordred=True),
)
MANUAL = Oracle(
    borders=FIRST.borders,
    resolutions=lambda position, card, _: manual.resolutions(position, card),
    summons=manual.after_card,
    struggle=FIRST.struggle,
    result=FIRST.result,
    power=FIRST.power,
    deal=FIRST.deal,
    taken=manual.followers,
)
ORACLES: Mapping[str, Oracle] = {
    "second-edition": SECOND,
    "second-edition-advanced": SECOND,
    "digest": DIGEST,
    "digest-advanced": DIGEST,
    "first-edition": FIRST,
    "first-edition-mordred": MORDRED,
    "manual": MANUAL,
}
"""Those of The King is Dead; Claim's is another game's."""
