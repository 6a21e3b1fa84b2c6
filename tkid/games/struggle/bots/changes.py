"""What the ways to play a card change, remembered by block: many positions have the same ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from tkid.games.struggle.rules.board import Followers
from tkid.games.struggle.rules.effects import balance
from tkid.games.struggle.rules.moves import Copy, Exchange, carried_out
from tkid.games.struggle.rules.transfers import Where
from tkid.kernel.ladder import Nothing
from tkid.kernel.options import Combinations, Each, Options

BLOCKS_REMEMBERED = 1 << 13

Change = tuple[tuple[Where, Followers], ...]
"""By how many followers each place grows, or shrinks."""
Way = tuple[Any, Change]
"""A resolution, and what it changes among followers."""


def ways(options: Sequence[Any]) -> Iterator[tuple[Way, ...]]:
    """All ways to play a card, in groups, each with what it changes."""
    for part in options.parts if isinstance(options, Options) else (options,):
        if isinstance(part, Combinations):
            make, blocks = part.blocks
            for fixed, free in blocks:
                yield _block(make, fixed, free)
        elif isinstance(part, Each):
            yield from _made(part)
        elif isinstance(part, Options):
            yield from ways(part)
        else:
            yield _changed(part)


def _made(part: Each[Any, Any]) -> Iterator[tuple[Way, ...]]:
    """Ways that are made of the ways of something else: copies."""
    make, items = part.made
    for group in ways(items):
        yield tuple([(make(resolution), change) for resolution, change in group])


@lru_cache(BLOCKS_REMEMBERED)
def _block(make: Callable[..., Any], fixed: tuple[Any, ...], free: tuple[tuple[Any, ...], ...]) -> tuple[Way, ...]:
    return _changed(make(*fixed, *chosen) for chosen in product(*free))


def _changed(resolutions: Iterable[Any]) -> tuple[Way, ...]:
    return tuple([(resolution, _change(resolution)) for resolution in resolutions])


def _change(resolution: Any) -> Change:
    done = carried_out(resolution) if isinstance(resolution, Copy) else resolution
    return () if isinstance(done, Nothing | Exchange) else balance(done)
