"""The end of a game in plain sentences: who won and by what, and how it was decided."""

from __future__ import annotations

from itertools import islice, pairwise

from tkid.games.struggle.mail.phrases import Phrases
from tkid.games.struggle.mail.reasons import in_figures, reason
from tkid.games.struggle.mail.turn_examples import of
from tkid.games.struggle.mail.verdict import Verdict
from tkid.games.struggle.rules.board import UNSTABLE
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.turns.struggles import ResolvedRegion
from tkid.mail.game.early_ends import early_reasons, early_result
from tkid.mail.voice import LINE, ORDINALS, Voice, both, fitting, sentence
from tkid.notation.numbers import counted_in_words, number
from tkid.record.play.replay import Replay


def result(known: Replay, seat: int | None) -> tuple[str, str]:
    """Who won, for a subject, and why in a sentence; "" while the game goes on."""
    game, position = of(known)
    voice = Voice(known.record.names, seat)
    verdict = Verdict.of(game, position, voice) if position.to_act is None else None
    if verdict is None:
        return early_result(known, seat) if position.to_act is not None else ("", "")
    if not verdict.winners:
        return "nobody won", f"Nobody won: {verdict.over}."
    short, won = voice.won(verdict.winners), f"{voice.every(verdict.winners)} won"
    decisive = reason(verdict)
    told = [f"{won}: {clause}" for clause in decisive.clauses(verdict)] if decisive else []
    told = told or [f"{won} together, still tied after every tie-breaker"]
    return short, fitting(LINE, *map(sentence, (*told, won, short)))


# -- how it was decided -------------------------------------------------------------------------------------


def decided(known: Replay, seat: int | None) -> list[str]:
    """What the last turn decided, how the regions stand, and the figures that found the winner."""
    game, position = of(known)
    voice = Voice(known.record.names, seat)
    verdict = Verdict.of(game, position, voice) if position.to_act is None else None
    if verdict is None:
        return early_reasons(known, seat) if position.to_act is not None else []
    return [sentence(each) for each in (*_last(known), *_regions(verdict), in_figures(verdict))]


def _last(known: Replay) -> list[str]:
    """What the last power struggle came to; or that many were resolved at once."""
    game, position = of(known)
    phrases = Phrases(game.board)
    struggles = next((found for found in map(_struggles, reversed(known.moments)) if found), [])
    if not struggles:
        return []
    if len(struggles) > 1:
        return [f"{nobody_left(game)}, so the last {number(len(struggles))} regions were decided"]
    (struggle,) = struggles
    told = phrases.struggle(struggle)
    if struggle.disc == UNSTABLE:
        nth = ORDINALS[position.unstable]
        return [f"{told}, the {nth} of {number(game.invaders)}" if position.unstable > 1 else told]
    if position.contested is None:
        told = told.replace(",", ", the last region,", 1)
    return [told]


def nobody_left(game: Struggle) -> str:
    """Why the power struggles that are left come all at once."""
    if game.summons.alone:
        return "nobody could do anything more"
    return f"nobody had a card left{' to play' if game.plot else ''}"


def _struggles(moment: object) -> list[ResolvedRegion]:
    events = getattr(moment, "events", ())
    return [event.about for event in events if isinstance(event.about, ResolvedRegion)]


def _regions(verdict: Verdict) -> list[str]:
    """How many regions each faction controls, or which are unstable where that ended the game."""
    position, phrases = verdict.position, verdict.phrases
    if verdict.ending == verdict.game.invasion.name:
        lost = [phrases.region(region) for region in position.struggles if position.discs[region] == UNSTABLE]
        term = verdict.game.board.terms.lost
        return [f"{number(len(lost))} regions are {term}: {both(lost)}"]
    regions = {faction: position.discs.count(faction) for faction in verdict.ranking}
    if not regions:
        return []
    first, *rest = verdict.ranking
    control = f"{phrases.faction(first)} control {counted_in_words(regions[first], 'region')}"
    told = both([control, *(f"{phrases.faction(faction)} {number(regions[faction])}" for faction in rest)])
    decisive = reason(verdict)
    equal = [
        f"{phrases.faction(higher)} rank above {phrases.faction(lower)}"
        for higher, lower in islice(pairwise(verdict.ranking), (decisive.rank if decisive else 1) + 1)
        if regions[higher] == regions[lower]
    ]
    return [f"{told}; {both(equal)}, having won the later struggle" if equal else told]
