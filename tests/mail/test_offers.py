"""What the host asks about in place of playing it, and what a `yes`, a `no` or a number comes to."""

from __future__ import annotations

import pytest

from tests.mail.hall import ANN, BOB, DAY, Hall, dealt
from tests.mail.mails import GAME, LEGAL, answered, orders_of, said
from tests.mail.typed import lines_of
from tests.shared.tables import each_row
from tkid.mail import game_service, order_offers
from tkid.mail.blocks import Buttons, Excerpt, Lead, Letter, Quote, Samples, format_plain
from tkid.mail.hosted_game import Memory, Proposal
from tkid.mail.order_finder import get_order_reader
from tkid.mail.plugin import find_mail_plugin
from tkid.notation.free_text import Understanding
from tkid.notation.names import list_names
from tkid.record.play.replay import Replay

TURN = "Assemble S Gwynedd, W Moray, E Moray; summon S Gwynedd"
OTHER = "Assemble S Moray, W Gwynedd, E Moray; summon S Moray"
MEANT_LEAD = "Is this the turn you meant? Nothing has been played yet."
MEANT = {
    "I assemble a bit": Understanding(TURN, choices=(TURN,)),
    "Assemble, you know": Understanding(TURN, choices=(TURN,)),
    "this or that": Understanding(choices=(TURN, OTHER)),
    "pass on, my friend": Understanding("Pass", choices=("Pass",)),
}
"""The meaning of some texts in these tests."""
READ_FREELY = order_offers.understand_text


@pytest.fixture(autouse=True)
def _second_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def understood(_: Replay, text: str) -> Understanding:
        return MEANT.get(text, Understanding())

    monkeypatch.setattr(order_offers, "understand_text", understood)


def leads(hall: Hall) -> str:
    """The first sentence of the last answer."""
    lead = hall.outcome.letters[0].body[0]
    return lead.text if isinstance(lead, Lead) else ""


def shown(letter: Letter) -> tuple[str, ...]:
    """The turns that a letter offers."""
    return tuple(line for block in letter.body if isinstance(block, Samples) for line in block.lines)


def offered(hall: Hall, seat: int = ANN) -> tuple[str, ...]:
    """What is remembered as offered to a seat."""
    offer = hall.at.memory.find_proposal("offer", seat)
    return offer.lines if offer else ()


def asked(remark: str = "I assemble a bit") -> Hall:
    """A game in which Ann has written something and was asked whether that is her turn."""
    hall = Hall.of()
    hall.mail(ANN, remark=remark)
    return hall


# -- what is offered --------------------------------------------------------------------------------------


@each_row(
    "lines, remark, lead, turns, numbered",
    [
        ((), "I assemble a bit", MEANT_LEAD, (TURN,), False),
        (("Assemble, you know",), "", MEANT_LEAD, (TURN,), False),
        ((), "this or that", "Which of these turns did you mean? Nothing has been played yet.", (TURN, OTHER), True),
        (
            ("Manoeuvre S Mory <> E Lancaster; summon W Gwynedd",),
            "",
            "Not played: `Mory` is not a region.",
            ("Manoeuvre S Moray <> E Lancaster; summon W Gwynedd",),
            False,
        ),
        (
            ("Summon the devil from hell",),
            "Hello!",
            "Not played: `from` is not understood here.",
            (),
            False,
        ),
    ],
)
def test_what_is_offered(
    lines: tuple[str, ...], remark: str, lead: str, turns: tuple[str, ...], *, numbered: bool
) -> None:
    hall = Hall.of()
    outcome = hall.mail(ANN, *lines, remark=remark)
    assert not outcome.record_changed
    assert leads(hall) == lead
    assert offered(hall) == turns
    assert bool(outcome.letters[0].offer) == bool(turns)
    samples = [block for block in outcome.letters[0].body if isinstance(block, Samples)]
    assert [block.numbered for block in samples] == [numbered] * len(samples)
    assert ("with the number" in hall.says(ANN)) == numbered
    assert all(line in hall.told(ANN) for line in lines)
    assert hall.told(ANN).split("\n")[2].startswith("--- "), "the marker is on the third line"


def test_a_proposal_shows_the_turn_in_words_and_what_was_written() -> None:
    hall = asked()
    assert "IN WORDS" in hall.told(ANN)
    assert any(isinstance(block, Quote) and block.text == "I assemble a bit" for block in hall.last(ANN).body)
    (buttons,) = (block for block in hall.last(ANN).body if isinstance(block, Buttons))
    read = get_order_reader(hall.at.record.game, hall.at.names, ANN).read_line
    assert all(read(button.label).order is None for button in buttons.buttons), "no label reads as an order"


def test_one_error_is_shown_not_all() -> None:
    hall = Hall.of()
    hall.mail(ANN, "Scottish Support SSS Devon; summon W Gwynedd")
    assert len(hall.outcome.problems) > 1
    assert hall.told(ANN).count("^") == len("SSS")
    assert "Scottish Support places two followers, or one if the supply has one" in hall.says(ANN)
    assert "The full rule, second.card.support.two: https://" in hall.says(ANN)
    assert "send `draft` and your turn" in hall.says(ANN)


def test_what_could_not_be_played_besides_is_named() -> None:
    hall = Hall.of()
    hall.mail(ANN, "Welsh Support WWW Warwick; summon W Devon", "Pass", "notify my turns")
    assert leads(hall).startswith("Not played: ")
    assert 'Not played either: "Pass"' in hall.says(ANN)
    assert "when the game ends" in hall.says(ANN)


@each_row("wrong", ["xyzzy", "Plot S", "Manoeuvre S Mory <> E Devon"])
def test_a_line_that_the_question_does_not_repeat_is_answered_beside_it(wrong: str) -> None:
    hall = Hall.of()
    hall.mail(ANN, "I assemble a bit", wrong)
    assert leads(hall) == MEANT_LEAD
    assert "I assemble a bit" in hall.says(ANN)
    assert wrong in hall.says(ANN)


@each_row("seat, remark", [(BOB, "I assemble a bit"), (ANN, "Hello!"), (ANN, "")])
def test_nothing_is_offered(seat: int, remark: str) -> None:
    hall = Hall.of()
    hall.mail(seat, remark=remark)
    assert hall.rules == ["mail.no-order"]
    assert offered(hall, seat) == ()
    assert hall.outcome.letters[0].offer == ""


def test_a_remark_beside_a_turn_stays_a_remark() -> None:
    hall = Hall.of()
    hall.mail(ANN, "Pass", remark="I assemble a bit")
    assert hall.at.turns == 1
    assert offered(hall) == ()


def test_nothing_is_offered_to_a_mail_about_an_older_turn() -> None:
    hall = Hall.of()
    first = hall.last(ANN)
    hall.turns("Pass", "Pass")
    hall.mail(ANN, remark="I assemble a bit", answering=first)
    assert offered(hall) == ()
    assert hall.rules == ["mail.no-order"]


@each_row(
    "typed, lines",
    [
        (("Pass",), ("Pass",)),
        (("say to all: hello", "Pass"), ("say to all: hello", "Pass")),
        (("resign", "Pass"), ("Pass",)),
        (("Pass", TURN), ("Pass",)),
        (("Welsh Support WWW Warwick; summon W Devon", "status"), ("status",)),
    ],
)
def test_orders_below_an_unmarked_quotation_are_offered(typed: tuple[str, ...], lines: tuple[str, ...]) -> None:
    hall = Hall.of()
    proposed = lines_of(get_order_reader(hall.at.record.game, hall.at.names, ANN), *typed)
    hall.mail(ANN, proposed=proposed)
    assert leads(hall) == "Did you write this? Nothing has been done yet."
    assert offered(hall) == lines
    assert not hall.at.turns
    hall.mail(ANN, answer="yes")
    assert hall.at.turns == ("Pass" in lines)
    assert hall.at.time.seats[ANN].plays


def test_resign_below_a_quotation_is_not_even_offered() -> None:
    hall = Hall.of()
    reader = get_order_reader(hall.at.record.game, hall.at.names, ANN)
    hall.mail(ANN, proposed=lines_of(reader, "resign"))
    assert offered(hall) == ()
    assert "Not done, as it is below a copy of another mail: `resign`." in hall.says(ANN)
    hall.mail(ANN, "Pass", proposed=lines_of(reader, "say to all: hello"))
    assert "Not done, as it is below a copy of another mail: `say to all: hello`." in hall.says(ANN)


@each_row(
    "choices, turns, lead",
    [
        (("Pass", TURN), ("Pass", TURN), "Which of these turns do you choose? Nothing has been played yet."),
        (
            ("Pass", "pass", TURN, OTHER),
            ("Pass", TURN, OTHER),
            "Which of these turns do you choose? Nothing has been played yet.",
        ),
        (
            ("Welsh Support WWW Warwick; summon W Devon", TURN),
            (TURN,),
            "Which of these turns do you choose? Nothing has been played yet.",
        ),
    ],
)
def test_of_several_samples_that_are_marked_the_player_is_asked_which(
    choices: tuple[str, ...], turns: tuple[str, ...], lead: str
) -> None:
    hall = Hall.of()
    hall.mail(ANN, choices=choices)
    assert (leads(hall), offered(hall)) == (lead, turns)


# -- an answer to it --------------------------------------------------------------------------------------


@each_row(
    "remark, answer, turns, lead",
    [
        ("I assemble a bit", "yes", 1, ""),
        ("I assemble a bit", "1", 1, ""),
        ("I assemble a bit", "2", 0, "Nothing has been played yet: which of these turns do you mean?"),
        ("I assemble a bit", "no", 0, "Nothing has been played. It is still your turn."),
        ("this or that", "1", 1, ""),
        ("this or that", "2", 1, ""),
        ("this or that", "3", 0, "Nothing has been played yet: which of these turns do you mean?"),
        ("this or that", "yes", 0, "Nothing has been played yet: which of these turns do you mean?"),
        ("this or that", "no", 0, "Nothing has been played. It is still your turn."),
        ("Hello!", "yes", 0, "Nothing has been played: the turns in that mail are only examples."),
        ("Hello!", "1", 0, "Nothing has been played: the turns in that mail are only examples."),
        ("Hello!", "no", 0, "Nothing has been played. It is still your turn."),
    ],
)
def test_an_answer(remark: str, answer: str, turns: int, lead: str) -> None:
    hall = asked(remark)
    lines = shown(hall.last(ANN))
    outcome = hall.mail(ANN, answer=answer)
    assert hall.at.turns == turns
    assert "mail.no-order" not in hall.rules
    if turns:
        picked = lines[0 if answer == "yes" else int(answer) - 1]
        assert picked in " ".join(hall.at.record_text.split())
        assert not outcome.problems
        assert not hall.at.memory.list_offers(ANN)
    else:
        assert leads(hall) == lead
        assert hall.rules == ([] if answer == "no" else ["mail.offer.yes" if offered(hall) else "mail.offer.stale"])
        assert "Answer by" in hall.says(ANN) or "by Tuesday 24 November" in hall.says(ANN), "what is due is said"


def test_a_number_out_of_range_repeats_the_offer_and_can_be_put_right() -> None:
    hall = asked("this or that")
    offer = offered(hall)
    hall.mail(ANN, answer="3")
    assert shown(hall.outcome.letters[0]) == offer
    hall.mail(ANN, answer="2")
    assert OTHER in " ".join(hall.at.record_text.split())


def test_no_forgets_the_offer() -> None:
    hall = asked()
    letter = hall.last(ANN)
    hall.mail(ANN, answer="no")
    assert offered(hall) == ()
    hall.mail(ANN, answer="yes", answering=letter)
    assert leads(hall) == "Nothing has been played: that offer has expired."
    assert not hall.at.turns


def test_no_and_another_turn_in_words_is_a_new_offer() -> None:
    hall = asked("this or that")
    hall.mail(ANN, answer="no", remark="pass on, my friend")
    assert leads(hall) == "Is this the turn you meant? Nothing has been played yet."
    assert offered(hall) == ("Pass",)


def test_a_newer_offer_takes_the_place_of_an_older_one() -> None:
    hall = asked()
    first = hall.last(ANN)
    hall.mail(ANN, remark="pass on, my friend")
    assert offered(hall) == ("Pass",)
    hall.mail(ANN, answer="yes", answering=first)
    assert not hall.at.turns
    assert leads(hall) == "Nothing has been played: that offer has expired."
    assert shown(hall.outcome.letters[0]) == ("Pass",), "what is on offer now is shown again"
    hall.mail(ANN, answer="yes")
    assert len(hall.at.record.turns) == 1


def test_yes_to_the_turn_mail_shows_the_offer_again() -> None:
    hall = Hall.of()
    mail = hall.last(ANN)
    hall.mail(ANN, remark="I assemble a bit")
    hall.mail(ANN, answer="yes", answering=mail)
    assert not hall.at.turns
    assert shown(hall.outcome.letters[0]) == (TURN,)
    hall.mail(ANN, answer="yes")
    assert len(hall.at.record.turns) == 1


@each_row("answer", ["yes", "1"])
def test_yes_to_an_offer_of_an_older_turn_is_told_so(answer: str) -> None:
    hall = asked()
    letter = hall.last(ANN)
    hall.turns("Pass", "Pass")
    hall.mail(ANN, answer=answer, answering=letter)
    assert hall.at.turns == 2
    assert hall.rules == ["mail.offer.stale"]
    assert leads(hall) == "Nothing has been played: that turn is over."
    assert "It is still your turn." in hall.says(ANN)
    assert "Pass" in hall.told(ANN), "turns to copy follow"


def test_yes_twice_plays_once() -> None:
    hall = asked()
    letter = hall.last(ANN)
    hall.mail(ANN, answer="yes")
    hall.mail(ANN, answer="yes", answering=letter)
    assert hall.at.turns == 1
    assert leads(hall) == "Nothing has been played: that turn is over."


def test_an_offer_is_forgotten_when_a_turn_is_taken_back() -> None:
    hall = Hall.of()
    hall.turns("Pass")
    hall.mail(BOB, remark="I assemble a bit")
    letter = hall.last(BOB)
    hall.mail(ANN, "undo?")
    hall.mail(BOB, "undo yes")
    assert offered(hall, BOB) == ()
    hall.turns("Pass")
    hall.mail(BOB, answer="yes", answering=letter)
    assert hall.at.turns == 2
    assert leads(hall) == "Nothing has been played: that turn is over."


def test_an_offer_is_forgotten_when_the_clock_passes() -> None:
    hall = asked()
    letter = hall.last(ANN)
    while hall.at.to_act == ANN:
        hall.until_due()
    assert offered(hall) == ()
    hall.mail(ANN, answer="yes", answering=letter)
    assert leads(hall) == "Nothing has been played: that turn is over."


@each_row(
    "answer, seat, lead",
    [
        ("1", BOB, "Nothing has been done: the host did not understand your answer."),
        ("yes", ANN, "Nothing has been played: the mail that you answered offers no turn."),
    ],
)
def test_a_plain_answer_to_the_question_about_a_turn_is_asked_back(answer: str, seat: int, lead: str) -> None:
    hall = Hall.of()
    hall.turns("Pass")
    hall.mail(ANN, "undo?")
    hall.mail(seat, answer=answer)
    assert leads(hall) == lead
    assert hall.at.memory.find_proposal("undo") is not None
    assert ("To allow it, reply `undo yes`. Reply `undo no`, or just play" in hall.says(seat)) == ("changed" in lead)
    assert ("Copy a turn to the top of your reply" in hall.says(seat)) == ("number" in lead)


def test_undo_yes_is_no_yes_and_yes_is_no_undo_yes() -> None:
    hall = Hall.of()
    hall.turns("Pass")
    hall.mail(BOB, remark="I assemble a bit")
    hall.mail(ANN, "undo?")
    hall.mail(BOB, answer="yes", answering=hall.letters[0])
    assert hall.at.memory.find_proposal("undo") is not None
    assert "To allow it, reply `undo yes`." in hall.says(BOB)
    hall.mail(BOB, "undo yes")
    assert [turn.undone for turn in hall.at.record.turns] == [True]


@each_row(
    "lines, answer, turn, ignored",
    [
        (("Pass",), "yes", "Pass", True),
        ((TURN,), "yes", TURN, False),
        (("Pass",), "no", "Pass", False),
        ((TURN,), "no", TURN, True),
        (("Pass", "notify my turns"), "yes", "Pass", True),
        (("notify my turns",), "yes", TURN, False),
        (("say to all: hello", "status"), "1", TURN, False),
        (("Assemble nothing",), "yes", "", True),
        (("resign",), "yes", "", True),
    ],
)
def test_an_order_goes_before_an_answer(lines: tuple[str, ...], answer: str, turn: str, *, ignored: bool) -> None:
    hall = asked()
    hall.mail(ANN, *lines, answer=answer, sure=False)
    assert hall.at.turns == bool(turn)
    assert turn in " ".join(hall.at.record_text.split())
    assert (f"Your `{answer}` was ignored" in hall.says(ANN)) == ignored


# -- without a host, in memory, in secret -----------------------------------------------------------------


def test_from_hand_to_hand_the_turn_is_shown_to_be_sent() -> None:
    MEANT["I assemble a lot"] = Understanding(LEGAL, choices=(LEGAL,))
    answer = answered("I assemble a lot")
    assert not answer.record_changed
    assert f"To play this turn, send it as it is:\n\n    {LEGAL}".replace("    ", "  ") in said(answer).replace(
        "    ", "  "
    )
    assert "`yes`" not in said(answer)
    assert answer.letters[0].offer == ""
    assert "without a host, you have to write the turn itself" in said(answered("yes"))
    assert not answered("yes").record_changed
    assert answered(f"yes\n{LEGAL}", GAME).record_changed


def test_an_offer_is_stored() -> None:
    offer = Proposal("offer", 1, 3, "abcdef", (TURN, "Pass"), choice=True)
    memory = Memory.make_new(2, "struggles").with_proposal(offer)
    assert Memory.read_text(memory.text) == memory
    assert memory.without_proposals("offer") == Memory.make_new(2, "struggles")


@each_row(
    ("proposal", "yes", "no", "second"),
    [
        (Proposal("offer", lines=("Pass", TURN), choice=True), (), (), (TURN,)),
        (Proposal("offer", lines=(TURN,)), (TURN,), (), ()),
        (Proposal("undo", lines=("undo yes",)), ("undo yes",), ("undo no",), ()),
        (Proposal("agree", lines=("agree draw",)), ("agree draw",), ("agree no",), ()),
        (Proposal("mail", lines=("block", "games")), ("block", "games"), (), ("games",)),
        (Proposal("move", lines=("address yes",)), ("address yes",), ("address no",), ()),
        (Proposal("invitation", lines=("accept",)), ("accept",), ("decline",), ()),
    ],
)
def test_the_lines_that_an_answer_stands_for(
    proposal: Proposal, yes: tuple[str, ...], no: tuple[str, ...], second: tuple[str, ...]
) -> None:
    assert [proposal.pick_lines(answer) for answer in ("", "yes", "no", "2", "3")] == [(), yes, no, second, ()]


def test_offers_that_differ_have_other_names() -> None:
    made = [
        Proposal("offer", 0, turn, after, lines, choice)
        for turn in (1, 2)
        for after in ("a", "b")
        for lines in (("Pass",), ("Pass", TURN))
        for choice in (True, False)
    ]
    assert len({offer.id for offer in made}) == len(made)


@each_row("typed", ["Assemble SSS Devon", "Negotiate Devon <> Devon", "Pass; summon W Devon", "Bribe Bob"])
def test_with_secret_hands_the_first_sentence_says_nothing_of_the_turn(typed: str) -> None:
    hall = Hall(dealt(code="second-edition-advanced"))
    hall.mail(ANN, typed)
    words = typed.replace("<>", "").replace(",", "").split()
    assert not [word for word in words if word in leads(hall).split() and word != "Pass"], leads(hall)


def test_a_player_who_is_away_may_answer_an_offer_later() -> None:
    hall = asked()
    hall.mail(ANN, answer="yes", after=DAY)
    assert hall.at.turns == 1
    assert list_names(["Ann"], "and") in format_plain(hall.last(BOB).body)


# -- with the second reading as it is ---------------------------------------------------------------------

SEVERAL = "Which of these turns did you mean? Nothing has been played yet."


@each_row(
    "text, lead, first",
    [
        (
            "I'd like to assemble: Scots to Moray, Welsh in Gwynedd, English to\nLancaster, and take a Welsh one from Lancaster.",
            MEANT_LEAD,
            "Assemble S Moray, W Gwynedd, E Lancaster; summon W Lancaster",
        ),
        (
            "Hi Bob,\n\nhope you are well. I play english support, 2 english to Devon and I summon a scot from Moray\n\nAnn",
            MEANT_LEAD,
            "English Support EE Devon; summon S Moray",
        ),
        (
            "Assemble S Mory, W Gwyned, E Lancaster; summon W Lancaster",
            MEANT_LEAD,
            "Assemble S Moray, W Gwynedd, E Lancaster; summon W Lancaster",
        ),
        (
            "Manoeuvre S Moray with E Essex\nsummon W Lancaster",
            MEANT_LEAD,
            "Manoeuvre S Moray <> E Essex; summon W Lancaster",
        ),
        ("Pass, I think", MEANT_LEAD, "Pass"),
        ("p", MEANT_LEAD, "Pass"),
        ("pas", MEANT_LEAD, "Pass"),
        ("Hello Bob,\n\nPas.\n\nAnn", MEANT_LEAD, "Pass"),
        (
            "no\nEnglish support, two English to Devon, summon a Scot from Moray",
            MEANT_LEAD,
            "English Support EE Devon; summon S Moray",
        ),
        (
            "Assemble",
            "Not played: Which followers go where?",
            "",
        ),
        (
            "Assemble S Moray, W Moray, E Lancaster",
            "Not played: Which follower do you summon, and from which region?",
            "Assemble S Moray, W Moray, E Lancaster; summon S Moray",
        ),
        (
            "Negotiate Moray <> Moray, disc Moray; summon W Gwynedd",
            "Not played: Moray is named twice: choose two different cards.",
            "Negotiate Warwick <> Moray, disc Moray; summon W Gwynedd",
        ),
    ],
)
def test_what_people_write(text: str, lead: str, first: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_offers, "understand_text", READ_FREELY)
    hall = Hall.of()
    found = orders_of(text, hall.at.replay, ANN)
    hall.took(game_service.receive_mail(hall.at, ANN, found, hall.now, 1))
    assert leads(hall) == lead
    assert next(iter(offered(hall)), "") == first
    assert not hall.at.turns


@each_row(
    "text",
    [
        "Assemble\nScots to Moray, Welsh in Gwynedd, English to Lancaster, summon Welsh from Lancaster",
        "Assemble:\n- Scots to Moray\n- Welsh in Gwynedd\n- English to Lancaster\nsummon Welsh from Lancaster",
        "My turn: assemble\n\nScots to Moray, Welsh in Gwynedd, English to Lancaster\n\nsummon Welsh from Lancaster",
        "Hello Bob!\nnotify my turns\nAssemble\nScots to Moray, Welsh in Gwynedd, English to Lancaster\nsummon Welsh from Lancaster\nAnn",
        "yes\nAssemble Scots to Moray, Welsh in Gwynedd, English to Lancaster and summon Welsh from Lancaster",
    ],
)
def test_a_turn_over_several_lines(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_offers, "understand_text", READ_FREELY)
    hall = Hall.of()
    hall.took(game_service.receive_mail(hall.at, ANN, orders_of(text, hall.at.replay, ANN), hall.now, 1))
    assert offered(hall) == ("Assemble S Moray, W Gwynedd, E Lancaster; summon W Lancaster",)
    assert leads(hall) == MEANT_LEAD


def test_lines_that_say_more_together_are_read_and_shown_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_offers, "understand_text", READ_FREELY)
    hall = Hall.of()
    text = "Negotiate\nGwynedd and Moray"
    hall.took(game_service.receive_mail(hall.at, ANN, orders_of(text, hall.at.replay, ANN), hall.now, 1))
    assert leads(hall) == SEVERAL
    assert len(offered(hall)) > 1
    assert all(" Moray <> Gwynedd," in turn or " Gwynedd <> Moray," in turn for turn in offered(hall))
    (quoted,) = (block for block in hall.last(ANN).body if isinstance(block, Quote))
    assert quoted.text == "Negotiate / Gwynedd and Moray"


def test_what_is_wrong_is_underlined_on_its_own_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_offers, "understand_text", READ_FREELY)
    hall = Hall.of()
    text = "Dear host\nI assemble a Scot into Moray, a Welsh into Moray and an English into Moray\nand I summon a Scot from Essex"
    hall.took(game_service.receive_mail(hall.at, ANN, orders_of(text, hall.at.replay, ANN), hall.now, 1))
    assert leads(hall).startswith("Not played: ")
    (shown,) = (block for block in hall.last(ANN).body if isinstance(block, Excerpt))
    assert "\n" not in shown.text
    marked = shown.text[shown.col - 1 : shown.col - 1 + shown.length]
    assert marked in {"a Scot", "Scot", "Scot from Essex", "a Scot from Essex", "from Essex", "Essex"}


@each_row(
    "code, players",
    [("claim", 2), ("second-edition-advanced", 2), ("second-edition-advanced", 4), ("first-edition", 3)],
)
def test_a_turn_of_any_game_is_offered_and_played(code: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_offers, "understand_text", READ_FREELY)
    hall = Hall(dealt(players, code=code))
    seat = hall.at.awaited
    assert seat is not None
    turn = find_mail_plugin(hall.at.record.game).list_playable(hall.at.view_as(seat), seat, "")[1][-1]
    hall.mail(seat, remark=f"I play {turn.replace(';', ' and I')}")
    assert offered(hall, seat) == (turn,)
    hall.mail(seat, answer="yes")
    assert hall.at.turns == 1
