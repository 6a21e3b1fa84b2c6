"""Mails to the club that doubt or withdraw what they ask for: the host asks before it does anything that binds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.host.small_club import Club, club, invited, text_of
from tests.shared.tables import each_row

ASKS = "Is this what you meant? Nothing has been done yet. Reply `yes` to do it."
DOUBTS = (
    *("No wait, I have no time", "Scrap that.", "Hmm, not sure yet", "But I must ask my wife first.", "stop", "no"),
    *("Doch lieber nicht.", "Attends, je ne suis pas sûr", "Is that the right game?"),
)
CLEAR = (
    "Thanks for the invitation!",
    "This is my first game by mail.",
    "Best wishes from Hamburg,\nBob",
    "Freue mich drauf!",
)


def invite(folder: Path, text: str) -> tuple[int, str, int]:
    """The games that begin with an answer to an invitation, what the answer is told, and the games after a `yes` to that."""
    with club(folder) as at:
        _, invitation = invited(at)
        got = at.replies(invitation, "Bob", text)
        begun = len(at.games())
        if not begun and got:
            at.replies(got[0], "Bob", "yes")
        return begun, text_of(got[0]), len(at.games())


@each_row("doubt", DOUBTS)
def test_an_invitation_is_not_accepted_in_doubt(tmp_path_factory: pytest.TempPathFactory, doubt: str) -> None:
    """Cites: mail.doubt."""
    begun, told, after = invite(tmp_path_factory.mktemp("host"), f"accept\n\n{doubt}")
    assert (begun, after) == (0, 1)
    assert told.startswith(ASKS)
    assert f'You also wrote: "{doubt}' in told


@each_row("text", CLEAR)
def test_a_friendly_word_asks_nothing(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    assert invite(tmp_path_factory.mktemp("host"), f"accept\n\n{text}")[0] == 1


def test_the_words_of_the_same_mail_wait_too(tmp_path: Path) -> None:
    begun, told, after = invite(tmp_path, "accept\nwords: seven swans\n\nWait, not yet.")
    assert (begun, after) == (0, 1)
    assert "accept words: seven swans" in told


def test_a_yes_in_doubt_asks_again(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        _, invitation = invited(at)
        (told,) = at.replies(invitation, "Bob", "yes\n\nNo wait, I have no time")
        assert text_of(told).startswith("Do you accept the invitation to spring?")
        assert at.games() == []
        at.replies(told, "Bob", "yes")
        assert len(at.games()) == 1


def waits(at: Club) -> list[str]:
    """The names of the games that wait for players."""
    return [table.name for table in at.tables() if table.state == "open"]


@each_row("order", ["new game second-edition for 2", "play with Bob <bob@example.org>", "new game with bot"])
def test_no_game_is_asked_for_in_doubt(tmp_path_factory: pytest.TempPathFactory, order: str) -> None:
    with club(tmp_path_factory.mktemp("host")) as at:
        (told,) = at.replies(at.key("Ann"), "Ann", f"{order}\n\nOr should I wait? I don't know.")
        assert text_of(told).startswith(ASKS)
        assert (at.games(), at.tables(), at.mails("Bob")) == ([], [], [])
        at.replies(told, "Ann", "yes")
        assert at.games() or at.tables()


def test_a_no_leaves_everything_as_it_is(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        (told,) = at.replies(at.key("Ann"), "Ann", "new game second-edition for 2\n\nScrap that.")
        at.replies(told, "Ann", "no")
        (late,) = at.replies(told, "Ann", "yes")
        assert text_of(late).startswith("Nothing waits for your answer here")
        assert at.tables() == []


def test_questions_and_settings_are_carried_out_beside_a_doubt(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        (told,) = at.replies(at.key("Ann"), "Ann", "games\nnew game second-edition for 2\nanonymous on\n\nScrap that.")
        assert text_of(told).startswith(ASKS)
        assert "You have no games here now." in text_of(told)
        assert "Guest" in text_of(told)
        assert waits(at) == []


@each_row("order", ["decline", "block", "address bob2@example.org", "rematch spring", "join spring"])
def test_other_orders_wait_too(tmp_path_factory: pytest.TempPathFactory, order: str) -> None:
    with club(tmp_path_factory.mktemp("host")) as at:
        _, invitation = invited(at)
        (told,) = at.replies(invitation, "Bob", f"{order}\n\nNo, wait. I am not sure about it.")
        assert text_of(told).startswith(ASKS)
        assert waits(at) == ["spring"]


def test_a_doubt_in_a_reply_about_a_game(tmp_path: Path) -> None:
    """The club asks about its own order; the words to the game are not evidence against it."""
    with club(tmp_path) as at:
        _, invitation = invited(at)
        at.replies(invitation, "Bob", "accept")
        letter = at.mails("Ann")[-1]
        (told,) = at.replies(letter, "Ann", "new game second-edition for 2\n\nHmm, not now.")
        assert text_of(told).startswith(ASKS)
        assert waits(at) == []
        at.replies(told, "Ann", "yes")
        assert len(waits(at)) == 1
