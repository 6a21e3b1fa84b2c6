"""Every tier of every card occurs in the recorded games of the advanced game, and of the digest's of what is its own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.games.struggle.shared.dealt_games import ALL_LADDERS
from tests.games.struggle.shared.family import struggle
from tests.games.struggle.shared.tier_positions import by_tier
from tests.games.struggle.shared.tiers import AS_READ, COPIED, NAMED, Cell, cells, cells_of, tiers
from tests.makers.games import FOLDER
from tests.shared.lines import steps_of
from tests.shared.occasions import copied_cards
from tests.shared.tables import each_row
from tkid.games.struggle.rules.moves import Copy, Play
from tkid.kernel.ladder import NOTHING
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.rulebook.rulesets import ruleset

ADVANCED = ruleset("second-edition-advanced")
DIGEST = ruleset("digest-advanced")
NEVER: dict[Cell, str] = {}
"""Tiers that cannot occur, each with the reason; a reason that is no longer needed goes.

There is none. Even Ambush may have no effect: when all the Scots are at court and the open regions are empty.
"""


def recorded(name: str, code: str = ADVANCED.code) -> list[Replay]:
    """The recorded games whose files have such names, played through."""
    found = [read_record(path.read_bytes()).record for path in sorted((FOLDER / code).glob(f"{name}.tkid"))]
    return [replay(record) for record in found if record is not None]


@pytest.fixture(scope="module")
def games() -> list[Replay]:
    """All the recorded games."""
    return recorded("*")


def table(seen: Counter[Cell]) -> str:
    """How often each tier occurs, a card in a row."""
    rows: dict[str, list[str]] = {}
    for cell in cells(ADVANCED):
        told = f"{cell[1]}: {seen[cell]}" + (f" ({NEVER[cell]})" if cell in NEVER else "")
        rows.setdefault(cell[0], []).append(told)
    return "\n".join(f"{card:<13} {'; '.join(tiers)}" for card, tiers in rows.items())


def test_every_tier_of_every_card_occurs(games: list[Replay]) -> None:
    seen = Counter(
        cell for played in games for step in steps_of(played) for cell in cells_of(struggle(played.record.game), step)
    )
    print(f"\n{table(seen)}")  # noqa: T201 - the table is there to be read
    assert seen.keys() <= set(cells(ADVANCED))
    assert {cell for cell in cells(ADVANCED) if not seen[cell]} == NEVER.keys(), table(seen)


def test_spy_copies_every_card_with_an_effect_and_in_vain(games: list[Replay]) -> None:
    copies = [
        move.resolution
        for played in games
        for step in steps_of(played)
        if isinstance(move := step.moves[0], Play) and isinstance(move.resolution, Copy)
    ]
    effective = Counter(copy.card for copy in copies if copy.resolution != NOTHING)
    print(f"\n{COPIED} by Spy: {', '.join(f'{card} {n}' for card, n in sorted(effective.items()))}")  # noqa: T201
    copied = {name for name, card in ADVANCED.game().cards.items() if card.form not in {"copy", "reveal"}}
    assert effective.keys() == copied
    assert any(copy.resolution == NOTHING for copy in copies)


def test_the_cards_are_those_of_the_game() -> None:
    """Fourteen cards with a ladder, Spy, and Plot, which is never played but named or taken as read."""
    rows = Counter(card for card, _ in cells(ADVANCED))
    assert rows.keys() == ADVANCED.game().cards.keys()
    assert {tier for card, tier in cells(ADVANCED) if card == "Plot"} == {NAMED, AS_READ}
    assert len(rows) == 16


@each_row(("code", "name"), [(code, name) for code, made in ALL_LADDERS.items() for name in made])
def test_a_ladder_is_gone_down_from_top_to_bottom(code: str, name: str) -> None:
    (played,) = recorded(f"ladder-{name}", code)
    game, card = struggle(played.record.game), ALL_LADDERS[code][name].card
    gone = [cell for step in steps_of(played) for cell in cells_of(game, step)]
    assert gone == [(card, tier) for tier in tiers(game.cards[card])]
    notes = [note for turn in played.record.turns for note in turn.notes]
    assert notes == [tier for _, tier in gone]


@pytest.mark.parametrize("code", ALL_LADDERS)
def test_each_card_has_a_ladder_to_go_down(code: str) -> None:
    shown = {made.card for made in ALL_LADDERS[code].values()}
    assert shown == {name for name, card in ruleset(code).game().cards.items() if card.form not in {"copy", "reveal"}}
    assert all(Path(FOLDER / code / f"ladder-{name}.tkid").exists() for name in ALL_LADDERS[code])


def test_every_tier_of_the_digests_own_cards_occurs() -> None:
    """Each in a record of its own, which says so in its note."""
    wanted = [(card, tier) for card, tier in cells(DIGEST) if card in copied_cards(DIGEST)]
    made = by_tier(DIGEST)
    assert {path.stem for path in (FOLDER / DIGEST.code).glob("tier-*.tkid")} == made.keys()
    gone = []
    for name in made:
        (played,) = recorded(name, DIGEST.code)
        (step,) = steps_of(played)
        (cell,) = cells_of(struggle(played.record.game), step)
        assert played.record.turns[0].notes == (cell[1],)
        gone.append(cell)
    assert sorted(gone) == sorted(wanted)
