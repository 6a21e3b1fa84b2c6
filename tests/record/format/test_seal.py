"""Seals: the documented procedure with its vectors, and the lines in a record."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.makers.seals import FOLDER, REJECTING, SEVEN, texts
from tests.oracle import dealing, first_dealing
from tests.record.sealed_games import ANN, BOB, OPENED, SEALED, SPOKEN, game, read, text_with
from tests.shared.examples import examples
from tests.shared.strategies import NAMES
from tests.shared.tables import each_row
from tkid.kernel.problems import Kind
from tkid.record.format.model import Header
from tkid.record.format.new_game import NewGameError, new_record
from tkid.record.format.reader import read_record
from tkid.record.format.seal import Sealed, compute_deal_seed, compute_seal, find_seal, replace_seal
from tkid.record.play.replay import replay
from tkid.record.play.writer import write_record
from tkid.record.proof import prove

# -- the procedure ----------------------------------------------------------------------------------------


def vectors(name: str) -> list[dict[str, Any]]:
    """The vectors of a file."""
    found: list[dict[str, Any]] = json.loads((FOLDER / name).read_text("utf-8"))
    return found


def deals(edition: str = "*") -> list[dict[str, Any]]:
    """All whole deals, or those of an edition."""
    return [vector for path in sorted(FOLDER.glob(f"{edition}-*.json")) for vector in vectors(path.name)]


def test_the_vectors_are_those_of_the_program() -> None:
    assert {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()} == texts()


def test_the_second_implementation_uses_nothing_of_the_first() -> None:
    imported = re.findall(r"^(?:from|import) (\S+)", Path(dealing.__file__).read_text("utf-8"), re.MULTILINE)
    assert imported == ["collections.abc", "hashlib", "typing"]
    imported = re.findall(r"^(?:from|import) (\S+)", Path(first_dealing.__file__).read_text("utf-8"), re.MULTILINE)
    assert imported == ["typing", "tests.oracle.dealing", "tests.oracle.first"]


@each_row("vector", deals("second"), ids=str)
def test_a_second_implementation_deals_the_same(vector: dict[str, Any]) -> None:
    entropy, words, dealt = bytes.fromhex(vector["entropy"]), vector["words"], vector["deal"]
    mixed = dealing.seed(entropy, words)
    assert dealing.seal(entropy).hex() == vector["seal"]
    assert mixed.hex() == vector["seed"]
    hands = dealt.pop("hands", None)
    again = dealing.deal(mixed, len(words), advanced=hands is not None)
    cunning = again.pop("cunning", None)
    assert again == dealt
    if hands is not None:
        assert [set(hand) & set(dealing.CUNNING) for hand in hands] == cunning


def test_a_second_implementation_deals_the_first_edition() -> None:
    redrawn = set()
    for vector in deals("first"):
        players, mordred = len(vector["words"]), "M" in vector["deal"]["supply"]
        again = first_dealing.deal(bytes.fromhex(vector["seed"]), players, mordred=mordred)
        redrawn.add((players, mordred, again.pop("redrawn")))
        assert again == vector["deal"]
    for mordred in (False, True):
        assert {(2, mordred, 2), (3, mordred, 3), (4, mordred, 4)} <= redrawn


def test_a_second_implementation_draws_the_same() -> None:
    rejected = []
    for vector in vectors("chance.json"):
        stream = dealing.Stream(bytes.fromhex(vector["seed"]))
        if "shuffled" in vector:
            assert stream.shuffle(range(len(vector["shuffled"]))) == vector["shuffled"]
            continue
        assert [stream.below(draw["below"]) for draw in vector["draws"]] == [draw["drawn"] for draw in vector["draws"]]
        rejected.append(stream.rejected)
    assert rejected == [0, 6, 1, 0, 1]


def test_a_whole_deal_rejects_a_number() -> None:
    entropies = {vector["entropy"] for vector in deals()}
    assert REJECTING.to_bytes(32, "big").hex() in entropies


@given(st.lists(st.text(max_size=3), min_size=2, max_size=4), st.lists(st.text(max_size=3), min_size=2, max_size=4))
def test_other_words_give_another_seed(some: list[str], others: list[str]) -> None:
    def spoken(words: list[str]) -> list[str]:
        return words if any(words) else []

    assert (compute_deal_seed(SEVEN, some) == compute_deal_seed(SEVEN, others)) == (spoken(some) == spoken(others))


# -- in a record ------------------------------------------------------------------------------------------


def test_a_new_game_is_sealed_and_opened() -> None:
    values = [header.value for header in SPOKEN.headers if header.name == "Seal"]
    assert values == [SEALED, ANN, BOB, OPENED]
    assert find_seal(SPOKEN) == Sealed(compute_seal(SEVEN), ("the kettle is on", "seven grey geese"), SEVEN)
    assert SPOKEN.deal == SPOKEN.game.deal(2, compute_deal_seed(SEVEN, ("the kettle is on", "seven grey geese")))
    assert game().deal == SPOKEN.game.deal(2, SEVEN)


printable = st.text(max_size=12).filter(lambda text: text.isprintable() and bool(text.strip()) == bool(text))


@given(st.lists(printable, min_size=2, max_size=4))
@examples(100)
def test_words_are_read_back_as_they_were_dealt_from(said: list[str]) -> None:
    spoken = [f"{name}={text}" for name, text in zip(NAMES, said, strict=False) if text]
    record = game(*spoken, players=len(said))
    written = write_record(record)
    again = read(written)
    assert find_seal(again) == find_seal(record)
    assert write_record(again) == written
    assert prove(replay(again)).complete


def test_what_was_typed_loosely_is_made_canonical_and_keeps_its_comments() -> None:
    loose = text_with(
        f"ENTROPY : {' '.join(re.findall('..', SEVEN.hex()))}",
        "Word  bob :  seven\u00a0grey  geese",
        "word ANN:the kettle is on\n# about the seal",
        f" Sha256:  {compute_seal(SEVEN).hex().upper()}",
    )
    text = write_record(read(loose))
    assert text == write_record(SPOKEN).replace(f"Seal: {SEALED}", f"# about the seal\nSeal: {SEALED}")
    assert write_record(read(text)) == text


FAULTS = {
    "no form": ((SEALED, "md5:00"), 6, "record.seal", "`md5:00` does not belong to a seal"),
    "nothing": (("",), 5, "record.seal", "The seal is missing"),
    "words without a colon": ((SEALED, "word Ann hello"), 6, "record.seal", "does not belong to a seal"),
    "too few digits": (("sha256:0707",), 5, "record.seal", "There are 4 hex digits here, and 64 are needed"),
    "no hex digits": ((SEALED, "entropy:07x7"), 6, "record.seal", "not `x`"),
    "two seals": ((SEALED, SEALED), 6, "record.seal", "`sha256` appears twice"),
    "two entropies": ((SEALED, OPENED, OPENED), 7, "record.seal", "`entropy` appears twice"),
    "words twice": ((SEALED, ANN, "word ann: b"), 7, "record.seal", "Ann's `word` appears twice"),
    "a stranger's words": ((SEALED, "word Eve: b"), 6, "record.seal", "`Eve` is not a player in this game"),
    "nobody's words": ((SEALED, "word : b"), 6, "record.seal", "The player's name is missing"),
    "no words": ((SEALED, "word Ann:"), 6, "record.seal", "Ann's words are missing"),
    "unprintable words": ((SEALED, "word Ann: a\u00adb"), 6, "record.seal", "Character 0xad may not be in words"),
    "words without a seal": ((ANN, OPENED), 5, "record.seal", "This needs a seal, but the file has none"),
    "entropy without a seal": ((OPENED,), 5, "record.seal", "This needs a seal, but the file has none"),
    "other entropy": ((SEALED, f"entropy:{'08' * 32}"), 6, "record.seal.entropy", "This entropy does not fit the seal"),
}


@each_row(("seals", "line", "rule", "told"), FAULTS.values(), ids=FAULTS)
def test_a_fault_has_its_place_and_rule(seals: tuple[str, ...], line: int, rule: str, told: str) -> None:
    (problem,) = read_record(text_with(*seals).encode()).problems
    assert (problem.line, problem.rule) == (line, rule)
    assert problem.col == (7 if any(seals) else 1)
    assert told in problem.message
    assert problem.hint
    assert (problem.kind is Kind.INTEGRITY) == (rule == "record.seal.entropy")


def test_a_name_that_is_nearly_right_is_suggested() -> None:
    (problem,) = read_record(text_with(SEALED, "word Bbo: b").encode()).problems
    assert problem.hint == "Did you mean Bob?"


def test_a_seal_is_read_where_it_is_not_clear_who_sits_where() -> None:
    found = read_record(text_with(SEALED, ANN, "entropy:07").replace("Seat: Bob\n", "").encode())
    assert [problem.rule for problem in found.problems] == ["record.seats", "record.seal"]


def test_the_entropy_is_taken_out_and_put_in_again() -> None:
    record = read(write_record(SPOKEN).replace("Seal: word", "# heard on the phone\nSeal: word"))
    stated = find_seal(record)
    assert stated is not None
    closed = replace_seal(record, evolve(stated, entropy=None))
    assert write_record(closed) == write_record(record).replace(f"Seal: {OPENED}\n", "")
    assert replace_seal(closed, stated).headers[-1] == Header("Seal", OPENED)
    assert write_record(replace_seal(closed, stated)) == write_record(record)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("Ann",), "`Ann` does not say whose words these are. Write NAME=TEXT."),
        (("An=x",), "`An` is not a player in this game. [record.seal] Did you mean Ann?"),
        (("=x",), "The player's name is missing. [record.seal]"),
        (("Ann=",), "Ann's words are missing. [record.seal]"),
        (("Ann=a", "ann=b"), "Ann's `word` appears twice. [record.seal]"),
        (("Ann=a\nb",), "has characters that cannot be printed"),
        (("Ann=" + "x" * 4000,), "has 4016 characters, and at most 4000 are allowed. [record.size]"),
    ],
)
def test_words_that_cannot_be_added(words: tuple[str, ...], told: str) -> None:
    with pytest.raises(NewGameError, match=re.escape(told)):
        game(*words)


def test_words_of_a_player_whose_name_holds_an_equals_sign() -> None:
    record = new_record("second-edition", ["Jo", "Jo=b <b@example.org>"], SEVEN, words=["JO=B=c=d", "Jo=b: e"])
    assert (find_seal(record) or Sealed(b"", ())).words == ("b: e", "c=d")
