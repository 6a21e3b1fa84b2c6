"""The engine's side of the conformance suite: a question in JSON, its answer in JSON.

Each game says in `record/conformance.py` of its room what may be asked about it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from tkid.kernel.plugins import games, plugin
from tkid.record.json.objects import JsonError
from tkid.record.json.positions import position_json, result_json
from tkid.rulebook.rulesets import UnknownRulesetError, ruleset

Question = Mapping[str, Any]
Answer = dict[str, Any]


class GameQuestions(ABC):
    """What may be asked about a game. `asked` are the kinds of questions: the methods of these names answer them."""

    asked: Sequence[str]

    @abstractmethod
    def position(self, value: Any) -> tuple[Any, Any]:
        """The game and the position of a JSON object. Raises JsonError."""

    @abstractmethod
    def move(self, game: Any, position: Any, value: Any) -> Any:
        """The move of a JSON object. Raises JsonError.

        None where it says clearly what is done, but nothing of the kind is ever done with its card.
        """

    def broken(self, game: Any, position: Any, move: Any) -> list[str]:
        """The rules that a move breaks."""
        return [violation.rule for violation in game.check(position, move)]

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
                raise JsonError(f"moves.{count}: not legal here ({', '.join(broken) or 'not a way to play its card'})")
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
        return picked(question, position_json(*self.situation(question)))

    def result(self, question: Question) -> Answer:
        """How the game has ended."""
        return result_json(*self.situation(question))


def picked(question: Question, attributes: Mapping[str, Any]) -> Answer:
    """The attributes that a question asks for, each by its path with full stops between. Raises JsonError."""
    paths = question.get("tell")
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise JsonError("tell: a list of names of attributes belongs here")
    answer: Answer = {}
    for path in paths:
        value: Any = attributes
        for step in path.split("."):
            try:
                value = value[int(step)] if isinstance(value, list) else value[step]
            except (KeyError, IndexError, TypeError, ValueError):
                raise JsonError(f"tell: there is no {path}") from None
        answer[path] = value
    return answer


def game_of(question: Question) -> Any:
    """The game of a question about a ruleset. Raises JsonError."""
    try:
        return ruleset(str(question.get("ruleset"))).game()
    except UnknownRulesetError as error:
        raise JsonError(f"ruleset: {error}") from None


# -- finding the answer -----------------------------------------------------------------------------------


def game_questions(game: str) -> GameQuestions:
    """What may be asked about a game, by its name."""
    questions: GameQuestions = plugin(game, "record/conformance")
    return questions


def answer(question: Question) -> Answer:
    """The answer to a question, with the number of its case; `problems` where it is not understood."""
    number = {"case": question["case"]} if "case" in question else {}
    try:
        return number | _answered(question)
    except JsonError as error:
        return number | {"problems": [{"rule": fault.rule, "message": fault.message} for fault in error.problems]}


def _answered(question: Question) -> Answer:
    """The answer to a question; an unknown ruleset is left to the first game, which says what is wrong."""
    position = question.get("position")
    codes = (question.get("ruleset"), position.get("ruleset") if isinstance(position, dict) else None)
    try:
        names = {ruleset(code).game_name for code in codes if isinstance(code, str)}
    except UnknownRulesetError:
        names = set()
    if len(names) > 1:
        raise JsonError("ruleset: the position is of another game")
    questions, kind = game_questions(names.pop() if names else games()[0]), question.get("ask")
    if not isinstance(kind, str) or kind not in questions.asked:
        raise JsonError(f"ask: one of {', '.join(questions.asked)} belongs here")
    answered: Answer = getattr(questions, kind)(question)
    return answered
