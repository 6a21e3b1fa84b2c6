"""Many games at once: by processes and clusters of which some die, as lines of JSON, and in runs that are stopped and go on."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest
import typer
from typer.testing import Result

from tests.cli import RECORD, tkid
from tests.ports import free_port, wait_for_port
from tests.shared.strategies import record_of
from tkid.cli import archives
from tkid.cli.archives import Source, map_sources
from tkid.record.play.writer import write_record

GAMES = 7
COMMANDS: Sequence[tuple[str, ...]] = (
    ("replay", "--json"),
    ("verify", "--jsonl"),
    ("impact", "--jsonl", "--ruling", "second.ruling.final-tie=shared"),
    ("annotate", "--player", "greedy", "--thought", "20"),
)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of whole games, one of which is wrong, one not over and one not there."""
    file = tmp_path_factory.mktemp("archive") / "games.jsonl"
    texts = [write_record(record_of(Random(seed), 2, 1)) for seed in range(GAMES)]
    texts[2:2] = [texts[0].replace("1. ", "1. x"), RECORD]
    lines = [json.dumps({"file": f"{number}.tkid", "record": text}) for number, text in enumerate(texts)]
    file.write_text("\n".join([*lines[:4], "{}", *lines[4:]]) + "\n", "utf-8")
    return file


def read_words(found: Result) -> str:
    return " ".join(found.output.split())


def name_of(source: Source) -> str:
    return source.name


def die_once(source: Source, flag: Path) -> str:
    """Give the name of a file; but the first process that works on the last of all dies."""
    if source.name == LAST:
        try:
            flag.touch(exist_ok=False)
        except FileExistsError:
            return source.name
        os.kill(os.getpid(), signal.SIGKILL)
    return source.name


def die(_: Source) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


OWN, ELSE = (json.dumps({"file": name, "complete": True}) for name in ("5.tkid", "other.tkid"))
MANY = [Source(f"{number}.tkid") for number in range(163)]
LAST = MANY[64].name


@pytest.fixture
def helped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let other processes do all the work."""
    monkeypatch.setattr(archives, "ALONE", 0)


@pytest.mark.usefixtures("helped")
def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    found = list(map_sources(partial(die_once, flag=tmp_path / "died"), MANY, 2))
    assert (tmp_path / "died").exists()
    assert found == [each.name for each in MANY]


def find_process(_: Source) -> int:
    return os.getpid()


def test_other_processes_get_the_first_slow_file() -> None:
    assert os.getpid() not in map_sources(find_process, MANY[:2], 2, slow=True)
    assert {*map_sources(find_process, MANY[:2], 2)} == {os.getpid()}


@pytest.mark.usefixtures("helped")
def test_files_that_kill_each_process_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        list(map_sources(die, MANY, 2))
    printed = " ".join(capsys.readouterr().err.split())
    assert printed == "A process ended 3 times while it worked on 0.tkid. Was there too little memory?"


WAITING = """
import os, signal, time
from tkid.cli import archives

def wait(source):
    os.write(1, b".")
    time.sleep(60)

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs a job in the background turns it off
    archives.ALONE = 0
    list(archives.map_sources(wait, [archives.Source(f"{number}.tkid") for number in range(9)], 2))
"""
"""A command whose processes write a dot and work for longer than a test."""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are not killed by signals there")
@pytest.mark.parametrize("stop", ["SIGKILL", "SIGINT"])
def test_the_processes_end_with_the_command(stop: str, tmp_path: Path) -> None:
    """If the command is killed or stopped, their results are lost. As long as one of them lives, its output is open."""
    script = tmp_path / "waiting.py"
    script.write_text(WAITING, "utf-8")
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as command:
        assert command.stdout is not None
        assert command.stdout.read(2) == b".."
        command.send_signal(signal.Signals[stop])
        assert command.communicate(timeout=30)[0] == b""


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_stopped_run_goes_on(words: Sequence[str], archive: Path, tmp_path: Path) -> None:
    """Wherever it was stopped, the output is in the end the same, and the whole lines before the last game's are kept."""
    output = tmp_path / "lines.jsonl"
    command = (words[0], archive, *words[1:], "-o", output)
    first = tkid(*command)
    assert first.exit_code == 2
    assert "2.tkid: " in first.stderr
    assert "games.jsonl:5: this has to be an object" in first.stderr
    whole = output.read_bytes()
    for cut in sorted(Random(5).sample(range(len(whole)), 4)):
        output.write_bytes(whole[:cut])
        tkid(*command, "--resume")
        assert output.read_bytes() == whole, cut
    output.write_bytes(whole[:100])
    found = tkid(*command)
    assert found.exit_code == 2
    assert f"{output} exists already. Add --resume" in found.stderr.replace("\n", " ")
    assert output.read_bytes() == whole[:100]


def test_an_annotated_archive_is_an_archive(archive: Path, tmp_path: Path) -> None:
    output = tmp_path / "annotated.jsonl"
    found = tkid("annotate", archive, "--player", "greedy", "--thought", "20", "-o", output)
    assert "3.tkid: the game is not over" in found.stderr
    assert read_words(tkid("check", output)).endswith(f"{GAMES} games: {GAMES} all right")
    files = [json.loads(line)["file"] for line in output.read_text("utf-8").splitlines()]
    assert files == [f"{number}.tkid" for number in range(GAMES + 2) if number not in {2, 3}]


def test_games_that_cannot_be_read_leave_no_empty_file(tmp_path: Path) -> None:
    output = tmp_path / "annotated.jsonl"
    assert tkid("annotate", tmp_path / "none.zip", "-o", output).exit_code == 2
    assert not output.exists()


def test_an_output_of_other_games_is_not_continued(archive: Path, tmp_path: Path) -> None:
    output = tmp_path / "lines.jsonl"
    for content, reason in (
        ("no JSON\n", "this is not the output of this command"),
        ('{"turn": 1}\n', "this is not the output of this command"),
        ("no line", "this is not the output of this command"),
        ('{"file": "0.tkid", "record": "of annotate"}\n', "this is not the output of this command"),
        *(
            (f"{one}\n{other}\n", "other.tkid comes next in it, but not in these games")
            for one, other in ((ELSE, OWN), (OWN, ELSE))
        ),
    ):
        output.write_text(content, "utf-8")
        found = tkid("verify", archive, "--jsonl", "-o", output, "--resume")
        assert found.exit_code == 2
        assert reason in read_words(found)
        assert output.read_text("utf-8") == content


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("replay",), ": several games need --json."),
        (("verify",), ": several games need --jsonl."),
        (("verify", "--jsonl", "--resume"), "--resume needs the file to continue: -o FILE."),
        (("check", "--on", "slurm"), "--on slurm: write dask://HOST:PORT or ray://HOST:PORT."),
        (("check", "--on", "dask://"), "--on dask://: write dask://HOST:PORT or ray://HOST:PORT."),
        (("check", "--on", "ray://host"), "--on ray://host: write dask://HOST:PORT or ray://HOST:PORT."),
        (("check", "--on", "ray://127.0.0.1:1"), "--on ray://127.0.0.1:1: no cluster answers there"),
        (("check", "--on", "dask://127.0.0.1:99999"), "--on dask://127.0.0.1:99999: no cluster answers there"),
    ],
)
def test_what_is_asked_wrongly(words: Sequence[str], reason: str, archive: Path) -> None:
    found = tkid(words[0], archive, *words[1:])
    assert found.exit_code == 2
    assert reason in read_words(found)


def test_a_cluster_that_is_not_installed(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(archives, "import_module", missing)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        found = tkid("check", archive, "--on", f"dask://127.0.0.1:{listening.getsockname()[1]}")
    assert found.exit_code == 2
    assert "needs dask: run pip install '.[cluster]' in a copy of the source." in read_words(found)


@pytest.mark.parametrize(("seconds", "largest"), [(0.0, 2048), (0.001, 750), (0.005, 150), (0.1, 7), (5.0, 1)])
@pytest.mark.usefixtures("helped")
def test_a_batch_grows_and_the_last_ones_are_short(
    seconds: float, largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cluster spends as much on a batch of one game as on one of a thousand. The order stays, and no game is lost."""
    sizes = list[int]()

    def submit(_: Any, work: Callable[[Source], str], __: str, batch: list[Source]) -> Future[tuple[float, list[str]]]:
        sizes.append(len(batch))
        done = Future[tuple[float, list[str]]]()
        done.set_result((seconds * len(batch), list(map(work, batch))))
        return done

    monkeypatch.setattr(archives, "_open_workers", lambda *_: nullcontext(archives.Workers(2, submit)))
    names = [str(number) for number in range(12_000)]
    assert list(map_sources(name_of, map(Source, names), 2)) == names
    assert (sizes[0], max(sizes)) == (1, largest)
    assert sizes[-1] <= max(1, largest // 4)


def test_another_version_on_a_worker_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "__version__", "0.0.1")
    with pytest.raises(archives.VersionError, match=r"A worker has tkid 0\.0\.1, but this is tkid"):
        archives.work_on_batch(name_of, "0.0.2", MANY[:1])


def cluster(library: str) -> Any:
    return pytest.importorskip(library, reason=f"{library} is not installed: it has no wheel for this machine")


@pytest.fixture
def dask() -> Iterator[str]:
    distributed = cluster("distributed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        host="127.0.0.1",
        worker_dashboard_address=None,
    ) as started:
        yield f"dask://{started.scheduler_address.removeprefix('tcp://')}"


@pytest.fixture
def ray() -> Iterator[str]:
    """The processes of Ray, which end with the one that started them; its workers take any free ports."""
    cluster("ray")
    port = free_port()
    started = subprocess.Popen(
        [
            Path(sys.executable).with_name("ray"), "start", "--head", f"--port={port}", "--node-ip-address=127.0.0.1", "--num-cpus=2", "--block",
            "--include-dashboard=false", "--disable-usage-stats", "--min-worker-port=0", "--max-worker-port=0",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        wait_for_port(port)
        yield f"ray://127.0.0.1:{port}"
    finally:
        started.terminate()
        started.wait(60)


@pytest.mark.exhaustive(seconds=20)
@pytest.mark.parametrize("kind", ["dask", "ray"])
def test_a_cluster_gives_the_same_and_loses_nothing(
    kind: str, request: pytest.FixtureRequest, archive: Path, tmp_path: Path
) -> None:
    """Also if a worker is killed: the files come in order, each once, and what `check` prints is the same byte by byte."""
    on: str = request.getfixturevalue(kind)
    assert tkid("check", archive, "--on", on).stdout == tkid("check", archive).stdout
    work: Callable[[Source], str] = partial(die_once, flag=tmp_path / "died")
    assert list(map_sources(work, MANY, 0, on)) == [each.name for each in MANY]
    assert (tmp_path / "died").exists()


ONE_GAME: Sequence[tuple[str, ...]] = (
    *(
        ("show",),
        ("show", "--json"),
        ("replay",),
        ("legal",),
        ("result",),
        ("why",),
        ("verify",),
        ("view", "--seat", "1"),
    ),
    *(("why-not", "Pass"), ("read", "Pass"), ("render", "--turn", "1", "--format", "svg", "-o", "-")),
)


@pytest.mark.parametrize("ending", [".jsonl", ".JSONL", ".zip"])
def test_an_archive_with_one_game_is_read_as_that_game(ending: str, tmp_path: Path) -> None:
    """By each command that takes one game. An archive with two is refused."""
    text = write_record(record_of(Random(1), 2, 1))
    game, one, two = tmp_path / "game.tkid", tmp_path / f"one{ending}", tmp_path / f"two{ending}"
    game.write_text(text, "utf-8")
    for file, number in ((one, 1), (two, 2)):
        if ending == ".zip":
            with ZipFile(file, "w") as packed:
                for each in range(number):
                    packed.writestr(f"{each}.tkid", text)
        else:
            file.write_text(f"{json.dumps({'record': text})}\n" * number, "utf-8")
    for words in ONE_GAME:
        expected, found, refused = (tkid(words[0], file, *words[1:]) for file in (game, one, two))
        assert (found.exit_code, found.stdout) == (expected.exit_code, expected.stdout), words
        assert (refused.exit_code, refused.stdout) == (2, ""), words
        assert "several games" in read_words(refused)
    made = [tkid("new", tmp_path / f"{file.stem}.new.tkid", "--from", file, "--turn", "1") for file in (game, one)]
    assert [each.exit_code for each in made] == [0, 0]
