"""The players that are programs, by name; and two of them, the random and the greedy one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from attrs import Factory, define, frozen

from tkid.bots.player import Choice, Player, Turn, add_in_order, apply_turn, check_asked, find_party, make_random
from tkid.bots.search import Judging, Search
from tkid.kernel.game import AnyGame, AnyView
from tkid.kernel.pickling import Portable
from tkid.record.format import model
from tkid.rulebook import cites

WORLDS = 12
"""Number of positions looked at if cards are hidden; all fit the view."""
WIDEST = 48
"""Maximum number of turns compared."""


class Greedy(Judging):
    """A player that picks the turn with the best position; hidden cards are averaged over some worlds."""

    def list_best_turns(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:
        check_asked(view, thought, most)
        worlds = self.judge.sample_positions(view, WORLDS, make_random(self.game, view, "greedy"))
        party = find_party(self.game, view.shown)
        wide = max(1, min(WIDEST, thought // len(worlds)))
        first, *others = worlds
        found = []
        for turn, after in self.judge.rank_turns(first, wide):
            values = [self.judge.estimate_chances(after)[party]]
            values += [self.judge.estimate_chances(apply_turn(self.game, world, turn))[party] for world in others]
            found.append(Choice(turn, add_in_order(values) / len(values)))
        return tuple(sorted(found, key=lambda choice: choice.value, reverse=True)[:most])


@frozen
class RandomPlayer(Portable):
    """A player that picks a random legal turn, each decision with the same chance."""

    game: AnyGame

    def choose(self, view: AnyView, thought: int) -> Turn:
        """Pick random decisions until the turn is over."""
        check_asked(view, thought)
        chance, position = make_random(self.game, view, "random"), view.shown
        turn: list[Any] = []
        while not turn or self.game.turn_continues(position):
            legal = self.game.legal(position)
            turn.append(legal[chance.randrange(len(legal))])
            position, _ = self.game.apply(position, turn[-1])
        return tuple(turn)

    def list_best_turns(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:  # noqa: ARG002 - one is all it has
        return (Choice(self.choose(view, thought), 1 / len(self.game.parties[len(view.shown.seats)])),)


PLAYERS: Mapping[str, Callable[[AnyGame], Player]] = dict(
    zip(model.PLAYERS, (RandomPlayer, Greedy, Search), strict=True)
)
"""Makers of the players, by name, the weakest first."""
COMMAND = "cmd:"
"""Prefix of the command of another program that plays."""


def find_player(game: AnyGame, name: str) -> Player:
    """Return a player by name.

    Args:
        game: the game that is played.
        name: `random`, `greedy` or `search`; or `cmd:` and the command of another program, which the player runs.

    Returns:
        The player. What tkid's own players choose doesn't depend on what they played before.

    Raises:
        LookupError: no player has that name; the message lists the known ones.
    """
    if name.startswith(COMMAND):
        from tkid.bots.engine import Engine  # noqa: PLC0415 - few games have such a program, and starting up is slower

        return Engine(game, name.removeprefix(COMMAND))
    if name not in PLAYERS:
        raise LookupError(f"there is no player {name!r}; known are {', '.join(PLAYERS)}")
    return PLAYERS[name](game)


@define
class HouseEngine:
    """The program that the owner of a host lets play as `engine`. If no program is named, or it fails, `search` plays.

    `failures` are the reasons that are not logged yet. After a failure the program rests until `rest_end`, so that it
    doesn't delay each mail.
    """

    command: str = ""
    folder: Path | None = None
    failures: list[str] = Factory(list)
    rest_end: float = 0.0

    @cites("club.bots")
    def choose(self, game: AnyGame, view: AnyView) -> Turn:
        if self.command and monotonic() >= self.rest_end:
            from tkid.bots.engine import Engine  # noqa: PLC0415 - as above

            engine = Engine(game, self.command, self.folder, HOUSE_SECONDS)
            try:
                return engine.choose(view, model.BY_MAIL)
            except Exception as error:  # noqa: BLE001 - no program stops a game
                self.failures.append(str(error))
                self.rest_end = monotonic() + REST
            finally:
                engine.close()
        return PLAYERS[model.PLAYERS[-1]](game).choose(view, model.BY_MAIL)


HOUSE_SECONDS, REST = 3.0, 600.0
"""Seconds that a program has for a turn at a host, and for which it isn't asked after a failure."""
HOUSE = HouseEngine()
"""The program of the host that this process works for."""
