"""Rank turns by values estimated from slopes, evaluate the best ones exactly, and explain a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import product
from operator import itemgetter
from typing import Any

from attrs import define, field, frozen

from tkid.bots.player import Turn, add_in_order, add_weighted
from tkid.games.struggle.bots.outlook import Outlook, estimate_region, estimate_shares
from tkid.games.struggle.rules.board import (
    OPEN,
    UNSTABLE,
    Board,
    Followers,
    Position,
    add_followers,
    name_factions,
    replace_item,
    say_outcome,
)
from tkid.games.struggle.rules.game import PASS
from tkid.games.struggle.rules.moves import (
    COURT,
    Copy,
    Exchange,
    Move,
    Play,
    Reveal,
    Summon,
    Where,
    compute_balance,
    follow_copy,
)
from tkid.games.struggle.rules.struggles import find_struggle_outcome
from tkid.kernel.ladder import Combinations, Each, Nothing, Options
from tkid.kernel.values import derive
from tkid.notation.names import add_article
from tkid.notation.text import spell_number

BLOCKS_REMEMBERED = 1 << 13

Change = tuple[tuple[Where, Followers], ...]
"""Number of followers by which each place grows, or shrinks if negative."""
Way = tuple[Any, Change]
"""A resolution, and what it changes among followers."""


def list_ways_to_play(options: Sequence[Any]) -> Iterator[tuple[Way, ...]]:
    """Yield all ways to play a card, in groups, each with its changes."""
    for part in options.parts if isinstance(options, Options) else (options,):
        if isinstance(part, Combinations):
            make, blocks = part.blocks
            for fixed, free in blocks:
                yield _list_block(make, fixed, free)
        elif isinstance(part, Each):
            yield from _list_copied_ways(part)
        elif isinstance(part, Options):
            yield from list_ways_to_play(part)
        else:
            yield _add_changes(part)


def _list_copied_ways(part: Each[Any, Any]) -> Iterator[tuple[Way, ...]]:
    make, items = part.made
    for group in list_ways_to_play(items):
        yield tuple([(make(resolution), change) for resolution, change in group])


@lru_cache(BLOCKS_REMEMBERED)
def _list_block(make: Callable[..., Any], fixed: tuple[Any, ...], free: tuple[tuple[Any, ...], ...]) -> tuple[Way, ...]:
    return _add_changes(make(*fixed, *chosen) for chosen in product(*free))


def _add_changes(resolutions: Iterable[Any]) -> tuple[Way, ...]:
    return tuple([(resolution, _find_change(resolution)) for resolution in resolutions])


def _find_change(resolution: Any) -> Change:
    done = follow_copy(resolution) if isinstance(resolution, Copy) else resolution
    return () if isinstance(done, Nothing | Exchange) else compute_balance(done)


STEP = 0.25
"""Number of regions added to measure a slope."""


@define(eq=False)
class Slopes:
    """The worth of a region for each faction, or lost, in `outcomes`, and of a follower of each at `court`, for who acts."""

    outlook: Outlook
    position: Position
    outcomes: list[float] = field(init=False)
    court: list[float] = field(init=False)
    _unsure: dict[int, float] = field(init=False)
    _known: dict[tuple[float, Followers], float] = field(init=False, factory=dict)
    _grown: dict[tuple[int, Followers], float] = field(init=False, factory=dict)
    _taken: dict[tuple[Summon, Followers], float] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        outlook, position = self.outlook, self.position
        prospect = outlook.estimate_prospect(position)
        self._unsure = dict(zip(prospect.order, prospect.unsure, strict=True))
        seat, courtly = position.to_act, outlook.game.board.courtly
        assert seat is not None
        party = outlook.find_party(seat)
        hands, unsure, courts = outlook.value_hands(position), outlook.estimate_doubt(position), position.courts
        first, ahead = outlook.estimate_power(prospect)
        kinds, kept = len(position.supply), (1 - prospect.lost) * (1 - prospect.usurped)
        share, steep = [0.0] * kinds, [0.0] * kinds
        for faction in courtly:
            scores = outlook.score_seats(faction, ahead, courts, hands)
            share[faction] = outlook.sum_by_party(estimate_shares(scores, unsure))[party]
            scores[seat] += 1
            with_one_more = outlook.sum_by_party(estimate_shares(scores, unsure))[party]
            steep[faction] = (with_one_more - share[faction]) * first[faction] * kept
        crowned = add_weighted(first, share)
        self.outcomes = [0.0] * (kinds + 1)
        self.court = list(steep)
        for faction in courtly:
            more, _ = outlook.estimate_power(prospect, faction, STEP)
            self.outcomes[faction] = (add_weighted(more, share) - crowned) / STEP * kept
            for other, chance in outlook.list_runners_up(faction, ahead):
                self.court[other] += steep[faction] * chance * outlook.weights.second
        invaded = outlook.estimate_invaded(position, courts, hands, unsure)[party]
        self.outcomes[kinds] = (invaded - crowned) * prospect.near
        for faction in courtly:
            if prospect.lost:
                larger = add_followers(courts[seat], outlook.game.board.make_single(faction))
                then = outlook.estimate_invaded(position, replace_item(courts, seat, larger), hands, unsure)[party]
                self.court[faction] += (then - invaded) * prospect.lost
        for faction in outlook.game.board.apart:
            usurped = outlook.estimate_usurped(position, hands, unsure)[party]
            self.outcomes[faction] = (usurped - crowned) * (1 - prospect.usurped)

    def value_region(self, region: int, followers: Followers) -> float:
        return self._value_followers(followers, self._unsure[region])

    def _value_followers(self, followers: Followers, unsure: float) -> float:
        known = self._known.get((unsure, followers))
        if known is None:
            chances = estimate_region(followers, unsure, self.outlook.weights.tie)
            known = self._known[unsure, followers] = add_weighted(chances, self.outcomes)
        return known

    def estimate_gain(self, change: Change) -> float:
        grown, whole = self._grown, 0.0
        for at in change:
            gain = grown.get(at)
            if gain is None:
                gain = grown[at] = self._estimate_gain(*at)
            whole += gain
        return whole

    def _estimate_gain(self, place: int, growth: Followers) -> float:
        if place == COURT:
            return add_weighted(growth, self.court)
        if place < 0 or self.position.discs[place] != OPEN:
            return 0.0
        before = self.position.regions[place]
        return self.value_region(place, add_followers(before, growth)) - self.value_region(place, before)

    def estimate_summons(self, position: Position, move: Any) -> float:
        """Estimate the worth of a summons, or of none, in a position whose regions have changed."""
        if not isinstance(move, Summon):
            return 0.0
        before = position.regions[move.region]
        known = self._taken.get((move, before))
        if known is None:
            known = self._taken[move, before] = self._estimate_summons(move, before)
        return known

    def _estimate_summons(self, move: Summon, before: Followers) -> float:
        after = replace_item(before, move.faction, before[move.faction] - 1)
        gain = self.court[move.faction]
        if self.position.discs[move.region] != OPEN:
            return gain
        return gain + self.value_region(move.region, after) - self.value_region(move.region, before)

    def estimate_exchange(self, exchange: Exchange) -> float:
        regions = self.position.regions
        here, there = regions[exchange.first], regions[exchange.second]
        soon, late = self._unsure[exchange.first], self._unsure[exchange.second]
        then = self._value_followers(here, late) + self._value_followers(there, soon)
        return then - self._value_followers(here, soon) - self._value_followers(there, late)


MIN_SHARE_OF_SECOND_REASON = 0.3
"""Smallest worth of a second reason, as a share of the first."""
MIN_CHANCE_OF_INVASION, MIN_CHANCE_OF_STRONGEST = 0.15, 0.5


@frozen
class Clause:
    """A reason, with a verb for the turn first, and what it is worth.

    `about` is the faction that it is about. `court` is the same reason at length, where it is about followers at court and
    the only one; `lead` says who leads among the faction at court, to add behind it unless another clause has said it;
    `rest` is what follows the faction: ` in Essex`.
    """

    worth: float
    text: str
    about: int | None = None
    court: str = ""
    lead: str = ""
    rest: str = ""

    def format_text(self, *, lead: bool) -> str:
        if not lead or not self.lead:
            return self.text + self.rest
        return f"{self.text}{self.lead}{',' if self.rest else ''}{self.rest}"


@define(eq=False)
class Reasons:
    """The reasons for one turn: the position before it, its moves, and the position after it; seats as `{0}`."""

    outlook: Outlook
    before: Position
    turn: Turn
    after: Position
    _seat: int = field(init=False)
    _board: Board = derive(lambda self: self.outlook.game.board)
    _party: tuple[int, ...] = derive(lambda self: self.outlook.parties[self.outlook.find_party(self._seat)])

    @_seat.default
    def _(self) -> int:
        assert self.before.to_act is not None
        return self.before.to_act

    def choose_best(self) -> str:
        """Return the best reason, and the next if it is nearly as good."""
        if self.after.decision is None:
            return self._describe_end()
        if isinstance(self.turn[0], Reveal):
            return f"counts as {add_article(self._board.factions[self.turn[0].faction].name)} follower"
        if self.turn == (PASS,):
            return self._explain_pass()
        clauses = sorted(self._list_clauses(), key=lambda clause: -clause.worth)
        good = [clause for clause in clauses if clause.worth > 0]
        if not good:
            return "gives away as little as possible"
        first, *others = good
        also = [clause for clause in others if clause.worth > MIN_SHARE_OF_SECOND_REASON * first.worth]
        unlike = [clause for clause in also if clause.text.split()[0] != first.text.split()[0]]
        return _join_clauses([first, *unlike[:1]])

    def _describe_end(self) -> str:
        winners = self.after.winners
        if not winners:
            return "ends the game without a winner"
        shares = "shares the victory" if set(self._party) & set(winners) else "ends the game"
        ends = "wins the game" if set(winners) == set(self._party) else shares
        resolved = self.after.struggles[len(self.before.struggles) :]
        return f"{self._describe_struggle(resolved[0])}, and {ends}" if resolved else ends

    def _describe_struggle(self, region: int) -> str:
        won = self.after.discs[region]
        whose = "without a winner" if won == UNSTABLE else f"for {self._name_people(won)}"
        return f"resolves {self._board.name_region(region)} {whose}"

    def _explain_pass(self) -> str:
        held = self.before.hands[self._seat]
        resolved = self.after.struggles[len(self.before.struggles) :]
        if resolved:
            first, won = resolved[0], self.after.discs[resolved[0]]
            more = f": {self._describe_invasion()}" if won == UNSTABLE else self._describe_own_lead(won, self.after)
            return self._describe_struggle(first) + more
        region = self.before.contested
        if not held or region is None:
            return "has no card left to play"
        disc, _ = find_struggle_outcome(self.before.regions[region])
        slopes = Slopes(self.outlook, self.before)
        if slopes.outcomes[disc if disc != UNSTABLE else -1] <= slopes.value_region(
            region, self.before.regions[region]
        ):
            return "saves a card for the regions ahead"
        others = "everybody else" if len(self.before.courts) > 2 else f"{{{self.after.to_act}}}"
        whom = "" if disc == UNSTABLE else self._describe_own_lead(disc, self.before)
        return f"saves a card: if {others} passes too, {say_outcome(self._board, disc, [region])}{whom}"

    def _list_clauses(self) -> Iterator[Clause]:
        slopes = Slopes(self.outlook, self.before)
        action = follow_copy(self.turn[0].resolution) if isinstance(self.turn[0], Play) else None
        if isinstance(action, Exchange):
            yield self._explain_exchange(slopes, action)
        for region, then in enumerate(self.after.regions):
            now = self.before.regions[region]
            if self.before.discs[region] == OPEN and self.after.discs[region] == OPEN and now != then:
                worth = slopes.value_region(region, then) - slopes.value_region(region, now)
                yield self._explain_region(worth, region, now, then)
        yield from self._list_court_clauses(slopes)

    def _explain_region(self, worth: float, region: int, now: Followers, then: Followers) -> Clause:
        place, after = self._board.name_region(region), self.after
        (was, _), (comes, _) = find_struggle_outcome(now), find_struggle_outcome(then)
        if comes == UNSTABLE:
            if was == UNSTABLE:
                return Clause(worth, f"keeps {place} without a leader")
            rival = self._describe_rival_lead(was, after)
            return Clause(worth, f"keeps {place} from {self._name_people(was)}", was, lead=rival)
        if comes != was:
            takes = region == self.before.contested
            text = f"takes {place} for {self._name_people(comes)}" if takes else f"puts {self._name_people(comes)}"
            rest = "" if takes else f" ahead in {place}"
            return Clause(worth, text, comes, lead=self._describe_own_lead(comes, after), rest=rest)
        if _measure_margin(now, comes) <= _measure_margin(then, comes):
            text = f"strengthens {self._name_people(comes)}"
            return Clause(worth, text, comes, lead=self._describe_own_lead(comes, after), rest=f" in {place}")
        return Clause(worth, f"weakens {self._name_people(comes)} in {place}", comes)

    def _explain_exchange(self, slopes: Slopes, exchange: Exchange) -> Clause:
        track = self.after.track
        sooner, later = sorted((exchange.first, exchange.second), key=track.index)
        disc, _ = find_struggle_outcome(self.before.regions[sooner])
        when = "next" if sooner == self.after.contested else "earlier"
        sure = f", where {self._name_people(disc)} lead" if disc not in {UNSTABLE, *self._board.apart} else ""
        text = (
            f"has {self._board.name_region(sooner)} resolved {when}{sure}, and {self._board.name_region(later)} later"
        )
        return Clause(slopes.estimate_exchange(exchange), text)

    def _list_court_clauses(self, slopes: Slopes) -> Iterator[Clause]:
        prospect = self.outlook.estimate_prospect(self.before)
        strongest, _ = self.outlook.estimate_power(prospect)
        for faction, now in enumerate(self.before.courts[self._seat]):
            then = self.after.courts[self._seat][faction]
            if then > now:
                people = self._name_people(faction)
                strong = ", who look strongest" if strongest[faction] > MIN_CHANCE_OF_STRONGEST else ""
                short, court = (self._describe_growth(faction, among) for among in (people, f"{people}{strong}"))
                yield Clause(slopes.court[faction] * (then - now), short, faction, court=court)
        sets = self._count_sets(self.after)
        if prospect.lost > MIN_CHANCE_OF_INVASION and sets > self._count_sets(self.before):
            invaders = self._board.terms.invaders
            gain = add_in_order(max(worth, 0) for worth in slopes.court) * prospect.lost
            yield Clause(
                gain, f"completes {f'{spell_number(sets)} sets' if sets > 1 else 'a set'} in case {invaders} come"
            )

    def _name_people(self, faction: int) -> str:
        """Name a faction in a sentence: `the Welsh`, `Mordred`."""
        return name_factions(self._board, [faction])

    def _describe_invasion(self) -> str:
        left = self.outlook.game.invaders - self.after.unstable
        come = f"{self._board.terms.invaders} come"
        return f"{spell_number(left)} more, and {come}" if left > 0 else come

    def _measure_lead(self, faction: int, position: Position) -> int:
        """Count the followers of a faction by which the seat leads, less than 0 if it is behind."""
        mine = position.courts[self._seat][faction]
        return mine - position.courts[self._find_rival(faction, position)][faction]

    def _find_rival(self, faction: int, position: Position) -> int:
        """Return the seat of another party with most followers of a faction."""
        others = [seat for seat in position.seats if seat not in self._party]
        return max(others, key=lambda seat: position.courts[seat][faction])

    def _describe_own_lead(self, faction: int, position: Position) -> str:
        """Describe the seat's lead among a faction at court, if it leads: `, of whom {0} leads by two`."""
        lead = self._measure_lead(faction, position)
        if faction in self._board.apart or lead < 0:
            return ""
        if lead:
            return f", of whom {{{self._seat}}} leads by {spell_number(lead)}"
        return f", of whom {{{self._seat}}} has as many as anyone" if position.courts[self._seat][faction] else ""

    def _describe_rival_lead(self, faction: int, position: Position) -> str:
        lead = self._measure_lead(faction, position)
        if faction in self._board.apart or lead >= 0:
            return ""
        return f", of whom {{{self._find_rival(faction, position)}}} leads by {spell_number(-lead)}"

    def _describe_growth(self, faction: int, among: str) -> str:
        """Describe the effect of more followers of a faction at court: `gives {0} the lead among the Welsh`."""
        was, lead = self._measure_lead(faction, self.before), self._measure_lead(faction, self.after)
        me = f"{{{self._seat}}}"
        comma = "," * (among != self._name_people(faction))
        if lead > 0:
            if was > 0:
                return f"extends {me}'s lead among {among}{comma} to {spell_number(lead)}"
            return f"gives {me} the lead among {among}"
        rival = f"{{{self._find_rival(faction, self.after)}}}"
        if lead == 0:
            return f"draws level with {rival} among {among}"
        return f"cuts {rival}'s lead among {among}{comma} to {spell_number(-lead)}"

    def _count_sets(self, position: Position) -> int:
        return min(sum(position.courts[seat][faction] for seat in self._party) for faction in self._board.courtly)


def _measure_margin(followers: Followers, faction: int) -> int:
    return followers[faction] - max([*followers[:faction], *followers[faction + 1 :]])


def _join_clauses(clauses: list[Clause]) -> str:
    if len(clauses) == 1 and clauses[0].court:
        return clauses[0].court
    known = {clause.about for clause in clauses if clause.court}
    texts = []
    for clause in clauses:
        texts.append(clause.format_text(lead=clause.about not in known))
        known.add(clause.about)
    return ", and ".join(texts)


MIN_WAYS_PER_CARD = 1
MAX_SUMMONSES = 3
"""Maximum number of summonses examined after each way to play a card."""

by_estimate = itemgetter(0)


@frozen
class Sketch:
    """A turn that is played up to its last move: its first moves, where they lead, and that last move."""

    moves: Turn
    position: Position
    move: Move


Ranked = tuple[Turn, Position, tuple[float, ...]]
"""A turn, the position after it, and what that is worth for each party."""


def rank_turns(
    outlook: Outlook, evaluate: Callable[[Position], tuple[float, ...]], position: Position, most: int
) -> list[Ranked]:
    """Rank the turns that look best, best first; with `most` above 1 a pass is always among them.

    The outlook finds them, and `evaluate` compares the positions after them.
    """
    party = outlook.find_party(position.to_act)
    found: dict[Position, Ranked] = {}
    for sketch in _list_sketches(outlook, position, most):
        after, _ = outlook.game.apply(sketch.position, sketch.move)
        if after not in found:
            found[after] = (*sketch.moves, sketch.move), after, evaluate(after)
    best = sorted(found.values(), key=lambda each: each[2][party], reverse=True)
    passed = [each for each in best[most:] if each[0] == (PASS,)] if most > 1 else []
    return [*best[: most - len(passed)], *passed]


def _list_sketches(outlook: Outlook, position: Position, most: int) -> list[Sketch]:
    game = outlook.game
    if position.decision == "plot":
        return [Sketch((), position, move) for move in game.legal(position)]
    slopes = Slopes(outlook, position)
    if position.decision == "summon":
        return [sketch for _, sketch in _list_summonses(slopes, (), position, game.legal(position), most=most)]
    alone = _list_summonses(slopes, (), position, game.summons.list_without_action(position))
    found = [*alone, *_list_actions(slopes, position, most)]
    return [Sketch((), position, PASS), *[sketch for _, sketch in nlargest(most, found, key=by_estimate)]]


def _list_actions(slopes: Slopes, position: Position, most: int) -> Iterator[tuple[float, Sketch]]:
    game = slopes.outlook.game
    assert position.to_act is not None
    best: list[tuple[float, Play]] = []
    others: list[tuple[float, Play]] = []
    for card in game.list_held(position, position.to_act):
        first = nlargest(most, _estimate_ways(slopes, game.list_options(position, card)), key=by_estimate)
        plays = [(gain, Play(card, resolution)) for gain, resolution in first]
        best += plays[:MIN_WAYS_PER_CARD]
        others += plays[MIN_WAYS_PER_CARD:]
    for gain, play in [*best, *nlargest(most * 2 // 3 - len(best), others, key=by_estimate)]:
        after, _ = game.apply(position, play)
        yield from _list_summonses(slopes, (play,), after, game.legal(after), gain, MAX_SUMMONSES)


def _estimate_ways(slopes: Slopes, options: Any) -> list[tuple[float, Any]]:
    gain = slopes.estimate_gain
    return [
        (gain(change) if change else _estimate_unmoved(slopes, resolution), resolution)
        for group in list_ways_to_play(options)
        for resolution, change in group
    ]


def _estimate_unmoved(slopes: Slopes, resolution: Any) -> float:
    done = follow_copy(resolution)
    return slopes.estimate_exchange(done) if isinstance(done, Exchange) else 0.0


def _list_summonses(  # noqa: PLR0917 - the turn so far, and what may follow
    slopes: Slopes, moves: Turn, position: Position, legal: Iterable[Move], gain: float = 0.0, most: int | None = None
) -> list[tuple[float, Sketch]]:
    """List at most `most` summonses that may follow, best first, each with the estimate of the whole turn."""
    estimated = [(gain + slopes.estimate_summons(position, move), move) for move in legal]
    estimated.sort(key=by_estimate, reverse=True)
    return [(estimate, Sketch(moves, position, move)) for estimate, move in estimated[:most]]
