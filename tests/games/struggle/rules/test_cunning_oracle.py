"""The ladders of the cunning cards agree with the naive oracle: exhaustively on small boards, and on random positions.

Each test prints how many questions it asked (`pytest -rA` shows it).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from random import Random
from typing import NoReturn

import pytest

from tests.games.struggle.rules.boards import (
    BOARD,
    CODES,
    CONTENTS,
    SEED,
    SUPPLIES,
    Questions,
    Written,
    counts,
    small,
    with_contents,
)
from tests.shared.strategies import COPYABLE, CUNNING, OTHERWISE, random_game, start
from tests.shared.tables import each_row, sample
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Ban, Followers, Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Swap
from tkid.games.struggle.rules.moving_cards import find_delta
from tkid.record.json.positions import position_json

CARDS = tuple(card for card in CUNNING.hands.deck if card != CUNNING.plot)
"""The eleven that are played."""
BOTH = (CUNNING, OTHERWISE)
READ_IN_TWO_WAYS = {"Spy", "Suppress"}
"""The cards whose readings differ between the two."""
NEAR = {"Resist": 0, "Quell": 1, "Suppress": 2, "Muster": 0}
"""The cards that act near a faction, with the faction."""
LETTERS = {OPEN: None, UNSTABLE: "unstable", 0: "S", 1: "W", 2: "E"}
TRIANGLE = ("STR", "LAN", "NOR")
"""Three neighbours, none of them a home, each with a neighbour that no other of them has."""
AROUND_HOME = {0: ("MOR", "STR", "LAN"), 1: ("LAN", "GWY", "WAR"), 2: ("NOR", "ESS", "DEV")}
"""For each faction three neighbours with its home among them."""
ANYWHERE: tuple[tuple[str, ...], ...] = (
    ("MOR", "STR", "LAN"),
    ("LAN", "GWY", "WAR"),
    ("NOR", "ESS", "DEV"),
    ("MOR", "GWY", "ESS"),
    ("GWY", "DEV"),
    ("WAR",),
)
"""Open regions for the cards that do not ask who controls what: rows, triangles, strangers, a pair and one alone."""


class Unseen:
    """In place of what an answer must not depend on: whoever looks at it fails."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, _: object) -> NoReturn:
        raise AssertionError("this was not to be looked at")

    def __bool__(self) -> NoReturn:
        raise AssertionError("this was not to be looked at")


def games_for(card: str) -> tuple[Struggle, ...]:
    """The games in which a card is read differently."""
    return BOTH if card in READ_IN_TWO_WAYS else BOTH[:1]


def over_contents(
    open_regions: tuple[str, ...], discs: Mapping[str, int], players: int = 2
) -> Iterator[tuple[Position, Written]]:
    """Boards on which only these regions are open, with each contents of up to two followers for each region."""
    base = small(open_regions, discs, players, CUNNING)
    written = position_json(CUNNING, base)
    for contents in product(CONTENTS, repeat=len(open_regions)):
        for code, followers in zip(open_regions, contents, strict=True):
            written["regions"][code]["followers"] = counts(followers)
        yield with_contents(base, open_regions, contents), written


def ask_all_supplies(
    questions: Questions, card: str, boards: Iterable[tuple[Position, Written]], games: tuple[Struggle, ...]
) -> None:
    """A card on each of some boards, with each supply of up to two of each faction."""
    for position, written in boards:
        for supply in SUPPLIES:
            written["supply"] = counts(supply)
            supplied = position.replace(supply=supply)
            for game in games:
                questions.ask(supplied, written, card, game)


# -- the cards that ask nothing of control ------------------------------------------------------------------


@pytest.mark.exhaustive
@pytest.mark.parametrize("card", ["Ambush", "Aid"])
def test_anywhere_exhaustively(card: str) -> None:
    questions = Questions()
    for open_regions in ANYWHERE:
        ask_all_supplies(questions, card, over_contents(open_regions, {}), BOTH[:1])
    questions.tell(card)


@pytest.mark.slow
@pytest.mark.parametrize("card", sample(["March", "Influence", "Dispute", "Edict"], 4))
def test_without_the_supply_exhaustively(card: str) -> None:
    """Neither the engine nor the oracle looks at the supply, so that each answer holds for every supply there is."""
    questions = Questions()
    for open_regions in ANYWHERE:
        for position, written in over_contents(open_regions, {}):
            written["supply"] = Unseen()
            questions.ask(position.replace(supply=Unseen()), written, card, CUNNING)
    questions.tell(f"{card}, each for any supply")


# -- the cards that act near a faction ----------------------------------------------------------------------
#
# `near` looks at nothing but the discs of a region's neighbours: whether one of them is the faction's, and whether
# its home is among them and open. So it is enumerated around each region by itself: every neighbour open, unstable
# or anybody's, all 5^n, and everything that is no neighbour open, unstable or the faction's own all at once.
#
# What it finds reaches the ladder as the set of open regions that are near. So the ladder is enumerated over these
# sets: all eight of them for three regions without a home (the home is resolved there, with each disc in turn), and
# those that there can be where the home is one of three open regions; with all contents and all supplies.


@pytest.mark.slow
@pytest.mark.parametrize("card", sample(NEAR, 4))
def test_near_around_every_region(card: str) -> None:
    questions = Questions()
    base = start(2, b"near", CUNNING).replace(supply=(1, 1, 1))
    written = position_json(CUNNING, base)
    for region, around in enumerate(BOARD.neighbours):
        for near, far in product(product(LETTERS, repeat=len(around)), (OPEN, UNSTABLE, NEAR[card])):
            known = {region: OPEN, **dict(zip(around, near, strict=True))}
            discs = tuple(known.get(at, far) for at in range(len(CODES)))
            regions = tuple((int(disc == OPEN),) * 3 for disc in discs)
            for code, disc, followers in zip(CODES, discs, regions, strict=True):
                written["regions"][code] = {"followers": counts(followers), "disc": LETTERS[disc]}
            questions.ask(base.replace(discs=discs, regions=regions), written, card, CUNNING)
    questions.tell(f"{card}, every disc around each region")


def reached(faction: int, open_regions: tuple[str, ...]) -> dict[frozenset[str], dict[str, int]]:
    """Each set of open regions that are near a faction all at once, with discs of the others under which it is so."""
    others = [code for code in CODES if code not in open_regions]
    strange = (UNSTABLE, (faction + 1) % 3, (faction + 2) % 3)
    found = {}
    for number, own in enumerate(product((True, False), repeat=len(others))):
        discs = {
            code: faction if mine else strange[(number + at) % 3]
            for at, (code, mine) in enumerate(zip(others, own, strict=True))
        }
        ruled = {CODES.index(code) for code, disc in discs.items() if disc == faction}
        if CODES[BOARD.homes[faction]] in open_regions:
            ruled.add(BOARD.homes[faction])
        near = frozenset(code for code in open_regions if ruled & set(BOARD.neighbours[CODES.index(code)]))
        found[near] = discs
    return found


@pytest.mark.exhaustive
@pytest.mark.parametrize("home", [True, False], ids=["home open", "home resolved"])
@pytest.mark.parametrize("card", NEAR)
def test_near_exhaustively(card: str, home: bool) -> None:  # noqa: FBT001 - which of two
    open_regions = AROUND_HOME[NEAR[card]] if home else TRIANGLE
    sets = reached(NEAR[card], open_regions)
    assert len(sets) == (2 if home else 8)
    questions = Questions()
    for near, discs in sets.items():
        games = games_for(card) if home or len(near) == 3 else BOTH[:1]
        ask_all_supplies(questions, card, over_contents(open_regions, discs), games)
    questions.tell(f"{card}, {len(sets)} sets of regions near")


# -- Spy ----------------------------------------------------------------------------------------------------


def with_tops(position: Position, *tops: str) -> Position:
    """A position with these cards on top of the piles of the seats after the first, Negotiate below; "" for no pile."""
    return position.replace(discards=((), *(("Negotiate", top) if top else () for top in tops)))


@pytest.mark.slow
@pytest.mark.parametrize("card", sample(COPYABLE, 3))
def test_spy_exhaustively(card: str) -> None:
    """One card to copy: what the card itself would do, on small boards with all, some or nothing in the supply."""
    questions = Questions()
    for position, written in over_contents(("LAN", "GWY", "WAR"), {"STR": 0, "DEV": 1, "NOR": 2}):
        spying = with_tops(position, card)
        written["discards"] = [list(pile) for pile in spying.discards]
        for supply in ((2, 2, 2), (1, 0, 1), (0, 0, 0)):
            written["supply"] = counts(supply)
            questions.ask(spying.replace(supply=supply), written, "Spy", CUNNING)
    questions.tell(f"Spy: {card}")


SPIED_ON: tuple[tuple[tuple[str, ...], tuple[Followers, ...], Followers], ...] = (
    (("MOR", "STR", "LAN"), ((1, 1, 0), (0, 1, 1), (2, 0, 0)), (2, 1, 1)),
    (("MOR", "STR", "LAN"), ((1, 0, 0), (0, 0, 0), (0, 0, 0)), (0, 1, 0)),
    (("LAN", "GWY", "WAR"), ((0, 1, 0), (0, 0, 1), (0, 0, 0)), (0, 0, 0)),
    (("NOR", "ESS", "DEV"), ((0, 0, 0), (0, 0, 0), (0, 0, 0)), (0, 0, 0)),
    (("NOR", "ESS", "DEV"), ((0, 0, 0), (0, 0, 0), (0, 0, 0)), (1, 0, 1)),
    (("WAR",), ((1, 1, 1),), (2, 2, 2)),
)
"""Open regions, their contents and a supply: from much that can be done to nothing, with some cards in vain."""


@each_row("game", BOTH, ids=["any pile", "piles with an effect first"])
@each_row("board", SPIED_ON, ids=range(len(SPIED_ON)))
def test_spy_between_two_piles(board: tuple[tuple[str, ...], tuple[Followers, ...], Followers], game: Struggle) -> None:
    """Every pair of top cards, Spy itself and no pile among them."""
    open_regions, contents, supply = board
    base = with_contents(small(open_regions, {"STR": 0, "DEV": 1, "NOR": 2}, 3, CUNNING), open_regions, contents)
    tops = ("", "Spy", *COPYABLE)
    position = base.replace(supply=supply)
    written = position_json(game, position)
    questions = Questions()
    for pair in product(tops, repeat=2):
        spying = with_tops(position, *pair)
        written["discards"] = [list(pile) for pile in spying.discards]
        written["negotiation_discs"] = list(spying.negotiation_discs)
        questions.ask(spying, written, "Spy", game)
    questions.tell("Spy")


# -- random positions ---------------------------------------------------------------------------------------


def spied(rng: Random, position: Position) -> Position:
    """The position with random cards on top of the piles."""
    piles = [
        (rng.choice(COPYABLE), rng.choice(("Spy", *COPYABLE))) if rng.random() < 0.9 else () for _ in position.seats
    ]
    return position.replace(discards=tuple(piles))


def ask_all_cards(questions: Questions, rng: Random, position: Position) -> None:
    """Every cunning card in a position, Spy with random cards to copy."""
    for game in BOTH:
        written = position_json(game, position)
        for card in CARDS:
            if card == "Spy":
                spying = spied(rng, position)
                questions.ask(spying, position_json(game, spying), card, game)
            elif game in games_for(card):
                questions.ask(position, written, card, game)


def made_up(rng: Random) -> Position:
    """A board as no game may ever have it: few followers, many discs; often with a swap that may not be undone."""
    few = rng.choice(((0, 0, 1), (0, 0, 0, 1), (0, 1, 2)))
    unresolved = rng.choice((0.3, 0.6, 1.0))
    discs = tuple(OPEN if rng.random() < unresolved else rng.choice((UNSTABLE, 0, 1, 2)) for _ in CODES)
    regions = tuple(tuple(rng.choice(few) * (disc == OPEN) for _ in range(3)) for disc in discs)
    track = tuple(sorted(rng.sample(range(8), 8), key=lambda region: discs[region] == OPEN))
    seats = rng.choice((2, 3, 4))
    position = start(seats, b"made up", CUNNING).replace(
        regions=regions,
        discs=discs,
        supply=tuple(rng.choice((0, 0, 1, 2, 3)) for _ in range(3)),
        track=track,
        negotiated=frozenset(region for region in track if rng.random() < 0.2),
        struggles=tuple(region for region in track if discs[region] != OPEN),
        negotiation_discs=tuple(rng.choice((0, 1)) for _ in range(seats)),
        to_act=rng.randrange(seats),
    )
    return position.replace(banned=a_ban(rng, position))


def a_ban(rng: Random, position: Position) -> Ban | None:
    """A ban on some swap that is possible here, or none."""
    card = rng.choice(("Manoeuvre", "Outmanoeuvre"))
    swaps = [
        swap
        for swap in CUNNING.cards[card].ladder.list_options(position)
        if isinstance(swap, Swap) and find_delta(swap)
    ]
    if not swaps or rng.random() < 0.3:
        return None
    swapped = tuple((region, tuple(-n for n in change)) for region, change in find_delta(rng.choice(swaps)))
    return Ban(card, rng.choice(position.seats), swapped)


def played_out(rng: Random, players: int, passing: float) -> Iterator[Position]:
    """Positions of random games in which a card may be played."""
    while True:
        for position, _, _ in random_game(rng, players, passing, CUNNING):
            if position.decision == "play":
                yield position


@pytest.mark.parametrize("players", [2, 3, 4])
def test_on_some_random_positions(players: int) -> None:
    """The quick one."""
    rng = Random(f"{SEED} some {players}")
    questions = Questions()
    for passing in (0.1, 0.6, 0.9):
        for position in islice(played_out(rng, players, passing), 8):
            ask_all_cards(questions, rng, position)
    for _ in range(20):
        ask_all_cards(questions, rng, made_up(rng))
    questions.tell("all cards")


@pytest.mark.slow
@pytest.mark.parametrize(("players", "passing"), sample(product((3, 2, 4), (0.4, 0.05, 0.85)), 9))
def test_on_random_positions(players: int, passing: float) -> None:
    """200 positions of random games each, sparse late ones included."""
    rng = Random(f"{SEED} {players} {passing}")
    questions = Questions()
    for position in islice(played_out(rng, players, passing), 200):
        ask_all_cards(questions, rng, position)
    questions.tell("all cards")


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(7), 7))
def test_on_made_up_boards(seed: int) -> None:
    """300 boards each."""
    rng = Random(f"{SEED} made up {seed}")
    questions = Questions()
    for _ in range(300):
        ask_all_cards(questions, rng, made_up(rng))
    questions.tell("all cards")


@pytest.mark.slow
@pytest.mark.parametrize(("card", "part"), sample(product(["Manoeuvre", "Outmanoeuvre"], range(2)), 4))
def test_what_may_not_be_undone_by_a_copy(card: str, part: int) -> None:
    """Spy on a pile with a swap, right after any swap that is possible on a made-up board; by its author and another."""
    rng = Random(f"{SEED} undone {card} {part}")
    questions, struck = Questions(), 0
    while questions.asked < 1000:
        position = made_up(rng)
        if position.banned is None:
            continue
        spying = position.replace(discards=tuple(((), (card,))[seat != position.to_act] for seat in position.seats))
        free = CUNNING.cards["Spy"].ladder.list_options(spying.replace(banned=None))
        struck += len(free) != len(CUNNING.cards["Spy"].ladder.list_options(spying))
        questions.ask(spying, position_json(CUNNING, spying), "Spy", CUNNING)
    assert struck > questions.asked // 10
    questions.tell(f"Spy: {card}")
