"""Players' plans: add them, cancel them, decide a turn by them.

A plan is kept as text and read again each time, so that a store holds strings and numbers. Decisions use only what the
owner of the plan may know of the game (`tkid.record.play.views.hide_secrets`), and nobody else hears of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail.order_finder import OrderReader, get_order_reader
from tkid.mail.plugin import Judged, PlanJudge, find_mail_plugin
from tkid.mail.timeline import find_next_turn
from tkid.notation.names import list_names
from tkid.orders.order_values import Cancel, If, Planned, Standing, Steps, Stop, Turn
from tkid.record.play.replay import Replay, append
from tkid.rulebook import cites

MOST_PLANS = 20


@frozen
class Plan:
    """An active plan: its number among its owner's, the first turn that counts for it, and its canonical text.

    A standing order counts the events of the turns from `since` on. A conditional plan looks at the last round,
    no matter when it was given. The text of a plan of several steps has the steps that remain.
    """

    number: int
    since: int
    text: str


Became = Literal["given", "played", "stopped", "waits", "ended"]


@frozen
class Note:
    """The fate of a plan: its number, one word for it, the same in words with the reason, and the rule."""

    number: int
    became: Became
    what: str
    rule: str
    standing: bool = False
    waits_for: str = ""

    @property
    def sentence(self) -> str:
        return f"Plan {self.number} {self.what}."


def summarize_plans(notes: Sequence[Note]) -> tuple[str, ...]:
    """Summarize for a letter what happened to plans when they were read.

    Plans that wait for the same reason share one line. Waiting standing orders are left out if another
    plan has played: they are about other turns.
    """
    played = any(note.became == "played" for note in notes)
    alike: dict[str, list[Note]] = {}
    for note in notes:
        if note.became != "waits":
            alike.setdefault(note.sentence, []).append(note)
        elif not (played and note.standing):
            alike.setdefault(f"wait: {note.waits_for}.", []).append(note)
    numbers = {reason: list_names([str(note.number) for note in some], "and") for reason, some in alike.items()}
    return tuple(
        some[0].sentence if len(some) == 1 else f"Plans {numbers[reason]} {reason}" for reason, some in alike.items()
    )


@frozen
class Decision:
    """A player's plans after they were read or changed, and what became of each that was touched.

    They `play` a turn, `ask` the player, or do nothing. The problems say why an order about them was refused, or the turn.
    """

    plans: tuple[Plan, ...]
    notes: tuple[Note, ...] = ()
    turn: str = ""
    problems: tuple[Problem, ...] = ()
    kind: Literal["play", "ask", "nothing"] = "nothing"


def add_plan(known: Replay, seat: int, plans: Sequence[Plan], order: Standing | Planned, last: int = 0) -> Decision:
    """Add a plan to a player's; `last` is the highest number that a plan of that player ever had.

    A standing order may replace an older one. Problems: `post.plan.most`, `post.plan.over`.
    """
    reader, judge, turn = _find_reader(known, seat), _find_judge(known, seat), find_next_turn(known)
    problem = judge.explain_pointless(order, turn) if isinstance(order, Standing) else None
    if len(plans) >= MOST_PLANS:
        message = f"You have {len(plans)} plans, and {MOST_PLANS} is the most"
        problem = Problem(Kind.ILLEGAL, "post.plan.most", message, hint="`cancel NUMBER` ends one of them.")
    if problem:
        return Decision(tuple(plans), problems=(problem,))
    plan = Plan(max([last, *(plan.number for plan in plans)]) + 1, turn, reader.write_order(order))
    standing = _list_standing_orders(reader, plans) if isinstance(order, Standing) else {}
    replaced = [older for older, older_order in standing.items() if judge.is_replacing(order, older_order)]
    why = f"has ended: plan {plan.number} takes its place"
    notes = (
        Note(plan.number, "given", f"is active from now on: `{plan.text}`", "post.plan"),
        *(Note(older.number, "ended", why, "post.standing") for older in replaced),
    )
    return Decision((*(older for older in plans if older not in replaced), plan), notes)


@cites("post.plan.ends")
def cancel_plans(known: Replay, seat: int, plans: Sequence[Plan], order: Cancel) -> Decision:
    """Return a player's plans without the cancelled ones. Problems: `post.plan.number`."""
    standing = _list_standing_orders(_find_reader(known, seat), plans)
    kinds = {plan: "standing" if plan in standing else "conditional" for plan in plans}
    chosen = [plan for plan in plans if order.what in {"all", plan.number, kinds[plan]}]
    if isinstance(order.what, int) and not chosen:
        numbers = ", ".join(str(plan.number) for plan in plans)
        hint = f"Your plans: {numbers}." if plans else "You have no plans."
        problem = Problem(Kind.NAME, "post.plan.number", f"You have no plan {order.what}", hint=hint)
        return Decision(tuple(plans), problems=(problem,))
    notes = tuple(Note(plan.number, "ended", "is cancelled", "post.plan.ends") for plan in chosen)
    return Decision(tuple(plan for plan in plans if plan not in chosen), notes)


@cites("post.plan.ends", "post.undo.plans")
def end_all_plans(plans: Sequence[Plan], because: str, rule: str) -> tuple[Note, ...]:
    return tuple(Note(plan.number, "ended", f"has ended: {because}", rule) for plan in plans)


@cites("post.standing.stays")
def end_by_own_turn(known: Replay, seat: int, plans: Sequence[Plan]) -> Decision:
    """Return the plans after their player has sent a turn: earlier plans end, standing orders stay."""
    if not plans:
        return Decision(())
    judge, standing = _find_judge(known, seat), _list_standing_orders(_find_reader(known, seat), plans)
    stay = tuple(plan for plan, order in standing.items() if judge.is_lasting(order))
    ended = [plan for plan in plans if plan not in stay]
    return Decision(stay, end_all_plans(ended, "you sent a turn", "post.plan.ends"))


def _list_standing_orders(reader: OrderReader, plans: Sequence[Plan]) -> dict[Plan, Standing]:
    orders = {plan: reader.read_stored(plan.text).order for plan in plans}
    return {plan: order for plan, order in orders.items() if isinstance(order, Standing)}


def _find_reader(known: Replay, seat: int) -> OrderReader:
    return get_order_reader(known.record.game, known.record.names, seat)


def _find_judge(known: Replay, seat: int) -> PlanJudge:
    return find_mail_plugin(known.record.game).make_plan_judge(known, seat)


@frozen
class _Verdict:
    """The wish of a plan now: a turn, to stop, or nothing; the reason and rule; the steps after that; or that it is over."""

    plan: Plan
    wants: Turn | Stop | None
    reason: str
    rule: str
    rest: Steps = ()
    over: bool = False
    standing: bool = False


@cites("post.plan.order", "post.plan.refused")
def decide_by_plans(known: Replay, seat: int, plans: Sequence[Plan]) -> Decision:
    """Decide the next turn by plans, as their player may know the game: always the same; empty in others' turns."""
    if known.position.to_act != seat or not plans:
        return Decision(tuple(plans))
    reader, judge = _find_reader(known, seat), _find_judge(known, seat)
    verdicts = [_judge_plan(reader, judge, plan) for plan in plans]
    stopping = next((verdict for verdict in verdicts if isinstance(verdict.wants, Stop)), None)
    if stopping:
        stops = f"stops, and you decide: {stopping.reason}"
        return Decision((), _stop_all(verdicts, stopping, stops, stopping.rule), kind="ask")
    chosen = min((each for each in verdicts if each.wants), key=lambda verdict: verdict.standing, default=None)
    notes = tuple(_describe_fate(verdict, chosen) for verdict in verdicts)
    if chosen is None:
        return Decision(_list_remaining(verdicts, None, ""), notes)
    assert isinstance(chosen.wants, Turn)
    turn = chosen.wants.text
    problems = tuple(append(known, turn).problems)
    if problems:
        stops = f"cannot play `{turn}`, and you decide: {problems[0].message}"
        return Decision((), _stop_all(verdicts, chosen, stops, "post.plan.refused"), turn, problems, "ask")
    rest = reader.write_order(Planned(chosen.rest)) if chosen.rest else ""
    return Decision(_list_remaining(verdicts, chosen, rest), notes, turn, kind="play")


def _judge_plan(reader: OrderReader, judge: PlanJudge, plan: Plan) -> _Verdict:
    read = reader.read_stored(plan.text)
    if isinstance(read.order, Standing):
        return _judge_standing(judge, plan, read.order, reader)
    if isinstance(read.order, Planned):
        return _judge_steps(judge, plan, read.order.steps)
    messages = "; ".join(problem.message for problem in read.problems)
    return _Verdict(plan, Stop(), f"it can no longer be read ({messages})", "post.plan.refused")


@cites("post.standing")
def _judge_standing(judge: PlanJudge, plan: Plan, order: Standing, reader: OrderReader) -> _Verdict:
    over = judge.judge_end(order, plan.since)
    if over.met:
        return _Verdict(plan, None, over.reason, over.rule, over=True, standing=True)
    chosen = judge.choose_turn(order, over)
    if not chosen.text:
        return _Verdict(plan, None, chosen.reason, chosen.rule, standing=True)
    wants = reader.read_line(chosen.text).order
    assert isinstance(wants, Turn)
    return _Verdict(plan, wants, chosen.reason, chosen.rule, standing=True)


@cites("post.plan.waits")
def _judge_steps(judge: PlanJudge, plan: Plan, steps: Steps) -> _Verdict:
    reasons: dict[str, None] = {}
    rule, left = "post.plan.order", steps
    while isinstance(step := left[0], If):
        judged = _judge_conditions(judge, step)
        reasons[judged.reason] = None
        rule = judged.rule
        branch = step.then if judged.met else step.otherwise
        if branch is None:
            over = not _can_happen(judge, steps)
            return _Verdict(plan, None, ", ".join(reasons), "post.plan.ends" if over else "post.plan.waits", over=over)
        left = (*branch, *left[1:])
    return _Verdict(plan, step, ", ".join(reasons) or "its next step is due", rule, left[1:])


@cites("post.condition")
def _judge_conditions(judge: PlanJudge, step: If) -> Judged:
    judged = [judge.judge_one(condition) for condition in step.conditions]
    deciding = [each for each in judged if each.met != step.every] or judged
    combined = all if step.every else any
    reason = " and ".join(dict.fromkeys(each.reason for each in deciding))
    possible = combined(each.possible for each in judged)
    return Judged(combined(each.met for each in judged), reason, deciding[0].rule, possible)


def _can_happen(judge: PlanJudge, steps: Steps) -> bool:
    """Return True if the first of some steps can still come to anything."""
    first = steps[0]
    if not isinstance(first, If):
        return True
    if _judge_conditions(judge, first).possible and _can_happen(judge, first.then):
        return True
    return first.otherwise is not None and _can_happen(judge, first.otherwise)


def _list_remaining(verdicts: Sequence[_Verdict], chosen: _Verdict | None, rest: str) -> tuple[Plan, ...]:
    plans = []
    for verdict in verdicts:
        if verdict.over:
            continue
        if verdict is not chosen or verdict.standing:
            plans.append(verdict.plan)
        elif rest:
            plans.append(evolve(verdict.plan, text=rest))
    return tuple(plans)


def _describe_fate(verdict: _Verdict, chosen: _Verdict | None) -> Note:
    plan, reason, rule = verdict.plan, verdict.reason, verdict.rule
    if verdict is chosen and isinstance(verdict.wants, Turn):
        return Note(plan.number, "played", f"plays `{verdict.wants.text}`: {reason}", rule)
    if verdict.over:
        because = reason if verdict.standing else f"it can no longer happen, because {reason}"
        return Note(plan.number, "ended", f"has ended: {because}", rule)
    if verdict.wants and chosen:
        reason, rule = f"plan {chosen.plan.number} comes first", "post.plan.order"
    return Note(plan.number, "waits", f"waits: {reason}", rule, verdict.standing, reason)


@cites("post.plan.ends")
def _stop_all(verdicts: Sequence[_Verdict], cause: _Verdict, stops: str, rule: str) -> tuple[Note, ...]:
    ended = f"has ended, because plan {cause.plan.number} stopped"
    notes = [Note(verdict.plan.number, "ended", ended, "post.plan.ends") for verdict in verdicts]
    notes[verdicts.index(cause)] = Note(cause.plan.number, "stopped", stops, rule)
    return tuple(notes)
