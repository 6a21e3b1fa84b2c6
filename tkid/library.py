"""The shortest way from Python to a game: deal one, list its legal moves, play turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from secrets import token_bytes
from typing import Any

from tkid.kernel.game import Position, make_entropy, name_players
from tkid.kernel.pickling import PortableError
from tkid.kernel.problems import Problem
from tkid.kernel.values import check_kind
from tkid.record.format.new_game import new_record
from tkid.record.format.seal import BYTES
from tkid.record.play.replay import NOT_PLAYED, Replay, append, replay
from tkid.render.frames import draw_moment, make_views
from tkid.render.picture import write_svg_document


class TurnError(PortableError, ValueError):
    """A turn could not be played. `problems` are the reasons, each with its rule and its place in the text."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "; ".join(f"{problem.told} [{problem.rule}]" for problem in self.problems)


def new_game(
    ruleset: str = "second-edition",
    players: int | Sequence[str] = 2,
    *,
    seed: int | None = None,
    title: str = "",
    first: str = "",
    rulings: Iterable[str] = (),
) -> Replay:
    """Deal a new game.

    Args:
        ruleset: the ruleset's code; `tkid.rulesets()` lists them all.
        players: their names in turn order, or their number.
        seed: the same number deals the same game. Without it, the deal is random.
        title: the game's name.
        first: the start player's name. Without it, the start player is drawn.
        rulings: rulings that differ from the defaults, each as `ID OPTION`.

    Returns:
        The game before its first turn: a replay with `record`, `position` and `moments`.

    Raises:
        NewGameError: the ruleset does not exist, or the number of players, a name or a ruling is wrong.
        TypeError: an argument has the wrong type, such as a set of names, which has no order.
    """
    check_kind(ruleset, str, "is not the code of a ruleset, such as 'second-edition'")
    check_kind(players, int | Sequence, "is not a number of players, or a list of their names in turn order")
    check_kind(first, str, "is not the name of the start player")
    names = name_players(players) if isinstance(players, int) else players
    entropy = token_bytes(BYTES) if seed is None else make_entropy(seed)
    return replay(new_record(ruleset, names, entropy, title=title, first=first, rulings=rulings))


def legal(played: Replay) -> Sequence[Any]:
    """List the legal moves of the next decision.

    Args:
        played: the game so far.

    Returns:
        A lazy sequence: `len`, indexing and `in` do not build it. It is empty once the game is over.
    """
    check_kind(played, Replay, NOT_PLAYED)
    return played.record.game.legal(played.position)


def legal_turns(played: Replay) -> Iterator[tuple[Any, ...]]:
    """Go through the legal turns of the player to act: the moves of each, such as a card and a summons.

    Args:
        played: the game so far.

    Returns:
        An iterator. There may be thousands of turns, so take only as many as you need.
    """
    check_kind(played, Replay, NOT_PLAYED)
    game = played.record.game

    def complete(position: Position, turn: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        for move in game.legal(position):
            after, _ = game.play(position, move)
            yield from complete(after, (*turn, move)) if game.turn_continues(after) else [(*turn, move)]

    return complete(played.position, ())


def play(played: Replay, turn: str | Sequence[Any]) -> Replay:
    """Play one turn of the player to act.

    Args:
        played: the game so far, which stays as it is.
        turn: the turn as text in the notation, or its moves.

    Returns:
        The game with the turn.

    Raises:
        TurnError: the turn cannot be read, or breaks a rule.
        TypeError: the game is no replay, or the turn is neither text nor a sequence of moves.
    """
    check_kind(played, Replay, NOT_PLAYED)
    if not isinstance(turn, str | Sequence) or (
        not isinstance(turn, str) and any(isinstance(each, str) for each in turn)
    ):
        raise TypeError(f"{turn!r} is no turn; a turn is text such as 'Pass', or the moves of `tkid.legal_turns`")
    longer = append(played, turn)
    if longer.problems:
        raise TurnError(longer.problems)
    return longer


def draw(played: Replay, moment: int = -1, seat: int | None = None) -> str:
    """Draw the board after a turn, as one seat may see it.

    Args:
        played: the game so far.
        moment: a place in `played.moments`; by default, the last one.
        seat: the viewer's seat, from 0. None is a spectator, who sees everything after the end of the game.

    Returns:
        An SVG document. Notebooks draw replays by themselves.

    Raises:
        ValueError: the game has no such seat.
        IndexError: the game has no such moment.
    """
    check_kind(played, Replay, NOT_PLAYED)
    known, views = make_views(played, seat)
    if not -len(views) <= moment < len(views):
        raise IndexError(f"the game has no moment {moment}; they are 0 to {len(views) - 1}")
    at = range(len(views))[moment]
    return write_svg_document(draw_moment(known, at, seat, views[at], layout="board"))
