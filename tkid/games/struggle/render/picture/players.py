"""The players: a row for each, with name, court, negotiation disc, hand, and the top of the discard pile.

Whoever is to play has a panel with a bar. One hand is of whole cards: the viewer's own, or else that of the next player;
in two columns all are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from attrs import frozen

from tkid.games.struggle.render.picture import cards, pieces
from tkid.games.struggle.render.picture.layout import ROW, WHOLE_ROW, WIDTH
from tkid.games.struggle.render.picture.scene import Scene
from tkid.games.struggle.render.picture.tallies import gain
from tkid.games.struggle.render.text import phrases
from tkid.games.struggle.rules.board import Board, Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import HIDDEN
from tkid.games.struggle.rules.transfers import COURT
from tkid.notation.numbers import counted
from tkid.render.picture import REMEMBERED, Part, cut, element, text, wide

NAME_LEFT, COURT_LEFT, DISC_LEFT, HAND_LEFT, PILE_LEFT, RIGHT = 16, 112, 234, 252, 441, 466
NAME_ROOM = COURT_LEFT - NAME_LEFT - 4
BASE, SECOND, THIRD = 22, 36, 48
"""The base lines of a row: of names and numbers, of what is below a name, and of labels."""
CARDS_TOP, WHOLE_TOP = 5, 56
WHOLE_PITCH, SMALL_PITCH, DISC_PITCH = 63, 25.5, 17
USED_ROOM = 142
"""The room for what is said of a discard pile."""
COURT_NAME = "court"
COLUMN = 38
"""From one faction to the next in a court."""

Hand = tuple[tuple[str, int], ...]
"""Different cards with their numbers."""


def players(scene: Scene, corner: tuple[int, int], *, whole: bool) -> Iterator[Part]:
    """The parts of all players, from a corner down; all with `whole` cards, or only one of them."""
    (left, top), seats = corner, scene.shown.seats
    focus = _in_focus(scene)
    for seat in seats:
        large = whole or seat == focus
        high = WHOLE_ROW if large else ROW if focus is not None else ROW + (WHOLE_ROW - ROW) // len(seats)
        yield from _row(scene, seat, (left, top), high, whole=large)
        top += high


def height(seats: int, *, whole: bool) -> int:
    """The height of all rows."""
    return WHOLE_ROW * seats if whole else ROW * (seats - 1) + WHOLE_ROW


def _in_focus(scene: Scene) -> int | None:
    """The seat whose cards are whole: the viewer's, or else that of the next player; None if there are no such cards."""
    seat = scene.shown.to_act if scene.seat is None else scene.seat
    return seat if seat is not None and scene.shown.hands[seat] else None


def _row(scene: Scene, seat: int, at: tuple[int, int], high: int, *, whole: bool) -> Iterator[Part]:
    """The parts of a player in a row so high."""
    shown, board, game = scene.shown, scene.board, scene.game
    gained = scene.change(COURT) if scene.last and scene.last.seat == seat else (0,) * len(board.factions)
    hand, pile = tuple(Counter(shown.hands[seat]).items()), shown.discards[seat]
    own = seat == scene.seat
    yield Part(f"panel-{seat}", _panel(_about(scene, seat), high), at)
    discs = shown.negotiation_discs[seat], game.setup.negotiation_discs
    yield Part(
        f"court-{seat}", _court(board, seat, shown.courts[seat], gained, discs, label=_beside_court(scene, seat)), at
    )
    yield Part(f"hand-{seat}", _hand(game, hand, whole=whole, own=own), at)
    yield Part(f"pile-{seat}", _pile(game, seat, pile[-1] if pile else "", len(pile)), at)


@frozen
class About:
    """What is said of a player: the name, the seat or the team, whether the player is to act or has won, and a note.

    `apart` from the row above by a line.
    """

    name: str
    place: str
    to_act: bool
    won: bool
    note: str
    apart: bool


def _about(scene: Scene, seat: int) -> About:
    shown = scene.shown
    (place,) = phrases.team(scene.game, shown, seat) or (f"seat {seat + 1}",)
    after = None if shown.starter is None else (shown.starter + 1) % len(shown.courts)
    note = "starts next" if seat == after and shown.to_act is not None else ""
    marked = {shown.to_act, *shown.winners}
    apart = seat > 0 and not marked & {seat, seat - 1}
    return About(scene.names[seat], place, seat == shown.to_act, seat in shown.winners, note, apart)


@lru_cache(1024)
def _panel(about: About, height: int) -> str:
    """The ground of a row, and who it is."""
    svg = ""
    if about.to_act or about.won:
        svg += element("rect", x=4, y=1, width=WIDTH - 8, height=height - 2, rx=6, class_="panel")
    elif about.apart:
        svg += element("path", d=f"M{NAME_LEFT} 0H{RIGHT - 2}", class_="rule")
    if about.to_act:
        svg += element("path", d=f"M4 7a6 6 0 0 1 4-5.6V{height - 1.4:g}a6 6 0 0 1-4-5.6Z", class_="ink")
    name = cut(about.name, NAME_ROOM - 20 * about.won, 14, bold=True)
    svg += text(NAME_LEFT, BASE, name, class_="ink b", font_size=14)
    if about.won:
        x = NAME_LEFT + wide(name, 14, bold=True) + 5
        svg += element("path", d=f"M{x:.1f} {BASE}v-10l4 4 4-6 4 6 4-4v10Z", class_="crown")
    doing = "to play" if about.to_act else "wins" if about.won else ""
    words = " \u00b7 ".join(filter(None, [about.place, doing]))
    svg += text(NAME_LEFT, SECOND, words, class_="ink b" if about.won else "ink" if about.to_act else "dim")
    return svg + (text(NAME_LEFT, THIRD, about.note, class_="dim s") if about.note else "")


def _beside_court(scene: Scene, seat: int) -> str:
    """What a court is called; with the follower as which a revealed Plot counts, where there is room for that."""
    game, shown = scene.game, scene.shown
    faction = game.end.plot_counts_for(shown) if game.plot in shown.hands[seat] else None
    if faction is None:
        return COURT_NAME
    counted = f"{COURT_NAME} \u00b7 {game.plot} is 1 {scene.board.factions[faction].name}"
    return counted if wide(counted, 10.5) < HAND_LEFT - COURT_LEFT else f"{COURT_NAME} \u00b7 with {game.plot}"


@lru_cache(REMEMBERED)
def _court(board: Board, seat: int, court: Followers, gained: Followers, discs: tuple[int, int], *, label: str) -> str:
    """A court in fixed columns with its label, what the last turn added, and the negotiation discs, used ones dashed."""
    first = board.courtly[0]
    svg = text(COURT_LEFT, THIRD if gained[first] or label != COURT_NAME else SECOND, label, class_="dim s")
    few = len(board.courtly) <= 3
    pitch, beside, size = (COLUMN, 13, " n") if few else ((DISC_LEFT - COURT_LEFT - 9) / len(board.courtly), 10, "")
    for column, faction in enumerate(board.courtly):
        x, n = COURT_LEFT + 9 + pitch * column, court[faction]
        svg += pieces.follower(board, faction, x, BASE - 5, key=f"court/{seat}/{board.factions[faction].letter}")
        narrower = 1.5 if n > 9 else 0  # two figures end before the next faction's piece, whichever has the widest
        svg += text(x + beside - narrower, BASE, str(n), class_=f"{'ink' if n else 'dim'} b{size}")
        svg += gain(x + beside - 2, SECOND, gained[faction])
    left, of = discs
    for disc in range(of):
        at = DISC_LEFT - DISC_PITCH * (of - 1 - disc), BASE - 5
        svg += pieces.token(board, *at, 7) if disc < left else pieces.slot(*at, 7)
    return svg


@lru_cache(1024)
def _hand(game: Struggle, hand: Hand, *, whole: bool, own: bool) -> str:
    """A hand of whole cards, or of small ones; hidden ones as a back with their number."""
    number = sum(count for _, count in hand)
    left = f"{counted(number, 'card', 'no')} left"
    if not whole or not hand:
        label = text(HAND_LEFT, BASE if whole or not hand else THIRD, left, class_="dim s")
        pitch = _pitch(len(hand), SMALL_PITCH, cards.SMALL.width, PILE_LEFT - 11 - HAND_LEFT)
        small = [
            cards.small(cards.face(game, card), HAND_LEFT + pitch * n, CARDS_TOP, count)
            for n, (card, count) in enumerate(hand)
        ]
        return "".join(small) + label
    pitch = _pitch(len(hand), WHOLE_PITCH, cards.WHOLE.width, WIDTH - 2 * NAME_LEFT)
    svg = text(HAND_LEFT, BASE, left, class_="dim s")
    for n, (card, count) in enumerate(hand):
        key = f"card/{card}" if own and card != HIDDEN else None
        svg += cards.whole(cards.face(game, card), NAME_LEFT + pitch * n, WHOLE_TOP, count, key)
    return svg


def _pitch(number: int, usual: float, width: float, room: float) -> float:
    """From one card to the next, closer if there are too many for the room."""
    return min(usual, (room - width) / max(1, number - 1))


@lru_cache(1024)
def _pile(game: Struggle, seat: int, top: str, number: int) -> str:
    """The discard pile: the card on top with its name, and how many are used."""
    used = f"{number} used"
    name = cut(f"{top} \u00b7 ", USED_ROOM - wide(used, 10.5), 10.5) if top not in {"", HIDDEN} else ""
    words = text(RIGHT, THIRD, f"{name}{used}", class_="dim s", text_anchor="end")
    if not number:
        return words + cards.slot(PILE_LEFT, CARDS_TOP)
    below = cards.heap(PILE_LEFT, CARDS_TOP) if number > 1 else ""
    return words + below + cards.small(cards.face(game, top), PILE_LEFT, CARDS_TOP, key=f"pile/{seat}")
