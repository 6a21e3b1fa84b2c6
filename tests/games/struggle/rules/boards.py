"""What the comparisons with the oracle share: its view of the map, small boards, and one question asked of both."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from attrs import define

from tests.oracle import cards as oracle
from tests.shared.strategies import GAME, NUMBERS, start
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Followers, Position, list_groups
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import fill_names

BOARD = GAME.board
CODES = [region.code for region in BOARD.regions]
BORDERS = {code: frozenset(CODES[n] for n in BOARD.neighbours[at]) for at, code in enumerate(CODES)}
HOMES = {faction.letter: CODES[home] for faction, home in zip(BOARD.factions, BOARD.homes, strict=True)}
CONTENTS = [group for size in (0, 1, 2) for group in list_groups(size, 3)]
"""Up to two followers."""
SUPPLIES = list(product((0, 1, 2), repeat=3))
SEED = 20261121

Written = dict[str, Any]
"""A position in JSON, as the oracle sees it."""


def engine(position: Position, card: str, game: Struggle = GAME) -> list[str]:
    """The engine's legal resolutions as texts, seats by number."""
    return [fill_names(game.words.resolution(r), NUMBERS) for r in game.cards[card].ladder.list_options(position)]


def agree(position: Position, written: Written, card: str, game: Struggle = GAME) -> int:
    """One question to the engine and the oracle; how many answers it has."""
    found = engine(position, card, game)
    wanted = oracle.resolutions(written, card, BORDERS, HOMES, game.readings)
    assert set(found) == wanted, (SEED, written, card, game.readings)
    assert len(found) == len(wanted), ("a resolution is listed twice", written, card)
    return len(found)


@define
class Questions:
    """Questions to the engine and the oracle, and how many answers they had."""

    asked: int = 0
    answers: int = 0

    def ask(self, position: Position, written: Written, card: str, game: Struggle) -> None:
        """One more."""
        self.answers += agree(position, written, card, game)
        self.asked += 1

    def tell(self, what: str) -> None:
        """Print the figures; with hardly an answer to a question something is wrong with the questions."""
        print(f"{what}: {self.asked:,} questions, {self.answers:,} answers")  # noqa: T201 - for people
        assert self.answers > 1.2 * self.asked


def counts(followers: Followers) -> dict[str, int]:
    """Followers as the oracle sees them."""
    return dict(zip("SWE", followers, strict=True))


def small(open_regions: tuple[str, ...], discs: Mapping[str, int], players: int = 2, game: Struggle = GAME) -> Position:
    """A position with only these regions open, all of them empty; seat 0 is to play."""
    whole = tuple(OPEN if code in open_regions else discs.get(code, UNSTABLE) for code in CODES)
    empty = ((0, 0, 0),) * len(CODES)
    resolved = tuple(at for at, disc in enumerate(whole) if disc != OPEN)
    track = (*resolved, *(at for at, disc in enumerate(whole) if disc == OPEN))
    return start(players, b"small", game).replace(regions=empty, discs=whole, track=track, struggles=resolved, to_act=0)


def with_contents(position: Position, open_regions: tuple[str, ...], contents: tuple[Followers, ...]) -> Position:
    """The position with these followers in its open regions."""
    regions = list(position.regions)
    for code, followers in zip(open_regions, contents, strict=True):
        regions[CODES.index(code)] = followers
    return position.replace(regions=tuple(regions))
