"""The settings of a host: what they say, and that every fault names the file, the key and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tkid.host.settings import PAUSE, PAUSE_PUSHED, HostSettings, SettingsError, read_settings
from tkid.mail.envelope import Required

START = 'address = "tkid@games.example"\n'
IMAP = '[imap]\nhost = "imap.example"\nuser = "tkid"\n'
SMTP = '[smtp]\nhost = "smtp.example"\n'


def read(folder: Path, text: str) -> HostSettings:
    (folder / "host.toml").write_text(text, "utf-8")
    return read_settings(folder)


def password(folder: Path, text: str = "correct horse\n") -> Path:
    file = folder / "password"
    file.write_text(text, "utf-8")
    file.chmod(0o600)
    return file


def test_the_least(tmp_path: Path) -> None:
    found = read(tmp_path, START)
    assert found == HostSettings("tkid@games.example", pause=PAUSE)


def test_everything(tmp_path: Path) -> None:
    password(tmp_path)
    found = read(
        tmp_path,
        START
        + 'owner = "ann@example.org"\nstore = "sqlite:///x.db"\n'
        + IMAP
        + 'port = 143\ntls = "starttls"\nfolder = "games"\npassword-file = "password"\n'
        + SMTP
        + 'user = "tkid"\npassword-env = "TKID_PASSWORD"\n'
        + '[lmtp]\nlisten = "[::1]:2424"\n[authentication]\nauthserv = "mx.example"\n[log]\nfile = "log/host.log"\n',
    )
    assert (found.owner, found.store, found.pause) == ("ann@example.org", "sqlite:///x.db", PAUSE_PUSHED)
    assert found.imap is not None
    assert found.smtp is not None
    assert found.lmtp is not None
    imap, smtp = found.imap.fill_password({}), found.smtp.fill_password({"TKID_PASSWORD": "battery"})
    assert (imap.host, imap.port, imap.user, imap.password) == ("imap.example", 143, "tkid", "correct horse")
    assert (imap.tls, imap.folder) == ("starttls", "games")
    assert (smtp.host, smtp.port, smtp.user, smtp.password) == ("smtp.example", 465, "tkid", "battery")
    assert (found.lmtp.host, found.lmtp.port, found.lmtp.address) == ("::1", 2424, "tkid@games.example")
    assert found.authentication == Required("mx.example", "dmarc")
    assert found.log == tmp_path / "log/host.log"


@pytest.mark.parametrize(("typed", "minutes"), [("", 15), ("hold = 0\n", 0), ("hold = 240\n", 240)])
def test_for_how_long_a_turn_is_held(tmp_path: Path, typed: str, minutes: int) -> None:
    assert read(tmp_path, START + typed).hold == minutes


@pytest.mark.parametrize("typed", ["-1", "241", '"15"', "1.5", "true"])
def test_wrong_times_to_hold_a_turn(tmp_path: Path, typed: str) -> None:
    with pytest.raises(SettingsError, match="hold is the minutes"):
        read(tmp_path, f"{START}hold = {typed}\n")


def test_which_bots_may_take_a_seat(tmp_path: Path) -> None:
    assert read(tmp_path, START).club.bots == "random"
    assert read(tmp_path, START + '[club]\nbots = "search"\n').club.bots == "search"
    with pytest.raises(SettingsError, match=r"bots: `merlin` is not known\. Choose one of no, random, greedy, search"):
        read(tmp_path, START + '[club]\nbots = "merlin"\n')
    with pytest.raises(SettingsError, match=r"\[club\] engine is missing: write the command of the program that plays"):
        read(tmp_path, START + '[club]\nbots = "engine"\n')
    found = read(tmp_path, START + '[club]\nbots = "engine"\nengine = "./my-engine --fast"\n')
    assert (found.club.bots, found.engine) == ("engine", "./my-engine --fast")


def test_observers_and_unsubscribing(tmp_path: Path) -> None:
    """Whether games are observed, and the address behind the button, which is encrypted or none."""
    section = '[club]\nobservers = false\nunsubscribe-url = "{}://club.example/stop"\n'
    found = read(tmp_path, START + section.format("https")).club
    assert (found.observers, found.unsubscribe) == (False, "https://club.example/stop")
    assert (read(tmp_path, START).club.observers, read(tmp_path, START).club.unsubscribe) == (True, "")
    with pytest.raises(SettingsError, match=r"\[club\] unsubscribe-url"):
        read(tmp_path, START + section.format("http"))


@pytest.mark.parametrize("club", ["", '[club]\nname = "Camelot"\n'])
def test_the_club_knows_its_pages(tmp_path: Path, club: str) -> None:
    """Observers are late by the delay of the pages, and calendars are at their address, with or without a section [club]."""
    made = read(tmp_path, START + f'{club}[pages]\nfolder = "www"\nurl = "https://club.example/"\ndelay = 4\n')
    assert (made.club.delay, made.club.pages) == (4, "https://club.example/")


def test_a_mail_server_without_a_login(tmp_path: Path) -> None:
    found = read(tmp_path, START + '[smtp]\nhost = "localhost"\nport = 25\ntls = "none"\n').smtp
    assert found is not None
    assert (found.fill_password({}).user, found.fill_password({}).password) == ("", "")


WRONG = {
    START
    + "colour = 1\n": "colour is not a setting. The settings are address, store, owner, pause, pictures, rules-url, hold, [imap], [smtp], [lmtp]",
    START + "adress = 'x'\n": "Did you mean address?",
    START + "pause = '5'\n": "pause is the maximum number of seconds between two rounds, a number without quotes.",
    START
    + "pictures = 'no'\n": "pictures is whether mails show the position as a picture: true or false, without quotes.",
    START
    + "pictures = 1\n": "pictures is whether mails show the position as a picture: true or false, without quotes.",
    START + "rules-url = 'games.example'\n": "rules-url is the address of the site for links to rules, such as https",
    START + "pause = true\n": "pause is the maximum number of seconds between two rounds, a number without quotes.",
    START + "pause = 0\n": "pause is the maximum number of seconds between two rounds: more than 0, and at most 3600.",
    START
    + "pause = nan\n": "pause is the maximum number of seconds between two rounds: more than 0, and at most 3600.",
    START + "owner = 'Ann'\n": "owner is the address of the owner of the host; `Ann` is not one.",
    START + "imap = 'x'\n": "imap is a section: a line [imap], and its keys below it.",
    START + IMAP + "prot = 1\n": "[imap] prot is not a setting. The settings are host, port, user, password-file",
    START + IMAP + "port = '993'\n": "[imap] port is the server's port, a number without quotes.",
    START + IMAP + "password = 'x'\n": "[imap] password may not be in this file. Put it into a file that only you",
    START + IMAP: "[imap] password-file is missing: name the file with the password, or use password-env.",
    START + "[imap]\nuser = 'x'\npassword-env = 'P'\n": "[imap] host is missing.",
    START + "[imap]\nhost = 'x'\npassword-env = 'P'\n": "[imap] user is missing.",
    START + IMAP + "port = 99999\npassword-env = 'P'\n": "[imap] port: 99999 is not a port. Ports are 1 to 65535.",
    START
    + IMAP
    + "tls = 'yes'\npassword-env = 'P'\n": "[imap] tls: `yes` is not known. Choose one of implicit, starttls, none.",
    START + IMAP + "tls = 'none'\npassword-env = 'P'\n": "[imap] tls: `none` is for a server on this machine only",
    START
    + IMAP
    + "password-env = 'P'\npassword-file = 'p'\n": "[imap] password-file and password-env: give only one of them",
    START
    + SMTP
    + "user = 'x'\n": "[smtp] password-file is missing: name the file with the password, or use password-env.",
    START + SMTP + "password-env = 'P'\n": "[smtp] user is missing: give both, or neither.",
    START + SMTP + "folder = 'x'\n": "[smtp] folder is not a setting",
    START + "[lmtp]\n": "[lmtp] listen: `` is not an address and a port such as 127.0.0.1:2424.",
    START + "[lmtp]\nlisten = 'localhost:24'\n": "[lmtp] listen: `localhost` is not an IP address such as 127.0.0.1.",
    START + "[authentication]\nrequire = 'dmarc'\n": "[authentication] authserv is missing: the name under which",
    START
    + "[authentication]\nauthserv = 'mx'\nrequire = 'spf'\n": "[authentication] require: `spf` is not known. Choose one of",
    START + "[log]\nfile = 3\n": "[log] file is the file for the log, written between quotes.",
    "address = 'a+b@example.org'\n": "address is the address that players write to; `a+b@example.org` is not one",
    "address = \n": "Invalid value",
}


@pytest.mark.parametrize("text", WRONG, ids=WRONG.values())
def test_what_is_wrong(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError) as error:
        read(tmp_path, text)
    (told,) = error.value.messages
    assert WRONG[text] in told
    assert told.startswith(f"{tmp_path / 'host.toml'}: ")


def test_the_address_of_a_hook_may_have_a_query(tmp_path: Path) -> None:
    """As the one of a single game has, which `tkid host hook` takes."""
    url = "https://chat.example/hook?token=abc&room=1"
    settings = read(tmp_path, f"{START}[hooks]\nurl = '{url}'\nsecret-file = 'hook'\n")
    assert settings.hooks is not None
    assert settings.hooks.url == url


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as error:
        read(tmp_path, START + "[imap]\npassword-env = 'P'\n[lmtp]\nlisten = 'x'\n[log]\n[smtp]\n")
    assert [told.partition("[")[2].partition("]")[0] for told in error.value.messages] == ["imap", "smtp", "lmtp"]
    with pytest.raises(SettingsError) as error:
        read(tmp_path, "colour = 1\naddress = 5\n")
    assert len(error.value.messages) == 2


def test_files_that_are_no_settings(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"is not a host's folder: .*host\.toml is missing\. Make one with"):
        read_settings(tmp_path)
    (tmp_path / "host.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="this is not UTF-8 text"):
        read_settings(tmp_path)
    (tmp_path / "host.toml").unlink()
    (tmp_path / "host.toml").mkdir()
    with pytest.raises(SettingsError, match=r"host\.toml: Is a directory"):
        read_settings(tmp_path)


def test_passwords_that_cannot_be_read(tmp_path: Path) -> None:
    server = read(tmp_path, START + IMAP + "password-file = 'password'\n").imap
    assert server is not None
    place = r"host.toml: \[imap\] password-file: .*password"
    with pytest.raises(SettingsError, match=f"{place}: No such file or directory. Put the password there, `chmod 600`"):
        server.fill_password({})
    file = password(tmp_path)
    file.chmod(0o640)
    with pytest.raises(
        SettingsError,
        match=r"\[imap\] password-file: others may read .*password\. To stop that: `chmod 600 .*password`",
    ):
        server.fill_password({})
    file.chmod(0o600)
    assert server.fill_password({}).password == "correct horse"  # noqa: S105
    for text in ("", "\n", "two\nlines\n"):
        password(tmp_path, text)
        with pytest.raises(SettingsError, match=f"{place} has . lines. Write only the password, on one"):
            server.fill_password({})
    file.write_bytes(b"\xff\n")
    with pytest.raises(SettingsError, match=f"{place} is not UTF-8 text"):
        server.fill_password({})
    password(tmp_path, "with a \x07 bell\n")
    with pytest.raises(SettingsError, match=r"\[imap\] password: it has a character that cannot be printed") as error:
        server.fill_password({})
    assert "bell" not in str(error.value)


def test_a_password_that_is_not_in_the_environment(tmp_path: Path) -> None:
    server = read(tmp_path, START + IMAP + "password-env = 'TKID_X'\n").imap
    assert server is not None
    with pytest.raises(SettingsError, match=r"\[imap\] password-env: the environment has no TKID_X. Set it, or use"):
        server.fill_password({})
