"""The owner's desk at the command line: each order, its refusals, and what a host tells of its games and its clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import copytree

import pytest

from tests.cli import complaint, said, tkid
from tests.shared.tables import each_row
from tkid.club.desk_orders import TABLE
from tkid.club.host_time import HostTime
from tkid.host.store.store import Store
from tkid.mail.blocks import Paragraph, format_plain
from tkid.mail.game_service import HostedGame
from tkid.mail.model import Document

PLAYERS = ("Ann <ann@example.org>", "Bob <bob@example.org>")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host with two games that Ann begins."""
    folder = tmp_path_factory.mktemp("host") / "games"
    said("host", "init", folder, "--address", "tkid@games.example")
    for game in ("winter", "glen"):
        said("host", "new-game", folder, *PLAYERS, "--game", game, "--first", "Ann")
    return folder


@pytest.fixture
def house(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(copytree(made, tmp_path / "games"))


@pytest.fixture(scope="module")
def paused(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which one of the games is paused."""
    folder = Path(copytree(made, tmp_path_factory.mktemp("paused") / "games"))
    said("host", "pause", folder, "glen")
    return folder


def stands(folder: Path, game: str = "winter") -> HostedGame:
    """A game as the host has it."""
    store = Store(f"sqlite:///{folder / 'host.db'}")
    stored = store.get_game(game)
    store.close()
    assert stored is not None
    return HostedGame.read_stored(stored.record, stored.memory)


def test_each_order_of_the_desk_has_a_command() -> None:
    names = {"take back": "take-back", "replace": "stand-in", "confirm clock": "confirm-clock"}
    for kind in TABLE:
        if kind.name != "desk":
            result = tkid("host", names.get(kind.name, kind.name), "--help")
            assert result.exit_code == 0, kind.name
            assert "Example: tkid host" in result.stdout, kind.name


def test_a_command_is_not_broken_within_a_long_path(tmp_path: Path) -> None:
    for length in (20, 90, 200):
        folder = tmp_path / ("x" * length) / "games"
        assert str(folder) in format_plain([Paragraph(f"Run `tkid host games {folder} --all`.")])
        assert str(folder) in format_plain([Paragraph(f"`{folder}` is the folder.")])


def test_orders_change_games(house: Path) -> None:
    rows = [
        (("extend", "winter", "Ann", "2 days", "--reason", "no network"), "# extended: Ann 2 days by the host"),
        (("deadline", "winter", "Ann", "2999-01-01"), "# deadline: Ann 2999-01-01T23:59Z by the host"),
        (("address", "winter", "Bob", "bob@new.example"), "# moved: Bob <bob@new.example>"),
        (("announce", "winter", "A happy new year: 2027!"), "A happy new year: 2027!"),
        (("offer", "winter", "Bob"), "The host offers Bob's seat"),
        (("pause", "winter", "--reason", "snow"), "# paused: by the host"),
        (("resume", "winter"), "# resumed: "),
        (("stand-in", "winter", "Bob", "Merlin", "--bot"), "# stand-in: Bob is played by bot Merlin"),
        (("back", "winter", "Bob"), "# back: Bob"),
        (("abort", "winter", "--reason", "enough"), "# ended: aborted by the host"),
    ]
    for words, line in rows:
        told = said("host", words[0], house, *words[1:])
        assert told.startswith("winter: "), told
        assert any(line in text for text in stands(house).record.end), line
    assert "over before the first turn: aborted by the host" in said("host", "status", house, "--all")
    assert complaint("host", "pause", house, "winter", code=1).startswith("The game is over.")


def test_all_games_at_once(house: Path) -> None:
    assert said("host", "pause", house, "all", "--reason", "snow") == "Paused in two games: glen, winter.\n"
    assert complaint("host", "pause", house, "all", code=1).startswith("No game needed this.")
    assert said("host", "resume", house, "glen").startswith("glen: resumed, two letters to players.")
    assert said("host", "resume", house, "all") == "Resumed in 1 game: winter.\n" or "winter" in said(
        "host", "games", house
    )


def test_turns_are_taken_back(house: Path) -> None:
    said("host", "stand-in", house, "winter", "Ann", "Merlin", "--bot")
    assert stands(house).turns == 1
    said("host", "back", house, "winter", "Ann")
    said("host", "take-back", house, "winter", "--reason", "a mistake")
    assert stands(house).record.turns[0].undone
    assert stands(house).to_act == 0


@each_row(
    ("words", "told"),
    [
        (("pause", "wintr"), "There is no game `wintr`. Did you mean winter?"),
        (("extend", "winter", "Dee", "2 days"), "`Dee` is not a player in this game. The players are Ann and Bob."),
        (("extend", "winter", "Bob", "2 days"), "It is not Bob's turn. It is Ann's turn."),
        (("extend", "winter", "Ann", "soon"), "`soon` is not a length of time."),
        (("deadline", "winter", "Ann", "31 Feb 2027"), "The calendar has no day"),
        (("deadline", "winter", "Ann", "2001-01-01"), "is in the past"),
        (("address", "winter", "Ann", "nowhere"), "`nowhere` is not an address"),
        (("take-back", "winter", "--reason", "x"), "There is no turn to take back"),
        (("process", "99"), "There is no filed mail 99"),
        (("status", "summer"), "There is no game `summer`"),
        (("confirm-clock",), "The host already accepts the clock"),
    ],
)
def test_refusals_say_why_and_what_to_do(made: Path, words: tuple[str, ...], told: str) -> None:
    assert told in complaint("host", words[0], made, *words[1:], code=1)


@each_row(
    ("words", "way"),
    [
        (("show", "99"), "run `tkid host filed {}`"),
        (("process", "99"), "run `tkid host filed {}`"),
        (("stand-in", "winter", "Ann", "Cal"), "run `tkid host stand-in {} winter PLAYER 'NAME <ADDRESS>'`"),
        (("stand-in", "winter", "Ann", "Cal <cal>"), "`tkid host stand-in {} winter PLAYER NAME --bot`"),
        (("stand-in", "winter", "Ann", "Cal <cal@example.org>", "--bot"), "`tkid host stand-in {} winter"),
        (("stand-in", "winter", "Ann", ""), "run `tkid host stand-in {} winter"),
        (("back", "winter", "Ann"), "run `tkid host status {} winter`"),
        (("announce", "winter", ""), "run `tkid host announce {} winter TEXT`"),
        (("address", "glen", "Ann", ""), "Write a plain address"),
        (("pause", "glen"), "run `tkid host resume {} glen`"),
        (("extend", "glen", "Ann", "2 days"), "run `tkid host resume {} glen`"),
        (("status", "until"), "There is no game"),
        (("pause", "until"), "`tkid host games {}`"),
    ],
)
def test_the_way_out_of_a_refusal_is_a_command(paused: Path, words: tuple[str, ...], way: str) -> None:
    told = complaint("host", words[0], paused, *words[1:], code=1)
    assert way.format(paused) in told
    for mail_word in ("reply", "Reply", "`show", "`filed", "`resume", "`replace", "by bot", "`announce"):
        assert mail_word not in told, told


def test_filed_mails_name_the_commands(house: Path) -> None:
    """In a folder with a name longer than a line, too: a command can be copied."""
    deep = house.parent / "-".join(["a", "long", "name", *["of", "a", "folder"] * 7])
    house.rename(deep)
    house = deep
    said("host", "receive", house, stdin=b"From: x@example.org\n\nhello\n")
    said("host", "once", house)
    told = " ".join(said("host", "filed", house).split())
    assert f"run `tkid host show {house} NUMBER`" in told
    assert f"run `tkid host process {house} NUMBER`" in told
    assert "reply" not in told


def test_filed_mails_are_those_that_wait_for_somebody(house: Path) -> None:
    """cites: club.desk.filed."""
    told = said("host", "filed", house)
    assert told.startswith("No filed mails wait for you.")
    assert f"run `tkid host filed {house} --all`" in " ".join(told.split())
    hello = b"From: x@example.org\nMessage-ID: <1@x>\n\nhello\n"
    for mail in (
        hello,
        b"From: bob@example.org\nMessage-ID: <1@bob>\n\ngood morning\n",  # gets the help
        b"From: bob@example.org\nMessage-ID: <2@bob>\n\ndigest daily\n",
        b"Received: by another way\nFrom: bob@example.org\nMessage-ID: <2@bob>\n\ndigest daily\n",
    ):
        said("host", "receive", house, stdin=mail)
        said("host", "once", house)
    told = said("host", "filed", house)
    assert told.startswith("One filed mail waits for you.")
    assert "x@example.org" in told
    assert "bob@example.org" not in told
    every = said("host", "filed", house, "--all")
    assert every.startswith("Three filed mails.")
    assert every.count("bob@example.org") == 2
    assert "--all" not in every
    assert "3 filed" in said("host", "status", house)


@each_row(
    ("typed", "code", "told"),
    [
        ("Pass", 0, "Mail 1 was carried out. Its sender gets an answer."),
        ("Manoeuvre S Mory <> E Devon", 1, "The order in mail 1 was refused: "),
        ("say to all: hello\nManoeuvre S Mory <> E Devon", 1, "Some orders in mail 1 were refused: "),
        ("Manoeuvre S Mory <> E Devon\nundo", 1, "All orders in mail 1 were refused: "),
        ("Frobnicate everything", 1, "There is no order in mail 1. "),
    ],
)
def test_processing_says_what_came_of_the_orders(
    made: Path, tmp_path_factory: pytest.TempPathFactory, typed: str, code: int, told: str
) -> None:
    """cites: club.desk.process."""
    house = Path(copytree(made, tmp_path_factory.mktemp("processed") / "games"))
    said("host", "abort", house, "glen", "--reason", "one is enough")
    said("host", "receive", house, stdin=f"From: ann@example.org\nMessage-ID: <1@ann>\n\n{typed}\n".encode())
    said("host", "once", house)
    result = tkid("host", "process", house, "1")
    assert result.exit_code == code, result.stderr
    output = result.stderr if code else result.stdout
    assert output.startswith(told)
    assert "Its sender gets an answer" in output
    assert stands(house).turns == (code == 0)


def test_somebody_who_was_never_away_does_not_come_back(house: Path) -> None:
    """cites: club.desk.back."""
    before = stands(house).record_text
    told = complaint("host", "back", house, "winter", "Ann", code=1)
    assert told.startswith("Ann is not away, has missed no turn, and has no stand-in. ")
    assert stands(house).record_text == before
    said("host", "stand-in", house, "winter", "Ann", "Merlin", "--bot")
    assert said("host", "back", house, "winter", "Ann").startswith("winter: player is back")
    assert complaint("host", "back", house, "winter", "Ann", code=1).startswith("Ann is not away")


def test_a_reason_is_required_for_what_cannot_be_taken_back(house: Path) -> None:
    assert tkid("host", "abort", house, "winter").exit_code == 2
    assert tkid("host", "take-back", house, "winter").exit_code == 2
    assert not stands(house).time.over


def test_one_game_is_shown(house: Path) -> None:
    told = said("host", "status", house, "winter")
    assert "winter: turn 1, Ann to play, by " in told
    assert "ann@example.org" in told


def test_a_clock_that_is_not_believed_is_reported_and_confirmed(house: Path) -> None:
    store = Store(f"sqlite:///{house / 'host.db'}")
    with store.begin_transaction() as transaction:
        document = transaction.documents.get_document("host", "time")
        assert document is None or HostTime.read_text(document.data).believed
        text = '{"last": "2020-01-01T00:00:00+00:00", "boot": "x", "seconds": 1.0, "away": null, '
        text += '"stopped": "2020-01-01T00:00:00+00:00", "shown": "2026-01-01T00:00:00+00:00"}'
        transaction.documents.store_document(Document("host", "time", text))
    store.close()
    assert "The machine's clock showed Thursday 1 January 2026" in said("host", "status", house)
    result = tkid("host", "doctor", house, "--offline")
    assert result.exit_code == 1
    assert "confirm-clock" in result.stderr
    assert said("host", "confirm-clock", house).startswith("The clock is right: it is ")
    assert "machine's clock" not in said("host", "status", house)
    assert any("# stood still: 2020-01-01T00:00Z to " in text for text in stands(house).record.end)


def test_a_game_that_began_elsewhere_goes_on(house: Path, tmp_path: Path) -> None:
    file = tmp_path / "old.tkid"
    said("host", "stand-in", house, "winter", "Ann", "Merlin", "--bot")
    said("host", "back", house, "winter", "Ann")
    said("host", "export", house, "winter", "-o", file)
    told = said("host", "import", house, "spring", file)
    assert told.startswith("spring: imported, two letters to players. Now: turn 2, Bob to play, by ")
    assert any("The game moved to this host." in text for text in stands(house, "spring").record.end)
    assert "There is a game spring already" in complaint("host", "import", house, "spring", file, code=1)
    assert said("check", file).startswith(f"{file}: all right")


def test_what_cannot_be_imported(house: Path, tmp_path: Path) -> None:
    whole, seen, nowhere = tmp_path / "whole.tkid", tmp_path / "seen.tkid", tmp_path / "nowhere.tkid"
    said("host", "new-game", house, *PLAYERS, "--game", "secret", "--ruleset", "second-edition-advanced")
    said("host", "export", house, "secret", "-o", whole)
    said("view", whole, "--seat", "Ann", "-o", seen)
    assert "Cards are hidden in this file" in complaint("host", "import", house, "x", seen, code=1)
    whole.write_text(whole.read_text("utf-8").replace(" <bob@example.org>", ""), "utf-8")
    assert "Bob has no address" in complaint("host", "import", house, "x", whole, code=1)
    nowhere.write_text("nothing", "utf-8")
    assert complaint("host", "import", house, "x", nowhere, code=1)
    assert complaint("host", "import", house, "x", tmp_path / "missing", code=2).startswith("Nothing was imported")


def test_a_process_that_starts_after_an_outage_gives_the_time_back(house: Path) -> None:
    last = datetime.now(UTC) - timedelta(hours=10)
    store = Store(f"sqlite:///{house / 'host.db'}")
    with store.begin_transaction() as transaction:
        transaction.documents.store_document(Document("host", "time", HostTime(last, "before", 5.0).text))
    store.close()
    assert "2 letters went out" in said("host", "once", house)
    assert said("host", "once", house) == "There was nothing to do.\n"
    after = stands(house)
    assert sum("# stood still" in text for text in after.record.end) == 1
    assert after.turns == 0


def test_a_process_that_finds_a_wrong_clock_stops_all_clocks(house: Path) -> None:
    store = Store(f"sqlite:///{house / 'host.db'}")
    with store.begin_transaction() as transaction:
        last = datetime.now(UTC) - timedelta(days=400)
        transaction.documents.store_document(Document("host", "time", HostTime(last, "before", 5.0).text))
    store.close()
    said("host", "once", house)
    assert "is settled, no clock of a game runs" in said("host", "status", house)
    assert stands(house).turns == 0
    assert "# stood still" not in stands(house).record_text
