"""Speed and size of pictures and replays, in processor time: `python -m benchmarks.pictures`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import process_time

import chess
import chess.svg

from benchmarks.arrows import arrows_report
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.render.frames import picture_at
from tkid.render.picture import Picture, document
from tkid.render.png import NoPngError, png
from tkid.render.replay_page import replay_page

GAMES = Path(__file__).parents[1] / "fixtures" / "games"
ROUNDS = 5
PICTURES = 100


def longest(folder: Path) -> Path:
    """The recorded game of a ruleset that takes the most lines."""
    return max(folder.glob("*.tkid"), key=lambda file: (file.read_bytes().count(b"\n"), file.name))


def game(file: Path) -> Replay:
    """A recorded game, replayed, so that nothing is cached with it."""
    record = read_record(file.read_bytes()).record
    assert record is not None
    return replay(record)


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Milliseconds of the best of some rounds."""
    taken = []
    for _ in range(rounds):
        begin = process_time()
        work()
        taken.append(process_time() - begin)
    return 1000 * min(taken)


def draw(played: Replay) -> None:
    """So many pictures, turn by turn, as the next player sees them."""
    for index in islice(cycle(range(len(played.moments))), PICTURES):
        document(picture_at(played, index, played.moments[index].position.to_act))


def chess_boards() -> None:
    """So many pictures of a chess board with python-chess."""
    board = chess.Board()
    for _ in range(PICTURES):
        chess.svg.board(board)


def png_report(picture: Picture) -> str:
    """How long a PNG takes and how large it is, or why there is none."""
    try:
        size = len(png(picture))
    except NoPngError as error:
        return str(error)
    return f"{best(partial(png, picture)):9.0f} ms, {size / 1000:.0f} kB, wanted: under 250"


def main() -> None:
    """SVG, PNG and a whole game as a page, for each ruleset."""
    yardstick = best(chess_boards) / PICTURES
    print(f"pictures: yardstick  {yardstick:9.2f} ms a chess board as SVG with python-chess")
    for folder in sorted(GAMES.iterdir()):
        file = longest(folder)
        played = game(file)
        half = len(played.moments) // 2
        picture = picture_at(played, half, played.moments[half].position.to_act)
        svg, size = best(partial(draw, played)) / PICTURES, len(document(picture).encode())
        report = f"{svg:9.2f} ms an SVG of {size / 1000:.0f} kB, wanted: under 5; ratio {yardstick / svg:.2f}"
        print(f"pictures             {report} ({folder.name})")
        if played.record.game.name == "struggle":
            print(f"  arrows             {arrows_report(played, best, yardstick)}")
        print(f"  PNG                {png_report(picture)}")
        size = len(replay_page(played).encode())
        whole = min(best(partial(replay_page, each), 1) for each in [game(file) for _ in range(ROUNDS)])
        print(
            f"  replay, {len(played.record.turns):3} turns  {whole:9.0f} ms, {size / 1000:.0f} kB, wanted: under 300 and 1,000"
        )


if __name__ == "__main__":
    main()
