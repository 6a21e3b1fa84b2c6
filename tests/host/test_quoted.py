"""What a reply quotes of the club's letters is never an order, whatever the mail program has made of it."""

from __future__ import annotations

from email.message import EmailMessage
from itertools import product
from pathlib import Path

import pytest

from tests.host.small_club import Club, club
from tests.host.year.players import address, letters
from tests.mail.replies.quoting import STYLES, THANKS, Habit, of_mail
from tests.shared.tables import sample
from tkid.host.transports import Maildir
from tkid.mail.model import Document


def send(at: Club, letter: EmailMessage, name: str, raw: bytes, number: int) -> list[EmailMessage]:
    """Send a reply to a letter as its reader, and get what the host answers."""
    head, _, rest = raw.partition(b"\r\n\r\n")
    kept = [line for line in head.split(b"\r\n") if not line.lower().startswith((b"from:", b"message-id:"))]
    own = (
        f"From: {name} <{address(name)}>\r\nTo: {letter['Reply-To']}\r\nMessage-ID: <quoted-{number}@example.org>\r\n"
        f"In-Reply-To: {letter['Message-ID']}"
    )
    Maildir(at.folder / "in").add_mail(own.encode() + b"\r\n" + b"\r\n".join(kept) + b"\r\n\r\n" + rest)
    at.work()
    return letters(at.folder, name)


def documents(at: Club) -> list[Document]:
    """What the club keeps."""
    with at.at.store.begin_transaction() as transaction:
        return [each for kind in ("table", "member", "proposal") for each in transaction.documents.list_documents(kind)]


@pytest.fixture
def scene(tmp_path: Path):  # type: ignore[no-untyped-def] # noqa: ANN201
    """A club, and letters of every kind that go to Bob or Ann, by their reader."""
    with club(tmp_path) as at:
        welcome = at.key("Ann")
        (made,) = at.replies(welcome, "Ann", "new game with bob@example.org, called spring\nopen games")
        (invitation,) = at.mails("Bob")
        at.replies(at.key("Cal"), "Cal", "new game for 3, called glen")
        (listing,) = at.replies(welcome, "Ann", "open games")
        (wrong,) = at.replies(welcome, "Ann", "new game secnd-edition with dee@example.org")
        (helped,) = at.replies(welcome, "Ann", "help")
        yield (
            at,
            [("Ann", each) for each in (welcome, made, listing, wrong, helped)] + [("Bob", invitation)],
        )


@pytest.mark.exhaustive
def test_thanks_above_a_quotation_changes_nothing(scene, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    monkeypatch.setattr("tkid.host.club_mail.MAX_CLUB_ANSWERS", 10_000)
    at, quoted = scene
    before, number, wrong = documents(at), 0, []
    for name, letter in quoted:
        source = of_mail(str(letter["Subject"]), letter.as_bytes(), [])
        for style, reply in STYLES.items():
            for cut in (False, True):
                number += 1
                send(at, letter, name, reply(source, Habit("thanks", above=THANKS), cut), number)
                if (changed := documents(at)) != before:
                    wrong.append((style, cut, str(letter["Subject"])))
                    with at.at.store.begin_transaction() as transaction:
                        for each in changed:
                            transaction.documents.drop_document(each.kind, each.id)
                        for each in before:
                            transaction.documents.store_document(each)
    assert wrong == []
    assert at.games() == []
    assert at.at.store.list_put_aside() == []


@pytest.mark.parametrize(
    ("style", "typed"),
    sample(
        product(
            ("text gmail-web", "text outlook-desktop", "text bare", "html gmail-web", "html outlook-word"),
            ("accept", "accept, words: seven swans on a cold loch", "Yes"),
        ),
        4,
    ),
)
def test_an_answer_above_a_quotation_is_carried_out(scene, style: str, typed: str) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    at, quoted = scene
    name, invitation = quoted[-1]
    source = of_mail(str(invitation["Subject"]), invitation.as_bytes(), [])
    send(at, invitation, name, STYLES[style](source, Habit("answers", above=typed), False), 1)  # noqa: FBT003
    assert [each.id for each in at.games()] == ["spring"]
