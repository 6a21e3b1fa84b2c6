"""Draw the rows of the players, and the tallies on the map's sea."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from attrs import frozen

from tkid.games.struggle import voice
from tkid.games.struggle.render import pieces
from tkid.games.struggle.render.pieces import EDGE, LOST, PASSES, ROW, SUPPLY, TRACK, WIDTH, WON, Size, list_spaces
from tkid.games.struggle.render.scene import Scene
from tkid.games.struggle.rules.board import HIDDEN, OPEN, UNSTABLE, Board, Followers, count_people
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import COURT
from tkid.games.struggle.rules.moves import SUPPLY as STOCK
from tkid.notation.text import count_noun
from tkid.render.picture import REMEMBERED, Box, Part, measure_text, truncate_to_room, write_element, write_text_element

DISC = 8.5
"""The radius of a small disc."""
TALLY_ROW = 22
"""From one faction to the next in the supply."""
PASS = 5.5
"""The radius of the mark of a pass."""
FRAMED, MOVED, MOVED_LEFT = 2.8, 18, 34
"""How far outside the frame of a card that changed its place is; the length of its arrow, and how far left of the card."""
INVASION, PITCH = 10, 26
"""The radius of a disc of instability, and from one to the next."""


def draw_tallies(scene: Scene) -> Iterator[Part]:
    board, shown = scene.board, scene.shown
    left = list_spaces(len(shown.track))[0].left - 24
    yield Part("track", write_text_element(left, 22, "Struggles", class_="ink b"))
    for place, region in enumerate(shown.track):
        yield Part(f"space-{place}", _draw_space(scene, place, region))
    yield Part("exchange", _draw_exchange(scene))
    won = tuple([shown.discs.count(faction) for faction in range(len(board.factions))])
    yield Part("won", _draw_won_regions(board, won))
    yield Part("supply", _draw_supply(board, shown.supply, scene.count_gains(STOCK)))
    yield Part("passes", _draw_passes(shown.turn, shown.passes, len(shown.courts)))
    yield Part("lost", _draw_instability_discs(board, shown.unstable, scene.game.invaders))


def define_small_disc(board: Board, faction: int) -> str:
    """Return the small control disc of a faction; its letter and shape are larger than in a large disc made smaller."""
    letter, (sides, turn, _) = board.factions[faction].letter, pieces.SIDES[faction % len(pieces.SIDES)]
    shape = pieces.make_polygon_path(sides, turn, 0.88 * DISC)
    edge = write_element("path", d=shape, class_=f"edge{faction} fine")
    svg = write_element("circle", r=DISC, class_=f"piece f{faction}") + edge
    letter_ = write_text_element(0, 2.9, letter, class_=f"l{faction}", font_size=8, text_anchor="middle")
    return write_element("g", svg + letter_, id=f"disc-{letter}")


def _draw_disc(board: Board, kind: int, x: float, y: float) -> str:
    if kind == UNSTABLE:
        return pieces.draw_coin(board, kind, x, y, DISC)
    return write_element("use", href=f"#disc-{board.factions[kind].letter}", x=x, y=y)


def _draw_space(scene: Scene, place: int, region: int) -> str:
    shown = scene.shown
    state = "contested" if region == scene.contested else "open"
    disc = shown.discs[region]
    return draw_region_card(scene.board, place, region, disc, state, negotiated=region in shown.negotiated)


@lru_cache(REMEMBERED)
def draw_region_card(board: Board, place: int, region: int, disc: int, state: str, *, negotiated: bool) -> str:
    """Draw a region card with its number: a back with a disc if resolved, a heavy frame if contested."""
    box, name, resolved = list_spaces(len(board.regions))[place], board.name_region(region), disc != OPEN
    middle = (box.top + box.bottom) / 2
    svg = _draw_frame(box, class_="down" if resolved else "up" if state == "contested" else "card")
    taken = DISC + 3 if resolved else 9.5 if negotiated else 4
    shown = truncate_to_room(name, box.right - box.left - 4.5 - taken, bold=not resolved)
    if resolved:
        patch = {"width": measure_text(shown) + 4, "height": 16, "rx": 3, "class_": "down"}
        svg += _draw_frame(box, fill="url(#weave)") + write_element("rect", x=box.left + 2.5, y=middle - 8, **patch)
    ink = "on-down" if resolved else "ink b"
    svg += write_text_element(box.left + 4.5, middle + 4.6, shown, class_=ink)
    if resolved:
        svg += _draw_disc(board, disc, box.right - 2, middle)
    elif negotiated:
        svg += pieces.draw_negotiation_disc(board, box.right - 2, middle)
    number = pieces.draw_struggle_number(box.left - 14, middle, place + 1, state="resolved" if resolved else state)
    return number + write_element("g", svg, data_at=f"space/{board.regions[region].code}")


def _draw_frame(box: Box, **look: str) -> str:
    width, height = box.right - box.left, box.bottom - box.top
    return write_element("rect", x=box.left, y=box.top, width=width, height=height, rx=4, **look)


def _draw_exchange(scene: Scene) -> str:
    places = sorted(scene.shown.track.index(region) for region in scene.exchanged or ())
    return draw_swapped_cards(len(scene.board.regions), *places) if places else ""


@lru_cache(REMEMBERED)
def draw_swapped_cards(many: int, first: int, second: int) -> str:
    svg, boxes = "", list_spaces(many)
    for place, up in ((first, 1), (second, -1)):  # the card that is above came up
        box = boxes[place]
        x, y = box.left - MOVED_LEFT, (box.top + box.bottom - MOVED * up) / 2
        arrow = f"M{x:g} {y:g}v{MOVED * up}m-4.5 {-MOVED * up + 4.5 * up:g}l4.5 {-4.5 * up:g} 4.5 {4.5 * up:g}"
        svg += "".join(write_element("path", d=arrow, class_=each) for each in ("halo", "swap"))
        framed = Box(box.left - FRAMED, box.top - FRAMED, box.right + FRAMED, box.bottom + FRAMED)
        svg += _draw_frame(framed, class_="swap")
    return svg


@lru_cache(256)
def _draw_won_regions(board: Board, won: Followers) -> str:
    below = max(0, list_spaces(len(board.regions))[-1].bottom - TRACK.bottom + 1)
    many = len(won)
    left, pitch = (WON.left + 23, 34.0) if many <= 3 else (WON.left + 9, (WON.right - WON.left) / many)
    y = WON.top + 29 + below
    svg = write_text_element(left - DISC, y - 17, "Regions won", class_="ink b")
    for faction, n in enumerate(won):
        x = left + pitch * faction
        svg += _draw_disc(board, faction, x, y)
        svg += _draw_count(x + DISC + (2.5 if many <= 3 else 1), y + 4.5, n, "n" if many <= 3 else "")
    return svg


@lru_cache(1024)
def _draw_supply(board: Board, supply: Followers, changes: Followers) -> str:
    top = SUPPLY.bottom - 19 - TALLY_ROW * (len(supply) - 1)
    heading = truncate_to_room(board.terms.stock, SUPPLY.right - EDGE, bold=True)
    svg = write_text_element(EDGE, top - 17, heading, class_="ink b")
    for faction, n in enumerate(supply):
        y, letter = top + TALLY_ROW * faction, board.factions[faction].letter
        svg += pieces.draw_shape("piece", board, faction, EDGE + 10, y, key=f"supply/{letter}")
        svg += _draw_count(EDGE + 25, y + 4.5, n)
        svg += draw_gain(EDGE + 28 + measure_text(str(n), 13, bold=True), y + 4.5, changes[faction])
    return svg


@lru_cache(1024)
def _draw_passes(turn: int, passes: int, players: int) -> str:
    svg = write_text_element(EDGE, 16, f"After turn {turn}", class_="dim") if turn else ""
    svg += write_text_element(EDGE, 32, "Passes", class_="ink b")
    for n in range(players):
        x, y = EDGE + PASS + 0.5 + 17 * n, PASSES.bottom - 7
        mark = write_element("circle", cx=x, cy=y, r=PASS, class_="ink")
        svg += mark if n < passes else pieces.draw_disc_slot(x, y, PASS)
    return svg


@lru_cache(256)
def _draw_instability_discs(board: Board, unstable: int, invaders: int) -> str:
    terms, y = board.terms, 599
    left = LOST.right - 16 - PITCH * (invaders - 1)
    who, words = terms.invaders[0].upper() + terms.invaders[1:], f"invade at {invaders} {terms.lost} regions"
    start = left - 20 - max(measure_text(words), measure_text(who, bold=True))
    svg = write_text_element(start, y - 4, who, class_="ink b") + write_text_element(start, y + 10, words, class_="dim")
    for n in range(invaders):
        x = left + PITCH * n
        if n < unstable:
            svg += pieces.draw_coin(board, UNSTABLE, x, y, INVASION)
        else:
            number = write_text_element(x, y + 4.6, str(n + 1), class_="dim", text_anchor="middle")
            svg += pieces.draw_disc_slot(x, y, INVASION) + number
    return svg


def _draw_count(x: float, y: float, n: int, size: str = "n") -> str:
    return write_text_element(x, y, str(n), class_=f"{'ink' if n else 'dim'} b {size}".rstrip())


def draw_gain(x: float, y: float, change: int) -> str:
    """Draw the change of a number by the last turn, `+1`; return "" for none."""
    return write_text_element(x, y, f"{change:+d}".replace("-", "\u2212"), class_="last b") if change else ""


NAME_LEFT, COURT_LEFT, DISC_LEFT, HAND_LEFT, PILE_LEFT, RIGHT = 16, 112, 234, 252, 441, 466
NAME_ROOM = COURT_LEFT - NAME_LEFT - 4
BASE, SECOND, THIRD, FOURTH = 20, 33.5, 46, 58.5
"""The base lines of a row: of names and numbers, of what is below a name, and of labels."""
CARDS_TOP, WHOLE_TOP = 5, 63
IN_ROW, SMALL_PITCH, DISC_PITCH = 5, 25.5, 17
"""Large cards side by side; from one to the next of others."""
USED_ROOM, BETWEEN = 166, " \u00b7 "
"""Room for the words about a discard pile, and what is between them."""
COURT_NAME = "court"
COLUMN = 38
"""From one faction to the next in a court."""

Hand = tuple[tuple[str, int], ...]
"""Different cards with their numbers."""


def draw_players(scene: Scene, corner: tuple[int, int], size: Size | None, *, every: bool = False) -> Iterator[Part]:
    """Draw all players from a corner down, one of them or `every` one with whole cards of a size, or none with them (None)."""
    (left, top), seats = corner, scene.shown.seats
    focus = _find_focus(scene)
    for seat in seats:
        shown = size if every or seat == focus else None
        high = compute_rows_height(1, shown)
        if size and focus is None and not every:
            high += size.row // 3 // len(seats) * 3
        yield from _draw_row(scene, seat, (left, top), high, shown)
        top += high


def compute_rows_height(seats: int, size: Size | None) -> int:
    """Return the height of the rows of players, one of them with whole cards of a size."""
    return ROW * seats + (size.row if size else 0)


def _find_focus(scene: Scene) -> int | None:
    """Return the seat whose cards are whole: the viewer's, otherwise the next player's; None if it has no cards."""
    seat = scene.shown.to_act if scene.seat is None else scene.seat
    return seat if seat is not None and scene.shown.hands[seat] else None


def _draw_row(scene: Scene, seat: int, at: tuple[int, int], high: int, size: Size | None) -> Iterator[Part]:
    shown, board, game = scene.shown, scene.board, scene.game
    gained = scene.count_gains(COURT) if scene.last and scene.last.seat == seat else (0,) * len(board.factions)
    hand, pile = tuple(Counter(shown.hands[seat]).items()), shown.discards[seat]
    own = seat == scene.seat
    yield Part(f"panel-{seat}", _draw_panel(_make_heading(scene, seat), high), at)
    discs = shown.negotiation_discs[seat], game.setup.negotiation_discs
    court = _draw_court(board, seat, shown.courts[seat], gained, discs, label=_write_court_label(scene, seat))
    yield Part(f"court-{seat}", court, at)
    yield Part(f"hand-{seat}", _draw_hand(game, hand, size, own=own), at)
    yield Part(f"pile-{seat}", _draw_pile(game, seat, pile[-1] if pile else "", len(pile)), at)


@frozen
class PlayerHeading:
    """A row's heading: name, seat or team, signs, a note, and if a line sets it `apart` from the row above."""

    name: str
    place: str
    to_act: bool
    won: bool
    note: str
    apart: bool


def _make_heading(scene: Scene, seat: int) -> PlayerHeading:
    shown = scene.shown
    (place,) = voice.describe_team(scene.game, shown, seat) or (f"seat {seat + 1}",)
    after = None if shown.starter is None else (shown.starter + 1) % len(shown.courts)
    note = "starts next" if seat == after and shown.to_act is not None else ""
    marked = {shown.to_act, *shown.winners}
    apart = seat > 0 and not marked & {seat, seat - 1}
    return PlayerHeading(scene.names[seat], place, seat == shown.to_act, seat in shown.winners, note, apart)


@lru_cache(1024)
def _draw_panel(heading: PlayerHeading, height: int) -> str:
    svg = ""
    if heading.to_act or heading.won:
        svg += write_element("rect", x=4, y=1, width=WIDTH - 8, height=height - 2, rx=6, class_="panel")
    elif heading.apart:
        svg += write_element("path", d=f"M{NAME_LEFT} 0H{RIGHT - 2}", class_="rule")
    if heading.to_act:
        svg += write_element("path", d=f"M4 7a6 6 0 0 1 4-5.6V{height - 1.4:g}a6 6 0 0 1-4-5.6Z", class_="ink")
    name = truncate_to_room(heading.name, NAME_ROOM - 20 * heading.won, 14, bold=True)
    svg += write_text_element(NAME_LEFT, BASE, name, class_="ink b", font_size=14)
    if heading.won:
        x = NAME_LEFT + measure_text(name, 14, bold=True) + 5
        svg += write_element("path", d=f"M{x:.1f} {BASE}v-10l4 4 4-6 4 6 4-4v10Z", class_="crown")
    doing = "to play" if heading.to_act else "wins" if heading.won else ""
    every = ((heading.place, "dim"), (doing, "ink b"), (heading.note, "dim"))
    lines = [(words, look) for words, look in every if words]
    for (words, look), y in zip(lines, (SECOND, THIRD, FOURTH), strict=False):
        svg += write_text_element(NAME_LEFT, y, words, class_=look)
    return svg


def _write_court_label(scene: Scene, seat: int) -> str:
    """Write the label of a court, with the follower that a revealed Plot counts as if there is room."""
    game, shown = scene.game, scene.shown
    faction = game.end.plot_counts_for(shown) if game.plot in shown.hands[seat] else None
    if faction is None:
        return COURT_NAME
    counted = f"{COURT_NAME} \u00b7 {game.plot} is {count_people(scene.board, faction, 1)}"
    return counted if measure_text(counted) < HAND_LEFT - COURT_LEFT else f"{COURT_NAME} \u00b7 with {game.plot}"


@lru_cache(REMEMBERED)
def _draw_court(
    board: Board, seat: int, court: Followers, gained: Followers, discs: tuple[int, int], *, label: str
) -> str:
    first = board.courtly[0]
    svg = write_text_element(COURT_LEFT, THIRD if gained[first] or label != COURT_NAME else SECOND, label, class_="dim")
    few = len(board.courtly) <= 3
    pitch, beside, size = (COLUMN, 13, " n") if few else ((DISC_LEFT - COURT_LEFT - 9) / len(board.courtly), 10, "")
    for column, faction in enumerate(board.courtly):
        x, n = COURT_LEFT + 9 + pitch * column, court[faction]
        svg += pieces.draw_shape(
            "piece", board, faction, x, BASE - 5, key=f"court/{seat}/{board.factions[faction].letter}"
        )
        narrower = 1.5 if n > 9 else 0  # two figures end before the next faction's piece, whichever has the widest
        svg += write_text_element(x + beside - narrower, BASE, str(n), class_=f"{'ink' if n else 'dim'} b{size}")
        svg += draw_gain(x + beside - 2, SECOND, gained[faction])
    left, of = discs
    for disc in range(of):
        at = DISC_LEFT - DISC_PITCH * (of - 1 - disc), BASE - 5
        svg += pieces.draw_negotiation_disc(board, *at, 7) if disc < left else pieces.draw_disc_slot(*at, 7)
    return svg


@lru_cache(1024)
def _draw_hand(game: Struggle, hand: Hand, size: Size | None, *, own: bool) -> str:
    number = sum(count for _, count in hand)
    if size is None or not hand:
        left = count_noun(number, "card", "no") if hand else "no cards left"
        label = write_text_element(HAND_LEFT, THIRD if hand else BASE, left, class_="dim")
        pitch = _compute_pitch(len(hand), SMALL_PITCH, pieces.SMALL.width, PILE_LEFT - 11 - HAND_LEFT)
        small = [
            pieces.draw_small_card(pieces.make_face(game, card), HAND_LEFT + pitch * n, CARDS_TOP, count)
            for n, (card, count) in enumerate(hand)
        ]
        return "".join(small) + label
    svg = write_text_element(HAND_LEFT, BASE, f"{count_noun(number, 'card')} left", class_="dim")
    columns = max(IN_ROW, -(-len(hand) // 2)) if size is pieces.LARGE else len(hand)
    pitch = _compute_pitch(columns, size.width + 5, size.width, WIDTH - 2 * NAME_LEFT)
    for n, (card, count) in enumerate(hand):
        key = f"card/{card}" if own and card != HIDDEN else None
        at = NAME_LEFT + pitch * (n % columns), WHOLE_TOP + pieces.LARGE_PITCH * (n // columns)
        svg += pieces.draw_whole_card(size, pieces.make_face(game, card), *at, count, key)
    return svg


def _compute_pitch(number: int, usual: float, width: float, room: float) -> float:
    """Return the distance from one card to the next, closer if there are too many for the room."""
    return min(usual, (room - width) / max(1, number - 1))


@lru_cache(1024)
def _draw_pile(game: Struggle, seat: int, top: str, number: int) -> str:
    used = f"{number} used"
    room = USED_ROOM - measure_text(used)
    name = f"{truncate_to_room(top, room - measure_text(BETWEEN))}{BETWEEN}" if top not in {"", HIDDEN} else ""
    words = write_text_element(RIGHT, THIRD, f"{name}{used}", class_="dim", text_anchor="end")
    if not number:
        return words + pieces.draw_card_slot(PILE_LEFT, CARDS_TOP)
    below = pieces.draw_heap(PILE_LEFT, CARDS_TOP) if number > 1 else ""
    return words + below + pieces.draw_small_card(pieces.make_face(game, top), PILE_LEFT, CARDS_TOP, key=f"pile/{seat}")
