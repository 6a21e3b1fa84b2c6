"""What came before a restore goes again as it went: in its order, at its time, with its draws; nobody hears anything twice."""

from __future__ import annotations

import copy
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from tests.host.looped import Boxes, settle
from tests.host.store.databases import BOTH
from tests.host.store.postgres import server
from tests.host.test_restore import Played
from tests.host.year.players import HOST, NAMES, address, examples, letters, reply
from tests.mail.mails import body
from tests.shared.tables import each_row
from tkid.host.chores import AT_WORK, Keeping
from tkid.host.directory import HostDirectory
from tkid.host.journal import Journal, Said
from tkid.host.service import Host
from tkid.host.settings import Limits
from tkid.host.store.store import Store
from tkid.host.transports import Maildir, Send, Wakeup
from tkid.mail.model import ClubTerms

MANY = 22
"""More mails than one round of the host carries out."""
LATE = timedelta(minutes=7)
"""How long a mail lies in the mailbox before the host fetches it."""


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    at = Played(tmp_path / "games")
    at.loop.make = seeded(at)
    yield at
    at.loop.close()


def seeded(at: Played) -> Callable[[Store, Send], Host]:
    """Hosts whose club takes in everybody, and which never draw the same twice."""
    make, rng = at.loop.make, Random(1)

    def made(store: Store, send: Send) -> Host:
        host = make(store, send)
        host.club = ClubTerms(welcome="everybody")
        host.draw = lambda: rng.randbytes(32)
        return host

    return made


@pytest.fixture(params=BOTH)
def two(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Played, Played]]:
    """Two folders that work for one host, each with a mailbox of its own."""
    with ExitStack() as stack:
        url = f"sqlite:///{tmp_path / 'club.db'}" if request.param == "sqlite" else stack.enter_context(server())
        first = Played(tmp_path / "first" / "games", url)
        folder = tmp_path / "second" / "games"
        folder.mkdir(parents=True, mode=0o700)
        shutil.copy(first.folder / "secret", folder / "secret")
        HostDirectory.create_folder(folder, HOST, url, "")
        second = copy.copy(first)
        second.folder = folder
        first.loop.close()
        first.clock.now += AT_WORK  # the mailbox of that loop is used no more
        for at in (first, second):
            at.loop = at.working()
            wakeup = stack.enter_context(closing(Wakeup()))
            at.loop.transports = HostDirectory.read_folder(at.folder, {}).make_transports(wakeup)
            at.loop.delivery.make = lambda: Boxes(first.folder / "out")
            stack.callback(at.loop.close)
        yield first, second


def answer(two: tuple[Played, Played], through: Played) -> None:
    """A player answers the last letter, and the mail comes through one of the mailboxes."""
    first, _ = two
    (asked,) = [mail for name in NAMES[:2] for mail in letters(first.folder, name) if examples(mail)]
    name = str(asked["To"]).split()[0]
    file = f"{first.number:03}.tkid"
    Maildir(through.folder / "in").add_mail(reply(asked, examples(asked)[0], name, first.number), file)
    os.utime(through.folder / "in" / "new" / file, (first.clock().timestamp(),) * 2)
    first.number += 1
    for at in (through, first):
        settle(at.loop)


@pytest.mark.parametrize("restored", [0, 1])
def test_turns_that_came_through_the_mailbox_of_another_folder_are_not_lost(
    two: tuple[Played, Played], restored: int
) -> None:
    """Turns come through both in turn; the machine that is restored waits for the mailbox of the other one."""
    first, copied = two[0], two[0].backup()
    for number in range(4):
        answer(two, two[number % 2])
        first.clock.now += timedelta(minutes=1)
    turns, sent = [turn.hash for turn in first.game.record.turns], first.sent()
    assert len(turns) == 4
    for _ in range(2):
        first.clock.now += timedelta(minutes=1)
        two[restored].restore(copied)
        settle(two[restored].loop)
        assert first.game.turns == 0, "a mail of the other mailbox came before"
        settle(two[1 - restored].loop)
        settle(two[restored].loop)
        assert [turn.hash for turn in first.game.record.turns] == turns
        assert len(set(first.sent())) == len(first.sent())
        assert len(set(first.sent()) - set(sent)) == 2, "one letter to each about this backup"


def test_a_machine_that_is_gone_is_not_waited_for_and_not_forgotten(two: tuple[Played, Played]) -> None:
    first, second = two
    copied = first.backup()
    answer(two, second)
    first.restore(copied)
    first.clock.now += AT_WORK
    settle(first.loop)
    assert first.game.turns == 0
    assert any("The host was restored" in body(mail) for mail in letters(first.folder, "Ann")), "the host works"
    first.clock.now += timedelta(days=1)
    settle(second.loop)
    assert first.game.turns == 1, "it came back"


def again(at: Played, copy: Path) -> list[str]:
    """Restore a backup an hour after the last mail; the letters that are new since."""
    before = at.sent()
    at.clock.now += timedelta(hours=1)
    at.restore(copy)
    settle(at.loop)
    return sorted(set(at.sent()) - set(before))


def test_more_mails_than_one_round_carries_out_go_again_in_their_time(played: Played) -> None:
    """Each turn has the time at which it came first, however long it lay in the mailbox; each player gets one letter."""
    copy = played.backup()
    for _ in range(MANY):
        played.turn(carry_out=False)
        played.clock.now += LATE
        settle(played.loop)
    turns = [line for line in played.game.record_text.splitlines() if " {at " in line]
    assert len(turns) == MANY
    assert len(again(played, copy)) == len(NAMES[:2])
    assert [line for line in played.game.record_text.splitlines() if " {at " in line] == turns


def test_an_invitation_is_not_made_again_with_another_seal(played: Played) -> None:
    """What was drawn for a mail is drawn again, so the seal in a letter that went out is that of the game."""
    copy = played.backup()
    head = f"From: Ann <{address('Ann')}>\nTo: {HOST}\nSubject: games\nMessage-ID: <new@example.org>\n"
    Maildir(played.folder / "in").add_mail(f"{head}\nnew game claim with Cal <{address('Cal')}>\n".encode(), "new")
    os.utime(played.folder / "in" / "new" / "new", (played.clock().timestamp(),) * 2)
    settle(played.loop)
    (asked,) = [mail for mail in letters(played.folder, "Ann") if "Is this mail from you?" in body(mail)]
    reply = f"From: Ann <{address('Ann')}>\nTo: {asked['Reply-To']}\nMessage-ID: <yes@example.org>\n\nyes\n"
    played.clock.now += LATE
    Maildir(played.folder / "in").add_mail(reply.encode(), "yes")
    os.utime(played.folder / "in" / "new" / "yes", (played.clock().timestamp(),) * 2)
    played.clock.now += LATE
    settle(played.loop)
    (invitation,) = letters(played.folder, "Cal")
    again(played, copy)
    assert letters(played.folder, "Cal") == []
    accept = f"From: Cal <{address('Cal')}>\nTo: {invitation['Reply-To']}\nMessage-ID: <accept@example.org>\n\naccept\n"
    Maildir(played.folder / "in").add_mail(accept.encode(), "accept")
    settle(played.loop)
    (begun,) = letters(played.folder, "Cal")
    record = next(part for part in begun.walk() if str(part.get_filename() or "").endswith(".tkid"))
    seal = next(line for line in record.get_content().splitlines() if line.startswith("Seal: "))
    assert seal.partition(":")[2].strip() in "".join(body(invitation).split())


LETTER = "To: ann@example.org\nSubject: {subject}\nDate: Sat, 21 Nov 2026 10:0{minute}:00 +0000\n{answers}\n\nText.\n"
REPEATED: tuple[tuple[str, dict[str, object], dict[str, object], bool], ...] = (
    ("the same subject", {"subject": "No game"}, {"subject": "No game"}, True),
    ("another subject", {"subject": "No game"}, {"subject": "Round 2"}, False),
    ("made after the restore", {"subject": "No game"}, {"subject": "No game", "minute": 9}, False),
    ("the same mail", {"answers": "In-Reply-To: <a@b>"}, {"answers": "In-Reply-To: <a@b>", "subject": "Yes"}, True),
    ("another mail", {"answers": "In-Reply-To: <a@b>"}, {"answers": "In-Reply-To: <c@b>"}, False),
)


@each_row("name, first, second, known", REPEATED)
def test_a_letter_is_known_by_what_it_is_about(
    name: str, first: dict[str, object], second: dict[str, object], tmp_path: Path, *, known: bool
) -> None:
    usual: dict[str, object] = {"subject": "News", "minute": 0, "answers": ""}
    folder = tmp_path / name
    folder.mkdir()
    journal = Journal(folder)
    journal.note_sent("<first@games.example>", Said.read_letter(LETTER.format(**usual | first).encode()))
    said = Said.read_letter(LETTER.format(**usual | second).encode())
    assert not journal.was_said(said), "nothing was restored yet"
    restored = Said.read_letter(LETTER.format(**usual | {"minute": 5}).encode()).time
    journal.close_before_restore(restored)
    assert journal.was_said(said) is known


def test_a_question_about_a_mail_from_another_address_is_asked_again(played: Played) -> None:
    """The mail stays in the mailbox though it was only filed, so the `yes` of its player is understood after a restore."""
    played.loop.chores = {**played.loop.chores, "keeping": Keeping(played.folder / "in", Limits.make_limits(100, 30))}
    copy = played.backup()
    (asked,) = [mail for name in NAMES[:2] for mail in letters(played.folder, name) if examples(mail)]
    name = str(asked["To"]).split()[0]
    order = reply(asked, examples(asked)[0], name).replace(address(name).encode(), b"ann@phone.example", 1)
    Maildir(played.folder / "in").add_mail(order, "order")
    os.utime(played.folder / "in" / "new" / "order", (played.clock().timestamp(),) * 2)
    settle(played.loop)
    (question,) = letters(played.folder, name)
    again(played, copy)
    letters(played.folder, name)
    Maildir(played.folder / "in").add_mail(reply(question, "yes", name, 1), "yes")
    settle(played.loop)
    assert played.game.turns == 1
