"""Commands to play: new, show, legal, play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from tkid.cli import game_source, printing
from tkid.cli.deal_file import check_playable, check_shared, tell_end, tell_next, tell_waiting
from tkid.cli.own_turns import For, check_goes_on, check_player, with_passes
from tkid.cli.turn_input import turn_to_play
from tkid.kernel.game import Position

if TYPE_CHECKING:
    from tkid.record.format.model import Record, Seat

app = typer.Typer()


@app.command(epilog='Example: tkid new winter.tkid "Ann <ann@example.org>" Bob --game winter-2026')
def new(
    file: Annotated[Path, Argument(help="The file to write. It must not exist yet.", readable=False)],
    players: Annotated[
        list[str] | None,
        Argument(help="The players in turn order, each as NAME or 'NAME <ADDRESS>'.", show_default=False),
    ] = None,
    game: game_source.Title = "",
    ruleset: Annotated[
        str,
        Option(
            help="The ruleset. `tkid rulesets` lists all of them.",
            show_default="second-edition",
            autocompletion=game_source.complete_ruleset,
        ),
    ] = "",
    first: Annotated[str, Option(help="The start player. Without it, the start player is drawn.")] = "",
    ruling: game_source.Rulings = None,
    entropy: Annotated[str, Option(help="Deal from these 64 hex digits, as `tkid seal` prints them.")] = "",
    word: Annotated[list[str] | None, Option(help="A player's words for the deal: NAME=TEXT. May be repeated.")] = None,
    me: Annotated[str, Option("--me", help="Your name or number, if the file is yours alone.")] = "",
    bot: Annotated[
        list[str] | None,
        Option(
            help="A player that is a program: NAME, or NAME=PLAYER (random, greedy, search, or cmd:PROGRAM for one of "
            "your own). May be repeated."
        ),
    ] = None,
    source: Annotated[
        Path | None, Option("--from", help="Begin in a position of this game, with its ruleset, instead of dealing.")
    ] = None,
    turn: Annotated[int | None, Option(help="With --from: begin after this turn. Without it: after the last.")] = None,
) -> None:
    """Deal a new game into a file. A seal proves later that nobody changed the deal."""
    from tkid.cli.fair_play import entropy_of
    from tkid.cli.opponents import bots_of, let_programs_play
    from tkid.record.format.model import add_bots, describe_bots
    from tkid.record.format.new_game import NewGameError, new_record, new_record_from, split_fault
    from tkid.record.play.replay import replay
    from tkid.record.play.writer import write_record

    recorded = _load_start(
        source, turn, {"--ruleset": ruleset, "--first": first, "--ruling": ruling, "--entropy": entropy, "--word": word}
    )
    players = players or [str(seat) for seat in recorded[0].seats] if recorded else players or []
    if not players:
        printing.fail(f"Name the players, in turn order: `tkid new {printing.as_typed(file)} NAME NAME`.")
    _check_no_file(players)
    game_source.check_players(players)
    bots = bots_of(players, bot or ())
    try:
        if recorded:
            record = new_record_from(*recorded, players, title=game)
        else:
            dealt_from, readings, words = entropy_of(entropy), ruling or (), word or ()
            code = ruleset or "second-edition"
            record = new_record(code, players, dealt_from, title=game, first=first, rulings=readings, words=words)
    except NewGameError as error:
        for message in error.messages:
            typer.echo(message, err=True)
        options = all(printing.is_about_option(split_fault(message)[1]) for message in error.messages)
        raise typer.Exit(printing.UNREADABLE if options else printing.WRONG) from None
    people = [name for seat, name in enumerate(record.names) if seat not in bots]
    mine = record.names[game_source.seat_of(record.names, me)] if me else people[0] if bots and len(people) == 1 else ""
    begun = replay(add_bots(record, bots))
    game_source.create_record(file, write_record(begun.record, begun), private=record.game.secret)
    game_source.note_owner(file, mine)
    for seat, each in bots.items():
        if each.command:
            game_source.note_engine(file, record.names[seat], each.command)
    starts = record.names[record.start().to_act or 0]
    typer.echo(f"{file}: {record.ruleset.title}, with {', '.join(record.names)}. {starts} starts.")
    if bots:
        typer.echo(describe_bots(begun.record))
        with game_source.open_to_change(file, "The game file is complete, but no program has played"):
            tell_next(file, let_programs_play(file, begun))
    for note in _list_address_problems(record.seats):
        typer.echo(f"Note: {note}")
    _tell_next_steps(file, record, alone=bool(mine) or not people)


def _tell_next_steps(file: Path, record: Record, *, alone: bool) -> None:
    typed = printing.as_typed(file)
    typer.echo(f"Look at it with `tkid show {typed}`.")
    if not alone and not record.game.secret:
        typer.echo(
            f"Is the file yours alone? `tkid me {typed} NAME` keeps you from playing somebody else's turn by mistake."
        )
    if not alone and record.game.covered:
        typer.echo("Until then, `tkid show` shows the next player's hand.")
    if record.position is not None:
        return
    if record.game.secret:
        typer.echo("It contains the entropy of the deal. Keep it to yourself: it reveals all hands.")
    else:
        typer.echo("It contains the entropy of the deal. Nothing is dealt in secret, so everybody may have it.")
    typer.echo(f"`tkid view {typed} --seat NAME` makes a player's file. `tkid verify {typed}` proves the deal.")


def _load_start(source: Path | None, turn: int | None, dealing: Mapping[str, object]) -> tuple[Record, Position] | None:
    """Load the game and the position that `--from` and `--turn` name; None without them."""
    if source is None:
        if turn is not None:
            printing.fail("--turn needs --from FILE, the game to begin in.")
        return None
    if said := [option for option, value in dealing.items() if value]:
        printing.fail(f"{said[0]} is for a new deal. With --from, leave it out.")
    recorded = game_source.load(source)
    game_source.check_turn(str(source), recorded, turn or 0)
    return recorded.record, recorded.moments[-1 if turn is None else turn].position


def _check_no_file(players: Sequence[str]) -> None:
    """End the command if the name of the file comes after the players."""
    for typed in players:
        if typed.lower().endswith(printing.GAME):
            way = f"tkid new {printing.as_typed(typed)} NAME NAME"
            printing.fail(
                f"`{typed}` reads like a file. The file comes before the players: `{way}`. Nothing was written."
            )


def _list_address_problems(seats: Sequence[Seat]) -> Iterator[str]:
    from tkid.mail.envelope import is_address
    from tkid.record.format.new_game import describe_shared_addresses

    for wrong in (seat.address for seat in seats if seat.address and not is_address(seat.address)):
        way = "Correct it in the file before the first turn. [mail.address]"
        yield f"`{wrong}` is not an address that mail can be sent to. {way}"
    if clause := describe_shared_addresses(seats):
        yield f"{clause}, so `tkid mail read` cannot tell who sent a mail. [mail.one-address]"


@app.command(epilog="Example: tkid show winter.tkid --turn 3")
def show(
    file: game_source.Source,
    turn: Annotated[int | None, Option(help="The position after this turn. 0 is the start.")] = None,
    seat: Annotated[
        str,
        Option(
            help="Show what this player may see: name or number. Without it: you, if the file is yours (`tkid me`), or "
            "else the next player; --line and --json then print everything in the file."
        ),
    ] = "",
    line: Annotated[bool, Option("--line", help="Print the position in one line.")] = False,
    as_json: Annotated[bool, Option("--json", help="Print the position as JSON.")] = False,
    color: printing.ColourOption = printing.Colour.AUTO,
) -> None:
    """Show the position of a game."""
    early = whole = None
    if line and as_json:
        printing.fail("--line and --json are two ways to print a position. Leave one out.")
    if turn is None:
        game, position, names, events, seat, early, whole = game_source.load_situation(file, seat)
    elif game_source.is_position(file):
        printing.fail("--turn needs a game file. This is a position.")
    else:
        replay = game_source.load(file)  # once, as it may be standard input
        game, names = replay.record.game, replay.record.names
        game_source.check_turn(file, replay, turn)
        position, events = replay.moments[turn].position, replay.moments[turn].events
        seat = seat or game_source.reader_of(file, replay, position)
        position = game.view(position, game_source.seat_of(names, seat)).shown if seat else position
    if line:
        from tkid.notation.positions import write_position

        typer.echo(write_position(game, position))
    elif as_json:
        from tkid.record.json.positions import position_json

        printing.print_json(position_json(game, position))
    else:
        from tkid.record.format.plugin import find_record_plugin
        from tkid.render import text

        viewer = game_source.seat_of(names, seat) if seat else position.to_act
        position = position if early is None else find_record_plugin(game).close_position(position)
        shown = text.position(game, game.view(position, viewer), names, events, printing.choose_pen(color))
        typer.echo(shown, nl=False, color=True)
        if whole is not None:
            from tkid.record.format.model import describe_bots

            if bots := describe_bots(whole.record):
                typer.echo(f"\n{bots}")
            if early is None:
                printing.print_doubt(whole)
            tell_waiting(Path(file), whole)
        if early is not None:
            from tkid.record.play.replay import summarize_end

            typer.echo(f"\n{summarize_end(early, names)}")
            printing.print_doubt(whole)


@app.command(epilog="Example: tkid legal winter.tkid --card Manoeuvre")
def legal(
    file: game_source.Source = "",
    card: Annotated[
        str, Option(help="List every way to play this card.", autocompletion=game_source.complete_turn)
    ] = "",
    every: Annotated[bool, Option("--all", help="List every way to play every card.")] = False,
    seat: game_source.Viewer = "",
    jsonl: Annotated[
        bool, Option("--jsonl", help="Read a position as JSON from each line of standard input, and answer each.")
    ] = False,
) -> None:
    """List the legal turns: which cards you may play, and how."""
    if jsonl:
        from tkid.cli.turn_input import answer_lines
        from tkid.record.json.positions import legal_lines

        printing.check_option_alone(file or card, "--jsonl reads positions from standard input")
        answer_lines(legal_lines)
        return
    if not file:
        printing.fail("Which game? Write `tkid legal FILE`, or --jsonl to answer positions from standard input.")
    game, position, names, _, _, early, whole = game_source.load_situation(file, seat)
    if early is not None:
        from tkid.record.play.replay import summarize_end

        typer.echo(f"{summarize_end(early, names)} There are no legal turns.")
        printing.print_doubt(whole)
        return
    if position.to_act is None:
        typer.echo(f"The game is over: {position.ending}. There are no legal turns.")
        printing.print_doubt(whole)
        return
    from tkid.render.plugin import UnknownCardError, find_render_plugin

    try:
        lines = find_render_plugin(game).list_legal(game, position, names, card, every=every)
    except UnknownCardError as error:
        printing.fail(str(error), printing.WRONG)
    for line in lines:
        typer.echo(line)
    if whole is not None:
        tell_waiting(Path(file), whole)


@app.command("play", epilog='Example: tkid play winter.tkid "Manoeuvre S Moray <> E Devon; summon W Gwynedd"')
def play_turn(
    file: Annotated[Path, Argument(help="The game file.", readable=False)],
    turn: Annotated[
        str | None,
        Argument(
            metavar="TURN",
            help='The turn: "Pass", or a card, what it does and the summons. Without it, the program whose turn it is plays.',
            autocompletion=game_source.complete_turn,
        ),
    ] = None,
    yes: Annotated[bool, Option("--yes", help="Do not ask, if your words can mean only one legal turn.")] = False,
    me: game_source.Me = "",
    whose: For = "",
    bot: Annotated[
        list[str] | None,
        Option(
            help="NAME=cmd:PROGRAM: the command of another program that plays NAME. tkid remembers it for this file."
        ),
    ] = None,
) -> None:
    """Play a turn. You may use your own words: you are asked before it is played. A wrong turn changes nothing."""
    from tkid.cli.opponents import bots_of, let_programs_play
    from tkid.record.format.model import find_bot_seats
    from tkid.record.play.replay import append

    with game_source.open_to_change(file, "Nothing was played") as data:
        played = game_source.play_through(file, data)
        check_goes_on(played)
        for seat, each in bots_of(played.record.names, bot or ()).items():
            seated, name = find_bot_seats(played.record).get(seat), played.record.names[seat]
            if not each.command or seated is None or seated.player != each.player:
                printing.fail(f"--bot {name}: the file doesn't let another program play {name}. Leave it out.")
            game_source.note_engine(file, name, each.command)
        due = played.position.to_act
        if not whose and due is not None and due in find_bot_seats(played.record):
            typer.echo(f"First {played.record.names[due]} plays, whose turn it is.")
            tell_next(file, let_programs_play(file, played))
            if turn:
                whose = f"It was {played.record.names[due]}'s turn, so `{turn}` was not played"
                printing.fail(f"{whose}. Play it again if you still want to.", printing.WRONG)
            return
        if turn is None:
            printing.fail(
                f"Which turn? `tkid legal {printing.as_typed(file)}` lists the legal ones. Nothing was played."
            )
        check_player(file, played, me, whose)
        check_shared(file, played)
        turn = turn_to_play(played, turn, yes=yes)
        replay = append(played, turn)
        if replay.problems:
            printing.print_problems("turn", turn, replay.problems)
            printing.fail("Nothing was played.", printing.WRONG)
        check_playable(file, replay)
        after = with_passes(replay)
        game_source.write_game(file, after)
        game_source.note_played(file, after)
        printing.print_turns(after.moments[len(played.moments) :], after.record)
        after = let_programs_play(file, after)
    tell_next(file, after)
    if after.position.to_act is not None:
        tell_waiting(file, after)
    else:
        tell_end(file, after)
