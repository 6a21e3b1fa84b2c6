"""The commands seal and verify, and how new seals a game."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from tests.cli import RECORD, complaint, record_in, said, tkid

ENTROPY = "07" * 32
SEAL = sha256(bytes.fromhex(ENTROPY)).hexdigest()
WORDS = ("--word", "Ann=the kettle is on", "--word", "bob=seven  grey geese")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A sealed game with words of both players."""
    file = tmp_path / "game.tkid"
    said("new", file, "Ann", "Bob", "--entropy", ENTROPY, *WORDS)
    return file


def changed(game: Path, old: str, new: str) -> Path:
    """The game with a text replaced."""
    text = game.read_text("utf-8")
    assert old in text
    game.write_text(text.replace(old, new), "utf-8")
    return game


# -- seal -------------------------------------------------------------------------------------------------


def test_seal_draws_entropy_and_tells_what_to_do_with_it() -> None:
    drawn = {}
    for _ in range(2):
        lines = said("seal").splitlines()
        entropy, seal = (
            next(line for line in lines if line.startswith(name)) for name in ("Entropy: ", "Seal: sha256:")
        )
        drawn[entropy] = seal
        digits = entropy.removeprefix("Entropy: ")
        assert seal == f"Seal: sha256:{sha256(bytes.fromhex(digits)).hexdigest()}"
        assert f"--entropy {digits} --word" in lines[-1]
        assert any("Keep this secret" in line for line in lines)
        assert any("Publish this in the invitation" in line for line in lines)
    assert len(drawn) == 2


def test_the_seal_of_entropy_that_is_known() -> None:
    assert said("seal", "--entropy", ENTROPY) == f"Seal: sha256:{SEAL}\n"
    assert complaint("seal", "--entropy", "0", code=2) == "--entropy 0: write hex digits (0 to 9, a to f).\n"
    assert complaint("seal", "--entropy", "0707", code=2) == "--entropy has 4 hex digits; 64 are needed.\n"


# -- new --------------------------------------------------------------------------------------------------


def test_new_writes_the_seal(game: Path) -> None:
    assert game.read_text("utf-8").startswith(
        f"Tkid-Record: 1\nRuleset: second-edition\nSeat: Ann\nSeat: Bob\nSeal: sha256:{SEAL}\n"
        f"Seal: word Ann: the kettle is on\nSeal: word Bob: seven grey geese\nSeal: entropy:{ENTROPY}\n\nSetup\n"
    )
    assert said("fmt", "--check", game) == f"{game}: nothing to change\n"


def test_new_deals_something_else_with_words(game: Path) -> None:
    other = game.parent / "other.tkid"
    said("new", other, "Ann", "Bob", "--entropy", ENTROPY)
    assert game.read_text("utf-8").partition("Setup")[2] != other.read_text("utf-8").partition("Setup")[2]


def test_new_refuses_words_of_strangers(tmp_path: Path) -> None:
    told = complaint("new", tmp_path / "a.tkid", "Ann", "Bob", "--word", "Eve=x", "--word", "Bob=", code=2)
    assert told.splitlines() == [
        "`Eve` is not a player in this game. [record.seal] The players are Ann and Bob.",
        "Bob's words are missing. [record.seal] Write them, or leave the line out.",
    ]
    assert list(tmp_path.iterdir()) == []


# -- verify -----------------------------------------------------------------------------------------------


def test_verify_says_what_is_proven_and_what_is_not(game: Path) -> None:
    told = said("verify", game)
    proven, _, unproven = told.partition("No file can prove this. Compare with your mails:\n")
    assert "Not proven" not in told, "the exit code is 0"
    assert proven.startswith("Proven:\n- The entropy fits the seal. [record.seal.entropy]\n- The regions,")
    assert "- That the seal was published before" in unproven
    assert all(len(line) < 80 for line in told.splitlines())
    assert said("verify", "-", stdin=game.read_bytes()) == told


def test_verify_a_game_in_play(game: Path) -> None:
    assert tkid("play", game, "Pass").exit_code == 0
    assert "- Turn 1: legal, and what followed is right. [record.turn.legal]" in said("verify", game)


def test_verify_altered_entropy(game: Path) -> None:
    told = complaint("verify", changed(game, f"entropy:{ENTROPY}", f"entropy:08{ENTROPY[2:]}"), code=1)
    assert told.startswith(f"{game}:8:7: This entropy does not fit the seal. Its SHA-256 begins with ")
    assert "[record.seal.entropy]" in told
    assert "check" in told or "Compare" in told
    checked = tkid("check", game)
    assert checked.exit_code == 1
    assert told == checked.stdout


def test_verify_an_altered_deal(game: Path) -> None:
    track = next(line for line in game.read_text("utf-8").splitlines() if line.startswith("Track"))
    names = track[13:].split(", ")
    told = said("verify", changed(game, track, f"Track        {', '.join(names[::-1])}"), code=1)
    assert told.startswith(f"Contradicted:\n{game}:22:1: This was not dealt. The deal is: {', '.join(names)} [rec")


def test_verify_without_a_seal_and_before_it_is_opened(game: Path) -> None:
    told = said("verify", changed(game, f"Seal: entropy:{ENTROPY}\n", ""), code=1)
    assert "Not proven:\n- The deal:" in told
    assert "the entropy is not opened yet" in told
    told = said("verify", record_in(game.parent, RECORD), code=1)
    assert "it was not sealed" in told
    assert "Turns 1 to 5: legal" in told


def test_verify_what_cannot_be_read(tmp_path: Path) -> None:
    assert complaint("verify", tmp_path / "no.tkid", code=2) == f"{tmp_path / 'no.tkid'}: No such file or directory\n"
    file = tmp_path / "a.tkid"
    file.write_text("Dear Ann", "utf-8")
    assert "[record.first-line]" in complaint("verify", file, code=2)


def test_a_game_with_hidden_hands_from_the_seal_to_the_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = said("new", "all.tkid", "Ann", "Bob", "--ruleset", "second-edition-advanced", "--entropy", ENTROPY, *WORDS)
    assert "\nIt contains the entropy of the deal. Keep it to yourself: it reveals all hands.\n" in told
    assert said("play", "all.tkid", "Pass").endswith(
        "It is Bob's turn.\n" if "Ann starts" in told else "It is Ann's turn.\n"
    )
    for name in ("Ann", "Bob"):
        said("view", "all.tkid", "--seat", name, "-o", f"{name}.tkid")
    shown = said("verify", "Ann.tkid", code=1)
    assert "the entropy is not opened yet" in shown
    assert "What Bob held at the start: this file hides it." in shown.replace("\n  ", " ")
    said("open", "Ann.tkid", "Bob.tkid", "all.tkid")
    assert "- What Ann and Bob held at the start: dealt, not chosen." in said("verify", "Ann.tkid")
