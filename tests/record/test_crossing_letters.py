"""Players without a host, whose turns and resignations cross in the mail: at the end all have the same file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.shared.lines import random_line
from tkid.mail.peer_letters import add_passes
from tkid.record.copies import Kind, add_resignation, compare_copies, find_resignations, make_shared_copy
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, append, is_over, replay
from tkid.record.play.validation import judge_record
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import ruleset

BEGIN = datetime(2026, 11, 21, 9, tzinfo=UTC)
TAKEN = {Kind.SAME, Kind.CONTINUES, Kind.STALE}


class Table:
    """The files of the players of one game, each as its text, and the letters that are on their way."""

    def __init__(self, players: int) -> None:
        start = replay(random_line(ruleset("second-edition"), Random(players), players, 0.0).cut(0).record())
        self.files = [write_record(start.record, start)] * players
        self.letters = list[tuple[int, str]]()
        self.refusals = list[str]()

    def load(self, seat: int) -> Replay:
        """A player's file, which is right."""
        problems, played = judge_record(read_record(self.files[seat].encode()))
        assert played is not None
        assert problems == []
        return played

    def keep(self, seat: int, played: Replay) -> None:
        """Write a player's file."""
        self.files[seat] = write_record(played.record, played)
        self.load(seat)

    def play(self, seat: int, choice: int) -> None:
        """Play a turn, if it is due in the player's file: a pass, or any other."""
        played = self.load(seat)
        if not is_over(played) and played.position.to_act == seat:
            after = append(played, "Pass") if choice % 2 else append(played, any_turn(played, choice))
            assert after.problems == []
            self.keep(seat, add_passes(after))

    def resign(self, seat: int, minute: int) -> None:
        """Resign, if that is possible in the player's file."""
        played = self.load(seat)
        if not is_over(played) and seat not in find_resignations(played.record):
            self.keep(seat, add_passes(add_resignation(played, seat, BEGIN + timedelta(minutes=minute))))

    def write(self, seat: int) -> None:
        """Write a letter to all."""
        shared = make_shared_copy(self.load(seat))
        self.letters.append((seat, write_record(shared.record, shared)))

    def read(self, seat: int, letter: int) -> None:
        """Read a letter, as `tkid letter read` does."""
        sender, text = self.letters[letter % len(self.letters)]
        if sender == seat:
            return
        found = compare_copies(self.load(seat), text.encode(), seat, writers={sender})
        if found.kind not in TAKEN:
            self.refusals.append(f"{seat} from {sender}: {found.message}. {found.hint}")
        elif found.replay is not None:
            self.keep(seat, add_passes(found.replay))

    def settle(self) -> None:
        """Send and read letters until no file changes any more."""
        for _ in range(8):
            before = list(self.files)
            self.refusals.clear()
            for sender in range(len(self.files)):
                self.write(sender)
                for reader in range(len(self.files)):
                    self.read(reader, -1)
            if before == self.files:
                return


def any_turn(played: Replay, choice: int) -> list[Any]:
    """A turn of the player to act that is legal."""
    game, position = played.record.game, played.position
    moves = [*game.legal(position)]
    turns = [moves[choice % len(moves)]]
    after, _ = game.apply(position, turns[0])
    while game.turn_continues(after):
        turns.append(next(iter(game.legal(after))))
        after, _ = game.apply(after, turns[-1])
    return turns


@given(players=st.integers(2, 4), seed=st.integers(0, 10_000))
@example(players=4, seed=41)
@settings(deadline=None)
def test_letters_in_any_order_lead_to_equal_files(players: int, seed: int) -> None:
    """Cites: record.turn.over, record.resigned.first."""
    table, chance = Table(players), Random(seed)
    for _ in range(chance.randint(4, 20)):
        step, seat, number = chance.choice("pppprwwllll"), chance.randrange(players), chance.randrange(40)
        match step:
            case "p":
                table.play(seat, number)
            case "r":
                table.resign(seat, number)
            case "w":
                table.write(seat)
            case _ if table.letters:
                table.read(seat, number)
    table.settle()
    assert not table.refusals
    assert len(set(table.files)) == 1, "\n=====\n".join(text.partition("Turns\n")[2] for text in table.files)


def test_the_place_of_a_resignation_does_not_depend_on_the_order_of_the_mails() -> None:
    """Bob plays while Cal resigns: Ann reads both letters in either order, and all three have the same; cites: record.turn.over."""
    found = set()
    for order in (1, 2), (2, 1):
        table = Table(3)
        first = table.load(0).position.to_act or 0
        second, third = (first + 1) % 3, (first + 2) % 3
        table.play(first, 1)
        table.write(first)
        table.read(second, 0)
        table.play(second, 1)
        table.resign(third, 0)
        table.write(second)
        table.write(third)
        for letter in order:
            table.read(first, letter)
        table.read(second, 2)
        table.read(third, 0)
        table.read(third, 1)
        assert not table.refusals
        assert len(set(table.files)) == 1
        found.add(table.files[0])
    assert len(found) == 1


def test_a_turn_of_mine_that_comes_after_a_resignation_in_a_letter_is_refused() -> None:
    """Somebody played for Bob, who had resigned: nothing is taken, instead of two files that differ; cites: post.resign.final."""
    table = Table(3)
    first = table.load(0).position.to_act or 0
    second = (first + 1) % 3
    table.play(first, 1)
    played = table.load(first)
    assert played.position.to_act == second
    table.keep(first, append(played, any_turn(played, 2)))
    table.resign(second, 0)
    table.write(second)
    before = table.files[first]
    table.read(first, 0)
    assert table.files[first] == before
    assert "does not fit the resignations there" in table.refusals[0]


def test_a_player_s_own_letter_says_when_the_player_resigned() -> None:
    """Ann wrote another time for Bob's resignation than Bob did; cites: record.resigned."""
    table = Table(3)
    table.resign(1, 5)
    table.keep(0, add_passes(add_resignation(table.load(0), 1, BEGIN)))
    table.write(1)
    table.read(0, 0)
    assert table.files[0] == table.files[1]
    table.keep(2, add_passes(add_resignation(table.load(2), 1, BEGIN)))
    before = table.files[2]
    table.write(0)
    table.read(2, 1)
    assert table.files[2] == before


def test_two_who_resign_and_read_each_other_s_letters_are_heard_by_the_third() -> None:
    """A letter says who wrote it has resigned, also if it says so of somebody else; cites: record.compare.marked."""
    table = Table(4)
    for seat in (1, 3):
        table.resign(seat, seat)
        table.write(seat)
    table.read(1, 1)
    table.read(3, 0)
    table.letters.clear()
    for seat in (1, 3):
        table.write(seat)
    table.read(2, 0)
    assert list(find_resignations(table.load(2).record)) == [1]
    table.read(2, 1)
    assert table.files[2] == table.files[1] == table.files[3]


def test_turns_above_a_resignation_that_is_asked_about_are_taken() -> None:
    """Bob passes, resigns, and then hears that Dee resigned: Cal reads his letter, and later Dee's; cites: record.compare.marked."""
    table = Table(4)
    bob = table.load(0).position.to_act or 0
    cal, dee = (bob + 1) % 4, (bob + 2) % 4
    table.resign(dee, 36)
    table.write(dee)
    table.play(bob, 1)
    table.resign(bob, 4)
    table.read(bob, 0)
    table.write(bob)
    table.read(cal, 1)
    half = table.load(cal).record
    assert [turn.seat for turn in half.turns] == [bob]
    assert list(find_resignations(half)) == [bob]
    table.read(cal, 0)
    assert table.files[cal] == table.files[bob]


def test_a_resignation_below_turns_that_are_not_taken_waits() -> None:
    """Dee resigned, and her turn passed before Bob resigned: Cal reads Bob's letter, then Dee's, then Bob's again; cites: record.compare.marked."""
    table = Table(4)
    bob = table.load(0).position.to_act or 0
    dee, cal = (bob + 1) % 4, (bob + 3) % 4
    table.play(bob, 1)
    table.write(bob)
    table.read(dee, 0)
    table.read(cal, 0)
    table.resign(dee, 4)
    table.write(dee)
    table.read(bob, 1)
    table.resign(bob, 36)
    table.write(bob)
    before = table.files[cal]
    table.read(cal, 2)
    assert table.files[cal] == before
    assert "has resigned, but nothing shows that" in table.refusals[0]
    table.read(cal, 1)
    table.read(cal, 2)
    assert table.files[cal] == table.files[bob]
