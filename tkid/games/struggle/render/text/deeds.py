"""Moves in sentences without notation: what a player does, as verbs to go behind a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tkid.games.struggle.render.text.people import APOSTROPHE, follower, group, people
from tkid.games.struggle.rules.board import Board, Followers, tally
from tkid.games.struggle.rules.game import Struggle
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
    ReturnPlace,
    Reveal,
    Shift,
    Spread,
    Summon,
    Swap,
    carried_out,
    transfers,
)
from tkid.kernel.ladder import Nothing
from tkid.notation.vocabulary import listed

Deeds = list[str]


def deeds(game: Struggle, move: Move, names: Sequence[str]) -> Deeds:
    """What a move does: `plays Muster`, `places two Scots in Moray`, `returns an English follower from there`."""
    match move:
        case Play(card, Copy(seat, copied, _) as copy):
            effect = done(game.board, copy)
            vain = "" if effect else " without effect"
            return [f"plays {card}", f"copies {names[seat]}{APOSTROPHE}s {copied}{vain}", *effect]
        case Play(card, resolution):
            effect = done(game.board, resolution)
            return [f"plays {called(game.board, card)}{'' if effect else ' without effect'}", *effect]
        case Summon(faction, region):
            return [f"summons {follower(game.board, faction)} from {game.board.name(region)}"]
        case NoSummon():
            return ["summons nobody" if game.summons.optional else "finds nobody to summon"]
        case Reveal(card, faction):
            return [f"names {people(game.board, [faction])} for {card}"]
        case Pass():
            return ["passes"]


def done(board: Board, resolution: Any) -> Deeds:
    """What the resolution of a card does, a copied one too; [] for nothing."""
    what = carried_out(resolution)
    return _DONE[type(what)](board, what)


def heading(game: Struggle, moves: Sequence[Move]) -> str:
    """What a turn comes to in a few words, to go behind a name: `plays Manoeuvre: Moray ⇄ Devon`."""
    match moves[0]:
        case Play(card, resolution):
            return f"plays {called(game.board, card)}{_places(game.board, resolution)}"
        case other:
            return deeds(game, other, ())[0]


def joined(verbs: Sequence[str]) -> str:
    """Verbs as one predicate: `plays March, moves a Scottish follower from Moray to Devon, and summons nobody`."""
    return f"{', '.join(verbs[:-1])}, and {verbs[-1]}" if len(verbs) > 2 else " and ".join(verbs)


def called(board: Board, card: str) -> str:
    """A card within a sentence; one that is named after a faction is `the Welsh card`."""
    return f"the {card} card" if any(card == faction.name for faction in board.factions) else card


def _places(board: Board, resolution: Any) -> str:
    """The regions that a resolution touches, with an arrow between those of a swap or a move."""
    match carried_out(resolution):
        case Exchange(first, second):
            return f": {board.name(first)} \u21c4 {board.name(second)}"
        case Swap(left, right):
            return f": {board.name(left)} \u21c4 {board.name(right)}"
        case Shift(_, origin, target):
            return f": {board.name(origin)} \u2192 {board.name(target)}"
        case what:
            ends = [where for each in transfers(what) if any(each.group) for where in each.ends if where >= 0]
            names = [board.name(region) for region in dict.fromkeys(ends)]
            return f" in {listed(names, 'and')}" if names else ""


# -- resolutions --------------------------------------------------------------------------------------------


def _in(board: Board, followers: Followers, region: int, *, again: bool = False) -> str:
    return f"{group(board, followers, again=again)} in {board.name(region)}"


def _to_supply(board: Board, followers: Followers, where: str, *, again: bool = False) -> str:
    return f"returns {group(board, followers, again=again)} from {where} to the {board.terms.supply}"


def _apart(board: Board, apart: Apart) -> Deeds:
    first, second = apart.groups
    other = f"one in {board.name(apart.right)}" if first == second else _in(board, second, apart.right, again=True)
    return [f"places {_in(board, first, apart.left)} and {other}"]


def _spread(board: Board, spread: Spread) -> Deeds:
    by_region: dict[int, list[int]] = {}
    for faction, region in enumerate(spread.regions):
        if region is not None:
            by_region.setdefault(region, []).append(faction)
    kinds = len(board.factions)
    placed = [
        _in(board, tally(factions, kinds), region, again=index > 0)
        for index, (region, factions) in enumerate(by_region.items())
    ]
    return [f"places {listed(placed, 'and')}"] if placed else []


def _exchange(board: Board, exchange: Exchange) -> Deeds:
    swapped = f"swaps the region cards of {board.name(exchange.first)} and {board.name(exchange.second)}"
    if exchange.disc is None:
        return [swapped]
    return [swapped, f"puts a {board.terms.negotiation} on {board.name(exchange.disc)}"]


def _swap(board: Board, swap: Swap) -> Deeds:
    if not any(swap.give):
        swap = swap.flipped()
    if not any(swap.take):
        moved = group(board, swap.give)
        return [f"moves {moved} from {board.name(swap.left)} to {board.name(swap.right)} for nothing in return"]
    return [_swapped(board, _in(board, swap.give, swap.left), swap.take, swap.right)]


def _swapped(board: Board, given: str, taken: Followers, origin: int) -> str:
    return f"swaps {given} for {_in(board, taken, origin, again=True)}"


def _shift(board: Board, shift: Shift) -> Deeds:
    return [f"moves {group(board, shift.group)} from {board.name(shift.origin)} to {board.name(shift.target)}"]


def _place_return(board: Board, done: PlaceReturn) -> Deeds:
    placed = [f"places {_in(board, done.placed, done.region)}"] if any(done.placed) else []
    where = "there" if placed else board.name(done.region)
    return [*placed, *([_to_supply(board, done.returned, where, again=bool(placed))] if any(done.returned) else [])]


def _return_place(board: Board, done: ReturnPlace) -> Deeds:
    gone, name = tally(done.returned, len(done.placed)), board.name(done.region)
    returned = [_to_supply(board, gone, name)] if any(gone) else []
    where = "there" if returned else f"in {name}"
    placed = f"places {group(board, done.placed, again=bool(returned))} {where}"
    return [*returned, *([placed] if any(done.placed) else [])]


def _place_swap(board: Board, done: PlaceSwap) -> Deeds:
    placed = [f"places {_in(board, done.placed, done.region)}"] if any(done.placed) else []
    if done.other is None or not any((*done.give, *done.take)):
        return placed
    if placed and any(done.give) and any(done.take):
        given = f"{group(board, done.give, again=True)} there"
        return [*placed, _swapped(board, given, done.take, done.other)]
    return [*placed, *_swap(board, Swap(done.region, done.other, done.give, done.take))]


def _place_move(board: Board, done: PlaceMove) -> Deeds:
    placed = [f"places {_in(board, done.placed, done.region)}"] if any(done.placed) else []
    origin = "there" if placed else board.name(done.region)
    moved = [
        f"{group(board, followers, again=bool(placed or index))}{'' if index else f' from {origin}'} to {board.name(target)}"
        for index, (followers, target) in enumerate(done.moved)
    ]
    return [*placed, *([f"moves {listed(moved, 'and')}"] if moved else [])]


def _court_swap(board: Board, done: CourtSwap) -> Deeds:
    return [f"swaps {group(board, done.give)} at court for {_in(board, done.take, done.region, again=True)}"]


_DONE: Mapping[type, Callable[[Board, Any], Deeds]] = {
    Nothing: lambda *_: [],
    Place: lambda board, place: [f"places {_in(board, place.group, place.region)}"],
    Apart: _apart,
    Spread: _spread,
    Exchange: _exchange,
    Swap: _swap,
    Shift: _shift,
    PlaceReturn: _place_return,
    ReturnPlace: _return_place,
    PlaceSwap: _place_swap,
    PlaceMove: _place_move,
    CourtSwap: _court_swap,
}
