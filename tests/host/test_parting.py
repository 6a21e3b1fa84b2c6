"""Somebody takes over a seat, and leaves it again: who had it before is told, and nobody loses a game by it."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.host.small_club import REQUIRED, VOUCHED, Club, club, text_of
from tests.host.test_digests import hosted
from tests.host.test_member_orders import resigned
from tests.host.year.players import address

SEAT = 0


def replaced(at: Club) -> dict[str, EmailMessage]:
    """Dee plays Ann's seat in a game of three, by the owner's offer: the last letter of each with a key."""
    letters = resigned(at)
    at.at.owner = address("Eve")
    at.replies(letters["Eve"], "Eve", "offer seat Ann of winter")
    for name in ("Ann", "Cal", "Dee"):
        at.mails(name)
    (taken,) = at.replies(letters["Dee"], "Dee", "take seat Ann of winter")
    return {**letters, "taken": taken}


def test_whom_somebody_replaces_is_told_once(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        replaced(at)
        (told,) = at.mails("Ann")
        assert "Dee plays for you. The host writes to you again when the game is over." in text_of(told)
        assert told["Subject"] == "[x] Turn 1: Dee plays for you"
        assert not told["Reply-To"] or "+" not in told["Reply-To"], "no key"
        assert "in hand" not in text_of(told)


def test_a_stand_in_who_resigns_gives_the_seat_back(tmp_path: Path) -> None:
    """Ann's game goes on with Ann; Dee, who wrote, is answered; Cal hears of it."""
    with club(tmp_path) as at:
        letters = replaced(at)
        at.mails("Ann"), at.mails("Cal")
        (answer,) = at.resigns(letters["taken"], "Dee")
        assert "You no longer play for Ann. Ann plays now. Ref x 1 " in text_of(answer)
        assert "-- You wrote: `resign` The full rule, post.stand-in.leave:" in text_of(answer)
        assert answer["In-Reply-To"], "it answers Dee's mail"
        game = hosted(at, "winter")
        assert game.time.seats[SEAT].resigned is None
        assert game.find_address(SEAT) == address("Ann")
        (mine,) = at.mails("Ann")
        assert "Dee no longer plays for you: you are back in the game." in text_of(mine)
        (other,) = at.mails("Cal")
        assert "Dee no longer plays for Ann." in text_of(other)


def test_whatever_else_a_stand_in_wrote_who_leaves_is_answered(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        letters = replaced(at)
        (asked,) = at.replies(letters["taken"], "Dee", "notify my turns\nresign\nwhy")
        said = text_of(asked)
        assert said.startswith("Do you want to give the seat back? Nothing has been done yet."), said
        assert '"notify my turns" You still get a mail when it is your turn.' in said, said
        assert '"why" No power struggle has been resolved yet.' in said, said
        (answer,) = at.replies(asked, "Dee", "yes\nnotify my turns\nwhy")
        said = text_of(answer)
        assert "You wrote: `resign` " in said, said
        assert "You wrote: `notify my turns` " in said, said
        assert "You wrote: `why`. You had left by then, so it was not done." in said, said


def test_a_stand_in_for_somebody_who_resigned_leaves(tmp_path: Path) -> None:
    """Bob had resigned: the host passes for him again, and Bob, who wrote nothing, gets no answer."""
    with club(tmp_path) as at:
        letters = resigned(at)
        for name in ("Ann", "Bob", "Cal"):
            at.mails(name)
        (taken,) = at.replies(letters["Dee"], "Dee", "take seat Bob of winter")
        assert "Dee plays for you" in text_of(at.mails("Bob")[0])
        at.mails("Ann"), at.mails("Cal")
        (answer,) = at.resigns(taken, "Dee")
        assert "You no longer play for Bob. Bob has resigned, so the host passes for the seat." in text_of(answer)
        assert hosted(at, "winter").time.seats[1].gone
        assert not any(mail["In-Reply-To"] == answer["In-Reply-To"] for mail in at.mails("Bob"))
        assert "Dee no longer plays for Bob." in text_of(at.mails("Cal")[0])


def test_the_last_stand_in_leaves_and_the_game_is_over(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        letters = resigned(at)
        (taken,) = at.replies(letters["Dee"], "Dee", "take seat Bob of winter")
        at.resigns(letters["Ann"], "Ann")
        at.mails("Dee")
        (answer,) = at.resigns(taken, "Dee")
        assert "You no longer play for Bob." in text_of(answer)
        assert "Cal won: you and Ann have resigned." in text_of(answer)
        assert hosted(at, "winter").time.winners == (2,)
        assert any("Game over" in mail["Subject"] for mail in at.mails("Bob"))


@pytest.mark.parametrize("order", ["Pass", "resign", "yes", "Hello!"])
def test_an_old_key_of_whom_somebody_replaced(tmp_path: Path, order: str) -> None:
    """Ann answers an old letter: nothing is done, Dee is not asked whether she wrote it, and Ann hears why."""
    with club(tmp_path) as at:
        letters = replaced(at)
        at.mails("Ann")
        before = hosted(at, "winter").record_text
        (told,) = at.replies(letters["Ann"], "Ann", order)
        assert "Dee plays for you." in text_of(told)
        assert not at.mails("Dee")
        assert hosted(at, "winter").record_text == before
        for _ in range(9):
            at.replies(letters["Ann"], "Ann", order)
        assert len(at.mails("Ann")) <= 3, "not without end"


def test_an_old_key_of_a_stand_in(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        letters = replaced(at)
        at.resigns(letters["taken"], "Dee")
        at.mails("Ann")
        (told,) = at.replies(letters["taken"], "Dee", "Pass")
        assert "You no longer play for Ann. Ann plays now. Nothing has been done. Ref x 1 " in text_of(told)
        assert not at.mails("Ann")


def test_nobody_is_written_to_whom_the_server_does_not_vouch_for(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        letters = replaced(at)
        at.mails("Ann")
        at.at.required = REQUIRED
        assert not at.replies(letters["Ann"], "Ann", "Pass")
        assert at.replies(letters["Ann"], "Ann", "Pass", VOUCHED)


def test_a_stand_in_who_is_replaced(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        letters = replaced(at)
        at.replies(letters["Eve"], "Eve", "offer seat Ann of winter")
        at.mails("Dee"), at.mails("Ann")
        at.replies(letters["Eve"], "Eve", "take seat Ann of winter")
        (told,) = at.mails("Dee")
        assert "You no longer play for Ann. Eve plays now." in text_of(told)
        assert not at.mails("Ann"), "she plays as little as before"
