"""A host that is killed at every step that writes loses nothing and doubles nothing."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest

from tests.host.killed import work_until
from tests.host.year.players import NAMES, TIME, address, examples, game, host, letters, reply, work
from tkid.host.transports import Maildir

FORKING = get_context("forkserver")
FORKING.set_forkserver_preload(["tests.host.killed"])
WANTED = 200
"""So many distinct points at which the process is killed."""


def stands(folder: Path) -> tuple[str, list[list[str]]]:
    """The record in the store, and the letters in every mailbox by Message-ID, in whichever state they lie there."""
    with host(folder) as at:
        stored = at.store.get_game("game")
    assert stored is not None
    boxes = [[*_files(folder / "out" / address(name))] for name in NAMES[:2]]
    return stored.record, [sorted(map(_message_id, box)) for box in boxes]


def _files(box: Path) -> Iterator[Path]:
    """Every mail of a mailbox, read or not."""
    for part in ("new", "cur"):
        yield from (box / part).iterdir()


def _message_id(file: Path) -> str:
    lines = file.read_bytes().split(b"\r\n")
    return next(line for line in lines if line.lower().startswith(b"message-id:")).decode()


def killed(folder: Path, step: int) -> bool:
    """Whether a round was killed at a step; false where it ended before."""
    process = FORKING.Process(target=work_until, args=(folder, step))
    process.start()
    process.join()
    assert process.exitcode in {0, -signal.SIGKILL}
    return process.exitcode != 0


@pytest.mark.exhaustive
def test_killed_at_every_step(tmp_path: Path) -> None:
    """The same mails on a host that is never disturbed, and on one that is killed at each step of each round."""
    rng, points, mails = Random(20261121), 0, 0
    calm = tmp_path / "calm"
    calm.mkdir()
    with host(calm) as at:
        at.open_game("game", game(2, 2, "second-edition-advanced"), TIME)
        at.send_letters(TIME)
    while points < WANTED:
        name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(calm, n) if examples(mail))
        mails += 1
        data = reply(letter, rng.choice(examples(letter)), name, mails)
        Maildir(calm / "in").add_mail(data)
        before = tmp_path / "before"
        shutil.copytree(calm, before)
        with host(calm) as at:
            work(at, calm)
        wanted = stands(calm)
        step = 1
        while True:
            disturbed = tmp_path / "disturbed"
            shutil.copytree(before, disturbed)
            died = killed(disturbed, step)
            with host(disturbed) as at:
                work(at, disturbed)
            assert stands(disturbed) == wanted, (mails, step)
            shutil.rmtree(disturbed)
            if not died:
                break
            points, step = points + 1, step + 1
        shutil.rmtree(before)
    print(f"killed at {points} points of {mails} rounds")  # noqa: T201 - the figure of the proof
