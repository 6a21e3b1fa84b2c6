"""The last letters of games that were dealt from hand to hand: who wins, and what follows where a seed is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import complaint, said, tkid
from tests.cli.dealers import Player, copied, dealt_by_two
from tests.cli.letters import AT
from tests.mail.mails import body, parsed

SEED = 1
"""What the table of these tests is dealt from: with it, Ann begins and holds Plot."""


@pytest.fixture(scope="module")
def due(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which two have passed to the end, so that Ann has to name the faction of Plot."""
    folder = dealt_by_two(tmp_path_factory.mktemp("due"), SEED)
    ann, bob = (Player(folder / name, name) for name in ("Ann", "Bob"))
    while tkid("play", ann.game, "Pass").exit_code == 0:
        bob.reads(ann.writes())
        said("play", bob.game, "Pass")
        ann.reads(bob.writes())
    return folder


@pytest.fixture
def two(due: Path, tmp_path: Path) -> tuple[Player, Player]:
    """Ann, who has to name the faction of Plot, and Bob, who has written his last letter."""
    return copied(due, tmp_path)


def seed(player: Player) -> Path:
    """The file with a player's seed."""
    return player.folder / "winter.seed"


def text(mail: Path) -> str:
    """What a mail says, on one line."""
    return " ".join(body(parsed(mail.read_bytes())).split())


@pytest.mark.slow
def test_the_last_letter_is_written_without_the_seed(two: tuple[Player, Player]) -> None:
    """It says what it does not prove, and the other player decides whether that counts; cites: record.deal.word."""
    ann, bob = two
    seed(ann).unlink()
    assert tkid("play", ann.game, "Plot W").exit_code == 0
    mail = ann.folder / "last.eml"
    written = tkid("letter", "write", ann.game, "-o", mail, "--at", AT, "--no-pictures")
    lost = f"{seed(ann)} is missing, so your letter cannot prove that you were dealt Plot. "
    assert written.stderr.startswith(f"Note: {lost}The others decide whether they take your word for it")
    assert "opens your seed" not in written.output
    assert "I have lost my seed, so nothing proves that I was dealt Plot." in text(mail)
    assert "My seed is in this mail" not in text(mail)
    before = bob.game.read_bytes()
    refused = complaint("letter", "read", bob.game, mail, code=1)
    assert "revealed Plot in turn 8, and the letter does not prove that" in refused
    assert "add --agree. [record.deal.word]" in refused
    assert bob.game.read_bytes() == before
    agreed = tkid("letter", "read", bob.game, mail, "--agree")
    assert "Note: You take Ann's word for Plot" in agreed.stdout
    assert "-- Plot: Ann" in bob.game.read_text()
    said("letter", "read", bob.game, mail)  # once is enough
    proof = " ".join(said("verify", bob.game, code=1).split())
    assert "Contradicted" not in proof
    assert "nothing but Ann's word says that Ann was dealt Plot. [record.deal.word]" in proof
    assert tkid("letter", "read", ann.game, bob.writes()).exit_code == 0


@pytest.mark.slow
def test_a_seed_that_is_open_already_is_taken_from_the_deal(two: tuple[Player, Player]) -> None:
    """From one's own, or as another player's letter brings it back; cites: record.deal.seed."""
    ann, bob = two
    said("play", ann.game, "Plot W")
    closed = ann.deal.read_bytes()
    bob.reads(ann.writes())
    back = bob.writes()
    seed(ann).unlink()
    opened = ann.deal.read_bytes()
    ann.deal.write_bytes(closed)
    assert f"{seed(ann)} is missing" in tkid("letter", "write", ann.game, "--at", AT, "--no-pictures").stderr
    read = tkid("letter", "read", ann.game, back)
    assert (read.exit_code, read.stderr) == (0, "")
    ann.deal.write_bytes(opened)
    said("me", ann.game, "Ann")
    again = tkid("letter", "write", ann.game, "--at", AT, "--no-pictures")
    assert (again.exit_code, again.stderr) == (0, "")
    assert "is missing" not in tkid("show", ann.game).output


@pytest.mark.slow
def test_the_end_is_told_with_its_winner_and_the_next_step(two: tuple[Player, Player]) -> None:
    """To the owner of Plot each choice, to who plays last the letter to write, to the other all that followed."""
    ann, bob = two
    asked = said("letter", "read", ann.game, bob.folder / "3.eml")
    assert "Ann must name the faction that Plot counts for:" in asked
    for faction, wins in {"S": "Ann and Bob win", "W": "Ann and Bob win", "E": "Ann wins"}.items():
        assert f'  tkid play {ann.game} "Plot {faction}"   {wins}\n' in asked
    over = "The game is over: Ann and Bob win (invasion).\n"
    played = said("play", ann.game, "Plot W")
    assert played.endswith(
        f"{over}Now open your seed: it shows what you held. `tkid letter write {ann.game} --to all -o FILE` does that. "
        "[record.deal.seed]\n"
    )
    read = bob.reads(ann.writes())
    assert "1 new turn.\nAnn reveals Plot [second.card.plot]\n9. Ann Plot W" in read
    assert "states something else" not in read
    assert over in read


@pytest.mark.slow
def test_hands_that_were_dealt_together_are_opened_by_seeds_alone(two: tuple[Player, Player]) -> None:
    """No hand is typed in, and a missing deal is told apart from one that was never sealed; cites: record.opening, record.deal.lost."""
    ann, bob = two
    before = bob.game.read_bytes()
    for hand in ((), ("--hand", "Ann=Assemble, Assemble, Negotiate, Manoeuvre, Outmanoeuvre, Plot, Spy, Edict")):
        told = complaint("open", bob.game, *hand, code=1)
        assert told.startswith("You dealt this game together, so seeds open the hands. The first letter after the end")
    assert bob.game.read_bytes() == before
    bob.deal.unlink()
    assert complaint("open", bob.game, ann.game, code=1).startswith("You dealt this game together")
    verified = tkid("verify", bob.game)
    assert verified.exit_code == 1
    assert (
        f"Note: {bob.deal}, the deal of this game, is missing, so nothing of the deal was checked." in verified.stderr
    )
    assert f"`tkid letter new {bob.deal} LETTER`" in verified.stderr
    assert "was not sealed" not in verified.stdout
    assert "tkid open" not in verified.stdout
    seed(bob).unlink()
    assert "If the players dealt together, the file of their" in " ".join(tkid("verify", bob.game).stdout.split())
