"""The end of a game in plain sentences, with its reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice, pairwise

from attrs import frozen

from tkid.games.struggle.mail.phrases import Phrases, get_struggle_and_position
from tkid.games.struggle.render.telling import find_winning_comparison
from tkid.games.struggle.rules.board import UNSTABLE, Position
from tkid.games.struggle.rules.endings import NEVER, Compared, Side, rank_factions
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.struggles import ResolvedRegion
from tkid.mail.voice import (
    LINE,
    ORDINALS,
    Voice,
    choose_fitting,
    describe_early_result,
    explain_early_end,
    list_and,
    make_sentence,
)
from tkid.notation.text import count_noun_in_words, spell_number
from tkid.record.play.replay import Replay


@frozen
class Verdict:
    """The outcome of a finished game for a reader: the deciding comparison and its rule (a local id).

    `compared` is None if nothing was compared or everybody left is tied; `before` is the comparison before it.
    """

    game: Struggle
    position: Position
    voice: Voice
    ending: str
    winners: Side
    ranking: Side
    rule: str
    compared: Compared | None
    before: Compared | None

    @classmethod
    def make_verdict(cls, game: Struggle, position: Position, voice: Voice) -> Verdict | None:
        """Return the verdict on a game; None while it continues."""
        result = game.result(position)
        if result is None:
            return None
        step = find_winning_comparison(result)
        last = step or result.chain[-1]
        ranks = rank_factions(position, game.board.apart)
        _, _, rule = last.rule.partition(".")
        found = [each.about for each in result.chain if each.about]
        before = found[found.index(step.about) - 1] if step and step.about is not found[0] else None
        compared = step.about if step else None
        return cls(game, position, voice, result.ending, result.winners, ranks, rule, compared, before)

    @property
    def phrases(self) -> Phrases:
        """The words for the board, for what is so now."""
        return Phrases(self.game.board, past=False)

    # -- who is compared ----------------------------------------------------------------------------------

    @property
    def best(self) -> Side:
        """The side that the comparison left."""
        assert self.compared is not None
        return self.compared.left[0]

    @property
    def tied(self) -> list[Side]:
        """The sides that were compared, the best one first."""
        assert self.compared is not None
        return [self.best, *(side for side in self.compared.values if side != self.best)]

    def name_side(self, side: Side) -> str:
        """Name a side within a sentence."""
        return self.voice.name_all(side)

    def say_has(self, side: Side) -> str:
        """Say that a side has something: `you have`, `Bob has`."""
        return f"{self.name_side(side)} {self.voice.choose_verb(side, 'has', 'have')}"

    @property
    def all_tied(self) -> str:
        """All that were compared: `you and Bob`."""
        return self.voice.name_all({seat for side in self.tied for seat in side})

    def name_people(self, rank: int) -> str:
        """Name the people of the faction of a rank: `Scots`."""
        return self.game.board.factions[self.ranking[rank]].people

    def name_follower(self, rank: int) -> str:
        """Name a follower of the faction of a rank: `Scottish follower`."""
        return f"{self.game.board.factions[self.ranking[rank]].name} follower"

    # -- in one clause ------------------------------------------------------------------------------------

    def say_more(self, what: str) -> str:
        """Say that the best side has more of something: `you have more Welsh`, `Bob has the most Welsh`."""
        return f"{self.say_has(self.best)} {'more' if len(self.tied) == 2 else 'the most'} {what}"

    @property
    def than(self) -> str:
        """Than whom, where there is one other side only."""
        return f" than {self.name_side(self.tied[1])}" if len(self.tied) == 2 else ""

    @property
    def were_tied(self) -> str:
        """That all that were compared had been tied before."""
        return "the teams tied" if len(self.best) > 1 else f"{self.all_tied} tied"

    @property
    def over(self) -> str:
        """The reason why the game ended, as a clause."""
        if self.ending == self.game.invasion.name:
            return "the invasion has come"
        if self.game.usurpation is not None and self.ending == self.game.usurpation.name:
            return f"{self.phrases.name_faction(self.game.board.apart[0])} has won a region"
        return f"{self.phrases.name_faction(self.ranking[0])} rule"


EVERY, FIRST_RANK, SECOND_RANK, OTHER_RANKS = slice(None), slice(1), slice(1, 2), slice(1, None)
"""Factions by rank."""


@frozen
class Reason:
    """A reason for a victory: clauses, the fullest wording first, and the compared figures.

    `rank` is the rank of the last faction that mattered, from 0.
    """

    clauses: Callable[[Verdict], list[str]]
    figures: Callable[[Verdict], str]
    rank: int = 1


def find_victory_reason(verdict: Verdict) -> Reason | None:
    """Return the reason for a victory; None if nobody won, or all sides that were left share the victory."""
    return REASONS[verdict.rule] if verdict.compared else None


def describe_figures(verdict: Verdict) -> str:
    """Return the figures of the comparison that decided the game, or the reason why nothing decided it."""
    decisive = find_victory_reason(verdict)
    if decisive:
        return decisive.figures(verdict)
    if not verdict.winners:
        return "no player wins when the invasion comes"
    return f"{verdict.voice.name_all(verdict.winners)} are tied after every comparison"


# -- clauses ----------------------------------------------------------------------------------------------


def _say_most(what: Callable[[Verdict], str], verdict: Verdict) -> list[str]:
    more = verdict.say_more(what(verdict))
    told = [f"{more} at court{verdict.than}", f"{more}{verdict.than}", more]
    return [f"{verdict.over}, and {told[0]}", f"{verdict.over}, and {told[1]}", *told]


def _say_next_most(what: Callable[[Verdict], str], verdict: Verdict) -> list[str]:
    """Say that a side has more of something, after a tie on the first faction."""
    more = f"{verdict.say_more(what(verdict))} at court"
    return [f"{verdict.all_tied} tie on {verdict.name_people(0)}, and {more}", more]


def _say_tied(what: Callable[[Verdict], str], verdict: Verdict) -> list[str]:
    """Say that something other than followers broke a tie."""
    return [f"{verdict.were_tied}, and {what(verdict)}", what(verdict)]


def _say_did(what: str, verdict: Verdict) -> str:
    return f"{verdict.name_side(verdict.best)} {what}"


def _say_older(verdict: Verdict) -> str:
    if len(verdict.best) > 1:
        return _say_did("last played a card earlier", verdict)
    return f"{verdict.voice.name_owner(verdict.best[0])} latest card is older"


def _say_plot(verdict: Verdict) -> str:
    return f"{verdict.say_has(verdict.best)} {verdict.game.plot}"


def _say_level(verdict: Verdict) -> str:
    return f"{verdict.all_tied} are level, ahead of everybody else"


# -- figures ----------------------------------------------------------------------------------------------


def _compare_counts(what: Callable[[Verdict], str], verdict: Verdict, behind: str = "", ranks: slice = EVERY) -> str:
    """Compare the counts of something: `you have five Welsh followers at court, Bob has two and Cal none`.

    `ranks` are those of the factions that are counted.
    """
    assert verdict.compared is not None
    best, *rest = [(side, int(verdict.compared.values[side] or 0)) for side in verdict.tied]
    side, count = best
    told = f"{verdict.say_has(side)} {count_noun_in_words(count, what(verdict))}{behind} at court"
    others = [
        f"{verdict.name_side(side) if index else verdict.say_has(side)} {spell_number(count) if count else 'none'}"
        for index, (side, count) in enumerate(rest)
    ]
    return f"{told}, {list_and(others)}{_note_plot(verdict, ranks)}"


def _compare_after_tie(counts: Callable[[Verdict], str], verdict: Verdict) -> str:
    """Compare the counts of something, after a tie on the first faction."""
    assert verdict.before is not None
    many = int(verdict.before.values[verdict.best] or 0)
    each = "s each" if many > 1 else " each" if many else "s"
    tie = f"{verdict.all_tied} have {spell_number(many) if many else 'no'} {verdict.name_follower(0)}{each}"
    return f"{tie}{_note_plot(verdict, FIRST_RANK)}; {counts(verdict)}"


def _note_plot(verdict: Verdict, ranks: slice) -> str:
    """Return a clause if Plot is counted among followers of factions of these ranks."""
    counts_for = verdict.game.end.plot_counts_for(verdict.position)
    counted = counts_for is not None and (ranks == EVERY or counts_for in verdict.ranking[ranks])
    return f", with {verdict.game.plot} counted" if counted else ""


def _compare_turns(what: str, verdict: Verdict) -> str:
    """Say in which turn each side did something: `you last played a card in turn 4, Bob never`."""
    assert verdict.compared is not None
    best, *rest = [(side, _name_turn(verdict.compared.values[side])) for side in verdict.tied]
    side, turn = best
    told = (
        f"{verdict.name_side(side)} {what} {turn}"
        if turn
        else f"{verdict.name_side(side)} never {what.removeprefix('last ')}"
    )
    others = list_and(f"{verdict.name_side(side)} {turn or 'never'}" for side, turn in rest)
    return f"{told}, {others}"


def _name_turn(value: float | None) -> str:
    """Return the words for a measure that is the number of a turn; "" if there was no such turn."""
    return "" if value is None or abs(value) == -NEVER else f"in turn {abs(value):g}"


# -- the reasons ------------------------------------------------------------------------------------------


def _name(rank: int) -> Callable[[Verdict], str]:
    return lambda verdict: verdict.name_people(rank)


def _name_follower(rank: int) -> Callable[[Verdict], str]:
    return lambda verdict: verdict.name_follower(rank)


def _word(word: str) -> Callable[[Verdict], str]:
    return lambda _: word


FIRST = Reason(partial(_say_most, _name(0)), partial(_compare_counts, _name_follower(0), ranks=FIRST_RANK), rank=0)
SECOND = Reason(
    partial(_say_next_most, _name(1)),
    partial(_compare_after_tie, partial(_compare_counts, _name_follower(1), ranks=SECOND_RANK)),
)
OTHERS = Reason(
    partial(_say_next_most, _word("followers of the other factions")),
    partial(
        _compare_after_tie,
        partial(_compare_counts, _word("follower"), behind=" of the other factions", ranks=OTHER_RANKS),
    ),
)
OLDER = Reason(partial(_say_tied, _say_older), partial(_compare_turns, "last played a card"))
LATEST = Reason(
    partial(_say_tied, partial(_say_did, "played the latest card")), partial(_compare_turns, "last played a card")
)

REASONS: Mapping[str, Reason] = {
    "ending.coronation.support": FIRST,
    "ending.control.support": FIRST,
    "mordred.ending.support": FIRST,
    "ending.coronation.second": SECOND,
    "ending.control.second": SECOND,
    "mordred.ending.second": SECOND,
    "ruling.second-rank": OTHERS,
    "ending.plot": Reason(
        partial(_say_tied, _say_plot), lambda verdict: f"{_say_plot(verdict)}, and its owner wins a tie"
    ),
    "team.coronation": Reason(lambda verdict: [_say_level(verdict)], _say_level),
    "ending.coronation.emptied": Reason(
        partial(_say_tied, partial(_say_did, "ran out of cards first")), partial(_compare_turns, "ran out of cards")
    ),
    "ruling.final-tie": OLDER,
    "ending.control.indecision": OLDER,
    "mordred.ending.indecision": OLDER,
    "mordred.ending.court": Reason(partial(_say_most, _word("followers")), partial(_compare_counts, _word("follower"))),
    "mordred.ending.latest": LATEST,
    "ending.invasion.sets": Reason(
        partial(_say_most, _word("complete sets")), partial(_compare_counts, _word("complete set"))
    ),
    "ending.invasion.latest": LATEST,
}
"""Each reason by the rule (a local id) of its comparison."""


def describe_winner(known: Replay, seat: int | None) -> tuple[str, str]:
    """Return the winner, for a subject, and the reason in a sentence; "" while the game continues."""
    game, position = get_struggle_and_position(known)
    voice = Voice(known.record.names, seat)
    verdict = Verdict.make_verdict(game, position, voice) if position.to_act is None else None
    if verdict is None:
        return describe_early_result(known, seat) if position.to_act is not None else ("", "")
    if not verdict.winners:
        return "nobody won", f"Nobody won: {verdict.over}."
    short, won = voice.say_won(verdict.winners), f"{voice.name_all(verdict.winners)} won"
    decisive = find_victory_reason(verdict)
    told = [f"{won}: {clause}" for clause in decisive.clauses(verdict)] if decisive else []
    told = told or [f"{won} together, still tied after every tie-breaker"]
    return short, choose_fitting(LINE, *map(make_sentence, (*told, won, short)))


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
    phrases = Phrases(game.board)
    struggles = next((found for found in map(_list_turn_struggles, reversed(known.moments)) if found), [])
    if not struggles:
        return []
    if len(struggles) > 1:
        return [f"{explain_last_struggles(game)}, so the last {spell_number(len(struggles))} regions were decided"]
    (struggle,) = struggles
    told = phrases.describe_struggle(struggle)
    if struggle.disc == UNSTABLE:
        nth = ORDINALS[position.unstable]
        return [f"{told}, the {nth} of {spell_number(game.invaders)}" if position.unstable > 1 else told]
    if position.contested is None:
        told = told.replace(",", ", the last region,", 1)
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
    position, phrases = verdict.position, verdict.phrases
    if verdict.ending == verdict.game.invasion.name:
        lost = [phrases.name_region(region) for region in position.struggles if position.discs[region] == UNSTABLE]
        term = verdict.game.board.terms.lost
        return [f"{spell_number(len(lost))} regions are {term}: {list_and(lost)}"]
    regions = {faction: position.discs.count(faction) for faction in verdict.ranking}
    if not regions:
        return []
    first, *rest = verdict.ranking
    control = f"{phrases.name_faction(first)} control {count_noun_in_words(regions[first], 'region')}"
    told = list_and(
        [control, *(f"{phrases.name_faction(faction)} {spell_number(regions[faction])}" for faction in rest)]
    )
    decisive = find_victory_reason(verdict)
    equal = [
        f"{phrases.name_faction(higher)} rank above {phrases.name_faction(lower)}"
        for higher, lower in islice(pairwise(verdict.ranking), (decisive.rank if decisive else 1) + 1)
        if regions[higher] == regions[lower]
    ]
    return [f"{told}; {list_and(equal)}, having won the later struggle" if equal else told]
