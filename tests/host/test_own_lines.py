"""What a reply quotes of our letters is never an order at a host, whatever the mail program has made of it."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from itertools import product
from pathlib import Path

import pytest
from attrs import frozen

from tests.host.year.players import NAMES, TIME, address, examples, game, host, letters, work
from tests.mail.mails import body
from tests.mail.replies.quoting import (
    HABITS,
    STYLES,
    THANKS,
    Habit,
    Quotable,
    marks,
    of_mail,
)
from tests.shared.tables import sample
from tkid.host.service import Host
from tkid.host.transports import Maildir
from tkid.mail.game_service import HostedGame
from tkid.mail.order_answers import NO_ORDER

BARE = (
    "text bare",
    "text broken at 60",
    "text outlook-desktop",
    "text outlook-web",
    "html outlook-word",
    "text indented",
)
"""Styles that do not mark what they quote."""


@frozen
class Asked:
    """A host that waits for a turn: its folder, itself, who is asked, and the letter."""

    folder: Path
    host: Host
    name: str
    letter: EmailMessage

    @property
    def turns(self) -> list[str]:
        """The turns that the host's game has."""
        stored = self.host.store.get_game("game")
        assert stored is not None
        return [moment.line for moment in HostedGame.read_stored(stored.record, stored.memory).replay.moments[1:]]

    def send(
        self, data: bytes, to: EmailMessage | None = None, *, thread: bool = True, number: int = 0
    ) -> list[EmailMessage]:
        """Send a reply to a letter as its reader, and get what the host answers."""
        letter = to or self.letter
        head, _, rest = data.partition(b"\r\n\r\n")
        kept = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"from:")]
        own = [
            f"From: {self.name} <{address(self.name)}>",
            f"To: {letter['Reply-To']}",
            f"Message-ID: <reply-{number}@example.org>",
        ]
        own += [f"In-Reply-To: {letter['Message-ID']}"] if thread else []
        Maildir(self.folder / "in").add_mail(
            "\r\n".join(own).encode() + b"\r\n" + b"\r\n".join(kept) + b"\r\n\r\n" + rest
        )
        work(self.host, self.folder)
        return letters(self.folder, self.name)


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    """A host that waits for the first turn."""
    with host(tmp_path) as at:
        at.open_game("game", game(5), TIME)
        at.send_letters(TIME)
        name, letter = next((name, mail) for name in NAMES[:2] for mail in letters(tmp_path, name) if examples(mail))
        yield Asked(tmp_path, at, name, letter)


def quotable(letter: EmailMessage, samples: list[str]) -> Quotable:
    """A letter of the host, to be quoted."""
    return of_mail(str(letter["Subject"]), letter.as_bytes(), samples)


@pytest.mark.parametrize(
    ("style", "typed"), sample(product(BARE, ("draft {}", "draft Pass", "draft Pass; then Pass", "undo yes")), 3)
)
def test_thanks_for_the_answer_to_a_draft_does_not_play_the_draft(asked: Asked, style: str, typed: str) -> None:
    """Nor is anything done again that the answer shows, with or without a mistake."""
    order = typed.format(examples(asked.letter)[-1])
    (answer,) = asked.send(f"X: y\r\n\r\n{order}".encode())
    assert order.partition(" ")[2] in " ".join(body(answer).split())
    for number, thread in enumerate((True, False), 1):
        thanks = Habit("thanks", above=f"{THANKS}{' Soon.' * number}")  # the same words are answered once a day
        reply = STYLES[style](quotable(answer, []), thanks, True)  # noqa: FBT003
        (answered,) = asked.send(reply, answer, thread=thread, number=number)
        assert asked.turns == []
        assert f"{NO_ORDER}:" in body(answered)
    assert asked.host.store.count_mails()["done"] == 3, "no mail was one too many to be answered"


@pytest.mark.parametrize("style", [*BARE, "text gmail-web", "text of html bare", "text behind initials"])
def test_the_samples_of_a_letter_are_never_played_by_accident(asked: Asked, style: str) -> None:
    offered = examples(asked.letter)
    assert "Pass" in offered
    letter = quotable(asked.letter, offered[-2:])
    for number, (habit, cut) in enumerate(((HABITS[0], True), (HABITS[1], False))):
        asked.send(STYLES[style](letter, habit, cut), number=number)
        assert asked.turns == [], habit.name
    assert asked.host.store.count_mails()["done"] == 2, "no mail was one too many to be answered"


@pytest.mark.parametrize("style", ["text gmail-web", "text mutt", "text bare", "html outlook-word", "html gmail-web"])
def test_a_marked_sample_is_played_and_what_is_typed_below_an_unmarked_quotation_is_not(
    asked: Asked, style: str
) -> None:
    offered = examples(asked.letter)
    letter = quotable(asked.letter, [offered[1], offered[2]])
    below = Habit("types a choice below", below="{}")
    asked.send(STYLES[style](letter, below, True), number=1)  # noqa: FBT003
    assert (asked.turns == []) == (not marks(style))
    if asked.turns:
        return
    asked.send(STYLES[style](letter, Habit("marks", mark="X {}"), True), number=2)  # noqa: FBT003
    assert [turn.partition(". ")[2].partition(" ")[2] for turn in asked.turns] == [offered[2]]


def test_a_letter_of_another_game_or_address_is_no_letter_to_compare_with(asked: Asked) -> None:
    with asked.host.store.begin_transaction() as transaction:
        own = transaction.list_quotable_letters("game", address(asked.name), [str(asked.letter["Message-ID"])], 1)
        assert [str(asked.letter["Message-ID"]).encode() in raw for raw in own] == [True]
        assert transaction.list_quotable_letters("game", "else@example.org", [str(asked.letter["Message-ID"])], 1) == []
        assert (
            transaction.list_quotable_letters("other", address(asked.name), [str(asked.letter["Message-ID"])], 1) == []
        )
