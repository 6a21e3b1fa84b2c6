"""Drawing a game without a host: commitments and nonces by letters, and those who try to choose the deal."""

from __future__ import annotations

import base64
import os
import re
import shutil
from email import message_from_bytes
from email.policy import default
from itertools import permutations
from pathlib import Path

import pytest

from tests.cli import complaint, said, tkid
from tests.cli.letters import ADDRESSES, letter, mail_with
from tkid.record.draw import check_draw
from tkid.record.format.reader import read_record


class Player:
    """Somebody with a folder, a file of the draw, and letters."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name, self.folder = name, folder / name
        self.folder.mkdir()
        self.draw, self.letters = self.folder / "winter.draw", 0

    def run(self, *arguments: object, code: int = 0) -> str:
        """Run `tkid letter new`, and expect an exit code."""
        result = tkid("letter", "new", self.draw, *arguments)
        assert result.exit_code == code, result.output
        return result.output

    def sends(self, *arguments: object) -> Path:
        """Run it and write a letter."""
        self.letters += 1
        mail = self.folder / f"{self.letters}.eml"
        self.run(*arguments, "-o", mail)
        return mail

    def begins(self, *names: str, game: str = "winter-2026") -> Path:
        """Begin a draw."""
        seats = [part for name in names for part in ("--seat", f"{name} <{ADDRESSES[name]}>")]
        return self.sends(*seats, "--me", self.name, "--game", game)

    @property
    def record(self) -> Path:
        """The record that is dealt."""
        return self.folder / "winter.tkid"


@pytest.fixture
def players(tmp_path: Path) -> tuple[Player, Player, Player]:
    """Three of them."""
    ann, bob, cal = (Player(tmp_path, name) for name in ("Ann", "Bob", "Cal"))
    return ann, bob, cal


Players = tuple[Player, Player, Player]


def test_two_draw_a_game_by_letters(players: Players) -> None:
    ann, bob, _ = players
    first = ann.begins("Ann", "Bob")
    assert oct((ann.folder / "winter.nonce").stat().st_mode & 0o777) == "0o600"
    nonces = {p.name: (p.folder / "winter.nonce") for p in (ann, bob)}
    secret = nonces["Ann"].read_text().split()[-1]
    assert secret not in first.read_text()
    second = bob.sends(first, "--me", "Bob")
    third = ann.sends(second)
    assert secret in third.read_text()
    told = bob.run(third)
    assert "All nonces are here" in told
    assert ann.record.read_bytes() == bob.record.read_bytes()
    said("check", ann.record)
    proof = said("verify", ann.record).replace("\n  ", " ")
    assert (
        "- The entropy is made from the nonces of Ann and Bob, and each fits its commitment. [record.draw.en" in proof
    )
    assert "- That all commitments were there before the first nonce was sent" in proof
    assert "nobody added words" not in proof
    record = read_record(ann.record.read_bytes()).record
    assert record is not None
    assert check_draw(record) == []
    assert ann.letters + bob.letters == 3
    assert "All nonces are here" in ann.run(third)
    mover, other = (ann, bob) if record.start().to_act == 0 else (bob, ann)
    before = mover.record.read_bytes()
    said("play", mover.record, "Pass")
    assert "All nonces are here" in mover.run()
    assert mover.record.read_bytes() != before
    said("letter", "read", other.record, letter(mover.record))


@pytest.mark.slow
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_three_draw_a_game_in_any_order_of_letters(players: Players, order: tuple[int, int, int]) -> None:
    names = [p.name for p in players]
    commitments = [p.begins(*names) for p in players]
    assert all(p.letters == 1 for p in players)
    nonces = {}
    for each in order:
        others = [mail for mail, p in zip(commitments, players, strict=True) if p is not players[each]]
        nonces[each] = players[each].sends(*others)
    for each in order:
        players[each].run(*(mail for of, mail in nonces.items() if of != each))
    assert len({p.record.read_bytes() for p in players}) == 1
    assert all(p.letters == 2 for p in players)


def test_no_nonce_is_told_before_all_commitments_are_there(players: Players) -> None:
    ann, bob, cal = players
    first = ann.begins("Ann", "Bob", "Cal")
    second = bob.sends(first, "--me", "Bob")
    assert "Still missing: the commitment of Cal" in bob.run().replace("\n  ", " ")
    ann.run(second)
    for p in (ann, bob):
        assert "Nonces" not in p.draw.read_text()
    third = cal.sends(second, "--me", "Cal")
    assert "Nonces\nCal" in third.read_text().replace("\r", "")


def test_cheats_are_found(players: Players) -> None:
    ann, bob, _ = players
    first = ann.begins("Ann", "Bob")
    second = bob.sends(first, "--me", "Bob")
    good = second.read_bytes()
    own = re.findall(r"^Bob +(\w{64})$", bob.draw.read_text(), re.MULTILINE)
    anns = re.findall(r"^Ann +(\w{64})$", bob.draw.read_text(), re.MULTILINE)[0]
    before = {path: path.read_bytes() for path in ann.folder.iterdir()}
    other = bob.folder / "other"
    other.mkdir()
    changed = Player(other, "Bob").begins("Ann", "Bob", game="winter-2027").read_bytes()
    for data, rule, says in (
        (good.replace(own[1].encode(), b"0" * 64), "record.draw.nonce", "Bob's nonce does not fit"),
        (
            good.replace(own[0].encode(), anns.encode()),
            "record.draw.commitment",
            "Bob's commitment is the same as Ann's",
        ),
        (good.replace(anns.encode(), b"1" * 64), "record.draw.commitment", "Ann's commitment was different before"),
        (good.replace(b"Bob          " + own[0].encode(), b""), "record.draw.order", "no commitment yet of Bob"),
        (changed, "record.draw.game", "it has `Game: winter-2027`, and yours `Game: winter-2026`"),
        (good.replace(b"Bob   ", b"Eve   "), "record.draw.form", "`Eve` is not a player in this game"),
        (good[: good.rindex(own[1].encode()) + 30], "record.draw.form", "it has 30 characters"),
        (b"From: bob@example.org\n\nhello", "mail.letter.enclosed", "The mail has no draw"),
        (mail_with(("winter.draw", b"\xff\xfe")), "mail.letter.enclosed", "The mail has no draw"),
    ):
        second.write_bytes(data)
        told = ann.run(second, code=1)
        assert f"[{rule}]" in told, told
        assert says in told
        assert {path: path.read_bytes() for path in ann.folder.iterdir()} == before
    second.write_bytes(good)
    ann.run(second)


def test_a_commitment_from_an_earlier_draw_cannot_be_opened(players: Players, tmp_path: Path) -> None:
    ann, bob, _ = players
    first = ann.begins("Ann", "Bob")
    bob.sends(first, "--me", "Bob")
    old = re.findall(r"^Bob +(\w{64})$", bob.draw.read_text(), re.MULTILINE)
    (tmp_path / "again").mkdir()
    later = Player(tmp_path / "again", "Ann")
    later.begins("Ann", "Bob", game="winter-2027")
    text = later.draw.read_text() + f"Bob          {old[0]}\n\nNonces\nBob          {old[1]}\n"
    replayed = tmp_path / "replayed.draw"
    replayed.write_text(text)
    assert "[record.draw.nonce]" in later.run(replayed, code=1)


def test_a_commitment_that_is_told_otherwise_or_made_for_me(players: Players) -> None:
    ann, bob, cal = players
    first = ann.begins("Ann", "Bob", "Cal")
    second = bob.sends(first, "--me", "Bob")
    ann.run(second)
    forged = ann.folder / "forged.draw"
    forged.write_text(ann.draw.read_text() + f"Cal          {'2' * 64}\n")
    assert "There is a commitment here for Cal, who has not made one" in cal.run(forged, "--me", "Cal", code=1)
    assert list(cal.folder.iterdir()) == []
    cal.begins("Ann", "Bob", "Cal")
    assert "Cal's commitment was different before" in cal.run(forged, code=1)


def test_a_draw_is_begun_and_gone_on_with_care(players: Players) -> None:
    ann, bob, _ = players
    assert "To start, add --seat" in ann.run(code=2)
    assert "Who are you?" in ann.run("--seat", "Ann", "--seat", "Bob", code=2)
    assert "There is no player Eve" in ann.run("--seat", "Ann", "--seat", "Bob", "--me", "Eve", code=2)
    assert "[record.seats]" in ann.run("--seat", "Ann", "--me", "Ann", code=1)
    assert "[record.ruling]" in ann.run("--seat", "Ann", "--seat", "Bob", "--me", "1", "--ruling", "x y", code=2)
    advanced = ann.run("--seat", "Ann", "--seat", "Bob", "--me", "1", "--ruleset", "second-edition-advanced", code=2)
    assert "This game has secret hands, so its deal is a file such as" in advanced
    assert list(ann.folder.iterdir()) == []
    first = ann.begins("Ann", "Bob")
    assert "exists already" in ann.run("--seat", "Ann", "--seat", "Bob", "--me", "Ann", code=2)
    assert "has the nonce of Ann, so this is Ann's file." in ann.run("--me", "Bob", code=2)
    (ann.folder / "winter.nonce").chmod(0o644)
    assert "Others can read" in ann.run()
    nonce = (ann.folder / "winter.nonce").read_text()
    (ann.folder / "winter.nonce").write_text(nonce.replace(nonce.split()[-1], "3" * 64))
    assert "does not fit the nonce" in ann.run(code=1)
    (ann.folder / "winter.nonce").write_text("hello")
    assert "this file has no nonce" in ann.run(code=2)
    (ann.folder / "winter.nonce").unlink()
    assert "is missing" in ann.run(code=2)
    (bob.folder / "winter.nonce").write_text("old")
    assert "A nonce is used only once" in bob.run(first, "--me", "Bob", code=2)
    (bob.folder / "winter.nonce").unlink()
    bob.record.write_text("something else")
    second = bob.sends(first, "--me", "Bob")
    (ann.folder / "winter.nonce").write_text(nonce)
    third = ann.sends(second)
    assert "is the file of another game" in bob.run(third, code=2)
    assert bob.record.read_text() == "something else"
    bob.record.unlink()
    bob.run(third)


def test_a_record_that_keeps_its_draw_is_checked(players: Players, tmp_path: Path) -> None:
    ann, bob, _ = players
    first = ann.begins("Ann", "Bob")
    ann.run(bob.sends(first, "--me", "Bob"))
    text = ann.record.read_text()
    said("letter", "read", tmp_path / "good.tkid", ann.record, "--begin")
    commitment, nonce = (re.search(rf"X-{what}: Bob (\w+)", text) for what in ("Commitment", "Nonce"))
    assert commitment is not None
    assert nonce is not None
    swapped = re.sub(r"(Track        )(\w+), (\w+)", r"\1\3, \2", text)
    for wrong, rule in (
        (text.replace(nonce[1], "4" * 64), "record.draw.nonce"),
        (text.replace(f"X-Nonce: Bob {nonce[1]}\n", ""), "record.draw.entropy"),
        (re.sub(r"Seal: .*\n", "", text), "record.draw.entropy"),
        (swapped, "record.draw.entropy"),
    ):
        file = tmp_path / "wrong.tkid"
        file.write_text(wrong)
        assert f"[{rule}]" in complaint("letter", "read", tmp_path / "new.tkid", file, "--begin", code=1)
        assert tkid("verify", file).exit_code == 1


def test_draws_are_mended_by_hand(players: Players) -> None:
    ann, bob, _ = players
    first = ann.begins("Ann", "Bob")
    text = ann.draw.read_text()
    loose = text.replace("Tkid-Draw: 1", "# from Ann\n\ntkid-draw:1").replace("Commitments", "\ncommitments:\n# hers\n")
    loose = re.sub(r"Ann +(\w{64})", lambda row: f"ann\t{row[1].upper()}", loose)
    mail = ann.folder / "typed.eml"
    mail.write_text(f"From: ann@example.org\n\nHello Bob,\n\n{text}\nWhat do you say?\nAnn\n")
    file = ann.folder / "loose.draw"
    file.write_text(loose)
    bob.run(first, mail, file, "--me", "Bob")
    assert bob.draw.read_text().startswith(text.rstrip())


def test_private_files_are_never_in_a_letter(players: Players) -> None:
    ann, bob, _ = players
    first = ann.begins("Ann", "Bob")
    message = message_from_bytes(first.read_bytes(), policy=default)
    assert message["Subject"] == "[winter-2026] commitment of Ann"
    assert message["To"] == "Bob <bob@example.org>"
    nonce = (ann.folder / "winter.nonce").read_text().split()[-1]
    for data in (first.read_bytes(), ann.draw.read_bytes()):
        assert nonce.encode() not in data
        assert base64.b64encode(nonce.encode()) not in data
    assert os.listdir(bob.folder) == []  # noqa: PTH208


# -- the own file forgotten -----------------------------------------------------------------------------------


def test_a_mail_in_the_place_of_the_draw_loses_nothing(players: Players, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob, _ = players
    first = ann.begins("Ann", "Bob")
    monkeypatch.chdir(bob.folder)
    told = complaint("letter", "new", first, "--me", "Bob", code=2)
    own = first.with_name("winter.draw")
    assert f"{first} is a mail. Your own file of the draw comes first" in told
    assert f"`tkid letter new {own} {first}`" in told  # there is one beside the mail
    shutil.copy(first, "from-ann.eml")
    told = complaint("letter", "new", "from-ann.eml", "--me", "Bob", code=2)
    assert "`tkid letter new winter.draw from-ann.eml --me Bob`" in told
    assert "lost" not in told
    assert "restore" not in told
    shutil.copy(ann.draw, "winter.draw")
    told = complaint("letter", "new", "winter.draw", code=2)
    assert "`tkid letter new my-winter.draw winter.draw --me NAME`. If it is yours, put winter.nonce back." in told
    said("letter", "new", "my-winter.draw", "winter.draw", "--me", "Bob")
    assert sorted(file.name for file in bob.folder.iterdir()) == [
        *("from-ann.eml", "my-winter.draw", "my-winter.nonce", "winter.draw"),
    ]


def test_a_deal_that_a_mail_has_is_named_as_one(players: Players) -> None:
    ann, bob, _ = players
    mail = ann.folder / "1.eml"
    seats = ("--seat", "Ann <ann@example.org>", "--seat", "Bob <bob@example.org>", "--me", "Ann")
    said("letter", "new", ann.folder / "winter.deal", *seats, "--ruleset", "second-edition-advanced", "-o", mail)
    theirs = bob.folder / "hello.eml"
    shutil.copy(mail, theirs)
    told = complaint("letter", "new", theirs, code=2)
    assert f"{theirs} is a mail. Your own file of the deal comes first" in told
    assert f"{bob.folder / 'winter.deal'} {theirs} --me NAME" in told


def test_a_name_that_other_files_of_the_game_have_is_no_name_for_a_draw(players: Players) -> None:
    ann, _, _ = players
    for suffix in (".tkid", ".nonce", ".seed", ".deal"):
        told = complaint(
            *("letter", "new", ann.folder / f"winter{suffix}", "--seat", "Ann", "--seat", "Bob", "--me", "Ann"), code=2
        )
        assert f"so its draw is a file such as {ann.draw}" in told
    assert list(ann.folder.iterdir()) == []
