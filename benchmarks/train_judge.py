"""Make the weights of the judge of intent from the mails of `fixtures/intent`: `python -m benchmarks.train_judge`.

`fixtures/intent/unseen` is left out: it shows what happens to mails that nobody has tuned on (`python -m tests.intent`).
Each mail is in doubt or clear as a whole. A sentence gets a probability of doubt by logistic regression over its features
(`tkid.notation.judge`), and a mail is in doubt if any of its sentences is. First the mails are divided into parts, and each
part is judged with weights from the others, to count what happens to mails that were never seen. Then all mails make the
weights. The seed decides the parts and the order of the mails; nothing else is random.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp, sqrt
from pathlib import Path
from random import Random

from attrs import frozen

from tkid.notation.judge import (
    BIAS,
    ROW,
    SIGN,
    UNIT,
    WEIGHTS,
    Features,
    Line,
    Verdict,
    hash_feature,
    judge_text,
    list_features,
)

FOLDER = Path(__file__).parents[1] / "fixtures" / "intent"
SEED, PARTS, ROUNDS = 20261127, 4, 8
RATE, PENALTY = 0.1, 1.0
"""How fast weights change, and what large ones cost."""
LEAST_MAILS = 2
"""Mails that have a feature before it gets a weight."""
LEAST_WEIGHT = 5
"""Weight from which a feature is kept; a sentence has too few lighter ones to matter."""
SIGN_WORTH = 0.5
FIRST = -1.0
"""The weight of a sentence without features at the start."""
NAMES = ("Ann", "Bob", "Cal")
CARDS = (
    "Scottish Support",
    "Welsh Support",
    "English Support",
    "Assemble",
    "Negotiate",
    "Manoeuvre",
    "Outmanoeuvre",
    "Pass",
)
PLACES = ("moray", "strathclyde", "lancaster", "northumbria", "gwynedd", "warwick", "essex", "devon")
TURN = re.compile(r"^[\s>*]*(?:TURN|OTHER|pass)[\s.]*$", re.IGNORECASE)


Weights = dict[str, float]
Row = tuple[tuple[str, float], ...]
"""The features of a sentence, each with what it counts."""


@frozen(eq=False)
class Mail:
    """A mail: its language, file and text, whether it is in doubt, its lines, and the features of its sentences."""

    language: str
    file: str
    text: str
    doubt: bool
    lines: tuple[Line, ...]
    sentences: tuple[Features, ...]


def split_lines(text: str) -> Iterator[Line]:
    """Yield the lines of a mail without its signature; a turn within a line stands alone."""
    for line in re.sub(r"\b(TURN|OTHER)\b", r"\n\1\n", text).strip().split("\n"):
        if line.rstrip() == "--":
            return
        yield Line(line, "turn" if TURN.match(line) else "quiet" if line.startswith("say to ") else "")


def read_mails(folder: Path = FOLDER) -> Iterator[Mail]:
    """Read all mails that have a sentence."""
    for file in sorted([*folder.glob("*.toml"), *folder.glob("training/*.toml")]):
        for mail in tomllib.loads(file.read_text("utf-8"))["mail"]:
            lines = tuple(split_lines(mail["text"]))
            sentences = tuple(list_features(lines, NAMES, CARDS, PLACES))
            if sentences:
                yield Mail(mail["language"], file.stem, mail["text"], mail["expect"] == "doubt", lines, sentences)


def count_features(
    mails: Sequence[Mail], features: Callable[[Features], Iterator[str] | frozenset[str] | list[str]]
) -> dict[str, int]:
    """The features that several mails have, each with the number of mails."""
    counts = Counter[str]()
    for mail in mails:
        counts.update({each for sentence in mail.sentences for each in features(sentence)})
    return {name: count for name, count in counts.items() if count >= LEAST_MAILS}


def train(mails: Sequence[Mail], seed: int = SEED) -> Weights:
    """Make the weights: gradient descent in steps of one mail, each weight with a pace of its own."""
    known = count_features(mails, lambda sentence: [f"1 {word}" for word in sentence.words])
    knows = _make_lookup(known)
    counts = count_features(mails, lambda sentence: sentence.list_keys(knows))
    table = [(mail.doubt, [_row(sentence.list_keys(knows), counts) for sentence in mail.sentences]) for mail in mails]
    weights, steps = dict.fromkeys(counts, 0.0), dict.fromkeys(counts, 0.01)
    weights[BIAS] = FIRST
    random = Random(seed)
    for number in range(ROUNDS):
        random.shuffle(table)
        rate = RATE * (1 - number / ROUNDS)
        for doubt, rows in table:
            points = [sum(weights[name] * worth for name, worth in row) for row in rows]
            chances = [1 / (1 + exp(-max(-30.0, min(30.0, each)))) for each in points]
            clear = 1.0
            for chance in chances:
                clear *= 1 - chance
            pull = -clear / max(1 - clear, 1e-9) if doubt else 1.0
            for row, chance in zip(rows, chances, strict=True):
                for name, worth in row:
                    slope = pull * chance * worth + (PENALTY * weights[name] / counts[name] if name != BIAS else 0.0)
                    steps[name] += slope * slope
                    weights[name] -= rate * slope / sqrt(steps[name])
    return {name: weight * (SIGN_WORTH if name.startswith(SIGN) else 1.0) for name, weight in weights.items()}


def _make_lookup(known: Mapping[str, int]) -> Callable[[str], bool]:
    return lambda word: f"1 {word}" in known


def _row(names: frozenset[str], counts: Mapping[str, int]) -> Row:
    return tuple((name, SIGN_WORTH if name.startswith(SIGN) else 1.0) for name in sorted(names) if name in counts)


def round_weights(weights: Weights) -> dict[int, int]:
    """The weights in whole numbers by the checksums of their features, without the lightest. Words are kept even if they weigh nothing."""
    rounded = {name: max(-127, min(127, round(weight * UNIT))) for name, weight in weights.items()}
    kept = (each for each in sorted(rounded.items()) if abs(each[1]) >= LEAST_WEIGHT or each[0].startswith("1 "))
    return {hash_feature(name): weight for name, weight in kept}


def list_words(mail: Mail) -> tuple[str, ...]:
    """List the words of a mail, wherever its turn is."""
    return tuple(mail.text.replace("TURN", "").casefold().split())


def judge_unseen(mails: Sequence[Mail]) -> Iterator[tuple[Mail, Verdict]]:
    """Judge each mail with weights from the other parts. Mails with the same words are in one part."""
    order = sorted({list_words(mail) for mail in mails})
    Random(SEED).shuffle(order)
    for part in range(PARTS):
        inside = set(order[part::PARTS])
        table = round_weights(train([mail for mail in mails if list_words(mail) not in inside]))
        for mail in mails:
            if list_words(mail) in inside:
                yield mail, judge_text(mail.lines, NAMES, CARDS, PLACES, table)


def report(judged: Sequence[tuple[Mail, Verdict]]) -> Iterator[str]:
    """Yield the shares of mails that are played, held and asked about, for each file and language."""
    groups = [(mail.file, mail.doubt, verdict.act) for mail, verdict in judged]
    groups += [(mail.language, mail.doubt, verdict.act) for mail, verdict in judged]
    groups += [("all", mail.doubt, verdict.act) for mail, verdict in judged]
    counts = Counter(groups)
    for group in dict.fromkeys(name for name, _, _ in groups):
        for doubt in (True, False):
            acts = {act: counts[group, doubt, act] for act in ("play", "hold", "ask")}
            total = sum(acts.values())
            shares = ", ".join(f"{act} {number / total:.1%}" for act, number in acts.items()) if total else "-"
            yield f"{group:8} {'doubt' if doubt else 'clear'} {total:5}: {shares}"


def write(text: str) -> None:
    """Write a line."""
    sys.stdout.write(f"{text}\n")


def pack_weights(weights: Mapping[int, int]) -> bytes:
    """The file of weights."""
    return b"".join(ROW.pack(key, weight) for key, weight in sorted(weights.items()))


def main() -> None:
    """Count what happens to mails that were never seen, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--list", action="store_true", help="list doubts that are played, and clear mails that are asked about"
    )
    parser.add_argument("--only-write", action="store_true", help="do not count")
    chosen = parser.parse_args()
    mails = list(read_mails())
    if not chosen.only_write:
        judged = list(judge_unseen(mails))
        for mail, verdict in judged if chosen.list else ():
            if verdict.act == ("play" if mail.doubt else "ask"):
                write(f"{mail.language} {verdict.act}: {mail.text!r}")
        for line in report(judged):
            write(line)
    WEIGHTS.write_bytes(pack_weights(round_weights(train(mails))))


if __name__ == "__main__":
    main()
