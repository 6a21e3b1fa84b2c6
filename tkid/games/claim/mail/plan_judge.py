"""What standing orders play, and whether conditions are met: what a player may know of a game on that player's turn."""

from __future__ import annotations

from tkid.games.claim.mail.turn_examples import of, playable
from tkid.games.claim.notation.conditions import Condition, Led, NothingLed, PhaseTwo, Prize, Standing
from tkid.games.claim.rules.deck import DOPPELGANGER, FACTIONS, NAMES, VALUES, Card
from tkid.games.claim.rules.moves import PLAYS, hand_of
from tkid.games.claim.rules.position import PHASES, Position
from tkid.kernel.problems import Kind, Problem
from tkid.mail import plan_judge
from tkid.mail.plan_judge import Chosen, Judged, standing_turns
from tkid.rulebook import cites

RULES = {
    "follow": "post.standing.led",
    "lead": "post.standing.lead",
    "either": "post.standing.prize",
    "forced": "post.standing.forced",
}


NO_PRIZE = "There is nothing to wait for: there is no prize in phase two"


def _about(order: Standing) -> tuple[str, ...]:
    """What an order is about: the tricks, and the cards of whom."""
    return order.kind, order.led, order.prize, order.faction


class Judge(plan_judge.Judge):
    """Judges standing orders and conditions for a seat by what it knows of a game."""

    @property
    def position(self) -> Position:
        """The position as the seat knows it; it is the seat's turn."""
        return of(self.known)[1]

    @property
    def _on(self) -> str:
        """What is led, in words."""
        led, leader = self.position.led, self.position.leader
        if led is None or leader is None:
            return "nothing is led"
        return f"{self.known.record.names[leader]} led {NAMES[led]}"

    # -- conditions ---------------------------------------------------------------------------------------

    def judge(self, condition: Condition) -> Judged:
        """One condition."""
        match condition:
            case Led(faction):
                return self._led(faction)
            case NothingLed():
                return Judged(self.position.led is None, self._on, "post.condition.led")
            case Prize(of):
                return self._prize(of)
            case PhaseTwo():
                return self._phase_two()

    @cites("post.condition.led")
    def _led(self, faction: str) -> Judged:
        led = self.position.led
        return Judged(led is not None and faction in {"", led[0]}, self._on, "post.condition.led")

    @cites("post.condition.prize")
    def _prize(self, of: str) -> Judged:
        prize, rule = self.position.prize, "post.condition.prize"
        if prize is None:
            return Judged(met=False, reason="there is no prize in phase two", rule=rule, possible=False)
        return Judged(of in {prize, prize[0]}, f"the prize is {NAMES[prize]}", rule)

    @cites("post.condition.phase")
    def _phase_two(self) -> Judged:
        phase = self.position.phase
        return Judged(phase == 2, f"it is phase {PHASES[phase]}", "post.condition.phase")

    # -- standing orders ----------------------------------------------------------------------------------

    def replaces(self, order: Standing, older: Standing) -> bool:
        """A standing order takes the place of an older one about the same tricks and the same faction's cards."""
        return _about(order) == _about(older)

    def stays(self, order: Standing) -> bool:  # noqa: ARG002 - all of them
        """A turn sent for one trick leaves orders for other tricks as they are."""
        return True

    def pointless(self, order: Standing, since: int) -> Problem | None:  # noqa: ARG002 - there is another trick
        """That there is no prize any more; any other order may still apply."""
        if not order.prize or self.position.phase == 1:
            return None
        return Problem(Kind.ILLEGAL, "post.plan.over", NO_PRIZE, hint="Leave the prize out.")

    @cites("post.standing.phase")
    def over(self, order: Standing, since: int) -> Judged:
        """Whether the phase has ended in which an order was given that lasts as long; `since` is its first turn."""
        before = [moment for moment in standing_turns(self.known) if moment.turn and moment.turn.number < since]
        given = (before or self.known.moments)[-1 if before else 0].position
        assert isinstance(given, Position)
        if (order.phase or order.prize) and given.phase != self.position.phase:
            return Judged(met=True, reason=f"phase {PHASES[given.phase]} is over", rule="post.standing.phase")
        return Judged(met=False, reason="it stays until you cancel it", rule=RULES[order.kind])

    def turn(self, order: Standing, lasts: Judged) -> Chosen:
        """The card that a standing order chooses now; none where it is about another trick, or no such card may be played."""
        prize = self._prize(order.prize) if order.prize else None
        if prize is not None and not prize.met:
            return Chosen("", prize.reason, "post.standing.prize")
        by_kind = {"follow": self._follow, "lead": self._lead, "either": self._either, "forced": self._forced}
        return by_kind[order.kind](order, lasts.rule)

    @cites("post.standing.led")
    def _follow(self, order: Standing, rule: str) -> Chosen:
        led = self.position.led
        if led is None or order.led not in {"", led[0]}:
            return Chosen("", self._on, rule)
        return self._chosen(order, rule, f" that may be played on {NAMES[led]}")

    @cites("post.standing.lead")
    def _lead(self, order: Standing, rule: str) -> Chosen:
        return Chosen("", self._on, rule) if self.position.led is not None else self._chosen(order, rule, "")

    @cites("post.standing.prize")
    def _either(self, order: Standing, rule: str) -> Chosen:
        led = self.position.led
        return self._chosen(order, rule, f" that may be played on {NAMES[led]}" if led else "")

    @cites("post.standing.forced")
    def _forced(self, _: Standing, rule: str) -> Chosen:
        cards = playable(self.known)
        if len(cards) > 1:
            return Chosen("", f"you can play {len(cards)} different cards", rule)
        return Chosen(self._text(cards[0]), "it is the only card you can play", rule)

    @cites("post.standing.choice")
    def _chosen(self, order: Standing, rule: str, where: str) -> Chosen:
        """The lowest or the highest card; of equal ones that of the faction which is listed first."""
        name = FACTIONS[order.faction].name if order.faction else "card"
        cards = [card for card in playable(self.known) if order.faction in {"", card[0]}]
        if not cards:
            return Chosen("", self._lacking(order.faction), rule)
        best = (min if order.which == "lowest" else max)(cards, key=VALUES.__getitem__)
        return Chosen(self._text(best), f"it is your {order.which} {name}{where}", rule)

    def _lacking(self, faction: str) -> str:
        """Why no card of a faction may be played."""
        name, hand = FACTIONS[faction].name, hand_of(self.position)
        if not any(card[0] == faction for card in hand.cards):
            return f"you have no {name}"
        assert hand.follows is not None
        follow = FACTIONS[hand.follows].plural
        other = f" or {FACTIONS[DOPPELGANGER].plural}" if hand.follows != DOPPELGANGER else ""
        return f"you cannot play {FACTIONS[faction].plural}: you have {follow}, so only {follow}{other} follow"

    def _text(self, card: Card) -> str:
        return of(self.known)[0].words.move(PLAYS[card])
