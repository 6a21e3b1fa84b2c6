"""Make a network's weights from games: `python -m benchmarks.train.fit second-edition 2 .build/train/second-edition-2-*.txt`.

Of ten games eight are learned from, one says when to stop, and one, never looked at before, gives the figures that are printed:
the Brier score of the value without the network and with it, as it is written, in whole numbers. numpy is needed here only. The
inputs of a file of games are kept beside it, so that a second run starts at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any
from zlib import compress

import numpy as np
from attrs import define, evolve, fields

from benchmarks.train import network
from benchmarks.train.generate import read_fields
from benchmarks.train.network import FACTION_INPUTS, FINE, HEADS, ONE, SHARE, UNITS, Features, add_network
from tkid.games.struggle.bots.outlook import Outlook, find_struggle_weights
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.endings import rank_factions
from tkid.rulebook.rulesets import ruleset

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".build/train"
LOG = FOLDER / "log.txt"
SEED, BATCH, RATE, HALF, DECAY, PATIENCE, ROUNDS = 20261129, 256, 0.004, 2, 0.5, 2, 7
OF_FIRST, OF_LEAD = 0.4, 0.2
"""How much it counts whether the faction that is first, and who leads each at court, was foreseen."""
LATER = 0.85
"""How much of what a position learns comes from later than the next one, in the second half."""
PARTS, STOP, HELD_OUT = 10, 8, 9
"""Games are divided by their number: which part says when to stop, and which is held out."""
Array = Any


@define
class Samples:
    """Inputs of positions as a judging seat looks at them, and what came out.

    `won` is what its party won and `aim` what is learned, `first` marks which faction was first at the end, or whether there was an invasion, and `lead`
    has what its party would have won with each of them; `number` is that of the game, and `party` whose the position is.
    """

    whole: Array
    faction: Array
    won: Array
    aim: Array
    first: Array
    lead: Array
    number: Array
    party: Array

    @property
    def part(self) -> Array:
        """The part of the games that each position belongs to."""
        return self.number % PARTS

    def pick(self, chosen: Array) -> Samples:
        """Those of some positions."""
        return Samples(*(getattr(self, name)[chosen] for name in NAMES))

    def batches(self, chance: Any) -> Iterator[Samples]:
        """All positions, in an order by lot."""
        order = chance.permutation(len(self.won))
        return (self.pick(order[at : at + BATCH]) for at in range(0, len(order), BATCH))


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


def outcomes_of(features: Features, end: Position, seat: int) -> tuple[Array, Array]:
    """What was first at the end, and what the party of a seat would have won with each."""
    game = features.game
    ours = next(party for party in game.parties[features.players] if seat in party)
    others = [each for each in end.seats if each not in ours]
    courtly = game.board.courtly
    ranked = rank_factions(end, game.board.apart)
    usual = end.ending == "coronation" and ranked
    first = courtly.index(ranked[0]) if usual else len(courtly)
    lead = [
        _compare(max(end.courts[seat][f] for seat in ours), max(end.courts[seat][f] for seat in others))
        for f in courtly
    ]
    sets = [
        min(sum(end.courts[seat][f] for seat in party) for f in courtly) for party in game.parties[features.players]
    ]
    mine = game.parties[features.players].index(ours)
    acted = [-1 if each is None else each for each in end.last_acted]
    latest = max(acted[seat] for seat in ours) - max(acted[seat] for seat in others)
    best = max(each for index, each in enumerate(sets) if index != mine)
    return np.eye(len(courtly) + 1)[first], np.array([*lead, _compare(10 * sets[mine] + (latest > 0), 10 * best)])


def _compare(mine: int, theirs: int) -> float:
    return 0.5 if mine == theirs else float(mine > theirs)


def inputs_of(features: Features, path: Path) -> Samples:
    """The inputs of a file of games, which are kept beside it."""
    kept, parties, courtly = (
        path.with_suffix(".npz"),
        features.game.parties[features.players],
        features.game.board.courtly,
    )
    if not kept.exists() or kept.stat().st_mtime < path.stat().st_mtime:
        rows: list[tuple[Array, ...]] = []
        for number, shares, positions in read_games(path):
            known = {seat: outcomes_of(features, positions[-1], seat) for seat in positions[-1].seats}
            for position in positions[:-1]:
                for seat in [position.to_act] if len(parties) == 2 else position.seats:
                    whole, faction = (
                        np.zeros(features.whole, np.uint8),
                        np.zeros((len(courtly), FACTION_INPUTS), np.uint8),
                    )
                    for part in features.list_parts(position, seat):
                        for of, index in features.list_inputs(part):
                            (whole if of < 0 else faction[courtly.index(of)])[index] += 1
                    index = next(index for index, party in enumerate(parties) if seat in party)
                    rows.append((whole, faction, shares[index], shares[index], *known[seat], number, index))
        arrays: dict[str, Any] = dict(zip(NAMES, map(np.array, zip(*rows, strict=True)), strict=True))
        np.savez_compressed(kept, **arrays)
    with np.load(kept) as read:
        return Samples(**read)


@define
class Model:
    """The weights while they are learned, as numbers with a fraction: of inputs of the whole, all and own, heads, constants."""

    weights: list[Array]

    @classmethod
    def begin(cls, features: Features, chance: Any) -> Model:
        """Small weights by lot."""
        sizes = ((features.whole, UNITS), (FACTION_INPUTS, UNITS), (FACTION_INPUTS, UNITS))
        weights = [chance.normal(0, 0.03, size) for size in sizes]
        weights[0][network.OF_WHOLE["one"]] += 0.3
        heads = chance.normal(0, 0.3, (UNITS, HEADS))
        return cls([each.astype(np.float32) for each in (*weights, heads, np.zeros(HEADS))])

    def chances(self, batch: Samples) -> tuple[Array, ...]:
        """Each one's chance to be first and to be led, how steep they are, and what is needed to go back."""
        one, alike, own, heads, constants = self.weights
        whole, faction = batch.whole.astype(np.float32), batch.faction.astype(np.float32)
        total = faction.sum(1)
        units = (whole @ one + total @ alike)[:, None, :] + faction @ own
        shown = np.clip(units, 0, 1)
        scores = shown @ heads
        ends = np.concatenate([scores[..., :2], scores[..., 2:].sum(1, keepdims=True)], 1)
        ends += np.concatenate([np.tile(constants[:2], (scores.shape[1], 1)), constants[None, 2:]])
        x, y = ends[..., 0], ends[..., 1]
        odds = np.exp(2 * np.arcsinh(x))
        first = odds / odds.sum(1, keepdims=True)
        lead = 0.5 * (1 + y / np.sqrt(1 + y * y))
        return first, lead, 2 / np.sqrt(1 + x * x), 2 / np.sqrt(1 + y * y), (whole, faction, total, units, shown)

    def slopes(self, batch: Samples) -> list[Array]:
        """How the loss changes with each weight."""
        _, _, _, heads, _ = self.weights
        first, lead, steep_first, steep_lead, (whole, faction, total, units, shown) = self.chances(batch)
        value = (first * lead).sum(1, keepdims=True)
        back = (value - batch.aim[:, None]) / np.clip(value * (1 - value), 0.02, None) / len(batch.won)
        to_first = (back * first * (lead - value) + OF_FIRST * (first - batch.first) / len(batch.won)) * steep_first
        to_lead = (back * first * lead * (1 - lead) + OF_LEAD * (lead - batch.lead) / len(batch.won)) * steep_lead
        ends = np.stack([to_first, to_lead], 2)
        below = np.concatenate([ends[:, :-1], np.repeat(ends[:, -1:], ends.shape[1] - 1, 1)], 2).astype(np.float32)
        deep = (below @ heads.T) * ((units > 0) & (units < 1))
        shared = deep.sum(1)
        of_own = faction.reshape(-1, faction.shape[-1]).T @ deep.reshape(-1, UNITS)
        of_heads = shown.reshape(-1, UNITS).T @ below.reshape(-1, HEADS)
        return [
            whole.T @ shared,
            total.T @ shared,
            of_own,
            of_heads,
            np.concatenate([ends[:, :-1].sum((0, 1)), ends[:, -1].sum(0)]),
        ]

    def values(self, samples: Samples) -> Array:
        """The value of each position."""
        batches = (samples.pick(slice(at, at + 2048)) for at in range(0, len(samples.won), 2048))
        return np.concatenate([(first * lead).sum(1) for first, lead, *_ in map(self.chances, batches)])

    def brier(self, samples: Samples) -> float:
        """The mean square error."""
        return float(((self.values(samples) - samples.won) ** 2).mean())

    def pack(self) -> bytes:
        """The weights as a file has them."""
        *first, heads, constants = self.weights
        small = b"".join(np.clip(np.rint(each * ONE), -ONE, ONE).astype(np.int8).tobytes() for each in first)
        rest = [np.clip(np.rint(each * FINE), -32767, 32767).astype("<i2") for each in (heads, constants)]
        return compress(small + b"".join(each.tobytes() for each in rest), 9)


def look_back(samples: Samples, values: Array) -> Samples:
    """Let each position learn from the values of those that came after it, and less and less from the end of the game.

    Two parties take turns in one line of values; of more, each has its own.
    """
    two = samples.party.max() == 1
    aim, lines = samples.won.copy(), dict[Any, tuple[float, float]]()
    for index in range(len(aim) - 1, -1, -1):
        number, party = samples.number[index], samples.party[index]
        turned = two and party == 1
        mine, won = ((1 - each if turned else each) for each in (values[index], samples.won[index]))
        line = number if two else (number, party)
        after, later = lines.get(line, (won, won))
        known = (1 - LATER) * after + LATER * later
        aim[index] = 1 - known if turned else known
        lines[line] = mine, known
    return evolve(samples, aim=aim)


def approach(model: Model, learned: Samples, stop: Samples, chance: Any, say: Callable[[str], None]) -> Model:
    """The weights nearest to what is learned, as far as they serve the games that say when to stop."""
    moments = [[np.zeros_like(each) for each in model.weights] for _ in range(2)]
    best, least, waited, step = model.weights, 1.0, 0, 0
    for number in range(ROUNDS):
        rate = RATE * 0.5 ** (number / HALF)
        for batch in learned.batches(chance):
            step += 1
            for index, slope in enumerate(model.slopes(batch)):
                mean, square = (kept[index] for kept in moments)
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope * slope - square)
                change = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
                weights = model.weights[index]
                weights -= rate * (change + DECAY * weights)
                if index < 3:
                    np.clip(weights, -1, 1, out=weights)
        error = model.brier(stop)
        say(f"round {number + 1}: error {error:.4f}")
        waited = 0 if error < least else waited + 1
        if error < least:
            best, least = [each.copy() for each in model.weights], error
        if waited == PATIENCE:
            break
    return Model(best)


def learn(model: Model, samples: Samples, seed: int, say: Callable[[str], None]) -> Model:
    """The weights with the least error on the games that say when to stop. Weights of inputs that never come up are 0."""
    chance = np.random.default_rng(seed)
    used, of_faction = samples.whole.any(0), samples.faction.any((0, 1))
    samples = evolve(samples, whole=samples.whole[:, used], faction=samples.faction[:, :, of_faction])
    masks = used, of_faction, of_faction
    every = model.weights
    model = Model([*(each[mask] for each, mask in zip(every, masks, strict=False)), *every[3:]])
    learned, stop = samples.pick(samples.part < STOP), samples.pick(samples.part == STOP)
    for half in range(2):
        aims = look_back(learned, model.values(learned)) if half else learned
        model = approach(model, aims, stop, chance, say)
    for whole, mask, found in zip(every, masks, model.weights, strict=False):
        whole[:] = 0
        whole[mask] = found
    return Model([*every[:3], *model.weights[3:]])


def compare(
    features: Features, packed: bytes, paths: Sequence[Path], most: int
) -> Iterator[tuple[str, float, float, float]]:
    """Of held-out positions: cards left, what came out for who acts, the value without a network, and the one with it."""
    game, players = features.game, features.players
    weights = find_struggle_weights(game.code, players)
    before = Outlook.build(game, players, weights)
    after = add_network(before, packed, SHARE)
    found = [
        (won, position)
        for path in paths
        for number, won, positions in read_games(path)
        if number % PARTS == HELD_OUT
        for position in positions[:-1]
    ]
    for won, position in found[:most]:
        mine = before.find_party(position.to_act)
        left = sum(map(len, position.hands)) // players
        yield str(left), won[mine], before.evaluate(position)[mine], after.evaluate(position)[mine]


def table(rows: Sequence[tuple[str, float, float, float]]) -> Iterator[str]:
    """Brier scores in all and by cards left, and how often a tenth of estimates comes true."""
    for left in ("all", *sorted({each[0] for each in rows})):
        among = np.array([each[1:] for each in rows if left in {"all", each[0]}])
        before, after = (float(((among[:, 0] - among[:, index]) ** 2).mean()) for index in (1, 2))
        yield f"cards each {left}: {len(among)} positions, Brier {before:.4f} without, {after:.4f} with it"
    for index, name in ((1, "without"), (2, "with it")):
        for tenth in range(10):
            sure = np.array([each[1:] for each in rows if min(9, int(10 * each[1 + index])) == tenth])
            if len(sure):
                yield f"{name} {10 * tenth:2} to {10 * tenth + 10} %: {len(sure)}, estimated {sure[:, index].mean():.1%}, won {sure[:, 0].mean():.1%}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn, write and compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("players", type=int)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--compared", type=int, default=4000, help="held-out positions for the figures, at most")
    asked = parser.parse_args(arguments)
    name, features = f"{asked.ruleset}-{asked.players}", Features(ruleset(asked.ruleset).game(), asked.players)
    every = [inputs_of(features, path) for path in asked.files]
    samples = join_samples(every)
    model = Model.begin(features, np.random.default_rng(asked.seed))
    packed = learn(model, samples, asked.seed, lambda line: print(line, flush=True)).pack()
    (FOLDER / f"{name}.bin").write_bytes(packed)
    lines = [
        f"\n# {name}: seed {asked.seed}, {', '.join(path.name for path in asked.files)}, {len(samples.won)} positions",
        f"{name}.bin has {len(packed)} bytes, sha256 {sha256(packed).hexdigest()}",
        *table(list(compare(features, packed, asked.files, asked.compared))),
    ]
    with LOG.open("a", encoding="utf-8") as log:
        for line in lines:
            print(line, flush=True)
            log.write(f"{line}\n")


if __name__ == "__main__":
    main()
