"""Plans: each condition met and not, steps, and what becomes of a planned turn."""

from __future__ import annotations

from attrs import evolve

from tests.games.struggle.shared.family import board as whole
from tests.games.struggle.shared.family import struggle
from tests.mail.planned import START, after, decided, given
from tests.shared.tables import each_row
from tkid.games.struggle.mail import find_example_turn
from tkid.games.struggle.rules.board import OPEN
from tkid.mail.plans import Plan, decide_by_plans
from tkid.record.play.replay import append, replay

# -- each condition, met and not --------------------------------------------------------------------------

MET = "if {}: Pass; else stop"
CONDITIONS = {
    # (condition, turns of Bob and Cal after Ann's): whether it is met, and why
    ("Bob passes", "Pass", "Assemble"): (True, "Bob passed in turn 2"),
    ("Bob passes", "Negotiate", "Pass"): (False, "Bob played Negotiate in turn 2"),
    ("3 passes", "Assemble", "Pass"): (True, "Cal passed in turn 3"),
    ("anyone passes", "Assemble", "Pass"): (True, "Cal passed in turn 3"),
    ("anyone passes", "Assemble", "Assemble"): (False, "nobody else passed since your last turn"),
    ("everyone passes", "Pass", "Pass"): (True, "Bob passed in turn 2 and Cal passed in turn 3"),
    ("everyone passes", "Pass", "Assemble"): (False, "Cal played Assemble in turn 3"),
    ("Bob acts", "Assemble", "Pass"): (True, "Bob played Assemble in turn 2"),
    ("Bob acts", "Pass", "Assemble"): (False, "Bob passed in turn 2"),
    ("anyone acts", "Pass", "Assemble"): (True, "Cal played Assemble in turn 3"),
    ("anyone acts", "Pass", "Pass"): (False, "nobody else played a card since your last turn"),
    ("everyone acts", "Assemble", "Assemble"): (
        True,
        "Bob played Assemble in turn 2 and Cal played Assemble in turn 3",
    ),
    ("everyone acts", "Assemble", "Pass"): (False, "Cal passed in turn 3"),
    ("Bob plays Negotiate", "Negotiate", "Pass"): (True, "Bob played Negotiate in turn 2"),
    ("Bob plays Negotiate", "Assemble", "Negotiate"): (False, "Bob played Assemble in turn 2"),
    ("anyone plays Negotiate", "Assemble", "Negotiate"): (True, "Cal played Negotiate in turn 3"),
    ("anyone plays Negotiate", "Pass", "Assemble"): (False, "nobody else played Negotiate since your last turn"),
    ("Bob passes and Cal passes", "Pass", "Pass"): (True, "Bob passed in turn 2 and Cal passed in turn 3"),
    ("Bob passes and Cal passes", "Pass", "Assemble"): (False, "Cal played Assemble in turn 3"),
    ("Bob passes or Cal passes", "Assemble", "Pass"): (True, "Cal passed in turn 3"),
    ("Bob passes or Cal passes", "Assemble", "Negotiate"): (
        False,
        "Bob played Assemble in turn 2 and Cal played Negotiate in turn 3",
    ),
    ("Northumbria is contested", "Pass", "Pass"): (True, "Northumbria is contested"),
    ("Essex is contested", "Pass", "Pass"): (False, "Northumbria is contested"),
    ("a struggle happens", "Pass", "Pass"): (False, "no power struggle was resolved since your last turn"),
    ("Northumbria is unstable", "Pass", "Pass"): (False, "the power struggle in Northumbria is still to come"),
}


@each_row("case", CONDITIONS, ids=" / ".join)
def test_a_condition_is_met_or_not_and_it_is_told_why(case: tuple[str, str, str]) -> None:
    condition, *turns = case
    met, why = CONDITIONS[case]
    decision = decided(MET.format(condition), *turns)
    (note,) = decision.notes
    assert (decision.kind, note.became) == (("play", "played") if met else ("ask", "stopped"))
    assert f": {why}." in note.sentence
    assert note.rule.startswith("post.condition.")
    assert decision.plans == ()


@each_row("case", [case for case, (met, _) in CONDITIONS.items() if not met], ids=" / ".join)
def test_without_else_a_plan_waits(case: tuple[str, str, str]) -> None:
    condition, *turns = case
    decision = decided(f"if {condition}: Pass", *turns)
    assert decision.kind == "nothing"
    (note,) = decision.notes
    assert (note.became, note.rule) == ("waits", "post.plan.waits")
    assert note.sentence == f"Plan 1 waits: {CONDITIONS[case][1]}."
    assert len(decision.plans) == 1


def test_a_struggle_that_ones_own_pass_resolves_has_happened() -> None:
    known = after("Assemble", "Pass", "Pass", "Pass")  # the third pass is Ann's
    decision = decide_by_plans(
        after("Assemble", "Assemble", of=known), 0, given(known, MET.format("a struggle happens"))
    )
    assert decision.kind == "play"
    assert "the power struggle in Northumbria was resolved" in decision.notes[0].sentence


def test_the_outcome_of_a_struggle_counts_however_long_ago() -> None:
    known = after(*["Pass"] * 6)
    position, board = whole(known.position), struggle(known.record.game).board
    resolved = [region for region, disc in enumerate(position.discs) if disc != OPEN]
    assert len(resolved) == 2
    for region in resolved:
        disc, name = position.discs[region], board.name_region(region)
        right = f"{name} is unstable" if disc < 0 else f"{name} goes to the {board.name_disc(disc)}"
        wrong = f"{name} goes to the {board.name_disc((max(disc, 0) + 1) % 3)}"
        assert decide_by_plans(known, 0, given(known, f"if {right}: Pass")).kind == "play"
        over = decide_by_plans(known, 0, given(known, f"if {wrong}: Pass"))
        assert (over.kind, over.plans) == ("nothing", ())
        assert over.notes[0].became == "ended"
        assert "can no longer happen" in over.notes[0].sentence


def test_a_plan_that_may_still_come_true_otherwise_waits() -> None:
    known = after(*["Pass"] * 3)
    plans = given(
        known, "if Northumbria is contested or Bob acts: Pass", "if Bob passes: (if Northumbria is contested: Pass)"
    )
    decision = decide_by_plans(known, 0, plans)
    assert [note.became for note in decision.notes] == ["waits", "ended"]
    branches = given(known, "if Bob passes: (if Northumbria is contested: Pass); else stop")
    assert decide_by_plans(known, 0, branches).notes[0].became == "waits"


def test_conditions_look_at_the_last_round_only() -> None:
    known = after("Assemble", "Negotiate", "Pass")
    plans = given(known, "if Bob plays Negotiate: Pass")
    assert decide_by_plans(known, 0, plans).kind == "play"
    later = after("Pass", "Pass", "Assemble", of=known)
    assert decide_by_plans(later, 0, plans).kind == "nothing"


def test_a_turn_that_was_taken_back_has_not_happened() -> None:
    known = after("Assemble", "Negotiate")
    first, second = known.record.turns
    known = replay(evolve(known.record, turns=(first, evolve(second, notes=("undone: all agreed",)))))
    known = after("Pass", "Pass", of=known)
    assert known.last.turn
    assert known.last.turn.number == 4
    plans = given(known, "if Bob plays Negotiate: stop; else Pass")
    assert decide_by_plans(known, 0, plans).notes[0].sentence == "Plan 1 plays `Pass`: Bob passed in turn 3."
    assert decide_by_plans(known, 0, (Plan(1, 2, "pass until someone acts"),)).kind == "play"


def test_before_a_player_has_had_a_turn_nothing_has_happened() -> None:
    decision = decide_by_plans(START, 0, given(START, "if Bob passes: Pass"))
    assert decision.notes[0].sentence == "Plan 1 waits: Bob has not had a turn so far."


# -- steps ------------------------------------------------------------------------------------------------


def test_steps_are_for_one_own_turn_each() -> None:
    known = after("Assemble")
    third = "if anyone acts: stop; else Pass"
    plans = given(known, f"Pass; then if Bob passes: Pass; then {third}")
    played = []
    for turns in (("Pass", "Assemble"), ("Pass", "Assemble"), ("Pass", "Pass")):
        known = after(*turns, of=known)
        decision = decide_by_plans(known, 0, plans)
        assert decision.kind == "play"
        played.append(decision.notes[0].sentence)
        known, plans = after(decision.turn, of=known), decision.plans
    assert plans == ()
    assert played[0] == "Plan 1 plays `Pass`: its next step is due."
    assert played[1] == "Plan 1 plays `Pass`: Bob passed in turn 5."


def test_what_is_left_of_a_plan_is_a_plan() -> None:
    known = after("Assemble")
    for line, left in {
        "Pass; then Pass": "(Pass)",
        "Pass; then stop": "(stop)",
        "Pass; then if Bob acts: stop": "if Bob acts: stop",
        "(if Bob passes: Pass; then Pass; else stop); then if Cal acts: stop": "Pass; then if Cal acts: stop",
    }.items():
        decision = decide_by_plans(after("Pass", "Pass", of=known), 0, given(known, line))
        assert [plan.text for plan in decision.plans] == [left]
    last = decide_by_plans(after("Pass", "Pass", of=known), 0, (Plan(1, 2, "(stop)"),))
    assert last.kind == "ask"


def test_a_waiting_step_keeps_the_steps_behind_it() -> None:
    known = after("Assemble")
    plans = given(known, "(if Bob acts: Pass); then Pass")
    decision = decide_by_plans(after("Pass", "Pass", of=known), 0, plans)
    assert decision.plans == plans


def test_nested_conditions_are_asked_from_the_outside() -> None:
    line = "if Bob passes: (if Cal passes: stop; else Pass); else if Cal passes: Pass; else stop"
    told = {
        ("Pass", "Pass"): ("ask", "Bob passed in turn 2, Cal passed in turn 3"),
        ("Pass", "Assemble"): ("play", "Bob passed in turn 2, Cal played Assemble in turn 3"),
        ("Assemble", "Pass"): ("play", "Bob played Assemble in turn 2, Cal passed in turn 3"),
        ("Assemble", "Negotiate"): ("ask", "Bob played Assemble in turn 2, Cal played Negotiate in turn 3"),
    }
    for turns, (kind, why) in told.items():
        decision = decided(line, *turns)
        assert decision.kind == kind
        assert why in decision.notes[0].sentence


def test_a_planned_turn_is_played_as_it_is_written() -> None:
    known = after("Assemble", "Pass", "Pass")
    turn = find_example_turn(known, "Manoeuvre")
    decision = decide_by_plans(known, 0, given(known, f"if Bob passes: {turn.casefold()}"))
    assert (decision.kind, decision.turn) == ("play", turn)
    assert not append(known, decision.turn).problems


def test_a_planned_turn_that_breaks_a_rule_is_asked_about() -> None:
    turn = "Assemble S Moray, W Devon, E Essex; summon W Gwynedd"
    known = after("Assemble")
    again = replay(evolve(known.record, turns=()))
    plans = given(again, f"if Bob passes: {turn}; else stop", "pass always")
    known = after("Assemble", "Pass", "Pass", "Assemble", "Pass", "Pass")  # both her Assembles are played
    decision = decide_by_plans(known, 0, plans)
    assert (decision.kind, decision.turn, decision.plans) == ("ask", turn, ())
    assert decision.problems[0].rule == "second.turn.hand"
    assert decision.problems == tuple(append(known, turn).problems)
    assert [(note.became, note.rule) for note in decision.notes] == [
        ("stopped", "post.plan.refused"),
        ("ended", "post.plan.ends"),
    ]


def test_a_plan_may_grow_when_it_is_written_out() -> None:
    short = "man s mor <> e dev; summon w gwy"
    line = "if Bob plays Out: stop" + f"; else {short}" + f"; then {short}" * 6
    assert len(line) <= 300
    known = after("Assemble")
    plans = given(known, line)
    assert len(plans[0].text) > 300
    assert decide_by_plans(after("Outmanoeuvre", "Pass", of=known), 0, plans).notes[0].rule == "post.condition.plays"
