"""A reply before a mail program puts it into its form: what is its own, and where it quotes what."""

from __future__ import annotations

from random import Random

from attrs import frozen

from tests.mail.replies.languages import Language


@frozen
class Parent:
    """The mail that is answered: its lines, its headers, its bytes; `author` is the player where it is not ours."""

    lines: tuple[str, ...]
    subject: str
    message_id: str
    references: str
    recipient: str
    raw: bytes
    author: tuple[str, str] = ("tkid", "tkid@localhost")


@frozen
class Piece:
    """A run of lines: `own`, `quote`, or `intro`, where the mail program puts what introduces a quotation."""

    kind: str
    lines: tuple[str, ...] = ()


@frozen
class Draft:
    """A reply: its pieces in order.

    `forwarded` where the parent is forwarded and not answered; `inside` where what stands below the quotation lies in
    the same HTML element.
    """

    language: Language
    parent: Parent
    pieces: tuple[Piece, ...]
    rng: Random
    forwarded: bool = False
    inside: bool = False

    def intro(self, client: str) -> str:
        """What introduces a quotation."""
        name, address = self.parent.author
        return self.language.intro(client).replace("tkid@localhost", address).replace("tkid", name)

    def hex(self, digits: int) -> str:
        """Digits for an id."""
        return "".join(self.rng.choice("0123456789abcdef") for _ in range(digits))


def pieces(position: str, above: list[str], order: list[str], below: list[str], parent: Parent) -> tuple[Piece, ...]:
    """The pieces of a reply with its order above, between or below what is quoted (`alone`: nothing is quoted)."""
    whole = parent.lines
    own = Piece("own", tuple(joined(above, order, below)))
    if position == "alone":
        return (own,)
    if position == "top":
        return (own, Piece("intro"), Piece("quote", whole))
    if position == "bottom":
        return (Piece("intro"), Piece("quote", whole), own)
    assert position == "interleaved"
    after = next(at for at, line in enumerate(whole) if line == "THE POSITION")
    later = next(at for at, line in enumerate(whole) if line.startswith("Each line is legal now")) + 2
    return (
        Piece("intro"),
        Piece("quote", whole[: after - bool(above)]),
        Piece("own", tuple(above)),
        Piece("quote", whole[after:later]),
        Piece("own", tuple(order)),
        Piece("quote", whole[later + 1 :]),
        Piece("own", tuple(below)),
    )


def joined(*paragraphs: list[str]) -> list[str]:
    """Paragraphs with an empty line between."""
    lines: list[str] = []
    for paragraph in filter(None, paragraphs):
        lines += [*([""] if lines else []), *paragraph]
    return lines
