"""The game that a command is given: a record in a file, or a position in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from tkid.cli.support import UNREADABLE, WRONG, fail, os_error_text, stop_on_os_error
from tkid.cli.support.own_files import whose
from tkid.cli.support.printing import print_problems
from tkid.cli.support.private import tell_protection
from tkid.cli.support.seats import seat_of

if TYPE_CHECKING:
    from tkid.kernel.game import AnyGame, Event, Position
    from tkid.record.play.outcome import Outcome
    from tkid.record.play.replay import Replay

Source = Annotated[str, typer.Argument(help="A game file, or a position in one line.")]
NO_FILE = "This is a position in one line, and the command needs a game file."
MANY = "Game files, folders, zip or tar archives, or .jsonl files. - reads standard input."
"""What is said of the argument of a command that looks at many games."""
Title = Annotated[str, typer.Option("--game", help="A name for the game.")]
Rulings = Annotated[
    list[str] | None,
    typer.Option("--ruling", help="Choose another ruling: 'ID OPTION'. `tkid rulesets` lists them. May be repeated."),
]
Viewer = Annotated[str, typer.Option("--seat", help="Use only what this player may know: name or number.")]


class Situation(NamedTuple):
    """A position with its game, the names of the players, the last events, and the number of the seat it is shown to.

    `early` is how a game ended that its rules did not decide; `replay` is the record's, None for a position in a line.
    """

    game: AnyGame
    position: Position
    names: tuple[str, ...]
    events: Sequence[Event]
    reader: str = ""
    early: Outcome | None = None
    replay: Replay | None = None


def load_bytes(name: str) -> bytes:
    """The bytes of a file, or the end of the command."""
    from tkid.cli.support.files import read_bytes

    _check_file(name)
    try:
        return read_bytes(name)
    except OSError as error:
        fail(os_error_text(error))


def load(file: str | Path) -> Replay:
    """A record without problems, played through; or its problems and the end of the command."""
    return play_through(file, load_bytes(str(file)))


def _check_file(name: str | Path) -> None:
    """Stop where a command that needs a game file was given a position in one line."""
    if is_position(str(name)):
        fail(NO_FILE)


def play_through(file: str | Path, data: bytes) -> Replay:
    """A record's bytes as a replay without problems; or its problems and the end of the command."""
    from tkid.record.format.reader import read_record
    from tkid.record.play.validation import judge

    read = read_record(data)
    problems, replay = judge(read)
    if replay is None or problems:
        print_problems(str(file), data, problems)
        raise typer.Exit(WRONG if read.readable else UNREADABLE)
    return replay


@contextmanager
def open_to_change(file: Path | str, outcome: str, advice: str = ". Check the file and try again") -> Iterator[bytes]:
    """The bytes of a file that nobody else may write meanwhile; where it cannot be had, `outcome` and the end."""
    from tkid.cli.support.locks import BusyError, locked

    _check_file(file)
    with stop_on_os_error(outcome):
        try:
            with locked(Path(file)) as data:
                yield data
        except BusyError:
            fail(f"{file}: another program is writing it right now. {outcome}{advice}.")


def create_record(file: Path, text: str, advice: str = "", *, private: bool = False) -> None:
    """Write a new file, for its owner alone where it is `private`; where that cannot be done, nothing is written and the command ends."""
    from tkid.cli.support.files import create

    if not file.parent.is_dir():
        fail(f"There is no folder {file.parent}. Nothing was written.")
    with stop_on_os_error("Nothing was written"):
        try:
            create(file, text, private=private)
        except FileExistsError:
            if file.is_dir():
                fail(f"{file} is a folder. Name a file, such as winter.tkid. Nothing was written.")
            fail(f"{file} exists already. Nothing was written.{advice}")
    if private:
        tell_protection(file)


def situation(source: str, seat: str = "") -> Situation:
    """What a record or a line leads to; with the name or number of a seat, as that seat may know it."""
    if is_position(source):
        game, position = position_of(source)
        now = Situation(game, position, seat_names(position), ())
    else:
        from tkid.record.play.outcome import outcome

        replay = load(source)
        record, end = replay.record, outcome(replay)
        now = Situation(record.game, replay.position, record.names, replay.last.events, early=end, replay=replay)
        seat = seat or reader_of(source, replay, replay.position)
    if seat:
        return now._replace(position=now.game.view(now.position, seat_of(now.names, seat)).shown, reader=seat)
    return now


def reader_of(file: str, replay: Replay, position: Position) -> str:
    """The number of the seat that sees a record if nobody is named; "" for everybody.

    If hands are covered or secret, it is the player whose file it is. For a file of nobody with covered hands it is the
    next player; after the end the last one to act.
    """
    covered, secret = replay.record.game.covered, replay.record.game.secret
    if not covered and not secret:
        return ""
    seat = whose(file, replay.record)
    if seat is None and not covered:
        return ""
    if seat is None:
        last = replay.last.turn
        seat = position.to_act if position.to_act is not None else last.seat if last else 0
    return str(seat + 1)


def position_of(line: str) -> tuple[AnyGame, Position]:
    """The game and the position of a line, or its problems and the end of the command."""
    from tkid.notation.positions import PositionError, read_position

    try:
        return read_position(line)
    except PositionError as error:
        print_problems("position", line, error.problems)
        raise typer.Exit(WRONG) from None


def is_position(source: str) -> bool:
    """Whether a command was given a position in one line, and not the name of a file."""
    if ";" not in source:
        return False
    try:
        return not Path(source).exists()
    except (OSError, ValueError):  # far too long for a name, or with characters that no name has
        return True


def check_turn(name: str, replay: Replay, turn: int) -> None:
    """Stop where a record has no such turn."""
    last = len(replay.moments) - 1
    if not 0 <= turn <= last:
        fail(f"{name} has only the turns 0 to {last}.", WRONG)


def seat_names(position: Position) -> tuple[str, ...]:
    """What seats are called where no names are known."""
    return tuple(f"Seat {seat + 1}" for seat in position.seats)
