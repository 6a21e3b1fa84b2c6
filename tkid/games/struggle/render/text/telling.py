"""A position and a turn told to people: the headline, how the struggle would end, what the last turn did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tkid.games.struggle.render.text import phrases
from tkid.games.struggle.render.text.deeds import deeds, heading, joined
from tkid.games.struggle.render.text.people import APOSTROPHE, capital, follower
from tkid.games.struggle.render.text.standings import before, lead, settled, settled_shortly, standing
from tkid.games.struggle.render.text.victory import deciding, over, players, won
from tkid.games.struggle.rules.board import OPEN
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Copy, Move, Play
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.turns.arrivals import Arrival
from tkid.games.struggle.rules.turns.struggles import ResolvedRegion, leaders
from tkid.games.struggle.rules.views import View
from tkid.kernel.game import Event, with_names
from tkid.notation.numbers import number
from tkid.render.lines import printable
from tkid.render.tale import Tale, Told

if TYPE_CHECKING:  # a text needs nothing that draws
    from tkid.render.picture import LastTurn


def headline(game: Struggle, view: View, names: Sequence[str]) -> str:
    """Whose turn it is and what is contested, or how the game ended."""
    shown, names = view.shown, list(map(printable, names))
    if shown.to_act is None:
        return over(game, shown, names)
    due = f"{names[shown.to_act]} to {phrases.due(game, shown)}"
    if shown.contested is None or not _goes_on(shown):
        return due
    return f"{due}: {game.board.name(shown.contested)} is contested"


def forecast(game: Struggle, view: View, names: Sequence[str]) -> str:
    """How the contested region would be resolved as it stands; by what a crown was won that the headline tells of."""
    shown = view.shown
    if shown.to_act is None and shown.ending == game.coronation.name and deciding(game, shown):
        return f"{capital(won(game, shown, list(map(printable, names))))}."
    return outlook(game, shown)


def outlook(game: Struggle, shown: Position, *, scored: bool = True) -> str:
    """How the contested region would be resolved, "" where nothing is contested any more; perhaps without numbers."""
    if shown.contested is None or shown.to_act is None or not _goes_on(shown):
        return ""
    last = shown.unstable + 1 == game.invaders
    return standing(game.board, shown.contested, shown.regions[shown.contested], last=last, scored=scored)


def told(game: Struggle, view: View, names: Sequence[str], last: LastTurn) -> str:
    """The last turn as a sentence."""
    names = list(map(printable, names))
    verbs = [deed for move in last.moves for deed in deeds(game, move, names)]
    struggles = _struggles(game, view, last)
    if not verbs:
        return f"{names[last.seat]} takes a turn."
    acts = f"{names[last.seat]} {joined(verbs)}"
    if not struggles:
        return f"{acts}."
    return f"{acts}, and {struggles}." if len(verbs) == 1 else f"{acts}; then {struggles}."


def tale(game: Struggle, view: View, names: Sequence[str], last: LastTurn) -> Tale:
    """The last turn step by step."""
    names = list(map(printable, names))
    title = f"{names[last.seat]} {heading(game, last.moves) if last.moves else 'takes a turn'}"
    struggles = _struggles(game, view, last, short=True)
    title += f", and {struggles}" if struggles else ""
    steps = tuple(_steps(game, view, names, last))
    return Tale(title, steps, tuple(_changes(game, view, last)), _next(game, view.shown, names))


def _struggles(game: Struggle, view: View, last: LastTurn, *, short: bool = False) -> str:
    """What a turn settled: `the Welsh win Gwynedd 3-1`, `three regions are settled at once`; "" for nothing."""
    found = [event.about for event in _seen(view, last) if isinstance(event.about, ResolvedRegion)]
    if len(found) > 1:
        return f"{number(len(found))} regions are settled at once"
    said = settled_shortly if short else settled
    return "".join(said(game.board, struggle.region, struggle.followers) for struggle in found)


def _seen(view: View, last: LastTurn) -> list[Event]:
    """What followed from a turn, as far as the seat may know."""
    return [event.seen(view.seat) for event in last.events]


# -- step by step -------------------------------------------------------------------------------------------


def _steps(game: Struggle, view: View, names: Sequence[str], last: LastTurn) -> Iterator[Told]:
    """Each decision of a turn, and what followed: the first event of each decision is the decision itself."""
    events, who = _seen(view, last), names[last.seat]
    for move, event in zip(last.moves, events, strict=False):
        yield from _decided(game, move, names, who, event.rule)
    followed = events[len(last.moves) :]
    for event in followed:
        if text := _followed(game, event, names):
            yield Told(f"{capital(text)}.", event.rule)
    if view.shown.to_act is None and followed:
        yield from _ended(game, view.shown, names)


def _decided(game: Struggle, move: Move, names: Sequence[str], who: str, rule: str) -> Iterator[Told]:
    """A decision; a card that is copied has a step of its own, with its own rule."""
    verbs = deeds(game, move, names)
    copy = move.resolution if isinstance(move, Play) and isinstance(move.resolution, Copy) else None
    yield Told(f"{who} {joined(verbs[:2] if copy else verbs)}.", rule)
    if copy and len(verbs) > 2:
        yield Told(f"{who} {joined(verbs[2:])}.", game.cards[copy.card].rule)


def _followed(game: Struggle, event: Event, names: Sequence[str]) -> str:
    """What followed by itself; "" for the comparisons at the end of a game, which are told together."""
    board = game.board
    match event.about:
        case ResolvedRegion(region, followers):
            return settled(board, region, followers)
        case Arrival(faction, region):
            return f"{follower(board, faction)} comes to {board.name(region)}"
    spoken = {game.ids("ruling.empty-hand"), *([game.ids("card.plot")] if game.plot else [])}
    return with_names(event.text.replace("'", APOSTROPHE), names) if event.rule in spoken else ""


def _ended(game: Struggle, shown: Position, names: Sequence[str]) -> Iterator[Told]:
    """The end of the game: who is crowned, and by what; or that all who are left tie."""
    rules = {ending.name: ending.rule for ending in game.endings}
    if shown.ending not in rules:
        return
    yield Told(f"{over(game, shown, names)}.", rules[shown.ending])
    step, chain = deciding(game, shown), (result.chain if (result := game.result(shown)) else ())
    if len(shown.winners) > 1 and step is None and chain:
        yield Told(f"{players(shown.winners, names)} are still tied after every comparison.", chain[-1].rule)
    if shown.ending == game.coronation.name and step is not None:
        yield Told(f"{capital(won(game, shown, names))}.", step.rule)


# -- what it changed ----------------------------------------------------------------------------------------


def _changes(game: Struggle, view: View, last: LastTurn) -> Iterator[str]:
    """Where others lead now than before the turn, and how the contested region would end."""
    shown, earlier, board = view.shown, last.before, game.board
    if shown.contested is None or not _goes_on(shown):
        return
    changed = _changed(shown, earlier) if earlier is not None else []
    for region in changed:
        was = before(board, earlier.regions[region])
        yield f"{lead(board, region, shown.regions[region])}; before, {was}."
    if earlier is not None and earlier.contested != shown.contested:
        yield f"{board.name(shown.contested)} is contested now."
    if shown.contested not in changed:
        yield outlook(game, shown)


def _goes_on(shown: Position) -> bool:
    """Whether a power struggle is to come, and the game is not over."""
    return shown.contested is not None and shown.decision in {"play", "summon"}


def _changed(shown: Position, earlier: Position) -> list[int]:
    """The open regions in which others lead than before."""
    pairs = enumerate(zip(earlier.regions, shown.regions, shown.discs, strict=True))
    return [region for region, (was, now, disc) in pairs if disc == OPEN and leaders(was) != leaders(now)]


def _next(game: Struggle, shown: Position, names: Sequence[str]) -> str:
    """Who is next, as a sentence, and that a pass would settle the region; "" when the game is over."""
    if shown.to_act is None:
        return ""
    name = names[shown.to_act]
    if shown.decision != "play":
        due = {"summon": "still has to summon", "plot": f"names a faction for {game.plot}"}
        return f"{name} {due[shown.decision or '']}."
    if shown.contested is not None and shown.passes + 1 == len(shown.courts):
        return f"{name} is next, and a pass would settle {game.board.name(shown.contested)}."
    return f"{name} is next."
