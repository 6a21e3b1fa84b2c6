"""Commands to play: new, show, legal, play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.support.colour import Colour, ColourOption, pen
from tkid.cli.support.common import (
    UNREADABLE,
    WRONG,
    fail,
    is_position,
    load,
    played,
    seat_of,
    situation,
    tell_all,
    tell_turns,
    told_os,
    typed,
)

if TYPE_CHECKING:
    from tkid.record.play.replay import Replay


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command(epilog='Example: tkid new winter.tkid "Ann <ann@example.org>" Bob --game winter-2026')(new)
    app.command(epilog="Example: tkid show winter.tkid --turn 3")(show)
    app.command(epilog="Example: tkid legal winter.tkid --card Manoeuvre")(legal)
    app.command("play", epilog='Example: tkid play winter.tkid "Manoeuvre S Moray <> E Devon; summon W Gwynedd"')(turn)


Source = Annotated[str, typer.Argument(help="A record, or a position in one line.")]


def new(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist.", readable=False)],
    players: Annotated[list[str], typer.Argument(help="The players in turn order: NAME or 'NAME <ADDRESS>'.")],
    game: Annotated[str, typer.Option(help="A name for the game.")] = "",
    ruleset: Annotated[str, typer.Option(help="See `tkid rulesets`.")] = "second-edition",
    first: Annotated[str, typer.Option(help="Who starts; drawn if nobody is named.")] = "",
    ruling: Annotated[list[str] | None, typer.Option(help="Another reading: 'ID OPTION'. May be repeated.")] = None,
    entropy: Annotated[str, typer.Option(help="64 hex digits to deal from, such as `tkid seal` prints.")] = "",
    word: Annotated[
        list[str] | None, typer.Option(help="What a player adds to it: NAME=TEXT. May be repeated.")
    ] = None,
) -> None:
    """Deal a new game into a file, and seal the deal."""
    from tkid.cli.fair_play import entropy_of
    from tkid.cli.support.files import create
    from tkid.record.format.new_game import NewGameError, new_record
    from tkid.record.format.writer import write_record

    drawn = entropy_of(entropy)
    try:
        record = new_record(ruleset, players, drawn, title=game, first=first, rulings=ruling or (), words=word or ())
    except NewGameError as error:
        for message in error.messages:
            typer.echo(message, err=True)
        raise typer.Exit(WRONG) from None
    try:
        create(file, write_record(record))
    except FileExistsError:
        fail(f"{file} exists already; nothing was written.")
    except OSError as error:
        fail(f"Nothing was written: {told_os(error)}")
    starts = record.names[record.start().to_act or 0]
    typer.echo(f"{file}: {record.ruleset.title}, with {', '.join(record.names)}. {starts} starts.")
    typer.echo(f"Look at it with `tkid show {file}`.")
    secret = record.game.secret
    keep = (
        "keep it, for all hands follow from it"
        if secret
        else "nothing is hidden in this game, so everybody may have it"
    )
    typer.echo(f"It holds the entropy of the deal: {keep}.")
    typer.echo(f"`tkid view {file} --seat NAME` makes a player's file, `tkid verify {file}` proves the deal.")


def show(
    file: Source,
    turn: Annotated[int | None, typer.Option(help="The position after this turn; 0 is the start.")] = None,
    seat: Annotated[str, typer.Option(help="As this player may see it: name or number.")] = "",
    line: Annotated[bool, typer.Option("--line", help="Print the position in one line.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the position as JSON.")] = False,
    color: ColourOption = Colour.AUTO,
) -> None:
    """Show a position."""
    game, position, names, events = situation(file, seat)
    if turn is not None and is_position(file):
        fail("--turn goes with a record; this is a position.")
    if turn is not None:
        replay = load(file)
        moments = {moment.turn.number if moment.turn else 0: moment for moment in replay.moments}
        if turn not in moments:
            fail(f"{file} has the turns 0 to {max(moments)}.", WRONG)
        position, events = moments[turn].position, moments[turn].events
        position = game.view(position, seat_of(names, seat)).shown if seat else position
    if line:
        from tkid.notation.positions import write_position

        typer.echo(write_position(game, position))
    elif as_json:
        import json

        from tkid.record.json.positions import position_json

        typer.echo(json.dumps(position_json(game, position), ensure_ascii=False))
    else:
        from tkid.render import text

        viewer = seat_of(names, seat) if seat else position.to_act
        told = text.position(game, game.view(position, viewer), names, events, pen(color))
        typer.echo(told, nl=False, color=True)


def legal(
    file: Annotated[str, typer.Argument(help="A record, or a position in one line.")] = "",
    card: Annotated[str, typer.Option(help="All resolutions of this card.")] = "",
    every: Annotated[bool, typer.Option("--all", help="All resolutions of all cards.")] = False,
    seat: Annotated[str, typer.Option(help="As far as this player may know: name or number.")] = "",
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Answer positions in JSON, line by line, from standard input.")
    ] = False,
) -> None:
    """List what may be played."""
    if jsonl:
        from tkid.cli.support.jsonl import answer_lines
        from tkid.record.json.positions import legal_lines

        answer_lines(legal_lines)
        return
    if not file:
        fail("Which game? Write `tkid legal FILE`, or --jsonl to answer positions from standard input.")
    game, position, names, _ = situation(file, seat)
    if position.to_act is None:
        typer.echo(f"The game is over ({position.ending}): nothing may be played.")
        return
    from tkid.render.plugin import UnknownCardError, render_plugin

    try:
        lines = render_plugin(game).legal(game, position, names, card, every=every)
    except UnknownCardError as error:
        fail(str(error), WRONG)
    for told in lines:
        typer.echo(told)


def turn(
    file: Annotated[Path, typer.Argument(help="The record.", readable=False)],
    turn: Annotated[str, typer.Argument(help='The turn: "Pass", or a card, its resolution and the summons.')],
) -> None:
    """Play a turn into a record. A wrong turn changes nothing."""
    from tkid.cli.support.files import BusyError, locked, write_atomically
    from tkid.record.format.writer import write_record
    from tkid.record.play.replay import append

    try:
        with locked(file) as data:
            replay = append(played(str(file), data), turn)
            if replay.problems:
                tell_all("turn", typed(turn), replay.problems)
                typer.echo("Nothing was played.", err=True)
                raise typer.Exit(WRONG)
            write_atomically(file, write_record(replay.record, replay))
    except BusyError:
        fail(f"{file}: somebody else is writing it at this moment. Nothing was played; look and try again.")
    except OSError as error:
        fail(f"Nothing was played: {told_os(error)}", UNREADABLE)
    tell(replay)


def tell(replay: Replay) -> None:
    """Print what the last turn of a replay did, and who is next."""
    names = replay.record.names
    tell_turns([replay.last], names)
    to_act = replay.position.to_act
    if to_act is not None:
        typer.echo(f"It is {names[to_act]}'s turn.")
