"""Fit how sure `tkid ask` is of its answers.

    python -m benchmarks.fit_answers

It asks the questions of fixtures/questions.toml and fixtures/fresh_questions.toml, which have an answer, and of
fixtures/unanswered.toml, which have none, and some of the other ways to ask for a rule while the search doesn't have them. It
fits the two formulas under `[chances]` in tkid/rulebook/search/words.toml, and prints them to be copied there. A table shows
how often answers of each kind were right, always by a formula that was fitted without the question. Nothing is fitted to
fixtures/unseen_questions.toml and fixtures/aside_questions.toml, whose questions are only counted.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import exp
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch
from zlib import crc32

from tkid.cli.rules import describe_confidence
from tkid.rulebook import search
from tkid.rulebook.search.index import Index, list_other_questions

FIXTURES = Path(__file__).parents[1] / "fixtures"
FOLDS = 10
STEPS = 15
STIFFNESS = 0.3
"""Weight of the penalty on large weights."""
PARTS, LEFT_OUT = 8, 2
"""Parts of the other ways to ask for a rule, and how many of these parts are asked while the search doesn't have them."""
SURE, SURE_WHEN_LEFT_OUT = 0.995, 0.97
"""Part of the sure answers to fresh questions, and to those without an answer, that must be right: more than the 97 % that we promise, as new ones are harder; and part of those to ways to ask that the search doesn't have, which often have two right rules."""
CLAIMED = 0.07
"""Part of the questions without an answer that may get one."""


class Case(NamedTuple):
    """What shows whether an answer is right; whether the first rule was right, and one of the first three; whether any rule answers, and whether the question is a fresh one."""

    signs: list[float]
    is_right: bool
    is_found: bool
    has_answer: bool
    is_fresh: bool = False


def list_cases() -> tuple[list[Case], int]:
    """Ask all questions; return also how many are of a kind that no rule answers, which needs no formula."""
    names = ("questions.toml", "fresh_questions.toml")
    cases = [
        _ask(row["text"], row.get("ruleset", ""), row["rules"])._replace(is_fresh=name == names[1])
        for name in names
        for row in tomllib.loads((FIXTURES / name).read_text("utf-8"))["question"]
    ]
    unanswered = tomllib.loads((FIXTURES / "unanswered.toml").read_text("utf-8"))["asked"].strip().splitlines()
    others = [text for text in unanswered if search.ask(text).confidence]
    return cases + [_ask(text, "", ()) for text in others], len(unanswered) - len(others)


def list_left_out_cases() -> list[Case]:
    """Ask other ways to ask for a rule while the search doesn't have them: no question is newer to it than these."""
    cases = []
    for part in range(LEFT_OUT):

        def is_left_out(text: str, part: int = part) -> bool:
            return crc32(text.encode()) % PARTS == part

        def list_others(rule_id: str, is_left_out: Callable[[str], bool] = is_left_out) -> list[str]:
            return [text for text in list_other_questions(rule_id) if not is_left_out(text)]

        with patch.object(search, "list_other_questions", list_others):
            index = Index(search.make_search_data())
        codes = {pair: code for code, pair in index.rulesets.items()}
        for entry, variant in zip(index.entries, index.variants, strict=True):
            code = codes.get((entry.prefix, variant)) or codes[entry.prefix, ""]
            rules = [index.entries[each].record["id"] for each in index.topics[entry.topic]]
            asked = filter(is_left_out, list_other_questions(entry.record["id"]))
            cases += [_ask(text, code, rules, partial(search.rank_rules, index)) for text in asked]
    return cases


def _ask(
    question: str, ruleset: str, rules: Sequence[str], find: Callable[[str, str], search.Answer] = search.ask
) -> Case:
    with patch.object(search, "_estimate", return_value=0.0) as estimate:
        ids = [hit.id for hit in find(question, ruleset).hits[:3]]
    signs = estimate.call_args.args[1]
    return Case(list(signs), bool(ids) and ids[0] in rules, not set(rules).isdisjoint(ids), bool(rules))


def fit(rows: Sequence[Sequence[float]], right: Sequence[bool]) -> list[float]:
    """Fit a logistic formula by Newton's method."""
    size = len(rows[0])
    weights = [0.0] * size
    for _ in range(STEPS):
        slope = [-STIFFNESS * weight for weight in weights]
        bend = [[STIFFNESS * (row == column) for column in range(size)] for row in range(size)]
        for signs, is_right in zip(rows, right, strict=True):
            chance = estimate(weights, signs)
            for one in range(size):
                slope[one] += (is_right - chance) * signs[one]
                for other in range(size):
                    bend[one][other] += chance * (1 - chance) * signs[one] * signs[other]
        weights = [weight + step for weight, step in zip(weights, _solve(bend, slope), strict=True)]
    return weights


def estimate(weights: Sequence[float], signs: Sequence[float]) -> float:
    """Return the chance by a formula."""
    return 1 / (1 + exp(-sum(weight * sign for weight, sign in zip(weights, signs, strict=True))))


def _solve(matrix: list[list[float]], values: list[float]) -> list[float]:
    rows = [[*row, value] for row, value in zip(matrix, values, strict=True)]
    for place in range(len(rows)):
        best = max(range(place, len(rows)), key=lambda number: abs(rows[number][place]))
        rows[place], rows[best] = rows[best], rows[place]
        for number, row in enumerate(rows):
            if number != place:
                factor = row[place] / rows[place][place]
                rows[number] = [each - factor * other for each, other in zip(row, rows[place], strict=True)]
    return [row[-1] / row[place] for place, row in enumerate(rows)]


def find_limit(judged: Iterable[tuple[float, bool]], part: float) -> float:
    """Return the lowest chance from which at least this part of some answers are right."""
    ranked = sorted(judged, reverse=True)
    limit = 1.0
    for count in range(20, len(ranked) + 1):
        if sum(is_right for _, is_right in ranked[:count]) >= part * count:
            limit = ranked[count - 1][0]
    return limit


def cross_validate(rows: Sequence[Sequence[float]], right: Sequence[bool]) -> list[float]:
    """Return the chance of each row by a formula that was fitted without it and those of its fold."""
    chances = [0.0] * len(rows)
    for fold in range(FOLDS):
        others = [place for place in range(len(rows)) if place % FOLDS != fold]
        weights = fit([rows[place] for place in others], [right[place] for place in others])
        for place in range(fold, len(rows), FOLDS):
            chances[place] = estimate(weights, rows[place])
    return chances


def main() -> None:
    """Fit both formulas, choose the two limits, and print everything."""
    cases, of_known_kind = list_cases()
    rows, right, found = [list(each) for each in zip(*[case[:3] for case in cases], strict=True)]
    left_out = list_left_out_cases()
    all_rows, all_right = [*rows, *(case.signs for case in left_out)], [*right, *(case.is_right for case in left_out)]
    chance_all, chance_found = cross_validate(all_rows, all_right), cross_validate(rows, found)
    chance_right = [
        chance if case.signs[-3:] == search.NOTHING_LEFT_OUT else 0.0
        for chance, case in zip(chance_all, [*cases, *left_out], strict=True)
    ]
    fresh = [
        (chance, case.is_right)
        for chance, case in zip(chance_right, cases, strict=False)
        if case.is_fresh or not case.has_answer
    ]
    sure_when_left_out = find_limit(
        zip(chance_right[len(cases) :], all_right[len(cases) :], strict=True), SURE_WHEN_LEFT_OUT
    )
    sure = max(find_limit(fresh, SURE), sure_when_left_out)
    without = sorted(
        (chance for chance, case in zip(chance_found, cases, strict=True) if not case.has_answer), reverse=True
    )
    fits = without[int(CLAIMED * (len(without) + of_known_kind))]
    for name, some, values in (("right", all_rows, all_right), ("found", rows, found)):
        print(f"{name} = [{', '.join(f'{weight:.2f}' for weight in fit(some, values))}]")
    print(f"sure = {sure:.3f}\nfits = {fits:.3f}\n\nkind    answers  right first  in three")
    kinds: dict[str, list[Case]] = {"sure": [], "likely": [], "none": []}
    for case, first, any_of in zip(cases, chance_right, chance_found, strict=False):
        kinds["sure" if first >= sure else "likely" if any_of >= fits else "none"].append(case)
    some_sure = [is_right for chance, is_right in zip(chance_right, all_right, strict=True) if chance >= sure][
        len(kinds["sure"]) :
    ]
    print(f"left out, sure {len(some_sure)}, right {sum(some_sure)}")
    for kind, some in kinds.items():
        print(
            f"{kind:7} {len(some):7}  {sum(case.is_right for case in some):11}  {sum(case.is_found for case in some):8}"
        )
    print_unseen("unseen")
    print_unseen("aside")


def print_unseen(name: str) -> None:
    """Print what the present formulas make of a file of questions that nobody tuned on, apart for those without an answer."""
    counts = Counter[tuple[str, bool]]()
    first, three = Counter[str](), Counter[str]()
    for row in tomllib.loads((FIXTURES / f"{name}_questions.toml").read_text("utf-8"))["question"]:
        answer, rules = search.ask(row["text"], row.get("ruleset", "")), row["rules"]
        kind, ids = describe_confidence(answer)["kind"], [hit.id for hit in answer.hits[:3]]
        counts[kind, bool(rules)] += 1
        first[kind] += ids[:1] != [] and ids[0] in rules
        three[kind] += not set(rules).isdisjoint(ids)
    print(f"\n{name:7} answers  right first  in three  without an answer")
    for kind in ("sure", "likely", "none"):
        print(f"{kind:7} {counts[kind, True]:7}  {first[kind]:11}  {three[kind]:8}  {counts[kind, False]:17}")


if __name__ == "__main__":
    main()
