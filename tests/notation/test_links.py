"""Names that mail programs turn into links, and honest names with dots that they leave alone."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cli import complaint, record_in, said, tkid
from tests.shared.tables import each_row
from tkid.club.tournament_letters import TournamentError, announce_tournament
from tkid.notation.names import find_link
from tkid.record.format.new_game import NewGameError, new_record

NOW = datetime(2026, 11, 21, tzinfo=UTC)
LINKS = [
    "www.evil.example", "evil.example", "http://evil", "https://x.y", "ftp://x", "evil@x.example", "WWW.EVIL", "www2.evil",
    "my evil.com site", "(evil.com)", "evil.com.", "evil.com/x", "evil.de", "evil.co.uk", "a.b.c.dev", "evil.zip", "Dr.No",
    "www。evil。example", "evil．com", "evil․com", "evil｡com", "evil﹒com", "еvil.соm", "ｅｖｉｌ.ｃｏｍ", "мой.рф", "xn--a.xn--p1ai",
    "evil.\u200bcom", "e\u00advil.com", "mailto:x@y", "tel:+4912345", "Ann evil.org", "EVIL.INFO",
]  # fmt: skip
HONEST = [
    "J.R.", "J.R", "J. R. R. Tolkien", "J.R.R.Tolkien", "St. John", "St.John", "Ann.B", "Ann.B.", "Ann.Lee", "Dr. No", "Mr. T", "Mr.T",
    "O'Neil", "Jean-Luc", "Łukasz", "Anna.Müller", "José.María", "Игорь.Иванов", "张.伟", "K.", "v2.0", "No.1", "winter-2026",
    "2026.11.21", "Ann @ home", "Ann…", "...", "A.", "evil. com", "evil .com", "wwwwendy", "Http", "A.I.", "Bob (jr.)", "Sir John.",
]  # fmt: skip


@each_row("text", LINKS)
def test_what_becomes_a_link(text: str) -> None:
    assert find_link(text)
    assert find_link(f"Hello {text}, how are you?")


@each_row("text", HONEST)
def test_what_stays_a_name(text: str) -> None:
    assert find_link(text) == ""


def test_a_long_text_takes_no_long_time() -> None:
    """Each character is looked at a few times at most: a backtracking search would not end."""
    for text in ("a" * 4000, "a." * 2000, "-." * 2000, "www" * 1300, "." * 4000):
        assert find_link(text) == ""


@each_row("text", [each for each in LINKS if each.isprintable() and not {*":@"} & {*each}][::3])
def test_no_new_game_has_such_a_name_or_title(tmp_path: Path, text: str) -> None:
    for players, title in ((["Ann", text], ""), (["Ann", "Bob"], text)):
        with pytest.raises(NewGameError, match=r"link\. \[record\.seat\.link\]"):
            new_record("second-edition", players, bytes(32), title=title)
    file, draw = tmp_path / "new.tkid", tmp_path / "new.draw"
    assert "[record.seat.link]" in complaint("new", file, "Ann", text, code=1)
    assert "[record.seat.link]" in complaint("new", file, "Ann", "Bob", "--game", text, code=1)
    for options in (("--seat", "Ann", "--seat", text), ("--seat", "Ann", "--seat", "Bob", "--game", text)):
        assert "[record.seat.link]" in complaint("letter", "new", draw, *options, "--me", "Ann", code=1)
    players = [f"{name} <{number}@x.example>" for number, name in enumerate(("Ann", text))]
    with pytest.raises(TournamentError, match=r"record\.seat\.link"):
        announce_tournament("cup", "round-robin", 0, "second-edition", players, NOW)
    with pytest.raises(TournamentError):
        announce_tournament(text, "round-robin", 0, "second-edition", ["Ann <a@x.example>", "Bob <b@x.example>"], NOW)
    assert list(tmp_path.iterdir()) == []


def test_honest_names_may_begin_a_game(tmp_path: Path) -> None:
    for number, name in enumerate(("J.R.", "St. John", "Ann.B", "J.R.R.Tolkien")):
        said("new", tmp_path / f"{number}.tkid", name, "Bob", "--game", "v2.0", "--me", "Bob")


def test_old_files_with_such_names_are_read(tmp_path: Path) -> None:
    text = "Tkid-Record: 1\nRuleset: second-edition\nGame: www.evil.example\nSeat: evil.example\nSeat: Bob\n"
    file = tmp_path / "new.tkid"
    said("new", file, "Ann", "Bob", "--me", "Bob")
    rest = file.read_text("utf-8").partition("\nSetup")[2].replace("Ann", "evil.example")
    old = record_in(tmp_path, f"{text}\nSetup{rest}")
    assert "all right" in said("check", old)
    assert tkid("show", old).exit_code == 0
