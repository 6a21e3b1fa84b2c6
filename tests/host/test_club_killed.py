"""A host that is killed while it does what members ask for loses nothing and doubles nothing."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path

import pytest

from tests.host.club_killed import round_until
from tests.host.small_club import Club, club
from tests.host.test_digests import begin, of, until_digest
from tests.host.test_member_orders import resigned
from tests.host.test_moving import NEW, OLD, asked
from tests.host.year.players import examples

FORKING = get_context("forkserver")
FORKING.set_forkserver_preload(["tests.host.club_killed"])
STRIDE = 6
"""Every so many steps the process is killed, so that a scenario takes seconds."""


def digest_due(at: Club) -> None:
    """Letters wait for a digest that is due."""
    begin(at)
    for mail in at.mails("Bob"):
        if examples(mail):
            at.answer(mail, "Bob", "say to all: seven swans\nPass")
    at.work()
    at.now += timedelta(days=1)


def digest_answered(at: Club) -> None:
    """An answer to a digest plays in two games."""
    digest_due(at)
    (digest,) = until_digest(at)[-1:]
    at.answer(digest, "Ann", "winter: say to all: Hello\nglen: Pass\nwintr: Pass")


def address_confirmed(at: Club) -> None:
    """The second of two addresses agrees."""
    letters = asked(at)
    at.answer(letters[OLD], OLD, "yes")
    at.work()
    at.answer(letters[NEW], NEW, "yes")


def seat_taken(at: Club) -> None:
    """Two want one seat."""
    letters = resigned(at)
    at.answer(letters["Dee"], "Dee", "take seat Bob of winter")


def turn_observed(at: Club) -> None:
    """A turn of a game that somebody observes."""
    at.at.open_game("winter", of("Ann", "Bob", seed=1), at.now)
    at.at.open_game("moor", of("Cal", "Dee", seed=2), at.now)
    at.work()
    at.replies(at.mails("Cal")[0], "Cal", "observe winter")
    for name in ("Ann", "Bob"):
        for mail in at.mails(name):
            if examples(mail):
                at.answer(mail, name, "Pass")


def stands(folder: Path) -> tuple[object, ...]:
    """Records, documents, and the letters in every mailbox by Message-ID."""
    with club(folder) as at:
        records = [(game.id, game.record) for game in at.games()]
        with at.at.store.begin_transaction() as transaction:
            kinds = ("member", "digest", "observer", "moved", "seat")
            kept = [
                (each.kind, each.id, each.data, each.due)
                for kind in kinds
                for each in transaction.documents.list_documents(kind)
            ]
    files = [file for part in ("new", "cur") for file in (folder / "out").glob(f"*/{part}/*")]
    letters = sorted((file.parent.parent.name, _message_id(file)) for file in files)
    return records, kept, letters


def _message_id(file: Path) -> str:
    lines = file.read_bytes().split(b"\r\n")
    return next(line for line in lines if line.lower().startswith(b"message-id:")).decode()


@pytest.mark.exhaustive
@pytest.mark.parametrize("scene", [digest_due, digest_answered, address_confirmed, seat_taken, turn_observed])
def test_killed_in_a_round(tmp_path: Path, scene: Callable[[Club], None]) -> None:
    """A round that is never disturbed, and one that is killed at many of its steps and then done again."""
    before, calm = tmp_path / "before", tmp_path / "calm"
    before.mkdir()
    with club(before) as at:
        scene(at)
        now = at.now
    shutil.copytree(before, calm)
    with club(calm) as at:
        at.now = now
        at.work()
    wanted, points = stands(calm), 0
    assert wanted != stands(before)
    for step in range(1, 5000, STRIDE):
        disturbed = tmp_path / "disturbed"
        shutil.copytree(before, disturbed)
        process = FORKING.Process(target=round_until, args=(disturbed, now, step))
        process.start()
        process.join()
        assert process.exitcode in {0, -signal.SIGKILL}
        with club(disturbed) as at:
            at.now = now
            at.work()
            at.work()
        assert stands(disturbed) == wanted, step
        shutil.rmtree(disturbed)
        if process.exitcode == 0:
            break
        points += 1
    assert points > 2
    print(f"killed at {points} points")  # noqa: T201 - the figure of the proof
