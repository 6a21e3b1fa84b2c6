"""The table of order kinds, the simple orders, and writing an order.

`tkid.orders.order_reader` reads orders by this table, `OrderWriter` writes them, `tkid.orders.order_reader` tells an order with an error
from a sentence, and the mail layer carries them out. What differs between games is "" or None here: each game has its own words for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache, partial
from types import MappingProxyType
from typing import Any, Literal

from attrs import evolve, field, frozen

from tkid.notation.names import EVERYBODY, People, simplify_name
from tkid.notation.plugin import TurnReader
from tkid.orders import order_values
from tkid.orders.forms import FormRow, Part, write_order
from tkid.orders.order_values import (
    NO_PICTURES,
    PICTURES,
    Agree,
    Ask,
    Away,
    Cancel,
    Condition,
    Draft,
    If,
    NoDay,
    Notify,
    Order,
    OrderLanguage,
    Pause,
    Planned,
    Resign,
    Say,
    Standing,
    Step,
    Steps,
    Stop,
    Turn,
    Undo,
    find_order_language,
    read_day,
    write_day,
)

Answers = Literal["any", "latest", "told", "due"]
"""The mails of ours that an order may answer."""


def _is_about_plans(order: order_values.Cancel) -> bool:
    return order.what != "away"


@frozen(eq=False, kw_only=True)
class OrderKind(FormRow):
    """A kind of orders of a game, and all that is true of it.

    A kind with a `has_grammar` has no forms, and lines of it begin with the `begins`.
    `may_be_broken` says that a mail program may break a line of it in two, `is_given_once` that a mail has only one. An order of
    a kind may be sent after the end of the game, or after its sender has resigned, if `may_follow_end` or `may_follow_resignation`
    says so. A doubt in the mail is about orders that are `is_binding`. In the words of a kind that `may_withdraw`, people also
    withdraw a turn (`cancel that`), but not if it `is_sure_with_date` and has one. A line of a kind that `has_own_text`, such as
    conditions and days, says nothing about a turn if it has an error. A kind that `is_harmless` binds nobody, so that the two
    forms of a mail need not agree about it.
    """

    order: type
    rank: int
    begins: tuple[str, ...] = ()
    has_grammar: bool = False
    may_be_broken: bool = False
    is_given_once: bool = False
    final: tuple[order_values.Order, ...] = ()
    answers: Answers = "latest"
    may_follow_end: bool = False
    may_follow_resignation: bool = False
    is_binding: bool = False
    may_withdraw: bool = False
    is_sure_with_date: bool = False
    has_own_text: bool = False
    is_harmless: bool = False
    hosted: bool | Callable[[Any], bool] = False

    @property
    def words(self) -> tuple[str, ...]:
        """The first words of its lines."""
        return self.begins or tuple(filter(str.isalpha, self.first_words))

    def has_to_be_hosted(self, order: order_values.Order) -> bool:
        """Return True if only a host carries out an order of this kind."""
        return self.hosted(order) if callable(self.hosted) else self.hosted


def make_away(first: date, last: Part) -> Away:
    """Make an absence of a first and a last day. Raises WrongError."""
    until = read_day(last.text)
    assert isinstance(until, date)
    if until < first:
        message = f"The last day, {write_day(until)}, is before the first, {write_day(first)}"
        hint = f"Did you mean `away {until.isoformat()} to {first.isoformat()}`?"
        raise last.make_error(message, hint, rule="post.away.span")
    return Away(first, until)


def read_date(part: Part) -> date:
    """Read a day. Raises WrongError."""
    day = read_day(part.text)
    if isinstance(day, NoDay):
        raise part.make_error(day.message, day.hint, rule=day.rule)
    return day


def make_signs(*words: str) -> re.Pattern[str]:
    """Return what shows that a line was meant as an order: a digit, or one of some words."""
    return re.compile("|".join([r"\d", *(rf"\b{word}\b" for word in words)]), re.IGNORECASE)


QUESTION: Any = {
    "order": Ask,
    "rank": 6,
    "answers": "any",
    "may_follow_end": True,
    "may_follow_resignation": True,
    "signs": re.compile(r"\A\S+\s+\w+\.\w"),
    "is_harmless": True,
}
"""A kind of questions: they change nothing, so they may always be asked, and come last."""
SMALL: Any = {"most": 2, "most_shown": 6}
"""A line of two words was meant as an order, and one with another word of an order may have six."""
PROPOSED: Any = {"rank": 3, "answers": "told", "hosted": True, **SMALL}
SET: Any = {"rank": 2, "order": Notify, "may_follow_end": True, "may_follow_resignation": True, "hosted": True, **SMALL}
ME = "notify [me] [of|on|at|about]"
KINDS = (
    OrderKind(
        "plan", help="does something on your turn, depending on what happened; nobody else sees it before", order=Planned, is_binding=True, has_own_text=True, rank=5,
        begins=("if",), has_grammar=True, may_be_broken=True, answers="told", hosted=True, listed=2,
    ),
    OrderKind(
        "say", {"(say|tell|press) (to|) <to> : <text>": Say}, "`say to all: TEXT` or `say to NAME: TEXT`", "sends a message to the players, or to one",
        order=Say, has_own_text=True, is_harmless=True, rank=0, may_follow_end=True, may_follow_resignation=True, hosted=True, listed=2,
    ),
    OrderKind(
        "away", {"away [from] <first:day> (to|until|till|through|-) <last>": make_away}, "`away 2026-12-20 to 2026-12-27`", "announces an absence, first and last day: your clock stands still",
        order=Away, is_binding=True, may_withdraw=True, is_sure_with_date=True, has_own_text=True, rank=2, signs=make_signs("from", "until", "till", "next", "on", "for"), may_be_broken=True, listed=2, **SMALL,
    ),
    OrderKind(
        "cancel",
        {
            "cancel (all|everything) [orders|plans]": Cancel("all"), "cancel": Cancel("all"), "cancel (away|absence)": Cancel("away"),
            "cancel (standing [order|orders]|passes|passing)": Cancel("standing"), "cancel (conditional|conditionals) [order|orders]": Cancel("conditional"),
            "cancel [order|plan|number|no|nr] [.] <what:number>": Cancel,
        },
        "`cancel all`, `cancel standing`, `cancel conditional`, `cancel away`, or the number as in `cancel 2`", "ends plans, or an absence",
        order=Cancel, may_withdraw=True, rank=1, hosted=_is_about_plans, listed=2, **SMALL,
        signs=make_signs("all", "away", "everything", "orders?", "plans?", "standing", "conditional", "number"),
    ),
    OrderKind(
        "undo", {"undo ?": Undo("ask"), "undo": Undo("ask"), "undo (yes|agree|agreed)": Undo("agree"), "undo (no|refuse|refused)": Undo("refuse")},
        "`undo?`, `undo yes` or `undo no`", "asks for the last turn to be taken back, agrees to it, or refuses",
        order=Undo, is_binding=True, may_withdraw=True, signs=make_signs("yes", "no", "agreed?", "refused?", "turn"), final=(Undo("agree"),), listed=2, **PROPOSED,
    ),
    OrderKind(
        "agree", {"agree draw": Agree("draw"), "agree abandon": Agree("abandon"), "agree no": Agree("refuse")},
        "`agree draw`, `agree abandon` or `agree no`", "ends the game drawn or without a result, when everybody sends it; `agree no` refuses",
        order=Agree, is_binding=True, may_withdraw=True, signs=make_signs("draw", "abandon", "no", "drawn", "abandoned"), final=(Agree("draw"), Agree("abandon")), listed=2, **PROPOSED,
    ),
    OrderKind(
        "pause", {"pause (until|till) <until:day>": Pause}, "`pause until 2026-12-20`", "stops all clocks until a day begins, when everybody sends it",
        order=Pause, is_binding=True, may_withdraw=True, is_sure_with_date=True, has_own_text=True, signs=make_signs("until", "till", "to"), listed=2, **PROPOSED,
    ),
    OrderKind(
        "notify",
        {
            f"{ME} (every|each|all) (turn|turns)": Notify("every turn"), f"{ME} [only] my (turns|turn) [only]": Notify("my turns"),
            f"{ME} [with] (pictures|picture)": Notify(PICTURES), f"{ME} (no|without) (pictures|picture)": Notify(NO_PICTURES),
        },
        help="chooses which mails you get, and whether with pictures", signs=make_signs("every", "each", "all", "my", "turns?", "pictures?"), listed=2, **SET,
    ),
    OrderKind(
        "draft", {"draft [:] <turn>": Draft}, help="checks a turn and tells only you; nothing is played",
        order=Draft, may_withdraw=True, has_own_text=True, is_harmless=True, rank=0, may_be_broken=True, answers="any", may_follow_end=True, listed=2,
    ),
    OrderKind("resign", {"resign": Resign()}, "`resign`", "gives up the game", order=Resign, may_withdraw=True, rank=3, signs=make_signs(), final=(Resign(),), answers="told", listed=6, **SMALL),
    OrderKind("status", {"(status|position|board) [?]": Ask("status")}, "`status`", "shows the game as it is now, with your plans and choices", most=1, listed=5, **QUESTION),
    OrderKind("legal", {"(legal|moves) [?]": Ask("legal"), "(legal|moves) [:] <argument:card> [?]": partial(Ask, "legal")}, help="lists the legal turns, with one card or with all", most=2, listed=3, **QUESTION),
    OrderKind(
        "rules", {"(rules|rule|ask) [?]": Ask("rules"), "(rules|rule|ask) [:] <argument:rule>": partial(Ask, "rules")}, "`rules post.undo`, or a question",
        "shows a rule by its id, or the rules that answer a question", most=2, listed=3, **QUESTION,
    ),
    OrderKind("why", {"why [?]": Ask("why")}, "`why`", most=1, listed=5, **QUESTION),
    OrderKind("history", {"history [?]": Ask("history")}, "`history`", "shows all turns", most=1, listed=5, **QUESTION),
    OrderKind(
        "help", {"help [?]": Ask("help"), "?": Ask("help"), "help [:] <argument:topic> [?]": partial(Ask, "help")}, "`help`, or the order as in `help away`",
        "shows the orders, or one of them", most=2, listed=4, **QUESTION,
    ),
    OrderKind("standing", order=Standing, is_binding=True, has_own_text=True, rank=5, has_grammar=True, may_be_broken=True, answers="told", hosted=True, listed=1),
    OrderKind(
        "turn", help="plays a turn; the mails that ask for one show some that are legal", order=Turn, is_binding=True, rank=4, may_be_broken=True, is_given_once=True, answers="due", may_follow_end=True, listed=0,
    ),
)  # fmt: skip
"""All kinds of orders."""
BY_NAME: Mapping[str, OrderKind] = MappingProxyType({kind.name: kind for kind in KINDS})
FIRST_WORDS: Mapping[str, str] = MappingProxyType({word: kind.name for kind in KINDS for word in kind.words})
"""First words of orders, and their kinds."""
TOPICS: Mapping[str, str] = MappingProxyType({**FIRST_WORDS, **{kind.name: kind.name for kind in KINDS}})
"""Topics of `help` in every game."""
LISTED = tuple(sorted(KINDS, key=lambda kind: kind.listed))
"""The kinds as `help` lists them."""
LAST = max(kind.rank for kind in KINDS) + 1
"""Rank of a line that could not be read."""
_OF_CLASS = {kind.order: kind for kind in KINDS}


def find_order_kind(order: order_values.Order) -> OrderKind:
    """Return the kind of an order.

    Args:
        order: an order, of any game.

    Returns:
        The kind in the table.
    """
    if isinstance(order, order_values.Ask):
        return BY_NAME[order.kind]
    return _OF_CLASS[order_values.Standing if isinstance(order, order_values.Standing) else type(order)]


def list_forms(language: OrderLanguage) -> dict[str, str]:
    """Return the form of each kind of order besides turns in a game, by its name, as `help` lists them."""
    every = {kind.name: language.forms.get(kind.name, kind.form) for kind in LISTED}
    return {name: form for name, form in every.items() if form}


@cache
def list_rows(language: OrderLanguage) -> Mapping[str, OrderKind]:
    """Return the kinds by their names, each with its form in a game."""
    forms = list_forms(language)
    rows = {kind.name: evolve(kind, form=forms.get(kind.name, "")) for kind in KINDS}
    notify, level = rows["notify"], language.level
    own = {**notify.forms, f"{ME} [power] ({level}|{level.removesuffix('s')})": Notify(level)}
    signs = re.compile(rf"{notify.signs.pattern}|\b{level}?\b", re.IGNORECASE)
    return MappingProxyType(rows | {"notify": evolve(notify, forms=own, signs=signs)})


@frozen
class OrderWriter:
    """Writes the orders of a game with these players; `turns` reads its turns."""

    turns: TurnReader
    people: People
    language: OrderLanguage = field(init=False)

    @language.default
    def _(self) -> OrderLanguage:
        return find_order_language(self.turns.game)

    def write_order(self, order: Order) -> str:
        """Write an order as one line."""
        match order:
            case Turn(text):
                return text
            case Standing():
                return self.language.write_standing(order, self.turns.game, self.people)
            case Planned(steps):
                return self._write_plan(steps)
            case Say(to):
                return write_order(BY_NAME["say"], order, to=to if isinstance(to, str) else self._write_addressee(to))
            case Draft(turn):
                return write_order(BY_NAME["draft"], order, turn=turn.text)
            case _:
                return write_order(list_rows(self.language)[find_order_kind(order).name], order)

    def _write_addressee(self, seat: int) -> str:
        name = self.people.names[seat]
        clear = (
            simplify_name(name) not in EVERYBODY
            and ":" not in simplify_name(name)
            and self.people.find_seat(name) == seat
        )
        return str(seat + 1) if not clear else name

    def _write_plan(self, steps: Steps) -> str:
        """Write a plan; one of a single turn stands in parentheses, so that it is not taken for the turn itself."""
        return (
            self._write_steps(steps) if len(steps) > 1 or isinstance(steps[0], If) else f"({self._write_steps(steps)})"
        )

    def _write_steps(self, steps: Steps, *, last: bool = True) -> str:
        """Write the steps of a plan; `last` says that nothing follows which could be taken for a part of them."""
        *others, final = steps
        written = [self._write_step(step, last=False) for step in others]
        return "; then ".join([*written, self._write_step(final, last=last)])

    def _write_step(self, step: Step, *, last: bool) -> str:
        if isinstance(step, Turn):
            return step.text
        if isinstance(step, Stop):
            return "stop"
        written = self._write_if(step)
        return written if last else f"({written})"

    def _write_if(self, step: If) -> str:
        joined = (" and " if step.every else " or ").join(map(self.write_condition, step.conditions))
        then = self._write_steps(step.then, last=step.otherwise is None)
        if step.otherwise is None:
            return f"if {joined}: {then}"
        return f"if {joined}: {then}; else {self._write_steps(step.otherwise)}"

    def write_condition(self, condition: Condition) -> str:
        """Write a condition of a plan."""
        return self.language.write_condition(condition, self.turns.game, self.people)
