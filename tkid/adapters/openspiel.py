"""The games for OpenSpiel: import this to register `python_tkid`. Needs the extra `tkid[learning]`.

`pyspiel.load_game("python_tkid(ruleset=claim,players=2)")`. Chance deals the entropy of the game byte by byte, so that every
deal of the engine is possible, and as likely as there. `seed=7` deals that seed without chance, and a game with a `position`
begins there: if no cards are secret, such a game has perfect information.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import pyspiel
from attrs import define, field

from tkid.adapters.match import Match, make_full_layout, make_vocabulary
from tkid.kernel.game import HIDDEN, make_entropy
from tkid.notation.positions import read_position, write_position
from tkid.rulebook.rulesets import rulesets

BYTES, VALUES = 32, 256
"""The number of bytes of entropy, and of values of a byte."""
OUTCOMES = [(value, 1 / VALUES) for value in range(VALUES)]
"""The values of a byte, each as likely."""
LONGEST = 4096
"""Maximum number of choices in a game."""
RANDOM = -1
"""The seed of a game that chance deals."""
USUAL = {"ruleset": rulesets()[0].code, "players": 2, "seed": RANDOM, "position": ""}


def _make_type(*, dealt: bool, is_open: bool) -> pyspiel.GameType:
    chance, information = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name="python_tkid",
        long_name="The King is Dead, and Claim",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.DETERMINISTIC if dealt else chance.EXPLICIT_STOCHASTIC,
        information=information.PERFECT_INFORMATION if is_open else information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=USUAL,
    )


class TkidGame(pyspiel.Game):
    """A ruleset for a number of players."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen, position = {**USUAL, **(params or {})}, unquote(str((params or {}).get("position", "")))
        self.beginning = _begin_match(position) if position else None
        """Where the game begins, if chance deals nothing."""
        if self.beginning:
            stated = self.beginning.vocabulary
            chosen |= {"ruleset": stated.game.code, "players": stated.players, "seed": RANDOM}
            chosen["position"] = quote(position, safe="")  # commas end a value where OpenSpiel reads the game
            for name in ("ruleset", "players", "seed"):
                if params and params.get(name, chosen[name]) != chosen[name]:
                    raise ValueError(f"{name}={params[name]} contradicts the position; leave out one of the two")
        self.vocabulary = make_vocabulary(str(chosen["ruleset"]), int(chosen["players"]))
        if not position and int(chosen["seed"]) != RANDOM:
            self.beginning = Match.deal_game(self.vocabulary, make_entropy(int(chosen["seed"])))
        self.layout = make_full_layout(self.vocabulary)
        players, is_dealt = self.vocabulary.players, self.beginning is not None
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.vocabulary.words),
            max_chance_outcomes=0 if self.beginning else VALUES,
            num_players=players,
            min_utility=-1.0,
            max_utility=float(players - 1),
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(_make_type(dealt=is_dealt, is_open=is_dealt and not self.vocabulary.game.secret), info, chosen)

    def new_initial_state(self) -> TkidState:
        return TkidState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> TkidObserver:
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return TkidObserver(self, recalls=recalls, params=params)


def _begin_match(text: str) -> Match:
    """Begin a match in a position. Raises ValueError if its text is wrong or leaves cards unknown."""
    game, position = read_position(text)
    if HIDDEN in {card for hand in position.hands for card in hand}:
        raise ValueError("a position with hidden cards cannot be played on: name every card in hand")
    return Match(make_vocabulary(game.code, len(position.seats)), position)


@define
class Seen:
    """Everything that the seats have seen: the words of the deal and of each decision, and each seat's view, written on demand."""

    lines: list[list[str]]
    positions: list[Any] = field(factory=list)

    def __deepcopy__(self, _: dict[int, Any]) -> Seen:
        return Seen([[*lines] for lines in self.lines], [*self.positions])

    def list_lines(self, match: Match, seat: int) -> list[str]:
        lines = self.lines[seat]
        for number in range(len(lines), len(self.positions)):
            shown = match.game.view(self.positions[number], seat).shown
            told = match.told[number - 1 : number] if number else []
            lines.append("; ".join([*told, write_position(match.game, shown)]))
        return lines


class TkidState(pyspiel.State):
    """Entropy that is being dealt, then a match."""

    def __init__(self, game: TkidGame) -> None:
        super().__init__(game)
        self.vocabulary = game.vocabulary
        self.entropy = b""
        self.match: Match | None = None
        self.seen = Seen([[] for _ in range(game.vocabulary.players)])
        if game.beginning:
            self._begin(deepcopy(game.beginning))

    def _begin(self, match: Match) -> None:
        self.match = match
        self.seen.positions.append(match.position)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> TkidState:
        """Return a state as it may be for all that a player knows: hidden cards are drawn at random.

        It can be played on and copied, but not written: its cards are not those that chance has dealt.
        """
        state: TkidState = self.clone()
        if self.match is None:
            return state
        own = self.seen.list_lines(self.match, player)
        state.match = self.match.draw_match(player, Random(sampler()))  # noqa: S311 - a draw for a search
        others = ["", *self.match.told]
        state.seen = Seen([[*own] if seat == player else others[:-1] for seat in range(self.num_players())])
        state.seen.positions = [*self.seen.positions[:-1], state.match.position]
        return state

    def current_player(self) -> int:
        """Return the seat that chooses next, or the number of chance, or that of the end."""
        if self.match is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.match.to_act is None else self.match.to_act

    def _legal_actions(self, player: int) -> list[int]:
        assert self.match is not None
        return list(self.match.legal) if player == self.match.to_act else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return OUTCOMES

    def _apply_action(self, action: int) -> None:
        if self.match is None:
            self.entropy += bytes([action])
            if len(self.entropy) == BYTES:
                self._begin(Match.deal_game(self.vocabulary, self.entropy))
            return
        before = len(self.match.told)
        self.match.choose(action)
        if len(self.match.told) > before:
            self.seen.positions.append(self.match.position)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"entropy {action:02x}"
        return self.vocabulary.words[action]

    def is_terminal(self) -> bool:
        return self.match is not None and self.match.to_act is None

    def returns(self) -> list[float]:
        """Return the win of each seat: the winners share one stake from every seat."""
        return self.match.compute_payoffs() if self.match is not None else [0.0] * self.vocabulary.players

    def __str__(self) -> str:
        """Return the entropy so far, or the decisions."""
        if self.match is None:
            return f"entropy {self.entropy.hex()}"
        chosen = [self.vocabulary.words[word] for word in self.match.choosing.chosen]
        return "\n".join([*self.match.told, *([" ".join(chosen)] if chosen else [])])


class TkidObserver:
    """A player's observation: the numbers of `layout`, and the position's line; with perfect recall, all lines."""

    def __init__(self, game: TkidGame, *, recalls: bool, params: Any = None) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations: {params}")
        self._layout, self._recalls = game.layout, recalls
        self.tensor = np.zeros(game.layout.size, np.float32)
        self.dict: dict[str, Any] = {}
        place = 0
        for name, shape in game.layout.blocks.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[place : place + size].reshape(shape)
            place += size

    def set_from(self, state: TkidState, player: int) -> None:
        self.tensor.fill(0)
        if state.match is not None:
            self.tensor[:] = self._layout.join_values(state.match.observe(player))

    def string_from(self, state: TkidState, player: int) -> str:
        if state.match is None:
            return f"player {player} before the deal"
        chosen = " ".join(state.vocabulary.words[word] for word in state.match.choosing.chosen)
        lines = state.seen.list_lines(state.match, player)
        return "\n".join([f"player {player}", *(lines if self._recalls else lines[-1:]), chosen])


pyspiel.register_game(_make_type(dealt=False, is_open=False), TkidGame)
