"""Plans: standing orders, several plans at a time, what ends them, and what a plan is."""

from __future__ import annotations

import json

import attrs
import pytest
from attrs import asdict

from tests.mail.planned import GAMES, START, after, cut, gave, given, recorded
from tkid.games.struggle.mail import find_example_turn
from tkid.games.struggle.notation.orders import Standing
from tkid.mail.plans import MOST_PLANS, Decision, Plan, add_plan, cancel_plans, decide_by_plans, end_by_own_turn
from tkid.orders.order_values import Cancel
from tkid.record.play.views import hide_secrets

# -- standing orders --------------------------------------------------------------------------------------


def test_passing_until_a_struggle() -> None:
    known = after("Pass", "Pass")
    plans = given(known, "pass until struggle")
    known = after("Assemble", of=known)
    decision = decide_by_plans(known, 0, plans)
    assert (decision.kind, decision.turn, decision.plans) == ("play", "Pass", plans)
    assert decision.notes[0].rule == "post.standing.struggle"
    assert decision.notes[0].sentence == "Plan 1 plays `Pass`: no power struggle was resolved since you gave it."
    known = after("Pass", "Pass", "Pass", of=known)
    over = decide_by_plans(known, 0, plans)
    assert (over.kind, over.plans) == ("nothing", ())
    assert over.notes[0].sentence == "Plan 1 has ended: the power struggle in Northumbria was resolved."


def test_struggles_before_a_standing_order_do_not_count() -> None:
    known = after("Pass", "Pass", "Pass")
    assert decide_by_plans(known, 0, given(known, "pass until struggle")).kind == "play"


def test_passing_until_someone_acts() -> None:
    known = after("Assemble", "Assemble")  # known when the order is given
    plans = given(known, "pass until someone acts", to=())
    assert decide_by_plans(after("Pass", of=known), 0, plans).kind == "play"
    over = decide_by_plans(after("Negotiate", of=known), 0, plans)
    assert (over.kind, over.plans) == ("nothing", ())
    assert over.notes[0].sentence == "Plan 1 has ended: Cal played Negotiate in turn 3."
    own = after("Pass", "Assemble", "Pass", "Pass", of=known)
    assert decide_by_plans(own, 0, given(after("Pass", of=known), "pass until someone acts")).kind == "play"


def test_passing_until_one_player_acts() -> None:
    known = after("Assemble")
    plans = given(known, "pass until Bob acts")
    assert decide_by_plans(after("Pass", "Assemble", of=known), 0, plans).kind == "play"
    assert decide_by_plans(after("Assemble", "Pass", of=known), 0, plans).kind == "nothing"


def test_passing_until_a_region_is_contested() -> None:
    known = after("Assemble")
    plans = given(known, "pass until Strathclyde is contested")
    decision = decide_by_plans(after("Pass", "Pass", of=known), 0, plans)
    assert decision.kind == "play"
    assert decision.notes[0].sentence == "Plan 1 plays `Pass`: Northumbria is contested."
    known = after("Pass", "Pass", "Pass", "Pass", "Assemble", of=known)
    over = decide_by_plans(known, 0, plans)
    assert (over.kind, over.plans) == ("nothing", ())
    assert over.notes[0].sentence == "Plan 1 has ended: Strathclyde is contested."


def test_a_region_that_is_over_ends_the_waiting_for_it() -> None:
    known = after("Assemble")
    plans = given(known, "pass until Strathclyde is contested")
    later = after("Pass", "Pass", "Pass", "Pass", "Pass", "Pass", of=known)
    over = decide_by_plans(later, later.position.to_act or 0, plans)
    assert over.notes[0].sentence == "Plan 1 has ended: the power struggle in Strathclyde is over."


def test_what_cannot_be_waited_for_is_refused_when_it_is_given() -> None:
    known = after("Pass", "Pass", "Pass")
    for region in ("Northumbria", "Strathclyde"):
        changed = gave(known, f"pass until {region} is contested")
        assert changed.plans == ()
        assert [problem.rule for problem in changed.problems] == ["post.plan.over"]
        assert changed.problems[0].hint


def test_passing_always() -> None:
    known = after("Assemble")
    plans = given(known, "pass always")
    for turns in (("Pass", "Assemble"), ("Negotiate", "Negotiate"), ("Pass", "Pass")):
        known = after(*turns, of=known)
        decision = decide_by_plans(known, 0, plans)
        assert (decision.kind, decision.turn, decision.plans) == ("play", "Pass", plans)
        known = after("Pass", of=known)


@pytest.mark.parametrize("line", ["pass always", "pass until struggle"])
def test_a_standing_order_never_takes_another_decision(line: str) -> None:
    checked = 0
    for path in sorted((GAMES / "second-edition-advanced").glob("plot-named-in-*.tkid")):
        game = recorded(path)
        for at, moment in enumerate(game.moments):
            if moment.position.decision != "plot":
                continue
            seat = moment.position.to_act
            assert seat is not None
            known = hide_secrets(cut(game, at), seat)
            plans = (Plan(1, known.record.turns[-1].number + 1, line),)
            decision = decide_by_plans(known, seat, plans)
            assert (decision.kind, decision.plans) == ("nothing", plans)
            assert (decision.notes[0].became, decision.notes[0].rule) == ("waits", "post.standing")
            letter = decide_by_plans(
                known, seat, given(known, "if anyone acts or anyone passes: Plot E; else Plot S", seat=seat)
            )
            assert (letter.kind, letter.turn[:4]) == ("play", "Plot")
            checked += 1
    assert checked


def test_a_new_standing_order_takes_the_place_of_the_old_one() -> None:
    known = after("Assemble")
    plans = given(known, "pass until struggle", "if Bob acts: stop")
    changed = gave(known, "pass always", to=plans)
    assert [plan.text for plan in changed.plans] == ["if Bob acts: stop", "pass always"]
    assert [(note.number, note.became) for note in changed.notes] == [(3, "given"), (1, "ended")]


# -- several plans ----------------------------------------------------------------------------------------


def test_a_guard_stops_a_standing_order() -> None:
    known = after("Assemble")
    plans = given(known, "pass always", "if anyone plays Negotiate: stop")
    for turns in (("Pass", "Assemble"), ("Assemble", "Pass")):
        known = after(*turns, of=known)
        decision = decide_by_plans(known, 0, plans)
        assert (decision.kind, decision.plans) == ("play", plans)
        assert [note.became for note in decision.notes] == ["played", "waits"]
        known = after("Pass", of=known)
    known = after("Pass", "Negotiate", of=known)
    stopped = decide_by_plans(known, 0, plans)
    assert (stopped.kind, stopped.turn, stopped.plans) == ("ask", "", ())
    assert [note.became for note in stopped.notes] == ["ended", "stopped"]
    assert decide_by_plans(known, 0, stopped.plans).kind == "nothing"


def test_stopping_goes_first_then_the_earliest_then_the_standing_order() -> None:
    known = after("Assemble")
    turn = find_example_turn(after("Pass", "Pass", of=known), "Manoeuvre")
    one, two = f"if Bob passes: {turn}", "if Cal passes: Pass"
    later = after("Pass", "Pass", of=known)
    first = decide_by_plans(later, 0, given(known, "pass always", one, two))
    assert first.turn == turn
    assert [plan.text for plan in first.plans] == ["pass always", two]
    assert [note.became for note in first.notes] == ["waits", "played", "waits"]
    assert first.notes[2].sentence == "Plan 3 waits: plan 2 comes first."
    assert first.notes[2].rule == "post.plan.order"
    assert decide_by_plans(later, 0, given(known, two, one)).turn == "Pass"
    stop = decide_by_plans(later, 0, given(known, one, "if Cal passes: stop"))
    assert stop.kind == "ask"
    assert stop.notes[0].sentence == "Plan 1 has ended, because plan 2 stopped."


def test_a_standing_order_ends_although_another_plan_is_carried_out() -> None:
    known = after("Assemble", "Pass")
    plans = given(known, "pass until someone acts", "if Bob passes: Pass")
    decision = decide_by_plans(after("Negotiate", of=known), 0, plans)
    assert (decision.kind, decision.plans) == ("play", ())
    assert [note.became for note in decision.notes] == ["ended", "played"]


def test_plans_end_with_a_turn_of_ones_own() -> None:
    plans = given(START, "pass always", "if Bob acts: stop")
    changed = end_by_own_turn(START, 0, plans)
    assert changed.plans == ()
    assert [(note.sentence, note.rule) for note in changed.notes] == [
        ("Plan 1 has ended: you sent a turn.", "post.plan.ends"),
        ("Plan 2 has ended: you sent a turn.", "post.plan.ends"),
    ]


@pytest.mark.parametrize(
    ("what", "left"),
    [("all", []), ("standing", [2, 3]), ("conditional", [1]), (2, [1, 3]), ("away", [1, 2, 3])],
)
def test_plans_are_cancelled(what: str | int, left: list[int]) -> None:
    plans = given(START, "pass always", "if Bob acts: stop", "Pass; then Pass")
    changed = cancel_plans(START, 0, plans, Cancel(what))  # type: ignore[arg-type]
    assert [plan.number for plan in changed.plans] == left
    assert sorted([*left, *(note.number for note in changed.notes)]) == [1, 2, 3]
    assert not changed.problems


def test_what_is_not_there_is_not_cancelled() -> None:
    for plans in ((), given(START, "pass always")):
        changed = cancel_plans(START, 0, plans, Cancel(7))
        assert changed.plans == plans
        assert [problem.rule for problem in changed.problems] == ["post.plan.number"]


def test_numbers_go_on() -> None:
    plans = given(START, "pass always")
    again = add_plan(START, 0, (), Standing("always"), last=plans[0].number)
    assert again.plans[0].number == 2


def test_there_is_a_most_of_plans() -> None:
    plans = given(START, *["if Bob acts: stop"] * MOST_PLANS)
    changed = gave(START, "if Bob acts: stop", to=plans)
    assert changed.plans == plans
    assert [problem.rule for problem in changed.problems] == ["post.plan.most"]


def test_a_plan_that_nobody_understands_any_more_stops() -> None:
    decision = decide_by_plans(START, 0, (Plan(1, 1, "whistle"),))
    assert (decision.kind, decision.plans) == ("ask", ())
    assert decision.notes[0].rule == "post.plan.refused"


# -- what a plan is, and who learns of it -----------------------------------------------------------------


def test_plans_are_kept_as_strings_and_numbers() -> None:
    plans = given(after("Assemble"), "pass always", "if Bob acts: stop")
    stored = json.loads(json.dumps([asdict(plan) for plan in plans]))
    assert tuple(Plan(**each) for each in stored) == plans
    assert plans[0] == Plan(1, 2, "pass always")


def test_nothing_is_decided_for_whom_it_is_not_the_turn() -> None:
    plans = given(START, "pass always", seat=1)
    assert decide_by_plans(START, 1, plans) == Decision(plans)
    assert decide_by_plans(START, 0, ()) == Decision(())


def test_a_decision_changes_nothing_and_comes_again() -> None:
    known = after("Assemble", "Pass", "Pass")
    plans = given(known, "if Bob passes: Pass; else stop", "pass always")
    before = attrs.asdict(known.last, recurse=False), len(known.moments), known.value
    assert decide_by_plans(known, 0, plans) == decide_by_plans(known, 0, plans)
    assert (attrs.asdict(known.last, recurse=False), len(known.moments), known.value) == before
