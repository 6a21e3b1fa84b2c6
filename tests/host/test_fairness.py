"""Senders take turns, and who has written too much is read only at the top: the order of the work, and not its time."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from attrs import evolve

from tests.host.looped import Clock, looped, never
from tests.host.year.players import NAMES, TIME, examples, game, host, letters, reply
from tests.mail.mails import body
from tests.shared.tables import each_row
from tkid.host.mails import MAX_ANSWERS_WITHOUT_TURN, MAX_LINES_OVER_LIMIT
from tkid.host.service import Host
from tkid.host.store.store import MAX_MAILS_OF_SENDER, Waiting, sort_in_turn
from tkid.host.transports import Maildir
from tkid.mail.envelope import MOST_BODY, cut_beginning_of_mail, glance_at
from tkid.mail.mime import take_in
from tkid.record.clock import CLOCK
from tkid.record.format.model import Header


def waiting(*mails: str) -> list[Waiting]:
    """Mails that wait, in the order in which they came: a letter for the sender, a capital where a key was seen."""
    return [Waiting(number, 0, mail.lower(), mail.isupper()) for number, mail in enumerate("".join(mails), 1)]


@each_row(
    "came, most, done",
    [
        ("", None, []),
        ("AAAB", None, [1, 4, 2, 3]),
        ("AABBA", None, [1, 3, 2, 4, 5]),
        ("aaA", None, [3, 1, 2]),  # a key of one's own counts more than an address that anybody can write
        ("xyzA", None, [4, 1, 2, 3]),
        ("AAAAAAB", 20, [1, 7, 2]),
        ("ABCDEF", 4, [1, 2, 3, 4]),
    ],
)
def test_senders_take_turns(came: str, most: int | None, done: list[int]) -> None:
    assert MAX_MAILS_OF_SENDER == 2
    assert [mail.number for mail in sort_in_turn(waiting(came), most)] == done


@each_row(
    "mail, sender, keys",
    [
        (
            b"From: Ann <ann@example.org>\nTo: tkid+x4o5pvqscclo@g.example\n\nPass\n",
            "ann@example.org",
            ["x4o5pvqscclo"],
        ),
        (b"From: a@b.example\n\nPass\n\n> Ref winter 17 7ba25b x4o5pvqscclo\n", "a@b.example", ["x4o5pvqscclo"]),
        (b"From: a@b.example\n\nyes\n\n> Ref table spring inv7bob2sprg\n", "a@b.example", ["inv7bob2sprg"]),
        (b"From: a@b.example\nFrom: c@d.example\n\nPass\n", "", []),
        (b"From: a@b.example\n\n" + b"x" * MOST_BODY + b"\nRef winter 17 7ba25b x4o5pvqscclo\n", "a@b.example", []),
        (b"no mail", "", []),
        (b"", "", []),
    ],
)
def test_a_first_look_sees_the_sender_and_the_keys(mail: bytes, sender: str, keys: list[str]) -> None:
    found, seen = glance_at(mail)
    assert (found, [key for key in seen if key != "quotationsss"]) == (sender, keys)
    assert mail.startswith(cut_beginning_of_mail(mail))
    assert len(cut_beginning_of_mail(mail)) <= mail.find(b"\n\n") + 2 + MOST_BODY or b"\n\n" not in mail


def asked(at: Host, folder: Path, *names: str) -> list[tuple[str, EmailMessage]]:
    """Games that begin; for each who is asked, and the letter."""
    found = []
    for number, name in enumerate(names):
        at.open_game(name, game(number + 1), TIME)
        at.send_letters(TIME)
        found += [next((who, mail) for who in NAMES[:2] for mail in letters(folder, who) if examples(mail))]
    return found


def test_an_honest_mail_is_done_before_all_that_somebody_else_wrote_before_it(tmp_path: Path) -> None:
    """Its receipt goes out in the round in which it comes, however many mails of another player wait."""
    clock = Clock()
    loop, _ = looped(tmp_path, clock)
    store = loop.database.open_store()
    (busy, first), (honest, second) = asked(loop.make(store, Boxed(tmp_path)), tmp_path, "one", "two")
    for number in range(30):
        Maildir(tmp_path / "in").add_mail(reply(first, f"words {number}", busy, number), f"{number:03d}")
    done = loop.run_round(never)
    assert done.worked == MAX_MAILS_OF_SENDER
    Maildir(tmp_path / "in").add_mail(reply(second, examples(second)[0], honest, 99), "zzz")
    done = loop.run_round(never)
    assert done.worked == MAX_MAILS_OF_SENDER + 1
    assert any("Recorded as: " in body(mail) for mail in letters(tmp_path, honest))
    assert store.count_mails()["new"] == 30 - 2 * MAX_MAILS_OF_SENDER
    store.close()
    loop.close()


class Boxed:
    """Sends letters into Maildirs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, to: str, mail: bytes) -> None:
        Maildir(self.folder / "out" / to).add_mail(mail)


@pytest.mark.slow
def test_who_is_over_the_limit_is_read_only_at_the_top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a turn that stands there is played; further down it is not looked for."""
    with host(tmp_path) as at:
        ((name, letter),) = asked(at, tmp_path, "one")
        read: list[int] = []
        monkeypatch.setattr("tkid.host.mails.take_in", _noting(read))
        for number in range(MAX_ANSWERS_WITHOUT_TURN + 1):
            at.store.keep_mail(reply(letter, f"sentences {number}\n" + "more\n" * 5000, name, number), TIME)
        at.work_on_all(TIME)
        assert min(read) > 25_000
        read.clear()
        turn = examples(letter)[0]
        below = "\n".join([*["Some words."] * MAX_LINES_OVER_LIMIT, turn])
        for number, order in enumerate((below, f"{turn}\n" + "more\n" * 5000), 100):
            at.store.keep_mail(reply(letter, order, name, number), TIME)
            at.work_on_all(TIME)
            stored = at.store.get_game("one")
            assert stored is not None
            assert ("\n1. " in stored.record) == (number == 101)
        assert max(read) < 10_000


def _noting(read: list[int]):  # type: ignore[no-untyped-def] # noqa: ANN202
    def noting(data: bytes) -> object:
        read.append(len(data))
        return take_in(data)

    return noting


@pytest.mark.slow
def test_a_later_mail_that_is_done_first_lets_no_clock_run_out(tmp_path: Path) -> None:
    """Ann's turn came in time and waits behind other mails of hers; Bob's question, which came too late for her, is first."""
    with host(tmp_path) as at:
        record = game(1)
        at.open_game("one", evolve(record, headers=(*record.headers, Header(CLOCK, "2 days a turn"))), TIME)
        at.send_letters(TIME)
        mails = {name: letters(tmp_path, name) for name in NAMES[:2]}
        name, letter = next((who, mail) for who in mails for mail in mails[who] if examples(mail))
        other = next(who for who in NAMES[:2] if who != name)
        in_time, late = TIME + timedelta(days=1), TIME + timedelta(days=3)
        for number in range(3):
            at.store.keep_mail(reply(letter, f"words {number}", name, number), in_time)
        at.store.keep_mail(reply(letter, examples(letter)[0], name, 9), in_time)
        at.store.keep_mail(reply(mails[other][0], "status", other, 1), late)
        while at.store.list_waiting():
            at.work_on_all(late, 2)
            at.run_clocks(late)
        stored = at.store.get_game("one")
        assert stored is not None
        assert "passed" not in stored.record.partition("Turns")[2]
        assert "\n1. " in stored.record
        assert at.store.count_mails()["done"] == 5, at.store.list_finished([1, 2, 3, 4, 5])
