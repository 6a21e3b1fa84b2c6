"""What the commands share: loading a record or a position, telling problems, exit codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from tkid.kernel.game import AnyGame, Event, Position
    from tkid.kernel.problems import Problem
    from tkid.record.format.reader import ReadRecord
    from tkid.record.play.replay import Moment, Replay
    from tkid.render.markup import Pen

WRONG = 1
"""Exit code: something in a game is wrong."""
UNREADABLE = 2
"""Exit code: something could not be read or written, or the command was not understood."""


WIDTH = 78


def say(text: str, indent: str = "") -> None:
    """Print a paragraph for people, its later lines indented."""
    import textwrap

    typer.echo(textwrap.fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))


def fail(message: str, code: int = UNREADABLE) -> NoReturn:
    """Say what is wrong on standard error, and stop."""
    from tkid.render.lines import printable

    typer.echo("\n".join(map(printable, message.split("\n"))), err=True)
    raise typer.Exit(code)


def told_os(error: OSError) -> str:
    """An error of the system for people."""
    return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)


def load_bytes(name: str) -> bytes:
    """The bytes of a file, or the end of the command."""
    from tkid.cli.support.files import read_bytes

    try:
        return read_bytes(name)
    except OSError as error:
        fail(f"{name}: {error.strerror}")


def load(name: str) -> Replay:
    """A record without problems, played through; or its problems and the end of the command."""
    return played(name, load_bytes(name))


def played(name: str, data: bytes) -> Replay:
    """A record's bytes as a replay without problems; or its problems and the end of the command."""
    from tkid.record.format.reader import read_record

    found = read_record(data)
    problems, result = judge_record(found)
    if result is None or problems:
        tell_all(name, data, problems)
        raise typer.Exit(WRONG if found.readable else UNREADABLE)
    return result


def situation(source: str, seat: str = "") -> tuple[AnyGame, Position, tuple[str, ...], Sequence[Event]]:
    """The game, the position, the names and the last events of a record, or of a position in one line.

    With the name or number of a seat, the position is as that seat may know it.
    """
    game, position, names, events = _situation(source)
    return game, game.view(position, seat_of(names, seat)).shown if seat else position, names, events


def _situation(source: str) -> tuple[AnyGame, Position, tuple[str, ...], Sequence[Event]]:
    if is_position(source):
        game, position = position_of(source)
        return game, position, seat_names(position), ()
    replay = load(source)
    return replay.record.game, replay.position, replay.record.names, replay.last.events


def position_of(line: str) -> tuple[AnyGame, Position]:
    """The game and the position of a line, or its problems and the end of the command."""
    from tkid.notation.positions import PositionError, read_position

    try:
        return read_position(line)
    except PositionError as error:
        tell_all("position", typed(line), error.problems)
        raise typer.Exit(WRONG) from None


def seat_names(position: Position) -> tuple[str, ...]:
    """What seats are called where no names are known."""
    return tuple(f"Seat {seat + 1}" for seat in position.seats)


def is_position(source: str) -> bool:
    """Whether a command was given a position in one line, and not the name of a file."""
    if ";" not in source:
        return False
    try:
        return not Path(source).exists()
    except (OSError, ValueError):  # far too long for a name, or with characters that no name has
        return True


def typed(text: str) -> bytes:
    """What somebody typed on the command line, which may hold what is no text, as a file would have it."""
    return text.encode("utf-8", "replace")


def judge_record(found: ReadRecord) -> tuple[list[Problem], Replay | None]:
    """The problems of reading and of replaying a record together, and the replay, if there is one."""
    from tkid.record.play.validation import judge

    return judge(found)


def tell_all(name: str, data: bytes, problems: Iterable[Problem], *, err: bool = True, every: bool = False) -> None:
    """Print problems with the place, the line they are in, and the way out; follow-on ones only as a number."""
    from attrs import evolve

    from tkid.cli.support.colour import pen
    from tkid.kernel.problems import Kind
    from tkid.record.format.lines import split
    from tkid.render.lines import printable, ruled
    from tkid.render.markup import PLACE, marked

    lines = split(data.decode("utf-8-sig", "replace"))
    listed = list(problems)
    roots = [problem for problem in listed if every or problem.kind is not Kind.FOLLOW_ON] or listed
    shown, ink = "", pen(err=err)
    for problem in roots:
        place = marked(PLACE, f"{printable(name)}:{problem.line}:{problem.col}:")
        typer.echo(ink(f"{place} {printable(problem.message)} {ruled(problem.rule)}"), err=err, color=True)
        excerpt(lines, evolve(problem, hint="") if problem.hint == shown else problem, ink, err=err)
        shown = problem.hint
    left = len(listed) - len(roots)
    if left:
        follow = f"{left} more that may only follow from {'this' if len(roots) == 1 else 'these'}"
        typer.echo(f"{printable(name)}: {follow} (`tkid check --all` lists {'it' if left == 1 else 'them'})", err=err)


def excerpt(lines: list[str], problem: Problem, ink: Pen, *, err: bool) -> None:
    """Print the line of a problem with the place underlined, and the hint."""
    from tkid.render.lines import printable
    from tkid.render.markup import WRONG, marked

    width = 100
    if 0 < problem.line <= len(lines) and lines[problem.line - 1].strip():
        line = lines[problem.line - 1].replace("\t", " ")
        start = max(0, min(problem.col - 1 - width // 2, len(line) - width))
        shown = printable(line[start : start + width])
        at = problem.col - 1 - start
        typer.echo(f"    {shown}", err=err)
        carets = "^" * max(1, min(problem.length, width - at))
        typer.echo(ink(f"    {' ' * at}{marked(WRONG, carets)}"), err=err, color=True)
    if problem.hint:
        typer.echo(f"    {printable(problem.hint)}", err=err)


def tell_turns(moments: Iterable[Moment], names: Sequence[str]) -> None:
    """Print turns with their hashes, and what followed from each by which rule."""
    from tkid.cli.support.colour import pen
    from tkid.render.lines import marked_events

    ink = pen()
    for moment in moments:
        typer.echo(f"{moment.line} #{moment.hash}")
        for told in marked_events(moment.events, names):
            typer.echo(ink(told), color=True)


def seat_of(names: Sequence[str], wanted: str) -> int:
    """The seat of a player's name or number."""
    for seat, name in enumerate(names):
        if wanted.casefold() in {name.casefold(), str(seat + 1)}:
            return seat
    fail(f"There is no player {wanted}; at the table are {', '.join(names)}.")
