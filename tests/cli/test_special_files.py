"""Files that are none, named directly: devices, pipes, sockets, and files whose size nobody knows. And standard input that is closed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from tests.cli import RECORD, tkid
from tests.cli.streams import close, program
from tkid import files
from tkid.files import MAX_GAME_FILE

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes and devices")
RUN = (sys.executable, "-c", "from tkid.cli import main; main()")
READING: Sequence[Sequence[str]] = (
    ("check", "FILE"),
    ("show", "FILE"),
    ("verify", "FILE"),
    ("legal", "FILE"),
    ("letter", "read", "game.tkid", "FILE"),
    ("mail", "read", "game.tkid", "FILE"),
    ("check", "--files-from", "FILE"),
    ("impact", "--ruling", "second.ruling.final-tie=shared", "FILE"),
)
CHANGING: Sequence[Sequence[str]] = (("play", "FILE", "Pass"), ("undo", "FILE"), ("fmt", "FILE"), ("resign", "FILE"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "PATIENCE", 0)
    Path("game.tkid").write_text(RECORD, "utf-8")
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
        yield tmp_path


def run(words: Sequence[str], file: str) -> tuple[int, str]:
    result = tkid(*(file if word == "FILE" else word for word in words))
    return result.exit_code, result.output


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("words", READING)
@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("pipe", "pipe: this is a pipe, and nobody writes to it"),
        ("socket", "socket: this is a socket, not a file"),
        ("/dev/zero", "too large| larger than | has more than "),
    ],
)
def test_what_is_no_file_is_named_and_not_waited_for(words: Sequence[str], file: str, why: str) -> None:
    code, output = run(words, file)
    assert code == (1 if file == "/dev/zero" and words[0] in {"letter", "mail"} else 2)
    assert any(each in output for each in why.split("|")), output
    assert len(output) < 2000


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("words", CHANGING)
@pytest.mark.parametrize("file", ["pipe", "socket", "/dev/zero", "/dev/null", "/dev/stdin"])
def test_only_files_are_changed(words: Sequence[str], file: str) -> None:
    code, output = run(words, file)
    assert (code, f"{file}: this is a device or a pipe, not a file" in output) == (2, True), output


def test_no_more_is_read_than_needed() -> None:
    assert len(files.read_limited(Path("/dev/zero"), 1000)) == 1001
    assert len(files.read_limited(Path("/dev/zero"), 3 * files.CHUNK)) == 3 * files.CHUNK + 1


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system has no files without a size")
def test_a_file_without_a_size_is_read_to_its_end() -> None:
    status = Path("/proc/self/status")
    assert status.stat().st_size == 0
    assert b"\nPid:\t" in files.read_limited(status, MAX_GAME_FILE)


@pytest.mark.parametrize("words", READING[:4])
@pytest.mark.usefixtures("folder")
def test_a_pipe_that_somebody_writes_to_is_read(words: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """As with `<(…)` in a shell; nothing is written to it before it is opened here."""
    monkeypatch.setattr(files, "PATIENCE", 60)

    def write() -> None:
        with suppress(BrokenPipeError):
            Path("pipe").write_text(RECORD, "utf-8")

    writer = Thread(target=write)
    writer.start()
    code, output = run(words, "pipe")
    writer.join(10)
    assert (code, output.replace("pipe", "game.tkid")) == run(words, "game.tkid")


def write_and_close(pipe: int) -> None:
    """Write a record into a pipe."""
    os.write(pipe, RECORD.encode())
    os.close(pipe)


@pytest.mark.usefixtures("folder")
def test_a_pipe_without_anything_in_it_yet_is_waited_for() -> None:
    """Somebody has it open to write: that is enough, however long it takes."""
    reading, writing = os.pipe()
    writer = Thread(target=write_and_close, args=(writing,))
    came: list[bytes] = []
    reader = Thread(target=lambda: came.append(files.read_limited(Path(f"/dev/fd/{reading}"), MAX_GAME_FILE)))
    reader.start()
    reader.join(0.05)
    writer.start()
    reader.join(10)
    writer.join(10)
    os.close(reading)
    assert came == [RECORD.encode()]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "words",
    [
        ("check", "-"),
        ("show", "-"),
        ("fmt", "-"),
        ("letter", "read", "game.tkid", "-"),
        ("mail", "read", "game.tkid", "-"),
        ("check", "--files-from", "-"),
        ("read", "game.tkid", "--jsonl"),
        ("ask", "--jsonl"),
        ("legal", "--jsonl"),
    ],
)
def test_a_closed_standard_input_is_not_empty(words: Sequence[str]) -> None:
    ran = subprocess.run([*RUN, *words], preexec_fn=close(0), capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.endswith("standard input is closed\n")
    assert "Traceback" not in ran.stderr


@pytest.mark.usefixtures("folder")
def test_bytes_that_are_no_text_are_not_shown() -> None:
    for file, data in {"a.gz": b"\x1f\x8b\x08\x00\x01\x02\xff\xfe" * 9, "zeros.tkid": bytes(99)}.items():
        Path(file).write_bytes(data)
        output = run(("check", "FILE"), file)[1]
        assert "??" not in output
        assert "\ufffd" not in output
    Path("one.tkid").write_bytes(RECORD.replace("Turns", "Turns \x07").encode())
    assert "    Turns ?\n" in run(("check", "FILE"), "one.tkid")[1]


WRITING: Sequence[Sequence[str]] = (
    ("view", "game.tkid", "-o"),
    ("annotate", "game.tkid", "--alone", "--thought", "1", "-o"),
    ("render", "game.tkid", "--format", "svg", "-o"),
    ("letter", "write", "game.tkid", "--me", "1", "--no-pictures", "-o"),
)


@pytest.mark.parametrize("words", WRITING)
def test_a_pipe_that_nobody_reads_is_not_waited_for(words: Sequence[str], folder: Path) -> None:
    os.mkfifo(folder / "out")
    found = tkid(*words, "out")
    assert found.exit_code == 2
    assert "out: this is a pipe, and nobody reads from it" in found.output


def test_a_pipe_that_somebody_reads_gets_the_file(folder: Path) -> None:
    os.mkfifo(folder / "out")
    came = list[bytes]()
    reader = Thread(target=lambda: came.append((folder / "out").read_bytes()))
    reader.start()
    while tkid("view", "game.tkid", "-o", "out").exit_code:
        assert reader.is_alive()
    reader.join()
    assert came == [RECORD.encode()]


@pytest.mark.parametrize("words", WRITING[:1])
def test_nothing_is_written_to_where_input_comes_from(words: Sequence[str], folder: Path) -> None:
    """Neither to a pipe, which the command would wait for for ever, nor over the file that is read."""
    begun = subprocess.run([*RUN, *words, "/dev/stdin"], input=b"", capture_output=True, check=False, timeout=300)
    assert begun.returncode == 2
    assert b"/dev/stdin is also the standard input" in begun.stderr
    with (folder / "game.tkid").open("rb") as file:
        words = ("annotate", "-", "--alone", "--thought", "1", "-o", "game.tkid")
        begun = subprocess.run([*RUN, *words], stdin=file, capture_output=True, check=False, timeout=300)
    assert begun.returncode == 2
    assert (folder / "game.tkid").read_text("utf-8") == RECORD


NAMING: Sequence[Sequence[str]] = (
    ("me", "FILE"),
    ("me", "FILE", "1"),
    ("check", "FILE"),
    ("fmt", "FILE"),
    ("view", "FILE", "-o", "FILE"),
    ("view", "game.tkid", "-o", "FILE.x"),
    ("undo", "FILE"),
    ("resign", "FILE"),
    ("new", "FILE", "Ann", "Bob"),
    ("new", "FILE.new", "Ann", "Bob"),
    ("letter", "new", "FILE.deal"),
    ("letter", "read", "FILE", "game.tkid"),
    ("open", "FILE"),
    ("docs", "FILE"),
    ("show", "FILE", "--turn", "99"),
)


def test_no_name_that_was_typed_begins_a_line(folder: Path) -> None:
    """A line of ours, or a command to GitHub, could be written in it."""
    name = "x\n::error::b\x1b[31m.tkid"
    with program() as running:
        for words in NAMING:
            (folder / name).write_text(RECORD, "utf-8")
            _, out, err = running.run([word.replace("FILE", name) for word in words], folder, "usual")
            assert "\n::error" not in f"{out}{err}", words
            assert "\x1b" not in f"{out}{err}", words
