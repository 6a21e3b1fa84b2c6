"""Moves as JSON objects that say who goes where, so that no notation has to be read to understand them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tkid.games.struggle.notation.position_data import MOST
from tkid.games.struggle.rules.board import Board, Followers, tally
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import (
    Apart,
    Copy,
    CourtSwap,
    Exchange,
    Move,
    NoSummon,
    Pass,
    Place,
    PlaceMove,
    PlaceReturn,
    PlaceSwap,
    Play,
    Resolution,
    ReturnPlace,
    Reveal,
    Shift,
    Spread,
    Summon,
    Swap,
)
from tkid.games.struggle.rules.summoning import NO_SUMMON
from tkid.kernel.ladder import NOTHING, Nothing
from tkid.record.json.objects import JsonError

SUPPLY = "supply"
"""In place of a region's code: where followers are placed from, and returned to."""

COURT = "court"
"""In place of a region's code: the court of whoever plays the card."""

Ways = dict[tuple[str, str], Followers]
"""How many followers go from where to where: regions by code, the supply, or the court."""


class NoSuchResolutionError(ValueError):
    """An object says clearly what is done, but no resolution of its card looks like that."""


def move_json(game: Struggle, move: Move) -> dict[str, Any]:
    """A move as a JSON object."""
    board = game.board
    match move:
        case Pass():
            return {"move": "pass"}
        case Play(card, resolution):
            return {"move": "play", "card": card, "resolution": resolution_json(game, resolution)}
        case Summon(faction, region):
            return {"move": "summon", "faction": board.factions[faction].letter, "region": board.regions[region].code}
        case NoSummon():
            return {"move": "no summon"}
        case Reveal(_, faction):
            return {"move": "plot", "faction": board.factions[faction].letter}


def resolution_json(game: Struggle, resolution: Resolution) -> dict[str, Any]:
    """A resolution as a JSON object: the ways that followers go, or the region cards that change places, or a copy."""
    codes = [region.code for region in game.board.regions]
    match resolution:
        case Exchange(first, second, disc):
            return {"cards": [codes[first], codes[second]], "disc": None if disc is None else codes[disc]}
        case Copy(seat, card, copied):
            return {"seat": seat, "card": card, "resolution": resolution_json(game, copied)}
        case _:
            ways = [(origin, target, group) for origin, target, group in _ways(game, resolution) if any(group)]
            letters = [faction.letter for faction in game.board.factions]
            return {
                "transfers": [
                    {
                        "followers": {f: n for f, n in zip(letters, group, strict=True) if n},
                        "from": origin,
                        "to": target,
                    }
                    for origin, target, group in ways
                ]
            }


def _ways(game: Struggle, resolution: Resolution) -> list[tuple[str, str, Followers]]:
    """The ways of a resolution in the order in which it is written."""
    return _WAYS[type(resolution)](game.board, [region.code for region in game.board.regions], resolution)


def _there_and_back(board: Board, codes: list[str], done: ReturnPlace) -> list[tuple[str, str, Followers]]:
    """Who is returned, then who is placed."""
    code, back = codes[done.region], tally(done.returned, len(board.factions))
    return [(code, SUPPLY, back), (SUPPLY, code, done.placed)]


def _there_and_across(_: Board, codes: list[str], done: PlaceSwap) -> list[tuple[str, str, Followers]]:
    """Who is placed, then who goes, then who comes."""
    code = codes[done.region]
    ways = [(SUPPLY, code, done.placed)]
    return (
        ways
        if done.other is None
        else [*ways, (code, codes[done.other], done.give), (codes[done.other], code, done.take)]
    )


_WAYS: Mapping[type, Callable[[Board, list[str], Any], list[tuple[str, str, Followers]]]] = {
    Nothing: lambda *_: [],
    Place: lambda _, codes, done: [(SUPPLY, codes[done.region], done.group)],
    Apart: lambda _, codes, done: [
        (SUPPLY, codes[region], group) for region, group in zip((done.left, done.right), done.groups, strict=True)
    ],
    Spread: lambda board, codes, done: [
        (SUPPLY, codes[region], board.one(faction)) for faction, region in enumerate(done.regions) if region is not None
    ],
    Swap: lambda _, codes, done: [
        (codes[done.left], codes[done.right], done.give),
        (codes[done.right], codes[done.left], done.take),
    ],
    Shift: lambda _, codes, done: [(codes[done.origin], codes[done.target], done.group)],
    PlaceReturn: lambda _, codes, done: [
        (SUPPLY, codes[done.region], done.placed),
        (codes[done.region], SUPPLY, done.returned),
    ],
    ReturnPlace: _there_and_back,
    PlaceSwap: _there_and_across,
    PlaceMove: lambda _, codes, done: [
        (SUPPLY, codes[done.region], done.placed),
        *((codes[done.region], codes[target], group) for group, target in done.moved),
    ],
    CourtSwap: lambda _, codes, done: [
        (COURT, codes[done.region], done.give),
        (codes[done.region], COURT, done.take),
    ],
}


def read_move_json(game: Struggle, value: Any) -> Move:
    """The move of a JSON object.

    Raises JsonError where the object is none of the documented forms or names what there is not, and
    NoSuchResolutionError where it is one, but nothing of the kind that its card does.
    """
    read = _Moves(game)
    kind = read.attribute(value, "move", str, "move")
    match kind:
        case "pass":
            return PASS
        case "no summon":
            return NO_SUMMON
        case "summon":
            return Summon(read.faction(value, "move"), read.region(value, "region", "move"))
        case "plot" if game.plot:
            return Reveal(game.plot, read.faction(value, "move"))
        case "play":
            card = read.card(value, "move")
            return Play(card, read.resolution(card, read.attribute(value, "resolution", dict, "move")))
        case "plot":
            raise NoSuchResolutionError
    raise JsonError(f"move.move: {kind!r} is none of pass, play, summon, no summon, plot")


class _Moves:
    """Reads the parts of moves of a game."""

    def __init__(self, game: Struggle) -> None:
        self.game = game
        self.codes = [region.code for region in game.board.regions]
        self.letters = [faction.letter for faction in game.board.factions]

    def attribute(self, value: Any, name: str, kind: type, place: str) -> Any:
        """An attribute of an object that has to be there and of a type."""
        if not isinstance(value, dict):
            raise JsonError(f"{place}: a JSON object belongs here")
        found = value.get(name)
        if type(found) is not kind:
            raise JsonError(f"{place}.{name}: is missing, or of another type than documented")
        return found

    def faction(self, value: Any, place: str) -> int:
        """A faction by its letter."""
        letter = self.attribute(value, "faction", str, place)
        if letter not in self.letters:
            raise JsonError(f"{place}.faction: {letter} is none of {', '.join(self.letters)}")
        return self.letters.index(letter)

    def region(self, value: Any, name: str, place: str) -> int:
        """A region by its code."""
        return self._coded(self.attribute(value, name, str, place), f"{place}.{name}")

    def _coded(self, code: Any, place: str) -> int:
        if code not in self.codes:
            raise JsonError(f"{place}: {code} is none of {', '.join(self.codes)}")
        return self.codes.index(code)

    def card(self, value: Any, place: str) -> str:
        """A card of the edition, in this game or not."""
        card: str = self.attribute(value, "card", str, place)
        if card not in self.game.cards and card not in self.game.absent:
            raise JsonError(f"{place}.card: {card} is no card of {self.game.code}")
        return card

    def resolution(self, card: str, value: Mapping[str, Any]) -> Resolution:
        """What is done with a card. Of a card that is not in this game nothing is known but what is done."""
        if value.get("transfers") == [] or card in self.game.absent:
            return NOTHING
        form = self.game.cards[card].form
        if form == "exchange":
            return self._exchange(value)
        if form == "copy":
            copied = self.card(value, "resolution")
            if copied not in self.game.cards or self.game.cards[copied].form in {"copy", "reveal"}:
                raise NoSuchResolutionError
            inner = self.resolution(copied, self.attribute(value, "resolution", dict, "resolution"))
            return Copy(self.attribute(value, "seat", int, "resolution"), copied, inner)
        if form not in _FORMS:
            raise NoSuchResolutionError
        return _FORMS[form](self, self._ways(value))

    def _exchange(self, value: Mapping[str, Any]) -> Resolution:
        cards = [self._coded(code, "cards") for code in self.attribute(value, "cards", list, "resolution")]
        if len(cards) != 2:
            raise NoSuchResolutionError
        disc = value.get("disc")
        return Exchange(cards[0], cards[1], None if disc is None else self._coded(disc, "disc"))

    def _ways(self, value: Mapping[str, Any]) -> Ways:
        """The ways, those with the same ends put together."""
        found: Ways = {}
        for transfer in self.attribute(value, "transfers", list, "resolution"):
            ends = []
            for name in ("from", "to"):
                end = self.attribute(transfer, name, str, "transfers")
                ends.append(end if end in {SUPPLY, COURT} else self.codes[self._coded(end, name)])
            counts = self.attribute(transfer, "followers", dict, "transfers")
            if not set(counts) <= set(self.letters) or any(
                type(n) is not int or not 0 <= n <= MOST for n in counts.values()
            ):
                raise JsonError("transfers.followers: counts by the letters of factions belong here")
            key = (ends[0], ends[1])
            before = found.get(key, (0,) * len(self.letters))
            found[key] = tuple(n + counts.get(f, 0) for n, f in zip(before, self.letters, strict=True))
        return {ends: group for ends, group in found.items() if any(group)}

    def index(self, code: str) -> int:
        """A region's index; the supply is no region, and neither is a court."""
        if code in {SUPPLY, COURT}:
            raise NoSuchResolutionError
        return self.codes.index(code)


def _only(ways: Ways, count: int) -> list[tuple[str, str, Followers]]:
    """The ways, which have to be so many."""
    if len(ways) != count:
        raise NoSuchResolutionError
    return [(origin, target, group) for (origin, target), group in ways.items()]


def _place(read: _Moves, ways: Ways) -> Resolution:
    ((origin, target, group),) = _only(ways, 1)
    if origin != SUPPLY:
        raise NoSuchResolutionError
    return Place(group, read.index(target))


def _apart(read: _Moves, ways: Ways) -> Resolution:
    if len(ways) == 1:
        return _place(read, ways)
    (origin, left, first), (again, right, second) = _only(ways, 2)
    if not origin == again == SUPPLY:
        raise NoSuchResolutionError
    return Apart(read.index(left), read.index(right), (first, second))


def _spread(read: _Moves, ways: Ways) -> Resolution:
    regions: list[int | None] = [None] * len(read.letters)
    for (origin, target), group in ways.items():
        for faction, number in enumerate(group):
            if number and (origin != SUPPLY or number > 1 or regions[faction] is not None):
                raise NoSuchResolutionError
            if number:
                regions[faction] = read.index(target)
    return Spread(tuple(regions))


def _swap(read: _Moves, ways: Ways) -> Resolution:
    """A swap; with a single way, for nothing."""
    if len(ways) == 1:
        ((left, right, give),) = _only(ways, 1)
        return Swap(read.index(left), read.index(right), give, (0,) * len(read.letters))
    (left, right, give), (back, again, take) = _only(ways, 2)
    if (back, again) != (right, left):
        raise NoSuchResolutionError
    return Swap(read.index(left), read.index(right), give, take)


def _shift(read: _Moves, ways: Ways) -> Resolution:
    ((origin, target, group),) = _only(ways, 1)
    return Shift(group, read.index(origin), read.index(target))


def _inside(read: _Moves, ways: Ways) -> tuple[int, Followers, Followers]:
    """A region with what is placed there from the supply, and what is returned."""
    none = (0,) * len(read.letters)
    places = {end for ends in ways for end in ends if end != SUPPLY}
    if len(places) != 1 or any(SUPPLY not in ends for ends in ways):
        raise NoSuchResolutionError
    (code,) = places
    return read.index(code), ways.get((SUPPLY, code), none), ways.get((code, SUPPLY), none)


def _place_return(read: _Moves, ways: Ways) -> Resolution:
    region, placed, back = _inside(read, ways)
    return PlaceReturn(region, placed, back)


def _return_place(read: _Moves, ways: Ways) -> Resolution:
    region, placed, back = _inside(read, ways)
    return ReturnPlace(region, tuple(_one_by_one(back)), placed)


def _landing(read: _Moves, ways: Ways) -> tuple[str, Followers, Ways]:
    """A region, what is placed there from the supply, and the other ways; the first way tells which region it is."""
    if not ways:
        raise NoSuchResolutionError
    origin, target = next(iter(ways))
    region = target if origin == SUPPLY else origin
    others = {ends: group for ends, group in ways.items() if ends != (SUPPLY, region)}
    return region, ways.get((SUPPLY, region), (0,) * len(read.letters)), others


def _place_swap(read: _Moves, ways: Ways) -> Resolution:
    region, placed, others = _landing(read, ways)
    none = (0,) * len(read.letters)
    if not others:
        return PlaceSwap(read.index(region), placed, None, none, none)
    ends = {end for pair in others for end in pair} - {region}
    if len(ends) != 1 or any(region not in pair for pair in others):
        raise NoSuchResolutionError
    (other,) = ends
    groups = others.get((region, other), none), others.get((other, region), none)
    return PlaceSwap(read.index(region), placed, read.index(other), *groups)


def _place_move(read: _Moves, ways: Ways) -> Resolution:
    region, placed, others = _landing(read, ways)
    if any(origin != region for origin, _ in others):
        raise NoSuchResolutionError
    moved = sorted(((group, read.index(target)) for (_, target), group in others.items()), key=lambda way: way[1])
    return PlaceMove(read.index(region), placed, tuple(moved))


def _court_swap(read: _Moves, ways: Ways) -> Resolution:
    by_origin = {origin == COURT: (origin, target, group) for origin, target, group in _only(ways, 2)}
    if by_origin.keys() != {True, False}:
        raise NoSuchResolutionError
    (_, to_region, give), (from_region, to_court, take) = by_origin[True], by_origin[False]
    if (from_region, to_court) != (to_region, COURT):
        raise NoSuchResolutionError
    return CourtSwap(read.index(to_region), give, take)


def _one_by_one(group: Followers) -> Iterable[int]:
    return [faction for faction, number in enumerate(group) for _ in range(number)]


_FORMS: Mapping[str, Callable[[_Moves, Ways], Resolution]] = {
    "place": _place,
    "apart": _apart,
    "spread": _spread,
    "swap": _swap,
    "shift": _shift,
    "place_return": _place_return,
    "return_place": _return_place,
    "place_swap": _place_swap,
    "place_move": _place_move,
    "court_swap": _court_swap,
}
