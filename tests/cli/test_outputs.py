"""What a command writes takes the place of no file that it reads or makes, whatever the file is called."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.main import get_command

from tests.cli import RECORD, record_in, said, tkid
from tests.cli.dealers import ADVANCED, dealt
from tests.cli.letters import HASH
from tkid.cli.app import app
from tkid.cli.files import settings_file
from tkid.cli.printing import FILES

BESIDE = tuple(f"game{suffix}" for suffix in FILES)
DEALT = tuple(f"winter{suffix}" for suffix in FILES)
HOST = tuple(
    f"games/{name}"
    for name in ("host.toml", "secret", "host.db", "host.db-wal", "status.json", "sent", "in/new/1", "out")
)
SEATS = ("--seat", "Ann <ann@example.org>", "--seat", "Bob <bob@example.org>", "--me")


class Writer(NamedTuple):
    """A command that writes a file: what precedes the file, and the files whose place it must not take.

    `option` precedes the file; "" where it is an argument. `fresh` is a name that it may have.
    """

    arguments: tuple[str, ...]
    kept: tuple[str, ...]
    option: str = "-o"
    after: tuple[str, ...] = ()
    fresh: str = "fresh"


OUTPUTS: dict[str, list[Writer]] = {
    "render": [Writer(("render", "game.tkid", "--format", "svg"), BESIDE)],
    "annotate": [Writer(("annotate", "game.tkid", "--alone", "--thought", "1"), BESIDE)],
    "export": [Writer(("export", "game.tkid"), BESIDE, fresh="fresh.csv")],
    "replay": [Writer(("replay", "game.tkid", "--json"), BESIDE)],
    "verify": [Writer(("verify", "game.tkid"), BESIDE)],
    "impact": [Writer(("impact", "game.tkid", "--ruling", "second.ruling.final-tie=shared"), BESIDE)],
    "view": [Writer(("view", "game.tkid"), BESIDE)],
    "open": [Writer(("open", "game.tkid", "bob.tkid"), (*BESIDE, "bob.tkid"))],
    "transcribe": [Writer(("transcribe", "game.tkid", "--setup", "game.tkid"), BESIDE)],
    "mail write": [Writer(("mail", "write", "game.tkid"), BESIDE)],
    "mail read": [Writer(("mail", "read", "game.tkid", "bob.eml"), (*BESIDE, "bob.eml"))],
    "letter write": [Writer(("letter", "write", "game.tkid", "--me", "Ann", "--to", "all", "--no-pictures"), BESIDE)],
    "letter new": [
        Writer(("letter", "new", "game.draw", *SEATS, "Ann"), BESIDE),
        Writer(("letter", "new", "game.deal", *SEATS, "Ann", "--ruleset", ADVANCED), BESIDE),
        Writer(("letter", "new", "game.draw", "ann.eml", "--me", "Bob"), (*BESIDE, "ann.eml")),
        Writer(("letter", "new", "own.draw", "theirs.eml"), tuple(f"own{suffix}" for suffix in FILES)),
    ],
    "letter escrow": [Writer(("letter", "escrow", "winter.deal", "WORD"), DEALT)],
    "letter escrow-open": [
        Writer(("letter", "escrow-open", "winter.escrow", "--key", "eve.key"), ("winter.escrow", "eve.key", *DEALT[:2]))
    ],
    "host export": [Writer(("host", "export", "games", "winter"), HOST)],
}
"""Each command with an option for the file that it writes."""
ARGUMENTS: dict[str, list[Writer]] = {
    "new": [Writer(("new",), ("game.tkid", "bob.eml", "own.draw"), "", ("Ann", "Bob"))],
    "letter read": [Writer(("letter", "read"), ("bob.tkid", "bob.eml", "own.draw"), "", ("bob.tkid", "--begin"))],
    "letter new": [Writer(("letter", "new"), ("game.tkid", "game.nonce", "game.seed"), "", (*SEATS, "Ann"))],
    "conformance": [Writer(("conformance",), (), "--export")],
    "host backup": [Writer(("host", "backup", "--force", "games"), (*HOST, "game.tkid"), "")],
    "host restore": [Writer(("host", "restore", "--force"), ("games/secret",), "", ("games",))],
}
"""Commands that make a file whose name is an argument."""
UNCHANGED = {
    *(
        "play",
        "serve",
        "me",
        "undo",
        "resign",
        "open",
        "mail read",
        "letter read",
    ),  # the game file itself, which gets more turns
    "transcribe",  # a set-up and answers, which it reads
    *("mail write", "letter write", "letter escrow", "letter escrow-open"),  # read, and written by the option alone
    "letter escrow-key",  # prints the word of a key that exists
    "host new-games",  # reads a list of games
    "host import",  # reads a game file
    "host publish",  # writes into a folder of its own
}
"""Commands with other arguments that are paths."""
NEW = ("game.draw", "game.deal", "game.nonce", "game.seed")
"""Files that are not there yet when a deal begins."""
ROWS = [(name, writer) for table in (OUTPUTS, ARGUMENTS) for name, rows in table.items() for writer in rows]


def commands() -> Iterator[tuple[str, Any]]:
    """Every command of the program, with its name."""

    def below(command: Any, *path: str) -> Iterator[tuple[str, Any]]:
        if not hasattr(command, "commands"):
            yield " ".join(path), command
        for name in list(getattr(command, "commands", ())):
            yield from below(command.commands[name], *path, name)

    yield from below(get_command(app))


def test_every_command_that_writes_a_file_is_listed() -> None:
    """A new option for an output, or a new argument that is a path, needs a row above."""
    outputs, paths = set(), set()
    for name, command in commands():
        for each in command.params:
            if "--output" in each.opts:
                outputs.add(name)
            elif "Path" in type(each.type).__name__ and each.name != "folder":
                paths.add(name)
    assert outputs == set(OUTPUTS)
    assert paths == {*ARGUMENTS, *UNCHANGED}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with games, deals, mails, secrets and a host."""
    folder = tmp_path_factory.mktemp("desk")
    said("fmt", record_in(folder, HASH.sub("", RECORD).replace("Seat: Łukasz", "Seat: Łukasz <l@example.org>")))
    shutil.copy(folder / "game.tkid", folder / "bob.tkid")
    (folder / "bob.eml").write_text("From: ann@example.org\nTo: tkid@localhost\n\nPass\n", "utf-8")
    for name, deal in (("Ann", "ann.draw"), ("Ann", "own.draw")):
        said("letter", "new", folder / deal, *SEATS, name, "-o", folder / f"{deal[:3]}.eml")
    said("letter", "new", folder / "theirs.draw", folder / "own.eml", "--me", "Bob", "-o", folder / "theirs.eml")
    (folder / "table").mkdir()
    players, _ = dealt(folder / "table", "Ann Bob", ADVANCED)
    for file in players[0].folder.iterdir():
        shutil.copy(file, folder)
    word = said("letter", "escrow-key", folder / "eve.key").splitlines()[-1]
    said("letter", "escrow", folder / "winter.deal", word, "-o", folder / "winter.escrow")
    (folder / "word").write_text(word, "utf-8")
    said("host", "init", folder / "games")
    said("host", "new-game", folder / "games", "Ann <ann@example.org>", "Bob <bob@example.org>", "--game", "winter")
    return folder


def same(folder: Path, name: str) -> Path:
    """The name itself."""
    return folder / name


def round_about(folder: Path, name: str) -> Path:
    """The name by way of another folder."""
    (folder / "below").mkdir(exist_ok=True)
    return folder / "below" / ".." / name


def other_case(folder: Path, name: str) -> Path:
    """The name as a disk without cases may have it."""
    return folder / name.upper() if "/" not in name else folder / name


def linked(folder: Path, name: str) -> Path:
    """A link to the file."""
    link = folder / "link"
    link.symlink_to(folder / name)
    return link


def hard_linked(folder: Path, name: str) -> Path:
    """Another name of the file, where it exists."""
    if not (folder / name).is_file():
        return folder / name
    os.link(folder / name, folder / "hard")
    return folder / "hard"


def in_linked_folder(folder: Path, name: str) -> Path:
    """The file in a folder that is a link."""
    (folder / "elsewhere").symlink_to(folder, target_is_directory=True)
    return folder / "elsewhere" / name


NAMES: list[Callable[[Path, str], Path]] = [same, round_about, other_case, linked, hard_linked, in_linked_folder]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, but those of a database, which change when it is read."""
    files = (file for file in folder.rglob("*") if file.is_file() and not file.name.startswith("host.db"))
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


@pytest.mark.parametrize(("command", "writer"), ROWS, ids=lambda value: value if isinstance(value, str) else "")
def test_no_output_takes_the_place_of_a_file_that_is_read_or_made(
    desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, writer: Writer
) -> None:
    folder = tmp_path / "desk"
    shutil.copytree(desk, folder)
    for new in NEW if command == "letter new" else ():
        (folder / new).unlink(missing_ok=True)
    monkeypatch.chdir(folder)
    word = Path("word").read_text("utf-8")
    arguments = [word if each == "WORD" else each for each in writer.arguments]
    for name in writer.kept:
        for named in NAMES if writer.option else [each for each in NAMES if each is not other_case]:
            output, before = named(folder, name), contents(folder)
            result = tkid(*arguments, *([writer.option] if writer.option else []), output, *writer.after)
            assert result.exit_code in {1, 2}, (name, named, result.output)
            assert result.stderr, (name, named)
            assert contents(folder) == before, (name, named, result.output)
            for link in ("link", "hard", "elsewhere"):
                Path(link).unlink(missing_ok=True)
    if writer.option:  # and a name of its own does
        tkid(*arguments, writer.option, writer.fresh)
        assert Path(writer.fresh).read_bytes()


def test_the_settings_are_no_place_for_an_output(desk: Path) -> None:
    place = settings_file()
    place.parent.mkdir(parents=True, exist_ok=True)
    result = tkid("view", desk / "game.tkid", "-o", place)
    assert (result.exit_code, "keeps another file there" in result.stderr) == (2, True)


def test_an_output_of_its_own_is_written(desk: Path, tmp_path: Path) -> None:
    shutil.copytree(desk, tmp_path / "own")
    for name in ("mine.eml", "game.eml", "game"):
        said("view", tmp_path / "own" / "game.tkid", "-o", tmp_path / "own" / name)
        assert (tmp_path / "own" / name).read_text("utf-8").startswith("Tkid-Record: 1")


def test_links_in_a_circle_are_no_place_for_an_output(desk: Path, tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    result = tkid("view", desk / "game.tkid", "-o", tmp_path / "one")
    assert result.exit_code == 2
    assert "Nothing was written" in result.stderr
