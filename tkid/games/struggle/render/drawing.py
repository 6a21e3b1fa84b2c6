"""The King is Dead's part for pictures: the picture of a position, and the preview of a turn.

As after a turn that was played, a violet ring marks what came, and a ghost what left.

Every part is drawn in its own coordinates, and only from what it shows, so that it can be remembered; layouts differ in
where they put the parts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, zip_longest

from attrs import evolve, field, frozen

from tkid.games.struggle import voice
from tkid.games.struggle.render import pieces, player_rows, regions
from tkid.games.struggle.render import scene as map_scene
from tkid.games.struggle.render.arrows import STYLE as LINES
from tkid.games.struggle.render.arrows import draw_arrows
from tkid.games.struggle.render.clicks import CAME, ELSEWHERE, TRACK, TURN, list_choices
from tkid.games.struggle.render.description import compute_consequence, describe_map, describe_position
from tkid.games.struggle.render.scene import ACROSS, Scene
from tkid.games.struggle.rules.board import (
    OPEN,
    Board,
    Followers,
    Position,
    View,
    add_followers,
    replace_item,
)
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import COURT, SUPPLY, Move, Pass, Play, Transfer, Where, find_changes
from tkid.kernel.values import derive
from tkid.render import clicks, picture

States = Mapping[str, Collection[clicks.State]]
ORDERS_REMEMBERED = 1 << 12
"""Cache size for the numbers of open regions: there are hundreds for each position, and most are those of others too."""


def draw_looks(
    game: Struggle, view: View, names: Sequence[str], states: States
) -> tuple[clicks.Looks, Mapping[str, clicks.Pieces]]:
    """Draw each place in each of its states for the next player; also return the regions where pieces only move."""
    drawing = _Looks(game, view.shown, view.seat, names)
    found: dict[str, Mapping[clicks.State, tuple[picture.Part, ...]]] = {}
    pieces: dict[str, clicks.Pieces] = {}
    for index, region in enumerate(game.board.regions):
        reached = states.get(region.code, ())
        followers = view.shown.regions[index]
        most = max(map(count_arrivals, reached), default=0)
        ends = tuple(sorted({count_changes(followers, state) for state in reached}))
        if reached and (moving := _build_pieces(game.board, index, followers, most)):
            pieces[region.code] = evolve(moving, grounds=_draw_grounds(game.board, index, followers, ends))
        elif reached:
            found[region.code] = {state: drawing.draw_region(index, state) for state in reached}
    if TRACK in states:
        found[TRACK] = {state: drawing.draw_track(state) for state in states[TRACK]}
    if TURN in states:
        found[TURN] = {state: drawing.draw_pass() for state in states[TURN]}
    done = {*found, *pieces}
    return found | drawing.draw_other_places({place: states[place] for place in states if place not in done}), pieces


def count_changes(followers: Followers, state: clicks.State) -> Followers:
    """Return the followers of a place in a state."""
    return add_followers(followers, find_growth(state, len(followers)))


@lru_cache(picture.REMEMBERED)
def find_growth(state: clicks.State, factions: int) -> Followers:
    """Return by how many followers of each faction a place grows or shrinks in a state."""
    left = [0] * factions
    for faction, whither in state:
        left[int(faction)] += 1 if whither == CAME else -1
    return tuple(left)


@lru_cache(picture.REMEMBERED)
def count_arrivals(state: clicks.State) -> int:
    return sum([whither == CAME for _, whither in state])


@lru_cache(picture.REMEMBERED)
def _build_pieces(board: Board, index: int, followers: Followers, most: int) -> clicks.Pieces | None:
    """Build an open region to which at most `most` followers come; return None if they are counted instead.

    Each newcomer takes the room of one of the last faction.
    """
    code, none = board.regions[index].code, (0,) * len(followers)
    for low in (True, False):
        rows = {}
        for more in range(most + 1):
            crowd = regions.Crowd((*followers[:-1], followers[-1] + more), (*none[:-1], more))
            rows[more] = regions.pack_crowd(board, index, crowd, low=low).pieces
        if not any(piece.words for row in rows.values() for piece in row):
            break
    else:
        return None
    empty = regions.pack_crowd(board, index, regions.Crowd(none, none), low=True)
    return clicks.Pieces(
        f"region-{code}",
        regions.draw_open_region(board, index, empty),
        tuple(piece.faction for piece in rows[0]),
        tuple([(f"piece-{f.letter}", f"ghost-{f.letter}", f"follower/{code}/{f.letter}") for f in board.factions]),
        {more: tuple([(piece.x, piece.y) for piece in row]) for more, row in rows.items()},
    )


def _draw_grounds(
    board: Board, index: int, followers: Followers, ends: Sequence[Followers]
) -> Mapping[Followers, picture.Part]:
    """Draw the land of an open region with other followers, as far as it then looks different."""
    code, usual = board.regions[index].code, map_scene.draw_open_land(board, index, followers)
    drawn = {each: map_scene.draw_open_land(board, index, each) for each in ends}
    return {each: picture.Part(f"land-{code}", svg) for each, svg in drawn.items() if svg != usual}


@lru_cache(ORDERS_REMEMBERED)
def _draw_order(board: Board, region: int, followers: Followers, place: int, look: str) -> picture.Part:
    """Draw the number that an open region has at a place of the track."""
    at = regions.pack_crowd(board, region, regions.Crowd(followers, (0,) * len(followers)), low=True).number
    return picture.Part(f"order-{board.regions[region].code}", pieces.draw_struggle_number(*at, place + 1, state=look))


@lru_cache(picture.REMEMBERED)
def _draw_card(board: Board, place: int, region: int, look: str, *, negotiated: bool) -> picture.Part:
    """Draw the card of an open region at a place of the track."""
    return picture.Part(
        f"space-{place}", player_rows.draw_region_card(board, place, region, OPEN, look, negotiated=negotiated)
    )


@lru_cache(picture.REMEMBERED)
def _draw_exchange(many: int, first: int, second: int) -> picture.Part:
    return picture.Part("exchange", player_rows.draw_swapped_cards(many, first, second))


@frozen
class _Looks:
    """Draws places for the seat to act."""

    game: Struggle
    position: Position
    seat: int | None
    names: Sequence[str]
    _contested: int | None = derive(lambda self: self.position.contested)
    _before: Mapping[str, picture.Part] = field(init=False)

    @_before.default
    def _(self) -> Mapping[str, picture.Part]:
        scene = Scene(self.game, self.position, self.seat, self.names, None, low=True)
        return {part.name: part for part in self._draw_parts(scene)}

    def _draw_parts(self, scene: Scene) -> Iterable[picture.Part]:
        return chain(map_scene.draw_map_ground(scene), regions.draw_regions(scene), self._draw_off_land(scene))

    def _draw_off_land(self, scene: Scene) -> Iterable[picture.Part]:
        return chain(
            player_rows.draw_tallies(scene),
            player_rows.draw_players(scene, (0, 0), _choose_hand_size(len(scene.shown.courts))),
        )

    def _make_state_scene(self, index: int, state: clicks.State) -> Scene:
        moved = self._list_transfers(index, state)
        after = replace_item(self.position.regions, index, count_changes(self.position.regions[index], state))
        position = self.position.replace(regions=after)
        return Scene(self.game, position, self.seat, self.names, None, moved=moved, low=True)

    def draw_region(self, index: int, state: clicks.State) -> tuple[picture.Part, picture.Part]:
        code, scene = self.game.board.regions[index].code, self._make_state_scene(index, state)
        land = picture.Part(f"land-{code}", map_scene.draw_land(scene, index))
        return land, picture.Part(f"region-{code}", regions.draw_region_contents(scene, index))

    def draw_track(self, state: clicks.State) -> tuple[picture.Part, ...]:
        """Draw the region cards when two have swapped places, perhaps with a disc on one."""
        position, board = self.position, self.game.board
        first, second = next((int(what[0]), int(what[1])) for what in state if len(what) > 1)
        instead = {first: second, second: first}
        track = [instead.get(region, region) for region in position.track]
        discs = {int(disc) for what in state if len(what) == 1 for disc in what}
        contested = next(region for region in track if position.discs[region] == OPEN)
        parts = list[picture.Part]()
        for place, region in enumerate(track):
            has_moved, has_disc = region in instead, region in discs
            if not (has_moved or has_disc):
                continue
            look = "contested" if region == contested else "open"
            negotiated = has_disc or region in position.negotiated
            parts.append(_draw_card(board, place, region, look, negotiated=negotiated))
            if has_moved:
                parts.append(_draw_order(board, region, position.regions[region], place, look))
        parts.append(_draw_exchange(len(track), *sorted(map(track.index, instead))))
        if contested != self._contested:
            parts.append(picture.Part("next", map_scene.draw_heavy_outline(board.regions[contested].code)))
        return self._filter_changed(parts)

    def draw_pass(self) -> tuple[picture.Part, ...]:
        """Draw everything that a pass changes, except the next player."""
        position, seat = self.position, self.position.actor
        after, events = self.game.apply(position, Pass())
        after = after.replace(to_act=seat, decision="play", turn=position.turn, winners=())
        last = picture.LastTurn(seat, (Pass(),), events)
        return self._filter_changed(self._draw_parts(Scene(self.game, after, self.seat, self.names, last, low=True)))

    def draw_other_places(self, states: States) -> dict[str, dict[clicks.State, tuple[picture.Part, ...]]]:
        """Draw supply, court, hand and pile, one part each, so one scene shows one state of each."""
        found: dict[str, dict[clicks.State, tuple[picture.Part, ...]]] = {place: {} for place in states}
        for each in zip_longest(*states.values()):
            now = {place: state for place, state in zip(states, each, strict=True) if state is not None}
            scene = self._make_scene(now)
            drawn = {part.name: part for part in self._draw_off_land(scene)}
            for place, state in now.items():
                found[place][state] = (drawn[place],)
        return found

    def _make_scene(self, now: Mapping[str, clicks.State]) -> Scene:
        position, seat = self.position, self.position.actor
        supply, court = now.get("supply", ()), now.get(f"court-{seat}", ())
        moved = tuple([what for what in court if len(what) > 1])
        transfers = (*self._list_transfers(SUPPLY, supply), *self._list_transfers(COURT, moved))
        spent = sum(len(what) == 1 for what in court)
        hand, pile = list(position.hands[seat]), position.discards[seat]
        for (card,) in now.get(f"hand-{seat}", ()):
            hand.remove(card if card in hand else hand[0])
        played = [card for (card,) in now.get(f"pile-{seat}", ())]
        after = position.replace(
            supply=count_changes(position.supply, supply),
            courts=replace_item(position.courts, seat, count_changes(position.courts[seat], moved)),
            hands=replace_item(position.hands, seat, tuple(hand)),
            discards=replace_item(position.discards, seat, (*pile, *played)),
            negotiation_discs=replace_item(position.negotiation_discs, seat, position.negotiation_discs[seat] - spent),
        )
        return Scene(self.game, after, self.seat, self.names, picture.LastTurn(seat, ()), moved=transfers, low=True)

    def _list_transfers(self, place: Where, state: Iterable[clicks.What]) -> tuple[Transfer, ...]:
        """Return the transfers of a state; where the other end doesn't matter, it is the first other region."""
        other = 1 if place == 0 else 0
        moved = []
        for faction, whither in state:
            one = self.game.board.make_single(int(faction))
            if whither == CAME:
                moved.append(Transfer(one, SUPPLY if place >= 0 else other, place))
            else:
                moved.append(Transfer(one, place, other if whither == ELSEWHERE else int(whither)))
        return tuple(moved)

    def _filter_changed(self, parts: Iterable[picture.Part]) -> tuple[picture.Part, ...]:
        return tuple([part for part in parts if part.svg != self._before[part.name].svg])


FAINT = "[data-part] .dim,[data-part] .told"
LIGHT_INK, DARK_INK = picture.paint(fill="ink")
STYLE: picture.Style = {
    **map_scene.STYLE,
    **pieces.STYLE,
    **regions.STYLE,
    **LINES,
    "[data-part] text": ("forced-color-adjust:none", ""),
    "[data-part] text,.halo,.arrow,.tip,.came,.gone,use:not([data-at])": ("pointer-events:none", ""),
    "[data-part]": (f"font-family:{picture.SANS};font-size:{picture.LEAST}px", ""),
    ".paper": picture.paint(fill="paper"),
    ".dim": picture.paint(fill="dim"),
    **picture.STYLE,
    **picture.read_style(__package__, "drawing"),
    "@media print": (".sea,.shoal{fill:#fff}", ""),
    "@media (prefers-contrast:more)": (f"{FAINT}{{{LIGHT_INK}}}", ""),
    "@media screen and (prefers-contrast:more) and (prefers-color-scheme:dark)": (f"{FAINT}{{{DARK_INK}}}", ""),
}


LOW_ROW = 18.7 / 27
"""The height of a row of the track on a phone."""
LAND = "[data-part=sea],[data-part=roads],[data-part=next],[data-part^=land-]"


@cache
def write_low_map(board: Board) -> picture.Low:
    """Return the CSS of a lower map: the land is scaled; all else is moved, so that it stays legible."""
    css = [picture.read_css(__package__, "low"), f"{LAND}{{transform:scale({ACROSS},var(--low))}}"]
    for region, shape in zip(board.regions, map_scene.list_low_shapes(board), strict=True):
        x, y = shape.label
        move = f"translate({(ACROSS - 1) * x:.0f}px,calc(var(--low)*{y}px - {y + shape.raised:.0f}px))"
        css.append(f"[data-part=region-{region.code}],[data-part=order-{region.code}]{{transform:{move}}}")
    east, top = (ACROSS - 1) * pieces.WIDTH, 26
    spaces = pieces.list_spaces(len(board.regions))
    first = (spaces[0].top + spaces[0].bottom) / 2
    for place, box in enumerate(spaces):
        middle = (box.top + box.bottom) / 2
        move = f"translate({east:g}px,{top + LOW_ROW * (middle - first) - middle:.1f}px)"
        css.append(f"[data-part=space-{place}]{{transform:{move}}}")
    css.append(
        f"[data-part=exchange]{{transform:translate({east:g}px,{top - LOW_ROW * first:.1f}px) scale(1,{LOW_ROW:.3f})}}"
    )
    css.append(f"[data-part=track]{{transform:translate({east:g}px,-10px)}}")
    many = len(board.factions)
    pitch, up = (34, 0) if many <= 3 else ((pieces.WON.right - pieces.WON.left) / many, 22 * (many - 3))
    for faction in range(many):
        pair = ",".join(f"[data-part=won]>:nth-child({2 * faction + n})" for n in (2, 3))
        css.append(f"{pair}{{transform:translate({34 - pitch * (faction + 1):g}px,{22 * faction - up}px)}}")
    css.append(f"#k-board::after{{transform:translateY({-up}px)}}")
    return picture.Low(pieces.WIDTH * ACROSS, pieces.MAP_HEIGHT, "".join(css))


LEGIBLE = pieces.WIDTH * 10.05 / pieces.WHOLE.name
"""Pixels: how wide the rows of the players are if the names of cards of this size have 10."""
SCROLLED = f"#k-rows{{overflow-x:auto}}#k-rows svg{{width:{LEGIBLE:.0f}px}}"
"""CSS for a phone on which no script shows the courts in a line each: the rows are as wide as they have to be to be read."""


def _choose_hand_size(seats: int) -> pieces.Size:
    """Return the size of the cards in hand on a page to click: with four players, large ones don't fit a screen."""
    return pieces.LARGE if seats < 4 else pieces.WHOLE


def draw_picture(
    game: Struggle,
    view: View,
    names: Sequence[str],
    last: picture.LastTurn | None = None,
    *,
    layout: picture.Layout = "page",
) -> picture.Picture:
    scene = Scene(game, view.shown, view.seat, names, last, low=layout == "click")
    headline = voice.describe_headline(game, view, names)
    words = (describe_map if layout == "alone" else describe_position)(game, view, names)
    broad, seats = layout == "wide", len(view.shown.courts)
    top = {"page": picture.PAGE, "wide": picture.WIDE}.get(layout, 0)
    width = pieces.BROAD if broad else pieces.WIDTH
    parts: list[picture.Part] = []
    if top:
        told = voice.tell_last_turn(game, view, names, last) if last else ""
        svg = picture.draw_head(headline, voice.write_forecast(game, view, names), told, width, top)
        parts.append(picture.Part("head", svg))
    parts += [evolve(part, at=(0, top)) for part in _draw_map(scene)] if top else _draw_map(scene)
    if layout == "alone":
        high = pieces.MAP_HEIGHT
    elif broad:
        high = top + pieces.BELOW_MAP
        parts += player_rows.draw_players(scene, (pieces.WIDTH, top), pieces.WHOLE, every=True)
        corner = pieces.WIDTH, high - pieces.LEGEND - pieces.FOOT
        parts.append(picture.Part("legend", pieces.draw_board_legend(scene.board), corner))
    else:
        size = {"page": pieces.LARGE, "click": _choose_hand_size(seats)}.get(layout)
        high = top + pieces.BELOW_MAP + player_rows.compute_rows_height(seats, size) + pieces.FOOT
        parts += player_rows.draw_players(scene, (0, top + pieces.BELOW_MAP), size)
        if layout != "click":
            emblems, lines = pieces.draw_emblems(game)
            parts.append(picture.Part("legend", emblems, (0, high)))
            high += lines
    rows = pieces.BELOW_MAP if layout in {"board", "click"} else 0
    low = write_low_map(game.board) if layout == "click" else None
    if low and _choose_hand_size(seats) is pieces.WHOLE:
        low = evolve(low, css=low.css + SCROLLED)
    paper = picture.Part("paper", picture.write_element("rect", width=width, height=high, class_="paper"))
    return picture.Picture(
        width, high, headline, words, STYLE, (paper, *parts), defs=_list_definitions(game), rows=rows, low=low
    )


def _draw_map(scene: Scene) -> Iterator[picture.Part]:
    yield from map_scene.draw_map_ground(scene)
    yield draw_arrows(scene)
    yield from regions.draw_regions(scene)
    yield from player_rows.draw_tallies(scene)


@lru_cache(64)
def _list_definitions(game: Struggle) -> str:
    shapes = {**map_scene.build_map_shapes(game.board), **pieces.build_piece_shapes(game.board)}
    discs = [player_rows.define_small_disc(game.board, faction) for faction in range(len(game.board.factions))]
    return "".join([*shapes.values(), *discs]) + pieces.define_cards(game)


@frozen
class _Outlooks:
    """Results of turns; without an end or a resolved region, a result depends on the contested region alone."""

    game: Struggle
    position: Position
    names: Sequence[str]
    choices: clicks.Choices
    _last_cards: frozenset[str] = derive(
        lambda self: frozenset(filter(self._is_last_in_hands, self.game.list_held(self.position, self.position.actor)))
    )
    """Cards that may be the last in all hands. (A cached method here would keep this object, and all ways, in memory until garbage collection.)"""
    brings: dict[tuple[clicks.Way, str], clicks.Outlook] = field(factory=dict)
    stakes: dict[clicks.Way, str] = field(factory=dict)
    settled: dict[str, dict[clicks.State, clicks.Outlook]] = field(factory=dict)
    _known: set[tuple[clicks.PlaceState, clicks.Ending]] = field(factory=set)
    _contested: dict[clicks.PlaceState | None, clicks.PlaceState] = field(factory=dict)
    """By the state of the track, the contested region as it was before the turn."""
    _leaving: dict[tuple[str, Followers], clicks.Outlook] = field(factory=dict)

    def add(self, way: clicks.Way) -> None:
        move, then = way.move, way.then
        if isinstance(move, Play) and then is not None and move.card not in self._last_cards:
            self._add_open_way(way, then)
            return
        for key in then.keys if then else ("",):
            moves = [move, self.choices.ends[key].move] if key else [move]
            self.brings[way, key] = self._make_outlook(moves)

    def _is_last_in_hands(self, card: str) -> bool:
        """Return True if all players may be out of cards that can be played."""
        seat, plot = self.position.actor, self.game.plot
        left = [list(hand) for hand in self.position.hands]
        if card in left[seat]:
            left[seat].remove(card)
        return not any(each != plot for hand in left for each in hand)

    def _add_open_way(self, way: clicks.Way, then: clicks.Ending) -> None:
        """Add the results of a way that leaves cards to play, by the followers then in the contested region."""
        reached = way.path.reached
        before = self._contested.get(reached.get(TRACK)) or self._find_contested(way)
        self.stakes[way] = place = before.place
        now = reached.get(place, before)
        if (now, then) in self._known:
            return
        self._known.add((now, then))
        known = self.settled.setdefault(place, {})
        for key in then.keys:
            end = self.choices.ends[key]
            after = clicks.add_states(now.state, end.states[place]) if place in end.states else now.state
            if after not in known:
                grown = place, find_growth(after, len(self.game.board.factions))
                if grown not in self._leaving:
                    self._leaving[grown] = self._make_outlook([way.move, end.move])
                known[after] = self._leaving[grown]

    def _find_contested(self, way: clicks.Way) -> clicks.PlaceState:
        """Return the region that is contested after a way, as it was before the turn."""
        position, track = self.position, way.path.reached.get(TRACK)
        if track:
            position = position.replace(**find_changes(position, way.move.resolution))
        region = position.contested
        assert region is not None
        self._contested[track] = found = clicks.find_place_state(self.game.board.regions[region].code, ())
        return found

    def _make_outlook(self, moves: Sequence[Move]) -> clicks.Outlook:
        found = compute_consequence(self.game, self.position, moves, self.names)
        ahead = [self.game.board.factions[faction].letter for faction in found.factions]
        shape = f"piece-{ahead[0]}" if len(ahead) == 1 else ""
        return clicks.Outlook(found.text, found.detail, found.factions, shape)


class StruggleDrawing(clicks.DrawingPlugin):
    """Drawing of The King is Dead."""

    draw_picture = staticmethod(draw_picture)
    make_choices = staticmethod(list_choices)

    def make_preview(self, game: Struggle, view: View, names: Sequence[str], choices: clicks.Choices) -> clicks.Preview:
        if not choices.ways:
            return clicks.Preview()
        outlooks = _Outlooks(game, view.shown, names, choices)
        for way in choices.ways:
            outlooks.add(way)
        drawn, pieces = draw_looks(game, view, names, clicks.list_states(choices))
        return clicks.Preview(drawn, pieces, outlooks.brings, outlooks.stakes, outlooks.settled)


PLUGIN = StruggleDrawing()
