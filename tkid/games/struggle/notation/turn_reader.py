"""Read turns: guess those in canonical form and check the guess by writing it; parse the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve

from tkid.games.struggle.notation.turn_builder import Build, Lexicon, TurnRules
from tkid.games.struggle.rules.board import Followers
from tkid.games.struggle.rules.card import Card
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Copy, Exchange, Move, Play, Resolution, Reveal, Shift, Spread, Summon, Swap
from tkid.games.struggle.rules.moves import Place as BoardPlace
from tkid.games.struggle.rules.struggles import NO_SUMMON
from tkid.kernel.game import fill_names
from tkid.kernel.ladder import NOTHING
from tkid.kernel.problems import Fix, Kind, Place, Problem, Scope
from tkid.kernel.values import LazyMapping
from tkid.notation import plugin
from tkid.notation.names import Unknown, Vocabulary, list_names
from tkid.notation.plugin import ReadDecision, ReadTurn, Span, WrongError
from tkid.notation.text import expand_arrows, make_plain

if TYPE_CHECKING:
    from lark import Token, Tree

    from tkid.notation.line_parser import LineParser


@cache
def read_examples() -> Mapping[str, Any]:
    """Read the right and the wrong examples of turns from `turn_examples.toml`; `cards` are the right ones by card."""
    import tomllib  # noqa: PLC0415 - few lines need an example

    examples = tomllib.loads(Path(__file__).with_name("turn_examples.toml").read_text("utf-8"))
    return examples | {"cards": {card: line for line, cards in examples["taking"].items() for card in cards}}


@cache
def _build_turn_parser() -> LineParser:
    from tkid.notation.line_parser import LineParser, build_parser  # noqa: PLC0415 - turns as the program writes them need no grammar

    wrong = read_examples()["wrong"]
    return LineParser(build_parser(("struggle_turn",), tuple(wrong)), wrong)


def parse_form(form: str, text: str, start: int, hint: str) -> Tree[Token]:
    """Parse the text from a column on as a form. Raises WrongError, which carries the hint."""
    from tkid.notation.line_parser import LineError  # noqa: PLC0415 - as above

    try:
        return _build_turn_parser().parse(form, text[start:])
    except LineError as error:
        if error.is_character:
            message = f"`{error.found}` does not belong here"
        else:
            message = error.label or (
                f"`{error.found}` is not understood here" if error.found else "This is not understood"
            )
            if error.label and error.found and not message.endswith("?"):
                message = f"{message}, but this is `{error.found}`"
        raise make_form_error(message, start + error.column, error.length, hint) from None


def make_form_error(message: str, column: int, length: int, hint: str, fixes: tuple[Fix, ...] = ()) -> WrongError:
    """Return the error of a turn that doesn't have its form; the column counts from 0."""
    place = Place(col=column + 1, length=max(1, length))
    return WrongError(Problem(Kind.SYNTAX, "notation.form", message, hint=hint, fixes=fixes, **place))


def describe_card_form(form: str, name: str, own: str) -> str:
    """Return a card's form as a hint, not always legal now; `own` fills its open part: a card that moves people, or a summons."""
    examples = read_examples()
    own_examples = examples["apart" if form == "apart" else "cards"]
    return f"The form is `{name} {own_examples.get(name, examples['right'][form].format(own))}`."


SUMMON = "summon "
DECISIONS_REMEMBERED = 1 << 16


class ExactReader:
    """Reads the decisions of a game as they are written."""

    def __init__(self, game: Struggle) -> None:
        self.game = game
        self.decision = lru_cache(DECISIONS_REMEMBERED)(self._read_decision)
        """The move that is written like a text; None where the grammar has to read it."""
        self.regions = {region.name: index for index, region in enumerate(game.board.regions)}
        self.letters = {faction.letter: index for index, faction in enumerate(game.board.factions)}
        names = "|".join(re.escape(name) for name in sorted(game.cards, key=len, reverse=True))
        self.card = re.compile(rf"({names}) ")

    def _read_decision(self, text: str) -> Move | None:
        try:
            move = self._guess_move(text)
        except (KeyError, ValueError):
            return None
        return move if move is not None and self.game.words.write_move(move) == text else None

    def count_letters(self, letters: str) -> Followers:
        return tuple([letters.count(letter) for letter in self.letters])

    def _guess_move(self, text: str) -> Move | None:
        if text.startswith(SUMMON):
            letter, region = text.removeprefix(SUMMON).split(" ", 1)
            return Summon(self.letters[letter], self.regions[region])
        card = self.card.match(text)
        if card is None:
            return PASS
        rest = text[card.end() :]
        guess = GUESSES.get(self.game.cards[card[1]].form)
        if guess is None:
            return None
        return Play(card[1], NOTHING if rest == "nothing" else guess(self, rest))


def _parse_place(read: ExactReader, text: str) -> BoardPlace:
    group, region = text.split(" ", 1)
    return BoardPlace(read.count_letters(group), read.regions[region])


def _parse_spread(read: ExactReader, text: str) -> Spread:
    placed: list[int | None] = [None] * len(read.letters)
    for item in text.split(", "):
        letter, region = item.split(" ", 1)
        placed[read.letters[letter]] = read.regions[region]
    return Spread(tuple(placed))


def _parse_exchange(read: ExactReader, text: str) -> Exchange:
    regions, disc = text.split(", ")
    first, second = regions.split(" <> ")
    place = None if disc == "no disc" else read.regions[disc.removeprefix("disc ")]
    return Exchange(read.regions[first], read.regions[second], place)


def _parse_swap(read: ExactReader, text: str) -> Swap:
    (give, left), (take, right) = (side.split(" ", 1) for side in text.split(" <> "))
    return Swap(read.regions[left], read.regions[right], read.count_letters(give), read.count_letters(take))


def _parse_shift(read: ExactReader, text: str) -> Shift:
    group, way = text.split(" ", 1)
    origin, target = way.split(" > ")
    return Shift(read.count_letters(group), read.regions[origin], read.regions[target])


GUESSES: Mapping[str, Callable[[ExactReader, str], Resolution]] = {
    "place": _parse_place,
    "spread": _parse_spread,
    "exchange": _parse_exchange,
    "swap": _parse_swap,
    "shift": _parse_shift,
}
"""What reads the resolutions of a form; the grammar reads the others."""


LONGEST_NAME = 3
SHORTEST_START = 3
"""A shorter start of a name does not show that a card of the other game was meant."""
NO_ACTION = "Pass"
SUMMONED = 1
"""The faction whose follower at home is summoned in examples."""
Word = re.Match[str]
WORD = re.compile(r"[^\W_]+")
OF_NAME = re.compile(r"[^\s:]+")
"""A word of a player's name."""
PIECE = re.compile(r"(?:(?!\band\b)[^,&+])+", re.IGNORECASE)
"""What stands between commas and the like."""
NEVER_COPIED = {"copy": "card.spy.no-spy", "reveal": "card.plot.never"}
"""The forms of cards that are not copied, each with the rule."""
ONE_GROUP = {"place", "summon"}
"""The forms that have one group of followers and one region."""
SIGNS = re.compile(r"<>|->|[>;↔⇄⇆⟷→⇒⟶]")
"""Signs that turns have, and sentences hardly ever."""


class TurnReader(plugin.TurnReader):
    """Reads and remembers the turns of a game; `names` are those of the players, without which seats go by number."""

    game: Struggle

    def __init__(self, game: Struggle, names: Sequence[str] = ()) -> None:
        super().__init__(game, names)
        numbers = {str(seat): seat - 1 for seat in range(1, (len(names) or max(game.parties)) + 1)}
        self.seats = numbers | {" ".join(name.casefold().split()): seat for seat, name in enumerate(names)}
        self.cards = Vocabulary({**game.cards, NO_ACTION: PASS}, {})
        self.absent = Vocabulary(game.absent, {})
        self.moving = next((card.name for card in game.cards.values() if card.form == "shift"), "")
        self.summoned = game.words.write_summon(SUMMONED, game.board.homes[SUMMONED])
        self.lexicon = Lexicon(game.board)
        self.regions = self.lexicon.regions
        taken, summoned = game.ids("action.region"), game.ids("summon.region")
        self.rules = TurnRules(taken, summoned, game.summons.due, tuple(names))
        self.exact = ExactReader(game)
        self._remembered = lru_cache(DECISIONS_REMEMBERED)(self._read_decision)
        self._written = lru_cache(DECISIONS_REMEMBERED)(self._find_written_move)

    def parse_turn(self, text: str) -> ReadTurn:
        texts = make_plain(text).split(";")
        columns = accumulate([len(part) + 1 for part in texts[:-1]], initial=0)
        decisions = [
            self._make_empty_decision() if index and not part.strip() else self._remembered(part)
            for index, part in enumerate(texts)
        ]
        return ReadTurn(tuple(decisions), tuple(columns), text if self.read_canonical(text) else "")

    def read_canonical(self, text: str) -> tuple[Move, ...] | None:
        moves = []
        for part in text.split("; "):
            move = self._written(part)
            if move is None:
                return None
            moves.append(move)
        return tuple(moves)

    def _find_written_move(self, text: str) -> Move | None:
        move = self.exact.decision(text) or self._remembered(text).move
        return move if move is not None and fill_names(self.game.words.write_move(move), self.names) == text else None

    def _make_empty_decision(self) -> ReadDecision:
        hint = f"The summons belongs here, as in `summon {self.summoned}`; a pass has no semicolon."
        return ReadDecision(None, make_form_error("Nothing follows the semicolon", 0, 1, hint).problems, {})

    def is_begun(self, text: str) -> bool:
        words = WORD.findall(text)[:3]
        if not words or words[0].casefold() in {"summon", "summons"} or " ".join(words[:2]).casefold() == "no summon":
            return bool(words)
        signs = SIGNS.search(text)
        for count in range(len(words), 0, -1):
            typed = " ".join(words[:count])
            cards = self.cards.find_fits(typed)
            if len(cards) == 1 or (cards and signs) or len(self.absent.find_fits(typed)) == 1:
                return True
        return False

    def list_cards(self) -> str:
        return f"The cards are {list_names(self.game.cards, 'and')}."

    def find_rule(self, move: Move) -> str:
        if isinstance(move, Play | Reveal):
            return self.game.cards[move.card].rule
        return self.game.ids("turn.pass") if move == PASS else self.game.summons.due

    def _read_decision(self, typed: str) -> ReadDecision:
        move = self.exact.decision(typed.strip())
        if move is None:
            return self.parse_decision(typed)
        return ReadDecision(move, (), LazyMapping(lambda: self.parse_decision(typed).parts))

    def parse_decision(self, typed: str) -> ReadDecision:
        text, columns = expand_arrows(typed.rstrip(" .!"))
        try:
            move, parts = self._parse_move(text)
        except WrongError as wrong:
            problems = tuple(_restore_columns(problem, columns, len(typed)) for problem in wrong.problems)
            return ReadDecision(None, problems, {})
        spans = {name: (columns[at], columns[at + length] - columns[at]) for name, (at, length) in parts.items()}
        return ReadDecision(move, (), spans)

    def _parse_move(self, text: str) -> tuple[Move, dict[str, Span]]:
        words = list(WORD.finditer(text))
        if not words:
            typed = text.strip()
            message = f"`{typed}` is not a turn" if typed else "This part is empty"
            column = text.find(typed) if typed else len(text)
            raise make_form_error(message, column, len(typed), "A turn is `Pass`, or a card and what it does.")
        first, second = (word.group().casefold() for word in (words[0], words[min(1, len(words) - 1)]))
        if first in {"summon", "summons"} or (first == "no" and second.startswith("summon")):
            return self._parse_summon(text)
        start = words[0].start()
        failures: list[WrongError] = []
        for name, end in self._list_candidates(text, words):
            parts = {"card": (start, end - start)}
            try:
                if name != NO_ACTION:
                    return self._parse_play(self.game.cards[name], text, end, parts)
                if not text[end:].strip():
                    return PASS, parts
                failures.append(_make_extra_text_error(text, end))
            except WrongError as wrong:
                failures.append(wrong)
        raise failures[0]

    def _parse_play(self, card: Card, text: str, end: int, parts: dict[str, Span]) -> tuple[Move, dict[str, Span]]:
        if card.form == "reveal":
            tree = parse_form(card.form, text, end, describe_card_form(card.form, card.name, self.summoned))
            build = Build(self.lexicon, end, self.rules)
            faction = build.read_faction("faction", tree.children[0])
            build.check()
            return Reveal(card.name, faction), parts | build.parts
        read = self._parse_copy if card.form == "copy" else self._parse_resolution
        resolution, more = read(card, text, end)
        return Play(card.name, resolution), parts | more

    def _parse_copy(self, card: Card, text: str, start: int) -> tuple[Resolution, dict[str, Span]]:
        words = list(OF_NAME.finditer(text, start))
        if [word.group().casefold() for word in words] == ["nothing"]:
            return NOTHING, {}
        if words and words[0].group().casefold() in {"on", "from"}:
            del words[0]
        form = describe_card_form("copy", card.name, self.moving)
        seat, column, end = self._find_pile_owner(text, words, form)
        rest = list(WORD.finditer(text, end))
        if not rest:
            raise make_form_error("The copied card is missing", len(text.rstrip()), 1, form)
        for begin, after in ((start, column), (end, rest[0].start())):
            if len(signs := text[begin:after].strip().removeprefix(":").strip()) and not signs[0].isalnum():
                raise make_form_error(f"`{signs}` does not belong here", after - len(signs), len(signs), form)
        name, name_end = self._list_candidates(text, rest)[0]
        copied, place = self.game.cards.get(name), (rest[0].start(), name_end - rest[0].start())
        if copied is None or copied.form in NEVER_COPIED:
            wrong = make_form_error(f"{name} cannot be copied", *place, form)
            rule = NEVER_COPIED.get(copied.form) if copied else None
            raise WrongError(*(evolve(each, rule=self.game.ids(rule)) for each in wrong.problems)) if rule else wrong
        resolution, parts = self._parse_resolution(copied, text, name_end)
        return Copy(seat, name, resolution), {"seat": (column, end - column), "copied": place} | parts

    def _find_pile_owner(self, text: str, words: Sequence[Word], form: str) -> tuple[int, int, int]:
        if not words:
            raise make_form_error("Whose discard pile, and which card?", len(text.rstrip()), 1, form)
        column = words[0].start()
        for count in range(len(words), 0, -1):
            name = " ".join(word.group() for word in words[:count]).casefold()
            seat = self.seats.get(name.removesuffix("'s"))
            if seat is not None:
                return seat, column, words[count - 1].end()
        typed = text[column:].partition(":")[0].rstrip() if ":" in text[column:] else words[0].group()
        known = Vocabulary(dict.fromkeys(self.names or self.seats), {})
        meant = known.find(typed)
        unknown = Unknown(typed, (meant,)) if isinstance(meant, str) else meant
        hint = f"It is {list_names(known.names)}; {form[:1].lower()}{form[1:]}"
        problem = unknown.make_problem("player", "notation.player", (column, len(typed)), hint)
        raise WrongError(evolve(problem, message=f"`{typed}` is not a player in this game"))

    def _list_candidates(self, text: str, words: Sequence[Word]) -> list[tuple[str, int]]:
        """List the cards that the first words may name, each with the end of its name, longest name first."""
        start = words[0].start()
        names = [text[start : word.end()] for word in words[LONGEST_NAME - 1 :: -1]]
        fits = [self.cards.find_fits(name) for name in names]
        fitting = [(found[0], start + len(name)) for found, name in zip(fits, names, strict=True) if len(found) == 1]
        if fitting:
            return fitting
        cards = [self.cards.find(name) for name in names]
        self._refuse_absent(names, start)
        failed = [card for card in reversed(cards) if isinstance(card, Unknown)]
        unknown = max(failed, key=lambda each: (each.ambiguous, bool(each.meant)))
        place = start, len(unknown.typed)
        raise WrongError(unknown.make_problem("card", "notation.card", place, self.list_cards(), of=" of this ruleset"))

    def _refuse_absent(self, names: Sequence[str], start: int) -> None:
        for name in names:
            card = self.absent.find(name) if len(name) >= SHORTEST_START else None
            if isinstance(card, str):
                rule, place = self.game.ids(self.game.absent[card]), Place(col=start + 1, length=len(name))
                message = f"{card} is not a card of this game"
                raise WrongError(Problem(Kind.NAME, rule, message, hint=self.list_cards(), **place))

    def _parse_resolution(self, card: Card, text: str, start: int) -> tuple[Resolution, dict[str, Span]]:
        tree = self._parse_one(card.form, card.name, text, start, card.rule)
        if tree.children and isinstance(tree.children[0], str) and tree.children[0].type == "NOTHING":
            return NOTHING, {}
        return Build(self.lexicon, start, self.rules).build(card.form, tree)

    def _parse_one(self, form: str, name: str, text: str, start: int, rule: str = "") -> Tree[Token]:
        """Parse one resolution or summons. Several of them break a rule of the game."""
        hint = describe_card_form(form, name, self.summoned)
        try:
            return parse_form(form, text, start, hint)
        except WrongError:
            again = self._find_second_group(form, text, start)
            if not again:
                raise
            if form == "summon":
                broken, message = self.rules.one, "You summon only one follower"
            else:
                broken = self.game.ids(f"{rule.partition('.')[2]}.two")
                message = f"{name} places its followers into one region, not into another"
            column, length = again
            problem = Problem(Kind.SYNTAX, broken, message, hint=hint, **Place(col=column + 1, length=length))
            raise WrongError(problem) from None

    @staticmethod
    def _find_second_group(form: str, text: str, start: int) -> Span | None:
        """Find a second group of followers with its region, in a text of nothing but such groups."""
        pieces = [each for each in PIECE.finditer(text, start) if each.group().strip()]
        if form not in ONE_GROUP or len(pieces) < 2:
            return None
        first = text[: pieces[0].end()]
        try:
            parse_form(form, first, start, "")
            for piece in pieces[1:]:
                parse_form("place", piece.group(), 0, "")
        except WrongError:
            return None
        column = pieces[1].start() + len(pieces[1].group()) - len(pieces[1].group().lstrip())
        return column, len(pieces[1].group().strip())

    def _parse_summon(self, text: str) -> tuple[Move, dict[str, Span]]:
        tree = self._parse_one("summon", "summon", text, 0)
        whole = {"summon": (len(text) - len(text.lstrip()), len(text.strip()))}
        if isinstance(tree.children[0], str):  # as every token is
            return NO_SUMMON, whole
        build = Build(self.lexicon, 0, self.rules)
        return build.build_summon(*tree.children), build.parts | whole


def _make_extra_text_error(text: str, end: int) -> WrongError:
    column = len(text) - len(text[end:].lstrip())
    message = f"`Pass` has to be alone, but `{text[column:].strip()}` follows"
    hint, fixes = "Write `Pass`, or a card and what it does.", (Fix(NO_ACTION, Scope.LINE),)
    return make_form_error(message, column, len(text) - column, hint, fixes)


def _restore_columns(problem: Problem, columns: list[int], typed: int) -> Problem:
    at = columns[min(problem.col - 1, len(columns) - 1)]
    end = columns[min(problem.col - 1 + problem.length, len(columns) - 1)]
    return evolve(problem, col=min(at, typed) + 1, length=max(1, end - at))
