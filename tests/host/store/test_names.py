"""Two hosts that give one name at the same moment: one of them has it, and the other one learns that it is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Barrier, Thread, get_ident

import pytest
from attrs import evolve

from tests.host.small_club import REQUIRED, VOUCHED
from tests.host.store.databases import BOTH
from tests.host.year.players import HOST, TIME, address, game, unsent
from tests.mail.mails import body, parsed
from tkid.club.lobby import TABLE_KIND as TABLE
from tkid.club.lobby import Table
from tkid.club.members import MEMBER_KIND as MEMBER
from tkid.club.members import Member
from tkid.host.club_mail import StoredState
from tkid.host.service import Host
from tkid.host.store.documents import TakenError
from tkid.host.store.store import Store
from tkid.mail.model import ClubTerms, Document

ASKS = ("Ann", "Bob")
GUEST = "Cal <cal@example.org>"


@pytest.fixture(params=BOTH)
def hosts(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Host, Host]]:
    """Two hosts with connections of their own to one database; Ann and Bob are members."""
    url = f"sqlite:///{tmp_path / 'host.db'}" if request.param == "sqlite" else request.getfixturevalue("server")
    stores = Store.make_store(url), Store(url)
    made = [Host(store, HOST, b"s" * 32, lambda _, __: None, required=REQUIRED) for store in stores]
    with stores[0].begin_transaction() as transaction:
        for kind in (TABLE, MEMBER):
            for each in transaction.documents.list_documents(kind):
                transaction.documents.drop_document(kind, each.id)
        for name in ASKS:
            member = evolve(Member.make_new(address(name)), name=name)
            transaction.documents.store_document(Document(MEMBER, member.address, member.text))
    for at in made:
        at.club = evolve(ClubTerms(), welcome="everybody")
    yield made[0], made[1]
    for store in stores:
        store.close()


def together(*calls: Callable[[], object]) -> None:
    """Call some things at once; what one raises is raised here."""
    errors: list[BaseException] = []

    def called(call: Callable[[], object]) -> None:
        try:
            call()
        except BaseException as error:  # noqa: BLE001 - it is raised in the test
            errors.append(error)

    threads = [Thread(target=called, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def asks(at: Host, name: str, order: str) -> Callable[[], None]:
    """A host carries out a mail from somebody."""
    mail = (
        f"{VOUCHED}From: {name} <{address(name)}>\nTo: {HOST}\nSubject: Hello\nMessage-ID: <{name}-{order[-9:]}@example.org>\n"
        f"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{order}\n"
    ).replace(" @", "@")
    assert at.store.keep_mail(mail.encode(), TIME)
    number = max(each.number for each in at.store.list_waiting())

    def carried_out() -> None:
        with at.store.begin_transaction() as transaction:
            kept = transaction.get_mail(number)
            assert kept is not None
            at.mails.carry_out(transaction, kept, TIME)

    return carried_out


def both_see_it_free(at: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """On PostgreSQL nobody writes before both have looked whether the name is free; SQLite has one writer at a time."""
    if at.store.engine.dialect.name == "sqlite":
        return
    looked, look, first = Barrier(2), StoredState.is_taken, set[int]()

    def is_taken(self: StoredState, name: str) -> bool:
        taken = look(self, name)
        if get_ident() not in first:
            first.add(get_ident())
            looked.wait(20)
        return taken

    monkeypatch.setattr(StoredState, "is_taken", is_taken)


def tables(at: Host) -> list[Table]:
    with at.store.begin_transaction() as transaction:
        return [Table.read_text(each.data) for each in transaction.documents.list_documents(TABLE)]


@pytest.mark.parametrize(
    ("called", "names"),
    [(", called spring", ["spring"]), ("", ["game-1", "game-2"])],
    ids=["a name that both ask for", "a name that the host chooses"],
)
def test_two_hosts_begin_games_at_once(
    hosts: tuple[Host, Host], monkeypatch: pytest.MonkeyPatch, called: str, names: list[str]
) -> None:
    both_see_it_free(hosts[0], monkeypatch)
    before = max((number for number, _ in unsent(hosts[0].store)), default=0)
    order = f"new game with {GUEST}{called}"
    together(*[asks(at, name, order) for at, name in zip(hosts, ASKS, strict=True)])
    made = tables(hosts[0])
    assert len(made) == len(names)
    assert len({table.name for table in made}) == len(names)
    counts = hosts[0].store.count_mails()
    assert (counts["quarantined"], counts["filed"]) == (0, 0)
    letters = [body(parsed(mail)) for number, mail in unsent(hosts[0].store) if number > before]
    to_guest = [letter for letter in letters if "Will you join?" in letter]
    assert len(to_guest) == len(names), "an invitation to a game that is not there"
    assert len(letters) == len(names) + len(ASKS)
    refused = [letter for letter in letters if "already a game called spring" in " ".join(letter.split())]
    assert len(refused) == len(ASKS) - len(names)


def test_the_second_writer_of_a_name_is_refused(hosts: tuple[Host, Host]) -> None:
    """A new document or game never takes the place of another one."""
    for at in hosts:
        with at.store.begin_transaction() as transaction:
            new = Document(TABLE, "moor", at.address, how="new")
            if at is hosts[0]:
                transaction.documents.store_document(new)
            else:
                with pytest.raises(TakenError, match="already a table moor"):
                    transaction.documents.store_document(new)
                transaction.documents.drop_document(TABLE, "moor")


def test_two_hosts_open_one_game_at_once(hosts: tuple[Host, Host]) -> None:
    """One of them begins it, and writes its letters; the other one is told."""
    refused: list[TakenError] = []

    def opens(at: Host) -> None:
        try:
            at.open_game("glen", game(1), TIME)
        except TakenError as error:
            refused.append(error)

    before = len(unsent(hosts[0].store))
    together(*[partial(opens, at) for at in hosts])
    assert [str(error) for error in refused] == ["there is already a game glen"]
    assert len(unsent(hosts[0].store)) == before + 2
