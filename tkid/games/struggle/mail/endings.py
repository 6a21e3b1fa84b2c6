"""The end of a game in plain sentences: who won and by what, and how it was decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice, pairwise

from attrs import frozen

from tkid.games.struggle.mail.phrases import Phrases
from tkid.games.struggle.mail.turn_examples import of
from tkid.games.struggle.rules.board import UNSTABLE
from tkid.games.struggle.rules.endings.comparisons import Compared, Side
from tkid.games.struggle.rules.endings.ending import ranking
from tkid.games.struggle.rules.endings.measures import NEVER
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.turns.struggles import ResolvedRegion
from tkid.mail.game.resignation import decided_by_resignation, won_by_resignation
from tkid.mail.voice import LINE, ORDINALS, Voice, both, fitting, number, sentence
from tkid.record.play.replay import Replay


@frozen
class Verdict:
    """How a finished game was decided, for a reader: the comparison that decided it, and its rule (a local id).

    `compared` is None where nothing was compared, or all that was left everybody tied.
    """

    game: Struggle
    position: Position
    voice: Voice
    ending: str
    winners: Side
    ranking: Side
    rule: str
    compared: Compared | None

    @classmethod
    def of(cls, game: Struggle, position: Position, voice: Voice) -> Verdict | None:
        """The verdict on a game; None while it goes on."""
        result = game.result(position)
        if result is None:
            return None
        deciding = [step for step in result.chain if step.about and len(step.about.left) < len(step.about.values)]
        split = bool(deciding) and len(deciding[-1].about.left) == 1
        last = deciding[-1] if split else result.chain[-1]
        ranks = ranking(position, game.board.apart)
        _, _, rule = last.rule.partition(".")
        return cls(game, position, voice, result.ending, result.winners, ranks, rule, last.about if split else None)

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

    def named(self, side: Side) -> str:
        """A side within a sentence."""
        return self.voice.every(side)

    def has(self, side: Side) -> str:
        """A side that has something: `you have`, `Bob has`."""
        return f"{self.named(side)} {self.voice.verb(side, 'has', 'have')}"

    @property
    def all_tied(self) -> str:
        """All that were compared: `you and Bob`."""
        return self.voice.every({seat for side in self.tied for seat in side})

    def name(self, rank: int) -> str:
        """The name of the faction of a rank."""
        return self.game.board.factions[self.ranking[rank]].name

    # -- in one clause ------------------------------------------------------------------------------------

    def more(self, what: str) -> str:
        """That the best side has more of something: `you have more Welsh`, `Bob has the most Welsh`."""
        return f"{self.has(self.best)} {'more' if len(self.tied) == 2 else 'the most'} {what}"

    @property
    def than(self) -> str:
        """Than whom, where there is one other side only."""
        return f" than {self.named(self.tied[1])}" if len(self.tied) == 2 else ""

    @property
    def were_tied(self) -> str:
        """That all that were compared had been tied before."""
        return "the teams were tied" if len(self.best) > 1 else f"{self.all_tied} were tied"

    @property
    def over(self) -> str:
        """What ended the game."""
        if self.ending == self.game.invasion.name:
            return "the invasion has come"
        if self.game.usurpation is not None and self.ending == self.game.usurpation.name:
            return f"{self.phrases.faction(self.game.board.apart[0])} has won a region"
        return f"{self.phrases.faction(self.ranking[0])} rule"


Clause = Callable[[Verdict], list[str]]
"""The reason for a victory as a clause, the fullest wording first."""


def _first(verdict: Verdict) -> list[str]:
    return _amount(verdict.name(0), verdict)


def _second(verdict: Verdict) -> list[str]:
    more = f"{verdict.more(verdict.name(1))} at court"
    return [f"{verdict.all_tied} tie on {verdict.name(0)}, and {more}", more]


def _others(verdict: Verdict) -> list[str]:
    more = verdict.more("followers of the other factions")
    return [f"{verdict.all_tied} tie on {verdict.name(0)}, and {more}", more]


def _amount(what: str, verdict: Verdict) -> list[str]:
    more = verdict.more(what)
    told = [f"{more} at court{verdict.than}", f"{more}{verdict.than}", more]
    return [f"{verdict.over}, and {told[0]}", f"{verdict.over}, and {told[1]}", *told]


def _tied(what: str, verdict: Verdict) -> list[str]:
    """A tie that something else than followers broke; `what` follows the best side."""
    reason = f"{verdict.named(verdict.best)} {what}"
    return [f"{verdict.were_tied}, and {reason}", reason]


def _older(verdict: Verdict) -> list[str]:
    if len(verdict.best) > 1:
        return _tied("last played a card earlier", verdict)
    older = f"{verdict.voice.whose(verdict.best[0])} latest card is older"
    return [f"{verdict.were_tied}, and {older}", older]


def _plot(verdict: Verdict) -> list[str]:
    holds = f"{verdict.has(verdict.best)} {verdict.game.plot}"
    return [f"{verdict.were_tied}, and {holds}", holds]


def _one_team(verdict: Verdict) -> list[str]:
    return [f"{verdict.all_tied} are level, ahead of everybody else"]


REASONS: Mapping[str, Clause] = {
    "ending.coronation.support": _first,
    "ending.control.support": _first,
    "mordred.ending.support": _first,
    "ending.coronation.second": _second,
    "ending.control.second": _second,
    "mordred.ending.second": _second,
    "ruling.second-rank": _others,
    "ending.plot": _plot,
    "team.coronation": _one_team,
    "ending.coronation.emptied": partial(_tied, "ran out of cards first"),
    "ruling.final-tie": _older,
    "ending.control.indecision": _older,
    "mordred.ending.indecision": _older,
    "mordred.ending.court": partial(_amount, "followers"),
    "mordred.ending.latest": partial(_tied, "played the latest card"),
    "ending.invasion.sets": partial(_amount, "complete sets"),
    "ending.invasion.latest": partial(_tied, "played the latest card"),
}
"""Why somebody won, by the rule (a local id) of the comparison that decided it."""


def result(known: Replay, seat: int | None) -> tuple[str, str]:
    """Who won, for a subject, and why in a sentence; "" while the game goes on."""
    game, position = of(known)
    voice = Voice(known.record.names, seat)
    verdict = Verdict.of(game, position, voice) if position.to_act is None else None
    if verdict is None:
        return won_by_resignation(known, seat) if position.to_act is not None else ("", "")
    if not verdict.winners:
        return "nobody won", f"Nobody won: {verdict.over}."
    won = f"{voice.every(verdict.winners)} won"
    if verdict.compared is None:
        return won, fitting(LINE, sentence(f"{won} together, tied in all that counts"), sentence(won))
    reasons = [sentence(f"{won}: {reason}") for reason in REASONS[verdict.rule](verdict)]
    return won, fitting(LINE, *reasons, sentence(won))


# -- how it was decided -------------------------------------------------------------------------------------

Figures = Callable[[float], str]


def decided(known: Replay, seat: int | None) -> list[str]:
    """What the last turn decided, how the regions stand, and the figures that found the winner."""
    game, position = of(known)
    voice = Voice(known.record.names, seat)
    verdict = Verdict.of(game, position, voice) if position.to_act is None else None
    if verdict is None:
        return decided_by_resignation(known, seat) if position.to_act is not None else []
    return [sentence(each) for each in (*_last(known), *_regions(verdict), *_figures(verdict))]


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
    control = f"{phrases.faction(first)} control {_counted(regions[first])}"
    told = both([control, *(f"{phrases.faction(faction)} {number(regions[faction])}" for faction in rest)])
    equal = [
        f"{phrases.faction(higher)} come before {phrases.faction(lower)}"
        for higher, lower in islice(pairwise(verdict.ranking), _rank_needed(verdict) + 1)
        if regions[higher] == regions[lower]
    ]
    return [f"{told}; {both(equal)}, having won the later struggle" if equal else told]


def _rank_needed(verdict: Verdict) -> int:
    """The rank of the last faction whose followers were compared, from 0."""
    return 0 if REASONS.get(verdict.rule) is _first else 1


def _counted(regions: int) -> str:
    return f"{number(regions)} region{'s' * (regions != 1)}"


def _figures(verdict: Verdict) -> list[str]:
    """The figures of the comparison that decided the game."""
    if verdict.compared is None:
        winners = verdict.winners
        if not winners:
            return ["no player wins when the invasion comes"]
        return [f"{verdict.voice.every(winners)} are tied in all that is compared"] if len(winners) > 1 else []
    shown = FIGURES.get(verdict.rule)
    if shown is None:
        return REASONS[verdict.rule](verdict)[:1]
    told = shown(verdict)
    plotter = any(verdict.game.plot in hand for hand in verdict.position.hands) if verdict.game.plot else False
    counted = verdict.rule in {"ending.coronation.support", "ending.coronation.second", "ending.invasion.sets"}
    return [f"{told}, with {verdict.game.plot} counted" if plotter and counted else told]


def _measured(what: Callable[[Verdict], str], verdict: Verdict, many: str = "") -> str:
    """Who has how many of something: `you have five Welsh followers at court, Bob has two and Cal none`."""
    assert verdict.compared is not None
    values = verdict.compared.values
    best, *rest = verdict.tied
    count = int(values[best] or 0)
    unit = what(verdict) if count == 1 or not many else many
    told = f"{verdict.has(best)} {number(count)} {unit} at court"
    if not rest:
        return told
    (second, *others) = rest
    figures = [f"{verdict.has(second)} {_none(values[second])}"]
    figures += [f"{verdict.named(side)} {_none(values[side])}" for side in others]
    return f"{told}, {both(figures)}"


def _none(value: float | None) -> str:
    return number(int(value)) if value else "none"


def _rank(rank: int) -> Callable[[Verdict], str]:
    def told(verdict: Verdict) -> str:
        assert verdict.compared is not None
        count = int(verdict.compared.values[verdict.best] or 0)
        return f"{verdict.name(rank)} follower{'s' * (count != 1)}"

    return partial(_measured, told)


def _followers(verdict: Verdict) -> str:
    assert verdict.compared is not None
    return f"follower{'s' * (verdict.compared.values[verdict.best] != 1)}"


def _sets(verdict: Verdict) -> str:
    assert verdict.compared is not None
    return f"complete set{'s' * (verdict.compared.values[verdict.best] != 1)}"


def _of_others(verdict: Verdict) -> str:
    return f"{_followers(verdict)} of the other factions"


def _turns(what: str, verdict: Verdict) -> str:
    """In which turn each did something; `what` follows a side."""
    assert verdict.compared is not None
    best, *rest = verdict.tied
    told, *others = [(verdict.named(side), _turn(verdict.compared.values[side])) for side in (best, *rest)]
    first = f"{told[0]} {what} {told[1]}" if told[1] else f"{told[0]} never {what.removeprefix('last ')}"
    return ", ".join([first, both(f"{name} {turn or 'never'}" for name, turn in others)])


def _turn(value: float | None) -> str:
    """A measure that is the number of a turn; "" where there was none."""
    return "" if value is None or abs(value) == -NEVER else f"in turn {abs(value):g}"


FIGURES: Mapping[str, Callable[[Verdict], str]] = {
    "ending.coronation.support": _rank(0),
    "ending.control.support": _rank(0),
    "mordred.ending.support": _rank(0),
    "ending.coronation.second": _rank(1),
    "ending.control.second": _rank(1),
    "mordred.ending.second": _rank(1),
    "ruling.second-rank": partial(_measured, _of_others),
    "ending.coronation.emptied": partial(_turns, "ran out of cards"),
    "ruling.final-tie": partial(_turns, "last played a card"),
    "ending.control.indecision": partial(_turns, "last played a card"),
    "mordred.ending.indecision": partial(_turns, "last played a card"),
    "mordred.ending.court": partial(_measured, _followers),
    "mordred.ending.latest": partial(_turns, "last played a card"),
    "ending.invasion.sets": partial(_measured, _sets),
    "ending.invasion.latest": partial(_turns, "last played a card"),
}
"""The figures behind a reason, by the same rules."""
