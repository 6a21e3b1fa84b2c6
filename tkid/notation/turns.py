"""Reading turns: from a line that somebody typed to moves, or to problems with their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from attrs import field, frozen
from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from tkid.games.struggle.board import Followers
from tkid.games.struggle.cards import Card
from tkid.games.struggle.game import NO_SUMMON, PASS, Struggle
from tkid.games.struggle.moves import Exchange, Move, Place, Play, Resolution, Spread, Summon, Swap
from tkid.kernel.ladder import NOTHING
from tkid.kernel.problems import Kind, Problem
from tkid.notation import teach
from tkid.notation.grammar import turn_parser
from tkid.notation.text import arrows, plain
from tkid.notation.vocabulary import Unknown, Vocabulary, listed

DECISIONS_REMEMBERED = 1 << 16
LONGEST_NAME = 3
NO_ACTION = "Pass"

Span = tuple[int, int]
"""Where a part stands in the text: column from 0, and length."""


@frozen
class ReadDecision:
    """One decision as read: the move, None with the problems where it could not be; and where its parts stand."""

    move: Move | None
    problems: tuple[Problem, ...]
    parts: Mapping[str, Span]


@frozen
class ReadTurn:
    """A turn as read: its decisions in order, and the column at which each starts.

    `moves` are the moves in order, empty where anything was not understood; `problems` say what was not, with
    columns within the whole turn.
    """

    decisions: tuple[ReadDecision, ...]
    columns: tuple[int, ...]
    moves: tuple[Move, ...] = field(init=False)

    @moves.default
    def _(self) -> tuple[Move, ...]:
        moves = tuple(decision.move for decision in self.decisions if decision.move is not None)
        return moves if len(moves) == len(self.decisions) else ()

    problems: tuple[Problem, ...] = field(init=False)

    @problems.default
    def _(self) -> tuple[Problem, ...]:
        return tuple(
            problem.moved(line=problem.line, col=column)
            for decision, column in zip(self.decisions, self.columns, strict=True)
            for problem in sorted(decision.problems, key=lambda problem: problem.col)
        )


NO_SUMMONS = ReadDecision(
    None,
    (
        Problem(
            Kind.SYNTAX,
            "notation.form",
            "Nothing stands here, behind the semicolon",
            hint="The summons belongs here, as in `summon W Gwynedd`; a pass has no semicolon.",
        ),
    ),
    {},
)
"""In place of a decision where nothing stands behind a semicolon."""


class _WrongError(Exception):
    """A part of a decision was not understood; carries the problems."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*map(str, problems))
        self.problems = problems


class TurnReader:
    """Reads the turns of a game; the same text gives the same result and is parsed once."""

    def __init__(self, game: Struggle) -> None:
        self.game = game
        board = game.board
        self.cards = Vocabulary({**game.cards, NO_ACTION: PASS}, {})
        self.regions = Vocabulary(
            {region.name: index for index, region in enumerate(board.regions)},
            {region.code: region.name for region in board.regions},
        )
        self.letters = {faction.letter.upper(): index for index, faction in enumerate(board.factions)}
        self._remembered = lru_cache(DECISIONS_REMEMBERED)(self._decision)
        self._turns = lru_cache(DECISIONS_REMEMBERED)(self._turn)

    def turn(self, text: str) -> ReadTurn:
        """Read a whole turn: a decision, or several with semicolons between."""
        return self._turns(text)

    def _turn(self, text: str) -> ReadTurn:
        texts = plain(text).split(";")
        columns, at = [], 0
        for part in texts:
            columns.append(at)
            at += len(part) + 1
        read = tuple(
            NO_SUMMONS if index and not part.strip() else self._remembered(part) for index, part in enumerate(texts)
        )
        return ReadTurn(read, tuple(columns))

    # -- one decision -------------------------------------------------------------------------------------

    def _decision(self, typed: str) -> ReadDecision:
        text, columns = arrows(typed.rstrip(" .!"))
        try:
            move, parts = self._understand(text)
        except _WrongError as wrong:
            problems = tuple(_in_original(problem, columns, len(typed)) for problem in wrong.problems)
            return ReadDecision(None, problems, {})
        spans = {name: (columns[at], columns[at + length] - columns[at]) for name, (at, length) in parts.items()}
        return ReadDecision(move, (), spans)

    def _understand(self, text: str) -> tuple[Move, dict[str, Span]]:
        words = [(match.group(), match.start()) for match in re.finditer(r"[^\W_]+", text)]
        if not words:
            typed = text.strip()
            told = f"`{typed}` is no turn" if typed else "Nothing stands here"
            hint = "A turn is `Pass`, or a card with its resolution."
            at = text.find(typed) if typed else len(text)
            raise _WrongError(
                Problem(Kind.SYNTAX, "notation.form", told, col=at + 1, length=max(1, len(typed)), hint=hint)
            )
        if words[0][0].casefold() in {"summon", "summons"} or (
            words[0][0].casefold() == "no" and words[1:2] and words[1][0].casefold().startswith("summon")
        ):
            return self._summon(text)
        candidates = self._candidates(text, words)
        failures: list[_WrongError] = []
        for name, end in candidates:
            start = words[0][1]
            parts = {"card": (start, end - start)}
            if name == NO_ACTION:
                if text[end:].strip():
                    failures.append(_expected_nothing(text, end))
                    continue
                return PASS, parts
            try:
                resolution, found = self._resolution(self.game.cards[name], text, end)
            except _WrongError as wrong:
                failures.append(wrong)
            else:
                return Play(name, resolution), parts | found
        raise failures[0]

    def _candidates(self, text: str, words: list[tuple[str, int]]) -> list[tuple[str, int]]:
        """The cards that the first words may name, with where the name ends: longest name first."""
        found: list[tuple[str, int]] = []
        failed: list[Unknown] = []
        for count in range(min(LONGEST_NAME, len(words)), 0, -1):
            end = words[count - 1][1] + len(words[count - 1][0])
            named = self.cards.find(text[words[0][1] : end])
            if isinstance(named, str):
                found.append((named, end))
            else:
                failed.append(named)
        if found:
            return found
        failed.reverse()  # shortest first
        unknown = next((u for u in failed if u.ambiguous), None) or next((u for u in failed if u.meant), failed[0])
        hint = unknown.hint() or f"The cards are {listed(self.game.cards, 'and')}."
        told = "fits several cards" if unknown.ambiguous else "is no card of this ruleset"
        typed = unknown.typed
        raise _WrongError(
            Problem(Kind.NAME, "notation.card", f"`{typed}` {told}", col=words[0][1] + 1, length=len(typed), hint=hint)
        )

    def _resolution(self, card: Card, text: str, start: int) -> tuple[Resolution, dict[str, Span]]:
        tree = self._parse(card.form, text, start, card.name)
        if tree.children and isinstance(tree.children[0], Token) and tree.children[0].type == "NOTHING":
            return NOTHING, {}
        return _Build(self, start).build(card.form, tree)

    def _summon(self, text: str) -> tuple[Move, dict[str, Span]]:
        tree = self._parse("summon", text, 0, "summon")
        whole = {"summon": (len(text) - len(text.lstrip()), len(text.strip()))}
        if isinstance(tree.children[0], Token):
            return NO_SUMMON, whole
        build = _Build(self, 0)
        faction = build.one_follower("faction", tree.children[0])
        region = build.region("region", tree.children[1])
        build.check()
        assert faction is not None
        return Summon(faction, region), build.parts | whole

    def _parse(self, form: str, text: str, start: int, name: str) -> Tree[Token]:
        try:
            return turn_parser().parse(text[start:], start=form)
        except UnexpectedInput as error:
            message, at, length = teach.explain(form, text[start:], error)
            raise _WrongError(
                Problem(
                    Kind.SYNTAX,
                    "notation.form",
                    message,
                    col=start + at + 1,
                    length=length,
                    hint=teach.example(form, name),
                )
            ) from None


@frozen
class _Build:
    """Makes a resolution of a parsed tree, collecting what was not understood and where the parts stand."""

    reader: TurnReader
    start: int
    parts: dict[str, Span] = field(factory=dict)
    problems: list[Problem] = field(factory=list)

    def build(self, form: str, tree: Tree[Token]) -> tuple[Resolution, dict[str, Span]]:
        forms: dict[str, Callable[[Any], Resolution]] = {
            "place": self._place,
            "spread": self._spread,
            "exchange": self._exchange,
            "swap": self._swap,
        }
        made = forms[form](tree.children)
        self.check()
        return made, self.parts

    def check(self) -> None:
        if self.problems:
            raise _WrongError(*self.problems)

    def _place(self, children: Any) -> Place:
        group, region = children
        return Place(self.group("group", group), self.region("region", region))

    def _swap(self, children: Any) -> Swap:
        give, left, take, right = children
        groups = self.group("give", give), self.group("take", take)
        return Swap(self.region("left", left), self.region("right", right), *groups)

    def _exchange(self, children: Any) -> Exchange:
        first, second, *rest = children
        disc = next((tree for tree in rest if isinstance(tree.children[0], Tree)), None)
        return Exchange(
            self.region("first", first),
            self.region("second", second),
            self.region("disc", disc.children[0]) if disc else None,
        )

    def _spread(self, children: Any) -> Spread:
        board = self.reader.game.board
        placed: dict[int, int] = {}
        for item in children:
            followers, region = item.children
            faction = self.one_follower("faction", followers)
            if faction is None:
                self.region("region", region)
                continue
            name = f"region of {board.factions[faction].name}"
            if faction in placed:
                told = f"{board.factions[faction].name} stands here twice: one of each faction is placed"
                self._wrong("notation.one-each", Kind.SYNTAX, followers, told, "Write one letter for each faction.")
            placed[faction] = self.region(name, region)
        return Spread(tuple(placed.get(faction) for faction in range(len(board.factions))))

    def one_follower(self, part: str, tree: object) -> int | None:
        """The faction of a group of one; None if it is none."""
        before = len(self.problems)
        group = self.group(part, tree)
        if len(self.problems) > before:
            return None
        if sum(group) != 1:
            told = f"One follower is named here, by one letter, not {self.reader.game.board.group(group)}"
            self._wrong("notation.one-each", Kind.SYNTAX, tree, told)
            return None
        return group.index(1)

    def group(self, part: str, tree: object) -> Followers:
        """A group of followers from its letters."""
        letters = self.reader.letters
        text, _ = self._note(part, tree)
        if not set(text.upper()) <= letters.keys():
            factions = self.reader.game.board.factions
            known = ", ".join(f"{f.letter} {f.name}" for f in factions)
            strange = ", ".join(dict.fromkeys(c for c in text if c.upper() not in letters))
            told = f"`{text}` is no group of followers: {strange} is no faction's letter"
            self._wrong("notation.faction", Kind.NAME, tree, told, f"The letters are {known}.")
            return (0,) * len(letters)
        return tuple(text.upper().count(letter) for letter in letters)

    def region(self, part: str, tree: object) -> int:
        """A region from its name."""
        text, _ = self._note(part, tree)
        regions = self.reader.regions
        found = regions.find(text)
        if isinstance(found, Unknown):
            told = f"`{text}` fits several regions" if found.ambiguous else f"`{text}` is no region"
            hint = found.hint() or f"The regions are {listed(regions.names, 'and')}."
            self._wrong("notation.region", Kind.NAME, tree, told, hint)
            return 0
        index = regions.names[found]
        assert isinstance(index, int)
        return index

    def _note(self, part: str, tree: object) -> tuple[str, Span]:
        """The words of a group or region, and where they stand."""
        assert isinstance(tree, Tree)
        span = self._span(tree)
        self.parts[part] = span
        return " ".join(map(str, tree.children)), span

    def _span(self, tree: Tree[Token]) -> Span:
        begin, end = tree.meta.start_pos, tree.meta.end_pos
        return self.start + begin, end - begin

    def _wrong(self, rule: str, kind: Kind, tree: object, message: str, hint: str = "") -> None:
        assert isinstance(tree, Tree)
        at, length = self._span(tree)
        self.problems.append(Problem(kind, rule, message, col=at + 1, length=length, hint=hint))


def _expected_nothing(text: str, end: int) -> _WrongError:
    at = end + len(text[end:]) - len(text[end:].lstrip())
    return _WrongError(
        Problem(
            Kind.SYNTAX,
            "notation.form",
            f"`Pass` stands alone, but `{text[at:].strip()}` follows",
            col=at + 1,
            length=len(text) - at,
            hint="Write `Pass`, or a card with its resolution.",
        )
    )


def _in_original(problem: Problem, columns: list[int], typed: int) -> Problem:
    """A problem whose columns are those of the text as it was typed."""
    at = columns[min(problem.col - 1, len(columns) - 1)]
    end = columns[min(problem.col - 1 + problem.length, len(columns) - 1)]
    return Problem(
        problem.kind, problem.rule, problem.message, problem.line, min(at, typed) + 1, max(1, end - at), problem.hint
    )
