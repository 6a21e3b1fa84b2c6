"""Observing a game by mail: each turn once, late where that is wished, never a secret, and not against a player's wish."""

from __future__ import annotations

import re
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from tests.host.small_club import Club, club, text_of
from tests.host.test_digests import acting, hosted
from tests.host.year.players import TIME, address, examples, game
from tests.mail.mails import body
from tests.shared.strategies import ADVANCED, record_of
from tests.shared.twins import cut, twin_of
from tkid.club.club_state import compose_club_mail
from tkid.club.members import Member
from tkid.club.names import find_cast
from tkid.club.observers import Observer, Observers, make_observer_letters, show_first
from tkid.mail.blocks import format_plain
from tkid.mail.game_service import HostedGame
from tkid.record.format.new_game import new_record

TURN = re.compile(r"^(\d+) {2,}\w", re.MULTILINE)
CODE = "second-edition-advanced"


def begin(at: Club) -> EmailMessage:
    """A game with secret hands of Ann and Bob, and a letter with a key to Cal, who plays elsewhere."""
    at.at.open_game("winter", game(3, 2, CODE), at.now)
    at.at.open_game(
        "moor", new_record("second-edition", ["Cal <cal@example.org>", "Dee <dee@example.org>"], bytes(32)), at.now
    )
    at.work()
    return at.mails("Cal")[0]


def play(at: Club, turns: int) -> list[EmailMessage]:
    """Play some turns; what Cal gets."""
    got = []
    for _ in range(turns):
        letters = [(name, mail) for name in ("Ann", "Bob") for mail in at.mails(name) if examples(mail)]
        if not letters:
            break
        name, mail = letters[-1]
        at.answer(mail, name, examples(mail)[-1])
        at.work()
        got += at.mails("Cal")
    return got


@pytest.mark.parametrize("delay", [0, 2])
def test_each_turn_once(tmp_path: Path, delay: int) -> None:
    """One letter for each turn, or so many turns late; with a button for unsubscribing."""
    with club(tmp_path) as at:
        (answer,) = at.replies(begin(at), "Cal", f"observe winter delay {delay}")
        assert "You observe winter" in body(answer)
        letters = play(at, 6)
        told = [int(number) for mail in letters for number in TURN.findall(body(mail))]
        assert told == list(range(1, hosted(at, "winter").turns - delay + 1))
        assert all(mail["List-Unsubscribe"] for mail in letters)


def test_players_hear_of_the_first_observer_once(tmp_path: Path) -> None:
    """The players hear once that somebody observes, and not by whom."""
    with club(tmp_path) as at:
        first = begin(at)
        dee = at.mails("Dee")[0]
        at.mails("Ann"), at.mails("Bob")
        at.replies(first, "Cal", "observe winter")
        for name in ("Ann", "Bob"):
            (letter,) = at.mails(name)
            assert body(letter).startswith("Somebody observes this game from now on.")
            assert "somebody observes this game" in str(letter["Subject"])
            assert text_of(letter).count("Somebody observes") == 1
            assert "`observers off winter`" in text_of(letter)
            assert "Cal" not in body(letter)
        at.replies(dee, "Dee", "observe winter")
        assert at.mails("Ann") == at.mails("Bob") == []


@pytest.mark.parametrize("how", ["stop observing winter", "stop observing", "stop"])
def test_how_it_ends(tmp_path: Path, how: str) -> None:
    """By order, or by the word that the button sends in a reply to a letter about the game."""
    with club(tmp_path) as at:
        at.replies(begin(at), "Cal", "observe winter")
        letter = play(at, 1)[0]
        at.replies(letter, "Cal", how)
        assert play(at, 2) == []


def test_who_may_not_observe(tmp_path: Path) -> None:
    """Not a player, not where a player minds or the club forbids it; who observed hears that it is over."""
    with club(tmp_path) as at:
        first = begin(at)
        begun = {name: at.mails(name) for name in ("Ann", "Bob")}
        ann = begun["Ann"][0]
        (refused,) = at.replies(ann, "Ann", "observe winter")
        assert "Not done" in body(refused)
        at.replies(first, "Cal", "observe winter")
        at.replies(ann, "Ann", "observers off winter")
        (ended,) = at.mails("Cal")
        assert "no observers" in body(ended)
        at.answer(next(mail for mail in (ann, begun["Bob"][0]) if examples(mail)), acting(at, "winter"), "Pass")
        at.work()
        assert at.mails("Cal") == []
        (again,) = at.replies(first, "Cal", "observe winter")
        assert "Not done" in body(again)
        bob = [*at.mails("Bob"), *begun["Bob"]]
        (other,) = at.replies(bob[0], "Bob", "observers on winter")[-1:]
        assert "Not done" in body(other)
        at.replies(ann, "Ann", "observers on winter")
        at.at.club = evolve(at.at.club, observers=False)
        (forbidden,) = at.replies(first, "Cal", "observe winter")
        assert "Not done" in body(forbidden)


def test_an_observer_is_told_no_secret() -> None:
    """Two games that differ only in the hands are told to an observer byte for byte alike."""
    compared = 0
    for seed in range(12):
        rng = Random(seed)
        record = cut(record_of(rng, 2, ruleset=ADVANCED), seed % 6)
        twin = twin_of(rng, record, None)
        if twin is not None:
            one, other = (told(HostedGame.make_new(each)) for each in (record, twin))
            assert one == other, seed
            compared += 1
    assert compared > 4


def told(game: HostedGame) -> list[bytes]:
    """The letters to two observers of a game, and what they see at first."""
    watching = Observers("winter", (Observer(address("Cal"), told=-1), Observer(address("Dee"), delay=2, told=-1)))
    cast = find_cast(game, Member.make_new)
    looks = [format_plain(show_first(watching, each, game, cast)[0]).encode() for each in watching.watching]
    letters, _ = make_observer_letters(watching, game, cast, TIME)
    return [*looks, *(compose_club_mail(letter, "tkid@games.example", "k" * 12) for letter in letters)]
