"""What words and signs of a sentence weigh for a doubt about the turn: a table that `benchmarks/train_judge.py` makes."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from zlib import crc32

FILE = Path(__file__).with_name("weights.bin")
ROW = struct.Struct(">Ib")
"""A row of the file: the checksum of a feature, and its weight."""
UNIT = 64
"""The weight by which the odds of a doubt grow by a factor of e."""


def key_of(feature: str) -> int:
    """The checksum of a feature."""
    return crc32(feature.encode())


@lru_cache(1)
def weights() -> Mapping[int, int]:
    """The weights of all features, by their checksums."""
    return dict(ROW.iter_unpack(FILE.read_bytes()))


def knows(table: Mapping[int, int], word: str) -> bool:
    """Whether a word was in more than one of the mails that the weights are made from."""
    return key_of(f"1 {word}") in table


def score(table: Mapping[int, int], features: Iterable[str]) -> int:
    """Return the sum of the weights of features: above 0 where a doubt is likelier than none."""
    return sum(table.get(key_of(each), 0) for each in features)
