"""Whose file a game file is: nobody plays or writes for somebody else by mistake; and one's own turn is taken out again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli import complaint, said, tkid
from tests.cli.letters import HASH
from tests.cli.terminal import needs_a_terminal, printed_at_a_terminal
from tests.mail.mails import body, parsed
from tests.shared.tables import each_row

AT = "2026-11-21T10:00:00+00:00"


@pytest.fixture(autouse=True)
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


@pytest.fixture
def anns(tmp_path: Path) -> Path:
    """Ann's file of a game that she begins."""
    return new(tmp_path / "game.tkid", "--me", "Ann")


@pytest.fixture
def nobodys(tmp_path: Path) -> Path:
    """A file of two people at one keyboard."""
    return new(tmp_path / "game.tkid")


def new(file: Path, *options: str) -> Path:
    said("new", file, "Ann <ann@example.org>", "Bob <bob@example.org>", "--first", "Ann", *options)
    return file


def turns(file: Path) -> str:
    """The turns in a file, without hashes."""
    return " ".join(
        line.split()[1] for line in file.read_text("utf-8").partition("Turns\n")[2].splitlines() if line[0] != "-"
    )


def write(file: Path, *options: str) -> Path:
    mail = file.with_suffix(".eml")
    said("letter", "write", file, "-o", mail, "--at", AT, "--no-pictures", *options)
    return mail


# -- who plays for whom -----------------------------------------------------------------------------------


def test_nobody_plays_for_somebody_else_by_mistake(anns: Path) -> None:
    said("play", anns, "Pass")
    before = anns.read_bytes()
    told = complaint("play", anns, "Pass", code=1)
    assert told == (
        "It is Bob's turn, and this is Ann's file. Nothing was played. [record.own]\nTo play for Bob, add --for Bob.\n"
    )
    assert anns.read_bytes() == before
    assert "It is Bob's turn, not Ann's." in complaint("play", anns, "Pass", "--for", "Ann", code=1)
    assert "There is no player Cal" in complaint("play", anns, "Pass", "--for", "Cal", code=2)
    assert "2. Bob Pass" in said("play", anns, "Pass", "--for", "Bob")
    assert "3. Ann Pass" in said("play", anns, "Pass", "--for", "1")


def test_two_people_at_one_keyboard_play_as_before(nobodys: Path) -> None:
    for name in ("Ann", "Bob", "Ann"):
        assert f" {name} Pass #" in said("play", nobodys, "Pass")


def test_whose_file_it_is_is_on_this_machine_only(anns: Path, tmp_path: Path) -> None:
    assert "Ann's file" not in anns.read_text("utf-8")
    said("play", anns, "Pass")
    copied = tmp_path / "bob" / "game.tkid"
    copied.parent.mkdir()
    copied.write_bytes(anns.read_bytes())
    assert "2. Bob Pass" in said("play", copied, "Pass")


def test_me_says_and_changes_whose_file_it_is(anns: Path) -> None:
    assert said("me", anns) == f"{anns} is Ann's file.\n"
    assert said("me", anns, "2") == f"{anns} is Bob's file.\n"
    assert "It is Ann's turn, and this is Bob's file." in complaint("play", anns, "Pass", code=1)
    assert "belongs to nobody" in said("me", anns, "nobody")
    assert "1. Ann Pass" in said("play", anns, "Pass")
    assert "There is no player Cal" in complaint("me", anns, "Cal", code=2)


def test_a_new_game_in_the_same_place_is_nobodys_again(anns: Path) -> None:
    anns.unlink()
    new(anns)
    assert "belongs to nobody" in said("me", anns)


def test_the_environment_says_who_you_are_and_what_is_noted_goes_first(
    nobodys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TKID_ME", "Bob")
    assert "this is Bob's file" in complaint("play", nobodys, "Pass", code=1)
    assert "1. Ann Pass" in said("play", new(tmp_path / "other.tkid", "--me", "Ann"), "Pass")
    monkeypatch.setenv("TKID_ME", "Cal")
    assert "There is no player Cal" in complaint("play", nobodys, "Pass", code=2)
    assert "1. Ann Pass" in said("play", nobodys, "Pass", "--for", "Ann")


def test_what_is_typed_may_not_be_what_is_not_noted(anns: Path) -> None:
    told = complaint("play", anns, "Pass", "--me", "Bob", code=1)
    assert told == f"{anns} is Ann's file, not Bob's. `tkid me {anns} Bob` changes that. [record.own]\n"


def test_a_file_in_a_folder_that_was_moved_belongs_to_the_same_player(anns: Path, tmp_path: Path) -> None:
    """But a copy belongs to nobody, nor does a file of another game; and a turn in it may have been sent."""
    said("play", anns, "Pass")
    there = tmp_path / "moved" / anns.name
    there.parent.mkdir()
    there.write_bytes(anns.read_bytes())
    assert "belongs to nobody" in said("me", there)
    anns.unlink()
    assert "is Ann's file" in said("me", there)
    assert "this is Ann's file" in complaint("play", there, "Pass", code=1)
    assert "Nothing was taken back" in complaint("undo", there, code=1)
    other = tmp_path / "other" / anns.name
    other.parent.mkdir()
    new(other)
    there.unlink()
    assert "belongs to nobody" in said("me", other)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"x": 5}', "\x00"])
def test_what_cannot_be_read_is_not_known(anns: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / "settings" / "tkid" / "files.json").write_text(content, "utf-8")
    assert "belongs to nobody" in said("me", anns)
    said("play", anns, "Pass")
    said("me", anns, "Ann")
    assert "this is Ann's file" in complaint("play", anns, "Pass", code=1)


def test_what_cannot_be_written_stops_nobody_from_playing(
    nobodys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "blocked").write_text("", "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "blocked"))
    assert "1. Ann Pass" in said("play", nobodys, "Pass")
    assert complaint("me", nobodys, "Ann", code=2).startswith("Nothing was changed: ")


def test_a_secret_game_is_its_dealers_who_plays_for_all(tmp_path: Path) -> None:
    file = new(tmp_path / "whole.tkid", "--ruleset", "second-edition-advanced")
    for name in ("Ann", "Bob"):
        assert f" {name} Pass #" in said("play", file, "Pass")


def test_a_file_with_one_secret_hand_is_that_players(tmp_path: Path) -> None:
    whole, mine = new(tmp_path / "whole.tkid", "--ruleset", "second-edition-advanced"), tmp_path / "bob.tkid"
    said("view", whole, "--seat", "Bob", "-o", mine)
    assert "It is Ann's turn, and this is Bob's file." in complaint("play", mine, "Pass", code=1)
    assert "1. Ann Pass" in said("play", mine, "Pass", "--for", "Ann")
    assert "2. Bob Pass" in said("play", mine, "Pass")


def test_a_new_game_says_how_a_file_becomes_ones_own(tmp_path: Path) -> None:
    told = said("new", tmp_path / "game.tkid", "Ann", "Bob")
    assert f"Is the file yours alone? `tkid me {tmp_path / 'game.tkid'} NAME` keeps you" in told
    assert "tkid me" not in said("new", tmp_path / "mine.tkid", "Ann", "Bob", "--me", "Ann")


# -- whom a letter is from --------------------------------------------------------------------------------


def test_a_letter_is_from_whose_file_it_is(anns: Path) -> None:
    said("play", anns, "Pass")
    assert parsed(write(anns).read_bytes())["From"] == "Ann <ann@example.org>"
    told = complaint("letter", "write", anns, "--me", "Bob", "--to", "Ann", code=1)
    assert "is Ann's file, not Bob's" in told
    told = complaint("letter", "write", anns, "--from", "bob@example.org", code=1)
    assert told == "bob@example.org is Bob's address, but the letter is from Ann. [record.own]\n"
    assert "Ann <else@example.org>" in parsed(write(anns, "--from", "else@example.org").read_bytes())["From"]


def test_a_letter_is_from_who_just_played_here_else_from_nobody(nobodys: Path) -> None:
    said("play", nobodys, "Pass")
    assert parsed(write(nobodys).read_bytes())["From"] == "Ann <ann@example.org>"
    mail = nobodys.with_suffix(".eml")
    told = said("letter", "write", nobodys, "-o", mail, "--no-pictures")
    assert "It does not name its sender, because the file belongs to nobody. To change that: `tkid me" in told
    assert parsed(mail.read_bytes())["From"] is None


def test_a_file_that_a_letter_begins_is_its_readers(anns: Path, tmp_path: Path) -> None:
    said("play", anns, "Pass")
    mail, mine = write(anns), tmp_path / "bob.tkid"
    assert "It is now Bob's file. `tkid me` changes that.\n" in said("letter", "read", mine, mail, "--begin")
    said("play", mine, "Pass")
    assert "It is Ann's turn, and this is Bob's file." in complaint("play", mine, "Pass", code=1)


def test_a_file_that_exists_stays_whose_it_is(anns: Path) -> None:
    mail = write(anns, "--to", "Bob")
    assert "exists already" in complaint("letter", "read", anns, mail, "--begin", code=2)
    assert said("me", anns) == f"{anns} is Ann's file.\n"


def test_a_drawn_game_is_whose_nonce_it_has(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("Ann", "Bob")}
    for folder in folders.values():
        folder.mkdir()
    ann, bob = (folder / "game.draw" for folder in folders.values())
    said("letter", "new", ann, "--me", "Ann", "--seat", "Ann", "--seat", "Bob")
    said("letter", "new", bob, ann, "--me", "Bob")
    said("letter", "new", ann, bob)
    said("letter", "new", bob, ann)
    for name, folder in folders.items():
        assert said("me", folder / "game.tkid") == f"{folder / 'game.tkid'} is {name}'s file.\n"


# -- taking a turn out again ------------------------------------------------------------------------------


def test_a_turn_that_was_not_sent_is_taken_out_without_a_trace(anns: Path) -> None:
    before = anns.read_bytes()
    said("play", anns, "Pass")
    told = said("undo", anns)
    assert told.startswith("Taken back: 1. Ann Pass\nIt is Ann's turn. If you gave somebody the file")
    assert anns.read_bytes() == before
    assert "has no turns of yours yet" in complaint("undo", anns, code=1)


def test_turns_of_two_at_one_keyboard_are_taken_out_one_by_one(nobodys: Path) -> None:
    for _ in range(3):
        said("play", nobodys, "Pass")
    for left in ("Ann Bob", "Ann", ""):
        said("undo", nobodys)
        assert turns(nobodys) == left


def test_only_ones_own_turn_is_taken_out(anns: Path) -> None:
    said("play", anns, "Pass")
    said("play", anns, "Pass", "--for", "Bob")
    assert complaint("undo", anns, code=1) == "Turn 2 is Bob's turn, not Ann's. Nothing was taken back. [record.own]\n"
    said("undo", anns, "--for", "Bob")
    said("undo", anns)
    assert turns(anns) == ""


def test_comments_before_a_turn_stay(anns: Path) -> None:
    anns.write_text(anns.read_text("utf-8") + "# think about Essex\n", "utf-8")
    said("play", anns, "Pass")
    said("undo", anns)
    assert anns.read_text("utf-8").endswith("Turns\n# think about Essex\n")


LEAVES = [
    ("letter", "write", "{file}", "-o", "{file}.eml", "--no-pictures"),
    ("letter", "write", "{file}", "--no-pictures"),
    ("mail", "write", "{file}", "-o", "{file}.eml"),
    ("view", "{file}", "-o", "{file}.copy"),
]


@each_row("command", LEAVES, ids=" ".join)
def test_a_turn_that_may_have_left_the_machine_stays(tmp_path: Path, command: tuple[str, ...]) -> None:
    folder = tmp_path / str(LEAVES.index(command))
    folder.mkdir()
    file = new(folder / "game.tkid", "--me", "Ann")
    said("play", file, "Pass")
    assert tkid(*(part.format(file=file) for part in command)).exit_code == 0
    before = file.read_bytes()
    told = complaint("undo", file, code=1)
    assert (
        "Others may have turn 1 already, from a letter or a copy of the file. Nothing was taken back. [record.turn.unsent]"
        in told
    )
    assert f"Ask the others in a mail. When all have agreed: `tkid undo {file} --agreed`. [record.turn.undone]" in told
    assert "host" not in told
    assert file.read_bytes() == before


def test_a_turn_of_a_game_at_a_host_is_taken_back_there(anns: Path) -> None:
    said("play", anns, "Pass")
    anns.write_text(
        HASH.sub("", anns.read_text("utf-8")).replace("\nSeat:", "\nX-Clock: 3 days a turn\nSeat:", 1), "utf-8"
    )
    assert "everybody agrees. Write `undo?` to the host, who asks the others. [record" in complaint(
        "undo", anns, code=1
    )


def test_a_turn_that_was_sent_is_marked_as_taken_back_when_everybody_agrees(anns: Path, tmp_path: Path) -> None:
    assert "has no turn to take back" in complaint("undo", anns, "--agreed", code=1)
    said("play", anns, "Pass")
    bob = tmp_path / "bob.tkid"
    said("letter", "read", bob, write(anns), "--begin")
    told = said("undo", anns, "--agreed")
    assert told.startswith(
        "Marked as taken back, because everybody agreed: 1. Ann Pass [record.turn.undone]\nIt is Ann's turn.\n"
    )
    assert re.search(r"^1\. Ann Pass \{undone: Ann, Bob agreed at \S+Z\} #", anns.read_text("utf-8"), re.MULTILINE)
    mail = write(anns)
    assert "tkid letter read GAME.tkid THIS-MAIL.eml --agree\n" in body(parsed(mail.read_bytes()))
    assert "marked there as taken back" in complaint("letter", "read", bob, mail, code=1)
    assert said("letter", "read", bob, mail, "--agree").startswith(f"{bob}: turn 1 was taken back.\n")
    said("play", anns, "Pass")
    assert said("letter", "read", bob, write(anns)).startswith(f"{bob}: 1 new turn.\n")


def test_a_letter_without_a_new_turn_says_so_and_whose_turn_it_is(anns: Path, tmp_path: Path) -> None:
    def noted(file: Path) -> str:
        return said("letter", "write", file, "-o", tmp_path / "mail.eml", "--no-pictures").partition("mail.eml.\n")[2]

    assert noted(anns) == ""  # it begins the game
    said("play", anns, "Pass")
    assert noted(anns) == ""
    first = (tmp_path / "mail.eml").read_bytes()
    assert noted(anns) == "Note: This letter has no new turn of yours. It is Bob's turn. [mail.letter.repeated]\n"
    bob = tmp_path / "bob.tkid"
    said("letter", "read", bob, tmp_path / "mail.eml", "--begin")  # the letter is written all the same
    play = f"Play it first: `tkid play {bob} TURN`."
    assert (
        noted(bob) == f"Note: This letter has no new turn of yours. It is Bob's turn. {play} [mail.letter.repeated]\n"
    )
    (tmp_path / "first.eml").write_bytes(first)
    assert "[record.compare.same]" in said("letter", "read", bob, tmp_path / "first.eml")
    said("undo", bob, "--agreed")
    assert noted(bob) == ""


def test_a_turn_that_came_in_a_letter_is_not_taken_out(anns: Path, tmp_path: Path) -> None:
    said("play", anns, "Pass")
    bob = tmp_path / "bob.tkid"
    said("letter", "read", bob, write(anns), "--begin")
    assert "Turn 1 is Ann's" in complaint("undo", bob, code=1)
    said("me", bob, "nobody")
    assert "may have turn" in complaint("undo", bob, code=1)


def test_a_turn_in_a_file_of_unknown_origin_is_not_taken_out(anns: Path, tmp_path: Path) -> None:
    said("play", anns, "Pass")
    other = tmp_path / "other.tkid"
    other.write_bytes(anns.read_bytes())
    assert "may have turn" in complaint("undo", other, code=1)


# -- whose hand is shown ------------------------------------------------------------------------------------

COVERED = ("--ruling", "second.ruling.open-hands hidden")
SECRET = ("--ruleset", "second-edition-advanced")


def hands(*arguments: object) -> list[bool]:
    """For each player whether their hand is shown."""
    return ["?" not in line for line in said("show", *arguments).splitlines() if line.startswith("     hand ")]


@each_row("options", [COVERED, SECRET])
def test_your_own_file_shows_your_own_hand_in_every_turn(options: tuple[str, ...], tmp_path: Path) -> None:
    file = new(tmp_path / f"{len(options[0])}.tkid", *options, "--me", "Bob")
    assert hands(file) == [False, True]
    assert hands(file, "--turn", "0") == [False, True]
    assert hands(file, "--seat", "Ann") == [True, False]
    said("play", file, "Pass", "--for", "Ann")
    said("play", file, "Pass")
    assert hands(file) == [False, True]
    said("me", file, "nobody")
    assert hands(file) == [True, False]


@each_row("options", [COVERED, SECRET])
def test_the_environment_says_whose_hand_is_shown(
    options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TKID_ME", raising=False)
    file = new(tmp_path / f"{len(options[0])}.tkid", *options)
    assert hands(file) == [True, False]
    monkeypatch.setenv("TKID_ME", "Bob")
    assert hands(file) == [False, True]


def test_a_players_file_of_the_advanced_game_shows_that_players_hand(tmp_path: Path) -> None:
    whole, bobs = new(tmp_path / "game.tkid", *SECRET), tmp_path / "bob.tkid"
    said("view", whole, "--seat", "Bob", "-o", bobs)
    assert hands(bobs) == [False, True]


def test_a_new_game_with_covered_hands_says_whose_hand_is_shown(tmp_path: Path) -> None:
    players, note = ("Ann", "Bob"), "Until then, `tkid show` shows the next player's hand."
    assert note in said("new", tmp_path / "nobodys.tkid", *players, *COVERED)
    assert note not in said("new", tmp_path / "bobs.tkid", *players, *COVERED, "--me", "Bob")
    assert note not in said("new", tmp_path / "open.tkid", *players)
    assert "else the next player" in " ".join(said("show", "--help").split())


# -- turns played for somebody else ---------------------------------------------------------------------------


def test_a_fork_by_a_turn_played_for_somebody_says_whose_file_is_wrong(tmp_path: Path) -> None:
    anns, bobs, mail = tmp_path / "ann.tkid", tmp_path / "bob.tkid", tmp_path / "bob.eml"
    said("new", anns, "Ann", "Bob", "--first", "Bob", "--me", "Ann")
    bobs.write_bytes(anns.read_bytes())
    said("me", bobs, "Bob")
    said("play", anns, "Pass", "--for", "Bob")
    turn = said("suggest", bobs, "--alone", "--player", "random", "--most", "1").splitlines()[0].split(". ", 1)[-1]
    said("play", bobs, turn.strip())
    assert tkid("letter", "write", bobs, "-o", mail, "--no-pictures").exit_code == 0
    told = " ".join(complaint("letter", "read", anns, mail, code=1).split())
    assert "Turn 1 is Bob's, so your file is wrong if Bob did not play what it has there." in told
    assert "Remove it with `tkid undo FILE --for Bob`, and read this letter again." in told
    told = " ".join(complaint("letter", "read", bobs, anns, code=1).split())
    assert "Turn 1 is yours, so the other file is wrong" in told
    said("play", anns, "Pass")
    assert "Remove the turns after it with `tkid undo FILE`, and then this one with" in " ".join(
        complaint("letter", "read", anns, mail, code=1).split()
    )
    said("undo", anns)
    said("undo", anns, "--for", "Bob")
    assert "1 new turn" in said("letter", "read", anns, mail)


@needs_a_terminal
@pytest.mark.parametrize(
    "command",
    [
        ("letter", "write", "FILE", "--me", "Ann", "--to", "all"),
        ("mail", "write", "FILE"),
        ("mail", "read", "FILE", "MAIL"),
        ("render", "FILE", "-o", "-", "--format", "png"),
        ("render", "FILE", "-o", "-", "--format", "gif"),
    ],
)
def test_no_mail_and_no_picture_is_poured_into_a_terminal(tmp_path: Path, command: tuple[str, ...]) -> None:
    file, mail = tmp_path / "winter.tkid", tmp_path / "bob.eml"
    said("new", file, "Ann <ann@example.org>", "Bob <bob@example.org>", "--first", "Ann", "--me", "Ann")
    said("play", file, "Pass")
    mail.write_text("From: bob@example.org\nTo: tkid@localhost\n\nPass\n", "utf-8")
    before = file.read_bytes()
    code, shown = printed_at_a_terminal(*({"FILE": str(file), "MAIL": str(mail)}.get(word, word) for word in command))
    assert code == 2
    assert "a terminal" in shown
    assert "-o" in shown
    assert shown.count("\n") < 3
    assert file.read_bytes() == before
    assert "Taken back: 1. Ann Pass" in said("undo", file)  # it was not sent
