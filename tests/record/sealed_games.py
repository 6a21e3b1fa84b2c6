"""What the tests of seals and of proofs share: sealed games, and records with other `Seal` lines."""

from __future__ import annotations

from tests.makers.seals import SEVEN
from tests.shared.strategies import NAMES
from tkid.record.format.model import Record
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record
from tkid.record.format.seal import compute_seal
from tkid.record.play.writer import write_record

SEALED = f"sha256:{compute_seal(SEVEN).hex()}"
OPENED = f"entropy:{SEVEN.hex()}"
ANN, BOB = "word Ann: the kettle is on", "word Bob: seven grey geese"


ADVANCED = "second-edition-advanced"


def game(*words: str, players: int = 2, first: str = "", code: str = "second-edition") -> Record:
    """A new game."""
    return new_record(code, NAMES[:players], SEVEN, words=words, first=first)


SPOKEN = game("Ann=the kettle is on", "Bob=seven grey geese")


def text_with(*seals: str) -> str:
    """The text of the game above with other `Seal` lines."""
    lines = write_record(SPOKEN).splitlines()
    kept = [line for line in lines if not line.startswith("Seal:")]
    return "\n".join([*kept[:4], *(f"Seal: {seal}" for seal in seals), *kept[4:]]) + "\n"


def read(text: str) -> Record:
    """A record without problems."""
    found = read_record(text.encode())
    assert found.problems == ()
    assert found.record is not None
    return found.record
