"""One mailbox is one person. Mail programs spell its address in several ways."""

from __future__ import annotations

from tests.shared.tables import each_row
from tkid.club.values import get_mailbox


@each_row(
    ("address", "mailbox"),
    [
        ("bob@example.org", "bob@example.org"),
        ("Bob+2@Example.ORG", "bob@example.org"),
        ("bob%2B2@example.org", "bob@example.org"),
        ("bob=2B2@example.org", "bob@example.org"),
        ('"bob+2"@example.org', "bob@example.org"),
        ("bob@example.org.", "bob@example.org"),
        ("+bob@example.org", "+bob@example.org"),
        ("b.ob@example.org", "b.ob@example.org"),
        ("b.o.b+2@gmail.com", "bob@gmail.com"),
        ("b.ob@googlemail.com", "bob@gmail.com"),
        ("bob@gmail.com.example", "bob@gmail.com.example"),
    ],
)
def test_an_address_belongs_to_a_mailbox(address: str, mailbox: str) -> None:
    assert get_mailbox(address) == mailbox
