"""What programs read: JSON as documented, with its keys in order, answers line by line, and SARIF."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli import FINISHED, POSITION_KEYS, RECORD, complaint, objects, record_in, said, tkid
from tests.shared.tables import each_row
from tkid import __version__

ENDED = ("ending", "winners")
PROBLEM_KEYS = ["line", "col", "length", "rule", "kind", "message", "hint"]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game in which it is Łukasz's turn, in a folder of its own."""
    return record_in(tmp_path)


def test_legal_in_json(game: Path) -> None:
    position = json.loads(said("show", game, "--json"))
    summon = position | {"decision": "summon"}
    requests = [{"position": position, "card": "Outmanoeuvre"}, {"position": position}, {"position": summon}]
    requests += [
        {"position": position, "card": "Negotiate"},
        {"position": position | {"supply": {}}, "card": "Assemble"},
    ]
    one, cards, summons, held_or_not, nothing = objects(
        said("legal", "--jsonl", stdin="\n\n".join(map(json.dumps, requests)).encode())
    )
    turns = re.findall(r"^    Outmanoeuvre (.*); summon", said("legal", game, "--card", "out"), re.MULTILINE)
    assert one == {"resolutions": turns}
    assert list(cards) == ["pass", "cards"]
    assert cards["pass"] is True
    assert cards["cards"]["Outmanoeuvre"] == turns
    assert list(cards["cards"]) == list(dict.fromkeys(position["hands"][1]))
    assert summons["summons"][0] == "S Moray"
    assert held_or_not["resolutions"]
    assert nothing == {"resolutions": ["nothing"]}


def test_a_position_may_stand_alone(tmp_path: Path) -> None:
    """As `tkid show` prints it."""
    game = record_in(tmp_path)
    shown = said("show", str(game), "--json").strip().encode()
    asked = b'{"position": ' + shown + b"}"
    assert said("legal", "--jsonl", stdin=shown) == said("legal", "--jsonl", stdin=asked)


def test_a_hand_that_is_not_known_is_not_taken_for_an_empty_one(game: Path) -> None:
    position = json.loads(said("show", game, "--json"))
    hands = [position["hands"][0], ["Negotiate", "?", "?"]]
    (cards,) = objects(said("legal", "--jsonl", stdin=json.dumps(position | {"hands": hands}).encode()))
    assert list(cards) == ["pass", "cards", "unknown"]
    assert (list(cards["cards"]), cards["unknown"]) == (["Negotiate"], 2)
    claim = json.loads(said("show", FINISHED.parent / "claim" / "drawn.tkid", "--turn", "3", "--json"))
    seat = claim["to_act"]
    claim["hands"][seat] = ["?"] * len(claim["hands"][seat])
    (cards,) = objects(said("legal", "--jsonl", stdin=json.dumps(claim).encode()))
    assert cards["unknown"] == len(claim["hands"][seat])
    assert cards["cards"], "what they may be"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("legal", "GAME", "--jsonl"), "--jsonl reads positions from standard input, so leave out `game.tkid`."),
        (("legal", "--card", "March", "--jsonl"), "--jsonl reads positions from standard input, so leave out `March`."),
        (("result", "GAME", "--jsonl"), "--jsonl reads positions from standard input, so leave out `game.tkid`."),
        (("read", "GAME", "Pass", "--jsonl"), "--jsonl reads texts from standard input, so leave out `Pass`."),
        (("show", "GAME", "--json", "--line"), "--line and --json are two ways to print a position. Leave one out."),
        (
            ("compare", "second", "digest"),
            "There is no ruleset 'second'. Did you mean second-edition or second-edition-advanced?",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    name = record_in(tmp_path).name
    assert complaint(*(name if word == "GAME" else word for word in command), code=2) == f"{told}\n"


@each_row(
    ("line", "told"),
    [
        (b"[]", "A request is a JSON object"),
        (b"{", "This is not JSON: Expecting property name enclosed in double quotes in column 2"),
        (b"\xff", "This line is not UTF-8"),
        (b"[" * 100_000, "This JSON is nested too deeply"),
        (b'{"position": {"passes": ' + b"9" * 5000 + b"}}", "This JSON has a number that is too long"),
        (b"{}", 'There is no `position`. Write {"position": {...}}, or the position alone'),
        (b'{"position": []}', "A position is a JSON object"),
        (b'{"position": {}}', "position.ruleset: 'ruleset' is missing"),
        (b'{"position": {"ruleset": "second-edition", "regions": []}}', "position.regions: [] is not an object"),
        (
            b'{"position": {"ruleset": "\\ud800", "regions": {}}}',
            "position.ruleset: there is no ruleset '\\ud800'. Known",
        ),
        (
            b'{"position": {"ruleset": "second-edition", "regions": {}, "courts": [{}, {}]}, "card": [1]}',
            "card: [1] is not a card of second-edition",
        ),
    ],
    ids=lambda value: str(value)[:30],
)
def test_wrong_json_is_answered_and_the_next_line_too(line: bytes, told: str) -> None:
    good = b'{"position": {"ruleset": "second-edition", "regions": {}, "courts": [{}, {}]}}\n'
    wrong, right = objects(said("legal", "--jsonl", stdin=line + b"\n" + good, code=1))
    assert wrong["problems"][0]["rule"] == "notation.json"
    assert wrong["problems"][0]["message"].startswith(told)
    assert right == {"pass": True, "cards": {}}


def test_check_in_json(game: Path) -> None:
    over = FINISHED / "coronation-second-players.tkid"
    wrong = game.with_name("wrong.tkid")
    wrong.write_text(RECORD.replace("3. Ann", "3. Anna"), "utf-8")
    good, ended, bad = objects(said("check", game, over, wrong, "--format", "json", code=1))
    keys = ["file", "ok", "turns", "ruleset", "ending", "winners", "problems"]
    assert [list(report) for report in (good, ended, bad)] == [keys] * 3
    assert list(good.values()) == [str(game), True, 5, "second-edition", None, [], []]
    assert [ended[key] for key in ("ok", *ENDED)] == [True, "coronation", [1]]
    problem, *follow = bad["problems"]
    assert problem == {
        "line": 25,
        "col": 4,
        "length": 4,
        "rule": "record.turn.player",
        "kind": "name",
        "message": "`Anna` is not a player in this game",
        "hint": "Did you mean Ann?",
    }
    assert list(problem) == PROBLEM_KEYS
    assert {p["kind"] for p in follow} <= {"follow-on"}
    (unread,) = objects(tkid("check", "missing.tkid", "--format", "json").stdout)
    assert list(unread) == keys
    assert list(unread["problems"][0]) == PROBLEM_KEYS


def test_check_in_sarif(game: Path) -> None:
    """What the SARIF 2.1.0 schema requires, and the rules with their pages."""
    wrong = game.with_name("a wrong one.tkid")
    wrong.write_text(RECORD.replace("3. Ann", "3. Anna").replace("5. Ann Out", "5. Ann Oot"), "utf-8")
    result = tkid("check", game, wrong, "missing.tkid", "--format", "sarif")
    assert result.exit_code == 2
    report = json.loads(result.stdout)
    assert report["version"] == "2.1.0"
    (run,) = report["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("tkid", __version__)
    assert {rule["id"] for rule in driver["rules"]} == {found["ruleId"] for found in run["results"]}
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["helpUri"].startswith("https://")
    assert [found["level"] for found in run["results"]] == ["error", "note", "note", "error"]
    for found in run["results"]:
        assert found["message"]["text"]
        (location,) = found["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uri"].endswith("a%20wrong%20one.tkid")
        assert place["region"]["startLine"] >= 1
        assert 1 <= place["region"]["startColumn"] < place["region"]["endColumn"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "No such file or directory"


def test_check_with_annotations_for_github(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each mistake is one line that GitHub shows beside the file's, and no sign in a name ends it early."""
    monkeypatch.chdir(game.parent)
    Path("a, 100%.tkid").write_text(RECORD.replace("3. Ann", "3. Anna"), "utf-8")
    result = tkid("check", game.name, "a, 100%.tkid", "missing.tkid", "--format", "github")
    assert result.exit_code == 2
    right, wrong, missing = result.stdout.splitlines()
    assert right.startswith(f"{game.name}: all right")
    line = RECORD.splitlines().index("3. Ann Pass #32ee44") + 1
    assert wrong.startswith(f"::error file=a%2C 100%25.tkid,line={line},col=4,title=record.turn.player::`Anna` is ")
    assert missing == "::error file=missing.tkid::missing.tkid: No such file or directory"
    every = tkid("check", "a, 100%.tkid", "--format", "github", "--all").stdout.splitlines()
    assert [shown.partition(" ")[0] for shown in every] == ["::error", "::notice", "::notice"]


def test_replay_in_json(game: Path) -> None:
    start, *turns = objects(said("replay", game, "--json"))
    assert list(start) == ["turn", "position"]
    assert start["turn"] == 0
    assert [list(turn) for turn in turns] == [["turn", "seat", "move", "moves", "hash", "events", "position"]] * 5
    assert [list(turn["position"]) for turn in (start, *turns)] == [POSITION_KEYS] * 6
    fourth = turns[3]
    assert [fourth[key] for key in ("turn", "seat", "move", "hash")] == [4, 1, "Pass", "9f4c07"]
    assert fourth["events"][1] == {
        "rule": "second.struggle.tie",
        "text": "Strathclyde becomes unstable, as Scots and Welsh tie at 2",
    }
    assert fourth["position"]["regions"]["STR"] == {"followers": {"S": 0, "W": 0, "E": 0}, "disc": "unstable"}
    assert fourth["position"]["track"][0] == {"region": "STR", "face": "down", "negotiated": False}
    assert fourth["position"]["struggles"] == [{"region": "STR", "outcome": "unstable"}]
    assert turns[4]["position"] == json.loads(said("show", game, "--json"))
    assert list(turns[4]["position"]["banned"]) == ["card", "by", "delta"]


def test_replay_in_json_with_counts(game: Path) -> None:
    *_, last = objects(said("replay", game, "--json", "--legal"))
    assert list(last)[-1] == "legal"
    position = {"position": last["position"]}
    (cards,) = objects(said("legal", "--jsonl", stdin=json.dumps(position).encode()))
    assert last["legal"] == {"pass": True, "cards": {card: len(ways) for card, ways in cards["cards"].items()}}
    *_, end = objects(said("replay", FINISHED / "coronation-second-players.tkid", "--json", "--legal"))
    assert end["legal"] == {"pass": False, "cards": {}}


@pytest.mark.slow
@each_row("path", sorted(FINISHED.glob("*-*.tkid")), ids=lambda path: path.stem, parts=4, sampled=True)
def test_result_in_json(path: Path) -> None:
    *_, last = objects(said("replay", path, "--json"))
    position = last["position"]
    asked = [{"position": position}, {"position": position | {"ending": None, "winners": []}}]
    told, unknowing = objects(said("result", "--jsonl", stdin="\n".join(map(json.dumps, asked)).encode()))
    assert list(told) == [*ENDED, "chain"]
    assert [told[key] for key in ENDED] == [position[key] for key in ENDED]
    assert told["chain"]
    assert all(list(step) == ["rule", "text"] for step in told["chain"])
    assert unknowing == told


def test_result_of_an_unfinished_position_in_json() -> None:
    position = {"ruleset": "second-edition", "regions": {}, "courts": [{}, {}]}
    (told,) = objects(said("result", "--jsonl", stdin=json.dumps({"position": position}).encode(), code=1))
    assert told == {"problems": [{"rule": "notation.json", "message": "position: the game is not finished"}]}
