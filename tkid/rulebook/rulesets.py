"""The rulesets by code, with their readings. Each edition states its own in the room of its game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from attrs import field, frozen

from tkid.kernel.game import AnyGame
from tkid.kernel.plugins import ROOMS, games, plugin
from tkid.rulebook import UnknownRuleError, known, rule
from tkid.rulebook.register import CITATIONS, in_force

SHORTEST = 3
"""A part of a code that is so long, or longer, may stand for the codes that have it."""


class UnknownRulesetError(LookupError):
    """No ruleset has this code."""


class UnknownRulingError(LookupError):
    """Code chooses an option of a ruling that a ruleset has no switch for."""

    def __init__(self, entry: Ruleset, ruling: str, option: str) -> None:
        known_ones = ", ".join(entry.switches) or "none"
        super().__init__(f"{entry.code} has no switch {ruling!r} to set to {option!r}; its switches are {known_ones}")


@frozen
class Ruleset:
    """A game to choose: its code, version, title, the source it implements, and how it is built.

    `page` is the page of the site about it. `rule_prefix` is the first word of the ids of its rules. `game_name` is the name of its game: with it the layers above
    find how to write, record, draw and mail it. `switches` are the rulings that a record may read otherwise. The
    version is raised when a change of the rules makes records play differently.
    """

    code: str
    version: int
    title: str
    page: str
    source: str
    rule_prefix: str
    game_name: str
    confidence: str
    switches: tuple[str, ...]
    build: Callable[[Mapping[str, str]], AnyGame] = field(repr=False)

    def defaults(self) -> dict[str, str]:
        """The reading taken of each switch unless a record chooses otherwise."""
        return {switch: rule(switch).default for switch in self.switches}

    def game(self, chosen: Mapping[str, str] | None = None) -> Any:
        """Build the game, once for each choice of readings.

        Args:
            chosen: options by the ids of their rulings; for rulings that it does not name, the defaults are taken.

        Returns:
            The game: a `Struggle` or a `Claim`, as `game_name` says.

        Raises:
            UnknownRulingError: a chosen ruling is none of the `switches`.
            UnknownOptionError: a chosen option is none of its ruling's.
        """
        if not chosen:
            return _usual(self.code)
        for ruling, option in chosen.items():
            if ruling not in self.switches:
                raise UnknownRulingError(self, ruling, option)
        return _built(self.code, tuple(sorted({**self.defaults(), **chosen}.items())))


@cache
def _places() -> Mapping[str, str]:
    """Where each ruleset is stated, by its code: `MODULE:NAME`."""
    stated = ((game, plugin(game, "rulesets/plugin")) for game in games())
    return {code: f"{ROOMS}.{game}.rulesets.{place}" for game, places in stated for code, place in places.items()}


@cache
def _entry(code: str) -> Ruleset:
    """The ruleset with exactly this code; its module is loaded, and those of other rulesets are not."""
    module, _, name = _places()[code].partition(":")
    entry: Ruleset = getattr(import_module(module), name)
    return entry


@cache
def _usual(code: str) -> AnyGame:
    return _built(code, tuple(sorted(_entry(code).defaults().items())))


@cache
def _built(code: str, readings: tuple[tuple[str, str], ...]) -> AnyGame:
    return _entry(code).build(dict(readings))


def codes() -> tuple[str, ...]:
    """The code of every ruleset, game by game, in the order in which they are listed to people."""
    return tuple(_places())


def rulesets() -> tuple[Ruleset, ...]:
    """Every ruleset that can be played. Where one is wanted, `ruleset` loads less.

    Returns:
        The rulesets, in the order of their `codes`.
    """
    return tuple(map(_entry, codes()))


def ruleset(code: str) -> Ruleset:
    """The ruleset of a code.

    Args:
        code: such as `second-edition`; capitals do not matter.

    Returns:
        The ruleset; its `game()` is what is played.

    Raises:
        UnknownRulesetError: no ruleset has this code; the message names those that have it in theirs, or one that looks alike.
    """
    if code.lower() not in codes():
        within = [each for each in codes() if len(code) >= SHORTEST and code.lower() in each]
        alike = within or get_close_matches(code.lower(), codes(), n=1)
        hint = f"Did you mean {' or '.join(alike)}?" if alike else f"Known are: {', '.join(codes())}"
        raise UnknownRulesetError(f"there is no ruleset {code!r}. {hint}")
    return _entry(code.lower())


def readings(game: AnyGame) -> dict[str, str]:
    """The readings that differ from the defaults in a game that `Ruleset.game` made."""
    entry = _entry(game.code)
    return {switch: taken for switch, taken in game.readings.items() if taken != entry.defaults()[switch]}


def check_citations(entries: Sequence[Ruleset]) -> None:
    """What functions cite exists: as a whole id or, in the room of a game, as a local id of one of its rulesets.

    Only functions of modules that are loaded are known. Raises UnknownRuleError.
    """
    for code, cited in CITATIONS.items():
        _, _, place = Path(code.co_filename).as_posix().rpartition(f"/{ROOMS.replace('.', '/')}/")
        game = place.partition("/")[0]
        played = [in_force(entry.rule_prefix) for entry in entries if entry.game_name == game]
        for rule_id in cited:
            if not known(rule_id) and not any(rule_id in rules for rules in played):
                raise UnknownRuleError(f"{place} cites {rule_id!r}, which is not in the register")
