"""Tournaments at a host: played to the end by random turns on a set clock, and through crashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from email import message_from_bytes
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tests.host.store.databases import BOTH, wipe
from tests.host.year.players import TIME, game, host, unsent
from tkid.club.members import MEMBER_KIND as MEMBER
from tkid.club.members import Member
from tkid.club.results import rating_lists
from tkid.club.tournament import System, Tournament
from tkid.club.tournament_letters import announce_tournament
from tkid.host.service import Host
from tkid.host.store.transaction import StoredGame
from tkid.host.tournaments import Copy, NoTournamentError, Tournaments, read_results
from tkid.mail import game_service
from tkid.mail.hosted_game import BY_LOT, HostedGame, choose_bot_turn
from tkid.mail.model import Document, OrderLine, Orders
from tkid.mail.order_finder import get_order_reader

PLAYERS = ["Ann <ann@example.org>", "Bob <bob@example.org>", "Cleo <cleo@example.org>", "Dan <dan@example.org>"]
HOUR = timedelta(hours=1)


@pytest.fixture(params=BOTH)
def club(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Tournaments]:
    """The tournaments of a host; the same deals each time."""
    url = "" if request.param == "sqlite" else str(request.getfixturevalue("server"))
    with host(tmp_path, url) as made:
        made.draw = partial(Random(20261122).randbytes, 32)
        yield Tournaments(made)
    if url:
        wipe(url)


def held(club: Tournaments, sides: int, system: System, rounds: int = 0) -> Tournament:
    """A tournament that has begun, of players who agreed before."""
    club.announce(announce_tournament("cup", system, rounds, "second-edition", PLAYERS[:sides], TIME, seated=True))
    club.advance_all(TIME)
    return club.get_tournament("cup")


def ordered(made: Host, name: str, order: str, now: datetime, seat: int | None = None) -> None:
    """Whoever is to act, or a seat, gives an order in a game."""

    def change(hosted: HostedGame) -> game_service.Outcome:
        acting = hosted.to_act if seat is None else seat
        assert acting is not None
        text = order or choose_bot_turn(hosted.view_as(acting), acting, BY_LOT)
        read = get_order_reader(hosted.record.game, hosted.names, acting).read_line(text)
        return game_service.receive_mail(hosted, acting, Orders((OrderLine(text, read),)), now, is_sure=True)

    assert not made.change_game(name, change).problems


def going_on(club: Tournaments) -> list[str]:
    """The games of the tournament that go on."""
    games = (club.host.store.get_game(name) for name in club.get_tournament("cup").games)
    return [stored.id for stored in games if stored is not None and not stored.over]


def subjects(club: Tournaments) -> Counter[tuple[str, str]]:
    """The letters about the tournament: address and subject, how often each."""
    mails = (message_from_bytes(mail) for _, mail in unsent(club.host.store))
    return Counter((mail["To"], mail["Subject"]) for mail in mails if mail["Message-ID"].startswith("<tkid.club."))


@pytest.mark.slow
def test_a_swiss_tournament_is_played_to_its_end(club: Tournaments) -> None:
    now = TIME
    held(club, 3, "swiss", 2)
    while not club.get_tournament("cup").over:
        for name in going_on(club):
            ordered(club.host, name, "", now)
        now += HOUR
        club.advance_all(now)
        assert club.advance_all(now) == 0
    cup = club.get_tournament("cup")
    made = club.list_results(cup)
    assert cup.games == ("cup-1-1", "cup-2-1")
    assert {each.how for each in made.values()} == {"rules"}
    table = cup.build_table(made)
    assert sum(line.points for line in table) == 4
    assert sum(line.games for line in table) == 4
    letters = subjects(club)
    assert set(letters.values()) == {1}
    assert len(letters) == 3 * 3
    assert sum("you have a bye" in subject for _, subject in letters) == 2
    (ratings,) = rating_lists(read_results(club.host.store, club.host.secret), now)
    assert sum(line.games for line in ratings.ratings) == 4


def test_a_round_robin_of_two_plays_one_deal_twice(club: Tournaments) -> None:
    held(club, 2, "round-robin")
    assert going_on(club) == ["cup-1-1a"]
    ordered(club.host, "cup-1-1a", "resign", TIME, seat=0)
    club.advance_all(TIME)
    first, second = (club.host.store.get_game(f"cup-1-1{leg}") for leg in "ab")
    assert first is not None
    assert second is not None
    one, other = (HostedGame.read_stored(each.record, each.memory).record for each in (first, second))
    assert one.deal == other.deal
    assert one.names == other.names[::-1]
    ordered(club.host, "cup-1-1b", "resign", TIME, seat=0)
    club.advance_all(TIME)
    cup = club.get_tournament("cup")
    assert cup.over == TIME
    assert [(line.place, line.points) for line in cup.build_table(club.list_results(cup))] == [(1, Fraction(1))] * 2
    assert subjects(club)["Ann <ann@example.org>", "[cup] Tournament over: Ann and Bob won"] == 1


def test_whatever_dies_in_between_is_done_again_and_nothing_twice(
    club: Tournaments, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host dies after each game that it dealt, before it notes that the game has begun."""
    opened = []

    def dying(made: Host, name: str, *arguments: object) -> None:
        opened.append(name)
        whole(made, name, *arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    whole = Host.open_game
    monkeypatch.setattr(Host, "open_game", dying)
    club.announce(announce_tournament("cup", "swiss", 1, "second-edition", PLAYERS, TIME, seated=True))
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            club.advance_all(TIME)
    club.advance_all(TIME)
    assert opened == ["cup-1-1", "cup-1-2"]
    assert going_on(club) == opened
    assert set(subjects(club).values()) == {1}


def test_a_game_of_somebody_else_under_the_name_is_said_and_others_go_on(club: Tournaments) -> None:
    club.host.open_game("cup-1-1", game(1), TIME)
    club.announce(announce_tournament("cup", "swiss", 1, "second-edition", PLAYERS[2:], TIME, seated=True))
    club.announce(announce_tournament("zoo", "swiss", 1, "second-edition", PLAYERS[:2], TIME, seated=True))
    with pytest.raises(ValueError, match="cup-1-1 is about something else"):
        club.advance_all(TIME)
    assert club.get_tournament("zoo").games == ("zoo-1-1",)


def test_invited_players_answer_before_it_begins_and_who_blocked_the_club_is_not_asked(club: Tournaments) -> None:
    with club.host.store.begin_transaction() as transaction:
        blocked = Member("dan@example.org", blocked=True)
        transaction.documents.store_document(Document(MEMBER, blocked.address, blocked.text))
    club.announce(announce_tournament("cup", "swiss", 2, "second-edition", PLAYERS, TIME))
    assert club.advance_all(TIME) == 0
    assert {address for address, _ in subjects(club)} == {player for player in PLAYERS if "dan" not in player}
    with pytest.raises(ValueError, match="fewer than two"):
        club.begin_early("cup", TIME)
    answered = (
        club.get_tournament("cup")
        .record_answer("ann@example.org", "accepted")
        .record_answer("cleo@example.org", "accepted")
    )
    with club.host.store.begin_transaction() as transaction:
        transaction.documents.store_document(Document("tournament", "cup", answered.text, answered.due))
    club.begin_early("cup", TIME)
    assert [side.name for side in club.get_tournament("cup").sides] == ["Ann", "Cleo"]
    assert going_on(club) == ["cup-1-1"]
    with pytest.raises(ValueError, match="begun already"):
        club.begin_early("cup", TIME)


def test_who_leaves_resigns_and_the_tournament_goes_on(club: Tournaments) -> None:
    held(club, 4, "swiss", 3)
    cup = club.get_tournament("cup")
    leaver = cup.side_of("bob@example.org")
    assert leaver is not None
    club.withdraw_side("cup", leaver, TIME)
    (left,) = (pair.games[0] for pair in cup.played[0] if leaver in pair.sides)
    assert club.list_results(club.get_tournament("cup"))[left].how == "resignation"
    (other,) = going_on(club)
    ordered(club.host, other, "resign", TIME, seat=1)
    club.advance_all(TIME)
    assert all(leaver not in pair.sides for pair in club.get_tournament("cup").played[1])


def test_when_all_but_one_have_left_it_is_over(club: Tournaments) -> None:
    held(club, 3, "round-robin")
    for side in (0, 1):
        club.withdraw_side("cup", side, TIME)
    assert club.get_tournament("cup").over == TIME
    assert going_on(club) == []


def test_a_tournament_that_nobody_enters_ends(club: Tournaments) -> None:
    club.announce(announce_tournament("cup", "swiss", 2, "second-edition", PLAYERS[:2], TIME))
    for side in (0, 1):
        club.withdraw_side("cup", side, TIME)
    assert club.get_tournament("cup").over == TIME
    assert not club.get_tournament("cup").begun


def test_names_are_taken_once_and_unknown_ones_are_said(club: Tournaments) -> None:
    held(club, 2, "swiss", 1)
    with pytest.raises(ValueError, match="already a tournament cup"):
        club.announce(announce_tournament("cup", "swiss", 1, "second-edition", PLAYERS, TIME))
    with pytest.raises(NoTournamentError):
        club.get_tournament("cap")


def test_results_are_made_once_and_again_when_the_record_changes(
    club: Tournaments, monkeypatch: pytest.MonkeyPatch
) -> None:
    held(club, 2, "swiss", 1)
    ordered(club.host, "cup-1-1", "resign", TIME, seat=1)
    (result,) = read_results(club.host.store, club.host.secret)
    made = []
    whole = Copy.make_copy

    def noting(stored: StoredGame, digest: str) -> Copy | None:
        made.append(digest)
        return whole(stored, digest)

    monkeypatch.setattr(Copy, "make_copy", noting)
    assert read_results(club.host.store, club.host.secret) == [result]
    assert made == []
    stored = club.host.store.get_game("cup-1-1")
    assert stored is not None
    with club.host.store.begin_transaction() as transaction:
        line = "# host: 2026-11-21T10:00Z: Well played.\n"
        transaction.save_game(type(stored)(stored.id, stored.record + line, stored.memory, over=True))
    assert read_results(club.host.store, club.host.secret) == [result]
    assert len(made) == 1


def test_ids_hold_no_address_and_who_is_anonymous_has_a_pseudonym(club: Tournaments) -> None:
    held(club, 2, "swiss", 1)
    ordered(club.host, "cup-1-1", "resign", TIME, seat=1)
    (plain,) = read_results(club.host.store, club.host.secret)
    assert {player.name for player in plain.players} == {"Ann", "Bob"}
    with club.host.store.begin_transaction() as transaction:
        moved = Member("ann@new.example", "Ann", former=("ann@example.org",))
        hidden = moved.hide(b"s", ())
        transaction.documents.store_document(Document(MEMBER, hidden.address, hidden.text))
    (result,) = read_results(club.host.store, club.host.secret)
    assert {player.name for player in result.players} == {hidden.pseudonym, "Bob"}
    assert "example" not in str(result.data)
    assert len({player.id for player in (*plain.players, *result.players)}) == 3
