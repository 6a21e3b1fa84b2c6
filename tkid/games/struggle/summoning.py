"""Summoning a follower to court: a ladder of one tier, below which nobody is left to summon."""

from __future__ import annotations

from tkid.games.struggle import conditions as c
from tkid.games.struggle.board import Board, Followers
from tkid.games.struggle.moves import Summon
from tkid.games.struggle.position import Position
from tkid.games.struggle.words import Words
from tkid.kernel.ladder import WHERE, Condition, Ladder, Nothing, Shape, Slot
from tkid.rulebook import Ids


def summoning(board: Board, ids: Ids) -> Ladder[Position, Summon]:
    """Any follower of any region; nothing only where no region holds one."""
    kinds = range(len(board.factions))
    apart = next((faction.apart for faction in board.factions if faction.apart), "")
    present: Condition[Followers, int] = Condition(
        ids("summon.region"),
        lambda stock, faction: stock[faction] > 0,
        lambda stock, faction: (
            f"{WHERE} holds {board.told(stock)}, so no {board.factions[faction].letter} can be summoned from it"
        ),
    )
    courtly: Condition[Followers, int] = Condition(
        ids(apart or "summon.region"),
        lambda _, faction: not board.factions[faction].apart,
        lambda _, faction: f"{board.factions[faction].name} followers are never summoned to court",
    )
    summon: Shape[Position, Summon] = Shape(
        rule=ids("summon.must"),
        label="a follower of a region",
        form=Summon,
        slots=(
            c.region_slot("region", board, ()),
            Slot(
                "faction",
                c.contents(0),
                lambda _: kinds,
                (courtly, present) if apart else (present,),
                where=c.region_at(board, 0),
            ),
        ),
        ground=c.discs,
        make=lambda region, faction: Summon(faction, region),
    )

    def words(summoned: Summon | Nothing) -> str:
        return "no summon" if isinstance(summoned, Nothing) else Words(board).move(summoned)

    return Ladder(((summon,),), ids("summon.must"), ids("summon.must"), words)
