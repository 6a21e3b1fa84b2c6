"""Answers to the invitation to a tournament, by mail."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from attrs import field, frozen

from tests.shared.club_lines import read_club_line
from tests.shared.tables import each_row
from tkid.club.club_state import ClubState
from tkid.club.order_handlers import carry_out_club_order
from tkid.club.tournament import TOURNAMENT_KIND, Tournament
from tkid.club.tournament_letters import announce_tournament
from tkid.mail.blocks import Facts
from tkid.mail.model import Document
from tkid.mail.order_machine import Mail, OrderResult, Sender

NOW = datetime(2026, 11, 22, 18, tzinfo=UTC)
PLAYERS = ["Ann <ann@example.org>", "Bob <bob@example.org>", "Cleo <cleo@example.org>"]


@frozen
class Documents(ClubState):
    """A club that has one tournament and nothing else."""

    tournament: Tournament = field(
        factory=lambda: announce_tournament("cup", "swiss", 2, "second-edition", PLAYERS, NOW)
    )

    def get_text(self, kind: str, name: str) -> str | None:
        return self.tournament.text if (kind, name) == (TOURNAMENT_KIND, "cup") else None

    def list_documents(self, kind: str) -> tuple[Document, ...]:
        return (self.tournament.document,) if kind == TOURNAMENT_KIND else ()

    def is_known(self, address: str) -> bool:
        raise NotImplementedError

    def is_taken(self, name: str) -> bool:
        raise NotImplementedError

    def list_running(self) -> tuple[()]:
        raise NotImplementedError

    def count_event(self, address: str, what: str) -> int:
        raise NotImplementedError

    def find_game(self, name: str) -> None:
        del name

    def list_games_of(self, address: str) -> tuple[()]:
        del address
        return ()


def answered(line: str, sender: str = "bob@example.org", about: str = "tournament cup", **changes: Any) -> OrderResult:
    """What follows from a line of a mail to the club."""
    order = read_club_line(line)
    mail = Mail(Sender(address=sender), NOW, about=about, host="tkid@localhost", entropy=bytes(32))
    return carry_out_club_order(order, mail, Documents(**changes))


@each_row(
    ("line", "about", "answer"),
    [
        ("accept", "tournament cup", "accepted"),
        ("accept cup", "", "accepted"),
        ("join cup", "", "accepted"),
        ("decline", "tournament cup", "declined"),
        ("decline cup", "", "declined"),
    ],
)
def test_an_answer_is_kept_with_the_tournament(line: str, about: str, answer: str) -> None:
    result = answered(line, about=about)
    (kept,) = result.kept
    assert kept.data is not None
    assert [each.answer for each in Tournament.read_text(kept.data).people] == ["asked", answer, "asked"]
    assert (kept.kind, kept.id, result.about) == (TOURNAMENT_KIND, "cup", "tournament cup")
    assert len(result.lead) <= 78


@each_row("line", ["block", "stop"])
def test_who_wants_no_letters_declines(line: str) -> None:
    texts = {kept.kind: kept.data for kept in answered(line).kept}
    kept = texts[TOURNAMENT_KIND]
    assert [each.answer for each in Tournament.read_text(kept).people] == ["asked", "declined", "asked"]
    assert "member" in texts


@each_row(
    ("sender", "rounds", "told"),
    [
        ("bob@example.org", 0, "It has not begun. You are invited: reply `accept cup`."),
        ("dan@example.org", 0, "It has not begun."),
        ("ann@example.org", 1, "Round 1 of 2. You play Bob."),
        ("cleo@example.org", 1, "Round 1 of 2. You have a bye."),
        ("dan@example.org", 1, "Round 1 of 2."),
    ],
)
def test_tournaments_are_listed(sender: str, rounds: int, told: str) -> None:
    cup = announce_tournament("cup", "swiss", 2, "second-edition", PLAYERS, NOW, seated=rounds > 0)
    cup = cup.close_entries().next_round({}) if rounds else cup
    (facts,) = answered("tournaments", sender=sender, about="", tournament=cup).blocks
    assert isinstance(facts, Facts)
    assert facts.rows == (("cup", told),)


def test_who_was_not_invited_is_told_so() -> None:
    result = answered("accept", sender="dan@example.org")
    assert result.problem is not None
    assert result.problem.rule == "club.tournament.accept"
    assert not result.kept


def test_after_the_beginning_nobody_enters_or_leaves_by_answering() -> None:
    begun = (
        announce_tournament("cup", "swiss", 2, "second-edition", PLAYERS, NOW, seated=True)
        .close_entries()
        .next_round({})
    )
    for line in ("accept", "decline"):
        result = answered(line, tournament=begun)
        assert result.problem is not None
        assert not result.kept


def test_an_answer_that_is_about_no_tournament_is_about_a_game() -> None:
    result = answered("accept glen", about="")
    assert result.problem is not None
    assert result.problem.rule.startswith("club.")
    assert result.problem.rule != "club.tournament.accept"
