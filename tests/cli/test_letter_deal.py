"""Secret hands dealt from hand to hand: whole deals and games by letters, and those who cheat, lose things or stay silent."""

from __future__ import annotations

from base64 import b64encode
from email import message_from_bytes
from email.policy import default
from itertools import count
from pathlib import Path
from random import Random
from shutil import copy2
from typing import NamedTuple

import pytest

from tests.cli import complaint, said, tkid
from tests.cli.dealers import (
    ADVANCED,
    Player,
    at_table,
    copied,
    dealt,
    dealt_by_two,
    plays,
    plays_on,
    seed_of,
    whole,
)
from tests.cli.letters import ADDRESSES, AT
from tests.cli.terminal import at_a_terminal, needs_a_terminal
from tkid.cli.printing import CLEAR
from tkid.kernel.game import HIDDEN
from tkid.record.locked_deal import find_locked_plugin
from tkid.record.locked_text import read_deal
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record

# -- whole games ------------------------------------------------------------------------------------------


class Whole(NamedTuple):
    """A whole game: what is played, by whom, how many letters deal it, and whether letters get lost."""

    ruleset: str
    names: str
    mails: int
    seed: int
    careless: bool = False


GAMES = {
    "two": Whole(ADVANCED, "Ann Bob", 3, 1),
    "three": Whole(ADVANCED, "Ann Bob Cal", 5, 2, careless=True),
    "teams": Whole(ADVANCED, "Ann Bob Cal Dee", 7, 10, careless=True),
    "digest": Whole("digest-advanced", "Ann Bob", 3, 4, careless=True),
    "claim": Whole("claim", "Ann Bob", 3, 5, careless=True),
}


SHORT = {"two"}
"""The games that `make test` plays; `make exhaustive` plays the others."""


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=name, marks=pytest.mark.slow if name in SHORT else pytest.mark.exhaustive)
        for name, row in GAMES.items()
    ],
)
def test_a_whole_game_without_a_dealer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: Whole) -> None:
    """Every file ends as a dealer would have kept it; cites: record.deal, record.deal.play, record.compare.late-passes."""
    monkeypatch.setattr("secrets.token_bytes", Random(row.seed).randbytes)
    players, took = dealt(tmp_path, row.names, row.ruleset)
    assert took == row.mails
    took = plays_on(players, Random(row.seed), careless=row.careless)
    last = max(range(len(players)), key=lambda seat: len(players[seat].replay.record.turns))
    known = hide_secrets(players[last].replay, last)
    for _ in range(2):
        for writer in players:
            mail = writer.writes("--to", "all")
            for each in players:
                if each is not writer:
                    tkid("letter", "read", each.game, mail)
    dealer = whole(players)
    assert not dealer.problems
    turns = len(dealer.record.turns)
    assert row.careless or took == turns
    shown = hide_secrets(dealer, last)
    assert write_record(known.record, known) == write_record(shown.record, shown)
    for each in players:
        assert each.game.read_text().split() == write_record(dealer.record, dealer).split()


def test_a_game_that_is_still_being_dealt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever names the game before it is there learns how to go on."""
    monkeypatch.chdir(tmp_path)
    said("letter", "new", "winter.deal", "--ruleset", ADVANCED, "--seat", "Ann", "--seat", "Bob", "--me", "Ann")
    for words in (("play", "winter.tkid", "Pass"), ("show", "winter.tkid"), ("check", "winter.tkid")):
        found = complaint(*words, code=2)
        way_out = (
            "winter.tkid is not there yet: winter.deal is not finished. Continue with `tkid letter new winter.deal`"
        )
        assert way_out in found, found
    assert "No such file" in complaint("show", "summer.tkid", code=2)


# -- what a letter shows ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which two have dealt an advanced game."""
    return dealt_by_two(tmp_path_factory.mktemp("table"), 8)


@pytest.fixture
def two(table: Path, tmp_path: Path) -> tuple[Player, Player]:
    """Two who have dealt an advanced game, first the one who starts."""
    ann, bob = copied(table, tmp_path)
    return (ann, bob) if ann.replay.position.to_act == 0 else (bob, ann)


def parts(mail: Path) -> list[tuple[str, str]]:
    """The texts in a mail, with the names of its files; those of the deal aside."""
    message = message_from_bytes(mail.read_bytes(), policy=default)
    found = [(part.get_filename() or "", part) for part in message.walk() if part.get_content_maintype() == "text"]
    return [(name, part.get_content()) for name, part in found if not name.endswith(".deal")]


def test_a_letter_says_what_one_with_a_dealers_file_says(two: tuple[Player, Player]) -> None:
    ann, bob = two
    for player, other in ((ann, bob), (bob, ann)):
        plays(player, player.replay, Random(2))
        other.reads(player.writes())
    plays(ann, ann.replay, Random(1))
    mail = parts(ann.writes())
    ann.deal.rename(ann.folder / "elsewhere")
    again = ann.folder / "again.eml"
    told = tkid("letter", "write", ann.game, "-o", again, "--at", AT, "--no-pictures").stderr
    assert f"Note: {ann.deal}, the deal of this game, is missing, so this letter proves no card. Put it back." in told
    assert parts(again) == mail


def test_no_mail_and_no_deal_has_a_seed_before_the_end(two: tuple[Player, Player]) -> None:
    ann, bob = two
    plays(ann, ann.replay, Random(1))
    sent = ann.writes().read_bytes()
    for player in two:
        seed = seed_of(player)
        for file in [sent, *(path.read_bytes() for each in two for path in each.folder.glob("*.eml"))]:
            text = b"".join(
                bytes(part.get_payload(decode=True) or b"")
                for part in message_from_bytes(file, policy=default).walk()
                if not part.is_multipart()
            )
            assert not any(form in text for form in (seed, seed.hex().encode(), b64encode(seed).rstrip(b"=")))
        assert b64encode(seed).rstrip(b"=") not in player.deal.read_bytes()
    assert oct((bob.folder / "winter.seed").stat().st_mode & 0o777) == "0o600"
    assert oct(bob.game.stat().st_mode & 0o777) == "0o600"


def test_a_file_shows_the_own_hand_and_no_other(two: tuple[Player, Player]) -> None:
    cunning = []
    for player in two:
        record = player.replay.record
        seat = record.names.index(player.name)
        assert HIDDEN not in record.deal.hands[seat]
        assert set(record.deal.hands[1 - seat]) == {HIDDEN}
        cunning.append(set(record.deal.hands[seat][5:]))
    assert cunning[0].isdisjoint(cunning[1])


# -- what goes wrong --------------------------------------------------------------------------------------


def test_the_first_turn_may_come_with_the_last_letter_of_the_deal(tmp_path: Path) -> None:
    ann, bob = at_table(tmp_path, "Ann Bob")
    seats = [part for name in ("Ann", "Bob") for part in ("--seat", f"{name} <{ADDRESSES[name]}>")]
    first = ann.deals(*seats, "--me", "Ann", "--ruleset", ADVANCED)
    second = bob.deals(first, "--me", "Bob")
    said("letter", "new", ann.deal, second)
    if ann.replay.position.to_act == 0:
        plays(ann, ann.replay, Random(1))
    told = bob.reads(ann.writes("--to", "Bob"))
    assert told.startswith(f"{bob.game}: dealt.\n")
    assert bob.knows(ann.replay)


def test_a_file_that_was_dealt_together_is_not_begun_from_a_letter(two: tuple[Player, Player]) -> None:
    """Not by the first letter either: then your own hand would be missing."""
    ann, bob = two
    plays(ann, ann.replay, Random(1))
    mail = ann.writes()
    assert not any("--begin" in text for _, text in parts(mail))
    bob.game.unlink()
    told = complaint("letter", "read", bob.game, mail, "--begin", code=2)
    assert told == f"You dealt this game together, and {bob.deal} has your hand. Leave out --begin.\n"
    assert bob.reads(mail).startswith(f"{bob.game}: dealt.\n")


def test_the_last_letter_of_a_deal_is_written_again_after_turns(two: tuple[Player, Player]) -> None:
    ann, bob = two
    for player, other in ((ann, bob), (bob, ann)):
        plays(player, player.replay, Random(2))
        other.reads(player.writes())
    before = ann.game.read_bytes()
    assert "All cards are dealt." in said("letter", "new", ann.deal, *sorted(bob.folder.glob("*.eml"))[:1])
    assert ann.game.read_bytes() == before


def test_a_file_with_another_hand_is_of_another_game(two: tuple[Player, Player]) -> None:
    ann, bob = two
    own, other = (
        next(line for line in each.game.read_text().splitlines() if f"Hand {each.name} " in line) for each in two
    )
    changed = ann.game.read_text().replace(own, other.replace(f"Hand {bob.name}", f"Hand {ann.name}"))
    ann.game.write_text(changed)
    mail = min(bob.folder.glob("*.eml"))
    assert "is the file of another game" in complaint("letter", "new", ann.deal, mail, code=2)
    assert ann.game.read_text() == changed


def test_a_card_that_was_played_is_proven_with_the_letter(two: tuple[Player, Player]) -> None:
    """Before it, nobody has done anything wrong; cites: record.deal.play."""
    ann, _ = two
    for chance in map(Random, count()):
        before = ann.game.read_bytes()
        turn = plays(ann, ann.replay, chance)
        cunning = find_locked_plugin(ann.replay.record.game).list_plays(ann.replay.record.game, ann.replay.moments)
        if list(cunning):
            break
        ann.game.write_bytes(before)
    assert turn
    told, proven_then = said("verify", ann.game, code=1), "in the letter about this turn. [record.deal.play]"
    assert "Contradicted" not in told
    assert proven_then in " ".join(told.split())
    ann.writes()
    assert proven_then not in " ".join(said("verify", ann.game, code=1).split())


def test_a_program_does_not_guess_cards_that_are_hidden(two: tuple[Player, Player]) -> None:
    now = two[0].replay
    assert now.position.to_act is not None
    waits = next(player for player in two if player.name != now.record.names[now.position.to_act])
    told = complaint("suggest", waits.game, "--alone", code=1)
    assert told.endswith(f"'s turn, and their cards are hidden in {waits.game}.\n")


def test_without_the_seed_turns_that_show_no_card_are_played(two: tuple[Player, Player]) -> None:
    """And letters are read; a secret card is refused before it is played, as nobody can prove it; cites: record.deal.seed."""
    for player in two:
        (player.folder / "winter.seed").unlink()
    first, second = sorted(
        two, key=lambda each: each.replay.position.to_act != each.replay.record.names.index(each.name)
    )
    lost = f"{first.folder / 'winter.seed'} is missing"
    now, before, told = first.replay, first.game.read_bytes(), ""
    for chance in map(Random, count()):
        told = plays(first, now, chance)
        if first.game.read_bytes() == before:
            break
        first.game.write_bytes(before)
    assert told.startswith(f"{lost}, and without it you cannot prove that you were dealt ")
    assert "Nothing was played. [record.deal.seed]\nPut your copy of it back, " in told
    passed = tkid("play", first.game, "Pass")
    assert passed.exit_code == 0
    assert (
        f"{lost}: you can read letters, and play turns that show no secret card. [record.deal.seed]\n" in passed.stderr
    )
    read = tkid("letter", "read", second.game, first.writes())
    assert read.stdout.startswith(f"{second.game}: 1 new turn.\n")
    assert f"{second.folder / 'winter.seed'} is missing: " in read.stderr


def test_a_secret_card_is_not_sent_without_the_seed(two: tuple[Player, Player]) -> None:
    first = next(each for each in two if each.replay.position.to_act == each.replay.record.names.index(each.name))
    before, now = first.game.read_bytes(), first.replay
    for chance in map(Random, count()):
        plays(first, now, chance)
        if list(find_locked_plugin(now.record.game).list_plays(now.record.game, first.replay.moments)):
            break
        first.game.write_bytes(before)
    (first.folder / "winter.seed").unlink()
    deal = first.deal.read_bytes()
    told = complaint("letter", "write", first.game, code=1)
    assert told.startswith(
        f"{first.folder / 'winter.seed'} is missing, and without it you cannot prove that you were dealt "
    )
    assert "No letter was written. [record.deal.seed]\n" in told
    assert first.deal.read_bytes() == deal


def test_a_stand_in_plays_on_with_the_three_files(two: tuple[Player, Player]) -> None:
    """With the seed that was handed over every card is shown and proven to the end; cites: record.deal.seed."""
    ann, bob = two
    for player, other in ((ann, bob), (bob, ann)):
        plays(player, player.replay, Random(2))
        other.reads(player.writes())
    folder = bob.folder.parent / "Zoe"
    folder.mkdir()
    for file in (bob.game, bob.deal, bob.folder / "winter.seed"):
        copy2(file, folder)
    zoe = Player(folder, bob.name)
    players = sorted((ann, zoe), key=lambda each: ann.replay.record.names.index(each.name))
    plays_on(players, Random(3))
    for writer, reader in ((ann, zoe), (zoe, ann)) * 2:
        tkid("letter", "read", reader.game, writer.writes("--to", "all"))
    dealer = whole(players)
    for each in players:
        assert each.game.read_text().split() == write_record(dealer.record, dealer).split()
    assert "Ann and Bob each locked and shuffled all" in said("verify", ann.game)


@needs_a_terminal
def test_a_line_at_a_terminal_says_how_far_a_proof_is(two: tuple[Player, Player]) -> None:
    ann, _ = two
    code, written, shown = at_a_terminal("verify", ann.game)
    alone = tkid("verify", ann.game)
    assert (code, written) == (alone.exit_code, alone.stdout)
    deal = read_deal(ann.deal.read_bytes()).content
    assert deal
    locks_nonces_and_seeds = 3 * len(deal.names)
    parts = [f"{part} parts of the deal checked" for part in range(1, locks_nonces_and_seeds + len(deal.unlocks) + 1)]
    assert shown.split(CLEAR) == ["", *parts, ""]


def test_a_seed_of_another_game_is_told_apart(two: tuple[Player, Player]) -> None:
    ann, bob = two
    (ann.folder / "winter.seed").write_text(
        (bob.folder / "winter.seed").read_text().replace(f"Player: {bob.name}", f"Player: {ann.name}"), "utf-8"
    )
    told = complaint("letter", "write", ann.game, code=1)
    assert told == (
        f"{ann.folder / 'winter.seed'} is not the seed with which {ann.name} took part in {ann.deal}. Put the right one back. "
        "[record.deal.seed]\n"
    )


def test_without_the_library_the_way_to_it_is_named(
    two: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tkid.record.locked_cards.bindings", None)
    ann, _ = two
    told = complaint("letter", "write", ann.game, code=2)
    assert (
        told
        == "Secret hands without a dealer need another package: run pip install '.[secret]' in a copy of the source.\n"
    )


def test_a_text_in_the_body_of_a_mail_that_was_wrapped_and_quoted_is_read(two: tuple[Player, Player]) -> None:
    ann, _ = two
    text = ann.deal.read_text("utf-8")
    broken = "\n".join(f"> {line[:70]}\n> {line[70:]}" if len(line) > 70 else f"> {line}" for line in text.splitlines())
    file = ann.folder / "copy.deal"
    file.write_text(broken, "utf-8")
    assert read_deal(file.read_bytes()).content == read_deal(text.encode()).content


def test_nobody_has_two_decks_unlocked_with_one_seed(tmp_path: Path) -> None:
    """Bob deals a second time, with another seed, to a file of Ann's that is older than what she has sent."""
    ann, bob = at_table(tmp_path, "Ann Bob")
    seats = [part for name in ("Ann", "Bob") for part in ("--seat", f"{name} <{ADDRESSES[name]}>")]
    first = ann.deals(*seats, "--me", "Ann", "--ruleset", ADVANCED)
    older = ann.deal.read_bytes()
    ann.deals(bob.deals(first, "--me", "Bob"))
    for file in (bob.deal, bob.folder / "winter.seed"):
        file.unlink()
    again = bob.deals(first, "--me", "Bob")
    assert "[record.deal.key]" in complaint("letter", "new", ann.deal, again, code=1)
    ann.deal.write_bytes(older)
    told = complaint("letter", "new", ann.deal, again, code=1)
    assert told.startswith(f"{ann.deal}: the seed in {ann.folder / 'winter.seed'} was used for another deck. ")
    assert ann.deal.read_bytes() == older


def test_a_file_with_one_secret_hand_is_its_players(two: tuple[Player, Player]) -> None:
    """Whose it is is noted by its path, so a copy is nobody's; its hand tells it all the same; cites: record.own."""
    ann = next(each for each in two if each.name == "Ann")
    hers = f"{ann.game} is Ann's file: it has the secret hand of Ann alone.\n"
    assert said("me", ann.game) == hers
    told = complaint("me", ann.game, "Bob", code=1)
    assert told == (
        f"{ann.game} has the secret hand of Ann alone, so it is Ann's file, not Bob's. Nothing was changed. [record.own]\n"
    )
    assert said("me", ann.game) == hers
    assert said("me", ann.game, "Ann") == f"{ann.game} is Ann's file.\n"
    assert said("me", ann.game, "nobody") == hers


def test_what_a_deal_proves_is_said_in_plain_words(two: tuple[Player, Player]) -> None:
    turns = said(
        "play",
        min(two, key=lambda each: each.replay.position.to_act != each.replay.record.names.index(each.name)).game,
        "Pass",
    )
    assert "Pass" in turns
    first = next(each for each in two if each.replay.record.turns)
    told = " ".join(said("verify", first.game, code=1).split())
    assert (
        "drawn from a number of each player, which nobody could choose after seeing another's. [record.deal.nonce]"
        in told
    )
    assert "held a card that a rule of the game made them play or show. The seeds show it. [record.deal.audit]" in told
