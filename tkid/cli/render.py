"""Commands for pictures: render."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from typer import Argument, Option

from tkid.cli import game_source
from tkid.cli.files import STDIN, check_output, is_position, print_or_write
from tkid.cli.printing import UNWRITTEN, WRONG, check_choice, fail, offer, show_waiting
from tkid.kernel.game import AnyGame, AnyView
from tkid.record.play.replay import Replay, find_shown_position

if TYPE_CHECKING:
    from tkid.render.picture import LastTurn

FORMATS = ("svg", "png", "html", "gif")
PICTURES = ("svg", "png")
"""The formats of one position."""
PRINTED = "-"
"""In place of a file: standard output."""

app = typer.Typer()


@app.command(
    epilog="Example: tkid render winter.tkid -o board.svg --turn 3; or a replay: tkid render winter.tkid -o game.html"
    "; or a board to click: tkid render winter.tkid --click -o turn.html"
    '; or a position: tkid render --position "second-edition; MOR SSW, ESS WEE; supply 2S 1E; to play 1" -o board.svg'
)
def render(
    output: Annotated[
        str,
        Option(
            "--output",
            "-o",
            help="The file to write: .svg or .png for a picture, .html for a replay, .gif for a replay that moves. "
            "- prints it.",
        ),
    ],
    file: Annotated[str, Argument(help="A game file, - for standard input, or a position in one line.")] = "",
    turn: Annotated[int | None, Option(help="The position after this turn. 0 is the start.")] = None,
    seat: Annotated[
        str,
        game_source.player_option(
            help="Show what this player may see: name or number. Without it, a picture shows what the next player may "
            "see. A replay shows what a spectator may see, and after the game everything in the file."
        ),
    ] = "",
    position: Annotated[
        str, Option(help="A position instead of a game file: in one line or as JSON. - reads standard input.")
    ] = "",
    click: Annotated[bool, Option("--click", help="With .html: a board on which you can click the next turn.")] = False,
    wide: Annotated[
        bool, Option("--wide", help="With .svg or .png: the picture in two columns, with a legend.")
    ] = False,
    cover: Annotated[
        bool, Option("--cover", help="With .png or .svg: a card of 1200 x 630 for links to the game.")
    ] = False,
    what_if: Annotated[
        int | None,
        Option("--what-if", help="With .html: add a board to the replay, on which you can click another turn N."),
    ] = None,
    form: Annotated[
        str, offer(*FORMATS)("--format", help="svg, png, html or gif, if the file's name does not say it.")
    ] = "",
) -> None:
    """Draw the position, or make a page that replays the game."""
    wanted = _choose_format(output, form)
    if not file and not position:
        fail("Which game? Write `tkid render FILE -o board.svg`, or --position with a position.")
    if file and position:
        fail("Give either a game file or --position, not both.")
    for chosen, formats, way_out in (
        (click, ("html",), "--click makes a page. Write -o turn.html."),
        (wide, PICTURES, "--wide is for pictures. Write -o board.svg or -o board.png."),
        (cover, PICTURES, "--cover makes a picture. Write -o cover.png."),
        (what_if is not None, ("html",), "--what-if is for a replay. Write -o game.html."),
    ):
        if chosen and wanted not in formats:
            fail(way_out)
    if wide and cover:
        fail("Choose either --wide or --cover.")
    if what_if is not None and click:
        fail("Choose either --click or --what-if.")
    target = None if output == PRINTED else Path(output)
    check_output(target, *([file] if file and not is_position(file) else []))
    content: str | bytes
    if wanted not in PICTURES and not click:
        content = _draw_replay(file, turn, seat, position, wanted, what_if)
    elif cover:
        content = _draw_cover(file, turn, seat, position, wanted)
    else:
        line = position or (file if is_position(file) else "")
        shown = _show_position(line, turn, seat) if line else _show_record(file, turn, seat)
        content = _write_click_page(shown) if click else _draw_picture(shown, wanted, wide=wide)
    print_or_write(content, target)
    if target is not None:
        size = len(content.encode() if isinstance(content, str) else content)
        typer.echo(f"{target}: {size / 1000:.0f} kB.")


class Shown(NamedTuple):
    """A position as somebody may know it, the turn before it, if there was one, and a title."""

    game: AnyGame
    view: AnyView
    names: Sequence[str]
    last: LastTurn | None
    title: str


def _show_record(name: str, turn: int | None, seat: str) -> Shown:
    from tkid.record.play.views import hide_secrets
    from tkid.render.frames import last_turn

    replay = game_source.load(name)
    turn, record = game_source.find_turn_number(name, replay, turn), replay.record
    seat = seat or game_source.reader_of(name, replay, replay.moments[turn].position)
    viewer = game_source.seat_of(record.names, seat) if seat else replay.moments[turn].position.to_act
    known = hide_secrets(replay, viewer)
    view = record.game.view(find_shown_position(known, turn), viewer)
    title = f"{record.title or ' and '.join(record.names)}: turn {turn + 1}"
    return Shown(record.game, view, record.names, last_turn(known, turn, viewer), title)


def _show_position(text: str, turn: int | None, seat: str) -> Shown:
    """Return a position in one line or as JSON, as a seat or the next player may know it. `-` is standard input."""
    game_source.check_no_turn(turn)
    text = (game_source.load_bytes(text).decode("utf-8-sig", "replace") if text == STDIN else text).strip()
    game, position = game_source.position_of(text)
    names = game_source.make_seat_names(position)
    viewer = game_source.seat_of(names, seat) if seat else position.to_act
    return Shown(game, game.view(position, viewer), names, None, "A turn")


def _choose_format(output: str, form: str) -> str:
    if form:
        check_choice("--format", form, FORMATS)
    suffix = Path(output).suffix.lower().removeprefix(".")
    if form or output == PRINTED:
        return form or "svg"
    if suffix not in FORMATS:
        known = ", ".join(f".{each}" for each in FORMATS)
        fail(f"{output}: let its name end in {known}, or add --format.")
    return suffix


def _draw_replay(file: str, turn: int | None, seat: str, position: str, form: str, what_if: int | None) -> str | bytes:
    if position or is_position(file):
        fail("A replay needs a game file, and this is a position. For a picture write -o board.svg.")
    if turn is not None:
        at = "" if form == "gif" else f": to open it at this one, add #turn-{turn} to its address"
        fail(f"--turn is for pictures. A replay has every turn{at}.")
    replay = game_source.load(file)
    viewer = game_source.seat_of(replay.record.names, seat) if seat else None
    if form == "gif":
        from tkid.render.raster import draw_gif

        return _draw_pixels(lambda: draw_gif(replay, viewer))
    from tkid.render.replay_page import replay_page

    if what_if is not None:
        _check_what_if(file, replay, viewer, what_if)
    return replay_page(replay, viewer, what_if)


def _check_what_if(file: str, replay: Replay, viewer: int | None, turn: int) -> None:
    """End the command if there is no such turn, or if the reader may not know what its player knew."""
    from tkid.render.frames import is_all_open

    names, position = replay.record.names, replay.position
    most = len(replay.moments) - (position.to_act is None)
    if not 1 <= turn <= most:
        fail(f"--what-if {turn}: {file} has only the turns 1 to {most}.", WRONG)
    game, before = replay.record.game, replay.moments[turn - 1].position
    mover = before.to_act
    if mover is None:
        fail(f"--what-if {turn}: nobody could play then.", WRONG)
    secret = game.view(before, mover).shown != game.view(before, None).shown
    if secret and viewer != mover and not is_all_open(replay, viewer):
        way = f"Add --seat {names[mover]}, and send the page to nobody else."
        fail(f"--what-if {turn}: the board shows the hand of {names[mover]}. {way}")


def _draw_cover(file: str, turn: int | None, seat: str, position: str, form: str) -> str | bytes:
    from tkid.render.picture import write_svg_document
    from tkid.render.raster import COVER_COLOURS, COVER_WIDTH, draw_cover, draw_png

    if position or is_position(file):
        fail("--cover needs a game file, and this is a position. For a picture write -o board.png.")
    if seat:
        fail("--cover shows what a spectator may see. Leave out --seat.")
    replay = game_source.load(file)
    card = draw_cover(replay, game_source.find_turn_number(file, replay, turn))
    if form == "svg":
        return write_svg_document(card)
    return _draw_pixels(lambda: draw_png(card, width=COVER_WIDTH, colours=COVER_COLOURS))


def _write_click_page(shown: Shown) -> str:
    from tkid.render.click_page import click_page

    game, view, names, last, title = shown
    if view.shown.to_act is None:
        fail("The game is over. There is no turn to click.", WRONG)
    if view.shown.to_act != view.seat:
        fail(f"It is {names[view.shown.to_act]}'s turn. Nobody else can click a turn.", WRONG)
    return click_page(game, view, names, title=title, last=last)


def _draw_picture(shown: Shown, form: str, *, wide: bool) -> str | bytes:
    from tkid.render.clicks import find_drawing_plugin
    from tkid.render.picture import write_svg_document
    from tkid.render.raster import PNG_WIDTH, draw_png

    game, view, names, last, _ = shown
    picture = find_drawing_plugin(game).draw_picture(game, view, names, last, layout="wide" if wide else "page")
    if form == "svg":
        return write_svg_document(picture)
    return _draw_pixels(lambda: draw_png(picture, width=2 * PNG_WIDTH if wide else PNG_WIDTH))


def _draw_pixels(draw: Callable[[], bytes]) -> bytes:
    from tkid.render.raster import NoPngError

    try:
        with show_waiting("Drawing", UNWRITTEN):
            return draw()
    except NoPngError as error:
        fail(f"Nothing was written. {error}")
