"""A position in sentences, for readers who do not see the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tkid.games.struggle.render.text import phrases
from tkid.games.struggle.render.text.people import verb
from tkid.games.struggle.render.text.telling import outlook
from tkid.games.struggle.render.text.victory import over
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import HIDDEN, Position
from tkid.games.struggle.rules.turns.struggles import leaders
from tkid.games.struggle.rules.views import View
from tkid.notation.numbers import counted
from tkid.notation.vocabulary import listed
from tkid.render.lines import printable


def description(game: Struggle, view: View, names: Sequence[str]) -> str:
    """All that a seat may know of a position, in sentences; only its own hand is listed card by card."""
    names = [printable(name) for name in names]
    shown = view.shown
    sentences = [
        *_due(game, shown, names),
        *_regions(game, shown),
        f"{game.board.terms.stock}: {_counted(game, shown.supply)}",
        *_discs(game, shown, names),
        *(_player(game, view, names[seat], seat) for seat in shown.seats),
    ]
    return " ".join(f"{sentence}." for sentence in sentences)


def map_description(game: Struggle, view: View, names: Sequence[str]) -> str:
    """What the map of a position shows, in sentences: the next decision, and the regions."""
    names = [printable(name) for name in names]
    sentences = [*_due(game, view.shown, names), *_regions(game, view.shown)]
    return " ".join(f"{sentence}." for sentence in sentences)


def _due(game: Struggle, shown: Position, names: Sequence[str]) -> Iterator[str]:
    """Whose turn it is, what is contested and how it would end, and how many have passed; or how the game ended."""
    if shown.to_act is None:
        if shown.ending is not None or shown.decision is not None:
            yield f"The game is over after turn {shown.turn}"
        yield over(game, shown, names)
        return
    yield f"Turn {shown.turn + 1}: it is {names[shown.to_act]}'s turn to {phrases.due(game, shown)}"
    if shown.contested is not None:
        pieces = [f"{game.board.name(shown.contested)} is contested"]
        pieces += [f"with {shown.passes} of {len(shown.courts)} passes in a row"] if shown.passes else []
        yield ", ".join([*pieces, *phrases.next_starter(shown, names)])
    if ban := phrases.ban(game, shown, names):
        yield ban
    if text := outlook(game, shown, scored=False):
        yield text.removesuffix(".")


def _regions(game: Struggle, shown: Position) -> Iterator[str]:
    """The open regions in the order of their struggles, each with its followers, and the resolved ones."""
    board = game.board
    waiting = [region for region in shown.track if shown.discs[region] == OPEN]
    if len(waiting) > 1:
        yield "The open regions, in the order of their struggles"
    for region in waiting:
        yield f"{board.name(region)}: {_led(game, shown.regions[region])}"
    resolved = dict[int, list[str]]()
    for region, disc in enumerate(shown.discs):
        resolved.setdefault(disc, []).append(board.name(region))
    resolved.pop(OPEN, None)
    for disc, names in sorted(resolved.items(), reverse=True):
        lost = f"{board.terms.lost.capitalize()}, {len(names)} of {game.invaders}"
        yield f"{lost if disc == UNSTABLE else f'{board.disc(disc)} control'}: {listed(names, 'and')}"


def _led(game: Struggle, followers: Followers) -> str:
    """Followers with those who lead first: `3 Scottish lead 2 Welsh, 1 English`, `2 Scottish and 2 Welsh tie, 1 English`."""
    ahead = leaders(followers)
    first = [f"{followers[faction]} {game.board.factions[faction].name}" for faction in ahead]
    rest = _counted(game, tuple([0 if faction in ahead else n for faction, n in enumerate(followers)]), none="")
    if not ahead:
        return "nobody"
    if len(ahead) > 1:
        return ", ".join(filter(None, [f"{listed(first, 'and')} tie", rest]))
    return f"{first[0]} {verb(game.board, ahead, 'leads', 'lead')} {rest}" if rest else first[0]


def _discs(game: Struggle, shown: Position, names: Sequence[str]) -> Iterator[str]:
    """The negotiated regions, and who has negotiation discs left."""
    disc = game.board.terms.negotiation
    if shown.negotiated:
        cards = [game.board.name(region) for region in shown.track if region in shown.negotiated]
        yield f"{disc.capitalize()} on {listed(cards, 'and')}"
    left = [f"{names[seat]}{f' {n}' * (n > 1)}" for seat, n in enumerate(shown.negotiation_discs) if n]
    yield f"{disc.capitalize()} left: {listed(left or ['nobody'], 'and')}"


def _player(game: Struggle, view: View, name: str, seat: int) -> str:
    """A player: court, negotiation disc, cards and discard pile."""
    shown = view.shown
    pieces = [
        *phrases.team(game, shown, seat),
        f"court {_counted(game, shown.courts[seat])}",
        _hand(shown.hands[seat], own=seat == view.seat),
        *_discards(shown.discards[seat]),
    ]
    return f"{name}: {'; '.join(pieces)}"


def _hand(hand: Sequence[str], *, own: bool) -> str:
    """The viewer's own cards by name, other hands as a number."""
    if not own or not hand:
        return f"{counted(len(hand), 'card', 'no')} in hand"
    cards = [
        f"{n} {'unknown' if card == HIDDEN else card}" if n > 1 or card == HIDDEN else card
        for card, n in Counter(hand).items()
    ]
    return f"in hand {listed(cards, 'and')}"


def _discards(pile: Sequence[str]) -> Iterator[str]:
    """The size of the discard pile, and its top card."""
    if pile:
        top = "" if pile[-1] == HIDDEN else f", {pile[-1]} on top"
        yield f"{len(pile)} discarded{top}"


def _counted(game: Struggle, followers: Followers, none: str = "nobody") -> str:
    """Followers in words: `2 Scottish, 1 Welsh`; `none` where there are none."""
    counts = zip(game.board.factions, followers, strict=True)
    return ", ".join(f"{n} {faction.name}" for faction, n in counts if n) or none
