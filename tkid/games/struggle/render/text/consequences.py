"""What a finished turn would bring, before it is sent: asked of the engine, and said only as far as it is certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import field, frozen

from tkid.games.struggle.render.text.people import capital
from tkid.games.struggle.render.text.standings import before, outcome, settled, settled_together
from tkid.games.struggle.render.text.victory import players, won
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Move
from tkid.games.struggle.rules.position import HIDDEN, Position, put
from tkid.games.struggle.rules.turns.struggles import ResolvedRegion, leaders
from tkid.games.struggle.rules.turns.struggles import outcome as disc_for
from tkid.notation.numbers import number
from tkid.render.lines import printable

EACH = 2
"""So many power struggles of one turn are told with their scores."""
APART = "; "
"""Between the facts of the smaller print."""


@frozen
class Consequence:
    """What a turn would bring: a line without a full stop, and what belongs to it in smaller print, "" for nothing.

    `factions` are those whose tint the line has: the winner, all who tie, () for nobody.
    """

    text: str
    detail: str = ""
    factions: tuple[int, ...] = ()


def consequence(game: Struggle, position: Position, moves: Sequence[Move], names: Sequence[str]) -> Consequence:
    """What the moves of a whole turn by the seat to act would bring.

    Args:
        game: the game.
        position: the position as the seat to act may know it; that seat is addressed as "you".
        moves: the decisions of the turn, legal and in their canonical form.
        names: the players' names, in turn order.
    """
    assert position.to_act is not None
    turns = [_Turn.of(game, world, tuple(moves), names) for world in _worlds(game, position)]
    first, *others = dict.fromkeys(turn.consequence() for turn in turns)
    return _uncertain(turns) if others else first


def _worlds(game: Struggle, position: Position) -> Iterator[Position]:
    """The position, and once for each seat that may hold Plot the position in which it does."""
    yield position
    for seat in position.seats:
        if game.plot and HIDDEN in position.hands[seat]:
            yield game.knowing_plot(position, seat)


def _uncertain(turns: Sequence[_Turn]) -> Consequence:
    """What a turn brings whatever cards are hidden."""
    first, *others = turns
    if all(turn.over for turn in turns):
        same = all(turn.struggles == first.struggles for turn in others)
        return first.end() if same else Consequence("This ends the game")
    turn, doubt = next(turn for turn in turns if not turn.over), "this may end the game"
    return turn.settles(doubt) if turn.struggles else turn.leaves(turn.earlier(), doubt)


@frozen
class _Turn:
    """A turn played in one of the worlds that its player thinks possible."""

    game: Struggle
    start: Position
    moves: tuple[Move, ...]
    names: Sequence[str]
    after: Position
    struggles: tuple[ResolvedRegion, ...]
    you: int = field(init=False)

    @you.default
    def _(self) -> int:
        return self.start.to_act or 0

    @classmethod
    def of(cls, game: Struggle, start: Position, moves: tuple[Move, ...], names: Sequence[str]) -> _Turn:
        """Play the moves."""
        after, struggles = start, list[ResolvedRegion]()
        for move in moves:
            after, events = game.apply(after, move)
            struggles += [event.about for event in events if isinstance(event.about, ResolvedRegion)]
        return cls(game, start, moves, list(map(printable, names)), after, tuple(struggles))

    def consequence(self) -> Consequence:
        """All that the turn brings, if the world is this one."""
        if self.over:
            return self.end(self._victory())
        if self.struggles:
            return self.settles()
        return self.leaves(*self._facts())

    @property
    def over(self) -> bool:
        """Whether the game is over but for a faction to be named."""
        return self.after.decision in {None, "plot"}

    # -- the end of the game --------------------------------------------------------------------------------

    def end(self, victory: str = "") -> Consequence:
        """The end of the game, and how it comes out if that is known."""
        return Consequence(f"This ends the game{victory}", APART.join(self._settled()), self._tint())

    def _victory(self) -> str:
        """Who wins, and by what; or who decides that by naming a faction."""
        game, after = self.game, self.after
        if after.to_act is not None:
            names = "name" if after.to_act == self.you else "names"
            return f": {players([after.to_act], self.names, self.you)} {names} a faction for {game.plot}"
        return f": {won(game, after, self.names, self.you)}"

    def _settled(self) -> list[str]:
        """What power struggles the turn settles: each with its score, many by who wins them."""
        board = self.game.board
        if len(self.struggles) <= EACH:
            return [settled(board, each.region, each.followers) for each in self.struggles]
        regions: dict[int, list[int]] = {}
        for each in self.struggles:
            regions.setdefault(each.disc, []).append(each.region)
        return [settled_together(board, disc, held) for disc, held in sorted(regions.items(), reverse=True)]

    def _tint(self) -> tuple[int, ...]:
        return leaders(self.struggles[-1].followers) if len(self.struggles) == 1 else ()

    # -- while the game goes on -----------------------------------------------------------------------------

    def settles(self, doubt: str = "") -> Consequence:
        """A pass that settles the contested region; any other turn that settles one ends the game."""
        board, (struggle,) = self.game.board, self.struggles
        assert self.after.contested is not None
        text = f"Pass settles {board.name(struggle.region)}: {outcome(board, struggle.followers)}"
        facts = [f"{board.name(self.after.contested)} is contested next", doubt]
        return Consequence(text, APART.join(filter(None, facts)), self._tint())

    def leaves(self, *facts: str) -> Consequence:
        """A turn after which the contested region is still to be settled, with facts for the smaller print."""
        board, region = self.game.board, self.after.contested
        assert region is not None
        followers = self.after.regions[region]
        text = capital(settled(board, region, followers))
        return Consequence(text, APART.join(filter(None, facts)), leaders(followers))

    def _facts(self) -> Iterator[str]:
        yield self._when() + (", and the game ends" if self._would_end() else "")
        yield self.earlier()
        yield from self._cards()

    def _would_end(self) -> bool:
        """Whether the power struggle in the contested region would be the last one."""
        after, region = self.after, self.after.contested
        assert region is not None
        disc, _ = disc_for(after.regions[region])
        return self.game.end.ending(after.but(discs=put(after.discs, region, disc))) is not None

    def _when(self) -> str:
        """What has to happen before the region is settled."""
        seats = len(self.after.courts)
        if not self.after.passes:
            return "once both players pass" if seats == 2 else f"once all {number(seats)} players pass"
        left = [(self.you + 1 + step) % seats for step in range(seats - self.after.passes)]
        return f"if {players(left, self.names)} {'passes' if len(left) == 1 else 'pass'} too"

    def earlier(self) -> str:
        """How it was before the turn, if that was otherwise."""
        board, start, region = self.game.board, self.start, self.after.contested
        assert region is not None
        if start.contested is not None and start.contested != region:
            return f"until now, {board.name(start.contested)} was contested"
        was, now = before(board, start.regions[region]), before(board, self.after.regions[region])
        return "" if was == now else f"before your turn, {was}"

    def _cards(self) -> Iterator[str]:
        """That somebody can only pass from now on."""
        seats = [seat for seat in self.after.seats if self.game.only_passes(self.after.but(to_act=seat))]
        fresh = [seat for seat in seats if not self.game.only_passes(self.start.but(to_act=seat))]
        if self.you in fresh:
            yield "this is your last card: from now on you can only pass"
        others = [seat for seat in self.after.seats if seat != self.you]
        if self.moves != (PASS,) and self.you not in seats and set(others) <= set(seats):
            yield f"{players(others, self.names)} {'have' if len(others) > 1 else 'has'} no card left to answer with"
