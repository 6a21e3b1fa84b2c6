"""The front door of a host: whose mail it is, whether that is believed, and orders in replies about a game."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.host.small_club import INVITES, REQUIRED, VOUCHED, Club, club, invited, text_of
from tests.host.year.players import TIME, game
from tests.mail.mails import body
from tkid.club.results import Player, result_of
from tkid.mail.game_service import HostedGame

# -- whose mail it is -------------------------------------------------------------------------------------


def test_a_stranger_gets_one_answer_a_day_and_nothing_is_done_before_the_reply(at: Club) -> None:
    (first,) = at.asks("Ann", INVITES)
    assert body(first).startswith("Is this mail from you?")
    assert (at.tables(), at.mails("Bob")) == ([], [])
    assert at.asks("Ann", "Hello?") == []
    (made,) = at.replies(first, "Ann", "yes")
    assert body(made).startswith("spring waits for Bob")
    assert len(at.mails("Bob")) == 1
    again = at.replies(first, "Ann", "yes")
    assert len(at.tables()) == 1, "a yes counts once"
    assert len(again) <= 1
    at.now += timedelta(days=1)
    assert len(at.asks("Zoe", "Hello")) == 1


@pytest.mark.parametrize("welcome", ["nobody", "invited"])
def test_other_clubs_are_silent(tmp_path: Path, welcome: str) -> None:
    with club(tmp_path, welcome) as at:  # type: ignore[arg-type]
        assert at.asks("Ann", "help") == []
        (mail,) = at.at.store.list_finished([1])
        assert "mail.key" in mail.reason


AUTOMATIC = (
    "Auto-Submitted: auto-replied\n",
    "Precedence: bulk\n",
    "List-Id: <talk.example.org>\nPrecedence: list\n",
    "Return-Path: <>\n",
    "X-Loop: tkid\n",
    "X-Failed-Recipients: tkid@games.example\n",
)


@pytest.mark.parametrize("headers", AUTOMATIC)
def test_automatic_mail_is_never_answered(at: Club, headers: str) -> None:
    assert at.asks("Ann", "play with bob@example.org", headers) == []
    assert at.tables() == []
    key = at.key("Bob")
    assert at.replies(key, "Bob", "help", headers) == []


def test_strangers_are_answered_up_to_a_limit(at: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tkid.host.club_mail.MAX_STRANGERS", 3)
    for name in ("Ann", "Bob", "Cal", "Dee", "Eve"):
        at.write(name, "Hello")
    at.work()
    assert sum(len(at.mails(name)) for name in ("Ann", "Bob", "Cal", "Dee", "Eve")) == 3


def test_a_key_in_another_hand_is_worth_nothing(at: Club) -> None:
    _, invitation = invited(at)
    at.answer(invitation, "Eve", "accept")
    at.work()
    assert at.games() == []
    assert at.mails("Eve") == at.mails("Bob") == []


def test_a_wrong_key_is_worse_than_none(at: Club) -> None:
    key = at.key("Ann")
    wrong = str(key["Reply-To"]).partition("+")[0].rpartition("<")[2] + "+abcdefghijkl@games.example"
    at.write("Ann", "new game for 2", to=wrong)
    at.write("Zoe", "new game for 2", to=wrong)
    at.work()
    assert (at.mails("Ann"), at.mails("Zoe"), at.tables()) == ([], [], [])


def test_where_the_sender_is_vouched_for_players_need_no_key(tmp_path: Path) -> None:
    with club(tmp_path, "invited", required=REQUIRED) as at:
        at.at.open_game("winter", game(1), TIME)
        at.work()
        at.mails("Ann")
        assert at.asks("Ann", "new game for 2") == [], "without the header of the mail server"
        assert at.tables() == []
        (answer,) = at.asks("Ann", "new game for 2", VOUCHED)
        assert body(answer).startswith("spring waits for 1 more player")
        assert at.asks("Zoe", "new game for 2", VOUCHED) == []


def test_where_nobody_vouches_a_player_is_asked(tmp_path: Path) -> None:
    with club(tmp_path, "invited") as at:
        at.at.open_game("winter", game(1), TIME)
        at.work()
        at.mails("Ann")
        (question,) = at.asks("Ann", "new game for 2")
        assert (body(question).startswith("Is this mail from you?"), at.tables()) == (True, [])
        (answer,) = at.replies(question, "Ann", "yes")
        assert body(answer).startswith("spring waits for 1 more player")
        (listing,) = at.asks("Ann", "Hello, what can I do?")
        assert "`new game" in body(listing)
        assert at.asks("Ann", "And now?") == [], "the help comes once a day"
        for number in range(5):
            at.write("Ann", f"new game for 2, called glen-{number}")
        at.work()
        assert len(at.mails("Ann")) == 2, "so many questions on one day"
        assert at.asks("Zoe", "new game for 2") == []


# -- in a reply to a letter of a game, and after it ---------------------------------------------------------


def test_orders_to_the_club_in_a_reply_to_a_game(tmp_path: Path) -> None:
    with club(tmp_path, "invited") as at:
        at.at.open_game("winter", game(1), TIME)
        at.work()
        letters = {name: at.mails(name)[0] for name in ("Ann", "Bob")}
        name = next(name for name, letter in letters.items() if "your turn" in str(letter["Subject"]))
        answers = at.replies(letters[name], name, "Pass\nnew game for 2, called glen")
        assert [each.name for each in at.tables()] == ["glen"]
        (stored,) = at.games()
        assert len(HostedGame.read_stored(stored.record, stored.memory).record.turns) == 1
        assert len(answers) == 2, "the game answers the turn, the club its order"
        (listing,) = at.replies(letters[name], name, "games")
        assert "winter" in body(listing)
        (helped,) = at.replies(letters[name], name, "help")
        assert "All orders with examples" in body(helped), "help is about the game"


def over(at: Club, name: str = "winter") -> dict[str, EmailMessage]:
    """The last letters of a game in which Bob resigned."""
    at.at.open_game(name, game(1), TIME)
    at.work()
    letters = {who: at.mails(who)[0] for who in ("Ann", "Bob")}
    at.resigns(letters["Bob"], "Bob")
    return {who: (at.mails(who) or [letters[who]])[-1] for who in ("Ann", "Bob")}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("spring: Pass", "this is an order of a game. Reply to the last mail of `spring` with `Pass`."),
        ("SPRING: resign", "this is an order of a game. Reply to the last mail of `spring` with `resign`."),
        ("winterfell: Pass", "you play no game `winterfell`. You play spring."),
    ],
)
@pytest.mark.parametrize(("beside", "keyed"), [("", True), ("digest daily", True), ("digest daily", False)])
def test_an_order_of_a_game_in_a_mail_to_the_club_is_reported(
    at: Club, line: str, reason: str, beside: str, *, keyed: bool
) -> None:
    """No line is left out in silence; the order beside it counts."""
    made, invitation = invited(at)
    at.replies(invitation, "Bob", "accept")
    at.mails("Ann")
    text = f"{line}\n{beside}"
    told = text_of(at.replies(made, "Ann", text)[-1] if keyed else at.asks("Ann", text)[-1])
    first, _, rest = reason.partition(". ")
    assert first in told
    assert rest in told
    assert ("digest" in told) == bool(beside)


@pytest.mark.parametrize("line", ["PS: what a nice day", "Spring: it is here at last", "From: Ann"])
def test_words_with_a_colon_are_no_order_of_a_game(at: Club, line: str) -> None:
    made, invitation = invited(at)
    at.replies(invitation, "Bob", "accept")
    at.mails("Ann")
    told = text_of(at.replies(made, "Ann", f"{line}\ndigest daily")[-1])
    assert told.startswith("From now on you get one mail a day")


def test_a_rematch_has_the_same_terms_and_rotated_seats(tmp_path: Path) -> None:
    with club(tmp_path, "invited") as at:
        letters = over(at)
        (answer,) = at.replies(letters["Ann"], "Ann", "rematch")
        assert body(answer).startswith("winter-2 waits for Bob")
        (table,) = at.tables()
        assert [place.name for place in table.places] == ["Bob", "Ann"]
        (invitation,) = at.mails("Bob")
        assert "You get this one mail because you played winter with Ann." in text_of(invitation)
        at.replies(invitation, "Bob", "accept")
        assert [each.id for each in at.games()] == ["winter", "winter-2"]
        (late,) = at.replies(letters["Bob"], "Bob", "rematch")
        assert "club.rematch" in body(late)


def test_rematches_that_cross_become_one_game(tmp_path: Path) -> None:
    with club(tmp_path, "invited") as at:
        letters = over(at)
        for name in ("Ann", "Bob"):
            at.answer(letters[name], name, "rematch")
        at.work()
        assert [each.id for each in at.games()] == ["winter", "winter-2"]
        assert len(at.tables()) == 1


def hosted(at: Club, name: str) -> HostedGame:
    """A game as the host has it."""
    (stored,) = (each for each in at.games() if each.id == name)
    return HostedGame.read_stored(stored.record, stored.memory)


def passes(at: Club, letters: dict[str, EmailMessage], *players: str) -> None:
    """Players who pass, one after the other; `letters` are the latest of both."""
    for who in players:
        at.answer(letters[who], who, "Pass")
        at.work()
        letters |= {each: found[-1] for each in letters if (found := at.mails(each))}


def test_a_game_begins_in_a_position_of_a_game_that_is_over(tmp_path: Path) -> None:
    """Cites: club.new-game.from, club.rating.which."""
    with club(tmp_path, "invited") as at:
        at.at.open_game("winter", game(1), TIME)
        at.work()
        letters = {who: at.mails(who)[0] for who in ("Ann", "Bob")}
        first = hosted(at, "winter").names[hosted(at, "winter").awaited or 0]
        second = "Bob" if first == "Ann" else "Ann"
        passes(at, letters, first, second, first)
        early = at.replies(letters["Ann"], "Ann", "new game from winter turn 2 with bob@example.org")[-1]
        assert "winter is not over" in text_of(early)
        at.resigns(letters["Bob"], "Bob")
        letter = (at.mails("Ann") or [letters["Ann"]])[-1]
        for order, fault in (
            ("new game from winter turn 9 with bot", "no turn follows turn 9 of winter"),
            ("new game from winter turn 1 for 3", "winter has 2 players, and you ask for 3"),
            ("new game from winter turn x with bot", "`x` is not the number of a turn"),
            ("new game from wintre turn 1 with bot", "Did you mean `winter`?"),
            ("new game from winter turn 1 with bot, ruling second.ruling.undo allowed", "Leave out `ruling`"),
        ):
            assert fault in " ".join(text_of(at.replies(letter, "Ann", order)[-1]).split()), order
        begins = "The game begins after turn 2 of winter. Nothing is dealt."
        made = at.replies(letter, "Ann", "new game from winter turn 2 with bob@example.org, called again")[-1]
        assert begins in text_of(made)
        invitation = at.mails("Bob")[-1]
        assert begins in text_of(invitation)
        assert "sha256:" not in text_of(invitation)
        letters = {"Bob": at.replies(invitation, "Bob", "accept")[-1], "Ann": at.mails("Ann")[-1]}
        winter, again = hosted(at, "winter"), hosted(at, "again")
        assert again.record.position == winter.replay.moments[2].position
        assert again.names == ("Ann", "Bob")
        passes(at, letters, again.names[again.awaited or 0])
        at.resigns(letters["Bob"], "Bob")
        ended = hosted(at, "again")
        people = Player("a", "Ann"), Player("b", "Bob")
        rated = [found.rated for each in (winter, ended) if (found := result_of(each.replay, "x", people))]
        assert rated == [True, False]
