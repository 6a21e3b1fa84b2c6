"""Train masked PPO against `greedy`, and print how often it wins: `python beat_greedy.py --hours 4`.

Needs `pip install sb3-contrib` beside tkid's extra `learning`. Each step is one word of a turn. The network sees what the
environment shows, and greedy's opinion: the value of the best turn that goes on with each word. So it begins as a player
like greedy, and learns from its games when to play something else. Everything is in one folder: run the same command again
to go on.
"""

from __future__ import annotations

import argparse
import json
from math import sqrt
from pathlib import Path
from time import monotonic
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv

from tkid.adapters.pettingzoo import env
from tkid.bots.roster import player

CODE = "second-edition"
TABLES, STEPS = 16, 128
"""Games that are played side by side, and words chosen in each before the network learns."""
COMPARED = 16
"""Turns that greedy compares in training. It is as strong with 16 as with the usual 48."""
SHARP, WORST = 150.0, -6.0
"""The factor that makes a preference of a lost chance to win, and the preference of a word that greedy doesn't consider."""
BIN = 250
"""Games in a point of the curve."""
TEST_SEED = 1_000_000
"""The first deal of the test; training doesn't get as far."""


class AgainstGreedy(gym.Env[Any, Any]):
    """One seat of the game, which changes from deal to deal; greedy plays the other one."""

    def __init__(self, first: int, step: int, compared: int = COMPARED) -> None:
        self.table, self.seed, self.between, self.compared = env(CODE).unwrapped, first, step, compared
        self.words, self.split = len(self.table.words), self.table.vocabulary.split
        self.greedy = player(self.table.vocabulary.game, "greedy")
        self.action_space = gym.spaces.Discrete(self.words)
        size = self.table.layout.size + 1 + self.words
        self.observation_space = gym.spaces.Box(-127.0, 127.0, (size,), np.float32)

    def reset(self, **_: Any) -> tuple[Any, dict[str, Any]]:
        self.table.reset(seed=self.seed // 2)
        self.own = f"player_{self.seed % 2}"
        self.seed += self.between
        self.position, self.turns = None, []
        self.let_greedy_play()
        return self.observe(), {}

    def step(self, word: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.table.step(int(word))
        self.let_greedy_play()
        over = self.table.terminations[self.own]
        reward = float(self.table.rewards[self.own])
        return self.observe(), reward, over, False, {"won": (reward + 1) / 2} if over else {}

    def let_greedy_play(self) -> None:
        match = self.table.match
        while match.to_act is not None and self.table.agent_selection != self.own:
            self.turns = []
            for move in self.greedy.choose(match.game.view(match.position, match.to_act), self.compared):
                words, before = match.vocabulary.split_move(move), len(match.told)
                while len(match.told) == before:
                    self.table.step(words[len(match.choosing.chosen)])

    def observe(self) -> Any:
        match = self.table.match
        seen = self.table.observe(self.own)
        self.mask = seen["action_mask"].astype(bool)
        opinion = np.full(1 + self.words, WORST, np.float32)
        if match.to_act is None:
            return np.concatenate([seen["observation"], opinion])
        if self.position is not match.position:
            self.position = match.position
            self.turns = [
                (turn[1:], value) for turn, value in self.turns if turn[0] == self.split(match.told[-1]) and turn[1:]
            ]
        if not self.turns:
            view = match.game.view(match.position, match.to_act)
            choices = self.greedy.choices(view, self.compared, self.compared)
            self.turns = [([*map(match.vocabulary.split_move, choice.turn)], choice.value) for choice in choices]
        chosen, best = match.choosing.chosen, self.turns[0][1]
        opinion[0] = 2 * best - 1
        for (words, *_), value in self.turns:
            if words[: len(chosen)] == chosen and len(words) > len(chosen):
                place = 1 + words[len(chosen)]
                opinion[place] = max(opinion[place], SHARP * (value - best), WORST + 1)
        return np.concatenate([seen["observation"], opinion])

    def action_masks(self) -> Any:
        return self.mask


class Features(BaseFeaturesExtractor):
    """Hidden units that see everything; greedy's opinion stays beside them, so that it needn't be learned."""

    def __init__(self, space: gym.spaces.Box, opinion: int, units: int = 256) -> None:
        super().__init__(space, units + opinion)
        size = space.shape[0]
        self.opinion = opinion
        self.hidden = torch.nn.Sequential(
            torch.nn.Linear(size, units), torch.nn.ReLU(), torch.nn.Linear(units, units), torch.nn.ReLU()
        )

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        return torch.cat([self.hidden(seen), seen[:, -self.opinion :]], dim=1)


def begin(tables: DummyVecEnv, seed: int) -> MaskablePPO:
    """Make a network that plays about as greedy does."""
    words = int(tables.action_space.n)
    model = MaskablePPO(
        "MlpPolicy", tables, n_steps=STEPS, batch_size=256, n_epochs=4, learning_rate=3e-4, gamma=1.0, gae_lambda=0.9,
        ent_coef=0.0, target_kl=0.03, seed=seed, device="cpu",
        policy_kwargs={
            "net_arch": [],
            "features_extractor_class": Features,
            "features_extractor_kwargs": {"opinion": words + 1},
        },
    )  # fmt: skip
    with torch.no_grad():
        model.policy.action_net.weight[:, -words:] += torch.eye(words)
        model.policy.value_net.weight.zero_()
        model.policy.value_net.weight[0, -words - 1] = 1.0
    return model


def share(won: float, games: int) -> str:
    """Return the share of wins with Wilson's interval, which has the true share at least 95 times of 100."""
    z, mean = 1.96, won / games
    middle = (mean + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(mean * (1 - mean) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return f"{mean:.1%} ({middle - half:.1%} to {middle + half:.1%})"


def test(model: MaskablePPO, games: int) -> float:
    """Play new deals, each from both seats, with the word that the network likes best; return the wins."""
    table, won = AgainstGreedy(2 * TEST_SEED, 1, compared=1000), 0.0
    for _ in range(games):
        (seen, _), over = table.reset(), False
        while not over:
            word, _ = model.predict(seen, action_masks=table.action_masks(), deterministic=True)
            seen, _, over, _, told = table.step(int(word))
        won += told["won"]
    return won


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--hours", type=float, default=4.0)
    options.add_argument("--folder", type=Path, default=Path("beat-greedy"))
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--test", type=int, default=400, help="Games of the test at the end.")
    chosen = options.parse_args()
    torch.set_num_threads(1)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    saved, curve = chosen.folder / "model.zip", chosen.folder / "curve.jsonl"
    points = [json.loads(line) for line in curve.read_text("utf-8").splitlines()] if curve.exists() else []
    played = points[-1]["games"] if points else 0
    tables = DummyVecEnv([lambda n=n: AgainstGreedy(played + n, TABLES) for n in range(TABLES)])
    model = MaskablePPO.load(saved, tables, device="cpu") if saved.exists() else begin(tables, chosen.seed)
    end, results = monotonic() + 3600 * chosen.hours, list[float]()

    def watch(names: dict[str, Any], _: dict[str, Any]) -> bool:
        results.extend(told["won"] for told in names["infos"] if "won" in told)
        return True

    while monotonic() < end:
        model.learn(TABLES * STEPS, callback=watch, reset_num_timesteps=False)
        if len(results) >= BIN:
            played += len(results)
            print(f"{played:7} games: {share(sum(results), len(results))}", flush=True)
            with curve.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"games": played, "of": len(results), "won": sum(results)}) + "\n")
            results.clear()
            model.save(saved)
    if chosen.test:
        print(f"The test, with the usual greedy: {share(test(model, chosen.test), chosen.test)} of {chosen.test} games")


if __name__ == "__main__":
    main()
