"""What a club tells other programs: a turn, or the end of a game, as a spectator may know it, as a small JSON object."""

from __future__ import annotations

import json
from typing import Any

from tkid.club.pages.facts import GameFacts, turn_facts
from tkid.club.pages.frame import Club
from tkid.club.pages.parts import game_page
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

TURN, END = "game.turn", "game.end"


def turns_of(shown: Replay) -> tuple[int, ...]:
    """The numbers of the turns that are published, those that were taken back too."""
    return tuple(turn.number for turn in shown.record.turns)


@cites("club.hooks.sent")
def turn_event(club: Club, game: GameFacts, shown: Replay, number: int) -> str | None:
    """The text about a turn; None where there is no such turn any more."""
    index = next((n for n, moment in enumerate(shown.moments) if moment.turn and moment.turn.number == number), None)
    if index is None:
        return None
    moment = shown.moments[index]
    assert moment.turn is not None
    told = turn_facts(shown, index)
    data = {
        "turn": number,
        "player": game.names[moment.turn.seat],
        "line": moment.line,
        "told": told.told,
        "taken_back": moment.turn.undone,
        "next": None if moment.position.to_act is None else game.names[moment.position.to_act],
    }
    return _written(TURN, told.time.isoformat() if told.time else None, _about(club, game) | data)


def end_event(club: Club, game: GameFacts) -> str:
    """The text about the end of a game."""
    data = {
        "turns": game.turns,
        "ending": game.ending,
        "winners": [game.names[seat] for seat in game.winners],
        "result": game.result,
        "told": game.headline,
    }
    return _written(END, game.ended.isoformat() if game.ended else None, _about(club, game) | data)


def _about(club: Club, game: GameFacts) -> dict[str, Any]:
    return {
        "game": game.slug,
        "title": game.title,
        "ruleset": game.ruleset,
        "players": list(game.names),
        "page": club.address(game_page(game)) or None,
    }


def _written(kind: str, time: str | None, data: dict[str, Any]) -> str:
    return json.dumps({"type": kind, "timestamp": time, "data": data}, ensure_ascii=False, separators=(",", ":"))
