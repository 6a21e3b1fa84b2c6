"""The words that some edition prints and another does not, so that tests can look for them where they do not belong."""

from __future__ import annotations

import re
from functools import cache

from tkid.games.struggle.rules.board import UNSTABLE
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import AnyGame
from tkid.rulebook.rulesets import rulesets

MEANT_WIDELY = {"Aid", "Attack", "Command", "Defeat", "Influence", "Invasion", "March", "Plot", "Spy", "disc", "France"}
"""Words of cards and pieces that are words of the language too, or of the notation of every edition."""


def words(game: AnyGame) -> set[str]:
    """What the edition of a game prints: regions, factions, cards, pieces."""
    if not isinstance(game, Struggle):
        return {"Goblin", "Knight", "Dwarf", "Undead", "Doppelganger", "trick"}
    board = game.board
    printed = {
        board.terms.supply,
        board.terms.disc,
        board.terms.negotiation,
        board.name_disc(UNSTABLE),
        *board.terms.takers,
    }
    named = {region.name for region in board.regions}
    named |= {word for faction in board.factions for word in (faction.name, faction.people)}
    return printed | named | {*game.cards, *game.absent}


@cache
def _patterns(code: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What finds the words of a ruleset, and what finds those that only others print."""
    own = next(words(each.game()) for each in rulesets() if each.code == code)
    others = set().union(*(words(each.game()) for each in rulesets())) - own - MEANT_WIDELY
    return _any_of(own), _any_of(others)


def _any_of(printed: set[str]) -> re.Pattern[str]:
    """Finds any of these words, also several of a thing; not in the names of rules."""
    either = "|".join(map(re.escape, sorted(printed, key=len, reverse=True)))
    return re.compile(rf"(?<![\w.-])(?:{either})s?(?![\w-])(?!\.[a-z])", re.IGNORECASE)


def foreign(code: str, text: str) -> list[str]:
    """The words in a text that other editions print and the one of a ruleset does not; names of rules aside."""
    own, others = _patterns(code)
    return others.findall(own.sub("-", text))
