"""The page: the headline, the hands above and below the table, and the piles with the votes, as parts in order.

The viewer sits below the table; for a spectator, the first player sits above it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.claim.render.picture import cards, piles, players, table
from tkid.games.claim.render.picture.scene import EDGE, INNER, STYLE, WIDTH, Scene
from tkid.games.claim.render.text.description import description
from tkid.games.claim.render.text.position import due, who_won
from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import HAND
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import PHASES
from tkid.games.claim.rules.views import View
from tkid.render.lines import printable
from tkid.render.picture import LastTurn, Layout, Part, Picture, cut, element, text, wide

TABLE, OWN = 136, 68
"""The heights of the table without the news, and of the viewer's own hand below it."""


def picture(
    game: Claim, view: View, names: Sequence[str], last: LastTurn | None = None, *, layout: Layout = "page"
) -> Picture:
    """All that a seat may know of a position, drawn, or the table `alone`; `last` is the turn that led to it."""
    names, seat = [printable(name) for name in names], view.seat
    scene = Scene(game, view.shown, seat, names, last, tuple(scoring.votes(view.shown.scores)))
    title, words = _title(scene), description(game, view, names)
    if layout == "alone":
        height = TABLE + (0 if seat is None or scene.over else OWN)
        return Picture(WIDTH - EDGE, height, title, words, STYLE, tuple(_table(scene, height)), (EDGE // 2, scene.felt))
    return Picture(WIDTH, scene.height, title, words, STYLE, tuple(_parts(scene)))


def _title(scene: Scene) -> str:
    """A position in a few words."""
    shown = scene.shown
    if shown.to_act is None:
        return f"Game over: {_result(scene)}"
    return f"Trick {shown.trick} of phase {PHASES[shown.phase]}: {scene.names[shown.to_act]} to {due(shown)}"


def _result(scene: Scene) -> str:
    return ("" if scene.shown.winners else "drawn, ") + who_won(scene.shown, scene.names)


def _parts(scene: Scene) -> Iterator[Part]:
    """All parts, in the order of drawing."""
    yield Part("ground", cards.emblems() + table.ground(scene))
    yield Part("headline", _headline(scene))
    yield Part("tricks", _tricks(scene))
    for seat, top in zip(scene.seats, (scene.above, scene.below), strict=True):
        yield Part(f"player-{seat}", players.player(scene, seat, top))
        yield Part(f"hand-{seat}", players.hand(scene, seat, top + 36))
        yield Part(f"followers-{seat}", players.followers(scene, seat, top + 36))
    yield Part("deck", table.deck(scene))
    yield Part("prize", table.prize(scene))
    yield Part("trick", table.trick(scene))
    yield Part("news", table.news(scene))
    yield Part("votes", piles.votes(scene))
    for row, vote in enumerate(scene.votes):
        yield Part(f"score-{vote.faction.letter}", piles.faction(scene, vote, scene.piles + 30 + 25 * row))
    yield Part("discards", piles.discards(scene))


def _table(scene: Scene, height: int) -> Iterator[Part]:
    """The parts of the table, and below it those of the viewer's own hand."""
    yield Part("ground", cards.emblems() + cards.box("c-felt", 0, scene.felt, WIDTH, height, rx=0))
    yield Part("deck", table.deck(scene))
    yield Part("prize", table.prize(scene))
    yield Part("trick", table.trick(scene))
    if scene.seat is not None and not scene.over:
        yield Part("hand", players.hand(scene, scene.seat, scene.felt + TABLE))


def _headline(scene: Scene) -> str:
    """Phase and trick, and whose turn it is or who has won."""
    shown = scene.shown
    if shown.to_act is None:
        first, second = "Game over", _result(scene)
        second = second if shown.winners else second.capitalize()
    else:
        first, decision = f"Phase {PHASES[shown.phase]}, trick {shown.trick} of {HAND}", f" to {due(shown)}"
        second = cut(scene.names[shown.to_act], INNER - wide(decision, 15), 15) + decision
    return text(EDGE, 30, first, class_="c-title") + text(EDGE, 50, cut(second, INNER, 15), class_="c-due")


def _tricks(scene: Scene) -> str:
    """The tricks of both phases as a row of bars: those played, the one in play, those to come."""
    shown, gap, bars = scene.shown, 10, ""
    played = 2 * HAND if scene.over else HAND * (shown.phase - 1) + shown.trick - 1
    step = (INNER - gap) / (2 * HAND)
    for n in range(2 * HAND):
        kind, height = ("c-dark", 7) if n == played else ("c-done" if n < played else "c-left", 4)
        x = EDGE + n * step + gap * (n >= HAND)
        bars += element("rect", class_=kind, x=x, y=64 - height / 2, width=step - 3, height=height, rx=2)
    return bars
