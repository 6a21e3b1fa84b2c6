"""`tkid mail` from end to end: files, exit codes, streams; nothing is half done."""

from __future__ import annotations

import re
from email.parser import BytesParser
from email.policy import default
from pathlib import Path
from shutil import copy

import pytest

from tests.cli import tkid
from tests.mail.mails import FOLDER, LEGAL, body, mail, parsed
from tests.shared.tables import each_row
from tkid.cli import turn_input

AT = "2026-11-21T10:00:00+00:00"
MARKER = "--- Reply above this line. winter-2026, turn 1 ---"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game that waits for Ann's first turn."""
    return Path(copy(FOLDER / "game.tkid", tmp_path))


def reply(game: Path, text: str, *headers: str, sender: str = "Ann <ann@example.org>") -> Path:
    """A reply beside the game."""
    file = game.with_name("reply.eml")
    file.write_bytes(mail(text, *headers, sender=sender))
    return file


def test_a_mail_becomes_a_turn_and_an_answer(game: Path) -> None:
    answer = game.with_name("answer.eml")
    result = tkid("mail", "read", game, FOLDER / "reply.eml", "-o", answer, "--at", AT)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Played: 1. Ann {LEGAL} #")
    assert result.stderr == ""
    assert f"1. Ann {LEGAL} {{at 2026-11-21T10:00Z}} #" in game.read_text("utf-8")
    message = parsed(answer.read_bytes())
    original = BytesParser(policy=default).parsebytes((FOLDER / "reply.eml").read_bytes())
    assert message["In-Reply-To"] == original["Message-ID"]
    assert original["In-Reply-To"] in message["References"]
    assert message["Date"] == "Sat, 21 Nov 2026 10:00:00 +0000"
    assert tkid("check", game).exit_code == 0


def test_the_same_mail_again_is_diagnosed(game: Path) -> None:
    assert tkid("mail", "read", game, FOLDER / "reply.eml").exit_code == 0
    before = game.read_bytes()
    for _ in range(2):
        again = tkid("mail", "read", game, FOLDER / "reply.eml")
        assert again.exit_code == 1
        assert "[mail.stale]" in again.stderr
        assert game.read_bytes() == before
    assert tkid("play", game, "Pass").exit_code == 0
    assert "[mail.stale]" in tkid("mail", "read", game, FOLDER / "reply.eml").stderr


def test_a_turn_mail_and_a_reply_to_it(game: Path) -> None:
    turn = game.with_name("turn.eml")
    assert tkid("mail", "write", game, "-o", turn, "--from", "games@tkid.example").exit_code == 0
    sent = parsed(turn.read_bytes())
    assert sent["From"] == "The King is Dead <games@tkid.example>"
    quoted = "\r\n".join(f"> {line}" for line in body(sent).split("\n"))
    file = reply(
        game, f"Welsh Support WW Warwick; summon W Devon\r\n\r\n{quoted}", f"In-Reply-To: {sent['Message-ID']}"
    )
    assert tkid("mail", "read", game, file).exit_code == 0
    assert "1. Ann Welsh Support WW Warwick; summon W Devon" in game.read_text("utf-8")
    assert "To: Bob <bob@example.org>" in tkid("mail", "write", game).stdout


def test_an_unmarked_quotation_without_its_marker_plays_nothing(game: Path) -> None:
    turn = game.with_name("turn.eml")
    assert tkid("mail", "write", game, "-o", turn).exit_code == 0
    _, quoted = body(parsed(turn.read_bytes())).split("\n", 1)
    offers = quoted.partition("WHAT YOU MAY ANSWER\n")[2]
    before = game.read_bytes()
    for text in (quoted, offers):
        result = tkid("mail", "read", game, reply(game, f"Thanks, I will think about it.\r\n\r\n{text}"))
        assert result.exit_code == 1
        assert game.read_bytes() == before
    assert tkid("mail", "read", game, reply(game, f"Pass\r\n\r\n{offers}")).exit_code == 0
    assert "1. Ann Pass" in game.read_text("utf-8")


def test_without_an_output_the_mail_goes_to_standard_output(game: Path) -> None:
    written = tkid("mail", "write", game, "--at", AT)
    assert written.exit_code == 0
    assert body(parsed(written.stdout_bytes)).split("\n")[2] == MARKER
    result = tkid("mail", "read", game, "-", "--at", AT, stdin=mail("Pass"))
    assert result.exit_code == 0
    assert "Played: 1. Ann Pass" in result.stderr
    assert parsed(result.stdout_bytes)["Subject"] == "Re: [winter-2026] Turn 1: your turn was played"


@pytest.mark.parametrize("text", ["Manoeuvre S Mory <> E Devon; summon W Gwynedd", "Hello", "Pass; summon W Devon"])
def test_a_wrong_turn_changes_nothing(game: Path, text: str) -> None:
    before, answer = game.read_bytes(), game.with_name("answer.eml")
    result = tkid("mail", "read", game, reply(game, text), "-o", answer)
    assert result.exit_code == 1
    assert result.stderr.startswith("Not done: ")
    assert game.read_bytes() == before
    assert body(parsed(answer.read_bytes())).split("\n")[2] == MARKER
    assert list(game.parent.glob(".*")) == []


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (mail("Pass", sender="eve@example.com"), "mail.sender"),
        (mail("Pass", "Auto-Submitted: auto-replied"), "mail.automatic"),
        (mail("Pass", "From: bob@example.org"), "mail.from"),
        (b"\x00\x01\x02", "mail.unreadable"),
        (b"", "mail.unreadable"),
        (b"a" * (26 << 20), "mail.too-large"),
    ],
)
def test_what_is_not_answered(game: Path, data: bytes, rule: str) -> None:
    before, answer = game.read_bytes(), game.with_name("answer.eml")
    game.with_name("reply.eml").write_bytes(data)
    result = tkid("mail", "read", game, game.with_name("reply.eml"), "-o", answer)
    assert result.exit_code == 1
    assert result.stderr.startswith("Not answered: ")
    assert f"[{rule}]" in result.stderr
    assert not answer.exists()
    assert game.read_bytes() == before


def test_what_cannot_be_read(game: Path, tmp_path: Path) -> None:
    file = reply(game, "Pass")
    missing = tmp_path / "missing"
    for arguments in ((game, missing), (game, tmp_path), (missing, file), (tmp_path, file), (file, file)):
        result = tkid("mail", "read", *arguments)
        assert result.exit_code == 2, arguments
        assert result.stderr
        assert result.stdout == ""
    assert tkid("mail", "write", missing).exit_code == 2
    game.write_text(game.read_text("utf-8").replace("Moray        SSWW", "Moray        SSW"), "utf-8")
    assert tkid("mail", "read", game, file).exit_code == 1
    assert tkid("mail", "write", game).exit_code == 1


def test_options_that_make_no_sense(game: Path) -> None:
    file = reply(game, "Pass")
    before = game.read_bytes()
    for options in (
        ("--from", "tkid"),
        ("--from", "a@b\r\nBcc: c@d"),
        ("--at", "yesterday"),
        ("-o", game),
        ("-o", file),
    ):
        result = tkid("mail", "read", game, file, *options)
        assert result.exit_code == 2, options
        assert game.read_bytes() == before
    assert tkid("mail", "write", game, "-o", game).exit_code == 2
    assert game.read_bytes() == before


def test_nothing_is_played_where_no_answer_can_be_written(game: Path) -> None:
    before = game.read_bytes()
    for output in (game.with_name("no") / "answer.eml", game.parent):
        result = tkid("mail", "read", game, reply(game, "Pass"), "-o", output)
        assert result.exit_code == 2
        assert "Nothing was written" in result.stderr
        assert game.read_bytes() == before


def test_who_has_no_address_is_named(game: Path) -> None:
    game.write_text(game.read_text("utf-8").replace("Ann <ann@example.org>", "Ann"), "utf-8")
    result = tkid("mail", "write", game)
    assert result.exit_code == 1
    assert "[mail.address]" in result.stderr


def test_an_address_that_is_none_is_told_when_the_game_is_dealt(tmp_path: Path) -> None:
    dealt = tkid("new", tmp_path / "new.tkid", "Ann <ann>", "Bob <bob@example.org>")
    assert dealt.exit_code == 0
    assert "`ann` is not an address that mail can be sent to" in dealt.stdout
    assert "bob@example.org" not in dealt.stdout


def test_a_file_behind_the_players_is_told(tmp_path: Path) -> None:
    refused = tkid("new", tmp_path / "Ann", "Bob", "winter.tkid")
    assert refused.exit_code == 2
    assert "`tkid new winter.tkid NAME NAME`" in refused.stderr
    assert not (tmp_path / "Ann").exists()


def test_the_way_to_an_address_that_was_left_out_works(tmp_path: Path) -> None:
    game = tmp_path / "new.tkid"
    assert tkid("new", game, "Ann", "Bob", "--first", "Ann").exit_code == 0
    assert "`tkid fmt`" not in tkid("mail", "write", game).stderr
    assert tkid("play", game, "Pass").exit_code == 0
    told = tkid("mail", "write", game)
    assert told.exit_code == 1
    assert "remove them, and `tkid fmt` writes new ones" in told.stderr
    text = game.read_text("utf-8").replace("Seat: Bob", "Seat: Bob <bob@example.org>")
    game.write_text(re.sub(r" #[0-9a-f]{6}$", "", text, flags=re.MULTILINE), "utf-8")
    assert tkid("fmt", game).exit_code == 0
    assert tkid("mail", "write", game).exit_code == 0


def test_a_finished_game_asks_nobody(tmp_path: Path) -> None:
    over = next(iter((FOLDER.parent / "games").glob("*/coronation*.tkid")))
    result = tkid("mail", "write", copy(over, tmp_path))
    assert result.exit_code == 1
    assert "over" in result.stderr


def test_a_game_that_somebody_else_writes_is_left_alone(game: Path) -> None:
    from tkid.cli.files import lock_file  # noqa: PLC0415

    with lock_file(game) as before:
        result = tkid("mail", "read", game, reply(game, "Pass"))
    assert result.exit_code == 2
    assert "another program" in result.stderr
    assert game.read_bytes() == before


def test_help_shows_examples() -> None:
    for command in ("read", "write"):
        assert "Example: tkid mail" in tkid("mail", command, "--help").stdout


def test_the_first_mail_lists_the_rulings_that_were_chosen(tmp_path: Path) -> None:
    file, players = tmp_path / "game.tkid", ("Ann <ann@example.org>", "Bob <bob@example.org>")
    tkid("new", file, *players, "--first", "Ann", "--ruling", "second.ruling.open-hands hidden")
    assert tkid("mail", "write", file, "-o", tmp_path / "mail.eml", "--at", AT).exit_code == 0
    text = " ".join(body(parsed((tmp_path / "mail.eml").read_bytes())).split())
    agreed = text.partition("WHAT YOU AGREED")[2]
    assert "ou see only your own hand, and only the top card of other piles. [second.ruling.open-hands]" in agreed


def test_who_resigns_by_mail_is_asked_about_at_the_terminal(game: Path) -> None:
    """Cites: post.resign.sure."""
    before, answer = game.read_bytes(), game.with_name("answer.eml")
    result = tkid("mail", "read", game, reply(game, "resign"), "-o", answer, "--at", AT)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "You cannot come back after you have resigned. If you are sure, add --yes. Nothing was changed.\n"
    )
    assert game.read_bytes() == before
    assert not answer.exists()
    assert tkid("mail", "read", game, reply(game, "resign"), "-o", answer, "--yes", "--at", AT).exit_code == 0
    assert "# resigned: Ann 2026-11-21T10:00Z" in game.read_text("utf-8")
    again = tkid("mail", "read", game, reply(game, "resign"), "--at", AT)
    assert again.exit_code == 1
    assert "Not done: The game is over: there is nothing left to decide. [post.order.over]" in again.stderr


def test_lines_that_ask_for_what_no_order_does_are_named(game: Path) -> None:
    answers = {
        "status\nshow\nwhy not Manoeuvre S Moray <> E Devon": ("These lines were", ["show", "why not Manoeuvre"]),
        "Pass\nShow": ("This line was", ["Show"]),
        "Hi Bob,\nstatus\nwhy not meet on Sunday?\nShow them who is king, old friend": ("", []),
    }
    for text, (which, lines) in answers.items():
        answer = game.with_name("answer.eml")
        tkid("mail", "read", game, reply(game, text), "-o", answer, "--at", AT)
        said = body(parsed(answer.read_bytes()))
        assert ("not understood:" in said) == bool(lines), text
        rest = said.partition(f"{which} not understood:")[2]
        assert all(f'"{line}' in rest for line in lines), text


def test_a_turn_in_doubt_is_asked_about(game: Path) -> None:
    before = game.read_bytes()
    result = tkid("mail", "read", game, reply(game, f"{LEGAL}\n\nActually no."), "--at", AT)
    assert result.exit_code == 1
    assert "[mail.doubt]" in result.stderr
    assert "Is this the turn you meant? Nothing has been played yet." in result.stdout
    assert game.read_bytes() == before


@each_row(
    "text",
    [
        "Cancel that.",
        "undo",
        "cancel",
        "stop",
        "no",
        "undo no",
        "agree no",
        "away",
        "pause",
        "draft",
        "I resign",
        "I give up",
        "quit",
    ],
)
def test_an_order_that_fails_beside_a_turn_is_asked_about(game: Path, text: str) -> None:
    """Cites: mail.doubt."""
    for lines in (f"{LEGAL}\n\n{text}", f"{LEGAL}\n{text}", f"{text}\n\n{LEGAL}"):
        before = game.read_bytes()
        result = tkid("mail", "read", game, reply(game, lines), "--at", AT)
        assert (result.exit_code, game.read_bytes()) == (1, before)
        assert "Is this the turn you meant? Nothing has been played yet." in result.stdout


def test_beside_an_unknown_sentence_a_turn_needs_a_word_of_the_user(game: Path) -> None:
    before, mail = game.read_bytes(), reply(game, f"{LEGAL}\n\nThis is frumious.")
    refused = tkid("mail", "read", game, mail, "--at", AT)
    assert (refused.exit_code, game.read_bytes()) == (1, before)
    way = "If the turn is meant all the same, add --yes. Nothing was changed."
    assert f"The sender also wrote `This is frumious.`. {way}" in refused.stderr
    result = tkid("mail", "read", game, mail, "--at", AT, "--yes")
    assert result.exit_code == 0
    assert "You also wrote" in result.stdout
    assert "Note: The sender also wrote `This is frumious.`. [mail.hold]" in result.stderr
    assert LEGAL in game.read_text("utf-8")


@pytest.mark.parametrize(("answer", "exit_code"), [("y\n", 0), ("n\n", 1), ("", 1)])
def test_at_a_terminal_an_unknown_sentence_is_asked_about(
    game: Path, answer: str, exit_code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cites: mail.hold."""
    monkeypatch.setattr(turn_input, "is_terminal", lambda: True)
    before, mail = game.read_bytes(), reply(game, f"{LEGAL}\n\nThis is frumious.")
    result = tkid("mail", "read", game, mail, "--at", AT, stdin=answer.encode())
    assert result.exit_code == exit_code
    assert "The sender also wrote `This is frumious.`. Play the turn?" in result.output
    assert (game.read_bytes() == before) == (exit_code == 1)
    if exit_code:
        assert tkid("mail", "read", game, mail, "--at", AT, "--yes").exit_code == 0
