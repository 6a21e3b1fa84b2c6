"""The end of a game in plain sentences, with its reasons."""

from __future__ import annotations

from itertools import islice, pairwise

from tkid.games.struggle.mail.phrases import get_struggle_and_position
from tkid.games.struggle.rules.board import UNSTABLE
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.struggles import ResolvedRegion
from tkid.games.struggle.rules.words import describe_struggle, name_factions, say_factions
from tkid.games.struggle.verdict import (
    Verdict,
    describe_ending,
    describe_figures,
    describe_victory,
    find_victory_reason,
)
from tkid.mail.voice import LINE, ORDINALS, describe_early_result, explain_early_end, say_won
from tkid.notation.text import count_noun_in_words, spell_number
from tkid.notation.voice import Voice, choose_fitting, list_and, make_sentence
from tkid.record.play.replay import Replay


def describe_winner(known: Replay, seat: int | None) -> tuple[str, str]:
    """Return the winner, for a subject, and the reason in a sentence; "" while the game continues."""
    game, position = get_struggle_and_position(known)
    voice = Voice(known.record.names, seat, past=True)
    verdict = Verdict.make_verdict(game, position, voice) if position.to_act is None else None
    if verdict is None:
        return describe_early_result(known, seat) if position.to_act is not None else ("", "")
    if not verdict.winners:
        return "nobody won", make_sentence(describe_ending(game, position, voice))
    short = say_won(voice, verdict.winners)
    return short, choose_fitting(LINE, *map(make_sentence, (*describe_victory(game, position, voice), short)))


# -- how it was decided -------------------------------------------------------------------------------------


def explain_decision(known: Replay, seat: int | None) -> list[str]:
    """Explain what the last turn decided, the regions, and the figures that found the winner."""
    game, position = get_struggle_and_position(known)
    voice = Voice(known.record.names, seat)
    verdict = Verdict.make_verdict(game, position, voice) if position.to_act is None else None
    if verdict is None:
        return explain_early_end(known, seat) if position.to_act is not None else []
    return [
        make_sentence(each)
        for each in (*_describe_last_struggles(known), *_describe_regions(verdict), describe_figures(verdict))
    ]


def _describe_last_struggles(known: Replay) -> list[str]:
    game, position = get_struggle_and_position(known)
    struggles = next((found for found in map(_list_turn_struggles, reversed(known.moments)) if found), [])
    if not struggles:
        return []
    if len(struggles) > 1:
        return [f"{explain_last_struggles(game)}, so the last {spell_number(len(struggles))} regions were decided"]
    (struggle,) = struggles
    told = describe_struggle(game.board, struggle.region, struggle.followers, past=True)
    if struggle.disc == UNSTABLE:
        nth = f", the {ORDINALS[position.unstable]} of {spell_number(game.invaders)}, as"
        return [told.replace(", as", nth, 1) if position.unstable > 1 else told]
    if position.contested is None:
        told = told.replace(name := game.board.name(struggle.region), f"{name}, the last region,", 1)
    return [told]


def explain_last_struggles(game: Struggle) -> str:
    """Return the reason why the remaining power struggles come all at once."""
    if game.summons.alone:
        return "nobody could do anything more"
    return f"nobody had a card left{' to play' if game.plot else ''}"


def _list_turn_struggles(moment: object) -> list[ResolvedRegion]:
    events = getattr(moment, "events", ())
    return [event.about for event in events if isinstance(event.about, ResolvedRegion)]


def _describe_regions(verdict: Verdict) -> list[str]:
    """Say how many regions each faction controls, or which unstable regions ended the game."""
    position, board = verdict.position, verdict.game.board
    if verdict.ending == verdict.game.invasion.name:
        lost = [board.name(region) for region in position.struggles if position.discs[region] == UNSTABLE]
        term = board.terms.lost
        return [f"{spell_number(len(lost))} regions are {term}: {list_and(lost)}"]
    regions = {faction: position.discs.count(faction) for faction in verdict.ranking}
    if not regions:
        return []
    first, *rest = verdict.ranking
    control = f"{say_factions(board, [first], 'control')} {count_noun_in_words(regions[first], 'region')}"
    told = list_and(
        [control, *(f"{name_factions(board, [faction])} {spell_number(regions[faction])}" for faction in rest)]
    )
    decisive = find_victory_reason(verdict)
    equal = [
        f"{say_factions(board, [higher], 'rank')} above {name_factions(board, [lower])}"
        for higher, lower in islice(pairwise(verdict.ranking), (decisive.rank if decisive else 1) + 1)
        if regions[higher] == regions[lower]
    ]
    return [f"{told}; {list_and(equal)}, having won the later struggle" if equal else told]
