"""`tkid host publish` and `tkid host hook`, and the host's own rounds: what was set up is published after each turn."""

from __future__ import annotations

import re
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

import pytest

from tests.cli import tkid
from tests.host.sites import broken_links
from tests.shared.tables import each_row
from tkid.host.directory import HostDirectory
from tkid.host.log import Log
from tkid.host.published_folder import PAGE, PUBLISHER
from tkid.host.publisher import HOOKS, open_hooks
from tkid.host.settings import SettingsError
from tkid.host.store.leases import PAGES
from tkid.host.transports import Wakeup
from tkid.host.webhooks import Target

PLAYERS = ("Ann <ann@example.org>", "Bob <bob@example.org>")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host with a game that goes on, made once."""
    folder = tmp_path_factory.mktemp("made") / "host"
    assert tkid("host", "init", str(folder), "--address", "tkid@games.example").exit_code == 0
    assert tkid("host", "new-game", str(folder), *PLAYERS, "--game", "winter").exit_code == 0
    return folder


@pytest.fixture
def host(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(copytree(made, tmp_path / "host"))


def set_up(host: Path, text: str) -> None:
    """Add settings."""
    with (host / "host.toml").open("a", encoding="utf-8") as file:
        file.write(text)


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_publish(host: Path, tmp_path: Path) -> None:
    www = tmp_path / "www"
    first = tkid("host", "publish", str(host), str(www))
    assert first.exit_code == 0
    assert str(www) in first.output
    assert "games/winter.html" in files(www)
    assert not broken_links(files(www))
    again = tkid("host", "publish", str(host), str(www))
    assert "0 files written" in again.output
    assert "0 files" not in tkid("host", "publish", str(host), str(www), "--again").output


def test_the_home_page_says_how_to_join(host: Path, tmp_path: Path) -> None:
    www = tmp_path / "www"
    told = {}
    for who in ("nobody", "invited", "everybody"):
        settings = host / "host.toml"
        settings.write_text(f'address = "tkid@games.example"\n[club]\nwelcome = "{who}"\n', "utf-8")
        assert tkid("host", "publish", str(host), str(www)).exit_code == 0
        told[who] = re.findall("<p>To join, (.*)</p>", (www / "index.html").read_text("utf-8"))
    address = '<a href="mailto:tkid%40games.example{}">tkid@games.example</a>'
    invited = (
        f"ask a player for an invitation: the line <code>new game with</code> and your address, in a mail to {address}."
    )
    everybody = f"write <code>help</code> to {address}. You need only mail."
    assert told == {"nobody": [], "invited": [invited.format("")], "everybody": [everybody.format("?body=help")]}


def test_publish_needs_a_folder(host: Path) -> None:
    result = tkid("host", "publish", str(host))
    assert result.exit_code == 2
    assert "[pages]" in result.output


def test_publish_refuses_a_folder_with_other_files(host: Path, tmp_path: Path) -> None:
    www = tmp_path / "www"
    www.mkdir()
    (www / "mine.txt").write_text("mine")
    refused = tkid("host", "publish", str(host), str(www))
    assert refused.exit_code == 1
    assert "--take-over" in refused.output
    assert list(files(www)) == ["mine.txt"]
    assert tkid("host", "publish", str(host), str(www), "--take-over").exit_code == 0


def test_a_round_publishes(host: Path, tmp_path: Path) -> None:
    set_up(host, f'[club]\nname = "Monday"\n[pages]\nfolder = "{tmp_path / "www"}"\n')
    assert tkid("host", "once", str(host)).exit_code == 0
    page = (tmp_path / "www" / "index.html").read_text("utf-8")
    assert "Monday" in page
    assert "winter" in page


def test_a_change_of_a_game_is_noted_with_it(host: Path, tmp_path: Path) -> None:
    """By the host itself, in the transaction of the change; it is forgotten when the pages were made."""
    set_up(host, f'[pages]\nfolder = "{tmp_path / "www"}"\n')
    assert tkid("host", "new-game", str(host), *PLAYERS, "--game", "summer").exit_code == 0
    assert noted(host) == ["summer"]
    assert tkid("host", "once", str(host)).exit_code == 0
    assert noted(host) == []
    assert "games/summer.html" in files(tmp_path / "www")


def noted(host: Path) -> list[str]:
    """The games that are noted as changed."""
    with HostDirectory.read_folder(host, {}).open_store() as store, store.begin_transaction() as transaction:
        return [each.id for each in transaction.documents.list_documents(PAGE) if each.id != PUBLISHER]


def test_pages_that_cannot_be_written_stop_nothing_else(host: Path, tmp_path: Path) -> None:
    """It is told in the health of the host."""
    (tmp_path / "www").write_text("no folder")
    set_up(host, f'[pages]\nfolder = "{tmp_path / "www"}"\n')
    directory = HostDirectory.read_folder(host, {})
    with closing(Wakeup()) as wakeup:
        loop = directory.open_loop(Log(lambda _: None, lambda: datetime(2026, 11, 21, tzinfo=UTC)), wakeup)
        done = loop.run_once()
    assert done.failed
    assert loop.health.find_part(PAGES).error
    assert not loop.health.find_part(HOOKS).error


def test_hook(host: Path) -> None:
    url = "https://club.example/hook"
    made = tkid("host", "hook", str(host), "winter", url)
    assert made.exit_code == 0
    assert "whsec_" in made.output
    assert f"winter: {url}" in tkid("host", "hook", str(host)).output
    assert tkid("host", "hook", str(host), "winter", "--remove").exit_code == 0
    assert tkid("host", "hook", str(host)).output == ""


@each_row(
    "arguments, code",
    [
        (("winter", "http://club.example/hook"), 1),
        (("winter", "ftp://club.example/hook"), 1),
        (("summer", "https://club.example/hook"), 1),
        (("winter",), 2),
        (("winter", "https://club.example/hook", "--remove"), 2),
    ],
)
def test_a_hook_that_cannot_be(host: Path, arguments: tuple[str, ...], code: int) -> None:
    assert tkid("host", "hook", str(host), *arguments).exit_code == code
    assert tkid("host", "hook", str(host)).output == ""


@each_row(
    "secret, mode, fine",
    [
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", 0o600, True),
        ("any sixteen bytes or more", 0o600, True),
        ("any sixteen bytes or more", 0o644, False),
        ("short", 0o600, False),
        (None, 0o600, False),
    ],
)
def test_the_secret_file(tmp_path: Path, secret: str | None, mode: int, fine: bool) -> None:  # noqa: FBT001 - a row
    folder = tmp_path / f"{len(secret or '')}-{mode}"
    tkid("host", "init", str(folder))
    set_up(folder, '[hooks]\nurl = "https://club.example/"\nsecret-file = "hook-secret"\n')
    if secret is not None:
        (folder / "hook-secret").write_text(secret)
        (folder / "hook-secret").chmod(mode)
    hooks = open_hooks(HostDirectory.read_folder(folder, {}).settings, b"s" * 32)
    if fine:
        assert isinstance(hooks.target(), Target)
    else:
        with pytest.raises(SettingsError, match="secret-file"):
            hooks.target()


def test_a_folder_with_other_files_is_explained_in_rounds_and_in_the_status(host: Path, tmp_path: Path) -> None:
    www = tmp_path / "www"
    www.mkdir()
    (www / "mine.txt").write_text("mine")
    settings = host / "host.toml"
    settings.write_text(f'{settings.read_text("utf-8")}\n[pages]\nfolder = "{www}"\n', "utf-8")
    for command in ("once", "status"):
        told = " ".join(tkid("host", command, str(host)).output.split())
        assert "has other files, such as mine.txt" in told
        assert "FolderError" not in told
