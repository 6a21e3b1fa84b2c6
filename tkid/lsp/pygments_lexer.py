"""Syntax highlighting for game files, from the grammar of turns and the names of the games.

The words and colours found here make two highlighters: the lexer for Pygments, which colours pages and terminals, and the
TextMate grammar in `editors/vscode`. No sign, small word or name is listed here: they come from `struggle_turn.lark`, the
readers and the rulesets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from attrs import frozen
from lark import Lark
from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Generic, Keyword, Literal, Name, Number, Operator, String, Text

from tkid.adapters.match import find_adapters_plugin
from tkid.notation.line_parser import read_grammar
from tkid.notation.plugin import find_turn_reader
from tkid.notation.text import ARROWS
from tkid.record.clock_notes import WORDS
from tkid.record.format.plugin import FIRST, find_record_plugin
from tkid.record.format.reader import KNOWN_HEADERS
from tkid.rulebook.register import find_address
from tkid.rulebook.rulesets import rulesets

SEATS = ("Ann", "Bob")
"""Names of players, for games that are asked for their words."""
DEFINED = re.compile(r"^\??([a-z_]+):", re.MULTILINE)
ANY_CASE = re.compile(r"\(\?i:(.*)\)")
NO_LITERAL = re.compile(r"[][()?*+]")


@frozen
class Colour:
    """A pattern for Python and Oniguruma (`^` and `$` are ends of lines), and the kind of its match or of each group."""

    pattern: str
    kinds: tuple[str, ...]


def list_literals() -> Iterator[str]:
    """Return the signs and words that the grammar of turns writes out, without its terminals for names and blanks."""
    text = read_grammar("struggle_turn")
    for terminal in Lark(text, parser="lalr", start=DEFINED.findall(text)).terminals:
        value = terminal.pattern.value
        for each in value[3:-1].split("|") if value.startswith("(?:") else [value]:
            alone = ANY_CASE.sub(r"\1", each)
            if not NO_LITERAL.search(alone):
                yield re.sub(r"\\(.)", r"\1", alone)


def collect_words() -> dict[str, set[str]]:
    """Collect the words of the games by kind: those of cards and of the set-up, and the signs and small words of turns."""
    written = set(list_literals())
    small = {each for each in written if each.isalpha()}
    found = {"small": small, "signs": written - small | ARROWS.keys(), "labels": {FIRST}}
    found |= {kind: set() for kind in ("cards", "codes", "regions", "followers")}
    for ruleset in rulesets():
        game = ruleset.game()
        known, words = find_turn_reader(game).cards, find_adapters_plugin(game).list_words(game, len(SEATS))
        setup = find_record_plugin(game).setup_reader(game, SEATS, [])
        found["cards"] |= known.names.keys()
        found["codes"] |= {code for code in known.codes if len(code) == 1}
        found["regions"] |= {label for label in setup.list_labels() if label in words}
        found["followers"] |= {word for word in words if len(word) == 1 and word.isupper()}
        found["labels"] |= setup.readers.keys()
    return found


def list_colours() -> tuple[Colour, ...]:
    found = collect_words()
    headers = "|".join(map(_quote_name, KNOWN_HEADERS))
    letters, codes = "".join(sorted(found["followers"])), "".join(sorted(found["codes"]))
    noted = "|".join(each.replace(" ", r"\s+") for each in WORDS)
    return (
        Colour(rf"^(#\s+(?i:{noted})\s*:.*?)(\s#[0-9a-fA-F]{{6}})(\s*)$", ("comment", "hash", "comment")),
        Colour(r"^#(?: .*|\s*)$", ("comment",)),
        Colour(r"^\s*(?i:setup|turns):?\s*$", ("section",)),
        Colour(rf"^(\s*(?i:{headers}|x-[^:\s]+))(\s*:)(.*)$", ("header", "sign", "value")),
        Colour(r"^--.*$", ("outcome",)),
        Colour(r"\{[^{}]*\}", ("comment",)),
        Colour(r"\s#[0-9a-fA-F]{6}(?=\s*$)", ("hash",)),
        Colour(rf"^(?i:{_match_any(found['labels'])})(?=\s)", ("label",)),
        Colour(r"^\s*[0-9]+\s*\.", ("number",)),
        Colour(_match_word(_match_any(found["cards"])), ("card",)),
        Colour(_match_word(_match_any(found["regions"])), ("region",)),
        Colour(_match_word(_match_any(found["small"])), ("word",)),
        Colour(rf"(?<!\w)[{codes}][0-9]+(?!\w)", ("card",)),
        Colour(rf"(?<!\w)(?:[0-9]*[{letters}]+)+(?!\w)", ("followers",)),
        Colour(r"(?<!\w)[0-9]+(?!\w)", ("number",)),
        Colour(f"(?:{_match_any(found['signs'])})", ("sign",)),
    )


def _match_any(names: Iterable[str]) -> str:
    longest = sorted(names, key=lambda name: (-len(name), name))
    return "|".join(r"\s+".join(map(_quote_name, name.split())) for name in longest)


def _quote_name(name: str) -> str:
    return re.escape(name).replace(r"\-", "-")


def _match_word(names: str) -> str:
    return rf"(?<!\w)(?i:{names})(?!\w)"


TOKENS = {
    "comment": Comment.Single, "section": Keyword.Namespace, "header": Name.Attribute, "value": String,
    "outcome": Generic.Output, "hash": Comment.Special, "label": Name.Label, "number": Number,
    "card": Name.Function, "region": Name.Class, "followers": Literal, "word": Keyword, "sign": Operator,
}  # fmt: skip


class RecordLexer(RegexLexer):
    """Game files of The King is Dead and of Claim."""

    name = "tkid"
    aliases = ("tkid",)
    filenames = ("*.tkid",)
    mimetypes = ("text/x-tkid",)
    url = find_address("notation/")
    tokens = {  # noqa: RUF012 - Pygments reads it as it is
        "root": [
            *(
                (
                    each.pattern,
                    bygroups(*(TOKENS[kind] for kind in each.kinds)) if each.kinds[1:] else TOKENS[each.kinds[0]],
                )
                for each in list_colours()
            ),
            (r"\w+", Text),
            (r"\s|.", Text),
        ]
    }
