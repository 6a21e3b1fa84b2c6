"""The game's side of the mail interface, and whether the conditions of a plan are met."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from attrs import frozen

from tkid.games.struggle.mail import sentences
from tkid.games.struggle.mail.sentences import get_struggle_and_position
from tkid.games.struggle.notation import orders
from tkid.games.struggle.notation.orders import Condition, Contested, Outcome, Passes, Plays, Standing
from tkid.games.struggle.rules.board import OPEN, Position, say_outcome
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Pass, Play, Summon
from tkid.kernel.ladder import NOTHING
from tkid.kernel.problems import Kind, Problem
from tkid.mail import plugin
from tkid.mail.plugin import Chosen, Judged, MailPlugin, list_standing_turns
from tkid.notation.names import ANYONE, EVERYONE, Who, list_names
from tkid.record.clock_notes import NOTHING_TO_PLAY, Passed
from tkid.record.play.replay import Moment, Replay
from tkid.rulebook import cites

Fits = Callable[[Moment], bool]


@frozen
class StruggleJudge(plugin.PlanJudge):
    """Judges conditions for a seat by what it knows of a game, looked at when it is that seat's turn."""

    @property
    def game(self) -> Struggle:
        return get_struggle_and_position(self.known)[0]

    @property
    def position(self) -> Position:
        return get_struggle_and_position(self.known)[1]

    def judge_one(self, condition: Condition) -> Judged:
        match condition:
            case Passes(who):
                return self._judge_passes(who)
            case Plays(who, card):
                return self._judge_plays(who, card)
            case Contested(region):
                return self._judge_contested(region)
            case orders.Struggle():
                return self._judge_struggle()
            case Outcome(region, disc):
                return self._judge_outcome(region, disc)

    @cites("post.condition.passes")
    def _judge_passes(self, who: Who) -> Judged:
        return self._judge_players(
            who, "post.condition.passes", lambda moment: isinstance(moment.moves[0], Pass), "passed"
        )

    @cites("post.condition.plays")
    def _judge_plays(self, who: Who, card: str) -> Judged:
        return self._judge_players(
            who, "post.condition.plays", lambda moment: is_play(moment, card), f"played {card or 'a card'}"
        )

    def _judge_players(self, who: Who, rule: str, fits: Fits, what: str) -> Judged:
        others = [seat for seat in self.position.seats if seat != self.seat]
        asked = others if isinstance(who, str) else [who]
        turns = {seat: self._find_last_turn(seat) for seat in asked}
        did = [seat for seat, moment in turns.items() if moment is not None and fits(moment)]
        did_not = [seat for seat in asked if seat not in did]
        met = not did_not if who == EVERYONE else bool(did)
        if who == ANYONE and not met:
            return Judged(met, f"nobody else {what} {self.since}", rule)
        seats = did if met else did_not
        return Judged(met, " and ".join(self._describe_turn(seat, turns[seat]) for seat in seats), rule)

    def _find_last_turn(self, seat: int) -> Moment | None:
        """Return a player's last readable turn since the seat's last own turn; None if there was none."""
        turns = (moment for moment in reversed(self.turns) if moment.turn and moment.turn.seat == seat and moment.moves)
        return next(turns, None)

    def _describe_turn(self, seat: int, moment: Moment | None) -> str:
        name = self.known.record.names[seat]
        if moment is None or moment.turn is None:
            return f"{name} has not had a turn {self.since}"
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

    @cites("post.condition.contested")
    def _judge_contested(self, region: int) -> Judged:
        position, board = self.position, self.game.board
        now, rule, name = position.contested, "post.condition.contested", board.name(region)
        if now == region:
            return Judged(met=True, reason=f"{name} is contested", rule=rule)
        if position.discs[region] != OPEN:
            return Judged(met=False, reason=f"the power struggle in {name} is over", rule=rule, possible=False)
        return Judged(met=False, reason=f"{board.name(now)} is contested" if now is not None else "", rule=rule)

    @cites("post.condition.struggle")
    def _judge_struggle(self) -> Judged:
        reason, rule = self._describe_resolved(self.turns), "post.condition.struggle"
        return Judged(met=bool(reason), reason=reason or f"no power struggle was resolved {self.since}", rule=rule)

    def _describe_resolved(self, turns: Sequence[Moment]) -> str:
        board, moments = self.game.board, self.known.moments
        numbers = {moment.turn.number for moment in turns if moment.turn}
        names = [
            board.name(region)
            for before, moment in pairwise(moments)
            if moment.turn and moment.turn.number in numbers
            for region in _list_struggles(moment)[len(_list_struggles(before)) :]
        ]
        if not names:
            return ""
        were = "power struggle in {} was" if len(names) == 1 else "power struggles in {} were"
        return f"the {were.format(list_names(names, 'and'))} resolved"

    @cites("post.condition.outcome")
    def _judge_outcome(self, region: int, disc: int) -> Judged:
        board, rule = self.game.board, "post.condition.outcome"
        outcome, name = self.position.discs[region], board.name(region)
        if outcome == OPEN:
            return Judged(met=False, reason=f"the power struggle in {name} is still to come", rule=rule)
        reason = say_outcome(board, outcome, [region], past=True)
        return Judged(met=outcome == disc, reason=reason, rule=rule, possible=outcome == disc)

    def is_replacing(self, order: Standing, older: Standing) -> bool:  # noqa: ARG002 - there is one at a time
        return True

    def is_lasting(self, order: Standing) -> bool:  # noqa: ARG002 - none does
        """Return False: a player who plays by hand is back at the table."""
        return False

    def choose_turn(self, order: Standing, lasts: Judged) -> Chosen:  # noqa: ARG002 - all of them pass
        if self.position.decision != "play":
            return Chosen("", "the next decision is not a card or a pass", "post.standing")
        return Chosen(self.game.words.write_move(PASS), lasts.reason, lasts.rule)

    def explain_pointless(self, order: Standing, since: int) -> Problem | None:
        over = self.judge_end(order, since) if order.kind == "contested" else None
        if over is None or not over.met:
            return None
        reason = f"There is nothing to wait for: {over.reason}"
        hint = "`pass until struggle` passes until the next power struggle."
        return Problem(Kind.ILLEGAL, "post.plan.over", reason, hint=hint)

    def judge_end(self, order: Standing, since: int) -> Judged:
        turns = [moment for moment in list_standing_turns(self.known) if moment.turn and moment.turn.number >= since]
        if order.kind == "struggle":
            return self._over_by_struggle(turns)
        if order.kind == "acts" and order.who is not None:
            return self._over_by_action(turns, order.who)
        if order.kind == "contested" and order.region is not None:
            return self._over_by_region(order.region)
        return self._never_over()

    @cites("post.standing.struggle")
    def _over_by_struggle(self, turns: Sequence[Moment]) -> Judged:
        reason = self._describe_resolved(turns)
        waits = "no power struggle was resolved since you gave it"
        return Judged(met=bool(reason), reason=reason or waits, rule="post.standing.struggle")

    @cites("post.standing.acts")
    def _over_by_action(self, turns: Sequence[Moment], who: Who) -> Judged:
        seats = {who} if isinstance(who, int) else set(self.position.seats) - {self.seat}
        for moment in turns:
            if moment.turn and moment.turn.seat in seats and is_play(moment):
                return Judged(met=True, reason=self._describe_turn(moment.turn.seat, moment), rule="post.standing.acts")
        name = self.known.record.names[who] if isinstance(who, int) else "nobody else"
        reason = f"{name} played no card" if isinstance(who, int) else f"{name} played a card"
        return Judged(met=False, reason=f"{reason} since you gave it", rule="post.standing.acts")

    @cites("post.standing.contested")
    def _over_by_region(self, region: int) -> Judged:
        judged = self._judge_contested(region)
        return Judged(judged.met or not judged.possible, judged.reason, "post.standing.contested")

    @cites("post.standing.always")
    def _never_over(self) -> Judged:
        return Judged(met=False, reason="it stays until you cancel it or send a turn", rule="post.standing.always")


def _list_struggles(moment: Moment) -> tuple[int, ...]:
    assert isinstance(moment.position, Position)
    return moment.position.struggles


def is_play(moment: Moment, card: str = "") -> bool:
    """Return True if a card was played in a turn. "" means any card, and a summons without one."""
    move = moment.moves[0] if moment.moves else None
    return (isinstance(move, Play) and card in {"", move.card}) or (isinstance(move, Summon) and not card)


MOST_WAYS = 12
"""Ways to play a card that are shown."""
HELPS = {
    "standing": "pass turn after turn until something happens",
    "why": "see why somebody won, or the power struggles so far",
}


class StruggleMail(MailPlugin):
    """The letters of The King is Dead, and the turns played without asking the player."""

    title = "The King is Dead"
    learn = "ten-minutes/"
    passing = "Pass"
    helps: Mapping[str, str] = MappingProxyType(HELPS)
    turn = "`Pass`, or a turn as shown under YOUR ANSWER"
    news = "of power struggles, and when the game ends"
    history = "The power struggles so far:"
    no_history = "No power struggle has been resolved yet."

    def is_passable(self, position: Position) -> bool:
        return position.decision == "play"

    def find_forced_turn(self, game: Struggle, position: Position) -> tuple[str, Passed] | None:
        return (self.passing, NOTHING_TO_PLAY) if game.only_passes(position) else None

    make_plan_judge = staticmethod(StruggleJudge)

    def list_offered(self, known: Replay) -> tuple[str, list[str]]:
        turns, few = sentences.list_offered_turns(known)
        text = "Each line is legal now. Copy one to the top of your answer, or change it to what you want."
        game, shown = get_struggle_and_position(known)
        if shown.decision == "play" and shown.to_act is not None:
            text += " After a card you may write `no summon` instead of a summons." if game.summons.optional else ""
            text += " You may also summon without playing a card." if game.summons.alone else ""
            held = [
                c for c in game.list_held(shown, shown.to_act) if c != game.plot and not game.list_options(shown, c)
            ]
            text += f" You cannot play {list_names(held, 'or')} now." if held else ""
        if few:
            text += f" This shows every way to play {list_names(few, 'and')} and one way for each other card, each with one summons."
        own = game.list_held(shown, shown.to_act) if shown.decision == "play" and shown.to_act is not None else ()
        if any(card not in few and game.list_options(shown, card) for card in own):
            text += " `legal CARD` shows more ways to play one card."
        return text, turns

    def list_playable(self, known: Replay, seat: int, card: str) -> tuple[str, list[str]]:
        game, shown = get_struggle_and_position(known)
        if not card or shown.decision != "play":
            return self.list_offered(known)
        if card not in shown.hands[seat]:
            return f"You have no {card}. [{game.ids('turn.hand')}]", []
        turns = sentences.list_example_ways(known, card, MOST_WAYS)
        if not turns:
            violations = game.cards[card].ladder.check(shown, NOTHING)
            because = [f"{violation.sentence}. [{violation.rule}]" for violation in violations]
            return " ".join([f"You cannot play {card} now.", *because]), []
        if len(turns) > MOST_WAYS:
            text = f"There are more than {MOST_WAYS} ways to play {card} now."
            return f"{text} Here are some, each with one summons:", turns[:MOST_WAYS]
        every = "The only way" if len(turns) == 1 else f"All {len(turns)} ways"
        return f"{every} to play {card} now, each with one summons:", turns

    find_repairs = staticmethod(sentences.find_repaired_turns)

    def find_similar(self, known: Replay, typed: str) -> tuple[str, str]:
        card = sentences.find_named_card(*get_struggle_and_position(known), typed)
        return card, sentences.find_example_turn(known, card) if card else ""

    explain_shorthand = staticmethod(sentences.explain_struggle_letters)
    list_aims = staticmethod(sentences.list_struggle_aims)
    list_samples = staticmethod(sentences.list_sample_turns)

    make_telling = staticmethod(sentences.Telling.make_telling)
    tell_turn = staticmethod(sentences.describe_unplayed_turn)
    describe_outlook = staticmethod(sentences.describe_pass_outlook)
    list_facts = staticmethod(sentences.list_struggle_facts)
    describe_result = staticmethod(sentences.describe_winner)
    describe_decision = staticmethod(sentences.explain_decision)


PLUGIN = StruggleMail()
