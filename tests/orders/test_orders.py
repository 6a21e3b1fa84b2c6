"""Orders: what may be typed and how it is written, what is refused and why, and in which order a mail is carried out."""

from __future__ import annotations

import pytest

from tests.mail.typed import lines_of
from tests.shared.tables import each_row
from tkid.games.struggle.notation import orders as c
from tkid.games.struggle.rules.board import UNSTABLE
from tkid.mail.order_finder import MOST_ORDERS, OrderReader, sort_lines
from tkid.notation.names import ANYONE
from tkid.orders import order_values as o
from tkid.rulebook import rule
from tkid.rulebook.rulesets import ruleset

NAMES = ("Ann", "Bob", "Cal", "Dee")
STRANGE = ("Bob (GM)", "Smith, John", "Then Stop", "Anyone")
GAME = ruleset("second-edition").game()
ADVANCED = ruleset("second-edition-advanced").game()
ANN = OrderReader(GAME, NAMES, 0)
SPIES = OrderReader(ADVANCED, NAMES, 0)
ODD = OrderReader(ADVANCED, STRANGE)
TURN = "Manoeuvre S Moray <> E Devon; summon W Gwynedd"

UNDERSTOOD = {
    "pass!": "Pass",
    "man s mor ↔ e dev; summon w gwy": TURN,
    "pass until struggle": "pass until struggle",
    "Pass until the next power struggle.": "pass until struggle",
    "PASS  UNTILL A STRUGGLE HAPPENS": "pass until struggle",
    "pass till there is a struggle": "pass until struggle",
    "pass until someone acts": "pass until someone acts",
    "pass until anybody else plays a card": "pass until someone acts",
    "pass until bob plays": "pass until Bob acts",
    "pass until 2 acts": "pass until Bob acts",
    "pass until seat 2 acts": "pass until Bob acts",
    "pass until Essex is contested": "pass until Essex is contested",
    "pass until ess becomes contested": "pass until Essex is contested",
    "pass always": "pass always",
    "pass forever": "pass always",
    "pass every turn": "pass always",
    "pass until further notice": "pass always",
    "always pass": "pass always",
    "keep passing": "pass always",
    "keep on passing until Bob acts": "pass until Bob acts",
    "if Bob passes: Pass": "if Bob passes: Pass",
    "IF  bob PASSED , THEN pass; OTHERWISE stop": "if Bob passes: Pass; else stop",
    "if Bob passes then Pass or else ask me": "if Bob passes: Pass; else stop",
    "“if Bob passes: stop”": "if Bob passes: stop",
    f"if Bob plays Neg: {TURN.casefold()}. Else: stop.": f"if Bob plays Negotiate: {TURN}; else stop",
    "if anybody plays Negotiate: stop": "if anyone plays Negotiate: stop",
    "if everybody else passes: Pass; else stop": "if everyone passes: Pass; else stop",
    "if Bob acts: stop": "if Bob acts: stop",
    "if Bob plays: stop": "if Bob acts: stop",
    "if Essex is contested: stop": "if Essex is contested: stop",
    "if Essex goes to E: Pass": "if Essex goes to the English: Pass",
    "if Essex is won by the english: Pass": "if Essex goes to the English: Pass",
    "if Essex becomes unstable: stop": "if Essex is unstable: stop",
    "if Essex is Welsh: stop": "if Essex goes to the Welsh: stop",
    "if Essex goes to unstable: stop": "if Essex is unstable: stop",
    "if there was a power struggle: stop": "if a struggle happens: stop",
    "if Bob passes and Cal passes and Essex is contested: Pass": (
        "if Bob passes and Cal passes and Essex is contested: Pass"
    ),
    "if Bob passes or Cal acts: Pass": "if Bob passes or Cal acts: Pass",
    "if Bob passes: if Cal passes: Pass; else stop": "if Bob passes: if Cal passes: Pass; else stop",
    "if Bob passes: (if Cal passes: Pass); else stop": "if Bob passes: (if Cal passes: Pass); else stop",
    "if Bob passes: Pass; else if Cal passes: stop; else Pass": (
        "if Bob passes: Pass; else if Cal passes: stop; else Pass"
    ),
    f"pass; then {TURN}; then pass": f"Pass; then {TURN}; then Pass",
    "Pass, and then: Pass": "Pass; then Pass",
    "(if Bob passes: Pass); then Pass": "(if Bob passes: Pass); then Pass",
    "if Bob passes: Pass; then Pass; else stop": "if Bob passes: Pass; then Pass; else stop",
    "(pass)": "(Pass)",
    "((Pass; then Pass); then (stop))": "Pass; then Pass; then stop",
    "cancel": "cancel all",
    "cancel everything": "cancel all",
    "Cancel standing orders": "cancel standing",
    "cancel conditionals": "cancel conditional",
    "cancel plan 3": "cancel 3",
    "cancel #12": "cancel 12",
    "cancel away": "cancel away",
    "say to all: Well met: “everybody”!": "say to all: Well met: “everybody”!",
    "tell everyone: hi": "say to all: hi",
    "say bob: hi": "say to Bob: hi",
    "press to 4: hi": "say to Dee: hi",
    "status?": "status",
    "position": "status",
    "legal": "legal",
    "legal neg": "legal Negotiate",
    "rule second.turn.pass": "rules second.turn.pass",
    "rules summon": "rules summon",
    "why?": "why",
    "history": "history",
    "help": "help",
    "?": "help",
    "help tell": "help say",
    "help pass": "help standing",
    "away 2026-12-20 to 2026-12-27": "away 2026-12-20 to 2026-12-27",
    "away from 20 Dec 2026 until 27.12.2026": "away 2026-12-20 to 2026-12-27",
    "away December 20, 2026 - 27th of december 2026": "away 2026-12-20 to 2026-12-27",
    "away 20/12/2026 to 12/27/2026": "away 2026-12-20 to 2026-12-27",
    "away 10.11.2026 to 11/11/2026": "away 2026-11-10 to 2026-11-11",
    "undo?": "undo?",
    "undo": "undo?",
    "undo yes": "undo yes",
    "undo agreed.": "undo yes",
    "undo no": "undo no",
    "Agree draw!": "agree draw",
    "agree  abandon": "agree abandon",
    "agree no.": "agree no",
    "pause till 20 Dec 2026": "pause until 2026-12-20",
    "PAUSE until 2026-12-20": "pause until 2026-12-20",
    "resign": "resign",
    "Resign!": "resign",
    "notify every turn": "notify every turn",
    "notify me of all turns": "notify every turn",
    "notify only my turns": "notify my turns",
    "notify power struggles": "notify struggles",
    f"draft {TURN}": f"draft {TURN}",
    "Draft: pass.": "draft Pass",
}
"""What may be typed, and how it is written."""


@each_row("typed", UNDERSTOOD)
def test_what_is_typed_is_understood(typed: str) -> None:
    read = ANN.read_line(typed)
    assert read.order is not None, read.problems
    assert read.meant
    assert ANN.write_order(read.order) == UNDERSTOOD[typed]


@each_row("canonical", dict.fromkeys(UNDERSTOOD.values()))
def test_what_is_written_is_read_as_the_same(canonical: str) -> None:
    order = ANN.read_line(canonical).order
    assert order is not None
    assert ANN.write_order(order) == canonical
    assert ANN.read_line(f"  {canonical.upper()}  ").order == order or isinstance(order, o.Say)


REFUSED = {
    # what begins like no order
    "statsu": ("post.order.unknown", "statsu", "`status`"),
    "resing": ("post.order.unknown", "resing", "`resign`"),
    "when Bob passes: stop": ("post.order.unknown", "when", "`if`"),
    "stop": ("post.order.unknown", "stop", "`cancel`"),
    "xyzzy": ("post.order.unknown", "xyzzy", "`help` lists them all"),
    "Psas": ("notation.card", "Psas", "Did you mean Pass?"),
    # turns, wherever they stand
    "Man S Mory <> E Devon": ("notation.region", "Mory", "Moray"),
    "draft Man S Mory <> E Devon": ("notation.region", "Mory", "Moray"),
    "if Bob passes: Man S Moray <> E Devn; else stop": ("notation.region", "Devn", "Devon"),
    "Pass; if Bob passes: stop": ("post.order.form", "if", "`then if`"),
    "Spy Bob: Pass": ("second.advanced.cunning", "Spy", "The cards are"),
    # plans
    "pass until": ("post.order.form", "", "`pass until struggle`"),
    "pass until Bob": ("post.order.form", "", "`pass until struggle`"),
    "pass until Esex is contested": ("notation.region", "Esex", "Essex"),
    "pass until Bobb acts": ("notation.player", "Bobb", "Bob"),
    "pass until everyone acts": ("post.order.form", "everyone", "someone"),
    "pass until I act": ("post.plan.others", "I", "anyone"),
    "pass until struggle and Bob acts": ("post.order.form", "and", "`pass until struggle`"),
    "if Bob passes": ("post.order.form", "", "`if anyone"),
    "if Bob passes:": ("post.order.form", "", "`if anyone"),
    "if: Pass": ("post.order.form", ":", "`if anyone"),
    "if Bob: Pass": ("post.order.form", ":", "`if anyone"),
    "if Bob or Cal passes: Pass": ("post.order.form", "or", "`if anyone"),
    "if Bob passes or Cal passes and Essex is contested: stop": ("post.order.form", "and", "`if anyone"),
    "if Bob passes: (Pass": ("post.order.form", "", "`if anyone"),
    "if Bob passes: Pass)": ("post.order.form", ")", "`if anyone"),
    "if Bob passes: Pass; else": ("post.order.form", "", "`if anyone"),
    "else stop": ("post.order.form", "else", "`if anyone"),
    "if Bob passes: stop; then Pass": ("post.order.form", "stop", "ends with `stop`"),
    "if Bob does not pass: stop": ("post.order.form", "Bob does not", "There is no `not`"),
    "if Ann passes: stop": ("post.plan.others", "Ann", "anyone"),
    "if Bob plays Negotiat3: stop": ("notation.card", "Negotiat3", "Negotiate"),
    "if Bob plays Pass: stop": ("notation.card", "Pass", "The cards are"),
    "if Essex goes to the Picts: stop": ("notation.faction", "Picts", "English"),
    "((Psas; then Pass); then (stop))": ("notation.card", "Psas", "Did you mean Pass?"),
    "((((((Pass))))))": ("post.plan.nested", "(", "several orders"),
    "if Bob acts: " * 6 + "stop": ("post.plan.nested", None, "several orders"),
    # words to players
    "say to all:": ("post.order.form", "", "`say to all: TEXT`"),
    "say to Bob": ("post.order.form", "", "`say to all: TEXT`"),
    "say to Bobb: hi": ("notation.player", "Bobb", "Bob"),
    "say to Bob and Dee: hi": ("notation.player", "Bob and Dee", "Write to one player"),
    "say to me: hi": ("notation.player", "me", "Write to one player"),
    "say to Ann: hi": ("post.say.self", "Ann", "`say to all: TEXT`"),
    "say to Cal: hi": ("post.say.team-mate", "Cal", "`say to all: TEXT`"),
    f"say to all: {'x' * 2000}": ("post.say.long", "x", "another line"),
    # days
    "away 10/11/2026 to 2026-12-01": ("post.date.ambiguous", "10/11/2026", "`2026-11-10` or `2026-10-11`"),
    "away 31 Feb 2026 to 2026-12-01": ("post.date.calendar", "31 Feb 2026", "`2026-12-20`"),
    "away 32/13/2026 to 2026-12-01": ("post.date.calendar", "32/13/2026", "`2026-12-20`"),
    "away 20 Dec to 27 Dec 2026": ("post.date.calendar", "20 Dec", "`2026-12-20`"),
    "away 2026-12-27 to 2026-12-20": ("post.away.span", "2026-12-20", "`away 2026-12-20 to 2026-12-27`"),
    "away 2026-12-20": ("post.order.form", "", "`away 2026-12-20 to"),
    # small orders
    "cancel lunch": ("post.order.form", "lunch", "`cancel all`"),
    "undo maybe": ("post.order.form", "maybe", "`undo yes`"),
    "agree": ("post.order.form", None, "`agree draw`"),
    "agree draw now": ("post.order.form", "now", "`agree draw`"),
    "pause until": ("post.order.form", None, "`pause until 2026-12-20`"),
    "pause until 10/11/2026": ("post.date.ambiguous", "10/11/2026", "2026-11-10"),
    "notify never": ("post.order.form", "never", "`notify my turns`"),
    "notify": ("post.order.form", "", "`notify my turns`"),
    "resign now": ("post.order.form", "now", "`resign`"),
    "status now": ("post.order.form", "now", "`status`"),
    "legal xyz": ("notation.card", "xyz", "The cards are"),
    "rules second.turn.pasz": ("post.order.rule", "second.turn.pasz", "`rules second.turn.pass`"),
    "draft": ("post.order.form", "", "`draft Pass`"),
    "draft pass until struggle": ("post.order.form", "pass until struggle", "`draft Pass`"),
    f"if Bob passes: {TURN}; else {'Pass; then ' * 24}Pass": ("mail.long-line", None, "split it into several"),
}
"""What is refused: the rule, the place at fault, and what the way out says."""


@each_row("typed", REFUSED)
def test_what_is_refused_is_named_with_rule_place_and_way_out(typed: str) -> None:
    read = ANN.read_line(typed)
    rule_id, place, hint = REFUSED[typed]
    assert read.order is None
    problem = read.problems[0]
    assert problem.rule == rule_id
    assert hint in problem.hint
    assert place is None or typed[problem.col - 1 :][: problem.length if place else 0] == place
    assert rule(problem.rule)
    assert read.meant or typed == "xyzzy"


HERE = ("post.order", "post.say", "post.date", "post.away", "post.plan", "post.standing", "post.condition", "post.undo")
"""The rules of the house that orders and plans are about."""
EMITTED_WITH_PLANS = {"post.plan.most", "post.plan.number", "post.plan.over"}
EMITTED_AT_THE_DESK = {
    "post.order.most",
    "post.order.late",
    "post.order.over",
    "post.order.hosted",
    "post.undo.turn",
    "post.undo.open",
    "post.undo.host",
}
"""What tests/mail/test_plans_held.py shows, and tests/mail/test_service.py and test_undoing.py."""


def test_every_constraint_of_orders_is_shown() -> None:
    from tkid.rulebook import all_rules  # noqa: PLC0415 - here only

    shown = {rule_id for rule_id, _, _ in REFUSED.values() if rule_id.startswith("post.")}
    constraints = {each.id for each in all_rules() if each.id.startswith(HERE) and each.kind == "constraint"}
    assert shown | EMITTED_WITH_PLANS | EMITTED_AT_THE_DESK == constraints


def test_all_that_is_wrong_with_a_plan_is_named_at_once_in_its_order() -> None:
    line = f"if Bobb plays Negotiat3 and Esex is contested: {TURN.replace('Moray', 'Mory')}; else Psas"
    problems = ANN.read_line(line).problems
    assert [line[p.col - 1 :][: p.length] for p in problems] == ["Bobb", "Negotiat3", "Esex", "Mory", "Psas"]


def test_a_wrong_turn_before_another_is_no_stop() -> None:
    (problem,) = ANN.read_line("if Bob passes: Psas; then Pass").problems
    assert "`Psas`" in problem.message
    (problem,) = ANN.read_line("if Bob passes: stop then Pass").problems
    assert problem.message == "Nothing can come after `stop`"


@each_row(
    "remark",
    [
        "Hello Bob, how are you?",
        "If you like we can play another one next week.",
        "Why did you do that to me again?",
        "Status quo is fine with me.",
        "Say hi to your wife, and thank you for the game",
        "Help, I am losing this one",
        "When will you be back?",
        "English is not my language, sorry about that",
        "Away with you, villain",
        "Legal advice would be welcome here",
        "History will judge you for this",
        "",
        "...",
        "-- ",
    ],
)
def test_sentences_are_not_taken_for_orders(remark: str) -> None:
    read = ANN.read_line(remark)
    assert read.order is None
    assert not read.meant
    assert read.problems


def test_the_values_are_small_and_say_what_is_asked() -> None:
    plan = ANN.read_line("if Bob passes and Essex is unstable: Pass; else stop").order
    assert isinstance(plan, o.Planned)
    (step,) = plan.steps
    assert isinstance(step, o.If)
    assert step.conditions == (c.Passes(1), c.Outcome(6, UNSTABLE))
    assert step.every
    assert isinstance(step.then[0], o.Turn)
    assert step.then[0].text == "Pass"
    assert step.otherwise == (o.Stop(),)
    assert ANN.read_line("say to 2: hi").order == o.Say(1, "hi")
    assert ANN.read_line("cancel 7").order == o.Cancel(7)
    assert ANN.read_line("undo no").order == o.Undo("refuse")
    assert ANN.read_line("pass until anyone acts").order == c.Standing("acts", who=ANYONE)


def test_else_and_then_belong_to_the_nearest_if() -> None:
    near = ANN.read_line("if Bob passes: if Cal passes: Pass; then Pass; else stop").order
    assert isinstance(near, o.Planned)
    outer = near.steps[0]
    assert isinstance(outer, o.If)
    inner = outer.then[0]
    assert isinstance(inner, o.If)
    assert outer.otherwise is None
    assert inner.otherwise == (o.Stop(),)
    assert len(inner.then) == 2
    far = ANN.read_line("if Bob passes: (if Cal passes: Pass); else stop").order
    assert isinstance(far, o.Planned)
    assert isinstance(far.steps[0], o.If)
    assert far.steps[0].otherwise == (o.Stop(),)


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("if bob (gm) passes: stop", "if Bob (GM) passes: stop"),
        ("if Smith, John plays Spy: (Pass); else stop", "if Smith, John plays Spy: Pass; else stop"),
        ("if 3 passes: Pass", "if 3 passes: Pass"),
        ("if player 4 acts: stop", "if 4 acts: stop"),
        ("say to then stop: hi", "say to Then Stop: hi"),
        ("Spy Smith, John: March SW Essex > Warwick; summon W Gwynedd",) * 2,
        ("if anyone acts: stop", "if anyone acts: stop"),
    ],
)
def test_players_with_strange_names_are_named(typed: str, canonical: str) -> None:
    order = ODD.read_line(typed).order
    assert order is not None
    assert ODD.write_order(order) == canonical
    assert ODD.read_line(canonical).order == order


def test_a_name_that_means_something_else_goes_by_number() -> None:
    assert ODD.read_line("if anyone acts: stop").order == o.Planned((o.If((c.Plays(ANYONE),), (o.Stop(),)),))
    assert ODD.read_line("if 4 passes: stop").order == o.Planned((o.If((c.Passes(3),), (o.Stop(),)),))
    assert OrderReader(GAME, ("All", "Bob")).read_line("say to all: hi").order == o.Say("all", "hi")
    assert OrderReader(GAME, ("All", "Bob")).write_order(o.Say(0, "hi")) == "say to 1: hi"


def test_the_longest_name_is_meant() -> None:
    three = OrderReader(GAME, ("Ann", "Ann Lee", "Ann Lee Moray"))
    for seat, name in enumerate(("Ann", "Ann Lee", "Ann Lee Moray")):
        assert three.read_line(f"if {name.lower()} passes: stop").order == o.Planned(
            (o.If((c.Passes(seat),), (o.Stop(),)),)
        )


def test_with_three_players_nobody_has_a_team_mate() -> None:
    assert OrderReader(GAME, NAMES[:3], 0).read_line("say to Cal: hi").order == o.Say(2, "hi")


def test_words_to_players_are_kept_as_they_were_typed() -> None:
    read = ANN.read_line("say to all: “Déjà vu” — isn’t it?\t*nice*")
    assert read.order == o.Say("all", "“Déjà vu” — isn’t it? *nice")


# -- the order of several ---------------------------------------------------------------------------------


def test_the_lines_of_a_mail_are_carried_out_in_their_own_order() -> None:
    lines = (
        "status",
        "pass until struggle",
        "Pass",
        "if anyone acts: stop",
        "undo?",
        "away 2026-12-20 to 2026-12-27",
        "cancel all",
        "statsu",
        "say to all: hi",
        "draft Pass",
    )
    found = sort_lines(lines_of(ANN, *lines))
    assert [line.typed for line in found] == [
        "say to all: hi",
        "draft Pass",
        "cancel all",
        "away 2026-12-20 to 2026-12-27",
        "undo?",
        "Pass",
        "pass until struggle",
        "if anyone acts: stop",
        "status",
        "statsu",
    ]
    assert [line.read for line in found] == [ANN.read_line(line.typed) for line in found]


def test_a_mail_gives_one_turn_and_loses_nothing_else() -> None:
    found = sort_lines(lines_of(ANN, "Pass", "draft Pass", TURN, "why"))
    assert [line.typed for line in found] == ["draft Pass", "Pass", "why", TURN]
    assert [problem.rule for problem in found[-1].read.problems] == ["mail.one-turn"]


def test_a_mail_gives_so_many_orders_and_no_more() -> None:
    lines = sort_lines(lines_of(ANN, *(f"say to all: {number}" for number in range(MOST_ORDERS + 9))))
    assert len(lines) == MOST_ORDERS + 1
    assert [problem.rule for line in lines for problem in line.read.problems] == ["post.order.most"]
    assert lines[-1].typed == f"say to all: {MOST_ORDERS}"
