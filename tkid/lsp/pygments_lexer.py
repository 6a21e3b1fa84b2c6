"""A lexer for Pygments, which colours game files on pages and at terminals. Pygments finds it by its entry point."""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Generic, Keyword, Literal, Name, Number, Operator, String, Text

from tkid.lsp.syntax import list_colours
from tkid.rulebook.register import find_address

TOKENS = {
    "comment": Comment.Single, "section": Keyword.Namespace, "header": Name.Attribute, "value": String,
    "outcome": Generic.Output, "hash": Comment.Special, "label": Name.Label, "number": Number,
    "card": Name.Function, "region": Name.Class, "followers": Literal, "word": Keyword, "sign": Operator,
}  # fmt: skip
"""Tokens of Pygments for each kind of `tkid.lsp.syntax`."""


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
