"""The digest agrees with its naive oracle: exhaustively on small boards, and on random positions.

Each test prints how many questions it asked (`pytest -rA` shows it).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from random import Random

import pytest

from tests.games.struggle.rules.boards import (
    BORDERS,
    CODES,
    CONTENTS,
    HOMES,
    SEED,
    Written,
    counts,
    small,
    with_contents,
)
from tests.games.struggle.rules.test_endings_oracle import INVASION, RANKINGS, finished, letters, plays
from tests.oracle import digest as oracle
from tests.shared.strategies import NUMBERS, random_game, start
from tests.shared.tables import sample
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Position
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import fill_names
from tkid.record.json.positions import position_json
from tkid.rulebook.rulesets import ruleset

BASIC, DIGEST = ruleset("digest").game(), ruleset("digest-advanced").game()
RESOLVABLE = ruleset("digest-advanced").game({"second.ruling.spy-pile": "resolvable"})
NOBODY = ruleset("digest-advanced").game({"digest.ruling.invasion": "nobody"})
NO_EFFECT = "digest.ruling.no-effect"
IN_FULL, AS_FAR = (ruleset("digest-advanced").game({NO_EFFECT: option}) for option in ("in-full", "as-far-as-possible"))
DISCS = {"STR": 0, "DEV": 1, "NOR": 2, "MOR": 0, "GWY": 1, "ESS": 2}
OWN_SUPPLY = {"Swift Strike": 1, "Invasion": 2, "Reinforcement": 0, "Attack": 1}
"""The cards that place one faction alone, with the faction: of the supply they look at nothing else."""
FACTION = OWN_SUPPLY | {"Repression": 2, "Conquest": 0}
NEAR = {
    "Repression": (("NOR", "ESS", "WAR"), ("STR", "NOR")),
    "Conquest": (("MOR", "STR"), ("LAN", "WAR"), ("GWY",)),
    "Swift Strike": (("GWY", "DEV", "WAR"), ("LAN", "WAR", "ESS"), ("DEV", "ESS")),
    "Invasion": (("NOR", "ESS", "DEV"), ("STR", "LAN", "NOR"), ("DEV", "GWY")),
    "Reinforcement": (("MOR", "STR", "LAN"), ("LAN", "NOR", "WAR"), ("LAN", "GWY")),
    "Attack": (("GWY", "DEV", "WAR"), ("LAN", "WAR", "ESS"), ("DEV", "ESS")),
}
"""For each card open regions, with its faction's home among them and without; the other regions have discs."""


class Questions:
    """Questions to the engine and the oracle, and how many answers they had."""

    def __init__(self) -> None:
        self.asked = self.answers = 0

    def ask(self, position: Position, written: Written, card: str, game: Struggle = DIGEST) -> None:
        """One more."""
        options = game.cards[card].ladder.list_options(position)
        found = [fill_names(game.words.resolution(resolution), NUMBERS) for resolution in options]
        wanted = oracle.resolutions(written, card, BORDERS, HOMES, game.readings)
        assert set(found) == wanted, (SEED, written, card, game.readings)
        assert len(found) == len(wanted), ("a resolution is listed twice", written, card)
        self.asked += 1
        self.answers += len(found)

    def tell(self, what: str) -> None:
        """Print the figures."""
        print(f"{what}: {self.asked:,} questions, {self.answers:,} answers")  # noqa: T201 - for people
        assert self.asked


def boards(open_regions: tuple[str, ...]) -> Iterator[tuple[Position, Written]]:
    """Boards on which only these regions are open, with each contents of up to two followers for each region."""
    base = small(open_regions, DISCS, 2, DIGEST)
    written = position_json(DIGEST, base)
    for contents in product(CONTENTS, repeat=len(open_regions)):
        for code, followers in zip(open_regions, contents, strict=True):
            written["regions"][code]["followers"] = counts(followers)
        yield with_contents(base, open_regions, contents), written


def supplies(card: str) -> Iterable[tuple[int, ...]]:
    """Every supply of up to two of each faction that the card can look at; of those that it must not, one or two."""
    own = OWN_SUPPLY.get(card)
    if own is None:
        return product((0, 1, 2), repeat=3)
    return [tuple(n if faction == own else 2 - n for faction in range(3)) for n in range(3)]


@pytest.mark.slow
@pytest.mark.parametrize("card", sample(NEAR, 4))
def test_near_exhaustively(card: str) -> None:
    """Each contents of up to two followers for each of up to three open regions, with each supply."""
    questions = Questions()
    for open_regions in NEAR[card]:
        for position, written in boards(open_regions):
            for supply in supplies(card):
                written["supply"] = counts(supply)
                questions.ask(position.replace(supply=supply), written, card)
    questions.tell(card)


@pytest.mark.slow
@pytest.mark.parametrize("card", NEAR)
def test_near_around_every_region(card: str) -> None:
    """Every neighbour open, the faction's or strange, in all ways; all that is no neighbour open or the faction's."""
    questions, own = Questions(), FACTION[card]
    base = start(2, b"near", DIGEST).replace(supply=(2, 1, 2))
    written = position_json(DIGEST, base)
    written["supply"] = counts(base.supply)
    kinds = {OPEN: None, UNSTABLE: "unstable", 0: "S", 1: "W", 2: "E"}
    for region, around in enumerate(DIGEST.board.neighbours):
        strange = [(OPEN, own, (UNSTABLE, (own + 1) % 3)[at % 2]) for at in around]
        for near, far in product(product(*strange), (OPEN, own)):
            known = {region: OPEN, **dict(zip(around, near, strict=True))}
            discs = tuple(known.get(at, far) for at in range(len(CODES)))
            regions = tuple((int(disc == OPEN), 0, int(disc == OPEN)) for disc in discs)
            for code, disc, followers in zip(CODES, discs, regions, strict=True):
                written["regions"][code] = {"followers": counts(followers), "disc": kinds[disc]}
            questions.ask(base.replace(discs=discs, regions=regions), written, card)
    questions.tell(f"{card}, discs around each region")


@pytest.mark.slow
@pytest.mark.parametrize("card", ["Influence", "Command"])
def test_anywhere_exhaustively(card: str) -> None:
    """Neither looks at the supply; Command at nothing at all."""
    questions = Questions()
    for open_regions in (("MOR", "STR", "LAN"), ("MOR", "GWY", "ESS"), ("WAR",)):
        for position, written in boards(open_regions):
            questions.ask(position, written, card)
    questions.tell(card)


@pytest.mark.slow
@pytest.mark.parametrize("card", ["Influence", "Suppression", "Gathering"])
@pytest.mark.parametrize("game", [DIGEST, IN_FULL, AS_FAR], ids=["as worded", "in full", "as far as possible"])
def test_cards_without_effect_exhaustively(game: Struggle, card: str) -> None:
    """The cards that say when they have no effect, under each reading: small boards with each supply of up to two."""
    questions = Questions()
    supplies = [(1, 1, 1)] if card == "Influence" else list(product((0, 1, 2), repeat=3))
    for open_regions in (("MOR", "STR"), ("GWY", "DEV")):
        for position, written in boards(open_regions):
            for supply in supplies:
                written["supply"] = counts(supply)
                questions.ask(position.replace(supply=supply), written, card, game)
    questions.tell(f"{card}, {game.readings[NO_EFFECT]}")


def test_betrayal_exhaustively() -> None:
    """Each contents of two open regions with each court of up to two of each faction; the other court is never looked at."""
    questions = Questions()
    for position, written in boards(("MOR", "DEV")):
        for court in product((0, 1, 2), repeat=3):
            courts = ((2 - court[0], 1, 2), court)
            written["courts"], written["to_act"] = list(map(counts, courts)), 1
            questions.ask(position.replace(courts=courts, to_act=1), written, "Betrayal")
    questions.tell("Betrayal")


def played_out(rng: Random, game: Struggle, players: int, passing: float) -> Iterator[Position]:
    """Positions of random games in which a card may be played."""
    while True:
        for position, _, _ in random_game(rng, players, passing, game):
            if position.decision == "play":
                yield position


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [BASIC, DIGEST, RESOLVABLE, IN_FULL, AS_FAR],
    ids=["basic", "advanced", "Spy read otherwise", "in full", "as far as possible"],
)
@pytest.mark.parametrize("players", sample([3, 2, 4], 3))
def test_every_card_on_random_positions(game: Struggle, players: int) -> None:
    """Early, late and sparse positions; Spy with random cards to copy."""
    rng = Random(f"{SEED} digest {players}")
    questions = Questions()
    copyable = [card.name for card in game.cards.values() if card.form != "reveal"]
    for passing in (0.1, 0.6, 0.9):
        for position in islice(played_out(rng, game, players, passing), 6):
            piles = tuple((rng.choice(copyable),) if rng.random() < 0.9 else () for _ in position.seats)
            spied = position.replace(discards=piles)
            written, spied_on = position_json(game, position), position_json(game, spied)
            for card in game.cards:
                seen = (spied, spied_on) if card == "Spy" else (position, written)
                questions.ask(*seen, card, game)
    questions.tell("all cards")


@pytest.mark.slow
@pytest.mark.parametrize("game", [DIGEST, NOBODY], ids=["sets", "nobody"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_endings(game: Struggle, players: int) -> None:
    """Finished games of every kind with random courts, some with Assassination in a hand."""
    rng = Random(f"{SEED} digest endings {players}")
    orders = list(plays(players))
    for _ in range(600):
        position, seen = finished(players, rng.choice([*RANKINGS, INVASION, INVASION, INVASION]))
        courts = tuple(tuple(rng.randint(0, 2) for _ in range(3)) for _ in range(players))
        holder = rng.randrange(2 * players)
        hands = tuple(("Assassination",) if seat == holder else ("Aid",) for seat in range(players))
        last, emptied = rng.choice(orders)
        position = position.replace(courts=courts, hands=hands, last_acted=last, emptied=emptied)
        seen |= {"courts": letters(courts), "hands": hands, "last_acted": last, "emptied": emptied}
        result = game.result(position)
        wanted = oracle.result(seen, game.readings)
        assert (result and (result.ending, frozenset(result.winners))) == wanted, (seen, game.readings)
