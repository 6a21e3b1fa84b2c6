"""The game's side of the drawing interface: the picture, and the preview of a turn.

What came has a ring in violet, what left is a ghost, as after a turn that was sent.

Every part is drawn in its own coordinates, from what it shows and nothing else, so that it is remembered; the layouts
differ in where the parts are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, zip_longest

from attrs import evolve, field, frozen

from tkid.games.struggle.render import pieces, player_rows, regions, telling
from tkid.games.struggle.render import scene as map_scene
from tkid.games.struggle.render.arrows import STYLE as LINES
from tkid.games.struggle.render.arrows import arrows
from tkid.games.struggle.render.clicks import CAME, ELSEWHERE, TRACK, TURN, Changes, choices
from tkid.games.struggle.render.description import consequence, description, map_description
from tkid.games.struggle.render.pieces import (
    BELOW_MAP,
    BROAD,
    EMBLEMS,
    FOOT,
    LEGEND,
    MAP_HEIGHT,
    WIDTH,
    emblems,
    legend,
)
from tkid.games.struggle.render.player_rows import height, players, tallies
from tkid.games.struggle.render.regions import Piece, packed
from tkid.games.struggle.render.scene import Scene
from tkid.games.struggle.rules.board import Followers, Position, View, minus, plus, put
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import COURT, SUPPLY, Exchange, Move, Pass, Play, Transfer, Where, changes
from tkid.render.clicks import Choices, Ending, Looks, Outlook, Pieces, Preview, State, Way, What, changed, states
from tkid.render.picture import PAGE, SANS, WIDE, LastTurn, Layout, Part, Picture, Style, element, head, paint
from tkid.render.picture import STYLE as LINES_OF_HEAD
from tkid.render.plugin import DrawingPlugin

States = Mapping[str, Collection[State]]


def looks(game: Struggle, view: View, names: Sequence[str], states: States) -> tuple[Looks, Mapping[str, Pieces]]:
    """Draw each place in each of its states for the next player; also return the regions where pieces only move."""
    drawing = _Looks(game, view.shown, view.seat, names)
    found: dict[str, Mapping[State, tuple[Part, ...]]] = {}
    pieces: dict[str, Pieces] = {}
    for index, region in enumerate(game.board.regions):
        reached = states.get(region.code, ())
        if reached and (moving := drawing.pieces(index, reached)):
            pieces[region.code] = moving
        elif reached:
            found[region.code] = drawing.region(index, reached)
    if TRACK in states:
        found[TRACK] = {state: drawing.track(state) for state in states[TRACK]}
    if TURN in states:
        found[TURN] = {state: drawing.passed() for state in states[TURN]}
    done = {*found, *pieces}
    return found | drawing.others({place: states[place] for place in states if place not in done}), pieces


@frozen
class _Looks:
    """Draws places for the seat to act."""

    game: Struggle
    position: Position
    seat: int | None
    names: Sequence[str]
    _before: Mapping[str, Part] = field(init=False)

    @_before.default
    def _(self) -> Mapping[str, Part]:
        scene = Scene(self.game, self.position, self.seat, self.names, None)
        return {part.name: part for part in self._parts(scene)}

    def _parts(self, scene: Scene) -> Iterable[Part]:
        return chain(map_scene.ground(scene), regions.regions(scene), self._beside(scene))

    def _beside(self, scene: Scene) -> Iterable[Part]:
        return chain(tallies(scene), players(scene, (0, 0), whole=False))

    def pieces(self, index: int, states: Collection[State]) -> Pieces | None:
        """Build a region where pieces come and go; return None if they are counted instead of drawn one by one."""
        board, followers = self.game.board, self.position.regions[index]
        code = board.regions[index].code
        most = max(sum(whither == CAME for _, whither in state) for state in states)
        rows = {more: self._row(index, more) for more in range(most + 1)}
        if any(piece.words for row in rows.values() for piece in row):
            return None
        counts = {self._sum(followers, index, self._moved(index, state)) for state in states}
        usual = self._land(index, followers).svg
        grounds = {each: self._land(index, each) for each in counts}
        return Pieces(
            f"region-{code}",
            self._stands(index, (0,) * len(followers)),
            tuple(piece.faction for piece in rows[0]),
            tuple([(f"piece-{f.letter}", f"ghost-{f.letter}", f"follower/{code}/{f.letter}") for f in board.factions]),
            {more: tuple([(piece.x, piece.y) for piece in row]) for more, row in rows.items()},
            {each: part for each, part in grounds.items() if part.svg != usual},
        )

    def _row(self, index: int, more: int) -> tuple[Piece, ...]:
        """Return the places in a region, with those for `more` followers at the end."""
        last = len(self.game.board.factions) - 1
        return packed(self._within(index, tuple([(last, CAME)] * more)), index).pieces

    def _within(self, index: int, state: State) -> Scene:
        moved = self._moved(index, state)
        return self._with(index, self._sum(self.position.regions[index], index, moved), moved)

    def _with(self, index: int, followers: Followers, moved: tuple[Transfer, ...] = ()) -> Scene:
        """Return a scene with other followers in a region, and marks for those that moved."""
        after = put(self.position.regions, index, followers)
        return Scene(self.game, self.position.replace(regions=after), self.seat, self.names, None, moved=moved)

    def _land(self, index: int, followers: Followers) -> Part:
        land = map_scene.land(self._with(index, followers), index)
        return Part(f"land-{self.game.board.regions[index].code}", land)

    def _stands(self, index: int, followers: Followers) -> str:
        return regions.region(self._with(index, followers), index)

    def region(self, index: int, states: Iterable[State]) -> dict[State, tuple[Part, ...]]:
        """Draw the ground of a region and its contents, for each state."""
        return {state: tuple(self._region(index, state)) for state in states}

    def _region(self, index: int, state: State) -> Iterable[Part]:
        code, scene = self.game.board.regions[index].code, self._within(index, state)
        yield Part(f"land-{code}", map_scene.land(scene, index))
        yield Part(f"region-{code}", regions.region(scene, index))

    def track(self, state: State) -> tuple[Part, ...]:
        """Draw the region cards when two have swapped places, perhaps with a disc on one."""
        position, seat = self.position, self.position.to_act
        assert seat is not None
        first, second = next((int(what[0]), int(what[1])) for what in state if len(what) > 1)
        instead = {first: second, second: first}
        track = tuple([instead.get(region, region) for region in position.track])
        discs = [disc for what in state if len(what) == 1 for disc in what]
        after = position.replace(track=track, negotiated=position.negotiated | {*discs})
        last = LastTurn(seat, (Play("", Exchange(first, second, None)),))
        scene = Scene(self.game, after, self.seat, self.names, last)
        codes = [region.code for region in self.game.board.regions]
        orders = [Part(f"order-{codes[region]}", regions.order(scene, region)) for region in (first, second)]
        contested = [] if after.contested == position.contested else [map_scene.outline(scene)]
        return self._changed(chain(tallies(scene), orders, contested))

    def passed(self) -> tuple[Part, ...]:
        """Draw everything that a pass changes, except the next player."""
        position, seat = self.position, self.position.to_act
        assert seat is not None
        after, events = self.game.apply(position, Pass())
        after = after.replace(to_act=seat, decision="play", turn=position.turn, winners=())
        last = LastTurn(seat, (Pass(),), events)
        return self._changed(self._parts(Scene(self.game, after, self.seat, self.names, last)))

    def others(self, states: States) -> dict[str, dict[State, tuple[Part, ...]]]:
        """Draw the supply, the court, the hand and the pile.

        Each is one part, so one scene shows one state of each.
        """
        found: dict[str, dict[State, tuple[Part, ...]]] = {place: {} for place in states}
        for each in zip_longest(*states.values()):
            now = {place: state for place, state in zip(states, each, strict=True) if state is not None}
            scene = self._scene(now)
            drawn = {part.name: part for part in self._beside(scene)}
            for place, state in now.items():
                found[place][state] = (drawn[place],)
        return found

    def _scene(self, now: Mapping[str, State]) -> Scene:
        """Return a scene with a state of each place."""
        position, seat = self.position, self.position.to_act
        assert seat is not None
        changes = Changes(self.game, position)
        supplied = self._moved(SUPPLY, now.get(changes.place(SUPPLY), ()))
        court = now.get(changes.place(COURT), ())
        courted = self._moved(COURT, [what for what in court if len(what) > 1])
        spent = sum(len(what) == 1 for what in court)
        hand, pile = list(position.hands[seat]), position.discards[seat]
        for (card,) in now.get(f"hand-{seat}", ()):
            hand.remove(card if card in hand else hand[0])
        played = [card for (card,) in now.get(f"pile-{seat}", ())]
        after = position.replace(
            supply=self._sum(position.supply, SUPPLY, supplied),
            courts=put(position.courts, seat, self._sum(position.courts[seat], COURT, courted)),
            hands=put(position.hands, seat, tuple(hand)),
            discards=put(position.discards, seat, (*pile, *played)),
            negotiation_discs=put(position.negotiation_discs, seat, position.negotiation_discs[seat] - spent),
        )
        return Scene(self.game, after, self.seat, self.names, LastTurn(seat, ()), moved=(*supplied, *courted))

    def _moved(self, place: Where, state: Iterable[What]) -> tuple[Transfer, ...]:
        """Return the transfers of a state; where the other end doesn't matter, it is the first other region."""
        other = 1 if place == 0 else 0
        moved = []
        for faction, whither in state:
            one = self.game.board.one(int(faction))
            if whither == CAME:
                moved.append(Transfer(one, SUPPLY if place >= 0 else other, place))
            else:
                moved.append(Transfer(one, place, other if whither == ELSEWHERE else int(whither)))
        return tuple(moved)

    def _sum(self, followers: Followers, place: Where, moved: Iterable[Transfer]) -> Followers:
        for group, _, target in moved:
            followers = plus(followers, group) if target == place else minus(followers, group)
        return followers

    def _changed(self, parts: Iterable[Part]) -> tuple[Part, ...]:
        """Return the parts that look different from before the turn."""
        return tuple(part for part in parts if part.svg != self._before[part.name].svg)


FAINT = "[data-part] .dim,[data-part] .told"
LIGHT_INK, DARK_INK = paint(fill="ink")
STYLE: Style = {
    **map_scene.STYLE,
    **pieces.STYLE,
    **regions.STYLE,
    **LINES,
    "[data-part] text": ("forced-color-adjust:none", ""),
    "[data-part] text,.halo,.arrow,.tip,.came,.gone,use:not([data-at])": ("pointer-events:none", ""),
    "[data-part]": (f"font-family:{SANS};font-size:11px", ""),
    ".paper": paint(fill="paper"),
    ".dim": paint(fill="dim"),
    **LINES_OF_HEAD,
    ".n": ("font-size:13px;font-variant-numeric:tabular-nums", ""),
    ".s": ("font-size:10.5px", ""),
    ".panel": paint(fill="panel"),
    ".rule": paint(stroke="rule"),
    ".card": paint("stroke-width:1", fill="card", stroke="coast"),
    ".up": paint("stroke-width:2.4", fill="card", stroke="ink"),
    ".down": paint(fill="back"),
    ".edged": paint("stroke-width:.8", stroke="on-back"),
    ".on-down": paint(fill="on-back"),
    ".weave": paint("fill:none;stroke-width:.7;stroke-opacity:.5", stroke="on-back"),
    ".pen": paint("fill:none;stroke-width:1.4;stroke-linecap:round;stroke-linejoin:round", stroke="ink"),
    ".crown": paint("stroke-width:1;stroke-linejoin:round", fill="piece2", stroke="edge"),
    ".swap": paint("fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round", stroke="last"),
    "@media print": (".sea,.shoal{fill:#fff}", ""),
    "@media (prefers-contrast:more)": (f"{FAINT}{{{LIGHT_INK}}}", ""),
    "@media screen and (prefers-contrast:more) and (prefers-color-scheme:dark)": (f"{FAINT}{{{DARK_INK}}}", ""),
}


def picture(
    game: Struggle, view: View, names: Sequence[str], last: LastTurn | None = None, *, layout: Layout = "page"
) -> Picture:
    """Draw a position as a seat may know it, or the map `alone`; `last` is the turn that led to it."""
    scene = Scene(game, view.shown, view.seat, names, last)
    headline = telling.headline(game, view, names)
    words = (map_description if layout == "alone" else description)(game, view, names)
    broad, seats = layout == "wide", len(view.shown.courts)
    top = {"page": PAGE, "wide": WIDE}.get(layout, 0)
    width = BROAD if broad else WIDTH
    parts: list[Part] = []
    if top:
        told = telling.told(game, view, names, last) if last else ""
        svg = head(headline, telling.forecast(game, view, names), told, width, top)
        parts.append(Part("head", svg))
    parts += [evolve(part, at=(0, top)) for part in _map(scene)] if top else _map(scene)
    if layout == "alone":
        high = MAP_HEIGHT
    elif broad:
        high = top + BELOW_MAP
        parts += players(scene, (WIDTH, top), whole=True)
        parts.append(Part("legend", legend(scene.board), (WIDTH, high - LEGEND - FOOT)))
    else:
        high = top + BELOW_MAP + height(seats, whole=False) + FOOT
        parts += players(scene, (0, top + BELOW_MAP), whole=False)
        if top:
            parts.append(Part("legend", emblems(game), (0, high)))
            high += EMBLEMS
    rows = BELOW_MAP if layout == "board" else 0
    return Picture(width, high, headline, words, STYLE, (_paper(width, high), *parts), defs=_defs(game), rows=rows)


def _map(scene: Scene) -> Iterator[Part]:
    """Yield the parts of the map, from the sea up."""
    yield from map_scene.ground(scene)
    yield arrows(scene)
    yield from regions.regions(scene)
    yield from player_rows.tallies(scene)


@cache
def _paper(width: int, high: int) -> Part:
    return Part("paper", element("rect", width=width, height=high, class_="paper"))


@lru_cache(64)
def _defs(game: Struggle) -> str:
    return (
        map_scene.defs(game.board)
        + pieces.define_pieces(game.board)
        + player_rows.defs(game.board)
        + pieces.define_cards(game)
    )


def preview(game: Struggle, view: View, names: Sequence[str], choices: Choices) -> Preview:
    """Build the preview of all choices of the next player; it is empty if there are no choices."""
    if not choices.ways:
        return Preview()
    outlooks = _Outlooks(game, view.shown, names, choices)
    for way in choices.ways:
        outlooks.add(way)
    drawn, pieces = looks(game, view, names, states(choices))
    return Preview(drawn, pieces, outlooks.brings, outlooks.stakes, outlooks.settled)


@frozen
class _Outlooks:
    """Results of turns.

    If a turn neither ends the game nor resolves a region, its result depends on the contested region alone.
    """

    game: Struggle
    position: Position
    names: Sequence[str]
    choices: Choices
    brings: dict[tuple[Way, str], Outlook] = field(factory=dict)
    stakes: dict[Way, str] = field(factory=dict)
    settled: dict[str, dict[State, Outlook]] = field(factory=dict)
    _known: set[tuple[str, State, Ending]] = field(factory=set)
    _leaving: dict[tuple[str, tuple[int, ...]], Outlook] = field(factory=dict)

    def add(self, way: Way) -> None:
        """Add the results of a way, with each of its ends."""
        if not isinstance(way.move, Play) or way.then is None or self._last(way.move):
            for key in way.then.keys if way.then else ("",):
                moves = [way.move, self.choices.ends[key].move] if key else [way.move]
                self.brings[way, key] = self._outlook(moves)
            return
        self._settle(way)

    def _last(self, play: Play) -> bool:
        """Return True if all players may be out of cards that can be played."""
        seat, plot = self.position.to_act, self.game.plot
        left = [list(hand) for hand in self.position.hands]
        assert seat is not None
        if play.card in left[seat]:
            left[seat].remove(play.card)
        return not any(card != plot for hand in left for card in hand)

    def _settle(self, way: Way) -> None:
        """Add the results of a way that leaves cards to play, by the followers then in the contested region."""
        assert way.then is not None
        region = self.position.replace(**changes(self.position, way.move.resolution)).contested
        assert region is not None
        place = self.game.board.regions[region].code
        self.stakes[way] = place
        state = tuple(sorted([what for step in way.steps for there, what in step.changes if there == place]))
        if (place, state, way.then) in self._known:
            return
        self._known.add((place, state, way.then))
        known = self.settled.setdefault(place, {})
        for key in way.then.keys:
            end = self.choices.ends[key]
            after = changed({place: state}, end.changes).get(place, state)
            if after not in known:
                followers = place, self._balance(after)
                if followers not in self._leaving:
                    self._leaving[followers] = self._outlook([way.move, end.move])
                known[after] = self._leaving[followers]

    def _balance(self, state: State) -> tuple[int, ...]:
        """Return the change in each faction's number of followers in a region."""
        balance = [0] * len(self.game.board.factions)
        for faction, whither in state:
            balance[int(faction)] += 1 if whither == CAME else -1
        return tuple(balance)

    def _outlook(self, moves: Sequence[Move]) -> Outlook:
        found = consequence(self.game, self.position, moves, self.names)
        ahead = [self.game.board.factions[faction].letter for faction in found.factions]
        shape = f"piece-{ahead[0]}" if len(ahead) == 1 else ""
        return Outlook(found.text, found.detail, found.factions, shape)


class StruggleDrawing:
    """Drawing of The King is Dead."""

    picture = staticmethod(picture)
    choices = staticmethod(choices)
    preview = staticmethod(preview)


PLUGIN: DrawingPlugin = StruggleDrawing()
