"""A deal that is lost or damaged is restored from the mails of the deal, or from another player's file; nobody is accused."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.cli import complaint, said
from tests.cli.dealers import ADVANCED, Player, at_table, copied, dealt_by_two, plays
from tests.cli.letters import ADDRESSES
from tests.shared.tables import sample


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which Ann and Bob have dealt."""
    return dealt_by_two(tmp_path_factory.mktemp("restored"), 6)


@pytest.fixture
def two(table: Path, tmp_path: Path) -> tuple[Player, Player]:
    """Ann and Bob, who have dealt."""
    return copied(table, tmp_path)


def turns(two: tuple[Player, Player], count: int) -> Path:
    """Play some turns by letters, and return the last letter."""
    players = sorted(two, key=lambda each: each.replay.record.names.index(each.name))
    mail = Path()
    for number in range(count):
        now = players[number % 2]
        plays(now, now.replay, Random(number))
        mail = now.writes()
        players[1 - number % 2].reads(mail)
    return mail


def last_of_the_deal(player: Player) -> Path:
    """The last mail of a deal by two: the second that the first player wrote."""
    return player.folder / "1.eml"


def test_the_last_mail_of_the_deal_restores_it(two: tuple[Player, Player]) -> None:
    """What the turns unlocked comes with the newest mail, which is read again; cites: record.deal.lost."""
    ann, bob = two
    mail = turns(two, 6)
    whole = bob.deal.read_bytes()
    bob.deal.unlink()
    told = said("letter", "new", bob.deal, last_of_the_deal(ann))
    assert told.startswith(f"{bob.deal}: restored from {last_of_the_deal(ann)}.\n")
    assert f"`tkid letter read {bob.game} LETTER`" in " ".join(told.split())
    for letter in (mail, ann.writes("--to", "all")):
        assert "[record.compare.same]" in bob.reads(letter)
    bob.writes("--to", "all")
    assert sorted(bob.deal.read_bytes().split()) == sorted(whole.split())


def test_another_players_file_restores_it(two: tuple[Player, Player]) -> None:
    ann, bob = two
    turns(two, 4)
    bob.deal.unlink()
    assert said("letter", "new", bob.deal, ann.deal).startswith(f"{bob.deal}: restored from {ann.deal}.\n")
    assert bob.deal.read_bytes() == ann.deal.read_bytes()


def test_a_mail_of_a_turn_alone_does_not_restore_it(two: tuple[Player, Player]) -> None:
    ann, _ = two
    mail = turns(two, 2)
    ann.deal.unlink()
    told = complaint("letter", "new", ann.deal, mail, code=1)
    assert told == (
        f"{ann.deal} is missing, and {mail} has only part of the deal, as every mail about a turn. [record.deal.lost]\n"
        "The last mail of the deal contains all of it, and so does every other player's file winter.deal: read one of them. "
        "Nothing was written.\n"
    )
    assert not ann.deal.exists()
    assert "restored" in said("letter", "new", ann.deal, mail, last_of_the_deal(ann))


@pytest.mark.parametrize("share", sample([0.01, 0.02, 0.05, 0.5, 0.3, 0.7, 0.99, 0.9, 0.96], 3))
def test_a_deal_that_was_cut_off_says_so_and_how_to_restore_it(two: tuple[Player, Player], share: float) -> None:
    ann, _ = two
    mail = turns(two, 2)
    lines = ann.deal.read_text().splitlines(keepends=True)
    cut = "".join(lines[: max(1, round(share * len(lines)))])
    ann.deal.write_text(cut)
    for command in (("letter", "write", ann.game), ("letter", "read", ann.game, mail), ("verify", ann.game)):
        told = complaint(*command, code=1)
        assert f"{ann.deal} is " in told
        assert f"move it away, and read a whole one: `tkid letter new {ann.deal} LETTER`. [record.deal.lost]" in told
        assert "cheat" not in told
    assert ann.deal.read_text() == cut
    said("letter", "new", ann.deal.rename(ann.folder / "damaged.txt").with_name("winter.deal"), last_of_the_deal(ann))


def test_a_changed_line_of_the_own_deal_is_shown(two: tuple[Player, Player]) -> None:
    ann, _ = two
    lines = ann.deal.read_text().splitlines(keepends=True)
    lines[30] = lines[30].replace("A", "B") if "A" in lines[30] else lines[30].replace("B", "A")
    ann.deal.write_text("".join(lines))
    told = complaint("letter", "new", ann.deal, last_of_the_deal(ann), code=1)
    assert told.startswith(f"{ann.deal}:31:1: This line was changed: its check does not fit [record.deal.whole]\n")
    assert f"{ann.deal} is damaged. To restore it, move it away" in told
    assert "Ask for the file again" not in told


def test_a_deal_of_another_game_or_an_earlier_try_restores_nothing(two: tuple[Player, Player], tmp_path: Path) -> None:
    """The seed was used for one deck, and nothing else is unlocked with it; cites: record.deal.seed."""
    ann, bob = two
    (tmp_path / "other").mkdir()
    other = at_table(tmp_path / "other", "Ann Bob")
    seats = [part for name in ("Ann", "Bob") for part in ("--seat", f"{name} <{ADDRESSES[name]}>")]
    first = other[0].deals(*seats, "--me", "Ann", "--ruleset", ADVANCED)
    second = other[1].deals(first, "--me", "Bob")
    for player in two:
        player.deal.unlink()
    told = complaint("letter", "new", ann.deal, second, code=1)
    assert told.startswith(f"Ann's lock in {second} was not made with the seed in {ann.folder / 'winter.seed'}: ")
    told = complaint("letter", "new", bob.deal, first, code=1)
    assert told.startswith(f"{bob.folder / 'winter.seed'} exists already, and {first} has no lock of Bob's. ")
    assert not ann.deal.exists()
    assert not bob.deal.exists()


def test_a_seed_whose_use_is_not_known_unlocks_no_deck_again(two: tuple[Player, Player]) -> None:
    """A copy of the seed does not say for which deck it was used: then the deal has to have what was unlocked."""
    ann, bob = two
    seed = ann.folder / "winter.seed"
    seed.write_text("".join(line for line in seed.read_text().splitlines(keepends=True) if "Deck" not in line))
    ann.deal.unlink()
    told = complaint("letter", "new", ann.deal, bob.folder / "0.eml", code=1)
    assert told.startswith(f"{bob.folder / '0.eml'} is from before Ann unlocked the others' cards. ")
    assert not ann.deal.exists()
    assert "restored" in said("letter", "new", ann.deal, last_of_the_deal(ann))


def test_whoever_has_neither_deal_nor_seed_hears_where_to_look(two: tuple[Player, Player], tmp_path: Path) -> None:
    ann, _ = two
    told = complaint("letter", "new", tmp_path / "winter.deal", last_of_the_deal(ann), "--me", "Ann", code=1)
    assert told.startswith(
        f"{last_of_the_deal(ann)} has Ann's lock already, and {tmp_path / 'winter.seed'} is not here. "
    )
    assert not (tmp_path / "winter.seed").exists()
