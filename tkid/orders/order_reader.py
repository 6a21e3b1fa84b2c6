"""Read a line as an order, a question, press or a plan, and decide whether it was meant as an order.

The first words of a line show the kind of order; the grammar or the forms of that kind read the rest; names are looked up
last. Turns inside orders are read by the reader of turns.

Players write sentences beside their orders, and the words of orders are everyday words. So a first word alone shows nothing:
the line also needs another sign of an order, or hardly any other words. `may_be_order` looks only at the first words, so that
few lines are read. `is_meant` judges a line that cannot be read: if it surely was meant as an order, the host reports the
mistake; any other line is a remark. Both use the thresholds below, and the signs of each game.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Literal

from attrs import evolve, frozen
from lark import Token, Tree

from tkid.kernel.game import fill_names
from tkid.kernel.problems import Fix, Kind, Problem, Scope
from tkid.notation.line_parser import LineError, LineParser, Wrong, build_parser
from tkid.notation.names import ANY_WORDS, EVERY_WORDS, EVERYBODY, People, Unknown, simplify_name
from tkid.notation.plugin import TurnReader, WrongError, find_notation_plugin
from tkid.notation.text import compose_accents, make_plain
from tkid.orders import forms
from tkid.orders import order_values as o
from tkid.orders.order_kinds import FIRST_WORDS, TOPICS, list_rows, read_date, read_zone
from tkid.rulebook import all_rules, cites, is_known_rule
from tkid.rulebook.search import are_known_words, ask

SHORTEST_LIKE, SHORTEST_LIKE_ALONE = 4, 7
"""Letters of a word that need only be like a name, or has one slip; and where nothing else of an order is there."""
SHORTEST_START, SHORTEST_BEHIND = 5, 4
"""Letters of the start of a card that stands alone; of a turn behind a colon."""
ONE_LABEL = re.compile(r"\s*[^\s:]+\s*:")
"""One word and a colon, which may be the name of a game."""
MOST_OF_A_PASS, MOST_OF_A_PAIR, MOST_OF_A_WISH, MOST_OF_A_LABEL, MOST_OF_A_REST = 5, 2, 6, 4, 4
"""Words of a line that begins with `pass`; of one with a first word alone; of one with another word; before a colon; of the
rest of an order, with an error in it."""
MAX_WORDS_BEHIND_CARD = 3
"""Maximum number of words behind a card's name before something else of a turn."""


def is_short_pass(words: Sequence[str], prose: Collection[str]) -> bool:
    """Return True if a few words that begin with `pass` were meant as one: no word of `prose` follows."""
    return len(words) == 1 or (len(words) <= MOST_OF_A_PASS and words[1] not in prose)


NOT_TAKEN = {"when": "if", "whenever": "if", "unless": "if", "quit": "resign", "surrender": "resign", "stop": "cancel"}
"""Words that people may use and that could be misread: the reply names the order that was meant, and does not carry it out."""
MISPLACED = {"else": "if", "otherwise": "if", "then": "turn"}
"""Words that only continue a plan, and the words that are missing before them."""
OTHERS = (*NOT_TAKEN, *MISPLACED, "always", "keep", "no")
"""First words that belong to no order but are known."""
MAX_REMEMBERED_LINES = 1000
SAID = re.compile(r"(?:say|tell|press)\b\W{1,3}(?P<to>to\b)?\s*(?P<whom>[^:]{0,40}):", re.IGNORECASE)
SAID_TO = re.compile(r"(?:say|tell|press)\s+to\s+(?P<whom>.+)", re.IGNORECASE)
DAY = re.compile(r"\b\d{4}\b|\d[./-]\d")


class IntentDetector:
    """Judges which lines of a game with these players were meant as orders."""

    def __init__(self, turns: TurnReader, people: People, language: o.OrderLanguage) -> None:
        self.turns, self.people, self.language = turns, people, language
        self.signs = language.find_signs(turns, people)
        self.rows = list_rows(language)
        words = {word for beginning in self.signs.beginnings for word in beginning.split()}
        self.starts = tuple(words | {*FIRST_WORDS, *OTHERS})
        self._begins = lru_cache(MAX_REMEMBERED_LINES)(self._is_begun_like_order)

    def may_be_order(self, text: str) -> bool:
        """Return True if a line may be an order, or one with an error: by its first words, or as an order behind other words."""
        text = POLITE_AT_START.sub("", text[: forms.MAX_LOOKED_AT].lstrip(), count=1)
        words = forms.split_small_words(make_plain(text))
        if not words:
            return text.strip() == "?"
        return self._begins(words[0], " ".join(words[:2])) or self._is_ended_like_order(text)

    def _is_begun_like_order(self, first: str, two: str) -> bool:
        if any(start.startswith(first) or forms.is_single_slip(first, start) for start in self.starts):
            return True
        long = (words for words in (first, two) if len(words) >= SHORTEST_LIKE)
        return any(forms.is_like_name(words, self.signs.beginnings) for words in long)

    def _is_ended_like_order(self, text: str) -> bool:
        """Return True if an order may follow other words."""
        before, _, behind = make_plain(text).rpartition(":")
        words = forms.split_small_words(behind)
        if before and len(before.split()) <= MOST_OF_A_LABEL and words:
            return any(start.startswith(words[0]) for start in self.starts)
        return self.language.gives_up.fullmatch(text.strip()) is not None

    def is_order(self, order: o.Order | None, words: Sequence[str]) -> bool:
        """Return True if the reading of a line with these words is an order; a turn must be written out, because initials don't count."""
        if isinstance(order, o.Turn):
            return self.signs.is_written_out(order.read, len("".join(words)))
        return order is not None

    def is_meant(self, kind: str, text: str) -> bool:  # noqa: PLR0911 - one for each kind
        """Return True if a line of a kind that cannot be read was surely meant as an order."""
        text = text[: forms.MAX_LOOKED_AT]
        words = forms.split_small_words(text)
        if not words:
            return False
        if kind == "turn":
            return self.signs.is_turn(text)
        if kind == "plan":
            return self._is_plan(text)
        if kind == "standing":
            return self.signs.is_standing(words)
        if kind == "say":
            return self._is_said(text)
        if kind == "draft":
            rest = text[len("draft") :].lstrip(" :")
            short = not rest or len(words) <= MOST_OF_A_PAIR
            return short or self.signs.is_turn(rest) or self._is_plan(rest)
        if kind == "away" and DAY.search(text):
            return True
        if kind:
            return self.rows[kind].was_meant(text)
        gives_up = self.language.gives_up.fullmatch(text.strip()) is not None
        return gives_up or self._is_slip(words, text) or bool(self.find_turn_behind_colon(text))

    def _is_plan(self, text: str) -> bool:
        """Return True if a line was meant as a plan: something happens and a turn follows, or it shows an arrow."""
        inner = text.lstrip(" (")
        if inner != text.lstrip(" "):
            return self._is_step(inner) or self._is_plan(inner)
        if any(sign in text.casefold() for sign in self.signs.signs):
            return True
        before, colon, behind = text.partition(":")
        if colon and (self.signs.happens.search(before) or self._is_done(behind)):
            return True
        happens = self.signs.happens.search(text) is not None
        if happens and self.signs.otherwise.search(text):
            return True
        words = forms.split_small_words(text)
        if words[:1] == ["if"]:
            return happens and len(words) <= MOST_OF_A_PASS and self._is_known(text)
        first = re.split(r"[;,.\s]+then\b", text, maxsplit=1, flags=re.IGNORECASE)[0]
        return first != text and (self._is_step(first) or words[:1] == ["stop"])

    def _is_step(self, text: str) -> bool:
        """Return True if a text begins with a step of a plan, or was meant as a turn."""
        return self.signs.done.match(text) is not None or self.signs.is_turn(text)

    def _is_done(self, text: str) -> bool:
        words = forms.WORD.findall(text)[:2]
        named = any(isinstance(self.turns.cards.find(" ".join(words[:count])), str) for count in (1, 2) if words)
        plan = text.strip(" (").casefold().startswith("if ")
        short = named and len(forms.split_small_words(text)) <= MOST_OF_A_PAIR
        return bool(self.signs.done.match(text)) or plan or short or self.signs.is_turn(text.strip())

    def _is_known(self, text: str) -> bool:
        """Return True if the word behind the first is a player, some player, or a region."""
        names = {word for name in self.people.names for word in simplify_name(name).split()}
        known = names.union(ANY_WORDS, EVERY_WORDS, self.signs.known)
        second = re.findall(r"[^\W_]+", compose_accents(text))[1:2]
        return any(word.casefold() in known or self.people.find_seat(word) is not None for word in second)

    def _is_said(self, text: str) -> bool:
        """Return True if a line was meant as words to players: a colon or its addressee shows it."""
        colon = SAID.match(text)
        if colon:
            short = len(forms.split_small_words(colon["whom"])) <= MOST_OF_A_LABEL
            return bool(colon["to"]) or (short and not text.casefold().startswith("press"))
        to, people = SAID_TO.match(text), tuple(map(simplify_name, (*self.people.names, *EVERYBODY)))
        return to is not None and simplify_name(to["whom"]).startswith(people)

    def _is_slip(self, words: list[str], text: str) -> bool:
        """Return True if a line begins with a slip of the first word of an order, or with half a plan, and continues like one."""
        rest = text.lstrip()[len(words[0]) :]
        if words[0] in NOT_TAKEN:
            if NOT_TAKEN[words[0]] != "if":
                return len(words) == 1
            return ":" in text and self._is_plan(f"if{rest}")
        if words[0] in MISPLACED:
            return self._is_done(rest)
        if self.signs.is_turn(text):
            return True
        slips = ((first, kind) for first, kind in FIRST_WORDS.items() if forms.is_single_slip(words[0], first))
        return any(self._is_continued(kind, first, words, rest) for first, kind in slips)

    def _is_continued(self, kind: str, first: str, words: list[str], rest: str) -> bool:
        """Return True if a line whose first word is a slip continues like an order of the kind."""
        if kind in {"plan", "say", "draft"}:
            return bool(rest.strip()) and self.is_meant(kind, first + rest)
        if len(words) == 1:
            return len(words[0]) >= SHORTEST_LIKE
        has_sign = self.rows[kind].signs.search(rest) is not None
        return has_sign and self.rows[kind].order is not o.Ask and len(words) <= MOST_OF_A_WISH

    def find_turn_behind_colon(self, text: str) -> str:
        """Return the turn behind a few words and a colon, as in `My move: Pass`, or ""."""
        before, colon, behind = SMILE.sub(" ", text).rpartition(":")
        turn = behind.strip(" *_`\"'")
        few = colon and 0 < len(before.split()) <= MOST_OF_A_LABEL and len(turn) >= SHORTEST_BEHIND
        if not few or not self.signs.is_turn(turn):
            return ""
        read = self.turns.read_turn(turn)
        return "" if read.problems else turn


MAX_NESTED = 5
"""Maximum number of conditions or parentheses inside one another."""
WRONG_STEPS: Wrong = tomllib.loads(files(__package__).joinpath("wrong_plans.toml").read_text("utf-8"))
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


def read_turn_at(turns: TurnReader, people: People, text: str, column: int) -> o.Turn:
    """Read a turn that begins at a column of its line. Raises WrongError."""
    behind = IF_BEHIND.search(text)
    if behind:
        hint = "Write the plan on a line of its own, or write `then if` for your next turn."
        wrong = forms.Part(behind[1], column + behind.start(1))
        raise wrong.make_error("A plan cannot follow a turn in this way", hint)
    read = turns.read_turn(text)
    if read.problems:
        raise WrongError(*(problem.move_to(line=1, col=column) for problem in read.problems))
    return o.Turn(fill_names(turns.game.words.write_turn(read.moves), people.names), read)


@frozen
class PlanReader:
    """Reads the steps of a plan from a parsed line in a game's `language`; `lookup` knows the names, and collects the problems."""

    language: o.OrderLanguage
    lookup: o.Lookup
    most_nested: int

    def read_steps(self, tree: object, depth: int) -> o.Steps:
        steps = list(self._read_each(tree, depth))
        for _, part in steps[:-1]:
            # a wrong turn is not a turn, even with another word in its place
            if isinstance(part, Token) and part.type == "STOP":
                self.lookup.note_problem("Nothing can come after `stop`", "A plan ends with `stop`.", part)
        return tuple(step for step, _ in steps)

    def _read_each(self, tree: object, depth: int) -> Iterator[tuple[o.Step, object]]:
        """Yield the steps with their parts of the line; parentheses around steps change nothing."""
        assert isinstance(tree, Tree)
        for child in tree.children:
            if isinstance(child, Tree) and child.data == "steps":
                yield from self._read_each(child, depth)
            else:
                yield (self._read_if(child, depth + 1) if isinstance(child, Tree) else self._read_leaf(child)), child

    def _read_leaf(self, token: Token) -> o.Step:
        if token.type == "STOP":
            return o.Stop()
        column = token.start_pos or 0
        text = self.lookup.text[column : column + len(token)]
        try:
            return read_turn_at(self.lookup.turns, self.lookup.people, text, column)
        except WrongError as wrong:
            self.lookup.problems.extend(wrong.problems)
            return o.Stop()

    def _read_if(self, tree: Tree[Token], depth: int) -> o.If:
        if depth > self.most_nested:
            self.lookup.problems.append(report_nesting(self.lookup.find_part(tree).column))
            return o.If((), ())
        conditions, then, *rest = tree.children
        assert isinstance(conditions, Tree)
        read = tuple(self.language.read_condition(self.lookup, condition) for condition in conditions.children)  # type: ignore[arg-type] # the grammar puts only trees here
        otherwise = self.read_steps(rest[0], depth - 1) if rest else None
        return o.If(read, self.read_steps(then, depth), otherwise, conditions.data == "every")


RULE_ID = re.compile(r"[\w-]+(\.[\w-]+)+")
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
SENTENCE = re.compile(r"[^.!?？؟]*[^.!?？؟\s](?:\s?[?？؟])?")
LETTERS = re.compile(r"[^\W\d_]+")
HOW_TO_ASK = "To ask about a rule, reply `rules` and your question. To check a turn, reply `draft` and the turn."
ASKED_OTHERS = frozenset({"me", "you", "him", "her", "us", "them"})
"""People whom somebody asks who asks for no rule: `ask me: that was a mistake`."""


def _is_answered(argument: str) -> bool:
    """Return True if words ask for a rule: a rule has most of them, and they are few, begin as questions do, or are all words of rules."""
    words, found = argument.split(), ask(argument)
    has_rule = found.fits or (bool(found.hits) and 3 * len(found.unknown) < len(words))
    if not words or words[0].strip(",:") in ASKED_OTHERS:
        return False
    if words[0] in ASKING_WORDS:
        return has_rule
    return has_rule and not found.unknown and (len(words) <= MAX_WORDS_WITH_SLIPS or are_known_words(argument))


def _read_rule(part: forms.Part) -> str:
    """Return the id of a rule, or a question that some rule fits. Raises WrongError."""
    bare = part.text.strip(" :?" + forms.ENDS)
    argument = bare.casefold()
    few = len(argument) <= MAX_SEARCH_LENGTH
    if few and (is_known_rule(argument) or (not RULE_ID.fullmatch(argument) and _is_answered(argument))):
        return argument
    alike = few and get_close_matches(argument, [rule.id for rule in all_rules()], 3)
    meant = " or ".join(f"`rules {each}`" for each in alike or ())
    hint = f"Did you mean {meant}?" if meant else ""
    raise part.make_error(f"No rule has `{forms.shorten_typed(bare)}`", hint, Kind.NAME, "post.order.rule")


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
def build_order_parser(language: o.OrderLanguage) -> LineParser:
    """Return the parser of plans and standing orders: of what all games have, and of the game's own."""
    return LineParser(build_parser(("orders", language.grammar), tuple(language.wrong)), language.wrong)


def parse_order(kind: str, text: str, language: o.OrderLanguage) -> Tree[Token]:
    """Return the tree of a line of a kind. Raises WrongError."""
    try:
        return build_order_parser(language).parse(kind, text)
    except LineError as error:
        found = text[error.column :].split(maxsplit=1)[0] if error.is_character else error.found
        message = f"`{forms.shorten_typed(found)}` does not belong here" if found else "Something is missing here"
        hint = list_rows(language)[kind].hint
        raise forms.Part(found, error.column).make_error(error.label or message, hint) from None


SMILE = re.compile(r"[:;]-?[)DP](?!\w)")
EMOJI = "\u203c\u2049\u2600-\u2793\u2b50\u2b55\U0001f000-\U0001faff"
"""Ranges of signs that show a mood; arrows belong to turns."""
SIGNS_AT_END = re.compile(rf"(?:\s*(?:[{EMOJI}][\ufe0e\ufe0f\u200d♀♂]*|(?<=\s)[:;]['-]?[)(DP](?!\w)))+\s*\Z")
"""Emoji and smileys behind an order."""
POLITE_AT_END = re.compile(
    r"[\s,.!]+(?:please|pls|plz|bitte|svp|s['’]il (?:te|vous) pla[iî]t|por favor|per favore|alsjeblieft|proszę)[\s.!]*\Z",
    re.IGNORECASE,
)
"""Polite words behind an order."""
POLITE_AT_START = re.compile(
    r"(?:please|pls|kindly|(?:can|could|would|will) you(?: please| kindly)?)\s+(?=\S)", re.IGNORECASE
)
"""Polite words before an order."""
ADDRESSED = {"turn", "plan", "standing", "resign", ""}
"""Kinds of lines that ask an opponent to do something if polite words begin them: `please pass`."""
AROUND = " \t*_`\"'"
"""Characters that people and mail programs put around a line."""
LONGEST_ORDER, LONGEST_SAID = 300, 2000
"""In characters; a longer text is said in several lines."""

BEFORE_COLON, ANYTHING = re.compile(r"[^:]+"), re.compile(r".+")
SEQUENCE = re.compile(r"[^\W_].*[;,.\s]then(?!\w)|\(", re.IGNORECASE)
BEGINS_PLAN = re.compile(r"\(|stop\W+(?:and\s+)?then(?!\w)", re.IGNORECASE)
RESIGNED = re.compile(r"resign[\s.!]*", re.IGNORECASE)
"""The whole of a line that gives up a game."""


@frozen
class ReadOrder:
    """A line as read: the order, or None with the problems."""

    order: o.Order | None
    problems: tuple[Problem, ...] = ()
    kind: str = ""
    meant: bool = True


def _read_words(part: forms.Part) -> str:
    """Return words to players as they were typed. Raises WrongError."""
    words = "".join(c if c.isprintable() else " " for c in part.typed).strip(" *_`")
    if not words:
        raise part.make_error("The text is missing")
    return words


class LineReader:
    """Reads the orders of a game; `turns` reads its turns. `seat` is the seat of the writer, if that is known."""

    def __init__(self, turns: TurnReader, people: People, seat: int | None = None, *, stored: bool = False) -> None:
        self.turns, self.people, self.seat = turns, people, seat
        self.language = o.find_order_language(turns.game)
        self.longest = LONGEST_SAID if stored else LONGEST_ORDER
        self.most_nested = LONGEST_ORDER if stored else MAX_NESTED
        parties = turns.game.parties.get(len(people.names), ())
        self.party = next((party for party in parties if seat in party), ())
        self.rows = list_rows(self.language)
        types = {
            "to": forms.SlotType(BEFORE_COLON, self._read_addressee, "The player to write to is missing"),
            "text": forms.SlotType(ANYTHING, _read_words, "The text is missing", forms.list_line_end),
            "day": forms.SlotType(BEFORE_COLON, read_date, "The day is missing"),
            "last": forms.SlotType(
                BEFORE_COLON, lambda part: evolve(part, text=read_date(part).isoformat()), "The last day is missing"
            ),
            "zone": forms.SlotType(ANYTHING, read_zone, "The time zone is missing", forms.list_line_end),
            "number": forms.SlotType(re.compile(r"#?[0-9]{1,6}"), lambda part: int(part.text.strip("#"))),
            "turn": forms.SlotType(ANYTHING, self._read_draft, "The turn to check is missing", forms.list_line_end),
            "card": forms.SlotType(ANYTHING, self._read_card),
            "rule": forms.SlotType(ANYTHING, _read_rule, ends=forms.list_line_end),
            "topic": forms.SlotType(ANYTHING, self._read_topic),
        }
        self.forms = forms.FormReader([row for row in self.rows.values() if row.forms], types, "post.order.form")

    @cached_property
    def intent(self) -> IntentDetector:
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
            signs = SIGNS_AT_END.search(text) or POLITE_AT_END.search(text)
            if signs and (bare := self.read_line(typed[: start + signs.start()])).order is not None:
                return bare
            if polite := POLITE_AT_START.match(text):
                bare = self.read_line(" " * (start + polite.end()) + typed[start + polite.end() :])
                if bare.order is not None and bare.kind not in ADDRESSED:
                    return bare
            slip = self.forms.find_slip(text, [self.rows[kind]]) if kind in self.rows else None
            found = slip.problems if slip else wrong.problems
            problems = sorted((each.move_to(line=1, col=start) for each in found), key=lambda each: each.col)
            return ReadOrder(None, tuple(problems), kind, self.intent.is_meant(kind, text))
        return ReadOrder(order, (), kind)

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

    @cites("post.undo", "post.agree")
    def _read_order(self, kind: str, text: str, typed: str) -> o.Order:
        if not kind:
            raise WrongError(self._report_unknown(text))
        if kind == "turn":
            return read_turn_at(self.turns, self.people, text, 0)
        if kind in {"standing", "plan"}:
            return self._read_plan(kind, text.rstrip(forms.ENDS))
        read = self.forms.read_line(text if kind == "say" else text.rstrip(forms.ENDS), [self.rows[kind]], typed)
        assert read is not None
        if read.order is None:
            raise WrongError(*read.problems)
        if kind == "resign" and not RESIGNED.fullmatch(text):
            message = "To give up the game, write `resign` alone on its line"
            raise forms.Part("", len("resign")).make_error(message, self.rows[kind].hint)
        order: o.Order = read.order
        return order

    def _read_plan(self, kind: str, text: str) -> o.Order:
        """Read a plan. Raises WrongError, also if too many parentheses stand inside one another."""
        masked, depth = self.people.mask_names(text), 0
        for column, character in enumerate(masked):
            depth += (character == "(") - (character == ")")
            if depth > self.most_nested:
                raise WrongError(report_nesting(column))
        tree = parse_order(kind, masked, self.language)
        lookup = o.Lookup(self.people, self.turns, text, self.seat, self.language.without_not)
        if kind == "standing":
            order: o.Plan = self.language.read_standing(lookup, tree)
        else:
            order = o.Planned(PlanReader(self.language, lookup, self.most_nested).read_steps(tree.children[0], 0))
        if lookup.problems:
            raise WrongError(*lookup.problems)
        return order

    def _read_draft(self, part: forms.Part) -> o.Turn:
        if self._find_kind(part.text) not in {"turn", ""}:
            raise part.make_error("`draft` checks only a turn")
        return read_turn_at(self.turns, self.people, part.text, part.column)

    @cites("post.say")
    def _read_addressee(self, part: forms.Part) -> int | Literal["all"]:
        """Return the seat to write to, or `all`. Raises WrongError."""
        if simplify_name(part.text) in EVERYBODY:
            return "all"
        seat = self.people.find_seat(part.text)
        if seat is None:
            lead = "Write to one player, or to `all`. "
            raise WrongError(o.report_unknown_player(self.people, part, lead))
        hint = "To write to everybody: `say to all: TEXT`."
        if seat == self.seat:
            raise part.make_error("You cannot send a message to yourself", hint, Kind.ILLEGAL, "post.say.self")
        if seat in self.party:
            message = f"{self.people.names[seat]} is your team-mate. Team-mates may not discuss plans, so the message is not sent"
            raise part.make_error(message, hint, Kind.ILLEGAL, "post.say.team-mate")
        return seat

    def _read_card(self, part: forms.Part) -> str:
        card = self.turns.cards.find(part.text)
        if isinstance(card, Unknown):
            raise WrongError(o.report_unknown_card(self.turns, card, part.column))
        return card

    def _read_topic(self, part: forms.Part) -> str:
        topics = {**TOPICS, **dict.fromkeys(find_notation_plugin(self.turns.game).standing, "standing")}
        if part.text.casefold() not in topics:
            hint = f"There is help on {', '.join(dict.fromkeys(topics.values()))}."
            raise part.make_error(f"There is no help on `{forms.shorten_typed(part.text)}`", hint)
        return topics[part.text.casefold()]

    def _find_nearest_words(self, word: str) -> list[str]:
        given = NOT_TAKEN.get(word.casefold())
        cards = [name.split()[0].casefold() for name in self.turns.cards.names]
        known = dict.fromkeys([*FIRST_WORDS, *cards])
        slips = [first for first in FIRST_WORDS if forms.is_single_slip(word.casefold(), first)]
        return [given] if given else get_close_matches(word.casefold(), known, 3, forms.LIKE) or slips

    def _list_examples(self) -> str:
        return (
            f"An order is a turn, as `{self.language.turn}`, or a line like {self.language.examples}, `say to all: TEXT`, "
            "`status`, `legal`, `why`, `history`, `undo?`. `help` lists them all."
        )

    def _report_unknown(self, text: str) -> Problem:
        words = re.findall(r"[^\W_]+", text)
        if not words:
            return forms.Part(text).make_problem("There is no order here", self._list_examples())
        first = forms.Part(words[0], text.index(words[0]))
        given_up = self.language.gives_up.fullmatch(text)
        turn = given_up[1].lower() if given_up else self.intent.find_turn_behind_colon(text)
        if turn:
            message = "An order has to be alone on its line, without words before it"
            elsewhere = " If you mean another game, reply to its mail." if ONE_LABEL.match(text) else ""
            hint = f"Write `{forms.shorten_typed(turn)}` alone.{elsewhere}"
            before = forms.Part(text[first.column : text.lower().rindex(turn.lower())], first.column)
            wrong = before.make_problem(message, hint)
            return evolve(wrong, fixes=(Fix(turn, Scope.LINE),)) if forms.shorten_typed(turn) == turn else wrong
        shown, missing = forms.shorten_typed(first.text), MISPLACED.get(first.text.casefold())
        if missing:
            message = f"There is no {'`if`' if missing == 'if' else missing} before this `{shown}`"
            return first.make_problem(message, self.rows["plan"].hint)
        near = self._find_nearest_words(first.text)
        wrong_turn = self.turns.read_turn(text).problems if self.intent.signs.is_turn(text) else ()
        if wrong_turn or (near and near[0] not in FIRST_WORDS):
            return self.turns.read_turn(text).problems[0]
        hint = f"Did you mean `{near[0]}`? {self.rows[FIRST_WORDS[near[0]]].hint}" if near else self._list_examples()
        return first.make_problem(f"No order begins with `{shown}`", hint, rule="post.order.unknown")


def _report_long_line(typed: str, most: int) -> Problem:
    rule, what, hint = "post.say.long", "a line has", "Write the rest on another line."
    if most == LONGEST_ORDER:
        rule, what = "mail.long-line", "an order has"
        hint = "Put the order on a line of its own, or split it into several."
    message = f"This line has {len(typed)} characters; {what} at most {most}"
    return forms.Part("", most, rule).make_problem(message, hint)
