"""The commands check, fmt, replay, export, stats."""

from __future__ import annotations

import json
import os
import stat
import sys
from codecs import BOM_UTF8
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from io import TextIOWrapper
from itertools import chain
from math import sqrt
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar
from urllib.parse import quote

import typer
from typer import Argument, Option

from tkid import __version__
from tkid.cli.files import STDIN, check_output, get_umask, read_bytes, read_lines
from tkid.cli.game_source import MANY, NO_FILE, is_position, load, load_bytes, open_to_change, play_through
from tkid.cli.printing import (
    DEAL,
    GAME,
    UNREADABLE,
    WRONG,
    as_typed,
    choose_pen,
    describe_failure,
    fail,
    json_text,
    os_error_text,
    print_turns,
    problem_lines,
    show_progress,
    stop_on_os_error,
)
from tkid.files import is_device, open_whole_file
from tkid.kernel.game import NOBODY, fill_names
from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import count_noun
from tkid.record.format.model import read_file_lines, report_alike_names
from tkid.record.format.reader import read_record
from tkid.record.play.replay import TITLES, EarlyEnd, Replay, Unproven, find_early_end, summarize_end
from tkid.record.play.validation import Played, check_canonical, judge
from tkid.render.lines import log_text, make_printable
from tkid.render.plugin import find_render_plugin
from tkid.rulebook import rule
from tkid.rulebook.register import find_address
from tkid.rulebook.rulesets import ruleset

if TYPE_CHECKING:
    from tkid.record.proof import Said

T = TypeVar("T")
NO_GAME: dict[str, Any] = {"turns": 0, "ruleset": None, "ending": None, "winners": []}
"""The report on a file that holds no game."""


class Checked(NamedTuple):
    """A check's exit code, the lines to print, why no file was opened (`error`), and the problems for the last form."""

    name: str
    code: int
    lines: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    error: str = ""


def summarize_record(found: Played, early: str = "") -> str:
    """Sum up a record without problems in one line; `early` says how it ended before its time."""
    record, position = found.record, found.position
    standing = sum(turn.stands for turn in record.turns)
    turns = count_noun(found.turns, "turn") + (f" ({standing} illegal, kept as played)" if standing else "")
    if early:
        return f"all right, {turns}. {early}"
    if position.ending is None:
        due = find_render_plugin(record.game).describe_due(record.game, position)
        due = f"{record.names[position.to_act]} to {due}" if position.to_act is not None else ""
        return f"all right, {turns}, {due}"
    winners = " and ".join(record.names[seat] for seat in position.winners) or NOBODY
    return f"all right, {turns}, {position.ending}: {winners}"


def format_totals(codes: Mapping[int, int]) -> str:
    named = ((0, "all right"), (WRONG, "with mistakes"), (UNREADABLE, "not read"))
    found = [f"{codes[code]:,} {what}" for code, what in named if codes.get(code)]
    return f"{sum(codes.values()):,} games: {', '.join(found)}"


def list_unproven(replay: Replay) -> list[str]:
    names = replay.record.names
    cards: dict[int, list[str]] = {}
    ending = []
    for each in replay.unproven:
        if each.ending:
            ending.append(f"whether {names[each.seat]} holds {each.card} (we assume not)")
        else:
            cards.setdefault(each.seat, []).append(f"{each.card} (turn {each.turn})")
    return [f"that {names[seat]} held {', '.join(held)}" for seat, held in cards.items()] + ending


def check_json(
    name: str,
    found: Played | None,
    problems: Sequence[Problem] = (),
    doubts: Sequence[Unproven] = (),
    notes: Sequence[Problem] = (),
    outside: Sequence[Said] = (),
    early: EarlyEnd | None = None,
) -> str:
    """One file's report as a line of JSON; winners are seats, from 0. `outside` is what the chain of hashes does not cover."""
    report: dict[str, Any] = {"file": name, "ok": not problems, **NO_GAME, "problems": []}
    if found is not None:
        position = found.position
        report |= {"turns": found.turns, "ruleset": found.record.ruleset.code}
        ending, winners = (TITLES[early.how], early.winners) if early else (position.ending, position.winners)
        report |= {"ending": ending, "winners": list(winners)}
    report["problems"] = list(map(_as_json, problems))
    if notes:
        report["notes"] = list(map(_as_json, notes))
    if doubts:
        report["unproven"] = [{"turn": each.turn, "seat": each.seat, "card": each.card} for each in doubts]
    if outside:
        report["outside_chain"] = [{"line": each.line, "text": each.text} for each in outside]
    return json_text(report)


def _as_json(problem: Problem) -> dict[str, Any]:
    place = {"line": problem.line, "col": problem.col, "length": problem.length}
    text = {"message": problem.message, "hint": problem.hint}
    return {**place, "rule": problem.rule, "kind": problem.kind.value, **text}


def unreadable_json(name: str, message: str) -> str:
    problem = {"line": 0, "col": 0, "length": 0, "rule": None, "kind": Kind.FILE.value, "message": message, "hint": ""}
    return json_text({"file": name, "ok": False, **NO_GAME, "problems": [problem]})


def as_annotations(name: str, problems: Sequence[Problem], *, every: bool) -> list[str]:
    """Problems as commands that GitHub reads in a workflow's log, and shows beside the lines of the file."""
    lines = []
    for problem in problems:
        kind = "notice" if problem.kind is Kind.FOLLOW_ON else "error"
        place = {"file": name, "line": problem.line, "col": problem.col, "title": problem.rule}
        if every or kind == "error":
            lines.append(_write_annotation(kind, place, problem.told))
    return lines


def write_unopened_annotation(name: str, reason: str) -> str:
    return _write_annotation("error", {"file": name}, f"{log_text(name)}: {reason}")


def _write_annotation(kind: str, place: dict[str, Any], message: str) -> str:
    properties = ",".join(f"{key}={_escape_text(str(value), ':,')}" for key, value in place.items())
    return f"::{kind} {properties}::{_escape_text(message)}"


def _escape_text(text: str, more: str = "") -> str:
    """Escape a text so that GitHub takes no character for the end of a property or command, and all is printable."""
    return "".join(f"%{ord(sign):02X}" if sign in f"%\r\n{more}" else make_printable(sign) for sign in text)


UNOPENED: Mapping[str, Callable[[str, str], str]] = {"json": unreadable_json, "github": write_unopened_annotation}
"""How a format reports a file that could not be opened, if not at the end."""


def write_sarif(checked: Sequence[Checked]) -> str:
    """Write the reports of all files as one SARIF 2.1.0 document; unopened files are notes with the reason."""
    notes = [
        {"level": "error", "message": {"text": each.error}, "locations": [{"physicalLocation": _place(each.name)}]}
        for each in checked
        if each.error
    ]
    rules = sorted({problem.rule for each in checked for problem in each.problems})
    driver = {
        "name": "tkid",
        "version": __version__,
        "informationUri": find_address(),
        "rules": [
            {"id": rule_id, "shortDescription": {"text": rule(rule_id).statement}, "helpUri": rule(rule_id).link}
            for rule_id in rules
        ],
    }
    results = [_sarif_result(each.name, problem) for each in checked for problem in each.problems]
    return json_text(
        {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                {
                    "tool": {"driver": driver},
                    "columnKind": "unicodeCodePoints",
                    "invocations": [{"executionSuccessful": not notes, "toolExecutionNotifications": notes}],
                    "results": results,
                }
            ],
        },
        indent=2,
    )


def _place(name: str) -> dict[str, Any]:
    return {"artifactLocation": {"uri": quote(name, errors="surrogateescape")}}


def _sarif_result(name: str, problem: Problem) -> dict[str, Any]:
    region = {"startLine": problem.line, "startColumn": problem.col, "endColumn": problem.col + problem.length}
    return {
        "ruleId": problem.rule,
        "level": "note" if problem.kind is Kind.FOLLOW_ON else "error",
        "message": {"text": problem.told},
        "locations": [{"physicalLocation": _place(name) | {"region": region}}],
    }


MOST_BYTES = 16_000_000
"""Maximum size of a game file in an archive. A small archive can hold gigabytes of zeros."""
MOST_PACKED = 20
"""How many times as large as an archive its content may be, if it is larger than `MOST_BYTES`. Game files never pack as well as that."""
SIGNATURES = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ": "lzma", b"]\0\0": "lzma"}
"""How packed files begin, and the module that unpacks them."""
NOTHING_THERE = "there is no game file in it"
LEADS_OUT = "this link leads out of the folder, and tkid doesn't follow it"
LINKED = "this is a link, and tkid follows no links in archives"
TOO_LARGE = f"this is more than {MOST_BYTES // 1_000_000} MB, and no game file"
NO_PLAIN_FILE = "this is neither a file nor a folder"
DAMAGED = "this archive is damaged"


class LimitError(Exception):
    """An archive holds more than it may: what is wrong."""


class Source(NamedTuple):
    """A game file: what it is called, and its bytes, or else why it cannot be read."""

    name: str
    data: bytes = b""
    error: str = ""

    @property
    def has_deal(self) -> bool:
        try:
            return Path(self.name).with_suffix(DEAL).exists()
        except (OSError, ValueError):  # the name in a line of JSON can't be that of a file
            return False


def find_sources(names: Iterable[str]) -> Iterator[Source]:
    """Yield all game files behind the names, and read each only when its turn comes.

    A folder gives all game files in it and in the folders below, in the order of their names; an archive the game
    files in it; a file that ends in .jsonl a game from each line.
    """
    for name in names:
        yield from _find_sources_of(name)


def read_file_names(file: str) -> Iterator[str]:
    """Yield the names in a file (`-` is standard input), each on a line or before a zero byte. Raises OSError."""
    for line in read_lines(file):
        for name in line.removeprefix(BOM_UTF8).decode("utf-8", "surrogateescape").rstrip("\r\n").split("\0"):
            if name:
                yield name


def _find_sources_of(name: str) -> Iterator[Source]:
    if is_position(name):
        yield Source(name, error=NO_FILE)
        return
    if not name:
        yield Source("``", error="this name of a file is empty")
        return
    if name != STDIN and Path(name).is_dir():
        yield from _read_all(name, _search_folder(name))
        return
    read = next((read for ending, read in READERS.items() if name.lower().endswith(ending)), None)
    if read is None:
        yield _read_file(name)
    elif is_device(Path(name)):
        yield Source(name, error=NO_PLAIN_FILE)
    else:
        yield from _read_all(name, read(name))


def _search_folder(folder: str) -> Iterator[Source]:
    top = os.path.realpath(folder)
    found = []
    for parent, folders, files in os.walk(folder):
        linked = [name for name in folders if (Path(parent) / name).is_symlink()]
        found += [str(Path(parent) / name) for name in (*linked, *files) if name in linked or name.endswith(GAME)]
    for name in sorted(found):
        path = Path(name)
        if path.is_symlink() and not Path(os.path.realpath(name)).is_relative_to(top):
            yield Source(name, error=LEADS_OUT)
        elif path.exists() and not path.is_file():
            if not path.is_dir():
                yield Source(name, error=NO_PLAIN_FILE)
        else:
            yield _read_file(name)


def _read_file(name: str) -> Source:
    """Read a file by its name; a link only if it leads to a game file, as its maker may want to see other files."""
    try:
        data = read_bytes(name)
        if name != STDIN and Path(name).is_symlink() and read_file_lines(data)[1]:
            return Source(name, error="this link doesn't lead to a game file")
        return Source(name, data)
    except OSError as error:
        return Source(name, error=os_error_text(error).removeprefix(f"{name}: "))


def _read_all(name: str, found: Iterator[Source]) -> Iterator[Source]:
    """Yield the sources of an archive, and at the end the reason if it cannot be read to its end."""
    count = 0
    try:
        for source in found:
            yield source
            count += 1
    except Exception as error:  # noqa: BLE001 - damaged archives make the libraries raise almost anything
        why = _explain_error(error)
        yield Source(name, error=f"{why}{f', behind {count} games' if count else ''}")
        return
    if not count:
        yield Source(name, error=NOTHING_THERE)


def _explain_error(error: Exception) -> str:
    if isinstance(error, LimitError):
        return str(error)
    return error.strerror if isinstance(error, OSError) and error.strerror else DAMAGED


class _LimitedReader:
    """Reader of an archive, up to a limit that depends on the archive's size. Raises LimitError beyond it."""

    def __init__(self, name: str, file: Any = None) -> None:
        self.most = max(MOST_BYTES, MOST_PACKED * Path(name).stat().st_size)
        self.file, self.left = file, self.most

    def take(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise LimitError(f"unpacked this is more than {self.most // 1_000_000} MB, so tkid stops here")

    def read(self, size: int) -> bytes:
        data: bytes = self.file.read1(size)
        self.take(len(data))
        return data


def _read_zip(name: str) -> Iterator[Source]:
    from zipfile import ZipFile

    with ZipFile(name) as archive:
        limited = _LimitedReader(name)
        for entry in archive.infolist():
            if entry.is_dir() or not entry.filename.lower().endswith(GAME):
                continue
            called = f"{name}/{entry.filename}"
            if entry.file_size > MOST_BYTES:
                yield Source(called, error=TOO_LARGE)
            elif stat.S_ISLNK(entry.external_attr >> 16):
                yield Source(called, error=LINKED)
            else:
                limited.take(entry.file_size)
                yield _read_entry(called, lambda entry=entry: archive.read(entry))  # type: ignore[misc]


def _read_entry(name: str, read: Callable[[], bytes]) -> Source:
    try:
        return Source(name, read())
    except Exception as error:  # noqa: BLE001 - damaged archives make the libraries raise almost anything
        reason = "this is encrypted" if "encrypted" in str(error) else "this is damaged"
        return Source(name, error=f"{reason}, or packed in a way that tkid doesn't know")


def _read_tar(name: str) -> Iterator[Source]:
    import tarfile

    with Path(name).open("rb") as packed, tarfile.open(fileobj=_unpack_archive(name, packed), mode="r|") as archive:
        for entry in archive:
            called = f"{name}/{entry.name}"
            if not entry.name.lower().endswith(GAME) or entry.isdir():
                continue
            if not entry.isfile():
                yield Source(called, error=LINKED)
            elif entry.size > MOST_BYTES:
                yield Source(called, error=TOO_LARGE)
            elif (file := archive.extractfile(entry)) is not None:
                yield Source(called, file.read())


def _unpack_archive(name: str, file: Any) -> Any:
    from importlib import import_module

    begins = file.peek(6)
    module = next((module for signature, module in SIGNATURES.items() if begins.startswith(signature)), None)
    return _LimitedReader(name, import_module(module).open(file) if module else file)


def _read_game_lines(name: str) -> Iterator[Source]:
    """Yield the game of each line: an object with a text as `record` and perhaps a name as `file`, or the text."""
    with Path(name).open("rb") as lines:
        number = 0
        while line := lines.readline(2 * MOST_BYTES):
            number += 1
            place = f"{name}:{number}"
            if len(line) == 2 * MOST_BYTES and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = lines.readline(MOST_BYTES)
                yield Source(place, error=TOO_LARGE)
            elif line.strip():
                yield _read_game_line(place, line)


def _read_game_line(place: str, line: bytes) -> Source:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Source(place, error="this line is not JSON")
    game = value if isinstance(value, dict) else {"record": value}
    text, called = game.get("record"), game.get("file", place)
    if not isinstance(text, str):
        return Source(place, error="this has to be an object with the game's text as `record`")
    if not isinstance(called, str):
        return Source(place, error="`file` has to be a name, in quotes, or has to be left out")
    return Source(called.encode("utf-8", "replace").decode(), text.encode("utf-8", "surrogatepass"))


READERS: Mapping[str, Callable[[str], Iterator[Source]]] = {
    ".zip": _read_zip,
    **dict.fromkeys((".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"), _read_tar),
    ".jsonl": _read_game_lines,
}


FORMATS = ("text", "json", "sarif", "github")

app = typer.Typer()


@app.command(epilog="Example: tkid check games/*.tkid --format json")
def check(
    files: Annotated[list[str] | None, Argument(help=MANY)] = None,
    form: Annotated[
        str, Option("--format", help="text, json (one line for each file), sarif, or github (annotations).")
    ] = "text",
    every: Annotated[bool, Option("--all", help="Also list problems that may only follow from others.")] = False,
    jobs: Annotated[int, Option("--jobs", min=0, help="The number of processes. 0: one for each core.")] = 0,
    files_from: Annotated[
        str,
        Option(
            "--files-from",
            help="Also check what this file names, one on each line (or with `find -print0`). - reads standard input.",
        ),
    ] = "",
) -> None:
    """Check game files. Every mistake is shown with its line, column and rule. Exit code 1 if there is one."""
    if form not in FORMATS:
        fail(f"--format {form}: choose one of {', '.join(FORMATS)}.")
    if not (files or files_from):
        fail("Nothing to check. Name game files, folders or archives: `tkid check winter.tkid`.")
    codes, listed = Counter[int](), list[Checked]()
    quiet = form == "sarif" or not sys.stdout.isatty()
    with stop_on_os_error("Nothing more was checked"), show_progress("games checked", wanted=quiet) as shown:
        names = chain(files or (), read_file_names(files_from) if files_from else ())
        found = check_all(find_sources(names), form, every=every, jobs=jobs)
        for checked in found:
            if checked.error:
                shown.clear()
                typer.echo(f"{log_text(checked.name)}: {checked.error}", err=True)
            for line in checked.lines:
                typer.echo(line, color=True)
            codes[checked.code] += 1
            if form == "sarif":
                listed.append(checked)
            shown.count_step()
    if form == "sarif":
        typer.echo(write_sarif(listed))
    if not codes:
        fail(
            f"Nothing was checked: {'standard input' if files_from == STDIN else files_from} names no file. Put one name on each line."
        )
    if form == "text" and codes.total() > 1:
        typer.echo(format_totals(codes))
    raise typer.Exit(max(codes, default=0))


@app.command(epilog="Example: tkid fmt winter.tkid")
def fmt(
    files: Annotated[list[str], Argument(help="The game files to tidy. - reads standard input and prints the result.")],
    only: Annotated[bool, Option("--check", help="Change nothing. Exit code 1 if something would change.")] = False,
) -> None:
    """Tidy game files: full names, hashes, and what followed. Comments stay. A file with mistakes is not changed."""
    worst = 0
    for name in files:
        try:
            worst = max(worst, _format(name, only=only))
        except typer.Exit as stop:
            worst = max(worst, stop.exit_code)
    raise typer.Exit(worst)


def _format(name: str, *, only: bool) -> int:
    from tkid.cli.files import print_or_write, write_atomically
    from tkid.record.play.writer import write_record

    def canonical(data: bytes) -> str:
        replay = play_through(name, data)
        return write_record(replay.record, replay)

    if name == STDIN:
        print_or_write(canonical(load_bytes(name)), None)
        return 0
    with open_to_change(name, "Nothing was changed", advice="") as data:
        text = canonical(data)
        changed = text.encode() != data
        if changed and not only:
            write_atomically(Path(name), text)
    typer.echo(f"{log_text(name)}: {('would change' if only else 'changed') if changed else 'nothing to change'}")
    return WRONG if changed and only else 0


@app.command("replay", epilog="Example: tkid replay winter.tkid --json --legal")
def replay_record(
    file: Annotated[str, Argument(help="The game file. - reads standard input.")],
    as_json: Annotated[bool, Option("--json", help="Print a line of JSON for the start and for each turn.")] = False,
    legal: Annotated[bool, Option("--legal", help="With --json: count the ways to play each card.")] = False,
) -> None:
    """Play a game through. Shows every turn, what followed, and by which rule."""
    replay = load(file)
    if as_json:
        from tkid.record.json.positions import write_replay_lines

        for line in write_replay_lines(replay, legal=legal):
            typer.echo(line)
        return
    if legal:
        fail("--legal needs --json.")
    if not replay.record.turns:
        typer.echo("No turn has been played yet.")
    print_turns(replay.moments[1:], replay.record)
    if (end := find_early_end(replay)) is not None:
        typer.echo(summarize_end(end, replay.record.names))


TOGETHER = 32
"""Game files that are checked together by one process."""
BATCH_BYTES = 4_000_000
"""A batch that is as large as this gets no more files."""
AHEAD = 4
"""Files that are read ahead, for each one that is being checked: an archive may be larger than the memory."""


def check_source(source: Source, form: str, *, every: bool) -> Checked:
    """Check a game file. `form` is text, json, github or sarif, which is made of all files at the end."""
    if source.error:
        return _report_unopened(source.name, source.error, form)
    try:
        if found := check_canonical(source.data):
            notes = report_alike_names(found.record)
            if form in {"json", "sarif"}:
                lines = (check_json(source.name, found, notes=notes),) if form == "json" else ()
                return Checked(source.name, 0, lines, notes)
            line = f"{log_text(source.name)}: {summarize_record(found)}"
            return Checked(source.name, 0, (line, *_write_notes(source.name, notes, form)))
        return _check_fully(source, form, every=every)
    except Exception as error:  # noqa: BLE001 - no file stops the check of the others
        return _report_unopened(source.name, describe_failure(error), form)


def _report_unopened(name: str, error: str, form: str) -> Checked:
    lines = (UNOPENED[form](name, error),) if form in UNOPENED else ()
    return Checked(name, UNREADABLE, lines, error=error)


def _write_notes(name: str, notes: Sequence[Problem], form: str) -> list[str]:
    if form == "github":
        return as_annotations(name, notes, every=True)
    return [f"  {note.message}. [{note.rule}]" for note in notes]


def _check_fully(source: Source, form: str, *, every: bool) -> Checked:
    from tkid.mail.timeline import judge_file

    read = read_record(source.data)
    problems, replay = judge_file(read)
    outside: list[Said] = []
    needless: list[Problem] = []
    if replay is not None and not replay.record.timeless:
        from tkid.record.play.note_chain import report_crossed_resignations
        from tkid.record.proof import list_uncovered, report_needless_marks

        needless += report_crossed_resignations(replay.record) if replay.position.to_act is not None else ()
        outside = list_uncovered(replay.record)
        needless += report_needless_marks(replay)
    code = UNREADABLE if not read.readable else WRONG if problems else 0
    notes = (*report_alike_names(replay.record), *needless) if replay is not None else ()
    if form == "sarif":
        return Checked(source.name, code, (), (*problems, *notes))
    if form == "json":
        found, doubts = (Played.make_played(replay), replay.unproven) if replay is not None else (None, ())
        early = find_early_end(replay) if replay is not None and not problems else None
        line = check_json(source.name, found, problems, doubts, notes, outside, early)
        return Checked(source.name, code, (line,))
    if form == "github" and problems:
        return Checked(source.name, code, tuple(as_annotations(source.name, problems, every=every)))
    if replay is None or problems:
        return Checked(
            source.name, code, tuple(problem_lines(source.name, source.data, problems, choose_pen(), every=every))
        )
    open_questions = [
        f"  Not certain until hands are opened: {each}. [record.opening]" for each in list_unproven(replay)
    ]
    if open_questions and source.has_deal:
        open_questions.append(f"  The deal beside it proves more: `tkid verify {as_typed(log_text(source.name))}`.")
    doubted = [f"  The hashes do not cover {each.place}: ask {each.asked}. [record.note.hash]" for each in outside]
    line = f"{log_text(source.name)}: {summarize_record(Played.make_played(replay), _describe_early_end(replay))}"
    return Checked(source.name, code, (line, *open_questions, *doubted, *_write_notes(source.name, notes, form)))


def _describe_early_end(replay: Replay) -> str:
    if replay.position.ending is not None or replay.record.timeless:
        return ""
    from tkid.mail.plugin import describe_early_result

    return describe_early_result(replay, None)[1]


def check_all(sources: Iterable[Source], form: str, *, every: bool, jobs: int) -> Iterator[Checked]:
    """Check game files; yield what was found of each, in order."""
    return map_sources(partial(check_source, form=form, every=every), sources, jobs)


def map_sources(work: Callable[[Source], T], sources: Iterable[Source], jobs: int) -> Iterator[T]:
    """Work on game files, in as many processes as `jobs` says (0: as the machine has cores); yield the results in order."""
    files = iter(sources)
    jobs = jobs or count_cores()
    first = _take_batch(files) if jobs > 1 else []
    if len(first) < TOGETHER:
        yield from map(work, chain(first, files))
        return
    from concurrent.futures import Future, ProcessPoolExecutor

    batches = chain([first], iter(lambda: _take_batch(files), []))
    with ProcessPoolExecutor(jobs) as pool:
        waiting = deque[Future[list[T]]]()
        for batch in batches:
            waiting.append(pool.submit(_work_on_batch, work, batch))
            if len(waiting) > AHEAD * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _take_batch(files: Iterator[Source]) -> list[Source]:
    batch, size = list[Source](), 0
    while len(batch) < TOGETHER and size < BATCH_BYTES and (source := next(files, None)):
        batch.append(source)
        size += len(source.data)
    return batch


def count_cores() -> int:
    """Count the cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _work_on_batch(work: Callable[[Source], T], sources: list[Source]) -> list[T]:
    return list(map(work, sources))


Row = dict[str, Any]
COLUMNS: Mapping[str, Mapping[str, Any]] = {
    "games": {
        "file": str,
        "title": str,
        "ruleset": str,
        "names": list[str],
        "first": int,
        "turns": int,
        "ending": str,
        "winners": list[int],
        "hash": str,
        "first_card": str,
    },
    "turns": {"file": str, "turn": int, "seat": int, "move": str, "taken_back": bool, "hash": str},
    "events": {"file": str, "turn": int, "rule": str, "text": str},
}
"""The columns of each table with their types. Seats count from 0."""
TABLE_FORMATS = (".jsonl", ".csv", ".parquet", ".arrow")
ROWS_TOGETHER = 10_000
"""Rows that are kept in memory until they are written."""


class TableRows(NamedTuple):
    """The rows that a game file gives to a table, or the reason why it gives none."""

    file: str
    rows: list[Row]
    error: str = ""


def list_rows(source: Source, table: str) -> TableRows:
    """Make the rows of a game file for a table; a file with mistakes has none."""
    if source.error:
        return TableRows(source.name, [], source.error)
    try:
        problems, replay = judge(read_record(source.data))
    except Exception as error:  # noqa: BLE001 - no file stops the others
        return TableRows(source.name, [], describe_failure(error))
    if replay is None or problems:
        return TableRows(source.name, [], f"{count_noun(len(problems), 'mistake')}, which `tkid check` shows")
    record, played = replay.record, [(moment.turn, moment) for moment in replay.moments if moment.turn is not None]
    rows: list[tuple[Any, ...]]
    if table == "games":
        early, position = find_early_end(replay), replay.position
        ending, winners = (TITLES[early.how], early.winners) if early else (position.ending, position.winners)
        first, names = replay.moments[0].position.to_act, list(record.names)
        game = (source.name, record.title, record.ruleset.code, names, first, len(played))
        opening = next((moment.moves for turn, moment in played if moment.moves and not turn.undone), (None,))
        card = str(getattr(opening[0], "card", ""))
        rows = [(*game, ending, list(winners), replay.last.hash, card)]
    elif table == "turns":
        words = record.game.words
        rows = [
            (
                source.name,
                turn.number,
                turn.seat,
                fill_names(words.turn(moment.moves), record.names),
                turn.undone,
                moment.hash,
            )
            for turn, moment in played
        ]
    else:
        rows = [
            (source.name, turn.number, event.rule, event.read(record.names))
            for turn, moment in played
            for event in moment.events
        ]
    return TableRows(source.name, [dict(zip(COLUMNS[table], row, strict=True)) for row in rows])


@contextmanager
def _open_table(file: IO[bytes], form: str, table: str) -> Iterator[Callable[[list[Row]], object]]:
    """Open a table in a file; yield what writes rows to it."""
    if form == ".jsonl":
        yield lambda rows: file.writelines(f"{json_text(row)}\n".encode() for row in rows)
    elif form == ".csv":
        import csv

        text = TextIOWrapper(file, "utf-8", newline="", write_through=True)
        writer = csv.DictWriter(text, list(COLUMNS[table]))
        writer.writeheader()
        yield lambda rows: writer.writerows(
            {name: json_text(value) if isinstance(value, list) else value for name, value in row.items()}
            for row in rows
        )
        text.detach()
    else:
        import pyarrow as pa
        from pyarrow import ipc, parquet

        kinds = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}
        kinds |= {list[str]: pa.list_(pa.string()), list[int]: pa.list_(pa.int64())}
        schema = pa.schema([(name, kinds[kind]) for name, kind in COLUMNS[table].items()])
        open_file = parquet.ParquetWriter if form == ".parquet" else ipc.new_file
        with open_file(file, schema) as written:
            yield lambda rows: written.write_table(pa.Table.from_pylist(rows, schema))


@app.command(epilog="Example: tkid export games/ archive.zip -o turns.parquet --table turns")
def export(
    files: Annotated[list[str], Argument(help=MANY)],
    output: Annotated[
        Path, Option("-o", "--output", help="The file to write: its name ends in .jsonl, .csv, .parquet or .arrow.")
    ],
    table: Annotated[str, Option("--table", help="games, turns or events: what each row is about.")] = "games",
    jobs: Annotated[int, Option("--jobs", min=0, help="The number of processes. 0: one for each core.")] = 0,
) -> None:
    """Write many games as one table. Files with mistakes are left out and named. Exit code 1 if there is one."""
    if table not in COLUMNS:
        fail(f"--table {table}: choose one of {', '.join(COLUMNS)}.")
    if output.suffix not in TABLE_FORMATS:
        fail(f"{output}: the name of the file has to end in one of {', '.join(TABLE_FORMATS)}.")
    if output.suffix in {".parquet", ".arrow"} and not find_spec("pyarrow"):
        fail(f"{output.suffix} needs pyarrow. Install it with `pip install 'tkid[tables]'`, or choose .csv or .jsonl.")
    check_output(
        output, None, *(each for each in files if not Path(each).is_dir())
    )  # of folders, only game files are read
    read = left_out = written = 0
    rows: list[Row] = []
    with (
        stop_on_os_error("Nothing was written"),
        show_progress("games read") as shown,
        open_whole_file(output, 0o666 & ~get_umask()) as file,
        _open_table(file, output.suffix, table) as write,
    ):
        for found in map_sources(partial(list_rows, table=table), find_sources(files), jobs):
            shown.count_step()
            if found.error:
                shown.clear()
                typer.echo(f"{log_text(found.file)}: left out: {found.error}", err=True)
                left_out += 1
                continue
            rows += found.rows
            read, written = read + 1, written + len(found.rows)
            if len(rows) >= ROWS_TOGETHER:
                write(rows)
                rows = []
        write(rows)
    typer.echo(
        f"{log_text(str(output))}: {count_noun(written, 'row')} from {count_noun(read, 'game')}, {left_out} left out"
    )
    raise typer.Exit(WRONG if left_out else 0)


WITHOUT_RESULT = {TITLES["abandoned"], TITLES["aborted"]}
"""Ends of games that nobody can have won."""
Z = 1.959964
"""Standard deviations to each side of a mean, within which it lies 95 times of 100."""


class Tally:
    """The games of a ruleset with a number of players. Seats are counted from the start player.

    `points` are shares of wins: of a game that several parties won, or nobody, each has a part.
    """

    def __init__(self, code: str, players: int) -> None:
        self.code, self.players, self.parties = code, players, ruleset(code).game().parties[players]
        self.unfinished, self.endings, self.opened = 0, Counter[str](), Counter[str]()
        self.won, self.points = Counter[object](), dict[object, float]()

    def add_game(self, row: Row) -> None:
        ending, first, winners = row["ending"], row["first"], {*row["winners"]}
        if ending is None or ending in WITHOUT_RESULT or first is None:
            self.unfinished += 1
            return
        self.endings[ending] += 1
        self.opened[row["first_card"]] += 1
        best = [party for party in self.parties if winners.intersection(party)] or self.parties
        for seat in sorted({seat for party in best for seat in party}):
            for key in ((seat - first) % self.players, *([row["first_card"]] if seat == first else [])):
                self.won[key] += seat in winners
                self.points[key] = self.points.get(key, 0.0) + 1 / len(best)

    def make_json(self) -> dict[str, Any]:
        games = self.endings.total()
        counts = {
            "ruleset": self.code,
            "players": self.players,
            "games": games,
            "unfinished": self.unfinished,
            "equal": round(1 / len(self.parties), 4),
        }
        return {
            **counts,
            "endings": dict(self.endings.most_common()),
            "seats": [{"seat": seat + 1, **self._estimate_share(seat, games)} for seat in range(self.players)],
            "first_cards": [
                {"card": card, "games": n, **self._estimate_share(card, n)} for card, n in self.opened.most_common()
            ],
        }

    def _estimate_share(self, key: object, games: int) -> dict[str, Any]:
        """Return a share of wins with Wilson's interval, which has the true share at least 95 times of 100."""
        if not games:
            return {"won": 0, "share": None, "low": None, "high": None}
        share, scale = self.points.get(key, 0.0) / games, 1 + Z * Z / games
        middle, spread = share + Z * Z / 2 / games, Z * sqrt(share * (1 - share) / games + (Z / 2 / games) ** 2)
        ends = {"share": share, "low": max(0.0, middle - spread) / scale, "high": (middle + spread) / scale}
        return {"won": self.won[key], **{name: round(value, 4) for name, value in ends.items()}}


def _write_tally(tally: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n{tally['ruleset']}, {tally['players']} players: {count_noun(tally['games'], 'game')}"
    if not tally["games"]:
        return
    seats = {f"player {each['seat']}" if each["seat"] > 1 else "start player": each for each in tally["seats"]}
    cards = {each["card"] or "no card": each for each in tally["first_cards"]}
    width = max(map(len, (*seats, *cards)))
    yield f"  endings: {', '.join(f'{ending} {count:,}' for ending, count in tally['endings'].items())}"
    for title, rows in (("share of wins", seats), ("share of the start player, by the first card", cards)):
        yield f"  {title} (an equal player has {tally['equal']:.1%}):"
        for name, each in rows.items():
            ends = f"{each['share']:6.1%}  ({each['low']:.1%} to {each['high']:.1%})"
            yield f"    {name:<{width}}  {ends} of {each.get('games', tally['games']):,}"


@app.command(epilog="Example: tkid stats games/ archive.zip")
def stats(
    files: Annotated[list[str], Argument(help=MANY)],
    as_json: Annotated[bool, Option("--json", help="Print JSON.")] = False,
    jobs: Annotated[int, Option("--jobs", min=0, help="The number of processes. 0: one for each core.")] = 0,
) -> None:
    """Count who won many games, by ruleset, seat and first card. Exit code 1 if a file has mistakes."""
    tallies, read, left_out = dict[tuple[str, int], Tally](), 0, 0
    with stop_on_os_error("Nothing was counted"), show_progress("games read") as shown:
        for found in map_sources(partial(list_rows, table="games"), find_sources(files), jobs):
            shown.count_step()
            if found.error:
                shown.clear()
                typer.echo(f"{log_text(found.file)}: left out: {found.error}", err=True)
                left_out += 1
            for row in found.rows:
                read += 1
                if (key := (row["ruleset"], len(row["names"]))) not in tallies:
                    tallies[key] = Tally(*key)
                tallies[key].add_game(row)
    groups = [tallies[key].make_json() for key in sorted(tallies)]
    unfinished = sum(group["unfinished"] for group in groups)
    if as_json:
        typer.echo(json_text({"read": read, "left_out": left_out, "groups": groups}))
    else:
        typer.echo(f"{count_noun(read, 'game')} read, {unfinished:,} without a result, {left_out:,} left out")
        for group in groups:
            typer.echo("\n".join(_write_tally(group)))
    raise typer.Exit(WRONG if left_out else 0)
