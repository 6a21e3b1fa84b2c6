"""Prose is never protocol: no code looks into a sentence that is written for people to decide anything.

What a later step needs to know of a problem or a violation travels as data: its rule, its part, its fixes.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROSE = {"hint", "message", "sentence"}
"""What sentences for people are called, as attributes and as variables."""
LOOKING = {"startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "split", "rsplit"}
LOOKING |= {"find", "rfind", "index", "rindex", "count", "match", "fullmatch", "search", "findall", "finditer"}
"""The methods of texts and of patterns that look for something."""
COMPARING = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
EXEMPT = {
    ("tkid/cli/printing.py", "message.split('\\n')"): "a message of several lines is printed line by line",
    (
        "tkid/cli/printing.py",
        "problem.hint == last_hint",
    ): "the same hint is printed once in a row, whatever it says",
    (
        "tkid/games/struggle/notation/turn_reader.py",
        "message.endswith('?')",
    ): "what goes on after a question is another sentence",
}
"""Where the code looks at a sentence all the same, and why that decides nothing about the game or the mail."""


def is_prose(tree: ast.AST) -> bool:
    """Whether a part of an expression is a sentence for people, or is made of one."""
    called = {id(each.func) for each in ast.walk(tree) if isinstance(each, ast.Call)}
    return any(
        (isinstance(each, ast.Attribute) and each.attr in PROSE and id(each) not in called)
        or (isinstance(each, ast.Name) and each.id in PROSE)
        for each in ast.walk(tree)
    )


def looks(code: str) -> Iterator[str]:
    """Every expression that looks into a sentence for people."""
    for each in ast.walk(ast.parse(code)):
        parts: list[ast.AST] = []
        if isinstance(each, ast.Compare) and any(isinstance(way, COMPARING) for way in each.ops):
            parts = [each.left, *each.comparators]
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in LOOKING:
            parts = [each.func.value, *each.args]
        elif isinstance(each, ast.Match):
            parts = [each.subject]
        if any(map(is_prose, parts)):
            yield ast.unparse(each.subject if isinstance(each, ast.Match) else each)


@pytest.mark.guard
def test_no_code_looks_into_sentences_but_where_it_is_exempt_for_a_reason() -> None:
    found = [
        (path.relative_to(ROOT).as_posix(), look)
        for path in sorted((ROOT / "tkid").rglob("*.py"))
        for look in looks(path.read_text("utf-8"))
    ]
    assert [each for each in found if each not in EXEMPT] == []
    assert [exempt for exempt in EXEMPT if exempt not in found] == []
    assert all(EXEMPT.values())


@pytest.mark.parametrize(
    "code",
    [
        "problem.hint.startswith('Write')",
        "'; summon' in problem.hint",
        "violation.sentence.lower() == 'no'",
        "PATTERN.match(problem.hint)",
        "re.search('Did you mean', found.message)",
        "f'`{typed}`' in notes[0].sentence",
        "hint.partition(':')",
        "match problem.message:\n    case 'no':\n        pass",
    ],
)
def test_looks_are_found(code: str) -> None:
    assert len(list(looks(code))) == 1


@pytest.mark.parametrize(
    "code",
    [
        "problem.rule == rule",
        "if problem.hint:\n    print(problem.hint)",
        "found.hint() == ''",
        "texts.startswith('-')",
        "violation.sentence.replace('{0}', name)",
    ],
)
def test_what_looks_at_no_sentence_is_left(code: str) -> None:
    assert not list(looks(code))
