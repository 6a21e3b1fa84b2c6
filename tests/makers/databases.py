"""Writes a database of the version that this program makes, for `fixtures/databases/`: `python -m tests.makers.databases N`.

Done once for each version, with the program that was released with it; what is written never changes afterwards. Each has
two games under way, mails in every state, letters that went out, wait or were given up, and the keys of all of them.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from attrs import evolve

from tests.host.test_bounces import bounce, key_of
from tests.host.year.players import NAMES, TIME, address, examples, game, host, letters, reply
from tkid.host.store.schema import STEPS, TYPES
from tkid.host.transports import RefusedForGoodError
from tkid.record.format.model import Header

FOLDER = Path(__file__).parents[2] / "fixtures" / "databases"
BOOLEANS = frozenset({"over", "keyed"})
GAMES = {"winter": (3, 2, "second-edition"), "spring": (5, 3, "second-edition-advanced")}


def fill(folder: Path) -> None:
    """Play in a host's folder."""
    rng = Random(20261122)
    with host(folder) as at:
        at.owner = "owner@games.example"
        for name, (seed, players, ruleset) in GAMES.items():
            record = game(seed, players, ruleset)
            at.open_game(name, evolve(record, headers=(*record.headers, Header("X-Clock", "7 days a turn"))), TIME)
        at.send_letters(TIME)
        for number in range(4):
            asked = [(name, mail) for name in NAMES[:3] for mail in letters(folder, name) if examples(mail)]
            for name, mail in asked:
                at.store.keep_mail(reply(mail, rng.choice(examples(mail)), name, number), TIME)
            at.work_on_all(TIME)
            if number == 1:
                name, mail = asked[0]
                at.store.keep_mail(reply(mail, "status", name, 100), TIME)
                at.store.keep_mail(reply(mail, "Psas", name, 101), TIME)
                at.store.keep_mail(bounce(str(mail["Message-ID"]), address(name), key=key_of(mail)), TIME)
                at.store.keep_mail(
                    b"From: eve@example.org\nTo: tkid@games.example\nSubject: hello\n\nWho are you?\n", TIME
                )
                at.work_on_all(TIME)
            if number < 3:
                at.send_letters(TIME)

        def failing(to: str, _: bytes) -> None:
            raise (OSError if to == address("Ann") else RefusedForGoodError)("the mail server is gone")

        at.send = failing
        at.send_letters(TIME)
        at.store.keep_mail(
            b"From: ann@example.org\nTo: tkid@games.example\nSubject: a mail that waits\n\nstatus\n", TIME
        )


def rows(file: Path) -> list[str]:
    """The rows of a database as statements that SQLite and PostgreSQL read, but for the form of bytes (X'00')."""
    database = sqlite3.connect(file)
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'tkid_schema' ORDER BY name"
    tables = [name for (name,) in database.execute(query)]
    found = []
    for table in tables:
        cursor = database.execute(f"SELECT * FROM {table} ORDER BY 1")  # noqa: S608 - the tables of a file of our own
        columns = [column for column, *_ in cursor.description]
        names = ", ".join(f'"{column}"' for column in columns)
        for row in cursor:
            values = ", ".join(_literal(column, value) for column, value in zip(columns, row, strict=True))
            found.append(f"INSERT INTO {table} ({names}) VALUES ({values});\n")  # noqa: S608
    database.close()
    return found


def schema(dialect: str) -> list[str]:
    """The statements that make the tables in a kind of database, and note its version."""
    steps = [statement.format(**TYPES[dialect]) for version in sorted(STEPS) for statement in STEPS[version]]
    steps.append(f"UPDATE tkid_schema SET version = {max(STEPS)}")  # noqa: S608 - a number of our own
    return [" ".join(statement.split()) + ";\n" for statement in steps]


def _literal(column: str, value: object) -> str:
    if value is None:
        return "NULL"
    if column in BOOLEANS:
        return "TRUE" if value else "FALSE"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if isinstance(value, int):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"


def main(version: str) -> None:
    """Write the database of a version."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        fill(folder)
        written = {
            **{dialect: schema(dialect) for dialect in TYPES},
            "rows": rows(folder / "host.db"),
        }
        (FOLDER / version).mkdir(parents=True, exist_ok=True)
        for name, statements in written.items():
            (FOLDER / version / f"{name}.sql").write_text("".join(statements), "utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1])
