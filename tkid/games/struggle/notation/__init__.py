"""The King is Dead's part for the notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Exchange, Move, NoSummon, Play, Reveal, Summon, Swap, follow_copy
from tkid.notation.plugin import NotationPlugin

if TYPE_CHECKING:
    from tkid.games.struggle.notation.free_text import FreeReader
    from tkid.notation.shorthand import Shorthand

OTHER_SIDE = {"left": "right", "right": "left", "give": "take", "take": "give", "first": "second", "second": "first"}


class StruggleNotation(NotationPlugin):
    """The notation of The King is Dead."""

    reader, standing = TurnReader, ("pass",)

    def make_free_reader(self, game: Struggle, names: Sequence[str] = ()) -> FreeReader:
        from tkid.games.struggle.notation.free_text import FreeReader  # noqa: PLC0415 - most turns are in the notation

        return FreeReader(game, names)

    def make_shorthand(self, game: Struggle, names: Sequence[str] = ()) -> Shorthand:
        from tkid.games.struggle.notation.noted_setup import NotesReader  # noqa: PLC0415 - as above

        return NotesReader(game, names)

    def find_part(self, read: Move | None, canonical: Move, part: str) -> str:
        return OTHER_SIDE.get(part, "") if _is_reversed(read, canonical) else part

    def write_alternative(self, game: Struggle, move: Move, alternative: Any) -> str:
        if isinstance(alternative, Summon | Reveal):
            return game.words.write_move(alternative)
        if isinstance(move, Play) and not isinstance(alternative, NoSummon):
            return game.words.write_move(Play(move.card, alternative))
        return "no summon"


def _is_reversed(read: Move | None, canonical: Move) -> bool:
    if not isinstance(read, Play) or not isinstance(canonical, Play):
        return False
    match follow_copy(read.resolution), follow_copy(canonical.resolution):
        case Swap() as a, Swap() as b:
            return a.left != b.left
        case Exchange() as c, Exchange() as d:
            return c.first != d.first
    return False


PLUGIN = StruggleNotation()
