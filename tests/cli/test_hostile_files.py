"""Files that somebody else made to harm: archives that grow, links that lead away, names and lines that are commands; and faults of the program."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.cli import RECORD, said, tkid
from tkid.cli import archives
from tkid.cli.archives import LINKED, MOST_BYTES, find_sources
from tkid.lsp.open_file import read_open_file
from tkid.mail.timeline import judge_file
from tkid.record.format.reader import ReadRecord

GAME = RECORD.encode()
FORMS = ("text", "github", "sarif", "json")
RULING = ("--ruling", "second.ruling.final-tie=shared")
COMMANDS: Sequence[Sequence[str]] = (("check",), *(("check", "--format", form) for form in FORMS), ("impact", *RULING))


# -- archives ---------------------------------------------------------------------------------------------


def zipped(file: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_member_stops_nothing(method: int, tmp_path: Path) -> None:
    file, good = zipped(tmp_path / "a.zip", {"a.tkid": GAME, "b.tkid": GAME}, method), tmp_path / "good.tkid"
    good.write_bytes(GAME)
    data = bytearray(file.read_bytes())
    data[60:90] = bytes(byte ^ 0x5A for byte in data[60:90])
    file.write_bytes(data)
    for command in COMMANDS:
        found = tkid(*command, file, good)
        assert found.exit_code == 2
        assert f"{file}/a.tkid: this is damaged" in found.stderr
        if command[-1] not in FORMS[1:]:
            assert f"{file}/b.tkid: " in found.stdout
            assert f"{good}: " in found.stdout


def bombs(folder: Path) -> list[Path]:
    """Small archives of much, and a long line."""
    zeros = bytes(MOST_BYTES)
    many = zipped(folder / "many.zip", {f"{number}.tkid": zeros for number in range(12)})
    large = zipped(folder / "large.zip", {"a.tkid": zeros + b"0"})
    inner = zipped(folder / "nested.zip", {"inner.zip": large.read_bytes(), "inner.tkid": large.read_bytes()})
    line = folder / "line.jsonl"
    line.write_bytes(b'"' + b"x" * (2 * MOST_BYTES + 5) + b'"\n"Tkid-Record: 2"\n')
    files = [many, large, inner, line]
    for suffix in ("gz", "bz2", "xz"):
        file = folder / f"a.tar.{suffix}"
        with tarfile.open(file, f"w:{suffix}") as archive:  # type: ignore[call-overload]
            for name in ("zeros.bin", "zeros.tkid"):
                entry = tarfile.TarInfo(name)
                entry.size = MOST_BYTES + 1
                archive.addfile(entry, io.BytesIO(zeros + b"0"))
        files.append(file)
    return files


def test_no_more_is_unpacked_than_a_limit(tmp_path: Path) -> None:
    for file in bombs(tmp_path):
        sizes = [len(source.data) for source in find_sources([str(file)])]
        assert sum(sizes) <= max(MOST_BYTES, archives.MOST_PACKED * file.stat().st_size), file
        found = tkid("check", file)
        assert found.exit_code == 2
        assert "more than 16 MB" in found.stderr or file.name == "nested.zip"


def test_links_in_archives_are_named_and_not_followed(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        for name, kind in {"soft.tkid": tarfile.SYMTYPE, "hard.tkid": tarfile.LNKTYPE}.items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/passwd"
            archive.addfile(entry)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        link = zipfile.ZipInfo("soft.tkid")
        link.external_attr = 0o120777 << 16
        packed.writestr(link, "/etc/passwd")
    found = tkid("check", tmp_path / "a.tar", tmp_path / "a.zip")
    assert found.exit_code == 2
    assert [line.partition(": ")[2] for line in found.stderr.splitlines()] == [LINKED] * 3
    assert "passwd" not in found.output


# -- links and devices ------------------------------------------------------------------------------------


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """A folder with links to what is in it and to what is not."""
    games, outside = tmp_path / "games", tmp_path / "outside"
    (games / "more").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret").write_text("PASSWORD=secret\n", "utf-8")
    (outside / "game.tkid").write_bytes(GAME)
    (games / "more" / "game.tkid").write_bytes(GAME)
    (games / "inside.tkid").symlink_to("more/game.tkid")
    (games / "lost.tkid").symlink_to("nothing")
    (games / "outside.tkid").symlink_to("../outside/game.tkid")
    (games / "password.tkid").symlink_to(outside / "secret")
    (games / "same").symlink_to("more")
    (games / "folder").symlink_to(outside)
    return games


@pytest.mark.parametrize("command", COMMANDS)
def test_links_out_of_a_folder_are_named_and_not_followed(command: Sequence[str], linked: Path) -> None:
    found = tkid(*command, linked)
    assert found.exit_code == 2
    assert "secret" not in found.output
    told = {
        name
        for name in ("outside.tkid", "password.tkid", "folder")
        if f"{linked / name}: this link leads out" in found.stderr
    }
    assert told == {"outside.tkid", "password.tkid", "folder"}
    assert f"{linked / 'lost.tkid'}: No such file" in found.stderr
    if command == ("check",):
        assert f"{linked / 'inside.tkid'}: all right" in found.stdout
        assert found.stdout.splitlines()[-1] == "6 games: 2 all right, 4 not read"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_link_that_is_named_shows_a_game_file_or_nothing(command: Sequence[str], linked: Path) -> None:
    found = tkid(*command, linked / "password.tkid")
    assert found.exit_code == 2
    assert "PASSWORD" not in found.output
    assert "this link doesn't lead to a game file" in found.stderr
    assert tkid(*command, linked / "outside.tkid").exit_code == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.tkid")
    assert tkid("check", tmp_path).stderr == f"{tmp_path / 'a.tkid'}: this is neither a file nor a folder\n"


# -- names and lines that are commands --------------------------------------------------------------------

NAMES = (
    "::error file=a::b.tkid",
    "a\n::error::b.tkid",
    "a\r\n::set-output name=a::b.tkid",
    "##[error]a.tkid",
    "a\x1b[31mb\x1b[0m.tkid",
    "a\x9b31mb.tkid",
    "a\x07\x08.tkid",
    "a\u202eb.tkid",
    "a\u2028::warning::b.tkid",
    "a\udcff.tkid",
)


ANNOTATION = re.compile(r"::(?:error|notice) file=(?:[^,:]*,line=\d|[^,:]*::)")


def is_harmless(output: str, *, annotated: bool = False) -> bool:
    """Whether nothing in an output is a command to a terminal or, but for our own annotations, to GitHub."""
    lines = (line for line in output.split("\n") if not (annotated and ANNOTATION.match(line)))
    return output.replace("\n", "").isprintable() and not any(
        "##[" in line or line.lstrip().startswith("::") for line in lines
    )


@pytest.mark.parametrize("command", [*COMMANDS, ("fmt", "--check"), ("show",), ("replay",), ("verify",), ("result",)])
def test_names_of_files_are_no_commands(
    command: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(NAMES):
        for data in (GAME, GAME.replace(b"1. Ann", b"1. Amm"), b"::error::no game\n"):
            Path(name).write_bytes(data)
            found = tkid(*command, name)
            assert is_harmless(found.stdout, annotated="github" in command), (name, found.stdout)
            assert is_harmless(found.stderr), (name, found.stderr)
        Path(name).unlink()
        missing = tkid(*command, f"none{number}{name}")
        assert is_harmless(missing.stderr), name


RUN = (sys.executable, "-c", "from tkid.cli import main; main()")


@pytest.mark.parametrize(
    "words",
    [("new", "FILE", "Ann", "Bob"), ("me", "GAME", "Ann"), ("play", "GAME", "a\x1b[8mb\x9bc"), ("check", "FILE")],
)
def test_no_command_sends_a_control_character_to_a_terminal(words: Sequence[str], tmp_path: Path) -> None:
    """Whatever a command prints of names and texts: the program itself leaves out what is no colour of its own."""
    game = tmp_path / "a\x1b[8mb\x07\x1b]0;title\x07.tkid"
    game.write_bytes(GAME)
    names = {"GAME": str(game), "FILE": str(tmp_path / "n\x1b[2Jew\r.tkid")}
    command = [*RUN, *(names.get(word, word) for word in words)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "FORCE_COLOR": "1"})
    left = re.sub(r"\x1b\[(?:0|1|4|38;5;\d+|;)+m", "", ran.stdout + ran.stderr)
    assert left.replace("\n", "").isprintable(), left


def test_names_in_archives_are_no_commands(tmp_path: Path) -> None:
    names = [name for name in NAMES if name.isprintable() or name.isascii()]
    zipped(tmp_path / "a.zip", {name: GAME for name in names if "\\" not in name})
    lines = [json.dumps({"file": name, "record": RECORD}) for name in NAMES]
    (tmp_path / "a.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    for form in FORMS:
        found = tkid("check", "--format", form, tmp_path / "a.zip", tmp_path / "a.jsonl")
        assert is_harmless(found.output, annotated=form == "github"), found.output


def test_lines_of_files_are_no_commands(tmp_path: Path) -> None:
    """What is shown of a line with a mistake."""
    file = tmp_path / "a.tkid"
    for line in ("::error::a", "  ::error::a", "##[error]a", "a\u202eb", "a\u200bb"):
        file.write_text(RECORD.replace("Turns\n", f"Turns\n{line}\n"), "utf-8")
        for form in FORMS:
            found = tkid("check", "--format", form, file)
            assert found.exit_code == 1
            assert is_harmless(found.output, annotated=form == "github"), found.output


# -- faults of the program --------------------------------------------------------------------------------


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], None]:
    """A program with a fault: it fails at a game file with a word in it."""

    def fail(read: ReadRecord) -> object:
        if read.record is not None and any("crash" in header.value for header in read.record.headers):
            raise ValueError("a fault\x1b[31m\n::error::of the program")
        return judge_file(read)

    for place in (
        "tkid.mail.timeline.judge_file",
        "tkid.lsp.open_file.judge_file",
        "tkid.record.play.validation.judge_record",
    ):
        monkeypatch.setattr(place, fail)
    monkeypatch.setattr("tkid.cli.check.check_canonical", lambda data: None)  # noqa: ARG005 - the full way decides
    return lambda _: None


@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_fault_of_the_program_stops_no_other_file(command: Sequence[str], tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    for name in ("a", "b", "c"):
        data = RECORD.replace("winter-2026", "crash") if name == "b" else RECORD
        (games / f"{name}.tkid").write_text(data, "utf-8")
    zipped(tmp_path / "a.zip", {file.name: file.read_bytes() for file in sorted(games.iterdir())})
    for each in (games, tmp_path / "a.zip"):
        found = tkid(*command, each)
        assert found.exit_code == 2
        assert "b.tkid: tkid failed at this file (ValueError: a fault" in found.stderr
        assert is_harmless(found.output, annotated="github" in command)
        if command[-1] not in FORMS[1:]:
            assert [line.partition(": ")[0][-6:] for line in found.stdout.splitlines()[:2]] == ["a.tkid", "c.tkid"]


@pytest.mark.usefixtures("failing")
def test_a_fault_of_the_program_is_a_problem_in_an_editor() -> None:
    reading = read_open_file("a.tkid", RECORD.replace("winter-2026", "crash"))
    (problem,) = reading.problems
    assert problem.message.startswith("tkid failed at this file (ValueError")
    assert reading.replay is None


def test_what_is_right_is_said_as_before(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    file.write_text(RECORD, "utf-8")
    assert said("check", file) == f"{file}: all right, 5 turns, Łukasz to play\n"
