"""What is proven of a sealed game, what is not, and what contradicts the seal."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.games.struggle.shared.family import board, struggle
from tests.makers.seals import RULESETS, WORDS
from tests.record.sealed_games import ADVANCED, ANN, BOB, SEALED, SPOKEN, game, read, text_with
from tests.shared.examples import examples
from tests.shared.strategies import NAMES, record_of, seeds
from tkid.games.struggle.record import StruggleRecord
from tkid.games.struggle.rules.board import HIDDEN
from tkid.games.struggle.rules.moves import Move
from tkid.notation.names import list_names
from tkid.record.format.model import Record
from tkid.record.format.seal import find_seal, replace_seal
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.record.proof import Proof, add_revealed_hands, list_revealed_hands, prove


def proof(text: str) -> Proof:
    """What a record without problems proves."""
    return prove(replay(read(text)))


def rules(proof: Proof) -> tuple[list[str], list[str], list[str]]:
    """The rules of what is proven, what is not, and what contradicts."""
    return (
        [fact.rule for fact in proof.proven],
        [fact.rule for fact in (*proof.unproven, *proof.unprovable)],
        [problem.rule for problem in proof.contradicted],
    )


ENTROPY, DEAL, WORDS_RULE = "record.seal.entropy", "record.seal.deal", "record.seal.words"
OPENING = "record.opening"
OPEN, PUBLISHED, STARTS = "record.seal.open", "record.seal.published", "second.ruling.start-player"
HAND, LEGAL, HASH, STANDS = "second.turn.hand", "record.turn.legal", "record.turn.hash", "record.turn.stands"


def told(facts: Any) -> str:
    """Facts as text."""
    return "\n".join(fact.text for fact in facts)


def at_random(record: Record, rng: Random) -> Replay:
    """The record with a whole game played at random."""
    played = replay(record)
    game = record.game
    while played.position.to_act is not None:
        options = game.legal(played.position)
        turn: tuple[Move, ...] = (options[rng.randrange(len(options))],)
        after, _ = game.play(played.position, turn[0])
        if after.decision == "summon":
            summons = game.legal(after)
            turn = (*turn, summons[rng.randrange(len(summons))])
        played = append(played, turn)
        assert played.problems == []
    return played


def test_where_only_the_start_player_is_drawn_nothing_else_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StruggleRecord, "find_part", lambda *_: "")
    monkeypatch.setattr(StruggleRecord, "parts", {})
    proven = proof(write_record(SPOKEN))
    assert proven.contradicted == ()
    assert STARTS in [fact.rule for fact in proven.proven]
    assert "Nothing in the set-up" not in told(proven.proven)


@given(seeds, st.integers(2, 4), st.lists(st.sampled_from(WORDS[0]), max_size=4), st.sampled_from(RULESETS))
@examples(30)
def test_a_whole_game_is_proven(chosen: int, players: int, words: list[str], code: str) -> None:
    spoken = [f"{name}={word}" for name, word in zip(NAMES[:players], words, strict=False)]
    played = at_random(game(*spoken, players=players, code=code), Random(chosen))
    found = proof(write_record(played.record, played))
    assert found.complete
    family = played.record.ruleset.rule_prefix
    assert rules(found)[0] == [
        rule.replace("second.", f"{family}.") for rule in (ENTROPY, DEAL, STARTS, DEAL, HAND, LEGAL)
    ]
    assert rules(found)[1:] == ([HASH, PUBLISHED, WORDS_RULE, *([WORDS_RULE] if spoken else [])], [])
    assert f"Turns 1 to {len(played.record.turns)}: legal" in told(found.proven)


@given(seeds, st.integers(2, 4))
@examples(20)
def test_a_players_record_is_proven_when_it_is_opened(chosen: int, players: int) -> None:
    """What a player has is proven in part, with the entropy in more of it, and whole with all hands."""
    whole = at_random(game("Bob=hm", players=players, code=ADVANCED), Random(chosen))
    mine = hide_secrets(whole, 0)
    closed = prove(replay(mine.record))
    assert not closed.complete
    assert DEAL not in rules(closed)[0]
    assert rules(closed)[1].count(OPENING) >= players - 1
    stated = find_seal(whole.record)
    assert stated is not None
    unhashed = evolve(mine.record, turns=tuple(evolve(turn, hash="", outcomes=()) for turn in mine.record.turns))
    dealt = prove(replay(replace_seal(unhashed, stated)))
    assert not dealt.complete
    assert dealt.contradicted == ()
    assert "What Ann held at the start: dealt" in told(dealt.proven)
    everybody = list_names(NAMES[:players], "and")
    assert f"Every card that {everybody} played was in hand at that moment, as dealt." in told(dealt.proven)
    hands = [
        seat for n in range(players) for seat in list_revealed_hands(mine, hide_secrets(whole, n), "") if seat.seat == n
    ]
    opening = add_revealed_hands(mine, hands, [whole.record])
    assert opening.problems == []
    assert prove(opening).complete


def test_a_card_that_somebody_may_have_held_but_was_not_dealt() -> None:
    record = game(code=ADVANCED, first="Bob")
    deal = record.deal
    assert deal is not None
    wanted = next(card for card in ("Ambush", "March", "Aid") if all(card not in hand for hand in deal.hands))
    mine = hide_secrets(replay(record), 0).record
    stated = find_seal(record)
    assert stated is not None
    played = replay(replace_seal(mine, stated))
    options = struggle(record.game).cards[wanted].ladder.list_options(board(played.position))
    turn = f"{wanted} {struggle(record.game).words.resolution(options[0])}; summon S Moray"
    played = append(played, turn)
    assert played.problems == []
    (problem,) = prove(played).contradicted
    assert (problem.rule, problem.message) == (HAND, f"Bob was not dealt {wanted}, or had played it already")


def test_words_are_told() -> None:
    found = prove(replay(game("Cal=hm", "Ann=b", players=3)))
    assert (
        "The regions, the supply, the courts and the track: dealt from the entropy and the words of Ann and Cal."
        in told(found.proven)
    )
    assert "That the words of Ann and Cal are the words they sent" in told(found.unprovable)
    assert "nobody added words, so the dealer had time to try others" in told(prove(replay(game())).unprovable)


def test_who_starts() -> None:
    deal = game().deal
    assert deal is not None
    drawn = NAMES[deal.first]
    other = {"Ann": "Bob", "Bob": "Ann"}[drawn]
    assert f"{drawn} starts, as the draw says." in told(prove(replay(game())).proven)
    named = prove(replay(game(first=other)))
    assert named.complete
    assert f"Who starts: {drawn} was drawn, but {other} was named" in told(named.unprovable)
    assert STARTS not in rules(named)[0]


@pytest.mark.parametrize("label", ["Court", "Track", "Supply", "Essex"])
def test_a_changed_set_up_is_contradicted_line_by_line(label: str) -> None:
    text = write_record(SPOKEN)
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(label))
    changed = [at]
    if label == "Court":
        other = at + 1
        lines[at], lines[other] = lines[at][:13] + lines[other][13:], lines[other][:13] + lines[at][13:]
        changed = [at, other]
    elif label == "Track":
        names = lines[at][13:].split(", ")
        lines[at] = f"  track {', '.join(names[::-1])}"
    else:  # a follower of the supply for one in Essex
        essex = next(n for n, line in enumerate(lines) if line.startswith("Essex"))
        supply = next(n for n, line in enumerate(lines) if line.startswith("Supply"))
        assert (lines[essex], lines[supply]) == ("Essex        WEEE", "Supply       6S 4W 2E")
        lines[essex], lines[supply] = "Essex        SEEE", "Supply       5S 5W 2E"
        changed = [essex, supply]
    found = proof("\n".join(lines) + "\n")
    assert not found.complete
    assert [(p.rule, p.line) for p in found.contradicted] == [(DEAL, line + 1) for line in changed]
    first = found.contradicted[0]
    assert (first.col, first.length) == ((3, len(lines[at]) - 2) if label == "Track" else (1, len(lines[changed[0]])))
    assert first.message.endswith(text.splitlines()[changed[0]][13:])
    assert rules(found)[0] == [ENTROPY, DEAL, STARTS, DEAL]


@pytest.mark.parametrize(("old", "new", "line"), [("geese", "goose", 6), (f"Seal: {ANN}\nSeal: {BOB}\n", "", 5)])
def test_changed_words_are_one_contradiction(old: str, new: str, line: int) -> None:
    found = proof(write_record(SPOKEN).replace(old, new))
    assert [(p.rule, p.line) for p in found.contradicted] == [(DEAL, line)]
    assert rules(found)[0] == [ENTROPY]
    assert not found.complete


def test_what_is_not_opened_or_not_sealed_is_not_proven() -> None:
    closed = proof(text_with(SEALED, ANN, BOB))
    assert rules(closed) == ([], [OPEN, PUBLISHED, WORDS_RULE, WORDS_RULE], [])
    unsealed = proof(text_with())
    assert rules(unsealed) == ([], [PUBLISHED], [])
    assert not closed.complete
    assert not unsealed.complete
    played = proof(text_with() + "1. Ann Pass\n")
    assert rules(played) == ([HAND, LEGAL], [PUBLISHED, HASH], [])
    assert "as the set-up has it" in told(played.proven)


def test_a_record_that_begins_with_a_position_has_no_deal() -> None:
    record = evolve(SPOKEN, deal=None, position=SPOKEN.start())
    found = prove(append(replay(record), "Pass"))
    assert rules(found) == ([ENTROPY, HAND, LEGAL], [DEAL, HASH, PUBLISHED, WORDS_RULE, WORDS_RULE], [])
    assert not found.complete


def hidden(record: Record, seat: int, turns: tuple[str, ...] = ()) -> Replay:
    """The record with turns played, as somebody has it who may not see a hand."""
    played = replay(record)
    for turn in turns:
        played = append(played, turn)
        assert played.problems == []
    deal = record.deal
    assert deal is not None
    hands = [(HIDDEN,) * len(hand) if at == seat else hand for at, hand in enumerate(deal.hands)]
    start = evolve(played.moments[0], position=board(played.moments[0].position).replace(hands=tuple(hands)))
    return evolve(
        played,
        record=evolve(played.record, deal=evolve(deal, hands=tuple(hands))),
        moments=[start, *played.moments[1:]],
    )


CARD = "Assemble S Moray, W Devon, E Essex; summon W Gwynedd"


def test_a_hidden_hand_is_not_proven_but_its_plays_are() -> None:
    found = prove(hidden(game(first="Ann"), 0, (CARD,)))
    assert not found.complete
    assert "What Ann held at the start: this file hides it. `tkid open` adds it." in told(found.unproven)
    assert "What Bob held at the start: dealt" in told(found.proven)
    assert "Every card that Ann and Bob played was in hand at that moment, as dealt." in told(found.proven)


def test_plays_from_a_hidden_hand_are_not_proven_without_entropy() -> None:
    record = game(first="Ann")
    stated = find_seal(record)
    assert stated is not None
    found = prove(hidden(replace_seal(record, evolve(stated, entropy=None)), 0, (CARD,)))
    assert "Every card that Bob played was in hand" in told(found.proven)


def test_a_card_that_was_not_dealt_is_contradicted() -> None:
    played = hidden(game(first="Ann"), 0, ("Pass",))
    last = board(played.last.position)
    cheated = last.replace(discards=(("Spy",), *last.discards[1:]))
    found = prove(evolve(played, moments=[played.moments[0], evolve(played.last, position=cheated)]))
    (problem,) = found.contradicted
    assert (problem.rule, problem.message) == (HAND, "Ann was not dealt Spy, or had played it already")
    assert HAND not in rules(found)[0]


def test_a_hand_that_was_not_dealt_is_contradicted() -> None:
    played = replay(SPOKEN)
    hands = played.position.hands
    for other in (("Spy", *hands[0][1:]), hands[0][1:], (*hands[0], HIDDEN)):
        moment = evolve(played.last, position=board(played.position).replace(hands=(other, hands[1])))
        found = prove(evolve(played, moments=[moment]))
        assert [p.rule for p in found.contradicted] == [DEAL]
        assert ", ".join(hands[0]) in found.contradicted[0].message


def test_turns_that_stand_are_not_proven() -> None:
    text = write_record(game(first="Ann"))
    first = "1. Ann Manoeuvre S Moray <> W Moray; summon W Gwynedd {stands: so it was}\n"
    found = proof(f"{text}{first}2. Bob Pass\n")
    assert "Turns 1 to 2 (without 1): legal" in told(found.proven)
    assert "Turn 1: marked as standing although it breaks a rule." in told(found.unprovable)
    assert found.complete
    again = "3. Ann Manoeuvre S Moray <> W Gwynedd; summon W Gwynedd {stands: again}\n"
    twice = proof(f"{text}{first}2. Bob Pass\n{again}")
    assert "in hand at that moment, as dealt, but for Manoeuvre in turn 3." in told(twice.proven)
    only = proof(f"{text}{first}")
    assert LEGAL not in rules(only)[0]
    assert STANDS in rules(only)[1]


def test_records_made_without_a_seal_prove_their_turns() -> None:
    found = prove(replay(record_of(Random(5), 3, 0.4)))
    assert rules(found) == ([HAND, LEGAL], [PUBLISHED, HASH], [])
