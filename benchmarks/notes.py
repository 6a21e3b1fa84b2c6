"""How well notes of whole games are read: `python -m benchmarks.notes fixtures/notes/unseen`.

Beside each NAME.txt stands NAME.tkid, the game as it was. A turn is right if player and turn are, and nothing was asked about its
line; it is wrong without a word if it is not right and nothing is reported about it or its line. Only figures of notes that nobody tuned on say how strangers' notes are read.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from multiprocessing import Pool
from pathlib import Path
from time import process_time

from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.record.transcription import SetupError, read_given_start, read_start, transcribe

FOLDER = Path(__file__).parents[1] / "fixtures" / "notes" / "unseen"


def measure(file: Path, *, given: bool) -> tuple[str, Counter[str], float, str]:
    """Read some notes, with their set-up or with the one that is `given`: turns of each kind, seconds, and why nothing was read."""
    record = read_record(file.with_suffix(".tkid").read_bytes()).record
    assert record is not None
    lines = file.read_text("utf-8").splitlines()
    played = [turn_of(moment.line, record.names) for moment in replay(record).moments[1:]]
    counts, begun = Counter(turns=len(played)), process_time()
    try:
        start, end = read_given_start(lines, record) if given else read_start(lines, "", (), "")
    except SetupError as error:
        return file.stem, counts, process_time() - begun, str(error).partition("\n")[0]
    found = transcribe(start, lines, end, {})
    seconds = process_time() - begun
    names = match_names(start.names, record.names)
    read = [(names[start.names[step.seat]], step.turn) for step in found.steps]
    same = SequenceMatcher(None, played, read, autojunk=False).get_matching_blocks()
    alike = {block.b + index for block in same for index in range(block.size)}
    asked, told = {each.line for each in found.questions}, {each.line for each in found.findings}
    for index, step in enumerate(found.steps):
        counts["right"] += index in alike and step.line not in asked
        counts["wrong without a word"] += index not in alike and step.line not in told and not step.findings
    counts["questions"] = len(found.questions)
    return file.stem, counts, seconds, ""


def match_names(found: Sequence[str], players: Sequence[str]) -> dict[str, str]:
    """Return the player for each name that was found: a short name is the only one whose name begins with it.

    Some writers never give their own name. The only name that is left is then the only player who is left.
    """
    names = {name: name for name in found}
    for name in found:
        whole = [each for each in players if each.casefold().startswith(name.casefold().strip("."))]
        names[name] = whole[0] if len(whole) == 1 else name
    left = [name for name in found if names[name] not in players]
    others = [each for each in players if each not in names.values()]
    return names | ({left[0]: others[0]} if len(left) == len(others) == 1 else {})


def turn_of(line: str, names: Sequence[str]) -> tuple[str, str]:
    """The player and the turn of a line."""
    said = line.partition(" ")[2]
    name = next(name for name in names if said.startswith(f"{name} "))
    return name, said[len(name) + 1 :]


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the notes of a folder, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--given", action="store_true", help="read the turns with the right set-up")
    asked = parser.parse_args(arguments)
    total = Counter[str]()
    with Pool() as pool:
        files = sorted(asked.folder.glob("*.txt"))
        for name, counts, seconds, error in pool.starmap(_measure, [(file, asked.given) for file in files]):
            total += counts
            print(f"{name:8} {tell(counts)}  {seconds:4.1f} s  {error}")
    print(f"{len(files)} games {tell(total)}  {total['right'] / max(1, total['turns']):.1%} right")


def _measure(file: Path, given: bool) -> tuple[str, Counter[str], float, str]:  # noqa: FBT001 - for a pool
    return measure(file, given=given)


def tell(counts: Counter[str]) -> str:
    """What was found, in one line."""
    return f"{counts['turns']:4} turns {counts['right']:4} right {counts['questions']:3} questions {counts['wrong without a word']:3} wrong without a word"


if __name__ == "__main__":
    main()
