"""Files: a write is whole or not at all, one writer at a time, and comments survive every rewrite."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections.abc import Callable
from io import BufferedWriter
from pathlib import Path
from threading import Thread
from typing import Any, Self

import pytest

from tests.cli import RECORD, record_in, said, tkid
from tests.shared.tables import sample
from tkid.cli.files import lock_file
from tkid.record.format.reader import read_record

TURN = "Manoeuvre S Moray <> E Devon; summon W Warwick"
RUN = (sys.executable, "-c", "from tkid.cli import main; main()")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game in which it is Łukasz's turn, in a folder of its own."""
    return record_in(tmp_path)


def typed(game: Path) -> str:
    """Make the game one that `tkid fmt` would change; its text."""
    text = RECORD.replace("Setup", "setup")
    game.write_text(text, "utf-8")
    return text


# -- writing fails ----------------------------------------------------------------------------------------


def no_space(*_: object, **__: object) -> Any:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def broken_open(open_file: Callable[..., BufferedWriter]) -> Callable[..., Any]:
    """`os.fdopen`, giving files that cannot be written to."""

    class Broken:
        def __init__(self, *arguments: Any) -> None:
            self.file = open_file(*arguments)

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()

        def write(self, data: bytes) -> int:
            self.file.write(data[: len(data) // 2])
            return int(no_space())

    return Broken


def break_writing(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """Make one step of writing fail as it does on a full disk."""
    if what == "write":
        monkeypatch.setattr(os, "fdopen", broken_open(os.fdopen))
    else:
        monkeypatch.setattr(os, what, no_space)


@pytest.mark.parametrize("what", ["write", "fsync", "chmod", "replace"])
def test_a_failed_write_changes_nothing(game: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    text = typed(game)
    for command in (("play", game, TURN), ("fmt", game), ("new", game.with_name("new.tkid"), "Ann", "Bob")):
        with monkeypatch.context() as broken:
            break_writing(broken, what)
            result = tkid(*command)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert re.fullmatch(r"Nothing was (played|changed|written): .*No space left on device\n", result.stderr)
        assert game.read_text("utf-8") == text
        assert [path.name for path in game.parent.iterdir()] == ["game.tkid"]
    assert tkid("play", game, TURN).exit_code == 0


@pytest.mark.skipif(not hasattr(os, "O_DIRECTORY"), reason="Windows brings no folder to disk")
def test_a_folder_that_cannot_be_brought_to_disk_is_no_failure(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By then the turn is in the file, so nobody is told that it is not; nor is it noted that it was not sent yet."""
    whole: list[int] = []

    def fsync(descriptor: int) -> None:
        whole.append(descriptor)
        if len(whole) > 1:
            no_space()

    monkeypatch.setattr(os, "fsync", fsync)
    assert tkid("play", game, TURN).exit_code == 0
    assert len(whole) == 3
    assert f"6. Łukasz {TURN} #" in game.read_text("utf-8")


def test_a_file_that_its_owner_made_read_only_is_left_alone(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)
    result = tkid("play", game, TURN)
    assert (result.exit_code, result.stderr) == (2, f"Nothing was played: {game}: Permission denied\n")
    assert game.read_text("utf-8") == RECORD


# -- the file's place -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_the_permissions_of_a_file_are_kept(game: Path, mode: int) -> None:
    game.chmod(mode)
    assert tkid("play", game, TURN).exit_code == 0
    assert game.stat().st_mode & 0o777 == mode
    mask = os.umask(0o027)
    try:
        assert tkid("new", game.with_name("new.tkid"), "Ann", "Bob").exit_code == 0
    finally:
        os.umask(mask)
    assert game.with_name("new.tkid").stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(game: Path, tmp_path: Path) -> None:
    link = tmp_path / "links" / "mine.tkid"
    link.parent.mkdir()
    link.symlink_to(Path("..") / "game.tkid")
    assert tkid("play", link, TURN).exit_code == 0
    assert link.is_symlink()
    assert not game.is_symlink()
    assert TURN in game.read_text("utf-8")
    assert [path.name for path in link.parent.iterdir()] == ["mine.tkid"]
    taken = tkid("new", link, "Ann", "Bob")
    assert (taken.exit_code, taken.stderr) == (2, f"{link} exists already. Nothing was written.\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are only on POSIX")
@pytest.mark.parametrize(
    "command", [("render", "--format", "svg"), ("letter", "write", "--me", "Łukasz"), ("view", "--seat", "1")]
)
def test_a_pipe_is_written_to_and_not_replaced(game: Path, command: tuple[str, ...]) -> None:
    """And so is a device, such as /dev/null."""
    pipe = game.with_name("pipe")
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    said(*command, str(game), "-o", str(pipe))
    reader.join(10)
    assert not reader.is_alive()
    assert len(read[0]) > 100
    assert pipe.is_fifo()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
@pytest.mark.parametrize("command", [("show",), ("show", "--json"), ("legal",), ("rule", "second.turn.pass")])
def test_what_cannot_be_printed_is_told(game: Path, command: tuple[str, ...]) -> None:
    arguments = command if command[0] == "rule" else (command[0], str(game), *command[1:])
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run([*RUN, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (run.returncode, run.stderr) == (2, f"Not everything was printed: {os.strerror(errno.ENOSPC)}.\n")


def test_links_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "a.tkid").symlink_to("b.tkid")
    (tmp_path / "b.tkid").symlink_to("a.tkid")
    for command in ("check", "fmt", "show"):
        result = tkid(command, tmp_path / "a.tkid")
        assert result.exit_code == 2
        assert "Too many levels of symbolic links" in result.stderr


# -- two writers ------------------------------------------------------------------------------------------


def test_a_file_in_use_is_not_written(game: Path) -> None:
    text = typed(game)
    with lock_file(game) as data:
        assert data.decode() == text
        for command, told in (
            ("play", "Nothing was played. Check the file and try again."),
            ("fmt", "Nothing was changed."),
        ):
            result = tkid(command, game, *([TURN] if command == "play" else []))
            assert result.exit_code == 2
            assert result.stderr == f"{game}: another program is writing it right now. {told}\n"
        assert tkid("check", game).exit_code == 0
    assert game.read_text("utf-8") == text
    assert tkid("play", game, TURN).exit_code == 0


def at_once(count: int, *command: object) -> list[tuple[int, str]]:
    """Exit codes and complaints of the same command in some processes at the same time."""
    started = [
        subprocess.Popen([*RUN, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    told = [process.communicate()[1] for process in started]
    return [(process.returncode, text) for process, text in zip(started, told, strict=True)]


def turns(game: Path) -> int:
    """How many turns a game has; it has no problems, and nothing lies about."""
    assert [path.name for path in game.parent.iterdir()] == ["game.tkid"]
    assert tkid("check", game).exit_code == 0
    record = read_record(game.read_bytes()).record
    assert record is not None
    return len(record.turns)


@pytest.mark.slow
@pytest.mark.parametrize("attempt", sample(range(4), 4))
def test_of_two_processes_one_plays_and_the_other_is_told(game: Path, attempt: int) -> None:
    game.write_text(RECORD.partition("1. Ann")[0], "utf-8")
    turn = "Negotiate Moray <> Devon, disc Devon; summon E Essex"
    ended = sorted(at_once(2, "play", game, turn))
    assert ended[0] == (0, ""), attempt
    code, told = ended[1]
    assert (code, "another program is writing it" in told) in {(2, True), (1, False)}
    assert code == 2 or "[second.card.negotiate.no-disc]" in told
    assert turns(game) == 1


@pytest.mark.slow
def test_no_turn_is_lost(game: Path) -> None:
    game.write_text(RECORD.partition("1. Ann")[0], "utf-8")
    played = 0
    for _ in range(3):
        ended = at_once(3, "play", game, "Pass")
        played += sum(code == 0 for code, _ in ended)
        assert {code for code, _ in ended} <= {0, 2}
        assert turns(game) == played
    assert played >= 3


# -- comments ---------------------------------------------------------------------------------------------

COMMENTED = """\
# before the first line
tkid-record: 1

# before a header
Seat: Ann
ruleset: second-edition
# before another
Seat: Bob
#
X-Own: kept   as it is

# before the set-up
Setup
# before its first row
mor SSWE
str SSWW
# between rows, for Lancaster
lan SEEE
nor SSSW
gwy WWWE
war WWEE
ess WEEE
dev SWEE

supply 5S 5W 2E
court ann SE
court bob SE
# before the track
track str, ess, mor, war, nor, gwy, lan, dev
# before the first player
first ann
# before the turns
Turns
# before the first turn
1. {at first} ann {then} man {and} s mor <> e dev {so}; summon w gwy {at last} {#2}
# between turns
# two lines of it

2.bob pass {}
3.ann pass #71a8b3
# between a turn and what followed
-- Strathclyde: unstable (2S 2W)
# after what followed
# at the end
"""
CANONICAL = """\
# before the first line
Tkid-Record: 1
Ruleset: second-edition
# before a header
Seat: Ann
# before another
Seat: Bob
#
X-Own: kept as it is

Setup
# before the set-up
# before its first row
Moray        SSWE
Strathclyde  SSWW
# between rows, for Lancaster
Lancaster    SEEE
Northumbria  SSSW
Gwynedd      WWWE
Warwick      WWEE
Essex        WEEE
Devon        SWEE
Supply       5S 5W 2E
Court Ann    SE
Court Bob    SE
# before the track
Track        Strathclyde, Essex, Moray, Warwick, Northumbria, Gwynedd, Lancaster, Devon
# before the first player
First        Ann

# before the turns
Turns
# before the first turn
1. Ann Manoeuvre S Moray <> E Devon; summon W Gwynedd {at first} {then} {and} {so} {at last} {#2} #HASH
# between turns
# two lines of it
2. Bob Pass {} #HASH
3. Ann Pass #HASH
# between a turn and what followed
-- Strathclyde: unstable (2S 2W)
# after what followed
# at the end
"""


def test_comments_survive_in_every_place(game: Path) -> None:
    game.write_text(COMMENTED.replace(" #71a8b3", ""), "utf-8")
    assert tkid("fmt", game).stdout == f"{game}: changed\n"
    text = game.read_text("utf-8")
    assert re.sub(r"#[0-9a-f]{6}\n", "#HASH\n", text) == CANONICAL
    assert tkid("fmt", game).stdout == f"{game}: nothing to change\n"
    assert tkid("fmt", "-", stdin=COMMENTED.replace(" #71a8b3", "").encode()).stdout == text
    assert game.read_text("utf-8") == text


def test_comments_survive_a_turn(game: Path) -> None:
    game.write_text(COMMENTED.replace(" #71a8b3", ""), "utf-8")
    assert tkid("play", game, "Pass").exit_code == 0
    lines = re.sub(r"#[0-9a-f]{6}\n", "#HASH\n", game.read_text("utf-8")).splitlines()
    assert lines[:-3] == CANONICAL.splitlines()[:-2]
    assert lines[-3:] == ["# after what followed", "# at the end", "4. Bob Pass #HASH"]


def test_comments_of_a_record_that_begins_in_the_middle(game: Path) -> None:
    position = "second-edition; mor SSW, ess wee; supply 2s 1e; 1 hand Assemble; to play 1"
    game.write_text(
        "Tkid-Record: 1\nRuleset: second-edition\nSeat: Ann\nSeat: Bob\n# here we are\n"
        f"Position:   {position}\n# and now\n\nTurns\n# go\n1. ann pass\n# done\n",
        "utf-8",
    )
    assert tkid("fmt", game).exit_code == 0
    text = game.read_text("utf-8")
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# here we are",
        "# and now",
        "# go",
        "# done",
    ]
    assert "Position: second-edition; MOR SSW, STR -, LAN -, NOR -, GWY -, WAR -, ESS WEE, DEV -; supply 2S 1E;" in text
    assert tkid("fmt", "--check", game).exit_code == 0


def test_a_wrong_record_is_not_brought_into_form(game: Path) -> None:
    text = RECORD.replace("3. Ann", "3. Anna")
    game.write_text(text, "utf-8")
    result = tkid("fmt", game)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Did you mean Ann?" in result.stderr
    assert game.read_text("utf-8") == text
