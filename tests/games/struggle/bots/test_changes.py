"""What the judge remembers of cards is what the engine says of them."""

from __future__ import annotations

from random import Random

from tests.games.struggle.shared.family import struggles
from tests.shared.strategies import random_game
from tests.shared.tables import each_row
from tkid.games.struggle.bots.ranking import list_ways_to_play
from tkid.games.struggle.rules.board import add_followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import COURT, SUPPLY, find_changes

SEED = 20261123


@each_row("game", [ruleset.game() for ruleset in struggles()], ids=lambda game: game.code)
def test_ways_to_play_a_card_are_its_legal_resolutions(game: Struggle) -> None:
    positions = [each for each, _, _ in random_game(Random(SEED), 3, 0.3, game) if each.decision == "play"]
    seen = 0
    for position in positions[::6]:
        for card in game.cards:
            options = game.list_options(position, card)
            listed = [way for group in list_ways_to_play(options) for way in group]
            assert [resolution for resolution, _ in listed] == list(options), f"{card}, seed {SEED}"
            for resolution, change in listed[:: len(listed) // 8 + 1]:
                changed = find_changes(position, resolution)
                places = [*position.regions, position.courts[position.to_act or 0], position.supply]
                for place, growth in change:
                    places[place] = add_followers(places[place], growth)
                assert tuple(places[:COURT]) == changed.get("regions", position.regions)
                assert places[SUPPLY] == changed.get("supply", position.supply)
                seen += 1
    assert seen > 100
