"""The table of order kinds, and the writer of orders.

`tkid.orders.order_reader` reads orders by this table and decides whether a wrong line was meant as an order; the mail layer
carries orders out. What differs between games is "" or None here: each game has its own words for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import cache, partial
from typing import Any

from attrs import evolve, frozen

from tkid.kernel.problems import Problem
from tkid.kernel.values import derive
from tkid.notation.names import EVERYBODY, People, simplify_name
from tkid.notation.plugin import TurnReader
from tkid.orders import order_values as o
from tkid.orders.days import find_zone_name, read_day, read_offset, write_day, write_offset
from tkid.orders.forms import OrderRow, Part, write_order


def make_away(first: date, last: Part) -> o.Away:
    """Make an absence of a first and a last day. Raises WrongError."""
    until = read_day(last.text)
    assert isinstance(until, date)
    if until < first:
        message = f"The last day, {write_day(until)}, is before the first, {write_day(first)}"
        hint = f"Did you mean `away {until.isoformat()} to {first.isoformat()}`?"
        raise last.make_error(message, hint, rule="post.away.span")
    return o.Away(first, until)


def read_date(part: Part) -> date:
    """Read a day. Raises WrongError."""
    day = read_day(part.text)
    if isinstance(day, Problem):
        raise part.make_error(day.message, day.hint, rule=day.rule)
    return day


def read_zone(part: Part) -> str:
    """Read a time zone: how far it is ahead of UTC, or its name in the time zone database. Raises WrongError."""
    offset = read_offset(part.text)
    zone = write_offset(offset) if offset is not None else find_zone_name(part.text)
    if not zone:
        raise part.make_error(f"`{part.text}` is not a time zone", ZONE_HINT, rule="post.clock.zone")
    return zone


def make_signs(*words: str) -> re.Pattern[str]:
    """Return what shows that a line was meant as an order: a digit, or one of some words."""
    return re.compile("|".join([r"\d", *(rf"\b{word}\b" for word in words)]), re.IGNORECASE)


ZONE_HINT = "Write how far it is ahead of UTC, as in `time zone +02:00`, or a city, as in `time zone Europe/Berlin`."
ANYTIME: Any = {"may_follow_end": True, "may_follow_resignation": True}
"""It may be given after the end of the game, or after its sender has resigned."""
QUESTION: Any = {
    "order": o.Ask, "rank": 6, "answers": "any", "signs": re.compile(r"\A\S+\s+\w+\.\w"), "is_harmless": True, **ANYTIME,
}  # fmt: skip
"""A kind of questions: they change nothing, so they may always be asked, and come last."""
SMALL: Any = {"most": 2, "most_shown": 6}
"""A line of two words was meant as an order, and one with another word of an order may have six."""
PROPOSED: Any = {
    "rank": 3, "answers": "told", "hosted": True, "proposes": True, "is_binding": True, "may_withdraw": True, "listed": 2, **SMALL,
}  # fmt: skip
"""A kind of orders that ask all players to agree, or answer them."""
PLANNED: Any = {
    "answers": "told", "hosted": True, "rank": 5, "may_be_broken": True, "is_binding": True, "has_own_text": True,
}  # fmt: skip
"""A kind of plans."""
ME = "notify [me] [of|on|at|about]"
KINDS = (
    OrderRow(
        "plan", help="order a turn in advance, depending on what happens; only you see the plan", order=o.Planned, begins=("if",), listed=2, **PLANNED,
    ),
    OrderRow(
        "say", {"(say|tell|press) (to|) <to> : <text>": o.Say}, "`say to all: TEXT` or `say to NAME: TEXT`", "write to all players, or to one",
        order=o.Say, has_own_text=True, is_harmless=True, rank=0, hosted=True, listed=2, **ANYTIME,
    ),
    OrderRow(
        "away", {"away [from] <first:day> (to|until|till|through|-) <last>": make_away},
        "`away 2026-12-20 to 2026-12-27`", "be away from the first day to the last; your clock stops",
        order=o.Away, rank=2, may_be_broken=True, is_binding=True, may_withdraw=True, is_sure_with_date=True, has_own_text=True,
        signs=make_signs("from", "until", "till", "next", "on", "for"), listed=2, **SMALL,
    ),
    OrderRow(
        "zone", {"(time zone|timezone) [is] [:] <zone>": o.TimeZone}, "`time zone +02:00` or `time zone Europe/Berlin`",
        "say where your days begin, for days without a clock", order=o.TimeZone, rank=2, is_binding=True, signs=make_signs("utc", "gmt", r"\w+/\w+"), listed=2, **SMALL,
    ),
    OrderRow(
        "cancel",
        {
            "cancel (all|everything) [orders|plans]": o.Cancel("all"), "cancel": o.Cancel("all"), "cancel (away|absence)": o.Cancel("away"),
            "cancel (standing [order|orders]|passes|passing)": o.Cancel("standing"), "cancel (conditional|conditionals) [order|orders]": o.Cancel("conditional"),
            "cancel [order|plan|number|no|nr] [.] <what:number>": o.Cancel,
        },
        "`cancel all`, `cancel standing`, `cancel conditional`, `cancel away`, or the number as in `cancel 2`", "end your plans, or an absence",
        order=o.Cancel, may_withdraw=True, rank=1, hosted=lambda order: order.what != "away", listed=2, **SMALL,
        signs=make_signs("all", "away", "everything", "orders?", "plans?", "standing", "conditional", "number"),
    ),
    OrderRow(
        "undo", {"undo ?": o.Undo("ask"), "undo": o.Undo("ask"), "undo [(my|the)] [last] (turn|move) [?]": o.Undo("ask"), "undo (yes|agree|agreed)": o.Undo("agree"), "undo (no|refuse|refused)": o.Undo("refuse")},
        "`undo?`, `undo yes` or `undo no`", "ask to take back the last turn; agree, or refuse",
        order=o.Undo, signs=make_signs("yes", "no", "agreed?", "refused?", "turn"), final=(o.Undo("agree"),), **PROPOSED,
    ),
    OrderRow(
        "agree", {"agree draw": o.Agree("draw"), "agree abandon": o.Agree("abandon"), "agree no": o.Agree("refuse")},
        "`agree draw`, `agree abandon` or `agree no`", "end the game with a draw or without a result, if everybody sends it; `agree no` refuses",
        order=o.Agree, signs=make_signs("draw", "abandon", "no", "drawn", "abandoned"), final=(o.Agree("draw"), o.Agree("abandon")), **PROPOSED,
    ),
    OrderRow(
        "pause", {"pause [(the|this|our) game] (until|till) <until:day>": o.Pause}, "`pause until 2026-12-20`", "stop all clocks until a day begins, if everybody sends it",
        order=o.Pause, is_sure_with_date=True, has_own_text=True, signs=make_signs("until", "till", "to"), **PROPOSED,
    ),
    OrderRow(
        "notify",
        {
            f"{ME} (every|each|all) (turn|turns)": o.Notify("every turn"), f"{ME} [only] my (turns|turn) [only]": o.Notify("my turns"),
            f"{ME} [with] (pictures|picture)": o.Notify(o.PICTURES), f"{ME} (no|without) (pictures|picture)": o.Notify(o.NO_PICTURES),
        },
        help="choose which mails you get, with pictures or without",
        order=o.Notify, rank=2, hosted=True, signs=make_signs("every", "each", "all", "my", "turns?", "pictures?"), listed=2, **ANYTIME, **SMALL,
    ),
    OrderRow(
        "draft", {"draft [:] <turn>": o.Draft}, help="check a turn without playing it; only you get the answer",
        order=o.Draft, may_withdraw=True, has_own_text=True, is_harmless=True, rank=0, may_be_broken=True, answers="any", may_follow_end=True, listed=2,
    ),
    OrderRow(
        "resign", {"resign": o.Resign()}, "`resign`", "give up the game",
        order=o.Resign, answers="told", final=(o.Resign(),), rank=3, may_withdraw=True, signs=make_signs(), listed=6, **SMALL,
    ),
    OrderRow(
        "status", {"(status|position|board) [of the game] [?]": o.Ask("status")}, "`status`", "see the game as it is now, with your plans and choices",
        most=1, listed=5, **QUESTION,
    ),
    OrderRow(
        "legal", {"(legal|moves) [(turns|moves|plays|options|choices|actions|cards)] [?]": o.Ask("legal"), "(legal|moves) [:] <argument:card> [?]": partial(o.Ask, "legal")},
        help="list the legal turns, with one card or with all", most=2, listed=3, **QUESTION,
    ),
    OrderRow(
        "rules", {"(rules|rule|ask) [?]": o.Ask("rules"), "(rules|rule|ask) [:] <argument:rule>": partial(o.Ask, "rules")}, "`rules post.undo`, or a question",
        "look up a rule by its id, or the rules that answer a question", most=2, listed=3, **QUESTION,
    ),
    OrderRow("why", {"why [?]": o.Ask("why")}, "`why`", most=1, listed=5, **QUESTION),
    OrderRow("history", {"history [of the game] [?]": o.Ask("history")}, "`history`", "see all turns", most=1, listed=5, **QUESTION),
    OrderRow(
        "help", {"help [me] [?]": o.Ask("help"), "?": o.Ask("help"), "help [:] <argument:topic> [?]": partial(o.Ask, "help")}, "`help`, or the order as in `help away`",
        "see all orders, or one of them", most=2, listed=4, **QUESTION,
    ),
    OrderRow("standing", order=o.Standing, listed=1, **PLANNED),
    OrderRow(
        "turn", help="play a turn; the mails that ask for one show some legal turns",
        order=o.Turn, answers="due", may_follow_end=True, rank=4, is_given_once=True, may_be_broken=True, is_binding=True, listed=0,
    ),
)  # fmt: skip
BY_NAME: Mapping[str, OrderRow] = {kind.name: kind for kind in KINDS}
FIRST_WORDS: Mapping[str, str] = {word: kind.name for kind in KINDS for word in kind.words}
TOPICS: Mapping[str, str] = {**FIRST_WORDS, **{kind.name: kind.name for kind in KINDS}}
"""Topics of `help` in every game."""
LISTED = tuple(sorted(KINDS, key=lambda kind: kind.listed))
"""The kinds as `help` lists them."""
LAST = max(kind.rank for kind in KINDS) + 1
"""Rank of a line that could not be read."""
_OF_CLASS = {kind.order: kind for kind in KINDS}


def find_order_kind(order: o.Order) -> OrderRow:
    if isinstance(order, o.Ask):
        return BY_NAME[order.kind]
    return _OF_CLASS[o.Standing if isinstance(order, o.Standing) else type(order)]


def list_forms(language: o.OrderLanguage) -> dict[str, str]:
    """Return the form of each kind of order except turns in a game, by its name, as `help` lists them."""
    every = {kind.name: language.forms.get(kind.name, kind.form) for kind in LISTED}
    return {name: form for name, form in every.items() if form}


@cache
def list_rows(language: o.OrderLanguage) -> Mapping[str, OrderRow]:
    forms = list_forms(language)
    rows = {kind.name: evolve(kind, form=forms.get(kind.name, "")) for kind in KINDS}
    notify, level = rows["notify"], language.level
    own = {**notify.forms, f"{ME} [power] ({level}|{level.removesuffix('s')})": o.Notify(level)}
    signs = re.compile(rf"{notify.signs.pattern}|\b{level}?\b", re.IGNORECASE)
    return rows | {"notify": evolve(notify, forms=own, signs=signs)}


@frozen
class OrderWriter:
    """Writes the orders of a game with these players; `turns` reads its turns."""

    turns: TurnReader
    people: People
    language: o.OrderLanguage = derive(lambda self: o.find_order_language(self.turns.game))

    def write_order(self, order: o.Order) -> str:
        match order:
            case o.Turn(text):
                return text
            case o.Standing():
                return self.language.write_standing(order, self.turns.game, self.people)
            case o.Planned(steps):
                written, is_turn = self._write_steps(steps), len(steps) == 1 and not isinstance(steps[0], o.If)
                return f"({written})" if is_turn else written
            case o.Draft(turn):
                return write_order(BY_NAME["draft"], order, turn=turn.text)
            case _:
                to = getattr(order, "to", None)
                named = {"to": self._write_addressee(to)} if isinstance(to, int) else {}
                return write_order(list_rows(self.language)[find_order_kind(order).name], order, **named)

    def _write_addressee(self, seat: int) -> str:
        name, plain = self.people.names[seat], simplify_name(self.people.names[seat])
        is_clear = plain not in EVERYBODY and ":" not in plain and self.people.find_seat(name) == seat
        return name if is_clear else str(seat + 1)

    def _write_steps(self, steps: o.Steps, *, last: bool = True) -> str:
        """Write the steps of a plan; `last` says that nothing follows which could be taken for a part of them."""
        *others, final = steps
        written = [self._write_step(step, last=False) for step in others]
        return "; then ".join([*written, self._write_step(final, last=last)])

    def _write_step(self, step: o.Step, *, last: bool) -> str:
        if isinstance(step, o.Turn):
            return step.text
        if isinstance(step, o.Stop):
            return "stop"
        written = self._write_if(step)
        return written if last else f"({written})"

    def _write_if(self, step: o.If) -> str:
        joined = (" and " if step.every else " or ").join(map(self.write_condition, step.conditions))
        then = self._write_steps(step.then, last=step.otherwise is None)
        if step.otherwise is None:
            return f"if {joined}: {then}"
        return f"if {joined}: {then}; else {self._write_steps(step.otherwise)}"

    def write_condition(self, condition: o.Condition) -> str:
        return self.language.write_condition(condition, self.turns.game, self.people)
