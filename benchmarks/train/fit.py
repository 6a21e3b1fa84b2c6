"""Make a network's weights from games: `python -m benchmarks.train.fit second-edition 2 .build/train/second-edition-2-*.txt`.

Of ten games eight are learned from, one says when to stop, and one, never looked at before, gives the figures that are printed:
the Brier score and the calibration of the evaluation without the network and of the network as it is written, in whole
numbers. numpy is needed here only. The inputs of a file of games are kept beside it, so that a second run starts at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define, evolve, fields

from benchmarks.train.generate import FOLDER, read_fields
from tkid.games.struggle.bots import network
from tkid.games.struggle.bots.network import FINE, LIMIT, UNITS, Network, estimate_odds, list_inputs
from tkid.games.struggle.bots.outlook import Outlook, find_struggle_weights, name_weights_table
from tkid.rulebook.rulesets import ruleset

LOG = FOLDER / "log.txt"
WEIGHTS = Path(network.__file__).with_name(network.FOLDER)
SEED, BATCH, RATE, HALF, DECAY, ROUNDS = 20261129, 512, 0.003, 4, 0.02, 16
"""The seed; positions in a batch; how far a step goes, after how many rounds half as far; how fast weights shrink; rounds."""
LATER = 0.85
"""How much of what a position learns comes from later than the next one, in the second half."""
PARTS, STOP, HELD_OUT = 10, 8, 9
"""Games are divided by their number: which part says when to stop, and which is held out."""
SCALE = 64
"""The whole number that stands for 1 in an input and in a weight of the first layer."""
FILE = 1_000_000
"""What is added to the numbers of games for each file."""
Array = Any


@define
class Samples:
    """Positions: the inputs for each party that is judged, what came out for each, what is learned, and where they come from.

    `usual` is what the evaluation without a network says; `left` are the cards that each player has left, rounded down.
    Of two parties only the one to act is judged; `party` is its index.
    """

    inputs: Array
    won: Array
    aim: Array
    usual: Array
    number: Array
    party: Array
    left: Array

    def pick(self, chosen: Array) -> Samples:
        """Those of some positions."""
        return Samples(*(getattr(self, name)[chosen] for name in NAMES))


NAMES = tuple(each.name for each in fields(Samples))


def join_samples(every: Sequence[Samples]) -> Samples:
    """The positions of several files."""
    return Samples(*(np.concatenate([getattr(each, name) for each in every]) for name in NAMES))


def read_games(path: Path) -> Iterator[tuple[int, tuple[float, ...], list[Any]]]:
    """The number of every game, what each party won, and its positions; the last one is the end. A game cut off is left out."""
    lines = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    for number, rows in groupby(lines, key=lambda row: int(row[0])):
        won, texts = zip(*((won, text) for _, won, text in rows), strict=True)
        positions = list(map(read_fields, texts))
        if positions[-1].decision is None:
            yield number, tuple(map(float, won[0].split())), positions


def read_samples(outlook: Outlook, path: Path) -> Samples:
    """The inputs of a file of games, which are kept beside it."""
    kept, parties = path.with_suffix(".npz"), outlook.parties
    if not kept.exists() or kept.stat().st_mtime < path.stat().st_mtime:
        rows: list[tuple[Any, ...]] = []
        for number, shares, positions in read_games(path):
            for position in positions[:-1]:
                shown = outlook.game.view(position, position.to_act).shown
                mine = outlook.find_party(position.to_act)
                judged = [mine] if len(parties) == 2 else range(len(parties))
                seats = [position.to_act if party == mine else parties[party][0] for party in judged]
                inputs = np.array(list_inputs(outlook, shown, seats), np.int16)
                won, usual = ([values[party] for party in judged] for values in (shares, outlook.evaluate(shown)))
                left = sum(map(len, position.hands)) // len(position.hands)
                rows.append((inputs, won, won, usual, number, mine, left))
        arrays: dict[str, Any] = dict(zip(NAMES, map(np.array, zip(*rows, strict=True)), strict=True))
        np.savez_compressed(kept, **arrays)
    with np.load(kept) as read:
        return Samples(**read)


@define
class Model:
    """The weights while they are learned, as numbers with a fraction: of inputs, and of units."""

    weights: list[Array]

    @classmethod
    def begin(cls, inputs: int, chance: Any) -> Model:
        """Small random weights; two units begin with the judgement of the evaluation."""
        first, last = chance.normal(0, 0.08, (inputs, UNITS)), chance.normal(0, 0.1, UNITS)
        first[1, :2], last[:2] = (1, -1), (1, -1)
        return cls([first.astype(np.float32), last.astype(np.float32)])

    def chances(self, inputs: Array) -> tuple[Array, ...]:
        """The chance of each party that is judged, and what is needed to go back."""
        first, last = self.weights
        shown = inputs.astype(np.float32) / SCALE
        units = np.maximum(shown @ first, 0)
        leads = units @ last
        odds = 2 * np.arcsinh(leads)
        if leads.shape[1] == 1:
            return 1 / (1 + np.exp(-odds)), leads, units, shown
        odds = np.exp(odds - odds.max(1, keepdims=True))
        return odds / odds.sum(1, keepdims=True), leads, units, shown

    def slopes(self, batch: Samples) -> list[Array]:
        """How the loss changes with each weight."""
        chances, leads, units, shown = self.chances(batch.inputs)
        back = (chances - batch.aim) * 2 / np.sqrt(1 + leads * leads) / len(batch.aim)
        deep = back[..., None] * self.weights[1] * (units > 0)
        return [
            shown.reshape(-1, shown.shape[-1]).T @ deep.reshape(-1, UNITS),
            units.reshape(-1, UNITS).T @ back.reshape(-1),
        ]

    def values(self, samples: Samples) -> Array:
        """The value of each position."""
        whole = len(samples.inputs)
        return np.concatenate([self.chances(samples.inputs[at : at + 4096])[0] for at in range(0, whole, 4096)])

    def brier(self, samples: Samples) -> float:
        """The mean square error."""
        return float(((self.values(samples) - samples.won) ** 2).mean())

    def pack(self) -> bytes:
        """The weights as a file has them."""
        first, last = self.weights
        rows = np.clip(np.rint(first * SCALE), -LIMIT, LIMIT).astype(np.int8)
        counts = np.clip(np.rint(last * (FINE // SCALE**2)), -32767, 32767).astype("<i2")
        return bytes(rows.tobytes() + counts.tobytes())


def look_back(samples: Samples, values: Array) -> Samples:
    """Let each position learn from the values of those that came after it, and less and less from the end of the game."""
    aim, two = samples.won.astype(float), values.shape[1] == 1
    number, after, later = None, aim[-1], aim[-1]
    for index in range(len(aim) - 1, -1, -1):
        turned = two and samples.party[index] == 1
        mine, won = ((1 - each if turned else each) for each in (values[index], samples.won[index]))
        if number != samples.number[index]:
            number, after, later = samples.number[index], won, won
        later = (1 - LATER) * after + LATER * later
        aim[index], after = 1 - later if turned else later, mine
    return evolve(samples, aim=aim)


def approach(model: Model, known: Samples, stop: Samples, chance: Any) -> Model:
    """The weights nearest to what is learned, as far as they serve the games that say when to stop."""
    means, squares = ([np.zeros_like(each) for each in model.weights] for _ in range(2))
    best, least, step = model.weights, 1.0, 0
    for number in range(ROUNDS):
        rate = RATE * 0.5 ** (number / HALF)
        order = chance.permutation(len(known.won))
        for batch in (known.pick(order[at : at + BATCH]) for at in range(0, len(order), BATCH)):
            step += 1
            for index, slope in enumerate(model.slopes(batch)):
                weights, mean, square = model.weights[index], means[index], squares[index]
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope * slope - square)
                change = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
                weights -= rate * (change + DECAY * weights)
            np.clip(model.weights[0], -LIMIT / SCALE, LIMIT / SCALE, out=model.weights[0])
        error = model.brier(stop)
        print(f"round {number + 1}: error {error:.4f}, of what is learned {model.brier(known):.4f}", flush=True)
        if error < least:
            best, least = [each.copy() for each in model.weights], error
    return Model(best)


def learn(samples: Samples, seed: int) -> Model:
    """The weights with the least error on the games that say when to stop: first from the ends of games, then from later values."""
    chance = np.random.default_rng(seed)
    model = Model.begin(samples.inputs.shape[-1], chance)
    known, stop = samples.pick(samples.number % PARTS < STOP), samples.pick(samples.number % PARTS == STOP)
    model = approach(model, known, stop, chance)
    return approach(model, look_back(known, model.values(known)), stop, chance)


def gain(samples: Samples, before: Array, after: Array) -> str:
    """By how much the mean square error of some values is less, with an interval over games."""
    gains = ((before - samples.won) ** 2 - (after - samples.won) ** 2).mean(1)
    numbers, mean = np.unique(samples.number), gains.mean()
    off = [(gains[samples.number == number] - mean).sum() for number in numbers]
    return f"{mean:.4f} ± {1.96 * np.sqrt(np.square(off).sum()) / len(gains):.4f}, {len(numbers)} games"


def table(samples: Samples, found: Array, parties: int) -> Iterator[str]:
    """Brier scores in all and by cards left, and how often a tenth of estimates comes true; of all parties that are judged."""
    for left in (-1, *sorted(set(samples.left))):
        among = samples.left == left if left >= 0 else samples.left >= 0
        before, after = (float(((values[among] - samples.won[among]) ** 2).mean()) for values in (samples.usual, found))
        name = "all" if left < 0 else left
        yield f"cards each {name}: {among.sum()} positions, Brier {before:.4f} without, {after:.4f} with it"
    for name, values in (("without it", samples.usual), ("equal chances", np.full_like(found, 1 / parties))):
        yield f"less than {name} by {gain(samples, values, found)}"
    for values, name in ((samples.usual, "without"), (found, "with it")):
        for tenth in range(10):
            among = np.minimum(9, (10 * values).astype(int)) == tenth
            if among.any():
                said, won = values[among].mean(), samples.won[among].mean()
                yield f"{name} {10 * tenth:2} to {10 * tenth + 10} %: {among.sum()}, estimated {said:.1%}, won {won:.1%}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn, write and compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("players", type=int)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args(arguments)
    name, game = name_weights_table(asked.ruleset, asked.players), ruleset(asked.ruleset).game()
    outlook = Outlook.build(game, asked.players, find_struggle_weights(asked.ruleset, asked.players))
    every = [read_samples(outlook, path) for path in asked.files]
    samples = join_samples([evolve(each, number=each.number + FILE * index) for index, each in enumerate(every)])
    packed = learn(samples, asked.seed).pack()
    WEIGHTS.mkdir(exist_ok=True)
    (WEIGHTS / f"{name}.bin").write_bytes(packed)
    held_out = samples.pick(samples.number % PARTS == HELD_OUT)
    read = Network.read(packed)
    leads = [[read.estimate(list(map(int, each))) for each in row] for row in held_out.inputs]
    found = np.array(list(map(estimate_odds, leads)))
    lines = [
        f"\n# {name}: seed {asked.seed}, {', '.join(path.name for path in asked.files)}, {len(samples.won)} positions",
        f"{name}.bin has {len(packed)} bytes, sha256 {sha256(packed).hexdigest()}",
        *table(held_out, found, len(outlook.parties)),
    ]
    with LOG.open("a", encoding="utf-8") as log:
        for line in lines:
            print(line, flush=True)
            log.write(f"{line}\n")


if __name__ == "__main__":
    main()
