"""The ways in which games of a ruleset can end, found in the chains of its endings; and the way one game took."""

from __future__ import annotations

from functools import lru_cache

from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.endings import Ending, Highest, Parties, Plotter
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import Result
from tkid.rulebook import rule
from tkid.rulebook.rulesets import Ruleset

LAST_STRUGGLE = "third-disc-in-the-last-struggle"
PLAYERS, TEAMS = "players", "teams"


def sides(position: Position) -> str:
    """Whether teams play, or everybody for himself."""
    return TEAMS if len(position.courts) == 4 else PLAYERS


@lru_cache(16)
def outcome(game: Struggle, position: Position) -> Result | None:
    """How a game ended, None before: remembered, as many ask it of one position."""
    return game.result(position)


def way(game: Struggle, position: Position) -> str:
    """How a finished game was decided: ending, the last rule asked, and whether teams played."""
    result = outcome(game, position)
    assert result is not None
    return f"{result.ending} {last_rule(result)} {_taken(game, last_rule(result))}{sides(position)}"


def decided(game: Struggle, position: Position) -> bool:
    """Whether a game is over, and the last comparison that was asked told the tied apart, or was none."""
    result = outcome(game, position)
    return result is not None and "(still tied)" not in result.chain[-1].text


def last_rule(result: Result) -> str:
    """The rule of the last link that was asked."""
    return result.chain[-1].rule


def _taken(game: Struggle, rule_id: str) -> str:
    return f"{game.readings[rule_id]} " if rule_id in game.readings else ""


def ways(ruleset: Ruleset) -> set[str]:
    """Every way that the chains allow, under every reading of a ruling that is a link."""
    found: set[str] = set()
    for game in _under_each_reading(ruleset):
        for ending in game.endings:
            found |= {f"{ending.name} {rule_id} {_taken(game, rule_id)}{who}" for rule_id, who in _links(ending)}
    return found


def _under_each_reading(ruleset: Ruleset) -> list[Struggle]:
    """The game as it is read by default, and under each reading on which a link depends.

    Other switches (how Suppress or Spy are read, whether Plot counts as a hand) change no chain.
    """
    game = ruleset.game()
    links = {link.rule for ending in game.endings for link in ending.chain}
    return [game, *(ruleset.game({s: o}) for s in ruleset.switches if s in links for o in rule(s).options)]


def _links(ending: Ending) -> list[tuple[str, str]]:
    """The rules by which a chain can come to its end, each with who plays."""
    links: list[tuple[str, str]] = []
    for link in ending.chain:
        if isinstance(link, Parties):
            links.append((link.rule, TEAMS))
        elif isinstance(link, Highest | Plotter) or (link is ending.chain[-1] and link.where is None):
            links += [(link.rule, PLAYERS), (link.rule, TEAMS)]
    return links
