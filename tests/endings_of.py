"""The ways in which games of a ruleset can end, found in the chains of its endings; and the way one game took."""

from __future__ import annotations

from tkid.games.struggle.endings import Ending, Highest, If, Parties, Told
from tkid.games.struggle.game import Struggle
from tkid.games.struggle.position import Position
from tkid.kernel.game import Result
from tkid.rulesets import Ruleset

LAST_STRUGGLE = "third-disc-in-the-last-struggle"


def way(game: Struggle, position: Position) -> str:
    """How a finished game was decided: ending, the last rule asked, and whether teams played."""
    result = game.result(position)
    assert result is not None
    teams = "teams" if len(position.courts) == 4 else "players"
    return f"{result.ending} {_last(result)} {_taken(game, _last(result))}{teams}"


def _last(result: Result) -> str:
    asked = [step.rule for step in result.chain]
    return asked[-1]


def _taken(game: Struggle, rule: str) -> str:
    return f"{game.readings[rule]} " if rule in game.readings else ""


def ways(ruleset: Ruleset) -> set[str]:
    """Every way that the chains allow, under every reading of the links."""
    found: set[str] = set()
    for game in _under_each_reading(ruleset):
        for ending in (game.coronation, game.invasion):
            found |= {f"{ending.name} {rule} {_taken(game, rule)}{t}" for rule, t in _links(ending)}
    return found


def _under_each_reading(ruleset: Ruleset) -> list[Struggle]:
    from tkid.rulebook import rule  # noqa: PLC0415 - the register is asked here only

    return [ruleset.game(), *(ruleset.game({s: o}) for s in ruleset.switches for o in rule(s).options)]


def _links(ending: Ending) -> list[tuple[str, str]]:
    """The rules by which a chain can come to its end, each with who plays."""
    links: list[tuple[str, str]] = []
    for link in ending.chain:
        inner = link.then if isinstance(link, If) else link
        if isinstance(inner, Parties):
            links.append((inner.rule, "teams"))
        elif isinstance(inner, Highest) or inner is ending.chain[-1]:
            assert isinstance(inner, Highest | Told)
            links += [(inner.rule, "players"), (inner.rule, "teams")]
    return links
