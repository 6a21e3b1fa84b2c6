"""Describe the end of a game in words, with the reasons for the victory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from attrs import frozen

from tkid.games.struggle.rules.board import Position, name_factions, say_factions
from tkid.games.struggle.rules.endings import NEVER_TOLD, Compared, Side, format_turn_measure, rank_factions
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import NOBODY, Result, Step
from tkid.notation.text import count_noun_in_words, spell_number
from tkid.notation.voice import Voice, inflect_verb, list_and


@frozen
class Verdict:
    """The end of a game for a reader: the deciding comparison (None without one), the one `before` it, and its rule."""

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
        result = game.result(position)
        if result is None:
            return None
        step = find_winning_comparison(result) if result.winners == position.winners else None
        last = step or result.chain[-1]
        ranks = rank_factions(position, game.board.apart)
        found = [each.about for each in result.chain if each.about]
        before = found[found.index(step.about) - 1] if step and step.about is not found[0] else None
        compared = step.about if step else None
        return cls(game, position, voice, result.ending, result.winners, ranks, last.rule, compared, before)

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
        return self.voice.name_all(side)

    def say_has(self, side: Side) -> str:
        """Say that a side has something: `you have`, `Bob has`."""
        return f"{self.name_side(side)} {self.voice.choose_verb(side, 'has', 'have')}"

    @property
    def all_tied(self) -> str:
        return self.voice.name_all({seat for side in self.tied for seat in side})

    def fill_words(self, words: str) -> str:
        """Put the names of factions in place of their ranks from 0, and that of Plot: `{0} followers`, `with {plot}`."""
        return words.format(*(self.game.board.factions[each].name for each in self.ranking), plot=self.game.plot)

    @property
    def than(self) -> str:
        """Than whom, where there is one other side only."""
        return f" than {self.name_side(self.tied[1])}" if len(self.tied) == 2 else ""


EVERY, FIRST_RANK, SECOND_RANK, OTHER_RANKS = slice(None), slice(1), slice(1, 2), slice(1, None)


@frozen
class Reason:
    """A reason to follow `won`, the fullest first, and the figures; `rank` is that of the last faction that mattered, from 0."""

    phrases: Callable[[Verdict], list[str]]
    figures: Callable[[Verdict], str]
    rank: int = 1


def find_victory_reason(verdict: Verdict) -> Reason | None:
    """Return the reason for a victory; None if nobody won, or all sides that were left share the victory."""
    return REASONS[verdict.rule.rpartition(".")[2]] if verdict.compared else None


def describe_figures(verdict: Verdict) -> str:
    """Return the figures of the comparison that decided the game, or the reason why nothing decided it."""
    decisive = find_victory_reason(verdict)
    if decisive:
        return decisive.figures(verdict)
    if not verdict.winners:
        return "no player wins when the invasion comes"
    return f"{verdict.voice.name_all(verdict.winners)} are tied after every comparison"


def _have_most(what: str, verdict: Verdict) -> list[str]:
    """Say that the winners have most of something, or that one of them has."""
    who = " with" if set(verdict.best) == set(verdict.winners) else f" because {verdict.say_has(verdict.best)}"
    most = f"{who} {'more' if verdict.than else 'the most'} {verdict.fill_words(what)}"
    return [f"{most} at court{verdict.than}", f"{most}{verdict.than}", most]


def _have_next_most(what: str, verdict: Verdict) -> list[str]:
    """Say that a side has most of something, after a tie on the first faction."""
    tie = f", after a tie on {name_factions(verdict.game.board, verdict.ranking[:1])}"
    told = _have_most(what, verdict)
    return [*(f"{each}{tie}" for each in told), *told]


def _word_phrase(phrase: str) -> Callable[[Verdict], list[str]]:
    return lambda verdict: [f" {verdict.fill_words(phrase)}"]


def _compare_counts(what: str, verdict: Verdict, behind: str = "", ranks: slice = EVERY) -> str:
    """Compare counts of the factions in `ranks`: `you have five Welsh followers at court, Bob has two and Cal none`."""
    assert verdict.compared is not None
    best, *rest = [(side, int(verdict.compared.values[side] or 0)) for side in verdict.tied]
    side, count = best
    told = f"{verdict.say_has(side)} {count_noun_in_words(count, verdict.fill_words(what))}{behind} at court"
    others = [
        f"{verdict.name_side(side) if index else verdict.say_has(side)} {spell_number(count) if count else 'none'}"
        for index, (side, count) in enumerate(rest)
    ]
    return f"{told}, {list_and(others)}{_note_plot(verdict, ranks)}"


def _compare_after_tie(counts: Callable[[Verdict], str], verdict: Verdict) -> str:
    assert verdict.before is not None
    many = int(verdict.before.values[verdict.best] or 0)
    each = "s each" if many > 1 else " each" if many else "s"
    tie = f"{verdict.all_tied} have {spell_number(many) if many else 'no'} {verdict.fill_words('{0} follower')}{each}"
    return f"{tie}{_note_plot(verdict, FIRST_RANK)}; {counts(verdict)}"


def _note_plot(verdict: Verdict, ranks: slice) -> str:
    counts_for = verdict.game.end.plot_counts_for(verdict.position)
    counted = counts_for is not None and (ranks == EVERY or counts_for in verdict.ranking[ranks])
    return f", with {verdict.game.plot} counted" if counted else ""


def _compare_turns(what: str, verdict: Verdict) -> str:
    """Say in which turn each side did something: `you last played a card in turn 4, Bob never`."""
    assert verdict.compared is not None
    best, *rest = [(side, format_turn_measure(verdict.compared.values[side] or 0)) for side in verdict.tied]
    side, turn = best
    did = f"never {what.removeprefix('last ')}" if turn == NEVER_TOLD else f"{what} {turn}"
    others = list_and(f"{verdict.name_side(side)} {turn}" for side, turn in rest)
    return f"{verdict.name_side(side)} {did}, {others}"


_last_played = partial(_compare_turns, "last played a card")
_compare_others = partial(_compare_counts, "follower", behind=" of the other factions", ranks=OTHER_RANKS)
OLDER = Reason(_word_phrase("with the older last card"), _last_played)
REASONS: Mapping[str, Reason] = {
    "support": Reason(
        partial(_have_most, "{0} followers"), partial(_compare_counts, "{0} follower", ranks=FIRST_RANK), rank=0
    ),
    "second": Reason(
        partial(_have_next_most, "{1} followers"),
        partial(_compare_after_tie, partial(_compare_counts, "{1} follower", ranks=SECOND_RANK)),
    ),
    "second-rank": Reason(
        partial(_have_next_most, "followers of the other factions"), partial(_compare_after_tie, _compare_others)
    ),
    "plot": Reason(
        _word_phrase("with {plot}, which breaks ties"),
        lambda verdict: f"{verdict.say_has(verdict.best)} {verdict.game.plot}, and its owner wins a tie",
    ),
    "coronation": Reason(
        _word_phrase("as a team"), lambda verdict: f"{verdict.all_tied} are level, ahead of everybody else"
    ),
    "emptied": Reason(_word_phrase("by running out of cards first"), partial(_compare_turns, "ran out of cards")),
    "final-tie": OLDER,
    "indecision": OLDER,
    "court": Reason(partial(_have_most, "followers"), partial(_compare_counts, "follower")),
    "latest": Reason(_word_phrase("by playing a card last"), _last_played),
    "sets": Reason(partial(_have_most, "complete sets"), partial(_compare_counts, "complete set")),
}
"""Each reason by the last word of the rule of its comparison."""


def describe_ending(game: Struggle, position: Position, voice: Voice) -> str:
    """Write how a game ended: `Ann is crowned: the English hold four regions`, `the French invade: nobody wins`."""
    board, winners = game.board, position.winners
    if position.ending == game.coronation.name and winners:
        ruler = rank_factions(position, board.apart)[0]
        regions = count_noun_in_words(position.discs.count(ruler), "region")
        return f"{_describe_coronation(game, winners, voice)}: {say_factions(board, [ruler], 'hold')} {regions}"
    if position.ending == game.invasion.name:
        invade = inflect_verb("invade", one=False, past=voice.past)
        return f"{board.terms.invaders} {invade}: {describe_victory(game, position, voice)[0]}"
    if game.usurpation is not None and position.ending == game.usurpation.name:
        region = next(region for region, disc in enumerate(position.discs) if disc in board.apart)
        holds = f"{say_factions(board, [position.discs[region]], 'hold')} {board.name_region(region)}"
        return f"{holds}: {describe_victory(game, position, voice)[0]}"
    return "every region is settled" if position.decision is None else "the rules did not decide it"


def _describe_coronation(game: Struggle, winners: Sequence[int], voice: Voice) -> str:
    """Name the players who are crowned; team-mates win together, and others share the throne."""
    who = voice.name_all(winners)
    if len(winners) == 1:
        return f"{who} {voice.choose_verb(winners, 'is', 'are')} crowned"
    parties = game.parties[len(voice.names)]
    return f"{who} {voice.inflect('win', *winners) if tuple(winners) in parties else 'share the throne'}"


def describe_victory(game: Struggle, position: Position, voice: Voice) -> list[str]:
    """Name the winners and the reason, the fullest wording first: `Ann wins with more Welsh followers than Bob`, `Ann wins`."""
    verdict, winners = Verdict.make_verdict(game, position, voice), position.winners
    if not winners:
        return [f"{NOBODY} {inflect_verb('win', one=True, past=voice.past)}"]
    won = f"{voice.name_all(winners)} {voice.inflect('win', *winners)}"
    reason = find_victory_reason(verdict) if verdict else None
    if verdict is None or reason is None:
        shared = f"{voice.name_all(winners)} {voice.inflect('share', *winners)} the victory"
        return [shared if len(winners) > 1 else won]
    return [*(f"{won}{phrase}" for phrase in reason.phrases(verdict)), won]


def find_winning_comparison(result: Result) -> Step | None:
    """Return the comparison that found the one winning side; None if several share the victory or nobody wins."""
    narrowed = [step for step in result.chain if step.about and len(step.about.left) < len(step.about.values)]
    return narrowed[-1] if narrowed and len(narrowed[-1].about.left) == 1 else None
