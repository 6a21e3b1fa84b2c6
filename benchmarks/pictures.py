"""Speed and size of pictures: as SVG, as PNG as mails have it, what a letter costs when it goes out; and of replays.

`python -m benchmarks.pictures` runs it alone.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time

import chess
import chess.svg
from attrs import evolve

from tests.make_games import FOLDER
from tests.post.players import HOST, TIME
from tkid.post.hosted import ask
from tkid.post.illustrated import MOST_BYTES, WIDTH, drawn, finished
from tkid.post.letters import compose
from tkid.record.read import read_record
from tkid.record.replay import Replay, replay
from tkid.render.picture import document
from tkid.render.png import png
from tkid.render.replay import replay_page

TIMES = 9
GAMES = {
    "second-edition": "whole-game-for-4",
    "second-edition-advanced": "whole-game-for-4",
    "first-edition": "whole-game-for-4",
    "first-edition-mordred": "whole-game-for-4",
    "digest": "whole-game-for-4",
    "digest-advanced": "whole-game-for-4",
    "manual": "whole-game-for-4",
    "claim": "whole-game-for-2",
}


def whole(code: str) -> Replay:
    """A recorded game of a ruleset, played through anew, so that nothing is remembered with it."""
    record = read_record((FOLDER / code / f"{GAMES[code]}.tkid").read_bytes()).record
    assert record is not None
    return replay(record)


def middle(code: str) -> Replay:
    """A recorded game of a ruleset, half way."""
    record = whole(code).record
    return replay(evolve(record, turns=record.turns[: len(record.turns) // 2], end=()))


def taken(work: Callable[[], object]) -> float:
    """The median of several times, in ms of processor time."""
    times = []
    for _ in range(TIMES):
        start = process_time()
        work()
        times.append(process_time() - start)
    return median(times) * 1000


def main() -> None:
    """Print the figures."""
    yardstick = taken(lambda: chess.svg.board(chess.Board()))
    print(f"yardstick: a chess board as SVG by python-chess {yardstick:5.1f} ms")
    for code in GAMES:
        at = middle(code)
        seat = at.position.to_act or 0
        picture = drawn(at, seat)
        as_svg, as_png = taken(lambda: document(drawn(at, seat))), taken(lambda: png(picture, width=WIDTH))  # noqa: B023 - called at once
        told = f"SVG {as_svg:5.1f} ms, ratio {yardstick / as_svg:.1f}   wanted: under 5; PNG {as_png:4.0f} ms   wanted: under 250"
        print(
            f"{code:24} {told}; {len(png(picture, width=WIDTH)) / 1000:5.1f} kB   wanted: under {MOST_BYTES / 1000:.0f}"
        )
        letter = ask(at, TIME)
        assert letter is not None
        stored = compose(at, letter, "ann@example.org", HOST, pictures=True)
        sent = finished(stored)
        assert not sent.wanting, sent.wanting
        print(f"  a letter goes out in {taken(lambda: finished(stored)):4.0f} ms with {len(sent.mail) / 1000:5.1f} kB")  # noqa: B023
        games = iter([whole(code) for _ in range(TIMES)])
        as_page, size = taken(lambda: replay_page(next(games))), len(replay_page(whole(code)).encode())  # noqa: B023
        told = f"{as_page:4.0f} ms   wanted: under 300; {size / 1000:5.1f} kB   wanted: under 1000"
        print(f"  a replay of {len(whole(code).record.turns)} turns {told}")


if __name__ == "__main__":
    main()
