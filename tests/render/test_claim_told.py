"""What Claim tells people: the headline, what may follow and wins, the last turn, and what a card would bring."""

from __future__ import annotations

from random import Random

from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from tests.games.claim.shared import CLAIM, PLAYERS, heard, positions, seeds, twin
from tests.render.test_claim_picture import SEATS, Moment, any_moment
from tests.shared.examples import examples
from tests.shared.tables import each_row
from tkid.games.claim.notation.positions import read_position
from tkid.games.claim.render import (
    PLUGIN,
    describe_consequence,
    tell_claim_turn,
    write_claim_forecast,
    write_claim_headline,
)
from tkid.games.claim.rules import PLAYS, Position, View
from tkid.kernel.game import HIDDEN
from tkid.render.picture import LastTurn
from tkid.render.plugin import Tale
from tkid.rulebook import is_known_rule


def at(line: str) -> Position:
    """A position, written in short."""
    position: Position = read_position(CLAIM, f"claim; {line}")
    return position


@frozen
class Stands:
    """A position, who looks, and its headline and forecast."""

    line: str
    seat: int | None
    headline: str
    forecast: str


LED = "1 hand K2 U3; 2 hand {}; led {}; to play 2"
STANDS: dict[str, Stands] = {
    "must follow": Stands(
        LED.format("G1 G0 X5", "G7"),
        1,
        "Bob to play: Goblin 7 was led",
        "Bob must follow with a Goblin or a Doppelganger; only a higher one wins.",
    ),
    "the same, seen by the other": Stands(
        LED.format("G1 G0 X5", "G7"),
        0,
        "Bob to play: Goblin 7 was led",
        "Bob must follow with a Goblin if possible, or play a Doppelganger; only a higher one or a Knight wins.",
    ),
    "cannot follow": Stands(
        LED.format("U1 K3 X5", "G7"),
        1,
        "Bob to play: Goblin 7 was led",
        "Bob has no Goblins and may play any card; only a higher Doppelganger or a Knight wins.",
    ),
    "nine of Goblins": Stands(
        LED.format("G1 K3 X5", "G9"),
        0,
        "Bob to play: Goblin 9 was led",
        "Bob must follow with a Goblin if possible, or play a Doppelganger; only a Knight wins.",
    ),
    "nine": Stands(
        LED.format("U1 K3 X5", "U9"),
        1,
        "Bob to play: Undead 9 was led",
        "Bob must follow with an Undead or a Doppelganger; nothing beats Undead 9.",
    ),
    "Doppelganger, followed": Stands(
        LED.format("U1 K3 X5", "X4"),
        1,
        "Bob to play: Doppelganger 4 was led",
        "Bob must follow with a Doppelganger; only a higher one wins.",
    ),
    "Doppelganger, not followed": Stands(
        LED.format("U1 K3 G5", "X4"),
        1,
        "Bob to play: Doppelganger 4 was led",
        "Bob has no Doppelgangers and may play any card; nothing beats Doppelganger 4.",
    ),
    "a prize": Stands(
        "1 hand G5; 2 hand K5; prize U3; deck K2; to play 1",
        None,
        "Ann to lead: Undead 3 is the prize",
        "The winner takes Undead 3, the loser the next card of the deck.",
    ),
    "a hidden prize": Stands(
        "1 hand G5; 2 hand K5; prize ?; deck ?; to play 1",
        None,
        "Ann to lead: the hidden card is the prize",
        "The winner takes the hidden card, the loser the next card of the deck.",
    ),
    "no votes": Stands(
        "1 hand G5; 2 hand K5; to play 1",
        None,
        "Ann to lead: phase two, trick 13 of 13",
        "As it stands, nobody has a faction; three win.",
    ),
    "as many": Stands(
        "1 hand G5; 2 hand K5; 1 score G1; 2 score D1; to play 2",
        None,
        "Bob to lead: phase two, trick 13 of 13",
        "As it stands, both have one faction; three win.",
    ),
    "ahead": Stands(
        "1 hand G5; 2 hand K5; 1 score G1; 2 score D1 U1; to play 2",
        None,
        "Bob to lead: phase two, trick 13 of 13",
        "As it stands, Bob has two factions and Ann one; three win.",
    ),
    "winning": Stands(
        "1 hand G5; 2 hand K5; 2 score D1 U1 X1; to play 2",
        None,
        "Bob to lead: phase two, trick 13 of 13",
        "As it stands, Bob wins by three factions to none.",
    ),
    "drawn": Stands(
        "1 hand -; 2 hand -; 1 score G5 K2; 2 score U1 D4; ended drawn",
        0,
        "The game is drawn: nobody has three factions",
        "",
    ),
    "won": Stands(
        "1 hand -; 2 hand -; 1 score G5 K2 U4; 2 score D4; ended votes 1", 0, "Ann wins by three factions to one", ""
    ),
}


@each_row("name", STANDS)
def test_what_stands(name: str) -> None:
    row = STANDS[name]
    view = CLAIM.view(at(row.line), row.seat)
    assert write_claim_headline(CLAIM, view, PLAYERS) == row.headline
    assert write_claim_forecast(CLAIM, view, PLAYERS) == row.forecast


@frozen
class Brings:
    """A position, a card that Bob plays, how the turn is told to Bob, and what it would bring."""

    line: str
    card: str
    told: str
    consequence: str


PHASE_ONE = "1 hand {}; 2 hand {}; prize D1; deck X3 K4 G9; led {}; to play 2"
PHASE_TWO = "1 hand K9; 2 hand {} U8; 1 score U1 X2; 2 score D4; led {}; to play 2"
LAST = "1 hand -; 2 hand {}; 1 score U1 X2; 2 score D4 D5; led {}; to play 2"
BRINGS: dict[str, Brings] = {
    "higher": Brings(
        PHASE_ONE.format("U2", "G8 K2", "G5"),
        "G8",
        "Bob plays Goblin 8 on Ann's Goblin 5 and wins the trick. Bob recruits Dwarf 1, and Ann draws the next card, unseen.",
        "You win the trick; you recruit Dwarf 1, and Ann draws the next card, unseen",
    ),
    "lower": Brings(
        PHASE_ONE.format("U2", "G2 K2", "G5"),
        "G2",
        "Bob plays Goblin 2 on Ann's Goblin 5, and Ann wins the trick. Ann recruits Dwarf 1, and Bob draws Doppelganger 3 as a follower.",
        "Ann wins the trick; Ann recruits Dwarf 1, and you draw the next card, unseen",
    ),
    "a Knight": Brings(
        PHASE_ONE.format("U2", "U4 K2", "G5"),
        "K2",
        "Bob plays Knight 2 on Ann's Goblin 5 and wins the trick, as a Knight beats any Goblin. Bob recruits Dwarf 1, and Ann draws the next card, unseen.",
        "You win the trick, as a Knight beats any Goblin; you recruit Dwarf 1, and Ann draws the next card, unseen",
    ),
    "Undead": Brings(
        PHASE_ONE.format("G2", "U2 K2", "U5"),
        "U2",
        "Bob plays Undead 2 on Ann's Undead 5, and Ann wins the trick. Ann recruits Dwarf 1, and Bob draws Doppelganger 3 as a follower. Undead 5 and Undead 2 go to Ann's score pile.",
        "Ann wins the trick; Ann recruits Dwarf 1, and you draw the next card, unseen; Undead 5 and Undead 2 go to Ann's score pile",
    ),
    "both cards": Brings(
        PHASE_TWO.format("G8", "G5"),
        "G8",
        "Bob plays Goblin 8 on Ann's Goblin 5 and wins the trick. Goblin 5 and Goblin 8 go to Bob's score pile.",
        "You win the trick; Goblin 5 and Goblin 8 go to your score pile",
    ),
    "equal": Brings(
        PHASE_TWO.format("X5", "G5"),
        "X5",
        "Bob plays Doppelganger 5 on Ann's Goblin 5, and Ann wins the trick, as equal cards go to the leader. Goblin 5 and Doppelganger 5 go to Ann's score pile.",
        "Ann wins the trick, as equal cards go to the leader; Goblin 5 and Doppelganger 5 go to Ann's score pile",
    ),
    "a Dwarf": Brings(
        PHASE_TWO.format("X8", "D5"),
        "X8",
        "Bob plays Doppelganger 8 on Ann's Dwarf 5 and wins the trick. Doppelganger 8 goes to Bob's score pile. Dwarf 5 goes to Ann's score pile.",
        "You win the trick; Doppelganger 8 goes to your score pile; Dwarf 5 goes to Ann's score pile",
    ),
    "two Dwarves": Brings(
        PHASE_TWO.format("D3", "D5"),
        "D3",
        "Bob plays Dwarf 3 on Ann's Dwarf 5, and Ann wins the trick. Dwarf 5 and Dwarf 3 go to Bob's score pile.",
        "Ann wins the trick; Dwarf 5 and Dwarf 3 go to your score pile",
    ),
    "the last trick": Brings(
        LAST.format("G3", "G5"),
        "G3",
        "Bob plays Goblin 3 on Ann's Goblin 5, and Ann wins the last trick. Goblin 5 and Goblin 3 go to Ann's score pile.",
        "Ann wins the last trick; Goblin 5 and Goblin 3 go to Ann's score pile; Ann wins by three factions to one",
    ),
    "a draw": Brings(
        LAST.format("G8", "G5"),
        "G8",
        "Bob plays Goblin 8 on Ann's Goblin 5 and wins the last trick. Goblin 5 and Goblin 8 go to Bob's score pile.",
        "You win the last trick; Goblin 5 and Goblin 8 go to your score pile; the game is drawn: nobody has three factions",
    ),
}


@each_row("name", BRINGS)
def test_what_a_card_brings(name: str) -> None:
    row = BRINGS[name]
    before = at(row.line)
    after, events = CLAIM.play(before, PLAYS[row.card])
    view, shown = CLAIM.view(after, 1), CLAIM.view(before, 1).shown
    assert tell_claim_turn(CLAIM, view, PLAYERS, LastTurn(1, (PLAYS[row.card],), events, shown)) == row.told
    assert describe_consequence(CLAIM, shown, PLAYS[row.card], PLAYERS) == row.consequence


def test_a_card_that_is_led_brings_nothing_that_is_certain() -> None:
    before = at("1 hand G5; 2 hand K5; prize U3; deck K2; to play 1")
    after, events = CLAIM.play(before, PLAYS["G5"])
    assert describe_consequence(CLAIM, before, PLAYS["G5"], PLAYERS) == ""
    last = LastTurn(0, (PLAYS["G5"],), events, before)
    assert tell_claim_turn(CLAIM, View(None, after), PLAYERS, last) == "Ann leads Goblin 5."
    assert PLUGIN.tell_turn(CLAIM, View(None, after), PLAYERS, last).next == "Bob plays next."


def test_a_turn_that_changes_votes_is_told_step_by_step() -> None:
    before = at(PHASE_TWO.format("X8", "D5"))
    after, events = CLAIM.play(before, PLAYS["X8"])
    made = PLUGIN.tell_turn(CLAIM, CLAIM.view(after, 0), PLAYERS, LastTurn(1, (PLAYS["X8"],), events, before))
    assert made.heading == "Bob plays Doppelganger 8 on Dwarf 5"
    assert [(step.rule.removeprefix("claim."), step.text) for step in made.steps] == [
        ("power.doppelgangers.always", "Bob plays Doppelganger 8."),
        ("power.doppelgangers", "Bob wins the trick: Doppelganger 8 beats Dwarf 5."),
        ("gather.collect", "Doppelganger 8 goes to Bob's score pile."),
        ("power.dwarves", "Dwarf 5 goes to Ann's score pile."),
    ]
    assert made.changes == (
        "The Dwarves now vote for Ann.",
        "The Doppelgangers now vote for Bob.",
        "As it stands, Ann has two factions and Bob one; three win.",
    )
    assert made.next == "Bob leads the next trick."


def test_the_end_is_told_vote_by_vote() -> None:
    before = at(LAST.format("G3", "G5"))
    after, events = CLAIM.play(before, PLAYS["G3"])
    made = PLUGIN.tell_turn(CLAIM, CLAIM.view(after, None), PLAYERS, LastTurn(1, (PLAYS["G3"],), events, before))
    assert [step.text for step in made.steps[3:]] == [
        "The Goblins vote for Ann: 2 cards to 0.",
        "The Knights vote for nobody: 0 each.",
        "The Dwarves vote for Bob: 2 cards to 0.",
        "The Undead vote for Ann: 1 card to 0.",
        "The Doppelgangers vote for Ann: 1 card to 0.",
        "Ann wins by three factions to one.",
    ]
    assert (made.changes, made.next) == ((), "")


def words_of(moment: Moment, seat: int | None, names: tuple[str, ...] = PLAYERS) -> list[str | Tale]:
    """All that is told of a moment to a seat."""
    position, last = moment
    view = CLAIM.view(position, seat)
    found: list[str | Tale] = [write_claim_headline(CLAIM, view, names), write_claim_forecast(CLAIM, view, names)]
    if last is not None:
        found += [tell_claim_turn(CLAIM, view, names, last), PLUGIN.tell_turn(CLAIM, view, names, last)]
    return found


@given(any_moment(), SEATS, seeds)
@examples(40)
def test_hidden_cards_stay_hidden(moment: Moment, seat: int | None, seed: int) -> None:
    position, last = moment
    other = twin(Random(seed), position, seat)
    assert words_of((position, None), seat) == words_of((other, None), seat)
    if last is not None:
        hushed = LastTurn(last.seat, last.moves, heard(last.events, seat), CLAIM.view(last.before, seat).shown)
        assert words_of(moment, seat) == words_of((other, hushed), seat)


@given(any_moment(), SEATS)
@examples(40)
def test_every_step_has_a_rule_that_exists(moment: Moment, seat: int | None) -> None:
    position, last = moment
    if last is not None:
        made = PLUGIN.tell_turn(CLAIM, CLAIM.view(position, seat), PLAYERS, last)
        assert made.steps
        assert all(is_known_rule(step.rule) and step.text.endswith(".") for step in made.steps)
        assert not made.heading.endswith(".")


@given(positions(over=False), st.booleans())
@examples(40)
def test_what_a_card_would_bring_is_what_it_brings(position: Position, hidden: bool) -> None:  # noqa: FBT001 - hypothesis
    seat = position.to_act
    shown = CLAIM.view(position, seat).shown if hidden else position
    for move in CLAIM.legal(position):
        said = describe_consequence(CLAIM, shown, move, PLAYERS)
        assert (said == "") == (position.led is None)
        after, _ = CLAIM.play(position, move)
        assert said == "" or said.startswith(("You win the trick", "You win the last trick")) == (
            after.leader == seat if after.leader is not None else said.startswith("You")
        )
        assert HIDDEN not in said
