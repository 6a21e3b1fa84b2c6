"""Replies that quote our letters in many ways: what their writers meant is found, and what is ours is never an order."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.mail.mails import ANN, GAME, LEGAL, TIME, answered
from tests.mail.replies.quoting import (
    DRAWN,
    HABITS,
    OTHER,
    STYLES,
    THANKS,
    Habit,
    Quotable,
    bare,
    marks,
    of_mail,
)
from tests.shared.examples import examples
from tests.shared.tables import each_row, sample
from tkid.mail import game_service
from tkid.mail.blocks import Letter, format_plain
from tkid.mail.letter_html import finish_letter
from tkid.mail.message import compose_mail
from tkid.mail.mime import take_in
from tkid.mail.model import Intake, Line, Orders
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.mail.plugin import find_mail_plugin
from tkid.mail.quotation import Form, OwnLetter, compare_words
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.rulebook.rulesets import ruleset

TABLE = Path(__file__).parent / "replies" / "quoted.txt"
GAMES = Path(__file__).parents[2] / "fixtures" / "games"
READER = get_order_reader(ruleset("second-edition").game(), ("Ann", "Bob"), 0)
MADE_BY_PROGRAMS = frozenset({"*{}*"})
CLAIM = ("claim", ("Ann <ann@example.org>", "Bob <bob@example.org>"), bytes(32))


# -- letters ----------------------------------------------------------------------------------------------------


def _composed(at: Replay, letter: Letter) -> bytes:
    return compose_mail(at, letter, ANN, "tkid@localhost", key="abcdefghijkl")


def _offered(at: Replay) -> list[str]:
    return find_mail_plugin(at.record.game).list_samples(at)


@cache
def letters() -> dict[str, tuple[Quotable, tuple[str, ...]]]:
    """Letters that are written today, each with the names of its players."""
    asked = game_service.ask_for_turn(GAME, TIME)
    claim = replay(new_record(*CLAIM, first="Ann"))
    of_claim = game_service.ask_for_turn(claim, TIME)
    assert asked is not None
    assert of_claim is not None
    offered = _offered(GAME)
    found = {
        "a turn": (of_mail("a turn", _composed(GAME, asked), offered[-2:]), GAME),
        "a turn of Claim": (of_mail("a turn of Claim", _composed(claim, of_claim), _offered(claim)[:2]), claim),
    }
    for name, text in {
        "a draft": f"draft {LEGAL}",
        "a draft of a pass": "draft Pass",
        "a draft with an error": "draft Pass; then Pass",
        "an order for a host": "undo yes",
        "something illegal": "Manoeuvre E Moray <> S Northumbria; summon E Northumbria",
        "no order": "Hello!",
        "a question": "help",
        "all that is legal": "legal",
    }.items():
        outcome = answered(text)
        at = outcome.game.replay
        found[name] = of_mail(name, _composed(at, outcome.letters[0]), offered[-2:] if name == "no order" else ()), at
    return {name: (letter, at.record.names) for name, (letter, at) in found.items()}


def read(letter: Quotable, data: bytes, *, known: bool = True, names: tuple[str, ...] = ("Ann", "Bob")) -> Orders:
    """What a reply to a letter asks for."""
    taken = take_in(data)
    assert isinstance(taken, Intake)
    code = "claim" if "Claim" in letter.name else "second-edition"
    reader = get_order_reader(ruleset(code).game(), tuple(names), 0)
    return find_orders(taken, reader, (OwnLetter(letter.raw),) if known else ())


def said(orders: Orders) -> str:
    """What is made of a reply, in a line."""
    parts = {
        "plays": tuple(line.typed for line in orders.lines if line.read.order is not None),
        "refuses": tuple(line.typed for line in orders.lines if line.read.order is None),
        "proposes": tuple(line.typed for line in orders.proposed),
        "asks": orders.choices,
        "answers": (orders.answer,) if orders.answer else (),
    }
    return "; and ".join(f"{verb} {' | '.join(texts)}" for verb, texts in parts.items() if texts) or "nothing"


def expected(letter: Quotable, style: str, habit: Habit) -> str:
    """What has to be made of a reply."""
    chosen, marked = letter.samples[-1] if letter.samples else "", marks(style)
    if habit.above and habit.above != THANKS:
        return f"plays {habit.above.replace('{}', chosen).partition(chr(10))[0]}"
    if habit.below:
        return f"{'plays' if marked else 'proposes'} {habit.below.replace('{}', chosen)}"
    if habit.mark:
        return "nothing" if habit.mark in MADE_BY_PROGRAMS and "html" in style else f"plays {letter.samples[1]}"
    if habit.left > 1:
        return f"asks {' | '.join(letter.samples[: habit.left])}"
    if habit.left:
        return (
            f"plays {letter.samples[0]}"
            if not habit.above
            else "nothing"
            if marked
            else f"proposes {letter.samples[0]}"
        )
    return "nothing"


def does(letter: Quotable, habit: Habit) -> bool:
    """Whether one can do that with a letter."""
    several = len(letter.samples) > max(1, habit.left)
    return several if habit.mark or habit.left else bool(letter.samples) or "{}" not in habit.above + habit.below


# -- the letters of today ---------------------------------------------------------------------------------------


TODAY = [
    (name, style, cut)
    for name in (
        "a turn",
        "a turn of Claim",
        "a draft",
        "a draft of a pass",
        "a draft with an error",
        "an order for a host",
        "something illegal",
        "no order",
        "a question",
        "all that is legal",
    )
    for style in STYLES
    for cut in (False, True)
]


def plays_nothing(name: str, style: str, cut: bool) -> None:  # noqa: FBT001
    """Check that who writes no order to a letter plays nothing."""
    letter, names = letters()[name]
    for habit in HABITS[:2]:
        assert said(read(letter, STYLES[style](letter, habit, cut), names=names)) == "nothing", habit.name


def is_found(name: str, style: str, cut: bool) -> None:  # noqa: FBT001
    """Check that an order above or below what is quoted, and a mark in it, are found."""
    letter, names = letters()[name]
    for habit in HABITS[2:]:
        of_struggle = OTHER in habit.above + habit.below or habit.above.startswith("Pass")
        if habit.left or (of_struggle and "Claim" in name) or not does(letter, habit):
            continue  # which samples are left says nothing where only two of many are looked at
        found = said(read(letter, STYLES[style](letter, habit, cut), names=names))
        wanted = expected(letter, style, habit)
        assert found == wanted or (_is_broken(style) and _only_asks(found)), habit.name


ASKED = [row for row in TODAY if row[0] in {"a turn", "a turn of Claim"}]
test_who_writes_no_order_plays_nothing = each_row("name, style, cut", TODAY[::9])(plays_nothing)
test_an_order_and_a_mark_are_found = each_row("name, style, cut", ASKED[::9])(is_found)
test_who_writes_no_order_plays_nothing_at_all = pytest.mark.slow(
    each_row("name, style, cut", TODAY, parts=5, sampled=True)(plays_nothing)
)
test_every_order_and_mark_is_found = pytest.mark.slow(
    each_row("name, style, cut", ASKED, parts=5, sampled=True)(is_found)
)


def _is_broken(style: str) -> bool:
    """Whether a style breaks the lines that are marked, which are then not always known again."""
    return "broken" in style


def _only_asks(found: str) -> bool:
    return not found.startswith("plays")


# -- the letters as they were designed --------------------------------------------------------------------------


def rows() -> list[tuple[Quotable, str, Habit, bool]]:
    """Every reply to the letters as they were designed."""
    return [
        (letter, style, habit, cut)
        for letter in DRAWN
        for style in STYLES
        for habit in HABITS
        if does(letter, habit)
        for cut in (False, True)
    ]


@pytest.mark.slow
@each_row("letter, style, habit, cut", rows, ids=lambda value: getattr(value, "name", value), parts=28, sampled=True)
def test_every_reply_to_a_designed_letter_is_read(letter: Quotable, style: str, habit: Habit, cut: bool) -> None:  # noqa: FBT001
    found = said(read(letter, STYLES[style](letter, habit, cut)))
    wanted = expected(letter, style, habit)
    assert found == wanted or (_is_broken(style) and _only_asks(found))


def table() -> list[tuple[str, ...]]:
    """The rows of the table: what a person does with which letter in which program, and what comes of it."""
    lines = TABLE.read_text("utf-8").splitlines()
    return [tuple(map(str.strip, line.split("|", 4))) for line in lines if line and not line.startswith("#")]


@each_row("name, style, habit, cut, outcome", table())
def test_a_reply_in_the_new_layout_comes_out_as_the_table_says(
    name: str, style: str, habit: str, cut: str, outcome: str
) -> None:
    letter = next(letter for letter in DRAWN if letter.name == name)
    done = next(each for each in HABITS if each.name == habit)
    assert said(read(letter, STYLES[style](letter, done, cut == "cut"))) == outcome


def test_the_table_has_every_program_letter_and_habit() -> None:
    listed = table()
    assert {style for _, style, *_ in listed} == STYLES.keys()
    assert {name for name, *_ in listed} == {letter.name for letter in DRAWN}
    assert {habit for _, _, habit, *_ in listed} == {habit.name for habit in HABITS}


# -- single rules -----------------------------------------------------------------------------------------------

TURN = next(letter for letter in DRAWN if letter.name == "01-your-turn")


def of_text(text: str, letter: Quotable = TURN) -> str:
    """What is made of a reply of these lines to a letter."""
    return said(read(letter, f"From: {ANN}\r\n\r\n{text}".encode()))


@each_row(
    "text, outcome",
    [
        ("{0}", "plays {0}"),
        ("  1  {0}", "refuses 1  {0}"),
        ("* {0}", "plays {0}"),
        ("{0}\n{1}", "asks {0} | {1}"),
        ("{1}\n\nThanks!\n\n{0}", "asks {1} | {0}"),
        ("X {0}", "plays {0}"),
        ("{0}   <- this", "plays {0}"),
        ("{0}   <- not this", "refuses {0}   <- not this"),
        ("X {0}\n{1}\nX {2}", "asks {0} | {2}"),
        ("* {0}\n* {1}\n* {2}", "nothing"),
        ("> * {0}\n> * {1}\n> * {2}", "nothing"),
        ("> * {0}\n>   {1}\n>   {2}", "plays {0}"),
        ("Pass\n\n> X {0}\n> {1}", "plays Pass"),
        ("say to all: Hello\n\n> X {0}\n> {1}", "plays say to all: Hello | {0}"),
        ("> {0}\n> {1}\n\nPass", "plays Pass"),
        ("> {0}\n\n{0}", "plays {0}"),
        ("Bob played Welsh Support in Lancaster. Your turn, until Friday 27 November.\n\nPass", "proposes Pass"),
        ("> Assemble S Moray, W Gwynedd, E Lancaster;\nsummon W Lancaster\n\nThanks", "nothing"),
        ("> Reply with one line:\nPass\n> , or a turn like these. They are legal now; change", "nothing"),
        ("{0}\n{1}\n{2}\nX Welsh Support WW Moray; summon S Moray", "nothing"),
    ],
)
def test_a_line_is_whose_it_is(text: str, outcome: str) -> None:
    assert of_text(text.format(*TURN.samples)) == outcome.format(*TURN.samples)


@each_row(
    "line, answer",
    [
        *[
            (line, "yes")
            for line in ("yes", "Yes.", "YES!", "y", "ok", "OK", "ja", "oui", "*yes*", "yes, please", "はい")
        ],
        *[(line, "no") for line in ("no", "No.", "n", "nein", "non", "no, thanks")],
        *[(line, line.strip("#.()")) for line in ("1", "2.", "3)", "(2)", "#1")],
        *[(line, "") for line in ("4", "yes I think", "no idea", "12", "1 2", "> yes", "-- \nyes", "yes\nno")],
        *[(f"{line}\n> yes", "") for line in ("Hello", "")],
        ("Hello Bob,\n\nyes\n\nAnn\n> no", "yes"),
        ("On Friday tkid wrote:\n> x\nyes", ""),
    ],
)
def test_an_answer_is_a_whole_line_above_the_quotation(line: str, answer: str) -> None:
    for letter in (TURN, DRAWN[2]):
        assert of_text(line, letter) in {f"answers {answer}", "nothing" if not answer else ""}


def test_several_letters_may_be_quoted() -> None:
    first, second = (OwnLetter(letter.raw) for letter in DRAWN[:2])
    text = f"Thanks!\n\n{DRAWN[0].text}\n\n{DRAWN[1].text}"
    taken = take_in(f"From: {ANN}\r\n\r\n{text}".encode())
    assert isinstance(taken, Intake)
    assert said(find_orders(taken, READER, (first, second))) == "nothing"
    assert said(find_orders(taken, READER, (first,))) == "nothing", "the samples of a letter that is not known"


def test_the_samples_of_another_letter_are_not_proposed() -> None:
    other = OwnLetter(DRAWN[4].raw)
    for style in STYLES:
        taken = take_in(STYLES[style](TURN, HABITS[1], False))  # noqa: FBT003
        assert isinstance(taken, Intake)
        assert said(find_orders(taken, READER, (other,))).partition(" ")[0] in {"nothing", "refuses"}, style


def test_of_a_letter_that_is_not_known_nothing_below_its_marker_or_heading_is_read() -> None:
    for style in STYLES:
        for cut in (False, True):
            data = STYLES[style](TURN, Habit("thanks", above=THANKS), cut)
            orders = read(TURN, data, known=False)
            assert all(line.read.order is None for line in orders.lines), style
            assert (orders.proposed, orders.choices, orders.answer) == ((), (), "")
            assert orders.remark[:1] == (THANKS,)


def test_the_sentence_above_the_marker_is_no_remark() -> None:
    for letter in DRAWN:
        orders = read(letter, bare()(letter, HABITS[1], False), known=False)  # noqa: FBT003
        assert (said(orders), orders.remark) == ("nothing", (THANKS,)), letter.name


# -- any game ---------------------------------------------------------------------------------------------------

RECORDED = sorted(
    path
    for folder in ("second-edition", "second-edition-advanced", "claim", "digest")
    for path in (GAMES / folder).glob("whole-game-for-?.tkid")
)


@cache
def _recorded(path: Path) -> Replay:
    record = read_record(path.read_bytes()).record
    assert record is not None
    return replay(record)


@examples(50)
@given(
    st.sampled_from(RECORDED),
    st.integers(0, 10_000),
    st.sampled_from(sorted(STYLES)),
    st.lists(st.tuples(st.integers(0, 200), st.integers(1, 30)), max_size=3),
    st.booleans(),
)
def test_who_writes_nothing_orders_nothing_whatever_is_cut(
    path: Path,
    moment: int,
    style: str,
    cuts: list[tuple[int, int]],
    thanks: bool,  # noqa: FBT001
) -> None:
    """A person who writes nothing may cut the letter anywhere; it is asked at most which of the turns is meant."""
    whole = _recorded(path)
    at = replay(evolve(whole.record, turns=whole.record.turns[: moment % len(whole.record.turns)]))
    letter = game_service.ask_for_turn(at, TIME)
    if letter is None:
        assert at.position.to_act is None
        return
    raw = _composed(at, letter)
    quoted = of_mail("any", raw, ())
    lines = quoted.text.rstrip("\n").split("\n")
    for begin, length in cuts:
        del lines[begin % len(lines) : begin % len(lines) + length]
        lines = lines or [""]
    style = "text bare" if cuts and "html" in style else style
    offered = [line.strip() for line in quoted.text.split("\n") if line.strip() in _offered(at)]
    left = [line for line in lines if line.strip()]
    data = STYLES[style](evolve(quoted, text="\n".join(lines)), HABITS[thanks], False)  # noqa: FBT003
    taken = take_in(data)
    assert isinstance(taken, Intake)
    found = find_orders(taken, get_order_reader(at.record.game, at.record.names, letter.seat), (OwnLetter(raw),))
    assert found.answer == ""
    if found.typed:
        assert len(left) == 1 or not thanks
        assert len(found.typed) == 1
        assert set(found.typed) <= set(offered)
        assert sum(line.strip() in offered for line in left) == 1


# -- letters as they are kept -----------------------------------------------------------------------------------


@each_row("title", ["", "winter", "Überwintern in Łódź", "冬の陣", "x" * 40])
def test_a_kept_letter_is_read_in_both_forms(title: str) -> None:
    at = replay(
        new_record("second-edition", ["Ann <ann@example.org>", "Bob <bob@example.org>"], bytes(32), title=title)
    )
    letter = game_service.ask_for_turn(at, TIME)
    assert letter is not None
    for pictures in (False, True):
        raw = compose_mail(at, letter, ANN, "tkid@localhost", key="abcdefghijkl", pictures=pictures)
        kept = OwnLetter(raw)
        shown = [line for line in format_plain(letter.body).split("\n") if compare_words(line)]
        keyed = [f"{line} abcdefghijkl" if line.startswith("Ref ") else line for line in shown]
        assert list(kept.text.lines) == keyed
        assert set(_offered(at)) <= set(kept.page.lines)
        assert kept.text.words[0] == kept.page.words[0] == compare_words(kept.text.lines[0])
        assert any("abcdefghijkl" in line for line in kept.page.lines)
    assert OwnLetter(b"").text == OwnLetter(b"Subject: x\r\n\r\nPass").page == Form((), ())


@pytest.mark.slow
@pytest.mark.parametrize("cut", sample([False, True], 2))
def test_a_letter_with_a_picture_is_compared_with_the_one_that_was_kept(*, cut: bool) -> None:
    letter = game_service.ask_for_turn(GAME, TIME)
    assert letter is not None
    kept = compose_mail(GAME, letter, ANN, "tkid@localhost", key="abcdefghijkl", pictures=True)
    shown = of_mail("a picture", finish_letter(kept).mail, _offered(GAME)[-2:])
    assert "<img" in shown.page
    for style in STYLES:
        for habit in (HABITS[0], HABITS[1], HABITS[3], HABITS[4], HABITS[7]):
            taken = take_in(STYLES[style](shown, habit, cut))
            assert isinstance(taken, Intake)
            found = said(find_orders(taken, READER, (OwnLetter(kept),)))
            assert found == expected(shown, style, habit) or (_is_broken(style) and _only_asks(found)), style


@each_row("between", ["\n", "\n\n", "\nor\n", "\n\nHmm, or maybe this one:\n\n"])
@pytest.mark.parametrize("mark", ["> ", ""])
def test_samples_that_were_copied_below_each_other_are_asked_about(between: str, mark: str) -> None:
    """Cites: mail.choice, mail.own-lines."""
    record = new_record("second-edition", CLAIM[1], CLAIM[2])
    begun = game_service.begin_game(record, TIME)
    at, letter = begun.game, begun.letters[0]
    quoted = [f"{mark}{line}" for line in format_plain(letter.body).split("\n")]
    samples = _offered(at.replay)
    for pair in ((first, other) for first in samples for other in samples if first != other):
        lines = [*between.join(pair).split("\n"), "", "", *quoted]
        mail = Intake(ANN, tuple(Line(line, line.startswith(">")) for line in lines), "", (), "")
        reader = get_order_reader(record.game, record.names, letter.seat)
        orders = find_orders(mail, reader, [OwnLetter(_composed(at.replay, letter))])
        outcome = game_service.receive_mail(at, letter.seat, orders, TIME)
        assert format_plain(outcome.letters[0].body).startswith("Which of these turns ")
        assert set(outcome.game.memory.list_offers(letter.seat)[0].lines) == set(pair)
