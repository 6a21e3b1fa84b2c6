"""The rules on paper: everything that holds in an edition is there, inside the page, and the same each time."""

import re
import zlib

import pytest

from docs.making.leaflets import FOOT, PLAIN, list_chapters, list_leaflets, make_leaflet
from docs.making.rule_pages import title_of
from tkid.rulebook.register import find_page, list_in_force
from tkid.rulebook.rulesets import rulesets

PREFIXES = list(dict.fromkeys(entry.rule_prefix for entry in rulesets()))
HEIGHT, MILLIMETRE = 841.89, 72 / 25.4
"""Of a page and a millimetre, in points."""
each_edition = pytest.mark.parametrize("prefix", PREFIXES)


def read_lines(leaflet: bytes) -> list[tuple[float, str]]:
    """Each line of a leaflet, with how far it is from the top of its page in millimetres."""
    streams = [
        zlib.decompress(each) for each in re.findall(rb"FlateDecode.*?stream\n(.*?)\nendstream", leaflet, re.DOTALL)
    ]
    found = re.findall(rb"BT [\d.]+ ([\d.]+) Td \((.*?)\) Tj ET", b"\n".join(streams))
    return [
        ((HEIGHT - float(y)) / MILLIMETRE, re.sub(rb"\\([()\\])", rb"\1", text).decode("latin-1")) for y, text in found
    ]


@each_edition
def test_every_rule_in_force_is_there(prefix: str) -> None:
    text = " ".join(line for _, line in read_lines(make_leaflet(prefix)))
    entries = [entry for entry in list_in_force(prefix).values() if not entry.moved]
    for entry in entries:
        for part in (title_of(entry), entry.statement, entry.id):
            assert " ".join(part.translate(PLAIN).split()) in text, entry.id
    assert sorted(each.id for rules in list_chapters(prefix).values() for each in rules) == sorted(
        entry.id for entry in entries
    )


@each_edition
def test_nothing_leaves_its_page(prefix: str) -> None:
    lines = read_lines(make_leaflet(prefix))
    pages = sum("Unofficial rules, version" in line for _, line in lines)
    assert pages <= 8
    below = [line for y, line in lines if y > FOOT]
    assert len(below) == 2 * pages


def test_a_leaflet_is_the_same_each_time() -> None:
    assert make_leaflet("claim") == make_leaflet("claim")
    assert set(list_leaflets()) == {find_page(prefix) for prefix in PREFIXES}
