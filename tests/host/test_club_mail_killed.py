"""A host that is killed at every step of an invitation and its answer loses nothing and doubles nothing."""

from __future__ import annotations

import shutil
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.host.test_crashes import _files, _message_id, killed
from tests.host.year.players import NAMES, TIME, address, game, host, letters, reply, work
from tkid.host.transports import Maildir

ORDERS = (
    ("Ann", "Ann", "new game with Cal <cal@example.org>, called spring\nwords: a fox"),
    ("Cal", "Cal", "accept, words: seven swans"),
)
"""Who writes, whose latest letter is answered, and what the mail says."""


def stands(folder: Path) -> tuple[list[str], list[tuple[str, str]], list[list[str]]]:
    """The records of all games, what the club keeps, and the letters in every mailbox by Message-ID."""
    with host(folder) as at:
        games = [game.record for game in at.store.list_games()]
        with at.store.begin_transaction() as transaction:
            kept = [
                (each.id, each.data)
                for kind in ("table", "member")
                for each in transaction.documents.list_documents(kind)
            ]
    boxes = [folder / "out" / address(name) for name in NAMES[:3]]
    return games, kept, [sorted(map(_message_id, _files(box))) if box.exists() else [] for box in boxes]


def latest(folder: Path, name: str) -> EmailMessage:
    """The latest letter to somebody."""
    return letters(folder, name)[-1]


@pytest.mark.exhaustive
def test_killed_at_every_step_of_the_front_door(tmp_path: Path) -> None:
    points, calm = 0, tmp_path / "calm"
    calm.mkdir()
    with host(calm) as at:
        at.open_game("winter", game(2), TIME)
        at.send_letters(TIME)
    for number, (name, whose, text) in enumerate(ORDERS, 1):
        Maildir(calm / "in").add_mail(reply(latest(calm, whose), text, name, number))
        before = tmp_path / "before"
        shutil.copytree(calm, before)
        with host(calm) as at:
            work(at, calm)
        wanted = stands(calm)
        step, died = 1, True
        while died:
            disturbed = tmp_path / "disturbed"
            shutil.copytree(before, disturbed)
            died = killed(disturbed, step)
            with host(disturbed) as at:
                work(at, disturbed)
            assert stands(disturbed) == wanted, (number, step)
            shutil.rmtree(disturbed)
            points, step = points + died, step + 1
        shutil.rmtree(before)
    assert [len(part) for part in wanted] == [2, 3, 3]
    assert points > 40
    print(f"killed at {points} points of {len(ORDERS)} rounds")  # noqa: T201 - the figure of the proof
