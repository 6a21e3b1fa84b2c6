"""Names that cannot sit at one table when a game begins, and old records that have them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli import complaint, said, tkid
from tests.shared.tables import each_row
from tkid.notation.names import LATIN, look_alike, reduce_to_letters
from tkid.orders.order_kinds import KINDS
from tkid.record.format.new_game import NewGameError, new_record
from tkid.record.format.reader import read_record
from tkid.record.play.writer import write_record

ENTROPY = bytes(32)
ALIKE = [
    ("Ann", "Аnn"),  # Cyrillic
    ("Ann", "Αnn"),  # Greek
    ("Ann", "ΑΝΝ"),
    ("Toм", "TOМ"),
    ("Соня", "Coня"),
    ("Ann", "Ａｎｎ"),  # full width
    ("Ann", "𝐀𝐧𝐧"),
    ("Ann", "An\ufe00n"),
    ("Ann", "Ann\u3164"),
    ("Ann", "Ann."),
    ("Ann Lee", "Ann  Lee"),
    ("Ann-Lee", "Ann‐Lee"),
    ("O'Hara", "O’Hara"),
    ("Ian", "lan"),
    ("Bill", "BilI"),
    ("Ann1", "Annl"),
    ("Olga", "0lga"),
    ("Fi", "ﬁ"),
    ("José", "Jose\u0301"),
]
APART = [
    ("Ann", "Anne"),
    ("Ali", "All Black"),
    ("José", "Jose"),
    ("Bern", "Bem"),
    ("राम", "रमा"),
    ("🦊", "🐻"),
    ("Ann 🦊", "Ann 🐻"),
    ("Zoë", "Zoe"),
    ("Ян", "Yan"),
    ("A-B", "A B"),
]


def refused(*names: str, code: str = "second-edition") -> str:
    """Why a game cannot begin with these players, "" where it can."""
    try:
        new_record(code, names, ENTROPY)
    except NewGameError as error:
        return str(error)
    return ""


@each_row("one, other", ALIKE)
def test_names_that_look_alike_cannot_sit_at_one_table(one: str, other: str) -> None:
    assert look_alike(one, other)
    told = refused(one, other)
    assert ("look alike" in told and "[record.seat.alike] Add something to the name" in told) or (
        "[record.seat.unique]" in told  # the header has plain characters and single spaces, and capitals do not count
    )


@each_row("one, other", APART)
def test_names_that_can_be_told_apart_sit_at_one_table(one: str, other: str) -> None:
    assert not look_alike(one, other)
    assert refused(one, other) == ""


WORDS = sorted(
    {word for kind in KINDS for word in kind.words} | {"all", "Everyone", "anybody else", "yes", "OK", "ja", "Аll"}
)


@each_row("word", WORDS)
def test_an_order_an_answer_or_a_word_for_all_is_no_name(word: str) -> None:
    for code in ("second-edition", "claim"):
        told = refused("Ann", word, code=code)
        assert "[record.seat.word] Add something to the name" in told or "[record.seat.like-card]" in told


def test_words_of_a_game_are_no_names_in_it() -> None:
    assert "[record.seat.word]" in refused("Ann", "Lead", code="claim")
    assert refused("Ann", "Lead") == ""


def test_what_differs_is_named() -> None:
    assert refused("Ann", "Аnn").startswith(
        "`Ann` and `Аnn` look alike: nobody could tell them apart (one has a cyrillic capital letter a). ["
    )


@given(st.text(st.sampled_from("".join(LATIN)), min_size=1, max_size=8))
def test_letters_of_another_script_look_like_what_the_table_says(name: str) -> None:
    assert reduce_to_letters(reduce_to_letters(name)) == reduce_to_letters(name)
    assert look_alike(name, name.translate(str.maketrans("".join(LATIN), "".join(LATIN.values()))))


@pytest.mark.parametrize("names", [("Ann", "Аnn"), ("all", "Bob"), ("Ian", "lan")])
def test_a_record_with_such_names_is_read_as_it_is(names: tuple[str, str]) -> None:
    text = write_record(new_record("second-edition", ["Ann", "Bob"], ENTROPY, first="1"))
    for old, new in zip(("Ann", "Bob"), names, strict=True):
        text = text.replace(f"Seat: {old}", f"Seat: {new}").replace(f"Court {old}", f"Court {new}")
        text = text.replace(f"First        {old}", f"First        {new}")
    read = read_record(text.encode())
    assert read.problems == ()
    assert read.record is not None
    assert read.record.names == names


def test_the_commands_that_begin_a_game_refuse_such_names(tmp_path: Path) -> None:
    for command in (
        ("new", tmp_path / "game.tkid", "Ann", "resign"),
        ("letter", "new", tmp_path / "game.draw", "--me", "Ann", "--seat", "Ann", "--seat", "resign"),
    ):
        assert "`resign` cannot be a player's name" in complaint(*command, code=1)


def test_a_draw_with_such_names_is_not_joined(tmp_path: Path) -> None:
    draw = tmp_path / "ann.draw"
    said("letter", "new", draw, "--me", "Ann", "--seat", "Ann", "--seat", "Bob")
    draw.write_text(draw.read_text("utf-8").replace("Bob", "Аnn"), "utf-8")
    assert "look alike" in complaint("letter", "new", tmp_path / "bob.draw", draw, "--me", "2", code=1)


# -- one address ------------------------------------------------------------------------------------------


SHARED = ("Ann <we@example.org>", "Bob <WE@example.org>")


def test_two_seats_with_one_address_are_asked_about(tmp_path: Path) -> None:
    said("host", "init", tmp_path / "games")
    told = complaint("host", "new-game", tmp_path / "games", *SHARED, code=1)
    assert told.startswith(
        "No game was made: Ann and Bob have the same address, we@example.org. If they share it, add --one-a"
    )
    assert "[mail.one-address]" in told
    note = tkid("new", tmp_path / "ours.tkid", *SHARED).stdout
    assert (
        "Note: Ann and Bob have the same address, we@example.org, so `tkid mail read` cannot tell who sent a mail."
        in note
    )


def test_with_one_address_the_key_says_whose_orders_a_mail_has(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    said("host", "init", folder)
    with (folder / "host.toml").open("a") as settings:
        settings.write("pictures = false\n")
    said("host", "new-game", folder, *SHARED, "--one-address", "--game", "ours", "--first", "Ann")
    for turn in range(2):
        letters = [file.read_text("utf-8") for file in (folder / "out").rglob("*.tkid")]
        keys = {re.findall(r"^Reply-To: .*$", text, re.MULTILINE)[0] for text in letters if " to play" in text}
        for number, key in enumerate(sorted(keys)):
            mail = f"From: we@example.org\nTo: {key.removeprefix('Reply-To: ')}\nMessage-ID: <{turn}{number}@x.org>\n\nPass\n"
            (folder / "in" / "new" / f"{turn}{number}").write_text(mail, "utf-8")
        said("host", "once", folder)
    record = said("host", "export", folder, "ours")
    assert "1. Ann Pass" in record
    assert "2. Bob Pass" in record
