"""People who deal secret hands from hand to hand, each with a folder of their own: for tests of letters and of what they keep."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any

import pytest
from attrs import define, evolve, field

from tests.cli import said, tkid
from tests.cli.letters import ADDRESSES, AT
from tkid.kernel.game import fill_names
from tkid.record.format.reader import read_record
from tkid.record.locked_deal import find_known_cards, find_locked_plugin
from tkid.record.locked_text import read_deal
from tkid.record.play.replay import Replay, replay

LOST = 0.15
"""How many letters of careless players get lost, and how many come again."""
MOST = 150
"""More letters than the longest game takes."""
ADVANCED = "second-edition-advanced"


def played(file: Path) -> Replay:
    """A game file, played through."""
    record = read_record(file.read_bytes()).record
    assert record is not None
    return replay(record)


@define
class Player:
    """Somebody with a folder of their own, who writes and reads letters."""

    folder: Path
    name: str
    letters: count[int] = field(factory=count)

    @property
    def deal(self) -> Path:
        """The file of the deal."""
        return self.folder / "winter.deal"

    @property
    def game(self) -> Path:
        """The game file."""
        return self.folder / "winter.tkid"

    @property
    def replay(self) -> Replay:
        """The game as this player has it."""
        return played(self.game)

    def reads(self, mail: Path) -> str:
        """Read a letter."""
        return said("letter", "read", self.game, mail)

    def knows(self, newest: Replay) -> bool:
        """Whether this player has every turn of a replay."""
        return len(self.replay.record.turns) == len(newest.record.turns)

    def deals(self, *arguments: object) -> Path:
        """Take part in the deal, and write a letter."""
        mail = self.folder / f"{next(self.letters)}.eml"
        said("letter", "new", self.deal, *arguments, "-o", mail, "--at", AT)
        return mail

    def writes(self, *arguments: object) -> Path:
        """Write a letter about the game."""
        mail = self.folder / f"{next(self.letters)}.eml"
        said("letter", "write", self.game, "-o", mail, "--at", AT, "--no-pictures", *arguments)
        return mail


def at_table(folder: Path, names: str) -> list[Player]:
    """Players, the first of whom has begun a deal."""
    players = [Player(folder / name, name) for name in names.split()]
    for each in players:
        each.folder.mkdir()
    return players


def dealt(folder: Path, names: str, ruleset: str) -> tuple[list[Player], int]:
    """Players who have dealt a game to its end, and how many letters that took."""
    players = at_table(folder, names)
    first, *others = players
    seats = [part for each in players for part in ("--seat", f"{each.name} <{ADDRESSES[each.name]}>")]
    mail, mails = first.deals(*seats, "--me", first.name, "--ruleset", ruleset), 1
    for each in others:
        mail = each.deals(mail, "--me", each.name)
        mails += 1
    for each in players[:-1]:
        mail = each.deals(mail)
        mails += 1
    for each in players:
        said("letter", "new", each.deal, mail)
    return players, mails


def plays_on(players: list[Player], chance: Random, *, careless: bool = False) -> int:
    """Play to the end by letters, and return how many that took; if `careless`, letters get lost, come twice or late."""
    sent: list[Path] = []
    while len(sent) < MOST:
        newest = max((each.replay for each in players), key=lambda replay: len(replay.record.turns))
        if newest.position.to_act is None:
            return len(sent)
        player = players[newest.position.to_act]
        known = player.replay
        if known.position.to_act is None:  # this player alone knows that the game is over
            sent.append(player.writes("--to", "all"))
            for each in players:
                if each is not player:
                    each.reads(sent[-1])
            continue
        behind = len(known.record.turns) < len(newest.record.turns)
        if behind or "Nothing was played" in (told := plays(player, known, chance)):
            other = next(each for each in players if each is not player and (not behind or each.knows(newest)))
            sent.append(other.writes("--to", player.name))
            player.reads(sent[-1])
            continue
        assert told.startswith(f"{len(known.record.turns) + 1}. {player.name} ")
        sent.append(player.writes("--to", "all"))
        for each in players:
            lost = careless and chance.random() < LOST
            if each is player or lost:
                continue
            each.reads(sent[-1])
            if careless and chance.random() < LOST:
                assert "[record.compare.same]" in each.reads(sent[-1])
                assert tkid("letter", "read", each.game, chance.choice(sent)).exit_code in {0, 1}
    raise AssertionError(f"no end after {MOST} letters")


def plays(player: Player, known: Replay, chance: Random) -> str:
    """Play a turn by lot, and return what was said of it."""
    game, position = known.record.game, known.position
    moves: list[Any] = []
    while not moves or game.turn_continues(position):
        moves.append(chance.choice(list(game.legal(position))))
        position, _ = game.apply(position, moves[-1])
    return tkid("play", player.game, fill_names(game.words.write_turn(tuple(moves)), known.record.names)).output


def whole(players: list[Player]) -> Replay:
    """The game as a dealer would have kept it: with every card, from the seeds that all players have opened."""
    read = read_deal(players[0].deal.read_bytes()).content
    assert read is not None
    cards = find_known_cards(read, read.open_seeds)
    assert len(cards) == len(read.deck.cards)
    record = players[0].replay.record
    full = find_locked_plugin(record.game).fill_deal(record.game, record.deal, cards)
    return replay(evolve(record, deal=full, turns=tuple(evolve(turn, outcomes=(), hash="") for turn in record.turns)))


def seed_of(player: Player) -> bytes:
    """A player's seed."""
    lines = (player.folder / "winter.seed").read_text().splitlines()
    return bytes.fromhex(next(line.removeprefix("Seed: ") for line in lines if line.startswith("Seed: ")))


def dealt_by_two(folder: Path, seed: int) -> Path:
    """The folder, in which Ann and Bob have dealt an advanced game."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("secrets.token_bytes", Random(seed).randbytes)
        dealt(folder, "Ann Bob", ADVANCED)
    return folder


def copied(table: Path, folder: Path) -> tuple[Player, Player]:
    """Ann and Bob with copies of what they had at a table."""
    ann, bob = (Player(copytree(table / name, folder / name), name, count(10)) for name in ("Ann", "Bob"))
    return ann, bob
