"""A few whole turns that are legal now, one a card, different in kind: to copy, or to change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tkid.games.struggle.mail.phrases import Phrases
from tkid.games.struggle.mail.turn_examples import alone, of, whole
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Play, carried_out
from tkid.games.struggle.rules.position import HIDDEN
from tkid.kernel.game import with_names
from tkid.kernel.ladder import Nothing
from tkid.record.play.replay import Replay

MOST = 3
LOOKED_AT = 12
"""So many ways to play a card are looked at for one that shows much of it."""


def samples(known: Replay) -> list[str]:
    """Up to three turns of the next player: cards of different forms in the order of the hand, the plain ones first."""
    game, position = of(known)
    if position.to_act is None or HIDDEN in position.hands[position.to_act]:
        return []
    if position.decision != "play":
        names = known.record.names
        return [with_names(game.words.move(move), names) for move in list(game.legal(position))[:MOST]]
    shown, vain = dict[str, Play](), dict[str, Play]()
    for card in game.held(position, position.to_act):
        form = game.cards[card].form
        if form not in shown and len(shown) < MOST and (options := game.options(position, card)):
            play = Play(card, _telling(game, options))
            (vain if isinstance(carried_out(play.resolution), Nothing) else shown).setdefault(form, play)
    plays = [*shown.values(), *(play for form, play in vain.items() if form not in shown)]
    return [*(whole(known, play) for play in plays), *alone(known)][:MOST]


def _telling(game: Struggle, options: Sequence[Any]) -> Any:
    """Of some of the ways to play a card, spread over all, the one that touches most regions."""
    phrases, count = Phrases(game.board), len(options)
    middle = [options[(count // 2 + step * count // LOOKED_AT) % count] for step in range(min(LOOKED_AT, count))]
    return max(middle, key=lambda option: len(phrases.places(option)))
