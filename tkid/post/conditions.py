"""Whether the conditions of a plan are met: what a player may know of a game, looked at when it is that player's turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from attrs import field, frozen

from tkid.games.struggle.board import OPEN, UNSTABLE
from tkid.games.struggle.moves import Pass, Play, Summon
from tkid.notation.orders import (
    ANYONE,
    EVERYONE,
    Condition,
    Contested,
    If,
    Outcome,
    Passes,
    Plays,
    Standing,
    Steps,
    Struggle,
    Who,
)
from tkid.notation.vocabulary import listed
from tkid.record.replay import Moment, Replay
from tkid.rulebook import cites

Fits = Callable[[Moment], bool]


@frozen
class Judged:
    """What was found of a condition: whether it is met, whether it still may be, why in words, and by which rule."""

    met: bool
    told: str
    rule: str
    possible: bool = True


@frozen
class Judge:
    """Judges conditions for a seat by what it knows of a game."""

    known: Replay
    seat: int
    turns: tuple[Moment, ...] = field(init=False)
    """The turns since the seat's last own turn, that turn first; all turns where it had none yet."""

    @turns.default
    def _(self) -> tuple[Moment, ...]:
        every = standing_turns(self.known)
        own = [at for at, moment in enumerate(every) if moment.turn and moment.turn.seat == self.seat]
        return every[own[-1] if own else 0 :]

    @property
    def _since(self) -> str:
        """The time that a condition looks at, in words."""
        had = self.turns and self.turns[0].turn and self.turns[0].turn.seat == self.seat
        return "since your last turn" if had else "so far"

    @cites("post.condition")
    def together(self, step: If) -> Judged:
        """All conditions of a step, joined as it says."""
        found = [self.judge(condition) for condition in step.conditions]
        deciding = [judged for judged in found if judged.met != step.every] or found
        met = all(j.met for j in found) if step.every else any(j.met for j in found)
        possible = all(j.possible for j in found) if step.every else any(j.possible for j in found)
        return Judged(met, " and ".join(dict.fromkeys(j.told for j in deciding)), deciding[0].rule, possible)

    def can_happen(self, steps: Steps) -> bool:
        """Whether the first of some steps can still come to anything."""
        first = steps[0]
        if not isinstance(first, If):
            return True
        if self.together(first).possible and self.can_happen(first.then):
            return True
        return first.otherwise is not None and self.can_happen(first.otherwise)

    def judge(self, condition: Condition) -> Judged:
        """One condition."""
        match condition:
            case Passes(who):
                return self._passes(who)
            case Plays(who, card):
                return self._plays(who, card)
            case Contested(region):
                return self._contested(region)
            case Struggle():
                return self._struggle()
            case Outcome(region, disc):
                return self._outcome(region, disc)

    # -- what players did ---------------------------------------------------------------------------------

    @cites("post.condition.passes")
    def _passes(self, who: Who) -> Judged:
        return self._did(who, "post.condition.passes", lambda moment: isinstance(moment.moves[0], Pass), "passed")

    @cites("post.condition.plays")
    def _plays(self, who: Who, card: str) -> Judged:
        return self._did(
            who, "post.condition.plays", lambda moment: is_play(moment, card), f"played {card or 'a card'}"
        )

    def _did(self, who: Who, rule: str, fits: Fits, what: str) -> Judged:
        """Whether players did something in their turns since the seat's last own turn."""
        others = [seat for seat in self.known.position.seats if seat != self.seat]
        asked = others if isinstance(who, str) else [who]
        turns = {seat: self._last_turn(seat) for seat in asked}
        did = [seat for seat, moment in turns.items() if moment is not None and fits(moment)]
        did_not = [seat for seat in asked if seat not in did]
        met = not did_not if who == EVERYONE else bool(did)
        if who == ANYONE and not met:
            return Judged(met, f"nobody else {what} {self._since}", rule)
        seats = did if met else did_not
        return Judged(met, " and ".join(self._told(seat, turns[seat]) for seat in seats), rule)

    def _last_turn(self, seat: int) -> Moment | None:
        """A player's last turn since the seat's last own turn, None where there was none that could be read."""
        turns = (moment for moment in reversed(self.turns) if moment.turn and moment.turn.seat == seat and moment.moves)
        return next(turns, None)

    def _told(self, seat: int, moment: Moment | None) -> str:
        """What a player did in a turn, in words."""
        name = self.known.record.names[seat]
        if moment is None or moment.turn is None:
            return f"{name} has had no turn {self._since}"
        match moment.moves[0]:
            case Pass():
                done = "passed"
            case Play(card):
                done = f"played {card}"
            case Summon():
                done = "summoned a follower without playing a card"
            case _:
                done = "decided something else"
        return f"{name} {done} in turn {moment.turn.number}"

    # -- what became of regions ---------------------------------------------------------------------------

    @cites("post.condition.contested")
    def _contested(self, region: int) -> Judged:
        position, board = self.known.position, self.known.record.game.board
        now, rule, name = position.contested, "post.condition.contested", board.name(region)
        if now == region:
            return Judged(met=True, told=f"{name} is contested", rule=rule)
        if position.discs[region] != OPEN:
            return Judged(met=False, told=f"the power struggle in {name} is over", rule=rule, possible=False)
        return Judged(met=False, told=f"{board.name(now)} is contested" if now is not None else "", rule=rule)

    @cites("post.condition.struggle")
    def _struggle(self) -> Judged:
        told, rule = self._resolved(self.turns), "post.condition.struggle"
        return Judged(met=bool(told), told=told or f"no power struggle was resolved {self._since}", rule=rule)

    def _resolved(self, turns: Sequence[Moment]) -> str:
        """Which power struggles were resolved by some turns, in words; "" for none."""
        board, moments = self.known.record.game.board, self.known.moments
        numbers = {moment.turn.number for moment in turns if moment.turn}
        names = [
            board.name(region)
            for before, moment in pairwise(moments)
            if moment.turn and moment.turn.number in numbers
            for region in moment.position.struggles[len(before.position.struggles) :]
        ]
        if not names:
            return ""
        were = "power struggle in {} was" if len(names) == 1 else "power struggles in {} were"
        return f"the {were.format(listed(names, 'and'))} resolved"

    @cites("post.condition.outcome")
    def _outcome(self, region: int, disc: int) -> Judged:
        board, rule = self.known.record.game.board, "post.condition.outcome"
        found, name = self.known.position.discs[region], board.name(region)
        if found == OPEN:
            return Judged(met=False, told=f"the power struggle in {name} is still to come", rule=rule)
        told = f"{name} is unstable" if found == UNSTABLE else f"{name} went to the {board.disc(found)}"
        return Judged(met=found == disc, told=told, rule=rule, possible=found == disc)

    # -- standing orders ----------------------------------------------------------------------------------

    def over(self, order: Standing, since: int) -> Judged:
        """Whether a standing order has come to its end; `since` is the first turn that counts."""
        turns = [moment for moment in standing_turns(self.known) if moment.turn and moment.turn.number >= since]
        if order.kind == "struggle":
            return self._over_by_struggle(turns)
        if order.kind == "acts" and order.who is not None:
            return self._over_by_action(turns, order.who)
        if order.kind == "contested" and order.region is not None:
            return self._over_by_region(order.region)
        return self._never_over()

    @cites("post.standing.struggle")
    def _over_by_struggle(self, turns: Sequence[Moment]) -> Judged:
        told = self._resolved(turns)
        waits = "no power struggle was resolved since you gave it"
        return Judged(met=bool(told), told=told or waits, rule="post.standing.struggle")

    @cites("post.standing.acts")
    def _over_by_action(self, turns: Sequence[Moment], who: Who) -> Judged:
        seats = {who} if isinstance(who, int) else set(self.known.position.seats) - {self.seat}
        for moment in turns:
            if moment.turn and moment.turn.seat in seats and is_play(moment):
                return Judged(met=True, told=self._told(moment.turn.seat, moment), rule="post.standing.acts")
        name = self.known.record.names[who] if isinstance(who, int) else "nobody else"
        told = f"{name} played no card" if isinstance(who, int) else f"{name} played a card"
        return Judged(met=False, told=f"{told} since you gave it", rule="post.standing.acts")

    @cites("post.standing.contested")
    def _over_by_region(self, region: int) -> Judged:
        judged = self._contested(region)
        return Judged(judged.met or not judged.possible, judged.told, "post.standing.contested")

    @cites("post.standing.always")
    def _never_over(self) -> Judged:
        return Judged(met=False, told="it holds until you cancel it or send a turn", rule="post.standing.always")


def standing_turns(known: Replay) -> tuple[Moment, ...]:
    """The turns of a game but for those that were taken back."""
    return tuple(moment for moment in known.moments if moment.turn and not moment.turn.undone)


def is_play(moment: Moment, card: str = "") -> bool:
    """Whether a card was played in a turn; "" is any card, and a summons without one."""
    move = moment.moves[0] if moment.moves else None
    return (isinstance(move, Play) and card in {"", move.card}) or (isinstance(move, Summon) and not card)
