"""The cards and the ending that the digest alone has: in writing, in JSON, on the board; enumerating and judging agree."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from tests.games.struggle.shared.family import board
from tests.shared.schemas import faults
from tests.shared.strategies import DIGEST, NAMES, random_game, start
from tests.shared.tables import each_row, sample
from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.record.json import make_move_json, read_move_json
from tkid.games.struggle.rules.board import HIDDEN, OPEN, Position, add_followers, list_groups
from tkid.games.struggle.rules.moves import CourtSwap, PlaceMove, PlaceSwap, Play, Resolution, Reveal
from tkid.kernel.ladder import NOTHING
from tkid.kernel.problems import Kind
from tkid.notation.positions import read_position
from tkid.rulebook.rulesets import ruleset

READER = TurnReader(DIGEST, NAMES)
ABOUT_TO_RESOLVE = (
    "digest-advanced; MOR S, STR -, LAN -, NOR -, GWY W, WAR SSW, ESS E, DEV W; supply 5S 5W 5E; "
    "1 court SWE; 1 hand Influence, Negotiation; 2 court SW; 2 hand Aid; passes 1; to play 1"
)
NONE = (0, 0, 0)
NOBODY = ruleset("digest-advanced").game({"digest.ruling.invasion": "nobody"})

# -- in writing -------------------------------------------------------------------------------------------


@each_row(
    ("typed", "canonical"),
    [
        ("sw str dev places ww swaps w for es from war", "Swift Strike Devon place WW swap W <> SE Warwick"),
        ("Swift Strike Devon swap W <> SE Warwick place WW", "Swift Strike Devon place WW swap W <> SE Warwick"),
        ("Swift Strike Devon place WW", "Swift Strike Devon place WW"),
        ("inv dev swap e ↔ w in gwy", "Invasion Devon swap E <> W Gwynedd"),
        ("Attack Devon place WW move E to Warwick, W > Gwynedd", "Attack Devon place WW move W > Gwynedd, E > Warwick"),
        ("Attack Devon move E > Warwick and W into War", "Attack Devon move WE > Warwick"),
        ("att dev moves w gwy", "Attack Devon move W > Gwynedd"),
        ("bet w for e from devon", "Betrayal W <> E Devon"),
        ("Betrayal E Devon <> W", "Betrayal W <> E Devon"),
        ("Command nothing", "Command nothing"),
        ("Spy Bob: Betrayal W <> E Devon", "Spy Bob: Betrayal W <> E Devon"),
        ("mil mar sw ess > war", "Military March SW Essex > Warwick"),
        ("con we strath", "Conquest WE Strathclyde"),
    ],
)
def test_forms_that_are_understood(typed: str, canonical: str) -> None:
    read = READER.read_turn(typed)
    assert not read.problems
    position = start(2, b"digest", DIGEST)
    written = DIGEST.words.write_turn(tuple(DIGEST.canonical(position, move) for move in read.moves))
    assert written.replace("{1}", "Bob") == canonical


@each_row(
    ("typed", "col", "says"),
    [
        ("Swift Strike", 13, "Which region, and which followers?"),
        ("Swift Strike Devon", 19, "`place` or `swap` with followers is missing"),
        ("Swift Strike Devon place WW swap W", 35, "`<>` and the other side are missing"),
        ("Swift Strike Devon place WW place W", 29, "This appears twice"),
        ("Invasion Devon place EE swap E <> S", 36, "The region is missing"),
        ("Attack Devon place WW move W", 29, "The region that they go to is missing"),
        ("Attack Devon place WW move W > Gwynedd,", 40, "Another follower is expected after the comma"),
        ("Attack Devon move W <> E Gwynedd", 21, "They move one way"),
        ("Betrayal W", 11, "`<>` and the other side are missing"),
        ("Betrayal E Devon", 17, "`<>` and the follower of your court are missing"),
        ("Betrayal E Devon <> W Moray", 23, "Only the follower of a region has a region"),
    ],
)
def test_what_is_said_when_it_is_not_understood(typed: str, col: int, says: str) -> None:
    (problem,) = READER.read_turn(typed).problems
    assert (problem.kind, problem.rule, problem.col) == (Kind.SYNTAX, "notation.form", col)
    assert says in problem.message
    assert "The form is" in problem.hint or "twice" in says


# -- what is legal ----------------------------------------------------------------------------------------

FEW = [NONE, *list_groups(1, 3), (2, 0, 0), (0, 2, 0), (0, 0, 2)]
UP_TO_TWO = [NONE, *list_groups(1, 3), *list_groups(2, 3)]
WAYS = [(group, target) for group in list_groups(1, 3) for target in range(8)]
TOGETHER = [((group, target),) for group in list_groups(2, 3) for target in range(8)]
APART = [(a, b) for a, b in product(WAYS, repeat=2) if a[1] < b[1]]
CONCEIVABLE: dict[str, Sequence[Resolution]] = {
    "place_swap": [
        PlaceSwap(region, placed, other, give, take)
        for region, placed, other in product(range(8), FEW, (None, *range(8)))
        for give, take in ([(NONE, NONE)] if other is None else product((*list_groups(1, 3), (2, 0, 0)), UP_TO_TWO))
    ],
    "place_move": [
        PlaceMove(region, placed, moved)
        for region, placed in product(range(8), FEW)
        for moved in ((), *((way,) for way in WAYS), *TOGETHER, *APART)
    ],
    "court_swap": [CourtSwap(region, give, take) for region in range(8) for give, take in product(UP_TO_TWO, repeat=2)],
}
"""By form everything that a resolution can be with up to two followers in a group."""
ROOM_FOR_ALL = (
    "digest-advanced; MOR =S, STR SW, LAN WE, NOR =E, GWY =W, WAR SE, ESS E, DEV W; supply 2S {}W 2E; "
    "track MOR NOR GWY STR LAN WAR ESS DEV; 1 court SW; 1 hand Aid; 2 court EE; 2 hand Aid; to play 1"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("card", "supply"),
    sample(product(("Swift Strike", "Invasion", "Reinforcement", "Attack", "Betrayal", "Command"), (2, 0)), 5),
)
def test_every_conceivable_resolution(card: str, supply: int) -> None:
    """Listed is exactly what is legal, and each of those once; what breaks a rule says so."""
    ladder, form = DIGEST.cards[card].ladder, DIGEST.cards[card].form
    _, position = read_position(ROOM_FOR_ALL.format(supply))
    listed = list(ladder.list_options(position))
    tried = CONCEIVABLE.get(form, [])
    legal = {each for each in tried if ladder.is_legal(position, each)}
    assert len(listed) == len(set(listed))
    assert set(listed) == (legal or {NOTHING})
    for each in tried[:: 1 if form == "court_swap" else 29]:
        assert (each in legal) == (ladder.check(position, each) == ()), each
    print(f"{card}: {len(tried):,} resolutions judged, {len(legal):,} of them legal")  # noqa: T201 - for people


def test_command_says_why_it_does_nothing() -> None:
    _, position = read_position(
        "digest-advanced; MOR =S, STR =S, LAN SS; supply 3S 3W 3E; 1 court SW; 1 hand Command; 2 court WE; to play 1"
    )
    (move,) = READER.read_turn("Command S Moray <> S Strathclyde").moves
    (violation,) = DIGEST.check(position, move)
    assert violation.rule == "digest.card.command"
    assert [str(each) for each in violation.alternatives] == ["Nothing()"]


# -- what is done -----------------------------------------------------------------------------------------


def test_every_follower_is_somewhere_and_json_says_the_same() -> None:
    """Each new card in positions of random games: followers are conserved, and the move is read back from JSON."""
    rng, seen = Random(20261121), set()
    own = [card for card in DIGEST.cards.values() if card.form in CONCEIVABLE]
    for seed in range(12):
        for position, _, _ in random_game(Random(seed), 2 + seed % 3, 0.7, DIGEST):
            if position.decision != "play":
                continue
            for card in own:
                options = card.ladder.list_options(position)
                move = Play(card.name, options[rng.randrange(len(options))])
                after, _ = DIGEST.apply(position, move)
                assert total(after) == total(position)
                assert min(min(group) for group in (*after.regions, *after.courts, after.supply)) >= 0
                assert all(disc == OPEN or not any(r) for r, disc in zip(after.regions, after.discs, strict=True))
                written = make_move_json(DIGEST, move)
                assert faults("move", written) == []
                assert DIGEST.canonical(position, read_move_json(DIGEST, written)) == move
                seen.add(type(move.resolution).__name__)
    assert seen == {"PlaceSwap", "PlaceMove", "CourtSwap", "Nothing"}


def total(position: Position) -> tuple[int, ...]:
    """All followers."""
    everywhere = position.supply
    for group in (*position.regions, *position.courts):
        everywhere = add_followers(everywhere, group)
    return everywhere


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_regions_that_receive_two_followers_are_the_homes(players: int) -> None:
    """`digest.ruling.top-three`: each holds two of its own faction already, and ends with four like the others."""
    dealt = DIGEST.deal(players, bytes(3))
    assert {sum(region) for region in dealt.regions} == {4}
    assert all(dealt.regions[home][faction] >= 2 for faction, home in enumerate(DIGEST.board.homes))


def test_a_region_card_is_turned_face_down_when_its_region_is_resolved() -> None:
    """`digest.ruling.region-card`: Negotiation may swap every card before a power struggle, and all but that one after."""
    position = board(read_position(ABOUT_TO_RESOLVE)[1])
    assert len(negotiable(position)) == 8
    resolved = board(DIGEST.play(position, READER.read_turn("Pass").moves[0])[0])
    assert negotiable(resolved) == set(range(8)) - {position.track[0]}


def negotiable(position: Position) -> set[int]:
    """The regions whose cards Negotiation may swap."""
    options = DIGEST.cards["Negotiation"].ladder.list_options(position.replace(to_act=0))
    return {region for option in options for region in (option.first, option.second)}


def test_the_two_followers_that_influence_takes_may_be_alike() -> None:
    """`digest.ruling.same-faction`: of one faction or of two, but never English for English."""
    _, position = read_position(ABOUT_TO_RESOLVE)
    shown = {DIGEST.words.resolution(each) for each in DIGEST.list_options(position, "Influence")}
    assert {"E Essex <> SS Warwick", "E Essex <> SW Warwick"} <= {*shown}
    assert not any("EE" in each or "SE" in each or "WE" in each for each in shown)


# -- an invasion --------------------------------------------------------------------------------------------

ABOUT_TO_END = (
    "digest-advanced; MOR =S, STR =unstable, LAN =unstable, NOR =W, GWY -, WAR SW, ESS E, DEV S; supply 5S 5W 5E; "
    "1 court SWE; 1 hand Assassination; 2 court SW; 2 hand Aid; passes 1; to play 1"
)


def test_under_the_other_reading_france_wins_and_assassination_stays_hidden() -> None:
    _, position = read_position(ABOUT_TO_END)
    after, events = NOBODY.play(position, READER.read_turn("Pass").moves[0])
    assert (after.ending, after.winners, after.decision) == ("invasion", (), None)
    assert [event.rule for event in events[-2:]] == ["digest.ruling.invasion", "digest.ending.invasion"]
    assert (events[-1].text, events[-1].line) == ("Invasion: nobody wins", "Invasion: nobody")
    assert NOBODY.view(after, 1).shown.hands == ((HIDDEN,), ("Aid",))
    assert not NOBODY.end.reveals_plot(after)


def test_sets_are_counted_and_assassination_is_revealed() -> None:
    _, position = read_position(ABOUT_TO_END)
    after, _ = DIGEST.play(position, READER.read_turn("Pass").moves[0])
    assert (after.ending, after.winners) == ("invasion", (0,))
    assert DIGEST.view(after, 1).shown.hands == (("Assassination",), ("Aid",))
    assert Reveal("Assassination", 0) not in DIGEST.legal(after)
