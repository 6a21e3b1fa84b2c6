"""Each reader, fed with damaged samples: it answers, or refuses in its own way, and raises nothing else.

`TKID_FUZZ_SEED` chooses other damage, and `TKID_FUZZ_CASES` how much for each reader: `make fuzz` takes many.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.mutations import mutate
from tests.fuzz.readers import READERS

SEED = int(os.environ.get("TKID_FUZZ_SEED") or f"{datetime.now(UTC):%Y%m%d}")
CASES = int(os.environ.get("TKID_FUZZ_CASES") or 300)
MORE = 2000
"""How many cases `make exhaustive` tries."""
LONG = {"mail": 12, "deal": 8, "record": 5}
"""Seconds that they take."""
FAILED = Path(os.environ.get("TKID_FUZZ_FAILED") or ".build/fuzz")


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_damaged_samples(name: str) -> None:
    damage(name, range(CASES))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.exhaustive(seconds=LONG.get(name, 2))) for name in READERS]
)
def test_more_damage(name: str) -> None:
    damage(name, range(CASES, CASES + MORE))


def damage(name: str, cases: range) -> None:
    """Feed a reader with damaged samples."""
    reader = READERS[name]
    samples = reader.samples()
    for case in cases:
        random = Random(f"{SEED} {name} {case}")
        data = mutate(random.choice(samples), random, samples)
        try:
            reader.read(data)
        except Exception as error:  # noqa: BLE001 - whatever it is, the sample is kept
            FAILED.mkdir(parents=True, exist_ok=True)
            file = FAILED / f"{name.replace(' ', '-')}-{sha256(data).hexdigest()[:8]}"
            file.write_bytes(data)
            pytest.fail(f"seed {SEED}, case {case} of {name}, kept in {file}: {type(error).__name__}: {error}")


@pytest.mark.parametrize("name", READERS)
def test_samples(name: str) -> None:
    """The samples themselves; those that made a reader fail once are among them."""
    samples = READERS[name].samples()
    assert samples
    for sample in samples:
        READERS[name].read(sample)
