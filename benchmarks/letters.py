"""Speed and size of letters when they go out with their pictures, in processor time: `python -m benchmarks.letters`."""

from __future__ import annotations

from functools import partial

from attrs import evolve

from benchmarks.pictures import best
from tests.host.year.players import HOST, TIME
from tests.makers.games import FOLDER
from tkid.mail.desk.service import ask
from tkid.mail.letters.message import compose
from tkid.mail.letters.pictures import finished
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay

GAMES = (
    "second-edition/whole-game-for-4",
    "second-edition-advanced/whole-game-for-4",
    "first-edition/whole-game-for-4",
    "digest-advanced/whole-game-for-4",
    "claim/whole-game-for-2",
)


def stored(name: str) -> bytes:
    """The turn mail of a recorded game half way, as a store keeps it."""
    record = read_record((FOLDER / f"{name}.tkid").read_bytes()).record
    assert record is not None
    half = replay(evolve(record, turns=record.turns[: len(record.turns) // 2], end=()))
    letter = ask(half, TIME)
    assert letter is not None
    return compose(half, letter, "ann@example.org", HOST, pictures=True)


def main() -> None:
    """Print the figures."""
    for name in GAMES:
        mail = stored(name)
        whole = finished(mail)
        assert not whole.missing_pictures, whole.missing_pictures
        taken, size = best(partial(finished, mail)), len(whole.mail) / 1000
        print(f"letter goes out, {name.partition('/')[0]:24} {taken:5.0f} ms, {size:5.1f} kB with all that it encloses")


if __name__ == "__main__":
    main()
