"""Reading turns: from a line that somebody typed to moves, or to problems with their places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from attrs import evolve
from lark import Token

from tkid.games.struggle.notation.turn_builder import Build, Lexicon
from tkid.games.struggle.notation.turn_syntax import example, form_error, parse
from tkid.games.struggle.rules.cards import Card
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import (
    Copy,
    Move,
    Play,
    Resolution,
    Reveal,
    Summon,
)
from tkid.games.struggle.rules.summoning import NO_SUMMON
from tkid.kernel.ladder import NOTHING
from tkid.kernel.problems import Fix, Kind, Place, Problem, Scope
from tkid.notation.text import arrows, plain
from tkid.notation.turns import ReadDecision, ReadTurn, Span, WrongError
from tkid.notation.vocabulary import Unknown, Vocabulary, listed

DECISIONS_REMEMBERED = 1 << 16
LONGEST_NAME = 3
SHORTEST_START = 3
"""A shorter start of a name does not show that a card of the other game was meant."""
NO_ACTION = "Pass"
SUMMONED = 1
"""The faction whose follower at home is summoned in examples."""
SIGNS = r"<>|->|[>;↔⇄⇆⟷→⇒⟶]"
"""Signs that stand in turns and hardly in sentences."""


class TurnReader:
    """Reads the turns of a game; the same text gives the same result and is parsed once.

    `names` are those of the players, where turns may name them; otherwise seats go by number.
    """

    def __init__(self, game: Struggle, names: Sequence[str] = ()) -> None:
        self.game = game
        numbers = {str(seat): seat - 1 for seat in range(1, (len(names) or max(game.parties)) + 1)}
        self.seats = numbers | {" ".join(name.casefold().split()): seat for seat, name in enumerate(names)}
        self.names = names
        self.cards = Vocabulary({**game.cards, NO_ACTION: PASS}, {})
        self.absent = Vocabulary(game.absent, {})
        self.moving = next((card.name for card in game.cards.values() if card.form == "shift"), "")
        self.summoned = game.words.summon(SUMMONED, game.board.homes[SUMMONED])
        self.lexicon = Lexicon(game.board)
        self.regions = self.lexicon.regions
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
            self._no_summons() if index and not part.strip() else self._remembered(part)
            for index, part in enumerate(texts)
        )
        return ReadTurn(read, tuple(columns))

    def _no_summons(self) -> ReadDecision:
        """In place of a decision where nothing stands behind a semicolon."""
        hint = f"The summons belongs here, as in `summon {self.summoned}`; a pass has no semicolon."
        return ReadDecision(None, form_error("Nothing stands here, behind the semicolon", 0, 1, hint).problems, {})

    def begins(self, text: str) -> bool:
        """Whether a line begins like a turn: with a card, a pass or a summons."""
        words = re.findall(r"[^\W_]+", text)[:3]
        if not words or words[0].casefold() in {"summon", "summons"} or " ".join(words[:2]).casefold() == "no summon":
            return bool(words)
        signs = re.search(SIGNS, text)
        for count in range(len(words), 0, -1):
            typed = " ".join(words[:count])
            cards = self.cards.fits(typed)
            if len(cards) == 1 or (cards and signs) or len(self.absent.fits(typed)) == 1:
                return True
        return False

    def cards_listed(self) -> str:
        """The cards of the game in a sentence, for a hint."""
        return f"The cards are {listed(self.game.cards, 'and')}."

    # -- one decision -------------------------------------------------------------------------------------

    def _decision(self, typed: str) -> ReadDecision:
        text, columns = arrows(typed.rstrip(" .!"))
        try:
            move, parts = self._understand(text)
        except WrongError as wrong:
            problems = tuple(_in_original(problem, columns, len(typed)) for problem in wrong.problems)
            return ReadDecision(None, problems, {})
        spans = {name: (columns[at], columns[at + length] - columns[at]) for name, (at, length) in parts.items()}
        return ReadDecision(move, (), spans)

    def _understand(self, text: str) -> tuple[Move, dict[str, Span]]:
        words = [(match.group(), match.start()) for match in re.finditer(r"[^\W_]+", text)]
        if not words:
            typed = text.strip()
            message = f"`{typed}` is no turn" if typed else "Nothing stands here"
            column = text.find(typed) if typed else len(text)
            raise form_error(message, column, len(typed), "A turn is `Pass`, or a card with its resolution.")
        if words[0][0].casefold() in {"summon", "summons"} or (
            words[0][0].casefold() == "no" and words[1:2] and words[1][0].casefold().startswith("summon")
        ):
            return self._summon(text)
        candidates = self._candidates(text, words)
        failures: list[WrongError] = []
        for name, end in candidates:
            start = words[0][1]
            parts = {"card": (start, end - start)}
            if name == NO_ACTION:
                if text[end:].strip():
                    failures.append(_expected_nothing(text, end))
                    continue
                return PASS, parts
            try:
                return self._played(self.game.cards[name], text, end, parts)
            except WrongError as wrong:
                failures.append(wrong)
        raise failures[0]

    def _played(self, card: Card, text: str, end: int, parts: dict[str, Span]) -> tuple[Move, dict[str, Span]]:
        """A card with what stands behind its name, which ends at `end`."""
        if card.form == "reveal":
            tree = parse(card.form, text, end, example(card.form, card.name, self.summoned))
            build = Build(self.lexicon, end)
            faction = build.faction("faction", tree.children[0])
            build.check()
            return Reveal(card.name, faction), parts | build.parts
        resolution, found = (self._copy if card.form == "copy" else self._resolution)(card, text, end)
        return Play(card.name, resolution), parts | found

    def _copy(self, card: Card, text: str, start: int) -> tuple[Resolution, dict[str, Span]]:
        """Whose pile is copied, and the copied card with its resolution."""
        words = [(match.group(), match.start()) for match in re.finditer(r"[^\s:]+", text[start:])]
        if [word.casefold() for word, _ in words] == ["nothing"]:
            return NOTHING, {}
        if words and words[0][0].casefold() in {"on", "from"}:
            del words[0]
        seat, at, end = self._whose(card, text, words, start)
        rest = [(match.group(), match.start() + end) for match in re.finditer(r"[^\W_]+", text[end:])]
        form = example("copy", card.name, self.moving)
        if not rest:
            raise form_error("The copied card is missing", len(text.rstrip()), 1, form)
        parts = {"seat": (at, end - at)}
        name, name_end = self._candidates(text, rest)[0]
        parts["copied"] = (rest[0][1], name_end - rest[0][1])
        copied = self.game.cards.get(name)
        if copied is None or copied.form in {"copy", "reveal"}:
            raise form_error(f"{name} cannot be copied", rest[0][1], name_end - rest[0][1], form)
        resolution, found = self._resolution(copied, text, name_end)
        return Copy(seat, name, resolution), parts | found

    def _whose(self, card: Card, text: str, words: list[tuple[str, int]], start: int) -> tuple[int, int, int]:
        """The seat that is named, the longest name that fits, and where its name begins and ends."""
        at = start + words[0][1] if words else len(text.rstrip())
        for count in range(len(words), 0, -1):
            typed = " ".join(word for word, _ in words[:count]).casefold()
            found = self.seats.get(typed.removesuffix("'s"))
            if found is not None:
                return found, at, start + words[count - 1][1] + len(words[count - 1][0])
        form = example("copy", card.name, self.moving)
        if not words:
            raise form_error("Whose discard pile, and which card?", at, 1, form)
        typed = text[at:].partition(":")[0].rstrip() if ":" in text[at:] else words[0][0]
        known = Vocabulary(dict.fromkeys(self.names or self.seats), {})
        meant = known.find(typed)
        meant = Unknown(typed, (meant,)) if isinstance(meant, str) else meant
        hint = meant.hint() or f"It is {listed(known.names)}; {form[:1].lower()}{form[1:]}"
        told, place = f"`{typed}` is no player of this game", Place(col=at + 1, length=len(typed))
        raise WrongError(Problem(Kind.NAME, "notation.player", told, hint=hint, fixes=meant.fixes(), **place))

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
        self._refuse_absent(text, words)
        failed.reverse()  # shortest first
        unknown = next((u for u in failed if u.ambiguous), None) or next((u for u in failed if u.meant), failed[0])
        place = words[0][1], len(unknown.typed)
        raise WrongError(unknown.problem("card", "notation.card", place, self.cards_listed(), of=" of this ruleset"))

    def _refuse_absent(self, text: str, words: list[tuple[str, int]]) -> None:
        """Say so where the first words name a card that belongs to the edition and not to this game."""
        for count in range(min(LONGEST_NAME, len(words)), 0, -1):
            start, end = words[0][1], words[count - 1][1] + len(words[count - 1][0])
            named = self.absent.find(text[start:end]) if end - start >= SHORTEST_START else None
            if isinstance(named, str):
                told, hint = f"{named} is no card of this game", self.cards_listed()
                rule = self.game.ids(self.game.absent[named])
                place: Place = {"col": start + 1, "length": end - start}
                raise WrongError(Problem(Kind.NAME, rule, told, hint=hint, **place))

    def _resolution(self, card: Card, text: str, start: int) -> tuple[Resolution, dict[str, Span]]:
        tree = parse(card.form, text, start, example(card.form, card.name, self.summoned))
        if tree.children and isinstance(tree.children[0], Token) and tree.children[0].type == "NOTHING":
            return NOTHING, {}
        return Build(self.lexicon, start).build(card.form, tree)

    def _summon(self, text: str) -> tuple[Move, dict[str, Span]]:
        tree = parse("summon", text, 0, example("summon", "summon", self.summoned))
        whole = {"summon": (len(text) - len(text.lstrip()), len(text.strip()))}
        if isinstance(tree.children[0], Token):
            return NO_SUMMON, whole
        build = Build(self.lexicon, 0)
        faction = build.one_follower("faction", tree.children[0])
        region = build.region("region", tree.children[1])
        build.check()
        assert faction is not None
        return Summon(faction, region), build.parts | whole


def _expected_nothing(text: str, end: int) -> WrongError:
    column = end + len(text[end:]) - len(text[end:].lstrip())
    message, hint = (
        f"`Pass` stands alone, but `{text[column:].strip()}` follows",
        "Write `Pass`, or a card with its resolution.",
    )
    return form_error(message, column, len(text) - column, hint, (Fix(NO_ACTION, Scope.LINE),))


def _in_original(problem: Problem, columns: list[int], typed: int) -> Problem:
    """A problem whose columns are those of the text as it was typed."""
    at = columns[min(problem.col - 1, len(columns) - 1)]
    end = columns[min(problem.col - 1 + problem.length, len(columns) - 1)]
    return evolve(problem, col=min(at, typed) + 1, length=max(1, end - at))
