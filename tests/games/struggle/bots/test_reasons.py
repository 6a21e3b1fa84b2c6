"""Reasons for turns, in words."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from tests.games.struggle.shared.family import struggles
from tests.shared.strategies import random_game
from tests.shared.tables import each_row
from tkid.bots.plugin import find_judge
from tkid.games.struggle.bots import StruggleJudge
from tkid.games.struggle.bots.outlook import Weights
from tkid.games.struggle.rules.board import replace_item
from tkid.games.struggle.rules.game import Struggle
from tkid.notation.plugin import find_notation_plugin
from tkid.notation.positions import read_position

SEED = 20261123
SEAT = re.compile(r"\{(\d)\}")
WELL_SAID = re.compile(r"[a-z]+ [A-Za-z ,:'-]*(\{\d\}[A-Za-z ,:'-]*)*[A-Za-z}]")
"""A verb first, no figures, and no full stop."""
NAMES = ("1", "2", "3", "4")
STEADY = Weights(1.2, 0.1, 0.3, 0.1, 0.4, 0.1, 0.4, 0.2, 0.8, 0.3, 0.6, 0.3, 0.2, 0.95, 1.2, 0.1, 1.0)
"""Parameters that stay as they are when games are played to find better ones."""

BASIC = (
    "second-edition; MOR SSSWE, STR WWEE, LAN SSW, NOR SSSSEEEEE, GWY =unstable, WAR =E, ESS EEEEE, DEV SWE; supply 3S 4W; "
    "track WAR GWY ESS MOR NOR DEV STR LAN; 1 court SSWWWW; 1 hand Scottish Support, Welsh Support, English Support, "
    "Negotiate; 1 played Outmanoeuvre, Assemble, Assemble, Manoeuvre; 1 acted 11; 2 court SWWWEE; 2 hand Scottish "
    "Support, Welsh Support, Negotiate, Manoeuvre; 2 played Assemble, Outmanoeuvre, Assemble, English Support; "
    "2 acted 12; to play 1"
)
ADVANCED = (
    "second-edition-advanced; MOR =S, STR SSSWW, LAN =E, NOR =S, GWY W, WAR SWWWE, ESS =E, DEV SSW; supply 7S 1W 8E; "
    "track NOR* MOR LAN ESS WAR DEV STR GWY*; 1 court SSWWWWEEE; 1 hand Plot; 1 played Outmanoeuvre, Assemble, Assemble, "
    "Manoeuvre, Dispute, Ambush, Negotiate; 1 acted 15; 2 court SWWWWEEEE; 2 hand Spy; 2 played Manoeuvre, Influence, "
    "Outmanoeuvre, Suppress, Negotiate, Assemble, Assemble; 2 acted 20; passes 1; to play 2"
)
TEAMS = (
    "second-edition; MOR SSSSWW, STR WWEE, LAN SEE, NOR SWWW, GWY SWW, WAR SWE, ESS SSSEEE, DEV SWEEE; supply 2S 3W; "
    "track WAR ESS GWY NOR DEV* MOR LAN STR; 1 court EEEE; 1 hand Scottish Support, Welsh Support, Assemble, Assemble, "
    "Negotiate, Outmanoeuvre; 1 played English Support, Manoeuvre; 1 acted 5; 2 court SWEE; 2 hand Scottish Support, Welsh "
    "Support, English Support, Assemble, Negotiate, Manoeuvre; 2 played Assemble, Outmanoeuvre; 2 acted 6; 3 court SSWE; "
    "3 hand Scottish Support, Welsh Support, Assemble, Assemble, Manoeuvre, Outmanoeuvre; 3 played English Support, "
    "Negotiate; 3 acted 7; 4 court SWW; 4 hand Scottish Support, Welsh Support, English Support, Assemble, Negotiate, "
    "Manoeuvre, Outmanoeuvre; 4 played Assemble; 4 acted 4; to play 4"
)
MORDRED = (
    "first-edition-mordred; CAL =unstable, DIN =S, EBO =W, DVA =S, RAT SWRR, CAE WWWWW, LON =R, AQU RRMMM; supply 4S 5W 5R "
    "6M; track DIN DVA EBO CAL LON AQU* CAE* RAT*; 1 court SSSSWWWRRR; 1 hand -; 1 played Ambassador, Settlement, "
    "Settlement, Garrison, Crown, Scots, Romano-British, Welsh; 1 acted 31; 1 emptied 31; 2 court SSSSWWRRR; 2 hand Welsh; "
    "2 played Garrison, Settlement, Ambassador, Crown, Settlement, Scots, Romano-British; 2 acted 35; 3 court SSSSSWWRRR; "
    "3 hand -; 3 played Ambassador, Garrison, Romano-British, Settlement, Settlement, Crown, Scots, Welsh; 3 acted 33; "
    "3 emptied 33; passes 2; to play 2"
)
MANUAL = (
    "manual; CAL SSSSS, DIN SRRR, EBO WWW, DVA SSSW, RAT SWWWWW, CAE -, LON RR, AQU SSWRRR; supply 1R; track CAE* LON* "
    "EBO AQU DVA DIN RAT CAL; 1 court SSWWWRRRR; 1 hand Scots, Welsh, Romano-British; 1 played Settlement, Garrison, "
    "Ambassador, Settlement, Crown; 1 acted 9; 2 court SSWWWRRR; 2 hand Scots, Welsh, Romano-British; 2 played Settlement, "
    "Garrison, Ambassador, Settlement, Crown; 2 acted 10; started 1; to play 2"
)

SAID = [
    (BASIC, "Pass", "saves a card for the regions ahead"),
    (
        BASIC,
        "Scottish Support SS Strathclyde; summon E Northumbria",
        "cuts {1}'s lead among the English to one, and keeps Northumbria from the English",
    ),
    (
        BASIC,
        "Negotiate Moray <> Essex, disc Moray; summon E Essex",
        "cuts {1}'s lead among the English, who look strongest, to one",
    ),
    (
        BASIC,
        "Negotiate Essex <> Lancaster, disc Essex; summon W Lancaster",
        "strengthens the Scots, of whom {0} leads by one, in Lancaster, and has Lancaster resolved next, where the Scots lead, and Essex later",
    ),
    (ADVANCED, "Pass", "resolves Warwick for the Welsh, of whom {1} has as many as anyone"),
    (
        ADVANCED.replace("WAR SWWWE", "WAR SWWEE"),
        "Pass",
        "resolves Warwick without a winner: two more, and the French come",
    ),
    (TEAMS, "Pass", "saves a card: if everybody else passes too, Warwick becomes unstable"),
    (
        TEAMS,
        "Assemble S Lancaster, W Warwick; summon E Strathclyde",
        "takes Warwick for the Welsh, of whom {3} leads by one, and puts the Welsh ahead in Strathclyde",
    ),
    (
        TEAMS,
        "Outmanoeuvre S Moray <> EE Strathclyde; summon W Devon",
        "puts the Welsh, of whom {3} leads by two, ahead in Strathclyde",
    ),
    (MORDRED, "Pass", "resolves Aquae Sulis for Mordred, and ends the game"),
    (
        MANUAL,
        "summon R Aquae Sulis",
        "draws level with {0} among the Romano-British, and keeps Aquae Sulis from the Romano-British",
    ),
    (MANUAL, "Pass", "saves a card for the regions ahead"),
]


@each_row("line, turn, said", SAID)
def test_a_turn_has_its_reason(line: str, turn: str, said: str) -> None:
    read: Any = read_position(line)
    game, position = read
    moves = find_notation_plugin(game).reader(game, NAMES).read_turn(turn).moves
    after = position
    for move in moves:
        after, _ = game.play(after, move)
    assert StruggleJudge(game, STEADY).explain_turn(position, moves, after) == said


@each_row("game", [ruleset.game() for ruleset in struggles()], ids=lambda game: game.code)
def test_every_card_has_reasons(game: Struggle) -> None:
    rng = Random(SEED)
    positions = [each for each, _, _ in random_game(rng, 3, 0.3, game) if each.decision == "play"]
    for card in [name for name in game.cards if name != game.plot]:
        position = positions[rng.randrange(len(positions) // 2)]
        hands = replace_item(position.hands, position.to_act or 0, (card,))
        for turn, after in find_judge(game).rank_turns(position.replace(hands=hands), 3):
            said = find_judge(game).explain_turn(position.replace(hands=hands), turn, after)
            assert WELL_SAID.fullmatch(said), f"{card}: {said!r}, seed {SEED}"
            assert all(int(seat) < 3 for seat in SEAT.findall(said))
