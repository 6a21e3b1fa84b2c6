"""Finding the order: which lines are one, which only look like one, and where reading stops."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mail.mails import LEGAL, MARKER, MIDGAME, UNTIMED, orders_of, write_marker
from tests.shared.tables import each_row
from tkid.mail.marker import (
    HEADINGS,
    find_keys,
    format_reply_line,
    has_lead,
    is_marker,
    is_our_line,
    read_id,
    read_marker,
    read_reference,
    write_reference,
)
from tkid.mail.model import Intake, Line, Marker
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.record.format.new_game import new_record


@each_row(
    "line",
    [
        "Pass",
        "pass.",
        "  PASS!  ",
        "*Pass*",
        "- Pass",
        "“Pass”",
        "Pass,",
        "\u200bPass\u00a0",
        LEGAL,
        f"• {LEGAL}",
        LEGAL.replace(" <> ", "\u00a0↔\u2009"),
        LEGAL.replace(";", "；"),
        "m e lanc <-> s nor; summon e nor",
        "w WW Devon",
        "summon W Gwynedd",
        "no summon",
        "Ｐａｓｓ。",
        "「Pass」",
        "/Pass/",
        "\u2067Pass\u2069",
        LEGAL.replace("<>", "⇔"),
        LEGAL.replace("<>", "《》").replace("; ", "；"),
        LEGAL.replace("<>", "↔\ufe0f"),
        LEGAL.replace("<>", "ó"),
        LEGAL.replace("<>", "&lt;&gt;"),
        LEGAL.replace("oeu", "œu"),
        LEGAL.replace("Manoeuvre", "*Manoeuvre*"),
        LEGAL.replace("Northumbria", "North\u00adum\u200bbria"),
    ],
)
def test_what_reads_as_a_turn_is_an_order(line: str) -> None:
    assert len(orders_of(f"Dear all,\n\n{line}\n\nAnn").typed) == 1
    assert orders_of(f"Dear all,\n\n{line}\n\nAnn").remark == ("Dear all,", "Ann")


@each_row(
    "line",
    [
        "Passe",
        "I pass",
        "Pass, I think",
        "pass gladly",
        "Manoeuvre S Mory <> E Devon",
        "Manouvre S Moray <> E Devon",
        "Manoeuvre",
        "Ass S Moray, W Devn, E Essex; summon W Gwynedd",
        "Outmaneuver W Northumbria",
        "Scotish Support SS Strathclyde",
        "Support SS Strathclyde",
        "Summon W Gwynnedd",
        "Negotiate Mory Devn",
        "My move: Pass",
        "Mein Zug: Manoeuvre E Lancaster <> S Northumbria; summon E Northumbria",
    ],
)
def test_what_tries_to_be_a_turn_is_an_order(line: str) -> None:
    assert orders_of(f"{line}\n\nPass").typed == (line, "Pass")


@each_row(
    "line",
    [
        "P",
        "P.",
        "Pa",
        "Thanks for the game!",
        "Assemble the troops",
        "Summon the devil from hell",
        "Negotiate with me",
        "Manoeuvre is a nice card",
        "Pass the salt",
        "Pass it on",
        "Man",
        "English is not my language, sorry.",
        "As I said, a nice evening for all",
        "A Devon man would pass",
        "A question; can we talk?",
        "No; I will not",
        "Out for lunch in Essex until two",
        "We lost Moray",
        "Welsh people are great",
        "Sent from my iPhone",
        "On Sat, Nov 21, 2026 at 11:00 AM tkid <tkid@localhost> wrote:",
        "Am Sa., 21. Nov. 2026 um 11:00 Uhr schrieb tkid <tkid@localhost>:",
        "W dniu 21.11.2026 o 11:00, tkid pisze:",
        "El sáb, 21 nov 2026 a las 11:00, tkid (<tkid@localhost>) escribió:",
        "2026年11月21日(土) 19:00 tkid <tkid@localhost>:",
        "сб, 21 нояб. 2026 г. в 13:00, tkid <tkid@localhost>:",
        "Em sáb., 21 de nov. de 2026 às 11:00, tkid escreveu:",
        "Op za 21 nov 2026 om 11:00 schreef tkid:",
        "1. Ann Pass #b3dcf8",
        "-- Moray: Scottish (2S 1W)",
        "A demain à tous les Gallois",
        "E questa è la mia mossa:",
        "As über《三国》、naja。",
    ],
)
def test_what_is_no_turn_is_a_remark(line: str) -> None:
    found = orders_of(f"{line}\n\nPass\n\n{line}")
    assert found.typed == ("Pass",)
    assert found.remark == (line, line)


@pytest.mark.parametrize(
    "lines",
    [
        "Manoeuvre E Lancaster <> S Northumbria;\nsummon E Northumbria",
        "Manoeuvre E Lancaster <> S Northumbria\nsummon E Northumbria",
        "Manoeuvre E Lancaster <> S Northumbria\n; summon E Northumbria",
        "Manoeuvre E Lancaster <> S Northumbria;\n\nsummon E Northumbria",
        "Manoeuvre E Lancaster <> S\nNorthumbria; summon E Northumbria",
        "Manoeuvre E Lancaster\n<> S Northumbria; summon\nE Northumbria",
        "Manoeuvre E Lancaster <> S Northumbria; summon E\nNorthumbria",
    ],
)
def test_a_broken_turn_is_one(lines: str) -> None:
    found = orders_of(f"Hello\n{lines}\nBye")
    assert (found.typed, found.remark) == ((LEGAL,), ("Hello", "Bye"))


def test_a_broken_turn_may_have_other_signs() -> None:
    assert orders_of("Manoeuvre E Lancaster\n《》 S Northumbria；\nｓｕｍｍｏｎ E Northumbria。").typed == (
        f"{LEGAL}.",
    )
    assert orders_of(f"Manœuvre E Lancashire 《》 S Devon\n{LEGAL}").typed[1:] == (LEGAL,)


def test_a_player_may_have_signs_in_the_name() -> None:
    """What is a turn as it was typed stays as it was typed."""
    players = ["Ann", "Bob_1", "*Cœur*"]
    game = new_record("second-edition-advanced", players, bytes(32), first="Ann")
    read = get_order_reader(game.game, game.names)
    for name in players[1:]:
        turn = f"Spy {name}: March SW Essex > Warwick"
        found = find_orders(Intake("x", (Line(turn),), "", (), ""), read)
        assert found.typed == (turn,)
        assert not read.read_line(turn).problems


def test_a_broken_turn_with_an_error_is_shown_whole() -> None:
    assert orders_of("Assemble S Moray,\nW Devn, E Essex; summon W Gwynedd").typed[0].endswith("summon W Gwynedd")
    assert orders_of("Manoeuvre E Lancaster <> S Northumbria\nsummon E Nortumbria").typed[0].endswith("E Nortumbria")


def test_what_follows_a_turn_is_not_drawn_into_it() -> None:
    assert orders_of("Pass\n\nSummon up your courage, Bob!").typed == ("Pass",)
    assert orders_of("Pass\nAnn").remark == ("Ann",)
    assert orders_of("As I said,\nPass").typed == ("Pass",)
    assert orders_of("Manoeuvre E Lancaster <> S Northumbria;\n> summon E Northumbria").typed[0].endswith(";")


def test_reading_stops_at_what_is_ours() -> None:
    for ours in (MARKER, MARKER.replace("---", "—"), f"*{MARKER}*", *HEADINGS):
        assert orders_of(f"Hm.\n{ours}\nPass").typed == ()
        assert orders_of(f"Hm.\n  {ours}\nPass").typed == ()
        assert orders_of(f"> {ours}\nPass").typed == ("Pass",)


def test_what_is_quoted_is_skipped() -> None:
    assert orders_of(f"> {MARKER}\n>Pass\n> > Pass\n").typed == ()
    assert orders_of("> Pass\n>> Pass\n> Pass").typed == ()


def test_a_signature_is_not_read() -> None:
    assert orders_of("Hi\n-- \nPass").typed == ()
    assert orders_of("Hi\n--\nPass").typed == ()
    assert orders_of("Hi\n-- \nPass\n> quoted\nPass").typed == ("Pass",)


def test_introductions_of_quotations_are_no_remark() -> None:
    assert orders_of("Well.\nOn Saturday Ann wrote:\n> x\nPass").remark == ("Well.",)
    assert orders_of("Well.\nOn Sat, 21 Nov 2026, tkid <tkid@localhost>\nwrote:\n> x").remark == ("Well.",)
    assert orders_of(f"Well.\n____\nFrom: a\nSent: b\nTo: c\nSubject: d\n{MARKER}").remark == ("Well.",)


def test_further_orders_are_named() -> None:
    found = orders_of(f"Pass\n{LEGAL}\nPASS\npass")
    assert found.typed == ("Pass", LEGAL)


# -- the marker -------------------------------------------------------------------------------------------

READER = get_order_reader(MIDGAME.record.game, MIDGAME.record.names)
titles = st.text(st.characters(categories=("L", "N", "P", "Zs"), exclude_characters="\u3000"), max_size=60)


@UNTIMED
@given(titles, st.integers(1, 999999), st.integers(0, 0xFFFFFF), st.integers(0, 2))
def test_a_marker_says_what_was_written(title: str, turn: int, after: int, quotes: int) -> None:
    title = " ".join(title.split())
    marker = Marker(turn, f"{after:06x}", title)
    line = write_marker(marker)
    assert is_marker(line)
    assert len(line) <= 78 or turn > 999
    for width in (200, 60):
        words, lines = line.split(" "), [""]
        for word in words:
            if len(lines[-1]) + len(word) > width:
                lines.append("")
            lines[-1] += f"{word} "
        read = read_marker([Line("> " * quotes + part, quoted=quotes > 0) for part in lines], 0)
        assert read is not None
        assert (read.turn, read.after) == (turn, marker.after)


def test_a_message_id_stands_in_for_the_marker() -> None:
    for parent, marker in {
        "<tkid.turn.5.04dccf.f73859f9737ff98d@localhost>": Marker(5, "04dccf"),
        "<tkid.again.12.04dccf.f7@mail.example>": Marker(12, "04dccf"),
        "<tkid.note.5.04dccf.f7@localhost>": Marker(5, "04dccf"),
        "<x.tkid.turn.5.04dccf.f7@localhost>": None,
    }.items():
        assert read_id(parent) == marker
        mail = Intake("x", (Line("Pass"),), "", (parent, "<tkid.turn.1.000000.f7@localhost>"), "")
        assert find_orders(mail, READER).marker == marker
    mail = Intake("x", (Line("Pass"), Line(MARKER)), "", ("<tkid.turn.5.04dccf.f7@localhost>",), "")
    assert find_orders(mail, READER).marker == Marker(1, "c3aea4", "winter-2026")


@UNTIMED
@given(st.text(max_size=200))
def test_every_line_is_looked_at_and_nothing_raised(text: str) -> None:
    found = orders_of(text)
    assert all(line.strip() for line in (*found.remark, *found.typed))
    assert not any(map(is_our_line, found.typed))


# -- the marker below one sentence, and the reference ---------------------------------------------------------


@UNTIMED
@given(
    titles, st.integers(1, 999_999), st.integers(0, 0xFFFFFF), st.sampled_from(["", "x4o5pvqscclo"]), st.integers(0, 2)
)
def test_a_reference_says_what_was_written(title: str, turn: int, after: int, key: str, quotes: int) -> None:
    marker = Marker(turn, f"{after:06x}", " ".join(title.split()), key)
    line = write_reference(marker)
    assert len(line) <= 60
    for width in (200, 30):
        wrapped = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
        lines = [Line("> " * quotes + part, quoted=quotes > 0) for part in (*wrapped, "", "-- ")]
        read = read_reference(lines, 0)
        assert read is not None
        assert (read.turn, read.after, read.key) == (turn, marker.after, key)
        if key:
            assert key in list(find_keys(lines))


def test_the_marker_below_a_sentence_names_game_and_turn() -> None:
    assert format_reply_line("winter", 17) == "--- Reply above this line. winter, turn 17 ---"
    assert format_reply_line("winter") == "--- Reply above this line. winter ---"
    assert format_reply_line("", 17) == "--- Reply above this line. Turn 17 ---"
    assert format_reply_line("") == "--- Reply above this line ---"
    assert all(
        is_our_line(line) and has_lead(line) for line in (format_reply_line("winter", 17), format_reply_line(""))
    )
    assert len(format_reply_line("x" * 60, 999)) <= 60
    assert not has_lead(MARKER)


@each_row(
    "text, keys",
    [
        ("Ref winter 17 7ba25b x4o5pvqscclo", ["x4o5pvqscclo"]),
        ("> > Ref winter 17 7ba25b\n> > x4o5pvqscclo", ["x4o5pvqscclo"]),
        ("Ref winter over rmqnqjh56lmm", ["rmqnqjh56lmm"]),
        ("Ref spring invitation inv7bob2sprg\n\n-- ", ["inv7bob2sprg"]),
        ("| Ref 17 7ba25b x4o5pvqscclo", ["x4o5pvqscclo"]),
        ("Ref winter 17 7ba25b", []),
        ("--- write your order above this line (turn 2, #0b2815, key x4o5pvqscclo) ---", ["x4o5pvqscclo"]),
        ("> --- write your order above this line (turn 2,\n> #0b2815, key x4o5pvqscclo) ---", ["x4o5pvqscclo"]),
        ("x4o5pvqscclo", []),
    ],
)
def test_keys_are_found_where_they_are_quoted_or_broken(text: str, keys: list[str]) -> None:
    assert list(dict.fromkeys(find_keys([Line(line) for line in text.split("\n")]))) == keys


def test_the_reference_tells_which_mail_is_answered() -> None:
    lines = (Line("Pass"), Line(format_reply_line("winter", 17)), Line("Ref winter 17 7ba25b x4o5pvqscclo"))
    thread = ("<tkid.turn.5.04dccf.f7@localhost>",)
    assert find_orders(Intake("x", lines, "", thread, ""), READER).marker == Marker(
        17, "7ba25b", "winter", "x4o5pvqscclo"
    )
    over = (*lines[:2], Line("Ref winter over rmqnqjh56lmm"))
    assert find_orders(Intake("x", over, "", thread, ""), READER).marker == Marker(5, "04dccf")
