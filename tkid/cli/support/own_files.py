"""Whose file each game file on this machine is, and which turns in it have not left the machine yet.

It is noted in a file among the user's settings, by the path of the game file, and never in the game file, which goes to
other players. What cannot be read there is not known; what cannot be written is not remembered, and nothing else fails.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from tkid.cli.support.files import settings_file
from tkid.cli.support import WRONG, as_typed, fail
from tkid.cli.support.seats import seat_of
from tkid.rulebook import cites

if TYPE_CHECKING:
    from tkid.record.format.model import Record
    from tkid.record.play.replay import Replay

MOST = 500
"""So many game files are remembered, those that were used last."""
VARIABLE = "TKID_ME"
DIGITS = 16
"""Digits of a chain hash that tell one course of a game from another."""

Me = Annotated[
    str,
    typer.Option("--me", help=f"Your name or number. Without it: as `tkid me` says, or {VARIABLE} in the environment."),
]


class OwnFile(NamedTuple):
    """What is noted of a game file.

    `me` is the name of the player whose it is, "" for nobody's. `unsent` has the chain hashes after those turns at its
    end that were played here and have not left the machine.
    """

    me: str = ""
    unsent: tuple[str, ...] = ()


@cites("record.own")
def owner(file: Path | str, record: Record, typed: str = "") -> int | None:
    """The seat of the player whose file it is: as noted, as typed, or as the environment says; None if nobody says.

    Ends the command where what was typed is not what is noted.
    """
    noted = _noted(file).me
    seat = record.names.index(noted) if noted in record.names else None
    if typed:
        wanted = seat_of(record.names, typed)
        if seat is not None and seat != wanted:
            fail(
                f"{file} is {noted}'s file, not {typed}'s. `tkid me {as_typed(file)} {typed}` changes that. [record.own]",
                WRONG,
            )
        return wanted
    if seat is None and (name := os.environ.get(VARIABLE, "")):
        return seat_of(record.names, name)
    return seat


def known_hands(record: Record) -> list[int]:
    """The seats whose secret hands are in a record."""
    from tkid.kernel.game import HIDDEN

    return [seat for seat, hand in enumerate(record.start().hands) if record.game.secret and HIDDEN not in hand]


def own_hand(record: Record) -> int | None:
    """The seat whose secret hand alone is in a record, which tells whose file it is."""
    seats = known_hands(record)
    return seats[0] if len(seats) == 1 else None


@cites("record.own")
def whose(file: Path | str, record: Record, typed: str = "") -> int | None:
    """The seat of the player whose file it is, as `owner` says or, if nobody says, as the only secret hand in it tells."""
    seat = owner(file, record, typed)
    return own_hand(record) if seat is None else seat


def note_owner(file: Path | str, name: str) -> None:
    """Note whose file a new file is, or that it is nobody's. Nothing in it was played here."""
    _note(file, OwnFile(name))


def change_owner(file: Path | str, name: str) -> None:
    """Note whose file it is. Raises OSError."""
    _write({**_read(), _key(file): _noted(file)._replace(me=name)})


@cites("record.turn.unsent")
def note_played(file: Path | str, replay: Replay) -> None:
    """Note that the last turn was played here."""
    own = _noted(file)
    _note(file, own._replace(unsent=(*own.unsent, _hash(replay))))


@cites("record.turn.unsent")
def note_answered(file: Path | str, before: Replay, after: Replay) -> None:
    """Note that programs have gone on from the last turn that was played here: what undoes it undoes their turns too."""
    if is_unsent(file, before):
        own = _noted(file)
        _note(file, own._replace(unsent=(*own.unsent[:-1], _hash(after))))


def note_sent(file: Path | str) -> None:
    """Note that every turn in a file may have left the machine."""
    own = _noted(file)
    if own.unsent:
        _note(file, own._replace(unsent=()))


def note_undone(file: Path | str) -> None:
    """Note that the last turn was taken out again."""
    own = _noted(file)
    _note(file, own._replace(unsent=own.unsent[:-1]))


@cites("record.turn.unsent")
def is_unsent(file: Path | str, replay: Replay) -> bool:
    """Whether it is known that the last turn was played here and has not left the machine."""
    return _noted(file).unsent[-1:] == (_hash(replay),)


def is_all_sent(file: Path | str) -> bool:
    """Whether it is known whose file it is, and that no turn in it waits to be sent."""
    own = _noted(file)
    return bool(own.me) and not own.unsent


def _hash(replay: Replay) -> str:
    return replay.value.hex()[:DIGITS]


# -- where it is noted ------------------------------------------------------------------------------------


def _key(file: Path | str) -> str:
    return str(Path(file).resolve())


def _noted(file: Path | str) -> OwnFile:
    return _read().get(_key(file), OwnFile())


def _note(file: Path | str, own: OwnFile) -> None:
    files = _read()
    files.pop(_key(file), None)
    with suppress(OSError):
        _write(files if own == OwnFile() else {**files, _key(file): own})


def _read() -> dict[str, OwnFile]:
    try:
        data = json.loads(settings_file().read_text("utf-8"))
        return {path: OwnFile(str(own["me"]), tuple(map(str, own["unsent"]))) for path, own in data.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _write(files: Mapping[str, OwnFile]) -> None:
    """Raises OSError."""
    from tkid.cli.support.files import write_atomically

    place = settings_file()
    place.parent.mkdir(parents=True, exist_ok=True)
    kept = {path: {"me": own.me, "unsent": own.unsent} for path, own in list(files.items())[-MOST:]}
    write_atomically(place, json.dumps(kept, ensure_ascii=False, indent=1) + "\n", private=True)
