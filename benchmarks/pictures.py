"""Speed and size of pictures and replays, in processor time: `python -m benchmarks.pictures`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import process_time

import chess
import chess.svg

from benchmarks.arrows import arrows_report
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.render import raster
from tkid.render.click_page import click_page
from tkid.render.frames import picture_at
from tkid.render.picture import Picture, write_svg_document
from tkid.render.raster import Tiles, draw_gif, draw_png, encode_png, explain_missing_png
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
        write_svg_document(picture_at(played, index, played.moments[index].position.to_act))


def chess_boards() -> None:
    """So many pictures of a chess board with python-chess."""
    board = chess.Board()
    for _ in range(PICTURES):
        chess.svg.board(board)


def png_report(played: Replay, index: int) -> Iterator[str]:
    """How long PNGs take and how large they are: drawn at once, of tiles that are new, that are known, and most of them.

    Then a card for links and the whole game as a GIF.
    """
    picture = picture_at(played, index, None)
    if reason := explain_missing_png():
        yield f"PNG                {reason}"
        return
    card, moving, tiles = raster.draw_cover(played, index), draw_gif(played), Tiles()
    sizes = [
        len(draw_png(picture)),
        len(draw_png(card, width=raster.COVER_WIDTH, colours=raster.COVER_COLOURS)),
        len(moving),
    ]
    whole, new = best(partial(draw_png, picture)), best(lambda: encode_png(Tiles().draw_image(picture)), 2)
    known = best(lambda: encode_png(tiles.draw_image(picture)))
    before = picture_at(played, index - 1, None)
    turn = min(a_turn_later(before, picture) for _ in range(ROUNDS))
    yield f"PNG                {known:9.0f} ms of known tiles, {sizes[0] / 1000:.0f} kB, wanted: under 60"
    yield f"  after a turn     {turn:9.0f} ms; of new tiles {new:.0f} ms; drawn at once {whole:.0f} ms; a host keeps its tiles"
    yield f"card for links     {best(partial(draw_png, card, width=raster.COVER_WIDTH), 2):9.0f} ms, {sizes[1] / 1000:.0f} kB"
    yield f"GIF, {len(played.moments):3} frames    {best(partial(draw_gif, played), 1):9.0f} ms, {sizes[2] / 1000:.0f} kB"


def a_turn_later(before: Picture, after: Picture) -> float:
    """Milliseconds for a PNG when the tiles of the position before it are known."""
    tiles = Tiles()
    tiles.draw_image(before)
    return best(lambda: encode_png(tiles.draw_image(after)), 1)


def click_report(played: Replay, index: int) -> str:
    """How long the board to click takes, and how large it is."""
    seat = played.moments[index].position.to_act
    view = played.record.game.view(played.moments[index].position, seat)
    make = partial(click_page, played.record.game, view, played.record.names, title="A turn")
    return f"{best(make, 2):9.0f} ms, {len(make().encode()) / 1000:.0f} kB, wanted: under 250 kB"


def main() -> None:
    """SVG, PNG and a whole game as a page, for each ruleset."""
    yardstick = best(chess_boards) / PICTURES
    print(f"pictures: yardstick  {yardstick:9.2f} ms a chess board as SVG with python-chess")
    for folder in sorted(GAMES.iterdir()):
        file = longest(folder)
        played = game(file)
        half = len(played.moments) // 2
        picture = picture_at(played, half, played.moments[half].position.to_act)
        svg, size = best(partial(draw, played)) / PICTURES, len(write_svg_document(picture).encode())
        report = f"{svg:9.2f} ms an SVG of {size / 1000:.0f} kB, wanted: under 5; ratio {yardstick / svg:.2f}"
        print(f"pictures             {report} ({folder.name})")
        if played.record.game.name == "struggle":
            print(f"  arrows             {arrows_report(played, best, yardstick)}")
        for line in png_report(played, half):
            print(f"  {line}")
        print(f"  board to click     {click_report(played, half)}")
        size = len(replay_page(played).encode())
        whole = min(best(partial(replay_page, each), 1) for each in [game(file) for _ in range(ROUNDS)])
        print(
            f"  replay, {len(played.record.turns):3} turns  {whole:9.0f} ms, {size / 1000:.0f} kB, wanted: under 300 and 400"
        )


if __name__ == "__main__":
    main()
