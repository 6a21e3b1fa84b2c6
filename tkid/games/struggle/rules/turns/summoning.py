"""Summoning followers to court: who may be taken, and whether that has to be done, after an action or without one."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.board import Board, Followers
from tkid.games.struggle.rules.moves import NoSummon, Summon
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.words import Words
from tkid.kernel.ladder import NOTHING, WHERE, Condition, Ladder, Nothing, Shape, Slot
from tkid.kernel.options import Options
from tkid.kernel.problems import Violation
from tkid.rulebook import Ids

NO_SUMMON = NoSummon()


@frozen(eq=False)
class Summoning:
    """When a follower is summoned: after every action, or only if its player wants; and perhaps in a turn without a card.

    `due` is the rule by which one is summoned after an action. `optional` is the rule by which that may be left out, ""
    where it has to be done as long as any region holds a follower. `courtly` are the factions that can be summoned.
    `alone` is the rule by which a turn may be a summons and nothing else, "" where no turn is.
    """

    ladder: Ladder[Position, Summon]
    courtly: tuple[int, ...]
    due: str
    optional: str = ""
    alone: str = ""

    def anybody(self, position: Position) -> bool:
        """Whether there is anybody who could be summoned."""
        return any(followers[faction] for followers in position.regions for faction in self.courtly)

    def after_action(self, position: Position) -> list[Sequence[Summon | NoSummon]]:
        """What may follow an action."""
        _, parts = self.ladder.tier(position)
        return [*parts, (NO_SUMMON,)] if self.optional or not parts else [*parts]

    def without_action(self, position: Position) -> Options[Summon]:
        """Who may be summoned in a turn without a card."""
        parts = self.ladder.tier(position)[1] if self.alone else []
        return Options(parts, lambda move: bool(parts) and self.ladder.admits(position, move))

    def check(self, position: Position, move: Summon | NoSummon) -> tuple[Violation, ...]:
        """Every rule that a summons breaks, or the lack of one; whether it is due is not asked."""
        if isinstance(move, NoSummon):
            sentence = "You must summon: there are followers in the regions"
            missing = self.ladder.check(position, NOTHING)
            return () if self.optional else tuple(evolve(each, sentence=sentence) for each in missing)
        violations = self.ladder.check(position, move)
        if position.decision == "summon":
            return violations
        return tuple(evolve(each, alternatives=()) if each.alternatives == (NOTHING,) else each for each in violations)


def summoning(board: Board, ids: Ids, due: str = "summon.must", optional: str = "", alone: str = "") -> Summoning:
    """Any follower of any region; nobody only where no region holds one, or where summoning is `optional`.

    `due`, `optional` and `alone` are local ids of the rules that say so (see `Summoning`).
    """
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
    conditions = (courtly, present) if apart else (present,)
    summon = Shape[Position, Summon](
        rule=ids(due),
        label="a follower of a region",
        form=Summon,
        slots=(
            c.region_slot("region", board, ()),
            Slot("faction", c.contents(0), lambda _: kinds, conditions, where=c.region_at(board, 0)),
        ),
        ground=c.discs,
        make=lambda region, faction: Summon(faction, region),
    )

    def words(summoned: Summon | Nothing) -> str:
        return "no summon" if isinstance(summoned, Nothing) else Words(board).move(summoned)

    ladder: Ladder[Position, Summon] = Ladder(((summon,),), ids(due), ids(due), words)
    return Summoning(ladder, board.courtly, ids(due), ids(optional) if optional else "", ids(alone) if alone else "")
