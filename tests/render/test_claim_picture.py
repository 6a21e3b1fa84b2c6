"""Claim as a picture: snapshots, and what every position has to keep to.

`python -m tests.render.test_claim_picture` writes the snapshots anew; look at each before it is kept.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.claim.shared import CLAIM, PLAYERS, heard, random_game, seeds, twin
from tests.render.seen_by import NO_BLUE, NO_GREEN, NO_RED, contrast, differ, without
from tests.render.svg import SCHEMES, Shape, ground, keys, list_small, parsed, shapes
from tests.render.test_claim import EXPECTED
from tests.shared.examples import examples
from tkid.games.claim import rules
from tkid.games.claim.notation.positions import read_position
from tkid.games.claim.render.drawing import EMBLEMS, ROLE, draw_claim_picture
from tkid.games.claim.rules import FACTIONS, PACK, Cards, Position, View, sort_cards
from tkid.kernel.game import HIDDEN
from tkid.render.picture import ROLES, LastTurn, Layout, Picture, write_svg_document

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
LAYOUTS: tuple[Layout, ...] = ("page", "wide", "board", "alone")
LEAST_CONTRAST, LEAST_DIFFERENCE, LEAST_SIZE = 4.5, 25, 11
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


def seen(moment: Moment, seat: int | None, names: tuple[str, ...] = PLAYERS, layout: Layout = "page") -> Picture:
    """The picture that a seat gets of a moment."""
    position, last = moment
    return draw_claim_picture(CLAIM, CLAIM.view(position, seat), names, last, layout=layout)


def drawn(name: str) -> str:
    """A snapshot's document."""
    turns, seat = SNAPSHOTS[name]
    return write_svg_document(seen(moments(Random("claim rendered"))[turns], seat))


@st.composite
def any_moment(draw: st.DrawFn) -> Moment:
    """A moment of a random game."""
    return moments(Random(draw(seeds)), draw(st.integers(0, TURNS)))[-1]


names = st.text(min_size=1, max_size=32)


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_snapshots(name: str) -> None:
    assert drawn(name) == (EXPECTED / f"{name}.svg").read_text("utf-8")


def crowded(scores: tuple[Cards, Cards], discards: Cards = ()) -> Position:
    """A position with such piles."""
    position = moments(Random(5), 45)[-1][0]
    return position.replace(scores=tuple(map(sort_cards, scores)), discards=sort_cards(discards))


CROWDED = (
    crowded((PACK[:14], PACK[14:]), PACK),
    crowded((PACK, ()), ()),
    crowded(((), PACK[14:]), PACK[:14]),
)
"""Piles as full as there are cards, and fuller than play can make them."""


def check_room(made: Picture) -> None:
    """No text is outside the frame, too small, on another one, half on a card or chip, or under anything; no two cards overlap."""
    found = shapes(made)
    texts = [shape for shape in found if shape.kind == "text"]
    assert min(shape.size for shape in texts) >= LEAST_SIZE
    cards = [shape for shape in found if shape.classes & {"c-paper", "c-aside"}]
    chips = [shape for shape in found if shape.kind == "rect" and "c-edge" in shape.classes]
    for shape in (*texts, *cards, *chips):
        assert shape.box.left >= 0, shape
        assert shape.box.top >= 0, shape
        assert shape.box.right <= made.width, shape
        assert shape.box.bottom <= made.height, shape
    for kind in (texts, cards, chips):
        for one, two in combinations(kind, 2):
            assert not one.box.overlaps(two.box), (one, two)
    for each in texts:
        for card in (*cards, *chips):
            assert not each.box.overlaps(card.box) or _within(each, card), (each, card)
    for place, shape in enumerate(found):
        if shape.kind == "text":
            after = [each for each in found[place:] if each.kind == "rect" and each.css["light"]["fill"] != "none"]
            assert not any(each.box.overlaps(shape.box) for each in after), shape


def _within(one: Shape, other: Shape) -> bool:
    return other.box.holds(one.box.left, one.box.top) and other.box.holds(one.box.right, one.box.bottom)


@pytest.mark.slow
@given(any_moment(), SEATS, st.tuples(names, names), st.sampled_from(LAYOUTS))
@examples(80)
def test_nothing_overlaps_or_leaves_the_frame(
    moment: Moment, seat: int | None, players: tuple[str, str], layout: Layout
) -> None:
    check_room(seen(moment, seat, players, layout))


def test_nothing_overlaps_where_piles_are_as_full_as_can_be() -> None:
    for position in CROWDED:
        for layout in LAYOUTS:
            check_room(seen((position, None), 0, ("W" * 32, "m" * 32), layout))


def test_every_word_is_legible_on_a_phone() -> None:
    narrow: tuple[Layout, ...] = "page", "board", "alone"
    for moment, seat, layout in product(moments(Random("small"))[::6], (0, 1, None), narrow):
        assert list_small(seen(moment, seat, layout=layout)) == [], (moment, seat, layout)


@pytest.mark.slow
@given(any_moment(), SEATS, st.sampled_from(LAYOUTS))
@examples(40)
def test_whatever_is_written_stands_out_from_its_ground(moment: Moment, seat: int | None, layout: Layout) -> None:
    found = shapes(seen(moment, seat, layout=layout))
    for shape in found:
        for scheme in SCHEMES:
            if shape.kind in {"text", "use"}:
                told = contrast(shape.css[scheme]["fill"], ground(shape, found).css[scheme]["fill"])
                assert told >= (LEAST_CONTRAST if shape.kind == "text" else EMBLEM_CONTRAST), (shape, scheme)


def test_factions_differ_in_shape_and_letter_and_to_all_eyes_in_colour() -> None:
    assert set(ROLE) == set(EMBLEMS) == set(FACTIONS)
    assert len(set(EMBLEMS.values())) == len(FACTIONS)
    for scheme, _ in enumerate(SCHEMES):
        colours = {role: ROLES[role][scheme] for role in ROLE.values()}
        for role, colour in colours.items():
            assert contrast(colour, ROLES[f"on-{role}"][scheme]) >= LEAST_CONTRAST, (role, scheme)
            for ground_ in ("tint", "won"):
                for ink, least in (("ink", LEAST_CONTRAST), ("last", EMBLEM_CONTRAST)):
                    said = contrast(ROLES[ink][scheme], ROLES[f"{ground_}-{role}"][scheme])
                    assert said >= least, (ink, ground_, role, scheme, said)
        for one, two in combinations(colours.values(), 2):
            for cones in (None, NO_RED, NO_GREEN, NO_BLUE):
                pair = (one, two) if cones is None else (without(cones, one), without(cones, two))
                assert differ(*pair) > LEAST_DIFFERENCE, (one, two, cones)


@given(any_moment(), SEATS, seeds)
@examples(40)
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
@examples(40)
def test_the_cards_of_the_viewers_hand_are_named_once_a_copy_and_nothing_else(moment: Moment, seat: int | None) -> None:
    hand = () if seat is None else moment[0].hands[seat]
    assert Counter(keys(parsed(seen(moment, seat)))) == Counter(f"card/{card}" for card in hand)


def test_all_pictures_of_a_seat_have_the_same_size_and_parts() -> None:
    for seat in (0, 1, None):
        for layout in LAYOUTS:
            made = [seen(moment, seat, layout=layout) for moment in moments(Random(1))]
            assert (
                len({(each.width, each.height, each.defs, *(part.name for part in each.parts)) for each in made}) == 1
            )
            assert {each.width for each in made} == {{"wide": 960, "alone": 360}.get(layout, 480)}
            for each in made:
                assert not [value for part in each.parts for value in part.at if value % 3]
                assert each.height % 3 == 0
            for one, two in pairwise(made):
                changed = {b.name for a, b in zip(one.parts, two.parts, strict=True) if a != b}
                assert not {"ground", "table", "legend"} & changed
                assert "trick" in changed


@pytest.mark.slow
@given(any_moment(), SEATS)
@examples(60)
def test_the_card_that_was_led_has_a_heavy_line_and_the_winner_of_a_trick_a_ring(
    moment: Moment, seat: int | None
) -> None:
    position, last = moment
    found = [shape for shape in shapes(seen(moment, seat)) if shape.part == "trick"]
    lines = [shape for shape in found if "c-led" in shape.classes]
    rings = [shape for shape in found if "c-last" in shape.classes]
    ended = last is not None and last.before.led is not None
    assert (len(lines), len(rings)) == (position.led is not None, ended)
    for frame in (*lines, *rings):
        within = [shape.words for shape in found if shape.words and frame.box.holds(*shape.box.middle)]
        if frame in lines:
            assert within == [position.led[1], position.led[0]] if position.led else False
        else:
            assert last is not None
            won = next(event for event in last.events if " wins the trick" in event.text)
            winner = int(won.text[1])
            card = last.before.led if winner == last.before.leader else last.moves[0].card
            assert within == [card[1], card[0]]


def test_cards_that_may_not_be_played_step_back() -> None:
    position = read_position(CLAIM, "claim; 1 hand K2 U3 U4; 2 hand G0 G0 X5 D7; led G9; to play 2")
    for seat, back in ((1, {"card/D7"}), (0, set())):
        svg = write_svg_document(draw_claim_picture(CLAIM, CLAIM.view(position, seat), PLAYERS))
        assert set(re.findall(r'data-at="([^"]*)"><rect class="c-aside"', svg)) == back
    free = position.replace(led="K9")
    assert '<rect class="c-aside"' not in write_svg_document(draw_claim_picture(CLAIM, CLAIM.view(free, 1), PLAYERS))


def test_factions_that_vote_have_a_crown_and_a_crest() -> None:
    for moment in moments(Random(7))[26:]:
        made = {part.name: part.svg for part in seen(moment, 0).parts}
        votes = {vote.faction.letter: vote.seat for vote in rules.list_votes(moment[0].scores)}
        for seat in (0, 1):
            mine = [letter for letter, owner in votes.items() if owner == seat]
            kind = "won" if moment[0].to_act is None else "tint"
            assert re.findall(rf'class="c-{kind}-(.)"', made[f"player-{seat}"]) == mine
            assert made[f"player-{seat}"].count("#crown") == len(mine)
        crests = re.findall("#emblem-(.)", made["votes"])
        assert crests == [letter for seat in (0, 1) for letter, owner in votes.items() if owner == seat]


def test_values_of_piles_are_those_of_their_cards_and_new_ones_are_underlined() -> None:
    for position, last in moments(Random(8)):
        made = {part.name: part.svg for part in seen((position, last), 0).parts}
        piles = {"player-0": position.scores[0], "player-1": position.scores[1], "discards": position.discards}
        before = last.before if last else position
        were = (*before.scores, before.discards)
        for (name, pile), old in zip(piles.items(), were, strict=True):
            values = re.findall(r'class="c-digit(?: c-fresh)?"[^>]*>(\d)<', made[name])
            assert sorted(values) == sorted(card[1] for card in pile)
            assert made[name].count("c-under") == len(pile) - len(old)


def test_titles_say_where_the_game_stands() -> None:
    played = moments(Random("claim rendered"))
    assert seen(played[13], 0).title == "Ann to play: Goblin 3 was led"
    assert seen(played[26], None).title == "Ann to lead: phase two, trick 1 of 13"
    assert seen(played[-1], 1).title == "Ann wins by three factions to two"
    drawn_game = read_position(CLAIM, "claim; 1 hand -; 2 hand -; 1 score G5 K2; 2 score U1 D4; ended drawn")
    assert (
        draw_claim_picture(CLAIM, CLAIM.view(drawn_game, 0), PLAYERS).title
        == "The game is drawn: nobody has three factions"
    )


def test_what_is_not_known_lies_face_down() -> None:
    position = read_position(
        CLAIM, "claim; 1 hand G5 2?; 2 hand 3?; 1 followers 10?; 2 followers 10?; prize ?; deck 5?; to play 1"
    )
    assert position.hands[0].count(HIDDEN) == 2
    svg = write_svg_document(draw_claim_picture(CLAIM, CLAIM.view(position, 0), PLAYERS))
    assert len(re.findall('class="c-paper"', svg)) == 1
    assert svg.count('href="#back-h"') == 2
    assert svg.count('href="#back-s"') == 2


@given(any_moment())
@examples(20)
def test_whoever_is_shown_everything_sees_both_hands_open(moment: Moment) -> None:
    position, last = moment
    made = draw_claim_picture(CLAIM, View(None, position), PLAYERS, last)
    assert (made.width, made.height) == (seen(moment, None).width, seen(moment, None).height)
    for seat in position.seats:
        drawn_parts = {part.name: part.svg for part in made.parts}
        for name, cards in (("hand", position.hands[seat]), ("followers", position.followers[seat])):
            assert drawn_parts[f"{name}-{seat}"].count('class="c-paper"') == len(cards)
    check_room(made)


if __name__ == "__main__":
    for each in SNAPSHOTS:
        (EXPECTED / f"{each}.svg").write_text(drawn(each), "utf-8")
