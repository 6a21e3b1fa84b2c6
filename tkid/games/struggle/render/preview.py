"""What the page with a board to click shows on the way: how places look after each choice, and what a turn brings."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from tkid.games.struggle.render.changes import CAME
from tkid.games.struggle.render.looks import looks
from tkid.games.struggle.render.text.consequences import consequence
from tkid.games.struggle.rules.effects import changes
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Move, Play
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.views import View
from tkid.render.clicks import Choices, Ending, Outlook, Preview, State, Way, changed, states


def preview(game: Struggle, view: View, names: Sequence[str], choices: Choices) -> Preview:
    """The preview of all choices of the seat to act; nothing where there are none."""
    if not choices.ways:
        return Preview()
    outlooks = _Outlooks(game, view.shown, names, choices)
    for way in choices.ways:
        outlooks.add(way)
    drawn, pieces = looks(game, view, names, states(choices))
    return Preview(drawn, pieces, outlooks.brings, outlooks.stakes, outlooks.settled)


@frozen
class _Outlooks:
    """What turns bring. Where a turn neither ends the game nor resolves a region, the contested region alone says it."""

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
        """Find out what a way brings, with each of its ends."""
        if not isinstance(way.move, Play) or way.then is None or self._last(way.move):
            for key in way.then.keys if way.then else ("",):
                moves = [way.move, self.choices.ends[key].move] if key else [way.move]
                self.brings[way, key] = self._outlook(moves)
            return
        self._settle(way)

    def _last(self, play: Play) -> bool:
        """Whether nobody may have a card left that can be played."""
        seat, plot = self.position.to_act, self.game.plot
        left = [list(hand) for hand in self.position.hands]
        assert seat is not None
        if play.card in left[seat]:
            left[seat].remove(play.card)
        return not any(card != plot for hand in left for card in hand)

    def _settle(self, way: Way) -> None:
        """What a way brings that leaves cards to play: by the followers who then are in the contested region."""
        assert way.then is not None
        region = self.position.but(**changes(self.position, way.move.resolution)).contested
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
        """How many more or fewer followers of each faction there are in a region in a state."""
        balance = [0] * len(self.game.board.factions)
        for faction, whither in state:
            balance[int(faction)] += 1 if whither == CAME else -1
        return tuple(balance)

    def _outlook(self, moves: Sequence[Move]) -> Outlook:
        found = consequence(self.game, self.position, moves, self.names)
        ahead = [self.game.board.factions[faction].letter for faction in found.factions]
        shape = f"piece-{ahead[0]}" if len(ahead) == 1 else ""
        return Outlook(found.text, found.detail, found.factions, shape)
