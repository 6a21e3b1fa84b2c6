"""Orders in doubt become a question, and a turn beside an unknown sentence is held: what the desk makes of each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from attrs import evolve

from tests.mail.hall import ANN, BOB, HOUR, MINUTE, START, Hall, dealt, intervene_in_game
from tests.mail.mails import orders_of
from tests.shared.tables import each_row
from tkid.club.desk_orders import DeskOrder
from tkid.games.struggle.mail import find_example_turn
from tkid.mail import game_service, order_offers
from tkid.mail.blocks import Letter, format_plain
from tkid.mail.game_service import HostedGame, Outcome
from tkid.mail.hosted_game import Memory
from tkid.notation.judge import Line, Verdict

HOLD = timedelta(minutes=15)
UNKNOWN = "This is frumious."
"""A sentence that no table knows."""


def send(hall: Hall, seat: int, text: str, *, after: timedelta = MINUTE, letter: Letter | None = None) -> Outcome:
    """Answer the last letter to a seat at a host that holds turns."""
    hall.now += after
    answered = letter or hall.last(seat)
    orders = orders_of(text, hall.at.replay, seat)
    key = answered.turn, answered.offer
    return hall.took(game_service.receive_mail(hall.at, seat, orders, hall.now, *key, hold=HOLD))


def turn_of(hall: Hall, card: str = "Assemble") -> str:
    """A legal turn."""
    return find_example_turn(hall.at.replay, card)


def held(terms: str = "3 days a turn", players: int = 2) -> Hall:
    """A game in which Ann's turn is held."""
    hall = Hall(dealt(players, terms))
    send(hall, ANN, f"{turn_of(hall)}\n\n{UNKNOWN}")
    assert hall.at.turn_held is not None
    return hall


# -- questions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "TURN\n\nActually pass.",
        "TURN\n???",
        "TURN\nif Bob passes",
        "TURN\nScrap that.",
        "Pass\nNo wait",
        "TURN\n\nHmm, not sure. Is this legal at all? Do not play it yet.",
        "What would happen if I played this?\n\nTURN",
        "Bob, you should have played\nTURN\nlast time!",
        "My last turn should have been\n\nTURN",
        "You said:\nPass\nDid you mean that?",
        "I don't want to\npass\nyet, let me think until tomorrow.",
        "TURN, I think",
        "Pass - no wait",
        "TURN ...",
        "TURN\n-- \nAnn\n\nPS: no wait, I'd rather pass",
    ],
)
def test_a_turn_in_doubt_is_asked_about(text: str) -> None:
    hall = Hall.of()
    outcome = send(hall, ANN, text.replace("TURN", turn_of(hall)))
    assert not outcome.record_changed
    assert hall.says(ANN).startswith("Is this the turn you meant? Nothing has been played yet.")
    assert "You also wrote:" in hall.says(ANN)
    assert hall.rules == ["mail.doubt"]
    assert len(outcome.letters) == 1, "nobody else hears of it"
    assert send(hall, ANN, "yes").record_changed


SUPPORT, ASSEMBLY, LONG = (
    "Scottish Support SS Strathclyde; summon W Northumbria",
    "Assemble S Gwynedd, W Warwick, E Lancaster; summon E Northumbria",
    "Outmanoeuvre E Lancaster <> WE Warwick; summon W Northumbria",
)


@each_row(
    "text",
    [
        "Lancaster, I mean.",
        "PS the S should go to Moray.",
        "The Scot goes to Moray, of course.",
        "with E, sorry",
        "Welsh Support, I mean.",
        "Moray, not Gwynedd!",
        "Not Strathclyde.",
        "The summon should be E.",
        "I take the W from Gwynedd.",
        "s/Strathclyde/Lancaster/",
        "Meinte Moray.",
        "Natürlich in Lancaster.",
        "Je veux dire Essex.",
        "Bedoel Essex.",
        "Volevo dire Devon.",
        "Essex, however, is where they are really needed.",
        "The English deserve that boost more than the Scots.",
        "I'll have the Scot from Northumbria.",
        "Die Schotten gehören nach Devon.",
        "Les Écossais seraient mieux à Moray.",
    ],
)
def test_a_turn_beside_a_name_that_it_lacks_is_asked_about(text: str) -> None:
    hall = Hall.of(3)
    assert not send(hall, ANN, f"{SUPPORT}\n\n{text}").record_changed
    said = hall.says(ANN)
    assert said.startswith("Is this the turn you meant? Nothing has been played yet.")
    assert said.count(text) == 1, "the sentence is quoted once"


@each_row(
    "text",
    [
        "Strathclyde, I mean it!",
        "The Scots go to Strathclyde, of course.",
        "Strathclyde, not Moray.",
        "So I summon the W from Northumbria.",
        "Nice move in Moray, Bob!",
        "See you in Warwick on Friday!",
        "The Welsh are too strong in Essex.",
        "My grandmother came from Lancaster.",
        "Best, A. #231ca6",
    ],
)
def test_a_name_in_a_turn_or_in_a_remark_corrects_nothing(text: str) -> None:
    hall = Hall.of(3)
    send(hall, ANN, f"{SUPPORT}\n\n{text}")
    assert not hall.says(ANN).startswith("Is this the turn you meant?")


def test_a_disc_in_another_region_than_in_the_turn_is_asked_about() -> None:
    for text, act in (("Essex gets the disc.", "ask"), ("Devon gets the disc.", "")):
        hall = Hall.of(3)
        send(hall, ANN, f"Negotiate Devon <> Essex, disc Devon; summon W Northumbria\n\n{text}")
        assert hall.says(ANN).startswith("Is this the turn you meant?") == bool(act)


@each_row(
    "text, turns",
    [
        (f"1) {SUPPORT}\n2) {ASSEMBLY}\n\nI'll go with the second.", (SUPPORT, ASSEMBLY)),
        (f"a) {ASSEMBLY}\nb) Pass\n\nb)", (ASSEMBLY, "Pass")),
        (f"Option A: {SUPPORT}\nOption B: {ASSEMBLY}\n\nB it is.", (SUPPORT, ASSEMBLY)),
        (f"a) Scottish Support SS Strathclyde;\nsummon W Northumbria\nb) {ASSEMBLY}", (SUPPORT, ASSEMBLY)),
        (f"Pass... no, {ASSEMBLY}", ("Pass", ASSEMBLY)),
        (f"Pass\nScratch that: {SUPPORT}", ("Pass", SUPPORT)),
        (f"Pass\n\nunless Bob has already passed, then {ASSEMBLY}", ("Pass", ASSEMBLY)),
        (f"{SUPPORT} or {ASSEMBLY}?", (SUPPORT, ASSEMBLY)),
        (f"Entweder {SUPPORT} oder Pass", (SUPPORT, "Pass")),
        (f"Either {SUPPORT}\nor {ASSEMBLY}", (SUPPORT, ASSEMBLY)),
        (f"Either Pass\nor {ASSEMBLY}", ("Pass", ASSEMBLY)),
        (f"Plan A: {LONG}\nPlan B: {SUPPORT}", (LONG, SUPPORT)),
        (f"First choice: {LONG}\nSecond choice: Pass", (LONG, "Pass")),
        (f"{SUPPORT}\n\nPass, I mean.", (SUPPORT, "Pass")),
        (f"{SUPPORT}\n\nOh, pass!", (SUPPORT, "Pass")),
    ],
)
def test_of_several_turns_in_any_words_the_sender_is_asked_which(text: str, turns: tuple[str, ...]) -> None:
    hall = Hall.of(3)
    assert not send(hall, ANN, text).record_changed
    assert hall.says(ANN).startswith("Which of these turns did you mean? Nothing has been played yet.")
    (offer,) = hall.at.memory.list_offers(ANN)
    assert offer.lines == turns
    assert "Not done" not in hall.says(ANN)


@each_row(
    "text, act",
    [
        ("The second one, please.", "play"),
        ("No. 2", "play"),
        ("I meant the latter.", "play"),
        ("2, thanks for waiting!", "play"),
        ("The second one, please. I think the Scots can wait.", "ask"),
        ("2, but with E", "ask"),
    ],
)
def test_a_number_in_a_sentence_chooses_a_turn(text: str, act: str) -> None:
    hall = Hall.of(3)
    send(hall, ANN, f"{SUPPORT}\n{ASSEMBLY}")
    assert send(hall, ANN, text).record_changed == (act == "play")
    if act == "ask":
        assert hall.at.memory.list_offers(ANN)[-1].lines == (ASSEMBLY,)
        assert send(hall, ANN, "yes").record_changed


@pytest.mark.parametrize(
    "signature",
    [
        "Sorry, please ignore this one.",
        "Ann\nPD: mejor no, espera",
        "Ann\n\nNB: wrong card, ignore",
        "Ann\n\nNein, halt, bitte nicht ausführen!",
        "Ann Smith\n\nOh wait, scrap that please.",
        "Ann\nAttends, je me suis trompée.",
        "Please don't play this yet.",
    ],
)
@pytest.mark.parametrize("mark", ["--", "-- "])
def test_a_doubt_below_a_signature_is_heard(mark: str, signature: str) -> None:
    hall = Hall.of()
    assert not send(hall, ANN, f"{turn_of(hall)}\n\n{mark}\n{signature}").record_changed
    assert "You also wrote:" in hall.says(ANN)
    assert send(hall, ANN, "yes").record_changed


@pytest.mark.parametrize(
    "signature",
    [
        "Ann Smith\nHead of Sales\n+44 113 496 0000",
        "This message is confidential. If you are not the intended recipient, please delete it.",
        "If you have received this e-mail in error, please ignore it and tell the sender.",
        "Sent from my phone, please excuse typos.",
        "Please consider the environment before printing this e-mail.",
        "Never give up, never surrender!",
        "I think, therefore I am.\nPass",
        "Diese E-Mail kann vertraulich sein. Falls Sie nicht der richtige Adressat sind, löschen Sie sie bitte.",
        "Pensez à l'environnement avant d'imprimer ce message.",
    ],
)
def test_a_signature_holds_no_turn_up(signature: str) -> None:
    hall = Hall.of()
    assert send(hall, ANN, f"{turn_of(hall)}\n\n-- \n{signature}").record_changed
    assert hall.at.turn_held is None


@pytest.mark.parametrize(
    "signature", ["Stop, I see now that Essex is open.", "To be or not to be, that is the question."]
)
def test_a_signature_that_may_be_a_doubt_holds_a_turn(signature: str) -> None:
    hall = Hall.of()
    assert not send(hall, ANN, f"{turn_of(hall)}\n\n-- \n{signature}").record_changed
    assert hall.at.turn_held is not None


def test_of_two_turns_one_is_chosen() -> None:
    hall = Hall.of()
    send(hall, ANN, f"Should I pass?\n\nPass\n\nor this?\n\n{turn_of(hall)}")
    assert hall.says(ANN).startswith("Which of these turns did you mean? Nothing has been played yet.")
    assert hall.rules == ["mail.one-turn"]
    send(hall, ANN, "2")
    assert hall.at.turns == 1
    assert hall.at.replay.last.line.endswith(turn_of(hall.__class__.of()))


def test_of_two_turns_the_legal_one_is_offered() -> None:
    hall, wrong = Hall.of(), "Manoeuvre S Essex <> S Devon; summon S Essex"
    send(hall, ANN, f"{turn_of(hall)}\n\n{wrong}")
    assert not hall.at.turns
    assert hall.says(ANN).startswith("Is this the turn you meant?")
    send(hall, ANN, f"{wrong}\n\n{turn_of(hall)}")
    assert hall.says(ANN).startswith("Not played:")
    assert not hall.at.turns


@pytest.mark.parametrize("doubt", ["Scrap that.", "Not yet, let me think.", "On second thought, no."])
def test_plans_and_absences_in_doubt_are_asked_about(doubt: str) -> None:
    hall = Hall.of()
    send(hall, ANN, f"away 2026-12-01 to 2026-12-03\n\n{doubt}")
    assert hall.says(ANN).startswith("Is this what you meant? Nothing has been done yet.")
    assert "# away" not in hall.at.record_text
    send(hall, ANN, "yes")
    assert "# away" in hall.at.record_text
    send(hall, BOB, f"pass until struggle\n\n{doubt}")
    assert not hall.at.memory.seats[BOB].plans


@each_row("order", ["agree draw", "agree abandon", "undo yes"])
def test_what_cannot_be_taken_back_is_asked_about_in_doubt(order: str) -> None:
    hall = Hall.of().turns("Pass")
    send(hall, ANN, "undo?")
    send(hall, BOB, f"{order}\n\nScrap that.")
    assert hall.rules == ["mail.doubt"]
    assert hall.says(BOB).startswith("Is this what you meant? Nothing has been done yet.")
    before = hall.at.record_text, hall.at.memory.find_proposal("agree")
    send(hall, BOB, "yes")
    assert (hall.at.record_text, hall.at.memory.find_proposal("agree")) != before


UNCERTAIN = (
    *(
        "No wait, I have no time",
        "Please do not start this yet.",
        "Or is that a bad idea?",
        "Ich bin noch nicht sicher, ob das gut ist",
    ),
    *("I must ask Bob first.", "Moet ik dit wel doen?", "Это ещё не решено"),
)
"""Sentences beside which a turn would be held, or asked about."""


@each_row("text", UNCERTAIN)
@pytest.mark.parametrize(
    "order",
    ["pass until struggle", "if Bob passes: Pass", "Pass; then Pass", "away 2026-12-01 to 2026-12-03", "agree draw"],
)
def test_orders_that_cannot_be_held_are_asked_about(order: str, text: str) -> None:
    """Cites: mail.doubt."""
    hall = Hall.of()
    for mail in (f"{order}\n\n{text}", f"{text}\n\n{order}"):
        before = hall.at
        assert not send(hall, ANN, mail).record_changed
        assert hall.says(ANN).startswith("Is this what you meant? Nothing has been done yet.")
        assert (hall.at.memory.seats[ANN].plans, hall.at.memory.find_proposal("agree")) == (
            (),
            before.memory.find_proposal("agree"),
        )
    assert send(hall, ANN, "yes").game != before


@each_row("text", [UNKNOWN, "Greetings from Leeds!", "We visit my parents. Merry Christmas!"])
def test_plans_are_carried_out_beside_other_sentences(text: str) -> None:
    hall = Hall.of()
    assert send(hall, ANN, f"away 2026-12-01 to 2026-12-03\n\n{text}").record_changed
    send(hall, ANN, f"if Bob passes: Pass\n\n{text}")
    assert hall.at.memory.seats[ANN].plans


@each_row("text", [f"yes\n\n{each}" for each in (*UNCERTAIN, "Hmm", "Let me think")])
def test_a_yes_in_doubt_is_asked_again(text: str) -> None:
    hall = Hall.of()
    send(hall, ANN, f"{turn_of(hall)}\n\nnot sure")
    assert not send(hall, ANN, text).record_changed
    assert hall.at.turn_held is None
    assert hall.says(ANN).startswith("Is this the turn you meant? Nothing has been played yet.")
    assert send(hall, ANN, "yes, thanks!").record_changed


def test_questions_messages_and_settings_are_carried_out_beside_a_doubt() -> None:
    hall = Hall.of()
    send(hall, ANN, f"{turn_of(hall)}\nsay to Bob: see you soon\nnotify every turn\n\nScrap that.")
    assert not hall.at.turns
    assert "see you soon" in hall.says(BOB)
    assert hall.at.memory.seats[ANN].wish == "every turn"


@pytest.mark.parametrize(
    "text",
    [
        "TURN\nsay to Bob: scrap that, I am not sure. Do not play yet!",
        "say to all:\nActually, no. Forget it.\nWait!\n\nTURN",
        "draft Pass\n\nTURN",
        "> Scrap that.\n> Pass\n\nTURN",
        "TURN\nlegal",
    ],
)
def test_messages_drafts_and_quotations_are_no_evidence(text: str) -> None:
    hall = Hall.of()
    send(hall, ANN, text.replace("TURN", turn_of(hall)))
    assert hall.at.turns == 1


def test_remarks_that_nobody_needs_to_ask_about() -> None:
    hall = Hall.of()
    send(hall, ANN, f"Hi Bob,\n\n{turn_of(hall)}\n\nLovely weather here. Your move!\n\nCheers,\nAnn")
    assert hall.at.turns == 1


# -- a turn that is held ----------------------------------------------------------------------------------


def test_a_held_turn_is_played_at_its_time() -> None:
    hall = held()
    mailed = hall.now
    assert hall.says(ANN).startswith("Your turn will be played at 10:16 UTC. To stop it, reply `no`.")
    assert UNKNOWN in hall.says(ANN)
    assert [letter.seat for letter in hall.outcome.letters] == [ANN], "nobody else hears of it"
    assert hall.outcome.due == mailed + HOLD
    assert not hall.tick(timedelta(minutes=14)).letters
    outcome = hall.until_due()
    assert outcome.record_changed
    assert hall.kinds == {ANN: "note", BOB: "turn"}
    assert hall.subjects[ANN] == "Turn 1: your turn was played"
    assert hall.says(ANN).startswith("You played Assemble in ")
    assert "Reply `undo?` before Bob plays." in hall.says(ANN)
    assert "{at 2026-11-21T10:01Z}" in hall.at.record_text, "the clock counts the time of the mail"
    assert hall.at.memory.find_proposal("held", ANN) is None


def test_a_held_turn_survives_a_restart() -> None:
    hall = held()
    for _ in range(2):
        hall.at = HostedGame.read_stored(hall.at.record_text, hall.at.memory_text)
    hall.until_due()
    assert hall.at.turns == 1
    hall.at = HostedGame.read_stored(hall.at.record_text, hall.at.memory_text)
    hall.tick(HOUR)
    assert hall.at.turns == 1, "once"


def test_a_turn_that_waits_when_the_game_ends_is_reported() -> None:
    hall = held()
    turn = turn_of(hall)
    send(hall, BOB, "agree draw")
    send(hall, ANN, "yes")
    assert f"Your turn `{turn}` was not played" in " ".join(hall.says(ANN).split())
    assert "was not played" not in hall.says(BOB)


def test_memory_from_before_turns_were_held_is_read() -> None:
    text = Hall.of().at.memory_text
    assert "proposals" not in text
    assert Memory.read_text(text) == Hall.of().at.memory


@pytest.mark.parametrize("answer", ["no", "No, thanks", "Wait, scrap that.", "I changed my mind"])
@pytest.mark.parametrize("latest", [True, False])
def test_a_held_turn_is_stopped(answer: str, *, latest: bool) -> None:
    hall = held()
    asked = next(letter for letter in hall.letters if letter.seat == ANN)
    send(hall, ANN, answer, letter=None if latest else asked)
    assert hall.at.turn_held is None
    assert hall.says(ANN).startswith("Nothing has been played. It is still your turn.")
    assert not hall.tick(HOUR).record_changed
    send(hall, ANN, "Pass")
    assert hall.at.turns == 1


def test_a_held_turn_is_played_at_once_after_yes() -> None:
    hall = held()
    assert send(hall, ANN, "yes").record_changed
    assert "{at 2026-11-21T10:01Z}" in hall.at.record_text
    hall.tick(HOUR)
    assert hall.at.turns == 1


@pytest.mark.parametrize(
    ("text", "turns"),
    [("Pass", 1), (f"Pass\n\n{UNKNOWN}", 0), ("Pass\n\nNot yet!", 0), ("Negotiate Essex <> Essex", 0)],
)
def test_a_new_turn_replaces_a_held_one(text: str, turns: int) -> None:
    hall = held()
    send(hall, ANN, text)
    assert hall.at.turns == turns
    hall.tick(HOUR)
    lines = [moment.line for moment in hall.at.replay.moments if moment.turn]
    assert not any("Assemble" in line for line in lines)
    assert len(lines) == (1 if UNKNOWN in text else turns)


@pytest.mark.parametrize("text", ["status", "say to Bob: hello", "help"])
def test_other_mails_leave_a_held_turn(text: str) -> None:
    hall = held()
    send(hall, ANN, text)
    assert hall.at.turn_held is not None
    assert "Assemble" not in hall.told(BOB)
    hall.tick(HOUR)
    assert hall.at.turns == 1


def test_others_cannot_tell_that_a_turn_is_held() -> None:
    hall, other = held(), Hall.of()
    other.now = hall.now
    send(hall, BOB, "status")
    send(other, BOB, "status")
    assert hall.told(BOB) == other.told(BOB)


def test_the_clock_stops_while_a_turn_is_held() -> None:
    hall = Hall(dealt(2, "24 hours a turn, no grace, remind after 23 hours"))
    hall.tick(timedelta(hours=23, minutes=30))
    send(hall, ANN, f"{turn_of(hall)}\n\n{UNKNOWN}", after=timedelta(minutes=25))
    hall.until_due()
    assert hall.at.turns == 1
    assert "Assemble" in hall.at.replay.last.line


def test_a_stopped_turn_leaves_the_clock_as_it_was() -> None:
    hall = Hall(dealt(2, "24 hours a turn, no grace, remind after 23 hours"))
    send(hall, ANN, f"{turn_of(hall)}\n\n{UNKNOWN}", after=timedelta(hours=23, minutes=55))
    send(hall, ANN, "no", after=timedelta(minutes=10))
    assert hall.at.replay.last.line.endswith("Pass")
    assert "Your time ran out" in hall.says(ANN)


@pytest.mark.parametrize(("terms", "waits"), [("23 hours a turn", False), ("24 hours a turn", True), ("", True)])
def test_turns_are_held_only_where_there_is_time(terms: str, *, waits: bool) -> None:
    hall = Hall(dealt(2, terms))
    send(hall, ANN, f"{turn_of(hall)}\n\n{UNKNOWN}")
    assert (hall.at.turn_held is not None) == waits
    assert hall.at.turns == (not waits)


def test_without_a_time_to_hold_turns_are_played() -> None:
    hall = Hall.of()
    hall.mail(ANN, turn_of(hall), own=(turn_of(hall), UNKNOWN), remark=UNKNOWN)
    assert hall.at.turns == 1


def test_from_hand_to_hand_the_turn_is_played_and_the_sentence_shown() -> None:
    hall = Hall.of()
    at = game_service.open_without_host(hall.at.replay, ANN)
    orders = orders_of(f"{turn_of(hall)}\n\n{UNKNOWN}", hall.at.replay, ANN)
    outcome = game_service.receive_mail(at, ANN, orders, START, hold=HOLD)
    assert outcome.game.turns == 1
    assert f"You also wrote `{UNKNOWN}`" in format_plain(outcome.letters[0].body)


def test_a_take_back_of_the_owner_ends_a_held_turn() -> None:
    hall = Hall.of().turns("Pass", "Pass")
    send(hall, ANN, f"{turn_of(hall)}\n\n{UNKNOWN}")
    back = intervene_in_game(hall.at, DeskOrder("take back", "winter", "from turn 2", reason="a slip"), hall.now)
    assert isinstance(back, Outcome), back
    hall.took(back)
    hall.tick(HOUR)
    assert hall.at.turn_held is None
    assert "Assemble" not in hall.at.record_text


def test_a_pause_of_the_owner_does_not_lose_a_held_turn() -> None:
    hall = held()
    paused = intervene_in_game(hall.at, DeskOrder("pause", "winter"), hall.now)
    assert isinstance(paused, Outcome)
    hall.took(paused)
    hall.tick(HOUR)
    assert hall.at.turns == 1


def test_a_held_turn_ends_with_the_game() -> None:
    hall = held()
    send(hall, BOB, "resign")
    send(hall, BOB, "yes")
    assert hall.at.time.over
    assert hall.at.turn_held is None
    hall.tick(HOUR)
    assert not hall.at.turns


def test_a_held_turn_ends_when_its_player_resigns() -> None:
    hall = held(players=3)
    send(hall, ANN, "resign")
    if not hall.at.time.seats[ANN].gone:
        send(hall, ANN, "yes")
    hall.tick(HOUR)
    assert "Assemble" not in hall.at.record_text


def test_plans_beside_a_held_turn_wait_with_it() -> None:
    hall = held()
    hall = Hall.of()
    send(hall, ANN, f"{turn_of(hall)}\npass until struggle\n\n{UNKNOWN}")
    assert not hall.at.memory.seats[ANN].plans
    hall.until_due()
    assert hall.at.turns == 1
    assert [plan.number for plan in hall.at.memory.seats[ANN].plans] == [1]


def test_a_waiting_mail_is_read_before_a_held_turn_is_played() -> None:
    hall = held()
    until = hall.now + timedelta(minutes=14)
    hall.now += timedelta(minutes=20)
    assert game_service.run_clock(hall.at, until).game.turns == 0
    hall.now = until
    send(hall, ANN, "no", after=timedelta())
    assert hall.tick(HOUR).game.turns == 0


def test_two_games_hold_their_own_turns() -> None:
    memory = held().at.memory
    assert Memory.read_text(memory.text) == memory


# -- orders that withdraw -----------------------------------------------------------------------------------

WITHDRAWN = (
    "Cancel that.", "Undo that.", "cancel", "Cancel.", "CANCEL", "cancel it", "cancel turn", "Cancel all.", "cancel everything",
    "cancel 2", "cancel standing", "cancel away", "cancel, please", "cancl", "undo", "Undo.", "undo?", "undo yes", "undo no",
    "undo my turn", "undoo", "stop", "Stop.", "no", "No.", "wait", "hold", "agree no", "agree", "away", "away until tomorrow",
    "pause", "pause please", "draft", "draft only", "draft that",
)  # fmt: skip
GIVEN_UP = (
    "I resign", "I'll resign.", "I want to resign.", "I give up", "I give up.", "I concede the game", "I quit", "quit", "surrender",
    "resign?", "Resign, please", "You win, I resign.", "Sorry, I have to resign now.", "Ich gebe auf.", "J'abandonne.", "Me rindo",
    "Mi arrendo", "Ik geef het op",
)  # fmt: skip


@each_row("text", [f"Pass{gap}{each}" for each in WITHDRAWN for gap in ("\n", "\n\n")])
def test_an_order_below_a_turn_that_fails_or_does_nothing_is_asked_about(text: str) -> None:
    """Cites: mail.doubt."""
    hall = Hall.of()
    send(hall, ANN, text)
    assert hall.at.turns == 0
    assert hall.says(ANN).startswith("Is this the turn you meant? Nothing has been played yet.")
    assert f'"{text.split()[1]}' in hall.says(ANN), "it is the reason"
    assert send(hall, ANN, "yes").record_changed


@each_row("above", WITHDRAWN)
def test_an_order_above_a_turn_that_fails_or_does_nothing_is_asked_about(above: str) -> None:
    hall = Hall.of()
    send(hall, ANN, f"{above}\n\nPass")
    assert hall.at.turns == 0
    assert hall.says(ANN).startswith("Is this the turn you meant? Nothing has been played yet.")


def test_a_bare_cancel_below_a_turn_keeps_the_plans() -> None:
    hall = Hall.of().turns("Assemble")
    send(hall, ANN, "if Bob passes: Pass")
    hall.turns("Assemble")
    assert hall.at.awaited == ANN
    send(hall, ANN, "Pass\n\ncancel")
    assert hall.at.turns == 2
    assert hall.at.memory.seats[ANN].plans
    assert "Not done: `cancel all`" in hall.says(ANN)


@each_row(
    "text",
    [
        "cancel all\n\nPass",
        "Pass\n\ncancel all",
        "undo no\n\nPass",
        "Pass\n\naway 10/11/2026 to 12/11/2026",
        "Pass\nhelp",
    ],
)
def test_an_order_that_does_something_else_leaves_the_turn(text: str) -> None:
    hall = Hall.of()
    hall.turns("Assemble")
    send(hall, ANN, "if Bob passes: Pass")
    hall.turns("Assemble")
    if "undo" in text:
        send(hall, BOB, "undo?")
    send(hall, ANN, text)
    assert hall.at.turns == 3


@each_row(
    "text",
    [each for each in WITHDRAWN if each != "agree no"]
    + ["stop it", "don't", "Don't!", "no, wait", "not yet", "agree no"],
)
def test_every_way_to_withdraw_stops_a_held_turn(text: str) -> None:
    """Cites: mail.hold."""
    for latest in (True, False):
        hall = held()
        send(hall, ANN, text, letter=None if latest else hall.letters[0])
        assert hall.at.turn_held is None
        assert hall.says(ANN).startswith("Nothing has been played. It is still your turn.")


@each_row("text", ["status", "say to Bob: wait", "legal"])
def test_the_answer_to_another_order_says_that_a_turn_is_held(text: str) -> None:
    hall = held()
    send(hall, ANN, text)
    assert hall.at.turn_held is not None
    assert "Your turn will be played at 10:16 UTC. To stop it, reply `no`." in hall.says(ANN)


@each_row("text", GIVEN_UP)
def test_giving_up_in_other_words_is_asked_about(text: str) -> None:
    """Cites: post.resign.sure."""
    for mail in (text, f"{text}\n\nThanks for the game!", f"Pass\n\n{text}"):
        hall = Hall.of()
        send(hall, ANN, mail)
        assert hall.says(ANN).startswith("Do you want to resign? Nothing has been done yet.")
        assert (hall.at.turns, hall.at.time.over, hall.rules) == (0, False, hall.rules if "Pass" in mail else [])
        send(hall, ANN, "yes")
        assert (hall.at.turns, hall.at.time.over) == (0, True), "a yes resigns, and does nothing else"


@each_row(
    "text",
    [
        "I won't resign.",
        "Should I resign?",
        "I will resign if you take Essex.",
        "Maybe I should resign.",
        "I resign myself to this.",
    ],
)
def test_what_gives_nothing_up(text: str) -> None:
    hall = Hall.of()
    send(hall, ANN, text)
    assert "Do you want to resign?" not in hall.says(ANN)


def test_a_turn_that_is_held_does_not_go_out_while_its_sender_is_asked_about_a_resignation() -> None:
    hall = held()
    send(hall, ANN, "I resign")
    assert hall.says(ANN).startswith("Do you want to resign?")
    assert "The turn that waited is not played." in hall.says(ANN)
    assert not hall.tick(HOUR).record_changed
    send(hall, ANN, "no")
    assert hall.at.turns == 0


def test_orders_in_doubt_beside_a_resignation_are_named() -> None:
    hall = Hall.of()
    send(hall, ANN, "resign\n\naway 2026-12-01 to 2026-12-03\n\nundo that")
    assert hall.says(ANN).startswith("Do you want to resign?")
    assert "Not done: `away 2026-12-01 to 2026-12-03`." in hall.says(ANN)
    assert "# away" not in hall.at.record_text


@each_row("text", ["Oh dear.", "Should I really?", "Not the Scots, the Welsh!", "Non, les Gallois.", "Oje."])
def test_a_yes_above_a_doubt_is_asked_about_again(text: str) -> None:
    """Cites: mail.doubt."""
    hall = Hall.of()
    send(hall, ANN, f"{turn_of(hall)}\n\nIs this legal?")
    assert not send(hall, ANN, f"yes\n\n{text}").record_changed
    assert hall.at.turn_held is None
    assert hall.says(ANN).startswith("Is this the turn you meant?")
    assert send(hall, ANN, "yes").record_changed


# -- what else a question says ------------------------------------------------------------------------------


@each_row("label", ["1.", "1)", "(1)", "1. Ann", "Turn 1:", "2."])
def test_a_label_before_a_turn_is_the_reason_to_ask(label: str) -> None:
    """Cites: mail.offer."""
    hall = Hall.of()
    send(hall, ANN, f"{label} Pass")
    assert hall.says(ANN).startswith("Is this the turn you meant?")
    assert f"A turn stands alone on its line: `{label}` is not part of it." in hall.says(ANN)
    assert send(hall, ANN, "yes").record_changed


@each_row(
    "text", ["OK, but change the summon to W Devon", "Yes, but summon from Moray instead", "ok but not that region ..."]
)
def test_a_yes_with_a_change_is_shown_the_way_to_another_turn(text: str) -> None:
    """Cites: post.answer.open."""
    hall = Hall.of()
    send(hall, ANN, f"{turn_of(hall)}\n\nScrap that.")
    send(hall, ANN, text)
    assert hall.at.turns == 0
    assert "To play something else, reply with your own turn in the same form." in hall.says(ANN)


@each_row(
    "text",
    [
        "Can I pass twice in a row?",
        "Hi, can I pass twice in a row?",
        "Can I pass twice in a row",
        "May I pass two times in a row?",
    ],
)
def test_whether_one_may_pass_twice(text: str) -> None:
    """Cites: mail.question."""
    hall = Hall.of()
    for seat in (ANN, BOB):
        send(hall, seat, text)
        assert "Yes" in hall.says(seat).partition("---")[0]


# -- a held turn, and what else its sender writes -----------------------------------------------------------


@each_row(
    "text",
    [
        "Nicht abschicken!",
        "Yes, on Monday",
        "Oui, mais lundi",
        "yes\n\non Monday",
        "Hmm",
        "Thanks!",
        "🤔",
        "The zorbles again.",
        "status\n\nWhat would you do?",
    ],
)
def test_only_a_clear_yes_to_the_question_about_a_held_turn_keeps_it(text: str) -> None:
    """Cites: mail.hold."""
    hall = held()
    send(hall, ANN, text)
    assert (hall.at.turns, hall.at.turn_held) == (0, None)
    assert hall.says(ANN).startswith("Is this the turn you meant? Nothing has been played yet.")
    hall.tick(HOUR)
    assert hall.at.turns == 0
    send(hall, ANN, "yes")
    assert hall.at.turns == 1


FRIENDLY = [
    "Yes please, and say hi to your dog.",
    "Yes! Good luck to you all",
    "Yes, what a lovely game this is\n\nAnn",
    "Ja klar, danke für das schöne Spiel",
]
UNCLEAR = [
    "Yes, more or less",
    "Yes, the one below",
    "Yes, but tomorrow at the earliest",
    "Yes, if Bob agrees with me",
    "Yes, with the summons from Gwynedd",
    "Yes, and the zorbles are frumious too",
    "Yes, after that my turn again",
]


@each_row("text", FRIENDLY)
def test_a_yes_before_a_friendly_remark_plays_what_was_asked_about(text: str) -> None:
    """Cites: mail.offer.yes, mail.hold."""
    for hall in (held(), Hall.of()):
        if hall.at.turn_held is None:
            send(hall, ANN, f"{turn_of(hall)}\n\nScrap that.")
        assert hall.at.turns == 0
        send(hall, ANN, text)
        assert hall.at.turns == 1


@each_row("text", UNCLEAR)
def test_a_yes_before_anything_else_is_asked_about(text: str) -> None:
    """Cites: mail.offer.yes, mail.hold."""
    for hall in (held(), Hall.of()):
        if hall.at.turn_held is None:
            send(hall, ANN, f"{turn_of(hall)}\n\nScrap that.")
        send(hall, ANN, text)
        assert (hall.at.turns, hall.at.turn_held) == (0, None)


@each_row(
    "text", ["The zorbles want a word.", "Hmm...", "🤔", "Should I really?", "Nicht abschicken!", "Yes, on Monday"]
)
def test_a_doubt_in_any_other_mail_of_its_sender_stops_a_held_turn(text: str) -> None:
    """Cites: mail.hold."""
    hall = held()
    send(hall, ANN, text, letter=hall.letters[0])
    assert (hall.at.turns, hall.at.turn_held) == (0, None)


def test_a_doubt_of_another_player_does_not_stop_a_held_turn() -> None:
    hall = held()
    send(hall, BOB, "Should I really?")
    assert hall.at.turn_held is not None


def test_a_plan_in_doubt_says_that_a_held_turn_is_not_played() -> None:
    hall = held()
    send(hall, ANN, f"if Bob passes: Pass\n\n{UNKNOWN}")
    assert hall.at.turn_held is None
    assert "The turn that waited is not played." in hall.says(ANN)


LATE = "It is too late to stop it: your turn was played at 10:16 UTC."


@each_row("text", ["no", "No!", "stop", "Stop.", "don't", "Wait, scrap that.", "Don't play it!", "nein"])
def test_a_late_no_learns_when_the_turn_was_played(text: str) -> None:
    """Cites: mail.hold."""
    for answers_receipt in (False, True):
        hall = held()
        letter = hall.last(ANN)
        hall.until_due()
        send(hall, ANN, text, letter=None if answers_receipt else letter)
        assert hall.says(ANN).startswith(LATE)
        assert "Reply `undo?` before Bob plays. Bob has to agree." in hall.says(ANN)
        assert "Nothing has been played" not in hall.told(ANN)


@each_row(
    "text",
    [
        "How many cards does Bob have left?",
        "Has Bob played yet?",
        "Whose turn is it now?",
        "What did everybody play so far?",
    ],
)
def test_a_question_after_the_turn_was_played_is_answered(text: str) -> None:
    """Cites: mail.hold, mail.question."""
    hall = held()
    hall.until_due()
    send(hall, ANN, text)
    assert "too late" not in hall.says(ANN)
    assert "no line of your mail is an order" not in hall.says(ANN)


@each_row(
    "text",
    [
        "Can you still stop it?",
        "Was that legal?",
        "Can I still change it?",
        "Hmm, I am not sure about it.",
        "Is it too late to choose another region?",
        "Could I have chosen something better here?",
        "Should I have kept the card for later?",
        "Would it be better to wait a bit?",
    ],
)
def test_a_doubt_after_the_turn_was_played_learns_that_it_is_too_late(text: str) -> None:
    """Cites: mail.hold."""
    hall = held()
    hall.until_due()
    send(hall, ANN, text)
    assert hall.says(ANN).startswith(LATE)


@each_row(
    "text", ["Can I play Manoeuvre between Moray and Devon?", "Which turn was that?", "How many cards does Ann have?"]
)
def test_a_question_is_answered_while_another_player_waits_for_an_answer(text: str) -> None:
    """Cites: mail.question. What waits is repeated below the answer."""
    hall = Hall.of()
    hall.turns("Pass")
    send(hall, ANN, "undo?")
    send(hall, BOB, text)
    assert "not understood" not in hall.says(BOB)
    assert "Ann would like to take back turn 1. To allow it, reply `undo yes`." in hall.says(BOB)


def test_a_late_no_after_the_next_turn_cannot_be_undone() -> None:
    hall = held()
    letter = hall.last(ANN)
    hall.until_due()
    hall.turns("Pass")
    send(hall, ANN, "no", letter=letter)
    assert hall.says(ANN).startswith(LATE)
    assert "It can't be taken back either: another turn has been played." in hall.says(ANN)
    assert "It is still your turn." not in hall.says(ANN)


def test_a_no_on_a_later_day_names_the_day() -> None:
    hall = Hall.of()
    hall.turns("Assemble")
    send(hall, ANN, "no", after=26 * HOUR)
    assert hall.says(ANN).startswith("It is too late to stop it: your turn was played on 21 November at 10:01 UTC.")


def test_a_no_that_comes_as_the_turn_is_played_gets_one_letter() -> None:
    hall = held()
    send(hall, ANN, "no", after=2 * HOUR)
    assert hall.at.turns == 1
    assert [letter.seat for letter in hall.outcome.letters] == [ANN, BOB]
    assert hall.says(ANN).startswith(LATE)


def test_a_mail_of_another_player_brings_the_receipt_too() -> None:
    """Cites: mail.hold."""
    hall = held()
    send(hall, BOB, "status", after=2 * HOUR)
    assert hall.kinds[ANN] == "note"
    assert hall.says(ANN).startswith("You played Assemble in ")


# -- numbers ------------------------------------------------------------------------------------------------


@each_row("text", ["1", "1.", "#1", "one", "the first", "Number one!"])
def test_a_number_confirms_no_resignation(text: str) -> None:
    """Cites: mail.offer.yes, post.resign.sure."""
    hall = Hall.of()
    send(hall, ANN, "resign")
    send(hall, ANN, text)
    assert not hall.at.time.over
    assert hall.says(ANN).startswith("Do you want to resign? Nothing has been done yet.")
    send(hall, ANN, "yes")
    assert hall.at.time.over


@each_row("sender", ["else@example.org", ""])
def test_a_number_does_not_confirm_who_wrote_a_mail(sender: str) -> None:
    """Cites: mail.offer.yes, mail.other-address, mail.key-lost."""
    hall = Hall.of()
    letter, orders = hall.last(ANN), orders_of(turn_of(hall), hall.at.replay, ANN)
    hall.took(game_service.ask_sender(hall.at, ANN, orders, sender, hall.now, letter.turn, letter.offer))
    send(hall, ANN, "1")
    assert hall.at.turns == 0
    send(hall, ANN, "Yes!")
    assert hall.at.turns == 1


HEDGED = (
    "I guess I pass",
    "chyba pass",
    "vielleicht pass",
    "passe glaube ich",
    "forse passo",
    "je crois que je passe",
    "quizás paso",
    "pass i guess",
)


@each_row("text", HEDGED)
def test_a_pass_among_words_of_doubt_is_asked_about(text: str) -> None:
    """Cites: mail.doubt."""
    hall = Hall.of()
    assert not send(hall, ANN, text).record_changed
    assert hall.says(ANN).startswith("Is this the turn you meant?")
    assert send(hall, ANN, "yes").record_changed


@each_row("text", ["I never pass", "pass the salt", "When I pass, what then"])
def test_other_words_beside_a_pass_propose_nothing(text: str) -> None:
    hall = Hall.of()
    send(hall, ANN, text)
    assert "Is this the turn you meant?" not in hall.says(ANN)


def test_a_doubted_turn_out_of_turn_is_not_too_late_to_stop() -> None:
    hall = Hall.of()
    first = hall.last(ANN)
    send(hall, ANN, turn_of(hall))
    send(hall, ANN, "pass, I guess", letter=first)
    assert "too late" not in hall.says(ANN)
    assert "it is Bob's turn" in hall.says(ANN)
    send(hall, ANN, "Wait, I wanted to pass!", letter=first)
    assert hall.says(ANN).startswith("It is too late to stop it")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Thanks!\nWho wins a tie in a region?", "The region becomes unstable"),
        ("Do you come on Sunday?", ""),
        ("Who needs Devon anyway?", ""),
    ],
)
def test_a_question_beside_a_turn_is_answered_if_a_rule_does(said: str, answer: str) -> None:
    """Cites: mail.question."""
    hall = Hall.of()
    send(hall, ANN, f"{turn_of(hall)}\n\n{said}")
    assert answer in hall.says(ANN)
    assert "No rule answers" not in hall.says(ANN)


RULE_QUESTIONS = [
    "What is an invasion?",
    "Which regions border Moray?",
    "Is Gwynedd next to Devon?",
    "Which region has the most borders?",
    "By the way, how many cards are in each hand?",
]


@each_row("text", RULE_QUESTIONS)
def test_a_turn_beside_a_question_that_a_rule_surely_answers_is_played_and_the_question_answered(text: str) -> None:
    """Cites: mail.question, mail.hold."""
    hall = Hall(dealt(2, "3 days a turn"))
    send(hall, ANN, f"Pass\n\n{text}")
    assert len(hall.at.record.turns) == 1
    assert text.removeprefix("By the way, ") in hall.says(ANN)


@each_row(
    "text",
    [
        *(f"{text} {doubt}" for text in RULE_QUESTIONS for doubt in ("Otherwise I play Assemble.", "Should I pass?")),
        "Is Moray next to Devon, or is that wrong?",
        "Must I pass?",
        "Does my pass end the struggle?",
        "Is this the last region?",
    ],
)
def test_a_question_that_may_be_about_the_turn_still_stops_it(text: str) -> None:
    """Cites: mail.doubt, mail.hold."""
    hall = Hall(dealt(2, "3 days a turn"))
    send(hall, ANN, f"Pass\n\n{text}")
    assert not hall.at.record.turns


@each_row("text", ["Who controls Essex?", "Darf ich nach Essex?"])
def test_a_question_about_the_board_shows_it(text: str) -> None:
    """Cites: mail.question."""
    hall = Hall.of()
    send(hall, ANN, text)
    assert hall.says(ANN).startswith("No rule answers your question well, but the board below may.")
    assert "TRACK" in hall.says(ANN)


@each_row("text", ["yes, and say to Bob: good luck!", "yes, say to Bob: good luck!", "yes\nsay to Bob: good luck!"])
def test_a_message_behind_a_yes_is_sent(text: str) -> None:
    hall = Hall.of()
    send(hall, ANN, f"{turn_of(hall)}\n\nIs this legal?")
    assert send(hall, ANN, text).record_changed
    assert "good luck" in hall.says(BOB)


def test_a_turn_in_what_may_be_an_automatic_reply_is_asked_about() -> None:
    """Cites: mail.automatic."""
    hall = Hall.of()
    orders = evolve(orders_of(f"Good day\n\n{turn_of(hall)}", hall.at.replay, ANN), doubt=("I am away.",))
    asked = hall.took(game_service.receive_mail(hall.at, ANN, orders, hall.now, hall.last(ANN).turn, "", hold=HOLD))
    assert not asked.record_changed
    assert "I am away." in hall.says(ANN)


def test_only_what_the_sender_wrote_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """No empty subject, and no empty signature."""
    judged, judge_lines = list[Sequence[Line]](), order_offers.judge_lines

    def note(game: HostedGame, lines: Sequence[Line]) -> Verdict:
        judged.append(lines)
        return judge_lines(game, lines)

    monkeypatch.setattr(order_offers, "judge_lines", note)
    hall = Hall.of()
    send(hall, ANN, f"{turn_of(hall)}\n\nThanks!")
    assert len(judged) == 1
