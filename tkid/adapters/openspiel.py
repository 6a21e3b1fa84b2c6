"""The games for OpenSpiel: importing this registers `python_tkid`; needs `pip install 'tkid[learning]'`.

`pyspiel.load_game("python_tkid(ruleset=claim,players=2)")`. Chance deals the entropy of the game byte by byte, so that every
deal of the engine is possible and as likely as there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from tkid.adapters.match import Match, make_full_layout, make_vocabulary
from tkid.notation.positions import write_position
from tkid.rulebook.rulesets import rulesets

BYTES, VALUES = 32, 256
"""The number of bytes of entropy, and of values of a byte."""
LONGEST = 4096
"""Maximum number of choices in a game."""
USUAL = {"ruleset": rulesets()[0].code, "players": 2}

_TYPE = pyspiel.GameType(
    short_name="python_tkid",
    long_name="The King is Dead, and Claim",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
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
        chosen = {**USUAL, **(params or {})}
        self.vocabulary = make_vocabulary(str(chosen["ruleset"]), int(chosen["players"]))
        self.layout = make_full_layout(self.vocabulary.game, self.vocabulary)
        players = self.vocabulary.players
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.vocabulary.words),
            max_chance_outcomes=VALUES,
            num_players=players,
            min_utility=-1.0,
            max_utility=float(players - 1),
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(_TYPE, info, chosen)

    def new_initial_state(self) -> TkidState:
        return TkidState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> TkidObserver:
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return TkidObserver(self, recalls=recalls, params=params)


class TkidState(pyspiel.State):
    """Entropy that is being dealt, then a match."""

    def __init__(self, game: TkidGame) -> None:
        super().__init__(game)
        self.vocabulary = game.vocabulary
        self.entropy = b""
        self.match: Match | None = None
        self.views: list[list[str]] = [[] for _ in range(game.vocabulary.players)]

    def current_player(self) -> int:
        """Return the seat that chooses next, or the number of chance, or that of the end."""
        if self.match is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.match.to_act is None else self.match.to_act

    def _legal_actions(self, player: int) -> list[int]:
        assert self.match is not None
        return list(self.match.legal) if player == self.match.to_act else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every value of a byte, each as likely."""
        return [(value, 1 / VALUES) for value in range(VALUES)]

    def _apply_action(self, action: int) -> None:
        if self.match is None:
            self.entropy += bytes([action])
            if len(self.entropy) == BYTES:
                self.match = Match.deal_game(self.vocabulary, self.entropy)
                self._note_views()
            return
        before = len(self.match.told)
        self.match.choose(action)
        if len(self.match.told) > before:
            self._note_views()

    def _note_views(self) -> None:
        assert self.match is not None
        for seat, views in enumerate(self.views):
            shown = self.match.game.view(self.match.position, seat).shown
            told = self.match.told[-1:] if views else []
            views.append("; ".join([*told, write_position(self.match.game, shown)]))

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
        views = state.views[player] if self._recalls else state.views[player][-1:]
        return "\n".join([f"player {player}", *views, chosen])


pyspiel.register_game(_TYPE, TkidGame)
