"""Members as documents, their pseudonyms and the secret words of their calendars."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

from attrs import evolve

from tests.shared.tables import each_row
from tkid.club.digest import DigestBook, Held, Issue
from tkid.club.members import BIRDS, Member, is_pseudonym, make_pseudonym
from tkid.club.observers import Observer, Observers
from tkid.club.order_reader import find_digest_orders
from tkid.notation.names import RESERVED

TIME = datetime(2026, 11, 22, 18, 30, tzinfo=UTC)
SECRET = b"s" * 32


def test_documents_are_read_as_they_were_written() -> None:
    """Of each kind one with everything in it, and one with nothing."""
    member = Member.make_new("Ann@Example.org", "Ann").hide(SECRET, []).add_calendar(SECRET)
    member = evolve(member, digest="daily", former=("c@x.org",))
    book = DigestBook(
        "a@x.org", 7, {"w": 3}, {"w": 4}, (Held("w", (("", "x"),)),), (Issue("2026-11-22", {"w": "k"}),), last=True
    )
    observers = Observers("w", (Observer("a@x.org", "Ann", 2, 5),), "b@x.org", announced=True)
    for each in (member, Member.make_new("a@x.org"), book, DigestBook("a@x.org", 0), observers, Observers("w")):
        assert type(each).read_text(each.text) == each


def test_pseudonyms() -> None:
    """Each is new, stays the same, shows nothing of the address, and no person may have one."""
    rng, taken = Random(20261122), list[str]()
    for number in range(len(BIRDS) + 20):
        address = f"player{number}@example.org"
        name = make_pseudonym(SECRET, address, taken)
        assert name not in taken
        assert is_pseudonym(name)
        taken.append(name)
    assert make_pseudonym(SECRET, "Ann@example.org", []) == make_pseudonym(SECRET, "ann@example.org", [])
    others = {make_pseudonym(rng.randbytes(32), "ann@example.org", []) for _ in range(20)}
    assert len(others) > 5
    assert not RESERVED & {bird.casefold() for bird in BIRDS}
    assert not is_pseudonym("Guesthouse")


def test_secret_words_of_calendars() -> None:
    """Long, stable, and another one for another address or secret."""
    words = {
        Member.make_new(address).add_calendar(secret).secret
        for secret in (SECRET, b"t" * 32)
        for address in ("a@x.org", "b@x.org", "B@x.org")
    }
    assert len(words) == 4
    assert {len(word) for word in words} == {26}
    member = Member.make_new("a@x.org").add_calendar(SECRET)
    assert member.add_calendar(b"t" * 32).secret == member.secret


@each_row(
    ("own", "lines", "wrong"),
    [
        (["winter: Pass"], {"winter": ("Pass",)}, 0),
        (["winter: Pass", "", "undo yes"], {"winter": ("Pass", "", "undo yes (without a game)")}, 0),
        (["winter: Pass", "I resign."], {"winter": ("Pass", "", "I resign.")}, 0),
        (["winter: Pass", "away 2026-12-01 to 2026-12-03"], {"winter": ("Pass",)}, 0),
        (["Winter : Pass", "glen:status"], {"winter": ("Pass",), "glen": ("status",)}, 0),
        (["winter: Pass", "winter: say to all: Hi"], {"winter": ("Pass", "say to all: Hi")}, 0),
        (["Hello!", "wintr: Pass"], {}, 1),
        (["PS: I am away", "games"], {}, 0),
        (
            ["winter: Negotiate Northumbria <> Devon, disc Northumbria; summon E", "Northumbria"],
            {"winter": ("Negotiate Northumbria <> Devon, disc Northumbria; summon E", "Northumbria")},
            0,
        ),
    ],
)
def test_orders_in_an_answer_to_a_digest(own: list[str], lines: dict[str, tuple[str, ...]], wrong: int) -> None:
    """The lines of each game, and names that are none."""
    found, unknown = find_digest_orders(own, ["winter", "glen"])
    assert found == lines
    assert len(unknown) == wrong
