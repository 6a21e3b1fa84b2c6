"""Answers to questions: status, legal, rules, why, history, help."""

from __future__ import annotations

import pytest

from tests.mail.hall import ANN, BOB, CAL, Hall, dealt
from tests.mail.test_service import by_bots
from tests.rulebook.test_search import QUESTIONS, questions
from tests.shared.tables import each_row, sample
from tkid.games.struggle.mail import PLUGIN as POSTING
from tkid.mail import order_handlers
from tkid.mail.blocks import Board, Events, First, Reference, Rule, format_plain
from tkid.mail.marker import ANSWERS
from tkid.mail.order_handlers import HANDLERS
from tkid.notation.text import capitalize_text
from tkid.orders.order_kinds import KINDS
from tkid.orders.order_values import Ask
from tkid.record.play.replay import append
from tkid.rulebook import all_rules, rule
from tkid.rulebook.search import ask

ASSEMBLE = "Assemble S Gwynedd, W Moray, E Moray; summon S Gwynedd"


def asked(hall: Hall, seat: int, question: str) -> str:
    """What is answered to a question, on one line: the first sentence, and what follows up to the board."""
    hall.mail(seat, question)
    assert not hall.rules, hall.rules
    body = hall.outcome.letters[0].body
    end = next(at for at, block in enumerate(body) if isinstance(block, Board | Reference))
    answer = [block for block in body[:end] if not isinstance(block, First)]
    return " ".join(format_plain(answer).split())


def offered(hall: Hall, seat: int) -> list[str]:
    """The turns to copy of the last answer."""
    return [
        line.strip()
        for line in hall.told(seat).split("\n")
        if line.startswith("    ") and ";" in line and '"' not in line
    ]


def test_status_tells_what_is_kept_for_the_reader() -> None:
    hall = Hall.of(3)
    assert asked(hall, BOB, "status") == (
        "Ann is next. You get news of power struggles, and when the game ends. "
        "You can be away for 30 days in this game, and have announced none of them. You have no plans."
    )
    hall.turns("Pass")
    hall.mail(BOB, "notify my turns", "away 2026-12-20 to 2026-12-21", "if Cal passes: stop")
    hall.mail(ANN, "undo?", "pass always")
    assert asked(hall, ANN, "status") == (
        "Bob is next. You get news of power struggles, and when the game ends. You can be away for 30 days in this "
        "game, and have announced none of them. Turn 1 is taken back if everybody agrees. Still missing: Bob and Cal. "
        "Your plans: 1 `pass always`"
    )
    assert hall.shows_board(ANN)
    assert "only when the game ends. You can be away for 30 days in this game, and have announced 2 of them." in asked(
        hall, BOB, "status"
    )
    assert "pass always" not in hall.told(BOB)


def test_how_the_game_stands_is_said_once() -> None:
    hall = Hall.of(2)
    hall.mail(BOB, "status", "legal", "why")
    assert hall.says(BOB).count("Ann is next.") == 1
    assert hall.says(BOB).count("Ann has until ") == 1


def test_legal_shows_ways_that_are_legal() -> None:
    hall = Hall.of(2)
    for question in ("legal", "legal Welsh Support", "legal Negotiate", "legal Assemble"):
        asked(hall, ANN, question)
        turns = offered(hall, ANN)
        assert turns
        assert len(turns) <= 13
        for turn in turns:
            assert not append(hall.at.replay, turn).problems
        assert ANSWERS not in hall.told(ANN)
    assert "There are more than 12 ways to play Assemble now." in hall.says(ANN)
    followers = {turn.partition(";")[0] for turn in turns}
    places = [{place for action in followers for place in [action.split(", ")[at]]} for at in range(3)]
    assert min(map(len, places)) > 1, "they differ in every place"
    hall.mail(ANN, "legal")
    assert "`legal CARD` shows more ways to play one card." in hall.says(ANN)
    hall.mail(ANN, "legal Welsh Support")
    assert "All 3 ways to play Welsh Support now" in hall.says(ANN)
    assert asked(
        hall, BOB, "legal Negotiate"
    ) == "" or "It is not your turn, so you cannot play anything now." in hall.says(BOB)


def test_legal_of_a_card_that_was_played() -> None:
    hall = Hall.of(2)
    hall.turns("Manoeuvre", "Pass")
    assert (
        asked(hall, ANN, "legal Manoeuvre")
        == "You have no legal turn like that now. You have no Manoeuvre. [second.turn.hand]"
    )


def test_rules_by_id_and_by_words() -> None:
    hall = Hall.of(2)
    text = asked(hall, BOB, "rules second.turn.pass")
    assert text.startswith("This is the rule that you asked for. ")
    assert rule("second.turn.pass").statement in text
    assert text.endswith("https://tkid.readthedocs.io/r/second.turn.pass/")
    assert asked(hall, BOB, "rules SECOND.turn.Pass") == text
    text = asked(hall, BOB, "rules when is a power struggle resolved?")
    assert text.startswith(("This rule ", "This is probably it: ", "When all players"))
    assert rule("second.struggle.trigger").statement in text
    others = text.partition("Other rules that fit: ")[2]
    found = [each.id for each in all_rules() if f"[{each.id}]" in others]
    assert len(found) == (0 if ask("when is a power struggle resolved?").certain else 2)
    assert asked(hall, BOB, "rules what does the game cost in a shop").startswith(
        "The rules don't say. This rule comes closest."
    )
    assert asked(hall, BOB, "rules who is still playing?") == (
        "The rules don't say. To see where your game stands, reply `status`."
    )
    assert "I took `negociate` as `negotiate`." in asked(hall, BOB, "rules how do I negociate")
    assert asked(hall, BOB, "ask when is a power struggle resolved?") == text
    assert "such as `rules who wins a tie`" in asked(hall, BOB, "rules")
    ruling = asked(hall, BOB, "rules second.ruling.final-tie")
    assert "shared (the default): the tied players share the throne." in ruling


@pytest.mark.slow
@pytest.mark.skipif(not QUESTIONS.exists(), reason="fixtures/questions.toml is not written yet")
@pytest.mark.parametrize("each", sample([10, 1], 2))
def test_the_questions_of_players_are_answered_by_mail(each: int) -> None:
    wanted = questions()[::each]
    halls = {code: Hall.of(2, code=code) for code in {question.ruleset for question in wanted}}
    missed = []
    for question in wanted:
        hall = halls[question.ruleset]
        hall.mail(BOB, f"rules {question.text}")
        blocks = [] if hall.rules else hall.outcome.letters[0].body
        found = [block.id for block in blocks if isinstance(block, Rule)]
        found += [
            text.rpartition("[")[2][:-1] for block in blocks if isinstance(block, Events) for _, text in block.items
        ]
        if question.rules.isdisjoint(found[:3]):
            missed.append((question.ruleset, question.text, found[:3]))
    assert len(missed) <= 0.05 * len(wanted), missed


@pytest.mark.slow
def test_why_before_the_end_and_after_it() -> None:
    hall = Hall.of(3)
    assert asked(hall, CAL, "why") == "No power struggle has been resolved yet."
    hall.turns("Pass", "Pass", "Pass")
    assert asked(hall, CAL, "why").startswith("The power struggles so far: 3 The English win Northumbria")
    by_bots(hall)
    hall.mail(CAL, "why")
    result = hall.at.record.game.result(hall.at.replay.position)
    assert result is not None
    assert all(f"[{step.rule}]" in hall.says(CAL) for step in result.chain)
    assert f"The winner is {hall.at.names[result.winners[0]]}." in hall.says(CAL) or len(result.winners) > 1


def test_history_has_every_turn_with_its_hash_and_what_became_of_it() -> None:
    hall = Hall.of(2)
    assert asked(hall, ANN, "history") == "No turns have been played so far."
    hall.turns(ASSEMBLE, "Pass", "Pass")
    hall.mail(ANN, "undo?")
    hall.mail(BOB, "undo yes")
    hall.until_due()
    hall.until_due()
    text = asked(hall, BOB, "history")
    moments = hall.at.public.moments
    assert f"1. Ann {ASSEMBLE} #{moments[1].hash} 2. Bob Pass #{moments[2].hash}" in text
    assert f"3. Ann Pass (taken back) #{moments[3].hash} 4. Ann Pass (out of time) #{moments[4].hash}" in text
    assert text.startswith("Four turns have been played so far.")


HELPS = {kind.name: kind.help or POSTING.helps[kind.name] for kind in KINDS}


def test_every_kind_of_order_is_carried_out_and_every_question_is_answered() -> None:
    assert {kind.name for kind in KINDS} == {*HANDLERS}
    assert {kind.name for kind in KINDS if kind.order is Ask} == {"help", *order_handlers.ANSWERS}
    assert {kind.name for kind in KINDS if not kind.help} == {*POSTING.helps}
    assert {kind.name for kind in KINDS if not kind.forms} == {"turn", "standing", "plan"}


AIMED = {"plan": "if anyone passes", "standing": "pass until", "turn": "Pass your turn", "help": "help draft"}
"""How `help` shows the kinds that are not called by their names."""


@each_row("topic", HELPS)
def test_help_tells_of_every_order(topic: str) -> None:
    hall = Hall.of(2)
    assert capitalize_text(HELPS[topic]) in asked(hall, BOB, f"help {topic}")
    assert AIMED.get(topic, topic) in asked(hall, BOB, "help")


def test_secret_hands_are_not_told() -> None:
    hall = Hall(dealt(3, code="second-edition-advanced"))
    hall.turns("Pass")
    secret = {card for seat in (ANN, CAL) for card in hall.at.replay.position.hands[seat]}
    secret -= set(hall.at.replay.position.hands[BOB])
    assert secret
    for question in ("status", "history", "why", "legal"):
        hall.mail(BOB, question)
        assert not [card for card in secret if card in hall.told(BOB)], question
