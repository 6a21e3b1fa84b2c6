"""A host's games: several orders in one mail, their order, what fails alone; who is told what, and when."""

from __future__ import annotations

import pytest

from tests.mail.hall import ANN, BOB, CAL, DAY, DEE, HOUR, MINUTE, START, Hall, dealt
from tests.mail.typed import ordered
from tkid.mail import game_service, hosted_game
from tkid.mail.blocks import GAME, REPLAY, format_plain
from tkid.mail.marker import ANSWERS
from tkid.mail.model import Marker
from tkid.record.clock_notes import Back, Resumed, StandIn

ASSEMBLE = "Assemble S Gwynedd, W Moray, E Moray; summon E Northumbria"
PLOTTING = {2: 12, 3: 10}
"""Deals, by players, in which bots come to ask for the faction for Plot."""


def by_bots(hall: Hall) -> None:
    """Play until the game is over, or asks for more than a card or a pass."""
    while hall.at.awaited is not None and hall.at.replay.position.decision == "play":
        seat = hall.at.awaited
        assert not hall.mail(
            seat, hosted_game.choose_bot_turn(hall.at.view_as(seat), seat, hosted_game.BY_LOT)
        ).problems


def plotting(players: int) -> Hall:
    """A game that asks for the faction for Plot."""
    hall = Hall(dealt(players, code="second-edition-advanced", entropy=bytes([PLOTTING[players]]) * 32))
    by_bots(hall)
    assert hall.at.replay.position.decision == "plot"
    return hall


# -- the beginning ----------------------------------------------------------------------------------------


def test_the_first_letters_say_who_plays_what_with_whom() -> None:
    hall = Hall.of(3)
    assert hall.kinds == {ANN: "turn", BOB: "news", CAL: "news"}
    assert hall.says(BOB).startswith("Your new game with Ann and Cal begins. Ann plays first. ---")
    assert hall.says(ANN).startswith(
        "Your new game with Bob and Cal begins. You play first, by Tuesday 24 November. ---"
    )
    for seat in (ANN, BOB, CAL):
        assert "You play in this order: Ann, Bob, Cal." in hall.says(seat)
        assert "The King is Dead, second edition: the basic game." in hall.says(seat)
        assert "https://tkid.readthedocs.io/ten-minutes/" in hall.says(seat)
        assert (
            "Three days a turn, no grace, a reminder after 36 hours. If your time runs out, the host passes for you; "
            "after three missed turns in a row the game is adjourned. You can be away for 30 days in all."
            in hall.says(seat)
        )
        assert hall.shows_board(seat)
    assert ANSWERS in hall.told(ANN)
    assert ANSWERS not in hall.told(BOB)
    assert "You and Cal are a team, against Bob and Dee." in (four := Hall.of(4)).says(ANN)
    assert "You and Bob are a team, against Ann and Cal." in four.says(DEE)
    assert "There is no clock" in Hall.of(2, "").says(ANN)


# -- several orders in one mail ---------------------------------------------------------------------------


def test_orders_are_carried_out_in_their_own_order_whatever_stands_first() -> None:
    """The questions come last, though they stand first; words go out although the turn stands before them."""
    hall = Hall.of(2)
    hall.turns("Pass")
    hall.mail(BOB, "status", "pass always", "Pass", "notify every turn", "say to all: Your turn", "if Ann passes: Pass")
    text = hall.says(BOB)
    assert not hall.rules
    told = [
        "2 You passed.",
        '"say to all: Your turn"',
        '"notify every turn"',
        "Plan 1 is active",
        "Plan 2 is active",
        '"status"',
        "Recorded as: 2. Bob Pass #",
    ]
    places = [text.index(each) for each in told]
    assert places == sorted(places)
    assert "You get news of every turn." in text
    assert "1 `pass always` 2 `if Ann passes: Pass`" in text
    assert '"Your turn"' in hall.says(ANN)
    assert hall.kinds == {BOB: "note", ANN: "turn"}


def test_plans_are_cancelled_before_new_ones_are_given_and_a_turn_ends_older_ones() -> None:
    hall = Hall.of(2)
    hall.turns("Pass")
    hall.mail(ANN, "pass always")
    hall.mail(ANN, "if Bob passes: Pass", "cancel all")
    assert [plan.text for plan in hall.at.memory.seats[ANN].plans] == ["if Bob passes: Pass"]
    assert "Plan 1 is cancelled." in hall.says(ANN)
    hall.mail(BOB, ASSEMBLE)
    assert hall.at.awaited == ANN
    hall.mail(ANN, "Pass", "pass until struggle")
    assert [plan.text for plan in hall.at.memory.seats[ANN].plans] == ["pass until struggle"]
    assert "Plan 2 has ended: you sent a turn." in hall.says(ANN)


def test_questions_are_answered_by_how_the_game_stands_after_all_else() -> None:
    hall = Hall.of(2)
    hall.mail(ANN, "history", "Pass", "legal")
    assert "1. Ann Pass #" in hall.says(ANN).partition('"history"')[2]
    assert "It is not your turn, so you cannot play anything now." in hall.says(ANN)
    hall.mail(BOB, "pass always", "history")
    assert "2. Bob Pass #" in hall.says(BOB).partition('"history"')[2]


def test_a_draft_comes_before_the_turn_of_the_same_mail() -> None:
    hall = Hall.of(2)
    hall.mail(ANN, "Pass", f"draft {ASSEMBLE}")
    assert "This turn is legal now. Nothing has been played." in hall.says(ANN)
    assert hall.at.turns == 1


def test_an_order_that_fails_leaves_the_others() -> None:
    hall = Hall.of(2)
    hall.mail(
        ANN,
        "statsu",
        "Pass",
        "say to Bobb: hi",
        "notify my turns",
        "away 10/11/2026 to 12/11/2026",
        "why",
        "rules pasz",
    )
    assert sorted(set(hall.rules)) == [
        "notation.player",
        "post.date.ambiguous",
        "post.order.rule",
        "post.order.unknown",
    ]
    text = hall.says(ANN)
    assert text.startswith("You passed. Not everything else was done. ---")
    assert text.count("Not done: ") == 4
    assert hall.at.memory.seats[ANN].wish == "my turns"
    assert "No power struggle has been resolved yet." in text
    assert hall.at.turns == 1


def test_a_turn_that_fails_is_said_to_be_not_played() -> None:
    hall = Hall.of(2)
    hall.mail(ANN, "Manoeuvre S Mory <> E Devon; summon W Devon")
    assert hall.says(ANN).startswith("Is this the turn you meant? Nothing has been played yet. ---")
    assert "It is still your turn." in hall.says(ANN)
    hall.mail(ANN, "Welsh Support WWW Warwick; summon W Devon", "notify my turns")
    assert hall.says(ANN).startswith("Not played: ")
    assert "From now on you get news only when the game ends." in hall.says(ANN)
    hall.mail(ANN, "notify my turns")
    assert hall.says(ANN).startswith("You still get a mail when it is your turn. ---")
    hall.mail(ANN, "statsu", "say to me: hi")
    assert hall.says(ANN).startswith("Nothing in your mail was done. ---")
    hall.mail(BOB, "Pass")
    assert hall.says(BOB).startswith("Not played: it is Ann's turn, not Bob's. ---")


def test_one_mail_gives_the_first_turn_even_if_it_breaks_a_rule() -> None:
    hall = Hall.of(2)
    hall.mail(ANN, "Welsh Support WWW Warwick; summon W Devon", "Pass")
    assert hall.rules[-1] == "mail.one-turn"
    assert hall.at.turns == 0


def test_the_same_reason_is_given_once() -> None:
    hall = Hall.of(2)
    hall.mail(BOB, "resign")
    hall.mail(ANN, "undo?", "pass always", "away 2026-12-20 to 2026-12-27", "status")
    assert hall.rules == ["post.order.over"] * 3
    assert hall.says(ANN).count("there is nothing left to decide") == 1
    assert hall.says(ANN).count("Not done, for the same reason:") == 2


def test_remarks_are_silent_beside_orders_and_shown_without_any() -> None:
    hall = Hall.of(2)
    hall.mail(ANN, "status", remark="What a winter!")
    assert "What a winter!" not in hall.told(ANN)
    hall.mail(ANN, remark="What a winter!")
    assert hall.rules == ["mail.no-order"]
    assert '"What a winter!"' in hall.says(ANN)
    assert ANSWERS in hall.told(ANN)


# -- what an older mail may order -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "order",
    [
        "pass always",
        "if Bob passes: Pass",
        "undo?",
        "undo yes",
        "resign",
        "say to all: hm",
        "away 2026-12-20 to 2026-12-27",
        "notify every turn",
        "cancel all",
        "cancel away",
    ],
)
def test_what_changes_something_answers_the_last_mail_that_told_what_happened(order: str) -> None:
    hall = Hall.of(2)
    first = hall.last(ANN)
    hall.turns("Pass", "Pass")
    hall.mail(ANN, order, answering=first)
    assert hall.rules == ["post.order.late"]
    assert "Your mail answers turn 1. You have had news since then: the game is at turn 3." in hall.says(ANN)
    hall.mail(ANN, order)
    assert hall.rules in ([], ["post.undo.open"])


@pytest.mark.parametrize("order", ["status", "draft Pass", "legal", "rules summon", "why", "history", "help"])
def test_what_changes_nothing_may_answer_any_mail(order: str) -> None:
    hall = Hall.of(2)
    first = hall.last(ANN)
    hall.turns("Pass", "Pass")
    assert not hall.mail(ANN, order, answering=first).problems


def test_a_plan_may_answer_the_receipt_though_others_have_played_since() -> None:
    hall = Hall.of(3)
    hall.turns("Pass")
    receipt = hall.last(ANN)
    hall.turns("Pass")
    assert not hall.mail(ANN, "if Bob passes: Pass", answering=receipt).problems


def test_a_turn_answers_the_turn_that_is_due() -> None:
    hall = Hall.of(2)
    first = hall.last(ANN)
    hall.turns("Pass", "Pass")
    hall.mail(ANN, "Pass", "say to all: hm", answering=first)
    assert hall.rules == ["post.order.late", "mail.stale"]
    assert "That turn has been played: 1. Ann Pass #" in hall.says(ANN)
    assert "If you still mean it, answer this mail." in hall.says(ANN)
    assert "hm" not in hall.says(BOB)
    hall.mail(BOB, "Pass", answering=first)
    assert "If you still mean it" not in hall.says(BOB)


def test_a_mail_without_a_marker_goes_by_its_key() -> None:
    hall = Hall.of(2)
    hall.turns("Pass", "Pass")
    late = game_service.receive_mail(hall.at, ANN, ordered(hall.at, ANN, "Pass"), hall.now, 1)
    assert [problem.rule for problem in late.problems] == ["mail.stale"]
    assert not game_service.receive_mail(hall.at, ANN, ordered(hall.at, ANN, "Pass"), hall.now, 3).problems
    other = game_service.receive_mail(
        hall.at, ANN, ordered(hall.at, ANN, "help", marker=Marker(1, "123456")), hall.now, 3
    )
    assert [problem.rule for problem in other.problems] == ["mail.history"]


def test_a_key_bounds_what_a_marker_claims() -> None:
    """A later marker does not lift an older key; an earlier one binds further; without a key a marker is believed."""
    hall = Hall.of(2)
    first = hall.last(ANN)
    hall.turns("Pass", "Pass")
    markers = {letter.turn: Marker(letter.turn, letter.after) for letter in (first, hall.last(ANN))}
    for marker, key, expected in ((3, 1, 1), (1, 3, 1), (3, None, 3), (None, 1, 1), (3, 3, 3)):
        orders = ordered(hall.at, ANN, "Pass", marker=markers.get(marker or 0))
        outcome = game_service.receive_mail(hall.at, ANN, orders, hall.now, key)
        assert outcome.record_changed == (expected == 3), (marker, key)
        assert outcome.letters[0].about == expected, (marker, key)


# -- who is told ------------------------------------------------------------------------------------------


def test_news_come_as_they_are_wished() -> None:
    hall = Hall.of(4)
    hall.mail(BOB, "notify every turn")
    hall.mail(CAL, "notify my turns")
    hall.mail(DEE, "notify struggles")
    hall.turns("Pass")
    assert hall.kinds == {ANN: "note", BOB: "turn"}
    hall.turns("Pass")
    assert hall.kinds == {BOB: "note", CAL: "turn"}
    hall.turns("Pass")
    assert hall.kinds == {CAL: "note", BOB: "news", DEE: "turn"}
    hall.turns("Pass")
    assert hall.kinds == {DEE: "note", ANN: "turn", BOB: "news"}
    assert hall.says(BOB).startswith("Dee passed, and the English won Northumbria. Ann is next. ---")
    assert hall.subjects[BOB].startswith("Turn 4: ")
    assert "Northumbria" in hall.subjects[BOB]


def test_everybody_is_told_how_the_game_ends() -> None:
    hall = Hall.of(3)
    for seat in (ANN, BOB, CAL):
        hall.mail(seat, "notify my turns")
    by_bots(hall)
    assert hall.at.time.over
    assert set(hall.kinds) == {ANN, BOB, CAL}
    for seat in (ANN, BOB, CAL):
        assert hall.subjects[seat].startswith("Game over: ")
        assert "HOW IT WAS DECIDED" in hall.told(seat)
        assert "SEE THE GAME AGAIN" in hall.told(seat)
        assert hall.last(seat).files == {GAME, REPLAY}
        assert hall.shows_board(seat)


def test_a_turn_mail_tells_all_since_the_last_turn_even_what_news_told() -> None:
    hall = Hall.of(3)
    hall.mail(ANN, "notify every turn")
    hall.turns("Pass", ASSEMBLE.replace("E Northumbria", "S Gwynedd"))
    assert hall.kinds == {BOB: "note", ANN: "news", CAL: "turn"}
    hall.turns("Pass")
    assert "1 You passed. 2 Bob played Assemble" in hall.says(ANN)
    assert "3 Cal passed." in hall.says(ANN)


def test_who_is_asked_again_at_once_gets_one_letter() -> None:
    hall = Hall.of(2)
    hall.turns("Pass")
    hall.mail(ANN, "pass always")
    hall.mail(BOB, ASSEMBLE.replace("E Northumbria", "S Gwynedd"))
    assert hall.kinds == {BOB: "again"}
    text = hall.says(BOB)
    assert text.startswith("You played Assemble in Gwynedd and Moray. It is your turn. ---")
    assert "Recorded as: 2. Bob Assemble" in text
    assert "3 Ann passed." in text
    assert ANSWERS in hall.told(BOB)
    assert hall.at.memory.asked == hall.at.turn_id
    assert hall.tick(MINUTE).letters == ()


def test_an_empty_hand_passes_and_it_is_said_so() -> None:
    hall = Hall.of(2)
    while not any("nothing to play" in turn.notes for turn in hall.at.record.turns):
        seat = hall.at.awaited
        assert seat is not None
        hall.mail(seat, hosted_game.choose_bot_turn(hall.at.view_as(seat), seat, hosted_game.BY_LOT))
    told = [hall.says(seat) for seat in hall.kinds]
    assert all("passed, with no card left." in text for text in told)


def test_words_come_with_the_turn_mail_in_one_letter() -> None:
    hall = Hall.of(3)
    hall.mail(ANN, "Pass", "say to all: Good luck!", "say to Bob: and to you")
    assert hall.kinds == {ANN: "note", BOB: "turn", CAL: "words"}
    assert 'Ann says to all: "Good luck!" To answer, reply `say to all: TEXT`.' in hall.says(BOB)
    assert 'Ann says to you alone: "and to you" To answer, reply `say to Ann: TEXT`.' in hall.says(BOB)
    assert "and to you" not in hall.says(CAL)
    assert hall.says(CAL).startswith("Ann writes to everybody. ---")
    assert '"Good luck!" To answer, reply `say to all: TEXT`.' in hall.says(CAL)
    assert "Ann passed" not in hall.says(CAL)


def test_words_to_all_are_words_to_you_in_a_game_of_two() -> None:
    hall = Hall.of(2)
    hall.mail(ANN, "say to all: Good luck!")
    assert hall.says(BOB).startswith("Ann writes to you. ---")


def test_words_to_a_team_mate_alone_are_not_carried() -> None:
    hall = Hall.of(4)
    hall.mail(ANN, "say to Cal: Take Essex", "say to all: Take Essex")
    assert hall.rules == ["post.say.team-mate"]
    assert hall.kinds == {ANN: "again", BOB: "words", CAL: "words", DEE: "words"}


def test_long_words_arrive_whole() -> None:
    hall = Hall.of(2)
    words = " ".join(f"word{number}" for number in range(200))
    hall.mail(ANN, f"say to all: {words}")
    assert f'"{words}"' in hall.says(BOB)


# -- plans ------------------------------------------------------------------------------------------------


def test_a_plan_is_told_to_its_owner_alone() -> None:
    hall = Hall.of(3)
    hall.turns("Pass")
    hall.mail(ANN, "if Cal passes: Assemble S Gwynedd, W Moray, E Moray; summon S Gwynedd; else stop")
    assert hall.kinds == {ANN: "note"}
    hall.turns("Pass")
    for seat in (BOB, CAL):
        assert "Plan" not in hall.told(seat)
    hall.turns("Pass")
    assert hall.at.record.turns[-1].number == 4
    assert hall.kinds == {CAL: "note", BOB: "turn", ANN: "news"}
    assert (
        "Turn 4: Plan 1 plays `Assemble S Gwynedd, W Moray, E Moray; summon S Gwynedd`: Cal passed in turn 3."
        in hall.says(ANN)
    )
    for seat in (BOB, CAL):
        assert "4 Ann played Assemble" in hall.says(seat) or "4 You played" in hall.says(seat)
        assert "lan 1" not in hall.says(seat)


def test_a_plan_that_waits_is_told_of_once() -> None:
    hall = Hall.of(2)
    hall.turns("Pass")
    hall.mail(ANN, "if Bob passes: Pass")
    hall.turns(ASSEMBLE.replace("E Northumbria", "S Gwynedd"))
    assert "Turn 3: Plan 1 waits: Bob played Assemble in turn 2." in hall.says(ANN)
    for _ in range(3):
        hall.mail(BOB, "status")
        hall.tick(HOUR)
    hall.mail(ANN, "status")
    assert "waits" not in hall.told(ANN)
    assert "1 `if Bob passes: Pass`" in hall.says(ANN)


def test_a_planned_turn_that_breaks_a_rule_is_not_played() -> None:
    hall = Hall.of(2)
    hall.turns("Pass")
    hall.mail(ANN, "(Welsh Support WWW Warwick; summon W Devon)", "pass always")
    hall.turns(ASSEMBLE.replace("E Northumbria", "S Gwynedd"))
    assert hall.at.awaited == ANN
    assert "Turn 3: Plan 1 cannot play `Welsh Support WWW Warwick; summon W Devon`, and you decide:" in hall.says(ANN)
    assert "Turn 3: Plan 2 has ended, because plan 1 stopped." in hall.says(ANN)
    assert hall.at.memory.seats[ANN].plans == ()


def test_a_plan_given_on_the_own_turn_is_looked_at_at_once() -> None:
    hall = Hall.of(2)
    hall.mail(ANN, "pass until struggle")
    assert hall.at.turns == 1
    assert "Turn 1: Plan 1 plays `Pass`" in hall.says(ANN)
    assert hall.kinds == {ANN: "note", BOB: "turn"}
    hall.turns("Pass")
    assert hall.at.awaited == ANN
    assert "Plan 1 has ended: the power struggle in Warwick was resolved." in hall.says(ANN)


@pytest.mark.parametrize(
    ("plan", "became"),
    [
        pytest.param("if Bob passes: stop", "Turn 3: Plan 1 stops, and you decide: Bob passed in turn 2.", id="stops"),
        pytest.param("if Bob acts: Pass", "Turn 3: Plan 1 waits: Bob passed in turn 2.", id="waits"),
    ],
)
def test_a_plan_given_on_the_own_turn_that_plays_nothing_is_answered_with_turns_to_send(plan: str, became: str) -> None:
    hall = Hall.of(2)
    hall.turns("Pass", "Pass")
    hall.mail(ANN, plan)
    assert (hall.at.turns, hall.at.awaited) == (2, ANN)
    assert became in hall.says(ANN)
    stopped = not hall.at.memory.seats[ANN].plans
    assert hall.says(ANN).startswith("Your plan stopped at once: nothing was played. ---") == stopped
    assert ("Plan 1 is active from now on" in hall.says(ANN)) != stopped
    assert ANSWERS in hall.says(ANN)
    assert "It is still your turn." in hall.says(ANN)


def test_two_standing_orders_play_a_game_on_until_one_ends() -> None:
    hall = Hall.of(2)
    hall.mail(BOB, "pass until struggle")
    hall.mail(ANN, "pass until struggle")
    assert (hall.at.turns, hall.at.awaited) == (2, ANN)
    hall.mail(BOB, "pass always")
    hall.mail(ANN, "pass always")
    assert hall.at.time.over
    assert hall.at.turns == 16


def test_numbers_of_plans_are_not_used_again() -> None:
    hall = Hall.of(2)
    hall.turns("Pass")
    hall.mail(ANN, "pass always", "if Bob passes: stop")
    hall.mail(ANN, "cancel all")
    hall.mail(ANN, "pass always")
    assert "Plan 3 is active from now on" in hall.says(ANN)


# -- the clock --------------------------------------------------------------------------------------------

CLOCK = "2 days a turn, 1 day grace, remind after 1 day, then pass, adjourn after 2, 3 days away"


def test_reminder_grace_pass_and_adjourned_game() -> None:
    hall = Hall.of(2, CLOCK)
    hall.until_due()
    assert (hall.now - START, hall.kinds) == (DAY, {ANN: "turn"})
    assert hall.says(ANN).startswith(
        "Bob waits for your turn until Monday 23 November, 10:00 UTC. That is 24 hours. ---"
    )
    assert "If you do nothing, the host passes for you on Tuesday 24 November, 10:00 UTC." in hall.says(ANN)
    assert hall.subjects == {ANN: "Turn 1: 24 hours left"}
    assert ANSWERS in hall.told(ANN)
    hall.until_due()
    assert (hall.now - START, hall.kinds) == (2 * DAY, {ANN: "turn"})
    assert hall.says(ANN).startswith("Your time is up. You have grace until Tuesday 24 November, 10:00 UTC. ---")
    assert hall.subjects == {ANN: "Turn 1: 24 hours of grace left"}
    hall.until_due()
    assert (hall.now - START, hall.kinds) == (3 * DAY, {ANN: "news", BOB: "turn"})
    assert hall.says(ANN).startswith("Your time ran out, and the host passed for you. Bob is next. ---")
    assert "The full rule, post.clock.out:" in hall.says(ANN)
    assert "1 The host passed for Ann, because time ran out." in hall.says(BOB)
    assert hall.tick(MINUTE).letters == ()
    hall.turns(ASSEMBLE.replace("E Northumbria", "S Gwynedd"))
    for _ in range(3):
        hall.until_due()
    assert hall.kinds == {ANN: "turn", BOB: "news"}
    assert "It continues when you send a turn." in hall.says(ANN)
    assert hall.says(ANN).startswith("Your time ran out, and the game is adjourned. Send a turn to continue. ---")
    assert hall.says(BOB).startswith("Ann's time ran out, and the game is adjourned. ---")
    assert hall.subjects[BOB] == "Turn 3: adjourned"
    assert "It continues when Ann sends a turn." in hall.says(BOB)
    assert (hall.at.awaited, hall.at.to_act, hall.outcome.due) == (ANN, None, None)


def test_a_turn_resumes_an_adjourned_game() -> None:
    hall = Hall.of(2, "1 day a turn, no reminder, then adjourn")
    hall.until_due()
    hall.tick(30 * DAY)
    hall.mail(BOB, "Pass")
    assert hall.rules == ["second.turn.order"]
    hall.mail(ANN, "status")
    assert ANSWERS in hall.told(ANN)
    hall.mail(ANN, "Pass")
    assert not hall.rules
    assert not hall.at.time.adjourned
    assert hall.outcome.due == hall.now + DAY
    assert hall.kinds == {ANN: "note", BOB: "turn"}


def test_a_late_turn_is_answered_once_and_told_that_the_time_was_out() -> None:
    hall = Hall.of(2, "1 day a turn, no reminder, then pass")
    hall.mail(ANN, "Pass", after=2 * DAY)
    assert hall.rules == ["mail.stale"]
    assert hall.kinds == {ANN: "note", BOB: "turn"}
    assert hall.says(ANN).startswith("Not played: your mail answers turn 1, but the game is at turn 2. ---")
    assert "Your time ran out, and the host passed for you." in hall.says(ANN)
    assert "The host passed for you in that turn:" in hall.says(ANN)


def test_an_order_in_the_grace_is_in_time() -> None:
    hall = Hall.of(2, CLOCK)
    hall.mail(ANN, "Pass", after=2 * DAY + HOUR)
    assert not hall.rules
    assert hall.kinds == {ANN: "note", BOB: "turn"}


def test_a_seat_that_is_offered_is_taken_over_by_somebody_or_a_bot() -> None:
    hall = Hall.of(3, "2 days a turn, no reminder, then stand-in")
    hall.mail(ANN, "notify my turns")
    hall.turns("Pass")
    hall.until_due()
    assert hall.kinds == {ANN: "news", BOB: "turn", CAL: "news"}
    assert hall.says(CAL).startswith("Bob's time ran out, and the host offers the seat to somebody else. ---")
    assert "Until somebody takes it, Bob may play." in hall.says(CAL)
    hall.took(game_service.apply_owner_note(hall.at, StandIn(BOB, "Zoe", hall.now, "zoe@example.org"), hall.now))
    assert hall.kinds == {ANN: "news", BOB: "turn", CAL: "news"}
    assert hall.says(BOB).startswith("You play for Bob from now on. Your turn")
    assert "Zoe plays for Bob from now on." in hall.says(CAL)
    assert "1 Ann passed." in hall.says(BOB)
    assert hall.at.find_address(BOB) == "zoe@example.org"
    hall.turns("Pass")
    hall.took(game_service.apply_owner_note(hall.at, StandIn(CAL, "Merlin", hall.now, bot=True), hall.now))
    assert hall.at.record.turns[-1].seat == CAL
    assert hall.kinds == {ANN: "turn", BOB: "news"}
    hall.turns("Pass", "Pass")
    assert hall.at.awaited == ANN
    assert CAL not in hall.kinds
    hall.took(game_service.apply_owner_note(hall.at, Back(BOB, hall.now), hall.now))
    assert hall.says(ANN).startswith("Bob is back. ---")
    assert hall.at.find_address(BOB) == "player2@example.org"


def test_whoever_keeps_the_game_may_resume_it() -> None:
    hall = Hall.of(2, "1 day a turn, no reminder, then adjourn")
    hall.until_due()
    hall.took(game_service.apply_owner_note(hall.at, Resumed(hall.now), hall.now))
    assert hall.kinds == {ANN: "turn", BOB: "news"}
    assert hall.outcome.due == hall.now + DAY


def test_absences() -> None:
    hall = Hall.of(2, CLOCK)
    hall.mail(ANN, "away 2026-11-21 to 2026-11-22")
    assert "Your clock stops on 1 of these 2 days. Days that have begun" in hall.says(ANN)
    hall.mail(ANN, "away 2026-12-20 to 2026-12-21")
    assert hall.says(ANN).startswith("You are away from 20 December 2026 to 21 December 2026. ---")
    assert "Your clock stops on these 2 days." in hall.says(ANN)
    before = hall.at.record_text
    hall.mail(ANN, "away 2027-01-20 to 2027-01-21")
    assert hall.rules == ["post.away.most"]
    assert "you have used up your 3 days of absence." in hall.says(ANN)
    hall.mail(BOB, "away 2026-11-01 to 2026-11-02")
    assert hall.rules == ["post.away.late"]
    assert hall.at.record_text == before
    hall.mail(ANN, "cancel away", after=HOUR)
    assert "You are back, and your clock is running again" in hall.says(ANN)
    hall.mail(ANN, "cancel away")
    assert "You have not announced any days away." in hall.says(ANN)
    assert hall.at.time.seats[ANN].pauses == ()
    free = Hall.of(2, "")
    free.mail(BOB, "away 2026-12-20 to 2026-12-20")
    assert free.says(BOB).startswith("You are away on 20 December 2026. ---")
    assert "This game has no clock." in free.says(BOB)


def test_a_time_zone_is_stated_by_its_city_or_by_how_far_it_is_from_utc() -> None:
    """Cites: post.clock.zone."""
    hall = Hall.of(2, "3 working days a turn")
    hall.mail(BOB, "time zone is Kathmandu")
    assert hall.says(BOB).startswith("Your time zone is UTC+05:45. ---")
    assert "Days without a clock begin and end at midnight there" in hall.says(BOB)
    assert "# time zone: Bob +05:45" in hall.at.record_text
    hall.mail(ANN, "time zone UTC-3")
    assert "From your next turn on, days without a clock begin" in hall.says(ANN)
    assert [seat.ahead for seat in hall.at.time.seats] == [0 * HOUR, 5.75 * HOUR]
    before = hall.at.record_text
    hall.mail(BOB, "time zone +19:00")
    assert hall.rules == ["post.clock.zone"]
    assert "`+19:00` is not a time zone." in hall.says(BOB)
    assert hall.at.record_text == before


# -- giving up, and games that are over -------------------------------------------------------------------


def test_resigning_in_a_game_of_two_ends_it() -> None:
    hall = Hall.of(2)
    hall.mail(BOB, "resign")
    assert hall.kinds == {BOB: "note", ANN: "news"}
    assert hall.outcome.due is None
    assert hall.says(ANN).startswith("You won: Bob has resigned. ---")
    assert hall.says(BOB).startswith("Ann won: you have resigned. ---")
    assert hall.subjects == {ANN: "Game over: you won", BOB: "Game over: Ann won"}
    assert hall.shows_board(ANN)


def test_with_more_players_the_seat_passes_from_then_on() -> None:
    hall = Hall.of(3)
    hall.mail(BOB, "pass always")
    hall.mail(BOB, "resign")
    assert hall.says(BOB).startswith("You have resigned. ---")
    assert "The host passes for you from now on." in hall.says(BOB)
    assert "Plan 1 has ended: you have resigned." in hall.says(BOB)
    hall.turns("Pass")
    assert hall.kinds == {ANN: "note", CAL: "turn"}
    assert "2 The host passed for Bob, who has resigned." in hall.says(CAL)
    hall.mail(
        BOB,
        "Pass",
        "pass always",
        "undo?",
        "away 2026-12-20 to 2026-12-21",
        "resign",
        "draft Pass",
        "say to all: Play on!",
    )
    assert hall.rules == ["post.resign"] * 6
    assert '"Play on!"' in hall.says(ANN)
    before = hall.at.record_text
    hall.mail(BOB, "cancel away", "cancel all")
    assert hall.rules == ["post.resign"] * 2
    assert hall.at.record_text == before
    hall.mail(CAL, "resign")
    assert hall.says(ANN).startswith("You won: Bob and Cal have resigned. ---")
    assert hall.subjects[ANN] == "Game over: you won"


def test_a_team_has_lost_when_both_have_resigned() -> None:
    hall = Hall.of(4)
    hall.mail(ANN, "resign")
    assert not hall.at.time.over
    assert hall.at.awaited == BOB
    hall.mail(CAL, "resign")
    assert hall.says(DEE).startswith("You and Bob won: Ann and Cal have resigned. ---")


def test_resigning_goes_before_a_turn_of_the_same_mail() -> None:
    hall = Hall.of(3)
    hall.mail(ANN, "Pass", "resign")
    assert (hall.rules, hall.at.turns) == (["post.resign.sure"], 0)
    assert 'Not played either: "Pass"' in hall.says(ANN)
    hall.mail(ANN, answer="yes")
    assert [turn.notes[-1] for turn in hall.at.record.turns] == ["resigned"]


@pytest.mark.slow
def test_a_decision_that_cannot_be_passed_adjourns_the_game_of_who_has_resigned() -> None:
    hall = plotting(3)
    seat = hall.at.awaited
    assert seat is not None
    others = [other for other in (ANN, BOB, CAL) if other != seat]
    hall.mail(seat, "pass always")
    assert "waits: the next decision is not a card or a pass." in hall.says(seat)
    hall.mail(seat, "resign")
    name = hall.at.names[seat]
    for other in others:
        assert f"{name} has resigned and cannot pass this turn: the game is adjourned." in hall.says(other)
        assert f"It continues when somebody else plays {name}'s seat." in hall.says(other)
    assert hall.mail(seat, "Plot S").problems[0].rule == "post.resign"
    hall.took(game_service.apply_owner_note(hall.at, StandIn(seat, "Merlin", hall.now, bot=True), hall.now))
    assert hall.at.time.adjourned
    hall.took(game_service.apply_owner_note(hall.at, Resumed(hall.now), hall.now))
    assert hall.at.time.over


def test_out_of_time_for_plot_adjourns_the_game() -> None:
    hall = plotting(2)
    seat = hall.at.awaited
    assert seat is not None
    assert "Plot S" in hall.told(seat) or "Plot S" in format_plain(hall.last(seat).body)
    hall.mail(seat, "Pass")
    assert hall.rules == ["second.card.plot.name"]
    hall.until_due()
    hall.until_due()
    assert hall.says(seat).startswith("Your time ran out, and the game is adjourned.")
    hall.mail(seat, "Plot W")
    assert not hall.rules
    assert hall.at.time.over


@pytest.mark.slow
def test_in_a_game_that_is_over_there_are_words_questions_and_wishes() -> None:
    hall = Hall.of(3)
    by_bots(hall)
    hall.mail(BOB, "say to all: Well played!", "why", "status", "notify every turn", "history", "help", "rules summon")
    assert not hall.rules
    assert hall.kinds == {BOB: "note", ANN: "words", CAL: "words"}
    for order in (
        "pass always",
        "if Ann passes: Pass",
        "undo?",
        "undo yes",
        "resign",
        "cancel all",
        "away 2026-12-20 to 2026-12-27",
    ):
        hall.mail(BOB, order)
        assert hall.rules == ["post.order.over"], order
        assert hall.kinds == {BOB: "note"}
    hall.mail(BOB, "Pass", "draft Pass")
    assert hall.rules == ["second.ending.over"] * 2
    assert hall.tick(100 * DAY).letters == ()


# -- by hand ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "order",
    ["pass always", "if Bob passes: Pass", "cancel all", "notify my turns", "say to all: hi", "undo?", "undo no"],
)
def test_by_hand_nobody_keeps_plans_words_and_wishes(order: str) -> None:
    at = game_service.open_without_host(Hall.of(2).at.replay, ANN)
    outcome = game_service.receive_mail(at, ANN, ordered(at, ANN, order, "status"), START)
    assert [problem.rule for problem in outcome.problems] == ["post.order.hosted"]
    assert len(outcome.letters) == 1
    assert not outcome.record_changed


@pytest.mark.parametrize("order", ["Pass", "away 2026-12-20 to 2026-12-27", "resign"])
def test_by_hand_the_record_is_kept_and_the_sender_alone_is_written_to(order: str) -> None:
    at = game_service.open_without_host(Hall.of(3).at.replay, ANN)
    outcome = game_service.receive_mail(at, ANN, ordered(at, ANN, order, "help", f"draft {ASSEMBLE}"), START)
    assert outcome.record_changed
    assert [letter.seat for letter in outcome.letters] == [ANN]
    assert not outcome.problems or order == "resign"
    assert "notify" not in format_plain(outcome.letters[0].body)


def test_a_draft_that_was_judged_before_the_turn_does_not_stand_for_what_may_be_answered() -> None:
    """The other passes by a plan, so the sender is asked again, in another position than the draft's."""
    begun = game_service.begin_game(dealt(2), START).game
    at = game_service.receive_mail(begun, BOB, ordered(begun, BOB, "pass always"), START + MINUTE).game
    outcome = game_service.receive_mail(at, ANN, ordered(at, ANN, "Pass", "draft Pass"), START + HOUR)
    assert outcome.game.to_act == ANN
    assert ANSWERS in format_plain(outcome.letters[0].body)
