"""Reads orders: a line that somebody typed becomes an order, or problems with their places.

The first words of a line show the kind of order, the grammar has its form, and names are looked up last. The turns
inside orders are read by the reader of turns.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cached_property

from attrs import evolve, frozen

from tkid.kernel.problems import Fix, Problem, Scope
from tkid.notation.people import People
from tkid.notation.plugin import TurnReader
from tkid.notation.text import plain
from tkid.notation.turns import WrongError
from tkid.orders.intent import MISPLACED, NOT_TAKEN, IntentDetector
from tkid.orders.kinds import BY_NAME, FIRST_WORDS, way
from tkid.orders.lookup import Lookup, form, problem, shown
from tkid.orders.model import Draft, Order, Resign
from tkid.orders.plan_reader import MOST_NESTED, PlanReader, nested_too_deep, read_turn
from tkid.orders.plugin import order_language
from tkid.orders.press import read_press
from tkid.orders.questions import check_alone, read_question
from tkid.orders.syntax import parse
from tkid.orders.thresholds import LIKE, WORD, is_slip
from tkid.rulebook import cites

AROUND = " \t*_`\"'"
"""What people and mail programs put around a line."""
ENDS = " \t.!;,"
LONGEST_ORDER, LONGEST_SAID = 300, 2000
"""In characters; a longer text is said in several lines."""

SEQUENCE = re.compile(r"[^\W_].*[;,.\s]then(?!\w)|\(", re.IGNORECASE)
BEGINS_PLAN = re.compile(r"\(|stop\W+(?:and\s+)?then(?!\w)", re.IGNORECASE)
RESIGNED = re.compile(r"resign[\s.!]*", re.IGNORECASE)
"""The whole of a line that gives up a game."""


@frozen
class ReadOrder:
    """A line as read: the order, None with the problems where it could not be.

    `kind` is what the line was taken for (`turn`, `standing`, `plan`, `say`, …), "" where that is not known.
    `meant` tells whether the line was surely meant as an order, and not as a remark.
    """

    order: Order | None
    problems: tuple[Problem, ...] = ()
    kind: str = ""
    meant: bool = True


class LineReader:
    """Reads the orders of a game; `turns` reads its turns. `seat` is whose orders they are, if that is known.

    `stored` orders are canonical, so they may be longer and have more parentheses than what was typed.
    """

    def __init__(self, turns: TurnReader, people: People, seat: int | None = None, *, stored: bool = False) -> None:
        self.turns, self.people, self.seat = turns, people, seat
        self.language = order_language(turns.game)
        self.longest = LONGEST_SAID if stored else LONGEST_ORDER
        self.most_nested = LONGEST_ORDER if stored else MOST_NESTED
        parties = turns.game.parties.get(len(people.names), ())
        self.party = next((party for party in parties if seat in party), ())

    @cached_property
    def intent(self) -> IntentDetector:
        """What tells the orders of these players from remarks."""
        return IntentDetector(self.turns, self.people, self.language)

    @cites("post.order")
    def read(self, typed: str) -> ReadOrder:
        """What a line asks for. The columns of problems are those of the line."""
        if len(typed) > LONGEST_SAID:
            begins = plain(typed[:LONGEST_ORDER]).lstrip(AROUND)
            kind = self._kind(begins)
            return ReadOrder(None, (_too_long(typed, LONGEST_SAID),), kind, self.intent.is_meant(kind, begins))
        line = plain(typed)
        start = len(line) - len(line.lstrip(AROUND))
        text = line[start:].rstrip(AROUND)
        kind = self._kind(text)
        if kind != "say" and len(text) > self.longest:
            return ReadOrder(None, (_too_long(typed, LONGEST_ORDER),), kind, self.intent.is_meant(kind, text))
        try:
            order = self._read(kind, text, typed[start:])
        except WrongError as wrong:
            mended = self._mended(kind, text)
            found = (mended,) if mended else wrong.problems
            problems = sorted((each.moved(line=1, col=start) for each in found), key=lambda each: each.col)
            return ReadOrder(None, tuple(problems), kind, self.intent.is_meant(kind, text))
        return ReadOrder(order, (), kind)

    # -- of which kind ------------------------------------------------------------------------------------

    def _kind(self, text: str) -> str:
        """Of which kind a plain line is, by its first words; "" for none."""
        if self.language.is_standing(text):
            return "standing"
        first = re.match(r"[^\W\d_]*", text)
        if first and first[0].casefold() in FIRST_WORDS:
            return FIRST_WORDS[first[0].casefold()]
        if text == "?":
            return "help"
        if self.language.gives_up.fullmatch(text):
            return ""
        begins = self.turns.begins(text)
        if BEGINS_PLAN.match(text) or (begins and SEQUENCE.match(text)):
            return "plan"
        return "turn" if begins else ""

    # -- reading ------------------------------------------------------------------------------------------

    def _read(self, kind: str, text: str, typed: str) -> Order:  # noqa: PLR0911 - one for each kind
        """An order of a kind. Raises WrongError."""
        if not kind:
            raise WrongError(self._unknown(text))
        if kind == "turn":
            return read_turn(self.turns, self.people, text, 0)
        if kind == "say":
            return read_press(text, typed, self.language, self.people, sender=self.seat, mates=self.party)
        if kind == "draft":
            return self._draft(text)
        bare = text.rstrip(ENDS)
        if kind in {"standing", "plan"}:
            return self._plan(kind, bare)
        if kind == "resign":
            check_alone(bare, kind, self.language)
            if not RESIGNED.fullmatch(text):
                message = "To give up the game, write `resign` alone on its line"
                raise WrongError(form(message, way(kind, self.language), len(bare), len(text) - len(bare)))
            return Resign()
        read = BY_NAME[kind].read
        if read:
            return read(parse(kind, bare, self.language), bare, self.language)
        return read_question(kind, bare, self.language, self.turns)

    def _plan(self, kind: str, text: str) -> Order:
        """A standing order or a plan. Raises WrongError."""
        self._check_nesting(text)
        tree = parse(kind, self.people.masked(text), self.language)
        lookup = Lookup(self.people, self.turns, text, self.seat, self.language.without_not)
        reader = PlanReader(self.language, lookup, self.most_nested)
        return reader.standing(tree) if kind == "standing" else reader.plan(tree)

    def _check_nesting(self, text: str) -> None:
        """Raise WrongError where too many parentheses stand inside one another."""
        depth = 0
        for column, character in enumerate(self.people.masked(text)):
            depth += (character == "(") - (character == ")")
            if depth > self.most_nested:
                raise WrongError(nested_too_deep(column))

    def _draft(self, text: str) -> Draft:
        column = len(text) - len(text[len("draft") :].lstrip(" :"))
        kind = self._kind(text[column:])
        if not text[column:].strip(ENDS):
            raise WrongError(form("The turn to check is missing", way("draft", self.language), len(text)))
        if kind not in {"turn", ""}:
            message = "`draft` checks only a turn"
            raise WrongError(form(message, way("draft", self.language), column, len(text) - column))
        return Draft(read_turn(self.turns, self.people, text[column:], column))

    # -- what is not understood ---------------------------------------------------------------------------

    def _nearest(self, word: str) -> list[str]:
        """The first words of orders and cards that may have been meant, the nearest first."""
        given = NOT_TAKEN.get(word.casefold())
        cards = [name.split()[0].casefold() for name in self.turns.cards.names]
        known = dict.fromkeys([*FIRST_WORDS, *cards])
        slips = [first for first in FIRST_WORDS if is_slip(word.casefold(), first)]
        return [given] if given else get_close_matches(word.casefold(), known, 3, LIKE) or slips

    @cites("post.order.form")
    def _mended(self, kind: str, text: str) -> Problem | None:
        """The problem with a line in which one word, not the first, has a slip: mended, the line is an order of its kind."""
        for typed in list(WORD.finditer(text))[1:]:
            for word in sorted(self.intent.wished.get(kind, ())):
                mended = f"{text[: typed.start()]}{word}{text[typed.end() :]}"
                if not is_slip(typed[0].casefold(), word) or not self._is_readable(kind, mended):
                    continue
                message, hint = f"`{shown(typed[0])}` is not understood here", f"Did you mean `{mended}`?"
                wrong = form(message, hint, typed.start(), len(typed[0]))
                return evolve(wrong, fixes=(Fix(mended, Scope.LINE),))
        return None

    def _is_readable(self, kind: str, text: str) -> bool:
        """Whether a line of a kind is an order."""
        try:
            self._read(kind, text, text)
        except WrongError:
            return False
        return True

    def _listed(self) -> str:
        """Examples of orders, for a hint."""
        return (
            f"An order is a turn, as `{self.language.turn}`, or a line like {self.language.examples}, `say to all: TEXT`, "
            "`status`, `legal`, `why`, `history`, `undo?`. `help` lists them all."
        )

    def _unknown(self, text: str) -> Problem:
        """The problem with a line that begins like no order."""
        words = re.findall(r"[^\W_]+", text)
        if not words:
            return form("There is no order here", self._listed(), 0, len(text))
        first, column = words[0], text.index(words[0])
        given_up = self.language.gives_up.fullmatch(text)
        turn = given_up[1].lower() if given_up else self.intent.behind(text)
        if turn:
            message = "An order has to be alone on its line, without words before it"
            wrong = form(message, f"Write `{shown(turn)}` alone.", column, text.lower().rindex(turn.lower()) - column)
            return evolve(wrong, fixes=(Fix(turn, Scope.LINE),)) if shown(turn) == turn else wrong
        missing = MISPLACED.get(first.casefold())
        if missing:
            message = f"There is no {'`if`' if missing == 'if' else missing} before this `{shown(first)}`"
            return form(message, way("plan", self.language), column, len(first))
        near = self._nearest(first)
        if (near and near[0] not in FIRST_WORDS) or (
            self.intent.signs.is_turn(text) and self.turns.turn(text).problems
        ):
            return self.turns.turn(text).problems[0]
        hint = f"Did you mean `{near[0]}`? {way(FIRST_WORDS[near[0]], self.language)}" if near else self._listed()
        return problem("post.order.unknown", f"No order begins with `{shown(first)}`", hint, column, len(first))


def _too_long(typed: str, most: int) -> Problem:
    """The problem with a line of too many characters."""
    rule, what, hint = "post.say.long", "a line has", "Write the rest on another line."
    if most == LONGEST_ORDER:
        rule, what = "mail.long-line", "an order has"
        hint = "Put the order on a line of its own, or split it into several."
    return problem(rule, f"This line has {len(typed)} characters; {what} at most {most}", hint, most, 1)
