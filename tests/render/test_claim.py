"""The text rendering of Claim: snapshots, and what random positions show.

`python -m tests.render.test_claim` writes the snapshots anew; read each before it is kept.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.games.claim.shared import CLAIM, PLAYERS, positions, random_game, seeds, start, twin
from tests.shared.examples import examples
from tkid.games.claim import render as text
from tkid.games.claim.notation.positions import read_position
from tkid.games.claim.render import PLUGIN as SHOWING
from tkid.games.claim.rules import FACTIONS, NAMES, Position, View
from tkid.kernel.game import HIDDEN, Event
from tkid.render import text as position_text
from tkid.render.lines import WIDTH
from tkid.render.plugin import UnknownCardError
from tkid.render.text import explain_game_result

EXPECTED = Path(__file__).with_name("expected")
MOMENTS = {
    "claim-start": 0,
    "claim-led": 7,
    "claim-recruited": 8,
    "claim-phase-two": 26,
    "claim-late": 45,
    "claim-over": 52,
}
"""Snapshots as Ann sees them, by the number of turns played."""


def moment(turns: int) -> tuple[Position, tuple[Event, ...]]:
    """A moment of one random game, and what led to it."""
    position, _, events = list(random_game(Random("claim rendered")))[turns]
    return position, events


def drawn(name: str) -> str:
    """The text of a snapshot, with the reasons of the end."""
    position, events = moment(MOMENTS[name])
    told = position_text.draw_position(CLAIM, CLAIM.view(position, 0), PLAYERS, events)
    return told + "".join(f"{line}\n" for line in explain_game_result(CLAIM, position, PLAYERS))


@pytest.mark.parametrize("name", MOMENTS)
def test_snapshots(name: str) -> None:
    assert drawn(name) == (EXPECTED / f"{name}.txt").read_text("utf-8")


@given(positions(), st.sampled_from((0, 1, None)))
@examples(100)
def test_every_line_fits_and_every_known_card_is_shown(position: Position, seat: int | None) -> None:
    view = CLAIM.view(position, seat)
    told = position_text.draw_position(CLAIM, view, PLAYERS)
    assert told.isascii()
    assert max(map(len, told.splitlines())) <= WIDTH
    hands, _, piles = told.partition("SCORE PILES")
    for owner in position.seats:
        if owner == seat:
            assert all(NAMES[card] in hands for card in (*position.hands[owner], *position.followers[owner]))
        elif position.hands[owner]:
            assert f"? x{len(position.hands[owner])}" in hands
    for letter, faction in FACTIONS.items():
        (row,) = re.findall(rf"^{faction.plural} +(.*)$", piles, re.MULTILINE)
        shown = sorted(re.findall(r"\d", row))
        held = (*position.scores[0], *position.scores[1], *position.discards)
        assert shown == sorted(card[1] for card in held if card[0] == letter)


@given(positions(), st.sampled_from((0, 1, None)), seeds)
@examples(60)
def test_who_cannot_tell_two_positions_apart_sees_the_same_text(
    position: Position, seat: int | None, seed: int
) -> None:
    other = twin(Random(seed), position, seat)
    one, two = (position_text.draw_position(CLAIM, CLAIM.view(each, seat), PLAYERS) for each in (position, other))
    assert one == two


def test_long_names_and_drawn_cards() -> None:
    names = ("A" * 32, "B" * 32)
    for position, _, events in random_game(Random(3)):
        for seat in (0, 1, None):
            told = position_text.draw_position(CLAIM, CLAIM.view(position, seat), names, events)
            assert max(map(len, told.splitlines())) <= WIDTH
            assert bool(re.search(r"\bdraws\s+[A-Z]", told)) == any(event.only == seat is not None for event in events)


def test_who_turns_up_a_card_of_ones_own_is_said() -> None:
    """In a game that the players dealt, the winner of a trick unlocks the loser's card in the next letter."""
    position = moment(8)[0]
    owner = next(seat for seat in position.seats if position.followers[seat])
    hidden = evolve(position, followers=tuple((HIDDEN,) for _ in position.seats))
    note = f"face down until {PLAYERS[1 - owner]}'s next letter turns it up"
    assert note in position_text.draw_position(CLAIM, View(owner, hidden), PLAYERS)
    assert "face down until" not in position_text.draw_position(CLAIM, View(None, hidden), PLAYERS)
    assert "face down until" not in position_text.draw_position(CLAIM, CLAIM.view(position, owner), PLAYERS)


def test_the_columns_of_a_mail_have_names() -> None:
    view = CLAIM.view(moment(8)[0], 0)
    head = next(line for line in text.PLUGIN.format_board(CLAIM, view, PLAYERS) if line.startswith("SCORE PILES"))
    assert head.split() == ["SCORE", "PILES", "You", PLAYERS[1], "DISCARDED"]
    lines = text.PLUGIN.format_board(CLAIM, View(None, view.shown), ("A" * 32, "B" * 32))
    assert f"{'A' * 12}..   {'B' * 12}..   DISCARDED" in "\n".join(lines)
    assert max(map(len, lines)) <= WIDTH


def test_what_is_due_and_what_may_be_played() -> None:
    position = read_position(CLAIM, "claim; 1 hand K2 U3 U4; 2 hand G0 G0 X5 D7; led G9; to play 2")
    lines = SHOWING.list_legal(CLAIM, position, PLAYERS, "", every=False)
    assert lines == ["Bob may play on Goblin 9: Bob must follow with Goblins.", "  Goblin 0", "  Doppelganger 5"]
    assert SHOWING.list_legal(CLAIM, position, PLAYERS, "dwarf 7", every=True) == [
        "  Dwarf 7: no. Bob has Goblins and must follow: Goblin 0 is possible [claim.trick.follow]"
    ]
    assert "  Goblin 0" in SHOWING.list_legal(CLAIM, position, PLAYERS, "goblins", every=True)
    with pytest.raises(UnknownCardError, match="Did you mean Goblin"):
        SHOWING.list_legal(CLAIM, position, PLAYERS, "Gobln 5", every=False)
    assert (SHOWING.describe_due(CLAIM, position), SHOWING.describe_open_decision(CLAIM, position)) == ("play", "")
    hidden = CLAIM.view(start(bytes(32)), 1).shown
    assert SHOWING.describe_due(CLAIM, hidden) == "lead"
    assert (
        SHOWING.list_legal(CLAIM, hidden, PLAYERS, "", every=True)[0] == "Ann may, as far as you know the hand, lead:"
    )
    assert (
        SHOWING.list_legal(CLAIM, hidden, PLAYERS, "", every=False)[0]
        == "It is Ann's turn, and you cannot see Ann's hand."
    )


if __name__ == "__main__":
    for each in MOMENTS:
        (EXPECTED / f"{each}.txt").write_text(drawn(each), "utf-8")
        print(drawn(each))  # noqa: T201 - to be read
