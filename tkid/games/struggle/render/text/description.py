"""A position in sentences, for readers who do not see the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tkid.games.struggle.render.text import phrases
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import HIDDEN, Position
from tkid.games.struggle.rules.views import View
from tkid.notation.vocabulary import listed
from tkid.render.lines import printable


def description(game: Struggle, view: View, names: Sequence[str]) -> str:
    """All that a seat may know of a position, in sentences; only its own hand is listed card by card."""
    names = [printable(name) for name in names]
    shown = view.shown
    sentences = [
        *_due(game, shown, names),
        *_regions(game, shown),
        *_track(game, shown),
        f"{game.board.terms.stock}: {_counted(game, shown.supply)}",
        *(_player(game, view, names[seat], seat) for seat in shown.seats),
    ]
    return " ".join(f"{sentence}." for sentence in sentences)


def map_description(game: Struggle, view: View, names: Sequence[str]) -> str:
    """What the map of a position shows, in sentences: the next decision, and the regions."""
    names = [printable(name) for name in names]
    sentences = [*_due(game, view.shown, names), *_regions(game, view.shown)]
    return " ".join(f"{sentence}." for sentence in sentences)


def _due(game: Struggle, shown: Position, names: Sequence[str]) -> Iterator[str]:
    """Whose turn it is, what is contested, and how many have passed; or how the game ended."""
    if shown.to_act is None:
        if shown.ending is None:
            yield "The last power struggle is resolved"
        else:
            yield f"The game is over after turn {shown.turn}"
            yield f"{shown.ending.capitalize()}: {phrases.who_won(shown, names)}"
        return
    yield f"Turn {shown.turn + 1}: it is {names[shown.to_act]}'s turn to {phrases.due(game, shown)}"
    if shown.contested is not None:
        pieces = [f"{game.board.name(shown.contested)} is contested"]
        pieces += [f"with {shown.passes} of {len(shown.courts)} passes in a row"] if shown.passes else []
        yield ", ".join([*pieces, *phrases.next_starter(shown, names)])
    if ban := phrases.ban(game, shown, names):
        yield ban


def _regions(game: Struggle, shown: Position) -> Iterator[str]:
    """The followers in each region, the regions without any, and the resolved ones."""
    board = game.board
    empty, resolved = list[str](), dict[int, list[str]]()
    for region, (disc, followers) in enumerate(zip(shown.discs, shown.regions, strict=True)):
        if disc != OPEN:
            resolved.setdefault(disc, []).append(board.name(region))
        elif any(followers):
            yield f"{board.name(region)}: {_counted(game, followers)}"
        else:
            empty.append(board.name(region))
    if empty:
        yield f"Without followers: {listed(empty, 'and')}"
    for disc, names in sorted(resolved.items(), reverse=True):
        lost = f"{board.terms.lost.capitalize()}, {len(names)} of {game.invaders}"
        yield f"{lost if disc == UNSTABLE else f'{board.disc(disc)} control'}: {listed(names, 'and')}"


def _track(game: Struggle, shown: Position) -> Iterator[str]:
    """The regions that are contested later, in order, and the negotiated ones."""
    names = [game.board.name(region) for region in shown.track if shown.discs[region] == OPEN]
    if shown.to_act is not None and len(names) > 1:
        yield f"Then come {', '.join(names[1:])}"
    if shown.negotiated:
        cards = [game.board.name(region) for region in shown.track if region in shown.negotiated]
        yield f"{game.board.terms.negotiation.capitalize()} on {listed(cards, 'and')}"


def _player(game: Struggle, view: View, name: str, seat: int) -> str:
    """A player: court, negotiation disc, cards and discard pile."""
    shown = view.shown
    pieces = [
        *phrases.team(game, shown, seat),
        f"court {_counted(game, shown.courts[seat])}",
        phrases.discs_left(game, shown, seat),
        _hand(shown.hands[seat], own=seat == view.seat),
        *_discards(shown.discards[seat]),
    ]
    return f"{name}: {'; '.join(pieces)}"


def _hand(hand: Sequence[str], *, own: bool) -> str:
    """The viewer's own cards by name, other hands as a number."""
    if not own or not hand:
        return f"{_cards(len(hand))} in hand"
    cards = [
        f"{n} {'unknown' if card == HIDDEN else card}" if n > 1 or card == HIDDEN else card
        for card, n in Counter(hand).items()
    ]
    return f"in hand {listed(cards, 'and')}"


def _cards(count: int) -> str:
    return f"{count or 'no'} card{'s' * (count != 1)}"


def _discards(pile: Sequence[str]) -> Iterator[str]:
    """The size of the discard pile, and its top card."""
    if pile:
        top = "" if pile[-1] == HIDDEN else f", {pile[-1]} on top"
        yield f"{len(pile)} discarded{top}"


def _counted(game: Struggle, followers: Followers) -> str:
    """Followers in words: `2 Scottish, 1 Welsh`."""
    counts = zip(game.board.factions, followers, strict=True)
    return ", ".join(f"{n} {faction.name}" for faction, n in counts if n) or "nobody"
