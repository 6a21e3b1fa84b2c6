"""How games of Claim are recorded: the lines of a set-up, and what turns tell of a deck that is hidden."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.games.claim.shared import CLAIM, PLAYERS, heard, random_game, seeds
from tests.shared.examples import examples
from tkid.games.claim.record import PLUGIN, SetupReader
from tkid.games.claim.record import PLUGIN as RECORDING
from tkid.games.claim.rules import NAMES, PLAYS, Deal
from tkid.kernel.game import HIDDEN, fill_names
from tkid.kernel.problems import Kind
from tkid.notation.plugin import ReadTurn
from tkid.record.format.model import Outcome, Record, Turn
from tkid.rulebook.rulesets import ruleset

DEAL = CLAIM.deal(2, bytes(32))


def written(deal: Deal) -> list[str]:
    """The lines of a set-up as they stand in a file."""
    return [f"{label:<12} {value}" for label, value in PLUGIN.list_setup_rows(CLAIM, deal, PLAYERS)]


def read(lines: list[str]) -> tuple[Deal | None, SetupReader]:
    """The deal of some lines, which begin in the first of their file, and the reader with the problems."""
    reader = SetupReader(CLAIM, PLAYERS, lines)
    return reader.read(list(enumerate(lines, 1)), [], 1), reader


# -- set-ups ----------------------------------------------------------------------------------------------


@given(seeds, st.sampled_from((0, 1, None, "all")))
@examples(40)
def test_a_set_up_is_written_and_read_back(seed: int, seat: int | str | None) -> None:
    deal = CLAIM.deal(2, Random(seed).randbytes(32))
    shown = deal if isinstance(seat, str) else RECORDING.hide_deal(CLAIM, deal, seat)
    lines = written(shown)
    assert max(map(len, lines)) < 100
    found, reader = read(lines)
    assert reader.problems == []
    assert found == shown
    assert set(reader.places) == {"Hand Ann", "Hand Bob", "Deck", "First"}


def test_the_lines_of_a_players_file() -> None:
    """A player's own hand and the first prize; nothing else of the cards."""
    lines = written(RECORDING.hide_deal(CLAIM, DEAL, 0))
    assert lines == [
        f"Hand Ann     {' '.join(DEAL.hands[0])}",
        "Hand Bob     13?",
        f"Deck         {DEAL.deck[0]} 25?",
        f"First        {PLAYERS[DEAL.first]}",
    ]
    assert [RECORDING.is_secret(line.lower()) for line in lines] == [True, True, True, False]


def test_what_may_be_typed_in_a_set_up() -> None:
    mine = DEAL.hands[0]
    typed = ["# a comment", f"hand ann  {', '.join(NAMES[card] for card in mine)}", "HAND 2 ?", "deck ?", "first bob"]
    found, reader = read(typed)
    assert reader.problems == []
    assert found == Deal((mine, (HIDDEN,) * 13), (HIDDEN,) * 26, 1)
    assert reader.comments["Hand Ann"] == ("# a comment",)
    assert SetupReader(CLAIM, (), ["Goblin 0 G0, ?"]).read_hand() == (("G0", "G0", HIDDEN), [])


@pytest.mark.parametrize(
    ("line", "kind", "rule", "col", "says"),
    [
        ("Hand Ann     Gobln 5 12?", Kind.NAME, "notation.card", 14, "`Gobln` is not a faction"),
        ("Hand Ann     G5 K1 11?", Kind.NAME, "notation.card", 17, "There is no Knight 1"),
        ("Hand Ann     G5, ;, 11?", Kind.NAME, "notation.card", 18, "`;` is not a card"),
        ("Hand Eve     13?", Kind.NAME, "record.setup.row", 14, "`Eve` is not a player in this game"),
        ("Hand Ann     G5", Kind.ILLEGAL, "claim.setup.hands", 1, "13 cards are dealt to each player, not 1"),
        ("Hand Ann     K9 K9 11?", Kind.ILLEGAL, "claim.setup.pack", 1, "Knight 9 is dealt 2 times"),
        ("Hnd Ann      13?", Kind.NAME, "record.setup.row", 1, "`Hnd` does not belong to a set-up"),
        ("Hand Bob     13?", Kind.SYNTAX, "record.setup.twice", 1, "Hand Bob is described twice"),
        ("# nothing", Kind.SYNTAX, "record.setup.missing", 1, "The set-up does not describe Hand Ann"),
    ],
)
def test_what_is_said_of_a_wrong_line(line: str, kind: Kind, rule: str, col: int, says: str) -> None:
    lines = ["Hand Bob     13?", "Deck         26?", "First        Ann", line]
    found, reader = read(lines)
    assert found is None
    problem = reader.problems[0]
    assert (problem.kind, problem.rule) == (kind, rule)
    assert (problem.line, says in problem.message) == (1 if rule == "record.setup.missing" else 4, True)
    where = line.find("Eve") + 1 if "Eve" in line else col
    assert problem.col == where


@given(st.lists(st.sampled_from(["Hand", "Ann", "Deck", "First", "?", "12?", "G5", "K", "5", ",", "-", "Bob"])))
def test_any_line_is_read_or_has_a_problem(words: list[str]) -> None:
    found, reader = read([" ".join(words)])
    assert found is None
    assert reader.problems


# -- what turns tell --------------------------------------------------------------------------------------


@given(seeds, st.sampled_from((0, 1, None)))
@examples(25)
def test_a_file_with_hidden_cards_is_played_along_by_what_its_lines_tell(seed: int, seat: int | None) -> None:
    """The position of the seat's file: never wrong, and all that the seat may know at every moment."""
    rng = Random(seed)
    deal = CLAIM.deal(2, Random(seed).randbytes(32))
    game = list(random_game(rng))
    lines = (
        tuple(Outcome(fill_names(event.line, PLAYERS)) for event in heard(events, seat) if event.line)
        for _, _, events in game[1:]
    )
    turns = tuple(Turn(n, 0, ReadTurn((), ()), outcomes=outcomes) for n, outcomes in enumerate(lines, 1))
    learned = RECORDING.find_revelations(Record(ruleset("claim"), (), (), turns=turns))
    known = CLAIM.start(CLAIM.seat_players(PLAYERS), RECORDING.hide_deal(CLAIM, deal, seat))
    for number, ((before, _, _), (after, move, events)) in enumerate(pairwise(game), 1):
        assert move is not None
        assert CLAIM.view(known, seat) == CLAIM.view(before, seat)
        if number in learned:
            known = learned[number](known)
        assert not CLAIM.check(known, move)
        known, told = CLAIM.play(known, move)
        assert told == heard(events, seat)
        assert CLAIM.view(known, seat) == CLAIM.view(after, seat)


def test_lines_that_tell_nothing_of_the_deck() -> None:
    nothing = (HIDDEN, HIDDEN)
    assert RECORDING.read_revealed_cards(["Trick 3: Ann", "Prize: ?", "Prize: Moray 5", "Ann draws"]) == nothing
    assert RECORDING.read_revealed_cards(["Bob  draws  goblin 5", "prize: Knight 9"]) == ("G5", "K9")


def test_what_a_card_out_of_a_hidden_hand_rests_on() -> None:
    start = CLAIM.start(CLAIM.seat_players(PLAYERS), evolve(RECORDING.hide_deal(CLAIM, DEAL, 0), first=0))
    mine = DEAL.hands[0][0]
    assert not list(RECORDING.list_unproven_cards(CLAIM, start, 0, PLAYS[mine]))
    led, _ = CLAIM.play(start, PLAYS[mine])
    other = next(card for card in DEAL.hands[1] if card[0] not in {mine[0], "X"})
    rests = list(RECORDING.list_unproven_cards(CLAIM, led, 1, PLAYS[other]))
    assert rests == [NAMES[other], f"no card that follows {NAMES[mine]}"]


def test_an_illegal_card_is_played_as_it_lies_where_it_can_be() -> None:
    game = list(random_game(Random(8)))
    tried = 0
    for position, _, _ in game[1:-1:5]:
        seat = position.to_act
        assert seat is not None
        for card, move in PLAYS.items():
            if CLAIM.check(position, move):
                carried = RECORDING.carry_out(CLAIM, position, move)
                assert (carried is not None) == (card in position.hands[seat])
                tried += carried is not None
    assert tried > 5
