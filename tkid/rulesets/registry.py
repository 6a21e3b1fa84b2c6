"""The rulesets by code, with their readings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from attrs import field, frozen

from tkid.kernel.game import AnyGame
from tkid.rulebook import UnknownRuleError, known, rule
from tkid.rulebook.register import CITATIONS, in_force
from tkid.rulesets import claim, digest, first_edition, first_edition_mordred, manual, second_edition


class UnknownRulesetError(LookupError):
    """No ruleset has this code."""


@frozen
class Ruleset:
    """A playable value: its code, version, title, the source it implements, and how it is built.

    `family` is that of its rules, the beginning of their ids; `plays` that of its game, by which the layers above find
    how it is written, recorded, shown and mailed. `switches` are the rulings that a record may read otherwise. The
    version is raised when a change of the rules makes records play differently.
    """

    code: str
    version: int
    title: str
    source: str
    family: str
    plays: str
    confidence: str
    switches: tuple[str, ...]
    build: Callable[[Mapping[str, str]], AnyGame] = field(repr=False)

    def defaults(self) -> dict[str, str]:
        """The reading taken of each switch unless a record chooses otherwise."""
        return {switch: rule(switch).default for switch in self.switches}

    def game(self, chosen: Mapping[str, str] | None = None) -> Any:
        """The game under the chosen readings, the defaults for the others: one of its family."""
        return _built(self.code, tuple(sorted({**self.defaults(), **(chosen or {})}.items())))


SECOND_EDITION = Ruleset(
    code="second-edition",
    version=1,
    title="The King is Dead, second edition: the basic game",
    source="rulebook of the second edition, 2020",
    family="second",
    plays="struggle",
    confidence="complete; the borders are read off the printed board",
    switches=("second.ruling.final-tie", "second.ruling.second-rank"),
    build=second_edition.build,
)

SECOND_EDITION_ADVANCED = Ruleset(
    code="second-edition-advanced",
    version=1,
    title="The King is Dead, second edition: the advanced game",
    source="rulebook of the second edition, 2020",
    family="second",
    plays="struggle",
    confidence="complete; the borders are read off the printed board",
    switches=(
        *SECOND_EDITION.switches,
        "second.ruling.spy-pile",
        "second.ruling.suppress-second",
        "second.ruling.plot-hand",
    ),
    build=second_edition.build_advanced,
)

_DIGEST = "a retelling of the second edition under names of its own, author unknown"

DIGEST = Ruleset(
    code="digest",
    version=1,
    title="The King is Dead, digest of the second edition: the basic game",
    source=_DIGEST,
    family="digest",
    plays="struggle",
    confidence="what the digest leaves out is as in the second edition",
    switches=(*SECOND_EDITION.switches, "digest.ruling.invasion"),
    build=digest.build,
)

DIGEST_ADVANCED = Ruleset(
    code="digest-advanced",
    version=1,
    title="The King is Dead, digest of the second edition: the advanced game",
    source=_DIGEST,
    family="digest",
    plays="struggle",
    confidence="what the digest leaves out is as in the second edition; seven of its cards are known from the digest only",
    switches=(*DIGEST.switches, "second.ruling.spy-pile", "second.ruling.plot-hand"),
    build=digest.build_advanced,
)

FIRST_EDITION = Ruleset(
    code="first-edition",
    version=1,
    title="The King is Dead, first edition",
    source="rules of the first edition, 2015",
    family="first",
    plays="struggle",
    confidence="rules complete; the borders are inferred, and what the cards do is likely but not printed in the source",
    switches=("first.ruling.undo",),
    build=first_edition.build,
)

FIRST_EDITION_MORDRED = Ruleset(
    code="first-edition-mordred",
    version=1,
    title="The King is Dead, first edition: the Mordred variant",
    source="rules of the first edition, 2015, and the publisher's page of the variant",
    family="first",
    plays="struggle",
    confidence="as the first edition; the variant is known from facts of the publisher's page, not from its text",
    switches=FIRST_EDITION.switches,
    build=first_edition_mordred.build,
)

MANUAL = Ruleset(
    code="manual",
    version=1,
    title="The King is Dead, reference manual",
    source="a reference manual by an unknown author, loosely after the first edition",
    family="manual",
    plays="struggle",
    confidence="it contradicts itself in places and leaves much out; what fills the gaps is the first edition",
    switches=(),
    build=manual.build,
)

CLAIM = Ruleset(
    code="claim",
    version=1,
    title="Claim: tricks in two phases",
    source="rules of Claim",
    family="claim",
    plays="tricks",
    confidence="complete; a garbled sentence is mended, and who leads first in phase two is inferred",
    switches=(),
    build=claim.build,
)

_RULESETS = {
    entry.code: entry
    for entry in (
        SECOND_EDITION,
        SECOND_EDITION_ADVANCED,
        FIRST_EDITION,
        FIRST_EDITION_MORDRED,
        DIGEST,
        DIGEST_ADVANCED,
        MANUAL,
        CLAIM,
    )
}


@cache
def _built(code: str, readings: tuple[tuple[str, str], ...]) -> AnyGame:
    return _RULESETS[code].build(dict(readings))


def rulesets() -> tuple[Ruleset, ...]:
    """Every registered ruleset."""
    return tuple(_RULESETS.values())


def ruleset(code: str) -> Ruleset:
    """The ruleset of a code. Raises UnknownRulesetError, which names those that look alike."""
    try:
        return _RULESETS[code.lower()]
    except KeyError:
        alike = get_close_matches(code.lower(), _RULESETS, n=1)
        hint = f"Did you mean {alike[0]}?" if alike else f"Known are: {', '.join(_RULESETS)}"
        raise UnknownRulesetError(f"there is no ruleset {code!r}. {hint}") from None


def readings(game: AnyGame) -> dict[str, str]:
    """The readings that differ from the defaults in a game that `Ruleset.game` made."""
    entry = _RULESETS[game.code]
    return {switch: taken for switch, taken in game.readings.items() if taken != entry.defaults()[switch]}


def _check_citations() -> None:
    """What functions of a game cite exists: as it is, or as a local id in a family of rules that it is played by."""
    for plays in {entry.plays for entry in _RULESETS.values()}:
        played = {local for entry in _RULESETS.values() if entry.plays == plays for local in in_force(entry.family)}
        for code, cited in CITATIONS.items():
            if f"/games/{plays}/" in Path(code.co_filename).as_posix():
                for local in cited:
                    if local not in played and not known(local):
                        raise UnknownRuleError(f"code cites {local!r}, which no family of the register has")


_check_citations()
