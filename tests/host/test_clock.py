"""The clocks of games at a host: looked at when they are due, after the mails that came before."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from attrs import evolve

from tests.host.year.players import NAMES, TIME, examples, game, host, letters, reply, troubles
from tests.mail.mails import body
from tkid.host.service import Host
from tkid.host.transports import Maildir
from tkid.mail import game_service
from tkid.mail.game_service import HostedGame
from tkid.record.format.model import Header, Record

DAY = timedelta(days=1)


def clocked(terms: str = "3 days a turn, 1 day grace, remind after 2 days", players: int = 2) -> Record:
    """A game with a clock."""
    record = game(5, players)
    return evolve(record, headers=(*record.headers, Header("X-Clock", terms)))


def stands(at: Host) -> HostedGame:
    """The game as the host has it."""
    stored = at.store.get_game("game")
    assert stored is not None
    return HostedGame.read_stored(stored.record, stored.memory)


def told(folder: Path, at: Host, now: datetime) -> list[str]:
    """What everybody is told when the host looks at its clocks."""
    at.run_clocks(now)
    at.send_letters(now)
    return [" ".join(body(mail).split()) for name in NAMES[:2] for mail in letters(folder, name)]


def test_reminder_grace_and_pass_each_once(tmp_path: Path) -> None:
    with host(tmp_path) as at:
        at.open_game("game", clocked(), TIME)
        at.send_letters(TIME)
        for name in NAMES[:2]:
            letters(tmp_path, name)
        assert told(tmp_path, at, TIME + DAY) == []
        (reminded,) = told(tmp_path, at, TIME + 2 * DAY)
        assert "waits for your turn until" in reminded
        assert told(tmp_path, at, TIME + 2 * DAY + timedelta(hours=5)) == []
        (late,) = told(tmp_path, at, TIME + 3 * DAY)
        assert "grace" in late
        assert len(stands(at).record.turns) == 0
        after = told(tmp_path, at, TIME + 4 * DAY)
        assert len(after) == 2
        assert stands(at).record.turns[0].notes[1] == "out of time"
        assert told(tmp_path, at, TIME + 4 * DAY) == []


def test_a_mail_that_came_in_time_counts_however_late_it_is_looked_at(tmp_path: Path) -> None:
    with host(tmp_path) as at:
        at.open_game("game", clocked("1 day a turn, no reminder"), TIME)
        at.send_letters(TIME)
        name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(tmp_path, n) if examples(mail))
        Maildir(tmp_path / "in").add_mail(reply(letter, examples(letter)[-1], name))
        at.fetch_mails(Maildir(tmp_path / "in"), TIME + DAY - timedelta(minutes=1))
        assert at.run_clocks(TIME + 2 * DAY) == 0, "the mail is carried out first"
        at.work_on_all(TIME + 2 * DAY)
        (turn,) = stands(at).record.turns
        assert turn.notes == ("at 2026-11-22T09:59Z",)
        assert at.run_clocks(TIME + 2 * DAY) == 1


def test_a_mail_that_came_too_late_finds_the_pass(tmp_path: Path) -> None:
    with host(tmp_path) as at:
        at.open_game("game", clocked("1 day a turn, no reminder"), TIME)
        at.send_letters(TIME)
        name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(tmp_path, n) if examples(mail))
        Maildir(tmp_path / "in").add_mail(reply(letter, examples(letter)[-1], name))
        at.fetch_mails(Maildir(tmp_path / "in"), TIME + DAY)
        at.work_on_all(TIME + DAY)
        at.send_letters(TIME + DAY)
        (turn,) = stands(at).record.turns
        assert "out of time" in turn.notes
        (answer,) = letters(tmp_path, name)
        assert "mail.stale" in body(answer)


def test_while_a_mail_waits_the_clock_is_looked_at_as_when_it_came(tmp_path: Path) -> None:
    """Something else is due before the mail, the end of time after it: only the first is done."""
    with host(tmp_path) as at:
        at.open_game("game", clocked("2 days a turn, remind after 1 day"), TIME)
        at.send_letters(TIME)
        name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(tmp_path, n) if examples(mail))
        at.store.keep_mail(reply(letter, examples(letter)[-1], name), TIME + DAY + timedelta(hours=1))
        assert at.run_clocks(TIME + 3 * DAY) == 1
        at.send_letters(TIME + 3 * DAY)
        (reminded,) = letters(tmp_path, name)
        assert "reminder" in body(reminded)
        assert stands(at).record.turns == ()
        at.work_on_all(TIME + 3 * DAY)
        (turn,) = stands(at).record.turns
        assert turn.notes == ("at 2026-11-22T11:00Z",)


def test_a_mail_that_does_not_end_well_does_not_stop_the_clocks(tmp_path: Path) -> None:
    with host(tmp_path) as at:
        at.open_game("game", clocked("1 day a turn, no reminder"), TIME)
        at.store.keep_mail(b"no mail", TIME)
        assert at.run_clocks(TIME + DAY) == 0
        at.work_on_all(TIME + DAY)
        assert at.run_clocks(TIME + DAY) == 1


def test_many_clocks_are_looked_at_in_several_rounds(tmp_path: Path) -> None:
    with host(tmp_path) as at:
        for name in ("one", "two", "three"):
            at.open_game(name, clocked("1 day a turn, no reminder"), TIME)
        assert [at.run_clocks(TIME + DAY, 0) for _ in range(4)] == [1, 1, 1, 0]


def test_a_game_that_fails_does_not_stop_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with host(tmp_path) as at:
        for name in ("bad", "game"):
            at.open_game(name, clocked("1 day a turn, no reminder"), TIME)
        with at.store.begin_transaction() as writing:
            bad = writing.get_game("bad")
            assert bad is not None
            writing.save_game(evolve(bad, memory="{}"))
        monkeypatch.setattr(HostedGame, "read_stored", classmethod(_stored_or_broken))
        assert at.run_clocks(TIME + DAY) == 1
        assert [(what, times) for times, what, _ in troubles(at.store)] == [("bad", 1)]
        assert at.run_clocks(TIME + DAY) == 0
        assert at.run_clocks(TIME + DAY + timedelta(minutes=1)) == 0
        assert [(what, times) for times, what, _ in troubles(at.store)] == [("bad", 2)]


REAL = HostedGame.read_stored.__func__  # type: ignore[attr-defined]


def _stored_or_broken(cls: type[HostedGame], record: str, memory: str) -> HostedGame:
    if memory == "{}":
        raise KeyError("this game is broken")
    found: HostedGame = REAL(cls, record, memory)
    return found


def test_times_go_forward_in_the_record() -> None:
    """A worker whose clock is behind writes no moment before what the record tells of."""
    at = game_service.begin_game(clocked(), TIME).game
    at = at.with_turn("Pass", TIME + DAY)
    at = at.with_turn("Pass", TIME)
    assert at.time.problems == ()
    assert at.record.turns[1].notes == ("at 2026-11-22T10:00Z",)
