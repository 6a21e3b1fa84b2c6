"""Deals in which somebody takes a wrong name, a wrong folder or a wrong mail: what they hear first is the innocent cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import complaint, said
from tests.cli.dealers import ADVANCED, Player, at_table
from tests.cli.letters import ADDRESSES, AT
from tests.mail.mails import body, parsed


@pytest.fixture
def three(tmp_path: Path) -> tuple[list[Player], Path]:
    """Three players, and the first mail of their deal."""
    players = at_table(tmp_path, "Ann Bob Cal")
    seats = [part for each in players for part in ("--seat", f"{each.name} <{ADDRESSES[each.name]}>")]
    return players, players[0].deals(*seats, "--me", "Ann", "--ruleset", ADVANCED)


def flat(text: str) -> str:
    """A text in one line."""
    return " ".join(text.split())


# -- wrong names and wrong folders ------------------------------------------------------------------------


def test_whoever_takes_the_name_of_the_sender_is_told(three: tuple[list[Player], Path]) -> None:
    players, mail = three
    told = complaint("letter", "new", players[1].deal, mail, "--me", "Ann", code=1)
    assert told.startswith(f"{mail} has Ann's lock already, and {players[1].folder / 'winter.seed'} is not here. ")
    assert "If you are not Ann, give your own name with --me." in told
    assert not players[1].deal.exists()


def test_whoever_takes_a_later_name_is_told_who_is_next(three: tuple[list[Player], Path]) -> None:
    """Nothing of that player's is due yet, so there is nothing to send."""
    players, mail = three
    bob, answer = players[1], players[1].folder / "answer.eml"
    told = flat(said("letter", "new", bob.deal, mail, "--me", "Cal", "-o", answer))
    assert told.startswith(
        "Bob is next, and locks the deck before Cal. Wait for the mail of Bob. If you are Bob, remove "
    )
    assert told.endswith("No mail was written, because you have nothing to send yet.")
    assert not answer.exists()


def test_another_name_than_the_seeds_is_told(three: tuple[list[Player], Path]) -> None:
    players, mail = three
    told = complaint("letter", "new", players[0].deal, mail, "--me", "Bob", code=2)
    assert told == (
        f"{players[0].folder / 'winter.seed'} has the seed of Ann, so this is Ann's file. If you are Ann, leave out --me. "
        "If you are Bob, look for your own folder.\n"
    )


def test_a_folder_without_the_deal_is_told(three: tuple[list[Player], Path]) -> None:
    players, mail = three
    bob = players[1]
    told = complaint("letter", "new", bob.deal, mail, code=2)
    assert told == (
        f"There is no {bob.deal} and no {bob.folder / 'winter.seed'} here. If you began it already, its files are in "
        "another folder.\nTo join, say who you are: add --me NAME.\n"
    )
    assert "its files are in another folder" in complaint("letter", "new", bob.deal, code=2)


def test_a_second_lock_of_a_player_is_first_a_mistake(three: tuple[list[Player], Path]) -> None:
    players, mail = three
    ann, bob, cal = players
    ann.deals(bob.deals(mail, "--me", "Bob"))
    told = complaint("letter", "new", ann.deal, cal.deals(mail, "--me", "Bob"), code=1)
    assert "Bob's lock was different before [record.deal.key]" in told
    assert "Perhaps Bob began twice, or somebody else joined as Bob by mistake." in flat(told)


# -- mails that come twice or out of order ----------------------------------------------------------------


def test_a_mail_that_comes_twice_makes_nothing_due(three: tuple[list[Player], Path]) -> None:
    players, mail = three
    bob = players[1]
    bob.deals(mail, "--me", "Bob")
    told = flat(said("letter", "new", bob.deal, mail))
    assert told.startswith("You have nothing to send now: Cal is next. If your last mail got lost, send it again.")
    assert "Your part is in" not in told


def test_a_mail_of_a_turn_that_comes_first_is_only_too_early(three: tuple[list[Player], Path]) -> None:
    players, mail = three
    ann, bob, cal = players
    for player, me in ((bob, ("--me", "Bob")), (cal, ("--me", "Cal")), (ann, ()), (bob, ())):
        mail = player.deals(mail, *me)
    told = complaint("letter", "new", ann.folder / "other.deal", bob.writes("--to", "all"), "--me", "Ann", code=1)
    assert "comes after Ann's lock, which you do not have yet [record.deal.order]" in told
    assert "Perhaps a mail was not read yet: first read the last mail of the deal" in flat(told)


def test_a_damaged_mail_is_named(three: tuple[list[Player], Path]) -> None:
    players, mail = three
    lines = mail.read_text().split("Tkid-Deal: 1")
    body = lines[1].splitlines(keepends=True)
    body[20] = f"x{body[20][1:]}"
    mail.write_text(f"{lines[0]}Tkid-Deal: 1{''.join(body)}", newline="")
    told = complaint("letter", "new", players[1].deal, mail, "--me", "Bob", code=1)
    assert told.startswith(f"{mail} (deal):21:1: This line was changed: its check does not fit [record.deal.whole]\n")


# -- what to do next --------------------------------------------------------------------------------------


def test_everybody_is_told_who_begins(three: tuple[list[Player], Path]) -> None:
    players, mail = three
    ann, bob, cal = players
    for player, me in ((bob, ("--me", "Bob")), (cal, ("--me", "Cal")), (ann, ())):
        mail = player.deals(mail, *me)
    tolds = {bob.name: said("letter", "new", bob.deal, mail)}
    needs = "The others need your part to see their hands: write the mail with -o FILE."
    brings = "which also brings the others what they need of the deal"
    assert needs in flat(tolds["Bob"]) or brings in flat(tolds["Bob"])
    mail = bob.folder / "last.eml"
    tolds["Bob"] = said("letter", "new", bob.deal, "-o", mail, "--at", AT)
    tolds |= {each.name: said("letter", "new", each.deal, mail) for each in (ann, cal)}
    to_act = ann.replay.position.to_act
    assert to_act is not None
    begins = players[to_act]
    for each in players:
        told = flat(tolds[each.name])
        if each is begins:
            assert f"You begin. `tkid show {each.game}` shows the game. Play your turn: `tkid play" in told
        else:
            assert f"{begins.name} begins. Wait for the first letter, and read it: `tkid letter read" in told


def test_whoever_joins_sees_the_game_and_what_to_install(three: tuple[list[Player], Path]) -> None:
    """The third player too, and nobody who has joined already."""
    players, first = three
    ann, bob, cal = players
    second = bob.deals(first, "--me", "Bob")
    third = cal.deals(second, "--me", "Cal")
    for mail in (first, second):
        text = body(parsed(mail.read_bytes()))
        assert f"  Ruleset: {ADVANCED}" in text
        assert text.index("  Seat: Ann") < text.index("  Seat: Bob") < text.index("  Seat: Cal")
        assert "The players are listed in turn order." in text
        assert "Check that this is the game that you want to play." in text
        assert "    pip install '.[secret]'" in text
    text = body(parsed(third.read_bytes()))
    assert "Ruleset:" not in text
    assert "pip install" not in text
    assert ann.deals(third)
