"""The very last card of three players: legal exactly where a search through everything says that it wins outright."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from attrs import evolve

from tests.games.struggle.shared.family import board, struggle
from tests.shared.strategies import FIRST, MORDRED, random_game
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Move, Play, Resolution
from tkid.notation.positions import read_position
from tkid.rulebook import rule

GAMES = {"first edition": struggle(FIRST.game()), "Mordred": struggle(MORDRED.game())}
every_game = pytest.mark.parametrize("name", GAMES)
RULE = "first.turn.last-card"
SEED = 20261121


def last_cards(game: Struggle, seeds: range, passings: tuple[float, ...]) -> Iterator[Position]:
    """Positions of random games in which somebody holds the very last card and is to act."""
    for seed in seeds:
        rng = Random(f"{SEED} last {seed}")
        for position, _, _ in random_game(rng, 3, rng.choice(passings), game):
            if position.decision == "play" and sum(map(len, position.hands)) == 1 and held(position):
                yield position


def held(position: Position) -> tuple[str, ...]:
    """The hand of the seat to act."""
    assert position.to_act is not None
    return position.hands[position.to_act]


@cache
def without_the_rule(name: str) -> Struggle:
    """The game in which the very last card is like any other."""
    return evolve(GAMES[name], last_card=None)


def searched(free: Struggle, position: Position, resolution: Resolution) -> dict[Move, tuple[int, ...]]:
    """Every summons after a resolution, with the winners when all is resolved: played out, move by move."""
    (card,) = held(position)
    after, _ = free.apply(position, Play(card, resolution))
    return {summons: free.apply(after, summons)[0].winners for summons in free.legal(after)}


@pytest.mark.slow
@every_game
def test_legal_is_what_a_search_says(name: str) -> None:
    """Everything that could be done with the card late in a game, some of it early; both verdicts."""
    game, free = GAMES[name], without_the_rule(name)
    judged, wins, vain = 0, 0, 0
    for position in last_cards(game, range(80), (0.0, 0.3, 0.5)):
        (card,) = held(position)
        ladder = game.cards[card].ladder
        every = list(ladder.list_options(position))
        some = every[:: 1 + len(every) // (20 if len(position.struggles) < 5 else 100)]
        legal = game.legal(position)
        assert legal[0] == PASS
        assert len(legal) == 1 + len(game.list_options(position, card))
        for resolution in some:
            ends = searched(free, position, resolution)
            winning = {summons for summons, winners in ends.items() if winners == (position.to_act,)}
            play = Play(card, resolution)
            assert (play in legal) == bool(winning) == (game.check(position, play) == ()), (position, play)
            assert (play in list(legal)) == bool(winning)
            judged, wins, vain = judged + 1, wins + bool(winning), vain + (not winning)
            if winning:
                after, _ = game.play(position, play)
                assert set(game.legal(after)) == winning
                assert {s for s in ends if game.check(after, s) == ()} == winning
    print(f"{judged} ways to play a last card: {wins} win, {vain} do not")  # noqa: T201 - for people
    assert min(wins, vain) > 50


@every_game
def test_the_refusal_names_the_outcome(name: str) -> None:
    game, free = GAMES[name], without_the_rule(name)
    refused = 0
    for position in last_cards(game, range(100, 112), (0.5,)):
        (card,) = held(position)
        for resolution in list(game.cards[card].ladder.list_options(position))[::40]:
            ends = set(searched(free, position, resolution).values())
            for violation in game.check(position, Play(card, resolution)):
                refused += 1
                assert violation.rule == RULE
                for winners in ends:
                    assert " and ".join(f"{{{seat}}}" for seat in winners) in violation.sentence
                assert ("with any summons" in violation.sentence) == (len(ends) == 1)
                assert all(r in game.list_options(position, card) for r in violation.alternatives)
                assert violation.alternatives or violation.hint == "Write `Pass`."
    assert refused > 10


ONE_REGION = (
    "first-edition; CAL =S, DIN =S, DVA =S, EBO =S, CAE =W, RAT =R, LON =unstable, AQU {aqu}; supply {pool}; "
    "1 court {ann}; 1 hand {hand}; 2 court {bob}; 2 hand -; 2 acted 40; 3 court W; 3 hand -; 3 acted 41; "
    "1 acted 39; to play 1"
)


def lonely(*, hand: str = "Welsh", aqu: str = "SSW", ann: str = "SSW", bob: str = "SSWW", pool: str = "4W") -> Position:
    """One region left, and one card, in Ann's hand."""
    return board(read_position(ONE_REGION.format(aqu=aqu, ann=ann, bob=bob, hand=hand, pool=pool))[1])


def told(position: Position, turn: str) -> list[str]:
    """What is said of a play."""
    from tkid.notation.plugin import find_turn_reader  # noqa: PLC0415 - one helper only

    (move,) = find_turn_reader(GAMES["first edition"]).read_turn(turn).moves
    return [violation.sentence for violation in GAMES["first edition"].check(position, move)]


def test_a_card_that_wins_with_the_right_summons_only() -> None:
    """Ann and Bob have two Scots each; with a third she rules, with a second of the Welsh she would be tied and the last."""
    game = GAMES["first edition"]
    (play,) = game.list_options(lonely(), "Welsh")
    after, _ = game.play(lonely(), Play("Welsh", play))
    assert [game.words.write_move(move) for move in game.legal(after)] == ["summon S Aquae Sulis"]
    (refused,) = game.check(after, game.summons.list_after_action(after)[0][1])
    assert refused.sentence.endswith("with this summons {1} would win")
    assert [game.words.write_move(move) for move in refused.alternatives] == ["summon S Aquae Sulis"]  # type: ignore[arg-type]


def test_a_card_that_cannot_win_is_not_played() -> None:
    """Bob has three Scots more than Ann: whoever is summoned, he rules."""
    game, position = GAMES["first edition"], lonely(bob="SSSSS")
    assert list(game.legal(position)) == [PASS]
    (sentence,) = told(position, "Welsh WW Aquae Sulis")
    assert sentence == (
        "you may play the very last card only to win outright; with this {1} would win, with any summons"
    )
    assert game.explain_unplayable(position, "Welsh").rule == RULE


def test_a_shared_victory_does_not_do() -> None:
    """A tie in which neither has ever played would be shared; the player of the last card has, and loses it."""
    (sentence,) = told(lonely(aqu="W", pool="-"), "Welsh nothing")
    assert sentence.endswith("with this {1} would win, with any summons")


def test_the_ladder_speaks_first_and_the_hand_before_it() -> None:
    game, position = GAMES["first edition"], lonely(bob="SSSSS")
    assert [v.rule for v in game.check(position, Play("Welsh", next(iter(game.list_options(lonely(), "Welsh")))))] == [
        RULE
    ]
    assert told(position, "Welsh W Aquae Sulis") == ["You can do more of the card: WW Aquae Sulis is possible"]
    assert told(position, "Scots nothing") == ["{0} has no Scots in hand"]


def test_a_card_that_is_not_the_last_and_other_numbers_of_players() -> None:
    game = GAMES["first edition"]
    text = ONE_REGION.format(aqu="SSW", ann="SSW", bob="SSSSS", hand="Welsh, Crown", pool="4W")
    assert len(game.legal(board(read_position(text)[1]))) > 1
    two = text.replace("Welsh, Crown", "Welsh").replace("3 court W; 3 hand -; 3 acted 41; ", "")
    assert len(game.legal(board(read_position(two)[1]))) == 2


def test_a_summons_after_a_card_that_stands_although_it_may_not() -> None:
    """Where no summons would win, the turn is finished with any."""
    game, position = GAMES["first edition"], lonely(bob="SSSSS")
    after, _ = game.apply(position, Play("Welsh", game.cards["Welsh"].ladder.list_options(position)[0]))
    assert len(game.legal(after)) == 2
    assert all(game.check(after, move) == () for move in game.legal(after))


def test_the_rule_and_its_ruling_are_registered() -> None:
    assert rule(RULE).kind == "constraint"
    assert rule("first.ruling.last-card").default == "outright"
