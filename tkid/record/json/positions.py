"""Positions and replays as JSON, and the interface that every game implements for JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cattrs.gen import make_dict_unstructure_fn, override

from tkid.kernel.game import HIDDEN, AnyGame, Position, fill_names
from tkid.kernel.plugins import find_plugin, list_game_names
from tkid.notation.plugin import find_notation_plugin, find_turn_reader
from tkid.notation.position_errors import PositionDataError, PositionError
from tkid.notation.positions import write_position
from tkid.record.format.model import Record
from tkid.record.json.objects import JsonError, convert_json, find_position_game, make_converter, truncate_value
from tkid.record.play.replay import TITLES, Moment, Replay, find_early_end
from tkid.rulebook.rulesets import UnknownRulesetError, find_readings, ruleset

Question = Mapping[str, Any]
Answer = dict[str, Any]


class GameJson:
    """Positions of a game as JSON, what is legal in them, and the answers to the conformance suite.

    `asked` are the kinds of questions: the methods of these names answer them. What has a body
    here is for games in which a turn is one move, and nobody passes; a position is its line.
    """

    asked: Sequence[str] = ("legal", "after", "result")

    def position_json(self, game: Any, position: Any) -> dict[str, Any]:
        """Return a position as the documented JSON object; `ruleset` is its code."""
        return {
            "ruleset": game.code,
            "position": write_position(game, position),
            "decision": position.decision,
            "to_act": position.to_act,
            "ending": position.ending,
            "winners": list(position.winners),
            "rulings": find_readings(game),
        }

    def read_position_json(self, value: Any) -> tuple[Any, Any]:
        """Read the game and the position of a JSON object. Raises JsonError with every fault found."""
        game = find_position_game(value.get("ruleset"), value.get("rulings", {}))
        try:
            return game, find_notation_plugin(game).positions.read_line(game, str(value.get("position", "")))
        except PositionError as error:
            raise JsonError(*(f"position: {problem.message}" for problem in error.problems)) from None

    def legal_json(self, game: Any, position: Any) -> dict[str, Any]:
        """Say if a pass is legal, and count the resolutions of each card in hand; `unknown` cards apart."""
        cards = dict.fromkeys(map(game.words.write_move, game.legal(position)), 1)
        return {"pass": False, "cards": cards} | count_unknown_cards(position)

    def legal_lines(self, game: Any, position: Any, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one line of `tkid legal --jsonl` about a position. Raises JsonError."""
        typed = request.get("card")
        if typed is None:
            return self.legal_texts(game, position)
        card = self.find_card(game, typed) if isinstance(typed, str) else None
        if card is None:
            raise JsonError(f"card: {truncate_value(typed)} is not a card of {game.code}")
        if position.to_act is None:
            raise JsonError("position: the game is over")
        return {"resolutions": self.list_resolutions(game, position, card)}

    def legal_texts(self, game: Any, position: Any) -> dict[str, Any]:
        """Return the legal turns of a position as texts."""
        cards = {game.words.write_move(move): [""] for move in game.legal(position)}
        return {"pass": False, "cards": cards} | count_unknown_cards(position)

    def find_card(self, game: Any, typed: str) -> Any | None:
        """Find the card of a name, or None."""
        return next(iter(find_turn_reader(game).read_turn(typed).moves), None)

    def list_resolutions(self, game: Any, position: Any, card: Any) -> list[str]:
        """List the legal resolutions of a card for the seat to act, as texts, even if the card isn't in hand."""
        return [""] if card in game.legal(position) else []

    def explain_undecided(self, game: Any, position: Any) -> str:
        """Return the reason why a position has no result yet."""
        return "position: the game is not finished"

    def read_position(self, value: Any) -> tuple[Any, Any]:
        """Read game and position of a question from a JSON object. Raises JsonError."""
        return self.read_position_json(value)

    def read_move(self, game: Any, position: Any, value: Any) -> Any:
        """Read a move from JSON or text; None for a clear object that its card never does. Raises JsonError."""
        moves = find_turn_reader(game).read_turn(value).moves if isinstance(value, str) else ()
        if not moves:
            raise JsonError("move: a turn as text belongs here")
        return moves[0]

    def write_move(self, game: Any, move: Any) -> Any:
        """Write a move as `read_move` reads it."""
        return game.words.write_move(move)

    def find_broken_rules(self, game: Any, position: Any, move: Any) -> list[str]:
        """Find the rules that a move breaks."""
        return [violation.rule for violation in game.check(position, move)]

    def find_situation(self, question: Question) -> tuple[Any, Any]:
        """Return game and position of a question, after the moves that are played first. Raises JsonError."""
        game, position = self.read_position(question.get("position"))
        moves = question.get("moves", [])
        if not isinstance(moves, list):
            raise JsonError("moves: a list belongs here")
        for count, value in enumerate(moves):
            move = self.read_move(game, position, value)
            broken = [] if move is None else self.find_broken_rules(game, position, move)
            if move is None or broken:
                raise JsonError(f"moves.{count}: not legal here ({', '.join(broken) or 'not a way to play its card'})")
            position, _ = game.play(position, game.canonical(position, move))
        return game, position

    def legal(self, question: Question) -> Answer:
        """Say if the seat to act may make a move, and list the rules that it would break."""
        game, position = self.find_situation(question)
        move = self.read_move(game, position, question.get("move"))
        broken = [] if move is None else self.find_broken_rules(game, position, move)
        return {"legal": move is not None and not broken, "rules": list(dict.fromkeys(broken))}

    def after(self, question: Question) -> Answer:
        """Return attributes of the position after the moves."""
        return pick_attributes(question, self.position_json(*self.find_situation(question)))

    def result(self, question: Question) -> Answer:
        """Return the result of the game."""
        return result_json(*self.find_situation(question))


class DataJson(GameJson):
    """Positions of a game as attributes of JSON.

    `data` is the class of the game's position data; `write` makes it of a game, a position and the readings that differ
    from the defaults, and `read` makes a position of a game and the data. The `optional` attributes are left out where
    they have their default.
    """

    def __init__(
        self,
        data: type[Any],
        write: Callable[[Any, Any, Mapping[str, str]], Any],
        read: Callable[[Any, Any], Any],
        optional: Sequence[str],
    ) -> None:
        self._data, self._write, self._read = data, write, read
        self._converter = make_converter()
        left_out: dict[str, Any] = {name: override(omit_if_default=True) for name in optional}
        self._converter.register_unstructure_hook(data, make_dict_unstructure_fn(data, self._converter, **left_out))

    def position_json(self, game: Any, position: Any) -> dict[str, Any]:
        value: dict[str, Any] = self._converter.unstructure(self._write(game, position, find_readings(game)))
        return value

    def read_position_json(self, value: Any) -> tuple[Any, Any]:
        data = convert_json(value, self._data, self._converter)
        game = find_position_game(data.ruleset, data.rulings)
        try:
            return game, self._read(game, data)
        except PositionDataError as error:
            raise JsonError(*(f"position.{fault}" for fault in error.faults)) from None


def pick_attributes(question: Question, attributes: Mapping[str, Any]) -> Answer:
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


def find_question_game(question: Question) -> Any:
    try:
        return ruleset(str(question.get("ruleset"))).game()
    except UnknownRulesetError as error:
        raise JsonError(f"ruleset: {error}") from None


def count_unknown_cards(position: Any) -> dict[str, int]:
    """Count the unknown cards of the seat to act, as an attribute of what is legal; {} if all are known."""
    hidden = 0 if position.to_act is None else position.hands[position.to_act].count(HIDDEN)
    return {"unknown": hidden} if hidden else {}


def find_game_json(game: str) -> GameJson:
    return find_plugin(game, "record/json", GameJson)


def position_json(game: AnyGame, position: Position) -> dict[str, Any]:
    """Write a position as the documented JSON object.

    Args:
        game: the game.
        position: the position.

    Returns:
        The object, with the ruleset and the readings of the game.
    """
    return find_game_json(game.name).position_json(game, position)


def read_position_json(value: Any) -> tuple[AnyGame, Any]:
    """Read a position from a JSON object.

    Args:
        value: the object. If it names no known ruleset, the first game says what is wrong.

    Returns:
        The game and the position.

    Raises:
        JsonError: the object describes no position; the problems name every fault.
    """
    code = value.get("ruleset") if isinstance(value, dict) else None
    if isinstance(value, dict) and "ruleset" not in value:
        raise JsonError("position.ruleset: 'ruleset' is missing")
    try:
        name = ruleset(code).game_name if isinstance(code, str) else list_game_names()[0]
    except UnknownRulesetError:
        name = list_game_names()[0]
    return find_game_json(name).read_position_json(value)


def moment_json(record: Record, moment: Moment, *, legal: bool = False) -> dict[str, Any]:
    turn, game = moment.turn, record.game
    line: dict[str, Any] = {"turn": 0}
    if turn is not None:
        line = {
            "turn": turn.number,
            "seat": turn.seat,
            "move": fill_names(game.words.write_turn(moment.moves), record.names),
            "moves": [find_game_json(game.name).write_move(game, move) for move in moment.moves],
            "hash": moment.hash,
            "events": [{"rule": event.rule, "text": event.read(record.names)} for event in moment.events],
        }
    line["position"] = position_json(game, moment.position)
    return line | ({"legal": legal_json(game, moment.position)} if legal else {})


def legal_json(game: AnyGame, position: Position) -> dict[str, Any]:
    return find_game_json(game.name).legal_json(game, position)


def read_requested_position(request: Mapping[str, Any]) -> tuple[AnyGame, Position]:
    """Read the position of a request, which may be the position alone. Raises JsonError."""
    if "position" in request or "ruleset" in request:
        return read_position_json(request.get("position", request))
    raise JsonError('There is no `position`. Write {"position": {...}}, or the position alone')


def legal_lines(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one line of `tkid legal --jsonl`. Raises JsonError."""
    game, position = read_requested_position(request)
    return find_game_json(game.name).legal_lines(game, position, request)


def result_json(game: AnyGame, position: Position) -> dict[str, Any]:
    """Answer one line of `tkid result --jsonl`: the result of a finished game. Raises JsonError."""
    result = game.result(position)
    if result is None:
        raise JsonError(find_game_json(game.name).explain_undecided(game, position))
    seats = [f"seat {seat}" for seat in position.seats]
    chain = [{"rule": step.rule, "text": fill_names(step.text, seats)} for step in result.chain]
    return {"ending": result.ending, "winners": list(result.winners), "chain": chain}


def list_replay_lines(played: Replay, *, legal: bool) -> Iterator[dict[str, Any]]:
    """Yield the lines of `tkid replay --json`; the last one says how a game ended that its rules did not end."""
    end = find_early_end(played)
    for moment in played.moments:
        line = moment_json(played.record, moment, legal=legal)
        if end is not None and moment is played.last:
            line |= {"ending": TITLES[end.how], "winners": list(end.winners)}
        yield line
