"""Two highlighters colour game files, and neither parts from the grammar and the names of the games."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import import_module
from itertools import chain
from pathlib import Path

from pygments.token import Comment, Error, Keyword, Literal, Name, Number, Operator, Text

from tests.makers import textmate
from tkid.lsp.pygments_lexer import TOKENS, RecordLexer, collect_words, list_colours, list_literals
from tkid.notation.line_parser import read_grammar

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "fixtures/games"
TURN = "5. Ann Manoeuvre W Lancaster <> W Din Eidyn; summon SS Essex {well played} #b9257c"
PAIR = re.compile(r'"([^"\s]+)"')


def tokens(text: str) -> list[tuple[object, str]]:
    """The coloured words of a text."""
    return [(kind, word.strip()) for kind, word in RecordLexer().get_tokens(text) if word.strip()]


def test_the_grammar_for_textmate_is_the_one_that_is_made() -> None:
    made = "make it again: python -m tests.makers.textmate"
    assert textmate.FILE.read_text("utf-8") == textmate.textmate(), made
    assert {
        each["name"].removesuffix(".tkid") for each in json.loads(textmate.textmate())["patterns"] if "name" in each
    }
    kinds = set(chain.from_iterable(each.kinds for each in list_colours()))
    assert kinds == TOKENS.keys() == textmate.SCOPES.keys()


def test_every_word_and_sign_of_the_grammar_is_coloured() -> None:
    """They are read from the text of the grammar here, and from its compiled terminals there."""
    lines = [line for line in read_grammar("struggle_turn").split("\n") if not line.startswith("//")]
    written = {each for line in lines for each in PAIR.findall(line)}
    assert written
    assert written == set(list_literals())
    for each in written:
        ((kind, word),) = tokens(f"x {each} x")[1:-1]
        assert (kind, word) == (Keyword if each.isalpha() else Operator, each)


def test_every_card_and_region_is_coloured() -> None:
    found = collect_words()
    assert {"Assemble", "Goblin", "Pass", "Welsh Support"} <= found["cards"]
    assert {"Moray", "Din Eidyn"} <= found["regions"]
    assert not found["cards"] & found["regions"]
    for card in found["cards"]:
        assert (Name.Function, card) in tokens(f"1. Ann {card}")
    for region in found["regions"]:
        assert (Name.Class, region) in tokens(f"1. Ann x {region}")


def test_the_hash_of_a_line_about_the_game_is_coloured() -> None:
    line = "# resigned: Bob 2026-12-01T09:00Z"
    noted, played = tokens(f"{line} #3f9a1c"), tokens("1. Ann Pass #3f9a1c")
    assert [word for _, word in noted] == [line, "#3f9a1c"]
    assert noted[-1] == played[-1]
    assert [word for _, word in tokens("# I saw #3f9a1c")] == ["# I saw #3f9a1c"]


def test_a_turn_in_colours() -> None:
    assert tokens(TURN) == [
        (Number, "5."),
        (Text, "Ann"),
        (Name.Function, "Manoeuvre"),
        (Literal, "W"),
        (Name.Class, "Lancaster"),
        (Operator, "<>"),
        (Literal, "W"),
        (Name.Class, "Din Eidyn"),
        (Text, ";"),
        (Keyword, "summon"),
        (Literal, "SS"),
        (Name.Class, "Essex"),
        (Comment.Single, "{well played}"),
        (Comment.Special, "#b9257c"),
    ]


def test_no_recorded_game_has_a_place_that_is_not_understood() -> None:
    for file in sorted(GAMES.rglob("whole*.tkid")):
        text = file.read_text("utf-8")
        coloured = list(RecordLexer(stripnl=False, ensurenl=False).get_tokens(text))
        assert "".join(word for _, word in coloured) == text
        assert Error not in {kind for kind, _ in coloured}


def test_pygments_finds_the_lexer() -> None:
    entries = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["pygments.lexers"]
    module, _, name = entries["tkid"].partition(":")
    assert getattr(import_module(module), name) is RecordLexer
