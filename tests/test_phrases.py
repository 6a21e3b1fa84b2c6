"""Plain English stays plain: phrases that must not come back in what people read.

`phrases.toml` has the phrases with their better forms, and the files that still have to be rewritten. That list may only
shrink: a file on it that has become clean fails here until it is taken off the list.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from tkid.cli.app import app

ROOT = Path(__file__).parents[1]
DATA = tomllib.loads((ROOT / "tests/phrases.toml").read_text("utf-8"))
BETTER: Mapping[str, str] = DATA["phrases"]
LEFT: Mapping[str, int] = DATA["left"]
PAGES = ("docs/**/*.md", "README.md", "CONTRIBUTING.md")
REGISTER = ("tkid/rulebook/*.toml", "tkid/games/*/rulesets/*.toml")
CODE = "tkid/**/*.py"
HELP = "tkid --help"
"""Under this name the help texts of all commands are looked through."""
NOT_READ = re.compile(r"^(?:source|words|related|confidence)\s*=.*$", re.MULTILINE)
"""Lines of the register that name sources, or words that other people use."""
SEEN = re.compile("|".join(rf"\b{re.escape(phrase)}\b".replace(r"\ ", r"\s+") for phrase in BETTER), re.IGNORECASE)


def phrases_in(text: str) -> list[str]:
    """Every phrase in a text that must not be there, as often as it is."""
    return [" ".join(found[0].lower().split()) for found in SEEN.finditer(text)]


def literals(code: str) -> Iterator[str]:
    """The texts of a module that people may see: literals of several words that are no docstrings."""
    tree = ast.parse(code)
    passed = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}  # docstrings
    for each in ast.walk(tree):
        if isinstance(each, ast.JoinedStr):
            passed |= {id(part) for part in each.values}
            yield "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in each.values)  # type: ignore[misc]
        elif isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in passed:
            yield each.value


def helps(command: Any) -> Iterator[str]:
    """The help of a command, of its options, and of the commands in it."""
    yield command.help or ""
    yield from (getattr(param, "help", None) or "" for param in command.params)
    for each in getattr(command, "commands", {}).values():
        yield from helps(each)


@cache
def texts() -> Mapping[str, str]:
    """What people read, by the file that it is in."""
    read = {path: path.read_text("utf-8") for pattern in PAGES for path in sorted(ROOT.glob(pattern))}
    read |= {
        path: NOT_READ.sub("", path.read_text("utf-8")) for pattern in REGISTER for path in sorted(ROOT.glob(pattern))
    }
    read |= {path: "\n".join(literals(path.read_text("utf-8"))) for path in sorted(ROOT.glob(CODE))}
    return {path.relative_to(ROOT).as_posix(): text for path, text in read.items()} | {
        HELP: "\n".join(helps(get_command(app)))
    }


@cache
def found() -> Mapping[str, list[str]]:
    """The phrases by file, where there are any."""
    return {name: phrases for name, text in texts().items() if (phrases := phrases_in(text))}


@pytest.mark.guard
def test_no_phrase_comes_back() -> None:
    wrong = {name: sorted(set(phrases)) for name, phrases in found().items() if len(phrases) > LEFT.get(name, 0)}
    assert not wrong, "\n".join(
        f"{name}: `{phrase}`; better: {BETTER[phrase]}" for name, phrases in wrong.items() for phrase in phrases
    )


def test_a_file_that_is_clean_leaves_the_list() -> None:
    assert [name for name in LEFT if name not in found()] == []


@pytest.mark.parametrize("phrase", BETTER)
def test_a_phrase_is_seen(phrase: str) -> None:
    """Whatever its capitals, and with a new line within; its better form has none of the phrases."""
    assert phrases_in(f"So {phrase.upper().replace(' ', chr(10))}.")
    assert phrases_in(BETTER[phrase]) == []


def test_a_part_of_a_word_is_no_phrase() -> None:
    assert phrases_in("the owner renews some days of the everyday") == []
