"""Two games that differ only in what a seat may not know give that seat the same record, letters and answers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random

import pytest
from attrs import evolve

from tests.post.mails import orders_of
from tkid.games.struggle.position import Position
from tkid.kernel.game import with_names
from tkid.notation.positions import write_position
from tkid.post import desk
from tkid.post.letters import compose
from tkid.record.json import position_json
from tkid.record.model import Record
from tkid.record.new import new_record
from tkid.record.replay import Replay, append, replay
from tkid.record.seen import seen
from tkid.record.write import write_record
from tkid.render import text

TIME = datetime(2026, 11, 21, 10, tzinfo=UTC)
NAMES = ("Ann", "Bob", "Cal", "Dee")
TRIED = (
    *(
        "Pass",
        "Plot S",
        "Spy nothing",
        "March SS Moray > Strathclyde",
        "Assemble S Mory",
        "Quell Devon return W place SE",
    ),
    *(
        "Spy 1: Assemble S Moray",
        "Spy 2: March S Essex > Devon",
        "Suppress Devon place S; summon S Moray",
        "Muster nothing",
    ),
)


def game(rng: Random, players: int, turns: int) -> Replay:
    """A random game of the advanced game, of so many turns at most."""
    seats = [f"{name} <{name.lower()}@example.org>" for name in NAMES[:players]]
    at = replay(new_record("second-edition-advanced", seats, rng.randbytes(32), title="secrets"))
    rules = at.record.game
    while at.position.to_act is not None and len(at.record.turns) < turns:
        options = rules.legal(at.position)
        moves = [options[0] if rng.random() < 0.4 and at.position.decision == "play" else rng.choice(options)]
        after, _ = rules.stand(at.position, moves[0])
        moves += [rng.choice(rules.legal(after))] if after.decision == "summon" else []
        at = append(at, with_names(rules.words.turn(tuple(moves)), at.record.names))
        assert not at.problems
    return at


def redealt(rng: Random, at: Replay, seat: int) -> Record:
    """The record with the cunning cards that others have not played dealt anew among them and the undealt ones."""
    record = at.record
    assert record.deal is not None
    deck, hands = record.game.hands.deck, record.deal.hands
    played = [set(pile) for pile in at.position.discards]
    kept = {
        (s, card) for s, hand in enumerate(hands) for card in hand if card in deck and (s == seat or card in played[s])
    }
    loose = [card for card in deck if card not in {c for _, c in kept}]
    rng.shuffle(loose)
    dealt = []
    for owner, hand in enumerate(hands):
        own = [card for card in deck if (owner, card) in kept]
        own += [loose.pop() for _ in range(record.game.hands.dealt - len(own))]
        same = hand if owner == seat else (*record.game.hands.same, *sorted(own, key=deck.index))
        dealt.append(same)
    headers = tuple(h for h in record.headers if not (h.name == "Seal" and h.value.startswith("entropy")))
    turns = tuple(evolve(turn, hash="") for turn in record.turns)
    return evolve(record, deal=evolve(record.deal, hands=tuple(dealt)), headers=headers, turns=turns)


def everything(at: Replay, seat: int) -> Iterator[object]:
    """All that a seat can get to see of a game: texts, JSON, problems, mails."""
    known = seen(at, seat)
    record, position = known.record, at.record.game.view(at.position, seat).shown
    yield write_record(record, known)
    yield text.position(record.game, record.game.view(at.position, seat), record.names)
    yield write_position(record.game, position)
    yield position_json(record.game, position)
    letter = desk.ask(at, TIME)
    if letter is not None and letter.seat == seat:
        yield letter.text
        yield compose(at, letter, "a@example.org", "tkid@localhost")
    for turn in TRIED:
        yield [str(problem) + problem.hint for problem in append(known, turn).problems]
        answer = desk.answer(at, seat, orders_of(turn, known), TIME)
        yield answer.letter.text
        yield answer.problems
        yield compose(answer.replay or at, answer.letter, "a@example.org", "tkid@localhost")


def pairs(seed: int) -> tuple[Replay, Replay, int]:
    """Two games that one seat cannot tell apart, and the seat."""
    rng = Random(seed)
    at = game(rng, rng.choice((2, 3, 4)), rng.randrange(40))
    seat = rng.randrange(len(at.record.seats))
    other = replay(redealt(rng, at, seat))
    assert not other.problems
    return at, other, seat


def _ends_alike(one: Position, two: Position) -> bool:
    """Whether neither game has come to where unplayed cards are shown."""
    return (one.decision, one.ending, one.plot) == (two.decision, two.ending, two.plot) and one.decision not in {
        None,
        "plot",
    }


@pytest.mark.parametrize("seed", range(60))
def test_a_seat_cannot_tell_hidden_hands_apart(seed: int) -> None:
    one, two, seat = pairs(seed)
    if not _ends_alike(one.position, two.position):  # Plot has come to light, or the last card that can be played
        return
    shown = list(everything(one, seat))
    assert shown == list(everything(two, seat))
    secret = [card for owner, hand in enumerate(one.position.hands) if owner != seat for card in hand]
    public = {card for pile in one.position.discards for card in pile} | set(one.position.hands[seat])
    record = str(shown[0])
    assert not [card for card in secret if card not in public | set(one.record.game.hands.same) and card in record]


def test_most_pairs_really_differ() -> None:
    """The test above compares something: the hands are different ones, and the games have not ended."""
    games = [pairs(seed) for seed in range(60)]
    differ = [
        one.position.hands != two.position.hands and _ends_alike(one.position, two.position) for one, two, _ in games
    ]
    assert sum(differ) >= 30


def test_a_view_that_shows_a_card_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the comparison is worth: with hands open, it fails."""
    monkeypatch.setattr("tkid.record.seen._hands", lambda record, _: record.deal.hands)
    caught = 0
    for seed in range(20):
        one, two, seat = pairs(seed)
        if one.record.deal != two.record.deal:
            caught += next(everything(one, seat)) != next(everything(two, seat))
    assert caught >= 10
