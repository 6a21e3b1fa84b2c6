"""The games as PettingZoo environments: `env("second-edition")`. Needs the extra `tkid[learning]`."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from tkid.adapters.match import Match, make_full_layout, make_vocabulary

HIGHEST = 127.0
"""Maximum number in an observation."""


def env(ruleset: str, players: int = 2) -> AECEnv:
    """Make an environment with the usual wrappers: wrong actions end the game; observing before `reset` is an error.

    Args:
        ruleset: the code of a ruleset, as `tkid rulesets` lists them.
        players: how many play.

    Returns:
        The environment; an action is the index of a word in `env.unwrapped.words`.

    Raises:
        LookupError: the ruleset does not exist, or is not for so many.
    """
    checked = wrappers.AssertOutOfBoundsWrapper(raw_env(ruleset, players))
    return wrappers.OrderEnforcingWrapper(checked)


class raw_env(AECEnv):  # noqa: N801 - PettingZoo calls it so
    """A game in which every step is one word of a decision.

    An observation is a dictionary: `observation` holds the numbers of `layout` in one row, `action_mask` a 1 for each
    word that may be chosen. Rewards come at the end: the winners share one stake from every seat.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "tkid_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, ruleset: str, players: int = 2) -> None:
        super().__init__()
        self.vocabulary = make_vocabulary(ruleset, players)
        self.render_mode = "ansi"
        self.words = self.vocabulary.words
        self.layout = make_full_layout(self.vocabulary)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.action_spaces = {agent: spaces.Discrete(len(self.words)) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, HIGHEST, (self.layout.size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (len(self.words),), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - the protocol
        """Deal a new game; the same seed deals the same."""
        self.match = Match.deal_game(self.vocabulary, np.random.default_rng(seed).bytes(32))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._choose_agent()

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        mask = np.zeros(len(self.words), np.int8)
        if self.match.to_act == seat:
            mask[list(self.match.legal)] = 1
        seen = self.layout.join_values(self.match.observe(seat))
        return {"observation": np.asarray(seen, np.float32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.match.choose(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.match.to_act is None:
            self.rewards = dict(zip(self.possible_agents, self.match.compute_payoffs(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._choose_agent()
        self._accumulate_rewards()

    def _choose_agent(self) -> None:
        seat = self.match.to_act
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]

    def render(self) -> str:
        return "\n".join(self.match.told)

    def close(self) -> None:
        """Nothing has to be closed."""
