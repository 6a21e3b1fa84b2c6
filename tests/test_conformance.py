"""The conformance suite: its files, its numbers, its rules, and its answers by the engine and the program.

The answers of the oracles stand in `tests/oracle/test_conformance.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest

from docs.making.suite_pages import HERE, suite_pages
from tests.cli import complaint, objects, said, tkid
from tests.games.struggle.shared.family import struggle
from tests.makers.conformance import FOLDER, files, highest
from tests.shared.schemas import faults
from tests.shared.tables import each_row
from tkid.games.struggle.record.json import make_move_json, read_move_json
from tkid.games.struggle.rules.moves import NoSuchResolutionError
from tkid.kernel.plugins import list_game_names
from tkid.record.json.conformance import (
    NUMBER,
    SETS,
    Case,
    Suite,
    SuiteError,
    answer,
    find_differences,
    pack_suite,
    read_answers,
    read_suite,
)
from tkid.record.json.positions import find_game_json, position_json, read_position_json
from tkid.rulebook import all_rules, rule
from tkid.rulebook.rulesets import ruleset, rulesets

SEED = 20261121
SUITE = read_suite(FOLDER)
CASES = SUITE.cases
BY_NUMBER = {case.number: case for case in CASES}
each_case = each_row("case", CASES, ids=lambda case: case.number)
SHOWN = "what a player is shown, which is no question about a position"
CONDUCT = "what players may say to each other is their conduct"
NOT_TOUCHED = {
    "second.ruling.open-record": SHOWN,
    "second.board.factions": "says what the pieces are",
    "second.board.near": "says what a word on cards means; each of these cards has cases of its own",
    "first.board.near": "says what a word on cards means; each of these cards has cases of its own",
    "manual.board.near": "says what a word on cards means; each of these cards has cases of its own",
    "second.advanced.secret": "what a player may know, which is no question about a position",
    "second.team.secrets": CONDUCT,
    "second.ruling.open-hands": SHOWN,
    "first.ruling.open-hands": SHOWN,
    "first.mordred": "sums up the variant; each of its rules has cases of its own",
    "first.ruling.open-record": SHOWN,
    "first.team.secrets": CONDUCT,
    "claim.ruling.open-cards": SHOWN,
}
"""Rules of play that no case is about, each with the reason."""
PLAYED = {ruleset.rule_prefix for ruleset in rulesets()}
"""The prefixes of the rules that can be played by."""


# -- files, numbers, rules --------------------------------------------------------------------------------


def test_the_files_are_laid_out_and_quote_the_register() -> None:
    made = files()
    assert {path.name for path in FOLDER.iterdir()} == made.keys() | {"README.md"}
    for name, text in made.items():
        assert (FOLDER / name).read_text("utf-8") == text, f"{name}: run python -m tests.makers.conformance"


def test_numbers_are_unique_in_order_and_of_their_section() -> None:
    assert len(BY_NUMBER) == len(CASES)
    for number, chapter in enumerate(SUITE.chapters, 1):
        assert chapter.number == number
        numbers = [case.number for case in chapter.cases]
        assert numbers == sorted(numbers)
        assert all(NUMBER.fullmatch(each) for each in numbers)
        assert {case.section for case in chapter.cases} == {f"{number}.{letter}" for letter in chapter.sections}


def test_every_number_that_was_ever_given_is_a_case_or_retired() -> None:
    given = {f"{section}.{place:02}" for section, last in SUITE.highest.items() for place in range(1, last + 1)}
    assert given == BY_NUMBER.keys() | SUITE.retired.keys()
    assert not BY_NUMBER.keys() & SUITE.retired.keys()
    assert all(SUITE.retired.values())


def test_a_number_is_not_given_back_when_its_case_goes() -> None:
    (first, *_) = SUITE.chapters
    left = {"cases": [{"number": case.number} for case in first.cases[:-1]]}
    assert highest(left, SUITE.highest) == SUITE.highest


def test_titles_are_unique_within_a_section_and_every_reason_is_a_sentence() -> None:
    titles = [(case.section, case.title) for case in CASES]
    assert len(set(titles)) == len(titles)
    for case in CASES:
        assert re.fullmatch(r"[A-Z0-9].*[^.]", case.title), case.number
        assert re.fullmatch(r"[A-Z0-9].*\.", case.why), case.number


def test_no_two_cases_ask_the_same() -> None:
    asked = [json.dumps(case.question, sort_keys=True) for case in CASES]
    assert len(set(asked)) == len(asked)


def test_every_rule_about_play_is_touched() -> None:
    touched = {rule_id for case in CASES for rule_id in case.rules}
    for rule_id in touched:
        assert not rule(rule_id).moved, rule_id
    left = {entry.id for entry in all_rules() if entry.prefix in PLAYED and not entry.moved} - touched
    assert left == NOT_TOUCHED.keys(), f"not touched by any case: {', '.join(sorted(left))}"


def test_both_options_of_each_ruling_with_a_choice_are_asked_for() -> None:
    switched = {entry.id: entry for entry in all_rules() if entry.prefix in PLAYED and len(entry.options) > 1}
    for rule_id, entry in switched.items():
        if rule_id in NOT_TOUCHED:
            continue
        about = [case.question["position"].get("rulings", {}) for case in CASES if rule_id in case.rules]
        assert {chosen.get(rule_id, entry.default) for chosen in about} == set(entry.options), rule_id


def test_every_kind_of_question_is_asked() -> None:
    asked: dict[str, set[str]] = {}
    for case in CASES:
        asked.setdefault(ruleset(case.ruleset).game_name, set()).add(case.question["ask"])
    assert asked == {game: set(find_game_json(game).asked) for game in list_game_names()}


def test_every_ruleset_has_cases_and_the_manifest_names_them() -> None:
    assert {case.ruleset for case in CASES} == {each.code for each in rulesets()}
    listed = json.loads((FOLDER / "manifest.json").read_text("utf-8"))["chapters"]
    for entry, chapter in zip(listed, SUITE.chapters, strict=True):
        assert entry["rulesets"] == list(dict.fromkeys(case.ruleset for case in chapter.cases))


# -- answers by the engine --------------------------------------------------------------------------------


def test_the_program_answers_as_expected(tmp_path: Path) -> None:
    questions = said("conformance", FOLDER, "--questions")
    assert [line["case"] for line in objects(questions)] == [case.number for case in CASES]
    answers = said("conformance", "--jsonl", stdin=questions.encode())
    file = tmp_path / "answers.jsonl"
    file.write_text(answers, "utf-8")
    told = f"suite {SUITE.version}, {len(CASES)} cases: {len(CASES)} right, 0 wrong, 0 unanswered\n"
    assert said("conformance", FOLDER, "--check", file) == told
    assert said("conformance", FOLDER, "--check", "-", stdin=answers.encode()) == told
    assert said("conformance", FOLDER) == told


@each_case
def test_a_position_is_valid_and_canonical(case: Case) -> None:
    written = case.question.get("position")
    if written is None:
        assert "ruleset" in case.question
        return
    game, position = read_position_json(written)
    full = position_json(game, position)
    if case.ruleset == "claim" and position.to_act is None:
        assert {full.pop("ending"), *full.pop("winners")}, "how it ended is left for the answer"
    optional = {name: written[name] for name in ("negotiation_discs",) if name in written}
    assert full | optional == written
    assert (position.to_act is None) == (
        case.question["ask"] in {"result", "power", "votes"}
        or (any(each.endswith("ending.over") for each in case.rules) and "moves" not in case.question)
    )


@each_row("case", [case for case in CASES if not case.expected.get("legal", True)], ids=lambda case: case.number)
def test_what_is_not_legal_breaks_a_rule_of_the_case(case: Case) -> None:
    """Where the card has no such resolution at all, there is no rule to name but the card's."""
    rules = answer(case.make_question())["rules"]
    assert set(rules) & case.rules.keys() or (not rules and shape_unknown(case)), rules


def shape_unknown(case: Case) -> bool:
    """Whether the move of a case is of a kind that its card never is; in Claim none is."""
    if ruleset(case.ruleset).game_name != "struggle":
        return False
    game, _ = read_position_json(case.question["position"])
    try:
        read_move_json(struggle(game), case.question["move"])
    except NoSuchResolutionError:
        return True
    return False


def with_moves() -> list[Case]:
    """The cases of The King is Dead about a position that have moves, as they come or to be judged."""
    about = [case for case in CASES if ruleset(case.ruleset).game_name == "struggle" and "position" in case.question]
    return [case for case in about if case.question.keys() & {"move", "moves"}]


@each_row("case", with_moves, ids=lambda case: case.number)
def test_moves_in_json_come_back_the_same(case: Case) -> None:
    read, position = read_position_json(case.question["position"])
    game = struggle(read)
    judged = [case.question["move"]] if "move" in case.question and not shape_unknown(case) else []
    for value in (*case.question.get("moves", ()), *judged):
        if value.get("card") not in game.absent:
            move = game.canonical(position, read_move_json(game, value))
            written = make_move_json(game, move)
            assert faults("move", written) == []
            assert game.canonical(position, read_move_json(game, written)) == move


def test_the_page_lists_every_case_with_its_place_and_the_result() -> None:
    pages = dict(suite_pages())
    page = pages[HERE]
    rows = re.findall(r'<a id="(\S+)" href="(\S+)/#(\S+)" aria-label="(\S+)">', page)
    assert rows == [(case.number, case.section, case.number, case.number) for case in CASES]
    assert f"{len(CASES)} cases, of which tkid answers {len(CASES)} as expected" in page
    sections = "".join(text for path, text in pages.items() if path != HERE)
    assert all(f'id="{case.number}"' in sections for case in CASES)


# -- comparing answers ------------------------------------------------------------------------------------


def spoilt(value: Any) -> Iterator[Any]:
    """Other values than one that is expected."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, list):
        yield [*value, {"text": "one too many"}]
        if value:
            yield value[1:]
    elif isinstance(value, dict):
        name = next(iter(value))
        yield {**value, name: "another"}
    elif isinstance(value, int):
        yield value + 1
    else:
        yield "another"


@each_case
def test_a_wrong_answer_is_told(case: Case) -> None:
    assert list(find_differences(case, case.expected)) == []
    for name, value in case.expected.items():
        for other in spoilt(value):
            (told,) = find_differences(case, {**case.expected, name: other})
            assert told.startswith(f"{name}: ")
        (told,) = find_differences(case, {key: each for key, each in case.expected.items() if key != name})
        assert told.startswith(f"{name} is missing: ")


@each_row("case", [case for case in CASES if case.expected.keys() & set(SETS)], ids=lambda c: c.number)
def test_order_and_texts_do_not_matter_and_repetition_is_wrong(case: Case) -> None:
    rng = Random(case.number)
    (name,) = case.expected
    members = case.expected[name]
    assert list(find_differences(case, {name: rng.sample(members, len(members))})) == []
    for member in members[:3]:
        for again in (member, *([member["text"], cut(member)] if "text" in member else [])):
            (told,) = find_differences(case, {name: [again, *members]})
            assert told.startswith(f"{name}: more than once: ")
    if name == "resolutions":
        assert list(find_differences(case, {name: [each["text"] for each in members]})) == []
        assert list(find_differences(case, {name: [cut(each) for each in members]})) == []
        assert list(find_differences(case, {name: ["Pass", *members]})) == [f'{name}: too much: "Pass"']


def cut(value: Mapping[str, Any]) -> dict[str, Any]:
    """The same resolution without its text, follower by follower, from the last to the first, with counts of none."""
    other = {key: each for key, each in deepcopy(dict(value)).items() if key != "text"}
    if "resolution" in other:
        other["resolution"] = cut(other["resolution"])
    if "cards" in other:
        other["cards"] = other["cards"][::-1]
    if "transfers" in other:
        other["transfers"] = [
            {"followers": {"S": 0, faction: 1}, "from": transfer["from"], "to": transfer["to"]}
            for transfer in reversed(other["transfers"])
            for faction, number in transfer["followers"].items()
            for _ in range(number)
        ]
    return other


def test_what_differs_is_told_by_number(tmp_path: Path) -> None:
    wrong = {case.number: {"case": case.number, **case.expected} for case in CASES}
    wrong["4.B.04"]["legal"] = True
    wrong["4.B.05"]["resolutions"] = ["SS Moray", "SS Devon"]
    del wrong["4.B.06"]
    wrong["99.Z.99"] = {"case": "99.Z.99"}
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(map(json.dumps, wrong.values())), "utf-8")
    result = tkid("conformance", FOLDER, "--check", file)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "4.B.04 Not into the home itself [second.card.support.near]",
        "    legal: expected false, got true",
        "4.B.05 Into the home, where it borders a controlled region [second.card.support.near]",
        "    resolutions: missing: SS Lancaster; SS Northumbria",
        '    resolutions: too much: "SS Devon"',
        "No answer for 4.B.06",
        f"suite {SUITE.version}, {len(CASES)} cases: {len(CASES) - 3} right, 2 wrong, 1 unanswered",
    ]
    assert result.stderr == "99.Z.99: this suite has no such case. Its answer is ignored.\n"


def test_the_suite_is_written_to_one_file(tmp_path: Path) -> None:
    packed = tmp_path / "suite.zip"
    told = f"The suite is in {packed}: version {SUITE.version}, {len(CASES)} cases.\n"
    assert said("conformance", "--export", packed) == told
    assert packed.read_bytes() == pack_suite(FOLDER)
    with ZipFile(packed) as archive:
        archive.extractall(tmp_path)
    assert {file.name: file.read_bytes() for file in (tmp_path / "conformance").iterdir()} == {
        file.name: file.read_bytes() for file in FOLDER.iterdir()
    }
    assert said("conformance", tmp_path / "conformance", "--export", tmp_path / "again.zip").startswith(
        "The suite is in"
    )
    assert (tmp_path / "again.zip").read_bytes() == packed.read_bytes()
    for file in (packed, tmp_path / "conformance" / "README.md"):
        assert f"{file}: this is a file. Unpack it" in complaint("conformance", file, code=2)
    inside = tmp_path / "conformance" / "manifest.json"
    assert "Nothing was written" in complaint("conformance", inside.parent, "--export", inside, code=2)
    assert read_suite(tmp_path / "conformance") == SUITE


def test_only_the_cases_of_one_ruleset(tmp_path: Path) -> None:
    """Asked, compared, and by tkid itself; answers to others are no mistake."""
    some = [case.number for case in CASES if case.ruleset in {"manual", "claim"}]
    chosen = ("--ruleset", "manual", "--ruleset", "claim")
    questions = said("conformance", FOLDER, "--questions", *chosen)
    assert [line["case"] for line in objects(questions)] == some
    told = f"suite {SUITE.version}, {len(some)} cases: {len(some)} right, 0 wrong, 0 unanswered\n"
    assert said("conformance", FOLDER, *chosen) == told
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps({"case": case.number, **case.expected}) + "\n" for case in CASES), "utf-8")
    result = tkid("conformance", FOLDER, "--check", file, *chosen)
    assert (result.exit_code, result.stdout, result.stderr) == (0, told, "")


def test_a_retired_number_is_told(tmp_path: Path) -> None:
    for path in FOLDER.iterdir():
        (tmp_path / path.name).write_text(path.read_text("utf-8"), "utf-8")
    manifest = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    manifest["retired"] = {"99.A.01": "it was about another game"}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    suite: Suite = read_suite(tmp_path)
    assert suite.retired
    answers = "".join(json.dumps({"case": case.number, **case.expected}) + "\n" for case in CASES)
    result = tkid("conformance", tmp_path, "--check", "-", stdin=(answers + '{"case": "99.A.01"}').encode())
    assert result.exit_code == 0
    assert result.stderr == "99.A.01: this case is retired. Its answer is ignored.\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("conformance", "no-such-folder"), "no-such-folder/manifest.json: No such file"),
        (("conformance", FOLDER, "--jsonl", "--questions"), "Use only one of"),
        (
            ("conformance", FOLDER, "--ruleset", "third"),
            "no cases for the ruleset third. It has cases for second-edition,",
        ),
        (("conformance", FOLDER, "--check", "no-such-file"), "no-such-file: No such file"),
        (("conformance", FOLDER, "--check", FOLDER / "README.md"), "README.md:1: this is not JSON"),
    ],
)
def test_mistakes_at_the_terminal(words: tuple[object, ...], told: str) -> None:
    assert told in complaint(*words, code=2)


@pytest.mark.parametrize(
    "manifest", ["[]", "{}", '{"chapters": 1}', "\x00", '{"version": 1, "chapters": [], "retired": 1}']
)
def test_a_folder_that_is_no_suite(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "manifest.json").write_text(manifest, "utf-8")
    with pytest.raises(SuiteError):
        read_suite(tmp_path)


@pytest.mark.parametrize("line", ["[]", "{}", '{"case": 1}', "x", "[" * 100_000])
def test_lines_that_are_no_answers(line: str) -> None:
    with pytest.raises(SuiteError, match=r"^answers:2: "):
        read_answers(['{"case": "1.A.01"}', line], "answers")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ({"ask": "votes", "ruleset": "manual"}, "ask: one of borders, setup"),
        ({"ask": "borders", "ruleset": "claim"}, "ask: one of setup, dealt, cards"),
        ({"ask": "legal", "ruleset": "claim", "position": {"ruleset": "manual"}}, "the position is of another game"),
        ({"ask": "setup", "ruleset": "claim", "players": 3, "tell": []}, "players: 2 belongs here"),
        ({"ask": "setup", "ruleset": "third"}, "there is no ruleset 'third'"),
    ],
)
def test_a_question_of_another_game(question: dict[str, Any], told: str) -> None:
    (problem,) = answer(question)["problems"]
    assert told in problem["message"]


def test_a_case_that_is_answered_twice() -> None:
    with pytest.raises(SuiteError, match=r"^answers:2: 1\.A\.01 is answered twice"):
        read_answers(['{"case": "1.A.01"}'] * 2, "answers")


# -- questions that are not as documented -----------------------------------------------------------------


@pytest.mark.slow
def test_a_question_that_makes_no_sense_is_answered_with_problems() -> None:
    """One value after another of a question replaced by something else: an answer or problems, never an error."""
    rng = Random(SEED)
    odd: tuple[object, ...] = (None, True, -1, 10**12, "", "MOR", "play", [], [None], {}, {"move": "pass"}, "S", 7)
    problems = 0
    for case in CASES:
        for _ in range(4):
            question = deepcopy(case.make_question())
            place, key = rng.choice(list(inside(question)))
            place[key] = rng.choice(odd)
            found = answer(question)
            assert found["case"] == question["case"], (SEED, question)
            problems += "problems" in found
    assert problems > len(CASES)


def inside(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a JSON value: where it stands, and its name or index there."""
    for key, each in list(value.items()) if isinstance(value, dict) else list(enumerate(value)):
        yield value, key
        if isinstance(each, dict | list):
            yield from inside(each)
