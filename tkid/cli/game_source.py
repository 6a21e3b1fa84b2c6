"""Load the game of a command, find out whose file it is, and write the game back.

The program notes a file's owner among the user's settings, by the path of the game file. The game file itself, which goes to
other players, never says whose it is. If those notes can't be read or written, commands run as if there were none.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer import Argument, Option

from tkid.cli.files import (
    NO_FILE,
    BusyError,
    create,
    is_position,
    lock_file,
    read_bytes,
    settings_file,
    tell_protection,
    write_atomically,
)
from tkid.cli.printing import GAME, UNREADABLE, WRONG, as_typed, fail, os_error_text, print_problems, stop_on_os_error
from tkid.kernel.game import HIDDEN, AnyGame, Event, Position
from tkid.kernel.problems import Problem
from tkid.notation.names import list_names
from tkid.notation.positions import PositionError, read_position
from tkid.notation.text import fold_name
from tkid.record.format.model import BotSeat, Record
from tkid.record.format.reader import read_record, read_start, write_start
from tkid.record.format.seal import compute_first_hash
from tkid.record.play.replay import EarlyEnd, Replay, find_early_end, replay
from tkid.record.play.validation import judge_record
from tkid.rulebook import cites

BARE = r"[(\[]?([^\s<>@()\[\]]+@[^\s<>@()\[\]]+\.[^\s<>@()\[\]]+)[)\]]?"
"""An address, wherever it stands, with other brackets or with none; compiled when a game begins."""


def check_players(players: Sequence[str]) -> None:
    """Stop where a player of a new game has an address without its brackets: it would be a part of the name."""
    for typed in players:
        if "<" not in typed and (found := re.search(BARE, typed)):
            name = " ".join((typed[: found.start()] + typed[found.end() :]).split()) or "NAME"
            way = as_typed(f"{name} <{found[1]}>")
            fail(f"`{typed}` has an address without its brackets. Write {way}. Nothing was written.")


def seat_of(names: Sequence[str], wanted: str, hint: str = "") -> int:
    """Return the seat of a player's name or number. If no player has it, end the command with a hint or the names."""
    seats = [seat for seat, name in enumerate(names) if fold_name(wanted) in {fold_name(name), str(seat + 1)}]
    if not seats:
        players = f"The players are {list_names(names, 'and')}."
        fail(f"There is no player {wanted}. {hint or players}")
    return seats[0]


def complete_player(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a player: of the game file before it, or else of those that were typed for a new game."""
    return [name for name in _list_typed_players(context) if name.startswith(incomplete)]


player_option = partial(Option, autocompletion=complete_player)


def offer_for_player(*values: str) -> Callable[..., Any]:
    """Return a function that makes an option, for which the shell completes NAME=VALUE, for players as in `complete_player`."""

    def complete(context: typer.Context, incomplete: str) -> list[str]:
        every = [f"{name}={value}" for name in _list_typed_players(context) for value in values]
        return [each for each in every if each.startswith(incomplete)]

    return partial(Option, autocompletion=complete)


def _list_typed_players(context: typer.Context) -> Sequence[str]:
    """Return the names of the players in the game file, or else those that were typed as arguments or with options."""
    if record := _find_typed_record(context):
        return record.names
    typed = [*(context.params["players"] or context.args[1:])] if "players" in context.params else []
    for several in map(context.params.get, ("player", "seat")):
        typed += several if isinstance(several, list | tuple) else ()
    return [each.partition("<")[0].strip() for each in typed]


def complete_turn(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the card of a turn: of those that the player to act holds in the game file before it, and `Pass`."""
    record = _find_typed_record(context)
    position = replay(record).position if record else None
    if position is None or position.to_act is None:
        return []
    known = dict.fromkeys(map(str, (*position.hands[position.to_act], "Pass")))
    return [card for card in known if card != HIDDEN and card.startswith(incomplete)]


def _find_typed_record(context: typer.Context) -> Record | None:
    """Return the record in the first argument; behind an option, the shell has not assigned it to a parameter yet."""
    try:
        return read_record(read_bytes(str(context.params.get("file") or next(iter(context.args), "")))).record
    except OSError:
        return None


MOST = 500
"""Maximum number of remembered game files: those used last."""
VARIABLE = "TKID_ME"
DIGITS = 16
"""Digits of a chain hash that tell one course of a game from another."""

Me = Annotated[
    str,
    player_option(
        "--me", help=f"Your name or number. Without it: as `tkid me` says, or {VARIABLE} in the environment."
    ),
]


class OwnFile(NamedTuple):
    """Notes on a file: `me`, whose it is ("": nobody's), `unsent`, the hashes after turns that haven't left the machine, and its game's hash.

    `engines` are the players that are other programs, each with its command and the folder in which it runs. A game file
    never names a command, so a file from somebody else runs nothing.
    """

    me: str = ""
    unsent: tuple[str, ...] = ()
    game: str = ""
    engines: tuple[tuple[str, str, str], ...] = ()


@cites("record.own")
def find_owner(file: Path | str, record: Record, typed: str = "") -> int | None:
    """Return the seat of a file's owner: as noted, typed (the command ends if these differ) or in the environment; or None."""
    noted = _read_note(file).me
    seat = record.names.index(noted) if noted in record.names else None
    if typed:
        wanted = seat_of(record.names, typed)
        if seat is not None and seat != wanted:
            whose = f"{file} is {noted}'s file, not {typed}'s"
            fail(f"{whose}. `tkid me {as_typed(file)} {typed}` changes that. [record.own]", WRONG)
        return wanted
    if seat is None and (name := os.environ.get(VARIABLE, "")):
        return seat_of(record.names, name)
    return seat


def find_known_hands(record: Record) -> list[int]:
    return [seat for seat, hand in enumerate(record.start().hands) if record.game.secret and HIDDEN not in hand]


def own_hand(record: Record) -> int | None:
    """Return the seat whose secret hand alone is in a record: its player owns the file."""
    seats = find_known_hands(record)
    return seats[0] if len(seats) == 1 else None


@cites("record.own")
def infer_owner(file: Path | str, record: Record, typed: str = "") -> int | None:
    """Return the seat of a file's owner, as `find_owner` says, or else as its only secret hand shows."""
    seat = find_owner(file, record, typed)
    return own_hand(record) if seat is None else seat


def find_acting_seat(file: Path, record: Record, me: str, acting: str) -> int | None:
    """Return the seat of the player named with --for, or else of the file's owner."""
    return seat_of(record.names, acting) if acting else infer_owner(file, record, me)


def note_owner(file: Path | str, name: str) -> None:
    """Note whose file a new file is, or that it is nobody's. Nothing in it was played here."""
    _note(file, OwnFile(name))


def change_owner(file: Path | str, name: str) -> None:
    """Note whose file it is. Raises OSError."""
    _write_notes({**_read_notes(), _make_key(file): _read_note(file)._replace(me=name, game=_hash_game(file))})


@cites("record.bot.form")
def note_engines(file: Path | str, names: Sequence[str], bots: Mapping[int, BotSeat]) -> None:
    """Note the commands of the programs that play seats, to run in this folder."""
    here = str(Path.cwd())
    engines = [(names[seat], each.command, here) for seat, each in bots.items() if each.command]
    if engines:
        own, named = _read_note(file), {name for name, *_ in engines}
        _note(file, own._replace(engines=(*(each for each in own.engines if each[0] not in named), *engines)))


def find_engine(file: Path | str, name: str) -> tuple[str, Path] | None:
    """Return the command of the program that plays a seat, and its folder; None if it is not known here."""
    found = (each for each in _read_note(file).engines if each[0] == name)
    return next(((command, Path(folder)) for _, command, folder in found), None)


@cites("record.turn.unsent")
def note_played(file: Path | str, replay: Replay) -> None:
    own = _read_note(file)
    _note(file, own._replace(unsent=(*own.unsent, hash_course(replay))))


@cites("record.turn.unsent")
def note_answered(file: Path | str, before: Replay, after: Replay) -> None:
    """Note that programs have gone on from the last turn that was played here: what undoes it undoes their turns too."""
    if is_unsent(file, before):
        own = _read_note(file)
        _note(file, own._replace(unsent=(*own.unsent[:-1], hash_course(after))))


def note_sent(file: Path | str) -> None:
    own = _read_note(file)
    if own.unsent:
        _note(file, own._replace(unsent=()))


def note_undone(file: Path | str) -> None:
    own = _read_note(file)
    _note(file, own._replace(unsent=own.unsent[:-1]))


@cites("record.turn.unsent")
def is_unsent(file: Path | str, replay: Replay) -> bool:
    """Return True if it is known that the last turn was played here and has not left the machine."""
    return _read_note(file).unsent[-1:] == (hash_course(replay),)


def is_all_sent(file: Path | str) -> bool:
    own = _read_note(file)
    return bool(own.me) and not own.unsent


def hash_course(replay: Replay) -> str:
    """Return a hash that differs after different turns."""
    return replay.value.hex()[:DIGITS]


def _make_key(file: Path | str) -> str:
    return str(Path(file).resolve())


def _read_note(file: Path | str) -> OwnFile:
    files, key = _read_notes(), _make_key(file)
    return files[key] if key in files else _find_moved(files, key)


def _find_moved(files: Mapping[str, OwnFile], key: str) -> OwnFile:
    """Return whose file it was in another folder: where a file with this name was noted of the same game, and is there no more."""
    named = {path: own for path, own in files.items() if Path(path).name == Path(key).name and own.game}
    gone = [own for path, own in named.items() if not Path(path).exists()]
    owners = {own.me for own in gone if own.game == _hash_game(key)} if gone else set()
    return OwnFile(owners.pop()) if len(owners) == 1 else OwnFile()


def _hash_game(file: Path | str) -> str:
    try:
        record = read_start(read_bytes(str(file))).record
    except OSError:
        return ""
    return compute_first_hash(write_start(record)).hex()[:DIGITS] if record is not None else ""


def _note(file: Path | str, own: OwnFile) -> None:
    files, key = _read_notes(), _make_key(file)
    files.pop(key, None)
    if own.me or own.unsent or own.engines:
        files[key] = own._replace(game=own.game or _hash_game(file))
    with suppress(OSError):
        _write_notes(files)


def _read_notes() -> dict[str, OwnFile]:
    try:
        data = json.loads(settings_file().read_text("utf-8"))
        return {
            path: OwnFile(
                str(own["me"]),
                tuple(map(str, own["unsent"])),
                str(own.get("game", "")),
                tuple(map(tuple, own.get("engines", ()))),
            )
            for path, own in data.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _write_notes(files: Mapping[str, OwnFile]) -> None:
    place = settings_file()
    place.parent.mkdir(parents=True, exist_ok=True)
    kept = {path: own._asdict() for path, own in list(files.items())[-MOST:]}
    write_atomically(place, json.dumps(kept, ensure_ascii=False, indent=1) + "\n", private=True)


Source = Annotated[str, Argument(help="A game file, or a position in one line or as JSON.")]
Title = Annotated[str, Option("--game", help="A name for the game.")]
Viewer = Annotated[str, player_option("--seat", help="Use only what this player may know: name or number.")]


class Situation(NamedTuple):
    """A position and who sees it; `early` is an end that its rules did not decide, `replay` the record's, or None."""

    game: AnyGame
    position: Position
    names: tuple[str, ...]
    events: Sequence[Event]
    reader: str = ""
    early: EarlyEnd | None = None
    replay: Replay | None = None


def load_bytes(name: str) -> bytes:
    """Return the bytes of a game file, or of the only game in an archive. If that can't be read, end the command."""
    _check_not_position(name)
    if not name.endswith(GAME):
        from tkid.cli.archives import read_first_games

        games = read_first_games(name)
        if len(games) > 1:
            fail(f"{name}: several games are in it, and this command takes one.")
        if games:
            return games[0].data
    try:
        return read_bytes(name)
    except OSError as error:
        fail(os_error_text(error))


def load(file: str | Path) -> Replay:
    """Return the replay of a game file. If it has problems, print them and end the command."""
    return play_through(file, load_bytes(str(file)))


def _check_not_position(name: str | Path) -> None:
    if is_position(str(name)):
        fail(NO_FILE)


def play_through(file: str | Path, data: bytes, outcome: str = "") -> Replay:
    """Return the replay of a record's bytes. If it has problems, print them and `outcome`, and end the command."""
    read = read_record(data)
    if read.record is None or read.record.timeless:
        problems, replay = judge_record(read)
    else:
        from tkid.mail.timeline import judge_file  # only for records with comments or clocks

        problems, replay = judge_file(read)
    if replay is None or problems:
        print_problems(str(file), data, problems)
        typer.echo(outcome, nl=bool(outcome), err=True)
        raise typer.Exit(WRONG if read.readable else UNREADABLE)
    return replay


@contextmanager
def open_to_change(file: Path | str, outcome: str, advice: str = ". Check the file and try again") -> Iterator[bytes]:
    """Lock a file and yield its bytes. If it can't be locked or read, print `outcome` and end the command."""
    _check_not_position(file)
    with stop_on_os_error(outcome):
        try:
            with lock_file(Path(file)) as data:
                yield data
        except BusyError:
            fail(f"{file}: another program is writing it right now. {outcome}{advice}.")


def write_game(file: Path, played: Replay, *, private: bool = False) -> None:
    """Put a game in its file's place. Raises OSError."""
    from tkid.record.play.writer import write_record

    write_atomically(file, write_record(played.record, played), private=private)


def create_record(file: Path, text: str, advice: str = "", *, private: bool = False) -> None:
    """Write a new file, for its owner alone where it is `private`; where that cannot be done, nothing is written and the command ends."""
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


def load_situation(source: str, seat: str = "", turn: int | None = None) -> Situation:
    """Return the position that a command looks at: the last one, or the one after a turn, as a seat sees it."""
    data = b"" if is_position(source) else load_bytes(source)
    if text := find_position_text(source, data):
        check_no_turn(turn)
        game, position = position_of(text)
        now = Situation(game, position, make_seat_names(position), ())
    else:
        replay = play_through(source, data)
        moment, record = replay.moments[find_turn_number(source, replay, turn)], replay.record
        end, whole = (find_early_end(replay), replay) if turn is None else (None, None)
        now = Situation(record.game, moment.position, record.names, moment.events, early=end, replay=whole)
        seat = seat or reader_of(source, replay, moment.position)
    if seat:
        return now._replace(position=now.game.view(now.position, seat_of(now.names, seat)).shown, reader=seat)
    return now


def reader_of(file: str, replay: Replay, position: Position) -> str:
    """Find who sees a record by default: its owner if hands aren't open, else the next or last player, "" for everybody."""
    covered, secret = replay.record.game.covered, replay.record.game.secret
    if not covered and not secret:
        return ""
    seat = infer_owner(file, replay.record)
    if seat is None and not covered:
        return ""
    if seat is None:
        last = replay.last.turn
        seat = position.to_act if position.to_act is not None else last.seat if last else 0
    return str(seat + 1)


def find_position_text(source: str, data: bytes) -> str:
    """Return a position that was typed, or that a file has as a JSON object; "" for a game file."""
    if is_position(source):
        return source
    return data.decode("utf-8-sig", "replace") if data.lstrip().startswith(b"{") else ""


def position_of(text: str) -> tuple[AnyGame, Position]:
    """Return a position that is written in one line or as a JSON object, alone or as `position` of one. Ends the command if it is wrong."""
    from tkid.cli.turn_input import json_object
    from tkid.record.json.objects import JsonError
    from tkid.record.json.positions import read_requested_position

    problems: Sequence[Problem]
    try:
        if text.lstrip().startswith("{"):
            return read_requested_position(json_object(text.encode("utf-8", "replace")))
        return read_position(text)
    except PositionError as error:
        problems = error.problems
    except JsonError as error:
        text, problems = "", error.problems
    print_problems("position", text, problems)
    raise typer.Exit(WRONG)


def find_turn_number(name: str, replay: Replay, turn: int | None) -> int:
    """Return the number of a turn that the game has, or of its last one."""
    last = len(replay.moments) - 1
    if turn is not None and not 0 <= turn <= last:
        fail(f"{name} has only the turns 0 to {last}.", WRONG)
    return last if turn is None else turn


def check_no_turn(turn: int | None) -> None:
    if turn is not None:
        fail("--turn needs a game file. This is a position.")


def make_seat_names(position: Position) -> tuple[str, ...]:
    return tuple(f"Seat {seat + 1}" for seat in position.seats)
