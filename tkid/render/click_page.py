"""Write a page with a board to click a turn together, and the frame of every page.

A page loads nothing, and runs only its own script, known by its hash. What players wrote is in it as text or data, never as
code. To keep it small, values that recur are in tables once and are named by their number. Rows of numbers are texts: each
number is one of the `signs`, and the first of these take one byte.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Sized
from functools import cache, lru_cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import chain, count
from typing import Any, TypeVar
from unicodedata import bidirectional, category
from urllib.parse import quote

from attrs import define, field, frozen

from tkid.kernel.game import AnyGame
from tkid.render import clicks
from tkid.render.picture import (
    LastTurn,
    Part,
    Picture,
    read_css,
    write_css,
    write_css_variables,
    write_definitions,
    write_groups,
)
from tkid.render.plugin import find_render_plugin, tell_events
from tkid.rulebook import is_known_rule, rule

UNSAFE = {c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
"""Characters that could end a script or begin an element, as JSON may write them."""

SELF = "'self'"
"""In a policy: the server that the page comes from."""
K = TypeVar("K")


class Table(dict[K, int]):
    """Values numbered in the order in which they come, so that each is in the data of a page once."""

    def __missing__(self, value: K) -> int:
        self[value] = number = len(self)
        return number


class Signs(dict[K, str]):
    """Values as a table has them, each with the sign of its number."""

    def __missing__(self, value: K) -> str:
        self[value] = sign = _list_signs()[len(self)]
        return sign


@frozen
class Page:
    """A page before it is written: its title, its body as HTML, its style and its script."""

    title: str
    body: str
    style: str = ""
    script: str = ""


def write_html_page(page: Page, *, framed: Page | None = None, asks: bool = False) -> str:
    """Write HTML that runs only its own style and script; a `framed` page in its data may run its own.

    It loads nothing, unless it `asks` its own server.
    """
    pages = (page, framed) if framed else (page,)
    styles = " ".join(_hash(each.style) for each in pages if each.style)
    scripts = " ".join(_hash(each.script) for each in pages if each.script)
    policy = f"default-src 'none'; style-src {styles}; script-src {scripts}{'; connect-src ' + SELF if asks else ''}"
    return (
        '<!doctype html>\n<html lang="en" dir="ltr">\n<head>\n<meta charset="utf-8">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}; base-uri 'none'; form-action 'none'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(page.title)}</title>\n<style>{page.style}</style>\n</head>\n"
        f"<body>\n{page.body}\n<script>{page.script}</script>\n</body>\n</html>\n"
    )


def write_data_element(name: str, value: Any) -> str:
    """Write a value for the script of a page, by its name. No text in it can end the element."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character, safe in UNSAFE.items():
        written = written.replace(character, safe)
    return f'<script type="application/json" id="{name}">{written}</script>'


def rule_link(rule_id: str) -> str:
    """Write a rule's id as a link to its page; only the id if the register has no such rule."""
    shown = escape(rule_id)
    return f'<a class="rule" href="{rule(rule_id).link}">{shown}</a>' if is_known_rule(rule_id) else shown


@cache
def read_page_part(name: str) -> str:
    """Return a style, a script or the body of the pages, by its file name, without comments and idle spaces."""
    if name.endswith(".css"):
        return read_css("tkid.render", f"page/{name.removesuffix('.css')}")
    text = files("tkid.render").joinpath("page", name).read_text("utf-8")
    return re.sub(r"^\s*(?://.*\s*)*", "", text, flags=re.MULTILINE)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


ELEMENTS = re.compile(r"(?<=/>)(?=<)|(?<=</text>)(?=<)")
TAGS = re.compile(r"(?= (?:x|y|cx|cy|r|d|data-at|class)=)|(?<=\d\")(?=/?>)")
"""Where the SVG of a part is split into elements, and those into tags, so that most are those of others too."""
SPLIT_REMEMBERED = 1 << 13
"""Cache size for parts and elements that were split: the pages of all positions share most of them."""
FIRST, BEHIND = 0x23, 0x3400
"""Signs are looked for between these two; before them are the space and the quotation mark."""
UNFIT = frozenset("&<>\\")
"""Characters that JSON or HTML has to escape."""
FITTING = frozenset({"Lu", "Ll", "Lo", "Nd", "Po", "Sm"})
"""The categories of visible characters that represent themselves."""


def build_choice_data(
    choices: clicks.Choices, preview: clicks.Preview | None = None, calm: Sequence[Part] = ()
) -> dict[str, Any]:
    """Return choices, and what the page shows on the way, as compact data.

    `spots` are [key, name, group, short]. These are rows of signs: `steps` (ask, changes, spot, spot, ...) and
    `ends` (ask, spot, spot, ...) by the numbers of `asks`, `changes` and `spots`; `changes` (place, what, place,
    what, ...). `after` has the changes of each ending, `texts` its text. A way is text after signs: how much the
    text has in common with the text before it, the number of its ending plus one (0: none), how many steps it has
    in common, how many follow, and those steps.

    `looks` have the parts that are drawn for each place and state, separated by a space: the number of the part and
    those of its `elements`, which are made of `tags`. `pieces` have the places where pieces come and go. `calm` are
    the parts that look different without the marks of the last turn. `brings` has the numbers of `outlooks` by way
    and spot; if it has none, the number is in `settled` by the state of a place: the way's own place in `stakes`,
    or else `stake`.
    """
    preview = preview or clicks.Preview()
    looked = (parts for states in preview.looks.values() for parts in states.values())
    moving = [Part("", pieces.head) for pieces in preview.pieces.values()]
    grounds = (pieces.grounds.values() for pieces in preview.pieces.values())
    drawn = chain(calm, moving, *looked, *grounds)
    elements = _rank_by_frequency(Counter(chain.from_iterable([_split(ELEMENTS, part.svg) for part in drawn])))
    tags = _rank_by_frequency(Counter(chain.from_iterable([_split(TAGS, element) for element in elements])))
    tables = _Data(choices, elements, spots=Table(zip(choices.spots, count(), strict=False)))
    found: dict[str, Any] = {"due": choices.due, "ways": tables.encode_ways()}
    found["looks"] = {
        tables.places[place]: {
            tables.encode_state(state): tables.encode_parts(parts) for state, parts in states.items()
        }
        for place, states in preview.looks.items()
    }
    found["pieces"] = {tables.places[place]: tables.describe_pieces(each) for place, each in preview.pieces.items()}
    found["after"] = {tables.spots[key]: tables.changes[end.changes] for key, end in choices.ends.items()}
    found |= tables.describe_outlooks(preview) | {
        "calm": tables.encode_parts(calm),
        "spots": [[key, spot.name, spot.group, spot.short] for key, spot in choices.spots.items()],
        "steps": [tables.encode_step(step) for step in tables.steps],
        "ends": [tables.asks[end.ask] + tables.encode_keys(end.keys) for end in tables.ends],
        "texts": {tables.spots[key]: end.text for key, end in choices.ends.items()},
        "changes": [tables.encode_changes(each) for each in tables.changes],
    }
    return found | {
        "whats": [list(what) for what in tables.whats],
        "asks": list(tables.asks),
        "parts": list(tables.parts),
        "elements": [encode_numbers(map(tags.__getitem__, _split(TAGS, element))) for element in elements],
        "tags": list(tags),
        "outlooks": [[each.text, each.detail, each.shape, *each.factions] for each in tables.outlooks],
        "rules": {key: _describe_rule(id_) for key, id_ in choices.rules.items()},
        "barred": {key: [no.sentence, no.rule, rule(no.rule).link] for key, no in choices.barred.items()},
        "signs": "".join(_list_signs()[: max(tables.most, len(tags))]),
    }


@define
class _Data:
    choices: clicks.Choices
    elements: Mapping[str, int]
    spots: Table[str]
    asks: Signs[str] = field(factory=Signs)
    steps: Signs[clicks.Step] = field(factory=Signs)
    ends: Table[clicks.Ending] = field(factory=Table)
    changes: Table[tuple[clicks.Change, ...]] = field(factory=lambda: Table({(): 0}))
    places: Table[str] = field(factory=Table)
    whats: Signs[clicks.What] = field(factory=Signs)
    parts: Signs[str] = field(factory=Signs)
    outlooks: Table[clicks.Outlook] = field(factory=Table)
    _pairs: dict[clicks.Change, str] = field(factory=dict)
    _drawn: dict[str, str] = field(factory=dict)

    @property
    def most(self) -> int:
        """A number above all that are encoded: they are those of values in a table, or characters of a text."""
        counted: list[Sized] = [self.elements, self.spots, self.asks, self.steps, self.ends, self.changes]
        counted += [self.places, self.whats, self.parts, *(way.text for way in self.choices.ways)]
        return max(map(len, counted)) + 1

    def encode_ways(self) -> list[str]:
        """Encode the ways, each with what it has in common with the one before it."""
        rows, text, steps, signs = list[str](), "", tuple[clicks.Step, ...](), _list_signs()
        number = self.steps.__getitem__
        for way in self.choices.ways:
            before, text, past, steps = text, way.text, steps, way.path.steps
            same, shared = _count_shared_start(before, text), 0
            for step, other in zip(past, steps, strict=False):
                if step is not other:
                    break
                shared += 1
            end, new = self.ends[way.then] + 1 if way.then else 0, steps[shared:]
            head = f"{signs[same]}{signs[end]}{signs[shared]}{signs[len(new)]}"
            rows.append(f"{head}{''.join(map(number, new))}{text[same:]}")
        return rows

    def encode_step(self, step: clicks.Step) -> str:
        return self.asks[step.ask] + encode_numbers((self.changes[step.changes],)) + self.encode_keys(step.keys)

    def encode_keys(self, keys: Iterable[str]) -> str:
        return encode_numbers(map(self.spots.__getitem__, keys))

    def encode_changes(self, changes: tuple[clicks.Change, ...]) -> str:
        return "".join([self._pairs.get(each) or self._encode_change(each) for each in changes])

    def _encode_change(self, change: clicks.Change) -> str:
        self._pairs[change] = pair = encode_numbers((self.places[change.place],)) + self.whats[change.what]
        return pair

    def encode_state(self, state: clicks.State) -> str:
        return "".join(sorted(map(self.whats.__getitem__, state)))

    def encode_parts(self, parts: Iterable[Part]) -> str:
        rows = [self.parts[part.name] + self._encode_elements(part.svg) for part in parts]
        return " ".join(rows)

    def _encode_elements(self, svg: str) -> str:
        known = self._drawn.get(svg)
        if known is None:
            known = self._drawn[svg] = encode_numbers(map(self.elements.__getitem__, _split(ELEMENTS, svg)))
        return known

    def describe_pieces(self, pieces: clicks.Pieces) -> dict[str, Any]:
        return {
            "head": self.encode_parts((Part(pieces.part, pieces.head),)),
            "kinds": list(pieces.kinds),
            "shapes": pieces.shapes,
            "places": {more: [_round_tenths(n) for at in row for n in at] for more, row in pieces.places.items()},
            "grounds": {encode_numbers(counts): self.encode_parts((part,)) for counts, part in pieces.grounds.items()},
        }

    def describe_outlooks(self, preview: clicks.Preview) -> dict[str, Any]:
        """Return the outlooks by the number of a way and of its end's spot (-1: none), or the places that decide them."""
        numbers = {way: number for number, way in enumerate(self.choices.ways)}
        brings: dict[int, dict[int, int]] = {}
        for (way, end), outlook in preview.brings.items():
            spot = self.spots[end] if end else -1
            brings.setdefault(numbers[way], {})[spot] = self.outlooks[outlook]
        usual = Counter(preview.stakes.values()).most_common(1)
        stakes = [(numbers[way], place) for way, place in preview.stakes.items() if place != usual[0][0]]
        return {
            "brings": brings,
            "stake": self.places[usual[0][0]] if usual else -1,
            "stakes": {way: self.places[place] for way, place in stakes},
            "settled": {
                self.places[place]: {self.encode_state(state): self.outlooks[each] for state, each in rows.items()}
                for place, rows in preview.settled.items()
            },
        }


@lru_cache(SPLIT_REMEMBERED)
def _split(between: re.Pattern[str], svg: str) -> tuple[str, ...]:
    return tuple(between.split(svg))


def _rank_by_frequency(counted: Counter[str]) -> dict[str, int]:
    return {each: number for number, (each, _) in enumerate(counted.most_common())}


def _round_tenths(number: float) -> float:
    """Round to tenths; a whole number is written without them."""
    return int(rounded) if (rounded := round(number, 1)).is_integer() else rounded


def _describe_rule(rule_id: str) -> list[str]:
    found = rule(rule_id)
    return [found.id, found.statement, found.link]


def encode_numbers(numbers: Iterable[int]) -> str:
    return "".join(map(_list_signs().__getitem__, numbers))


@cache
def _list_signs() -> list[str]:
    signs = (sign for sign in map(chr, range(FIRST, BEHIND)) if sign not in UNFIT and category(sign) in FITTING)
    return [sign for sign in signs if bidirectional(sign) not in {"R", "AL", "AN"}]


@lru_cache(1 << 14)
def _count_shared_start(one: str, other: str) -> int:
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[:middle] == other[:middle]:
            least = middle
        else:
            most = middle - 1
    return least


STALE = "If the game has gone on, you need a newer page."


VARIABLES = (
    *"paper ink dim panel rule coast last chosen card".split(),  # noqa: SIM905 - words read better so
    *(f"tint{faction}" for faction in range(4)),
)
"""The roles of colours that the page uses outside the picture."""
COPY = '<button type="button" id="k-copy">Copy{}</button>'
FOLLOWS = "This page changes by itself."
SHARE = '<button type="button" id="k-share" hidden>Share</button>'
MAIL = '<a id="k-mail" class="k-button">Answer by mail</a>'


@frozen
class Answer:
    """Address that a turn is sent to, which may hold a key, and the subject of the mail."""

    to: str
    subject: str = ""

    @property
    def href(self) -> str:
        """A link that opens a mail; the body, percent-encoded, goes behind it."""
        subject = f"subject={quote(self.subject, safe='')}&" if self.subject else ""
        return f"mailto:{quote(self.to, safe='@')}?{subject}body="


@frozen
class Exercise:
    """A turn that somebody tries to find: as HTML the task, the verdict on a turn and the solution; its style and script."""

    task: str
    verdict: str
    solution: str
    style: str
    script: str


def click_page(
    game: AnyGame,
    view: Any,
    names: Sequence[str],
    *,
    title: str,
    last: LastTurn | None = None,
    answer: Answer | None = None,
    exercise: Exercise | None = None,
) -> str:
    """Write the page for the seat of a view. If it is not that seat's turn, the page says so and offers nothing.

    `title` names game and turn. The last turn is marked in the picture until the first click, and its events are listed.
    Without an `answer` the line can only be copied or shared. In an `exercise` it is judged at once.
    """
    due = exercise is None
    made = build_click_page(game, view, names, title=title, last=last, answer=answer, exercise=exercise, due=due)
    return write_html_page(made)


def build_click_page(
    game: AnyGame,
    view: Any,
    names: Sequence[str],
    *,
    title: str,
    last: LastTurn | None = None,
    answer: Answer | None = None,
    exercise: Exercise | None = None,
    due: bool = True,
    headline: tuple[str, str] = ("", ""),
    send: str = "",
    around: tuple[str, str] = ("", ""),
    reader: int | None = None,
) -> Page:
    """Build the same page without writing it. A turn that is not `due` any more can only be tried out.

    A page with a button of its own that sends has another `headline`, too, and a `reader`: the seat that is "You" on it.
    What it sends is the turn with the text `around` it.
    """
    render, drawing = find_render_plugin(game), clicks.find_drawing_plugin(game)
    picture = drawing.draw_picture(game, view, names, last, layout="click")
    choices = drawing.make_choices(game, view, names)
    seen = [event.seen(view.seat) for event in last.events] if last else []
    events = [text for text, _ in tell_events(game, seen, names)]
    calm: Sequence[Part] = ()
    if choices.ways and last is not None:
        unmarked = drawing.draw_picture(game, view, names, layout="click")
        calm = [now for before, now in zip(picture.parts, unmarked.parts, strict=True) if before != now]
    known = build_choice_data(choices, drawing.make_preview(game, view, names, choices), calm)
    written = render.write_headline(game, view, names)
    idle = written if view.shown.to_act is None else FOLLOWS if send else ""
    forecast = render.write_forecast(game, view, names) if choices.ways else idle
    known |= {"mail": answer.href if answer else "", "forecast": forecast}
    known["around"] = around
    known["players"] = ["You" if seat == reader else name for seat, name in enumerate(names)]
    stale = f'<p class="k-stale">This page is for turn {view.shown.turn + 1}. {STALE}</p>' if due else ""
    go = send or (MAIL if answer else "" if exercise else COPY.format(""))
    also = COPY.format(" the line") + SHARE if send or answer else SHARE
    frame = read_page_part("click.html").removesuffix("\n")
    board, rows = _draw_board(picture)
    who, colon, what = written.partition(": ")
    large, small = headline if headline[0] else (who + colon, what)
    body = frame.format(
        headline=f"{escape(large)}<small>{escape(small)}</small>" if small else escape(large),
        title=f'<p id="k-title">{escape(title)}</p>' if last else "",
        since=escape(render.describe_last_turn(game, view, names, last) if last else title),
        board=board,
        rows=rows,
        stale=stale,
        go=go,
        also=also,
        task=exercise.task if exercise else "",
        verdict=exercise.verdict if exercise else "",
        solution=exercise.solution if exercise else "",
        barred=_write_details(
            "barred",
            "What you cannot play, and why",
            [refusal.sentence for key, refusal in choices.barred.items() if key.startswith("card/")],
        ),
        happened=_write_details("happened", "What happened before", events),
        told=_write_details("told", "The position in words", [picture.description] if picture.description else []),
        due=escape(choices.due),
        data=write_data_element("k-choices", known),
    )
    variables, shapes = write_css_variables(VARIABLES), write_css(picture.style)
    style = variables + read_page_part("click.css") + shapes + _write_narrow_style(picture)
    script = read_page_part("click.js")
    if exercise:
        style, script = style + exercise.style, script + exercise.script
    return Page(title, body, style, script)


def _write_narrow_style(picture: Picture) -> str:
    if picture.low is None:
        return ""
    low = picture.low
    size = f"#k-board{{--w:{low.width};--h:{low.height}}}#k-board svg{{width:calc(100%*{picture.width}/{low.width})}}"
    return f"@media (max-width:56.24rem){{{size}{low.css}}}"


def _draw_board(picture: Picture) -> tuple[str, str]:
    """Draw the board, and the rows of the players apart from it ("" if they are not)."""
    left, top = picture.corner
    height = (picture.rows or picture.height + top) - top
    below = [part for part in picture.parts if picture.rows and part.at[1] >= picture.rows]
    above = [part for part in picture.parts if part not in below]
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{} {} {} {}" role="group" aria-label="{}">{}{}</svg>'
    definitions, parts = write_definitions(picture), write_groups(above)
    board = svg.format(left, top, picture.width, height, escape(picture.title), definitions, parts)
    size = left, picture.rows, picture.width, picture.height - picture.rows
    return board, svg.format(*size, "Players", "", write_groups(below)) if below else ""


def _write_details(name: str, heading: str, lines: Sequence[str]) -> str:
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'<details id="k-{name}"><summary>{heading}</summary>{paragraphs}</details>' if lines else ""
