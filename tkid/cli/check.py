"""Commands to check, convert and count games: check, fmt, replay, export, stats."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
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
from tkid.cli import archives
from tkid.cli.files import STDIN, check_output, get_umask, print_or_write, write_atomically
from tkid.cli.game_source import load, load_bytes, open_to_change, play_through
from tkid.cli.printing import (
    UNREADABLE,
    WRONG,
    Progress,
    as_typed,
    check_choice,
    choose_pen,
    describe_failure,
    fail,
    json_text,
    offer,
    print_turns,
    problem_lines,
    show_progress,
    stop_on_os_error,
)
from tkid.files import open_whole_file
from tkid.kernel.game import NOBODY, fill_names
from tkid.kernel.problems import Kind, Problem
from tkid.notation.names import list_names
from tkid.notation.text import count_noun
from tkid.record.format.model import report_alike_names
from tkid.record.format.reader import read_record
from tkid.record.play.replay import TITLES, EarlyEnd, Replay, Unproven, find_early_end, summarize_end
from tkid.record.play.validation import Played, check_canonical
from tkid.render.lines import log_text, make_printable
from tkid.rulebook import rule
from tkid.rulebook.register import find_address
from tkid.rulebook.rulesets import ruleset

if TYPE_CHECKING:
    from tkid.record.proof import Said

T = TypeVar("T")
MOST_REPAIRS = 8
TURN_LINE = re.compile(rb"^1\. ", re.MULTILINE)
NOT_JUDGED = "The turns were not checked. Correct the header first."
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
        from tkid.render.plugin import find_render_plugin

        due = find_render_plugin(record.game).describe_due(record.game, position)
        due = f"{record.names[position.to_act]} to {due}" if position.to_act is not None else ""
        return f"all right, {turns}, {due}"
    winners = " and ".join(record.names[seat] for seat in position.winners) or NOBODY
    return f"all right, {turns}, {position.ending}: {winners}"


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


def as_annotations(name: str, problems: Sequence[Problem], *, every: bool) -> list[str]:
    """Write problems as commands that GitHub reads in a workflow's log and shows at the lines of the file."""
    lines = []
    for problem in problems:
        kind = "notice" if problem.kind is Kind.FOLLOW_ON else "error"
        place = {"file": name, "line": problem.line, "col": problem.col, "title": problem.rule}
        if every or kind == "error":
            lines.append(_write_annotation(kind, place, problem.told))
    return lines


def _write_annotation(kind: str, place: dict[str, Any], message: str) -> str:
    properties = ",".join(f"{key}={_escape_text(str(value), ':,')}" for key, value in place.items())
    return f"::{kind} {properties}::{_escape_text(message)}"


def _escape_text(text: str, more: str = "") -> str:
    """Escape a text so that GitHub takes no character for the end of a property or command, and all is printable."""
    return "".join(f"%{ord(sign):02X}" if sign in f"%\r\n{more}" else make_printable(sign) for sign in text)


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


FORMATS = ("text", "json", "sarif", "github")

app = typer.Typer()


@app.command(epilog="Example: tkid check games/*.tkid --format json")
def check(
    files: Annotated[list[str] | None, Argument(help=archives.MANY)] = None,
    form: Annotated[
        str, offer(*FORMATS)("--format", help="text, json (one line for each file), sarif, or github (annotations).")
    ] = "text",
    every: Annotated[bool, Option("--all", help="Also list problems that may only follow from others.")] = False,
    jobs: archives.JobsOption = 0,
    on: archives.OnOption = "",
    files_from: Annotated[
        str,
        Option(
            "--files-from",
            help="Also check the files that this file lists, one on each line (or as `find -print0` does). - reads standard input.",
        ),
    ] = "",
) -> None:
    """Check game files. Shows every mistake with its line, column and rule. Exit code 1 if there is one."""
    check_choice("--format", form, FORMATS)
    if not (files or files_from):
        fail("Nothing to check. Name game files, folders or archives: `tkid check winter.tkid`.")
    codes, listed = Counter[int](), list[Checked]()
    quiet = form == "sarif" or not sys.stdout.isatty()
    with stop_on_os_error("Nothing more was checked"), show_progress("games checked", wanted=quiet) as shown:
        names = chain(files or (), archives.read_file_names(files_from) if files_from else ())
        found = check_all(archives.find_sources(names), form, every=every, jobs=jobs, on=on)
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
        named = ((0, "all right"), (WRONG, "with mistakes"), (UNREADABLE, "not read"))
        counts = [f"{codes[code]:,} {what}" for code, what in named if codes[code]]
        typer.echo(f"{codes.total():,} games: {', '.join(counts)}")
    raise typer.Exit(max(codes, default=0))


@app.command(epilog="Example: tkid fmt winter.tkid")
def fmt(
    files: Annotated[list[str], Argument(help="The game files to tidy. - reads standard input and prints the result.")],
    only: Annotated[bool, Option("--check", help="Change nothing. Exit code 1 if something would change.")] = False,
) -> None:
    """Tidy game files: write full names, hashes and results. Comments stay. A file with mistakes stays as it is."""
    worst = 0
    for name in files:
        try:
            worst = max(worst, _format(name, only=only))
        except typer.Exit as stop:
            worst = max(worst, stop.exit_code)
    raise typer.Exit(worst)


def _format(name: str, *, only: bool) -> int:
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
    files: archives.Files,
    as_json: Annotated[bool, Option("--json", help="Print a line of JSON for the start and for each turn.")] = False,
    legal: Annotated[bool, Option("--legal", help="With --json: count the ways to play each card.")] = False,
    output: archives.LinesFile = None,
    resume: archives.ResumeOption = False,
    jobs: archives.JobsOption = 0,
    on: archives.OnOption = "",
) -> None:
    """Play a game through. Shows every turn, what followed, and by which rule. For more than one game, give --json."""
    if archives.are_many(files, as_lines=as_json) or output:
        if not as_json:
            fail(f"{files[0]}: several games need --json.")
        work = partial(_replay_source, legal=legal)
        raise typer.Exit(archives.write_lines(work, files, output, "position", resume=resume, jobs=jobs, on=on))
    replay = load(files[0])
    if as_json:
        from tkid.record.json.positions import list_replay_lines

        for line in list_replay_lines(replay, legal=legal):
            typer.echo(json_text(line))
        return
    if legal:
        fail("--legal needs --json.")
    if not replay.record.turns:
        typer.echo("No turn has been played yet.")
    print_turns(replay.moments[1:], replay.record)
    if (end := find_early_end(replay)) is not None:
        typer.echo(summarize_end(end, replay.record.names))


def check_source(source: archives.Source, form: str, *, every: bool) -> Checked:
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
    lines = list[str]()
    if form == "json":
        place = {"line": 0, "col": 0, "length": 0, "rule": None}
        problem = {**place, "kind": Kind.FILE.value, "message": error, "hint": ""}
        lines.append(json_text({"file": name, "ok": False, **NO_GAME, "problems": [problem]}))
    elif form == "github":
        lines.append(_write_annotation("error", {"file": name}, f"{log_text(name)}: {error}"))
    return Checked(name, UNREADABLE, tuple(lines), error=error)


def _write_notes(name: str, notes: Sequence[Problem], form: str) -> list[str]:
    if form == "github":
        return as_annotations(name, notes, every=True)
    return [f"  {note.message}. [{note.rule}]" for note in notes]


def _judge_turns_of_damaged_file(data: bytes, problems: Sequence[Problem]) -> tuple[list[Problem], str]:
    """Judge the turns of a file whose head has mistakes, as if it had none where one repair is likely.

    Return all problems, and a note on what was assumed, or that the turns could not be judged.
    """
    from tkid.mail.timeline import judge_file

    first, meant = list(problems), list[str]()
    while len(meant) < MOST_REPAIRS:
        wrong = next((each for each in problems if len(each.fixes) == 1), None)
        lines = data.split(b"\n")
        if wrong is None or wrong.line > len(lines):
            break
        line, begin = lines[wrong.line - 1].decode("utf-8", "replace"), wrong.col - 1
        lines[wrong.line - 1] = f"{line[:begin]}{wrong.fixes[0].text}{line[begin + wrong.length :]}".encode()
        meant.append(f"`{wrong.fixes[0].text}`")
        data = b"\n".join(lines)
        problems, replay = judge_file(read_record(data))
        if replay is not None:
            found = [*first, *(each for each in problems if each not in first)]
            return found, f"The turns were checked as if this said {list_names(meant, 'and')}."
    return first, NOT_JUDGED if TURN_LINE.search(data) else ""


def _check_fully(source: archives.Source, form: str, *, every: bool) -> Checked:
    from tkid.mail.timeline import judge_file

    read = read_record(source.data)
    problems, replay = judge_file(read)
    assumed = ""
    if replay is None and read.readable:
        problems, assumed = _judge_turns_of_damaged_file(source.data, problems)
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
        lines = problem_lines(source.name, source.data, problems, choose_pen(), every=every)
        return Checked(source.name, code, (*lines, *([f"  {assumed}"] if assumed else [])))
    unproven = list_unproven(replay)
    open_questions = [f"  Not certain until hands are opened: {each}. [record.opening]" for each in unproven]
    if open_questions and source.has_deal:
        open_questions.append(f"  The file of the deal proves more: `tkid verify {as_typed(log_text(source.name))}`.")
    doubted = [f"  The hashes do not cover {each.place}: ask {each.asked}. [record.note.hash]" for each in outside]
    line = f"{log_text(source.name)}: {summarize_record(Played.make_played(replay), _describe_early_end(replay))}"
    return Checked(source.name, code, (line, *open_questions, *doubted, *_write_notes(source.name, notes, form)))


def _describe_early_end(replay: Replay) -> str:
    if replay.position.ending is not None or replay.record.timeless:
        return ""
    from tkid.mail.plugin import describe_early_result

    return describe_early_result(replay, None)[1]


def check_all(
    sources: Iterable[archives.Source], form: str, *, every: bool, jobs: int, on: str = ""
) -> Iterator[Checked]:
    """Check game files; yield what was found of each, in order."""
    return archives.map_sources(partial(check_source, form=form, every=every), sources, jobs, on)


def _replay_source(source: archives.Source, *, legal: bool) -> archives.GameLines:
    from tkid.record.json.positions import list_replay_lines

    return archives.GameLines(source.name, list(list_replay_lines(archives.play_source(source), legal=legal)))


Row = dict[str, Any]
COLUMNS: Mapping[str, Mapping[str, Any]] = {
    "games": {
        "file": str, "title": str, "ruleset": str, "names": list[str], "first": int, "turns": int, "ending": str,
        "winners": list[int], "hash": str, "first_card": str,
    },
    "turns": {"file": str, "turn": int, "seat": int, "move": str, "taken_back": bool, "hash": str},
    "events": {"file": str, "turn": int, "rule": str, "text": str},
}  # fmt: skip
"""The columns of each table with their types. Seats count from 0."""
TABLE_FORMATS = (".jsonl", ".csv", ".parquet", ".arrow")
ROWS_TOGETHER = 10_000
"""Rows that are kept in memory until they are written."""


def list_rows(source: archives.Source, table: str) -> archives.GameLines:
    """Make the rows of a game file for a table. Raises UnusableError for a file with mistakes."""
    replay = archives.play_source(source)
    record, played = replay.record, [(moment.turn, moment) for moment in replay.moments if moment.turn is not None]
    rows: list[tuple[Any, ...]] = []
    if table == "games":
        early, position = find_early_end(replay), replay.position
        ending, winners = (TITLES[early.how], early.winners) if early else (position.ending, position.winners)
        first, names = replay.moments[0].position.to_act, list(record.names)
        game = (source.name, record.title, record.ruleset.code, names, first, len(played))
        opening = next((moment.moves for turn, moment in played if moment.moves and not turn.undone), (None,))
        card = str(getattr(opening[0], "card", ""))
        written = record.game.words.write_move(opening[0]) if card else ""
        card = card if written.startswith(card) else written  # Claim's moves have codes of its cards
        rows = [(*game, ending, list(winners), replay.last.hash, card)]
    elif table == "turns":
        words = record.game.words
        for turn, moment in played:
            move = fill_names(words.write_turn(moment.moves), record.names)
            rows.append((source.name, turn.number, turn.seat, move, turn.undone, moment.hash))
    else:
        for turn, moment in played:
            rows += [(source.name, turn.number, each.rule, each.read(record.names)) for each in moment.events]
    return archives.GameLines(source.name, [dict(zip(COLUMNS[table], row, strict=True)) for row in rows])


def _read_rows(files: Sequence[str], shown: Progress, jobs: int, on: str) -> Iterator[Sequence[Row] | None]:
    """Yield the row of each game file for the table of games; None for one that is left out, after printing the reason."""
    find = partial(archives.find_lines, find=partial(list_rows, table="games"))
    for found in archives.map_sources(find, archives.find_sources(files), jobs, on):
        shown.count_step()
        if found.error:
            shown.clear()
            typer.echo(f"{log_text(found.name)}: left out: {found.error}", err=True)
        yield None if found.error else found.rows


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
    files: archives.Files,
    output: Annotated[
        Path, Option("-o", "--output", help="The file to write: its name ends in .jsonl, .csv, .parquet or .arrow.")
    ],
    table: Annotated[str, offer(*COLUMNS)("--table", help="games, turns or events: what each row is about.")] = "games",
    resume: archives.ResumeOption = False,
    jobs: archives.JobsOption = 0,
    on: archives.OnOption = "",
) -> None:
    """Write many games as one table. Leaves out and names files with mistakes. Exit code 1 if there is one."""
    check_choice("--table", table, COLUMNS)
    if output.suffix not in TABLE_FORMATS:
        fail(f"{output}: the name of the file has to end in one of {', '.join(TABLE_FORMATS)}.")
    if output.suffix in {".parquet", ".arrow"} and not find_spec("pyarrow"):
        fail(
            f"{output.suffix} needs pyarrow: run pip install '.[tables]' in a copy of the source, or choose .csv or .jsonl."
        )
    read = (each for each in files if not Path(each).is_dir())  # of folders, only game files are read
    check_output(output, None, *read)
    part = output.with_name(f"{output.name}.part")
    archives.write_lines(partial(gather_rows, table=table), files, part, table, resume=resume, jobs=jobs, on=on)
    with stop_on_os_error("Stopped"), show_progress("games written", stopped=archives.LEFT) as shown:
        rows, games, left_out = _write_table(part, output, table, shown)
        part.unlink(missing_ok=True)
    written = f"{count_noun(rows, 'row')} from {count_noun(games, 'game')}"
    typer.echo(f"{log_text(str(output))}: {written}, {left_out} left out")
    raise typer.Exit(WRONG if left_out else 0)


def gather_rows(source: archives.Source, *, table: str) -> archives.GameLines:
    return archives.GameLines(source.name, [{table: list_rows(source, table).rows}])


def _write_table(part: Path, output: Path, table: str, shown: Progress) -> tuple[int, int, int]:
    """Write the table of what a run has gathered; return the number of rows, of games, and of those left out."""
    rows, written, games, left_out = list[Row](), 0, 0, 0
    with (
        part.open("rb") if part.exists() else nullcontext(()) as lines,
        open_whole_file(output, 0o666 & ~get_umask()) as file,
        _open_table(file, output.suffix, table) as write,
    ):
        for line in lines:
            shown.count_step()
            found = json.loads(line)
            if "error" in found:
                left_out += 1
                continue
            games += 1
            rows += found[table]
            if len(rows) >= ROWS_TOGETHER:
                write(rows)
                written += len(rows)
                rows = []
        write(rows)
    return written + len(rows), games, left_out


WITHOUT_RESULT = {TITLES["abandoned"], TITLES["aborted"]}
"""Ends of games without a winner."""
Z = 1.959964
"""Standard deviations to each side of a mean, within which it lies 95 times of 100."""


def _sort_counts(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return names with their counts, the highest first, in the same order whichever game came first."""
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


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
        return {
            "ruleset": self.code,
            "players": self.players,
            "games": games,
            "unfinished": self.unfinished,
            "equal": round(1 / len(self.parties), 4),
            "endings": dict(_sort_counts(self.endings)),
            "seats": [{"seat": seat + 1, **self._estimate_share(seat, games)} for seat in range(self.players)],
            "first_cards": [
                {"card": card, "games": n, **self._estimate_share(card, n)} for card, n in _sort_counts(self.opened)
            ],
        }

    def _estimate_share(self, key: object, games: int) -> dict[str, Any]:
        """Return a share of wins with its interval."""
        if not games:
            return {"won": 0, "share": None, "low": None, "high": None}
        share = self.points.get(key, 0.0) / games
        low, high = find_interval(share, games)
        return {"won": self.won[key], "share": round(share, 4), "low": round(low, 4), "high": round(high, 4)}


def find_interval(share: float, games: float) -> tuple[float, float]:
    """Return the ends of Wilson's interval for a share of wins: it has the true share at least 95 times of 100."""
    middle, spread = share + Z * Z / 2 / games, Z * sqrt(share * (1 - share) / games + (Z / 2 / games) ** 2)
    scale = 1 + Z * Z / games
    return max(0.0, middle - spread) / scale, (middle + spread) / scale


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
    files: archives.Files,
    as_json: Annotated[bool, Option("--json", help="Print JSON.")] = False,
    jobs: archives.JobsOption = 0,
    on: archives.OnOption = "",
) -> None:
    """Count who won many games, by ruleset, seat and first card. Exit code 1 if a file has mistakes."""
    tallies, read, left_out = dict[tuple[str, int], Tally](), 0, 0
    with stop_on_os_error("Nothing was counted"), show_progress("games read") as shown:
        for found in _read_rows(files, shown, jobs, on):
            left_out += found is None
            for row in found or ():
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
