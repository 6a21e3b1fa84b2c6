"""A position in sentences, the chapters of a replay, and the consequences of a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import frozen

from tkid.games.struggle import voice
from tkid.games.struggle.rules.board import (
    HIDDEN,
    OPEN,
    UNSTABLE,
    Followers,
    Position,
    View,
    count_people,
    describe_struggle,
    find_leaders,
    replace_item,
)
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Move
from tkid.games.struggle.rules.struggles import ResolvedRegion, list_struggles
from tkid.games.struggle.rules.struggles import find_struggle_outcome as disc_for
from tkid.games.struggle.verdict import describe_ending, describe_victory
from tkid.games.struggle.voice import describe_earlier_lead, describe_struggles, predict_contested
from tkid.kernel.values import derive
from tkid.notation.names import list_names
from tkid.notation.text import capitalize_text, count_noun, spell_number
from tkid.notation.voice import Voice
from tkid.render.lines import make_printable
from tkid.render.plugin import Chapter, Count, Tally

FACT_SEPARATOR = "; "


@frozen
class Consequence:
    """A turn's result in a line and small print ("" for none); `factions` tint it: the winner, all who tie, () for nobody."""

    text: str
    detail: str = ""
    factions: tuple[int, ...] = ()


def compute_consequence(game: Struggle, position: Position, moves: Sequence[Move], names: Sequence[str]) -> Consequence:
    """Predict the result of a whole legal, canonical turn for its player, "you", in a position as that player knows it."""
    turns = [_Turn.play(game, world, tuple(moves), names) for world in _list_worlds(game, position)]
    first, *others = dict.fromkeys(turn.find_consequence() for turn in turns)
    return _combine_worlds(turns) if others else first


def _list_worlds(game: Struggle, position: Position) -> Iterator[Position]:
    """Yield the position, and for each seat that may hold Plot the position in which it does."""
    yield position
    for seat in position.seats:
        if game.plot and HIDDEN in position.hands[seat]:
            yield game.reveal_plot(position, seat)


def _combine_worlds(turns: Sequence[_Turn]) -> Consequence:
    """Return the consequence of a turn that holds for all possible hidden cards."""
    first, *others = turns
    if all(turn.is_over for turn in turns):
        same = all(turn.struggles == first.struggles for turn in others)
        return first.describe_end() if same else Consequence("This ends the game")
    turn, doubt = next(turn for turn in turns if not turn.is_over), "this may end the game"
    if turn.struggles:
        return turn.describe_settling_pass(doubt)
    return turn.describe_open_struggle(turn.describe_earlier(), doubt)


@frozen
class _Turn:
    """A turn played in one of the worlds that its player thinks possible."""

    game: Struggle
    start: Position
    moves: tuple[Move, ...]
    voice: Voice
    after: Position
    struggles: tuple[ResolvedRegion, ...]
    you: int = derive(lambda self: self.start.actor)

    @classmethod
    def play(cls, game: Struggle, start: Position, moves: tuple[Move, ...], names: Sequence[str]) -> _Turn:
        after, struggles = start, list[ResolvedRegion]()
        for move in moves:
            after, events = game.apply(after, move)
            struggles += list_struggles(events)
        speaker = Voice(list(map(make_printable, names)), start.to_act)
        return cls(game, start, moves, speaker, after, tuple(struggles))

    def find_consequence(self) -> Consequence:
        if self.is_over:
            return self.describe_end(self._describe_victory())
        if self.struggles:
            return self.describe_settling_pass()
        return self.describe_open_struggle(*self._list_facts())

    @property
    def is_over(self) -> bool:
        """True if the game is over, except that a faction may have to be named."""
        return self.after.decision in {None, "plot"}

    def describe_end(self, victory: str = "") -> Consequence:
        outcomes = FACT_SEPARATOR.join(describe_struggles(self.game.board, self.struggles))
        return Consequence(f"This ends the game{victory}", outcomes, self._find_tint())

    def _describe_victory(self) -> str:
        game, after = self.game, self.after
        if after.to_act is not None:
            names = self.voice.inflect("name", after.to_act)
            return f": {self.voice.name_player(after.to_act)} {names} a faction for {game.plot}"
        return f": {describe_victory(game, after, self.voice)[0]}"

    def _find_tint(self) -> tuple[int, ...]:
        return find_leaders(self.struggles[-1].followers) if len(self.struggles) == 1 else ()

    def describe_settling_pass(self, doubt: str = "") -> Consequence:
        """Describe a pass that settles the contested region; any other turn that settles one ends the game."""
        board, (struggle,) = self.game.board, self.struggles
        assert self.after.contested is not None
        text = f"Pass, and {describe_struggle(board, struggle.region, struggle.followers)}"
        facts = [f"{board.name_region(self.after.contested)} is contested next", doubt]
        return Consequence(text, FACT_SEPARATOR.join(filter(None, facts)), self._find_tint())

    def describe_open_struggle(self, *facts: str) -> Consequence:
        """Describe a turn that leaves the contested region open, with facts for the smaller print."""
        board, region = self.game.board, self.after.contested
        assert region is not None
        followers = self.after.regions[region]
        text = capitalize_text(describe_struggle(board, region, followers))
        return Consequence(text, FACT_SEPARATOR.join(filter(None, facts)), find_leaders(followers))

    def _list_facts(self) -> Iterator[str]:
        yield self._describe_condition() + (", and the game ends" if self._is_last_struggle() else "")
        yield self.describe_earlier()
        yield from self._list_card_facts()

    def _is_last_struggle(self) -> bool:
        after, region = self.after, self.after.contested
        assert region is not None
        disc, _ = disc_for(after.regions[region])
        return self.game.end.find_ending(after.replace(discs=replace_item(after.discs, region, disc))) is not None

    def _describe_condition(self) -> str:
        seats = len(self.after.courts)
        if not self.after.passes:
            return "once both players pass" if seats == 2 else f"once all {spell_number(seats)} players pass"
        left = [(self.you + 1 + step) % seats for step in range(seats - self.after.passes)]
        return f"if {self.voice.name_all(left)} {self.voice.inflect('pass', *left)} too"

    def describe_earlier(self) -> str:
        """Describe the state before the turn; "" if it was the same."""
        board, start, region = self.game.board, self.start, self.after.contested
        assert region is not None
        if start.contested is not None and start.contested != region:
            return f"until now, {board.name_region(start.contested)} was contested"
        was, now = (describe_earlier_lead(board, each.regions[region]) for each in (start, self.after))
        return "" if was == now else f"before your turn, {was}"

    def _list_card_facts(self) -> Iterator[str]:
        seats = [seat for seat in self.after.seats if self.game.only_passes(self.after.replace(to_act=seat))]
        fresh = [seat for seat in seats if not self.game.only_passes(self.start.replace(to_act=seat))]
        if self.you in fresh:
            yield "this is your last card: from now on you can only pass"
        others = [seat for seat in self.after.seats if seat != self.you]
        if self.moves != (PASS,) and self.you not in seats and set(others) <= set(seats):
            yield f"{self.voice.name_all(others)} {'have' if len(others) > 1 else 'has'} no card left to answer with"


def describe_position(game: Struggle, view: View, names: Sequence[str]) -> str:
    names = [make_printable(name) for name in names]
    shown = view.shown
    sentences = [
        *_describe_due(game, shown, names),
        *_describe_regions(game, shown),
        f"{game.board.terms.stock}: {_format_followers(game, shown.supply)}",
        *_describe_discs(game, shown, names),
        *(_describe_player(game, view, names[seat], seat) for seat in shown.seats),
    ]
    return " ".join(f"{sentence}." for sentence in sentences)


def describe_map(game: Struggle, view: View, names: Sequence[str]) -> str:
    names = [make_printable(name) for name in names]
    sentences = [*_describe_due(game, view.shown, names), *_describe_regions(game, view.shown)]
    return " ".join(f"{sentence}." for sentence in sentences)


def _describe_due(game: Struggle, shown: Position, names: Sequence[str]) -> Iterator[str]:
    if shown.to_act is None:
        if shown.ending is not None or shown.decision is not None:
            yield f"The game is over after turn {shown.turn}"
        yield capitalize_text(describe_ending(game, shown, Voice(names)))
        return
    yield f"Turn {shown.turn + 1}: it is {names[shown.to_act]}'s turn to {voice.describe_due(game, shown)}"
    if shown.contested is not None:
        pieces = [f"{game.board.name_region(shown.contested)} is contested"]
        pieces += [f"with {shown.passes} of {len(shown.courts)} passes in a row"] if shown.passes else []
        yield ", ".join([*pieces, *voice.describe_next_starter(shown, names)])
    if ban := voice.describe_ban(game, shown, names):
        yield ban
    if text := predict_contested(game, shown, scored=False):
        yield text.removesuffix(".")


def _describe_regions(game: Struggle, shown: Position) -> Iterator[str]:
    board = game.board
    waiting = [region for region in shown.track if shown.discs[region] == OPEN]
    if len(waiting) > 1:
        yield "The open regions, in the order of their struggles"
    for region in waiting:
        yield f"{board.name_region(region)}: {_format_leaders(game, shown.regions[region])}"
    resolved = dict[int, list[str]]()
    for region, disc in enumerate(shown.discs):
        resolved.setdefault(disc, []).append(board.name_region(region))
    resolved.pop(OPEN, None)
    for disc, names in sorted(resolved.items(), reverse=True):
        lost = f"{board.terms.lost.capitalize()}, {len(names)} of {game.invaders}"
        yield f"{lost if disc == UNSTABLE else f'{board.factions[disc].people} control'}: {list_names(names, 'and')}"


def _format_leaders(game: Struggle, followers: Followers) -> str:
    """Write the leaders first: `3 Scots lead 2 Welsh, 1 English`, `2 Scots and 2 Welsh tie, 1 English`."""
    ahead = find_leaders(followers)
    first = [count_people(game.board, faction, followers[faction]) for faction in ahead]
    others = tuple([0 if faction in ahead else n for faction, n in enumerate(followers)])
    rest = _format_followers(game, others, none="")
    if not ahead:
        return "nobody"
    if len(ahead) > 1:
        return ", ".join(filter(None, [f"{list_names(first, 'and')} tie", rest]))
    lead = "leads" if followers[ahead[0]] == 1 or ahead[0] in game.board.apart else "lead"
    return f"{first[0]} {lead} {rest}" if rest else first[0]


def _describe_discs(game: Struggle, shown: Position, names: Sequence[str]) -> Iterator[str]:
    disc = game.board.terms.negotiation
    if shown.negotiated:
        cards = [game.board.name_region(region) for region in shown.track if region in shown.negotiated]
        yield f"{disc.capitalize()} on {list_names(cards, 'and')}"
    left = [f"{names[seat]}{f' {n}' * (n > 1)}" for seat, n in enumerate(shown.negotiation_discs) if n]
    yield f"{disc.capitalize()} left: {list_names(left or ['nobody'], 'and')}"


def _describe_player(game: Struggle, view: View, name: str, seat: int) -> str:
    shown, pile = view.shown, view.shown.discards[seat]
    top = f", {pile[-1]} on top" if pile and pile[-1] != HIDDEN else ""
    pieces = [
        *voice.describe_team(game, shown, seat),
        f"court {_format_followers(game, shown.courts[seat])}",
        _describe_hand(shown.hands[seat], own=seat == view.seat),
        *([f"{len(pile)} discarded{top}"] if pile else []),
    ]
    return f"{name}: {'; '.join(pieces)}"


def _describe_hand(hand: Sequence[str], *, own: bool) -> str:
    if not own or not hand:
        return f"{count_noun(len(hand), 'card', 'no')} in hand"
    cards = [
        f"{n} {'unknown' if card == HIDDEN else card}" if n > 1 or card == HIDDEN else card
        for card, n in Counter(hand).items()
    ]
    return f"in hand {list_names(cards, 'and')}"


def _format_followers(game: Struggle, followers: Followers, none: str = "nobody") -> str:
    return ", ".join(count_people(game.board, faction, n) for faction, n in enumerate(followers) if n) or none


KIND, LOST = "struggle", "\u2715"


def list_chapters(game: Struggle, positions: Sequence[Position]) -> tuple[Chapter, ...]:
    """Return the power struggles in the order resolved, the current one, and those to come."""
    return tuple(_iter_chapters(game, positions))


def _iter_chapters(game: Struggle, positions: Sequence[Position]) -> Iterator[Chapter]:
    board, end = game.board, len(positions) - 1
    first, resolved = 1, positions[end].struggles
    for number, region in enumerate(resolved):
        last = next(index for index, position in enumerate(positions) if len(position.struggles) > number)
        disc, names = positions[last].discs[region], _list_contested_names(game, positions, first - 1, last)
        place = None if disc == UNSTABLE else disc
        sign = LOST if place is None else board.factions[place].letter
        yield Chapter(
            KIND, names or ((last, board.name_region(region)),), first, last, board.write_outcome(disc), sign, place
        )
        first = last + 1
    running = _list_contested_names(game, positions, first - 1, end + 1) if positions[end].to_act is not None else ()
    if running:
        yield Chapter(KIND, running, first, end)
    yield from [Chapter(KIND, (), end + 1, end)] * (len(positions[end].track) - len(resolved) - bool(running))


def _list_contested_names(
    game: Struggle, positions: Sequence[Position], first: int, end: int
) -> tuple[tuple[int, str], ...]:
    """Return the contested regions in a range of moments, each with the moment when it became contested."""
    regions = [(moment, positions[moment].contested) for moment in range(first, end)]
    return tuple(
        (moment, game.board.name_region(region))
        for index, (moment, region) in enumerate(regions)
        if region is not None and (not index or regions[index - 1][1] != region)
    )


def is_quiet(_: Struggle, before: Position, after: Position) -> bool:
    return (before.last_acted, before.courts) == (after.last_acted, after.courts)


def list_tallies(game: Struggle, view: View, names: Sequence[str]) -> tuple[Tally, ...]:
    board, shown = game.board, view.shown
    control: Followers = tuple(shown.discs.count(place) for place in range(len(board.factions)))
    courts = zip(names, shown.courts, strict=True)
    lost = Count(shown.unstable, LOST, board.terms.lost)
    return (
        *(Tally(name, tuple(_count(game, court, place) for place in board.courtly)) for name, court in courts),
        Tally("Regions", (*(_count(game, control, place) for place in range(len(board.factions))), lost)),
    )


def _count(game: Struggle, followers: Followers, place: int) -> Count:
    faction = game.board.factions[place]
    return Count(followers[place], faction.letter, faction.name, place)
