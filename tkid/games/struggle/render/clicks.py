"""Every legal turn of The King is Dead as clicks; only what comes or goes changes a place's look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, permutations
from typing import Any

from attrs import field, frozen

from tkid.games.struggle.rules import moves
from tkid.games.struggle.rules.board import OPEN, Board, Followers, Position, View
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import fill_names
from tkid.kernel.ladder import Nothing
from tkid.kernel.values import derive
from tkid.render import clicks

CAME, ELSEWHERE = 1, 0
"""Marks of a follower that came, or went to another region; one that went to a court or the supply has COURT or SUPPLY."""
SPENT, PASSED = -1, 1
"""A negotiation disc has left its owner; the turn was a pass."""
TRACK, TURN = "track", "turn"
"""The places of region cards that change places, and of all that a pass changes."""


Steps = tuple[clicks.Step, ...]
REGION = "Choose the region."
PLACED = "Choose the followers to place, from the {supply}."
TARGET = "Choose the region to place them in."
REGION_FOR_EACH = "Choose the region for each of the two followers; twice the same one for both."
SPREAD = "Choose the region for the {faction} follower."
CARDS = "Choose the two region cards that change places."
DISC = "Choose the card for your {negotiation}."
SWAPPED = "Choose the followers that change places, in two regions."
FOR_NOTHING = "Choose the followers that change places; where a region gives none, the region itself."
MOVED = "Choose the followers that move, in one region."
GOAL = "Choose the region that they move to."
RETURNED = "Choose what returns to the {supply}, in {region}."
ONE_MOVED = "Choose a follower of {region} that moves."
ONE_GOAL = "Choose the region that it moves to."
COURTED = "Choose a follower of your court and one of a region: they change places."
PILE = "Choose the pile whose top card you copy."
SUMMON = "Choose the follower that you summon to your court."
CLOSED = "{region} is resolved: nothing can be placed there or moved to or from it."
OR_NOBODY = "Choose the follower that you summon to your court, or nobody."


def list_choices(game: Struggle, view: View, names: Sequence[str]) -> clicks.Choices:
    return clicks.find_idle_choices(view, names) or _Clicks(game, view.shown, names).build_choices()


STEPS_REMEMBERED = 1 << 13
"""The number of resolutions whose steps are remembered, for each seat and game."""


@frozen(eq=False)
class _Growth:
    """By how many followers of each faction a region grows or shrinks."""

    region: int
    change: Followers


find_growth = clicks.share_objects(_Growth)


@frozen
class _Resolved:
    """A card that is played so: its text, its steps in each order, by how much regions grow or shrink, and whether it has no effect."""

    play: moves.Play
    text: str
    orders: tuple[clicks.Path, ...]
    growth: tuple[_Growth, ...]
    is_idle: bool


@frozen(eq=False)
class _Resolutions:
    """The resolutions that a seat may click: positions have most of them in common, so they are remembered."""

    game: Struggle
    seat: int
    board: Board = derive(lambda self: self.game.board)
    _steps: dict[tuple[str, tuple[str, ...], tuple[clicks.Change, ...]], clicks.Step] = field(init=False, factory=dict)
    find: Callable[[clicks.Step, str, Any], _Resolved] = derive(lambda self: lru_cache(STEPS_REMEMBERED)(self._resolve))

    def share(self, step: clicks.Step) -> clicks.Step:
        """Return the same step as one object wherever it occurs."""
        return self._steps.setdefault((step.ask, step.keys, step.changes), step)

    def _resolve(self, chosen: clicks.Step, card: str, resolution: Any) -> _Resolved:
        play, orders = moves.Play(card, resolution), self._list_step_orders(card, resolution)
        balance = () if isinstance(resolution, Nothing) else moves.compute_balance(resolution)
        return _Resolved(
            play,
            self.game.words.write_move(play),
            tuple([clicks.Path((chosen, *map(self.share, steps))) for steps in orders]),
            tuple([find_growth(place, change) for place, change in balance if place >= 0]),
            isinstance(moves.follow_copy(resolution), Nothing),
        )

    def _list_step_orders(self, card: str, resolution: Any) -> list[Steps]:
        """Return the steps of a resolution, once for each order in which they may be taken."""
        match resolution:
            case moves.Copy(seat, copied, inner):
                pile = clicks.Step(PILE, (f"pile/{seat}",))
                return [(pile, *steps) for steps in self._list_step_orders(copied, inner)]
            case moves.PlaceMove():
                return self._list_place_move_orders(resolution)
            case _:
                return [tuple(step for step in self._list_steps(card, resolution) if step.keys)]

    def _list_steps(self, card: str, resolution: Any) -> Iterator[clicks.Step]:
        """Yield the steps of a resolution that has one order; those without keys are not taken."""
        match resolution:
            case moves.Place(group, region) if self.game.cards[card].form == "apart" and sum(group) > 1:
                yield self._make_region_step(REGION_FOR_EACH, [region, region], *resolution.list_transfers())
            case moves.Apart(left, right):
                yield self._make_region_step(REGION_FOR_EACH, [left, right], *resolution.list_transfers())
            case moves.Spread():
                for placed in resolution.list_transfers():
                    faction = self.board.factions[placed.group.index(1)]
                    yield self._make_region_step(SPREAD.format(faction=faction.name), [placed.target], placed)
            case moves.Exchange(first, second, disc):
                cards = get_space_key(self.board, first), get_space_key(self.board, second)
                yield clicks.Step(CARDS, cards, (clicks.Change(TRACK, (first, second)),))
                asked = DISC.format(negotiation=self.board.terms.negotiation)
                key = clicks.NO_DISC if disc is None else get_space_key(self.board, disc)
                yield clicks.Step(asked, (key,), self._list_disc_changes(disc))
            case moves.PlaceReturn() | moves.ReturnPlace() | moves.PlaceSwap():
                yield from self._list_region_steps(resolution.region, resolution.list_transfers())
            case _:
                yield from self._list_transfer_steps(moves.list_transfers(resolution))

    def _list_place_move_orders(self, resolution: moves.PlaceMove) -> list[Steps]:
        """Return the steps for every order of the moving followers, each clicked with its goal."""
        name = self.board.name_region(resolution.region)
        steps = self._list_region_steps(resolution.region, resolution.list_transfers()[:1])
        placed = tuple(step for step in steps if step.keys)
        singles = [
            (
                clicks.Step(ONE_MOVED.format(region=name), (get_follower_key(self.board, resolution.region, faction),)),
                self._make_region_step(
                    ONE_GOAL, [target], moves.Transfer(self.board.make_single(faction), resolution.region, target)
                ),
            )
            for group, target in resolution.moved
            for faction, number in enumerate(group)
            for _ in range(number)
        ]
        shared = [tuple(map(self.share, single)) for single in singles]
        orders = dict.fromkeys(permutations(shared))
        return [(*placed, *(step for single in order for step in single)) for order in orders]

    def _list_region_steps(self, region: int, moving: Iterable[moves.Transfer]) -> Iterator[clicks.Step]:
        yield self._make_region_step(REGION, [region])
        yield from self._list_transfer_steps(moving, region)

    def _list_transfer_steps(
        self, moving: Iterable[moves.Transfer], chosen: int | None = None
    ) -> Iterator[clicks.Step]:
        """Yield the followers that go, and their goal unless it is chosen already; a swap is one step."""
        waiting = list(moving)
        while waiting:
            group, origin, target = going = waiting.pop(0)
            followers = self._list_follower_keys(origin, group)
            if origin == moves.SUPPLY:
                here, asked = target == chosen, PLACED.format(supply=self.board.terms.supply)
                yield clicks.Step(asked, followers, self._list_changes(going) if here else ())
                if not here:
                    yield self._make_region_step(TARGET, [target], going)
            elif target == moves.SUPPLY:
                asked = RETURNED.format(supply=self.board.terms.supply, region=self.board.name_region(origin))
                yield clicks.Step(asked, followers, self._list_changes(going))
            elif waiting and waiting[0].ends == (target, origin):
                yield self._make_swap_step(going, waiting.pop(0))
            else:
                yield clicks.Step(MOVED, followers)
                yield self._make_region_step(GOAL, [target], going)

    def _make_swap_step(self, going: moves.Transfer, coming: moves.Transfer) -> clicks.Step:
        """Return the choice of followers for followers; if a region gives none, of the region itself."""
        ask = SWAPPED if any(going.group) and any(coming.group) else FOR_NOTHING
        if moves.COURT in going.ends:
            ask = COURTED
        sides = (
            self._list_follower_keys(origin, group) or (get_region_key(self.board, origin),)
            for group, origin, _ in (going, coming)
        )
        return clicks.Step(ask, tuple(chain.from_iterable(sides)), self._list_changes(going, coming))

    def _make_region_step(self, ask: str, regions: Iterable[int], *moving: moves.Transfer) -> clicks.Step:
        """Return the choice of some regions, with which followers move."""
        return clicks.Step(ask, tuple(map(partial(get_region_key, self.board), regions)), self._list_changes(*moving))

    def _get_place_name(self, where: moves.Where) -> str:
        if where >= 0:
            return self.board.regions[where].code
        return "supply" if where == moves.SUPPLY else f"court-{self.seat}"

    def _list_changes(self, *moving: moves.Transfer) -> tuple[clicks.Change, ...]:
        changes = list[clicks.Change]()
        for group, origin, target in moving:
            for faction, number in enumerate(group):
                went = clicks.Change(self._get_place_name(origin), (faction, min(target, ELSEWHERE)))
                changes += [went, clicks.Change(self._get_place_name(target), (faction, CAME))] * number
        return tuple(changes)

    def _list_disc_changes(self, disc: int | None) -> tuple[clicks.Change, ...]:
        if disc is None:
            return ()
        return clicks.Change(TRACK, (disc,)), clicks.Change(self._get_place_name(moves.COURT), (SPENT,))

    def list_summons_changes(self, move: moves.Move) -> tuple[clicks.Change, ...]:
        if not isinstance(move, moves.Summon):
            return ()
        one = self.board.make_single(move.faction)
        return self._list_changes(moves.Transfer(one, move.region, moves.COURT))

    def _list_follower_keys(self, place: moves.Where, group: Followers) -> tuple[str, ...]:
        beyond = {moves.SUPPLY: "supply", moves.COURT: f"court/{self.seat}"}
        stem = beyond.get(place) or f"follower/{self.board.regions[place].code}"
        return tuple(f"{stem}/{f.letter}" for f, n in zip(self.board.factions, group, strict=True) for _ in range(n))


find_resolutions = lru_cache(64)(_Resolutions)


def get_region_key(board: Board, region: int) -> str:
    return f"region/{board.regions[region].code}"


def get_space_key(board: Board, region: int) -> str:
    return f"space/{board.regions[region].code}"


def get_follower_key(board: Board, region: int, faction: int) -> str:
    return f"follower/{board.regions[region].code}/{board.factions[faction].letter}"


@frozen
class _Clicks:
    """The clicks of the next player, in a position as that player knows it."""

    game: Struggle
    position: Position
    names: Sequence[str]
    board: Board = derive(lambda self: self.game.board)
    _resolutions: _Resolutions = derive(lambda self: find_resolutions(self.game, self.position.to_act))
    _grow: Callable[[_Growth], int] = derive(lambda self: cache(self._find_changed_factions))
    _end: Callable[[int], clicks.Ending] = derive(lambda self: cache(self._end_with))
    _make_ending: Callable[[str, tuple[str, ...]], clicks.Ending] = derive(lambda _: cache(clicks.Ending))
    _summonses: list[tuple[str, int]] = derive(lambda self: self._list_summonses())
    _here: int = derive(lambda self: self._find_factions())

    def build_choices(self) -> clicks.Choices:
        game = self.game
        ways = tuple(self._list_ways())
        regions = range(len(self.board.regions))
        summonses: list[moves.Move] = [
            moves.Summon(faction, region) for region in regions for faction in self.board.courtly
        ]
        summonses.append(moves.NoSummon())
        ends = {
            self._get_move_key(move): clicks.End(
                self._write_move(move), self._resolutions.list_summons_changes(move), move
            )
            for move in summonses
        }
        steps, then = {step for way in ways for step in way.steps}, {way.then for way in ways if way.then}
        used = {key for step in steps for key in step.keys} | {key for ending in then for key in ending.keys}
        return clicks.Choices(
            due=self._write_first_question(),
            ways=ways,
            ends={key: end for key, end in ends.items() if key in used},
            spots={key: spot for key, spot in self._list_spots() if key in used},
            rules={key: game.cards[card].rule for key, card in self._list_cards() if key in used},
            barred=dict(self._list_refusals()),
        )

    def _list_refusals(self) -> Iterator[tuple[str, clicks.Refusal]]:
        game, position = self.game, self.position
        for card in game.list_held(position, position.actor) if position.decision == "play" else ():
            if not game.list_options(position, card):
                broken = game.explain_unplayable(position, card)
                yield f"card/{card}", clicks.Refusal(f"{fill_names(broken.sentence, self.names)}.", broken.rule)
        for region, disc in enumerate(position.discs):
            if disc != OPEN:
                closed = clicks.Refusal(
                    CLOSED.format(region=self.board.name_region(region)), game.ids("action.resolved")
                )
                yield get_region_key(self.board, region), closed
                yield get_space_key(self.board, region), closed

    def _write_first_question(self) -> str:
        game, position = self.game, self.position
        if position.decision == "plot":
            return f"Choose the faction that {game.plot} counts for."
        if position.decision == "summon":
            return OR_NOBODY if moves.NoSummon() in game.legal(position) else SUMMON
        if game.summons.list_without_action(position):
            return "Choose a card to play, or a follower to take to your court without one, or pass."
        held = game.list_held(position, position.actor)
        return "Choose a card to play, or pass." if held else "You have no cards left, so you pass."

    def _list_ways(self) -> Iterator[clicks.Way]:
        game, position, due, find = self.game, self.position, self._write_first_question(), self._resolutions.find
        if position.decision != "play":
            for move in game.legal(position):
                yield self._make_click_way(due, move, self._get_move_key(move))
            return
        yield self._make_click_way(due, moves.Pass(), clicks.PASS)
        for card in game.list_held(position, position.actor):
            played = tuple(clicks.Change(f"{place}-{position.actor}", (card,)) for place in ("hand", "pile"))
            chosen = self._resolutions.share(clicks.Step(due, (f"card/{card}",), played))
            is_last = game.last_card is not None and game.last_card.is_held(position, card)
            for resolution in game.list_options(position, card):
                found = find(chosen, card, resolution)
                text, then = found.text, self._end_last(found) if is_last else self._find_ending(found)
                if "{" in text:
                    text = fill_names(text, self.names)
                for path in found.orders:
                    yield clicks.Way(text, path, then, found.play)
        for summons in game.summons.list_without_action(position):
            yield self._make_click_way(due, summons, self._get_move_key(summons))

    def _make_click_way(self, due: str, move: moves.Move, key: str) -> clicks.Way:
        passed = (clicks.Change(TURN, (PASSED,)),) if isinstance(move, moves.Pass) else ()
        changes = passed or self._resolutions.list_summons_changes(move)
        return clicks.Way(self._write_move(move), clicks.Path((clicks.Step(due, (key,), changes),)), None, move)

    def _write_move(self, move: moves.Move) -> str:
        return fill_names(self.game.words.write_move(move), self.names)

    def _end_last(self, found: _Resolved) -> clicks.Ending:
        """Return the summonses after an action with a card that has another end than all others."""
        after, _ = self.game.apply(self.position, found.play)
        return self._ask_for_summons(tuple(map(self._get_move_key, self.game.legal(after))))

    def _find_ending(self, found: _Resolved) -> clicks.Ending:
        """Return the summonses after an action, found once for all actions that leave the same factions in regions."""
        changed = 0
        for growth in found.growth:
            changed |= self._grow(growth)
        ending = self._end(changed)
        if found.is_idle:
            return self._make_ending(f"{found.play.card} has no effect now. {ending.ask}", ending.keys)
        return ending

    def _find_changed_factions(self, growth: _Growth) -> int:
        """Return the factions that come to a region, or leave it, as it grows or shrinks: each as a bit of its own."""
        before, changed = self.position.regions[growth.region], 0
        for faction, (was, more) in enumerate(zip(before, growth.change, strict=True)):
            if bool(was) != bool(was + more):
                changed |= self._make_bit(growth.region, faction)
        return changed

    def _make_bit(self, region: int, faction: int) -> int:
        return 1 << region * len(self.board.factions) + faction

    def _end_with(self, changed: int) -> clicks.Ending:
        """Return the summonses after an action by which some factions have come to regions or left them."""
        here = self._here ^ changed
        keys = tuple([key for key, bit in self._summonses if here & bit])
        nobody = (clicks.NOBODY,) if self.game.summons.optional or not keys else ()
        return self._ask_for_summons(keys + nobody)

    def _find_factions(self) -> int:
        """Return the factions that are in regions: each as a bit of its own."""
        regions = enumerate(self.position.regions)
        return sum(self._make_bit(region, faction) for region, each in regions for faction, n in enumerate(each) if n)

    def _list_summonses(self) -> list[tuple[str, int]]:
        """List the summonses of followers who are there, as if each region had all factions: each with its bit."""
        everywhere = tuple([(1,) * len(self.board.factions)] * len(self.board.regions))
        summonses = chain(*self.game.summons.list_after_action(self.position.replace(regions=everywhere)))
        return [
            (self._get_move_key(each), self._make_bit(each.region, each.faction))
            for each in summonses
            if isinstance(each, moves.Summon)
        ]

    def _ask_for_summons(self, keys: tuple[str, ...]) -> clicks.Ending:
        return self._make_ending(OR_NOBODY if clicks.NOBODY in keys else SUMMON, keys)

    def _get_move_key(self, move: moves.Move) -> str:
        match move:
            case moves.Summon(faction, region):
                return get_follower_key(self.board, region, faction)
            case moves.Reveal(_, faction):
                return f"{clicks.FACTION}/{self.board.factions[faction].letter}"
            case _:
                return clicks.NOBODY

    def _list_cards(self) -> Iterator[tuple[str, str]]:
        position = self.position
        for card in self.game.list_held(position, position.to_act or 0):
            yield f"card/{card}", card
        for seat, pile in enumerate(position.discards):
            if pile:
                yield f"pile/{seat}", pile[-1]

    def _list_spots(self) -> Iterator[tuple[str, clicks.Spot]]:
        board, position, names = self.board, self.position, self.names
        for card in self.game.list_held(position, position.to_act or 0):
            yield f"card/{card}", clicks.Spot(card, "Cards", card)
        for region in range(len(board.regions)):
            name, key = board.name_region(region), get_region_key(self.board, region)
            yield key, clicks.Spot(name, "Regions", name)
            for index, faction in enumerate(board.factions):
                spot = clicks.Spot(f"{faction.name} follower in {name}", name, faction.name)
                yield get_follower_key(self.board, region, index), spot
        for region in position.track:
            name = board.name_region(region)
            yield get_space_key(self.board, region), clicks.Spot(f"Region card of {name}", "Region cards", name)
        for faction in board.factions:
            name = f"{faction.name} follower of the {board.terms.supply}"
            yield f"supply/{faction.letter}", clicks.Spot(name, board.terms.stock, faction.name)
            court = clicks.Spot(f"{faction.name} follower of your court", "Your court", faction.name)
            yield f"court/{position.to_act}/{faction.letter}", court
            yield f"{clicks.FACTION}/{faction.letter}", clicks.Spot(faction.name, "Factions", faction.name)
        for seat in position.seats:
            if position.discards[seat]:
                top = position.discards[seat][-1]
                yield f"pile/{seat}", clicks.Spot(f"{top} on {names[seat]}'s pile", "Piles", f"{names[seat]}: {top}")
        yield clicks.NO_DISC, clicks.Spot("No disc", "Or", "No disc")
        yield clicks.NOBODY, clicks.Spot("Nobody", "Or", "Nobody")
        yield clicks.PASS, clicks.Spot("Pass", "Or", "Pass")
