"""Questions of the conformance suite that every family is asked: about a position, and the moves played first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from tkid.record.json.objects import JsonError
from tkid.record.json.positions import position_json, result_json
from tkid.rulebook.rulesets import UnknownRulesetError, ruleset

Question = Mapping[str, Any]
Answer = dict[str, Any]


@frozen
class Asking:
    """What is asked about positions in the same way, whatever is played, and what it takes of a family.

    `position` is the game and the position of a JSON object. `move` is the move of one in a position; None where it says
    clearly what is done, but nothing of the kind is ever done with its card. `broken` are the rules that a move breaks.
    """

    position: Callable[[Any], tuple[Any, Any]]
    move: Callable[[Any, Any, Any], Any]
    broken: Callable[[Any, Any, Any], list[str]]

    def situation(self, question: Question) -> tuple[Any, Any]:
        """The game and the position of a question, after the moves that are played first. Raises JsonError."""
        game, position = self.position(question.get("position"))
        moves = question.get("moves", [])
        if not isinstance(moves, list):
            raise JsonError("moves: a list belongs here")
        for count, value in enumerate(moves):
            move = self.move(game, position, value)
            broken = [] if move is None else self.broken(game, position, move)
            if move is None or broken:
                raise JsonError(f"moves.{count}: not legal here ({', '.join(broken) or 'no resolution of its card'})")
            position, _ = game.play(position, game.canonical(position, move))
        return game, position

    def legal(self, question: Question) -> Answer:
        """Whether the seat to act may make a move, and the rules that it would break."""
        game, position = self.situation(question)
        move = self.move(game, position, question.get("move"))
        broken = [] if move is None else self.broken(game, position, move)
        return {"legal": move is not None and not broken, "rules": list(dict.fromkeys(broken))}

    def after(self, question: Question) -> Answer:
        """What the position is after the moves."""
        return told(question, position_json(*self.situation(question)))

    def result(self, question: Question) -> Answer:
        """How the game has ended."""
        return result_json(*self.situation(question))


@frozen
class GameQuestions:
    """What may be asked about a game: how its positions and moves are read, and the function that answers each question."""

    asking: Asking
    asked: Mapping[str, Callable[[Question], Answer]]


def told(question: Question, all_of_it: Mapping[str, Any]) -> Answer:
    """The attributes that a question asks for, each by its path with full stops between. Raises JsonError."""
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


def game_of(question: Question) -> Any:
    """The game of a question about a ruleset. Raises JsonError."""
    try:
        return ruleset(str(question.get("ruleset"))).game()
    except UnknownRulesetError as error:
        raise JsonError(f"ruleset: {error}") from None
