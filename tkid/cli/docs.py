"""Commands for documentation and other programs: docs, lsp, conformance."""

from __future__ import annotations

import lzma
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Annotated, Any
from zipfile import ZipFile

import typer
from typer import Argument, Option

from tkid.cli.files import check_output, print_or_write
from tkid.cli.game_source import load_bytes, reader_of, seat_of
from tkid.cli.printing import WRONG, fail, os_error_text, print_json, show_progress, stop_on_os_error
from tkid.cli.rules import ruleset_option
from tkid.cli.turn_input import answer_lines
from tkid.kernel.game import Position
from tkid.notation.text import count_noun
from tkid.record.play.replay import Replay
from tkid.rulebook import register

if TYPE_CHECKING:
    from tkid.record.json.conformance import Case, Suite

PACKED = "site.zip.xz"
"""The site in the wheel: a ZIP file without compression, compressed as a whole, as its pages are much alike."""
SOURCES = ("docs", "tkid", "grammar", "fixtures", "mkdocs.yml")
"""Sources of the site in a checkout."""
BUILT = ".build/site-offline"
"""Where a checkout keeps it, as `make docs-offline` does."""


class NoSiteError(LookupError):
    """There is no copy of the site here, and nothing to build one with. The message says what to do."""


def local_site(*, as_it_is: bool = False) -> Path:
    """Return the site's first page, built if missing, or outdated and not wanted `as_it_is`. Raises NoSiteError."""
    root = Path(str(files("tkid"))).parent
    is_checkout = (root / "mkdocs.yml").is_file()
    if is_checkout and find_spec("mkdocs") and find_spec("material"):
        return _build_site(root, as_it_is=as_it_is)
    packed = root / "tkid" / PACKED
    if packed.is_file():
        base = os.environ.get("XDG_CACHE_HOME")
        cache = Path(base) / "tkid" if base else Path(typer.get_app_dir("tkid")) / "cache"
        return _unpack_site(packed.read_bytes(), cache)
    if is_checkout:
        raise NoSiteError(
            "To build the site, install what it needs: pip install '.[docs]'. Then run `tkid docs` again."
        )
    raise NoSiteError("This copy of tkid was packed without the site. Build it in a checkout: make docs-offline.")


def _unpack_site(packed: bytes, folder: Path) -> Path:
    """Return the first page of a packed site. Unpack it once, and remove copies of other versions."""
    site = folder / f"site-{sha256(packed).hexdigest()[:12]}"
    if not site.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        fresh = Path(mkdtemp(prefix="fresh-", dir=folder))
        ZipFile(BytesIO(lzma.decompress(packed))).extractall(fresh)
        for old in folder.glob("site-*"):
            shutil.rmtree(old, ignore_errors=True)
        fresh.rename(site)
    return site / "index.html"


def _build_site(root: Path, *, as_it_is: bool) -> Path:
    start = root / BUILT / "index.html"
    if not start.is_file() or (
        not as_it_is and any(each.stat().st_mtime > start.stat().st_mtime for each in _list_sources(root))
    ):
        typer.echo("Building the site. This takes about a minute.", err=True)
        command = [sys.executable, "-m", "docs.making.build", str(root / BUILT)]
        environment = os.environ | {"OFFLINE": "true", "PYTHONPATH": str(root)}
        done = subprocess.run(command, cwd=root, env=environment, check=False)  # noqa: S603 - our own command
        if done.returncode:
            raise NoSiteError("The site could not be built.")
    return start


def _list_sources(root: Path) -> Iterator[Path]:
    for name in SOURCES:
        place = root / name
        yield from (
            each
            for each in (place.rglob("*") if place.is_dir() else [place])
            if each.is_file() and "__pycache__" not in each.parts
        )


app = typer.Typer()


@app.command(epilog="Example: tkid docs; or: tkid docs --address")
def docs(
    address: Annotated[
        bool,
        Option("--address", help="Only print the address of the site. If a copy exists, tkid does not rebuild it."),
    ] = False,
) -> None:
    """Open the rules site, without a network. It is part of the program. In a copy of the source, the command builds it."""
    import webbrowser

    try:
        with stop_on_os_error("The site could not be unpacked"):
            start = local_site(as_it_is=address).as_uri()
    except NoSiteError as error:
        fail(f"{error}\nOn the network it is at {register.find_address()}")
    if address or not webbrowser.open(start):
        typer.echo(start)


NEEDED = ("pygls", "lsprotocol")


@app.command(epilog="Example: tkid lsp")
def lsp(
    stdio: Annotated[  # noqa: ARG001 - some editors always add it, and there is no other way
        bool, Option("--stdio", help="Use standard input and output. This is always so.")
    ] = False,
) -> None:
    """Serve an editor with problems, rules, legal turns and pictures. Your editor starts it for files that end in .tkid."""
    try:
        from tkid.lsp.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in NEEDED:
            raise
        fail("The language server needs pygls: run pip install '.[editor]' in a copy of the source.")
    serve(owners_view)


def owners_view(path: str, replay: Replay, position: Position) -> int | None:
    """Return the view that `tkid show` gives of a file, the owner's or next player's; else a spectator's."""
    try:
        seat = reader_of(path, replay, position)
    except (typer.Exit, ValueError):
        return None
    return seat_of(replay.record.names, seat) if seat else position.to_act


@app.command(epilog="Example: tkid conformance --check answers.jsonl")
def conformance(
    folder: Annotated[str, Argument(help="The folder with the suite's files, if it is not tkid's own suite.")] = "",
    questions: Annotated[bool, Option("--questions", help="Print the questions, each on a line.")] = False,
    jsonl: Annotated[bool, Option("--jsonl", help="Answer the questions on standard input.")] = False,
    check: Annotated[str, Option("--check", help="Compare the answers in this file. - reads standard input.")] = "",
    export: Annotated[Path | None, Option("--export", help="Write the files of the suite to this ZIP file.")] = None,
    ruleset: Annotated[
        list[str] | None, ruleset_option("--ruleset", help="Only the cases of this ruleset. May be repeated.")
    ] = None,
) -> None:
    """Compare answers with the conformance suite. Without options, they are tkid's own. Exit code 1 if any differs."""
    if sum((questions, jsonl, bool(check), bool(export))) > 1:
        fail("Use only one of --questions, --jsonl, --check and --export.")
    if jsonl:
        from tkid.record.json.conformance import answer

        answer_lines(answer)
        return
    from tkid.record.json.conformance import find_own_suite, pack_suite

    place = Path(folder) if folder else find_own_suite()
    suite = _load_suite(place)
    if export:
        check_output(export, None, place)
        print_or_write(pack_suite(place), export)
        typer.echo(f"The suite is in {export}: version {suite.version}, {len(suite.cases)} cases.")
        return
    cases = _select_cases(suite, ruleset or [])
    if questions:
        for case in cases:
            print_json(case.make_question())
    elif check:
        _print_report(suite, cases, _read_answers(check))
    else:
        from tkid.record.json.conformance import answer

        answers = {}
        with show_progress("cases answered", len(cases)) as shown:
            for case in cases:
                answers[case.number] = answer(case.make_question())
                shown.count_step()
        _print_report(suite, cases, answers)


def _load_suite(folder: Path) -> Suite:
    from tkid.record.json.conformance import SuiteError, read_suite

    try:
        return read_suite(folder)
    except OSError as error:
        fail(os_error_text(error))
    except SuiteError as error:
        fail(str(error))


def _select_cases(suite: Suite, codes: list[str]) -> Sequence[Case]:
    known = dict.fromkeys(case.ruleset for case in suite.cases)
    for code in codes:
        if code not in known:
            fail(f"The suite has no cases for the ruleset {code}. It has cases for {', '.join(known)}.")
    return [case for case in suite.cases if not codes or case.ruleset in codes]


def _read_answers(name: str) -> dict[str, Mapping[str, Any]]:
    from tkid.record.json.conformance import SuiteError, read_answers

    try:
        return read_answers(load_bytes(name).decode("utf-8-sig").split("\n"), name)
    except UnicodeDecodeError:
        fail(f"{name}: this file is not UTF-8 text.")
    except SuiteError as error:
        fail(str(error))


MOST_MISSING = 8
"""Cases without an answer that are named."""


def _print_report(suite: Suite, cases: Sequence[Case], answers: Mapping[str, Mapping[str, Any]]) -> None:
    from tkid.record.json.conformance import find_differences

    missing = [case.number for case in cases if case.number not in answers]
    answered = [case for case in cases if case.number in answers]
    judged = ((case, [*find_differences(case, answers[case.number])]) for case in answered)
    wrong = [(case, differences) for case, differences in judged if differences]
    for case, differences in wrong:
        typer.echo(f"{case.number} {case.title} [{', '.join(case.rules)}]")
        for difference in differences:
            typer.echo(f"    {difference}")
    if missing:
        more = f" and {len(missing) - MOST_MISSING} more" if len(missing) > MOST_MISSING else ""
        typer.echo(f"No answer for {', '.join(missing[:MOST_MISSING])}{more}")
    known = {case.number for case in suite.cases}
    unknown = [number for number in answers if number not in known]
    for number in unknown:
        retired = "this case is retired" if number in suite.retired else "this suite has no such case"
        typer.echo(f"{number}: {retired}. Its answer is ignored.", err=True)
    counts = f"{len(answered) - len(wrong)} right, {len(wrong)} wrong, {len(missing)} unanswered"
    typer.echo(f"suite {suite.version}, {count_noun(len(cases), 'case')}: {counts}")
    if wrong or missing:
        raise typer.Exit(WRONG)
