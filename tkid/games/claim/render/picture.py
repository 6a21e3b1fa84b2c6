"""Claim as a picture: the trick on the table, the hands above and below it, and the piles with the votes.

The viewer sits below; to a spectator the first player sits above. Everything is drawn from the view alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.claim.render import cards, middle, piles, players
from tkid.games.claim.render.description import spoken
from tkid.games.claim.render.scene import EDGE, INNER, STYLE, WIDTH, Scene
from tkid.games.claim.render.text import due, who_won
from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import HAND
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import PHASES
from tkid.games.claim.rules.views import View
from tkid.render.lines import printable
from tkid.render.picture import Last, Part, Picture, cut, element, text, wide


def picture(game: Claim, view: View, names: Sequence[str], last: Last | None = None) -> Picture:
    """All that a seat may know of a position; `last` is the turn that led to it."""
    names = [printable(name) for name in names]
    scene = Scene(game, view.shown, view.seat, names, last, tuple(scoring.votes(view.shown.scores)))
    return Picture(WIDTH, scene.height, _title(scene), spoken(game, view, names), STYLE, tuple(_parts(scene)))


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
    yield Part("ground", cards.emblems() + middle.ground(scene))
    yield Part("headline", _headline(scene))
    yield Part("tricks", _tricks(scene))
    for seat, top in zip(scene.seats, (scene.above, scene.below), strict=True):
        yield Part(f"player-{seat}", players.player(scene, seat, top))
        yield Part(f"hand-{seat}", players.hand(scene, seat, top + 36))
        yield Part(f"followers-{seat}", players.followers(scene, seat, top + 36))
    yield Part("deck", middle.deck(scene))
    yield Part("prize", middle.prize(scene))
    yield Part("trick", middle.trick(scene))
    yield Part("news", middle.news(scene))
    yield Part("votes", piles.votes(scene))
    for row, vote in enumerate(scene.votes):
        yield Part(f"score-{vote.faction.letter}", piles.faction(scene, vote, scene.piles + 30 + 25 * row))
    yield Part("discards", piles.discards(scene))


def _headline(scene: Scene) -> str:
    """Where the game stands, and whose turn it is or who has won."""
    shown = scene.shown
    if shown.to_act is None:
        told = _result(scene)
        first, second = "Game over", told if shown.winners else told.capitalize()
    else:
        first, what = f"Phase {PHASES[shown.phase]}, trick {shown.trick} of {HAND}", f" to {due(shown)}"
        second = cut(scene.names[shown.to_act], INNER - wide(what, 15), 15) + what
    return text(EDGE, 30, first, class_="c-title") + text(EDGE, 50, cut(second, INNER, 15), class_="c-due")


def _tricks(scene: Scene) -> str:
    """The tricks of both phases as a row of marks: those played, the one in play, those to come."""
    shown = scene.shown
    played = 2 * HAND if scene.over else HAND * (shown.phase - 1) + shown.trick - 1
    between = 10
    step = (INNER - between) / (2 * HAND)
    drawn = []
    for n in range(2 * HAND):
        kind, high = ("c-dark", 7) if n == played else ("c-done" if n < played else "c-left", 4)
        x = EDGE + n * step + between * (n >= HAND)
        drawn.append(element("rect", class_=kind, x=x, y=64 - high / 2, width=step - 3, height=high, rx=2))
    return "".join(drawn)
