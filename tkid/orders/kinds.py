"""The kinds of orders: all that is true of each, in one table.

`tkid.orders.reader` reads by it, `tkid.orders.writer` writes, `tkid.orders.intent` tells an order with an error from a
sentence, the mail layer carries out. What differs between games is "" or None here: each game has its own words for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

from attrs import field, frozen
from lark import Token, Tree

from tkid.notation.line_parser import Wrong
from tkid.orders import model, simple_orders
from tkid.orders.plugin import OrderLanguage

Answers = Literal["any", "latest", "told", "due"]
"""Which of our mails an order may answer.

`any` of the game, the one that told its sender `told` everything that happened, or that of the turn that is `due`.
`latest` is `told` at a host and `any` from hand to hand, where whoever reads the mail vouches for its sender.
"""


@frozen
class OrderKind:
    """A kind of orders, and all that is true of it.

    How it is written and read:
    `order` is the class of its values; for questions, whose class is `Ask`, the `name` is what is asked.
    `words` are the first words of a line with it. `rule` tells whether a rule of the grammar has its name.
    `form` shows how it is written, "" where each game shows that; `wrong` holds wrong lines by what is wrong with them.
    `read` makes an order of a parsed line and `write` a line of an order, where no names have to be looked up.
    `shown_by` are words that show that a line with its first word is no sentence; None where that is told otherwise.
    `broken` tells whether a mail program may have broken it, as it is long; `once` whether one mail gives it only once.
    `final` are orders that cannot be taken back, so that they are not taken from a sentence.

    What is done about it:
    `rank` is when it is carried out, the lowest first; `answers` which of our mails it may answer.
    `over` tells whether it is carried out in a game that is over, `gone` whether for a player who has resigned.
    `hosted` tells whether only a host carries it out, or of which orders that is true.
    `help` is what it does, "" where each game says that; `listed` is where in the list of help, the lowest first.
    """

    name: str
    order: type
    rank: int
    form: str = ""
    help: str = ""
    words: tuple[str, ...] = ()
    rule: bool = False
    wrong: Wrong = field(factory=dict)
    read: Callable[[Tree[Token], str, OrderLanguage], model.Order] | None = None
    write: Callable[[Any], str] | None = None
    shown_by: frozenset[str] | None = None
    broken: bool = False
    once: bool = False
    final: tuple[model.Order, ...] = ()
    answers: Answers = "latest"
    over: bool = False
    gone: bool = False
    hosted: bool | Callable[[Any], bool] = False
    listed: int = 2

    def needs_host(self, order: model.Order) -> bool:
        """Whether only a host carries out an order of this kind."""
        return self.hosted(order) if callable(self.hosted) else self.hosted


def _is_about_plans(order: model.Cancel) -> bool:
    return order.what != "away"


def _question(name: str, listed: int, form: str, answer: str, words: tuple[str, ...] = ()) -> OrderKind:
    """A kind of questions: they change nothing, so they may always be asked, and come last."""
    write = simple_orders.write_question
    return OrderKind(
        *(name, model.Ask, 6, form, answer, (name, *words)),
        write=write,
        answers="any",
        over=True,
        gone=True,
        listed=listed,
    )


KINDS = (
    OrderKind(
        "plan",
        model.Planned,
        rank=5,
        help="does something on your turn, depending on what happened; nobody else sees it before",
        words=("if",),
        rule=True,
        broken=True,
        answers="told",
        hosted=True,
    ),
    OrderKind(
        "say",
        model.Say,
        rank=0,
        form="`say to all: TEXT` or `say to NAME: TEXT`",
        help="sends a message to the players, or to one",
        words=("say", "tell", "press"),
        rule=True,
        wrong={
            "The player to write to is missing": ["say", "say:", "say to", "say to:"],
            "A colon is missing between the name and the text": ["say to Bob", "say Bob"],
            "The text is missing": ["say to Bob:", "say Bob:"],
        },
        over=True,
        gone=True,
        hosted=True,
    ),
    OrderKind(
        "away",
        model.Away,
        rank=2,
        form="`away 2026-12-20 to 2026-12-27`",
        help="announces an absence, first and last day: your clock stands still",
        words=("away",),
        rule=True,
        wrong={
            "The days are missing": ["away", "away from"],
            "The last day is missing": ["away 2026-12-20", "away from 2026-12-20 to"],
            "Give a first day and a last day": ["away 2026-12-20 to 2026-12-27 to"],
        },
        read=simple_orders.read_away,
        write="away {0.first} to {0.last}".format,
        shown_by=frozenset({"from", "until", "till", "next", "on", "for"}),
        broken=True,
    ),
    OrderKind(
        "cancel",
        model.Cancel,
        rank=1,
        form="`cancel all`, `cancel standing`, `cancel conditional`, `cancel away`, or the number as in `cancel 2`",
        help="ends plans, or an absence",
        words=("cancel",),
        rule=True,
        read=simple_orders.read_cancel,
        write="cancel {0.what}".format,
        shown_by=frozenset(
            ["all", "away", "everything", "order", "orders", "plan", "plans", "standing", "conditional", "number"]
        ),
        hosted=_is_about_plans,
    ),
    OrderKind(
        "undo",
        model.Undo,
        rank=3,
        form="`undo?`, `undo yes` or `undo no`",
        help="asks for the last turn to be taken back, agrees to it, or refuses",
        words=("undo",),
        rule=True,
        read=simple_orders.read_undo,
        write=simple_orders.write_undo,
        shown_by=frozenset({"yes", "no", "agreed", "agree", "refuse", "refused", "turn"}),
        final=(model.Undo("agree"),),
        answers="told",
        hosted=True,
    ),
    OrderKind(
        "agree",
        model.Agree,
        rank=3,
        form="`agree draw`, `agree abandon` or `agree no`",
        help="ends the game drawn or without a result, when everybody sends it; `agree no` refuses",
        words=("agree",),
        rule=True,
        wrong={"What you agree to is missing": ["agree", "agree yes", "agree to"]},
        read=simple_orders.read_agree,
        write=simple_orders.write_agree,
        shown_by=frozenset({"draw", "abandon", "no", "drawn", "abandoned"}),
        final=(model.Agree("draw"), model.Agree("abandon")),
        answers="told",
        hosted=True,
    ),
    OrderKind(
        "pause",
        model.Pause,
        rank=3,
        form="`pause until 2026-12-20`",
        help="stops all clocks until a day begins, when everybody sends it",
        words=("pause",),
        rule=True,
        wrong={"The day until which the game pauses is missing": ["pause", "pause until", "pause 2026-12-20"]},
        read=simple_orders.read_pause,
        write="pause until {0.until}".format,
        shown_by=frozenset({"until", "till", "to"}),
        answers="told",
        hosted=True,
    ),
    OrderKind(
        "notify",
        model.Notify,
        rank=2,
        help="chooses which mails you get, and whether with pictures",
        words=("notify",),
        rule=True,
        read=simple_orders.read_notify,
        write="notify {0.level}".format,
        shown_by=frozenset({"every", "each", "all", "my", "turn", "turns", "picture", "pictures"}),
        over=True,
        gone=True,
        hosted=True,
    ),
    OrderKind(
        "draft",
        model.Draft,
        rank=0,
        help="checks a turn and tells only you; nothing is played",
        words=("draft",),
        write="draft {0.turn.text}".format,
        broken=True,
        answers="any",
        over=True,
    ),
    OrderKind(
        "resign",
        model.Resign,
        rank=3,
        form="`resign`",
        help="gives up the game",
        words=("resign",),
        write="resign".format,
        shown_by=frozenset(),
        final=(model.Resign(),),
        answers="told",
        listed=6,
    ),
    _question(
        "status", 5, "`status`", "shows the game as it is now, with your plans and choices", ("position", "board")
    ),
    _question("legal", 3, "", "lists the legal turns, with one card or with all", ("moves",)),
    _question(
        "rules",
        3,
        "`rules post.undo`, or a question",
        "shows a rule by its id, or the rules that answer a question",
        ("rule", "ask"),
    ),
    _question("why", 5, "`why`", ""),
    _question("history", 5, "`history`", "shows all turns"),
    _question("help", 4, "`help`, or the order as in `help away`", "shows the orders, or one of them"),
    OrderKind("standing", model.Standing, rank=5, rule=True, broken=True, answers="told", hosted=True, listed=1),
    OrderKind(
        "turn",
        model.Turn,
        rank=4,
        help="plays a turn; the mails that ask for one show some that are legal",
        broken=True,
        once=True,
        answers="due",
        over=True,
        listed=0,
    ),
)
"""All kinds of orders."""
BY_NAME: Mapping[str, OrderKind] = MappingProxyType({kind.name: kind for kind in KINDS})
FIRST_WORDS: Mapping[str, str] = MappingProxyType({word: kind.name for kind in KINDS for word in kind.words})
"""The first words of orders, and of what kind they are."""
TOPICS: Mapping[str, str] = MappingProxyType({**FIRST_WORDS, **{kind.name: kind.name for kind in KINDS}})
"""What `help` may be asked about, whatever is played."""
LISTED = tuple(sorted(KINDS, key=lambda kind: kind.listed))
"""The kinds as `help` lists them."""
LAST = max(kind.rank for kind in KINDS) + 1
"""The rank of a line that could not be read."""
_OF_CLASS = {kind.order: kind for kind in KINDS}


def kind_of(order: model.Order) -> OrderKind:
    """The kind of an order.

    Args:
        order: an order, of whatever game.

    Returns:
        The kind in the table.
    """
    if isinstance(order, model.Ask):
        return BY_NAME[order.kind]
    return _OF_CLASS[model.Standing if isinstance(order, model.Standing) else type(order)]


def forms(language: OrderLanguage) -> dict[str, str]:
    """How each kind of order besides turns is written in a game, by its name, as `help` lists them."""
    every = {kind.name: language.forms.get(kind.name, kind.form) for kind in LISTED}
    return {name: form for name, form in every.items() if form}


def way(kind: str, language: OrderLanguage) -> str:
    """How orders of a kind are written in a game, for a hint."""
    return f"Write {forms(language)[kind]}."
