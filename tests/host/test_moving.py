"""A change of address: confirmed from both in any order, and by nobody who has one of them alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from email.message import EmailMessage
from itertools import permutations
from pathlib import Path

import pytest

from tests.host.small_club import Club, club, text_of
from tests.host.test_digests import hosted, of
from tests.host.year.players import address, examples
from tests.mail.mails import body
from tkid.club.members import MEMBER_KIND, Member
from tkid.club.observers import OBSERVER_KIND as OBSERVER
from tkid.club.observers import Observers
from tkid.record.format.new_game import new_record

OLD, NEW = "Ann", "Eve"


def member(at: Club, name: str) -> Member | None:
    """The document of a member."""
    with at.at.store.begin_transaction() as transaction:
        document = transaction.documents.get_document(MEMBER_KIND, address(name))
    return Member.read_text(document.data) if document else None


def asked(at: Club) -> dict[str, EmailMessage]:
    """A game of Ann and Bob, in which Ann has asked to move; the letters to both of her addresses."""
    at.at.open_game("winter", of("Ann", "Bob", seed=1), at.now)
    at.at.open_game("moor", of("Bob", "Dee", seed=2), at.now)
    at.work()
    first = at.mails(OLD)[0]
    (look,) = at.replies(first, OLD, "observe moor")
    (old,) = at.replies(look, OLD, f"address {address(NEW)}")
    (new,) = at.mails(NEW)
    return {OLD: old, NEW: new}


def answer(at: Club, letters: dict[str, EmailMessage], answers: Sequence[tuple[str, str]]) -> None:
    """Answer the letters, one after the other."""
    for name, word in answers:
        at.answer(letters[name], name, word)
        at.work()


@pytest.mark.parametrize("order", list(permutations((OLD, NEW))))
@pytest.mark.parametrize("twice", [False, True])
def test_both_have_to_agree(tmp_path: Path, order: tuple[str, str], *, twice: bool) -> None:
    """Nothing moves before both have answered, whoever is first and however often; then everything does, once."""
    with club(tmp_path) as at:
        letters = asked(at)
        answer(at, letters, [(order[0], "yes")] * (2 if twice else 1))
        assert hosted(at, "winter").find_address(0) == address(OLD)
        answer(at, letters, [(order[1], "yes")])
        game = hosted(at, "winter")
        assert game.find_address(0) == address(NEW)
        assert member(at, OLD) is None
        moved = member(at, NEW)
        assert moved is not None
        assert moved.former == (address(OLD),)
        with at.at.store.begin_transaction() as transaction:
            watched = transaction.documents.get_document(OBSERVER, "moor")
        assert watched is not None
        assert [each.address for each in Observers.read_text(watched.data).watching] == [address(NEW)]
        assert sum("write to" in text_of(mail) for mail in at.mails(OLD)) == 1
        turns = [mail for mail in at.mails(NEW) if examples(mail)]
        assert len(turns) == (game.to_act == 0)
        answer(at, letters, [(NEW, "yes")])
        assert game.record_text == hosted(at, "winter").record_text


@pytest.mark.parametrize(
    "answers", [((OLD, "no"), (NEW, "yes")), ((NEW, "no"), (OLD, "yes")), ((OLD, "yes"), (NEW, "no"))]
)
def test_one_no_ends_it(tmp_path: Path, answers: tuple[tuple[str, str], ...]) -> None:
    """A `no` from either address ends the change, whatever the other says."""
    with club(tmp_path) as at:
        letters = asked(at)
        answer(at, letters, answers)
        assert hosted(at, "winter").find_address(0) == address(OLD)
        assert member(at, NEW) is None


def test_thieves(tmp_path: Path) -> None:
    """A forged sender, a mail without a key, and one of the two letters alone move nothing."""
    with club(tmp_path) as at:
        letters = asked(at)
        at.answer(letters[NEW], NEW, "yes")
        at.answer(letters[OLD], NEW, "yes")  # the key of one, from the other
        at.answer(letters[NEW], OLD, "yes")
        at.write(OLD, "yes")  # forged, without a key
        at.write(OLD, f"address {address('Dee')}")
        at.work()
        assert hosted(at, "winter").find_address(0) == address(OLD)
        assert "Your address" not in {str(mail["Subject"]) for mail in at.mails("Dee")}
        at.now += timedelta(days=8)
        answer(at, letters, [(OLD, "yes"), (NEW, "yes")])
        assert hosted(at, "winter").find_address(0) == address(OLD)


def test_a_later_request_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    """The letters of a request that was made before agree to nothing."""
    with club(tmp_path) as at:
        before = asked(at)
        at.now += timedelta(hours=1)
        (again,) = at.replies(before[OLD], OLD, f"address {address('Cal')}")
        answer(at, before, [(OLD, "yes"), (NEW, "yes")])
        assert hosted(at, "winter").find_address(0) == address(OLD)
        (there,) = at.mails("Cal")
        at.mails(OLD)
        answer(at, {OLD: again, "Cal": there}, [("Cal", "yes"), (OLD, "yes")])
        assert hosted(at, "winter").find_address(0) == address("Cal")


def test_no_address_of_another_player(tmp_path: Path) -> None:
    """Nobody gets two seats of one game, and nobody is written to for it."""
    with club(tmp_path) as at:
        letters = asked(at)
        at.mails("Bob")
        (refused,) = at.replies(letters[OLD], OLD, f"address {address('Bob')}")
        assert "Not done" in body(refused)
        assert at.mails("Bob") == []


def test_both_seats_of_one_person_move(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        seats = [f"{name} <{address(OLD)}>" for name in ("Ann", "Bob")]
        at.at.open_game("alone", new_record("second-edition", seats, bytes(32)), at.now)
        at.work()
        first = next(mail for mail in at.mails(OLD) if examples(mail))
        (old,) = at.replies(first, OLD, f"address {address(NEW)}")
        (new,) = at.mails(NEW)
        answer(at, {OLD: old, NEW: new}, [(OLD, "yes"), (NEW, "yes")])
        assert [hosted(at, "alone").find_address(seat) for seat in (0, 1)] == [address(NEW)] * 2


def test_other_words_get_the_question_again(tmp_path: Path) -> None:
    """At either address, until it has answered. Cites: club.answer."""
    with club(tmp_path) as at:
        letters = asked(at)
        again = {name: at.replies(letters[name], name, "Hmm, what is this?")[0] for name in (OLD, NEW)}
        assert body(again[OLD]).startswith(f"Should your games move to {address(NEW)}?")
        assert body(again[NEW]).startswith("Should the games of a player come to this address?")
        answer(at, again, [(OLD, "yes")])
        assert not any("Should your games" in text_of(mail) for mail in at.replies(letters[OLD], OLD, "And now?"))
        answer(at, again, [(NEW, "yes")])
        assert hosted(at, "winter").find_address(0) == address(NEW)


@pytest.mark.parametrize("line", ["address yes", "address no"])
def test_an_answer_to_no_question(tmp_path: Path, line: str) -> None:
    with club(tmp_path) as at:
        (refused,) = at.replies(at.key(OLD), OLD, line)
        assert body(refused).startswith("Not done: this change of address is over")
