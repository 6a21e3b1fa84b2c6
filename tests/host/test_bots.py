"""Games against programs by mail: they begin at once, the program answers, and nobody writes to it."""

from __future__ import annotations

from attrs import evolve

from tests.host.small_club import Club, text_of
from tkid.record.format.model import BY_MAIL
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay


def test_a_game_against_a_program_begins_at_once_and_is_answered(at: Club) -> None:
    question = at.key("Ann")
    told = at.replies(question, "Ann", "new game second-edition with bot, called duel")
    (first,) = told
    (game,) = at.games()
    assert f"X-Bot: Merlin search {BY_MAIL}" in game.record
    assert "Played by a program: Merlin (search)." in " ".join(text_of(first).split())
    before = game.record.count(" Merlin ")
    answers = at.replies(first, "Ann", "Pass")
    assert len(answers) == 1, "one letter: the receipt with the turn that the program has played"
    assert at.games()[0].record.count(" Merlin ") > before
    record = read_record(at.games()[0].record.encode()).record
    assert record is not None
    assert not replay(record).problems


def test_a_friend_plays_too_and_the_program_waits_for_the_acceptance(at: Club) -> None:
    question = at.key("Ann")
    told = at.replies(question, "Ann", "new game second-edition with bot greedy and bob@example.org")
    assert "waits for Bob" in text_of(told[0])
    assert at.games() == []
    (invitation,) = at.mails("Bob")
    assert "Players: Ann and you. 1 program plays too." in " ".join(text_of(invitation).split())
    at.replies(invitation, "Bob", "accept")
    (game,) = at.games()
    assert "Seat: Merlin\n" in game.record
    assert f"X-Bot: Merlin greedy {BY_MAIL}" in game.record


def test_a_club_may_have_no_programs(at: Club) -> None:
    at.at.club = evolve(at.at.club, bots="no")
    question = at.key("Ann")
    told = at.replies(question, "Ann", "new game second-edition with bot")
    assert "No programs play in this club" in text_of(told[0])
    assert at.games() == []
