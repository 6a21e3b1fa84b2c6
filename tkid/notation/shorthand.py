"""Find the legal turns that a line of notes may mean, the likeliest first.

People who note a game at a table shorten every word and leave out what everybody saw. So the words of a line are compared
with each legal turn: a word may have several meanings (`W` is the Welsh or Warwick), a turn may say what the line
leaves out, and the words may come in another order. Each difference costs something, and the cheapest turns win.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, islice, pairwise, permutations, product
from typing import Any

from attrs import Factory, frozen

from tkid.notation.free_text import DOUBTS, FILLERS, NOT_ANY, NUMBERS, TOKEN, find_like, read_word_list
from tkid.notation.text import drop_accents

Fact = tuple[str, Any]
"""One thing that a turn says: its kind (`card`, `region`, `follower` …) and its value."""
Part = tuple[Fact, ...]
"""Facts that belong together: followers and their region."""
PASS: Fact = ("pass", None)
NOTHING: Fact = ("nothing", None)
SUMMON: Fact = ("summon", None)
DISC: Fact = ("disc", None)
THERE: Fact = ("there", None)
"""A place that was named before."""
UNIMPORTANT = frozenset({NOTHING, THERE})
STRANGE, OPTIONAL, LOOSE = 2.6, 0.5, 0.3
"""Costs of a word that names something the turn doesn't have, of one in brackets, and of words in another order than usual."""
UNSAID: Mapping[str, float] = {
    "card": 1.2, "region": 0.9, "follower": 0.5, "own": 0.1, "disc": 0.5, "nothing": 0.3, "player": 0.4, "pass": 9.0,
}  # fmt: skip
"""Cost of a fact that the line leaves out, by its kind; that of others is 0."""
SKIPPED: Mapping[str, float] = {"card": 1.5, "region": 0.8, "follower": 0.5, "disc": 0.3, "summon": 0.3}
"""Cost of what a remark names, by its kind."""
AGAIN, AGAIN_PLACE = 2.0, 1.2
"""Costs of followers and of a region of a turn that are named once more."""
REPEATED = 0.1
"""Cost of another follower of a faction that is said once: `Welsh Support Devon W`."""
FOLLOWERS = frozenset({"follower", "own"})
MARGIN = 0.75
"""Turns that cost this much more than the cheapest one are not meant."""
MOST_ACTIONS, MOST_FIRST, MOST_READINGS, ROUGHLY = 60, 16, 16, 1.0
"""Actions whose words are compared in order, those that are completed with a summons, readings of one line, and how much too low a
rough cost may be."""
MOST_REMEMBERED = 100_000
"""Comparisons of words with moves that are remembered."""
ORDERLY, MOST_ORDERS, MOST_TURNED = 0.9, 24, 8
"""Maximum cost at which the words of a line count as in the order of the notation, the other orders to try, and those with turned parts."""
TINY, UNUSUAL, SWAPPED = 1e-6, 0.1, 3.0
"""A difference that does not count, and the costs of an order other than that of the notation and of two regions in each other's place."""
MOST_KNOWN = 50_000
"""Moves whose parts and orders are remembered."""
MOST_BEFORE = 20
"""Letters before a word that are looked at."""
MOST_COUNTED = 4
SHORTEST_SPARSE, LONGEST_SPARSE, SHORTEST_TYPED, LIKE, LIKE_BEGUN = 2, 5, 4, 0.75, 0.85
"""Letters of an abbreviation that leaves some out, of a word with a typing error, and how like (0 to 1) it has to be, also a shortened one."""
WHOLE, BEGUN, UNCLEAR, SPARSE, MISTYPED = 0.0, 0.05, 0.1, 0.2, 0.4
"""Costs of a name in full, of its beginning, of one that begins others too, of some of its letters, and of one mistyped."""
COUNTED = frozenset("of the der von x more other remaining new".split())  # noqa: SIM905 - words read better so
"""Words between a number and followers."""
PASSING, NO_EFFECT, SUMMONING, FOREIGN, WRITER = map(
    read_word_list, ("passing", "no_effect", "summoning", "foreign", "writer")
)
UNFIT = 3.0
"""Cost at which no reading fits a line."""
WEAK, SHORT = 1.0, 3
"""Cost of a short word in small letters that fits nothing, and how many letters it has at most."""
BOTH = "from", "to"
VOWELS = frozenset("aeiou")
SOUNDS = (
    ("ph", "f"),
    ("ck", "k"),
    ("ce", "se"),
    ("ci", "si"),
    ("c", "k"),
    ("q", "k"),
    ("sh", "t"),
    ("ti", "t"),
    ("z", "s"),
)
"""Letters that sound alike."""
SHORTEST_SOUND, LONG_SOUND = 2, 5
"""Consonants of a word that is compared by its sound, and of one that may differ in one of them."""
MINUS, DASHED = frozenset("-–—"), 0.1
"""Dashes, and what one costs that says nothing."""
WITH = re.compile(r"\bw/\Z")
POSSESSIVE = re.compile(r"'s\Z")
HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
STRONG_DIVIDERS = frozenset({";", "|", "->", "=>", "→", "⇒"})
DIVIDERS = frozenset({";", ",", "/", "|", "->", "=>", "→", "⇒", ">"})


@frozen
class Word:
    """A word of a line: its columns, and its possible meanings with their costs. A dividing sign has no meanings."""

    typed: str
    start: int
    end: int
    meanings: Mapping[Fact, float]
    cost: float = STRANGE
    """What it costs if the turn does not have it."""


@frozen
class NotedSetup:
    """The rows of a set-up by label, as a game file writes them, and the numbers of the last and the first line that surely tell some of it."""

    rows: Mapping[str, str]
    end: int
    begin: int = 0
    guessed: Mapping[str, int] = Factory(dict)
    """The labels of the rows that the notes don't tell, or not clearly, each with the line that tells it best."""
    essential: int = 0
    """Number of known parts that follow from no others: regions and the track."""
    cost: float = 0.0
    """What speaks against these rows."""


@frozen
class Reading:
    """A legal turn that a line may mean, what it costs, and the words that do not fit it."""

    moves: tuple[Any, ...]
    cost: float
    strange: tuple[str, ...] = ()


def match_name(word: str, names: Mapping[str, Iterable[Any]], kind: str) -> dict[Fact, float]:
    """Return the possible meanings of a shortened name, with their costs; one that lacks letters or is mistyped, if it is no other word.

    `names` has the values of each name.
    """
    typed = drop_accents(word.casefold())
    if typed in names or (word in FOREIGN and len(word) > 1) or (typed in FOREIGN and len(word) > SHORTEST_SPARSE):
        return {(kind, value): WHOLE for value in names.get(typed, ())}
    begun = {value for name, values in names.items() if name.startswith(typed) for value in values}
    found = {(kind, value): BEGUN if len(begun) == 1 else UNCLEAR for value in begun}
    is_short_name = len(word) == SHORTEST_SPARSE and word.istitle() and begun  # `La`
    is_small_word = typed in FILLERS or typed in DOUBTS or typed in FOREIGN
    if (word in FILLERS or (is_small_word and not word.isupper())) and not is_short_name:
        return found if kind == "card" and len(typed) > SHORTEST_SPARSE else {}
    if found:
        return found
    if SHORTEST_SPARSE <= len(typed) <= LONGEST_SPARSE and (
        VOWELS.isdisjoint(typed[1:]) or (len(typed) < 4 and typed != word)
    ):
        sparse = {value for name, values in names.items() if is_sparse(typed, name) for value in values}
        found = {(kind, value): SPARSE for value in sparse}
    if not found and kind == "region" and len(typed) >= LONGEST_SPARSE:
        found = {(kind, value): SPARSE for name, values in names.items() if is_sparse(typed, name) for value in values}
        found = found if len(found) == 1 else {}
    return found or (_match_mistyped(typed, names, kind) if len(typed) >= SHORTEST_TYPED else {})


def _match_mistyped(typed: str, names: Mapping[str, Iterable[Any]], kind: str) -> dict[Fact, float]:
    """Return the meaning of a mistyped name, or of a mistyped beginning of one."""
    if near := find_like(typed, tuple(names), LIKE):
        return {(kind, value): MISTYPED for value in names[near]}
    if len(sound := _spell_sound(typed)) >= SHORTEST_SOUND + (kind == "card"):
        same = {
            value
            for name, values in names.items()
            if len(name) >= SHORTEST_TYPED and _sounds_like(sound, _spell_sound(name))
            for value in values
        }
        if len(same) == 1 or (same and kind == "card"):
            return {(kind, value): MISTYPED for value in same}
    begun = {name[: len(typed)] for name in names if len(name) > len(typed)}
    swapped = [name for name in begun if name[0] == typed[0] and sorted(name) == sorted(typed)]
    near = swapped[0] if swapped else find_like(typed, tuple(begun), LIKE_BEGUN)
    return {(kind, value): MISTYPED for name in names if near and name.startswith(near) for value in names[name]}


@lru_cache(MOST_KNOWN)
def _spell_sound(word: str) -> str:
    """Return a word as it sounds: its first letter and its consonants, double ones once."""
    plain = word
    for written, sound in SOUNDS:
        plain = plain.replace(written, sound)
    first = "a" if plain[:1] in VOWELS else plain[:1]
    return re.sub(r"(.)\1+", r"\1", first + re.sub(r"[aeiouyh]", "", plain[1:]))


def _sounds_like(one: str, other: str) -> bool:
    """Return True if two words sound alike; a long one may lack a consonant or have another one."""
    if one == other:
        return True
    if min(len(one), len(other)) < LONG_SOUND or one[0] != other[0] or abs(len(one) - len(other)) > 1:
        return False
    at = next(
        (at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right),
        min(len(one), len(other)),
    )
    return one[at + 1 :] == other[at + 1 :] or one[at:] == other[at + 1 :] or one[at + 1 :] == other[at:]


def is_sparse(typed: str, name: str) -> bool:
    """Return True if a word has letters of a name in their order, the first one included: `nhb`."""
    rest = iter(name.removesuffix("shire"))  # `Dee` is not Devonshire
    return typed[0] == name[0] and all(letter in rest for letter in typed)


@frozen
class _Saying:
    """A move, the parts that it says, a bit for each fact in them, and for each bit what it costs to leave the fact out."""

    move: Any
    parts: tuple[Part, ...]
    bits: int
    unsaid: tuple[tuple[int, float], ...]


class Shorthand(ABC):
    """Reads the notes of a game; each game says what words mean and what its moves say."""

    def __init__(self, game: Any, names: Sequence[str], *, is_free: bool = False) -> None:
        self.game = game
        self.names = tuple(names)
        self._actions: dict[Any, tuple[_Saying, ...]] = {}
        self._sayings: dict[Any, _Saying] = {}
        self._bits: dict[Fact, int] = {}
        self._words: dict[Any, Word] = {}
        self._compared: dict[Any, tuple[float, tuple[Fact, ...]]] = {}
        self._last_reads: dict[bool, tuple[Any, str, tuple[Word, ...]]] = {}
        self.is_free = is_free
        """True for a turn in free words, whose parts may be turned round, and in which a summons may be divided."""
        self.effort = 0
        """How many comparisons of a word with a fact were made, which measures time without a clock."""

    @abstractmethod
    def find_meanings(self, position: Any, word: str) -> Sequence[Mapping[Fact, float]]:
        """Return the possible meanings of a word; several for letters that are followers each."""

    @abstractmethod
    def find_parts(self, move: Any) -> tuple[Part, ...]:
        """Return what a move says: first the card alone, then each group of followers with its place."""

    def list_parts(self, move: Any) -> tuple[Part, ...]:
        """Return what a move says, which is remembered."""
        return self._find_saying(move).parts

    @staticmethod
    def is_denied(words: list[Word], before: str, every: Sequence[Mapping[Fact, float]]) -> bool:
        """Return True if followers are said to be missing: `no Scots left`, `out of Welsh`; `no` then says nothing either."""
        last = before.rpartition(" ")[2]
        if (
            not every
            or all(fact[0] != "follower" for fact in every[0])
            or not (last in NOT_ANY or before.endswith("out of"))
            or (
                words and words[-1].typed.istitle() and any(kind == "region" for kind, _ in words[-1].meanings)
            )  # `S No`
        ):
            return False
        if words and drop_accents(words[-1].typed.casefold()) == last:
            words.pop()
        return True

    def read_words(self, position: Any, text: str) -> tuple[Word, ...]:
        """Return the words of a line that may say something of a turn, and the signs that divide it."""
        words: list[Word] = []
        depth, number, at, before = 0, 0, 0, ""
        is_alone = not any(map(str.isalpha, text))
        for found in TOKEN.finditer(text):
            plain = drop_accents(found[0].casefold())
            depth += (plain in "([{") - (plain in ")]}")
            every = self.find_meanings(position, POSSESSIVE.sub("", found[0]).replace("'", "") or found[0])
            is_weak = 1 < len(plain) < SHORT and plain == found[0] and len(every) == 1
            if plain in MINUS and not is_alone:
                every = [{fact: cost for fact, cost in each.items() if fact != PASS} for each in every]
            cost = OPTIONAL if depth > 0 or plain.isdecimal() else WEAK if is_weak else STRANGE
            if self.is_denied(words, before, every):
                every = ()
            before = f"{before} {plain}"[-MOST_BEFORE:]
            if (
                (plain in MINUS and text[found.end() : found.end() + 1].isalnum())
                or (plain == "w" and text[found.end() :].startswith("/"))
                or WITH.search(text[: found.start()])
                or (plain == "-" and HYPHEN.match(text, found.start()))
            ):
                every = ()
            if words and plain[0].isalpha() and HYPHEN.match(text, found.start() - 1) and words[-1].meanings in every:
                continue
            if number and len(every) == 1 and any(kind == "follower" for kind, _ in every[0]):
                every = [*every] * number
                if words and words[-1].start == at:
                    words.pop()
            words += (
                Word(
                    found[0],
                    found.start(),
                    found.end(),
                    each,
                    DASHED
                    if plain in MINUS
                    else OPTIONAL
                    if each.keys() <= UNIMPORTANT or found[0] in FILLERS
                    else cost,
                )
                for each in every
            )
            if not every and plain in DIVIDERS:
                words.append(Word(plain, found.start(), found.end(), {}, 0))
            if number > 1 and (plain in COUNTED or (every and all(kind == "region" for kind, _ in every[0]))):
                continue  # `two of the Welsh`, `both Gwynedd Welsh`
            is_card = any(kind == "card" for each in every for kind, _ in each)  # `A = assemble`
            number = int(plain) if plain.isdecimal() else 0 if is_card else NUMBERS.get(plain, 0)
            number, at = number if number <= MOST_COUNTED else 0, found.start()
        return tuple(words)

    def find_readings(
        self, position: Any, text: str, margin: float = MARGIN, cards: Collection[str] = ()
    ) -> tuple[Reading, ...]:
        """Return the legal turns that a line may mean, the cheapest first; only those of some cards, if these are given."""
        if position.to_act is None:
            return ()
        words = [
            self._words.setdefault((word.typed, word.start, word.cost, frozenset(word.meanings.items())), word)
            for word in self.read_words(position, text)
        ]
        found: dict[tuple[Any, ...], Reading] = {}
        splits = _split_summons(words, is_free=self.is_free)
        for extra, action, rest in chain(splits, _split_without_verbs(words, found) if self.is_free else ()):
            ranked = self._rank_moves(position, action, margin, cards)
            for move, cost, strange in ranked[:MOST_FIRST]:
                after, _ = self.game.apply(position, move)
                if not self.game.turn_continues(after):
                    late = (*strange, *(word.typed for word in rest if word.meanings))
                    total = cost + extra + sum(word.cost for word in rest if word.meanings)
                    _add_reading(found, Reading((move,), total, late))
                    continue
                summons = [*rest, *self._find_only_place(after, rest)]
                for second, more, odd in self._rank_moves(after, summons, max(MARGIN, margin - cost + ranked[0][1])):
                    _add_reading(found, Reading((move, second), cost + more + extra, (*strange, *odd)))
        best = sorted(found.values(), key=lambda reading: reading.cost)
        return tuple(each for each in best if each.cost <= best[0].cost + margin)[:MOST_READINGS]

    def _find_only_place(self, position: Any, words: Sequence[Word]) -> Iterator[Word]:
        """Yield a word for the region that all moves have, unless words may name another, or surely name this one."""
        facts = [{fact for part in each.parts for fact in part} for each in self._list_moves(position)]
        places = {fact for fact in set.intersection(*facts) if fact[0] == "region"} if facts else set[Fact]()
        named = [word for word in words if any(kind == "region" for kind, _ in word.meanings)]
        clear = [word for word in named if all(kind == "region" for kind, _ in word.meanings)]
        for place in places if words and not clear else ():
            yield self._words.setdefault(place, Word(str(place), words[-1].end, words[-1].end, {place: WHOLE}))

    def find_actions(self, position: Any, text: str, margin: float, cards: Collection[str]) -> tuple[Any, ...]:
        """Return the legal moves that a line may mean if it is about one move only, the cheapest first."""
        words = self.read_words(position, text)
        return tuple(move for move, _, _ in self._rank_moves(position, words, margin, cards))

    def _read_again(self, position: Any, text: str) -> tuple[Word, ...]:
        """Return the words of a line, which is often compared with many turns in a row; with a position, and without."""
        last = self._last_reads.get(position is None)
        if last is None or last[0] is not position or last[1] != text:
            last = self._last_reads[position is None] = position, text, self.read_words(position, text)
        return last[2]

    def compare_turn(self, position: Any, text: str, moves: Sequence[Any]) -> float:
        """Return what the difference between a line and a turn costs, also an illegal one."""
        words = self._read_again(position, text)
        splits = _split_summons(words, is_free=self.is_free) if len(moves) > 1 else [(0.0, words, [])]
        costs = []
        for extra, *groups in splits:
            named = [[word for word in group if word.meanings] for group in groups]
            pairs = zip(named, map(self.list_parts, moves), strict=False)
            costs.append(extra + sum(self._compare(group, parts, MOST_ORDERS)[0] for group, parts in pairs))
        return min(costs)

    def vary_turn(self, turn: str, text: str) -> Iterator[str]:
        """Yield a turn with one region, or followers of one faction, in place of another, as a line names them, also with the card that it names."""
        facts = {fact for word in self._read_again(None, text) for fact in word.meanings}
        cards = dict(self.list_signs("card"))
        played = next((name for name in sorted(cards, key=len, reverse=True) if turn.startswith(name)), "")
        yield from self._vary_things(turn, text)
        for name in (each for each, fact in cards.items() if fact in facts and played and each != played):
            yield (other := name + turn.removeprefix(played))
            yield from self._vary_things(other, text)

    def _vary_things(self, turn: str, text: str) -> Iterator[str]:
        words = self._read_again(None, text)
        facts = {fact for word in words for fact in word.meanings}
        counted = {fact for one, other in pairwise(words) if one == other for fact in one.meanings}  # `two Scots`
        written = [
            (sign, fact) for kind in ("region", "follower") for sign, fact in self.list_signs(kind) if fact in facts
        ]
        for sign, (kind, index) in written:
            old = "|".join(re.escape(other) for other, _ in self.list_signs(kind))
            pattern = rf"\b(?:{old})\b" if kind == "region" else rf"(?<![a-z])(?:{old})(?![a-z])"
            places = [found.span() for found in re.finditer(pattern, turn)]
            yield from (f"{turn[:start]}{sign}{turn[end:]}" for start, end in places)
            if self.is_free and kind == "follower" and (kind, index) in counted:
                yield from (f"{turn[:start]}{2 * sign}{turn[end:]}" for start, end in reversed(places))
            for found in re.finditer(rf"(?<![a-z])(?:{old}){{2,}}(?![a-z])", turn) if kind == "follower" else ():
                yield f"{turn[: found.start()]}{sign * len(found[0])}{turn[found.end() :]}"

    @abstractmethod
    def list_signs(self, kind: str) -> Sequence[tuple[str, Fact]]:
        """Return how the notation writes the regions, the cards, or a follower of each faction, with their meanings."""

    @abstractmethod
    def learn(self, text: str, rest: str) -> None:
        """Learn the abbreviations and nicknames that a text explains, and those with which its lines and the rest begin."""

    @abstractmethod
    def read_setup(self, lines: Sequence[str], labels: Mapping[str, int], turns: Sequence[str]) -> NotedSetup:
        """Return the set-up that notes tell, with the likeliest by the `turns` for what they don't; `labels` are what players are called."""

    @abstractmethod
    def tells_setup(self, line: str) -> bool:
        """Return True if a line names more regions than a turn can, and no card."""

    @abstractmethod
    def find_holders(self, line: str) -> list[str]:
        """Return the words of a line behind which the followers of a player's court are, and no others."""

    @abstractmethod
    def is_result(self, text: str, *, loose: bool = False) -> bool:
        """Return True if a text says what followed a turn; `loose` behind a pass, where little else is said."""

    @property
    def may_summon_alone(self) -> bool:
        """True if a turn may be a summons without a card."""
        return False

    @abstractmethod
    def names_card(self, word: str) -> bool:
        """Return True if a word means a card and nothing else."""

    @abstractmethod
    def names_thing(self, word: str) -> bool:
        """Return True if a word clearly is the name, or the beginning of the name, of something in the game."""

    def find_kinds(self, text: str) -> set[str]:
        """Return the kinds of all that the words of a text may mean, those in brackets aside."""
        return {kind for word in self.read_words(None, text) if word.cost > OPTIONAL for kind, _ in word.meanings}

    def weigh(self, text: str) -> float:
        """Return what it costs to leave out all that the words of a text name."""
        words = [word for word in self.read_words(None, text) if word.cost > OPTIONAL]
        return sum(max((SKIPPED.get(kind, 0.0) for kind, _ in word.meanings), default=0.0) for word in words)

    @abstractmethod
    def is_followed(self, said: str, lines: Sequence[str]) -> bool:
        """Return True unless the lines of what followed contradict what the notes say of it."""

    def _list_moves(self, position: Any) -> tuple[_Saying, ...]:
        if position not in self._actions:
            if len(self._actions) > MOST_ACTIONS:
                self._actions.clear()
            self._actions[position] = tuple(map(self._find_saying, self.game.legal(position)))
        return self._actions[position]

    def _find_saying(self, move: Any) -> _Saying:
        if move not in self._sayings:
            parts = self.find_parts(move)
            costs = {_as_said(fact): UNSAID.get(fact[0], 0.0) for part in parts for fact in part}
            unsaid = tuple((self._find_bits((fact,)), cost) for fact, cost in costs.items())
            self._sayings[move] = _Saying(move, parts, self._find_bits(costs), unsaid)
        return self._sayings[move]

    def _find_bits(self, facts: Iterable[Fact]) -> int:
        """Return a number with a bit for each fact, which is compared faster than a set."""
        return sum({self._bits.setdefault(fact, 1 << len(self._bits)) for fact in facts})

    def _rank_moves(
        self, position: Any, words: Sequence[Word], margin: float, cards: Collection[str] = ()
    ) -> list[tuple[Any, float, tuple[str, ...]]]:
        """Return the moves that these words fit best, each with its cost and the words that do not fit.

        Moves of another card than the one that a word surely names are only compared if they may fit as well.
        """
        named, moves = [word for word in words if word.meanings], self._list_moves(position)
        if cards:
            wanted = self._find_bits(("card", name) for name in cards)
            moves = tuple(each for each in moves if wanted & each.bits)
        every = {fact for word in named for fact in word.meanings if fact[0] == "card"}
        sure = [word for word in named if word.meanings.keys() <= every]
        if sure:
            card = max(sure, key=lambda word: word.cost)
            wanted = self._find_bits(card.meanings)
            own = [each for each in moves if wanted & each.bits]
            ranked = self._rank(own, named, margin) if len(own) < len(moves) else []
            other = card.cost + (UNSAID["card"] if every <= card.meanings.keys() else 0.0)
            if ranked and ranked[0][1] + margin < other:
                return ranked
        return self._rank(moves, named, margin)

    def _rank(
        self, moves: Sequence[_Saying], named: Sequence[Word], margin: float
    ) -> list[tuple[Any, float, tuple[str, ...]]]:
        meant = [(self._find_bits(word.meanings), word.cost) for word in named]
        said = self._find_bits(fact for word in named for fact in word.meanings)
        self.effort += len(moves) * (len(named) + 1)
        rough = [
            (
                sum([cost for bits, cost in meant if not bits & each.bits])
                + sum([cost for bit, cost in each.unsaid if not bit & said]),
                each,
            )
            for each in moves
        ]
        if not rough:
            return []
        least = min(cost for cost, _ in rough)
        near = sorted((each for each in rough if each[0] <= least + margin + ROUGHLY), key=lambda each: each[0])[
            :MOST_ACTIONS
        ]
        exact = self._compare_all(named, near, 1, margin)
        if exact[0][0] > ORDERLY or margin > SWAPPED:
            exact = self._compare_all(named, near, MOST_ORDERS, margin, exact[0][0] + margin)
        best = [each for each in exact if each[0] <= exact[0][0] + margin]
        return [(move, cost, _list_strange(named, order, is_free=self.is_free)) for cost, move, order in best]

    def _compare_all(
        self,
        words: Sequence[Word],
        near: Sequence[tuple[float, _Saying]],
        most: int,
        margin: float,
        limit: float = 1e9,
    ) -> list[tuple[float, Any, tuple[Fact, ...]]]:
        """Return what the difference between words and each move costs, the least first, with the order that fits best."""
        found: list[tuple[float, Any, tuple[Fact, ...]]] = []
        for rough, each in near:
            if rough > limit:
                break
            cost, order = self._compare(words, each.parts, most)
            found.append((cost, each.move, order))
            limit = min(limit, cost + margin)
        return sorted(found, key=lambda each: each[0])

    def _compare(self, words: Sequence[Word], parts: tuple[Part, ...], most: int) -> tuple[float, tuple[Fact, ...]]:
        """Return what the difference between words and a move costs, and the order of its facts that fits best; both are remembered."""
        key = *map(id, words), parts, most
        if key not in self._compared:
            if len(self._compared) >= MOST_REMEMBERED:
                self._compared.clear()
            self.effort += len(words) * len(parts) * most
            self._compared[key] = self._find_best_order(words, parts, most)
        return self._compared[key]

    def _find_best_order(
        self, words: Sequence[Word], parts: tuple[Part, ...], most: int
    ) -> tuple[float, tuple[Fact, ...]]:
        card = parts[0][0] if parts and parts[0][0][0] == "card" else None
        at, used = _find_card(words, parts[0]) if card else (0, 0)
        missing = UNSAID["card"] if card and not used else 0.0
        missing += sum(words[index].meanings[parts[0][0]] for index in range(at, at + used))
        rest = [*words[:at], *words[at + used :]]
        spoken = _count_spoken(rest)
        least, best = 1e9, tuple[Fact, ...]()
        orders = _list_orders(parts[1:] if card else parts, is_free=self.is_free)
        orders = orders if most > 1 else orders[:most]
        for index, order in enumerate(orders):
            if len(order) > len(orders[0]) and not _names_twice(rest, order):
                continue
            cost = _align(rest, order, spoken, is_free=self.is_free)[-1][-1] + (UNUSUAL if index else 0)
            if cost < least:
                least, best = cost, order
        for order in _list_swapped(parts[1:] if card else parts) if most > 1 else ():
            cost = _align(rest, order, spoken, is_free=self.is_free)[-1][-1] + SWAPPED
            if cost < least:
                least, best = cost, order
        return missing + least, (card, *best) if card else best


def _add_reading(found: dict[tuple[Any, ...], Reading], reading: Reading) -> None:
    known = found.get(reading.moves)
    if known is None or reading.cost < known.cost:
        found[reading.moves] = reading


def _drop_verbs(words: Sequence[Word]) -> list[Word]:
    return [word for word in words if SUMMON not in word.meanings]


def _split_summons(words: Sequence[Word], *, is_free: bool) -> Iterator[tuple[float, Sequence[Word], Sequence[Word]]]:
    """Yield ways to divide a line into action and summons, each with its cost."""
    asked = [at for at, word in enumerate(words) if SUMMON in word.meanings]
    if asked:
        named = [at for at, word in enumerate(words) if word.meanings and SUMMON not in word.meanings]
        at = next((at for at in reversed(asked) if named and named[-1] > at), asked[-1])
        yield 0.0, _drop_verbs(words[:at]), _drop_verbs(words[at + 1 :])
        named = [index for index, word in enumerate(words) if index > at and word.meanings]
        if len(named) > 2:
            cut = named[2]
            yield LOOSE, [*_drop_verbs(words[:at]), *words[cut:]], words[at + 1 : cut]
        if len(named) == 1 and at:  # `an English taken from Moray`
            yield LOOSE, _drop_verbs(words[: at - 1]), [words[at - 1], *words[at + 1 :]]
        if named and at and is_free:  # `from Essex I summon an English follower, and …`
            yield 2 * LOOSE, _drop_verbs([*words[: at - 1], *words[named[0] + 1 :]]), [words[at - 1], words[named[0]]]
        end = at if named else next((index + 1 for index in reversed(range(at)) if words[index].meanings), 0)
        for size in (1, 2):
            if end >= size and (not named or (size == 2 and is_free)):
                yield (
                    LOOSE * (1 + bool(named)),
                    _drop_verbs([*words[: end - size], *words[at + 1 :]]),
                    words[end - size : end],
                )
        yield 1.0, _drop_verbs(words), []
        return
    last = max((at for at, word in enumerate(words) if word.meanings), default=0)
    divided = [at for at, word in enumerate(words) if not word.meanings and at < last]
    divided = [at for at in divided if words[at].typed in STRONG_DIVIDERS] or divided
    for size in (2, 1, 0):
        named = [at for at, word in enumerate(words) if word.meanings][-size:] if size else []
        cut = named[0] if named else len(words)
        before = max((at for at, word in enumerate(words[:cut]) if word.meanings), default=-1)
        right = any(before < at < cut for at in divided)  # `Devon; > S Moray`
        if len(named) == size:
            clear = right or not divided or not size
            yield 0.0 if clear else MARGIN, words[:cut], words[cut:]


def _split_without_verbs(
    words: Sequence[Word], found: Mapping[Any, Reading]
) -> Iterator[tuple[float, Sequence[Word], Sequence[Word]]]:
    """Yield ways to divide a line whose first verb is not that of a summons, if no reading fits well: `I got nothing better, …`."""
    named = (word for word in words if word.meanings)
    first = next((word for word in named if all(kind != "card" for kind, _ in word.meanings)), None)
    if first and SUMMON in first.meanings and min((each.cost for each in found.values()), default=UNFIT) >= UNFIT:
        for extra, action, rest in _split_summons(_drop_verbs(words), is_free=True):
            yield extra + 2 * LOOSE, action, rest


def _find_card(words: Sequence[Word], part: Sequence[Fact]) -> tuple[int, int]:
    """Return where a card is named, and by how many words; 0 words if it isn't."""
    (fact,) = part
    longest = len(str(fact[1]).split())
    best = (0, 0, 9.0)
    for at in range(len(words)):
        for size in range(1, longest + 1):
            run = words[at : at + size]
            if len(run) == size and all(fact in word.meanings for word in run):
                only = sum(all(kind == "card" for kind, _ in word.meanings) for word in run)
                cost = sum(word.meanings[fact] for word in run) - only - size / 2
                if cost < best[2]:
                    best = at, size, cost
    at, size, _ = best
    while (
        size
        and at + size < len(words)
        and words[at + size].start == words[at].start
        and fact in words[at + size].meanings
    ):
        size += 1  # `SS` is a card or two followers
    return at, size


def _names_twice(words: Sequence[Word], order: Sequence[Fact]) -> bool:
    """Return True if words name each region as often as an order that has both ends of each movement."""
    spoken = Counter(fact for word in words for fact in word.meanings)
    return all(spoken[fact] >= count for fact, count in Counter(order).items() if fact[0] == "region")


def _as_said(fact: Fact) -> Fact:
    """Return the fact as words say it: a card's own followers are followers."""
    return ("follower", fact[1]) if fact[0] == "own" else fact


@lru_cache(MOST_KNOWN)
def _list_orders(parts: tuple[Part, ...], *, is_free: bool) -> tuple[tuple[Fact, ...], ...]:
    return tuple(islice(_iter_orders(parts, is_free=is_free), MOST_ORDERS + is_free * MOST_TURNED))


@lru_cache(MOST_KNOWN)
def _list_swapped(parts: tuple[Part, ...]) -> tuple[tuple[Fact, ...], ...]:
    """Return the facts of a move with two regions in each other's place, as somebody notes them by mistake."""
    found = []
    for one, other in combinations(range(len(parts)), 2):
        regions = [[fact for fact in parts[at] if fact[0] == "region"] for at in (one, other)]
        if all(regions) and regions[0] != regions[1] and all(len(parts[at]) > 1 for at in (one, other)):
            places = {one: regions[1], other: regions[0]}
            swapped = [
                [*(fact for fact in part if fact[0] != "region"), *places[at]] if at in places else part
                for at, part in enumerate(parts)
            ]
            found.append(tuple(fact for part in swapped for fact in part))
    return tuple(found)


@lru_cache(MOST_KNOWN)
def _list_said(facts: tuple[Fact, ...]) -> tuple[tuple[Fact, float, float], ...]:
    """Return facts as words say them, with what it costs to leave each out: where words say it elsewhere, and where none does."""
    return tuple(
        (_as_said(fact), cost, UNSAID["region"] if fact[0] == "region" else cost)
        for at, fact in enumerate(facts)
        for cost in [_find_unsaid_cost(facts, at)]
    )


def _count_spoken(words: Sequence[Word]) -> Counter[Fact]:
    return Counter(fact for word in words for fact in word.meanings)


def _list_unsaid(spoken: Collection[Fact], facts: tuple[Fact, ...]) -> list[tuple[Fact, float]]:
    """Return facts as words say them, with what it costs to leave each out; `spoken` are those that the words may mean."""
    return [(fact, near if fact in spoken else alone) for fact, near, alone in _list_said(facts)]


def _iter_orders(parts: Sequence[Part], *, is_free: bool) -> Iterator[tuple[Fact, ...]]:
    """Yield the orders in which people say the parts of a move."""
    few = parts if len(parts) <= 3 else ()
    written = tuple(fact for part in parts for fact in part)
    headed = tuple(
        fact for part in parts for fact in (reversed(part) if DISC in part else part)
    )  # `Devon gets the disc`
    several = permutations(parts) if len(parts) <= len(BOTH) else [parts] if len(parts) <= len(BOTH) + 1 else ()
    several, headed = (several, headed) if is_free else ((), written)
    turned = chain.from_iterable(product(*((part, _turn_part(part)) for part in order)) for order in several)
    mixed = (
        tuple(fact for part in each for fact in part) for each in turned
    )  # `Devon gets the Scot, the Welsh go to Moray`
    backward = tuple(fact for part in parts for fact in _reverse_group(part)) if is_free else written
    seen = dict.fromkeys((written, headed, backward, *mixed))
    yield from seen
    for order in permutations(few) if few else [tuple(parts)]:
        groups = [[fact for fact in part if fact[0] in FOLLOWERS] for part in order]
        places = [[fact for fact in part if fact[0] not in FOLLOWERS] for part in order]
        flat: list[list[Fact]] = [
            [fact for group, place in zip(groups, places, strict=True) for fact in (*group, *place)],
            [fact for group, place in zip(groups, places, strict=True) for fact in (*place, *group)],
            [fact for each in (*places, *groups) for fact in each],
            [fact for each in (*groups, *places) for fact in each],
        ]
        if len(few) == len(BOTH) and all(groups) and all(places):  # what left and what came, or whence and whither
            (one, other), (here, there) = groups, places
            flat += [
                [*here, *one, *other, *there, *other, *one],
                [*here, *one, *other, *there, *one, *other],
                [*one, *here, *there, *other, *there, *here],
                [*one, *here, *there, *other],
            ]
        for each in map(tuple, flat):
            if each not in seen:
                seen[each] = None
                yield each


def _reverse_group(part: Part) -> Part:
    """Return a part with its followers in the opposite order: `an Englishman and a Scot`."""
    last = reversed([fact for fact in part if fact[0] in FOLLOWERS])
    return tuple(next(last) if fact[0] in FOLLOWERS else fact for fact in part)


def _turn_part(part: Part) -> Part:
    """Return a part with its place before its followers."""
    return (*(fact for fact in part if fact[0] not in FOLLOWERS), *(fact for fact in part if fact[0] in FOLLOWERS))


def _align(
    words: Sequence[Word], facts: tuple[Fact, ...], spoken: Counter[Fact], *, is_free: bool
) -> list[list[float]]:
    """Return the least costs of reading the first words as the first facts in this order, by the numbers of both.

    Only in free text may a single letter name a region once more.
    """
    said = _list_unsaid(spoken, facts)
    row = [0.0]
    for _, unsaid in said:
        row.append(row[-1] + unsaid)
    rows = [row]
    known = Counter(fact for fact, _ in said)
    again = {fact for fact, count in known.items() if spoken[fact] > count}
    again_places = {fact for fact in again if fact[0] == "region"}
    for word in words:
        cost, meanings = word.cost, word.meanings
        if cost > AGAIN and not again.isdisjoint(word.meanings):
            is_place = (is_free or len(word.typed) > 1) and not again_places.isdisjoint(word.meanings)
            cost = AGAIN_PLACE if is_place else AGAIN
        least = row[0] + cost
        new = [least]
        before = row[0]
        for (fact, unsaid), above in zip(said, row[1:], strict=True):
            least += unsaid
            if above + cost < least:  # noqa: PLR1730 - a call of `min` takes longer than all else here
                least = above + cost
            if fact in meanings and before + meanings[fact] < least:
                least = before + meanings[fact]
            new.append(least)
            before = above
        row = new
        rows.append(row)
    return rows


def _list_strange(words: Sequence[Word], facts: tuple[Fact, ...], *, is_free: bool) -> tuple[str, ...]:
    """Return the words that mean no fact; those of the card are together."""
    if facts and facts[0][0] == "card":
        at, used = _find_card(words, facts[:1])
        words, facts = [*words[:at], *words[at + used :]], facts[1:]
    spoken = _count_spoken(words)
    rows, found, unsaid = _align(words, facts, spoken, is_free=is_free), [], _list_unsaid(spoken, facts)
    row, column = len(words), len(facts)
    while row:
        word, here = words[row - 1], rows[row][column]
        meant = word.meanings.get(_as_said(facts[column - 1])) if column else None
        if meant is not None and abs(rows[row - 1][column - 1] + meant - here) < TINY:
            row, column = row - 1, column - 1
        elif column and abs(rows[row][column - 1] + unsaid[column - 1][1] - here) < TINY:
            column -= 1
        else:
            found += [word.typed] if word.cost == STRANGE else []
            row -= 1
    return tuple(reversed([*found]))


def _find_unsaid_cost(facts: Sequence[Fact], at: int) -> float:
    """Return what it costs to leave out a fact; little if it is said again nearby."""
    kind = facts[at][0]
    is_behind = facts[0][0] in FOLLOWERS
    near = (at - 1,) if kind in FOLLOWERS else (at - 1, at + 2 if is_behind else at - 2)
    repeated = any(0 <= other < len(facts) and facts[other] == facts[at] for other in near)
    return REPEATED if repeated else UNSAID.get(kind, 0.0)
