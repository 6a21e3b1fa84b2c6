"""The picture of a rule: before and after, from a case of the conformance suite that the engine plays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from typing import Any

from attrs import evolve, frozen

from docs.making import panels
from docs.making.changes import Change, showing
from docs.making.drawn import DRAWINGS, NAMES
from tkid.games.struggle.rules.board import OPEN, Board, Position
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import fill_names
from tkid.render.clicks import find_drawing_plugin
from tkid.render.frames import open_view
from tkid.render.picture import LastTurn, write_svg_document
from tkid.rulebook import Rule, rule

FOLDER = "pictures"
"""Where the pictures are on the site."""


@frozen
class Side:
    """One half of a picture: its path on the site, its size, what is in it in words, and the caption."""

    path: str
    width: int
    height: int
    label: str
    caption: str


@frozen
class Picture:
    """The picture of a rule: one side or two, the case it is from, and a small one without words ("" for none).

    `barred` says why what it shows is not allowed, "" where it is.
    """

    number: str
    sides: tuple[Side, ...]
    small: str
    barred: str = ""

    @property
    def wide(self) -> bool:
        """Whether its sides are too wide for a phone next to each other."""
        return len(self.sides) == 1 or max(side.width for side in self.sides) > panels.BESIDE


@cache
def picture_of(rule_id: str) -> Picture | None:
    """The picture of a rule; None where no case shows it as something that can be seen."""
    return next(filter(None, map(picture_of_change, showing(rule(rule_id)))), None)


def small_pictures(rules: Iterable[Rule]) -> dict[str, str]:
    """The paths of small pictures by rule, for lists of rules."""
    found = {entry.id: picture_of(entry.id) for entry in rules if not entry.moved}
    return {rule_id: picture.small for rule_id, picture in found.items() if picture and picture.small}


def picture_of_change(change: Change) -> Picture | None:
    """The picture of a move; None where there is nothing to be seen of it."""
    return _of_struggle(change) if isinstance(change.game, Struggle) else _of_table(change)


# -- The King is Dead -------------------------------------------------------------------------------------


def _of_struggle(change: Change) -> Picture | None:
    """What a move changes on the board."""
    shown = panels.seen(change)
    if not shown or len(shown.regions) > panels.MANY:
        return None
    before = _words(change.game.board, change.before, shown)
    after = _words(change.game.board, change.after, evolve(shown, piles=()))
    drawn = panels.panel(change, change.before, shown)
    if change.broken or change.write_move is None:
        sides = [_side(drawn, before, change.text)]
    else:
        sides = [_side(drawn, f"Before: {before}", before)]
        drawn = panels.panel(change, change.after, shown)
        sides.append(_side(drawn, f"After: {after or 'no follower has moved.'}", change.text))
    return Picture(change.number, tuple(sides), _small(change, shown), change.reasons)


def _small(change: Change, shown: panels.Seen) -> str:
    """The path of a picture of the regions alone, for lists; "" where its pieces would be too small to be seen."""
    drawn = panels.panel(change, change.after, panels.Seen(shown.regions))
    if not shown.regions or drawn.width > panels.BESIDE:
        return ""
    return _kept(drawn.document(_words(change.game.board, change.after, panels.Seen(shown.regions)), small=True))


def _side(drawn: panels.Panel, label: str, caption: str) -> Side:
    return Side(_kept(drawn.document(label)), drawn.width, drawn.height, label, caption)


def _words(board: Board, position: Position, shown: panels.Seen) -> str:
    """What is seen, in words."""
    return " ".join(f"{each}." for each in _facts(board, position, shown))


def _facts(board: Board, position: Position, shown: panels.Seen) -> Iterator[str]:
    for region in shown.regions:
        lies = position.discs[region]
        held = board.name_disc(lies) if lies != OPEN else _counted(board, position.regions[region])
        yield f"{board.name_region(region)}: {held}"
    for seat in shown.courts:
        yield f"{NAMES[seat]}\u2019s court: {_counted(board, position.courts[seat])}"
    if shown.power:
        yield f"Regions controlled: {_counted(board, tuple(position.discs.count(f) for f in range(len(board.factions))))}"
    for seat in shown.piles:
        yield f"On {NAMES[seat]}\u2019s discard pile: {position.discards[seat][-1]}"
    for space in shown.spaces:
        region = position.track[space]
        disc = f", with a {board.terms.negotiation}" if region in position.negotiated else ""
        yield f"Space {space + 1}: {board.name_region(region)}{disc}"


def _counted(board: Board, followers: tuple[int, ...]) -> str:
    """Followers by name and number."""
    counts = [f"{faction.name} {n}" for faction, n in zip(board.factions, followers, strict=True) if n]
    return ", ".join(counts) or "none"


# -- other games ------------------------------------------------------------------------------------------


def _of_table(change: Change) -> Picture | None:
    """A move at the table of a game that is played with cards."""
    if change.write_move is None:
        return None
    first = _table(change, change.before, None)
    if change.broken:
        return Picture(change.number, (first(change.text),), "", change.reasons)
    last = LastTurn(change.seat, (change.write_move,), change.events, change.before)
    return Picture(change.number, (first(_due(change)), _table(change, change.after, last)(change.text)), "")


def _table(change: Change, position: Any, last: LastTurn | None) -> Any:
    """The table of a position, which waits for its caption."""
    view = open_view(change.game, position)
    drawn = find_drawing_plugin(change.game).draw_picture(
        change.game, view, NAMES[: len(position.seats)], last, layout="alone"
    )
    path = _kept(write_svg_document(drawn))
    return lambda caption: Side(path, drawn.width, drawn.height, drawn.description, caption)


def _due(change: Change) -> str:
    """Whose move it is."""
    return fill_names(f"{{{change.seat}}} is next.", NAMES)


def _kept(svg: str) -> str:
    """The path of a drawing on the site: the name depends on what is in it, so that each is there once."""
    path = f"{FOLDER}/{sha256(svg.encode()).hexdigest()[:12]}.svg"
    DRAWINGS[path] = svg
    return path
