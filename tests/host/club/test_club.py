"""A club for weeks: people come, play, watch and leave; the machine is down, is restored, the clock jumps; nothing is lost."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.host.club.club import club
from tests.host.club.events import begins, clock_jumps, from_elsewhere, live, outage, restored, tournament
from tests.host.club.heard import unheard
from tests.host.club.sight import held
from tests.host.club.verified import faults
from tests.host.store import postgres
from tests.host.store.databases import needs_postgres


@pytest.mark.slow
def test_six_people_for_two_weeks(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    seed = int(request.config.getoption("--hypothesis-seed") or 0)
    print(f"club {seed}")  # noqa: T201 - shown with a failure
    with club(tmp_path, seed, 6) as at:
        live(at, 5)
        outage(at, 16)
        live(at, 2)
        restored(at, 1)
        live(at, 3)
        assert faults(at) == []
        assert unheard(at) == []
        assert len(at.sent) > 50


@pytest.mark.slow
def test_a_seed_tells_all(tmp_path: Path) -> None:
    sent = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        folder.mkdir()
        with club(folder, 3, 4) as at:
            live(at, 3)
            sent.append(at.sent)
    assert len(sent[0]) > 10
    assert sent[0] == sent[1], "the same seed, the same letters"


@needs_postgres
@pytest.mark.exhaustive(seconds=4)
def test_a_club_on_postgresql(tmp_path: Path) -> None:
    with postgres.server() as store, club(tmp_path, 5, 5, store) as at:
        live(at, 3)
        outage(at, 16)
        live(at, 2)
        assert faults(at) == []
        assert unheard(at) == []
        assert len(at.sent) > 20


@pytest.mark.exhaustive(seconds=170)
def test_thirty_people_for_three_months(tmp_path: Path) -> None:
    """All that can happen to a club does, to two clubs; every order of both tables is carried out in one of them."""
    missing = [lived(tmp_path / str(seed), seed) for seed in (0, 1)]
    assert set.intersection(*missing) == set()


def lived(folder: Path, seed: int) -> set[str]:
    """The three months of a club, in which nothing is wrong; which orders were never carried out."""
    folder.mkdir()
    with club(folder, seed, 30) as at:
        live(at, 10, 2, 2)
        tournament(at, "cup", 4, "--swiss", "2")
        live(at, 5, 2, 2)
        begins(at, "cup")
        live(at, 5, 2, 2)
        outage(at, 40)
        live(at, 10, 2, 2)
        at.bouncing.add(at.people[3].address)
        live(at, 5, 2, 2)
        at.bouncing.clear()
        clock_jumps(at, timedelta(days=2))
        live(at, 8, 2, 2)
        restored(at, 2)
        live(at, 15, 2, 2)
        outage(at, 25 * 24)
        live(at, 10, 2, 2)
        from_elsewhere(at)
        with at.store() as store:
            games = store.count_games()
            cup = held(store)["cup"]
        print(f"club {seed}: {games}, {at.mails} mails, {len(at.sent)} letters")  # noqa: T201 - the figures of the proof
        print(f"{dict(at.counts.club)}, {dict(at.counts.desk)}")  # noqa: T201
        assert faults(at) == []
        assert unheard(at) == []
        assert cup.over
        assert any(person.address != person.addresses[0] for person in at.people), "nobody has moved"
        assert games["over"] > 20
        return set(at.counts.missing())
