"""The naive oracle of the cards: try everything conceivable, keep what is legal.

Nothing here is clever. For each card every conceivable resolution is written down,
each is tried step by step on copies of the pieces, and those that went furthest are
kept: an action is carried out in full where that is possible anywhere, else as far as
it can be anywhere, else it does nothing.
"""

from collections.abc import Mapping
from types import MappingProxyType

from tests.oracle import basic, cunning
from tests.oracle.pieces import NAMES, SINGLES, Attempts, Borders, Followers, Position, fullest

SUPPORTS = {"Scottish Support": "S", "Welsh Support": "W", "English Support": "E"}
NO_READINGS: Mapping[str, str] = MappingProxyType({})


def resolutions(
    position: Position,
    card: str,
    borders: Borders,
    homes: Mapping[str, str],
    readings: Mapping[str, str] = NO_READINGS,
) -> set[str]:
    """Every legal resolution of a card for the seat to act, without the card's name.

    `borders` gives the codes of a region's neighbours, `homes` a faction's home,
    `readings` the option chosen for a ruling's id where it is not the default. Plot is
    never played and has none. ValueError where the second edition has no such card.
    """
    if card == "Plot":
        return set()
    if card == "Spy":
        return _spy(position, borders, homes, readings)
    return fullest(_attempts(position, card, borders, homes, readings))


def summons(position: Position) -> set[str]:
    """Every follower that may be summoned, as 'W Gwynedd'; empty if there is none."""
    # Any one follower that stands in any region, whether the action touched that region
    # or not; never one from the supply. Equal followers of a region are alike.
    found = set()
    for code, region in position["regions"].items():
        for faction in SINGLES:
            if region["followers"].get(faction, 0) > 0:
                found.add(f"{faction} {NAMES[code]}")
    return found


def struggle(followers: Followers) -> str:
    """Who wins the region in a power struggle: a faction's letter or 'unstable'."""
    # The faction with the most followers there takes control; when the most is shared,
    # or nobody is there at all, the region turns unstable.
    for faction in SINGLES:
        mine = followers.get(faction, 0)
        others = [followers.get(other, 0) for other in SINGLES if other != faction]
        if mine > others[0] and mine > others[1]:
            return faction
    return "unstable"


def _attempts(
    position: Position,
    card: str,
    borders: Borders,
    homes: Mapping[str, str],
    readings: Mapping[str, str],
) -> Attempts:
    """Everything that a card could conceivably do, and how fully."""
    if card in SUPPORTS:
        faction = SUPPORTS[card]
        return basic.support(position, faction, borders, homes[faction])
    # The second follower that Suppress returns: anybody, or an Englishman again.
    english = readings.get("second.ruling.suppress-second") == "english"
    tries = {
        "Assemble": lambda: basic.assemble(position),
        "Negotiate": lambda: basic.negotiate(position),
        "Manoeuvre": lambda: basic.manoeuvre(position),
        "Outmanoeuvre": lambda: basic.outmanoeuvre(position, borders),
        "Ambush": lambda: cunning.ambush(position),
        "March": lambda: cunning.march(position, borders),
        "Aid": lambda: cunning.aid(position),
        "Influence": lambda: cunning.influence(position),
        "Dispute": lambda: cunning.dispute(position),
        "Edict": lambda: cunning.edict(position, borders),
        "Resist": lambda: cunning.resist(position, borders, homes["S"]),
        "Quell": lambda: cunning.quell(position, "W", borders, homes["W"]),
        "Muster": lambda: cunning.quell(position, "S", borders, homes["S"]),
        "Suppress": lambda: cunning.suppress(position, borders, homes["E"], "E" if english else "SWE"),
    }
    if card not in tries:
        message = f"not a card of the second edition: {card}"
        raise ValueError(message)
    return tries[card]()


def _spy(
    position: Position,
    borders: Borders,
    homes: Mapping[str, str],
    readings: Mapping[str, str],
) -> set[str]:
    """Resolve the top card of another player's pile, as if it were one's own."""
    # What each pile would let one do, partners' piles too.
    copies = {}
    for seat, discards in enumerate(position["discards"]):
        if seat == position["to_act"] or not discards:
            continue
        card = discards[-1]  # The oldest lies at the bottom.
        # A Spy cannot copy a Spy, and Plot lies on no pile.
        if card in {"Spy", "Plot"}:
            continue
        copies[seat, card] = resolutions(position, card, borders, homes, readings)
    # One reading asks for a card that does something, if there is one.
    if readings.get("second.ruling.spy-pile") == "resolvable":
        working = {chosen: texts for chosen, texts in copies.items() if texts != {"nothing"}}
        copies = working or copies
    found = set()
    for (seat, card), texts in copies.items():
        for text in texts:
            # At the table seats are counted from one.
            found.add(f"{seat + 1}: {card} {text}")
    return found or {"nothing"}
