"""The railroad diagrams: one for each rule of a grammar, with everything in it that the rule has."""

import re
from xml.etree import ElementTree as ET

import pytest

from docs.making import diagrams
from docs.making.diagrams import Box, Choice, Grammar, Loop, Node, Row

FILES = ("struggle_turn", "struggle_position", "struggle_plans", "claim_position", "claim_plans", "orders")


def boxes(node: Node) -> list[Box]:
    """The boxes of a drawing, from left to right and from top to bottom."""
    match node:
        case Box():
            return [node]
        case Row(items) | Choice(items):
            return [box for item in items for box in boxes(item)]
        case Loop(item, between):
            return boxes(item) + boxes(between)


@pytest.mark.parametrize("file", FILES)
def test_every_rule_is_drawn_with_all_that_stands_in_it(file: str) -> None:
    grammar = Grammar(file)
    defined = re.findall(r"^[?!]?([a-z_]+) *:", grammar.text, re.MULTILINE)
    assert list(grammar.rules) == defined
    for name in grammar.rules:
        text = grammar.written(name).partition(":")[2]
        text = re.sub(r"->.*", "", text)
        named = {part for part in re.findall(r'"[^"]*"i?|\w+', text) if not part.startswith('"')}
        literal = {diagrams.typed(part) for part in re.findall(r'"[^"]*"i?', text)}
        expected = {grammar.named(part).text for part in named} | literal
        assert {box.text for box in boxes(grammar.node(grammar.rules[name]))} == expected, name


@pytest.mark.parametrize("file", FILES)
def test_a_diagram_is_well_formed_and_everything_lies_within_it(file: str) -> None:
    grammar = Grammar(file)
    for name in grammar.rules:
        picture = ET.fromstring(grammar.diagram(name, "x"))  # noqa: S314 - our own text
        width, height = int(picture.attrib["width"]), int(picture.attrib["height"])
        found = picture.findall("rect")
        assert found
        for box in found:
            x, y, wide, high = (int(box.attrib[key]) for key in ("x", "y", "width", "height"))
            assert x >= 0, name
            assert y >= 0, name
            assert x + wide <= width, name
            assert y + high <= height, name
        assert picture.findtext("title")
        assert picture.findtext("desc") == grammar.written(name)


@pytest.mark.parametrize("file", FILES)
def test_boxes_do_not_overlap(file: str) -> None:
    grammar = Grammar(file)
    for name in grammar.rules:
        picture = ET.fromstring(grammar.diagram(name, "x"))  # noqa: S314 - our own text
        places = [[int(box.attrib[key]) for key in ("x", "y", "width", "height")] for box in picture.findall("rect")]
        for number, (x, y, wide, high) in enumerate(places):
            for other_x, other_y, other_wide, other_high in places[:number]:
                apart = (
                    x >= other_x + other_wide or other_x >= x + wide or y >= other_y + other_high or other_y >= y + high
                )
                assert apart, name


def test_every_track_ends_where_another_begins_or_at_a_box() -> None:
    """Followed piece by piece, the way leads from the start of each diagram to its end."""
    for file in FILES:
        grammar = Grammar(file)
        for name in grammar.rules:
            drawn = Row((Row(), grammar.node(grammar.rules[name]), Row()))
            reached, ways = {(0, 0)}, list(steps("".join(drawn.draw(0, 0))))
            while (more := {end for start, end in ways if start in reached} | reached) != reached:
                reached = more
            assert (drawn.size.width, 0) in reached, name
            assert {start for start, _ in ways} <= reached, name


def steps(svg: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where each piece of track and each box is entered and left."""
    found = []
    for x, y, way in re.findall(r'<path d="M(-?\d+) (-?\d+)([^"]*)"', svg):
        end = [int(x), int(y)]
        for sign, numbers in re.findall(r"([hvq])([-\d ]+)", way):
            moved = list(map(int, numbers.split()))
            end[0] += {"h": moved[0], "v": 0, "q": moved[-2] if sign == "q" else 0}[sign]
            end[1] += {"h": 0, "v": moved[0], "q": moved[-1]}[sign]
        found.append(((int(x), int(y)), (end[0], end[1])))
    for x, y, wide in re.findall(r'<rect class="\w+" x="(\d+)" y="(-?\d+)" width="(\d+)"', svg):
        middle = int(y) + diagrams.BOX
        found.append(((int(x), middle), (int(x) + int(wide), middle)))
    return found


def test_a_list_is_a_loop() -> None:
    spread = Grammar("struggle_turn")
    drawing = spread.node(spread.rules["spread"])
    assert isinstance(drawing, Choice)
    assert drawing.items[0] == Loop(Box("item"), Box(",", literal=True))


def test_the_example_above_a_rule_is_told() -> None:
    grammar = Grammar("struggle_turn")
    assert grammar.example("place") == "Scottish Support SS Lancaster"
    assert grammar.example("part") == ""


def test_words_with_several_forms_and_patterns_are_listed() -> None:
    table = diagrams.drawn("struggle_turn")
    assert (
        "<td><code>&lt;&gt;</code></td><td><code>&lt;-&gt;</code>, <code>&lt;=&gt;</code>, <code>for</code></td>"
        in table
    )
    assert "<td><i>word</i></td><td>what fits <code>/" in table


def test_a_page_gets_its_diagrams_where_it_asks_for_them() -> None:
    page = diagrams.fill_diagrams("before\n\n<!-- grammar: struggle_turn.lark -->\n\nafter")
    assert page.count("<figure") == len(Grammar("struggle_turn").rules)
    assert "\n\n<t" not in page.partition("<figure")[2].partition("</table>")[0]


@pytest.mark.parametrize(
    ("scope", "form"),
    [
        ("game", "undo (yes|agree|agreed)"),
        ("club", "stop observing [<game>]"),
        ("desk", "show [mail] <number> [<reason>]"),
    ],
)
def test_pages_list_the_forms_that_the_program_reads(scope: str, form: str) -> None:
    page = diagrams.fill_diagrams(f"before\n\n<!-- forms: {scope} -->\n\nafter").splitlines()
    assert form in page
    assert page[0] == "before"
    assert page[-1] == "after"
