"""`tkid ask` and `tkid rule WORDS`: the answer whole, what else fits, and questions from standard input."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.cli import complaint, said, tkid
from tests.shared.tables import each_row
from tkid.rulebook import rule
from tkid.rulebook.search import LIKELY, LIKELY_RULE, ask


def test_the_best_rule_is_printed_whole_with_what_else_fits() -> None:
    best, *others = [rule(hit.id) for hit in ask("who becomes king?").hits]
    told = said("ask", "--all", "who", "becomes", "king?")
    head, _, rest = told.partition("Source: ")
    assert " ".join(best.statement.split()) in " ".join(head.split())
    assert best.link in rest
    assert any(f"[{each.id}]" in rest for each in others)
    assert said("rule", "who", "becomes", "king?") == told
    assert max(map(len, told.splitlines())) <= 78


@each_row(
    "question",
    [
        "who wins a tie",
        "is Gwynedd next to Devon",
        "how do I negociate",
        "swap two folowers",
        "may I pass twice",
        "spy",
    ],
)
def test_an_answer_has_six_lines_at_most(question: str) -> None:
    """The answer, the title, the statement and the link."""
    found = ask(question)
    best = rule(found.hits[0].id)
    lines = said("ask", question).splitlines()
    assert len(lines) <= 6
    assert max(map(len, lines)) <= 78
    assert lines[-1] == best.link
    assert f"{best.title} (Second edition)" in lines
    assert lines[len(found.corrected)].startswith((LIKELY, LIKELY_RULE)) != found.certain
    assert " ".join(lines).count(best.statement[:30]) == 1


def test_an_answer_says_which_word_it_took_for_another() -> None:
    assert said("ask", "how do I negociate").startswith('"negociate" taken as "negotiate"\n')
    data = json.loads(said("ask", "--json", "how do I negociate"))
    assert data["corrected"] == [{"typed": "negociate", "taken": "negotiate"}]


def test_the_readers_ruleset_comes_first() -> None:
    for code, prefix in (("second-edition", "second"), ("First-Edition", "first"), ("claim", "claim")):
        told = json.loads(said("ask", "--json", "what happens in a tie", "--ruleset", code))
        assert told["rules"][0]["id"].partition(".")[0] == prefix
    assert complaint("ask", "x", "--ruleset", "clam", code=2).startswith(
        "There is no ruleset 'clam'. Did you mean claim?"
    )


CHOOSE = "\nDo you play something else? Add --ruleset; `tkid rulesets` lists them all.\n"


@each_row(
    "arguments, title, hint",
    [
        (("who wins a tie",), "Ties in a region (Second edition)", True),
        (("must I follow suit, in Claim",), f"{rule('claim.trick.follow').title} (Claim)", True),
        (("--ruleset", "claim", "must I follow suit"), f"{rule('claim.trick.follow').title} (Claim)", False),
        (("I lost my deal file",), f"{rule('record.deal.lost').title} (Game files)", False),
    ],
)
def test_an_answer_names_the_game_whose_rule_it_is(arguments: tuple[str, ...], title: str, *, hint: bool) -> None:
    assert title in said("ask", *arguments).splitlines()
    assert said("ask", "--all", *arguments).endswith(CHOOSE) == hint


@each_row(
    "question, kind",
    [
        ("who wins a tie in a region", "sure"),
        ("who wins a tie", "likely"),
        ("how many dragons are there", "none"),
    ],
)
def test_an_answer_says_how_sure_it_is(question: str, kind: str) -> None:
    data = json.loads(tkid("ask", "--json", question).stdout)
    line = json.loads(said("ask", "--jsonl", stdin=question.encode()))
    assert data["kind"] == line["kind"] == kind
    assert 0 <= data["confidence"] == line["confidence"] <= 1
    result = tkid("ask", question)
    assert result.exit_code == (kind == "none")
    assert result.stdout.startswith((LIKELY, LIKELY_RULE)) == (kind == "likely")
    assert result.stdout.startswith("The rules don't say.\n") == (kind == "none")


@each_row(
    "question", [("Who is still playing?",), ("Is it Bob's turn?",), ("is it my turn now",), ("Has Ann moved yet?",)]
)
def test_a_question_about_a_running_game_leads_to_the_game(question: str) -> None:
    result = tkid("ask", question)
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout == "The rules don't say. `tkid show GAME` or the latest letter of the game does.\n"
    assert json.loads(tkid("ask", "--json", question).stdout)["kind"] == "none"


@each_row("question", [("Whose turn is it?",), ("Is it legal to pass?",), ("Who is my team-mate?",)])
def test_a_question_about_any_game_is_one_about_the_rules(question: str) -> None:
    assert tkid("ask", question).exit_code == 0


@each_row(
    "named, meant",
    [
        ("I lost winter.deal", "I lost my deal file"),
        ("I lost ~/games/winter.seed!", "I lost my seed file"),
        ("I lost 'winter.TKID'", "I lost my game file"),
    ],
)
def test_the_name_of_a_file_says_what_kind_of_file_it_is(named: str, meant: str) -> None:
    assert said("ask", named) == said("ask", meant)


def test_an_answer_as_json() -> None:
    data = json.loads(said("ask", "--json", "--ruleset", "claim", "must I follow suit"))
    assert (data["question"], data["ruleset"]) == ("must I follow suit", "claim")
    assert data["rules"][0].keys() == {"id", "title", "short", "statement", "link", "score", "group"}
    assert [each["id"] for each in data["rules"]] == [hit.id for hit in ask("must I follow suit", "claim").hits]
    nothing = tkid("ask", "--json", "xyzzy")
    assert nothing.exit_code == 1
    assert json.loads(nothing.stdout)["rules"] == []


def test_where_nothing_fits_there_is_advice() -> None:
    result = tkid("ask", "xyzzy")
    assert (result.exit_code, result.stdout) == (1, "The rules don't say.\n")
    assert result.stderr.startswith('No rule mentions "xyzzy". Try one word, ')
    result = tkid("ask", "xyzzy", "quux", "in", "the", "supply")
    assert result.exit_code == 1
    assert result.stdout.startswith("The rules don't say.\n\nThe nearest rules\n")
    assert result.stderr.startswith('No rule mentions "xyzzy" or "quux".')


@each_row("question", ["Can I play a card again?", "is a pile with only Spy cards open"])
def test_a_likely_rule_without_an_answer_in_short_is_announced(question: str) -> None:
    assert said("ask", question).startswith(f"{LIKELY_RULE}\n")


def test_a_question_is_needed() -> None:
    assert complaint("ask", code=2).startswith("Ask a question")


def test_questions_one_a_line() -> None:
    lines = [
        "who wins a tie",
        "",
        json.dumps({"question": "follow suit", "ruleset": "claim"}),
        '{"question": "ties"}',
        "Doppelgänger",
    ]
    answers = [json.loads(line) for line in said("ask", "--jsonl", stdin="\n".join(lines).encode()).splitlines()]
    assert [answer["question"] for answer in answers] == ["who wins a tie", "", "follow suit", "ties", "Doppelgänger"]
    assert [bool(answer["rules"]) for answer in answers] == [True, False, True, True, True]
    assert answers[2]["rules"][0].startswith("claim.")
    keys = {"question", "rules", "answer", "kind", "confidence", "corrected"}
    assert all(answer.keys() == keys for answer in answers)


BAD_LINES = [
    (b"{bad", "This is not JSON"),
    (b'{"question": 1}', "A question is"),
    (b'{"text": "x"}', "A question is"),
    (b'{"question": "x", "ruleset": "clam"}', "There is no ruleset 'clam'"),
    (b'{"question": "x", "ruleset": 1}', "A ruleset is"),
    (b"\xff", "This line is not UTF-8"),
]


@each_row("line, message", BAD_LINES)
def test_a_line_that_cannot_be_read_is_named_and_the_others_are_answered(line: bytes, message: str) -> None:
    result = tkid("ask", "--jsonl", stdin=b"tie\n" + line + b"\nsummon\n")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Line 2: {message}")
    first, second, third = map(json.loads, result.stdout.splitlines())
    assert first["rules"]
    assert third["rules"]
    assert second["rules"] == []
    assert second["problems"][0]["message"].startswith(message)


def test_each_line_is_answered_at_once() -> None:
    program = [sys.executable, "-m", "tkid", "ask", "--jsonl"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for question in ("who wins a tie", "summon"):
            process.stdin.write(f"{question}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["question"] == question
        process.stdin.close()
    assert process.returncode == 0


def test_a_rule_by_its_id_needs_no_ranking() -> None:
    code = "import sys; from tkid.cli.app import app; app(['rule', 'second.turn.pass'], standalone_mode=False); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "tkid.rulebook.register" in loaded
    assert not [
        name for name in loaded if name.startswith(("tkid.rulebook.search", "snowballstemmer", "pydantic"))
    ]  # decision 0060


@each_row(
    ("name", "code"),
    [
        ("second", "second-edition"),
        ("Advanced", "second-edition-advanced"),
        ("first", "first-edition"),
        ("mordred", "first-edition-mordred"),
        ("digest", "digest"),
        ("manual", "manual"),
        ("claim", "claim"),
    ],
)
def test_the_short_names_of_the_site_are_understood(name: str, code: str) -> None:
    assert json.loads(said("ask", "--json", "--ruleset", name, "who starts"))["ruleset"] == code
    line = json.dumps({"question": "who starts", "ruleset": name}).encode()
    assert tkid("ask", "--jsonl", stdin=line).exit_code == 0


@each_row(
    "arguments", [("--jsonl", "q.txt"), ("--jsonl", "--json", "tie"), ("--jsonl", "--json"), ("--jsonl", "--all")]
)
def test_questions_as_lines_come_from_standard_input_alone(arguments: tuple[str, ...]) -> None:
    told = complaint("ask", *arguments, code=2)
    assert told == "--jsonl reads its questions from standard input: `tkid ask --jsonl < q.txt`\n"


def test_the_beginning_of_ids_lists_the_rules_below_it() -> None:
    lines = said("rule", "second.turn").splitlines()
    assert "second.turn.pass: Passing" in lines
    assert all(line.startswith("second.turn.") for line in lines)
    ids = [entry["id"] for entry in json.loads(said("rule", "second.turn", "--json"))]
    assert ids == [line.partition(":")[0] for line in lines]
    assert "There is no rule 'second.tur'" in complaint("rule", "second.tur", code=1)


def test_only_a_ruling_with_a_choice_says_how_to_choose() -> None:
    choice = said("rule", "second.ruling.open-hands")
    assert "Ruling: second.ruling.open-hands OPTION" in choice
    assert 'tkid new … --ruling "second.ruling.open-hands OPTION"' in choice
    fixed = said("rule", "second.ruling.start-player")
    assert "\n  drawn with the deal, unless named\n" in fixed
    assert "usual reading" not in fixed
    assert "OPTION" not in fixed
