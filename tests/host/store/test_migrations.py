"""Every released database is brought to this version and played on, on both kinds; what cannot be is refused in words."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sql
from sqlalchemy.engine import Engine

from tests.host.store import databases
from tests.host.store.databases import BOTH
from tests.host.year.players import TIME, examples, host, letter, reply
from tests.makers.databases import FOLDER
from tests.shared.tables import each_row, sample
from tkid.club.member_orders import WAITS
from tkid.host.backup import list_tables, read_table_rows
from tkid.host.store import schema
from tkid.host.store.connection import connect_database, describe_database_error
from tkid.host.store.schema import TABLES
from tkid.host.store.store import Database, Store
from tkid.mail.hosted_game import HostedGame, Proposal

RELEASED = sorted(int(folder.name) for folder in FOLDER.iterdir())
BEFORE = range(1, schema.VERSION)


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty place for a database, on each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'host.db'}"
    url: str = request.getfixturevalue("server")
    engine = connect_database(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    engine.dispose()
    return url


def content(url: str) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table, the columns by name."""
    engine = connect_database(url)
    with engine.connect() as connection:
        found = {
            table.name: [dict(row._mapping) for row in read_table_rows(connection, table)]  # noqa: SLF001
            for table in list_tables(connection)
        }
    engine.dispose()
    return found


def upgraded(url: str) -> int:
    """Bring a database to this version; which it had."""
    engine = connect_database(url)
    try:
        return schema.upgrade_tables(engine)
    finally:
        engine.dispose()


def test_every_released_version_is_in_fixtures() -> None:
    """The one being made is written when it is released: `python -m tests.makers.databases N`."""
    assert RELEASED[: len(BEFORE)] == list(BEFORE)


@pytest.mark.parametrize("version", BEFORE)
def test_a_released_database_is_upgraded_and_played_on(url: str, version: int, tmp_path: Path) -> None:
    databases.load(url, version)
    before = content(url)
    with pytest.raises(schema.UnusableError, match=rf"is of version {version}, .* `tkid host upgrade DIR`"):
        Store(url)
    assert content(url) == before, "looking at it changed it"
    assert upgraded(url) == version
    after = content(url)
    for name, rows in before.items():
        assert [{key: row[key] for key in old} for old, row in zip(rows, after[name], strict=True)] == rows
    assert upgraded(url) == schema.VERSION
    play_on(url, tmp_path)


def play_on(url: str, folder: Path) -> None:
    """A host carries out the mail that waits, and one reply in each game."""
    with host(folder, url) as at:
        assert at.store.count_mails()["new"] == 1
        turns = {game.id: HostedGame.read_stored(game.record, game.memory).turns for game in at.store.list_games()}
        for number, mail in enumerate(letter(last_letter(url, name)) for name in turns):
            name = str(mail["To"]).split()[0]
            at.store.keep_mail(reply(mail, Random(1).choice(examples(mail)), name, 900 + number), TIME)
        at.work_on_all(TIME)
        at.send_letters(TIME)
        played = {game.id: HostedGame.read_stored(game.record, game.memory).turns for game in at.store.list_games()}
        assert played == {name: number + 1 for name, number in turns.items()}
        assert at.store.count_mails()["new"] == 0
        assert not at.store.list_put_aside()


@pytest.mark.parametrize("adds", [True, False])
def test_machines_are_upgraded_one_after_another(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, adds: bool
) -> None:
    """The program before works beside a newer one if the newer database only adds to its own; else it refuses."""
    databases.load(url, RELEASED[-1])
    upgraded(url)
    newer = schema.VERSION + 1
    step = ["ALTER TABLE games ADD COLUMN place TEXT DEFAULT '' NOT NULL", "CREATE TABLE later (id INTEGER NOT NULL)"]
    with monkeypatch.context() as program:
        program.setattr(schema, "VERSION", newer)
        program.setattr(schema, "STEPS", {**schema.STEPS, newer: step})
        program.setattr(schema, "BESIDE", frozenset({newer} if adds else ()))
        assert upgraded(url) == newer - 1
        Store(url).close()
    engine = connect_database(url)
    with pytest.raises(schema.UnusableError, match=f"is of version {newer}, and this program knows versions up to"):
        schema.find_readable_version(engine)  # what reads all there is, such as a backup
    engine.dispose()
    if adds:
        play_on(url, tmp_path)
    else:
        with pytest.raises(schema.UnusableError, match=f"is of version {newer}, and this program knows versions up to"):
            Store(url)


def last_letter(url: str, game: str) -> bytes:
    """The letter that asks for the next turn of a game."""
    engine = connect_database(url)
    with engine.connect() as connection:
        outgoing = TABLES.tables["outgoing"]
        rows = connection.execute(
            sql.select(outgoing.c.mail).where(outgoing.c.game == game).order_by(outgoing.c.id)
        ).all()
    engine.dispose()
    return [bytes(row.mail) for row in rows if examples(letter(bytes(row.mail)))][-1]


def test_the_steps_make_what_the_program_works_with(url: str) -> None:
    Store.make_store(url).close()
    engine = connect_database(url)
    found = sql.inspect(engine)
    assert set(found.get_table_names()) == set(TABLES.tables)
    for name, table in TABLES.tables.items():
        columns = {each["name"]: str(each["type"].compile(engine.dialect)) for each in found.get_columns(name)}
        assert columns == {each.name: str(each.type.compile(engine.dialect)) for each in table.columns}, name
        assert found.get_pk_constraint(name)["constrained_columns"] == [key.name for key in table.primary_key]
    engine.dispose()


SINCE, OWNER, ANN, EVE = TIME.isoformat(), "owner@games.example", "ann@example.org", "eve@example.org"
UNTIL = TIME + WAITS
WAITING: dict[str, tuple[dict[str, Any], dict[str, str], str, Proposal]] = {
    "orders of the owner": (
        {"kind": "host", "id": "orders", "data": {"pending": [{"name": "0a1b2c3d", "lines": ["abort winter"], "time": SINCE}]}},
        {"address": OWNER, "about": "desk 0a1b2c3d"},
        "asked",
        Proposal("mail", lines=("abort winter",), until=UNTIL, people=(OWNER,), about="desk"),
    ),
    "a mail without a key": (
        {
            "kind": "asked", "id": "0a1b2c3d4e5f",
            "data": {"address": ANN, "lines": ["block"], "until": UNTIL.isoformat(), "about": "door", "doubt": "Hmm?"},
        },
        {"address": ANN, "about": "asked 0a1b2c3d4e5f"},
        "asked",
        Proposal("mail", lines=("block",), until=UNTIL, people=(ANN,), about="door", doubt="Hmm?"),
    ),
    "a change of address": (
        {"kind": "member", "id": ANN, "data": {"address": ANN, "move": {"to": EVE, "since": SINCE, "agreed": [EVE]}}},
        {"address": ANN, "about": f"address {ANN} {SINCE}"},
        "address",
        Proposal("move", lines=("address yes",), until=UNTIL, people=(ANN, EVE), agreed=(1,)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WAITING)
def test_what_waits_for_a_yes_still_waits_after_an_upgrade(url: str, what: str) -> None:
    """Cites: club.desk.confirm, club.vouched, club.address.both."""
    document, key, word, proposal = WAITING[what]
    databases.load(url, 2)
    engine = connect_database(url)
    with engine.begin() as connection:
        connection.execute(schema.documents.insert(), {**document, "data": json.dumps(document["data"]), "due": None})
        connection.execute(schema.club_keys.insert(), {"key": "a" * 12, **key})
    engine.dispose()
    upgraded(url)
    store = Store(url)
    with store.begin_transaction() as transaction:
        allowed = transaction.documents.find_key(["a" * 12])
        kept = transaction.documents.list_values(Proposal)
        due = [each.due for each in transaction.documents.list_documents(Proposal.KIND)]
        left = [transaction.documents.get_text(*each) for each in (("host", "orders"), ("asked", "0a1b2c3d4e5f"))]
    store.close()
    assert kept == [proposal]
    assert due == [UNTIL]
    assert allowed is not None
    assert allowed.about == f"{word} {proposal.id}"
    assert left == [None, None]


@pytest.mark.parametrize("version", BEFORE)
def test_an_upgraded_database_is_like_a_new_one(url: str, version: int) -> None:
    databases.load(url, version)
    upgraded(url)
    engine = connect_database(url)
    old = {name: described(engine, name) for name in sql.inspect(engine).get_table_names()}
    with engine.begin() as connection:
        schema.drop_tables(connection)
    engine.dispose()
    Store.make_store(url).close()
    engine = connect_database(url)
    assert old == {name: described(engine, name) for name in sql.inspect(engine).get_table_names()}
    engine.dispose()


def described(engine: Engine, table: str) -> object:
    """The columns and indexes of a table."""
    found = sql.inspect(engine)
    columns = sorted((each["name"], str(each["type"]), each["nullable"]) for each in found.get_columns(table))
    return columns, sorted((str(each["name"]), each["column_names"]) for each in found.get_indexes(table))


@pytest.mark.parametrize("share", sample(range(4), 4))
@pytest.mark.parametrize("version", BEFORE)
def test_an_upgrade_that_fails_in_the_middle_leaves_everything(
    url: str, version: int, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    databases.load(url, version)
    before = content(url)
    steps = dict(schema.STEPS)
    for broken in range(share, len(steps[schema.VERSION]) + 1, 4):
        last = (*steps[schema.VERSION][:broken], "CREATE TABLE no such statement")
        monkeypatch.setattr(schema, "STEPS", {**steps, schema.VERSION: last})
        with pytest.raises(sql.exc.SQLAlchemyError):
            upgraded(url)
        assert content(url) == before
    monkeypatch.setattr(schema, "STEPS", steps)
    assert upgraded(url) == version


# -- what is no host's database ------------------------------------------------------------------------------


def test_a_newer_database_is_refused(url: str) -> None:
    Store.make_store(url).close()
    engine = connect_database(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE tkid_schema SET version = 99")
    for refused in (lambda: Store(url), lambda: Store.make_store(url), lambda: upgraded(url)):
        with pytest.raises(schema.UnusableError, match="Install the newer tkid again"):
            refused()
    engine.dispose()


def test_another_programs_database_is_refused(url: str) -> None:
    if url.startswith("sqlite"):
        sqlite3.connect(Path(str(sql.make_url(url).database))).close()
        Path(str(sql.make_url(url).database)).touch()
    engine = connect_database(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE games (score INTEGER)")
    for refused in (lambda: Store(url), lambda: Store.make_store(url), lambda: upgraded(url)):
        with pytest.raises(schema.UnusableError, match=r"another program \(games\). Correct `store`"):
            refused()
    assert sql.inspect(engine).get_table_names() == ["games"]
    engine.dispose()


def test_an_empty_database_is_made_by_init_alone(url: str) -> None:
    if url.startswith("sqlite"):
        Path(str(sql.make_url(url).database)).touch()
    with pytest.raises(
        schema.UnusableError, match=r"is empty\. .* make a host in a new folder: `tkid host init`, with `--store`"
    ):
        Store(url)
    if url.startswith("sqlite"):
        assert Path(str(sql.make_url(url).database)).read_bytes() == b""
    Store.make_store(url).close()
    Store(url).close()


@each_row(
    ("content", "reason"),
    [
        (None, "is missing"),
        (b"", "is empty"),
        (b"<html>no database</html>", "is not a database"),
        (b"SQLite format 3\0" + bytes(4000), "not a database|malformed|is empty"),
    ],
)
def test_files_that_are_no_database(
    tmp_path_factory: pytest.TempPathFactory, content: bytes | None, reason: str
) -> None:
    file = tmp_path_factory.mktemp("file") / "host.db"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises((OSError, sql.exc.SQLAlchemyError)) as raised:
        Database.make_at(f"sqlite:///{file}").open_store()
    assert any(each in describe_database_error(raised.value) for each in reason.split("|"))
    assert (file.read_bytes() if file.exists() else None) == content
