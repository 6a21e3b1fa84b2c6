"""Questions in game mails that have no order: answered as `rules`, `draft`, `legal` or `status` would, and nothing is played."""

from __future__ import annotations

import pytest

from tests.mail.mails import GAME, LEGAL, TIME, answered, orders_of, played, said
from tests.shared.tables import each_row
from tkid.mail import game_service
from tkid.mail.game_service import HostedGame, Outcome
from tkid.mail.hosted_game import Memory
from tkid.mail.order_answers import NO_LEAD
from tkid.mail.order_finder import get_order_reader
from tkid.mail.order_offers import NO_RULE, SEE_BOARD
from tkid.orders.order_reader import HOW_TO_ASK, find_questions
from tkid.record.play.replay import Replay

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
    "What happens if I don't answer?": "post.clock.out",
    "What if Bob never answers?": "post.clock.out",
    "Do I lose if I'm too late?": "post.clock.out",
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
    "Is Outmanoeuvre S Northumbria for EE Lancaster legal?": "This can be a legal turn now. Nothing has been played.",
    "Can I outmanoeuvre S Moray for EE Strathclyde?": "This can be a legal turn now. Nothing has been played.",
    "Could I play Welsh Support WW Devon?": "This can be a legal turn now. Nothing has been played.",
    "Would Assemble S Moray, W Devon, E Essex be legal?": "This can be a legal turn now. Nothing has been played.",
    "Is Negotiate Essex <> Devon, disc Essex allowed?": "This can be a legal turn now. Nothing has been played.",
    "Is Assemble S Moray, W Devon, S Essex legal?": "Nothing has been played.",
    "Can I play Assemble now?": "legal",
}
TURNS |= dict.fromkeys(
    (
        *(f"Darf ich {LEGAL} spielen?", f"Ist {LEGAL} erlaubt?", f"¿Puedo jugar {LEGAL}?", f"¿Se puede hacer {LEGAL}?"),
        *(
            f"Est-ce que je peux jouer {LEGAL} ?",
            f"Puis-je jouer {LEGAL} ?",
            f"Posso giocare {LEGAL}?",
            f"Si può fare {LEGAL}?",
        ),
        *(f"Czy mogę zagrać {LEGAL}?", f"Wolno mi {LEGAL}?", f"Posso jogar {LEGAL}?", f"É permitido {LEGAL}?"),
        *(f"Mag ik {LEGAL} spelen?", f"Kan {LEGAL}?"),
    ),
    "This turn is legal now. Nothing has been played.",
)
ABROAD = (
    *("Kann ich einen Schotten nach Essex setzen?", "Est-ce que je peux placer un Écossais dans l'Essex ?"),
    *(
        "On peut poser un Gallois à Devon ?",
        "¿Puedo poner un escocés en Essex?",
        "Posso mettere uno scozzese in Essex?",
    ),
    *("Czy mogę położyć Szkota w Essex?", "Posso colocar um escocês em Essex?", "Mag ik een Schot in Essex zetten?"),
)
"""Questions about a part of a turn, in other languages than English."""
STATE = {
    "Whose turn is it?": "It is your turn.",
    "Is it my turn?": "It is your turn.",
    "What can I do?": "These turns are legal now.",
    "What are the legal moves?": "These turns are legal now.",
    "How much time do I have?": "This game has no clock.",
    "Who is next?": "It is your turn.",
}
STATE |= dict.fromkeys(
    (
        *(
            "Is Bob still playing?",
            "Is Bob away?",
            "Has Bob resigned?",
            "Has Bob moved yet?",
            "Has Bob passed already?",
            "Who are we waiting for?",
        ),
        *("How long does Bob have left?", "Is the game over?", "Who am I playing against?", "show", "tkid show g.tkid"),
    ),
    "It is your turn.",
)
STATE |= dict.fromkeys(
    (
        *("Please show me what I may play.", "Please show me the legal moves"),
        "What moves do I have with Negotiate, please?",
    ),
    "These turns are legal now.",
)
STATE |= {
    "Could you please show me where everything stands at the moment?": "It is your turn.",
    "Would you be so kind as to send me the list of things I can write?": "Here is everything you can write.",
}
STATE |= dict.fromkeys(("legal moves", "valid moves", "list moves"), "These turns are legal now.")
STATE |= {"how many cards do I have left?": "It is your turn.", "What's in my hand?": "It is your turn."}
STATE |= dict.fromkeys(("Hilfe", "ayuda!", "Aide", "Hulp", "aiuto"), "Here is everything you can write.")
STATE |= dict.fromkeys(
    (
        *("How many cards do I hold?", "How many cards do I have left?", "how many cards do we still have?"),
        *("How many cards are in my hand?", "How many cards are left in my hand?", "Hi! How many cards have I got?"),
    ),
    "You have eight cards in hand.",
)
ORDERS = {
    "games list": "To see your games, reply `games`.",
    "letter new foo Ann Bob": "To wait for another player, reply `new game second-edition for 2`.",
    "when Ann plays Negotiate, pass": "Not done: a plan looks at what the others do, not at what you do.",
    "remove me": "To give up the game, reply `resign`.",
    "I need more time": "To stop all clocks until a day if everybody agrees, reply `pause until DAY`.",
    "Can we call it a draw?": "To end the game drawn if everybody agrees, reply `agree draw`.",
    "How do I stop this game?": "To end the game without a result if everybody agrees, reply `agree abandon`.",
    "Can we have a rematch?": "To play again with the same players once the game is over, reply `rematch`.",
    "How do I resign?": "To give up the game, reply `resign`.",
    "undo? I clicked the wrong one": "It is not possible now: there is no turn to take back.",
    "take that back please": "To ask to take back the last turn, reply `undo?`.",
    "Can we pause for a week?": "How to write it: `pause until 2026-12-20`.",
    "I'm on holiday soon, just so you know.": "How to write it: `away 2026-12-20 to 2026-12-27`.",
    "I have a new address bob@new.example": "address bob@new.example",
}
UNFIT = ("Can I get a bigger picture?", "Can I play on my phone?", "Is there an app?")
TALK = (
    *("Shall we have tea on Sunday?", "How are you?", "Hello Bob, how was your holiday?", "When will you be back?"),
    *("Did you see the match?", "Do you like the game?", "Are you winning?", "Could you send me the board?"),
)


def text(mail: str) -> str:
    """The answer to a mail on one line."""
    return " ".join(said(answered(mail)).split())


def hosted(mail: str, of: Replay = GAME) -> Outcome:
    """What comes of a mail of the first player at a host."""
    memory = Memory.make_new(len(of.record.seats), "struggles").with_seat(0, told=len(of.record.turns))
    return game_service.receive_mail(HostedGame(of, memory), 0, orders_of(mail, of, 0), TIME)


@each_row("question", [*RULES, *TURNS, *STATE])
def test_a_question_is_answered(question: str) -> None:
    outcome = answered(question)
    assert (RULES | TURNS | STATE)[question] in " ".join(said(outcome).split())
    assert NO_LEAD not in said(outcome)
    assert (outcome.game.turns, outcome.record_changed) == (0, False)


@each_row("text", ORDERS)
def test_a_question_about_the_game_as_such_names_the_order(text: str) -> None:
    outcome = hosted(text)
    assert ORDERS[text] in " ".join(said(outcome).split())
    assert (outcome.game.turns, outcome.record_changed) == (0, False)


@each_row("question", ABROAD)
def test_a_question_in_another_language_shows_how_to_ask(question: str) -> None:
    assert text(question).startswith(SEE_BOARD)
    assert HOW_TO_ASK in text(question)


@each_row("question", UNFIT)
def test_a_question_that_no_rule_fits_well_is_told_so(question: str) -> None:
    assert text(question).startswith(NO_RULE)
    assert HOW_TO_ASK in text(question)


@each_row("question", ["Has Ann played yet?", "Did Bob receive my letter?", "rules has Bob answered already?"])
def test_a_player_by_mail_is_sent_to_an_order_and_not_to_a_program(question: str) -> None:
    assert text(question).startswith("The rules don't say. To see where your game stands, reply `status`.")
    assert "tkid" not in text(question)


@each_row(
    "mail, lead",
    [
        ("Who wins a tie? May I summon from the supply?", "Both questions in your mail are answered."),
        ("Does Essex border Devon? And may I pass?", "Both questions in your mail are answered."),
        ("status\nhelp", "Both orders in your mail are done."),
    ],
)
def test_questions_are_answered_and_orders_are_done(mail: str, lead: str) -> None:
    assert text(mail).startswith(lead)


@each_row("text, order", [("Oops, can I undo that please?", "undo?"), ("I am away from 20 to 27 December", "away")])
def test_what_can_be_done_now_is_proposed(text: str, order: str) -> None:
    outcome = hosted(text, played("Pass", of=GAME))
    assert said(outcome).startswith("Is this what you meant? Nothing has been done yet.")
    (offer,) = outcome.game.memory.list_offers(0)
    assert offer.lines[0].startswith(order)


@each_row(
    "text, order",
    [
        ("when Bob plays Negotiate, pass", "if Bob plays Negotiate: Pass"),
        ("As soon as Bob passes: stop", "if Bob passes: stop"),
        ("when Bob passes I pass", "if Bob passes: Pass"),
        ("If he passes, I'll pass", "if Bob passes: Pass"),
        ("I will pass if you pass", "if Bob passes: Pass"),
        ("pass as soon as Bob plays Negotiate.", "if Bob plays Negotiate: Pass"),
        ("if Bob does not pass, then I pass", "if Bob acts: Pass"),
        ("tkid play g.tkid Pass", "Pass"),
        (f"$ tkid play g.tkid '{LEGAL}'", LEGAL),
        ("skip", "Pass"),
        ("I'll skip this turn, thanks", "Pass"),
        ("no action", "Pass"),
        ("I am sitting this round out", "Pass"),
        ("please pass", "Pass"),
        ("Well, pass I suppose.", "Pass"),
        ("Could we take a break until 15 January 2027? I've got exams.", "pause until 2027-01-15"),
        ("Please don't send me pictures any more.", "notify no pictures"),
        ("I'll stay out", "Pass"),
        ("not playing a card this time", "Pass"),
        ("I won't play anything", "Pass"),
        ("no move from me", "Pass"),
        ("Ann Pass", "Pass"),
    ],
)
def test_a_line_in_another_form_is_proposed(text: str, order: str) -> None:
    (offer,) = hosted(text).game.memory.list_offers(0)
    assert offer.lines == (order,)


@each_row(
    "line, order",
    [
        ("legal moves please", "legal"),
        ("legal options", "legal"),
        ("status, please", "status"),
        ("history pls", "history"),
        ("help me", "help"),
        ("undo my last turn, please.", "undo?"),
        ("Pass, s'il te plaît", "Pass"),
        ("pass bitte!", "Pass"),
        ("please say to Bob: hello", "say to Bob: hello"),
        ("Could you please history", "history"),
        ("Please pause the game until 5 January 2027.", "pause until 2027-01-05"),
        ("If Bob plays Negotiate, please stop and ask me.", "if Bob plays Negotiate: stop"),
        (f"if Bob passes, then I play {LEGAL} please", f"if Bob passes: {LEGAL}"),
        ("if Bob passes I'll pass", "if Bob passes: Pass"),
    ],
)
def test_polite_words_and_small_words_change_no_order(line: str, order: str) -> None:
    reader = get_order_reader(GAME.record.game, GAME.record.names, 0)
    read, meant = reader.read_line(line).order, reader.read_line(order).order
    assert read is not None
    assert meant is not None
    assert reader.write_order(read) == reader.write_order(meant)


def test_a_turn_under_another_name_says_whose_it_is() -> None:
    assert "This is Bob's turn, and Ann is to play." in " ".join(said(hosted("Bob Pass")).split())


@each_row(
    "text",
    [
        "When Bob played Negotiate, I laughed.",
        "Once I was young",
        "tkid is fun",
        "skip the small talk!",
        "Good luck if you pass",
        "When Bob passes, I'm happy",
        "I'll tell you when Bob passes",
        "stay out of Essex!",
    ],
)
def test_sentences_like_those_lines_are_none(text: str) -> None:
    outcome = hosted(text)
    assert outcome.game.memory.list_offers(0) == ()
    assert said(outcome).startswith("Nothing has been played")


@each_row(
    "text", ["Ik pas", "Paso", "Passo!", "yo paso", "Ich passe", "Je passe", "ik wil passen", "Io passo questa volta"]
)
def test_a_pass_in_another_language_is_proposed(text: str) -> None:
    outcome = hosted(text)
    assert said(outcome).startswith("Is this the turn you meant? Nothing has been played yet.")
    (offer,) = outcome.game.memory.list_offers(0)
    assert offer.lines == ("Pass",)


@each_row("text", ["Je ne sais pas", "Pas maintenant", "El paso siguiente", "Passo domani a trovarti"])
def test_other_words_like_a_pass_are_none(text: str) -> None:
    assert hosted(text).game.memory.list_offers(0) == ()


@each_row("text", [f"{LEGAL}\n?", f"?\n\n{LEGAL}", "away 2026-12-20 to 2026-12-22\n?"])
def test_a_mark_beside_an_order_doubts_it(text: str) -> None:
    """Cites: mail.doubt."""
    outcome = hosted(text)
    assert said(outcome).startswith("Is this ")
    assert outcome.game.turns == 0
    assert outcome.game.memory.list_offers(0)


def test_a_mark_alone_asks_for_help() -> None:
    for text in ("?", "Hi Bob!\n?"):
        assert "Here is everything you can write." in said(hosted(text))


def test_days_away_beside_a_turn_are_noted() -> None:
    outcome = hosted(f"{LEGAL}\n\nI am away from 20 to 27 December, by the way.")
    assert outcome.game.turns == 1
    assert "reply `away 2026-12-20 to 2026-12-27`." in " ".join(said(outcome).split())
    assert "reply `away" not in said(hosted(f"{LEGAL}\n\nI am away soon."))


def test_the_turn_of_another_player_is_not_proposed_to_be_taken_back() -> None:
    outcome = hosted("Can I take my move back?", played("Pass", "Pass", of=GAME))
    assert "the last turn is Bob's, so that one would be taken back." in " ".join(said(outcome).split())
    assert outcome.game.memory.list_offers(0) == ()


@each_row(
    "text, lead",
    [
        ("How do I talk to the others?", "To write to the other players"),
        ("Who wins a tie in a region?", "Nobody. The region becomes unstable."),
        ("Yes?", "Nothing has been done: the host did not understand your answer."),
        ("I changed my mind", "Nothing has been done: the host did not understand your answer."),
        ("Is there an app?", "Nothing has been done: the host did not understand your answer."),
    ],
)
def test_a_question_is_answered_while_an_offer_waits(text: str, lead: str) -> None:
    asked = hosted("I am away from 20 to 27 December")
    outcome = game_service.receive_mail(asked.game, 0, orders_of(text, GAME, 0), TIME)
    assert said(outcome).startswith(lead)
    assert len(outcome.game.memory.list_offers(0)) == 1


@each_row("text", ["How do I undo a turn?", "How can I be away from 20 to 27 December?", "Can we call it a draw?"])
def test_a_question_how_proposes_nothing_and_no_end(text: str) -> None:
    outcome = hosted(text, played("Pass", of=GAME))
    assert outcome.game.memory.list_offers(0) == ()
    assert said(outcome).startswith("To ")


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
