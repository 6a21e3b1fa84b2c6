"""Draw Claim as a picture, in colours that differ clearly for colour-blind eyes too, and list the clicks that make a turn."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from attrs import evolve, frozen

from tkid.games.claim import render, rules
from tkid.kernel.game import HIDDEN, fill_names
from tkid.notation.names import list_names
from tkid.notation.text import count_noun
from tkid.render import clicks
from tkid.render import picture as page
from tkid.render.lines import make_printable
from tkid.render.picture import balance_lines, measure_text, truncate_to_room, write_element, write_text_element

ROLE: Mapping[str, str] = {
    rules.GOBLIN: "goblins", rules.KNIGHT: "knights", rules.DWARF: "dwarves", rules.UNDEAD: "undead",
    rules.DOPPELGANGER: "doppelgangers",
}  # fmt: skip
"""The name of each faction's colours in the palette."""

EMBLEMS: Mapping[str, str] = json.loads(files(__package__).joinpath("emblems.json").read_text("utf-8"))
"""The emblem of each faction as a path in a square of 20: a head with ears, a shield, a hammer, a skull, two faces."""
CROWN = "M1 4.5 5.5 10 10 1.5 14.5 10 19 4.5 17 17H3Z"
"""The sign of a vote, in the same square."""


@frozen
class Size:
    """The measures of a card: width, height, corners, band, the font sizes, the top and the emblem of its coloured field."""

    key: str
    width: int
    height: int
    corner: float
    band: float
    value: int
    letter: int
    field: float
    emblem: float


TRICK = Size("t", 84, 120, 8, 8, 36, 22, 50, 46)
STAKE = Size("s", 54, 78, 6, 6, 24, 15, 34, 30)
HAND_SIZE = Size("h", 33, 52, 5, 5, 19, 13, 25, 20)
SMALL = Size("p", 24, 36, 4, 4, 13, 11, 18, 13)
SIZES = (TRICK, STAKE, HAND_SIZE, SMALL)
"""Cards of the trick, the prize with the deck, cards in the viewer's hand, and in all other hands and follower piles."""
CHIP, CHIP_HEIGHT = 31, 18
LATTICE = 8
"""Distance of the lines on a back."""

CARD_STYLE: page.Style = {
    ".c-paper": page.paint("stroke-width:1", fill="card", stroke="coast"),
    ".c-aside": page.paint("stroke-width:1", fill="panel", stroke="rule"),
    ".c-back": page.paint("stroke-width:1", fill="back", stroke="coast"),
    ".c-weave": page.paint("fill:none;stroke-width:.6;stroke-opacity:.6", stroke="on-back"),
    ".c-led": page.paint("fill:none;stroke-width:3", stroke="ink"),
    ".c-last": page.paint("fill:none;stroke-width:2.6", stroke="last"),
    ".c-value": ("font-weight:700", ""),
    **{f".c-value-{size.key}": (f"font-size:{size.value}px", "") for size in SIZES},
    **{f".c-letter-{size.key}": (f"font-size:{size.letter}px;text-anchor:end", "") for size in SIZES},
    ".c-chip": ("font-weight:700;text-anchor:middle", ""),
    ".c-edge": page.paint("stroke-width:.8", stroke="edge"),
    **{f".c-{letter}": page.paint(fill=role) for letter, role in ROLE.items()},
    **{f".c-on-{letter}": page.paint(fill=f"on-{role}") for letter, role in ROLE.items()},
    **{f".c-tint-{letter}": page.paint(fill=f"tint-{role}") for letter, role in ROLE.items()},
    **{f".c-won-{letter}": page.paint(fill=f"won-{role}") for letter, role in ROLE.items()},
}


@cache
def _draw_definitions() -> str:
    emblems = "".join(_make_symbol(f"emblem-{letter}", path) for letter, path in EMBLEMS.items())
    return emblems + _make_symbol("crown", CROWN) + "".join(_draw_back(size) for size in (STAKE, HAND_SIZE, SMALL))


def _make_symbol(name: str, path: str) -> str:
    return write_element("symbol", write_element("path", d=path, fill_rule="evenodd"), id=name, viewBox="0 0 20 20")


def _draw_back(size: Size) -> str:
    inset = size.corner - 1
    wide, high = size.width - 2 * inset, size.height - 2 * inset
    path = ""
    for start in range(-int(high // LATTICE) * LATTICE, int(wide), LATTICE):
        x, y = max(0, start), max(0, -start)
        length = min(wide - x, high - y)
        path += f"M{inset + x:g} {inset + y:g}l{length:g} {length:g}"
    falling = write_element("path", d=path, class_="c-weave")
    rising = falling + write_element("g", falling, transform=f"translate({size.width} 0) scale(-1 1)")
    back = _draw_rounded_box("c-back", 0, 0, size.width, size.height, rx=size.corner)
    return write_element("g", back + rising, id=f"back-{size.key}")


def _place_back(size: Size, x: float, y: float) -> str:
    return write_element("use", href=f"#back-{size.key}", x=x, y=y)


def _draw_emblem(letter: str, x: float, y: float, side: float) -> str:
    return write_element("use", href=f"#emblem-{letter}", x=x, y=y, width=side, height=side, class_=f"c-on-{letter}")


def _draw_crown(x: float, y: float, side: float) -> str:
    return write_element("use", href="#crown", x=x, y=y, width=side, height=side)


@cache
def draw_face(card: rules.Card, size: Size, *, aside: bool = False) -> str:
    """Draw a card face up: band, value, letter and emblem; `aside` if it may not be played."""
    letter, value, corner = card[0], card[1:], size.corner
    inset, side = corner / 2 + 0.5, size.emblem
    wide, high = size.width - 2 * inset, size.height - size.field - inset
    base = size.field - (size.field - size.band - 0.75 * size.value) / 2
    band = f"M0 {size.band:g}V{corner:g}q0-{corner:g} {corner:g}-{corner:g}h{size.width - 2 * corner:g}"
    band += f"q{corner:g} 0 {corner:g} {corner:g}V{size.band:g}Z"
    return (
        _draw_rounded_box("c-aside" if aside else "c-paper", 0, 0, size.width, size.height, rx=corner)
        + write_element("path", d=band, class_=f"c-{letter} c-edge")
        + write_text_element(inset, base, value, class_=f"c-value c-value-{size.key}")
        + write_text_element(size.width - inset, base, letter, class_=f"c-value c-letter-{size.key}")
        + _draw_rounded_box(f"c-{letter}", inset, size.field, wide, high, rx=corner - 2)
        + _draw_emblem(letter, (size.width - side) / 2, size.field + (high - side) / 2, side)
    )


@cache
def _draw_chip(letter: str) -> str:
    return (
        _draw_rounded_box(f"c-{letter} c-edge", 0, 0, CHIP, CHIP_HEIGHT, rx=4)
        + _draw_emblem(letter, 3, 2, 14)
        + write_text_element(23.5, 13.4, letter, class_=f"c-chip c-on-{letter}")
    )


@cache
def _draw_crest(letter: str) -> str:
    return _draw_rounded_box(f"c-{letter} c-edge", 0, 0, 21, 21, rx=4) + _draw_emblem(letter, 3.5, 3.5, 14.0)


def draw_card_outline(kind: str, size: Size, x: float, y: float, gap: float = 0) -> str:
    return _draw_rounded_box(kind, x - gap, y - gap, size.width + 2 * gap, size.height + 2 * gap, rx=size.corner + gap)


def _draw_rounded_box(classes: str, x: float, y: float, width: float, height: float, *, rx: float) -> str:
    return write_element("rect", class_=classes, x=x, y=y, width=width, height=height, rx=rx)


def place_drawing(svg: str, x: float, y: float, key: str = "") -> str:
    """Move a drawing from the origin to its place; `key` makes it clickable."""
    data_at = f' data-at="{key}"' if key else ""
    return f'<g transform="translate({round(x, 1):g} {round(y, 1):g})"{data_at}>{svg}</g>'


WIDTH, WIDE, ALONE = 480, 960, 360
"""The widths of the page, of two columns, and of the table alone, where the tally of tricks is left out."""
MARGIN = 12
TABLE, OWN = 204, 66
"""The heights of the table, and of the viewer's own hand below it where it is alone."""
LEFT, COLUMN, PITCH = 16, 117, 71
"""Start of a row, start of its first pile, and distance of the piles of the factions."""
HANDS = 66
"""Distance of the hand from the top of a row."""
ROW, OWN_ROW, DISCARDS, LEGEND = 123, 150, 66, 120
"""The heights of a player's row, of the viewer's own, of the discards, and of what the factions can do."""

FAINT = "[data-part] :is(.c-dim,.c-none,.told){{fill:{0}}}[data-part] .c-paper{{stroke:{0}}}"
"""Style that is darker for readers who want more contrast."""
STYLE: page.Style = {
    "[data-part]": page.paint(f"font-family:{page.SANS};font-size:{page.LEAST}px", fill="ink"),
    **page.read_style(__package__, "picture"),
    **page.STYLE,
    **CARD_STYLE,
    "@media (prefers-contrast:more)": (FAINT.format(page.ROLES["ink"][page.LIGHT]), ""),
    "@media screen and (prefers-contrast:more) and (prefers-color-scheme:dark)": (
        FAINT.format(page.ROLES["ink"][page.DARK]),
        "",
    ),
}


@frozen
class Scene:
    """A position to be drawn for a seat (None: a spectator), the turn that led to it, and every faction's vote."""

    game: rules.Claim
    shown: rules.Position
    seat: int | None
    names: Sequence[str]
    last: page.LastTurn | None
    votes: tuple[rules.Vote, ...]

    @property
    def over(self) -> bool:
        return self.shown.leader is None

    @property
    def ended(self) -> tuple[tuple[int, rules.Card], ...]:
        """The trick that has just ended: the seats with their cards, the leader first; () if none has."""
        last = self.last
        if self.shown.led is not None or last is None or last.before is None or last.before.led is None:
            return ()
        return (last.before.leader, last.before.led), (last.seat, last.moves[0].card)

    @property
    def winner(self) -> int | None:
        """Seat that won the trick that has just ended; None if none has."""
        if not self.ended:
            return None
        (leader, led), (second, card) = self.ended
        return second if rules.judge_trick(led, card).second_wins else leader

    def count_votes(self, seat: int) -> int:
        return sum(vote.seat == seat for vote in self.votes)

    def count_new_cards(self, now: rules.Cards, before: rules.Cards | None) -> Mapping[rules.Card, int]:
        """Return the cards that the last turn added to a pile; none if `before` is not known."""
        return Counter(now) - Counter(now if before is None else before)

    @property
    def before(self) -> rules.Position | None:
        found: rules.Position | None = self.last.before if self.last else None
        return found

    def get_row_height(self, seat: int) -> int:
        return OWN_ROW if seat == self.seat else ROW

    @property
    def rows(self) -> int:
        """The height of both players' rows."""
        return sum(map(self.get_row_height, self.shown.seats))


TRICK_TOP, TRICK_BOTTOM = 18, 138
"""The upper and the lower edge of the cards of the trick; the deck and the prize end there too."""
FIRST, SECOND, THIRD = 156, 172, 188
"""The base lines below the cards."""
DECK, PRIZE, STAKE_END = 39, 105, 134
"""The middle of the deck and of the prize, and the end of the rest of the trick."""
TRICK_MIDDLES = (203, 306)
"""The middle of the card that is led, and of the one that follows."""
LABEL = 101
"""The room for words below a card of the trick."""
TALLY = 374
DOT, DOTS = 13, 7


def draw_table_alone(width: int, *, own: bool) -> str:
    table = write_element("rect", class_="c-panel", width=width, height=TABLE + (OWN if own else 0))
    return table + (write_element("path", class_="c-line", d=f"M{MARGIN} {TABLE}H{width - MARGIN}") if own else "")


def _draw_deck(scene: Scene) -> str:
    if scene.shown.prize is None:
        return ""
    left, number = DECK - STAKE.width / 2, len(scene.shown.deck)
    top = TRICK_BOTTOM - STAKE.height
    stack = "".join(_place_back(STAKE, left + 2 * n - 2, top - 2 * n) for n in range(min(3, (number + 5) // 6)))
    return (
        write_text_element(DECK, 44, "Deck", class_="c-label c-mid")
        + stack
        + write_text_element(DECK, FIRST, f"{number} left", class_="c-dim c-mid")
    )


def _draw_prize(scene: Scene) -> str:
    card = scene.shown.prize
    if card is None:
        return ""
    left, top = PRIZE - STAKE.width / 2, TRICK_BOTTOM - STAKE.height
    svg = _place_back(STAKE, left, top) if card == HIDDEN else place_drawing(draw_face(card, STAKE), left, top)
    title, name = "Next" if scene.ended else "Prize", "face down" if card == HIDDEN else _name_faction(card)
    svg += write_text_element(PRIZE, 44, title, class_="c-label c-mid")
    return svg + write_text_element(PRIZE, SECOND, name, class_="c-mid")


def _draw_votes(scene: Scene) -> str:
    if scene.shown.prize is not None:
        return ""
    svg = write_text_element(MARGIN, 32, "Votes" if scene.over else "Votes so far", class_="c-label")
    for seat in scene.shown.seats:
        base = 58 + 52 * seat
        winner = seat in scene.shown.winners
        room = STAKE_END - MARGIN - 20 - 18 * winner
        name = truncate_to_room(scene.names[seat], room, bold=True)
        svg += write_text_element(MARGIN + 18 * winner, base, name, class_="c-label")
        svg += _draw_crown(MARGIN, base - 11.5, 13) if winner else ""
        svg += write_text_element(STAKE_END, base, str(scene.count_votes(seat)), class_="c-count c-end")
        letters = [vote.faction.letter for vote in scene.votes if vote.seat == seat]
        crests = enumerate(map(_draw_crest, letters))
        svg += "".join(place_drawing(crest, MARGIN + 24.5 * n, base + 7) for n, crest in crests)
        if not letters:
            svg += write_text_element(MARGIN, base + 21, "none", class_="c-dim")
    needed = f"{rules.NEEDED} of {len(scene.votes)} win"
    return svg + write_text_element(MARGIN, FIRST + 16, needed, class_="c-dim")


def _draw_trick(scene: Scene) -> str:
    shown = scene.shown
    if scene.ended:
        played = zip(TRICK_MIDDLES, scene.ended, ("led", "played"), strict=True)
        return "".join(_draw_played(scene, *each) for each in played)
    first, second = TRICK_MIDDLES
    if shown.leader is None:
        return ""
    leader, other = scene.names[shown.leader], scene.names[1 - shown.leader]
    left = first - TRICK.width / 2
    if shown.led is None:
        svg = _draw_slot(first) + _draw_label(first, leader, "to lead")
    else:
        outline = draw_card_outline("c-led", TRICK, left, TRICK_TOP)
        svg = place_drawing(draw_face(shown.led, TRICK), left, TRICK_TOP) + outline
        svg += _draw_label(first, leader, "led") + _draw_name(first, shown.led)
    return svg + _draw_slot(second) + _draw_label(second, other, "to follow" if shown.led is None else "to play")


def _draw_played(scene: Scene, middle: float, played: tuple[int, rules.Card], what: str) -> str:
    (seat, card), left = played, middle - TRICK.width / 2
    svg = place_drawing(draw_face(card, TRICK), left, TRICK_TOP)
    svg += _draw_label(middle, scene.names[seat], what) + _draw_name(middle, card)
    if seat != scene.winner:
        return svg
    return (
        svg
        + draw_card_outline("c-last", TRICK, left, TRICK_TOP, 3)
        + write_text_element(middle, THIRD, "takes the trick", class_="c-new c-mid")
    )


def _draw_label(middle: float, name: str, what: str) -> str:
    words = f" {what}"
    short = truncate_to_room(name, LABEL - measure_text(words))
    return write_text_element(middle, FIRST, short + words, class_="c-dim c-mid")


def _draw_name(middle: float, card: rules.Card) -> str:
    return write_text_element(middle, SECOND, _name_faction(card), class_="c-label c-mid")


def _name_faction(card: rules.Card) -> str:
    """Return the name of a card's faction: its number is on the card."""
    return rules.NAMES[card].rpartition(" ")[0]


def _draw_slot(middle: float) -> str:
    return _draw_rounded_box("c-slot", middle - TRICK.width / 2, TRICK_TOP, TRICK.width, TRICK.height, rx=TRICK.corner)


def _draw_tally(scene: Scene) -> str:
    shown, svg = scene.shown, ""
    played = 2 * rules.HAND if scene.over else rules.HAND * (shown.phase - 1) + shown.trick - 1
    for phase, words in rules.PHASES.items():
        top = 32 + 62 * (phase - 1)
        svg += write_text_element(
            TALLY, top, f"Phase {words}", class_="c-label" if phase == shown.phase or scene.over else "c-dim"
        )
        for n in range(rules.HAND):
            number = rules.HAND * (phase - 1) + n
            kind, radius = (
                ("c-now", 5.5) if number == played else ("c-done", 4.0) if number < played else ("c-left", 4.0)
            )
            x, y = TALLY + 5 + DOT * (n % DOTS), top + 14 + DOT * (n // DOTS)
            svg += write_element("circle", class_=kind, cx=x, cy=y, r=radius)
    words = f"all {2 * rules.HAND} played" if scene.over else f"trick {shown.trick} of {rules.HAND}"
    return svg + write_text_element(TALLY, FIRST, words, class_="c-dim")


PILES_TOP, PILES_BASE = 8, 22
"""The top of the chips and the base line of what is beside them."""
LINES = (41, 55)
STEP, MOST = 9.0, 7
"""Distance of the values, and their maximum number on a line: a pile has at most 14 cards of a faction."""
CELL, CELL_HEIGHT = 70, 56


def _draw_discards(scene: Scene) -> str:
    cards, before = scene.shown.discards, scene.before
    svg = write_text_element(LEFT, PILES_BASE, "Discards", class_="c-name")
    svg += write_text_element(LEFT, PILES_BASE + 16, count_noun(len(cards), "card", "no"), class_="c-dim")
    came = scene.count_new_cards(cards, before.discards if before else None)
    return svg + _draw_columns(scene, cards, came, frozenset())


def _draw_columns(scene: Scene, pile: rules.Cards, came: Mapping[rules.Card, int], led: frozenset[str]) -> str:
    svg, ground = "", "c-won" if scene.over else "c-tint"
    for place, letter in enumerate(rules.FACTIONS):
        left, held = COLUMN + PITCH * place, [card for card in reversed(pile) if card[0] == letter]
        if letter in led:
            svg += _draw_rounded_box(f"{ground}-{letter}", left - 4, PILES_TOP - 4, CELL, CELL_HEIGHT, rx=5)
            svg += _draw_crown(left + 53, PILES_TOP + 3, 11)
        svg += place_drawing(_draw_chip(letter), left, PILES_TOP)
        svg += write_text_element(left + CHIP + 4, PILES_BASE, str(len(held)), class_="c-count" if held else "c-none")
        svg += _draw_values(held, left, came)
    return svg


def _draw_values(held: Sequence[rules.Card], left: float, came: Mapping[rules.Card, int]) -> str:
    svg, new = "", dict(came)
    per = len(held) if len(held) <= MOST else -(-len(held) // 2)
    for n, card in enumerate(held):
        x, base = left + 4 + STEP * (n % per), LINES[n // per]
        fresh = new.get(card, 0) > 0
        if fresh:
            new[card] -= 1
            svg += write_element("path", class_="c-under", d=f"M{x - 3.8:g} {base + 2.5:g}h7.6")
        svg += write_text_element(x, base, card[1:], class_="c-digit c-fresh" if fresh else "c-digit")
    return svg


RIGHT = WIDTH - MARGIN
RAISED = 6
"""The height by which playable cards stand out of a hand with others."""
OWN_STEP, SMALL_STEP, BACK_STEP = 35, 26, 9
"""Distances of cards in the viewer's hand, of small cards, and of backs."""


def _draw_row_panel(scene: Scene, seat: int) -> str:
    height = scene.get_row_height(seat)
    if seat == scene.shown.to_act or seat in scene.shown.winners:
        bar = write_element("path", class_="c-bar", d=f"M8 1.5H4V{height - 1.5:g}H8Z")
        return _draw_rounded_box("c-panel", 4, 1.5, WIDTH - 8, height - 3, rx=6) + bar
    return ""


def _draw_claim_player(scene: Scene, seat: int) -> str:
    shown, votes = scene.shown, scene.count_votes(seat)
    due = f" \u00b7 to {render.name_decision(scene.game, shown)}" if seat == shown.to_act else ""
    state = " \u00b7 wins" if seat in shown.winners else due
    name = truncate_to_room(scene.names[seat], COLUMN - LEFT - 8, 14, bold=True)
    svg = write_text_element(LEFT, PILES_BASE, name, class_="c-name")
    svg += write_text_element(LEFT, PILES_BASE + 16, f"seat {seat + 1}{state}", class_="c-dim")
    look = "c-label" if votes else "c-dim"
    svg += write_text_element(LEFT, PILES_BASE + 33, count_noun(votes, "vote", "no"), class_=look)
    before = scene.before
    came = scene.count_new_cards(scene.shown.scores[seat], before.scores[seat] if before else None)
    led = frozenset(vote.faction.letter for vote in scene.votes if vote.seat == seat)
    return svg + _draw_columns(scene, scene.shown.scores[seat], came, led)


def _draw_hand(scene: Scene, seat: int) -> str:
    if scene.over:
        factions = [vote.faction.plural for vote in scene.votes if vote.seat == seat]
        if not factions:
            return write_text_element(LEFT, HANDS + 22, "No faction votes for this player.", class_="c-dim")
        votes = f"The {list_names(factions, 'and')} vote for {scene.names[seat]}."
        lines = balance_lines(votes, RIGHT - LEFT, page.LEAST, 2)
        rows = enumerate(lines)
        return "".join(write_text_element(LEFT, HANDS + 22 + 16 * n, line, class_="c-dim") for n, line in rows)
    cards, own = scene.shown.hands[seat], seat == scene.seat
    svg = _draw_own_hand(scene, seat, HAND_SIZE, (LEFT, HANDS), OWN_STEP) if own else _draw_row(cards, LEFT, HANDS)
    base = scene.get_row_height(seat) - 8
    words = f"{count_noun(len(cards), 'card', 'no')} in hand"
    if scene.shown.lacks[seat]:
        words = f"{words}, but no"
        left = LEFT + measure_text(words) + 4
        for n, letter in enumerate(scene.shown.lacks[seat]):
            svg += place_drawing(_draw_chip(letter), left + n * (CHIP + 4), base - 13.5)
    return svg + write_text_element(LEFT, base, words, class_="c-dim")


def _draw_own_hand(scene: Scene, seat: int, size: Size, corner: tuple[float, float], step: int) -> str:
    (left, top), playable, svg = corner, _find_playable(scene, seat), ""
    for n, card in enumerate(scene.shown.hands[seat]):
        aside, x = card not in playable, left + step * n
        if card == HIDDEN:
            svg += _place_back(size, x, top + RAISED * aside)
        else:
            face = draw_face(card, size, aside=bool(playable) and aside)
            svg += place_drawing(face, x, top + RAISED * aside, f"card/{card}")
    return svg


def _find_playable(scene: Scene, seat: int) -> frozenset[rules.Card]:
    """Return the playable cards of the viewer's hand; none if all are, or it isn't the viewer's turn."""
    if scene.shown.to_act != seat:
        return frozenset()
    may = frozenset(move.card for move in scene.game.legal(scene.shown))
    return frozenset() if may.issuperset(set(scene.shown.hands[seat]) - {HIDDEN}) else may


def _draw_followers(scene: Scene, seat: int) -> str:
    cards, own = scene.shown.followers[seat], seat == scene.seat
    if not cards:
        return ""
    step = _choose_step(cards)
    left = RIGHT - SMALL.width - step * (len(cards) - 1)
    top = HANDS + (HAND_SIZE.height - SMALL.height + RAISED if own else 0)
    svg, before = _draw_row(cards, left, top), scene.before
    old = before.followers[seat] if before else cards
    came = scene.count_new_cards(cards, old)
    places = (left + step * cards.index(card) for card in came if card != HIDDEN)
    svg += "".join(draw_card_outline("c-last", SMALL, place, top, 0.5) for place in places)
    label = count_noun(len(cards), "follower")
    base = scene.get_row_height(seat) - 8
    svg += write_text_element(RIGHT, base, label, class_="c-dim c-end")
    if len(cards) > len(old):
        new = f"+{len(cards) - len(old)}"
        svg += write_text_element(RIGHT - measure_text(label) - 4, base, new, class_="c-new c-end")
    return svg


def _choose_step(cards: rules.Cards) -> int:
    return BACK_STEP if all(card == HIDDEN for card in cards) else SMALL_STEP


def _draw_row(cards: rules.Cards, left: float, top: float) -> str:
    svg, step = "", _choose_step(cards)
    for card in cards:
        svg += _place_back(SMALL, left, top) if card == HIDDEN else place_drawing(draw_face(card, SMALL), left, top)
        left += step
    return svg


POWERS = {
    rules.GOBLIN: "no power; five cards of value 0",
    rules.KNIGHT: "beat any Goblin that was led",
    rules.DWARF: "go to the loser of the trick in phase two",
    rules.UNDEAD: "go to the winner\u2019s score pile in phase one",
    rules.DOPPELGANGER: "may be played on any faction",
}


@cache
def _draw_legend() -> str:
    svg = ""
    for n, (letter, power) in enumerate(POWERS.items()):
        top = 14 + 20 * n
        svg += place_drawing(_draw_chip(letter), MARGIN, top)
        svg += write_text_element(MARGIN + 40, top + 13, rules.FACTIONS[letter].plural, class_="c-label")
        svg += write_text_element(MARGIN + 164, top + 13, power, class_="c-dim")
    return svg


LOW = page.Low(WIDTH, TABLE, "#k-board{--low:1!important}.c-letter-p{font-size:12.4px}.c-fresh{font-weight:400}")
"""The table on a phone, with larger letters."""


def draw_claim_picture(
    game: rules.Claim,
    view: rules.View,
    names: Sequence[str],
    last: page.LastTurn | None = None,
    *,
    layout: page.Layout = "page",
) -> page.Picture:
    names = [make_printable(name) for name in names]
    scene = Scene(game, view.shown, view.seat, names, last, tuple(rules.list_votes(view.shown.scores)))
    title, words = render.write_claim_headline(game, view, names), render.PLUGIN.describe_position(game, view, names)
    beside, own = layout == "wide", scene.seat is not None
    width, top = WIDE if beside else WIDTH, {"page": page.PAGE, "wide": page.WIDE}.get(layout, 0)
    if layout == "alone":
        width, height, parts = ALONE, TABLE + OWN * own, _list_table_parts(scene, own=own)
    else:
        columns = TABLE + LEGEND, scene.rows + DISCARDS
        height = top + (max(columns) if beside else TABLE + columns[1])
        paper = write_element("rect", class_="c-ground", width=width, height=height)
        heading = _draw_head(scene, view, width, top) if top else ""
        parts = _list_parts(scene, paper, heading, top, beside=beside)
    rows, low = TABLE if layout in {"board", "click"} else 0, LOW if layout == "click" else None
    return page.Picture(width, height, title, words, STYLE, tuple(parts), defs=_draw_definitions(), rows=rows, low=low)


def _draw_head(scene: Scene, view: rules.View, width: int, height: int) -> str:
    told = render.tell_claim_turn(scene.game, view, scene.names, scene.last) if scene.last else ""
    forecast = render.write_claim_forecast(scene.game, view, scene.names)
    return page.draw_head(render.write_claim_headline(scene.game, view, scene.names), forecast, told, width, height)


def _list_parts(scene: Scene, paper: str, heading: str, top: int, *, beside: bool = False) -> Iterator[page.Part]:
    """Yield all parts in the order of drawing; `beside` puts the players into a second column."""
    yield page.Part("ground", paper)
    yield page.Part("head", heading)
    table = _draw_rounded_box("c-table", 0.5, 0.5, WIDTH - 1, TABLE - 1, rx=8)
    for part in (page.Part("table", table), *_list_stakes(scene), page.Part("tally", _draw_tally(scene))):
        yield evolve(part, at=(0, top))
    left, down = (WIDTH, top) if beside else (0, top + TABLE)
    for seat in scene.shown.seats:
        for name, draw in PLAYER.items():
            yield page.Part(f"{name}-{seat}", draw(scene, seat), (left, down))
        down += scene.get_row_height(seat)
    yield page.Part("discards", _draw_discards(scene), (left, down))
    yield page.Part("legend", _draw_legend() if beside else "", (0, top + TABLE))


PLAYER = {"panel": _draw_row_panel, "player": _draw_claim_player, "hand": _draw_hand, "followers": _draw_followers}


def _list_stakes(scene: Scene) -> tuple[page.Part, ...]:
    return (
        page.Part("deck", _draw_deck(scene)),
        page.Part("prize", _draw_prize(scene)),
        page.Part("votes", _draw_votes(scene)),
        page.Part("trick", _draw_trick(scene)),
    )


def _list_table_parts(scene: Scene, *, own: bool) -> Iterator[page.Part]:
    yield page.Part("ground", draw_table_alone(ALONE, own=own))
    yield from _list_stakes(scene)
    if scene.seat is not None:
        left = (ALONE - SMALL_STEP * len(scene.shown.hands[scene.seat]) + 2) / 2
        yield page.Part("hand", _draw_own_hand(scene, scene.seat, SMALL, (left, TABLE + 12), SMALL_STEP))


PLACE = "table"
"""The place that a card changes on a page to click: the trick, and the hand that it leaves."""


def _find_barred(
    game: rules.Claim, position: rules.Position, names: Sequence[str]
) -> Iterator[tuple[str, clicks.Refusal]]:
    hand = position.hands[position.to_act or 0]
    for card in dict.fromkeys(card for card in hand if card != HIDDEN):
        for violation in game.check(position, rules.PLAYS[card]):
            sentence = f"{rules.NAMES[card]}: {fill_names(violation.sentence, names)}."
            yield f"card/{card}", clicks.Refusal(sentence, violation.rule)


class ClaimDrawing(clicks.DrawingPlugin):
    """Pictures of Claim."""

    draw_picture = staticmethod(draw_claim_picture)

    def make_choices(self, game: rules.Claim, view: rules.View, names: Sequence[str]) -> clicks.Choices:
        if nothing := clicks.find_idle_choices(view, names):
            return nothing
        led = view.shown.led
        due = f"Choose a card to {'lead' if led is None else f'play on {rules.NAMES[led]}'}."
        ways, spots, powers = list[clicks.Way](), dict[str, clicks.Spot](), dict[str, str]()
        for move in game.legal(view.shown):
            name, faction, key = rules.NAMES[move.card], rules.FACTIONS[move.card[0]].plural, f"card/{move.card}"
            step = clicks.Step(due, (key,), (clicks.Change(PLACE, (move.card,)),))
            ways.append(clicks.Way(name, clicks.Path((step,)), None, move))
            spots[key] = clicks.Spot(name, faction, name)
            powers[key] = game.ids(f"power.{faction.casefold()}")
        barred = dict(_find_barred(game, view.shown, names))
        return clicks.Choices(due, tuple(ways), spots=spots, rules=powers, barred=barred)

    def make_preview(
        self, game: rules.Claim, view: rules.View, names: Sequence[str], choices: clicks.Choices
    ) -> clicks.Preview:
        position, seat = view.shown, view.seat
        if not choices.ways:
            return clicks.Preview()
        before = draw_claim_picture(game, view, names, layout="click").parts
        looks: dict[str, dict[clicks.State, tuple[page.Part, ...]]] = {PLACE: {}}
        brings: dict[tuple[clicks.Way, str], clicks.Outlook] = {}
        for way in choices.ways:
            move = way.move
            after, _ = game.apply(position, move)
            last = page.LastTurn(position.to_act or 0, (move,), (), position)
            drawn = draw_claim_picture(game, rules.View(seat, after), names, last, layout="click").parts
            shown = [
                now
                for old, now in zip(before, drawn, strict=True)
                if now.name in {"trick", f"hand-{seat}"} and now != old
            ]
            looks[PLACE][(move.card,),] = tuple(shown)
            if words := render.describe_consequence(game, position, move, names):
                brings[way, ""] = clicks.Outlook(words)
        return clicks.Preview(looks, brings=brings)


PLUGIN = ClaimDrawing()
