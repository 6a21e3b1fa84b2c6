"""What came before a restore goes again as it went: in its order, at its time, with its draws; nobody hears anything twice."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from tests.host.looped import settle
from tests.host.test_restore import Played
from tests.host.year.players import HOST, NAMES, address, examples, letters, reply
from tests.mail.mails import body
from tests.shared.tables import each_row
from tkid.host.chores import Keeping
from tkid.host.journal import Journal, Said
from tkid.host.service import Host
from tkid.host.store.retention import Limits
from tkid.host.store.store import Store
from tkid.host.transports import Maildir, Send
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
    journal = Journal.open_journal(folder)
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
