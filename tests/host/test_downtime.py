"""A host that was away: nobody's turn passes, mails that waited come first, everybody is told once; and clocks that jump."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from attrs import define

from tests.host.looped import looped, settle
from tests.host.test_clock import clocked
from tests.host.year.players import HOST, NAMES, TIME, examples, letters, reply
from tests.mail.mails import body
from tests.shared.tables import each_row
from tkid.host import host_time
from tkid.host.chores import TimeWatch
from tkid.host.host_time import explain_doubt
from tkid.host.loop import Loop
from tkid.host.published_folder import EVERY_GAME, PAGE
from tkid.host.service import Host
from tkid.host.transports import Maildir
from tkid.mail.game_clock import read_game_clock
from tkid.mail.game_service import HostedGame

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OWNER = "owner@example.org"


@define
class Machine:
    """Both clocks of a machine: the one that is set, and the one that counts since the start."""

    now: datetime = TIME
    boot: str = "first"
    seconds: float = 0.0
    name: str = ""

    def __call__(self) -> datetime:
        return self.now

    def uptime(self) -> tuple[str, float]:
        return self.boot, self.seconds

    def goes(self, time: timedelta) -> None:
        """Time goes by."""
        self.now += time
        self.seconds += time.total_seconds()

    def starts(self) -> None:
        """The machine is started again."""
        self.boot, self.seconds = f"{self.boot}'", 0.0


def at_work(folder: Path, machine: Machine) -> Loop:
    """A process of the host."""
    make = lambda store, send: Host(store, HOST, b"s" * 32, send, OWNER)  # noqa: E731
    watch = TimeWatch(machine, machine.uptime, machine.name)
    return looped(folder, machine, f"sqlite:///{folder / 'host.db'}", make=make, watch=watch)[0]


def begun(folder: Path, machine: Machine, terms: str = "3 days a turn, 1 day grace, remind after 2 days") -> Loop:
    """A host with a game, of which both players have read the first letters."""
    loop = at_work(folder, machine)
    store = loop.database.open_store()
    loop.make(store, lambda _, __: None).open_game("game", clocked(terms), TIME)
    store.close()
    settle(loop)
    return loop


def stands(loop: Loop) -> HostedGame:
    """The game as the host has it."""
    store = loop.database.open_store()
    stored = store.get_game("game")
    store.close()
    assert stored is not None
    return HostedGame.read_stored(stored.record, stored.memory)


def told(folder: Path, *names: str) -> dict[str, list[str]]:
    """What each has got since."""
    return {name: [" ".join(body(mail).split()) for mail in letters(folder, name)] for name in names or NAMES[:2]}


def noted(loop: Loop) -> bool:
    """Whether all pages are to be looked at again."""
    store = loop.database.open_store()
    text = store.get_document_text(PAGE, EVERY_GAME)
    store.close()
    return text is not None


@pytest.mark.parametrize("together", [host_time.TOLD_TOGETHER, 1])
def test_an_outage_passes_nobodys_turn_and_all_are_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    """They are told so many in one transaction."""
    monkeypatch.setattr(host_time, "TOLD_TOGETHER", together)
    machine = Machine()
    loop = begun(tmp_path, machine)
    told(tmp_path)
    before = read_game_clock(stands(loop).time, TIME)
    loop.close()
    machine.goes(19 * DAY)
    machine.starts()
    loop = at_work(tmp_path, machine)
    settle(loop)
    game = stands(loop)
    assert noted(loop), "pages and calendars show other deadlines now"
    assert game.turns == 0
    after = read_game_clock(game.time, machine.now)
    assert before is not None
    assert after is not None
    assert after.deadline - before.deadline == 19 * DAY
    letters_of = told(tmp_path)
    assert [len(letters_of[name]) for name in NAMES[:2]] == [1, 1]
    assert all("The host was away for 19 days" in letters_of[name][0] for name in NAMES[:2])
    loop.close()
    loop = at_work(tmp_path, machine)
    settle(loop)
    machine.goes(HOUR)
    settle(loop)
    assert told(tmp_path) == {name: [] for name in NAMES[:2]}, "each is told once"
    assert sum("stood still" in text for text in stands(loop).record.end) == 1


def test_a_mail_that_waited_is_in_time(tmp_path: Path) -> None:
    machine = Machine()
    loop = begun(tmp_path, machine)
    name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(tmp_path, n) if examples(mail))
    loop.close()
    Maildir(tmp_path / "in").add_mail(reply(letter, examples(letter)[-1], name))
    machine.goes(15 * DAY)
    loop = at_work(tmp_path, machine)
    settle(loop)
    (turn,) = stands(loop).record.turns
    assert "out of time" not in turn.notes
    after = read_game_clock(stands(loop).time, machine.now)
    assert after is not None
    assert after.deadline == machine.now + 3 * DAY, "the next player has the whole time"


def test_a_short_absence_changes_nothing(tmp_path: Path) -> None:
    machine = Machine()
    loop = begun(tmp_path, machine)
    told(tmp_path)
    machine.goes(5 * HOUR)
    settle(loop)
    assert told(tmp_path) == {name: [] for name in NAMES[:2]}
    assert stands(loop).record.end == ()


def test_a_clock_that_jumps_is_not_believed_until_it_is_confirmed(tmp_path: Path) -> None:
    machine = Machine()
    loop = begun(tmp_path, machine)
    name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(tmp_path, n) if examples(mail))
    machine.now += 25 * DAY
    machine.goes(HOUR)
    settle(loop)
    assert stands(loop).turns == 0
    assert told(tmp_path) == {name: [] for name in NAMES[:2]}, "nobody is reminded"
    (asked,) = letters_to_owner(tmp_path)
    assert "confirm clock" in body(asked)
    Maildir(tmp_path / "in").add_mail(reply(letter, examples(letter)[-1], name))
    settle(loop)
    (turn,) = stands(loop).record.turns
    assert turn.notes[0] == f"at {TIME + HOUR:%Y-%m-%dT%H:%MZ}", "the time follows the last one that was believed"
    told(tmp_path)
    machine.goes(5 * DAY)
    settle(loop)
    assert stands(loop).turns == 1, "no clock runs"
    Maildir(tmp_path / "in").add_mail(answered(asked, "confirm clock"))
    settle(loop)
    machine.goes(timedelta(minutes=2))
    settle(loop)
    assert stands(loop).turns == 1
    clock = read_game_clock(stands(loop).time, machine.now)
    assert clock is not None
    assert clock.deadline > machine.now + 2 * DAY
    letters_of = told(tmp_path)
    assert all(sum("The host was away" in text for text in letters_of[name]) == 1 for name in NAMES[:2])


def test_a_clock_that_is_set_right_again_goes_on_by_itself(tmp_path: Path) -> None:
    machine = Machine()
    loop = begun(tmp_path, machine)
    told(tmp_path)
    machine.now += 400 * DAY
    settle(loop)
    assert len(letters_to_owner(tmp_path)) == 1
    machine.now -= 400 * DAY
    machine.goes(2 * DAY)
    settle(loop)
    letters_of = told(tmp_path)
    assert stands(loop).turns == 0
    assert all("The host was away for 2 days" in letters_of[name][0] for name in NAMES[:2])


def test_an_outage_of_25_days_passes_nobodys_turn(tmp_path: Path) -> None:
    machine = Machine()
    loop = begun(tmp_path, machine, "1 day a turn, no grace")
    told(tmp_path)
    loop.close()
    machine.goes(25 * DAY)
    machine.starts()
    loop = at_work(tmp_path, machine)
    settle(loop)
    machine.goes(3 * DAY)
    settle(loop)
    assert stands(loop).turns == 0
    (asked,) = letters_to_owner(tmp_path)
    Maildir(tmp_path / "in").add_mail(answered(asked, "confirm clock"))
    settle(loop)
    machine.goes(timedelta(minutes=2))
    settle(loop)
    assert stands(loop).turns == 0
    for _ in range(5):
        machine.goes(5 * HOUR)
        settle(loop)
    assert stands(loop).turns == 1, "the clock runs again"


def two_at_work(folder: Path, *machines: Machine) -> list[Loop]:
    """Two machines that work for one host with a game."""
    loops = [begun(folder, machines[0]), at_work(folder, machines[1])]
    told(folder)
    for _ in range(2):
        go(timedelta(minutes=2), loops, *machines)
    return loops


def go(time: timedelta, loops: list[Loop], *machines: Machine) -> None:
    """Time goes by for all machines, and each works, one after another."""
    for machine in machines:
        machine.goes(time)
    for loop in loops:
        settle(loop)


def believed(loops: list[Loop]) -> list[bool]:
    """Whether each machine believes its own clock."""
    return [loop.watch is not None and loop.watch.believed for loop in loops]


def test_a_jump_is_doubted_though_another_machine_wrote_the_last_note(tmp_path: Path) -> None:
    """It is that of one machine alone: the right clock of the other one is believed, and runs the games."""
    first, second = Machine(name="first"), Machine(name="second", boot="other")
    loops = two_at_work(tmp_path, first, second)
    first.now += 10 * DAY
    go(timedelta(minutes=2), loops, first, second)
    assert believed(loops) == [False, True]
    (asked,) = letters_to_owner(tmp_path)
    assert "The clock of the machine first shows" in " ".join(body(asked).split())
    assert stands(loops[1]).turns == 0
    assert stands(loops[1]).record.end == ()
    store = loops[1].database.open_store()
    assert "machine first" in explain_doubt(store)
    for _ in range(21):
        go(4 * HOUR, loops, first, second)
    assert letters_to_owner(tmp_path) == [], "the owner hears of a doubt once"
    texts = [text for texts in told(tmp_path).values() for text in texts]
    assert texts
    assert not [text for text in texts if "The host was away" in text]
    for _ in range(4):
        go(4 * HOUR, loops, first, second)
    assert stands(loops[1]).turns == 1, "the clock of the other machine runs"
    first.now -= 10 * DAY
    go(timedelta(minutes=2), loops, first, second)
    assert believed(loops) == [True, True]
    assert explain_doubt(store) == ""
    store.close()
    assert stands(loops[1]).record.end == (), "the host was never away"


@each_row(("right", "days"), [("second", -10), ("second", 10), ("first", 10)])
def test_a_machine_that_is_started_with_another_date_than_one_at_work(
    right: str, days: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Two clocks differ, and the host cannot know which is right: the one that ran is believed until the owner says otherwise."""
    folder = tmp_path_factory.mktemp("club")
    first, second = Machine(name="first"), Machine(name="second", boot="other")
    loops = two_at_work(folder, first, second)
    loops[1].close()
    second.starts()
    second.now += days * DAY
    loops[1] = at_work(folder, second)
    for _ in range(2):
        go(timedelta(minutes=2), loops[::-1], first, second)
    assert believed(loops) == [True, False]
    (asked,) = letters_to_owner(folder)
    assert "The clock of the machine second shows" in " ".join(body(asked).split())
    if right == "first":
        second.now -= days * DAY
        go(timedelta(minutes=2), loops, first, second)
        assert believed(loops) == [True, True]
        return
    Maildir(folder / "in").add_mail(answered(asked, "confirm clock"))
    for _ in range(3):
        go(timedelta(minutes=2), loops, first, second)
    assert believed(loops) == [False, True]
    first.now += days * DAY
    for _ in range(2):
        go(timedelta(minutes=2), loops, first, second)
    assert believed(loops) == [True, True]


def letters_to_owner(folder: Path) -> list[EmailMessage]:
    """What the owner has got since."""
    return letters(folder, "owner")


def answered(letter: EmailMessage, text: str) -> bytes:
    """The owner's answer to a letter."""
    return reply(letter, text, "owner")
