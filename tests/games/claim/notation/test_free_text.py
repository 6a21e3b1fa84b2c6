"""Cards of Claim in everyday words: chosen by their value, named without a faction, and in other languages."""

from __future__ import annotations

import pytest

from tkid.notation.free_text import understand_turn
from tkid.notation.positions import read_position

HANDS = {
    "lead": "claim; 1 hand G0 G0 G2 G3 G7 K8 K9 D1 D8 U5 X1 X7; 1 followers D5; 2 hand 12?; 2 followers ?; "
    "discards D7 X9; prize U4; deck 23?; to play 1",
    "follow": "claim; 1 hand G3 G4 G6 G9 K4 D2 D6 D7 D8 U2 U9 X4; 1 followers K8; 2 hand 11?; 2 followers ?; "
    "discards G8 X0; prize X8; deck 23?; led D4; to play 1",
}


@pytest.mark.parametrize(
    ("hand", "text", "turn"),
    [
        ("lead", "my highest goblin", "Goblin 7"),
        ("lead", "the lowest of my goblins please", "Goblin 0"),
        ("lead", "higher of my two doppels", "Doppelganger 7"),
        ("lead", "the small knight", "Knight 8"),
        ("lead", "the lowest goblin above 2", "Goblin 3"),
        ("lead", "lead my highest card", "Knight 9"),
        ("lead", "third highest goblin", "Goblin 2"),
        ("lead", "my second-best knight", "Knight 8"),
        ("lead", "the 2nd lowest dwarf", "Dwarf 8"),
        ("lead", "smallest goblin over 2", "Goblin 3"),
        ("lead", "the biggest goblin lower than 7", "Goblin 3"),
        ("lead", "K9, and thanks for the 7", "Knight 9"),
        ("lead", "Nice trick! I'll lead D8.", "Dwarf 8"),
        ("lead", "fifth highest goblin", "Goblin 0"),
        ("follow", "the middle one of my dwarves over 2", "Dwarf 7"),
        ("lead", "enano 8", "Dwarf 8"),
        ("lead", "der kleinste Ritter", "Knight 8"),
        ("lead", "cavaliere nove", "Knight 9"),
        ("lead", "rycerz 9", "Knight 9"),
        ("follow", "I follow with the eight", "Dwarf 8"),
        ("follow", "my best dwarf beats your dwarf", "Dwarf 8"),
        ("follow", "the dwarf of 7 over your four of dwarves", "Dwarf 7"),
    ],
)
def test_a_card_is_chosen_by_its_value(hand: str, text: str, turn: str) -> None:
    game, position = read_position(HANDS[hand])
    found = understand_turn(game, ("Ann", "Bob"), position, text)
    assert (found.turn, found.certain) == (turn, False)


@pytest.mark.parametrize(
    ("hand", "text", "choices"),
    [
        ("lead", "the seven", ("Goblin 7", "Doppelganger 7")),
        ("lead", "goblin 3, my highest", ("Goblin 3", "Goblin 7")),
        ("lead", "highest and lowest goblin", ("Goblin 7",)),
        ("lead", "my last card", ()),
        ("lead", "second lowest goblin", ("Goblin 0", "Goblin 2")),
        ("lead", "sixth highest goblin", ()),
        ("lead", "third highest knight", ()),
        ("lead", "the middle knight", ()),
        ("lead", "Thanks for the 5.", ()),
        ("lead", "sorry about taking your 8", ()),
        ("lead", "Best, Ann", ()),
        ("lead", "high five!", ()),
        ("lead", "a knight beats your zombie", ("Knight 8", "Knight 9")),
        ("follow", "Goblin 6 beats your knight", ()),
        ("follow", "who has the highest dwarf?", ()),
    ],
)
def test_words_that_choose_no_single_card_propose_none(hand: str, text: str, choices: tuple[str, ...]) -> None:
    game, position = read_position(HANDS[hand])
    found = understand_turn(game, ("Ann", "Bob"), position, text)
    assert not found.turn
    assert {*found.choices} == {*choices}


@pytest.mark.parametrize("text", ["I have one card left", "with love from me", "nothing yet, sorry"])
def test_a_text_without_a_card_is_not_called_a_faction(text: str) -> None:
    game, position = read_position(HANDS["lead"])
    found = understand_turn(game, ("Ann", "Bob"), position, text)
    assert not found.choices
    assert all("faction" not in problem.message for problem in found.problems)
