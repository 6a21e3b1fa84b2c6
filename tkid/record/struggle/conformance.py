"""The engine's side of the conformance suite: a question in JSON, its answer in JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tkid.games.struggle.board import NOWHERE
from tkid.games.struggle.endings import ranking
from tkid.games.struggle.game import Struggle
from tkid.games.struggle.moves import Copy, Move, Play, Summon
from tkid.games.struggle.position import Position
from tkid.games.struggle.setup import Deal
from tkid.kernel.game import with_names
from tkid.record.json import result_json
from tkid.record.structured import JsonError
from tkid.record.struggle.json import position_json, read_position_json
from tkid.record.struggle.moves_json import NoSuchResolutionError, read_move_json, resolution_json
from tkid.rulesets import UnknownRulesetError, ruleset

Question = Mapping[str, Any]
Answer = dict[str, Any]


def answer(question: Question) -> Answer:
    """The answer to a question, with the number of its case; `problems` where it is not understood."""
    number = {"case": question["case"]} if "case" in question else {}
    try:
        return number | _asked(question)(question)
    except JsonError as error:
        return number | {
            "problems": [{"rule": problem.rule, "message": problem.message} for problem in error.problems],
        }


def _asked(question: Question) -> Callable[[Question], Answer]:
    """The function that answers a question of its kind."""
    asked = question.get("ask")
    if not isinstance(asked, str) or asked not in ASKED:
        raise JsonError(f"ask: one of {', '.join(ASKED)} belongs here")
    return ASKED[asked]


def _game(question: Question) -> Struggle:
    """The game of a question about a ruleset."""
    try:
        game: Struggle = ruleset(str(question.get("ruleset"))).game()
    except UnknownRulesetError as error:
        raise JsonError(f"ruleset: {error}") from None
    return game


def _borders(question: Question) -> Answer:
    board = _game(question).board
    codes = [region.code for region in board.regions]
    code = question.get("region")
    if code not in codes:
        raise JsonError(f"region: one of {', '.join(codes)} belongs here")
    return {"borders": [codes[other] for other in board.neighbours[codes.index(code)]]}


def _setup(question: Question) -> Answer:
    game, players = _game(question), question.get("players")
    if type(players) is not int or players not in game.parties:
        raise JsonError(f"players: one of {', '.join(map(str, game.parties))} belongs here")
    setup, board, hands = game.setup, game.board, game.hands
    letters = [faction.letter for faction in board.factions]
    total = setup.total(board, players)
    told = {
        "followers": dict(zip(letters, total, strict=True)),
        "home": {
            board.regions[home].code: {letter: setup.home}
            for letter, home in zip(letters, board.homes, strict=True)
            if home != NOWHERE
        },
        "region": setup.region,
        "court": setup.court,
        "supply": sum(total) - setup.court * players - setup.region * len(board.regions),
        "negotiation_discs": setup.negotiation_discs,
        "instability_discs": game.invaders,
        "track": len(board.regions),
        "hand": list(hands.same),
        "cunning": list(hands.deck),
        "cunning_dealt": hands.dealt,
        "teams": [list(party) for party in game.parties[players]],
    }
    return _told(question, told)


def _dealt(question: Question) -> Answer:
    game, position = read_position_json(question.get("position"))
    if position.to_act is None:
        return {"proper": False, "rules": [game.ids("setup.first")]}
    deal = Deal(position.regions, position.supply, position.courts, position.hands, position.track, position.to_act)
    broken = [violation.rule for violation in game.faults(deal)]
    start = game.start(game.table(tuple(map(str, position.seats))), deal)
    if start != position:
        broken.append(game.ids("setup.discs"))
    return {"proper": not broken, "rules": broken}


def _situation(question: Question) -> tuple[Struggle, Position]:
    """The position of a question, after the moves that are played first."""
    game, position = read_position_json(question.get("position"))
    if position.decision == "play" and position.contested is None:
        raise JsonError("position.decision: every region is resolved, so nobody plays")
    moves = question.get("moves", [])
    if not isinstance(moves, list):
        raise JsonError("moves: a list belongs here")
    for count, value in enumerate(moves):
        move = _move(game, position, value)
        broken = _broken(game, position, move)
        if move is None or broken:
            raise JsonError(f"moves.{count}: not legal here ({', '.join(broken) or 'no resolution of its card'})")
        position, _ = game.play(position, game.canonical(position, move))
    return game, position


def _move(game: Struggle, position: Position, value: Any) -> Move | None:
    """A move; None where its card can do nothing of the kind."""
    try:
        move = read_move_json(game, value)
    except NoSuchResolutionError:
        return None
    if isinstance(move, Play) and isinstance(move.resolution, Copy) and move.resolution.seat not in position.seats:
        raise JsonError(f"resolution.seat: there is no seat {move.resolution.seat}")
    return move


def _broken(game: Struggle, position: Position, move: Move | None) -> list[str]:
    """The rules that a move breaks; none that can be named for what no card does."""
    if move is None:
        return []
    if isinstance(move, Play) and move.card in game.absent:
        return [game.ids(game.absent[move.card])]
    return [violation.rule for violation in game.check(position, move)]


def _legal(question: Question) -> Answer:
    game, position = _situation(question)
    move = _move(game, position, question.get("move"))
    broken = _broken(game, position, move)
    return {"legal": move is not None and not broken, "rules": list(dict.fromkeys(broken))}


def _resolutions(question: Question) -> Answer:
    game, position = _situation(question)
    card = question.get("card")
    if not isinstance(card, str) or card not in game.cards:
        raise JsonError(f"card: {card!r} is no card of {game.code}")
    if position.to_act is None:
        raise JsonError("position: the game is over")
    numbers = [str(seat + 1) for seat in position.seats]
    return {
        "resolutions": [
            {"text": with_names(game.words.resolution(each), numbers), **resolution_json(game, each)}
            for each in game.options(position, card)
        ]
    }


def _summons(question: Question) -> Answer:
    game, position = _situation(question)
    if position.decision != "summon":
        raise JsonError("position: no summons is due")
    board = game.board
    return {
        "summons": [
            {
                "text": game.words.summon(move.faction, move.region),
                "faction": board.factions[move.faction].letter,
                "region": board.regions[move.region].code,
            }
            for move in game.legal(position)
            if isinstance(move, Summon)
        ]
    }


def _after(question: Question) -> Answer:
    game, position = _situation(question)
    return _told(question, position_json(game, position))


def _told(question: Question, all_of_it: Mapping[str, Any]) -> Answer:
    """The attributes that a question asks for, each by its path with full stops between."""
    wanted = question.get("tell")
    if not isinstance(wanted, list) or not all(isinstance(path, str) for path in wanted):
        raise JsonError("tell: a list of names of attributes belongs here")
    found: Answer = {}
    for path in wanted:
        value: Any = all_of_it
        for step in path.split("."):
            try:
                value = value[int(step)] if isinstance(value, list) else value[step]
            except (KeyError, IndexError, TypeError, ValueError):
                raise JsonError(f"tell: there is no {path}") from None
        found[path] = value
    return found


def _power(question: Question) -> Answer:
    game, position = _situation(question)
    return {"power": [game.board.factions[faction].letter for faction in ranking(position, game.board.apart)]}


def _result(question: Question) -> Answer:
    return result_json(*_situation(question))


ASKED: Mapping[str, Callable[[Question], Answer]] = {
    "borders": _borders,
    "setup": _setup,
    "dealt": _dealt,
    "resolutions": _resolutions,
    "summons": _summons,
    "legal": _legal,
    "after": _after,
    "power": _power,
    "result": _result,
}
"""What may be asked, each with the function that answers."""
