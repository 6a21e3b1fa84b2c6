"""A host at work as a program: it runs until it is told to stop, takes mails from a pipe, and tells how it stands."""

from __future__ import annotations

import json
import os
import re
import signal
import smtplib
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.cli import FINISHED, complaint, objects, said, tkid
from tests.host.looped import Clock, never
from tests.host.year.players import examples, game, letters, reply
from tests.ports import free_port
from tkid.cli.host import MOST_LETTERS
from tkid.host.store import connection

ANN, BOB = "Ann <ann@example.org>", "Bob <bob@example.org>"
STUCK = 60.0
DRAWING = "tkid.games.struggle.render.drawing"
"""Seconds after which something is taken to hang."""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A host's folder with one game, and without pictures, which take longer than all the rest."""
    said("host", "init", tmp_path, "--address", "tkid@games.example")
    settings(tmp_path, "pictures = false\n")
    said("host", "new-game", tmp_path, ANN, BOB, "--game", "winter", "--entropy", "07" * 32, "--first", "Ann")
    return tmp_path


@contextmanager
def running(folder: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """The program `tkid host run` in a process of its own."""
    command = [sys.executable, "-c", "from tkid.cli import main; main()", "host", "run", str(folder), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def until(condition: Callable[[], object]) -> None:
    """Wait for something."""
    end = time.monotonic() + STUCK
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def settings(folder: Path, text: str) -> None:
    with (folder / "host.toml").open("a", encoding="utf-8") as file:
        file.write(text)


def standing(folder: Path) -> dict[str, Any]:
    """What `host status --json` prints."""
    found: dict[str, Any] = json.loads(said("host", "status", folder, "--json"))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_plays_until_it_is_told_to_stop(games: Path, number: int) -> None:
    (asked,) = letters(games, "Ann")
    letters(games, "Bob")
    with running(games, "--pause", "60") as process:
        until((games / "status.json").exists)
        (games / "in" / "new" / "1").write_bytes(reply(asked, examples(asked)[0], "Ann"))
        until(lambda: letters(games, "Bob"))
        process.send_signal(number)
        output, errors = process.communicate(timeout=STUCK)
    assert (process.returncode, errors) == (0, "")
    log = objects(output)
    assert [log[0]["event"], log[-1]["event"]] == ["begin", "end"]
    (mail,) = [entry for entry in log if entry["event"] == "mail"]
    assert (mail["state"], mail["game"]) == ("done", "winter")
    assert standing(games)["games"][0]["to_act"] == "Bob"


def test_a_wrong_password_and_a_server_that_is_not_there(games: Path) -> None:
    """They are shown by `host status`; the Maildirs work meanwhile; `host once` says so too."""
    port, password = free_port(), games / "password"
    password.write_text("x\n", "utf-8")
    password.chmod(0o600)
    settings(
        games, f"[imap]\nhost = 'localhost'\nport = {port}\nuser = 'tkid'\ntls = 'none'\npassword-file = 'password'\n"
    )
    (asked,) = letters(games, "Ann")
    (games / "in" / "new" / "1").write_bytes(reply(asked, examples(asked)[0], "Ann"))
    result = tkid("host", "once", games)
    assert result.exit_code == 1
    assert result.stdout.startswith("1 mail came in, 1 carried out or filed")
    assert result.stderr == f"IMAP localhost:{port}: Connection refused\n"
    told = said("host", "status", games)
    assert re.search(
        rf"  IMAP localhost:{port} +FAILS since .* UTC, 1 time: Connection refused; next try in [01] seconds?\n",
        told,
    )
    assert re.search(r"  Maildir in +works since ", told)
    assert standing(games)["loop"]["parts"][f"IMAP localhost:{port}"]["failures"] == 1
    assert f'tkid_part_failures_total{{part="IMAP localhost:{port}"}} 1\n' in said("host", "metrics", games)
    assert tkid("host", "once", games).exit_code == 1
    assert "2 times: " in said("host", "status", games)
    assert f"IMAP localhost:{port}: Connection refused.\n" in tkid("host", "doctor", games).stderr
    assert said("host", "doctor", games, "--offline").endswith(f"{games}: all right, 1 game.\n")


def test_passwords_are_looked_for_before_anything_is_done(games: Path) -> None:
    settings(games, "[smtp]\nhost = 'localhost'\nuser = 'tkid'\npassword-env = 'TKID_TEST_PASSWORD'\n")
    for command in ("once", "run"):
        told = complaint("host", command, games, code=2)
        assert told == (
            f"{games}/host.toml: [smtp] password-env: the environment has no TKID_TEST_PASSWORD. Set it, or use "
            "password-file.\n"
        )
    assert "winter: turn 1, Ann to play" in said("host", "status", games), "which needs no password"


def test_a_password_that_is_mended(games: Path) -> None:
    """The loop reads it anew at each try, and goes on by itself."""
    from tests.host.fake_imap import NO, Mailbox, fake_imap  # noqa: PLC0415 - its server is for this test alone
    from tkid.host.directory import HostDirectory  # noqa: PLC0415
    from tkid.host.log import Log  # noqa: PLC0415
    from tkid.host.transports import Wakeup  # noqa: PLC0415

    password = games / "password"
    password.write_text("wrong\n", "utf-8")
    password.chmod(0o600)
    clock, wakeup = Clock(), Wakeup()
    with fake_imap(Mailbox({5: b"no mail"}, faults={"LOGIN": NO})) as mailbox:
        its = f"port = {mailbox.port}\nuser = 'tkid'\ntls = 'none'\npassword-file = 'password'\n"
        settings(games, f"[imap]\nhost = '127.0.0.1'\n{its}")
        loop = HostDirectory.read_folder(games, os.environ).open_loop(Log(lambda _: None, clock), wakeup)
        name = f"IMAP 127.0.0.1:{mailbox.port}"
        for seconds in (0, 2, 5):
            clock.set(seconds)
            assert loop.run_round(never).failed
        part = standing(games)["loop"]["parts"][name]
        assert part["error"].startswith("the server refuses the user or the password")
        assert (part["failures"], "wrong" in part["error"]) == (3, False)
        password.unlink()
        clock.set(60)
        assert loop.run_round(never).failed
        assert "password: No such file or directory. Put the password there" in loop.health.parts[name].error
        password.write_text("right\n", "utf-8")
        password.chmod(0o600)
        mailbox.faults.clear()
        clock.set(600)
        done = loop.run_round(never)
        assert (done.failed, done.fetched) == (False, 1)
        loop.close()
    wakeup.close()
    assert standing(games)["loop"]["parts"][name]["error"] == ""


def test_a_mail_server_that_does_not_take_letters(games: Path) -> None:
    """They wait, without counting a try, and go out when it does; a new game is made all the same."""
    port = free_port()
    before = (games / "host.toml").read_text("utf-8")
    settings(games, f"[smtp]\nhost = 'localhost'\nport = {port}\ntls = 'none'\n")
    made = tkid("host", "new-game", games, ANN, BOB, "--game", "spring")
    assert (made.exit_code, made.stdout.endswith(" 0 letters went out.\n")) == (0, True)
    reason = f"waits: SMTP localhost:{port}: Connection refused"
    waits = [f"spring: the letter to {name}@example.org {reason}" for name in ("ann", "bob")]
    assert made.stderr.splitlines()[:2] == waits
    assert f"`tkid host once {games}`" in made.stderr
    assert tkid("host", "once", games).stderr == f"SMTP localhost:{port}: Connection refused\n"
    told = said("host", "status", games)
    assert "letters: 2 sent, 2 waiting, 0 given up\n" in told
    assert "letter 3 to ann@example.org (spring) waits\n" in told
    assert re.search(rf"  SMTP localhost:{port} +FAILS since .* UTC, 2 times: Connection refused; next try", told)
    assert tkid("host", "doctor", games).stderr == f"SMTP localhost:{port}: Connection refused.\n"
    (games / "host.toml").write_text(before, "utf-8")
    assert said("host", "once", games) == "0 mails came in, 0 carried out or filed, 2 letters went out.\n"


def test_letters_that_are_refused_stand_before_the_games(games: Path) -> None:
    """Only some of them, so that they fit a screen; each command that is named sends them."""
    from tkid.host.directory import HostDirectory  # noqa: PLC0415

    def refuse(*_: object) -> None:
        raise OSError("552 5.2.2 mailbox full")

    directory, now = HostDirectory.read_folder(games, {}), datetime.now(UTC)
    with directory.open_store() as store:
        host = directory.open_host(store, refuse)
        for number in range(MOST_LETTERS):
            host.open_game(f"full-{number}", game(number), now)
        host.send_letters(now)
    told = said("host", "status", games).splitlines()
    letters = [line for line in told if line.startswith("letter ")]
    assert len(letters) == MOST_LETTERS
    hint = f"To send these letters again: `tkid host send-again {games}`"
    more = f"{MOST_LETTERS} more letters: `tkid host status {games} --json` lists all."
    first = told.index(letters[0])
    assert told[first + MOST_LETTERS :][:2] == [more, hint]
    assert " to play" in told[first + MOST_LETTERS + 2]
    assert said("host", "send-again", games).count("goes out with the next round") == 2 * MOST_LETTERS


def test_a_mail_server_that_brings_mails(games: Path) -> None:
    from tkid.host.directory import HostDirectory  # noqa: PLC0415
    from tkid.host.log import Log  # noqa: PLC0415
    from tkid.host.transports import Wakeup  # noqa: PLC0415

    port, clock, wakeup = free_port(), Clock(), Wakeup()
    settings(games, f"[lmtp]\nlisten = '127.0.0.1:{port}'\n")
    works = f"LMTP 127.0.0.1:{port}: the host can listen there, or does.\n"
    assert said("host", "doctor", games).startswith(works)
    (asked,) = letters(games, "Ann")
    loop = HostDirectory.read_folder(games, os.environ).open_loop(Log(lambda _: None, clock), wakeup)
    loop.run_round(never)
    assert said("host", "doctor", games).startswith(works), "and the host does"
    with smtplib.LMTP("127.0.0.1", port) as client:
        client.sendmail("ann@example.org", ["tkid@games.example"], reply(asked, examples(asked)[0], "Ann"))
    assert wakeup.wait_for_news(0), "the loop is woken"
    assert loop.run_round(never).worked == 1
    assert tkid("host", "once", games).stderr == f"LMTP 127.0.0.1:{port}: Address already in use\n"
    loop.close()
    wakeup.close()
    assert standing(games)["mails"]["done"] == 1


# -- a pipe ---------------------------------------------------------------------------------------------------


def test_a_mail_on_a_pipe(games: Path) -> None:
    (asked,) = letters(games, "Ann")
    mail = reply(asked, examples(asked)[0], "Ann")
    assert said("host", "receive", games, stdin=mail) == ""
    assert standing(games)["mails"]["new"] == 1
    assert "The oldest waiting mail came at 20" in said("host", "status", games)
    assert said("host", "receive", games, stdin=mail) == "", "a second copy is known"
    assert said("host", "once", games).startswith("0 mails came in, 1 carried out or filed, ")


def test_a_mail_that_was_put_aside_is_the_first_thing_that_is_told(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the command that carries it out once the program is mended."""
    (asked,) = letters(games, "Ann")
    said("host", "receive", games, stdin=reply(asked, examples(asked)[0], "Ann"))

    def broken(_: bytes) -> None:
        raise KeyError("a defect")

    with monkeypatch.context() as patch:
        patch.setattr("tkid.host.mails.take_in", broken)
        said("host", "once", games)
    first = said("host", "status", games).splitlines()[0]
    repair = f"tkid host process {games} 1"
    assert first == f"mail 1 was put aside: KeyError: 'a defect'. To carry it out: `{repair}`"
    said(*repair.split()[1:])
    assert "winter: turn 2, Bob to play" in said("host", "status", games)
    assert "was put aside" not in said("host", "status", games)


def test_a_mail_that_cannot_be_kept_now(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tkid("host", "receive", games, stdin=b"").exit_code == 66
    monkeypatch.setattr(connection, "WAIT_FOR_LOCK", 20)
    other = sqlite3.connect(games / "host.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert tkid("host", "receive", games, stdin=b"a mail").exit_code == 75
    other.close()
    (games / "host.db").rename(games / "away")
    result = tkid("host", "receive", games, stdin=b"a mail")
    assert result.exit_code == 75
    assert "is missing (No such file or directory). Put it back" in result.stderr
    assert not (games / "host.db").exists()
    settings(games, "colour = 1\n")
    assert tkid("host", "receive", games, stdin=b"a mail").exit_code == 75
    assert tkid("host", "receive", tmp_path / "nowhere", stdin=b"a mail").exit_code == 75


# -- what it tells --------------------------------------------------------------------------------------------


def test_status_of_a_database_that_is_gone(games: Path) -> None:
    said("host", "once", games)
    (games / "host.db").rename(games / "away")
    result = tkid("host", "status", games)
    assert result.exit_code == 2
    assert result.stdout == "last round less than a minute ago\n", "what worked before says nothing now"
    assert f"The database cannot be read: the database {games}/host.db is missing" in result.stderr
    assert tkid("host", "status", games, "--json").exit_code == 2
    metrics = tkid("host", "metrics", games)
    assert (metrics.exit_code, "tkid_up 0\n" in metrics.stdout) == (2, True)
    once = tkid("host", "once", games)
    assert (once.exit_code, once.stderr.startswith("database: the database ")) == (1, True)
    assert re.search(r"  database +FAILS since ", tkid("host", "status", games).stdout)
    assert "is missing" in complaint("host", "export", games, "winter", code=2)


def test_metrics_have_the_form_that_is_read(games: Path) -> None:
    said("host", "once", games)
    metrics = said("host", "metrics", games).splitlines()
    name = ""
    for line in metrics:
        if line.startswith("# HELP "):
            name = line.split()[2]
        elif line.startswith("# TYPE "):
            assert line.split()[2:] in ([name, "gauge"], [name, "counter"])
            assert name.endswith("_total") == line.endswith("counter")
        else:
            assert re.fullmatch(rf'{name}({{[a-z]+="[^"\\\n]*"}})? -?\d+(\.\d+)?', line), line
    assert 'tkid_games{state="playing"} 1' in metrics
    assert "tkid_rounds_total 1" in metrics
    assert "tkid_letters_sent_total 2" in metrics


def test_a_host_that_has_stopped_is_told_of(games: Path) -> None:
    assert said("host", "status", games).startswith(
        f"The host has not run yet. Start it with `tkid host run {games}`.\n"
    )
    said("host", "once", games)
    file = games / "status.json"
    data = json.loads(file.read_text("utf-8"))
    data["last_round"] = "2020-01-01T10:00:00+00:00"
    file.write_text(json.dumps(data), "utf-8")
    told = said("host", "status", games)
    assert told.startswith(f"no round since Wednesday 1 January 2020, 10:00 UTC. Is `tkid host run {games}` running?\n")


def test_the_terms_of_a_clock(games: Path) -> None:
    said("host", "new-game", games, ANN, BOB, "--game", "spring", "--clock", "3 days per move; 1 day of grace")
    said("host", "new-game", games, ANN, BOB, "--game", "autumn", "--clock", "none")
    headers = {game: said("host", "export", games, game) for game in ("winter", "spring", "autumn")}
    terms = {game: re.findall(r"^X-Clock: (.*)$", text, re.MULTILINE) for game, text in headers.items()}
    assert terms == {
        "winter": ["7 days a turn, 1 day grace, remind after 4 days, then pass, adjourn after 3, 30 days away"],
        "spring": ["3 days a turn, 1 day grace, remind after 36 hours, then pass, adjourn after 3, 30 days away"],
        "autumn": [],
    }
    assert "X-Started: 20" in headers["spring"]
    said("host", "new-game", games, ANN, BOB, "--game", "claim", "--ruleset", "claim")
    claim = "X-Clock: 7 days a turn, 1 day grace, remind after 4 days, then adjourn, 30 days away\n"
    assert claim in said("host", "export", games, "claim"), "nobody can pass"
    deadlines = {game["id"]: bool(game["deadline"]) for game in standing(games)["games"]}
    assert deadlines == {"winter": True, "spring": True, "autumn": False, "claim": True}
    wrong = complaint(
        "host", "new-game", games, ANN, BOB, "--game", "summer", "--clock", "3 day a turn, whenever", code=1
    )
    assert "`whenever` does not belong to a clock's terms" in wrong
    assert "[post.clock.form]" in wrong
    assert len(standing(games)["games"]) == 4, "nothing was made"


def test_a_log_in_a_file(games: Path) -> None:
    settings(games, "[log]\nfile = 'host.log'\n")
    (games / "in" / "new" / "1").write_bytes(b"no mail")
    said("host", "once", games)
    said("host", "once", games)
    log = objects((games / "host.log").read_text("utf-8"))
    assert [entry["state"] for entry in log if entry["event"] == "mail"] == ["filed"]
    assert [entry["part"] for entry in log if entry["event"] == "works"].count("database") == 1, "known from before"


def test_a_database_that_cannot_be_used(games: Path, tmp_path: Path) -> None:
    text = (games / "host.toml").read_text("utf-8")
    for address, told in {
        "nonsense": "this is not the address of a database such as",
        "mysql://tkid@localhost/x": "mysql is not supported. Use SQLite or PostgreSQL",
        "sqlite://": "a database in memory is lost when the host stops",
    }.items():
        (games / "host.toml").write_text(f"{text}store = '{address}'\n", "utf-8")
        said_of_it = complaint("host", "status", games, code=2)
        assert said_of_it.startswith(f"{games}/host.toml: store: {told}")
        assert told in complaint("host", "init", tmp_path / "new", "--store", address, code=2)
        assert not (tmp_path / "new").exists()
    url = f"postgresql://tkid:secret@127.0.0.1:{free_port()}/x"
    (games / "host.toml").write_text(f"{text}store = '{url}'\n", "utf-8")
    result = tkid("host", "once", games)
    assert result.exit_code == 1
    assert "connection failed" in result.stderr
    assert "127.0.0.1" in result.stderr
    assert "secret" not in result.stderr
    assert "FAILS since" in tkid("host", "status", games).stdout


@pytest.mark.skipif(os.name != "posix", reason="there is no file of this kind")
def test_help_loads_nothing_heavy() -> None:
    """What a host needs is loaded when it works."""
    code = (
        "import sys; from tkid.cli.app import app\n"
        "try: app(['host', '--help'])\n"
        "except SystemExit: print(sorted({n.partition('.')[0] for n in sys.modules} & set(sys.argv[1:])))"
    )
    heavy = ["sqlalchemy", "lark", "cattrs", "imap_tools", "smtplib", "attr"]
    output = subprocess.run([sys.executable, "-c", code, *heavy], check=True, capture_output=True, text=True).stdout
    assert output.splitlines()[-1] == "[]"


IDLE = (
    *("lark", "urllib.request", "ssl", "tkid.cli.host", "tkid.cli.letters", "tkid.bots", "tkid.render.clicks"),
    *("tkid.games.claim.rules", "tkid.games.struggle.rulesets.digest", "tkid.record.clock", "tkid.notation.free_text"),
)
"""What a game that is written as the program writes it, without comments, has no use for."""


@pytest.mark.parametrize(
    ("words", "idle"),
    [
        (["--version"], ("attr", "lark", "tkid.cli.host", "tkid.cli.letters", "tkid.rulebook.rulesets")),
        (["rule", "second.turn.pass"], ("attr", "lark", "tkid.cli.host", "tkid.games.struggle.rules")),
        (
            ["show", str(FINISHED / "coronation-emptied-players.tkid")],
            (*IDLE, "tkid.mail", "tkid.render.picture", DRAWING),
        ),
        (
            ["check", str(FINISHED / "coronation-emptied-players.tkid")],
            (*IDLE, "tkid.mail", "tarfile", DRAWING),
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_loads_what_it_needs(words: list[str], idle: tuple[str, ...]) -> None:
    """Most of the time of a short command is loading: what it has no use for is not loaded."""
    assert wasted(words, idle) == []


def test_playing_a_turn_as_it_is_written_loads_no_reader_of_other_words(tmp_path: Path) -> None:
    """Nor a program that plays, where none sits at the table."""
    file = tmp_path / "game.tkid"
    assert tkid("new", file, "Ann", "Bob").exit_code == 0
    idle = ("tkid.games.struggle.notation.free", "tkid.bots", DRAWING)
    assert wasted(["play", str(file), "Pass"], idle) == []
    assert "1. " in file.read_text("utf-8")


def wasted(words: list[str], idle: tuple[str, ...]) -> list[str]:
    """The modules among these, and below them, that a command loads in a process of its own."""
    code = (
        "import sys; from tkid.cli.app import app\n"
        f"try: app({words!r})\n"
        "except SystemExit: pass\n"
        "finally: print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    return [name for name in loaded.splitlines()[-1].split() for each in idle if f"{name}.".startswith(f"{each}.")]
