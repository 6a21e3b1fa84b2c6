"""How places of the picture look after choices of a turn, drawn with the functions of the picture itself.

What came has a ring in violet, what left is a ghost, as after a turn that was sent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, zip_longest

from attrs import field, frozen

from tkid.games.struggle.render.changes import CAME, ELSEWHERE, TRACK, TURN, Changes
from tkid.games.struggle.render.picture import ground, regions
from tkid.games.struggle.render.picture.packing import Piece, packed
from tkid.games.struggle.render.picture.players import players
from tkid.games.struggle.render.picture.scene import Scene
from tkid.games.struggle.render.picture.tallies import tallies
from tkid.games.struggle.rules.board import Followers, minus, plus
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Exchange, Pass, Play
from tkid.games.struggle.rules.position import Position, put
from tkid.games.struggle.rules.transfers import COURT, SUPPLY, Transfer, Where
from tkid.games.struggle.rules.views import View
from tkid.render.clicks import Looks, Pieces, State, What
from tkid.render.picture import LastTurn, Part

States = Mapping[str, Collection[State]]


def looks(game: Struggle, view: View, names: Sequence[str], states: States) -> tuple[Looks, Mapping[str, Pieces]]:
    """How each place looks in each of its states, as the seat to act sees it; and the regions where pieces only move."""
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
        """The parts as they are before the turn, without marks."""
        scene = Scene(self.game, self.position, self.seat, self.names, None)
        return {part.name: part for part in self._parts(scene)}

    def _parts(self, scene: Scene) -> Iterable[Part]:
        return chain(ground.ground(scene), regions.regions(scene), self._beside(scene))

    def _beside(self, scene: Scene) -> Iterable[Part]:
        """What is not on the land."""
        return chain(tallies(scene), players(scene, (0, 0), whole=False))

    def pieces(self, index: int, states: Collection[State]) -> Pieces | None:
        """A region where pieces come and go; None if they are counted instead of drawn one by one."""
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
        """The places in a region, with those for so many more followers at the end."""
        last = len(self.game.board.factions) - 1
        return packed(self._within(index, tuple([(last, CAME)] * more)), index).pieces

    def _within(self, index: int, state: State) -> Scene:
        """A region in a state."""
        moved = self._moved(index, state)
        return self._with(index, self._sum(self.position.regions[index], index, moved), moved)

    def _with(self, index: int, followers: Followers, moved: tuple[Transfer, ...] = ()) -> Scene:
        """A region with other followers, and marks for those that moved."""
        after = put(self.position.regions, index, followers)
        return Scene(self.game, self.position.but(regions=after), self.seat, self.names, None, moved=moved)

    def _land(self, index: int, followers: Followers) -> Part:
        """The ground of a region with some followers."""
        land = ground.land(self._with(index, followers), index)
        return Part(f"land-{self.game.board.regions[index].code}", land)

    def _stands(self, index: int, followers: Followers) -> str:
        """What stands in a region with some followers."""
        return regions.region(self._with(index, followers), index)

    def region(self, index: int, states: Iterable[State]) -> dict[State, tuple[Part, ...]]:
        """A region: its ground, and what stands on it."""
        return {state: tuple(self._region(index, state)) for state in states}

    def _region(self, index: int, state: State) -> Iterable[Part]:
        code, scene = self.game.board.regions[index].code, self._within(index, state)
        yield Part(f"land-{code}", ground.land(scene, index))
        yield Part(f"region-{code}", regions.region(scene, index))

    def track(self, state: State) -> tuple[Part, ...]:
        """The region cards: two have changed places, and perhaps a disc is on one."""
        position, seat = self.position, self.position.to_act
        assert seat is not None
        first, second = next((int(what[0]), int(what[1])) for what in state if len(what) > 1)
        instead = {first: second, second: first}
        track = tuple([instead.get(region, region) for region in position.track])
        discs = [disc for what in state if len(what) == 1 for disc in what]
        after = position.but(track=track, negotiated=position.negotiated | {*discs})
        last = LastTurn(seat, (Play("", Exchange(first, second, None)),))
        scene = Scene(self.game, after, self.seat, self.names, last)
        codes = [region.code for region in self.game.board.regions]
        orders = [Part(f"order-{codes[region]}", regions.order(scene, region)) for region in (first, second)]
        contested = [] if after.contested == position.contested else [ground.outline(scene)]
        return self._changed(chain(tallies(scene), orders, contested))

    def passed(self) -> tuple[Part, ...]:
        """All that a pass changes, but not who is next."""
        position, seat = self.position, self.position.to_act
        assert seat is not None
        after, events = self.game.apply(position, Pass())
        after = after.but(to_act=seat, decision="play", turn=position.turn, winners=())
        last = LastTurn(seat, (Pass(),), events)
        return self._changed(self._parts(Scene(self.game, after, self.seat, self.names, last)))

    def others(self, states: States) -> dict[str, dict[State, tuple[Part, ...]]]:
        """The supply, the court, the hand and the pile: each is one part, so one scene shows one state of each."""
        found: dict[str, dict[State, tuple[Part, ...]]] = {place: {} for place in states}
        for each in zip_longest(*states.values()):
            now = {place: state for place, state in zip(states, each, strict=True) if state is not None}
            scene = self._scene(now)
            drawn = {part.name: part for part in self._beside(scene)}
            for place, state in now.items():
                found[place][state] = (drawn[place],)
        return found

    def _scene(self, now: Mapping[str, State]) -> Scene:
        """A scene with a state of each place."""
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
        after = position.but(
            supply=self._sum(position.supply, SUPPLY, supplied),
            courts=put(position.courts, seat, self._sum(position.courts[seat], COURT, courted)),
            hands=put(position.hands, seat, tuple(hand)),
            discards=put(position.discards, seat, (*pile, *played)),
            negotiation_discs=put(position.negotiation_discs, seat, position.negotiation_discs[seat] - spent),
        )
        return Scene(self.game, after, self.seat, self.names, LastTurn(seat, ()), moved=(*supplied, *courted))

    def _moved(self, place: Where, state: Iterable[What]) -> tuple[Transfer, ...]:
        """The transfers of a state; where it does not matter where followers come from or go, it is the first other region."""
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
        """Followers at a place after transfers."""
        for group, _, target in moved:
            followers = plus(followers, group) if target == place else minus(followers, group)
        return followers

    def _changed(self, parts: Iterable[Part]) -> tuple[Part, ...]:
        """The parts that look otherwise than before the turn."""
        return tuple(part for part in parts if part.svg != self._before[part.name].svg)
