"""Railroad diagrams of the grammar, made of its files when the site is built."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from attrs import frozen
from lark import Lark, Token, Tree

from tkid.club import desk_orders, order_reader
from tkid.notation.line_parser import read_grammar
from tkid.orders import order_kinds
from tkid.orders.forms import OrderRow

PLACE = re.compile(r"<!-- grammar: (\w+)\.lark -->")
"""The comment that the diagrams of a grammar replace."""
LISTED = re.compile(r"<!-- forms: (game|club|desk) -->")
"""The comment that the forms of orders replace."""
CHARACTER, GAP, ARC, ROW = 8, 10, 10, 8
"""In pixels: a character's width, the track between two things, the radius of a curve, the space between two rows."""
BOX = 11
"""Half the height of a box."""
FORMS = {"STRING", "REGEXP"}
"""How lark calls a text in quotes and a pattern."""


@frozen
class Size:
    """How wide a drawing is, and how far it reaches above and below its track, in pixels."""

    width: int
    up: int
    down: int


@frozen
class Box:
    """A word as it is typed (`literal`), or the name of another rule."""

    text: str
    literal: bool = False

    @property
    def size(self) -> Size:
        """How big it is."""
        return Size(CHARACTER * len(self.text) + 2 * BOX, BOX, BOX)

    def draw(self, x: int, y: int) -> Iterator[str]:
        """Its parts as SVG, the track entering at a point."""
        width, kind = self.size.width, "literal" if self.literal else "name"
        corner = BOX if self.literal else 2
        yield f'<rect class="{kind}" x="{x}" y="{y - BOX}" width="{width}" height="{2 * BOX}" rx="{corner}"/>'
        length = CHARACTER * len(self.text)
        yield f'<text x="{x + BOX}" y="{y + 4}" textLength="{length}">{escape(self.text)}</text>'


@frozen
class Row:
    """Things one after the other; none at all is a plain piece of track."""

    items: tuple[Node, ...] = ()

    @property
    def size(self) -> Size:
        """How big it is."""
        sizes = [item.size for item in self.items]
        width = sum(size.width for size in sizes) + GAP * (len(sizes) - 1)
        return Size(max(0, width), max((s.up for s in sizes), default=0), max((s.down for s in sizes), default=0))

    def draw(self, x: int, y: int) -> Iterator[str]:
        """Its parts as SVG, the track entering at a point."""
        for number, item in enumerate(self.items):
            if number:
                yield path(f"M{x} {y}h{GAP}")
                x += GAP
            yield from item.draw(x, y)
            x += item.size.width


@frozen
class Choice:
    """One thing out of several, the first on the track."""

    items: tuple[Node, ...]

    def offsets(self) -> list[int]:
        """How far below the track each thing lies."""
        offsets, edge = [0], self.items[0].size.down
        for item in self.items[1:]:
            offsets.append(max(offsets[-1] + 2 * ARC, edge + ROW + item.size.up))
            edge = offsets[-1] + item.size.down
        return offsets

    @property
    def size(self) -> Size:
        """How big it is."""
        width = max(item.size.width for item in self.items) + 4 * ARC
        return Size(width, self.items[0].size.up, self.offsets()[-1] + self.items[-1].size.down)

    def draw(self, x: int, y: int) -> Iterator[str]:
        """Its parts as SVG, the track entering at a point."""
        inner = self.size.width - 4 * ARC
        for item, offset in zip(self.items, self.offsets(), strict=True):
            rest = inner - item.size.width
            if offset:
                down = offset - 2 * ARC
                yield path(f"M{x} {y}q{ARC} 0 {ARC} {ARC}v{down}q0 {ARC} {ARC} {ARC}")
                back = f"h{rest}q{ARC} 0 {ARC} {-ARC}v{-down}q0 {-ARC} {ARC} {-ARC}"
            else:
                yield path(f"M{x} {y}h{2 * ARC}")
                back = f"h{rest + 2 * ARC}"
            yield from item.draw(x + 2 * ARC, y + offset)
            yield path(f"M{x + 2 * ARC + item.size.width} {y + offset}{back}")


@frozen
class Loop:
    """Something once or more often, with something in between."""

    item: Node
    between: Node

    def offset(self) -> int:
        """How far below the track the way back lies."""
        return max(2 * ARC, self.item.size.down + ROW + self.between.size.up)

    @property
    def size(self) -> Size:
        """How big it is."""
        width = max(self.item.size.width, self.between.size.width) + 2 * ARC
        return Size(width, self.item.size.up, self.offset() + self.between.size.down)

    def draw(self, x: int, y: int) -> Iterator[str]:
        """Its parts as SVG, the track entering at a point."""
        inner, offset = self.size.width - 2 * ARC, self.offset()
        down, rest = offset - 2 * ARC, inner - self.between.size.width
        yield path(f"M{x} {y}h{ARC}")
        yield from self.item.draw(x + ARC, y)
        yield path(f"M{x + ARC + self.item.size.width} {y}h{inner - self.item.size.width + ARC}")
        yield path(f"M{x + ARC} {y}q{-ARC} 0 {-ARC} {ARC}v{down}q0 {ARC} {ARC} {ARC}")
        yield from self.between.draw(x + ARC, y + offset)
        end = x + ARC + self.between.size.width
        yield path(f"M{end} {y + offset}h{rest}q{ARC} 0 {ARC} {-ARC}v{-down}q0 {-ARC} {-ARC} {-ARC}")


Node = Box | Row | Choice | Loop


def path(way: str) -> str:
    """A piece of track."""
    return f'<path d="{way}"/>'


@cache
def parser() -> Lark:
    """The parser of grammar files: lark's own grammar of them."""
    text = files("lark.grammars").joinpath("lark.lark").read_text("utf-8")
    return Lark(text, parser="lalr", keep_all_tokens=False, maybe_placeholders=False)


def shown(name: str) -> str:
    """The name of a rule or a word for people."""
    return name.strip("_").lower().replace("_", " ")


def typed(form: str) -> str:
    """A text in quotes, as lark writes it, without them."""
    return form.removesuffix("i").strip('"')


def row(items: Sequence[Node]) -> Node:
    """Things one after the other; `x (between x)*` becomes a loop through `x`."""
    done: list[Node] = []
    for item in items:
        match item:
            case Choice((Row(()), Loop(Row((*between, again)), Row(())))) if done and done[-1] == again:
                done[-1] = Loop(again, row(between))
            case _:
                done.append(item)
    return done[0] if len(done) == 1 else Row(tuple(done))


def repeated(item: Node, sign: str) -> Node:
    """A thing with `?`, `*` or `+` behind it."""
    loop = item if sign == "?" else Loop(item, Row())
    return loop if sign == "+" else Choice((Row(), loop))


class Grammar:
    """A grammar file: the expressions of its rules and of its words, by name."""

    def __init__(self, name: str) -> None:
        self.text = read_grammar(name)
        self.rules: dict[str, Tree[Token]] = {}
        self.words: dict[str, Tree[Token]] = {}
        for item in parser().parse(f"{self.text}\n").children:
            if isinstance(item, Tree) and item.data in {"rule", "token"}:
                definitions = self.rules if item.data == "rule" else self.words
                expansions = item.children[-1]
                assert isinstance(expansions, Tree)
                definitions[str(item.children[0]).lstrip("?!")] = expansions

    def written(self, name: str) -> str:
        """The definition of a rule, as the file has it."""
        return self.text[slice(*self._place(name).span())]

    def example(self, name: str) -> str:
        """The example of a rule, in quotes in the line above it; "" where there is none."""
        above = self.text[: self._place(name).start()].removesuffix("\n").rpartition("\n")[2]
        quoted = re.match('// "([^"]+)"', above)
        return quoted[1] if quoted else ""

    def _place(self, name: str) -> re.Match[str]:
        definition = re.search(rf"^[?!]?{name}(\.\d+)? *:.*(\n +\|.*)*", self.text, re.MULTILINE)
        assert definition, name
        return definition

    def forms(self, name: str) -> list[str]:
        """What may be typed for a word, best first; a pattern stands between slashes."""
        tokens = self.words[name].scan_values(lambda value: isinstance(value, Token) and value.type in FORMS)
        return [str(token) if token.type == "REGEXP" else typed(str(token)) for token in tokens]

    def named(self, name: str) -> Box:
        """A word by its best form, or by its name where that is a pattern; a rule by its name."""
        if name not in self.words:
            return Box(shown(name))
        best = self.forms(name)[0]
        return Box(shown(name)) if best.startswith("/") else Box(best, literal=True)

    def node(self, part: Tree[Token] | Token) -> Node:
        """The drawing of a part of an expression."""
        if isinstance(part, Token):
            return self.named(str(part)) if part.type in {"RULE", "TOKEN"} else Box(typed(str(part)), literal=True)
        items = part.children
        match part.data:
            case "expansions":
                return Choice(tuple(map(self.node, items)))
            case "expansion":
                return row([self.node(item) for item in items])
            case "maybe":
                return Choice((Row(), self.node(items[0])))
            case "expr":
                return repeated(self.node(items[0]), str(items[1]))
            case "alias" | "name" | "literal":
                return self.node(items[0])
        raise ValueError(f"no drawing of {part.data}")

    def diagram(self, name: str, label: str) -> str:
        """The diagram of a rule as SVG; `label` is the start of the ids in it."""
        drawn = Row((Row(), self.node(self.rules[name]), Row()))
        size = drawn.size
        width, height = size.width + 2 * GAP, size.up + size.down + 2 * ROW
        x, y = GAP, size.up + ROW
        ends = path(f"M{x - 4} {y - BOX}v{2 * BOX}M{width - x + 4} {y - BOX}v{2 * BOX}M{x - 4} {y}h4M{width - x} {y}h4")
        return (
            f'<svg role="img" aria-labelledby="{label}-title {label}-text" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}"><title id="{label}-title">{escape(shown(name))}</title>'
            f'<desc id="{label}-text">{escape(self.written(name))}</desc>{"".join(drawn.draw(x, y))}{ends}</svg>'
        )

    def figures(self, file: str) -> Iterator[str]:
        """Every rule: its diagram with its name, its example, and the text it is made of."""
        for name in self.rules:
            label = f"grammar-{file}-{name}".replace("_", "-")
            example, text = self.example(name), escape(self.written(name))
            instance = f", for instance <code>{escape(example)}</code>" if example else ""
            yield (
                f'<figure class="railroad" data-search-exclude id="{label}"><figcaption><b>{shown(name)}</b>{instance}</figcaption>'
                f'<div class="track" tabindex="0" role="group" aria-label="Diagram of {shown(name)}">{self.diagram(name, label)}</div>'
                f"<details><summary>As text</summary><pre><code>{text}</code></pre></details></figure>"
            )

    def table(self) -> str:
        """The words that may be typed in several ways, and those that are told by a pattern."""
        rows = []
        for name in self.words:
            best, *others = self.forms(name)
            if best.startswith("/"):
                rows.append((f"<i>{shown(name)}</i>", f"what fits <code>{escape(best)}</code>"))
            elif others:
                rows.append((f"<code>{escape(best)}</code>", ", ".join(f"<code>{escape(o)}</code>" for o in others)))
        body = "".join(f"<tr><td>{name}</td><td>{forms}</td></tr>" for name, forms in rows)
        return f"<table data-search-exclude><thead><tr><th>Word</th><th>May be typed as</th></tr></thead><tbody>{body}</tbody></table>"


@cache
def drawn(file: str) -> str:
    """All diagrams of a grammar file, and the words in them."""
    grammar = Grammar(file)
    return "\n\n".join([*grammar.figures(file), grammar.table()]).replace("\n\n<", "\n<")


def listed(scope: str) -> str:
    """The forms of the orders to a game, to the club or to the desk, as the program reads them."""
    rows: Sequence[OrderRow] = {"game": order_kinds.KINDS, "club": order_reader.KINDS, "desk": desk_orders.TABLE}[scope]
    return "\n".join(["```text", *(" ".join(form.split()) for row in rows for form in row.forms), "```"])


def fill_diagrams(markdown: str) -> str:
    """Put the diagrams, and the forms of orders, where a page asks for them."""
    return LISTED.sub(lambda place: listed(place[1]), PLACE.sub(lambda place: drawn(place[1]), markdown))
