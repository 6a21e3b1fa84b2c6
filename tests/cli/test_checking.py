"""`tkid check` of many game files: folders and archives, several processes, and what is damaged among them."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from tests.cli import RECORD, objects, record_in, said, tkid
from tests.shared.strategies import record_of
from tests.shared.tables import sample
from tkid.cli import archives
from tkid.cli.archives import AHEAD, MOST_BYTES, MOST_TOGETHER, Source, find_sources
from tkid.cli.check import check_all
from tkid.cli.printing import CLEAR, show_progress
from tkid.record.play.writer import write_record

WRONG_ONE = 70
"""The game among them that has a mistake."""


@pytest.fixture(scope="module")
def games() -> list[bytes]:
    """Some games, one of them wrong."""
    rng = Random(5)
    own = [write_record(record_of(rng, 2, 0.6)).encode() for _ in range(6)]
    many = [own[number % len(own)] for number in range(96)]
    many[WRONG_ONE] = many[WRONG_ONE].replace(b"1. Ann ", b"1. Amm ").replace(b"1. Bob ", b"1. Bbb ")
    return many


@pytest.fixture(scope="module")
def packed(games: list[bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the games as files, and the same in archives of every kind."""
    top = tmp_path_factory.mktemp("packed")
    (top / "games" / "more").mkdir(parents=True)
    with (
        zipfile.ZipFile(top / "games.zip", "w") as zipped,
        tarfile.open(top / "games.tar.gz", "w:gz") as tarred,
        (top / "games.jsonl").open("w") as lines,
    ):
        for number, data in enumerate(games):
            name = f"{number:03}.tkid"
            (top / "games" / ("more" if number % 2 else ".") / name).write_bytes(data)
            zipped.writestr(f"a/{name}", data)
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tarred.addfile(entry, io.BytesIO(data))
            lines.write(json.dumps({"file": name, "record": data.decode()}) + "\n")
        zipped.writestr("README.txt", "no game")
    return top


@pytest.mark.parametrize("kind", sample(["games", "games.zip", "games.tar.gz", "games.jsonl"], 4))
def test_one_process_and_several_say_the_same_in_the_same_order(
    packed: Path, games: list[bytes], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "ALONE", 0)
    for form in ("text", "json", "sarif"):
        alone, both = (tkid("check", packed / kind, "--format", form, "--jobs", jobs) for jobs in (1, 2))
        assert (alone.stdout, alone.exit_code) == (both.stdout, both.exit_code)
        assert alone.exit_code == 1
    found = objects(tkid("check", packed / kind, "--format", "json").stdout)
    assert len(found) == len(games)
    (wrong,) = (each["file"] for each in found if not each["ok"])
    assert wrong.endswith(f"{WRONG_ONE:03}.tkid")
    numbers = [each["file"][-8:-5] for each in found]
    assert numbers == sorted(numbers, key=lambda number: (kind == "games" and int(number) % 2, number))


def test_names_from_a_file(packed: Path, tmp_path: Path) -> None:
    """More than fit on a command line; what is named beside it comes first."""
    names = [str(packed / "games" / f"{number:03}.tkid") for number in (4, 2)]
    (tmp_path / "names").write_text("\n".join([*names, ""]))
    told = said("check", packed / "games" / "000.tkid", "--files-from", tmp_path / "names")
    *each, last = told.splitlines()
    assert [line.partition(": ")[0][-8:] for line in each] == ["000.tkid", "004.tkid", "002.tkid"]
    assert last == "3 games: 3 all right"
    assert tkid("check", "--files-from", "-", stdin=names[0].encode()).stdout == said("check", names[0])
    missing = tkid("check", "--files-from", tmp_path / "none")
    assert (missing.exit_code, missing.stderr) == (
        2,
        f"Nothing more was checked: {tmp_path / 'none'}: No such file or directory\n",
    )


def test_names_as_find_prints_them(packed: Path) -> None:
    """With a zero byte behind each, or with a byte order mark before the first."""
    names = [str(packed / "games" / f"{number:03}.tkid") for number in (4, 2)]
    wanted = said("check", *names)
    assert tkid("check", "--files-from", "-", stdin="".join(f"{name}\0" for name in names).encode()).stdout == wanted
    assert tkid("check", "--files-from", "-", stdin="\n".join(names).encode("utf-8-sig")).stdout == wanted


def test_a_folder_that_is_called_like_a_game_is_a_folder(packed: Path, tmp_path: Path) -> None:
    inner = tmp_path / "games" / "old.tkid"
    inner.mkdir(parents=True)
    (inner / "000.tkid").write_bytes((packed / "games" / "000.tkid").read_bytes())
    found = tkid("check", tmp_path / "games")
    assert (found.exit_code, found.stderr) == (0, "")
    assert found.stdout.startswith(f"{inner / '000.tkid'}: all right")


def test_mails_in_a_folder_are_no_games(packed: Path, tmp_path: Path) -> None:
    """A Maildir's files may be called like games; a folder that is only called `new` holds games."""
    game = (packed / "games" / "000.tkid").read_bytes()
    for name in ("host/outbox/ann/new", "host/outbox/ann/cur", "host/outbox/ann/tmp", "new"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "host/outbox/ann/new/0123456789abcdef.tkid").write_bytes(
        b"From: host@example.org\n\nIt is your turn.\n"
    )
    (tmp_path / "new/000.tkid").write_bytes(game)
    found = tkid("check", tmp_path)
    assert (found.exit_code, found.stderr) == (0, "")
    assert found.stdout.startswith(f"{tmp_path / 'new' / '000.tkid'}: all right")


def test_nothing_to_check() -> None:
    refused = tkid("check")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "Name game files, folders or archives" in refused.stderr
    nameless = tkid("check", "")
    assert (nameless.exit_code, nameless.stdout) == (2, "")
    assert "this name of a file is empty" in nameless.stderr


def test_what_cannot_be_read_is_told_and_the_rest_is_checked(packed: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.tar").write_bytes(b"")
    (tmp_path / "cut.zip").write_bytes((packed / "games.zip").read_bytes()[:-40])
    (tmp_path / "cut.tar.gz").write_bytes((packed / "games.tar.gz").read_bytes()[:2000])
    (tmp_path / "wrong.jsonl").write_text('{"record": 3}\n\nno JSON\n"text"\n{"record": "text", "file": 5}\n')
    with zipfile.ZipFile(tmp_path / "huge.zip", "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("zeros.tkid", bytes(MOST_BYTES + 1))
    rows = {
        "none.tkid": "none.tkid: No such file or directory",
        "none.zip": "none.zip: No such file or directory",
        "empty": "empty: there is no game file in it",
        "empty.tar": "empty.tar: this archive is damaged",
        "cut.zip": "cut.zip: this archive is damaged",
        "cut.tar.gz": "cut.tar.gz: this archive is damaged, behind ",
        "huge.zip": "huge.zip/zeros.tkid: this is more than 16 MB, and no game file",
        "wrong.jsonl": "wrong.jsonl:3: this line is not JSON",
    }
    good = packed / "games" / "000.tkid"
    for name, message in rows.items():
        found = tkid("check", tmp_path / name, good)
        assert found.exit_code == 2, name
        assert f"{tmp_path}/{message}" in found.stderr, found.stderr
        *_, right, last = found.stdout.splitlines()
        assert right.startswith(f"{good}: all right"), name
        assert last.endswith(" not read"), name
    told = tkid("check", tmp_path / "wrong.jsonl")
    assert "wrong.jsonl:1: this has to be an object with the game's text as `record`" in told.stderr
    assert "wrong.jsonl:4:1:1: This is not a game file" in told.stdout
    assert "wrong.jsonl:5: `file` has to be a name" in told.stderr


def test_no_more_is_read_ahead_than_is_checked_soon(games: list[bytes]) -> None:
    """An archive may be larger than the memory. A batch has a limit."""
    read = count()

    def endless() -> Iterator[Source]:
        while True:
            yield Source(f"{next(read)}.tkid", games[0])

    found = check_all(endless(), "text", every=False, jobs=2)
    for number in range(200):
        assert next(found).name == f"{number}.tkid"
    found.close()  # type: ignore[attr-defined]
    assert next(read) <= 200 + (2 + AHEAD * 2) * MOST_TOGETHER


def test_how_far_it_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, after a second, and not in a pipe; at the end nothing of it is left."""
    for at_terminal, wanted in ((True, True), (True, False), (False, True)):
        screen, time = io.StringIO(), count(step=0.5)
        monkeypatch.setattr(screen, "isatty", lambda at_terminal=at_terminal: at_terminal)
        monkeypatch.setattr("sys.stderr", screen)
        monkeypatch.setattr("tkid.cli.printing.monotonic", lambda time=time: next(time))
        with show_progress("games checked", 5000, wanted=wanted) as shown:
            shown.count_step()
            assert not screen.getvalue()
            for _ in range(1233):
                shown.count_step()
        told = screen.getvalue()
        assert (f"{CLEAR}1,234 of 5,000 games checked{CLEAR}" in told) == (at_terminal and wanted)
        assert bool(told) == (at_terminal and wanted)


def test_names_in_an_archive_are_its_own(packed: Path) -> None:
    assert next(find_sources([str(packed / "games.zip")])).name == f"{packed / 'games.zip'}/a/000.tkid"


@pytest.mark.parametrize("listed", [b"", b"\n\n", b"\0\0", b"\xef\xbb\xbf\r\n"])
@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_a_list_that_names_no_file(listed: bytes, form: str, tmp_path: Path) -> None:
    """It is not taken for a list of files that are all right."""
    names = tmp_path / "names"
    names.write_bytes(listed)
    for source, told in ((names, str(names)), ("-", "standard input")):
        result = tkid("check", "--files-from", source, "--format", form, stdin=listed)
        assert (result.exit_code, bool(result.stdout)) == (2, form == "sarif")
        assert result.stderr == f"Nothing was checked: {told} names no file. Put one name on each line.\n"
    game = record_in(tmp_path)
    assert said("check", game, "--files-from", names) == said("check", game)


# -- a mistake in the head --------------------------------------------------------------------------------

HEADS = {
    "a ruleset with a space": ("second-edition", "second edition", "record.ruleset", "`second-edition`"),
    "a start player": ("First        Ann", "First        Anne", "record.setup.row", "`Ann`"),
    "a region card": ("Warwick, ", "Warwik, ", "notation.region", "`Warwick`"),
}


@pytest.mark.parametrize("name", HEADS)
def test_a_later_mistake_is_found_too(name: str, tmp_path: Path) -> None:
    right, wrong, rule, meant = HEADS[name]
    assert right in RECORD
    text = RECORD.replace(right, wrong, 1).replace("5. Ann Outmanoeuvre S", "5. Ann Outmanoeuvre X", 1)
    told = tkid("check", record_in(tmp_path, text)).stdout
    assert f"[{rule}]" in told
    assert "5. Ann Outmanoeuvre X" in told
    assert told.endswith(f"  The turns were checked as if this said {meant}.\n")


def test_a_mistake_without_a_repair_leaves_the_turns_unchecked(tmp_path: Path) -> None:
    told = tkid("check", record_in(tmp_path, RECORD.replace("Warwick, ", "Atlantis, ", 1))).stdout
    assert told.endswith("  The turns were not checked. Correct the header first.\n")
