"""A tournament by mail: invited by its owner, answered in the players' own ways, and begun by itself."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from attrs import evolve

from tests.host.small_club import Club, club, text_of
from tests.mail.mails import body
from tkid.club.tournament_letters import announce_tournament
from tkid.host.chores import end_letters
from tkid.host.tournaments import Tournaments, _resign_game, advance_tournaments
from tkid.mail.model import Welcome

NAMES = ("Ann", "Bob", "Cal")


def invited(made: Club) -> Tournaments:
    """A tournament to which three people are invited."""
    held = Tournaments(made.at)
    players = [f"{name} <{name.lower()}@example.org>" for name in NAMES]
    held.announce(announce_tournament("cup", "swiss", 2, "second-edition", players, made.now))
    made.work()
    return held


@pytest.mark.parametrize("welcome", ["everybody", "invited", "nobody"])
def test_players_answer_by_mail_and_it_begins(tmp_path: Path, welcome: Welcome) -> None:
    with club(tmp_path, welcome) as made:
        held = invited(made)
        for name, order in zip(NAMES, ("accept", "yes", "decline"), strict=True):
            (invitation,) = made.mails(name)
            (answer,) = made.replies(invitation, name, order)
            verb = "do not play" if order == "decline" else "play"
            assert body(answer).startswith(f"You {verb} in cup."), body(answer)
        assert advance_tournaments(made.at, made.now) == 1
        assert advance_tournaments(made.at, made.now) == 0
        assert [side.name for side in held.get_tournament("cup").sides] == ["Ann", "Bob"]
        made.work()
        for name in NAMES[:2]:
            subjects = sorted(str(letter["Subject"]) for letter in made.mails(name))
            assert len(subjects) == 2, subjects
            assert any(subject.startswith("[cup] Round 1: you play") for subject in subjects)
        assert made.mails("Cal") == []


def test_who_plays_lists_the_tournaments_and_whoever_blocks_declines(tmp_path: Path) -> None:
    with club(tmp_path) as made:
        held = invited(made)
        (invitation,) = made.mails("Ann")
        (answer,) = made.replies(invitation, "Ann", "tournaments")
        assert "You are invited" in body(answer)
        (invitation,) = made.mails("Cal")
        made.replies(invitation, "Cal", "block")
        assert [each.answer for each in held.get_tournament("cup").people] == ["asked", "asked", "declined"]


@pytest.mark.parametrize("way", ["reply", "click"])
def test_whoever_unsubscribes_hears_of_the_games_alone(tmp_path: Path, way: str) -> None:
    """Letters about rounds have the button; after it none comes, not even the final table, and the games go on."""
    with club(tmp_path) as made:
        made.at.club = evolve(made.at.club, unsubscribe="https://club.example/stop")
        held = invited(made)
        for name, order in zip(NAMES, ("accept", "accept", "decline"), strict=True):
            (invitation,) = made.mails(name)
            assert invitation["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            made.replies(invitation, name, order)
        advance_tournaments(made.at, made.now)
        made.work()
        letters = made.mails("Ann")
        (about,) = [each for each in letters if "Round 1" in str(each["Subject"])]
        (turn,) = [each for each in letters if each is not about]
        assert about["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert turn["List-Unsubscribe"] is None
        if way == "click":
            assert end_letters(made.at, str(about["Reply-To"]).partition("+")[2].partition("@")[0], made.now)
        else:
            (answer,) = made.replies(about, "Ann", "stop")
            assert "Your games in it continue" in text_of(answer)
        made.mails("Bob")
        while not held.get_tournament("cup").over:
            for each in made.games():
                if not each.over:
                    made.at.change_game(each.id, partial(_resign_game, seat=0, now=made.now))
            advance_tournaments(made.at, made.now)
        made.work()
        assert any("Tournament over" in str(each["Subject"]) for each in made.mails("Bob"))
        assert not any(str(each["Subject"]).startswith("[cup]") for each in made.mails("Ann"))


def test_anybody_joins_an_open_tournament_until_it_begins(tmp_path: Path) -> None:
    """Who joins is listed and plays; a name that is taken, and a tournament that is not open or has begun, are refused."""
    with club(tmp_path) as made:
        held = Tournaments(made.at)
        players = [f"{name} <{name.lower()}@example.org>" for name in NAMES[:2]]
        for name, is_open in (("cup", True), ("vase", False)):
            held.announce(announce_tournament(name, "swiss", 2, "second-edition", players, made.now, is_open=is_open))
        made.work()
        told = {str(each["Subject"])[1:5]: "Anybody may join" in text_of(each) for each in made.mails("Ann")}
        assert told == {"cup]": True, "vase": False}
        key = made.key("Cal")
        (listed,) = made.replies(key, "Cal", "tournaments")
        assert "`join cup`" in text_of(listed)
        assert "join vase" not in text_of(listed)
        (refused,) = made.replies(key, "Cal", "join cup as Bob")
        assert "club.tournament.sides" in text_of(refused)
        (refused,) = made.replies(key, "Cal", "join cup as Guest Wren")
        assert body(refused).startswith("Not done: `Guest Wren` reads like the pseudonym")
        (refused,) = made.replies(key, "Cal", "join vase")
        assert "nobody invited you" in text_of(refused)
        for _ in range(2):
            (joined,) = made.replies(key, "Cal", "join cup")
            assert body(joined).startswith("You play in cup.")
        for each in made.mails("Bob"):
            made.replies(each, "Bob", "accept")
        assert advance_tournaments(made.at, made.now) == 0, "only its owner begins it"
        held.begin_early("cup", made.now)
        assert sorted(side.name for side in held.get_tournament("cup").sides) == ["Bob", "Cal"]
        (late,) = made.replies(made.key("Dee"), "Dee", "join cup")
        assert "Not done" in body(late)
