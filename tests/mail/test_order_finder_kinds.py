"""Finding orders of all kinds: each whole and once, in the order of the mail; sentences stay remarks."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.mail.mails import FOLDER, MARKER
from tests.shared.tables import each_row
from tkid.mail.model import Intake, Line, Orders
from tkid.mail.order_finder import find_orders, get_order_reader, sort_lines
from tkid.rulebook.rulesets import ruleset

NAMES = ("Ann", "Bob", "Cal", "Dee")
GAME = ruleset("second-edition").game()
ANN = get_order_reader(GAME, NAMES, 0)
TURN = "Manoeuvre S Moray <> E Devon; summon W Gwynedd"
PLAN = f"if Bob plays Negotiate: stop; else if Bob passes and Essex is contested: {TURN}; else if anyone acts: Pass"
FULL = "say to all: I think that this is a long line, and that it goes on and I may"
"""A line so full that a mail program may have broken it."""
SENTENCES = [line for line in (FOLDER / "sentences.txt").read_text("utf-8").splitlines() if line and line[0] != "#"]


def orders_of(text: str) -> Orders:
    """What the lines of a mail of Ann's ask for; those that begin with `>` are quoted."""
    lines = tuple(Line(line, line.startswith(">")) for line in text.split("\n"))
    return find_orders(Intake("ann@example.org", lines, "", (), ""), ANN)


def found(text: str) -> list[str]:
    """The orders in a mail as they are written, in the order of carrying out; in brackets the rule that one breaks."""
    return [
        f"[{line.read.problems[0].rule}]" if line.read.order is None else ANN.write_order(line.read.order)
        for line in sort_lines(orders_of(text).lines)
    ]


KINDS = {
    "pass until there is a struggle!": "pass until struggle",
    "*keep passing until Bob acts*": "pass until Bob acts",
    "- if Bob passes: Pass; else stop": "if Bob passes: Pass; else stop",
    "“if Bob passes: Pass”": "if Bob passes: Pass",
    "If Bob passes： Pass；else stop": "if Bob passes: Pass; else stop",
    "ｉｆ Ｂｏｂ ｐａｓｓｅｓ： Ｐａｓｓ；ｅｌｓｅ ｓｔｏｐ": "if Bob passes: Pass; else stop",
    "(Pass)": "(Pass)",
    "Pass; then Pass": "Pass; then Pass",
    "draft pass": "draft Pass",
    "Say to all：Well played!": "say to all: Well played!",
    '• tell Bob: "Well" played – à bientôt': 'say to Bob: "Well" played – à bientôt',
    "“say to all: hi”": "say to all: hi",
    "say to Bob: <3 *really*!": "say to Bob: <3 *really*!",
    "status?": "status",
    "?": "help",
    "Help!": "help",
    "`rules post.undo`": "rules post.undo",
    "away from 20 Dec 2026 until 27.12.2026": "away 2026-12-20 to 2026-12-27",
    "cancel all": "cancel all",
    "undo?": "undo?",
    "UNDO YES": "undo yes",
    "notify my turns": "notify my turns",
    "resign": "resign",
    "  Resign!  ": "resign",
    "*resign.*": "resign",
    "\u200bresign": "resign",
}


@each_row("line", KINDS)
def test_every_kind_of_order_is_found(line: str) -> None:
    text = f"Dear all,\n\n{line}\n\nSee you,\nAnn\n> {MARKER}\n> resign"
    assert found(text) == [KINDS[line]]
    assert orders_of(text).remark == ("Dear all,", "See you,", "Ann")


def test_several_orders_are_found_in_the_order_of_the_mail() -> None:
    lines = ("status", TURN, "pass until struggle", "say to Bob: hi", "undo?")
    assert orders_of("\n".join(lines)).typed == lines
    assert orders_of("\nOh!\n\n".join(lines)).typed == lines
    assert orders_of("\n> status\n".join(lines)).typed == lines


def test_what_is_asked_for_twice_counts_once() -> None:
    assert orders_of("Pass\nstatus\npass.\nSTATUS?").typed == ("Pass", "status")
    assert orders_of("statsu\nstatsu").typed == ("statsu",)
    assert orders_of("say to all: hi\nsay to all: HI\nsay to all: hi").typed == ("say to all: hi", "say to all: HI")


# -- what is broken ---------------------------------------------------------------------------------------


def in_columns(text: str, width: int) -> str:
    """A text as a mail program breaks it."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{word}"
    return "\n".join(lines)


@each_row("width", [24, 40, 60, 66, 72, 76, 78])
@each_row(
    "order",
    [PLAN, f"if Bob passes: {TURN}; then Pass; else stop", f"draft {TURN}", f"Pass; then {TURN}", "away 2026-12-20 to 2026-12-27"],
)  # fmt: skip
def test_an_order_that_was_broken_is_one(order: str, width: int) -> None:
    text = f"Hello,\n\n{in_columns(order, width)}\n\nBye"
    assert found(text) == [order]
    assert orders_of(text).remark == ("Hello,", "Bye")


@pytest.mark.parametrize(
    ("lines", "order"),
    [
        ("if Bob passes: Pass;\nelse stop", "if Bob passes: Pass; else stop"),
        ("if Bob passes: Pass\nOtherwise, stop.", "if Bob passes: Pass; else stop"),
        ("if Bob passes: Pass\nelse if Cal passes\nthen Pass", "if Bob passes: Pass; else if Cal passes: Pass"),
        ("if Bob passes:\nPass", "if Bob passes: Pass"),
        ("Pass;\nthen Pass", "Pass; then Pass"),
        ("Pass\nthen Pass\nthen Pass", "Pass; then Pass; then Pass"),
        ("Pass\nuntil struggle", "pass until struggle"),
        (f"draft {TURN.replace('; ', chr(10))}", f"draft {TURN}"),
    ],
)
def test_what_goes_on_with_a_plan_belongs_to_it(lines: str, order: str) -> None:
    assert found(lines) == [order]
    assert orders_of(lines).remark == ()


def test_what_only_seems_to_go_on_does_not() -> None:
    assert orders_of("Pass\nThen we shall see").remark == ("Then we shall see",)
    assert orders_of("if Bob passes: Pass\nOtherwise all is well here.").remark == ("Otherwise all is well here.",)
    assert orders_of("undo\nyes").typed == ("undo",)
    assert orders_of("help\naway").typed == ("help", "away")
    assert found("if Bob passes: Pass\nresign") == ["resign", "if Bob passes: Pass"]


def test_a_plan_with_an_error_is_shown_whole_and_never_cut_to_what_reads() -> None:
    wrong = PLAN.replace("Essex", "Esex")
    for width in (40, 60, 72, 78):
        assert orders_of(in_columns(wrong, width)).typed == (wrong,)
    assert orders_of("if Bob passes: Pass\nelse stpo").typed == ("if Bob passes: Pass else stpo",)
    assert found("Pass\nthen Psas") == ["[notation.card]"]


def test_a_line_that_is_too_long_is_told() -> None:
    assert found(f"if Bob passes: {'Pass; then ' * 40}Pass") == ["[mail.long-line]"]
    assert found(f"{TURN}; {TURN * 8}") == ["[mail.long-line]"]
    assert found(f"say to all: {'x' * 2000}") == ["[post.say.long]"]
    prose = f"If I may say so, {'that was a very fine move, ' * 20}"
    assert evolve(orders_of(prose), own=()) == Orders(remark=(prose.strip(),))


# -- words to players -------------------------------------------------------------------------------------


def test_words_that_a_mail_program_has_broken_go_on() -> None:
    said = f"{FULL} go on and on and on, as long as I like. Then it ends."
    for width in (72, 76, 78):
        assert found(f"{in_columns(said, width)}\n\n{TURN}") == [said, TURN]
        assert found(f"{in_columns(said, width)}\n{TURN}") == [said, TURN]
    assert found(f"{FULL}\npass\nPass") == [f"{FULL} pass", "Pass"]


def test_words_that_go_on_in_small_letters_are_said_too() -> None:
    assert found("say to Bob: Let us stop\nhere.\n\nPass") == ["say to Bob: Let us stop here.", "Pass"]
    assert found("say to Bob: Let us\nmeet at\nthe inn\nPass") == ["say to Bob: Let us meet at the inn", "Pass"]
    assert found("say to Bob: good luck\npass") == ["say to Bob: good luck", "Pass"]
    assert found("say to Bob: good luck.\nhere is my turn\nPass") == ["say to Bob: good luck.", "Pass"]
    for turn in ("i put two scots into moray", "we play manoeuvre in moray", "assemble please"):
        assert found(f"say to all: nice move\n{turn}")[0] == "say to all: nice move", "a turn is not given away"


def test_words_below_a_colon_go_on_to_an_empty_line() -> None:
    assert found("say to all:\nDear friends,\nit was fun.\nAnn\n\nPass") == [
        "say to all: Dear friends, it was fun. Ann",
        "Pass",
    ]
    for nothing in ("", " '", ' "', " »", " *"):
        assert found(f"say to all:{nothing}\n\nPass") == ["Pass", "[post.order.form]"]
    assert found('say to all: "\nDear friends,\nit was fun.') == ["say to all: Dear friends, it was fun."]
    assert found("say to Bobb:\nhi\nho\n\nPass") == ["Pass", "[notation.player]"]
    prose = ("Say what you will, but know one thing:", "I shall win.")
    assert orders_of("\n".join(prose)).remark == prose


def test_words_to_players_give_nothing_away() -> None:
    """What is an order, or was meant as one, is not said; nor is what stands below a line that ends by itself."""
    assert orders_of("say to all: hi\nI plan to take Essex.").remark == ("I plan to take Essex.",)
    assert found("say to all: hi\nif Bob passes: Pass") == ["say to all: hi", "if Bob passes: Pass"]
    assert found("say to all:\nhi\nif Bob psses: Pass\nho") == ["say to all: hi", "[post.order.form]"]
    assert found(f"{FULL}\nif Bob psses: Pass") == [FULL, "[post.order.form]"]
    assert found(f"{FULL}!\nPass") == [f"{FULL}!", "Pass"]
    assert found("say to all: hi\n-- \nAnn") == ["say to all: hi"]
    assert found("say to all: hi\n> ho") == ["say to all: hi"]


# -- what is dangerous, and what is no order --------------------------------------------------------------


@pytest.mark.parametrize("line", ["resign?", "Resign,", "resign now", "I resign", "I'll resign.", "Resign: yes"])
def test_giving_up_is_asked_back_where_it_does_not_stand_alone(line: str) -> None:
    assert found(line) == ["[post.order.form]"]


@each_row(
    "text",
    [
        "I fear I shall have to\nresign\nbefore the winter is over",
        "well\nresign",
        "If things go on like this for much longer, then I am afraid I may well\nresign",
        "Perhaps I should\nresign.",
        "Resign yourself to it",
        "Should I resign?",
        "resign\nfrom what, I ask",
        "-- \nresign",
        "> resign",
        f"{MARKER}\nresign",
        "From: Ann <ann@example.org>\nSent: Saturday\nTo: tkid\nresign",
        "-----Original Message-----\nFrom: Ann <ann@example.org>\nTo: tkid\n\nresign",
        "-------- Nachricht --------\nAm Samstag schrieb Ann <ann@example.org>:\n\nresign",
        "    Am Samstag schrieb Ann <ann@example.org>:\n \n resign",
    ],
)
def test_giving_up_is_never_taken_from_a_text(text: str) -> None:
    assert orders_of(text).typed == ()


def test_agreeing_is_never_taken_from_a_text() -> None:
    assert orders_of("To that I can only say\nundo yes").typed == ()
    assert orders_of("undo yes\nis what I would say").typed == ()
    assert found("Dear all,\nundo yes\nann") == ["undo yes"]


def test_giving_up_stands_below_a_text_that_has_ended() -> None:
    for above in ("Dear all,", "That was it.", "Well played!", "status", ""):
        assert "resign" in found(f"{above}\nresign\nAnn")
    assert found("well played\nResign") == ["resign"]


def test_the_last_words_of_a_broken_sentence_are_no_order() -> None:
    for words in ("pass", "undo yes", "cancel", "pass until struggle", "help"):
        text = f"I think it is time to stop this long game here and that it would be best to\n{words}"
        assert orders_of(text).remark == tuple(text.split("\n"))
        assert (
            len(orders_of(f"It is time to stop this long game, and so I think that I know what to do.\n{words}").typed)
            == 1
        )


def test_unmarked_quotations_end_reading() -> None:
    """A mail of the player's own is quoted by some programs without marks: its orders were carried out."""
    quoted = "Von: Ann <ann@example.org>\nGesendet: Samstag\nAn: tkid\nBetreff: AW: x\n\nsay to all: hi\nundo yes"
    assert found(f"Pass\n\n{quoted}") == ["Pass"]
    assert found(f"Pass\n\n{'_' * 32}\n{quoted}") == ["Pass"]
    assert orders_of(f"Pass\nThanks\n\n{'_' * 32}\n{quoted}").remark == ("Thanks",)
    said = ["say to Bob: mail me <ann@example.org>", "say to Dee: yes", "say to all: no"]
    assert found("\n".join(said)) == said


@each_row("sentence", SENTENCES)
def test_sentences_are_remarks(sentence: str) -> None:
    assert evolve(orders_of(sentence), own=()) == Orders(remark=(sentence,))
    assert orders_of(f"Hi\n{sentence}\nPass\n\n{sentence}").remark == ("Hi", sentence, sentence)


@each_row(
    ("line", "rule"),
    [
        ("statsu", "post.order.unknown"),
        ("cancle all", "post.order.unknown"),
        ("fi Bob passes: stop", "post.order.unknown"),
        ("when Bob passes: stop", "post.order.unknown"),
        ("tel Bob: hi", "post.order.unknown"),
        ("if Bobb passes: stop", "notation.player"),
        ("pass until Esex is contested", "notation.region"),
        ("say to Bobb: hi", "notation.player"),
        ("say to Bob", "post.order.form"),
        ("away 2026-12-20", "post.order.form"),
        ("undo maybe", "post.order.form"),
        ("help awya", "post.order.form"),
        ("My move: Pass", "post.order.form"),
        ("I pass", "post.order.form"),
        ("else stop", "post.order.form"),
        ("if Ann passes: stop", "post.plan.others"),
    ],
)
def test_what_was_surely_meant_is_complained_about(line: str, rule: str) -> None:
    assert found(f"Hi,\n\n{line}\n\nAnn") == [f"[{rule}]"]
    assert found(f"{line}\nPass")[0] == "Pass"
