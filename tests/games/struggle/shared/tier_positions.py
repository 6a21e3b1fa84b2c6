"""Made-up positions for the cards of the digest that differ from the second edition's: one for each tier, best first."""

from __future__ import annotations

from collections.abc import Mapping

from tests.games.struggle.shared.family import board as board_of
from tests.games.struggle.shared.tiers import tier
from tests.shared.lines import Line
from tkid.games.struggle.rules.game import Struggle
from tkid.notation.positions import read_position
from tkid.rulebook.rulesets import Ruleset

DEVON_NEAR_WALES = (
    "MOR =S, STR =S, LAN =E, NOR =E, GWY {}, WAR =S, ESS {}, DEV {}; track MOR STR LAN NOR WAR GWY ESS DEV"
)
DEVON_NEAR_ESSEX = (
    "MOR =W, STR =W, LAN =S, NOR =S, GWY {}, WAR =S, ESS {}, DEV {}; track MOR STR LAN NOR WAR GWY ESS DEV"
)
BESIDE_MORAY = "MOR =S, STR {}, LAN {}, NOR =E, GWY =W, WAR =E, ESS =W, DEV =E; track MOR NOR GWY WAR ESS DEV STR LAN"
NEAR_MORAY = "MOR {}, STR {}, LAN =W, NOR =E, GWY =W, WAR =E, ESS =W, DEV =E; track LAN NOR GWY WAR ESS DEV MOR STR"
APART = "MOR {}, STR =E, LAN =W, NOR =E, GWY =W, WAR =E, ESS =W, DEV {}; track STR LAN NOR GWY WAR ESS MOR DEV"
SCOTTISH = "MOR =S, STR =S, LAN =W, NOR =E, GWY =W, WAR =E, ESS {}, DEV {}; track MOR STR LAN NOR GWY WAR ESS DEV"

BOARDS = {
    "Influence": (APART, ("E SW 3S", "E S 3S", "E S 3S")),
    "Repression": (DEVON_NEAR_ESSEX, ("- - EW 2S", "S - E 2S", "- E - 2S", "- E - -")),
    "Conquest": (NEAR_MORAY, ("S - 1S1W", "S - 1E", "S - -")),
    "Swift Strike": (
        DEVON_NEAR_WALES,
        (
            "- SE - 2W",
            "- S - 3W1E",
            "- - - 2W",
            "- SE S 1W",
            "- S S 1W2E",
            "- - - 1W",
            "- SE WE 2S",
            "- S W -",
            "- SE S 2S",
        ),
    ),
    "Invasion": (DEVON_NEAR_ESSEX, ("S - - 2E", "- - W 3E", "W - - 1E", "- - S 1E", "W - S 2W", "W - - 2W")),
    "Reinforcement": (BESIDE_MORAY, ("- WE 2S", "E W 3S", "W - 2S", "S WE 1S", "- W 1S", "E - 1S", "SS WE 2W")),
    "Attack": (
        DEVON_NEAR_WALES,
        ("- - - 2W", "=W =E E 2W", "- - E 1W", "S - - 1W", "=W =E S 1W", "- - SE -", "- W E -", "- W - -"),
    ),
    "Command": (SCOTTISH, ("SS SS 2S",)),
    "Betrayal": (APART, ("S - 2W", "- - 2W")),
}
"""By card a board, and for each of its tiers what the open regions and the supply hold."""
READINGS = {"tier-influence-2": {"digest.ruling.no-effect": "as-far-as-possible"}}
"""The tiers that only another reading has."""


def by_tier(ruleset: Ruleset) -> dict[str, Line]:
    """For each tier of these cards a game of one turn, by name."""
    game = ruleset.game()
    own = {name: made for name, made in BOARDS.items() if ruleset.rule_prefix == "digest" and name in game.cards}
    found = {}
    for card, (board, made) in own.items():
        for number, held in enumerate(map(str.split, made), 1):
            name = f"tier-{card.lower().replace(' ', '-')}-{number}"
            found[name] = _played(ruleset, card, board.format(*held[:-1]), held[-1], READINGS.get(name, {}))
    return found


def _played(ruleset: Ruleset, card: str, board: str, supply: str, readings: Mapping[str, str]) -> Line:
    game: Struggle = ruleset.game(readings)
    counts = " ".join(supply[at : at + 2] for at in range(0, len(supply), 2))
    hands = f"1 court SWE; 1 hand {card}, Assembly; 2 court WE; 2 hand Assembly; to play 1"
    _, position = read_position(f"{ruleset.code}; {board}; supply {counts}; {hands}")
    line = Line(ruleset, board_of(position), readings)
    line.take(lambda at: next(m for m in game.legal(at) if at.decision == "summon" or getattr(m, "card", "") == card))
    line.notes = [tier(game, line.steps[0])]
    line.remark = f"A made-up position, in which {card} goes as far as the note says."
    return line
