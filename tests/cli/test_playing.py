"""What `play --yes` does not play: rows of other turns, and words that doubt the turn beside them. And what it plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import said, tkid

MANOEUVRE = "Manoeuvre S Moray <> E Devon; summon W Gwynedd"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game that Ann begins; whoever deals it, these turns are legal or Pass is."""
    file = tmp_path / "game.tkid"
    said("new", file, "Ann <ann@example.org>", "Bob <bob@example.org>", "--first", "Ann", "--entropy", "07" * 32)
    return file


def row(game: Path, tmp_path: Path) -> str:
    """The row of Ann's pass, with its hash, as another copy of the game has it."""
    copy = tmp_path / "copy.tkid"
    copy.write_bytes(game.read_bytes())
    return said("play", copy, "Pass").splitlines()[0]


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("Pass #123456", "The hash #123456 does not fit. After this turn it is #"),
        ("1. Ann Pass #ABCDEF", "The hash #ABCDEF does not fit"),
        ("no turn at all #123456", "The hash #123456 does not fit. Copy"),
        ("2. Ann Pass", "The next turn is turn 1, not 2"),
        ("17. Bob Pass", "The next turn is turn 1, not 17"),
        ("1. Bob Pass", "This is Bob's turn, but Ann is to play"),
        ("1. Ann Pass\n2. Bob Pass", "These are 2 turns. Write one"),
        ("Pass. Actually ", "You also wrote `Actually`"),
        ("Pass. But", "You also wrote `But`"),
        ("pass, I think", "You also wrote `I think`"),
        ("pass - I guess", "You also wrote `I guess`"),
        ("I suppose, pass", "You also wrote `I suppose`"),
        ("Pass\n# resigned: Ann 2026-12-01T09:00Z", "You also wrote `# resigned: Ann"),
        ("# paused: until 2026-12-20\nPass", "You also wrote `# paused: until"),
        ("we should pass", "This does not look like an instruction"),
        ("Ann should pass", "This does not look like an instruction"),
    ],
)
def test_what_is_not_played(game: Path, typed: str, why: str) -> None:
    before = game.read_bytes()
    result = tkid("play", "--yes", game, typed)
    assert (result.exit_code, game.read_bytes()) == (1, before), result.output
    assert why in result.stderr
    assert "Nothing was played" in result.stderr
    assert "Is this the turn" not in result.output


@pytest.mark.parametrize(
    "typed", ["Pass", "1. Ann Pass", "ok, pass", "pass, thanks", "Pass (good luck!)", "Pass, have a nice evening"]
)
def test_what_is_played(game: Path, typed: str) -> None:
    shown = said("play", "--yes", game, typed)
    assert "1. Ann Pass #" in shown
    assert "Is this the turn you mean?" not in shown


def test_a_row_whose_hash_fits_is_played(game: Path, tmp_path: Path) -> None:
    typed = row(game, tmp_path)
    assert typed in said("play", "--yes", game, typed)


def test_the_place_of_a_quoted_line(game: Path) -> None:
    told = tkid("play", game, "Pass\n> no").stderr
    assert told.startswith("turn:2:1: This line is quoted [notation.free.intent]\n    > no\n    ^^^^\n")


@pytest.mark.parametrize(
    ("text", "played"),
    [
        ("Pass. Actually ", False),
        ("Pass\n# resigned: Ann 2026-12-01T09:00Z", False),
        ("Pass\n\nGood luck, but", False),
        ("Pass\n\nThanks, and good luck!", True),
    ],
)
def test_the_same_by_mail(game: Path, tmp_path: Path, text: str, *, played: bool) -> None:
    mail, before = tmp_path / "reply.eml", game.read_bytes()
    mail.write_text(f"From: ann@example.org\nTo: tkid@example.org\nSubject: Re: game\n\n{text}\n", "utf-8")
    result = tkid("mail", "read", game, mail, "-o", tmp_path / "answer.eml")
    assert (game.read_bytes() != before) == played, result.output
    assert result.exit_code == (0 if played else 1)
