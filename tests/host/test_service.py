"""A host on Maildirs: whole games by mail, and what it does with mails that it must not believe."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from random import Random

import pytest

from tests.host.year.players import (
    HOST,
    NAMES,
    TIME,
    address,
    examples,
    game,
    host,
    letters,
    play,
    reply,
    troubles,
    work,
)
from tests.mail.mails import body
from tests.shared.tables import sample
from tkid.host.health import Health
from tkid.host.service import MAX_TRIES, Host
from tkid.host.status import describe_status, write_metrics
from tkid.host.store.schema import FIRST_DELAY
from tkid.host.transports import Maildir, RefusedForGoodError
from tkid.mail.game_service import HostedGame
from tkid.record.clock_notes import NOTHING_TO_PLAY
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay

CODES = ("second-edition", "second-edition-advanced")
GAMES = [*product(CODES, (2, 3, 4)), ("digest", 2), ("digest-advanced", 3)]


@pytest.mark.slow
@pytest.mark.parametrize(("code", "players"), sample(GAMES, 8))
def test_a_whole_game_by_mail(tmp_path: Path, code: str, players: int) -> None:
    with host(tmp_path) as at:
        at.open_game("game", game(players, players, code), TIME)
        at.send_letters(TIME)
        mails = play(tmp_path, at, Random(players))
        stored = at.store.get_game("game")
        counts = at.store.count_mails()
    assert stored is not None
    assert stored.over
    found = read_record(stored.record.encode())
    assert found.record is not None
    assert replay(found.record).problems == []
    turns = [turn for turn in found.record.turns if NOTHING_TO_PLAY.why not in turn.notes]
    assert (mails, counts["done"], counts["unsent"]) == (len(turns), len(turns), 0)


@pytest.mark.slow
def test_every_player_hears_of_the_end(tmp_path: Path) -> None:
    with host(tmp_path) as at:
        at.open_game("game", game(1, 3), TIME)
        at.send_letters(TIME)
        play(tmp_path, at, Random(1))
    for name in NAMES[:3]:
        box = tmp_path / "out" / address(name) / "cur"
        assert any("HOW IT WAS DECIDED" in file.read_text("utf-8", "replace") for file in box.iterdir()), name


@pytest.fixture
def asked(tmp_path: Path):  # type: ignore[no-untyped-def] # noqa: ANN201
    """A host that waits for the first turn: its folder, itself, who is asked, and the letter."""
    with host(tmp_path) as at:
        at.open_game("game", game(5), TIME)
        at.send_letters(TIME)
        name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(tmp_path, n) if examples(mail))
        yield tmp_path, at, name, letter


def turns(at) -> int:  # type: ignore[no-untyped-def] # noqa: ANN001
    """How many turns the host's game has."""
    stored = at.store.get_game("game")
    return len(HostedGame.read_stored(stored.record, stored.memory).replay.record.turns)


def test_a_mail_twice_and_a_mail_that_came_two_ways(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    folder, at, name, letter = asked
    mail = reply(letter, "Pass", name)
    for data in (mail, mail, b"Received: by another way\r\n" + mail):
        Maildir(folder / "in").add_mail(data)
        work(at, folder)
    assert turns(at) == 1
    assert at.store.count_mails() == {"new": 0, "done": 1, "filed": 1, "quarantined": 0, "unsent": 0}
    assert sum(len(letters(folder, n)) for n in NAMES[:2]) == 2, "one receipt, one letter to the next player"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda m, n: m.replace(address(n).encode(), b"mallory@example.org"), "mail.sender"),
        (lambda m, n: m.replace(address(n).encode(), address(_other(n)).encode()), "mail.sender"),
        (lambda m, _: m.replace(b"From:", b"From: Eve <eve@example.org>\nFrom:", 1), "mail.from"),
        (lambda m, _: _without_key(m), "mail.key"),
        (lambda m, _: b"Auto-Submitted: auto-replied\n" + m, "mail.automatic"),
    ],
    ids=["a stranger with the key", "the other player with the key", "two senders", "no key", "an autoresponder"],
)
def test_what_is_filed_and_not_answered(asked, change, why) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    folder, at, name, letter = asked
    Maildir(folder / "in").add_mail(change(reply(letter, "Pass", name), name))
    work(at, folder)
    assert turns(at) == 0
    assert at.store.count_mails()["filed"] == 1
    assert not any(letters(folder, n) and n for n in NAMES[:1] if n != name)
    (mail,) = at.store.list_finished([1])
    assert why in mail.reason


def _other(name: str) -> str:
    return NAMES[1 - NAMES.index(name)]


def _without_key(mail: bytes) -> bytes:
    at = mail.index(b"+") + 1
    key = mail[at : mail.index(b"@", at)]
    return mail.replace(key, b"aaaaaaaaaaaa")


def test_the_key_in_the_marker_line_will_do(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    folder, at, name, letter = asked
    mail = reply(letter, "Pass", name).replace(str(letter["Reply-To"]).encode(), HOST.encode())
    Maildir(folder / "in").add_mail(mail)
    work(at, folder)
    assert turns(at) == 1


def test_an_old_order_is_answered_and_not_played(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    folder, at, name, letter = asked
    Maildir(folder / "in").add_mail(reply(letter, "Pass", name, 1))
    work(at, folder)
    letters(folder, name)
    Maildir(folder / "in").add_mail(reply(letter, examples(letter)[-1], name, 2))
    work(at, folder)
    assert turns(at) == 1
    (answer,) = letters(folder, name)
    assert "The full rule, mail.stale:" in body(answer)


def test_a_wrong_turn_is_answered_and_can_be_put_right(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    folder, at, name, letter = asked
    Maildir(folder / "in").add_mail(reply(letter, "Manoeuvre S Mory <> E Devon", name, 1))
    work(at, folder)
    (answer,) = letters(folder, name)
    assert "Nothing has been played" in body(answer) or body(answer).startswith("Not played: ")
    Maildir(folder / "in").add_mail(reply(answer, "Pass", name, 2))
    work(at, folder)
    assert turns(at) == 1


def test_a_mail_that_kills_the_process_is_put_aside(asked, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    folder, at, name, letter = asked
    Maildir(folder / "in").add_mail(reply(letter, "Pass", name))

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("tkid.host.mails.take_in", die)
        for _ in range(MAX_TRIES):
            with pytest.raises(KeyboardInterrupt):
                work(at, folder)
    work(at, folder)
    assert at.store.count_mails()["quarantined"] == 1
    assert troubles(at.store) == [(1, "quarantined", "the program crashed on it 3 times")]
    Maildir(folder / "in").add_mail(reply(letter, "Pass", name, 2))
    work(at, folder)
    assert turns(at) == 1


@contextmanager
def failing_sender(at: Host, error: OSError) -> Iterator[None]:
    """Let no letter of a host go out."""

    def fail(*_: object) -> None:
        raise error

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(at, "send", fail)
        yield


def test_a_letter_that_cannot_be_sent_waits(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    folder, at, name, letter = asked
    Maildir(folder / "in").add_mail(reply(letter, "Pass", name))
    with failing_sender(at, OSError("the disk is full")):
        work(at, folder)
    assert at.store.count_mails()["unsent"] == 2
    assert troubles(at.store)[0][2] == "the disk is full"
    work(at, folder)
    assert at.store.count_mails()["unsent"] == 2, "it is not tried again at once"
    at.send_letters(TIME + FIRST_DELAY)
    assert at.store.count_mails()["unsent"] == 0
    assert troubles(at.store) == []


def test_letters_that_wait_for_another_try_are_sent_again(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    """All of them, in their order, and as if they had not been tried."""
    folder, at, name, letter = asked
    Maildir(folder / "in").add_mail(reply(letter, "Pass", name))
    with failing_sender(at, OSError("552 5.2.2 mailbox full")):
        work(at, folder)
    waiting = at.store.list_unsent()
    assert [each.tries for each in waiting] == [1, 1]
    assert at.store.send_again("nobody@example.org") == []
    assert at.store.send_again() == [(each.game, each.address) for each in waiting]
    assert at.store.send_again() == [], "they wait for the next round"
    assert at.send_letters(TIME) == len(waiting)


def test_status_reads_a_few_of_many_letters_that_did_not_go_out(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    """Letters that were given up come first, then those that were tried."""
    folder, at, name, letter = asked
    Maildir(folder / "in").add_mail(reply(letter, "Pass", name))
    with failing_sender(at, OSError("452 4.3.1 try later")):
        work(at, folder)
    at.open_game("game-2", game(2), TIME)
    with failing_sender(at, RefusedForGoodError("550 5.1.1 no such user")):
        at.send_letters(TIME)
    at.open_game("game-3", game(3), TIME)
    shown = describe_status(at.store, TIME, most_letters=4)["letters"]
    found = [(each["given_up"], each["tries"], each["game"]) for each in shown.pop("unsent")]
    assert found == [(True, 1, "game-2"), (True, 1, "game-2"), (False, 1, "game"), (False, 1, "game")]
    assert shown == {"sent": 2, "waiting": 4, "failing": 2, "given_up": 2}
    metrics = write_metrics(at.store, Health(), TIME)
    assert all(line in metrics for line in ("letters_waiting 4\n", "letters_failing 2\n", "letters_given_up 2\n"))
