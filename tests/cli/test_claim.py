"""The commands of mails, letters and hosts with a game of Claim."""

from __future__ import annotations

import re
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.cli import said, tkid
from tests.mail.mails import body, mail, parsed

ANN, BOB = "Ann <ann@example.org>", "Bob <bob@example.org>"
ENTROPY = "ab" * 32
"""Ann is dealt G9, Bob G7 and Dwarf 0 off the deck."""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game that Ann begins."""
    file = tmp_path / "winter.tkid"
    told = said("new", file, ANN, BOB, "--ruleset", "claim", "--game", "winter", "--first", "Ann", "--entropy", ENTROPY)
    assert told.startswith(f"{file}: Claim: tricks in two phases, with Ann, Bob. Ann starts.")
    return file


def sent(game: Path, text: str, sender: str) -> str:
    """What comes of a mail, on both streams."""
    file = game.with_name("reply.eml")
    file.write_bytes(mail(text, sender=sender))
    result = tkid("mail", "read", game, file, "-o", game.with_name("answer.eml"))
    return result.stdout + result.stderr


def test_mails(game: Path) -> None:
    letter = game.with_name("asked.eml")
    said("mail", "write", game, "-o", letter)
    assert "You lead. Play any card." in body(parsed(letter.read_bytes()))
    assert sent(game, "g9\nlead my lowest", ANN).splitlines()[0].startswith("Played: 1. Ann Goblin 9 #")
    assert "[post.order.hosted]" in sent(game, "play what is forced", BOB)
    assert "[claim.trick.order]" in sent(game, "Pass", BOB)
    assert "[claim.trick.follow]" in sent(game, "Knight 2", BOB)
    assert sent(game, "Goblin 7", BOB).startswith("Played: 2. Bob Goblin 7 #")
    answer = " ".join(body(parsed(game.with_name("answer.eml").read_bytes())).split())
    assert "you drew Dwarf 0" in answer
    assert said("check", game).startswith(f"{game}: all right, 2 turns, Ann to lead")


def test_letters(game: Path, tmp_path: Path) -> None:
    """Players keep their own files, and compare them; who holds the deck keeps the whole one."""
    said("play", game, "Goblin 9")
    said("play", game, "Goblin 7")
    for name in ("Ann", "Bob"):
        said("view", game, "--seat", name, "-o", tmp_path / f"{name}.tkid")
    letter = tmp_path / "letter.eml"
    said("letter", "write", tmp_path / "Ann.tkid", "--me", "Ann", "-o", letter)
    assert b"Dwarf 0" not in letter.read_bytes()
    told = said("letter", "read", tmp_path / "Bob.tkid", letter)
    assert "[record.compare.same]" in told
    assert "told otherwise" not in told, "that Bob drew a card is told to Bob alone"
    said("play", tmp_path / "Ann.tkid", "Knight 9")
    said("letter", "write", tmp_path / "Ann.tkid", "--me", "Ann", "-o", letter)
    told = said("letter", "read", tmp_path / "Bob.tkid", letter)
    assert "1 new turn" in told
    assert "Ann leads Knight 9 [claim.trick.lead]" in told
    assert "Bob draws Dwarf 0" in (tmp_path / "Bob.tkid").read_text("utf-8")


def test_whoever_keeps_the_whole_file_takes_letters_in_and_hands_out_own_files(game: Path, tmp_path: Path) -> None:
    ann, bob, letter = (tmp_path / name for name in ("Ann.tkid", "Bob.tkid", "letter.eml"))
    for name, file in (("Ann", ann), ("Bob", bob)):
        said("view", game, "--seat", name, "-o", file)
    for name, file, card in (("Ann", ann, "Goblin 9"), ("Bob", bob, "Goblin 7")):
        said("play", file, card)
        said("letter", "write", file, "--me", name, "-o", letter)
        assert "1 new turn" in said("letter", "read", game, letter)
        if name == "Ann":
            said("letter", "read", bob, letter)
    assert "-- Prize: ?" in bob.read_text("utf-8"), "nobody but the dealer knows what comes off the deck"
    assert "-- Prize: ?" not in game.read_text("utf-8")
    bob.unlink()
    said("view", game, "--seat", "Bob", "-o", bob)
    assert re.search(r"^-- Prize: \w+ \d$", bob.read_text("utf-8"), re.MULTILINE)
    assert "Bob draws Dwarf 0" in bob.read_text("utf-8")


def test_a_draw_between_two(tmp_path: Path) -> None:
    """Everybody learns all of a draw, so secret hands are dealt as a locked deal, and a text that draws them is refused."""
    asked = ("--seat", ANN, "--seat", BOB, "--me", "Ann", "--ruleset", "claim")
    result = tkid("letter", "new", tmp_path / "winter.draw", *asked)
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert "its deal is a file such as" in result.output
    said("letter", "new", tmp_path / "winter.deal", *asked)
    draw = tmp_path / "theirs.draw"
    draw.write_text("Tkid-Draw: 1\nRuleset: claim\nSeat: Ann\nSeat: Bob\n", "utf-8")
    result = tkid("letter", "new", tmp_path / "other.draw", draw, "--me", "Ann")
    assert result.exit_code == 1
    assert "Claim: tricks in two phases has secret hands" in result.output
    assert "[record.draw.secret]" in result.output


def test_a_host(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    said("host", "init", folder, "--address", "tkid@games.example")
    settings = ("--game", "winter", "--entropy", ENTROPY, "--first", "Ann", "--ruleset", "claim")
    made = said("host", "new-game", folder, ANN, BOB, *settings)
    assert made.startswith("winter: Claim: tricks in two phases, with Ann, Bob. 2 letters went out.")
    for number, (address, text) in enumerate(
        (("bob@example.org", "if led Goblin: play my highest\nnotify tricks"), ("ann@example.org", "Goblin 9")), 1
    ):
        box = folder / "out" / address / "new"
        letter = message_from_bytes(max(box.iterdir(), key=lambda file: file.stat().st_mtime_ns).read_bytes())
        reply = f"From: {address}\nTo: {letter['Reply-To']}\nMessage-ID: <{number}@example.org>\n\n{text}\n"
        (folder / "in" / "new" / f"{number}.eml").write_text(reply, "utf-8")
        assert said("host", "once", folder).startswith("1 mail came in, 1 carried out")
    assert "winter: turn 3, Ann to play" in said("host", "status", folder)
    record = said("host", "export", folder, "winter")
    assert "2. Bob Goblin 7" in record
    assert "play my highest" not in record
