"""The tiers of every card: which there are, and which one an action came from."""

from __future__ import annotations

from tests.shared.lines import Step
from tkid.games.struggle.rules.card import Card
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Copy, Play, Reveal
from tkid.kernel.ladder import NOTHING, Ladder
from tkid.rulebook import rule
from tkid.rulebook.rulesets import Ruleset

Cell = tuple[str, str]
"""A card and a tier of it."""
NOTHING_DONE = "nothing"
COPIED, NAMED, AS_READ = "copied", "named", "taken as read"


def games(ruleset: Ruleset) -> list[Struggle]:
    """The game as it is read by default, and under each other reading of one ruling."""
    return [ruleset.game(), *(ruleset.game({s: o}) for s in ruleset.switches for o in rule(s).options)]


def cells(ruleset: Ruleset) -> list[Cell]:
    """Every tier of every card, best first, those of other readings included; alternatives within a tier apart."""
    found = {name: dict[str, None]() for name in ruleset.game().cards}
    for game in games(ruleset):
        for card in game.cards.values():
            found[card.name] |= dict.fromkeys(tiers(card))
    return [(card, label) for card, labels in found.items() for label in sorted(labels, key=NOTHING_DONE.__eq__)]


def tiers(card: Card) -> tuple[str, ...]:
    """The tiers of a card, best first. Plot, which is never played, has two ways to count."""
    if isinstance(card.ladder, Ladder):
        return (*(shape.label for shapes in card.ladder.tiers for shape in shapes), NOTHING_DONE)
    return (NAMED, AS_READ) if card.form == "reveal" else (COPIED, NOTHING_DONE)


def cells_of(game: Struggle, step: Step) -> list[Cell]:
    """The tiers that occur in a turn: that of the card played, and of Plot where it is revealed."""
    as_read = {game.ids("ruling.plot")} if game.plot else set()
    found = [(game.plot, AS_READ) for event in step.events if event.rule in as_read]
    for move in step.moves:
        if isinstance(move, Reveal):
            found.append((move.card, NAMED))
        elif isinstance(move, Play):
            found.append((move.card, tier(game, step)))
    return found


def tier(game: Struggle, step: Step) -> str:
    """The label of the tier that a turn's action came from, "" where it has none."""
    move = step.moves[0]
    if not isinstance(move, Play):
        return ""
    if move.resolution == NOTHING:
        return NOTHING_DONE
    if isinstance(move.resolution, Copy):
        return COPIED
    ladder = game.cards[move.card].ladder
    assert isinstance(ladder, Ladder)
    shapes = (shape for shapes in ladder.tiers for shape in shapes)
    return next(shape.label for shape in shapes if shape.is_admitted(step.before, move.resolution))
