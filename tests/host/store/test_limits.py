"""What does not fit into the database is refused in words, the same on SQLite and PostgreSQL, before it gets there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.host.store.databases import BOTH
from tests.host.year.players import HOST, TIME, game
from tkid.host.service import Host
from tkid.host.store.documents import ClubKey
from tkid.host.store.store import Store
from tkid.host.store.transaction import Outgoing, Transaction
from tkid.mail.model import Document

Write = Callable[[Transaction], object]
HALF = "\ud800"
LONG, EMOJI = "x" * 254, "🂡" * 64


def document(kind: str, name: str, data: str = "{}") -> Write:
    return lambda writing: writing.documents.store_document(Document(kind, name, data, TIME))


def key(address: str, about: str) -> Write:
    return lambda writing: writing.documents.allow_keys({"abc": ClubKey(address, about)})


def letter(message_id: str, game: str = "game", address: str = "ann@example.org") -> Write:
    return lambda writing: writing.post_letters([Outgoing(message_id, game, address, b"\0\xff")])


CASES: list[tuple[str, Write, str]] = [
    ("a document", document("table", LONG), ""),
    ("a long id", document("table", LONG + "x"), "255 characters, and at most 254 fit"),
    ("a long kind", document("k" * 17, "a"), "at most 16 fit"),
    ("NUL in an id", document("table", "a\0b"), "cannot be stored"),
    ("half a character in an id", document("table", HALF), "cannot be stored"),
    ("half a character in the data", document("table", "a", f'"{HALF}\0"'), ""),
    ("a key", key(LONG, "a" * 400), ""),
    ("a long subject of a key", key("ann@example.org", "a" * 401), "what the letter is about has 401 characters"),
    ("a long address of a key", key(LONG + "x", "a"), "the address has 255 characters"),
    ("a letter", letter("<a@b>", EMOJI), ""),
    ("a letter of a long game", letter("<a@b>", EMOJI + "x"), "the name of the game has 65 characters"),
    ("a letter to a long address", letter("<a@b>", "", LONG + "x"), "the address has 255 characters"),
    ("a long Message-ID", letter(f"<{'a' * 199}>"), "the Message-ID has 201 characters, and at most 200 fit"),
    ("NUL in a Message-ID", letter("<a\0@b>"), "cannot be stored"),
    ("a bounce", lambda writing: writing.note_bounce("<a@b>", LONG, "x\0" + HALF, TIME), ""),
    ("a bounce of a long address", lambda writing: writing.note_bounce("<a>", LONG + "x", "", TIME), "255 characters"),
    ("counting", lambda writing: writing.count_event(LONG, "2026-11-22", "w" * 64), ""),
    ("counting too much", lambda writing: writing.count_event(LONG, "2026-11-22", "w" * 65), "at most 64 fit"),
    ("a Message-ID that is known", lambda writing: writing.is_first_time("ann", "<\0" + HALF + "x" * 5000), ""),
    ("a mail of a game", lambda writing: writing.finish_mail(1, "done", "why\0" + HALF, None), ""),
]
"""What is written, and why it is refused: "" where it fits."""

NAMES = [
    ("a" * 64, ""),
    ("a" * 65, "the name of the game has 65 characters, and at most 64 fit. Choose a shorter one"),
    (EMOJI, ""),
    ("win\0ter", "the name of the game has a character that cannot be stored. Leave it out"),
    (f"win{HALF}ter", "the name of the game has a character that cannot be stored. Leave it out"),
    ("'; DROP TABLE games; --", ""),
]


@pytest.fixture(params=BOTH)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = f"sqlite:///{tmp_path / 'host.db'}" if request.param == "sqlite" else request.getfixturevalue("server")
    at = Store.make_store(url)
    yield at
    at.close()


def test_what_fits_and_what_does_not(store: Store) -> None:
    store.keep_mail(b"a mail", TIME)
    wrong = []
    for name, write, refused in CASES:
        try:
            with store.begin_transaction() as writing:
                write(writing)
            found = ""
        except ValueError as error:
            found = str(error)
        if (refused not in found) if refused else found:
            wrong.append((name, found))
    assert not wrong


def test_names_of_games(store: Store) -> None:
    at = Host(store, HOST, b"s" * 32, lambda *_: None)
    for number, (name, refused) in enumerate(NAMES):
        if refused:
            with pytest.raises(ValueError, match=refused.split(",")[0]):
                at.open_game(name, game(number), TIME)
        else:
            at.open_game(name, game(number), TIME + timedelta(days=number))
    assert {each.id for each in store.list_games()} == {name for name, refused in NAMES if not refused}
    assert not any(at.store.get_game(name) for name, refused in NAMES if refused)
