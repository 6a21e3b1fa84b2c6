"""Games that were dealt from hand to hand: what a player is told of hidden cards at their end, of seeds, and of what is missing."""

from __future__ import annotations

from pathlib import Path
from random import Random
from shutil import copy2

import pytest

from tests.cli import complaint, said, tkid
from tests.cli.dealers import Player, copied, dealt, dealt_by_two, plays
from tests.cli.letters import AT
from tests.mail.mails import body, parsed

SEED, NOBODY_HAS_PLOT = 8, 2
"""What the tables of these tests are dealt from."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which two have dealt an advanced game."""
    return dealt_by_two(tmp_path_factory.mktemp("table"), SEED)


@pytest.fixture
def two(table: Path, tmp_path: Path) -> tuple[Player, Player]:
    """Two who have dealt an advanced game."""
    return copied(table, tmp_path)


def text(mail: Path) -> str:
    """What a mail says, on one line."""
    return " ".join(body(parsed(mail.read_bytes())).split())


def in_turn(players: tuple[Player, Player]) -> tuple[Player, Player]:
    """Who is to act, and the other."""
    ann, bob = players
    return (ann, bob) if ann.replay.position.to_act == 0 else (bob, ann)


def passes_to_the_end(players: tuple[Player, Player]) -> tuple[Player, Player, str]:
    """Let both pass until the game is over: who did last, the other, and what was said of that."""
    while True:
        player, other = in_turn(players)
        told = said("play", player.game, "Pass")
        if player.replay.position.to_act is None:
            return player, other, " ".join(told.split())
        other.reads(player.writes())


@pytest.mark.slow
def test_who_won_may_change_until_all_hands_are_open(tmp_path: Path) -> None:
    """Whoever ended the game would have revealed Plot; of the others the seeds tell; cites: record.opening, record.deal.seed."""
    dealt_by_two(tmp_path, NOBODY_HAS_PLOT)
    players = Player(tmp_path / "Ann", "Ann"), Player(tmp_path / "Bob", "Bob")
    before = {each.name: each.game.read_bytes() for each in players}
    last, other, told = passes_to_the_end(players)
    assert all(b"Plot" not in game for game in before.values())
    doubt = f"{other.name} may hold Plot. If so, it is revealed now, and the winner may change."
    assert doubt in told
    for command in ("show", "why", "result", "legal"):
        assert doubt in " ".join(said(command, last.game).split())
    assert "Not certain until hands are opened" in said("check", last.game)
    mail = last.writes()
    assert parsed(mail.read_bytes())["Subject"].endswith("The last struggle is over")
    assert "As it stands, " in text(mail)
    assert "If you hold Plot, reading this letter asks you for its faction." in text(mail)
    assert "My seed is in this mail: it shows what I held. Now write a last mail with yours:" in text(mail)
    read = other.reads(mail)
    assert f"{last.name} has opened the seed: it is in {other.deal} now." in read
    assert (
        f"Now open your seed: it shows what you held. `tkid letter write {other.game} --to all -o FILE` does that."
        in read
    )
    answer = other.writes()
    assert "may hold Plot" not in read + text(answer)
    assert "Game over: " in parsed(answer.read_bytes())["Subject"]
    whole, short = other.game.read_bytes(), before[other.name]
    other.game.write_bytes(short)  # as if an older mail came late
    late = other.writes()
    other.game.write_bytes(whole)
    read = last.reads(late)
    assert f"{other.name} has opened the seed" in read
    assert f"All seeds are open. `tkid verify {last.game}` checks the whole deal." in read
    for each in players:
        assert "Not certain" not in said("check", each.game)
        assert "may hold Plot" not in said("show", each.game)
        said("verify", each.game)


def test_what_a_deal_has_proven_is_not_left_uncertain(two: tuple[Player, Player]) -> None:
    """Check does not read the deal, and says what does; cites: record.deal.play."""
    chance, players = Random(SEED), two
    while "Not certain" not in (told := said("check", players[0].game)):
        player, other = in_turn(players)
        plays(player, player.replay, chance)
        other.reads(player.writes())
    assert told.endswith(f"  The file of the deal proves more: `tkid verify {players[0].game}`.\n")


def test_a_deal_that_lies_elsewhere_is_missed(two: tuple[Player, Player]) -> None:
    """Without it no card is proven, and who plays hears of that at once; cites: record.deal.play."""
    ann = next(each for at, each in enumerate(two) if each.replay.position.to_act == at)
    summer = ann.folder / "summer.tkid"
    ann.game.rename(summer)
    missing = f"Note: {ann.folder / 'summer.deal'}, the deal of this game, is missing, so"
    written = tkid("letter", "write", summer, "-o", ann.folder / "x.eml", "--at", AT, "--no-pictures")
    assert written.stderr.startswith(
        f"{missing} this letter proves no card. It is called {ann.deal}: give both files the same name"
    )
    played = tkid("play", summer, "Pass")
    assert played.stderr.startswith(f"{missing} nothing shows that you were dealt what you play.")


def test_an_older_deal_is_told_apart(table: Path, tmp_path: Path) -> None:
    """Who put it back reads the others' newest letters again, before a wrong lock comes off; cites: record.deal.lost."""
    players, chance = copied(table, tmp_path), Random(SEED)
    while True:
        player, other = in_turn(players)
        older = other.deal.read_bytes()
        plays(player, player.replay, chance)
        mail = player.writes()
        other.reads(mail)
        if other.deal.read_bytes() != older:
            break
    other.deal.write_bytes(older)
    plays(other, other.replay, chance)
    told = complaint("letter", "write", other.game, code=1)
    assert told.startswith(f"{other.deal} is older than {other.game}: it lacks what {player.name} showed in turn ")
    assert told.endswith(f"Read {player.name}'s newest letter again. No letter was written. [record.deal.lost]\n")
    other.reads(mail)
    other.writes()


def test_the_seed_of_another_player_is_told_apart(two: tuple[Player, Player]) -> None:
    ann, bob = two
    copy2(bob.folder / "winter.seed", ann.folder)
    told = complaint("letter", "write", ann.game, code=1)
    seed = ann.folder / "winter.seed"
    assert told == f"{seed} is Bob's, and {ann.game} is Ann's file. Put your own seed there. [record.deal.seed]\n"


@pytest.mark.slow
def test_who_waits_for_a_card_asks_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The winner of a trick, who leads next, waits for the loser's mail with the next prize; cites: record.deal.silent."""
    monkeypatch.setattr("secrets.token_bytes", Random(SEED).randbytes)
    players, _ = dealt(tmp_path, "Ann Bob", "claim")
    chance = Random(SEED)
    while True:
        player = next(each for each in players if each.replay.position.to_act == players.index(each))
        other = next(each for each in players if each is not player)
        told = plays(player, player.replay, chance)
        if f"First {other.name} has to unlock the next card." in told:
            break
        other.reads(player.writes())
    assert f"First {other.name} has to unlock the next card." in said("legal", player.game)
    mail = player.writes("--to", other.name)
    ask = "turns up the next card. For me it is face down until your answer unlocks it. So write a mail back, before the next turn:"
    assert ask in text(mail)
    other.reads(mail)
    due = f"{player.name} needs a mail from you to turn up the next card: `tkid letter write {other.game} -o FILE`."
    assert due in said("show", other.game)
    again = tkid("letter", "read", other.game, mail)
    assert due in again.output
    assert "It states something else" not in again.output
    answer = other.writes("--to", player.name)
    assert "PRIZE" in text(answer)
    assert "PRIZE ?" not in text(answer), "whoever answers has seen it"
    assert due not in said("show", other.game)
    read = player.reads(answer)
    assert "no new turn, but new information about the game." in read
    assert "It states something else" not in read
    assert "has to unlock" not in said("legal", player.game)


def test_a_seed_that_is_secret_still_is_no_fault(two: tuple[Player, Player]) -> None:
    """While a game goes on, nobody has forgotten anything; cites: record.deal.seed."""
    told = " ".join(said("verify", two[0].game, code=1).split())
    assert "What follows from Bob's seed: Bob opens it when the game is over. [record.deal.seed]" in told
    assert "has not opened" not in told
