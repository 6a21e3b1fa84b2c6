"""Power struggles, summoning and the followers that arrive after a struggle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from attrs import evolve, frozen

from tkid.games.struggle.rules import card as c
from tkid.games.struggle.rules.board import (
    OPEN,
    UNSTABLE,
    Board,
    Followers,
    Position,
    add_followers,
    describe_arrival,
    describe_struggle,
    find_leaders,
    replace_item,
    subtract_followers,
)
from tkid.games.struggle.rules.moves import NoSummon, StruggleWords, Summon
from tkid.kernel.game import Event
from tkid.kernel.ladder import NOTHING, WHERE, Condition, Ladder, Nothing, Options, Shape, Slot
from tkid.kernel.pickling import Portable
from tkid.kernel.problems import Violation
from tkid.notation.text import capitalize_text
from tkid.rulebook import Ids, cites

NO_SUMMON = NoSummon()


@frozen(eq=False)
class Summoning:
    """The rules of summoning: after every action, or only if the player wants; and perhaps in a turn without a card.

    `due` is the rule by which one is summoned after an action. `optional` is the rule by which a player may omit that,
    "" if it is a duty while any region holds a follower. `courtly` are the factions that can be summoned.
    `alone` is the rule by which a turn may be a summons and nothing else, "" if no turn may be.
    """

    ladder: Ladder[Position, Summon]
    courtly: tuple[int, ...]
    due: str
    optional: str = ""
    alone: str = ""

    def has_candidates(self, position: Position) -> bool:
        return any(followers[faction] for followers in position.regions for faction in self.courtly)

    def list_after_action(self, position: Position) -> list[Sequence[Summon | NoSummon]]:
        _, parts = self.ladder.find_tier(position)
        return [*parts, (NO_SUMMON,)] if self.optional or not parts else [*parts]

    def list_without_action(self, position: Position) -> Options[Summon]:
        parts = self.ladder.find_tier(position)[1] if self.alone else []
        return Options(parts, lambda move: bool(parts) and self.ladder.is_legal(position, move))

    def check(self, position: Position, move: Summon | NoSummon) -> tuple[Violation, ...]:
        """Return the rules that a summons breaks, or the lack of one; it doesn't check that one is due."""
        if isinstance(move, NoSummon):
            sentence = "You must summon: there are followers in the regions"
            missing = self.ladder.check(position, NOTHING)
            return () if self.optional else tuple(evolve(each, sentence=sentence) for each in missing)
        violations = self.ladder.check(position, move)
        if position.decision == "summon":
            return violations
        return tuple(evolve(each, alternatives=()) if each.alternatives == (NOTHING,) else each for each in violations)


def make_summoning(board: Board, ids: Ids, due: str = "summon.must", optional: str = "", alone: str = "") -> Summoning:
    """Allow any follower to be summoned, and no summons if no follower is left or it is `optional`, by these rules (see `Summoning`)."""
    kinds = range(len(board.factions))
    apart = next((faction.apart for faction in board.factions if faction.apart), "")
    present = Condition[Followers, int](
        ids("summon.region"),
        lambda stock, faction: stock[faction] > 0,
        lambda stock, faction: (
            f"{WHERE} has {board.in_words(stock)}, so you cannot summon {board.factions[faction].letter} from it"
        ),
    )
    courtly = Condition[Followers, int](
        ids(apart or "summon.region"),
        lambda _, faction: not board.factions[faction].apart,
        lambda _, faction: f"You cannot summon {board.factions[faction].name} followers",
    )
    conditions, factory = (courtly, present) if apart else (present,), c.CardFactory(board, ids)
    summon = Shape[Position, Summon](
        rule=ids(due),
        label="a follower of a region",
        form=Summon,
        slots=(
            factory.make_region_slot("region", ()),
            Slot("faction", c.make_region_stock(0), lambda _: kinds, conditions, where=factory.name_region_at(0)),
        ),
        ground=c.discs,
        make=lambda region, faction: Summon(faction, region),
    )

    def words(summoned: Summon | Nothing) -> str:
        return "no summon" if isinstance(summoned, Nothing) else StruggleWords(board).write_move(summoned)

    ladder: Ladder[Position, Summon] = Ladder(((summon,),), ids(due), ids(due), words)
    return Summoning(ladder, board.courtly, ids(due), ids(optional) if optional else "", ids(alone) if alone else "")


STRUGGLES_REMEMBERED = 1 << 14


@frozen
class ResolvedRegion(Portable):
    """A power struggle that was resolved: where, the followers that took part, and the disc that lies there now."""

    region: int
    followers: Followers
    disc: int


def list_struggles(events: Iterable[Event]) -> list[ResolvedRegion]:
    return [event.about for event in events if isinstance(event.about, ResolvedRegion)]


def find_struggle_outcome(followers: Followers) -> tuple[int, str]:
    """Return the disc that a region with these followers gets, and the rule (local id) that says so."""
    ahead = find_leaders(followers)
    if not ahead:
        return UNSTABLE, "struggle.empty"
    return (ahead[0], "struggle.majority") if len(ahead) == 1 else (UNSTABLE, "struggle.tie")


@cites("struggle.contested", "struggle.return", "struggle.face-down", "board.control")
def resolve_struggle(position: Position, board: Board, ids: Ids) -> tuple[Position, Event]:
    region = position.contested
    if region is None:
        raise ValueError("every power struggle is resolved")
    followers = position.regions[region]
    disc, rule = find_struggle_outcome(followers)
    after = position.replace(
        regions=replace_item(position.regions, region, (0,) * len(followers)),
        discs=replace_item(position.discs, region, disc),
        supply=add_followers(position.supply, followers),
        struggles=(*position.struggles, region),
        passes=0,
    )
    return after, _describe_struggle(board, ids, rule, region, followers, disc)


@lru_cache(STRUGGLES_REMEMBERED)
def _describe_struggle(board: Board, ids: Ids, rule: str, region: int, followers: Followers, disc: int) -> Event:  # noqa: PLR0917
    text = capitalize_text(describe_struggle(board, region, followers))
    line = f"{board.name(region)}: {board.write_outcome(disc)} ({board.format_counts(followers)})"
    return Event(ids(rule), text, line, about=ResolvedRegion(region, followers, disc))


@frozen
class Arrival(Portable):
    """A follower of a faction that has come to a region."""

    faction: int
    region: int


@frozen
class Arrivals:
    """Followers who come without being placed: their number, their regions at the start, and where the next comes.

    `target` gives for each region where one comes once that region is resolved. Those who are in no region wait
    in the supply, which is their stock.
    """

    faction: int
    number: int
    waiting: tuple[int, ...]
    target: tuple[int, ...]

    def find_next_region(self, position: Position) -> int | None:
        """Return the region where one comes after the latest power struggle, or None."""
        target = self.target[position.struggles[-1]]
        return target if position.discs[target] == OPEN and position.supply[self.faction] else None

    @cites("mordred.arrival", "ruling.mordred-stock")
    def add_arrival(self, position: Position, board: Board, ids: Ids) -> tuple[Position, tuple[Event, ...]]:
        """Let the follower come that a power struggle brings, if it brings one."""
        target = self.find_next_region(position)
        if target is None:
            return position, ()
        one = board.make_single(self.faction)
        regions = replace_item(position.regions, target, add_followers(position.regions[target], one))
        text = capitalize_text(describe_arrival(board, self.faction, target))
        arrived = position.replace(regions=regions, supply=subtract_followers(position.supply, one))
        return arrived, (Event(ids("mordred.arrival"), text, about=Arrival(self.faction, target)),)
