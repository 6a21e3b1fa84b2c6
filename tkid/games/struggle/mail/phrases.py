"""What letters call things: factions, followers, resolutions and power struggles, in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from tkid.games.struggle.rules.board import UNSTABLE, Board, Followers, tally
from tkid.games.struggle.rules.moves import (
    Apart,
    Copy,
    CourtSwap,
    Exchange,
    NoSummon,
    Place,
    PlaceMove,
    PlaceReturn,
    PlaceSwap,
    ReturnPlace,
    Shift,
    Spread,
    Summon,
    Swap,
    carried_out,
    transfers,
)
from tkid.games.struggle.rules.turns.struggles import ResolvedRegion
from tkid.kernel.ladder import Nothing
from tkid.mail.voice import both
from tkid.notation.numbers import number
from tkid.notation.vocabulary import with_article


@frozen
class Phrases:
    """Words for what is on a board. `past` says what happened, else what happens."""

    board: Board
    past: bool = True

    # -- factions and followers ---------------------------------------------------------------------------

    def region(self, region: int) -> str:
        """A region's printed name."""
        return self.board.name(region)

    def card(self, card: str) -> str:
        """A card's printed name; one that is named after a faction is `the Welsh card`."""
        return f"the {card} card" if any(card == faction.name for faction in self.board.factions) else card

    def faction(self, faction: int) -> str:
        """A faction as the subject or the object of a sentence: `the Welsh`, `Mordred`."""
        name = self.board.factions[faction].name
        return name if faction in self.board.apart else f"the {name}"

    def follower(self, faction: int) -> str:
        """A follower: `a Welsh follower`, `an English follower`."""
        return f"{with_article(self.board.factions[faction].name)} follower"

    def followers(self, group: Followers, *, again: bool = False) -> str:
        """Some followers: `two Welsh`, `one Scottish follower`; `again` where the sentence has said that they are followers."""
        present = [(faction, count) for faction, count in enumerate(group) if count]
        names = [f"{number(count)} {self.board.factions[faction].name}" for faction, count in present]
        alone = len(present) == 1 and present[0][0] in self.board.apart
        if alone:
            return f"{names[0]} follower{'s' * (present[0][1] > 1)}"
        lone = all(count == 1 for _, count in present)
        return both(names) + (" follower" if lone and not again else "")

    def counts(self, group: Followers, join: str) -> str:
        """Followers with figures: `2 Scottish to 2 Welsh`."""
        factions = zip(self.board.factions, group, strict=True)
        return f" {join} ".join(f"{count} {faction.name}" for faction, count in factions if count)

    # -- power struggles ----------------------------------------------------------------------------------

    def takes(self, struggle: ResolvedRegion) -> str:
        """A faction that takes a region: `the Welsh took Essex`."""
        one = struggle.disc in self.board.apart
        verb = "took" if self.past else "takes" if one else "take"
        return f"{self.faction(struggle.disc)} {verb} {self.region(struggle.region)}"

    def is_lost(self, region: int) -> str:
        """A region that nobody won: `Lancaster is unstable`."""
        return f"{self.region(region)} is {self.board.terms.lost}"

    def comes_out(self, struggle: ResolvedRegion) -> str:
        """A power struggle in a few words: `the Welsh took Essex`, `Lancaster became unstable`."""
        if struggle.disc != UNSTABLE:
            return self.takes(struggle)
        terms = self.board.terms
        return f"{self.region(struggle.region)} {terms.fell if self.past else terms.falls}"

    def struggle(self, struggle: ResolvedRegion) -> str:
        """A power struggle with its followers."""
        if struggle.disc != UNSTABLE:
            return f"{self.takes(struggle)}, {self._score(struggle)}"
        most = max(struggle.followers)
        lost, name = self.comes_out(struggle), self.region(struggle.region)
        if not most:
            return f"{name} was empty and {self.board.terms.fell}" if self.past else f"{lost}, as nobody is there"
        tied = tuple(count if count == most else 0 for count in struggle.followers)
        counted = self.counts(tied, "to")
        return f"{name} was tied, {counted}, and {self.board.terms.fell}" if self.past else f"{lost}, {counted}"

    def _score(self, struggle: ResolvedRegion) -> str:
        """How a region was won: `3 to 2`, `2 followers to none`, `4 followers to 2 Scottish and 1 English`."""
        won = struggle.followers[struggle.disc]
        rivals = [
            (self.board.factions[faction].name, count)
            for faction, count in enumerate(struggle.followers)
            if count and faction != struggle.disc
        ]
        noun = " follower" if won == 1 else " followers"
        if len(rivals) == 1:
            return f"{won}{noun if self.past else ''} to {rivals[0][1]}"
        rivals.sort(key=lambda rival: -rival[1])
        return f"{won}{noun} to {both(f'{count} {name}' for name, count in rivals) or 'none'}"

    # -- resolutions --------------------------------------------------------------------------------------

    def resolution(self, resolution: Any, court: str) -> str:
        """What a resolution does, to go behind the card and a colon; `court` is whose court is meant, as in `your court`."""
        done = carried_out(resolution)
        return _SAID[type(done)](self, done, court)

    def places(self, resolution: Any) -> list[str]:
        """The regions that a resolution touches."""
        done = carried_out(resolution)
        if isinstance(done, Exchange):
            regions: list[int] = [done.first, done.second]
        else:
            regions = [where for each in transfers(done) if any(each.group) for where in each.ends if where >= 0]
        return [self.region(region) for region in dict.fromkeys(regions)]

    def summons(self, move: Summon | NoSummon) -> str:
        """Whom somebody summons: to go behind the verb."""
        if isinstance(move, NoSummon):
            return "nobody"
        return f"{self.follower(move.faction)} from {self.region(move.region)}"

    @property
    def supply(self) -> str:
        """Where followers are placed from."""
        return f"the {self.board.terms.supply}"

    def into(self, group: Followers, region: int, *, again: bool = False) -> str:
        """Followers who are placed."""
        return f"{self.followers(group, again=again)} into {self.region(region)}"

    def back(self, group: Followers, where: str, *, again: bool = False) -> str:
        """Followers who go back to the supply."""
        return f"{self.followers(group, again=again)} from {where} back to {self.supply}"


def _spread(phrases: Phrases, spread: Spread, _: str) -> str:
    """Followers by region, the regions in the order of the factions."""
    by_region: dict[int, list[int]] = {}
    for faction, region in enumerate(spread.regions):
        if region is not None:
            by_region.setdefault(region, []).append(faction)
    kinds = len(phrases.board.factions)
    groups = [(tally(factions, kinds), region) for region, factions in by_region.items()]
    return ", ".join(phrases.into(group, region, again=index > 0) for index, (group, region) in enumerate(groups))


def _apart(phrases: Phrases, apart: Apart, _: str) -> str:
    first, second = apart.groups
    other = "one" if first == second else phrases.followers(second, again=True)
    return f"{phrases.into(first, apart.left)}, {other} into {phrases.region(apart.right)}"


def _exchange(phrases: Phrases, exchange: Exchange, _: str) -> str:
    first, second = phrases.region(exchange.first), phrases.region(exchange.second)
    disc = f"a {phrases.board.terms.negotiation}"
    change, go = ("changed", "went") if phrases.past else ("change", "goes")
    swapped = f"{first} and {second} {change} places on the track"
    if exchange.disc is None:
        return f"{swapped}, without {disc}"
    return f"{swapped}, and {disc} {go} on {phrases.region(exchange.disc)}"


def _for(phrases: Phrases, swap: Swap, *, again: bool = False) -> str:
    """Followers of two regions who change places; one side may have none."""
    left, right = phrases.region(swap.left), phrases.region(swap.right)
    if not any(swap.take):
        return f"{phrases.followers(swap.give, again=again)} from {left} to {right}, swapped for none"
    if not any(swap.give):
        return _for(phrases, swap.flipped(), again=again)
    given, taken = phrases.followers(swap.give, again=again), phrases.followers(swap.take, again=True)
    return f"{given} from {left} swapped for {taken} from {right}"


def _shift(phrases: Phrases, shift: Shift, _: str) -> str:
    return f"{phrases.followers(shift.group)} from {phrases.region(shift.origin)} to {phrases.region(shift.target)}"


def _place_return(phrases: Phrases, done: PlaceReturn, _: str) -> str:
    if not any(done.placed):
        return phrases.back(done.returned, phrases.region(done.region))
    landed = phrases.into(done.placed, done.region)
    return f"{landed}, then {phrases.back(done.returned, 'there', again=True)}" if any(done.returned) else landed


def _return_place(phrases: Phrases, done: ReturnPlace, _: str) -> str:
    returned = tally(done.returned, len(done.placed))
    if not any(returned):
        return phrases.into(done.placed, done.region)
    left = phrases.back(returned, phrases.region(done.region))
    return f"{left}, then {phrases.into(done.placed, done.region, again=True)}" if any(done.placed) else left


def _place_swap(phrases: Phrases, done: PlaceSwap, _: str) -> str:
    landed = phrases.into(done.placed, done.region) if any(done.placed) else ""
    if done.other is None or not any((*done.give, *done.take)):
        return landed
    swap = _for(phrases, Swap(done.region, done.other, done.give, done.take), again=bool(landed))
    return ", then ".join(filter(None, [landed, swap]))


def _place_move(phrases: Phrases, done: PlaceMove, _: str) -> str:
    landed = [phrases.into(done.placed, done.region)] if any(done.placed) else []
    origin = " from there" if landed else f" from {phrases.region(done.region)}"
    moved = [
        f"{phrases.followers(group, again=bool(landed or index))}{'' if index else origin} to {phrases.region(target)}"
        for index, (group, target) in enumerate(done.moved)
    ]
    return ", then ".join([*landed, *([both(moved)] if moved else [])])


def _court_swap(phrases: Phrases, done: CourtSwap, court: str) -> str:
    given, taken = phrases.followers(done.give), phrases.followers(done.take, again=True)
    return f"{given} from {court} swapped for {taken} from {phrases.region(done.region)}"


_SAID: Mapping[type, Callable[[Phrases, Any, str], str]] = {
    Nothing: lambda *_: "",
    Place: lambda phrases, place, _: phrases.into(place.group, place.region),
    Apart: _apart,
    Spread: _spread,
    Exchange: _exchange,
    Swap: lambda phrases, swap, _: _for(phrases, swap),
    Shift: _shift,
    PlaceReturn: _place_return,
    ReturnPlace: _return_place,
    PlaceSwap: _place_swap,
    PlaceMove: _place_move,
    CourtSwap: _court_swap,
}


def copied(resolution: Any) -> tuple[int, str] | None:
    """The player whose card a resolution copies, and that card; None where it copies none."""
    return (resolution.seat, resolution.card) if isinstance(resolution, Copy) else None


def is_exchange(resolution: Any) -> bool:
    """Whether a resolution lets region cards change places."""
    return isinstance(carried_out(resolution), Exchange)
