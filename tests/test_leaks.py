"""No hidden card shows: two games that differ only in what a seat may not know are told to it byte for byte alike.

How such a *twin* of a game is dealt stands in `twins`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

from tests.cli import tkid
from tests.games.struggle.shared.family import board, struggle
from tests.host import posted
from tests.mail.mails import write_marker
from tests.mail.said import everything
from tests.shared.examples import examples
from tests.shared.strategies import ADVANCED, CUNNING, NAMES, moves_of, passings, players, random_game, record_of, seeds
from tests.shared.tables import sample
from tests.shared.twins import DECK, PLOT, annotated, cut, played_by, redealt, story, twin_of
from tkid.games.struggle.render.description import Consequence, compute_consequence
from tkid.games.struggle.rules import board as struggle_board
from tkid.games.struggle.rules.board import HIDDEN, Position, View
from tkid.games.struggle.rules.moves import Reveal
from tkid.kernel.game import fill_names
from tkid.mail.model import Marker
from tkid.notation.positions import write_position
from tkid.record.format.model import Header, Record, Turn
from tkid.record.format.reader import read_record, write_start
from tkid.record.json.positions import position_json
from tkid.record.play import views as seeing
from tkid.record.play.replay import Replay, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.render import text
from tkid.render.frames import last_turn
from tkid.render.plugin import find_render_plugin

UNSHRUNK = [Phase.explicit, Phase.generate]
"""A seed is as small as any other."""
Told = dict[str, Any]
"""Everything that a seat is told, each by what it is."""


# -- what a seat is told ------------------------------------------------------------------------------------


def of_position(position: Position, seat: int | None, tried: Sequence[Any]) -> Told:
    """What a seat can see of a position, and what it hears of moves that are tried on it."""
    view = CUNNING.view(position, seat)
    shown, names = view.shown, NAMES[: len(position.seats)]
    options, render = CUNNING.legal(shown), find_render_plugin(CUNNING)
    return {
        "view": (view, repr(view)),
        "text": text.draw_position(CUNNING, view, names),
        "words": render.describe_position(CUNNING, view, names),
        "head": (render.write_headline(CUNNING, view, names), render.write_forecast(CUNNING, view, names)),
        "brought": brought(shown, names) if shown.to_act == seat else [],
        "json": json.dumps(position_json(CUNNING, shown)),
        "line": write_position(CUNNING, shown),
        "legal": (len(options), list(options[:: max(1, len(options) // 200)])),
        "held": [CUNNING.list_held(shown, owner) for owner in position.seats],
        "result": CUNNING.result(shown) if position.ending else None,
        "checks": [CUNNING.check(shown, move) for move in tried],
    }


def brought(shown: Position, names: Sequence[str]) -> list[Consequence]:
    """What some turns of the seat to act would bring, as far as it knows."""
    options = CUNNING.legal(shown)
    turns = [whole_turn(shown, move) for move in options[:: max(1, len(options) // 10)]]
    return [compute_consequence(CUNNING, shown, turn, names) for turn in turns]


def whole_turn(shown: Position, move: Any) -> tuple[Any, ...]:
    """A move with the last summons that may follow, if one has to."""
    after, _ = CUNNING.apply(shown, move)
    return (move, CUNNING.legal(after)[-1]) if CUNNING.turn_continues(after) else (move,)


def of_record(record: Record, seat: int | None, orders: Sequence[str]) -> Told:
    """What a seat is told of a record: its file, and every letter about any of some mails of its own."""
    played = replay(record)
    known = hide_secrets(played, seat)
    told: Told = {"file": write_record(known.record, known), "problems": known.problems, "moments": repr(known.moments)}
    told["tales"] = [tale_at(known, number, seat) for number in range(len(known.moments))]
    if seat is None:
        return told
    told |= {order: posted.answered(played, seat, order) for order in orders}
    told["letters"] = [*posted.asked(played, seat), *posted.begun(cut(record, 0), seat)]
    told["sentences"] = everything(known, seat)
    return told


def tale_at(known: Replay, number: int, seat: int | None) -> object:
    """A turn as a seat is told it."""
    game, render = known.record.game, find_render_plugin(known.record.game)
    view, last = game.view(known.moments[number].position, seat), last_turn(known, number, seat)
    names = known.record.names
    return last and (render.describe_last_turn(game, view, names, last), render.tell_turn(game, view, names, last))


def of_the_next_turn(record: Record, seat: int, after: Turn) -> Told:
    """What a seat hears from a host when another one takes a turn; nothing where all hands are open after it."""
    text_of = fill_names(record.game.words.write_turn(after.moves), record.names)
    outcome = posted.at_host(replay(record), after.seat, text_of)
    assert not outcome.problems
    if outcome.game.opened:
        return {}
    mails = posted.to_seat(outcome, seat)
    assert mails
    return {"next": mails}


def turns_for(rng: Random, record: Record, seat: int) -> tuple[list[str], list[str]]:
    """Turns that a seat may send, most of them legal if it holds the card, and wrong ones of all sorts."""
    game, names = struggle(record.game), record.names
    position = replay(record).position
    shown = board(hide_secrets(replay(record), seat).position).replace(to_act=seat)

    def written(card: str) -> str:
        options = game.cards[card].ladder.list_options(shown)
        resolution = game.words.resolution(options[rng.randrange(len(options))]) if options else "S"
        return fill_names(
            f"{card} {resolution}; summon {rng.choice('SWE')} {rng.choice(game.board.regions).name}", names
        )

    cards, whose = list(game.cards), rng.choice(names)
    turns = [*map(written, rng.sample(cards, 5)), *map(written, dict.fromkeys(position.hands[seat]))]
    return turns, [
        "Plot S",
        "Plot",
        "Plot Scottish; summon W Essex",
        "Scottish Support SS Strathclyde",
        "Manoeuvre S Mory <> E Devon; summon W Essex",
        "Ambush Devon place SS",
        f"Spy {whose}: {written(rng.choice(cards))}",
        f"Spy {whose}: March S Moray > Strathclyde",
        "Spy Eve: March S Moray > Strathclyde",
        "Spy nothing; summon S Moray",
    ]


def orders_for(rng: Random, record: Record, seat: int) -> list[str]:
    """Mails of a seat, with orders of which some only a host's knowledge could tell apart."""
    turns, wrong = turns_for(rng, record, seat)
    played = replay(record)
    moment, ours = rng.choice(played.moments), rng.choice(hide_secrets(played, seat).moments)
    number = moment.turn.number if moment.turn else 1
    card, other = rng.sample(list(struggle(record.game).cards), 2)
    return [
        # A draft is answered as a turn is, and there may be many in a mail.
        "\n".join(f"draft {turn}" for turn in ("Pass", *turns, *wrong)),
        f"status\nhistory\nwhy\nlegal\nlegal {card}\nrules Plot",
        f"if anyone plays {other}: stop; else Pass\npass until struggle\nsay to all: What do you hold?\nundo?",
        "resign",
        *rng.sample(turns, 3),
        *rng.sample(wrong, 2),
        "Pass",
        "Summon the devil from hell\nThank you!",
        # Markers with a hash of the whole record, which a player never sees, and with one of the player's own.
        f"Pass\n> {write_marker(Marker(number, moment.hash or '000000'))}",
        f"Pass\n> {write_marker(Marker(number, ours.hash or '000000'))}",
    ]


def same(one: Told, two: Told) -> None:
    """Nothing that is told differs."""
    assert one.keys() == two.keys()
    for what, said in one.items():
        assert said == two[what], what


# -- comparisons --------------------------------------------------------------------------------------------


def compare_positions(rng: Random, seats: int, passing: float, tried: Sequence[Any] = ()) -> int:
    """Some positions of a random game against twins, for every seat and a spectator; how many there were."""
    compared = 0
    reached = [position for position, _, _ in random_game(rng, seats, passing, CUNNING)]
    for position in [*rng.sample(reached, min(6, len(reached))), reached[-1]]:
        for seat in (None, *position.seats):
            twin = redealt(rng, position, seat)
            if twin is not None:
                same(of_position(position, seat, tried), of_position(twin, seat, tried))
                compared += 1
    return compared


def compare_records(rng: Random, seats: int, passing: float) -> int:
    """A random record, cut somewhere, against twins, for every seat and a spectator; how many there were."""
    whole = record_of(rng, seats, passing, ADVANCED)
    turns = rng.choice((rng.randint(0, len(whole.turns)), len(whole.turns)))
    return compare_cut(rng, whole, turns) + compare_middles(rng, whole)


def compare_cut(rng: Random, whole: Record, turns: int) -> int:
    """A record up to a turn against twins, and what is told of the next one; how many there were."""
    compared, seats, record = 0, len(whole.seats), cut(whole, turns)
    for seat in (None, *range(seats)):
        twin = twin_of(rng, record, seat)
        if twin is None:
            continue
        one, two = annotated(record, "Ann's own"), annotated(twin, "what Bob holds")
        orders = [] if seat is None else _alike(record, twin, seat, orders_for(rng, record, seat))
        same(of_record(one, seat, orders), of_record(two, seat, orders))
        compared += 1
    following = whole.turns[turns] if turns < len(whole.turns) else None
    if following and not replay(record).position.hands[following.seat]:
        following = None  # the host passes for whoever has no card
    for seat in range(seats) if following else ():
        assert following is not None
        if following.seat != seat and (longer := twin_of(rng, cut(whole, turns + 1), seat)) is not None:
            same(of_the_next_turn(record, seat, following), of_the_next_turn(cut(longer, turns), seat, following))
            compared += 1
    return compared


def compare_middles(rng: Random, record: Record) -> int:
    """Records that begin in the middle of a game, against twins of their positions; how many there were."""
    compared = 0
    position = board(rng.choice(replay(record).moments).position)
    for seat in (None, *position.seats):
        twin = redealt(rng, position, seat)
        if twin is None:
            continue
        one, two = beginning_with(record, position), beginning_with(record, twin)
        orders = [] if seat is None else _alike(one, two, seat, rng.sample(orders_for(rng, one, seat), 4))
        same(of_record(one, seat, orders), of_record(two, seat, orders))
        compared += 1
    return compared


def beginning_with(record: Record, position: Position) -> Record:
    """A record of the same players that begins with a position."""
    headers = (*record.headers, Header("Position", write_position(record.game, position)))
    return Record(record.ruleset, record.seats, headers, record.readings, position=position)


def _alike(record: Record, twin: Record, seat: int, orders: Sequence[str]) -> list[str]:
    """The orders after which the table sees the same: a turn that brings the end may reveal who has Plot."""

    def alike(order: str) -> bool:
        for way in (posted.by_hand, posted.at_host):
            one, other = way(replay(record), seat, order), way(replay(twin), seat, order)
            if one.record_changed and other.record_changed and story(one.game.replay) != story(other.game.replay):
                return False
        return True

    return list(filter(alike, orders))


class TestPositions:
    """Positions and what is made of them."""

    @pytest.mark.slow
    @given(seeds, players, passings, st.lists(moves_of(CUNNING), max_size=12))
    @examples(12, phases=UNSHRUNK)
    def test_twins_look_alike(self, seed: int, seats: int, passing: float, tried: list[Any]) -> None:
        compare_positions(Random(seed), seats, passing, tried)

    @pytest.mark.slow
    @given(seeds, players, passings, st.lists(moves_of(CUNNING), min_size=5, max_size=30))
    @examples(40, phases=UNSHRUNK)
    def test_who_is_to_act_knows_enough(self, seed: int, seats: int, passing: float, tried: list[Any]) -> None:
        """A move is judged alike by what its player may know and by all there is; others never call a legal one wrong."""
        rng = Random(seed)
        reached = [position for position, _, _ in random_game(rng, seats, passing, CUNNING)]
        for position in rng.sample(reached, min(5, len(reached))):
            legal = CUNNING.legal(position)
            some = [legal[rng.randrange(len(legal))] for _ in range(10)] if legal else []
            own = CUNNING.view(position, position.to_act).shown
            assert list(CUNNING.legal(own)) == list(legal)
            for move in (*some, *tried):
                assert CUNNING.check(own, move) == CUNNING.check(position, move)
            for seat in (None, *position.seats):
                shown = CUNNING.view(position, seat).shown
                assert not any(CUNNING.check(shown, move) for move in some)


class TestRecords:
    """Records: files and letters."""

    @pytest.mark.slow
    @given(seeds, players, passings)
    @examples(3, phases=UNSHRUNK)
    def test_twins_are_told_alike(self, seed: int, seats: int, passing: float) -> None:
        compare_records(Random(seed), seats, passing)

    @pytest.mark.exhaustive
    @pytest.mark.parametrize("seed", [20261121, 20261122])
    def test_many_twins_are_told_alike(self, seed: int) -> None:
        rng = Random(seed)
        compared = sum(compare_records(rng, 2 + n % 3, rng.choice((0.1, 0.4, 0.8, 0.95))) for n in range(5))
        print(f"{compared} twins of records")  # noqa: T201 - for people
        assert compared > 15

    @pytest.mark.slow
    @pytest.mark.parametrize("seats", sample([2, 3], 2))
    def test_who_is_asked_for_plot_and_who_is_told(self, seats: int) -> None:
        """The turns before and after Plot is asked for: until then nobody knows who has it."""
        rng = Random(23)
        whole = record_of(rng, seats, 0.9, ADVANCED)
        while not isinstance(whole.turns[-1].moves[0], Reveal):
            whole = record_of(rng, seats, 0.9, ADVANCED)
        compared = sum(compare_cut(rng, whole, len(whole.turns) - back) for back in (2, 1, 0))
        assert compared > 2 * seats

    @pytest.mark.slow
    @given(seeds, players, passings)
    @examples(25, phases=UNSHRUNK)
    def test_a_players_file_is_a_whole_record(self, seed: int, seats: int, passing: float) -> None:
        """It is read without a problem, with the same hashes and positions, and names no hidden card."""
        rng = Random(seed)
        whole = record_of(rng, seats, passing, ADVANCED)
        record = annotated(cut(whole, rng.choice((rng.randint(0, len(whole.turns)), len(whole.turns)))), "a secret")
        played = replay(record)
        for seat in (None, *range(seats)):
            known = hide_secrets(played, seat)
            written = write_record(known.record, known)
            assert "secret" not in written
            again = read_record(written.encode())
            assert again.record is not None
            assert not again.problems
            replayed = replay(again.record)
            assert not replayed.problems
            assert write_record(again.record, replayed) == written
            assert [moment.hash for moment in replayed.moments] == [moment.hash for moment in known.moments]
            assert replayed.value == known.value
            shown = [repr(CUNNING.view(moment.position, seat).shown) for moment in replayed.moments]
            assert shown == [repr(moment.position) for moment in known.moments]
            for card in hidden(played, seat):
                assert not re.search(rf"\b{card}\b", written), card


def hidden(played: Replay, seat: int | None) -> set[str]:
    """The cards of the deck that a seat does not know the place of."""
    record, end = played.record, played.position
    assert record.deal is not None
    known = {card for owner in end.seats for card in played_by(record, owner)}
    known |= set() if seat is None else set(record.deal.hands[seat])
    if end.decision in {"plot", None} and any(PLOT in hand for hand in end.hands):
        known.add(PLOT)
    return set(DECK) - known


# -- the program --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_the_program_tells_a_player_nothing_more(games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --seat on the whole record, and on the player's own file."""
    monkeypatch.chdir(tmp_path)
    rng = Random(7 + games)
    compared = 0
    while compared < games:
        whole = record_of(rng, rng.choice((2, 3, 4)), rng.choice((0.2, 0.6)), ADVANCED)
        record = cut(whole, rng.randint(0, len(whole.turns)))
        seat = rng.randrange(len(record.seats))
        twin = twin_of(rng, record, seat)
        if twin is None:
            continue
        orders = [text for texts in turns_for(rng, record, seat) for text in rng.sample(texts, 3)]
        turns = rng.sample(range(len(record.turns) + 1), 1)
        same(of_program(record, seat, orders, turns), of_program(twin, seat, orders, turns))
        compared += 1


def of_program(record: Record, seat: int, orders: Sequence[str], turns: Sequence[int]) -> Told:
    """What the program prints for a seat, asked of the whole record and of the seat's own file."""
    played, name = replay(record), record.names[seat]
    Path("game.tkid").write_text(write_record(record, played), "utf-8")
    Path("own.tkid").unlink(missing_ok=True)  # that of the twin, which the program takes for another game
    asked: list[tuple[object, ...]] = [
        ("view", "game.tkid", "--seat", name, "-o", "own.tkid"),
        ("view", "game.tkid", "--seat", name),
    ]
    for file, options in (("game.tkid", ("--seat", name)), ("own.tkid", ())):
        asked += [("show", file, *options, *more) for more in ((), ("--line",), ("--json",))]
        asked += [("show", file, "--turn", turn, *options) for turn in turns]
        asked += [("legal", file, *options), ("legal", file, "--card", "Muster", *options)]
        asked += [("why-not", file, order, *options) for order in orders]
    asked.append(("check", "own.tkid"))
    told: Told = {}
    # `show` on a file draws what the seat to act may see, so that it goes with --seat only.
    for number, question in enumerate(asked):
        answer = tkid(*question)
        assert answer.exit_code in {0, 1}, (question, answer.output)
        told[f"{number} {question}"] = (answer.exit_code, answer.output)
    return told


# -- the comparisons can fail -------------------------------------------------------------------------------


def one_card_shown(position: Position, seat: int | None, **how: Any) -> View:
    """A view in which the last card of each hand can be seen."""
    shown = struggle_board.make_struggle_view(position, seat, **how)
    hands = zip(shown.shown.hands, position.hands, strict=True)
    return View(seat, shown.shown.replace(hands=tuple((*seen_hand[:-1], *hand[-1:]) for seen_hand, hand in hands)))


def piles_shown(position: Position, seat: int | None, **how: Any) -> View:
    """A view in which the others' piles can be looked through."""
    return View(
        seat, struggle_board.make_struggle_view(position, seat, **how).shown.replace(discards=position.discards)
    )


_moment = seeing._make_moment  # noqa: SLF001 - what is spoilt here on purpose
_MUTANTS: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "a card of a view": ("tkid.games.struggle.rules.game.make_struggle_view", one_card_shown),
    "piles of a view": ("tkid.games.struggle.rules.game.make_struggle_view", piles_shown),
    "dealt hands in the file": ("tkid.games.struggle.record.StruggleRecord.hide_deal", lambda *args: args[2]),
    "hashes of the whole record": (
        "tkid.record.play.views._make_moment",
        lambda record, moment, turn, _, seat: _moment(record, moment, turn, moment.hash, seat),
    ),
    "comments in turns": ("tkid.record.play.views._make_public_turn", lambda turn, *_: turn),
    "the position of a header": (
        "tkid.record.play.views._list_public_headers",
        lambda record, _: [header for header in record.headers if not header.name.startswith("X-")],
    ),
    "own headers": ("tkid.record.play.views._list_public_headers", lambda record, _: list(record.headers)),
    "entropy": ("tkid.record.play.views.replace_seal", lambda record, _: record),
    "what letters say": ("tkid.mail.hosted_game.hide_secrets", lambda played, _: played),
    "the file in the mail": ("tkid.mail.message.hide_secrets", lambda played, _: played),
}


@pytest.mark.slow
@pytest.mark.parametrize("mutant", sample(_MUTANTS, 2))
def test_a_leak_is_found(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is shown too much, a comparison fails; without it, none of these does."""
    compare = _compare_views if "view" in mutant else _compare_files
    _clean(compare)
    monkeypatch.setattr(*_MUTANTS[mutant])
    with pytest.raises(AssertionError) as caught:
        compare()
    assert caught.traceback[-1].name == "same"


def _compare_views() -> None:
    rng = Random(3)
    for seats in (2, 3, 4):
        assert compare_positions(rng, seats, 0.4) > 2


def _compare_files() -> None:
    rng = Random(3)
    for seats in (2, 3):
        assert compare_records(rng, seats, 0.5) > 2


@cache
def _clean(compare: Callable[[], None]) -> None:
    """Nothing fails where nothing is spoilt; asked once."""
    compare()


def test_the_start_of_the_chain_does_not_depend_on_hidden_hands() -> None:
    """24 bits over a text with a few thousand possible hands would give them away."""
    rng = Random(11)
    for seats in (2, 3, 4):
        record = record_of(rng, seats, 0.5, ADVANCED)
        for seat in (None, *range(seats)):
            twin = twin_of(rng, cut(record, 2), seat)
            assert twin is not None
            both = [hide_secrets(replay(each), seat) for each in (cut(record, 2), twin)]
            assert write_start(both[0].record) == write_start(both[1].record)
            assert both[0].value == both[1].value
            assert replay(cut(record, 2)).value != replay(twin).value


def test_a_twin_is_another_deal_that_fits() -> None:
    """The twins themselves: own cards and tops as they were, the deck dealt once, sizes kept, and often another hand."""
    rng = Random(5)
    dealt: Iterator[Position] = (position for position, _, _ in random_game(rng, 3, 0.3, CUNNING))
    different = 0
    for position in dealt:
        for seat in position.seats:
            twin = redealt(rng, position, seat)
            if twin is None:
                continue
            assert (twin.hands[seat], twin.discards[seat]) == (position.hands[seat], position.discards[seat])
            cards = [card for piles in (twin.hands, twin.discards) for pile in piles for card in pile if card in DECK]
            assert len(cards) == len(set(cards)) == 9
            assert HIDDEN not in cards
            assert [p[-1:] for p in twin.discards] == [p[-1:] for p in position.discards]
            assert [len(p) for p in (*twin.hands, *twin.discards)] == [
                len(p) for p in (*position.hands, *position.discards)
            ]
            different += twin.hands != position.hands
    assert different > 50
