"""One name of a person in one game: letters, record, results and pages agree, and lists of people have one name for each."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

from tests.host.sites import SECRET
from tests.host.small_club import Club, club, text_of
from tkid.club import site
from tkid.club.results import rating_lists
from tkid.club.tournament import build_cross_table
from tkid.host.published_folder import PublishedFolder
from tkid.host.publisher import Publisher
from tkid.host.tournaments import read_results
from tkid.mail.game_service import HostedGame

GAMES = {"spring": ("accept", "Bob"), "autumn": ("accept as Robin", "Robin")}
"""Games, with Bob's answer to the invitation, and his name in the game."""


def played(at: Club, game: str, answer: str) -> list[EmailMessage]:
    """Ann invites Bob to a game, he answers, she passes and resigns; all letters about it."""
    key = at.key("Ann")
    letters = at.replies(key, "Ann", f"new game second-edition with Bob <bob@example.org>, called {game}")
    (invitation,) = at.mails("Bob")
    letters += at.replies(invitation, "Bob", answer)
    first = at.mails("Ann")
    at.now += timedelta(hours=1)
    (passed,) = at.replies(first[-1], "Ann", "Pass")
    letters += [*first, passed, *at.resigns(passed, "Ann"), *at.mails("Bob")]
    return letters[1:]


def test_a_game_has_one_name_for_each_player_and_lists_have_one_for_each_person(tmp_path: Path) -> None:
    """cites: club.names."""
    with club(tmp_path) as at:
        letters = {game: played(at, game, answer) for game, (answer, _) in GAMES.items()}
        target = PublishedFolder(tmp_path / "www", "owner-word")
        publisher = Publisher(target, tmp_path / "pages.db", SECRET, site.Club("The Monday club"), 0, covers=False)
        assert not publisher.publish(at.at.store, at.now).failed
        over = read_results(at.at.store, SECRET)
        for game, (_, name) in GAMES.items():
            other = "Robin" if name == "Bob" else "Bob"
            stored = at.at.store.get_game(game)
            assert stored is not None
            assert HostedGame.read_stored(stored.record, stored.memory).names.count(name) == 1
            (result,) = (each for each in over if each.game == game)
            assert sorted(player.name for player in result.players) == ["Ann", name]
            mails = [text_of(letter) for letter in letters[game]]
            files = [f"games/{game}.html", f"records/{game}.tkid"]
            published = [(target.path / file).read_text("utf-8") for file in files]
            assert any(name in mail for mail in mails)
            assert all(name in text for text in published)
            assert not [text for text in (*mails, *published) if other in text]
        archive = (target.path / "archive/index.html").read_text("utf-8")
        assert "Robin" in archive
        assert "Bob" in archive
        ratings = rating_lists(over, at.now)[0].data["ratings"]
        assert sorted(line["name"] for line in ratings) == ["Ann", "Bob"]
        assert [player.club_name for player in build_cross_table(over)[0]] == ["Ann", "Bob"]
        people = {
            page: (target.path / page).read_text("utf-8") for page in ("ratings/index.html", "players/index.html")
        }
        people["Ann's page"] = (target.path / "players/ann.html").read_text("utf-8").partition("<h2>Opponents</h2>")[2]
        for page, text in people.items():
            assert "Bob" in text, page
            assert "Robin" not in text, page
