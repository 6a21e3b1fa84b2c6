"""A turn as a text says it, in the notation, legal or not: so that the engine can say what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tkid.games.struggle.notation.free.facts import Facts, Item
from tkid.games.struggle.rules.board import Board
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.transfers import COURT


def literal(game: Struggle, card: str, facts: Facts) -> str:
    """The action of some facts as a line of notation; "" where they do not have the form of the card."""
    write = FORMS.get(game.cards[card].form)
    written = write(game.board, facts) if write else ""
    return f"{card} {written}" if written else ""


def _whole(facts: Facts) -> list[Item]:
    """The items with followers and a region."""
    return [item for item in facts.items if item.group is not None and item.place is not None]


def _pair(board: Board, item: Item) -> str:
    assert item.group is not None
    assert item.place is not None
    return board.group(item.group) if item.place == COURT else f"{board.group(item.group)} {board.name(item.place)}"


def _places(facts: Facts) -> list[int]:
    """The regions of the items in their order, each once."""
    return list(dict.fromkeys(item.place for item in facts.items if item.place is not None and item.place != COURT))


def _pairs(*counts: int, between: str = ", ") -> Callable[[Board, Facts], str]:
    """Writes so many groups with their regions."""

    def write(board: Board, facts: Facts) -> str:
        items = _whole(facts)
        if len(items) != len(facts.items) or len(items) not in counts:
            return ""
        return between.join(_pair(board, item) for item in items)

    return write


def _spread(board: Board, facts: Facts) -> str:
    items = _whole(facts)
    if len(items) != len(facts.items) or any(n > 1 for item in items for n in item.group or ()):
        return ""
    return ", ".join(
        f"{board.factions[faction].letter} {board.name(item.place or 0)}"
        for item in items
        for faction, n in enumerate(item.group or ())
        if n
    )


def _exchange(board: Board, facts: Facts) -> str:
    places = _places(facts)
    if len(places) != 2:
        return ""
    disc = "no disc" if facts.discless else f"disc {board.name(places[0] if facts.disc is None else facts.disc)}"
    return f"{board.name(places[0])} <> {board.name(places[1])}, {disc}"


def _shift(board: Board, facts: Facts) -> str:
    groups = [item for item in facts.items if item.group is not None]
    places = {item.way: item.place for item in facts.items if item.way and item.place is not None}
    every = _places(facts)
    if len(groups) != 1 or len(every) != 2 or COURT in every:
        return ""
    origin = places.get("from", next((place for place in every if place != places.get("to")), every[0]))
    target = next(place for place in every if place != origin)
    assert groups[0].group is not None
    return f"{board.group(groups[0].group)} {board.name(origin or 0)} > {board.name(target)}"


def _landed(board: Board, facts: Facts) -> str:
    places = _places(facts)
    parts = [f"{item.verb} {board.group(item.group)}" for item in facts.items if item.group is not None]
    fits = len(places) == 1 and parts and all(item.verb in {"place", "return"} for item in facts.items if item.group)
    return f"{board.name(places[0])} {' '.join(parts)}" if fits else ""


FORMS: Mapping[str, Callable[[Board, Facts], str]] = {
    "place": _pairs(1),
    "apart": _pairs(1, 2),
    "spread": _spread,
    "exchange": _exchange,
    "swap": _pairs(2, between=" <> "),
    "court_swap": _pairs(2, between=" <> "),
    "shift": _shift,
    "place_return": _landed,
    "return_place": _landed,
}
"""How the facts of a form are written."""


def named_by(game: Struggle, card: str, facts: Facts, word: str) -> Sequence[tuple[int, int]]:
    """Where a text says what a word of the notation says: a card, a region, followers."""
    if word.startswith(card):
        return [(mention.start, mention.end) for mention in facts.cards]
    said = [mention for item in facts.items for mention in item.said]
    board = game.board
    return [
        (mention.start, mention.end)
        for mention in said
        if (mention.kind == "region" and board.name(mention.value) == word)
        or (mention.kind == "followers" and board.group(mention.group) == word)
    ]
