"""Claim as a picture: snapshots, and what every position has to keep to.

`python -m tests.render.test_claim_picture` writes the snapshots anew; look at each before it is kept.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.claim.shared import CLAIM, PLAYERS, heard, random_game, seeds, twin
from tests.render.seen_by import NO_BLUE, NO_GREEN, NO_RED, contrast, differ, without
from tests.render.svg import SCHEMES, ground, keys, parsed, shapes
from tests.render.test_claim import EXPECTED
from tkid.games.claim.notation.position_line import read_position
from tkid.games.claim.render.picture.cards import COLOURS, EMBLEMS
from tkid.games.claim.render.picture.picture import picture
from tkid.games.claim.rules.deck import FACTIONS
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.views import View
from tkid.kernel.game import HIDDEN
from tkid.render.picture import LastTurn, Picture, document

SNAPSHOTS: dict[str, tuple[int, int | None]] = {
    "claim-start": (0, 0),
    "claim-led": (7, 0),
    "claim-recruited": (20, 1),
    "claim-phase-two": (26, None),
    "claim-late": (45, 1),
    "claim-over": (52, 0),
}
"""The number of turns played, and who looks."""
SEATS = st.sampled_from((0, 1, None))
TURNS = 52
LEAST_CONTRAST, LEAST_DIFFERENCE, LEAST_SIZE = 4.5, 20, 11
EMBLEM_CONTRAST = 3

Moment = tuple[Position, LastTurn | None]


def moments(rng: Random, turns: int = TURNS) -> list[Moment]:
    """The positions of a random game, each with the turn that led to it."""
    found: list[Moment] = []
    for position, move, events in random_game(rng):
        mover = found[-1][0].to_act if found else None
        found.append((position, None if mover is None else LastTurn(mover, (move,), events, found[-1][0])))
        if len(found) > turns:
            break
    return found


def seen(moment: Moment, seat: int | None, names: tuple[str, ...] = PLAYERS) -> Picture:
    """The picture that a seat gets of a moment."""
    position, last = moment
    return picture(CLAIM, CLAIM.view(position, seat), names, last)


def drawn(name: str) -> str:
    """A snapshot's document."""
    turns, seat = SNAPSHOTS[name]
    return document(seen(moments(Random("claim rendered"))[turns], seat))


@st.composite
def any_moment(draw: st.DrawFn) -> Moment:
    """A moment of a random game."""
    return moments(Random(draw(seeds)), draw(st.integers(0, TURNS)))[-1]


names = st.text(min_size=1, max_size=32)


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_snapshots(name: str) -> None:
    assert drawn(name) == (EXPECTED / f"{name}.svg").read_text("utf-8")


@pytest.mark.slow
@given(any_moment(), SEATS, st.tuples(names, names))
@settings(max_examples=60)
def test_texts_stand_apart_within_the_frame_large_enough_and_uncovered(
    moment: Moment, seat: int | None, players: tuple[str, str]
) -> None:
    made = seen(moment, seat, players)
    found = shapes(made)
    texts = [shape for shape in found if shape.kind == "text"]
    assert min(shape.size for shape in texts) >= LEAST_SIZE
    for shape in texts:
        assert shape.box.left >= 0, shape
        assert shape.box.top >= 0, shape
        assert shape.box.right <= made.width, shape
        assert shape.box.bottom <= made.height, shape
    for one, two in combinations(texts, 2):
        assert not one.box.overlaps(two.box), (one, two)
    for place, shape in enumerate(found):
        if shape.kind == "text":
            after = [each for each in found[place:] if each.kind == "rect" and each.css["light"]["fill"] != "none"]
            assert not any(each.box.overlaps(shape.box) for each in after), shape


@pytest.mark.slow
@given(any_moment(), SEATS)
@settings(max_examples=30)
def test_whatever_is_written_stands_out_from_its_ground(moment: Moment, seat: int | None) -> None:
    found = shapes(seen(moment, seat))
    for shape in found:
        for scheme in SCHEMES:
            if shape.kind in {"text", "use"}:
                told = contrast(shape.css[scheme]["fill"], ground(shape, found).css[scheme]["fill"])
                assert told >= (LEAST_CONTRAST if shape.kind == "text" else EMBLEM_CONTRAST), (shape, scheme)


def test_factions_differ_in_shape_and_letter_and_to_all_eyes_in_colour() -> None:
    assert set(COLOURS) == set(EMBLEMS) == set(FACTIONS)
    assert len(set(EMBLEMS.values())) == len(FACTIONS)
    for (one, _), (two, _) in combinations(COLOURS.values(), 2):
        assert differ(one, two) > LEAST_DIFFERENCE, (one, two)
        for cones in (NO_RED, NO_GREEN, NO_BLUE):
            assert differ(without(cones, one), without(cones, two)) > LEAST_DIFFERENCE, (one, two, cones)


@given(any_moment(), SEATS, seeds)
@settings(max_examples=40)
def test_who_cannot_tell_two_positions_apart_sees_the_same_picture(moment: Moment, seat: int | None, seed: int) -> None:
    position, last = moment
    other = twin(Random(seed), position, seat)
    assert seen((position, None), seat) == seen((other, None), seat)
    if last is not None:
        assert seen(moment, seat) == seen(
            (other, LastTurn(last.seat, last.moves, heard(last.events, seat), last.before)), seat
        )


@pytest.mark.slow
@given(any_moment(), SEATS)
@settings(max_examples=40)
def test_the_cards_of_the_viewers_hand_are_named_once_a_copy_and_nothing_else(moment: Moment, seat: int | None) -> None:
    hand = () if seat is None else moment[0].hands[seat]
    assert Counter(keys(parsed(seen(moment, seat)))) == Counter(f"card/{card}" for card in hand)


def test_all_pictures_of_a_seat_have_the_same_size_and_parts() -> None:
    for seat in (0, 1, None):
        made = [seen(moment, seat) for moment in moments(Random(1))]
        assert len({(each.width, each.height, tuple(part.name for part in each.parts)) for each in made}) == 1
        assert {each.width for each in made} == {480}
        for one, two in pairwise(made):
            changed = {b.name for a, b in zip(one.parts, two.parts, strict=True) if a != b}
            assert "ground" not in changed
            assert {"headline", "player-0", "player-1", "trick", "news"} & changed


@pytest.mark.slow
@given(any_moment(), SEATS)
@settings(max_examples=60)
def test_the_card_played_last_is_framed_and_no_other(moment: Moment, seat: int | None) -> None:
    last, found = moment[1], shapes(seen(moment, seat))
    frames = [shape for shape in found if "c-last" in shape.classes]
    assert len(frames) == (last is not None)
    if last is not None:
        (frame,) = frames
        within = [shape.words for shape in found if shape.words and frame.box.holds(*shape.box.middle)]
        assert within[0] == last.moves[0].card[1]


def test_cards_that_may_not_be_played_step_back() -> None:
    position = read_position(CLAIM, "claim; 1 hand K2 U3 U4; 2 hand G0 G0 X5 D7; led G9; to play 2")
    for seat, back in ((1, {"card/D7"}), (0, set())):
        svg = document(picture(CLAIM, CLAIM.view(position, seat), PLAYERS))
        assert set(re.findall(r'data-at="([^"]*)"><rect class="c-aside"', svg)) == back
    free = position.but(led="K9")
    assert '<rect class="c-aside"' not in document(picture(CLAIM, CLAIM.view(free, 1), PLAYERS))


def test_banners_point_at_the_votes() -> None:
    for moment in moments(Random(7))[26:]:
        made = {part.name: part.svg for part in seen(moment, 0).parts}
        result = CLAIM.result(moment[0])
        for letter, faction in FACTIONS.items():
            piles = [[int(card[1]) for card in pile if card[0] == letter] for pile in moment[0].scores]
            ranks = [(len(pile), max(pile, default=-1)) for pile in piles]
            pointed = [side == "-" for side in re.findall(r"l(-?)13 ", made[f"score-{letter}"])]
            assert pointed == ([] if ranks[0] == ranks[1] else [ranks[0] > ranks[1]]), faction
        assert ("wins" in made["trick"]) == bool(result and result.winners)


def test_titles_say_where_the_game_stands() -> None:
    played = moments(Random("claim rendered"))
    mover = PLAYERS[played[13][0].to_act or 0]
    assert seen(played[13], 0).title == f"Trick 7 of phase one: {mover} to play"
    assert re.fullmatch("Trick 1 of phase two: (Ann|Bob) to lead", seen(played[26], None).title)
    assert re.fullmatch("Game over: (Ann wins|Bob wins|drawn, nobody wins)", seen(played[-1], 1).title)
    drawn_game = read_position(CLAIM, "claim; 1 hand -; 2 hand -; 1 score G5 K2; 2 score U1 D4; ended drawn")
    made = picture(CLAIM, CLAIM.view(drawn_game, 0), PLAYERS)
    assert made.title == "Game over: drawn, nobody wins"
    assert "Nobody has 3 votes" in document(made)


def test_undead_among_the_discards_are_drawn_where_a_position_has_them() -> None:
    for discards, chips in (("U5 K9", 5), ("K9", 4)):
        line = f"claim; 1 hand G5; 2 hand K5; prize U3; deck K2; discards {discards}; to play 1"
        made = picture(CLAIM, CLAIM.view(read_position(CLAIM, line), 0), PLAYERS)
        (part,) = (part.svg for part in made.parts if part.name == "discards")
        assert part.count("<use ") == chips


def test_what_is_not_known_lies_face_down() -> None:
    position = read_position(
        CLAIM, "claim; 1 hand G5 2?; 2 hand 3?; 1 followers 10?; 2 followers 10?; prize ?; deck 5?; to play 1"
    )
    assert position.hands[0].count(HIDDEN) == 2
    svg = document(picture(CLAIM, CLAIM.view(position, 0), PLAYERS))
    assert len(re.findall('class="c-paper"', svg)) == 1
    assert "face down" in svg


@given(any_moment())
@settings(max_examples=20)
def test_whoever_is_shown_everything_sees_both_hands_open(moment: Moment) -> None:
    position, last = moment
    made = picture(CLAIM, View(None, position), PLAYERS, last)
    assert (made.width, made.height) == (seen(moment, None).width, seen(moment, None).height)
    for seat in position.seats:
        drawn_parts = {part.name: part.svg for part in made.parts}
        for name, cards in (("hand", position.hands[seat]), ("followers", position.followers[seat])):
            assert drawn_parts[f"{name}-{seat}"].count('class="c-paper"') == len(cards)
    texts = [shape for shape in shapes(made) if shape.kind == "text"]
    assert not any(one.box.overlaps(two.box) for one, two in combinations(texts, 2))


if __name__ == "__main__":
    for each in SNAPSHOTS:
        (EXPECTED / f"{each}.svg").write_text(drawn(each), "utf-8")
