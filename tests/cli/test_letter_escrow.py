"""A seed that a friend keeps: sealed to a key, opened again, and everything that is mistyped, cut, lost or somebody else's."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from tests.cli import complaint, said, tkid
from tests.cli.dealers import Player, copied, dealt_by_two, plays, seed_of
from tests.shared.tables import each_row
from tkid.record import locked_cards
from tkid.record.locked_cards import InvalidError

LIBRARY = "Secret hands without a dealer need another package: run pip install '.[secret]' in a copy of the source.\n"


class Table(NamedTuple):
    """Ann and Bob have dealt a game, and Eve is a friend who does not play."""

    ann: Player
    bob: Player
    eve: Path

    @property
    def key(self) -> Path:
        """The file with Eve's key."""
        return self.eve / "eve.key"

    @property
    def seed(self) -> Path:
        """The file with Ann's seed."""
        return self.ann.folder / "winter.seed"

    @property
    def sealed(self) -> Path:
        """The file with Ann's sealed seed."""
        return self.ann.folder / "winter.escrow"

    def seals(self) -> Path:
        """Eve makes a key, and Ann seals her seed to it."""
        word = said("letter", "escrow-key", self.key).splitlines()[-1]
        said("letter", "escrow", self.ann.game, word, "-o", self.sealed)
        return self.sealed


@pytest.fixture(scope="module")
def dealt_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which two have dealt an advanced game."""
    return dealt_by_two(tmp_path_factory.mktemp("table"), 9)


@pytest.fixture
def table(dealt_once: Path, tmp_path: Path) -> Table:
    """A copy of it, and a folder for Eve."""
    ann, bob = copied(dealt_once, tmp_path)
    (tmp_path / "Eve").mkdir()
    return Table(ann, bob, tmp_path / "Eve")


def mode(file: Path) -> str:
    """Who may read a file."""
    return oct(file.stat().st_mode & 0o777)


# -- lost and restored ------------------------------------------------------------------------------------


def test_a_seed_that_is_lost_comes_back_from_the_friend(table: Table) -> None:
    before, sealed = table.seed.read_text("utf-8"), table.seals()
    assert "\nDeck: " in before, "which deck the seed was used for is sealed too"
    seed = seed_of(table.ann)
    for form in (seed.hex(), b64encode(seed).decode().rstrip("=")):
        assert form not in sealed.read_text("utf-8")
    table.seed.unlink()
    told = said("letter", "escrow-open", sealed, "--key", table.key, "-o", table.seed)
    assert " ".join(told.split()) == (
        f"{table.seed} has the seed of Ann. Anybody who has it can see that hand. It belongs beside {table.ann.game} and "
        f"{table.ann.deal}."
    )
    assert table.seed.read_text("utf-8") == before
    assert (mode(table.seed), mode(table.key)) == ("0o600", "0o600")
    if table.ann.replay.position.to_act == 0:
        plays(table.ann, table.ann.replay, Random(1))
    assert table.bob.reads(table.ann.writes("--to", "all"))


def test_a_key_is_made_once_and_its_word_is_printed_again(table: Table) -> None:
    told = said("letter", "escrow-key", table.key)
    assert " ".join(told.split()).startswith(f"Your key is in {table.key}. Keep it secret, and make a copy. ")
    before = table.key.read_bytes()
    assert said("letter", "escrow-key", table.key) == f"{told.splitlines()[-1]}\n"
    assert table.key.read_bytes() == before


def test_the_sealed_seed_may_come_in_a_mail_as_a_quotation(table: Table) -> None:
    lines = table.seals().read_text("utf-8").splitlines()
    mail = table.eve / "mail.txt"
    mail.write_text(
        "\r\n".join(["Dear Eve,", "here it is: yours, Ann", *[f"> {line} " for line in lines], "Bye: Ann"]), "utf-8"
    )
    seed = table.eve / "ann.seed"
    said("letter", "escrow-open", mail, "--key", table.key, "-o", seed)
    assert seed.read_bytes() == table.seed.read_bytes()


def test_without_a_file_to_write_the_sealed_seed_is_printed(table: Table) -> None:
    word = said("letter", "escrow-key", table.key).splitlines()[-1]
    told = said("letter", "escrow", table.ann.deal, word)
    assert told.startswith(f"Tkid-Escrow: 1\nPlayer: Ann\nFor: {word}\n")
    assert locked_cards.open_sealed_text(told, secret_in(table.key)) == table.seed.read_text("utf-8")


def secret_in(key: Path) -> bytes:
    """The secret in the file of a key."""
    return bytes.fromhex(key.read_text("utf-8").splitlines()[-1].removeprefix("Key: "))


# -- mistakes of the player -------------------------------------------------------------------------------


@each_row(
    "cut",
    [
        lambda word: word[:-1],
        lambda word: word[1:],
        lambda word: "B" + word[1:] if word[0] == "A" else "A" + word[1:],
        lambda word: f"{word}{word}",
    ],
)
def test_a_key_that_is_not_whole(table: Table, cut: Callable[[str], str]) -> None:
    word = cut(said("letter", "escrow-key", table.key).splitlines()[-1])
    told = complaint("letter", "escrow", table.ann.game, word, "-o", table.sealed, code=2)
    assert (
        told
        == f"{word} is not a whole key. Copy the word that `tkid letter escrow-key` has printed. Nothing was written.\n"
    )
    assert not table.sealed.exists()


def test_the_seed_of_another_game_is_not_sealed(table: Table) -> None:
    word = said("letter", "escrow-key", table.key).splitlines()[-1]
    table.seed.write_text((table.bob.folder / "winter.seed").read_text("utf-8").replace("Bob", "Ann"), "utf-8")
    told = complaint("letter", "escrow", table.ann.game, word, "-o", table.sealed, code=1)
    assert told == (
        f"{table.seed} is not the seed with which Ann took part in {table.ann.deal}. Put the right one back. "
        "Nothing was written. [record.deal.seed]\n"
    )


def test_a_seed_is_sealed_when_all_cards_are_dealt(table: Table) -> None:
    word = said("letter", "escrow-key", table.key).splitlines()[-1]
    text = table.ann.deal.read_text("utf-8")
    table.ann.deal.write_text(text[: text.index("\nNonces\n")], "utf-8")
    table.ann.game.unlink()
    told = complaint("letter", "escrow", table.ann.game, word, "-o", table.sealed, code=2)
    assert (
        told
        == f"{table.ann.deal} is not a finished deal. Seal the seed when all cards are dealt. Nothing was written.\n"
    )
    table.ann.deal.unlink()
    assert complaint("letter", "escrow", table.ann.game, word, "-o", table.sealed, code=2) == told


def test_the_sealed_seed_takes_no_place_of_a_file_of_the_game(table: Table) -> None:
    word = said("letter", "escrow-key", table.key).splitlines()[-1]
    for file in (table.seed, table.ann.deal, table.ann.game):
        before = file.read_bytes()
        assert "would overwrite" in complaint("letter", "escrow", table.ann.game, word, "-o", file, code=2)
        assert file.read_bytes() == before


# -- mistakes of the friend -------------------------------------------------------------------------------

Change = Callable[[str], str]
TEXTS: list[tuple[str, Change, str]] = [
    ("cut at the end", lambda text: text[:-5], "does not have the whole sealed text, or it was changed"),
    ("a line lost", lambda text: "\n".join(text.splitlines()[:-2]), "does not have the whole sealed text, or it was changed"),
    ("a letter changed", lambda text: text.replace("Ann", "Ana"), "does not have the whole sealed text, or it was changed"),
    ("nothing sealed", lambda text: text.replace("Tkid-Escrow", "Escrow"), "has no sealed seed: no line `Tkid-Escrow: 1`"),
    ("empty", lambda text: text[:0], "has no sealed seed: no line `Tkid-Escrow: 1`"),
]  # fmt: skip


@each_row("case, change, reason", TEXTS)
def test_texts_that_cannot_be_opened(table: Table, case: str, change: Change, reason: str) -> None:
    text = table.seals().read_text("utf-8")
    assert change(text) != text, case
    cut, seed = table.eve / "cut.txt", table.eve / "winter.seed"
    cut.write_text(change(text), "utf-8")
    told = complaint("letter", "escrow-open", cut, "--key", table.key, "-o", seed, code=1)
    assert told == f"{cut} {reason}. Nothing was written.\n"
    assert not seed.exists()


def test_another_key_than_the_one_it_is_sealed_to(table: Table) -> None:
    sealed, other, seed = table.seals(), table.eve / "other.key", table.eve / "winter.seed"
    said("letter", "escrow-key", other)
    told = complaint("letter", "escrow-open", sealed, "--key", other, "-o", seed, code=1)
    assert told == f"{sealed} is sealed to another key. Nothing was written.\n"


def test_a_key_that_is_lost_or_no_key(table: Table) -> None:
    sealed, seed = table.seals(), table.eve / "winter.seed"
    table.key.write_text("Tkid-Key: 1\nName: eve\nKey: 0123\n", "utf-8")
    told = f"{table.key}: this file has no key.\n"
    assert complaint("letter", "escrow-open", sealed, "--key", table.key, "-o", seed, code=2) == told
    assert complaint("letter", "escrow-key", table.key, code=2) == told
    table.key.unlink()
    assert complaint("letter", "escrow-open", sealed, "--key", table.key, "-o", seed, code=2) == (
        f"{table.key} is missing. It has your key, which can't be restored. What is sealed to it stays sealed.\n"
    )


def test_a_seed_takes_no_place_of_another_file(table: Table) -> None:
    sealed, before = table.seals(), table.seed.read_bytes()
    told = complaint("letter", "escrow-open", sealed, "--key", table.key, "-o", table.seed, code=2)
    assert told == f"{table.seed} exists already. Nothing was written.\n"
    assert table.seed.read_bytes() == before


def test_a_seed_is_not_put_beside_another_deal(table: Table) -> None:
    sealed, deal = table.seals(), table.eve / "winter.deal"
    deal.write_bytes((Path(__file__).parents[2] / "fixtures" / "deals" / "two.deal").read_bytes())
    told = complaint("letter", "escrow-open", sealed, "--key", table.key, "-o", table.eve / "winter.seed", code=1)
    assert told == f"{sealed} has the seed of another game than {deal}. Nothing was written. [record.deal.seed]\n"


def test_something_else_that_is_sealed_is_no_seed(table: Table) -> None:
    word = said("letter", "escrow-key", table.key).splitlines()[-1]
    table.sealed.write_text(locked_cards.seal_text("hello", "Ann", word), "utf-8")
    told = complaint("letter", "escrow-open", table.sealed, "--key", table.key, "-o", table.eve / "a.seed", code=1)
    assert told == f"{table.sealed} has something else than a seed. Nothing was written.\n"


def test_a_key_that_others_can_read_is_named(table: Table) -> None:
    said("letter", "escrow-key", table.key)
    table.key.chmod(0o644)
    assert f"Others can read {table.key}." in tkid("letter", "escrow-key", table.key).stderr


def test_without_the_library_the_way_to_it_is_named(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    sealed = table.seals()
    monkeypatch.setattr("tkid.record.locked_cards.bindings", None)
    assert complaint("letter", "escrow-key", table.key, code=2) == LIBRARY
    assert complaint("letter", "escrow", table.ann.game, "word", code=2) == LIBRARY
    seed = table.eve / "winter.seed"
    assert complaint("letter", "escrow-open", sealed, "--key", table.key, "-o", seed, code=2) == LIBRARY


# -- boxes that nobody sealed by mistake ------------------------------------------------------------------


def forged(box: bytes, key: str) -> str:
    """A sealed text with any box, whose check fits."""
    text = locked_cards.seal_text("", "Ann", key)
    word = locked_cards.encode_base64(box)
    check = locked_cards._compute_seal_check("Ann", key, word)  # noqa: SLF001 - whoever forges computes it
    return f"{locked_cards.FIRST}\n{text.splitlines()[1]}\nFor: {key}\n{word}\nCheck: {check}\n"


@each_row("box", [b"", b"x", b"x" * 48, b"x" * 100])
def test_boxes_that_cannot_be_opened(box: bytes) -> None:
    secret = bytes(32)
    with pytest.raises(InvalidError):
        locked_cards.open_sealed_text(forged(box, locked_cards.write_public_key(secret)), secret)


def test_a_box_without_a_text() -> None:
    secret = bytes(32)
    public, _ = locked_cards.derive_box_keys(secret)
    letter = forged(locked_cards.seal_bytes(b"\xff", public), locked_cards.write_public_key(secret))
    with pytest.raises(InvalidError, match="no text"):
        locked_cards.open_sealed_text(letter, secret)


def test_a_key_to_which_nothing_can_be_sealed() -> None:
    """Whoever hands out a point of small order as a key gets no seed."""
    with pytest.raises(InvalidError):
        locked_cards.seal_text("seed", "Ann", locked_cards._write_key(bytes(32)))  # noqa: SLF001 - no secret makes this key


def test_a_text_without_fields() -> None:
    check = locked_cards._compute_seal_check("", "", "")  # noqa: SLF001
    with pytest.raises(InvalidError, match="another key"):
        locked_cards.open_sealed_text(f"{locked_cards.FIRST}\nCheck: {check}\n", bytes(32))
