"""Questions in game mails that have no order: answered as `rules`, `draft`, `legal` or `status` would, and nothing is played."""

from __future__ import annotations

import pytest

from tests.mail.mails import GAME, LEGAL, answered, played, said
from tests.shared.tables import each_row
from tkid.mail.order_answers import NO_LEAD
from tkid.orders.order_reader import HOW_TO_ASK, find_questions

RULES = {
    "who wins a tie in a region?": "second.struggle.tie",
    "Who wins ties?": "second.struggle.tie",
    "Hi Bob! Can somebody tell me who wins a tie in a region? Thanks": "second.struggle.tie",
    "A question:\nwho wins a tie\nin a region?\n\nBest wishes, Ann": "second.struggle.tie",
    "May I summon from the supply?": "second.summon.region",
    "what does manoeuvre do?": "second.card.manoeuvre",
    "Where do followers go after a struggle?": "second.struggle.return",
    "How do I resign?": "post.resign",
    "How do you resolve a tie in a region?": "second.struggle.tie",
    "Could you please tell me who wins a tie?": "second.struggle.tie",
    "who goes first": "second.setup.first",
    "Can I play two cards in one turn?": "second.turn.action",
}
TURNS = {
    "Can I outmanoeuvre S Moray for EE Essex?": "Essex does not border Moray",
    "Is it legal to play Outmanoeuvre S Moray <> EE Essex?": "Essex does not border Moray",
    f"Can I play {LEGAL}?": "This turn is legal now. Nothing has been played.",
    f"Would {LEGAL} be legal?": "This turn is legal now. Nothing has been played.",
    f"What happens if I play {LEGAL}?": "This turn is legal now. Nothing has been played.",
    "Can I pass?": "This turn is legal now. Nothing has been played.",
    "What happens if I pass?": "This turn is legal now. Nothing has been played.",
    "Could I manoeuvre E Lancaster for S Northumbria?": "Manoeuvre E Lancaster <> S Northumbria; summon",
    "Can I manoeuvre the English in Lancaster for the Scots in Northumbria?": "Manoeuvre E Lancaster <> S Northumbria; summon",
    "Is Manoeuvre E Lancaster <> S Northumbria legal?": "This can be a legal turn now. Nothing has been played.",
    "Can I play Assemble now?": "legal",
}
STATE = {
    "Whose turn is it?": "It is your turn.",
    "Is it my turn?": "It is your turn.",
    "What can I do?": "These turns are legal now.",
    "What are the legal moves?": "These turns are legal now.",
}
TALK = (
    *("Shall we have tea on Sunday?", "How are you?", "Hello Bob, how was your holiday?", "When will you be back?"),
    *("Did you see the match?", "Do you like the game?", "Are you winning?", "Could you send me the board?"),
)


def text(mail: str) -> str:
    """The answer to a mail on one line."""
    return " ".join(said(answered(mail)).split())


@each_row("question", [*RULES, *TURNS, *STATE])
def test_a_question_is_answered(question: str) -> None:
    outcome = answered(question)
    assert (RULES | TURNS | STATE)[question] in " ".join(said(outcome).split())
    assert NO_LEAD not in said(outcome)
    assert (outcome.game.turns, outcome.record_changed) == (0, False)


@each_row("line", TALK)
def test_talk_is_told_how_to_ask(line: str) -> None:
    assert said(answered(line)).startswith(NO_LEAD)
    assert HOW_TO_ASK in text(line)


def test_a_remark_that_asks_nothing_is_answered_as_before() -> None:
    assert HOW_TO_ASK not in text("What a nice day.")
    assert list(find_questions(["What a nice day."])) == []


@pytest.mark.parametrize("question", [*RULES, "Can I pass?"])
def test_a_turn_in_the_same_mail_is_not_stopped(question: str) -> None:
    outcome = answered(f"{LEGAL}\n\nHello Bob!")
    assert outcome.game.turns == 1
    assert "second.struggle.tie" not in said(answered(f"status\n\n{question}"))


def test_a_turn_is_not_checked_when_it_is_not_due() -> None:
    outcome = answered("Can I pass?", played("Pass", of=GAME), 0)
    assert said(outcome).startswith("Nothing was checked: it is not your turn.")
    assert "second.struggle.tie" in said(answered("Who wins a tie in a region?", played("Pass", of=GAME), 0))


def test_an_order_with_an_error_is_told_beside_a_question() -> None:
    assert text("away 2026-13-45 to 2026-13-46\n\nWho wins a tie?").startswith(
        "Not done: the calendar has no day 2026-13-45."
    )


def test_two_questions_are_answered_at_most() -> None:
    outcome = text("Who wins a tie in a region? Can I pass? Where do followers go after a struggle?")
    assert "second.struggle.tie" in outcome
    assert "This turn is legal now." in outcome
    assert "Where do followers go" not in outcome
