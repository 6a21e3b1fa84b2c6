"""Whoever keeps a host gives seats to others, takes them back, and goes on with adjourned games."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import copytree

import pytest

from tests.cli import tkid
from tests.mail.mails import body, parsed
from tkid.host.store.store import Store
from tkid.host.transports import Maildir
from tkid.mail.game_service import HostedGame

PLAYERS = ("Ann <ann@example.org>", "Bob <bob@example.org>")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host with a game that Ann begins, for all tests to copy."""
    folder = tmp_path_factory.mktemp("host") / "games"
    assert tkid("host", "init", folder, "--address", "tkid@games.example").exit_code == 0
    made = tkid(
        "host",
        "new-game",
        folder,
        *PLAYERS,
        "--game",
        "winter",
        "--first",
        "Ann",
        "--clock",
        "1 day a turn, then adjourn",
    )
    assert made.exit_code == 0
    return folder


@pytest.fixture
def house(made: Path, tmp_path: Path) -> Path:
    """A host with a game that Ann begins."""
    return Path(copytree(made, tmp_path / "games"))


def stands(folder: Path) -> HostedGame:
    """The game as the host has it."""
    store = Store(f"sqlite:///{folder / 'host.db'}")
    stored = store.get_game("winter")
    store.close()
    assert stored is not None
    return HostedGame.read_stored(stored.record, stored.memory)


def letters(folder: Path, address: str) -> list[str]:
    """What the letters to an address say, after a round of the host."""
    assert tkid("host", "once", folder).exit_code == 0
    return [" ".join(body(parsed(data)).split()) for _, data in Maildir(folder / "out" / address).list_arrived()]


def test_a_stand_in_is_asked_and_told_the_game(house: Path) -> None:
    result = tkid("host", "stand-in", house, "winter", "Ann", "Cal <cal@example.org>")
    assert result.exit_code == 0
    assert result.stdout.startswith(
        "winter: seat given to somebody else, three letters to players. Now: turn 1, Ann to play"
    )
    (told,) = letters(house, "cal@example.org")
    assert "You play for Ann from now on." in told
    assert "YOUR ANSWER" in told
    assert stands(house).find_address(0) == "cal@example.org"
    assert tkid("host", "back", house, "winter", "Ann").exit_code == 0
    assert stands(house).find_address(0) == "ann@example.org"


def test_a_bot_plays_at_once(house: Path) -> None:
    assert tkid("host", "stand-in", house, "winter", "1", "Merlin", "--bot").exit_code == 0
    at = stands(house)
    assert len(at.record.turns) == 1
    assert at.to_act == 1
    assert at.time.problems == ()


def test_an_adjourned_game_goes_on(house: Path) -> None:
    with_clock = stands(house)
    assert tkid("host", "resume", house, "winter").stderr.startswith("The game is neither paused nor adjourned.")
    store = Store(f"sqlite:///{house / 'host.db'}")
    from tkid.host.service import Host  # noqa: PLC0415 - here only

    assert (
        Host(store, "tkid@games.example", b"s" * 32, lambda *_: None).run_clocks(datetime.now(UTC) + timedelta(days=2))
        == 1
    )
    store.close()
    assert stands(house).time.adjourned
    assert with_clock.time.adjourned is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("stand-in", "winter", "Ann", "Cal"), "Cal needs an address"),
        (
            ("stand-in", "winter", "Dee", "Cal <cal@example.org>"),
            "`Dee` is not a player in this game. The players are Ann and Bob.",
        ),
        (("stand-in", "winter", "Ann", "C#l <cal@example.org>"), "A name has at most 32 characters"),
        (("back", "summer", "Ann"), "There is no game `summer`. The games are winter."),
    ],
)
def test_mistakes(house: Path, words: tuple[str, ...], told: str) -> None:
    before = stands(house).record_text
    result = tkid("host", words[0], house, *words[1:])
    assert result.exit_code in {1, 2}
    assert told in result.stderr
    assert stands(house).record_text == before
