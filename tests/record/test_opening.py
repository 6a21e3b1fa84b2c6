"""Records with hidden hands: what a player's tells, what it leaves open, and what opening the hands proves."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from attrs import evolve

from tests.games.struggle.shared.family import struggle
from tests.shared.tables import each_row
from tkid.games.struggle.rules.moves import Reveal
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, Unproven, append, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.record.proof import OpeningError, Revealed, add_revealed_hands, count_hidden_cards, list_revealed_hands

CODE = "second-edition-advanced"
NAMES = ("Ann", "Bob", "Cal")


def played(seed: int, seats: int = 3, passing: float = 0.3, most: int = 400) -> Replay:
    """A random game of so many turns at most."""
    rng = Random(seed)
    at = replay(new_record(CODE, NAMES[:seats], rng.randbytes(32)))
    game = at.record.game
    for _ in range(most):
        if at.position.to_act is None:
            break
        options = game.legal(at.position)
        passes = at.position.decision == "play" and rng.random() < passing
        moves = [options[0] if passes else options[rng.randrange(len(options))]]
        after, _ = game.apply(at.position, moves[0])
        if after.decision == "summon":
            summons = game.legal(after)
            moves.append(summons[rng.randrange(len(summons))])
        at = append(at, moves)
        assert not at.problems
    return at


def reread(shown: Replay) -> Replay:
    """What somebody who gets the record's text makes of it."""
    found = read_record(write_record(shown.record, shown).encode())
    assert found.record is not None
    assert found.problems == ()
    return replay(found.record)


@each_row("seed", range(12))
def test_a_players_record_is_read_and_replayed_as_far_as_the_player_can_know(seed: int) -> None:
    whole = played(seed, passing=(0.0, 0.4, 0.9)[seed % 3])
    game = whole.record.game
    for seat in (0, 1, 2, None):
        shown = hide_secrets(whole, seat)
        again = reread(shown)
        assert again.problems == []
        assert [moment.hash for moment in again.moments] == [moment.hash for moment in shown.moments]
        assert game.view(again.position, seat).shown == shown.position
        cunning = {(m.turn.number, m.turn.seat) for m in whole.moments[1:] if m.turn and _cunning(whole, m.moves)}
        told = {(each.turn, each.seat) for each in again.unproven if not each.ending}
        assert told == {(turn, owner) for turn, owner in cunning if owner != seat}


def _cunning(whole: Replay, moves: object) -> bool:
    first = moves[0] if isinstance(moves, tuple) else None
    return getattr(first, "card", "") in {*struggle(whole.record.game).hands.deck} - {struggle(whole.record.game).plot}


def test_what_a_hidden_hand_cannot_hold_is_refused() -> None:
    shown = hide_secrets(replay(new_record(CODE, ["Ann", "Bob"], bytes(32), first="Bob")), 0)
    own = shown.record.start().hands[0][5]
    refused = append(shown, f"{own} nothing; summon S Moray")
    assert refused.problems[0].rule == "second.turn.hand"
    assert refused.problems[0].message == f"Bob cannot have {own}"
    assert refused.problems[0].hint == "In hand: 8 hidden"
    thrice = shown
    for turn in ("Assemble S Devon, W Devon, E Devon", "Pass") * 2:
        text = turn if turn == "Pass" else f"{turn}; {_summons(thrice, turn)}"
        thrice = append(thrice, text)
        assert not thrice.problems
    assert append(thrice, "Assemble S Devon, W Devon, E Devon").problems[0].rule == "second.turn.hand"


def _summons(at: Replay, turn: str) -> str:
    return append(at, turn).problems[0].hint.partition("; ")[2].rstrip("`.")


@pytest.mark.parametrize("seed", range(6))
def test_opened_hands_give_the_whole_record_back(seed: int) -> None:
    whole = played(seed)
    plain = evolve(whole.record, headers=tuple(h for h in whole.record.headers if h.name != "Seal"))
    whole = replay(evolve(plain, turns=tuple(evolve(turn, outcomes=(), hash="") for turn in plain.turns)))
    mine, others = reread(hide_secrets(whole, 0)), [reread(hide_secrets(whole, seat)) for seat in (1, 2)]
    revealed = [each for other in others for each in list_revealed_hands(mine, other, "theirs")]
    assert {each.seat for each in revealed} == {1, 2}
    again = add_revealed_hands(mine, revealed)
    assert again.problems == []
    assert again.unproven == []
    assert count_hidden_cards(again.record) == {}
    assert again.record.deal == whole.record.deal
    assert write_record(again.record, again) == write_record(whole.record, whole)
    partly = add_revealed_hands(mine, [each for each in revealed if each.seat == 1])
    assert count_hidden_cards(partly.record) == {2: 8}
    assert {each.seat for each in partly.unproven} <= {2}


def test_a_hand_that_did_not_hold_what_was_played_is_found_out() -> None:
    whole = next(
        game for seed in range(50) if (game := played(seed, 2, 0.2, 12)) and reread(hide_secrets(game, 0)).unproven
    )
    mine = reread(hide_secrets(whole, 0))
    lie = mine.unproven[0]
    assert whole.record.deal is not None
    honest = whole.record.deal.hands[1]
    undealt = next(
        c for c in struggle(whole.record.game).hands.deck if all(c not in hand for hand in whole.record.deal.hands)
    )
    wrong = add_revealed_hands(mine, [Revealed(1, tuple(undealt if c == lie.card else c for c in honest), "bob.tkid")])
    assert [(problem.rule, problem.line) for problem in wrong.problems] == [
        ("second.turn.hand", mine.record.turns[lie.turn - 1].line)
    ]


def test_what_is_not_revealed_of_the_same_game_is_refused() -> None:
    whole = played(3, 2, 0.3, 6)
    mine = reread(hide_secrets(whole, 0))
    hand = mine.record.start().hands[0]
    with pytest.raises(OpeningError, match=r"Ann's hand is known to be Assemble.*\[record.opening\]"):
        add_revealed_hands(mine, [Revealed(0, (*hand[:5], "Spy", "March", "Aid"), "--hand")])
    with pytest.raises(OpeningError, match=r"a hand starts with 8 cards, not 2 \[second.advanced.hands\]"):
        add_revealed_hands(mine, [Revealed(1, ("Spy", "Assemble"), "--hand")])
    with pytest.raises(OpeningError, match="belongs to another game"):
        list_revealed_hands(mine, played(4, 2, 0.3, 6), "other.tkid")
    turns = whole.record.turns
    forked = append(
        replay(evolve(whole.record, turns=turns[:-1])), "Pass" if turns[-1].moves[1:] else "Assemble nothing"
    )
    with pytest.raises(OpeningError, match="but this file has"):
        list_revealed_hands(mine, forked, "other.tkid")


def test_a_plot_that_comes_to_light_after_the_end_is_taken_in() -> None:
    """Hand to hand: the other says `Plot S` when the own record had ended without knowing of it."""
    whole, mine = next(_ended_without_plot())
    owner = whole.record.turns[-1].seat
    assert mine.unproven[-1] == Unproven(len(mine.record.turns), owner, "Plot", ending=True)
    after = append(mine, whole.last.line.partition(f"{whole.record.names[owner]} ")[2])
    assert not after.problems
    assert after.position.winners == whole.position.winners
    assert "Plot" in after.position.hands[owner]


def _ended_without_plot() -> Iterator[tuple[Replay, Replay]]:
    """Games that Plot decided, and how the other player's record stood before, which knew of no Plot."""
    for seed in range(200):
        whole = played(seed, 2, 0.5)
        if isinstance(whole.last.moves[0], Reveal):
            shown = hide_secrets(whole, 1 - whole.record.turns[-1].seat)
            bare = tuple(evolve(turn, outcomes=(), hash="") for turn in shown.record.turns[:-1])
            mine = replay(evolve(shown.record, turns=bare))
            assert not mine.problems
            if mine.position.ending is not None:
                yield whole, mine
