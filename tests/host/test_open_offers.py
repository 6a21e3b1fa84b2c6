"""What somebody gets who answers an open offer under another letter, or in words that are not understood."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.host.small_club import Club, club
from tests.host.test_digests import of
from tests.host.test_offers import MEANT, Table, table  # noqa: F401 - a fixture
from tests.mail.mails import body
from tkid.record.play.replay import replay

PROPOSALS = [
    ("agree draw", "Ann proposes a draw. To agree, reply `agree draw`. Reply `agree no` to refuse."),
    ("agree abandon", "Ann proposes to abandon the game. To agree, reply `agree abandon`."),
    ("undo?", "Ann would like to take back turn 1. To allow it, reply `undo yes`."),
]


def begun(at: Club) -> tuple[EmailMessage, EmailMessage]:
    """A game that Ann begins: her first letter, and Bob's."""
    for seed in range(9):
        record = of("Ann", "Bob", seed=seed)
        if replay(record).position.to_act == 0:
            break
    at.at.open_game("winter", record, at.now)
    at.work()
    return at.mails("Ann")[0], at.mails("Bob")[0]


@pytest.mark.parametrize(("line", "said"), PROPOSALS)
def test_yes_and_no_under_another_letter(tmp_path: Path, line: str, said: str) -> None:
    """Each `yes` is answered with what was proposed and the words that answer it, however often it comes.

    Words that may be a program's are answered once a day.
    """
    with club(tmp_path) as at:
        (mine, first) = begun(at)
        (played,) = at.replies(mine, "Ann", "Pass")
        turn = at.mails("Bob")[-1]
        at.replies(played, "Ann", line)
        (asked,) = at.mails("Bob")
        told = [(letter, answer) for letter in (turn, turn, turn, first) for answer in ("yes", "no")]
        for letter, answer in (*told, (turn, "Fine with me.")):
            (got,) = at.replies(letter, "Bob", answer)
            assert said in " ".join(body(got).split())
            assert "no numbers" not in body(got)
            assert got["Reply-To"], "with a key"
        assert not at.replies(first, "Bob", "Fine with me."), "the same words once more on the same day"
        assert not at.mails("Ann"), "nothing was decided"
        (done,) = at.replies(asked, "Bob", "yes")
        assert body(done).startswith(("The game is over: everybody agreed", "Turn 1 is taken back. Everybody agreed."))
        assert at.mails("Ann")


def test_a_slip_in_the_answer(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        (mine, _) = begun(at)
        at.replies(mine, "Ann", "agree draw")
        (asked,) = at.mails("Bob")
        (got,) = at.replies(asked, "Bob", "agree drw")
        assert "Did you mean `agree draw`?" in " ".join(body(got).split())
        assert PROPOSALS[0][1] in " ".join(body(got).split())


@pytest.mark.parametrize("answers", [["yes"] * 4, ["Yes please, do so", "Do it, please", "yes please do"]])
def test_a_turn_that_is_offered_is_offered_again(table: Table, answers: list[str]) -> None:  # noqa: F811
    (offer,) = table.mail(MEANT)
    for answer in answers:
        (again,) = table.mail(answer, table.letter)
        assert table.turns == []
        assert "Reply `yes` to this mail to accept it" in " ".join(body(again).split())
        assert again["Reply-To"] == offer["Reply-To"]
    table.mail("yes", again)
    assert len(table.turns) == 1
