"""What a part uses of the styles and shapes of its picture: reading all of them takes longer than drawing most parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from tkid.render.picture import Picture, css

TAG = re.compile(r"<(/?)[^>]*?(/?)>")
ID = re.compile(r' id="([^"]*)"')
USES = re.compile(r'(?:href="|url\()#([^")]*)')
CLASSES = re.compile(r' class="([^"]*)"')
ONE_CLASS = re.compile(r"\.[\w-]+")


def used(picture: Picture, svg: str) -> str:
    """The styles and shapes of a picture that a piece of its SVG uses, as SVG."""
    shapes, needed, waiting = _shapes(picture.defs), dict[str, str](), USES.findall(svg)
    while waiting:
        name = waiting.pop()
        if name in shapes and name not in needed:
            needed[name] = shapes[name]
            waiting += USES.findall(shapes[name])
    defs = "".join(needed.values())
    classes = {f".{name}" for names in CLASSES.findall(svg + defs) for name in names.split()}
    rules = {key: rule for key, rule in picture.style.items() if key in classes or not ONE_CLASS.fullmatch(key)}
    return f"<style>{css(rules, dark=False)}</style><defs>{defs}</defs>"


@lru_cache
def _shapes(defs: str) -> Mapping[str, str]:
    """Definitions by their ids."""
    return {found[1]: each for each in _split(defs) if (found := ID.search(each))}


def _split(svg: str) -> Iterator[str]:
    """SVG as the elements that it has on its highest level."""
    depth = begin = 0
    for tag in TAG.finditer(svg):
        depth += 0 if tag[2] else -1 if tag[1] else 1
        if not depth:
            yield svg[begin : tag.end()]
            begin = tag.end()
