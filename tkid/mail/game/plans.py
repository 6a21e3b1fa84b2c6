"""What becomes of a player's plans: given, cancelled, ended by a turn; and decided on when it is the player's turn. Pure.

A plan is kept as text and read again each time, so that whoever stores it stores strings and numbers. What is decided
rests on what its owner may know of the game (`tkid.record.play.views.seen`), and is told to nobody else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail.inbound.order_lines import OrderReader, order_reader
from tkid.mail.plan_judge import Judge
from tkid.mail.plugin import mail_plugin
from tkid.notation.vocabulary import listed
from tkid.orders.model import Cancel, If, Order, Planned, Standing, Steps, Stop, Turn
from tkid.record.play.replay import Replay, append
from tkid.rulebook import cites

MOST_PLANS = 20


@frozen
class Plan:
    """A plan that holds: its number among its owner's, the first turn that counts for it, and its canonical text.

    A standing order counts what happens in the turns from `since` on. A conditional plan looks at the last round
    whenever it was given. Of a plan of several steps the text says what is left.
    """

    number: int
    since: int
    text: str


Became = Literal["given", "played", "stopped", "waits", "ended"]


@frozen
class Note:
    """What became of a plan: its number and text, one word for it, the same in words with the reason, and the rule.

    `waits_for` is the reason alone, where it waits.
    """

    number: int
    text: str
    became: Became
    what: str
    rule: str
    standing: bool = False
    waits_for: str = ""

    @property
    def sentence(self) -> str:
        """A sentence on this plan alone."""
        return f"Plan {self.number} {self.what}."

    def __str__(self) -> str:
        return f"{self.sentence} [{self.rule}]"


def shortly(notes: Sequence[Note]) -> tuple[str, ...]:
    """What a letter says of plans after a look at them.

    Plans that wait for the same reason stand in one line. Of standing orders that wait nothing is said where another
    plan has played: they are about other turns.
    """
    played = any(note.became == "played" for note in notes)
    alike: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        if not (played and note.standing and note.became == "waits"):
            alike.setdefault((note.waits_for, note.rule) if note.became == "waits" else (str(note), ""), []).append(
                note
            )
    return tuple(str(some[0]) if len(some) == 1 else _together(some) for some in alike.values())


def _together(notes: Sequence[Note]) -> str:
    """A line on several plans that wait for the same reason."""
    numbers = listed([str(note.number) for note in notes], "and")
    return f"Plans {numbers} wait: {notes[0].waits_for}. [{notes[0].rule}]"


@frozen
class Changed:
    """A player's plans after an order about them; what became of each that it touched, or why it was refused."""

    plans: tuple[Plan, ...]
    notes: tuple[Note, ...] = ()
    problems: tuple[Problem, ...] = ()


@frozen
class Decision:
    """What a player's plans make of the player's turn.

    `kind` is `play` (play `turn`), `ask` (a plan stops, or its turn breaks a rule: `problems`) or `nothing` (no
    plan applies, so the player is asked as usual). `plans` are those that remain, `notes` tell of every plan what
    became of it. All of it is for the plans' owner alone, but for the turn once it is played.
    """

    kind: Literal["play", "ask", "nothing"]
    plans: tuple[Plan, ...]
    notes: tuple[Note, ...] = ()
    turn: str = ""
    problems: tuple[Problem, ...] = ()


# -- giving and ending ------------------------------------------------------------------------------------


def give(known: Replay, seat: int, plans: Sequence[Plan], order: Standing | Planned, last: int = 0) -> Changed:
    """A player's plans with one more; `last` is the highest number that a plan of that player ever had.

    A standing order takes the place of an older one, if the family's do. Problems: `post.plan.most`, `post.plan.over`.
    """
    reader = _reader(known, seat)
    problem = _too_many(plans) or _is_over(known, seat, order)
    if problem:
        return Changed(tuple(plans), problems=(problem,))
    plan = Plan(max([last, *(plan.number for plan in plans)]) + 1, due(known), reader.written(order))
    notes = [_note(plan, "given", f"holds from now on: `{plan.text}`", "post.plan")]
    kept = list(plans)
    if isinstance(order, Standing):
        judge = _judge(known, seat)
        read = {plan: reader.stored(plan.text).order for plan in plans}
        old = [plan for plan, its in read.items() if isinstance(its, Standing) and judge.replaces(order, its)]
        kept = [plan for plan in plans if plan not in old]
        notes += [
            _note(each, "ended", f"has ended: plan {plan.number} takes its place", "post.standing") for each in old
        ]
    return Changed((*kept, plan), tuple(notes))


@cites("post.plan.ends")
def cancel(known: Replay, seat: int, plans: Sequence[Plan], order: Cancel) -> Changed:
    """A player's plans without those that are cancelled. Problems: `post.plan.number`."""
    reader = _reader(known, seat)
    if order.what == "away":
        return Changed(tuple(plans))
    chosen = [plan for plan in plans if order.what in {"all", plan.number, _kind(reader.stored(plan.text).order)}]
    if isinstance(order.what, int) and not chosen:
        numbers = ", ".join(str(plan.number) for plan in plans)
        hint = f"Plans that hold: {numbers}." if plans else "You have no plans."
        told = f"You have no plan {order.what}"
        return Changed(tuple(plans), problems=(Problem(Kind.NAME, "post.plan.number", told, hint=hint),))
    notes = tuple(_note(plan, "ended", "is cancelled", "post.plan.ends") for plan in chosen)
    return Changed(tuple(plan for plan in plans if plan not in chosen), notes)


@cites("post.plan.ends", "post.undo.plans")
def all_end(plans: Sequence[Plan], because: str, rule: str) -> tuple[Note, ...]:
    """What is told of plans that all end at once."""
    return tuple(_note(plan, "ended", f"has ended: {because}", rule) for plan in plans)


@cites("post.standing.stays")
def own_turn(known: Replay, seat: int, plans: Sequence[Plan]) -> Changed:
    """A player's plans after the player has sent a turn: what was given before has ended, but for orders that stay."""
    reader, judge = _reader(known, seat), _judge(known, seat)
    read = {plan: reader.stored(plan.text).order for plan in plans}
    stay = tuple(plan for plan, order in read.items() if isinstance(order, Standing) and judge.stays(order))
    ended = [plan for plan in plans if plan not in stay]
    return Changed(stay, all_end(ended, "you sent a turn", "post.plan.ends"))


def due(known: Replay) -> int:
    """The number of the turn at which a game stands."""
    return known.record.turns[-1].number + 1 if known.record.turns else 1


def _reader(known: Replay, seat: int) -> OrderReader:
    return order_reader(known.record.game, known.record.names, seat)


def _kind(order: Order | None) -> str:
    """What `cancel` calls the kind of a plan."""
    return "standing" if isinstance(order, Standing) else "conditional"


def _too_many(plans: Sequence[Plan]) -> Problem | None:
    if len(plans) < MOST_PLANS:
        return None
    told, hint = f"You have {len(plans)} plans; {MOST_PLANS} are the most", "`cancel NUMBER` ends one of them."
    return Problem(Kind.ILLEGAL, "post.plan.most", told, hint=hint)


def _is_over(known: Replay, seat: int, order: Standing | Planned) -> Problem | None:
    """Why a standing order has nothing to wait for."""
    return _judge(known, seat).pointless(order, due(known)) if isinstance(order, Standing) else None


def _judge(known: Replay, seat: int) -> Judge:
    return mail_plugin(known.record.game).judge(known, seat)


def _note(plan: Plan, became: Became, what: str, rule: str) -> Note:
    return Note(plan.number, plan.text, became, what, rule)


# -- deciding ---------------------------------------------------------------------------------------------


@frozen
class _Verdict:
    """What a plan wants now: a turn, to stop, or nothing; why, by which rule; the steps after that; or that it is over."""

    plan: Plan
    wants: Turn | Stop | None
    told: str
    rule: str
    rest: Steps = ()
    over: bool = False
    standing: bool = False


@cites("post.plan.order")
def decide(known: Replay, seat: int, plans: Sequence[Plan]) -> Decision:
    """What a player's plans make of the turn that is due. `known` is what that player may know of the game.

    Nothing, where it is not the player's turn. The same plans in the same game give the same decision.
    """
    if known.position.to_act != seat or not plans:
        return Decision("nothing", tuple(plans))
    verdicts = [_verdict(known, seat, plan) for plan in plans]
    stopping = next((verdict for verdict in verdicts if isinstance(verdict.wants, Stop)), None)
    if stopping:
        return _stopped(verdicts, stopping)
    wanting = sorted((verdict for verdict in verdicts if verdict.wants), key=lambda verdict: verdict.standing)
    if not wanting:
        return Decision("nothing", _remaining(verdicts, None, ""), _notes(verdicts, None))
    chosen = wanting[0]
    assert isinstance(chosen.wants, Turn)
    tried = append(known, chosen.wants.text)
    if tried.problems:
        return _refused(verdicts, chosen, chosen.wants.text, tuple(tried.problems))
    rest = _reader(known, seat).written(Planned(chosen.rest)) if chosen.rest else ""
    return Decision("play", _remaining(verdicts, chosen, rest), _notes(verdicts, chosen), chosen.wants.text)


def _verdict(known: Replay, seat: int, plan: Plan) -> _Verdict:
    """What one plan wants."""
    reader = _reader(known, seat)
    read = reader.stored(plan.text)
    judge = _judge(known, seat)
    if isinstance(read.order, Standing):
        return _standing(judge, plan, read.order, reader)
    if isinstance(read.order, Planned):
        return _steps(judge, plan, read.order.steps)
    told = "; ".join(problem.message for problem in read.problems)
    return _Verdict(plan, Stop(), f"it is not understood any more ({told})", "post.plan.refused")


@cites("post.standing")
def _standing(judge: Judge, plan: Plan, order: Standing, reader: OrderReader) -> _Verdict:
    """What a standing order wants: its turn, unless it is over, or has none now."""
    over = judge.over(order, plan.since)
    if over.met:
        return _Verdict(plan, None, over.told, over.rule, over=True, standing=True)
    chosen = judge.turn(order, over)
    if not chosen.text:
        return _Verdict(plan, None, chosen.told, chosen.rule, standing=True)
    wants = reader.read(chosen.text).order
    assert isinstance(wants, Turn)
    return _Verdict(plan, wants, chosen.told, chosen.rule, standing=True)


@cites("post.plan.waits")
def _steps(judge: Judge, plan: Plan, steps: Steps) -> _Verdict:
    """What the first of some steps wants, and which steps are left then."""
    told: list[str] = []
    rule, at = "post.plan.order", steps
    while isinstance(at[0], If):
        step, *later = at
        assert isinstance(step, If)
        judged = judge.together(step)
        told.append(judged.told)
        rule = judged.rule
        branch = step.then if judged.met else step.otherwise
        if branch is None:
            over = not judge.can_happen(steps)
            return _Verdict(plan, None, _why(told), "post.plan.ends" if over else "post.plan.waits", over=over)
        at = (*branch, *later)
    wants = at[0]
    return _Verdict(plan, wants, _why(told) or "its next step is due", rule, at[1:])


def _why(told: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(told))


# -- what is told and what remains ------------------------------------------------------------------------


def _remaining(verdicts: Sequence[_Verdict], chosen: _Verdict | None, rest: str) -> tuple[Plan, ...]:
    """The plans that remain; of the one that was carried out, what is left of it."""
    plans = []
    for verdict in verdicts:
        if verdict.over:
            continue
        if verdict is not chosen or verdict.standing:
            plans.append(verdict.plan)
        elif rest:
            plans.append(evolve(verdict.plan, text=rest))
    return tuple(plans)


def _notes(verdicts: Sequence[_Verdict], chosen: _Verdict | None) -> tuple[Note, ...]:
    """What became of each plan, where none stops."""
    return tuple(_told(verdict, chosen) for verdict in verdicts)


def _told(verdict: _Verdict, chosen: _Verdict | None) -> Note:
    plan, told = verdict.plan, verdict.told
    if verdict is chosen and isinstance(verdict.wants, Turn):
        return _note(plan, "played", f"plays `{verdict.wants.text}`: {told}", verdict.rule)
    if verdict.over:
        because = told if verdict.standing else f"it cannot come true any more, as {told}"
        return _note(plan, "ended", f"has ended: {because}", verdict.rule)
    because, rule = told, verdict.rule
    if verdict.wants and chosen:
        because, rule = f"plan {chosen.plan.number} goes before it", "post.plan.order"
    return Note(plan.number, plan.text, "waits", f"waits: {because}", rule, verdict.standing, because)


def _stopped(verdicts: Sequence[_Verdict], stopping: _Verdict) -> Decision:
    """The decision where a plan stops: the player is asked, and every plan ends."""
    stops = f"stops, and you are asked: {stopping.told}"
    return Decision("ask", (), _all_end(verdicts, stopping, stops, stopping.rule))


@cites("post.plan.refused")
def _refused(verdicts: Sequence[_Verdict], chosen: _Verdict, turn: str, problems: tuple[Problem, ...]) -> Decision:
    """The decision where a planned turn breaks a rule: the player is asked, and every plan ends."""
    stops = f"cannot play `{turn}`, and you are asked: {problems[0].message}"
    return Decision("ask", (), _all_end(verdicts, chosen, stops, "post.plan.refused"), turn, problems)


@cites("post.plan.ends")
def _all_end(verdicts: Sequence[_Verdict], cause: _Verdict, stops: str, rule: str) -> tuple[Note, ...]:
    """What became of each plan, where one of them makes all end."""
    ended = f"has ended, as plan {cause.plan.number} stopped"
    return tuple(
        _note(verdict.plan, "stopped", stops, rule)
        if verdict is cause
        else _note(verdict.plan, "ended", ended, "post.plan.ends")
        for verdict in verdicts
    )
