"""Read a line as an order, a question, press or a plan.

The first words of a line show the kind of order, the grammar has its form, and names are looked up last. The turns
inside orders are read by the reader of turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cache, cached_property
from typing import Literal

from attrs import evolve, frozen
from lark import Token, Tree

from tkid.kernel.game import fill_names
from tkid.kernel.problems import Fix, Kind, Problem, Scope
from tkid.notation.line_parser import LineError, LineParser, Wrong, build_parser
from tkid.notation.names import EVERYBODY, People, Unknown, simplify_name
from tkid.notation.plugin import TurnReader
from tkid.notation.text import make_plain
from tkid.notation.turns import WrongError
from tkid.orders.forms import ENDS, LIKE, FormReader, Part, SlotType, is_single_slip, list_line_end, shorten_typed
from tkid.orders.intent import MISPLACED, NOT_TAKEN, IntentDetector
from tkid.orders.order_kinds import FIRST_WORDS, TOPICS, list_rows, read_date
from tkid.orders.order_values import (
    If,
    Lookup,
    Order,
    OrderLanguage,
    Planned,
    Standing,
    Step,
    Steps,
    Stop,
    Turn,
    find_order_language,
    make_problem,
    report_form,
    report_unknown_card,
    report_unknown_player,
)
from tkid.rulebook import all_rules, cites, is_known_rule
from tkid.rulebook.search import are_known_words, ask

MAX_NESTED = 5
"""Maximum number of conditions or parentheses inside one another."""
WRONG_STEPS: Wrong = {
    "What to do is missing": ["if CONDITION:", "if CONDITION: else stop", "if CONDITION: (", "("],
    "What to do otherwise is missing": ["if CONDITION: TURN; else", "if CONDITION: stop else"],
    "What to do next is missing": ["TURN; then", "stop then"],
    "A condition has `and` or `or`, not both": [
        "if CONDITION and CONDITION or",
        "if CONDITION or CONDITION and",
    ],
    "Another condition is missing": ["if CONDITION and", "if CONDITION or", "if CONDITION and: TURN"],
    "A `)` is missing": ["(TURN", "if CONDITION: (stop"],
    "This `)` has no `(` before it": ["TURN)", "if CONDITION: TURN)", "stop)"],
    "This `else` has no `if` before it": ["TURN; else", "else stop", "stop else"],
    "This `then` has no turn before it": ["then TURN"],
    "Only `else` or `then` may follow `stop`": ["stop stop", "stop TURN", "stop (", "stop if"],
    "Only `else`, `then` or nothing may follow `)`": ["(TURN) TURN", "(TURN) stop", "(TURN) if", "(TURN) ("],
}
"""Wrong plans by their error, in any game with its own turn and condition."""
IF_BEHIND = re.compile(r"[;,.]\s*(if)(?!\w)", re.IGNORECASE)


def list_wrong_steps(turn: str, condition: str) -> Wrong:
    """Return wrong plans by their error, with a turn and a condition of a game."""
    return {
        label: [line.replace("TURN", turn).replace("CONDITION", condition) for line in lines]
        for label, lines in WRONG_STEPS.items()
    }


def report_nesting(column: int) -> Problem:
    """Return the problem with a plan that is nested too deeply; the column counts from 0."""
    message = f"More than {MAX_NESTED} conditions or parentheses are nested here"
    return Problem(Kind.SYNTAX, "post.plan.nested", message, col=column + 1, hint="Split it into several orders.")


def read_turn_at(turns: TurnReader, people: People, text: str, column: int) -> Turn:
    """Read a turn that begins at a column of its line. Raises WrongError."""
    behind = IF_BEHIND.search(text)
    if behind:
        hint = "Write the plan on a line of its own, or write `then if` for your next turn."
        raise WrongError(report_form("A plan cannot follow a turn in this way", hint, column + behind.start(1), 2))
    read = turns.turn(text)
    if read.problems:
        raise WrongError(*(problem.moved(line=1, col=column) for problem in read.problems))
    return Turn(fill_names(turns.game.words.turn(read.moves), people.names), read)


@frozen
class PlanReader:
    """Reads a plan or a standing order from a parsed line in a game's `language`; `lookup` knows the names, and collects the problems."""

    language: OrderLanguage
    lookup: Lookup
    most_nested: int = MAX_NESTED

    def read_standing(self, tree: Tree[Token]) -> Standing:
        """Read a standing order. Raises WrongError."""
        order = self.language.read_standing(self.lookup, tree)
        self._raise_problems()
        return order

    def read_plan(self, tree: Tree[Token]) -> Planned:
        """Read a plan. Raises WrongError."""
        steps = self._read_steps(tree.children[0], 0)
        self._raise_problems()
        return Planned(steps)

    def _raise_problems(self) -> None:
        if self.lookup.problems:
            raise WrongError(*self.lookup.problems)

    def _read_steps(self, tree: object, depth: int) -> Steps:
        steps = list(self._read_each(tree, depth))
        for _, part in steps[:-1]:
            if isinstance(part, Token) and part.type == "STOP":  # a wrong turn is none, whatever stands in its place
                self.lookup.note_problem("Nothing can come after `stop`", "A plan ends with `stop`.", part)
        return tuple(step for step, _ in steps)

    def _read_each(self, tree: object, depth: int) -> Iterator[tuple[Step, object]]:
        """Yield the steps with their parts of the line; parentheses around steps change nothing."""
        assert isinstance(tree, Tree)
        for child in tree.children:
            if isinstance(child, Tree) and child.data == "steps":
                yield from self._read_each(child, depth)
            else:
                yield (self._read_if(child, depth + 1) if isinstance(child, Tree) else self._read_leaf(child)), child

    def _read_leaf(self, token: Token) -> Step:
        if token.type == "STOP":
            return Stop()
        column = token.start_pos or 0
        try:
            return read_turn_at(
                self.lookup.turns, self.lookup.people, self.lookup.text[column : column + len(token)], column
            )
        except WrongError as wrong:
            self.lookup.problems.extend(wrong.problems)
            return Stop()

    def _read_if(self, tree: Tree[Token], depth: int) -> If:
        if depth > self.most_nested:
            self.lookup.problems.append(report_nesting(self.lookup.find_span(tree)[0]))
            return If((), ())
        conditions, then, *rest = tree.children
        assert isinstance(conditions, Tree)
        read = tuple(self.language.read_condition(self.lookup, condition) for condition in conditions.children)  # type: ignore[arg-type] # the grammar puts only trees here
        otherwise = self._read_steps(rest[0], depth - 1) if rest else None
        return If(read, self._read_steps(then, depth), otherwise, conditions.data == "every")


RULE_ID = re.compile(r"[\w-]+(\.[\w-]+)+")
"""Form of a rule's id."""
ASKING_WORDS = frozenset(
    """
    who whom whose what when where why how which can could may might must shall should will would do does did is are am was
    were has have if
    """.split()  # noqa: SIM905 - a list of words reads better so
)
"""Words with which questions begin."""
MAX_WORDS_WITH_SLIPS = 4
"""Maximum number of words that are searched although some have slips; more may be a sentence about something else."""
MAX_SEARCH_LENGTH = 200
"""Maximum number of characters that `rules` searches for."""
QUESTION_MARKS = ("?", "？", "؟")
MOST_UNMARKED = 8
"""Maximum number of words of a question without a question mark."""
ASKING_FIRST = ("who ", "whose ", "how ", "which ", "why ", "can i ", "may i ", "must i ", "do i ")
POLITE_ASKING = re.compile(
    r"(?:can|could|would|will) (?:you|anybody|somebody) (?:please )?(?:tell|explain|say)\b(?: to)?(?: me| us)?,? ",
    re.IGNORECASE,
)
SENTENCE = re.compile(r"[^.!?？؟]*[^.!?？؟\s][?？؟]?")
LETTERS = re.compile(r"[^\W\d_]+")
HOW_TO_ASK = "To ask about a rule, reply `rules` and your question. To check a turn, reply `draft` and the turn."


ASKED_OTHERS = frozenset({"me", "you", "him", "her", "us", "them"})
"""People whom somebody asks who asks for no rule: `ask me: that was a mistake`."""


def _is_answered(argument: str) -> bool:
    """Return True if words ask for a rule: some rule fits, and they are few, begin as questions do, or are all words of rules."""
    words, found = argument.split(), ask(argument)
    if words[0].strip(",:") in ASKED_OTHERS:
        return False
    if words[0] in ASKING_WORDS:
        return found.fits
    return found.fits and not found.unknown and (len(words) <= MAX_WORDS_WITH_SLIPS or are_known_words(argument))


def _read_rule(part: Part) -> str:
    """Return the id of a rule, or a question that some rule fits. Raises WrongError."""
    bare = part.text.strip(" :?" + ENDS)
    argument = bare.casefold()
    few = len(argument) <= MAX_SEARCH_LENGTH
    if few and (is_known_rule(argument) or (not RULE_ID.fullmatch(argument) and _is_answered(argument))):
        return argument
    alike = few and get_close_matches(argument, [rule.id for rule in all_rules()], 3)
    meant = " or ".join(f"`rules {each}`" for each in alike or ())
    hint = f"Did you mean {meant}?" if meant else ""
    raise part.make_error(f"No rule has `{shorten_typed(bare)}`", hint, Kind.NAME, "post.order.rule")


def find_questions(lines: Sequence[str]) -> Iterator[str]:
    """Yield the questions in some lines, each from the word with which it asks; one alone may lack its mark."""
    only = lines[0] if len(lines) == 1 else ""
    for typed in SENTENCE.findall(" ".join(lines)):
        text = typed.strip()
        may_lack = text == only
        if not (may_lack or text.endswith(QUESTION_MARKS)) or len(text) > MAX_SEARCH_LENGTH:
            continue
        words = list(LETTERS.finditer(text))
        asks = next((word.start() for word in words if word[0].casefold() in ASKING_WORDS), 0)
        alone = may_lack and len(words) <= MOST_UNMARKED and text.casefold().startswith(ASKING_FIRST)
        if words and (alone or text.endswith(QUESTION_MARKS)):
            yield POLITE_ASKING.sub("", text[asks:])


@cache
def build_order_parser(language: OrderLanguage) -> LineParser:
    """Return the parser of plans and standing orders: of what all games have, and of the game's own."""
    return LineParser(build_parser(("orders", language.grammar), tuple(language.wrong)), language.wrong)


def parse_order(kind: str, text: str, language: OrderLanguage) -> Tree[Token]:
    """Return the tree of a line of a kind. Raises WrongError."""
    try:
        return build_order_parser(language).parse(kind, text)
    except LineError as error:
        found, length = error.found, error.length
        if error.is_character:
            found = text[error.column :].split(maxsplit=1)[0]
            length = len(found)
        message = f"`{shorten_typed(found)}` does not belong here" if found else "Something is missing here"
        hint = list_rows(language)[kind].hint
        raise WrongError(report_form(error.label or message, hint, error.column, length)) from None


EMOJI = "\u203c\u2049\u2600-\u2793\u2b50\u2b55\U0001f000-\U0001faff"
"""Ranges of signs that show a mood; arrows belong to turns."""
SIGNS_AT_END = re.compile(rf"(?:\s*(?:[{EMOJI}][\ufe0e\ufe0f\u200d♀♂]*|(?<=\s)[:;]['-]?[)(DP](?!\w)))+\s*\Z")
"""Emoji and smileys behind an order."""
AROUND = " \t*_`\"'"
"""Characters that people and mail programs put around a line."""
LONGEST_ORDER, LONGEST_SAID = 300, 2000
"""In characters; a longer text is said in several lines."""

SEQUENCE = re.compile(r"[^\W_].*[;,.\s]then(?!\w)|\(", re.IGNORECASE)
BEGINS_PLAN = re.compile(r"\(|stop\W+(?:and\s+)?then(?!\w)", re.IGNORECASE)
RESIGNED = re.compile(r"resign[\s.!]*", re.IGNORECASE)
"""The whole of a line that gives up a game."""


@frozen
class ReadOrder:
    """A line as read: the order, or None with the problems."""

    order: Order | None
    problems: tuple[Problem, ...] = ()
    kind: str = ""
    meant: bool = True


def _read_words(part: Part) -> str:
    """Return words to players as they were typed. Raises WrongError."""
    words = "".join(c if c.isprintable() else " " for c in part.typed).strip(" *_`")
    if not words:
        raise part.make_error("The text is missing")
    return words


class LineReader:
    """Reads the orders of a game; `turns` reads its turns. `seat` is the seat of the writer, if that is known."""

    def __init__(self, turns: TurnReader, people: People, seat: int | None = None, *, stored: bool = False) -> None:
        self.turns, self.people, self.seat = turns, people, seat
        self.language = find_order_language(turns.game)
        self.longest = LONGEST_SAID if stored else LONGEST_ORDER
        self.most_nested = LONGEST_ORDER if stored else MAX_NESTED
        parties = turns.game.parties.get(len(people.names), ())
        self.party = next((party for party in parties if seat in party), ())
        self.rows = list_rows(self.language)
        types = {
            "to": SlotType(re.compile(r"[^:]+"), self._read_addressee, "The player to write to is missing"),
            "text": SlotType(re.compile(r".+"), _read_words, "The text is missing", list_line_end),
            "day": SlotType(re.compile(r"[^:]+"), read_date, "The day is missing"),
            "last": SlotType(
                re.compile(r"[^:]+"),
                lambda part: evolve(part, text=read_date(part).isoformat()),
                "The last day is missing",
            ),
            "number": SlotType(re.compile(r"#?[0-9]{1,6}"), lambda part: int(part.text.strip("#"))),
            "turn": SlotType(re.compile(r".+"), self._read_draft, "The turn to check is missing", list_line_end),
            "card": SlotType(re.compile(r".+"), self._read_card),
            "rule": SlotType(re.compile(r".+"), _read_rule, ends=list_line_end),
            "topic": SlotType(re.compile(r".+"), self._read_topic),
        }
        self.forms = FormReader([row for row in self.rows.values() if row.forms], types, "post.order.form")

    @cached_property
    def intent(self) -> IntentDetector:
        """The judge that tells the orders of these players from remarks."""
        return IntentDetector(self.turns, self.people, self.language)

    @cites("post.order")
    def read_line(self, typed: str) -> ReadOrder:
        """Read the order of a line. The columns of problems are those of the line."""
        if len(typed) > LONGEST_SAID:
            begins = make_plain(typed[:LONGEST_ORDER]).lstrip(AROUND)
            kind = self._find_kind(begins)
            return ReadOrder(None, (_report_long_line(typed, LONGEST_SAID),), kind, self.intent.is_meant(kind, begins))
        line = make_plain(typed)
        start = len(line) - len(line.lstrip(AROUND))
        text = line[start:].rstrip(AROUND)
        kind = self._find_kind(text)
        if kind != "say" and len(text) > self.longest:
            return ReadOrder(None, (_report_long_line(typed, LONGEST_ORDER),), kind, self.intent.is_meant(kind, text))
        try:
            order = self._read_order(kind, text, typed[start:])
        except WrongError as wrong:
            signs = SIGNS_AT_END.search(text)
            if signs and (bare := self.read_line(typed[: start + signs.start()])).order is not None:
                return bare
            slip = self.forms.find_slip(text, [self.rows[kind]]) if kind in self.rows else None
            found = slip.problems if slip else wrong.problems
            problems = sorted((each.moved(line=1, col=start) for each in found), key=lambda each: each.col)
            return ReadOrder(None, tuple(problems), kind, self.intent.is_meant(kind, text))
        return ReadOrder(order, (), kind)

    # -- of which kind ------------------------------------------------------------------------------------

    def _find_kind(self, text: str) -> str:
        """Return the kind of a plain line, by its first words; "" for none."""
        if self.language.begins_standing(text):
            return "standing"
        first = re.match(r"[^\W\d_]*", text)
        if first and first[0].casefold() in FIRST_WORDS:
            return FIRST_WORDS[first[0].casefold()]
        if text == "?":
            return "help"
        if self.language.gives_up.fullmatch(text):
            return ""
        begins = self.turns.is_begun(text)
        if BEGINS_PLAN.match(text) or (begins and SEQUENCE.match(text)):
            return "plan"
        return "turn" if begins else ""

    # -- reading ------------------------------------------------------------------------------------------

    @cites("post.undo", "post.agree")
    def _read_order(self, kind: str, text: str, typed: str) -> Order:
        if not kind:
            raise WrongError(self._report_unknown(text))
        if kind == "turn":
            return read_turn_at(self.turns, self.people, text, 0)
        if kind in {"standing", "plan"}:
            return self._read_plan(kind, text.rstrip(ENDS))
        read = self.forms.read_line(text if kind == "say" else text.rstrip(ENDS), [self.rows[kind]], typed)
        assert read is not None
        if read.order is None:
            raise WrongError(*read.problems)
        if kind == "resign" and not RESIGNED.fullmatch(text):
            message = "To give up the game, write `resign` alone on its line"
            raise WrongError(report_form(message, self.rows[kind].hint, len("resign")))
        order: Order = read.order
        return order

    def _read_plan(self, kind: str, text: str) -> Order:
        """Read a standing order or a plan. Raises WrongError."""
        self._check_nesting(text)
        tree = parse_order(kind, self.people.mask_names(text), self.language)
        lookup = Lookup(self.people, self.turns, text, self.seat, self.language.without_not)
        reader = PlanReader(self.language, lookup, self.most_nested)
        return reader.read_standing(tree) if kind == "standing" else reader.read_plan(tree)

    def _check_nesting(self, text: str) -> None:
        """Raise WrongError if too many parentheses stand inside one another."""
        depth = 0
        for column, character in enumerate(self.people.mask_names(text)):
            depth += (character == "(") - (character == ")")
            if depth > self.most_nested:
                raise WrongError(report_nesting(column))

    def _read_draft(self, part: Part) -> Turn:
        if self._find_kind(part.text) not in {"turn", ""}:
            raise part.make_error("`draft` checks only a turn")
        return read_turn_at(self.turns, self.people, part.text, part.column)

    @cites("post.say")
    def _read_addressee(self, part: Part) -> int | Literal["all"]:
        """Return the seat to write to, or `all`. Raises WrongError."""
        if simplify_name(part.text) in EVERYBODY:
            return "all"
        seat = self.people.find_seat(part.text)
        if seat is None:
            lead = "Write to one player, or to `all`. "
            raise WrongError(report_unknown_player(self.people, part.text, part.column, lead))
        hint = "To write to everybody: `say to all: TEXT`."
        if seat == self.seat:
            raise part.make_error("You cannot send a message to yourself", hint, Kind.ILLEGAL, "post.say.self")
        if seat in self.party:
            message = f"{self.people.names[seat]} is your team-mate. Team-mates may not discuss plans, so the message is not sent"
            raise part.make_error(message, hint, Kind.ILLEGAL, "post.say.team-mate")
        return seat

    def _read_card(self, part: Part) -> str:
        card = self.turns.cards.find(part.text)
        if isinstance(card, Unknown):
            raise WrongError(report_unknown_card(self.turns, card, part.column))
        return card

    def _read_topic(self, part: Part) -> str:
        topics = {**TOPICS, **self.language.topics}
        if part.text.casefold() not in topics:
            hint = f"There is help on {', '.join(dict.fromkeys(topics.values()))}."
            raise part.make_error(f"There is no help on `{shorten_typed(part.text)}`", hint)
        return topics[part.text.casefold()]

    # -- what is not understood ---------------------------------------------------------------------------

    def _find_nearest_words(self, word: str) -> list[str]:
        """Return the first words of orders and cards that may have been meant, the nearest first."""
        given = NOT_TAKEN.get(word.casefold())
        cards = [name.split()[0].casefold() for name in self.turns.cards.names]
        known = dict.fromkeys([*FIRST_WORDS, *cards])
        slips = [first for first in FIRST_WORDS if is_single_slip(word.casefold(), first)]
        return [given] if given else get_close_matches(word.casefold(), known, 3, LIKE) or slips

    def _list_examples(self) -> str:
        return (
            f"An order is a turn, as `{self.language.turn}`, or a line like {self.language.examples}, `say to all: TEXT`, "
            "`status`, `legal`, `why`, `history`, `undo?`. `help` lists them all."
        )

    def _report_unknown(self, text: str) -> Problem:
        words = re.findall(r"[^\W_]+", text)
        if not words:
            return report_form("There is no order here", self._list_examples(), 0, len(text))
        first, column = words[0], text.index(words[0])
        given_up = self.language.gives_up.fullmatch(text)
        turn = given_up[1].lower() if given_up else self.intent.find_turn_behind_colon(text)
        if turn:
            message = "An order has to be alone on its line, without words before it"
            wrong = report_form(
                message, f"Write `{shorten_typed(turn)}` alone.", column, text.lower().rindex(turn.lower()) - column
            )
            return evolve(wrong, fixes=(Fix(turn, Scope.LINE),)) if shorten_typed(turn) == turn else wrong
        missing = MISPLACED.get(first.casefold())
        if missing:
            message = f"There is no {'`if`' if missing == 'if' else missing} before this `{shorten_typed(first)}`"
            return report_form(message, self.rows["plan"].hint, column, len(first))
        near = self._find_nearest_words(first)
        if (near and near[0] not in FIRST_WORDS) or (
            self.intent.signs.is_turn(text) and self.turns.turn(text).problems
        ):
            return self.turns.turn(text).problems[0]
        hint = f"Did you mean `{near[0]}`? {self.rows[FIRST_WORDS[near[0]]].hint}" if near else self._list_examples()
        return make_problem(
            "post.order.unknown", f"No order begins with `{shorten_typed(first)}`", hint, column, len(first)
        )


def _report_long_line(typed: str, most: int) -> Problem:
    rule, what, hint = "post.say.long", "a line has", "Write the rest on another line."
    if most == LONGEST_ORDER:
        rule, what = "mail.long-line", "an order has"
        hint = "Put the order on a line of its own, or split it into several."
    return make_problem(rule, f"This line has {len(typed)} characters; {what} at most {most}", hint, most, 1)
